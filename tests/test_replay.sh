#!/bin/sh
# bench/replay: the tuner's search on tables whose best is known.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
. "$data/../profile.sh"
replay=$build/bench/replay

# run ARGUMENT...: replay, in the place of the command.
run ()
{
  "$replay" "$@" >out 2>err
  status=$?
}

# table BEST VERDICT NOISE: 36 candidates of which number BEST takes 10 us, judged
# VERDICT by the model, and the others 20 us and more; each timing longer by up to
# NOISE, relative.
table ()
{
  awk -v best="$1" -v verdict="$2" -v noise="$3" '
    function list(time, i, text)
    {
      for (i = 0; i < 32; i++)
        text = text (i ? "," : "") time * (1 + noise * ((i * 7) % 32) / 32)
      return "[" text "]"
    }
    BEGIN {
      printf "{\"format\":1,\"device\":{\"silicon\":\"x\",\"name\":\"x\"}," \
        "\"operation\":\"sum\",\"type\":\"f64\",\"mode\":\"fast\"," \
        "\"layout\":\"contiguous\",\"n\":1048576,\"briefly_s\":0.0002," \
        "\"longer_s\":0.0005,\"default\":0,\"candidates\":["
      for (k = 0; k < 36; k++) {
        time = k == best ? 10000 : 20000 + 100 * k
        printf "%s{\"kernel\":\"grid_stride\",\"threads\":1,\"block\":%d," \
          "\"unroll\":2,\"blocks_per_sm\":%d,\"grid\":%d,\"verdict\":\"%s\"," \
          "\"briefly_ns\":%s,\"longer_ns\":%s}", k ? "," : "",
          32 * (1 + int (k / 6)), 1 + k % 6, k, k == best ? verdict : "measured",
          list(time), list(time)
      }
      print "]}"
    }'
}

random_misses ()
{
  awk '/^double/ { split ($(NF - 1), n, "/"); exit !(n[1] < n[2]) }' out
}

table 17 measured 0.05 >found.jsonl
told 'the best is found' 0 out \
  '^double fast contiguous 2^20 36 yes 100.0% 50/50 100.0% ' --replays 50 found.jsonl
check 'and random search misses it at times' random_misses
check 'in all' says 0 out '^The choice is within 1% of the best in 50 of 50 replays'
cp out first
run --replays 50 found.jsonl
check 'the same again' cmp -s first out
run --replays 50 --seed 2 found.jsonl
check 'another seed, the same choice' says 0 out 'in 50 of 50 replays'
table 17 'in flight' 0.05 >pruned.jsonl
told 'a best that the model rules out is missed, and said' 0 out \
  '^double fast contiguous 2^20 36 no 100.0% 0/50 50.0% ' --replays 50 pruned.jsonl
# Number 16 asks for fewer blocks, gets as many, and is ruled out for it: one launch.
sed 's/"grid":16,"verdict":"measured"/"grid":17,"verdict":"same"/' found.jsonl \
  >alike.jsonl
told 'candidates that are launched alike are one' 0 out \
  '^double fast contiguous 2^20 35 yes ' --replays 50 alike.jsonl
sed 's/"grid":16,"verdict":"measured"/"grid":17,"verdict":"measured"/
     s/"grid":17,"verdict":"in flight"/"grid":17,"verdict":"same"/' pruned.jsonl \
  >alike.jsonl
told 'and the model keeps them when it keeps one' 0 out \
  '^double fast contiguous 2^20 35 yes ' --replays 50 alike.jsonl
cat found.jsonl pruned.jsonl >both.jsonl
run --replays 10 both.jsonl
check 'several problems' says 0 out 'in 10 of 20 replays, in 0 of 10 of the worst$'

# ----------------------------------------------------------- What a profile is worth

# block N BLOCK BLOCKS_PER_SM [MEMBER=VALUE]...
block ()
{
  n=$1 block=$2 blocks_per_sm=$3
  shift 3
  entry place=device kernel=grid_stride threads=- unroll=2 "n=$n" "block=$block" \
    "blocks_per_sm=$blocks_per_sm" "$@"
}
silicon=cuda-9.0-132sm-80gib-l2-50mib
table 17 measured 0.05 | sed 's/"silicon":"x"/"silicon":"cuda-9.0-132sm-140gib-l2-60mib"/' \
  >long.jsonl
sed 's/"n":1048576/"n":8192/' long.jsonl >short.jsonl
cat short.jsonl long.jsonl >h200.jsonl

profile "$(block 4096 32 1 version=0)" >probe.json
run --profile probe.json h200.jsonl
check 'a profile of other kernels' says 1 err \
  '^gsltune: probe.json: no entry can be used here; first: entry 1: .*version 0'
profile 'name=NVIDIA H100' "$(block 4096 32 1)" "$(block 2097152 96 6)" >h100.json
run --profile h100.json h200.jsonl
check 'the entry of the nearest length is served' says 0 out \
  '^double fast contiguous 2^13 2^12 grid_stride 32 u2 1/SM grid_stride 96 u2 6/SM 50.0%'
check 'another for another length' says 0 out \
  '^double fast contiguous 2^20 2^21 grid_stride 96 u2 6/SM grid_stride 96 u2 6/SM 100.0%'
check 'whose profile it is' says 0 out \
  '^The profile of NVIDIA H100 (the same compute capability)$'
check 'in all' says 0 out \
  '^gets 70.7% of .* geometric mean of 2 problems, 50.0% at the least\.$'
profile "$(block 4096 32 1)" "$(block 2097152 992 6)" >far.json
run --profile far.json h200.jsonl
check 'a configuration that is not in the table' says 0 out \
  '^double fast contiguous 2^20 2^21 grid_stride 992 u2 6/SM .* not in the table$'
check 'which does not count' says 0 out \
  'geometric mean of 1 problem, 50.0% at the least, and$'
check 'and is counted' says 0 out \
  '^serves configurations that are not in the tables in 1 problem\.$'
sed 's/"grid":16,"verdict":"measured"/"grid":17,"verdict":"same"/' long.jsonl \
  >launch.jsonl
told 'one that is launched like the best' 0 out \
  ' grid_stride 96 u2 6/SM grid_stride 96 u2 5/SM 100.0%$' --profile h100.json launch.jsonl
fails 'a table of no device' 1 "--profile: 'x', of which the table is,\
 is no device that is known" --profile h100.json found.jsonl
cat long.jsonl short.jsonl | sed '2s/60mib/50mib/' >several.jsonl
run --profile h100.json several.jsonl
check 'tables of two devices' says 1 err 'give those of one device$'
sed 's/"silicon": "cuda-9.0/"silicon": "cuda-7.0/' h100.json >v100.json
told 'a profile of another architecture' 1 err \
  '^gsltune: v100.json: tuned for cuda-7.0' --profile v100.json h200.jsonl

run
check 'no file' failed 2 'replay needs a file of measurements: see replay --help'
run --effort quick found.jsonl
check 'an effort' failed 2 '--effort: only normal and thorough can be played'
fails 'a file that is not there' 1 'cannot read absent: No such file or directory' \
  absent
echo '{}' >broken
fails 'no table' 1 'broken, line 1: it is not of format 1' broken
finish
