"""What is under the cursor may be another by now than the one that was read there."""

from __future__ import annotations

MOVED = "The one that stood here is gone: this is another. Press again to answer it."


class Standing:
    """An answer is for what was read, and not for another that came to stand there."""

    def __init__(self) -> None:
        self._stands = ""
        self._surprising = False

    def stands(self, name: str, *, moved: bool) -> None:
        """This one is under the cursor now. `moved`: the operator went there."""
        if name != self._stands:
            self._surprising = bool(self._stands) and not moved
            self._stands = name

    def hindrance(self, name: str) -> str:
        """Why it is not answered yet; asked again, it may be."""
        if self._surprising or name != self._stands:
            self._surprising, self._stands = False, name
            return MOVED
        return ""
