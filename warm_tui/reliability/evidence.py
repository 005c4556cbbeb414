"""What a JSON result says of itself, read without reading its content.

Results can be long: only the fields that can speak for or against a call are decoded, what a program
printed stays encoded, and of that only the end is ever looked at.
"""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from warm_tui.sessions.model import as_number
from warm_tui.sessions.recordings import mended

GOOD_STATUSES = frozenset({"success", "ok", "completed", "done", "running", "started", "passed"})
_HARMLESS = GOOD_STATUSES | {""}
# Statuses that tickets and jobs seldom have: of a call, most likely, whatever stands beside them.
_OF_CALLS_ONLY = frozenset({"error", "exception", "not_found", "invalid"})
NOTHING = msgspec.Raw(b"")
NO = (False, "false", "False")


class Evidence(msgspec.Struct, gc=False):
    """The fields that speak for or against a call. Everything else in a result is its content."""

    exit_code: Any = None
    returncode: Any = None
    return_code: Any = None
    exit_status: Any = None
    exitCode: Any = None  # noqa: N815 - as other tools spell it
    error: Any = None
    errors: Any = None
    success: Any = None
    ok: Any = None
    is_error: Any = None
    isError: Any = None  # noqa: N815
    status: Any = None
    status_code: Any = None
    statusCode: Any = None  # noqa: N815
    message: Any = None
    exit_code_meaning: Any = None
    output: msgspec.Raw = NOTHING
    stdout: msgspec.Raw = NOTHING
    stderr: msgspec.Raw = NOTHING
    result: msgspec.Raw = NOTHING
    content: msgspec.Raw = NOTHING
    results: msgspec.Raw = NOTHING
    beside_payload: bool = msgspec.field(default=False, name="(beside payload)")
    """The status stands beside what was asked for: it may be a ticket's or a job's, and not the call's."""

    @property
    def code(self) -> int | None:
        if type(self.exit_code) is int:
            return self.exit_code
        for value in (self.exit_code, self.returncode, self.return_code, self.exit_status, self.exitCode):
            if value is not None and type(value) is not bool and (number := as_number(value)) is not None:
                return int(number)
        return None

    @property
    def tells_code_elsewhere(self) -> bool:
        """Under a name that few tools use."""
        return not (self.returncode is self.return_code is self.exit_status is self.exitCode is None)

    @property
    def is_clean(self) -> bool:
        """Nothing speaks against it: no exit code, no error, no flag, no status but a good one."""
        return not (
            self.exit_code
            or self.error
            or self.errors
            or self.status_code
            or self.statusCode
            or (self.success is not None and self.success in NO)
            or (self.status is not None and not (isinstance(self.status, str) and self.has_status(_HARMLESS)))
            or (self.ok is not None and self.ok in NO)
            or self.results is not NOTHING
            or self.is_error
            or self.isError
            or (self.tells_code_elsewhere and self.code)
        )

    @property
    def printed(self) -> bool:
        """Is there a text that a program may have printed?"""
        return self.output is not NOTHING or self.stdout is not NOTHING or self.stderr is not NOTHING

    @property
    def call_status(self) -> str:
        """The status in one word, where it may be the call's own."""
        if not isinstance(self.status, str):
            return ""
        word = self.status.lower().partition(":")[0]
        return "" if self.beside_payload and word not in _OF_CALLS_ONLY else word

    def has_status(self, names: frozenset[str]) -> bool:
        return self.status is not None and self.call_status in names

    def words_of(self, length: int) -> str:
        """The end of what the program printed: stderr where it is told apart, else the output."""
        for raw in (self.stderr, self.output, self.stdout):
            if raw is not NOTHING and (text := tail_of(raw, length)):
                return text
        return ""


# How the commonest result of all begins and ends: a command that went well. Known by its ends, it need
# not be decoded, however long it is.
_PLAIN_START, _PLAIN_END = '{"output": "', '", "exit_code": 0, "error": null}'
_PLAIN_START_LENGTH, _PLAIN_END_LENGTH = len(_PLAIN_START), len(_PLAIN_END)


def end_of_plain_success(result: str, length: int) -> str | None:
    """The end of what a command printed, as it is encoded, if the result is that of a command that went well."""
    if not (result.endswith(_PLAIN_END) and result.startswith(_PLAIN_START)):
        return None
    start = len(result) - _PLAIN_END_LENGTH - length
    return result[start if start > _PLAIN_START_LENGTH else _PLAIN_START_LENGTH : -_PLAIN_END_LENGTH]


_decode = msgspec.json.Decoder(Evidence).decode
_decode_text = msgspec.json.Decoder(str).decode
_lenient = json.JSONDecoder(strict=False)
_RAW_FIELDS = frozenset({"output", "stdout", "stderr", "result", "content", "results"})


# What an agent or a tool says of a call beside its status. Anything else is what was asked for.
_ABOUT_A_CALL = frozenset(Evidence.__struct_encode_fields__) | frozenset(
    "note reason detail details hint suggestion description code type error_code error_type duration duration_ms "
    "duration_seconds elapsed timestamp tool tool_name tool_call_id request_id command cwd pattern_key pattern_keys "
    "approved timeout timeout_seconds pid signal session_id process_id task_id exit_reason warning warnings "
    "_truncated truncated".split()
)
_WITH_A_RUN = frozenset({"output", "exit_code", "error", "errors", "stdout", "stderr", "returncode", "exitCode"})


def evidence_in(result: str) -> Evidence | None:
    """What a result says of itself; None when it is no JSON object or list."""
    try:
        evidence = _decode(result)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        other = _before_a_note(result) or _nearly_json(result)
        if other is None:
            return None
        evidence = other
    if isinstance(evidence.status, str) and not evidence.has_status(GOOD_STATUSES):
        if evidence.success is True or evidence.ok is True:
            evidence.status = None
        else:
            evidence.beside_payload = _has_payload(result)
    return evidence


def _has_payload(result: str) -> bool:
    """Are there other things, and nothing that tells how a program or a call ended?"""
    try:
        value, _ = _lenient.raw_decode(result.lstrip())
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and _WITH_A_RUN.isdisjoint(value) and not _ABOUT_A_CALL.issuperset(value)


_OF_A_RUN = _WITH_A_RUN - {"error", "errors"} | {"return_code", "exit_status"}


def is_printed(result: str, evidence: Evidence) -> bool:
    """JSON that a program printed: it tells of no run, and of other things than a call."""
    if evidence.printed or evidence.exit_code is not None:
        return False
    try:
        value, _ = _lenient.raw_decode(result.lstrip())
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and _OF_A_RUN.isdisjoint(value) and not _ABOUT_A_CALL.issuperset(value)


def _before_a_note(result: str) -> Evidence | None:
    """A guard may have appended a note behind the JSON: the first value is the tool's own."""
    end = result.rfind("}\n\n[")
    try:
        return _decode(result[: end + 1]) if end > 0 else None
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None


def _nearly_json(result: str) -> Evidence | None:
    """Text behind the value, raw control characters, or a value that is itself JSON text."""
    try:
        value, _ = _lenient.raw_decode(result.lstrip())
        if isinstance(value, str):
            value = json.loads(value, strict=False)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):
        # The parts of an answer, as MCP tools give them.
        return Evidence(content=msgspec.Raw(json.dumps(value).encode()))
    if not isinstance(value, dict):
        return None
    known = {name: value[name] for name in Evidence.__struct_encode_fields__ if name in value}
    for name in _RAW_FIELDS & known.keys():
        known[name] = msgspec.Raw(json.dumps(known[name]).encode())
    return Evidence(**known)


_LINE_BREAK = re.compile(rb"(?<!\\)(?:\\\\)*\\n")


def tail_of(raw: msgspec.Raw, length: int) -> str:
    """The end of a JSON string that is still encoded, decoded without decoding the rest of it."""
    view = memoryview(raw)
    if len(view) <= 2 or view[0] != ord('"'):
        return ""
    text = bytes(view[-length:])
    if len(view) > length:
        # A line break is a safe place to begin, unless the backslash before it is itself escaped.
        start = _LINE_BREAK.search(text)
        if start is None:
            return text_of(raw)[-length:]
        text = b'"' + text[start.end() :]
    return text_of(text)


def encoded(text: str) -> msgspec.Raw:
    """As a result would hold it; also what is no text in any encoding, which the faster encoder refuses."""
    return msgspec.Raw(json.dumps(text).encode())


def text_of(raw: msgspec.Raw | bytes) -> str:
    """A value that is a JSON string, decoded; nothing where it is any other value."""
    try:
        return _decode_text(raw)
    except msgspec.MsgspecError:
        return _mended_text(bytes(raw))


def _mended_text(raw: bytes) -> str:
    """A text may have been cut in the middle of a character before it was put into JSON."""
    try:
        return _decode_text(mended(raw))
    except msgspec.MsgspecError:
        return ""


class _Part(msgspec.Struct):
    text: str = ""


class _Entry(msgspec.Struct):
    error: Any = None
    success: Any = None


def all_failed(raw: msgspec.Raw) -> str | None:
    """What the first of a list of results says, if each of them failed."""
    try:
        entries = msgspec.json.decode(raw, type=list[_Entry])
    except msgspec.MsgspecError:
        return None
    if not entries or not all(entry.error or entry.success in NO for entry in entries):
        return None
    return str(entries[0].error or "none of them worked")


def parts_of(raw: msgspec.Raw) -> str:
    """The words of an answer in parts: `[{"type": "text", "text": "..."}]`; nothing where it is none."""
    if bytes(memoryview(raw)[:1]) != b"[":
        return ""
    try:
        return "\n".join(part.text for part in msgspec.json.decode(raw, type=list[_Part]))
    except msgspec.MsgspecError:
        return ""
