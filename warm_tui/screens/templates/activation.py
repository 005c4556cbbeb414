"""What an operator is asked before the agent's next sessions start warm, or cold again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from warm_tui.agent.activation import override_warning, told_for
from warm_tui.agent.config_file import Plan
from warm_tui.agent.prefill import Prefill
from warm_tui.agent.trials import RulesUnknown, kept_rules, still_paused
from warm_tui.agent.ways import WITHOUT
from warm_tui.errors import ForeignPrefill
from warm_tui.paths import Home
from warm_tui.presentation.lines import cropped
from warm_tui.screens.templates.preview import Preview
from warm_tui.sessions.invisible import shown_line
from warm_tui.sessions.text import clean, plural
from warm_tui.trials.rules import Rule

MOST_NAMED, MOST_SHOWN = 4, 60


ALL, BY_RULE = "all", "by rule"


class Question(NamedTuple):
    title: str
    text: str
    yes: str


def activation_options(home: Home) -> list[tuple[str, str]]:
    """Each way with what stands against it: sessions that had both would tell nothing of either."""
    active, running = Prefill(home).active(), running_rules(home)
    not_all = f" (pauses {_numbered(running)} of trials)" if running else ""
    not_by_rule = f" (not while {shown_line(active.template)} is active for all: x ends that)" if active else ""
    return [
        (ALL, f"All sessions from now on{not_all}"),
        (BY_RULE, f"By rule: some warm, some cold by chance, to see whether it helps{not_by_rule}"),
    ]


def running_rules(home: Home) -> list[Rule]:
    return [rule for rule in kept_rules(home) if rule.running]


def _numbered(rules: Sequence[Rule]) -> str:
    numbers = [f"{rule.number}" for rule in rules]
    return f"rule{'s' * (len(rules) > 1)} {' and '.join(filter(None, (', '.join(numbers[:-1]), numbers[-1])))}"


def pause_question(rules: Sequence[Rule]) -> Question:
    """All sessions, and some by chance, cannot both be."""
    which, draw = _numbered(rules), "draws" if len(rules) == 1 else "draw"
    text = (
        f"{which.capitalize()} of trials {draw} which sessions begin warm and which stay cold. Where all of them begin"
        " warm, there is nothing to compare with.\n\nActivating pauses that; what was found so far is kept. x ends the"
        " activation; then r on Experiments lets go on what was paused."
    )
    return Question(f"Pause {which} for that?", text, "Pause, and go on")


def activation_question(home: Home, preview: Preview, *, replace: bool) -> Question:
    """Raises ForeignPrefill where somebody else's file would have to be set aside, and that was not allowed."""
    plan = Prefill(home).plan_activation(replace)
    messages = plural(len(preview.conversation.messages), "message")
    lines = [
        _change(plan),
        f"The agent's next sessions start with the {messages} of {preview.name}.",
        told_for(home, preview.provider),
        f"Not those of {', '.join(WITHOUT)}: they take no first messages.",
    ]
    if preview.secrets:
        stand = plural(preview.secrets, "secret stands", "secrets stand")
        lines.insert(0, f"! {stand} in it: the provider would get them. Enter on the list edits it.\n")
    if warning := override_warning(home):
        lines.append(warning)
    yes = "Activate with secrets" if preview.secrets else "Activate"
    return Question(f"Activate {preview.name}?", _clean_lines("\n".join(lines)), yes)


def outside_question(preview: Preview) -> Question:
    """Each text is named, with how it begins."""
    lines = ["Nobody has read these texts, which came from outside:"]
    for text in preview.unread[:MOST_NAMED]:
        lines += [f"! {text.told}", f"    {cropped(shown_line(text.text[: 2 * MOST_SHOWN]), MOST_SHOWN)}"]
    if len(preview.unread) > MOST_NAMED:
        lines.append(f"… and {len(preview.unread) - MOST_NAMED:,} more")
    lines.append("The model may do as they say. Esc, then o, shows them whole.")
    return Question(f"Text from outside in {preview.name}", "\n".join(lines), "I have read it")


def set_aside_question(foreign: ForeignPrefill) -> Question:
    return Question("Set it aside?", _clean_lines(f"{foreign}\n\nIt comes back when you deactivate."), "Set aside")


def deactivation_question(home: Home) -> Question | None:
    """None where no template is active."""
    plan = Prefill(home).plan_deactivation()
    if not plan.changed:
        return None
    lines = [_change(plan)]
    # Rules that cannot be read must not stand in the way of what ends an activation.
    with suppress(RulesUnknown):
        lines.append(still_paused(kept_rules(home)))
    return Question("Start cold again?", _clean_lines("\n\n".join(filter(None, lines))), "Deactivate")


def _change(plan: Plan) -> str:
    return plan.difference if plan.changed else f"{plan.path} points to Warm TUI's file already."


def _clean_lines(text: str) -> str:
    return "\n".join(clean(line) for line in text.split("\n"))
