/* What a run of the tuner was good for, in a few lines.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "tuning/measure/called.h"
#include "tuning/measure/candidate.h"
#include "tuning/report/report.h"
#include "tuning/search/problems.h"
#include "tuning/text/table.h"

/* A gain below this is within what timings differ by.  */
#define CLEARLY 1.05

/* The contiguous problems of one kind, in the order of their lengths.  */
struct kind
{
  const struct gt_entry *first;
  unsigned n;
};

static int
usual (const struct gt_entry *entry)
{
  return entry->problem.reduction == GT_SUM
         && entry->problem.arithmetic == GT_F64
         && entry->problem.mode == GT_MODE_EXACT;
}

static struct kind
chosen_kind (const struct gt_profile *profile)
{
  struct kind kind = {NULL, 0};

  for (unsigned i = 0; i < profile->n_entries; i++)
    {
      const struct gt_entry *entry = &profile->entries[i];

      if (entry->problem.layout == GT_CONTIGUOUS
          && (kind.first == NULL || (usual (entry) && !usual (kind.first))))
        kind.first = entry;
    }
  while (kind.first != NULL
         && kind.first + kind.n < profile->entries + profile->n_entries
         && gt_problem_alike (&kind.first->problem,
                              &kind.first[kind.n].problem))
    kind.n++;
  return kind;
}

static void
print_kind (const struct gt_entry *entry)
{
  const struct gt_problem *p = &entry->problem;

  printf ("  %s of %s%s: ", gt_reductions[p->reduction].name,
          gt_types_of (p->reduction, p->arithmetic),
          gt_mode_text (p->reduction, p->mode, ", "));
}

static void
print_speed (const struct gt_device *device, const struct gt_entry *entry)
{
  double bandwidth
    = (double) gt_problem_bytes (&entry->problem) / gt_entry_call (entry),
    peak = device->kind == GT_CUDA ? gt_gpu_bandwidth (&device->gpu) : 0;

  if (entry->gsl_seconds > 0)
    printf ("%.1f times GSL's speed at %s elements",
            entry->gsl_seconds / gt_entry_call (entry),
            gt_format_count (entry->problem.n));
  else
    printf ("%s at %s elements", gt_format_bandwidth (bandwidth),
            gt_format_count (entry->problem.n));
  if (peak > 0 && entry->gsl_seconds <= 0)
    printf (" (%.0f%%)", 100 * bandwidth / peak);
}

/* The speed in the middle of the lengths, and at the longest.  */
static void
print_speeds (const struct gt_device *device, const struct kind *kind)
{
  print_kind (kind->first);
  if (kind->n > 2)
    {
      print_speed (device, &kind->first[kind->n / 2]);
      fputs (",\n    ", stdout);
    }
  print_speed (device, &kind->first[kind->n - 1]);
  putchar ('\n');
}

/* In how many problems the winner beats what the library does untuned.  */
static void
print_gains (const struct gt_profile *profile)
{
  const struct gt_entry *most = NULL;
  double largest = CLEARLY;
  unsigned gaining = 0;
  char problem[128];

  for (unsigned i = 0; i < profile->n_entries; i++)
    {
      const struct gt_entry *entry = &profile->entries[i];
      double gain = gt_entry_on_the_spot (entry)
                      ? 1 : entry->default_seconds / entry->seconds;

      gaining += gain > CLEARLY;
      if (gain > largest)
        {
          largest = gain;
          most = entry;
        }
    }
  printf ("  faster than untuned by over 5%% in %u of %u problems", gaining,
          profile->n_entries);
  if (most != NULL)
    {
      gt_problem_text (&most->problem, problem, sizeof problem);
      printf (",\n    by the factor %.2f at most: %s", largest, problem);
    }
  putchar ('\n');
}

/* The crossovers to tell of: those of sums of double in exact mode where they were
   measured, else of what comes first; null: none was.  */
static const struct gt_crossover *
chosen_crossover (const struct gt_profile *profile)
{
  for (unsigned i = 0; i < profile->n_crossovers; i++)
    {
      const struct gt_crossover *c = &profile->crossovers[i];

      if (c->reduction == GT_SUM && c->arithmetic == GT_F64
          && c->mode == GT_MODE_EXACT)
        return c;
    }
  return profile->n_crossovers ? profile->crossovers : NULL;
}

/* From which length on a GPU takes part in sums like FIRST's that lie in PLACE; nothing
   where it was not measured.  */
static void
print_crossover (const struct gt_profile *profile,
                 const struct gt_crossover *first, enum gt_place place)
{
  const struct gt_crossover *from = NULL;
  int measured = 0;

  for (unsigned i = 0; i < profile->n_crossovers && from == NULL; i++)
    {
      const struct gt_crossover *c = &profile->crossovers[i];

      if (c->reduction != first->reduction || c->mode != first->mode
          || c->arithmetic != first->arithmetic || c->place != place)
        continue;
      measured = 1;
      if (c->route.way != GT_WAY_CPU)
        from = c;
    }
  if (measured && from == NULL)
    printf ("    %s memory: never\n", gt_place_names[place]);
  else if (measured)
    printf ("    %s memory: from %s elements on, %.2f times as fast there\n",
            gt_place_names[place],
            gt_format_count (from->from),
            from->cpu_seconds / from->seconds);
}

void
gt_report_outcome (const struct gt_device *device,
                   const struct gt_profile *profile)
{
  const struct kind kind = chosen_kind (profile);
  const struct gt_crossover *crossover = chosen_crossover (profile);

  if (kind.first == NULL)
    return;
  print_speeds (device, &kind);
  print_gains (profile);
  if (crossover == NULL)
    return;
  printf ("  a GPU helps with %s of %s, %s:\n",
          gt_reductions[crossover->reduction].name,
          gt_types_of (crossover->reduction, crossover->arithmetic),
          gt_mode_names[crossover->mode]);
  print_crossover (profile, crossover, GT_PLACE_HOST);
  print_crossover (profile, crossover, GT_PLACE_PINNED);
}
