"""``numpy.testing``: the three assertions that programs use."""

from __future__ import annotations

from simulator.facade.numpy.logic import allclose, array_equal
from simulator.facade.public import missing as _missing
from simulator.ndarrays import ndarray_make as make
from simulator.ndarrays.beyond import only


def _fail(header: str, x, y, err_msg: str) -> None:
    raise AssertionError(f"\n{header}\n{err_msg}\n ACTUAL: {x!r}\n DESIRED: {y!r}")


def assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg="",
                    verbose=True, *, strict=False):
    """AssertionError unless all elements are close, NaN equal to NaN. OutOfScope: ``strict``."""
    only("testing.assert_allclose", strict=strict or None)
    if not allclose(actual, desired, rtol, atol, equal_nan):
        _fail(f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}", make.asarray(actual),
              make.asarray(desired), err_msg)


def assert_array_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    """AssertionError unless shapes and elements are the same, NaN equal to NaN. OutOfScope:
    ``strict``."""
    only("testing.assert_array_equal", strict=strict or None)
    if not array_equal(actual, desired, equal_nan=True):
        _fail("Arrays are not equal", make.asarray(actual), make.asarray(desired), err_msg)


def assert_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    """The same as `assert_array_equal`, for values of any kind."""
    assert_array_equal(actual, desired, err_msg, verbose, strict=strict)


__getattr__ = _missing("numpy.testing")
