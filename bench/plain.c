/* The limit of fast sums: eight accumulators of the machine's
   width in a plain loop.  It is compiled for one instruction set at a time, as a
   program would have it that knows its machine.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/plain.h"

#include <gsl/gsl_vector.h>

#include "kernels/cpu/isa/isa.h"

/* The union is how C turns a function pointer into an object pointer.  */
union plain
{
  double (*f64) (const gsl_vector *v);
  float (*f32) (const gsl_vector_float *v);
  int (*u32) (const gsl_vector_int *v);
  void *function;
};

#define ISA baseline
#define TARGET
#define BYTES 16
#include "bench/plain_types.inc"

#if HAVE_X86_ISAS
#define ISA avx2
#define TARGET __attribute__ ((target ("avx2")))
#define BYTES 32
#include "bench/plain_types.inc"

#define ISA avx512
#define TARGET __attribute__ ((target ("avx512f")))
#define BYTES 64
#include "bench/plain_types.inc"
#endif

void *
gt_plain_sum (enum gt_arithmetic arithmetic)
{
  static const union plain *const sums[GT_N_ISAS] = {GT_OF_EACH_ISA (, plain_sums)};

  return sums[gt_isa ()][arithmetic].function;
}
