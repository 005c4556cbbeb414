"""The names that secrets go by, and what a rule is."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

NAME = (
    r"(?<!com)(?<!mini)(?<!by)(?<!all)pass(?:[_-]?(?:word|wd|phrase|code))?|pwd|psk(?:[_-]?key)?|passwort|kennwort|contraseña|wachtwoord|пароль|密码|パスワード|senha|hasło|heslo|lösenord(?:et)?|salasana|adgangskode[nr]?|passord(?:et)?|jelszó|şifre(?:si)?|mật khẩu|kata sandi|비밀번호|密碼|口令|暗証番号|κωδικός|סיסמה|كلمة المرور|secret|token|api[_-]?key|apikey|access[_-]?key(?:[_-]?id)?|private[_-]?key(?:[_-]?id)?"
    r"|client[_-]?secret|secret[_-]?(?:key|id)|secret[_-]?access[_-]?key|account[_-]?key|shared[_-]?access[_-]?key"
    r"|signing[_-]?key|encryption[_-]?key|master[_-]?key|auth[_-]?key|auth(?:orization|_?tok)?|credentials?|(?:client[_-]?)?key[_-]?data"
    r"|webhook(?:[_-]?url)?|dsn|salt|license[_-]?key|app[_-]?key|storage[_-]?key|service[_-]?key|deploy[_-]?key|fernet[_-]?key|jwt[_-]?key|unseal[_-]?key"
    r"|(?:root|bind|user|db|admin)[_-]?pw|passkey|mnemonic|(?:pre[_-]?)?shared[_-]?key|session[_-]?key|server[_-]?key|application[_-]?key|write[_-]?key|integration[_-]?key|(?:crypt|cipher|hmac|crypto|enc)[_-]?key"
)
PASSWORD_NAME = r"(?<!com)(?<!mini)(?<!by)(?<!all)pass(?:[_-]?(?:word|wd|phrase|code))?|pwd|psk|pw|passwort|kennwort|contraseña|wachtwoord|пароль|密码|パスワード|senha|hasło|heslo|lösenord(?:et)?|salasana|adgangskode[nr]?|passord(?:et)?|jelszó|şifre(?:si)?|mật khẩu|kata sandi|비밀번호|密碼|口令|暗証番号|κωδικός|סיסמה|كلمة المرور"
# What stands before is bounded, and begins where a name does: else a long line of dots takes for ever.
NAMED = rf"(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]{{0,60}}?(?:{NAME})(?:[_-]?(?:base|value|string|plain|text|confirm(?:ation)?|repeat)|[_-]\d{{1,4}}|(?<!auth)\d)?"
FLAGGED = rf"[A-Za-z0-9_.-]{{0,60}}?(?:{NAME})(?:[_-]?(?:base|value|string|plain|text|confirm(?:ation)?|repeat)|[_-]\d{{1,4}}|(?<!auth)\d)?"
BARE = r"[^\s\"'`,;<>|\\]{1,400}"
SAID = r"passwor[dt]|pw|kennwort|contraseña|mot de passe|wachtwoord|пароль|密码|パスワード|senha|hasło|heslo|lösenord(?:et)?|salasana|adgangskode[nr]?|passord(?:et)?|jelszó|şifre(?:si)?|mật khẩu|kata sandi|비밀번호|密碼|口令|暗証番号|κωδικός|סיסמה|كلمة المرور|passphrase|passcode|pass|token|secret|api[ -]?key|key|pin|credentials?"

# Names of the environment that end on a word which says little by itself: STRIPE_KEY, GH_PAT, DB_PW.
SHORT_NAMED = r"(?<![A-Za-z0-9_])(?:[A-Z][A-Z0-9]{0,30}_){1,6}(?:KEYS?|PAT|PW|PASS|PSW|CREDS?|PASSWD)(?:_\d)?"

# A call that is given the name of a secret, and not the secret.
LOOKS_UP = r"[\w.:>-]{0,40}?(?:get|env|pop|find|look|fetch|read|load|open|input|prompt|ask|select|query|join|column|field|param|header)\w{0,20}"
REST_OF_A_SENTENCE = r"[ \t]{1,4}[^\W\d]{1,20}(?:['’][^\W\d]|[?!.](?:\s|$)|(?:[ \t][^\W\d]{1,20}){2})"

PASSWORD_NAMES = (
    "pass",
    "pwd",
    "psk",
    "pw",
    "wort",
    "contrase",
    "wachtwoord",
    "пароль",
    "密码",
    "パスワード",
    "senha",
    "hasł",
    "heslo",
    "lösen",
    "salasana",
    "adgang",
    "şifre",
    "비밀번호",
    "passord",
    "jelsz",
    "khẩu",
    "sandi",
    "密碼",
    "口令",
    "暗証",
    "κωδικ",
    "סיסמ",
    "المرور",
)
NAMES = (*PASSWORD_NAMES, "secret", "token", "key", "auth", "credential", "webhook", "dsn", "salt")


# What the sentences of people say; a text that holds none of them says nothing of a secret.
NEEDS_PASSWORD = (
    *PASSWORD_NAMES, "kennw", "clave", "mot de", "mdp", "code d", "parol", "chiave", "парол", "key",
)  # fmt: skip
NEEDS_TOKEN = ("key", "token", "secret", "jeton", "clé", "schlüssel", "chiave", "llave", "clave", "credential", "jwt", "bearer", "pat")  # fmt: skip
ESCAPED_QUOTES = ('\\"', "\\'", "&quot;", "&#3", "&apos;", "%22", "u002")
SHORT_WORDS = ("pin", "pat", "sas")
"""They stand in many others."""
TELLING_WORDS = frozenset((*NAMES, *NEEDS_PASSWORD, *NEEDS_TOKEN, "mot de passe", "wacht", "signature", *SHORT_WORDS))
TELLING = re.compile(
    "|".join(
        [
            *sorted(map(re.escape, TELLING_WORDS.difference(SHORT_WORDS))),
            rf"(?<![a-z])(?:{'|'.join(SHORT_WORDS)})(?![a-z])",
        ]
    )
)


class Rule(NamedTuple):
    """One group is the secret. A `weak` one says little by itself: its value must look like a secret.

    `needs`: strings, in lower case, of which one stands in every text that it finds something in; for speed.
    `believed`: what the value must be, where the rule has a mind of its own.
    `example`: a text that it finds something in, the secret between the marks « and ».
    """

    name: str
    pattern: re.Pattern[str]
    needs: tuple[str, ...]
    weak: bool = True
    believed: Callable[[str], bool] | None = None
    example: str = ""

    @property
    def stays_near(self) -> bool:
        """Does all that it spans stand in the line of a telling word, or a few lines below it?"""
        return set(self.needs) <= TELLING_WORDS.union(ESCAPED_QUOTES)


def row(name: str, pattern: str, *needs: str, is_one: Callable[[str], bool], example: str) -> Rule:
    """A rule that says what its value must be."""
    return Rule(name, re.compile(pattern), needs, True, is_one, example)
