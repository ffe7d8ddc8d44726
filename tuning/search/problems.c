/* What a run of the tuner is asked for, and the problems that follow.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/problems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "tuning/text/table.h"

void
gt_problem_text (const struct gt_problem *problem, char *text, size_t size)
{
  const char *types = gt_types_of (problem->reduction, problem->arithmetic);
  int first = (int) strcspn (types, ",");

  snprintf (text, size, "%.*s%s%s %s %s %s", first, types,
            types[first] ? "/" : "", types[first] ? types + first + 2 : "",
            gt_mode_names[problem->mode], gt_layout_names[problem->layout],
            gt_format_count (problem->n));
}

int
gt_tuner_asked_for (const struct gt_tuner_options *options,
                    const struct gt_device *device,
                    const struct gt_problem *p)
{
  if (!(options->arithmetics & 1u << p->arithmetic)
      || (device->kind == GT_CUDA && !gt_arithmetics[p->arithmetic].gpu))
    return 0;
  if (!gt_reduction_has (p->reduction, p->arithmetic)
      || gt_mode_for (p->reduction, p->arithmetic, p->mode) != p->mode)
    return 0;
  /* What has one mode is tuned whichever is asked for.  */
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
  int cuda = device->kind == GT_CUDA;
  unsigned first = cuda ? level->gpu_first : level->host_first;
  unsigned last = cuda ? level->gpu_last : level->host_last;
  unsigned step = cuda ? level->gpu_step : level->host_step;
  struct gt_problem *list
    = malloc (((last - first) / step + 1) * GT_N_ARITHMETICS * GT_N_MODES
              * GT_N_LAYOUTS * sizeof *list);

  *n = 0;
  for (unsigned k = first; list && k <= last; k += step)
    for (int a = 0; a < GT_N_ARITHMETICS; a++)
      for (int m = 0; m < GT_N_MODES; m++)
        for (int l = 0; l < GT_N_LAYOUTS; l++)
          {
            struct gt_problem p = {GT_SUM, (enum gt_arithmetic) a, gt_tuner_modes[m],
                                   (enum gt_layout) l, (uint64_t) 1 << k};

            if (gt_tuner_asked_for (options, device, &p)
                && gt_problem_span (&p) <= capacity)
              list[(*n)++] = p;
          }
  return list;
}
