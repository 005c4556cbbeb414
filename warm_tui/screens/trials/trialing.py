"""The part of the Experiments screen that shows trials: a row a rule, and what it has shown beside it."""

from __future__ import annotations

import time
from functools import partial

from textual.app import ComposeResult
from textual.message import Message

from warm_tui import actions
from warm_tui.choices import remapped_keys
from warm_tui.comparisons.spec import ComparisonSpec
from warm_tui.reports.document import Document, Say
from warm_tui.reports.trials import proposal, title_of, trial_document, verdicts
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.detailed import Detailed
from warm_tui.screens.shared.forms import Confirm
from warm_tui.screens.shared.listing import Listing
from warm_tui.screens.shared.neighbour import Neighbour
from warm_tui.screens.shared.reading import Reading
from warm_tui.screens.trials import trial_list
from warm_tui.screens.trials.ruling import Ruling
from warm_tui.screens.trials.table import MOST_LINES, RULE_ACTIONS, TrialTable
from warm_tui.screens.trials.trial_list import TrialList, TrialRow, read_trials, told_count
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.divider import Divider
from warm_tui.widgets.working import work

NO_RULE = "There is no rule yet: t makes one."


class Trialing(Ruling, Detailed, Listing, Reading):
    """The trials stand above another table: with the cursor in them, they are what the screen is about."""

    trials: TrialList | None = None
    wanted: int | None = None
    """The number of an experiment, or of a rule, that is to be shown as soon as it is read."""
    wanted_rule: int | None = None
    was_in_trials = False
    """Of the tables, the cursor was last in that of the trials."""

    class TrialsRead(Message):
        def __init__(self, trials: TrialList) -> None:
            self.trials = trials
            super().__init__()

    def trial_table(self) -> ComposeResult:
        table = TrialTable(id="trials")
        table.add_class("-none")
        yield table

    @property
    def rules(self) -> TrialTable:
        return self.query_one(TrialTable)

    @property
    def trial(self) -> TrialRow | None:
        """The one under the cursor."""
        return self.rules.under_cursor

    @property
    def has_trials(self) -> bool:
        return self.trials is not None and bool(self.trials.rows)

    @property
    def in_trials(self) -> bool:
        """Also while one reads what stands beside the rule."""
        return self.was_in_trials and self.trial is not None

    def note_focus(self) -> None:
        """As it is now: of two widgets that got it one behind the other, the first may be heard of last."""
        if self.focused in (self.rules, self.view, self.table):
            self.was_in_trials = self.focused is self.rules

    # --- what there is ---

    @work(thread=True, exclusive=True, group="trials")
    def read_rules(self) -> None:
        self.hand_on(self.TrialsRead(trials) for trials in read_trials(self.home))

    def make_room(self, rows: int) -> None:
        """What stands below the trials gives up the room that so many rows have no use for, where nobody chose."""
        self.set_class(self.has_trials, "-with-trials")
        self.view.set_class(not rows and self.has_trials, "-none")
        wanted = min(rows + 1, MOST_LINES) if self.has_trials and not self.divider.shares else None
        self.view.styles.height = wanted

    def on_divider_moved(self, message: Divider.Moved) -> None:
        super().on_divider_moved(message)
        self.lay_out()

    def rules_changed(self) -> None:
        """A rule that was just made, or changed, is what one wants to see."""
        if self.draft is not None and self.draft.number:
            self.wanted_rule, self.draft = self.draft.number, None
        self.read_rules()

    def on_trialing_trials_read(self, message: TrialsRead) -> None:
        is_first = self.trials is None
        self.trials = message.trials.after(self.trials)
        for sentence in self.trials.switched_off:
            self.notify(clean_line(sentence), severity="warning", markup=False)
        self.show_rules()
        if is_first and self.has_trials and self.wanted is None:
            self.rules.focus()
        if self.wanted_rule is not None:
            self.go_to_rule(self.wanted_rule)

    def show_rules(self) -> None:
        rows = self.trials.rows if self.trials else ()
        table = self.rules
        table.pending = {table.identity(row) for row in rows if not row.is_read}
        table.set_class(not rows, "-none")
        table.styles.height = min(len(rows) + 1, MOST_LINES)
        table.show(rows, now=time.time())
        if not rows and table.has_focus:
            self.view.focus()
        self.lay_out()

    def go_to_rule(self, number: int) -> None:
        """The cursor on it, as soon as it is read."""
        self.wanted_rule = number
        at = self.rules.place_of(str(number)) if self.trials is not None else None
        if at is not None:
            self.rules.move(at)
            self.rules.focus()
            self.wanted_rule = None

    def on_neighbour_left(self, message: Neighbour.Left) -> None:
        """Down from the last rule to what stands below, and up again."""
        if message.table is self.rules and message.down and self.view.display:
            self.view.focus()
        elif message.table is self.view and not message.down and self.rules.display:
            self.rules.focus()

    def document_of_trial(self, row: TrialRow) -> Document:
        if not row.is_read:
            return Document(title_of(row.rule), [Say("Reading what its sessions came to…", "dim")])
        key = remapped_keys(self.choices).get("trials.larger-share", "a")
        return trial_document(row.trial, row.courses, row.larger, actions.readable(key))

    def told_trials(self) -> list[str]:
        return [told_count(self.trials)] if self.trials is not None and self.has_trials else []

    # --- what is done to a rule ---

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What is read below the tables may be of an experiment."""
        if action in RULE_ACTIONS and self.focused is self.document_view:
            return self.in_trials
        return super().check_action(action, parameters)

    def action_to_experiments(self) -> None:
        if self.view.display:
            self.view.focus()

    def action_new_rule(self) -> None:
        self.ask_rule()

    def action_change_rule(self) -> None:
        if (row := self.trial_or_say()) is not None:
            self.ask_rule(row.rule)

    def action_pause_rule(self) -> None:
        if (row := self.trial_or_say()) is not None:
            self.change_rules(partial(trial_list.pause, self.home, row.rule))

    def action_resume_rule(self) -> None:
        """One that harmed is drawn by again only when that is said twice."""
        row = self.trial_or_say()
        if row is None:
            return
        resume = partial(trial_list.resume, self.home, row.rule)
        if row.rule.running or not row.rule.why:
            self.change_rules(resume)
            return
        told = " ".join(sentence for sentence, _ in verdicts(row.trial))
        text = f"It was {row.rule.why}.\n{told}\n\nThe guard switches it off again as long as that is so."
        question = Confirm(f"Draw by rule {row.rule.number} again?", clean_lines(text), "Draw again")
        self.change_if(question, resume)

    def action_remove_rule(self) -> None:
        row = self.trial_or_say()
        if row is None:
            return
        text = "Sessions that have begun go on as they began. What it has shown is told no more."
        question = Confirm(clean_line(f"Remove {title_of(row.rule)}?"), text, "Remove the rule")
        self.change_if(question, partial(trial_list.remove, self.home, row.rule))

    def action_move_rule_down(self) -> None:
        self.move_rule(1)

    def action_move_rule_up(self) -> None:
        self.move_rule(-1)

    def move_rule(self, by: int) -> None:
        if (row := self.trial_or_say()) is not None:
            self.change_rules(partial(trial_list.move, self.home, row.rule, by))

    def action_larger_share(self) -> None:
        row = self.trial_or_say()
        if row is None:
            return
        if row.larger is None:
            self.notify("No larger share is proposed: that comes when it is shown to help.", markup=False)
            return
        told = clean_line(proposal(row.rule, row.larger))
        question = Confirm(f"A larger share for rule {row.rule.number}?", told, "Take it")
        self.change_if(question, partial(trial_list.take_larger, self.home, row.rule, row.larger))

    def action_compare_rule(self) -> None:
        """With the arms as they were drawn; of several templates one is chosen."""
        row = self.trial_or_say()
        if row is None:
            return
        revisions = row.rule.revisions

        def show(content: str | None) -> None:
            template = next((each.template for each in revisions if each.content == content), None)
            if template is not None:
                spec = ComparisonSpec("template", template=template, rule=row.rule.number)
                self.app.show_comparison(spec)  # type: ignore[attr-defined]

        if len(revisions) == 1:
            show(revisions[0].content)
        else:
            options = [(each.content, clean_line(each.template)) for each in revisions]
            self.app.push_screen(ChooseOne("Which against those that drew cold?", options), show)

    def trial_or_say(self) -> TrialRow | None:
        if self.trial is None:
            self.notify(NO_RULE, markup=False)
        return self.trial


def clean_lines(text: str) -> str:
    return "\n".join(clean_line(line) for line in text.split("\n"))
