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

# A program's own sanitizer does not come before what is preloaded.
ASAN_OPTIONS=verify_asan_link_order=0
export ASAN_OPTIONS
run_bench --table run --rounds 1
check 'run: success' test "$status" -eq 0 -a ! -s err
check 'run: the columns' says 0 out '^ *n function plain fast exact fast - plain exact - plain$'
check 'run: a program of its own gives the figures' says 0 out \
  "^ *256 variance $time $time $time -*[0-9.]* [num]*s -*[0-9.]* [num]*s\$"
check 'run: the bars' says 0 out \
  '^- bar: run: exact dot products of 4: .* at n = 4, function dot'
# "reached 0.3 ns at n = 4" is the row "4 dot ...".
shown ()
{
  tr -s ' ' <out | sed 's/^ //' >squeezed
  figure=$(sed -n 's/^- bar: run: fast dot .*: [a-z]* \(.*\) at n = 4, .*/\1/p' squeezed)
  grep -q "^4 dot .* $figure [^ ]* [num]*s\$" squeezed
}
check 'the figure of a bar is that of its row' shown
run_bench --table run --rounds 1 --markdown
check 'Markdown' says 0 out '^| n | function | plain | fast | exact | fast - plain | exact - plain |'
check 'Markdown: a rule' says 0 out '^|---:|---:|---:.*---:|'

run_bench --table run --rounds 1 --json
check 'JSON: valid' test "$status" -eq 0 -a ! -s err -a -n "$(value tables)"
check 'JSON: the table' is "$(value 'tables.*.name' | tr '\n' ';')" 'run;'
# The figures of a row belong together.
consistent ()
{
  for key in plain_seconds fast_seconds exact_seconds fast_more_seconds exact_more_seconds; do
    value "tables.0.rows.*.$key" >"$key"
  done
  paste plain_seconds fast_seconds exact_seconds fast_more_seconds exact_more_seconds | awk '
    function near(a, b) { return a - b < 1e-6 * a && b - a < 1e-6 * a }
    { if (!($1 > 0 && near($2, $1 + $4) && near($3, $1 + $5)))
        { bad = 1; print "# row " NR ": " $0 } }
    END { exit bad || NR == 0 }'
}
check 'JSON: times and differences belong together' consistent

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

# ------------------------------------------------------------- Errors

run_bench --table never
check 'an unknown table' \
  says 2 err "unknown table 'never': see bench --help"
run_bench --max-exponent 31
check 'an exponent too large' says 2 err '--max-exponent: .*10 to 30'
finish
