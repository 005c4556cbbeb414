"""The plan of an experiment: which tasks, how often, under what limits. Made by hand or by the form, and checked."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from io import StringIO
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
from msgspec.structs import replace

from warm_tui.errors import Trouble
from warm_tui.templates.files import check_name
from warm_tui.writing import read_regular

MOST_RUNS, MOST_PARALLEL, MOST_LOOKS, MOST_MINUTES = 10_000, 16, 3, 24 * 60
TASK_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
# What the driver gives itself: another one would end the run's being hermetic, or its being read.
OURS = (
    "--query", "--quiet", "--source", "--model", "--resume", "--continue", "--worktree", "--tui", "--dev",
    "--profile", "--no-restore-cwd", "--ignore-user-config", "--safe-mode",
)  # fmt: skip
OUR_LETTERS = "qQmrcwp"
MOST_BYTES = 120_000
"""A system takes no longer word of a command."""
LONGEST_NAME = 255


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is asked of the agent, what it starts from, and how it is known to be done."""

    id: str
    prompt: str
    folder: str = ""
    files: dict[str, str] = {}
    setup: str = ""
    check: str = ""
    minutes: float = 10.0


class Budget(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """No run is begun beyond any of these."""

    runs: int | None = None
    dollars: float | None = None
    minutes: float | None = None


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    name: str
    template: str
    tasks: tuple[Task, ...]
    repeats: int = 1
    parallel: int = 1
    model: str = ""
    flags: tuple[str, ...] = ()
    budget: Budget = Budget()
    looks: tuple[float, ...] = ()
    """The shares of the pairs after which it may stop, the whole left out."""
    seed: int | None = None
    where: tuple[str, ...] = ()
    """What the machines of a fleet that take its runs have to offer."""

    @property
    def pairs(self) -> int:
        return len(self.tasks) * self.repeats

    @property
    def runs(self) -> int:
        return 2 * self.pairs


def read_plan(path: Path) -> Plan:
    try:
        text = read_regular(path, 10_000_000).decode("utf-8")
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise Trouble(f"{path} is not UTF-8 text.") from error
    return parse_plan(text, path.absolute().parent, toml=path.suffix == ".toml")


def parse_plan(text: str, folder: Path, *, toml: bool = False) -> Plan:
    """The plan that this text is, or what is wrong with it. Its folders are looked for from `folder` on."""
    values = _values_of(text, toml)
    if not isinstance(values, Mapping):
        raise Trouble("A plan is a mapping of settings: name, template, tasks and so on.")
    try:
        plan = msgspec.convert(values, type=Plan)
    except msgspec.ValidationError as error:
        raise Trouble(_in_words(str(error))) from error
    plan = replace(plan, tasks=tuple(_placed(task, folder) for task in plan.tasks))
    check_plan(plan)
    return plan


def _values_of(text: str, toml: bool) -> Any:
    if toml:
        try:
            return tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise Trouble(f"The plan is not TOML: {error}.") from error
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except (YAMLError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        at = f" at line {mark.line + 1}" if mark is not None else ""
        # It may go on to repeat what was written there, which may be a password.
        problem = (getattr(error, "problem", None) or "it cannot be read").partition(" with value ")[0]
        raise Trouble(f"The plan is not YAML{at}: {problem}.") from error


def _in_words(problem: str) -> str:
    """Where it is wrong, and how: `Expected `int`, got `str` - at `$.repeats`` is for programmers."""
    what, _, where = problem.partition(" - at ")
    where = where.replace("`key in `", "").replace("`", "")
    at = re.sub(r"\[(\d+)\]", lambda index: f" {int(index[1]) + 1}", where.removeprefix("$").lstrip("."))
    at = at.replace("[", " ").replace("]", "").replace("...", "").strip(" .")
    what = re.sub(r"^Object ", "", what.replace("`", "'"))
    what = what.replace("contains unknown field", "there is no setting").replace(
        "missing required field", "this is missing:"
    )
    return f"{at.replace('.', ', ')}: {what}." if at else f"The plan: {what}."


def _placed(task: Task, folder: Path) -> Task:
    if not task.folder:
        return task
    try:
        return replace(task, folder=str(folder / Path(task.folder).expanduser()))
    except RuntimeError as error:
        raise Trouble(f"Task {task.id}: there is no folder {task.folder}.") from error


def check_plan(plan: Plan) -> None:
    """Raises Trouble with the first thing that is wrong."""
    for name, field in ((plan.name, "name"), (plan.template, "template")):
        if not name.strip():
            raise Trouble(f"The plan needs a {field}.")
    check_name(plan.name)
    _between("repeats", plan.repeats, 1, 100)
    _between("parallel", plan.parallel, 1, MOST_PARALLEL)
    if not plan.tasks:
        raise Trouble("The plan needs at least one task.")
    ids = [task.id for task in plan.tasks]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice is not None:
        raise Trouble(f"Two tasks have the id {twice!r}.")
    for task in plan.tasks:
        _check_task(task)
    if plan.runs > MOST_RUNS:
        raise Trouble(f"These are {plan.runs:,} runs; {MOST_RUNS:,} are the most.")
    _check_budget(plan.budget)
    _check_looks(plan)
    if plan.seed is not None and not 0 <= plan.seed < 2**63:
        raise Trouble("The seed must be a number from 0 on, below 2 to the 63rd.")
    taken = next((flag for flag in plan.flags if _is_ours(flag)), None)
    if taken is not None:
        raise Trouble(f"The flag {taken} is set by the experiment itself.")
    if any("\x00" in word for word in (plan.model, *plan.flags)):
        raise Trouble("A NUL character cannot be given to the agent.")


def _is_ours(flag: str) -> bool:
    """Also as an abbreviation, which Hermes takes, and joined with its value."""
    if not flag.startswith("--"):
        return flag.startswith("-") and flag[1:2] in OUR_LETTERS
    return any(ours.startswith(flag.partition("=")[0]) for ours in OURS)


def _check_task(task: Task) -> None:
    if not TASK_ID.fullmatch(task.id):
        raise Trouble(f"{task.id[:40]!r} cannot be a task's id: up to 60 letters, digits, '.', '_' and '-'.")
    if not task.prompt.strip():
        raise Trouble(f"Task {task.id}: it needs a prompt.")
    if any("\x00" in words for words in (task.prompt, task.setup, task.check)):
        raise Trouble(f"Task {task.id}: a NUL character cannot be given to a program.")
    if max(len(words.encode("utf-8", "replace")) for words in (task.prompt, task.setup, task.check)) > MOST_BYTES:
        raise Trouble(f"Task {task.id}: its prompt and commands may each have {MOST_BYTES:,} bytes.")
    _between(f"Task {task.id}: minutes", task.minutes, 0.01, MOST_MINUTES)
    if task.folder and not os.path.isdir(task.folder):
        raise Trouble(f"Task {task.id}: there is no folder {task.folder[:300]}.")
    files = [PurePosixPath(name) for name in task.files]
    for name, path in zip(task.files, files, strict=True):
        if path.is_absolute() or ".." in path.parts or not path.parts or "\x00" in name:
            raise Trouble(f"Task {task.id}: the file {name!r} does not lie in the task's folder.")
        if any(len(part.encode("utf-8", "replace")) > LONGEST_NAME for part in path.parts):
            raise Trouble(f"Task {task.id}: the file name {name[:40]!r}... is too long.")
        if any(parent in files for parent in path.parents) or files.count(path) > 1:
            raise Trouble(f"Task {task.id}: {name!r} is in the way of another of its files.")


def _check_budget(budget: Budget) -> None:
    for name in budget.__struct_fields__:
        value = getattr(budget, name)
        if value is not None and not 0 < value < float("inf"):
            raise Trouble(f"The budget's {name} must be more than nothing.")


def _check_looks(plan: Plan) -> None:
    looks = plan.looks
    if len(looks) > MOST_LOOKS - 1:
        raise Trouble(f"At most {MOST_LOOKS - 1} looks before the end: each costs some of what the end can show.")
    if any(not 0 < look < 1 for look in looks) or any(a >= b for a, b in pairwise(looks)):
        raise Trouble("The looks are shares of the whole, growing, between 0 and 1: for example [0.5].")


def _between(name: str, value: float, lowest: float, highest: float) -> None:
    if not lowest <= value <= highest:
        raise Trouble(f"{name[0].upper()}{name[1:]} must be between {lowest:g} and {highest:g}.")


def as_yaml(plan: Plan, comment: str = "") -> str:
    """The plan as a file to be read and changed by people."""
    from ruamel.yaml import YAML
    from ruamel.yaml.scalarstring import LiteralScalarString

    def with_blocks(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: with_blocks(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [with_blocks(inner) for inner in value]
        return LiteralScalarString(value) if isinstance(value, str) and "\n" in value else value

    writer = YAML()
    writer.width = 100
    out = StringIO()
    writer.dump(with_blocks(msgspec.to_builtins(plan)), out)
    return comment + out.getvalue()


def tasks_of(prompts: str, like: Task) -> list[Task]:
    """A task for each paragraph."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", prompts) if part.strip()]
    return [replace(like, id=f"task-{at}", prompt=prompt) for at, prompt in enumerate(paragraphs, 1)]


def words_of(flags: str) -> Sequence[str]:
    import shlex

    try:
        return tuple(shlex.split(flags))
    except ValueError as error:
        raise Trouble(f"The flags cannot be read: {error}.") from error
