"""What is Hermes' own: its tools, its words in place of a result, and how its sessions come from one another."""

from __future__ import annotations

import re

from warm_tui.sessions.hermes.again import find_again
from warm_tui.sessions.hermes.blocks import count_copies, find_blocks
from warm_tui.sessions.hermes.identity import identity_of
from warm_tui.sessions.hermes.learning import KEEPING_TOOLS, kept_by, opens_review
from warm_tui.sessions.hermes.summaries import STARTS, body_of_summary
from warm_tui.sessions.model import Relation, Session
from warm_tui.sessions.source import AgentFacts, Family, LastWords, StandIn, words_before

AGENT = "hermes"
COMPACTED = "compression"
"""Hermes' word for how a session ended that goes on in another."""

FILE_TOOLS: dict[str, Family] = dict.fromkeys(("read_file", "write_file", "patch", "search_files"), "file")
RESEARCH_TOOLS: dict[str, Family] = dict.fromkeys(("web_search", "web_extract", "web_fetch"), "research")

STAND_INS = (
    StandIn(
        "unknown_tool", "failure", "protocol",
        re.compile(r"(?:Error: )?(?:Tool|Function) ['\"`]?[^\n'\"`]{1,100}['\"`]? "
                   r"(?:does not exist|not found|is not available)[^\n]{0,40}|(?:Error: )?Unknown tool:? [^\n]{1,100}"),
        "Tool 'frob' does not exist. Available tools: read_file, terminal",
    ),
    StandIn(
        "invalid_json", "failure", "protocol",
        re.compile(r"(?:Error: )?Invalid JSON (?:in )?(?:tool )?arguments?[^\n]{0,120}"),
        "Error: Invalid JSON arguments. Expecting value: line 1 column 1 (char 0).",
    ),
    StandIn(
        "cancelled", "unknown", "interrupted",
        re.compile(r"\[?Tool execution (?:cancelled|canceled|skipped|interrupted)[^\n]{0,120}"
                   r"|\[Request interrupted by user[^\n]{0,60}|\[Command interrupted\]"),
        "[Tool execution cancelled — terminal was skipped due to user interrupt]",
    ),
    StandIn(
        "tool_timeout", "failure", "timeout",
        re.compile(r"Error executing tool[^\n]{0,100}timed? ?out[^\n]{0,60}|\[Command timed out[^\n\]]{0,60}\]"),
        "Error executing tool 'web_search': timed out after 60 seconds",
    ),
    StandIn(
        "tool_raised", "failure", "tool_error",
        re.compile(r"Error executing tool[^\n]{0,160}|MCP error -?\d+[^\n]{0,160}"),
        "Error executing tool 'web_search': connection reset",
    ),
)  # fmt: skip


LAST_WORDS = (
    LastWords(
        "script_failed", "not-done", "its script failed",
        re.compile(r"\[SCRIPT_FAILED\]|\bscript (?:has )?failed\b|\bcommand not found\b"
                   r"|\bexited with (?:exit )?(?:code|status) (?!0\b)-?\d+", re.IGNORECASE),
        "The collection script failed: connection refused.",
        "cron",
    ),
    LastWords(
        "nothing_to_report", "done", "it had nothing to report",
        re.compile(r"\A\s*(?:\[SILENT\]|(?:SILENT|NO[_ ]REPLY)[ \t]{0,8}(?:\n|\Z))"
                   r"|\n[ \t]{0,8}(?:\[SILENT\]|SILENT|NO[_ ]REPLY)[ \t]{0,8}\Z", re.IGNORECASE),
        "[SILENT] No changes since yesterday.",
        "cron",
    ),
    LastWords(
        "interrupted", "not-done", "it was interrupted",
        re.compile(r"\AOperation interrupted(?:[:.]| during)"),
        "Operation interrupted: waiting for model response (12.0s elapsed).",
    ),
    LastWords(
        "out_of_turns", "not-done", "it ran out of turns",
        re.compile(r"\AI reached the maximum iterations \("),
        "I reached the maximum iterations (90) but couldn't summarize. Error: timeout",
    ),
    LastWords(
        "no_reply", "not-done", "the model gave no reply", re.compile(r"\A⚠️ No reply: "),
        "⚠️ No reply: all API retries were exhausted before a response was produced.",
    ),
    LastWords(
        "asked_to_sum_up", "not-done", "it ran out of turns",
        re.compile(r"\AYou've reached the maximum number of tool-calling iterations"),
        "You've reached the maximum number of tool-calling iterations allowed.",
        in_request=True,
    ),
    LastWords(
        "script_error", "not-done", "its script failed",
        re.compile(r"(?:\A|\n)## Script Error\nThe data-collection script failed"),
        "## Script Error\nThe data-collection script failed. Report this to the user.",
        "cron", in_request=True,
    ),
)  # fmt: skip

# What Hermes itself puts into messages of the user: notes, the output of processes, reports of delegates, skills,
# what a file or picture shows. The user's own words stand before it; what stands behind may be anybody's.
NOT_THE_USERS = re.compile(
    "|".join((
        *map(re.escape, STARTS),
        r"\[(?:IMPORTANT|System note|System|SYSTEM|ASYNC DELEGATION|Background process|Your active task list)\b",
        r"\[(?:The user (?:sent|invoked|launched)|Content of|Replying to|Tool |OUT-OF-BAND)\b",
        r"--- Attached Context ---|<memory-context>",
        r"You've reached the maximum number of tool-calling iterations|Review the conversation above",
    ))
)  # fmt: skip


words_of_user = words_before(NOT_THE_USERS)


def relation_of(session: Session, parent: Session | None) -> Relation:
    """How a session came from its parent. A parent alone says little: it is told by how that ended."""
    if session.reviews:
        return "review"
    if session.delegated_from:
        return "delegate"
    if session.branched_from:
        return "branch"
    if parent is None:
        return "none"
    if session.source == "tool":
        return "delegate"
    if parent.handed_on:
        return "compression_chain"
    if session.replays:
        # A fork of a session that had ended otherwise before, or was gone on with since.
        return "branch"
    if parent.end_reason == "branched" and parent.ended_at is not None and (session.started_at or 0) >= parent.ended_at:
        return "branch"
    return "delegate"


HERMES = AgentFacts(
    agent=AGENT,
    command_tool="terminal",
    families={
        "execute_code": "code", "skill_manage": "code", "warm_session": "meta", **FILE_TOOLS, **RESEARCH_TOOLS,
    },
    families_by_prefix={"browser": "research"},
    task_families={"execute_code": "code", "code_execution": "code", **FILE_TOOLS, **RESEARCH_TOOLS},
    trivial_tools=frozenset(
        {"clarify", "memory", "fact_store", "fact_feedback", "session_search", "skill_view", "skills_list"}
    ),
    local_tools=frozenset({
        "process", "todo", "cronjob", "read_terminal", "close_terminal", "skill_manage", "text_to_speech",
        "image_generate", "project_list", "project_create", "project_switch", "warm_session",
    }),
    words_of_user=words_of_user,
    own_sources=frozenset({"cron", "tool"}),
    outside_sources=frozenset({"webhook", "email", "sms"}),
    stand_ins=STAND_INS,
    last_words=LAST_WORDS,
    keeping_tools=KEEPING_TOOLS,
    kept_by=kept_by,
    opens_review=opens_review,
    relation=relation_of,
    find_blocks=find_blocks,
    find_again=find_again,
    count_copies=count_copies,
    identity_of=identity_of,
    body_of_summary=body_of_summary,
)  # fmt: skip
