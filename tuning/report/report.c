/* Profiles as tables for people and as JSON for programs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/report/report.h"

#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "src/profile/step_kind.h"
#include "tuning/measure/called.h"
#include "tuning/measure/candidate.h"
#include "tuning/measure/target.h"
#include "tuning/search/problems.h"
#include "tuning/store/findings.h"
#include "tuning/store/profile_store.h"
#include "tuning/text/table.h"

const struct gt_profile *
gt_report_findings (const struct gt_device *device, const struct gt_profile *profile)
{
  static struct gt_profile findings;

  gt_profile_clear (&findings);
  return gt_findings_read_beside (profile, device, &findings) == GT_PROFILE_OK ? &findings
                                                                              : profile;
}

static int
wanted (const struct gt_report_filter *filter, const struct gt_problem *p)
{
  if (filter == NULL)
    return 1;
  if (filter->operations && !(filter->operations & 1u << p->reduction))
    return 0;
  if (filter->type >= 0
      && gt_arithmetic_for (p->reduction, gt_types[filter->type].arithmetic)
           != p->arithmetic)
    return 0;
  return filter->mode < 0
         || gt_mode_for (p->reduction, p->arithmetic,
                         (enum gt_mode) filter->mode) == p->mode;
}

/* Returns A / B, or 0 if either was not measured.  */
static double
quotient (double a, double b)
{
  return a > 0 && b > 0 ? a / b : 0;
}

static double
bandwidth (const struct gt_winner *winner)
{
  return quotient ((double) gt_problem_bytes (&winner->problem),
                   gt_winner_call (winner));
}

/* Returns the time of the estimated configuration divided by the winner's; 0 for short calls,
   which are computed without a configuration.  */
static double
gain_over_default (const struct gt_winner *winner)
{
  return gt_winner_on_the_spot (winner)
           ? 0 : quotient (winner->measured.default_seconds, winner->measured.seconds);
}

/* Returns the share of a GPU's theoretical bandwidth that a sum reaches; 0: unknown.  */
static double
share (const struct gt_device *device, const struct gt_winner *winner)
{
  return device->kind == GT_CUDA
           ? quotient (bandwidth (winner), gt_gpu_bandwidth (&device->gpu)) : 0;
}

/* ----------------------------------------------------------- For people */

/* Adds the line above a group of rows: "sum of double, exact" and MORE.  */
static void
add_group (struct gt_table *table, const struct gt_problem *p, const char *more)
{
  char text[256];

  snprintf (text, sizeof text, "%s of %s%s, %s", gt_reductions[p->reduction].name,
            gt_types_of (p->reduction, p->arithmetic),
            gt_mode_text (p->reduction, p->mode, ", "), more);
  gt_table_group (table, text);
}

static void
winner_row (struct gt_table *table, const struct gt_device *device,
            const struct gt_winner *winner)
{
  const double call = gt_winner_call (winner);

  gt_table_printf (table, "%s\t%s\t%s\t%s",
                   gt_format_count (winner->problem.n),
                   winner->kernel == NULL ? "the estimate"
                   : gt_winner_on_the_spot (winner)
                     ? "on the spot"
                     : gt_config_text (winner->kernel, &winner->config),
                   call > 0 ? gt_format_seconds (call) : "-",
                   bandwidth (winner) > 0
                     ? gt_format_bandwidth (bandwidth (winner)) : "-");
  if (device->kind == GT_CUDA)
    gt_table_cell (table, "%s", gt_format_ratio (100 * share (device, winner), "%.1f%%"));
  gt_table_cell (table, "%s",
                 gt_format_ratio (quotient (winner->measured.gsl_seconds, call), "%.2f"));
  gt_table_cell (table, "%s", gt_format_ratio (gain_over_default (winner), "%.2f"));
}

/* Returns whether STEP is the longest contiguous one of its kind.  */
static int
is_longest (const struct gt_profile *profile, const struct gt_step *step,
            const struct gt_problem *p)
{
  return p->layout == GT_CONTIGUOUS
         && (step + 1 == profile->steps + profile->n_steps
             || strcmp (step[1].kind, step->kind) != 0);
}

/* Prints BEFORE and TABLE, unless it has no rows, and frees it.  Returns whether it has
   rows.  */
static unsigned
print_rows (struct gt_table *table, const char *before)
{
  unsigned rows = (unsigned) gt_table_has_rows (table);

  if (rows)
    {
      fputs (before, stdout);
      gt_table_print (table, stdout);
    }
  else
    gt_table_free (table);
  return rows;
}

/* Stores the kind of STEP in KIND.  Returns whether it is the kind of a reduction that the
   filter selects, for routes if IS_ROUTE.  */
static int
is_shown (const struct gt_step *step, const struct gt_report_filter *filter, int is_route,
          struct gt_step_kind *kind)
{
  return gt_step_kind_read (step->kind, kind, NULL, 0) > 0 && kind->is_route == is_route
         && wanted (filter, &kind->problem);
}

void
gt_report_winners (const struct gt_device *device, const struct gt_profile *profile,
                   const struct gt_report_filter *filter, int brief)
{
  struct gt_table *table
    = gt_table_new (device->kind == GT_CUDA ? "rlrrrrr" : "rlrrrr",
                    "%s\twinner\ttime\tbandwidth\t%sx GSL\tx estimate",
                    profile->measured ? "n" : "from n",
                    device->kind == GT_CUDA ? "of peak\t" : "");

  for (unsigned i = 0; i < profile->n_steps; i++)
    {
      const struct gt_step *const step = &profile->steps[i];
      struct gt_winner winner;
      struct gt_step_kind kind;

      if (!is_shown (step, filter, 0, &kind)
          || (brief && !is_longest (profile, step, &kind.problem)))
        continue;
      gt_findings_winner (profile, step, &winner);
      add_group (table, &kind.problem, gt_layout_names[kind.problem.layout]);
      winner_row (table, device, &winner);
    }
  if (print_rows (table, "") == 0)
    puts ("No winner for what was asked.");
}

unsigned
gt_report_routes (const struct gt_profile *profile, const struct gt_report_filter *filter)
{
  struct gt_table *table
    = gt_table_new ("rlrrr", "from n\troute\ttime\tCPU alone\tgain");

  for (unsigned i = 0; i < profile->n_steps; i++)
    {
      const struct gt_step *const step = &profile->steps[i];
      const struct gt_measured *const m = gt_measured_of (profile, step);
      char more[GT_SILICON_SIZE + 64], text[96];
      struct gt_route route;
      struct gt_step_kind kind;

      if (!is_shown (step, filter, 1, &kind))
        continue;
      snprintf (more, sizeof more, "%s memory, with %s", gt_place_names[kind.place],
                kind.device);
      add_group (table, &kind.problem, more);
      route = gt_step_route (step);
      gt_route_text (&route, text, sizeof text);
      gt_table_printf (table, "%s\t%s", gt_format_count (step->from), text);
      if (m && m->seconds > 0 && m->cpu_seconds > 0)
        {
          gt_table_cell (table, "%s", gt_format_seconds (m->seconds));
          gt_table_cell (table, "%s", gt_format_seconds (m->cpu_seconds));
          gt_table_cell (table, "%.2f", m->cpu_seconds / m->seconds);
        }
    }
  return print_rows (table, "\n");
}

/* ------------------------------------------------------------------- Calls */

/* Writes "OpenBLAS 0.3.21, 2 threads", or the configuration of a kernel.  */
static void
way_text (const struct gt_step *step, char *text, size_t size)
{
  const char *way = strcmp (step->way, GT_STEP_GSL) == 0 ? "GSL's" : step->way;
  struct gt_step_kind kind = {.is_route = 0};
  const struct gt_kernel *const kernel
    = gt_step_kind_read (step->kind, &kind, NULL, 0) > 0
        ? gt_catalog_find (step->way, kind.problem.reduction) : NULL;
  const struct gt_route route = gt_step_route (step);

  if (kind.is_route)
    gt_route_text (&route, text, size);
  else if (kernel)
    snprintf (text, size, "%s", gt_config_text (kernel, &step->config));
  else
    snprintf (text, size, step->config.threads > 1 ? "%s, %u threads" : "%s", way,
            step->config.threads);
}

/* Writes OPEN, the second-best way in PROFILE's measurements of STEP with its relative time,
   and CLOSE; or nothing.  */
static void
next_text (const struct gt_profile *profile, const struct gt_step *step, const char *open,
           const char *close, char *text, size_t size)
{
  const struct gt_measured *const m = gt_measured_of (profile, step);

  *text = '\0';
  if (m && m->seconds > 0 && m->next_seconds > 0)
    snprintf (text, size, "%snext best %s: %.2f times as long%s", open,
              strcmp (m->next, GT_STEP_GSL) == 0 ? "GSL's" : m->next,
              m->next_seconds / m->seconds, close);
}

/* Returns the number of steps of the kind of step I.  Sets *CALLS if the kind is one of
   calls.  */
static unsigned
length_of (const struct gt_profile *profile, unsigned i, int *calls)
{
  struct gt_step_kind kind;
  unsigned n;

  gt_profile_steps (profile, profile->steps[i].kind, &n);
  *calls = gt_step_kind_read (profile->steps[i].kind, &kind, NULL, 0) == 0;
  return n;
}

unsigned
gt_count_calls (const struct gt_profile *profile)
{
  unsigned kinds = 0;
  int calls;

  for (unsigned i = 0; i < profile->n_steps; i += length_of (profile, i, &calls), kinds += calls)
    continue;
  return kinds;
}

unsigned
gt_report_calls (const struct gt_profile *profile)
{
  struct gt_table *table = gt_table_new ("ll", "procedure\tby what, from which size on");
  int calls;

  for (unsigned i = 0, n; i < profile->n_steps; i += n)
    {
      const struct gt_step *steps = &profile->steps[i];
      char text[2048] = "", next[GT_STEP_WAY_SIZE + 64];

      n = length_of (profile, i, &calls);
      for (unsigned k = 0; k < n && calls; k++)
        {
          const size_t used = strlen (text);
          char way[GT_STEP_WAY_SIZE + 24];

          way_text (&steps[k], way, sizeof way);
          next_text (profile, &steps[k], " (", ")", next, sizeof next);
          if (k == 0)
            snprintf (text, sizeof text, "%s%s", way, next);
          else
            snprintf (text + used, sizeof text - used, "; %s: %s%s",
                      gt_format_count (steps[k].from), way, next);
        }
      if (calls)
        gt_table_printf (table, "%s\t%s", steps->kind, text);
    }
  return print_rows (table, "\n");
}

/* Returns the first step of KIND in FINDINGS whose size is at least STEP's and below NEXT's,
   or null.  */
static const struct gt_step *
finding_of (const struct gt_profile *findings, const struct gt_step *step,
            const struct gt_step *next)
{
  unsigned n;
  const struct gt_step *const found = gt_profile_steps (findings, step->kind, &n);

  for (unsigned k = 0; k < n; k++)
    if (found[k].from >= step->from && (next == NULL || found[k].from < next->from))
      return &found[k];
  return NULL;
}

void
gt_report_sequence (const struct gt_profile *profile, const struct gt_profile *findings,
                    const char *kind, uint64_t size)
{
  unsigned n;
  const struct gt_step *const steps = gt_profile_steps (profile, kind, &n);
  const struct gt_step *const chosen = steps ? gt_step_at (steps, n, size) : NULL;

  for (unsigned k = 0; k < n; k++)
    {
      const struct gt_step *const found
        = finding_of (findings, &steps[k], k + 1 < n ? &steps[k + 1] : NULL);
      const struct gt_measured *const m = found ? gt_measured_of (findings, found) : NULL;
      char way[128], next[GT_STEP_WAY_SIZE + 64] = "";

      way_text (&steps[k], way, sizeof way);
      printf ("  from %-8s %s", gt_format_count (steps[k].from), way);
      if (m && m->seconds > 0)
        printf (": %s", gt_format_seconds (m->seconds));
      if (m && m->seconds > 0 && m->gsl_seconds > 0
          && strcmp (steps[k].way, GT_STEP_GSL) != 0)
        printf (", GSL's %s", gt_format_seconds (m->gsl_seconds));
      if (m)
        next_text (findings, found, ", ", "", next, sizeof next);
      printf ("%s%s\n", next, &steps[k] == chosen ? "   <-" : "");
    }
}

void
gt_report_search (const struct gt_search *search)
{
  puts ("\nProfiles looked for, in order:");
  for (unsigned i = 0; i < search->n_steps; i++)
    {
      const struct gt_search_step *step = &search->step[i];

      printf ("  %-12s %s: %s%s%s\n", gt_folder_names[step->folder],
              step->path[0] ? step->path : "no folder", gt_profile_status_names[step->status],
              step->why[0] ? ", " : "", step->why);
    }
}

/* --------------------------------------------------------- For programs */

json_t *
gt_ratio_json (double ratio)
{
  return ratio > 0 ? json_real (ratio) : json_null ();
}

json_t *
gt_report_search_json (const struct gt_search *search)
{
  json_t *list = json_array ();

  for (unsigned i = 0; i < search->n_steps; i++)
    json_array_append_new (
      list, json_pack ("{s:s, s:s, s:s, s:s}", "place",
                       gt_folder_names[search->step[i].folder], "path",
                       search->step[i].path, "status",
                       gt_profile_status_names[search->step[i].status], "why",
                       search->step[i].why));
  return list;
}

/* Adds quantities that are derived from the measurements of WINNER.  */
static void
add_derived (json_t *json, const struct gt_device *device, const struct gt_winner *winner)
{
  json_t *const derived = json_pack (
    "{s:i, s:b, s:o, s:o, s:o, s:o}", "searched",
    (int) (winner->measured.candidates + winner->measured.pruned), "on_the_spot",
    gt_winner_on_the_spot (winner), "bytes_per_second",
    gt_ratio_json (bandwidth (winner)), "share_of_peak",
    gt_ratio_json (share (device, winner)), "gain_over_estimate",
    gt_ratio_json (gain_over_default (winner)), "gain_over_gsl",
    gt_ratio_json (quotient (winner->measured.gsl_seconds, gt_winner_call (winner))));

  json_object_update (json, derived);
  json_decref (derived);
}

json_t *
gt_report_steps_json (const struct gt_device *device, const struct gt_profile *profile,
                      const struct gt_report_filter *filter, const char *kind)
{
  json_t *const list = json_array ();

  for (unsigned i = 0; i < profile->n_steps; i++)
    {
      const struct gt_step *const step = &profile->steps[i];
      struct gt_winner winner;
      struct gt_step_kind of;
      json_t *json;

      if ((kind && strcmp (step->kind, kind) != 0)
          || (gt_step_kind_read (step->kind, &of, NULL, 0) > 0 && !wanted (filter, &of.problem)))
        continue;
      json = gt_step_json (profile, step);
      if (profile->measured && gt_findings_winner (profile, step, &winner))
        add_derived (json, device, &winner);
      json_array_append_new (list, json);
    }
  return list;
}
