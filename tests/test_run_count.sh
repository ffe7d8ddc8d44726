#!/bin/sh
# gsltune run --count and --report: what a program is told to have called, however it
# ends, and what could not be reached.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
. "$data/../preload.sh"

json_get=$(dirname "$gsltune")/tests/json_get
watched=$(dirname "$gsltune")/tests/watched
unset GSLTUNE_WATCH
# A signal is to end the program, not to be explained.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
export ASAN_OPTIONS
status=
: >out
: >err

# get PATH: of the JSON.
get ()
{
  "$json_get" "$1" <json 2>/dev/null
}

# of FUNCTION PATH: the same below a function, whose place depends on its time.
of ()
{
  place=$(get 'functions.*.function' | grep -n -x "$1" | cut -d: -f1)
  get "functions.$((${place:-0} - 1)).$2"
}

# from FUNCTION SYMBOL PATH: the same below one of its callers.
from ()
{
  place=$(of "$1" 'callers.*.symbol' | grep -n -x "$2" | cut -d: -f1)
  of "$1" "callers.$((${place:-0} - 1)).$3"
}

# counts ARGUMENT...: runs the program, counted.
counts ()
{
  rm -f json
  tuned --count --json json -- "$watched" "$@"
}

reports ()
{
  rm -f json
  tuned --report --json json "$@"
}

# -------------------------------------------------------------- The numbers

counts calls
check 'the status and the output are those of the program' \
  says 3 out '^[0-9.e+]*$'
check 'nothing else is on standard output' is "$(wc -l <out)" 1
is_equal ()
{
  "$watched" calls >plain
  cmp -s plain out
}
check 'GSL computes' is_equal
check 'one process' is "$(get processes)" 1
check 'means that the program asks for' is "$(of gsl_stats_mean calls)" 12
check 'and those that GSL does' is "$(of gsl_stats_mean nested_calls)" 3
check 'its caller' is "$(from gsl_stats_mean sum_means calls)" 12
check 'the object of the caller' \
  is "$(basename "$(from gsl_stats_mean sum_means object)")" watched
check 'a nested call and its caller' \
  is "$(from gsl_stats_mean gsl_stats_variance nested)" true
check 'which is in GSL, though it ended with the call' is "$(from gsl_stats_variance_m gsl_stats_variance object \
  | sed 's|.*/||; s/[.]so.*//')" libgsl
check 'lengths by powers of two' is \
  "$(of gsl_stats_mean 'lengths.*.from' | tr '\n' ' ')" '8 64 '
check 'calls of each' is \
  "$(of gsl_stats_mean 'lengths.*.calls' | tr '\n' ' ')" '7 5 '
check 'elements' is \
  "$(of gsl_stats_mean 'lengths.*.elements' | tr '\n' ' ')" '70 500 '
check 'strides' is "$(from gsl_stats_mean sum_means largest_stride)" 3
check 'calls of a stride' is \
  "$(of gsl_stats_mean 'lengths.*.strided_calls' | tr '\n' ' ')" '0 5 '
check 'dot products' is "$(of gsl_blas_ddot calls)" 40
check 'a matrix is counted as one array' is \
  "$(of gsl_matrix_max lengths.0.elements)" 200
check 'the type' is "$(of gsl_blas_ddot type)" double
check 'all calls' is "$(get calls)" 62
check 'the program' is "$(get program.1)" calls
check 'its end' is "$(get exit_status)" 3
check 'the table for people' says 3 err '^gsl_stats_mean double'
check 'what modes would save' says 3 err 'gsltune run --mode exact would'
check 'what a length would save' test -n "$(of gsl_stats_variance \
  lengths.0.saved_seconds.fast)"

tuned --count --not mean --json json -- "$watched" long 3 100000
check 'what is left to GSL saves nothing' is "$(get saved_seconds.fast)" 0.0
counts long 3 100000
check 'all calls of long vectors are timed' is "$(of gsl_stats_mean calls)" 3
positive ()
{
  case $1 in
  0 | 0.0 | -* | '') return 1 ;;
  esac
}
check 'and take time' positive "$(of gsl_stats_mean seconds)"
counts nothing
check 'no calls' says 0 err \
  'watched called none of the functions of GSL that gsltune has'

# ------------------------------------------------- Processes, and their ends

counts threads
check 'threads' is "$(of gsl_stats_mean calls)" 4000
counts children
check 'children' is "$(of gsl_stats_mean calls)" 31
check 'are processes' is "$(get processes)" 4
counts exec "$watched" calls
check 'a program that becomes another' is "$(of gsl_stats_mean calls)" 14
check 'is two programs' is "$(get programs)" 2
counts daemon
check 'one that closes all descriptors' is "$(of gsl_stats_mean calls)" 6
counts _exit 5
check '_exit' says 5 err 'called 1 function of GSL 2 times'
# The shell's own message of a signal goes to its own standard error.
for signal in 6 9 11 15; do
  { counts signal $signal; } 2>shell
  check "signal $signal ends both" is "$status" $((128 + signal))
  check "after the report" is "$(of gsl_stats_mean calls)" 2
  check "which has the signal" is "$(get signal)" $signal
done
# The outer one sees how the inner one ends.
tuned --count --json json -- "$gsltune" run --count -- "$watched" signal 9
check 'the same signal, not a status like it' is "$(get signal)" 9
check 'which knows that its own calls are counted' says 137 err \
  'this gsltune is itself run under gsltune run'
check 'no core file of its own' test ! -e core
counts term
check 'a signal is passed on' is "$status/$(of gsl_stats_mean calls)" 0/1
counts int
check 'SIGINT is for the program' is "$status/$(of gsl_stats_mean calls)" 0/1
counts jump
check 'a handler that jumps' is "$(of gsl_stats_mean calls)" 2

# A pipe: who reads it sees the end when the program has ended.
rm -f json
tuned --count --json json -- sh -c "$watched calls; $watched calls; exit 4"
check 'programs that a shell starts' is "$status/$(get calls)" 4/124

# ------------------------------------------------------------------ Usage

run run --count -- ./missing
check 'no such program' failed 127 \
  './missing cannot be run: No such file or directory'
: >text
run run --report -- ./text
check 'no program' failed 126 './text cannot be run: Permission denied'
run run --count --report -- true
check 'both' failed 2 "--count calls GSL's functions and --report gsltune's: give\
 one of the two"
run run --count --mode fast -- true
check 'a mode' failed 2 \
  '--count tells what every mode would save: leave --mode out'
run run --json json -- true
check 'nothing to write' failed 2 '--json goes with --count or --report'
run run --count --json ./no/json -- touch ran
check 'a file that cannot be written' failed 1 \
  '--json: ./no/json cannot be written: No such file or directory'
check 'is found out before the program runs' test ! -e ran

# ---------------------------------------------------------------- The report

reports -- "$watched" calls
check 'a report' says 3 err 'called 4 functions of GSL 56 times'
check 'few elements on the spot' is \
  "$(of gsl_blas_ddot outcomes.in-place)" 40
check 'what ours calls is not GSL' is "$(of gsl_stats_mean nested_calls)" 0
reports -- "$watched" long 2 3000000
check 'many by plan' is "$(of gsl_stats_mean outcomes.cpu)" 2
reports --not mean -- "$watched" calls
check 'what is not wanted' is "$(of gsl_stats_mean outcomes.unwanted)" 12
check 'is told' says 3 err '^unwanted: '
reports -- "$watched" jump
check 'no elements' is "$(of gsl_vector_max outcomes.undefined)" 1
check 'do not spoil what comes after' is \
  "$(of gsl_stats_mean outcomes.in-place)" 2

# ------------------------------------------------------------------- GPUs

if [ -n "$softgpu" ]; then
  SOFTGPU_DEVICE=$data/../devices/h200.json
  GSLTUNE_DEVICE=cuda
  export SOFTGPU_DEVICE GSLTUNE_DEVICE
  reports -- "$watched" plain 2 3000000
  unset SOFTGPU_DEVICE GSLTUNE_DEVICE
  check 'a GPU, and how the data reached it' is \
    "$(of gsl_vector_sum outcomes.staged)" 2
  check 'is told' says 0 err '^staged: '
else
  skip 'a GPU' 'built without CUDA'
fi

# ------------------------------------------------------ What is not reached

cat >plug-in.c <<'END'
#include <gsl/gsl_statistics.h>
double plug_in_mean (const double *x, size_t n)
{
  return gsl_stats_mean (x, 1, n);
}
END
cat >static.c <<'END'
#include <gsl/gsl_statistics.h>
int main (void)
{
  double x[] = {1, 2};
  return gsl_stats_mean (x, 1, 2) != 1.5;
}
END
if $CC $GSL_CFLAGS -shared -fPIC -o plug-in.so plug-in.c -lgsl -lgslcblas -lm \
  2>cc.log; then
  reports -- "$watched" plug-in ./plug-in.so local
  check 'a plug-in' is "$(of gsl_stats_mean calls)" 2
  check 'is reached' is "$(get not_reached)" '[]'
  reports -- "$watched" plug-in ./plug-in.so deep
  if [ "$(of gsl_stats_mean calls)" = 1 ]; then
    check 'one with RTLD_DEEPBIND is not' \
      says 0 err 'not reached: plug-in.so: 1 function is bound'
    check 'which the JSON says too' \
      is "$(get 'not_reached.*.example' | sort -u)" gsl_stats_mean
  else
    skip 'RTLD_DEEPBIND' 'this C library, or a sanitizer, has none'
  fi
else
  skip 'plug-ins' 'no compiler'
fi
if $CC $GSL_CFLAGS -o static static.c -static -lgsl -lgslcblas -lm 2>cc.log; then
  reports -- ./static
  check 'a static program' says 0 err \
    'not reached: static: it is linked statically: no loader serves it'
  check 'and its own functions' says 0 err \
    'static: it has [0-9]* of GSL.s functions of its own'
else
  skip 'a static program' 'no static libraries'
fi
archive=$($CC -print-file-name=libgsl.a)
if [ -e "$archive" ] \
  && $CC $GSL_CFLAGS -o half static.c "$archive" -lgslcblas -lm 2>cc.log; then
  tuned --count --json json -- ./half
  check 'a static libgsl alone' says 0 err \
    'half: it has [0-9]* of GSL.s functions of its own'
else
  skip 'a static libgsl' 'there is none'
fi
printf '#!%s calls\n' "$watched" >script
chmod +x script
rm -f json
tuned --count --json json -- ./script
check 'a script' is "$status/$(get programs)" 3/1

# -------------------------------------------- Programs that spoil what is shared

# shellcheck disable=SC2016 # the program's shell expands this
memory='memory=${GSLTUNE_WATCH#count:}'
counts calls
says_calls=$(get calls)
tuned --count --json json -- sh -c \
  '"$0" calls; '"$memory"'; tr "\0" y </dev/zero | dd of="$memory" bs=1024 \
     seek=1 count=1500 iflag=fullblock conv=notrunc status=none; exit 3' \
  "$watched"
check 'names of callers that never end' is "$status/$(get calls)" \
  "3/$says_calls"
tuned --count --json json -- sh -c \
  "$memory"'; (: >"$memory") 2>/dev/null; exit 3'
check 'memory that is cut off' is "$status/$(get calls)" 3/0

finish
