#! /bin/sh
# Tests of `gsltune occupancy' and `gsltune devices': the known case, kernels,
# recorded devices, and bad values.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
records=$data/../devices

# refused STATUS WORD: nothing on standard output, and a message with WORD in it.
refused ()
{
  [ "$status" -eq "$1" ] && [ ! -s out ] && grep -q '^gsltune: ' err \
    && grep -q -F -e "$2" err
}

# each_refused STATUS: a line of standard input is TEXT|WORD|ARGUMENT...
each_refused ()
{
  while IFS='|' read -r text word arguments; do
    # shellcheck disable=SC2086 # several words
    run $arguments
    check "$text" refused "$1" "$word"
  done
}

# shows LINE...: exit status 0 and these lines, blanks squeezed, patterns.
shows ()
{
  tr -s ' ' <out >squeezed
  for line; do
    [ "$status" -eq 0 ] && grep -q -x -e " \{0,1\}$line" squeezed || return
  done
}

# ------------------------------------------------------------ The known case

cat >expected <<'END'
  compute capability       5.2
  block size               128
  registers per thread     48
  warps per block          128 / 32 = 4
  registers per warp       48 x 32, in units of 256: 1536
  warps by registers       65536 / 1536, rounded down to a multiple of 4: 40
  blocks by registers      40 / 4 = 10
  shared bytes per block   4096 + 0 reserved, in units of 256: 4096
  blocks by shared memory  98304 / 4096 = 24
  blocks by threads        64 / 4 = 16
  blocks by their number   32
  active blocks per SM     10
  active warps per SM      10 x 4 = 40
  most warps per SM        64
  occupancy                63%
  limited by               registers
END
run occupancy --registers 48 --shared 4096 --block 128 --cc 5.2
step_by_step ()
{
  [ "$status" -eq 0 ] && sed '/^By block size/,$d' out | sed '$d' | cmp -s - expected
}
check 'the known case, step by step' step_by_step
check 'the curve over block sizes' is "$(grep -c '^ *[0-9][0-9]* ' out)" 32
check 'the best marked' shows '128 10 40 63% registers #\{20\} \*' \
  '96 13 39 61% registers #\{20\}' '32 24 24 38% shared memory #\{12\}'
run occupancy --registers 48 --shared 4Ki --block 128 --cc 5.2 --json
check 'the known case as JSON' shows '"registers_per_warp": 1536,' \
  '"warps_by_registers": 40,' '"blocks_by_shared_memory": 24,' \
  '"active_warps_per_SM": 40,' '"most_warps_per_SM": 64,' '"occupancy": 0.625,' \
  '"limited_by": "registers",'
check 'and the curve' is "$(value 'curve.#')" 32
told 'warps are granted in twos on 6.0' 0 out ' multiple of 2: 50$' \
  occupancy --registers 40 --block 64 --cc 6.0
told 'what cannot launch is said, and is no error' 0 out \
  '^ limited by cannot launch: one block needs more registers' \
  occupancy --registers 255 --block 288 --cc 9.0
run occupancy --registers 0 --block 1024 --cc 7.5
check 'no registers and no shared memory limit nothing' \
  shows 'blocks by registers no limit' 'blocks by shared memory no limit'

# ---------------------------------------------------------- GPUs that are here

CUDA_HOME=$softgpu/../toolkit
export CUDA_HOME SOFTGPU_DEVICE
if [ -n "$softgpu" ]; then
  SOFTGPU_DEVICE=$records/gb10.json:$records/h200.json
  run occupancy --registers 32 --block 1024 --device cuda:1
  check 'a GPU' shows 'device NVIDIA H200' 'compute capability 9.0' \
    'active warps per SM 2 x 32 = 64'
  told 'the first GPU' 0 out 'NVIDIA GB10' occupancy --registers 32 --block 512
fi
r='occupancy --registers 32 --block' k='occupancy --kernel'

# ----------------------------------------------------------------- Kernels

# The oldest compute capability that the kernels are compiled for.
cc=$("$gsltune" --version 2>/dev/null \
  | sed -n 's/^Built with CUDA.* capabilities \([0-9.]*[0-9]\).*/\1/p')
if [ -n "$cc" ]; then
  run occupancy --kernel grid_stride --type float --unroll 2 --cc "$cc"
  check 'a kernel of ours, what the compiler gave it, and for which GPU' shows \
    'kernel sum_grid_stride_f32_u2' 'block size 256' \
    "compiled for $cc" 'bytes of spill stores [0-9]*' 'bytes of spill loads [0-9]*'
  # A GPU that no kernel is compiled for takes the nearest older.
  newest=$("$gsltune" --version | sed -n 's/^Built with CUDA.* \([0-9.]*[0-9]\);.*/\1/p')
  # gpu CAPABILITY: there is such a GPU.
  gpu ()
  {
    sed "s/\"compute_capability\": \"9.0\"/\"compute_capability\": \"$1\"/" \
      "$records/h200.json" >other.json
    SOFTGPU_DEVICE=other.json
  }
  gpu "${newest%.*}.9"
  told 'a newer GPU of the same generation runs the code' 0 out \
    "^ compiled for $newest$" \
    occupancy --kernel grid_stride
  gpu 99.0
  told 'for a newer generation the nearest older is named' 0 out \
    '^ the nearest older: for 99\.0 the driver compiles anew' \
    occupancy --kernel grid_stride
  run occupancy --kernel grid_stride --json
  # A build for no GPU in particular leaves the others to the driver.
  run occupancy --kernel exact_window --cc "$cc"
  if grep -q '"sum_exact_window_' "$build/kernels/cuda/resources_table.c"; then
    check 'a kernel that has no fast mode' says 0 out \
      '^ kernel sum_exact_window_exact_f64_u4$'
  else
    check 'a kernel that the driver compiles' \
      refused 1 'registers of sum_exact_window_exact_f64_u4 are not known'
  fi
  # Its shared memory, 8 bytes a thread, grows with the block.
  told 'dynamic shared memory of a kernel of ours' 0 out \
    '^ shared bytes per block 4096 + [0-9]* reserved' \
    occupancy --kernel interleaved --block 512 --cc "$cc"
  gpu 1.0
  run occupancy --kernel grid_stride
  check 'a kernel that is not compiled for an old GPU' refused 1 'no machine code of it'
else
  skip 'kernels' 'built without CUDA'
  run occupancy --kernel grid_stride --cc 9.0
  check 'no kernel is compiled' refused 1 'no machine code of it'
fi

# -------------------------------------------------------------- Bad values

n="$r 128 --cc 9.0"
each_refused 2 <<END
a block of 0|from 1 to 1024|$r 0 --cc 9.0
a block of 1025|from 1 to 1024|$r 1025 --cc 9.0
a negative block|--block|$r -1 --cc 9.0
256 registers|from 0 to 255|occupancy --registers 256 --block 128 --cc 9.0
registers that are no number|'many'|occupancy --registers many --block 128 --cc 9.0
more shared memory than an SM has|from 0 to 233472|$n --shared 233473
no registers|--registers is missing|occupancy --block 128 --cc 9.0
no block|--block is missing|occupancy --registers 32 --cc 9.0
nothing at all|--kernel NAME|occupancy
a kernel and registers|--kernel and --registers|$n --kernel grid_stride
a kernel and shared memory|--kernel and --shared|$k grid_stride --shared 1 --cc 9.0
an unknown kernel|exact_bins, exact_words, neighbored_in_place, neighbored|$k fast --cc 9.0
a CPU kernel|no CUDA kernel|$k simd --cc 9.0
a type that a GPU has not|long_double|$k grid_stride --type long_double --cc 9.0
an unroll factor of 3|it has 1, 2, 4, 8, 16|$k grid_stride --unroll 3 --cc 9.0
a block size that a kernel is not compiled for|64, 128, 256|$k complete --block 32 --cc 9.0
a device that is no GPU|cuda:N|$r 128 --device cpu
an unknown option|--registers|occupancy --warps 3
devices: a stray argument|'stray'|devices stray
END
SOFTGPU_DEVICE=
run occupancy --registers 32 --block 128 --device cuda:999999
check 'a GPU that is not there' refused 1 --

# ------------------------------------------------------------------ Devices

# recorded: what is printed of the GPU is what was recorded.
recorded ()
{
  [ "$status" -eq 0 ] && tr -d ' ,' <out | sort >printed && [ -z "$(comm -13 printed record)" ]
}
[ -z "$softgpu" ] || for gpu in a100 gb10 gtx-970 h200 h200-mig-3g rtx-4090 v100; do
  SOFTGPU_DEVICE=$records/$gpu.json
  tr -d ' ,' <"$records/$gpu.json" | sort >record
  run devices --json
  check "a $gpu as JSON" recorded
done
run devices
check 'devices: the host, and the GPUs or why there is none' \
  shows 'cpu: .*' 'usable cores [1-9].*' 'silicon key cpu-[a-z0-9.-]*' \
  '\(no CUDA GPU: .\|cuda:0: \).*'
run devices --json
check 'devices as JSON' shows '"devices": \[' '"kind": "cpu",' \
  '"usable": \(true\|false\),'
CUDA_VISIBLE_DEVICES='' run devices

finish
