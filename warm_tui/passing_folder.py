"""A folder for as long as something is done, gone with all in it however that ends."""

from __future__ import annotations

import shutil
from tempfile import TemporaryDirectory


class PassingFolder(TemporaryDirectory[str]):
    def __init__(self, prefix: str = "warm-tui-") -> None:
        super().__init__(prefix=prefix, ignore_cleanup_errors=True)

    def cleanup(self) -> None:
        """A terminal that goes away is found by writing to it and told by a signal: what the one began to remove, the
        other would leave half removed, for that is tried once."""
        try:
            super().cleanup()
        finally:
            shutil.rmtree(self.name, ignore_errors=True)
