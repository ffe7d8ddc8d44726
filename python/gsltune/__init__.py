"""Reductions, statistics, orders and matrix products by the gsltune library.

Functions have the names and arguments of NumPy's, and a ``mode``: "exact", the default, gives the
exact value rounded once, "compensated" nearly so, "fast" what a plain loop would.  The mode is
that of one call in one thread.

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
from typing import Any, Optional, Tuple, Union

import numpy
from numpy.typing import ArrayLike

from . import _device
from ._library import (INFIX, MODES, POINTER, Matrix, Vector, byref, function, matrix, pointer,
                       set_thread_mode, vector)

__version__ = function("gsltune_version", c_char_p)().decode()
__all__ = ["sum", "dot", "vdot", "norm", "mean", "var", "std", "cov", "corrcoef", "min", "max",
           "argmin", "argmax", "median", "sort", "argsort", "matmul"]

Axis = Union[None, int, Tuple[int, ...]]
_V, _M = POINTER(Vector), POINTER(Matrix)


def _half(a: Any) -> Any:
    """float16 if A has such elements: their sums are made of doubles."""
    half = isinstance(a, numpy.ndarray) and a.dtype.kind == "f" and a.itemsize == 2
    return numpy.float16 if half else None


class _Mode:
    """The mode of the calling thread for the time of a call."""

    def __init__(self, mode: str) -> None:
        if mode not in MODES:
            raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
        self.mode = MODES[mode]

    def __enter__(self) -> None:
        set_thread_mode(self.mode)

    def __exit__(self, *exception: Any) -> None:
        set_thread_mode(-1)


_MODES = {mode: _Mode(mode) for mode in MODES}


def _mode(mode: str) -> _Mode:
    return _MODES.get(mode) or _Mode(mode)


# ------------------------------------------------------------------ Arrays


def _array(a: ArrayLike, where: Any = None) -> numpy.ndarray:
    """A as an array in this machine's byte order, of a type that GSL has or complex."""
    if where is not None:
        raise TypeError("gsltune has no 'where': select the elements first, a[where]")
    if type(a) is numpy.ndarray and a.dtype in INFIX:
        return a
    if isinstance(a, numpy.ma.MaskedArray):
        raise TypeError("gsltune has no masked arrays: give a.compressed() or a.filled(value)")
    if _device.is_device(a):
        raise TypeError("gsltune computes this on the host alone: copy the array from the GPU first")
    if not isinstance(a, numpy.ndarray) and hasattr(a, "__dlpack__"):
        a = numpy.from_dlpack(a)
    a = numpy.asarray(a)
    kind = a.dtype.kind
    if kind == "b" or a.dtype == numpy.int8:
        return a.astype(numpy.int16)
    if kind == "f" and a.itemsize == 2:
        return a.astype(numpy.float64)
    if kind not in "iufc" or (kind == "c" and a.itemsize > 16):
        raise TypeError(f"gsltune has no elements of type {a.dtype}")
    if not a.dtype.isnative:
        a = a.astype(a.dtype.newbyteorder("="))
    return a if kind == "c" else a.astype(_known(a.dtype), copy=False)


def _known(dtype: numpy.dtype) -> numpy.dtype:
    """The type of the same kind and size that INFIX has: C has several names for one."""
    if dtype in INFIX:
        return dtype
    return numpy.dtype(f"{dtype.kind}{dtype.itemsize}")


def _is_line(a: numpy.ndarray) -> bool:
    """Whether GSL can view it as a vector, with its elements in their order."""
    return (a.ndim == 1 and a.flags.aligned
            and (a.size < 2 or (a.strides[0] > 0 and a.strides[0] % a.itemsize == 0)))


def _line(a: numpy.ndarray) -> numpy.ndarray:
    """All elements in the order of rows, copied unless they lie so."""
    if a.ndim != 1:
        a = a.reshape(-1)
    return a if _is_line(a) else numpy.array(a, order="C")


class _Lines:
    """The lines of an array along AXIS: rows of a matrix, or columns."""

    def __init__(self, a: numpy.ndarray, axis: Axis) -> None:
        axes = axis if isinstance(axis, tuple) else (axis,)
        axes = tuple(_axis(k, a.ndim) for k in axes)
        if len(set(axes)) < len(axes):
            raise ValueError("an axis is named twice")
        self.shape = tuple(n for k, n in enumerate(a.shape) if k not in axes)
        self.kept = tuple(1 if k in axes else n for k, n in enumerate(a.shape))
        self.n = math.prod(a.shape[k] for k in axes)
        self.count = math.prod(self.shape)
        moved = numpy.moveaxis(a, axes, range(a.ndim - len(axes), a.ndim))
        lines = moved.reshape(self.count, self.n)
        self.by = "row"
        if self._is_matrix(lines):
            self.matrix = lines
        elif self._is_matrix(lines.T):
            self.matrix, self.by = lines.T, "column"
        else:
            self.matrix = numpy.ascontiguousarray(lines)

    @staticmethod
    def _is_matrix(a: numpy.ndarray) -> bool:
        rows, columns = a.shape
        return (a.flags.aligned and (columns < 2 or a.strides[1] == a.itemsize)
                and (rows < 2 or (a.strides[0] % a.itemsize == 0
                                  and a.strides[0] >= columns * a.itemsize)))

    def each(self, name: str, dtype: Any) -> numpy.ndarray:
        """The function NAME of each line."""
        result = numpy.empty(self.count, dtype)
        infix, _ = INFIX[self.matrix.dtype]
        if self.count:
            function(f"gsltune_matrix{infix}_{self.by}_{name}", c_int, _M, _V)(
                byref(matrix(self.matrix)), byref(vector(result)))
        return result.reshape(self.shape)


def _axis(axis: Any, ndim: int) -> int:
    axis = axis.__index__()
    if not -ndim <= axis < ndim:
        raise ValueError(f"axis {axis} is out of bounds for an array of {ndim} dimensions")
    return axis % ndim


def _out(result: Any, a: numpy.ndarray, axis: Axis, keepdims: bool, out: Any,
         dtype: Any = None) -> Any:
    """The result in the shape and array that the caller wants."""
    if dtype is not None:
        result = numpy.asarray(result).astype(dtype)
    if out is None and not keepdims:
        return result[()] if type(result) is numpy.ndarray and result.ndim == 0 else result
    if keepdims:
        axes = (range(a.ndim) if axis is None
                else [_axis(k, a.ndim) for k in (axis if isinstance(axis, tuple) else (axis,))])
        result = numpy.reshape(result, [1 if k in axes else n for k, n in enumerate(a.shape)])
    if out is not None:
        return _into(result, out, None)
    return result[()] if isinstance(result, numpy.ndarray) and result.ndim == 0 else result


def _on_device(name: str, a: Any, axis: Axis, keepdims: bool, out: Any, where: Any,
               mode: str) -> Any:
    """A function of an array on a GPU; results are on the host."""
    _mode(mode)
    known = _device.taken(a)
    axes = (tuple(range(known.ndim)) if axis is None
            else tuple(_axis(k, known.ndim) for k in (axis if isinstance(axis, tuple) else (axis,))))
    if len(set(axes)) < len(axes):
        raise ValueError("an axis is named twice")
    axes = sorted(axes)
    result = (_device.total(known, axes, mode, where) if name == "sum"
              else _device.call(name, known, axes, mode, where))
    return _out(result, known, axis, keepdims, out)


# ------------------------------------------------- Functions of one vector


_calls: dict = {}


def _of_vector(a: numpy.ndarray, name: str) -> Any:
    """gsltune_vector_NAME, which returns an element."""
    call = _calls.get((name, a.dtype))
    if call is None:
        infix, ctype = INFIX[a.dtype]
        call = _calls[name, a.dtype] = function(f"gsltune_vector{infix}_{name}", ctype, _V)
    return a.dtype.type(call(byref(vector(a))))


def _blas(a: numpy.ndarray, name: str) -> Any:
    """gsltune_blas_NAME of real numbers, which returns one."""
    letter, ctype = {"d": ("d", c_double), "f": ("s", INFIX[numpy.dtype("f4")][1])}[a.dtype.char]
    return a.dtype.type(function(f"gsltune_blas_{letter}{name}", ctype, _V)(byref(vector(a))))


def _of_data(a: numpy.ndarray, name: str) -> float:
    """gsltune_stats_NAME, which returns a double."""
    call = _calls.get((name, a.dtype))
    if call is None:
        call = _calls[name, a.dtype] = function(f"gsltune_stats{INFIX[a.dtype][0]}_{name}", c_double,
                                                c_void_p, c_size_t, c_size_t)
    return call(pointer(a), a.strides[0] // a.itemsize if a.size > 1 else 1, a.size)


def _reduce(a: numpy.ndarray, axis: Axis, name: str, one: Any, dtype: Any) -> Any:
    """NAME of all elements, by ONE, or along AXIS."""
    if axis is None:
        return one(_line(a), name)
    return _Lines(a, axis).each(name, dtype)


def _parts(a: numpy.ndarray, of: Any) -> Any:
    """Of a complex array: the result of each part."""
    real, imaginary = of(a.real), of(a.imag)
    result = numpy.empty(numpy.shape(real), a.dtype)
    result.real, result.imag = real, imaginary
    return result[()]


def sum(a: ArrayLike, axis: Axis = None, dtype: Any = None, out: Any = None,
        keepdims: bool = False, where: Any = None, *, mode: str = "exact") -> Any:
    """The sum of elements; integers' in 64 bits, as NumPy's.

    >>> sum([0.1] * 10)
    1.0
    """
    if _device.is_device(a):
        result = _on_device("sum", a, axis, keepdims, out, where, mode)
        return result if dtype is None else _into(result, out, dtype)
    wanted = dtype if dtype is not None else _half(a)
    a = _array(a, where)
    if dtype is not None:
        a = a.astype(_known(numpy.dtype(dtype)) if numpy.dtype(dtype).kind in "iuf" else dtype)
    elif a.dtype.kind in "iu" and a.itemsize < 8:
        a = a.astype("u8" if a.dtype.kind == "u" else "i8")
    with _mode(mode):
        if a.dtype.kind == "c":
            result = _parts(a, lambda x: _reduce(x, axis, "sum", _of_vector, x.dtype))
        else:
            result = _reduce(a, axis, "sum", _of_vector, a.dtype)
    return _out(result, a, axis, keepdims, out, wanted)


def mean(a: ArrayLike, axis: Axis = None, dtype: Any = None, out: Any = None,
         keepdims: bool = False, *, where: Any = None, mode: str = "exact") -> Any:
    """The arithmetic mean, a float64.

    >>> mean([1e308, 1.7e308])
    1.35e+308
    """
    return _statistic("mean", a, axis, dtype, out, keepdims, where, mode)


def var(a: ArrayLike, axis: Axis = None, dtype: Any = None, out: Any = None, ddof: int = 0,
        keepdims: bool = False, *, where: Any = None, mode: str = "exact") -> Any:
    """The variance, the sum of squared deviations from the mean by n - ddof.

    >>> var([1, 2, 4]), var([1, 2, 4], ddof=1)
    (1.5555555555555556, 2.3333333333333335)
    """
    name = ("population_variance", "variance")[_known_ddof(ddof)]
    return _statistic(name, a, axis, dtype, out, keepdims, where, mode)


def std(a: ArrayLike, axis: Axis = None, dtype: Any = None, out: Any = None, ddof: int = 0,
        keepdims: bool = False, *, where: Any = None, mode: str = "exact") -> Any:
    """The standard deviation, the root of the variance."""
    name = ("population_sd", "sd")[_known_ddof(ddof)]
    return _statistic(name, a, axis, dtype, out, keepdims, where, mode)


def _known_ddof(ddof: int) -> int:
    if ddof not in (0, 1):
        raise ValueError(f"ddof must be 0 or 1, not {ddof!r}: what was divided by n - 1 can be"
                         " multiplied by (n - 1) / (n - ddof)")
    return int(ddof)


def _count(a: Any, axis: Axis) -> int:
    if axis is None:
        return math.prod(a.shape)
    axes = axis if isinstance(axis, tuple) else (axis,)
    return math.prod(a.shape[_axis(k, a.ndim)] for k in axes)


def _into(result: Any, out: Any, dtype: Any) -> Any:
    if dtype is not None:
        result = numpy.asarray(result).astype(dtype)[()]
    if out is not None:
        if out.shape != numpy.shape(result):
            raise ValueError(f"out has the shape {out.shape}, not {numpy.shape(result)}")
        out[...] = result
        return out
    return result


def _statistic(name: str, a: ArrayLike, axis: Axis, dtype: Any, out: Any, keepdims: bool,
               where: Any, mode: str) -> Any:
    if _device.is_device(a):
        return _into(_on_device(name, a, axis, keepdims, None, where, mode), out, dtype)
    a = _array(a, where)
    if a.dtype.kind == "c" and name != "mean":
        raise TypeError("gsltune has no variance of complex numbers: take that of their parts")
    if _count(a, axis) == 0 or (_count(a, axis) == 1 and name in ("variance", "sd")):
        shape = () if axis is None else _Lines(a, axis).shape
        return _out(numpy.full(shape, numpy.nan), a, axis, keepdims, out, dtype)
    with _mode(mode):
        if a.dtype.kind == "c":
            result = _parts(a, lambda x: _reduce(x, axis, name, _of_data, float))
        else:
            result = _reduce(a, axis, name, _of_data, float)
    if isinstance(result, float):
        result = numpy.float64(result)
    return _out(result, a, axis, keepdims, out, dtype)


def norm(x: ArrayLike, axis: Axis = None, keepdims: bool = False, *, mode: str = "exact") -> Any:
    """The Euclidean norm of a vector, or of all elements, or along an axis.

    >>> norm([3.0, 4.0])
    5.0
    """
    if _device.is_device(x):
        return _on_device("nrm2", x, axis, keepdims, None, None, mode)
    x = _array(x)
    if x.dtype.char == "g":
        raise TypeError("gsltune has no norm of long doubles")
    if x.dtype.kind in "iu":
        if x.size and not -2**53 <= x.min() <= x.max() <= 2**53:
            raise ValueError("doubles do not hold integers beyond 2^53: give floats")
        x = x.astype(float)
    with _mode(mode):
        if x.dtype.kind != "c":
            result = _reduce(x, axis, "nrm2", _blas, x.dtype)
        elif axis is None:
            name = "gsltune_blas_dznrm2" if x.itemsize == 16 else "gsltune_blas_scnrm2"
            real = x.real.dtype
            result = real.type(function(name, INFIX[real][1], _V)(byref(vector(_line(x)))))
        else:
            raise TypeError("norm of complex numbers has no axis")
    return _out(result, x, axis, keepdims, None)


def dot(a: ArrayLike, b: ArrayLike, *, mode: str = "exact") -> Any:
    """The sum of products of two vectors; of matrices their product.

    >>> dot([1e200, 1.0, -1e200], [1e200, 1.0, 1e200])
    1.0
    """
    if _device.is_device(a) or _device.is_device(b):
        _mode(mode)
        return _device.dot(a, b, mode)
    a, b = _both(a, b)
    if a.ndim > 1 and b.ndim > 2:
        raise ValueError("dot has no stacks of matrices: NumPy's differ from those of matmul")
    if a.ndim != 1 or b.ndim != 1:
        return matmul(a, b, mode=mode)
    return _product(a, b, "dotu", mode)


def vdot(a: ArrayLike, b: ArrayLike, *, mode: str = "exact") -> Any:
    """The sum of products of all elements, those of a conjugated."""
    a, b = _both(a, b)
    return _product(_line(a), _line(b), "dotc", mode)


def _both(a: ArrayLike, b: ArrayLike) -> Tuple[numpy.ndarray, numpy.ndarray]:
    a, b = _array(a), _array(b)
    dtype = numpy.result_type(a, b)
    if dtype.kind not in "fc" or dtype.char == "g":
        raise TypeError(f"gsltune multiplies real and complex floating-point numbers, not {dtype}")
    return a.astype(dtype, copy=False), b.astype(dtype, copy=False)


def _product(a: numpy.ndarray, b: numpy.ndarray, name: str, mode: str) -> Any:
    if a.size != b.size:
        raise ValueError(f"vectors of {a.size} and {b.size} elements have no product")
    letter = {"d": "d", "f": "s", "D": "z", "F": "c"}[a.dtype.char]
    result = numpy.empty((), a.dtype)
    with _mode(mode):
        function(f"gsltune_blas_{letter}{'dot' if a.dtype.kind == 'f' else name}", c_int, _V, _V,
                 c_void_p)(byref(vector(_line(a))), byref(vector(_line(b))), pointer(result))
    return result[()]


def matmul(x1: ArrayLike, x2: ArrayLike, out: Any = None, *, mode: str = "exact") -> Any:
    """The product of matrices, or of stacks of them, as NumPy's.

    >>> matmul([[1e200, 1.0], [0.0, 3.0]], [[1e-200, 1.0], [2.0, 1.0]])
    array([[3.e+000, 1.e+200],
           [6.e+000, 3.e+000]])
    """
    a, b = _both(x1, x2)
    if a.ndim == 0 or b.ndim == 0:
        raise ValueError("matmul has no operands without dimensions")
    if a.ndim == 1 and b.ndim == 1:
        return _into(_product(a, b, "dotu", mode), out, None)
    rows = a[numpy.newaxis] if a.ndim == 1 else a
    columns = b[:, numpy.newaxis] if b.ndim == 1 else b
    if rows.shape[-1] != columns.shape[-2]:
        raise ValueError(f"arrays of shapes {a.shape} and {b.shape} have no product")
    stack = numpy.broadcast_shapes(rows.shape[:-2], columns.shape[:-2])
    result = numpy.zeros(stack + (rows.shape[-2], columns.shape[-1]), a.dtype)
    rows = numpy.broadcast_to(rows, stack + rows.shape[-2:])
    columns = numpy.broadcast_to(columns, stack + columns.shape[-2:])
    with _mode(mode):
        for k in numpy.ndindex(stack):
            _gemm(rows[k], columns[k], result[k])
    if a.ndim == 1:
        result = result[..., 0, :]
    if b.ndim == 1:
        result = result[..., 0]
    return _into(result, out, None)


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
        a = _array(a)
        if a.dtype.kind == "c" or a.ndim > 2:
            raise TypeError("covariances are of real numbers in one or two dimensions")
        return a[numpy.newaxis] if a.ndim == 1 else a if rowvar else a.T

    rows = variables(m)
    if y is not None:
        others = variables(y)
        if others.shape[1] != rows.shape[1]:
            raise ValueError("variables must have the same number of observations")
        rows = numpy.concatenate([rows, others]).astype(numpy.result_type(rows, others))
    observations = rows.T if _Lines._is_matrix(rows.T) else numpy.ascontiguousarray(rows.T)
    n = rows.shape[0]
    result = numpy.full((n, n), numpy.nan)
    if n and rows.shape[1] > 1:
        with _mode(mode):
            function(f"gsltune_matrix{INFIX[rows.dtype][0]}_{name}", c_int, _M, _M)(
                byref(matrix(observations)), byref(matrix(result)))
    return result[0, 0] if n == 1 else result


# ------------------------------------------------------------------- Order


def _extreme(name: str, a: ArrayLike, axis: Axis, out: Any, keepdims: bool, where: Any,
             dtype: Any = None) -> Any:
    if _device.is_device(a):
        return _on_device(name, a, axis, keepdims, out, where, "exact")
    asked = numpy.asarray(a).dtype if not hasattr(a, "__dlpack__") else None
    a = _array(a, where)
    if a.dtype.kind == "c":
        raise TypeError("complex numbers have no order")
    if _count(a, axis) == 0:
        raise ValueError("no elements have a largest or smallest one")
    if dtype is None:
        result = _reduce(a, axis, name, _of_vector, a.dtype)
        dtype = asked
    else:
        result = _reduce(a, axis, name, _index, "u8")
    return _out(result, a, axis, keepdims, out, dtype)


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
    return _extreme("max_index", a, axis, out, keepdims, None, numpy.intp)


def argmin(a: ArrayLike, axis: Optional[int] = None, out: Any = None, *,
           keepdims: bool = False) -> Any:
    """The index of the first smallest element, or of the first NaN."""
    return _extreme("min_index", a, axis, out, keepdims, None, numpy.intp)


def _sorted_lines(a: ArrayLike, axis: Optional[int]) -> Tuple[numpy.ndarray, numpy.ndarray, int]:
    """A copy of A, whose lines along AXIS lie side by side."""
    a = _array(a)
    if a.dtype.kind == "c":
        raise TypeError("complex numbers have no order")
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = _axis(axis, a.ndim)
    copy = numpy.array(numpy.moveaxis(a, axis, -1), order="C")
    return copy, copy.reshape(-1, a.shape[axis]) if copy.size else copy.reshape(0, 0), axis


def _nans(line: numpy.ndarray) -> int:
    return int(numpy.isnan(line).sum()) if line.dtype.kind == "f" else 0


def sort(a: ArrayLike, axis: Optional[int] = -1) -> numpy.ndarray:
    """A sorted copy, NaNs last.

    >>> sort([3, 1, 2])
    array([1, 2, 3])
    """
    dtype = numpy.asarray(a).dtype
    copy, lines, axis = _sorted_lines(a, axis)
    for line in lines:
        nans = _nans(line)
        if nans:
            line[:] = numpy.concatenate([line[~numpy.isnan(line)], numpy.full(nans, numpy.nan)])
        function(f"gsltune_sort{INFIX[line.dtype][0]}", None, c_void_p, c_size_t, c_size_t)(
            pointer(line), 1, line.size - nans)
    return numpy.moveaxis(copy, -1, axis).astype(_native(dtype), copy=False)


def argsort(a: ArrayLike, axis: Optional[int] = -1) -> numpy.ndarray:
    """Indexes that sort, in any order of equal elements; those of NaNs last."""
    copy, lines, axis = _sorted_lines(a, axis)
    result = numpy.empty(copy.shape, numpy.intp)
    for line, indexes in zip(lines, result.reshape(lines.shape)):
        if _nans(line):
            indexes[:] = numpy.argsort(line, kind="stable")
            continue
        function(f"gsltune_sort{INFIX[line.dtype][0]}_index", None, c_void_p, c_void_p, c_size_t,
                 c_size_t)(pointer(indexes), pointer(line), 1, line.size)
    return numpy.moveaxis(result, -1, axis)


def _native(dtype: numpy.dtype) -> numpy.dtype:
    return dtype if dtype.isnative else dtype.newbyteorder("=")


def median(a: ArrayLike, axis: Axis = None, out: Any = None, keepdims: bool = False) -> Any:
    """The median, of an even number of elements the mean of the middle two; NaN where there is
    one, or of none.
    """
    if _device.is_device(a):
        return _on_device("median", a, axis, keepdims, out, None, "exact")
    a = _array(a)
    if a.dtype.kind == "c":
        raise TypeError("complex numbers have no order")
    lines = _Lines(a, tuple(range(a.ndim)) if axis is None else axis)
    matrix_ = lines.matrix if lines.by == "row" else lines.matrix.T
    result = numpy.empty(lines.count)
    for k in range(lines.count):
        line = numpy.array(matrix_[k])
        result[k] = numpy.nan if line.size == 0 or _nans(line) else _of_data(line, "median")
    return _out(result.reshape(lines.shape), a, axis, keepdims, out)
