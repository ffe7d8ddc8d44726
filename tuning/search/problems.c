/* Lists the problems that follow from what a run of the tuner is asked for.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/problems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "tuning/text/table.h"

const struct gt_effort_level gt_effort_levels[] = {
  [GT_EFFORT_QUICK] = {5e-5, 4, 5, 6, 22, 4, 1 << 28, 10, 26, 4, 27, 8},
  [GT_EFFORT_NORMAL] = {2e-4, 12, 9, 4, 24, 2, 1 << 28, 10, 28, 2, 31, 0},
  [GT_EFFORT_THOROUGH] = {1e-3, 16, 15, 2, 26, 1, UINT64_MAX, 8, 30, 1, 32, 0},
};

unsigned
gt_tuner_leads (void)
{
  unsigned leads = 0;

  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    if (gt_reduction_leads ((enum gt_reduction) r))
      leads |= 1u << r;
  return leads;
}

const char *
gt_problem_text (const struct gt_problem *problem)
{
  static char ring[4][128];
  static unsigned turn;
  const enum gt_reduction reduction = problem->reduction;
  const char *types = gt_types_of (reduction, problem->arithmetic);
  const int first = (int) strcspn (types, ","), sum = reduction == GT_SUM;
  char *text = ring[turn++ % 4];

  snprintf (text, sizeof *ring, "%s%s%.*s%s%s%s %s %s",
            sum ? "" : gt_reductions[reduction].name, sum ? "" : " ", first,
            types, types[first] ? "/" : "", types[first] ? types + first + 2 : "",
            gt_mode_text (reduction, problem->mode, " "), gt_layout_names[problem->layout],
            gt_format_count (problem->n));
  return text;
}

/* Returns whether a type that OPTIONS ask for is computed like P.  */
static int
type_is_wanted (const struct gt_tuner_options *options,
                const struct gt_problem *p)
{
  for (int a = 0; a < GT_N_ARITHMETICS; a++)
    if (options->arithmetics & 1u << a
        && gt_arithmetic_for (p->reduction, (enum gt_arithmetic) a)
             == p->arithmetic)
      return 1;
  return 0;
}

int
gt_tuner_asked_for (const struct gt_tuner_options *options,
                    const struct gt_device *device,
                    const struct gt_problem *p)
{
  if (!(options->reductions & 1u << p->reduction)
      || !gt_reduction_has (p->reduction, p->arithmetic)
      || !type_is_wanted (options, p) || !gt_device_computes (device->kind, p))
    return 0;
  /* A problem that has one mode only is tuned whichever mode is asked for.  */
  return gt_mode_for (p->reduction, p->arithmetic, GT_MODE_EXACT)
             != GT_MODE_EXACT
         || (options->modes & 1u << p->mode) != 0;
}

const enum gt_mode gt_tuner_modes[GT_N_MODES]
  = {GT_MODE_EXACT, GT_MODE_FAST, GT_MODE_COMPENSATED};

struct gt_problem *
gt_tuner_problems (const struct gt_device *device,
                   const struct gt_tuner_options *options, size_t capacity,
                   unsigned *n)
{
  const struct gt_effort_level *level = &gt_effort_levels[options->effort];
  const unsigned kinds = GT_N_ARITHMETICS * GT_N_MODES * GT_N_LAYOUTS;
  int cuda = device->kind == GT_CUDA;
  unsigned first = cuda ? level->gpu_first : level->host_first;
  unsigned last = cuda ? level->gpu_last : level->host_last;
  unsigned step = options->length ? last - first + 1
                  : cuda          ? level->gpu_step
                                  : level->host_step;
  const uint64_t most = cuda || options->length || level->host_bytes > capacity
                          ? capacity : level->host_bytes;
  struct gt_problem *list = malloc (((last - first) / step + 1)
                                    * GT_N_REDUCTIONS * kinds * sizeof *list);

  *n = 0;
  for (int r = 0; list && r < GT_N_REDUCTIONS; r++)
    for (unsigned i = 0; i < kinds; i++)
      for (unsigned k = first; k <= last; k += step)
        {
          const struct gt_problem p
            = {(enum gt_reduction) r,
               (enum gt_arithmetic) (i / (GT_N_MODES * GT_N_LAYOUTS)),
               gt_tuner_modes[i / GT_N_LAYOUTS % GT_N_MODES],
               (enum gt_layout) (i % GT_N_LAYOUTS),
               options->length ? options->length : (uint64_t) 1 << k};

          if (gt_tuner_asked_for (options, device, &p)
              && gt_problem_span (&p) <= most)
            list[(*n)++] = p;
        }
  return list;
}
