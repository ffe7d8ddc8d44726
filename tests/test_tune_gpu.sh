#!/bin/sh
# gsltune tune on the GPUs of tests/softgpu.  Their clock is a model, but short
# sums are timed by the host's, which is as busy as the machine: nothing here asks
# how long anything took, or how steadily.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

if [ -z "$softgpu" ]; then
  echo '1..0 # SKIP built without CUDA'
  exit 0
fi
devices=$(cd "$srcdir" && pwd)/tests/devices
SOFTGPU_DEVICE=$devices/gtx-970.json
SOFTGPU_MEMORY=1000000 # keeps the vectors short
export SOFTGPU_DEVICE SOFTGPU_MEMORY
profiles=$XDG_DATA_HOME/gsltune
silicon=cuda-5.2-13sm-4gib-l2-1792kib
gpu=$profiles/$silicon.json
figures=$profiles/$silicon.measured.json
tune='tune --effort quick --operation sum --time-limit 300'

value ()
{
  "$json_get" "$2" <"$1" 2>/dev/null
}
kinds_in ()
{
  sed -n 's/^  "\(.*\)": "[0-9]* .*/\1/p' "$1" | awk -F ', ' '{ for (i = 1; i <= NF; i++) print $i }' | sort
}

# ------------------------------------------------------------------- Dry run

run tune --dry-run --device cuda --effort quick --operation sum --type int
check '--dry-run: the space, and what is left out' says 0 out \
  '^int/uint fast contiguous 2^10 [0-9]* [0-9]* [0-9]* [0-9]* 0 [0-9]* [0-9]*$'
check '--dry-run: why' says 0 out '^ no launch cannot launch: '
check '--dry-run: why, for each column' says 0 out '^ waves more than two waves'
check '--dry-run: why a kernel is not here' \
  says 0 out '^ unavailable not available on this GPU'
check '--dry-run: nothing is saved' test ! -e "$profiles"
SOFTGPU_DEVICE=$devices/h200.json SOFTGPU_MEMORY=1000000000 \
  "$gsltune" tune --dry-run --device cuda --effort quick --operation sum \
  --type float -v \
  --mode fast >out 2>err
status=$?
check '--dry-run --verbose: too few bytes in flight' says 0 out \
  '^ grid_stride 32 u1 1/SM 50% occupancy, 66 KiB in flight: under a quarter'
check '--dry-run --verbose: too many blocks' says 0 out \
  '^ grid_stride 1024 u1 8/SM .* in flight: more than two waves of blocks$'
check '--dry-run --verbose: cannot launch' says 0 out \
  '^ grid_stride 1024 u16 1/SM .* in flight: cannot launch: too large a block'
check '--dry-run --verbose: a repetition' says 0 out \
  '^ grid_stride 32 u1 32/SM .* in flight: same launch as a simpler'
SOFTGPU_DEVICE=$devices/v100.json
run tune --dry-run --device cuda --effort quick --operation sum --type float -v --mode fast
check '--dry-run --verbose: what this GPU does not have, and why' says 0 out \
  '^ cluster 32 u1 1/SM not available .*: needs a GPU of compute capability 9.0'
run tune --dry-run --device cuda --effort quick --operation sum --type float --json --mode fast
check '--dry-run --json: the reason' says 0 out \
  '"reason": "not available .*: needs a GPU of compute capability 9.0 or later"'
SOFTGPU_DEVICE=$devices/gtx-970.json

# --------------------------------------------------------------- A good run

run $tune --device cuda --type int
check 'a run: success' test "$status" -eq 0
check 'a run: progress' says 0 err '^GPU 0: NVIDIA GeForce GTX 970, 2 kinds$'
check 'a run: all is done' says 0 out '^ 4 of 4 problems tuned$'
check 'a run: the columns' says 0 out \
  '^ *n winner time bandwidth of peak x GSL x estimate$'
check 'a run: a row' shows 0 \
  '^sum of int, uint, fast, contiguous: 2^14 [a-z_]* [0-9]* .* [0-9.]*% - [0-9.]*$'
check 'a run: where it was saved' says 0 out "^Saved in $gpu\$"
check 'the profile: finished' is "$(value "$gpu" unfinished)" false
check 'the profile: of what' is "$(kinds_in "$gpu")" \
  "$(printf '%s\n' 'sum u32 fast contiguous' 'sum u32 fast strided')"
check 'the profile: no figures' is "$(grep -c '_ps=' "$gpu")" 0
check 'the figures: finished' is "$(value "$figures" unfinished)" false
check 'the figures: a step for each problem' is "$(count_steps "$figures")" 4
check 'the figures: nothing was excluded' is "$(steps "$figures" failed)" ''
told 'show: the driver' 0 out 'by gsltune .*, CUDA driver 12.8$' show --device cuda
check 'show: the peak' says 0 out \
  '^ *n winner time bandwidth of peak x GSL x estimate$'
run explain --place device --type int -n 2^14
check 'explain: the file' says 0 out "^ profile $gpu\$"
check 'explain: what decided' says 0 out '^ match measured: '
run explain --place device --type double
check 'explain: no step for another type' \
  says 0 out '^ match none: no profile has a step of this operation'

run $tune --device cuda --type uint
check 'a second run measures the same problems' \
  is "$(steps "$figures" from | tr '\n' ' ')" '1024 16384 1024 16384 '
cp "$gpu" first
cp "$figures" first.measured

SOFTGPU_DEVICE=$devices/h200.json
run $tune --device cuda:0 --type int --json
check 'another GPU: its own profile' is "$(value out devices.0.silicon)" \
  cuda-9.0-132sm-140gib-l2-60mib
check 'another GPU: its peak' test -n "$(value out devices.0.steps.0.share_of_peak)"
h200=$profiles/cuda-9.0-132sm-140gib-l2-60mib.json
SOFTGPU_DEVICE=$devices/gtx-970.json
check 'the profile of the first is still there' cmp first "$gpu"
check 'and its figures' cmp first.measured "$figures"

# A file of another GPU under this one's name.
mkdir foreign
cp "$h200" "foreign/$(basename "$gpu")"
GSLTUNE_PROFILE_DIR=$scratch/foreign
export GSLTUNE_PROFILE_DIR
run explain --place device --type int --json
check 'a foreign profile is a miss' is "$(value out search.0.status)" foreign
check 'a foreign profile: explain says whose it is' test -n \
  "$(value out search.0.why | grep cuda-9.0-132sm)"
check 'a foreign profile decides nothing' is "$(value out profile)" ''
unset GSLTUNE_PROFILE_DIR

# ----------------------------------------------------------------- Operations

GSLTUNE_PROFILE_DIR=$scratch/operations
export GSLTUNE_PROFILE_DIR
operations='tune --effort quick --time-limit 300 --device cuda'
run $operations --operation minmax --type int
check 'extremes: all is done' says 0 out '^ 4 of 4 problems tuned$'
check 'extremes: a row, without a mode' shows 0 \
  '^minmax of int, contiguous: 2^14 [a-z_]* [0-9]* '
run $operations --operation asum --type float --mode exact
check 'magnitudes: all is done' says 0 out '^ 4 of 4 problems tuned$'
measured=$scratch/operations/$(basename "$figures")
check 'extremes and magnitudes: nothing was excluded' is "$(steps "$measured" failed)" ''
both='asum f32 exact contiguous
asum f32 exact strided
minmax i32 fast contiguous
minmax i32 fast strided'
check 'extremes and magnitudes: beside each other' is "$(kinds_in "$measured")" "$both"
check 'extremes and magnitudes: in the profile, too' \
  is "$(kinds_in "${measured%.measured.json}.json")" "$both"
unset GSLTUNE_PROFILE_DIR

# ------------------------------------------------------- Trouble with the GPU

# The rest begins where all problems but 2^10 strided are done with more effort.
sed 's/effort=quick/effort=thorough/g; /strided/s/"1024 /"2048 /' "$figures" >start.json
start ()
{
  cat start.json >"$figures"
}

start
SOFTGPU_FAIL=cuLaunchKernel:20=701
export SOFTGPU_FAIL
run $tune --device cuda --type int
check 'a launch that fails excludes one candidate' says 0 out \
  '^ 4 of 4 problems tuned (3 kept from an earlier run), 1 candidates excluded'
check 'a launch that fails: which, and why' says 0 err \
  '^gsltune: sum u32 fast strided: [a-z_]* .* is left out: .*RESOURCES'
check 'a launch that fails: recorded' \
  is "$(steps "$figures" failed)" 1

start
SOFTGPU_FAIL=cuLaunchKernel:*=701
run $tune --device cuda --type int
check 'every launch fails: the problem is told' says 1 err \
  '^gsltune: int/uint fast strided 2^10 could not be tuned: no candidate'
check 'every launch fails: not each candidate' \
  is "$(grep -c 'is left out' err)" 10
check 'every launch fails: the rest is told' \
  says 1 out '^ 3 of 4 problems tuned (3 kept .*), 1 without a candidate that'

# The GPU is lost amidst the candidates; the CPU's results count.
start
SOFTGPU_FAIL=cuGraphLaunch:200+=700
run $tune --type int
host_figures=$(ls "$profiles"/cpu-*.measured.json)
host=${host_figures%.measured.json}.json
check 'a GPU lost: said, with the culprit' says 1 err \
  '^gsltune: NVIDIA GeForce GTX 970 was not tuned to the end: it failed for good in int/uint fast strided 2^10, [a-z_]* [0-9].*: .*ILLEGAL_ADDRESS$'
check 'a GPU lost: no candidate is blamed for the rest' \
  test -z "$(grep 'is left out' err)"
check 'a GPU lost: the CPU is tuned' is "$(count_steps "$host_figures")" 10
check 'a GPU lost: the CPU is done' is "$(value "$host" unfinished)" false
check 'a GPU lost: what was done is saved' is "$(count_steps "$figures")" 4
check 'a GPU lost: no crossover' is "$(kinds_in "$host" | grep -c cuda)" 0
run sum "$data/lew.dat"
check 'a GPU lost: sums are right' test "$status" -eq 0 -a ! -s err
unset SOFTGPU_FAIL

SOFTGPU_MEMORY=300000
run $tune --device cuda --type double
check 'too little memory: said' says 1 err \
  'was not tuned to the end: loading test data: CUDA_ERROR_OUT_OF_MEMORY$'

SOFTGPU_DEVICE=
told 'no GPU: said' 1 err '^gsltune: there is no GPU to tune: ' $tune --device cuda
SOFTGPU_DEVICE=$devices/gtx-970.json
run $tune --device cuda:3
check 'no such GPU' failed 2 \
  "--device: there is no GPU 3: \`gsltune devices' lists those that there are"

# ------------------------------------------------------------ Several GPUs

SOFTGPU_DEVICE=$devices/gtx-970.json:$devices/v100.json:$devices/h200.json
dry='tune --dry-run --effort quick --type char'
# tables: how many devices there is a table of
tables ()
{
  grep -c ': [0-9]* problems, ' out
}
run $dry --device cuda:0 --device cuda:2
check '--device twice: both' is "$(tables)" 2
check '--device twice: the first' says 0 out '^NVIDIA GeForce GTX 970: '
check '--device twice: the last' says 0 out '^NVIDIA H200: '
run $dry --device cuda:1 --device cpu
check '--device with the CPU: two' is "$(tables)" 2
check '--device with the CPU: that GPU' says 0 out '^Tesla V100'
run $dry --device cuda:1 --device cuda
check '--device with all: three' is "$(tables)" 3

# The first cannot be used: the others keep CUDA's numbers, everywhere.
SOFTGPU_FAIL=cuDeviceGet:1=999
export SOFTGPU_FAIL
told 'numbers: the second is 1' 0 out '^Tesla V100' $dry --device cuda:1
run $dry --device cuda:0
check 'numbers: 0 is not there' failed 2 \
  "--device: there is no GPU 0: \`gsltune devices' lists those that there are"
for words in show plot 'occupancy --registers 32 --block 128'; do
  run $words --device cuda:0
  check "numbers: $words: 0 is not there" failed 2 \
    "--device: there is no GPU 0: \`gsltune devices' lists those that there are"
done
told 'numbers: devices' 0 out '^cuda:1: Tesla V100' devices
run occupancy --device cuda:2 --registers 32 --block 128
check 'numbers: occupancy' says 0 out 'NVIDIA H200'
told 'numbers: show' 0 out '^NVIDIA H200$' show --device cuda:2
GSLTUNE_DEVICE=cuda:2 run explain --place device --type long
check 'numbers: the library' says 0 out 'NVIDIA H200'
GSLTUNE_DEVICE=auto run explain --place device --type long
check 'numbers: the library takes the first that it can use' \
  says 0 out 'Tesla V100'
unset SOFTGPU_FAIL
SOFTGPU_DEVICE=$devices/gtx-970.json

# ------------------------------------------------------------- Crossovers

# Every length of the GPU's problems is done; what is left is the CPU, and when
# to use the GPU for data on the host.
awk '/^  "sum u32 / {
  sub (/,$/, "")
  printf "%s%s,\n", n++ ? ",\n" : "", $0
  sub (/u32/, "u64")
  sub (/"2048 /, "\"1024 ")
  longer = substr ($0, index ($0, ": \"") + 3)
  sub (/1024 /, "262144 ", longer)
  sub (/16384/, "4194304", longer)
  sub (/"$/, "; ")
  printf "%s%s", $0, longer
  next
}
/^ }$/ { print "" }
{ print }' start.json >"$figures"
SOFTGPU_MEMORY=80000000
told 'crossovers: all is done' 0 out \
  '^ 7 of 7 problems tuned (7 kept from an earlier run)$' $tune --type long
routes=$(printf "sum u64 fast %s $silicon\n" host managed pinned)
check 'crossovers: in the profile of the host' \
  is "$(kinds_in "$host" | grep cuda | sort)" "$routes"
check 'crossovers: and in its figures' \
  is "$(kinds_in "$host_figures" | grep cuda | sort)" "$routes"
check 'crossovers: the profile has no figures' is "$(grep -c '_ps=' "$host")" 0
check 'crossovers: progress' says 0 err '^GPU 0: when to use it for host data'
run show --device cpu
for place in host pinned managed; do
  check "crossovers: told, $place" \
    shows 0 "^sum of long, ulong, fast, $place memory, with cuda-5.2-.*: 0 cpu"
done
check 'crossovers: the host is done' is "$(value "$host" unfinished)" false
told 'crossovers: shown' 0 out '^ *from n route time CPU alone gain$' show --device cpu
told 'crossovers: explained' 0 out '^ route .*: measured: the quickest at this length$' \
  explain --type long -n 2^24 --place pinned
check 'crossovers: the sequence' says 0 out '^Measured for sum u64 fast pinned cuda-5.2-'
told 'crossovers: not of other types' 0 out '^ route cpu: no crossovers were measured' \
  explain --type int -n 2^24

run explain --operation max --type long -n 2^24 --place pinned
check "crossovers: the sums' serve other operations" says 0 out \
  '^Measured for sum u64 fast pinned cuda-5.2-'

# What sums the pieces, and how long they are.
GSLTUNE_DEVICE=cuda
export GSLTUNE_DEVICE
told 'pieces: the kernel for numbers of any size' 0 out '^ kernel exact_bins ' \
  explain -n 2^26 --place pinned --mode exact
check 'pieces: their length' says 0 out '^ for pieces of 2^19 elements$'
told 'pieces: in JSON' 0 out '"piece": 524288' explain -n 2^26 --place pinned --json
told 'pieces: none' 0 out '"piece": 0' explain -n 2^26 --place managed --json
unset GSLTUNE_DEVICE

# Found again: no step of an earlier run stays among the new ones.
for file in "$host" "$host_figures"; do
  sed '/ pinned /s/",\{0,1\}$/; 12345 direct percent=100&/' "$file" >stale.json
  cat stale.json >"$file"
done
run show --device cpu
check 'found again: a step of before' shows 0 \
  '^sum of long, ulong, fast, pinned memory, with .*: 12345 '
told 'found again: all is done' 0 out '^ [0-9]* of [0-9]* problems tuned' $tune --type long
run show --device cpu
check 'found again: it is gone' [ "$(grep -c 12345 out)" -eq 0 ]
check 'found again: from the profile, too' [ "$(grep -c 12345 "$host")" -eq 0 ]
check 'found again: there are others' shows 0 \
  '^sum of long, ulong, fast, pinned memory, with .*: 0 '

# A route whose sums are wrong is not among them, and said to be wrong.
SOFTGPU_SPOIL=1
export SOFTGPU_SPOIL
run $tune --type long
check 'a wrong route: said' says "$status" err \
  '^gsltune: sum u64 fast .*: [a-z]*.* is left out: it computes something else$'
unset SOFTGPU_SPOIL
run show --device cpu
no_way ()
{
  ! shows 0 '^sum of long, .*: [^:]* \(staged\|copy\|split\)'
}
check 'a wrong route: none' no_way

finish
