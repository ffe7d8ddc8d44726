#!/bin/sh
# GPU tests on a soft GPU that does all work as late as it may (SOFTGPU_LATE): as with
# one that does it at once.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

if [ -z "$softgpu" ]; then
  echo '1..0 # SKIP built without CUDA'
  exit 0
fi
srcdir=$(dirname "$(dirname "$data")")
SOFTGPU_LATE=1
export SOFTGPU_LATE srcdir

for program in tests/test_device_streams tests/test_device_vector \
               tests/test_gpu_addresses tests/test_pinned_vector \
               tests/test_sum_all; do
  "$build/$program" >out 2>err
  status=$?
  check "$program" [ $status -eq 0 ]
done

finish
