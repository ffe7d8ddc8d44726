#!/bin/sh
# CSV in gsltune sum and gsltune stats: columns, headers, quotes, files, what is said of
# wrong lines; the numbers are those of the same columns as text.  How cells are read
# is looked at by the fuzz target csv, too.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

printf '\357\273\277day,"price, net",n\r\nmon,"1.5",3\r\n"t ""2""", 2.25 ,4\n\nwed,-0.1,9\n' >in.csv

# sums TEXT EXPECTED ARGUMENT...: with blanks squeezed.
sums ()
{
  text=$1 expected=$2
  shift 2
  run sum "$@"
  tr -s ' ' <out >squeezed
  mv squeezed out
  check "$text" succeeded "$expected"
}

sums 'a column by name' 16 --columns n in.csv
sums 'by number, where a name has a comma' 3.65 --columns 2 in.csv
sums 'several, in the order asked for' ' sum
---------- ----
n 16
price, net 3.65' --columns n,2 in.csv
sums 'one of whole numbers, from two files' 32 --columns n --type int in.csv in.csv
sums 'of a stride' 12 --columns n --stride 2 in.csv
printf 'n;m\n1;2\n' >one
printf 'm;n\n10;20\n' >other
sums 'a column keeps its name in the next file, wherever it is there' 21 \
  --delimiter ';' --columns n one other
printf '1\t2\n3\t4' >plain
sums 'no header, no end of the last line, all columns' ' sum
- ---
1 4
2 6' --delimiter tab plain
printf '\357\273\277"a ""b""",nn,n\n1,2,4\n' >names
sums 'quotes in a name, behind a mark of the order of bytes' 1 --columns 'a "b"' names
sums 'a name that another one begins with' 4 --columns n names
printf '1st,2\n3,4\n' >numbers
sums 'a name that begins with a number, and one that is a number' 3 --columns 1st numbers
printf '\tn\n\t5\n' >tabs
sums 'an empty cell before a tab' 5 --delimiter tab --columns 2 tabs
sums 'a sum that is rounded once' 1 --columns 1 - <<END
x
1e100
1
-1e100
END
sums 'numbers that strtod has to read' 0x1.0000000000001p+0 --hex --columns 1 - <<END
x
1.00000000000000011102230246251565404236316680908203125000001
END
sums 'a number may be quoted, and a name empty' 9 --columns 2 - <<END
a,
0,"3"
0, "4"
"0" ,2
END

# wrong MESSAGE TEXT [ARGUMENT...]
wrong ()
{
  message=$1
  printf "$2" >wrong.csv
  shift 2
  run sum "${@:---delimiter=,}" wrong.csv
  check "$message" failed 1 "wrong.csv$message"
}
number='write e.g. 1.5, -2e10, 0x1.8p3, inf or nan, or name other columns by --columns'
wrong ":3: column 2 (b): 'x' is not a double: $number" 'a,b\n1,2\n3,x\n'
wrong ":4: column 1 (a): '1 2' is not a double: $number" 'a,b\n\n1,2\n1 2,3\n'
wrong ":2: column 2: 'x' is not a double: $number" '1,2\n3,x\n' --columns=2
wrong ':3: column 2 (b): nothing is there: for a number that is not known write nan' 'a,b\n1,2\n3,\n'
wrong ':3: 1 cells: the first line has 2' 'a,b\n1,2\n3\n'
wrong ':2: 3 cells: the first line has 2' 'a,b\n1,2,3\n'
wrong ':2: column 2 (b): a quote begins here and does not end: write two for one inside' 'a,b\n1,"2\n'
wrong ':2: column 1 (a): text behind a quoted cell: write two quotes for one inside' 'a,b\n"1"2,3\n'
wrong ':2: column 2 (b): a NUL byte: this is not text; read binary data with --raw TYPE' 'a,b\n1,2\0003\n'
wrong ":1: --columns: there is no column 'c': there are 2: a, b" 'a,b\n1,2\n' --columns=c
wrong ":1: --columns: there is no column 'p': there are 2: p, q, n;\
 one whose name has a comma is told by its number" '"p, q",n\n1,2\n' '--columns=p, q'
wrong ":1: --columns: there is no column 'b': there are 1: a;b;\
 does --delimiter say what is between them?" 'a;b\n1;2\n' --columns=b
wrong ":1: --columns: there is no column '3': there are 2 and no names" '1,2\n' --columns=3
wrong ': --columns: column 2 is named twice' 'a,b\n1,2\n' --columns=b,2
wrong ":2: column 1 (a): '300' is not a uchar: out of range: 0 to 255" 'a\n300\n' --columns=a --type=uchar
wrong ":4: column 1 (a): 'x' is not a double: $number" 'a,b\n1,"\n"\nx,2\n' --columns=a
run sum --delimiter , /dev/null
check 'a file without a line' failed 1 'no line was read, and so no column'
printf '1;2\n' >bare
run sum --delimiter ';' one bare
check 'a further file without a header' failed 1 'bare:1: no header, which the files before have'
run sum --delimiter ';' bare one
check 'a further file with one' failed 1 'one:1: a header, which the files before have not'
for word in '' ab 1 e . - '"' '#'; do
  run sum "--delimiter=$word" plain
  check "no delimiter '$word'" [ "$status" -eq 2 ]
done
run sum --raw double --columns 1 plain
check '--raw and --columns' [ "$status" -eq 2 ]

# ------------------------------------------------------------- Statistics

# Cells of many lengths, so that buffers of the reader end everywhere in one.
awk 'BEGIN { print "i,x,text,y"
  for (i = 0; i < 20000; i++)
    printf "%d,%.*f,\"a \"\"%d\"\"\n\",%d.%d\n", i, i % 17, i / 7, i, i % 1000, i * i % 97 }' >big.csv
awk -F, '/^[0-9]+,/ { print $2 }' big.csv >x
awk -F, '/^",/ { print $2 }' big.csv >y
for column in x y; do
  run stats $column
  sed 's/ [xy]:[0-9]*//' out | tr -s ' -' >expected
  run stats --columns $column big.csv
  sed '1d; s/ big.csv:[0-9]*//' out | tr -s ' -' >found
  check "statistics of column $column" cmp -s expected found
done
run stats --once --columns y,x big.csv
check 'columns in pieces' grep -q '^count *20000' out
check 'the line of an extreme' eval 'run stats --columns 1 big.csv; grep -q "^max  *19999  19999  big.csv:40000$" out'
run stats --columns n,2 --quantiles 0,0.25,0.5,1 --correlation in.csv
tr -s ' ' <out >squeezed
check 'quantiles' grep -q '^quantile 0.25 3.5 *$' squeezed
check 'the median' grep -q '^median 4 *$' squeezed
check 'those of the other column' grep -q '^quantile 1 2.25 *$' squeezed
check 'a correlation' grep -q '^n price, net -0.8897927786932868$' squeezed
run stats --columns n,2 --quantiles 0.5 --correlation --histogram 2 --json in.csv
check 'as JSON: a name' is "$(value columns.1.name)" 'price, net'
check 'as JSON: the median' is "$(value columns.0.quantiles.0.value)" 4.0
check 'as JSON: the correlation' is "$(value correlation.1.0)" -0.889792779
check 'as JSON: a histogram' is "$(value columns.0.histogram.bin.0)" 2
run stats --quantiles 0.5 - <<END
1 nan 3
END
tr -s ' ' <out >squeezed
check 'no median beside NaN' grep -q '^median nan *$' squeezed
for words in '--quantiles=2' '--quantiles=' '--quantiles=0.5,' '--once --quantiles=0.5' \
  '--correlation' '--once --columns=1 --correlation'; do
  # shellcheck disable=SC2086 # words
  run stats $words plain
  check "stats $words" [ "$status" -eq 2 ]
done

finish
