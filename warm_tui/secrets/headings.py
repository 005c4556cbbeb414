"""Secrets that stand alone in the lines below what tells of them: a table of headings, each with an example."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from warm_tui.secrets.names import SAID
from warm_tui.secrets.values import (
    MIXED,
    is_chosen,
    is_generated,
    is_made,
    is_password,
    is_prose,
    looks_secret,
)

FRAME = " \t\r|│┃║>*`\"'"
ALONE = re.compile(r"[\"'`]?((?!(?:[^\s:]{0,60}:){3})[^\s\"'`]{5,4000}[^\s\"'`,;({])[\"'`]?")
OF_A_USER = re.compile(
    r"(?:\S{1,100}[ \t]{1,40})?(?:[\"']?[^\s:\"']{1,100}[\"']?(?::|[ \t]{1,40}))?[\"']?([^\s:\"']{6,400})[\"']?"
)
NAMED_USER = re.compile(r"(?:-\s)?[\"']?[\w.@-]{1,60}[\"']?\s{0,4}[:=]\s{0,4}[\"']?([^\s\"',]{4,400})[\"']?,?")
OF_OTHERS = re.compile(r"(?i)public|fingerprint|identifier|certificate|-----|serial|authorized|known_hosts|\.pub\b")
SUM = re.compile(r"(?i)[0-9a-f]+")
PROMPT = r"(?m)^[^\n]{0,60}?(?:[$#>%][ \t]{0,2}|^)"
SHOWS = r"(?:sudo[ \t]{1,8})?(?:cat|less|more|head|tail|bat|type|gc|get-content|xxd)[ \t]"
TELLS = r"pass|pw|secret|cred|token|auth|userlist|netrc|apikey|api[_-]key"
PRINTS = (
    r"pass[ \t]{1,8}(?:show|-c)|op[ \t]{1,8}read|bw[ \t]{1,8}get[ \t]{1,8}password|lpass[ \t]{1,8}show|pwgen|secret-tool|keyring[ \t]{1,8}get"
    r"|gopass|vault[ \t]{1,8}(?:kv[ \t]{1,8}get|read)[ \t]{1,8}-field|chamber[ \t]{1,8}read|terraform[ \t]{1,8}output[ \t]{1,8}-raw"
    r"|openssl[ \t]{1,8}rand|dumpprivkey"
)


def _is_told(value: str) -> bool:
    return is_chosen(value) or (looks_secret(value) and MIXED.match(value) is not None and not is_prose(value))


def _is_printed(value: str) -> bool:
    return is_password(value) and not value.startswith(("/", "http", "Error", "arn:", "-"))


def _is_long(value: str) -> bool:
    return len(value) >= 20 and is_generated(value) and not SUM.fullmatch(value)


class Heading(NamedTuple):
    """What stands in the lines below it is a secret, where the whole line is of that form."""

    name: str
    pattern: re.Pattern[str]
    line: re.Pattern[str]
    lines: int
    is_one: Callable[[str], bool]
    needs: tuple[str, ...]
    example: str


HEADINGS = (
    Heading("printed", re.compile(rf"(?i){PROMPT}(?:{PRINTS})\b[^\n|]{{0,120}}$"), ALONE, 1, _is_printed, ("pass", "op read", "bw get", "pwgen", "secret-tool", "keyring", "vault", "chamber", "terraform output", "openssl rand", "dumpprivkey"), "$ pass show work/admin\n«emberanchor»\nlogin: ada"),
    Heading("printed", re.compile(r"(?im)^(?:\$|#|%|>|PS[^>\n]{0,60}>) [^\n]{0,200}?(?:passw|secret|token|credential|\bkey\b|master\.key|priv(?:ate)?_?key|mnemonic)[^\n]{0,200}$"), ALONE, 2, _is_told, ("passw", "secret", "token", "credential", "key", "mnemonic"), "$ gcloud auth print-access-token\n«q8Zr41LmPx0Kd7Vw»"),
    Heading("data of a vault", re.compile(r"(?m)^=+ Data =+[ \t\r]{0,4}$"), re.compile(r"[\w./-]{1,60} {2,60}(\S{6,4000})"), 20, is_generated, ("= data =",), "====== Data ======\nKey        Value\n---        -----\nbank_x     «QK8cYUR9bdStRo8WSvCRfGjfUMAQFvS7»"),
    Heading("file of secrets", re.compile(rf"(?im)^(?:[^\n]{{0,60}}[$#>%]|) ?{SHOWS}[^\n|>]{{0,100}}?(?:{TELLS})(?![^\n]{{0,60}}\.(?:py|[jt]sx?|go|rb|java|c|h|rs|md|php)\b)[^\n|]{{0,80}}$"), OF_A_USER, 8, is_made, ("pass", "pw", "secret", "cred", "token", "auth", "userlist", "netrc", "key"), "$ cat /etc/openvpn/auth.txt\nada\n«copper56juniper»"),
    Heading("told below", re.compile(rf"(?im)\b(?:{SAID})\b[^\n]{{0,80}}:[ \t\r]{{0,4}}$"), ALONE, 2, _is_told, ("pass", "pw", "token", "secret", "key", "pin", "credential", "wort", "contrase", "wacht", "парол", "密码"), "the new password:\n    «Kettle.drum2»"),
    Heading("shown once", re.compile(r"(?im)\b(?:keys?|tokens?|secrets?|password|credentials?|again|once)\b[^\n]{0,80}$"), ALONE, 3, _is_long, ("key", "token", "secret", "password", "credential", "again", "once"), "│ Copy it now, it is not shown again: │\n│ «nj1H9gXc7WmLsnyEvSdyf5aOvfuk6jKzlvul0h4c» │"),
    Heading("login in a file", re.compile(r"(?i)\bauth-user-pass\b[^\n]{0,40}$", re.M), ALONE, 2, is_made, ("auth-user-pass",), "<auth-user-pass>\nada\n«Kettle.drum2»\n</auth-user-pass>"),
    Heading("map of users", re.compile(r"(?im)^[ \t]{0,20}(?:-\s)?[\"']?(?:(?:users|basic_?auth|passwords|logins|list)[\"']?\s{0,4}[:=]\s{0,4}[{|]?|\[(?:users|admins|passwords|accounts)\])[ \t]{0,4}$"), NAMED_USER, 8, is_chosen, ("users", "auth", "passwords", "logins", "list", "admins", "accounts"), "basicAuth:\n  users:\n    admin: «qwemeadow!79»"),
)  # fmt: skip


def below_headings(text: str, lowered: str) -> Iterator[tuple[str, str]]:
    """Each secret with the name of its heading. A line that is too long to be one ends what a heading tells of."""
    for heading in HEADINGS:
        if not any(need in lowered for need in heading.needs):
            continue
        for match in heading.pattern.finditer(text):
            if OF_OTHERS.search(text, text.rfind("\n", 0, match.start()) + 1, match.end()):
                continue
            at = match.end() + 1
            for _ in range(heading.lines + 1):
                end = text.find("\n", at)
                end = len(text) if end < 0 else end
                if end - at > 4_200 or at >= len(text) or text.startswith("-----", at):
                    break
                line = text[at:end].strip(FRAME)
                at = end + 1
                told = heading.line.fullmatch(line)
                if told and heading.is_one(told[1]):
                    yield told[1], heading.name
