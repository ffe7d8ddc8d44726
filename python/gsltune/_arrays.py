"""Arrays as the library needs them, and results as NumPy's functions return them."""
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

from __future__ import annotations

import math
import operator
from ctypes import c_double, c_int, c_size_t, c_void_p
from typing import Any, Tuple, Union

import numpy
from numpy.typing import ArrayLike

from . import _device
from ._library import INFIX, POINTER, Matrix, Vector, byref, function, matrix, pointer, vector

Axis = Union[None, int, Tuple[int, ...]]
_V, _M = POINTER(Vector), POINTER(Matrix)
_AxisError = getattr(numpy, "exceptions", numpy).AxisError


def _given(a: ArrayLike, where: Any = None) -> numpy.ndarray:
    """Returns A as an array, with elements of whatever type."""
    if where is not None:
        raise TypeError("gsltune has no 'where': select the elements first, a[where]")
    if type(a) is numpy.ndarray:
        return a
    if isinstance(a, numpy.ma.MaskedArray):
        raise TypeError("gsltune has no masked arrays: give a.compressed() or a.filled(value)")
    if _device.is_device(a):
        raise TypeError("gsltune computes this on the host alone: copy the array from the GPU first")
    if _has_rules(a):
        raise TypeError(f"gsltune does not know the rules of {type(a).__name__}: give"
                        " numpy.asarray(a)")
    if not isinstance(a, numpy.ndarray) and hasattr(a, "__dlpack__"):
        a = numpy.from_dlpack(a)
    return numpy.asarray(a)


def _has_rules(a: Any) -> bool:
    """Whether A's elements, or what functions of them return, are other than NumPy's: a
    numpy.matrix, an array with units, categories of pandas."""
    if isinstance(a, numpy.ndarray):
        return isinstance(a, numpy.matrix) or any(
            getattr(type(a), name) is not getattr(numpy.ndarray, name)
            for name in ("__array_function__", "__array_ufunc__"))
    dtypes = getattr(a, "dtypes", None)  # a data frame has one for each column
    dtypes = dtypes.tolist() if hasattr(dtypes, "tolist") else [getattr(a, "dtype", None)]
    return any(str(dtype) == "category" for dtype in dtypes)


def _computable(a: numpy.ndarray) -> numpy.ndarray:
    """Returns A in this machine's byte order, with elements of a type that GSL has or complex: those
    of other types in a wider one."""
    kind = a.dtype.kind
    if a.dtype in INFIX:
        return a
    if kind == "b":
        return a.view(numpy.uint8)
    if a.dtype == numpy.int8:
        return a.astype(numpy.int16)
    if kind == "f" and a.itemsize == 2:
        return a.astype(numpy.float64)
    if kind not in "iufc" or (kind == "c" and a.itemsize > 16):
        raise TypeError(f"gsltune has no elements of type {a.dtype}")
    a = a.astype(_native(a.dtype), copy=False)
    return a if kind == "c" else a.astype(_known(a.dtype), copy=False)


def _real(a: numpy.ndarray) -> numpy.ndarray:
    """Returns A as _computable does, if its elements have an order."""
    a = _computable(a)
    if a.dtype.kind == "c":
        raise TypeError("complex numbers have no order")
    return a


def _known(dtype: numpy.dtype) -> numpy.dtype:
    """The type of the same kind and size that INFIX has: C has several names for one."""
    return dtype if dtype in INFIX else numpy.dtype(f"{dtype.kind}{dtype.itemsize}")


def _native(dtype: numpy.dtype) -> numpy.dtype:
    return dtype if dtype.isnative else dtype.newbyteorder("=")


def _is_line(a: numpy.ndarray) -> bool:
    """Whether GSL can view it as a vector, with its elements in their order.  A stride of 0, which
    broadcasting makes, is one."""
    return (a.ndim == 1 and a.flags.aligned
            and (a.size < 2 or (a.strides[0] >= 0 and a.strides[0] % a.itemsize == 0)))


def _line(a: numpy.ndarray) -> numpy.ndarray:
    """Returns all elements in the order of rows, copied only if no vector views them."""
    if a.ndim != 1:
        a = a.reshape(-1)
    return a if _is_line(a) else numpy.array(a, order="C")


class _Lines:
    """The lines of an array along AXES: rows of a matrix, or columns."""

    def __init__(self, a: numpy.ndarray, axes: Tuple[int, ...]) -> None:
        self.shape = tuple(n for k, n in enumerate(a.shape) if k not in axes)
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
        if name.startswith("population"):  # the library has this for one line alone
            for k, line in enumerate(self.matrix if self.by == "row" else self.matrix.T):
                result[k] = _of_data(line, name)
        elif self.count:
            function(f"gsltune_matrix{infix}_{self.by}_{name}", c_int, _M, _V)(
                byref(matrix(self.matrix)), byref(vector(result)))
        return result.reshape(self.shape)


_PART = 2**26  # bytes that are copied at a time


def _each(a: numpy.ndarray, axes: Tuple[int, ...], name: str, dtype: Any) -> numpy.ndarray:
    """Returns NAME of each line of A along AXES.  Lines of a large array that may have to be copied,
    such as a broadcast one, are computed part by part."""
    kept = [k for k in range(a.ndim) if k not in axes]
    shape = [a.shape[k] for k in kept]
    a = _once(a, tuple(kept))
    along = max(kept, key=lambda k: a.shape[k], default=None)
    if a.nbytes <= _PART or a.flags.forc or along is None or a.shape[along] < 2:
        return numpy.array(numpy.broadcast_to(_Lines(a, axes).each(name, dtype), shape))
    parts = min(a.shape[along], -(-a.nbytes // _PART))
    return numpy.concatenate([_each(part, axes, name, dtype)
                              for part in numpy.array_split(a, parts, along)], kept.index(along))


def _axis(axis: Any, ndim: int) -> int:
    if isinstance(axis, (bool, numpy.bool_)):
        raise TypeError("an integer is required for the axis")
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        raise _AxisError(axis, ndim)
    return axis % ndim


def _axes(axis: Axis, ndim: int) -> Tuple[int, ...]:
    """Returns the dimensions that AXIS names, with NumPy's errors."""
    if axis is None:
        return tuple(range(ndim))
    axes = tuple(_axis(k, ndim) for k in (axis if isinstance(axis, tuple) else (axis,)))
    if len(set(axes)) < len(axes):
        raise ValueError("duplicate value in 'axis'")
    return axes


def _or_none(axis: Axis, ndim: int) -> Axis:
    """Returns AXIS; reductions of NumPy accept 0 and -1 for an array without dimensions."""
    return None if ndim == 0 and axis in (0, -1) and not isinstance(axis, float) else axis


def _count(a: Any, axis: Axis) -> int:
    return math.prod(a.shape[k] for k in _axes(axis, a.ndim))


def _once(a: numpy.ndarray, axes: Tuple[int, ...]) -> numpy.ndarray:
    """Returns A without the repetitions along AXES that broadcasting has made."""
    return a[tuple(slice(0, 1) if k in axes and n > 1 and a.strides[k] == 0 else slice(None)
                   for k, n in enumerate(a.shape))]


def _out(result: Any, a: Any, axis: Axis, keepdims: bool, out: Any, dtype: Any = None) -> Any:
    """Returns the result in the type, shape and array that the caller wants."""
    result = numpy.asarray(result)
    if dtype is not None:
        result = result.astype(dtype, copy=False)
    if keepdims:
        axes = _axes(axis, a.ndim)
        result = result.reshape([1 if k in axes else n for k, n in enumerate(a.shape)])
    return _into(result, out, "unsafe")


def _into(result: Any, out: Any, casting: Any = "same_kind") -> Any:
    """Returns the result, or stores it in OUT: NumPy's reductions cast without asking."""
    if out is None:
        return numpy.asarray(result)[()]
    if not isinstance(out, numpy.ndarray):
        raise TypeError(f"out must be an array, not {type(out).__name__}")
    if out.shape != numpy.shape(result):
        raise ValueError(f"out has the shape {out.shape}, not {numpy.shape(result)}")
    numpy.copyto(out, result, casting)
    return out


def _of_data(a: numpy.ndarray, name: str) -> float:
    """gsltune_stats_NAME, which returns a double."""
    call = function(f"gsltune_stats{INFIX[a.dtype][0]}_{name}", c_double, c_void_p, c_size_t, c_size_t)
    return call(pointer(a), a.strides[0] // a.itemsize if a.size > 1 else 1, a.size)
