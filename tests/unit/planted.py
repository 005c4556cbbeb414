"""Secrets as they stand in recorded calls, and texts that only look like it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

FIELDS = ("arguments", "result", "context")
HOLE = "@@"
"""Where the secret goes. It is kept in pieces, so that no line of the file is itself a token."""


class Planted(NamedTuple):
    """A text with a secret in it. The secret is given decoded; in a JSON text it may stand escaped."""

    name: str
    secret: str
    text: str
    field: str


class Clean(NamedTuple):
    name: str
    text: str


def planted(entry: dict[str, Any]) -> Planted:
    """An entry holds its text, or the object whose JSON is the text, by the field of a call that it stands in."""
    (field,) = entry.keys() & set(FIELDS)
    body, secret = entry[field], "".join(entry["secret"])
    if isinstance(body, str):
        return Planted(entry["name"], secret, body.replace(HOLE, secret), field)
    whole = {key: value.replace(HOLE, secret) if isinstance(value, str) else value for key, value in body.items()}
    return Planted(entry["name"], secret, json.dumps(whole), field)


def corpus(name: str) -> tuple[tuple[Planted, ...], tuple[Clean, ...]]:
    whole = json.loads((Path(__file__).parents[1] / "fixtures" / f"{name}.json").read_text("utf-8"))
    return (
        tuple(planted(entry) for entry in whole["planted"]),
        tuple(Clean(entry["name"], entry["text"]) for entry in whole["clean"]),
    )


PLANTED, CLEAN = corpus("secrets")
OF_TOOLS = "secrets_of_tools"
"""What the output of tools, their settings and people's words look like; the rules were made with it at hand."""
OF_PRODUCTS = "secrets_of_products"
"""The same by the alphabet of products, made by another way."""
OF_NETWORKS = "secrets_of_networks"
OF_WORK = "secrets_of_work"
"""The same two from all kinds of work; both were written before the rules were made to find what is in them."""
