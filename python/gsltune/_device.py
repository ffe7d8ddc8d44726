"""Arrays on a GPU, by __cuda_array_interface__: they are reduced where they are."""
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

import math
from ctypes import POINTER, byref, c_double, c_int, c_size_t, c_void_p

import numpy

from ._library import INFIX, MODES, DeviceVector, function, set_thread_mode

_V = POINTER(DeviceVector)


def is_device(a):
    return not isinstance(a, numpy.ndarray) and hasattr(a, "__cuda_array_interface__")


def _type(a):
    dtype = numpy.dtype(a.__cuda_array_interface__["typestr"])
    if dtype not in INFIX or dtype.char == "g":
        raise TypeError(f"gsltune has no elements of type {dtype} on GPUs")
    return dtype


def _steps(interface, itemsize):
    """From one element to the next along each axis, in bytes."""
    steps, shape = interface.get("strides"), interface["shape"]
    if steps is None:
        steps = [itemsize * math.prod(shape[k + 1:]) for k in range(len(shape))]
    return steps


def _line(shape, steps, itemsize):
    """How many elements there are along these axes, and the stride of all in their order."""
    n, axes = math.prod(shape), [k for k, size in enumerate(shape) if size != 1]
    if n < 2:
        return n, 1
    for k, after in zip(axes, axes[1:]):
        if steps[k] != steps[after] * shape[after]:
            raise ValueError("elements on a GPU do not lie at one distance: copy the array first")
    step = steps[axes[-1]]
    if step <= 0 or step % itemsize:
        raise ValueError("elements on a GPU do not lie in their order: copy the array first")
    return n, step // itemsize


def _view(a, address, n, stride, infix):
    """A device vector of N elements from ADDRESS on, in A's stream."""
    before = function("gsl_set_error_handler_off", c_void_p)()
    try:
        view = function(f"gsltune_device_vector{infix}_view_array", DeviceVector, c_void_p,
                        c_size_t, c_size_t)(address or None, stride, n)
    finally:
        function("gsl_set_error_handler", c_void_p, c_void_p)(before)
    if view.n != n:
        raise RuntimeError("no GPU can read this array, or its GPU cannot be used")
    # The interface's 1 is the default stream of old, 2 that of each thread.
    stream = a.__cuda_array_interface__.get("stream")
    if stream:
        function(f"gsltune_device_vector{infix}_set_stream", None, _V, c_void_p)(byref(view), stream)
    return view


def _whole(a):
    """A device vector of all elements of A, and its type."""
    interface, dtype = a.__cuda_array_interface__, _type(a)
    n, stride = _line(interface["shape"], _steps(interface, dtype.itemsize), dtype.itemsize)
    return _view(a, interface["data"][0], n, stride, INFIX[dtype][0]), dtype


class Shape:
    """What NumPy knows of an array on a GPU."""

    def __init__(self, a):
        self.shape = tuple(a.__cuda_array_interface__["shape"])
        self.ndim = len(self.shape)


def call(name, a, axes, mode, where=None):
    """gsltune_device_vector_NAME of each line along AXES: an array on the host.  Each line is a
    call of its own.
    """
    if where is not None:
        raise TypeError("gsltune has no 'where': select the elements first, a[where]")
    interface, dtype = a.__cuda_array_interface__, _type(a)
    shape, steps = interface["shape"], _steps(interface, dtype.itemsize)
    kept = [k for k in range(len(shape)) if k not in axes]
    n, stride = _line([shape[k] for k in axes], [steps[k] for k in axes], dtype.itemsize)
    infix, ctype = INFIX[dtype]
    number = dtype
    if name in ("mean", "variance", "sd", "tss", "median"):
        ctype = number = c_double
    elif name.endswith("_index"):
        ctype, number = c_size_t, numpy.intp
    if name in ("mean", "variance", "sd", "median") and n < (2 if name in ("variance", "sd") else 1):
        return numpy.full([shape[k] for k in kept], numpy.nan)
    if n == 0 and name not in ("sum", "nrm2", "tss"):
        raise ValueError("no elements have a largest or smallest one")
    result = numpy.empty([shape[k] for k in kept], number)
    reduced = function(f"gsltune_device_vector{infix}_{name}", ctype, _V)
    set_thread_mode(MODES[mode])
    try:
        for place in numpy.ndindex(*result.shape):
            at = interface["data"][0] + sum(i * steps[k] for i, k in zip(place, kept))
            result[place] = reduced(byref(_view(a, at, n, stride, infix)))
    finally:
        set_thread_mode(-1)
    return result[()]


def dot(a, b, mode):
    """The sum of products of two arrays on a GPU."""
    (x, dtype), (y, other) = _whole(a), _whole(b)
    infix = INFIX[dtype][0]
    if dtype != other or dtype.kind != "f" or x.n != y.n:
        raise ValueError("arrays on a GPU have a product where lengths and types, of floats, agree")
    result = numpy.empty((), dtype)
    set_thread_mode(MODES[mode])
    try:
        function(f"gsltune_device_vector{infix}_dot", c_int, _V, _V, c_void_p)(
            byref(x), byref(y), result.__array_interface__["data"][0])
    finally:
        set_thread_mode(-1)
    return result[()]
