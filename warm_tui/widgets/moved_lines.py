"""By scrolling lines only change their places. Textual draws all of them anew, which is most of what a key costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from textual.widget import Widget


@contextmanager
def moved_lines(widget: Widget, count: int, by: int, version: Callable[[], int]) -> Iterator[None]:
    """Of so many lines below the first, what was drawn is kept where it stands so many lines higher afterwards.

    Nothing is where `version` is another by then.
    """
    drawn, before, first = widget._styles_cache, version(), widget.gutter.top + 1
    came_from = {y: y + by for y in range(first, first + count) if first <= y + by < first + count}
    kept = {y: drawn._cache[old] for y, old in came_from.items() if old in drawn._cache and not drawn.is_dirty(old)}
    yield
    if version() == before:
        drawn._cache.update(kept)
        drawn._dirty_lines.difference_update(kept)
