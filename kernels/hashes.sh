#!/bin/sh
# Prints kernels/hashes.h: for each kernel of the catalogue a checksum of the
# sources that it is compiled from.  A saved winner is valid for the sources
# that it was measured with, so the sum must not depend on the machine: cksum
# is the CRC that POSIX defines.
# Usage: hashes.sh SOURCE-FOLDER
set -eu
cd "$1/kernels"

echo "/* Made by kernels/hashes.sh.  */"
sh ./catalog.sh .. |
while read -r kind name family; do
  case $kind in
    CPU)
      files="cpu/$name.c cpu/combine.h cpu/combine.c types.h"
      case $name in
        exact)
          files="$files superaccumulator.h cpu/exact.h cpu/exact_add.c
            cpu/exact_add.h cpu/exact_bins.c cpu/exact_bins.h
            cpu/exact_isas.c cpu/exact_lanes.h cpu/exact_window.c
            cpu/exact_window.h cpu/isa.h" ;;
        exact_wide)
          files="$files superaccumulator.h cpu/superaccumulator.h
            cpu/superaccumulator.c" ;;
      esac ;;
    CUDA)
      headers=$(sed -n 's,^#include "kernels/\(cuda/[a-z_]*\.cuh\)".*,\1,p' "cuda/$family.cu")
      files="cuda/$family.cu $headers cuda/reduce.cuh args.h"
      case $headers in
        *exact.cuh*) files="$files superaccumulator.h" ;;
      esac ;;
  esac
  # shellcheck disable=SC2086 # a list of files
  sum=$(cat $files | cksum | cut -d' ' -f1)
  printf '#define GT_HASH_%s 0x%08x\n' "$name" "$sum"
done
