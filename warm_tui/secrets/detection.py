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
# What stands before is bounded, and begins where a name does: else a long line of dots takes for ever.
NAMED = rf"(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]{{0,60}}?(?:{NAME})(?:[_-](?:base|value|\d{{1,4}}))?"
FLAGGED = rf"[A-Za-z0-9_.-]{{0,60}}?(?:{NAME})(?:[_-](?:base|value|\d{{1,4}}))?"
BARE = r"[^\s\"'`,;<>|\\]{1,400}"

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
    ("JWT", r"(?<![\w-])eyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}(?:\.[\w-]{1,2000})?"),
    ("Telegram", r"\d{8,10}:AA[\w-]{32,}"),
)
FORMS = [form for _, form in VENDOR_FORMS]

# One group, the secret. `weak` ones say little by themselves: their value must look like a secret.
RULES: tuple[tuple[str, str, bool], ...] = (
    ("authorization", r"(?i)\b(?:proxy-)?authorization[\"']?\s*[:=]\s*[\"']?(?:[a-z][\w-]*\s+)?([^\s\"',;]{6,})", True),
    ("bearer", r"(?i)\bbearer[ :]+[\"']?([A-Za-z0-9._~+/=-]{8,})", True),
    ("basic", r"\b[Bb]asic ([A-Za-z0-9+/]{8,}={0,2})(?![\w])", True),
    ("key header", r"(?i)(?:\b|[\"'])(?:x-[\w-]{0,40}?(?:key|token|secret|auth)[\w-]{0,40}|(?:private|deploy|job|api|auth|access)-(?:token|key)|apikey)[\"']?\s*:\s*[\"']?([^\s\"',;]{6,})", True),
    ("cookie", r"(?i)\b(?:set-)?cookie[\"']?\s*:\s*[\"']?[^\r\n\"']{0,120}?\b[\w.-]{0,40}?(?:sess|sid|token|auth|jwt|csrf|remember)[\w.-]{0,40}=([^\s;\"']{6,})", True),
    ("cookie value", r"(?i)\b(?:session(?:id)?|sid|connect\.sid|phpsessid|jsessionid|auth_token|remember_token|csrftoken)=([^\s;\"'&]{12,})", True),
    ("url password", r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,20}://[^\s/:@\"'<>]{0,100}:([^\s@/\"'<>]{1,200}(?:@[^\s@/\"'<>:]{1,60}(?=@))?)@", True),
    ("url token", r"\b(?:https?|git|ssh)://([A-Za-z0-9_\-]{16,})@", True),
    ("query", r"(?i)[?&](?:[\w-]{0,40}?(?:key|token|secret|password|passwd|pwd|auth)|sig|signature|x-amz-(?:signature|credential|security-token)|code)=([^&\s\"'#<>]{6,})", True),
    ("quoted assignment", rf"(?i){NAMED}[\"']?\]?(?:\s*:\s*\w[\w\[\]| ]*(?==|\s=))?\s*(?::=|=>|=|:|,)\s*(?:[\w\[\].]*\()?(?:[a-z]{{0,2}})(?:\"([^\"\n]{{4,}})\"|'([^'\n]{{4,}})')", True),
    ("element", rf"(?i)<{FLAGGED}>([^<\n]{{4,}})</", True),
    ("setting", rf"(?i){NAMED}[ \t]+((?=[^\s]*\d)(?=[^\s]*[A-Za-z])[A-Za-z0-9+/=_-]{{20,}})", True),
    ("user and password", r"(?i)\bauth\s*=\s*\(\s*[\"'][^\"'\n]*[\"']\s*,\s*[\"']([^\"'\n]{4,})[\"']", True),
    ("piped", r"\becho\s+(?:-n\s+)?[\"']?(?:[\w.-]+:)?([^\s\"'|$]{4,})[\"']?\s*\|[^|\n]{0,100}?(?:sudo\s+(?:-\w{1,9}\s+){0,3}-\w{0,9}S|--[\w-]{0,20}stdin|chpasswd)", True),
    ("said to the database", r"(?i)\b(?:identified\s+(?:with\s+\w+\s+)?(?:by|as)|password)\s+'([^'\n]{4,})'", True),
    ("secure string", r"(?i)ConvertTo-SecureString\s+(?:-String\s+)?[\"']([^\"'\n]{4,})[\"']", True),
    ("pass phrase argument", r"\bpass:([^\s\"']{4,})", True),
    ("assignment", rf"(?i)(?<!\$){NAMED}[\"']?\s*(?:=|:)[ \t]*({BARE})", True),
    ("flag", rf"(?i)(?:^|\s)--?{FLAGGED}(?:=|\s+)[\"']?({BARE})", True),
    ("user and password", r"(?:^|\s)(?:-u|--user|--proxy-user)[= ]?[\"']?[^\s:\"'$]+:([^\s\"']+)", True),
    ("short flag", r"\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass|docker login|az login|redis-cli|mongo|mongosh|ldapsearch|smbclient|7z|unzip|zip|ssh-keygen)\b[^\n|;&]{0,200}?\s-(?:p|a|w|P|N)\s?[\"']?([^\s\"'-][^\s\"']{3,})", True),
    ("netrc", r"\blogin\s+\S+\s+password\s+(\S+)", True),
    ("pgpass", r"(?m)^[\w.*-]+:(?:\d{2,5}|\*):[^:\s]+:[^:\s]+:([^\s:]+)$", True),
    ("password hash", r"(\$(?:2[abxy]|[156y]|apr1|argon2(?:id?|d)|scrypt|pbkdf2[\w-]*)\$[A-Za-z0-9./$,=+-]{16,})", False),
    ("pbkdf2 hash", r"\b(pbkdf2_sha\d+\$\d+\$[A-Za-z0-9+/=$]{20,})", False),
    ("said in quotes", r"(?i)\b(?:password|passphrase|passcode|pin|passwort|kennwort|contraseña|mot de passe)(?: [\w@.-]+){0,5}?\s*(?::|=|\bis|\bto|\bwas|\blautet|\bist|\best|\bes)\s+[\"'`“]([^\"'`”\n]{6,})[\"'`”]", True),
    ("said", r"(?i)(?<!public )\b(?:passwor[dt]|pw|kennwort|contraseña|mot de passe|wachtwoord|пароль|密码|パスワード|passphrase|passcode|pass|token|secret|api[ -]?key|key|pin|credentials?)(?: (?:for|of|to) [\w@.-]+(?: [\w@.-]+)?)?(?:\s+(?:is|was|are|set to|be|should be|now|will be|lautet|ist|est|es|это|是|は))*\s*[:=]?\s+[\"'`“]?([^\s\"'`”,;]{6,})", True),
    ("vendor token", rf"(?<![A-Za-z0-9])({'|'.join(FORMS)})", False),
    ("webhook", r"(https://(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks|(?:[\w-]{1,60}\.)?webhook\.office\.com)/[\w./@-]{10,})", False),
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

LONG_LINE, OVERLAP = 2_000, 300
PLACEHOLDER = re.compile(r"\s*<secret-[0-9a-f]{6,}>\s*\Z")
# What stands for a secret without being one: a variable, a question, a call, a star.
STAND_IN = re.compile(
    r"(?i)(?:\$\{?[\w.:-]+\}?|\$\(.*|\$\{\{.*|<[^<>]*>|\{\{?[^{}]*\}?\}|%[\w-]+%|\[[^\]]*\]|[*x.…•#]{3,}|.{0,4}[*•…]{3,}.{0,4}|.{0,12}\.{3}"
    r"|(?:your|my|the|an?)[_ -][a-z_ -]+|example|changeme|change[_-]me|placeholder|redacted|masked|hidden|dummy|none|null"
    r"|nil|true|false|undefined|string|str|int|bool|bytes|optional|required|missing|invalid|expired|empty|secretref"
    r"|(?:env|os|process|self|this|config|settings|request|response|args|ctx|var|secrets|data|local|vault)[.:\[(][\w.\[\]()'\"/:-]*"
    r"|https?://[^@\s]*|/[\w./-]*|\.{1,2}/[\w./-]*|~/[\w./-]*|-{1,2}[a-z][a-z-]*)\Z"
)
# What no secret that stands bare has in it: it is a piece of a program.
SLOT = re.compile(r"\{\w*\}")
CODE = re.compile(r"[(\[{]|^=")
WORD = re.compile(r"^[A-Za-z][a-z]*(?:[_.-][A-Za-z]?[a-z]+)*[.!?:]*$|^[a-z]+(?:[A-Z][a-z]+)+$|^[A-Z_]+$")


PROSE = re.compile(r"v?\d+(?:[.:/-]\d+)*\w{0,3}|[\w./-]+\.[a-z]{1,5}\d?(?::\d+)?|[a-z_]+\d*\(?\)?")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[a-z_]+\d?|[A-Z][A-Za-z]*|&?[a-z_]+\)*")

# A single word is a password where it is called one; a token or a key looks otherwise.
PLAIN = re.compile(r"[A-Za-z]{1,15}")
PASSWORD = re.compile(r"(?i)pass|pwd|psk|kennwort|contraseña|пароль|密码|パスワード")

QUOTED = {
    "quoted assignment", "url password", "netrc", "pgpass", "element", "user and password", "piped", "short flag",
    "said to the database", "secure string", "said in quotes",
}  # fmt: skip


def find_secrets(text: str, own: Iterable[str] = ()) -> list[Secret]:
    """Each secret of a text once, the longest first. `own` are values known to be secret."""
    rules: dict[str, str] = {value: "the home's .env" for value in own if len(value) >= 6 and value in text}
    hits = [*_private_keys(text)]
    for part in _parts(text):
        hits += (*_by_rules(part), *_by_vendors(part))
    for value, rule in hits:
        if not PLACEHOLDER.match(value):
            rules.setdefault(value, rule)
    return sorted((Secret(value, rule) for value, rule in rules.items()), key=lambda s: -len(s.value))


BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
KEY_LINES = re.compile(r"(?:[A-Za-z0-9+/=:, -]{16,100}\n)+\Z")


def _private_keys(text: str) -> Iterator[Secret]:
    """From its beginning to its end; where one of them was cut away, what is left of it."""
    at = 0
    while begin := BEGIN.search(text, at):
        end = END.search(text, begin.end())
        at = end.end() if end else len(text)
        yield Secret(text[begin.start() : at], "private key")
    end = END.search(text)
    if end and not BEGIN.search(text, 0, end.start()):
        body = KEY_LINES.search(text[max(0, end.start() - 20_000) : end.start()])
        yield Secret((body.group() if body else "") + end.group(), "private key")


def _parts(text: str) -> Iterator[str]:
    """The text; very long lines in pieces that overlap, since some detectors take the square of a line's length."""
    if len(text) <= LONG_LINE or all(len(line) <= LONG_LINE for line in text.split("\n")):
        yield text
        return
    for line in text.split("\n"):
        yield line[:LONG_LINE]
        for at in range(LONG_LINE - OVERLAP, len(line) - OVERLAP, LONG_LINE - OVERLAP):
            yield line[at : at + LONG_LINE]


def is_named_so(key: str) -> bool:
    """Is this the name of a field that holds a secret?"""
    return KEY.match(key) is not None


def looks_secret(value: str, *, quoted: bool = False) -> bool:
    """Behind a name that says so: is it the secret, or only speaks of it?"""
    if len(value) < 4 or STAND_IN.match(value) or PLACEHOLDER.match(value):
        return False
    if value.isdigit():
        return len(value) >= 8 or (quoted and len(value) >= 6)
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
    if rule == "quoted assignment" and PLAIN.fullmatch(value) and not PASSWORD.search(match):
        return False
    if rule in ("assignment", "flag"):
        name = re.split(r"[=:\s]", match.strip().lstrip("-"), maxsplit=1)[0]
        environment = name.isupper() and "=" in match
        if environment:
            return len(value) >= 4 and not STAND_IN.match(value) and not CODE.search(value) and not value.isdigit()
        return looks_secret(value) and not _is_code(value)
    return looks_secret(value, quoted=rule in QUOTED)


def _is_prose(value: str) -> bool:
    """Something else that carries a digit: a path, a version, a date, a file's name."""
    return PROSE.fullmatch(value) is not None


def _is_code(value: str) -> bool:
    """A name of the program: an attribute, a variable, a type."""
    return IDENTIFIER.fullmatch(value) is not None


@cache
def _vendors() -> list[Any]:
    from importlib import import_module

    detectors = []
    for module, name in VENDORS:
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name, None)
        if detector is not None:
            detectors.append(detector())
    return detectors


def _by_vendors(text: str) -> Iterator[Secret]:
    for detector in _vendors():
        for line in text.splitlines():
            for value in detector.analyze_string(line):
                if isinstance(value, str) and len(value) >= 8 and not STAND_IN.match(value):
                    yield Secret(value, detector.secret_type)
