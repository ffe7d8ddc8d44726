#!/bin/sh
# gsltune run --count and --report: what a program is told to have called, however it
# ends, and what could not be reached.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

# A shell cannot restore signals that were ignored when it began, as nohup has it.
if [ -z "${signals_restored-}" ] && env --default-signal true 2>/dev/null; then
  exec env --default-signal signals_restored=yes "${SHELL:-/bin/sh}" "$0"
fi
. "${srcdir:-.}/tests/tap.sh"
. "$data/../preload.sh"

watched=$build/tests/watched
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
check 'a nested call that its caller ended with' test "$(of gsl_stats_variance_m nested_calls)" -gt 0
check 'lengths by powers of two' is \
  "$(of gsl_stats_mean 'lengths.*.from' | tr '\n' ' ')" '16 64 '
check 'calls of each' is \
  "$(of gsl_stats_mean 'lengths.*.calls' | tr '\n' ' ')" '7 5 '
check 'elements' is \
  "$(of gsl_stats_mean 'lengths.*.elements' | tr '\n' ' ')" '140 500 '
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
check 'what modes would save' says 3 err 'gsltune: auto would make the whole run about'
check 'a few elements are left to GSL' is "$(get few_calls)" 40
check 'save nothing' is \
  "$(of gsl_blas_ddot lengths.0.saved_seconds.exact)" 0.0
check 'and this is told' says 3 err '40 of the calls are of a few elements'
check 'what a length would save' test -n \
  "$(get 'functions.0.lengths.*.saved_seconds.fast')"

counts columns
check 'calls whose second operand has a stride' \
  is "$(of gsl_blas_ddot lengths.0.strided_calls)" 9
check 'the strides of both' is "$(of gsl_blas_ddot lengths.0.sum_of_strides)/$(of \
  gsl_blas_ddot lengths.0.sum_of_other_strides)" 9/135
check 'are shown' says 0 err '^gsl_blas_ddot double 32 to 63 9 1, 15 '
check 'in statistics too' says 0 err '^gsl_stats_covariance double 32 to 63 1 3, 2 '
tuned --count --exact-all --json json -- "$watched" calls
check 'if they are taken they are not left' is "$(get few_calls)" 0
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
tuned --count -- "$watched" calls
check 'calls that GSL makes of itself are not shown' \
  is "$(grep -c '^gsl_stats_variance_m ' err)" 0
check 'which is told' says 3 err '^all has calls that these functions make of each other'
# Programs that outnumber the processors take them from each other.
others=
for _ in $(seq "$(nproc)"); do
  sh -c 'while :; do :; done' &
  others="$others $!"
done
counts long 400 1000000
# shellcheck disable=SC2086 # several words
kill $others
check 'a busy machine is told' says 0 err '^gsltune: the machine was busy: '
counts nothing
check 'no calls' says 0 err \
  'watched called none of the functions of GSL that gsltune has'

# ------------------------------------------------------------------ Samples

# Whether at least half of the samples are in a function that is not counted, or under sanitizers, which have
# most of its time, as they stand between it and libm, a tenth.  Of what it calls itself it has a twentieth.
least=2
[ -z "$sanitizer" ] || least=10
is_seen ()
{
  all=$(get samples.all)
  seen=$(get "samples.others.${1:-gsl_sf_bessel_J0}")
  [ "${all:-0}" -ge 20 ] && [ $((least * ${seen:-0})) -ge "$all" ]
}
for where in here thread child; do
  counts beside $where
  check "what is not counted is seen, $where" is_seen
done
check 'and told first' says 0 err \
  'time is in GSL: 0% in functions that gsltune serves, .*% not [(]gsl_sf_bessel_J0'
counts beside libm
check 'what it calls of libm is counted with it' is_seen gsl_complex_sin
counts exec "$watched" beside here
check 'after exec' is_seen
counts signals
check 'a program that catches, blocks and waits for all signals gets none' is "$status" 0
check 'and is sampled' is_seen
reports -- "$watched" beside thread
check 'in a report' says 0 err '% not [(]gsl_sf_bessel_J0'
counts long 40 1000000
is_served ()
{
  [ $((2 * $(get samples.served))) -ge "$(get samples.all)" ]
}
check 'what is counted is told from it' is_served

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
# By their numbers: HUP, INT, QUIT, USR1, PIPE, ALRM, TERM, VTALRM, and a real-time one.
for signal in 1 2 3 10 13 14 15 26 40; do
  counts arrives $signal
  check "signal $signal is passed on" \
    is "$status/$(of gsl_stats_mean calls)" 0/1
done
counts terminal
check 'but not what the terminal sends to both' \
  is "$status/$(of gsl_stats_mean calls)" 0/1
counts jump
check 'a handler that jumps' is "$(of gsl_stats_mean calls)" 2
counts coroutine
check 'a handler that leaves a coroutine' \
  is "$status/$(of gsl_stats_mean calls)" 0/2
reports -- "$watched" coroutine
check 'is reported' is "$status/$(of gsl_stats_mean calls)" 0/2

# A pipe: who reads it sees the end when the program has ended.
rm -f json
tuned --count --json json -- sh -c "$watched calls; $watched calls; exit 4"
check 'programs that a shell starts' is "$status/$(get calls)" 4/124

# ------------------------------------------------------------------ Usage

fails 'no such program' 127 './missing cannot be run: No such file or directory' \
  run --count -- ./missing
: >text
fails 'no program' 126 './text cannot be run: Permission denied' run --report -- ./text
mkfifo fifo
chmod +x fifo
tuned --count -- ./fifo
check 'a FIFO' failed 126 './fifo cannot be run: Permission denied'
fails 'both' 2 "--count calls GSL's functions and --report gsltune's: give\
 one of the two" run --count --report -- true
fails 'a mode' 2 '--count tells what every mode would save: leave --mode out' \
  run --count --mode fast -- true
fails 'nothing to write' 2 '--json goes with --count or --report' run --json json -- true
run run --count --json ./no/json -- touch ran
check 'a file that cannot be written' failed 1 \
  '--json: ./no/json cannot be written: No such file or directory'
check 'is found out before the program runs' test ! -e ran

# ---------------------------------------------------------------- The report

reports -- "$watched" calls
check 'a report' says 3 err 'called 4 functions of GSL 56 times'
check 'some elements on the spot' is \
  "$(of gsl_stats_mean outcomes.in-place)" 12
check 'a few by GSL' is "$(of gsl_blas_ddot outcomes.few)" 40
check 'is told' says 3 err '^few: '
# shellcheck disable=SC2016 # the program's shell expands this
reports -- sh -c '"$0" calls; sleep 1' "$watched"
check 'a run that GSL hardly matters to would have taken as long' says 0 err \
  '^gsltune: with GSL alone it would have taken about as long, within noise [(][0-9.]* to [0-9.]* times[)]$'
reports --exact-all -- "$watched" calls
check 'or on the spot as well' is "$(of gsl_blas_ddot outcomes.in-place)" 40
check 'what ours calls is not GSL' is "$(of gsl_stats_mean nested_calls)" 0
reports -- "$watched" long 2 3000000
check 'bounds of what was gained' says 0 err \
  '^gsltune: with GSL alone it would have taken about .*long.* [(][0-9.]* to [0-9.]*[):t ]'
check 'many by plan' is "$(of gsl_stats_mean outcomes.cpu)" 2
reports --not mean -- "$watched" calls
check 'what is not wanted' is "$(of gsl_stats_mean outcomes.unwanted)" 12
check 'is told' says 3 err '^unwanted: '
reports --mode exact -- "$watched" matrix
check 'exact products that may be slower' is "$(of gsl_blas_dgemv outcomes.slower)" 5
check 'are told' says 0 err '^slower: '
reports --mode exact --exact-all -- "$watched" matrix
check 'or computed' is "$(of gsl_blas_dgemv outcomes.in-place)" 5
reports -- "$watched" jump
check 'an error' is "$(of gsl_blas_ddot calls)" 1
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
  check 'and nothing is said of its calls' says 0 err \
    'gsltune: static: its calls could not be counted'
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

# A name with an escape sequence, and a message with one.
strange=$(printf 'strange\033]2;title\007')
cp "$watched" "$strange"
tuned --count -- "./$strange" calls
printable ()
{
  says "$1" err "$2" && ! LC_ALL=C grep -q "$(printf '\033')" err
}
check 'a terminal obeys no name of a program' \
  printable 3 'gsltune: strange.]2;title. called'
run sum "$strange.txt"
check 'and none of a file' printable 1 'strange.]2;title..txt'

# ------------------------------------- Memory that the program cannot open

# As another user's, or with numbers of processes of its own.
# shellcheck disable=SC2016 # the program's shell expands this
elsewhere='GSLTUNE_WATCH=${GSLTUNE_WATCH%%:*}:/proc/self/fd/9999'
lost='are not counted: what gsltune run shares with it cannot be opened'
"$watched" mean >plain
for option in --count --report; do
  tuned $option -- sh -c "$elsewhere"' exec "$0" mean' "$watched"
  cp out "computed$option"
  check "memory that cannot be opened is told: $option" says 0 err "$lost"
done
check 'what was to be counted is not computed by ours' cmp -s plain computed--count
! cmp -s plain computed--report
check 'what was to be reported is' is $? 0
tuned --count -- "$watched" mean
check 'nor is what is counted' cmp -s plain out

# ------------------------------------------- Dot products by the program's own BLAS

cat >dots.c <<'END'
#include <gsl/gsl_blas.h>
int
main (void)
{
  gsl_vector *v = gsl_vector_calloc (300);
  double dot, sum = 0;

  for (int k = 0; k < 20000; k++, sum += dot)
    gsl_blas_ddot (v, v, &dot);
  gsl_vector_free (v);
  return sum != 0;
}
END
cat >own.c <<'END'
double
cblas_ddot (int n, const double *x, int i, const double *y, int j)
{
  double sum = 0;

  for (int k = 0; k < n; k++)
    sum += x[k * i] * y[k * j];
  return sum;
}
END
compiled libown.so -shared -fPIC own.c
compiled gsls dots.c -lgsl -lgslcblas -lm
compiled bound -Wl,--no-as-needed dots.c "$PWD/libown.so" -lgsl -lgslcblas -lm
tuned --count --json json -- ./gsls
! is "$(get saved_seconds.fast)" 0.0
check 'the gain of short dot products is predicted' is $? 0
tuned --report --json json -- ./bound
check 'they stay with the BLAS that the program is bound to' \
  is "$(of gsl_blas_ddot outcomes.program)" 20000
tuned --mode exact --report --json json -- ./bound
check 'exact ones do not' is "$(of gsl_blas_ddot outcomes.in-place)" 20000
tuned --count --json json -- ./bound
check 'which --count knows' is "$(get saved_seconds.fast)" 0.0

# -------------------------------------------- Programs that spoil what is shared

# shellcheck disable=SC2016 # the program's shell expands this
memory='memory=${GSLTUNE_WATCH#count:}'
counts calls
says_calls=$(get calls)
tuned --count --json json -- sh -c \
  '"$0" calls; '"$memory"'; tr "\0" y </dev/zero | dd of="$memory" bs=1024 \
     seek=1 count=29 iflag=fullblock conv=notrunc status=none; exit 3' \
  "$watched"
check 'texts that never end' is "$status/$(get calls)" \
  "3/$says_calls"
tuned --count --json json -- sh -c \
  "$memory"'; (: >"$memory") 2>/dev/null; exit 3'
check 'memory that is cut off' is "$status/$(get calls)" 3/0

finish
