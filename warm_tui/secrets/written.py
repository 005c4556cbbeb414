"""Secrets under a name, in the ways that files and programs write names down: a table of rules, each with an example."""

from __future__ import annotations

from warm_tui.secrets.names import (
    ESCAPED_QUOTES,
    NAME,
    NAMED,
    NAMES,
    PASSWORD_NAME,
    PASSWORD_NAMES,
    REST_OF_A_SENTENCE,
    Rule,
    row,
)
from warm_tui.secrets.values import is_any, is_generated, is_password, is_token, is_typed

QUOTE = r"(?:\\{1,7}[\"']|&quot;|&#3[49];|&apos;|\\{1,3}u002[27]|%22)"
INNER = r"[^\"'\\\n<>&%]"


WRITTEN: tuple[Rule, ...] = (
    row("escaped assignment", rf"(?i)(?=[\w.-]{{2,120}}[\\&%]){NAMED}{QUOTE}\s{{0,4}}(?::|=|=>|%3A)\s{{0,4}}{QUOTE}({INNER}{{4,400}}?){QUOTE}", *ESCAPED_QUOTES, is_one=lambda value: is_password(value) and " " not in value, example='{\\"user\\": \\"ada\\", \\"password\\": \\"«kettledrum»\\"}'),
    row("encoded assignment", rf"(?i){NAMED}(?:%3D|%253D)([^\s\"'&%]{{4,400}})", "%3d", "%253d", is_one=is_password, example="body=user%3Dada%26password%3D«kettledrum»"),
    row("name and value", rf"(?i)\b(?:name|id|key|label|title|field|header|parameter|property|param|var)[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"']?[\w.:/-]{{0,60}}?(?:{NAME}|_KEY|_PAT|_PW|_PASS)\d{{0,2}}[\"']?\s{{0,4}}(?:,|\s)\s{{0,40}}(?:[\"']?(?:type|kind|sensitive|secret|purpose)[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"']?(?!password)\w{{1,20}}[\"']?(?:,|\s)\s{{0,40}})?[\"']?(?:value|val|v|content|defaultValue|string)[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"']?([^\s\"',}}<>]{{4,400}})", "name", "id", "key", "label", "title", "field", "header", "param", "prop", "var", is_one=is_password, example="- name: DB_PASSWORD\n  value: «kettledrum»"),
    row("name and value", r"(?i)[\"'](?:type|kind|name)[\"']\s{0,4}:\s{0,4}[\"'](?:secret|token|client_secret|password|credential)[\"']\s{0,4},\s{0,40}[\"']value[\"']\s{0,4}:\s{0,4}[\"']([^\"'\n]{6,400})[\"']", "value", is_one=is_token, example='{ "type" : "secret",\n  "value" : "«JI7d8PsJAZqBiPd334AhL1HAgK8irbAR»" }'),
    row("element", rf"(?i)<(?:\w{{1,20}}:)?[\w.-]{{0,60}}?(?:{NAME})(?:\s[^<>\n]{{0,200}})?>\s{{0,40}}(?:<(?:Value|PlainText)>)?\s{{0,20}}([^<\s]{{4,4000}})\s{{0,40}}</", "</", is_one=is_password, example='<Password encrypted="no">\n  <Value>«kettledrum»</Value>'),
    row("registry", rf"(?i)(?<![\w.-])[\w.-]{{0,60}}?(?:{NAME})[\"']?(?:\s{{1,40}}REG_\w{{2,12}}\s{{1,40}}|=)[\"']?([^\s\"']{{4,400}})", "reg_", "\"=\"", is_one=is_password, example="    DefaultPassword    REG_SZ    «kettledrum»"),
    row("printed structure", rf"(?:(?<!\$)[{{ ,\[]@?|\((?=\w{{1,60}}=))(?=\w{{1,60}}[:=])\w{{0,40}}?(?i:{NAME})[:=]([^\s\"'{{}}()\[\],<>&]{{4,400}})(?=,? @?[A-Za-z_]\w{{0,40}}[:=]|\}}|\)|>)", *NAMES, is_one=is_password, example="{User:ada Password:«kettledrum» Host:db}"),
    row("setting in a row", rf"(?i)(?<![\w.-])(?:[\w.-]{{0,40}}[_.-])?(?:{PASSWORD_NAME})=\[?([^\s\"'`,;&|<>\\\[\]]{{4,200}})(?=[,;&\"'`)\]]|\\|\s|$)(?!{REST_OF_A_SENTENCE})", *PASSWORD_NAMES, is_one=is_password, example="Server=db;Uid=ada;Pwd=«Kettle.drum2»;Timeout=3"),
    row("cookies of a browser", r"\t(?:TRUE|FALSE)\t/[^\t\n]{0,100}\t(?:TRUE|FALSE)\t\d{1,12}\t[\w.-]{1,80}\t([^\s]{12,4000})", "\t", is_one=is_generated, example=".example.org\tTRUE\t/\tTRUE\t1799999999\tsid\t«kd83JDk29dkLKJD8273kdjf»"),
    row("cookies", r"(?i)\bcookie[\"']?\s{0,4}[:=][^\n]{0,400}?[\w.-]{0,40}(?:sess|sid|token|auth|jwt|remember|_id|user)[\w.-]{0,40}=([^\s;\"']{16,4000})", "cookie", is_one=is_generated, example="cookie: theme=dark; logged_in=yes; user_session=«kd83JDk29dkLKJD8273kdjf»"),
    row("key of any name", r"(?<![\w./-])((?:[A-Za-z][\w.-]{0,60}?)?(?:[_-][Kk]ey|[_-]KEY|[a-z]Key|(?i:\b(?:encrypt|gossip|encryption|key|crypt)(?=[\"']?\s{0,4}[:=]\s{0,4}[\"'][^\s\"']{32}))|[_-]?(?i:pat|sas|jwt|signature|nonce_secret|seed|cookie|session)))[\"']?(?:\s{0,4}[:=]\s{0,4}|\s{0,4}=>\s{0,4}|,\s{0,4})@?[\"']?([A-Za-z0-9+/=_.~-]{16,4000})(?![A-Za-z0-9])", "key", "pat", "sas", "jwt", "signature", "seed", "cookie", "session", "crypt", "gossip", is_one=is_any, example="DD-APPLICATION-KEY: «ccc7e8e60c9a6f0d9f1e1167e430ba568541264a»"),
    row("query", r"(?i)[#&?](?:access_token|id_token|refresh_token|token|sig|code|key|password|secret|api_?key|auth)=([^&\s\"'#<>]{8,4000})", "token=", "sig=", "code=", "key=", "password=", "secret=", "auth=", is_one=is_token, example="https://h/cb#access_token=«kd83JDk29dkLKJD8273kdjf»&type=bearer"),
    row("part of an address", r"(?i)https?://[^\s\"'<>]{1,200}?/(?:(?:with/)?key|token|tokens|secret|api[_-]?key|webhooks?|hooks?|services|bot|auth|hook|v\d(?=/[A-Za-z0-9_-]{30,64}[\s\"\']))/(?:[\w.@-]{1,60}/){0,3}?([A-Za-z0-9_-]{20,400})(?![A-Za-z0-9_.-])", "https://", "http://", is_one=is_generated, example="https://maker.example.org/trigger/x/with/key/«kd83JDk29dkLKJD8273kdjf»"),
    row("plain password", rf"(?im)^[^\n:=]{{0,60}}\b(?:{PASSWORD_NAME})(?: (?:is|lautet|est|es))?[ \t]{{0,4}}:[ \t]{{1,8}}([a-z]{{8,40}})[ \t\r]{{0,4}}$", *PASSWORD_NAMES, is_one=is_password, example="Das Kennwort lautet: «kettledrum»"),
    row("pass phrase", rf"(?im)\b(?:{PASSWORD_NAME})[ \t]{{0,4}}[:=][ \t]{{1,8}}((?:[a-z]{{3,12}}[ -]){{3,7}}[a-z]{{3,12}}\d{{0,4}})[ \t\r]{{0,4}}$", *PASSWORD_NAMES, is_one=is_any, example="passphrase: «correct horse battery staple»"),
    row("column of two", rf"(?im)^[ \t|│]{{0,8}}[\w./-]{{0,60}}?(?:{PASSWORD_NAME})(?:[ \t]{{1,60}}[|│]|\t| {{2,60}})[ \t]{{0,8}}([^\s|│]{{6,200}})[ \t]{{0,80}}[|│]?[ \t]{{0,8}}$", *PASSWORD_NAMES, is_one=is_typed, example=" password | «Fennel-harbor7»"),
)  # fmt: skip
