"""A plan in the making, kept on disk: what was filled in and written stands there again, also after a restart."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from warm_tui.experiments.plan import Plan, Task
from warm_tui.paths import Home
from warm_tui.writing import check_may_change, read_ours, write_whole

LARGEST = 10_000_000
T = TypeVar("T", Plan, Task)


class PlanDraft(msgspec.Struct, frozen=True):
    fields: dict[str, str] = {}
    tasks: str = ""
    text: str = ""
    """The whole plan, as it was changed by hand."""
    made: str = ""
    """The whole plan as it was made of the fields, before it was changed."""
    again: dict[str, str] = {}
    """Plans of earlier experiments, as they were changed to be tried again, by what they were."""

    def begun(self, again: str | None) -> PlanDraft:
        """Without what has become an experiment: a plan tried `again`, or else the one that was filled in."""
        if again is None:
            return PlanDraft(again=self.again)
        return replace(self, again={was: text for was, text in self.again.items() if was != again})


class DraftFile:
    def __init__(self, home: Home) -> None:
        self._path: Path = home.ours / "plan-draft.json"
        self._saved = PlanDraft()
        with suppress(OSError, msgspec.MsgspecError):
            self._saved = msgspec.json.decode(read_ours(self._path, LARGEST), type=PlanDraft)
        self.draft = self._saved

    def save(self) -> None:
        """Where it cannot be written, it is kept as long as the app goes on."""
        if self.draft != self._saved:
            with suppress(OSError):
                if self.draft == PlanDraft():
                    check_may_change()
                    self._path.unlink(missing_ok=True)
                else:
                    write_whole(self._path, msgspec.json.encode(self.draft))
                self._saved = self.draft


def merged(before: Plan, changed: Plan, now: Plan) -> Plan:
    """`changed` was made of `before` by hand, and stays; what the fields say `now` is taken over where it is new."""
    plan = _merged(before, changed, now, [name for name in Plan.__struct_fields__ if name != "tasks"])
    tasks = {task.id: task for task in changed.tasks}
    old = {task.id: task for task in before.tasks}
    kept = [_of_task(old.get(task.id), tasks.get(task.id), task) for task in now.tasks]
    added = [task for task in changed.tasks if task.id not in old and task.id not in {each.id for each in now.tasks}]
    gone = {name for name in old if name not in tasks}
    return replace(plan, tasks=(*(task for task in kept if task.id not in gone), *added))


def _of_task(before: Task | None, changed: Task | None, now: Task) -> Task:
    if before is None or changed is None:
        return now
    return _merged(before, changed, now, list(Task.__struct_fields__))


def _merged(before: T, changed: T, now: T, names: list[str]) -> T:
    values = {
        name: getattr(changed, name)
        for name in names
        if getattr(now, name) == getattr(before, name) and getattr(changed, name) != getattr(before, name)
    }
    result: T = replace(now, **values)
    return result
