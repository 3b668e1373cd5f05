# jaxlib looks at the functions before it looks at the type: a failed registration leaves nothing behind.
import jax
tu = jax.tree_util
def made():
    class C:
        def __init__(self, x=0): self.x = x
    return C
ok = (lambda c: ((c.x,), None), lambda a, c: None)
C = made(); tu.register_pytree_node(C, *ok)
call("twice", lambda: tu.register_pytree_node(C, *ok))
call("none", lambda: tu.register_pytree_node(made(), None, None))
call("flatten none", lambda: tu.register_pytree_node(made(), None, ok[1]))
call("unflatten none", lambda: tu.register_pytree_node(made(), ok[0], None))
call("number", lambda: tu.register_pytree_node(made(), 3, ok[1]))
call("no type", lambda: tu.register_pytree_node(3, *ok))
call("int", lambda: tu.register_pytree_node(int, *ok))
call("list", lambda: tu.register_pytree_node(list, *ok))
call("tuple", lambda: tu.register_pytree_node(tuple, *ok))
call("none type", lambda: tu.register_pytree_node(type(None), *ok))
D = made()
call("flatten none D", lambda: tu.register_pytree_node(D, None, None))
call("D after", lambda: tu.register_pytree_node(D, *ok))
call("static twice", lambda: (tu.register_static(made()), tu.register_static(C)))
call("dataclass not one", lambda: tu.register_dataclass(made(), ["x"], []))
