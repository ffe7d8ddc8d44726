/* Vectors for reductions that are several sums at once, on the host and on a GPU, and
   what these sums should be.  Include after tests/gpu_subjects.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_GPU_SUMS_DATA_H
#define GT_TEST_GPU_SUMS_DATA_H

#include "kernels/cpu/finish/finish.h"
#include "tests/drawn.h"
#include "tests/sums_oracle.h"

/* ------------------------------------------------------------------- Data */

enum data_kind
{
  SMALL,   /* whole numbers, whose sums no mode rounds */
  WEIGHTS, /* the same, in x weights among NaN, zeros and negative numbers, and NaN
              in y beside these */
  ANY,     /* reals whose sums cancel, integers of all sizes */
  EXTREME, /* the least and the largest integers */
  DRAWN    /* and more: reals of the kinds of tests/drawn.h */
};

static double
real_element (enum data_kind kind, unsigned input, size_t i, uint64_t *seed)
{
  const double small = (double) random_within (seed, 7);
  const unsigned turn = (unsigned) (random_word (seed) % 16);

  switch (kind)
    {
    case WEIGHTS:
      if (input == 0)
        return turn == 0 ? NAN : turn == 1 ? -0.0 : turn == 2 ? -INFINITY : small;
      return small;
    case ANY:
      return ldexp ((double) random_within (seed, (int64_t) 1 << 52),
                    (int) turn - 37 + 10 * (int) (i % 3));
    default:
      return small;
    }
}

static uint64_t
integer_element (enum data_kind kind, enum gt_arithmetic arithmetic, uint64_t *seed)
{
  const uint64_t first
    = (uint64_t) 1 << (8 * gt_element_size (arithmetic) - 1);

  switch (kind)
    {
    case ANY:
    case DRAWN:
      return random_word (seed);
    case EXTREME:
      return arithmetic >= GT_N_SIGNLESS
               ? first - (uint64_t) (random_word (seed) % 8 == 0)
               : UINT64_MAX - random_word (seed) % 2;
    default:
      return arithmetic >= GT_N_SIGNLESS ? (uint64_t) random_within (seed, 7)
                                         : random_word (seed) % 15;
    }
}

/* One vector or two.  */
struct data
{
  enum gt_reduction reduction;
  enum gt_arithmetic arithmetic;
  enum data_kind kind;
  size_t n, stride[2], offset[2];
  char *elements[2], *memory[2]; /* on the host and on the GPU */
  struct gt_task task, host; /* of the elements on the GPU, and on the host */
};

static const char *
host_element (const struct data *d, unsigned input, size_t i)
{
  const size_t size = gt_element_size (d->arithmetic);

  return d->elements[input]
         + (d->offset[input] + i * d->stride[input]) * size;
}

static void
make_input (struct data *d, unsigned input, uint64_t *seed)
{
  const size_t size = gt_element_size (d->arithmetic), n = d->n,
    count = d->offset[input] + (n ? (n - 1) * d->stride[input] + 1 : 1);

  d->elements[input] = malloc ((count + d->stride[input]) * size);
  assert_non_null (d->elements[input]);
  fill_poison (d->arithmetic, d->elements[input], count);
  if (d->kind >= DRAWN && d->arithmetic <= GT_F32)
    draw_elements (d->arithmetic == GT_F64 ? GT_TYPE_DOUBLE : GT_TYPE_FLOAT,
                   d->elements[input] + d->offset[input] * size, d->stride[input], n,
                   (enum kind) (d->kind - DRAWN), seed);
  for (size_t i = 0; i < n && (d->kind < DRAWN || d->arithmetic > GT_F32); i++)
    if (d->arithmetic <= GT_F32)
      put_element (d->arithmetic, d->elements[input], d->offset[input] + i * d->stride[input],
                   real_element (d->kind, input, i, seed));
    else
      put_integer (d->arithmetic, d->elements[input], d->offset[input] + i * d->stride[input],
                   integer_element (d->kind, d->arithmetic, seed));
  if (input == 1 && d->kind == WEIGHTS)
    for (size_t i = 0; i < n; i++)
      if (!(get_element (d->arithmetic, host_element (d, 0, i), 0) > 0))
        fill_poison (d->arithmetic, (char *) host_element (d, 1, i), 1);
  d->memory[input] = to_gpu (d->arithmetic, d->elements[input], count);
}

/* Where the elements of an input lie on the GPU.  */
static struct gt_operand
operand_of (const struct data *d, unsigned input)
{
  return (struct gt_operand) {
    d->memory[input] + (host_element (d, input, 0) - d->elements[input]),
    d->stride[input]
  };
}

static void
make_data (struct data *d, uint64_t seed)
{
  const int two = gt_reductions[d->reduction].inputs == 2;

  make_input (d, 0, &seed);
  if (two)
    make_input (d, 1, &seed);
  d->task
    = two ? gt_task_of_pair (d->reduction, d->arithmetic, GT_MODE_FAST,
                             operand_of (d, 0), operand_of (d, 1), d->n)
          : gt_task_of (d->reduction, d->arithmetic, GT_MODE_FAST,
                        operand_of (d, 0).data, d->n, d->stride[0]);
  d->task.shift[0] = 2;
  d->task.shift[1] = -1;
  d->host = d->task;
  for (unsigned input = 0; input <= (unsigned) two; input++)
    *(input ? &d->host.y : &d->host.x)
      = (struct gt_operand) {host_element (d, input, 0), d->stride[input]};
}

static void
free_data (struct data *d)
{
  for (unsigned input = 0; input < 2; input++)
    {
      gt_gpus->free (gpu, GT_PLACE_DEVICE, d->memory[input]);
      free (d->elements[input]);
    }
}

/* ---------------------------------------------------- What they should be */

/* The sums, exactly and rounded.  */
struct expected
{
  struct oracle_sum exact[GT_MOST_SUMS];
  double sum[GT_MOST_SUMS];
};

static inline double
round_copy (struct gt_superaccumulator acc)
{
  return gt_finish_mean (&acc, 1).f64;
}

static inline void
expect (const struct data *d, struct expected *expected)
{
  const struct gt_task *task = &d->host;
  const struct gt_reduction_info *info = &gt_reductions[d->reduction];

  memset (expected, 0, sizeof *expected);
  for (size_t i = 0; i < d->n; i++)
    {
      const double x
        = get_element (d->arithmetic, task->x.data, i * task->x.stride);
      const double y
        = info->inputs == 2 ? get_element (d->arithmetic, task->y.data,
                                              i * task->y.stride) : x;

      oracle_add_terms (task, x, y, expected->exact);
    }
  for (unsigned k = 0; k < GT_MOST_SUMS; k++)
    expected->sum[k] = round_copy (expected->exact[k].sum);
}

/* How far a sum and its compensation, not yet rounded to one number, may be from the
   exact sum.  Next to nothing of the terms where it is compensated (Ogita, Rump, Oishi
   2005, proposition 5.5, with twice its constant for the tree of partial sums), but for
   SPAN, which is so in part; else a rounding each addition, and some in a fused term.  */
static inline double
tolerance (const struct data *d, enum gt_mode mode,
           const struct expected *expected, unsigned k)
{
  const double nu = ((double) d->n + 10) * DBL_EPSILON / 2;

  if (d->kind != ANY)
    return 0;
  return 2 * expected->exact[k].magnitudes
         * (d->reduction == GT_SPAN ? (k ? nu : fmin (nu, 0x1p-50))
            : mode == GT_MODE_COMPENSATED || d->arithmetic > GT_LDBL ? nu * nu : nu);
}

#endif
