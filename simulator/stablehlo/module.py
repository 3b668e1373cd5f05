"""``Lowered.as_text()``: a module as StableHLO.

Functions come in the order in which they are first called. Inside one, results are
numbered, constants have names of their own, and a name that is taken gets the next
number of the function's own count; a region goes on with the numbers around it, and
what it took is free again behind it.

JAX source: ``jax/_src/interpreters/mlir.py: lower_jaxpr_to_module, lower_jaxpr_to_fun,
jaxpr_subcomp``; for the names, MLIR's ``AsmPrinter: SSANameState`` and ``SymbolTable``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Literal
from simulator.jaxprs.module import Module, sanitize
from simulator.stablehlo.types import dense, refuse, tensor


def text(module: Module) -> str:
    """The module's text.

    Errors: OutOfScope, naming what cannot be written.
    """
    if module.num_devices != 1:
        raise refuse("a program of several devices")
    if module.jaxpr.effects:
        raise refuse("a program with effects")
    return _Writer(module).written()


class Function:
    """One function, or a region of it, being written.

    Args:
      writer: of the module. indent: in front of each line.
      around: the function of a region.
    """

    def __init__(self, writer: _Writer, indent: str, around: Function | None = None):
        self.writer, self.indent = writer, indent
        self.lines: list[str] = []
        self.names = set(around.names) if around else set()
        self.numbered = around.numbered if around else 0
        self.conflicts = around.conflicts if around else 0
        self.env: dict[Any, str] = dict(around.env) if around else {}

    def line(self, text: str) -> None:
        """Write a line at the current indent."""
        self.lines.append(self.indent + text)

    def _name(self, wanted: str) -> str:
        name = wanted
        while name in self.names:
            name = f"{wanted}_{self.conflicts}"
            self.conflicts += 1
        self.names.add(name)
        return f"%{name}"

    def operation(self, text: str, count: int = 1) -> list[str]:
        """Write ``%n = text``; returns the names of its results."""
        name = f"%{self.numbered}"
        self.numbered += 1
        self.line(f"{name}{f':{count}' if count > 1 else ''} = {text}")
        return [name] if count == 1 else [f"{name}#{i}" for i in range(count)]

    def constant(self, value: Any, aval: Any) -> str:
        """Write a constant; returns its name."""
        name = self._name("c" if aval.dtype.family in "biu" else "cst")
        self.line(f"{name} = stablehlo.constant {dense(value, aval)} : {tensor(aval)}")
        return name

    def read(self, atom: Any) -> str:
        """The SSA name of a variable, or that of a constant written for a literal."""
        if isinstance(atom, Literal):
            return self.constant(atom.val, atom.aval)
        return self.env[atom]

    def body(self, jaxpr: Jaxpr, args: Sequence[str]) -> list[str]:
        """Write the equations of `jaxpr`; returns the names of its results."""
        from simulator.stablehlo import operations as _operations  # noqa: F401  (the rules)
        from simulator.stablehlo.rules import RULES
        for var, const in zip(jaxpr.constvars, jaxpr.consts):
            self.env[var] = self.constant(const, var.aval)
        self.env.update(zip(jaxpr.invars, args))
        for eqn in jaxpr.eqns:
            rule = RULES.get(eqn.primitive.name)
            if rule is None:
                raise refuse(eqn.primitive.name)
            names = [self.read(a) for a in eqn.invars]
            self.env.update(zip(eqn.outvars, rule(self, eqn, *names)))
        return [self.read(a) for a in jaxpr.outvars]

    def returns(self, operation: str, names: Sequence[str], avals: Sequence[Any]) -> None:
        """Write the end of a function or region."""
        types = f" : {', '.join(map(tensor, avals))}" if names else ""
        self.line(f"{operation} {', '.join(names)}{types}".rstrip())

    def call(self, title: str, jaxpr: Jaxpr, eqn: Eqn, names: Sequence[str]) -> list[str]:
        """Write a call of a function of its own, made when it is first called."""
        symbol = self.writer.symbol(title, jaxpr)
        ins = ", ".join(tensor(a.aval) for a in eqn.invars)
        outs = ", ".join(tensor(v.aval) for v in eqn.outvars)
        if len(eqn.outvars) != 1:
            outs = f"({outs})"
        where = "call" if self.indent == "    " else "func.call"
        described = f"{where} @{symbol}({', '.join(names)}) : ({ins}) -> {outs}"
        if not eqn.outvars:
            self.line(described)
            return []
        return self.operation(described, len(eqn.outvars))


class _Writer:
    def __init__(self, module: Module):
        self.module = module
        self.functions: list[list[str]] = []
        self.symbols: dict[int, str] = {}
        self.taken = {"main"}
        self.conflicts = 0

    def symbol(self, title: str, jaxpr: Jaxpr) -> str:
        found = self.symbols.get(id(jaxpr))
        if found is not None:
            return found
        title = sanitize(title)
        name = title
        while name in self.taken:
            name = f"{title}_{self.conflicts}"
            self.conflicts += 1
        self.taken.add(name)
        self.symbols[id(jaxpr)] = name
        outs = ", ".join(tensor(a) for a in jaxpr.out_avals)
        if len(jaxpr.out_avals) != 1:
            outs = f"({outs})"
        self._function(f"private @{name}", jaxpr, [""] * len(jaxpr.invars),
                       f" -> {outs}" if jaxpr.out_avals else "")
        return name

    def _function(self, title: str, jaxpr: Jaxpr, attributes: Sequence[str], results: str) -> None:
        place = len(self.functions)
        self.functions.append([])
        here = Function(self, "    ")
        names = [f"%arg{i}" for i in range(len(jaxpr.invars))]
        args = ", ".join(f"{n}: {tensor(v.aval)}{a}"
                         for n, v, a in zip(names, jaxpr.invars, attributes))
        here.returns("return", here.body(jaxpr, names), jaxpr.out_avals)
        self.functions[place] = [f"  func.func {title}({args}){results} {{", *here.lines, "  }"]

    def written(self) -> str:
        jaxpr, donation = self.module.jaxpr, self.module.donation
        attributes = [f" {{tf.aliasing_output = {alias} : i32}}" if alias is not None else
                      " {jax.buffer_donor = true}" if donor else ""
                      for alias, donor in zip(*donation)]
        paths = jaxpr.debug_info.result_paths or ()
        results = ", ".join(f'{tensor(a)} {{jax.result_info = "{path}"}}'
                            for a, path in zip(jaxpr.out_avals, paths))
        self._function("public @main", jaxpr, attributes, f" -> ({results})" if results else "")
        head = (f"module @{self.module.sym_name} attributes {{mhlo.num_partitions = 1 : i32, "
                "mhlo.num_replicas = 1 : i32} {")
        return "\n".join([head, *(line for f in self.functions for line in f), "}", ""])
