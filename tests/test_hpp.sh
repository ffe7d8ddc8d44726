#!/bin/sh
# gsltune.hpp, compiled by the C++ compilers that there are, and what it computes on the
# host and on a device of tests/softgpu (tests/hpp.cc says against what).
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

source=$(cd "$data/../.." && pwd)
CXX=${CXX:-c++}
LD_LIBRARY_PATH=$build/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
: >out
: >err

# compiles COMPILER ARGUMENT...
compiles ()
{
  # shellcheck disable=SC2086 # commands and flags may be several words
  "$@" $GSL_CFLAGS -I"$build/src/installed" -I"$source/src" -Wall -Wextra -Wshadow -Werror \
    -pedantic >out 2>err
  status=$?
  [ $status -eq 0 ]
}

passes ()
{
  "$@" >out 2>err
  status=$?
  [ $status -eq 0 ]
}

# shellcheck disable=SC2086 # a command may have options
if ! $CXX --version >/dev/null 2>&1; then
  echo "1..0 # SKIP there is no C++ compiler"
  exit 0
fi

# shellcheck disable=SC2086
check 'a program compiles as C++17' compiles $CXX -std=c++17 -O0 "$source/tests/hpp.cc" \
  -o program "$build/.libs/libgsltune.so" ${GSL_LIBS:--lgsl -lgslcblas -lm}
check 'its answers on the host' passes env CUDA_VISIBLE_DEVICES=-1 ./program
if [ -n "$softgpu" ]; then
  check 'and on a GPU' passes env SOFTGPU_DEVICE="$source/tests/devices/h200.json" \
    ./program on-gpu
else
  skip 'and on a GPU' 'built without CUDA'
fi
if clang++ --version >/dev/null 2>&1; then
  check 'clang compiles it as C++20' compiles clang++ -std=c++20 -fsyntax-only \
    "$source/tests/hpp.cc"
else
  skip 'clang compiles it as C++20' 'there is no clang++'
fi
cat >twice.cc <<END
#include <gsltune.hpp>
#include <gsltune.hpp>
double twice (const double *x) { return gsltune::sum (gsltune::span (x, 2)); }
END
# shellcheck disable=SC2086
check 'the header compiles twice, and alone' compiles $CXX -std=c++17 -fsyntax-only twice.cc

finish
