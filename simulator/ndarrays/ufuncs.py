"""NumPy's elementwise functions on NDArrays: which type, then which Python function.

A `UFunc` finds the type its operands are computed in (`types`), the type of the
result, and applies a Python function to each element.  0-dimensional results
come back as scalars, as in NumPy.
"""

from __future__ import annotations

import math
import operator

from simulator.c_types import CType, written_in_c
from simulator.errors import OutOfScope
from simulator.ndarrays import real_math as rm
from simulator.ndarrays.cells import broadcast_list
from simulator.ndarrays.ndarray_core import NDArray
from simulator.ndarrays.ndarray_make import broadcast_shapes, check_int, operand, result_dtype
from simulator.types import dtype_core as dt
from simulator.types.rounding import cast, normalize
from simulator.types.scalar_types import as_scalar


def apply(fn, operands, compute: dt.DType | None, out: dt.DType) -> NDArray:
    """`fn` over broadcast operands, cast to `compute` first; the result brought into `out`.

    `compute` None takes the values as they are.
    """
    shape = broadcast_shapes(*(a.shape for a in operands))
    kinds = [(a.shape, a.dtype) for a in operands]

    def run(*lists):
        args = [broadcast_list(v if compute is None else cast(v, d, compute, saturate=False),
                               s, shape) for v, (s, d) in zip(lists, kinds)]
        return normalize(list(map(fn, *args)), out)
    return NDArray.lazy(shape, out, run, operands)


class UFunc(metaclass=CType):
    """An elementwise function.

    Args:
      fn: Python function of the elements.
      types: dtype -> (compute dtype, result dtype); raises TypeError if refused.

    As NumPy's own it takes no weak reference, so ``jax.jit(np.add)`` fails.
    """

    __slots__ = ("__name__", "nin", "nout", "fn", "types")

    def __init__(self, name, nin, fn, types):
        self.__name__, self.nin, self.fn, self.types = name, nin, fn, types
        self.nout = 1

    def __call__(self, *args, dtype=None, out=None, where=True, **kwargs):
        if kwargs or where is not True:
            raise OutOfScope(f"numpy.{self.__name__} with where or casting options")
        if len(args) == self.nin + 1:
            *args, out = args
        if len(args) != self.nin:
            raise TypeError(f"{self.__name__}() takes from {self.nin} to {self.nin + 1} "
                            f"positional arguments but {len(args)} were given")
        pairs = [operand(a) for a in args]
        common = result_dtype(pairs) if dtype is None else dt.dtype(dtype)
        compute, result = self.types(common)
        if common.family in "iu" and result is not dt.bool_:
            for (array, weak) in pairs:
                if weak == 1:
                    check_int(array.values()[0], common)
        if result is dt.bool_ and common.family in "iu" and any(w == 1 for _, w in pairs):
            # Compared as numbers: the Python int need not fit.
            compute = None
        got = apply(self.fn_for(common), [a for a, _ in pairs], compute, result)
        if out is not None:
            (out[0] if isinstance(out, tuple) else out)[...] = got
            return out[0] if isinstance(out, tuple) else out
        return as_scalar(got)

    def fn_for(self, compute):
        """The function on Python numbers for operands of dtype `compute`."""
        return self.fn[compute.family] if isinstance(self.fn, dict) else self.fn

    def __getattr__(self, name):
        if name in _KNOWN:
            raise OutOfScope(f"numpy.{self.__name__}.{name}", "use a loop or a jnp function")
        raise AttributeError(f"'numpy.ufunc' object has no attribute '{name}'")

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"


# Attributes that real ones have: refuse those, so that hasattr() does not lie.
_KNOWN = frozenset("""accumulate at identity nargs ntypes outer reduce reduceat resolve_dtypes
signature types""".split())
written_in_c(UFunc, "numpy.ufunc")


def _same(d):
    return d, d


def _to_bool(d):
    return d, dt.bool_


def _numeric(name):
    def rule(d):
        if d is dt.bool_:
            what, more = {
                "subtract": ("subtract, the `-` operator,",
                             "use the bitwise_xor, the `^` operator, or the logical_xor "
                             "function instead."),
                "negative": ("negative, the `-` operator,",
                             "use the `~` operator or the logical_not function instead."),
            }.get(name, (name, ""))
            article = "The numpy" if name == "negative" else "numpy"
            raise TypeError(f"{article} boolean {what} is not supported, {more}")
        return d, d
    return rule


def _true_divide(d):
    return (dt.float64, dt.float64) if d.family in "biu" else (d, d)


def _float(d):
    """Integers become floats of at least their width (int8 -> float16 ...)."""
    if d.family in "biu":
        d = {1: dt.float16, 2: dt.float32}.get(d.itemsize, dt.float64)
    return d, d


def _real_float(name):
    def rule(d):
        if d.family == "c":
            raise TypeError(f"ufunc '{name}' not supported for the input types, and the inputs "
                            "could not be safely coerced to any supported types according to "
                            "the casting rule ''safe''")
        return _float(d)
    return rule


def _int_only(name):
    def rule(d):
        if d.family not in "biu":
            raise TypeError(f"ufunc '{name}' not supported for the input types, and the inputs "
                            "could not be safely coerced to any supported types according to "
                            "the casting rule ''safe''")
        return d, d
    return rule


def _bool_as_int8(d):
    d = dt.int8 if d is dt.bool_ else d
    return d, d


def _abs_type(d):
    return d, dt.real_part(d)


def _floor_div(x, y):
    if type(x) is int:
        return x // y if y else 0
    if y == 0.0 or x != x or y != y or x in (math.inf, -math.inf):
        return rm.div(x, y) if y == 0.0 else math.nan
    return float(math.floor(x / y)) if math.isinf(y) else (x - x % y) / y


def _mod(x, y):
    if type(x) is int:
        return x % y if y else 0
    if y == 0.0 or x != x or y != y or x in (math.inf, -math.inf):
        return math.nan
    return x % y


def _power_int(x, y):
    if y < 0:
        raise ValueError("Integers to negative integer powers are not allowed.")
    return pow(x, y)


def _fmod_int(x, y):
    return int(math.fmod(x, y)) if y else 0


def _shift(fn):
    def shift(x, y):
        return fn(x, y) if 0 <= y < 64 else (0 if fn is operator.lshift or x >= 0 else -1)
    return shift


def _logaddexp(x, y):
    big = max(x, y)
    if math.isinf(big):
        return big
    return big + math.log1p(math.exp(min(x, y) - big))


def _arith(plain, boolean):
    return {**dict.fromkeys("iufc", plain), "b": boolean}


def _ordered(fn):
    """A comparison; complex numbers by real, then imaginary part."""
    return {**dict.fromkeys("biuf", fn),
            "c": lambda x, y: fn((x.real, x.imag), (y.real, y.imag))}


BINARY = {
    "add": (_arith(operator.add, operator.or_), _same),
    "subtract": (operator.sub, _numeric("subtract")),
    "multiply": (_arith(operator.mul, operator.and_), _same),
    "true_divide": (rm.div, _true_divide),
    "floor_divide": (_floor_div, _bool_as_int8),
    "remainder": (_mod, _bool_as_int8),
    "fmod": ({**dict.fromkeys("iu", _fmod_int), "f": rm.fmod}, _bool_as_int8),
    "power": ({**dict.fromkeys("iu", _power_int), **dict.fromkeys("fc", rm.power)},
              _bool_as_int8),
    "maximum": (rm.maximum, _same),
    "minimum": (rm.minimum, _same),
    "fmax": (lambda x, y: y if x != x else x if y != y else max(x, y), _same),
    "fmin": (lambda x, y: y if x != x else x if y != y else min(x, y), _same),
    "arctan2": (math.atan2, _real_float("arctan2")),
    "hypot": (math.hypot, _real_float("hypot")),
    "logaddexp": (_logaddexp, _real_float("logaddexp")),
    "copysign": (math.copysign, _real_float("copysign")),
    "nextafter": (math.nextafter, _real_float("nextafter")),
    "equal": (operator.eq, _to_bool), "not_equal": (operator.ne, _to_bool),
    "less": (_ordered(operator.lt), _to_bool), "less_equal": (_ordered(operator.le), _to_bool),
    "greater": (_ordered(operator.gt), _to_bool),
    "greater_equal": (_ordered(operator.ge), _to_bool),
    "logical_and": (lambda x, y: bool(x) and bool(y), _to_bool),
    "logical_or": (lambda x, y: bool(x) or bool(y), _to_bool),
    "logical_xor": (lambda x, y: bool(x) != bool(y), _to_bool),
    "bitwise_and": (operator.and_, _int_only("bitwise_and")),
    "bitwise_or": (operator.or_, _int_only("bitwise_or")),
    "bitwise_xor": (operator.xor, _int_only("bitwise_xor")),
    "left_shift": (_shift(operator.lshift), _int_only("left_shift")),
    "right_shift": (_shift(operator.rshift), _int_only("right_shift")),
}
UNARY = {
    "negative": (operator.neg, _numeric("negative")),
    "positive": (operator.pos, _numeric("positive")),
    "absolute": (abs, _abs_type),
    "fabs": (abs, _real_float("fabs")),
    "sign": (rm.sign, _numeric("sign")),
    "square": (lambda x: x * x, _bool_as_int8),
    "reciprocal": (lambda x: rm.div(1.0, x) if type(x) is not int else (int(1 / x) if x else 0),
                   _same),
    "conjugate": (lambda x: x.conjugate(), _same),
    "invert": ({"b": operator.not_, **dict.fromkeys("iu", operator.invert)},
               _int_only("invert")),
    "logical_not": (operator.not_, _to_bool),
    "isnan": (lambda x: x != x, _to_bool),
    "isinf": (lambda x: math.isinf(abs(x)), _to_bool),
    "isfinite": (lambda x: x == x and not math.isinf(abs(x)), _to_bool),
    "signbit": (lambda x: math.copysign(1.0, x) < 0, _to_bool),
    "floor": ({**dict.fromkeys("biu", lambda x: x), "f": rm.floor}, _same),
    "ceil": ({**dict.fromkeys("biu", lambda x: x), "f": rm.ceil}, _same),
    "trunc": ({**dict.fromkeys("biu", lambda x: x), "f": rm.trunc}, _same),
    "rint": (rm.round_even, _float),
    "sqrt": (rm.sqrt_any, _float), "cbrt": (math.cbrt, _real_float("cbrt")),
    "exp": (rm.exp, _float), "exp2": (rm.exp2, _float), "expm1": (rm.expm1, _float),
    "log": (rm.log_any, _float), "log2": (rm.log2, _real_float("log2")),
    "log10": (rm.log10, _real_float("log10")), "log1p": (rm.log1p_any, _float),
    "sin": (rm.sin, _float), "cos": (rm.cos, _float), "tan": (rm.tan, _float),
    "arcsin": (rm.asin, _float), "arccos": (rm.acos, _float), "arctan": (rm.atan, _float),
    "sinh": (rm.sinh_any, _float), "cosh": (rm.cosh_any, _float), "tanh": (rm.tanh, _float),
    "arcsinh": (rm.asinh, _float), "arccosh": (rm.acosh, _float),
    "arctanh": (rm.atanh_any, _float),
    "deg2rad": (math.radians, _real_float("deg2rad")),
    "rad2deg": (math.degrees, _real_float("rad2deg")),
}
ALIASES = {"divide": "true_divide", "mod": "remainder", "abs": "absolute", "conj": "conjugate",
           "bitwise_not": "invert", "bitwise_invert": "invert", "pow": "power",
           "acos": "arccos", "asin": "arcsin", "atan": "arctan", "atan2": "arctan2",
           "acosh": "arccosh", "asinh": "arcsinh", "atanh": "arctanh",
           "radians": "deg2rad", "degrees": "rad2deg"}

UFUNCS = {name: UFunc(name, 2, *spec) for name, spec in BINARY.items()}
UFUNCS.update({name: UFunc(name, 1, *spec) for name, spec in UNARY.items()})
for _alias, _name in ALIASES.items():
    UFUNCS[_alias] = UFUNCS[_name]
