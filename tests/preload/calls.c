/* Calls every function that is taken, and checks that what stands for libgsltune gets
   its arguments and that the answer comes back: see tests/preload/stand_in.h.  The
   argument is the path of that library.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "tests/preload/stand_in.h"

#include <dlfcn.h>
#include <stdio.h>

#include "kernels/types.h"

static const struct note *note;
static int calls, failures;

static void
check (const char *name, int answered, struct note expected)
{
  if (answered && SAME_NOTES (expected, (*note)))
    return;
  failures++;
  printf ("%s: %s\n", name, answered ? "other arguments" : "another answer");
}

#define CHECK(function, answered, ...)            \
  check (#function, answered,                     \
         (struct note) {++calls, __VA_ARGS__})

/* Each is called twice: when it is looked for, and when it was found.  */
#define TWICE for (int again = 0; again < 2; again++)

static void
blas (void)
{
  double x[9] = {0}, d;
  float y[9] = {0}, f;
  gsl_vector a = {4, 1, x, 0, 0}, b = {4, 2, x, 0, 0};
  gsl_vector_float s = {4, 1, y, 0, 0}, t = {4, 2, y, 0, 0};

#define NORM(name, x)                        \
  CHECK (name, gsl_blas_##name (x) == ANSWER, \
         GT_TAKEN_blas_##name, x, 0, 0, 0, 0, 0, 0)
#define DOT(name, x, y, to)                                     \
  CHECK (name, gsl_blas_##name (x, y, to) == 0 && *to == ANSWER, \
         GT_TAKEN_blas_##name, x, y, 0, 0, 0, 0, 0)
  TWICE
    {
      NORM (dnrm2, &a);
      NORM (snrm2, &s);
      NORM (dasum, &a);
      NORM (sasum, &s);
      NORM (idamax, &a);
      NORM (isamax, &s);
      d = f = 0;
      DOT (ddot, &a, &b, &d);
      DOT (sdot, &s, &t, &f);
      DOT (dsdot, &s, &t, &d);
      f = 0;
      CHECK (sdsdot, gsl_blas_sdsdot (2.5f, &s, &t, &f) == 0 && f == ANSWER,
             GT_TAKEN_blas_sdsdot, &s, &t, 0, 0, 0, 2.5, 0);
    }
}

/* ------------------------------------------------------ Every other row */

#define VECTOR_(name) NAMED (gsl_vector, _##name)
#define VECTOR_CHECK(name, answered) \
  CHECK (VECTOR_ (name), answered, VECTOR_ID (name), v, 0, 0, 0, 0, 0, 0);
#define VECTOR_VALUE(name) VECTOR_CHECK (name, VECTOR_ (name) (v) == ANSWER)
#define VECTOR_INDEX VECTOR_VALUE
#define VECTOR_VALUES(name) \
  VECTOR_CHECK (name, (VECTOR_ (name) (v, p, p + 1), VALUES_ARE (p)))
#define VECTOR_INDEXES(name) \
  VECTOR_CHECK (name, (VECTOR_ (name) (v, i, i + 1), VALUES_ARE (i)))
#define VALUES_ARE(p) (p[0] == ANSWER && p[1] == ANSWER + 1)

#define STATS_(name) NAMED (gsl_stats, _##name)
#define STATS_CHECK(name, answered, u, v) \
  CHECK (STATS_ (name), answered, STATS_ID (name), x, 0, 3, 0, 5, u, v);
#define STATS_VALUE(name) \
  STATS_CHECK (name, STATS_ (name) (x, 3, 5) == ANSWER, 0, 0)
#define STATS_INDEX STATS_VALUE
#define STATS_DOUBLE STATS_VALUE
#define STATS_VALUES(name) \
  STATS_CHECK (name, (STATS_ (name) (p, p + 1, x, 3, 5), VALUES_ARE (p)), 0, 0)
#define STATS_INDEXES(name) \
  STATS_CHECK (name, (STATS_ (name) (i, i + 1, x, 3, 5), VALUES_ARE (i)), 0, 0)
#define STATS_DOUBLE_M(name) \
  STATS_CHECK (name, STATS_ (name) (x, 3, 5, 1.5) == ANSWER, 1.5, 0)
#define STATS_DOUBLE_M_SD(name) \
  STATS_CHECK (name, STATS_ (name) (x, 3, 5, 1.5, 2.5) == ANSWER, 1.5, 2.5)

#define PAIR_CHECK(name, answered, u, v) \
  CHECK (STATS_ (name), answered, STATS_ID (name), x, y, 3, 2, 5, u, v);
#define STATS_PAIR(name) \
  PAIR_CHECK (name, STATS_ (name) (x, 3, y, 2, 5) == ANSWER, 0, 0)
#define STATS_PAIR_M(name) \
  PAIR_CHECK (name, STATS_ (name) (x, 3, y, 2, 5, 1.5, 2.5) == ANSWER, 1.5, 2.5)
#define STATS_WEIGHTED STATS_PAIR
#define STATS_WEIGHTED_M(name) \
  PAIR_CHECK (name, STATS_ (name) (x, 3, y, 2, 5, 1.5) == ANSWER, 1.5, 0)
#define STATS_WEIGHTED_M_SD STATS_PAIR_M

#define MATRIX_(name) NAMED (gsl_matrix, _##name)
#define MATRIX_CHECK(name, answered) \
  CHECK (MATRIX_ (name), answered, MATRIX_ID (name), m, 0, 0, 0, 0, 0, 0);
#define MATRIX_VALUE(name) MATRIX_CHECK (name, MATRIX_ (name) (m) == ANSWER)
#define MATRIX_VALUES(name) \
  MATRIX_CHECK (name, (MATRIX_ (name) (m, p, p + 1), VALUES_ARE (p)))
#define MATRIX_INDEX(name) \
  MATRIX_CHECK (name, (MATRIX_ (name) (m, i, i + 1), VALUES_ARE (i)))
#define MATRIX_INDEXES(name)                                             \
  MATRIX_CHECK (name, (MATRIX_ (name) (m, i, i + 1, i + 2, i + 3),       \
                       VALUES_ARE (i) && i[2] == ANSWER + 2              \
                       && i[3] == ANSWER + 3))

#define GT_TEMPLATE "tests/preload/calls_of.inc"
#include "src/public/each_type.h"

int
main (int argc, char **argv)
{
  /* The library is there once a function was called.  */
  double x[1] = {0};
  void *library;

  gsl_stats_mean (x, 1, 1);
  library = argc > 1 ? dlopen (argv[1], RTLD_LAZY | RTLD_NOLOAD) : NULL;
  note = library ? dlsym (library, "gsltune_note") : NULL;
  if (note == NULL)
    {
      puts ("the library was not loaded");
      return 1;
    }
  calls = 1;
  blas ();
#define X(id, type, infix, ctype, arithmetic) each##infix ();
  GT_ELEMENT_TYPES (X)
#undef X
  if (calls != 1 + 2 * GT_N_TAKEN)
    printf ("%d calls of %d functions\n", calls, GT_N_TAKEN);
  return failures || calls != 1 + 2 * GT_N_TAKEN;
}
