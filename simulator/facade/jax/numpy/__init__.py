"""``jax.numpy``: NumPy's interface, made of jitted functions."""

import math as _math

from simulator.device_arrays.arrays import PublicArray as ndarray
from simulator.facade import lazily as _lazily
from simulator.facade.jax.numpy import array_methods as _array_methods
from simulator.facade.jax.numpy import util as _util
from simulator.facade.jax.numpy.scalar_types import (
    bfloat16,
    bool_,
    cdouble,
    complex64,
    complex128,
    complex_,
    csingle,
    double,
    float16,
    float32,
    float64,
    float_,
    int8,
    int16,
    int32,
    int64,
    int_,
    single,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
)
from simulator.facade.public import missing as _missing
from simulator.types import dtypes as _dtypes
from simulator.types.dtypes import finfo, iinfo, isdtype, issubdtype
from simulator.types.scalar_types import (
    character,
    complexfloating,
    flexible,
    floating,
    generic,
    inexact,
    integer,
    number,
    signedinteger,
    unsignedinteger,
)

bool = bool_
pi, e, inf, nan = _math.pi, _math.e, _math.inf, _math.nan
euler_gamma = 0.5772156649015329
newaxis = None
dtype = _dtypes.dtype


def result_type(*args):
    """``jax.numpy.result_type``."""
    return _util.result_type(*args)[0]


def promote_types(a, b):
    """``jax.numpy.promote_types``."""
    from simulator.facade.jax.lax.base import x64
    weak = (int, float, complex)
    one, two = (x if isinstance(x, type) and x in weak else _dtypes.dtype(x) for x in (a, b))
    return _dtypes.promote_types(one, two, x64(), _util._mode())


def isscalar(element):
    """``jax.numpy.isscalar``."""
    from simulator.facade.jax.lax.base import ARRAYS, is_scalar
    from simulator.ndarrays.ndarray import NDArray
    return is_scalar(element) or (isinstance(element, (NDArray, *ARRAYS)) and element.ndim == 0)


def isrealobj(x):
    """``jax.numpy.isrealobj``."""
    from simulator.facade.jax.numpy.arithmetic import iscomplexobj
    return not iscomplexobj(x)


_array_methods.install()

__getattr__, __dir__ = _lazily.names(__name__, {
    ".": "fft linalg",
    ".arithmetic": """
        add arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift
        bitwise_xor copysign divide divmod equal float_power floor_divide fmax fmin fmod greater
        greater_equal heaviside hypot iscomplexobj left_shift less less_equal logical_and
        logical_not logical_or logical_xor maximum minimum mod multiply nextafter not_equal
        remainder right_shift subtract true_divide""",
    ".powers": "pow power",
    ".comparing": "allclose array_equal isclose",
    ".bits": "bitwise_count frexp ldexp packbits spacing unpackbits",
    ".calculus": "gradient trapezoid",
    ".choosing": """
        argmax argmin argsort bincount clip diff flatnonzero nan_to_num nonzero select
        sort where""",
    ".constructors": "array asarray copy",
    ".contractions": "dot inner matmul outer tensordot vdot",
    ".convolving": "convolve correlate",
    ".creation": """
        empty empty_like eye fromfunction full full_like identity indices meshgrid ones
        ones_like tri zeros zeros_like""",
    ".diagonals": "diag diagonal trace tril triu",
    ".distributions": """
        corrcoef cov histogram histogram2d histogram_bin_edges histogramdd""",
    ".editing": """
        argpartition delete fill_diagonal geomspace insert matvec partition sinc
        sort_complex unwrap vecdot vecmat""",
    ".einsums": "einsum",
    ".exponentials": "logaddexp logaddexp2",
    ".further": """
        angle array_equiv cross cumulative_prod cumulative_sum ediff1d iscomplex isreal kron
        nanargmax nanargmin resize rollaxis top_k vander""",
    ".grids": "c_ mgrid ogrid r_",
    ".index_arrays": """
        argwhere diag_indices diag_indices_from index_exp ix_ mask_indices
        ravel_multi_index s_ tril_indices tril_indices_from triu_indices
        triu_indices_from unravel_index""",
    ".joining": """
        append array_split block column_stack concat concatenate dsplit dstack hsplit hstack
        split stack unstack vsplit vstack""",
    ".padding": "pad",
    ".math_functions": """
        abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh around asin asinh
        atan atanh bitwise_invert bitwise_not cbrt ceil conj conjugate cos cosh
        deg2rad degrees exp exp2 expm1 fabs floor imag invert log log1p log2 log10 modf negative
        positive rad2deg radians real reciprocal rint round sign sin sinh sqrt square tan tanh
        trunc""",
    ".predicates": "isfinite isinf isnan isneginf isposinf signbit",
    ".polynomials": "poly polyadd polyder polydiv polyfit polyint polymul polysub",
    ".putting": "choose compress diagflat extract place put put_along_axis trim_zeros",
    ".quantiles": "median nanmedian nanpercentile nanquantile percentile quantile",
    ".ranges": "arange linspace logspace",
    ".reductions": "all amax amin any max min prod sum",
    ".cumulating": "cumprod cumsum nancumprod nancumsum",
    ".reshaping": """
        astype atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_shapes broadcast_to
        expand_dims matrix_transpose moveaxis permute_dims ravel reshape squeeze swapaxes
        transpose""",
    ".moving": "flip fliplr flipud repeat roll rot90 tile",
    ".sets": "lexsort unique unique_all unique_counts unique_inverse unique_values",
    ".statistics": """
        average count_nonzero mean nanmax nanmean nanmin nanprod nanstd nansum
        nanvar ptp std var""",
    ".taking": "take take_along_axis",
    ".two_sets": "intersect1d isin setdiff1d setxor1d union1d",
    ".ufuncs": "ufunc",
    ".util": "ndim shape size",
    ".looping": "digitize gcd interp lcm piecewise polyval searchsorted",
    "simulator.facade.numpy.printing": """
        array_repr array_str get_printoptions printoptions set_printoptions""",
    ".window_functions": "bartlett blackman hamming hanning i0 kaiser",
    ".vectorizing": "apply_along_axis apply_over_axes vectorize",
}, _missing("jax.numpy"))
