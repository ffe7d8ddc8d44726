/* Every public function that computes something, as a table of subjects: what the
   function answers and what it should, of the same elements.  Those of the driver's
   faults (faults_matrix.c) and of the soak (soak.c).

   Elements are small whole numbers, of which every sum that a kernel forms is exact in
   any order and every mode: so sums, products, extremes and norms are compared bit for
   bit, with plain loops or GSL's functions.  Other statistics are compared with GSL's,
   whose recurrences in long double share nothing with ours.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_SUBJECTS_H
#define GT_TEST_SUBJECTS_H

#include <gsl/gsl_errno.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_vector.h>

#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/handler.h"

/* What functions are given: two samples of N elements, and where the library finds
   them.  */
struct operands
{
  size_t n, x_stride, y_stride;
  const void *hx, *hy;  /* on the host: what the oracle reads */
  const void *x, *y;    /* what functions of host data read: anywhere that the CPU can */
  struct gsltune_device_memory *vx, *vy; /* device vectors, or null */
  void *stream;         /* of raw addresses */
};

/* The means, deviation and number that functions are given besides.  */
#define GIVEN_MEAN 3.25
#define GIVEN_MEAN_2 41.5
#define GIVEN_SD 17.5
#define GIVEN_ALPHA 1.5f

struct answer
{
  long double value[2];
  size_t index[4];
  int status; /* what functions return that return one */
};

enum domain
{
  ON_HOST,   /* of elements that the CPU can read: it knows no error */
  ON_DEVICE, /* of device vectors and views */
  RAW        /* of an address on a GPU */
};

struct subject
{
  const char *name;
  enum domain domain;
  size_t least; /* elements; GSL reads some that are not there when there are fewer */
  double close; /* the relative error allowed in fast and compensated mode; exact
                   mode: a hundredth of it */
  /* Asks the oracle, or us.  */
  void (*ask) (const struct operands *o, int oracle, struct answer *a);
};

struct subjects_of_type
{
  const struct subject *subject;
  size_t count;
  size_t size; /* of an element */
  /* Sample values: X of both signs where the type has them, Y positive.  */
  void (*fill) (void *x, size_t n, size_t stride, int positive, uint64_t seed);
  /* A device vector on a GPU, or of the one chosen (-1); set; a view.  */
  struct gsltune_device_memory *(*alloc) (size_t n, int gpu);
  void (*free) (struct gsltune_device_memory *v);
  int (*set) (struct gsltune_device_memory *v, const void *x, size_t stride);
  int (*view) (void *address, size_t stride, size_t n,
               struct gsltune_device_memory *view);
};

/* Set while other threads change the mode: then no answer is held to exact mode's
   bounds.  */
static int modes_change;

/* Answers that a function has not given.  */
static inline void
clear_answer (struct answer *a)
{
  memset (a, 0, sizeof *a);
  a->value[0] = a->value[1] = -77.75L;
  a->index[0] = a->index[1] = a->index[2] = a->index[3] = 777777;
}

static inline int
same_number (long double ours, long double expected, double close)
{
  if (ours == expected || (isnan (ours) && isnan (expected)))
    return 1;
  return fabsl (ours - expected) <= close * fmaxl (fabsl (expected), 1);
}

/* What GPUs have no type for is computed on the host alone.  */
#define FUNCTION(family, name, reduction, result, types, ...) \
  ROW_OF_##family##_##types (name, result)
#define ROW_OF_BLAS_DOUBLE(...)
#define ROW_OF_BLAS_FLOAT(...)

#define HOST_X (oracle ? o->hx : o->x)
#define HOST_Y (oracle ? o->hy : o->y)
#define ONE HOST_X, o->x_stride, o->n
#define TWO HOST_X, o->x_stride, HOST_Y, o->y_stride, o->n
#define WEIGHTS HOST_Y, o->y_stride, HOST_X, o->x_stride, o->n

/* How F is called that has a result of this kind: of a vector, an array, a matrix; and
   of device vectors.  */
#define VECTOR_VALUE(f) a->value[0] = (long double) f (&v)
#define VECTOR_VALUES(f) f (&v, &t[0], &t[1]), a->value[0] = (long double) t[0], \
  a->value[1] = (long double) t[1]
#define VECTOR_INDEX(f) a->index[0] = f (&v)
#define VECTOR_INDEXES(f) f (&v, &a->index[0], &a->index[1])
#define STATS_VALUE(f) a->value[0] = (long double) f (ONE)
#define STATS_VALUES(f) f (&t[0], &t[1], ONE), a->value[0] = (long double) t[0], \
  a->value[1] = (long double) t[1]
#define STATS_INDEX(f) a->index[0] = f (ONE)
#define STATS_INDEXES(f) f (&a->index[0], &a->index[1], ONE)
#define STATS_DOUBLE(f) a->value[0] = f (ONE)
#define STATS_DOUBLE_M(f) a->value[0] = f (ONE, GIVEN_MEAN)
#define STATS_DOUBLE_M_SD(f) a->value[0] = f (ONE, GIVEN_MEAN, GIVEN_SD)
#define STATS_PAIR(f) a->value[0] = f (TWO)
#define STATS_PAIR_M(f) a->value[0] = f (TWO, GIVEN_MEAN, GIVEN_MEAN_2)
#define STATS_WEIGHTED(f) a->value[0] = f (WEIGHTS)
#define STATS_WEIGHTED_M(f) a->value[0] = f (WEIGHTS, GIVEN_MEAN)
#define STATS_WEIGHTED_M_SD(f) a->value[0] = f (WEIGHTS, GIVEN_MEAN, GIVEN_SD)
#define MATRIX_VALUE(f) a->value[0] = (long double) f (&m)
#define MATRIX_VALUES(f) f (&m, &t[0], &t[1]), a->value[0] = (long double) t[0], \
  a->value[1] = (long double) t[1]
#define MATRIX_INDEX(f) f (&m, &a->index[0], &a->index[1])
#define MATRIX_INDEXES(f) \
  f (&m, &a->index[0], &a->index[1], &a->index[2], &a->index[3])
#define DEVICE_VALUE(f) a->value[0] = (long double) f (vx)
#define DEVICE_VALUES(f) f (vx, &t[0], &t[1]), a->value[0] = (long double) t[0], \
  a->value[1] = (long double) t[1]
#define DEVICE_INDEX(f) a->index[0] = f (vx)
#define DEVICE_INDEXES(f) f (vx, &a->index[0], &a->index[1])
#define DEVICE_PRODUCT(f) a->status = f (vx, vy, &t[0]), a->value[0] = t[0]
#define DEVICE_DOUBLE(f) a->value[0] = f (vx)
#define DEVICE_DOUBLE_M(f) a->value[0] = f (vx, GIVEN_MEAN)
#define DEVICE_DOUBLE_M_SD(f) a->value[0] = f (vx, GIVEN_MEAN, GIVEN_SD)
#define DEVICE_PAIR(f) a->value[0] = f (vx, vy)
#define DEVICE_PAIR_M(f) a->value[0] = f (vx, vy, GIVEN_MEAN, GIVEN_MEAN_2)
#define DEVICE_WEIGHTED(f) a->value[0] = f (vy, vx)
#define DEVICE_WEIGHTED_M(f) a->value[0] = f (vy, vx, GIVEN_MEAN)
#define DEVICE_WEIGHTED_M_SD(f) a->value[0] = f (vy, vx, GIVEN_MEAN, GIVEN_SD)

/* The oracle of a function of device vectors: the one of the same name of vectors or of
   arrays on the host.  */
#define ORACLE_VALUE(name) VECTOR_VALUE (NAMED (gsl_vector, _##name))
#define ORACLE_VALUES(name) VECTOR_VALUES (NAMED (gsl_vector, _##name))
#define ORACLE_INDEX(name) VECTOR_INDEX (NAMED (gsl_vector, _##name))
#define ORACLE_INDEXES(name) VECTOR_INDEXES (NAMED (gsl_vector, _##name))
#define ORACLE_DOUBLE(name) STATS_DOUBLE (NAMED (gsl_stats, _##name))
#define ORACLE_DOUBLE_M(name) STATS_DOUBLE_M (NAMED (gsl_stats, _##name))
#define ORACLE_DOUBLE_M_SD(name) STATS_DOUBLE_M_SD (NAMED (gsl_stats, _##name))
#define ORACLE_PAIR(name) STATS_PAIR (NAMED (gsl_stats, _##name))
#define ORACLE_PAIR_M(name) STATS_PAIR_M (NAMED (gsl_stats, _##name))
#define ORACLE_WEIGHTED(name) STATS_WEIGHTED (NAMED (gsl_stats, _##name))
#define ORACLE_WEIGHTED_M(name) STATS_WEIGHTED_M (NAMED (gsl_stats, _##name))
#define ORACLE_WEIGHTED_M_SD(name) STATS_WEIGHTED_M_SD (NAMED (gsl_stats, _##name))

#define LOOP_VALUE(name) a->value[0] = (TYPE) NAMED (loop_##name, ) (o)
#define LOOP_INDEX(name) a->index[0] = NAMED (loop_##name, ) (o)
#define LOOP_PRODUCT LOOP_VALUE
#define LOOP_WEIGHTED ORACLE_WEIGHTED
#define LOOP_WEIGHTED_M ORACLE_WEIGHTED_M
#define LOOP_WEIGHTED_M_SD ORACLE_WEIGHTED_M_SD
#define BLAS_LETTER_OF_DOUBLE d
#define BLAS_LETTER_OF_FLOAT s

/* Fewest elements and error allowed, by the kind of result.  */
#define KIND_VALUE 1, 0
#define KIND_VALUES 1, 0
#define KIND_INDEX 1, 0
#define KIND_INDEXES 1, 0
#define KIND_PRODUCT 1, 0
#define KIND_DOUBLE 3, 1e-10
#define KIND_DOUBLE_M 3, 1e-10
#define KIND_DOUBLE_M_SD 3, 1e-10
#define KIND_PAIR 3, 1e-10
#define KIND_PAIR_M 3, 1e-10
#define KIND_WEIGHTED 3, 1e-10
#define KIND_WEIGHTED_M 3, 1e-10
#define KIND_WEIGHTED_M_SD 3, 1e-10

#define GT_TEMPLATE "tests/subjects_of.inc"
#include "src/public/each_type.h"
#undef FUNCTION

static const struct subjects_of_type subjects_of_types[GT_N_ELEMENT_TYPES] = {
#define X(id, name, infix, ctype, arithmetic) \
  [GT_TYPE_##id] = {ask##infix, sizeof ask##infix / sizeof *ask##infix,  \
                    sizeof (ctype), do_fill##infix, do_alloc##infix,            \
                    do_free##infix, do_set##infix, do_view##infix},
  GT_GPU_ELEMENT_TYPES (X)
#undef X
  [GT_TYPE_LONG_DOUBLE] = {ask_long_double,
                           sizeof ask_long_double / sizeof *ask_long_double,
                           sizeof (long double), do_fill_long_double, NULL, NULL,
                           NULL, NULL}
};

/* Whether an answer is as it should be; what is wrong goes to standard error.  */
static inline int
answers_agree (const struct subject *s, enum gt_element_type type,
               const struct operands *o, const struct answer *ours,
               const struct answer *expected)
{
  const double close
    = gsltune_get_mode () == GSLTUNE_MODE_EXACT && !modes_change
        ? s->close / 100 : s->close;
  int same = ours->status == GSL_SUCCESS
             && memcmp (ours->index, expected->index, sizeof ours->index) == 0;

  for (int k = 0; k < 2; k++)
    same &= same_number (ours->value[k], expected->value[k], close);
  if (!same)
    fprintf (stderr,
             "%s of %zu %s, %zu and %zu apart, mode %s: %.20Lg, %.20Lg, %zu, %zu"
             " (status %d) instead of %.20Lg, %.20Lg, %zu, %zu\n",
             s->name, o->n, gt_types[type].name, o->x_stride, o->y_stride,
             gt_mode_names[gsltune_get_mode ()], ours->value[0],
             ours->value[1], ours->index[0], ours->index[1], ours->status,
             expected->value[0], expected->value[1], expected->index[0],
             expected->index[1]);
  return same;
}

/* A refusal is reported once, by the code that is returned where one is, and what is
   answered then is NaN or 0.  */
static inline int
refused_as_documented (const struct subject *s, const struct answer *a)
{
  const long double value = a->value[0];

  if (handler_calls != 1 || s->domain == ON_HOST)
    return 0;
  if (handler_code != GSL_EFAILED
      && !(s->domain == RAW && handler_code == GSL_EINVAL))
    return 0;
  return a->status ? a->status == handler_code
                   : isnan (value) || value == 0 || a->index[0] == 0;
}

enum outcome
{
  WRONG,
  RIGHT,
  REFUSED,
  NOT_ASKED
};

/* Asks S, in the mode in force; GSL's error handler is note_error.  */
static inline enum outcome
try_subject (const struct subject *s, enum gt_element_type type,
             const struct operands *o)
{
  struct answer ours, expected;

  clear_answer (&ours);
  clear_answer (&expected);
  s->ask (o, 1, &expected);
  handler_calls = 0;
  s->ask (o, 0, &ours);
  if (handler_calls == 0)
    return answers_agree (s, type, o, &ours, &expected) ? RIGHT : WRONG;
  if (refused_as_documented (s, &ours))
    return REFUSED;
  fprintf (stderr, "%s of %zu %s: %d errors reported, the last %d, status %d,"
           " value %Lg\n", s->name, o->n, gt_types[type].name, handler_calls,
           handler_code, ours.status, ours.value[0]);
  return WRONG;
}

#endif
