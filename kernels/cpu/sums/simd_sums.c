/* Several sums at once, of vectors of elements side by side.

   The loop is written once, for all reductions (kernels/cpu/sums/sums_terms.inc) and
   both modes.  Doubles and floats are taken from where they are; fast dot products of
   floats that are rounded to float in the end have a loop of their own
   (simd_sums_floats.inc).  Integers are converted to doubles in a buffer first, as many as
   fit in the first-level cache beside what they are made of.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>

#include "kernels/words.h" /* first: some of them are macros later */
#include "kernels/cpu/wide/two_sum.h"
#include "kernels/cpu/sums/vector_products.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/sums/simd_integers.h"
#include "kernels/cpu/sums/sums.h"

/* The constants that a loop is compiled for.  */
#define FOR const enum gt_reduction reduction, const enum gt_mode mode
#define FOR_IT reduction, mode

#define NAMED(stem) GT_PASTE (stem, NAME)

#define TYPE double
#define NAME f64
#include "kernels/cpu/isa/vector_type.inc"
#include "kernels/cpu/isa/simd_vector.inc"
#undef NAME
#undef TYPE

/* Vectors are numbers as scalars are.  */
#define NAME vector
#define NUMBER doubles
#define SPLITTER 0x8000001p0
INLINE doubles
magnitude_vector (doubles x)
{
  return (doubles) ((words) x & ~GT_SIGN_BITS (8));
}

INLINE doubles
keep_weighed_vector (doubles w, doubles x)
{
  return (doubles) ((words) x & (words) (w > 0));
}
#include "kernels/cpu/wide/two_product.inc"
#include "kernels/cpu/sums/sums_terms.inc"
#undef NAME

#include "kernels/cpu/sums/simd_sums_chains.h"

#define ENTRY_NAME_(stem, name, isa) stem##_##name##_##isa
#define ENTRY_NAME(stem, name, isa) ENTRY_NAME_ (stem, name, isa)
#define ENTRY(stem, name, apart, id, mode)                              \
  static void ENTRY_NAME (stem, name, GT_ISA) (                         \
    const struct gt_task *task, union gt_value *value)                  \
  { add_all_##name (task, apart, GT_##id, GT_MODE_##mode, &value->sums); }

/* The reductions of other algebras are not here.  */
#define ENTRIES_ADD(id, stem)
#define ENTRIES_ORDER(id, stem)
#define ENTRIES_COMPLEX(id, stem)
#define ENTRIES_MOMENTS(id, stem)             \
  ENTRY (stem##_fast, f64, 0, id, FAST)       \
  ENTRY (stem##_fast, f32, 0, id, FAST)       \
  ENTRY (stem##_fast_apart, f64, 1, id, FAST) \
  ENTRY (stem##_fast_apart, f32, 1, id, FAST)
#define ENTRIES_TERMS ENTRIES_MOMENTS

/* What the table of reductions does not name is in no row, and not compiled.  */
#define NAMED_ENTRY(stem, name, is_named) ((is_named) ? ENTRY_NAME (stem, name, GT_ISA) : NULL)
#define BOTH(stem, of) {NAMED_ENTRY (stem, f64, (of) & F64), NAMED_ENTRY (stem, f32, (of) & F32)}
#define LAYOUTS(stem, of) {[GT_CONTIGUOUS] = BOTH (stem, of), [GT_STRIDED] = BOTH (stem##_apart, of)}
#define ROWS_ADD(id, stem, of)
#define ROWS_ORDER(id, stem, of)
#define ROWS_COMPLEX(id, stem, of)
#define ROWS_MOMENTS(id, stem, of) [GT_##id][GT_MODE_FAST] = LAYOUTS (stem##_fast, of),
#define ROWS_TERMS ROWS_MOMENTS

#define TYPE double
#define NAME f64
#include "kernels/cpu/sums/simd_sums_loop.inc"
#undef TYPE
#undef NAME
#define TYPE float
#define NAME f32
#include "kernels/cpu/sums/simd_sums_loop.inc"
#undef NAME
#define NAME floats
#include "kernels/cpu/sums/simd_sums_floats.inc"
#undef TYPE
#undef NAME
#undef NAMED

#define REDUCTION(id, name, algebra, ...) ENTRIES_##algebra (id, name)
#include "kernels/reductions.def"
#undef REDUCTION
ENTRY (dot_compensated, f64, 0, DOT, COMPENSATED)
ENTRY (dot_compensated, f32, 0, DOT, COMPENSATED)
ENTRY (dot_compensated_apart, f64, 1, DOT, COMPENSATED)
ENTRY (dot_compensated_apart, f32, 1, DOT, COMPENSATED)

/* Of doubles and floats where they are.  */
static gt_cpu_function *const
  direct[GT_N_REDUCTIONS][GT_N_MODES][GT_N_LAYOUTS][2] = {
#define REDUCTION(id, name, algebra, inputs, plain, products, of, ...) ROWS_##algebra (id, name, of)
#include "kernels/reductions.def"
#undef REDUCTION
  [GT_DOT][GT_MODE_COMPENSATED] = LAYOUTS (dot_compensated, F64 | F32)
};

/* Dot products of floats, by way of floats where that is allowed and does.  */
#define DOT_FLOATS(stem, apart, otherwise)                                  \
  static void ENTRY_NAME (stem, f32, GT_ISA) (const struct gt_task *task,   \
                                              union gt_value *value)        \
  { if (!task->single || !multiply_floats (task, apart, &value->sums))      \
      ENTRY_NAME (otherwise, f32, GT_ISA) (task, value); }
DOT_FLOATS (dot_floats, 0, dot_fast)
DOT_FLOATS (dot_floats_apart, 1, dot_fast_apart)

#define GT_TEMPLATE "kernels/cpu/sums/simd_sums_fill.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

/* Elements in a buffer.  */
#define BUFFERED 512

/* N elements of OPERAND from BEGIN on, in double in BUFFER.  */
static struct gt_operand
fill (double *buffer, const struct gt_operand *operand, uint64_t begin,
      size_t n, enum gt_arithmetic arithmetic)
{
  static void (*const of[GT_N_ARITHMETICS]) (double *, const void *, size_t,
                                             size_t) = {
    [GT_F64] = fill_f64,
    [GT_F32] = fill_f32,
#define X(id, name, ctype, real) [GT_##id] = fill_##name,
    GT_INTEGER_ARITHMETICS (X)
#undef X
  };
  const char *from = operand->data;

  from += begin * operand->stride * gt_element_size (arithmetic);
  of[arithmetic](buffer, from, operand->stride, n);
  return (struct gt_operand) {buffer, 1};
}

/* Elements of one vector and of the other, and their sums.  */
struct buffers
{
  double x[BUFFERED] __attribute__ ((aligned (64)));
  double y[BUFFERED] __attribute__ ((aligned (64)));
  union gt_value sums;
};

/* Anything, by way of the buffers.  */
static void
buffered (const struct gt_task *task, union gt_value *value)
{
  const struct gt_problem *problem = &task->problem;
  gt_cpu_function *function
    = direct[problem->reduction][problem->mode][GT_CONTIGUOUS][GT_F64];
  void *heap;
  struct buffers *buffers = GT_ROOM (heap, sizeof *buffers);
  struct gt_task part = *task;
  uint64_t begin = 0;

  do
    {
      part.problem.n
        = problem->n - begin < BUFFERED ? problem->n - begin : BUFFERED;
      part.x = fill (buffers->x, &task->x, begin, part.problem.n, problem->arithmetic);
      if (gt_reductions[problem->reduction].inputs == 2)
        part.y = fill (buffers->y, &task->y, begin, part.problem.n,
                       problem->arithmetic);
      function (&part, begin ? &buffers->sums : value);
      if (begin)
        gt_sums_merge (problem, value, &buffers->sums);
      begin += part.problem.n;
    }
  while (begin < problem->n);
  free (heap);
}

gt_cpu_function *
GT_FOR_ISA (gt_cpu_simd_sums) (const struct gt_problem *problem,
                               unsigned unroll)
{
  gt_cpu_function *function = NULL;

  (void) unroll;
  if (gt_sums_are_integers (problem))
    return GT_FOR_ISA (gt_cpu_simd_integers) (problem);
  if (problem->arithmetic <= GT_F32)
    function = direct[problem->reduction][problem->mode][problem->layout]
                     [problem->arithmetic];
  if (function == ENTRY_NAME (dot_fast, f32, GT_ISA))
    function = ENTRY_NAME (dot_floats, f32, GT_ISA);
  if (function == ENTRY_NAME (dot_fast_apart, f32, GT_ISA))
    function = ENTRY_NAME (dot_floats_apart, f32, GT_ISA);
  return function ? function : buffered;
}
