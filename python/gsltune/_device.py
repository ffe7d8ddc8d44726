"""Arrays on a GPU, by __cuda_array_interface__: they are reduced where they are."""
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

from ctypes import POINTER, byref, c_double, c_int, c_size_t, c_void_p

import numpy

from ._library import INFIX, MODES, DeviceVector, function, set_thread_mode

_V = POINTER(DeviceVector)


def is_device(a):
    return not isinstance(a, numpy.ndarray) and hasattr(a, "__cuda_array_interface__")


def _view(a):
    """A device vector of all elements of A, in A's stream, and its type."""
    interface = a.__cuda_array_interface__
    shape, strides = interface["shape"], interface.get("strides")
    dtype = numpy.dtype(interface["typestr"])
    if dtype not in INFIX or dtype.char == "g":
        raise TypeError(f"gsltune has no elements of type {dtype} on GPUs")
    n, stride = int(numpy.prod(shape, dtype=object)), 1
    if strides is not None and n > 1:
        if len(shape) != 1 or strides[0] <= 0 or strides[0] % dtype.itemsize:
            raise ValueError("an array on a GPU must be contiguous, or have one dimension")
        stride = strides[0] // dtype.itemsize
    infix, _ = INFIX[dtype]
    before = function("gsl_set_error_handler_off", c_void_p)()
    try:
        view = function(f"gsltune_device_vector{infix}_view_array", DeviceVector, c_void_p,
                        c_size_t, c_size_t)(interface["data"][0] or None, stride, n)
    finally:
        function("gsl_set_error_handler", c_void_p, c_void_p)(before)
    if view.n != n:
        raise RuntimeError("no GPU can read this array, or its GPU cannot be used")
    # The interface's 1 is the default stream of old, 2 that of each thread.
    stream = interface.get("stream")
    if stream:
        function(f"gsltune_device_vector{infix}_set_stream", None, _V, c_void_p)(byref(view), stream)
    return view, dtype, infix


def call(name, a, axis, mode):
    """gsltune_device_vector_NAME."""
    if axis is not None:
        raise TypeError("reductions of arrays on a GPU have no axis yet")
    view, dtype, infix = _view(a)
    if name == "tss" or name in ("mean", "variance", "sd"):
        ctype, number = c_double, numpy.float64
    elif name.endswith("_index"):
        ctype, number = c_size_t, numpy.intp
    else:
        ctype, number = INFIX[dtype][1], dtype.type
    set_thread_mode(MODES[mode])
    try:
        return number(function(f"gsltune_device_vector{infix}_{name}", ctype, _V)(byref(view)))
    finally:
        set_thread_mode(-1)


def dot(a, b, mode):
    """The sum of products of two arrays on a GPU."""
    (x, dtype, infix), (y, other, _) = _view(a), _view(b)
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
