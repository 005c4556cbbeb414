"""What is opencode's own: its tools, and its words in place of a result."""

from __future__ import annotations

import re

from warm_tui.sessions.counterparts import Counterpart, as_list
from warm_tui.sessions.model import Relation, Session
from warm_tui.sessions.recordings import count_copies, find_blocks
from warm_tui.sessions.source import AgentFacts, Family, StandIn

FILE_TOOLS: dict[str, Family] = dict.fromkeys(
    ("read", "write", "edit", "multiedit", "patch", "apply_patch", "glob", "grep", "list", "lsp"), "file"
)
RESEARCH_TOOLS: dict[str, Family] = dict.fromkeys(("webfetch", "websearch", "codesearch"), "research")

STAND_INS = (
    StandIn(
        "rejected", "unknown", "denied",
        re.compile(r"The user (?:rejected permission|has specified a rule which prevents)[^\n]{0,160}"),
        "The user rejected permission to use this specific tool call.",
    ),
    StandIn(
        "aborted", "unknown", "interrupted",
        re.compile(r"(?:Error: )?Tool execution aborted[^\n]{0,60}"),
        "Tool execution aborted",
    ),
    StandIn(
        "invalid_call", "failure", "protocol",
        re.compile(r"The arguments provided to the tool are invalid[^\n]{0,160}"),
        "The arguments provided to the tool are invalid: Model tried to call unavailable tool 'frob'.",
    ),
)  # fmt: skip


REPLACED = {"filePath": "path", "oldString": "old_string", "newString": "new_string", "replaceAll": "replace_all"}
COUNTERPARTS = {
    "bash": Counterpart("terminal", {"command": "command", "workdir": "workdir"}, ran=True),
    "read": Counterpart("read_file", {"filePath": "path", "offset": "offset", "limit": "limit"}),
    "write": Counterpart("write_file", {"filePath": "path", "content": "content"}),
    "edit": Counterpart("patch", REPLACED, {"mode": "replace"}),
    "apply_patch": Counterpart("patch", {"patchText": "patch"}, {"mode": "patch"}),
    "patch": Counterpart("patch", {"patchText": "patch"}, {"mode": "patch"}),
    "grep": Counterpart("search_files", {"pattern": "pattern", "path": "path", "include": "file_glob"},
                        {"target": "content"}),
    "glob": Counterpart("search_files", {"pattern": "pattern", "path": "path"}, {"target": "files"}),
    "websearch": Counterpart("web_search", {"query": "query"}),
    "webfetch": Counterpart("web_extract", {"url": "urls"}, values={"url": as_list}),
}  # fmt: skip


def relation_of(session: Session, _parent: Session | None) -> Relation:
    return "delegate" if session.delegated_from else "none"


OPENCODE = AgentFacts(
    agent="opencode",
    command_tool="bash",
    families={**FILE_TOOLS, **RESEARCH_TOOLS, "task": "meta", "skill": "meta", "invalid": "meta"},
    task_families={"bash": "code", **FILE_TOOLS, **RESEARCH_TOOLS},
    counterparts=COUNTERPARTS,
    trivial_tools=frozenset({"todowrite", "todoread", "question", "plan_enter", "plan_exit"}),
    own_sources=frozenset({"subagent"}),
    stand_ins=STAND_INS,
    relation=relation_of,
    find_blocks=find_blocks,
    count_copies=count_copies,
)  # fmt: skip
