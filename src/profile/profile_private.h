/* Shared by the parts of the profile module and by the tuner,
   which writes what they read (tuning/store).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_PRIVATE_H
#define GT_PROFILE_PRIVATE_H

#include <jansson.h>
#include <stddef.h>

#include "src/base/log.h"
#include "src/profile/profile.h"

/* The folders of an installation: the system's, and that of the shipped profiles.  */
const char *gt_system_folder (void);
const char *gt_shipped_folder (void);

/* More entries (crossovers, procedures) than this in one file are not read.  */
#define GT_PROFILE_MAX_ENTRIES 4096

/* Longest vector a profile speaks of, in elements.  */
#define GT_PROFILE_MAX_N ((uint64_t) 1 << 48)

/* Largest call: numbers that a product of matrices multiplies.  */
#define GT_PROFILE_MAX_SIZE ((uint64_t) 1 << 60)

/* A tunable of kernels.  */
struct gt_profile_tunable
{
  const char *key;
  unsigned flag;    /* of gt_kernel.tunables */
  unsigned neutral; /* the value where the kernel does not tune it */
  size_t offset;    /* in gt_config */
};
enum
{
  GT_N_TUNABLES = 4
};
extern const struct gt_profile_tunable gt_profile_tunables[GT_N_TUNABLES];

static inline unsigned *
gt_tunable_of (struct gt_config *config, size_t i)
{
  return (unsigned *) (void *) ((char *) config + gt_profile_tunables[i].offset);
}

/* The members that were measured or counted, in the order of the file.  The tables end with a
   null KEY.  */
struct gt_profile_number
{
  const char *key;
  size_t offset; /* in gt_entry, gt_crossover or gt_step */
  int is_count;  /* an unsigned, else a double */
  double scale;  /* what ours is multiplied with for the file */
  double max;    /* in the file */
  int optional;  /* 0 where the file lacks it */
};
extern const struct gt_profile_number gt_entry_numbers[], gt_crossover_numbers[],
  gt_step_numbers[];

/* Puts in TEXT what OBJECT has at KEY for people, in ASCII, or "".  */
void gt_read_recorded (const json_t *object, const char *key, char *text, size_t size);

/* The "place" of entries in the profile of a device of this kind.  */
static inline const char *
gt_profile_place (enum gt_device_kind kind)
{
  return gt_place_names[kind == GT_CPU ? GT_PLACE_HOST : GT_PLACE_DEVICE];
}

/* Whether KEY is a silicon key and so may be a file's name.  */
int gt_profile_silicon_valid (const char *key);

/* Whether the open folder is one that nobody else can put a profile into; else WHY
   says what is wrong with it.  */
enum gt_profile_status gt_profile_check_folder (int descriptor, char *why,
                                                size_t why_size);

/* The contents of an open file of up to MOST bytes, LENGTH of them and a null byte, to be
   freed whatever is returned.  Whose a file that is not TRUSTED is, and who may write it,
   is looked at.  */
enum gt_profile_status gt_profile_contents (int descriptor, size_t most,
                                            int trusted, char **text,
                                            size_t *length, char *why,
                                            size_t why_size);

/* The text of a file, checked against DEVICE, whose match with the file's is no worse than
   WORST; with a null DEVICE the header alone.  PROFILE is cleared unless the status is
   GT_PROFILE_OK.  */
enum gt_profile_status gt_profile_parse (const char *text, size_t size,
                                         const struct gt_device *device,
                                         enum gt_match worst,
                                         struct gt_profile *profile,
                                         char *why, size_t why_size);

#endif
