/* Shared by the tests of lines on the host and on GPUs; ON_DEVICE is 1 where these compute.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_LINES_OF_H
#define GT_TEST_LINES_OF_H

#define MOST 5000

#if !defined ON_DEVICE
#define ON_DEVICE 0
#endif

enum way { ROWS, COLUMNS, SEGMENTS, N_WAYS };
enum data { NEAR, FEW_BITS, HALVES, APART, HUGE_ONES, TINY_ONES, CANCELLING, NOT_FINITE, N_DATA };

#define IF_EITHER(a, b, ...) IF_EITHER_ (a, b, __VA_ARGS__)
#define IF_EITHER_(a, b, ...) IF_##a##b (__VA_ARGS__)
#define IF_00(...)
#define IF_01(...) __VA_ARGS__
#define IF_10(...) __VA_ARGS__
#define BLAS_BY(letter, name) BLAS_BY_ (letter, name)
#define BLAS_BY_(letter, name) gsltune_blas_##letter##name

/* Types that have a form for streams.  */
#define STREAMS_DOUBLE 1
#define STREAMS_FLOAT 1
#define STREAMS_INT 1

#if !ON_DEVICE
#include <gsl/gsl_statistics.h>
#include <mpfr.h>

/* Half of the sum of A and B, which are cleared, rounded once to double.  */
static double
half_of_sum (mpfr_t a, mpfr_t b)
{
  mpfr_t sum;
  double half;
  int ternary;

  mpfr_init2 (sum, 53);
  ternary = mpfr_add (sum, a, b, MPFR_RNDN);
  mpfr_div_2ui (sum, sum, 1, MPFR_RNDN);
  mpfr_set_emin (-1073);
  mpfr_set_emax (1024);
  ternary = mpfr_check_range (sum, ternary, MPFR_RNDN);
  mpfr_subnormalize (sum, ternary, MPFR_RNDN);
  half = mpfr_get_d (sum, MPFR_RNDN);
  mpfr_set_emin (mpfr_get_emin_min ());
  mpfr_set_emax (mpfr_get_emax_max ());
  mpfr_clears (a, b, sum, (mpfr_ptr) NULL);
  return half;
}
#endif

#if ON_DEVICE
/* Whether results are put into a stream, where they can be; with this scratch memory, or null.  */
static int into_stream;
static gsltune_scratch *scratch;
#endif

#define GT_TEMPLATE "tests/lines_of.inc"
#include "src/each_type.h"

#endif
