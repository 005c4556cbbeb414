"""What a program sends, taken as a submission: held to its form, and without the secrets that it holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from warm_tui.approvals.model import DEEPEST, Refused, Submission, digest_of

if TYPE_CHECKING:
    from warm_tui.secrets.redactor import Redactor

T = TypeVar("T")
LARGEST_NUMBER = 2**63


class Prepared(msgspec.Struct, frozen=True):
    """A submission whose secrets are masked, and the digest of what it was before."""

    submission: Submission
    digest: str
    masked: bool


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
    kept = msgspec.structs.replace(
        submission,
        description=masked_in(submission.description, redactor),
        details=masked_in(submission.details, redactor),
        requester=masked_in(submission.requester, redactor),
    )
    digest = digest_of(redactor.key, submission.action, submission.details)
    return Prepared(kept, digest, kept.details != submission.details)


def masked_in(value: Any, redactor: Redactor) -> Any:
    """Names of fields, too: they are stored and shown as well."""
    masking = redactor.masking([secret.value for secret in redactor.secrets_within(value)])
    return _with_names(masking.within(value), masking.text)


def _with_names(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {change(str(name)): _with_names(inner, change) for name, inner in value.items()}
    return [_with_names(inner, change) for inner in value] if isinstance(value, list) else value


def check_details(value: Any, depth: int = 0) -> None:
    """Raises Refused for what could not be written down and shown as it is."""
    if depth > DEEPEST:
        raise Refused(f"The details are nested more than {DEEPEST} deep.")
    if isinstance(value, int) and not -LARGEST_NUMBER <= value < LARGEST_NUMBER:
        raise Refused("The details hold a number of more than 64 bits: send it as text.")
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        check_details(inner, depth + 1)
