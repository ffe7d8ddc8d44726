/* Profiles that are copied from machine to machine, one or several in a file.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_EXCHANGE_H
#define GT_PROFILE_EXCHANGE_H

#include "src/profile/profile.h"

/* The profiles of a file.  Each is for the device that its silicon key describes, even if this
   machine does not have it.  */
struct gt_exchange
{
  struct gt_profile *profile;
  unsigned n;
};
void gt_exchange_clear (struct gt_exchange *exchange);

/* Reads PATH, which the user has named and therefore trusts, without checks of its owner and
   permissions.  Returns GT_PROFILE_OK; otherwise EXCHANGE is empty, and WHY has the
   reason.  */
enum gt_profile_status gt_exchange_read (const char *path, struct gt_exchange *exchange, char *why,
                                         size_t why_size);

/* Returns the text of a file with the N profiles at PROFILE, to be freed; if there is one
   profile, it is the text of that.  Returns null with WHY if that fails.  */
char *gt_exchange_text (const struct gt_profile *profile, unsigned n, char *why, size_t why_size);

/* Reads PATH as gt_profile_read does, as a profile of that device.  */
enum gt_profile_status gt_exchange_profile (const char *path, struct gt_profile *profile, char *why,
                                            size_t why_size);

/* Sets DEVICE to the device of a profile of SILICON: this machine's if it has it, otherwise
   the one that the key describes.  Returns 0, or -1.  */
int gt_exchange_device (const char *silicon, struct gt_device *device);

#endif
