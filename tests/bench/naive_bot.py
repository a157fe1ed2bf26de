"""A play-by-mail bot as an able programmer writes it in an afternoon, for the benches to compare the referee with.

The email package's default policy, an ORM session a mail, Jinja, EmailMessage, a board drawn by Pillow once a mail,
calendar entries by icalendar, one commit for the mail, the position and all letters, a folder for letters to leave by.
It judges by the game's own rules, so that what is compared is the paper-work alone. It does all that the letters
promise and nothing more: no deadlines, sealed rounds, rewinds, records or trust in senders; one answer a mail, which
counts at once. Its letters say less than the referee's: no table of the game's facts, no words on how to answer.
"""

from __future__ import annotations

import mailbox
import pickle
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import make_msgid
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

from icalendar import Alarm, Calendar, Event, vCalAddress
from jinja2 import DictLoader, Environment
from PIL import Image, ImageDraw, ImageFont
from sqlalchemy import ForeignKey, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship

from referee.core import seam
from referee.core.answers import Body, Party
from referee.core.diagram import Diagram
from referee.core.game import AnyGame, Demand
from referee.core.seam import Standing

SUBJECT = re.compile(r"(?P<game>[^:]+): (?P<heading>[^/]+?) / Player (?P<seat>\d+) \[(?P<match>[^\]]+)\]")
BOARD_SIZE = 574  # pixels, as the referee's own boards of 19 lines have
SHADES = {
    "black": "#222222", "white": "#ffffff", "red": "#c62f24", "blue": "#0863a8", "green": "#0a7d5a",
    "yellow": "#f4dd3c", "purple": "#7c0043", "orange": "#ee9125", "grey": "#999999", "none": "#f1dcae",
}  # fmt: skip
STYLE = (Path(__file__).parents[2] / "templates/letter.css").read_text(encoding="utf-8")

PAGES = {
    "receipt.txt": """Hello {{ to.name }},

Your mail arrived on {{ at.strftime("%A %d %B %Y, %H:%M UTC") }} and counts as your {{ demand.kind | lower }}
({{ label }}). I read it so:

{{ said }}

{% include "announcement.txt" %}
""",
    "announcement.txt": """{% for party, owed in next %}Next comes the {{ owed.kind | lower }} ({{ new_label }}) from \
{{ party.name }} (Player {{ party.number }}), due by {{ due_at.strftime("%A %d %B %Y, %H:%M UTC") }}.
{% endfor %}

{{ board }}

{% include "happened.txt" %}

Public position {{ number }} of {{ match }}.

Referee
""",
    "happened.txt": """What happened
-------------

{% for each in moves %}{{ each.who }}{% if to.number == each.seat %} - that is you -{% endif %} has answered \
{{ each.label }}:

{{ each.said }}

{% endfor %}""",
    "due.txt": """Hello {{ to.name }},

It is your {{ owed.kind | lower }} ({{ new_label }}), due by {{ due_at.strftime("%A %d %B %Y, %H:%M UTC") }}.

{{ board }}

{% include "happened.txt" %}

Fill in this form and send it back:

{{ form }}

Public position {{ number }} of {{ match }}.

Referee
""",
    "refusal.txt": """Hello {{ to.name }},

Your mail does not count as your {{ demand.kind | lower }}:
{% for fault in faults %}
- {{ fault.code }}{% endfor %}

Referee
""",
    "page.html": """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title><style>{{ style }}</style></head>
<body>{% block page %}{% endblock %}<p>Referee</p></body></html>
""",
    "picture.html": """<p><img src="cid:board" alt="{{ spoken }}" style="max-width:100%"></p>
<p class="key">{% for sign, name in legend %}<b>{{ sign }}</b> {{ name }} &middot; {% endfor %}</p>
""",
    "receipt.html": """{% extends "page.html" %}{% block page %}<p>Hello {{ to.name }},</p>
<p>Your mail arrived on {{ at.strftime("%A %d %B %Y, %H:%M UTC") }} and counts as your {{ demand.kind | lower }}
({{ label }}). I read it so:</p><pre>{{ said }}</pre>{% include "public.html" %}{% endblock %}
""",
    "announcement.html": """{% extends "page.html" %}{% block page %}{% include "public.html" %}{% endblock %}
""",
    "public.html": """{% for party, owed in next %}<p>Next comes the {{ owed.kind | lower }} ({{ new_label }})
from {{ party.name }} (Player {{ party.number }}),
due by {{ due_at.strftime("%A %d %B %Y, %H:%M UTC") }}.</p>{% endfor %}
{% include "picture.html" %}{% include "happened.html" %}
<p>Public position {{ number }} of {{ match }}.</p>
""",
    "happened.html": """<h2>What happened</h2>
{% for each in moves %}<p>{{ each.who }}{% if to.number == each.seat %} - that is you -{% endif %} has answered
{{ each.label }}:</p><pre>{{ each.said }}</pre>{% endfor %}
""",
    "due.html": """{% extends "page.html" %}{% block page %}<p>Hello {{ to.name }},</p>
<p>It is your {{ owed.kind | lower }} ({{ new_label }}),
due by {{ due_at.strftime("%A %d %B %Y, %H:%M UTC") }}.</p>{% include "picture.html" %}{% include "happened.html" %}
<p>Fill in this form and send it back:</p><pre class="form">{{ form }}</pre>
<p>Public position {{ number }} of {{ match }}.</p>{% endblock %}
""",
    "refusal.html": """{% extends "page.html" %}{% block page %}<p>Hello {{ to.name }},</p>
<p>Your mail does not count as your {{ demand.kind | lower }}:</p>
<ul>{% for fault in faults %}<li>{{ fault.code }}</li>{% endfor %}</ul>{% endblock %}
""",
}


class Base(DeclarativeBase):
    pass


class Match(Base):
    __tablename__ = "matches"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    state: Mapped[bytes]
    moves: Mapped[int] = mapped_column(default=0)
    players: Mapped[list[Player]] = relationship(back_populates="match", order_by="Player.seat")


class Player(Base):
    __tablename__ = "players"
    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    match: Mapped[Match] = relationship(back_populates="players")
    seat: Mapped[int]
    name: Mapped[str]
    address: Mapped[str]
    last_letter: Mapped[str | None]
    told: Mapped[int] = mapped_column(default=0)  # how many moves they have read of

    def party(self) -> Party:
        return Party(self.name, self.seat, (self.address,))


class Mail(Base):
    __tablename__ = "mails"
    id: Mapped[int] = mapped_column(primary_key=True)
    message_id: Mapped[str] = mapped_column(unique=True)
    raw: Mapped[bytes]
    verdict: Mapped[str]


class Move(Base):
    __tablename__ = "moves"
    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    seat: Mapped[int]
    who: Mapped[str]
    label: Mapped[str]
    said: Mapped[str]


class Letter(Base):
    __tablename__ = "letters"
    id: Mapped[int] = mapped_column(primary_key=True)
    message_id: Mapped[str]
    recipient: Mapped[str]
    raw: Mapped[bytes]
    sent: Mapped[bool] = mapped_column(default=False, index=True)


class NaiveBot:
    """One game's bot. `folder` gets `in` and `out`, two Maildirs, and the database."""

    def __init__(self, game: AnyGame, folder: Path) -> None:
        self.game = game
        self.inbox = mailbox.Maildir(folder / "in")
        self.outbox = mailbox.Maildir(folder / "out")
        self.new_mails = folder / "in/new"
        self.engine = create_engine(f"sqlite:///{folder / 'bot.db'}")
        Base.metadata.create_all(self.engine)
        self.pages = Environment(loader=DictLoader(PAGES), autoescape=lambda name: str(name).endswith("html"))

    def open(self, name: str, state: Any, people: Mapping[int, tuple[str, str]]) -> None:
        """A match that stands so, with name and address by seat."""
        with Session(self.engine) as session:
            players = [Player(seat=seat, name=who, address=at) for seat, (who, at) in people.items()]
            session.add(Match(name=name, state=pickle.dumps(state), players=players))
            session.commit()

    def position(self, name: str) -> Any:
        """The match's state."""
        with Session(self.engine) as session:
            match = session.scalars(select(Match).where(Match.name == name)).one()
            return pickle.loads(match.state)

    def receive(self, at: datetime) -> int:
        """Judge every mail that has come in, a commit each; how many counted."""
        counted = 0
        for path in sorted(self.new_mails.iterdir()):
            with Session(self.engine) as session:
                counted += self.judge(session, path.read_bytes(), at)
                session.commit()
            path.rename(path.parent.parent / "cur" / f"{path.name}:2,S")
        return counted

    def send(self) -> int:
        """Let every waiting letter leave; how many did."""
        with Session(self.engine) as session:
            waiting = session.scalars(select(Letter).where(Letter.sent.is_(False)).order_by(Letter.id)).all()
            for letter in waiting:
                self.outbox.add(letter.raw)
                letter.sent = True
            session.commit()
            return len(waiting)

    def judge(self, session: Session, raw: bytes, at: datetime) -> bool:
        mail = message_from_bytes(raw, policy=default)
        if session.scalars(select(Mail).where(Mail.message_id == mail["Message-ID"])).first():
            return False
        kept = Mail(message_id=mail["Message-ID"], raw=raw, verdict="ignored")
        session.add(kept)
        said = SUBJECT.search(mail["Subject"])
        text = mail.get_body(("plain",))
        if said is None or text is None:
            return False
        match = session.scalars(select(Match).where(Match.name == said["match"])).first()
        sender = mail["From"].addresses[0].addr_spec.casefold()
        player = next((p for p in match.players if p.address == sender), None) if match is not None else None
        if match is None or player is None or player.seat != int(said["seat"]):
            return False
        state = pickle.loads(match.state)
        body = Body.of(text.get_content())
        demand = Standing(self.game, state).aimed(player.seat, said["heading"], body)
        reading = seam.read(self.game, state, demand, body, player.party())
        faults = (*reading.complaints, *Standing(self.game, state).faults(demand, reading))
        if faults or reading.action is None:
            kept.verdict = "refused"
            facts = {"to": player.party(), "demand": demand, "faults": faults}
            self.letter(session, player, "refusal", f"Re: {mail['Subject']}", at, facts, mail["Message-ID"])
            return False
        kept.verdict = "accepted"
        label = next(owed.label for owed in self.game.due(state) if demand in owed.demands)
        words = seam.write(self.game, state, demand, reading.action)
        for event in seam.resolve(self.game, state, {demand: reading.action}):
            state = self.game.evolve(state, event)
        match.state = pickle.dumps(state)
        match.moves += 1
        who = f"{player.name} (Player {player.seat})"
        session.add(Move(match_id=match.id, seat=player.seat, who=who, label=label, said=words))
        self.tell(session, match, player, state, demand, label, words, at, mail)
        return True

    def tell(
        self, session: Session, match: Match, mover: Player, state: Any, demand: Demand, label: str, said: str,
        at: datetime, mail: EmailMessage,
    ) -> None:  # fmt: skip
        """What happened to everybody: with a receipt to the sender, with a form to whoever is next. Whoever
        comes behind that one reads of it then, with what has happened by then."""
        diagram = self.game.view(state, None).diagram
        assert diagram is not None
        rounds = self.game.due(state)
        seats = {player.seat: player for player in match.players}
        owed = [each for due in rounds for each in due.demands if each.seat in seats]
        facts = {
            "match": match.name, "number": match.moves, "demand": demand, "label": label,
            "said": said, "board": text_board(diagram), "spoken": " ".join(diagram.sentences),
            "legend": diagram.legend, "next": [(seats[each.seat].party(), each) for each in owed],
            "new_label": rounds[0].label if rounds else "", "at": at, "due_at": at + timedelta(days=7),
        }  # fmt: skip
        picture = png_board(diagram)
        asked = {each.seat: each for each in owed}
        moves = session.scalars(select(Move).where(Move.match_id == match.id).order_by(Move.id)).all()
        behind = {
            after.seat for one, after in pairwise([*match.players, *match.players]) if one.seat in asked
        }
        for player in match.players:
            if player.seat in behind - asked.keys() and player is not mover:
                continue
            kind, mine, answers, entry = "announcement", dict(facts), player.last_letter, None
            mine["moves"], player.told = moves[player.told :], len(moves)
            subject = f"[{match.name}] {self.game.titles[0]}: {label}"
            if (each := asked.get(player.seat)) is not None:
                kind, subject = "due", f"[{match.name}] {self.game.titles[0]}: {facts['new_label']}"
                form = seam.form(self.game, state, each, player.party()).text
                mine |= {"owed": each, "form": form}
                entry = calendar(
                    "PUBLISH", match.name, each, str(facts["new_label"]), at, at + timedelta(days=7)
                )
            elif player is mover:
                kind, subject, answers = "receipt", f"Re: {mail['Subject']}", mail["Message-ID"]
                entry = calendar("CANCEL", match.name, demand, label, at, at)
            shown = None if kind == "receipt" else picture
            self.letter(session, player, kind, subject, at, mine, answers, shown, entry)

    def letter(
        self, session: Session, player: Player, kind: str, subject: str, at: datetime, facts: Mapping[str, Any],
        answers: str | None, picture: bytes | None = None, entry: tuple[str, bytes] | None = None,
    ) -> None:  # fmt: skip
        given = {**facts, "to": player.party(), "title": subject, "style": STYLE}
        message = EmailMessage()
        message["From"] = Address("Referee", addr_spec="referee@referee.example")
        message["To"] = Address(player.name, addr_spec=player.address)
        message["Reply-To"] = "referee@referee.example"
        message["Subject"] = subject
        message["Date"] = at
        message["Message-ID"] = make_msgid(domain="referee.example")
        if answers:
            message["In-Reply-To"] = answers
            message["References"] = answers
        message["Auto-Submitted"] = "auto-generated"
        message["X-Referee-Notice"] = kind
        message["List-Id"] = f"<{player.match.name}.referee.example>"
        message.set_content(self.pages.get_template(f"{kind}.txt").render(given))
        message.add_alternative(self.pages.get_template(f"{kind}.html").render(given), subtype="html")
        if picture is not None:
            page = message.get_payload(1)
            assert isinstance(page, EmailMessage)
            page.add_related(
                picture, "image", "png", cid="<board>", filename="board.png", disposition="inline"
            )
        if entry is not None:
            method, file = entry
            message.add_attachment(
                file, "text", "calendar", params={"method": method}, filename="deadline.ics"
            )
        player.last_letter = message["Message-ID"]
        raw = message.as_bytes(policy=SMTP)
        session.add(Letter(message_id=message["Message-ID"], recipient=player.address, raw=raw))


def calendar(
    method: str, match: str, demand: Demand, label: str, written: datetime, due: datetime
) -> tuple[str, bytes]:
    """A deadline as an entry of a calendar, or that it is over."""
    made = Calendar()
    made.add("prodid", "-//naive bot//deadlines//EN")
    made.add("version", "2.0")
    made.add("method", method)
    event = Event()
    event.add("uid", f"{match}-{label}-{demand.seat}@referee.example".replace(" ", ""))
    event.add("sequence", int(written.timestamp()))
    event.add("dtstamp", written)
    event.add("dtstart", due)
    event.add("organizer", vCalAddress("mailto:referee@referee.example"))
    event.add("summary", f"{match}: {demand.kind} ({label})")
    event.add("description", f"Write to referee@referee.example about {label} of {match}.")
    event.add("status", "CANCELLED" if method == "CANCEL" else "CONFIRMED")
    if method == "PUBLISH":
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", f"{match}: {demand.kind} ({label})")
        alarm.add("trigger", timedelta(days=-1))
        event.add_component(alarm)
    made.add_component(event)
    return method, made.to_ical()


def text_board(diagram: Diagram) -> str:
    """The board in plain text, with its legend."""
    tokens = {token.square: token.text + token.owner for token in diagram.tokens}
    marked = {mark.square for mark in diagram.marks}
    head = "    " + "".join(f"{column:^5}" for column in diagram.columns)
    lines = [diagram.title, "", head]
    for row in diagram.rows:
        cells = []
        for column in diagram.columns:
            square = column + row
            sign = tokens.get(square, ".")
            cells.append(f"{f'[{sign}]' if square in marked else sign:^5}")
        lines.append(f"{row:>3} {''.join(cells)} {row}")
    return "\n".join([*lines, head, "", *(f"{sign:<4} {name}" for sign, name in diagram.legend)])


def png_board(diagram: Diagram) -> bytes:
    """The board as a picture."""
    step = BOARD_SIZE / (len(diagram.columns) + 1)
    image = Image.new("RGB", (BOARD_SIZE, BOARD_SIZE), SHADES["none"])
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(step * 0.45)
    across = {column: step * (i + 1) for i, column in enumerate(diagram.columns)}
    down = {row: step * (i + 1) for i, row in enumerate(diagram.rows)}
    first, last = step, BOARD_SIZE - step
    places = {column + row: (x, y) for column, x in across.items() for row, y in down.items()}
    for column, x in across.items():
        draw.line((x, first, x, last), "#555555")
        draw.text((x, step * 0.3), column, "#222222", font, "mm")
    for row, y in down.items():
        draw.line((first, y, last, y), "#555555")
        draw.text((step * 0.3, y), row, "#222222", font, "mm")
    half = step * 0.45
    for token in diagram.tokens:
        x, y = places[token.square]
        draw.ellipse((x - half, y - half, x + half, y + half), SHADES[token.colour], "#222222")
        ink = "#ffffff" if token.colour in ("black", "blue", "purple", "red") else "#222222"
        draw.text((x, y), token.text, ink, font, "mm")
    for mark in diagram.marks:
        x, y = places[mark.square]
        draw.rectangle((x - half, y - half, x + half, y + half), outline="#c40070", width=2)
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
