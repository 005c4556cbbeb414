"""Find the secrets in a text: by the rules, by vendors' forms, in tables, in base64 and between colours."""

from __future__ import annotations

import base64
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from warm_tui.secrets.forms import TOKEN
from warm_tui.secrets.places import Places
from warm_tui.secrets.rules import NAMED, PASSWORD_NAME, RULES

SEARCHED = 200_000
"""So much of one text is searched; what is behind counts as a secret itself."""
NOT_SEARCHED = f"not searched: behind the first {SEARCHED:,} characters"


class Secret(NamedTuple):
    value: str
    rule: str


KEY = re.compile(rf"(?i)^{NAMED}$")
PASSWORD = re.compile(rf"(?i){PASSWORD_NAME}")
PLACEHOLDER = re.compile(r"\s{0,40}<secret-[0-9a-f]{6,64}>\s{0,40}\Z")
# What stands for a secret without being one: a variable, a question, a call, a star.
STAND_IN = re.compile(
    r"(?i)(?:\$\{?[\w.:-]+\}?|\$\(.*|\$\{\{.*|<[^<>]*>?|[\w -]+>|\{\{?[^{}]*\}?\}|%[\w-]+%|\[[^\]]*\]|[*x.…•#]{3,}"
    r"|.{0,4}[*•…]{3,}.{0,4}|.{0,12}(?:\.{3}|…).{0,6}"
    r"|(?:your|my|the|an?)[_ -][a-z_ -]+"
    r"|tests?|testing|foo(?:bar)?|abc(?:123|def)?|!{1,2}[a-z]+|#[0-9a-f]{3,8}|0x[0-9a-f]{40}|[ġ▁].{0,40}|Ag[A-D][a-z0-9+/=]{150,}"
    r"|example|changeme|change[_-]me|placeholder|redacted|masked|hidden|dummy"
    r"|none|null|nil|true|false|undefined|string|str|int|bool|bytes|optional|required|missing|invalid|expired|empty|secretref"
    r"|(?:env|os|process|self|this|config|settings|request|response|args|ctx|var|secrets|data|local|vault)"
    r"[.:\[(][\w.\[\]()'\"/:#-]*"
    r"|https?://[^@\s]*|/[\w./-]*|\.{1,2}/[\w./-]*|~/[\w./-]*|[\w.-]+/[\w./-]*\.[a-z]{2,4}|[a-z]+/\d\.\d|[\w.-]+:/[\w./-]*|%[-#0-9.]{0,4}[sdiuxr]\b.*|[a-z_-]{0,12}your[a-z_-]*|-{1,2}[a-z][a-z-]*)\Z"
)
FILLED = re.compile(r"(?i)[\w.-]{0,24}?(?:x{6,400}|0{6,400})\Z")
OTHERS = re.compile(r"[-_]your[A-Z_-]")
DOCUMENTED = re.compile(r"EXAMPLE(?:KEY)?\Z")
# What no secret that stands bare has in it: it is a piece of a program, or a pattern for secrets.
SLOT = re.compile(r"\{\w*\}")
CODE = re.compile(r"[(\[{]|^=")
BRACKETED = re.compile(r"[A-Za-z]{1,40}[(\[{]\w{1,40}[)\]}][\w!#%.-]{0,40}\d")
CAPITALS = re.compile(r"(?=\D{0,60}\d)[A-Z]\w{1,40}(?:\.[A-Z]\w{1,40}){1,4}")
PATTERN = re.compile(r"\(\?[:i=!P]|\[\^?[A-Za-z0-9]-[A-Za-z0-9]|\\[sdwbS][*+{)\]]|\{\d+,\d*\}")
WORD = re.compile(r"^[A-Za-z][a-z]*(?:[_.-](?:[A-Z][a-z]+|[a-z]+))*[.!?:]*$|^[a-z]+(?:[A-Z][a-z]+)+$|^[A-Z_]+$")
PROSE = re.compile(r"v?\d+(?:[.:/-]\d+)*\w{0,3}|[\w./-]+\.[a-z]{1,5}\d?(?::\d+)?|[a-z_]+\d*\(?\)?")
IDENTIFIER = re.compile(
    r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[a-z_]+\d?|[A-Z][A-Za-z]*(?:\d{1,2}(?:Array|Buffer|String))?|&?[a-z_]+\)*"
)
# A single word is a password where it is called one; a token or a key looks otherwise.
PLAIN = re.compile(r"[A-Za-z]{1,15}")
MIXED = re.compile(r"(?=.{0,400}\d)(?=.{0,400}[A-Za-z])")
NOT_A_SECRET_KEY = re.compile(
    r"(?:CACHE|PRIMARY|FOREIGN|PUBLIC|PUB|SORT|INDEX|PARTITION|HASH|OBJECT|HOST|ROW|S3|IDEMPOTENCY|STORAGE|DEDUP[A-Z]{0,20})_KEYS?"
)
# Words that stand where a password would, in a program, its manual or a translation of its screens.
NO_PASSWORD = frozenset(
    "string secretstr integer varchar boolean number object unknown optional required value values input output prompt"
    " prompts option options argument parameter field fields hidden hashed hasher encrypted plaintext plain nothing"
    " empty disabled enabled default changeme change example sample invalid incorrect wrong missing expired forgotten"
    " reset password passwords passwort kennwort passphrase secret secrets token tokens username user admin login"
    " authentication authenticated unset undefined element component keychain vault environment variable before after"
    " should cannot without please enter your with from that this must none null true false".split()
)
QUOTED = {
    "quoted assignment", "url password", "netrc", "pgpass", "element", "user and password", "piped", "short flag",
    "said to the database", "secure string", "said in quotes", "answered prompt", "users of cloud-init", "haproxy",
}  # fmt: skip
PLAIN_PASSWORDS = {"plain password", "password flag"}
ALONE = {"printed", "told below", "client", "logged in with", "mail login", "password of a document", "quoted setting"}
OF_A_HASH = re.compile(r"(?i)(?:checksum|digest|sha\d*|hash)[/_.-]?\Z")
HEX = re.compile(r"[0-9a-f]{40,400}")
SHORT_WORD = re.compile(r"[a-z]{2,12}\d{0,2}|[A-Z]{2,12}")
CREDENTIALS = re.compile(r"[\w.@-]{3,60}:(?=[A-Za-z_-]{0,100}\d)[A-Za-z0-9_-]{12,200}\Z")
# As bytes, and as programs write them down.
COLOUR = re.compile(r"(?:\x1b|\\x1b|\\u001b|\\033|\\e|\^\[)\[[0-9;:?]{0,40}[A-Za-z]|\x9b[0-9;:?]{0,40}[A-Za-z]")


def find_secrets(text: str, own: Iterable[str] = ()) -> list[Secret]:
    """Each secret of a text once, the longest first. `own` are values known to be secret."""
    rules: dict[str, str] = {value: "the home's .env" for value in own if len(value) >= 6 and value in text}
    if len(text) > SEARCHED:
        rules[text[SEARCHED:]] = NOT_SEARCHED
        text = text[:SEARCHED]
    for value, rule in (*_private_keys(text), *_found(text), *_behind_colours(text), *_encoded(text)):
        if not PLACEHOLDER.match(value):
            rules.setdefault(value, rule)
    return sorted((Secret(value, rule) for value, rule in rules.items()), key=lambda s: -len(s.value))


def _found(text: str) -> Iterator[Secret]:
    lowered = text.lower()
    yield from _by_rules(text, lowered)
    for match in TOKEN.finditer(text):
        if not (DOCUMENTED.search(match[0]) or OTHERS.search(match[0]) or FILLED.match(match[0])):
            yield Secret(match[0], "vendor token")
    yield from _in_tables(text, lowered)


def _behind_colours(text: str) -> Iterator[Secret]:
    """A colour is no part of a text: it neither begins a word nor ends one, nor does it part one in two.

    Both readings are searched. A secret that colours part is masked with them, so each is given as it stands, too.
    """
    if not COLOUR.search(text):
        return
    pieces, ends, at = [], [], 0
    for match in COLOUR.finditer(text):
        pieces.append(text[at : match.start()])
        ends.append(match)
        at = match.end()
    pieces.append(text[at:])
    joined = "".join(pieces)
    rules = {secret.value: secret.rule for secret in (*_found(joined), *_found(" ".join(pieces)))}
    yield from (Secret(value, rule) for value, rule in rules.items())
    # How much longer the coloured text is up to the beginning of each piece.
    begins = [0, *accumulate(map(len, pieces))]
    before = [0, *accumulate(len(match[0]) for match in ends)]
    for start, end in Places(rules).of(joined):
        first, last = bisect_right(begins, start) - 1, bisect_right(begins, end - 1) - 1
        if first != last:
            yield Secret(text[start + before[first] : end + before[last]], rules[joined[start:end]])


BASE64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/]{24,4000}={0,2}(?![A-Za-z0-9+/_=-])")


def _encoded(text: str) -> Iterator[Secret]:
    """A secret in base64 is one still."""
    for match in BASE64.finditer(text):
        whole = match[0] + "=" * (-len(match[0]) % 4)
        try:
            inside = base64.b64decode(whole, validate=True).decode("ascii")
        except (ValueError, UnicodeDecodeError):
            continue
        if BEGIN.search(inside) or CREDENTIALS.match(inside) or (inside.isprintable() and next(_found(inside), None)):
            yield Secret(match[0], "base64 of a secret")


BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
KEY_LINE = re.compile(r"[A-Za-z0-9+/=:, -]{16,100}")


def _private_keys(text: str) -> Iterator[Secret]:
    """From its beginning to its end; where one of them was cut away, what is left of it."""
    at = 0
    first_end = END.search(text)
    while begin := BEGIN.search(text, at):
        end = END.search(text, begin.end())
        at = end.end() if end else len(text)
        yield Secret(text[begin.start() : at], "private key")
    if first_end and not BEGIN.search(text, 0, first_end.start()):
        before = text[max(0, first_end.start() - 20_000) : first_end.start()].split("\n")[:-1]
        kept = len(before)
        while kept and KEY_LINE.fullmatch(before[kept - 1]):
            kept -= 1
        body = "".join(f"{line}\n" for line in before[kept:])
        yield Secret(body + first_end.group(), "private key")


LONGEST_ROW = 2_000
RULED = re.compile(r"[-+=:|│─┼━┿╇ ]{1,2000}")


def _in_tables(text: str, lowered: str) -> Iterator[Secret]:
    """What stands below a column's name, in the rows that follow; a comma, tab, semicolon or bar parts the cells."""
    if not any(name in lowered for name in ("password", "secret", "token", "key")):
        return
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        header = _unbarred(lines[at])
        at += 1
        mark = next((mark for mark in "|│,\t;" if mark in header), "")
        if not mark or len(header) > LONGEST_ROW:
            continue
        cells = [cell.strip().strip('"') for cell in header.split(mark)]
        columns = [n for n, cell in enumerate(cells) if len(cell) < 40 and is_named_so(cell.replace(" ", "_"))]
        if not columns or not all(
            cell and cell.replace(" ", "").replace("_", "").replace("-", "").isalnum() for cell in cells
        ):
            continue
        while at < len(lines) and len(lines[at]) <= LONGEST_ROW:
            line = _unbarred(lines[at])
            if mark in "|│" and RULED.fullmatch(line):
                at += 1
                continue
            row = [cell.strip("\r ").strip('"') for cell in line.split(mark)]
            if len(row) != len(cells):
                break
            at += 1
            for column in columns:
                if len(row[column]) >= 8 and " " not in row[column] and looks_secret(row[column]):
                    yield Secret(row[column], f"column {cells[column]}")


def _unbarred(line: str) -> str:
    """Without the bars that frame a row."""
    line = line.strip("\r ")
    for bar in "|│":
        line = line.removeprefix(bar).removesuffix(bar)
    return line


def is_named_so(key: str) -> bool:
    """Is this the name of a field that holds a secret? Of a path, the last part."""
    return len(key) <= 200 and KEY.match(key.rpartition("/")[2]) is not None


def looks_secret(value: str, *, quoted: bool = False) -> bool:
    """Behind a name that says so: is it the secret, or only speaks of it?"""
    if len(value) < 4 or STAND_IN.match(value) or FILLED.match(value) or PLACEHOLDER.match(value):
        return False
    if DOCUMENTED.search(value) or PATTERN.search(value):
        return False
    if value.isdigit():
        return len(value) >= 8 or (quoted and len(value) >= 6)
    if quoted:
        return not (KEY.match(value) or SLOT.search(value))
    return not (WORD.match(value) or CODE.search(value))


def _by_rules(text: str, lowered: str) -> Iterator[Secret]:
    for rule in RULES:
        if not any(need in lowered for need in rule.needs):
            continue
        for match in rule.pattern.finditer(text):
            value = next((group for group in match.groups() if group), "")
            if rule.weak:
                if STAND_IN.match(value) or FILLED.match(value):
                    continue
                value = _trimmed(value)
                if " " in value and rule.name not in ("said in quotes", "pass phrase"):
                    continue
                if not _believed(rule.name, match, value):
                    continue
            yield Secret(value, rule.name)


def _trimmed(value: str) -> str:
    value = value.rstrip(".!?:`")
    for opening, closing in ("()", "[]", "{}"):
        while value.endswith(closing) and value.count(opening) < value.count(closing):
            value = value[:-1]
    return value


def _believed(rule: str, match: re.Match[str], value: str) -> bool:
    told = match[0]
    if rule in ALONE:
        return looks_secret(value) and MIXED.match(value) is not None and not _is_prose(value)
    if rule in PLAIN_PASSWORDS:
        return value.lower() not in NO_PASSWORD and not STAND_IN.match(value) and not KEY.match(value)
    if rule == "pass phrase":
        return NO_PASSWORD.isdisjoint(value.split())
    if rule == "said":
        return _is_said(match, value)
    if rule == "said in quotes" and (value[:1] in ",;)" or "=>" in value):
        return False
    if rule == "url password" and f"//{value}:{value}@" in told:
        return False
    if rule == "environment":
        return _is_of_environment(told, value)
    is_word = PLAIN.fullmatch(value) or SHORT_WORD.fullmatch(value)
    if rule == "quoted assignment" and is_word and not PASSWORD.search(told):
        return False
    if rule in ("assignment", "flag"):
        name = re.split(r"[=:\s]", told.strip().lstrip("-"), maxsplit=1)[0]
        if _is_of_a_hash(match):
            return False
        if SHORT_WORD.fullmatch(value) and not PASSWORD.search(told):
            return False
        if "arn:" in match.string[max(0, match.start() - 60) : match.start() + 4].rpartition(" ")[2]:
            return False
        if name.isupper() and "=" in told:
            return (
                len(value) >= 4
                and not STAND_IN.match(value)
                and (not CODE.search(value) or BRACKETED.fullmatch(value) is not None)
                and not value.isdigit()
                and not DOCUMENTED.search(value)
            )
        return looks_secret(value) and (not _is_code(value) or _is_capital_password(told, value))
    return looks_secret(value, quoted=rule in QUOTED)


def _is_of_a_hash(match: re.Match[str]) -> bool:
    return OF_A_HASH.search(match.string[max(0, match.start() - 12) : match.start()]) is not None


def _is_said(match: re.Match[str], value: str) -> bool:
    told = match[0].lower()
    if _is_of_a_hash(match):
        return False
    if told.startswith("key") and (
        len(value) < 12
        or HEX.fullmatch(value)
        or "cache" in match.string[max(0, match.start() - 40) : match.start()].lower()
    ):
        return False
    digits = sum(c.isdigit() for c in value)
    if PASSWORD.match(told) and digits >= 2 and value.isalnum() and len(value) >= 8 and not value.isdigit():
        return looks_secret(value)
    if len(value) < 8 or digits == 0 or _is_prose(value) or not looks_secret(value):
        return False
    return not _is_code(value) or _is_capital_password(told, value)


def _is_of_environment(told: str, value: str) -> bool:
    name = re.split(r"[\"'=:\s]", told, maxsplit=1)[0]
    if NOT_A_SECRET_KEY.search(name) or STAND_IN.match(value) or DOCUMENTED.search(value) or CODE.search(value):
        return False
    if "KEY" in name:
        return len(value) >= 12 and MIXED.match(value) is not None and not _is_prose(value) and "/" not in value[:-3]
    return looks_secret(value, quoted=True) and not value.isdigit()


def _is_prose(value: str) -> bool:
    """Something else that carries a digit: a path, a version, a date, a file's name."""
    return PROSE.fullmatch(value) is not None


def _is_capital_password(told: str, value: str) -> bool:
    """`Pebble.Shore3` reads as a name of the program, but stands for a password more often."""
    return PASSWORD.search(told) is not None and CAPITALS.fullmatch(value) is not None


def _is_code(value: str) -> bool:
    """A name of the program: an attribute, a variable, a type."""
    return IDENTIFIER.fullmatch(value) is not None
