#!/bin/sh
# gsltune sum: every type from text and raw files, and what it says of bad
# input.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

types='double float long_double int uint long ulong short ushort char uchar'
limits='
int 2147483648 -2147483648 to 2147483647
uint 4294967296 0 to 4294967295
long 9223372036854775808 -9223372036854775808 to 9223372036854775807
ulong 18446744073709551616 0 to 18446744073709551615
short 32768 -32768 to 32767
ushort 65536 0 to 65535
uchar 256 0 to 255
'

# Certified data: NIST gives the numbers, their decimal sum is exact.
nist ()
{
  run sum --mode compensated "$data/$1.dat"
  check "NIST $1" succeeded "$2"
}
run sum "$data/lottery.dat"
check 'lottery.dat in the default mode' succeeded 113133
nist lottery 113133
nist lew -35487
nist mavro 100.0928
nist numacc1 30000006

# ---------------------------------------------------------------- All types

for type in $types; do
  echo '1 2 # 100
    3' | "$gsltune" sum --type "$type" >out 2>err
  status=$?
  check "text of $type from standard input" succeeded 6
  : | "$gsltune" sum --type "$type" >out 2>err
  status=$?
  check "an empty text of $type" succeeded 0
  : >empty
  run sum --raw "$type" empty
  check "an empty raw file of $type" succeeded 0
done

# The bytes 1, 0, ... of an integer are worth the same on machines of one byte
# order alone, so raw integers are made of equal bytes.
printf '\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001' >ones
raw ()
{
  run sum --raw "$1" ones
  check "raw $1" succeeded "$2"
  run sum --raw "$1" - <ones
  check "raw $1 from standard input" succeeded "$2"
}
raw char 16
raw uchar 16
raw short 2056
raw ushort 2056
raw int 67372036
raw uint 67372036
raw long 144680345676153346
raw ulong 144680345676153346

# Reals of equal bytes: 0x4040404040404040 is 2^5 times 0x1.0404040404040, two
# floats 0x40404040 are 2^2 times 0x1.808080.
printf '@@@@@@@@' >ats
run sum --raw double --hex ats
check 'raw double' succeeded 0x1.040404040404p+5
run sum --raw float --hex ats
check 'raw float' succeeded 0x1.80808p+2
dd if=/dev/zero of=zeros bs=16 count=3 2>dd.log
run sum --raw long_double zeros
check 'raw long_double' succeeded 0
run sum --raw uchar ones ones -- ones
check 'several raw files are one vector' succeeded 48
cat ones | "$gsltune" sum --raw int >out 2>err
status=$?
check 'raw numbers from a pipe, without naming it' succeeded 67372036

# -------------------------------------------------------- Texts and options

echo '0.1 0.2' >a
echo '0.3' >b
run sum a b
check 'several texts are one vector, summed exactly' succeeded 0.6
run sum --mode fast a b
check 'summed fast' succeeded 0.6000000000000001
echo 4 | "$gsltune" sum a - b >out 2>err
status=$?
check 'standard input among files' succeeded 4.6
run sum --type float a b
check 'a float has the digits of a float' succeeded 0.6
run sum --hex a
check 'a hexadecimal float' succeeded 0x1.3333333333334p-2
run sum --hex --type int "$data/lottery.dat"
check 'an integer stays decimal' succeeded 113133

printed ()
{
  echo "$2" >in
  run sum --type "$1" in
  check "$2 as $1 is printed as $3" succeeded "$3"
}
printed double 250 250
printed double 1e15 1000000000000000
printed double 1e22 1e+22
printed double 5e-324 5e-324
printed double 1.7976931348623157e308 1.7976931348623157e+308
printed double 0x1.999999999999ap-4 0.1
printed float 16777216 16777216
printed float 1e-45 1e-45
printed float 3.3333333e8 333333344
printed double inf inf
printed double -Infinity -inf
printed double -nan nan
printed double 'inf -inf' nan
printed float inf inf
printed long_double 1e400 1e+400
if [ "$(getconf CHAR_MIN)" = 0 ]; then
  printed char '255 3' 2
else
  printed char '-128 -1' 127
fi
printed uchar '255 3' 2
printed short '0x7fff 1' -32768
printed int '2147483647 1' -2147483648
printed ulong '0xffffffffffffffff 2' 1

echo '1 2 3 4 5 6 7' >seven
stride ()
{
  run sum --stride "$1" seven
  check "stride $1" succeeded "$2"
}
stride 1 28
stride 2 16
stride 3 12
stride 6 8
stride 7 1
stride 2^1 16
stride 1e0 28
stride 1Ki 1
stride 1000000 1
stride 18446744073709551615 1
run sum --stride 5 empty
check 'stride over nothing' succeeded 0
run sum --stride 3 --raw uchar ones
check 'stride over raw data' succeeded 6

# --------------------------------------------------------------------- JSON

json ()
{
  check "JSON: $1" succeeded "{
  $2
}"
}
echo '0.5 1' >in
run sum --json in
json double '"sum": 1.5,
  "hex": "0x1.8p+0",
  "n": 2,
  "type": "double",
  "mode": "exact"'
run sum --json --mode compensated --stride 2 --type float in
json 'float, mode, stride' '"sum": 0.5,
  "hex": "0x1p-1",
  "n": 1,
  "type": "float",
  "mode": "compensated"'
echo 18446744073709551615 >in
run sum --json --mode compensated --type ulong in
json 'beyond a JSON integer; integers have one mode' \
  '"sum": "18446744073709551615",
  "n": 1,
  "type": "ulong",
  "mode": "fast"'
echo -7 >in
run sum --json --type short in
json short '"sum": -7,
  "n": 1,
  "type": "short",
  "mode": "fast"'
echo -inf >in
run sum --json in
json infinity '"sum": "-inf",
  "hex": "-inf",
  "n": 1,
  "type": "double",
  "mode": "exact"'
echo 0 >in
run sum --json --type long_double in
json 'long double' '"sum": "0",
  "hex": "0x0p+0",
  "n": 1,
  "type": "long_double",
  "mode": "exact"'
GSLTUNE_MODE=compensated "$gsltune" sum --json in >out 2>err
status=$?
json 'mode from the environment' '"sum": 0.0,
  "hex": "0x0p+0",
  "n": 1,
  "type": "double",
  "mode": "compensated"'

# ------------------------------------------------------------------- Errors

real_hint='write e.g. 1.5, -2e10, 0x1.8p3, inf or nan, separated by white space'
whole_hint='write whole numbers, decimal or 0x, separated by white space'

printf '1\n2 # two\n3 4x5\n' >bad
run sum bad
check 'file, line and token' failed 1 "bad:3: '4x5' is not a double: $real_hint"
run sum seven bad
check 'nothing is summed past an error' \
  failed 1 "bad:3: '4x5' is not a double: $real_hint"
run sum --json bad
check 'nor printed as JSON' failed 1 "bad:3: '4x5' is not a double: $real_hint"
run sum - <bad
check 'of standard input' \
  failed 1 "standard input:3: '4x5' is not a double: $real_hint"
echo 1.5 >in
run sum --type int in
check 'a fraction is no int' failed 1 "in:1: '1.5' is not an int: $whole_hint"
printf '\n\n1,5' >in
run sum --type float in
check 'no comma' failed 1 "in:3: '1,5' is not a float: $real_hint"
printf '1 1e400' >in
run sum in
check 'too large for double' failed 1 "in:1: '1e400' is not a double: too large\
 for double: the largest is 1.79769e+308; for infinity write inf"
printf '\033[2J' >in
run sum in
check 'unprintable bytes' failed 1 "in:1: '\\x1b[2J' is not a double: $real_hint"
printf '1\n\0002' >in
run sum in
check 'a NUL byte' failed 1 "in:2: a NUL byte: this is not text; read binary\
 data with --raw TYPE"

echo "$limits" >limits
while read -r type value range; do
  [ -n "$type" ] || continue
  echo "$value" >in
  run sum --type "$type" in
  article=a
  [ "$type" = int ] && article=an
  check "$value does not fit $type" \
    failed 1 "in:1: '$value' is not $article $type: out of range: $range"
done <limits

run sum missing
check 'a missing file' failed 1 'missing: cannot open: No such file or directory'
run sum --raw int missing
check 'a missing raw file' \
  failed 1 'missing: cannot open: No such file or directory'
run sum .
check 'a folder' failed 1 '.: cannot read: Is a directory'
run sum --raw double .
check 'a raw folder' failed 1 '.: cannot read: Is a directory'
printf 12345 >in
run sum --raw double in
check 'a raw file of an odd size' failed 1 "in: 5 bytes are not a whole number\
 of elements: each double takes 8 bytes"
run sum --raw double - <in
check 'raw standard input of an odd size' failed 1 "standard input: 5 bytes are\
 not a whole number of elements: each double takes 8 bytes"
run sum - <&-
check 'a closed standard input' \
  failed 1 'standard input: cannot read: Bad file descriptor'

run sum seven - <&-
check 'a closed standard input is no place for another file' \
  failed 1 'standard input: cannot read: Bad file descriptor'

if [ -c /dev/full ]; then
  : >out
  "$gsltune" sum seven >/dev/full 2>err
  status=$?
  check 'a full disk' failed 1 \
    'cannot write to standard output: No space left on device'
  "$gsltune" sum --json seven >/dev/full 2>err
  status=$?
  check 'a full disk and JSON' failed 1 \
    'cannot write to standard output: No space left on device'
else
  skip 'a full disk' 'no /dev/full'
  skip 'a full disk and JSON' 'no /dev/full'
fi
: >out
"$gsltune" sum seven >&- 2>err
status=$?
check 'a closed standard output' failed 1 \
  'cannot write to standard output: Bad file descriptor'

# -------------------------------------------------------------------- Usage

valid='double, float, long_double, int, uint, long, ulong, short, ushort, char,'
valid="$valid uchar"
run sum --type dbl seven
check 'an unknown type' \
  failed 2 "--type: unknown type 'dbl': valid types are $valid"
run sum --raw dbl seven
check 'an unknown raw type' \
  failed 2 "--raw: unknown type 'dbl': valid types are $valid"
run sum --mode precise seven
check 'an unknown mode' failed 2 \
  "--mode: unknown mode 'precise': valid modes are fast, compensated, exact"
run sum --raw int --type uint seven
check 'two types' failed 2 \
  'sum: --raw int contradicts --type uint: --raw alone is enough'
most=18446744073709551615
for bad in '' x -1 1.5 3^2 2^ 2^x 1e 1k 1KiB ' 1' '1 ' 0x10; do
  run sum --stride "$bad" seven
  check "'$bad' is no stride" failed 2 "--stride: '$bad' is not a count: give a\
 whole number from 1 to $most, e.g. 1000000, 1e6, 2^20, 64Ki, 3Mi or 1Gi"
done
for bad in 0 18446744073709551616 2^64 1e20 99999999999999999999Gi \
  2^99999999999999999999 0e5; do
  run sum --stride "$bad" seven
  check "'$bad' is out of range" failed 2 "--stride: '$bad' is out of range:\
 give a whole number from 1 to $most"
done

finish
