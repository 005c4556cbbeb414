"""Where secrets stand in a text: a table of rules, each with a name.

Entropy alone is no rule here: recorded work is full of hashes and ids, and every one of them would be masked.
Every repetition has an end, so that no text takes more than its length: what a rule spans is short.
"""

from __future__ import annotations

import re

from warm_tui.secrets.commands import COMMANDS
from warm_tui.secrets.keys import KEYS
from warm_tui.secrets.names import (
    BARE,
    ESCAPED_QUOTES,
    FLAGGED,
    LOOKS_UP,
    NAME,
    NAMED,
    NAMES,
    PASSWORD_NAME,
    PASSWORD_NAMES,
    REST_OF_A_SENTENCE,
    SAID,
    SHORT_NAMED,
    Rule,
)
from warm_tui.secrets.records import RECORDS
from warm_tui.secrets.said import SAID_ROWS
from warm_tui.secrets.written import WRITTEN


def _rule(name: str, pattern: str, *needs: str, weak: bool = True) -> Rule:
    return Rule(name, re.compile(pattern), needs, weak)


RULES: tuple[Rule, ...] = (
    _rule("authorization", r"(?i)\b(?:proxy-)?authorization[\"']?\s{0,8}[:=]\s{0,8}[\"']?(?:[a-z][\w-]{0,30}\s{1,8})?([^\s\"',;]{6,4000})", "authorization"),
    _rule("bearer", r"(?i)\bbearer[ :]{1,4}(?:[\"'](?!\+))?([A-Za-z0-9._~+/=-]{8,4000})", "bearer"),
    _rule("basic", r"\b[Bb]asic ([A-Za-z0-9+/]{8,2000}={0,2})(?![\w])", "basic"),
    _rule("key header", r"(?i)(?:\b|[\"'])(?:x-[\w-]{0,40}?(?:key|token|secret|auth)[\w-]{0,40}|(?:private|deploy|job|api|auth|access)-(?:token|key)|apikey)[\"']?\s{0,4}:\s{0,4}[\"']?([^\s\"',;]{6,4000})", "key", "token", "secret", "auth"),
    _rule("cookie", r"(?i)\b(?:set-)?cookie[\"']?\s{0,4}:\s{0,4}[\"']?[^\r\n\"']{0,120}?\b[\w.-]{0,20}?(?:sess|sid|token|auth|jwt|csrf|remember)[\w.-]{0,40}=([^\s;\"']{6,4000})", "cookie"),
    _rule("cookie value", r"(?i)\b(?:session(?:id)?|sid|connect\.sid|phpsessid|jsessionid|auth_token|remember_token|csrftoken)=([^\s;\"'&]{12,4000})", "sid=", "session", "auth_token=", "remember_token=", "csrftoken="),
    _rule("url password", r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,20}://[^\s/:@\"'<>]{0,100}:([^\s@/\"'<>]{1,200}(?:@[^\s@/\"'<>:]{1,60}(?=@))?)@", "://"),
    _rule("url token", r"\b(?:https?|git|ssh)://([A-Za-z0-9_\-]{16,400})@", "://"),
    _rule("query", r"(?i)[?&](?:[\w-]{0,40}?(?:key|token|secret|password|passwd|pwd|auth)|sig|signature|x-amz-(?:signature|credential|security-token)|code|appid)=([^&\s\"'#<>]{6,4000})", "?", "&"),
    _rule("secret link", r"(?i)https?://[^\s\"'<>]{1,200}?/(?:reset|password|verify|confirm|magic|invite|activate|unsubscribe|login-link)[\w-]{0,40}(?:/[a-z-]{1,20}){0,2}/([A-Za-z0-9_-]{20,200})(?![A-Za-z0-9_./-])", "/reset", "/password", "/verify", "/confirm", "/magic", "/invite", "/activate", "/unsub", "/login-link"),
    _rule("quoted assignment", rf"(?i)(?=[\w.-]{{2,120}}[\"']?\]?\s{{0,8}}[=:,]){NAMED}[\"']?(?:\]?(?:\s{{0,4}}:\s{{0,4}}\w[\w\[\]| ]{{0,40}}(?==|\s=))?\s{{0,8}}(?::=|=>|=|:)\s{{0,8}}|\s{{0,8}},[ \t]{{0,20}})(?!{LOOKS_UP}\()(?:[\w\[\].:>-]{{0,40}}\(|string\(\d{{1,4}}\) )?(?:[a-z@]{{0,2}})(?:\"([^\"\n]{{4,4000}})\"|'([^'\n]{{4,4000}})')(?![ \t]{{0,4}}:)", *NAMES),
    _rule("environment", rf"{SHORT_NAMED}[\"']?\s{{0,4}}[=:]\s{{0,4}}[\"']?([^\s\"'`,;<>|\\]{{4,400}})", "key", "pat", "pw", "pass", "psw", "cred"),
    _rule("pass phrase", rf"(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]{{0,60}}?(?i:{PASSWORD_NAME})[\"']?(?:\s{{0,4}}[=:]\s{{0,4}}|[ \t]{{1,4}})[\"']([a-z0-9]{{3,12}}(?: [a-z0-9]{{2,12}}){{1,7}}(?: \d)?)[\"']", *PASSWORD_NAMES),
    _rule("pass phrase", r"(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]{0,60}?(?i:secret|(?:secret|sign\w{0,3}|encrypt\w{0,3}|master|crypt|app)[_-]?key|salt)[\"']?\s{0,4}[=:]\s{0,4}[\"']((?:[a-z]{4,12}[ -]){2,7}[a-z]{4,12})[\"']", "secret", "key", "salt"),
    _rule("element", rf"(?i)<{FLAGGED}>([^<\n]{{4,4000}})</", *NAMES),
    _rule("setting", rf"(?i)(?=[\w.-]{{2,120}}[ \t|│]){NAMED}[ \t]{{0,80}}[ \t|│][ \t]{{0,40}}((?=[^\s]{{0,400}}\d)(?=[^\s]{{0,400}}[A-Za-z])[A-Za-z0-9+/=_-]{{20,4000}})", *NAMES),
    _rule("user and password", r"(?i)\bauth\s{0,4}=\s{0,4}\(\s{0,4}[\"'][^\"'\n]{0,100}[\"']\s{0,4},\s{0,4}[\"']([^\"'\n]{4,200})[\"']", "auth"),
    _rule("user and password", r"\b(?:PDO|mysqli|mysqli_connect|HTTP(?:Basic|Digest)Auth|login|connect|authenticate)\s{0,2}\((?:[^()\n]{0,100},)?\s{0,4}[\"'][^\"'\n]{1,100}[\"']\s{0,4},\s{0,4}[\"']([^\"'\n]{4,100})[\"']\s{0,4}\)", "pdo", "mysqli", "basicauth", "digestauth", "login", "connect", "authenticate"),
    _rule("user and password", r"\b(?:sqlplus|rman|expdp|impdp|sqlldr)\s{1,4}(?:-\w{1,8}\s{1,4})?[\w.]{1,60}/([^\s@\"']{4,100})", "sqlplus", "rman", "expdp", "impdp", "sqlldr"),
    _rule("user and password", r"(?i)\buser(?:name)?\s?/\s?pass(?:word)?(?:\s(?:is|are|=|:))?[:=]?\s{1,4}\S{1,60}?\s?/\s?([^\s,;]{4,100})", "user"),
    _rule("user and password", r"\bjdbc:oracle:\w{1,8}:[\w.]{1,60}/([^\s@\"']{4,100})@", "jdbc:oracle"),
    _rule("user and password", r"\brabbitmqctl\s{1,4}(?:add_user|change_password|authenticate_user)\s{1,4}\S{1,60}\s{1,4}[\"']?([^\s\"']{4,100})", "rabbitmqctl"),
    _rule("user and password", r"\s-U\s{0,4}[\"']?[\w.\\/-]{1,60}%([^\s\"']{4,100})", "-u"),
    _rule("user and password", r"(?i)\bnet use\s[^\n|&]{0,120}?/user:\S{1,80}\s{1,4}([^\s\"'/*]{4,100})", "net use"),
    _rule("short flag", r"\bnmcli\s[^\n|&]{0,120}?\bpassword\s{1,4}[\"']?([^\s\"']{8,100})", "nmcli"),
    _rule("short flag", r"(?i)-pass(?:in|out|word)?\s{1,4}pass:([^\s\"']{4,400})", "pass:"),
    _rule("element", r"(?i)<(?:\w{0,20}password)>\s{0,20}<value>([^<\n]{4,400})</value>", "password"),
    _rule("made for a user", r"(?i)\bpassword \w{1,40} = (\S{6,200})|\bpassword\b[^\n]{0,80}\n(?:new )?value: (\S{8,200})", "password"),
    _rule("client", r"\b\w{0,40}(?:Client|Translator|search|Config)\((?:[\"'][\w.-]{1,60}[\"'],\s{0,4})?[\"']([A-Za-z0-9_-]{32,200})[\"']", "client(", "translator(", "search(", "config("),
    _rule("logged in with", r"\b\w{1,30} login\s{1,4}([A-Za-z0-9_-]{32,400})(?=[\s\"']|$)", "login"),
    _rule("piped", r"\becho\s{1,4}(?:-n\s{1,4})?[\"']?(?:[\w.-]{1,60}:)?([^\s\"'|$]{4,400})[\"']?\s{0,4}\|[^|\n]{0,100}?(?:sudo\s{1,4}(?:-\w{1,9}\s{1,4}){0,3}-\w{0,9}S|--[\w-]{0,20}stdin|chpasswd|\bsecrets?\b|\blogin\b)", "echo"),
    _rule("said to the database", r"(?i)\b(?:identified\s{1,4}(?:with\s{1,4}\w{1,40}\s{1,4})?(?:by|as)|password)\s{1,4}'([^'\n]{4,400})'", "identified", "password"),
    _rule("secure string", r"(?i)ConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?[\"']([^\"'\n]{4,400})[\"']", "securestring"),
    _rule("pass phrase argument", r"\bpass:([^\s\"']{4,400})", "pass:"),
    _rule("assignment", rf"(?i)(?<!\$)(?=[\w.-]{{2,120}}[\"']?\s{{0,8}}[=:：]){NAMED}[\"']?\s{{0,8}}(?:=|:(?!:)|：)[ \t]{{0,40}}({BARE})", *NAMES),
    _rule("plain password", rf"(?im)^[ \t]{{0,40}}(?:[-+] {{0,2}})?(?:export )?(?:[A-Za-z0-9_.-]{{0,60}}?[_.-])?(?:{PASSWORD_NAME})(?:[ \t]{{0,4}}=|:)[ \t]{{0,40}}([A-Za-z]{{6,40}}(?:-[a-z]{{3,12}}){{0,5}})[ \t]{{0,4}}(?:#[^\n]{{0,200}})?$", *PASSWORD_NAMES),
    _rule("plain password", rf"(?i)\b(?:{PASSWORD_NAME})=((?:[A-Za-z]{{6,40}}|[a-z]{{3,12}}-[a-z]{{3,12}})(?:-[a-z]{{3,12}}){{0,5}})(?=[\s'\"]|$)(?!{REST_OF_A_SENTENCE})", *PASSWORD_NAMES),
    _rule("plain password", rf"(?i)[\"'](?:[a-z_]{{0,30}}_)?(?:{PASSWORD_NAME}): ?([a-z]{{4,12}}(?:-[a-z]{{3,12}}){{1,5}})[\"']", *PASSWORD_NAMES),
    _rule("flag", rf"(?i)(?:^|\s)--?{FLAGGED}(?:=|\s{{1,4}})[\"']?({BARE})", *NAMES),
    _rule("password flag", rf"(?i)\s--?[a-z_-]{{0,30}}?(?:{PASSWORD_NAME})(?:=|[ \t]{{1,4}})[\"']?([a-z]{{6,40}})(?=[\s\"']|$)", *PASSWORD_NAMES),
    _rule("user and password", r"(?:^|\s)(?:-u|--user|--proxy-user)[= ]?[\"']?[^\s:\"'$]{1,100}:[\"']?([^\s\"']{1,400})", "-u", "user"),
    _rule("short flag", r"\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass|docker login|az login|redis-cli|mongo|mongosh|ldapsearch|ldapadd|ldapmodify|smbclient|7z|unzip|zip|ssh-keygen|cqlsh|cypher-shell|mosquitto_pub|mosquitto_sub|ipmitool|sqlcmd|bcp)\b[^\n|;&]{0,200}?\s-(?:p|a|w|P|N)\s?[\"']?([^\s\"'-][^\s\"']{3,400})", "mysql", "mariadb", "sshpass", "login", "redis-cli", "mongo", "ldap", "smbclient", "7z", "zip", "keygen", "cqlsh", "cypher", "mosquitto", "ipmitool", "sqlcmd", "bcp"),
    _rule("short flag", r"\bhtpasswd\s[^\n|;&]{0,80}?-\w{0,6}b\w{0,6}\s{1,4}(?:-\w{1,8}\s{1,4}){0,3}(?:\S{1,200}\s{1,4}){1,2}[\"']?([^\s\"'|;&]{4,100})(?=\s{0,4}(?:$|[\"'|;&\n]))", "htpasswd"),
    _rule("answered prompt", r"assword[^\n]{0,40}?\bsend(?:_user)?\s(?:-- )?[\"']([^\"'\\\n]{4,100})\\+[rn]", "assword"),
    _rule("netrc", r"\blogin\s{1,8}\S{1,200}\s{1,8}password\s{1,8}(\S{1,400})", "login"),
    _rule("pgpass", r"(?m)^[\w.*-]{1,200}:(?:\d{2,5}|\*):[^:\s]{1,100}:[^:\s]{1,100}:([^\s:]{1,400})$", ":"),
    _rule("haproxy", r"\bstats\s{1,8}auth\s{1,8}[\w.-]{1,60}:(\S{4,200})", "stats"),
    _rule("password hash", r"(\$(?:2[abxy]|[15689y]|apr1|argon2(?:id?|d)|scrypt|pbkdf2[\w-]{0,20})\$[A-Za-z0-9./$,=+-]{4,400}[A-Za-z0-9./+]{12})", "$", weak=False),
    _rule("pbkdf2 hash", r"\b(pbkdf2_sha\d{1,4}\$\d{1,9}\$[A-Za-z0-9+/=$]{20,400})", "pbkdf2", weak=False),
    _rule("unseal key", r"(?i)\b(?:unseal|recovery) key \d{1,2}:\s{0,4}([A-Za-z0-9+/=]{40,100})", "unseal key", "recovery key", weak=False),
    _rule("beside a key id", r"\b(?:AKIA|ASIA)[A-Z0-9]{12,20}\b[^\n]{0,80}?[\s,\"':=]([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])", "akia", "asia"),
    _rule("storage key", r"(?<![A-Za-z0-9+/-])(?<![; ]b=)([A-Za-z0-9+/]{86}==)(?![A-Za-z0-9+/=])", "==", weak=False),
    _rule("said in quotes", r"(?i)\b(?:password|passphrase|passcode|pin|passwort|kennwort|contraseña|mot de passe)(?: [\w@.-]{1,60}){0,5}?\s{0,4}(?::|=|\bis|\bto|\bwas|\blautet|\bist|\best|\bes)\s{1,4}[\"'`“]([^\"'`”\n]{6,400})[\"'`”]", "pass", "pin", "wort", "contrase"),
    _rule("said", rf"(?i)(?<!public )\b(?!pass to\b)(?:{SAID})(?: (?:for|of|to|für|von|zum|zur|del?|do|da|per|para|pour|du|van|voor|для|от) [\w@.-]{{1,60}}(?: [\w@.-]{{1,60}}){{0,2}}?)?(?:\s{{1,8}}(?:successfully|created|generated|is|was|are|set to|be|should be|now|will be|lautet|ist|est|es|è|é|jest|är|er|это|是|は)){{0,3}}[ \t]{{0,8}}[:=]?[ \t]{{1,8}}[(\"'`“]?((?=\S{{0,400}}\d)[^\s\"'`”,;<>]{{6,400}})", *NAMES, "pin", "mot de passe"),
    _rule("password of a document", rf"(?im)^[ \t]{{0,40}}(?:- )?[\w.-]{{0,60}}?(?:{PASSWORD_NAME}): {{1,8}}((?=[^\s]{{0,60}}\d)[A-Za-z][A-Za-z0-9_.-]{{5,60}})[ \t]{{0,4}}$", *PASSWORD_NAMES),
    _rule("element", rf"(?i)\b(?:key|name)=\"[\w.:-]{{0,60}}?(?:{NAME})\"\s{{1,8}}value=\"([^\"\n]{{4,400}})\"", "value="),
    _rule("made by terraform", r"\"random_password\"(?:(?!\"random_)[^}]){0,400}?\bresult\"?\s{0,8}[=:]\s{0,8}\"([^\"\n]{6,200})\"", "random_password", weak=False),
    _rule("sensitive output", r"\"sensitive\":\s{0,8}true,\s{0,40}(?:\"type\":\s{0,8}\"\w{1,20}\",\s{0,40})?\"value\":\s{0,8}\"([^\"\n]{4,400})\"", "\"sensitive\"", weak=False),
    _rule("mail login", r"\b334 UGFzc3dvcmQ6\s{1,4}(?:[A-Z]{1,6}: )?([A-Za-z0-9+/]{4,400}={0,2})", "334 ugfzc3dvcmq6", weak=False),
    _rule("mail login", r"\bAUTH (?:PLAIN|LOGIN|XOAUTH2) ([A-Za-z0-9+/]{12,4000}={0,2})(?=\s|[\"']|$)", "auth "),
    _rule("private lines", r"\bPrivate-Lines: \d{1,3}\n((?:[A-Za-z0-9+/=]{1,70}\n){0,99}[A-Za-z0-9+/=]{1,70})", "private-lines", weak=False),
    _rule("recovery codes", r"(?i)\b(?:recovery|backup|scratch|emergency) codes?\b[^\n]{0,80}\n{1,2}((?:[ \t]{0,8}(?:\d{1,2}[.)] )?(?:(?=[^\n]{0,40}\d)[a-z0-9]{8,16}|[a-z0-9]{4,8}(?:-[a-z0-9]{4,8}){1,3}|\d{4}(?: \d{4}){1,3})(?:[ \t]{0,8}\n|[ \t]{1,8}|$)){1,40})", "code", weak=False),
    _rule("seed phrase", r"(?i)\b(?:mnemonic|(?:seed|recovery|secret)(?:[ _-]phrase)?)[\"']?(?: is)?\s{0,4}[:=]?\s{1,4}[\"']?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?=[\s\"']|$)", "mnemonic", "seed", "phrase", weak=False),
    _rule("short flag", r"\b(?:requirepass|masterauth)\s{1,4}[\"']?([^\s\"']{4,400})", "requirepass", "masterauth"),
    _rule("escaped assignment", rf"(?i)(?=[\w.-]{{2,120}}\\?[\"']?\s{{0,4}}[,:=]){NAMED}\\?[\"']?\s{{0,4}}[,:=]\s{{0,4}}[\"']?\\[\"']([^\"'\\\n]{{4,400}})\\[\"']", *ESCAPED_QUOTES),
    _rule("quoted setting", r"\b\w{0,40}(?:(?i:passw(?:or)?d|_pass|_pwd)|[sS]ecret|[tT]oken|SECRET|TOKEN|_KEY)[ \t]{1,8}[\"']([^\"'\s]{6,200})[\"']", "passw", "_pass", "_pwd", "secret", "token", "_key"),
    _rule("short flag", r"\blftp\b[^\n]{0,80}?\s-u\s{1,4}[^\s,]{1,60},([^\s\"']{4,100})", "lftp"),
    _rule("mail login", r"(?m)^(?:[A-Z]: )?\w{1,8} LOGIN \"?[^\s\"]{1,80}\"? \"?([^\s\"]{4,100})\"?$", "login"),
    _rule("said to the database", r"\"AUTH\" (?:\"[\w.-]{1,60}\" )?\"([^\"\n]{4,200})\"", "\"auth\""),
    _rule("wireless key", r"\bKey Content\s{1,20}: (\S{8,63})", "key content", weak=False),
    _rule("secret id", r"(?i)\bsecret[ _]id[\"']?\s{0,12}[=:]\s{0,8}[\"']?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", "secret", weak=False),
    _rule("password of an app", rf"(?i)(?:{PASSWORD_NAME})(?:[\"']?\s{{0,4}}[=:]\s{{0,4}}[\"']?|[ \t]{{1,20}}[\"'])((?-i:[a-z0-9]{{4}}(?: [a-z0-9]{{4}}){{3}}))(?=[\"'\s]|$)", *PASSWORD_NAMES, weak=False),
    _rule("credentials of bundler", r"\bBUNDLE_[A-Z_]{3,60}[=:]\s?[\"']?([0-9a-f]{8}:[0-9a-f]{8})(?![0-9a-f])", "bundle_", weak=False),
    _rule("webhook", r"(https://(?:hooks\.slack\.com/(?:services|workflows|triggers)|discord(?:app)?\.com/api/webhooks|hooks\.zapier\.com/hooks|(?:[\w-]{1,60}\.)?webhook\.office\.com)/[\w./@-]{10,400})", "https://", weak=False),
    *COMMANDS,
    *WRITTEN,
    *SAID_ROWS,
    *RECORDS,
    *KEYS,
)  # fmt: skip
