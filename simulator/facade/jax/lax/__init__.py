"""``jax.lax``: one primitive per function, no promotion of types."""

from simulator.facade import lazily as _lazily
from simulator.facade.public import missing as _missing

_absent = _missing("jax.lax")


def _other(name: str):
    if name.endswith("_p"):
        from simulator.primitives import all as primitives
        if hasattr(primitives, name):
            return getattr(primitives, name)
    return _absent(name)


__getattr__, __dir__ = _lazily.names(__name__, {
    ".associative": "associative_scan",
    ".base": "dtype",
    ".branches": "cond platform_dependent switch",
    ".convert": "bitcast_convert_type convert_element_type stage stage_p",
    ".convolution":
        """conv conv_dimension_numbers conv_general_dilated conv_transpose
        conv_with_general_padding""",
    ".fourier": "fft",
    "simulator.primitives.fourier": "FftType",
    ".elementwise": """
        abs acos acosh add asin asinh atan atan2 atanh bessel_i0e bessel_i1e bitwise_and
        bitwise_not bitwise_or bitwise_xor cbrt ceil clamp clz complex conj cos cosh
        digamma div eq erf erf_inv erfc exp exp2 expm1 floor ge gt imag integer_pow
        is_finite le lgamma log log1p logistic lt max min mul ne neg nextafter
        population_count pow real reciprocal reduce_precision rem round rsqrt select
        select_n shift_left shift_right_arithmetic shift_right_logical sign sin sinh
        sqrt square stop_gradient sub tan tanh""",
    ".": "linalg",
    ".loops": "fori_loop map while_loop",
    ".parallel": """
        all_gather all_to_all axis_index axis_size pbroadcast pmax pmean
        pcast pmin ppermute pshuffle psum psum_scatter pswapaxes""",
    ".placing": "optimization_barrier sharding_constraint_p with_sharding_constraint",
    "simulator.linalg.solves": "custom_linear_solve",
    "simulator.windows.convolution": "ConvDimensionNumbers",
    ".windowed": "reduce_window",
    "simulator.primitives.dot": "Precision",
    "simulator.primitives.gather": "GatherDimensionNumbers GatherScatterMode",
    "simulator.primitives.scatter": "ScatterDimensionNumbers",
    "simulator.primitives.sinks": "dce_sink",
    "simulator.primitives.unary": "RoundingMethod",
    ".products": "batch_matmul dot dot_general",
    ".reducing": """
        argmax argmin concatenate cumlogsumexp cummax cummin cumprod cumsum pad reduce
        reduce_and reduce_max reduce_min reduce_or reduce_prod reduce_sum reduce_xor
        sort sort_key_val split stack top_k unstack""",
    ".shapes": """
        broadcast broadcast_in_dim broadcast_shapes broadcast_to_rank broadcasted_iota
        collapse empty expand_dims full full_like iota reshape rev squeeze tile
        transpose""",
    ".scanning": "scan",
    ".slicing": """
        dynamic_index_in_dim dynamic_slice dynamic_slice_in_dim
        dynamic_update_index_in_dim dynamic_update_slice dynamic_update_slice_in_dim
        gather index_in_dim scatter scatter_add scatter_max scatter_min scatter_mul
        scatter_sub slice slice_in_dim""",
}, _other)
