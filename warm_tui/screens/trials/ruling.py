"""A screen on which rules are made and changed: the way from the form to the rule that is kept."""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial

from warm_tui.errors import Trouble
from warm_tui.screens.shared.forms import Confirm
from warm_tui.screens.shared.frame import Frame
from warm_tui.screens.shared.window import or_back
from warm_tui.screens.trials.rule_draft import TEMPLATES, Prepared, Recent, RuleDraft, recent_sessions
from warm_tui.screens.trials.rule_form import RuleForm
from warm_tui.sessions.text import clean_line, plural
from warm_tui.trials.rules import Rule
from warm_tui.widgets.working import work
from warm_tui.writing import check_may_change

MOST_TOLD = 4


class Ruling(Frame):
    draft: RuleDraft | None = None
    """Of the rule that was asked for last."""
    recent: list[Recent] | None = None
    """The sessions of late, once they have been read."""

    @abstractmethod
    def rules_changed(self) -> None:
        """What was asked for has been done."""

    def ask_rule(self, rule: Rule | None = None, names: Sequence[str] = ()) -> None:
        """By a form: a new rule with templates of these names, or another for the one that is there."""
        try:
            check_may_change()
            self.draft = draft = RuleDraft(self.home, rule, names)
        except (Trouble, sqlite3.Error) as trouble:
            self.say_wrong(str(trouble))
            return
        if not draft.offers:
            self.notify("There is no template to begin with yet: make one on Curate.", markup=False)
            return

        self.ask_fields(draft, draft.fields, draft.chosen)

    def ask_fields(self, draft: RuleDraft, fields: dict[str, str], chosen: Sequence[str]) -> None:
        def look(values: dict[str, str]) -> list[str]:
            return draft.look(values, self.recent)

        def taken(values: dict[str, str] | None) -> None:
            if values is not None:
                self.prepare_rule(draft, values)

        title = f"Rule {draft.rule.number}" if draft.rule else "A new rule"
        where = f", for sessions of {clean_line(self.home.called)}" if self.home.called else ""
        form = RuleForm(title + where, fields, draft.offers, chosen, draft.check, look)
        self.app.push_screen(form, taken)
        self.recent = None
        self.read_recent(form)

    @work(thread=True, exclusive=True, group="recent")
    def read_recent(self, form: RuleForm) -> None:
        try:
            self.recent = recent_sessions(self.home)
        except (Trouble, sqlite3.Error) as trouble:
            self.recent = []
            self.app.call_from_thread(self.say_wrong, str(trouble))
        self.app.call_from_thread(self.show_recent, form)

    def show_recent(self, form: RuleForm) -> None:
        if form.is_mounted:
            form.look_again()

    @work(thread=True, exclusive=True, group="rules")
    def prepare_rule(self, draft: RuleDraft, values: dict[str, str]) -> None:
        try:
            prepared = draft.prepared(values)
        except (Trouble, sqlite3.Error) as trouble:
            self.app.call_from_thread(self.say_wrong, str(trouble))
            return
        self.app.call_from_thread(self.ask_before, draft, prepared, values)

    def ask_before(self, draft: RuleDraft, prepared: Prepared, values: dict[str, str]) -> None:
        """Where something in its templates has to be known before sessions begin with them."""
        keep = partial(draft.keep, prepared)
        question = question_before(prepared)
        if question is None:
            self.change_rules(keep)
        else:
            fields = {name: values[name] for name in draft.fields}
            back = partial(self.ask_fields, draft, fields, values[TEMPLATES].split("\n"))
            self.change_if(question, keep, back)

    def change_if(self, question: Confirm, change: Callable[[], str], back: Callable[[], None] = lambda: None) -> None:
        self.app.push_screen(question, or_back(lambda _: self.change_rules(change), back))

    @work(thread=True, group="rules")
    def change_rules(self, change: Callable[[], str]) -> None:
        """What went wrong is told; in either case, what stands there is read again."""
        try:
            sentence = change()
        except (Trouble, sqlite3.Error) as trouble:
            self.app.call_from_thread(self.say_wrong, str(trouble))
        else:
            if sentence:
                self.app.call_from_thread(self.notify, clean_line(sentence), markup=False)
        self.app.call_from_thread(self.rules_changed)


def question_before(prepared: Prepared) -> Confirm | None:
    lines = []
    if prepared.secrets:
        stand = plural(prepared.secrets, "secret stands", "secrets stand")
        lines.append(f"! {stand} in its templates: the provider would get them. Enter on Templates edits one.")
    if prepared.foreign:
        lines.append("Nobody has read these texts, which came from outside; the model may do as they say:")
        lines += [f"! {clean_line(text.told)}" for text in prepared.foreign[:MOST_TOLD]]
        more = len(prepared.foreign) - MOST_TOLD
        lines += [f"… and {more:,} more"] if more > 0 else []
        lines.append("Esc, then o on Templates, shows them whole.")
    if not lines:
        return None
    yes = "I have read it: keep the rule" if prepared.foreign else "Keep it with secrets"
    return Confirm("Before sessions begin with it", "\n".join(lines), yes)
