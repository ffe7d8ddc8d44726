"""Reductions, statistics, orders and matrix products by the gsltune library.

Functions have the names and arguments of NumPy's, and a ``mode``: "exact", the default, gives the
exact value rounded once, and so does "compensated"; "fast" gives what a plain loop would, and "auto" what the C library's default does: exact results,
but fast products of matrices.  The mode is that of one call in one thread.

>>> import gsltune
>>> gsltune.sum([1e100, 1.0, -1e100])
1.0
>>> gsltune.sum([[0.1] * 10, [1.0] * 10], axis=1)
array([ 1., 10.])
>>> gsltune.median([3, 1, 2])
2.0
"""
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

from __future__ import annotations

import ctypes
import math
from ctypes import c_char_p, c_double, c_int, c_size_t, c_void_p
from typing import Any, Optional, Tuple

import numpy
from numpy.typing import ArrayLike

from . import _device
from ._arrays import (Axis, _axes, _axis, _computable, _count, _each, _given, _into, _line, _Lines,
                      _native, _of_data, _once, _or_none, _out, _real)
from ._library import (INFIX, POINTER, Matrix, Vector, byref, function, in_mode, matrix, pointer,
                       vector)
from ._moments import Moments

__version__ = function("gsltune_version", c_char_p)().decode()
__all__ = ["sum", "dot", "vdot", "norm", "mean", "var", "std", "cov", "corrcoef", "min", "max",
           "argmin", "argmax", "median", "sort", "argsort", "matmul", "Moments"]

_V, _M = POINTER(Vector), POINTER(Matrix)
_builtin_max = max


def _on_device(name: str, a: Any, axis: Axis, keepdims: bool, out: Any, where: Any,
               mode: str, dtype: Any = None) -> Any:
    """A function of an array on a GPU; results are on the host."""
    known = _device.taken(a)
    axes = sorted(_axes(axis, known.ndim))
    result = (_device.total(known, axes, mode, where) if name == "sum"
              else _device.call(name, known, axes, mode, where))
    return _out(result, known, axis, keepdims, out, dtype)


# ------------------------------------------------- Functions of one vector


_calls: dict = {}


def _of_vector(a: numpy.ndarray, name: str) -> Any:
    """gsltune_vector_NAME, which returns an element."""
    if a.dtype.char == "g":  # ctypes would round it to a double
        return _Lines(a, (0,)).each(name, a.dtype)
    call = _calls.get((name, a.dtype))
    if call is None:
        infix, ctype = INFIX[a.dtype]
        call = _calls[name, a.dtype] = function(f"gsltune_vector{infix}_{name}", ctype, _V)
    return a.dtype.type(call(byref(vector(a))))


def _blas(a: numpy.ndarray, name: str) -> Any:
    """gsltune_blas_NAME of real numbers, which returns one."""
    letter, ctype = {"d": ("d", c_double), "f": ("s", INFIX[numpy.dtype("f4")][1])}[a.dtype.char]
    return a.dtype.type(function(f"gsltune_blas_{letter}{name}", ctype, _V)(byref(vector(a))))


def _reduce(a: numpy.ndarray, axis: Axis, name: str, one: Any, dtype: Any) -> Any:
    """NAME of all elements, by ONE, or along AXIS."""
    axes = _axes(axis, a.ndim)
    return one(_line(a), name) if len(axes) == a.ndim else _each(a, axes, name, dtype)


def _parts(a: numpy.ndarray, of: Any) -> Any:
    """Of a complex array: the result of each part."""
    real, imaginary = of(a.real), of(a.imag)
    result = numpy.empty(numpy.shape(real), a.dtype)
    result.real, result.imag = real, imaginary
    return result


def _total(a: numpy.ndarray, axis: Axis) -> Any:
    """The sum of elements, integers' in 64 bits."""
    if a.dtype.kind == "c":
        return _parts(a, lambda x: _total(x, axis))
    if a.dtype.kind in "iu" and a.itemsize < 8:
        once = _once(a, _axes(axis, a.ndim))
        times = _count(a, axis) // _builtin_max(_count(once, axis), 1)
        a = once.astype("u8" if a.dtype.kind == "u" else "i8")
        return numpy.multiply(_reduce(a, axis, "sum", _of_vector, a.dtype), times, dtype=a.dtype)
    axes = _axes(axis, a.ndim)
    once = _once(a, axes) if len(axes) == a.ndim else a
    times = a.size // _builtin_max(once.size, 1)
    if times > 1 and a.dtype.char in "df" and a.dtype.type(times) == times:
        return _dot(_line(once), numpy.broadcast_to(a.dtype.type(times), once.size), "dot")
    return _reduce(a, axis, "sum", _of_vector, a.dtype)


def _sum_type(dtype: numpy.dtype) -> numpy.dtype:
    """The type of a sum: NumPy's."""
    if dtype.kind in "biu" and dtype.itemsize < 8:
        return numpy.dtype("u8" if dtype.kind == "u" else "i8")
    return _native(dtype)


def sum(a: ArrayLike, axis: Axis = None, dtype: Any = None, out: Any = None,
        keepdims: bool = False, where: Any = None, *, mode: str = "exact") -> Any:
    """The sum of elements; integers' in 64 bits, as NumPy's.

    >>> sum([0.1] * 10)
    1.0
    """
    if _device.is_device(a):
        return _on_device("sum", a, axis, keepdims, out, where, mode, dtype)
    given = _given(a, where)
    axis = _or_none(axis, given.ndim)
    _axes(axis, given.ndim)
    if dtype is None and isinstance(out, numpy.ndarray) and out.dtype.kind in "biu":
        dtype = out.dtype
    wanted = _sum_type(given.dtype) if dtype is None else numpy.dtype(dtype)
    if dtype is not None:
        _computable(numpy.empty(0, wanted))
        given = given.astype(wanted, copy=False)
    result = in_mode(mode, _total, _computable(given), axis)
    return _out(result, given, axis, keepdims, out, wanted)


def mean(a: ArrayLike, axis: Axis = None, dtype: Any = None, out: Any = None,
         keepdims: bool = False, *, where: Any = None, mode: str = "exact") -> Any:
    """The arithmetic mean, a float64.

    >>> mean([1e308, 1.7e308])
    1.35e+308
    """
    return _statistic("mean", a, axis, dtype, out, keepdims, where, mode)


def var(a: ArrayLike, axis: Axis = None, dtype: Any = None, out: Any = None, ddof: int = 0,
        keepdims: bool = False, *, where: Any = None, mode: str = "exact") -> Any:
    """The variance, the sum of squared deviations from the mean by n - ddof, a float64.

    >>> var([1, 2, 4]), var([1, 2, 4], ddof=1)
    (1.5555555555555556, 2.3333333333333335)
    """
    name = ("population_variance", "variance")[_known_ddof(ddof)]
    return _statistic(name, a, axis, dtype, out, keepdims, where, mode)


def std(a: ArrayLike, axis: Axis = None, dtype: Any = None, out: Any = None, ddof: int = 0,
        keepdims: bool = False, *, where: Any = None, mode: str = "exact") -> Any:
    """The standard deviation, the root of the variance, a float64."""
    name = ("population_sd", "sd")[_known_ddof(ddof)]
    return _statistic(name, a, axis, dtype, out, keepdims, where, mode)


def _known_ddof(ddof: int) -> int:
    if ddof not in (0, 1):
        raise ValueError(f"ddof must be 0 or 1, not {ddof!r}: what was divided by n - 1 can be"
                         " multiplied by (n - 1) / (n - ddof)")
    return int(ddof)


def _statistic(name: str, a: ArrayLike, axis: Axis, dtype: Any, out: Any, keepdims: bool,
               where: Any, mode: str) -> Any:
    if _device.is_device(a):
        return _on_device(name, a, axis, keepdims, out, where, mode, dtype)
    given = _given(a, where)
    a = _computable(given if dtype is None else given.astype(dtype, copy=False))
    if a.dtype.kind == "c" and name != "mean":
        raise TypeError("gsltune has no variance of complex numbers: take that of their parts")
    axes, sampled = _axes(axis, a.ndim), name in ("variance", "sd")
    if _count(a, axis) <= sampled:
        shape = [n for k, n in enumerate(a.shape) if k not in axes]
        result: Any = numpy.full(shape, numpy.nan, a.dtype if a.dtype.kind == "c" else float)
    else:
        data = a if sampled else _once(a, axes)
        if a.dtype.kind == "c":
            result = in_mode(mode, _parts, data,
                             lambda x: _reduce(x, axis, name, _of_data, float))
        else:
            result = in_mode(mode, _reduce, data, axis, name, _of_data, float)
    return _out(result, given, axis, keepdims, out, dtype)


def norm(x: ArrayLike, axis: Axis = None, keepdims: bool = False, *, mode: str = "exact") -> Any:
    """The Euclidean norm of a vector, or of all elements, or along an axis.

    >>> norm([3.0, 4.0])
    5.0
    """
    if _device.is_device(x):
        return _on_device("nrm2", x, axis, keepdims, None, None, mode)
    given = _given(x)
    x = _computable(given)
    if x.dtype.char == "g":
        raise TypeError("gsltune has no norm of long doubles")
    if x.dtype.kind in "iu":
        if x.size and not -2**53 <= x.min() <= x.max() <= 2**53:
            raise ValueError("doubles do not hold integers beyond 2^53: give floats")
        x = x.astype(float)
    if x.dtype.kind == "c" and axis is not None:
        raise TypeError("norm of complex numbers has no axis")
    result = in_mode(mode, _complex_norm, x) if x.dtype.kind == "c" else in_mode(
        mode, _reduce, x, axis, "nrm2", _blas, x.dtype)
    return _out(result, given, axis, keepdims, None, _half(given.dtype))


def _complex_norm(x: numpy.ndarray) -> Any:
    real = x.real.dtype
    name = "gsltune_blas_dznrm2" if x.itemsize == 16 else "gsltune_blas_scnrm2"
    return real.type(function(name, INFIX[real][1], _V)(byref(vector(_line(x)))))


def _half(dtype: numpy.dtype) -> Any:
    """The type of results of elements of DTYPE that are computed in doubles and cast back, or None."""
    return numpy.float16 if dtype.kind == "f" and dtype.itemsize == 2 else None


def dot(a: ArrayLike, b: ArrayLike, *, mode: str = "exact") -> Any:
    """The sum of products of two vectors; of matrices their product.

    >>> dot([1e200, 1.0, -1e200], [1e200, 1.0, 1e200])
    1.0
    """
    if _device.is_device(a) or _device.is_device(b):
        return _device.dot(a, b, mode)
    a, b, dtype = _both(a, b)
    if a.ndim == 0 or b.ndim == 0:
        return _out(numpy.multiply(a, b), a, None, False, None, dtype)
    if a.ndim > 1 and b.ndim > 2:
        raise ValueError("dot has no stacks of matrices: NumPy's differ from those of matmul")
    if a.ndim != 1 or b.ndim != 1:
        return _out(matmul(a, b, mode=mode), a, None, False, None, dtype)
    return _product(a, b, dtype, "dotu", mode)


def vdot(a: ArrayLike, b: ArrayLike, *, mode: str = "exact") -> Any:
    """The sum of products of all elements, those of a conjugated."""
    a, b, dtype = _both(a, b)
    return _product(_line(a), _line(b), dtype, "dotc", mode)


def _both(a: ArrayLike, b: ArrayLike) -> Tuple[numpy.ndarray, numpy.ndarray, numpy.dtype]:
    """Returns both in the type in which they are multiplied, and the type of their product."""
    a, b = _given(a), _given(b)
    wanted = _native(numpy.result_type(a, b))
    if wanted.kind not in "fc" or wanted.char in "gG":
        raise TypeError(f"gsltune multiplies real and complex floating-point numbers, not {wanted}")
    dtype = numpy.dtype(float) if _half(wanted) else wanted
    return a.astype(dtype, copy=False), b.astype(dtype, copy=False), wanted


def _product(a: numpy.ndarray, b: numpy.ndarray, dtype: numpy.dtype, name: str, mode: str) -> Any:
    if a.size != b.size:
        raise ValueError(f"vectors of {a.size} and {b.size} elements have no product")
    name = "dot" if a.dtype.kind == "f" else name
    return in_mode(mode, _dot, _line(a), _line(b), name).astype(dtype, copy=False)[()]


def _dot(a: numpy.ndarray, b: numpy.ndarray, name: str) -> numpy.ndarray:
    """gsltune_blas_NAME of two vectors."""
    letter = {"d": "d", "f": "s", "D": "z", "F": "c"}[a.dtype.char]
    result = numpy.empty((), a.dtype)
    function(f"gsltune_blas_{letter}{name}", c_int, _V, _V, c_void_p)(
        byref(vector(a)), byref(vector(b)), pointer(result))
    return result


def matmul(x1: ArrayLike, x2: ArrayLike, out: Any = None, *, mode: str = "exact") -> Any:
    """The product of matrices, or of stacks of them, as NumPy's.

    >>> matmul([[1e200, 1.0], [0.0, 3.0]], [[1e-200, 1.0], [2.0, 1.0]])
    array([[3.e+000, 1.e+200],
           [6.e+000, 3.e+000]])
    """
    a, b, dtype = _both(x1, x2)
    if a.ndim == 0 or b.ndim == 0:
        raise ValueError("matmul has no operands without dimensions")
    if a.ndim == 1 and b.ndim == 1:
        return _into(_product(a, b, dtype, "dotu", mode), out)
    rows = a[numpy.newaxis] if a.ndim == 1 else a
    columns = b[:, numpy.newaxis] if b.ndim == 1 else b
    if rows.shape[-1] != columns.shape[-2]:
        raise ValueError(f"arrays of shapes {a.shape} and {b.shape} have no product")
    stack = numpy.broadcast_shapes(rows.shape[:-2], columns.shape[:-2])
    result = numpy.zeros(stack + (rows.shape[-2], columns.shape[-1]), a.dtype)
    rows = numpy.broadcast_to(rows, stack + rows.shape[-2:])
    columns = numpy.broadcast_to(columns, stack + columns.shape[-2:])
    in_mode(mode, _multiply, rows, columns, result)
    if a.ndim == 1:
        result = result[..., 0, :]
    if b.ndim == 1:
        result = result[..., 0]
    return _into(result.astype(dtype, copy=False), out)


def _multiply(rows: numpy.ndarray, columns: numpy.ndarray, result: numpy.ndarray) -> None:
    for k in numpy.ndindex(result.shape[:-2]):
        _gemm(rows[k], columns[k], result[k])


class _Complex(ctypes.Structure):
    _fields_ = [("part", c_double * 2)]


class _ComplexFloat(ctypes.Structure):
    _fields_ = [("part", ctypes.c_float * 2)]


_SCALARS = {"d": ("d", c_double, 1.0, 0.0), "f": ("s", ctypes.c_float, 1.0, 0.0),
            "D": ("z", _Complex, _Complex((1, 0)), _Complex((0, 0))),
            "F": ("c", _ComplexFloat, _ComplexFloat((1, 0)), _ComplexFloat((0, 0)))}


def _gemm(a: numpy.ndarray, b: numpy.ndarray, c: numpy.ndarray) -> None:
    """C = A B; a transposed matrix is told so, and not copied."""
    letter, ctype, one, zero = _SCALARS[a.dtype.char]
    if c.size == 0 or a.shape[1] == 0:
        return
    a, transposed_a = _laid(a)
    b, transposed_b = _laid(b)
    function(f"gsltune_blas_{letter}gemm", c_int, c_int, c_int, ctype, _M, _M, ctype, _M)(
        transposed_a, transposed_b, one, byref(matrix(a)), byref(matrix(b)), zero,
        byref(matrix(c)))


def _laid(a: numpy.ndarray) -> Tuple[numpy.ndarray, int]:
    """A, or its transposed, with rows that lie side by side, and CBLAS's word for it."""
    if _Lines._is_matrix(a):
        return a, 111
    if _Lines._is_matrix(a.T):
        return a.T, 112
    return numpy.ascontiguousarray(a), 111


# ------------------------------------------------------------------- Pairs


def cov(m: ArrayLike, y: Optional[ArrayLike] = None, rowvar: bool = True, *,
        mode: str = "exact") -> Any:
    """The covariances of all pairs of variables, which are rows, or with rowvar=False columns."""
    return _pairs("covariance", m, y, rowvar, mode)


def corrcoef(x: ArrayLike, y: Optional[ArrayLike] = None, rowvar: bool = True, *,
             mode: str = "exact") -> Any:
    """The correlations of all pairs of variables."""
    return _pairs("correlation", x, y, rowvar, mode)


def _pairs(name: str, m: ArrayLike, y: Optional[ArrayLike], rowvar: bool, mode: str) -> Any:
    def variables(a: ArrayLike) -> numpy.ndarray:
        a = _computable(_given(a))
        if a.dtype.kind == "c" or a.ndim > 2:
            raise TypeError("covariances are of real numbers in one or two dimensions")
        return numpy.atleast_2d(a) if a.ndim < 2 or rowvar else a.T

    rows = variables(m)
    if y is not None:
        others = variables(y)
        if others.shape[1] != rows.shape[1]:
            raise ValueError("variables must have the same number of observations")
        rows = numpy.concatenate([rows, others]).astype(numpy.result_type(rows, others))
    rows = _computable(rows)
    observations = rows.T if _Lines._is_matrix(rows.T) else numpy.ascontiguousarray(rows.T)
    n = rows.shape[0]
    result = numpy.full((n, n), numpy.nan)
    if n and rows.shape[1] > 1:
        in_mode(mode, function(f"gsltune_matrix{INFIX[rows.dtype][0]}_{name}", c_int, _M, _M),
                byref(matrix(observations)), byref(matrix(result)))
    return result[0, 0] if n == 1 else result


# ------------------------------------------------------------------- Order


def _extreme(name: str, a: ArrayLike, axis: Axis, out: Any, keepdims: bool, where: Any) -> Any:
    if _device.is_device(a):
        return _on_device(name, a, axis, keepdims, out, where, "exact")
    given = _given(a, where)
    axis = _or_none(axis, given.ndim)
    a, finds = _real(given), name.endswith("index")
    if finds and isinstance(axis, tuple):
        raise TypeError("'tuple' object cannot be interpreted as an integer")
    if finds and isinstance(out, numpy.ndarray) and not numpy.can_cast(out.dtype, numpy.intp):
        raise TypeError(f"indexes do not go into an array of {out.dtype}")
    if _count(a, axis) == 0:
        raise ValueError("no elements have a largest or smallest one")
    if finds:
        result, dtype = _reduce(a, axis, name, _index, "u8"), numpy.dtype(numpy.intp)
    else:
        result = _reduce(_once(a, _axes(axis, a.ndim)), axis, name, _of_vector, a.dtype)
        dtype = _native(given.dtype)
    return _out(result, given, axis, keepdims, out, dtype)


def _index(a: numpy.ndarray, name: str) -> int:
    return function(f"gsltune_vector{INFIX[a.dtype][0]}_{name}", c_size_t, _V)(byref(vector(a)))


def max(a: ArrayLike, axis: Axis = None, out: Any = None, keepdims: bool = False, *,
        where: Any = None) -> Any:
    """The largest element; NaN where there is one."""
    return _extreme("max", a, axis, out, keepdims, where)


def min(a: ArrayLike, axis: Axis = None, out: Any = None, keepdims: bool = False, *,
        where: Any = None) -> Any:
    """The smallest element; NaN where there is one."""
    return _extreme("min", a, axis, out, keepdims, where)


def argmax(a: ArrayLike, axis: Optional[int] = None, out: Any = None, *,
           keepdims: bool = False) -> Any:
    """The index of the first largest element, or of the first NaN."""
    return _extreme("max_index", a, axis, out, keepdims, None)


def argmin(a: ArrayLike, axis: Optional[int] = None, out: Any = None, *,
           keepdims: bool = False) -> Any:
    """The index of the first smallest element, or of the first NaN."""
    return _extreme("min_index", a, axis, out, keepdims, None)


def _on_host(a: ArrayLike, instead: str) -> numpy.ndarray:
    """A as an array, or TypeError with the name of CuPy's function if it is on a GPU."""
    if _device.is_device(a):
        raise TypeError(f"gsltune sorts on the host alone: use cupy.{instead} for arrays on a GPU")
    return _given(a)


def _sorted_lines(given: numpy.ndarray, axis: Optional[int]) -> Tuple[numpy.ndarray, numpy.ndarray,
                                                                      int]:
    """A copy of an array, whose lines along AXIS lie side by side."""
    a = _real(given)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = _axis(axis, a.ndim)
    copy = numpy.array(numpy.moveaxis(a, axis, -1), order="C")
    return copy, copy.reshape(-1, a.shape[axis]) if copy.size else copy.reshape(0, 0), axis


def _nans(line: numpy.ndarray) -> int:
    return int(numpy.isnan(line).sum()) if line.dtype.kind == "f" else 0


def _sort_line(line: numpy.ndarray) -> None:
    function(f"gsltune_sort{INFIX[line.dtype][0]}", None, c_void_p, c_size_t, c_size_t)(
        pointer(line), 1, line.size)


def sort(a: ArrayLike, axis: Optional[int] = -1) -> numpy.ndarray:
    """A sorted copy, NaNs last.

    >>> sort([3, 1, 2])
    array([1, 2, 3])
    """
    given = _on_host(a, "sort")
    copy, lines, axis = _sorted_lines(given, axis)
    for line in lines:
        nans = _nans(line)
        if nans:
            line[:] = numpy.concatenate([line[~numpy.isnan(line)], numpy.full(nans, numpy.nan)])
        _sort_line(line[:line.size - nans])
    return numpy.moveaxis(copy, -1, axis).astype(given.dtype, copy=False)


def argsort(a: ArrayLike, axis: Optional[int] = -1) -> numpy.ndarray:
    """Indexes that sort, in any order of equal elements; those of NaNs last."""
    given = _on_host(a, "argsort")
    copy, lines, axis = _sorted_lines(given if given.ndim else given.reshape(1), axis)
    result = numpy.empty(copy.shape, numpy.intp)
    for line, indexes in zip(lines, result.reshape(lines.shape)):
        if _nans(line):
            indexes[:] = numpy.argsort(line, kind="stable")
            continue
        function(f"gsltune_sort{INFIX[line.dtype][0]}_index", None, c_void_p, c_void_p, c_size_t,
                 c_size_t)(pointer(indexes), pointer(line), 1, line.size)
    return numpy.moveaxis(result, -1, axis)


def median(a: ArrayLike, axis: Axis = None, out: Any = None, keepdims: bool = False) -> Any:
    """The median, a float64, of long doubles one of these; of an even number of elements the mean of
    the middle two, rounded once; NaN if there is one, or no element.
    """
    given = _on_host(a, "median, cupy.quantile or cupy.partition")
    axes = _axes(axis, given.ndim)
    shape = [n for k, n in enumerate(given.shape) if k not in axes]
    a = _once(_real(given), tuple(range(given.ndim)))
    lines = _Lines(a, axes)
    result = numpy.empty(lines.count, a.dtype if a.dtype.char == "g" else float)
    for k, line in enumerate(lines.matrix if lines.by == "row" else lines.matrix.T):
        result[k] = numpy.nan if line.size == 0 or _nans(line) else _middle(numpy.array(line))
    result = numpy.array(numpy.broadcast_to(result.reshape(lines.shape), shape))
    return _out(result, given, axis, keepdims, out)


def _middle(line: numpy.ndarray) -> Any:
    """The median of a line, whose elements change their places."""
    places = (line.size - 1) // 2, line.size // 2
    if line.dtype.char == "g":  # ctypes would round it to a double
        _sort_line(line)
        low, high = line[places[0]], line[places[1]]
        return low / 2 + high / 2 if numpy.isinf(low + high) else (low + high) / 2
    select = function(f"gsltune_stats{INFIX[line.dtype][0]}_select", INFIX[line.dtype][1], c_void_p,
                      c_size_t, c_size_t, c_size_t)
    low, high = (select(pointer(line), 1, line.size, k) for k in places)
    return low / 2 + high / 2 if math.isinf(low + high) else (low + high) / 2
