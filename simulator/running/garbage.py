"""When garbage is collected: only where a program asks for it.

A cache entry whose key is garbage in a cycle goes when Python happens to collect;
pages, browser and tests must agree on when that is. Simplified: on real JAX it
happens when it happens.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

_left_behind = False


@contextlib.contextmanager
def no_collecting() -> Iterator[None]:
    """Around a program: what an earlier one left is collected before, nothing inside."""
    global _left_behind
    if _left_behind:
        gc.collect()
    _left_behind = True
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        (gc.enable if was_on else gc.disable)()


def settle() -> None:
    """Before many programs: everything there is by now stays, so that no collection
    has to look through it again. Loads all that a program may import of ours."""
    from simulator.facade import pristine
    pristine.everything()
    gc.collect()
    gc.freeze()
