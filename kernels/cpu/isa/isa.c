/* The choice of an instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cpu/isa/isa.h"

#include <float.h>

/* TwoSum, and therefore compensated and exact sums, need each operation rounded to its own
   type.  On 32-bit x86, -msse2 -mfpmath=sse ensures this.  */
#if FLT_EVAL_METHOD != 0
#error "floating-point operations are evaluated in a wider type (FLT_EVAL_METHOD is not 0): compile with CFLAGS='-O2 -msse2 -mfpmath=sse'"
#endif

const char *const gt_isa_names[GT_N_ISAS] = {
#define X(id, name) #name,
  GT_ISAS (X)
#undef X
};

int gt_isa_chosen = -1;
static enum gt_isa limit = GT_N_ISAS - 1;

int
gt_isa_runs (enum gt_isa isa)
{
#if HAVE_X86_ISAS
  __builtin_cpu_init ();
  if (isa == GT_ISA_AVX2)
    return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma");
  if (isa == GT_ISA_AVX512)
    return gt_isa_runs (GT_ISA_AVX2) && __builtin_cpu_supports ("avx512f")
           && __builtin_cpu_supports ("avx512bw")
           && __builtin_cpu_supports ("avx512dq")
           && __builtin_cpu_supports ("avx512vl");
#endif
  return isa == GT_ISA_BASELINE;
}

/* Threads that call this at the same time choose the same instruction set.  */
enum gt_isa
gt_isa_choose (void)
{
  enum gt_isa isa = limit;

  while (!gt_isa_runs (isa))
    isa--;
  __atomic_store_n (&gt_isa_chosen, (int) isa, __ATOMIC_RELAXED);
  return isa;
}

void
gt_isa_set_limit (enum gt_isa most)
{
  limit = most;
  gt_isa_choose ();
}

int
gt_isa_within_limit (enum gt_isa isa)
{
  return isa <= limit;
}
