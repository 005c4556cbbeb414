"""What is Codex' own: its tools, and its words in place of a result."""

from __future__ import annotations

import re

from warm_tui.sessions.counterparts import Counterpart, command_line
from warm_tui.sessions.model import Relation, Session
from warm_tui.sessions.recordings import count_copies, find_blocks
from warm_tui.sessions.source import AgentFacts, Family, LastWords, StandIn, words_before

FILE_TOOLS: dict[str, Family] = dict.fromkeys(("apply_patch", "view_image", "read_file", "list_dir"), "file")
RESEARCH_TOOLS: dict[str, Family] = dict.fromkeys(("web_search",), "research")

STAND_INS = (
    StandIn(
        "rejected", "failure", "denied",
        re.compile(
            r"(?:exec_command|shell|apply_patch) failed for [^\n]{0,400}Rejected\([^\n]{0,200}"
            r"|rejected by user[^\n]{0,100}"
        ),
        'exec_command failed for `rm -rf a`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
    ),
    StandIn(
        "aborted", "unknown", "interrupted",
        re.compile(r"aborted(?: by user)?(?: after [\d.]+ ?s)?\s*\Z"),
        "aborted by user after 3.1s",
    ),
    StandIn(
        "unknown_tool", "failure", "protocol",
        re.compile(r"unsupported (?:call|custom tool call): [^\n]{1,100}"),
        "unsupported call: frob",
    ),
    StandIn(
        "invalid_arguments_said", "failure", "protocol",
        re.compile(r"failed to parse function arguments: [^\n]{1,160}"),
        "failed to parse function arguments: missing field `cmd`",
    ),
    StandIn(
        "tool_failed", "failure", "tool_error",
        re.compile(r"\A[\w/]{2,40}(?: \w{2,20})? failed(?: for [^\n:]{0,300})?: [^\n]{1,200}"),
        "apply_patch verification failed: Failed to find expected lines in a.py",
    ),
)  # fmt: skip

COUNTERPARTS = {
    "exec_command": Counterpart("terminal", {"cmd": "command", "workdir": "workdir"}, ran=True),
    "shell": Counterpart("terminal", {"command": "command", "workdir": "workdir"},
                         values={"command": command_line}, ran=True),
    "local_shell": Counterpart("terminal", {"command": "command", "working_directory": "workdir"},
                               values={"command": command_line}, ran=True),
    "apply_patch": Counterpart("patch", {"input": "patch"}, {"mode": "patch"}),
}  # fmt: skip

# What the program itself puts into messages of the user.
NOT_THE_USERS = re.compile(
    r"<(?:environment_context|user_instructions|turn_aborted|permissions instructions|collaboration_mode|"
    r"subagent_notification|skill|INSTRUCTIONS|user_shell_command|user_action)\b"
    r"|# AGENTS\.md instructions for "
)


LAST_WORDS = (
    LastWords(
        "interrupted", "not-done", "the person interrupted it",
        re.compile(r"\A<turn_aborted>"), "<turn_aborted>The user interrupted the previous turn.</turn_aborted>",
        in_request=True,
    ),
)  # fmt: skip

words_of_user = words_before(NOT_THE_USERS)


def relation_of(session: Session, _parent: Session | None) -> Relation:
    # A subagent that begins with its parent's history repeats that, as a branch does.
    if session.branched_from:
        return "branch"
    return "delegate" if session.delegated_from else "none"


CODEX = AgentFacts(
    agent="codex",
    command_tool="exec_command",
    families={**FILE_TOOLS, **RESEARCH_TOOLS, "shell": "terminal", "local_shell": "terminal",
              "write_stdin": "terminal", "spawn_agent": "meta", "wait_agent": "meta", "close_agent": "meta"},
    task_families={"exec_command": "code", "shell": "code", **FILE_TOOLS, **RESEARCH_TOOLS},
    counterparts=COUNTERPARTS,
    trivial_tools=frozenset({"update_plan", "request_user_input", "tool_suggest"}),
    local_tools=frozenset({"shell", "local_shell", "write_stdin", "list_mcp_resources"}),
    words_of_user=words_of_user,
    own_sources=frozenset({"subagent"}),
    stand_ins=STAND_INS,
    last_words=LAST_WORDS,
    relation=relation_of,
    find_blocks=find_blocks,
    count_copies=count_copies,
    copies_keep_ids=True,
)  # fmt: skip
