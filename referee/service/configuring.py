"""The configuration as it is written: for a provider's mailbox, for several workers; and how far
one lets a forger go."""

import json
import re
from collections.abc import Iterator
from typing import Literal
from urllib.parse import quote

from referee.base import shipped
from referee.base.settings import Need, SendersSection, Settings
from referee.core.texts.bounded import BadData, read_toml
from referee.core.value import Value

NONE = "none"
_LADDER = ("address", "vouched", "token", "confirm")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")
_ADDRESS = re.compile(r"[^\s@<>,;:\"\\]+@[A-Za-z0-9.-]+")


class Provider(Value):
    """What `config/providers.toml` says of one."""

    name: str
    title: str
    mailbox: str
    courier: str
    trusted_authserv: tuple[str, ...]
    tokens: bool
    note: str

    def needs(self, what: Literal["HOST", "USER"]) -> bool:
        """Whether the name of the mail server, or of the mailbox's user, must be told."""
        return what in self.mailbox


def providers() -> dict[str, Provider]:
    """The providers known, by name. Raises BadFile."""
    try:
        table = read_toml(shipped.read("config", "providers.toml"))
        rows = {
            name: {**row, "trusted_authserv": tuple(row["trusted_authserv"])} for name, row in table.items()
        }
        return {name: Provider(name, **row) for name, row in rows.items()}
    except (BadData, KeyError, TypeError, AttributeError) as error:
        raise shipped.BadFile(f"config/providers.toml: {error}") from None


class NewMailbox(Value):
    """What whoever sets a referee up has said of its mailbox, "" where nothing: the provider's
    name, the user there, the mail server, the mailbox's own address, the moderator's."""

    provider: str = ""
    user: str = ""
    host: str = ""
    address: str = ""
    moderator: str = ""

    @property
    def found(self) -> Provider | None:
        """None: mails come by Maildir, for trying things out."""
        return providers().get(self.provider)

    @property
    def mailbox(self) -> str:
        """Its address, as far as it is known."""
        return self.address or (self.user if _ADDRESS.fullmatch(self.user) else "")

    def reaches(self, provider: Provider) -> bool:
        """Whether enough was said to reach the mailbox."""
        return bool(self.user or not provider.needs("USER")) and bool(self.host or not provider.needs("HOST"))

    def faults(self) -> tuple[str, ...]:
        """What can't be so, in plain words."""
        names = (*providers(), NONE)
        odd = (a for a in (self.address, self.moderator) if a and not _ADDRESS.fullmatch(a))
        wrong = [f"{address!r} is no mail address" for address in odd]
        if self.provider and self.provider not in names:
            wrong.append(f"there is no provider {self.provider!r}. There are: {', '.join(names)}")
        if self.host and not _HOST.fullmatch(self.host):
            wrong.append(f"{self.host!r} is no name of a mail server such as mx.example.org")
        return tuple(wrong)

    def left(self) -> Iterator[str]:
        """What is to be filled in by hand."""
        provider = self.found
        if provider is None:
            return
        note = f" {provider.note}" if provider.note else ""
        if not self.reaches(provider):
            yield (
                "[mailbox] url and [courier] url: your user name and mail server. The lines with # show how; each "
                "takes the place of the Maildir below it."
            )
        if provider.needs("USER"):
            keys = "[mailbox] and [courier] password_env, password_command or token_command"
            yield f"{keys}: how the referee logs in.{note}"
        if not self.mailbox:
            yield "[offices] speaker and collector: the mailbox's mail address."
        if not self.moderator:
            yield "[offices] moderator: your own mail address, where alarms go. The referee's will not do."

    def written(self, text: str) -> str:
        """The commented configuration: for a provider's mailbox a mail counts where it is vouched
        for, or answers a letter. Without a user (or a host that is needed) mails go on to come by
        Maildir, and how it would be stands in a comment."""
        lines = text.splitlines()
        if self.found is not None:
            _fill_in(lines, self, self.found)
        own = {"speaker": self.mailbox, "collector": self.mailbox, "moderator": self.moderator}
        for key, address in own.items():
            if address:
                _put(lines, f"{key} = ", f'{key} = "{address}"')
        return "\n".join(lines) + "\n"


def _fill_in(lines: list[str], asked: NewMailbox, provider: Provider) -> None:
    """What the provider supports."""
    trusted = [asked.host if name == "HOST" else name for name in provider.trusted_authserv]
    for box, pattern in (("in", provider.mailbox), ("out", provider.courier)):
        user, host = quote(asked.user, safe="") or "USER", asked.host or "HOST"
        line = f'url = "{pattern.replace("USER", user).replace("HOST", host)}"'
        if asked.reaches(provider):
            _put(lines, f'url = "maildir:mail/{box}"', line)
        else:
            lines.insert(_at(lines, f'url = "maildir:mail/{box}"'), f"# {line}")
    if trusted := [name for name in trusted if name]:
        _put(lines, "# trusted_authserv", f"trusted_authserv = {json.dumps(trusted)}")
    need = "vouched" if trusted else "token" if provider.tokens else "confirm"
    _put(lines, 'need = "address"', f'need = "{need}"')
    if not provider.tokens:
        _put(lines, "tokens = true", "tokens = false")
    lines[1:1] = [f"# For {provider.title}.", *([f"# {provider.note}"] if provider.note else [])]


def _at(lines: list[str], start: str) -> int:
    return next(number for number, line in enumerate(lines) if line.startswith(start))


def _put(lines: list[str], start: str, line: str) -> None:
    """In the place of the line that begins so, with its comment."""
    at = _at(lines, start)
    comment = re.search(r"\s+#.*$", lines[at].removeprefix("# "))
    lines[at] = f"{line}{comment[0] if comment else ''}"


_WORKERS = """\
# For several workers. Each machine has this file, and the same secret: copy the file that ends in .secret (it is made
# beside this one with the first command), or set REFEREE_SECRET to the same on each. A Maildir and [site] folder are
# read and written by the machine that has them; with IMAP and SMTP the machines need nothing in common but PostgreSQL:
#     createuser --pwprompt referee && createdb --owner referee --encoding UTF8 --template template0 referee
"""


def for_workers(text: str) -> str:
    """The configuration for several workers on one PostgreSQL."""
    lines, one_desk = text.splitlines(), "    # or sqlite:///FILE for one desk"
    database = 'url = "postgresql+psycopg://referee@localhost/referee"'
    lines[_at(lines, 'url = "sqlite:')] = f"{database}{one_desk}"
    at = _at(lines, 'kind = "inline"')
    lines[at] = lines[at].replace('"inline"       ', '"procrastinate"')
    return "\n".join([lines[0], *_WORKERS.splitlines(), *lines[1:]]) + "\n"


def forger(settings: Settings) -> Iterator[str]:
    """What the setting lets somebody do who writes a player's address into From, in plain words;
    then what is weighed in another way."""
    s = settings.senders
    said = _allowed(order_need(s), settings.mailbox.trusted_authserv, s.tokens)
    own = {
        "need under [senders]": "order under [senders] commands",
        'need = "vouched" under': 'order = "vouched" under',
    }
    for general, particular in own.items() if "order" in s.commands else ():
        said = said.replace(general, particular)
    yield said
    offices = {"speaker": s.speaker, "collector": s.collector, "moderator": s.moderator}
    apart = {f"mails to the {office}": need for office, need in offices.items() if need is not None}
    apart |= {f"`{command}`": need for command, need in s.commands.items()}
    for need in sorted({need for need in apart.values() if need != s.need}):
        yield f'Weighed by need = "{need}": {", ".join(what for what, own in apart.items() if own == need)}.'


def order_need(senders: SendersSection) -> Need:
    """What the least sure order to a game needs, by whichever office it comes."""
    return min((senders.needed(office, "order") for office in ("speaker", "collector")), key=_LADDER.index)


def _allowed(need: Need, servers: tuple[str, ...], tokens: bool) -> str:
    """What the general need comes to."""
    named, anybody = " or ".join(servers), "A forger of From can play for any player whose address he knows"
    asked, nobody = (
        "Any other mail is held, and the owner of the address is asked.",
        "A forger of From gets nothing",
    )
    if need == "address" and not servers:
        return (
            f'{anybody}: From is believed, and no mail server is trusted to deny it (need = "address"). Among friends '
            "that may do; otherwise set need under [senders]."
        )
    if need == "address":
        return (
            f'{anybody}, where {named} does not say that the mail is forged (need = "address"). With need = "vouched" '
            "under [senders] it would have to vouch for it."
        )
    if need == "vouched":
        reply = ", and one that replies to a letter of ours at its reply address" if tokens else ""
        return (
            f"{nobody}: a mail counts that {named} vouches for{reply}. One who has the same mail provider as the "
            f"player is held off by that provider alone. {asked}"
        )
    if need == "token" and tokens:
        return (
            f"{nobody} unless he has seen a letter to the player: only a mail counts that replies to one, at its reply "
            f'address (need = "token"). {asked}'
        )
    if need == "token":
        return f'{nobody}, but no mail counts by itself either (need = "token" without tokens is "confirm"). {asked}'
    return f"{nobody}: every mail is held, and the owner of the address is asked."
