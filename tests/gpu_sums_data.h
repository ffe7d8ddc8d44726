/* Vectors for reductions that are several sums at once, on the host and on a GPU, and
   what these sums should be.  Include after tests/gpu_subjects.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_GPU_SUMS_DATA_H
#define GT_TEST_GPU_SUMS_DATA_H

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/* ------------------------------------------------------------------- Data */

enum kind
{
  SMALL,   /* whole numbers, whose sums no mode rounds */
  WEIGHTS, /* the same, in x weights among NaN, zeros and negative numbers, and NaN
              in y beside these */
  ANY,     /* reals whose sums cancel, integers of all sizes */
  EXTREME  /* the least and the largest integers */
};

static double
real_element (enum kind kind, unsigned input, size_t i, uint64_t *seed)
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
integer_element (enum kind kind, enum gt_arithmetic arithmetic, uint64_t *seed)
{
  const uint64_t first
    = (uint64_t) 1 << (8 * gt_element_size (arithmetic) - 1);

  switch (kind)
    {
    case ANY:
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

static void
put (enum gt_arithmetic arithmetic, char *at, enum kind kind, unsigned input,
     size_t i, uint64_t *seed)
{
  const double x = real_element (kind, input, i, seed);
  const float f = (float) x;
  const uint64_t bits = integer_element (kind, arithmetic, seed);

  memcpy (at, arithmetic == GT_F64 ? &x : arithmetic == GT_F32 ? (const void *) &f : &bits,
          gt_element_size (arithmetic));
}

static double
as_double (enum gt_arithmetic arithmetic, const char *at)
{
  switch (arithmetic)
    {
#define X(id, name, ctype, real) \
    case GT_##id: { ctype x; memcpy (&x, at, sizeof x); return (double) x; }
      GT_ARITHMETICS (X)
#undef X
    default:
      return NAN;
    }
}

static wide
as_integer (enum gt_arithmetic arithmetic, const char *at)
{
  switch (arithmetic)
    {
#define X(id, name, ctype, real) \
    case GT_##id: { ctype x; memcpy (&x, at, sizeof x); return x; }
      GT_INTEGER_ARITHMETICS (X)
#undef X
    default:
      return 0;
    }
}

/* Two vectors; of neighbours one, whose elements but the first are y.  */
struct data
{
  enum gt_reduction reduction;
  enum gt_arithmetic arithmetic;
  enum kind kind;
  size_t n, stride[2], offset[2];
  char *elements[2], *memory[2]; /* on the host and on the GPU */
  struct gt_task task;
};

static const char *
host_element (const struct data *d, unsigned input, size_t i)
{
  const size_t size = gt_element_size (d->arithmetic);

  if (d->reduction == GT_LAG1)
    return d->elements[0] + (d->offset[0] + (i + input) * d->stride[0]) * size;
  return d->elements[input]
         + (d->offset[input] + i * d->stride[input]) * size;
}

static void
make_input (struct data *d, unsigned input, uint64_t *seed)
{
  const size_t size = gt_element_size (d->arithmetic),
    n = d->n + (d->reduction == GT_LAG1),
    count = d->offset[input] + (n ? (n - 1) * d->stride[input] + 1 : 1);

  d->elements[input] = malloc (count * size);
  assert_non_null (d->elements[input]);
  fill_poison (d->arithmetic, d->elements[input], count);
  for (size_t i = 0; i < n; i++)
    put (d->arithmetic,
         d->elements[input] + (d->offset[input] + i * d->stride[input]) * size,
         d->kind, input, i, seed);
  if (input == 1 && d->kind == WEIGHTS)
    for (size_t i = 0; i < n; i++)
      if (!(as_double (d->arithmetic, host_element (d, 0, i)) > 0))
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
  if (d->reduction == GT_LAG1)
    {
      d->elements[1] = d->elements[0];
      d->memory[1] = d->memory[0];
      d->stride[1] = d->stride[0];
    }
  else if (two)
    make_input (d, 1, &seed);
  d->task
    = two ? gt_task_of_pair (d->reduction, d->arithmetic, GT_MODE_FAST,
                             operand_of (d, 0), operand_of (d, 1), d->n)
          : gt_task_of (d->reduction, d->arithmetic, GT_MODE_FAST,
                        operand_of (d, 0).data, d->n, d->stride[0]);
  d->task.shift[0] = 2;
  d->task.shift[1] = -1;
  d->task.scale = d->kind == ANY ? 1 / 3.0 : 0.5;
}

static void
free_data (struct data *d)
{
  for (unsigned input = 0; input < 2; input++)
    if (input == 0 || d->elements[1] != d->elements[0])
      {
        gt_gpus->free (gpu, GT_PLACE_DEVICE, d->memory[input]);
        free (d->elements[input]);
      }
}

/* ---------------------------------------------------- What they should be */

/* A term, as two numbers whose sum it is.  */
struct term
{
  double leading, rest;
};

static struct term
rounded (double x)
{
  return (struct term) {x, 0};
}

static struct term
product (double x, double y)
{
  return (struct term) {x * y, fma (x, y, -(x * y))};
}

static void
moments_of (enum gt_reduction reduction, double x, double y, double d,
            double e, struct term *term)
{
  switch (reduction)
    {
    case GT_DOT:
      term[0] = product (x, y);
      break;
    case GT_SUMSQ:
      term[0] = product (x, x);
      break;
    case GT_TOTAL:
      term[0] = rounded (x);
      break;
    case GT_MOMENTS:
      term[0] = rounded (d);
      term[1] = product (d, d);
      break;
    case GT_COMOMENTS:
      term[0] = rounded (d);
      term[1] = rounded (e);
      term[2] = product (d, e);
      break;
    default:
      fail ();
    }
}

/* Of weights X and data Y, T being (y - a) r.  */
static void
weighted_of (enum gt_reduction reduction, double x, double y, double d,
             double t, struct term *term)
{
  term[0] = rounded (x);
  switch (reduction)
    {
    case GT_WSUM:
      term[1] = rounded (x * y);
      break;
    case GT_WMOMENTS:
      term[1] = rounded (x * x);
      term[2] = rounded (x * (d * d));
      break;
    case GT_WABSDEV:
      term[1] = rounded (x * fabs (d));
      break;
    case GT_WSKEW:
      term[1] = rounded (x * (t * t * t));
      break;
    case GT_WKURTOSIS:
      term[1] = rounded (x * ((t * t) * (t * t)));
      break;
    default:
      fail ();
    }
}

static void
terms_of (const struct data *data, size_t i, struct term *term)
{
  const struct gt_task *task = &data->task;
  const unsigned last = gt_reductions[data->reduction].inputs - 1;
  const double x = as_double (data->arithmetic, host_element (data, 0, i)),
    y = as_double (data->arithmetic, host_element (data, last, i)),
    d = x - task->shift[0], e = y - task->shift[1], f = y - task->shift[0],
    t = d * task->scale;

  memset (term, 0, GT_MOST_SUMS * sizeof *term);
  switch (data->reduction)
    {
    case GT_CORRELATION:
      term[0] = rounded (d);
      term[1] = rounded (e);
      term[2] = rounded (d * e);
      term[3] = rounded (d * d);
      term[4] = rounded (e * e);
      break;
    case GT_LAG1:
      term[0] = rounded (d * f);
      term[1] = rounded (f * f);
      break;
    case GT_ABSDEV:
      term[0] = rounded (fabs (d));
      break;
    case GT_SKEW:
      term[0] = rounded (t * t * t);
      break;
    case GT_KURTOSIS:
      term[0] = rounded ((t * t) * (t * t));
      break;
    default:
      if (gt_reductions[data->reduction].algebra == GT_ALGEBRA_MOMENTS)
        moments_of (data->reduction, x, y, d, e, term);
      else if (x > 0)
        weighted_of (data->reduction, x, y, f, f * task->scale, term);
    }
}

/* The sums, exactly and rounded, and those of the terms' magnitudes.  */
struct expected
{
  struct gt_superaccumulator exact[GT_MOST_SUMS];
  double sum[GT_MOST_SUMS], size[GT_MOST_SUMS];
};

static double
round_copy (struct gt_superaccumulator acc)
{
  return gt_super_round (&acc);
}

static void
expect (const struct data *d, struct expected *expected)
{
  memset (expected, 0, sizeof *expected);
  for (size_t i = 0; i < d->n; i++)
    {
      struct term term[GT_MOST_SUMS];

      terms_of (d, i, term);
      for (unsigned k = 0; k < GT_MOST_SUMS; k++)
        {
          gt_super_add (&expected->exact[k], term[k].leading);
          gt_super_add (&expected->exact[k], term[k].rest);
          expected->size[k] += fabs (term[k].leading);
        }
    }
  for (unsigned k = 0; k < GT_MOST_SUMS; k++)
    expected->sum[k] = round_copy (expected->exact[k]);
}

/* How far a sum and its compensation, not yet rounded to one number, may be from the
   exact sum.  Next to nothing of the terms where it is compensated (Ogita, Rump, Oishi
   2005, proposition 5.5, with twice its constant for the tree of partial sums); else
   a rounding each addition, and some in a fused term.  */
static double
tolerance (const struct data *d, enum gt_mode mode,
           const struct expected *expected, unsigned k)
{
  const double nu = ((double) d->n + 10) * DBL_EPSILON / 2;

  if (d->kind != ANY)
    return 0;
  return 2 * expected->size[k]
         * (mode == GT_MODE_COMPENSATED || d->arithmetic > GT_LDBL ? nu * nu
                                                                   : nu);
}

/* In words of 64 bits.  */
static void
expect_integers (const struct data *d, struct gt_integer_sums *sums)
{
  const struct gt_reduction_info *info = &gt_reductions[d->reduction];
  wide plain[2] = {0, 0}, high = 0;
  unsigned_wide low = 0;

  for (size_t i = 0; i < d->n; i++)
    {
      const wide x = as_integer (d->arithmetic, host_element (d, 0, i)),
        y = as_integer (d->arithmetic,
                        host_element (d, info->inputs - 1, i));
      const unsigned_wide xy = (unsigned_wide) x * (unsigned_wide) y;

      plain[0] += x;
      plain[1] += y;
      low += (uint64_t) xy;
      high += x < 0 || y < 0 ? (wide) xy >> 64 : (wide) (uint64_t) (xy >> 64);
    }
  memset (sums, 0, sizeof *sums);
  for (unsigned k = 0; k < info->plain; k++)
    {
      sums->plain[k][0] = (uint64_t) plain[k];
      sums->plain[k][1] = (uint64_t) (plain[k] >> 64);
    }
  if (info->products)
    {
      high += (wide) (low >> 64);
      sums->product[0] = (uint64_t) low;
      sums->product[1] = (uint64_t) high;
      sums->product[2] = (uint64_t) (high >> 64);
    }
}

#endif
