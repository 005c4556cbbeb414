"""Which commands plainly work on other things, and so do not mend each other."""

from __future__ import annotations

import json

import pytest

from tests.conftest import NOW, Record, assistant, result, user
from warm_tui.library.catalog import Catalog
from warm_tui.library.families import KeptFailures, failed_lives
from warm_tui.paths import Home
from warm_tui.reliability.families import families_of
from warm_tui.reliability.targets import works_on_other_things
from warm_tui.templates.building import candidates_in

OTHERS = [
    ("git -C g checkout no-such-branch", "git -C g show HEAD:f"),
    ("git -C g frobnicate", "git -C g status --porcelain"),
    ("git merge-base HEAD~9 HEAD", "git status"),
    ("kubectl -n web get pods", "kubectl -n web delete deployment api"),
    ("python3 -m pytest tests/python/collect.py", "python3 -m pytest tests/test_issue.py"),
    ("pytest tests/loop_test", "pytest tests/normal_dir"),
    ("pytest test_pass.py", "pytest test_pass_strict_false.py"),
    ("pytest a/test_it.py -k area", "grep area a/test_it.py"),
    ("cd app && make -f build/a.mk", "cd app && make -f build/other.mk"),
]
MAY_BE_THE_SAME = [
    ("pytest tests/a.py", "pytest tests/a.py::test_one"),
    ("pytest tests", "pytest tests/unit/test_a.py"),
    ("pytest tests/unit/a_test.py", "python -m pytest tests/a_test.py"),
    ("cat src/confg.toml", "cat src/config.toml"),
    ("git checkout -b topic", "git switch -c topic"),
    ("git statsu", "git status"),
    ("git push", "git push --set-upstream origin topic"),
    ("npm ci", "npm install"),
    ("make", "make -j1 all"),
    ("ed a.py", "sed -i s/a/b/ a.py"),
    ("cat a.txt", "head -5 b.txt"),
    ("cat <<EOF > a.py", "cat <<EOF > b.py"),
    ("", "ls"),
]


def given(command: str) -> str:
    return json.dumps({"command": command})


@pytest.mark.parametrize(("first", "second"), OTHERS)
def test_other_things(first: str, second: str) -> None:
    assert works_on_other_things(given(first), given(second))


@pytest.mark.parametrize(("first", "second"), MAY_BE_THE_SAME)
def test_perhaps_the_same(first: str, second: str) -> None:
    assert not works_on_other_things(given(first), given(second))


def test_arguments_of_any_kind() -> None:
    assert not works_on_other_things("no JSON", given("ls"))
    assert not works_on_other_things(json.dumps({"path": "a"}), json.dumps({"path": "b"}))


def mends_of(record: Record, *steps: tuple[str, int, str]) -> tuple[list[str], list[str]]:
    """What Failures, and what mining, take for mends of a session's commands, each with its exit code and output."""
    rows = [user("Do it.")]
    for at, (command, code, output) in enumerate(steps):
        name = f"c{at}"
        told = json.dumps({"output": output, "exit_code": code, "error": None})
        rows += [assistant((name, "terminal", {"command": command})), result(name, told)]
    path = record({"s": rows})
    with Catalog(Home(path.parent, (path,))) as catalog:
        profiles = catalog.profiles()
        families = families_of(failed_lives(catalog, profiles, KeptFailures()), {}, NOW + 999.0).all
        mined = [each.name[1] for each in candidates_in(catalog, profiles[0]) if each.mends is not None]
    return sorted(mend.call for family in families for mend in family.mends), sorted(mined)


@pytest.mark.parametrize(
    ("first", "second", "mends"),
    [("pytest tests/loop_test", "pytest tests/normal_dir", []), ("pytest tests/a.py", "pytest tests/a.py -q", ["c1"])],
)
def test_one_that_works_on_other_things_mends_nothing(
    record: Record, first: str, second: str, mends: list[str]
) -> None:
    error = "Traceback (most recent call last):\nOSError: too many links"
    assert mends_of(record, (first, 2, error), (second, 0, "1 passed")) == (mends, mends)


def test_what_mends_a_second_trouble_is_no_mend_of_the_first(record: Record) -> None:
    missing, broken = "python3: No module named pytest", "Traceback (most recent call last):\nKeyError: 'id'"
    steps = (
        ("python3 -m pytest tests/a.py", 1, missing), ("python -m pytest tests/a.py -q", 1, broken),
        ("python -m pytest tests/a.py -x", 0, "1 passed"), ("python -m pytest tests/a.py -x -v", 0, "1 passed"),
    )  # fmt: skip
    assert mends_of(record, *steps) == (["c2"], ["c2"])
