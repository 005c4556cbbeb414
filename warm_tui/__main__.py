"""The entry point: a closed pipe is no error, and nothing ends in a traceback."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click


def _show(error: click.ClickException) -> None:
    """What was typed is told back, and it may hold what a terminal obeys."""
    from io import StringIO

    from warm_tui.sessions.invisible import shown

    told = StringIO()
    error.show(told)
    sys.stderr.write(shown(told.getvalue()))


def main() -> None:
    import click

    from warm_tui.cli import cli
    from warm_tui.leaving import Leaving, heed_signals, tell_whoever_began_it

    heed_signals()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character shows a question mark.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    code = 0
    try:
        # Not by click's own main: that turns a closed pipe into a failure.
        with cli.make_context("warm-tui", sys.argv[1:]) as context:
            cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as leaving:
        code = leaving.exit_code
    except click.ClickException as error:
        _show(error)
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:
        # Python flushes stdout once more at exit; there is nobody left to read it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.stderr.write(f"The output could not be written: {error.strerror or error}.\n")
        code = 1
    except Leaving:
        code = 1
    finally:
        # Also where something failed on the way out, as all does that is written to a terminal that is gone.
        tell_whoever_began_it()
    sys.exit(code)


if __name__ == "__main__":
    main()
