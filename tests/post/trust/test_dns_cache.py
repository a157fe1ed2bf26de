"""The DNS is asked once for a name, and left alone while it is silent."""

from __future__ import annotations

import dkim
import pytest

from referee.post.servers import BackOff
from referee.post.trust.dkim import DnsCache


class Dns:
    """A resolver that knows one name, or is silent; it counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.silent = False

    def __call__(self, name: bytes, timeout: float = 5) -> bytes | None:
        self.asked.append(name)
        if self.silent:
            raise dkim.DnsTimeoutError("no answer")
        return b"v=DKIM1" if name == b"a." else None


def test_a_name_is_asked_for_once_also_where_nothing_is_kept_there() -> None:
    dns = Dns()
    directory = DnsCache(dns)
    assert [directory(name) for name in (b"a.", b"b.", b"a.", b"b.")] == [b"v=DKIM1", None] * 2
    assert dns.asked == [b"a.", b"b."]


def test_a_silent_resolver_is_left_alone_and_asked_again_later() -> None:
    dns = Dns()
    dns.silent = True
    directory = DnsCache(dns, BackOff(first=0.05))
    for name in (b"a.", b"b.", b"c.", b"d."):
        with pytest.raises(dkim.DnsTimeoutError):
            directory(name)
    assert dns.asked == [b"a.", b"b."], "two silences are enough"
    dns.silent = False
    while directory.back_off.left():
        pass
    assert directory(b"a.") == b"v=DKIM1", "a silence is not remembered as an answer"
