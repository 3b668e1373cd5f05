"""``jax.lax``: one primitive per function, no promotion of types.

Convolutions and linear algebra are out of scope.
"""

from simulator.facade.jax.lax.associative import associative_scan
from simulator.facade.jax.lax.base import dtype
from simulator.facade.jax.lax.branches import cond, switch
from simulator.facade.jax.lax.convert import (
    bitcast_convert_type,
    convert_element_type,
    stage,
    stage_p,
)
from simulator.facade.jax.lax.elementwise import (
    abs,
    acos,
    acosh,
    add,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    bessel_i0e,
    bessel_i1e,
    bitwise_and,
    bitwise_not,
    bitwise_or,
    bitwise_xor,
    cbrt,
    ceil,
    clamp,
    clz,
    complex,
    conj,
    cos,
    cosh,
    digamma,
    div,
    eq,
    erf,
    erf_inv,
    erfc,
    exp,
    exp2,
    expm1,
    floor,
    ge,
    gt,
    imag,
    integer_pow,
    is_finite,
    le,
    lgamma,
    log,
    log1p,
    logistic,
    lt,
    max,
    min,
    mul,
    ne,
    neg,
    nextafter,
    population_count,
    pow,
    real,
    reciprocal,
    reduce_precision,
    rem,
    round,
    rsqrt,
    select,
    select_n,
    shift_left,
    shift_right_arithmetic,
    shift_right_logical,
    sign,
    sin,
    sinh,
    sqrt,
    square,
    stop_gradient,
    sub,
    tan,
    tanh,
)
from simulator.facade.jax.lax.loops import fori_loop, map, scan, while_loop
from simulator.facade.jax.lax.parallel import (
    all_gather,
    all_to_all,
    axis_index,
    axis_size,
    pargmax,
    pargmin,
    pbroadcast,
    pmax,
    pmean,
    pmin,
    ppermute,
    pshuffle,
    psum,
    psum_scatter,
    pswapaxes,
)
from simulator.facade.jax.lax.placing import (
    optimization_barrier,
    sharding_constraint_p,
    with_sharding_constraint,
)
from simulator.facade.jax.lax.products import batch_matmul, dot, dot_general
from simulator.facade.jax.lax.reducing import (
    argmax,
    argmin,
    concatenate,
    cumlogsumexp,
    cummax,
    cummin,
    cumprod,
    cumsum,
    pad,
    reduce,
    reduce_and,
    reduce_max,
    reduce_min,
    reduce_or,
    reduce_prod,
    reduce_sum,
    reduce_xor,
    sort,
    sort_key_val,
    split,
    stack,
    top_k,
    unstack,
)
from simulator.facade.jax.lax.shapes import (
    broadcast,
    broadcast_in_dim,
    broadcast_shapes,
    broadcast_to_rank,
    broadcasted_iota,
    collapse,
    empty,
    expand_dims,
    full,
    full_like,
    iota,
    reshape,
    rev,
    squeeze,
    tile,
    transpose,
)
from simulator.facade.jax.lax.slicing import (
    dynamic_index_in_dim,
    dynamic_slice,
    dynamic_slice_in_dim,
    dynamic_update_index_in_dim,
    dynamic_update_slice,
    dynamic_update_slice_in_dim,
    gather,
    index_in_dim,
    scatter,
    scatter_add,
    scatter_max,
    scatter_min,
    scatter_mul,
    scatter_sub,
    slice,
    slice_in_dim,
)
from simulator.facade.public import missing as _missing
from simulator.primitives import all as _primitives
from simulator.primitives.all import (
    GatherDimensionNumbers,
    GatherScatterMode,
    Precision,
    RoundingMethod,
    ScatterDimensionNumbers,
)

_absent = _missing("jax.lax")


def __getattr__(name: str):
    if name.endswith("_p") and hasattr(_primitives, name):
        return getattr(_primitives, name)
    return _absent(name)


# The modules behind this one are no part of jax.lax.
for _name in ("associative", "base", "branches", "convert", "elementwise", "loops", "parallel",
              "placing", "products", "reducing", "reshard", "shapes", "slicing"):
    globals().pop(_name, None)
