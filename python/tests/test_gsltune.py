"""The package against math.fsum, fractions and NumPy."""
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

import ctypes
import doctest
import itertools
import math
import pathlib
import pickle
import runpy
import signal
import threading
import tracemalloc
from fractions import Fraction

import numpy
import pytest

import gsltune

RNG = numpy.random.default_rng(1)
REALS = ["float64", "float32", "float16", "longdouble"]
INTEGERS = ["int64", "uint64", "int32", "uint32", "int16", "uint16", "int8", "uint8", "bool"]
SHAPES = [(7,), (0,), (3, 4), (4, 0), (2, 3, 5), (1, 1), (40, 3), (3, 40), (70, 9)]


def data(shape, dtype):
    if numpy.dtype(dtype).kind == "f":
        x = RNG.standard_normal(shape) * 2.0 ** RNG.integers(-20, 8, shape)
    else:
        x = RNG.integers(0, 100, shape)
    return x.astype(dtype)


def views(a):
    """The same elements in other orders of memory."""
    yield a
    yield numpy.asfortranarray(a)
    yield a.astype(a.dtype.newbyteorder())
    if a.ndim and a.shape[-1]:
        yield numpy.repeat(a, 2, axis=-1)[..., ::2]
        yield a[..., ::-1][..., ::-1]
        yield numpy.ascontiguousarray(a[..., ::-1])[..., ::-1]


def axes(a):
    yield None
    yield from range(-a.ndim, a.ndim)
    if a.ndim > 1:
        yield (0, 1)
        yield tuple(range(a.ndim))


def exact_sum(line):
    return sum((Fraction(*x.as_integer_ratio()) for x in line.tolist()), Fraction(0))


def rounded(x, dtype):
    """X as the type has it, rounded once: by way of enough doubles to see ties."""
    if dtype == numpy.float64:
        return float(x)
    candidate = numpy.dtype(dtype).type(float(x))
    near = [candidate, numpy.nextafter(candidate, dtype(numpy.inf)),
            numpy.nextafter(candidate, dtype(-numpy.inf))]
    ends = [abs(Fraction(*c.as_integer_ratio()) - x) for c in near]
    best = min(ends)
    tied = [c for c, e in zip(near, ends) if e == best]
    return tied[0] if len(tied) == 1 else [c for c in tied if int(c.view("u4")) % 2 == 0][0]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_sums_are_exact(dtype):
    for shape in SHAPES:
        for a in views(data(shape, dtype)):
            for axis in range(a.ndim):
                got = gsltune.sum(a, axis=axis)
                lines = numpy.moveaxis(a, axis, -1).reshape(got.size, a.shape[axis])
                want = [rounded(exact_sum(line), numpy.dtype(dtype).type) for line in lines]
                assert numpy.ravel(got).tolist() == [float(w) for w in want]


def test_sum_of_doubles_is_fsum():
    for n in [0, 1, 2, 10, 1000, 100000]:
        x = data(n, "float64")
        assert gsltune.sum(x) == math.fsum(x)
        assert gsltune.sum(x.tolist()) == math.fsum(x)


def is_close(got, want, rtol, atol):
    """What numpy.testing.assert_allclose asks, in a fraction of its time."""
    got, want = numpy.asarray(got, "f8"), numpy.asarray(want, "f8")
    return ((numpy.abs(got - want) <= atol + rtol * numpy.abs(want)) | (got == want)).all()


@pytest.mark.parametrize("dtype", REALS + INTEGERS)
def test_like_numpy(dtype):
    for shape in SHAPES:
        for a in views(data(shape, dtype)):
            native = a.astype(a.dtype.newbyteorder("="))
            for axis, keepdims in itertools.product(axes(a), [False, True]):
                want = numpy.sum(native, axis, keepdims=keepdims)
                got = gsltune.sum(a, axis, keepdims=keepdims)
                assert got.dtype == want.dtype and got.shape == want.shape
                assert is_close(got, want, rtol=2e-2 if dtype == "float16" else 1e-4,
                                atol=1 if dtype == "float16" else 1e-3)
                n = a.size // max(want.size, 1)
                if n == 0 or want.size == 0:
                    continue
                for name in ["mean", "median", "max", "min", "argmax", "argmin", "var", "std"]:
                    if name.startswith("arg") and isinstance(axis, tuple):
                        continue
                    want = getattr(numpy, name)(
                        native.astype("f8") if name in ("mean", "median", "var", "std")
                        else native, axis, keepdims=keepdims)
                    got = getattr(gsltune, name)(a, axis, keepdims=keepdims)
                    if name == "median" and dtype == "longdouble":
                        want = want.astype(dtype)
                    assert numpy.shape(got) == numpy.shape(want) and type(got) is type(want)
                    assert got.dtype == want.dtype
                    assert is_close(got, want, rtol=1e-6, atol=1e-9)


def test_statistics_of_samples_are_rounded_once():
    for n in [2, 3, 10, 101]:
        x = data(n, "float64")
        exact = [Fraction(*v.as_integer_ratio()) for v in x.tolist()]
        mean = sum(exact) / n
        assert gsltune.mean(x) == float(mean)
        assert gsltune.var(x, ddof=1) == float(sum((v - mean) ** 2 for v in exact) / (n - 1))
    assert math.isnan(gsltune.mean([])) and math.isnan(gsltune.var([1.0], ddof=1))


def root(x):
    """The root of a fraction, rounded once: of as large a whole number as shows ties."""
    scale = 300 + max(0, x.denominator.bit_length() - x.numerator.bit_length()) // 2
    return float(Fraction(2 * math.isqrt((x.numerator << 2 * scale) // x.denominator) + 1,
                          2 << scale)) if x else 0.0


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int64", "uint8"])
def test_variances_are_exact(dtype):
    for shape in [(2,), (5,), (1000,), (3, 4), (40, 7), (2, 3, 5)]:
        for a in views(data(shape, dtype)):
            for ddof, axis in itertools.product([0, 1], axes(a)):
                k = tuple(range(a.ndim)) if axis is None else axis
                lines = numpy.moveaxis(a, k, range(-numpy.size(k), 0))
                n = math.prod(lines.shape[a.ndim - numpy.size(k):])
                if n <= ddof:
                    continue
                want = []
                for line in lines.reshape(-1, n):
                    exact = [Fraction(*v.as_integer_ratio()) for v in line.tolist()]
                    mean = sum(exact) / n
                    want.append(sum((v - mean) ** 2 for v in exact) / (n - ddof))
                assert numpy.ravel(gsltune.var(a, axis, ddof=ddof)).tolist() == [float(w) for w in want]
                assert numpy.ravel(gsltune.std(a, axis, ddof=ddof)).tolist() == [root(w) for w in want]
    assert gsltune.var([5.0]) == 0 and gsltune.std([5.0]) == 0 and math.isnan(gsltune.var([]))


def test_variances_have_the_range_of_doubles():
    x = [1e154, -1e154] * 10
    assert gsltune.var(x) == float(Fraction(1e154) ** 2)
    assert gsltune.std(x) == 1e154 and gsltune.std([1e300, -1e300]) == 1e300
    assert gsltune.std([0.0, 2e-200]) == 1e-200
    with pytest.raises(ValueError, match="ddof must be 0 or 1"):
        gsltune.std(x, ddof=2)


def test_nothing_is_guessed():
    with pytest.raises(TypeError, match="masked"):
        gsltune.sum(numpy.ma.array([1.0, 2.0], mask=[0, 1]))
    with pytest.raises(TypeError, match="norm of long doubles"):
        gsltune.norm(numpy.ones(3, numpy.longdouble))
    with pytest.raises(ValueError, match="beyond 2\\^53"):
        gsltune.norm([2**53 + 1, 1])
    with pytest.raises(ValueError, match="stacks"):
        gsltune.dot(numpy.ones((2, 2)), numpy.ones((3, 2, 2)))
    with pytest.raises(ValueError, match="out has the shape"):
        gsltune.var([1.0, 2.0], out=numpy.empty(3))
    with pytest.raises(ValueError, match="out of bounds"):
        gsltune.mean(numpy.ones((2, 2)), axis=2)


def test_products():
    for dtype in ["float64", "float32", "complex128", "complex64"]:
        def some(*shape):
            x = RNG.standard_normal(shape)
            return (x + 1j * RNG.standard_normal(shape) if dtype[0] == "c" else x).astype(dtype)

        for m, k, n in [(1, 1, 1), (3, 4, 5), (20, 30, 10), (5, 0, 2)]:
            a, b = some(m, k), some(k, n)
            for x, y in itertools.product([a, numpy.asfortranarray(a)],
                                          [b, numpy.asfortranarray(b), b[:, ::-1][:, ::-1]]):
                numpy.testing.assert_allclose(gsltune.matmul(x, y), a @ b, rtol=1e-4, atol=1e-5)
            numpy.testing.assert_allclose(gsltune.dot(a[0], b[:, 0]), a[0] @ b[:, 0], rtol=1e-4,
                                          atol=1e-5)
            numpy.testing.assert_allclose(gsltune.vdot(a, a), numpy.vdot(a, a), rtol=1e-4, atol=1e-5)
            numpy.testing.assert_allclose(gsltune.norm(a), numpy.linalg.norm(a), rtol=1e-5)
        stacks = some(2, 1, 3, 4), some(5, 4, 2)
        numpy.testing.assert_allclose(gsltune.matmul(*stacks), numpy.matmul(*stacks), rtol=1e-4,
                                      atol=1e-5)
    a, b = data((6, 7), "float64"), data((7, 3), "float64")
    want = [[float(sum(Fraction(*x.as_integer_ratio()) * Fraction(*y.as_integer_ratio())
                       for x, y in zip(row, column))) for column in b.T.tolist()]
            for row in a.tolist()]
    assert gsltune.matmul(a, b).tolist() == want


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "complex64"])
def test_copies_live_as_long_as_the_call(dtype):
    """The allocator returns the memory of large freed arrays to the system, and reuses small ones."""
    for n in [3, 100, 100_000]:
        x, ones = RNG.integers(-9, 9, n).astype(dtype), numpy.ones(n, dtype)
        if x.dtype.kind == "c":
            x.imag = RNG.integers(-9, 9, n)
        unaligned = numpy.empty(n * x.itemsize + 1, "u1")[1:].view(dtype)
        unaligned[:] = x
        square = numpy.resize(x, (30, 40)).T
        for a in [x[::-1], unaligned, x.astype(x.dtype.newbyteorder()), square]:
            b = numpy.ones(a.shape, dtype).T.copy().T[..., ::-1]
            assert gsltune.vdot(a, b) == numpy.conj(a).sum()
            if a.ndim == 1:
                assert gsltune.dot(a, ones[::-1]) == gsltune.dot(ones[::-1], a) == a.sum()
            assert abs(gsltune.norm(a) ** 2 - (abs(a) ** 2).sum()) < 1e-5 * n * 200
            assert gsltune.sum(a) == a.sum()


def test_long_doubles_keep_their_digits():
    e = numpy.longdouble(2) ** -60
    x = numpy.array([1, e, 1 + e], numpy.longdouble)
    for a in [x, x[::-1], numpy.repeat(x, 2)[::2], x.astype(x.dtype.newbyteorder())]:
        assert gsltune.sum(a) - 2 == 2 * e and gsltune.max(a) - 1 == e and gsltune.min(a) == e
        assert gsltune.median(numpy.append(a, 1 + 2 * e)) - 1 == e / 2
        for name in ["sum", "max", "min", "median"]:
            got = getattr(gsltune, name)(a, keepdims=True)
            assert got.dtype == numpy.longdouble and got[0] == getattr(gsltune, name)(a)
    assert gsltune.sum(x[:0]) == 0 and type(gsltune.sum(x)) is numpy.longdouble
    with pytest.raises(TypeError, match="type"):
        gsltune.sum(x + 0j)


def test_medians_are_rounded_once():
    for dtype in ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]:
        ends = numpy.iinfo(dtype)
        for x in [[ends.max] * 2, [ends.min] * 2, [ends.min, ends.max], [ends.max - 1, ends.max],
                  [ends.max, 0, ends.max - 3, ends.max]]:
            middle = sorted(x)[(len(x) - 1) // 2:len(x) // 2 + 1]
            want = (middle[0] + middle[-1]) / 2
            for axis in [None, 0]:
                assert gsltune.median(numpy.array(x, dtype), axis) == want
            assert gsltune.median(numpy.array([x, x], dtype), 1).tolist() == [want] * 2
    top = numpy.finfo(float).max
    assert gsltune.median([top, top]) == top and gsltune.median([-top, top]) == 0
    assert gsltune.median([5e-324, 1e-323]) == 1e-323 and gsltune.median([True, False]) == 0.5
    assert gsltune.median(numpy.array([1, 1 + 2**-23], "f4")) == 1 + 2**-24


@pytest.mark.parametrize("dtype", REALS + INTEGERS)
def test_types_are_numpys(dtype):
    x = numpy.array([[1, 0, 1], [1, 1, 0]]).astype(dtype)
    for a in [x, x.T, x[0], x[0, 1], x[:, ::-1], x.astype(x.dtype.newbyteorder())]:
        for name in ["sum", "max", "min", "argmax", "argmin", "sort"]:
            for axis in range(a.ndim) if name == "sort" else [None, *range(a.ndim)]:
                want, got = (getattr(m, name)(a, axis=axis) for m in (numpy, gsltune))
                assert type(got) is type(want) and got.dtype == want.dtype
                assert numpy.array_equal(got, want)
    for wanted in REALS + INTEGERS + ["complex128", float, int]:
        want, got = numpy.sum(x, dtype=wanted), gsltune.sum(x, dtype=wanted)
        assert got == want and got.dtype == want.dtype
        want, got = numpy.sum(x, 0, dtype=wanted), gsltune.sum(x, 0, dtype=wanted)
        assert numpy.array_equal(got, want) and got.dtype.newbyteorder("=") == want.dtype.newbyteorder("=")
    if x.dtype.kind == "f" and dtype != "longdouble":
        for name in ["dot", "vdot", "matmul"]:
            want, got = (getattr(m, name)(x[0], x[1]) for m in (numpy, gsltune))
            assert got.dtype == want.dtype and got == want
        assert gsltune.matmul(x, x.T).dtype == gsltune.dot(x, x.T).dtype == x.dtype
        assert gsltune.norm(x).dtype == x.dtype


def answer(f, *arguments, **named):
    """What F returns, or the type of its error."""
    try:
        return f(*arguments, **named)
    except Exception as error:
        return type(error)


def test_arguments_are_numpys():
    x = numpy.arange(24.0).reshape(2, 3, 4)
    for a in [x, x[0, 0], x[0, 0, 0], numpy.float64(3), 3, [1, 2], x[:0], x[:, :0], x.astype("i4"),
              numpy.asfortranarray(x)[::-1, ::-2]]:
        for axis in [None, 0, -1, 1, 3, -4, 1.0, "0", [0], [0, 1], (), (0,), (0, 1), (1, -1), (0, 0),
                     (0, 9), numpy.int8(0), True, (0.0,)]:
            for keepdims in [False, True]:
                for name in ["sum", "max", "min", "mean", "argmax", "argmin"]:
                    if name == "mean" and (numpy.size(a) == 0 or axis is True):
                        continue
                    want, got = (answer(getattr(m, name), a, axis=axis, keepdims=keepdims)
                                 for m in (numpy, gsltune))
                    if isinstance(want, type):
                        assert isinstance(got, type) and issubclass(want, got), (name, axis)
                    else:
                        assert got.shape == want.shape and numpy.array_equal(got, want), (name, axis)
    for name in ["sum", "mean", "max", "argmax"]:
        for out in [numpy.empty(3), numpy.empty(3, "f4"), numpy.empty(3, int), numpy.empty(3, bool),
                    numpy.empty((1, 3)), numpy.empty(2), [0, 0, 0], numpy.broadcast_to(0.0, 3),
                    numpy.empty(6)[::2]]:
            want, got = (answer(getattr(m, name), x[0, :, :3], axis=0, out=out)
                         for m in (numpy, gsltune))
            assert isinstance(got, type) if isinstance(want, type) else got is out, (name, out, got)
    for a in [numpy.zeros(2, "M8[s]"), numpy.zeros(2, "m8[s]"), numpy.zeros(2, object),
              numpy.zeros(2, "f8,i4"), numpy.zeros(2, "S3"), ["a"], [None], None, numpy.zeros(2, "G")]:
        for name in ["sum", "mean", "max", "argmin", "median", "sort", "norm"]:
            with pytest.raises(TypeError):
                getattr(gsltune, name)(a)
    assert gsltune.argsort(7).tolist() == numpy.argsort(7).tolist() == [0]
    frozen = numpy.arange(5.0)
    frozen.flags.writeable = False
    assert gsltune.sum(frozen) == 10 and gsltune.sort(frozen[::-1])[0] == 0
    assert gsltune.median(frozen) == 2 and gsltune.dot(frozen, frozen) == 30


def test_rules_of_others_are_refused():
    class Categories:
        dtype = "category"

        def __array__(self, *arguments, **named):
            return numpy.array([1, 2])

    class Frame(Categories):
        dtypes = numpy.array([numpy.dtype(int), "category"], object)

    class Metres(numpy.ndarray):
        def __array_ufunc__(self, *arguments, **named):
            return NotImplemented

    for a in [Categories(), Frame(), numpy.ones(3).view(Metres), numpy.ones((1, 2)).view(numpy.matrix)]:
        for name in ["sum", "mean", "max", "median", "sort", "norm", "cov"]:
            with pytest.raises(TypeError, match="rules"):
                getattr(gsltune, name)(a)
    assert gsltune.sum(numpy.ones(3).view(numpy.recarray)) == 3


def test_broadcast_arrays_are_not_copied():
    x = RNG.standard_normal(1000)
    for a in [numpy.broadcast_to(0.1, 2**26), numpy.broadcast_to(x, (2**16, 1000)),
              numpy.broadcast_to(x[:, None], (1000, 2**16)), numpy.broadcast_to(x[:3], (2**20, 3)).T,
              numpy.broadcast_to(numpy.int32(7), (2**13, 2**13))]:
        for name in ["sum", "mean", "var", "std", "max", "min", "median", "argmax"]:
            for axis in [None, 0, -1]:
                if axis is None and name == "argmax" and a.ndim > 1:
                    continue
                tracemalloc.start()
                got = getattr(gsltune, name)(a, axis)
                assert tracemalloc.get_traced_memory()[1] < 2**28, (name, a.shape, axis)
                tracemalloc.stop()
                small = a[tuple(slice(0, 1) if s == 0 else slice(None) for s in a.strides)]
                want = getattr(gsltune, name)(small, axis)
                if name == "sum":
                    times = a.size // numpy.size(got) // (small.size // numpy.size(want))
                    assert is_close(got, want * times, rtol=1e-12, atol=0)
                elif numpy.size(want):
                    assert (got == want).all()
    y = numpy.broadcast_to(numpy.array([0.1, 2.0]), (3, 2))
    assert gsltune.sum(y) == math.fsum(y.ravel()) and gsltune.std(y, ddof=1) == gsltune.std(y.copy(), ddof=1)
    one = numpy.broadcast_to(0.1, 1000)
    assert gsltune.dot(one, one) == gsltune.dot(one.copy(), one.copy())
    assert gsltune.norm(one) == gsltune.norm(one.copy())
    assert gsltune.sum(one) == math.fsum(one)


def test_exceptions_leave_the_mode():
    """Wherever a signal's handler raises one."""
    library = gsltune._library
    x = numpy.arange(50.0)

    def interrupt(*_):
        raise InterruptedError

    before = signal.signal(signal.SIGALRM, interrupt)
    function = library.function("gsltune_set_thread_mode", ctypes.c_int, ctypes.c_int)
    try:
        for mode in [-1, 0, 1]:
            function(mode)
            assert gsltune.sum(x) == 1225 and library.get_thread_mode() == mode
            caught = 0
            for k in range(1500):
                try:
                    signal.setitimer(signal.ITIMER_REAL, 1e-5 + k % 50 * 1e-6)
                    while True:
                        gsltune.sum(x)
                        gsltune.dot(x, x, mode="fast")
                except InterruptedError:
                    caught += 1
                assert library.get_thread_mode() == mode
            assert caught == 1500
    finally:
        signal.signal(signal.SIGALRM, before)
        function(-1)


def test_pairs():
    m, y = data((4, 50), "float64"), data((2, 50), "float64")
    for rowvar in [True, False]:
        x = m if rowvar else m.T
        numpy.testing.assert_allclose(gsltune.cov(x, rowvar=rowvar), numpy.cov(m), rtol=1e-9)
        numpy.testing.assert_allclose(gsltune.corrcoef(x, rowvar=rowvar), numpy.corrcoef(m), rtol=1e-9)
    numpy.testing.assert_allclose(gsltune.cov(m, y), numpy.cov(m, y), rtol=1e-9)
    assert gsltune.cov(m[0]).shape == ()


@pytest.mark.parametrize("dtype", REALS + INTEGERS)
def test_order(dtype):
    for shape in SHAPES:
        for a in views(data(shape, dtype)):
            for axis in [None, -1, 0]:
                want = numpy.sort(a, axis)
                got = gsltune.sort(a, axis)
                assert got.dtype == want.dtype and numpy.array_equal(got, want)
                order = gsltune.argsort(a, axis)
                flat = a.reshape(-1) if axis is None else a
                assert numpy.array_equal(numpy.take_along_axis(flat, order, -1 if axis is None else axis),
                                         want)


def test_nan():
    x = numpy.array([3.0, numpy.nan, -0.0, 0.0, numpy.inf, 1.0])
    assert numpy.array_equal(gsltune.sort(x), numpy.sort(x), equal_nan=True)
    assert gsltune.argmax(x) == gsltune.argmin(x) == 1
    for name in ["sum", "mean", "max", "min", "median", "norm"]:
        assert math.isnan(getattr(gsltune, name)(x))


def test_out_and_refusals():
    a = data((3, 4), "float64")
    out = numpy.empty(4)
    assert gsltune.sum(a, axis=0, out=out) is out
    assert numpy.array_equal(out, gsltune.sum(a, axis=0))
    with pytest.raises(ValueError, match="shape"):
        gsltune.sum(a, axis=1, out=out)
    with pytest.raises(TypeError, match="where"):
        gsltune.sum(a, where=a > 0)
    with pytest.raises(ValueError, match="exact"):
        gsltune.sum(a, mode="exactly")
    with pytest.raises(ValueError, match="axis 2"):
        gsltune.sum(a, axis=2)
    with pytest.raises(ValueError, match="largest"):
        gsltune.max([])
    for what in [["a"], numpy.zeros(2, "M8[s]"), numpy.zeros(2, object)]:
        with pytest.raises(TypeError, match="type"):
            gsltune.sum(what)
    with pytest.raises(ValueError, match="product"):
        gsltune.matmul(a, a)


def test_mode_is_of_a_call():
    x = numpy.array([2.0**80] + [1.0] * 31 + [-(2.0**80)] * 1)
    assert gsltune.sum(x) == 31.0
    assert gsltune.sum(x, mode="fast") != 31.0
    wrong = []

    def always_right():
        for _ in range(2000):
            if gsltune.sum(x) != 31.0:
                wrong.append(1)

    threads = [threading.Thread(target=always_right) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(2000):
        gsltune.sum(x, mode="fast")
    for thread in threads:
        thread.join()
    assert not wrong


def test_examples_of_the_documentation():
    if int(numpy.__version__.split(".")[0]) > 1:
        numpy.set_printoptions(legacy="1.25")  # scalars without their type
    assert doctest.testmod(gsltune).failed == 0


class OnGpu:
    """An array as CuPy and PyTorch show theirs."""

    def __init__(self, x, stride=1, shape=None):
        from gsltune._library import DeviceVector, INFIX, Vector, byref, function, vector
        infix, _ = INFIX[x.dtype]
        pointer = ctypes.POINTER(DeviceVector)
        memory = function(f"gsltune_device_vector{infix}_alloc", pointer, ctypes.c_size_t)(x.size)
        if not function(f"gsltune_device_vector{infix}_on_gpu", ctypes.c_int, pointer)(memory):
            pytest.skip("there is no GPU")
        function(f"gsltune_device_vector{infix}_set", ctypes.c_int, pointer, ctypes.POINTER(Vector))(
            memory, byref(vector(x)))
        self.shape = shape or ((x.size + stride - 1) // stride,)
        self.__cuda_array_interface__ = {
            "shape": self.shape, "typestr": x.dtype.str, "version": 3, "stream": 1,
            "data": (memory.contents.data, False),
            "strides": None if stride == 1 else (stride * x.itemsize,)}


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_arrays_on_a_gpu(dtype):
    for n, stride in [(1000, 1), (1001, 3), (70000, 1)]:
        x = data(n, dtype)
        there, here = OnGpu(x, stride), x[::stride]
        for name in ["sum", "mean", "std", "max", "min", "argmax", "argmin"]:
            assert getattr(gsltune, name)(there) == getattr(gsltune, name)(here)
        if dtype != "int64":
            assert gsltune.norm(there) == gsltune.norm(here)
            assert gsltune.dot(there, there) == gsltune.dot(here, here)
    flat = data(24, dtype)
    beside = flat.reshape(2, 3, 4)
    cube, turned = OnGpu(flat, shape=beside.shape), OnGpu(flat, shape=beside.shape)
    turned.__cuda_array_interface__.update(shape=(4, 3, 2), strides=tuple(
        beside.strides[::-1]))
    for name in ["sum", "mean", "var", "max", "argmin"]:
        for keepdims in [False, True]:
            for axis in [None, 0, 1, -1, (1, 2), (2, 1)]:
                if name == "argmin" and isinstance(axis, tuple):
                    continue
                expected = getattr(gsltune, name)(beside, axis=axis, keepdims=keepdims)
                found = getattr(gsltune, name)(cube, axis=axis, keepdims=keepdims)
                assert numpy.array_equal(found, expected) and found.shape == expected.shape
        assert numpy.array_equal(getattr(gsltune, name)(turned, axis=1),
                                 getattr(gsltune, name)(beside.T, axis=1))
    out = numpy.empty((2, 4))
    assert gsltune.mean(cube, axis=1, out=out) is out
    assert numpy.array_equal(out, gsltune.mean(beside, axis=1))
    for arguments in [{"where": [True]}, {"axis": (0, 2)}, {"axis": 3}, {"axis": (0, 0)}]:
        with pytest.raises((TypeError, ValueError)):
            gsltune.sum(cube, **arguments)
    for name in ["sort", "argsort", "median"]:
        with pytest.raises(TypeError, match=f"cupy.{name}"):
            getattr(gsltune, name)(cube)
    there.__cuda_array_interface__["data"] = (8 * 123, False)
    with pytest.raises(RuntimeError, match="GPU"):
        gsltune.sum(there)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "int64"])
def test_lines_on_a_gpu_are_those_of_matrices(dtype, monkeypatch):
    """Of all rows or columns there is one call; else, and of std, one of each line."""
    calls, lines = [], gsltune._device._lines
    monkeypatch.setattr(gsltune._device, "_lines", lambda *a: calls.append(a) or lines(*a))
    flat = data(2 * 7 * 9, dtype)
    m, cube, there = flat.reshape(14, 9), flat.reshape(2, 7, 9), OnGpu(flat)
    begin = there.__cuda_array_interface__["data"][0]
    for view, axis, count in [
            (m, 0, 1), (m, 1, 1), (m.T, 0, 1), (m[2:, 1:7], 0, 1), (m[2:, 1:7], 1, 1), (cube, 0, 1),
            (cube, 1, 2), (cube, 2, 1), (cube, (1, 2), 1), (cube[:, ::2], 2, 2), (cube.T, 1, 2),
            (m[:, ::2], 1, 0), (m[:0], 1, 0), (m[:1], 1, 0)]:
        offset = view.__array_interface__["data"][0] - flat.__array_interface__["data"][0]
        there.__cuda_array_interface__.update(
            shape=view.shape, strides=view.strides, data=(begin + offset, False))
        for name in ["sum", "mean", "std", "max", "argmin", "norm"]:
            if (name == "norm" and flat.dtype.kind != "f") or (
                    name == "argmin" and isinstance(axis, tuple)):
                continue
            calls.clear()
            found = getattr(gsltune, name)(there, axis=axis)
            expected = getattr(gsltune, name)(view, axis=axis)
            assert numpy.array_equal(found, expected) and found.shape == expected.shape
            twice = name == "sum" and dtype == "int32"
            alone = dtype == "int64" or name == "std"
            assert len(calls) == (0 if alone else count * (1 + twice))


def test_integers_on_a_gpu_do_not_wrap():
    dtype, ends = "int32", numpy.iinfo("int32")
    for n, low, high in [(3001, ends.min, ends.max), (3001, ends.max - 3, ends.max), (40, 0, 9),
                         (3001, ends.min, ends.min + 3)]:
        x = RNG.integers(low, high, n, dtype, endpoint=True)
        for mode in ["exact", "fast"]:
            found = gsltune.sum(OnGpu(x), mode=mode)
            assert found == sum(x.tolist()) and found.dtype == numpy.sum(x).dtype
        rows = x[:n - n % 5].reshape(5, -1)
        assert gsltune.sum(OnGpu(rows.ravel(), shape=rows.shape), axis=1).tolist() == [
            sum(row) for row in rows.tolist()]
    assert gsltune.sum(OnGpu(x, shape=(2, 0)), axis=1).tolist() == [0, 0]
    # A sum of more digits than the mean has.
    x = numpy.full(2**22 + 3, ends.max, dtype)
    x[::2] -= 1
    assert gsltune.sum(OnGpu(x)) == ends.max * x.size - (x.size + 1) // 2
    there = OnGpu(numpy.ones(3, "int64"))
    for other in ["uint64", "uint32", "int16", "uint8"]:
        there.__cuda_array_interface__["typestr"] = numpy.dtype(other).str
        with pytest.raises(TypeError, match="astype"):
            gsltune.sum(there)


_LAID = [("data", ctypes.c_void_p), ("kind", ctypes.c_int32), ("id", ctypes.c_int32),
         ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
         ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
         ("offset", ctypes.c_uint64)]
_ENDS = [("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]
_VERSION = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)]


class Old(ctypes.Structure):
    """DLPack's DLManagedTensor as it is laid out."""

    _fields_ = _LAID + _ENDS


class New(ctypes.Structure):
    """Its DLManagedTensorVersioned."""

    _fields_ = _VERSION + _ENDS + [("flags", ctypes.c_uint64)] + _LAID


class Lender:
    """An array as a library of DLPack 1 has it, OLD or new; a new one is only to be read."""

    def __init__(self, x, stride=1, shape=None, old=False, strides=None, **changes):
        self.there, self.old, self.changes = OnGpu(x, stride, shape), old, changes
        self.lent = self.given_back = 0
        where, self.kind = self.there.__cuda_array_interface__, 2
        size = len(where["shape"])
        self.shape = (ctypes.c_int64 * size)(*where["shape"])
        steps = strides or where["strides"]
        self.steps = steps and (ctypes.c_int64 * size)(*[step // x.itemsize for step in steps])
        self.fields = {
            "data": where["data"][0] - 24, "offset": 24, "kind": 2, "ndim": size, "lanes": 1,
            "code": "iuf".index(x.dtype.kind), "bits": 8 * x.itemsize,
            "shape": ctypes.addressof(self.shape), "strides": steps and ctypes.addressof(self.steps)}
        self.deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._take_back)

    def _take_back(self, address):
        self.given_back += address == ctypes.addressof(self.tensor)

    def __dlpack_device__(self):
        return self.kind, 0

    def _lend(self, layout, name, **more):
        self.lent += 1
        self.name = name
        self.tensor = layout(**{**self.fields, **more, **self.changes},
                             deleter=ctypes.cast(self.deleter, ctypes.c_void_p))
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self.capsule = new(ctypes.addressof(self.tensor), name, None)
        return self.capsule

    def __dlpack__(self, *, stream, **newer):
        assert stream == 1
        if self.old and newer:
            raise TypeError("unexpected argument")
        if self.old:
            return self._lend(Old, b"dltensor")
        assert newer == {"max_version": (1, 0)}
        return self._lend(New, b"dltensor_versioned", major=1, minor=3, flags=1)

    def is_back(self):
        """Whether each tensor was consumed and given back, once."""
        is_valid = ctypes.pythonapi.PyCapsule_IsValid
        is_valid.argtypes = [ctypes.py_object, ctypes.c_char_p]
        return self.lent == self.given_back > 0 and is_valid(self.capsule, b"used_" + self.name)


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_tensors_on_a_gpu(dtype, old):
    x = data(60, dtype)
    for stride in [1, 3]:
        there, here = Lender(x, stride, old=old), x[::stride]
        for name in ["sum", "mean", "var", "std", "max", "min", "argmax", "argmin"]:
            assert getattr(gsltune, name)(there) == getattr(gsltune, name)(here)
        assert there.lent == 8 and there.is_back()
        if dtype[0] == "f":
            assert gsltune.norm(there) == gsltune.norm(here)
            assert gsltune.dot(there, OnGpu(x, stride)) == gsltune.dot(here, here)
    beside = x.reshape(3, 4, 5)
    for strides, same in [(None, beside), (beside.strides[::-1], beside.T)]:
        cube = Lender(x, shape=same.shape, old=old, strides=strides)
        for axis in [0, 1, -1]:
            for ddof in [0, 1]:
                assert numpy.array_equal(gsltune.var(cube, axis=axis, ddof=ddof),
                                         gsltune.var(same, axis=axis, ddof=ddof))
        assert cube.is_back()
    assert numpy.isnan(gsltune.mean(Lender(x, shape=(0,), old=old, data=None, offset=0)))


def test_tensors_that_are_refused():
    x = numpy.arange(6.0)
    for error, match, changes in [
            (TypeError, "type", {"code": 4, "bits": 16}), (TypeError, "GPU", {"lanes": 2}),
            (TypeError, "complex", {"code": 5, "bits": 128}), (TypeError, "GPU", {"kind": 1}),
            (TypeError, "int8", {"code": 0, "bits": 8}), (BufferError, "DLPack 1", {"major": 2}),
            (RuntimeError, "GPU", {"data": 8 * 123})]:
        there = Lender(x, **changes)
        with pytest.raises(error, match=match):
            gsltune.sum(there)
        assert there.is_back()
    there = Lender(x)
    for function in [gsltune.sort, gsltune.argsort, gsltune.median]:
        with pytest.raises(TypeError, match="cupy"):
            function(there)
    for function in [gsltune.vdot, gsltune.matmul, gsltune.dot]:
        for pair in [(there, x), (x, there)]:
            with pytest.raises(TypeError, match="GPU"):
                function(*pair)
    there.kind = 10
    with pytest.raises(TypeError, match="type 10"):
        gsltune.sum(there)
    there.kind, there._lend = 2, lambda *_, **__: there.capsule
    with pytest.raises(BufferError, match="consumed"):
        gsltune.dot(there, there)


# ------------------------------------------------------------------------ Moments


@pytest.mark.parametrize("dtype", REALS + INTEGERS)
def test_moments_of_parts(dtype):
    x = data(1001, dtype)
    whole = gsltune.Moments(4, long_doubles=True).add(x.reshape(7, 11, 13))
    for parts in (1, 2, 30):
        merged = gsltune.Moments(4, long_doubles=True)
        for part in numpy.array_split(x, parts):
            merged.merge(pickle.loads(pickle.dumps(
                gsltune.Moments(4, long_doubles=True).add(part[::-1][::-1]))))
        assert merged.tobytes() == whole.tobytes()
    assert whole.count == 1001
    if dtype != "longdouble":
        assert whole.sum() == float(exact_sum(x))
        assert whole.mean() == gsltune.mean(x)
        for ddof in (0, 1):
            assert whole.var(ddof) == gsltune.var(x, ddof=ddof)
            assert whole.std(ddof) == gsltune.std(x, ddof=ddof)
    x = x.astype("f8")
    d = (x - x.mean()) / x.std(ddof=1)
    assert whole.skew() == pytest.approx((d ** 3).mean(), abs=1e-9)
    assert whole.kurtosis() == pytest.approx((d ** 4).mean() - 3, abs=1e-9)


def test_moments_of_two_arrays():
    x, y = data(300, "float64"), data(300, "float32")
    pairs = gsltune.Moments(kind="pairs").add(x[:100], y[:100]).add(x[100:], y[100:])
    assert pairs.cov() == pytest.approx(numpy.cov(x, y)[0, 1])
    assert pairs.corrcoef() == pytest.approx(numpy.corrcoef(x, y)[0, 1])
    assert pairs.statistic("covariance_m", 0.5, 2.0) == pytest.approx(
        ((x - 0.5) * (y - 2.0)).sum() / 299)
    products = gsltune.Moments(1, "pairs").add(x, y)
    assert products.sum() == gsltune.dot(x, y.astype("f8"))
    w = numpy.abs(y)
    weighted = gsltune.Moments(kind="weighted").add(x, w)
    assert weighted.mean() == pytest.approx(numpy.average(x, weights=w))
    assert weighted.var(ddof=1) == pytest.approx(weighted.std(ddof=1) ** 2)


def test_moments_refuse():
    m = gsltune.Moments().add([1.0, 2.0])
    for wrong in (lambda: gsltune.Moments(5), lambda: gsltune.Moments(kind="any"),
                  lambda: m.merge(gsltune.Moments(3)), m.skew, m.cov, lambda: m.var(2),
                  lambda: m.statistic("median"),
                  lambda: gsltune.Moments.frombytes(b""),
                  lambda: gsltune.Moments.frombytes(m.tobytes()[:-1] + b"\xff"),
                  lambda: gsltune.Moments(kind="pairs").add([1.0], [1.0, 2.0])):
        with pytest.raises(ValueError):
            wrong()
    for wrong in (lambda: m.add([1j]), lambda: m.add(numpy.ones(2, "longdouble")),
                  lambda: m.add([1.0], [2.0])):
        with pytest.raises(TypeError):
            wrong()
    assert (m.count, m.sum()) == (2, 3.0)


@pytest.mark.parametrize("name, needs", [("processes", "numpy"), ("pandas_chunks", "pandas"),
                                         ("dask_reduction", "dask.array")])
def test_examples_have_equal_bits(name, needs):
    pytest.importorskip(needs, reason=f"the example {name} needs {needs}")
    example = pathlib.Path(__file__).parent.parent / "examples" / f"{name}.py"
    if not example.exists():
        pytest.skip("there are no examples here")
    runpy.run_path(str(example), run_name="__main__")
