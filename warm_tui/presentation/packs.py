"""What a pack holds, before it is taken in."""

from __future__ import annotations

from collections import Counter

from warm_tui.presentation.figures import moment
from warm_tui.presentation.lines import Hanging, Line
from warm_tui.sessions.text import beginning, clean_line, plural
from warm_tui.templates.packs import Examined

CHOSEN = {"operator": "by a person", "mining": "mined", "": "nobody said by whom"}
MOST_NAMED = 8


def pack_lines(known: Examined) -> list[Line]:
    pack, template = known.pack, known.template
    lines: list[Line] = [
        [(f"{clean_line(known.name)}: {plural(len(template.patterns), 'pattern')}", "strong")],
        [(f"revision {pack.revision} there, packed {moment(pack.made_at)}", "")],
        [(f"{known.hash[:19]}…: it is whole; who made it, that does not tell", "dim")],
    ]
    if template.description:
        lines.append([(beginning(clean_line(template.description), 300), "")])
    tools = Counter(each.tool_name for each in template.patterns)
    calls = ", ".join(f"{clean_line(name)} {n}" for name, n in tools.most_common(12))
    lines.append([("calls      ", "dim"), (calls, "")])
    chosen = Counter(CHOSEN[each.chosen_by] for each in pack.provenance)
    if chosen:
        lines.append([("chosen     ", "dim"), (", ".join(f"{n} {how}" for how, n in chosen.most_common()), "")])
    for at, result in enumerate(pack.results):
        lines.append([("it says    " if not at else "           ", "dim"), (result.told, "")])
    if not pack.results:
        lines.append([("it says    ", "dim"), ("nothing of trials or experiments", "")])
    rules = Counter(each.rule for each in pack.masked)
    masked = ", ".join(f"{clean_line(rule)} {n}" for rule, n in rules.most_common(12)) or "none was found"
    lines.append([("secrets    ", "dim"), (f"masked where it was made: {masked}", "")])
    if known.secrets:
        words = f"{plural(known.secrets, 'secret stands', 'secrets stand')} in it still: masked here"
        lines.append([("           ", "dim"), (words, "unknown")])
    lines += _foreign_lines(known)
    lines += _problem_lines(known)
    return [Hanging(line) if len(line) > 1 else line for line in lines]


def _foreign_lines(known: Examined) -> list[Line]:
    signed = [each for each in known.foreign if each.signs]
    words = f"{plural(len(known.foreign), 'text')}, all it has: to be read before it starts a session"
    lines: list[Line] = [[("foreign    ", "dim"), (words, "unknown")]]
    lines += [[("  !        ", "failed"), (clean_line(each.told), "failed")] for each in signed[:MOST_NAMED]]
    if signed[MOST_NAMED:]:
        lines.append([("           ", ""), (f"and {len(signed) - MOST_NAMED:,} more like that", "failed")])
    return lines


def _problem_lines(known: Examined) -> list[Line]:
    wrong = {provider: found for provider, found in known.problems.items() if found}
    if not wrong:
        return [[("providers  ", "dim"), ("it can be told to the models of all of them", "")]]
    lines: list[Line] = []
    for found in dict.fromkeys(map(tuple, wrong.values())):
        which = ", ".join(provider for provider, each in wrong.items() if tuple(each) == found)
        more = f"; and {len(found) - 1:,} more" if found[1:] else ""
        told = beginning(found[0], 160).removesuffix(".")
        lines.append([("providers  ", "dim"), (f"{which}: {told}{more}", "unknown")])
    return lines
