"""A template in the forms of other programs, and calls of other agents in the words of the one that is warmed."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import UUID

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from ruamel.yaml import YAML

from warm_tui.cli import cli
from warm_tui.demo.other_agents import Claude, Codex, opencode_session, opencode_tool
from warm_tui.errors import Trouble
from warm_tui.paths import Home
from warm_tui.reliability.profile import judged
from warm_tui.sessions.claude_code.facts import COUNTERPARTS
from warm_tui.sessions.counterparts import command_line
from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.readers import open_source
from warm_tui.templates.conversation import Conversation, build_conversation, validate
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.mining import OF_ITS_OWN
from warm_tui.templates.model import WRITTEN_BY_HAND, Pattern, Template
from warm_tui.templates.telling import FORMS, HIDDEN_LEFT_OUT, Setting, Told

SETTING = Setting(UUID("00000000-0000-4000-8000-000000000001"), "/home/dev/work", "2026-03-01T10:00:00.000Z")
RAN = Pattern(
    tool_name="terminal",
    arguments={"command": "make"},
    result='{"output": "built", "exit_code": 0, "error": null}',
    context="Build it",
    whose=WRITTEN_BY_HAND,
)
READ = Pattern(tool_name="read_file", arguments={"path": "a.py"}, result="```\ncode\n```", whose=WRITTEN_BY_HAND)
OWN = Pattern(tool_name="cronjob", arguments={"action": "list"}, result="none", whose=WRITTEN_BY_HAND)
TEMPLATE = Template(name="Build it well", patterns=(RAN, READ, OWN), description="Builds.")


def told(form: str) -> str:
    conversation = build_conversation(TEMPLATE, FORMS[form].provider)
    return FORMS[form].tell(conversation, TEMPLATE, SETTING).text


def front_of(template: Template) -> dict:
    conversation = build_conversation(template, FORMS["skill"].provider)
    _, front, _ = FORMS["skill"].tell(conversation, template, SETTING).text.split("---\n", 2)
    return YAML(typ="safe").load(front)


def asked(home: Path, *words: str) -> dict:
    done = CliRunner().invoke(cli, ["--home", str(home), *words, "--json"])
    return {"exit_code": done.exit_code, **json.loads(done.stdout)}


def test_a_chat_log_is_what_the_model_gets() -> None:
    assert json.loads(told("chat"))["messages"] == build_conversation(TEMPLATE, "openai").messages


def test_anthropics_form_alternates_and_answers_every_call() -> None:
    messages = json.loads(told("anthropic"))["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant"] * (len(messages) // 2)
    made = [part["id"] for message in messages for part in message["content"] if part["type"] == "tool_use"]
    answered = [
        part["tool_use_id"] for message in messages for part in message["content"] if part["type"] == "tool_result"
    ]
    assert made == answered


def test_a_session_of_claude_code_is_read_as_one(tmp_path: Path) -> None:
    path = tmp_path / "projects" / "-home-dev-work" / f"{SETTING.session}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(told("claude-code"))
    with open_source(tmp_path) as source:
        (session,) = source.sessions()
        life = read_life(source, session)
        calls = [
            (call.tool_name, json.loads(call.arguments), call.result, verdict.outcome)
            for call, verdict in judged(life.calls, life.facts)
        ]
    assert (session.id, session.title, session.project) == (str(SETTING.session), TEMPLATE.name, SETTING.folder)
    assert calls == [
        ("Bash", {"command": "make"}, "built", "success"),
        ("Read", {"file_path": "a.py"}, READ.result, "success"),
    ], "what has no counterpart there is left out"


def test_its_records_are_one_line_of_answers() -> None:
    records = [json.loads(line) for line in told("claude-code").splitlines()][1:]
    assert [record["parentUuid"] for record in records] == [None, *(record["uuid"] for record in records[:-1])]
    assert {record["sessionId"] for record in records} == {str(SETTING.session)}


def test_a_skill_says_when_to_use_it_and_holds_every_call() -> None:
    text = told("skill")
    assert text.startswith('---\nname: "build-it-well"\ndescription: "Builds."\n---\n')
    assert "## 1. Build it" in text
    assert "````\n```\ncode\n```\n````" in text, "a fence is longer than what it holds"
    assert [text.count(f"`{pattern.tool_name}`") for pattern in TEMPLATE.patterns] == [1, 1, 1]


def test_a_skill_holds_nothing_that_only_models_or_terminals_see() -> None:
    hostile = Pattern(
        tool_name="terminal", arguments={"command": "ls \u202egnp.exe"}, result="\u200bok\x1b]52;c;aGk=\x07"
    )
    told = told_of("skill", hostile, READ)
    assert "ls gnp.exe" in told.text
    assert not {"\u202e", "\u200b", "\x1b", "\x07"} & set(told.text)
    assert told.problems == (HIDDEN_LEFT_OUT,)


@pytest.mark.parametrize(
    ("name", "told_as"),
    [
        ("123", "123"), ("on", "on"), ("null", "null"), ("Ünï cödé", "n-c-d"), ("a" * 63 + "-b", "a" * 63),
        ("claude helper", "helper"), ("Claude", "template"),
    ],
)  # fmt: skip
def test_a_skills_name_is_a_text_that_its_readers_take(name: str, told_as: str) -> None:
    assert front_of(replace(TEMPLATE, name=name))["name"] == told_as


@pytest.mark.parametrize(
    ("description", "told_as"),
    [
        ("", "Calls that worked before, for such work"), ("<b>it</b>", "(b)it(/b)"), ('"a": b # c', '"a": b # c'),
        ("---\nname: evil\n---", "--- name: evil ---"), ("x" * 3_000, "x" * 1_023 + "…"), ("日本 😀", "日本 😀"),
    ],
)  # fmt: skip
def test_a_skills_description_stays_one_line_of_yaml(description: str, told_as: str) -> None:
    assert front_of(replace(TEMPLATE, description=description))["description"] == told_as


def test_what_yaml_forbids_is_not_in_it() -> None:
    assert front_of(replace(TEMPLATE, description="a\x7fb\x9bc\ud800d\u2028e"))["description"].isprintable()


def test_a_skill_without_a_call_is_refused() -> None:
    with pytest.raises(Trouble, match="has nothing to tell"):
        FORMS["skill"].tell(Conversation([], [], [], []), TEMPLATE, SETTING)


FAILED = replace(RAN, arguments={"command": "make al"}, result="No rule to make target 'al'.", succeeded=False)
MENDED = replace(RAN, mended=FAILED, arguments={"command": "make all"})


def told_of(form: str, *patterns: Pattern) -> Told:
    template = replace(TEMPLATE, patterns=patterns)
    return FORMS[form].tell(build_conversation(template, FORMS[form].provider), template, SETTING)


def test_a_skill_says_what_failed_and_what_mended_it() -> None:
    text = told_of("skill", MENDED, READ).text
    assert "do the latter at once" in text
    failed, mended = text.index("This failed: `terminal`"), text.index("This mended it: `terminal`")
    assert failed < text.index('make al"') < text.index("It said:") < text.index("No rule to make") < mended
    assert mended < text.index("make all") < text.index("built")
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## 1. Build it", "## 2. read_file"]
    plain = told_of("skill", RAN).text
    assert "failed" not in plain
    assert "mended" not in plain


def test_a_failed_call_is_an_error_where_the_form_knows_them() -> None:
    for form in ("anthropic", "claude-code"):
        assert told_of(form, MENDED).text.count('"is_error": true') == 1
        assert "is_error" not in told_of(form, RAN).text


def test_what_claude_code_has_no_tool_for_is_counted_and_named() -> None:
    told = told_of("claude-code", RAN, READ, OWN)
    assert told.problems == ("1 of 3 calls left out: Claude Code has nothing that does the same as cronjob.",)
    assert told_of("claude-code", RAN, READ).problems == ()
    pair = replace(OWN, mended=FAILED)
    told = told_of("claude-code", RAN, pair)
    assert told.problems == ("2 of 3 calls left out: Claude Code has nothing that does the same as cronjob.",)
    assert 'make al"' not in told.text, "what failed is not told without what mended it"


def test_what_is_left_out_is_said_by_the_command(demo: Home) -> None:
    TemplateFiles(demo).save(replace(TEMPLATE, name="mixed"))
    words = ("load", "mixed", "--as", "claude-code")
    (problem,) = asked(demo.root, *words)["problems"]
    assert problem["problem"].startswith("1 of 3 calls left out")
    done = CliRunner().invoke(cli, ["--home", str(demo.root), *words])
    assert "1 of 3 calls left out" in done.stderr
    assert "left out" not in done.stdout


@pytest.mark.parametrize(
    ("value", "line"),
    [(["bash", "-lc", "make all"], "make all"), (["git", "log", "a b"], "git log 'a b'"), ("make", "make"), ([1], [1])],
)
def test_a_list_of_words_is_a_command_line(value: object, line: object) -> None:
    assert command_line(value) == line


def test_calls_of_other_agents_are_told_in_the_tools_of_the_one_that_is_warmed(tmp_path: Path) -> None:
    claude = (
        Claude().says("Build it").runs("t1", "built").calls("t2", "Edit", file_path="a", old_string="b", new_string="c")
    )
    claude.gets("t2", "done").write(tmp_path / ".claude")
    Codex().says("Build it").runs("k1", "built", command="make x").write(tmp_path / ".codex")
    export = tmp_path / "ses_1.json"
    export.write_text(
        json.dumps(opencode_session("ses_1", [opencode_tool("o1", output="built", metadata={"exit": 0})]))
    )
    sources = [word for name in (".claude", ".codex", "ses_1.json") for word in ("--db", str(tmp_path / name))]
    calls = [word for name in ("t1", "t2", "k1", "prt_o1") for word in ("--call", name)]
    built = asked(tmp_path / "home", *sources, "build", "all", *calls)
    assert built["exit_code"] == 0, built
    document = json.loads((tmp_path / "home" / "warm_sessions" / "all.json").read_text())
    ran = '{"output": "built", "exit_code": 0, "error": null}'
    assert [
        (p["tool_name"], p["arguments"], p["result_summary"], p["origin"]["agent"]) for p in document["patterns"]
    ] == [
        ("terminal", {"command": "make"}, ran, "claude-code"),
        ("patch", {"mode": "replace", "path": "a", "old_string": "b", "new_string": "c"}, "done", "claude-code"),
        ("terminal", {"command": "make x"}, ran, "codex"),
        ("terminal", {"command": "make"}, ran, "opencode"),
    ]


def test_a_call_without_a_counterpart_is_refused_with_the_reason(tmp_path: Path) -> None:
    Claude().says("Look").calls("t1", "Task", prompt="look").gets("t1", "found").write(tmp_path / ".claude")
    refused = asked(tmp_path / "home", "--db", str(tmp_path / ".claude"), "build", "x", "--call", "t1")
    assert refused["error"] == "Hermes has no counterpart of claude-code's Task: the call is not picked."


def test_a_plan_is_refused_with_the_reason_and_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    Claude().says("Look").calls("t1", "TodoWrite", todos=[]).gets("t1", "kept").write(tmp_path / ".claude")
    for call, reason in (("t1", OF_ITS_OWN), ("c1:t1", OF_ITS_OWN), ("t2", "not found."), ("c1:t2", "not found.")):
        refused = asked(tmp_path / "home", "--db", str(tmp_path / ".claude"), "build", "x", "--call", call)
        assert refused["error"] == f"Call '{call}' {reason}"


def test_every_counterpart_tells_a_call_that_hermes_takes() -> None:
    for name, row in COUNTERPARTS.items():
        arguments = row.arguments(dict.fromkeys(row.names, "x"))
        pattern = Pattern(tool_name=row.tool, arguments=arguments, result=row.result("y"), whose=WRITTEN_BY_HAND)
        conversation = build_conversation(Template(name="t", patterns=(pattern,)), "any")
        assert validate(conversation.messages, "any") == [], name


def test_the_command_writes_each_form(tmp_path: Path) -> None:
    Codex().says("Build it").runs("k1", "built").write(tmp_path / ".codex")
    home = tmp_path / "home"
    asked(home, "--db", str(tmp_path / ".codex"), "build", "t", "--call", "k1")
    for form in FORMS:
        file = tmp_path / f"{form}.out"
        assert asked(home, "load", "t", "--as", form, "--output", str(file))["output"] == str(file)
        assert "built" in file.read_text()
        assert "built" in asked(home, "load", "t", "--as", form)["text"]
