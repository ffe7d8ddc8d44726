/* Declarations for the parts of the profile module and for the tuner, which writes the files
   that they read (tuning/store).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_PRIVATE_H
#define GT_PROFILE_PRIVATE_H

#include <stddef.h>

#include "src/base/log.h"
#include "src/profile/profile.h"

/* Return the folders of an installation: the system's, and that of the shipped profiles.  */
const char *gt_system_folder (void);
const char *gt_shipped_folder (void);

/* The maximum number of steps that are read from one file.  */
#define GT_PROFILE_MAX_STEPS 8192

/* The largest size of a step: elements, or multiplications of a product of matrices.  */
#define GT_PROFILE_MAX_SIZE ((uint64_t) 1 << 60)

/* The members of a step in a file, NAME=VALUE, in their order: its tunables and, in a profile
   with measurements, these.  Values are integers, words, or texts with + for each space.  The
   table ends with a null NAME.  */
struct gt_member
{
  const char *name;
  int is_figure;            /* a member of gt_measured, not of gt_step */
  size_t offset;
  uint64_t max;             /* the maximum in the file; for a text, its size */
  unsigned neutral;         /* values up to this one are omitted from the file */
  double scale;             /* for a double: the factor in the file; 0: unsigned */
  const char *const *words; /* the names of the values 0 to MAX, or null */
  int is_text;
};
extern const struct gt_member gt_members[];

/* Returns whether KEY is a silicon key and therefore may be a file's name.  */
int gt_profile_silicon_valid (const char *key);

/* Checks that no other user can put a profile into the open folder; otherwise WHY contains the
   reason.  */
enum gt_profile_status gt_profile_check_folder (int descriptor, char *why, size_t why_size);

/* Stores in TEXT, which must be freed whatever is returned, the contents of an open file of up
   to MOST bytes: LENGTH bytes and a null byte.  The owner and the permissions of the file are
   checked unless it is TRUSTED.  */
enum gt_profile_status gt_profile_contents (int descriptor, size_t most, int trusted, char **text,
                                            size_t *length, char *why, size_t why_size);

/* Reads PROFILE from TEXT and checks it for DEVICE, whose match must not be worse than WORST;
   if DEVICE is null, reads only the header.  PROFILE is cleared unless the status is
   GT_PROFILE_OK.  */
enum gt_profile_status gt_profile_parse (const char *text, size_t size,
                                         const struct gt_device *device, enum gt_match worst,
                                         struct gt_profile *profile, char *why, size_t why_size);

#endif
