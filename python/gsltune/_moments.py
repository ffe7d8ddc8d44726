"""Sums and statistics of elements that come in parts, with the same bits for every division."""
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

from __future__ import annotations

from ctypes import byref, c_char, c_char_p, c_double, c_int, c_size_t, c_void_p, cast
from typing import Any, Tuple

from numpy.typing import ArrayLike

from ._arrays import _computable, _given, _line
from ._device import _without_handler
from ._library import INFIX, function, pointer

KINDS = ("plain", "neighbours", "weighted", "pairs")


class Moments:
    """The exact sums of powers of elements, up to POWER: 1 for sums and means, 2 for variances, 3
    for skewness, 4 for kurtosis.  KIND is plain, weighted, or pairs, whose power is 1 (the sum of
    products) or 2.  Each result is the exact value rounded once; skewness, kurtosis and all that
    has weights are GSL's.

    >>> m = Moments().add([1e100, 1.0]).merge(Moments().add([-1e100]))
    >>> m.count, m.sum()
    (3, 1.0)
    """

    def __init__(self, power: int = 2, kind: str = "plain", long_doubles: bool = False) -> None:
        self._made = KINDS.index(kind), int(power), int(long_doubles)
        with _without_handler():
            self._m = self._call("alloc", c_void_p, *self._made, of=())
        if not self._m:
            raise ValueError(f"there are no moments of kind {kind} and power {power}")

    def __del__(self) -> None:
        if getattr(self, "_m", None):
            self._call("free", None)

    def _call(self, name: str, result: Any, *arguments: Any, of: Any = None) -> Any:
        """gsltune_moments_NAME, of these moments unless OF is empty."""
        arguments = (() if of == () else (c_void_p(self._m),)) + tuple(
            c_int(a) if type(a) is int else a for a in arguments)
        return function(f"gsltune_moments_{name}", result, *map(type, arguments))(*arguments)

    def add(self, a: ArrayLike, second: Any = None) -> Moments:
        """Adds the elements of A; with SECOND, pairs, or elements and their weights."""
        x = _line(_computable(_given(a)))
        lines = [x]
        if (second is not None) != (self._made[0] >= 2):
            raise TypeError("weighted moments and pairs take two arrays, others one")
        if second is not None:
            y = _line(_computable(_given(second)).astype(x.dtype, copy=False))
            lines = [y, x] if self._made[0] == 2 else [x, y]
            if x.size != y.size:
                raise ValueError("the arrays differ in length")
        if x.dtype.kind == "c" or (x.dtype.char == "g" and not self._made[2]):
            raise TypeError(f"these moments take no elements of type {x.dtype}")
        rest = [argument for line in lines for argument in
                (pointer(line), c_size_t(line.strides[0] // line.itemsize if line.size > 1 else 1))]
        self._call(f"add{'_pairs' if second is not None else ''}{INFIX[x.dtype][0]}", c_int, *rest,
                   c_size_t(x.size))
        return self

    def merge(self, other: Moments) -> Moments:
        """Adds the elements of OTHER, which follow these, and returns these moments."""
        if self._made != other._made:
            raise ValueError("the moments were not made alike")
        self._call("merge", c_int, c_void_p(other._m))
        return self

    def tobytes(self) -> bytes:
        """The portable form: equal moments have equal bytes on every machine."""
        form = (c_char * self._call("size", c_size_t))()
        self._call("save", c_int, cast(form, c_void_p), c_size_t(len(form)))
        return form.raw

    @classmethod
    def frombytes(cls, form: bytes) -> Moments:
        """Moments that were saved; ValueError if no elements have such."""
        if len(form) < 24 or form[8] >= len(KINDS):
            raise ValueError("these are no moments")
        m = cls(form[9], KINDS[form[8]], bool(form[10]))
        with _without_handler():
            if m._call("load", c_int, cast(bytes(form), c_void_p), c_size_t(len(form))):
                raise ValueError("these are no moments")
        return m

    def __reduce__(self) -> Tuple[Any, Tuple[bytes]]:
        return Moments.frombytes, (self.tobytes(),)

    @property
    def count(self) -> int:
        """How many elements or pairs there are; with weights, those of a weight above 0."""
        return self._call("n", c_size_t)

    def statistic(self, name: str, *given: float) -> float:
        """What GSL's gsl_stats_NAME returns of the elements, about the means or the mean and the
        standard deviation that are GIVEN if the function takes such."""
        about, result = (c_double * 2)(*(given + (float("nan"),) * 2)[:2]), c_double()
        with _without_handler():
            if self._call("statistic", c_int, c_char_p(name.encode()), cast(about, c_void_p),
                          cast(byref(result), c_void_p)):
                raise ValueError(f"moments of kind {KINDS[self._made[0]]} and power"
                                 f" {self._made[1]} have no {name}")
        return result.value

    def _own(self, name: str) -> float:
        return self.statistic(("w" if self._made[0] == 2 else "") + name)

    def sum(self) -> float:
        """The sum of the elements, or of the products of pairs (power 1)."""
        if self._made[0] == 2 or self._made[:2] == (3, 2):
            raise ValueError("moments with weights, and of pairs of power 2, have no sum")
        return self._call("sum", c_double)

    def mean(self) -> float:
        return self._own("mean")

    def var(self, ddof: int = 0) -> float:
        """The variance; with weights GSL's unbiased one, for which ddof is 1."""
        return self._spread("variance", ddof)

    def std(self, ddof: int = 0) -> float:
        return self._spread("sd", ddof)

    def _spread(self, name: str, ddof: int) -> float:
        if ddof not in (0, 1) or (self._made[0] == 2 and ddof == 0):
            raise ValueError("ddof must be 0 or 1, with weights 1")
        return self._own(name if ddof else f"population_{name}")

    def skew(self) -> float:
        return self._own("skew")

    def kurtosis(self) -> float:
        return self._own("kurtosis")

    def cov(self) -> float:
        """The covariance of pairs, divided by n - 1."""
        return self._own("covariance")

    def corrcoef(self) -> float:
        return self._own("correlation")
