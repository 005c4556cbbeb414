"""How often is the guessed task of a first message right? python tests/bench/guesses.py MESSAGES

MESSAGES: a file with a message a line, behind what it asks for and a tab: a task that can be guessed, or nothing where
none is asked for. Beside it, how long a guess takes.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

from warm_tui.trials.guessing import BEGINNING, TASKS, guessed_task


def main(path: Path) -> None:
    rows = [line.split("\t", 1) for line in path.read_text(encoding="utf-8").splitlines()]
    wrong = sorted({task for task, _ in rows} - {*TASKS, ""})
    if wrong:
        sys.exit(f"no tasks: {', '.join(wrong)}")
    guesses = [(task, guessed_task(message.replace("\\n", "\n"))) for task, message in rows]
    given = [(task, guess) for task, guess in guesses if guess]
    right = sum(task == guess for task, guess in given)
    asking = sum(bool(task) for task, _ in guesses)
    print(f"{len(rows)} messages, {len(given)} guesses, {right} right: {right / len(given):.1%}")
    print(f"of {asking} that ask for something {right / asking:.1%} are told rightly")
    for (task, guess), count in Counter(each for each in given if each[0] != each[1]).most_common():
        print(f"  {count} of {task or 'nothing'} told as {guess}")
    longest = "nothing of this tells " * (BEGINNING // 20)
    began = time.process_time()
    for _ in range(1_000):
        guessed_task(longest)
    print(f"a guess takes at most {time.process_time() - began:.2f} ms")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
