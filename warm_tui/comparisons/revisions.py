"""What trials and experiments showed of each revision of a template, which is known by what they told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress

from warm_tui.comparisons.trials import shown_by_content
from warm_tui.library.catalog import Catalog
from warm_tui.library.experiments import experiments
from warm_tui.library.trials import messages_of
from warm_tui.templates.revisions import Entry, told_as, words_hash


def showed(catalog: Catalog, name: str, entries: Sequence[Entry]) -> dict[int, list[str]]:
    """By the number of the revision, sentences; one without any is left out."""
    results: dict[str, list[str]] = {}
    for content, told in shown_by_content(catalog, name).items():
        messages = messages_of(catalog.library.connection, content)
        if messages is not None:
            results.setdefault(words_hash(messages), []).extend(told)
    for experiment in experiments(catalog.library):
        if experiment.template == name:
            with suppress(ValueError, TypeError, KeyError, AttributeError):
                words = words_hash(json.loads(experiment.conversation))
                verdict = experiment.verdict or experiment.state
                results.setdefault(words, []).append(f"experiment {experiment.id} ({experiment.name}): {verdict}")
    if not results:
        return {}
    numbers = told_as(catalog.home, name, entries)
    found: dict[int, list[str]] = {}
    for words, sentences in results.items():
        for number in numbers.get(words, ()):
            found.setdefault(number, []).extend(sentences)
    return found
