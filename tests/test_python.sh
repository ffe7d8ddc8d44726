#!/bin/sh
# The Python package by its own tests, where Python has NumPy and pytest.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

package=$(cd "$data/../../python" && pwd)
PYTHON=
for python in python3 /usr/bin/python3; do
  "$python" -c 'import numpy, pytest' 2>/dev/null && PYTHON=$python && break
done
if [ -z "$PYTHON" ]; then
  skip 'the Python package' 'no python3 has NumPy and pytest'
  finish
fi
if ldd "$build/.libs/libgsltune.so" 2>/dev/null | grep -q 'lib[ta]san'; then
  skip 'the Python package' 'a library with sanitizers is not loaded by other programs'
  finish
fi
GSLTUNE_LIBRARY=$(cd "$build" && pwd)/.libs/libgsltune.so
PYTHONPATH=$package PYTHONDONTWRITEBYTECODE=1
if [ -n "$softgpu" ]; then
  SOFTGPU_DEVICE=$data/../devices/h200.json
  export SOFTGPU_DEVICE
fi
export GSLTUNE_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE
"$PYTHON" -m pytest -q -p no:cacheprovider "$package/tests" >out 2>err
status=$?
check 'the Python package' [ "$status" -eq 0 ]
GSLTUNE_LIBRARY=/nowhere/libgsltune.so "$PYTHON" -c 'import gsltune' >out 2>err
status=$?
check 'without the library it says what to do' grep -q 'ImportError: gsltune: .*make install' err

finish
