/* Fuzz target: what gsltune ladder --json printed, as gsltune plot draws it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"


#include "tests/fuzz/script.h"
#include "tuning/report/plot.h"

int
gt_fuzz_ladder (const uint8_t *data, size_t size)
{
  json_t *json = json_loadb ((const char *) data, size,
                             JSON_REJECT_DUPLICATES, NULL);
  struct gt_gnuplot plot;

  if (json == NULL)
    return 0;
  gt_gnuplot_begin (&plot, "fuzz.gp");
  if (gt_plot_ladder (&plot, json))
    {
      GT_FUZZ_CHECK (*plot.why);
      gt_gnuplot_drop (&plot);
    }
  else
    gt_fuzz_check_script (&plot);
  json_decref (json);
  return 0;
}
