/* Teams of threads from a pool that the process keeps.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_THREADS_H
#define GT_THREADS_H

/* The maximum number of members of a team, including the calling thread.  */
#define GT_MAX_THREADS 512

/* Runs WORK (CLOSURE, m) for member m = 0 in the calling thread, and for members 1 to MEMBERS
   - 1 in threads of the pool.  A member that has not begun when member 0 ends does not run.
   Returns when all running members have ended; their writes are then visible.  So WORK must
   claim its pieces from an atomic counter: then all is done by any number of members.  Member
   m is the same thread in every team, as long as the pool exists.

   Member 0 runs alone in a child of fork(), in an OpenMP parallel region, while the pool runs
   another team (of another thread, or the team that makes this call), and if threads cannot be
   made.  There are at most GT_MAX_THREADS members.  WORK must neither throw nor be
   cancelled.  */
void gt_team_run (unsigned members,
                  void (*work) (void *closure, unsigned member),
                  void *closure);

/* Ends the threads of the pool and frees their memory.  The next team makes new ones.  Does
   nothing while a team runs.  */
void gt_team_release (void);

#endif
