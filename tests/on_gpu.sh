#!/bin/sh
# The tests that need a GPU, on the machine's own one: without the driver of
# tests/softgpu.  Skipped where there is none, unless GSLTUNE_TEST_REQUIRE_GPU
# is set.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

tests=$build/tests
LD_LIBRARY_PATH=$(echo "$LD_LIBRARY_PATH" | tr ':' '\n' \
  | grep -vxF -e "$softgpu" | paste -sd: -)
[ -n "$LD_LIBRARY_PATH" ] || unset LD_LIBRARY_PATH
if [ -n "${GSLTUNE_TEST_VISIBLE_DEVICES+set}" ]; then
  CUDA_VISIBLE_DEVICES=$GSLTUNE_TEST_VISIBLE_DEVICES
  export CUDA_VISIBLE_DEVICES
fi
GSLTUNE_TEST_REAL_GPU=1
export GSLTUNE_TEST_REAL_GPU

usable ()
{
  [ "$status" -eq 0 ] && grep -q '"usable": true' out
}
run devices --json
if ! usable; then
  reason=$(sed -n 's/.*"reason": "\(.*\)".*/\1/p' out)
  if [ -z "$GSLTUNE_TEST_REQUIRE_GPU" ]; then
    echo "1..0 # SKIP no GPU: $reason"
    exit 0
  fi
  check "a GPU can be used, which GSLTUNE_TEST_REQUIRE_GPU demands: $reason" \
    usable
  finish
fi
check "a GPU can be used: $(sed -n 's/.*"name": "\(.*\)".*/\1/p' out | head -1)" \
  usable

# A test program that ran: all of its plan, and nothing failed.
all_ok ()
{
  planned=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' out)
  [ "$status" -eq 0 ] && [ "${planned:-0}" -gt 0 ] \
    && [ "$(grep -c '^ok ' out)" -eq "$planned" ] && ! grep -q '^not ok' out
}
for program in test_device test_gpu_addresses test_gpu_exact \
  test_gpu_exact_ranges test_gpu_exact_sums \
  test_gpu_kernels test_gpu_ladder test_gpu_order \
  test_gpu_routes test_gpu_sums test_device_vector test_device_matrix test_device_lines test_device_blas test_device_extremes \
  test_complex test_device_fork test_device_stats test_device_streams test_pinned_vector \
  test_sum_all test_unload; do
  "$tests/$program" >out 2>err
  status=$?
  check "$program on the GPU" all_ok
done

went_well ()
{
  [ "$status" -eq 0 ]
}
"$tests/test_truth" 20000 1 gpu >out 2>err
status=$?
check 'statistics of device vectors beside whole numbers' went_well
"$tests/soak" -t 10 -s 1 -m 1024 >out 2>err
status=$?
check 'ten seconds of random functions on the GPU' went_well
run tune --effort quick --device cuda --type double
check 'gsltune tune' went_well
profile=$(ls "$XDG_DATA_HOME"/gsltune/cuda-*.json 2>/dev/null | head -1)
check 'it has written a profile' [ -s "${profile:-none}" ]
run explain --place device
explained ()
{
  went_well && grep -qF "$profile" out
}
check 'gsltune explain names it' explained
run ladder --effort quick
check 'gsltune ladder' went_well

GSLTUNE_DEVICE=cuda
export GSLTUNE_DEVICE
gives 'gsltune sum on the GPU' 113133 sum "$data/lottery.dat"

finish
