"""Secrets that people and programs say in sentences: a table of rules, each with an example."""

from __future__ import annotations

from warm_tui.secrets.names import NEEDS_PASSWORD, NEEDS_TOKEN, Rule, row
from warm_tui.secrets.values import is_any, is_generated, is_no_word, is_pass_phrase, is_password, is_sentence, is_typed

PASSWORD = r"pass(?:word|wd|phrase|code|wort|w0rd)?|pwd?|kennwort|contraseña|clave|mot de passe|mdp|code d'accès|wachtwoord|parola(?: d'ordine)?|chiave|senha|hasło|heslo|lösenord(?:et)?|salasana|adgangskode[nr]?|passord(?:et)?|jelszó|şifre(?:si)?|mật khẩu|kata sandi|密碼|口令|暗証番号|κωδικός|סיסמה|كلمة المرور|парол[ьяе]м?|密码|パスワード|비밀번호|psk|wpa key|wifi key|pre-shared key"
CALLED_SO = PASSWORD.replace("pass(?:word|wd|phrase|code|wort|w0rd)?", "pass(?:word|wd|phrase|code|wort|w0rd)")
"""Without the word that is a verb, too."""
TOKEN = r"(?:api|access|secret|private|deploy|license|licence|signing|encryption|auth|service|account|webhook|master|personal access|bot)?[ _-]?(?:keys?|tokens?|secrets?|jeton|clé|schlüssel|chiave|llave|clave)|credentials?|jwt|bearer|pat"
IS = r"(?::|=|->|→|–|—|\b(?:is|ist|lautet|est|es|è|é|são|jest|är|er|je|on|este|adalah|là|was|are|to|zu|auf|à|now|becomes|sur|a)\b|(?<=\bit)['’]s\b|это|是|为|為|は|는|은)"
OPEN = r"[\"'`“„«‚(\[<「『【]?"
NOT_WITHIN = r"(?<![A-Za-z0-9_.-])"
THEN = r"(?![A-Za-z0-9_])(?:[^\n:=\"'`;]|(?<=\w)'(?=\w)|`[\w.@-]{1,40}`)"
GAP = r"(?:[ \t]{1,4}|(?<=[は是为為는은：])[ \t]{0,4})"
WORD = r"([^\s\"'`“”„»<>|\\,;)\]，。、；」』】]{4,200})"


def _is_quoted(value: str) -> bool:
    return is_typed(value) or (" " in value and is_password(value) and value.replace(" ", "").isalnum())


SAID_ROWS: tuple[Rule, ...] = (
    row("said at length", rf"(?i){NOT_WITHIN}(?:{CALLED_SO}){THEN}{{0,60}}?{IS}{GAP}{OPEN}{WORD}", *NEEDS_PASSWORD, is_one=is_typed, example="Das Passwort für den Server ist «Kettle.drum2», bitte ändern."),
    row("said at length", rf"(?i)(?<![\w.:/-])(?:{PASSWORD}),?[ \t]{{0,2}}[:=]?[ \t]{{1,4}}{OPEN}{WORD}", *NEEDS_PASSWORD, is_one=is_typed, example="user ada, pass «Kettle.drum2»"),
    row("said plainly", rf"(?i){NOT_WITHIN}(?:{CALLED_SO}){THEN}{{0,40}}?(?::|\b(?:is|ist|lautet|est|es|è|é|zu|(?:re)?set to|changed to|was)\b|(?<=\bit)['’]s\b)[ \t]{{1,4}}[\"'`“„«]?((?-i:[a-z]{{10,24}}))(?=[.,;!)\"'`”»]?(?:\s|$))", *NEEDS_PASSWORD, is_one=is_no_word, example="the wifi password is «kettledrum», by the way"),
    row("pass phrase", rf"(?i){NOT_WITHIN}(?:{CALLED_SO}){THEN}{{0,40}}?(?::|\b(?:is|ist|lautet|est|es|è|é|zu|(?:re)?set to|changed to|was)\b|(?<=\bit)['’]s\b)[ \t]{{1,4}}[\"'`“„«]?((?-i:(?:[a-z]{{3,10}}[ -]){{3,6}}[a-z]{{3,10}}))(?=[.,;!)\"'`”»]?(?:\n|$|[ \t]{{0,4}}[\"'`”»(,]|\. ))", *NEEDS_PASSWORD, is_one=lambda value: is_pass_phrase(value.replace("-", " ")), example="the passphrase of the disk is «correct horse battery staple»."),
    row("said in quotes", rf"(?i){NOT_WITHIN}(?:{CALLED_SO}){THEN}{{0,40}}?{IS}{GAP}[\"`“„«]([^\s\"`”“»:=(,;][^\"`”“»\n:=(]{{5,120}})[\"`”“»]", *NEEDS_PASSWORD, is_one=lambda value: is_password(value) and not is_sentence(value), example='the passphrase for the vault is "«correct horse battery»"'),
    row("said before its name", rf"(?i)(?<![^\s\"'`“(]){OPEN}([^\s\"'`“”(,;]{{6,400}})[\"'`”)]?,?\s(?:as|is|was|ist|est|es|being)\s(?:the|my|our|your|its|his|her|a|das|le|la|il|el|new|their)\s(?:[\w-]{{1,20}} ){{0,3}}?(?:{PASSWORD})\b", *NEEDS_PASSWORD, is_one=is_typed, example="log in with «Kettle-drum-22» as the password"),
    row("said before its name", rf"(?i)(?<![^\s\"'`“(]){OPEN}([A-Za-z0-9+/=_.~-]{{16,400}})[\"'`”)]?,?\s(?:as|is|was|being)\s(?:the|my|our|your|its|a|new)\s(?:[\w-]{{1,20}} ){{0,3}}?(?:{TOKEN})\b", *NEEDS_TOKEN, is_one=is_generated, example="«kd83JDk29dkLKJD8273kdjf» is the new api key"),
    row("beside its name", rf"(?i)(?<![\w.-])(?:{TOKEN})\b(?![./_-])(?P<between>[^\n]{{0,60}}?)(?<![A-Za-z0-9+/=_.:@-])([A-Za-z0-9][A-Za-z0-9+/=_.~-]{{15,400}})(?![A-Za-z0-9+/=_-])", *NEEDS_TOKEN, is_one=is_generated, example="Here is the key you asked for: «kd83JDk29dkLKJD8273kdjf»"),
    row("user and password", rf"(?i)\b(?:log ?-?in|logged in|sign in|creds?|credentials?|accounts?|admin|user(?:name)?|zugang(?:sdaten)?|auth|identifiants?|accesso|acceso|accès|connect|root)\b[^\n/]{{0,40}}?(?<![\w./-])[\w.@-]{{2,40}}[ \t]?(?:/|:|\|)[ \t]?[\"'`]?(?=\S{{0,60}}\d){WORD}", "log", "sign", "cred", "account", "admin", "user", "zugang", "auth", "identifiant", "acce", "accè", "connect", "root", is_one=lambda value: is_typed(value) and len(value) >= 7 and any(c.isdigit() for c in value) and not value.islower() and "/" not in value, example="Log in as admin / «Kettle.drum2» on staging"),
    row("user and password", rf"(?i)\b(?:(?:user|log ?-?in|sign ?-?in|account|admin|login|cred(?:ential)?s?|zugangsdaten|password)\b[^\n/]{{0,80}}?(?<![\w./-])[\w.@-]{{2,40}}|admin|root|administrator)[\"'`]? / [\"'`]?(?=\S{{0,60}}\d){WORD}", " / ", is_one=is_typed, example="created user admin@example.org / «ines2013»"),
    row("user and password", rf"(?i)\b(?:log|sign|logged|signed) ?-?in\b[^\n]{{0,80}}?\b(?:with|as|using|mit|avec|con)\s[\"'`]?[\w.@-]{{2,60}}[\"'`]?\s(?:and|und|et|e|y|/)\s[\"'`]?{WORD}", "log", "sign", is_one=is_typed, example="sign in at /admin with `admin@example.org` and `«raven54thistle»`"),
    row("user and password", rf"(?<![\w.+-])[\w.+-]{{1,64}}@[\w-]{{1,60}}(?:\.[\w-]{{1,60}}){{1,4}}[\"'`]? / [\"'`]?(?=\S{{0,60}}\d){WORD}", " / ", is_one=is_typed, example="use ada@example.org / «Kettle-Drum10»?"),
    row("asked and told", rf"(?i)\b(?:{PASSWORD})\b[^\n]{{0,60}}\?[ \t\r]{{0,4}}\n{{1,2}}[^\n]{{0,80}}?(?<![^\s\"'`(])((?=\S{{0,40}}\d)(?=\S{{0,40}}[A-Za-z])[^\s\"'`,;]{{6,100}})(?=[\s\"'`,;.!?]|$)", *NEEDS_PASSWORD, is_one=is_typed, example="[10:11] Ada: what was the wifi password?\n[10:12] Bob: «Kettle-2024!»"),
    row("number", r"(?i)\b(?:pin|passcode|(?:access|door|alarm|gate|entry|unlock|security|pin)[- ]?code|combination)\b(?: (?:code|number|for|of|to|the|my|is|at|on|[a-z]{1,12})){0,5}?[ \t]?(?::|=|\bis\b|\bist\b|\best\b|,? it['’]?s\b)\s{1,4}[\"'`]?(\d{4,8})(?![\w.-])", "pin", "code", is_one=is_any, example="the PIN for the door is «4829»"),
    row("recovery code", r"(?i)\b(?:recovery|backup|scratch|emergency) codes?\b[^\n]{0,20}?(?<!\S)[\"'`]?((?=\S{0,20}\d)[a-z0-9]{4,8}(?:-[a-z0-9]{4,8}){1,3})(?![\w-])", "code", is_one=is_any, example="Use the backup code «98rf2-oa9nl» if the phone is gone."),
    row("made for once", r"(?i)\b(?:temporary|initial|generated|default|admin|root|one-time|new)\s(?:[\w-]{1,20}\s){0,3}?password\b[^\n]{0,60}?:\s{1,8}(\S{6,100})", "password", is_one=is_typed, example="A temporary password is generated for root@localhost: «kd83jd!k29dkL»"),
)  # fmt: skip
