/* For the tests of profiles as JSON: the text of a sample, and reading it.
   Include after tests/unit.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_PARSE_H
#define GT_PROFILE_PARSE_H

#include "tests/profile_sample.h"
#include "tuning/store/profile_store.h"

static char why[256]; /* of the last call */

static inline char *
text_of (const struct gt_device *device)
{
  struct gt_profile profile;
  sample_profile (device, &profile);
  char *text = gt_profile_text (&profile, why, sizeof why);
  assert_non_null (text);
  gt_profile_clear (&profile);
  return text;
}

static inline enum gt_profile_status
parse (const char *text, size_t size, const struct gt_device *device,
       struct gt_profile *profile)
{
  *why = '\0';
  memset (profile, 0x5a, sizeof *profile);
  return gt_profile_parse (text, size, device, GT_MATCH_SILICON, profile, why,
                           sizeof why);
}

#endif
