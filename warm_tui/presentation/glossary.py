"""What each word, sign and figure means, in plain words: one table for the explain key, for tooltips and the README."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from string import Formatter
from typing import TYPE_CHECKING, NamedTuple

from warm_tui.presentation.figures import cost, percent, points, signed, tokens
from warm_tui.presentation.lines import Line, Meant, Piece
from warm_tui.reliability.bounds import FEW_CALLS, RUNNING, change_bounds, rate_bounds
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.rates import FIRST_CALLS

if TYPE_CHECKING:
    from warm_tui.reliability.compaction import Change


class Term(NamedTuple):
    name: str
    means: str
    figures: str = ""
    """The same of one figure, with its own numbers in it."""
    other_names: tuple[str, ...] = ()
    is_drawn: bool = False
    """A picture: no part of it is a value."""


class Explained(NamedTuple):
    """A word with what stands there, and what that means."""

    name: str
    value: str
    text: str


TERMS: tuple[Term, ...] = (
    # How a call ended.
    Term("✓ ok", "The call did what it was meant to do.", "{told}"),
    Term("~ benign", "An exit code other than 0 that is an answer and no failure: grep found nothing, diff found a difference.", "{told}"),
    Term("✗ failed", "The call did not do what it was meant to do.", "{told}"),
    Term("! masked", "It ended with exit code 0, but its output shows that the work failed: a pipe hid the code of what ended in a traceback.", "{told}"),
    Term("? unknown", "Nobody can tell: it was interrupted, taken back, or has no result. It counts in no rate.", "{told}"),
    Term("verdict on a call", "How a call ended: what its result shows, by which rule, and whether that is certain or likely (≈). v in a transcript gives it your own."),
    Term("signs of calls", "How calls ended: ✓ ok, ~ benign, ✗ failed, ! masked, ? unknown; ┃ is a compaction."),
    # What was recorded.
    Term("session", "One conversation with the agent, together with everything that compaction made of it.", other_names=("title",)),
    Term("agent", "The program that worked and wrote the session down: hermes, claude-code, codex, opencode, or chat for a log of messages."),
    Term("home", "Which of the agent's homes it stands in: a Hermes profile, or the folder of another agent."),
    Term("machine", "Which machine of the fleet its home is on; nothing for this one."),
    Term("machine of a run", "Which machine of the fleet made it; nothing for this one."),
    Term("Hermes", "The version of Hermes that made the run; nothing where that is not known."),
    Term("project", "The folder that the agent worked in."),
    Term("source", "Where it was talked to: the command line, a messenger, a timer."),
    Term("model", "The model that the agent ran on."),
    Term("age", "How long ago it began.", other_names=("started",)),
    Term("ended", "How it ended, in the agent's own word."),
    Term("outcome", "Whether the session reached its goal: done, not done, or unknown. Known by a check, by what the person said, by how it ended, or by your own word (O); where words cannot tell, it is unknown.", other_names=("done",)),
    Term("time", "How long it took.", other_names=("lasted",)),
    Term("messages", "Messages that were written in it; copies that compaction left are not counted again.", other_names=("msgs",)),
    Term("calls", "Tool calls that were made, each once, however many copies compaction left of it. Plans, questions and what an agent looks up in its own head are not counted, here and in every rate: the transcript shows them, too.",
         "{ok} worked, {failed} failed, and of {unknown} nobody can tell."),
    Term("failed", "Calls that failed, masked ones included.", "{failed} of {known} calls with a known outcome.", ("fail",)),
    Term("errors", f"How large a share of the calls with a known outcome failed. Of fewer than {FEW_CALLS} calls it is grey: it says little.",
         "{failed} of {known} failed: {rate}. So many calls tell that the true rate lies between {low} and {high}, 95 times in 100.",
         ("error rate",)),
    Term("≥", "Behind a column's name: worst first, by what each figure is at least, as far as so many calls tell. So 54 % of 90 calls may stand above 56 % of 20, and a rate of few calls stands at neither end.", other_names=("at least",)),
    Term("≤", "Behind a column's name: best first, by what each figure is at most, as far as so many calls tell. So 2 failures of 46 calls may stand above none of 3.", other_names=("at most",)),
    Term("interval", "Where the true rate lies, 95 times in 100, as far as so many calls tell: the more calls, the narrower. Of several sessions it is wider, as sessions differ, and of one or two of them widest; between arms of fewer than 10 sessions it is mostly wider than need be, and holds more often than that. The dot is what was seen.",
         "Between {low} and {high}, seen: {rate}.", ("0   95 % 100", "0 % to 100 %", "0 % to 50 %", "95 %"), is_drawn=True),
    Term("trend", "The error rate of the first fifth of the calls and of the last, as two bars with an arrow between.",
         "From {early} early to {late} late.", ("early → late",), is_drawn=True),
    Term("change", "The error rate late in the session less the rate early in it; below zero it got better. It has a colour only where so many calls show it.",
         "{early} early, {late} late: {change}{between}."),
    Term("at equal tool mix", "What the change would be, had late calls been of the same tools as early ones: each tool is compared with itself."),
    Term("errors of a tool", "How often the tool was called, and how large a share of these calls failed.", "{failed} of {known} calls with a known outcome failed: {rate}."),
    Term("strip of calls", "Every call in the order in which they were made, by how it ended; of many calls a bar stands for several, its height the share that failed. ┃ is a compaction.", is_drawn=True),
    Term("why it fails", "The failures by their kind, and under each kind the reasons, with how often each was met."),
    Term("tools", "The kind of tools that were used most, be it by little."),
    Term("task", "What sort of work it was: the kind of tool that more than 60 % of its calls were of, else mixed; in an experiment, its task."),
    Term("tokens", "What went to the model and came back, caches included. ≈ marks an estimate.", "{tokens}."),
    Term("cost", "What it cost, where the agent recorded that.", "{cost}."),
    Term("compacted", "How often the agent shortened the context of the session.", other_names=("compactions", "compaction")),
    Term("relation", "How it comes from another session: gone on with after compaction (chain, in place), a branch, a helper's (delegate), or the agent's own review of it."),
    Term("learned", "What the agent kept for later sessions: in its memory, in what it knows of the user, or as a skill; by itself in a turn, or by its review of the session afterwards. Counted is what was new there and succeeded."),
    Term("first 30 calls", f"The error rate of the first {FIRST_CALLS} calls alone: how well it began."),
    Term("calls to success", "How many calls it took until the first one worked."),
    Term("time to success", "How long it took until the first call worked."),
    Term("errors a session", "How many calls failed in a session, on average."),
    Term("tools a session", "How many different tools a session used, on average."),
    Term("failures in a row", "The longest run of failures without a success between them.", other_names=("streak",)),
    Term("tokens a session", "Tokens of a session, on average."),
    Term("cost a session", "What a session cost, on average."),
    Term("sessions done", "The share of sessions that reached their goal, among those of which that is known."),
    Term("tasks done", "The share of runs whose check said that the task was done.", other_names=("task done",)),
    # Failures.
    Term("failure", "Failures that are the same trouble, as one: the same tool, kind and program, and the same words, numbers, paths, ids and quoted names taken out. Of failed tests, the same test and what was raised in it; what is missing, by its name.", other_names=("family",)),
    Term("state of a failure", "new: not there before; ongoing; regressed: back after it was over; resolved: not seen for longer than chance would leave it, or you said so; muted: by you."),
    Term("lost", "Calls that it cost: those that failed, and those on the way to one with the same aim that worked."),
    Term("sessions", "How many sessions there are of it; of a failure, in how many it was seen."),
    Term("mended", "After how many of the failures a call with the same aim worked."),
    Term("last seen", "How long ago it failed so for the last time."),
    Term("first seen", "How long ago it failed so for the first time."),
    Term("what mended it", "The call with the same aim that worked most often after it: of what was tried seldom, as far as that tells."),
    Term("worked", "Of a mend: how often it worked of how often it was tried. Of a template: whether the failure went down since."),
    Term("speaks to it", "A template with calls like those that mended it, or that ask for the same; and whether fewer sessions had it since."),
    # Approvals.
    Term("time left", "How long an answer is waited for; then what was asked is over, as by a no."),
    Term("action", "What kind of thing it wants to do. Ten kinds are high risk: a rule lets these pass only where it says so."),
    Term("asked by", "Which program or agent asks, as it says itself."),
    Term("event", "What happened to a request: asked, approved, denied, expired, withdrawn by who asked, auto_approved by a rule, or yes taken: by who asked, who alone knows whether it then ran."),
    Term("by", "Who did it, as they say themselves."),
    Term("reason", "Why, in their own words."),
    Term("age of an event", "How long ago it happened."),
    # Compaction.
    Term("segment", "The work between two compactions: before is what came before the first one, after 2 what came after the second.",
         "{failed} of {known} calls of it failed: {rate}.", ("before", "after")),
    Term("carried-over", "Calls that compaction copied into the new context: the same calls again, counted nowhere twice."),
    Term("helper", "A session of its own that a call gave work to. What it did counts there, and not in the session of that call."),
    Term("change over a compaction", "The error rate after the first compaction less the rate before it. It need not be the compaction's doing.",
         "{before} before, {after} after: {change}{between}."),
    Term("verdict", "What the figures show, and no more than that.", other_names=("compared",)),
    Term("worse after", "More calls failed after compaction than before, by more than chance. Work also drifts where nothing is compacted.",
         "{before} before, {after} after: {change}{between}."),
    Term("better after", "Fewer calls failed after compaction than before, by more than chance. Work also drifts where nothing is compacted.",
         "{before} before, {after} after: {change}{between}."),
    Term("no worse", "It is shown that at most a fifth more calls fail after compaction than before.",
         "{before} before, {after} after: {change}{between}."),
    Term("inconclusive", "The figures fit with both better and worse: nothing can be said. The conclusion above says how many calls would tell.",
         "{before} before, {after} after: {change}{between}."),
    Term("running rate", f"In the timeline: how many of the last {RUNNING} calls failed, in the band in which the true rate lies. It begins anew at each compaction, with the {FEW_CALLS}th call: of fewer a rate says little.",
         "At call {call}: of the last {of}, {rate} failed. So many calls tell that the true rate lies between {low} and {high}, 95 times in 100.", is_drawn=True),
    Term("a call of the timeline", "One call, by how it ended; where there are many, a bar stands for several, its height the share that failed. Enter, or two clicks, open it.",
         "Call {call} of {calls}: {told}.", is_drawn=True),
    Term("context", "In the timeline: how many tokens the model had before it at each call, about. It grows until a compaction cuts it.", "{context} tokens at call {call}.", is_drawn=True),
    Term("kept at a compaction", "How many tokens the context took before the compaction and after it, about, and how many of the calls before it stand there word for word still."),
    Term("kept", "What stands in the context word for word after the compaction.", other_names=("calls kept", "messages kept")),
    Term("shortened", "Still there, with its result cut."),
    Term("told", "No longer there; the summary names it."),
    Term("gone", "No longer there, and the summary does not name it."),
    Term("good calls lost", "Calls that had worked and that the agent can no longer look up: worth picking into a template."),
    Term("fate", "What became of it: kept, shortened, only told, or gone."),
    # A transcript.
    Term("minimap", "All of a transcript at its right edge, from top to bottom: ✗ ! ? where a call failed, was masked or is unknown, · where all is well, ━ a compaction; a bar is the share that failed of several calls. ▶ is where you are, a click goes there.", is_drawn=True),
    Term("match", "A call or a message in which the words that were searched for stand, each counted once."),
    # Pictures, and what is said of them.
    Term("note", "What the figures are of, and how they were made."),
    Term("totals", "What all sessions of the group come to; ≥ where something is not recorded of some of them."),
    Term("conclusion", "What the figures come to, in plain words, and no more than they show; what it rests on stands with it, or unfolds by d."),
    Term("curve", "A line through what was seen; the dots are where the true value lies, 95 times in 100. An orange sign below it marks what happened then.", is_drawn=True),
    Term("how many had which rate", "Sessions by their error rate, an arm a line: the higher a bar, the larger the share of that arm's sessions with about this rate.", is_drawn=True),
    Term("place", "Which calls of a session are meant, counted from its first: the first ten, the next twenty, and so on."),
    Term("begin with", "What a session begins with: the kind of tool that most of its first calls are of."),
    Term("period", "The days that are looked at, or as many before them. A session belongs to the time when it began; p chooses the period.", other_names=()),
    Term("change of a period", "What the days that are looked at have more or less than as many before them. A change of the error rate is called one, and has a colour, only where so many sessions show it. new: there was none before; –: there is nothing to compare."),
    Term("what is new, runs or waits", "What came since you looked last, experiments that run, and what waits for your decision. Enter opens it."),
    Term("group", "Rows that belong together, and how many; Enter folds and unfolds them where they can be."),
    # Templates and comparisons.
    Term("template", "Calls that worked, kept under a name: a new session can begin with them as if it had made them.", other_names=("name",)),
    Term("suggestion", "What ended sessions teach of a template: what it would change, because of what, and what comes of that then. Nothing changes before you accept it; e opens it as a draft first."),
    Term("revision", "A template as one save left it: its number, when and by whom it was saved, what that changed; ● is what stands now. Below: what sessions that began with it showed, and how it differs from the one before."),
    Term("patterns", "How many calls with their words a template holds."),
    Term("uses", "How many sessions began warm with it: as the plugin recorded it, else by the time when it was active."),
    Term("outside", "How many of its texts nobody here wrote, or nobody knows who did: read them before a session begins with them."),
    Term("user says", "What is told as the user's before a call; “Go on.” where nothing is known to be the user's. One that is joined answers the same words as the call before it."),
    Term("draft head", "The draft: how many patterns it holds, and how many tokens they take of the model's window when they are told; ≈ marks an estimate, = a count."),
    Term("preview head", "The conversation as the model gets it: for which provider, how many messages, how many tokens they take of its window, and what is wrong with it."),
    Term("call", "What was called: the tool, where it is not a command, and what it was given. ← ✗ is the failure that it mended.", other_names=("picked", "what")),
    Term("who", "The tool of a call, or who said it."),
    Term("#", "Its place in the template."),
    Term("beware", "What speaks against the pattern: a secret, text from outside, a near copy of another, a failure."),
    Term("said before", "What the user had said before the call."),
    Term("seen", "How often a call like this one was made."),
    Term("why to pick it", "What speaks for a call: a failure that it mended and how many calls failures like that took in all, in how many sessions calls like it worked, where in the work it stood. In order of what they are worth, these count most, then how recent it is and how short.", other_names=("why",)),
    Term("tokens of a call", "What a call takes of the model's window when it is told: the user's words, the call, its result. The same count stands in Curate, in the draft, in Templates and in the commands; one joined to the call before it goes without the words. ≈ marks an estimate, = a count."),
    Term("evidence", "How the call ended and by which rule; ≈ likely, ◂ from outside, ◂! what came from outside reads like instructions."),
    Term("warm", "Begun with a template."),
    Term("cold", "Begun without one."),
    Term("arm", "The sessions of one kind in a comparison: the warm ones, or the cold ones.", "{failed} of its {known} calls failed: {rate}."),
    Term("difference", "Warm less cold; of an error rate below zero is better. It has a colour only where it is shown.", other_names=("lower │ higher",)),
    Term("change drawn", "A change on a line, ● where it was seen, with the interval in which it truly lies, 95 times in 100; │ is no change. Beyond that line on the side of worse, more fails.", other_names=("worse →", "better  │  worse"), is_drawn=True),
    Term("between", "In what interval the true change lies, 95 times in 100, as far as so many sessions tell."),
    Term("what it showed", "What the experiment proved, and no more than that; or how far it has come."),
    Term("run", "One task, done once in one arm by a session of its own.", other_names=("runs",)),
    Term("state", "How far it has come; of a run, whether it went through."),
    Term("time a run", "How long a run took, on average."),
    Term("runs to come", "How many runs a plan makes: each task as often as it says, in both arms, or as many as its budget lets begin.", "{told}"),
    Term("time expected", "How long a plan takes if its runs are like the middle one of earlier experiments, of the same tasks where there are any.", "{told}"),
    Term("longest time", "How long a plan can take at most: every run takes all that its task's limit allows, as much again for a setup and for a check, and the longest one begins last.", "{told}"),
    Term("cost expected", "What a plan costs if its runs cost what those of earlier experiments did, on average.", "{told}"),
    Term("budget", "Where it ends: when so many runs, so much money or so much time are used up, no other run begins.", "{told}"),
    Term("smallest difference found", "How small a difference of error rates the plan can show: one so large is shown in four of five such experiments, as far as recorded sessions differ from each other.", "{told}"),
    Term("checked", "A task with a check counts as done if that command ends with 0; without one, only calls are counted.", "{told}"),
    Term("pair", "The same task, run once in each arm."),
    Term("number", "By which it is called in commands."),
    Term("p", "How often chance alone would make a difference as large as this one, were there none. Below 0.05 a difference may be told."),
    Term("rule", "For which new sessions a template is tried; the first one that matches a session decides, and no match is cold.", other_names=("for which",)),
    Term("state of a rule", "running: sessions are drawn by it; paused: by you, or by an activation for all sessions; switched off: by its guard, as soon as harm was shown."),
    Term("share", "How many of the sessions that a rule is for begin warm: each is drawn by chance."),
    Term("difference of a trial", "The share of a session's calls that failed, warm less cold, lies between these, at whatever time one looks, in 95 of 100 trials. Below zero the template helps."),
    Term("shows", "What a trial has shown so far: the template helps, or harms, or nothing is shown yet. It may be looked at at any time.", other_names=("what it shows",)),
    Term("trial", "A rule with all the sessions that it drew, warm or cold by chance: as they are alike but for that, what differs is the template's doing."),
    Term("pp", "Percentage points: from 10 % to 15 % is 5 pp."),
    Term("confounded", "The arms differ in more than the template, so what differs may be due to that."),
    Term("none shown, by p", "The interval, which is of this figure alone, leaves out 0; but of as many figures as were compared, one lies as far off by chance more often than p allows. So nothing is told."),
    Term("none shown, by interval", "p is small, but the interval holds 0: a difference is told only where both agree."),
    Term("not tested", "There are too few sessions for a test, or it is not known of all of them: the figures are told, and nothing is claimed of them."),
    Term("neither is better", "More of it is neither better nor worse: it is told, not judged."),
    Term("none shown", "The figures fit with no difference at all; that is no proof that there is none.", other_names=("no difference shown",)),
    Term("not enough data", "So few sessions cannot show anything."),
)  # fmt: skip

BY_NAME: Mapping[str, Term] = {
    name.lower(): term for term in reversed(TERMS) for name in (term.name, *term.other_names)
}
GLYPH_TERMS = TERMS[:5]


def term(name: str) -> Term | None:
    return BY_NAME.get(name.strip().lower())


def explained(name: str, figures: Mapping[str, str] | None = None) -> str:
    """In plain words; with the figure's own numbers where all are known. Nothing for an unknown word."""
    found = term(name)
    if found is None:
        return ""
    wanted = {field for _, field, _, _ in Formatter().parse(found.figures) if field}
    if found.figures and figures and wanted <= figures.keys():
        return f"{found.figures.format_map(figures)}\n{found.means}"
    return found.means


def glyphs() -> list[Explained]:
    return [Explained(each.name, "", each.means) for each in GLYPH_TERMS]


def of_piece(text: str, style: str) -> Explained | None:
    """What a piece of a line means, where it carries that."""
    found = term(style.word) if isinstance(style, Meant) else None
    if found is None or not isinstance(style, Meant):
        return None
    return Explained(found.name, text.strip(), explained(style.word, style.numbers() if style.numbers else None))


def of_lines(lines: Iterable[Line], here: Iterable[Line] = ()) -> list[Explained]:
    """All that lines mean, each word once: first what stands in those under the cursor, with its own figures. Of other
    lines, a word with several figures is told without any, as none of them is meant more than the others."""
    told = _told(here, first=True)
    return [*told.values(), *(each for name, each in _told(lines, first=False).items() if name not in told)]


def _told(lines: Iterable[Line], *, first: bool) -> dict[str, Explained]:
    """`first`: of several figures under one word, the first one is told."""
    found: dict[str, list[Explained]] = {}
    for line in lines:
        for word, pieces in _words_of(line).items():
            if (each := _of_pieces(word, pieces)) is not None:
                found.setdefault(each.name, []).append(each)
    return {name: every[0] if first else _one_of(every) for name, every in found.items()}


def _words_of(line: Line) -> dict[str, list[Piece]]:
    words: dict[str, list[Piece]] = {}
    for text, style in line:
        if isinstance(style, Meant) and text.strip():
            words.setdefault(style.word, []).append((text.strip(), style))
    return words


def _of_pieces(word: str, pieces: list[Piece]) -> Explained | None:
    found = of_piece(*max(pieces, key=lambda piece: _has_numbers(piece[1])))
    return found._replace(value=_value(word, [text for text, _ in pieces])) if found is not None else None


def _one_of(every: list[Explained]) -> Explained:
    """What they have in common: figures, where those are the same in all that have any."""
    plain = explained(every[0].name)
    with_figures = [each for each in every if each.text != plain]
    with_values = [each for each in every if each.value]
    if with_figures:
        alone = len({each.text for each in with_figures}) == 1
    else:
        alone = len({each.value for each in with_values}) == 1
    return (with_figures or with_values)[0] if alone else Explained(every[0].name, "", plain)


def _value(word: str, texts: Iterable[str]) -> str:
    """What stands there, without the word itself and without pictures."""
    found = term(word)
    if found is None or found.is_drawn:
        return ""
    words = (text.removeprefix(found.name).strip(" ·,") for text in texts if any(map(str.isalnum, text)))
    return "  ".join(text for text in words if text and term(text) is not found)


def of_words(words: Iterable[str]) -> list[Explained]:
    """Those that are known, each once."""
    known = dict.fromkeys(found for word in words if (found := term(word)) is not None)
    return [Explained(each.name, "", each.means) for each in known]


def _has_numbers(style: str) -> bool:
    return isinstance(style, Meant) and style.numbers is not None


# --- the numbers of a figure ---


def numbers_of(failed: int, known: int) -> dict[str, str]:
    bounds = rate_bounds(failed, known)
    numbers = {"failed": f"{failed:,}", "known": f"{known:,}"}
    if bounds is None:
        return numbers
    return numbers | {"rate": percent(failed / known), "low": f"{bounds.low:.0%}", "high": f"{bounds.high:.0%}"}


def numbers_of_profile(p: Profile) -> dict[str, str]:
    numbers = numbers_of(p.failed_calls, p.known_calls)
    numbers |= {
        "ok": f"{p.successful_calls:,}",
        "unknown": f"{p.unknown_calls:,}",
        "tokens": tokens(p),
        "cost": cost(p),
    }
    if p.early_error_rate is not None and p.late_error_rate is not None:
        bounds = change_bounds(p)
        between = f", between {points(*bounds)} as far as so many calls tell" if bounds else ""
        numbers |= {"early": percent(p.early_error_rate), "late": percent(p.late_error_rate)}
        numbers |= {"change": signed(p.proficiency_gain), "between": between}
    return numbers


def numbers_of_change(change: Change) -> dict[str, str]:
    if change.difference is None or change.low is None or change.high is None:
        return {}
    return {
        "before": f"{percent(change.before.rate)} of {change.before.calls:,} calls failed",
        "after": f"{percent(change.after.rate)} of {change.after.calls:,}",
        "change": signed(change.difference),
        "between": f", between {points(change.low, change.high)} as far as so many calls tell",
    }


def readme_table() -> str:
    """The page of terms."""
    rows = [f"| {', '.join((each.name, *each.other_names))} | {each.means} |" for each in TERMS]
    return "\n".join(["| word or sign | what it means |", "|---|---|", *(row.replace("│", "\\|") for row in rows)])


if __name__ == "__main__":
    print(readme_table())
