"""Which templates speak to a family of failures: they show what mended it, or how the same is asked for and works."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Lock
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from warm_tui.library.catalog import Catalog
from warm_tui.library.warmth import WarmthIndex
from warm_tui.reliability.families import Families, Family
from warm_tui.reliability.family_effects import Effect, effect_of
from warm_tui.reliability.recorded_failures import kept_shape
from warm_tui.templates.files import Known, Stored, TemplateFiles
from warm_tui.templates.model import Template

Shapes: TypeAlias = Mapping[str, Mapping[str, int]]
"""For each shape of a call that worked, how often each template shows it."""


class Speaker(msgspec.Struct, frozen=True):
    """A template that speaks to a family."""

    template: str
    mends: int
    """How many of its patterns are like a call that mended it."""
    same_aim: int
    """How many ask for what had failed, and worked."""
    effect: Effect | None
    """Nothing where no session that could have had it began with this template."""


class KeptShapes:
    """Which shapes of calls each template shows, as long as its file stays as it is: most are never read again."""

    def __init__(self) -> None:
        self._files: dict[Path, Stored] = {}
        """Without their patterns: these are long."""
        self._shapes: dict[Path, Counter[str]] = {}
        self._lock = Lock()
        """A worker that nobody waits for any more may not have ended yet."""

    def read(self, files: TemplateFiles) -> Shapes:
        with self._lock:
            stored, _ = files.all(Known(self._files))
            for each in stored:
                if self._files.get(each.path) is not each:
                    self._shapes[each.path] = shown_by(each.template)
                    self._files[each.path] = each._replace(template=replace(each.template, patterns=()))
            for gone in self._files.keys() - {each.path for each in stored}:
                del self._files[gone], self._shapes[gone]
            return by_shape((each.template.name, self._shapes[each.path]) for each in stored)


def speakers(catalog: Catalog, families: Families, kept: KeptShapes | None = None) -> dict[str, list[Speaker]]:
    """For each family that any template speaks to; of the home's own templates. `kept`: where somebody asks again."""
    shapes = (kept or KeptShapes()).read(TemplateFiles(catalog.home))
    return speakers_among(shapes, families, WarmthIndex(catalog.library))


def speakers_among(shapes: Shapes, families: Families, warmed: WarmthIndex) -> dict[str, list[Speaker]]:
    found: dict[str, list[Speaker]] = {}
    for family in families.all:
        counts = _counts(family, shapes)
        effects = {
            name: effect_of(family, families.exposed[family.id], name, lambda life, at: warmed.of(life, at).template)
            for name in counts
        }
        told = [Speaker(name, mends, aims, effects[name]) for name, (mends, aims) in counts.items()]
        if told:
            found[family.id] = sorted(told, key=lambda each: (-each.mends, -each.same_aim, each.template))
    return found


def shown_by(template: Template) -> Counter[str]:
    """The shapes of its calls that worked, and how often it shows each."""
    shown = (each for each in template.patterns if each.succeeded and each.arguments is not None)
    return Counter(kept_shape(each.tool_name, each.arguments or {}) for each in shown)


def by_shape(templates: Iterable[tuple[str, Mapping[str, int]]]) -> Shapes:
    shapes: dict[str, dict[str, int]] = defaultdict(dict)
    for name, shown in templates:
        for shape, times in shown.items():
            shapes[shape][name] = times
    return shapes


def _counts(family: Family, shapes: Shapes) -> dict[str, tuple[int, int]]:
    mends = {mend.shape for mend in family.mends}
    counts: dict[str, tuple[int, int]] = {}
    for shape in mends | family.shapes:
        for name, patterns in shapes.get(shape, {}).items():
            like_mends, aims = counts.get(name, (0, 0))
            of_mend = shape in mends
            counts[name] = like_mends + patterns * of_mend, aims + patterns * (not of_mend)
    return counts
