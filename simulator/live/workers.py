"""Processes that compare many runs, each with a model and a fork server of its own."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from simulator.live.forkserver import ForkServer
from simulator.running import garbage

_server: ForkServer | None = None


def server() -> ForkServer | None:
    """The fork server of this worker; None in a process that is none."""
    return _server


def _start(store: str | None) -> None:
    global _server
    _server = ForkServer(store=store)
    garbage.settle()


class Workers:
    """A pool of such processes.

    Args:
      number: how many; two keep two cores busy.
      store: a folder for what XLA has compiled, see `simulator.live.compiled`.
    """

    def __init__(self, number: int, store: str | None = None):
        self._pool = concurrent.futures.ProcessPoolExecutor(
            number, multiprocessing.get_context("spawn"), _start, (store,))

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error) -> None:
        self._pool.shutdown(cancel_futures=True)

    def map(self, work: Callable[[Any], Any], jobs: Iterable[Any]) -> Iterator[Any]:
        """Results in the order of the jobs, as they come in; `work` finds `server()`."""
        return self._pool.map(work, jobs)
