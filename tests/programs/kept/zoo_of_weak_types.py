# shows: Where results are weak.
import jax, jax.numpy as jnp, numpy as np
# weak type zoo
f = jax.jit(lambda x: x)
lst = dict(a=1, b=1.0, c=np.float32(1), d=jnp.float32(1), e=jnp.asarray(1.0), f=jnp.array(1.0), g=jnp.zeros(()), h=jnp.asarray(1), i=1 + jnp.float32(1), j=jnp.asarray(1.0) * 2, k=jnp.ones(()) * 1.0, l=jnp.sum(jnp.asarray(1.)), m=jnp.where(True, 1, 2), n=jnp.where(True, 1.0, jnp.float32(2)), o=jnp.full((), 1), p=jnp.full((), 1.0, jnp.float16), q=jnp.float16(1) + 1, r=jnp.int8(1) * 2.0, s=jnp.bool_(1) + 1, t=True + jnp.float32(1), u=jnp.bfloat16(1) + jnp.float16(1), v=jnp.int32(1) / 2, w=jnp.uint8(200) + jnp.int8(1), x=jnp.exp(1), y=jnp.sqrt(jnp.int32(4)), z=jnp.maximum(1, 2.0), aa=jnp.add(1, 2), ab=jnp.zeros_like(1.0), ac=jnp.ones_like(1), ad=jnp.array(1).astype(float), ae=jnp.stack([1, 2.0]), af=jnp.array([1, 2.0]), ag=jnp.arange(3) * 1.0, ah=-jnp.asarray(1), ai=jnp.asarray(1.0)[None][0], al=jnp.asarray(np.float64(2)), am=jax.device_put(1.0), an=jnp.power(2, 3), ao=jnp.float32(2) ** 2, ap=2 ** jnp.float32(2), aq=jnp.asarray(5) // 2, ar=divmod(jnp.asarray(5), 2)[0], at=jnp.clip(5, 0, 3), au=jnp.linspace(0, 1, 3), av=abs(jnp.asarray(-1)), aw=jnp.mean(jnp.arange(3)), ax=jnp.asarray(1.0).reshape(1), ay=jnp.concatenate([jnp.asarray([1.0]), jnp.asarray([1])]), az=jnp.asarray(True) & 1)
for k, v in lst.items():
    call(k, lambda: v)
    call(k + "f", lambda: f(v))
