#!/bin/sh
# gsltune explain: without a profile, with one that is exact, near or far, and
# with ones that are passed over.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
. "$data/../profile.sh"

profiles=$XDG_DATA_HOME/gsltune

# ---------------------------------------------------------------- No profile

run explain
check 'no profile: success' test "$status" -eq 0 -a ! -s err
check 'no profile: what is asked' says 0 out \
  '^Sum of 1000000 double (f64), mode exact, stride 1, in host memory$'
told 'an operation by the name that was given' 0 out '^Mean of 1000000 double ' explain --operation mean
run explain
check 'no profile: the route' says 0 out \
  '^ route cpu: no GPU here$'
check 'no profile: estimated' \
  says 0 out '^ match none: no profile was found; estimated from the device.s properties$'
check 'no profile: where it was looked for' says 0 out \
  "^ user $profiles/cpu-[a-z0-9.-]*\.json: absent, no such folder\$"
# Unlike the command of the tests what is installed knows where, also when it was moved.
moved ()
{
  echo "$PWD/moved/${1#"${exec_prefix:?}/"}"
}
mkdir -p "$(moved "${bindir:?}")" "$(moved "${libdir:?}")" "$(moved "${shipped_folder:?}")"
cp "$build/.libs/gsltune" "$(moved "$bindir")"
cp "$build/.libs/libgsltune.so.0" "$(moved "$libdir")"
# The loader looks into a system's own tree where configure found no way from one to the other.
beside=$LD_LIBRARY_PATH
if grep -q '^COMMAND_RPATH = *$' "$build/Makefile"; then
  beside=$(moved "$libdir")${beside:+:$beside}
fi
LD_LIBRARY_PATH=$beside "$(moved "$bindir")/gsltune" explain >out 2>err
status=$?
check 'what was moved looks for profiles beside itself' \
  says 0 out "^ shipped $(moved "$shipped_folder")/cpu-"
case ${system_folder:?} in
  "$exec_prefix"/*) system_folder=$(moved "$system_folder") ;;
esac
check 'and for those of the system, though there are none' \
  says 0 out "^ system $system_folder/cpu-"
run explain
check 'no profile: in order' is \
  "$(sed -n '/looked for/,$s/^  \([a-z]*\) .*/\1/p' out | tr '\n' ' ')" \
  'user system shipped '
run explain --json
check '--json: the plan' test -n "$(value kernel)" -a -n \
  "$(value configuration.threads)"
check '--json: no file, no step' \
  is "$(value profile)$(value steps.#)" 0
check '--json: the search' is "$(value 'search.*.place' | tr '\n' ' ')" \
  'user system shipped '
# Exact statistics have no kernel.
certified='^ kernel none: sums in twice the precision, .* whole numbers decide$'
for operation in correlation skew kurtosis absdev variance wmean wskew moments; do
  for type in double float long_double; do
    how=$certified
    [ "$type" = long_double ] && how='^ kernel none: whole numbers, by one thread$'
    run explain --operation $operation --type $type
    check "$operation of $type in the default mode" says 0 out ', mode exact, '
    check "$operation of $type: how" says 0 out "$how"
    run explain --operation $operation --type $type --mode fast
    check "$operation of $type in fast mode" says 0 out ', mode fast, '
    check "$operation of $type in fast mode: how" says 0 out '^ kernel none: rounded sums'
  done
done
for words in '--operation correlation --type int' '--function gsl_stats_int_skew' \
  '--function gsl_stats_wmean' '--function gsl_stats_wvariance'; do
  # shellcheck disable=SC2086 # several words
  run explain $words
  check "$words in the default mode" says 0 out ', mode exact, '
  check "$words: how" says 0 out "$certified"
done
for words in '--operation moments --type int' '--type int'; do
  # shellcheck disable=SC2086 # several words
  run explain $words
  check "$words in the default mode" says 0 out ', mode exact, '
  check "$words: the kernel's sums are exact" is "$(grep -c 'kernel none' out)" 0
done

told 'few elements: one after the other' 0 out '^ plan sequential: ' explain -n 3 --mode fast
told 'exact: long double has a kernel of its own' 0 out '^ kernel exact_wide: ' \
  explain -n 1000 --type long_double

GSLTUNE_PROFILE_DIR=$scratch/none
export GSLTUNE_PROFILE_DIR
run explain --json
check 'GSLTUNE_PROFILE_DIR stands for the user'\''s and the system'\''s' \
  is "$(value 'search.*.place' | tr '\n' ' ')" 'environment shipped '
check 'and is the first' is "$(dirname "$(value search.0.path)")" \
  "$scratch/none"
silicon=$(basename "$(value search.0.path)" .json)
unset GSLTUNE_PROFILE_DIR
(
  unset HOME XDG_DATA_HOME
  "$gsltune" explain >out 2>err
)
status=$?
check 'no HOME: said' \
  says 0 out '^ user no folder: absent, neither XDG_DATA_HOME nor HOME'

# ----------------------------------------------------------------- A profile

GSLTUNE_MODE=fast
export GSLTUNE_MODE

mkdir -p "$profiles"
file=$profiles/$silicon.json
profile "$(entry version=0)" >"$file"
run explain --json
check 'a changed kernel: why the file is passed over' is \
  "$(value search.0.status) $(value search.0.why | sed 's/, now .*//')" \
  'broken no usable step: sum f64 fast contiguous: kernel simd has changed: version 0'

# Exact sums of up to 65536 elements are computed on the spot, whatever the profile has.
few='n=64 mode=exact kernel=exact unroll=1 version=2'
profile "$(entry $few)" >"$file"
run explain --mode exact -n 64
check 'a few elements: no kernel' says 0 out '^ kernel none: so few elements are'
told 'more elements: the kernel' 0 out '^ kernel exact, ' \
  explain --mode exact --type float -n 100000
told 'many elements: what is tried before the kernel' 0 out \
  'where sums of blocks within a bound, which come first, leave doubt$' \
  explain --mode exact -n 100000
profile "$(entry $few call_ps=50000)" >"$file"
run explain --mode exact -n 64
told 'a few elements: show tells so' 0 out '"on_the_spot": true' show --json
told 'a few elements: the table' 0 out '64 on the spot 50 ns 10.2 GB/s 100.00 -$' show
staged=$(route host cuda-9.0-made-up 4194304 staged percent=100 threads=1 chunk_kib=1024)
profile "$(route host cuda-9.0-made-up 0 cpu)" "$staged" "$(entry next=simd+u4,+2+threads next_ps=1300000)" \
  "$(entry n=65536)" \
  "$(entry type=f32 layout=strided)" "$(entry n=4096 version=0)" >"$file"

told 'exact: the match' 0 out '^ match measured: from 2^10 on the fastest$' explain -n 1024
check 'exact: the file' says 0 out "^ profile $file\$"
check 'exact: its folder, and when it was saved' says 0 out '^ user, saved 2026-01-02T03:04:05Z$'
check 'exact: the kernel' says 0 out '^ kernel simd u8, 1 thread: '
check 'exact: what was left out of the file' says 0 out \
  '^ left out 1 steps of that file; the first: sum f64 fast contiguous: kernel simd has'
check 'exact: the file was taken' says 0 out "^ user $file: ok\$"
# What it lacks is looked up in the administrator's.
mkdir -p installed/system
profile "$(entry type=f32)" >"installed/system/$silicon.json"
told 'a second file: its entry' 0 out "^ profile installed/system/$silicon.json\$" \
  explain -n 1024 --type float
check 'a second file: it was read for that' says 0 out \
  "^ system installed/system/$silicon.json: ok\$"
told 'a second file: the first one decides on what it has' 0 out \
  "^ profile $file\$" explain -n 1024
told 'a second file: show names it' 0 out \
  "^ next installed/system/$silicon.json (system)\$" show
cp "$file" kept
profile "$(entry)" >"$file"
told 'a second file: doctor names both' 0 out \
  '"profile": ".*, 1 steps, gsltune .* (user, system)"' doctor --json
mv kept "$file"
rm -r installed
# A profile that an earlier version wrote knows sums alone, which serve the rest.
run explain -n 1024 --operation max --type double
check 'an earlier profile: its sums serve' says 0 out \
  '^ serves the winner of sum of double: the operation or type has not been tuned itself$'
check 'an earlier profile: the kernel of that name for it' \
  says 0 out '^ kernel simd'
told 'longer ones' 0 out '^ match measured: from 2^16 on the fastest$' explain -n 100000
told 'shorter ones' 0 out '^ match measured: from 2^10 on the fastest$' explain -n 20000
check 'the steps' says 0 out '^ from 2^16 simd u8, 1 thread: 1 us, GSL.s 5 us$'
check 'and the one that holds' says 0 out "^ from 2^10 simd u8, 1 thread: 1 us, GSL.s 5 us,\
 next best simd u4, 2 threads: 1.30 times as long <-\$"
run explain --stride 3 -n 1024
check 'another layout: no entry' says 0 out \
  '^ match none: no profile has a step of this operation, type, mode and layout; estimated$'
check 'a stride: the route' says 0 out \
  '^ route cpu: strided host data is read where it lies$'
run explain --stride 3 -n 1024 --type float --json
check '--json: the step' is "$(value steps.0.kind) $(value steps.0.way)" \
  'sum f32 fast strided simd'
check '--json: what was left out' is "$(value left_out | cut -d' ' -f1)" 1
check '--json: the file' is "$(value profile)" "$file"
check '--json: the gains' \
  is "$(value steps.0.gain_over_estimate) $(value steps.0.gain_over_gsl)" '2.5 5.0'

told "a function by GSL's name" 0 out '^gsl_stats_float_variance of 1024 float [(]f32[)], mode exact, ' \
  explain -n 1024 --mode exact --function gsl_stats_float_variance
told 'what exact results are made of is called exact' 0 out \
  '^gsl_stats_correlation of 1000000 double (f64), mode exact, ' \
  explain --mode exact --function gsl_stats_correlation
for name in gsl_vector_sum gsl_stats_variance gsl_stats_skew gsl_blas_dnrm2 gsl_blas_dasum; do
  told "compensated mode: $name is exact" 0 out \
    "^$name of 1000000 double (f64), mode exact, " \
    explain --mode compensated --function "$name"
done
told 'of complex numbers' 0 out '^gsl_blas_zdotu of 1024 complex [(]cf64[)], mode fast, ' \
  explain -n 1024 --mode fast --function gsl_blas_zdotu
told 'long double: the route' 0 out '^ route cpu: a GPU has no long double$' \
  explain -n 1024 --type long_double
told 'a crossover to a GPU that is not there' 0 out '^ route cpu: no GPU here$' explain -n 2^23
run explain -n 2^23 --place pinned
check 'a crossover of another place' says 0 out \
  '^ route cpu: no GPU here$'
GSLTUNE_DEVICE=cpu run explain -n 2^23
check 'GSLTUNE_DEVICE=cpu' says 0 out '^ route cpu: GSLTUNE_DEVICE is cpu$'
GSLTUNE_THREADS=1 GSLTUNE_MODE=compensated run explain
check 'GSLTUNE_MODE' says 0 out '^Sum of 1000000 double (f64), mode exact'

profile unfinished=true "$(entry)" "$(step 'sum f64 fast contiguous' 16384 estimate)" >"$file"
told 'an unfinished run: used nearby, and said' 0 out \
  '^ user, saved .*, by a run that was not at its end$' explain -n 1000
told 'an unfinished run: not used far away' 0 out \
  '^ match measured: from 2^14 on the estimate is the fastest, or nothing was measured near$' explain -n 2^20

chmod 666 "$file"
run explain --json
check 'a file that all may write: why it is passed over' is \
  "$(value search.0.status) $(value search.0.why)" \
  'refused writable by its group or by others'
rm "$file"
: >"$file"
told 'an empty file' 0 out "^ user $file: broken, " explain

# A profile of the same processor with other threads, which has a crossover, too.
rm "$file"
own=$silicon
silicon=$(echo "$own" | sed 's/-\([0-9]*\)c-\([0-9]*\)t-l1-/-\1c-9\2t-l1-/')
file=$profiles/$silicon.json
profile "$staged" "$(entry threads=9999)" >"$file"
told 'a like device: which one' 0 out '^ tuned on Made up, with the same model of processor; ' \
  explain -n 1024
check 'a like device: and its length' says 0 out '^ match measured: from 2^10 on the fastest$'
check 'a like device: after all others' says 0 out \
  "^ user $file: ok, approximate: tuned on Made up, the same model of processor\$"
check 'a like device: no crossovers' says 0 out \
  '^ route cpu: no GPU here$'
run explain -n 1024 --json
check 'a like device, as JSON' is "$(value tuned_on | cut -d, -f1)" 'Made up'
run devices --json
threads=$(value devices.0.hardware_threads)
run explain -n 1024 --json
check 'a like device: as many threads as there are here' is \
  "$(value configuration.threads)" "$threads"

# --------------------------------------------------------------------- Usage

fails 'an unknown place' 2 "--place: unknown place 'gpu': valid places are host, pinned, managed, device" \
  explain --place gpu
told 'no GPU' 1 err '^gsltune: there is no device memory to compute in: ' explain --place device
fails 'long double on a GPU' 1 'there is no device memory to compute in: a GPU has no long double' \
  explain --place device --type long_double
told 'a length' 2 err "^gsltune: -n: 'many' is not a count" explain -n many
told 'a stride' 2 err '^gsltune: --stride: ' explain --stride 0
fails 'an argument' 2 \
  "explain: unexpected argument 'file': explain takes options only" explain file

finish
