"""The authority of a fleet: it signs who may be in, and revokes who may be no more."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from warm_tui.errors import Trouble
from warm_tui.fleet.folder import Folder, Role, check_name
from warm_tui.locking import locked
from warm_tui.writing import check_may_change, read_ours, write_whole

LASTS_DAYS = 365
AUTHORITY_LASTS_DAYS = 3_650
EARLIER = datetime.timedelta(days=1)
"""Clocks differ: what is signed now holds for one that goes behind, too."""
FLEET = "Warm TUI fleet"
_PEM = serialization.Encoding.PEM
_HASH = hashes.SHA256()


class Authority:
    def __init__(self, folder: Folder, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
        self.folder, self.key, self.certificate = folder, key, certificate

    @classmethod
    def of(cls, folder: Folder) -> Authority:
        try:
            pem = read_ours(folder.authority)
        except FileNotFoundError:
            raise Trouble(f"No authority of a fleet is in {folder.path}: `warm-tui fleet init` makes one.") from None
        key = serialization.load_pem_private_key(pem, None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        return cls(folder, key, x509.load_pem_x509_certificates(pem)[0])

    @classmethod
    def begun(cls, folder: Folder, days: int = LASTS_DAYS) -> Authority:
        """A new authority, with what the scheduler and the operator of this machine need."""
        check_may_change()
        key, now = ec.generate_private_key(ec.SECP256R1()), _now()
        name = _name("authority", "authority")
        usage = x509.KeyUsage(
            digital_signature=False, content_commitment=False, key_encipherment=False, data_encipherment=False,
            key_agreement=False, key_cert_sign=True, crl_sign=True, encipher_only=False, decipher_only=False,
        )  # fmt: skip
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - EARLIER)
            .not_valid_after(now + datetime.timedelta(days=AUTHORITY_LASTS_DAYS))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .sign(key, _HASH)
        )
        authority = cls(folder, key, certificate)
        folder.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            write_whole(folder.authority, _private(key) + certificate.public_bytes(_PEM), replacing=False)
        except FileExistsError:
            return cls.of(folder)
        authority._write_revoked([])
        authority.issue("scheduler", "scheduler", folder.credentials("scheduler"), days)
        authority.issue("operator", "operator", folder.credentials("operator"), days)
        return authority

    def issue(self, role: Role, name: str, path: Path, days: int = LASTS_DAYS) -> Path:
        """Sign a new certificate, and write it with its key and all that its holder needs to know the others."""
        revoked = read_revoked(self.folder.revoked)
        key, now = ec.generate_private_key(ec.SECP256R1()), _now()
        both = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH])
        known_by = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        certificate = (
            x509.CertificateBuilder()
            .subject_name(_name(check_name(name), role))
            .issuer_name(self.certificate.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - EARLIER)
            .not_valid_after(now + datetime.timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(both, critical=False)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
            .add_extension(known_by, critical=False)
            .sign(self.key, _HASH)
        )
        public = certificate.public_bytes(_PEM)
        write_whole(self.folder.issued / f"{certificate.serial_number:x}.pem", public)
        write_whole(path, b"".join((_private(key), public, self.certificate.public_bytes(_PEM), revoked)))
        return path

    def revoke(self, name: str) -> int:
        """Whoever holds a certificate of this name is refused from now on. How many there were."""
        with self._alone():
            revoked = {each.serial_number: each for each in self._revoked()}
            theirs = [each for each in self._issued() if name_of(each) == name]
            fresh = [each for each in theirs if each.serial_number not in revoked]
            at = _now()
            added = [
                x509.RevokedCertificateBuilder().serial_number(each.serial_number).revocation_date(at).build()
                for each in fresh
            ]
            if added:
                self._write_revoked([*revoked.values(), *added])
        return len(added)

    def revoked_of(self, path: Path) -> str:
        """Whose certificate stands there, where it was revoked; nothing where it was not, or none stands there."""
        try:
            certificate = x509.load_pem_x509_certificates(read_ours(path))[0]
        except (OSError, ValueError):
            return ""
        revoked = {each.serial_number for each in self._revoked()}
        return name_of(certificate) if certificate.serial_number in revoked else ""

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with locked(self.folder.path):
            yield

    def _issued(self) -> Iterator[x509.Certificate]:
        for path in sorted(self.folder.issued.glob("*.pem")):
            yield x509.load_pem_x509_certificate(read_ours(path))

    def _revoked(self) -> Iterator[x509.RevokedCertificate]:
        yield from x509.load_pem_x509_crl(read_revoked(self.folder.revoked))

    def _write_revoked(self, revoked: list[x509.RevokedCertificate]) -> None:
        """It holds as long as the authority: a list that ran out would bar everybody, and so would one of to-day those
        whose clock is behind. Each is later than the one before, since OpenSSL goes by the latest.
        """
        since = self.certificate.not_valid_before_utc
        if self.folder.revoked.exists():
            before = x509.load_pem_x509_crl(read_revoked(self.folder.revoked)).last_update_utc
            since = max(_now() - EARLIER, before + datetime.timedelta(seconds=1))
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.certificate.subject)
            .last_update(since)
            .next_update(self.certificate.not_valid_after_utc)
            .add_extension(x509.CRLNumber(len(revoked) + 1), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False)
        )
        for each in revoked:
            builder = builder.add_revoked_certificate(each)
        write_whole(self.folder.revoked, builder.sign(self.key, _HASH).public_bytes(_PEM))


# --- reading what was signed ---


def name_of(certificate: x509.Certificate) -> str:
    return str(certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)


def role_of(certificate: x509.Certificate) -> str:
    return str(certificate.subject.get_attributes_for_oid(NameOID.ORGANIZATIONAL_UNIT_NAME)[0].value)


def read_revoked(path: Path) -> bytes:
    """Made anew, the list would let in again all who have left."""
    try:
        pem = read_ours(path)
        x509.load_pem_x509_crl(pem)
    except (OSError, ValueError) as error:
        raise Trouble(
            f"{path} says who was revoked, and cannot be read: copy it from another machine of the fleet,"
            f" where it is {'/'.join(path.parts[-3:])} in the home that joined."
        ) from error
    return pem


def newer_list(pem: bytes, than: bytes, signer: x509.Certificate) -> bool:
    """Whether this list of revoked certificates was signed by the authority, after the other."""
    key = signer.public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey)
    try:
        new = x509.load_pem_x509_crl(pem)
    except ValueError:
        return False
    return new.is_signature_valid(key) and (not than or _number(new) > _number(x509.load_pem_x509_crl(than)))


def _number(revoked: x509.CertificateRevocationList) -> int:
    return revoked.extensions.get_extension_for_class(x509.CRLNumber).value.crl_number


def _name(name: str, role: str) -> x509.Name:
    return x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, FLEET),
            x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, role),
            x509.NameAttribute(NameOID.COMMON_NAME, name),
        ]
    )


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)
