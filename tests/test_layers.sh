#!/bin/sh
# The layers of the design: kernels includes nothing of src, src nothing of
# tuning; and no option that lets a compiler reorder additions.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

srcdir=${srcdir:-.}
count=0

# none TEXT PATTERN FILE...: no line of the files has PATTERN.
none ()
{
  text=$1
  pattern=$2
  shift 2
  count=$((count + 1))
  if found=$(grep -n -E -e "$pattern" "$@" /dev/null); then
    echo "not ok $count - $text"
    echo "$found" | sed 's/^/# /'
  elif [ -f "$1" ]; then
    echo "ok $count - $text"
  else
    echo "not ok $count - $text: there is no $1"
  fi
}

cd "$srcdir" || exit 99
include='^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]([.][.]/)*'

none 'kernels includes nothing of src' "$include(src|tuning|tests)/" \
  kernels/*.[chS] kernels/catalog.def kernels/cpu/*/*.[chi]* kernels/cuda/*.cu \
  kernels/cuda/*.cuh kernels/ladder/*
none 'the library knows nothing of the ladder' "${include}kernels/ladder/" \
  src/*.h src/*/*.[chi]* kernels/*.[chS] kernels/cpu/*/*.[chi]* kernels/cuda/*.cu \
  kernels/cuda/*.cuh
none 'src includes nothing of tuning' "$include(tuning|tests)/" \
  src/*.h src/*/*.[chi]*
none 'tuning includes nothing of tests' "${include}tests/" tuning/*/*.[chi]*
none 'includes are written from the root' \
  '^[[:space:]]*#[[:space:]]*include[[:space:]]*"([^c/]|c[^o/])[^/]*"' \
  src/*.h src/*/*.[chi]* kernels/*.[ch] kernels/cpu/*/*.[chi]* kernels/cuda/*.cu \
  kernels/ladder/*.cu kernels/ladder/*.[ch] tuning/*/*.[chi]*
none 'GPUs are reached by the table of src/device/backend.h, but by the rungs' \
  "${include}src/cuda/" \
  $(printf '%s\n' src/*/*.[ch] tuning/*/*.[ch] \
    | grep -Ev '^src/cuda/|/rung_launch[.]')
none 'no CUDA runtime' \
  "${include}(cuda_runtime|cuda_runtime_api|helper_cuda)[.]h" src/*/*.[chi]* \
  kernels/*.[ch] kernels/cuda/*.cu kernels/cuda/*.cuh kernels/ladder/*
none 'no fast-math' '^[^#]*[[:space:]]-(-use_fast_math|ffast-math|Ofast|funsafe-math|fassociative-math)' \
  Makefile.am */local.mk
# C has neither a maximum nor a fused product of vectors.
none 'no intrinsics in kernels, but in comparisons and products of vectors' \
  "$include[a-z]*intrin[.]h" \
  $(printf '%s\n' kernels/cpu/*/*.[chi]* | grep -Ev '/(fused|order_compare|vector_products)[.](h|inc)')

# floors FOLDER ROOM...: a room of the folder includes files of the rooms named
# before it, and its own, alone; and there are no other rooms.
floors ()
{
  folder=$1
  shift
  above=$*
  for room in "$@"; do
    above=${above#"$room"}
    above=${above# }
    [ -z "$above" ] \
      || none "$folder/$room knows nothing of what is above it" \
           "$include$folder/($(echo "$above" | tr ' ' '|'))/" \
           "$folder/$room"/*.[chi]*
  done
  count=$((count + 1))
  named=$(printf '%s\n' "$@" | LC_ALL=C sort | tr '\n' ' ')
  # Src/gsltune has the public headers, which are no room.  Folders without sources are what an
  # earlier version's build left behind.
  found=$(cd "$folder" && for room in */*.[chi]*; do echo "${room%%/*}"; done \
    | grep -vx gsltune | LC_ALL=C sort -u | tr '\n' ' ')
  if [ "$named" = "$found" ]; then
    echo "ok $count - the rooms of $folder"
  else
    echo "not ok $count - the rooms of $folder: $found instead of $named"
  fi
}

floors kernels/cpu wide isa sort order finish sums exact quick matrix
floors src base device profile cpu cuda plan route gpu reduce moments statistics sort blas streams \
  lines preload mpi
floors tuning measure text store search report ladder command

# What has the paths of the installation in it is compiled again after configure: objects
# by the names that Automake gives them.
named=$(sed -n '/^with_paths/,/[^\\]$/p' Makefile.am | tr ' \\' '\n\n' | grep /)
for source in $(grep -lwE 'SYSCONFDIR|PKGDATADIR|PKGLIBDIR|LIBDIR' src/*/*.c tuning/*/*.c); do
  object=$(echo "$named" | grep "^$(dirname "$source")/[a-z_]*-$(basename "$source" .c)[.]")
  count=$((count + 1))
  if [ -n "$object" ] && grep -qF "$object: " Makefile.in; then
    echo "ok $count - $source is compiled again"
  else
    echo "not ok $count - $source is compiled again: Makefile.am has '$object'"
  fi
done

count=$((count + 1))
if grep -q -e '-ffp-contract=off' Makefile.am; then
  echo "ok $count - no contraction to fused operations"
else
  echo "not ok $count - no contraction to fused operations"
fi
echo "1..$count"
