#!/bin/sh
# Prints the kernels of kernels/catalog.def, for configure: a line "CPU FILE" or
# "CUDA FILE" for each row, in the catalogue's order, and before the latter
# "CLUSTER FILE" if it uses clusters; of kernels/images.def "CUDA FILE"; and of
# kernels/ladder/ladder.def "RUNG FILE".
# Usage: catalog.sh SOURCE-FOLDER
set -eu
sed -n \
  -e 's/^CPU_KERNEL ([a-z0-9_]*, *\([a-z0-9_]*\),.*/CPU \1/p' \
  -e '/^CUDA_KERNEL .* CLUSTER,/{h;s/^[^,]*, *\([a-z0-9_]*\),.*/CLUSTER \1/p;g;}' \
  -e 's/^CUDA_KERNEL ([a-z0-9_]*, *\([a-z0-9_]*\),.*/CUDA \1/p' \
  -e 's/^IMAGE (\([a-z0-9_]*\)).*/CUDA \1/p' \
  -e 's/^RUNG ([a-z0-9_]*, *\([a-z0-9_]*\),.*/RUNG \1/p' \
  "$1/kernels/catalog.def" "$1/kernels/images.def" "$1/kernels/ladder/ladder.def"
