/* From findings at some lengths to the crossovers of a sequence.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "tuning/search/routes.h"

static int
counts (const struct gt_route_finding *finding, unsigned n, unsigned i)
{
  if (!finding[i].wins)
    return 0;
  return finding[i].wins > 1 || (i > 0 && finding[i - 1].wins)
         || (i + 1 < n && finding[i + 1].wins);
}

unsigned
gt_routes_sequence (const struct gt_route_finding *finding, unsigned n,
                    struct gt_crossover *sequence)
{
  static const struct gt_route cpu = {GT_WAY_CPU, 0, 0, 0};
  unsigned length = 1;

  sequence[0] = (struct gt_crossover) {.from = 0, .route = cpu};
  for (unsigned i = 0; i < n; i++)
    {
      struct gt_crossover *last = &sequence[length - 1];
      int gpu = counts (finding, n, i);
      const struct gt_route *route = gpu ? &finding[i].route : &cpu;

      if (memcmp (route, &last->route, sizeof *route) == 0)
        continue;
      sequence[length++] = (struct gt_crossover) {
        .from = finding[i].n, .route = *route,
        .seconds = gpu ? finding[i].seconds : finding[i].cpu_seconds,
        .cpu_seconds = finding[i].cpu_seconds
      };
    }
  return length;
}

uint64_t
gt_routes_last_bytes (enum gt_effort effort)
{
  return (uint64_t) 1 << gt_effort_levels[effort].route_last;
}
