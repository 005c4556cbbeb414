"""Writing files so that a kill at any moment leaves the old or the new, never a half."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: str | bytes, mode: int = 0o600) -> None:
    """For the operator's eyes alone, unless another mode is given."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    raw = content.encode("utf-8", "replace") if isinstance(content, str) else content
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
