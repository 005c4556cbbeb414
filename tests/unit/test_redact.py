"""Secrets are masked wherever they stand, and what only looks like one is left."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.planted import CLEAN, PLANTED
from warm_tui.templates.building import own_secrets
from warm_tui.templates.model import Pattern, Template
from warm_tui.templates.redact import Redactor, neutral

REDACTOR = Redactor(b"a key of the tests")


def stands_in(text: str, secret: str) -> bool:
    """Also inside JSON, where it would be escaped."""

    def within(value: object) -> bool:
        if isinstance(value, str):
            return secret in value
        if isinstance(value, dict):
            return any(within(inner) for inner in (*value, *value.values()))
        return isinstance(value, list) and any(map(within, value))

    try:
        return within(json.loads(text))
    except ValueError:
        return secret in text


def test_planted_secrets_are_masked() -> None:
    missed = [planted.name for planted in PLANTED if stands_in(REDACTOR.redact(planted.text), planted.secret)]
    assert 1 - len(missed) / len(PLANTED) >= 0.95, missed


def test_texts_that_only_look_like_it_are_left() -> None:
    changed = [name for name, text in CLEAN if REDACTOR.redact(text) != text]
    assert len(changed) / len(CLEAN) < 0.01, changed


def test_masking_is_done_once() -> None:
    for planted in PLANTED:
        once = REDACTOR.redact(planted.text)
        assert REDACTOR.redact(once) == once, planted.name


def test_json_stays_json() -> None:
    for planted in PLANTED:
        if planted.text.startswith("{") and _is_json(planted.text):
            assert _is_json(REDACTOR.redact(planted.text)), planted.name


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def test_a_secret_has_one_placeholder_in_all_of_a_template() -> None:
    password = "Tr0ub4dor" + "&33"
    patterns = (
        Pattern(tool_name="a", arguments={"command": f"mysql -p{password} app"}, context=f"The password is {password}"),
        Pattern(tool_name="b", arguments={"x": 1}, result=json.dumps({"output": f"DB_PASSWORD={password}"})),
        Pattern(tool_name="c", arguments={"password": password}, result=f"login root password {password}"),
    )
    masked = REDACTOR.redact_template(Template(name="t", patterns=patterns, addendum=f'password: "{password}"'))
    told = [text for p in masked.patterns for text in (json.dumps(p.arguments), p.result, p.context)]
    told.append(masked.addendum)
    assert not any(password in text for text in told)
    marks = {mark for text in told for mark in _marks(text)}
    assert marks == {REDACTOR.placeholder(password)}
    assert REDACTOR.findings(masked) == []


def _marks(text: str) -> list[str]:
    return [f"<secret-{rest.split('>')[0]}>" for rest in text.split("<secret-")[1:]]


def test_a_secret_found_in_one_field_is_masked_in_the_others() -> None:
    made = Pattern(tool_name="a", arguments={"token": "q8Zr41LmPx0"}, result="sent q8Zr41LmPx0 to the server")
    assert "q8Zr41LmPx0" not in REDACTOR.redact_pattern(made).result


def test_the_placeholder_does_not_tell_the_secret_to_who_has_not_the_key() -> None:
    assert Redactor(b"one").placeholder("hunter2") != Redactor(b"other").placeholder("hunter2")


def test_what_the_operator_refused_to_mask_is_left() -> None:
    made = Pattern(tool_name="a", arguments={"token": "q8Zr41LmPx0"})
    kept = REDACTOR.redact_pattern(made, frozenset({REDACTOR.placeholder("q8Zr41LmPx0")}))
    assert kept.arguments == {"token": "q8Zr41LmPx0"}


def test_findings_say_where_and_not_what() -> None:
    made = Template(name="t", patterns=(Pattern(tool_name="a", arguments={"api_key": "q8Zr41LmPx0"}),))
    (finding,) = REDACTOR.findings(made)
    assert finding.told == "pattern 1, arguments: field api_key, 11 characters"


def test_values_of_the_homes_env_file_are_secrets(tmp_path) -> None:
    env = tmp_path / ".env"
    env.write_text(
        "# keys\nODD_SETTING=zebra-41-crossing\nexport MY_TOKEN='plainword'\nDEBUG=true\nPORT=8080\nROOT=/srv/app\n"
    )
    own = own_secrets(env)
    assert own == ["zebra-41-crossing", "plainword"]
    assert (
        Redactor(b"k", own).redact("it crossed zebra-41-crossing")
        == f"it crossed {Redactor(b'k').placeholder('zebra-41-crossing')}"
    )


def test_home_folders_lose_their_owners() -> None:
    assert neutral("/home/ada/src/x.py /Users/grace/y C:\\Users\\alan\\z /home/user/a") == (
        "/home/user/src/x.py /Users/user/y C:\\Users\\user\\z /home/user/a"
    )


@given(st.text(max_size=300))
def test_any_text_is_masked_without_fail(text: str) -> None:
    REDACTOR.redact(text)
