"""Keys, and the words and numbers that keys are made from: a table of rules, each with an example."""

from __future__ import annotations

from warm_tui.secrets.names import Rule, row
from warm_tui.secrets.values import is_sure

WORDS = r"((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z ])"


def _is_varied(value: str) -> bool:
    return len(set(value)) >= 9 and any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


KEYS: tuple[Rule, ...] = (
    row("numbers of a key", r"(?m)^[ \t]{0,8}(?:priv|privateExponent|private-?key|prime\d|exponent\d|coefficient|x):[ \t\r]{0,4}\n((?:[ \t]{1,12}(?:[0-9a-f]{2}:){1,40}(?:[0-9a-f]{2})?[ \t\r]{0,4}(?:\n|$)){1,80})", "priv", "prime", "exponent", "coefficient", is_one=is_sure, example="priv:\n    «5c:9a:1e:4f:77:b2:10:9c:44:\n    ee:0f:3c:9d:21:b8»\npub:"),
    row("sum of a private key", r"\bPrivate-MAC: ([0-9a-f]{40,64})", "private-mac", is_one=is_sure, example="Private-MAC: «9b1c7d5e3f2a4b6c8d0e9b1c7d5e3f2a4b6c8d0e»"),
    row("key of a web token", r"[\"']?kty[\"']?\s{0,4}:[^{}]{0,490}?[\"']?\b(?:d|p|q|dp|dq|qi|k)[\"']?\s{0,4}:\s{0,4}[\"']([\w-]{20,2000})", "kty", is_one=is_sure, example="jwk = { kty: 'RSA', e: 'AQAB', d: '«X4cTteJYgn4FYPsXB8rdXix5»' }"),
    row("key of a web token", r"[{,]\s{0,20}[\"']d[\"']\s{0,4}:\s{0,4}[\"']([\w-]{20,2000})[\"'](?=[^{}]{0,490}[\"']kty[\"'])", "kty", is_one=is_sure, example='{"d": "«870MB6gfuTJ4HtUnUvYMyJpr5eU»", "kty": "EC"}'),
    row("product key", r"(?<![A-Z0-9-])([A-Z0-9]{5}(?:-[A-Z0-9]{5}){4})(?![A-Z0-9-])", "-", is_one=_is_varied, example="slmgr /ipk «VK7JG-NPHTM-C97JM-9MPGT-3V66T»"),
    row("recovery key", r"(?<![\d-])(\d{6}(?:-\d{6}){7})(?![\d-])", "recovery", is_one=is_sure, example="Recovery Password: «753867-194305-222126-100049-772448-443837-342398-863797»"),
    row("licence", r"(?i)\blicen[sc]e(?:[ _-]?(?:key|code|number))?[\"']?\s{0,4}(?:[:=]|\bis\b)\s{0,4}[\"'`]?((?-i:[A-Z0-9]){4,8}(?:-(?-i:[A-Z0-9]){4,8}){2,8})(?![\w-])", "licen", is_one=_is_varied, example="License: «ABCD1-EF2GH-3IJKL»"),
    row("key of a wallet", r"(?<![A-Za-z0-9])([5KL][1-9A-HJ-NP-Za-km-z]{50,51}|[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,112}|nsec1[02-9ac-hj-np-z]{58})(?![A-Za-z0-9])", "", is_one=_is_varied, example="«KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn»"),
    row("key of a wallet", r"(?i)\b(?:private|priv|secret|wallet|signer|deployer|accounts?|pk|sk)[ _-]?(?:key|pk)?\b[\"']?[^\n]{0,40}?(?<![\w])((?:0x)?[0-9a-f]{64})(?![0-9a-f])", "priv", "secret", "wallet", "signer", "deployer", "account", "pk", "sk", is_one=_is_varied, example="Private Key: «0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80»"),
    row("seed of a server", r"(?<![A-Z0-9])(S[UANOCX][A-Z2-7]{54,56})(?![A-Z0-9])", "s", is_one=_is_varied, example="seed: «SUAOW7GPFSFQYK5DHQ5YAHVMG7Q2VHG5GMMOB6O4TYIXYJTVSHTSWLGJ3A»"),
    row("seed phrase", rf"(?i)\b(?:mnemonic|seed|recovery|wallet|phrase|words)\b[^\n]{{0,60}}?(?:[\"'`:=]|\b(?:is|are|ist|est))\s{{0,4}}[\"'`]?(?-i:{WORDS})", "mnemonic", "seed", "recovery", "wallet", "phrase", "words", is_one=is_sure, example="wallet recovery: «legal winner thank year wave sausage worth useful legal winner thank yellow»"),
    row("seed of one-time codes", r"(?i)\b(?:totp|otp|2fa|mfa|seed|authenticator|secret|(?:two|second|2nd)[- ]factor|set-?up key)\b[^\n]{0,60}?(?<![\w])((?-i:[A-Z2-7]{4}(?: [A-Z2-7]{4}){3,12}|[a-z2-7]{4}(?: [a-z2-7]{4}){3,12}))(?![\w])", "totp", "otp", "2fa", "mfa", "seed", "authenticator", "secret", "factor", "key", is_one=lambda value: any(c.isdigit() for c in value), example="The TOTP seed is «JBSW Y3DP EHPK 3PXP»"),
    row("seed of one-time codes", r"(?i)\b(?:totp|otp|2fa|mfa|seed|authenticator|secret key|(?:two|second|2nd)[- ]factor|set-?up key)\b[^\n]{0,60}?(?<![\w])((?-i:[A-Z2-7]{16,64}))(?![\w])", "totp", "otp", "2fa", "mfa", "seed", "authenticator", "secret key", "factor", "key", is_one=_is_varied, example="MFA seed for ada: «JBSW3DPEHPK3PXPQ2RT4»"),
    row("static key", r"-----BEGIN [A-Za-z0-9 ]{0,40}Static key V1-----\s{1,4}((?:[0-9a-f]{32}\s{1,4}){1,40})", "static key", is_one=is_sure, example="-----BEGIN OpenVPN Static key V1-----\n«0123456789abcdef0123456789abcdef\n»-----END"),
    row("key of a cluster", r"(?<![\w.])([a-z0-9]{6}\.[a-z0-9]{16})(?![\w.])", "token", "join", "kubeadm", is_one=_is_varied, example="kubeadm join 10.0.0.1:6443 --token «abcdef.0123456789abcdef»"),
)  # fmt: skip
