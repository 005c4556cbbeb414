# ruff: noqa
"""Texts with secrets, and texts that only look like it: sets of 150 each (e: of 100 and 34), made anew from templates and a seed, so
that no token is stored. The templates are `templates/{a,b,c,d,e}_{s,i}.txt`. Markup of the
first three: «S:spec» secret, «spec» plain random, «spec=n» remember, «@n» reuse, «S@n» reuse as secret,
«|x|y» choice, «PEM:T:indent» multi-line key (each body line a secret), ␛ = ESC."""

import random, re, json, os, collections

from .values import R, SERV, expand, gen
from .markup_d import texts_of

HERE = os.path.dirname(os.path.abspath(__file__))
W = {"A": "arguments", "R": "result", "M": "message"}


def load(fn):
    out = []
    for blk in re.split(r"^=== ", open(os.path.join(HERE, "templates", fn), encoding="utf-8").read(), flags=re.M)[1:]:
        head, body = blk.split("\n", 1)
        k, w = [y.strip() for y in head.rsplit("|", 1)]
        body = body.rstrip("\n")
        assert body and not body.startswith("=== "), head
        out.append((k, W[w], body))
    return out


def wrap(c, where, t, sec):
    if where == "arguments":
        if t.startswith("{"):
            return t
        if re.match(r"(CREATE|UPDATE|alter|db\.)", t):
            return json.dumps(
                {"connection": "staging", "sql" if t[0] != "d" else "script": t, "limit": 100}, ensure_ascii=False
            )
        o = {
            "a": {
                "command": t,
                "description": R.choice(
                    ["Run the step", "Check the service", "Retry with credentials loaded", "Run it again"]
                ),
            },
            "b": {"cmd": t, "workdir": "/srv/" + R.choice(SERV), "timeout_ms": R.choice([30000, 120000])},
            "c": {"session": R.randint(1, 9), "input": t + "\n", "wait": True},
        }[c]
        return json.dumps(o, ensure_ascii=False)
    if where == "message":
        return R.choice(OPEN[c]) + "\n\n" + t + "\n\n" + R.choice(CLOSE[c])
    f = FILL[c]
    x, y = R.sample(range(len(f)), 2)
    e = lambda z: re.sub("«([^«»]*)»", lambda m: gen(m[1]), z).replace("␛", "\x1b")
    k = R.randint(0, 2)
    if R.random() < 0.12:
        y2 = R.choice([z for z in range(len(f)) if z not in (x, y)])
        t = e(f[y2]) + "\n" + t
        k = 2
    return (e(f[x]) + "\n" if k != 1 else "") + t + ("\n" + e(f[y]) if k != 0 else "")


OPEN = {
    "a": ["Back again, two things.", "Before you start on the pipeline:", "Context for the next step."],
    "b": [
        "About the migration we discussed this morning.",
        "One more piece of information about the cluster.",
        "The deploy is still blocked.",
    ],
    "c": [
        "I found this while cleaning my notes, I hope it still holds.",
        "Sorry for the long message.",
        "Forwarding what they wrote me yesterday.",
    ],
}
CLOSE = {
    "a": [
        "Run the unit tests afterwards and tell me what fails; no need to touch the docs.",
        "Keep the diff small, please.",
        "Then stop and show me the plan.",
    ],
    "b": [
        "Take a backup of the tables first, and keep the old column for one release.",
        "If the replica lags more than ten seconds, wait.",
        "I will be offline until four.",
    ],
    "c": [
        "Let me know if it works, otherwise I call them.",
        "No hurry, tomorrow is fine too.",
        "And water the plants, ha.",
    ],
}
FILL = {
    "a": [
        x.strip("\n") for x in open(os.path.join(HERE, "templates", "fill_a.txt"), encoding="utf-8").read().split("%%")
    ],
    "b": [
        x.strip("\n") for x in open(os.path.join(HERE, "templates", "fill_b.txt"), encoding="utf-8").read().split("%%")
    ],
    "c": [
        x.strip("\n") for x in open(os.path.join(HERE, "templates", "fill_c.txt"), encoding="utf-8").read().split("%%")
    ],
}


def texts():
    """The sets by their names; a text is a dict of id, kind, where, text and secrets."""
    seen, made = set(), {}
    for c in "abc":
        rows = []
        for typ in "si":
            R.seed("%s%s-2024" % (c, typ))
            T = load("%s_%s.txt" % (c, typ))
            got = []
            rounds = 0
            names = collections.Counter()
            while len(got) < 150:
                rounds += 1
                assert rounds < 12, (c, typ, len(got), len(T))
                order = T if rounds == 1 else R.sample(T, len(T))
                for k, w, body in order:
                    if len(got) == 150:
                        break
                    if rounds > 1 and "«" not in body:
                        continue
                    t, sec = expand(body)
                    if rounds > 1 or R.random() < 0.12:
                        t = wrap(c, w, t, sec)
                    if t in seen:
                        continue
                    assert bool(sec) == (typ == "s"), (c, typ, k, t)
                    for s in sec:
                        assert s and s in t, (k, s)
                    seen.add(t)
                    got.append(dict(id="", kind=k, where=w, text=t, secrets=sec))
            rows += got
        random.Random(c).shuffle(rows)
        for i, r in enumerate(rows):
            r["id"] = "%s%03d" % (c, i + 1)
        made[c] = rows
        assert len(rows) == 300 and sum(bool(r["secrets"]) for r in rows) == 150
    for name in "de":
        made[name] = texts_of(name, "s") + texts_of(name, "i")
    return made
