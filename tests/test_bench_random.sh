#!/bin/sh
# Random problems of `make bench': which are drawn and how they are reported; not how fast
# anything is.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
bench=$build/bench/bench

run_bench ()
{
  "$bench" "$@" >out 2>err
  status=$?
}

# -------------------------------------------------------------------- Draws

"$bench" --random 2000 --seed 5 --draw >drawn 2>err
check 'drawn problems are printed' test $? -eq 0 -a ! -s err -a "$(wc -l <drawn)" -eq 2000
"$bench" --random 2000 --seed 5 --draw >again
check 'the same seed draws the same problems' cmp -s drawn again
"$bench" --random 1000 --first 1000 --seed 5 --draw >again
tail -n 1000 drawn >last
check 'a problem is drawn by its number alone' cmp -s last again
"$bench" --random 2000 --seed 6 --draw >again
check 'another seed draws others' is "$(sort drawn again | uniq -d)" ''
for what in gsl_vector_ gsl_stats_wmean gsl_stats_int_ gsl_blas_ddot gsl_matrix_ gsl_blas_zdotc \
  'gsl_blas_[dszc]gemm: [NTC]' gsl_blas_ztrsm gsl_sort _median: gsl_blas_daxpy \
  'gsltune_matrix_row_sum' '_column_variance' '_segment_' 'one NaN' 'one infinity' zeros subnormal \
  cancelling 'exponents +-40' ' fast, ' ' compensated, ' ' exact, ' ' auto, ' '1 thread$' 'all threads$' \
  'n = [12],' 'n = [1-4][0-9]\{6\},' 'strides 1 ' 'strides [2-9]' 'gap [1-9]' 'offset 7'; do
  check "drawn: $what" grep -q "$what" drawn
done
within ()
{
  sed -n 's/.* n = \([0-9]*\),.*/\1/p' drawn | awk '$1 < 1 || $1 > 4194304 { exit 1 }'
}
check 'lengths are from 1 to 2^22' within
run_bench --random 20 --seed 5 --draw --only dgemm
check 'only what is asked for' is "$(grep -c 'gsl_blas_dgemm: ' out)" 20

# --------------------------------------------------------------- Measurements

# No sums over millions of elements here.
set -- --random 12 --seed 1 --only 'n = 1'
run_bench "$@"
check 'measured problems: success' test "$status" -eq 0 -a ! -s err
check 'the seed' says 0 out '^seed 1, 12 problems from #0 on, [0-9]* with misses$'
worst_first ()
{
  sed -n 's/^ *\([0-9.]*\)  #.*/\1/p' out | sort -rgc
}
check 'the worst first' worst_first
"$bench" "$@" --draw >drawn
run_bench "$@" --json
check 'JSON: valid' test "$status" -eq 0 -a ! -s err -a "$(value seed)" = 1
check 'JSON: the problems that were drawn' is "$(value 'problems.*.problem' | wc -l)" 12
for kind in _row_ _segment_ dgemv ztrsm gsl_sort_float daxpy; do
  run_bench --random 2 --seed 2 --only "$kind"
  check "measured: $kind" test "$status" -eq 0 -a ! -s err
done
if [ -n "$softgpu" ]; then
  SOFTGPU_DEVICE=$(cd "$srcdir" && pwd)/tests/devices/a100.json
  SOFTGPU_SLOWER=10 # fewer launches are measured
  export SOFTGPU_DEVICE SOFTGPU_SLOWER
  "$bench" --random 2000 --seed 5 --draw >drawn
  for what in ', pinned, ' ', managed, ' 'gsltune_device_vector_float_sum: ' \
    'gsltune_matrix.*_row_.* on the device, ' 'gsltune_vector.*_segment_.* on the device, '; do
    check "a GPU: drawn: $what" grep -q "$what" drawn
  done
  for kind in pinned managed _device_ 'on the device'; do
    run_bench --random 2 --seed 3 --only "$kind"
    check "a GPU: measured: $kind" test "$status" -eq 0 -a ! -s err
  done
  SOFTGPU_DEVICE=
else
  skip 'a GPU' 'built without CUDA'
fi
run_bench --random 0
check 'no problems' says 2 err '--random: .*1 to 100000'

finish
