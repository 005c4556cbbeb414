"""Every action of the app, declared once: the footer, the palette, the help and the keymap come from here.

An action's id names the method that does it (`sort-by` is `action_sort_by`) and is what a key is bound to in
config.toml.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from textual.binding import Binding, BindingType


class Action(NamedTuple):
    scope: str
    id: str
    title: str
    keys: str
    help: str
    footer: bool = False

    @property
    def named(self) -> str:
        """With the screen it belongs to: several have one of the same title."""
        return self.title if self.scope == "app" else f"{SCOPE_TITLES[self.scope]}: {self.title}"


ACTIONS: tuple[Action, ...] = (
    Action("app", "show-overview", "Overview", "0", "How it goes, all sessions together"),
    Action("app", "show-sessions", "Sessions", "1", "The table of sessions"),
    Action("app", "show-failures", "Failures", "2", "What fails most, and what mended it"),
    Action("app", "show-curate", "Curate", "3", "Pick calls into a template"),
    Action("app", "show-templates", "Templates", "4", "The templates, and the conversation each makes"),
    Action("app", "show-compaction", "Compaction", "5", "What compaction did to proficiency"),
    Action("app", "show-compare", "Compare", "6", "Warm sessions against cold ones"),
    Action("app", "show-experiments", "Experiments", "7", "Trials by rule, and experiments: whether a template helps"),
    Action("app", "show-approvals", "Approvals", "8", "What waits for a person's yes, and the log of it"),
    Action("app", "help", "Help", "question_mark", "The keys of where you are", True),
    Action("app", "explain", "Explain", "E", "Explain the words and figures under the cursor"),
    Action("app", "choose-theme", "Theme", "T", "Choose a theme; it is shown as you move"),
    Action("app", "picture", "Picture of the screen", "ctrl+s", "Save a picture of the screen, a screenshot (SVG)"),
    Action("app", "quit-now", "Quit", "ctrl+q", "Leave the app"),
    Action("overview", "period", "Period", "p", "By day, week or month", True),
    Action("overview", "trends", "Trends", "t", "How each source, model, home, agent and tool goes, or back", True),
    Action("overview", "questions", "Questions", "i", "Four questions, answered of your own sessions, or back", True),
    Action("overview", "machines", "Fleet", "m", "The machines of the fleet, and how each is, or back", True),
    Action("overview", "drain", "Drain", "x", "Give the machine under the cursor no new runs, or runs again", True),
    Action("overview", "next-page", "Next page", "tab", "Overview, trends, four questions, fleet"),
    Action("overview", "report", "Report", "e", "Write what is shown to a file: HTML, Markdown, SVG or JSON", True),
    Action("overview", "copy", "Copy", "y", "Copy the conclusion"),
    Action("overview", "back", "Back", "q,escape", "Back to the overview, from there to the sessions"),
    Action("overview-links", "open", "Open", "enter", "Open what stands behind it", True),
    Action("overview-links", "other-side", "Other side", "left,right,h,l", "To what stands beside it, where there is room for two columns"),
    Action("sessions", "open", "Open", "enter", "Open the transcript of the session under the cursor", True),
    Action("sessions", "filter", "Filter", "slash", "Filter the sessions", True),
    Action("sessions", "sort-by", "Sort", "s", "Choose the column to sort by", True),
    Action("sessions", "reverse", "Reverse", "r", "Turn the order round"),
    Action("sessions", "then-by", "Then by", "S", "Choose what decides between sessions that the order leaves alike"),
    Action("sessions", "group-by", "Groups", "B", "Group the sessions: by source, model, agent, home, machine, project or day"),
    Action("sessions", "fold-all", "Fold", "F", "Show only the names of the groups, or all of each; Enter folds one"),
    Action("sessions", "mark", "Mark", "space", "Mark the session, or unmark it", True),
    Action("sessions", "mark-up-to", "Mark up to here", "shift+down", "Mark every session from the last marked one to here"),
    Action("sessions", "mark-all", "Mark all", "a", "Mark all sessions that match, or unmark them"),
    Action("sessions", "undo-mark", "Undo mark", "u", "Take the last marking back"),
    Action("sessions", "mark-warm", "Warm", "w", "Put the session, or the marked ones, in the warm arm", True),
    Action("sessions", "mark-cold", "Cold", "c", "Put the session, or the marked ones, in the cold arm", True),
    Action("sessions", "choose-columns", "Columns", "o", "Choose the columns"),
    Action("sessions", "saved-views", "Views", "f", "Choose a saved view (filter, order, groups, columns), or save this one"),
    Action("sessions", "own-verdicts", "Your verdicts", "v", "List the verdicts of your own: go to one, or take it back"),
    Action("sessions", "outcome", "Outcome", "O", "Say yourself whether the session reached its goal, and why"),
    Action("sessions", "show-parts", "Parts", "b", "Show the sessions of each life by themselves, or each life as one"),
    Action("sessions", "walk-lineage", "Parent", "p", "Go to the session that this one came from"),
    Action("sessions", "walk-to-heir", "Heir", "P", "Go to the session that came from this one"),
    Action("sessions", "zoom", "Zoom", "z", "Give the profile the whole screen, or take it back"),
    Action("sessions", "stop", "Stop", "x", "Stop profiling; pressed again, go on"),
    Action("sessions", "copy", "Copy", "y", "Copy the session's id"),
    Action("sessions", "export", "Export", "e", "Write the sessions shown to a file (JSON)"),
    Action("sessions", "clear", "Clear", "escape", "Clear the filter, then the marks"),
    Action("sessions", "quit-now", "Quit", "q", "Leave the app", True),
    Action("transcript", "back", "Back", "q", "Back to the sessions", True),
    Action("transcript", "clear-search", "Clear", "escape", "Clear the search; without one, back to the sessions"),
    Action("transcript", "unfold", "Unfold", "enter,space", "Unfold what is under the cursor, or fold it", True),
    Action("transcript", "search", "Search", "slash", "Search in the transcript", True),
    Action("transcript", "next-match", "Next match", "n", "Go to the next match"),
    Action("transcript", "previous-match", "Previous match", "N", "Go to the match before"),
    Action("transcript", "next-failure", "Failure", "f", "Go to the next failed call", True),
    Action("transcript", "previous-failure", "Previous failure", "F", "Go to the failed call before"),
    Action("transcript", "next-cut", "Next compaction", "c", "Go to the next compaction"),
    Action("transcript", "previous-cut", "Previous compaction", "C", "Go to the compaction before"),
    Action("transcript", "next-same-tool", "Next of this tool", "t", "Go to the next call of the same tool"),
    Action("transcript", "verdict", "Verdict", "v", "Say yourself whether the call succeeded, and why", True),
    Action("transcript", "undo-verdict", "Undo verdict", "u", "Take your own verdict back"),
    Action("transcript", "own-verdicts", "Your verdicts", "V", "List the verdicts of your own: go to one, or take it back"),
    Action("transcript", "pager", "Whole", "o", "Open the call whole"),
    Action("transcript", "fold-values", "Values", "x", "Unfold the long values of the call under the cursor, or fold them"),
    Action("transcript", "whole-chain", "Chain", "b", "Show the whole chain of compactions, or this session alone"),
    Action("transcript", "subagent", "Helper", "s", "Open the session of the helper that the call gave work to"),
    Action("transcript", "follow", "Follow", "w", "Show what the agent adds, or let the transcript stay as it is"),
    Action("transcript", "copy", "Copy", "y", "Copy what is under the cursor"),
    Action("transcript", "export", "Export", "e", "Write the transcript to a file (text)"),
    Action("transcript", "pick", "Pick", "p", "Pick the call under the cursor into the draft", True),
    Action("curate", "pick", "Pick", "space", "Pick the call under the cursor, or put it back", True),
    Action("curate", "open", "Whole", "enter", "Among the calls: open one whole, with the turns around it; fold a tool's"),
    Action("curate", "filter", "Filter", "slash", "Show only calls with these words", True),
    Action("curate", "from", "From", "f", "Choose where the calls come from", True),
    Action("curate", "sort-by", "Sort", "s", "Choose the column to sort by"),
    Action("curate", "every-outcome", "Failures", "t", "Show calls that failed, too, or hide them"),
    Action("curate", "hint", "Words", "enter", "In the draft: write what the user says before the pattern, in its row", True),
    Action("curate", "edit", "Edit", "o", "In the draft: edit the arguments, the result, the tool or the words in a window", True),
    Action("curate", "drop", "Drop", "d,delete", "Take the pattern out of the draft", True),
    Action("curate", "join", "Join", "b", "Let the pattern answer the same words as the one before, or split it off", True),
    Action("curate", "save", "Save", "w", "Save the draft as a template", True),
    Action("curate", "undo", "Undo", "u", "Undo the last change of the draft", True),
    Action("curate", "move-down", "Down", "J,shift+down", "Move the pattern down", True),
    Action("curate", "move-up", "Up", "K,shift+up", "Move the pattern up", True),
    Action("curate", "alone", "Alone", "p", "Pick a call without the failure that it mended; in the draft, leave that failure out"),
    Action("curate", "mask", "Secrets", "m", "Decide on each secret: mask it, or let it stand"),
    Action("curate", "add", "Add", "a", "Add a pattern by hand"),
    Action("curate", "other-pane", "Draft", "tab", "Go to the draft, on to the conversation, or back to the calls", True),
    Action("curate", "conversation", "Conversation", "v", "Show what the agent will be given below the draft, or fold it away"),
    Action("curate", "inbox", "Suggestions", "i", "What the last sessions taught: accept, edit, decline, or later"),
    Action("curate", "redo", "Redo", "ctrl+r,U", "Do again what was undone"),
    Action("curate", "drafts", "Drafts", "D", "Go to another draft, begin one, throw one away"),
    Action("curate", "stop", "Stop", "x", "Stop reading calls"),
    Action("curate", "zoom", "Zoom", "z", "Give the pane one is in the whole screen, or take it back"),
    Action("curate", "copy", "Copy", "y", "Copy the call or pattern"),
    Action("curate", "export", "Export", "e", "Write the calls shown to a file (JSON)"),
    Action("curate", "clear", "Clear", "escape", "Clear the filter; without one, back"),
    Action("curate", "back", "Back", "q", "Back to where one came from"),
    Action("templates", "activate", "Activate", "a", "Let the agent's next sessions start with this template: all of them, or by rule", True),
    Action("templates", "deactivate", "Deactivate", "x", "Let the agent's next sessions start cold", True),
    Action("templates", "accept", "Accept", "A", "Make the agent's proposal a template", True),
    Action("templates", "outside", "From outside", "o", "Read what came from outside, and say that it may stand"),
    Action("templates", "edit", "Edit", "enter", "Open the template as a draft", True),
    Action("templates", "as-json", "JSON", "J", "Show the conversation as JSON, or as a chat"),
    Action("templates", "provider", "Provider", "v", "Choose whose rules the conversation keeps"),
    Action("templates", "problems", "Problems", "p", "List what is wrong, and go to it"),
    Action("templates", "mark", "Mark", "space", "Mark the template, to compare it"),
    Action("templates", "difference", "Difference", "equals_sign", "Show how two marked templates differ"),
    Action("templates", "filter", "Filter", "slash", "Show only templates with these words"),
    Action("templates", "sort-by", "Sort", "s", "Choose the column to sort by"),
    Action("templates", "duplicate", "Duplicate", "c", "Make a copy under another name"),
    Action("templates", "revisions", "Revisions", "R", "What each save changed and showed; back to any of them"),
    Action("templates", "rename", "Rename", "r", "Give it another name"),
    Action("templates", "export", "Export", "e", "Write the template to a file"),
    Action("templates", "pack", "Pack", "P", "Write it as a pack to hand on: secrets masked, with what trials showed"),
    Action("templates", "import", "Import", "i", "Bring in a template or a pack, from a file or by pasting it", True),
    Action("templates", "delete", "Delete", "d,delete", "Delete it; u takes that back", True),
    Action("templates", "undo", "Undo", "u", "Take the last deletion back"),
    Action("templates", "other-pane", "Preview", "tab", "Go to the preview, or back to the list"),
    Action("templates", "zoom", "Zoom", "z", "Give the pane one is in the whole screen, or take it back"),
    Action("templates", "copy", "Copy", "y", "Copy the conversation as JSON"),
    Action("templates", "clear", "Clear", "escape", "Clear the filter; without one, back"),
    Action("templates", "back", "Back", "q", "Back to where one came from"),
    Action("compaction", "open", "What survived", "enter", "Show what survived each compaction of the session under the cursor", True),
    Action("compaction", "details", "Details", "d", "Unfold what the conclusion rests on, figures and method, or fold it away", True),
    Action("compaction", "filter", "Filter", "slash", "Show only sessions with these words", True),
    Action("compaction", "sort-by", "Sort", "s", "Choose the column to sort by", True),
    Action("compaction", "next-worse", "Worse", "w", "Go to the next session that was worse after compaction", True),
    Action("compaction", "report", "Report", "e", "Write what is shown to a file: HTML, Markdown, SVG or JSON", True),
    Action("compaction", "other-pane", "Picture", "tab", "Go to the picture, or back to the list", True),
    Action("compaction", "zoom", "Zoom", "z", "Give the picture the whole screen, or take it back", True),
    Action("compaction", "copy", "Copy", "y", "Copy the session's id"),
    Action("compaction", "clear", "Clear", "escape", "Clear the filter; without one, back"),
    Action("compaction", "back", "Back", "q", "Back to where one came from"),
    Action("timeline", "next-call", "Next call", "right,l", "Along the timeline: the next call"),
    Action("timeline", "previous-call", "Previous call", "left,h", "Along the timeline: the call before"),
    Action("timeline", "next-failure", "Failure", "f", "Along the timeline: the next failed call"),
    Action("timeline", "previous-failure", "Previous failure", "F", "Along the timeline: the failed call before"),
    Action("timeline", "next-cut", "Next compaction", "c", "Along the timeline: the first call after the next compaction"),
    Action("timeline", "previous-cut", "Previous compaction", "C", "Along the timeline: the first call after the compaction before"),
    Action("timeline", "open-call", "Open", "enter", "Along the timeline: open the transcript at the call"),
    Action("survival", "pick", "Pick", "p,space", "Pick the call under the cursor into the draft", True),
    Action("survival", "only-lost", "Lost only", "l", "Show only good calls that were lost, or everything", True),
    Action("survival", "summary", "Summary", "o", "Read the summary of this compaction", True),
    Action("survival", "next-cut", "Next compaction", "c", "Go to the next compaction", True),
    Action("survival", "previous-cut", "Previous compaction", "C", "Go to the compaction before"),
    Action("survival", "open", "Whole", "enter", "Open what is under the cursor whole; fold a compaction's", True),
    Action("survival", "filter", "Filter", "slash", "Show only calls and messages with these words"),
    Action("survival", "other-pane", "Text", "tab", "Go to the text beside the list, or back"),
    Action("survival", "zoom", "Zoom", "z", "Give the text the whole screen, or take it back"),
    Action("survival", "copy", "Copy", "y", "Copy what is under the cursor"),
    Action("survival", "clear", "Clear", "escape", "Clear the filter; without one, back"),
    Action("survival", "back", "Back", "q", "Back to the compactions", True),
    Action("compare", "from", "From", "f", "Choose the arms: marks, two filters, a template, a saved comparison", True),
    Action("compare", "open", "Open", "enter", "Open the transcript of the session under the cursor", True),
    Action("compare", "details", "Details", "d", "Unfold what the conclusion rests on, figures and method, or fold it away", True),
    Action("compare", "filter", "Filter", "slash", "Show only sessions with these words; the comparison stays"),
    Action("compare", "sort-by", "Sort", "s", "Choose the column to sort by"),
    Action("compare", "pairing", "Pairing", "p", "Choose whether sessions are paired by task", True),
    Action("compare", "without-sources", "Leave out sources", "x", "Leave out sessions the template was made from, or take them in", True),
    Action("compare", "save", "Save", "w", "Save the comparison under a name", True),
    Action("compare", "report", "Report", "e", "Write the comparison to a file: HTML, Markdown, SVG or JSON", True),
    Action("compare", "other-pane", "Picture", "tab", "Go to the comparison, or back to the sessions", True),
    Action("compare", "zoom", "Zoom", "z", "Give the comparison the whole screen, or take it back", True),
    Action("compare", "copy", "Copy", "y", "Copy the session's id"),
    Action("compare", "clear", "Clear", "escape", "Clear the filter; without one, back"),
    Action("compare", "back", "Back", "q", "Back to where one came from"),
    Action("trials", "compare-rule", "Compare", "enter,o", "Open the rule in Compare, with the arms as they were drawn", True),
    Action("trials", "larger-share", "Larger share", "a", "Take the larger share that is proposed where a template helps", True),
    Action("trials", "pause-rule", "Pause", "p", "Draw no more by the rule; sessions that have begun go on as they began", True),
    Action("trials", "resume-rule", "Go on", "r", "Draw by the rule again, also where it was switched off", True),
    Action("trials", "change-rule", "Change", "c", "Change the rule: for which sessions it is, its templates, its share", True),
    Action("trials", "remove-rule", "Remove", "X,delete", "Remove the rule; sessions that have begun go on as they began", True),
    Action("trials", "move-rule-up", "Up", "K,shift+up", "Let the rule be asked before the one above it", True),
    Action("trials", "move-rule-down", "Down", "J,shift+down", "Let the rule be asked behind the one below it", True),
    Action("trials", "to-experiments", "Experiments", "tab", "Go to the experiments below", True),
    Action("experiments", "new", "New", "n", "Make a plan, and start it", True),
    Action("experiments", "new-rule", "Trial", "t", "Begin a trial: a rule by which new sessions are drawn warm or cold", True),
    Action("experiments", "from-file", "From file", "i", "Start the plan of a file (YAML or TOML)"),
    Action("experiments", "again", "Again", "c", "Begin another with the same plan, which may be changed before"),
    Action("experiments", "resume", "Go on", "r", "Start it, or go on with it", True),
    Action("experiments", "pause", "Pause", "p", "Let no other run begin", True),
    Action("experiments", "cancel", "Cancel", "X", "End it for good", True),
    Action("experiments", "result", "Result", "o", "Open the result in Compare", True),
    Action("experiments", "details", "Details", "d", "Unfold what the conclusion rests on, figures and method, or fold it away", True),
    Action("experiments", "open", "Open", "enter", "Go to its runs; open a run's transcript", True),
    Action("experiments", "why", "Why", "w", "What a run came to, each time it was tried, and what Hermes wrote"),
    Action("experiments", "plan", "Plan", "v", "Show the plan"),
    Action("experiments", "filter", "Filter", "slash", "Show only runs with these words"),
    Action("experiments", "sort-by", "Sort", "s", "Choose the column to sort the runs by"),
    Action("experiments", "report", "Report", "e", "Write the result, or the runs, to a file: HTML, Markdown, SVG or JSON"),
    Action("experiments", "other-pane", "Runs", "tab", "Go to the runs, or back to the experiments", True),
    Action("experiments", "zoom", "Zoom", "z", "Give the runs, or what a rule shows, the whole screen, or take it back"),
    Action("experiments", "copy", "Copy", "y", "Copy the run's session id, or the plan"),
    Action("experiments", "clear", "Clear", "escape", "Clear the filter; without one, back"),
    Action("experiments", "back", "Back", "q", "Back to where one came from"),
    Action("failures", "open", "Open", "enter", "Go to what stands behind it; there, open the call or the template", True),
    Action("failures", "pick", "Pick", "p,space", "Pick the mend under the cursor, or the one that worked most, into the draft", True),
    Action("failures", "mute", "Mute", "m", "Let it disturb no more, with a word of why; or take that back", True),
    Action("failures", "resolve", "Resolved", "v", "Say that it is mended, with a word of how; it is told when it comes back", True),
    Action("failures", "filter", "Filter", "slash", "Show only failures with these words, or of the sessions that match", True),
    Action("failures", "zoom", "Zoom", "z", "Give what stands behind it, and its line over time, the whole screen, or take it back", True),
    Action("failures", "its-sessions", "Sessions", "o", "Show the sessions that had it", True),
    Action("failures", "sort-by", "Sort", "s", "Choose the column to sort by"),
    Action("failures", "report", "Report", "e", "Write all families, or the one looked behind, to a file: HTML, Markdown, SVG or JSON"),
    Action("failures", "other-pane", "Behind it", "tab", "Go to its mends, templates and calls, or back to the list"),
    Action("failures", "copy", "Copy", "y", "Copy the id of the family, as a filter takes it"),
    Action("failures", "clear", "Clear", "escape", "Clear the filter; without one, back"),
    Action("failures", "back", "Back", "q", "Back to where one came from"),
    Action("approvals", "approve", "Yes", "y", "Say yes to what is under the cursor, once", True),
    Action("approvals", "deny", "No", "n", "Say no, with a reason", True),
    Action("approvals", "edit", "Edit", "o", "Say yes to other arguments, where whoever asks takes them: they are shown whole before", True),
    Action("approvals", "approve-in-session", "For the session", "A", "Say yes, and to all of its kind in this session", True),
    Action("approvals", "approve-by-rule", "By a rule", "W", "Say yes, and to all of its kind: for an hour, or always", True),
    Action("approvals", "undo-rule", "Undo rule", "u", "Take the last rule back; what was decided stays"),
    Action("approvals", "open", "Session", "enter", "Open the transcript of the session that asks", True),
    Action("approvals", "start-service", "Service", "s", "Start the service, which holds what is asked for, until you leave; once more stops it", True),
    Action("approvals", "filter", "Filter", "slash", "Show only what holds these words, in the log, too", True),
    Action("approvals", "other-pane", "Next pane", "tab", "To the whole action, on to the log, or back to the list", True),
    Action("approvals", "zoom", "Zoom", "z", "Give the action the whole screen, or take it back"),
    Action("approvals", "export", "Export", "e", "Write the log shown to a file (JSON)"),
    Action("approvals", "copy", "Copy", "c", "Copy the id of the request"),
    Action("approvals", "clear", "Clear", "escape", "Clear the filter; without one, back"),
    Action("approvals", "back", "Back", "q", "Back to where one came from"),
    Action("panes", "shrink-pane", "Less room", "less_than_sign", "Give the first pane less room; a double click on the line puts it back"),
    Action("panes", "grow-pane", "More room", "greater_than_sign", "Give the first pane more room"),
    Action("list", "cursor-down", "Down", "down,j", "Down"),
    Action("list", "cursor-up", "Up", "up,k", "Up"),
    Action("list", "page-down", "Page down", "pagedown,ctrl+d", "A page down"),
    Action("list", "page-up", "Page up", "pageup,ctrl+u", "A page up"),
    Action("list", "first", "First", "home,g", "To the beginning"),
    Action("list", "last", "Last", "end,G", "To the end"),
)  # fmt: skip

SCOPE_TITLES = {
    "overview": "Overview",
    "overview-links": "Along the overview",
    "sessions": "Sessions",
    "transcript": "Transcript",
    "curate": "Curate",
    "templates": "Templates",
    "compaction": "Compaction",
    "timeline": "Along the timeline",
    "survival": "What survived",
    "compare": "Compare",
    "trials": "Trials",
    "experiments": "Experiments",
    "failures": "Failures",
    "approvals": "Approvals",
    "panes": "Panes",
    "list": "Moving",
    "app": "Everywhere",
}


CHANGING = frozenset(
    """
    sessions.outcome overview.drain transcript.verdict transcript.undo-verdict curate.save compare.save
    templates.activate templates.deactivate templates.accept templates.duplicate templates.rename templates.import
    templates.delete templates.undo failures.mute failures.resolve
    experiments.new experiments.from-file experiments.again experiments.resume experiments.pause experiments.cancel
    approvals.approve approvals.deny approvals.edit approvals.approve-in-session approvals.approve-by-rule
    approvals.undo-rule approvals.start-service
""".split()
)
"""What is refused at once, before anything is asked, where nothing may be changed."""
WRITING = frozenset(
    """
    app.picture sessions.export transcript.export curate.export templates.export templates.pack overview.report compaction.report
    compare.report experiments.report failures.report approvals.export
""".split()
)
"""The same of what writes a file; a browser is handed what would stand in it."""


ONE_AND_THE_SAME = frozenset(("own-verdicts", "quit-now"))
"""What does the same on each screen that has a key for it."""


def each_once(listed: Iterable[Action]) -> list[Action]:
    """The first of those that are one and the same."""
    found = {action.id if action.id in ONE_AND_THE_SAME else action.named: action for action in reversed([*listed])}
    return [*reversed(found.values())]


def is_refused(scopes: Iterable[str], name: str, *, in_browser: bool) -> bool:
    """Whether the action of that name that is valid there changes something."""
    named = {f"{scope}.{name.replace('_', '-')}" for scope in scopes}
    return bool(named & CHANGING) or (not in_browser and bool(named & WRITING))


def of(scope: str) -> list[Action]:
    return [action for action in ACTIONS if action.scope == scope]


def bindings(scope: str) -> list[BindingType]:
    """The bindings of a screen or widget; each can be remapped by its id."""
    return [
        Binding(
            action.keys,
            action.id.replace("-", "_"),
            action.title,
            show=action.footer,
            id=f"{scope}.{action.id}",
            tooltip=action.help,
        )
        for action in of(scope)
    ]


KEY_NAMES = {
    "slash": "/",
    "question_mark": "?",
    "escape": "Esc",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "equals_sign": "=",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "delete": "Del",
    "enter": "Enter",
    "space": "Space",
    "tab": "Tab",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "home": "Home",
    "end": "End",
    "backspace": "Backspace",
    "f1": "F1",
}


def readable(keys: str) -> str:
    return ", ".join(KEY_NAMES.get(key, key) for key in keys.split(","))
