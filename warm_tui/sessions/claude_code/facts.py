"""What is Claude Code's own: its tools, and its words in place of a result."""

from __future__ import annotations

import re

from warm_tui.sessions.counterparts import Counterpart, as_list
from warm_tui.sessions.model import Relation, Session
from warm_tui.sessions.recordings import count_copies, find_blocks
from warm_tui.sessions.source import AgentFacts, Family, LastWords, StandIn, words_before

FILE_TOOLS: dict[str, Family] = dict.fromkeys(
    ("Read", "Edit", "MultiEdit", "Write", "NotebookEdit", "NotebookRead", "Glob", "Grep", "LS"), "file"
)
RESEARCH_TOOLS: dict[str, Family] = dict.fromkeys(("WebSearch", "WebFetch"), "research")

STAND_INS = (
    StandIn(
        "rejected", "unknown", "denied",
        re.compile(r"The user doesn't want to (?:proceed with this tool use|take this action right now)[^\n]{0,120}"),
        "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    ),
    StandIn(
        "interrupted_by_user", "unknown", "interrupted",
        re.compile(r"(?:Error: )?\[Request interrupted by user[^\n]{0,60}"),
        "[Request interrupted by user for tool use]",
    ),
    StandIn(
        "cancelled_with_sibling", "unknown", "interrupted",
        re.compile(r"(?:<tool_use_error>)?(?:Sibling tool call errored|Cancelled: parallel tool call[^\n<]{0,120})"),
        "<tool_use_error>Sibling tool call errored</tool_use_error>",
    ),
    StandIn(
        "unknown_tool", "failure", "protocol",
        re.compile(r"(?:<tool_use_error>)?(?:Error: )?No such tool available[^\n<]{0,120}"),
        "<tool_use_error>Error: No such tool available: Frob</tool_use_error>",
    ),
    StandIn(
        "invalid_input", "failure", "protocol",
        re.compile(r"(?:<tool_use_error>)?InputValidationError[^\n<]{0,160}"),
        "<tool_use_error>InputValidationError: Edit failed due to the following issue</tool_use_error>",
    ),
    StandIn(
        "not_permitted", "failure", "denied",
        re.compile(
            r"(?:<tool_use_error>)?(?:Permission (?:for this action was denied|to use \S{1,60} "
            r"(?:with command [^\n]{0,200} )?has been (?:auto-)?denied)|Blocked: |Claude requested permissions? )"
            r"[^\n<]{0,160}"
        ),
        "Permission to use Bash has been denied.",
    ),
)  # fmt: skip

REPLACED = {"file_path": "path", "old_string": "old_string", "new_string": "new_string", "replace_all": "replace_all"}
COUNTERPARTS = {
    "Bash": Counterpart("terminal", {"command": "command", "run_in_background": "background"}, ran=True),
    "Read": Counterpart("read_file", {"file_path": "path", "offset": "offset", "limit": "limit"}),
    "Write": Counterpart("write_file", {"file_path": "path", "content": "content"}),
    "Edit": Counterpart("patch", REPLACED, {"mode": "replace"}),
    "Grep": Counterpart("search_files", {"pattern": "pattern", "path": "path", "glob": "file_glob"},
                        {"target": "content"}),
    "Glob": Counterpart("search_files", {"pattern": "pattern", "path": "path"}, {"target": "files"}),
    "WebSearch": Counterpart("web_search", {"query": "query"}),
    "WebFetch": Counterpart("web_extract", {"url": "urls"}, values={"url": as_list}),
}  # fmt: skip

# What the program itself puts into messages of the user: notes, the output of its own commands, hooks.
NOT_THE_USERS = re.compile(
    r"<(?:system-reminder|command-(?:name|message|args|contents)|local-command-\w+|bash-(?:input|stdout|stderr)|"
    r"task-notification|ide_\w+|user-prompt-submit-hook|session-start-hook)\b"
    r"|\[Request interrupted by user|Caveat: The messages below were generated"
    r"|This session is being continued from a previous conversation"
)


LAST_WORDS = (
    LastWords(
        "interrupted", "not-done", "the person interrupted it",
        re.compile(r"\A\[Request interrupted by user"), "[Request interrupted by user for tool use]", in_request=True,
    ),
)  # fmt: skip

_COMMAND = re.compile(r"<command-name>\s*([^<\s]{1,80})\s*</command-name>")
_COMMAND_ARGUMENTS = re.compile(r"<command-args>\s*([^<\s][^<]{0,400})")


def command_of(text: str) -> tuple[str, str]:
    """The command of the program's own that the user gave, and with what; nothing where it is none."""
    name, arguments = _COMMAND.search(text), _COMMAND_ARGUMENTS.search(text)
    return (name[1] if name else "", " ".join(arguments[1].split()) if name and arguments else "")


def words_after_command(text: str) -> str:
    """All that the user wrote behind a command; it may hold anything, such tags too."""
    return text.partition("<command-args>")[2].rpartition("</command-args>")[0].strip()


words_of_user = words_before(NOT_THE_USERS)


def relation_of(session: Session, _parent: Session | None) -> Relation:
    if session.delegated_from:
        return "delegate"
    return "branch" if session.branched_from else "none"


_SUMMARY_OPENING = re.compile(r"\AThis session is being continued from a previous conversation[^\n]*\n*")


def body_of_summary(text: str) -> str:
    return _SUMMARY_OPENING.sub("", text).strip()


CLAUDE_CODE = AgentFacts(
    agent="claude-code",
    command_tool="Bash",
    families={**FILE_TOOLS, **RESEARCH_TOOLS, "Task": "meta", "Agent": "meta", "Skill": "meta", "Workflow": "meta"},
    families_by_prefix={"mcp__": "general"},
    task_families={"Bash": "code", **FILE_TOOLS, **RESEARCH_TOOLS},
    counterparts=COUNTERPARTS,
    trivial_tools=frozenset({
        "TodoWrite", "TodoRead", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "AskUserQuestion",
        "ExitPlanMode", "EnterPlanMode", "ToolSearch", "exit_plan_mode",
    }),
    local_tools=frozenset({"BashOutput", "TaskOutput", "KillShell", "KillBash", "TaskStop"}),
    words_of_user=words_of_user,
    own_sources=frozenset({"subagent"}),
    stand_ins=STAND_INS,
    last_words=LAST_WORDS,
    relation=relation_of,
    find_blocks=find_blocks,
    count_copies=count_copies,
    copies_keep_ids=True,
    body_of_summary=body_of_summary,
)  # fmt: skip
