#!/bin/sh
# A GPU that fails: a sample of what `make check-faults' tries, and what else may be
# wrong with it.  Sums stay right, nothing crashes, hangs or grows.  The driver is
# that of tests/softgpu, the work tests/faults and tests/faults_matrix.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

case $softgpu in
  '') echo '1..0 # SKIP built without CUDA'; exit 0 ;;
esac
faults=$build/tests/faults
matrix=$build/tests/faults_matrix
devices=$data/../devices
GSLTUNE_PROFILE_DIR=$scratch/none
CUDA_HOME=$softgpu/../toolkit
unset CUDA_VISIBLE_DEVICES SOFTGPU_DEVICE SOFTGPU_FAIL SOFTGPU_SEED
export GSLTUNE_PROFILE_DIR CUDA_HOME

# work SETTING... -- PART...: leaves $status, out and err.
work ()
{
  settings=
  while [ "$1" != -- ]; do
    settings="$settings $1"
    shift
  done
  shift
  # shellcheck disable=SC2086 # words without blanks
  timeout 120 env $settings "$faults" "$@" >out 2>err
  status=$?
}

went_well ()
{
  [ "$status" -eq 0 ] && [ ! -s err ]
}

cuda='GSLTUNE_DEVICE=cuda'
h200="SOFTGPU_DEVICE=$devices/h200.json"

# calls NAME: how often the last work with SOFTGPU_COUNT=counts called it.
calls ()
{
  sed -n "s/^$1 //p" counts
}

work $cuda $h200 SOFTGPU_COUNT=counts -- strict host device views tuner \
  pinned
check 'a GPU that does not fail' went_well
check 'rungs are linked' [ "$(calls cuLinkComplete)" -ge 1 ]
check 'it is used' [ "$(calls cuLaunchKernel)" -gt 10 ]
check 'memory is pinned' [ "$(calls cuMemHostRegister)" -ge 3 ]
check 'and unpinned' [ "$(calls cuMemHostUnregister)" -ge 3 ]

# ------------------------------------------------- A sample of the matrix

# One of 240 settings of `make check-faults`, so that every run of the tests has some
# of each part; one of 600 under sanitizers, which take ten times as long.  It has a
# folder of profiles of its own.
case ${CFLAGS:-} in
  *-fsanitize=*) share=600 least=800 ;;
  *) share=240 least=2000 ;;
esac
env -u GSLTUNE_PROFILE_DIR HWLOC_PLUGINS_PATH=/nonexistent softgpu="$softgpu" \
  srcdir="$data/../.." \
  timeout 600 "$matrix" -s $share >matrix 2>&1
status=$?
sed 's/^/# /' matrix
check 'a sample of the driver matrix' [ $status -eq 0 ]
# all RUNS STRUCK SHARE ANSWERS REFUSALS FAILED
# shellcheck disable=SC2046 # words
set -- $(sed -n 's/^all  *//p' matrix)
check 'nearly all of its faults strike' [ $((${2:-0} * 100)) -gt $((${1:-0} * 95)) ]
check 'answers are checked' [ "${4:-0}" -gt $least ]

none_failed ()
{
  [ ! -s failed ] || {
    sed 's/^/# /' failed
    return 1
  }
}

# What makes room for an error fails too.
: >failed
for first in cuMemAlloc:2 cuMemsetD8Async:1 cuStreamSynchronize:1; do
  for then in cuStreamDestroy cuMemFree cuMemFreeHost cuCtxPopCurrent; do
    work $cuda $h200 "SOFTGPU_FAIL=$first=2,$then:*=1" -- host device views
    went_well || echo "$first, $then: status $status: $(cat err)" >>failed
  done
done
for first in cuGraphAddKernelNode:1 cuGraphInstantiateWithFlags:2 \
  cuThreadExchangeStreamCaptureMode:2; do
  for then in cuGraphExecDestroy cuGraphDestroy cuLaunchKernel; do
    work $cuda $h200 "SOFTGPU_FAIL=$first=2,$then:*=1" -- strict host device views
    went_well || echo "$first, $then: status $status: $(cat err)" >>failed
  done
done
check 'errors while cleaning up after an error' none_failed

# ------------------------------------------------- Routes of host data

two="$h200:$devices/a100.json"
work $cuda $two SOFTGPU_COUNT=counts SOFTGPU_LEAKS=1 -- routes
check 'host data by every route' went_well
check 'one and two GPUs take all of it' grep -qx '54 sums, 0 not taken' out
check 'some is copied' [ "$(calls cuMemcpyHtoDAsync)" -ge 30 ]
check 'pieces are launched' \
  [ $(($(calls cuLaunchKernel) + $(calls cuGraphLaunch))) -ge 100 ]

# ------------------------------------------------------------- Nothing grows

work $cuda $h200 SOFTGPU_COUNT=counts -- thousand
check 'a thousand sums' went_well
bounded ()
{
  [ "$(calls cuMemAlloc)" -le 8 ] && [ "$(calls cuMemHostAlloc)" -le 4 ] \
    && [ "$(calls cuStreamCreate)" -le 4 ] \
    && [ "$(calls cuLibraryLoadData)" -le 2 ] \
    && [ "$(calls cuDevicePrimaryCtxRetain)" -eq 1 ] \
    && [ "$(calls cuKernelGetFunction)" -le 8 ] \
    && [ "$(calls cuCtxPushCurrent)" -eq "$(calls cuCtxPopCurrent)" ] \
    && [ $(($(calls cuLaunchKernel) + $(calls cuGraphLaunch))) -ge 3000 ]
}
check 'they allocate no more than a few' bounded
prepared ()
{
  [ "$(calls cuGraphLaunch)" -ge 2990 ] \
    && [ "$(calls cuGraphInstantiateWithFlags)" -le 4 ] \
    && [ "$(calls cuGraphCreate)" -eq "$(calls cuGraphInstantiateWithFlags)" ]
}
check 'they are launched from a few prepared graphs' prepared

# What a GPU refuses once is not asked for again, and nothing of it stays.
plain ()
{
  went_well && [ "$(calls "$1")" -eq 1 ] \
    && [ "$(calls cuLaunchKernel)" -ge 2990 ] \
    && [ "$(calls cuGraphDestroy)" -eq "$2" ]
}
for name in cuGraphCreate:0 cuGraphAddKernelNode:1 \
  cuGraphInstantiateWithFlags:1 cuGraphExecKernelNodeSetParams:0 \
  cuGraphLaunch:0; do
  work $cuda $h200 SOFTGPU_COUNT=counts "SOFTGPU_FAIL=${name%:*}:1=801" \
    -- thousand
  check "a thousand sums where ${name%:*} is refused" \
    plain "${name%:*}" "${name#*:}"
done

# ------------------------------------------------- No GPU that can be used

# right TEXT WHY SETTING...: sums are right though no GPU is used, because WHY.
right ()
{
  text=$1
  why=$2
  shift 2
  work "$@" -- no_gpu strict host device views pinned
  check "$text" said "$why"
}
said ()
{
  went_well && grep -q "$1" out
}
right 'no device' 'no CUDA-capable device' $cuda
right 'CUDA_VISIBLE_DEVICES=' 'no CUDA-capable device' $cuda $h200 \
  CUDA_VISIBLE_DEVICES=
right 'an old driver' 'older than CUDA 12.0' $cuda $h200 \
  SOFTGPU_DRIVER_VERSION=11000
right 'a GPU of a number there is none of' 'no GPU of that number' \
  GSLTUNE_DEVICE=cuda:9 $h200
right 'the environment wants the CPU' 'GSLTUNE_DEVICE is cpu' \
  GSLTUNE_DEVICE=cpu $h200
mkdir broken
echo 'no library' >broken/libcuda.so.1
right 'a driver that is none' 'libcuda.so.1' $cuda \
  "LD_LIBRARY_PATH=$scratch/broken"

work GSLTUNE_DEVICE=cuda:1 "$h200:$devices/a100.json" SOFTGPU_COUNT=counts \
  -- strict host device views pinned
check 'the second GPU' went_well
check 'it is used' [ "$(calls cuLaunchKernel)" -gt 10 ]
work $cuda $h200 SOFTGPU_LEAKS=1 \
  'SOFTGPU_FAIL=cuMemAlloc:*=misaligned,cuMemHostAlloc:*=misaligned' \
  -- strict host device views tuner pinned routes
check 'memory that lies where no kernel can use it' went_well
for bytes in 0 100000 300000 1000000; do
  work $cuda $h200 SOFTGPU_MEMORY=$bytes -- strict host device views tuner pinned \
    routes
  check "GPU memory of $bytes bytes" went_well
done

finish
