"""Each rule that has an example finds its secret, and leaves what stands in the same place without being one."""

from __future__ import annotations

import json
import re

import pytest

from warm_tui.secrets.detection import find_secrets
from warm_tui.secrets.headings import HEADINGS, Heading, below_headings
from warm_tui.secrets.names import Rule
from warm_tui.secrets.redactor import Redactor
from warm_tui.secrets.rules import RULES

REDACTOR = Redactor(b"a key of the tests")
ROWS = [rule for rule in RULES if rule.believed is not None]


@pytest.mark.parametrize("rule", ROWS, ids=lambda rule: f"{rule.name}-{ROWS.index(rule)}")
def test_a_rule_finds_the_secret_of_its_example(rule: Rule) -> None:
    (secret,) = re.findall(r"«([^»]+)»", rule.example)
    text = re.sub("[«»]", "", rule.example)
    assert any(need in text.lower() for need in rule.needs), "what it needs stands in it"
    assert any(secret.strip() in (match[0] or "") for match in rule.pattern.finditer(text))
    assert secret.strip() not in REDACTOR.redact(text)
    assert rule.name in {found.rule for found in find_secrets(text)} or secret not in REDACTOR.redact(text)


@pytest.mark.parametrize("heading", HEADINGS, ids=lambda heading: heading.name)
def test_a_heading_tells_of_the_secret_below_it(heading: Heading) -> None:
    (secret,) = re.findall(r"«([^»]+)»", heading.example)
    text = re.sub("[«»]", "", heading.example)
    assert any(need in text.lower() for need in heading.needs), "what it needs stands in it"
    assert (secret, heading.name) in set(below_headings(text, text.lower()))
    assert secret not in REDACTOR.redact(text)


LEFT = {
    "a prompt that is answered by a variable": 'read -rsp "Password: " PASSWORD; ./login.sh --user "$USER"',
    "a rule of validation": "'password' => 'required|string|min:12|confirmed',",
    "a template of a vault": 'password = "{{ with secret "database/creds/app" }}{{ .Data.password }}{{ end }}"',
    "a form": '{type: "text", password: "input", token: function(t) { return t.token || null }}',
    "a signature's key": "gpg:                using EDDSA key 4BBA48F2D251776F4CB6A45389AAF4351753D23D",
    "a sample of a metric, in powers of ten": "# TYPE auth_token_total counter\nprocess_resident_memory_bytes 8.3931136e+07",
    "a table of a vault that holds switches": "====== Data ======\nKey       Value\n---       -----\nregion    eu-west-1\nenabled   true",
    "a header that holds a word": '[{"name":"x-csrf-token","value":"required"},{"name":"x-auth-mode","value":"7f3"}]',
    "a cache key": "Cache restored from key: linux-node-4bba48f2d251776f4cb6a45389aaf4351753d23d",
    "a public key": "PublicKey = Fxl7iKr5kt0sD1lKDOXKXEeChcc/9vUFUhSc/C5z9dW=",
    "a sum of a package": "  jwt (2.7.1) sha256=a5a98d8f1f58016bb5581131c71e614dc5555546b264d6e6174b2babdefc9f3a",
    "a sum of a secret": "checksum/secret: b388e957f6eb3e41048eefcbb1dc3d4433cff85dd4d120ce2d293ac1cb6aba68",
    "a commit below a word": "https://api.example.org/repos/acme/password-hasher/zipball/4caba632efafd5293334f9b17a2b220a42d23a57",
    "a form of a hash": "Store an Argon2id hash (`$argon2id$v=19$m=65536,t=3,p=4$<salt>$<hash>`).",
    "modules of a login": "auth       sufficient pam_rootok.so\nauth       required   pam_shells.so",
    "a filter behind a flag": "ansible all -m setup -a 'gather_subset=!all,network'",
    "a word of English": 'it was identified as "derived from the work", and identified by colour',
    "a function with key in its name": "decrypt_key = openssl_gcm_aes192_set_decrypt_key(context)",
    "the verb": "If we pass bytes to `_encode_params`, the dtype is `<U3`, and to MD5Init",
    "objects of a cluster": "NAME            TYPE     DATA   AGE\ndb-password     Opaque   2      41d\ntoken-x7k2p     tls      3      41d",
    "the doc of a field": "| Name | Type | Text |\n|---|---|---|\n| password | string | The password of the user |",
    "a state of a token": "USER     TOKEN    STATUS\nada      expired  inactive",
    "a name for a line": "export GITHUB_TOKEN=ghp_" + "x" * 36 + "\nDB_PASSWORD=changeme\n",
    "a scheme that a name is joined to": 'req.Header.Set("Authorization", "Bearer "+cfg.Token)',
    "what redis prints as an example": "# requirepass foobared\n# masterauth <master-password>",
    "an address and a place": "ada@example.org / Berlin, bob@example.org / Room 4",
    "a sentence of a policy": "The password must have at least 8 characters, 1 digit and 1 symbol.",
    "a fingerprint of hardware": "Serial Number:\n    f6:c6:3b:c2:03:56:9c:bb:e1:ec:be:aa:de:21:fb:8a\nSubject Key Identifier:\n    70:FB:5C:CC:F5:8E:ED:87:7D:D9",
    "a public key in armour": "-----BEGIN PUBLIC KEY-----\nbd/cwKb3+g/Nz4xT/ZtCRYAoVMgjlLOO62a5XZ2MR3e/GovOxVCBwpT3cSFx\n-----END PUBLIC KEY-----",
    "a key of a name server": "example.org. 3600 IN DNSKEY 257 3 13 hqjlUswHWw5u8TzbMqRm8e6JQsDPkNwHAXuYiJmt/aJiKcFbSE8fyyDNarfE5lYR+gyh41m2cOjDGOTDNJ0k8A==",
    "a fingerprint in the environment": '"GPG_KEY=69599ADD1DC35FC0F561D651CB21AAC918E40BD2",',
    "a property in words": "login.password=Parola d'ordine\nlogin.password.forgotten=Password dimenticata?",
    "an address of a webhook to fill in": "URL=https://hooks.slack.com/services/T00000000/B00000000/" + "X" * 24,
    "a name in capitals": "otpauth://totp/LABEL?secret=BASE32SECRET&issuer=ISSUER",
    "a name between marks": "<password>@PASSWORD@</password>",
    "a tag of a document": "auth:\n  password: !vault-ref secret/orders#password\n  token: !env API_TOKEN",
    "a schema": '{"required":["username","password"],"properties":{"password":{"format":"password","minLength":12}}}\nend',
    "an id behind a name": "auth::token: token validated request_id=f43fe6d0-0d3a-45e1-ba5a-bfe51d68529b",
    "a name that is looked up": "s_auth = r.headers.get('www-authenticate2', '')\ntoken = os.environ.get('GITLAB_TOKEN_2')",
    "a key of a store": '2) "token:blacklist:8826"',
    "a path of words": "aws secretsmanager get-secret-value --secret-id prod/catalog/db",
    "an expression that masks": "sed -i 's/password=.*/password=REDACTED/' config.ini",
    "words that ask for a change": "JWT_SECRET=change-me-in-production",
    "a time beside a name": "db-password  2026-02-11T10:02:11  automatic",
    "a sentence in quotes": 'errors:\n  password: "muss mindestens 8 Zeichen haben"',
    "labels of a screen": '{"settings.apiKey": "API-Schlüssel", "settings.secret": "Geheimnis"}',
    "the token of a page": '{"nextPageToken":"2SAXdh1wi16bogsJ4MKm2A-rKAlWZKw7fQt4z0Y5","prevPageToken":null}',
    "the end of a program": "body:JSON.stringify({user:r,password:o})})}",
    "a version": "passwd 1:4.13+dfsg1-4ubuntu3.2",
    "a sum of a token": '{"auth":{"client_token":"hmac-sha256:69a526c996e06b1f17474261c2c812241f7aca57260d424c9f346435c1cdb419"}}',
    "a key that may be published": "Publishable key: pk_live_51" + "1KTSrV4kKOmaxUfzHmgllMEBZdOeL8Npw",
    "keys that may enter": "$ cat ~/.ssh/authorized_keys\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIaD04J30UKle lena@laptop",
    "a module of a login": "passwd[28888]: pam_unix(passwd:chauthtok): password changed for ada",
    "an algorithm": "Password hashing moved from bcrypt to argon2id (m=64MiB, t=3, p=1)",
    "a rule of a language without blanks": "パスワードは8文字以上で入力してください。",
    "an address in memory": "login (user=0x5555555592a0, password=0x5555555592c0) at auth.c:41",
    "a name in a program": "    private_key: PKCS7PrivateKeyTypes,\n    key: ed25519.Ed25519PrivateKey,",
    "the verb with an argument": "I should pass `offset=0`, or pass\n\npid1_start = 1",
    "a wrong password": "Das Passwort ist falsch oder abgelaufen.\nLe mot de passe est obligatoire.",
}


@pytest.mark.parametrize("name", LEFT)
def test_what_stands_where_a_secret_might_is_left(name: str) -> None:
    assert REDACTOR.redact(LEFT[name]) == LEFT[name]


MASKED = {
    "a statement's rows": (
        "INSERT INTO `members` (`id`,`login`,`password`) VALUES (1,'ada','SZRmzXffYG4y6'),(2,'bob','QOpziwe289');",
        ["SZRmzXffYG4y6", "QOpziwe289"],
    ),
    "a script without blanks": (
        "検証環境のパスワードは「falc0n_granite47」です。数据库密码是Eagle1260,用户名是root",
        ["falc0n_granite47", "Eagle1260"],
    ),
    "an answer among words": (
        "[22:16] ada: what's the admin pw on staging?\n[22:17] bob: it's tundra82, we never changed it",
        ["tundra82"],
    ),
    "a flag of a program nobody knows": ("racadm -r 10.1.1.1 -u root -p Nectar1987! getsysinfo", ["Nectar1987!"]),
    "flags that one program takes": (
        "snmpwalk -v3 -u ada -A 'EyoFX5D72Hxvs9Be' -x AES -X 'sofia1978' 10.1.1.1",
        ["EyoFX5D72Hxvs9Be", "sofia1978"],
    ),
    "a section of users": ("[admins]\nada = *68onyxQtig\n\n[http]\nport = 5984", ["*68onyxQtig"]),
    "a map of parameters": ("params={username=[ada], password=[Indigo537], remember=[on]}", ["Indigo537"]),
    "headers as objects without blanks": (
        '[{"name":"x-amz-security-token","value":"FwoGZXIvYXdzENnNtoPl"},{"name":"DB_PASSWORD","value":"kettledrum"}]',
        ["FwoGZXIvYXdzENnNtoPl", "kettledrum"],
    ),
    "a name in quotes": ("The password of `ada` was reset to `YonderCinder10`.", ["YonderCinder10"]),
    "letters that make no words": ("client a {\n  secret = HxjlmCPIUhfuydGmtVyF\n}", ["HxjlmCPIUhfuydGmtVyF"]),
    "a token of hex that is said to be one": (
        "The token I created is `3369f33e85e4d5e0a9292897e2a2e21a9361797b`.",
        ["3369f33e85e4d5e0a9292897e2a2e21a9361797b"],
    ),
}


@pytest.mark.parametrize("place", MASKED)
def test_secrets_are_masked_wherever_such_stand(place: str) -> None:
    text, secrets = MASKED[place]
    masked = REDACTOR.redact(text)
    assert [secret for secret in secrets if secret in masked] == []


FRAMED = {
    "a narrow screen": "{}\n{}",
    "a frame": "│ {} │\n│ {} │",
    "an indentation": "    {}\n    {}",
}


@pytest.mark.parametrize("frame", FRAMED)
def test_a_token_that_a_screen_broke_is_masked_whole(frame: str) -> None:
    one, other = "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEiLCJyb2xlIjoi", "YWRtaW4ifQ.x7Kq2Lp9Zt4Vw8Rb3Nc6Md1Fg5Hj"
    masked = REDACTOR.redact("token:\n" + FRAMED[frame].format(one, other))
    assert one not in masked
    assert other not in masked


TABLES = {
    "bars": "┌──────┬───────────┐\n│ user │ password  │\n├──────┼───────────┤\n│ ada  │ {:<9} │\n└──────┴───────────┘",
    "blanks": "USER     PASSWORD    ROLE\nada      {}  admin",
    "commas": 'name,username,password,url\nAcme,ada,{},https://acme.example\nBlog,bob,"w1th,comma!",https://blog.example',
    "settings": "Key         Value\n---         -----\npassword    {}\nusername    ada",
    "marks": "| Service | Login | Password |\n|---|---|---|\n| Board | admin | `{}` |",
}


@pytest.mark.parametrize("table", TABLES)
def test_a_password_in_a_table_is_masked(table: str) -> None:
    masked = REDACTOR.redact(TABLES[table].format("kettledrum"))
    assert "kettledrum" not in masked
    assert "w1th,comma!" not in masked


def test_a_secret_far_from_any_telling_word_is_found_where_its_own_word_stands() -> None:
    prose = "a line of work that says nothing at all\n" * 40
    text = f"{prose}password = 'kettledrum'\n{prose}the api key:\n\nq8Zr41LmPx0Kd7Vw\n{prose}"
    masked = REDACTOR.redact(text)
    assert "kettledrum" not in masked
    assert "q8Zr41LmPx0Kd7Vw" not in masked
    assert masked.count(prose) == 3


@pytest.mark.parametrize(
    "fields",
    [
        {"kty": "EC", "crv": "P-256", "d": "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"},
        {"fields": [{"id": "password", "type": "CONCEALED", "value": "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"}]},
        {"encrypt": "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE="},
        {"passphrase": "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"},
    ],
)
def test_fields_of_an_object_are_known_by_those_beside_them(fields: dict[str, object]) -> None:
    assert "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE" not in REDACTOR.redact(json.dumps(fields))


def test_words_are_a_secret_under_the_name_of_one() -> None:
    assert "horse" not in REDACTOR.redact(json.dumps({"passphrase": "correct horse battery staple"}))
    said = json.dumps({"password": "the password of the user"})
    assert REDACTOR.redact(said) == said


def test_a_password_for_an_app_is_masked_behind_its_name_alone() -> None:
    assert "qzmu" not in REDACTOR.redact('host smtp.example.org\npassword       "qzmu ddtc vdbj glyk"')
