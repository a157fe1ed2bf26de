"""How mail programs answer a letter: where the writer's words stand, how the letter is quoted below or above them, what
the program itself puts in. Each takes the writer's words, with places for parts of the quote, and fills a mail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from html import escape

from tests.attacks.coming_back import as_text
from tests.way.test_answers_inside_the_quote import HEADS, INTRODUCTIONS
from tests.world import Sent

# In the writer's words: the letter's quote; its lines before, and from, the last one that begins so; the whole with
# that line filled in.
_PLACE = re.compile(
    r"\{quote(?: (?P<part>above|below|with) (?P<line>[^{}\n]*?)(?: => (?P<given>[^{}\n]*))?)?\}"
)


@dataclass(frozen=True)
class Quoted:
    """A letter as it is quoted: its text and the body of its page."""

    text: str
    page: str

    @classmethod
    def of(cls, letter: Sent) -> Quoted:
        part = letter.message.get_body(("html",))
        page = str(part.get_content()).partition("<body>")[2].partition("</body>")[0] if part else ""
        return cls(letter.text, page or f"<pre>{escape(letter.text)}</pre>")

    def cut(self, place: re.Match[str]) -> Quoted:
        """What a place asks for."""
        part, line, given = place["part"], place["line"] or "", place["given"]
        if part is None:
            return self
        if part == "with":
            return Quoted(_with(self.text, line, given or ""), _with(self.page, line, escape(given or "")))
        return Quoted(_half(self.text, line, part), f"<pre>{escape(_half(self.text, line, part))}</pre>")


def _with(text: str, line: str, given: str) -> str:
    """The text with what stands in its last line that begins so exchanged."""
    starts = [found.start() for found in re.finditer(rf"(?m)(?<![^\n>]){re.escape(line)}", text)]
    if not starts:
        return f"{text}\n{given}"
    end = re.compile(r"\n|<|$").search(text, starts[-1] + len(line))
    return text[: starts[-1]] + given + text[end.start() if end else len(text) :]


def _half(text: str, line: str, part: str) -> str:
    above, found, below = text.rpartition(f"\n{line}")
    if not found:
        return text if part == "above" else ""
    return above if part == "above" else f"{line}{below}"


@dataclass(frozen=True)
class Words:
    """What the writer has typed, and where the letter stands in it."""

    text: str
    quoted: Quoted
    language: str = "english"

    def parts(self) -> list[str | Quoted]:
        """Words and quotes in their order; a writer who says nothing of the quote has it below."""
        found: list[str | Quoted] = []
        end = 0
        for place in _PLACE.finditer(self.text):
            found += [self.text[end : place.start()].strip("\n"), self.quoted.cut(place)]
            end = place.end()
        found.append(self.text[end:].strip("\n"))
        if end == 0:
            found.append(self.quoted)
        return [part for part in found if part]

    @property
    def own(self) -> str:
        """The words without any quote."""
        return _PLACE.sub("", self.text).strip("\n")


Program = Callable[[EmailMessage, Words], None]


def _marked(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.strip("\n").splitlines())


def _in_text(words: Words, introduction: str, mark: Callable[[str], str] = _marked, foot: str = "") -> str:
    """Words and marked quotes, the introduction above the first of these."""
    said: list[str] = []
    for part in words.parts():
        if isinstance(part, str):
            said.append(part)
            continue
        lead = f"{introduction}\n\n" if introduction else ""
        said.append(f"{foot}{lead}{mark(part.text)}")
        introduction = foot = ""
    return "\n\n".join(said) + "\n"


def _in_page(words: Words, frame: str, line: str = "<div>{}</div>") -> str:
    """Words in lines of HTML, quotes in the program's frame."""
    said: list[str] = []
    for part in words.parts():
        if isinstance(part, Quoted):
            said.append(frame.format(part.page))
        else:
            said += [line.format(escape(row) or "<br>") for row in part.splitlines()]
    return "".join(said)


def _gmail(mail: EmailMessage, words: Words) -> None:
    introduction = INTRODUCTIONS[words.language]
    mail.set_content(_in_text(words, introduction))
    frame = (
        '<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        + escape(introduction)
        + "<br></div>"
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);'
        'padding-left:1ex">{}</blockquote></div>'
    )
    mail.add_alternative(f'<div dir="ltr">{_in_page(words, frame)}</div>', subtype="html")


def _heads(language: str) -> list[tuple[str, str]]:
    values = (
        "Referee <collector@referee.localhost>",
        "Sunday, March 1, 2026 1:05 PM",
        "Ann Archer",
        "Go: Move",
    )
    return list(zip(HEADS[language], values, strict=True))


def _outlook(mail: EmailMessage, words: Words) -> None:
    """The desktop program: no marks, a block of header fields above the letter."""
    head = "\n".join(f"{name}: {value}" for name, value in _heads(words.language))
    mail.set_content(_in_text(words, head, lambda text: text))
    rows = "<br>".join(f"<b>{name}:</b> {escape(value)}" for name, value in _heads(words.language))
    frame = (
        '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">'
        + rows + "<o:p></o:p></p></div>{}"
    )  # fmt: skip
    page = _in_page(words, frame, '<p class="MsoNormal">{}<o:p></o:p></p>')
    mail.add_alternative(f'<html><body><div class="WordSection1">{page}</div></body></html>', subtype="html")


def _outlook_web(mail: EmailMessage, words: Words) -> None:
    rows = "<br>".join(f"<b>{name}:</b> {escape(value)}" for name, value in _heads(words.language))
    frame = (
        '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
        '<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif">'
        + rows
        + "</font></div><div>{}</div>"
    )
    line = '<div style="font-family: Aptos, Calibri, sans-serif; font-size: 12pt;" class="elementToProof">{}</div>'
    mail.set_content(_in_page(words, frame, line), subtype="html")


def _apple(mail: EmailMessage, words: Words) -> None:
    introduction = "On 1. Mar 2026, at 13:05, Referee <collector@referee.localhost> wrote:"
    mail.set_content(_in_text(words, introduction))
    frame = (
        '<div><br><blockquote type="cite"><div>'
        + escape(introduction)
        + "</div><br><div>{}</div></blockquote></div>"
    )
    mail.add_alternative(f"<html><body>{_in_page(words, frame)}</body></html>", subtype="html")


def _thunderbird(mail: EmailMessage, words: Words) -> None:
    """Plain text; the letter's HTML turned to text, marked."""
    introductions = {
        "german": "Am 01.03.26 um 13:05 schrieb Referee:",
        "french": "Le 01/03/2026 à 13:05, Referee a écrit :",
    }
    introduction = introductions.get(words.language, "On 01/03/2026 13:05, Referee wrote:")
    mail.set_content(_in_text(words, introduction))


def _ios(mail: EmailMessage, words: Words) -> None:
    signs = {
        "german": "Von meinem iPhone gesendet", "french": "Envoyé de mon iPhone", "spanish": "Enviado desde mi iPhone",
        "italian": "Inviato da iPhone", "dutch": "Verstuurd vanaf mijn iPhone", "portuguese": "Enviado do meu iPhone",
        "polish": "Wysłane z iPhone’a", "swedish": "Skickat från min iPhone",
    }  # fmt: skip
    introduction = "On 1 Mar 2026, at 13:05, Referee <collector@referee.localhost> wrote:"
    foot = f"{signs.get(words.language, 'Sent from my iPhone')}\n\n"
    mark = lambda text: "> \n" + _marked(text)  # noqa: E731
    mail.set_content(_in_text(words, f"> {introduction}", mark, foot))


def _k9(mail: EmailMessage, words: Words) -> None:
    """Android: the program's own signature stands between the words and the quote."""
    said = {
        "german": (
            "Am 1. März 2026 13:05:00 MEZ schrieb Referee <collector@referee.localhost>:",
            "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
        )
    }
    introduction, sign = said.get(
        words.language,
        (
            "On 1 March 2026 13:05:00 CET, Referee <collector@referee.localhost> wrote:",
            "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
        ),
    )
    mark = lambda text: "\n".join(f">{line}" for line in text.strip("\n").splitlines())  # noqa: E731
    mail.set_content(_in_text(words, introduction, mark, f"-- \n{sign}\n\n"))


def _gmx(mail: EmailMessage, words: Words) -> None:
    """GMX in the browser; Yahoo, its neighbour, is but another name of the boxes."""
    von, am, an, betreff = (name for name, _ in _heads("german" if words.language == "german" else "english"))
    frame = (
        '<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;">'
        f"<div><b>{am}:</b>&nbsp;Sonntag, 01. März 2026 um 13:05 Uhr<br><b>{von}:</b>&nbsp;Referee<br><b>{an}:</b>"
        f'&nbsp;Ann Archer<br><b>{betreff}:</b>&nbsp;Go: Move</div><div name="quoted-content">'
        + "{}</div></div>"
    )
    page = _in_page(words, frame)
    mail.set_content(
        f'<html><head></head><body><div style="font-family: Verdana;">{page}</div></body></html>',
        subtype="html",
    )


def _yahoo(mail: EmailMessage, words: Words) -> None:
    frame = (
        '<div id="yahoo_quoted_4711" class="yahoo_quoted"><div style="font-family:sans-serif;font-size:13px;"><div>On '
        "Sunday, March 1, 2026 at 01:05:00 PM GMT+1, Referee &lt;collector@referee.localhost&gt; wrote: </div><div><br>"
        "</div><div>{}</div></div></div>"
    )
    mail.set_content(
        _in_text(words, "On Sunday, March 1, 2026 at 01:05:00 PM GMT+1, Referee wrote:", lambda text: text)
    )
    mail.add_alternative(f'<div class="ydp1-yahoo-style-wrap">{_in_page(words, frame)}</div>', subtype="html")


def _fairemail(mail: EmailMessage, words: Words) -> None:
    """Android: both parts, the quote below a line, its own sign below that."""
    introduction = "Mar 1, 2026, 1:05:00 PM Referee <collector@referee.localhost>:"
    mail.set_content(_in_text(words, introduction))
    frame = (
        f'<p><br></p><div fairemail="reply">{escape(introduction)}<br><blockquote '
        'style="margin:0;border-left:3px solid #ccc;padding-left:3px">{}</blockquote></div>'
    )
    mail.add_alternative(
        f'<html><body><div fairemail="body">{_in_page(words, frame)}</div></body></html>', subtype="html"
    )


def _proton(mail: EmailMessage, words: Words) -> None:
    introduction = "On Sunday, March 1st, 2026 at 1:05 PM, Referee <collector@referee.localhost> wrote:"
    mail.set_content(
        _in_text(
            words, introduction, foot="Sent with [Proton Mail](https://proton.me/mail/home) secure email.\n\n"
        )
    )


def _roundcube(mail: EmailMessage, words: Words) -> None:
    """In the browser of many a provider: plain text, the words below the quote."""
    mail.set_content(f"On 2026-03-01 13:05, Referee wrote:\n{_marked(words.quoted.text)}\n\n{words.own}\n")


def _mutt(mail: EmailMessage, words: Words) -> None:
    """Words between the marked lines, and a signature."""
    introduction = "On Sun, Mar 01, 2026 at 01:05:00PM +0100, Referee wrote:"
    mail.set_content(f"{_in_text(words, introduction)}\n-- \nAnn Archer\nhttps://archery.example\n")


def _samsung(mail: EmailMessage, words: Words) -> None:
    """Android's own: no marks, heads above the letter, its sign above these."""
    head = (
        "Sent from my Galaxy\n\n\n-------- Original message --------\nFrom: Referee <collector@referee.localhost>\n"
        "Date: 01/03/2026 13:05 (GMT+01:00)\nTo: ann@example.org\nSubject: Go: Move"
    )
    mail.set_content(_in_text(words, head, lambda text: text))


def _none(mail: EmailMessage, words: Words) -> None:
    """Whoever deletes the quote, and programs that quote nothing."""
    mail.set_content(f"{words.own}\n")


def _gmail_reaction(mail: EmailMessage, words: Words) -> None:
    """A tap on an emoji in Gmail: a mail with a part of its own, words for other programs, and the quote."""
    emoji = words.own.strip()
    page = f'<div><p style="font-size:50px">{emoji}</p><p>Ann Archer reacted via Gmail</p></div>'
    mail.set_content(
        f"{emoji}\n\nAnn Archer reacted via Gmail\n<https://www.google.com/gmail/about/?utm_source=gmail-in-product>\n"
    )
    mail.add_alternative(json.dumps({"version": 1, "emoji": emoji}), subtype="x")
    payload = list(mail.iter_parts())[-1]
    payload.replace_header("Content-Type", "text/vnd.google.email-reaction+json; charset=utf-8")
    quote = f'<div class="gmail_quote"><blockquote class="gmail_quote">{words.quoted.page}</blockquote></div>'
    mail.add_alternative(f"{page}<br>{quote}", subtype="html")


def _outlook_reaction(mail: EmailMessage, words: Words) -> None:
    """A reaction in Outlook, as those get it whose server knows none."""
    emoji = words.own.strip()
    said = f"{emoji}\u2002Ann Archer reacted to your message:"
    mail["x-ms-reactions"] = "allow"
    text = as_text(words.quoted.page)
    head = "\n".join(f"{name}: {value}" for name, value in _heads("english"))
    mail.set_content(f"{said}\n________________________________\n{head}\n\n{text}\n")


def _apple_reaction(mail: EmailMessage, words: Words) -> None:
    """A tapback that was sent on as words: "Liked", and the first words of what was liked."""
    first = next(line for line in words.quoted.text.splitlines() if line.strip())
    mail.set_content(f"{words.own.strip()} “{first}”\n")


PROGRAMS: dict[str, Program] = {
    "gmail": _gmail,
    "outlook": _outlook,
    "outlook-web": _outlook_web,
    "apple": _apple,
    "thunderbird": _thunderbird,
    "ios": _ios,
    "k9": _k9,
    "gmx": _gmx,
    "yahoo": _yahoo,
    "fairemail": _fairemail,
    "proton": _proton,
    "roundcube": _roundcube,
    "mutt": _mutt,
    "samsung": _samsung,
    "none": _none,
    "gmail-reaction": _gmail_reaction,
    "outlook-reaction": _outlook_reaction,
    "apple-reaction": _apple_reaction,
}
