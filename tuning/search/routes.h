/* Which route is the quickest from which length on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_ROUTES_H
#define GT_ROUTES_H

#include "src/plan/choose.h"
#include "tuning/search/sweep.h"

/* The most lengths, and so the most crossovers, of one sequence.  */
#define GT_MOST_LENGTHS 32

/* The longest vector, in bytes, that is looked at with some effort.  */
uint64_t gt_routes_last_bytes (enum gt_effort effort);

/* What was measured at one length.  */
struct gt_route_finding
{
  uint64_t n;             /* elements */
  struct gt_route route;  /* the quickest that uses the GPU */
  double seconds;         /* of a sum that takes it */
  double cpu_seconds;     /* of the CPU alone, measured in turn with it */
  unsigned wins;          /* comparisons that it won by enough, in a row: at
                             the last length a second one is made */
};

/* What was found for types and modes so far.  */
#define GT_MOST_SEEN 256
struct gt_routes_seen
{
  unsigned n;
  struct gt_route_seen
  {
    enum gt_place place;
    uint64_t bytes;
    struct gt_route_finding finding;
  } route[GT_MOST_SEEN];
};

/* Times every route of contiguous data in PLACE, with the plans now in force, at
   lengths up to the last that fits HOST's buffer or the effort, and fills
   FINDING; N receives how many.  HOST is the host's target, which has the data
   loaded, GPU the GPU's; SEEN is what was found with both for other types and modes,
   and receives what is found.  Every sum is checked.  0, or -1 with WHY; 1 when
   stopped; 2 when this machine has no memory of that kind.  */
int gt_routes_measure (struct gt_sweep *sweep, struct gt_target *host,
                       struct gt_target *gpu, enum gt_mode mode,
                       enum gt_place place, struct gt_routes_seen *seen,
                       struct gt_route_finding finding[GT_MOST_LENGTHS],
                       unsigned *n, char *why, size_t why_size);

/* The sequence that follows from findings in the order of their lengths: the CPU
   from 0 on, and a route that uses the GPU where it wins, unless that is an
   isolated win, with no other at a length beside it (at the last length, one that
   could not be repeated).  SEQUENCE has room for N + 1 crossovers, of which only
   from, route and times are filled.  Returns how many.  */
unsigned gt_routes_sequence (const struct gt_route_finding *finding,
                             unsigned n, struct gt_crossover *sequence);

#endif
