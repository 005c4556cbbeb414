"""The commands, run within the test's own process: what they print, and their exit code."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from subprocess import CompletedProcess
from typing import Any
from unittest.mock import patch

from warm_tui.__main__ import main
from warm_tui.paths import Home


def run(*words: str, check: bool = True, **environment: str) -> CompletedProcess[str]:
    out, errors = io.StringIO(), io.StringIO()
    code = 0
    arguments, variables = patch.object(sys, "argv", ["warm-tui", *words]), patch.dict(os.environ, environment)
    with redirect_stdout(out), redirect_stderr(errors), arguments, variables:
        try:
            main()
        except SystemExit as leaving:
            code = int(leaving.code or 0)
    assert not check or code == 0, errors.getvalue()
    return CompletedProcess(words, code, out.getvalue(), errors.getvalue())


def document(*words: str) -> dict[str, Any]:
    return json.loads(run(*words, "--json").stdout)


def at(home: Home) -> list[str]:
    return ["--home", str(home.root)]
