"""What a session is for, guessed from the first message of its user: words alone tell, and they may mislead.

Asked within the agent, at the first request of a session: nothing here takes more than the standard library, and
nothing is searched but the beginning. English alone; where no row is met nothing is guessed.
"""

from __future__ import annotations

from typing import NamedTuple

BEGINNING, ASKED = 500, 12
"""So many characters are looked at, which is what is remembered of a session; so many words tell what is asked for."""
LETTERS = {at: " " for at in range(128) if not chr(at).isalnum() and chr(at) not in "'#"}
POLITE = frozenset(
    "a again also and can could go help hello hey hi i i'd just kindly let let's like me must need now ok please should"
    " so then there to us want we will would you your".split()
)
"""What stands before the verb of a request."""


class Guess(NamedTuple):
    """A row of the table: the first one that is met decides."""

    task: str
    example: str
    verbs: str = ""
    """The request begins with one of these; with none given, with any."""
    about: str = ""
    """And one of these is among what is asked for; with none given, whatever is."""
    anywhere: str = ""
    """Or one of these stands anywhere, as a phrase."""


GUESSES = (
    Guess(
        "service",
        "I need to cancel my flight, it is reservation ABC.",
        anywhere=(
            "flight|flights|my trip|reservation|reservations|passenger|baggage|checked bags|suitcases|itinerary|"
            "nonstop|gift card|gift cards|my order|my orders|order number|order #|my package|my parcel|my delivery|"
            "my purchase|a refund|refunded|refund for|was charged|been charged|i bought|i ordered|i booked|"
            "my booking|business class|gold member|user id|customer id|customer of yours|my account is|my upcoming|"
            "compensation|my subscription|my membership|my ticket|my seat|my plan|my bill|my insurance|"
            "shipping address|gift certificate|my appointment|mobile data"
        ),
    ),
    Guess(
        "tests",
        "Write unit tests for the parser.",
        verbs=(
            "add build compose create draft generate improve include increase make need prepare produce put rewrite "
            "write cover extend turn convert we"
        ),
        about="test tests testing coverage specs pytest jest playwright hypothesis",
        anywhere=(
            "write tests|add tests|unit tests for|test cases|test cases for|have no tests|code coverage|a test that"
        ),
    ),
    Guess(
        "refactor",
        "Rename the class everywhere.",
        verbs=(
            "refactor restructure reorganise reorganize rename extract simplify modernise modernize deduplicate "
            "decouple inline port modularise modularize"
        ),
    ),
    Guess(
        "data",
        "Plot the sales of sales.csv by month.",
        about=(
            "csv parquet dataframe dataset spreadsheet excel xlsx jsonl histogram correlation sql warehouse plot "
            "chart regression-model outliers median pandas sqlite"
        ),
        anywhere=(
            "sql query|group by|bar chart|random forest|train a|the dataset|data analysis|analyse the data|"
            "analyze the data"
        ),
    ),
    Guess(
        "docs",
        "Write a README for this project.",
        verbs=(
            "add build compose create draft generate improve include increase make need prepare produce put rewrite "
            "write update fix expand"
        ),
        about=(
            "readme docs documentation docstring docstrings changelog tutorial guide article essay blog post email "
            "letter poem story report notes manual speech paragraph"
        ),
        anywhere="release notes",
    ),
    Guess(
        "docs",
        "Translate the page to French.",
        verbs="document proofread translate summarise summarize paraphrase rephrase rewrite compose draft",
    ),
    Guess(
        "refactor",
        "Clean up the duplicated code.",
        verbs="clean remove replace convert migrate move split get unify separate",
        about=(
            "class code codebase component components controller function hook hooks method module project repo "
            "script dead unused duplicated duplicate imports everywhere globals global typescript tests style "
            "deprecated own sql logic"
        ),
        anywhere=(
            "dead code|behaviour must stay|behavior must stay|without changing its|deprecated calls|too many nested"
        ),
    ),
    Guess(
        "operations",
        "Deploy the branch to the server.",
        verbs=(
            "deploy install restart configure provision rotate rebase squash mount reboot push commit upgrade "
            "uninstall backup back schedule kill free rsync ssh start stop"
        ),
    ),
    Guess(
        "operations",
        "Set up nginx with a certificate.",
        verbs="set create write make update check find is run",
        about=(
            "nginx apache server docker dockerfile docker-compose kubernetes k8s cluster cron crontab systemd "
            "certificate tls firewall packages workflow pipeline actions port process disk repository branch uptime "
            "kernel hosts vm container"
        ),
        anywhere="github actions|disk space|self signed",
    ),
    Guess(
        "fix",
        "The login fails with a KeyError, please fix it.",
        verbs="fix debug resolve repair troubleshoot mend patch solve",
    ),
    Guess(
        "fix",
        "Users get a blank page after the update, it is broken.",
        anywhere=(
            "bug|broken|fails|failed|failing|crash|crashes|crashing|crashed|traceback|exception|segfault|regression|"
            "memory leak|doesn't work|does not work|not working|don't work|stopped working|typeerror|keyerror|"
            "valueerror|attributeerror|indexerror|incorrectly|inconsistent|expected behavior|expected behaviour|"
            "actual behavior|actual behaviour|expected results|actual results|steps to reproduce|to reproduce|"
            "off by one|is ignored|please fix|and fix|fix it|fix this|to fix"
        ),
    ),
    Guess(
        "research",
        "Search the web for the newest release.",
        verbs="research google browse search look compare find get read",
        about=(
            "web online news papers paper prices price competitors hotels flights https http site sites website "
            "wikipedia latest reviews"
        ),
        anywhere=(
            "search the web|search online|wikipedia|latest news|according to the website|stock market|on their site"
        ),
    ),
    Guess(
        "question",
        "How does the login work in this project?",
        verbs=(
            "explain describe review why what where which who whose when how is are does do did has have was were "
            "tell walk give show whats what's discuss understand analyse analyze look"
        ),
    ),
    Guess(
        "build",
        "Implement a rate limiter for the API.",
        verbs=(
            "implement add build create write make develop support extend introduce program design integrate "
            "complete enable code allow finish"
        ),
    ),
    Guess(
        "build",
        "I want a bot that posts the weather.",
        anywhere="new feature|def|a bot that|a bot|an app|a script that",
    ),
    Guess(
        "fix",
        "It returns the wrong month in December.",
        anywhere=(
            "wrong|incorrect|error|errors|failure|unexpected|unexpectedly|raises|not supported|does not support|"
            "should not|shouldn't|should be|instead of|expected|fix"
        ),
    ),
)
"""What is meant by its verb comes before what is meant by its nouns, and these before what is asked."""
TASKS = tuple(sorted({row.task for row in GUESSES}))
CAUTION = (
    "A task is a guess by the words of the first message: of three sets of messages, 84 to 92 of 100 guesses were"
    " right."
)


class _Row(NamedTuple):
    task: str
    verbs: frozenset[str]
    about: frozenset[str]
    anywhere: tuple[str, ...]


ROWS = tuple(
    _Row(
        row.task, frozenset(row.verbs.split()), frozenset(row.about.split()),
        tuple(f" {phrase} " for phrase in row.anywhere.split("|") if phrase),
    )
    for row in GUESSES
)  # fmt: skip


def guessed_task(message: str) -> str:
    """One of TASKS, or nothing where nothing tells."""
    words = message[:BEGINNING].casefold().replace("\u2019", "'").translate(LETTERS).split()
    first = next((at for at, word in enumerate(words) if word not in POLITE), len(words))
    asked, text = words[first : first + ASKED], f" {' '.join(words)} "
    return next((row.task for row in ROWS if asked and _is_met(row, asked, text)), "")


def _is_met(row: _Row, asked: list[str], text: str) -> bool:
    if any(phrase in text for phrase in row.anywhere):
        return True
    if not row.verbs and not row.about:
        return False
    begins = not row.verbs or asked[0] in row.verbs
    return begins and (not row.about or not row.about.isdisjoint(asked))
