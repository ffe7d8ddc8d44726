#!/bin/sh
# Prints the kernels of kernels/catalog.def, for configure and for hashes.sh: a
# line "CPU FILE" or "CUDA FILE" for each row, in the catalogue's order; and of
# kernels/ladder/ladder.def "RUNG FILE".
# Usage: catalog.sh SOURCE-FOLDER
set -eu
sed -n \
  -e 's/^CPU_KERNEL ([a-z0-9_]*, *\([a-z0-9_]*\),.*/CPU \1/p' \
  -e 's/^CUDA_KERNEL ([a-z0-9_]*, *\([a-z0-9_]*\),.*/CUDA \1/p' \
  -e 's/^RUNG ([a-z0-9_]*, *\([a-z0-9_]*\),.*/RUNG \1/p' \
  "$1/kernels/catalog.def" "$1/kernels/ladder/ladder.def"
