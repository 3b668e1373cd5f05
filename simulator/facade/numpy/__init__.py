"""What a program gets for ``import numpy as np``.

Arrays, scalars, dtypes, elementwise functions and the common array functions,
on the model's own `NDArray`.  Other public names raise OutOfScope.
"""

from __future__ import annotations

import contextlib as _contextlib
import math as _math

from simulator.errors import OutOfScope as _OutOfScope
from simulator.facade import lazily as _lazily
from simulator.facade.numpy import delegation as _delegation
from simulator.facade.numpy.creation import (
    arange,
    array,
    asanyarray,
    asarray,
    ascontiguousarray,
    empty,
    empty_like,
    eye,
    fromiter,
    full,
    full_like,
    geomspace,
    identity,
    linspace,
    logspace,
    meshgrid,
    ones,
    ones_like,
    tri,
    tril,
    triu,
    zeros,
    zeros_like,
)
from simulator.facade.numpy.dispatching import dispatched as _dispatched
from simulator.facade.numpy.joining import (
    append,
    array_split,
    column_stack,
    concat,
    concatenate,
    delete,
    dsplit,
    dstack,
    hsplit,
    hstack,
    insert,
    pad,
    resize,
    roll,
    split,
    stack,
    tile,
    vsplit,
    vstack,
)
from simulator.facade.numpy.logic import (
    allclose,
    argwhere,
    array_equal,
    array_equiv,
    bincount,
    can_cast,
    count_nonzero,
    diag,
    diff,
    flatnonzero,
    inner,
    isclose,
    iscomplexobj,
    isin,
    isrealobj,
    isscalar,
    issubdtype,
    median,
    ndim,
    outer,
    promote_types,
    result_type,
    searchsorted,
    shape,
    size,
    unique,
    vdot,
    where,
)
from simulator.facade.numpy.printing import (
    array2string,
    array_repr,
    array_str,
    get_printoptions,
    printoptions,
    set_printoptions,
)
from simulator.facade.numpy.shaping import (
    atleast_1d,
    atleast_2d,
    atleast_3d,
    broadcast_arrays,
    broadcast_shapes,
    broadcast_to,
    expand_dims,
    flip,
    fliplr,
    flipud,
    matrix_transpose,
    moveaxis,
    permute_dims,
    ravel,
    reshape,
    rollaxis,
    rot90,
    squeeze,
    swapaxes,
    transpose,
)
from simulator.facade.public import missing as _missing
from simulator.ndarrays import ndarray_products as _products
from simulator.ndarrays import ndarray_reduce as _reduce
from simulator.ndarrays import ndarray_search as _search
from simulator.ndarrays.ndarray import NDArray as ndarray
from simulator.ndarrays.ndarray import asarray as _asarray
from simulator.ndarrays.ndarray_index import IndexExpression as _IndexExpression
from simulator.ndarrays.ufuncs import UFUNCS as _UFUNCS
from simulator.ndarrays.ufuncs import UFunc as ufunc
from simulator.types import scalar_types as _scalars
from simulator.types.dtype_core import DType as dtype
from simulator.types.limits import finfo, iinfo

__version__ = "2.5.5"
pi, e, inf, nan, euler_gamma = _math.pi, _math.e, _math.inf, _math.nan, 0.5772156649015329
newaxis = None
little_endian = True

# Scalar types: np.float32, np.bool_, np.floating ...
from simulator.types.scalar_types import (  # noqa: E402
    character,
    complex64,
    complex128,
    complexfloating,
    flexible,
    float16,
    float32,
    float64,
    floating,
    generic,
    inexact,
    int8,
    int16,
    int32,
    int64,
    integer,
    number,
    signedinteger,
    uint8,
    uint16,
    uint32,
    uint64,
    unsignedinteger,
)

bool_ = _scalars.bool_
bool = _scalars.bool_
half, single, double = float16, float32, float64
csingle, cdouble = complex64, complex128
byte, short, intc, int_, long, longlong, intp = int8, int16, int32, int64, int64, int64, int64
ubyte, ushort, uintc, uint, ulong, ulonglong, uintp = (uint8, uint16, uint32, uint64, uint64,
                                                       uint64, uint64)
sctypeDict = {c.__name__: c for c in _scalars.CONCRETE}
True_, False_ = (_scalars.make(bool_.scalar_dtype, v) for v in (True, False))

globals().update(_UFUNCS)

sum, prod, mean, std, var, ptp = (_reduce.sum, _reduce.prod, _reduce.mean, _reduce.std,
                                  _reduce.var, _reduce.ptp)
max, min = _reduce.max, _reduce.min
all, any = _reduce.all, _reduce.any
argmax, argmin, cumsum, cumprod, sort, argsort, repeat, take, clip, nonzero = (
    _search.argmax, _search.argmin, _search.cumsum, _search.cumprod, _search.sort,
    _search.argsort, _search.repeat, _search.take, _search.clip, _search.nonzero)
round = _search.round_
diagonal, trace, real, imag, dot, matmul = (
    _products.diagonal, _products.trace, _products.real, _products.imag, _products.dot,
    _products.matmul)

for _name in _delegation.NAMES:
    globals()[_name] = _delegation.asking(_name, globals()[_name])
amax, amin, around = max, min, round


def copy(a, order="K", subok=False):
    """A copy of an array. OutOfScope: Fortran's order."""
    return _asarray(a).copy(order)


class errstate(_contextlib.ContextDecorator):
    """Without effect: the stand-in gives no floating-point warnings. OutOfScope: anything
    else than to warn or to ignore."""

    def __init__(self, *, call=None, all=None, divide=None, over=None, under=None, invalid=None):
        _quiet("errstate", call, all, divide, over, under, invalid)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return None


def _quiet(name, call, *modes) -> None:
    if call is not None or not {*modes} <= {None, "warn", "ignore"}:
        raise _OutOfScope(f"numpy.{name} that does more than warn or ignore")


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    """NumPy's defaults, as the earlier settings; nothing changes, no program is warned by
    the model. OutOfScope: anything else than to warn or to ignore."""
    _quiet("seterr", None, all, divide, over, under, invalid)
    return {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


def ndenumerate(arr):
    """Pairs of index tuple and element."""
    a = _asarray(arr)
    for i, index in enumerate(ndindex(*a.shape)):
        yield index, _scalars.make(a.dtype, a.values()[i])


def ndindex(*shape):  # noqa: F811  (NumPy's own name for it)
    """Index tuples in row-major order."""
    import itertools
    if len(shape) == 1 and isinstance(shape[0], tuple):
        shape = shape[0]
    return itertools.product(*map(range, shape))


s_, index_exp = _IndexExpression(False), _IndexExpression(True)
globals().update(_dispatched(globals()))

__getattr__, __dir__ = _lazily.names(__name__, {
    ".": "exceptions linalg random testing",
    ".places": """
        c_ compress diag_indices digitize extract indices intersect1d ix_ lexsort mgrid ogrid r_
        ravel_multi_index select setdiff1d setxor1d take_along_axis tril_indices tril_indices_from
        triu_indices triu_indices_from union1d unravel_index""",
    ".products": """
        apply_along_axis convolve correlate cross einsum fromfunction kron piecewise polyval
        tensordot vander vectorize""",
    ".samples": """
        average corrcoef cov gradient histogram histogram_bin_edges interp nan_to_num nanmax
        nanmean nanmin nanprod nanstd nansum nanvar percentile quantile trapezoid""",
}, _missing("numpy"))
