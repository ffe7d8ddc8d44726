#!/bin/sh
# gsltune bench: what it prints, not how fast it is.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

run bench -n 1000
check 'a table: success' test "$status" -eq 0 -a ! -s err
check 'a table: what was measured' says 0 out \
  '^double, mode exact, stride 1, numbers from -1 to 1 with all digits;$'
check 'a table: the columns' says 0 out \
  '^ n gsl_vector_sum gsltune bandwidth gain on the GPU bandwidth$'
check 'a table: a row' says 0 out \
  '^ *100 [0-9.]* [a-z]*s [0-9.]* [a-z]*s [0-9.]* [kMGT]B/s [0-9.]* - -$'
check 'a table: ends with the length asked for' \
  is "$(tail -1 out | tr -s ' ' | cut -d' ' -f1)" 1000

run bench -n 1000 --json
check 'JSON: valid' test "$status" -eq 0 -a -n "$(value results)"
check 'JSON: the lengths' \
  is "$(value 'results.*.n' | tr '\n' ' ')" '1 2 5 10 100 1000 '
check 'JSON: type, mode, stride' \
  is "$(value type) $(value mode) $(value stride)" 'double exact 1'
consistent ()
{
  for i in 0 1 2 3 4 5; do
    echo "$(value results.$i.gsl_seconds) $(value results.$i.gsltune_seconds)" \
      "$(value results.$i.ratio)"
  done >triples
  awk '{ r = $1 / $2 / $3; if (!($1 > 0 && $2 > 0 && r > 0.999 && r < 1.001))
         bad = 1 }
       END { exit bad || NR != 6 }' triples
}
check 'JSON: times are positive, and the ratio is theirs' consistent
check 'JSON: no GPU' \
  is "$(value 'results.*.device_seconds' | sort -u)" null

for type in float long_double int uint long ulong short ushort char uchar; do
  run bench -n 10 --type $type --json
  check "$type" is "$(value type) $(value results.#)" "$type 4"
done
for operation in asum max min minmax amax dot sumsq moments comoments correlation \
    lag1 absdev skew kurtosis wsum wmoments wabsdev wskew wkurtosis; do
  run bench -n 10 --operation $operation --type float --json
  check "$operation" is "$(value operation) $(value type) $(value results.#)" \
    "$operation float 4"
done
told 'max: what was measured' 0 out '^max of uchar, stride 1, odd whole numbers;$' \
  bench -n 10 --operation max --type uchar
check 'max: the columns' says 0 out '^ n gsl_vector_uchar_max gsltune bandwidth '
run bench --operation amax --type int
check 'an operation that the type has not' failed 2 \
  'bench: there is no amax of type int: amax is of double, float, complex, complex_float'
run bench -n 10 --mode compensated --stride 3 --json
check 'mode and stride' is "$(value mode) $(value stride)" 'compensated 3'
run bench -n 1 --json
check 'one element' is "$(value 'results.*.n')" 1
run bench -n 2^10 --json
check 'a listed length comes once' \
  is "$(value 'results.*.n' | tail -2 | tr '\n' ' ')" '100 1024 '

if [ -n "$softgpu" ]; then
  SOFTGPU_DEVICE=$(cd "$srcdir" && pwd)/tests/devices/a100.json
  export SOFTGPU_DEVICE
  run bench -n 2 --json
  on_gpu ()
  {
    value 'results.*.device_seconds' | awk '!($1 > 0) { bad = 1 }
                                            END { exit bad || NR != 2 }'
  }
  check 'a GPU: device vectors are timed' on_gpu
  run bench -n 2 --type long_double --json
  check 'a GPU: none of long double' \
    is "$(value 'results.*.device_seconds' | sort -u)" null
else
  skip 'a GPU' 'built without CUDA'
  skip 'a GPU: none of long double' 'built without CUDA'
fi

# The exact sum is the right one, to half a unit in the last place; GSL's of data
# that cancel is far from it.
run bench --accuracy -n 1000
check 'accuracy: a table' says 0 out '^data method error ns/element gain$'
check 'accuracy: its first row' says 0 out \
  '^uniform gsl_vector_sum [0-9.e+-]* [0-9.]* 1.00$'
run bench --accuracy -n 1000 --json
check 'accuracy, JSON: what was summed' is "$(value type) $(value n)" \
  'double 1000'
check 'accuracy, JSON: every kind of data by every method' \
  is "$(value results.#)" 30
i=4 exact=
while [ $i -lt 30 ]; do
  exact="$exact $(value results.$i.method) $(value results.$i.error_ulps)"
  i=$((i + 5))
done
within_half ()
{
  echo "$exact" | awk '{ for (i = 1; i < NF; i += 2)
                           bad += $i != "exact" || $(i + 1) > 0.5 }
                       END { exit bad || NF != 12 }'
}
check 'accuracy, JSON: exact sums are correctly rounded' within_half
inexact ()
{
  test "$(value results.20.data)" = cancelling &&
    value results.20.error_ulps | awk '{ exit !($1 > 1000) }'
}
check 'accuracy, JSON: and others are not' inexact
right ()
{
  echo "$errors" | awk '{ for (i = 4; i <= NF; i += 4) bad += $i != 0 }
                        END { exit bad || NF != 24 }'
}
for operation in dot sumsq moments; do
  run bench --accuracy --operation $operation -n 1000 --json
  check "accuracy of $operation, JSON: by every method but Kahan's" \
    is "$(value operation) $(value results.#)" "$operation 24"
  i=0 errors=
  while [ $i -lt 24 ]; do
    errors="$errors${errors:+ }$(value results.$i.error_ulps)"
    i=$((i + 1))
  done
  check "accuracy of $operation: exact is right" right
  [ $operation = moments ] || check "accuracy of $operation: GSL is not" \
    test "${errors%% *}" != 0.0
done
run bench --accuracy --operation dot -n 1000
check 'accuracy of dot: a table' says 0 out '^uniform gsl_blas_ddot [0-9.e+-]* [0-9.]* 1.00$'
run bench --accuracy --operation max
check 'accuracy: of what is rounded alone' failed 2 'bench: --accuracy knows the operations sum, dot, sumsq and moments, not max'
run bench --accuracy --stride 2
check 'accuracy: of contiguous doubles alone' failed 2 \
  'bench: --stride does not go with --accuracy, which compares all modes on contiguous doubles'

told 'a function by its name' 0 out '^ *n gsl_stats_mean gsltune ' bench --operation mean -n 2
told 'and an operation by its function' 0 out '^n gsl_stats_variance gsltune ' bench --operation moments -n 2
told 'no elements' 2 err "^gsltune: -n: '0' is out of range" bench -n 0
told 'too large a stride' 2 err '^gsltune: --stride: ' bench --stride 2^21
told 'an unknown type' 2 err "unknown type 'quaternion': valid types are" bench --type quaternion
fails 'an argument' 2 "bench: unexpected argument 'now': bench takes options only" \
  bench now
# AddressSanitizer would end the program.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}allocator_may_return_null=1 \
  "$gsltune" bench -n 2^28 --stride 2^20 >out 2>err
status=$?
check 'more memory than there is: said' \
  says 1 err '^gsltune: no memory for 268435456 elements at stride 1048576'

finish
