"""The real agent is started a hundred times: without what takes seconds each time, and has no part in what is tested."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.conftest import FIXTURES

QUICKER = {
    # Nothing here is asked by TLS, and it would read a list of 120 authorities nine times.
    "SSL_CERT_FILE": str(FIXTURES / "one_authority.pem"),
    # While it reads its modules, an eighth of its time would be looking for garbage among them.
    "PYTHONPATH": str(FIXTURES / "uncollected"),
}


def settings(url: str, key: str = "x", **more: Any) -> dict[str, Any]:
    """Its config.yaml. It would start five programs to tell its model which Python is here."""
    model = {"default": "scripted", "provider": "custom", "base_url": url, "api_key": key}
    return {"model": model, **more, "agent": {"environment_probe": False, **more.get("agent", {})}}


def environment(home: Path, **more: str) -> dict[str, str]:
    """Of its process."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HERMES")}
    return {
        **kept,
        **QUICKER,
        "HERMES_HOME": str(home),
        "HOME": str(home),
        **more,
    }
