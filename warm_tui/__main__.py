"""The entry point: a closed pipe is no error, and nothing ends in a traceback."""

from __future__ import annotations

import os
import sys


def main() -> None:
    from warm_tui.cli import cli

    try:
        cli(prog_name="warm-tui")
    except BrokenPipeError:
        # Python flushes stdout once more at exit; there is nobody left to read it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


if __name__ == "__main__":
    main()
