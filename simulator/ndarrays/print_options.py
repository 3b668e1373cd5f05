"""The options by which arrays print: numpy.set_printoptions and its scope.

Options are kept per thread; a new thread begins with the defaults. Simplified:
``legacy`` layouts are out of scope. Follows numpy/_core/arrayprint.py:
_make_options_dict, _set_printoptions.
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Iterator
from typing import Any

from simulator import process
from simulator.errors import OutOfScope

DEFAULTS: dict[str, Any] = {
    "edgeitems": 3, "threshold": 1000, "floatmode": "maxprec", "precision": 8,
    "suppress": False, "linewidth": 75, "nanstr": "nan", "infstr": "inf", "sign": "-",
    "formatter": None, "legacy": False, "override_repr": None}

MODES = ("fixed", "unique", "maxprec", "maxprec_equal")


def current() -> dict[str, Any]:
    """The options of this thread."""
    # Texts are also made outside of any program.
    return process.running() and process.current().thread.print_options or DEFAULTS


def changed(given: dict[str, Any]) -> dict[str, Any]:
    """The options of this thread with those that are not None in `given`.

    Raises TypeError and ValueError in NumPy's words. OutOfScope: legacy, override_repr.
    """
    new = {name: value for name, value in given.items() if value is not None}
    if new.get("legacy") not in (None, False) or "override_repr" in new:
        raise OutOfScope("numpy.set_printoptions(legacy=…, override_repr=…)", "leave them out")
    if "suppress" in new:
        new["suppress"] = bool(new["suppress"])
    if new.get("floatmode", "fixed") not in MODES:
        raise ValueError("floatmode option must be one of " + ", ".join(f'"{m}"' for m in MODES))
    if new.get("sign", "-") not in ("-", "+", " "):
        raise ValueError("sign option must be one of ' ', '+', or '-'")
    if (threshold := new.get("threshold")) is not None:
        if not isinstance(threshold, (int, float)):
            raise TypeError("threshold must be numeric")
        if threshold != threshold:
            raise ValueError("threshold must be non-NAN, try sys.maxsize for untruncated "
                             "representation")
    if "precision" in new:
        try:
            new["precision"] = operator.index(new["precision"])
        except TypeError as error:
            raise TypeError("precision must be an integer") from error
    return {**current(), **new}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None,
                     suppress=None, nanstr=None, infstr=None, formatter=None, sign=None,
                     floatmode=None, *, legacy=None, override_repr=None):
    """How arrays print from now on; a formatter that is not given again is dropped."""
    new = changed({name: value for name, value in locals().items()})
    process.current().thread.print_options = {**new, "formatter": formatter}


def get_printoptions():
    """The options by which arrays print, as a dictionary."""
    return dict(current())


@contextlib.contextmanager
def printoptions(*args, **kwargs) -> Iterator[dict[str, Any]]:
    """A scope of `set_printoptions`."""
    thread = process.current().thread
    before = thread.print_options
    set_printoptions(*args, **kwargs)
    try:
        yield get_printoptions()
    finally:
        thread.print_options = before
