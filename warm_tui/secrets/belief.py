"""Is it the secret that a rule found in a text, by what stands around it?"""

from __future__ import annotations

import base64
import re

from warm_tui.secrets.names import Rule
from warm_tui.secrets.values import (
    BRACKETED,
    CAMEL,
    CODE,
    DOCUMENTED,
    FILLED,
    HEX,
    KEY,
    MIXED,
    NO_PASSWORD,
    NOT_A_SECRET_KEY,
    OF_A_PAGE,
    PASSWORD,
    PUBLIC,
    SHORT_WORD,
    STAND_IN,
    SYMBOL,
    TEMPLATE,
    WORDS_JOINED,
    is_capital_password,
    is_chosen,
    is_code,
    is_generated,
    is_key_of_any_name,
    is_label,
    is_password,
    is_prose,
    is_sentence,
    is_typed,
    is_unsayable,
    looks_secret,
)

QUOTED = {
    "quoted assignment", "url password", "netrc", "pgpass", "element", "user and password", "piped", "short flag",
    "said to the database", "secure string", "said in quotes", "answered prompt", "haproxy",
}  # fmt: skip
PLAIN_PASSWORDS = {"plain password", "password flag"}
ALONE = {"client", "logged in with", "mail login", "password of a document"}
OF_A_SUM = re.compile(r"(?i)hash|dnskey|public|signature|sha\d|integrity|digest|checksum")
OF_A_HASH = re.compile(r"(?i)(?:checksum|digest|sha\d*|hash)[/_.-]?\Z")


OF_SOMETHING_ELSE = re.compile(
    r"(?i)public|fingerprint|\bsha\d|integrity|checksum|digest|\bhash|cursor|etag|commit|request|trace|ssh-|ecdsa|certificate"
    r"|cache|version|image|\bids?\b|revision|build|\bpkg|package|arn:|path|file|session id|page|\bkid\b"
)


IN_A_LIST = re.compile(r"[,(][ \t]*\w{0,2}[\"']\Z")
NAME_AND_VALUE = re.compile(r"\w+=")
NO_BEGINNING = re.compile(r"^[ ,;)]|=>|^[a-z]+(?:[A-Z][a-z]+)+\Z")
SAID_TO_BE = re.compile(r"(?:(?:^|\s)(?:is|ist|lautet|est|es|è|to)|:)\s{1,4}[\"'`“(]?\Z")
COMMAND_PARTED = re.compile(r"[|;&]")
TAKES_A_PASSWORD = {
    "c": re.compile(r"\bsnmp\w{2,9}\s"),
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


def value_of(rule: Rule, match: re.Match[str]) -> str | None:
    """The secret that a rule found, or None where what it found is none."""
    value = next((group for group in reversed(match.groups()) if group), "")
    if OF_A_PAGE.search(match[0].removesuffix(value)):
        return None
    if rule.believed is not None:
        value = _trimmed(value.strip())
        believed = not (STAND_IN.match(value) or FILLED.match(value)) and _is_believed(rule, match, value)
        return value if believed else None
    if not rule.weak:
        is_sum = rule.name == "storage key" and OF_A_SUM.search(_before(match, 60)) is not None
        return None if is_sum or FILLED.match(value.rpartition("/")[2]) else value
    if STAND_IN.match(value) or FILLED.match(value):
        return None
    value = _trimmed(value)
    if " " in value and rule.name not in ("said in quotes", "pass phrase"):
        return None
    return value if _believed(rule.name, match, value) else None


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
        if takes is not OTHERS_TAKE and match[0].strip()[2].isalnum():
            return False
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
    """Without what ends a sentence, and without brackets that were opened before it."""
    value = value.rstrip(".,;!?:`")
    while value and (opening := BRACKETS.get(value[-1])) and value.count(value[-1]) > value.count(opening):
        value = value[:-1]
    return value


BRACKETS = {")": "(", "]": "[", "}": "{"}


def _believed(rule: str, match: re.Match[str], value: str) -> bool:
    told = match[0]
    if rule == "quoted setting":
        return is_chosen(value) if PASSWORD.search(told) else is_generated(value)
    if rule in ALONE:
        return looks_secret(value) and MIXED.match(value) is not None and not is_prose(value)
    if value.lower() in NO_PASSWORD:
        return False
    if rule == "quoted assignment" and (value[:1] in " " or TEMPLATE.search(value)):
        return False
    if rule == "quoted assignment" and IN_A_LIST.search(told.removesuffix(f"{value}{told[-1]}")):
        return is_chosen(value) or is_generated(value) or SYMBOL.search(value) is not None
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
    is_words = WORDS_JOINED.fullmatch(value) is not None and not is_unsayable(value)
    if rule == "quoted assignment" and (is_words or SHORT_WORD.fullmatch(value)) and not PASSWORD.search(told):
        return False
    if rule == "quoted assignment" and is_label(told.removesuffix(value), value):
        return False
    if rule == "basic":
        return _is_login(value)
    if rule in ("assignment", "flag"):
        return _is_assigned(match, value)
    return looks_secret(value, quoted=rule in QUOTED)


def _is_assigned(match: re.Match[str], value: str) -> bool:
    """A bare value behind a name and its sign: `api_key=…`, `--token …`."""
    told = match[0]
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
            and not value.endswith(name)
            and (PASSWORD.search(told) is not None or WORDS_JOINED.fullmatch(value) is None)
            and not DOCUMENTED.search(value)
        )
    if not PASSWORD.search(told) and CAMEL.fullmatch(value):
        return False
    return looks_secret(value) and (not is_code(value) or is_capital_password(told, value))


def _is_login(value: str) -> bool:
    """In base64, a user and a password; or what no word is."""
    try:
        return b":" in base64.b64decode(value + "=" * (-len(value) % 4))
    except ValueError:
        return is_generated(value)


def _is_of_a_hash(match: re.Match[str]) -> bool:
    return OF_A_HASH.search(match.string[max(0, match.start() - 12) : match.start()]) is not None


def _is_said(match: re.Match[str], value: str) -> bool:
    told = match[0].lower()
    if _is_of_a_hash(match) or PUBLIC.match(value) or (told.startswith("pass") and NAME_AND_VALUE.match(value)):
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
