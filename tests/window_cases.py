"""Cases of `primitive_cases` for windows, transforms and factorizations."""

from __future__ import annotations

from primitive_cases import Both, Case

F32 = "float32"


def _windows(**changes):
    return {"window_dimensions": (2, 2), "window_strides": (1, 2), "padding": ((0, 1), (0, 0)),
            "base_dilation": (1, 1), "window_dilation": (1, 1), **changes}


def window_cases():
    """Pooling, its derivatives, and windows that do not fit."""
    for name in ("reduce_window_sum", "reduce_window_max", "reduce_window_min"):
        for d in ("int32", F32, "bfloat16"):
            yield Case(name, (((4, 5), d, False),), _windows())
        yield Case(name, (((4, 5), F32, True),), _windows(window_dilation=(1, 2)))
        yield Case(name, (((4, 5), F32, False),), _windows(base_dilation=(2, 1)),
                   values=name == "reduce_window_sum")
        yield Case(name, (((4, 5, 2), F32, False),), _windows())
        yield Case(name, (((4, 5), F32, False),), _windows(window_strides=(1,)))
    selected = {k: v for k, v in _windows().items() if "dilation" not in k}
    for prim in ("ge", "le"):
        yield Case("select_and_scatter_add", (((5, 2), F32, False), ((4, 5), F32, False)),
                   {"select_prim": Both("primitive", prim), **selected}, values=False)
        yield Case("select_and_gather_add", (((4, 5), F32, False), ((4, 5), F32, False)),
                   {"select_prim": Both("primitive", prim), **_windows()}, values=False)


def _conv(**changes):
    return {"window_strides": (1, 1), "padding": ((1, 1), (0, 1)), "lhs_dilation": (1, 1),
            "rhs_dilation": (1, 1),
            "dimension_numbers": Both("conv", ((0, 1, 2, 3), (0, 1, 2, 3), (0, 1, 2, 3))),
            "feature_group_count": 1, "batch_group_count": 1, "precision": None,
            "preferred_element_type": None, "out_sharding": None, **changes}


def convolution_cases():
    """Convolutions: strides, dilation, padding, groups, and their errors."""
    name, plain = "conv_general_dilated", (((2, 4, 5, 6), F32, False), ((3, 4, 2, 3), F32, False))
    grouped = (((2, 4, 5, 6), F32, False), ((6, 2, 2, 3), F32, False))
    yield Case(name, plain, _conv())
    yield Case(name, plain, _conv(window_strides=(2, 3)))
    yield Case(name, plain, _conv(rhs_dilation=(2, 1)))
    yield Case(name, plain, _conv(lhs_dilation=(2, 2)))
    yield Case(name, plain, _conv(padding=((1, -1), (0, 0))))
    yield Case(name, grouped, _conv(feature_group_count=2))
    yield Case(name, (((2, 4, 5, 6), F32, False), ((6, 4, 2, 3), F32, False)),
               _conv(batch_group_count=2))
    yield Case(name, plain, _conv(feature_group_count=2))
    yield Case(name, plain, _conv(feature_group_count=3))
    yield Case(name, plain, _conv(window_strides=(1,)))
    yield Case(name, plain, _conv(padding=((0, 0),)))
    yield Case(name, (((2, 5, 6, 4), F32, False), ((2, 3, 4, 3), F32, False)), _conv(
        dimension_numbers=Both("conv", ((0, 3, 1, 2), (3, 2, 0, 1), (0, 3, 1, 2)))))
    yield Case(name, (((1, 2, 4), "int32", False), ((1, 2, 2), "int32", False)), _conv(
        window_strides=(1,), padding=((0, 0),), lhs_dilation=(1,), rhs_dilation=(1,),
        dimension_numbers=Both("conv", ((0, 1, 2),) * 3)))


def fourier_cases():
    """Fourier transforms of every kind and some wrong ones."""
    for kind, d in ((0, "complex64"), (1, "complex64"), (3, "complex64"), (2, F32), (0, F32),
                    (2, "complex64"), (0, "complex128"), (2, "float64")):
        for shape, lengths in (((6,), (6,)), ((2, 5), (5,)), ((3, 4), (3, 4)), ((6,), (5,)),
                               ((4,), (2, 4))):
            yield Case("fft", ((shape, d, False),), {"fft_type": Both("fft", kind),
                                                     "fft_lengths": lengths}, values=kind != 3)


def factor_cases():
    """Factorizations and triangular solves."""
    for d in (F32, "float64", "complex64", "int32"):
        for shape in ((3, 3), (2, 3, 3), (2, 3), (3,)):
            yield Case("cholesky", ((shape, d, False),), {}, values=False)
            yield Case("lu", ((shape, d, False),), {}, values=d != "complex64")
        for shape in ((3, 2), (2, 3), (2, 3, 3)):
            yield Case("geqrf", ((shape, d, False),), {}, values=False)
            for full in (False, True):
                yield Case("qr", ((shape, d, False),), {
                    "pivoting": False, "full_matrices": full, "use_magma": None},
                    values=d != "complex64")
    for left in (True, False):
        for lower in (True, False):
            for turned in (True, False):
                yield Case("triangular_solve", (((3, 3), F32, False), ((3, 3), F32, False)), {
                    "left_side": left, "lower": lower, "transpose_a": turned,
                    "conjugate_a": False, "unit_diagonal": True})
    solve = {"left_side": True, "lower": True, "transpose_a": False, "conjugate_a": False,
             "unit_diagonal": False}
    for a, b in (((3, 3), (2, 3)), ((2, 3), (3, 3)), ((3, 3), (3, 4)), ((3, 3), (2, 3, 4))):
        yield Case("triangular_solve", ((a, F32, False), (b, F32, False)), solve, values=False)
    yield Case("householder_product", (((3, 2), F32, False), ((2,), F32, False)), {})
    yield Case("householder_product", (((2, 3), F32, False), ((2,), F32, False)), {})
    yield Case("lu_pivots_to_permutation", (((3,), "int32", False),), {"permutation_size": 4},
               values=False)


FAMILIES = {"windows": window_cases, "convolution": convolution_cases, "fourier": fourier_cases,
            "factors": factor_cases}
