"""Which templates speak to a family of failures: they show what mended it, or how the same is asked for and works."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec

from warm_tui.library.catalog import Catalog
from warm_tui.library.warmth import WarmthIndex
from warm_tui.reliability.families import Families, Family
from warm_tui.reliability.family_effects import Effect, effect_of
from warm_tui.reliability.recorded_failures import kept_shape
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.model import Template


class Speaker(msgspec.Struct, frozen=True):
    """A template that speaks to a family."""

    template: str
    mends: int
    """How many of its patterns are like a call that mended it."""
    same_aim: int
    """How many ask for what had failed, and worked."""
    effect: Effect | None
    """Nothing where no session that could have had it began with this template."""


def speakers(catalog: Catalog, families: Families) -> dict[str, list[Speaker]]:
    """For each family that any template speaks to; of the home's own templates."""
    stored, _ = TemplateFiles(catalog.home).all()
    return speakers_among([each.template for each in stored], families, WarmthIndex(catalog.library))


def speakers_among(templates: Iterable[Template], families: Families, warmed: WarmthIndex) -> dict[str, list[Speaker]]:
    shapes = _shapes_of(templates)
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


def _shapes_of(templates: Iterable[Template]) -> Mapping[str, Mapping[str, int]]:
    """For each shape of a call that worked, how often each template shows it."""
    shapes: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for template in templates:
        for pattern in template.patterns:
            if pattern.succeeded and pattern.arguments is not None:
                shapes[kept_shape(pattern.tool_name, pattern.arguments)][template.name] += 1
    return shapes


def _counts(family: Family, shapes: Mapping[str, Mapping[str, int]]) -> dict[str, tuple[int, int]]:
    mends = {mend.shape for mend in family.mends}
    counts: dict[str, tuple[int, int]] = {}
    for shape in mends | family.shapes:
        for name, patterns in shapes.get(shape, {}).items():
            like_mends, aims = counts.get(name, (0, 0))
            of_mend = shape in mends
            counts[name] = like_mends + patterns * of_mend, aims + patterns * (not of_mend)
    return counts
