/* Libraries of others are tried in a child process before the tuner opens them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SEARCH_LIBRARIES_H
#define GT_SEARCH_LIBRARIES_H

#include "src/profile/profile.h"

/* The progress of the child, in memory that it shares with the tuner.  */
struct gt_library_trial
{
  _Atomic unsigned calls;          /* that have begun */
  char call[GT_STEP_KIND_SIZE];    /* the last one; "" while the library is opened */
  char trouble[GT_STEP_WAY_SIZE];  /* how the child ended, or "" */
  char core[GT_STEP_WAY_SIZE];     /* the processor to compute for, or "" */
};

/* Has OpenBLAS, which is not open yet, and that of programs that this process runs compute for this
   processor, if it was measured so and the user has not decided.  Returns the value that
   GT_CORE_VARIABLE was set to, or null.  */
const char *gt_libraries_set_core (void);

/* Opens each library in a child process of its own, where TRY calls its functions.  A library whose child crashes or hangs is recorded in PROFILE as left out, with
   a message, and gt_engines passes it over from now on; other libraries are not left out any
   more.  If OpenBLAS does not recognise the processor, it is tried with GT_CORE_VARIABLE set as
   it should be; if that ends well, the variable stays set in this process and PROFILE records
   it.  Must be called before gt_engines.  */
void gt_libraries_try (struct gt_profile *profile,
                       void (*try) (struct gt_library_trial *trial));

#endif
