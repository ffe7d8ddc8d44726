/* Tests of verifying extremes (tuning/measure/verify.c, verify_planted.c, order_data.c):
   GSL's own functions pass, and a kernel that is wrong anywhere where searches go
   wrong is caught.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_vector.h>
#include <math.h>
#include <stdlib.h>

#include "tests/fake_target.h"
#include "tests/sums.h"
#include "tuning/measure/data.h"

#define N 20011

/* A fake with data that is there.  */
static void
open_with_data (struct fake *fake, enum gt_arithmetic arithmetic)
{
  size_t bytes = GT_AWKWARD_N * gt_arithmetics[arithmetic].size;

  fake_open (fake, arithmetic, bytes);
  fake->target.buffer = malloc (bytes);
  assert_non_null (fake->target.buffer);
  gt_data_fill (&fake->target.data, fake->target.buffer, bytes);
}

/* Also: what was planted has been taken out again.  */
static void
close_with_data (struct fake *fake)
{
  const struct gt_data *data = &fake->target.data;
  size_t period = data->period * data->size;

  assert_memory_equal (fake->target.buffer, data->pattern, period);
  for (size_t at = period; at < fake->target.bytes; at += period)
    assert_memory_equal (fake->target.buffer + at, data->pattern,
                         fake->target.bytes - at < period ? fake->target.bytes - at
                                                          : period);
  free (fake->target.buffer);
  fake_close (fake);
}

static int
verify_with (struct fake *fake, struct gt_config config,
             enum gt_reduction reduction, enum gt_layout layout)
{
  struct gt_candidate c = {.kernel = sum_kernel ("simd"), .config = config};
  struct gt_problem p = {reduction, fake->target.data.arithmetic, GT_MODE_FAST,
                         layout, N};

  fake->target.why[0] = '\0';
  return gt_verify (&fake->target, &c, &p, 1);
}

static int
verify (struct fake *fake, enum gt_reduction reduction, enum gt_layout layout)
{
  return verify_with (fake, (struct gt_config) {1, 128, 4, 2}, reduction, layout);
}

/* ------------------------------------------------------------ GSL itself */

#define X(id, name, infix, ctype, arithmetic)                               \
  static void find_##id (const struct gt_task *t, size_t index[2])         \
  {                                                                         \
    gsl_vector##infix v                                                     \
      = {t->problem.n, t->x.stride, (ctype *) t->x.data, NULL, 0};          \
                                                                            \
    if (t->problem.reduction == GT_MINMAX)                                  \
      gsl_vector##infix##_minmax_index (&v, &index[0], &index[1]);          \
    else                                                                    \
      index[0] = t->problem.reduction == GT_MAX                             \
                   ? gsl_vector##infix##_max_index (&v)                     \
                   : gsl_vector##infix##_min_index (&v);                    \
  }
GT_ELEMENT_TYPES (X)
#undef X

static size_t
largest_magnitude (const struct gt_task *t)
{
  if (t->problem.arithmetic == GT_F64)
    return gsl_blas_idamax (&(gsl_vector) {
      t->problem.n, t->x.stride, (double *) t->x.data, NULL, 0});
  return gsl_blas_isamax (&(gsl_vector_float) {
    t->problem.n, t->x.stride, (float *) t->x.data, NULL, 0});
}

/* The extreme is the sum of both parts' magnitudes.  */
static void
largest_of_complex (const struct gt_task *task, union gt_value *result)
{
  const size_t n = task->problem.n, stride = task->x.stride;
  void *const data = (void *) (uintptr_t) task->x.data;
  const gsl_vector_complex doubles = {n, stride, data, NULL, 0};
  const gsl_vector_complex_float floats = {n, stride, data, NULL, 0};

  if (task->problem.arithmetic == GT_CF64)
    {
      const double *z = (const double *) data
                        + 2 * stride * (result->where.index[0] = gsl_blas_izamax (&doubles));

      result->f64[0] = fabs (z[0]) + fabs (z[1]);
    }
  else
    {
      const float *z = (const float *) data
                       + 2 * stride * (result->where.index[0] = gsl_blas_icamax (&floats));

      result->f32[0] = fabsf (z[0]) + fabsf (z[1]);
    }
}

static void
by_gsl (struct fake *fake, const struct gt_task *task, union gt_value *result)
{
  const size_t size = fake->target.data.size;
  size_t index[2] = {0, 0};

  switch (task->problem.reduction == GT_AMAX ? GT_N_ARITHMETICS
                                             : task->problem.arithmetic)
    {
#define X(id, name, infix, ctype, arithmetic) \
    case GT_##arithmetic:                     \
      find_##id (task, index);                \
      break;
    X (DOUBLE, "double", , double, F64)
    X (FLOAT, "float", _float, float, F32)
    X (LONG_DOUBLE, "long_double", _long_double, long double, LDBL)
    X (LONG, "long", _long, long, I64)
    X (ULONG, "ulong", _ulong, unsigned long, U64)
    X (INT, "int", _int, int, I32)
    X (UINT, "uint", _uint, unsigned int, U32)
    X (SHORT, "short", _short, short, I16)
    X (USHORT, "ushort", _ushort, unsigned short, U16)
    X (UCHAR, "uchar", _uchar, unsigned char, U8)
#undef X
    case GT_I8:
      find_CHAR (task, index);
      break;
    default:
      index[0] = largest_magnitude (task);
    }
  if (gt_is_complex (task->problem.arithmetic))
    {
      largest_of_complex (task, result);
      return;
    }
  for (int i = 0; i < (task->problem.reduction == GT_MINMAX ? 2 : 1); i++)
    {
      memcpy ((char *) result + (size_t) i * size,
              (const char *) task->x.data + index[i] * task->x.stride * size,
              size);
      result->where.index[i] = index[i];
    }
}

TEST (gsl_passes)
{
  for (int a = 0; a < GT_N_ARITHMETICS; a++)
    for (int r = GT_MAX; r <= GT_AMAX; r++)
      for (int l = 0; l < GT_N_LAYOUTS; l++)
        {
          struct fake fake;

          if (!gt_reduction_has ((enum gt_reduction) r, (enum gt_arithmetic) a)
              || (a == GT_I8 && GT_CHAR != GT_I8))
            continue;
          open_with_data (&fake, (enum gt_arithmetic) a);
          fake.by_test = by_gsl;
          if (verify (&fake, (enum gt_reduction) r, (enum gt_layout) l))
            fail_msg ("%s of %s: %s", gt_reductions[r].name,
                      gt_arithmetics[a].name, fake.target.why);
          assert_true (fake.sums > 20);
          close_with_data (&fake);
        }
}

/* Blocks and steps that are the same, as on a CPU, or longer than some vectors.  */
TEST (gsl_passes_whatever_the_configuration)
{
  for (unsigned block = 0; block <= 1024; block = block ? 2 * block : 32)
    for (unsigned unroll = 1; unroll <= 16; unroll *= 2)
      for (int r = GT_MAX; r <= GT_AMAX; r++)
        {
          struct gt_config config = {1, block, unroll, 1};
          struct fake fake;

          open_with_data (&fake, GT_F32);
          fake.by_test = by_gsl;
          if (verify_with (&fake, config, (enum gt_reduction) r, GT_CONTIGUOUS))
            fail_msg ("%s, block %u, unroll %u: %s", gt_reductions[r].name,
                      block, unroll, fake.target.why);
          close_with_data (&fake);
        }
}

/* The oracle alone, over more elements than a period.  */
TEST (oracle_is_gsl)
{
  static const enum gt_arithmetic some[]
    = {GT_F64, GT_F32, GT_LDBL, GT_I64, GT_U64, GT_I16, GT_U8};
  const size_t room = 300000;

  for (size_t k = 0; k < N_OF (some); k++)
    for (int r = GT_MAX; r <= GT_AMAX; r++)
      for (size_t stride = 1; stride <= 3; stride++)
        {
          enum gt_reduction reduction = (enum gt_reduction) r;
          struct fake fake;
          union gt_value is, expected;
          size_t size = gt_arithmetics[some[k]].size, n = room / stride - 6;
          char *x = malloc (room * size);
          struct gt_task task;

          if (!gt_reduction_has (reduction, some[k]))
            {
              free (x);
              continue;
            }
          assert_non_null (x);
          fake_open (&fake, some[k], 0);
          gt_data_fill (&fake.target.data, x, room * size);
          task = gt_task_of (reduction, some[k], GT_MODE_FAST, x + 5 * size, n,
                             stride);
          by_gsl (&fake, &task, &expected);
          is = gt_data_extreme (&fake.target.data, reduction, 5, n, stride);
          assert_true (gt_extreme_identical (reduction, some[k], &is,
                                             &expected));
          free (x);
          fake_close (&fake);
        }
}

/* ---------------------------------------------------------- Wrong kernels */

/* Each is right but for one thing, in doubles.  */
enum fault
{
  NO_FAULT,
  LAST_OF_EQUALS,      /* wins */
  ZEROS_DIFFER,        /* 0 is greater than -0 */
  NO_NAN,              /* comparisons pass over NaN */
  LAST_NAN,            /* wins */
  OTHER_PAYLOAD,
  INDEX_OF_PART,       /* its origin was forgotten */
  NO_INDEX,
  NOTHING,             /* is written */
  FIRST_FORGOTTEN,
  LAST_FORGOTTEN,
  BEFORE_LAST_FORGOTTEN,
  BLOCK_END_FORGOTTEN, /* of the first block */
  BLOCK_FORGOTTEN,     /* the first element of the second */
  TILE_FORGOTTEN,      /* the first element of the second */
  TILES_FORGOTTEN,     /* of the third */
  STRIDE_FORGOTTEN,
  WHICH_FORGOTTEN,     /* the least instead of the largest */
  MAGNITUDE,           /* instead of the element */
  NAN_OF_MAGNITUDES,   /* is not passed over */
  N_FAULTS
};

#define BIT(r) (1u << GT_##r)
#define EXTREMES (BIT (MAX) | BIT (MIN) | BIT (MINMAX))

static const struct
{
  const char *name;
  unsigned reductions; /* that have it */
} faults[N_FAULTS] = {
  [LAST_OF_EQUALS] = {"the last of equals", EXTREMES | BIT (AMAX)},
  [ZEROS_DIFFER] = {"zeros differ", EXTREMES},
  [NO_NAN] = {"no NaN", EXTREMES},
  [LAST_NAN] = {"the last NaN", EXTREMES},
  [OTHER_PAYLOAD] = {"another payload", EXTREMES},
  [INDEX_OF_PART] = {"the index of a part", EXTREMES | BIT (AMAX)},
  [NO_INDEX] = {"no index", EXTREMES | BIT (AMAX)},
  [NOTHING] = {"nothing", EXTREMES | BIT (AMAX)},
  [FIRST_FORGOTTEN] = {"first", EXTREMES | BIT (AMAX)},
  [LAST_FORGOTTEN] = {"last", EXTREMES | BIT (AMAX)},
  [BEFORE_LAST_FORGOTTEN] = {"before the last", EXTREMES | BIT (AMAX)},
  [BLOCK_END_FORGOTTEN] = {"a block's end", EXTREMES | BIT (AMAX)},
  [BLOCK_FORGOTTEN] = {"a block's begin", EXTREMES | BIT (AMAX)},
  [TILE_FORGOTTEN] = {"the second tile", EXTREMES | BIT (AMAX)},
  [TILES_FORGOTTEN] = {"the third tile", EXTREMES | BIT (AMAX)},
  [STRIDE_FORGOTTEN] = {"a stride", EXTREMES | BIT (AMAX)},
  [WHICH_FORGOTTEN] = {"which extreme", EXTREMES},
  [MAGNITUDE] = {"the magnitude", BIT (AMAX)},
  [NAN_OF_MAGNITUDES] = {"NaN of magnitudes", BIT (AMAX)},
};

/* Whether element I is passed over.  */
static int
is_forgotten (enum fault fault, uint64_t i, uint64_t n)
{
  switch (fault)
    {
    case FIRST_FORGOTTEN:
      return i == 0 && n > 1;
    case LAST_FORGOTTEN:
      return i + 1 == n && n > 1;
    case BEFORE_LAST_FORGOTTEN:
      return i + 2 == n && n > 2;
    case BLOCK_END_FORGOTTEN:
      return i == 127 && n > 128;
    case BLOCK_FORGOTTEN:
      return i == 128 && n > 129;
    case TILE_FORGOTTEN:
      return i == 512;
    case TILES_FORGOTTEN:
      return i == 1024;
    default:
      return 0;
    }
}

/* X in the order of its bits, which tell zeros apart; NaN is not asked for.  */
static double
with_zeros_apart (double x)
{
  return x == 0 ? (signbit (x) ? -1e-300 : 1e-300) : x;
}

static int
beats (enum fault fault, enum gt_reduction search, double x, double best)
{
  if (search == GT_AMAX)
    {
      if (fault == NAN_OF_MAGNITUDES && isnan (x))
        return !isnan (best);
      return fault == LAST_OF_EQUALS ? fabs (x) >= (isnan (best) ? 0 : fabs (best))
                                     : fabs (x) > (isnan (best) ? 0 : fabs (best));
    }
  if (isnan (x) || (isnan (best) && fault != NO_NAN))
    return fault != NO_NAN && isnan (x) && (!isnan (best) || fault == LAST_NAN);
  if (isnan (best)) /* NaN is passed over, also in front */
    return 1;
  if (fault == ZEROS_DIFFER)
    {
      x = with_zeros_apart (x);
      best = with_zeros_apart (best);
    }
  if (fault == LAST_OF_EQUALS && x == best)
    return 1;
  return (search == GT_MAX) != (fault == WHICH_FORGOTTEN) ? x > best : x < best;
}

static void
search_wrongly (enum fault fault, enum gt_reduction search,
                const struct gt_task *task, unsigned which,
                union gt_value *result)
{
  const double *x = task->x.data;
  const uint64_t stride = fault == STRIDE_FORGOTTEN ? 1 : task->x.stride;
  const uint64_t n = task->problem.n;
  uint64_t at = is_forgotten (fault, 0, n);

  for (uint64_t i = at + 1; i < n; i++)
    if (!is_forgotten (fault, i, n)
        && beats (fault, search, x[i * stride], x[at * stride]))
      at = i;
  if (fault == NOTHING)
    return;
  result->f64[which] = x[at * stride];
  if (fault == OTHER_PAYLOAD && isnan (x[at * stride]))
    result->f64[which] = NAN;
  if (fault == MAGNITUDE)
    result->f64[which] = fabs (result->f64[which]);
  if (fault != NO_INDEX)
    result->where.index[which] = fault == INDEX_OF_PART ? at % 512 : at;
}

static void
wrongly (struct fake *fake, const struct gt_task *task, union gt_value *result)
{
  enum fault fault = *(enum fault *) fake->context;
  enum gt_reduction reduction = task->problem.reduction;

  if (reduction != GT_MINMAX)
    search_wrongly (fault, reduction, task, 0, result);
  else
    {
      search_wrongly (NO_FAULT, GT_MIN, task, 0, result);
      search_wrongly (fault, GT_MAX, task, 1, result);
    }
}

TEST (wrong_kernels_are_noticed)
{
  for (int r = GT_MAX; r <= GT_AMAX; r++)
    for (int l = 0; l < GT_N_LAYOUTS; l++)
      for (enum fault f = NO_FAULT; f < N_FAULTS; f++)
        {
          struct fake fake;
          int failed;

          if ((f != NO_FAULT && !(faults[f].reductions & 1u << r))
              || (f == STRIDE_FORGOTTEN && l == GT_CONTIGUOUS))
            continue;
          open_with_data (&fake, GT_F64);
          fake.by_test = wrongly;
          fake.context = &f;
          failed = verify (&fake, (enum gt_reduction) r, (enum gt_layout) l);
          if (f == NO_FAULT ? failed : !failed)
            fail_msg ("%s: %s: %s", gt_reductions[r].name,
                      f == NO_FAULT ? "none" : faults[f].name, fake.target.why);
          if (failed)
            assert_non_null (strstr (fake.target.why, "wrong: n = "));
          close_with_data (&fake);
        }
}

/* ------------------------------------------------------------------ Words */

TEST (messages_tell_where)
{
  union gt_value value = {.f64 = {-3, 7.5}};
  char text[128];

  value.where.index[0] = 2;
  value.where.index[1] = 12345678901u;
  gt_extreme_text (GT_AMAX, GT_F64, &value, text, sizeof text);
  assert_string_equal (text, "-3 at 2");
  gt_extreme_text (GT_MINMAX, GT_F64, &value, text, sizeof text);
  assert_string_equal (text, "-3 at 2 and 7.5 at 12345678901");
}

TEST (numbers_are_extreme)
{
  int32_t i32;
  uint16_t u16;
  int8_t i8;

  gt_data_number (GT_I32, GT_NUMBER_LARGEST, &i32);
  assert_int_equal (i32, INT32_MAX);
  gt_data_number (GT_I32, GT_NUMBER_LEAST, &i32);
  assert_int_equal (i32, INT32_MIN);
  gt_data_number (GT_U16, GT_NUMBER_LARGEST, &u16);
  assert_int_equal (u16, UINT16_MAX);
  gt_data_number (GT_U16, GT_NUMBER_LEAST, &u16);
  assert_int_equal (u16, 0);
  gt_data_number (GT_I8, GT_NUMBER_LEAST, &i8);
  assert_int_equal (i8, INT8_MIN);
  gt_data_number (GT_I8, GT_NUMBER_NAN, &i8);
  assert_int_equal (i8, 0);
}

/* No element of the data is as large or as small as what is planted.  */
TEST (data_has_no_such_numbers)
{
  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    {
      enum gt_arithmetic arithmetic = (enum gt_arithmetic) a;
      struct gt_data data;
      union gt_value is, least, largest;
      size_t size = gt_arithmetics[a].size;

      assert_int_equal (gt_data_init (&data, arithmetic, GT_DATA_WHOLE), 0);
      is = gt_data_extreme (&data, GT_MINMAX, 0, data.period, 1);
      memset (&least, 0, sizeof least);
      memset (&largest, 0, sizeof largest);
      gt_data_number (arithmetic, GT_NUMBER_LEAST, &least);
      gt_data_number (arithmetic, GT_NUMBER_LARGEST, &largest);
      assert_false (gt_value_equal (arithmetic, &is, &least));
      memmove (&is, (char *) &is + size, size);
      assert_false (gt_value_equal (arithmetic, &is, &largest));
      gt_data_clear (&data);
    }
}

RUN_TESTS (NULL, NULL)
