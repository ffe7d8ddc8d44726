"""The standard deviation of a Dask array, with the same bits for any chunks.  Change the last
method, and the power, for another statistic."""
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

import functools

import dask.array
import numpy

from gsltune import Moments


def chunk(x, axis, keepdims, computing_meta=False):
    """Moments of a chunk, in an array of one object; Dask first asks for an empty array."""
    return x if computing_meta else numpy.full((1,) * x.ndim, Moments(2).add(x), object)


def combine(parts, axis, keepdims):
    merged = functools.reduce(Moments.merge, parts.flat, Moments(2))
    return numpy.full((1,) * parts.ndim, merged, object)


def aggregate(parts, axis, keepdims):
    return combine(parts, axis, keepdims).item().std(ddof=1)


def std(x):
    return dask.array.reduction(x, chunk, aggregate, combine=combine, dtype=object).compute()


if __name__ == "__main__":
    x = numpy.random.default_rng(3).standard_normal((600, 500)) * 2.0 ** numpy.arange(500)
    results = {chunks: float(std(dask.array.from_array(x, chunks))).hex()
               for chunks in ((600, 500), (100, 50), (7, 499), (60, 60))}
    for chunks, result in results.items():
        print(chunks, result)
    assert len(set(results.values())) == 1
