#!/bin/sh
# gsltune run: what is preloaded, for whom, and what wrong usage says.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
. "$data/../preload.sh"

# ------------------------------------------------------------- The object

$NM -D --defined-only "$object" 2>err | awk '{ print $NF }' | sort -u >exported
awk -v form=names -v gsl=1 -f "$data/../../doc/functions.awk" \
  "$data/../../src/functions.def" "$data/../../src/procedures.def" 2>>err | grep -v long_double \
  | sed 's/^gsltune_/gsl_/; $a dlclose\ngsl_error\npthread_create' | sort -u >listed
status=
diff listed exported >out
# The others find out which GSL a caller is bound to, and take samples for --count and --report.
check 'it offers what functions.def and procedures.def list but for long doubles, and three more' [ ! -s out ]

# ------------------------------------------------------------ The program

# shellcheck disable=SC2016 # the program expands it
tuned -- sh -c 'echo "$LD_PRELOAD/$GSLTUNE_MODE/$GSLTUNE_PRELOAD/$1"' x word
check 'the program gets the object and its arguments' \
  succeeded "${sanitizer:+$sanitizer:}$object///word"
others=$sanitizer
sanitizer=${others:-$object}
# shellcheck disable=SC2016
tuned sh -c 'echo "$LD_PRELOAD"'
check 'what was preloaded before comes before' \
  succeeded "$sanitizer:$object"
sanitizer=$others
# shellcheck disable=SC2016
tuned --mode fast --only 'sum, dot' --not gsl_blas_sdot sh -c \
  'echo "$GSLTUNE_MODE/$GSLTUNE_PRELOAD"'
check 'what is wanted' succeeded 'fast/sum,dot,-gsl_blas_sdot,'
# shellcheck disable=SC2016
GSLTUNE_MODE=compensated tuned --mode dot=fast --mode 'gemm=gsl sum=exact' -- \
  sh -c 'echo "$GSLTUNE_MODE/$GSLTUNE_PRELOAD"'
check 'modes of functions' succeeded 'compensated,dot=fast,gemm=gsl sum=exact/'
# shellcheck disable=SC2016
GSLTUNE_MODE=compensated,dot=fast tuned --mode exact --mode gsl_blas_dgemm=fast -- \
  sh -c 'echo "$GSLTUNE_MODE/$GSLTUNE_PRELOAD"'
check 'a mode of all functions takes the place of what was' \
  succeeded 'exact,gsl_blas_dgemm=fast/'
# shellcheck disable=SC2016
tuned --mode fast,gsl,dot=fast -- sh -c 'echo "$GSLTUNE_MODE/$GSLTUNE_PRELOAD"'
check 'the mode gsl, but for a function' succeeded 'fast,gsl,dot=fast/'
# shellcheck disable=SC2016
tuned --mode gsl -- sh -c 'echo "$GSLTUNE_MODE/$GSLTUNE_PRELOAD"'
check 'the mode gsl' succeeded 'gsl/'
# shellcheck disable=SC2016
tuned --exact-all --mode fast -- sh -c 'echo "$GSLTUNE_MODE/$GSLTUNE_PRELOAD"'
check 'a few elements too' succeeded 'fast/exact-all,'
# shellcheck disable=SC2016
GSLTUNE_PRELOAD=blas,-dot tuned --mode gsl -- sh -c 'echo "$GSLTUNE_PRELOAD"'
check 'with what the environment wants' succeeded 'blas,-dot,'
# shellcheck disable=SC2016
GSLTUNE_PRELOAD=blas,-dot tuned --not "$(printf 'sum\tmean')" -- \
  sh -c 'echo "$GSLTUNE_PRELOAD"'
check 'options want something else' succeeded '-sum,-mean,'
tuned -- sh -c 'exit 7'
exits ()
{
  [ "$status" -eq "$1" ] && [ ! -s out ] && [ ! -s err ]
}
check "the program's exit status" exits 7
tuned -- ./missing
check 'no such program' failed 127 \
  './missing cannot be run: No such file or directory'
: >here
chmod +x here
tuned -- here
check 'a program of this folder' failed 127 \
  'here cannot be run: No such file or directory in PATH: say ./here'
rm here
: >text
tuned -- ./text
check 'no program' failed 126 './text cannot be run: Permission denied'
echo 'int main (void) { return 5; }' >five.c
if $CC -static -o five five.c 2>cc.log; then
  tuned -- ./five
  check 'a static program runs, and cannot be reached' failed 5 \
    './five is not reached: it is linked statically: no loader serves it'
else
  skip 'a static program' 'no static libraries'
fi
if [ -z "$sanitizer" ] && $CC -fsanitize=address -o five five.c 2>cc.log && ./five 2>cc.log; [ $? -eq 5 ]; then
  tuned -- ./five
  check 'a program with AddressSanitizer runs' exits 5
  tuned -- sh -c ./five
  check 'and as a child' exits 5
  # shellcheck disable=SC2016
  ASAN_OPTIONS=detect_leaks=0 tuned -- sh -c 'echo "$ASAN_OPTIONS"'
  check 'with the options that it had' succeeded verify_asan_link_order=0:detect_leaks=0
else
  skip 'AddressSanitizer' 'the compiler has none'
fi
tuned
check 'no program is named' failed 2 'the program to run is missing: say gsltune run -- PROGRAM [ARGUMENT]...'
tuned --only sums -- true
check 'an unknown function' failed 2 "--only: 'sums' names no function: give\
 sum, dot, mean, ..., a function such as gsl_blas_ddot, or a family: vector, blas, stats, matrix,\
 sort, linalg or eigen"
tuned --mode exact --mode dot=fast,sums=fast -- true
check 'a mode of an unknown function' says 2 err "^gsltune: --mode: 'sums' names no function: "
for mode in dot=quick quick dot= '=fast ,dot=fa'; do
  tuned --mode "$mode" -- true
  check "an unknown mode, $mode" says 2 err "^gsltune: --mode: .*\\(unknown mode\\|names no\\)"
done
tuned --mode ', ' -- true
check 'no mode' says 2 err "^gsltune: --mode: the list is empty"
tuned --only ' ,' -- true
check 'no function' says 2 err "^gsltune: --only: the list is empty"
tuned --not -dot -- true
check 'a sign' says 2 err "^gsltune: --not: '-dot' names no function"
finish
