/* The ladder as bars.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "tuning/ladder/ladder_report.h"

/* Writes the bar of RUNG; 0 when it has none.  */
static int
write_bar (struct gt_gnuplot *plot, const json_t *rung)
{
  const json_t *bandwidth = json_object_get (rung, "bandwidth");
  const char *kernel = json_string_value (json_object_get (rung, "kernel"));

  if (!json_is_real (bandwidth) || kernel == NULL)
    return 0;
  fprintf (plot->script, "%d ",
           (int) json_integer_value (json_object_get (rung, "rung")));
  gt_gnuplot_word (plot, kernel);
  fprintf (plot->script, " %.6g\n", json_real_value (bandwidth) / 1e9);
  return 1;
}

int
gt_plot_ladder (struct gt_gnuplot *plot, const json_t *ladder)
{
  const json_t *rungs = json_object_get (ladder, "rungs"), *rung;
  const char *device = json_string_value (json_object_get (ladder, "device")),
             *type = json_string_value (json_object_get (ladder, "type"));
  double peak
    = json_number_value (json_object_get (ladder, "bandwidth_peak")) / 1e9;
  char title[256];
  size_t i;
  int bars = 0;

  if (!json_is_array (rungs) || device == NULL || type == NULL)
    return gt_gnuplot_fail (plot, "this is not what 'gsltune ladder --json' prints");
  fputs ("$rungs << EOD\n", plot->script);
  json_array_foreach (rungs, i, rung)
    bars += write_bar (plot, rung);
  fputs ("EOD\n", plot->script);
  if (bars == 0)
    return gt_gnuplot_fail (plot, "no rung of this ladder was measured");
  snprintf (title, sizeof title, "The reduction ladder: %lld elements of %s, %s",
            (long long) json_integer_value (json_object_get (ladder, "n")),
            type, device);
  gt_gnuplot_frame (plot, title, NULL, "bandwidth, GB/s");
  fprintf (plot->script,
           "set yrange [0:*]\n"
           "set style fill solid 0.9\nset boxwidth 0.7\n"
           "set xtics rotate by 40 right noenhanced\nset lmargin 14\n"
           "plot $rungs using 0:3:xtic(2) with boxes lc rgb '#0072b2' notitle,"
           " \\\n"
           "  '' using 0:3:(sprintf ('%%.0f', $3)) with labels font ',11' offset 0,0.7"
           " notitle");
  if (peak > 0)
    fprintf (plot->script,
             ", \\\n  %.6g with lines lw 2 dt 2 lc rgb '#666666' title"
             " 'memory, in theory'",
             peak);
  putc ('\n', plot->script);
  return 0;
}
