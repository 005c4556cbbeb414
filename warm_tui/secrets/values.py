"""What stands where a secret may: is it one, or does it only speak of one?"""

from __future__ import annotations

import re
from itertools import pairwise

from warm_tui.secrets.names import NAMED, PASSWORD_NAME

KEY = re.compile(rf"(?i)^{NAMED}$")
PASSWORD = re.compile(rf"(?i){PASSWORD_NAME}|shared[_-]?key")
PLACEHOLDER = re.compile(r"\s{0,40}<?secret-[0-9a-f]{6,64}(?:>|\Z)")
# What stands for a secret without being one: a variable, a question, a call, a star.
STAND_IN = re.compile(
    r"(?i)(?:\$\{?[\w.:-]+\}?|\$\{[^{}]*\}|(?:\.{1,2}|[a-z]:)\\[\w.\\-]*|\$\(.*|\$\{\{.*|<[^<>]*>?"
    r"|(?:<[^<>\s]{0,60}>[:@/.-]?){1,6}|[\w -]+>|\{\{?[^{}]*\}?\}"
    r"|%[\w-]+%|\[[^\]]*\]|[*x.…•#]{3,}"
    r"|.{0,4}[*•…]{3,}.{0,4}|.{0,12}(?:\.{3}|…).{0,6}"
    r"|(?:your|my|the|an?)[_ -][a-z_ -]+"
    r"|tests?|testing|foo(?:bar)?|abc(?:123|def)?|(?-i:!{1,2}[A-Za-z][A-Za-z:._-]*)|@[\w.-]{1,60}@|#[0-9a-f]{3,8}|0x[0-9a-f]{1,40}|[ġ▁].{0,40}|Ag[A-D][a-z0-9+/=]{150,}"
    r"|example|change[_-]?me[\w -]*|placeholder|redacted|masked|hidden|dummy"
    r"|none|null|nil|true|false|undefined|string|str|int|bool|bytes|optional|required|missing|invalid|expired|empty|secretref"
    r"|(?:env|os|process|self|this|config|settings|request|response|args|ctx|var|secrets|data|local|vault)"
    r"[.:\[(][\w.\[\]()'\"/:#-]*"
    r"|(?=[a-z_ -]{0,80}(?<![a-z])(?:your|example|replace|placeholder|dummy|fake|sample|insert|here|todo|fixme|mock)"
    r"(?![a-z]))[a-z_ -]+"
    r"|(?-i:[A-Z]+(?:_[A-Z]+)+)|[~^v]?\d+(?::\d+)?(?:\.\d+)+(?:[-+~.]\w+){0,9}|[-+]?\d+(?:\.\d+)?e[-+]\d{1,3}"
    r"|(?:hmac-)?(?:sha\d{1,3}|md5)[:=-][0-9A-Za-z+/=]{16,200}"
    r"|(?-i:[A-Z0-9_-]{0,40}(?:SECRET|TOKEN|PASSWORD|PASSWD|KEY)[A-Z0-9_-]{0,40})"
    r"|https?://[^@\s]*|//\S*"
    r"|(?-i:[a-z][a-z_-]*(?:(?:/[a-z][a-z0-9_-]*)+|/[A-Z][A-Z_]*))|/[\w./-]*|\.{1,2}/[\w./-]*|~/[\w./-]*|[\w.-]+/[\w./-]*\.[a-z]{2,4}|[a-z]+/\d\.\d|[\w.-]+:/[\w./-]*|%[-#0-9.]{0,4}[sdiuxr]\b.*|[a-z_-]{0,12}your[a-z_-]*|-{1,2}[a-z][a-z-]*)\Z"
)
FILLED = re.compile(r"(?i)[\w.-]{0,24}?(?:x{6,400}|0{6,400})\Z")
OTHERS = re.compile(r"[-_]your[A-Z_-]")
# As the documentation of clouds, of payments (its key for tests) and of web tokens (its time of issue) prints them.
DOCUMENTED = re.compile(r"EXAMPLE(?:KEY)?\Z|\Afoobared\Z|4eC39HqLyjWDarjtT1zdp7dc|IjoxNTE2MjM5MDIyf")
# What no secret that stands bare has in it: it is a piece of a program, or a pattern for secrets.
SLOT = re.compile(r"\{\w*\}")
CODE = re.compile(r"[(\[{]|^=")
BRACKETED = re.compile(r"[A-Za-z]{1,40}[(\[{]\w{1,40}[)\]}][\w!#%.-]{0,40}\d")
CAPITALS = re.compile(
    r"(?=\D{0,60}\d)[A-Z]\w{1,40}(?:\.(?!(?:md|py|[jt]sx?|json|ya?ml|mp[34]|h5|7z|html?|sh|txt|log)\Z)\w{1,40}){1,4}"
)
DOTTED = re.compile(r"[a-z]{4,20}\.(?!u?int|b?float|complex|sha|utf)[a-z]{4,20}\d{1,3}")
PATTERN = re.compile(r"\(\?[:i=!P]|\[\^?[A-Za-z0-9]-[A-Za-z0-9]|\\[sdwbS][*+{)\]]|\{\d+,\d*\}|^\.[*+]")
WORD = re.compile(r"^[A-Za-z][a-z]*(?:[_.-](?:[A-Z][a-z]+|[a-z]+))*[.!?:]*$|^[a-z]+(?:[A-Z][a-z]+)+$|^[A-Z_]+$")
PROSE = re.compile(r"v?\d+(?:[.:/-]\d+)*\w{0,3}|[\w./-]+\.[a-z]{1,5}\d?(?::\d+)?|[a-z_]+\d*\(?\)?")
IDENTIFIER = re.compile(
    r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[a-z_]+\d?|[A-Z][A-Za-z]*(?:\d{1,2}(?:Array|Buffer|String))?|&?[a-z_]+\)*|[a-z_]+(?::[\w*-]+)+|[a-z]+\d{0,2}(?:_(?:[a-z]+(?:\d\d(?=_)|\d?)|\d[a-z]))+|\d\.\d:\w+"
)
LABEL = re.compile(r"[^\W\d_]{1,16}(?:[-_. ][^\W\d_]{1,16}){0,9}")
WORDS_JOINED = re.compile(r"[A-Za-z]+(?:[-_. ][A-Za-z]+)*")
CAMEL = re.compile(r"[a-z]*(?:[A-Z][a-z]{2,}\d?|[A-Z]{2,}(?:(?=[A-Z][a-z])|(?![A-Z])\d{0,2}(?![a-z])))+")
# A single word is a password where it is called one; a token or a key looks otherwise.
PLAIN = re.compile(r"[A-Za-z]{1,15}")
MIXED = re.compile(r"(?=.{0,400}\d)(?=.{0,400}[A-Za-z])")
NOT_A_SECRET_KEY = re.compile(
    r"(?:GPG|PGP|SURROGATE|ACCEPT|WEBSOCKET|TRANSLATION|LOOKUP|GROUP|UNIQUE|QUERY|ROUTE|EVENT|ISSUE|PROJECT|LOCALE|MESSAGE|SSH|COMPOSITE|CACHE|PRIMARY|FOREIGN|PUBLIC|PUB|SORT|INDEX|PARTITION|HASH|OBJECT|HOST|ROW|S3|IDEMPOTENCY|STORAGE|DEDUP[A-Z]{0,20})_KEYS?"
)
# Words that stand where a password would, in a program, its manual or a translation of its screens.
NO_PASSWORD = frozenset(
    "string secretstr integer varchar boolean number object unknown optional required value values input output prompt"
    " prompts option options argument parameter field fields hidden hashed hasher encrypted plaintext plain nothing"
    " empty disabled enabled default changeme change example sample invalid incorrect wrong missing expired forgotten"
    " reset password passwords passwort kennwort passphrase secret secrets token tokens username user admin login"
    " authentication authenticated unset undefined element component keychain vault environment variable before after"
    " text varchar2 char value type label name title note notes description missing unchanged login account never"
    " filtered removed sanitized omitted scrubbed public private function"
    " always again later sent updated created deleted generated stored rotated revoked"
    " incorrectly successfully policy length mandatory protected locked obligatoire falsch abgelaufen"
    " should cannot without please enter your with from that this must none null true false".split()
)
HEX = re.compile(r"(?i)[0-9a-f]{40,400}")
SHORT_WORD = re.compile(r"[a-z]{2,12}\d{0,2}|[A-Z]{2,12}")


OF_A_PAGE = re.compile(r"(?i)(?:page|next|prev(?:ious)?|continuation|sync|resume|cancell?ation)[_-]?token")


def is_named_so(key: str) -> bool:
    """Is this the name of a field that holds a secret? Of a path, the last part."""
    return len(key) <= 200 and KEY.match(key.rpartition("/")[2]) is not None and OF_A_PAGE.search(key) is None


def is_label(key: str, value: str) -> bool:
    """Words under the name of something else than a password: what a screen says."""
    return PASSWORD.search(key) is None and LABEL.fullmatch(value) is not None and not is_no_word(value)


def looks_secret(value: str, *, quoted: bool = False) -> bool:
    """Behind a name that says so: is it the secret, or only speaks of it?"""
    if len(value) < 4 or STAND_IN.match(value) or FILLED.match(value) or PLACEHOLDER.match(value):
        return False
    if DOCUMENTED.search(value) or PATTERN.search(value) or DATED.match(value):
        return False
    if value.isdigit():
        return len(value) >= 8 or (quoted and len(value) >= 6)
    if quoted:
        return not (KEY.match(value) or SLOT.search(value))
    return not (WORD.match(value) or CODE.search(value))


def is_prose(value: str) -> bool:
    """Something else that carries a digit: a path, a version, a date, a file's name."""
    return PROSE.fullmatch(value) is not None


def is_capital_password(told: str, value: str) -> bool:
    """`Pebble.Shore3` reads as a name of the program, but stands for a password more often."""
    return PASSWORD.search(told) is not None and CAPITALS.fullmatch(value) is not None


HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
VOWEL = re.compile(r"[AEIOUYaeiouy]")


def is_code(value: str) -> bool:
    """A name of the program: an attribute, a variable, a type; what nobody can say is none."""
    return IDENTIFIER.fullmatch(value) is not None and not is_unsayable(value)


def _is_hard(hump: str) -> bool:
    return VOWEL.search(hump) is None or CLUSTER.search(hump) is not None


def is_unsayable(value: str) -> bool:
    """Letters that make no words."""
    return len(value) >= 12 and value.isalpha() and sum(map(_is_hard, HUMPS.findall(value))) >= 3


SYMBOL = re.compile(r"[!@#$%^&*?+=~]")
FILE = re.compile(
    r"(?i)[\w./@-]{1,200}\.(?:md|py|[jt]sx?|json|ya?ml|toml|lock|log|txt|html?|css|go|rs|rb|php|java|kt|swift|cs?|cpp|hp?p?|sh|env"
    r"|conf|cfg|ini|xml|csv|sql|db|pem|key|crt|cer|pub|asc|gpg|zip|gz|tgz|tar|png|jpe?g|svg|com|org|net|io|dev|local|internal)"
    r"(?::\d{1,9}){0,3}"
)
NOT_TYPED = re.compile(
    r"[()\[\]{}<>|`\\]|://|=>|->|::|^[-/.,:;=@#*$%&]|^(?:[a-z_]+=|[A-Z_]+=|[A-Za-z][\w-]*==\d)|(?::[^:]{0,60}){3}|,$|\w@[\w-]+\.\w"
    r"|^[a-z][a-z.-]*@[a-z.-]+$"
)
ALGORITHM = re.compile(
    r"(?i)(?:base|sha|md|utf|aes|rsa|ed|x|p|curve|latin|iso|u?int|float|hmac|argon|pbkdf|blake|chacha)-?\d{1,5}"
    r"(?:-?\w{1,10})?"
)
UUID = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
PUBLIC = re.compile(
    r"AAAA[A-Z]|sha\d{1,3}[-:_=]|SHA\d{1,3}:|pk_(?:live|test)_|MI[IG][A-Z]|iVBOR|(?:[0-9A-Fa-f]{2}:){3}|0x[0-9a-f]{40}\Z"
)
"""How public keys, sums, certificates and pictures begin."""
DATED = re.compile(r"\d{4}-\d\d-\d\d")
LONG_WORD = re.compile(r"[a-z]{10,}|[A-Z]{10,}")
CLUSTER = re.compile(r"(?i)[b-df-hj-np-tv-xz]{4}")


def is_password(value: str) -> bool:
    """Where nothing but a password can stand: all that does not stand for one."""
    return (
        looks_secret(value, quoted=True)
        and value.lower() not in NO_PASSWORD
        and not value.startswith(("$(", "${", "%(", "{{", "<"))
        and NOT_STANDING.search(value) is None
    )


TEMPLATE = re.compile(r"\{\{|\}\}|<%|%>|\b(?:required|nullable|string)\|")
NOT_STANDING = re.compile(TEMPLATE.pattern + r"|\w\(|\)\Z(?<![(\w]\))|^[\"'( ;,]|(?:^|\s)\$[A-Za-z_]+\Z|\w[\[(]\Z")


def is_typed(value: str) -> bool:
    """As people make passwords: letters, and digits or signs among them; no file, no version, no piece of a program."""
    if not (6 <= len(value) <= 64 and value.isascii() and looks_secret(value)):
        return False
    if NOT_TYPED.search(value) or FILE.fullmatch(value):
        return False
    if value.lower().strip("!?.") in NO_PASSWORD or not any(c.isalpha() for c in value):
        return False
    if ALGORITHM.fullmatch(value) or UUID.fullmatch(value) or HEX.fullmatch(value) or PUBLIC.match(value):
        return False
    if SYMBOL.search(value.rstrip("!?")) and not value.isupper():
        return True
    digits = sum(c.isdigit() for c in value)
    if is_generated(value) or is_unsayable(value):
        return True
    if digits == 0 or is_code(value):
        return digits > 0 and (CAPITALS.fullmatch(value) or DOTTED.fullmatch(value)) is not None
    if digits == 1 and len(value) < 8:
        return False
    return (
        not is_prose(value)
        or CAPITALS.fullmatch(value) is not None
        or (digits >= 2 and value.replace("_", "").isalnum())
    )


PLAIN_WORD = re.compile(r"[a-z]{10,24}")
OF_WORDS = re.compile(
    r"(?:ed|ing|ly|[ai]ble|ive|al|ous|tions?|ents?|ants?|ect[aoe]?|oire|ori[ao]|lich|ig|isch|[aiu]d[ao]|[au]t[ao]|i[sz]e|[ao]ry"
    r"|ful|less|ness|ty|ic[ao]?|en|end|isée?|ée?|words?|rases?|ings)\Z"
)


def is_no_word(value: str) -> bool:
    """Long, and not made as the adjectives and the participles are that say what a password is like."""
    return PLAIN_WORD.fullmatch(value) is not None and is_password(value) and OF_WORDS.search(value) is None


def is_chosen(value: str) -> bool:
    """As people make passwords, of words, too."""
    bare = value.lstrip(SIGNS)
    return is_typed(value) or is_no_word(value) or (bare != value and not bare.islower() and is_typed(bare))


def is_made(value: str) -> bool:
    return is_chosen(value) or is_generated(value)


SIGNS = ".*@#%&!?+_-"


PARTS = re.compile(r"[._-]")
NAME_PIECE = re.compile(
    rf"[a-z]{{2,}}(?:\d{{1,5}}[a-z]*)?|[A-Z][a-z]+\d{{0,5}}(?:[A-Z][a-z]{{2,}})+|{CAMEL.pattern}|\d{{1,4}}"
)


def is_mixed_password(value: str) -> bool:
    return is_password(value) and any(c.isdigit() for c in value)


def is_generated(value: str) -> bool:
    """As programs make them: small and great letters and digits change from one to the next; or many digits of hex."""
    value = value.rstrip("=")
    if all(NAME_PIECE.fullmatch(piece) for piece in PARTS.split(value)):
        return False
    if len(value) < 16 or "=" in value or PUBLIC.match(value) or not looks_secret(value) or FILE.fullmatch(value):
        return False
    if UUID.fullmatch(value):
        return False
    if is_unsayable(value):
        return True
    digits = sum(c.isdigit() for c in value)
    if (
        digits == 0
        or digits > (0.7 if len(value) < 32 else 0.85) * len(value)
        or any(not CLUSTER.search(run) for run in LONG_WORD.findall(value))
    ):
        return False
    kinds = [0 if c.isdigit() else 1 if c.islower() else 2 for c in value if c.isalnum()]
    if len(kinds) < 0.8 * len(value) or (len(set(kinds)) < 3 and digits < 0.15 * len(value)):
        return False
    return sum(one != other for one, other in pairwise(kinds)) >= 0.3 * len(kinds)


def is_token(value: str) -> bool:
    """Behind a name or a flag that can hold a token only, an id is one, too."""
    return is_generated(value) or UUID.fullmatch(value) is not None or is_typed(value)


def is_any(_: str) -> bool:
    """Where the rule itself has said it all."""
    return True


def is_sure(value: str) -> bool:
    return len(set(value)) > 3


HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
KEY_OF_ANY_NAME = re.compile(
    r"(?:[A-Z0-9]{1,40}_){0,8}(?:KEY|PAT|SAS|JWT|SIGNATURE|ENCRYPT|GOSSIP|COOKIE|SESSION|SEED|CRYPT)"
)


def is_key_of_any_name(name: str, value: str) -> bool:
    """A name that ends on key says little: the value must look made, and the name not be one of another kind of key."""
    parted = HUMP.sub("_", name).upper().replace("-", "_").replace(".", "_")
    if not KEY_OF_ANY_NAME.fullmatch(parted) or NOT_A_SECRET_KEY.search(f"_{parted}"):
        return False
    if parted.endswith("SIGNATURE") and HEX_OF_A_SUM.fullmatch(value):
        return False
    if parted == "KEY" and (len(value) < 32 or re.fullmatch(r"(?i)[\w-]*[0-9a-f]{32}", value)):
        return False
    return is_generated(value)


HEX_OF_A_SUM = re.compile(r"(?i)[0-9a-f]{32,128}")
SMALL_WORDS = frozenset("the to of for and use is in not or on by as be it at if use any you are can will has".split())


def is_pass_phrase(value: str) -> bool:
    words = value.split(" ")
    if not 3 <= len(words) <= 24 or not all(
        3 <= len(word) <= 12 and word.isalpha() and word.islower() for word in words
    ):
        return False
    return NO_PASSWORD.isdisjoint(words) and SMALL_WORDS.isdisjoint(words)


def is_sentence(value: str) -> bool:
    """Words with blanks between them that are no phrase somebody chose."""
    words = value.split(" ")
    if len(words) == 1 or is_pass_phrase(value):
        return False
    return len(words) > 4 or not any(c.isdigit() for c in value) or not NO_PASSWORD.isdisjoint(value.lower().split())
