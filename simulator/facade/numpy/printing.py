"""The texts of arrays: numpy's array2string, array_repr and array_str, and their options.

Follows numpy/_core/arrayprint.py; options of one call count before those of the thread.
"""

from __future__ import annotations

from simulator.device_arrays.arrays import Array
from simulator.ndarrays import ndarray_text, print_options
from simulator.ndarrays.ndarray import asarray
from simulator.ndarrays.print_options import (
    get_printoptions,
    printoptions,
    set_printoptions,
)

__all__ = ["array2string", "array_repr", "array_str", "get_printoptions", "printoptions",
           "set_printoptions"]


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ",
                 prefix="", *, formatter=None, threshold=None, edgeitems=None, sign=None,
                 floatmode=None, suffix="", legacy=None):
    """The numbers of an array in brackets. OutOfScope: legacy layouts."""
    options = print_options.changed({
        "linewidth": max_line_width, "precision": precision, "suppress": suppress_small,
        "formatter": formatter, "threshold": threshold, "edgeitems": edgeitems, "sign": sign,
        "floatmode": floatmode, "legacy": legacy})
    return ndarray_text.array2string(asarray(a), separator, prefix, suffix, options)


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """What ``repr`` shows of an array of NumPy; of JAX's, with their class in front."""
    kind = "ArrayImpl" if isinstance(arr, Array) else "array"
    return ndarray_text.array_repr(asarray(arr), kind, _options(
        max_line_width, precision, suppress_small))


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    """What ``print`` shows of an array."""
    return ndarray_text.array_str(asarray(a), _options(max_line_width, precision, suppress_small))


def _options(linewidth, precision, suppress):
    return print_options.changed(
        {"linewidth": linewidth, "precision": precision, "suppress": suppress})
