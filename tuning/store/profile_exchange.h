/* Profiles that travel from machine to machine, one or several in a file.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_EXCHANGE_H
#define GT_PROFILE_EXCHANGE_H

#include "src/profile/profile.h"

/* The profiles of a file, each as one of the device that its silicon key tells of,
   whether or not this machine has it.  */
struct gt_exchange
{
  struct gt_profile *profile;
  unsigned n;
};
void gt_exchange_clear (struct gt_exchange *exchange);

/* Reads PATH, which the user has named and so trusts, whoever owns it or may write
   it.  Returns GT_PROFILE_OK; else EXCHANGE is clear, and WHY says what is wrong.  */
enum gt_profile_status gt_exchange_read (const char *path, struct gt_exchange *exchange, char *why,
                                         size_t why_size);

/* The text of a file with the N profiles at PROFILE, to be freed: of one that of the
   profile itself.  Null with WHY.  */
char *gt_exchange_text (const struct gt_profile *profile, unsigned n, char *why, size_t why_size);

/* Reads PATH as gt_profile_read does, as a profile of that device.  */
enum gt_profile_status gt_exchange_profile (const char *path, struct gt_profile *profile, char *why,
                                            size_t why_size);

/* Makes DEVICE the one that a profile of SILICON is for: this machine's if it has it, otherwise
   what the key describes.  Returns 0, or -1.  */
int gt_exchange_device (const char *silicon, struct gt_device *device);

#endif
