"""Trials: which new sessions begin warm, by rules with a control group, and whether it helps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from warm_tui.commands.base import Group, command, open_catalog, open_remembered, print_json, print_notes, safe
from warm_tui.commands.outside import outside_option, refuse_outside, refuse_secrets
from warm_tui.errors import Trouble
from warm_tui.paths import Home
from warm_tui.trials.guessing import CAUTION, TASKS
from warm_tui.trials.rules import DEFAULT_HOLDOUT, DEFAULT_SHARE, Rule, When
from warm_tui.writing import check_may_change

if TYPE_CHECKING:
    from warm_tui.comparisons.trials import Trial
    from warm_tui.config import Config
    from warm_tui.library.trials import Messages
    from warm_tui.trials.rules import Revision
    from warm_tui.trials.verdict import Shown

number_argument = click.argument("number", type=click.IntRange(1))


def rule_options(function: Callable[..., None]) -> Callable[..., None]:
    """Which sessions it is for, and how many of them begin warm; None: not said."""
    share = f"The part of them that begins warm. Default: {DEFAULT_SHARE:g}."
    holdout = f"The part that stays cold whatever the share is. Default: {DEFAULT_HOLDOUT:g}."
    task = f"Only sessions whose first message seems to ask for TASK, a guess by its words: {', '.join(TASKS)}."
    for option in (
        click.option("--holdout", type=float, metavar="PART", help=holdout),
        click.option("--share", type=float, metavar="PART", help=share),
        click.option("--task", help=task),
        click.option("--words", help="Only sessions whose first message has these words."),
        click.option("--folder", help="Only sessions in this folder, or within it."),
        click.option("--model", help="Only sessions of a model with this in its name."),
        click.option("--source", help="Only sessions of this source, such as cli or telegram."),
    ):
        function = option(function)
    return function


templates_option = click.option(
    "--template", "names", multiple=True, metavar="NAME", help="This one instead, as it is now; may be given again."
)


@click.group(cls=Group)
def trials() -> None:
    """Let sessions begin warm by rule, keep some cold, and see whether it helps."""


@trials.command("list")
@command
@click.pass_obj
def list_rules(home: Home, as_json: bool) -> None:
    """List the rules in their order: the first that matches a session decides."""
    with open_remembered(home) as library:
        from warm_tui.library.trials import rules_of

        rules = rules_of(library.connection)
    if as_json:
        print_json({"success": True, "rules": [as_document(rule) for rule in rules]})
    elif not rules:
        click.echo("There is no rule. `warm-tui trials add NAME` puts a template under one.")
    for rule in rules if not as_json else ():
        click.echo(safe(told(rule)))


@trials.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@rule_options
@click.option("--allow-secrets", is_flag=True, help="Take templates that hold secrets.")
@outside_option
@command
@click.pass_obj
def add(
    home: Home, /, names: Sequence[str], allow_secrets: bool, allow_outside: bool, as_json: bool, **given: Any
) -> None:
    """Put the templates NAME under a new rule, the last one; several share its sessions equally.

    A rule is for the sessions of its home alone: a profile of Hermes is a home with rules of its own
    (`warm-tui --profile WORK trials add`).
    """
    from warm_tui.agent.trials import advice, check_one_way

    check_one_way(home)
    revisions, messages = _frozen(home, names, allow_secrets, allow_outside)
    rule = _changed(Rule(0, When(), revisions, ""), given)
    _keep(home, rule, messages, as_json, advice(home))


@trials.command()
@number_argument
@templates_option
@rule_options
@click.option("--allow-secrets", is_flag=True, help="Take templates that hold secrets.")
@outside_option
@command
@click.pass_obj
def edit(
    home: Home,
    /,
    number: int,
    names: Sequence[str],
    allow_secrets: bool,
    allow_outside: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Change rule NUMBER for the sessions that begin from now on; "" takes a condition away."""
    rule = _changed(_rule(home, number), given)
    messages: dict[str, Messages] = {}
    if names:
        revisions, messages = _frozen(home, names, allow_secrets, allow_outside)
        rule = rule._replace(revisions=revisions)
    _keep(home, rule, messages, as_json)


@trials.command()
@number_argument
@click.argument("place", type=click.IntRange(1))
@command
@click.pass_obj
def move(home: Home, number: int, place: int, as_json: bool) -> None:
    """Move rule NUMBER to PLACE in the list; 1 is asked first."""
    with open_remembered(home) as library:
        from warm_tui.library.trials import move_rule

        rules = move_rule(library, number, place)
    if as_json:
        print_json({"success": True, "rules": [as_document(rule) for rule in rules]})
    for rule in rules if not as_json else ():
        click.echo(safe(told(rule)))


@trials.command()
@number_argument
@command
@click.pass_obj
def pause(home: Home, number: int, as_json: bool) -> None:
    """Draw no more by rule NUMBER; sessions that have begun go on as they began."""
    _keep(home, _rule(home, number)._replace(running=False, why="", paused_for=""), {}, as_json)


@trials.command()
@number_argument
@command
@click.pass_obj
def resume(home: Home, number: int, as_json: bool) -> None:
    """Draw by rule NUMBER again, also where it was switched off."""
    from warm_tui.agent.trials import advice, check_one_way

    check_one_way(home)
    _keep(home, _rule(home, number)._replace(running=True, why=""), {}, as_json, advice(home))


@trials.command()
@number_argument
@command
@click.pass_obj
def remove(home: Home, number: int, as_json: bool) -> None:
    """Remove rule NUMBER; sessions that have begun go on as they began."""
    with open_remembered(home) as library:
        from warm_tui.library.trials import remove_rule

        remove_rule(library, number)
    if as_json:
        print_json({"success": True, "number": number})
    else:
        click.echo(f"Rule {number} is removed.")


@trials.command()
@number_argument
@command
@click.pass_obj
def accept(home: Home, number: int, as_json: bool) -> None:
    """Do what is proposed for rule NUMBER where help is shown: all but a holdout begin warm, with what helps."""
    from warm_tui.comparisons.trials import proposed, trials_of

    with open_catalog(home.present) as catalog:
        trial = next((each for each in trials_of(catalog) if each.rule.number == number), None)
    if trial is None:
        raise Trouble(f"There is no rule {number}.")
    larger = proposed(trial)
    if larger is None:
        raise Trouble(f"Nothing is proposed for rule {number}: `warm-tui trials status` says what it has shown.")
    _keep(home, larger, {}, as_json)


@trials.command()
@click.argument("target", required=False)
@click.option("--off", is_flag=True, help="Tell nobody.")
@command
@click.pass_obj
def notify(home: Home, target: str | None, off: bool, as_json: bool) -> None:
    """Have `hermes send` tell TARGET, such as telegram, when a rule is switched off; without one, say who is told."""
    from warm_tui.config import NOTIFY

    config = _config(home)
    if off or target:
        if config.trouble:
            raise Trouble(config.trouble)
        check_may_change()
        config.remember(trials_notify="" if off else target)
    where = config.text(NOTIFY)
    if as_json:
        print_json({"success": True, "target": where or None})
    else:
        click.echo(safe(f"A rule that is switched off is told at {where}." if where else "It is told to nobody."))


@trials.command()
@command
@click.pass_obj
def status(home: Home, as_json: bool) -> None:
    """Say what each rule has shown so far, at any time; one that does harm is switched off."""
    from warm_tui.agent.recording import unrecorded
    from warm_tui.comparisons.guarding import look_at_trials
    from warm_tui.config import NOTIFY
    from warm_tui.library.trial_figures import reasons_not_drawn, without_draw
    from warm_tui.sessions.text import plural

    with open_catalog(home.present) as catalog:
        found, notices = look_at_trials(catalog, _config(home).text(NOTIFY))
        reasons = reasons_not_drawn(catalog.library)
        missing = len(without_draw(catalog.library, unrecorded(home)))
    if as_json:
        told_of = [each._asdict() for each in notices]
        trials = [_status_document(trial) for trial in found]
        print_json({"success": True, "trials": trials, "not_drawn": reasons, "notices": told_of, "unrecorded": missing})
    elif not found:
        click.echo("There is no rule. `warm-tui trials add NAME` puts a template under one.")
    for trial in found if not as_json else ():
        for at, line in enumerate(_status_lines(trial)):
            click.echo(f"{'   ' if at else ''}{safe(line)}")
    for notice in notices if not as_json else ():
        click.echo(safe(f"Rule {notice.rule} was switched off; to the operator: {notice.outcome_told}."))
    for reason, count in reasons.items() if not as_json else ():
        click.echo(safe(f"{plural(count, 'session')} not drawn: {reason}."))
    if missing and not as_json:
        click.echo(
            f"{plural(missing, 'session')} began cold, unrecorded: the library could not be read or written then."
        )


# --- what is told ---


def told(rule: Rule) -> str:
    names = ", ".join(each.template for each in rule.revisions)
    how = "" if rule.running else f" ({rule.why or rule.paused_told})"
    return f"{rule.number}. {rule.when.told}: {names}, {rule.warm_share:.0%} warm{how}"


def as_document(rule: Rule) -> dict[str, Any]:
    return {
        "number": rule.number,
        "when": {name: value or None for name, value in rule.when._asdict().items()},
        "templates": [each._asdict() for each in rule.revisions],
        "share": rule.share,
        "holdout": rule.holdout,
        "warm_share": rule.warm_share,
        "running": rule.running,
        "why": rule.why or None,
        "paused_for": rule.paused_for or None,
        "since": rule.since or None,
    }


def _status_document(trial: Trial) -> dict[str, Any]:
    import msgspec

    from warm_tui.comparisons.trials import proposed

    larger = proposed(trial)
    return {
        "rule": as_document(trial.rule),
        "drawn": trial.drawn,
        "going_on": trial.going_on,
        "without_calls": trial.without_calls,
        "arms": "randomised",
        "primary": "error_rate",
        "shown": [msgspec.to_builtins(each) | {"sentence": each.told} for each in trial.shown],
        "proposed": larger and as_document(larger) | {"sentence": _proposal(larger)},
    }


def _status_lines(trial: Trial) -> list[str]:
    from warm_tui.comparisons.trials import proposed
    from warm_tui.sessions.text import plural

    lines = [told(trial.rule)]
    for each in trial.shown:
        lines += [f"{each.template}: {each.told}", *_figures(each), *_besides(each)]
    aside = [f"{trial.going_on:,} going on, or quiet for less than an hour"] if trial.going_on else []
    aside += [f"{trial.without_calls:,} without a call to judge"] if trial.without_calls else []
    aside += ["judged by what it drew since it was let run again"] if trial.rule.since else []
    larger = proposed(trial)
    lines += [_proposal(larger)] if larger else []
    return [*lines, ", ".join([f"{plural(trial.drawn, 'session')} drawn", *aside])]


def _proposal(larger: Rule) -> str:
    names = " and ".join(each.template for each in larger.revisions)
    return (
        f"Proposed: {larger.warm_share:.0%} begin warm with {names}, the others cold, so that it goes on being known"
        f" (`warm-tui trials accept {larger.number}`)."
    )


def _besides(of: Shown) -> list[str]:
    """Nothing is claimed of these."""
    return [f"besides, nothing is claimed of it: {each.title}: {each.told}" for each in of.secondary]


def _figures(of: Shown) -> list[str]:
    if of.low is None or of.high is None or of.warm_rate is None or of.cold_rate is None:
        return []
    warm, cold = f"warm {of.warm_rate:.1%} ({of.warm:,})", f"cold {of.cold_rate:.1%} ({of.cold:,})"
    between = f"{of.low * 100:+.1f} to {of.high * 100:+.1f} pp, whenever one looks"
    return [f"errors a session: {warm}, {cold}; difference {between}"]


# --- what is done ---


def _config(home: Home) -> Config:
    from warm_tui.config import Config

    return Config(home.ours / "config.toml")


def _rule(home: Home, number: int) -> Rule:
    with open_remembered(home) as library:
        from warm_tui.library.trials import rule_numbered

        return rule_numbered(library, number)


def _changed(rule: Rule, given: dict[str, Any]) -> Rule:
    said = {name: value for name, value in given.items() if value is not None}
    when = rule.when._replace(**{name: said[name].strip() for name in When._fields if name in said})
    return rule._replace(when=when, **{name: said[name] for name in ("share", "holdout") if name in said})


def _frozen(
    home: Home, names: Sequence[str], allow_secrets: bool, allow_outside: bool
) -> tuple[tuple[Revision, ...], dict[str, Messages]]:
    """The templates as they are now."""
    from warm_tui.agent.trials import revision_of
    from warm_tui.templates.conversation import hidden_problems
    from warm_tui.templates.files import TemplateFiles

    revisions: list[Revision] = []
    messages: dict[str, Messages] = {}
    for name in names:
        template = TemplateFiles(home).load(name).template
        refuse_secrets(home, template, allow_secrets)
        refuse_outside(home, template, allow_outside)
        revision, told_messages = revision_of(template)
        print_notes(f"{name}: {problem.text}" for problem in hidden_problems(told_messages))
        revisions.append(revision)
        messages[revision.content] = told_messages
    return tuple(revisions), messages


def _keep(home: Home, rule: Rule, messages: dict[str, Messages], as_json: bool, advice: Sequence[str] = ()) -> None:
    with open_remembered(home) as library:
        from warm_tui.library.trials import keep_rule

        rule = keep_rule(library, rule, messages)
    if rule.warm_share >= 1.0:
        advice = [*advice, "No session stays cold, so nothing can be shown: a holdout makes it a trial."]
    if rule.when.task:
        advice = [*advice, CAUTION]
    if as_json:
        print_json({"success": True, "rule": as_document(rule), "advice": list(advice)})
        return
    click.echo(safe(told(rule)))
    for sentence in advice:
        click.echo(safe(sentence))


COMMANDS = (trials,)
