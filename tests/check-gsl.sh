#!/bin/sh
# GSL's own test programs, plain and under `gsltune run' in every mode:
#
#   make check-gsl GSL_TESTS=DIR [GSL_PROGRAMS='vector linalg'] [GSL_REPEATS=5]
#
# DIR is a source tree of GSL, or the part of one that the programs need.  They
# are built for the GSL that gsltune was configured with, in a scratch folder.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

LC_ALL=C
export LC_ALL
unset LD_PRELOAD GSLTUNE_MODE GSLTUNE_PRELOAD GSL_TEST_VERBOSE GSL_IEEE_MODE

# Those of GSL's test programs whose library functions, or who themselves, call
# functions that are taken, quick ones first.
all='vector matrix statistics multimin multiroots multifit linalg rstat movstat
filter randist sort histogram cblas multilarge multilarge_nlinear multifit_nlinear spblas
splinalg eigen bspline'
modes='auto exact compensated fast gsl'

stop ()
{
  echo "check-gsl: $*" >&2
  exit 2
}

gsltune=$(cd "${builddir:-.}" && pwd)/gsltune
[ -x "$gsltune" ] || stop "there is no $gsltune: run make first"
[ -n "${GSL_TESTS-}" ] || stop "which sources? make check-gsl GSL_TESTS=DIR," \
  'where DIR is the folder of a source tree of GSL'
tests=$(cd "$GSL_TESTS" 2>/dev/null && pwd) \
  || stop "$GSL_TESTS is no folder that can be read"
repeats=${GSL_REPEATS:-1}
case $repeats in
*[!0-9]* | 0*) stop "GSL_REPEATS=$repeats: give a number from 1 on" ;;
esac

programs=
for p in ${GSL_PROGRAMS:-$all}; do
  if [ -f "$tests/$p/test.c" ]; then
    programs="$programs $p"
  elif [ -n "${GSL_PROGRAMS-}" ]; then
    stop "$tests/$p/test.c is missing"
  fi
done
[ -n "$programs" ] || stop "$tests has no test program of GSL: it should have" \
  'vector/test.c, statistics/test.c and others, as a source tree of GSL has'

scratch=$(mktemp -d "${TMPDIR:-/tmp}/gsltune-check-gsl.XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM

# ------------------------------------------------------------------- Building

# What a configured tree tells its tests of the system.
cat >"$scratch/config.h" <<'END'
#define HAVE_VPRINTF 1
#define STDC_HEADERS 1
#define HAVE_UNISTD_H 1
#define HAVE_STDLIB_H 1
#define HAVE_PRINTF_LONGDOUBLE 1
#define HAVE_IEEE_COMPARISONS 1
#define HAVE_IEEE_DENORMALS 1
#define RELEASED 1
#define PACKAGE "gsl"
#define GSL_RANGE_COND(x) (x)
END

# build PROGRAM: the headers of the installed GSL come before those of the tree,
# which may be of another version.
# shellcheck disable=SC2086 # the compiler, flags and files are words
build ()
{
  case $1 in
  statistics) more='test_nist.c test_robust.c' ;;
  multimin | multiroots) more=test_funcs.c ;;
  cblas) more='test_*.c' ;;
  histogram) more='test1d*.c test2d*.c' ;;
  *) more= ;;
  esac
  (cd "$tests/$1" \
    && ${CC:-cc} -O2 -w -I"$scratch" ${GSL_CFLAGS-} -idirafter "$tests" test.c \
      $more -o "$scratch/$1" ${GSL_LIBS:--lgsl -lgslcblas -lm}) \
    >"$scratch/messages" 2>&1 && return
  cat "$scratch/messages" >&2
  stop "$tests/$1/test.c cannot be built"
}

# Of these numbers GSL's loop makes 0; a few would be left to it.
cat >"$scratch/served.c" <<'END'
#include <gsl/gsl_blas.h>
int
main (void)
{
  double numbers[500] = {1e16, 1, -1e16}, ones[500] = {1, 1, 1}, result;
  gsl_vector_view x = gsl_vector_view_array (numbers, 500);
  gsl_vector_view y = gsl_vector_view_array (ones, 500);

  gsl_blas_ddot (&x.vector, &y.vector, &result);
  return result != 1;
}
END

# shellcheck disable=SC2086
check_that_it_serves ()
{
  ${CC:-cc} ${GSL_CFLAGS-} "$scratch/served.c" -o "$scratch/served" \
    ${GSL_LIBS:--lgsl -lgslcblas -lm} \
    || stop 'a program that calls GSL cannot be built'
  "$scratch/served" && stop 'this GSL makes exact dot products by itself'
  "$gsltune" run --mode exact -- "$scratch/served" \
    || stop "the program that $gsltune runs is not served"
}

# -------------------------------------------------------------------- Running

# run PROGRAM MODE: leaves its output in PROGRAM.MODE, and what failed, sorted, in
# PROGRAM.MODE.failed: GSL's lines without the numbers that were observed; the
# seconds of the processor are appended to PROGRAM.MODE.seconds.
run ()
{
  if [ "$2" = plain ]; then
    set -- "$1" "$2" "$scratch/$1"
  else
    set -- "$1" "$2" "$gsltune" run --mode "$2" -- "$scratch/$1"
  fi
  result=$scratch/$1.$2
  (
    shift 2
    cd "$scratch" || exit
    "$@" >"$result" 2>&1
    echo $? >"$result.status"
    times >"$result.times"
    sed -n 2p "$result.times" | tr 'ms' '  ' \
      | awk '{ print 60 * ($1 + $3) + $2 + $4 }' >>"$result.seconds"
  )
  sed -n 's/^FAIL: //p' "$result" | sed 's/ (.*//; s/ \[[0-9]*\]$//' \
    | sort >"$result.failed"
  case $(cat "$result.status") in
  0) ;;
  1) [ -s "$result.failed" ] || echo 'exit status 1' >"$result.failed" ;;
  *) echo "exit status $(cat "$result.status")" >>"$result.failed" ;;
  esac
}

# beyond PROGRAM MODE: how many fail that do not fail plain; these are left in the
# file new.
beyond ()
{
  comm -13 "$scratch/$1.plain.failed" "$scratch/$1.$2.failed" >"$scratch/new"
  wc -l <"$scratch/new" | tr -d ' '
}

checks ()
{
  sed -n 's/^Completed \[\([0-9]*\)\/.*/\1/p' "$scratch/$1.plain"
}

fastest ()
{
  sort -n "$scratch/$1.$2.seconds" | sed 1q
}

ratio ()
{
  awk -v a="$(fastest "$1" "$2")" -v b="$(fastest "$1" plain)" \
    'BEGIN { if (b < 0.05) print "-"; else printf "%.2f", a / b }'
}

# ------------------------------------------------------------------ The table

print_row ()
{
  printf '%-18s %10s %6s' "$1" "$2" "$3"
  shift 3
  printf ' %7s %7s %7s %7s %7s  ' "$1" "$2" "$3" "$4" "$5"
  shift 5
  printf ' %8s %7s %7s %7s %7s %7s\n' "$@"
}

report ()
{
  set -- "$1" "$(checks "$1")" "$(wc -l <"$scratch/$1.plain.failed" | tr -d ' ')"
  set -- "$1" "${2:-?}" "$3"
  for m in $modes; do
    set -- "$@" "$(beyond "$1" "$m")"
  done
  set -- "$@" "$(printf '%.2f' "$(fastest "$1" plain)")"
  for m in $modes; do
    set -- "$@" "$(ratio "$1" "$m")"
  done
  print_row "$@"
}

check_that_it_serves
echo "GSL's tests of $tests: failures, those under gsltune run beyond the plain" \
  'ones, and seconds of'
echo "the processor, best of $repeats, those under gsltune run over the plain ones"
echo
# shellcheck disable=SC2086 # a word a mode
print_row program checks plain $modes 'plain, s' $modes
passed=0
failed=0
for p in $programs; do
  build "$p"
  k=0
  while [ "$k" -lt "$repeats" ]; do
    for m in plain $modes; do
      run "$p" "$m"
    done
    k=$((k + 1))
  done
  report "$p"
  for m in $modes; do
    if [ "$(beyond "$p" "$m")" -eq 0 ]; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "$p in mode $m, failing:"
      grep -F -f "$scratch/new" "$scratch/$p.$m" | sed 10q
      grep '^exit' "$scratch/new"
    fi
  done
done
echo
echo "# PASS: $passed"
echo "# FAIL: $failed"
exit $((failed > 0))
