#!/bin/sh
# bench/replay: the tuner's search on tables whose best is known.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
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

run
check 'no file' failed 2 'replay needs a file of measurements: see replay --help'
run --effort quick found.jsonl
check 'an effort' failed 2 '--effort: only normal and thorough can be played'
fails 'a file that is not there' 1 'cannot read absent: No such file or directory' \
  absent
echo '{}' >broken
fails 'no table' 1 'broken, line 1: it is not of format 1' broken
finish
