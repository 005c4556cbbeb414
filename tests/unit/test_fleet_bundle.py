"""What an experiment's runs begin from holds no credential, in whatever form it stands."""

from __future__ import annotations

import base64
import bz2
import gzip
import hashlib
import io
import lzma
import os
import subprocess
import time
import urllib.parse
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

pytest.importorskip("distributed")

from tests.unit.experimenting import SECRET, home, nothing_stays, tasks
from warm_tui.agent.hermes_config import settings_of
from warm_tui.errors import Trouble
from warm_tui.experiments.plan import Plan, Task
from warm_tui.experiments.workspace import Workspace
from warm_tui.fleet import messages, packed
from warm_tui.fleet import runs as member_runs
from warm_tui.fleet.bundle import CONVERSATION, Bundle, Entry, bundle_of, unpack
from warm_tui.fleet.packed import Search
from warm_tui.fleet.runs import Folders
from warm_tui.paths import Home
from warm_tui.secrets.credentials import MASKED, Mask, credentials_of
from warm_tui.secrets.redactor import redactor_of

__all__ = ["home", "nothing_stays"]
KEY = "q7Xv2LmR9tYw4ZbN8cKd3HsJ"
TOKENS = {
    "github": "ghp_" + "aB3dE6gH9k" * 3 + "aB3dE6",
    "aws": "AKIA" + "IOSFODNN7" + "PLANTED",
    "slack": "xoxb-" + "1234567890-1234567890-" + "aB3dE6gH9kaB3dE6gH9kaB3d",
    "openai": "sk-proj-" + "aB3dE6gH9k" * 4,
    "jwt": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
}
NAMES = (
    "api_key", "apikey", "api-key", "apiKey", "API_KEY", "OPENAI_API_KEY", "token", "access_token", "auth_token",
    "refresh_token", "bot_token", "secret", "client_secret", "app_secret", "password", "passwd", "pass", "db_password",
    "private_key", "signing_key", "encryption_key", "bearer", "authorization",
)  # fmt: skip
FORMS = {name: f"{name}: {KEY}" for name in NAMES} | {
    "in a list": f"keys:\n  api_key:\n    - {KEY}",
    "in a command": f"mcp:\n  args: [serve, --api-key, {KEY}]",
    "in one word of a command": f"mcp:\n  args: ['--api-key={KEY}']",
    "in an address": f"url: https://user:{KEY}@example.com/v1",
    "asked of an address": f"url: https://example.com/v1?api_key={KEY}",
    "in a header": f"headers:\n  Authorization: Bearer {KEY}",
    "in a header's line": f"header: 'Authorization: Bearer {KEY}'",
    "in an environment": f"mcp:\n  env:\n    SERVICE_TOKEN: {KEY}",
    "in a line of an environment": f"environment:\n  - SERVICE_TOKEN={KEY}",
    "in an anchor": f"base: &base\n  api_key: {KEY}\nother:\n  <<: *base",
    "in a block": f"api_key: |\n  {KEY}",
    "folded": f"api_key: >-\n  {KEY}",
    "in a comment": f"model: m # my key is {KEY}",
    "as a number of an account": "password: 83910274650183",
    "in JSON": f"extra: '{{\"api_key\": \"{KEY}\"}}'",
    "quoted": f'api_key: "{KEY}"',
} | {f"{name}, under any name": f"thing: {token}" for name, token in TOKENS.items()}  # fmt: skip


def bundled(home: Home, *tasked: Task) -> Bundle:
    workspace = Workspace(home, 1)
    workspace.freeze(Plan("p", "careful", tasked or tasks(1)))
    credentials = credentials_of(home.root, settings_of(home.root), {})
    return bundle_of(workspace, b"[]", Mask(credentials), redactor_of(home))


@pytest.mark.parametrize("form", FORMS)
def test_no_form_of_a_credential_stays_in_the_settings(home: Home, form: str) -> None:
    (home.root / "config.yaml").write_text(FORMS[form] + "\n")
    packed = zlib.decompress(bundled(home).body)
    (settings,) = [
        each.data for each in msgspec.msgpack.decode(packed, type=list[Entry]) if each.path.endswith(".yaml")
    ]
    kept = (settings or b"").decode()
    assert not [secret for secret in (KEY, "83910274650183", *TOKENS.values()) if secret in kept], kept


def zipped(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a/b.txt", data)
    return out.getvalue()


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "base64": base64.b64encode,
    "base64, in the middle": lambda data: base64.b64encode(b"x" + data + b"y"),
    "base64, further on": lambda data: base64.b64encode(b"xy" + data + b"yz"),
    "base64, in lines": lambda data: base64.encodebytes(b"before " * 9 + data + b" after" * 9),
    "base64 of addresses": lambda data: base64.urlsafe_b64encode(b"\xff\xfe" + data),
    "hex": lambda data: data.hex().encode(),
    "an address": lambda data: urllib.parse.quote(data.decode(), safe="").encode(),
    "UTF-16": lambda data: data.decode().encode("utf-16"),
    "UTF-16, the other way": lambda data: data.decode().encode("utf-16-be"),
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zip": zipped,
    "a git object": lambda data: zlib.compress(b"blob 9\0" + data),
    "gzip in zip": lambda data: zipped(gzip.compress(data)),
    "base64 in gzip": lambda data: gzip.compress(base64.b64encode(data)),
}


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("key", [KEY, "a+b/c?d=é&f g~h"])
def test_a_packed_credential_of_the_home_is_found(packing: str, key: str) -> None:
    packed = PACKINGS[packing](f"key = {key}\n".encode() if "address" not in packing else key.encode())
    assert Search(Mask([key])).finds(packed)
    assert not Search(Mask(["another-credential-77"])).finds(packed)


def test_a_credential_in_gits_history_is_not_sent(home: Home, tmp_path: Path) -> None:
    """Where it was taken out of the files, and stands in a pack."""
    (home.root / ".env").write_text(f"OPENAI_API_KEY={KEY}\n")
    shop = tmp_path / "shop"
    shop.mkdir()

    def git(*words: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "core.hooksPath=/dev/null")
        subprocess.run(["git", *identity, *words], cwd=shop, check=True, capture_output=True)

    git("init")
    for text in (f"key = {KEY}\n" + "line\n" * 40, "line\n" * 40):
        (shop / "settings.ini").write_text(text)
        git("add", "-A")
        git("commit", "-m", "a")
    git("gc")
    with pytest.raises(Trouble, match="holds a credential of the home: it is sent to no other machine"):
        bundled(home, Task("t", "Do.", folder=str(shop)))


def test_what_only_looks_like_a_credential_is_sent_and_told(home: Home) -> None:
    task = Task("t", "Do.", files={"conf/x.ini": f"key = {TOKENS['github']}"})
    assert bundled(home, task).doubtful == ("t/conf/x.ini",)


def test_a_bomb_is_unpacked_as_far_as_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warm_tui.fleet.packed.LARGEST_BYTES", 3_000_000)
    bomb = gzip.compress(b"\1" * 50_000_000 + KEY.encode())
    assert not Search(Mask([KEY])).finds(bomb)


def test_a_pack_of_many_objects_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not what stands behind each of them, over and over."""
    given: list[int] = []

    class Counting:
        def __init__(self) -> None:
            self.reader = zlib.decompressobj()

        @property
        def eof(self) -> bool:
            return self.reader.eof

        def decompress(self, data: bytes, most: int) -> bytes:
            given.append(len(data))
            return self.reader.decompress(data, most)

    counting = SimpleNamespace(decompressobj=Counting, error=zlib.error)
    monkeypatch.setattr(packed, "zlib", counting)
    pack = b"PACK" + b"".join(zlib.compress(f"object {at}".encode() * 9) for at in range(5_000))
    assert Search(Mask([KEY])).finds(pack + zlib.compress(KEY.encode()))
    assert sum(given) <= len(given) * packed.CHUNK_BYTES < len(pack) * len(given) / 10
    given.clear()
    monkeypatch.setattr(packed, "LARGEST_BYTES", 1_000)
    assert not Search(Mask([KEY])).finds(pack + zlib.compress(KEY.encode()))
    assert len(given) < 50, "enough was unpacked"


# --- what travels, and what is done with it there ---


def frozen(home: Home, plan: Plan) -> Workspace:
    workspace = Workspace(home, 1)
    workspace.freeze(plan)
    return workspace


def test_a_task_that_holds_a_credential_is_not_sent(home: Home) -> None:
    workspace = frozen(home, Plan("p", "careful", (Task("t", "Do.", files={"conf/x.ini": f"key = {SECRET}"}),)))
    with pytest.raises(Trouble, match=r"Task t: conf/x\.ini holds a credential of the home"):
        bundle_of(workspace, b"[]", Mask([SECRET]), redactor_of(home))


def test_no_credential_is_in_what_travels(home: Home) -> None:
    (home.root / "config.yaml").write_text(
        f"a: {SECRET}\nb: [x, {SECRET}]\nc: {{d: 'Bearer {SECRET}'}}\n# {SECRET}\n"
        f"e: ghp_{'aB3dE6gH9k' * 3}aB3dE6\nf: [--token, plain]\n"
    )
    (home.root / "memories" / "more.md").write_text(f"It is ghp_{'aB3dE6gH9k' * 3}aB3dE6.")
    (home.root / ".env.local").write_text(f"K={SECRET}")
    (home.root / "auth.json").write_text(f'{{"k": "{SECRET}"}}')
    (home.root / "mcp-tokens").mkdir()
    (home.root / "mcp-tokens" / "x.json").write_text(f'{{"k": "{SECRET}"}}')
    bundle = bundle_of(frozen(home, Plan("p", "careful", tasks(1))), b"[]", Mask([SECRET]), redactor_of(home))
    packed = zlib.decompress(bundle.body)
    assert SECRET.encode() not in packed
    assert b"ghp_" not in packed, "nor one that nobody knew of"
    assert MASKED.encode() in packed
    names = {entry.path for entry in msgspec.msgpack.decode(packed, type=list[Entry])}
    assert {"home/config.yaml", "home/memories/MEMORY.md", CONVERSATION} <= names
    assert not {"home/.env", "home/.env.local", "home/auth.json", "home/mcp-tokens/x.json"} & names
    assert bundle == bundle_of(frozen(home, Plan("p", "careful", tasks(1))), b"[]", Mask([SECRET]), redactor_of(home))


@pytest.mark.parametrize(
    "entries",
    [
        [Entry("../out", 0o600, b"x")],
        [Entry("/tmp/out", 0o600, b"x")],
        [Entry("tasks", 0, link="/"), Entry("tasks/out", 0o600, b"x")],
    ],
)
def test_what_was_sent_stays_in_its_folder(home: Home, entries: list[Entry]) -> None:
    packed = messages.encode(entries)
    name = hashlib.sha256(packed).hexdigest()
    folders = Folders(home, name)
    with pytest.raises(Trouble, match="outside of its folder"):
        unpack(zlib.compress(packed), name, folders, home)
    assert not folders.frozen.exists()
    with pytest.raises(Trouble, match="not what it is called"):
        unpack(zlib.compress(packed), "another", folders, home)
    with pytest.raises(Trouble, match="cannot be read"):
        unpack(b"no zlib", name, folders, home)


@pytest.mark.parametrize("name", ["../../../outside", "/tmp/outside", "A", "a" * 65, "a/b", "\x1b[2J"])
def test_no_name_leads_out_of_where_runs_are_made(home: Home, name: str) -> None:
    for bundle, token in ((name, ""), ("a" * 64, name)):
        with pytest.raises(Trouble, match="That is no name"):
            Folders(home, bundle, token)


def test_what_was_sent_just_now_is_kept_whatever_the_clock_says(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan("p", "careful", tasks(1))
    bundle = bundle_of(frozen(home, plan), b"[]", Mask([SECRET]), redactor_of(home))
    old = Folders(home, "f" * 64)
    old.folder.mkdir(parents=True)
    os.utime(old.folder, (1.0, 1.0))
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 2 * member_runs.FORGOTTEN_SECONDS)
    member_runs.take_bundle(home, member_runs.Sent(bundle.name, "a" * 32, bundle.body))
    assert Folders(home, bundle.name).frozen.is_dir()
    assert not old.folder.exists()
    member_runs.forget(home, member_runs.Sent(bundle.name, "a" * 32))


def test_a_run_that_was_made_is_not_made_again(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks may have gone away before it heard."""
    plan = Plan("p", "careful", tasks(1))
    bundle = bundle_of(frozen(home, plan), b"[]", Mask([SECRET]), redactor_of(home))
    ours, theirs = "a" * 32, "b" * 32
    asked = member_runs.RunAsked(bundle.name, ours, "abc", 0, "cold", 5.0, plan.tasks[0], plan)
    assert member_runs.run(home, asked).lacks_bundle
    for experiment in (ours, theirs):
        member_runs.take_bundle(home, member_runs.Sent(bundle.name, experiment, bundle.body))
    made = member_runs.run(home, asked)
    assert made.outcome is not None
    assert made.outcome.state == "ended"
    monkeypatch.setattr(member_runs, "perform", None)
    assert member_runs.run(home, asked) == made
    member_runs.forget(home, member_runs.Sent(bundle.name, theirs))
    assert member_runs.run(home, asked) == made, "another experiment that begins from the same is over"
    member_runs.forget(home, member_runs.Sent(bundle.name, ours))
    assert member_runs.run(home, asked).lacks_bundle
