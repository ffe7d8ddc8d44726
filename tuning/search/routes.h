/* Which route is the quickest from which length on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_ROUTES_H
#define GT_ROUTES_H

#include "src/plan/choose.h"
#include "tuning/search/problems.h"

/* The most lengths, and so the most crossovers, of one sequence.  */
#define GT_MOST_LENGTHS 32

/* The longest vector, in bytes, for which an effort compares routes.  */
uint64_t gt_routes_last_bytes (enum gt_effort effort);

/* The times that were measured at one length.  */
struct gt_route_finding
{
  uint64_t n;             /* elements */
  struct gt_route route;  /* the quickest that uses the GPU */
  double seconds;         /* that a sum by this route takes */
  double cpu_seconds;     /* that the CPU alone takes, measured in turn with it */
  unsigned wins;          /* how many comparisons with the CPU it won, in a row:
                             one, or two at the last length, where the tuner
                             repeats the comparison */
};

/* The findings for types and modes so far.  */
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

/* Times every route of problems like PROBLEM, contiguous and of any length, whose data
   is in PLACE, with the plans now in force, and fills FINDING with a row for each
   length, and N with their number.  The last length is the longest that fits HOST's
   buffer and the effort.  HOST is the host's target, which has the data loaded; GPU is
   the GPU's target.  SEEN is what was found with both for other types and modes; what
   is found is added to it.  Every result is checked.  Returns 0; -1, and HOST says why; 1
   when the run is to stop; 2 when this machine has no memory of that kind.  */
int gt_routes_measure (struct gt_sweep *sweep, struct gt_target *host,
                       struct gt_target *gpu, const struct gt_problem *problem,
                       enum gt_place place, struct gt_routes_seen *seen,
                       struct gt_route_finding finding[GT_MOST_LENGTHS],
                       unsigned *n);

/* Puts the steps of KIND that follow from N findings, in the order of their lengths, into PROFILE.
   The CPU comes first, from 0 on; a route that uses the GPU takes over where it wins.  A win counts
   when a length beside it has one, too, or, at the last length, when it was repeated.  Returns 0, or
   -1 when memory is short.  */
int gt_routes_put (const struct gt_route_finding *finding, unsigned n, const char *kind,
                   struct gt_profile *profile);

/* ------------------------------------ Of every type, mode and place: crossovers.c */

/* Finds the crossovers of the pair HOST and GPU that OPTIONS ask for, with the plans now in force,
   and puts them into PROFILE, the host's findings; RESUMING: but for those that are there.  Returns
   whether all were looked for.  */
int gt_crossovers_find (const struct gt_tuner_options *options, struct gt_target *host,
                        struct gt_target *gpu, struct gt_profile *profile, int resuming,
                        int (*stop) (void));

#endif
