"""Evidence of who sent a mail: what trusted servers wrote on top of it (RFC 8601, read by the
library authres), what a DKIM signature (RFC 6376) that such a server found good covers, and for
`doctor` whether any wrote something so far.

A signature proves the fields that it names and no other: from the lowest of a name upwards, as
often as it names it.
"""

import binascii
import hashlib
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from authres import FeatureContext
from publicsuffixlist import PublicSuffixList

from referee.core.texts.addresses import address_key, without_detail
from referee.core.value import Value
from referee.mail.mail import Evidence
from referee.mail.read.head import Headers, ParsedMail, domain_of, loose_addresses, read_head

MOST_SIGNATURES = 20  # on a mail with more none counts
OF_OTHERS = "signs no To or Cc with an address of mine"
_NEEDED = ("from", "subject", "date")
_SINGLE = ("to", "cc", "content-type", "content-transfer-encoding")  # of two, programs take this one or that


class DomainSignature(Value):
    """A DKIM-Signature field by its tags; none where it can't be read. `lacks` tells, behind the signer's name, why it
    does not prove what is read of its mail; '' where it would, should it hold."""

    tags: Mapping[str, str]
    lacks: str

    @property
    def signer(self) -> str:
        """The domain that signed, in lower case."""
        return self.tags.get("d", "").lower()

    @property
    def digest(self) -> str:
        """What tells the signature from all others, however it is written."""
        try:
            value = b64decode(self.value)
        except (binascii.Error, ValueError):
            value = self.value.encode("utf-8", "replace")
        return hashlib.sha256(b"dkim\n" + value).hexdigest()

    @property
    def value(self) -> str:
        """The signature itself, in Base64."""
        return "".join(self.tags.get("b", "").split())


def signatures_on(mail: ParsedMail, takes: Collection[str]) -> tuple[DomainSignature, ...]:
    """The mail's DKIM signatures, topmost first. `takes` are the addresses, in lower case, that this mailbox takes."""
    found = [_tags(value) for value in mail.headers.every("dkim-signature")]
    general = _unfit(mail) or (f"signed {len(found)} times over" if len(found) > MOST_SIGNATURES else "")
    return tuple(DomainSignature(tags, general or _lacks(mail.headers, tags, takes)) for tags in found)


def _tags(value: str) -> dict[str, str]:
    """A list of tags (RFC 6376, 3.2); none where one stands twice."""
    tags: dict[str, str] = {}
    for one in value.strip().removesuffix(";").split(";"):
        name, sign, text = one.partition("=")
        if not sign or name.strip() in tags:
            return {}
        tags[name.strip()] = text.strip()
    return tags


def _unfit(mail: ParsedMail) -> str:
    """Why no signature can prove what is read of the mail."""
    if mail.ragged:
        return "signs a head that not all programs read alike"
    doubled = [name.title() for name in _SINGLE if len(mail.headers.every(name)) > 1]
    if doubled or mail.twice:
        return f"signs one of several {', '.join((*mail.twice, *doubled))}"
    return ""


def _lacks(headers: Headers, tags: Mapping[str, str], takes: Collection[str]) -> str:
    names = [name.strip() for name in tags.get("h", "").lower().split(":")]
    unsigned = [name.title() for name in _NEEDED if name not in names]
    if not tags or unsigned:
        return f"does not sign {', '.join(unsigned)}"
    if "l" in tags or "bh" not in tags:
        return "does not sign the whole body"
    if tags.get("a", "").lower().endswith("sha1"):
        return "signs by SHA-1, which can be forged"  # RFC 8301
    if headers.first("date") is None:
        return "signs no Date"
    both = ((headers.every(name), names.count(name)) for name in ("to", "cc"))
    addresses = loose_addresses(value for values, signed in both for value in values[::-1][:signed][::-1])
    if not any(address_key(a) in takes or without_detail(a) in takes for a in addresses):
        named = ", ".join(addresses[:3])
        return f"{OF_OTHERS} ({named})" if named else "does not sign To"
    return ""


def aligned(signer: str, domain: str) -> bool:
    """Relaxed alignment (RFC 7489, 3.1): equal, or one within the other and both of one owner by the public suffix
    list, so that nobody speaks for another who has his name under the same ending."""
    signer, domain = signer.lower().strip(". "), domain.lower().strip(". ")
    if "." not in signer:
        return False
    if signer == domain:
        return True
    if not (domain.endswith("." + signer) or signer.endswith("." + domain)):
        return False
    owner = _suffixes().privatesuffix(domain)
    return owner is not None and owner == _suffixes().privatesuffix(signer)


@cache
def _suffixes() -> PublicSuffixList:
    """The list that the library ships; read once, when it is first asked."""
    return PublicSuffixList()


LONGEST_RESULTS = 8000  # characters of a field; a longer one is no server's
MOST_COMMENTS = 200  # opening parentheses in a field; one with more is no server's
MOST_FIELDS = 20  # fields of trusted servers that are read

_BY_THE_WAY = "what passed names no signature"
_UNNAMED = "has no such signature on the mail"
_UNREADABLE = "\x00"  # no server's name
_DOMAIN = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}")


class Result(Value):
    """One method's result: ("dkim", "pass", (("header.d", "example.org"),)), in lower case."""

    method: str
    value: str
    properties: tuple[tuple[str, str], ...]

    def property(self, name: str) -> str:
        """The property's value; empty where it is not stated, or stated twice and differs."""
        stated = {value for key, value in self.properties if key == name}
        return stated.pop() if len(stated) == 1 else ""

    def domain(self, name: str) -> str:
        """The domain a property names, alone or behind an @; empty where it is anything else."""
        value = self.property(name)
        found = value if value.count("@") == 0 else domain_of(value)
        quoted = value.count("@") > 1 and not value.startswith('"')
        return found if _DOMAIN.fullmatch(found) and not quoted else ""


class Results(Value):
    """One field: the server that wrote it, in lower case, and what it says."""

    server: str
    results: tuple[Result, ...]


def weigh(mail: ParsedMail, trusted: tuple[str, ...], takes: Collection[str]) -> Evidence:
    """What the trusted servers' topmost Authentication-Results say of the sender's domain. `takes` are the addresses,
    in lower case, that this mailbox takes."""
    if not trusted:
        return Evidence("none", "no server is trusted to say who sent a mail")
    if mail.sender is None:
        return Evidence("none", "the mail does not say with certainty who sent it")
    fields = tuple(topmost(mail.headers, {name.casefold() for name in trusted}))
    if not fields:
        return Evidence("none", "no trusted server has said who sent the mail")
    results = tuple(spoken(fields))
    return _judged(fields[0].server, results, domain_of(mail.sender.address), signatures_on(mail, takes))


def topmost(headers: Headers, trusted: Collection[str]) -> Iterator[Results]:
    """The fields of trusted servers (in lower case) above any other's. A server writes on top of what it was given:
    below a field of another server, one that can't be read, or the Received of an earlier server, what stands there
    may have come with the mail."""
    begun = 0
    for name, value in headers.fields:
        if name == "received" and begun:
            return
        if name != "authentication-results":
            continue
        field = read_results(value)
        if field is None or field.server not in trusted or begun == MOST_FIELDS:
            return
        begun += 1
        yield field


def read_results(value: str) -> Results | None:
    """A field, unfolded, by RFC 8601's grammar; None where it does not keep to it, and nothing in it counts."""
    bare = _without_comments(value) if len(value) <= LONGEST_RESULTS else None
    if bare is None or not _field_form().fullmatch(bare):
        return None
    read = FeatureContext().parse_value(bare)  # which by itself passes over what it does not know
    results = tuple(
        Result(
            one.method.lower(),
            one.result.lower(),
            tuple((f"{p.type}.{p.name}", p.value.lower()) for p in one.properties),
        )
        for one in read.results
    )
    return Results(read.authserv_id.lower(), results)


@cache
def _field_form() -> re.Pattern[str]:
    """A whole field without comments (RFC 8601, 2.2). No part gives back what it took, so that each field has one
    reading. A value in quotes stands last in its result: the library takes nothing behind one."""
    _, sign = r"[\t ]*+", r"[\w!#$%&'*+?^`{|}~-]"
    atom = rf"(?:{sign}|[/=])++"
    domain, key, keyword = rf"{atom}(?:\.{atom})*+", rf"{sign}++(?:\.{sign}++)*+", "[a-z][a-z0-9-]*+(?<!-)"
    quoted = r'"(?:[\t !#-\[\]-~]|\\[\t -~])++"'
    reason = rf"reason{_}={_}(?:(?:(?!\?){sign}|\.)++|{quoted})"
    value = rf"(?:{quoted}(?:{_}@{_}{domain}|(?={_}(?:;|$)))|@{_}{domain}|(?!@)(?:{sign}|[/=.@])++)"
    stated = rf"(?:smtp|header|body|policy){_}\.{_}{key}{_}={_}{value}"
    result = rf"(?!none){keyword}{_}(?:/{_}\d++{_})?+={_}{keyword}{_}(?:{reason}{_})?+(?:{stated}{_})*+"
    field = rf"{_}{domain}{_}(?:1{_})?+(?:;{_}none{_}|(?:;{_}{result})++)"
    return re.compile(field, re.ASCII | re.IGNORECASE)


_MARKS = re.compile(r'\\.|["()]')
_PLAIN = re.compile(r"[\t -~]*+")


def _without_comments(value: str) -> str | None:
    """The field with a blank for each comment; None where one does not end, or holds half a quotation: the grammar
    allows it, but no server writes it of its own. One that copied there what a sender had put in quotes, with a
    parenthesis in it, has ended its comment too soon."""
    if '""' in value or value.count("(") > MOST_COMMENTS or not _PLAIN.fullmatch(value):
        return None  # no server writes so
    kept: list[str] = []
    end = depth = quotes = 0
    quoted = False
    for mark in _MARKS.finditer(value):
        if depth:
            depth += {"(": 1, ")": -1}.get(mark[0], 0)
            quotes += mark[0] == '"'
            if not depth:
                if quotes % 2:
                    return None
                end, quotes = mark.end(), 0
        elif mark[0] == '"':
            quoted = not quoted
        elif mark[0] == "(" and not quoted:
            kept.append(value[end : mark.start()])
            depth = 1
    return None if depth else " ".join((*kept, value[end:]))


def spoken(fields: tuple[Results, ...]) -> Iterator[Result]:
    """Each method's results from the topmost field that speaks of it: a server tests a mail by a method once, so a
    second field that does so is older than its own."""
    known: set[str] = set()
    for field in fields:
        yield from (result for result in field.results if result.method not in known)
        known.update(result.method for result in field.results)


def _judged(
    server: str, results: tuple[Result, ...], domain: str, made: tuple[DomainSignature, ...]
) -> Evidence:
    """DMARC's no comes first. A pass that names no signature, as SPF's does and DMARC's by SPF, is about the way that
    the mail came, and proves no field."""
    dmarc = [result for result in results if result.method == "dmarc"]
    if any(result.value == "fail" for result in dmarc):
        return Evidence("failed", f"{server}: dmarc failed for {domain}")
    fits = bool(dmarc) and all(
        result.value == "pass" and result.domain("header.from") == domain for result in dmarc
    )
    dkim = [result for result in results if result.method == "dkim" and aligned(_signer(result), domain)]
    named = [result for result in dmarc if fits and aligned(_signer(result), domain)]
    passed = [_covering(server, result, made) for result in (*dkim, *named) if result.value == "pass"]
    if passed:
        return next((one for one in passed if one.kind == "aligned"), passed[0])
    spf = [result for result in results if result.method == "spf"]
    paths = {result.domain("smtp.mailfrom") for result in spf}
    path = len(paths) == 1 and all(result.value == "pass" for result in spf) and aligned(min(paths), domain)
    if fits or path:
        return Evidence("none", f"{server}: {_BY_THE_WAY} for {domain}")
    if any(result.value == "fail" for result in dkim):
        return Evidence("failed", f"{server}: dkim failed for {domain}")
    return Evidence("none", f"{server}: nothing passed for {domain}")


def _covering(server: str, result: Result, made: tuple[DomainSignature, ...]) -> Evidence:
    """What a pass proves: what the signature covers that it names; of several that it may name, the least."""
    named, signer = [one for one in made if _names(result, one)], _signer(result)
    lacks = next((one.lacks for one in named if one.lacks), "") if named else _UNNAMED
    if lacks:
        return Evidence("none", f"{server}: {result.method} passed, but {signer} {lacks}")
    return Evidence("aligned", f"{server}: {result.method} passed for {signer}", named[0].digest)


def _names(result: Result, signature: DomainSignature) -> bool:
    """Whether a result may be about that signature: what it states of it fits, `b` by its beginning (RFC 6008)."""
    stated = {key for key, _ in result.properties}
    agent = domain_of(signature.tags.get("i", f"@{signature.signer}"))  # it lies within that of the signer
    who = {"header.d": signature.signer} if "header.d" in stated else {"header.i": agent}
    selector, value = signature.tags.get("s", "").lower(), signature.value.lower()
    begun = result.property("header.b")
    return (
        all(result.domain(key) == domain for key, domain in who.items())
        and ("header.s" not in stated or result.property("header.s") == selector)
        and ("header.b" not in stated or (begun != "" and value.startswith(begun)))
    )


def _signer(result: Result) -> str:
    """The domain that signed: `d`, or where it is left away that of `i`, which lies within it."""
    stated = any(key == "header.d" for key, _ in result.properties)
    return result.domain("header.d" if stated else "header.i")


def vouching(
    raws: Sequence[bytes], trusted: Sequence[str], stricter: str = "token"
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of the newest mails: what is wrong with the trusted servers, and what is worth knowing, in plain words.
    `stricter` is the need that would do without them, where it is not set already."""
    if not raws:
        return (), ("No mail has come yet, so what the mail server says of senders is not known.",)
    wanted = {name.casefold() for name in trusted}
    heads = [read_head(raw).headers for raw in raws]
    spoken = sum(any(True for _ in topmost(head, wanted)) for head in heads)
    (name, count), *_ = Counter(map(_on_top, heads)).most_common(1)
    word = f"a word of {' or '.join(trusted)} on who sent it"
    if spoken:
        return (), (f"Of the newest {len(raws)} mails {spoken} came with {word}.",)
    if trusted:
        why = {
            "": "there are no Authentication-Results at all.",
            _UNREADABLE: "what stands on top does not keep to the grammar of RFC 8601.",
        }.get(name, f"what stands on top is a word of {name}: name that server, if it is yours.")
        fault = f"Of the newest {len(raws)} mails none came with {word}: {why}"
        instead = f', or write need = "{stricter}" under [senders]' if stricter else ""
        return (f"{fault} Mend trusted_authserv under [mailbox]{instead}.",), ()
    if name in ("", _UNREADABLE):
        instead = f'; need = "{stricter}" under [senders] does without' if stricter else ""
        return (), (f"The mail server says nothing of senders that could count{instead}.",)
    line = f'trusted_authserv = ["{name}"]'
    return (), (
        f"On {count} of the newest {len(raws)} mails {name} says who sent it. If that is your own mail server, {line} "
        "under [mailbox] lets it count.",
    )


def unproved(raws: Sequence[bytes], trusted: tuple[str, ...], takes: Collection[str]) -> tuple[str, ...]:
    """Why of the newest mails some prove nothing though they are signed, or were found good, in plain words."""
    causes: Counter[str] = Counter()
    for mail in map(read_head, raws):
        said = weigh(mail, trusted, takes)
        if mail.sender is None or said.kind != "none":
            continue
        domain = domain_of(mail.sender.address)
        made = [one for one in signatures_on(mail, takes) if aligned(one.signer, domain)]
        if made and all(one.lacks for one in made):
            causes[f"{made[0].signer} {made[0].lacks}"] += 1
        elif _BY_THE_WAY in said.detail:
            why = "though the mail is signed" if made else f"since {domain} does not sign"
            causes[f"{said.detail}, {why}"] += 1
    alias = " If that is an address of this mailbox, add it to also under [offices]."
    return tuple(
        f"{count} of the newest {len(raws)} mails proved nothing: {cause}. Who sends such a mail is asked."
        + (alias if OF_OTHERS in cause else "")
        for cause, count in causes.most_common(5)
    )


def _on_top(headers: Headers) -> str:
    """The server that a mail's topmost field is of; '' where it has none."""
    value = headers.first("authentication-results")
    read = read_results(value) if value is not None else None
    return read.server if read else _UNREADABLE if value is not None else ""
