#!/bin/sh
# The examples of HACKING.md, taken from there: they are compiled, and those for
# the CPU are run.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

source=$(cd "$data/../.." && pwd)
build=$(dirname "$gsltune")
CC=${CC:-cc}
CXX=${CXX:-c++}
: >out
: >err

# The files: a line that ends with "complete:" names one, and the fenced lines
# that follow are its text.
awk '
  /complete:$/ { split ($0, part, "`"); file = part[2] }
  /^```/ && file {
    if (open) { close (file); file = "" }
    else { folder = file; sub ("/[^/]*$", "", folder)
           system ("mkdir -p " folder) }
    open = !open
    next
  }
  open { print >file }
' "$source/HACKING.md"
# The rows: indented, behind a line that ends with "in `FILE.def`:".
awk '
  /in `[a-z]*[.]def`:$/ { split ($0, part, "`"); file = part[2]; next }
  file && /^    / { sub ("^    ", ""); print >("row." file); begun = 1; next }
  begun { file = ""; begun = 0 }
' "$source/HACKING.md"

# table FILE: that table of the tree, the examples' rows added.
table ()
{
  mkdir -p "$(dirname "$1")"
  cat "$source/$1" "row.$(basename "$1")" >"$1"
}
table kernels/catalog.def
mkdir -p kernels/ladder
cp "$source/kernels/ladder/ladder.def" kernels/ladder

# compile COMPILER ARGUMENT...: with the examples first where files are looked for.
compile ()
{
  # shellcheck disable=SC2086 # commands and flags may be several words
  $1 -I. -I"$source" -I"$build" $GSL_CFLAGS -Wall -Wextra -Wshadow -Werror \
    $2 >out 2>err
  status=$?
  [ $status -eq 0 ]
}

# ------------------------------------------------------------ Adding a kernel

check 'configure finds the kernels' \
  is "$(sh "$source/kernels/catalog.sh" . | grep -e pairwise -e runs)" 'CPU pairwise
CUDA runs'
check 'a CPU kernel compiles' compile "$CC $CFLAGS -std=gnu11" "-DGT_ISA=baseline\
 -DGT_VECTOR_BYTES=16 -c kernels/cpu/pairwise.c -o pairwise.o"
check 'and what runs it' compile "$CC $CFLAGS -std=gnu11" \
  "$source/tests/hacking/pairwise.c pairwise.o -o pairwise"
./pairwise >out 2>err
status=$?
check 'its sums are right' [ $status -eq 0 ]
echo 'int main () { return 0; }' >plain.cc
if compile "$CXX" '-c plain.cc -o plain.o'; then
  check 'a GPU kernel compiles' compile "$CXX -std=c++17" "-Wno-unknown-pragmas\
 -include $source/tests/softgpu/softgpu.h -x c++ -c kernels/cuda/runs.cu -o runs.o"
  ${NM:-nm} runs.o >out
  check 'its entry points have the names that are looked for' [ 4 -eq "$(
    grep -c -E ' T sum_runs_(compensated_)?f(64|32)$' out)" ]
else
  skip 'a GPU kernel' 'no C++ compiler'
fi

finish
