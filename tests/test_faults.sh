#!/bin/sh
# A GPU that fails: every entry point of the driver, at its first and at later
# calls, with several errors.  Sums stay right, nothing crashes, hangs or grows.
# The driver is that of tests/softgpu, the work tests/faults.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

case $softgpu in
  '') echo '1..0 # SKIP built without CUDA'; exit 0 ;;
esac
faults=$(dirname "$gsltune")/tests/faults
devices=$data/../devices
list=$data/../../src/cuda/entry_points.def
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

work $cuda $h200 SOFTGPU_COUNT=counts -- strict host device tuner \
  pinned
check 'a GPU that does not fail' went_well
check 'rungs are linked' [ "$(calls cuLinkComplete)" -ge 1 ]
check 'it is used' [ "$(calls cuLaunchKernel)" -gt 10 ]
check 'memory is pinned' [ "$(calls cuMemHostRegister)" -ge 3 ]
check 'and unpinned' [ "$(calls cuMemHostUnregister)" -ge 3 ]
cp counts clean

# ------------------------------------------------------ Every entry point

# strict NAME CODE: empty where elements on the GPU may be lost.
strict ()
{
  case $1:$2 in
    cuMemcpyDtoH:* | cuStreamSynchronize:* | cuCtx*:* | *:700 | *:719) ;;
    *) echo strict ;;
  esac
}

# Each entry point meets every code, and every kind of calls with two of them.
fail_entry_point ()
{
  name=$1
  number=$2
  last=$(sed -n "s/^$name //p" clean)
  middle=$(((last + 1) / 2))
  turn=$number
  # Never called in that work: one try, in case it is called in another.
  [ "$last" -gt 0 ] || turn=$((turn / 4 * 4))
  for code in 1 2 3 100 209 700 719 999; do
    turn=$((turn + 1))
    case $((turn % 4)) in
      0) which=1 ;;
      1) which='*' ;;
      2) which=$last ;;
      3) which=$middle+ ;;
    esac
    case $((turn / 4 % 2)) in
      0) parts='host device tuner pinned' ;;
      1) parts='pinned device tuner host' ;;
    esac
    # shellcheck disable=SC2046,SC2086 # words
    work $cuda $h200 "SOFTGPU_FAIL=$name:$which=$code" -- \
      $(strict "$name" $code) $parts
    if ! went_well; then
      echo "$name:$which=$code $parts: status $status" >>failed
      sed 's/^/  /' err >>failed
    fi
    [ "$last" -gt 0 ] || break
  done
}

none_failed ()
{
  [ ! -s failed ] || {
    sed 's/^/# /' failed
    return 1
  }
}

number=0
for name in $(sed -n 's/^ENTRY_POINT (\(cu[A-Za-z0-9]*\), .*/\1/p' "$list"); do
  number=$((number + 1))
  : >failed
  fail_entry_point "$name" $number
  check "$name fails" none_failed
done
check 'the list of entry points was read' [ $number -gt 30 ]

# What makes room for an error fails too.
: >failed
for first in cuMemAlloc:2 cuMemsetD8Async:1 cuStreamSynchronize:1; do
  for then in cuStreamDestroy cuMemFree cuMemFreeHost cuCtxPopCurrent; do
    work $cuda $h200 "SOFTGPU_FAIL=$first=2,$then:*=1" -- host device
    went_well || echo "$first, $then: status $status: $(cat err)" >>failed
  done
done
for first in cuGraphAddKernelNode:1 cuGraphInstantiateWithFlags:2 \
  cuThreadExchangeStreamCaptureMode:2; do
  for then in cuGraphExecDestroy cuGraphDestroy cuLaunchKernel; do
    work $cuda $h200 "SOFTGPU_FAIL=$first=2,$then:*=1" -- strict host device
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
cp counts clean

# gives_back NAME: whether something that fails is needed to give memory back.
gives_back ()
{
  case $1 in
    cuMemFree* | cuMemHostUnregister | cuStreamDestroy | cuGraph*Destroy \
      | cuCtxPushCurrent | cuCtxPopCurrent) ;;
    *) return 1 ;;
  esac
}

# The first call, a later one, and all of them or the last ones, with errors that
# pass (1, 2) and that last.  All sums are right, and nothing of the library's
# stays anywhere.
fail_routes ()
{
  name=$1
  last=$(sed -n "s/^$name //p" clean)
  later=$(((last + 1) / 2))
  leaks=1
  ! gives_back "$name" || leaks=0
  for code in 1 2 700 999; do
    case $code in
      1 | 700) more='*' ;;
      *) more=$last+ ;;
    esac
    for which in 1 $later "$more"; do
      work $cuda $two "SOFTGPU_FAIL=$name:$which=$code" SOFTGPU_LEAKS=$leaks \
        -- routes
      went_well || {
        echo "$name:$which=$code: status $status"
        sed 's/^/  /' err
      } >>failed
    done
  done
}

for name in $(sed -n 's/^ENTRY_POINT (\(cu[A-Za-z0-9]*\), .*/\1/p' "$list"); do
  [ "$(sed -n "s/^$name //p" clean)" -gt 0 ] || continue
  : >failed
  fail_routes "$name"
  check "$name fails: routes" none_failed
done

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
  work "$@" -- no_gpu strict host device pinned
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
  -- strict host device pinned
check 'the second GPU' went_well
check 'it is used' [ "$(calls cuLaunchKernel)" -gt 10 ]
for bytes in 0 100000 300000 1000000; do
  work $cuda $h200 SOFTGPU_MEMORY=$bytes -- strict host device tuner pinned \
    routes
  check "GPU memory of $bytes bytes" went_well
done

finish
