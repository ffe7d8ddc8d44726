/* Keeping handlers of signals away.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SIGNALS_H
#define GT_SIGNALS_H

#include <signal.h>

/* Holds this thread's signals back, until they are restored to BEFORE: whoever
   leaves a handler by siglongjmp would leave work half done and locks taken, and
   one that sums would wait for its own thread.  Not held back are the signals
   that a thread brings upon itself, since a handler may be what makes memory
   readable, and SIGPROF, by which profilers find out where time goes.  */
void gt_signals_block (sigset_t *before);
void gt_signals_restore (const sigset_t *before);

#endif
