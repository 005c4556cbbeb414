"""Claude Code's sessions: what its files say, each call once, whatever is repeated, cut off or unknown."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warm_tui.demo.other_agents import REJECTED, Claude, written
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.reliability.profile import Judged, judged
from warm_tui.sessions.claude_code.facts import CLAUDE_CODE
from warm_tui.sessions.claude_code.source import CLAUDE_CODE_READER
from warm_tui.sessions.lineage import parent_of, read_life, read_members
from warm_tui.sessions.model import Session
from warm_tui.sessions.source import Source


def opened(home: Path) -> Source:
    return CLAUDE_CODE_READER.open(home)


def verdicts(source: Source, session: Session) -> list[Judged]:
    life = read_life(source, session)
    return judged(life.calls, life.facts)


def outcomes(told: Claude, home: Path) -> list[tuple[str, str]]:
    told.write(home)
    with opened(home) as source:
        (session,) = source.sessions()
        return [(verdict.outcome, verdict.kind) for _, verdict in verdicts(source, session)]


@pytest.mark.parametrize(
    ("text", "error", "beside", "outcome"),
    [
        ("fine", False, {"interrupted": False}, ("success", "ok")),
        ("fine", None, None, ("success", "ok")),
        ("Exit code 2\nmake: *** [all] Error 1", True, None, ("failure", "exit_code")),
        ("Exit code 1", True, None, ("failure", "exit_code")),
        ("", False, {"returnCodeInterpretation": "No matches found"}, ("success", "benign_exit")),
        ("half of it", False, {"interrupted": True}, ("unknown", "interrupted")),
        (REJECTED, True, None, ("unknown", "denied")),
        ("[Request interrupted by user for tool use]", True, None, ("unknown", "interrupted")),
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", True, None, ("unknown", "interrupted")),
        ("<tool_use_error>Cancelled: parallel tool call Bash(make) errored</tool_use_error>", True, None,
         ("unknown", "interrupted")),
        ("<tool_use_error>File does not exist.</tool_use_error>", True, None, ("failure", "tool_error")),
        ("<tool_use_error>Error: No such tool available: Frob</tool_use_error>", True, None, ("failure", "protocol")),
        ("FAIL\tpkg\t0.1s\nFAIL", False, {"interrupted": False}, ("failure", "masked")),
    ],
)  # fmt: skip
def test_a_call_is_judged_by_what_the_agent_recorded(
    tmp_path: Path, text: str, error: bool | None, beside: object, outcome: tuple[str, str]
) -> None:
    told = (
        Claude()
        .says("Do it")
        .calls("t1", command="go test ./... | tail -5")
        .gets("t1", text, error=error, beside=beside)
    )
    assert outcomes(told, tmp_path) == [outcome]


def test_the_agent_is_believed_where_it_calls_an_exit_a_failure(tmp_path: Path) -> None:
    told = Claude().says("Find it").calls("t1", command="grep -rn a src").gets("t1", "Exit code 1", error=True)
    assert outcomes(told, tmp_path) == [("failure", "exit_code")]


def test_a_call_without_a_result_is_unknown(tmp_path: Path) -> None:
    assert outcomes(Claude().says("Do it").calls("t1"), tmp_path) == [("unknown", "no_result")]


def test_the_parts_of_one_reply_are_one_message_and_its_tokens_count_once(tmp_path: Path) -> None:
    told = Claude().says("Do it").calls("t1", reply="m1").calls("t2", reply="m1").gets("t1", "a").gets("t2", "b")
    told.write(tmp_path)
    with opened(tmp_path) as source:
        (session,) = source.sessions()
        messages = source.messages(session.id)
        assert [(message.role, len(message.calls)) for message in messages] == [
            ("user", 0), ("assistant", 2), ("tool", 0), ("tool", 0),
        ]  # fmt: skip
        assert source.whole(session).tokens == (10, 5, 100, 0, 0)


def test_a_session_is_listed_by_the_edges_of_its_file(tmp_path: Path) -> None:
    told = Claude("c9").says("<command-name>/model</command-name>").says("Build it").runs("t1")
    told.records.append({"type": "ai-title", "aiTitle": "Build", "sessionId": "c9"})
    told.write(tmp_path)
    with opened(tmp_path) as source:
        (session,) = source.sessions()
    assert (session.id, session.title, session.model, session.project) == ("c9", "Build", "opus", "/home/dev/work")
    assert (session.agent, session.source) == ("claude-code", "cli")
    assert session.started_at is not None
    assert session.ended_at is not None
    assert session.started_at < session.ended_at


def command(name: str, arguments: str = "") -> str:
    return f"<command-name>{name}</command-name>\n<command-message>x</command-message>\n<command-args>{arguments}</command-args>"


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ([command("/review")], "/review"),
        ([command("/model"), command("/goal", "tidy the\nrepository"), command("/model", "opus")],
         "/goal tidy the repository"),
        ([command("/clear"), "Build it"], None),
        (["<local-command-stdout>done</local-command-stdout>"], None),
    ],
)  # fmt: skip
def test_who_gave_commands_alone_is_told_by_them(tmp_path: Path, said: list[str], title: str | None) -> None:
    told = Claude("c1")
    for text in said:
        told.says(text)
    told.runs("t1").write(tmp_path)
    with opened(tmp_path) as source:
        (session,) = source.sessions()
        assert (session.title, source.whole(session).title) == (title, title)


AT_ONCE = {"timestamp": "2026-05-04T09:00:00.000Z"}
STDOUT = "<local-command-stdout>Goal set</local-command-stdout>"
CAVEAT = "<local-command-caveat>Caveat: The messages below were generated by the user</local-command-caveat>"


@pytest.mark.parametrize(
    ("behind", "said"),
    [
        ([("A hook is active.", {"isMeta": True, "parentUuid": "c1-0"})], "tidy the\nrepository <b>"),
        ([(STDOUT, {"parentUuid": "c1-0"}), ("A hook is active.", {"isMeta": True, "parentUuid": "c1-1"})],
         "tidy the\nrepository <b>"),
        ([(STDOUT, {"parentUuid": "c1-0"})], ""),
        ([(STDOUT, {"parentUuid": "c1-0"}), (CAVEAT, {"isMeta": True, "parentUuid": "c1-1"})], ""),
        ([("Continue.", {"isMeta": True, "parentUuid": "c1-0", "timestamp": "2026-05-04T10:00:00.000Z"})], ""),
        ([("A hook is active.", {"isMeta": True, "parentUuid": "c1-9"})], ""),
    ],
    ids=["a prompt", "a prompt behind output", "output alone", "a note on another", "later", "of another"],
)  # fmt: skip
def test_what_stands_behind_a_command_is_the_users_where_the_model_was_told_it(
    tmp_path: Path, behind: list[tuple[str, dict[str, object]]], said: str
) -> None:
    told = Claude("c1").says(command("/goal", "tidy the\nrepository <b>"), **AT_ONCE)
    for text, fields in behind:
        told.says(text, **(AT_ONCE | fields))
    told.runs("t1").write(tmp_path)
    with opened(tmp_path) as source:
        (session,) = source.sessions()
        assert read_life(source, session).as_one.first_user == said
        assert (session.title or "").startswith("/goal tidy the repository")


def test_what_the_program_says_in_the_users_role_is_not_the_users(tmp_path: Path) -> None:
    told = (
        Claude().says("<command-name>/clear</command-name>").says("Caveat: …", isMeta=True).says("Build it").runs("t1")
    )
    told.write(tmp_path)
    with opened(tmp_path) as source:
        (session,) = source.sessions()
        assert read_life(source, session).as_one.first_user == "Build it"


def test_compaction_opens_a_segment_with_its_summary(tmp_path: Path) -> None:
    told = Claude().says("Build it").runs("t1").compacts("This session is being continued: built a half.").runs("t2")
    told.write(tmp_path)
    with opened(tmp_path) as source:
        (session,) = source.sessions()
        life = read_life(source, session)
    assert [(call.id, call.segment) for call in life.calls] == [("t1", 0), ("t2", 1)]
    assert life.parts[0].compactions == 1


def test_a_subagent_is_a_session_of_its_own(tmp_path: Path) -> None:
    Claude("c1").says("Look").calls("t1", "Task").agent_does("a7", "s1", "found").gets("t1", "it found it").write(
        tmp_path
    )
    with opened(tmp_path) as source:
        by_id = {session.id: session for session in source.sessions()}
        assert sorted(by_id) == ["c1", "c1.a7"]
        assert CLAUDE_CODE.relation(by_id["c1.a7"], by_id["c1"]) == "delegate"
        assert [call.id for call, _ in verdicts(source, by_id["c1.a7"])] == ["s1"]
        assert [call.id for call, _ in verdicts(source, by_id["c1"])] == ["t1"]


def test_a_subagent_in_a_file_of_its_own_is_read_like_one_within(tmp_path: Path) -> None:
    path = Claude("c1").says("Look").calls("t1", "Task").gets("t1", "it found it").write(tmp_path)
    helper = Claude("c1").says("Find it").runs("s1")
    for record in helper.records:
        record |= {"isSidechain": True, "agentId": "a7", "uuid": f"side-{record['uuid']}"}
    helper.write(tmp_path, name=f"{path.stem}/subagents/agent-a7")
    with opened(tmp_path) as source:
        assert source.health().advice == []
        by_id = {session.id: session for session in source.sessions()}
        assert sorted(by_id) == ["agent-a7", "c1"]
        child = by_id["agent-a7"]
        assert (child.source, child.delegated_from, child.replays) == ("subagent", "c1", False)
        assert CLAUDE_CODE.relation(child, by_id["c1"]) == "delegate"
        assert [call.id for call, _ in verdicts(source, child)] == ["s1"]


def test_a_session_that_begins_with_a_subagent_is_no_subagent(tmp_path: Path) -> None:
    told = Claude("c1").runs("s1").says("Look").runs("t1")
    for record in told.records[:2]:
        record |= {"isSidechain": True, "agentId": "a7"}
    path = told.write(tmp_path)
    path.write_text(path.read_text().replace('": ', '":'))
    with opened(tmp_path) as source:
        assert {session.id: session.source for session in source.sessions()} == {"c1": "cli", "c1.a7": "subagent"}


def test_a_resumed_copy_counts_only_what_is_new_in_it(tmp_path: Path) -> None:
    first = Claude("c1").says("Build it").runs("t1").runs("t2", code=1)
    first.write(tmp_path)
    copy = Claude("c2")
    copy.records = [*first.records]
    copy.says("Go on").runs("t3").write(tmp_path)
    with opened(tmp_path) as source:
        by_id = {session.id: session for session in source.sessions()}
        again = by_id["c2"]
        assert CLAUDE_CODE.relation(again, by_id["c1"]) == "branch"
        calls = read_members(source, [again], parent_of(source, again)).calls
        assert [call.id for call in calls] == ["t3"]


SESSION = Claude().says("Build it").runs("t1").runs("t2", code=2).runs("t3").says("And test it").runs("t4", code=1)


@settings(max_examples=40, deadline=None)
@given(
    repeats=st.lists(st.integers(0, len(SESSION.records) - 1), max_size=12),
    noise=st.lists(
        st.sampled_from([
            b"", b"{", b"[1, 2]", b"null", b'{"type": "brand-new", "uuid": "n", "payload": {"deep": [[[]]]}}',
            b'{"type": "user"}', b'{"type": 5, "uuid": [], "message": 7}', b"\xff\xfe\x00",
            b'{"type": "assistant", "message": {"content": [{"type": "tool_use"}]}, "isSidechain": true}',
        ]),
        max_size=6,
    ),
    cut=st.integers(0, 60),
    seed=st.integers(),
)  # fmt: skip
def test_each_call_counts_once_whatever_stands_between(
    tmp_path_factory: pytest.TempPathFactory, repeats: list[int], noise: list[bytes], cut: int, seed: int
) -> None:
    lines = [json.dumps(record).encode() for record in SESSION.records]
    more = [*(lines[at] for at in repeats), *noise]
    dice = random.Random(seed)
    whole = lines
    for line in more:
        # A record is repeated behind the place at which it was first written.
        first = lines.index(line) + 1 if line in lines else 0
        at = dice.randint(whole.index(lines[first - 1]) + 1 if first else 0, len(whole))
        whole = [*whole[:at], line, *whole[at:]]
    home = tmp_path_factory.mktemp("claude")
    path = home / "projects" / "p" / "c1.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\n".join(whole) + b"\n" + lines[-1][:cut])
    with opened(home) as source:
        session = source.session("c1")
        assert session is not None
        found = [(call.id, verdict.outcome) for call, verdict in verdicts(source, session)]
    assert found == [("t1", "success"), ("t2", "failure"), ("t3", "success"), ("t4", "failure")]


def test_a_file_that_grows_is_read_on(tmp_path: Path) -> None:
    told = Claude().says("Build it").runs("t1")
    path = told.write(tmp_path)
    with opened(tmp_path) as source:
        before, stamp = len(source.messages("c1")), source.stamp("c1")
        told.runs("t2", code=1)
        with path.open("a") as file:
            file.write("".join(json.dumps(record) + "\n" for record in told.records[-2:]))
        assert source.stamp("c1") != stamp
        assert len(source.messages("c1")) == before + 2


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    Claude("good").says("Build it").runs("t1").write(tmp_path)
    folder = tmp_path / "projects" / "-home-dev-work"
    (folder / "binary.jsonl").write_bytes(bytes(range(256)) * 40)
    (folder / "deep.jsonl").write_text("[" * 5_000 + "\n")
    (folder / "empty.jsonl").touch()
    (folder / "away.jsonl").symlink_to("/etc/passwd")
    written(folder / "odd.jsonl", [{"type": "user", "uuid": {}, "message": {"content": {"a": 1}}, "timestamp": [1]}])
    with opened(tmp_path) as source:
        assert [session.id for session in source.sessions()] == ["good"]
        assert source.health().sessions == 1


def test_nothing_is_written_to_the_agents_folder(tmp_path: Path) -> None:
    Claude().says("Build it").runs("t1").write(tmp_path)

    def look() -> list[tuple[str, int, int, bytes]]:
        found = sorted(path for path in tmp_path.rglob("*"))
        return [
            (str(path), path.stat().st_mtime_ns, path.stat().st_mode, path.read_bytes() if path.is_file() else b"")
            for path in found
        ]

    before = look()
    with opened(tmp_path) as source:
        for session in source.sessions():
            verdicts(source, session)
        source.sessions_with_text("build")
        source.sessions_with_call("t1")
    assert look() == before


def test_the_beginning_of_an_id_means_the_session_and_not_its_helpers(tmp_path: Path) -> None:
    Claude("c1-first").says("Look").calls("t1", "Task").agent_does("a7", "s1", "found").gets("t1", "done").write(
        tmp_path
    )
    with Catalog(Home(tmp_path / "ours", (tmp_path / "projects",))) as catalog:
        assert [catalog.find(name)[1].id for name in ("c1", "c1-first.a")] == ["c1-first", "c1-first.a7"]
