/* Teams of threads for one piece of work, from a pool that the process keeps.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_THREADS_H
#define GT_THREADS_H

/* Members that a team may have at most, with the calling thread.  */
#define GT_MAX_THREADS 512

/* Runs WORK (CLOSURE, m): for member m = 0 in the calling thread, and for
   members 1 to MEMBERS - 1 in threads of the pool, for those that come in
   time: a member that has not begun when member 0 ends never does.  Returns
   when all that began have ended; what they wrote is then seen.  So WORK
   shares its work out by claiming pieces from an atomic counter, and whatever
   members there are, all is done.  Member m is the same thread from team to
   team, as long as the pool lives.

   Member 0 is the only one in a child of fork(), inside of an OpenMP parallel
   region, while the pool serves another team (that of another thread of the
   program, or the one that this call is made from), and where threads cannot
   be made.  More members than GT_MAX_THREADS are not had.  WORK must neither
   throw nor be cancelled.  */
void gt_team_run (unsigned members,
                  void (*work) (void *closure, unsigned member),
                  void *closure);

/* Ends the threads of the pool and gives back what they held.  The next team
   makes new ones.  Does nothing while a team runs.  */
void gt_team_release (void);

#endif
