#! /bin/sh
# Tests of `gsltune occupancy' and `gsltune devices': the known case, kernels,
# recorded devices, and bad values.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

srcdir=${srcdir:-.}
builddir=${builddir:-.}
gsltune=$builddir/tests/gsltune
records=$srcdir/tests/devices

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
HOME=$dir
XDG_CACHE_HOME=$dir/cache
LC_ALL=C
export HOME XDG_CACHE_HOME LC_ALL

number=0

# ok TEXT: judges the last command by its exit status.
ok ()
{
  if test $? -eq 0; then result=ok; else result='not ok'; fi
  number=$((number + 1))
  echo "$result $number - $1"
  test "$result" = ok || sed 's/^/# /' "$dir/out" "$dir/err"
}

skip ()
{
  number=$((number + 1))
  echo "ok $number # SKIP $1"
}

# Runs gsltune; its status, output and messages are kept.
gsltune ()
{
  "$gsltune" "$@" > "$dir/out" 2> "$dir/err"
  status=$?
}

# refused TEXT WORD ARGUMENT...: exit status 2, nothing on standard output, and
# a message with WORD in it.
refused ()
{
  text=$1 word=$2
  shift 2
  gsltune "$@"
  test $status -eq 2 && test ! -s "$dir/out" \
    && grep '^gsltune: ' "$dir/err" > /dev/null \
    && grep -F -e "$word" "$dir/err" > /dev/null
  ok "$text"
}

# The same with exit status 1.
failed ()
{
  text=$1 word=$2
  shift 2
  gsltune "$@"
  test $status -eq 1 && test ! -s "$dir/out" \
    && grep -F -e "$word" "$dir/err" > /dev/null
  ok "$text"
}

# field KEY VALUE: whether the JSON printed last has that member.
field ()
{
  grep -F -x -e "  \"$1\": $2," "$dir/out" > /dev/null
}

# ------------------------------------------------------------ The known case

cat > "$dir/expected" <<'END'
Occupancy of blocks of 128 threads on compute capability 5.2

  registers per thread      48
  warps per block           128 / 32 = 4
  registers per warp        48 x 32 = 1536, in units of 256: 1536
  warps by registers        65536 / 1536 = 42.67, rounded down to a multiple of 4: 40
  blocks by registers       40 / 4 = 10
  shared memory per block   4096 + 0 reserved, in units of 256: 4096 bytes
  blocks by shared memory   98304 / 4096 = 24
  blocks by threads         64 warps / 4 = 16
  blocks by their number    32
  active blocks per SM      10
  active warps per SM       10 x 4 = 40 of 64 warps
  occupancy                 63%
  limited by                registers
END
gsltune occupancy --registers 48 --shared 4096 --block 128 --cc 5.2
sed '/^By block size/,$d' "$dir/out" | sed '$d' | cmp -s - "$dir/expected" \
  && test $status -eq 0
ok 'the known case, step by step'

test "$(grep -c '^ *[0-9][0-9]* ' "$dir/out")" -eq 32 \
  && grep '^  128  *10  *40  *63%  registers  *#\{20\} \*$' "$dir/out" \
     > /dev/null \
  && grep '^   96  *13  *39  *61%  registers  *#\{20\}$' "$dir/out" > /dev/null \
  && grep '^   32  *24  *24  *38%  shared memory  #\{12\}$' "$dir/out" \
     > /dev/null
ok 'the curve over block sizes, the best marked'

gsltune occupancy --registers 48 --shared 4Ki --block 128 --cc 5.2 --json
test $status -eq 0 && field registers_per_warp 1536 && field compiled_for null \
  && field warps_by_registers 40 && field blocks_by_shared 24 \
  && field active_warps_per_sm 40 && field max_warps_per_sm 64 \
  && field occupancy 0.625 && field limited_by '"registers"' \
  && test "$(grep -c '"block_size"' "$dir/out")" -eq 33
ok 'the known case as JSON'

gsltune occupancy --registers 40 --block 64 --cc 6.0
test $status -eq 0 && grep ' multiple of 2: 50$' "$dir/out" > /dev/null
ok 'warps are granted in twos on 6.0'

gsltune occupancy --registers 255 --block 288 --cc 9.0
test $status -eq 0 && grep '^  cannot launch  *one block needs more registers' \
  "$dir/out" > /dev/null
ok 'what cannot launch is said, and is no error'

gsltune occupancy --registers 0 --block 1024 --cc 7.5
test $status -eq 0 && grep '^  blocks by registers  *no limit$' "$dir/out" \
  > /dev/null && grep '^  blocks by shared memory  *no limit$' "$dir/out" \
  > /dev/null
ok 'no registers and no shared memory limit nothing'

# ------------------------------------------------------- Recorded devices

gsltune occupancy --registers 32 --block 1024 --record "$records/h200.json"
test $status -eq 0 && grep -F 'NVIDIA H200 (compute capability 9.0)' \
  "$dir/out" > /dev/null \
  && grep '^  active warps per SM  *2 x 32 = 64 of 64 warps$' "$dir/out" \
     > /dev/null
ok 'a recorded device'

{
  echo '{"devices": ['
  cat "$records/host-epyc.json"
  echo ,
  cat "$records/gb10.json"
  echo ']}'
} > "$dir/all.json"
gsltune occupancy --registers 32 --block 512 --record "$dir/all.json"
test $status -eq 0 && grep -F 'NVIDIA GB10' "$dir/out" > /dev/null
ok 'the first GPU of what devices --json prints'

failed 'a record that is missing' 'nowhere.json' \
  occupancy --registers 32 --block 512 --record "$dir/nowhere.json"
failed 'a record of a CPU' 'describes a CPU' \
  occupancy --registers 32 --block 512 --record "$records/host-epyc.json"
sed 's/"sm_count": 132/"sm_count": 0/' "$records/h200.json" > "$dir/bad.json"
failed 'a record with a bad number' '"sm_count" is 0: allowed are 1 to 4096' \
  occupancy --registers 32 --block 512 --record "$dir/bad.json"
head -c 100 "$records/h200.json" > "$dir/bad.json"
failed 'a truncated record' 'bad.json' \
  occupancy --registers 32 --block 512 --record "$dir/bad.json"

# ----------------------------------------------------------------- Kernels

# The oldest compute capability that the kernels are compiled for.
cc=$("$gsltune" --version 2> /dev/null \
  | sed -n 's/^Built with CUDA.* capabilities \([0-9.]*[0-9]\).*/\1/p')
if test -n "$cc"; then
  gsltune occupancy --kernel grid_stride --type float --unroll 2 --cc "$cc"
  test $status -eq 0 && grep '^Occupancy of sum_grid_stride_f32_u2 in blocks of 256 threads' \
    "$dir/out" > /dev/null
  ok 'a kernel of ours'
  grep -F -x "  compiled for              $cc" "$dir/out" > /dev/null \
    && grep '^  spills per thread  *[0-9]* bytes stored, [0-9]* bytes loaded$' \
       "$dir/out" > /dev/null
  ok 'what the compiler gave it, and for which GPU'
  # A GPU that no kernel is compiled for takes the nearest older.
  newest=$("$gsltune" --version | sed -n 's/^Built with CUDA.* \([0-9.]*[0-9]\);.*/\1/p')
  another ()
  {
    sed "s/\"compute_capability\": \"9.0\"/\"compute_capability\": \"$1\"/" \
      "$records/h200.json" > "$dir/other.json"
    gsltune occupancy --kernel grid_stride --record "$dir/other.json"
  }
  another "${newest%.*}.9"
  test $status -eq 0 \
    && grep "^  compiled for  *$newest, which ${newest%.*}\.9 runs$" "$dir/out" \
       > /dev/null
  ok 'a newer GPU of the same generation runs the code'
  another 99.0
  test $status -eq 0 \
    && grep "^  compiled for  *$newest, the nearest older: .* anew for 99\.0," \
       "$dir/out" > /dev/null
  ok 'for a newer generation the nearest older is named'
  gsltune occupancy --kernel grid_stride --record "$dir/other.json" --json
  test $status -eq 0 && grep -F -x '  "compiled_for": {' "$dir/out" > /dev/null \
    && grep -F -x "    \"compute_capability\": \"$newest\"," "$dir/out" \
       > /dev/null \
    && grep '^    "spill_store_bytes": [0-9]*,$' "$dir/out" > /dev/null \
    && grep '^    "spill_load_bytes": [0-9]*$' "$dir/out" > /dev/null
  ok 'the same as JSON'
  gsltune occupancy --kernel grid_stride --strided --mode compensated \
    --block 64 --cc "$cc"
  test $status -eq 0 \
    && grep '^Occupancy of sum_grid_stride_strided_compensated_f64_u4 in blocks of 64 ' \
       "$dir/out" > /dev/null
  ok 'a strided, compensated kernel'
  # A build for no GPU in particular leaves the others to the driver.
  if grep -q '"sum_exact_window_' "$builddir/kernels/cuda/resources_table.c"; then
    gsltune occupancy --kernel exact_window --cc "$cc"
    test $status -eq 0 && grep '^Occupancy of sum_exact_window_exact_f64_u4 in blocks ' \
      "$dir/out" > /dev/null
    ok 'a kernel that has no fast mode'
  else
    failed 'a kernel that the driver compiles' \
      'registers of sum_exact_window_exact_f64_u4 are not known' \
      occupancy --kernel exact_window --cc "$cc"
  fi
  # Its shared memory, 8 bytes a thread, grows with the block.
  gsltune occupancy --kernel interleaved --block 512 --cc "$cc"
  test $status -eq 0 && grep '^  shared memory per block  *4096 + [0-9]* reserved' \
    "$dir/out" > /dev/null
  ok 'dynamic shared memory of a kernel of ours'
  sed 's/"compute_capability": "9.0"/"compute_capability": "1.0"/' \
    "$records/h200.json" > "$dir/old.json"
  failed 'a kernel that is not compiled for an old GPU' 'no machine code of it' \
    occupancy --kernel grid_stride --record "$dir/old.json"
else
  for i in 1 2 3 4 5 6 7 8; do
    skip 'built without CUDA'
  done
  failed 'no kernel is compiled' 'no machine code of it' \
    occupancy --kernel grid_stride --cc 9.0
fi

# -------------------------------------------------------------- Bad values

n='--registers 32 --block 128 --cc 9.0'
refused 'a block of 0' 'from 1 to 1024' \
  occupancy --registers 32 --block 0 --cc 9.0
refused 'a block of 1025' 'from 1 to 1024' \
  occupancy --registers 32 --block 1025 --cc 9.0
refused 'a negative block' '--block' \
  occupancy --registers 32 --block -1 --cc 9.0
refused '256 registers' 'from 0 to 255' \
  occupancy --registers 256 --block 128 --cc 9.0
refused 'registers that are no number' "'many'" \
  occupancy --registers many --block 128 --cc 9.0
refused 'more shared memory than an SM has' 'from 0 to 233472' \
  occupancy $n --shared 233473
refused 'an unknown compute capability' '8.9, 9.0, 10.0' \
  occupancy --registers 32 --block 128 --cc 9.1
refused 'a compute capability with a tail' "'9.0a'" \
  occupancy --registers 32 --block 128 --cc 9.0a
refused 'no registers' '--registers is missing' occupancy --block 128 --cc 9.0
refused 'no block' '--block is missing' occupancy --registers 32 --cc 9.0
refused 'nothing at all' '--kernel NAME' occupancy
refused 'a kernel and registers' '--kernel and --registers' \
  occupancy --kernel grid_stride $n
refused 'a kernel and shared memory' '--kernel and --shared' \
  occupancy --kernel grid_stride --shared 1 --cc 9.0
refused 'two sorts of device' '--cc and --record' \
  occupancy $n --record "$records/h200.json"
refused 'a type without a kernel' '--type belongs to --kernel' \
  occupancy $n --type float
refused 'strided without a kernel' '--strided belongs to --kernel' \
  occupancy $n --strided
refused 'an unknown kernel' 'exact_bins, exact_words, neighbored_in_place, neighbored' \
  occupancy --kernel fast --cc 9.0
refused 'a CPU kernel' 'no CUDA kernel' occupancy --kernel simd --cc 9.0
refused 'a type that a GPU has not' 'long_double' \
  occupancy --kernel grid_stride --type long_double --cc 9.0
refused 'a mode that a kernel has not' 'compensated mode' \
  occupancy --kernel interleaved --mode compensated --cc 9.0
refused 'an unroll factor of 3' 'it has 1, 2, 4, 8, 16' \
  occupancy --kernel grid_stride --unroll 3 --cc 9.0
refused 'an unroll factor that a kernel has not' 'it has 2, 4, 8' \
  occupancy --kernel shuffle --unroll 16 --cc 9.0
refused 'a block size that a kernel is not compiled for' '64, 128, 256' \
  occupancy --kernel complete --block 32 --cc 9.0
refused 'an unroll factor for a kernel without' 'no unroll factor' \
  occupancy --kernel interleaved --unroll 4 --cc 9.0
refused 'a device that is no GPU' 'cuda:N' \
  occupancy --registers 32 --block 128 --device cpu
refused 'a bad ordinal' "'x'" \
  occupancy --registers 32 --block 128 --device cuda:x
failed 'a GPU that is not there' '--' \
  occupancy --registers 32 --block 128 --device cuda:999999
refused 'a stray argument' "'stray'" occupancy $n stray
refused 'an unknown option' '--registers' occupancy --warps 3

# ------------------------------------------------------------------ Devices

gsltune devices
test $status -eq 0 && grep '^cpu: ' "$dir/out" > /dev/null \
  && grep '^  usable cores  *[1-9]' "$dir/out" > /dev/null \
  && grep '^  silicon key  *cpu-[a-z0-9.-]*$' "$dir/out" > /dev/null \
  && grep -e '^no CUDA GPU: ..*' -e '^cuda:0: ' "$dir/out" > /dev/null
ok 'devices: the host, and the GPUs or why there is none'

gsltune devices --json
test $status -eq 0 && grep -F -x '  "devices": [' "$dir/out" > /dev/null \
  && grep -F -x '      "kind": "cpu",' "$dir/out" > /dev/null \
  && grep -E '^    "usable": (true|false),$' "$dir/out" > /dev/null
ok 'devices as JSON'

env CUDA_VISIBLE_DEVICES= "$gsltune" devices > "$dir/out" 2> "$dir/err"
test $? -eq 0 && grep '^no CUDA GPU: ..*' "$dir/out" > /dev/null
ok 'devices when every GPU is hidden'

if test -c /dev/full; then
  "$gsltune" devices > /dev/full 2> "$dir/err"
  test $? -eq 1 && grep 'standard output' "$dir/err" > /dev/null
  ok 'devices on a full disk'
else
  skip 'no /dev/full'
fi
refused 'devices: a stray argument' "'stray'" devices stray

echo "1..$number"
