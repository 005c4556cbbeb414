# ruff: noqa
"""The values of the sets d and e: each generator that their templates name."""

import base64, json, random, string, uuid, zlib


class Seeded(random.Random):
    def randbelow(self, n):
        return self.randrange(n)

    def token_bytes(self, n):
        return self.randbytes(n)


R = Seeded()
B62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
AL = string.ascii_letters + string.digits


def rs(al, n):
    return "".join(R.choice(al) for _ in range(int(n)))


WORDS = """autumn badger copper harbor lantern pepper meadow granite falcon winter river orchid saddle thunder velvet marble
basket kettle pirate rocket salmon tiger walnut zephyr anchor beacon candle desert ember forest glacier hazel island jungle
koala lemon mango nectar onyx puzzle quartz raven silver timber umbra violet willow yonder acorn bishop cobalt dragon eagle
fiddle ginger hammer indigo jasper kernel locust magnet nickel oyster parrot quiver ribbon spider tulip urchin vortex wombat
cactus donkey engine fossil goblin hermit igloo jacket kiosk ladder mosaic noodle ocean pillow rabbit sunset tractor""".split()
NAMES = "maria jonas pavel aiko lukas nadia tomas elif priya omar greta hugo ines marek sofia dmitri lena kofi yuki carlos".split()
SVC = "billing ledger catalog shipping notify reports ingest portal search gateway invoices telemetry scheduler mediahub orders payroll".split()
CO = "northwind-labs acmeworks brightfold kestrelio fernhill lumenstack oakridge-it havelock quantleaf tidewater sablecorp vantaco".split()
TLD = "io com net de co.uk internal dev cloud".split()


def leet(w):
    return w.replace("o", "0").replace("e", "3") if R.randbelow(3) == 0 else w


def human(sym=True):
    k = R.randbelow(6)
    w = leet(R.choice(WORDS))
    w2 = R.choice(WORDS)
    s = R.choice("!#*?+_-.") if sym else ""
    if k == 0:
        return w.capitalize() + str(R.randint(10, 2029)) + s
    if k == 1:
        return w + (R.choice("-_.") if sym else "") + w2 + str(R.randint(1, 99))
    if k == 2:
        return w.capitalize() + w2.capitalize() + str(R.randint(1, 999)) + s
    if k == 3:
        return rs(AL, R.randint(9, 16))
    if k == 4:
        return (rs(AL + "!#*?+_-.", R.randint(9, 18)) if sym else rs(AL, 12)) + str(R.randbelow(10))
    return s + str(R.randint(10, 99)) + w + R.choice("XQZKV") + w2[:3]


def pem(kind):
    n, name, lead = {
        "rsa": (1190, "RSA PRIVATE KEY", b"\x30\x82\x04\xa4\x02\x01\x00"),
        "pkcs8": (1216, "PRIVATE KEY", b"\x30\x82\x04\xbc"),
        "ec": (121, "EC PRIVATE KEY", b"\x30\x77\x02\x01\x01\x04\x20"),
        "ec8": (138, "PRIVATE KEY", b"\x30\x81\x87"),
        "ed": (48, "PRIVATE KEY", b"\x30\x2e\x02\x01"),
        "enc": (1200, "ENCRYPTED PRIVATE KEY", b"\x30\x82"),
        "dsa": (820, "DSA PRIVATE KEY", b"\x30\x82\x03\x3d"),
        "pgp": (900, "PGP PRIVATE KEY BLOCK", b"\x95\x01\xd8\x04"),
        "pgppub": (700, "PGP PUBLIC KEY BLOCK", b"\x99\x01\x0d\x04"),
        "pub": (91, "PUBLIC KEY", b"\x30\x59\x30\x13"),
        "rsapub": (294, "PUBLIC KEY", b"\x30\x82\x01\x22"),
        "cert": (800, "CERTIFICATE", b"\x30\x82\x03\x15"),
        "csr": (630, "CERTIFICATE REQUEST", b"\x30\x82\x02\x72"),
        "ssh": (287, "OPENSSH PRIVATE KEY", b"openssh-key-v1\x00"),
        "sshrsa": (1350, "OPENSSH PRIVATE KEY", b"openssh-key-v1\x00"),
        "crl": (330, "X509 CRL", b"\x30\x82\x01\x46"),
    }[kind]
    lines = wrap(base64.b64encode(lead + R.token_bytes(n)).decode(), 64)
    blank = "\n" if "PGP" in name else ""
    return f"-----BEGIN {name}-----\n{blank}{lines}\n-----END {name}-----"


def wrap(s, n):
    return "\n".join(s[i : i + n] for i in range(0, len(s), n))


def b62crc(p):
    c = zlib.crc32(p.encode()) & 0xFFFFFFFF
    o = ""
    while c:
        c, r = divmod(c, 62)
        o = B62[r] + o
    return o.rjust(6, "0")


def ghp(pre):
    b = rs(AL, 30)
    return pre + b + b62crc(b)


def b64u(b):
    return base64.urlsafe_b64encode(b).decode().rstrip("=")


def jwt(alg="HS256"):
    h = {"alg": alg, "typ": "JWT"}
    if alg != "HS256":
        h["kid"] = rs(string.hexdigits.lower()[:16], 16)
    p = {
        "sub": str(uuid.UUID(bytes=R.token_bytes(16), version=4)),
        "iss": "https://id.%s.%s" % (R.choice(CO), R.choice(TLD)),
        "iat": R.randint(1690000000, 1760000000),
        "exp": R.randint(1760000001, 1800000000),
        "role": R.choice(["admin", "service", "user", "ci"]),
    }
    return (
        b64u(json.dumps(h, separators=(",", ":")).encode())
        + "."
        + b64u(json.dumps(p, separators=(",", ":")).encode())
        + "."
        + b64u(R.token_bytes(32 if alg == "HS256" else 256))
    )


def bech(n):
    return rs("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", n)


B58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def b58(b):
    n = int.from_bytes(b, "big")
    o = ""
    while n:
        n, r = divmod(n, 58)
        o = B58[r] + o
    return o


def wif():
    import hashlib

    k = b"\x80" + R.token_bytes(32) + b"\x01"
    c = hashlib.sha256(hashlib.sha256(k).digest()).digest()[:4]
    return b58(k + c)


BIP = """abandon ability acid acoustic actor adapt adjust advice afford agent airport album alley almost alpha anchor ankle antique
apology april arch arena armor arrow artwork aspect athlete attract auction autumn avocado awkward bachelor balance bamboo banner
basket beach benefit bicycle blossom blouse bracket breeze bronze bubble buffalo burger cabin cactus camera canvas carbon cargo
castle cereal chalk cherry cinnamon clarify clever cliff coconut comfort coral cotton cradle cricket cruise crystal cushion damage
debris decade denial desert dignity dolphin donkey dragon drift dwarf eagle elbow elegant ember empower engine envelope erosion
exotic fabric falcon fatigue festival fiction flavor fossil fragile galaxy garlic gesture giraffe glimpse gossip gravity harvest""".split()


CUR = {}


def cached(k, f):
    if k not in CUR:
        CUR[k] = f()
    return CUR[k]


def svc():
    return cached("svc", lambda: R.choice(SVC))


def co():
    return cached("co", lambda: R.choice(CO))


def dom():
    return cached("dom", lambda: co() + "." + R.choice(TLD))


def G(name, a):
    n = a[0] if a else None
    H = "0123456789abcdef"
    T = {
        "hex": lambda: rs(H, n),
        "HEX": lambda: rs(H.upper(), n),
        "al": lambda: rs(AL, n),
        "low": lambda: rs(string.ascii_lowercase + string.digits, n),
        "lower": lambda: rs(string.ascii_lowercase, n),
        "up": lambda: rs(string.ascii_uppercase + string.digits, n),
        "dig": lambda: R.choice("123456789") + rs(string.digits, int(n) - 1),
        "b32": lambda: rs("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", n),
        "b64": lambda: base64.b64encode(R.token_bytes(int(n))).decode(),
        "b64np": lambda: base64.b64encode(R.token_bytes(int(n))).decode().rstrip("="),
        "u64": lambda: b64u(R.token_bytes(int(n)))[: int(n)],
        "bch": lambda: rs(AL + "+/", n),
        "bech": lambda: bech(n),
        "bechl": lambda: bech(n).lower(),
        "pick": lambda: R.choice(" ".join(a).split("/")),
        "pw": human,
        "pwa": lambda: human(False),
        "pwr": lambda: rs(AL + "!@#%^*-_+=?", n),
        "pwx": lambda: rs(AL + "!#$%&*@^<>?", n or 14) + R.choice("&<") + rs(AL, 3),
        "phrase": lambda: "-".join(R.choice(WORDS) for _ in range(int(n))),
        "phrasesp": lambda: " ".join(R.choice(WORDS) for _ in range(int(n))),
        "word": lambda: R.choice(WORDS),
        "user": lambda: R.choice(NAMES),
        "svc": svc,
        "co": co,
        "host": lambda: "%s-%s.%s" % (svc(), R.choice(["prod", "stg", "db1", "eu1", "01", "app2"]), dom()),
        "dom": dom,
        "ip": lambda: "10.%d.%d.%d" % (R.randbelow(256), R.randbelow(256), R.randint(2, 250)),
        "num": lambda: str(R.randint(int(a[0]), int(a[1]))),
        "uuid": lambda: str(uuid.UUID(bytes=R.token_bytes(16), version=4)),
        "date": lambda: "2025-%02d-%02d" % (R.randint(1, 12), R.randint(1, 28)),
        "time": lambda: "%02d:%02d:%02d" % (R.randbelow(24), R.randbelow(60), R.randbelow(60)),
        "ts": lambda: (
            "2025-%02d-%02dT%02d:%02d:%02dZ"
            % (R.randint(1, 12), R.randint(1, 28), R.randbelow(24), R.randbelow(60), R.randbelow(60))
        ),
        "epoch": lambda: str(R.randint(1700000000, 1770000000)),
        "ver": lambda: "%d.%d.%d" % (R.randbelow(9), R.randbelow(30), R.randbelow(20)),
        "pem": lambda: pem(n),
        "jwt": lambda: jwt(n or "HS256"),
        "jwtrs": lambda: jwt("RS256"),
        "ghp": lambda: ghp(n or "ghp_"),
        "basic": lambda: base64.b64encode((n + ":" + human()).encode()).decode(),
        "b64of": lambda: base64.b64encode(" ".join(a).encode()).decode(),
        "plain64": lambda: base64.b64encode((R.choice(AL) + " AUTH PLAIN").encode()).decode(),
        "saslplain": lambda: base64.b64encode(("\0" + n + "\0" + human()).encode()).decode(),
        "b64pw": lambda: base64.b64encode(human().encode()).decode(),
        "wif": wif,
        "bip": lambda: " ".join(R.choice(BIP) for _ in range(int(n))),
        "esc": lambda: "\x1b",
        "tab": lambda: "\t",
        "cr": lambda: "\r",
        "discord": lambda: b64u(str(R.randint(10**17, 10**18)).encode()) + "." + rs(AL, 6) + "." + rs(AL + "-_", 38),
        "pypi": lambda: "pypi-AgEIcHlwaS5vcmc" + b64u(R.token_bytes(120)),
        "lic": lambda: "-".join(rs("BCDFGHJKMPQRTVWXY2346789", 5) for _ in range(5)),
        "glsa": lambda: (lambda b: "glsa_" + b + "_" + "%08x" % (zlib.crc32(("glsa_" + b).encode()) & 0xFFFFFFFF))(
            rs(AL, 32)
        ),
        "rec": lambda: (
            rs(string.ascii_lowercase + string.digits, 5) + "-" + rs(string.ascii_lowercase + string.digits, 5)
        ),
        "opsjson": lambda: "ops_eyJ" + b64u(R.token_bytes(300)),
        "mapbox": lambda: (
            "sk."
            + b64u(
                json.dumps(
                    {"u": R.choice(NAMES), "a": "cl" + rs(string.ascii_lowercase + string.digits, 23)},
                    separators=(",", ":"),
                ).encode()
            )
            + "."
            + rs(AL + "-_", 22)
        ),
        "azcs": lambda: rs(AL, 3) + "8Q~" + rs(AL + "_-.~", 34),
        "glpat": lambda: "glpat-" + rs(AL + "_-", 20),
        "dop": lambda: "dop_v1_" + rs(H, 64),
        "sqp": lambda: R.choice(["sqp_", "squ_", "sqa_"]) + rs(H, 40),
        "totp4": lambda: " ".join(rs("abcdefghijklmnopqrstuvwxyz234567", 4) for _ in range(8)),
        "dburl64": lambda: base64.b64encode(
            ("postgresql://app:%s@%s:5432/app" % (human(False), G("host", []))).encode()
        ).decode(),
        "ya29": lambda: "ya29.a0" + rs(AL + "_-", 160),
        "espw": lambda: rs(AL + "*+-_=", 20),
        "ghpat": lambda: "github_pat_" + rs(AL, 22) + "_" + rs(AL, 59),
        "ghpat2": lambda: "github_pat_" + rs(AL, 22) + "_" + rs(AL, 59),
        "oai": lambda: "sk-proj-" + rs(AL + "-_", 74) + "T3BlbkFJ" + rs(AL + "-_", 74),
        "gocspx": lambda: "GOCSPX-" + rs(AL + "-_", 28),
        "goog": lambda: "AIza" + rs(AL + "-_", 35),
        "slackhook": lambda: (
            "https://hooks.slack.com/services/T"
            + rs(string.ascii_uppercase + string.digits, 10)
            + "/B"
            + rs(string.ascii_uppercase + string.digits, 10)
            + "/"
            + rs(AL, 24)
        ),
        "dischook": lambda: "https://discord.com/api/webhooks/" + G("dig", [19]) + "/" + rs(AL + "-_", 68),
        "teamshook": lambda: (
            "https://"
            + R.choice(CO).replace("-", "")
            + ".webhook.office.com/webhookb2/"
            + G("uuid", [])
            + "@"
            + G("uuid", [])
            + "/IncomingWebhook/"
            + rs(H, 32)
            + "/"
            + G("uuid", [])
        ),
        "slackbot": lambda: "xoxb-" + G("dig", [12]) + "-" + G("dig", [13]) + "-" + rs(AL, 24),
        "slackapp": lambda: (
            "xapp-1-A" + rs(string.ascii_uppercase + string.digits, 10) + "-" + G("dig", [13]) + "-" + rs(H, 64)
        ),
        "tg": lambda: G("dig", [10]) + ":AA" + rs(AL + "-_", 33),
        "sg": lambda: "SG." + rs(AL + "-_", 22) + "." + rs(AL + "-_", 43),
        "mc": lambda: rs(H, 32) + "-us" + str(R.randint(1, 21)),
        "ant": lambda: "sk-ant-api03-" + rs(AL + "-_", 93) + "AA",
        "glrt": lambda: "glrt-" + rs(AL + "-_", 20),
        "hrku": lambda: "HRKU-" + G("uuid", []),
        "nral": lambda: "eu01xx" + rs(H, 30) + "FFFFNRAL",
        "sntrys": lambda: (
            "sntrys_"
            + base64.b64encode(
                json.dumps(
                    {
                        "iat": 1720000000.5,
                        "url": "https://sentry.io",
                        "region_url": "https://de.sentry.io",
                        "org": R.choice(CO),
                    }
                ).encode()
            ).decode()
            + "_"
            + rs(AL + "+/", 43)
        ),
        "airtable": lambda: "pat" + rs(AL, 14) + "." + rs(H, 64),
        "postman": lambda: "PMAK-" + rs(H, 24) + "-" + rs(H, 34),
        "atl": lambda: "ATATT3xFfGF0" + rs(AL + "-_", 171) + "=" + rs(H.upper(), 8),
        "cft": lambda: base64.b64encode(
            json.dumps(
                {
                    "a": rs(H, 32),
                    "t": str(uuid.UUID(bytes=R.token_bytes(16), version=4)),
                    "s": base64.b64encode(R.token_bytes(36)).decode(),
                },
                separators=(",", ":"),
            ).encode()
        ).decode(),
        "hvs": lambda: "hvs." + rs(AL, 24),
        "tfc": lambda: rs(AL, 14) + ".atlasv1." + rs(AL, 67),
        "tskey": lambda: "tskey-auth-k" + rs(AL, 11) + "CNTRL-" + rs(AL, 32),
        "ccipat": lambda: "CCIPAT_" + rs(AL, 22) + "_" + rs(H, 40),
        "resend": lambda: "re_" + rs(AL, 8) + "_" + rs(AL, 24),
        "brevo": lambda: "xkeysib-" + rs(H, 64) + "-" + rs(AL, 16),
        "fly": lambda: "FlyV1 fm2_lJPECAAAAAAA" + base64.b64encode(R.token_bytes(240)).decode(),
        "dt": lambda: (
            "dt0c01." + rs("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 24) + "." + rs("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 64)
        ),
        "reftkn": lambda: (
            base64.b64encode(("reftkn:01:%s:%s" % (G("dig", [10]), rs(AL, 28))).encode()).decode().rstrip("=")
        ),
        "b2": lambda: "K00" + rs("1234", 1) + rs(AL + "/+", 27),
        "glc": lambda: (
            "glc_"
            + base64.b64encode(
                json.dumps(
                    {
                        "o": G("dig", [6]),
                        "n": "stack-hl-write",
                        "k": base64.b64encode(R.token_bytes(18)).decode(),
                        "m": {"r": "prod-eu-west-2"},
                    },
                    separators=(",", ":"),
                ).encode()
            ).decode()
        ),
        "dj": lambda: rs("abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)", 50),
        "fernet": lambda: base64.urlsafe_b64encode(R.token_bytes(32)).decode(),
        "ecr": lambda: base64.b64encode(
            json.dumps(
                {
                    "payload": base64.b64encode(R.token_bytes(500)).decode(),
                    "datakey": base64.b64encode(R.token_bytes(140)).decode(),
                    "version": "2",
                    "type": "DATA_KEY",
                    "expiration": 1758000000,
                }
            ).encode()
        ).decode(),
        "swmtkn": lambda: (
            "SWMTKN-1-"
            + rs(string.ascii_lowercase + string.digits, 50)
            + "-"
            + rs(string.ascii_lowercase + string.digits, 25)
        ),
        "rsapubssh": lambda: (
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + b64u(R.token_bytes(33))[:43].replace("-", "+").replace("_", "/")
        ),
        "pre": lambda: a[0] + G(a[1], a[2:]),
        "dotted": lambda: ".".join(G(x.split(",")[0], x.split(",")[1:]) for x in a),
        "dashed": lambda: "-".join(G(x.split(",")[0], x.split(",")[1:]) for x in a),
    }
    return T[name]()
