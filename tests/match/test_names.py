"""Names: which ones nobody can play under, and that all else can."""

from dataclasses import replace

import pytest

from referee.match.events import Entrant, SubstituteNamed
from referee.match.handling.seating import unfit_substitute
from referee.match.names import looks_of, name_fault
from tests.laws.walks import begin

FIT = (
    "Ann Archer", "Noël O'Neill", "Jean-Luc d’Arc", "Иван Петров", "Γιώργος Παπάς", "山田 太郎", "タロウ Yamada",
    "李 Li", "김 Kim", "مريم", "Ann 2", "X", "Tris Speaker", "Al Lee", "Åsa Öberg", "dr. Cleo Carter", "P1",
)  # fmt: skip
UNFIT = {
    "address": ("ann@example.org", "Ann <ann@b>", "ann%40example.org", "Ann ＠example.org", "a&#64;b.example", "http://x"),
    "mixes": ("Аnn", "Bеn Baker", "Ιnes", "µTorrent", "Аnna Архер", "Annਅ"),
    "seen": ("Ann\u202e", "An\u200bn", "Ann\nReferee", "Ann\u2028x", "\u2066Ann", "Ann\x00", "A\u00adnn"),
    "office": (
        "Referee", "The Referee", "referee", "REFEREE!", "Ｒｅｆｅｒｅｅ", "T. R. Referee", "The moderator",
        "Collector", "Speaker", "Player 3", "player  #3", "Player", "Seat 2", "P l a y e r 3",
        "PIayer 3", "Ann (Player 3)",
        "Everybody",
    ),
    "somebody else": ("ann archer", "ANN  ARCHER", "Ann-Archer", "Ánn Archer", "Αnn", "AnnArcher.", "Ann Archer\u0301"),
    "no letter": ("", "...", " ", "😀"),
    "longer": ("A" * 61,),
}  # fmt: skip


@pytest.mark.parametrize("name", FIT)
def test_a_name_in_one_script_or_as_people_write_them_side_by_side_is_fit(name: str) -> None:
    assert name_fault(name, ["Ben Baker", "Zoe"]) == ""


@pytest.mark.parametrize(("why", "name"), [(why, name) for why, names in UNFIT.items() for name in names])
def test_an_unfit_name_is_told_why(why: str, name: str) -> None:
    if name == "Αnn":
        why = "mixes"
    assert why in name_fault(name, ["Ben", "Ann Archer"]), name_fault(name, ["Ben", "Ann Archer"])


def test_names_that_look_alike_are_one() -> None:
    pairs = [
        ("Bop", "Вор"),
        ("Ann 1", "Ann l"),
        ("Zoë", "zoe"),
        ("Barn", "Bam"),
        ("ΑΝΝΑ", "Anna"),
        ("Иван", "Йван"),
    ]
    assert [pair for pair in pairs if looks_of(pair[0]) != looks_of(pair[1])] == []
    assert looks_of("Ann Archer") != looks_of("Anna Archer")


def test_why_somebody_can_not_be_named_a_substitute() -> None:
    match, zoe = begin("nine men").match, Entrant("Zoe", ("zoe@example.org",))
    first, third = (SubstituteNamed(seat=seat, entrant=zoe) for seat in (1, 3))
    said = [unfit_substitute(match, first), unfit_substitute(match, third)]
    assert said == ["", "there is no seat 3; there are 1, 2"]
    assert unfit_substitute(replace(match, status="ended"), first) == "the match is over"
