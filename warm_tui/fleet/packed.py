"""Known credentials in files, also where these are packed or encoded, as far as that can be undone."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import quote

from warm_tui.secrets.credentials import Mask

DEEPEST = 3
"""A packed file in a packed file, and one in that."""
LARGEST_BYTES = 64_000_000
"""Of what is unpacked of one file; the rest of it is not looked through."""
MOST_STREAMS, CHUNK_BYTES = 500_000, 4_096
"""Of what begins like packed objects in one file, most by chance; and of what is unpacked at once."""
SHORTEST = 8
"""Of what stands in the middle of something encoded: less would be found by chance."""
_STREAM = re.compile(rb"\x78[\x01\x5e\x9c\xda]")
_BLANKS = re.compile(r"\s+")


def encoded(credential: str) -> Iterator[str]:
    """As it stands in base64, whatever stands before it, in hex, and in an address."""
    raw = credential.encode()
    for before in range(3):
        # The first and the last letters tell of what stands beside it, too.
        whole = base64.b64encode(b"\0" * before + raw).rstrip(b"=").decode()
        middle = whole[-(-8 * before // 6) : len(whole) - (1 if (before + len(raw)) % 3 else 0)]
        if len(middle) >= SHORTEST:
            yield from (middle, middle.replace("+", "-").replace("/", "_"))
    yield from (raw.hex(), raw.hex().upper(), quote(credential, safe=""))


class Search:
    def __init__(self, mask: Mask) -> None:
        self.mask, self._encoded = mask, Mask(form for each in mask.credentials for form in encoded(each))

    def finds(self, data: bytes) -> bool:
        left = [LARGEST_BYTES]
        return any(self._in_text(text) for body in _layers(data, left, DEEPEST) for text in _texts(body))

    def _in_text(self, text: str) -> bool:
        return self.mask.finds(text) or self._encoded.finds(_BLANKS.sub("", text))


def _texts(data: bytes) -> Iterator[str]:
    yield data.decode("utf-8", "ignore")
    if b"\0" in data:
        for shift in (0, 1):
            for form in ("utf-16-le", "utf-16-be"):
                yield data[shift:].decode(form, "ignore")


def _layers(data: bytes, left: list[int], depth: int) -> Iterator[bytes]:
    yield data
    if depth:
        for inner in _unpacked(data, left):
            left[0] -= len(inner)
            yield from _layers(inner, left, depth - 1)


def _unpacked(data: bytes, left: list[int]) -> Iterator[bytes]:
    if data[:2] == b"\x1f\x8b":
        yield _read(partial(gzip.open, io.BytesIO(data)), left)
    elif data[:3] == b"BZh":
        yield _read(partial(bz2.open, io.BytesIO(data)), left)
    elif data[:6] == b"\xfd7zXZ\x00":
        yield _read(partial(lzma.open, io.BytesIO(data)), left)
    elif data[:4] == b"PK\x03\x04":
        yield from _zipped(data, left)
    elif data[:4] == b"PACK" or _STREAM.match(data):
        # Git's objects: one in a file of its own, or many.
        for found in islice(_STREAM.finditer(data), MOST_STREAMS):
            if left[0] <= 0:
                return
            with suppress(zlib.error):
                yield _inflated(memoryview(data)[found.start() :], left[0])


def _inflated(data: memoryview, most: int) -> bytes:
    """Bit by bit: whatever stands behind a stream is copied when that has ended."""
    reader, body = zlib.decompressobj(), bytearray()
    for at in range(0, len(data), CHUNK_BYTES):
        body += reader.decompress(data[at : at + CHUNK_BYTES], most - len(body))
        if reader.eof or len(body) >= most:
            break
    return bytes(body)


def _zipped(data: bytes, left: list[int]) -> Iterator[bytes]:
    with suppress(zipfile.BadZipFile, RuntimeError, NotImplementedError), zipfile.ZipFile(io.BytesIO(data)) as packed:
        for name in packed.namelist():
            if left[0] <= 0:
                return
            yield _read(partial(packed.open, name), left)


def _read(opened: Callable[[], Any], left: list[int]) -> bytes:
    """What could be read until it was damaged, or enough."""
    body = bytearray()
    with suppress(OSError, EOFError, zlib.error, lzma.LZMAError, RuntimeError, zipfile.BadZipFile):
        stream = opened()
        while len(body) < left[0] and (more := stream.read(1_000_000)):
            body += more
    return bytes(body)
