#!/bin/sh
# gsltune tune on the CPU, which every machine has, and `show' and `explain' of
# what it saved; then what can go wrong.  GPUs: test_tune_gpu.sh.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

profiles=$XDG_DATA_HOME/gsltune
# Small enough to be over soon; the limit is for a machine that is very busy.
tune='tune --device cpu --effort quick --operation sum --type double --mode fast
  --time-limit 99'

# value FILE PATH: what is there in the JSON of FILE.
value ()
{
  "$json_get" "$2" <"$1" 2>/dev/null
}
# lacks PATTERN: no line of the output has it.
lacks ()
{
  ! tr -s ' ' <out | grep -q -e "$1"
}
# lacks_in FILE PATTERN
lacks_in ()
{
  ! grep -q -e "$2" "$1"
}
permissions ()
{
  ls -ld "$1" | cut -c1-10
}
# found_in FOLDER: sets $file, the profile there, and $measured, that of the figures.
found_in ()
{
  measured=$(ls "$1"/cpu-*.measured.json 2>/dev/null)
  file=${measured%.measured.json}.json
}

# ------------------------------------------------------------------- Dry run

run tune --dry-run --device cpu --effort quick --operation sum --type double --mode fast
check '--dry-run: success' test "$status" -eq 0 -a ! -s err
check '--dry-run: the problems and their candidates' \
  says 0 out '^double fast contiguous 2^10 [0-9]'
check '--dry-run: how many' says 0 out ': 10 problems, [0-9]* of [0-9]* cand'
check '--dry-run: nothing is saved' test ! -e "$profiles"
check '--dry-run: it says so' says 0 out '^Nothing was measured or saved'
told '--dry-run: a length without room' 1 err \
  ' has no room for vectors of that length$' tune --dry-run --device cpu -n 2^47
run tune --dry-run --device cpu --effort quick --operation sum --type double --mode fast -v
check '--dry-run --verbose: every candidate, with its problem' \
  says 0 out '^ simd u2, 1 thread measured$'
check '--dry-run --verbose: under its problem' \
  says 0 out '^double fast strided 2^22$'
run tune --dry-run --device cpu --effort quick --operation sum --type double --json
check '--dry-run --json: problems' is "$(value out devices.0.problems.#)" 20
check '--dry-run --json: candidates' \
  is "$(value out devices.0.problems.0.candidates.0.configuration)" 'exact, 1 thread'
check '--dry-run --json: the default mode first' \
  is "$(value out devices.0.problems.0.mode)" exact
check '--dry-run --json: verdicts' \
  is "$(value out devices.0.problems.0.candidates.0.verdict)" measured

# ----------------------------------------------------------------- A good run

run $tune
check 'a run: success' test "$status" -eq 0
check 'a run: progress as lines' says 0 err '^CPU: .*, 2 kinds$'
check 'a run: nothing but progress on standard error' \
  test -z "$(grep -v '^CPU: ' err)"
check 'a run: all is done' says 0 out '^ 10 of 10 problems tuned$'
check 'a run: the columns' says 0 out \
  '^ *n winner time bandwidth x GSL x estimate$'
check 'a run: a row' shows 0 \
  '^sum of double, fast, contiguous: 2^22 s.* [0-9.]* [a-z]*s [0-9.]* [kMGT]B/s [0-9.]* [0-9.]*$'
check 'a run: the longest of each kind' is "$(grep -c ' [kMGT]B/s ' out)" 1
check 'a run: what next' says 0 out "Next: 'gsltune show' has every winner"
short ()
{
  [ -s out ] && [ -z "$(grep -v '^Saved in ' out | awk 'length > 80')" ]
}
check 'a run: 80 columns' short
found_in "$profiles"
check 'a run: where it was saved' says 0 out "^Saved in $file\$"
check 'the profile: for its owner alone' is \
  "$(permissions "$file") $(permissions "$measured")" '-rw------- -rw-------'
check 'the folder: for its owner alone' \
  is "$(permissions "$profiles")" drwx------
check 'the profile: finished' is "$(value "$file" unfinished)" false
check 'the profile: no figures' lacks_in "$file" '_ps=\|effort='
in_short ()
{
  n=$(sed -n '/fast contiguous\|fast strided/p' "$file" | grep -o '[";] *[0-9]\{1,\}' | wc -l)
  [ "$n" -ge 1 ] && [ "$n" -le 10 ]
}
check 'the profile: one step at most for each length that was measured' in_short
kinds='sum f64 fast contiguous
sum f64 fast strided'
kinds_in ()
{
  sed -n 's/^  "\(.*\)": "[0-9]* .*/\1/p' "$1" | awk -F ', ' '{ for (i = 1; i <= NF; i++) print $i }' | sort
}
check 'the profile: of what' is "$(kinds_in "$file")" "$kinds"
check 'the profile: each kind from 0 on' is "$(sed '1,/"steps"/d' "$file" | grep -c '": "[1-9]')" 0
check 'the figures: finished' is "$(value "$measured" unfinished)" false
check 'the figures: of what' is "$(kinds_in "$measured")" "$kinds"
check 'the figures: a step for each problem' is "$(count_steps "$measured")" 10
check 'the figures: effort' is "$(steps "$measured" effort | sort -u)" quick
check 'the figures: nothing was excluded' is "$(steps "$measured" failed)" ''
positive ()
{
  for key in median_ps default_ps gsl_ps next_ps candidates; do
    [ "$(steps "$measured" $key | grep -c '^[0-9.e+]*[1-9]')" -eq 10 ] || return 1
  done
}
check 'the figures: everything was measured' positive
check 'no other file is left' is "$(ls -A "$profiles" | grep -v '^\.lock$' | sort)" \
  "$(printf '%s\n' "$(basename "$file")" "$(basename "$measured")" | sort)"

told 'show: names the file' 0 out "^ path $file\$" show
check 'show: a row' \
  shows 0 '^sum of double, fast, contiguous: 2^10 .* [0-9.]* [0-9.]*$'
run show --json
check 'show --json: the file' is "$(value out devices.0.profile.path)" "$file"
check 'show --json: the winners' is "$(value out devices.0.steps.#)" 10
check 'show --json: with figures' is "$(value out 'devices.0.steps.*.median_ps' | wc -l)" 10

told 'explain: names the file' 0 out "^ profile $file\$" explain -n 2^14 --mode fast
check 'explain: what decided' says 0 out '^ match measured: '
check 'explain: the steps' says 0 out '^Measured for sum f64 fast contiguous:$'
check 'explain: the step that holds' is "$(grep -c '^  from .* <-$' out)" 1
run explain -n 2^14 --mode fast --json
check 'explain --json: the file' is "$(value out profile)" "$file"
check 'explain --json: the steps of the kind' is "$(value out 'steps.*.kind' | sort -u)" \
  'sum f64 fast contiguous'
check 'explain --json: from 0 on' is "$(value out steps.0.from)" 0

run $tune --json
check '--json: success' test "$status" -eq 0
check '--json: the numbers' \
  is "$(value out devices.0.problems) $(value out devices.0.done)" '10 10'
check '--json: nothing kept, as the run before was at its end' \
  is "$(value out devices.0.kept)" 0
check '--json: where' is "$(value out devices.0.folder)" "$profiles"
check '--json: gains' test -n "$(value out devices.0.steps.0.gain_over_gsl)"

# What was measured with more effort stands.
sed -i.bak 's/effort=quick/effort=thorough/g' "$measured"
rm "$measured.bak"
told 'more effort satisfies a request for less' 0 out \
  '^ 10 of 10 problems tuned (10 kept from an earlier run)$' $tune
check 'more effort is still recorded' \
  is "$(steps "$measured" effort | sort -u)" thorough
# A kernel that has changed is tuned again.  The estimate never changes.
sed -i.bak '/^  "sum /{
s/ version=[0-9]*//g
s/\([" ][0-9][0-9]*\)\( [a-z_]*\)\{0,1\}\([ ";]\)/\1 simd version=77\3/g
}' "$file" "$measured"
rm "$file.bak" "$measured.bak"
run explain --mode fast --json
changed ()
{
  is "$(value out profile)" '' \
    && value out search.0.why | grep -q 'no usable step: .* has changed: version'
}
check 'changed kernels: their steps are not used, and explain says why' changed
told 'changed kernels are tuned again' 0 out '^ 10 of 10 problems tuned$' $tune

GSLTUNE_PROFILE_DIR=$scratch/named
export GSLTUNE_PROFILE_DIR
told 'GSLTUNE_PROFILE_DIR: saved there' 0 out \
  "^Saved in $scratch/named/$(basename "$file")\$" $tune
told 'GSLTUNE_PROFILE_DIR: read there' 0 out \
  "^ profile $scratch/named/" explain --mode fast
unset GSLTUNE_PROFILE_DIR

# ----------------------------------------------------- Interrupted, resumed

# A long run in the background, until it has saved something.
GSLTUNE_PROFILE_DIR=$scratch/long
export GSLTUNE_PROFILE_DIR
long='tune --device cpu --effort thorough --operation sum --type double'
"$gsltune" $long >long.out 2>long.err &
tuner=$!
waited=0
while [ -z "$(ls "$scratch/long" 2>/dev/null)" ] && [ $waited -lt 900 ]; do
  sleep 0.1
  waited=$((waited + 1))
done
saved=$(ls "$scratch"/long/cpu-*.measured.json 2>/dev/null)
check 'what is finished is saved as it comes' test -n "$saved"
check 'it is marked unfinished' is "$(value "$saved" unfinished)" true

run $long --dry-run
check 'a second tuner may look' test "$status" -eq 0
fails 'a second tuner is refused' 1 \
  "another gsltune is tuning into $scratch/long: wait for it" $long --time-limit 5
run $long --time-limit 5 --json
check 'a second tuner is refused, as JSON' test "$status" -eq 1 -a ! -s out

kill -INT "$tuner"
wait "$tuner"
status=$?
cp long.out out
cp long.err err
check 'interrupted: exit status and message' says 1 err \
  '^gsltune: interrupted: what is finished was saved; the same command goes on'
check 'interrupted: what was gained' says 1 out '^ *n winner time bandwidth x GSL x estimate$'
check 'interrupted: unfinished' is "$(value "$saved" unfinished)" true
check 'interrupted: the profile, too' \
  is "$(value "${saved%.measured.json}.json" unfinished)" true
done_before=$(count_steps "$saved")
check 'interrupted: something was done' test "${done_before:-0}" -gt 0

run $long --time-limit 1
check 'resumed: kept from the run before' says 0 out \
  "^ [0-9]* of [0-9]* problems tuned ($done_before kept from an earlier run)"
check 'the time limit: said' says 0 err '^gsltune: the time limit was reached'
unset GSLTUNE_PROFILE_DIR

# ------------------------------------------------------ It cannot be saved

# unsaved TEXT WHY WHAT-TO-DO: the run just made has measured nothing, and told why it
# could not save.
unsaved ()
{
  check "$1: why, and what to do" says 1 err \
    "^gsltune: nothing can be saved: $2.*: $3"
  check "$1: nothing is measured" test ! -s out
}
# The library says nothing of it.
silent_sum ()
{
  run sum "$data/lottery.dat"
  succeeded 113133
}

unset XDG_DATA_HOME
old_home=$HOME
: >regular
HOME=$scratch/regular/home
run $tune
unsaved 'HOME below a file' "cannot create the folder $scratch/regular" \
  'set GSLTUNE_PROFILE_DIR'
check 'HOME below a file: the library is silent' silent_sum
HOME=/proc
run $tune
unsaved 'a HOME that nobody can write to' \
  'cannot create the folder /proc/.local' 'set GSLTUNE_PROFILE_DIR'
check 'a HOME that nobody can write to: the library is silent' silent_sum
unset HOME
run $tune
unsaved 'no HOME' 'neither XDG_DATA_HOME nor HOME is an absolute path' \
  'set GSLTUNE_PROFILE_DIR'
check 'no HOME: the library is silent' silent_sum
HOME=$old_home
export HOME

if [ "$(id -u)" -eq 0 ]; then
  skip 'a read-only HOME' 'root can write everywhere'
else
  mkdir locked && chmod 500 locked
  HOME=$scratch/locked
  run $tune
  unsaved 'a read-only HOME' 'cannot create the folder .*Permission denied' \
    'set GSLTUNE_PROFILE_DIR'
  HOME=$old_home
fi

# --system, into the folder that tests have for the system's.
: >installed
run $tune --system
unsaved '--system without the right to it' 'cannot ' 'run this as the owner'
rm installed
told '--system' 0 out '^Saved.* installed/system/cpu-.*\.json' $tune --system
check '--system: for everybody, with the figures' \
  is "$(find installed -perm 644 -name 'cpu-*.json' | wc -l)" 2
HOME=$scratch/none
told 'and everybody finds it' 0 out '^ system .*installed/system/cpu-.*: ok' explain
rm -r installed
HOME=$old_home

# ----------------------------------------------------------------- Operations

run tune --dry-run --device cpu --effort quick
check 'sums are tuned' says 0 out '^int/uint fast contiguous 2^10 '
check 'and max, for signed integers' says 0 out '^max int contiguous 2^10 '
check 'whose winners serve the unsigned' lacks '^max uint '
check 'and the other operations' lacks '^\(asum\|min\|minmax\|amax\) '
run tune --dry-run --device cpu --effort quick --operation max,amax \
  --operation asum --type uint --type float
check '--operation: those named, of the types named' is \
  "$(tr -s ' ' <out | sed -n 's/ \(contiguous\|strided\).*//p' | sort -u | tr '\n' ';')" \
  'amax float;asum float exact;asum float fast;max float;max uint;'
run tune --dry-run --device cpu --effort quick --operation all --type double --json
check '--operation all' is \
  "$(value out 'devices.0.problems.*.operation' | sort -u | tr '\n' ' ')" \
  'amax asum dot max min minmax sum sumsq '

GSLTUNE_PROFILE_DIR=$scratch/max
export GSLTUNE_PROFILE_DIR
run tune --device cpu --effort quick --operation max --type int --time-limit 99
check 'max: success' test "$status" -eq 0
check 'max: all is done' says 0 out '^ 10 of 10 problems tuned$'
check 'max: a row, without a mode' shows 0 '^max of int, contiguous: 2^22 s'
found_in "$GSLTUNE_PROFILE_DIR"
check 'max: nothing was excluded' is "$(steps "$measured" failed)" ''
check 'max: the profile says of what' is "$(kinds_in "$file")" \
  "$(printf '%s\n' 'max i32 fast contiguous' 'max i32 fast strided')"
run tune --device cpu --effort quick --operation sum --type int --time-limit 99
check 'another operation stays beside it' is "$(count_steps "$measured")" 20
check 'and in the profile' is "$(kinds_in "$file" | wc -l)" 4
told 'explain: what is asked' 0 out '^Max of 16384 int (i32), stride 1, in host memory$' \
  explain --operation max --type int -n 2^14
check 'explain: its own figures' says 0 out ", GSL's .* <-$"
check 'explain: nobody serves' lacks '^ serves '
run explain --operation max --type uint -n 2^14
check 'explain: the other sign serves' says 0 out \
  '^ serves the winner of max of int: '
run explain --operation minmax --type int -n 2^14
check "explain: max's winner serves" says 0 out '^ serves the winner of max of int: '
run explain --operation minmax --type int -n 2^14 --json
check 'explain --json: asked, and served by' is \
  "$(value out operation) $(value out steps.0.kind)" 'minmax max i32 fast contiguous'
run show --device cpu --operation max
check 'show --operation: these' shows 0 '^max of int, strided: 2^22 '
check 'show --operation: no others' lacks '^sum of '
run show --device cpu --operation amax,min
check 'show --operation: none' says 0 out '^No winner for what was asked.$'
unset GSLTUNE_PROFILE_DIR

# ---------------------------------------------------------------- One length

GSLTUNE_PROFILE_DIR=$scratch/one
export GSLTUNE_PROFILE_DIR
one="tune --device cpu --operation sum --type double --mode fast --effort quick"
run $one -n 3000
check '--length: success' test "$status" -eq 0
check '--length: both layouts' says 0 out '^ 2 of 2 problems tuned$'
found_in "$GSLTUNE_PROFILE_DIR"
check '--length: no other' is "$(steps "$measured" from | sort -u)" 3000
check '--length: it says nothing of far lengths' \
  is "$(value "$file" unfinished) $(value "$measured" unfinished)" 'true true'
# serves WAY LENGTH: that it is what serves there.
serves ()
{
  run explain --mode fast -n "$2"
  [ "$(sed -n 's/^  from [^ ]* *\([^ :]*\).*   <-$/\1/p' out)" = "$1" ]
}
# steps_of KIND: those that the library reads.
steps_of ()
{
  sed -n "s/^  \"[^\"]*$1[^\"]*\": \"\(.*\)\",\{0,1\}\$/\1/p" "$file"
}
# A winner that no estimate is.
sed -i.bak 's/"3000 .* effort/"3000 sequential effort/' "$measured"
rm "$measured.bak"
told '--length: what was found is taken up' 0 out \
  '^ 2 of 2 problems tuned (2 kept from an earlier run)$' $one -n 3000
for layout in contiguous strided; do
  check "--length: the estimate serves far $layout lengths" \
    is "$(steps_of "sum f64 fast $layout")" \
    '0 estimate; 187 sequential; 48001 estimate'
done
check '--length: explain, of a near one' serves sequential 2^15
check '--length: explain, of a much longer one' serves estimate 2^20
check '--length: explain, of a much shorter one' serves estimate 2^6
for name in "$file" "$measured"; do
  sed 's/"unfinished": true/"unfinished": false/' "$name" >whole && cat whole >"$name"
done
run $one --length 5000
check '--length: a whole profile stays one' is \
  "$(value "$file" unfinished) $(value "$measured" unfinished) $(count_steps "$measured")" \
  'false false 4'
# from_both LAYOUT: each holds for the lengths that are nearer to it than to the other.
from_both ()
{
  case $(steps_of "sum f64 fast $1") in
  '0 sequential; 3873 '*) ;;
  *) false ;;
  esac
}
check '--length: each holds where it is the nearest' from_both contiguous
told '--length: too long' 1 err 'it has no room for vectors of that length$' $one -n 2^40

unset GSLTUNE_PROFILE_DIR

# --------------------------------------------------------------------- Usage

run tune --operation sum,median
check 'an unknown operation' failed 2 \
  "--operation: unknown operation 'median': valid operations are sum, asum, max,\
 min, minmax, amax, dot, sumsq, total, span, moments, comoments, cdot, correlation, wsum,\
 wmoments, and GSL's names of functions, such as mean; or all of them: all"
run tune --operation amax --type int
check 'an operation that the type has not' failed 2 \
  "tune: no such operation is there for these types: amax is of double, float, complex, complex_float"
run explain --operation asum --type uint
check 'explain: an operation that the type has not' failed 2 \
  'explain: there is no asum of type uint: asum is of double, float'

run tune --effort lots
check 'an unknown effort' failed 2 \
  "--effort: unknown effort 'lots': valid efforts are quick, normal, thorough"
told 'an unknown type' 2 err "unknown type 'quaternion': valid types are" tune --type quaternion
told 'an unknown mode' 2 err "unknown mode 'exactly': valid modes are" tune --mode exactly
fails 'an unknown device' 2 \
  "--device: unknown device 'gpu': valid devices are cpu, cuda, cuda:N" tune --device gpu
for limit in 0 -1 soon 1x inf; do
  run tune --time-limit "$limit"
  check "a time limit of $limit" says 2 err 'is not a time: give a number of sec'
done
fails 'an argument' 2 "tune: unexpected argument 'now': tune takes options only" \
  tune now

finish
