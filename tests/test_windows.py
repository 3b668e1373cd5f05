"""Windows, transforms and factorizations as primitives, against real JAX."""

from __future__ import annotations

import pytest
from jax._src import core as jax_core
from jax._src.lax import convolution, fft, linalg, windowed_reductions
from test_primitives import REAL, differences
from window_cases import FAMILIES

from simulator.facade import pristine

for _module in (convolution, fft, linalg, windowed_reductions):
    for _value in vars(_module).values():
        if isinstance(_value, jax_core.Primitive):
            REAL.setdefault(_value.name, _value)


@pytest.mark.parametrize("family", list(FAMILIES))
def test_against_jax(family):
    pristine.everything()
    wrong = differences(FAMILIES[family]())
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:40])
