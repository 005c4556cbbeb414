"""What a program sends, taken as a submission: held to its form, and without the secrets that it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from warm_tui.approvals.model import DEEPEST, MOST_PIECES, Answer, Refused, Submission, digest_of

if TYPE_CHECKING:
    from warm_tui.secrets.redactor import Redactor

T = TypeVar("T")
LARGEST_NUMBER = 2**63
RUNS = frozenset(" \t\n;|&$`<>(){}")
"""What parts words for a shell, or has it do something."""


class Prepared(msgspec.Struct, frozen=True):
    """A submission whose secrets are masked, and the digest of what it was before."""

    submission: Submission
    digest: str
    masked: bool
    hides_commands: bool = False


def decoded(raw: bytes, kind: type[T]) -> T:
    """Refused, with what is wrong, where it is no such thing."""
    try:
        return msgspec.json.decode(raw or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused(f"The body cannot be taken: {_words(error)}.") from error


def _words(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeError):
        return "it is no UTF-8"
    return str(error)[:300].rstrip(".")


def prepare(submission: Submission, redactor: Redactor) -> Prepared:
    check_details(submission.details)
    secrets = _secrets_within(submission.details, redactor)
    texts = [submission.description, submission.requester, submission.session_key]
    description, requester, session_key = masked_in(texts, redactor)
    details = _without(secrets, submission.details, redactor)
    kept = msgspec.structs.replace(
        submission, description=description, requester=requester, session_key=session_key, details=details
    )
    digest = digest_of(redactor.key, submission.action, submission.details)
    return Prepared(
        kept, digest, kept.details != submission.details, any(not RUNS.isdisjoint(secret) for secret in secrets)
    )


def answered(said: Answer, redactor: Redactor) -> Answer:
    """What an operator says, without the secrets that it holds. Edited, it runs as it stands: none may be in it."""
    if said.details is not msgspec.UNSET:
        check_details(said.details)
        if masked_in(said.details, redactor) != said.details:
            raise Refused("What you put in holds a secret, which would be written down: say where it is found instead.")
    by, reason = masked_in([said.by, said.reason], redactor)
    return msgspec.structs.replace(said, by=by, reason=reason)


def masked_in(value: Any, redactor: Redactor) -> Any:
    return _without(_secrets_within(value, redactor), value, redactor)


def _secrets_within(value: Any, redactor: Redactor) -> list[str]:
    return [secret.value for secret in redactor.secrets_within(value)]


def _without(secrets: list[str], value: Any, redactor: Redactor) -> Any:
    """Names of fields, too: they are stored and shown as well."""
    if not secrets:
        return value
    masking = redactor.masking(secrets)
    return _with_names(masking.within(value), masking.text)


def _with_names(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {change(str(name)): _with_names(inner, change) for name, inner in value.items()}
    return [_with_names(inner, change) for inner in value] if isinstance(value, list) else value


def check_details(details: Any) -> None:
    """Raises Refused for what could not be written down and shown as it is."""
    if sum(1 for _ in _checked(details)) > MOST_PIECES:
        raise Refused(f"The details hold more than {MOST_PIECES:,} values: nobody could read them.")


def _checked(value: Any, depth: int = 0) -> Iterator[Any]:
    yield value
    if depth > DEEPEST:
        raise Refused(f"The details are nested more than {DEEPEST} deep.")
    if isinstance(value, int) and not -LARGEST_NUMBER <= value < LARGEST_NUMBER:
        raise Refused("The details hold a number of more than 64 bits: send it as text.")
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _checked(inner, depth + 1)
