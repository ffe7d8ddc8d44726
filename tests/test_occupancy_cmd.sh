#! /bin/sh
# Tests of `gsltune occupancy' and `gsltune devices': the known case, recorded devices,
# and bad values.
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
r='occupancy --registers 32 --block'

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
nothing at all|--registers is missing|occupancy
two sorts of device|--cc and --device|$n --device cuda:0
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
check 'devices when every GPU is hidden' shows 'no CUDA GPU: .*'

finish
