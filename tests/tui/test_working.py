"""What is done beside the keys is begun at once, whatever it is given."""

from __future__ import annotations

import ast
from pathlib import Path

from textual.app import App
from textual.widget import Widget

import warm_tui
from warm_tui.widgets.working import work


class Unspeakable:
    """Of a size that nobody wants in words."""

    def __repr__(self) -> str:
        raise AssertionError("it was put in words")


class Working(Widget):
    given: Unspeakable | None = None

    @work(thread=True, group="tests")
    def take(self, given: Unspeakable) -> None:
        self.given = given


class Empty(App[None]):
    def compose(self):  # type: ignore[no-untyped-def]
        yield Working()


async def test_what_a_worker_is_given_is_not_put_in_words() -> None:
    app = Empty()
    async with app.run_test():
        widget, given = app.query_one(Working), Unspeakable()
        worker = widget.take(given)
        await worker.wait()
        assert widget.given is given
        assert worker.description == "tests"


def test_all_work_beside_the_keys_is_begun_so() -> None:
    package = Path(warm_tui.__file__).parent
    ours = package / "widgets" / "working.py"
    others = [
        path
        for path in package.rglob("*.py")
        if path != ours
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
        and node.module == "textual"
        and "work" in {each.name for each in node.names}
    ]
    assert not others
