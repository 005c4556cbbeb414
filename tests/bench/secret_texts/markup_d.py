# ruff: noqa
"""The texts of the sets d and e, from their templates: «gen args|transform», «!..» marks a secret, «name=gen» names it, «$name» repeats it."""

import base64, html, json, os, re, urllib.parse

from .values_d import AL, CUR, G, R, SVC, WORDS, rs, wrap

HERE = os.path.dirname(os.path.abspath(__file__))


TR = {
    "json": lambda s: json.dumps(s, ensure_ascii=False)[1:-1],
    "json2": lambda s: json.dumps(json.dumps(s)[1:-1])[1:-1],
    "url": lambda s: urllib.parse.quote(s, safe=""),
    "xml": lambda s: html.escape(s, quote=True),
    "b64": lambda s: base64.b64encode(s.encode()).decode(),
    "oneline": lambda s: s.replace("\n", "\\n"),
    "upper": str.upper,
    "rev": lambda s: s[::-1],
}


def trans(s, t):
    if t.startswith("indent"):
        return s.replace("\n", "\n" + " " * int(t[6:]))
    if t.startswith("prefix"):
        return s.replace("\n", "\n" + t[6:])
    if t.startswith("wrapi"):
        k, n = t[5:].split(",")
        return wrap(s, int(k)).replace("\n", "\n" + " " * int(n))
    if t.startswith("wrap"):
        return wrap(s, int(t[4:]))
    if t.startswith("cut"):
        return s[: int(t[3:])]
    return TR[t](s)


def fill(text):
    CUR.clear()
    names = {}
    sec = []

    def one(m):
        b = m.group(1)
        s = b.startswith("!")
        b = b[1:] if s else b
        nm = None
        mm = re.match(r"([a-z]\w*)=(.*)$", b, re.S)
        if mm:
            nm, b = mm.groups()
        parts = b.split("|")
        head = parts[0]
        if head.startswith("$"):
            v = names[head[1:]]
        else:
            w = head.split(" ")
            v = G(w[0], w[1:])
        if nm:
            names[nm] = v
        for t in parts[1:]:
            v = trans(v, t)
        if s and v not in sec:
            sec.append(v)
        return v

    out = re.sub("«([^»]*)»", one, text)
    return out, sec


def load(pat):
    L = []
    for f in sorted([os.path.join(HERE, "templates", pat)]):
        for blk in re.split(r"(?m)^@@ (?=[^|\n]+\| (?:result|arguments|words)$)", open(f, encoding="utf-8").read())[1:]:
            h, t = blk.split("\n", 1)
            k, w = [x.strip() for x in h.split("|")]
            t = t.rstrip("\n")
            assert w in ("result", "arguments", "words"), (k, w)
            L.append((k, w, t))
    return L


def noise(n):
    k = R.randbelow(4)
    L = []
    if k == 0:
        L = ["$ ls -la", "total %d" % R.randint(20, 400)] + [
            "%s 1 %s %s %6d Sep %2d %s %s"
            % (
                R.choice(["-rw-r--r--", "-rwxr-xr-x", "drwxr-xr-x"]),
                "app",
                "app",
                R.randint(20, 99999),
                R.randint(1, 28),
                G("time", [])[:5],
                R.choice(WORDS) + R.choice([".py", ".yml", ".log", ".sh", "", ".md", "_test.go"]),
            )
            for _ in range(n)
        ]
    elif k == 1:
        L = [
            "%s %s [%s] %s: %s took %dms id=%s"
            % (
                G("date", []),
                G("time", []),
                R.choice(["INFO", "WARN", "DEBUG"]),
                R.choice(SVC),
                R.choice(WORDS),
                R.randint(1, 900),
                G("uuid", []),
            )
            for _ in range(n)
        ]
    elif k == 2:
        L = [
            "Collecting %s==%s" % (R.choice(WORDS), G("ver", []))
            if R.randbelow(2)
            else "  Downloading %s-%s-py3-none-any.whl (%d kB)" % (R.choice(WORDS), G("ver", []), R.randint(9, 900))
            for _ in range(n)
        ]
    else:
        L = [
            "%s.js  %d.%d kB | gzip: %d.%d kB"
            % (
                "dist/assets/" + R.choice(WORDS) + "-" + rs(AL, 8),
                R.randint(1, 400),
                R.randbelow(99),
                R.randint(1, 90),
                R.randbelow(99),
            )
            for _ in range(n)
        ]
    return "\n".join(L)


def texts_of(name, which):
    """The texts of a set; every third short result has other output around it."""
    R.seed(f"{name}{which}-2025")
    rows = []
    for kind, where, body in load(f"{name}_{which}.txt"):
        text, secrets = fill(body)
        assert bool(secrets) == (which == "s"), kind
        for secret in secrets:
            assert secret in text and len(secret) >= 4, kind
        if where == "result" and text.count("\n") < 10 and R.randbelow(3) == 0:
            text = noise(R.randint(4, 14)) + "\n" + text
        rows.append(dict(id=f"{name}{which}{len(rows) + 1:03d}", kind=kind, where=where, text=text, secrets=secrets))
    return rows
