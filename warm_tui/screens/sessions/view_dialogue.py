"""The windows about saved views: choose one, save the one that is seen, rename one, forget one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual.binding import Binding
from textual.widgets import OptionList

from warm_tui.saved_views import SavedViews, View
from warm_tui.screens.sessions.table import field_options, order_in_words
from warm_tui.screens.shared.choose import Ask, ChooseOne
from warm_tui.screens.shared.frame import Frame
from warm_tui.screens.shared.window import or_back
from warm_tui.sessions.text import clean_line

SAVE, SAVE_FILTER, RENAME, FORGET = "\x00save", "\x00filter", "\x00rename", "\x00forget"


def view_in_words(view: View) -> str:
    """By the names that columns have on the screen."""
    titles = dict(field_options())
    parts = (
        view.filter,
        order_in_words(view.sort) if view.sort else "",
        f"grouped by {view.group}" if view.group else "",
        f"columns {', '.join(titles.get(name, name) for name in view.columns)}" if view.columns else "",
    )
    return "; ".join(part for part in parts if part) or "all sessions"


class ChooseView(ChooseOne):
    """The saved views; what is to be done with the one under the cursor stands before its name."""

    BINDINGS = [  # noqa: RUF012 - as Textual declares it
        Binding("R,f2", "rename", "Rename"),
        Binding("D,delete", "forget", "Forget"),
    ]

    def action_rename(self) -> None:
        self.dismiss_with(RENAME)

    def action_forget(self) -> None:
        self.dismiss_with(FORGET)

    def dismiss_with(self, what: str) -> None:
        options = self.query_one(OptionList)
        option = options.highlighted_option
        if option is not None and option.id and option.id not in (SAVE, SAVE_FILTER):
            self.dismiss(f"{what}{option.id}")


class ViewDialogue:
    """From the list of saved views to the one that is used, or to what becomes of one."""

    def __init__(self, screen: Frame, saved: SavedViews, use: Callable[[str], None]) -> None:
        self._screen, self._saved, self._use = screen, saved, use

    def open(self, current: View) -> None:
        """`current` is what is seen: it can be saved."""
        self._open_again = partial(self.open, current)
        options = [(name, clean_line(f"{name}: {view_in_words(view)}")) for name, view in self._saved.views.items()]
        options.append((SAVE, "Save this view (filter, order, groups, columns) under a name…"))
        if current.filter:
            options.append((SAVE_FILTER, f"Save only the filter {current.filter!r} under a name…"))

        def chosen(choice: str | None) -> None:
            if choice == SAVE:
                self._ask_name("", current)
            elif choice == SAVE_FILTER:
                self._ask_name("", View(current.filter))
            elif choice is not None:
                self._act_on(choice)

        self._screen.app.push_screen(ChooseView("Views", options), chosen)

    def _act_on(self, choice: str) -> None:
        if choice.startswith(RENAME):
            name = choice.removeprefix(RENAME)
            self._ask_name(name, self._saved.view(name))
        elif choice.startswith(FORGET):
            self._forget(choice.removeprefix(FORGET))
        else:
            self._use(choice)

    def _ask_name(self, old_name: str, view: View) -> None:
        def named(name: str) -> None:
            if not name or name == old_name:
                return
            if self._saved.is_taken(name):
                self._ask_replace(old_name, name, view)
            else:
                self._save(old_name, name, view)

        self._screen.app.push_screen(Ask("Name of the view", old_name), or_back(named, self._open_again))

    def _ask_replace(self, old_name: str, name: str, view: View) -> None:
        def answered(answer: str | None) -> None:
            if answer:
                self._save(old_name, name, view)
            else:
                self._ask_name(old_name, view)

        question = f"There is a view {name}: {view_in_words(self._saved.view(name))}"
        options = [("", "Keep it, and choose another name"), ("replace", "Replace it")]
        self._screen.app.push_screen(ChooseOne(question, options), answered)

    def _save(self, old_name: str, name: str, view: View) -> None:
        self._screen.keep_choice(lambda: self._saved.keep(old_name, name, view))
        self._say(f"Saved as {name}.")

    def _forget(self, name: str) -> None:
        view = self._saved.view(name)
        self._screen.keep_choice(lambda: self._saved.forget(name))
        self._say(f"Forgot {name}: {view_in_words(view)}")

    def _say(self, sentence: str) -> None:
        self._screen.notify(sentence, markup=False)
