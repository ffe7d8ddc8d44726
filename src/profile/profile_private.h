/* Shared by the parts of the profile module and by the tuner,
   which writes what they read (tuning/store).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_PRIVATE_H
#define GT_PROFILE_PRIVATE_H

#include <stddef.h>

#include "src/base/log.h"
#include "src/profile/profile.h"

/* The folders of an installation: the system's, and that of the shipped profiles.  */
const char *gt_system_folder (void);
const char *gt_shipped_folder (void);

/* More steps than this in one file are not read.  */
#define GT_PROFILE_MAX_STEPS 8192

/* Largest size that a step may have: elements, or numbers that a product of matrices multiplies.  */
#define GT_PROFILE_MAX_SIZE ((uint64_t) 1 << 60)

/* The members that a step may have in a file, NAME=VALUE, in their order there: its tunables, and of
   a profile of findings the figures.  Values are integers, words, or texts with + for each space.  The
   table ends with a null NAME.  */
struct gt_member
{
  const char *name;
  int is_figure;            /* in gt_measured, not in gt_step */
  size_t offset;
  uint64_t max;             /* in the file; of a text its size */
  unsigned neutral;         /* a member at or below it is left out */
  double scale;             /* of a double: what it is multiplied by in the file; 0: of an unsigned */
  const char *const *words; /* the names of values 0 to MAX, or null */
  int is_text;
};
extern const struct gt_member gt_members[];

/* Whether KEY is a silicon key and so may be a file's name.  */
int gt_profile_silicon_valid (const char *key);

/* Checks that nobody else can put a profile into the open folder; else WHY says what is wrong.  */
enum gt_profile_status gt_profile_check_folder (int descriptor, char *why, size_t why_size);

/* Puts in TEXT, to be freed whatever is returned, the contents of an open file of up to MOST bytes,
   LENGTH of them and a null byte.  The owner and the permissions of a file are checked unless it is
   TRUSTED.  */
enum gt_profile_status gt_profile_contents (int descriptor, size_t most, int trusted, char **text,
                                            size_t *length, char *why, size_t why_size);

/* Makes PROFILE what TEXT says, checked against DEVICE, whose match with the text's is no worse than
   WORST; with a null DEVICE the header alone.  PROFILE is cleared unless the status is
   GT_PROFILE_OK.  */
enum gt_profile_status gt_profile_parse (const char *text, size_t size,
                                         const struct gt_device *device, enum gt_match worst,
                                         struct gt_profile *profile, char *why, size_t why_size);

#endif
