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

# A catalogue of three kernels.
mkdir -p kernels/cpu/room kernels/cuda
cat >kernels/catalog.def <<\END
/* CPU_KERNEL (name, file, version) */
CPU_KERNEL (one, one, 1, SUM)
CPU_KERNEL (one, one_more, 12, DOT)
CUDA_KERNEL (grid, grid, 3, SUM)
END
echo '#include "kernels/cpu/room/part.h"' >kernels/cpu/room/one.c
printf '%s\n' '#define GT_TEMPLATE "kernels/cpu/room/body.inc"' '#include "kernels/task.h"' \
  >kernels/cpu/room/one_more.c
echo '#include "kernels/task.h"' >kernels/cpu/room/part.h
echo '#include "kernels/cuda/grid.cuh"' >kernels/cuda/grid.cu
for file in task.h cpu/room/body.inc cpu/room/part.c cpu/room/part_two.c cpu/room/other.c cuda/grid.cuh; do
  echo 'int y;' >kernels/$file
done
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
sed -i 's/12/13/' kernels/catalog.def
check 'another version' is "$(versions | diff was - | sed -n 's/ [0-9]*$//; s/^> //p')" \
  'one_more 13'
finish
