#!/bin/sh
# gsltune ladder on the GPUs of tests/softgpu, whose clock is a model.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
ladder='ladder --effort quick'
valid='neighbored_in_place, neighbored, neighbored_packed_in_place,
 neighbored_packed, interleaved_in_place, interleaved, first_add,
 unroll_blocks_in_place, unroll_blocks, last_warp_in_place, last_warp,
 complete_in_place, complete, shuffle, multilevel, recursive, grid_stride,
 cluster'
valid=$(echo "$valid" | tr -d '\n')

# ------------------------------------------------- Usage, which needs no GPU

run ladder --type long
check 'a type that is not on the ladder' failed 2 \
  "--type: the ladder does not compute 'long': valid types are double, float, int, uint"
fails 'an unknown kernel' 2 \
  "--kernel: unknown kernel 'nearest': valid kernels are $valid" ladder --kernel nearest
fails 'a CPU kernel' 2 "--kernel: no rung of the ladder 'simd': valid kernels are $valid" \
  ladder --kernel simd
run ladder --device cpu
check 'no ladder on a CPU' failed 2 \
  "--device: the ladder's kernels run on a GPU, not on 'cpu': valid devices are cuda, cuda:N"
if [ -z "$softgpu" ]; then
  fails 'built without CUDA: said' 1 \
    'there is no GPU to measure: built without CUDA support' ladder
  finish
fi

devices=$(cd "$srcdir" && pwd)/tests/devices
SOFTGPU_DEVICE=
SOFTGPU_MEMORY=1000000000
SOFTGPU_SLOWER=10 # fewer launches are measured
CUDA_HOME=$softgpu/../toolkit
export SOFTGPU_DEVICE SOFTGPU_MEMORY SOFTGPU_SLOWER CUDA_HOME
told 'no GPU: said' 1 err '^gsltune: there is no GPU to measure: .' ladder
check 'no GPU: no table' test ! -s out
# Data that is cold is several caches of memory, to be filled at each run.
h200=$scratch/h200.json
sed 's/"l2_bytes": [0-9]*/"l2_bytes": 1048576/' "$devices/h200.json" >"$h200"
SOFTGPU_DEVICE=$h200
run ladder --device cuda:3
check 'no such GPU' failed 2 \
  "--device: there is no GPU 3: \`gsltune devices' lists those that there are"
SOFTGPU_MEMORY=40000000
run ladder -n 2^24
check 'too little memory: said' says 1 err \
  '^gsltune: GPU 0 cannot be used: 16777216 elements do not fit .* smaller -n$'
SOFTGPU_MEMORY=1000000000

# ------------------------------------------------------------- All rungs

SOFTGPU_DEVICE=$devices/gtx-970.json
run $ladder -n 2^10 --type uint
check 'all rungs: success, no messages' test "$status" -eq 0 -a ! -s err
check 'all rungs: what was summed' \
  says 0 out '^NVIDIA GeForce GTX 970: sums of 2^10 uint, 4 KiB, cold data$'
rows ()
{
  awk '/^rung  kernel and/ { on = 1; next } /^$/ { on = 0 } on && $1 + 0 {
         printf "%s %s\n", $1, $2 }' out | tr '\n' ';'
}
check 'all rungs: in order, the in-place form first' is "$(rows)" \
  '1 neighbored_in_place;1 neighbored;2 neighbored_packed_in_place;2 neighbored_packed;3 interleaved_in_place;3 interleaved;4 first_add;5 unroll_blocks_in_place;5 unroll_blocks;6 last_warp_in_place;6 last_warp;7 complete_in_place;7 complete;8 shuffle;9 multilevel;10 recursive;11 grid_stride;12 cluster;'
ratio='[0-9.]*x'
check 'all rungs: a row' says 0 out \
  "^ 5 unroll_blocks [0-9]* u[248] [0-9.]* us [0-9.]* [0-9.]*% $ratio $ratio 0\$"
check 'all rungs: one that this GPU does not have' says 0 out \
  '^ 12 cluster not available: needs a GPU of compute capability 9.0 or later$'
check 'all rungs: resources' says 0 out \
  '^ 11 grid_stride [0-9]* 528 B 0 B [0-9]*% [a-z]*$'

SOFTGPU_DEVICE=$devices/v100.json
run $ladder -n 2^10 --type double --device cuda:0 --json --cuda=/none
check '--json: success, no messages' test "$status" -eq 0 -a ! -s err
check '--json: the rungs' \
  is "$(value 'rungs.*.rung' | tr '\n' ' ')" '1 1 2 2 3 3 4 5 5 6 6 7 7 8 9 10 11 12 '
check '--json: nothing before the first' is "$(value rungs.0.over_before)" null
check '--json: no cluster' is "$(value rungs.17.unavailable)" \
  'needs a GPU of compute capability 9.0 or later'
check '--json: no device runtime, and the other rungs are there' \
  is "$(value rungs.15.unavailable)" \
  'needs libcudadevrt.a of a CUDA Toolkit, which is not below /none'
check '--json: what was swept' is "$(value 'rungs.8.swept.#')" 18

# ratio_is RUNG KEY OTHER: how much faster than OTHER, to six digits.
ratio_is ()
{
  for rung in $1 $3; do
    value "rungs.$rung.seconds"
  done | tr '\n' ' ' >seconds
  awk -v claimed="$(value "rungs.$1.$2")" \
    '{ ratio = $2 / $1 / claimed; exit !(ratio > 0.999999 && ratio < 1.000001) }' seconds
}
check 'over before' ratio_is 7 over_before 6
check 'over first' ratio_is 16 over_first 0

# ----------------------------------------------------------------- One rung

SOFTGPU_DEVICE=$h200
run $ladder -n 1000 --type float --kernel complete
check 'one rung: success, no messages' test "$status" -eq 0 -a ! -s err
check 'one rung' is "$(rows | tr -dc ';')" ';'
check 'one rung: its error' says 0 out '^ 7 complete 1024 u[248] .* - - [0-9.e-]*$'
SOFTGPU_FAIL=cuLaunchKernel:2=701 "$gsltune" $ladder -n 1000 --kernel shuffle --json \
  >out 2>err
status=$?
check 'a configuration that fails, and why' \
  is "$(value 'rungs.0.swept.*.verdict' | grep -c CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)" 1
SOFTGPU_FAIL=cuLaunchKernel:20+=700 "$gsltune" $ladder -n 1000 --kernel shuffle \
  >out 2>err
status=$?
check 'a GPU lost' says 1 err \
  '^gsltune: NVIDIA H200 has failed at rung 8, shuffle: .*ILLEGAL_ADDRESS'
check 'a GPU lost: nothing is shown as measured' test ! -s out

run $ladder -n 1000 --kernel complete --json
check 'one rung as JSON: one' is "$(value rungs.#)" 1
check 'one rung as JSON: exact' is "$(value rungs.0.error)" 0.0

SOFTGPU_DEVICE=$devices/v100.json
run $ladder -n 1000 --kernel cluster
check 'one rung, not available: said, no failure' \
  says 0 out '^ 12 cluster not available: needs a GPU of compute capability 9.0 or later$'

# ------------------------------------------------------ The device runtime

SOFTGPU_DEVICE=$h200
# linked TEXT OPTION...: whether rung 10 sums.
linked ()
{
  text=$1
  shift
  run $ladder --kernel recursive -n 3000 "$@"
  check "$text" says 0 out '^ 10 recursive [0-9]* u[248] .* 0$'
}
# unlinked TEXT WHY OPTION...: whether it says why not.
unlinked ()
{
  text=$1
  why=$2
  shift 2
  run $ladder --kernel recursive -n 3000 "$@"
  check "$text" says 0 out "^ 10 recursive not available: $why\$"
}
toolkit=$scratch/toolkit
for folder in lib64 targets/sbsa-linux/lib; do
  mkdir -p "$toolkit/$folder"
  cp "$CUDA_HOME/lib64/libcudadevrt.a" "$toolkit/$folder"
  linked "in $folder" "--cuda=$toolkit"
  rm "$toolkit/$folder/libcudadevrt.a"
done
cp "$CUDA_HOME/lib64/libcudadevrt.a" "$toolkit/lib64"
unset CUDA_HOME
CUDA_PATH=$toolkit
export CUDA_PATH
SOFTGPU_COUNT=$scratch/calls
export SOFTGPU_COUNT
linked 'CUDA_PATH'
check 'linked once' grep -q '^cuLinkComplete 1$' calls
check 'and released' grep -q '^cuLinkDestroy 1$' calls
unset CUDA_PATH SOFTGPU_COUNT

unlinked 'no device runtime' \
  'needs libcudadevrt.a of a CUDA Toolkit, which is not below /none' --cuda=/none
echo 'no archive' >"$toolkit/lib64/libcudadevrt.a"
unlinked 'a file that is none' \
  'cannot be linked with .*/lib64/libcudadevrt.a: CUDA_ERROR_INVALID_IMAGE' "--cuda=$toolkit"
for call in cuLinkCreate cuLinkAddData cuLinkAddFile cuLinkComplete; do
  SOFTGPU_FAIL=$call:1=301
  export SOFTGPU_FAIL
  unlinked "$call fails" \
    'cannot be linked with .*/lib64/libcudadevrt.a: CUDA_ERROR_FILE_NOT_FOUND'
done
unset SOFTGPU_FAIL

# What is installed has nothing of the runtime, whose table of errors is in every
# kernel that is linked with it; nor is there one in the image that is not.
image=$builddir/kernels/ladder/recursive.fatbin
check 'the image wants the runtime' grep -q __cudaCDP2LaunchDeviceV2 "$image"
for file in "$image" "$build/gsltune" "$builddir/.libs/gsltune" \
  "$builddir"/.libs/libgsltune.so*; do
  [ ! -f "$file" ] || check "nothing of the runtime in ${file##*/}" \
    test "$(grep -c -e cudartErrorTable -e cnprtCnpv2 "$file")" -eq 0
done

finish
