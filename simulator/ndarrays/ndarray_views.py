"""The same elements in another shape: methods of NDArray, views where NumPy gives views."""

from __future__ import annotations

from simulator.ndarrays import ndarray_index
from simulator.ndarrays.beyond import check_order
from simulator.ndarrays.cells import row_major
from simulator.ndarrays.ndarray_core import NDArray


def reshape(self: NDArray, *shape, order="C", copy=None) -> NDArray:
    """The elements in another shape; one size may be -1. A view unless the elements lie apart,
    or `copy` asks for a copy. ValueError when there has to be one and `copy` is False.
    OutOfScope: another order than C."""
    if order != "C":
        check_order("reshape", order)
    shape = ndarray_index.new_shape(self, shape[0] if len(shape) == 1 else shape)
    if self._contiguous() and not copy:
        return self._view(shape, row_major(shape), self._layout()[1])
    if copy is False:
        raise ValueError("Unable to avoid creating a copy while reshaping.")
    return NDArray(shape, self.dtype, self.cell)


def ravel(self: NDArray, order="C") -> NDArray:
    """One axis; a view unless the elements lie apart. OutOfScope: another order than C."""
    return reshape(self, -1, order=order)


def flatten(self: NDArray, order="C") -> NDArray:
    """A copy with one axis. OutOfScope: another order than C."""
    check_order("flatten", order)
    return NDArray((self.size,), self.dtype, self.cell)


def transpose(self: NDArray, *axes) -> NDArray:
    """A view with the axes in another order, reversed by default."""
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
        axes = axes[0]
    axes = tuple(axes) if axes else tuple(reversed(range(self.ndim)))
    axes = ndarray_index.permutation(axes, self.ndim)
    strides, offset = self._layout()
    return self._view([self.shape[a] for a in axes], [strides[a] for a in axes], offset)


def matrix_transpose(self: NDArray) -> NDArray:
    """A view with the last two axes exchanged. ValueError for fewer than 2 axes."""
    if self.ndim < 2:
        raise ValueError("matrix transpose with ndim < 2 is undefined")
    return swapaxes(self, -1, -2)


def swapaxes(self: NDArray, axis1, axis2) -> NDArray:
    """A view with two axes exchanged."""
    axes = list(range(self.ndim))
    axes[axis1], axes[axis2] = axes[axis2], axes[axis1]
    return transpose(self, axes)


def squeeze(self: NDArray, axis=None) -> NDArray:
    """A view without the axes of size 1, or without those named. ValueError when another size
    is named."""
    drop = ndarray_index.squeezable(self.shape, axis)
    strides, offset = self._layout()
    keep = [i for i in range(self.ndim) if i not in drop]
    return self._view([self.shape[i] for i in keep], [strides[i] for i in keep], offset)
