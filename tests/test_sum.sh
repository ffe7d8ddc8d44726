#!/bin/sh
# gsltune sum: numbers in files, and its messages about other words.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

# Certified data: NIST gives the numbers, their decimal sum is exact.
gives 'lottery.dat in the default mode' 113133 sum "$data/lottery.dat"
for pair in lottery:113133 lew:-35487 mavro:100.0928 numacc1:30000006; do
  gives "NIST ${pair%:*}" "${pair#*:}" sum --mode compensated "$data/${pair%:*}.dat"
done

echo '0.1 0.2' >a
echo '0.3' >b
gives 'several files are one vector, summed exactly' 0.6 sum a b
gives 'summed fast' 0.6000000000000001 sum --mode fast a b
echo 4 | "$gsltune" sum a - b >out 2>err
status=$?
check 'standard input among files' succeeded 4.6
gives 'a hexadecimal float' 0x1.3333333333334p-2 sum --hex a
seq 1 100000 | "$gsltune" sum >out 2>err
status=$?
check 'many numbers' succeeded 5000050000
: >empty
gives 'an empty file' 0 sum empty

printed ()
{
  printf '%s' "$1" >in
  gives "$1 is printed as $2" "$2" sum in
}
printed 250 250
printed 1e15 1000000000000000
printed 1e22 1e+22
printed 5e-324 5e-324
printed 1e-400 0
printed 1.7976931348623157e308 1.7976931348623157e+308
printed 0x1.999999999999ap-4 0.1
printed -Infinity -inf
printed -nan nan
printed 'inf -inf' nan
printed "1$(printf '%01100d' 0)e-1100" 1

json ()
{
  check "JSON of $1" succeeded "{
  \"sum\": $1,
  \"hex\": \"$2\",
  \"n\": $3,
  \"mode\": \"$4\"
}"
}
echo '0.5 1' >in
run sum --json in
json 1.5 0x1.8p+0 2 exact
echo -inf >in
run sum --json in
json '"-inf"' -inf 1 exact
GSLTUNE_MODE=compensated run sum --json empty
json 0.0 0x0p+0 0 exact

# ------------------------------------------------------------------- Errors

hint='write e.g. 1.5, -2e10, 0x1.8p3, inf or nan, separated by white space'
hash="'#' begins a comment only at the start of a line or after white space"

printf '1\n2 # two\n3 4x5\n' >bad
fails 'file, line and word' 1 "bad:3: '4x5' is no number: $hint" sum bad
fails 'nothing is summed past an error' 1 "bad:3: '4x5' is no number: $hint" sum --json a bad
run sum - <bad
check 'of standard input' failed 1 "standard input:3: '4x5' is no number: $hint"
for word in 1,2 0x 1e 1.2.3 --1 i; do
  echo "$word" >in
  fails "'$word' is no number" 1 "in:1: '$word' is no number: $hint" sum in
done
printf '1 2\0003\n' >in
fails 'a NUL byte' 1 "in:1: '2\\x003' is no number: $hint" sum in
printf '\357\273\2771.5\n' >in
fails 'a byte order mark' 1 "in:1: '\\xef\\xbb\\xbf1.5' is no number: $hint" sum in
echo -1e309 >in
fails 'a number that is too large' 1 \
  "in:1: '-1e309' is too large for a double: for infinity write inf" sum in
printf '%05000d' 1 >in
fails 'a long word' 1 "in:1: '0000000000000000000000000000000000000000...' is no number: it is\
 too long" sum in
for word in '7#8' '7#' '7#N/A' '1.#QNAN' '-1.#IND' 'nan#'; do
  echo "$word eight" >in
  fails "'$word' is not a number and a comment" 1 "in:1: '$word' is no number: $hash" sum in
done
fails 'a missing file' 1 'missing: cannot open: No such file or directory' sum missing
fails 'a folder' 1 '.: cannot read: Is a directory' sum .
for files in - 'a -'; do
  run sum $files <&-
  check "$files with a closed standard input" failed 1 \
    'standard input: cannot read: Bad file descriptor'
done
: >out
"$gsltune" sum a >&- 2>err
status=$?
check 'a closed standard output' failed 1 \
  'cannot write to standard output: Bad file descriptor'

# ----------------------------------------------------------------- Comments

cat >in <<'END'
#1
2 #3
	#4 5
##6
#
8
#!/bin/sh
#x #N/A
9#
END
sed '$s/#//' in >comments
gives 'comments' 19 sum comments
printf '1 # 2\r3\r\n# 4\r\n5\r#6\r7 # 8' >in
gives 'lines end with LF, CR LF or CR' 16 sum in

fails 'an unknown mode' 2 "--mode: unknown mode 'precise': valid modes are auto, exact, compensated, fast" \
  sum --mode precise a

finish
