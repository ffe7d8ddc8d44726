/* Candidates of a table that are one launch.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "bench/replay.h"
#include "tuning/measure/clock.h"

int
launched_alike (const struct gt_candidate *a, const struct gt_candidate *b)
{
  return a->kernel == b->kernel && a->grid == b->grid
         && a->config.threads == b->config.threads
         && a->config.block == b->config.block
         && a->config.unroll == b->config.unroll;
}

/* Puts each candidate that works into the ring of those launched like it.  */
static void
find_alike (struct launches *l)
{
  const struct gt_measurements *m = l->m;
  struct alike *alike = l->alike;

  for (unsigned i = 0; i < m->n; i++)
    {
      alike[i] = (struct alike) {i, i, 1};
      if (!gt_measured_works (&m->measured[i]))
        continue;
      for (unsigned k = 0; k < i && alike[i].first == i; k++)
        if (gt_measured_works (&m->measured[k])
            && launched_alike (&m->measured[i].candidate,
                               &m->measured[k].candidate))
          {
            alike[i] = alike[k];
            alike[k].next = i;
          }
    }
  for (unsigned i = 0; i < m->n; i++)
    if (alike[i].first != i)
      alike[alike[i].first].size++;
  for (unsigned i = 0; i < m->n; i++)
    alike[i].size = alike[alike[i].first].size;
}

int
launch_counts (const struct launches *l, unsigned i)
{
  return gt_measured_works (&l->m->measured[i])
         && l->alike[i].first == i;
}

/* The median of the repeats of what candidate I is launched as, every STEPth from FROM
   on; in ROOM.  */
static double
median_of (const struct launches *l, unsigned i, enum gt_timing timing,
           unsigned from, unsigned step, double *room)
{
  unsigned n = 0, k = i;

  do
    {
      const struct gt_measured *measured = &l->m->measured[k];

      for (unsigned r = from; r < measured->n[timing]; r += step)
        room[n++] = measured->seconds[timing][r];
      k = l->alike[k].next;
    }
  while (k != i);
  return gt_median (room, n, NULL);
}

double
launch_score (const struct launches *l, unsigned i, unsigned from, unsigned step)
{
  double *room = l->room;
  double seconds = median_of (l, i, GT_TIMED_LONGER, from, step, room);

  return l->m->measured[i].n[GT_TIMED_SPACED] == 0
           ? seconds
           : sqrt (seconds * median_of (l, i, GT_TIMED_SPACED, from, step,
                                        room));
}

int
launches_best (const struct launches *l)
{
  double least = INFINITY;
  int best = -1;

  for (unsigned i = 0; i < l->m->n; i++)
    if (launch_counts (l, i) && launch_score (l, i, 0, 1) < least)
      {
        best = (int) i;
        least = launch_score (l, i, 0, 1);
      }
  return best;
}

int
launch_is_kept (const struct launches *l, unsigned i)
{
  const unsigned begin = i;

  do
    {
      if (l->m->measured[i].candidate.verdict == GT_KEPT)
        return 1;
      i = l->alike[i].next;
    }
  while (i != begin);
  return 0;
}

int
launches_of (struct launches *l, const struct gt_measurements *m)
{
  *l = (struct launches) {.m = m};
  l->alike = calloc (m->n, sizeof *l->alike);
  l->room = calloc (m->n, GT_REPEATS * sizeof *l->room);
  if (l->alike == NULL || l->room == NULL)
    return -1;
  find_alike (l);
  return 0;
}

void
launches_clear (struct launches *l)
{
  free (l->room);
  free (l->alike);
}
