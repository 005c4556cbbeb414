"""A complaint: how a program says that it could not do its work, as a row of a table.

The tables stand in the `complaints_of_*.py`. A row counts only where one of its programs
ran and its exit code was lost on the way (`shell.py` tells which): then its forms are looked for in every line,
because what a program wrote may stand before or after what others did.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Complaint(NamedTuple):
    """What these programs write when their work failed. Each of the forms begins at a line's start.

    The pattern has the break before it, too: that is found sooner than any other beginning of a line.
    """

    name: str
    programs: frozenset[str]
    pattern: re.Pattern[str]
    source: str  # where the program's own people say so
    examples: tuple[tuple[str, str], ...]  # command, output
    certain_exit: bool  # its exit code tells of it, so that an exit code of 0 that is its own outweighs it
    tolerates: frozenset[str]  # the options by which it goes on all the same
    needs_a_file: bool  # what reads a pipe, and was given no file, has none to miss
    last_words: bool  # a program also prints it by choice; where it failed, nothing of its own follows


def complaint(
    name: str,
    programs: str,
    *forms: str,
    source: str,
    examples: tuple[tuple[str, str], ...],
    certain_exit: bool = True,
    tolerates: str = "",
    needs_a_file: bool = False,
    last_words: bool = False,
) -> Complaint:
    pattern = re.compile(rf"(?m)\n(?:{'|'.join(forms)})")
    return Complaint(
        name,
        frozenset(programs.split()),
        pattern,
        source,
        examples,
        certain_exit,
        frozenset(tolerates.split()),
        needs_a_file,
        last_words,
    )
