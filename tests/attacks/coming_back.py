"""How letters come back: what mail programs make of a letter that somebody answers, forwards, pastes or attaches. Each
way takes the words above, the letter's text and its HTML, and gives a mail's body."""

import re
import textwrap
from collections.abc import Callable
from email.message import EmailMessage
from html import escape, unescape

from tests.way.test_answers_inside_the_quote import HTML, INTRODUCTIONS, QUOTINGS

Way = Callable[[EmailMessage, str, str, str], None]

PHONE = "On 1. Mar 2026, at 13:00, Referee wrote:"
ENGLISH, GERMAN = INTRODUCTIONS["english"], INTRODUCTIONS["german"]
HEAD = (
    "From: Referee <speaker@referee.localhost>\nSent: Sunday, March 1, 2026 1:00 PM\n"
    "To: Ann Archer <ann@example.org>\nSubject: A letter"
)  # fmt: skip
FURTHER_HTML = {
    "hotmail": '<html><body class="hmmessage"><div dir="ltr">{own}<br><br><div><hr id="stopSpelling">Date: Sun, 1 Mar'
    " 2026 13:00:00 +0000<br>Subject: A letter<br>From: speaker@referee.localhost<br>To: ann@example.org<br><br>{quote}"
    "</div></div></body></html>",
    "mail.ru": "<HTML><BODY><p>{own}</p><br>Sun, 1 Mar 2026 13:00:00 +0000 от Referee"
    ' &lt;speaker@referee.localhost&gt;:<br><blockquote style="border-left:1px solid #0857A6; margin:10px">{quote}'
    "</blockquote></BODY></HTML>",
    "yandex": '<p>{own}<br /><br />01.03.2026, 13:00, "Referee" &lt;speaker@referee.localhost&gt;:</p><blockquote>'
    "{quote}</blockquote>",
    "aol": "<font color='black' size='2'>{own}<br><br><div>-----Original Message-----<br>From: Referee"
    " &lt;speaker@referee.localhost&gt;<br>To: ann &lt;ann@example.org&gt;<br>Sent: Sun, Mar 1, 2026 1:00 pm<br>"
    'Subject: A letter<br><br><div id="AOLMsgPart_0">{quote}</div></div></font>',
    "windows mail": '<div><div>{own}</div><div style="border-top:1px solid"><b>Von:</b>&nbsp;Referee<br>'
    "<b>Gesendet:</b>&nbsp;Sonntag, 1. März 2026 13:00<br><b>An:</b>&nbsp;Ann<br></div><br>{quote}</div>",
    "without any mark": "<div>{own}</div><br><div>{quote}</div>",
}  # fmt: skip


def _plain(make: Callable[[str, str], str]) -> Way:
    def way(mail: EmailMessage, own: str, text: str, page: str) -> None:
        mail.set_content(make(own, text))

    return way


def _page(frame: str) -> Way:
    def way(mail: EmailMessage, own: str, text: str, page: str) -> None:
        mail.set_content(frame.format(own=escape(own).replace("\n", "<br>"), quote=page), subtype="html")

    return way


def _known(name: str) -> Way:
    """A way that filled-in forms come in."""

    def way(mail: EmailMessage, own: str, text: str, page: str) -> None:
        in_html = name.startswith("in HTML")
        body, as_page = QUOTINGS[name](escape(own) if in_html else own, text, page)
        mail.set_content(body, subtype="html" if as_page else "plain")

    return way


def _marked(text: str, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.splitlines())


def as_text(page: str) -> str:
    """What a program that quotes as plain text makes of the HTML: long lines, a sign for the picture, cells by tabs."""
    page = re.sub(r'<img [^>]*alt="([^"]*)"[^>]*>', r"[image: \1]", page)
    page = re.sub(r"</t[dh]>\s*<t[dh]>", "\t", page)
    page = re.sub(r"<li>", "   - ", page)
    page = re.sub(r"</?b>", "*", page)
    page = re.sub(r"<a href=\"([^\"]*)\">(.*?)</a>", r"\2 <\1>", page)
    page = re.sub(r"<[^>]*>", "", re.sub(r"</(p|h2|pre|tr|ul|table)>", "\n", page))
    return re.sub(r"\n{3,}", "\n\n", unescape(page)).strip()


def _rewrapped(text: str, width: int) -> str:
    """Every line wrapped anew, the rest of a long one on a line of its own."""
    lines = (textwrap.wrap(line, width, drop_whitespace=True) or [""] for line in text.splitlines())
    return "\n".join(part for parts in lines for part in parts)


def _badly_wrapped(text: str) -> str:
    """Marked, then wrapped: what does not fit stands on a line without a mark."""
    return _rewrapped(_marked(text), 66)


def _typographic(text: str) -> str:
    text = re.sub(r'"([^"\n]*)"', "\N{LEFT DOUBLE QUOTATION MARK}\\1\N{RIGHT DOUBLE QUOTATION MARK}", text)
    text = text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}").replace("...", "\N{HORIZONTAL ELLIPSIS}")
    return text.replace("  ", "\N{NO-BREAK SPACE} ").replace(" - ", " \N{EN DASH} ")


def _flowed(mail: EmailMessage, own: str, text: str, page: str) -> None:
    """format=flowed: long lines are parted behind a blank and joined again by whoever reads them."""
    rows = []
    for line in as_text(page).splitlines():
        parts = textwrap.wrap(line, 60, break_long_words=False) or [""]
        rows += [f"> {part} " for part in parts[:-1]] + [f"> {parts[-1]}".rstrip()]
    mail.set_content(f"{own}\n\n{ENGLISH}\n" + "\n".join(rows))
    mail.set_param("format", "flowed")


def _both(mail: EmailMessage, own: str, text: str, page: str) -> None:
    """Plain text and HTML side by side, as most programs send them."""
    mail.set_content(f"{own}\n\n{ENGLISH}\n\n{_marked(_rewrapped(as_text(page), 76))}\n")
    mail.add_alternative(HTML["gmail"].format(own=escape(own), quote=page), subtype="html")


def _attached(whole: bool) -> Way:
    def way(mail: EmailMessage, own: str, text: str, page: str) -> None:
        mail.set_content(own)
        mail.add_attachment(text if whole else last_block(text), filename="letter.txt")

    return way


def _attached_mail(mail: EmailMessage, own: str, text: str, page: str) -> None:
    inner = EmailMessage()
    inner["From"], inner["Subject"] = "Referee <speaker@referee.localhost>", "A letter"
    inner.set_content(text)
    mail.set_content(own)
    mail.add_attachment(inner)


def _not_at_all(mail: EmailMessage, own: str, text: str, page: str) -> None:
    mail.set_content(own)


def last_block(text: str) -> str:
    return text.strip().rpartition("\n\n")[2]


def _of_orders(text: str) -> str:
    """The lines with colons and what stands around them, as somebody leaves them who trims a quote."""
    lines = text.splitlines()
    kept = {j for i, line in enumerate(lines) if ":" in line for j in (i - 1, i, i + 1)}
    return "\n".join(line for i, line in enumerate(lines) if i in kept)


# Ways in which a form that is filled in inside the letter counts.
QUOTED: dict[str, Way] = {
    **{name: _known(name) for name in QUOTINGS},
    **{f"in HTML, {name}": _page(frame) for name, frame in FURTHER_HTML.items()},
    "marked twice": _plain(lambda own, text: f"{own}\n\n{ENGLISH}\n\n{_marked(text, '> > ')}"),
    "marked twice without blanks": _plain(lambda own, text: f"{own}\n\n{GERMAN}\n\n{_marked(text, '>>')}"),
    "typographic": _plain(lambda own, text: f"{own}\n\n{ENGLISH}\n\n{_marked(_typographic(text))}"),
    "with trailing blanks": _plain(
        lambda own, text: f"{own}\n\n{ENGLISH}\n\n" + "\n".join(f"> {line}   " for line in text.splitlines())
    ),
    "below the quote": _plain(lambda own, text: f"{ENGLISH}\n\n{_marked(text)}\n\n{own}"),
    "forwarded": _plain(
        lambda own, text: f"{own}\n\n---------- Forwarded message ---------\n{HEAD}\n\n{text}"
    ),
    "sent from a phone": _plain(
        lambda own, text: f"{own}\n\nSent from my iPhone\n\n> {PHONE}\n> \n{_marked(text)}"
    ),
    "through a mailing list": _plain(
        lambda own, text: f"{own}\n\n{ENGLISH}\n\n{_marked(text)}\n\n____________\nclub mailing list\nclub@example.org"
    ),
}  # fmt: skip
# Ways in which a letter comes back as well, whole or in part, and orders nothing as long as nobody changed it.
WAYS: dict[str, Way] = {
    **QUOTED,
    "flowed": _flowed,
    "both": _both,
    "from the HTML": lambda mail, own, text, page: mail.set_content(
        f"{own}\n\n{ENGLISH}\n\n{_marked(as_text(page))}"
    ),
    "from the HTML, unmarked": lambda mail, own, text, page: mail.set_content(
        f"{own}\n\n{HEAD}\n\n{as_text(page)}"
    ),
    "wrapped narrowly": _plain(lambda own, text: f"{own}\n\n{ENGLISH}\n\n{_marked(_rewrapped(text, 50))}"),
    "wrapped behind the marks": _plain(lambda own, text: f"{own}\n\n{ENGLISH}\n\n{_badly_wrapped(text)}"),
    "trimmed": _plain(lambda own, text: f"{own}\n\n{ENGLISH}\n\n{_marked(_of_orders(text))}"),
    "the last block": _plain(lambda own, text: f"{own}\n\n{ENGLISH}\n\n{_marked(last_block(text))}"),
    "the last block, unannounced": _plain(lambda own, text: f"{own}\n\n{_marked(last_block(text))}"),
    "pasted": _plain(lambda own, text: f"{own}\n\n{text}"),
    "pasted above": _plain(lambda own, text: f"{text}\n\n{own}"),
    "pasted from the HTML": lambda mail, own, text, page: mail.set_content(f"{own}\n\n{as_text(page)}"),
    "pasted and wrapped": _plain(lambda own, text: f"{own}\n\n{_rewrapped(text, 60)}"),
    "attached": _attached(True),
    "its last block attached": _attached(False),
    "attached as a mail": _attached_mail,
    "as text in a page": lambda mail, own, text, page: mail.set_content(
        f"<p>{escape(own)}</p><pre>{escape(f'{ENGLISH}{chr(10)}{_marked(text)}')}</pre>", subtype="html"
    ),
    "marked with a name": _plain(lambda own, text: f"{own}\n\n{_marked(text, 'Referee> ')}"),
    "in a list": _plain(
        lambda own, text: f"{own}\n\n" + "\n".join(f"* {line}" for line in text.splitlines())
    ),
    "twice": _plain(lambda own, text: f"{own}\n\n{ENGLISH}\n\n{_marked(text)}\n{_marked(text, '>> ')}"),
    "not at all": _not_at_all,
}
# Of these nothing but the thread tells that they answer a letter.
WITHOUT_WORDS = (_attached_mail, _not_at_all)

# Words that order nothing.
NOTHING = (
    "Thanks!", "Thank you very much.", "no, wait", "No, wait a moment please.", "Hello,\n\nI need more time.\n\nAnn",
    "Danke!", "Merci beaucoup !", "¡Muchas gracias!", "Grazie mille", "Obrigado", "Bedankt", "Dziękuję", "Tack!",
    "Спасибо!", "ありがとうございます", "\N{HEAVY BLACK HEART}", "\N{SMILING FACE WITH OPEN MOUTH}",
    "Got it.", "Oh dear, what have I done?", "Sorry, I am away until Sunday.", "Nice game so far!", "Hmm.", "...",
    "I will think about it.", "Received, thanks.\n\n-- \nAnn Archer\nExample Street", "",
    "See you!\n\nSent from my iPhone",
)  # fmt: skip
