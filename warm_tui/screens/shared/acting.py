"""An app in which actions are found by what they do, and refused at once where nothing may be changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.app import App
from textual.command import Hit, Hits
from textual.system_commands import SystemCommandsProvider

from warm_tui import actions
from warm_tui.screens.shared.frame import Frame
from warm_tui.sessions.text import clean_line
from warm_tui.writing import LooksOnly, looks_only

if TYPE_CHECKING:
    from textual.actions import ActionParseResult
    from textual.dom import DOMNode
    from textual.screen import Screen

BY_WORDS = 0.01
"""What is found by the words that tell of it stands behind all that is found by its name."""


class Commands(SystemCommandsProvider):
    """Found by name, or by the words of which the explanation has all."""

    async def search(self, query: str) -> Hits:
        matcher, words = self.matcher(query), query.lower().split()
        for name, told, callback, is_here in self.app.get_system_commands(self.screen):
            # Of where one is, the name of the screen stands there to be read, and need not be typed.
            score = max(matcher.match(name), matcher.match(name.rpartition(": ")[2]) if is_here else 0.0)
            if not score and words and all(word in told.lower() for word in words):
                score = BY_WORDS
            if score > 0:
                yield Hit(score, matcher.highlight(name), callback, help=told)


class Acting(App[None]):
    COMMANDS = {lambda: Commands}  # noqa: RUF012 - as Textual declares it

    async def act(self, screen: Screen[object], action: actions.Action) -> None:
        name = action.id.replace("-", "_")
        for target in (screen.focused, screen, self, *screen.query("*")):
            if target is not None and hasattr(target, f"action_{name}"):
                await target.run_action(name)
                return

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Whatever it was asked for by: a key, a button, the palette."""
        name = action if isinstance(action, str) else action[1]
        scopes = self.screen.SCOPES if isinstance(self.screen, Frame) else ("app",)
        if looks_only() and actions.is_refused(scopes, name.rpartition(".")[2], in_browser=self.is_web):
            self.notify(clean_line(str(LooksOnly())), severity="warning", markup=False)
            return True
        return await super().run_action(action, default_namespace, namespaces)
