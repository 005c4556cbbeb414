# ruff: noqa
"""The values that stand in the templates: secrets of every kind, and what only looks like one."""

import random, re, json, base64, zlib, string, os, sys, uuid, urllib.parse, collections, hashlib

D = string.digits
L = string.ascii_lowercase
U = string.ascii_uppercase
ALN = U + L + D
B62 = D + U + L
R = random.Random(0)


def pick(a, n):
    return "".join(R.choice(a) for _ in range(n))


WORDS = "otter maple copper harbor velvet tundra pickle walnut comet saddle marble ginger falcon lantern bramble cactus dolphin ember fjord glacier hazel indigo juniper kettle lemon meadow nectar orchid pepper quartz raven sierra thistle umber violet willow yonder zephyr badger cobalt anchor biscuit cinder domino".split()
NAMES = "anna bruno carla diego elif farid greta hugo ines jonas kasia liam mara nikos olga pavel quinn rosa stefan tova ugo vera wanda yusuf zoe martin daniel sofia lucas emma".split()
SERV = "billing checkout orders ledger payments search catalog inventory notifier gateway reports scheduler ingest profile shipping media sessions".split()
COS = (
    "northwind brightloaf halden kestrel oakfield lumen piperstack greyhaven tessera fernhill orbital mossgate".split()
)
MNEM = "abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid acoustic acquire across act action actor actress actual adapt add addict address adjust admit adult advance advice aerobic affair afford afraid again age agent agree ahead aim air airport aisle alarm album alcohol alert alien all alley allow almost alone alpha already also alter always amateur amazing among amount bracket brain brand brass brave bread breeze brick bridge brief bright bring brisk broccoli broken bronze broom brother brown brush curtain curve cushion custom cute cycle damage damp dance danger daring hybrid ice icon idea identify idle ignore ill illegal orchard order ordinary organ orient original orphan ostrich other outdoor outer output velvet vendor venture venue verb verify version very vessel veteran".split()


def cap(w):
    return w[0].upper() + w[1:]


def h_pwu():
    a, b = R.choice(WORDS), R.choice(WORDS)
    n = R.randint(10, 99)
    y = R.randint(1978, 2025)
    nm = R.choice(NAMES)
    return R.choice(
        [
            lambda: a + b,
            lambda: cap(nm) + "%02d%02d" % (R.randint(1, 28), R.randint(1, 12)),
            lambda: nm + str(y),
            lambda: "qwe" + a + "!" + str(n),
            lambda: cap(a) + str(y) + "!",
            lambda: a + "-" + b + "-" + str(n),
            lambda: cap(a) + cap(b) + str(n),
            lambda: a + str(n) + b,
            lambda: cap(a) + "_" + str(y),
            lambda: a.replace("e", "3").replace("a", "4").replace("o", "0") + str(n) + "!",
            lambda: cap(a) + "." + b + "." + str(n),
            lambda: pick(ALN, R.randint(10, 20)),
            lambda: pick(ALN + "_-.!", 15) + pick(ALN, 1),
            lambda: cap(a) + str(n) + "!!" + cap(b),
        ]
    )()


def h_pw():
    a, b = R.choice(WORDS), R.choice(WORDS)
    n = R.randint(10, 99)
    y = R.randint(1978, 2025)
    return R.choice(
        [
            h_pwu,
            lambda: "My%s&%d!" % (cap(a), n),
            lambda: cap(a) + "@" + str(y),
            lambda: b + "#" + cap(a) + str(n),
            lambda: pick(ALN + "!@#$%^&*+=?", 16) + pick(ALN, 2),
            lambda: "P@ss" + cap(a) + str(n),
            lambda: "%s%s*%d" % (cap(b), a, n),
            lambda: cap(a) + "$" + str(n) + "?" + b[:3] + "x",
            lambda: a[:4] + "!" + b[:4] + "%" + str(n),
        ]
    )()


def h_pws():  # short, chosen
    a = R.choice([w for w in WORDS if len(w) < 7])
    return R.choice(
        [a + str(R.randint(1, 99)), cap(a) + "!", a + "!" + str(R.randint(1, 9)), cap(a) + str(R.randint(10, 99))]
    )


def h_phrase():
    return " ".join(R.choice(WORDS) for _ in range(4))


def b64(b):
    return base64.b64encode(b).decode()


def b64u(b):
    return base64.urlsafe_b64encode(b).decode().rstrip("=")


def rb(n):
    return bytes(R.getrandbits(8) for _ in range(n))


def crc62(s):
    n = zlib.crc32(s.encode())
    o = ""
    while n:
        o = B62[n % 62] + o
        n //= 62
    return o.rjust(6, "0")


def gh(p):
    b = pick(ALN, 30)
    return p + b + crc62(b)


def h_jwt():
    hd = R.choice([{"alg": "HS256", "typ": "JWT"}, {"alg": "RS256", "typ": "JWT", "kid": pick(L + D, 8)}])
    pl = R.choice(
        [
            {"sub": pick(D, 10), "name": R.choice(NAMES), "iat": R.randint(17e8, 176e7)},
            {
                "iss": "https://auth.%s.io" % R.choice(COS),
                "sub": "usr_" + pick(L + D, 10),
                "exp": R.randint(17e8, 18e8),
                "scope": "read write",
            },
        ]
    )
    sig = rb(32 if hd["alg"] == "HS256" else 256)
    j = lambda o: b64u(json.dumps(o, separators=(",", ":")).encode())
    return j(hd) + "." + j(pl) + "." + b64u(sig)


def h_basic():
    return b64((R.choice(NAMES + SERV) + ":" + h_pw()).encode())


def h_date():
    return "20%d-%02d-%02d" % (R.randint(23, 26), R.randint(1, 12), R.randint(1, 28))


def h_time():
    return "%02d:%02d:%02d" % (R.randint(0, 23), R.randint(0, 59), R.randint(0, 59))


PEMH = {
    "P8EC": ("PRIVATE KEY", base64.b64decode("MIGTAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBHkwdwIBAQQg"), 150),
    "RSA": ("RSA PRIVATE KEY", b"\x30\x82\x04\xa4\x02\x01\x00\x02\x82\x01\x01\x00", 1192),
    "PKCS8": (
        "PRIVATE KEY",
        b"\x30\x82\x04\xbe\x02\x01\x00\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00\x04\x82\x04\xa8\x30\x82\x04\xa4\x02\x01\x00\x02\x82\x01\x01\x00",
        1218,
    ),
    "EC": ("EC PRIVATE KEY", b"\x30\x77\x02\x01\x01\x04\x20", 121),
    "OPENSSH": (
        "OPENSSH PRIVATE KEY",
        b"openssh-key-v1\x00\x00\x00\x00\x04none\x00\x00\x00\x04none\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x33\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20",
        274,
    ),
    "ED8": ("PRIVATE KEY", bytes.fromhex("302e020100300506032b657004220420"), 48),
}


def h_pem(t, w=64):
    name, pre, n = PEMH[t]
    w = 70 if t == "OPENSSH" else w
    s = b64(pre + rb(n - len(pre)))
    return name, [s[i : i + w] for i in range(0, len(s), w)]


def h_cert():
    s = b64(b"\x30\x82\x03\x75\x30\x82\x02\x5d\xa0\x03\x02\x01\x02\x02\x14" + rb(700))
    return (
        "-----BEGIN CERTIFICATE-----\n"
        + "\n".join(s[i : i + 64] for i in range(0, len(s), 64))
        + "\n-----END CERTIFICATE-----"
    )


def h_pub():
    s = b64(
        bytes.fromhex("30820122300d06092a864886f70d01010105000382010f003082010a0282010100")
        + rb(256)
        + b"\x02\x03\x01\x00\x01"
    )
    return (
        "-----BEGIN PUBLIC KEY-----\n"
        + "\n".join(s[i : i + 64] for i in range(0, len(s), 64))
        + "\n-----END PUBLIC KEY-----"
    )


def h_hexdump():
    o = []
    for i in range(R.randint(3, 7)):
        b = rb(16)
        o.append(
            "%08x  %s  %s  |%s|"
            % (
                i * 16,
                " ".join("%02x" % x for x in b[:8]),
                " ".join("%02x" % x for x in b[8:]),
                "".join(chr(x) if 32 <= x < 127 else "." for x in b),
            )
        )
    return "\n".join(o)


def bech(n):
    return pick("qpzry9x8gf2tvdw0s3jn54khce6mua7l", n)


H = {
    "fp32": lambda: ":".join("%02X" % x for x in rb(32)),
    "nkey": lambda: pick(U + "234567", 55),
    "winkey": lambda: "-".join(pick("BCDFGHJKMPQRTVWXY2346789", 5) for _ in range(5)),
    "bech38": lambda: bech(38),
    "sasl": lambda: b64(("\0%s\0%s" % (R.choice(SERV), h_pw())).encode()),
    "djk": lambda: pick(L + D + "!@#^&*(-_=+)", 49) + pick(L, 1),
    "apw": lambda: "-".join(pick(L, 4) for _ in range(4)),
    "mytmp": lambda: pick(ALN, 6) + R.choice("!;,=#&") + pick(ALN, 4) + R.choice("?>+") + pick(L, 1),
    "elp": lambda: pick(ALN + "+=*-_", 19) + pick(ALN, 1),
    "pw": h_pw,
    "pwu": h_pwu,
    "pws": h_pws,
    "phrase": h_phrase,
    "jwt": h_jwt,
    "basic": h_basic,
    "date": h_date,
    "time": h_time,
    "cert": h_cert,
    "pub": h_pub,
    "hexdump": h_hexdump,
    "pwx": lambda: urllib.parse.quote(
        R.choice(["p/%s#%d", "%s@%d!", "%s&%d=", "a %s?%d"]) % (cap(R.choice(WORDS)), R.randint(100, 9999)), safe=""
    ),
    "b64pw": lambda: b64((h_pw() + R.choice(["", "\n", ""])).encode()),
    "uuid": lambda: str(uuid.UUID(int=R.getrandbits(128), version=4)),
    "word": lambda: R.choice(WORDS),
    "name": lambda: R.choice(NAMES),
    "svc": lambda: R.choice(SERV),
    "co": lambda: R.choice(COS),
    "ip": lambda: "10.%d.%d.%d" % (R.randint(0, 255), R.randint(0, 255), R.randint(1, 254)),
    "n": lambda: str(R.randint(2, 99)),
    "nn": lambda: str(R.randint(100, 9999)),
    "ghp": lambda: gh("ghp_"),
    "gho": lambda: gh("gho_"),
    "ghs": lambda: gh("ghs_"),
    "ghpat": lambda: "github_pat_11" + pick(U + D, 20) + "_" + pick(ALN, 59),
    "npm": lambda: gh("npm_"),
    "glpat": lambda: "glpat-" + pick(ALN + "_-", 19) + pick(ALN, 1),
    "akia": lambda: "AKIA" + pick(U + "234567", 16),
    "asia": lambda: "ASIA" + pick(U + "234567", 16),
    "awss": lambda: b64(rb(30)),
    "awst": lambda: "IQoJb3JpZ2luX2Vj" + b64(rb(270)) + "==",
    "gapi": lambda: "AIza" + "Sy" + pick(ALN + "_-", 33),
    "ya29": lambda: "ya29.a0" + pick(ALN + "_-", 160),
    "goc": lambda: "GOCSPX-" + pick(ALN + "_-", 28),
    "xoxb": lambda: "xoxb-%s-%s-%s" % (pick(D, 12), pick(D, 13), pick(ALN, 24)),
    "xoxp": lambda: "xoxp-%s-%s-%s-%s" % (pick(D, 12), pick(D, 12), pick(D, 13), pick("abcdef" + D, 32)),
    "xapp": lambda: "xapp-1-A%s-%s-%s" % (pick(U + D, 10), pick(D, 13), pick("abcdef" + D, 64)),
    "slackhook": lambda: "T%s/B%s/%s" % (pick(U + D, 8), pick(U + D, 10), pick(ALN, 24)),
    "stripe": lambda: "sk_live_51" + pick(ALN, 97),
    "rkstripe": lambda: "rk_live_51" + pick(ALN, 97),
    "whsec": lambda: "whsec_" + pick(ALN, 32),
    "anth": lambda: "sk-ant-api03-" + pick(ALN + "_-", 93) + "AA",
    "oai": lambda: "sk-proj-" + pick(ALN + "_-", 74) + "T3BlbkFJ" + pick(ALN + "_-", 74),
    "hf": lambda: "hf_" + pick(U + L, 34),
    "dop": lambda: "dop_v1_" + pick("abcdef" + D, 64),
    "sg": lambda: "SG." + pick(ALN + "_-", 22) + "." + pick(ALN + "_-", 42) + pick(ALN, 1),
    "mailgun": lambda: "key-" + pick("abcdef" + D, 32),
    "pypi": lambda: "pypi-AgEIcHlwaS5vcmc" + pick(ALN + "_-", 150),
    "azkey": lambda: b64(rb(64)),
    "hvs": lambda: "hvs.CAESI" + pick(ALN + "_-", 90),
    "tfc": lambda: pick(ALN, 14) + ".atlasv1." + pick(ALN, 67),
    "shp": lambda: "shpat_" + pick("abcdef" + D, 32),
    "dckr": lambda: "dckr_pat_" + pick(ALN + "_-", 26) + pick(ALN, 1),
    "tg": lambda: pick("123456789", 1) + pick(D, 9) + ":AA" + pick(ALN + "_-", 33),
    "disc": lambda: b64u(pick(D, 18).encode()) + "." + pick(ALN, 6) + "." + pick(ALN + "_-", 38),
    "sq": lambda: "sqp_" + pick("abcdef" + D, 40),
    "grafana": lambda: "glsa_" + pick(ALN, 32) + "_" + pick("abcdef" + D, 8),
    "linear": lambda: "lin_api_" + pick(ALN, 40),
    "notion": lambda: "ntn_" + pick(D, 11) + pick(ALN, 35),
    "age": lambda: "AGE-SECRET-KEY-1" + bech(58).upper(),
    "agepub": lambda: "age1" + bech(58),
    "twk": lambda: "SK" + pick("abcdef" + D, 32),
    "nrak": lambda: "NRAK-" + pick(U + D, 27),
    "doppler": lambda: "dp.st.prd." + pick(ALN, 43),
    "pscale": lambda: "pscale_pw_" + pick(ALN + "_-", 42) + pick(ALN, 1),
    "cargo": lambda: "cio" + pick(ALN, 32),
    "rubyg": lambda: "rubygems_" + pick("abcdef" + D, 48),
    "databricks": lambda: "dapi" + pick("abcdef" + D, 32),
    "atl": lambda: "ATATT3xFfGF0" + pick(ALN + "_-", 171) + "=" + pick("ABCDEF" + D, 8),
    "fly": lambda: "FlyV1 fm2_" + pick(ALN + "+/", 160),
    "sbp": lambda: "sbp_" + pick("abcdef" + D, 40),
    "groq": lambda: "gsk_" + pick(ALN, 52),
    "okta": lambda: "00" + pick(ALN + "_-", 40),
    "ddog": lambda: pick("abcdef" + D, 32),
    "mnem": lambda: " ".join(R.choice(MNEM) for _ in range(12)),
    "totp": lambda: pick(U + "234567", 32),
    "totp4": lambda: " ".join(pick(L + "234567", 4) for _ in range(8)),
    "rec": lambda: pick(L + D, 5) + "-" + pick(L + D, 5),
    "rec8": lambda: pick(D, 4) + " " + pick(D, 4),
    "lic": lambda: "-".join(pick(U + D, 5) for _ in range(5)),
    "bcrypt": lambda: "$2y$10$" + pick(ALN + "./", 53),
    "apr1": lambda: "$apr1$" + pick(ALN, 8) + "$" + pick(ALN + "./", 22),
    "sha512c": lambda: "$6$" + pick(ALN, 16) + "$" + pick(ALN + "./", 86),
    "sha512": lambda: "sha512-" + b64(rb(64)),
    "sha256b": lambda: b64(rb(32)),
    "sshfp": lambda: "SHA256:" + b64(rb(32)).rstrip("="),
    "sshpub": lambda: "ssh-ed25519 " + b64(b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + rb(32)),
    "md5c": lambda: ":".join("%02X" % x for x in rb(20)),
    "fp16": lambda: ":".join("%02x" % x for x in rb(16)),
    "png": lambda: "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAA" + b64(rb(120)),
    "wg": lambda: b64(rb(32)),
    "onion": lambda: pick(L + "234567", 56),
    "sas": lambda: urllib.parse.quote(b64(rb(32)), safe=""),
    "basic2": lambda: b64(("_json_key:" + h_pwu()).encode()),
}
ARG = {
    "hex": lambda n: pick("abcdef" + D, n),
    "HEX": lambda n: pick("ABCDEF" + D, n),
    "b64c": lambda n: pick(ALN + "+/", n),
    "b64b": lambda n: b64(rb(n)),
    "url": lambda n: pick(ALN + "_-", n - 1) + pick(ALN, 1),
    "al": lambda n: pick(ALN, n),
    "low": lambda n: pick(L + D, n),
    "up": lambda n: pick(U + D, n),
    "dig": lambda n: pick("123456789", 1) + pick(D, n - 1),
    "ml": lambda n: None,
}


def gen(spec):
    if spec in H:
        return H[spec]()
    m = re.fullmatch(r"([A-Za-z0-9]*?[A-Za-z]|b64c|b64b):(\d+)", spec)
    if m and m[1] in ARG:
        return ARG[m[1]](int(m[2]))
    raise SystemExit("unknown spec " + spec)


def expand(t):
    mem, sec, auto = {}, [], {}

    def f(m):
        x = m[1]
        if x.startswith("|"):
            return R.choice(x[1:].split("|"))
        if x.startswith("PEM:"):
            p = x.split(":")
            name, ls = h_pem(p[1])
            ind = " " * int(p[2]) if len(p) > 2 else ""
            sec.extend(ls)
            return ("\n" + ind).join(["-----BEGIN %s-----" % name] + ls + ["-----END %s-----" % name])
        if x.startswith("PEM1:"):
            p = x.split(":")
            name, ls = h_pem(p[1])
            b = "\\n".join(ls)
            sec.append(b)
            return "-----BEGIN %s-----\\n%s\\n-----END %s-----\\n" % (name, b, name)
        s = False
        if x.startswith("S@"):
            v = mem[x[2:]]
            sec.append(v)
            return v
        if x.startswith("@"):
            return mem[x[1:]]
        if x.startswith("S:"):
            s, x = True, x[2:]
        k = None
        if "=" in x:
            x, k = x.split("=")
        if x.startswith("wrap:"):  # secret split over a line end: both halves
            _, sp, w = x.split(":", 2)
            v = gen(sp)
            w = int(w)
            parts = [v[i : i + w] for i in range(0, len(v), w)]
            sec.extend(parts)
            return "\n".join(parts)
        if x in ("co", "svc") and not s:
            v = auto.setdefault(x, None) or gen(x)
            auto[x] = v
        else:
            v = gen(x)
        if k:
            mem[k] = v
        if s:
            sec.append(v)
        return v

    o = re.sub("«([^«»]*)»", f, t).replace("␛", "\x1b")
    return o, list(dict.fromkeys(sec))
