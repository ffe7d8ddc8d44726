/* Fuzz target: files of measurements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "tuning/store/measurements.h"

static int
take (const struct gt_measurements *m, void *closure)
{
  unsigned *taken = closure;

  ++*taken;
  GT_FUZZ_CHECK (m->n > 0 && m->chosen_default < m->n);
  gt_fuzz_check_words (m->silicon);
  gt_fuzz_check_words (m->device_name);
  gt_fuzz_check_words (m->created);
  gt_fuzz_check_words (m->machine);
  for (unsigned i = 0; i < m->n; i++)
    {
      gt_fuzz_check_words (m->measured[i].candidate.why);
      for (int t = 0; t < GT_N_TIMINGS; t++)
        GT_FUZZ_CHECK (m->measured[i].n[t] <= GT_REPEATS);
    }
  return 0;
}

int
gt_fuzz_measurements (const uint8_t *data, size_t size)
{
  unsigned taken = 0;
  char why[512] = "";

  if (gt_measurements_read (gt_fuzz_file (0, data, size), take, &taken, why,
                            sizeof why))
    {
      GT_FUZZ_CHECK (*why);
      gt_fuzz_check_words (why);
    }
  return 0;
}
