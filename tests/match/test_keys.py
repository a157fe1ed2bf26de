"""What the referee derives from its secret is the HMAC-SHA256 that everybody knows."""

import hashlib
import hmac
import random

import pytest

from referee.match.chain import Keys


@pytest.mark.parametrize("length", [1, 16, 32, 63, 64, 65, 200])
def test_what_is_derived_is_an_hmac(length: int) -> None:
    drawn = random.Random(length)
    keys = Keys(drawn.randbytes(length))
    for size in (0, 1, 55, 64, 500):
        parts = [drawn.choice("aé\x1f\n") * size, "other"]
        message = "\x1f".join(("letter", *(part.replace("\x1f", "\x1f\x1f") for part in parts)))
        known = hmac.new(keys.secret, message.encode(), hashlib.sha256).hexdigest()
        assert [keys.derive("letter", *parts) for _ in range(2)] == [known, known]
