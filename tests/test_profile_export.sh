#!/bin/sh
# gsltune profile export --format: files for other tools, read by Kernel Tuner where it
# is installed (pip install kernel-tuner; PYTHON names another python3).
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

tests=$(cd "${srcdir:-.}/tests" && pwd)
. "${srcdir:-.}/tests/tap.sh"
python=${PYTHON:-python3}
umask 022

# repeats FIRST: eight numbers
repeats ()
{
  echo "[$1.5,$1.1,$1.2,$1.9,$1.4,$1.5,$1.6,$1.7]"
}

# candidate BLOCK UNROLL GRID REST
candidate ()
{
  printf '{"kernel":"grid_stride","threads":1,"block":%s,"unroll":%s,' "$1" "$2"
  printf '"blocks_per_sm":%s,"grid":%s,"occupancy":0.5,%s}' "$3" "$((132 * $3))" \
    "$4"
}
measured ()
{
  echo "\"verdict\":\"measured\",\"briefly_ns\":$(repeats "$1"),\"longer_ns\":$(repeats "$1")"
}
{
  printf '{"format":1,"gsltune":"0.1.0","created":"2026-01-02T03:04:05Z",'
  printf '"machine":"made up","device":{"silicon":"cuda-9.0-132sm-1gib-l2-1mib",'
  printf '"name":"NVIDIA H200","driver":"13.0"},"operation":"sum","type":"f64",'
  printf '"mode":"fast","layout":"contiguous","n":1048576,"briefly_s":0.0002,'
  printf '"longer_s":0.0005,"default":0,"candidates":['
  candidate 256 2 1 "$(measured 3000)"
  printf ,
  candidate 512 2 1 "$(measured 2000)"
  printf ,
  candidate 512 2 2 "$(measured 4000)"
  printf ,
  candidate 1024 4 2 '"verdict":"launch"'
  printf ,
  candidate 1024 2 2 '"verdict":"measured","failed":true,"why":"wrong: n = 1"'
  printf ']}\n'
} >h200.measurements.jsonl

run profile export --format kernel-tuner -o cache h200.measurements.jsonl
check 'kernel-tuner: success' succeeded ''
cache=cache/sum_f64_fast_contiguous_1048576/NVIDIA_H200.json
check 'kernel-tuner: a file' test -s "$cache"
check 'kernel-tuner: the product of 3 blocks, 2 unroll factors, 2 grids' is \
  "$(grep -c '^  "grid_stride,' "$cache")" 12
check 'kernel-tuner: the median, in milliseconds' is \
  "$("$json_get" 'cache.grid_stride,512,2,1.time' <"$cache")" 0.0020005
gives 't4: success' '' profile export --format t4 -o t4 h200.measurements.jsonl
t4=t4/sum_f64_fast_contiguous_1048576/NVIDIA_H200.json
check 't4: a file' is "$("$json_get" results.# <"$t4")" 12
check 't4: the version' is "$("$json_get" schema_version <"$t4")" 1.0.0

# A file that somebody sends may name parameters whose product has no end.
{
  sed 's/"candidates":.*/"candidates":[/' h200.measurements.jsonl | tr -d '\n'
  i=1
  while [ $i -le 17 ]; do
    [ $i -eq 1 ] || printf ,
    printf '{"kernel":"grid_stride","threads":%s,"block":%s,"unroll":%s,' $i $i $i
    printf '"blocks_per_sm":%s,"verdict":"same"}' $i
    i=$((i + 1))
  done
  printf ']}\n'
} >large.jsonl
run profile export --format t4 -o large large.jsonl
check 'too large a product' failed 1 "sum_f64_fast_contiguous_1048576: its\
 parameters have 83521 combinations of values, more than 65536"
check 'no file of it' test ! -e large

# Beside the profile.
mkdir -p "$XDG_DATA_HOME/gsltune"
fails 'no measurements' 1 'there are no measurements: `gsltune tune'"\
 --effort exhaustive' keeps them" profile export --format t4 -o own
run explain --json
silicon=$("$json_get" search.0.path <out | sed 's|.*/||; s|\.json$||')
cp h200.measurements.jsonl "$XDG_DATA_HOME/gsltune/$silicon.measurements.jsonl"
run profile export --format t4 -o own
check 'those beside the profile' cmp -s "own/${t4#t4/}" "$t4"
told 'they are no profile' 0 out '^There is no profile: ' profile list

if "$python" "$tests/read_exports.py" probe >/dev/null 2>&1; then
  "$python" "$tests/read_exports.py" read "$cache" "$t4" >out 2>err
  status=$?
  check 'Kernel Tuner reads both, and tunes on them' says 0 out '^read by Kernel'
else
  skip 'Kernel Tuner reads both, and tunes on them' \
    'there is no Kernel Tuner: pip install kernel-tuner'
fi

fails 'no folder' 2 'profile export: --format needs -o and the name of a folder' \
  profile export --format t4
run profile export --format csv -o x
check 'an unknown format' failed 2 \
  "--format: unknown format 'csv': valid formats are t4, kernel-tuner"
run profile export --format t4 -o x absent
check 'no file' failed 1 'cannot read absent: No such file or directory'
echo '{}' >broken
run profile export --format t4 -o x broken
check 'no measurements in it' failed 1 'broken, line 1: it is not of format 1'
run profile export --format t4 -o h200.measurements.jsonl h200.measurements.jsonl
check 'a folder that is a file' says 1 err 'cannot create the folder'

finish
