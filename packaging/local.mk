# Recipes of package managers that need no folder of their own at the top.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

EXTRA_DIST += \
  packaging/conda/recipe.yaml \
  packaging/conda/variants.yaml \
  packaging/spack/README.md \
  packaging/spack/spack_repo/gsltune/packages/gsltune/package.py \
  packaging/spack/spack_repo/gsltune/repo.yaml
