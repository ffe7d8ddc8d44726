/* Keeping handlers of signals away.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/signals.h"

void
gt_signals_block (sigset_t *before)
{
  static const int open[]
    = {SIGBUS, SIGFPE, SIGILL, SIGPROF, SIGSEGV, SIGSYS, SIGTRAP};
  sigset_t others;

  sigfillset (&others);
  for (unsigned i = 0; i < sizeof open / sizeof *open; i++)
    sigdelset (&others, open[i]);
  pthread_sigmask (SIG_BLOCK, &others, before);
}

void
gt_signals_restore (const sigset_t *before)
{
  pthread_sigmask (SIG_SETMASK, before, NULL);
}
