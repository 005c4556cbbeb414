"""Tokens are known by their vendors' forms, whole, wherever they stand: as documentation and gitleaks' rules tell them."""

from __future__ import annotations

import re
from random import Random

import pytest

from warm_tui.secrets.redactor import Redactor

REDACTOR = Redactor(b"a key of the tests")
# `{20}` stands for so many letters and digits; behind the number: x hex, X great letters and digits, d digits, - also dashes.
ALPHABETS = {
    "": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "x": "0123456789abcdef",
    "X": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "d": "0123456789",
    "a": "abcdefghijklmnopqrstuvwxyz0123456789",
    "-": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-",
}
UUID = "{8x}-{4x}-{4x}-{4x}-{12x}"
FORMS = {
    "GitHub": "ghp_{36}",
    "GitHub, stateless": "ghs_{7d}_eyJ{40-}.eyJ{120-}.{300-}",
    "GitHub, fine-grained": "github_pat_{22}_{59}",
    "GitLab, routable": "glpat-{27-}.01.{9a}",
    "GitLab, runner": "glrtr-{20-}",
    "GitLab, workspace": "glwt-{20-}",
    "Slack, cookie": "xoxd-%2B{60}%2F{40}%3D",
    "Stripe, organization": "sk_org_live_{40}",
    "Grafana, of before": "eyJrIjoi{70}==",
    "Grafana, cloud": "glc_{80}==",
    "Brevo, mail": "xsmtpsib-{64x}-{16}",
    "Azure": "{3}7Q~{34-}",
    "Cloudflare, user": "cfut_{48}",
    "Cloudflare, account": "cfat_{48}",
    "Cloudflare, global": "cfk_{48}",
    "Flutterwave": "FLWSECK_TEST-{32x}-X",
    "Lob": "test_{35x}",
    "Harness": "pat.{22-}.{24}.{20}",
    "Yandex": "t1.{40-}==.{86-}==",
    "Yandex, storage": "YCM{37-}",
    "Buildkite, job": "bkaj_{40x}",
    "Atlassian, access": "ATCTT3xFfGN0{171-}={8X}",
    "AWS": "A3TX{16X}",
    "Square": "EAAAl{30}-{20}_{7}",
    "Facebook, app": "{16d}|{27-}",
    "Firebase": "AAAA{7-}:APA91b{134-}",
    "Netlify": "nfc_{36}",
    "PostHog": "phs_{43}",
    "Dropbox": "sl.{60}={40-}={30}",
    "Dropbox, user": "sl.u.{120-}",
    "Authress": "ext_{12a}.{5a}.acc-{20a}.{60-}",
    "RapidAPI": "{10a}msh{15a}p1{6a}jsn{12a}",
    "Aiven": "AVNS_{20}",
    "MongoDB Atlas": "mdb_sa_sk_{40-}",
    "Paddle": "pdl_live_apikey_{26a}_{22}_{3}",
    "HubSpot": f"pat-na1-{UUID}",
    "Klaviyo": "pk_{34x}",
    "ElevenLabs": "sk_{48x}",
    "Cursor": "key_{64x}",
    "Axiom": f"xaat-{UUID}",
    "WakaTime": f"waka_{UUID}",
    "Polar": "polar_oat_{40}",
    "Zuplo": "zpka_{32x}_{8x}",
    "crates.io": "cio{32}",
    "Boundary": "at_{10}_{60}",
    "Adafruit": "aio_{28}",
}


def made(form: str, random: Random) -> str:
    def piece(match: re.Match[str]) -> str:
        # The last one is never a dash, nor a line, which would belong to what follows.
        count, alphabet = int(match[1]), ALPHABETS[match[2]]
        return "".join(random.choices(alphabet, k=count - 1)) + random.choice(alphabet.rstrip("_-"))

    return re.sub(r"\{(\d+)([xXda-]?)\}", piece, form)


@pytest.mark.parametrize("vendor", FORMS)
def test_a_token_of_a_vendors_form_is_masked_whole(vendor: str) -> None:
    random = Random(vendor)
    for _ in range(20):
        token = made(FORMS[vendor], random)
        masked = REDACTOR.redact(f"$ show it\nfound {token} there\n")
        assert re.fullmatch(r"\$ show it\nfound <secret-[0-9a-f]{8}> there\n", masked), token


def test_the_cookie_of_a_session_is_masked_where_no_header_tells_of_it() -> None:
    cookie = made("{32a}", Random(1))
    assert cookie not in REDACTOR.redact(f"curl -b _gitlab_session={cookie} https://git.example.org")


@pytest.mark.parametrize(
    "text",
    [
        "The helper ghs_installation_token_for_repository returns it.",
        "EAAAAAAIAAAAEAAAAAgAAAAMAAAABAAAAAQAAAAIAAAADAAAAAQAAAAAAAAABAAAAAgAAAAMAAAAE",
        "polar_plot_of_the_wind and pk_of_the_table",
        "test_d41d8cd98f00b204e9800998ecf8427e.py passed",
        "see https://dash.example.org/d/cio/overview and at_least_one_of_the_following_ones",
    ],
)
def test_what_begins_as_a_token_does_is_left(text: str) -> None:
    assert REDACTOR.redact(text) == text
