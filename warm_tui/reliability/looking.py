"""Commands that only look at something, or keep a change that was made: neither changes anything."""

from __future__ import annotations

from warm_tui.reliability.shell import QUIET, Simple
from warm_tui.reliability.viewers import is_viewer

# What keeps a change made none.
_RECORDS = frozenset({"add", "commit", "push", "tag", "fetch"})
_SHOWS_STASHED = frozenset({"list", "show"})
_IN_PLACE = ("-i", "--in-place")
_TESTS = frozenset("pytest unittest jest vitest mocha rspec ctest tox mypy pyright golangci-lint".split())
_TEST_TRADES = {"go": ("test", "vet"), "cargo": ("test", "check")}


def only_looks(simple: Simple) -> bool:
    if simple.program == "sleep":
        return False
    if simple.program == "git" and simple.args[:1] == ("stash",):
        return not _SHOWS_STASHED.isdisjoint(simple.args[1:2])
    if simple.program == "git" and not _RECORDS.isdisjoint(simple.args[:1]):
        return True
    in_place = any(word.startswith(_IN_PLACE) for word in simple.args)
    return simple.program in QUIET or (is_viewer(simple) and not in_place)


def only_checks(simple: Simple) -> bool:
    """It runs tests or a linter, and mends nothing by itself."""
    trades = _TEST_TRADES.get(simple.program, ())
    is_check = simple.program in _TESTS or any(word in trades for word in simple.args[:1])
    return is_check and "--fix" not in simple.args
