#!/bin/sh
# The examples of tests/hacking/*.md, taken from there: they are compiled, and those for the CPU
# are run.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

source=$(cd "$data/../.." && pwd)
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
' "$source"/tests/hacking/*.md
# The rows: indented, behind a line that ends with "in `FILE`:".
awk '
  /[iI]n `[a-z]*[.](def|h)`:$/ { n = split ($0, part, "`"); file = part[n - 1]
                                 next }
  file && /^    / { sub ("^    ", ""); print >("row." file); begun = 1; next }
  begun && /./ { file = ""; begun = 0 }
' "$source"/tests/hacking/*.md

# Changes: indented, too, behind a line that ends with "FILE`, before `LINE`:", LINE being how the
# line begins before which they come.
awk '
  /`, before `.*`:$/ { n = split ($0, part, "`"); file = part[n - 3]; folder = file
                       sub ("/[^/]*$", "", folder); system ("mkdir -p " folder)
                       print part[n - 1] >(file ".change"); print file >"changed"; next }
  file && /^    / { sub ("^    ", ""); print >(file ".change"); begun = 1; next }
  begun && /./ { file = ""; begun = 0 }
' "$source"/tests/hacking/*.md
mkdir -p src
cp -R "$source/src/gsltune" src
while read -r file; do
  awk 'FNR == NR { if (!where) where = $0; else text = text $0 "\n"; next }
       { line = $0; sub (/^ */, "", line) }
       !done && index (line, where) == 1 { printf "%s", text; done = 1 }
       { print }
       END { exit !done }' "$file.change" "$source/$file" >"$file" || echo "$file" >>lost
done <changed

# table FILE: that table of the tree, the examples' rows added.
table ()
{
  mkdir -p "$(dirname "$1")"
  cat "$source/$1" "row.$(basename "$1")" >"$1"
}
table kernels/catalog.def
table kernels/reductions.def
table src/functions.def
cp "$source/src/gsltune.h" src
table src/gsltune/vector.h
awk -f "$source/src/types.awk" src/gsltune/[!mt]*.h src/gsltune/moments.h >types.h
awk -v statistics=moments -f "$source/src/types.awk" src/gsltune/statistics.h >>types.h
awk -f "$source/src/types.awk" src/gsltune/memory.h >src/gsltune/structures.h
mv types.h src/gsltune
mkdir -p kernels/ladder
cp "$source/kernels/images.def" kernels
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

# cpu_kernel FILE PROGRAM: compiles that kernel's file and tests/hacking/PROGRAM.c,
# which calls it, and runs that.
cpu_kernel ()
{
  check "$1 compiles" compile "$CC $CFLAGS -std=gnu11" "-DGT_ISA=baseline\
 -DGT_VECTOR_BYTES=16 -c kernels/cpu/*/$1.c -o kernel.o"
  check 'and what runs it' compile "$CC $CFLAGS -std=gnu11" \
    "$source/tests/hacking/$2.c kernel.o -o program"
  ./program >out 2>err
  status=$?
  check 'its sums are right' [ $status -eq 0 ]
}

# gpu_kernel FILE COUNT PATTERN: compiles that kernel's file, which has so many
# entry points whose names match PATTERN, and no others.
echo 'int main () { return 0; }' >plain.cc
gpu_kernel ()
{
  if ! compile "$CXX" '-c plain.cc -o plain.o'; then
    skip "$1" 'no C++ compiler'
    return
  fi
  check "$1 compiles" compile "$CXX -std=c++17" "-Wno-unknown-pragmas\
 -include $source/tests/softgpu/softgpu.h -x c++ -c kernels/cuda/$1.cu -o kernel.o"
  ${NM:-nm} kernel.o | grep ' T [a-z]' >out
  check 'its entry points have the names that are looked for' \
    is "$(grep -c . out) $(grep -c -E " T $3\$" out)" "$2 $2"
}

check 'configure finds the kernels' \
  is "$(sh "$source/kernels/catalog.sh" . | sort)" \
  "$({ sh "$source/kernels/catalog.sh" "$source"
       printf '%s\n' 'CPU pairwise' 'CUDA runs' 'CPU sequential_cubes' \
         'CUDA grid_stride_cubes'; } | sort)"

# ---------------------------------------------------------- Adding a function

library=$build/.libs/libgsltune.so
listed ()
{
  grep -c '^FUNCTION ([A-Z_]*, isnull, .*")$' src/functions.def
}
check 'the row of a function' is "$(listed)" 1
if [ -f "$library" ]; then
  check 'the function compiles, of every type' compile "$CC $CFLAGS -std=gnu11" \
    "-c src/reduce/isnull.c -o isnull.o"
  check 'and a program that calls it' compile "$CC $CFLAGS -std=gnu11" \
    "$source/tests/hacking/isnull.c isnull.o $library -o isnull"
  LD_LIBRARY_PATH=$build/tests/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ./isnull \
    >out 2>err
  status=$?
  check 'its answers are right' [ $status -eq 0 ]
else
  skip 'a function' 'there is no shared library'
fi

# --------------------------------------------------------- Adding a statistic

# The program has the objects that the changes concern before the library's.  Of the functions of
# arrays these are the new ones alone, as all take long.
objects ()
{
  cp "$source/src/functions.def" src
  for file in src/statistics/short_samples src/statistics/exact_statistics \
    src/statistics/fast_statistics src/statistics/infinite src/statistics/integer_statistics kernels/cpu/finish/finish \
    kernels/cpu/quick/enclose tuning/measure/listed; do
    compile "$CC $CFLAGS -std=gnu11" "-DGT_ISA=baseline -DGT_VECTOR_BYTES=16\
 -c $source/$file.c -o $(echo $file | tr / -).o" || return
  done
  mkdir -p new/src
  { sed '/^#define STATISTIC/, /FUNCTION (/!d' src/functions.def
    grep '^STATISTIC' kernels/statistics.def.change; } >new/src/functions.def
  compile "$CC $CFLAGS -std=gnu11 -Inew" "-c $source/src/statistics/statistics.c -o statistics.o"
}
check 'the changes have their places' [ ! -e lost ]
check 'they are in four files at most' [ "$(wc -l <changed)" -le 4 ]
check 'what they concern compiles' objects
check 'and what calls the functions' compile "$CC $CFLAGS -std=gnu11" \
  "$source/tests/hacking/rms.c $(echo src-*.o kernels-*.o) statistics.o $build/tests/liboracle.a\
 $build/.libs/libgsltune-internal.a -lmpfr -lgmp -o rms\
 $(sed -n "s/^dependency_libs='\(.*\)'/\1/p" "$build/libgsltune-internal.la") -lpthread"
GSLTUNE_ISA=baseline ./rms >out 2>err
status=$?
check 'the statistics are right' [ $status -eq 0 ]

# --------------------------------------------------------- Adding a reduction

cpu_kernel sequential_cubes cubes
gpu_kernel grid_stride_cubes 4 'cubes_grid_stride_(strided_)?f(64|32)_u4'

# ------------------------------------------------------------ Adding a kernel

cpu_kernel pairwise pairwise
gpu_kernel runs 2 'sum_runs_f(64|32)'

finish
