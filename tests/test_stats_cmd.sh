#!/bin/sh
# gsltune stats: every type from text and raw files, positions, edges, and what
# it says of bad input.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

types='double float long_double int uint long ulong short ushort char uchar'

# stats ARGUMENT...: one run; `out' without its heading, blanks squeezed, what
# follows the extremes apart.
moments='^(nrm2|mean|tss|variance|sd|absdev|skew|kurtosis|lag1) '
stats ()
{
  run stats "$@"
  if [ "$status" -eq 0 ]; then
    sed '1,2d' out | tr -s ' ' | tee all | grep -v -E "$moments" >rows
    grep -E "$moments" all >moments
    mv rows out
  fi
}

# rows TEXT COUNT SUM ASUM MIN MAX: the table of the last run.
rows ()
{
  check "$1" succeeded "count $2
sum $3
asum $4
min $5
max $6"
}

# ---------------------------------------------------------------- Histograms

# histogram TEXT EXPECTED ARGUMENT...: the second table of one run, blanks squeezed.
histogram ()
{
  text=$1
  expected=$2
  shift 2
  run stats "$@"
  sed '1,/^$/d' out | tail -n +3 | sed 's/^ *//' | tr -s ' ' >table
  mv table out
  check "$text" succeeded "$expected"
}

printf '0 1 1.5 2 2 -3 7 nan\n' >in
histogram 'a histogram between two numbers, NaN in its first bin' '0 1 2
1 2 2
2 3 2' --histogram 3,0,3 in
printf '4 1 2 3\n' >in
histogram 'a histogram up to the maximum' '1 2.5000000000000004 2
2.5000000000000004 4.000000000000001 2' --histogram 2 --type int in
run stats --histogram 2,0,8 --json in
check 'a histogram as JSON' grep -q '"histogram"' out
for word in 0 x 2, 2,1 2,1,1 2,1,x 2,0,inf 2,0,1,2 1000001; do
  run stats --histogram "$word" in
  check "--histogram $word" [ "$status" -eq 2 ]
done
run stats --histogram 2 --once in
check '--histogram with --once' [ "$status" -eq 2 ]
printf 'nan\n' >in
run stats --histogram 2 in
check 'no finite extremes' failed 1 '--histogram: the numbers have no finite extremes: give LOW and HIGH'

# ---------------------------------------------------------------- All types

for type in $types; do
  printf '3 1 # 100\n\n7 1\n7 5\n' >in
  stats --type "$type" in
  rows "text of $type" 6 24 24 '1 1 in:1' '7 2 in:3'
  printf '3 1 # 100\n\n7 1\n7 5\n' | "$gsltune" stats --type "$type" >out 2>err
  status=$?
  sed -n '3,$p' out | tr -s ' ' | grep -v -E "$moments" >rows && mv rows out
  rows "text of $type from a pipe" 6 24 24 '1 1 standard input:1' \
    '7 2 standard input:3'
  echo 42 >in
  stats --type "$type" in
  rows "one $type" 1 42 42 '42 0 in:1' '42 0 in:1'
  echo '# no number' >in
  stats --type "$type" in
  rows "no $type" 0 0 0 'none' 'none'
  : >empty
  stats --raw "$type" empty
  rows "an empty raw file of $type" 0 0 0 'none' 'none'
  told "no $type as JSON" 0 out '^ "min": null,$' stats --type "$type" --json in
done

# shaped TEXT EXPECTED: the moments of the last run, those that want the mean first to
# 12 digits, since in fast mode they are not rounded alike everywhere.
shaped ()
{
  awk '/^(absdev|skew|kurtosis|lag1) / { $2 = sprintf ("%.12g", $2) }
    { print }' moments >out
  check "$1" succeeded "$2"
}

# In every mode, and of elements apart.
for type in $types; do
  for mode in fast exact; do
    printf '3 1 100\n7 1 7 5\n' | sed 's/100/0/' >some
    stats --type "$type" --mode $mode some
    shaped "moments of $type, $mode" 'nrm2 11.575836902790225
mean 3.4285714285714284
tss 51.714285714285715
variance 8.619047619047619
sd 2.9358214555806383
absdev 2.48979591837
skew 0.146556157903
kurtosis -1.96297177642
lag1 -0.282557221784'
  done
done
printf '100000001 7 100000002 7 100000003 7' >apart
stats --stride 2 apart
shaped 'moments of elements apart' 'nrm2 173205084.22098935
mean 100000002
tss 2
variance 1
sd 1
absdev 0.666666666667
skew 0
kurtosis -2.33333333333
lag1 0'
echo 1 >one
stats one
mv moments out
check 'moments of one' succeeded 'nrm2 1
mean 1
tss 0
variance nan
sd nan
absdev 0
skew nan
kurtosis nan
lag1 nan'

# Exact mode adds the same terms of every type.
for type in double long_double int uchar; do
  stats --type $type --mode exact some
  mv moments "exact_$type"
done
check 'statistics of long_double are those of double' \
  cmp -s exact_double exact_long_double
check 'so are those of int' cmp -s exact_double exact_int
check 'and of uchar' cmp -s exact_double exact_uchar

# Long doubles as others: rounded once, whatever cancels.
echo '1e30 1e-30 1 -1e30 3e10 1e-10 -3e10' >cancelling
stats --type long_double --once cancelling
shaped 'moments of long doubles that cancel' 'nrm2 1.414213562373095e+30
mean 0.14285714287142856
tss 2e+60
variance 3.3333333333333335e+59
sd 5.773502691896257e+29'

# The certified autocorrelation of a data set of NIST.
stats "$data/lottery.dat"
shaped 'moments of a certified data set' 'nrm2 8784.965053999931
mean 518.9587155963303
tss 18464254.628440365
variance 85088.73100663764
sd 291.6997274709691
absdev 252.913222793
skew -0.0920512003297
kurtosis -1.20932290561
lag1 -0.120948622967'

# 300000 elements are several chunks of every type but the shortest: those that are
# kept lie one behind the other.
awk 'BEGIN { for (i = 0; i < 300000; i++) print i % 2 ? -1 : 1 }' >long
for type in double float long_double int char; do
  [ $type = char ] && [ "$(getconf CHAR_MIN)" = 0 ] && continue
  stats --type $type long
  sed -n '/^lag1/p' moments >line
  check "neighbours in chunks of $type" is "$(cat line)" \
    'lag1 -0.9999966666666666'
  stats --type $type --stride 3 long
  sed -n '/^lag1/p' moments >line
  check "those of $type that lie apart" is "$(cat line)" \
    'lag1 -0.99999'
done

# Of a vector that is not kept.
stats --once some
mv moments out
check 'in one pass' succeeded 'nrm2 11.575836902790225
mean 3.4285714285714284
tss 51.714285714285715
variance 8.619047619047619
sd 2.9358214555806383'
run stats --once --json some
for name in absdev skew kurtosis lag1; do
  check "no $name in one pass as JSON" says 0 out "^ \"$name\": null,$"
done
printf '3e200 4e200' >large
stats large
check 'a norm whose squares overflow' is "$(sed -n 1p moments)" \
  'nrm2 4.9999999999999995e+200'
printf '4294967295 4294967295 4294967295 4294967295' >large
stats --type uint large
check 'a norm of integers whose squares do' is "$(sed -n 1p moments)" \
  'nrm2 8589934590'
told 'sum keeps its numbers' 2 err "unknown option '--once'" sum --once some

run stats --json in
check 'nothing as JSON' succeeded '{
  "count": 0,
  "sum": 0.0,
  "asum": 0.0,
  "min": null,
  "max": null,
  "nrm2": 0.0,
  "mean": 0.0,
  "tss": 0.0,
  "variance": 0.0,
  "sd": 0.0,
  "absdev": "nan",
  "skew": 0.0,
  "kurtosis": -3.0,
  "lag1": "nan",
  "type": "double",
  "mode": "exact"
}'

# The bytes 1, 0, ... of an integer are worth the same on machines of one byte
# order alone, so raw integers are made of equal bytes: elements of eight bytes
# 1, eight bytes 2 and eight bytes 255.
{
  printf '\001\001\001\001\001\001\001\001\002\002\002\002\002\002\002\002'
  printf '\377\377\377\377\377\377\377\377'
} >bytes
raw ()
{
  stats --raw "$1" bytes
  rows "raw $1" "$2" "$3" "$4" "$5 bytes" "$6 bytes"
}
if [ "$(getconf CHAR_MIN)" = 0 ]; then
  raw char 24 16 2064 '1 0' '255 16'
else
  raw char 24 16 32 '-1 16' '2 8'
fi
raw uchar 24 16 2064 '1 0' '255 16'
raw short 12 3080 3088 '-1 8' '514 4'
raw ushort 12 3080 265224 '257 0' '65535 8'
raw int 6 101058052 101058056 '-1 4' '33686018 2'
raw uint 6 101058052 8690992644 '16843009 0' '4294967295 4'
raw long 3 217020518514230018 217020518514230020 '-1 2' '144680345676153346 1'
raw ulong 3 217020518514230018 217020518514230018 '72340172838076673 0' \
  '18446744073709551615 2'
# 0x4040404040404040 is 2^5 times 0x1.040404040404, two floats 0x40404040 are
# 2^1 times 0x1.80808.
printf '@@@@@@@@AAAAAAAA' >ats
stats --raw double --hex ats
rows 'raw double' 2 0x1.1415181818181p+21 0x1.1415181818181p+21 \
  '0x1.040404040404p+5 0 ats' '0x1.1414141414141p+21 1 ats'
stats --raw float --hex ats
rows 'raw float' 4 0x1.e2a2a2p+4 0x1.e2a2a2p+4 '0x1.80808p+1 0 ats' \
  '0x1.828282p+3 2 ats'
dd if=/dev/zero of=zeros bs=16 count=3 2>dd.log
stats --raw long_double zeros
rows 'raw long_double' 3 0 0 '0 0 zeros' '0 0 zeros'
cat bytes | "$gsltune" stats --raw short >out 2>err
status=$?
check 'raw numbers from a pipe' says 0 out '^max 514 4 standard input$'

# --------------------------------------------------------- Values and edges

# numbers TYPE TEXT COUNT SUM ASUM MIN MAX
numbers ()
{
  printf %b "$2" >in
  stats --type "$1" in
  rows "$2 as $1" "$3" "$4" "$5" "$6" "$7"
}
for type in double float long_double; do
  numbers $type '-1 -2 nan 5 nan -7' 6 nan nan 'nan 2 in:1' 'nan 2 in:1'
  numbers $type 'inf\n1 -inf\n' 3 nan inf '-inf 2 in:2' 'inf 0 in:1'
  numbers $type '2\n-0\n0' 3 2 2 '-0 1 in:2' '2 0 in:1'
  numbers $type '0\n-0\n-3' 3 -3 3 '-3 2 in:3' '0 0 in:1'
  numbers $type '-0 0' 2 0 0 '-0 0 in:1' '-0 0 in:1'
  numbers $type '4 -8 4 -8' 4 -8 24 '-8 1 in:1' '4 0 in:1'
done
numbers double '0.1 0.2 -0.3' 3 2.7755575615628914e-17 0.6 \
  '-0.3 2 in:1' '0.2 1 in:1'
numbers double '1e308 1e308 -1e308' 3 1e+308 inf '-1e+308 2 in:1' '1e+308 0 in:1'
numbers double '5e-324 -5e-324' 2 0 1e-323 '-5e-324 1 in:1' '5e-324 0 in:1'
numbers int '2147483647 1 -2147483648 -1' 4 -1 4294967297 \
  '-2147483648 2 in:1' '2147483647 0 in:1'
numbers int '2147483647 1' 2 -2147483648 2147483648 '1 1 in:1' \
  '2147483647 0 in:1'
numbers uint '4294967295 2' 2 1 4294967297 '2 1 in:1' '4294967295 0 in:1'
numbers short '-32768 -32768' 2 0 65536 '-32768 0 in:1' '-32768 0 in:1'
numbers ushort '65535 65535 3' 3 1 131073 '3 2 in:1' '65535 0 in:1'
numbers long '-9223372036854775808 -1 2' 3 -9223372036854775807 \
  9223372036854775811 '-9223372036854775808 0 in:1' '2 2 in:1'
numbers ulong '18446744073709551615 2' 2 1 1 '2 1 in:1' \
  '18446744073709551615 0 in:1'
numbers uchar '255 3' 2 2 258 '3 1 in:1' '255 0 in:1'

printf '0.1 0.2 0.3\n' >in
stats --mode fast in
rows 'summed fast' 3 0.6000000000000001 0.6000000000000001 '0.1 0 in:1' \
  '0.3 2 in:1'
stats --mode compensated in
rows 'summed with compensation' 3 0.6 0.6 '0.1 0 in:1' '0.3 2 in:1'
stats --mode exact --hex in
rows 'hexadecimal floats' 3 0x1.3333333333333p-1 0x1.3333333333333p-1 \
  '0x1.999999999999ap-4 0 in:1' '0x1.3333333333333p-2 2 in:1'

# ------------------------------------------------------- Files and positions

printf '1 9\n\n2\n' >a
printf '\n-4 9 12\n' >b
: >c
stats a c b
rows 'several files are one vector' 6 29 37 '-4 3 b:2' '12 5 b:2'
printf '3\n-5' | "$gsltune" stats a - b >out 2>err
status=$?
check 'standard input among files' says 0 out '^min -5 4 standard input:2$'
stats --stride 2 a b
rows 'a stride over files' 3 12 12 '1 0 a:1' '9 2 b:2'
stats --stride 4 b
rows 'a stride beyond the end' 1 -4 4 '-4 0 b:2' '-4 0 b:2'
stats --raw uchar --stride 3 bytes zeros bytes
rows 'a stride over raw files' 32 14 1038 '0 8 zeros' '255 6 bytes'

# A chunk holds 2^17 doubles; extremes and the first of equals before, behind and
# at its ends.  Elements are two a line.
at ()
{
  awk -v least="$1" -v greatest="$2" 'BEGIN {
    for (i = 0; i < 400000; i++) {
      x = i % 1000
      if (i == least || i == least + 140000) x = -1
      if (i == greatest || i == greatest + 1) x = 1000
      printf "%d%s", x, i % 2 ? "\n" : " "
    }
  }' >long
  sum=$(awk '{ s += $1 + $2; a += ($1 < 0 ? -$1 : $1) + ($2 < 0 ? -$2 : $2) }
    END { printf "%.0f %.0f", s, a }' long)
  where="long:$(($1 / 2 + 1))"
  for stride in 1 7; do
    [ $(($1 % stride)) -eq 0 ] && [ $(($2 % stride)) -eq 0 ] || continue
    stats --stride $stride long
    check "extremes at $1 and $2 of chunks, stride $stride" says 0 out \
      "^min -1 $(($1 / stride)) $where$"
    check "the greatest of them" says 0 out \
      "^max 1000 $(($2 / stride)) long:$(($2 / 2 + 1))$"
  done
  stats long
  check "their sum" says 0 out "^sum ${sum% *}$"
  check "the sum of their magnitudes" says 0 out "^asum ${sum#* }$"
}
at 0 131071
at 131072 131070
at 131071 131072
at 262143 399998
at 131075 262143
at 131068 262150

awk 'BEGIN { for (i = 0; i < 300000; i++)
  print (i == 131072 || i == 200000 ? "nan" : i) }' >long
for type in double long_double; do
  stats --type $type long
  rows "a NaN that begins a chunk of $type" 300000 nan nan \
    'nan 131072 long:131073' 'nan 131072 long:131073'
done

# Exact sums of more than one chunk, merged without rounding between.
awk 'BEGIN { for (i = 0; i < 300000; i++)
  print (i == 7 ? "1e20" : i == 290000 ? "-1e20" : i % 2 ? "0.1" : "1") }' >long
for type in double float long_double; do
  stats --type $type --mode exact long
  sed -n 's/^sum //p' out >sum
  run sum --type $type --mode exact long
  check "the exact sum of $type chunks is that of the whole" is "$(cat sum)" \
    "$(cat out)"
  tr -d - <long >magnitudes
  stats --type $type --mode exact long
  sed -n 's/^asum //p' out >sum
  run sum --type $type --mode exact magnitudes
  check "so is that of $type magnitudes" is "$(cat sum)" "$(cat out)"
done

# --------------------------------------------------------------------- JSON

printf '0.5 1\n-2.5' >in
run stats --json in
check JSON succeeded '{
  "count": 3,
  "sum": -1.0,
  "asum": 4.0,
  "min": {
    "value": -2.5,
    "index": 2,
    "file": "in",
    "line": 2
  },
  "max": {
    "value": 1.0,
    "index": 1,
    "file": "in",
    "line": 1
  },
  "nrm2": 2.7386127875258306,
  "mean": -0.33333333333333331,
  "tss": 7.166666666666667,
  "variance": 3.5833333333333335,
  "sd": 1.8929694486000912,
  "absdev": 1.4444444444444444,
  "skew": -0.35491044285994139,
  "kurtosis": -2.3333333333333335,
  "lag1": -0.24806201550387597,
  "type": "double",
  "mode": "exact"
}'
printf '18446744073709551615 7' | "$gsltune" stats --json --type ulong >out 2>err
status=$?
check 'beyond a JSON integer' succeeded '{
  "count": 2,
  "sum": 6,
  "asum": 6,
  "min": {
    "value": 7,
    "index": 1,
    "file": "standard input",
    "line": 1
  },
  "max": {
    "value": "18446744073709551615",
    "index": 0,
    "file": "standard input",
    "line": 1
  },
  "nrm2": 1.8446744073709552e19,
  "mean": 9.2233720368547758e18,
  "tss": 1.7014118346046923e38,
  "variance": 1.7014118346046923e38,
  "sd": 1.3043817825332783e19,
  "absdev": 9.2233720368547758e18,
  "skew": 0.0,
  "kurtosis": -2.75,
  "lag1": -0.5,
  "type": "ulong",
  "mode": "fast"
}'
run stats --json --raw uchar --mode fast bytes
check 'JSON of a raw file has no lines' says 0 out '^ "line": null$'
printf 'nan -inf' >in
told 'no number as JSON' 0 out '^ "value": "nan",$' stats --json in
check 'no sum as JSON' says 0 out '^ "sum": "nan",$'
printf 1 >"$(printf 'a\377')" 2>err
if [ -f "$(printf 'a\377')" ]; then
  run stats --json "$(printf 'a\377')"
  check 'a name that is no UTF-8' says 0 out '^ "file": null,$'
else
  skip 'a name that is no UTF-8' 'the file system does not take it'
fi

# ------------------------------------------------------------------- Errors

hint='write e.g. 1.5, -2e10, 0x1.8p3, inf or nan, separated by white space'
printf '1\n2 # two\n3 4x5\n' >bad
fails 'file, line and token' 1 "bad:3: '4x5' is not a double: $hint" stats bad
fails 'nothing is printed past an error' 1 "bad:3: '4x5' is not a double: $hint" \
  stats a --json bad
{ cat long; echo 1,5; } >bad
fails 'an error behind several chunks' 1 "bad:300001: '1,5' is not a double: ${hint%%, separated*}; for CSV\
 give --delimiter or --columns" \
  stats bad
# Input is that of gsltune sum, test_sum.sh.
fails 'a missing file' 1 'missing: cannot open: No such file or directory' stats a missing
fails 'two types' 2 'stats: --raw int contradicts --type uint: --raw alone is enough' \
  stats --raw int --type uint a
fails 'no stride' 2 "--stride: '0' is out of range: give a whole number\
 from 1 to 18446744073709551615" stats --stride 0 a

finish
