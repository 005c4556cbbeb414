"""Secrets that stand beside whom they belong to, in the records of programs: a table of rules, each with an example."""

from __future__ import annotations

import re

from warm_tui.secrets.names import NAME, NAMES, PASSWORD_NAME, PASSWORD_NAMES, Rule, row
from warm_tui.secrets.values import is_chosen, is_generated, is_made


def _is_key(value: str) -> bool:
    return is_generated(value) or HEX_KEY.fullmatch(value) is not None


HEX_KEY = re.compile(r"[0-9a-f]{32}|[0-9a-f]{64}")
RECORDS: tuple[Rule, ...] = (
    row("key of a user", r"(?i)[\"']?\b(?:user(?:_?name)?|log_?in|e-?mail|account(?:_?id)?)\\?[\"']?\s{0,4}[:=]\s{0,4}\\?[\"']?[^\s\"',;{}\\]{1,100}\\?[\"']?\s{0,4}[,;&\n]\s{0,40}\\?[\"']?(?:key|pass|auth|code)\\?[\"']?\s{0,4}[:=]\s{0,4}\\?[\"']?([A-Za-z0-9+/=_-]{20,200})", "user", "login", "mail", "account", is_one=_is_key, example="echo '{\"username\":\"ada\",\"key\":\"«7576172162120f236229b5d208b80f29»\"}'"),
    row("element beside its name", rf"(?i)(?<![A-Za-z0-9_.-])[\w.-]{{0,60}}?(?:{NAME})[\"'\])]{{0,4}}\s{{0,4}}</[\w:.-]{{1,30}}>\s{{0,40}}<[\w:.-]{{1,30}}(?:\s[^<>\n]{{0,100}})?>\s{{0,20}}([^<\s]{{6,4000}})\s{{0,20}}</", *NAMES, is_one=is_made, example="<tr><td>$_SERVER['DB_PASS']</td><td class=\"v\">«Ugo2301»</td></tr>"),
    row("put into a field", rf"(?i)[\"'][\w .:-]{{0,30}}?(?:{PASSWORD_NAME})[\"']\)?\s{{0,4}}(?:\.\w{{1,20}}\(|with|to)\s{{0,4}}[\"']([^\"'\n]{{6,200}})[\"']", *PASSWORD_NAMES, is_one=is_chosen, example="page.getByLabel('Password').fill('«w4lnut43!»');"),
)  # fmt: skip
