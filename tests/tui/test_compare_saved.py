"""What is kept of a comparison: under a name, and as a report."""

from __future__ import annotations

import json

from textual.widgets import Input, OptionList

from tests.tui.helpers import notes, settled, until
from tests.tui.test_compare import WIDE, choose, comparing, mark
from warm_tui.app import WarmTui
from warm_tui.comparisons.saved import saved_comparisons
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.screens.shared.written import Written


async def test_saved_marks_are_the_sessions_that_were_marked(demo: Home) -> None:
    mark(demo, "opus", "llama")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await comparing(pilot)
        before = len(screen.table.rows)
        await pilot.press("w")
        await settled(pilot)
        await pilot.press(*"models", "enter")
        await until(pilot, lambda: "Saved as models" in notes(app))
        with Catalog(demo) as catalog:
            catalog.library.connection.execute("DELETE FROM marks")
        await pilot.press("1", "6")
        await until(pilot, lambda: not screen.table.rows)
        await pilot.press("f")
        await settled(pilot)
        await choose(pilot, "Saved: models")
        await until(pilot, lambda: len(screen.table.rows) == before)
        await pilot.press("f")
        await settled(pilot)
        options = app.screen.query_one(OptionList)
        told = [str(options.get_option_at_index(at).prompt) for at in range(options.option_count)]
        options.highlighted = next(at for at, words in enumerate(told) if "Saved: models" in words)
        await pilot.press("D")
        await settled(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: "Forgot models" in notes(app))
        with Catalog(demo) as catalog:
            assert "models" not in {one.name for one in saved_comparisons(catalog.library)}


async def test_reports_in_every_form(demo: Home) -> None:
    mark(demo, "opus", "llama")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await comparing(pilot)
        for words in ("HTML", "Markdown", "SVG", "JSON"):
            await pilot.press("e")
            await settled(pilot)
            await choose(pilot, words)
            await until(pilot, lambda: isinstance(app.screen, Written))
            await pilot.press("escape")
        written = {path.suffix: path for path in (demo.ours / "reports").iterdir()}
        assert written.keys() == {".html", ".md", ".svg", ".json"}
        assert json.loads(written[".json"].read_text())["method"]


async def test_a_name_in_use_is_asked_about(demo: Home) -> None:
    mark(demo, "opus", "llama")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await comparing(pilot)
        for answer in ("", "escape"):
            await pilot.press("w", *"mine", "enter")
            await settled(pilot)
            if answer:
                await pilot.press(answer)
                await settled(pilot)
                assert app.screen.query_one(Input).value == "mine", "back to the name, to choose another"
                await pilot.press("escape")
                await settled(pilot)
        with Catalog(demo) as catalog:
            (saved,) = [one for one in saved_comparisons(catalog.library) if not one.name.startswith("Experiment")]
            catalog.library.connection.execute("UPDATE comparisons SET asked = ?", (b'{"kind": "nope"}',))
        assert saved.name == "mine"
        await pilot.press("f")
        await settled(pilot)
        await choose(pilot, "Saved: mine")
        assert "cannot be read" in notes(app), "one of a newer version"
