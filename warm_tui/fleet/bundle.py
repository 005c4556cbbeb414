"""What the runs of an experiment begin from, as it travels to the machines that make them.

It is named by its content, so that what a member has need not be sent again. No credential is in it: a member's runs
have those of its own home.
"""

from __future__ import annotations

import hashlib
import os
import stat
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from io import StringIO
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import msgspec

from warm_tui.agent.frozen import copy_folder, untied
from warm_tui.agent.hermes_config import parse_config
from warm_tui.errors import Trouble
from warm_tui.experiments.workspace import RunFolders, remove
from warm_tui.fleet.messages import encode
from warm_tui.fleet.packed import Search
from warm_tui.paths import Home
from warm_tui.secrets.credentials import LARGEST_FILE, MASKED, Mask, is_credential
from warm_tui.secrets.redactor import Redactor
from warm_tui.writing import read_regular, write_whole

LARGEST_BYTES = 256_000_000
CONVERSATION = "conversation.json"
CONFIG = PurePosixPath("home/config.yaml")
UNKNOWN = object()
OWN_FILES, OWN_FOLDERS = (".env", "auth.json"), ("mcp-tokens",)
"""Of a home, what is the member's own."""


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """A file, a folder, or a link."""

    path: str
    mode: int
    data: bytes | None = None
    link: str = ""


class Bundle(NamedTuple):
    name: str
    body: bytes
    left_out: tuple[str, ...]
    """Files of the home that hold a credential, and were no settings."""
    doubtful: tuple[str, ...] = ()
    """Files of tasks that hold what looks like one, and is none of the home: an example, perhaps."""


def bundle_of(folders: RunFolders, conversation: bytes, mask: Mask, redactor: Redactor) -> Bundle:
    entries, size = [Entry(CONVERSATION, 0o600, conversation)], 0
    left_out, doubtful, search = [], [], Search(mask)
    for entry in _entries(folders.frozen):
        path, data = PurePosixPath(entry.path), entry.data
        if data is not None:
            size += len(data)
            if size > LARGEST_BYTES:
                raise Trouble(f"The home and the tasks hold more than {LARGEST_BYTES:,} bytes: too much to send.")
            if path == CONFIG:
                bare = _without_credentials(
                    data.decode("utf-8", "replace"), lambda text: _is_secret(text, mask, redactor)
                )
                entry = msgspec.structs.replace(entry, data=bare)
            elif path.parts[0] == "home":
                if search.finds(data) or redactor.secrets_in(data.decode("utf-8", "ignore")):
                    left_out.append("/".join(path.parts[1:]))
                    continue
            elif search.finds(data):
                raise Trouble(
                    f"Task {path.parts[1]}: {'/'.join(path.parts[2:])} holds a credential of the home: "
                    "it is sent to no other machine. Take it out."
                )
            elif redactor.secrets_in(data.decode("utf-8", "ignore")):
                doubtful.append("/".join(path.parts[1:]))
        entries.append(entry)
    packed = encode(entries)
    return Bundle(hashlib.sha256(packed).hexdigest(), zlib.compress(packed, 1), tuple(left_out), tuple(doubtful))


def _entries(frozen: Path) -> Iterator[Entry]:
    for parent, folders, files in os.walk(frozen):
        folders.sort()
        for name in sorted(folders + files):
            path = Path(parent, name)
            inner = path.relative_to(frozen).as_posix()
            if _is_own(PurePosixPath(inner)):
                continue
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                yield Entry(inner, 0, link=os.readlink(path))
            elif stat.S_ISDIR(mode):
                yield Entry(inner, stat.S_IMODE(mode))
            elif stat.S_ISREG(mode):
                yield Entry(inner, stat.S_IMODE(mode), read_regular(path, LARGEST_BYTES))


def _is_own(path: PurePosixPath) -> bool:
    """Of the home's first level: whatever begins like .env holds keys."""
    first, *rest = path.parts
    return first == "home" and bool(rest) and (rest[0] in OWN_FILES + OWN_FOLDERS or rest[0].startswith(".env"))


def unpack(body: bytes, name: str, folders: RunFolders, home: Home) -> None:
    """Into the folders of its runs, with what is this machine's own; there whole, or not at all."""
    packed = _decompressed(body)
    if hashlib.sha256(packed).hexdigest() != name:
        raise Trouble("What was sent is not what it is called.")
    making = folders.folder / "unpacking"
    remove(making)
    making.mkdir(parents=True, mode=0o700)
    try:
        for entry in msgspec.msgpack.decode(packed, type=list[Entry]):
            _put(making, entry)
        _add_own(making / "home", home)
    except BaseException:
        remove(making)
        raise
    making.rename(folders.frozen)


def _decompressed(body: bytes) -> bytes:
    reader = zlib.decompressobj()
    with suppress(zlib.error):
        packed = reader.decompress(body, LARGEST_BYTES + LARGEST_FILE)
        if reader.eof:
            return packed
    raise Trouble("What was sent cannot be read, or is too large.")


def _put(folder: Path, entry: Entry) -> None:
    path = PurePosixPath(entry.path)
    target = folder / path
    if path.is_absolute() or ".." in path.parts or not target.parent.resolve().is_relative_to(folder.resolve()):
        raise Trouble("What was sent would be written outside of its folder.")
    if entry.link:
        target.symlink_to(entry.link)
    elif entry.data is None:
        target.mkdir(mode=0o700, exist_ok=True)
    else:
        write_whole(target, entry.data, entry.mode)


def _add_own(frozen_home: Path, home: Home) -> None:
    """The credentials of the home that the member joined with."""
    frozen_home.mkdir(mode=0o700, exist_ok=True)
    for name in OWN_FILES:
        if (home.root / name).is_file():
            write_whole(frozen_home / name, untied(home.root / name))
    for name in OWN_FOLDERS:
        if (home.root / name).is_dir():
            copy_folder(home.root / name, frozen_home / name)
    config, own = frozen_home / "config.yaml", home.root / "config.yaml"
    if config.is_file():
        theirs = _settings(_text(own), own) if own.is_file() else {}
        write_whole(config, _dumped(_filled(_settings(_text(config), config), theirs)))


# --- the settings ---


def _text(path: Path) -> str:
    return read_regular(path, LARGEST_FILE).decode("utf-8", "replace")


def _settings(text: str, path: Path) -> Any:
    from ruamel.yaml import YAML

    parse_config(text, path)
    return YAML().load(text) or {}


def _dumped(config: Any) -> bytes:
    from ruamel.yaml import YAML

    out = StringIO()
    YAML().dump(config, out)
    return out.getvalue().encode()


def _is_secret(text: str, mask: Mask, redactor: Redactor) -> bool:
    """One that is known of this home, or looks like one."""
    return mask.finds(text) or bool(redactor.secrets_in(text))


def _without_credentials(text: str, is_secret: Callable[[str], bool]) -> bytes:
    """The same settings, with a word in the place of each credential, and no comments: these may hold one, too."""
    import json

    plain = json.loads(json.dumps(_settings(text, Path(CONFIG.name)), default=str))
    return _dumped(_masked(plain, is_secret))


def _masked(value: Any, is_secret: Callable[[str], bool], name: str = "") -> Any:
    """What it is called tells more of a value than the value alone."""
    if isinstance(value, Mapping):
        return {key: _masked(inner, is_secret, str(key)) for key, inner in value.items() if not is_secret(str(key))}
    if isinstance(value, list):
        return [_masked(inner, is_secret, name) for inner in value]
    if isinstance(value, int) and not isinstance(value, bool) and is_credential(name, str(value)):
        return MASKED
    if not isinstance(value, str):
        return value
    return MASKED if is_secret(value) or is_secret(f"{name}: {value}") else value


def _filled(value: Any, own: Any) -> Any:
    """What was masked, as it stands at the same place here; where nothing does, the setting goes."""
    if isinstance(value, Mapping):
        theirs = own if isinstance(own, Mapping) else {}
        filled = {key: _filled(inner, theirs.get(key)) for key, inner in value.items()}
        return {key: inner for key, inner in filled.items() if inner is not UNKNOWN}
    if isinstance(value, list):
        theirs_list = own if isinstance(own, list) else []
        pairs = zip(value, [*theirs_list, *[None] * len(value)], strict=False)
        return [inner for inner in (_filled(one, other) for one, other in pairs) if inner is not UNKNOWN]
    if value == MASKED:
        return own if isinstance(own, str | int) else UNKNOWN
    return value
