"""What came of a session, read from how it ended: rules as rows, each with an example.

A goal is reached or not in the world, and words only hint at it: thanks are manners, and an agent says of all it did
that it is done. So only what leaves little doubt decides, and all else is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from warm_tui.reliability.session_outcome import Reached, SessionOutcome, Sure
from warm_tui.sessions.model import Message, Session
from warm_tui.sessions.source import AgentFacts
from warm_tui.sessions.text import clean_line

LOOKED_AT = 3_000
"""Of a long answer so many characters at its beginning, and as many at its end."""
SHORT = 240
"""What is longer is a new request, or something pasted, whatever words stand in it."""
QUOTED = 80
QUESTION = 300
"""Of what the agent said so much at its end, to see whether it asked."""
MANY_WORDS = 4
"""A request of fewer words is repeated without meaning the same: `go on`."""


class Ending(NamedTuple):
    """How a session ended."""

    source: str = ""
    end_reason: str = ""
    goes_on: bool = False
    """In another session, which compaction made."""
    request: str = ""
    """The last message in the user's role, whoever wrote it."""
    said: str = ""
    """The person's last words, without what they quote of the agent's."""
    was_asked: bool = False
    """The agent had asked something: a no may be an answer."""
    repeats: bool = False
    """They are what the person had asked before."""
    answer: str = ""
    """What the agent said last, if that was after the person's last words."""
    broken_off: bool = False
    """Behind the last call, or the last result, stands no answer."""


class Rule(NamedTuple):
    name: str
    reached: Reached
    confidence: Sure
    reason: str
    """`{}` stands for the words that decided."""
    decides: Callable[[Ending], str]
    """The words that decide, or none."""
    example: Ending


def _in(pattern: str, field: str, unless: str = "") -> Callable[[Ending], str]:
    """The words of one field that match, where others do not stand there as well."""
    wanted, forbidden = re.compile(pattern, re.IGNORECASE), re.compile(unless or r"(?!)", re.IGNORECASE)

    def decides(ending: Ending) -> str:
        text: str = getattr(ending, field)
        found = wanted.search(text) if text else None
        return (found[0].strip() or text) if found and not forbidden.search(text) else ""

    return decides


def _handed_in(ending: Ending) -> str:
    """The person had it committed, sent or published: that is what one does with what is good."""
    said, answer = ending.said, ending.answer
    asked = len(said) <= SHORT and _HAND_IN.search(said) and not _UNFINISHED.search(said)
    return said if asked and _HANDED_IN.search(answer) and not _FAILED.search(answer) else ""


def _at_last(pattern: str, unless: str = "") -> Callable[[Ending], str]:
    """In the person's last words, whether the agent had a word more to say or not."""
    said = _in(pattern, "said", unless)
    return lambda ending: said(ending) if len(ending.said) <= SHORT else ""


def _complained(ending: Ending) -> str:
    """Whoever was asked may just have answered."""
    return (_WITH_NO if not ending.was_asked else _WITHOUT_NO)(ending)


N_T = r"(?: not|n['’]t)"
NO = r"^\W*(?:no|nope|nah)\b(?!\W*(?:thank|problem|worries|need|more|that['’]?s (?:all|it|fine|okay)))"
COMPLAINT = (
    r"^\W*wrong\b"
    rf"|\bstill (?:not\b|does{N_T}|is{N_T}|broken|fail|the same|getting|wrong|crash|no\b)"
    rf"|\b(?:does|did|is|do|are|was){N_T} (?:work|fix|help|right|correct|what I (?:asked|wanted|meant))"
    r"|\bsame (?:error|problem|issue|result)\b|\byou (?:broke|forgot|missed|ignored)\b"
    r"|\b(?:that|this|it)(?:['’]s| is) (?:wrong|broken|useless)\b"
)
THANKS = r"\bthank|\bappreciate\b|\bcheers\b"
"""Whoever takes leave with thanks may have got a no for an answer, and no complaint is meant by theirs."""
CONFIRMED = (
    r"\b(?:it|this|everything|all of it|they) (?:all )?(?:now )?works?\b(?: now| fine| great| perfectly| well)?"
    r"|\b(?:works|working) (?:now|fine|great|perfectly|again|like a charm|as expected)\b"
    r"|\b(?:that|this|it) (?:fixed|solved|did) (?:it|the)\b|\bdid the trick\b"
    r"|\b(?:is|it['’]s|that['’]s) (?:now )?(?:fixed|solved|resolved)\b"
    r"|\b(?:problem|issue|bug) (?:solved|fixed|resolved|gone)\b"
    r"|\btests? (?:all )?pass(?:es|ing)? now\b"
)
AGREED = r"\bworks? (?:well |great |fine )?for (?:me|us)\b|\b(?:let['’]?s|go ahead|proceed|option|I['’]ll|we['’]ll)\b"
"""To what is yet to be done."""
HOPED = r"\b(?:hop(?:e|es|ing|efully)|wish|would|will|might|may|could)\b"
MORE_WANTED = (
    r"\?|\b(?:but|except|however|unless|once|when|if|until|make sure|should|please|next|never)\b"
    rf"|\bnow (?:also|add|do|make|let)\b|{N_T}\b"
)
CLAIMED = (
    r"\b(?:done|fixed|completed?|implemented|created|added|updated|resolved|finished|passed|passing|success\w*|"
    r"instead|worked around|workaround|alternative)\b"
)
COULD_NOT = (
    rf"\b(?:I|we) (?:still |also |ultimately |unfortunately )?(?:could{N_T}|(?:was|were){N_T} able to|"
    rf"(?:was|were|am|['’]m) unable to|have{N_T} been able to|did{N_T} manage to|failed to) "
    r"(?:complete|finish|fix|resolve|solve|install|build|compile|run|start|connect|reach|access|open|load|log ?in|"
    r"deploy|get|download|fetch|retrieve|push|proceed|continue|carry|do)\b[^.\n]{0,60}"
    r"|\b(?:tests?|build|error|problem|issue|bug|command)\b[^.\n]{0,30} "
    r"(?:still (?:fails?|failing|persists?|occurs?|crashes)|remains? (?:unresolved|unfixed|broken))"
    r"|\bI(?:['’]m| am) (?:stuck|giving up)\b|\bI (?:gave|give) up\b"
)
HAND_IN = (
    r"^\W*(?:(?:ok(?:ay)?|yes|yeah|good|great|nice|cool|perfect|now|then|and|please|let['’]?s|can you|could you|"
    r"go ahead|so)\b[\s,.!:]*){0,4}"
    r"(?:commit|push|merge|deploy|release|publish|ship|(?:open|create|make) (?:a |the )?(?:PR|pull request))\b"
    r"|\b(?:put|split) (?:it|this|that|them) (?:in|into) \w*\s?commits\b"
)
UNFINISHED = r"\bso far\b|\bfor now\b|\bWIP\b|\bin progress\b|\bthen (?:go on|continue)\b"
HANDED_IN = (
    r"\b(?:committed|pushed|merged|deployed|released|published|shipped)\b"
    r"|\b(?:opened|created) (?:the |a )?(?:PR|pull request)\b"
)
ASKS = (
    r"(?:\b(?:which|what|where|who|could you|can you|do you have)\b[^?\n]{0,300}\?"
    r"|\bplease (?:provide|tell me|confirm|share|specify|choose|clarify|let me know (?:which|what|where|how))\b"
    r"[^?\n]{0,300}[.:?])\s*\Z"
)
OFFERS = (
    r"anything else|would you like|do you want me|shall I|want me to|let me know if|any (?:other )?questions"
    rf"|how can I help|can I (?:help|do)|need (?:any )?(?:more|further|help)|what (?:else|would you)|{CLAIMED}"
)
STOPPED = (
    r"interrupt|abort|cancel|kill|terminated|sigterm|crash|error|fail|(?<!idle.)time.?out|budget|limit|exhausted"
    r"|max.{0,5}(?:turn|iteration)"
)

_WITHOUT_NO, _WITH_NO = _at_last(COMPLAINT, unless=THANKS), _at_last(f"{NO}|{COMPLAINT}", unless=THANKS)
RULES: tuple[Rule, ...] = (
    Rule(
        "goes_on", "unknown", "certain", "it goes on in another session", lambda ending: "on" if ending.goes_on else "",
        Ending(goes_on=True, answer="Done."),
    ),
    Rule(
        "stopped", "not-done", "certain", "it ended by: {}",
        lambda ending: ending.end_reason if _stopped(ending) else "",
        Ending(end_reason="max_iterations", answer="So far the parser is written."),
    ),
    Rule(
        "confirmed", "done", "likely", "the person said: {}",
        _at_last(CONFIRMED, unless=f"{MORE_WANTED}|{COMPLAINT}|{NO}|{AGREED}|{HOPED}"),
        Ending(said="Great, it works now, thanks!", answer="You're welcome."),
    ),
    Rule(
        "handed_in", "done", "likely", "the person had it handed in, and it was: {}", _handed_in,
        Ending(said="Good. Commit and push, please.", answer="Committed as 1f3a9c0 and pushed to main."),
    ),
    Rule(
        "complained", "not-done", "likely", "the person's last word was: {}",
        lambda ending: "" if ending.answer else _complained(ending),
        Ending(said="No, it still does not start."),
    ),
    Rule(
        "repeated", "not-done", "likely", "the person asked for the same again: {}",
        lambda ending: ending.said[:QUOTED] if ending.repeats and not ending.answer else "",
        Ending(said="Please make the nightly build green again", repeats=True),
    ),
    Rule(
        "after_complaint", "unknown", "likely", "the person had said: {}",
        lambda ending: _complained(ending) if ending.answer else "",
        Ending(said="That is wrong.", answer="You are right, the date is corrected now."),
    ),
    Rule(
        "could_not", "not-done", "likely", "the last answer says: {}", _in(COULD_NOT, "answer", unless=CLAIMED),
        Ending(said="Install it", answer="I could not install the package: the index refuses every connection."),
    ),
    Rule(
        "asks", "not-done", "likely", "it asked, and nobody answered: {}", _in(ASKS, "answer", unless=OFFERS),
        Ending(said="Delete the old one", answer="There are two of them. Which one should be deleted?"),
    ),
    Rule(
        "broken_off", "unknown", "certain", "it broke off in the middle of the work, or is still going on",
        lambda ending: "so" if ending.broken_off else "",
        Ending(said="Build it", broken_off=True),
    ),
)  # fmt: skip
NOBODY_CAN_TELL = SessionOutcome(reason="how it ended does not tell", confidence="certain", rule="nothing_told")
FAILED = rf"{COULD_NOT}|\b(?:fail\w*|reject\w*|conflict\w*|denied|n['’]t|not|nothing|skip\w*)\b"
_STOPPED, _HAND_IN, _HANDED_IN, _UNFINISHED, _FAILED = (
    re.compile(pattern, re.IGNORECASE) for pattern in (STOPPED, HAND_IN, HANDED_IN, UNFINISHED, FAILED)
)


def _stopped(ending: Ending) -> bool:
    return _STOPPED.search(ending.end_reason) is not None


def judge_ending(ending: Ending, facts: AgentFacts) -> SessionOutcome:
    """The first rule that decides; what an agent writes itself comes first."""
    for words in facts.last_words:
        text = ending.request if words.in_request else ending.answer
        if text and words.source in ("", ending.source) and words.pattern.search(text):
            return SessionOutcome(words.outcome, words.reason, "certain", words.name)
    for rule in RULES:
        if deciding := rule.decides(ending):
            reason = rule.reason.format(f"“{clean_line(deciding)[:QUOTED]}”")
            return SessionOutcome(rule.reached, reason, rule.confidence, rule.name)
    return NOBODY_CAN_TELL


def ending_of(session: Session, messages: Sequence[Message], facts: AgentFacts) -> Ending:
    """`messages`: of the session in which a life ended."""
    roles = [message.role for message in messages]
    at = len(roles) - 1 - roles[::-1].index("user") if "user" in roles else -1
    answer, broken_off = _answer_in(messages[at + 1 :])
    # Where the agent itself speaks in the user's role, nobody said anything.
    persons = session.source not in facts.own_sources
    request = messages[at].text[: 2 * LOOKED_AT] if at >= 0 and not messages[at].is_summary else ""
    said = facts.words_of_user(request) if request and persons else ""
    before = next((message.text for message in reversed(messages[: max(at, 0)]) if message.role == "assistant"), "")
    return Ending(
        session.source,
        session.end_reason or "",
        session.handed_on,
        request,
        _unquoted(said, before),
        "?" in before[-QUESTION:],
        bool(said) and not answer and _repeats(said, messages[:at], facts),
        "" if broken_off else _shortened(answer),
        broken_off,
    )


def _answer_in(turn: Sequence[Message]) -> tuple[str, bool]:
    """The agent's last words, and whether work stands behind them, or without any."""
    broken_off = False
    for message in reversed(turn):
        if message.role == "assistant" and not message.retired:
            if message.text and message.text.strip():
                return message.text, broken_off or bool(message.calls)
            broken_off = True
        elif not broken_off:
            broken_off = message.role == "tool" and not message.retired
    return "", broken_off


def _unquoted(said: str, before: str) -> str:
    """Without the lines that the agent had written."""
    if "\n" not in said:
        return said
    written = {words for line in before[-LOOKED_AT:].splitlines() if (words := _plain(line))}
    # A first request is long, and quotes nobody.
    lines = [line for line in said.splitlines() if _plain(line) not in written] if written else said.splitlines()
    return "\n".join(lines).strip()


def _repeats(said: str, before: Sequence[Message], facts: AgentFacts) -> bool:
    words = _plain(said)
    if len(said) > LOOKED_AT or len(words.split()) < MANY_WORDS:
        return False
    earlier = [message.text for message in before if message.role == "user" and len(message.text) <= LOOKED_AT]
    return any(_plain(facts.words_of_user(text)) == words for text in earlier)


def _plain(text: str) -> str:
    return " ".join(_words_in(text.casefold()))


_words_in = re.compile(r"\w+").findall


def _shortened(text: str) -> str:
    text = text.strip()
    return text if len(text) <= 2 * LOOKED_AT else f"{text[:LOOKED_AT]}\n{text[-LOOKED_AT:]}"
