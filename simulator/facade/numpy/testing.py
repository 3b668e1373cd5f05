"""``numpy.testing``: assertions about arrays, and what they say when they fail.

NumPy source: ``numpy/testing/_private/utils.py: assert_array_compare``.
"""

from __future__ import annotations

import contextlib

from simulator.facade.numpy.logic import isclose, where
from simulator.facade.public import missing as _missing
from simulator.ndarrays import ndarray_make as make
from simulator.ndarrays.beyond import only
from simulator.ndarrays.ndarray_text import array_str
from simulator.ndarrays.ufuncs import UFUNCS

_SHOWN = 5


def _compare(header: str, actual, desired, err_msg: str, agree) -> None:
    a, b = make.asarray(actual), make.asarray(desired)

    def fail(*remarks: str) -> None:
        raise AssertionError("\n".join(["", header, err_msg, *remarks,
                                        f" ACTUAL: {a!r}", f" DESIRED: {b!r}"]))

    if a.shape != b.shape and a.ndim and b.ndim:
        fail(f"(shapes {a.shape}, {b.shape} mismatch)")
    if a.dtype.family in "fc" or b.dtype.family in "fc":
        for name, test in (("nan", lambda x: x != x), ("inf", lambda x: x == float("inf")),
                           ("-inf", lambda x: x == -float("inf"))):
            if make.asarray(test(a) != test(b)).any():
                fail(f"{name} location mismatch:")
    wrong = make.asarray(~make.asarray(agree(a, b)))
    if wrong.any():
        fail(*_remarks(a, b, wrong))


def _remarks(a, b, wrong) -> list[str]:
    places = [index for index, bad in zip(_indices(wrong.shape), wrong.ravel().tolist()) if bad]
    total = max(wrong.size, 1)
    lines = [f"Mismatched elements: {len(places)} / {total} ({100 * len(places) / total:.3g}%)"]
    if a.ndim and b.ndim:
        lines.append("Mismatch at index:" if len(places) == 1 else "Mismatch at indices:"
                     if len(places) <= _SHOWN else f"First {_SHOWN} mismatches are at indices:")
        lines += [f" {list(i)}: {a[i]} (ACTUAL), {b[i]} (DESIRED)" for i in places[:_SHOWN]]
    if a.dtype.family == "b" or b.dtype.family == "b":
        return lines
    apart = UFUNCS["absolute"](a - b)
    worst = make.asarray(make.asarray(apart)[wrong].max() if wrong.ndim else apart)
    lines.append(f"Max absolute difference among violations: {_number(worst)}")
    sizes = make.asarray(UFUNCS["absolute"](b))
    sizes = make.asarray(where(wrong, sizes, 0))
    nonzero = sizes.astype(bool)
    if nonzero.any():
        share = make.asarray(where(nonzero, apart / where(nonzero, sizes, 1), 0)).max()
        lines.append(f"Max relative difference among violations: {_number(make.asarray(share))}")
    else:
        lines.append("Max relative difference among violations: inf")
    return lines


def _number(x) -> str:
    # As an element of an array prints, not as a scalar.
    return array_str(x.reshape(1))[1:-1].strip()


def _indices(shape):
    import itertools
    return itertools.product(*map(range, shape))


def assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg="",
                    verbose=True, *, strict=False):
    """AssertionError unless all elements are close, NaN equal to NaN. OutOfScope: ``strict``,
    ``equal_nan=False``."""
    only("testing.assert_allclose", strict=strict or None, equal_nan=None if equal_nan else False)
    _compare(f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}", actual, desired, err_msg,
             lambda a, b: isclose(a, b, rtol, atol, equal_nan=True))


def assert_array_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    """AssertionError unless shapes and elements are the same, NaN equal to NaN. OutOfScope:
    ``strict``."""
    only("testing.assert_array_equal", strict=strict or None)
    _compare("Arrays are not equal", actual, desired, err_msg,
             lambda a, b: (a == b) | ((a != a) & (b != b)))


def assert_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    """The same as `assert_array_equal`, for values of any kind."""
    pairs = None
    if isinstance(desired, dict) and isinstance(actual, dict):
        pairs = [(f"key={k!r}", actual, k) for k in desired]
    elif isinstance(desired, (list, tuple)) and isinstance(actual, (list, tuple)):
        pairs = [(f"item={k!r}", actual, k) for k in range(len(desired))]
    if pairs is not None:
        assert_equal(len(actual), len(desired), err_msg)
        for what, holder, k in pairs:
            assert_equal(holder[k], desired[k], f"{what}\n{err_msg}")
        return
    assert_array_equal(actual, desired, err_msg, verbose, strict=strict)


def assert_array_almost_equal(actual, desired, decimal=6, err_msg="", verbose=True):
    """AssertionError unless all elements agree to some decimals."""
    _compare(f"Arrays are not almost equal to {decimal} decimals", actual, desired, err_msg,
             lambda a, b: (UFUNCS["absolute"](a - b) < 1.5 * 10.0 ** -decimal)
             | ((a != a) & (b != b)) | (a == b))


@contextlib.contextmanager
def _raises(kind, by=""):
    try:
        yield
    except kind:
        return
    names = " or ".join(k.__name__ for k in (kind if isinstance(kind, tuple) else (kind,)))
    raise AssertionError(f"{names} not raised{by}")


def assert_raises(exception_class, callable_=None, *args, **kwargs):
    """AssertionError unless a call, or what is in the scope, raises."""
    if callable_ is None:
        return _raises(exception_class)
    name = getattr(callable_, "__name__", str(callable_))
    with _raises(exception_class, f" by {name}"):
        callable_(*args, **kwargs)
    return None


def assert_(val, msg=""):
    """``assert`` that is never left out."""
    if not val:
        raise AssertionError(msg() if callable(msg) else msg)


__getattr__ = _missing("numpy.testing")
