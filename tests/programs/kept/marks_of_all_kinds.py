# shows: Odd labels and notes, calls within calls, errors.
import jax, jax.numpy as jnp
f = jax.jit(lambda x: x + 1)
call("", lambda: f(1))
call("x" * 500, lambda: f(1))
call("ünïcödé 日本 \n newline\t\"quote\" <b>", lambda: f(1))
call(3, lambda: f(1))
call(None, lambda: f(1))
note("n", {"a": 1, 2: (1, 2), "x": jnp.float32(1)})
note("n2", [1.5, float("nan"), None, True, "é"])
call("ret none", lambda: None)
call("ret str", lambda: "abc")
call("nested", lambda: call("inner", lambda: f(2)))
call("raise", lambda: 1 / 0)
call("ret tree", lambda: {"a": f(1), "b": [1, None, "x"]})
call("key err", lambda: {}["é"])
call("multi", lambda: (_ for _ in ()).throw(ValueError("line1\nline2")))
call("empty", lambda: (_ for _ in ()).throw(ValueError()))
call("sysexit", lambda: __import__("sys").exit(3)) if 0 else None
