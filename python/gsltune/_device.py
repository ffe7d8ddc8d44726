"""Arrays on a GPU, by DLPack or by __cuda_array_interface__: they are reduced where they are."""
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

import contextlib
import ctypes
import math
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint64, c_void_p

import numpy

from ._library import (INFIX, DeviceMatrix, DeviceVector, Vector, function, in_mode, pointer,
                       vector)

_V, _M = POINTER(DeviceVector), POINTER(DeviceMatrix)

# The elements, and how many of a line, of which GPUs compute all lines of a matrix at once.
_OF_LINES, _LONGEST = [numpy.dtype(name) for name in ("f8", "f4", "i4")], 2**30

# The elements of which GPUs compute anything.
_TYPES = ("f8", "f4", "i4", "i8")

# DLPack's types of devices.  What is pinned counts as the host's, what is managed as a GPU's.
_ON_HOST, _ON_GPU = (1, 3, 11), (2, 13)
_KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}
# The default stream of old, by DLPack as by __cuda_array_interface__.
_LEGACY = 1


class _Tensor(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("device", c_int32 * 2), ("ndim", c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", POINTER(ctypes.c_int64)), ("strides", POINTER(ctypes.c_int64)),
                ("byte_offset", c_uint64)]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", c_void_p), ("deleter", c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", c_void_p),
                ("deleter", c_void_p), ("flags", c_uint64), ("tensor", _Tensor)]


# Capsules' names, before and after they are consumed; these bytes stay.
_CAPSULES = {b"dltensor": (_Managed, b"used_dltensor"),
             b"dltensor_versioned": (_Versioned, b"used_dltensor_versioned")}


def _python(name, restype, *argtypes):
    return ctypes.PYFUNCTYPE(restype, *argtypes)((name, ctypes.pythonapi))


_is_valid = _python("PyCapsule_IsValid", c_int, ctypes.py_object, c_char_p)
_pointer = _python("PyCapsule_GetPointer", c_void_p, ctypes.py_object, c_char_p)
_rename = _python("PyCapsule_SetName", c_int, ctypes.py_object, c_char_p)


def is_device(a):
    """Whether A is on a GPU; TypeError if it is neither there nor on the host."""
    if isinstance(a, (Array, numpy.ndarray)):
        return isinstance(a, Array)
    if not hasattr(a, "__dlpack_device__"):
        return hasattr(a, "__cuda_array_interface__")
    kind = int(a.__dlpack_device__()[0])
    if kind not in _ON_HOST + _ON_GPU:
        raise TypeError("gsltune reads arrays of the host and of CUDA's GPUs, not of a device of"
                        f" DLPack's type {kind}")
    return kind in _ON_GPU


class Array:
    """An array on a GPU.  What DLPack lent for it is given back when it goes."""

    _lent, _owner, ordinal = None, None, 0

    def __init__(self, a):
        if not is_device(a):
            raise TypeError("arrays on a GPU and on the host do not go together: copy one first")
        if hasattr(a, "__dlpack_device__"):
            self._take(a)
        else:
            interface = a.__cuda_array_interface__
            self._owner = a
            self.address, self.shape = interface["data"][0], tuple(interface["shape"])
            self.dtype, self.steps = numpy.dtype(interface["typestr"]), interface.get("strides")
            self.stream = interface.get("stream")
        self.ndim = len(self.shape)
        if self.dtype not in _TYPES:
            raise TypeError(f"gsltune has no elements of type {self.dtype} on GPUs: convert them with"
                            " astype to float64, float32, int32 or int64")
        if self.steps is None:
            self.steps = [self.dtype.itemsize * math.prod(self.shape[k + 1:])
                          for k in range(self.ndim)]

    def _take(self, a):
        """A's tensor, whose elements are there for what comes into the default stream."""
        try:
            capsule = a.__dlpack__(stream=_LEGACY, max_version=(1, 0))
        except TypeError:  # of a producer from before versions
            capsule = a.__dlpack__(stream=_LEGACY)
        name = next((name for name in _CAPSULES if _is_valid(capsule, name)), None)
        if name is None:
            raise BufferError("__dlpack__ returned no tensor that is still to be consumed")
        struct, used = _CAPSULES[name]
        self._lent = struct.from_address(_pointer(capsule, name))
        _rename(capsule, used)
        if getattr(self._lent, "major", 1) != 1:
            raise BufferError(f"gsltune reads DLPack 1, not {self._lent.major}")
        tensor = self._lent.tensor
        kind, size = _KINDS.get(tensor.code, "V"), tensor.bits * tensor.lanes // 8
        if tensor.device[0] not in _ON_GPU or tensor.lanes != 1:
            raise TypeError("gsltune has no such tensor: not on a GPU, or of short vectors")
        self.dtype, self.stream = numpy.dtype(f"{kind}{size}"), _LEGACY
        self.ordinal = tensor.device[1]
        self.address = (tensor.data or 0) + tensor.byte_offset
        self.shape = tuple(tensor.shape[:tensor.ndim])
        self.steps = None
        if tensor.strides:
            self.steps = [step * size for step in tensor.strides[:tensor.ndim]]

    def __del__(self):
        if self._lent is not None and self._lent.deleter:
            ctypes.CFUNCTYPE(None, c_void_p)(self._lent.deleter)(ctypes.addressof(self._lent))


def taken(a):
    return a if isinstance(a, Array) else Array(a)


def _joined(shape, steps):
    """Sizes and steps of these axes, neighbours as one where elements lie as if they were."""
    found = []
    for size, step in zip(shape, steps):
        if found and found[-1][1] == step * size:
            found[-1] = found[-1][0] * size, step
        elif size != 1:
            found.append((size, step))
    return found


def _line(shape, steps, itemsize):
    """How many elements there are along these axes, and the stride of all in their order."""
    n, joined = math.prod(shape), _joined(shape, steps)
    if n < 2:
        return n, 1
    if len(joined) > 1:
        raise ValueError("elements on a GPU do not lie at one distance: copy the array first")
    step = joined[0][1]
    if step <= 0 or step % itemsize:
        raise ValueError("elements on a GPU do not lie in their order: copy the array first")
    return n, step // itemsize


@contextlib.contextmanager
def _without_handler():
    """GSL's error handler would end the program."""
    before = function("gsl_set_error_handler_off", c_void_p)()
    try:
        yield
    finally:
        function("gsl_set_error_handler", c_void_p, c_void_p)(before)


def _view(a, address, n, stride, infix):
    """A device vector of N elements from ADDRESS on, in A's stream."""
    with _without_handler():
        view = function(f"gsltune_device_vector{infix}_view_array", DeviceVector, c_void_p,
                        c_size_t, c_size_t)(address or None, stride, n)
    if view.n != n:
        raise RuntimeError("no GPU can read this array, or its GPU cannot be used")
    if a.stream:
        function(f"gsltune_device_vector{infix}_set_stream", None, _V, c_void_p)(
            byref(view), a.stream)
    return view


def _whole(a):
    """A device vector of all elements of A."""
    n, stride = _line(a.shape, a.steps, a.dtype.itemsize)
    return _view(a, a.address, n, stride, INFIX[a.dtype][0])


def _matrix(size, step, n, stride):
    """Rows, columns, their distance and what its lines are, if SIZE lines of N elements, STEP and
    within them STRIDE elements apart, are those of a matrix: else None.
    """
    if stride == 1 and step >= n:
        return size, n, step, "row"
    if step == 1 and stride >= size:
        return n, size, stride, "column"
    return None


def _results(a, size, gpu, infix):
    """A device vector on the GPU of A."""
    for k in sorted(range(function("gsltune_gpu_count", c_int)()), key=lambda k: k != a.ordinal):
        found = function(f"gsltune_device_vector{infix}_alloc_on", _V, c_size_t, c_int)(size, k)
        if found and found.contents.gpu == gpu:
            return found
        function(f"gsltune_device_vector{infix}_free", None, _V)(found)
    raise MemoryError("no memory for results on the GPU")


def _lines(name, a, address, matrix, result, of):
    """gsltune_device_matrix_ROW_NAME, of rows or of columns, of a matrix at ADDRESS, into RESULT."""
    rows, columns, tda, way = matrix
    infix = INFIX[a.dtype][0]
    m = DeviceMatrix(_view(a, address, (rows - 1) * tda + columns, 1, infix), rows, columns, tda)
    to = _results(a, result.size, m.memory.gpu, of)
    with _without_handler():
        status = function(f"gsltune_device_matrix{infix}_{way}_{name}", c_int, _M, _V)(byref(m), to)
        status = status or function(f"gsltune_device_vector{of}_get", c_int, _V, POINTER(Vector))(
            to, byref(vector(result)))
    function(f"gsltune_device_vector{of}_free", None, _V)(to)
    if status:
        raise RuntimeError(f"the GPU has not computed this: GSL's error {status}")


def _compute(name, a, groups, n, stride, result, ctype):
    """NAME of each line, into RESULT, which has an axis for each of GROUPS; of all lines along
    one of these at once where they are those of a matrix, and GPUs compute them.
    """
    size, infix = a.dtype.itemsize, INFIX[a.dtype][0]
    known = {g: _matrix(g[0], g[1] // size, n, stride) for g in groups
             if g[0] > 0 and g[1] % size == 0 and not name.startswith("population")}
    along = max((g for g in known if known[g] and a.dtype in _OF_LINES
                 and 0 < n <= _LONGEST), default=None)
    if along is None:
        of_line = function(f"gsltune_device_vector{infix}_{name}", ctype, _V)
    else:
        result = numpy.moveaxis(result, groups.index(along), -1)
        groups = [g for g in groups if g is not along]
        of = "_ulong" if name.endswith("_index") else "" if ctype is c_double else infix
        some = numpy.empty(along[0], result.dtype)
    for place in numpy.ndindex(*[g[0] for g in groups]):
        at = a.address + sum(i * g[1] for i, g in zip(place, groups))
        if along is None:
            result[place] = of_line(byref(_view(a, at, n, stride, infix)))
        else:
            _lines(name, a, at, known[along], some, of)
            result[place] = some


def call(name, a, axes, mode, where=None):
    """gsltune_device_vector_NAME of each line along AXES: an array on the host."""
    if where is not None:
        raise TypeError("gsltune has no 'where': select the elements first, a[where]")
    dtype, shape, steps = a.dtype, a.shape, a.steps
    kept = [k for k in range(len(shape)) if k not in axes]
    n, stride = _line([shape[k] for k in axes], [steps[k] for k in axes], dtype.itemsize)
    _, ctype = INFIX[dtype]
    number = dtype
    is_statistic = name in ("mean", "variance", "sd", "population_variance", "population_sd")
    if is_statistic:
        ctype = number = c_double
    elif name.endswith("_index"):
        ctype, number = c_size_t, numpy.intp
    if is_statistic and n < (2 if name in ("variance", "sd") else 1):
        return numpy.full([shape[k] for k in kept], numpy.nan)
    if n == 0 and name not in ("sum", "nrm2"):
        raise ValueError("no elements have a largest or smallest one")
    groups = _joined([shape[k] for k in kept], [steps[k] for k in kept])
    result = numpy.empty([size for size, _ in groups], number)
    in_mode(mode, _compute, name, a, groups, n, stride, result, ctype)
    return result.reshape([shape[k] for k in kept])[()]


def total(a, axes, mode, where=None):
    """The sum of each line along AXES, integers' in 64 bits: of narrow ones, whose own sums wrap,
    that which is nearest to the mean's multiple.
    """
    low = call("sum", a, axes, mode, where)
    if a.dtype != "i4":
        return low
    near = call("mean", a, axes, mode) * math.prod(a.shape[k] for k in axes)
    near = numpy.rint(numpy.nan_to_num(near)).astype("i8")
    beyond = numpy.subtract(low, near.astype("i4"), dtype="i4")
    return numpy.add(near, beyond.astype("i8"))


def dot(a, b, mode):
    """The sum of products of two arrays on a GPU."""
    a, b = taken(a), taken(b)
    x, y, dtype = _whole(a), _whole(b), a.dtype
    infix = INFIX[dtype][0]
    if dtype != b.dtype or dtype.kind != "f" or x.n != y.n:
        raise ValueError("arrays on a GPU have a product where lengths and types, of floats, agree")
    result = numpy.empty((), dtype)
    in_mode(mode, function(f"gsltune_device_vector{infix}_dot", c_int, _V, _V, c_void_p),
            byref(x), byref(y), pointer(result))
    return result[()]
