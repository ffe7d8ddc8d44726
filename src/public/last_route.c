/* How the calling thread's last reduction was computed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/gsltune.h"
#include "src/route/reduce.h"

const char *
gsltune_last_route (unsigned long *planned)
{
  const struct gt_reduce_last last = gt_reduce_last ();

  if (planned)
    *planned = last.planned;
  return last.route;
}
