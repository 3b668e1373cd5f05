"""Just enough of the WebAssembly binary format to leave things out of a module."""

from collections.abc import Container, Iterator

IMPORT_SECTION, EXPORT_SECTION, DATA_SECTION, DATA_COUNT_SECTION = 2, 7, 11, 12


def without_data(module: bytes) -> bytes:
    """The module without its data section.

    A module loaded together with a memory snapshot gets every byte of its
    memory from the snapshot, so its own initial data would be sent for nothing
    (here 3.5 MB, 1.3 MB compressed).
    """
    data = (DATA_SECTION, DATA_COUNT_SECTION)
    return module[:8] + b"".join(whole for kind, whole, _ in _sections(module) if kind not in data)


def with_exports(module: bytes, names: Container[str]) -> bytes:
    """The module exporting only what is in `names`.

    Pyodide exports ten thousand functions and addresses for extension modules that
    are linked later; making them known takes a tenth of a second.
    """
    kept = module[:8]
    for kind, whole, body in _sections(module):
        if kind == EXPORT_SECTION:
            entries = [entry for name, entry in _exports(body) if name in names]
            body = _leb(len(entries)) + b"".join(entries)
            whole = bytes([EXPORT_SECTION]) + _leb(len(body)) + body
        kept += whole
    return kept


def imports(module: bytes) -> set[str]:
    """The names of what the module imports, without those of the modules they come from."""
    body = next(body for kind, _, body in _sections(module) if kind == IMPORT_SECTION)
    count, place = _unsigned(body, 0)
    found = set()
    for _ in range(count):
        _, place = _name(body, place)
        name, place = _name(body, place)
        found.add(name)
        place = _after_import(body, place)
    return found


def _after_import(body: bytes, place: int) -> int:
    kind, place = body[place], place + 1
    if kind == 0:  # a function: its type
        return _unsigned(body, place)[1]
    if kind == 3:  # a global: type and mutability, one byte each
        return place + 2
    if kind == 4:  # a tag: attribute, type
        return _unsigned(body, place + 1)[1]
    place += kind == 1  # a table: what is in it; then, as a memory, its limits
    most, (_, place) = body[place] & 1, _unsigned(body, place + 1)
    return _unsigned(body, place)[1] if most else place


def _exports(body: bytes) -> Iterator[tuple[str, bytes]]:
    count, place = _unsigned(body, 0)
    for _ in range(count):
        start = place
        name, place = _name(body, place)
        _, place = _unsigned(body, place + 1)
        yield name, body[start:place]


def _sections(module: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """(kind, the whole section, its body) for each."""
    if module[:4] != b"\0asm":
        raise ValueError("not a WebAssembly module")
    place = 8
    while place < len(module):
        size, start = _unsigned(module, place + 1)
        yield module[place], module[place : start + size], module[start : start + size]
        place = start + size


def _name(module: bytes, place: int) -> tuple[str, int]:
    """A string at `place`, and the place after it."""
    size, start = _unsigned(module, place)
    return module[start : start + size].decode(), start + size


def _unsigned(module: bytes, place: int) -> tuple[int, int]:
    """A LEB128 number at `place`, and the place after it."""
    value = shift = 0
    while True:
        byte = module[place]
        place += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, place


def _leb(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
