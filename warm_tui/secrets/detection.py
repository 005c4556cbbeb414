"""Find the secrets in a text: by the rules, by vendors' forms, in tables, in base64 and between colours."""

from __future__ import annotations

import base64
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from warm_tui.secrets.forms import TOKEN
from warm_tui.secrets.headings import below_headings
from warm_tui.secrets.names import TELLING, Rule
from warm_tui.secrets.places import Places
from warm_tui.secrets.rules import RULES
from warm_tui.secrets.tables import in_tables
from warm_tui.secrets.values import (
    BRACKETED,
    CODE,
    DOCUMENTED,
    FILLED,
    HEX,
    KEY,
    MIXED,
    NO_PASSWORD,
    NOT_A_SECRET_KEY,
    OTHERS,
    PASSWORD,
    PLACEHOLDER,
    PLAIN,
    PLAIN_WORD,
    SHORT_WORD,
    STAND_IN,
    TEMPLATE,
    is_capital_password,
    is_code,
    is_generated,
    is_key_of_any_name,
    is_password,
    is_prose,
    is_sentence,
    is_typed,
    looks_secret,
)

SEARCHED = 200_000
"""So much of one text is searched; what is behind counts as a secret itself."""
NOT_SEARCHED = f"not searched: behind the first {SEARCHED:,} characters"


class Secret(NamedTuple):
    value: str
    rule: str


QUOTED = {
    "quoted assignment", "url password", "netrc", "pgpass", "element", "user and password", "piped", "short flag",
    "said to the database", "secure string", "said in quotes", "answered prompt", "haproxy",
}  # fmt: skip
PLAIN_PASSWORDS = {"plain password", "password flag"}
ALONE = {"client", "logged in with", "mail login", "password of a document", "quoted setting"}
MASKED = re.compile(r"<secret-[0-9a-f]{8}>")
OF_A_SUM = re.compile(r"(?i)hash|dnskey|public|signature|sha\d|integrity|digest|checksum")
OF_A_HASH = re.compile(r"(?i)(?:checksum|digest|sha\d*|hash)[/_.-]?\Z")
CREDENTIALS = re.compile(r"[\w.@-]{3,60}:(?=[A-Za-z_-]{0,100}\d)[A-Za-z0-9_-]{12,200}\Z")
# As bytes, and as programs write them down.
COLOUR = re.compile(r"(?:\x1b|\\x1b|\\u001b|\\033|\\e|\^\[)\[[0-9;:?]{0,40}[A-Za-z]|\x9b[0-9;:?]{0,40}[A-Za-z]")

# The end of a line, and a frame around it, in what goes on in the next, which holds nothing else.
WRAPPED = re.compile(
    r"(?<![A-Za-z0-9_+/.~-])[A-Za-z0-9_+/.~-]{20,400}([ \t]{0,80}[|│┃║]?[ \t]{0,8}\r?\n[ \t]{0,20}[|│┃║>+]?[ \t]{0,8})"
    r"(?=[A-Za-z_+/.~-]{0,80}\d)(?=[A-Za-z0-9_+/.~-]{4,400}={0,2}[\"']?[ \t]{0,80}[|│┃║]?[ \t]{0,8}\r?(?:\n|\Z))"
)


def find_secrets(text: str, own: Iterable[str] = ()) -> list[Secret]:
    """Each secret of a text once, the longest first. `own` are values known to be secret."""
    rules: dict[str, str] = {value: "the home's .env" for value in own if len(value) >= 6 and value in text}
    if len(text) > SEARCHED:
        rules[text[SEARCHED:]] = NOT_SEARCHED
        text = text[:SEARCHED]
    for value, rule in (
        *_private_keys(text),
        *_found(text),
        *_behind_colours(text),
        *_behind_breaks(text),
        *_encoded(text),
    ):
        if not (PLACEHOLDER.match(value) or (len(value) < 400 and MASKED.search(value))):
            rules.setdefault(value, rule)
    return sorted((Secret(value, rule) for value, rule in rules.items()), key=lambda s: -len(s.value))


def _found(text: str) -> Iterator[Secret]:
    lowered = text.lower()
    yield from _by_rules(text, lowered)
    for match in TOKEN.finditer(text):
        if not (DOCUMENTED.search(match[0]) or OTHERS.search(match[0]) or FILLED.match(match[0])):
            yield Secret(match[0], "vendor token")
    yield from (Secret(value, rule) for value, rule in (*in_tables(text, lowered), *below_headings(text, lowered)))


def _behind_colours(text: str) -> Iterator[Secret]:
    """A colour is no part of a text: it neither begins a word nor ends one, nor does it part one in two.

    Both readings are searched.
    """
    ends = [match.span() for match in COLOUR.finditer(text)]
    if ends:
        joined = _without(text, ends)
        found = {secret.value: secret.rule for secret in _found(joined)}
        yield from (Secret(value, rule) for value, rule in found.items())
        yield from _parted(text, ends, joined, found)
        yield from _found(COLOUR.sub(" ", text))


def _behind_breaks(text: str) -> Iterator[Secret]:
    """Nor is the break that a narrow screen puts into what is too long for one line."""
    ends = [match.span(1) for match in WRAPPED.finditer(text)]
    if ends:
        joined = _without(text, ends)
        yield from _parted(text, ends, joined, {secret.value: secret.rule for secret in _found(joined)})


def _without(text: str, ends: list[tuple[int, int]]) -> str:
    starts = [0, *(end for _, end in ends)]
    return "".join(
        text[start:end] for start, end in zip(starts, [*(start for start, _ in ends), len(text)], strict=True)
    )


def _parted(text: str, ends: list[tuple[int, int]], joined: str, rules: dict[str, str]) -> Iterator[Secret]:
    """The secrets that these parts part, with them, as they stand. `joined` is the text without the parts."""
    pieces = [
        end - start for start, end in zip([0, *(end for _, end in ends)], [start for start, _ in ends], strict=False)
    ]
    # How much longer the coloured text is up to the beginning of each piece.
    begins = [0, *accumulate(pieces)]
    before = [0, *accumulate(end - start for start, end in ends)]
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


LINES_BELOW = 5


def _near_telling_words(text: str, lowered: str) -> str:
    """The lines with a word that tells of secrets, and a few below each: most of a long text says nothing of any."""
    if len(lowered) != len(text) or len(text) < 400:
        return text
    told: list[str] = []
    begin = end = 0
    for match in TELLING.finditer(lowered):
        if match.start() < end:
            continue
        start = text.rfind("\n", end, match.start()) + 1 or end
        if start > end:
            told += [text[begin:end], "\n\0\n"]
            begin = start
        end = match.end()
        for _ in range(LINES_BELOW):
            end = text.find("\n", end) + 1 or len(text)
    told.append(text[begin:end])
    return "".join(told)


WITH_NEEDS = [(rule, frozenset(rule.needs), rule.stays_near) for rule in RULES]
NEEDS = sorted({need for rule in RULES for need in rule.needs})
NEEDS_NEAR = {need for rule in RULES if rule.stays_near for need in rule.needs}
"""Each is looked for once in a text, not once for each rule that asks for it."""


def _by_rules(text: str, lowered: str) -> Iterator[Secret]:
    near = _near_telling_words(text, lowered)
    stand = {need for need in NEEDS if need in lowered}
    lowered_near = lowered if near is text else near.lower()
    stand_near = {need for need in stand & NEEDS_NEAR if need in lowered_near}
    for rule, needs, stays_near in WITH_NEEDS:
        if needs.isdisjoint(stand_near if stays_near else stand):
            continue
        for match in rule.pattern.finditer(near if stays_near else text):
            value = next((group for group in reversed(match.groups()) if group), "")
            if rule.believed is not None:
                value = _trimmed(value.strip())
                if not (STAND_IN.match(value) or FILLED.match(value)) and _is_believed(rule, match, value):
                    yield Secret(value, rule.name)
                continue
            if rule.weak:
                if STAND_IN.match(value) or FILLED.match(value):
                    continue
                value = _trimmed(value)
                if " " in value and rule.name not in ("said in quotes", "pass phrase"):
                    continue
                if not _believed(rule.name, match, value):
                    continue
            elif FILLED.match(value.rpartition("/")[2]) or (
                rule.name == "storage key" and OF_A_SUM.search(_before(match, 60))
            ):
                continue
            yield Secret(value, rule.name)


OF_SOMETHING_ELSE = re.compile(
    r"(?i)public|fingerprint|\bsha\d|integrity|checksum|digest|\bhash|cursor|etag|commit|request|trace|ssh-|ecdsa|certificate"
    r"|cache|version|image|\bids?\b|revision|build|\bpkg|package|arn:|path|file|session id|page|\bkid\b"
)


NO_BEGINNING = re.compile(r"^[ ,;)]|=>")
SAID_TO_BE = re.compile(r"(?:(?:^|\s)(?:is|ist|lautet|est|es|è|to)|:)\s{1,4}[\"'`“(]?\Z")
COMMAND_PARTED = re.compile(r"[|;&]")
TAKES_A_PASSWORD = {
    "k": re.compile(r"\bopenssl\s"),
    "A": re.compile(r"\bsnmp\w{2,9}\s"),
    "X": re.compile(r"\bsnmp\w{2,9}\s"),
}
FOR_A_USER = re.compile(r"\s(?:-[uUl]|--?user(?:name)?|--login)[= ]")
OTHERS_TAKE = re.compile(
    r"(?i)\b(?:mysql\w*|mariadb\w*|sshpass|login|redis-cli|valkey-cli|mongo\w*|ldap\w*|smbclient|7z|unzip|zip|ssh-keygen|cqlsh"
    r"|cypher-shell|mosquitto_\w+|ipmitool|sqlcmd|bcp|knife|altool|notarytool|xcrun|conan|nxc|netexec|rpcclient|clickhouse-client"
    r"|influx|snowsql|bteq|isql|tsql|iredis|kcat|psexec|winexe|wmic|vncviewer|rdesktop|openstack|svn|cadaver|wget|nats|rabbitmqadmin"
    r"|impala-shell|beeline|sqoop|kadmin|kinit|pdftk|qpdf|rar|unrar|couchbase-cli|cbq|arangosh|neo4j-admin|htpasswd)\b"
)


def _is_believed(rule: Rule, match: re.Match[str], value: str) -> bool:
    assert rule.believed is not None
    if rule.name == "key of any name":
        return is_key_of_any_name(match[1], value) and not OF_SOMETHING_ELSE.search(_before(match, 24))
    if rule.name == "beside its name":
        return (
            not OF_SOMETHING_ELSE.search(_before(match, 40) + match["between"])
            and (not HEX.fullmatch(value) or _is_said_to_be(match))
            and is_generated(value)
        )
    if rule.name == "short flag of a program":
        command = COMMAND_PARTED.split(_before(match, 300))[-1]
        takes = TAKES_A_PASSWORD.get(match[0].strip()[1], OTHERS_TAKE)
        return (takes.search(command) is not None and is_password(value)) or (
            takes is OTHERS_TAKE and FOR_A_USER.search(command) is not None and is_typed(value)
        )
    if rule.name == "key of a wallet" and OF_SOMETHING_ELSE.search(_before(match, 40) + match[0].removesuffix(value)):
        return False
    return rule.believed(value)


def _is_said_to_be(match: re.Match[str]) -> bool:
    """A sum of hex stands beside a key oftener than a token does."""
    return SAID_TO_BE.search(match["between"]) is not None and not match[0].lower().startswith("key")


def _before(match: re.Match[str], most: int) -> str:
    """What stands before, on the same line."""
    return match.string[max(0, match.start() - most) : match.start()].rpartition("\n")[2]


def _trimmed(value: str) -> str:
    value = value.rstrip(".!?:`")
    for opening, closing in ("()", "[]", "{}"):
        while value.endswith(closing) and value.count(opening) < value.count(closing):
            value = value[:-1]
    return value


def _believed(rule: str, match: re.Match[str], value: str) -> bool:
    told = match[0]
    if rule == "quoted setting" and PASSWORD.search(told) and PLAIN_WORD.fullmatch(value):
        return is_password(value)
    if rule in ALONE:
        return looks_secret(value) and MIXED.match(value) is not None and not is_prose(value)
    if value.lower() in NO_PASSWORD:
        return False
    if rule == "quoted assignment" and (value[:1] in " " or TEMPLATE.search(value)):
        return False
    if rule in PLAIN_PASSWORDS:
        return not STAND_IN.match(value) and not KEY.match(value)
    if rule == "pass phrase":
        return NO_PASSWORD.isdisjoint(value.split())
    if rule == "said":
        return _is_said(match, value)
    if rule == "said in quotes" and (
        value[:1] in " ,;)" or "=>" in value or TEMPLATE.search(value) or is_sentence(value)
    ):
        return False
    if rule == "secret link" and HEX.fullmatch(value):
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
        return looks_secret(value) and (not is_code(value) or is_capital_password(told, value))
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
    if len(value) < 8 or digits == 0 or is_prose(value) or not looks_secret(value):
        return False
    return not is_code(value) or is_capital_password(told, value)


def _is_of_environment(told: str, value: str) -> bool:
    name = re.split(r"[\"'=:\s]", told, maxsplit=1)[0]
    if NOT_A_SECRET_KEY.search(name) or STAND_IN.match(value) or DOCUMENTED.search(value) or CODE.search(value):
        return False
    if "KEY" in name:
        return len(value) >= 12 and MIXED.match(value) is not None and not is_prose(value) and "/" not in value[:-3]
    return looks_secret(value, quoted=True) and not value.isdigit()
