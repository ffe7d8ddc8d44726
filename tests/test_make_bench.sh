#!/bin/sh
# The tables of `make bench': options, and what they print; not how fast anything is.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
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
run_bench --table limit --max-exponent 10 --rounds 1 --markdown
check 'Markdown' says 0 out \
  '^| n | GSL | plain | gsltune | plain reads | gsltune/plain | difference | of al'
check 'Markdown: a rule' says 0 out '^|---:|---:|---:.*---:|:---|$'

GSLTUNE_ISA=baseline run_bench --table limit --max-exponent 10 --rounds 1 --json
check 'JSON: valid' test "$status" -eq 0 -a ! -s err -a -n "$(value tables)"
check 'JSON: the tables' is "$(value 'tables.*.name' | tr '\n' ';')" \
  'limit double;limit float;limit int;'
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
# --------------------------------------------------------------------- GPUs

if [ -n "$softgpu" ]; then
  SOFTGPU_DEVICE=$(cd "$srcdir" && pwd)/tests/devices/a100.json
  SOFTGPU_MEMORY=80000000
  SOFTGPU_SLOWER=10 # fewer launches are measured
  export SOFTGPU_DEVICE SOFTGPU_MEMORY SOFTGPU_SLOWER

  run_bench --table streams --max-exponent 11 --rounds 1
  check 'streams: without CUB there is none' test "$status" -eq 0 -a ! -s err
  check 'streams: bars' is "$(grep -c '^- bar: streams: .*: not measured$' out)" 6
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
fi
run_bench --table device --max-exponent 10 --rounds 1
check 'there is no GPU' is "$(grep -c '^Left out: no GPU is used: ' out)" 2

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
