#!/bin/sh
# gsltune sum: every type from text and raw files, and what it says of bad
# input.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

types='double float long_double int uint long ulong short ushort char uchar'
# Certified data: NIST gives the numbers, their decimal sum is exact.
nist ()
{
  gives "NIST $1" "$2" sum --mode compensated "$data/$1.dat"
}
gives 'lottery.dat in the default mode' 113133 sum "$data/lottery.dat"
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
  gives "an empty raw file of $type" 0 sum --raw "$type" empty
done

# The bytes 1, 0, ... of an integer are worth the same on machines of one byte
# order alone, so raw integers are made of equal bytes.
printf '\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001' >ones
raw ()
{
  gives "raw $1" "$2" sum --raw "$1" ones
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
gives 'raw double' 0x1.040404040404p+5 sum --raw double --hex ats
gives 'raw float' 0x1.80808p+2 sum --raw float --hex ats
dd if=/dev/zero of=zeros bs=16 count=3 2>dd.log
gives 'raw long_double' 0 sum --raw long_double zeros
gives 'several raw files are one vector' 48 sum --raw uchar ones ones -- ones
cat ones | "$gsltune" sum --raw int >out 2>err
status=$?
check 'raw numbers from a pipe, without naming it' succeeded 67372036

# -------------------------------------------------------- Texts and options

echo '0.1 0.2' >a
echo '0.3' >b
gives 'several texts are one vector, summed exactly' 0.6 sum a b
gives 'summed fast' 0.6000000000000001 sum --mode fast a b
echo 4 | "$gsltune" sum a - b >out 2>err
status=$?
check 'standard input among files' succeeded 4.6
gives 'a float has the digits of a float' 0.6 sum --type float a b
gives 'a hexadecimal float' 0x1.3333333333334p-2 sum --hex a
gives 'an integer stays decimal' 113133 sum --hex --type int "$data/lottery.dat"

printed ()
{
  echo "$2" >in
  gives "$2 as $1 is printed as $3" "$3" sum --type "$1" in
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
  gives "stride $1" "$2" sum --stride "$1" seven
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
gives 'stride over nothing' 0 sum --stride 5 empty
gives 'stride over raw data' 6 sum --stride 3 --raw uchar ones

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
GSLTUNE_MODE=compensated run sum --json in
json 'mode from the environment' '"sum": 0.0,
  "hex": "0x0p+0",
  "n": 1,
  "type": "double",
  "mode": "compensated"'

# ------------------------------------------------------------------- Errors

real_hint='write e.g. 1.5, -2e10, 0x1.8p3, inf or nan, separated by white space'

printf '1\n2 # two\n3 4x5\n' >bad
fails 'file, line and token' 1 "bad:3: '4x5' is not a double: $real_hint" sum bad
fails 'nothing is summed past an error' 1 "bad:3: '4x5' is not a double: $real_hint" \
  sum seven bad
fails 'nor printed as JSON' 1 "bad:3: '4x5' is not a double: $real_hint" sum --json bad
run sum - <bad
check 'of standard input' \
  failed 1 "standard input:3: '4x5' is not a double: $real_hint"

# What else is no number, and out of range: tests/test_reader.c.
fails 'a missing file' 1 'missing: cannot open: No such file or directory' sum missing
fails 'a missing raw file' 1 'missing: cannot open: No such file or directory' \
  sum --raw int missing
fails 'a folder' 1 '.: cannot read: Is a directory' sum .
fails 'a raw folder' 1 '.: cannot read: Is a directory' sum --raw double .
printf 12345 >in
fails 'a raw file of an odd size' 1 "in: 5 bytes are not a whole number\
 of elements: each double takes 8 bytes" sum --raw double in
run sum --raw double - <in
check 'raw standard input of an odd size' failed 1 "standard input: 5 bytes are\
 not a whole number of elements: each double takes 8 bytes"
run sum - <&-
check 'a closed standard input' \
  failed 1 'standard input: cannot read: Bad file descriptor'

run sum seven - <&-
check 'a closed standard input is no place for another file' \
  failed 1 'standard input: cannot read: Bad file descriptor'

: >out
"$gsltune" sum seven >&- 2>err
status=$?
check 'a closed standard output' failed 1 \
  'cannot write to standard output: Bad file descriptor'

# ------------------------------------------------ Comments, and errors of others

hash="'#' begins a comment only at the start of a line or after white space"
printf '1.0\n1.#QNAN\n-1.#IND\n1.#INF\n5\n' >msvc
fails 'NaN as old C libraries of Windows print it' 1 \
  "msvc:2: '1.#QNAN' is not a double: $hash" sum msvc
for type in float long_double int; do
  echo '-1.#IND' >in
  run sum --type $type in
  check "and of $type" says 1 err "^gsltune: in:1: '-1.#IND' is not an* $type: $hash\$"
done
for word in '7#8' '7#' '7##' '7#N/A' 'nan#'; do
  echo "$word eight" >in
  fails "'$word' is not a number and a comment" 1 "in:1: '$word' is not a double: $hash" sum in
done

cat >in <<'END'
#1
2 #3
	#4 5
##6
# 7
#
8
#!/bin/sh
#comment!
#what?
#x #N/A
# #REF!
#Values: a/b
#A1 7
#NAMES 5
#1! 2
#-- !
9#
END
sed '$s/#//' in >comments
gives 'comments' 19 sum comments
for error in '#N/A' '#REF!' '#DIV/0!' '#VALUE!' '#NAME?' '#NUM!' '#NULL!' '#SPILL!' '#CALC!' \
  '#FIELD!' '#BLOCKED!' '#GETTING_DATA' '#NA' '#n/a' '#WERT!' '#BEZUG!' '#NV' '#N/D' '#I/T' \
  '#VALEUR!' '#¡DIV/0!' '#¿NOMBRE?' '#N/A,' '#REF!;'; do
  printf '1\t%s\t4\n2\t3\t5\n' "$error" >sheet
  run sum sheet
  check "a spreadsheet's $error" says 1 err \
    "^gsltune: sheet:1: '#.*' is not a double: it is a spreadsheet's error, not a comment: write"
  printf '1\n%s' "$error" >sheet
  run sum --type int sheet
  check "a spreadsheet's $error at the start of a line" says 1 err \
    "^gsltune: sheet:2: '#.*' is not an int: it is a spreadsheet's error, not a comment: write"
done

# ------------------------------------------------------- Line ends, encodings

mark='\357\273\277'
printf '1 # 2\r3\r\n# 4\r\n5\r#6\r7' >in
gives 'lines end with CR LF or CR' 16 sum in
printf '1\r\n2\r\nx\r\n' >in
fails 'CR LF is one line' 1 "in:3: 'x' is not a double: $real_hint" sum in
printf '1\r\r2\r4x5' >in
fails 'CR alone too' 1 "in:4: '4x5' is not a double: $real_hint" sum in

printf "${mark}1.5\r\n2.5\r\n" >bom
gives 'a byte order mark of UTF-8' 4 sum bom
gives 'in all files' 8 sum bom bom
run sum bom - <bom
check 'in standard input' succeeded 8
printf "$mark# comment 7\n1.5\n" >in
gives 'a comment behind it' 1.5 sum in
printf "$mark\n\n3" >in
gives 'a line end behind it' 3 sum in
printf "$mark" >in
gives 'nothing behind it' 0 sum in
printf "$mark#N/A" >in
fails 'an error behind it' 1 "in:1: '#N/A' is not a double: it is a spreadsheet's error, not a\
 comment: write a number in the cell, or a blank behind '#'" sum in
cat bom bom >in
fails 'not within a file' 1 "in:3: '\xef\xbb\xbf1.5' is not a double: $real_hint" sum in
for bytes in '\357' '\357\273' "${mark}x" "$mark$mark"; do
  printf "$bytes" >in
  run sum in
  check "nor anything like it: $bytes" says 1 err "^gsltune: in:1: '.*' is not a double: write"
done

# wide ENCODING TEXT: the text in ENCODING, without a mark, in the file in.
wide ()
{
  printf -- "$2" | iconv -f UTF-8 -t "$1" >in
}
for encoding in UTF-16LE UTF-16BE UTF-32LE UTF-32BE; do
  of=${encoding%?E}
  through="this is text in $of: pipe it through 'iconv -f $of -t UTF-8'"
  for words in '1.5\n2.5\n33\n' '7' ' \t1' '# comment\n1 2\n' '-1\r\n'; do
    wide $encoding "$words"
    fails "$encoding without a mark: $words" 1 "in:1: a NUL byte: pipe text in $encoding through\
 'iconv -f $encoding -t UTF-8'; read binary data with --raw TYPE" sum in
    wide $encoding "\357\273\277$words"
    fails "$encoding with a mark: $words" 1 "in: $through" sum in
    for type in double ushort uint char; do
      fails "$encoding with a mark as raw $type: $words" 1 "in: $through" sum --raw $type in
    done
    run sum a - <in
    check "$encoding with a mark in standard input" failed 1 "standard input: $through"
    iconv -f $of -t UTF-8 in | "$gsltune" sum >out 2>err
    iconv -f $encoding -t UTF-8 in | "$gsltune" sum >again 2>err
    status=$?
    check "iconv makes $encoding readable: $words" [ "$status $(cat out)" = "0 $(cat again)" ]
  done
done
printf "${mark}1.5 2.5\n2.5\n" >in
fails 'text with a mark is not raw' 1 'in: this is text in UTF-8: read it without --raw' \
  sum --raw float in

for program in gzip bzip2 xz zstd lz4; do
  if ! command -v $program >/dev/null 2>&1; then
    skip $program "there is no $program"
    continue
  fi
  $program -c <seven >in
  cat=$(sed -n "s/.*with $program\", \"\([a-z0-9]*\)\".*/\1/p" "$data/../../tuning/text/reader.c")
  fails "$program" 1 "in: this is a file compressed with $program: pipe it through '$cat'" sum in
  run sum --raw uchar - <in
  check "$program, raw" failed 1 \
    "standard input: this is a file compressed with $program: pipe it through '$cat'"
  $cat <in | "$gsltune" sum >out 2>err
  status=$?
  check "through $cat" succeeded 28
done
printf 'PK\003\004\024' >in
fails 'a ZIP archive' 1 "in: this is a ZIP archive: pipe it through 'unzip -p'" sum in

# --------------------------------------------------------------------- Usage

valid='double, float, long_double, int, long, uint, ulong, short, ushort, char,'
valid="$valid uchar"
fails 'an unknown type' 2 "--type: unknown type 'dbl': valid types are $valid" \
  sum --type dbl seven
fails 'an unknown raw type' 2 "--raw: unknown type 'dbl': valid types are $valid" \
  sum --raw dbl seven
fails 'an unknown mode' 2 "--mode: unknown mode 'precise': valid modes are auto, exact, compensated, fast" \
  sum --mode precise seven
fails 'two types' 2 'sum: --raw int contradicts --type uint: --raw alone is enough' \
  sum --raw int --type uint seven
most=18446744073709551615
for bad in '' x -1 1.5 3^2 2^ 2^x 1e 1k 1KiB ' 1' '1 ' 0x10; do
  run sum --stride "$bad" seven
  check "'$bad' is no stride" failed 2 "--stride: '$bad' is not a count: give a\
 whole number from 1 to $most, e.g. 1000000, 1e6, 2^20, 64Ki, 3Mi or 1Gi"
done
for bad in 0 18446744073709551616 2^64 1e20 99999999999999999999Gi \
  2^99999999999999999999 0e5; do
  fails "'$bad' is out of range" 2 "--stride: '$bad' is out of range:\
 give a whole number from 1 to $most" sum --stride "$bad" seven
done

finish
