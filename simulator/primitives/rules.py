"""Rules of elementwise primitives: accepted types, equal types, equal shapes.

JAX source: jax/_src/lax/lax.py: unop_dtype_rule, naryop_dtype_rule,
broadcasting_shape_rule, check_same_dtypes, broadcasting_sharding_rule.

Simplified: JAX lists the accepted kinds of an error in the order of a set of
classes, which changes from process to process; here the order is fixed.
"""

from __future__ import annotations

from simulator.ndarrays.cells import broadcast_list
from simulator.primitives.ambient import x64
from simulator.primitives.core import Primitive
from simulator.primitives.explicit import broadcasting
from simulator.primitives.standard import standard
from simulator.types.dtype_core import DType
from simulator.types.promotion import canonicalize
from simulator.types.rounding import normalize

INT, FLOAT, COMPLEX, BOOL = ("integer",), ("floating",), ("complexfloating",), ("bool",)
SIGNED = ("signedinteger",)
NUM = INT + FLOAT + COMPLEX
ANY = NUM + BOOL
ORDERED = INT + FLOAT + BOOL
BOOL_OR_INT = INT + BOOL
_FAMILIES = {"integer": "iu", "signedinteger": "i", "floating": "f", "complexfloating": "c",
             "bool": "b"}

_FLOAT0_TAIL = (
    "float0s do not support any operations by design, because they are not compatible with "
    "non-trivial vector spaces. No implicit dtype conversion is done. You can use "
    "np.zeros_like(arr, dtype=np.float) to cast a float0 array to a regular zeros array. \n"
    "If you didn't expect to get a float0 you might have accidentally taken a gradient with "
    "respect to an integer argument.")

# jnp functions that promote by themselves, named in the error of the strict lax
# function: first those of the same name, then the others.
_JNP_TWINS = {name: name for name in (
    "add bitwise_and bitwise_not bitwise_or bitwise_xor cbrt ceil concatenate cos cosh exp "
    "expm1 floor greater greater_equal less less_equal log logical_and logical_not logical_or "
    "logical_xor log1p nextafter round sign sin sinh sqrt tan tanh").split()}
_JNP_TWINS.update(
    abs="fabs", acos="arccos", acosh="arccosh", asin="arcsin", asinh="arcsinh", atan="arctan",
    atan2="arctan2", atanh="arctanh", div="divide", eq="equal", max="maximum", min="minimum",
    mul="multiply", ne="not_equal", neg="negative", pow="float_power", select="where",
    shift_left="left_shift", shift_right_logical="right_shift",
    shift_right_arithmetic="right_shift", sub="subtract")


def accepts(dt: DType, kinds) -> bool:
    """Whether a dtype is one of `kinds`: names of families or of dtypes."""
    return any(dt.family in _FAMILIES[k] if k in _FAMILIES else dt.name == k for k in kinds)


def check_same_dtypes(name: str, *avals) -> None:
    """TypeError unless all dtypes agree; PRNG keys are not looked at."""
    if any(a.dtype.family == "k" for a in avals) or len(avals) < 2:
        return
    if any(a.dtype is not avals[0].dtype for a in avals[1:]):
        text = (f"lax.{name} requires arguments to have the same dtypes, got "
                f"{', '.join(str(a.dtype) for a in avals)}.")
        if name in _JNP_TWINS:
            text += (f" (Tip: jnp.{_JNP_TWINS[name]} is a similar function that does automatic "
                     "type promotion on inputs).")
        raise TypeError(text)


def check_shapelike(name: str, what: str, given) -> None:
    """TypeError unless `given` is a tuple or list of nonnegative integers."""
    if not isinstance(given, (tuple, list)):
        raise TypeError(f"{name} {what} must be of type tuple/list/ndarray, got {type(given)}.")
    if not all(hasattr(n, "__index__") for n in given):
        raise TypeError(f"{name} {what} must have every element be an integer type, got "
                        f"{tuple(map(type, given))}.")
    if not all(n >= 0 for n in given):
        raise TypeError(f"{name} {what} must have every element be nonnegative, got {given}.")


def unary_dtype(result, kinds, name):
    """Dtype rule of a unary operation."""
    def rule(operand, **params):
        dt = operand.dtype
        if dt.family == "v":
            raise TypeError(f"Called {name} with a float0 array. {_FLOAT0_TAIL}")
        if not accepts(dt, kinds):
            raise TypeError(f"{name} does not accept dtype {dt.name}. Accepted dtypes are "
                            f"subtypes of {', '.join(kinds)}.")
        return result(dt)
    return rule


def nary_dtype(result, kinds, name, keys=False, same=True):
    """Dtype rule of an operation on several operands; `keys` lets PRNG keys through."""
    def rule(*operands, **params):
        for i, (a, accepted) in enumerate(zip(operands, kinds)):
            dt = a.dtype
            if keys and dt.family == "k":
                continue
            if accepts(dt, accepted):
                continue
            if dt.family == "v":
                raise TypeError(f"Called {name} with a float0 at position {i}. {_FLOAT0_TAIL}")
            raise TypeError(f"{name} does not accept dtype {dt.name} at position {i}. Accepted "
                            f"dtypes at position {i} are subtypes of {', '.join(accepted)}.")
        if same and params.get("out_dtype") is None:
            check_same_dtypes(name, *operands)
        return result(*operands, **params)
    return rule


def input_dtype(operand, *more, out_dtype=None, **params) -> DType:
    """The rule of results with the dtype of the first operand, or with ``out_dtype``."""
    return operand.dtype if out_dtype is None else canonicalize(out_dtype, x64())


def broadcast_shape(name: str, *operands) -> tuple[int, ...]:
    """Equal ranks (or scalars), sizes equal or 1."""
    shapes = [a.shape for a in operands if a.shape]
    if not shapes:
        return ()
    ranks = {len(s) for s in shapes}
    if len(ranks) != 1:
        raise TypeError(f"{name}: arrays must have the same number of dimensions, got {ranks}")
    out = []
    for sizes in zip(*shapes):
        wide = [n for n in sizes if n != 1]
        if any(n != wide[0] for n in wide):
            raise TypeError(f"{name} got incompatible shapes for broadcasting: "
                            f"{', '.join(str(tuple(s)) for s in shapes)}.")
        out.append(wide[0] if wide else 1)
    return tuple(out)


def same_spec(operand, *more, **params) -> tuple:
    """The rule of results sharded as the first operand."""
    return operand.spec


def same_shape(operand, *more, **params) -> tuple[int, ...]:
    """The rule of results shaped as the first operand."""
    return operand.shape


def by_family(fn):
    """`fn` or, from a dict keyed by families (``"iu"``), the one for a dtype."""
    if not isinstance(fn, dict):
        return lambda dt: fn
    table = {f: g for families, g in fn.items() for f in families}
    return lambda dt: table[dt.family]


def _accuracy_hidden(params):
    return {k: v for k, v in params.items() if not (k == "accuracy" and v is None)}


def unary(name, fn, kinds, result=lambda dt: dt, print_params=_accuracy_hidden) -> Primitive:
    """An elementwise primitive of one operand; `fn` maps one Python number."""
    pick = by_family(fn)

    def kernel(ins, out, values, **params):
        return normalize(list(map(pick(ins[0].dtype), values)), out.dtype)
    return standard(name, same_shape, unary_dtype(result, kinds, name), kernel, spec=same_spec,
                    print_params=print_params)


def nary(name, fn, kinds, result=input_dtype, keys=False, same=True,
         print_params=None) -> Primitive:
    """An elementwise primitive of several operands.

    `fn` maps Python numbers to one; with a dtype-dependent function pass a dict
    keyed by families, or a function with attribute ``takes_dtype`` that is
    called with the operand dtype first and returns the function.
    """
    pick = fn if getattr(fn, "takes_dtype", False) else by_family(fn)

    def kernel(ins, out, *lists, **params):
        args = [broadcast_list(v, i.shape, out.shape) for v, i in zip(lists, ins)]
        return normalize(list(map(pick(ins[0].dtype), *args)), out.dtype)
    return standard(name, lambda *ops, **params: broadcast_shape(name, *ops),
                    nary_dtype(result, kinds, name, keys, same), kernel, spec=broadcasting(name),
                    adopts=True, print_params=print_params)


def takes_dtype(fn):
    """Mark a function that returns the element function for a dtype."""
    fn.takes_dtype = True
    return fn
