# happens: a transform is one jitted operation; shifts and frequencies are ordinary functions.
import jax
import jax.numpy as jnp
import numpy as np

x = np.array([1., 2., 0., -1., 3., 0.5], np.float32)
m = np.arange(12, dtype=np.float32).reshape(3, 4)
z = (x + 1j * x[::-1]).astype(np.complex64)

for name, fun, arg in (
        ("fft", jnp.fft.fft, x), ("of complex numbers", jnp.fft.fft, z), ("ifft", jnp.fft.ifft, z),
        ("rfft", jnp.fft.rfft, x), ("irfft", jnp.fft.irfft, z[:4]), ("fft2", jnp.fft.fft2, m),
        ("rfft2", jnp.fft.rfft2, m), ("fftn", jnp.fft.fftn, m), ("ifft2", jnp.fft.ifft2, m),
        ("irfft2", jnp.fft.irfft2, m.astype(np.complex64)),
        ("longer", lambda a: jnp.fft.fft(a, n=8), x), ("shorter", lambda a: jnp.fft.rfft(a, 4), x),
        ("first axis", lambda a: jnp.fft.fft(a, axis=0), m),
        ("orthonormal", lambda a: jnp.fft.fft(a, norm="ortho"), x),
        ("forward", lambda a: jnp.fft.ifft(a, norm="forward"), z),
        ("odd", lambda a: jnp.fft.irfft(a, n=5), z[:3]),
        ("of integers", jnp.fft.fft, np.arange(4)), ("shift", jnp.fft.fftshift, m),
        ("back", jnp.fft.ifftshift, x), ("one axis", lambda a: jnp.fft.fftshift(a, axes=1), m)):
    call(name, lambda: fun(arg))
    call(f"{name} again", lambda: fun(arg))
    fast = jax.jit(lambda a: fun(a))
    call(f"{name}, jitted", lambda: fast(arg))
    call(f"{name}, jitted again", lambda: fast(arg))
    note(name, str(jax.make_jaxpr(fun)(arg)))
call("frequencies", lambda: jnp.fft.fftfreq(5, 0.5))
call("half of the frequencies", lambda: jnp.fft.rfftfreq(6))
power = jax.jit(jax.grad(lambda a: jnp.sum(jnp.abs(jnp.fft.rfft(a)) ** 2)))
call("gradient of rfft", lambda: power(x))
call("gradient of fft", lambda: jax.jit(jax.grad(lambda a: jnp.real(jnp.fft.fft(a) * 2j).sum()))(x))
call("gradient of irfft", lambda: jax.jit(jax.grad(lambda a: jnp.sum(jnp.fft.irfft(jnp.fft.rfft(a)) ** 2)))(x))
note("jaxpr of a gradient", str(jax.make_jaxpr(power)(x)))
call("mapped", lambda: jax.jit(jax.vmap(jnp.fft.fft, in_axes=1))(m))
call("rfft of complex numbers", lambda: jnp.fft.rfft(z))
call("several axes", lambda: jnp.fft.fft(m, axis=(0, 1)))
call("unknown norm", lambda: jnp.fft.fft(x, norm="other"))
call("lax", lambda: jax.lax.fft(z, "IFFT", (6,)))
