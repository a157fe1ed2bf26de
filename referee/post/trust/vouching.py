"""Whether the mail server says who sent a mail, seen from the mails it has brought so far. For `doctor`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from referee.post.reading.parsing import read_headers
from referee.post.trust.authentication import read_results, topmost

_UNREADABLE = "\x00"  # no server's name


def vouching(raws: Sequence[bytes], trusted: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of the newest mails: what is wrong with the trusted servers, and what is worth knowing, in plain words."""
    if not raws:
        return (), ("No mail has come yet, so what the mail server says of senders is not known.",)
    wanted = {name.casefold() for name in trusted}
    spoken = sum(any(True for _ in topmost(read_headers(raw), wanted)) for raw in raws)
    (name, count), *_ = Counter(_on_top(raws)).most_common(1)
    word = f"a word of {' or '.join(trusted)} on who sent it"
    if spoken:
        return (), (f"Of the newest {len(raws)} mails {spoken} came with {word}.",)
    if trusted:
        why = {
            "": "there are no Authentication-Results at all.",
            _UNREADABLE: "what stands on top does not keep to the grammar of RFC 8601.",
        }.get(name, f"what stands on top is a word of {name}: name that server, if it is yours.")
        fault = f"Of the newest {len(raws)} mails none came with {word}: {why}"
        return (f"{fault} Mend trusted_authserv under [mailbox], or set dkim = true under [senders].",), ()
    if name in ("", _UNREADABLE):
        return (), (
            "The mail server says nothing of senders that could count; dkim = true under [senders] could.",
        )
    line = f'trusted_authserv = ["{name}"]'
    return (), (
        f"On {count} of the newest {len(raws)} mails {name} says who sent it. If that is your own mail server, {line} "
        "under [mailbox] lets it count.",
    )


def _on_top(raws: Iterable[bytes]) -> Iterable[str]:
    """The server that each mail's topmost field is of; '' where it has none."""
    for raw in raws:
        values = read_headers(raw).every("authentication-results")
        read = read_results(values[0]) if values else None
        yield read.server if read else _UNREADABLE if values else ""
