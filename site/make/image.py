"""The memory snapshot as it is sent: without its empty pages.

    count of runs; bytes of memory, of the head, of all runs    (numbers of 32 bits)
    place and length of each run
    the head: what Pyodide keeps beside the memory
    the runs, one after another

`site/scripts/image.js` puts it together again.
"""

import struct

PAGE = 4096


def sparse(snapshot: bytes) -> bytes:
    """A snapshot as Pyodide makes it (its second number is the length of its head)."""
    start = struct.unpack_from("<I", snapshot, 4)[0]
    head, memory = snapshot[:start], snapshot[start:]
    runs = _runs(memory)
    table = [len(runs), len(memory), len(head), sum(length for _, length in runs)]
    table += [number for run in runs for number in run]
    pieces = [memory[place : place + length] for place, length in runs]
    return struct.pack(f"<{len(table)}I", *table) + head + b"".join(pieces)


def _runs(memory: bytes) -> list[tuple[int, int]]:
    """(place, length) of each stretch of pages that are not all zero."""
    runs: list[tuple[int, int]] = []
    for place in range(0, len(memory), PAGE):
        page = memory[place : place + PAGE]
        if page.count(0) == len(page):
            continue
        if runs and sum(runs[-1]) == place:
            runs[-1] = runs[-1][0], runs[-1][1] + len(page)
        else:
            runs.append((place, len(page)))
    return runs
