/* Counts what a run of the tuner spends its time on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PHASES_H
#define GT_PHASES_H

enum gt_phase
{
  GT_PHASE_OTHER,
  GT_PHASE_DATA,
  GT_PHASE_VERIFYING,
  GT_PHASE_BRIEF,
  GT_PHASE_RACES,
  GT_PHASE_PEERS,
  GT_PHASE_PROCEDURES,
  GT_PHASE_CROSSOVERS,
  GT_N_PHASES
};

/* Begins PHASE, and ends and returns the one before it.  A phase within another, as
   verifying within a race, begins the outer one again at its end.  */
enum gt_phase gt_phase_begin (enum gt_phase phase);

/* Prints the seconds of each phase that took some, on standard error.  */
void gt_phases_tell (void);

#endif
