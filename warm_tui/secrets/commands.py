"""Secrets in commands, and in what consoles and devices are told: a table of rules, each with an example."""

from __future__ import annotations

from warm_tui.secrets.names import FLAGGED, NAME, Rule, row
from warm_tui.secrets.values import (
    HEX,
    UUID,
    is_chosen,
    is_generated,
    is_made,
    is_mixed_password,
    is_password,
    is_sure,
    is_typed,
)

Q = r"[\"']?"
VALUE = r"([^\s\"'`|;&<>\\]{4,400})"
ANY = r"([^\s\"'\\]{4,400})"
READS_ONE = (
    r"kinit|cryptsetup|passwd|askpass|--passphrase-fd|--[\w-]{0,30}stdin|--with-token|sudo[ \t]{1,40}-\w{0,6}S"
    r"|secrets?[ \t]{1,40}(?:set|put|add|create)|secret[ \t]{1,40}put|env[ \t]{1,40}add|vncpasswd|gpg\s|smbpasswd|faillock|openssl[ \t]{1,40}enc|docker[ \t]{1,40}secret|login\b"
)


def _is_flagged_token(value: str) -> bool:
    """A sum of hex is what other programs take behind the same flag."""
    return not HEX.fullmatch(value) and (is_generated(value) or UUID.fullmatch(value) is not None)


def _given_in_a_row(before: int) -> Rule:
    """The keys of a login that is given several, each by its place alone."""
    others = rf"(?:[\"'][^\"'\n]{{1,400}}[\"']\s{{0,4}},\s{{0,40}}){{{before}}}"
    return row(
        "given in a row",
        rf"(?:Auth|auth|Credentials?|Signer)\w{{0,30}}\(\s{{0,40}}{others}[\"']([^\"'\s]{{20,400}})[\"']\s{{0,4}}[,)]",
        "auth",
        "credential",
        "signer",
        is_one=is_generated,
        example="OAuth1UserHandler(\n" + '    "ada",\n' * before + '    "«5MlKDrR5HDXN93I2hK5ApuA5v»",\n)',
    )


COMMANDS: tuple[Rule, ...] = (
    row("device login", rf"(?m)^[ \t]{{0,8}}(?:[\w.()-]{{1,40}}[#>][ \t]?)?(?:no )?(?:username|user|enable|line)\b[^\n]{{0,80}}?\s(?:secret|password)[ \t]{{1,40}}(?:\d{{1,2}}[ \t]{{1,40}})?{Q}{ANY}", "secret", "password", is_one=is_mixed_password, example="username ada privilege 15 secret 0 «Gravel.Path9»"),
    row("device secret", rf"(?m)\b(?:secret|password|key|key-string|ascii-text)[ \t]{{1,40}}[0-9][ \t]{{1,40}}{Q}{ANY}", "secret", "password", "key", "ascii", is_one=is_mixed_password, example=" password 7 «0822455D0A16544A»"),
    row("device secret", rf"(?m)^[ \t]{{1,8}}(?:secret|password|key|key-string|passphrase|psk)[ \t]{{1,40}}{Q}([^\s\"'\\]{{6,400}}){Q}[ \t\r;]{{0,4}}$", "secret", "pass", "key", "psk", is_one=is_typed, example="tacacs server T1\n key «k7Vq2Lp9Rt4w»"),
    row("user of a monitor", r"(?m)\b(?:MD5|SHA(?:-?\d{3})?|3?DES|AES(?:-?\d{3})?)[ \t]{1,8}[\"']([^\"'\n]{8,100})[\"']", "createuser", is_one=is_mixed_password, example='createUser monitor SHA "«@jkF2bt?Vil#K064»"'),
    row("told to a server", r"(?im)(?:^[ \t>$]{0,8}(?:user|login)[ \t]{1,40}[\w.@\\-]{1,60}|\s\+login[ \t]{1,40}[\w.@\\-]{1,60}|\bnickserv[ :]{1,3}identify(?:[ \t]{1,40}\w{1,40}(?=[ \t]{1,40}\S))?)[ \t]{1,40}([^\s\"']{6,100})(?=[ \t\r]{0,4}$|[ \t]{1,4}\+)", "user", "login", "identify", is_one=is_typed, example="open ftp.example.org\nuser ada «kettle!drum96»\nbinary"),
    row("community", rf"(?i)\bcommunity[ \t]{{1,40}}{Q}([^\s\"']{{6,60}}){Q}[ \t]{{1,40}}(?:ro|rw|read|view|authorization)\b", "community", is_one=is_password, example="snmp-server community «k7Vq2Lp9» RW"),
    row("device key", rf"(?i)(?<![\w-])(?:plain-text-password-value|plain-text-password|encrypted-password|pre-shared-key|preshared-key|shared-secret|authentication-key|message-digest-key[ \t]{{1,40}}\d+[ \t]{{1,40}}md5|key-string|simple-password|isakmp[ \t]{{1,40}}key|(?:tacacs|radius)-server[ \t]{{1,40}}key|ppp[ \t]{{1,40}}chap[ \t]{{1,40}}password|wpa-psk[ \t]{{1,40}}ascii|psksecret|auth-pwd|priv-pwd|set[ \t]{{1,40}}passwd|auth[ \t]{{1,40}}(?:md5|sha\d{{0,3}})|priv[ \t]{{1,40}}(?:3?des|aes)(?:[ \t]{{1,40}}\d{{3}})?|d-i[ \t]{{1,40}}\S{{1,60}}[ \t]{{1,40}}password|rootpw(?:[ \t]{{1,40}}--\w{{1,20}})?)[ \t]{{1,40}}(?:\d[ \t]{{1,40}})?(?:ENC[ \t]{{1,40}}|ascii-text[ \t]{{1,40}})?{Q}{ANY}", "password", "key", "secret", "pwd", "ascii", "passwd", "auth", "priv", is_one=is_password, example="set vpn pre-shared-key «S3cure-tunnel»"),
    row("secret of a tunnel", r":\s{0,4}(?:PSK|XAUTH|EAP|NTLM|PIN)[ \t]{1,40}\"?([^\s\"]{4,200})", "psk", "xauth", "eap", "ntlm", "pin", is_one=is_password, example='10.1.1.1 10.2.2.2 : PSK "«Xv82kqPzz»"'),
    row("secret of a dialler", r"(?m)^[ \t]{0,8}\"?[\w.@\\-]{1,60}\"?[ \t]{1,40}(?:\*|[a-z][\w.-]{0,40})[ \t]{1,40}(?:\"([^\"\n]{4,100})\"|([^\s\"*]{6,100}))[ \t]{1,40}(?:\"?\*\"?|\d{1,3}(?:\.\d{1,3}){3})[ \t]{0,40}$", "*", ".", is_one=is_typed, example='"ada" * "«Lantern22!»" *'),
    row("wireless code", r"(?i)\bWIFI:[^\n]{0,100}?\bP:((?:[^;\n\\]|\\.){4,100});", "wifi:", is_one=is_password, example="WIFI:T:WPA;S:Office;P:«correcthorse»;;"),
    row("wireless key", rf"(?i)\bwpa_passphrase[ \t]{{1,40}}{Q}[\w .-]{{1,40}}?{Q}[ \t]{{1,40}}{Q}{ANY}{Q}[ \t]{{0,8}}$", "wpa_passphrase", is_one=is_password, example="wpa_passphrase Office «correcthorse9»"),
    row("set by a command", rf"(?i)\b(?:setx|set[ \t]{{1,40}}-[a-z]{{1,4}}|setenv|configure[ \t]{{1,40}}set|config(?:ure)?[ \t]{{1,40}}(?:set|add|--global|--local|--auth|-g)|(?:secrets?|env|variables?|parameters?|credentials?|params?)[ \t]{{1,40}}(?:set|put|add|create))[ \t]{{1,40}}(?:--?[\w-]{{1,30}}[ \t]{{1,40}}){{0,3}}{Q}[\w.:/@-]{{0,80}}?(?:{NAME}|_key|_pat|_pw){Q}(?:[ \t]{{1,40}}(?:--value[ =])?|=){Q}{VALUE}", "set", "config", "secret", "env", "variable", "param", "cred", is_one=is_password, example="pulumi config set --secret db:password «Kettle.drum2»"),
    row("set for a registry", rf"\bconfig[ \t]{{1,40}}(?:--[\w-]{{1,20}}[ \t]{{1,40}}){{0,3}}(?:pypi-token|http-basic|gitlab-token|github-oauth|bearer)\.[\w.-]{{1,60}}[ \t]{{1,40}}(?:[\w.@-]{{1,60}}[ \t]{{1,40}})?{Q}{VALUE}", "config", is_one=is_password, example="composer config http-basic.repo.example.org ada «Kettle.drum2»"),
    row("flag of a program", rf"(?i)\s(?:-pw|/p:|/pass(?:word)?:|/rp|/pwd:|-storepass|-keypass|-srcstorepass|-deststorepass|--secret-string|--pass-string|--?userpass)(?:[ \t]{{1,40}}|=)?{Q}{VALUE}", "-pw", "/p", "pass", "/rp", "--secret", is_one=is_password, example="plink ada@host -pw «Kettle.drum2»"),
    row("key for a user", r"\s(?:-u|--user)[ =]{0,2}[\"']?([A-Za-z0-9_-]{16,200}):[xX]?(?=[\s\"'])", "-u", is_one=is_generated, example="curl -u «kd83JDk29dkLKJD8273kdjf»:X https://h/api"),
    row("token flag", rf"(?m)(?:^|[\s;&|])[\w./-]{{2,30}}\s[^\n|;&]{{0,120}}?\s?-[tkTKa][ \t]{{1,40}}{Q}([A-Za-z0-9_./+=-]{{20,400}}|(?i:[0-9a-f-]{{36}}))(?=[\s\"']|$)", "-t", "-k", "-a", is_one=_is_flagged_token, example="codecov -t «1d849e2f-9070-4f99-9aad-ba9e146043bf»"),
    row("short flag of a program", r"\s-[paPwWNAXkc](?:\s{1,4}|=)?\\?(?:\"([^\"\n\\]{4,200})\"|'([^'\n]{4,200})'|([^\s\"'`|;&<>\\-][^\s\"'`|;&<>\\]{3,200}))", " -", is_one=is_password, example="redis-cli -h h -p 6380 -a '«Domino@1999»' INFO"),
    row("signed with", r"\b(?:jwt|jsonwebtoken|JWT|jose|Jwts|hmac)\.\w{1,20}\([^()\n]{0,200},\s{0,4}b?[\"']([^\"'\n]{6,200})[\"']|\b(?:createHmac|createCipheriv|createDecipheriv|hash_hmac)\([\"'][\w-]{1,20}[\"'],\s{0,4}[\"']([^\"'\n]{6,200})[\"']|\bhmac\.new\(b?[\"']([^\"'\n]{6,200})[\"']", "jwt", "jsonwebtoken", "jose", "hmac", "cipher", is_one=is_password, example="jwt.sign({ id: 1 }, '«Glacieryonder*22»', { expiresIn: '7d' })"),
    row("user and password", rf"\b(?:bundle|gem)[ \t]{{1,40}}config\s[^\n|;&]{{0,120}}?\s[\w.@-]{{1,60}}:{Q}{VALUE}", "config", is_one=is_password, example="bundle config set --global gems.example.org ada:«thistle393!»"),
    row("data of a secret", rf"\bsecrets?[ \t]{{1,40}}(?:add|create|set|update|put|edit)\b[^\n|;&]{{0,200}}?\s--(?:data|value|body|from-value|plaintext)[= ]{Q}{VALUE}", "secret", is_one=is_password, example="drone secret add --name docker_password --data «wubwzooounmr»"),
    row("given to a login", rf"(?i)\b(?:authtoken|add-authtoken|unseal|set-token|--authkey|login[ \t]{{1,40}}(?:--?\w[\w-]{{0,20}}[= ])?|token[ \t]{{1,40}}set|auth[ \t]{{1,40}}token|service[ \t]{{1,40}}install|activate|register|/ipk|connect[ \t]{{1,40}}--\w{{1,20}})\s{{0,4}}{Q}([A-Za-z0-9+/=_.:-]{{16,600}})", "authtoken", "unseal", "set-token", "--authkey", "login", "token", "install", "activate", "register", "/ipk", "connect", is_one=is_generated, example="vault operator unseal «k3jd83JD83jd+83jd83JDK39dkd93kd93k»"),
    row("keys of an alias", rf"\b(?:mc|mcli)[ \t]{{1,40}}(?:alias|config[ \t]{{1,40}}host)[ \t]{{1,40}}(?:set|add)[ \t]{{1,40}}\S{{1,60}}[ \t]{{1,40}}\S{{1,200}}[ \t]{{1,40}}{Q}{VALUE}", "alias", "config host", is_one=is_password, example="mc alias set local http://h:9000 «minioada» x"),
    row("keys of an alias", rf"\b(?:mc|mcli)[ \t]{{1,40}}(?:alias|config[ \t]{{1,40}}host)[ \t]{{1,40}}(?:set|add)[ \t]{{1,40}}\S{{1,60}}[ \t]{{1,40}}\S{{1,200}}[ \t]{{1,40}}\S{{1,200}}[ \t]{{1,40}}{Q}{VALUE}", "alias", "config host", is_one=is_password, example="mc alias set local http://h:9000 ada «Kettle.drum2»"),
    row("said to a store", rf"(?m)(?:^|[>$\"'] {{0,4}}|\b(?:redis-cli|valkey-cli)\s[^\n]{{0,80}}?)(?:(?:(?<=> )auth|AUTH)[ \t]{{1,40}}(?:[\w.-]{{1,40}}[ \t]{{1,40}})?|(?i:CONFIG[ \t]{{1,40}}SET)[ \t]{{1,40}}(?:requirepass|masterauth)[ \t]{{1,40}}){Q}{VALUE}{Q}[ \t]{{0,4}}$", "auth", "requirepass", "masterauth", is_one=is_password, example="127.0.0.1:6379> AUTH «kettledrum22»"),
    row("said to a store", r"(?i)\bACL[ \t]{1,40}SETUSER\b[^\n]{0,200}?\s[\"']?>([^\s\"']{4,200})", "setuser", is_one=is_password, example="ACL SETUSER ada on >«kettledrum» ~* +@all"),
    row("said on a wire", r"(?:^|\\n|\n|\"|')AUTH(?:\\r\\n|\r?\n)(?:\$\d{1,4}(?:\\r\\n|\r?\n)[^\s\\]{1,100}(?:\\r\\n|\r?\n))?\$\d{1,4}(?:\\r\\n|\r?\n)([^\s\\]{4,200})", "auth", is_one=is_password, example="*2\n$4\nAUTH\n$10\n«kettledrum»\n"),
    row("said to the database", r"(?i)\bidentified[ \t]{1,40}(?:with[ \t]{1,40}\w{1,40}[ \t]{1,40})?by[ \t]{1,40}\\?\"([^\s\"\\]{4,200})", "identified", is_one=is_password, example='ALTER USER ada IDENTIFIED BY "«kettledrum»"'),
    row("said to the database", r"(?i)\b(?:create|alter|grant)\s[^\n;]{0,200}?\bidentified[ \t]{1,40}by[ \t]{1,40}([^\s;\"'\\,)]{4,200})", "identified", is_one=lambda value: is_password(value) and value.lower() != "values", example="CREATE USER ada IDENTIFIED BY «kettledrum22»;"),
    row("said to the database", r"(?i)\b(?:create|alter)[ \t]{1,40}(?:user|role|login)\s[^\n;]{0,120}?\bpassword\s{0,4}=?\s{0,4}(?:N?'|\"|\\\")([^'\"\n\\]{4,200})", "password", is_one=is_password, example="ALTER ROLE ada WITH LOGIN PASSWORD '«kettledrum»';"),
    row("said to the database", rf"(?i)\b(?:mysqladmin|mariadb-admin)\s[^\n|;&]{{0,120}}?\spassword[ \t]{{1,40}}{Q}{VALUE}", "admin", is_one=is_password, example="mysqladmin -u root password '«Kettle.drum2»'"),
    row("user and password", rf"(?i)\bnet[ \t]{{1,40}}user[ \t]{{1,40}}(?!/){Q}[\w.\\-]{{1,60}}{Q}[ \t]{{1,40}}{Q}([^\s\"'/*][^\s\"']{{3,100}})", "net user", is_one=is_password, example="net user ada «Indigo_2020» /add"),
    row("user and password", r"(?i)\bnet use\s[^\n|&]{0,80}?\\\\[^\s\"']{1,100}[\"']?\s{1,4}[\"']?([^\s\"'/*][^\s\"']{3,100})[\"']?\s{1,4}/u(?:ser)?:", "net use", is_one=is_password, example=r"net use Z: \\fs01\projects «Kettle.drum2» /user:CORP\ada"),
    row("user and password", rf"(?i)\b(?:dsmadd|dscl\s[^\n]{{0,80}}?-passwd[ \t]{{1,40}}\S{{1,80}}|smbmap\s[^\n]{{0,80}}?-p|evil-winrm\s[^\n]{{0,80}}?-p|crackmapexec\s[^\n]{{0,80}}?-p|lftp\s[^\n]{{0,60}}?--password|curl\s[^\n]{{0,80}}?--pass)[ \t]{{1,40}}{Q}{VALUE}", "dscl", "smbmap", "winrm", "crackmap", "lftp", "curl", is_one=is_password, example="dscl . -passwd /Users/ada «Kettle.drum2»"),
    row("piped", rf"\b(?:echo|printf)[ \t]{{1,40}}(?:-\w{{1,3}}[ \t]{{1,40}})?(?:[\"']%s(?:\\n)?[\"'][ \t]{{1,40}})?(?:\"([^\"\n$]{{4,400}})\"|'([^'\n]{{4,400}})'|([^\s\"'|$]{{4,400}}))[ \t]{{0,8}}\|[^|\n]{{0,80}}?(?:{READS_ONE})", "echo", "printf", is_one=is_password, example="echo -n '«kettledrum»' | cryptsetup luksOpen /dev/sda2 x -"),
    row("piped", rf"(?:{READS_ONE})[^\n]{{0,80}}?<<<[ \t]{{0,8}}(?:\"([^\"\n$]{{4,400}})\"|'([^'\n]{{4,400}})'|([^\s\"'|$]{{4,400}}))", "<<<", is_one=is_password, example="gh auth login --with-token <<< '«kd83jdk29dkLKJD8»'"),
    row("answered prompt", r"(?i)(?:assword|assphrase)[^\n]{0,40}\n[ \t]{0,20}send(?:_user)?\s(?:-- )?[\"']([^\"'\n\\]{4,100})(?:\\+[rn])?[\"']", "send", is_one=is_password, example='expect "password:"\nsend "«Pickle.tundra»\\r"'),
    row("stored as a secure string", rf"(?i)\bput-parameter\b[^\n]{{0,300}}?SecureString[^\n]{{0,200}}?--value[= ]\\?{Q}([^\s\"']{{4,400}})", "put-parameter", is_one=is_password, example="aws ssm put-parameter --name /x --type SecureString --value '«Bramble$99?marx»'"),
    row("stored as a secure string", rf"(?i)\bput-parameter\b[^\n]{{0,200}}?--value[= ]\\?{Q}([^\s\"']{{4,400}})[^\n]{{0,200}}?SecureString", "put-parameter", is_one=is_password, example="aws ssm put-parameter --value '«Bramble$99?marx»' --type SecureString"),
    row("call with a login", r"\b[\w.]{0,60}(?:Password|Credential|Secret|Token|[Ll]ogin|[Aa]uth|(?i:connect(?:ion)?)(?=\((?:[^(),\n]{1,200},\s{0,4}){2}))[\w.]{0,40}\((?:[^()\n]{0,200},\s{0,4})[\"']([^\"'\n]{6,200})[\"']\s{0,4}(?:\)|,\s{0,4}(?:[{\[]|[\"']{2}|null|nil|None))", "password", "credential", "secret", "token", "login", "auth", "connect", is_one=is_made, example="new UsernamePasswordCredentialsImpl(GLOBAL, 'id', 'ada', '«Nm17*ypKK0P»')"),
    *map(_given_in_a_row, range(4)),
    row("call with a secret", r"(?:\.|->|:)(?i:set_?|with_?|add_?)?(?i:pass(?:word|wd|phrase)?|pwd|secret|api_?key|auth)\(\s{0,4}[\"']([^\"'\n]{6,200})[\"']\s{0,4}\)", "pass", "pwd", "secret", "key", "auth", is_one=is_chosen, example='Config::new().user("ada").password("«w4lnut43!»").host("h")'),
    row("flag of a secret", rf"(?i)\s--?{FLAGGED}(?:=|[ \t]{{1,40}})(?:\"([^\"\n$]{{4,400}})\"|'([^'\n]{{4,400}})')", "pass", "secret", "token", "key", "pwd", "pw", is_one=is_password, example="tool --admin-password '«Kettle drum 2»'"),
    row("login of a mailbox", r"(?im)^(?:[CS<>]:? )?PASS ([^\s]{4,100})[ \t\r]{0,4}$", "pass ", is_one=is_password, example="PASS «Maple-ridge»"),
    row("login on a terminal", r"(?m)^(?:\S{1,40} )?(?:[Ll]ogin|[Uu]ser ?name|[Uu]ser)\s?: ?\S{1,60}[ \t\r]{0,4}\n[ \t]{0,8}(?:[\w@.' -]{1,40} )?[Pp]ass(?:word|phrase|code)?\s?: ?(\S{4,100})[ \t\r]{0,4}$", "pass", is_one=is_password, example="login: ada\nPassword: «wintergreen»"),
    row("sums of an account", r"(\*[0-9A-F]{40})\b", "*", is_one=is_sure, example="| ada | «*94BDCEBE19083CE2A1F959FD02F964C7AF4CFC29» |"),
    row("sums of an account", r"(\{(?:S?SHA\d{0,3}|S?MD5|CRYPT|PBKDF2[\w-]{0,20}|ARGON2)\}[A-Za-z0-9+/=$.,]{16,400})", "}", is_one=is_sure, example="userPassword: «{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=»"),
    row("sums of an account", r"(SCRAM-SHA-\d{1,3}\$\d{1,7}:[A-Za-z0-9+/=]{8,100}\$[A-Za-z0-9+/=:]{20,200})", "scram-sha", is_one=is_sure, example="ada | «SCRAM-SHA-256$4096:c2FsdHNhbHQ=$abcdefabcdefabcd:efabcdefabcd»"),
)  # fmt: skip
