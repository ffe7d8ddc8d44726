#!/bin/sh
# The program of `make bench': its options, and the form of its tables about
# lengths at which GSL is faster and about host data; not how fast anything is.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
. "$data/../profile.sh"
bench=$build/bench/bench

run_bench ()
{
  "$bench" "$@" >out 2>err
  status=$?
}

# rows_of TABLE LENGTH COUNT FUNCTION...: so many rows of that length for each.
rows_of ()
{
  table=$1 length=$2 each=$3
  shift 3
  for function; do
    check "$table: rows of $function" \
      is "$(tr -s ' ' <out | grep -c "^ \{0,1\}$length $function ")" "$each"
  done
}

run_bench --table never-slower --max-exponent 10 --rounds 1
check 'tables: success' test "$status" -eq 0 -a ! -s err
for mode in fast compensated exact; do
  check "$mode: a table" says 0 out \
    "^never-slower $mode: gsltune_vector_sum beside gsl_vector_sum, double, $mode"
done
check 'the columns' says 0 out \
  '^ *n stride GSL gsltune gsltune/GSL difference of allowed lengths short gs'
time='-*[0-9.]* [num]*s'
row="^ *[0-9^]* 17 $time $time [0-9.]* $time [0-9.]* 61 [0-9]* [a-z]"
check 'a row' says 0 out "$row"
rows ()
{
  is "$(tr -s ' ' <out | sed 's/^ //' \
          | awk '$3 ~ /^[0-9.]+$/ && $4 ~ /s$/ { print $2, $11 }' \
          | tr '\n' ';')" "$1"
}
each='1 115;2 111;3 107;17 61;'
check 'a row a mode and stride, for so many lengths' rows "$each$each$each"
check 'what memory holds' says 0 out 'n = 1025 with stride 1, n = 513 with stri'
check 'the bar' says 0 out \
  '^- bar: never-slower fast: .*: [rM][A-Za-z]* [0-9.]* at n = [0-9^]*, stride [1-9]'
# "... reached 0.9 at n = 17, stride 2" is the row "17 2 ..." with 0.9.
shown ()
{
  tr -s ' ' <out | sed 's/^ //' >squeezed
  # shellcheck disable=SC2046 # three words
  set -- $(sed -n 's/^- bar: never-slower fast.* \([0-9.]*\) at n = \(.*\), stride \([0-9]*\).*/\1 \2 \3/p' \
             squeezed)
  awk -v share="$1" -v n="$2" -v stride="$3" '
    $1 == n && $2 == stride && $10 == share { found = 1 }
    /^never-slower compensated/ { exit }
    END { exit !found }' squeezed
}
check "the bar's length is its stride's row" shown
for bar in 'the time allowed: at least 0.5 of' 'at least 0.8 of'; do
  check "exact: a bar, $bar" says 0 out \
    "^- bar: never-slower exact: $bar.*: [rM][A-Za-z]* [0-9.]* at n = .*, stride"
done
check 'how many are short, where some are' \
  test "$(grep -c '^- bar.*MISSED' out)" = "$(grep -c '^- bar.* of [0-9]* short)' out)"
check 'a section of what should not be' says 0 out '^What should not be:$'
check 'which is not empty, and the last' test -n "$(tail -1 out | grep '^- [a-z]')"

run_bench --table limit --max-exponent 10 --rounds 1 --markdown
check 'Markdown' says 0 out \
  '^| n | GSL | plain | gsltune | plain reads | gsltune/plain | difference | of al'
check 'Markdown: a rule' says 0 out '^|---:|---:|---:.*---:|:---|$'

GSLTUNE_ISA=baseline run_bench --table never-slower --max-exponent 10 --rounds 1 --json
check 'JSON: valid' test "$status" -eq 0 -a ! -s err -a -n "$(value tables)"
check 'JSON: the tables' is "$(value 'tables.*.name' | tr '\n' ';')" \
  'never-slower fast;never-slower compensated;never-slower exact;never-slower elements'\
' fast;never-slower elements compensated;never-slower elements exact;'
check 'JSON: every length' is "$(value 'tables.2.rows.#')" 394
for i in 0 1 2; do
  check "JSON: lengths of table $i" \
    is "$(value "tables.$i.rows.*.n" | sed -n '99,115p;116p' | tr '\n' ' ')" \
    '99 100 127 128 129 192 255 256 257 384 511 512 513 768 1023 1024 1025 1 '
done
check 'JSON: strides' \
  is "$(value 'tables.1.rows.*.stride' | uniq -c | tr -s ' \n' ' ')" \
  ' 115 1 111 2 107 3 61 17 '

# consistent TABLE RATIO SLACK LONG: the figures of a row belong together; allowed is
# GSL's time over RATIO or SLACK seconds more, and with LONG over that from n = 33
# on with stride 1.
figures='gsl_seconds gsltune_seconds gsltune_ratio difference_seconds
  share_of_allowed n stride'
consistent ()
{
  table=$1 ratio=$2 slack=$3 long=$4
  for key in $figures; do
    value "tables.$table.rows.*.$key" >"$key"
  done
  # shellcheck disable=SC2086 # words
  paste $figures | awk -v ratio="$ratio" -v slack="$slack" -v long="$long" '
    function near(a, b) { return a - b < 1e-6 * b && b - a < 1e-6 * b }
    { allowed = $1 / ratio > $1 + slack ? $1 / ratio : $1 + slack
      if (long && $6 >= 33 && $7 == 1)
        allowed = $1 / long
      if (!($1 > 0 && $2 > 0 && near($1 / $2, $3) && near($2 - $4 + $2, $1 + $2) &&
            near($2 / allowed, $5)))
        { bad = 1; print "# row " NR ": " $0 } }
    END { exit bad || NR != 394 }'
}
check 'JSON: exact: times, ratio, difference and share belong together' \
  consistent 2 0.5 12e-9 0.8
check 'JSON: fast: times, ratio, difference and share belong together' \
  consistent 0 0.95 3e-9 0
worst ()
{
  is "$(value tables.0.bars.0.worst)" "$(sort -g share_of_allowed | tail -1)"
}
check 'JSON: the bar tells the worst' worst
check 'JSON: and where, and whether it is reached' \
  test -n "$(value tables.0.bars.0.at)" -a -n "$(value tables.0.bars.0.stride)" \
    -a "$(value tables.0.bars.0.reached)" \
    = "$(sort -g share_of_allowed | tail -1 | awk '{ print $1 <= 1 ? "true" : "false" }')"
check 'JSON: compensated mode has no bar' \
  is "$(value tables.1.bars.#) $(value tables.2.bars.#)" '0 2'
check 'JSON: what should not be' \
  is "$(value 'tables.*.n_should_not_be' | wc -l)" 6

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

  run_bench --table extremes-gpu --max-exponent 12 --rounds 1
  check 'extremes-gpu: success' test "$status" -eq 0 -a ! -s err
  rows_of extremes-gpu '2^1[02]' 2 max max_index asum iamax
  check 'extremes-gpu: peers that are not there' \
    says 0 out 'CUB is left out: .* cuBLAS is left out: '
  run_bench --table products-gpu --max-exponent 12 --rounds 1
  check 'products-gpu: success' test "$status" -eq 0 -a ! -s err
  rows_of products-gpu '2^1[02]' 2 dot nrm2 variance
  check 'products-gpu: peers that are not there' \
    says 0 out '^cuBLAS is left out: '
  check 'products-gpu: a bar for each' \
    is "$(grep -c '^- bar: products-gpu: .* at 2^28.*: not measured$' out)" 6
  run_bench --table statistics-gpu --max-exponent 10 --rounds 1
  check 'statistics-gpu: success' test "$status" -eq 0 -a ! -s err
  check 'statistics-gpu: every statistic of both types' \
    is "$(grep -c '^2^10 ' out)" 28
  check 'statistics-gpu: bars' \
    is "$(grep -c '^- bar: statistics-gpu double: .*: not measured$' out)" 5
  run_bench --table streams --max-exponent 11 --rounds 1
  check 'streams: without CUB there is none' test "$status" -eq 0 -a ! -s err
  check 'streams: bars' is "$(grep -c '^- bar: streams: .*: not measured$' out)" 6
  run_bench --table rows-gpu --max-exponent 14 --rounds 1
  check 'rows-gpu: success' test "$status" -eq 0 -a ! -s err
  check 'rows-gpu: two shapes of rows and of columns' is "$(grep -c '^ *10\(00\)\{0,1\}  *10' out)" 4
  check 'rows-gpu: bars' is "$(grep -c '^- bar: rows-gpu: ' out)" 10
  run_bench --table latency --max-exponent 11 --rounds 1
  check 'latency: cold and warm data' says 0 out \
    '^ *2^11 - [0-9.]* [num]s [0-9.]* [num]s [0-9.]* [num]s - -$'
  check 'latency: a bar in seconds' says 0 out \
    '^- bar: latency: .* same data again: .*: [rM][A-Za-z]* [0-9.]* [num]*s at n = 2^1'

  run_bench --table call --max-exponent 11 --rounds 1 --json
  check 'call: lengths and alignments' \
    is "$(value tables.0.rows.*.n | tr '\n' ' ')$(value tables.0.rows.*.bytes_off \
            | tr '\n' ' ')$(value tables.1.rows.*.bytes_off | tr '\n' ' ')" \
    '1024 2048 1500 1500 0 0 0 8 0 0 0 4 '
  check 'call: a bar on the mean' \
    is "$(value tables.0.means.0.bound) $(value tables.1.means.0.bound)" '1.7 2.0'
  run_bench --table call --max-exponent 10 --rounds 1
  check 'call: the mean, in words' says 0 out \
    '^- bar: call double: geometric mean at least 1.7 of .*: not measured$'
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

run_bench --table limit --max-exponent 10 --rounds 1
check 'limit: a table a type' test "$status" -eq 0 -a ! -s err \
  -a "$(grep -c '^limit [a-z]*: [a-z]* on the CPU, fast mode' out)" -eq 3
check 'limit: which loop' says 0 out \
  '^The plain loop is compiled for [a-z0-9]*\.$'
check 'limit: a row' says 0 out \
  "^ *91 $time $time $time [0-9.]* [kMGT]B/s [0-9.]* $time [0-9.]* [0-9.]* - - - "
for type in double float int; do
  check "limit: a bar for $type" says 0 out \
    "^- bar: limit $type: the time allowed: .*: [rM][A-Za-z]* [0-9.]* at n ="
done
GSLTUNE_ISA=baseline run_bench --table limit --max-exponent 10 --rounds 1 --json
check 'limit: another instruction set' \
  is "$(value tables.0.note)" 'The plain loop is compiled for baseline.'
check 'limit: lengths' \
  is "$(value 'tables.2.rows.*.n' | tr '\n' ' ')" \
  '64 91 128 181 256 363 512 725 1024 '
check 'limit: the bar for wider vectors is not for it' \
  is "$(value tables.0.bars.#) $(value tables.1.bars.#)" '1 1'
run_bench --table limit --max-exponent 21 --rounds 1 --json
check 'limit: long vectors by all threads too' \
  is "$(value 'tables.1.rows.*.read_all_bytes_per_second' \
          | sed 's/[0-9].*/number/' | sort | uniq -c | tr -s ' \n' ' ')" \
  ' 28 null 3 number '

run_bench --table extremes --max-exponent 10 --rounds 1
check 'extremes: a table a type' test "$status" -eq 0 -a ! -s err \
  -a "$(grep -c '^extremes [a-z]*: [a-z]* on the CPU' out)" -eq 3
rows_of extremes 100 3 max min minmax max_index
rows_of extremes 100 2 asum iamax
check 'extremes: a row' says 0 out \
  "^ *2^10 max $time $time $time [0-9.]* [0-9.]* [0-9.]* [0-9.]* [kMGT]B/s [0-9.]* "
check 'extremes: where a bar is worst' says 0 out \
  '^- bar: extremes int: the time allowed: .* at n = [0-9^]*, function m[a-z_]*'
GSLTUNE_ISA=baseline run_bench --table extremes --max-exponent 12 --rounds 1 --json
check 'extremes: the bars for wider vectors are not for it' \
  is "$(value tables.0.bars.#)" 2
check 'extremes: functions as words' is \
  "$(value 'tables.2.rows.*.function' | sort -u | tr '\n' ' ')" \
  'max max_index min minmax '
run_bench --table products --max-exponent 12 --rounds 1
check 'products: a table a type, and for exact mode' \
  test "$status" -eq 0 -a ! -s err \
  -a "$(grep -c '^products [a-z]*, [a-z]*: .* on the CPU' out)" -eq 4
rows_of products 100 4 mean variance covariance correlation absdev skew kurtosis
rows_of products 100 3 dot nrm2
check 'products: a row' says 0 out \
  "^ *2^10 dot $time $time $time [0-9.]* [0-9.]* [0-9.]* [0-9.]* [kMGT]B/s -"
check 'products: a bar of one function' says 0 out \
  '^- bar: products double, exact: .* at least [0-9]* times .*: [rM][A-Za-z]* [0-9.]* at n = 2^12, function [a-z]'
GSLTUNE_ISA=baseline run_bench --table products --max-exponent 10 --rounds 1 --json
check 'products: the bars for wider vectors are not for it' \
  is "$(value tables.0.bars.#) $(value tables.1.bars.#)" '2 3'
run_bench --table products-gpu --max-exponent 10 --rounds 1
check 'products-gpu: without a GPU' says 0 out '^Left out: no GPU is used: '
run_bench --table extremes-gpu --max-exponent 10 --rounds 1
check 'extremes-gpu: without a GPU' says 0 out '^Left out: no GPU is used: '

run_bench --table host --max-exponent 10 --rounds 1
check 'host: the modes beside each other' says 0 out \
  "^ *2^10 $time $time $time [0-9.]* [kMGT]B/s [0-9.]* [kMGT]B/s "

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
