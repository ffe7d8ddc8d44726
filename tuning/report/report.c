/* Profiles as tables for people and as JSON for programs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/report/report.h"

#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "src/profile/profile_private.h"
#include "tuning/measure/called.h"
#include "tuning/measure/candidate.h"
#include "tuning/measure/target.h"
#include "tuning/search/problems.h"
#include "tuning/store/profile_store.h"
#include "tuning/text/table.h"

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
                         gt_mode_asked (p->reduction, (enum gt_mode) filter->mode)) == p->mode;
}

/* Prints what the rows of a group have in common: "sum of double, exact", and MORE.  */
static void
add_group (struct gt_table *table, const struct gt_problem *p, const char *more)
{
  char text[256];

  snprintf (text, sizeof text, "%s of %s%s, %s", gt_reductions[p->reduction].name,
            gt_types_of (p->reduction, p->arithmetic),
            gt_mode_text (p->reduction, p->mode, ", "), more);
  gt_table_group (table, text);
}

/* A / B, or 0 when either was not measured.  */
static double
quotient (double a, double b)
{
  return a > 0 && b > 0 ? a / b : 0;
}

static double
bandwidth (const struct gt_entry *entry)
{
  return quotient ((double) gt_problem_bytes (&entry->problem),
                   gt_entry_call (entry));
}

/* The time of the default's configuration over the winner's; 0 where calls have none, because
   they are computed on the spot.  */
static double
gain_over_default (const struct gt_entry *entry)
{
  return gt_entry_on_the_spot (entry)
           ? 0 : quotient (entry->default_seconds, entry->seconds);
}

/* Where loads alone take less than this, a share of them says nothing, because a call
   costs as much.  */
#define LEAST_LOADS 50e-9

/* How near a sum comes to what the memory or the cache gives; 0: unknown.  On a
   GPU that is the theoretical bandwidth, on a CPU what a plain loop was seen to
   read, by one thread where the winner has one, else by one or by all, whichever was
   faster.  */
static double
share (const struct gt_device *device, const struct gt_entry *entry)
{
  double reads = entry->one_reads;

  if (device->kind == GT_CUDA)
    return quotient (bandwidth (entry), gt_gpu_bandwidth (&device->gpu));
  if (entry->config.threads > 1 && entry->all_read > 0
      && !(reads > 0 && reads < entry->all_read))
    reads = entry->all_read;
  return reads >= LEAST_LOADS && !gt_entry_on_the_spot (entry)
           ? quotient (reads, entry->seconds) : 0;
}

/* ----------------------------------------------------------- For people */

static void
entry_row (struct gt_table *table, const struct gt_device *device,
           const struct gt_entry *entry)
{
  const double call = gt_entry_call (entry);

  gt_table_printf (table, "%s\t%s\t%s\t%s\t%s\t%s\t%s",
                   gt_format_count (entry->problem.n),
                   gt_entry_on_the_spot (entry)
                     ? "on the spot"
                     : gt_config_text (entry->kernel, &entry->config),
                   call > 0 ? gt_format_seconds (call) : "-",
                   bandwidth (entry) > 0
                     ? gt_format_bandwidth (bandwidth (entry)) : "-",
                   gt_format_ratio (100 * share (device, entry),
                                    device->kind == GT_CUDA ? "%.1f%%" : "%.0f%%"),
                   gt_format_ratio (quotient (entry->gsl_seconds, call), "%.2f"),
                   gt_format_ratio (gain_over_default (entry), "%.2f"));
}

/* Whether entry I is the longest contiguous one of its kind; entries are in order.  */
static int
is_longest (const struct gt_profile *profile, unsigned i)
{
  const struct gt_entry *e = &profile->entries[i];

  return e->problem.layout == GT_CONTIGUOUS
         && (i + 1 == profile->n_entries || !gt_problem_alike (&e->problem, &e[1].problem));
}

/* Prints TABLE, unless it has no row, after what goes BEFORE it, and releases it.  */
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

void
gt_report_entries (const struct gt_device *device,
                   const struct gt_profile *profile,
                   const struct gt_report_filter *filter, int brief)
{
  struct gt_table *table
    = gt_table_new ("rlrrrrr", "n\twinner\ttime\tbandwidth\t%s\tx GSL\tx default",
                    device->kind == GT_CUDA ? "of peak" : "ceiling");

  for (unsigned i = 0; i < profile->n_entries; i++)
    {
      const struct gt_entry *entry = &profile->entries[i];

      if (!wanted (filter, &entry->problem) || (brief && !is_longest (profile, i)))
        continue;
      add_group (table, &entry->problem, gt_layout_names[entry->problem.layout]);
      entry_row (table, device, entry);
    }
  if (print_rows (table, "") == 0)
    puts ("No entry for what was asked.");
}

static void
crossover_row (struct gt_table *table, const struct gt_crossover *crossover)
{
  char route[96];

  gt_route_text (&crossover->route, route, sizeof route);
  gt_table_printf (table, "%s\t%s", gt_format_count (crossover->problem.n), route);
  if (crossover->seconds > 0 && crossover->cpu_seconds > 0)
    {
      gt_table_cell (table, "%s", gt_format_seconds (crossover->seconds));
      gt_table_cell (table, "%s", gt_format_seconds (crossover->cpu_seconds));
      gt_table_cell (table, "%.2f", crossover->cpu_seconds / crossover->seconds);
    }
}

unsigned
gt_report_crossovers (const struct gt_profile *profile,
                      const struct gt_report_filter *filter)
{
  struct gt_table *table
    = gt_table_new ("rlrrr", "from n\troute\ttime\tCPU alone\tgain");

  for (unsigned i = 0; i < profile->n_crossovers; i++)
    {
      const struct gt_crossover *c = &profile->crossovers[i];
      char more[GT_SILICON_SIZE + 64];

      if (!wanted (filter, &c->problem))
        continue;
      snprintf (more, sizeof more, "%s memory, with %s",
                gt_place_names[c->place], c->device);
      add_group (table, &c->problem, more);
      crossover_row (table, c);
    }
  return print_rows (table, "\n");
}

void
gt_report_predictions (const struct gt_profile *profile)
{
  unsigned asked = 0, right = 0;

  for (unsigned i = 0; i < profile->n_entries; i++)
    {
      asked += profile->entries[i].occupancy_predicted >= 0;
      right += profile->entries[i].occupancy_predicted > 0;
    }
  if (asked)
    printf ("  occupancy alone would have found the winner, or one within 2%%"
            " of it,\n  in %u of %u problems\n", right, asked);
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

json_t *
gt_report_entry_json (const struct gt_device *device,
                      const struct gt_entry *entry)
{
  json_t *json = gt_profile_entry_json (entry);
  int cuda = device->kind == GT_CUDA;
  double of_limit = share (device, entry);
  json_t *derived = json_pack (
    "{s:i, s:b, s:o, s:o, s:o, s:o, s:o}", "searched",
    (int) (entry->candidates + entry->pruned), "on_the_spot",
    gt_entry_on_the_spot (entry), "bytes_per_second",
    gt_ratio_json (bandwidth (entry)), "share_of_peak",
    gt_ratio_json (cuda ? of_limit : 0), "share_of_ceiling",
    gt_ratio_json (cuda ? 0 : of_limit), "gain_over_default",
    gt_ratio_json (gain_over_default (entry)), "gain_over_gsl",
    gt_ratio_json (quotient (entry->gsl_seconds, gt_entry_call (entry))));

  if (derived)
    json_object_update (json, derived);
  json_decref (derived);
  return json;
}

json_t *
gt_report_entries_json (const struct gt_device *device,
                        const struct gt_profile *profile,
                        const struct gt_report_filter *filter)
{
  json_t *entries = json_array ();

  for (unsigned i = 0; i < profile->n_entries; i++)
    {
      const struct gt_entry *entry = &profile->entries[i];

      if (wanted (filter, &entry->problem))
        json_array_append_new (entries, gt_report_entry_json (device, entry));
    }
  return entries;
}

json_t *
gt_report_crossovers_json (const struct gt_profile *profile,
                           const struct gt_report_filter *filter)
{
  json_t *crossovers = json_array ();

  for (unsigned i = 0; i < profile->n_crossovers; i++)
    {
      const struct gt_crossover *crossover = &profile->crossovers[i];

      if (wanted (filter, &crossover->problem))
        json_array_append_new (crossovers,
                               gt_profile_crossover_json (crossover));
    }
  return crossovers;
}
