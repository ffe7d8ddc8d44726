/* The floating-point environment of a computation: rounding to nearest, subnormals kept, no
   traps.  Afterwards the caller's environment is restored.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FPENV_H
#define GT_FPENV_H

#include <fenv.h>

#include "kernels/types.h"

#if defined __x86_64__
#include <immintrin.h>
#endif

struct gt_fpenv
{
  int changed;
  fenv_t caller;
};

/* Reading a control word costs some nanoseconds, setting them twenty: only the one that
   matters is read, and they are set only when it differs.  Traps count too
   (gsl_ieee_env_setup): the compensation of an infinite sum is an invalid operation that the
   caller did not request.  */
static inline int
gt_fpenv_is_default (enum gt_arithmetic arithmetic)
{
#if defined __x86_64__
  unsigned short x87;

  /* Flush to zero, rounding, traps masked, denormals are zero.  */
  if (arithmetic != GT_LDBL)
    return (_mm_getcsr () & 0xffc0) == 0x1f80;
  /* Rounding, 64 bits of precision, traps masked.  */
  __asm__ volatile ("fnstcw %0" : "=m"(x87));
  return (x87 & 0x0f3f) == 0x033f;
#elif defined __aarch64__
  unsigned long fpcr;

  (void) arithmetic;
  __asm__ volatile ("mrs %0, fpcr" : "=r"(fpcr));
  return (fpcr & 0x01c09f00) == 0; /* FZ, RMode, traps */
#else
  (void) arithmetic;
  return fegetround () == FE_TONEAREST;
#endif
}

/* Checks whether the thread rounds to nearest, in all formats.  */
static inline int
gt_fpenv_rounds_to_nearest (void)
{
#if defined __x86_64__
  unsigned short x87;

  __asm__ volatile ("fnstcw %0" : "=m"(x87));
  return (_mm_getcsr () & 0x6000) == 0 && (x87 & 0x0c00) == 0;
#elif defined __aarch64__
  unsigned long fpcr;

  __asm__ volatile ("mrs %0, fpcr" : "=r"(fpcr));
  return (fpcr & 0x00c00000) == 0;
#else
  return fegetround () == FE_TONEAREST;
#endif
}

static inline void
gt_fpenv_enter (struct gt_fpenv *env, enum gt_arithmetic arithmetic)
{
  env->changed = !gt_fpenv_is_default (arithmetic);
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

/* Leaves ENV after RESULTS, local variables of the caller, have been computed: a compiler does
   not know that operations depend on the environment, and may move them behind a call.  */
static inline void
gt_fpenv_leave_with (const struct gt_fpenv *env, const void *results)
{
  __asm__ volatile ("" : : "r"(results) : "memory");
  gt_fpenv_leave (env);
}

/* Returns the flags for invalid operations, divisions by zero, overflow and underflow, which
   attempts at an exact result may raise without need.  The flags of long doubles are read only
   if a function computes with these.  */
static inline int
gt_fpenv_flags (enum gt_arithmetic arithmetic)
{
#if defined __x86_64__
  unsigned short x87 = 0;

  if (arithmetic == GT_LDBL)
    __asm__ volatile ("fnstsw %0" : "=m"(x87));
  return (int) (_mm_getcsr () | x87)
         & (FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW);
#else
  (void) arithmetic;
  return fetestexcept (FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW);
#endif
}

/* Clears the flags that were not in BEFORE.  */
static inline void
gt_fpenv_lower_flags (enum gt_arithmetic arithmetic, int before)
{
  const int raised = gt_fpenv_flags (arithmetic) & ~before;

  if (__builtin_expect (raised != 0, 0))
    feclearexcept (raised);
}

#endif
