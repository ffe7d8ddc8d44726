/* Fibers: one a CUDA thread, switched between without system calls.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SOFTGPU_FIBER_H
#define GT_SOFTGPU_FIBER_H

#include <stddef.h>

#if !defined __x86_64__ && !defined __aarch64__
#include <ucontext.h>
#endif

#if defined __SANITIZE_ADDRESS__
#define SOFTGPU_ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SOFTGPU_ASAN 1
#endif
#endif

namespace softgpu
{
struct fiber
{
  void *stack_pointer = nullptr; /* while it does not run */
  char *stack = nullptr;         /* lowest address; null: the host's stack */
  const void *sanitizer_stack = nullptr; /* what ASan is told about it */
  size_t sanitizer_size = 0;
  void *fake_stack = nullptr; /* ASan's own */
#if !defined __x86_64__ && !defined __aarch64__
  ucontext_t context;
#endif
};

/* Stacks for COUNT fibers, guarded at their ends and kept for good.  Returns
   false when memory is short.  */
bool fiber_stacks (fiber *const *fibers, unsigned count);

/* The next switch to F calls ENTRY, which must not return.  INDEX staggers
   the stacks, so that they do not compete for the same cache sets.  */
void fiber_start (fiber *f, unsigned index, void (*entry) ());

/* ENTRY calls this first.  */
void fiber_entered (fiber *self);

/* Leaves FROM; returns when another switch leads to it.  */
void fiber_switch (fiber *from, fiber *to);

/* Forgets a fiber that was left in the middle of its work.  */
void fiber_abandon (fiber *f);
}

#endif
