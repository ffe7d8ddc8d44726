/* Tests of the CPU kernels that sum integers and their products without loss:
   bit for bit what arithmetic of 128 bits makes of them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/sums_kernels.h"
#include "tests/sums_oracle.h"

#include <stdlib.h>

/* More than two blocks of the widest vectors of bytes (simd_integers.c).  */
#define LONGEST ((size_t) 2200003)
#define SHORTER ((size_t) 20000) /* and any stride */
#define WIDEST 5

static struct fenced memory[2];

static const size_t strides[][2] = {{1, 1}, {3, 3}, {1, 2}, {4, 1},
                                    {WIDEST, 2}};
static const enum gt_reduction reductions[]
  = {GT_TOTAL, GT_MOMENTS, GT_COMOMENTS};

enum data_kind
{
  OF_ALL_BITS,
  LEAST,    /* the type's */
  GREATEST,
  EITHER,   /* the least or the greatest */
  N_KINDS
};

static void
put_integer (enum gt_arithmetic a, void *data, size_t i, uint64_t bits)
{
  switch (a)
    {
#define X(id, name, ctype, real)           \
    case GT_##id:                          \
      ((ctype *) data)[i] = (ctype) bits;  \
      break;
      GT_INTEGER_ARITHMETICS (X)
#undef X
    default:
      break;
    }
}

static uint64_t
some_bits (enum gt_arithmetic a, enum data_kind kind, uint64_t *seed)
{
  const uint64_t r = random_word (seed);
  const unsigned bits = 8 * (unsigned) gt_element_size (a);
  const uint64_t top = (uint64_t) 1 << (bits - 1);
  const uint64_t least = a >= GT_I64 ? top : 0, greatest = ~least;

  switch (kind)
    {
    case OF_ALL_BITS:
      return r;
    case LEAST:
      return least;
    case GREATEST:
      return greatest;
    default:
      return r >> 40 & 1 ? least : greatest;
    }
}

static void
fill (const struct gt_task *task, enum data_kind kind)
{
  const enum gt_arithmetic a = task->problem.arithmetic;
  uint64_t seed = task->problem.n * 11 + task->x.stride + kind;

  for (size_t i = 0; i < task->problem.n; i++)
    {
      put_integer (a, (void *) task->x.data, i * task->x.stride,
                   some_bits (a, kind, &seed));
      if (task->y.data)
        put_integer (a, (void *) task->y.data, i * task->y.stride,
                     some_bits (a, kind, &seed));
    }
}

static void
compare (const struct cpu_function *f,
         const struct gt_task *task, const union gt_value *got,
         const void *closure)
{
  const struct gt_reduction_info *info
    = &gt_reductions[task->problem.reduction];
  const struct gt_integer_sums *expected = closure;
  union gt_value value;

  if (memcmp (&got->integers, expected, sizeof *expected) == 0)
    return;
  value.integers = *expected;
  for (unsigned k = 0; k < info->plain + info->products; k++)
    if (gt_value_sum (&task->problem, got, k)
        != gt_value_sum (&task->problem, &value, k))
      fail_at (f, task, k, gt_value_sum (&task->problem, got, k),
               gt_value_sum (&task->problem, &value, k));
  fail_at (f, task, 99, 0, 0);
}

static void
check_data (enum gt_reduction reduction, enum gt_arithmetic a, size_t n,
            const size_t stride[2], enum data_kind kind,
            check_function *check)
{
  const struct gt_operand x
    = {in_fenced (&memory[0], a, n, stride[0], n % 2 == 0), stride[0]};
  const struct gt_operand y
    = {in_fenced (&memory[1], a, n, stride[1], 1), stride[1]};
  const struct gt_task task
    = reduction == GT_COMOMENTS
        ? gt_task_of_pair (reduction, a, GT_MODE_FAST, x, y, n)
        : gt_task_of (reduction, a, GT_MODE_FAST, x.data, n, x.stride);
  struct gt_integer_sums expected;
  const struct comparison with = {compare, &expected};

  fill (&task, kind);
  oracle_integers (&task, &expected);
  assert_true (for_each_function (&task, check, &with) >= 2);
}

static void
check_all (size_t n, const size_t stride[2], enum data_kind kind,
           check_function *check)
{
  for (size_t r = 0; r < N_OF (reductions); r++)
    for (int a = GT_U64; a < GT_N_ARITHMETICS; a++)
      check_data (reductions[r], (enum gt_arithmetic) a, n, stride, kind,
                  check);
}

TEST (every_length_up_to_130)
{
  for (size_t n = 0; n <= 130; n++)
    for (size_t s = 0; s < N_OF (strides); s++)
      check_all (n, strides[s], (enum data_kind) ((n + s) % N_KINDS),
                 check_whole);
}

TEST (longer_vectors)
{
  for (int kind = 0; kind < N_KINDS; kind++)
    for (size_t s = 0; s < N_OF (strides); s++)
      for (size_t n = 500 + s; n < SHORTER; n += 2 * n + 1)
        check_all (n, strides[s], (enum data_kind) kind, check_whole);
}

/* Lanes would overflow without blocks.  */
TEST (longer_than_a_block)
{
  for (size_t r = 0; r < N_OF (reductions); r++)
    for (int a = GT_U64; a < GT_N_ARITHMETICS; a++)
      if (gt_element_size ((enum gt_arithmetic) a) <= 2)
        {
          check_data (reductions[r], (enum gt_arithmetic) a, LONGEST,
                      strides[0], GREATEST, check_whole);
          check_data (reductions[r], (enum gt_arithmetic) a, LONGEST,
                      strides[0], LEAST, check_whole);
        }
}

TEST (in_parts)
{
  for (int kind = 0; kind < N_KINDS; kind++)
    for (size_t s = 0; s < N_OF (strides); s++)
      {
        check_all (5, strides[s], (enum data_kind) kind, check_parts);
        check_all (SHORTER, strides[s], (enum data_kind) kind, check_parts);
      }
}

FIXTURE (make_memory)
{
  for (unsigned i = 0; i < 2; i++)
    memory[i] = make_fenced (2 * LONGEST);
  return 0;
}

RUN_TESTS (make_memory, NULL)
