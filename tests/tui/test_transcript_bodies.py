"""What is opened in a transcript: changes, folded values and colours, by keys and by mouse, and nothing that acts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.helpers import said, settled, table, titles
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.presentation.calls import call_line
from warm_tui.presentation.lines import text_of, with_found
from warm_tui.presentation.recorded import Fold
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.widgets.transcript_view import TranscriptView

WIDE = (160, 48)
EDIT = {"path": "src/prices.py", "old_string": "def price():\n    return 1", "new_string": "def price():\n    return 2"}
OUTPUT = "\x1b[1mtests\x1b[0m\n\x1b[32m9 passed\x1b[0m\x1b]52;c;b3duZWQ=\x07, \x1b[31m1 failed\x1b[0m\nname\tcalls\nterminal\t12"
ROWS = {"rows": [{"name": f"row {n}", "n": n} for n in range(12)], "total": 12}
CALLS = (
    ("patch", EDIT, {"success": True, "diff": "--- a/src/prices.py\n+++ b/src/prices.py\n@@ -2 +2 @@\n-    return 1\n+    return 2\n"}),
    ("terminal", {"command": "pytest --color=yes"}, {"output": OUTPUT, "exit_code": 0}),
    ("query", {"sql": "select *"}, ROWS),
    ("screenshot", {}, {"screenshot": "data:image/png;base64," + "A" * 40_000}),
)  # fmt: skip


@pytest.fixture
def recorded(tmp_path: Path) -> Home:
    path = tmp_path / "state.db"
    with Archive(path) as archive:
        archive.add_session(id="shown", source="cli", title="Shown for what it is", started_at=1e9)
        rows: list[dict[str, object]] = [{"role": "user", "content": "Mend the price."}]
        for at, (tool, arguments, result) in enumerate(CALLS):
            function = {"name": tool, "arguments": json.dumps(arguments)}
            call = {"id": f"c{at}", "type": "function", "function": function}
            rows.append({"role": "assistant", "tool_calls": json.dumps([call])})
            content = json.dumps(result)
            rows.append({"role": "tool", "content": content, "tool_call_id": f"c{at}", "tool_name": tool})
        archive.add_messages({"session_id": "shown", "timestamp": 1e9, **row} for row in rows)
    return Home(tmp_path / "home", (path,))


async def opened(pilot) -> TranscriptView:
    await settled(pilot)
    await pilot.press("enter")
    await settled(pilot)
    assert isinstance(pilot.app.screen, TranscriptScreen)
    return pilot.app.screen.view


def rows_of(view: TranscriptView) -> Iterator[str]:
    for line in range(view.line_count):
        yield view.strip_of(line).text.rstrip()


async def test_an_edit_and_a_diff_stand_as_changes(recorded: Home) -> None:
    app = WarmTui(recorded)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot)
        await pilot.press("j", "enter")
        text = "\n".join(rows_of(view))
        assert "  │ old_string → new_string:\n  │ @@ -1,2 +1,2 @@\n  │  def price():\n  │ -    return 1" in text
        styles = {text: style for line in view.body(1) for text, style in line}
        assert (styles["-    return 1"], styles["+    return 2"]) == ("failed", "ok")


async def test_output_has_its_colours_and_does_nothing_else(recorded: Home) -> None:
    app = WarmTui(recorded)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot)
        await pilot.press("j", "j", "enter")
        pieces = {text: style for line in view.body(2) for text, style in line if text}
        assert (pieces["9 passed"], pieces["1 failed"], pieces["tests"]) == ("ok", "failed", "strong")
        assert not any(ord(letter) < 32 for row in rows_of(view) for letter in row)
        assert "52;c" not in said(app)
        line = next(at for at, row in enumerate(rows_of(view)) if "9 passed" in row)
        colours = {segment.text: segment.style.color for segment in view.strip_of(line) if segment.style}
        assert colours["9 passed"] != colours["1 failed"]


async def test_long_values_unfold_by_a_key_and_by_a_click(recorded: Home) -> None:
    app = WarmTui(recorded)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot)
        await pilot.press("j", "j", "j", "enter")
        assert "  │ rows: ▸ [… 12 values …]" in list(rows_of(view))
        await pilot.press("x")
        assert any("name: " in row and "row 11" in row for row in rows_of(view))
        await pilot.press("x")
        assert not any("row 11" in row for row in rows_of(view))
        line = next(at for at, row in enumerate(rows_of(view)) if "rows:" in row)
        await pilot.click(TranscriptView, offset=(8, line))
        assert any("row 11" in row for row in rows_of(view))
        assert 3 in view.open
        await pilot.click(TranscriptView, offset=(8, line))
        assert not any("row 11" in row for row in rows_of(view))


async def test_one_of_all_that_is_unfolded_folds_by_itself(recorded: Home) -> None:
    app = WarmTui(recorded)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot)
        await pilot.press("j", "j", "j", "x")
        at = next(n for n, line in enumerate(view.body(3)) if isinstance(line, Fold))
        assert view.fold_at(3, at + 1)
        assert "  │ rows: ▸ [… 12 values …]" in list(rows_of(view))


async def test_a_match_stands_out_across_colours(recorded: Home) -> None:
    app = WarmTui(recorded)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot)
        await pilot.press("slash", *"passed, 1", "enter")
        await settled(pilot)
        view.turn(2, True)
        line = next(line for line in view.body(2) if any("passed" in text for text, _ in line))
        found = [text for text, style in with_found(line, view.search_text) if style == "found"]
        assert "".join(found) == "passed, 1"
        assert len(found) > 1


async def test_a_picture_is_named(recorded: Home) -> None:
    app = WarmTui(recorded)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot)
        await pilot.press("G", "enter")
        assert "  │ screenshot: [image/png, about 30 KB]" in list(rows_of(view))


async def test_a_call_reads_as_it_does_where_calls_are_picked(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        table(app).move(next(at for at, title in enumerate(titles(app)) if "Make a release" in title))
        view = await opened(pilot)
        heads = [text_of(view.head(at)) for at in range(len(view.items))]
        assert "▸ ✓ ok          terminal  python -m pytest -q" in heads
        assert any(head.startswith("▸ ~ benign exit terminal  grep ") for head in heads), "as the profile puts it"
        assert not any("_exit" in head or "_code" in head or '{"' in head for head in heads)
        at = next(at for at, head in enumerate(heads) if head.startswith("▾ ✗ exit code"))
        assert heads[at].endswith("cat timeout.yaml"), "why it failed stands below it, once"
        why = [text_of(line) for line in view.body(at)[:2]]
        assert why == ["failure: exit code 1: cat: timeout.yaml: No such file or directory", "command:"]
        at = next(at for at, head in enumerate(heads) if head.startswith("▸ ✓ ok"))
        assert text_of(view.body(at)[0]) == "command:", "that it went well, its head has said"


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        ('{"command": "make"}', "make"), ('{"path": "a", "n": 2}', "path: a n: 2"), ("{}", ""), ("", ""),
        ('{"path": "a', '{"path": "a'), ("[1]", "[1]"), ('{"path": "\\ud800"}', '{"path": "\\ud800"}'),
    ],
)  # fmt: skip
def test_a_call_on_one_line(raw: str, line: str) -> None:
    assert call_line(raw) == line


async def test_what_is_said_is_read_to_its_end_in_any_width(tmp_path: Path) -> None:
    words = " ".join(f"word{n}" for n in range(60))
    path = tmp_path / "state.db"
    with Archive(path) as archive:
        archive.add_session(id="long", source="cli", title="Long words", started_at=1e9)
        archive.add_messages([{"role": "user", "session_id": "long", "timestamp": 1e9, "content": words}])
    app = WarmTui(Home(tmp_path / "home", (path,)))
    async with app.run_test(size=(80, 24)) as pilot:
        view = await opened(pilot)
        await pilot.press("enter")
        for width in (80, 120, 80):
            await pilot.resize_terminal(width, 24)
            await settled(pilot)
            rows = [row.removeprefix("  │ ").rstrip() for row in list(rows_of(view))[1:]]
            assert " ".join(rows) == words, width
            assert all(len(row) > width // 2 for row in rows[:-1]), "and takes the room there is"
