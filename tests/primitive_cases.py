"""Every primitive with operands and parameters, for `test_primitives`.

A case is `(name, operands, params)`: an operand is `(shape, dtype, weak)`, a
parameter that the two sides spell differently is given as a `Both`.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Both(NamedTuple):
    """One value for the model, one for real JAX, each made by a function of a namespace."""

    kind: str
    value: Any


class Case(NamedTuple):
    """One application of a primitive. `operands`: (shape, dtype, weak) of each."""

    name: str
    operands: tuple
    params: dict
    values: bool = True      # compare numbers, too
    domain: str = "any"      # unit: in (-1, 1); positive; small: few distinct values

    def __repr__(self):
        ops = ",".join(f"{'~' if w else ''}{d}{list(s)}" for s, d, w in self.operands)
        return f"{self.name}({ops} {self.params})"


def dtype(name):
    """The dtype `name` on either side."""
    return Both("dtype", name)


FLOATS = ("float32", "bfloat16", "float16", "float64")
INTS = ("int32", "int8", "uint8", "uint32", "int64", "uint64")
COMPLEX = ("complex64",)
ALL = ("bool", *INTS, *FLOATS, *COMPLEX)
ACCURACY = {"accuracy": None}


def unary_cases():
    """Functions of one number, in every dtype, weak, and empty."""
    plain = ("neg sign abs floor ceil square not is_finite real imag conj asin acos atan sinh "
             "cosh asinh acosh atanh erf erfc erf_inv lgamma digamma bessel_i0e bessel_i1e "
             "population_count clz").split()
    accurate = ("exp exp2 expm1 log log1p tanh logistic sin cos tan sqrt rsqrt cbrt").split()
    unit = {"asin", "acos", "atanh", "erf_inv"}
    positive = {"log", "sqrt", "rsqrt", "acosh", "lgamma", "digamma"}
    for name in plain + accurate:
        for d in ALL:
            params = dict(ACCURACY) if name in accurate else {}
            if name == "conj":
                params = {"input_dtype": dtype(d)}
            domain = "unit" if name in unit else "positive" if name in positive else "any"
            yield Case(name, (((3,), d, False),), params, domain=domain)
        yield Case(name, (((), "float32", True),), params, values=False)
        yield Case(name, (((2, 0), "float32", False),), params, values=False)
    for d in ALL:
        for method in (0, 1):
            yield Case("round", (((6,), d, False),), {"rounding_method": Both("rounding", method)})
        for y in (-2, -1, 0, 1, 2, 3, 7):
            yield Case("integer_pow", (((3,), d, True),), {"y": y}, values=y >= 0 or d[0] in "fbc")
        yield Case("stop_gradient", (((3,), d, True),), {}, values=False)
    for e, m in ((5, 10), (8, 7), (4, 3), (8, 23), (0, 2), (3, -1)):
        yield Case("reduce_precision", (((6,), "float32", False),),
                   {"exponent_bits": e, "mantissa_bits": m})


BINARY = ("add sub mul div rem max min atan2 nextafter complex and or xor shift_left "
          "shift_right_logical shift_right_arithmetic pow eq ne lt le gt ge eq_to lt_to "
          "le_to").split()


def binary_cases():
    """Functions of two numbers, in every dtype, and shapes that do not go together."""
    for name in BINARY:
        params = {"out_dtype": None} if name == "mul" else {}
        for d in ALL:
            # XLA itself refuses total orders of complex numbers.
            yield Case(name, (((6,), d, False), ((6,), d, False)), params,
                       values=not (d in COMPLEX and name.endswith("_to")))
        f, i = "float32", "int32"
        for ops in (
                (((2, 3), f, False), ((2, 3), f, True)), (((2, 3), f, True), ((2, 3), f, True)),
                (((), f, True), ((3,), f, False)), (((2, 1), f, False), ((2, 3), f, False)),
                (((2,), f, False), ((3,), f, False)), (((2, 3), f, False), ((3,), f, False)),
                (((3,), f, False), ((3,), i, False)), (((3,), i, True), ((3,), f, True)),
                (((3,), i, False), ((), i, True)), (((0,), i, False), ((0,), i, False)),
                (((1, 3), i, False), ((2, 1), i, False))):
            yield Case(name, ops, params)
    for x, y in (("float32", "int32"), ("complex64", "int32"), ("float32", "complex64"),
                 ("int32", "int32"), ("bfloat16", "uint8")):
        yield Case("pow", (((3,), x, False), ((3,), y, False)), {}, domain="positive")
    yield Case("mul", (((3,), "int32", False), ((3,), "int32", False)),
               {"out_dtype": dtype("float32")}, values=False)
    yield Case("add_any", (((3,), "float32", True), ((3,), "float32", True)), {})


def shape_cases():
    """Conversions, and operations that change shapes."""
    for d in ALL:
        for new in ALL:
            for weak in (False, True):
                yield Case("convert_element_type", (((6,), d, False),),
                           {"new_dtype": dtype(new), "weak_type": weak, "sharding": None},
                           values=not weak)
    for d, new, shape in (("float32", "int32", (3,)), ("int32", "float32", ()),
                          ("float32", "uint8", (2,)), ("uint8", "float32", (2, 4)),
                          ("uint8", "float32", (3,)), ("bool", "uint8", (3,)),
                          ("bfloat16", "uint16", (3,)), ("int8", "uint8", (3,)),
                          ("complex64", "float32", (3,))):
        yield Case("bitcast_convert_type", ((shape, d, True),), {"new_dtype": dtype(new)})
    for shape, to, dims in (((3,), (2, 3), (1,)), ((3,), (3, 2), (0,)), ((), (2, 2), ()),
                            ((1, 3), (2, 3), (0, 1)), ((3,), (2, 2), (1,)), ((3,), (3,), ()),
                            ((3, 1), (3, 2, 4), (0, 1)), ((2, 3), (3,), (0, 1)),
                            ((3,), (2, 3), (5,)), ((2, 2), (2, 2), (0, 0))):
        yield Case("broadcast_in_dim", ((shape, "float32", True),),
                   {"shape": to, "broadcast_dimensions": dims, "sharding": None})
    for shape, to, dims in (((2, 3), (6,), None), ((2, 3), (3, 2), None), ((2, 3), (3, 2), (1, 0)),
                            ((2, 3), (6,), (0,)), ((6,), (-1, 6), None), ((0, 3), (0,), None)):
        yield Case("reshape", ((shape, "int32", True),),
                   {"new_sizes": to, "dimensions": dims, "sharding": None})
    for shape, perm in (((2, 3), (1, 0)), ((2, 3, 4), (2, 0, 1)), ((2, 3), (0,)), ((2, 3), (0, 0)),
                        ((), ())):
        yield Case("transpose", ((shape, "float32", True),), {"permutation": perm})
    for shape, dims in (((1, 3, 1), (0,)), ((1, 3, 1), (0, 2)), ((2, 3), (0,)), ((1, 3), (5,)),
                        ((1, 3), (0, 0)), ((3,), ())):
        yield Case("squeeze", ((shape, "float32", True),), {"dimensions": dims})
        yield Case("rev", ((shape, "float32", True),), {"dimensions": dims})
    for shape, reps in (((2, 3), (2, 1)), ((2, 3), (2, 3)), ((2,), (1, 2)), ((2, 2), (0, 2))):
        yield Case("tile", ((shape, "float32", True),), {"reps": reps}, values=0 not in reps)


def joining_cases():
    """Operations that join and cut."""
    f = "float32"
    for shapes, dim in (([(2, 3), (1, 3)], 0), ([(2, 3), (2, 1)], 1), ([(2,), (3,)], 0),
                        ([(2, 3), (1, 2)], 0), ([(2,), (2, 3)], 0), ([(2,), (3,)], 1),
                        ([(2, 2), (0, 2)], 0)):
        yield Case("concatenate", tuple((s, f, i == 0) for i, s in enumerate(shapes)),
                   {"dimension": dim})
    yield Case("concatenate", (((2,), f, False), ((2,), "int32", False)), {"dimension": 0})
    for shapes, axis in (([(2, 3), (2, 3)], 0), ([(2, 3), (2, 3)], 2), ([(2,), (3,)], 0),
                         ([(2,), (2, 3)], 0), ([(), ()], 0)):
        yield Case("stack", tuple((s, f, True) for s in shapes), {"axis": axis})
    for shape, axis in (((2, 3), 0), ((2, 3), 1), ((), 0)):
        yield Case("unstack", ((shape, f, True),), {"axis": axis}, values=shape != ())
    for sizes, axis in (((1, 1), 0), ((1, 2), 1), ((2, 2), 1), ((-1, 3), 0), ((0, 2), 0)):
        yield Case("split", (((2, 3), f, True),), {"sizes": sizes, "axis": axis})
    for shape, config in (((3,), ((1, 2, 0),)), ((2, 2), ((0, 1, 1), (1, 0, 2))),
                          ((4,), ((-1, -1, 0),)), ((4,), ((1, -2, 1),)), ((2,), ((-3, 0, 0),)),
                          ((2,), ((0, 0, 0), (0, 0, 0))), ((2,), ((0, 0, -1),)),
                          ((0,), ((1, 1, 2),))):
        yield Case("pad", ((shape, f, True), ((), f, False)), {"padding_config": config})
    yield Case("pad", (((2,), f, True), ((2,), f, False)), {"padding_config": ((0, 0, 0),)})
    yield Case("pad", (((2,), f, True), ((), "int32", False)), {"padding_config": ((0, 0, 0),)})
    for start, limit, strides in (((0, 1), (2, 3), None), ((0, 0), (4, 3), (2, 1)),
                                  ((1, 0), (4, 3), (2, 2)), ((0, 0), (5, 3), None),
                                  ((-1, 0), (4, 3), None), ((2, 2), (1, 3), None),
                                  ((0,), (4,), None), ((0, 0), (4,), None),
                                  ((0, 0), (4, 3), (1,)), ((0, 0), (4, 3), (1, 1))):
        yield Case("slice", (((4, 3), f, True),),
                   {"start_indices": start, "limit_indices": limit, "strides": strides})
    i = "int32"
    for sizes, idx in (((2, 2), i), ((4, 3), i), ((5, 3), i), ((-1, 2), i), ((2, 2), f),
                       ((2, 2), "uint8")):
        yield Case("dynamic_slice", (((4, 3), f, True), ((), idx, False), ((), idx, False)),
                   {"slice_sizes": sizes})
    yield Case("dynamic_slice", (((4,), f, True), ((2,), i, False)), {"slice_sizes": (2,)},
               values=False)
    for update, d in (((2, 2), f), ((5, 2), f), ((2,), f), ((2, 2), i)):
        yield Case("dynamic_update_slice",
                   (((4, 3), f, True), (update, d, True), ((), i, True), ((), i, True)), {})
    yield Case("dynamic_update_slice", (((4, 3), f, True), ((2, 2), f, True), ((), i, True)), {})


def selection_cases():
    """Selection and clamping."""
    for w, c in (((3,), (3,)), ((), (3,)), ((2,), (3,))):
        for d in ("bool", "int32", "float32"):
            yield Case("select_n", ((w, d, False), (c, "float32", True), (c, "float32", True)), {},
                       domain="small")
    for n, w in ((1, "bool"), (3, "int32"), (3, "bool"), (0, "bool")):
        yield Case("select_n", (((3,), w, False), *[((3,), "int32", i == 0) for i in range(n)]),
                   {}, values=n > 0, domain="small")
    yield Case("select_n", (((3,), "bool", False), ((3,), "int32", False),
                            ((3,), "float32", False)), {})
    yield Case("select_n", (((3,), "bool", False), ((3,), "int32", False), ((2,), "int32", False)),
               {})
    for low, x, high in (((), (3,), ()), ((3,), (3,), (3,)), ((2,), (3,), ()), ((), (3,), (2,))):
        for d in ("float32", "int32", "bool", "complex64"):
            yield Case("clamp", ((low, d, True), (x, d, False), (high, d, True)), {},
                       values=d != "complex64")
    yield Case("clamp", (((), "int32", True), ((3,), "float32", False), ((), "int32", True)), {})


def reduction_cases():
    """Reductions over axes, running ones too, and their errors."""
    for name in ("reduce_sum", "reduce_prod", "reduce_max", "reduce_min", "reduce_and",
                 "reduce_or", "reduce_xor"):
        extra = {"out_sharding": None} if name[7:] in ("sum", "max", "min") else {}
        for d in ALL:
            yield Case(name, (((2, 3), d, True),), {"axes": (0,), **extra},
                       values=d != "complex64" or name in ("reduce_sum", "reduce_prod"))
        for axes in ((0, 1), (1,), (), (0, 0), (5,)):
            yield Case(name, (((2, 3), "int32", True),), {"axes": axes, **extra},
                       values=axes != (0, 0))
    for name in ("argmax", "argmin"):
        for axis, d, index in ((0, "float32", "int32"), (1, "int32", "uint8"),
                               (0, "bool", "int32"), (3, "float32", "int32"),
                               (0, "float32", "float32")):
            yield Case(name, (((4, 3), d, True),), {"axes": (axis,), "index_dtype": dtype(index)})
        yield Case(name, (((0, 3), "float32", True),),
                   {"axes": (0,), "index_dtype": dtype("int32")})
    for name in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"):
        for d in ALL:
            for axis, reverse in ((0, False), (1, True)):
                floats = d in FLOATS
                yield Case(name, (((3, 2), d, True),), {"axis": axis, "reverse": reverse},
                           values=d not in COMPLEX and (floats or name != "cumlogsumexp"))
        for axis in (-1, 2):
            yield Case(name, (((3, 2), "float32", True),), {"axis": axis, "reverse": False})


def dot_cases():
    """Products of arrays, with every kind of dimension numbers."""
    base = {"precision": None, "preferred_element_type": None, "out_sharding": None}
    for a, b, dims in (
            ((2, 3), (3, 4), (((1,), (0,)), ((), ()))), ((3,), (3,), (((0,), (0,)), ((), ()))),
            ((2, 3), (4, 3), (((1,), (1,)), ((), ()))),
            ((5, 2, 3), (5, 3, 4), (((2,), (1,)), ((0,), (0,)))),
            ((2, 3), (2, 3), (((0, 1), (0, 1)), ((), ()))), ((2,), (3,), (((), ()), ((), ()))),
            ((2, 3), (4, 4), (((1,), (0,)), ((), ()))), ((2, 3), (3, 4), (((5,), (0,)), ((), ()))),
            ((5, 2), (4, 2), (((1,), (1,)), ((0,), (0,)))),
            ((2, 3), (3, 4), (((1, 1), (0, 1)), ((), ()))),
            ((2, 3), (3, 4), (((1,), (0,)), ((1,), (0,)))),
            ((2, 3), (3, 4), (((1,), (0,)), ((0,), ())))):
        yield Case("dot_general", ((a, "float32", True), (b, "float32", False)),
                   {"dimension_numbers": dims, **base})
    matmul = (((1,), (0,)), ((), ()))
    for d in ALL:
        yield Case("dot_general", (((2, 3), d, True), ((3, 2), d, True)),
                   {"dimension_numbers": matmul, **base})
    for a, b, pref in (("float32", "bfloat16", None), ("int32", "float32", None),
                       ("int8", "int8", "int32"), ("int32", "int32", "int8"),
                       ("float32", "float32", "float64"), ("bfloat16", "float16", None),
                       ("int32", "uint32", None), ("bfloat16", "bfloat16", "float32")):
        yield Case("dot_general", (((2, 3), a, False), ((3, 2), b, False)),
                   {"dimension_numbers": matmul, **base,
                    "preferred_element_type": dtype(pref) if pref else None}, values=a == b)


def sorting_cases():
    """Sorting and the largest k."""
    for d in ALL:
        yield Case("sort", (((2, 4), d, True),),
                   {"dimension": 1, "is_stable": True, "num_keys": 1}, domain="small")
        yield Case("top_k", (((2, 4), d, True),), {"k": 2, "axis": 1, "is_stable": True},
                   domain="small")
    yield Case("sort", (((4,), "int32", True), ((4,), "float32", False)),
               {"dimension": 0, "is_stable": True, "num_keys": 1}, domain="small")
    yield Case("sort", (((4,), "int32", True), ((4,), "float32", False)),
               {"dimension": 0, "is_stable": True, "num_keys": 2}, domain="small")
    yield Case("sort", (((4,), "int32", True), ((3,), "float32", False)),
               {"dimension": 0, "is_stable": True, "num_keys": 1})
    for shape, k, axis in (((2, 4), 5, 1), ((2, 4), -1, 1), ((), 1, 0), ((2, 4), 1, 2),
                           ((2, 4), 1, 0)):
        yield Case("top_k", ((shape, "float32", True),), {"k": k, "axis": axis, "is_stable": True},
                   values=shape != ())


def indexing_cases():
    """Slices, gathers and scatters."""
    mode = {m: Both("mode", m) for m in ("CLIP", "FILL_OR_DROP", "PROMISE_IN_BOUNDS")}

    def dims(*lists):
        return Both("gather", lists)

    common = {"unique_indices": False, "indices_are_sorted": False}
    for operand, indices, numbers, sizes in (
            ((4, 3), (5, 1), ((1,), (0,), (0,)), (1, 3)),
            ((4, 3), (5, 2), ((), (0, 1), (0, 1)), (1, 1)),
            ((4, 3), (1,), ((0,), (0,), (0,)), (1, 3)),
            ((4, 3), (2, 5, 1), ((0,), (1,), (1,)), (4, 1)),
            ((6,), (3, 1), ((1,), (), (0,)), (2,)),
            ((4, 3), (5, 2), ((1,), (0,), (0,)), (1, 3)),
            ((4, 3), (5, 1), ((1,), (0,), (0,)), (2, 3)),
            ((4, 3), (5, 1), ((1,), (0,), (0,)), (1, 9)),
            ((4, 3), (5, 1), ((3,), (0,), (0,)), (1, 3)),
            ((4, 3), (5, 1), ((1,), (0,), (7,)), (1, 3)),
            ((4, 3), (4, 1), ((), (1,), (1,), (0,), (0,)), (1, 1))):
        for m in mode.values():
            for d in ("float32", "int32"):
                yield Case("gather", ((operand, d, True), (indices, "int32", False)),
                           {"dimension_numbers": dims(*numbers), "slice_sizes": sizes, **common,
                            "mode": m, "fill_value": {"float32": 2.5, "int32": -9}[d]
                            if m.value == "FILL_OR_DROP" else None}, domain="small")
    yield Case("gather", (((4,), "float32", True), ((5, 1), "float32", False)),
               {"dimension_numbers": dims((), (0,), (0,)), "slice_sizes": (1,), **common,
                "mode": mode["CLIP"], "fill_value": None})
    for name in ("scatter", "scatter-add", "scatter-sub", "scatter-mul", "scatter-min",
                 "scatter-max"):
        for operand, indices, updates, numbers in (
                ((4, 3), (5, 1), (5, 3), ((1,), (0,), (0,))),
                ((4, 3), (1,), (3,), ((0,), (0,), (0,))),
                ((4, 3), (5, 2), (5,), ((), (0, 1), (0, 1))),
                ((6,), (2, 1), (2, 2), ((1,), (), (0,))),
                ((4, 3), (5, 1), (4, 3), ((1,), (0,), (0,))),
                ((4, 3), (5, 1), (5, 9), ((1,), (0,), (0,))),
                ((4, 3), (5, 1), (5,), ((1,), (0,), (0,))),
                ((4, 3), (5, 2), (5, 3), ((1,), (0,), (0,))),
                ((4, 3), (4, 1), (4,), ((), (1,), (1,), (0,), (0,)))):
            for m in mode.values():
                yield Case(name, ((operand, "int32", True), (indices, "int32", False),
                                  (updates, "int32", False)),
                           {"update_jaxpr": None, "update_consts": (),
                            "dimension_numbers": Both("scatter", numbers), "mode": m, **common},
                           values=m.value == "FILL_OR_DROP" and name != "scatter",
                           domain="small")
    yield Case("scatter", (((4,), "float32", True), ((2, 1), "int32", False),
                           ((2,), "int32", False)),
               {"update_jaxpr": None, "update_consts": (),
                "dimension_numbers": Both("scatter", ((), (0,), (0,))), "mode": mode["CLIP"],
                **common})


def creation_cases():
    """What makes arrays from nothing, and what leaves them alone."""
    for d in ALL:
        yield Case("iota", (), {"dtype": dtype(d), "shape": (2, 3), "dimension": 1,
                                "sharding": None})
    for shape, dim in (((3,), 0), ((3,), 1), ((300,), 0), ((0,), 0)):
        yield Case("iota", (), {"dtype": dtype("uint8"), "shape": shape, "dimension": dim,
                                "sharding": None})
    yield Case("empty", (), {"shape": (2, 3), "dtype": dtype("float32"), "out_sharding": None})
    yield Case("empty2", (), {"dtype": dtype("int8"), "memory_space": Both("memory", "Device")})
    for n in (0, 1, 2):
        yield Case("optimization_barrier", tuple(((3,), "float32", True) for _ in range(n)), {},
                   values=n > 0)
    yield Case("copy", (((3,), "float32", True),), {})
    yield Case("dce_sink", (((3,), "float32", True),), {"prevent_mlir_dce": False}, values=False)
    yield Case("tie", (((3,), "float32", True), ((2,), "int32", True)), {}, values=False)
    yield Case("iota_2x32_shape", (), {"shape": (2, 3)})
    yield Case("threefry2x32", tuple(((4,), "uint32", False) for _ in range(4)), {})
    yield Case("threefry2x32", tuple(((4,), "int32", False) for _ in range(4)), {})
    yield Case("threefry2x32", (((), "uint32", False), ((), "uint32", False),
                                ((4,), "uint32", False), ((4,), "uint32", False)), {})


FAMILIES = {"unary": unary_cases, "binary": binary_cases, "shapes": shape_cases,
            "joining": joining_cases, "selection": selection_cases,
            "reductions": reduction_cases, "dot": dot_cases, "sorting": sorting_cases,
            "indexing": indexing_cases, "creation": creation_cases}
