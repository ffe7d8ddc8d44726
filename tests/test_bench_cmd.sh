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
    wsum wmoments; do
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
check 'mode and stride' is "$(value mode) $(value stride)" 'exact 3'
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
