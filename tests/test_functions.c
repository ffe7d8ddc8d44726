/* Tests of the functions that src/functions.def lists (src/reduce/extremes.c,
   src/blas/level1.c): each has GSL's prototype and gives GSL's answer, bit for bit.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_statistics.h>

#include "tests/unit.h"

#include "src/base/env.h"
#include "src/gsltune.h"
#include "src/preload/taken.h"
#include "tests/answers.h"
#include "tests/exact.h"
#include "tests/handler.h"
#include "tests/order_data.h"

/* The end of memory that is followed by none.  */
static char *fence_end;

/* Both functions have one prototype.  */
#define ROW(symbol, ...) SAME_PROTOTYPE (symbol)
#define SAME_PROTOTYPE(symbol)                                                \
  _Static_assert (__builtin_types_compatible_p (                              \
                    __typeof__ (gsltune_##symbol), __typeof__ (gsl_##symbol)), #symbol);
#include "src/preload/rows.inc"

/* Whether GSL has F, too.  */
static int
is_gsls (const struct gt_listed *f)
{
  return strncmp (f->symbol, "gsl_", 4) == 0;
}

/* Returns whether F's answers are GSL's: of long doubles, which are not taken, extremes are.  */
static int
has_same_bits (const struct gt_listed *f)
{
  size_t k = 0;

  while (k < GT_N_TAKEN && strcmp (gt_taken[k].symbol, f->symbol + strlen ("gsl_")) != 0)
    k++;
  assert_true (k < GT_N_TAKEN || f->type == GT_TYPE_LONG_DOUBLE);
  return k < GT_N_TAKEN ? gt_taken[k].same_bits
                        : gt_reductions[f->reduction].algebra == GT_ALGEBRA_ORDER;
}

#define OF_VECTORS (1u << GT_OF_VECTOR | 1u << GT_OF_BLAS | 1u << GT_OF_STATS)

/* The functions of some families, a bit each, give the same as GSL's if `gsltune run
   --mode gsl' takes them for the same.  Sums of real numbers are rounded where GSL's are
   not, so they are not compared here, and statistics have a test of their own.  */
static void
agree (enum gt_element_type type, unsigned families, const struct gt_operands *o,
       const char *what)
{
  struct gt_answer ours, gsl;

  clear_answer (&ours);
  clear_answer (&gsl);
  for (size_t k = 0; k < gt_listed[type].count; k++)
    {
      const struct gt_listed *f = &gt_listed[type].function[k];

      if (!is_gsls (f) || !(families >> f->family & 1) || !has_same_bits (f))
        continue;
      f->call (f->ours, o, &ours);
      f->call (f->gsl, o, &gsl);
      if (!same_answers (type, &ours, &gsl))
        fail_msg ("%s, %s: %.21Lg, %.21Lg at %zu, %zu, %zu, %zu instead of"
                  " GSL's %.21Lg, %.21Lg at %zu, %zu, %zu, %zu", f->symbol, what,
                  gt_answer_value (f, &ours, 0), gt_answer_value (f, &ours, 1),
                  ours.index[0], ours.index[1], ours.index[2], ours.index[3],
                  gt_answer_value (f, &gsl, 0), gt_answer_value (f, &gsl, 1),
                  gsl.index[0], gsl.index[1], gsl.index[2], gsl.index[3]);
    }
}

static void
compare_number (const char *name, long double ours, long double expected)
{
  if (isnan (expected) ? !isnan (ours)
      : ours != expected || signbit (ours) != signbit (expected))
    fail_msg ("%s of no elements is %Lg instead of %Lg", name, ours, expected);
}

/* The results of no elements, with an error handler that returns: NaN where that is an error
   and the type has it, else 0, and nothing is stored besides.  */
static void
compare_empty (const struct gt_listed *f, const struct gt_operands *o)
{
  static const struct
  {
    int values, indexes;
  } has[] = {
    [GT_ANSWERS_VALUE] = {1, 0}, [GT_ANSWERS_VALUES] = {2, 0},
    [GT_ANSWERS_INDEX] = {0, 1}, [GT_ANSWERS_INDEXES] = {0, 2},
    [GT_ANSWERS_PLACES] = {0, 4}
  };
  const int is_error = f->empty == GT_EMPTY_ERROR;
  const int is_nan = is_error && gt_arithmetics[gt_types[f->type].arithmetic].real;
  struct gt_answer a, expected;

  handler_calls = 0;
  clear_answer (&a);
  f->call (f->ours, o, &a);
  if (f->answers == GT_ANSWERS_NUMBER)
    {
      compare_number (f->symbol, gt_answer_value (f, &a, 0),
                      f->empty == GT_EMPTY_MINUS_3        ? -3
                      : f->empty == GT_EMPTY_NOT_A_NUMBER ? NAN : 0);
      return;
    }
  for (int k = 0; k < has[f->answers].values; k++)
    compare_number (f->symbol, gt_answer_value (f, &a, k), is_nan ? NAN : 0);
  clear_answer (&expected);
  memcpy (expected.value, a.value, (size_t) has[f->answers].values * gt_types[f->type].size);
  memset (expected.index, 0, (size_t) has[f->answers].indexes * sizeof *expected.index);
  if (!same_answers (f->type, &a, &expected))
    fail_msg ("%s of no elements: other indexes, or more than is answered", f->symbol);
  if (handler_calls != is_error || (is_error && handler_code != GSL_EDOM))
    fail_msg ("%s of no elements: the handler was called %d times, with %d",
              f->symbol, handler_calls, handler_code);
}

#define GT_TEMPLATE "tests/functions_of_type.inc"
#include "src/each_type.h"

static const size_t strides[] = {1, 2, 3, 17};
static const size_t lengths[]
  = {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 23, 24, 25, 26, 31, 32, 33, 47, 48, 49,
     63, 64, 65, 100, 255, 256, 1000, 4097, 20011};

/* { rows, columns, from row to row }  */
static const size_t shapes[][3]
  = {{1, 1, 1},     {1, 1, 3},    {1, 7, 9},     {7, 1, 1},    {7, 1, 4},
     {3, 4, 4},     {3, 4, 5},    {5, 5, 8},     {4, 6, 7},    {5, 5, 5},
     {1, 100, 200}, {100, 1, 17}, {2, 100, 100}, {2, 100, 103}, {100, 2, 5},
     {33, 65, 65},  {33, 65, 66}, {300, 70, 75}, {13, 2000, 2048}};

TEST (vectors_as_gsl)
{
  for (size_t k = 0; k < N_OF (lengths); k++)
    for (size_t s = 0; s < N_OF (strides); s++)
      {
#define X(id, type, infix, ctype, arithmetic) \
        vectors##infix (lengths[k], strides[s]);
        GT_ELEMENT_TYPES (X)
#undef X
      }
}

/* Several threads share these.  */
TEST (long_vectors_as_gsl)
{
#define X(id, type, infix, ctype, arithmetic) \
  vectors##infix (((size_t) 5 << 20) / sizeof (ctype), 1);
  GT_ELEMENT_TYPES (X)
#undef X
}

TEST (matrices_as_gsl)
{
  for (size_t k = 0; k < N_OF (shapes); k++)
    {
#define X(id, type, infix, ctype, arithmetic) \
      matrices##infix (shapes[k][0], shapes[k][1], shapes[k][2]);
      GT_ELEMENT_TYPES (X)
#undef X
    }
}

TEST (no_elements)
{
  static const size_t empty_shapes[][2] = {{0, 0}, {0, 3}, {3, 0}};
  gsl_error_handler_t *before = gsl_set_error_handler (note_error);

  for (size_t k = 0; k < N_OF (empty_shapes); k++)
    {
      const struct gt_operands o
        = {.stride = {1 + k, 1 + k}, .rows = empty_shapes[k][0],
           .columns = empty_shapes[k][1], .tda = 5, .given = {1, 2}};

      for (int type = 0; type < GT_N_ELEMENT_TYPES; type++)
        for (size_t i = 0; i < gt_listed[type].count; i++)
          if (gt_listed[type].function[i].family != GT_OF_DEVICE_VECTOR
              && gt_listed[type].function[i].family != GT_OF_BLAS)
            compare_empty (&gt_listed[type].function[i], &o);
    }
  gsl_set_error_handler (before);
}

/* GSL's own handler ends the program.  */
TEST (no_elements_with_gsls_handler)
{
  gsl_vector nothing = {0, 1, NULL, NULL, 0};
  pid_t child = fork ();
  int status;

  assert_true (child >= 0);
  if (child == 0)
    {
      close (STDERR_FILENO);
      gsltune_vector_max (&nothing);
      _exit (0);
    }
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGABRT);
}

/* -------------------------------------------------------------- Magnitudes */

/* A number larger than anything lies behind NaN, or nothing does.  */
TEST (edges_of_magnitudes)
{
  double x[100];
  gsl_vector v = {0, 1, x, NULL, 0};
  gsl_vector_float none = {0, 1, NULL, NULL, 0};

  for (size_t i = 0; i < N_OF (x); i++)
    x[i] = NAN;
  assert_int_equal (gsltune_blas_isamax (&none), 0);
  assert_true (gsltune_blas_sasum (&none) == 0);
  for (v.size = 0; v.size <= N_OF (x); v.size++)
    {
      assert_int_equal (gsltune_blas_idamax (&v), 0);
      if (v.size == 0)
        continue;
      x[v.size - 1] = -DBL_MIN / 4;
      assert_int_equal (gsltune_blas_idamax (&v), v.size - 1);
      x[v.size - 1] = NAN;
    }
}

/* ------------------------------------------------------------------------- */

FIXTURE (make_fence)
{
  const size_t bytes = (size_t) 8 << 20, page = (size_t) getpagesize ();
  char *memory = mmap (NULL, bytes + page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED || mprotect (memory + bytes, page, PROT_NONE))
    return -1;
  fence_end = memory + bytes;
  return 0;
}

int
main (void)
{
  /* No profile of the user's decides, and more threads than one compute.  */
  gt_env.profile_dir = "/nonexistent";
  return run_unit_tests (make_fence, NULL);
}
