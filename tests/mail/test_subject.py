"""Subject tags: laws beside the examples of the corpus."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.mail.read.subject import COMMANDS, match_heading, read_subject

TITLES = {
    "Fourplay": "fourplay",
    "Go": "multigo",
    "One Piece For Two": "onepiece",
    "1P42": "onepiece",
    "Buttons": "buttons",
}
HEADINGS = {
    "Initial Purchase of Pieces": "Purchase",
    "Initial Setup of Pieces": "Setup",
    "Turn": "Turn",
    "Ready": "Ready",
    "Move": "Move",
}
PREFIXES = st.lists(
    st.sampled_from(["Re: ", "AW: ", "Fwd: ", "RE[3]: ", "Sv:", "回复: ", "[list] ", "TR : ", "Odp:  "]),
    max_size=4,
)


@settings(max_examples=150)
@given(
    PREFIXES,
    st.sampled_from(sorted(TITLES)),
    st.sampled_from(sorted(HEADINGS)),
    st.integers(1, 8),
    st.sampled_from(["", " ", "  "]),
    st.sampled_from([str.upper, str.lower, str.title, str]),
    st.booleans(),
)
def test_prefixes_blanks_and_letter_case_do_not_matter(
    prefixes, title, heading, seat, gap, case, preview
) -> None:  # type: ignore[no-untyped-def]
    tag = f"{title}{gap}:{gap}{heading}{gap}/{gap}Player{gap}{seat}{gap}/ Round 3"
    read = read_subject("".join(prefixes) + case(tag) + ("?" if preview else ""), TITLES)
    assert (read.game, read.preview) == (TITLES[title], preview)
    assert read.stated == {"seat": seat, "round": 3}
    assert match_heading(read.heading, HEADINGS) == HEADINGS[heading]


@settings(max_examples=300)
@given(st.text(max_size=120))
def test_any_text_has_a_tag(text: str) -> None:
    read = read_subject(text, TITLES)
    assert "\n" not in read.heading
    assert match_heading(read.heading, HEADINGS) in (None, *HEADINGS.values())


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_known_alone_and_in_a_reply(name: str) -> None:
    command = COMMANDS[name]
    assert read_subject(name, TITLES).command == command
    assert read_subject(f"Re: [blue-fox] {name.title()}", TITLES).command == command


@pytest.mark.parametrize(
    "subject",
    [
        "Recorded yesterday", "Helpless", "Boarding pass", "Games we played last summer",
        "Message from your bank about your account",
    ],
)  # fmt: skip
def test_a_sentence_is_no_command(subject: str) -> None:
    assert read_subject(subject, TITLES).command is None


@pytest.mark.parametrize("name", ["buttons-1", "go-12", "go-club", "Buttons-of-2026"])
def test_a_name_that_begins_with_a_title_is_no_title(name: str) -> None:
    """The names of matches do: `preview buttons-1` is no dry run of a heading `1`."""
    assert read_subject(name, TITLES).game is None
    assert read_subject(f"Re: preview {name}?", TITLES).game is None
    assert read_subject("Go-Move / Player 1", TITLES).game == "multigo"
    assert read_subject("Go - Move", TITLES).game == "multigo"


def test_a_title_within_a_word_is_no_title() -> None:
    assert read_subject("Gold: Move / Player 2", TITLES).game is None
    assert read_subject("Good: Move / Player 2", TITLES).game is None


def test_a_title_of_many_words_is_found_before_a_shorter_one() -> None:
    titles = {"Go": "multigo", "Go Fish": "fish"}
    assert read_subject("Go Fish: Move / Player 2", titles).game == "fish"


def test_a_part_of_a_heading_is_none() -> None:
    assert match_heading("Initial Purchase", HEADINGS) is None


def test_what_is_neither_seat_nor_round_is_no_heading() -> None:
    assert read_subject("Fourplay: Turn / Player 2 / please hurry", TITLES).heading == "Turn"


@pytest.mark.parametrize(
    "subject",
    [
        "***SPAM*** Go: Move / Player 2",
        "*****SUSPECTED SPAM***** Re: Go: Move / Player 2",
        "{Spam?} Re: Go: Move / Player 2",
        "[EXTERNAL] Re: Go: Move / Player 2",
        "External: Re: Go: Move / Player 2",
        "[Ticket#12345] [List 12] Go: Move / Player 2",
        "【games】Go: Move / Player 2",
        "(fwd) Go: Move / Player 2",
        "Go: Move / Player 2 (fwd)",
        "Go: Move / Player 2 - Sent from my iPhone",
        "Sv: Go: Move / Player 2 [was: Go]",
        '"Go: Move / Player 2"',
        "«Go: Move / Player 2»",
        "Re: \U0001f3b2 Go: Move / Player 2",
        "RE : TR : Go: Move / Player 2",
        "Re: Re^2: RE[3]: Go: Move / Player 2",
    ],
)
def test_what_filters_lists_and_programs_put_around_a_subject_does_not_count(subject: str) -> None:
    tag = read_subject(subject, TITLES)
    assert (tag.game, tag.heading, tag.stated.get("seat")) == ("multigo", "Move", 2)


def test_a_round_behind_the_seat_is_read_and_a_sentence_behind_it_is_no_seat() -> None:
    tag = read_subject("Go: Move / Player 2 - Round 3", TITLES)
    assert (tag.stated.get("seat"), tag.stated.get("round")) == (2, 3)
    assert read_subject("Go: Objection / Player 2 moved wrongly", TITLES).stated.get("seat") is None
