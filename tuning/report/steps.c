/* Tells people and programs what was measured of procedures.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/report/steps.h"

#include <stdio.h>
#include <string.h>

#include "tuning/store/profile_store.h"
#include "tuning/text/table.h"

/* "OpenBLAS 0.3.21, 2 threads"  */
static void
way_text (const struct gt_step *step, char *text, size_t size)
{
  const char *way = strcmp (step->way, GT_STEP_GSL) == 0 ? "GSL's" : step->way;

  snprintf (text, size, step->threads > 1 ? "%s, %u threads" : "%s", way, step->threads);
}

/* Step I and those after it that are of the same kind.  */
static unsigned
length_of (const struct gt_profile *profile, unsigned i)
{
  unsigned n;

  gt_profile_steps (profile, profile->steps[i].kind, &n);
  return n;
}

unsigned
gt_count_kinds (const struct gt_profile *profile)
{
  unsigned kinds = 0;

  for (unsigned i = 0; i < profile->n_steps; i += length_of (profile, i))
    kinds++;
  return kinds;
}

unsigned
gt_report_steps (const struct gt_profile *profile)
{
  struct gt_table *table = gt_table_new ("ll", "procedure\tby what, from which size on");
  unsigned kinds = 0, n;

  for (unsigned i = 0; i < profile->n_steps; i += n, kinds++)
    {
      const struct gt_step *steps = &profile->steps[i];
      char text[512] = "";

      n = length_of (profile, i);
      for (unsigned k = 0; k < n; k++)
        {
          const size_t used = strlen (text);
          char way[GT_STEP_WAY_SIZE + 24];

          way_text (&steps[k], way, sizeof way);
          if (k == 0)
            snprintf (text, sizeof text, "%s", way);
          else
            snprintf (text + used, sizeof text - used, "; %s: %s",
                      gt_format_count (steps[k].from), way);
        }
      gt_table_printf (table, "%s\t%s", steps->kind, text);
    }
  if (kinds == 0)
    gt_table_free (table);
  else
    {
      putchar ('\n');
      gt_table_print (table, stdout);
    }
  return kinds;
}

void
gt_report_sequence (const struct gt_step *steps, unsigned n, const struct gt_step *chosen)
{
  for (unsigned k = 0; k < n; k++)
    {
      char way[GT_STEP_WAY_SIZE + 24];

      way_text (&steps[k], way, sizeof way);
      printf ("  from %-8s %s", gt_format_count (steps[k].from), way);
      if (steps[k].seconds > 0)
        printf (": %s", gt_format_seconds (steps[k].seconds));
      if (steps[k].seconds > 0 && steps[k].gsl_seconds > 0
          && strcmp (steps[k].way, GT_STEP_GSL) != 0)
        printf (", GSL's %s", gt_format_seconds (steps[k].gsl_seconds));
      puts (&steps[k] == chosen ? "   <-" : "");
    }
}

json_t *
gt_report_sequence_json (const struct gt_step *steps, unsigned n)
{
  json_t *list = json_array ();

  for (unsigned k = 0; k < n; k++)
    json_array_append_new (list, gt_profile_step_json (&steps[k]));
  return list;
}

json_t *
gt_report_steps_json (const struct gt_profile *profile)
{
  return gt_report_sequence_json (profile->steps, profile->n_steps);
}
