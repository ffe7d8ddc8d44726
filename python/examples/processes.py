"""Statistics of one array by many processes, with the same bits for any number of them."""
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

import functools
import multiprocessing

import numpy

from gsltune import Moments


def moments_of(part):
    return Moments(4).add(part)


def statistics(x, count):
    """With multiprocessing, moments travel as any other object: they can be pickled."""
    with multiprocessing.Pool(count) as pool:
        m = functools.reduce(Moments.merge, pool.map(moments_of, numpy.array_split(x, 3 * count)))
    return tuple(value.hex() for value in (m.sum(), m.std(), m.skew(), m.kurtosis()))


if __name__ == "__main__":
    x = numpy.random.default_rng(1).standard_cauchy(200_001)
    results = {count: statistics(x, count) for count in (1, 2, 3, 5)}
    for count, result in results.items():
        print(count, *result)
    assert len(set(results.values())) == 1
