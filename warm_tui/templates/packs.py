"""A pack: a template to hand on, with what speaks for it and nothing that it need not tell.

It holds the template as it was saved last, secrets masked and home folders without the names of their owners; of
where each pattern comes from, only who chose it, when and by which agent; what trials showed, as figures; and what was
masked. Its hash tells damage, not who made it: whoever unpacks it takes all of it for foreign.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from warm_tui.errors import Trouble
from warm_tui.library.revisions import Note
from warm_tui.paths import Home
from warm_tui.secrets.redactor import Redactor, redactor_of
from warm_tui.sessions.text import clean_line, plural
from warm_tui.templates import files
from warm_tui.templates.conversation import PROVIDERS, build_conversation, hidden_problems, validate
from warm_tui.templates.files import TemplateFiles, check_name, parse
from warm_tui.templates.foreign import Foreign, foreign_of
from warm_tui.templates.formats import as_version_2, write_template
from warm_tui.templates.model import Chooser, Origin, Pattern, Template, Whose, WhoseAddendum
from warm_tui.templates.redaction import Finding, findings_in, neutral_patterns, redacted
from warm_tui.writing import read_regular

MARK, VERSION, HASH = "warm_tui_pack", 1, "hash"
LARGEST = 10_000_000
MOST_PATTERNS, MOST_RESULTS = 1_000, 100

Short = Annotated[str, msgspec.Meta(max_length=200)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
Share = Annotated[float, msgspec.Meta(ge=-1.0, le=1.0)]


class Came(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a pattern comes from, without a word of its session."""

    chosen_by: Chooser = ""
    agent: Short = ""
    recorded_at: float | None = None
    suggested: bool = False
    """The program suggested it, and somebody accepted it."""


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a trial or an experiment showed of one state of the template."""

    by: Literal["trial", "experiment"]
    revision: Count | None = None
    verdict: Short = ""
    warm: Count = 0
    cold: Count = 0
    warm_rate: Share | None = None
    cold_rate: Share | None = None
    low: Share | None = None
    high: Share | None = None

    @property
    def told(self) -> str:
        of = f"revision {self.revision}" if self.revision is not None else "an earlier state"
        words = f"{self.by}, {of}: {self.verdict or 'no verdict'}"
        if self.warm_rate is not None and self.cold_rate is not None:
            words += f", {self.warm_rate:.1%} of calls failed warm, {self.cold_rate:.1%} cold"
        if self.low is not None and self.high is not None:
            words += f", difference {100 * self.low:+.1f} to {100 * self.high:+.1f} pp"
        if self.warm or self.cold:
            words += f" ({plural(self.warm, 'warm session')}, {self.cold:,} cold)"
        return clean_line(words)


class Masked(msgspec.Struct, frozen=True, kw_only=True):
    """A secret that stood in it, without saying it."""

    where: Short
    rule: Short


class Pack(msgspec.Struct, frozen=True, kw_only=True):
    revision: Count
    made_at: float
    template: dict[str, Any]
    provenance: Annotated[tuple[Came, ...], msgspec.Meta(max_length=MOST_PATTERNS)] = ()
    results: Annotated[tuple[Result, ...], msgspec.Meta(max_length=MOST_RESULTS)] = ()
    masked: Annotated[tuple[Masked, ...], msgspec.Meta(max_length=100_000)] = ()


# --- out ---


def packed(template: Template, revision: int, results: Sequence[Result], redactor: Redactor, now: float) -> str:
    """The text of the file."""
    told = as_version_2(template)
    findings = findings_in(_bare(told), redactor)
    clean = redacted(_bare(told), redactor)
    clean = _bare(replace(clean, patterns=tuple(neutral_patterns(clean.patterns))))
    pack = Pack(
        revision=revision,
        made_at=float(int(now)),
        template=write_template(clean),
        provenance=tuple(_came(each.origin) for each in told.patterns),
        results=tuple(results)[:MOST_RESULTS],
        masked=tuple(_masked(each) for each in findings),
    )
    document = {MARK: VERSION, **msgspec.to_builtins(pack)}
    return json.dumps({**document, HASH: hash_of(document)}, indent=1, allow_nan=False) + "\n"


def _bare(template: Template) -> Template:
    """Only what we know the meaning of, and nothing of the sessions that it comes from."""
    return replace(
        template,
        patterns=tuple(map(_bare_pattern, template.patterns)),
        source_session_ids=(), metrics={}, whose=WhoseAddendum(), read={},
    )  # fmt: skip


def _bare_pattern(pattern: Pattern) -> Pattern:
    mended = _bare_pattern(pattern.mended) if pattern.mended else None
    return replace(pattern, origin=Origin(), whose=Whose(), read=None, mended=mended)


def _came(origin: Origin) -> Came:
    return Came(
        chosen_by=origin.chosen_by,
        agent=origin.agent[:200],
        recorded_at=origin.recorded_at,
        suggested=origin.why.startswith("suggested ("),
    )


def _masked(finding: Finding) -> Masked:
    where = f"pattern {finding.pattern + 1}, {finding.field}" if finding.pattern is not None else finding.field
    return Masked(where=where[:200], rule=finding.secret.rule[:200])


def hash_of(document: Mapping[str, Any]) -> str:
    """Of what it says, however it is spaced."""
    rest = {name: value for name, value in document.items() if name != HASH}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


# --- in ---


class Examined(NamedTuple):
    """A pack as it would be taken in, and what is to be known of it before."""

    name: str
    pack: Pack
    hash: str
    template: Template
    secrets: int
    """That still stood in it: they are masked."""
    foreign: list[Foreign]
    problems: dict[str, list[str]]
    """By provider, what is wrong with the conversation that it makes; none where nothing is."""


def is_pack(raw: bytes | str) -> bool:
    """By its beginning: a file that is meant as one, whole or not."""
    start = raw[:2_000]
    return (MARK.encode() in start) if isinstance(start, bytes) else (MARK in start)


def read_whole(path: Path) -> bytes:
    try:
        return read_regular(path, files.LARGEST)
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror or error}.") from error


def examined(home: Home, raw: bytes | str, source: str) -> Examined:
    """Raises Trouble where it is none, of another version, damaged, or too large."""
    if len(raw) > LARGEST:
        raise Trouble(f"{source} is no pack: it is larger than {LARGEST:,} bytes.")
    pack, digest = _opened(raw, source)
    name = check_name(str(pack.template.get("name") or ""))
    template = parse(json.dumps(pack.template), name, source)
    if len(template.patterns) > MOST_PATTERNS:
        raise Trouble(f"{source} is no pack: it has more than {MOST_PATTERNS:,} patterns.")
    template = _taken_in(_bare(as_version_2(template)), pack, digest)
    redactor = redactor_of(home)
    secrets = len(findings_in(template, redactor))
    template = redacted(template, redactor) if secrets else template
    problems = {provider: _problems(template, provider) for provider in PROVIDERS}
    return Examined(name, pack, digest, template, secrets, foreign_of(template), problems)


def _opened(raw: bytes | str, source: str) -> tuple[Pack, str]:
    try:
        document = msgspec.json.decode(raw)
        if not isinstance(document, dict) or MARK not in document:
            raise Trouble(f"{source} is no pack of Warm TUI.")
        if document[MARK] is True or document[MARK] != VERSION:
            version = clean_line(str(document[MARK]))[:20]
            raise Trouble(f"{source} is a pack of version {version}, and this Warm TUI knows {VERSION} alone.")
        digest = document.get(HASH)
        if not isinstance(digest, str) or digest != hash_of(document):
            raise Trouble(f"{source} is damaged, or was changed: its hash is not that of what it says.")
        del document[MARK], document[HASH]
        return msgspec.convert(document, Pack), digest
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Trouble(f"{source} is damaged or no pack: {clean_line(str(error))[:200]}.") from error


def _taken_in(template: Template, pack: Pack, digest: str) -> Template:
    """Who chose a pattern elsewhere did not choose it here: that it came in a pack is all that is known."""
    why = f"from a pack ({digest[7:19]})"
    agents = [each.agent for each in pack.provenance]
    patterns = tuple(
        replace(pattern, origin=Origin(why=why, agent=agents[at] if at < len(agents) else ""))
        for at, pattern in enumerate(template.patterns)
    )
    return replace(template, patterns=patterns)


def _problems(template: Template, provider: str) -> list[str]:
    conversation = build_conversation(template, provider)
    messages = conversation.messages
    found = (*conversation.problems, *validate(messages, provider), *hidden_problems(messages))
    return [clean_line(each.text) for each in found]


def unpack(home: Home, known: Examined, called: str = "") -> Path:
    """Kept as a template, whose texts nobody here has read; its name must be free."""
    templates = TemplateFiles(home)
    name = check_name(called or known.name)
    if templates.find(name) is not None:
        raise Trouble(f"There is a template '{name}' already: say another name for it.")
    note = Note("import", f"unpacked: revision {known.pack.revision} of {known.name}, {known.hash[7:19]}")
    return templates.save(replace(known.template, name=name), note=note)
