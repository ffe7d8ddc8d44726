"""Statistics of a column of a CSV file that is read in chunks, with the same bits for any length
of these."""
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

import io

import numpy
import pandas

from gsltune import Moments


def statistics(file, rows):
    m = Moments(4)
    for chunk in pandas.read_csv(file, chunksize=rows):
        m.add(chunk["x"].dropna().to_numpy())
    return (m.count, *(value.hex() for value in (m.mean(), m.var(ddof=1), m.skew(), m.kurtosis())))


if __name__ == "__main__":
    x = numpy.random.default_rng(2).lognormal(0, 5, 50_000)
    text = pandas.DataFrame({"x": x}).to_csv(index=False, float_format="%.17g")
    results = {rows: statistics(io.StringIO(text), rows) for rows in (999, 4096, 50_000)}
    for rows, result in results.items():
        print(rows, *result)
    assert len(set(results.values())) == 1
