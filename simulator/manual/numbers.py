"""The numbers of a `shard_map`: all devices in step, one equation after the other.

A value is a list, one array per device. An ordinary operation is done for each device;
a collective looks at all of them. Devices with the very same operands share the result.

JAX source: none; the compiled program of each device does this.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

from simulator.control_flow import running
from simulator.device_arrays.values import storage
from simulator.errors import OutOfScope
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Literal, subjaxprs
from simulator.manual import exchange
from simulator.ndarrays.ndarray import NDArray
from simulator.placement.partition_spec import PartitionSpec
from simulator.types.avals import ShapedArray

Values = list[NDArray]


def evaluate(*values: NDArray, jaxpr: Jaxpr, mesh: Any, in_specs: Sequence, out_specs: Sequence,
             newly_manual_axes: frozenset, **params: Any) -> list[NDArray]:
    """`shard_map` on whole arrays."""
    if running.runs_python(jaxpr):
        raise OutOfScope("callbacks and printing inside jax.shard_map",
                         "each device calls back, in any order; return the values instead")

    def compute(*given: NDArray) -> list[list]:
        outs = _enter(exchange.Grid(()), [[x] for x in given], jaxpr, mesh, in_specs, out_specs,
                      newly_manual_axes)
        return [x.cell.force() for (x,) in outs]

    avals = [a.update(shape=_whole(a.shape, s, mesh)) for s, a in zip(out_specs, jaxpr.out_avals)]
    return running.results(avals, compute, values, [jaxpr])


def _names(spec: PartitionSpec, dim: int) -> tuple:
    part = spec.partitions[dim] if dim < len(spec) else None
    return () if part is None else part if isinstance(part, tuple) else (part,)


def _whole(shape: tuple, spec: PartitionSpec, mesh: Any) -> tuple:
    return tuple(n * math.prod(mesh.shape[a] for a in _names(spec, d))
                 for d, n in enumerate(shape))


def _enter(grid: exchange.Grid, args: list[Values], jaxpr: Jaxpr, mesh: Any, in_specs: Sequence,
           out_specs: Sequence, newly_manual: frozenset) -> list[Values]:
    """From each device of `grid` to the devices along the new axes, and back."""
    inner = exchange.Grid((*grid.axes, *[(n, s) for n, s in mesh.shape.items()
                                         if n in newly_manual]))
    share = inner.size // grid.size
    ins = [[_cut(values[i // share], spec, inner, i) for i in range(inner.size)]
           if spec.names() else [v for v in values for _ in range(share)]
           for values, spec in zip(args, in_specs)]
    outs = run(inner, jaxpr, ins)
    return [[_joined(values[i * share:(i + 1) * share], spec, inner, i * share)
             for i in range(grid.size)] for values, spec in zip(outs, out_specs)]


def _place(grid: exchange.Grid, device: int, names: tuple) -> tuple[int, int]:
    """(which part, of how many) a device has along some axes."""
    at = grid.coordinates(device)
    part = 0
    for name in names:
        part = part * grid.sizes[name] + at[name]
    return part, math.prod(grid.sizes[n] for n in names)


def _box(shape: tuple, spec: PartitionSpec, grid: exchange.Grid, device: int) -> list[range]:
    """The positions of a device's part, per dimension."""
    out = []
    for d, n in enumerate(shape):
        part, count = _place(grid, device, _names(spec, d))
        size = n // count
        out.append(range(part * size, (part + 1) * size))
    return out


def _positions(shape: tuple, box: list[range]) -> list[int]:
    strides = [math.prod(shape[d + 1:]) for d in range(len(shape))]
    return [sum(i * s for i, s in zip(index, strides)) for index in itertools.product(*box)]


def _cut(x: NDArray, spec: PartitionSpec, grid: exchange.Grid, device: int) -> NDArray:
    box = _box(x.shape, spec, grid, device)
    numbers = x.cell.force()
    return NDArray(tuple(map(len, box)), x.dtype, [numbers[i] for i in _positions(x.shape, box)])


def _joined(parts: Values, spec: PartitionSpec, grid: exchange.Grid, first: int) -> NDArray:
    if not spec.names():
        return parts[0]
    shape = tuple(n * math.prod(grid.sizes[a] for a in _names(spec, d))
                  for d, n in enumerate(parts[0].shape))
    out: list = [None] * math.prod(shape)
    for i, part in enumerate(parts):
        where = _positions(shape, _box(shape, spec, grid, first + i))
        for position, number in zip(where, part.cell.force()):
            out[position] = number
    return NDArray(shape, parts[0].dtype, out)


def run(grid: exchange.Grid, jaxpr: Jaxpr, args: Sequence[Values]) -> list[Values]:
    """Evaluate a jaxpr on all devices."""
    env: dict[Any, Values] = dict(zip(jaxpr.invars, args))
    for var, const in zip(jaxpr.constvars, jaxpr.consts):
        env[var] = [storage(const, var.aval)] * grid.size

    def read(atom: Any) -> Values:
        if isinstance(atom, Literal):
            return [storage(atom.val, atom.aval)] * grid.size
        return env[atom]

    for eqn in jaxpr.eqns:
        env.update(zip(eqn.outvars, _equation(grid, eqn, [read(a) for a in eqn.invars])))
    return [read(a) for a in jaxpr.outvars]


def _equation(grid: exchange.Grid, eqn: Eqn, ins: list[Values]) -> list[Values]:
    rule = exchange.RULES.get(eqn.primitive.name)
    if rule is not None:
        return [rule(grid, *ins, **eqn.params)]
    if eqn.primitive.name == "shard_map":
        p = eqn.params
        return _enter(grid, ins, p["jaxpr"], p["mesh"], p["in_specs"], p["out_specs"],
                      p["newly_manual_axes"])
    if any(map(_talks, subjaxprs(eqn.params))):
        return _body(grid, eqn, ins)
    outs = []
    for device in range(grid.size):
        operands = [v[device] for v in ins]
        if device and all(a is b for a, b in zip(operands, [v[device - 1] for v in ins])):
            outs.append(outs[-1])
            continue
        out = eqn.primitive.impl(*operands, **eqn.params)
        outs.append(out if eqn.primitive.multiple_results else [out])
    return [list(column) for column in zip(*outs)] if eqn.outvars else []


def _talks(jaxpr: Jaxpr, knows: bool = True) -> bool:
    """Whether something in a jaxpr needs the other devices, or knows which one this is."""
    return any((e.primitive.name in exchange.RULES and (knows or e.primitive.name != "axis_index"))
               or e.primitive.name == "shard_map"
               or any(_talks(sub, knows) for sub in subjaxprs(e.params)) for e in jaxpr.eqns)


def _body(grid: exchange.Grid, eqn: Eqn, ins: list[Values]) -> list[Values]:
    """An operation with a body in which devices talk to each other."""
    loop = _LOOPS.get(eqn.primitive.name)
    if loop is not None:
        return loop(grid, ins, eqn.params)
    bodies = list(subjaxprs(eqn.params))
    if len(bodies) != 1 or len(bodies[0].invars) != len(ins):
        raise OutOfScope(f"collectives inside {eqn.primitive.name} under jax.shard_map")
    return run(grid, bodies[0], ins)


def _step(grid: exchange.Grid, body: Jaxpr, ins: list[Values], budget: running.Budget
          ) -> list[Values]:
    budget.spend(body, grid.size)
    outs = run(grid, body, ins)
    for values in outs:
        for x in values:
            x.cell.force()
    return outs


def _scan(grid: exchange.Grid, ins: list[Values], params: dict) -> list[Values]:
    from simulator.control_flow.scan import parts
    jaxpr, length = params["jaxpr"], params["length"]
    consts, carry, xs = parts(params["ft_in"], ins)
    budget = running.Budget("jax.lax.scan", length * grid.size, jaxpr)
    rows = []
    for i in range(length - 1, -1, -1) if params["reverse"] else range(length):
        outs = _step(grid, jaxpr, [*consts, *carry, *[[running.row(x, i) for x in values]
                                                       for values in xs]], budget)
        carry = outs[:len(carry)]
        rows.append(outs[len(carry):])
    if params["reverse"]:
        rows.reverse()
    stacked = [[_stack([row[k][d] for row in rows], a) for d in range(grid.size)]
               for k, a in enumerate(jaxpr.out_avals[len(carry):])]
    return [*carry, *stacked]


def _stack(rows: Values, aval: ShapedArray) -> NDArray:
    return NDArray((len(rows), *aval.shape), aval.dtype,
                   [v for row in rows for v in row.cell.force()])


def _truth(values: Values, what: str) -> Any:
    found = [v.item() for v in values]
    if any(f != found[0] for f in found):
        raise OutOfScope(f"{what} with collectives in it, when devices do not agree",
                         "let all devices take the same way")
    return found[0]


def _while(grid: exchange.Grid, ins: list[Values], params: dict) -> list[Values]:
    cond, body = params["cond_jaxpr"], params["body_jaxpr"]
    n_cond, n_body = params["cond_nconsts"], params["body_nconsts"]
    for_cond, for_body = ins[:n_cond], ins[n_cond:n_cond + n_body]
    carry, budget = ins[n_cond + n_body:], running.Budget("jax.lax.while_loop")
    while _truth(_step(grid, cond, [*for_cond, *carry], budget)[0], "jax.lax.while_loop"):
        carry = _step(grid, body, [*for_body, *carry], budget)
    return carry


def _cond(grid: exchange.Grid, ins: list[Values], params: dict) -> list[Values]:
    branches = params["branches"]
    wanted = [min(max(int(v.item()), 0), len(branches) - 1) for v in ins[0]]
    if any(_talks(b, knows=False) for b in branches):
        _truth(ins[0], "jax.lax.cond")
    found = {i: run(grid, branches[i], ins[1:]) for i in set(wanted)}
    return [[found[i][k][d] for d, i in enumerate(wanted)]
            for k in range(len(branches[0].outvars))]


_LOOPS: dict[str, Callable] = {"scan": _scan, "while": _while, "cond": _cond}
