"""A text attachment as the form. Where words stand beside it, whether those hold orders, so that they alone count, only
the game can tell: the offices ask it (`Registry.as_meant`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from referee.core.complaint import Line
from referee.post.reading.body import LARGEST_FORM, Body
from referee.post.reading.leaf import Leaf
from referee.post.reading.quoting import LeftOut, Words, own_words

_KEYED = re.compile(r"\W*[^\W\d_][\w ]{0,40}[:=]")


def with_attached(body: Body, words: Words) -> Words:
    """The words, and below them the first text attachment that holds a form; any that says anything where they say
    nothing."""
    said = () if words.signed_only else words.own
    for leaf in body.forms:
        if len(leaf.payload) > LARGEST_FORM:
            continue
        rows, fault = leaf.read
        attached = own_words(rows)
        if attached.own and (not said or any(_KEYED.match(line.text) for line in attached.own)):
            body.faults.extend([fault] if fault else [])
            return _joined(body, leaf, _unsigned(words), attached)
    return words


def _unsigned(words: Words) -> Words:
    """The words, without a signature that stood for them."""
    if not words.signed_only:
        return words
    lines = sum(1 for line in words.own if line.text.strip())
    signature = (LeftOut("signature", lines),) if lines else ()
    return replace(words, own=(), left_out=words.left_out + signature)


def _joined(body: Body, leaf: Leaf, words: Words, attached: Words) -> Words:
    taken = f"attachment {leaf.name}" if leaf.name else f"attachment ({leaf.kind})"
    body.left_out[:] = [one for one in body.left_out if one.what != taken]
    own = _below(words.own, attached.own)
    return Words(
        own=own,
        quoted=words.quoted + attached.quoted,
        left_out=words.left_out + attached.left_out,
        attached=(own[len(words.own) :], taken) if words.own else None,
    )


def _below(first: Sequence[Line], second: Sequence[Line]) -> tuple[Line, ...]:
    """One after the other; the second's numbers go on from the first's."""
    last = first[-1].number if first else 0
    return (*first, *(Line(line.number + last, line.text) for line in second))
