"""What this machine shows the others, whom it believes, and in words why it is not let in."""

from __future__ import annotations

import datetime
import socket
import ssl
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from distributed.security import Security

from warm_tui.errors import Trouble
from warm_tui.fleet.authority import name_of, newer_list, read_revoked, role_of
from warm_tui.fleet.folder import Away, Folder, NotLetIn, Role
from warm_tui.fleet.wire import named_in
from warm_tui.writing import read_ours, read_regular, write_whole

_PEM = serialization.Encoding.PEM
_LIST = b"-----BEGIN X509 CRL-----"
"""What was revoked stands last in what is handed out."""
REFUSALS = (
    ("CERTIFICATE_REVOKED", "its certificate was revoked: `warm-tui fleet init --member NAME` signs another"),
    ("CERTIFICATE_EXPIRED", "its certificate ran out: `warm-tui fleet init --member NAME` signs another"),
    ("UNKNOWN_CA", "its certificate is of another fleet"),
    ("BAD_CERTIFICATE", "its certificate is not believed"),
    ("CERTIFICATE_REQUIRED", "it showed no certificate"),
    ("certificate revoked", "the scheduler's certificate was revoked"),
    ("certificate has expired", "the scheduler's certificate ran out"),
    ("not yet valid", "the scheduler's certificate does not hold yet: the clocks of the two differ"),
    ("self-signed certificate", "the scheduler is of another fleet"),
    ("unable to get local issuer", "the scheduler is of another fleet"),
    ("certificate signature failure", "the scheduler is of another fleet"),
    ("WRONG_VERSION_NUMBER", "what answers there speaks no TLS"),
)
"""What OpenSSL says of a handshake that failed, and what that means."""


class Credentials(NamedTuple):
    """A certificate with its key in one file, the authority's certificate, and who was revoked."""

    path: Path
    certificate: x509.Certificate
    authority: x509.Certificate
    revoked: Path

    @property
    def name(self) -> str:
        return name_of(self.certificate)

    @classmethod
    def of(cls, folder: Folder, role: Role) -> Credentials:
        path = folder.credentials(role)
        try:
            certificates = x509.load_pem_x509_certificates(read_ours(path))
        except FileNotFoundError:
            raise Trouble(_missing(role, path)) from None
        except ValueError as error:
            raise Trouble(f"{path} holds no certificate of a fleet.") from error
        if len(certificates) != 2 or role_of(certificates[0]) != role:
            raise Trouble(f"{path} holds no certificate of a fleet for a {role}.")
        credentials = cls(path, certificates[0], certificates[1], folder.revoked)
        if credentials.certificate.not_valid_after_utc < datetime.datetime.now(datetime.UTC):
            ended = credentials.certificate.not_valid_after_utc.date()
            raise Trouble(f"The certificate of {credentials.name} ran out on {ended}: have another one signed.")
        return credentials

    def take_revoked(self, pem: bytes) -> bool:
        """Who was revoked since, where that comes from the authority. Whether it was news."""
        known = read_ours(self.revoked) if self.revoked.exists() else b""
        if not newer_list(pem, known, self.authority):
            return False
        write_whole(self.revoked, pem)
        return True

    def context(self, purpose: ssl.Purpose) -> ssl.SSLContext:
        """Both sides show a certificate of this fleet that was not revoked, or nothing is said at all."""
        read_revoked(self.revoked)
        context = ssl.create_default_context(purpose, cadata=self.authority.public_bytes(_PEM).decode())
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.check_hostname = False
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_cert_chain(self.path)
        context.load_verify_locations(cafile=self.revoked)
        context.verify_flags |= ssl.VERIFY_CRL_CHECK_LEAF
        return context


def install(folder: Folder, role: Role, given: Path) -> None:
    """Take over what the authority's machine handed out; the revoked ones with it."""
    try:
        pem = read_regular(given)
        certificates = x509.load_pem_x509_certificates(pem)
    except OSError as error:
        raise Trouble(f"{given} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise Trouble(f"{given} holds no certificate of a fleet.") from error
    at = pem.find(_LIST)
    if len(certificates) != 2 or at < 0 or role_of(certificates[0]) != role:
        raise Trouble(f"{given} is not what `warm-tui fleet init --{role} NAME` hands out.")
    write_whole(folder.credentials(role), pem)
    if not folder.revoked.exists():
        write_whole(folder.revoked, pem[at:])
    Credentials.of(folder, role).take_revoked(pem[at:])


class FleetSecurity(Security):
    """What the engine asks for contexts. It keeps those it listens by, to tell them who was revoked since."""

    def __init__(self, credentials: Credentials) -> None:
        super().__init__(require_encryption=True)
        self.credentials = credentials
        self.contexts: list[ssl.SSLContext] = []

    def _get_tls_context(self, tls: object, purpose: ssl.Purpose) -> ssl.SSLContext:  # noqa: ARG002
        context = self.credentials.context(purpose)
        self.contexts.append(context)
        return context

    def get_connection_args(self, role: str) -> dict[str, Any]:
        """Members and operators ask the scheduler alone, and it asks members."""
        asks = "member" if role_of(self.credentials.certificate) == "scheduler" else "scheduler"
        return {**super().get_connection_args(role), "asks": asks}

    def note_revoked(self) -> None:
        """Of several lists of one authority, OpenSSL goes by the youngest."""
        for context in self.contexts:
            context.load_verify_locations(cafile=self.credentials.revoked)


def check_welcome(
    address: str, credentials: Credentials, seconds: float = 5.0, context: ssl.SSLContext | None = None
) -> None:
    """Whether the scheduler lets us in, and we believe it. The engine would try for ever, without a word why."""
    host, _, port = address.removeprefix("tls://").rpartition(":")
    try:
        with (
            socket.create_connection((host.strip("[]"), int(port)), seconds) as plain,
            (context or credentials.context(ssl.Purpose.SERVER_AUTH)).wrap_socket(plain) as secured,
        ):
            if named_in(secured.getpeercert())[1] != "scheduler":
                raise NotLetIn(f"{address} is no scheduler: what answers there has another certificate.")
            # Only now does the other side tell that it does not like our certificate.
            if not secured.recv(1):
                raise Away(f"{address} ended the conversation without a word.")
    except ssl.SSLError as error:
        raise NotLetIn(f"{credentials.name} is not let in by {address}: {_in_words(error)}.") from error
    except TimeoutError as error:
        raise Away(f"No scheduler answers at {address}.") from error
    except OSError as error:
        raise Away(f"No scheduler answers at {address}: {error.strerror or error}.") from error


def _in_words(error: ssl.SSLError) -> str:
    told = str(error)
    return next((words for sign, words in REFUSALS if sign in told), error.reason or told)


def _missing(role: Role, path: Path) -> str:
    if role == "member":
        return f"{path} is not there: `warm-tui fleet init --member NAME` on the authority's machine makes it."
    return f"{path} is not there: `warm-tui fleet init` makes it."
