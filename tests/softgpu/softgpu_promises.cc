/* What kernels promise each other, and no run on a CPU would miss: fences around a
   ticket, and that words which many blocks add to stay small.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_machine.h"

#include "src/cuda/cuda_driver.h"
#include "tests/softgpu/softgpu.h"

namespace softgpu
{
/* Who has made a fence since the last ticket was taken; who has taken one and made
   none since.  */
static const thread *fenced, *owing;

void
fence ()
{
  fenced = self ();
  if (owing == fenced)
    owing = nullptr;
}

/* What a block has left must be seen by who takes the last ticket.  */
void
check_ticket (const void *address)
{
  if (address != m->running->args.ticket)
    return;
  if (fenced != self ())
    fail (CUDA_ERROR_LAUNCH_FAILED,
          "a ticket is taken without a fence before it");
  fenced = nullptr;
  owing = self ();
}

void
check_fences ()
{
  if (owing == self ())
    fail (CUDA_ERROR_LAUNCH_FAILED,
          "what a ticket tells is passed on without a fence behind it");
}

/* Of each of a grid's accumulators 2^30 blocks may add to a word, which takes them in
   64 bits if none adds more than 2^33 (kernels/cuda/exact.cuh).  */
void
check_added (const void *address, unsigned long long value)
{
  const int64_t *const super = m->running->args.super;
  const int64_t most = INT64_C (1) << 33, added = (int64_t) value;

  if (super && address >= super && address < super + GT_EXACT_MOST_WORDS
      && (added > most || added < -most))
    fail (CUDA_ERROR_LAUNCH_FAILED,
          "%#llx is added to a word of the grid's accumulator", value);
}
}
