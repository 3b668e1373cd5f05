"""What the snapshot's engine is made of: a trimmed script, a trimmed module, a sparse image."""

import gzip
import struct
from pathlib import Path

import pytest

from make import packing
from make.image import PAGE, sparse
from make.trim import trimmed, words
from make.wasm import imports, with_exports

HEADER = b"\0asm\1\0\0\0"
TYPES = b"\x01\x02ab"
# Two functions, the second of another type; a table with a limit; a memory; a global; a tag.
IMPORTS = (
    b"\x06"
    b"\x03env\x01f\x00\x00"
    b"\x03env\x02gl\x00\x81\x01"
    b"\x03env\x05table\x01\x70\x01\x05\x80\x01"
    b"\x03env\x06memory\x02\x00\x10"
    b"\x03GOT\x07counter\x03\x7f\x01"
    b"\x03env\x03tag\x04\x00\x02"
)
EXPORTS = b"\x03\x01a\x00\x80\x01\x02bb\x00\x02\x01c\x03\x00"


def section(kind, body):
    return bytes([kind, len(body)]) + body


def test_imports_are_read_whatever_their_kind():
    module = HEADER + TYPES + section(2, IMPORTS)
    assert imports(module) == {"f", "gl", "table", "memory", "counter", "tag"}


def test_only_the_exports_asked_for_stay():
    module = HEADER + TYPES + section(7, EXPORTS) + b"\x0a\x01z"
    kept = with_exports(module, {"a", "c", "not there"})
    assert kept == HEADER + TYPES + section(7, b"\x02\x01a\x00\x80\x01\x01c\x03\x00") + b"\x0a\x01z"


SCRIPT = (
    "function used(){}used.sig=\"v\";function spare(){}spare.sig=\"ii\";function glDraw(){}"
    "var wasmImports={used,other:spare,emscripten_glDraw:glDraw};"
    "if(!value&&!entry.required){continue}eval(text);"
    'var _asked=Module["_asked"]=wasmExports["asked"];var _here=wasmExports["here"];'
    'var _nobody=Module["_nobody"]=wasmExports["nobody"];var _number=Module["_number"]=17;'
    "_here();"
    'Module["asked_for"]=asked_for;Module["spare"]=spare;Module["used"]=used;let use=Module.used;'
    "registerPostMainLoop(()=>SDL.audio?.queueNewAudioData?.());"
)


def test_script_keeps_what_is_imported_or_mentioned():
    found = trimmed(SCRIPT, {"used", "emscripten_glDraw"}, {"_asked", "asked_for"})
    assert "var wasmImports={used};" in found
    assert 'used.sig="v"' in found and "spare.sig" not in found
    assert 'Module["_asked"]=wasmExports["asked"]' in found and 'wasmExports["here"]' in found
    assert not {"_nobody", "nobody", "_number"} & words(found)
    assert 'Module["asked_for"]=' in found and 'Module["used"]=' in found
    assert 'Module["spare"]' not in found and "SDL" not in found
    assert "globalThis.eval(text)" in found and "if(!value){continue}" in found


def test_script_of_another_make_is_refused():
    with pytest.raises(ValueError, match="another way"):
        trimmed(SCRIPT.replace("wasmImports", "imported"), set(), set())


def test_image_holds_every_byte_that_is_not_zero():
    memory = bytearray(8 * PAGE)
    memory[0], memory[PAGE + 5], memory[4 * PAGE + 7] = 1, 2, 3
    head = struct.pack("<III", 0x706E7300, 16, 4) + b"{}  "
    image = sparse(head + memory)
    count, size, length, total = struct.unpack_from("<4I", image)
    runs = struct.unpack_from(f"<{2 * count}I", image, 16)
    assert (size, length, total, runs) == (8 * PAGE, 16, 3 * PAGE, (0, 2 * PAGE, 4 * PAGE, PAGE))
    body = image[16 + 8 * count :]
    assert body[:16] == head
    again, place = bytearray(size), 16
    for start, many in zip(runs[::2], runs[1::2]):
        again[start : start + many] = body[place : place + many]
        place += many
    assert again == memory and place == len(body)


def test_what_is_packed_is_smaller_than_by_zlib_and_comes_out_whole():
    text = Path(packing.__file__).read_bytes() * 40
    packed = packing.gzipped(text, packing.LONGEST)
    assert gzip.decompress(packed) == text
    assert packed == packing.gzipped(text, packing.LONGEST)
    assert len(packed) < len(gzip.compress(text, 9))
