"""Where secrets stand in a text: a table of rules, each with a name; one more vendor is one more row.

The forms of known vendors come from detect-secrets too. Entropy alone is no rule here: recorded work is full of
hashes and ids, and every one of them would be masked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple


class Secret(NamedTuple):
    value: str
    rule: str


NAME = (
    r"pass(?:word|wd|phrase|code)?|pwd|psk|passwort|kennwort|contraseña|wachtwoord|пароль|密码|パスワード|secret|token|api[_-]?key|apikey|access[_-]?key(?:[_-]?id)?|private[_-]?key"
    r"|client[_-]?secret|secret[_-]?key|secret[_-]?access[_-]?key|account[_-]?key|shared[_-]?access[_-]?key"
    r"|signing[_-]?key|encryption[_-]?key|master[_-]?key|auth[_-]?key|auth(?:orization)?|credentials?|(?:client[_-]?)?key[_-]?data"
    r"|webhook(?:[_-]?url)?|dsn|salt|license[_-]?key|app[_-]?key|storage[_-]?key|service[_-]?key|deploy[_-]?key"
)
NAMED = rf"(?:[A-Za-z0-9]+[_.-])*?[A-Za-z0-9]*(?:{NAME})(?:[_-](?:base|value|\d+))?"
BARE = r"[^\s\"'`,;<>|\\]+"

# How the tokens of vendors look: whose, and the form.
VENDOR_FORMS = (
    ("Anthropic, OpenAI, OpenRouter", r"(?:sk-ant-|sk-proj-|sk-or-|sk-svcacct-|sk-)[A-Za-z0-9_-]{20,}"),
    ("GitHub", r"(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}"),
    ("GitHub", r"github_pat_\w{20,}"),
    ("GitLab", r"gl(?:pat|ptt|rt|dt|soat|cbt)-[\w.-]{16,}"),
    ("Slack", r"xox[abeprs]-[\w-]{10,}"),
    ("Slack", r"xapp-[\w-]{10,}"),
    ("Stripe", r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}"),
    ("Stripe", r"whsec_[A-Za-z0-9+/=]{16,}"),
    ("Google", r"AIza[\w-]{30,}"),
    ("Google", r"ya29\.[\w-]{20,}"),
    ("Google", r"GOCSPX-[\w-]{20,}"),
    ("npm", r"npm_[A-Za-z0-9]{20,}"),
    ("PyPI", r"pypi-[\w-]{20,}"),
    ("Grafana", r"glsa_\w{20,}"),
    ("SendGrid", r"SG\.[\w-]{10,}\.[\w-]{10,}"),
    ("Hugging Face", r"hf_[A-Za-z0-9]{20,}"),
    ("Databricks", r"dapi[a-f0-9]{32}(?:-\d)?"),
    ("DigitalOcean", r"do[opr]_v1_[a-f0-9]{20,}"),
    ("Vault", r"hv[sbr]\.[\w-]{20,}"),
    ("age", r"AGE-SECRET-KEY-1[A-Z0-9]{20,}"),
    ("Linear", r"lin_(?:api|oauth)_[A-Za-z0-9]{20,}"),
    ("Notion", r"ntn_[A-Za-z0-9]{20,}"),
    ("Notion", r"secret_[A-Za-z0-9]{30,}"),
    ("Mailgun", r"key-[a-f0-9]{32}"),
    ("Shopify", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{20,}"),
    ("Docker", r"dckr_pat_[\w-]{16,}"),
    ("Figma", r"figd_[\w-]{20,}"),
    ("Atlassian", r"ATATT3[\w=-]{20,}"),
    ("Tailscale", r"tskey-[\w-]{16,}"),
    ("AWS", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    ("Square", r"sq0[a-z]{3}-[\w-]{20,}"),
    ("Facebook", r"EAA[A-Za-z0-9]{30,}"),
    ("Netlify", r"nfp_\w{20,}"),
    ("Replicate", r"r8_\w{30,}"),
    ("Groq", r"gsk_\w{20,}"),
    ("Perplexity", r"pplx-\w{20,}"),
    ("xAI", r"xai-\w{20,}"),
    ("PASETO", r"v2\.local\.[\w-]{20,}"),
    ("JWT", r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]+)?"),
    ("Telegram", r"\d{8,10}:AA[\w-]{32,}"),
)
FORMS = [form for _, form in VENDOR_FORMS]

# One group, the secret. `weak` ones say little by themselves: their value must look like a secret.
RULES: tuple[tuple[str, str, bool], ...] = (
    ("private key", r"(-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z))", False),
    ("authorization", r"(?i)\b(?:proxy-)?authorization[\"']?\s*[:=]\s*[\"']?(?:[a-z][\w-]*\s+)?([^\s\"',;]{6,})", True),
    ("bearer", r"(?i)\bbearer[ :]+[\"']?([A-Za-z0-9._~+/=-]{8,})", True),
    ("basic", r"\b[Bb]asic ([A-Za-z0-9+/]{8,}={0,2})(?![\w])", True),
    ("key header", r"(?i)(?:\b|[\"'])(?:x-[\w-]*(?:key|token|secret|auth)[\w-]*|(?:private|deploy|job|api|auth|access)-(?:token|key)|apikey)[\"']?\s*:\s*[\"']?([^\s\"',;]{6,})", True),
    ("cookie", r"(?i)\b(?:set-)?cookie[\"']?\s*:\s*[\"']?[^\r\n\"']*?\b[\w.-]*(?:sess|sid|token|auth|jwt|csrf|remember)[\w.-]*=([^\s;\"']{6,})", True),
    ("cookie value", r"(?i)\b(?:session(?:id)?|sid|connect\.sid|phpsessid|jsessionid|auth_token|remember_token|csrftoken)=([^\s;\"'&]{12,})", True),
    ("url password", r"\b[a-z][a-z0-9+.-]*://[^\s/:@\"'<>]*:([^\s@\"'<>]+)@", True),
    ("url token", r"\b(?:https?|git|ssh)://([A-Za-z0-9_\-]{16,})@", True),
    ("query", r"(?i)[?&](?:[\w-]*(?:key|token|secret|password|passwd|pwd|auth)|sig|signature|x-amz-(?:signature|credential|security-token)|code)=([^&\s\"'#<>]{6,})", True),
    ("quoted assignment", rf"(?i)(?<![A-Za-z0-9]){NAMED}[\"']?\]?(?:\s*:\s*\w[\w\[\]| ]*(?==|\s=))?\s*(?::=|=>|=|:|,)\s*(?:[\w\[\].]*\()?(?:[a-z]{{0,2}})(?:\"([^\"\n]{{4,}})\"|'([^'\n]{{4,}})')", True),
    ("element", rf"(?i)<{NAMED}>([^<\n]{{4,}})</", True),
    ("setting", rf"(?i)(?<![A-Za-z0-9]){NAMED}[ \t]+((?=[^\s]*\d)(?=[^\s]*[A-Za-z])[A-Za-z0-9+/=_-]{{20,}})", True),
    ("user and password", r"(?i)\bauth\s*=\s*\(\s*[\"'][^\"'\n]*[\"']\s*,\s*[\"']([^\"'\n]{4,})[\"']", True),
    ("piped", r"\becho\s+(?:-n\s+)?[\"']?(?:[\w.-]+:)?([^\s\"'|$]{4,})[\"']?\s*\|[^|\n]*(?:sudo\s+(?:-\w+\s+)*-\w*S|--[\w-]*stdin|chpasswd)", True),
    ("said to the database", r"(?i)\b(?:identified\s+(?:with\s+\w+\s+)?(?:by|as)|password)\s+'([^'\n]{4,})'", True),
    ("secure string", r"(?i)ConvertTo-SecureString\s+(?:-String\s+)?[\"']([^\"'\n]{4,})[\"']", True),
    ("pass phrase argument", r"\bpass:([^\s\"']{4,})", True),
    ("assignment", rf"(?i)(?<![A-Za-z0-9$]){NAMED}[\"']?\s*(?:=|:)[ \t]*({BARE})", True),
    ("flag", rf"(?i)(?:^|\s)--?{NAMED}(?:=|\s+)[\"']?({BARE})", True),
    ("user and password", r"(?:^|\s)(?:-u|--user|--proxy-user)[= ]?[\"']?[^\s:\"'$]+:([^\s\"']+)", True),
    ("short flag", r"\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass|docker login|az login|redis-cli|mongo|mongosh|ldapsearch|smbclient|7z|unzip|zip|ssh-keygen)\b[^\n|;&]*?\s-(?:p|a|w|P|N)\s?[\"']?([^\s\"'-][^\s\"']{3,})", True),
    ("netrc", r"\blogin\s+\S+\s+password\s+(\S+)", True),
    ("pgpass", r"(?m)^[\w.*-]+:(?:\d{2,5}|\*):[^:\s]+:[^:\s]+:([^\s:]+)$", True),
    ("password hash", r"(\$(?:2[abxy]|[156y]|apr1|argon2(?:id?|d)|scrypt|pbkdf2[\w-]*)\$[A-Za-z0-9./$,=+-]{16,})", False),
    ("pbkdf2 hash", r"\b(pbkdf2_sha\d+\$\d+\$[A-Za-z0-9+/=$]{20,})", False),
    ("said in quotes", r"(?i)\b(?:password|passphrase|passcode|pin|passwort|kennwort|contraseña|mot de passe)(?: [\w@.-]+){0,5}?\s*(?::|=|\bis|\bto|\bwas|\blautet|\bist|\best|\bes)\s+[\"'`“]([^\"'`”\n]{6,})[\"'`”]", True),
    ("said", r"(?i)(?<!public )\b(?:passwor[dt]|pw|kennwort|contraseña|mot de passe|wachtwoord|пароль|密码|パスワード|passphrase|passcode|pass|token|secret|api[ -]?key|key|pin|credentials?)(?: (?:for|of|to) [\w@.-]+(?: [\w@.-]+)?)?(?:\s+(?:is|was|are|set to|be|should be|now|will be|lautet|ist|est|es|это|是|は))*\s*[:=]?\s+[\"'`“]?([^\s\"'`”,;]{6,})", True),
    ("vendor token", rf"(?<![A-Za-z0-9])({'|'.join(FORMS)})", False),
    ("webhook", r"(https://(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks|[\w.-]*\.webhook\.office\.com)/[\w./@-]{10,})", False),
)  # fmt: skip
PATTERNS = tuple((name, re.compile(rule), weak) for name, rule, weak in RULES)
KEY = re.compile(rf"(?i)^{NAMED}$")

VENDORS = (
    ("aws", "AWSKeyDetector"), ("azure_storage_key", "AzureStorageKeyDetector"), ("cloudant", "CloudantDetector"),
    ("discord", "DiscordBotTokenDetector"), ("github_token", "GitHubTokenDetector"),
    ("gitlab_token", "GitLabTokenDetector"), ("jwt", "JwtTokenDetector"), ("mailchimp", "MailchimpDetector"),
    ("npm", "NpmDetector"), ("openai", "OpenAIDetector"), ("pypi_token", "PypiTokenDetector"),
    ("sendgrid", "SendGridDetector"), ("slack", "SlackDetector"), ("square_oauth", "SquareOAuthDetector"),
    ("stripe", "StripeDetector"), ("telegram_token", "TelegramBotTokenDetector"), ("twilio", "TwilioKeyDetector"),
)  # fmt: skip

PLACEHOLDER = re.compile(r"^<secret-[0-9a-f]{6,}>")
# What stands for a secret without being one: a variable, a question, a call, a star.
STAND_IN = re.compile(
    r"(?i)^(?:[$<{%*\[(]|\.{2,}|x{3,}$|your|my[_-]|example|changeme$|change[_-]me|placeholder|redacted|masked|hidden|dummy|none$|null$"
    r"|nil$|true$|false$|undefined$|string$|str\b|int\b|bool\b|bytes\b|optional|required|missing|invalid|expired|empty|secretref|vault:"
    r"|env[.:\[(]|os\.|process\.|self\.|this\.|config\.|settings\.|request\.|response\.|args\.|ctx\.|var\.|secrets\.|data\.|local\."
    r"|https?://[^@]*$|/|\./|~/|-{1,2}[a-z])|\$\{|\$\(|\}\}|\*{3,}|…|\.\.\."
)
# What no secret that stands bare has in it: it is a piece of a program.
SLOT = re.compile(r"\{\w*\}")
CODE = re.compile(r"[(\[{]|^=")
WORD = re.compile(r"^[A-Za-z][a-z]*(?:[_.-][A-Za-z]?[a-z]+)*[.!?:]*$|^[a-z]+(?:[A-Z][a-z]+)+$|^[A-Z_]+$")


PROSE = re.compile(r"v?\d+(?:[.:/-]\d+)*\w{0,3}|[\w./-]+\.[a-z]{1,5}\d?(?::\d+)?|[a-z_]+\d*\(?\)?")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[a-z_]+\d?|[A-Z][A-Za-z]*|&?[a-z_]+\)*")

QUOTED = {
    "quoted assignment", "url password", "netrc", "pgpass", "element", "user and password", "piped", "short flag",
    "said to the database", "secure string", "said in quotes",
}  # fmt: skip


def find_secrets(text: str, own: Iterable[str] = ()) -> list[Secret]:
    """Each secret of a text once, the longest first. `own` are values known to be secret."""
    found: dict[str, str] = {value: "the home's .env" for value in own if len(value) >= 6 and value in text}
    for value, rule in (*_by_rules(text), *_by_vendors(text)):
        if not PLACEHOLDER.match(value):
            found.setdefault(value, rule)
    return sorted((Secret(value, rule) for value, rule in found.items()), key=lambda s: -len(s.value))


def is_named_so(key: str) -> bool:
    """Is this the name of a field that holds a secret?"""
    return KEY.match(key) is not None


def looks_secret(value: str, *, quoted: bool = False) -> bool:
    """Behind a name that says so: is it the secret, or only speaks of it?"""
    if len(value) < 4 or STAND_IN.search(value) or PLACEHOLDER.match(value):
        return False
    if value.isdigit():
        return len(value) >= 8
    if quoted:
        return not (KEY.match(value) or SLOT.search(value))
    return not (WORD.match(value) or CODE.search(value))


def _by_rules(text: str) -> Iterator[Secret]:
    for name, pattern, weak in PATTERNS:
        for match in pattern.finditer(text):
            value = next((group for group in match.groups() if group), "")
            if weak:
                value = _trimmed(value)
                if " " in value and name != "said in quotes":
                    continue
                if not _believed(name, match.group(0), value):
                    continue
            yield Secret(value, name)


def _trimmed(value: str) -> str:
    value = value.rstrip(".!?:")
    for opening, closing in ("()", "[]", "{}"):
        while value.endswith(closing) and value.count(opening) < value.count(closing):
            value = value[:-1]
    return value


def _believed(rule: str, match: str, value: str) -> bool:
    if rule == "said":
        return looks_secret(value) and len(value) >= 8 and any(c.isdigit() for c in value) and not _is_prose(value)
    if rule in ("assignment", "flag"):
        name = re.split(r"[=:\s]", match.strip().lstrip("-"), maxsplit=1)[0]
        environment = name.isupper() and "=" in match
        if environment:
            return len(value) >= 4 and not STAND_IN.search(value) and not CODE.search(value) and not value.isdigit()
        return looks_secret(value) and not _is_code(value)
    return looks_secret(value, quoted=rule in QUOTED)


def _is_prose(value: str) -> bool:
    """Something else that carries a digit: a path, a version, a date, a file's name."""
    return (
        re.fullmatch(r"v?\d+(?:[.:/-]\d+)*\w{0,3}|[\w./-]+\.[a-z]{1,5}\d?(?::\d+)?|[a-z_]+\d*\(?\)?", value) is not None
    )


def _is_code(value: str) -> bool:
    """A name of the program: an attribute, a variable, a type."""
    return IDENTIFIER.fullmatch(value) is not None


@cache
def _vendors() -> list[Any]:
    from importlib import import_module

    found = []
    for module, name in VENDORS:
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name, None)
        if detector is not None:
            found.append(detector())
    return found


def _by_vendors(text: str) -> Iterator[Secret]:
    for detector in _vendors():
        for line in text.splitlines():
            for value in detector.analyze_string(line):
                if isinstance(value, str) and len(value) >= 8 and not STAND_IN.search(value):
                    yield Secret(value, detector.secret_type)
