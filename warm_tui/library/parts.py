"""Documents kept in parts, each part once under its hash: one that is like another costs what is other in it."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from typing import Any, TypeAlias

Document: TypeAlias = Mapping[str, Any]
PARTS = "patterns"


def put_parts(connection: sqlite3.Connection, document: Document) -> bytes:
    """Keeps its parts; what is returned puts it together again."""
    if not isinstance(document.get(PARTS), (list, tuple)):
        return json.dumps(document, ensure_ascii=True).encode()
    hashes = []
    for part in document[PARTS]:
        body = json.dumps(part, ensure_ascii=True).encode()
        digest = hashlib.sha256(body).hexdigest()[:32]
        hashes.append(digest)
        connection.execute("INSERT OR IGNORE INTO draft_parts (hash, body) VALUES (?, ?)", (digest, body))
    return json.dumps({**document, PARTS: hashes}, ensure_ascii=True).encode()


def put_together(connection: sqlite3.Connection, body: bytes) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(body)
    if not isinstance(document.get(PARTS), list):
        return document
    parts = [
        connection.execute("SELECT body FROM draft_parts WHERE hash = ?", (digest,)).fetchone()
        for digest in document[PARTS]
    ]
    return {**document, PARTS: [json.loads(part[0]) for part in parts if part]}
