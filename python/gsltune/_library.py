"""The installed library, by ctypes: no compiled part of its own."""
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

import ctypes
import os
from ctypes import POINTER, byref, c_double, c_int, c_size_t, c_void_p

import numpy

MODES = {"fast": 0, "compensated": 1, "exact": 2, "auto": 3}


def _load():
    name = os.environ.get("GSLTUNE_LIBRARY", "libgsltune.so.0")
    try:
        return ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(
            f"gsltune: {error}: install the library (./configure && make install && ldconfig),"
            " or say in GSLTUNE_LIBRARY where it is"
        ) from error


lib = _load()

# The mode of the calling thread: other threads of the program are not concerned.  These functions
# neither wait nor call back, so they keep the interpreter's lock.
_LOCKED = ctypes.PyDLL(lib._name)
get_thread_mode = _LOCKED.gsltune_get_thread_mode
get_thread_mode.argtypes = []
get_thread_mode.restype = c_int
set_thread_mode = _LOCKED.gsltune_set_thread_mode
set_thread_mode.argtypes = [c_int]
set_thread_mode.restype = c_int


def in_mode(mode, compute, *arguments):
    """Returns compute (*arguments), computed in MODE.

    Nothing but C functions is called between the lines that change the mode, so an exception that a
    signal's handler raises anywhere leaves the thread's mode as it was.
    """
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    before = get_thread_mode()
    try:
        set_thread_mode(MODES[mode])
        return compute(*arguments)
    finally:
        set_thread_mode(before)


# GSL's infix and C type for the types of elements: int8 is none, since C's char has a sign on
# some machines alone.
INFIX = {
    numpy.dtype(name): (infix, ctype)
    for name, infix, ctype in [
        ("float64", "", c_double),
        ("float32", "_float", ctypes.c_float),
        ("longdouble", "_long_double", ctypes.c_longdouble),
        ("int64", "_long", ctypes.c_int64),
        ("uint64", "_ulong", ctypes.c_uint64),
        ("int32", "_int", ctypes.c_int32),
        ("uint32", "_uint", ctypes.c_uint32),
        ("int16", "_short", ctypes.c_int16),
        ("uint16", "_ushort", ctypes.c_uint16),
        ("uint8", "_uchar", ctypes.c_uint8),
    ]
}


class Vector(ctypes.Structure):
    """A gsl_vector of any type, complex ones too: all look alike."""

    _fields_ = [("size", c_size_t), ("stride", c_size_t), ("data", c_void_p),
                ("block", c_void_p), ("owner", c_int)]


class Matrix(ctypes.Structure):
    """A gsl_matrix of any type."""

    _fields_ = [("size1", c_size_t), ("size2", c_size_t), ("tda", c_size_t), ("data", c_void_p),
                ("block", c_void_p), ("owner", c_int)]


class DeviceVector(ctypes.Structure):
    """A gsltune_device_vector of any type, and its view."""

    _fields_ = [("data", c_void_p), ("n", c_size_t), ("stride", c_size_t), ("gpu", c_void_p),
                ("stream", c_void_p), ("view", c_int)]


class DeviceMatrix(ctypes.Structure):
    """A gsltune_device_matrix of any type, and its view."""

    _fields_ = [("memory", DeviceVector), ("size1", c_size_t), ("size2", c_size_t),
                ("tda", c_size_t)]


_functions = {}


def function(name, restype, *argtypes):
    """The library's function of that name, prepared once."""
    found = _functions.get(name)
    if found is None:
        found = getattr(lib, name)
        found.restype = restype
        found.argtypes = argtypes
        _functions[name] = found
    return found


def _owning(pointer, array):
    """Returns POINTER, which keeps ARRAY as long as it exists."""
    pointer.array = array
    return pointer


def _address(array):
    return array.__array_interface__["data"][0]


def pointer(array):
    """Returns a pointer to the elements of ARRAY, which keeps the array."""
    return _owning(c_void_p(_address(array)), array)


def vector(array):
    """Returns the gsl_vector of a one-dimensional array, which keeps the array."""
    stride = array.strides[0] // array.itemsize if array.size > 1 else 1
    return _owning(Vector(array.size, stride, _address(array), None, 0), array)


def matrix(array):
    """Returns the gsl_matrix of a two-dimensional array with contiguous rows; it keeps the array."""
    rows, columns = array.shape
    tda = array.strides[0] // array.itemsize if rows > 1 else columns
    return _owning(Matrix(rows, columns, max(tda, columns, 1), _address(array), None, 0), array)


__all__ = ["DeviceMatrix", "DeviceVector", "INFIX", "MODES", "Matrix", "POINTER", "Vector", "byref",
           "function", "in_mode", "lib", "matrix", "pointer", "vector"]
