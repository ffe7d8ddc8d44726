# The Python package, which needs the installed library and no compiler.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

EXTRA_DIST += \
  python/examples/dask_reduction.py \
  python/examples/pandas_chunks.py \
  python/examples/processes.py \
  python/README.md \
  python/pyproject.toml \
  python/gsltune/__init__.py \
  python/gsltune/_arrays.py \
  python/gsltune/_device.py \
  python/gsltune/_library.py \
  python/gsltune/_moments.py \
  python/gsltune/py.typed \
  python/tests/test_gsltune.py
