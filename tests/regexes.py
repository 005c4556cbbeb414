"""Every regular expression of the package, and texts made to slow each of them down.

They are caught while the package is imported anew, and read out of its source where they are written into a call; so one
that is added is tested without being named anywhere. `python -m tests.regexes` prints them.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import walk_packages
from re import _constants as sre
from re import _parser as parser
from typing import Any, NamedTuple

import warm_tui

MANY = 500
"""A repetition up to here is a constant; one beyond takes as long as the text is."""
CALLS = {"compile", "search", "match", "fullmatch", "findall", "finditer", "split", "sub"}
PLAIN_FLOODS = ("\n", " ", "a", "A", "0", ".", "-", "/", "\\", '"', ":", "=", "a ", "a.", "a\n", "a: ", "\x1b[")


class Regex(NamedTuple):
    """`only_at_start`: it has a name, and under that name it is only ever matched, never searched for.

    `in_full`: to the end of a text, or nobody knows how.
    """

    place: str
    pattern: str
    flags: int
    only_at_start: bool = False
    in_full: bool = True

    @property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)


@cache
def regexes() -> tuple[Regex, ...]:
    """Of all our modules."""
    run = subprocess.run([sys.executable, "-m", __name__], capture_output=True, text=True, check=True)
    return tuple(Regex(*each) for each in json.loads(run.stdout))


def _caught() -> set[Regex]:
    """Compiled while our modules are imported, by whatever calls them."""
    found: set[Regex] = set()
    home = str(Path(warm_tui.__file__).parent)
    original = re.compile

    def recording(pattern: Any, flags: Any = 0) -> Any:
        frame = sys._getframe(1)
        if frame.f_code.co_filename.startswith(home):
            compiled = original(pattern, flags)
            text = compiled.pattern if isinstance(compiled.pattern, str) else compiled.pattern.decode("latin-1")
            path = Path(frame.f_code.co_filename)
            uses = _uses_of(path, frame.f_lineno)
            found.add(Regex(_place(path), text, compiled.flags & ~re.UNICODE, *_ways(uses)))
            return compiled
        return original(pattern, flags)

    re.compile = recording
    try:
        for module in walk_packages(warm_tui.__path__, "warm_tui."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    finally:
        re.compile = original
    return found


@cache
def _uses() -> dict[str, set[str]]:
    """Which methods of what has a name are called, or handed on, anywhere."""
    uses: dict[str, set[str]] = {}
    for path in Path(warm_tui.__file__).parent.rglob("*.py"):
        for name, method in re.findall(rf"\b(\w+)\.({'|'.join(CALLS)})\b", path.read_text("utf-8")):
            uses.setdefault(name, set()).add(method)
    return uses


@cache
def _named(path: Path) -> dict[range, str]:
    """The lines that a name is given its value in."""
    tree = ast.parse(path.read_text("utf-8"))
    return {
        range(node.lineno, (node.end_lineno or node.lineno) + 1): node.targets[0].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call)
    }


def _uses_of(path: Path, line: int) -> set[str]:
    name = next((name for lines, name in _named(path).items() if line in lines), None)
    return _uses().get(name or "", set())


def _ways(uses: set[str]) -> tuple[bool, bool]:
    return bool(uses) and uses <= {"match", "fullmatch"}, not uses or "fullmatch" in uses


def _written() -> Iterator[Regex]:
    """Written into a call, where no import compiles them."""
    for path in sorted(Path(warm_tui.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and node.func.attr in CALLS - {"compile"}
                and isinstance(node.args[0], ast.Constant)
            ):
                yield Regex(_place(path), node.args[0].value, 0, *_ways({node.func.attr}))


def _place(path: Path) -> str:
    return str(path.relative_to(Path(warm_tui.__file__).parent))


def repetitions(nodes: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """Each repetition without an end: what leads to it, and one turn of it."""
    nodes = list(nodes)
    for at, (op, argument) in enumerate(nodes):
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            least, most, body = argument
            if most > MANY:
                yield before, shortest(body) or "a"
                yield from ((before, each) for each in _also_next(body, nodes[at + 1 : at + 2]))
            yield from repetitions(body, before)
            before += shortest(body) * (min(least, MANY) or (1 if most > MANY else 0))
        elif op is sre.SUBPATTERN:
            yield from repetitions(argument[3], before)
            before += shortest(argument[3])
        elif op is sre.BRANCH:
            for branch in argument[1]:
                yield from repetitions(branch, before)
            before += shortest(argument[1][0])
        elif op is sre.ATOMIC_GROUP:
            yield from repetitions(argument, before)
            before += shortest(argument)
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            yield from repetitions(argument[1], before)
        else:
            before += shortest([(op, argument)])


def _also_next(body: Any, following: Any) -> Iterator[str]:
    """A character of which nobody can tell whether it is one more turn, or what comes behind the last."""
    for op, argument in following:
        of_it = argument if op is sre.IN else [(op, argument)] if op is sre.LITERAL else []
        letters = (
            chr(each if kind is sre.LITERAL else each[0]) for kind, each in of_it if kind in (sre.LITERAL, sre.RANGE)
        )
        if len(body) == 1 and body[0][0] in (sre.IN, sre.ANY):
            yield from [letter for letter in letters if one_of(body[0], 0, letter)][:1]


def shortest(nodes: Any) -> str:
    """A text that matches, or nearly: as short as its repetitions allow."""
    told = []
    for op, argument in nodes:
        if op is sre.LITERAL:
            told.append(chr(argument))
        elif op is sre.NOT_LITERAL:
            told.append("a" if argument != ord("a") else "b")
        elif op is sre.ANY:
            told.append("a")
        elif op is sre.IN:
            told.append(_one_of(argument))
        elif op is sre.BRANCH:
            told.append(shortest(argument[1][0]))
        elif op is sre.SUBPATTERN:
            told.append(shortest(argument[3]))
        elif op is sre.ATOMIC_GROUP:
            told.append(shortest(argument))
        elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            told.append(shortest(argument[2]) * min(argument[0], MANY))
    return "".join(told)


def _one_of(members: Any) -> str:
    usual = "a1 A._-/\n:=\"'\x1b"
    own = [
        chr(argument if op is sre.LITERAL else argument[0])
        for op, argument in members
        if op in (sre.LITERAL, sre.RANGE)
    ]
    return next(c for c in chain(usual, own, map(chr, range(0x3000))) if one_of((sre.IN, members), 0, c))


@cache
def _class_of(members: tuple[Any, ...], flags: int) -> re.Pattern[str]:
    """A class of characters, written down again."""
    told = "["
    for op, argument in members:
        if op is sre.NEGATE:
            told += "^"
        elif op is sre.LITERAL:
            told += re.escape(chr(argument))
        elif op is sre.RANGE:
            told += f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}"
        elif op is sre.CATEGORY:
            told += CATEGORIES[argument]
    return re.compile(told + "]", flags & re.IGNORECASE)


CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_NOT_DIGIT: r"\D", sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S", sre.CATEGORY_WORD: r"\w", sre.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def one_of(node: Any, flags: int, character: str) -> bool:
    """Does a node that stands for one character stand for this one?"""
    op, argument = node
    if op is sre.ANY:
        return character != "\n" or bool(flags & re.DOTALL)
    if op is sre.IN:
        return _class_of(tuple(argument), flags).match(character) is not None
    same = character == chr(argument) or (bool(flags & re.IGNORECASE) and character.lower() == chr(argument).lower())
    return same is (op is sre.LITERAL)


def floods(regex: Regex, length: int) -> Iterator[str]:
    """Texts of a length that lead to a repetition and go on with it, once or again and again, and then do not match."""
    seen = set()
    for before, turn in repetitions(parser.parse(regex.pattern, regex.flags)):
        for unit in (turn, before + turn, f" {before}{turn}", f"\n{before}{turn}"):
            for start in ("", before):
                if (start, unit) not in seen:
                    seen.add((start, unit))
                    yield _filled(start, unit, length)
    for unit in PLAIN_FLOODS:
        yield _filled("", unit, length)


def _filled(start: str, unit: str, length: int) -> str:
    return (start + unit * (length // len(unit) + 1))[:length] + "\x01"


def main() -> None:
    found = {*_caught(), *_written()}
    print(json.dumps(sorted(found)))


if __name__ == "__main__":
    main()
