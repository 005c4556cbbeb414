"""The members of a fleet as machines that make an experiment's runs.

The queue stays in the library here: the engine forgets what it was given when its scheduler ends. A run whose member
went away stands in the queue again; what that member comes to afterwards is asked for by nobody, so that a run has one
result at most.
"""

from __future__ import annotations

import socket
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path
from threading import Event, Lock

from warm_tui.errors import Trouble
from warm_tui.experiments.machines import Next
from warm_tui.experiments.outages import BY_NAME
from warm_tui.experiments.plan import Plan
from warm_tui.experiments.run import MINUTE, Job, Outcome, as_told, keep_outcome, state_db
from warm_tui.experiments.workspace import Workspace, remove
from warm_tui.fleet.bundle import Bundle, bundle_of
from warm_tui.fleet.client import Fleet, Request
from warm_tui.fleet.folder import Away
from warm_tui.fleet.messages import Member
from warm_tui.fleet.possible import can_be
from warm_tui.fleet.received import adopt_received
from warm_tui.fleet.runs import LARGEST_SESSION, RunAsked, RunMade, Sent, Token
from warm_tui.library.experiments import FINISHED, Run
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.sessions.readers import open_source
from warm_tui.writing import write_whole

LOOK_SECONDS, BEAT = 1.0, 0.1
GONE_SECONDS = 20.0
"""A member that comes back sooner is asked for the same try of a run again, and its pairs wait for it so long."""
SENDING_SECONDS, ASKING_SECONDS = 600.0, 10.0
MOST_NAMED, MOST_SENT = 10, 5
"""Times that one run's member is sent what it begins from."""
RUN_BYTES = 280_000_000
"""Of a run's answer, its session among it."""
BESIDE_MINUTES = 10.0
"""Beside the setup, the agent and the check, each of which may take a task's minutes."""


class FleetMachines:
    hermes: Path | None = None
    most = 128

    def __init__(self, fleet: Fleet, plan: Plan, tell: Callable[[str], None]) -> None:
        self.fleet, self.where, self.tell = fleet, plan.where, tell
        self._lock = Lock()
        self._members: dict[str, Member] = {}
        self._looked = 0.0
        self._scheduler_is_away = False
        self._gone: dict[str, float] = {}
        """Since when each is not there, though the scheduler is: without that, nobody knows."""
        self._barred: set[str] = set()
        """They said that they cannot make runs."""
        self._told = self._told_versions = ""
        self._bundle: tuple[tuple[object, ...], Bundle] | None = None
        self._bundled = Lock()
        self._sent: set[tuple[str, str]] = set()
        """What was told to members: bundles, each with the experiment that needs it."""

    def close(self) -> None:
        """Nothing of the experiment stays on other machines, where they can be reached, whoever had sent it there."""
        for name in self._there() if self._sent else ():
            for sent in self._sent:
                with suppress(Trouble):
                    self.fleet.ask(name, "forget", Sent(*sent), Token, seconds=ASKING_SECONDS)

    # --- who there is ---

    def _there(self) -> dict[str, Member]:
        """By name; asked once a second, however many runs go on."""
        with self._lock:
            if time.monotonic() - self._looked >= LOOK_SECONDS:
                try:
                    self._members = {each.name: each for each in self.fleet.members() if not each.away}
                    self._scheduler_is_away = False
                    self._gone = {name: at for name, at in self._gone.items() if name not in self._members}
                except Away:
                    self._members, self._scheduler_is_away, self._gone = {}, True, {}
                self._looked = time.monotonic()
            return self._members

    def _is_gone(self, name: str) -> bool:
        """For so long that nobody waits for it any more."""
        with self._lock:
            if self._scheduler_is_away or name in self._members:
                return False
            return time.monotonic() - self._gone.setdefault(name, time.monotonic()) > GONE_SECONDS

    def _usable(self) -> dict[str, Member]:
        return {name: each for name, each in self._there().items() if not self._why_not(each)}

    def _why_not(self, member: Member) -> str:
        lacks = [wish for wish in self.where if not member.standing.offers.get(wish)]
        if lacks:
            return f"{member.name} has no {' and no '.join(lacks)}"
        if member.standing.drained:
            return f"{member.name} is drained"
        if member.name in self._barred:
            return f"{member.name} cannot make runs"
        return member.refused

    def next(self, runs: Sequence[Run]) -> Next | None:
        """Both halves of a pair on one member where that is there, so that machines are no arms."""
        usable = self._usable()
        self._tell_who_is_missing(usable)
        self._tell_versions(usable)
        busy = Counter(run.machine for run in runs if run.state == "running")
        free = {name: each for name, each in usable.items() if busy[name] < each.standing.slots}
        if not free:
            return None
        of_pair = {run.pair: run.machine for run in runs if run.machine and (run.finished or run.state == "running")}
        for run in runs:
            if run.state != "queued":
                continue
            name = of_pair.get(run.pair, "")
            if name in usable and name not in free:
                continue
            if name and name not in self._there() and not self._is_gone(name):
                continue
            if name not in free:
                name = min(free, key=lambda each: (busy[each] / free[each].standing.slots, each))
            return Next(run, name, partial(self._perform, name))
        return None

    def _tell_who_is_missing(self, usable: dict[str, Member]) -> None:
        if usable:
            sentence = ""
        elif self._scheduler_is_away:
            sentence = f"No scheduler answers at {self.fleet.address}: it is waited for."
        else:
            reasons = [self._why_not(each) for each in self._there().values()] or ["nobody is there"]
            sentence = f"No member can make runs ({'; '.join(sorted(reasons))}): they are waited for."
        if sentence != self._told:
            self._told = sentence
            if sentence:
                self.tell(sentence)

    def _tell_versions(self, usable: dict[str, Member]) -> None:
        """Of the agent: whoever compares arms must know that they are the same in both."""
        by_version: dict[str, list[str]] = {}
        for name, member in sorted(usable.items()):
            by_version.setdefault(member.standing.hermes or "of a version not known", []).append(name)
        named = "; ".join(f"{version} on {_some(tuple(names))}" for version, names in sorted(by_version.items()))
        if len(by_version) > 1 and named != self._told_versions:
            self._told_versions = named
            self.tell(
                f"Hermes is not the same everywhere: {named}. "
                "Both runs of a pair are made on one member, unless it goes away in between."
            )

    # --- one run ---

    def _perform(self, name: str, job: Job, workspace: Workspace, ending: Event) -> Outcome | None:
        """None where nothing came of it: it was ended, or the member went away."""
        bundle = self._bundle_of(job, workspace)
        try:
            made = self._asked_until_made(name, job, bundle, _experiment_of(workspace), ending)
            return None if made is None or made.outcome is None else _taken(made, name, job, workspace)
        except Trouble as trouble:
            self._bar(name, str(trouble))
            return None

    def _bar(self, name: str, why: str) -> None:
        member = self._there().get(name)
        if name not in self._barred and not (member and member.standing.drained):
            self._barred.add(name)
            self.tell(f"{why} It gets no runs of this experiment.")

    def _asked_until_made(self, name: str, job: Job, bundle: Bundle, experiment: str, ending: Event) -> RunMade | None:
        run, begun = job.run, job.run.started_at or 0.0
        asked = RunAsked(bundle.name, experiment, run.token, run.position, run.arm, begun, job.task, job.plan)
        seconds = MINUTE * (3 * job.task.minutes + BESIDE_MINUTES)
        mute_since: float | None = None
        sent = 0
        while not ending.is_set():
            member = self._there().get(name)
            if member is None:
                mute_since = None
                if self._is_gone(name):
                    self.tell(f"{name} went away: run {run.position + 1} stands in the queue again.")
                    return None
                ending.wait(BEAT)
                continue
            try:
                request = self.fleet.submit(member, "run", asked, RunMade, seconds=seconds, most=RUN_BYTES)
                made = self._waited_for(request, member, ending)
                if made is None:
                    continue
                if not made.lacks_bundle:
                    return made
                sent += 1
                if sent > MOST_SENT:
                    raise Trouble(f"{name} was sent what the runs begin from, and does not keep it.")
                self._send(member, bundle, experiment)
            except Away as away:
                mute_since = mute_since or time.monotonic()
                if time.monotonic() - mute_since > GONE_SECONDS:
                    raise Trouble(f"{name} is there, and gives no answer: {away}") from away
                ending.wait(BEAT)
        with suppress(Trouble):
            self.fleet.ask(name, "end_run", Token(run.token), Token, seconds=ASKING_SECONDS)
        return None

    def _waited_for(self, request: Request[RunMade], member: Member, ending: Event) -> RunMade | None:
        """None where it was ended, or is asked of somebody who is not there any more."""
        while not request.waited(BEAT):
            if ending.is_set():
                request.cancel()
                return None
            there = self._there().get(member.name)
            if there is None or there.address != member.address:
                request.cancel()
                return None
            if time.monotonic() > request.until:
                raise Away(f"{member.name} did not answer in time.")
        return request.answer()

    def _bundle_of(self, job: Job, workspace: Workspace) -> Bundle:
        """Made once, and anew where settings were taken over meanwhile."""
        config = workspace.frozen_home / "config.yaml"
        with self._bundled:
            stamp = (config.stat().st_mtime_ns if config.exists() else None,)
            if self._bundle is None or self._bundle[0] != stamp:
                bundle = bundle_of(workspace, job.conversation, job.mask, job.redactor)
                self._bundle = stamp, bundle
                self._sent.add((bundle.name, _experiment_of(workspace)))
                if bundle.left_out:
                    self.tell(f"Not sent, since they hold credentials: {', '.join(bundle.left_out)}.")
                if bundle.doubtful:
                    doubtful = _some(bundle.doubtful)
                    self.tell(f"Sent, though they hold what looks like a credential, none of this home: {doubtful}.")
            return self._bundle[1]

    def _send(self, member: Member, bundle: Bundle, experiment: str) -> None:
        sent = Sent(bundle.name, experiment, bundle.body)
        self.fleet.submit(member, "take_bundle", sent, Token, seconds=SENDING_SECONDS).answer()

    def end(self, run: Run, _workspace: Workspace) -> None:
        """Whoever drove it here was killed; the member may be at it still."""
        with suppress(Trouble):
            self.fleet.ask(run.machine, "end_run", Token(run.token), Token, seconds=ASKING_SECONDS)


def _some(names: tuple[str, ...]) -> str:
    beside = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {beside:,} more" if beside > 0 else "")


def _experiment_of(workspace: Workspace) -> str:
    """The same whichever process drives it; another one on each machine."""
    return blake2b(f"{socket.gethostname()}\0{workspace.folder}".encode(), digest_size=16).hexdigest()


def _taken(made: RunMade, machine: str, job: Job, workspace: Workspace) -> Outcome:
    """As if it had been made here: what it came to stands in its folder until it is in the library."""
    assert made.outcome is not None
    outcome = as_told(job, made.outcome)
    if outcome.state not in FINISHED or outcome.outage not in ("", *BY_NAME) or not can_be(outcome):
        raise Trouble(f"What {machine} tells of a run cannot be.")
    folder = workspace.run(job.run.position)
    remove(folder)
    if made.session:
        (folder / "home").mkdir(parents=True, mode=0o700)
        try:
            _keep_session(made, machine, folder, workspace)
        except BaseException:
            remove(folder)
            raise
    keep_outcome(folder, outcome)
    return outcome


def _keep_session(made: RunMade, machine: str, folder: Path, workspace: Workspace) -> None:
    received = folder / "received.db"
    write_whole(received, _unpacked(made.session, machine))
    with Archive(state_db(folder)) as archive:
        names = set(adopt_received(received, machine, archive))
    received.unlink()
    if made.outcome and made.outcome.session_id not in names:
        raise Trouble(f"{machine} sends another session than the run's.")
    if workspace.home.archive.exists():
        with open_source(workspace.home.archive) as archived:
            if names & {session.id for session in archived.sessions()}:
                raise Trouble(f"{machine} sends a session that another run has.")


def _unpacked(session: bytes, machine: str) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        body = unpacking.decompress(session, LARGEST_SESSION)
    except zlib.error as error:
        raise Trouble(f"The session that {machine} sends cannot be read.") from error
    if unpacking.unconsumed_tail:
        raise Trouble(f"The session that {machine} sends is larger than {LARGEST_SESSION:,} bytes.")
    return body
