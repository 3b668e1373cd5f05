# shows: A script with a main function that ends by sys.exit.
import jax, jax.numpy as jnp
import sys
f = jax.jit(lambda x: x + 1)
def main():
    f(1); print("hallo ☃")
    sys.exit(0)
if __name__ == "__main__":
    main()
