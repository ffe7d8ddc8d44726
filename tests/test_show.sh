#!/bin/sh
# gsltune show: a profile found, a file named, none, and ones that cannot be
# used.  Everything is about the CPU, which every machine has.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
. "$data/../profile.sh"

profiles=$XDG_DATA_HOME/gsltune
GSLTUNE_PROFILE_DIR=$scratch/empty
export GSLTUNE_PROFILE_DIR

lacks ()
{
  [ "$status" -eq "$1" ] && ! tr -s ' ' <"$2" | grep -q -e "$3"
}
# value KEY: the string at KEY in the JSON of the last run.
value ()
{
  sed -n 's/^ *"'"$1"'": "\(.*\)",\{0,1\}$/\1/p' out | sed -n 1p
}

# ---------------------------------------------------------------- No profile

told 'no profile: exit status 1 and what to do' 1 err \
  '^gsltune: no profile for .*: run `gsltune tune'"'" show --device cpu
check 'no profile: where it was looked for' \
  says 1 out "^ environment $scratch/empty/cpu-.*json: absent, no such folder"
check 'no profile: to the last place' says 1 out '^ shipped installed/.*: absent'

told 'no profile, as JSON' 1 out '"status": "absent"' show --device cpu --json
check 'no profile, as JSON: the places' says 1 out '"place": "shipped"'
silicon=$(value silicon)

(
  unset GSLTUNE_PROFILE_DIR XDG_DATA_HOME HOME
  "$gsltune" show --device cpu --json >out 2>err
)
status=$?
check 'without HOME: said, not failed on' \
  says "$status" out '"why": "neither XDG_DATA_HOME nor HOME is an absolute'

unset GSLTUNE_PROFILE_DIR

# ----------------------------------------------------------------- A profile

# tuned MEMBER=VALUE...
tuned ()
{
  entry effort=quick failed=0 median_ps=100000000 default_ps=250000000 \
    gsl_ps=500000000 "$@"
}
# good [MEMBER=VALUE | STEP]...: a profile with these besides.
good ()
{
  profile gsltune=0.0.7 \
    "$(tuned n=1048576 kernel=sequential threads=- unroll=-)" \
    "$(tuned type=u32 n=3000)" \
    "$(tuned type=u32 n=4000 median_ps=100100000)" \
    "$(tuned type=u32 n=4000 layout=strided median_ps=70000000)" \
    "$(tuned type=u32 n=1000)" "$@"
}
mkdir -p "$profiles"
file=$profiles/$silicon.json
good "$(route pinned cuda-9.0-made-up 4194304 copy percent=25 chunk_kib=4096)" \
  "$(route pinned cuda-9.0-made-up 0 cpu)" \
  "$(step 'sum f32 fast pinned cuda-9.0-made-up' 0 cpu)" >"$file"

run show --device cpu
check 'a profile: success, no messages' test "$status" -eq 0 -a ! -s err
check 'a profile: name' says 0 out '^Made up$'
check 'a profile: place' says 0 out '^ place user$'
check 'a profile: file' says 0 out "^ path $profiles/$silicon.json\$"
narrow ()
{
  [ -s out ] && [ -z "$(grep -v '^  path ' out | awk 'length > 80')" ]
}
check 'a profile: 80 columns' narrow
check 'a profile: when and by what' \
  says 0 out '^ saved 2026-01-02T03:04:05Z by gsltune 0.0.7$'
check 'a profile: effort' says 0 out '^ effort quick$'
check 'a profile: nothing left out' lacks 0 out 'left out'
check 'a profile: gains over GSL and over the estimate' shows 0 \
  '^sum of double, fast, contiguous: 2^20 sequential 100 us 83.9 GB/s 5.00 2.50$'
check 'a profile: all types served, and the configuration' shows 0 \
  '^sum of int, uint, fast, contiguous: 1000 simd u8, 1 thread 100 us 40 MB/s '
check 'a profile: a crossover' shows 0 \
  '^sum of double, fast, pinned memory, with cuda-9.0-made-up: 2^22 split, 25% to the GPU: copy, pieces of 4096 KiB 1 ms 2.5 ms 2.50$'
check 'a profile: a GPU that never pays' \
  shows 0 '^sum of float, fast, pinned memory, with cuda-9.0-made-up: 0 cpu'
told '--type keeps its arithmetic' 0 out '^sum of int, uint,' show --device cpu --type uint
check '--type drops the others' lacks 0 out '^sum of \(double\|float\)'
run show --device cpu --mode compensated
check '--mode keeps integers, which have one mode' says 0 out '^sum of int, uint, fast'
check '--mode drops other modes' lacks 0 out '^sum of double'
told 'nothing tuned for a type: said' 0 out '^No winner for what was asked' show --device cpu --type float

told '--json: where from' 0 out '"place": "user"' show --device cpu --json
check '--json: path' test "$(value path)" = "$file"
check '--json: steps as they are saved' says 0 out '"way": "sequential"'
check '--json: gain' says 0 out '"gain_over_gsl": 5.0'
check '--json: candidates measured' says 0 out '"candidates": 41,'
check '--json: candidates in all' says 0 out '"searched": 48,'
check '--json: no peak for a CPU' says 0 out '"share_of_peak": null'
check '--json: a crossover' says 0 out '"way": "copy"'
check '--json: the share' says 0 out '"percent": 25'

# -------------------------------------------------------------- A named file

told 'a named file' 0 out '^ place file$' show "$file"
cp "$file" here.json
told 'a named file in the working folder' 0 out '^ path here.json$' show here.json

other=cpu-other-4c-4t-l1-32kib-l2-1mib-l3-32mib-sse2
good "silicon=$other" 'name=Other machine' >foreign.json
told "another machine's: its header" 0 out '^Other machine$' show foreign.json
check "another machine's: its winners" shows 0 '^sum of double, .*: 2^20 sequential '
told "another machine's, as JSON" 0 out "\"silicon\": \"$other\"" show --json foreign.json
good silicon=cuda-0.0-none >key.json
told 'no device has such a key' 1 err \
  '^gsltune: key.json is broken: its silicon key tells of no device$' show key.json

head -c 200 "$file" >short.json
run show short.json
check 'a truncated file' test "$status" -eq 1 -a ! -s out
check 'a truncated file: said' says 1 err '^gsltune: short.json is broken: not'
ln -s "$file" link.json
fails 'a symbolic link' 1 'link.json is refused: a symbolic link' show link.json
cp "$file" open.json
chmod 666 open.json
fails 'a file that all may write' 1 \
  'open.json is refused: writable by its group or by others' show open.json
fails 'no such file' 1 'none.json is absent: no such file' show none.json
told 'no such file, as JSON' 1 out '"status": "absent"' show --json none.json

# A name that would clear the terminal.
good 'name=\u001b[2Jbad' "$(tuned n=-1)" >bad.json
told 'control characters do not reach the terminal' 0 out '^?001b\[2Jbad$' show bad.json
check 'what is left out is counted, with a reason' \
  says 0 out '^ left out 1, 0 of them of kernels that have changed; first: sum f64 fast contiguous: "from" is "-1"'

profile >"$file"
run show --device cpu --json
check 'a profile without steps is passed over' \
  says "$status" out '"why": "no usable step"'
mkdir -p installed/system
good >"installed/system/$silicon.json"
told 'the one that serves instead says so' 0 out \
  "^ instead of $file, which is broken: no usable step$" show --device cpu
told 'and doctor' 0 out "^ profile that of the folder 'user' is not used:" doctor
rm -r installed

# --------------------------------------------------------------------- Usage

fails 'an unknown device' 2 \
  "--device: unknown device 'gpu': valid devices are cpu, cuda, cuda:N" show --device gpu
told 'an unknown GPU' 2 err "'x'" show --device cuda:x
told 'an unknown type' 2 err "unknown type 'quaternion': valid types are" show --type quaternion
told 'two files' 2 err 'more than one file' show a.json b.json
told 'a GPU that is not there' 1 err '^gsltune: no .*GPU' show --device cuda:4096

GSLTUNE_PROFILE_DIR=$scratch/empty
export GSLTUNE_PROFILE_DIR
told 'no GPU, or none that was tuned: said' 1 err \
  '^gsltune: no \(usable GPU: [a-z]\|profile for .*: run\)' show --device cuda

finish
