"""Every mend that is proposed, for a reader: what failed, what stood between, and the call that is said to mend it.

    python tests/bench/mends.py DATABASE_OR_FOLDER [...] [--full]

A database of Hermes, or a folder of another agent's sessions. Families' mends come first, then those of Curate that no
family names. `--full` shows what was answered to its end.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from warm_tui.library.catalog import Catalog
from warm_tui.library.families import KeptFailures, failed_lives, families
from warm_tui.paths import Home
from warm_tui.reliability.again import same_call
from warm_tui.reliability.failure_records import Failure
from warm_tui.reliability.families import FailedLife, Family, Mend
from warm_tui.reliability.words import command_of
from warm_tui.templates.building import candidates_in
from warm_tui.templates.mining import Candidate

SHOWN, SHOWN_RESULT = 1_500, 700
FULL = 1_000_000


def main() -> None:
    most = FULL if "--full" in sys.argv else SHOWN_RESULT
    for place in [each for each in sys.argv[1:] if not each.startswith("--")]:
        with tempfile.TemporaryDirectory() as scratch, Catalog(Home(Path(scratch), (Path(place),))) as catalog:
            show(catalog, Path(place).stem, most)


def show(catalog: Catalog, name: str, most: int) -> None:
    profiles = catalog.profiles()
    calls = {profile.session_id: candidates_in(catalog, profile) for profile in profiles}
    lives = {life.name: life for life in failed_lives(catalog, profiles, KeptFailures())}
    number, told = 0, set()
    for family in families(catalog).all:
        for mend in family.mends:
            number += 1
            title = f"{family.title} ({family.tool}), failed {family.count}, lost {family.lost}"
            print(f"\n===== {name} {number}: {title}; worked {mend.worked} of {mend.tried}{' AGAIN' * mend.again}")
            failure, at = mended_by(lives[mend.life], family, mend)
            told.add((mend.session_id, mend.call))
            failed = lives[mend.life].sessions[failure.session], failure.call
            course(calls[mend.life], failed, at, most, again=mend.again)
    print(f"\n##### {name}: {number} mends of families")
    mined = [each for of_life in calls.values() for each in of_life if each.mends is not None and each.name not in told]
    for each in mined:
        number += 1
        print(f"\n===== {name} {number}: only in Curate{' AGAIN' * each.then_again}: {each.fixed}")
        assert each.mends is not None
        course(calls[each.life], each.mends.name, each.name, most, again=each.then_again)
    print(f"\n##### {name}: {len(mined)} more in Curate alone")


def mended_by(life: FailedLife, family: Family, mend: Mend) -> tuple[Failure, tuple[str, str]]:
    """The failure that this mend is told of, and the call that then worked."""
    for failure in life.kept.failures:
        for each in failure.tries:
            if (life.sessions[each.session], each.call) == (mend.session_id, mend.call) and failure.family == family.id:
                return failure, (life.sessions[each.session], each.call)
    raise LookupError(mend)


def course(
    calls: Sequence[Candidate], first: tuple[str, str], last: tuple[str, str], most: int, *, again: bool
) -> None:
    names = [each.name for each in calls]
    at, end = names.index(first), names.index(last)
    behind = next((n for n, x in enumerate(calls[end + 1 :], 1) if worked_again(calls[at], x)), 0) if again else 0
    for number, each in enumerate(calls[at : end + behind + 1], at):
        mark = {at: "FAILED", end: "MENDS ", end + behind: "WORKED"}.get(number, "  ..  ")
        for line in told(each, most if mark != "  ..  " else most // 3):
            print(f"  {mark} {line}")


def worked_again(first: Candidate, then: Candidate) -> bool:
    return then.verdict.outcome == "success" and same_call(first.call, then.call)


def told(each: Candidate, most: int) -> Iterator[str]:
    command = command_of(each.call.arguments)
    yield f"{each.call.tool_name} [{each.verdict.outcome}: {each.verdict.kind}] {each.name[1]}"
    yield from (f"    $ {line}" for line in middle(command or each.call.arguments, SHOWN).splitlines())
    yield from (f"    > {line}" for line in middle(each.call.result or "", most).replace("\\n", "\n").splitlines())
    # What went on in the background has ended since, and that is what counts.
    if each.call.report is not None and each.call.report.exit_code is not None:
        yield f"    = ended with code {each.call.report.exit_code}"
        yield from (f"    = {line}" for line in middle(each.call.report.words, most).splitlines())


def middle(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most // 2]} <...{len(text) - most} more...> {text[-most // 2 :]}"


if __name__ == "__main__":
    main()
