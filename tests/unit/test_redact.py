"""Secrets are masked wherever they stand, and what only looks like one is left."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.planted import OF_NETWORKS, OF_PRODUCTS, OF_TOOLS, OF_WORK, PLANTED, Clean, Planted, corpus
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.secrets import redactor
from warm_tui.secrets.detection import SEARCHED
from warm_tui.secrets.env_file import secret_values
from warm_tui.secrets.redactor import Redactor
from warm_tui.templates.building import candidates_in
from warm_tui.templates.formats import read_template, write_template
from warm_tui.templates.mining import pattern_of
from warm_tui.templates.model import Pattern, Template
from warm_tui.templates.redaction import findings_in, neutral, redacted, secrets_of

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


def missed(planted: tuple[Planted, ...]) -> list[str]:
    return [each.name for each in planted if stands_in(REDACTOR.redact(each.text), each.secret)]


def flagged(clean: tuple[Clean, ...]) -> list[str]:
    return [name for name, text in clean if REDACTOR.redact(text) != text]


@pytest.mark.parametrize("name", ["secrets", OF_TOOLS, OF_PRODUCTS, OF_WORK, OF_NETWORKS])
def test_planted_secrets_are_masked_and_what_only_looks_like_one_is_left(name: str) -> None:
    planted, clean = corpus(name)
    assert [each.name for each in planted if not stands_in(each.text, each.secret)] == []
    assert len(missed(planted)) / len(planted) <= 0.04, missed(planted)
    assert len(flagged(clean)) / len(clean) < 0.01, flagged(clean)


ESCAPES = ("\x1b[01;31m\x1b[K", "\\x1b[31m", "\\u001b[1;32m", "\\033[0m", "^[[36m", "\x9b4m")


@pytest.mark.parametrize("colour", ESCAPES)
def test_colours_before_within_and_behind_a_token_hide_nothing(colour: str) -> None:
    half, other = "ghp" + "_" + "Ab3dE6gH9jK2mN5pQ8", "sT1vW4yZ7bC0dF3hJ6"
    masked = REDACTOR.redact(f"x={colour}{half}{colour}{other}{colour} and {half}{other}")
    assert half not in masked
    assert other not in masked
    assert len(set(_marks(masked))) == 1, "the same secret, the same mark"


def test_what_is_too_long_to_be_searched_counts_as_a_secret() -> None:
    token = "ghp" + "_" + "Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6"
    text = "a line\n" * (SEARCHED // 7 + 1) + token
    (rest,) = REDACTOR.secrets_in(text)
    assert rest.rule == f"not searched: behind the first {SEARCHED:,} characters"
    assert token not in REDACTOR.redact(text)
    assert token not in REDACTOR.redact(json.dumps({"output": text, "token": "x"}))
    made = Template(name="t", patterns=(Pattern(tool_name="a", arguments={}, result=text),))
    assert [finding.told.partition(":")[0] for finding in findings_in(made, REDACTOR)] == ["pattern 1, result"]


FLOODS = {
    "password": "Enter your password" + "\n" * 8_000,
    "passwords": "password " * 3_000,
    "keys": "key: " * 3_000,
    "cookies": "cookie:" * 3_000,
    "words": "password: " + "aa." * 100 + "a(",
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_is_searched_to_its_end(flood: str) -> None:
    assert REDACTOR.redact(FLOODS[flood]) == FLOODS[flood]


def test_the_clean_calls_of_the_demo_are_left(demo: Home) -> None:
    with Catalog(demo) as catalog:
        found = [
            c for profile in catalog.profiles() for c in candidates_in(catalog, profile) if c.arguments is not None
        ]
    made = [pattern_of(c, REDACTOR, chosen_by="operator", why="") for c in found]
    flagged = [pattern for pattern in made if secrets_of(pattern, REDACTOR)]
    assert len(made) > 1000
    assert len(flagged) / len(made) < 0.01


def test_masking_is_done_once() -> None:
    for planted in PLANTED:
        once = REDACTOR.redact(planted.text)
        assert REDACTOR.redact(once) == once, (planted.name, once)


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
    masked = redacted(Template(name="t", patterns=patterns, addendum=f'password: "{password}"'), REDACTOR)
    told = [text for p in masked.patterns for text in (json.dumps(p.arguments), p.result, p.context)]
    told.append(masked.addendum)
    assert not any(password in text for text in told)
    marks = {mark for text in told for mark in _marks(text)}
    assert marks == {REDACTOR.placeholder(password)}
    assert findings_in(masked, REDACTOR) == []


def _marks(text: str) -> list[str]:
    return [f"<secret-{rest.split('>')[0]}>" for rest in text.split("<secret-")[1:]]


def test_a_secret_known_from_one_place_is_masked_in_all() -> None:
    secret = "q8Zr41LmPx0"
    patterns = (
        Pattern(tool_name="a", arguments={"token": secret}, result=f"sent {secret} to the server"),
        Pattern(tool_name="b", arguments={"command": f"./login.sh ada {secret}"}),
    )
    made = Template(name="t", patterns=patterns, addendum=f"log in with {secret}", tags=(secret,))
    assert secret not in json.dumps(write_template(redacted(made, REDACTOR)))
    assert {finding.pattern for finding in findings_in(made, REDACTOR)} == {0, 1, None}


@pytest.mark.parametrize(
    "arguments",
    [
        {"argv": ["curl", "--password", "hV7kq9Zp2LmXw4"]},
        {"argv": ["mysql", "-u", "root", "-phV7kq9Zp2LmXw4"]},
        {"headers": [["X-Api-Key", "hV7kq9Zp2LmXw4"]]},
        {"env": [{"name": "DB_PASSWORD", "value": "hV7kq9Zp2LmXw4"}]},
        {"password": {"value": "hV7kq9Zp2LmXw4"}},
        {"password": 8392718273},
        {"body": json.dumps({"inner": json.dumps({"api_key": "hV7kq9Zp2LmXw4"})})},
    ],
)
def test_secrets_in_any_structure(arguments: dict[str, object]) -> None:
    masked = redacted(Template(name="t", patterns=(Pattern(tool_name="a", arguments=arguments),)), REDACTOR)
    told = json.dumps(masked.patterns[0].arguments)
    assert "hV7kq9Zp2LmXw4" not in told
    assert "8392718273" not in told
    assert (masked.patterns[0].arguments or {}).keys() == arguments.keys()


def test_the_reason_and_what_nobody_knows_are_looked_at_too() -> None:
    token = "ghp" + "_" + "Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6"
    document = {
        "patterns": [
            {"tool_name": "a", "arguments": {}, "origin": {"why": f"it mended https://x:{token}@h"}, "later": token}
        ],
        "of_a_later_version": {"seen": token},
    }
    made = read_template(document, "t")
    assert {finding.field for finding in findings_in(made, REDACTOR)} == {
        "reason",
        "other fields",
        "the template's own words",
    }
    assert token not in json.dumps(write_template(redacted(made, REDACTOR)))


def test_a_plain_word_is_masked_where_it_stands_alone() -> None:
    masked = REDACTOR.redact("password: 'orange' and oranges")
    assert "oranges" in masked
    assert "'orange'" not in masked
    assert REDACTOR.redact('fetch(u, {credentials: "include"})') == 'fetch(u, {credentials: "include"})'


@pytest.mark.parametrize("cut", ["begin", "end"])
def test_a_private_key_that_was_cut_is_masked_all_the_same(cut: str) -> None:
    kind = "PRIVATE" + " KEY"
    body = "\n".join("Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6kL9nP2rS5tU8wX1zA4" for _ in range(9))
    begin, end = f"-----BEGIN {kind}-----\n", f"\n-----END {kind}-----"
    masked = REDACTOR.redact(f"{begin}{body}" if cut == "end" else f"log\n{body}{end}")
    assert "Ab3dE6" not in masked


def test_the_placeholder_does_not_tell_the_secret_to_who_has_not_the_key() -> None:
    assert Redactor(b"one").placeholder("hunter2") != Redactor(b"other").placeholder("hunter2")


def test_what_the_operator_refused_to_mask_is_left() -> None:
    made = Template(name="t", patterns=(Pattern(tool_name="a", arguments={"token": "q8Zr41LmPx0"}),))
    kept = redacted(made, REDACTOR, frozenset({REDACTOR.placeholder("q8Zr41LmPx0")}))
    assert kept.patterns[0].arguments == {"token": "q8Zr41LmPx0"}


def test_findings_say_where_and_not_what() -> None:
    made = Template(name="t", patterns=(Pattern(tool_name="a", arguments={"api_key": "q8Zr41LmPx0"}),))
    (finding,) = findings_in(made, REDACTOR)
    assert finding.told == "pattern 1, arguments: field api_key, 11 characters"


def test_values_of_the_homes_env_file_are_secrets(tmp_path) -> None:
    env = tmp_path / ".env"
    env.write_text(
        "# keys\nODD_SETTING=zebra-41-crossing\nexport MY_TOKEN='plainword'\nDEBUG=true\nPORT=8080\nROOT=/srv/app\n"
    )
    own = secret_values(env)
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


def test_json_in_which_nothing_is_masked_stays_as_it_was_written() -> None:
    written = '{"port":   8443,\n "tokens": []}'
    assert REDACTOR.mask_text(written, ["it is-not-there"]) == written


def test_secrets_that_overlap_leave_nothing_of_each_other() -> None:
    long, short = "tokenLongSecret9", "user1:token"
    masked = REDACTOR.mask_text(f"{short} {long} user1:tokenLongSecret9.", [short, long])
    mark = REDACTOR.placeholder(long)
    assert masked == f"{REDACTOR.placeholder(short)} {mark} {mark}."


def test_secrets_of_one_beginning_and_very_long_ones_are_masked_all_the_same() -> None:
    alike = [f"same{'x' * n}9" for n in range(40)]
    long = "Ab3dE6gH9jK2" * 300
    masked = REDACTOR.mask_text(" ".join([*alike, long]), [*alike, long])
    assert masked == " ".join(map(REDACTOR.placeholder, [*alike, long]))


def test_colours_that_part_several_secrets_hide_none_of_them() -> None:
    halves = [("q8Zr41" + str(n), "LmPx0" + str(n)) for n in range(9)]
    text = "".join(f"\x1b[1mtoken: {one}\x1b[31m{other}\x1b[0m\n" for one, other in halves)
    masked = REDACTOR.redact(text)
    assert not any(half in masked for pair in halves for half in pair)


def test_what_is_behind_the_budget_of_arguments_counts_as_secret(monkeypatch) -> None:
    monkeypatch.setattr(redactor, "MOST_TEXTS", 5)
    arguments = {"words": ["one word", "other", "more words", "plain", "a1b2c3"], "inner": json.dumps(["deep words"])}
    found = {secret.value: secret.rule for secret in REDACTOR.secrets_within(arguments)}
    assert set(found.values()) == {redactor.BEHIND}
    assert {"a1b2c3", arguments["inner"]} <= found.keys()
    assert "plain" not in found, "a word says little, and stands in many texts"
