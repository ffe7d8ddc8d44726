#!/bin/sh
# tests/check-gsl.sh, with programs that are not GSL's.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

script=$data/../check-gsl.sh
builddir=$build
export builddir
unset GSL_PROGRAMS GSL_REPEATS

# judge [NAME=VALUE]...
judge ()
{
  env "$@" sh "$script" >out 2>err
  status=$?
}

# refused MESSAGE
refused ()
{
  [ "$status" -eq 2 ] && [ ! -s out ] && [ "$(cat err)" = "check-gsl: $1" ]
}

judge GSL_TESTS=
check 'no folder is named' refused 'which sources? make check-gsl'\
' GSL_TESTS=DIR, where DIR is the folder of a source tree of GSL'
judge GSL_TESTS=./missing
check 'no such folder' refused './missing is no folder that can be read'
mkdir tree
judge GSL_TESTS=tree
check 'no sources' refused "$PWD/tree has no test program of GSL: it should"\
' have vector/test.c, statistics/test.c and others, as a source tree of GSL has'
judge GSL_TESTS=tree GSL_PROGRAMS=eigen
check 'not this program' refused "$PWD/tree/eigen/test.c is missing"
mkdir tree/vector tree/multimin
echo 'int main (void) { return 0 }' >tree/vector/test.c
judge GSL_TESTS=tree GSL_REPEATS=no
check 'no number' refused 'GSL_REPEATS=no: give a number from 1 on'

if $NM -D "$builddir/.libs/gsltune-preload.so" | grep -q __asan; then
  skip 'programs' 'a sanitizer is in what is preloaded'
  finish
fi

judge GSL_TESTS=tree
check 'what cannot be built' says 2 err \
  "^check-gsl: $PWD/tree/vector/test.c cannot be built\$"

# One check fails plain, and another where a dot product is exact, perhaps in the
# other modes, too.
cat >tree/vector/test.c <<'END'
#include <config.h>
#include <stdio.h>
#include <gsl/gsl_blas.h>
int
main (void)
{
  double numbers[500] = {1e16, 1, -1e16}, ones[500] = {1, 1, 1}, result;
  gsl_vector_view x = gsl_vector_view_array (numbers, 500);
  gsl_vector_view y = gsl_vector_view_array (ones, 500);

  printf ("FAIL: always (%p observed vs 0 expected) [1]\n", (void *) &x);
  gsl_blas_ddot (&x.vector, &y.vector, &result);
  if (result != 0)
    printf ("FAIL: dot (%g observed vs 0 expected) [2]\n", result);
  return 1;
}
END
cat >tree/multimin/test.c <<'END'
#include <templates_on.h>
#include <stdio.h>
int other (void);
int
main (void)
{
  printf ("Completed [7/7]\n");
  return other ();
}
END
echo 'int other (void) { return 0; }' >tree/multimin/test_funcs.c
: >tree/templates_on.h
judge GSL_TESTS=tree GSL_REPEATS=2
check 'what fails plain is not counted' says 1 out '^vector ? 1 1 [01] [01] 0 '
check 'what fails is told' says 1 out '^FAIL: dot (1 observed'
check 'and nothing else' [ "$(grep -c '^FAIL: always' out)" -eq 0 ]
check 'a program of several files' says 1 out '^multimin 7 0 0 0 0 0 '
judge GSL_TESTS=tree GSL_PROGRAMS=multimin
check 'one program' says 0 out '^# PASS: 4$'
echo 'int other (void) { __builtin_trap (); }' >tree/multimin/test_funcs.c
judge GSL_TESTS=tree GSL_PROGRAMS=multimin
check 'what crashes plain may crash' says 0 out '^multimin ? 1 0 0 0 0 '
cat >tree/multimin/test_funcs.c <<'END'
#include <stdlib.h>
int other (void) { return getenv ("GSLTUNE_MODE") ? 3 : 0; }
END
judge GSL_TESTS=tree GSL_PROGRAMS=multimin
check 'a crash under gsltune run is a failure' says 1 out \
  '^multimin 7 0 1 1 1 0 '
finish
