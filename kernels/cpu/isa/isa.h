/* The instruction sets that CPU kernels are compiled for.

   In a file that is compiled once for each of them (kernels/local.mk), GT_ISA is the
   instruction set and GT_VECTOR_BYTES the width of its vectors.  Exported names are GT_FOR_ISA
   (name).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_ISA_H
#define GT_KERNELS_CPU_ISA_H

#include "config.h"

#define GT_PASTE_(a, b) a##_##b
#define GT_PASTE(a, b) GT_PASTE_ (a, b)
#define GT_FOR_ISA(name) GT_PASTE (name, GT_ISA)

/* X(id, name), the best instruction set last.  The baseline is the target of CC and CFLAGS:
   SSE2 on x86-64, NEON on aarch64.  */
#if HAVE_X86_ISAS
#define GT_ISAS(X)        \
  X (BASELINE, baseline)  \
  X (AVX2, avx2)          \
  X (AVX512, avx512)
#define GT_OF_EACH_ISA(op, name) \
  op name##_baseline, op name##_avx2, op name##_avx512
#else
#define GT_ISAS(X) X (BASELINE, baseline)
#define GT_OF_EACH_ISA(op, name) op name##_baseline
#endif

enum gt_isa
{
#define X(id, name) GT_ISA_##id,
  GT_ISAS (X)
#undef X
  GT_N_ISAS
};

extern const char *const gt_isa_names[GT_N_ISAS];

/* Checks whether this processor, and its operating system, can run ISA.  */
int gt_isa_runs (enum gt_isa isa);

/* Makes gt_isa () return the best instruction set that the processor can run, but none above
   MOST.  Existing plans keep their functions, so call this function before the first plan is
   made.  */
void gt_isa_set_limit (enum gt_isa most);
int gt_isa_within_limit (enum gt_isa isa);

extern int gt_isa_chosen __attribute__ ((visibility ("hidden")));
enum gt_isa gt_isa_choose (void);

/* Returns the instruction set in use; the first call chooses it.  */
static inline enum gt_isa
gt_isa (void)
{
  const int chosen = __atomic_load_n (&gt_isa_chosen, __ATOMIC_RELAXED);

  return chosen >= 0 ? (enum gt_isa) chosen : gt_isa_choose ();
}

#endif
