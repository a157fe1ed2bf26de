"""Evidence of who sent a mail: what a trusted server wrote on top of it (RFC 8601)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from referee.post.address import domain_of
from referee.post.headers import Headers

_COMMENT = re.compile(r"\([^()]*\)")
_RESULT = re.compile(r"([a-z][a-z0-9-]{0,30})(?:/\d+)?\s*=\s*([a-z]+)", re.IGNORECASE)
_PROPERTY = re.compile(r"([a-z]+\.[a-z0-9-]+)\s*=\s*(\"[^\"]*\"|[^\s;]+)", re.IGNORECASE)

# Names under which many unrelated people have their own domain; alignment never stops at one of these.
_SHARED_ENDS = frozenset(
    {
        "co.uk",
        "org.uk",
        "ac.uk",
        "com.au",
        "net.au",
        "org.au",
        "co.nz",
        "co.jp",
        "or.jp",
        "ne.jp",
        "com.br",
        "com.tr",
    }
    | {"com.cn", "co.in", "co.za", "co.kr"}
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """`aligned`: a trusted server vouches for the domain of From. `failed`: it says the mail is not from there.
    `none`: no trusted server said anything that counts. `detail` is for letters and logs."""

    kind: Literal["aligned", "failed", "none"]
    detail: str


@dataclass(frozen=True, slots=True)
class Result:
    """One method's result: ("dkim", "pass", {"header.d": "example.org"})."""

    method: str
    value: str
    properties: tuple[tuple[str, str], ...]

    def property(self, *names: str) -> str:
        return next((value for name in names for key, value in self.properties if key == name), "")


def weigh(headers: Headers, address: str | None, trusted: tuple[str, ...]) -> Evidence:
    """What the topmost Authentication-Results of a trusted server says of the sender's domain.

    Only the topmost with a trusted name counts: those below may have come with the mail. The mail's own server
    puts its field on top, so one that stands below another server's Received from outside is not looked for.
    """
    if not trusted:
        return Evidence("none", "no server is trusted to say who sent a mail")
    if address is None:
        return Evidence("none", "the mail does not say with certainty who sent it")
    wanted = {name.lower() for name in trusted}
    for value in headers.every("authentication-results"):
        server, results = read_results(value)
        if server in wanted:
            return _judged(server, results, domain_of(address))
    return Evidence("none", "no trusted server has said who sent the mail")


def read_results(value: str) -> tuple[str, tuple[Result, ...]]:
    """The server's name and its results. Comments, which senders can influence, are dropped first; what is in
    quotes is never taken for a result."""
    plain = value[:8000]
    for _ in range(3):
        plain = _COMMENT.sub(" ", plain)
    head, *parts = (
        re.split(r";(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", plain) if plain.count('"') <= 40 else plain.split(";")
    )
    results = []
    for part in parts[:50]:
        if found := _RESULT.match(part.strip()):
            properties = tuple(
                (key.lower(), text.strip('"').lower()) for key, text in _PROPERTY.findall(part)
            )
            results.append(Result(found[1].lower(), found[2].lower(), properties))
    words = head.split()
    return (words[0].lower() if words else ""), tuple(results)


def _judged(server: str, results: tuple[Result, ...], domain: str) -> Evidence:
    for result in results:
        if (
            result.method == "dmarc"
            and result.value == "pass"
            and _same(result.property("header.from") or domain, domain)
        ):
            return Evidence("aligned", f"{server}: dmarc passed for {domain}")
    if any(result.method == "dmarc" and result.value == "fail" for result in results):
        return Evidence("failed", f"{server}: dmarc failed for {domain}")
    for result in results:
        signer = result.property("header.d") or domain_of(result.property("header.i"))
        if result.method == "dkim" and result.value == "pass" and aligned(signer, domain):
            return Evidence("aligned", f"{server}: dkim passed for {signer}")
    for result in results:
        path = domain_of(result.property("smtp.mailfrom", "smtp.mail", "envelope-from"))
        if result.method == "spf" and result.value == "pass" and aligned(path, domain):
            return Evidence("aligned", f"{server}: spf passed for {path}")
    ours = [result for result in results if result.method in ("dkim", "spf")]
    if any(
        result.method == "dkim" and result.value == "fail" and aligned(result.property("header.d"), domain)
        for result in ours
    ):
        return Evidence("failed", f"{server}: dkim failed for {domain}")
    return Evidence("none", f"{server}: nothing passed for {domain}")


def _same(one: str, other: str) -> bool:
    return one.lower().rstrip(".") == other.lower().rstrip(".")


def aligned(signer: str, domain: str) -> bool:
    """Relaxed alignment without a public suffix list: equal, or one within the other."""
    signer, domain = signer.lower().strip(". "), domain.lower().strip(". ")
    if not signer or "." not in signer or signer in _SHARED_ENDS:
        return False
    return (
        signer == domain or domain.endswith("." + signer) or (signer.endswith("." + domain) and "." in domain)
    )
