"""The referee's own look at DKIM signatures (RFC 6376), for servers that write no Authentication-Results."""

from __future__ import annotations

import logging

import dkim
from dkim.util import parse_tag_value

from referee.post.reading.address import domain_of
from referee.post.trust.authentication import Evidence, aligned
from referee.post.trust.directory import Ask, Directory

MOST_SIGNATURES = 5  # further ones are not looked at
_SILENT = logging.Logger("referee.dkim", logging.CRITICAL + 1)


class SignatureCheck:
    """Vouches for a sender whose domain signed the mail. A signature that fails proves nothing: lists and gateways
    break many. `lookup` is asked for keys, for `patience` seconds at most; the DNS where it is None."""

    def __init__(self, lookup: Ask | None = None, patience: int = 5) -> None:
        self._lookup = lookup or Directory()
        self._patience = patience

    def __call__(self, raw: bytes, address: str | None) -> Evidence | None:
        """Evidence that the sender's own domain signed this very mail, or None. Total."""
        domain = domain_of(address or "")
        if not domain:
            return None
        try:
            mail = dkim.DKIM(raw, logger=_SILENT, timeout=self._patience)
            made = [value for name, value in mail.headers if name.lower() == b"dkim-signature"]
        except Exception:  # noqa: BLE001 - the library raises whatever odd bytes make it raise
            return None
        for index, value in enumerate(made[:MOST_SIGNATURES]):
            if _concerns(value, domain) and (signer := self._signer(mail, index, domain)):
                return Evidence("aligned", f"own check: dkim passed for {signer}")
        return None

    def _signer(self, mail: dkim.DKIM, index: int, domain: str) -> str | None:
        """Who made the signature, where it holds, covers the subject and the whole body, and fits the domain."""
        try:
            if not mail.verify(index, dnsfunc=self._lookup):
                return None
            fields = mail.signature_fields
            signer = fields[b"d"].decode("ascii").lower()
        except Exception:  # noqa: BLE001 - see above; a signature that cannot be checked is none
            return None
        whole = b"l" not in fields and b"subject" in mail.include_headers
        return signer if whole and aligned(signer, domain) else None


def _concerns(value: bytes, domain: str) -> bool:
    """Whether a signature says it is of the sender's domain: for no other is the DNS asked."""
    try:
        return aligned(parse_tag_value(value)[b"d"].decode("ascii"), domain)
    except Exception:  # noqa: BLE001 - see above
        return False
