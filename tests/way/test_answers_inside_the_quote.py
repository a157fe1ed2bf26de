"""Contract, 'Mail in': a form inside our own quoted letter counts only if the sender changed or added a line in it and
wrote no order outside it (both: asked); an unchanged quote is never an order. In every way mail programs quote, in many
languages."""

import html
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sampling import one_in
from tests.world import Sent, Table

AT = "2026-03-02T00:00:00Z"
ORDER, OTHER = "Move: c3", "Move: d4"
PEOPLE = [f"{name} <{name.lower()}@example.org>" for name in ("Ann", "Ben", "Cy")]

INTRODUCTIONS = {
    "english": "On Sun, Mar 1, 2026 at 1:00 PM Referee <speaker@referee.localhost> wrote:",
    "german": "Am So., 1. März 2026 um 13:00 Uhr schrieb Referee <\nspeaker@referee.localhost>:",
    "french": "Le dim. 1 mars 2026 à 13:00, Referee <speaker@referee.localhost> a écrit :",
    "spanish": "El dom, 1 mar 2026 a las 13:00, Referee (<speaker@referee.localhost>) escribió:",
    "italian": "Il giorno dom 1 mar 2026 alle ore 13:00 Referee <speaker@referee.localhost> ha scritto:",
    "portuguese": "Em dom., 1 de mar. de 2026 às 13:00, Referee <speaker@referee.localhost> escreveu:",
    "dutch": "Op zo 1 mrt 2026 om 13:00 schreef Referee <speaker@referee.localhost>:",
    "swedish": "Den sön 1 mars 2026 kl 13:00 skrev Referee <speaker@referee.localhost>:",
    "polish": "niedz., 1 mar 2026 o 13:00 Referee <speaker@referee.localhost> napisał(a):",
    "czech": "ne 1. 3. 2026 v 13:00 odesílatel Referee <speaker@referee.localhost> napsal:",
    "russian": "вс, 1 мар. 2026 г. в 13:00, Referee <speaker@referee.localhost>:",
    "turkish": "Referee <speaker@referee.localhost>, 1 Mar 2026 Paz, 13:00 tarihinde şunu yazdı:",
    "greek": "Στις Κυρ 1 Μαρ 2026 στις 1:00 μ.μ., ο χρήστης Referee <speaker@referee.localhost> έγραψε:",
    "japanese": "2026年3月1日(日) 13:00 Referee <speaker@referee.localhost>:",
    "chinese": "Referee <speaker@referee.localhost> 于2026年3月1日周日 13:00写道：",
    "korean": "2026년 3월 1일 (일) 오후 1:00, Referee <speaker@referee.localhost>님이 작성:",
}  # fmt: skip
HEADS = {
    "english": ("From", "Sent", "To", "Subject"), "german": ("Von", "Gesendet", "An", "Betreff"),
    "french": ("De", "Envoyé", "À", "Objet"), "spanish": ("De", "Enviado", "Para", "Asunto"),
    "italian": ("Da", "Inviato", "A", "Oggetto"), "portuguese": ("De", "Enviada", "Para", "Assunto"),
    "dutch": ("Van", "Verzonden", "Aan", "Onderwerp"), "swedish": ("Från", "Skickat", "Till", "Ämne"),
    "danish": ("Fra", "Sendt", "Til", "Emne"), "polish": ("Od", "Wysłano", "Do", "Temat"),
    "czech": ("Od", "Odesláno", "Komu", "Předmět"), "russian": ("От", "Отправлено", "Кому", "Тема"),
    "turkish": ("Kimden", "Gönderildi", "Kime", "Konu"), "japanese": ("差出人", "送信日時", "宛先", "件名"),
    "chinese": ("发件人", "发送时间", "收件人", "主题"),
}  # fmt: skip
HTML = {
    "gmail": '<div dir="ltr">{own}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Sun, Mar 1,'
    ' 2026 Referee &lt;s@referee.localhost&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0 0 0'
    ' .8ex;border-left:1px #ccc solid">{quote}</blockquote></div>',
    "apple mail": '<html><body>{own}<br><div><blockquote type="cite"><div>On 1. Mar 2026, at 13:00, Referee &lt;'
    "s@referee.localhost&gt; wrote:</div><br><div>{quote}</div></blockquote></div></body></html>",
    "outlook on the web": '<div>{own}</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> '
    "Referee<br><b>Sent:</b> Sunday<br><b>To:</b> Ann<br><b>Subject:</b> Go</div><div>{quote}</div>",
    "outlook": '<div class="WordSection1"><p class="MsoNormal">{own}<o:p></o:p></p><div style="border:none;border-top:'
    'solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>From:</b> Referee<br><b>Sent:</b> Sunday, March 1, 2026<br><b>To:</b>'
    " Ann<br><b>Subject:</b> Go<o:p></o:p></p></div>{quote}</div>",
    "thunderbird": '<p>{own}</p><div class="moz-cite-prefix">Am 01.03.26 um 13:00 schrieb Referee:<br></div><blockquote'
    ' type="cite" cite="mid:x">{quote}</blockquote>',
    "yahoo": '<div>{own}</div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>On Sunday, Referee wrote:</div><div>'
    "{quote}</div></div>",
    "protonmail": '<div>{own}</div><div class="protonmail_quote">On Sunday, Referee wrote:<br><blockquote class='
    '"protonmail_quote" type="cite">{quote}</blockquote></div>',
}  # fmt: skip

Quoting = Callable[
    [str, str, str], tuple[str, bool]
]  # own words, the letter's text, its HTML: the body, and whether HTML


def _marked(introduction: str, mark: str = "> ") -> Quoting:
    def quote(own: str, text: str, _: str) -> tuple[str, bool]:
        lines = "\n".join(f"{mark}{line}".rstrip() for line in text.splitlines())
        return f"{own}\n\n{introduction}\n\n{lines}\n", False

    return quote


def _under_a_head(names: tuple[str, str, str, str], ruler: str = "") -> Quoting:
    values = (
        "Referee <speaker@referee.localhost>", "1 March 2026 13:00", "Ann Archer", "Go: Move / Player 1",
    )  # fmt: skip
    head = "\n".join(f"{name}: {value}" for name, value in zip(names, values, strict=True))
    return lambda own, text, _: (f"{own}\n\n{ruler}\n{head}\n\n{text}", False)


def _in_html(frame: str) -> Quoting:
    return lambda own, _, page: (frame.format(own=own.replace("\n", "<br>"), quote=page), True)


QUOTINGS: dict[str, Quoting] = {
    **{f"marked, {language}": _marked(line) for language, line in INTRODUCTIONS.items()},
    **{f"under a head, {language}": _under_a_head(names) for language, names in HEADS.items()},
    **{f"in HTML, {program}": _in_html(frame) for program, frame in HTML.items()},
    "under a ruled head": _under_a_head(HEADS["german"], "-----Ursprüngliche Nachricht-----"),
    "marked without blanks": _marked(INTRODUCTIONS["english"], ">"),
    "marked with initials": _marked(INTRODUCTIONS["english"], "RF> "),
    "marked with bars": _marked(INTRODUCTIONS["english"], "| "),
    "unmarked below an attribution": _marked(INTRODUCTIONS["english"], ""),
    "in pieces, as polymail": _marked("On 1 Mar 2026 at 1:00 PM R\n\n<\nmailto:R <s@referee.localhost>\n> wrote:", ""),
}  # fmt: skip


# What stands above the quote, and what is written into the form inside it.
FILLED, UNCHANGED, BOTH, ABOVE, TWICE = (
    ("Hello,\nhere it is.\nAnn", ORDER), ("Hello,\nI need more time.\nAnn", ""), (OTHER, ORDER), (OTHER, ""),
    (ORDER, ORDER),
)  # fmt: skip
CASES = (FILLED, UNCHANGED, BOTH, ABOVE, TWICE)


def filled(page: str, order: str) -> str:
    """The letter with an order written behind the form's first key."""
    before, key, after = page.rpartition("Move:")
    return f"{before}{order}{after}" if key and order else page


def reply(table: Table, due: Sent, quoting: str, own: str, order: str) -> bytes:
    page = due.message.get_body(("html",))
    whole = page.get_content().partition("<body>")[2].partition("</body>")[0]
    body, in_html = QUOTINGS[quoting](own, filled(due.text, order), filled(whole, html.escape(order)))
    to, named = str(due.message["Reply-To"]), str(due.message["Message-ID"])
    message = table.world.message(due.to, f"Re: {due.subject}", to=to, reply_to=named)
    message.set_content(body, subtype="html" if in_html else "plain")
    return message.as_bytes()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A match whose letters are answered, and nothing of that recorded."""
    return Table(tmp_path_factory.mktemp("go"), "multigo", PEOPLE)


@pytest.mark.parametrize("quoting", one_in(7, QUOTINGS))
def test_a_form_inside_the_quote_counts_where_it_was_filled_in_and_nothing_stands_outside(
    table: Table, quoting: str
) -> None:
    due = table.latest("due", table.mover)
    files = [table.world.folder / f"{number}.eml" for number in range(len(CASES))]
    for file, case in zip(files, CASES, strict=True):
        file.write_bytes(reply(table, due, quoting, *case))
    ran = table.world.do("read", *map(str, files), "--as-of", AT, "--json")
    filled, unchanged, both, above, twice = ran.json
    assert (filled["disposition"], filled["complaints"], filled["text"]) == ("accepted", [], FILLED[0])
    least = 12 if quoting.startswith("in HTML") else 20  # HTML has a table's row in a line
    assert sum(part["lines"] for part in filled["left_out"] if part["what"] == "quoted text") >= least
    assert unchanged["disposition"] != "accepted", "an unchanged quote is never an order"
    assert unchanged["text"] == UNCHANGED[0]
    assert (both["disposition"], both["answer"], both["text"]) == ("answered", "preview", OTHER)
    assert (above["disposition"], above["text"]) == ("accepted", OTHER)
    assert (twice["disposition"], twice["text"]) == ("accepted", ORDER)


def test_words_that_a_letter_said_back_make_no_letter_of_ours_of_a_filled_form(tmp_path: Path) -> None:
    """Who is asked, and fills the form in anew below the same words, has not sent that letter back, though it shows
    both his words and the lines as they are now."""
    table = Table(tmp_path, "multigo", PEOPLE)
    due, words = table.latest("due", table.mover), "Hello, the river is high."
    _, (asked, *_) = table.reply(due, f"{words}\n\nMvoe: c3", "2026-03-01T13:00:00Z")
    assert asked.kind == "preview"
    assert f"Line 1: {words}" in asked.text
    quoted = filled(due.text, "Move: C3").splitlines()
    body = "\n".join([words, "", "On Sunday the referee wrote:", *(f"> {line}" for line in quoted)])
    _, told = table.reply(due, body, "2026-03-01T14:00:00Z")
    assert "receipt" in [letter.kind for letter in told]


# --- two letters at once ------------------------------------------------------------------------------------------

FEW = 26  # lines of a letter, with its greeting and its signature


def few_lines(counts: dict[str, int], letters: list[Sent]) -> None:
    """Nothing is ordered, and that is said in a few lines."""
    assert (counts["answered"], counts["accepted"], counts["refused"]) == (1, 0, 0), letters[0].text
    (letter,) = (letter for letter in letters if letter.kind != "question")  # words to a person go on to one
    assert letter.kind in ("status", "preview"), letter.text
    assert len(letter.text.splitlines()) <= FEW, letter.text


def quoted(letter: Sent, mark: str = ">") -> str:
    return "\n".join(f"{mark} {line}".rstrip() for line in letter.text.splitlines())


def test_a_reply_to_ones_own_mail_does_not_send_it_again(tmp_path: Path) -> None:
    table = Table(tmp_path, "multigo", PEOPLE, board="9x9", order="parallel")
    due = table.latest("due", table.mover)
    table.reply(due, "Move: C3", "2026-03-01T13:00:00Z", message_id="<mine@players.example>")
    table.reply(due, "Move: D4", "2026-03-01T13:01:00Z")
    mine = f"> Move: C3\n>\n> On Sunday, Referee wrote:\n{quoted(due, '> >')}"
    body = f"Sorry for the noise.\n\nOn Sun, Mar 1, 2026 at 1:00 PM P1 <p1@example.org> wrote:\n\n{mine}\n"
    counts, letters = table.send(
        table.mover, f"Re: {due.subject}", body, "2026-03-01T13:02:00Z", reply_to="<mine@players.example>",
        headers={"References": f"{due.message['Message-ID']} <mine@players.example>"},
    )  # fmt: skip
    few_lines(counts, letters)


def test_two_letters_quoted_the_older_one_below(tmp_path: Path) -> None:
    """The older one says some of the same as the newer, in another place."""
    table = Table(tmp_path)
    due = table.latest("due", table.mover)
    _, (refusal,) = table.reply(due, "Move: zz9\nBuy: 3 Foo\nPlace: 9 z9", "2026-03-01T13:00:00Z")
    _, (help,) = table.send(table.mover, "help", "", "2026-03-01T13:00:00Z")
    pairs = ((due, refusal), (refusal, due), (due, due), (due, help), (refusal, help))
    for number, (newer, older) in enumerate(pairs, 1):
        body = f"Thanks {number}!\n\n{INTRODUCTIONS['english']}\n\n{quoted(newer)}\n{quoted(older, '>>')}"
        few_lines(*table.reply(newer, body, f"2026-03-01T13:0{number}:00Z"))
