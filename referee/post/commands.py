"""What may be asked of an office in the subject alone."""

from __future__ import annotations

from collections.abc import Mapping

# What may be asked in a subject, by every name it has; True where words may follow.
COMMANDS: Mapping[str, tuple[str, bool]] = {
    "help": ("help", True),
    "?": ("help", False),
    "hilfe": ("help", False),
    "aide": ("help", False),
    "ayuda": ("help", False),
    "status": ("status", True),
    "games": ("games", False),
    "game list": ("games", False),
    "rules": ("rules", True),
    "rule": ("rules", True),
    "how to play": ("rules", True),
    "syntax": ("syntax", True),
    "notation": ("syntax", True),
    "pieces": ("pieces", True),
    "catalogue": ("pieces", True),
    "catalog": ("pieces", True),
    "record": ("record", True),
    "board": ("board", True),
    "position": ("board", True),
    "withdraw": ("withdraw", True),
    "resign": ("resign", True),
    "vacation": ("vacation", True),
    "holiday": ("vacation", True),
    "absence": ("vacation", True),
    "away": ("vacation", True),
    "timezone": ("timezone", True),
    "time zone": ("timezone", True),
    "format": ("format", True),
    "observe": ("observe", True),
    "watch": ("observe", True),
    "stop": ("stop", True),
    "unsubscribe": ("stop", True),
    "join": ("join", True),
    "press": ("press", True),
    "preview": ("preview", True),
    "digest": ("digest", True),
    "address": ("address", True),
    "add address": ("address", True),
    "phrase": ("phrase", True),
    "passphrase": ("phrase", True),
    "pass phrase": ("phrase", True),
    "key": ("key", True),
    "public key": ("key", True),
    "pgp key": ("key", True),
    "openpgp key": ("key", True),
    "renew": ("renew", True),
    "zone": ("timezone", True),
}


def read_command(text: str) -> tuple[str | None, str]:
    """The command a subject begins with and the words after it. Without a colon at most six words may follow, so
    that a sentence that happens to begin with one is no command."""
    lowered = text.lower()
    for name in sorted(COMMANDS, key=len, reverse=True):
        if not lowered.startswith(name):
            continue
        rest = text[len(name) :]
        if rest and (rest[0].isalnum() or rest[0] in "_-'"):
            continue
        command, takes = COMMANDS[name]
        marked = rest.lstrip().startswith((":", "/", ",", "-", "="))
        argument = rest.strip(" :/,-=.!")
        if not argument or (takes and (marked or len(argument.split()) <= 6)):
            return command, argument
    return None, ""
