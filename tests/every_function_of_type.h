/* Calls every function that takes elements of TYPE: a template of
   src/public/each_type.h, for tests/every_function.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define ANSWER struct NAMED (every_answer, )
#define MATRIX NAMED (gsl_matrix, )
#define VECTOR NAMED (gsl_vector, )
#define DEVICE_VECTOR NAMED (gsltune_device_vector, )

ANSWER
{
  TYPE value[2];
  size_t index[4];
  double number;
};

static TYPE
NAMED (every_datum, ) (enum every_kind kind, uint64_t *seed)
{
  const uint64_t bits = random_word (seed);

#if REAL
  const double fraction = (double) (bits >> 11) * 0x1p-53;

  switch (kind)
    {
    case EVERY_WHOLE:
      return (TYPE) (bits >> 60);
    case EVERY_FAR:
      return (TYPE) (1000 + fraction);
    case EVERY_SIZE:
      return (TYPE) ldexp (2 * fraction - 1, (int) (bits & 31) - 16);
    case EVERY_EXTREME:
      return (TYPE) ldexp (2 * fraction - 1,
                           ARITHMETIC == GT_F32 ? (int) (bits & 255) - 140
                                                : (int) (bits & 2047) - 1070);
    case EVERY_SPECIAL:
      return (bits & 255) == 0   ? (TYPE) INFINITY
             : (bits & 255) == 1 ? (TYPE) NAN
             : (bits & 7) == 2   ? -(TYPE) 0
                                 : (TYPE) (2 * fraction - 1);
    default:
      return (TYPE) (2 * fraction - 1);
    }
#else
  return kind == EVERY_WHOLE ? (TYPE) (bits >> 60) : (TYPE) (bits >> 4);
#endif
}

/* One word or two for each number; of NaN, sign and payload are left out.  */
static uint64_t *
NAMED (put_value, ) (uint64_t *to, TYPE x)
{
#if REAL
  return put_real (to, x);
#else
  *to++ = (uint64_t) x;
  return to;
#endif
}

static void
NAMED (every_report, ) (const char *name, const char *reduction,
                        const ANSWER *a)
{
  uint64_t words[12], *to = words;

  every_end (name);
  to = NAMED (put_value, ) (to, a->value[0]);
  to = NAMED (put_value, ) (to, a->value[1]);
  for (int k = 0; k < 4; k++)
    *to++ = a->index[k];
  to = put_real (to, a->number);
  every_result (name, gt_types[NAMED_BY (GT_TYPE_, ID, )].name, reduction, words,
                (size_t) (to - words));
}

/* Before a function that may leave something in the answer.  */
static void
NAMED (every_start, ) (ANSWER *a)
{
  *a = (ANSWER) {0};
  every_begin ();
}

/* DID (name, reduction, call): the call stores what it is given in A.  */
#define DID(name, reduction, call) \
  (NAMED (every_start, ) (&a), call, NAMED (every_report, ) (name, reduction, &a))

/* How a function is called, by its result; of vectors on the host and on a GPU.  */
#define PLAIN_VALUE(f) a.value[0] = f (x)
#define PLAIN_VALUES(f) f (x, &a.value[0], &a.value[1])
#define PLAIN_INDEX(f) a.index[0] = f (x)
#define PLAIN_INDEXES(f) f (x, &a.index[0], &a.index[1])
#define PLAIN_DOUBLE(f) a.number = f (x)
#define PLAIN_DOUBLE_M(f) a.number = f (x, 0.25)
#define PLAIN_DOUBLE_M_SD(f) a.number = f (x, 0.25, 1.5)
#define PLAIN_PAIR(f) a.number = f (y, x)
#define PLAIN_PAIR_M(f) a.number = f (y, x, 0.25, 1.5)
#define PLAIN_WEIGHTED(f) a.number = f (y, x)
#define PLAIN_WEIGHTED_M(f) a.number = f (y, x, 0.25)
#define PLAIN_WEIGHTED_M_SD(f) a.number = f (y, x, 0.25, 1.5)
#define PLAIN_PRODUCT(f) a.index[0] = (size_t) f (y, x, &a.value[0])

#define MATRIX_VALUE(f) a.value[0] = f (m)
#define MATRIX_VALUES(f) f (m, &a.value[0], &a.value[1])
#define MATRIX_INDEX(f) f (m, &a.index[0], &a.index[1])
#define MATRIX_INDEXES(f) \
  f (m, &a.index[0], &a.index[1], &a.index[2], &a.index[3])

#define ONE x->data, x->stride, x->size
#define TWO y->data, y->stride, x->data, x->stride, x->size
#define STATS_VALUE(f) a.value[0] = f (ONE)
#define STATS_VALUES(f) f (&a.value[0], &a.value[1], ONE)
#define STATS_INDEX(f) a.index[0] = f (ONE)
#define STATS_INDEXES(f) f (&a.index[0], &a.index[1], ONE)
#define STATS_DOUBLE(f) a.number = f (ONE)
#define STATS_DOUBLE_M(f) a.number = f (ONE, 0.25)
#define STATS_DOUBLE_M_SD(f) a.number = f (ONE, 0.25, 1.5)
#define STATS_PAIR(f) a.number = f (TWO)
#define STATS_PAIR_M(f) a.number = f (TWO, 0.25, 1.5)
#define STATS_WEIGHTED(f) a.number = f (TWO)
#define STATS_WEIGHTED_M(f) a.number = f (TWO, 0.25)
#define STATS_WEIGHTED_M_SD(f) a.number = f (TWO, 0.25, 1.5)

#define FOR_ALL(statement) statement
#if REAL
#define FOR_REALS(statement) statement
#else
#define FOR_REALS(statement)
#endif
#if GPU
#define FOR_GPU(statement) statement
#else
#define FOR_GPU(statement)
#endif
#if GPU && REAL
#define FOR_REAL(statement) statement
#else
#define FOR_REAL(statement)
#endif

static void
NAMED (every_vector, ) (const VECTOR *x, const MATRIX *m)
{
  ANSWER a;

#define VECTOR_ROW(name, reduction, result, ...) \
  DID ("vector_" #name, reduction, PLAIN_##result (NAMED (gsltune_vector, _##name)));
#define MATRIX_ROW(name, reduction, result, ...) \
  DID ("matrix_" #name, reduction, \
       MATRIX_##result (NAMED (gsltune_matrix, _##name)));
#define STATS_ROW NO_ROW
#define DEVICE_VECTOR_ROW NO_ROW
#include "src/functions.def"
#undef VECTOR_ROW
#undef MATRIX_ROW
#undef STATS_ROW
}

static void
NAMED (every_statistic, ) (const VECTOR *x, const VECTOR *y)
{
  ANSWER a;

#define VECTOR_ROW NO_ROW
#define MATRIX_ROW NO_ROW
#define STATS_ROW(name, reduction, result, FOR) \
  FOR (DID ("stats_" #name, reduction, \
            STATS_##result (NAMED (gsltune_stats, _##name)));)
#include "src/functions.def"
#undef STATS_ROW
#undef DEVICE_VECTOR_ROW
}

static void
NAMED (every_moments, ) (const VECTOR *x, const struct every_accumulators *all)
{
  ANSWER a;

  DID ("accumulator_add_moments", "MOMENTS",
       a.index[0] = (size_t) NAMED (gsltune_accumulator_add_moments, ) (
         all->sum, all->squares, x));
  every_moment_of (all, x->size, gt_types[NAMED_BY (GT_TYPE_, ID, )].name);
}

#if REAL
static void
NAMED (every_accumulation, ) (const VECTOR *x, const VECTOR *y,
                              const struct every_accumulators *all)
{
  ANSWER a;

  gsltune_accumulator_reset (all->sum);
  DID ("accumulator_add_vector", "SUM",
       a.index[0] = (size_t) NAMED (gsltune_accumulator_add_vector, ) (
         all->sum, x));
  DID ("accumulator_add_products", "DOT",
       a.index[0] = (size_t) NAMED (gsltune_accumulator_add_products, ) (
         all->sum, x, y));
  FOR_REAL (DID ("accumulator_add_magnitudes", "ASUM",
       a.index[0] = (size_t) NAMED (gsltune_accumulator_add_magnitudes, ) (
         all->sum, x));)
  every_form_of (all, gt_types[NAMED_BY (GT_TYPE_, ID, )].name);
}
#endif

#if GPU
static void
NAMED (every_of_device, ) (const DEVICE_VECTOR *x, const DEVICE_VECTOR *y)
{
  const DEVICE_VECTOR *const both[] = {x, y};
  FOR_REAL (struct every_accumulators all;)
  ANSWER a;

#define STATS_ROW NO_ROW
#define DEVICE_VECTOR_ROW(name, reduction, result, FOR) \
  FOR (DID ("device_" #name, reduction, \
            PLAIN_##result (NAMED (gsltune_device_vector, _##name)));)
#include "src/functions.def"
#undef DEVICE_VECTOR_ROW
  DID ("device_sum_all", "SUM",
       a.value[0] = NAMED (gsltune_device_vector, _sum_all) (both, 2));
  FOR_REAL (every_accumulators_alloc (&all);
            DID ("accumulator_add_device_vector", "SUM",
                 a.index[0] = (size_t) NAMED (
                   gsltune_accumulator_add_device_vector, ) (all.sum, x));
            DID ("accumulator_add_device_products", "DOT",
                 a.index[0] = (size_t) NAMED (
                   gsltune_accumulator_add_device_products, ) (all.sum, x, y));
            every_form_of (&all, gt_types[NAMED_BY (GT_TYPE_, ID, )].name);
            every_accumulators_free (&all);)
#undef STATS_ROW
#undef VECTOR_ROW
#undef MATRIX_ROW
}

/* Of copies on a GPU, or where device vectors lie without one.  */
static void
NAMED (every_on_device, ) (const VECTOR *x, const VECTOR *y)
{
  DEVICE_VECTOR *dx = NULL, *dy = NULL;
  ANSWER a;

  DID ("device_alloc", "COPY",
       dx = NAMED (gsltune_device_vector, _alloc) (x->size));
  dy = NAMED (gsltune_device_vector, _alloc) (y->size);
  CHECK (dx && dy);
  DID ("device_set", "COPY",
       a.index[0] = NAMED (gsltune_device_vector, _set) (dx, x) != 0);
  CHECK (NAMED (gsltune_device_vector, _set) (dy, y) == 0);
  NAMED (every_of_device, ) (dx, dy);
  DID ("device_get", "COPY",
       a.index[0] = NAMED (gsltune_device_vector, _get) (dx, &(VECTOR) {
         x->size, x->stride, x->data, NULL, 0}) != 0);
  DID ("device_free", "COPY", NAMED (gsltune_device_vector, _free) (dx));
  NAMED (gsltune_device_vector, _free) (dy);
}
#else
#undef VECTOR_ROW
#undef MATRIX_ROW
#endif

/* Vectors in pinned memory.  */
static void
NAMED (every_pinned, ) (const VECTOR *x)
{
  VECTOR *pinned = NULL;
  ANSWER a;

  DID ("pinned_alloc", "COPY",
       pinned = NAMED (gsltune_vector, _alloc) (x->size));
  CHECK (pinned);
  for (size_t i = 0; i < x->size; i++)
    pinned->data[i] = x->data[i * x->stride];
  DID ("pinned_sum", "SUM", a.value[0] = NAMED (gsltune_vector, _sum) (pinned));
  DID ("pinned_free", "COPY", NAMED (gsltune_vector, _free) (pinned));
  DID ("pin", "COPY",
       a.index[0] = (size_t) NAMED (gsltune_vector, _pin) (x));
  DID ("unpin", "COPY",
       a.index[0] = (size_t) NAMED (gsltune_vector, _unpin) (x));
}

/* Every function of N elements, STRIDE apart, of a kind.  */
static void
NAMED (every_function_of, ) (enum every_kind kind, size_t n, size_t stride)
{
  const size_t span = n * stride + 1, columns = n < 7 ? n : 7;
  TYPE *data = malloc (2 * span * sizeof *data);
  VECTOR x = {n, stride, data, NULL, 0}, y = {n, stride, data + span, NULL, 0};
  MATRIX m = {columns ? n / columns : 0, columns, columns * stride, data, NULL, 0};
  struct every_accumulators all;
  uint64_t seed = n;

  CHECK (data);
  for (size_t i = 0; i < 2 * span; i++)
    data[i] = NAMED (every_datum, ) (kind, &seed);
  if (n > 0)
    NAMED (every_vector, ) (&x, &m);
  NAMED (every_statistic, ) (&x, &y);
  every_accumulators_alloc (&all);
  NAMED (every_moments, ) (&x, &all);
#if REAL
  NAMED (every_accumulation, ) (&x, &y, &all);
#endif
  every_accumulators_free (&all);
#if GPU
  if (n > 0)
    NAMED (every_on_device, ) (&x, &y);
#endif
  NAMED (every_pinned, ) (&x);
  free (data);
}

#undef ANSWER
#undef MATRIX
#undef VECTOR
#undef DEVICE_VECTOR
#undef DID
#undef FOR_REALS
#undef FOR_GPU
#undef FOR_REAL
