"""Secrets that stand beside whom they belong to, in the records of programs: a table of rules, each with an example."""

from __future__ import annotations

import re

from warm_tui.secrets.names import NAME, NAMES, Rule, row
from warm_tui.secrets.values import is_generated, is_password


def _is_key(value: str) -> bool:
    return is_generated(value) or HEX_KEY.fullmatch(value) is not None


HEX_KEY = re.compile(r"[0-9a-f]{32}|[0-9a-f]{64}")
RECORDS: tuple[Rule, ...] = (
    row("key of a user", r"(?i)[\"']?\b(?:user(?:_?name)?|log_?in|e-?mail|account(?:_?id)?)\\?[\"']?\s{0,4}[:=]\s{0,4}\\?[\"']?[^\s\"',;{}\\]{1,100}\\?[\"']?\s{0,4}[,;&\n]\s{0,40}\\?[\"']?(?:key|pass|auth|code)\\?[\"']?\s{0,4}[:=]\s{0,4}\\?[\"']?([A-Za-z0-9+/=_-]{20,200})", "user", "login", "mail", "account", is_one=_is_key, example="echo '{\"username\":\"ada\",\"key\":\"«7576172162120f236229b5d208b80f29»\"}'"),
    row("cell", rf"(?i)(?<![A-Za-z0-9_.-])[\w.-]{{0,60}}?(?:{NAME})[\"'\])]{{0,4}}\s{{0,4}}</t[dh]>\s{{0,20}}<t[dh](?:\s[^<>\n]{{0,100}})?>\s{{0,20}}([^<\s]{{4,400}})\s{{0,20}}</t", *NAMES, is_one=is_password, example="<tr><td>$_SERVER['DB_PASS']</td><td class=\"v\">«Ugo2301»</td></tr>"),
)  # fmt: skip
