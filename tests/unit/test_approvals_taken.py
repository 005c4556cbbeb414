"""What is taken of programs and of operators, and whose files it is kept in."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from tests.unit.test_approvals import KEY, REDACTOR, SECRET
from warm_tui.approvals.asking import answered, decoded, prepare
from warm_tui.approvals.model import Answer, Refused, Submission
from warm_tui.approvals.moments import CLOCK, now
from warm_tui.approvals.place import Place, make_folder, role_of, tokens
from warm_tui.approvals.store import Store
from warm_tui.errors import Trouble
from warm_tui.paths import Home


@pytest.mark.parametrize(
    "body",
    [
        b"", b"[]", b"null", b'"x"', b"{", b"\xff", b"[" * 5_000, b'{"action": "a"}', b'{"description": "d"}',
        b'{"action": "", "description": "d"}', b'{"action": "a", "description": ""}',
        b'{"action": ["a"], "description": "d"}', b'{"action": 1, "description": "d"}',
        '{"action": "dеlete_data", "description": "Cyrillic e"}'.encode(), b'{"action": "a\\u202eb", "description": "d"}',
        b'{"action": "a\\n", "description": "d"}', b'{"action": "a", "description": "\\ud800"}',
        *(f'{{"action": "a", "description": "d", "timeout_seconds": {each}}}'.encode()
          for each in ("29", "3601", "-1", "true", '"60"', "1e9", "60.5", "null")),
        b'{"action": "a", "description": "d", "details": {"n": 1e999}}',
    ],
)  # fmt: skip
def test_what_is_no_submission_is_refused_in_a_sentence(body: bytes) -> None:
    with pytest.raises(Refused, match="The body cannot be taken"):
        decoded(body, Submission)


@pytest.mark.parametrize(
    "details",
    ["[" * 300 + "]" * 300, "12345678901234567890123", "[" + "1," * 5_000 + "1]"],
)
def test_details_that_could_not_be_kept_as_they_are_are_refused(details: str) -> None:
    asked = decoded(f'{{"action": "a", "description": "d", "details": {details}}}'.encode(), Submission)
    with pytest.raises(Refused, match=r"nested more|64 bits|5,000 values"):
        prepare(asked, REDACTOR)


def test_what_is_ours_is_for_its_owners_eyes_alone(tmp_path: Path) -> None:
    home = Home(tmp_path, ())
    place = make_folder(home)
    known = tokens(place)
    Store(place.database, KEY).close()
    assert place.folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in place.folder.iterdir()} == {0o600}
    assert tokens(place) == known, "made once"
    assert [role_of(each, known) for each in (known["agent"], known["operator"], "", "é" * 40)] == [
        "agent", "operator", None, None,
    ]  # fmt: skip
    place.token_file("agent").write_text("x")
    with pytest.raises(Trouble, match="holds no token"):
        tokens(place)
    place.token_file("agent").unlink()
    place.token_file("agent").symlink_to(place.token_file("operator"))
    with pytest.raises(Trouble, match="is a link"):
        tokens(place)
    with pytest.raises(Trouble, match="There is no home"):
        make_folder(Home(tmp_path / "nowhere", ()))


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "damaged.db").write_bytes(b"no database at all" * 100)
    (tmp_path / "link.db").symlink_to(tmp_path / "damaged.db")
    with pytest.raises(Trouble, match="cannot be used"):
        Store(tmp_path / "damaged.db", KEY)
    with pytest.raises(Trouble, match="is a link"):
        Store(tmp_path / "link.db", KEY)
    assert Place(tmp_path).database.name == "approvals.db"


def test_what_operators_say_holds_no_secrets_either() -> None:
    said = answered(Answer(approve=False, by=f"ada {SECRET}", reason=f"the token {SECRET} is old"), REDACTOR)
    assert SECRET not in said.by + said.reason
    assert said.reason.startswith("the token <secret-")
    for details in ({"command": f"curl -H 'Authorization: Bearer {SECRET}'"}, {SECRET: 1}, [[[SECRET]]]):
        with pytest.raises(Refused, match="holds a secret"):
            answered(Answer(approve=True, details=details), REDACTOR)
    kept = {"command": "curl localhost"}
    assert answered(Answer(approve=True, details=kept), REDACTOR).details == kept


def test_time_goes_on_while_the_machine_sleeps() -> None:
    assert (time.CLOCK_BOOTTIME if sys.platform == "linux" else time.CLOCK_MONOTONIC) == CLOCK
    assert abs(now().steady - time.clock_gettime(CLOCK)) < 60
