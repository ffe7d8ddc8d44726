#!/bin/sh
# Prints kernels/hashes.h: for each row of the catalogue a checksum of the
# sources that it is compiled from.  A saved winner is valid for the sources
# that it was measured with, so the sum must not depend on the machine: cksum
# is the CRC that POSIX defines.
# Usage: hashes.sh SOURCE-FOLDER
set -eu
cd "$1/kernels"

# The headers of this folder that files of it include.
headers ()
{
  sed -n -e 's,^#include "kernels/\(c[a-z]*/[a-z_]*[.]c*u*h\)".*,\1,p' \
    -e 's,^#define GT_TEMPLATE "kernels/\(cpu/[a-z_]*[.]h\)".*,\1,p' "$@"
}

echo "/* Made by kernels/hashes.sh.  */"
sh ./catalog.sh .. |
while read -r kind name; do
  case $kind in
    CPU)
      first=$(headers "cpu/$name.c")
      # shellcheck disable=SC2086 # a list of files
      files=$(printf '%s\n' "cpu/$name.c" cpu/combine.c types.h $first \
                $(headers /dev/null $first) | LC_ALL=C sort -u)
      case $name in
        exact|exact_sums)
          files="$files superaccumulator.h cpu/exact_add.c cpu/exact_add.h
            cpu/exact_bins.c cpu/exact_bins.h cpu/exact_isas.c
            cpu/exact_lanes.h cpu/exact_window.c cpu/exact_window.h"
          case $name in
            exact_sums)
              files="$files products.h cpu/exact_products.c cpu/fused.h
                cpu/products.c cpu/two_product.h" ;;
          esac ;;
        exact_wide)
          files="$files superaccumulator.h cpu/long_double.h
            cpu/superaccumulator.c" ;;
        simd_sums)
          files="$files cpu/simd_integers.c cpu/simd_integers_kernels.h
            cpu/sums.c cpu/wide_integers.h" ;;
      esac ;;
    CUDA)
      first=$(headers "cuda/$name.cu")
      files="cuda/$name.cu $first cuda/reduce.cuh args.h"
      case $first in
        *exact_sums.cuh*) files="$files products.h superaccumulator.h" ;;
        *exact.cuh*) files="$files superaccumulator.h" ;;
      esac ;;
    *) continue ;; # rungs win no problem
  esac
  # shellcheck disable=SC2086 # a list of files
  sum=$(cat $files | cksum | cut -d' ' -f1)
  printf '#define GT_HASH_%s 0x%08x\n' "$name" "$sum"
done
