#!/bin/sh
# The tables of `make bench': options, and what they print; not how fast anything is.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
. "$data/../profile.sh"
bench=$build/bench/bench

run_bench ()
{
  "$bench" "$@" >out 2>err
  status=$?
}

time='-*[0-9.]* [num]*s'

run_bench --table limit --max-exponent 10 --rounds 1
check 'tables: success' test "$status" -eq 0 -a ! -s err
check 'limit: a table a type' \
  is "$(grep -c '^limit [a-z]*: [a-z]* on the CPU, fast mode' out)" 3
check 'limit: which loop' says 0 out \
  '^The plain loop is compiled for [a-z0-9]*\.$'
check 'limit: the columns' says 0 out \
  '^ *n GSL plain gsltune plain reads gsltune/plain difference of allowed gs'
check 'limit: a row' says 0 out \
  "^ *91 $time $time $time [0-9.]* [kMGT]B/s [0-9.]* $time [0-9.]* [0-9.]* - - - "
for type in double float int; do
  check "limit: a bar for $type" says 0 out \
    "^- bar: limit $type: the time allowed: .*: [rM][A-Za-z]* [0-9.]* at n ="
done
# "... reached 0.9 at n = 64" is the row "64 ..." with 0.9.
shown ()
{
  tr -s ' ' <out | sed 's/^ //' >squeezed
  # shellcheck disable=SC2046 # two words
  set -- $(sed -n 's/^- bar: limit double: the time.* \([0-9.]*\) at n = \([0-9^]*\).*/\1 \2/p' \
             squeezed)
  awk -v share="$1" -v n="$2" '
    $1 == n && $13 == share { found = 1 }
    /^limit float/ { exit }
    END { exit !found }' squeezed
}
check 'the length of a bar is that of the worst row' shown
check 'how many are short, where some are' \
  test "$(grep -c '^- bar.*MISSED' out)" = "$(grep -c '^- bar.* of [0-9]* short)' out)"
check 'a section of what should not be' says 0 out '^What should not be:$'
check 'which is not empty, and the last' test -n "$(tail -1 out | grep '^- [a-z]')"

run_bench --table limit --max-exponent 10 --rounds 1 --markdown
check 'Markdown' says 0 out \
  '^| n | GSL | plain | gsltune | plain reads | gsltune/plain | difference | of al'
check 'Markdown: a rule' says 0 out '^|---:|---:|---:.*---:|:---|$'

GSLTUNE_ISA=baseline run_bench --table limit --max-exponent 10 --rounds 1 --json
check 'JSON: valid' test "$status" -eq 0 -a ! -s err -a -n "$(value tables)"
check 'JSON: the tables' is "$(value 'tables.*.name' | tr '\n' ';')" \
  'limit double;limit float;limit int;'
check 'JSON: another instruction set' \
  is "$(value tables.0.note)" 'The plain loop is compiled for baseline.'
check 'JSON: lengths' \
  is "$(value 'tables.2.rows.*.n' | tr '\n' ' ')" \
  '64 91 128 181 256 363 512 725 1024 '
check 'JSON: the bar for wider vectors is not for it' \
  is "$(value tables.0.bars.#) $(value tables.1.bars.#)" '1 1'

# The figures of a row belong together; allowed is the plain loop's time over 0.9 or 5 ns more.
consistent ()
{
  for key in plain_seconds gsltune_seconds ratio difference_seconds share_of_allowed; do
    value "tables.0.rows.*.$key" >"$key"
  done
  paste plain_seconds gsltune_seconds ratio difference_seconds share_of_allowed | awk '
    function near(a, b) { return a - b < 1e-6 * b && b - a < 1e-6 * b }
    { allowed = $1 / 0.9 > $1 + 5e-9 ? $1 / 0.9 : $1 + 5e-9
      if (!($1 > 0 && $2 > 0 && near($1 / $2, $3) && near($2 - $4 + $2, $1 + $2) &&
            near($2 / allowed, $5)))
        { bad = 1; print "# row " NR ": " $0 } }
    END { exit bad || NR != 9 }'
}
check 'JSON: times, ratio, difference and share belong together' consistent
worst ()
{
  is "$(value tables.0.bars.0.worst)" "$(sort -g share_of_allowed | tail -1)"
}
check 'JSON: the bar tells the worst' worst
check 'JSON: and where, and whether it is reached' \
  test -n "$(value tables.0.bars.0.at)" -a "$(value tables.0.bars.0.reached)" \
    = "$(sort -g share_of_allowed | tail -1 | awk '{ print $1 <= 1 ? "true" : "false" }')"
check 'JSON: what should not be' \
  is "$(value 'tables.*.n_should_not_be' | wc -l)" 3
run_bench --table limit --max-exponent 21 --rounds 1 --json
check 'limit: long vectors by all threads too' \
  is "$(value 'tables.1.rows.*.read_all_bytes_per_second' \
          | sed 's/[0-9].*/number/' | sort | uniq -c | tr -s ' \n' ' ')" \
  ' 28 null 3 number '

# ---------------------------------------------------------------- Host data

run_bench --table routes --max-exponent 10 --rounds 1
check 'routes: what is compared' says 0 out \
  '^routes exact: sums of double on the host, exact mode, .*; cuMemcpy: the elem'
check 'routes: a bar' says 0 out \
  "^- bar: routes fast: pinned, at least 1.2 times the CPU's speed at 2^29: not m"

# routes ARGUMENT...: a run, and its first table's rows as "n place CPU = ... route",
# the figures being letters, the same for the same figure; the default number of
# threads and size of pieces may change.
routes ()
{
  run_bench --table routes --rounds 1 --json "$@"
  for key in n place cpu_seconds gsltune_seconds gpu_seconds copy_seconds \
               remark; do
    value "tables.0.rows.*.$key" >"$key"
  done
  paste -d ' ' n place cpu_seconds gsltune_seconds gpu_seconds copy_seconds \
    remark | awk '
      function letter(x)
      {
        if (x == "null")
          return "-"
        if (!(x in name))
          name[x] = substr("abcd", ++n, 1)
        return x > 0 ? name[x] : "?"
      }
      { delete name; n = 0
        printf "%s %s %s%s%s%s", $1, $2, letter($3), letter($4), letter($5),
               letter($6)
        $1 = $2 = $3 = $4 = $5 = $6 = ""
        sub(/ +/, " ")
        sub(/[0-9]+ threads?, pieces of [0-9]+/, "threads, pieces of so many")
        printf "%s;", $0 }'
}
# The ratios of a row belong to its times.
ratios ()
{
  value 'tables.0.rows.*.gsltune_ratio' >gsltune
  value 'tables.0.rows.*.gpu_ratio' >gpu
  paste cpu_seconds gsltune_seconds gpu_seconds copy_seconds gsltune gpu | awk '
    function near(a, b) { return a - b < 1e-6 * b && b - a < 1e-6 * b }
    !near($1 / $2, $5) || !($4 == "null" ? $6 == "null" : near($4 / $3, $6)) {
      bad = 1
      print "# row " NR ": " $0
    }
    END { exit bad || NR == 0 }'
}

if [ -n "$softgpu" ]; then
  SOFTGPU_DEVICE=$(cd "$srcdir" && pwd)/tests/devices/a100.json
  SOFTGPU_MEMORY=80000000
  SOFTGPU_SLOWER=10 # fewer launches are measured
  export SOFTGPU_DEVICE SOFTGPU_MEMORY SOFTGPU_SLOWER

  rows=$(routes --max-exponent 10)
  check 'routes: the CPU when nothing was measured, and timed once' is "$rows" \
    '1024 host aabc cpu;1024 pinned aab- cpu;'
  check 'routes: times and ratios belong together' ratios
  check 'routes: a table a mode' \
    is "$(value 'tables.*.name' | tr '\n' ';')" 'routes fast;routes exact;'
  check 'routes: the second has the same rows' \
    is "$(value 'tables.1.rows.*.place' | tr '\n' ' ')" 'host pinned '
  check 'routes: lengths' \
    is "$(routes --max-exponent 21 | tr ';' '\n' | cut -d' ' -f-2 \
          | tr '\n' ';')" \
    '1048576 host;2097152 host;1048576 pinned;2097152 pinned;'

  rows=$(GSLTUNE_DEVICE=cuda routes --max-exponent 10)
  check 'routes: a GPU that is demanded, timed once' is "$rows" \
    '1024 host abbc staged, threads, pieces of so many KiB;1024 pinned abb- direct;'

  # A profile that gives the GPU a share: one more sum to be timed.
  GSLTUNE_PROFILE_DIR=$scratch/profiles
  export GSLTUNE_PROFILE_DIR
  mkdir -m 755 "$GSLTUNE_PROFILE_DIR"
  run explain --json
  file=$(value search.0.path)
  silicon=$(basename "$file" .json)
  profile "$(crossover device=cuda-8.0-108sm-40gib-l2-40mib from=1000 way=staged \
               percent=40 threads=1 chunk_kib=1024 median_ns=1e3 cpu_ns=2e3)" \
    "$(entry)" >"$file"
  rows=$(routes --max-exponent 10)
  check 'routes: a share for the GPU' is "$rows" \
    '1024 host abcd split, 40% to the GPU: staged, threads, pieces of so many KiB;1024 pinned aab- cpu;'
  check 'routes: of the one mode alone' \
    is "$(value 'tables.1.rows.*.remark' | tr '\n' ';')" 'cpu;cpu;'
  check 'routes: times and ratios of a share' ratios
  unset GSLTUNE_PROFILE_DIR

  SOFTGPU_FAIL='cuMemcpyHtoDAsync:*=701'
  export SOFTGPU_FAIL
  run_bench --table routes --max-exponent 10 --rounds 1
  check "routes: the CPU's time is not shown for a GPU that fails" says 1 err \
    '^gsltune: bench: no result of the GPU, fast mode, host memory, n = 1024$'
  unset SOFTGPU_FAIL

  run_bench --table routes --max-exponent 10 --rounds 1 --markdown
  check 'routes: people read the place' says 0 out '^| 2^10 | pinned | [0-9]'
  check 'routes: the worst has its place' says 0 out \
    '^- worst: routes fast: GPU/cuMemcpy: [0-9.]* at n = 2^10, place host$'
  SOFTGPU_FAIL='cuMemHostRegister:2+=801' # the first is of the ring
  export SOFTGPU_FAIL
  run_bench --table routes --max-exponent 10 --rounds 1
  check 'routes: memory that cannot be pinned' says 0 out \
    '^Pinned memory is left out: CUDA_ERROR_NOT_SUPPORTED\.$'
  unset SOFTGPU_FAIL

  run_bench --table streams --max-exponent 11 --rounds 1
  check 'streams: without CUB there is none' test "$status" -eq 0 -a ! -s err
  check 'streams: bars' is "$(grep -c '^- bar: streams: .*: not measured$' out)" 6
  run_bench --table rows-gpu --max-exponent 14 --rounds 1
  check 'rows-gpu: success' test "$status" -eq 0 -a ! -s err
  check 'rows-gpu: two shapes of rows and of columns' is "$(grep -c '^ *10\(00\)\{0,1\}  *10' out)" 4
  check 'rows-gpu: bars' is "$(grep -c '^- bar: rows-gpu: ' out)" 10
  run_bench --table device --max-exponent 11 --rounds 1
  check 'device: a row' says 0 out "^ *2^11 - - $time [0-9.]* [kMGT]B/s - "
  check 'device: bars' is "$(grep -c '^- bar: device [a-z]*: .*: not measured$' out)" 4
  run_bench --table exact --max-exponent 16 --rounds 1
  check 'exact: two kinds of numbers' says 0 out \
    "^ *2^16 500 $time $time $time $time [0-9.]* [kMGT]B/s [0-9.]* [0-9.]* [0-9.]*$"
  check 'exact: both types' says 0 out '^ *2^16 100 '
  check 'exact: bars by address and for vectors' \
    test "$(grep -c '^- bar: exact [a-z]*: by address, .*: not measured$' out)" -eq 5 \
      -a "$(grep -c '^- bar: exact [a-z]*: vectors, .*: not measured$' out)" -eq 9
  SOFTGPU_DEVICE=
  run_bench --table routes --max-exponent 10 --rounds 1
fi
check 'routes: there is no GPU' is "$(grep -c '^Left out: no GPU is used: ' out)" 2

# ------------------------------------------------------------- Other tables

# A program's own sanitizer does not come before what is preloaded.
ASAN_OPTIONS=verify_asan_link_order=0
export ASAN_OPTIONS
run_bench --table run --rounds 1
check 'run: a program of its own gives the figures' says 0 out \
  "^ *256 variance $time $time $time -*[0-9.]* [num]*s -*[0-9.]* [num]*s\$"
check 'run: the bars' says 0 out \
  '^- bar: run: exact dot products of 4: .* at n = 4, function dot'

run_bench --table never
check 'an unknown table' \
  says 2 err "unknown table 'never': see bench --help"
run_bench --max-exponent 31
check 'an exponent too large' says 2 err '--max-exponent: .*10 to 30'
finish
