"""Everything a profile knows, readable at a glance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

import msgspec
from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual.containers import VerticalScroll
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import get_current_worker

from warm_tui import actions
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.presentation import figures, outcomes
from warm_tui.presentation.claims import change_style
from warm_tui.presentation.failures import failure_lines
from warm_tui.presentation.figures import rate_style
from warm_tui.presentation.pictures import GLYPHS
from warm_tui.reliability.bounds import change_is_shown
from warm_tui.reliability.profile import Judged, Profile
from warm_tui.screens.shared.working import work
from warm_tui.sessions.model import Session
from warm_tui.sessions.text import clean_line, plural
from warm_tui.widgets.outcome_strip import outcome_strip
from warm_tui.widgets.palette import CLASSES, Palette

MOST_TOOLS = 8
DETAIL_SECONDS = 0.1


class Detail(msgspec.Struct, frozen=True):
    """What the pane shows beside the profile: it takes a look at the session's rows."""

    of: Profile
    calls: list[Judged]
    chain: list[Session]


class ProfilePane(VerticalScroll):
    """The profile of the session under the cursor."""

    BINDINGS: ClassVar = actions.bindings("list")
    COMPONENT_CLASSES: ClassVar[set[str]] = CLASSES

    class DetailRead(Message):
        def __init__(self, detail: Detail) -> None:
            self.detail = detail
            super().__init__()

    def __init__(self, home: Callable[[], Home], *, id: str) -> None:
        super().__init__(id=id)
        self._home = home
        self._profile: Profile | None = None
        self._waiting = False
        self._instead = ""
        self._detail: Detail | None = None
        self._detail_timer: Timer | None = None
        self._shown: Text | None = None

    def compose(self):  # type: ignore[no-untyped-def]
        yield Static(id="profile-text", markup=False)

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _: self.lay_out())

    def show(self, profile: Profile | None, *, waiting: bool = False, instead: str = "") -> None:
        """`instead`: what is told where no session is under the cursor."""
        before, self._profile, self._waiting, self._instead = self._profile, profile, waiting, instead
        self.lay_out()
        if profile is not None and (before is None or profile.session_id != before.session_id):
            self.scroll_home(animate=False)

    def lay_out(self) -> None:
        profile = self._profile
        text = Text(self._instead or "Nothing is under the cursor.")
        if profile is not None:
            text = self._text_of(profile, self.detail_of(profile), self._waiting)
        if text != self._shown:
            self._shown = text
            pane = self.query_one("#profile-text", Static)
            pane.update(text, layout=False)
            # One that fits leaves the pane as it was: the screen need not be laid out anew for it.
            room, width = self.size.height, pane.size.width
            if not room or pane.size.height != room or pane.visual.get_height(pane.styles.get_rules(), width) > room:
                pane.refresh(layout=True)

    # --- the calls behind it, read when the cursor rests ---

    def read_detail_soon(self) -> None:
        self._detail_timer = self.set_timer(DETAIL_SECONDS, self.read_detail)

    def wait_with_detail(self) -> None:
        if self._detail_timer is not None:
            self._detail_timer.stop()

    def forget_detail(self) -> None:
        """Verdicts are others now, or sessions."""
        self._detail = None

    def read_detail(self) -> None:
        profile = self._profile
        if profile is not None and self.detail_of(profile) is None:
            self.read_detail_of(profile)

    def detail_of(self, profile: Profile) -> Detail | None:
        """What was read of it, which need not have been its calls of now."""
        wanted = (profile.session_id, profile.part_of)
        detail = self._detail
        return detail if detail is not None and (detail.of.session_id, detail.of.part_of) == wanted else None

    @work(thread=True, exclusive=True, group="look")
    def read_detail_of(self, profile: Profile) -> None:
        worker = get_current_worker()
        try:
            with Catalog(self._home()) as catalog:
                _, life, calls = catalog.life(profile.session_id)
        except Trouble:
            return
        if not worker.is_cancelled:
            if profile.part_of:
                calls = [call for call in calls if call[0].session_id == profile.session_id]
            self.post_message(self.DetailRead(Detail(profile, calls, life.sessions)))

    def on_profile_pane_detail_read(self, message: DetailRead) -> None:
        self._detail = message.detail
        self.lay_out()

    def action_cursor_down(self) -> None:
        self.scroll_relative(y=1, animate=False)

    def action_cursor_up(self) -> None:
        self.scroll_relative(y=-1, animate=False)

    def action_first(self) -> None:
        self.scroll_home(animate=False)

    def action_last(self) -> None:
        self.scroll_end(animate=False)

    def _text_of(self, p: Profile, detail: Detail | None, waiting: bool) -> Text:
        palette = Palette(self)
        width = max(20, min(100, self.size.width - 4))
        text = Text(no_wrap=False, overflow="fold")
        title = clean_line(p.title or p.first_message or p.session_id)
        text.append((title if cell_len(title) <= 2 * width else set_cell_size(title, 2 * width - 1) + "…") + "\n")
        text.stylize(palette.style("strong"))
        text.append(f"{clean_line(p.session_id)}\n", palette.style("dim"))
        if waiting:
            text.append("\nProfiling…", palette.style("dim"))
            return text
        self._rates(text, p, palette, width)
        if detail is not None:
            text.append("\n")
            text.append_text(outcome_strip(detail.calls, width, 4, palette))
            text.append("\n")
            text.append("  ".join(f"{glyph} {name}" for name, glyph in GLYPHS.items()) + "\n", palette.style("dim"))
        self._tools(text, p, palette, width)
        if detail is not None:
            self._reasons(text, detail.calls, palette)
            self._lineage(text, p, detail.chain, palette)
        self._facts(text, p, palette)
        return text

    def _rates(self, text: Text, p: Profile, palette: Palette, width: int) -> None:
        if p.error_rate is None:
            text.append("\nNo call with a verdict.\n", palette.style("dim"))
            return
        text.append(f"\n{figures.percent(p.error_rate)} errors", palette.style(rate_style(p.error_rate, p.known_calls)))
        text.append(f"  {figures.interval(p)} within this session", palette.style("dim"))
        text.append(f"\n{p.successful_calls:,} ok, {p.failed_calls:,} failed, {p.unknown_calls:,} unknown\n")
        room = max(8, width - 16)
        for name, rate in (("early", p.early_error_rate), ("late", p.late_error_rate)):
            text.append(f"{name:6}", palette.style("dim"))
            text.append_text(bar(rate, room, palette))
            text.append(f" {figures.percent(rate):>6}\n")
        style = change_style(p.proficiency_gain, shown=change_is_shown(p))
        text.append(f"change {figures.change_in_words(p)}\n", palette.style(style))
        mix = f"at equal tool mix {figures.signed(p.adjusted_gain)}; lower is better\n"
        text.append(mix, palette.style("dim"))

    def _tools(self, text: Text, p: Profile, palette: Palette, width: int) -> None:
        if not p.tool_distribution:
            return
        name_width = min(18, max(len(clean_line(tool)) for tool in p.tool_distribution))
        room = max(6, width - name_width - 18)
        text.append("\n")
        for tool, count in list(p.tool_distribution.items())[:MOST_TOOLS]:
            success = p.tool_success_rates.get(tool)
            failing = None if success is None else 1 - success
            text.append(set_cell_size(clean_line(tool), name_width) + f" {count:>5,} ")
            text.append_text(bar(failing, room, palette))
            _, known = p.tool_failures.get(tool, (0, 0))
            text.append(f" {figures.percent(failing):>6}\n", palette.style(rate_style(failing, known)))
        if len(p.tool_distribution) > MOST_TOOLS:
            text.append(f"and {len(p.tool_distribution) - MOST_TOOLS} more tools\n", palette.style("dim"))

    def _reasons(self, text: Text, calls: Sequence[Judged], palette: Palette) -> None:
        for at, line in enumerate(failure_lines(calls, max(20, self.size.width - 4))):
            text.append("" if at else "\n")
            for words, style in line:
                text.append(words, palette.style(style))
            text.append("\n")

    def _lineage(self, text: Text, p: Profile, chain: Sequence[Session], palette: Palette) -> None:
        if len(chain) < 2 and p.relation in ("none", "compression_in_place"):
            return
        text.append("\n")
        if p.relation in ("branch", "delegate"):
            text.append(f"{p.relation} of {clean_line(p.parent_session_id or 'a session that is gone')}\n")
        for depth, session in enumerate(chain if len(chain) > 1 else ()):
            here = p.part_of is not None and session.id == p.session_id
            branch = "  " * min(depth, 8) + ("└ " if depth else "")
            text.append(f"{branch}{clean_line(session.id)}", palette.style("strong" if here else "dim"))
            text.append("  ← here\n" if here else "\n")

    def _facts(self, text: Text, p: Profile, palette: Palette) -> None:
        facts = (
            ("model", clean_line(p.model or figures.UNKNOWN_VALUE)),
            ("started", figures.moment(p.started_at)),
            ("lasted", figures.duration(p.duration_seconds)),
            ("ended", clean_line(p.end_reason or "no reason recorded")),
            ("outcome", clean_line(outcomes.whole(p))),
            ("messages", f"{p.message_count:,}"),
            ("compactions", str(p.compactions)),
            ("first 30", figures.percent(p.first_30_error_rate)),
            ("streak", f"{plural(p.longest_failure_streak, 'failure')} in a row at most"),
            ("tokens", figures.tokens(p)),
            ("cost", figures.cost(p)),
        )
        text.append("\n")
        for name, value in facts:
            text.append(f"{name:12}", palette.style("dim"))
            text.append(f"{value}\n")


def bar(rate: float | None, width: int, palette: Palette) -> Text:
    """A rate of failure as a bar."""
    if rate is None:
        return Text("·" * width, palette.style("dim"))
    filled = round(rate * width) or (1 if rate else 0)
    text = Text("█" * filled, palette.style("failed"))
    text.append("░" * (width - filled), palette.style("dim"))
    return text
