"""What is done beside the keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec

import textual
from textual.worker import Worker

P = ParamSpec("P")


def work(
    *, group: str, thread: bool = False, exclusive: bool = False
) -> Callable[[Callable[P, Any]], Callable[P, Worker[Any]]]:
    """As Textual's, which however puts all that is given to a worker in words, to be logged, before it begins: of a
    long transcript that takes a second and three times its memory."""
    return textual.work(group=group, thread=thread, exclusive=exclusive, description=group)
