"""`PyTreeDef`: the shape of a nested container, without its leaves.

A treedef is a list of nodes in post-order (children before their parent), as
in C++. Two treedefs are compared node by node in that order, so the order in
which a program's own ``__eq__`` runs is the same as in JAX.

What decides equality (`jaxlib/pytree.cc: PyTreeDef::operator==`):

* kind and number of children;
* registered node: the same type object and the same unflatten function. For
  `register_dataclass` types not even that: only the metadata (their *hash*
  differs, so a cache keeps them apart all the same);
* metadata and namedtuple class: the same object, or else Python ``!=`` says
  no; types are not looked at. An exception raised by it becomes a ValueError;
* dict keys: Python ``!=``, in sorted order.

The hash covers kinds, arities and types, never metadata: metadata need not be
hashable.
"""

from __future__ import annotations

from simulator.c_types import CType, written_in_c
from simulator.errors import OutOfScope

LEAF, NONE, TUPLE, NAMEDTUPLE, LIST, DICT, CUSTOM, DATACLASS = (
    "leaf", "none", "tuple", "namedtuple", "list", "dict", "custom", "dataclass")
NO_DATA = object()   # C++ null: the node carries no metadata at all


class Node:
    """One node: kind, number of children, metadata, sorted dict keys, registration."""

    __slots__ = ("kind", "arity", "data", "keys", "reg", "num_leaves", "num_nodes")

    def __init__(self, kind, arity=0, data=NO_DATA, keys=(), reg=None,
                 num_leaves=0, num_nodes=1):
        self.kind, self.arity, self.data, self.keys = kind, arity, data, keys
        self.reg, self.num_leaves, self.num_nodes = reg, num_leaves, num_nodes

    def make(self, children: tuple):
        """Builds the container that this node describes."""
        kind = self.kind
        if kind == TUPLE:
            return children
        if kind == LIST:
            return list(children)
        if kind == DICT:
            return dict(zip(self.keys, children))
        if kind == NONE:
            return None
        if kind == NAMEDTUPLE:
            return self.data(*children)
        if kind == CUSTOM:
            return self.reg.unflatten(self.data, children)
        fields = dict(zip(self.reg.meta_fields, self.data))
        fields.update(zip(self.reg.data_fields, children))
        return self.reg.type(**fields)

    def text(self, children: list[str]) -> str:
        """The node as the repr of a structure shows it, given the texts of its children."""
        inside = ", ".join(children)
        kind = self.kind
        if kind == NONE:
            return "None"
        if kind == TUPLE:
            return f"({inside},)" if self.arity == 1 else f"({inside})"
        if kind == LIST:
            return f"[{inside}]"
        if kind == DICT:
            return "{" + ", ".join(f"{k!r}: {c}" for k, c in zip(self.keys, children)) + "}"
        if kind == NAMEDTUPLE:
            return f"CustomNode(namedtuple[{self.data.__name__}], [{inside}])"
        return f"CustomNode({self.reg.type.__name__}[{self.data}], [{inside}])"


def differ(a, b) -> bool:
    """C++ `not_equal`: the same object never differs, else Python ``!=``."""
    return a is not b and bool(a != b)


def _nodes_equal(a: Node, b: Node) -> bool:
    if (a.kind != b.kind or a.arity != b.arity
            or (a.data is NO_DATA) != (b.data is NO_DATA)
            or len(a.keys) != len(b.keys)):
        return False
    if a.kind == CUSTOM and (a.reg.unflatten is not b.reg.unflatten
                             or a.reg.type is not b.reg.type):
        return False
    try:
        if differ(a.data, b.data):
            return False
    except Exception as error:
        where = f" node of type {a.reg.type!r}" if a.reg else ""
        raise ValueError(
            f"Exception raised while checking equality of metadata fields of pytree{where}. "
            "Make sure that metadata fields are hashable and have simple equality semantics. "
            "(Note: arrays cannot be passed as metadata fields!)") from error
    return not any(map(differ, a.keys, b.keys))


class PyTreeDef(metaclass=CType):
    """Structure of a pytree. Immutable; made by a `Registry`, never by hand."""

    __slots__ = ("nodes", "registry", "_hash", "__weakref__")

    def __init__(self, registry, nodes: list[Node]):
        self.registry, self.nodes, self._hash = registry, nodes, None

    @property
    def num_leaves(self) -> int:
        """How many leaves."""
        return self.nodes[-1].num_leaves

    @property
    def num_nodes(self) -> int:
        """How many nodes, leaves among them."""
        return len(self.nodes)

    def __eq__(self, other):
        if not isinstance(other, PyTreeDef):
            return False
        return (len(self.nodes) == len(other.nodes)
                and all(map(_nodes_equal, self.nodes, other.nodes)))

    def __ne__(self, other):
        # As in JAX: unequal to another treedef only; `treedef != 3` is False.
        return isinstance(other, PyTreeDef) and not self == other

    def __hash__(self):
        if self._hash is None:
            parts = []
            for n in self.nodes:
                reg = n.reg
                if n.kind == CUSTOM:
                    parts.append((n.kind, n.arity, id(reg.type), id(reg.unflatten)))
                else:
                    parts.append((n.kind, n.arity, id(reg) if reg else 0))
            self._hash = hash(tuple(parts))
        return self._hash

    def __repr__(self):
        stack: list[str] = []
        for node in self.nodes:
            if node.kind == LEAF:
                stack.append("*")
                continue
            children = stack[len(stack) - node.arity:]
            del stack[len(stack) - node.arity:]
            stack.append(node.text(children))
        return f"PyTreeDef({stack[-1]})"

    def unflatten(self, leaves):
        """Puts `leaves` (any iterable, in order) back into containers.

        Raises ValueError when there are too few or too many."""
        if self.nodes[-1].kind == LEAF and len(leaves := list(leaves)) == 1:
            return leaves[0]
        source, count, stack = iter(leaves), 0, []
        end = object()
        for node in self.nodes:
            if node.kind == LEAF:
                leaf = next(source, end)
                if leaf is end:
                    raise ValueError(f"Too few leaves for PyTreeDef; expected {self.num_leaves}, "
                                     f"got {count}")
                stack.append(leaf)
                count += 1
                continue
            start = len(stack) - node.arity
            children = tuple(stack[start:])
            del stack[start:]
            stack.append(node.make(children))
        if next(source, end) is not end:
            raise ValueError(f"Too many leaves for PyTreeDef; expected {self.num_leaves}.")
        return stack[0]

    def flatten_up_to(self, tree) -> list:
        """The subtrees of `tree` that sit where this treedef has leaves.

        Raises ValueError, first line as JAX's, when `tree` does not start with
        this structure."""
        leaves, todo, nodes = [], [tree], list(self.nodes)
        while todo:
            if not nodes:
                raise ValueError(f"Tree structures did not match: {tree!r} vs {self!r}")
            node, value = nodes.pop(), todo.pop()
            if node.kind == LEAF:
                leaves.append(value)
            else:
                todo.extend(self.registry.children_matching(node, value))
        if nodes:
            raise ValueError(f"Tree structures did not match: {tree!r} vs {self!r}")
        return leaves[::-1]

    def children(self) -> list[PyTreeDef]:
        """One treedef per child of the root."""
        out, end = [], len(self.nodes) - 1
        for _ in range(self.nodes[-1].arity):
            start = end - self.nodes[end - 1].num_nodes
            out.append(PyTreeDef(self.registry, self.nodes[start:end]))
            end = start
        return out[::-1]

    def compose(self, inner: PyTreeDef) -> PyTreeDef:
        """This structure with `inner` in place of every leaf."""
        if inner.registry is not self.registry:
            raise ValueError("PyTree registries of PyTreeDefs passed to Compose() must match.")
        nodes: list[Node] = []
        for node in self.nodes:
            nodes.extend(inner.nodes if node.kind == LEAF else [node])
        return PyTreeDef(self.registry, _recount(nodes))

    def node_data(self):
        """None for a leaf, else (type, metadata) of the root."""
        node = self.nodes[-1]
        if node.kind == LEAF:
            return None
        if node.kind == NAMEDTUPLE:
            return node.data, None
        if node.kind == DICT:
            return dict, list(node.keys)
        if node.reg:
            return node.reg.type, node.data
        return {NONE: type(None), TUPLE: tuple, LIST: list}[node.kind], None

    def walk(self, f_node, f_leaf, leaves):
        """OutOfScope: ``PyTreeDef.walk``."""
        raise OutOfScope("PyTreeDef.walk", "use jax.tree.map")

    def from_iterable_tree(self, tree):
        """OutOfScope: ``PyTreeDef.from_iterable_tree``."""
        raise OutOfScope("PyTreeDef.from_iterable_tree", "use jax.tree.unflatten")

    def serialize_using_proto(self):
        """OutOfScope: ``PyTreeDef.serialize_using_proto``."""
        raise OutOfScope("PyTreeDef.serialize_using_proto")


def _recount(nodes: list[Node]) -> list[Node]:
    """Copies of `nodes` with num_leaves and num_nodes computed from arities."""
    out, stack = [], []
    for n in nodes:
        start = len(stack) - n.arity
        below = stack[start:]
        del stack[start:]
        leaves = 1 if n.kind == LEAF else sum(b.num_leaves for b in below)
        count = 1 + sum(b.num_nodes for b in below)
        out.append(Node(n.kind, n.arity, n.data, n.keys, n.reg, leaves, count))
        stack.append(out[-1])
    return out


def _under(registry, kind, treedefs, keys=()) -> PyTreeDef:
    nodes: list[Node] = []
    arity = leaves = 0
    for t in treedefs:
        if t.registry is not registry:
            raise ValueError("PyTree registries of PyTreeDefs passed to Tuple() must match.")
        nodes += t.nodes
        arity += 1
        leaves += nodes[-1].num_leaves
    nodes.append(Node(kind, arity, NO_DATA, keys, None, leaves, len(nodes) + 1))
    return PyTreeDef(registry, nodes)


written_in_c(PyTreeDef, "jaxlib._jax.pytree.PyTreeDef")


def treedef_tuple(registry, treedefs) -> PyTreeDef:
    """The structure of a tuple whose items have the given structures.

    Raises ValueError when one comes from another registry."""
    return _under(registry, TUPLE, treedefs)


def treedef_list(registry, treedefs) -> PyTreeDef:
    """The structure of a list whose items have the given structures."""
    return _under(registry, LIST, treedefs)


def treedef_dict(registry, keys, treedefs) -> PyTreeDef:
    """The structure of a dict with these sorted keys and value structures."""
    return _under(registry, DICT, treedefs, list(keys))
