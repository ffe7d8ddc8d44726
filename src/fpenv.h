/* The floating-point environment of a computation: rounding to nearest, with
   subnormals kept, whatever the caller has set; afterwards as it was.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FPENV_H
#define GT_FPENV_H

#include <fenv.h>

#if defined __x86_64__
#include <immintrin.h>
#endif

struct gt_fpenv
{
  int changed;
  fenv_t caller;
};

/* Reading the control word costs a nanosecond, setting it twenty: it is set
   only when it differs.  */
static inline int
gt_fpenv_is_default (void)
{
#if defined __x86_64__
  /* Rounding control, flush to zero, denormals are zero.  */
  return (_mm_getcsr () & 0xe040) == 0;
#elif defined __aarch64__
  unsigned long fpcr;
  __asm__ ("mrs %0, fpcr" : "=r"(fpcr));
  return (fpcr & 0x01c00000) == 0; /* FZ, RMode */
#else
  return fegetround () == FE_TONEAREST;
#endif
}

static inline void
gt_fpenv_enter (struct gt_fpenv *env)
{
  env->changed = !gt_fpenv_is_default ();
  if (env->changed)
    {
      fegetenv (&env->caller);
      fesetenv (FE_DFL_ENV);
    }
}

static inline void
gt_fpenv_leave (const struct gt_fpenv *env)
{
  if (env->changed)
    fesetenv (&env->caller);
}

#endif
