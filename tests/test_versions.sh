#!/bin/sh
# The versions of kernels: kernels/versions.txt is what the code has, a comment changes
# nothing of it, and code does, in whatever file it is.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

kernels=$(cd "${srcdir:-.}" && pwd)/kernels
. "${srcdir:-.}/tests/tap.sh"
: >err

# recorded FOLDER: whether its list is what its code has; else what to do.
recorded ()
{
  sh "$1/versions.sh" "$1/.." | diff "$1/versions.txt" - >out && return
  echo 'Kernels changed since they were recorded: where the speed may have changed,
raise the version in kernels/catalog.def; then make record-versions.' >err
  return 1
}
check 'each kernel is as it was recorded, or has a version of its own' \
  recorded "$kernels"

# covered: whether each CPU kernel's checksum covers all files of kernels/ that the compiler
# reads for it; else they are in out.
covered ()
{
  sed -n 's/^CPU_KERNEL ([a-z_]*, \([a-z_]*\),.*/\1/p' "$catalog" >rows
  test -s rows || return 1
  while read -r row; do
    sh "$kernels/versions.sh" "$kernels/.." "$row" >files
    (cd "$kernels/.." && ${CC:-cc} -MM -I. -I"$build" -DGT_ISA=baseline \
      -DGT_VECTOR_BYTES=16 "$(sed 1q "$scratch/files")") >read || return 1
    sort files >sorted
    tr -s ' \\' '\n\n' <read | grep '^kernels/' | sort | comm -23 - sorted >out
    test ! -s out || return 1
  done <rows
}
check 'checksums cover all that the compiler reads' covered

# A catalogue of three kernels.
mkdir -p kernels/cpu/room kernels/cuda
cat >kernels/catalog.def <<\END
/* CPU_KERNEL (name, file, version) */
CPU_KERNEL (one, one, 1, SUM | MAX, ANY,
  "summary")
CPU_KERNEL (one, one_more, 12, DOT | WSUM, ANY)
CUDA_KERNEL (grid, grid, 3, SUMSQ | WSUM, ANY)
END
cat >kernels/reductions.def <<\END
/* REDUCTION (id, name, algebra, inputs, plain, products, arithmetics, modes) */
REDUCTION (SUM, sum, ADD, 1, 1, 0, ALL, FAST,
  "the sum (of all)")
REDUCTION (DOT, dot, MOMENTS, 2, 0, 1, ALL, FAST)
REDUCTION (SUMSQ, sumsq, MOMENTS, 1, 0, 1, ALL, FAST)
END
cat >kernels/statistics.def <<\END
STATISTIC (mean, MEAN)
END
cat >kernels/cutoffs.def <<\END
CUTOFF (FEW, 16)
CUTOFF (FEW_MORE, 32)
END
echo '#include "kernels/cpu/room/part.h"' >kernels/cpu/room/one.c
printf '%s\n' '#define GT_TEMPLATE "kernels/cpu/room/body.inc"' '#include "kernels/task.h"' \
  >kernels/cpu/room/one_more.c
printf '%s\n' '#include "kernels/task.h"' '#include "kernels/cutoffs.def"' \
  'int most = GT_CUTOFF_FEW;' >kernels/cpu/room/part.h
printf '%s\n' '#include "kernels/cuda/grid.cuh"' '#include "kernels/alone.inc"' \
  '#include "kernels/reductions.def"' >kernels/cuda/grid.cu
for file in task.h alone.inc cpu/room/body.inc cpu/room/part.c cpu/room/part_two.c \
  cpu/room/other.c cpu/room/rows.def cuda/grid.cuh; do
  echo 'int y;' >kernels/$file
done
printf '%s\n' '#include "kernels/reductions.def"' '#include "kernels/cpu/room/rows.def"' \
  '#define STATISTIC(name, what) int name;' '#include "kernels/statistics.def"' \
  >>kernels/task.h
versions ()
{
  sh "$kernels/versions.sh" .
}
versions >was
check 'a line for each kernel' is "$(sed 's/ [0-9]*$/;/' was | tr -d '\n')" \
  'one 1;one_more 12;grid 3;'

# change FILE TEXT: the rows that are not as they were when FILE ends with TEXT.
change ()
{
  cp "kernels/$1" file
  printf '%s\n' "$2" >>"kernels/$1"
  versions | diff was - | sed -n 's/^> \([a-z_]*\).*/\1/p' | tr '\n' ' '
  cp file "kernels/$1"
}
check 'comments and blanks are no code' is "$(change cpu/room/one.c '
  /* int x;
     int y; */ /**/ ')" ''
check 'code among comments is' is "$(change cpu/room/one.c '/* */ int x; /* */')" 'one '
check 'a template' is "$(change cpu/room/body.inc 'int x;')" 'one_more '
check 'a header that a header includes' is "$(change task.h 'int x;')" 'one one_more '
for file in part.c part_two.c; do
  check "what a header declares is defined in $file" is \
    "$(change cpu/room/$file 'int x;')" 'one '
done
check 'a file of no kernel' is "$(change cpu/room/other.c 'int x;')" ''
check 'a kernel for GPUs' is "$(change cuda/grid.cuh 'int x;')" 'grid '
check 'a template outside of the rooms' is "$(change alone.inc 'int x;')" 'grid '
check 'a table' is "$(change cpu/room/rows.def 'ROW (x)')" 'one one_more '
check 'a reduction that one kernel computes' is "$(change reductions.def \
  'REDUCTION (MAX, max, ORDER, 1, 1, 0, ALL, FAST)')" 'one '
check 'a reduction that two kernels compute' is "$(change reductions.def \
  'REDUCTION (WSUM, wsum, MOMENTS, 2, 2, 0, REALS, FAST)')" 'one_more grid '
check 'a reduction that no kernel computes' is "$(change reductions.def \
  'REDUCTION (MIN, min, ORDER, 1, 1, 0, ALL, FAST)')" ''
check 'a cutoff that code names' is "$(change cutoffs.def 'CUTOFF (FEW, 20)')" 'one '
check 'a cutoff that no code names' is "$(change cutoffs.def 'CUTOFF (FEW_LESS, 20)')" ''
check 'a statistic' is "$(change statistics.def 'STATISTIC (sd, MEAN)')" ''
check 'another kernel' is "$(change catalog.def 'CPU_KERNEL (one, another, 1, SUM)')" 'another '
sed -i 's/SUM | MAX, ANY/SUM | MAX, BOTH/' kernels/catalog.def
check 'the columns of a row' is "$(versions | diff was - | sed -n 's/ [0-9]*$//; s/^> //p')" \
  'one 1'
versions >was
sed -i 's/summary/another/' kernels/catalog.def
check 'but for its summary' is "$(versions | diff was -)" ''
sed -i 's/12/13/' kernels/catalog.def
check 'another version' is "$(versions | diff was - | sed -n 's/ [0-9]*$//; s/^> //p')" \
  'one_more 13'
finish
