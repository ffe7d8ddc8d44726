#!/bin/sh
# The program of `make bench': its options, and the form of its tables about
# lengths at which GSL is faster; not how fast anything is.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
bench=$(dirname "$gsltune")/bench/bench
json_get=$(dirname "$gsltune")/tests/json_get

run_bench ()
{
  "$bench" "$@" >out 2>err
  status=$?
}

value ()
{
  "$json_get" "$1" <out 2>/dev/null
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
each='1 112;2 109;3 106;17 61;'
check 'a row a mode and stride, for so many lengths' rows "$each$each$each"
check 'what memory holds' says 0 out 'n = 1025 with stride 1, n = 513 with stri'
check 'the bar' says 0 out \
  '^- bar: never-slower fast: .*: [rM][A-Za-z]* [0-9.]* at n = [0-9^]*, stride [1-9]'
# "... reached 0.9 at n = 17, stride 2" is the row "17 2 ..." with 0.9.
shown ()
{
  tr -s ' ' <out | sed 's/^ //' >squeezed
  # shellcheck disable=SC2046 # three words
  set -- $(sed -n 's/^- bar.* \([0-9.]*\) at n = \(.*\), stride \(.*\)/\1 \2 \3/p' \
             squeezed)
  awk -v share="$1" -v n="$2" -v stride="$3" '
    $1 == n && $2 == stride && $10 == share { found = 1 }
    /^never-slower compensated/ { exit }
    END { exit !found }' squeezed
}
check "the bar's length is its stride's row" shown
check 'the last line is about the last mode' \
  is "$(tail -1 out | cut -d: -f-3)" '- worst: never-slower exact: of allowed'

run_bench --table never-slower --max-exponent 10 --rounds 1 --markdown
check 'Markdown' says 0 out \
  '^| n | stride | GSL | gsltune | gsltune/GSL | difference | of allowed | lengths'
check 'Markdown: a rule' says 0 out \
  '^|---:|---:|---:|---:|---:|---:|---:|---:|---:|:---|$'

run_bench --table never-slower --max-exponent 10 --rounds 1 --json
check 'JSON: valid' test "$status" -eq 0 -a ! -s err -a -n "$(value tables)"
check 'JSON: the tables' is "$(value 'tables.*.name' | tr '\n' ';')" \
  'never-slower fast;never-slower compensated;never-slower exact;'
check 'JSON: every length' is "$(value 'tables.2.rows.#')" 388
for i in 0 1 2; do
  check "JSON: lengths of table $i" \
    is "$(value "tables.$i.rows.*.n" | sed -n '99,112p;113p' | tr '\n' ' ')" \
    '99 100 127 128 129 255 256 257 511 512 513 1023 1024 1025 1 '
done
check 'JSON: strides' \
  is "$(value 'tables.1.rows.*.stride' | uniq -c | tr -s ' \n' ' ')" \
  ' 112 1 109 2 106 3 61 17 '

# The figures of a row belong together.
value 'tables.0.rows.*.gsl_seconds' >gsl
value 'tables.0.rows.*.gsltune_seconds' >gsltune
value 'tables.0.rows.*.gsltune_ratio' >ratio
value 'tables.0.rows.*.difference_seconds' >difference
value 'tables.0.rows.*.share_of_allowed' >share
consistent ()
{
  paste gsl gsltune ratio difference share | awk '
    function near(a, b) { return a - b < 1e-6 * b && b - a < 1e-6 * b }
    { allowed = $1 / 0.95 > $1 + 3e-9 ? $1 / 0.95 : $1 + 3e-9
      if (!($1 > 0 && $2 > 0 && near($1 / $2, $3) && near($2 - $4 + $2, $1 + $2) &&
            near($2 / allowed, $5)))
        { bad = 1; print "# row " NR ": " $0 } }
    END { exit bad || NR != 388 }'
}
check 'JSON: times, ratio, difference and share belong together' consistent
worst ()
{
  is "$(value tables.0.bars.0.worst)" "$(sort -g share | tail -1)"
}
check 'JSON: the bar tells the worst' worst
check 'JSON: and where, and whether it is reached' \
  test -n "$(value tables.0.bars.0.at)" -a -n "$(value tables.0.bars.0.stride)" \
    -a "$(value tables.0.bars.0.reached)" \
    = "$(sort -g share | tail -1 | awk '{ print $1 <= 1 ? "true" : "false" }')"
check 'JSON: other modes have no bar' \
  is "$(value tables.1.bars.#) $(value tables.2.bars.#)" '0 0'

run_bench --table plan --rounds 1
check 'another table has its rows' says 0 out '^ *2^20 [0-9.]* ns$'

run_bench --table never
check 'an unknown table' \
  says 2 err "unknown table 'never': valid tables are device, latency, host, plan, n"
run_bench --max-exponent 31
check 'an exponent too large' says 2 err '--max-exponent: .*10 to 30'
finish
