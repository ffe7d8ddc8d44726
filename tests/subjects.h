/* Every public function that computes something, as a table of subjects: what the function
   answers and what it should, of the same elements.  Those of the driver's faults
   (faults_matrix.c) and of the soak (soak.c).

   Elements are small whole numbers, of which every sum that a kernel forms is exact in any
   order and every mode: so sums, products, extremes and norms are compared bit for bit, with
   plain loops or GSL's functions.  Other statistics are compared with GSL's, whose recurrences
   in long double share nothing with ours.  The rows of src/functions.def are subjects by
   themselves; what is none of them is in tests/subjects_of.inc.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_SUBJECTS_H
#define GT_TEST_SUBJECTS_H

#include <gsl/gsl_errno.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_vector.h>

#include "src/gsltune.h"
#include "tests/answers.h"
#include "tests/exact.h"
#include "tests/handler.h"

/* The operands of functions: two samples of N elements, and where the library finds them.  */
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
  const struct gt_listed *listed; /* null of what follows */
  /* Asks the oracle, or us.  */
  void (*ask) (const struct operands *o, int oracle, struct answer *a);
};

struct subjects_of_type
{
  struct subject subject[160];
  size_t count;
  size_t size; /* of an element */
  /* Sample values: X of both signs where the type has them, Y positive.  */
  void (*fill) (void *x, size_t n, size_t stride, int positive, uint64_t seed);
  /* A device vector on a GPU, or of the one chosen (-1); set; a view.  */
  struct gsltune_device_memory *(*alloc) (size_t n, int gpu);
  void (*free) (struct gsltune_device_memory *v);
  int (*set) (struct gsltune_device_memory *v, const void *x, size_t stride);
  int (*view) (void *address, size_t stride, size_t n, struct gsltune_device_memory *view);
};

/* Set while other threads change the mode: then no answer is held to exact mode's bounds.  */
static int modes_change;

/* Answers that a function has not given.  */
static inline void
forget_answer (struct answer *a)
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

/* ----------------------------------------------------- Sums and products in loops */

/* Element I of X, whatever the type is.  */
static inline long double
element (enum gt_element_type type, const void *x, size_t i)
{
  switch (type)
    {
#define X(id, name, infix, ctype, arithmetic) \
    case GT_TYPE_##id:                        \
      return (long double) ((const ctype *) x)[i];
    GT_ELEMENT_TYPES (X)
#undef X
    default:
      return NAN;
    }
}

/* The sum of what REDUCTION adds, or the index of the largest magnitude.  */
static inline long double
loop (enum gt_reduction reduction, enum gt_element_type type, const struct operands *o)
{
  long double sum = 0, largest = -1;

  for (size_t i = 0; i < o->n; i++)
    {
      const long double x = element (type, o->hx, i * o->x_stride);

      if (reduction == GT_DOT)
        sum += x * element (type, o->hy, i * o->y_stride);
      else if (reduction == GT_SUMSQ)
        sum += x * x;
      else if (reduction == GT_SUM)
        sum += x;
      else if (reduction == GT_ASUM)
        sum += fabsl (x);
      else if (fabsl (x) > largest)
        {
          largest = fabsl (x);
          sum = (long double) i;
        }
    }
  return sum;
}

/* The oracle of a function of BLAS, on the host or on a GPU.  */
static inline void
ask_loop (const struct gt_listed *f, const struct operands *o, struct answer *a)
{
  const long double sum = loop (f->reduction, f->type, o);
  const long double value = f->is_given                  ? sum + GIVEN_ALPHA
                            : f->reduction == GT_SUMSQ ? sqrtl (sum) : sum;

  a->status = GSL_SUCCESS;
  if (f->answers == GT_ANSWERS_INDEX)
    a->index[0] = (size_t) sum;
  else if (f->type == GT_TYPE_FLOAT && f->answers != GT_ANSWERS_WIDE)
    a->value[0] = (float) value;
  else
    a->value[0] = (double) value;
}

/* ------------------------------------------------------ The rows of functions.def */

static inline int
is_statistic (const struct gt_listed *f)
{
  return f->answers == GT_ANSWERS_NUMBER;
}

/* Calls F, ours or GSL's.  Weights are the second sample.  A matrix has four rows, as far
   apart as they are long, gaps and all.  */
static inline void
call_listed (const struct gt_listed *f, const struct operands *o, int gsl, struct answer *a)
{
  const int weighted = f->name[0] == 'w';
  const void *const x = gsl ? o->hx : o->x, *const y = gsl ? o->hy : o->y;
  const size_t rows = o->n >= 4 ? 4 : 1, row = o->n / rows * o->x_stride;
  const struct gt_operands operands = {
    .x = weighted ? y : x,
    .y = weighted ? x : y,
    .n = o->n,
    .stride = {weighted ? o->y_stride : o->x_stride, weighted ? o->x_stride : o->y_stride},
    .rows = rows,
    .columns = o->x_stride == 1 ? row : 1,
    .tda = row,
    .device = {weighted ? o->vy : o->vx, weighted ? o->vx : o->vy},
    .given = {f->family == GT_OF_BLAS ? GIVEN_ALPHA : GIVEN_MEAN,
              f->inputs == 2 && !weighted ? GIVEN_MEAN_2 : GIVEN_SD}
  };
  struct gt_answer answer = {.status = GSL_SUCCESS};

  memcpy (answer.index, a->index, sizeof answer.index);
  f->call (gsl ? f->gsl : f->ours, &operands, &answer);
  memcpy (a->index, answer.index, sizeof answer.index);
  a->status = answer.status;
  if (f->answers != GT_ANSWERS_INDEX && f->answers != GT_ANSWERS_INDEXES
      && f->answers != GT_ANSWERS_PLACES)
    a->value[0] = gt_answer_value (f, &answer, 0);
  if (f->answers == GT_ANSWERS_VALUES)
    a->value[1] = gt_answer_value (f, &answer, 1);
}

static inline void
ask_listed (const struct gt_listed *f, const struct operands *o, int oracle, struct answer *a)
{
  const struct gt_listed *host = f->family == GT_OF_DEVICE_VECTOR ? on_host (f) : f;

  if (!oracle)
    call_listed (f, o, 0, a);
  else if (host == NULL || host->family == GT_OF_BLAS)
    ask_loop (f, o, a);
  else
    call_listed (host, o, 1, a);
}

/* -------------------------------------------------------------------- The table */

static struct subjects_of_type subjects_of_types[GT_N_ELEMENT_TYPES];

static inline void
add_subject (struct subjects_of_type *t, struct subject s)
{
  if (t->count == sizeof t->subject / sizeof *t->subject)
    abort ();
  t->subject[t->count++] = s;
}

static inline void
add_listed (enum gt_element_type type)
{
  for (size_t k = 0; k < gt_listed[type].count; k++)
    {
      const struct gt_listed *f = &gt_listed[type].function[k];

      add_subject (&subjects_of_types[type], (struct subject) {
        f->name, f->family == GT_OF_DEVICE_VECTOR ? ON_DEVICE : ON_HOST,
        is_statistic (f) ? 3 : 1, is_statistic (f) ? 1e-10 : 0, f, NULL });
    }
}

#define GT_TEMPLATE "tests/subjects_of.inc"
#include "src/each_type.h"

static inline const char *
name_of (const struct subject *s)
{
  return s->listed ? s->listed->symbol : s->name;
}

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
    fprintf (stderr, "%s of %zu %s, %zu and %zu apart, mode %s: %.20Lg, %.20Lg, %zu, %zu"
             " (status %d) instead of %.20Lg, %.20Lg, %zu, %zu\n",
             name_of (s), o->n, gt_types[type].name, o->x_stride, o->y_stride,
             gt_mode_names[gsltune_get_mode ()], ours->value[0],
             ours->value[1], ours->index[0], ours->index[1], ours->status,
             expected->value[0], expected->value[1], expected->index[0], expected->index[1]);
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
  if (handler_code != GSL_EFAILED && !(s->domain == RAW && handler_code == GSL_EINVAL))
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

static inline void
ask (const struct subject *s, const struct operands *o, int oracle, struct answer *a)
{
  if (s->listed)
    ask_listed (s->listed, o, oracle, a);
  else
    s->ask (o, oracle, a);
}

/* Asks S, in the mode in force; GSL's error handler is note_error.  */
static inline enum outcome
try_subject (const struct subject *s, enum gt_element_type type, const struct operands *o)
{
  struct answer ours, expected;

  forget_answer (&ours);
  forget_answer (&expected);
  ask (s, o, 1, &expected);
  handler_calls = 0;
  ask (s, o, 0, &ours);
  if (handler_calls == 0)
    return answers_agree (s, type, o, &ours, &expected) ? RIGHT : WRONG;
  if (refused_as_documented (s, &ours))
    return REFUSED;
  fprintf (stderr, "%s of %zu %s: %d errors reported, the last %d, status %d,"
           " value %Lg\n", name_of (s), o->n, gt_types[type].name, handler_calls,
           handler_code, ours.status, ours.value[0]);
  return WRONG;
}

#endif
