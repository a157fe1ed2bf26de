"""A batch of letters over SMTP: each with its own fate, whatever becomes of the others, and whatever the server is
like that they are pipelined to."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import product

import pytest

from referee.offices.ports.transport import Parcel
from referee.post.carrying import smtp_session
from referee.post.carrying.smtp import SmtpCourier
from referee.post.carrying.smtp_session import SmtpAccount
from referee.post.servers import BackOff, Security
from tests.servers.curt import curt
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.ground import eventually, free_ports
from tests.servers.mailboxes import ImapPlace
from tests.servers.piped import Mood, piped
from tests.servers.postfix import Postfix
from tests.servers.severing import Line

FATES = {
    "ann": "sent", "mail450": "later", "mail550": "never", "rcpt452": "later", "rcpt550": "never",
    "data451": "later", "data554": "never", "end451": "later", "end554": "never", "end421": "later",
    "endcut": "later",
}  # fmt: skip
"""What becomes of a letter by the name in its address; see `piped`."""


CourierTo = Callable[..., SmtpCourier]


def letter(number: int, name: str = "ann", body: bytes = b"Hello\n.\n..two dots\n") -> Parcel:
    """Names that begin with `mail` stand in the sender's address, all others in the recipient's."""
    sender, recipient = (name, "ann") if name.startswith("mail") else ("referee", name)
    headers = f"Message-ID: <{number}@example.test>\nSubject: Letter {number}\n\n"
    return Parcel(
        f"{sender}-{number}@example.test", f"{recipient}-{number}@example.test", f"<{number}@example.test>",
        headers.encode() + body,
    )  # fmt: skip


def wire(parcel: Parcel) -> bytes:
    return parcel.raw.replace(b"\n", b"\r\n")


@pytest.fixture
def courier_to() -> Iterator[CourierTo]:
    """Couriers to a port, with a time-out in seconds."""
    made: list[SmtpCourier] = []

    def courier_to(port: int, timeout: float = 10.0) -> SmtpCourier:
        made.append(SmtpCourier(SmtpAccount("127.0.0.1", port, "plain", timeout=timeout), BackOff(0, 0)))
        return made[-1]

    yield courier_to
    for courier in made:
        courier.close()


def fates(courier: SmtpCourier, parcels: Iterable[Parcel]) -> list[str]:
    return [delivery.fate for delivery in courier.send(parcels)]


def test_letters_are_offered_in_one_breath_over_one_connection(courier_to: CourierTo) -> None:
    with piped() as server:
        parcels = [letter(number) for number in range(50)]
        assert fates(courier_to(server.port), parcels) == ["sent"] * 50
        assert server.bodies == [wire(parcel) for parcel in parcels]
        assert (server.connections, server.groups) == (1, 3)


def test_where_nothing_can_be_acknowledged_at_once_nothing_is_said_behind_a_letter(
    courier_to: CourierTo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp_session, "QUICKACK", None)
    with piped() as server:
        names = ["ann", "rcpt550", "ann", "endcut", "ann", "end451", "ann", "ann"]
        parcels = [letter(number, name) for number, name in enumerate(names)]
        assert fates(courier_to(server.port), parcels) == [FATES[name] for name in names]
        assert len(server.taken) == 5
        assert server.groups == 4  # with the reset of what was refused


def test_commands_go_one_by_one_where_the_server_does_not_say_that_it_pipelines(
    courier_to: CourierTo,
) -> None:
    with piped(Mood(pipelining=False)) as server:
        assert fates(courier_to(server.port), [letter(number) for number in range(9)]) == ["sent"] * 9
        assert (server.connections, server.groups) == (1, 1)


@pytest.mark.parametrize("lazy", [False, True], ids=["", "354 all the same"])
@pytest.mark.parametrize("pipelining", [True, False], ids=["pipelined", "one by one"])
@pytest.mark.parametrize("name", FATES)
def test_every_refusal_has_its_fate_and_keeps_no_letter_behind_it(
    courier_to: CourierTo, name: str, pipelining: bool, lazy: bool
) -> None:
    with piped(Mood(pipelining=pipelining, lazy_go_ahead=lazy)) as server:
        parcels = [letter(0), letter(1, name), letter(2), letter(3, name), letter(4, name), letter(5)]
        expected = ["sent", FATES[name], "sent", FATES[name], FATES[name], "sent"]
        deliveries = courier_to(server.port).send(parcels)
        assert [delivery.fate for delivery in deliveries] == expected
        kept = [parcel for parcel, fate in zip(parcels, expected, strict=True) if fate == "sent"]
        assert server.bodies == [wire(parcel) for parcel in kept]
        if name[-3:].isdigit():
            assert all(name[-3:] in delivery.note for delivery in deliveries if delivery.fate != "sent")


@pytest.mark.parametrize("seed", range(25))
def test_any_mixture_by_any_server_loses_none_and_marks_none_that_was_not_taken(
    courier_to: CourierTo, seed: int
) -> None:
    """Repeated until nothing is left for later, as the courier's round does, every letter that can be taken was taken;
    twice only those whose answer was never given."""
    dice = random.Random(seed)
    moods = [
        Mood(), Mood(pipelining=False), Mood(cap=1), Mood(cap=dice.randint(2, 5)), Mood(lazy_go_ahead=True),
        Mood(cap=dice.randint(1, 5), parting="cut"), Mood(cap=dice.randint(1, 5), parting="reset"),
        Mood(cap=dice.randint(1, 5), parting="452"), Mood(cuts_at_pipelines=True), Mood(early=b"250 so soon\r\n"),
    ]  # fmt: skip
    mood = dice.choice(moods)
    names = [dice.choice(list(FATES)) if dice.random() < 0.5 else "ann" for _ in range(30)]
    parcels = [letter(number, name) for number, name in enumerate(names)]
    with piped(mood) as server:
        courier = courier_to(server.port)
        deliveries = courier.send(parcels)
        assert len(deliveries) == len(parcels)
        marked = [parcel for parcel, each in zip(parcels, deliveries, strict=True) if each.fate == "sent"]
        assert Counter(server.bodies) == Counter(wire(parcel) for parcel in marked)
        if not mood.early:
            assert [each.fate for each in deliveries] == [FATES[name] for name in names]
        assert {wire(parcel) for parcel in marked}.isdisjoint(message for _, _, message in server.lost)


@pytest.mark.parametrize("parting", ["421", "452", "cut", "reset"])
@pytest.mark.parametrize("cap", [1, 2, 3, 7])
def test_a_server_that_lets_go_after_some_letters_gets_each_once(
    courier_to: CourierTo, cap: int, parting: str
) -> None:
    with piped(Mood(cap=cap, parting=parting)) as server:
        parcels = [letter(number) for number in range(20)]
        assert fates(courier_to(server.port), parcels) == ["sent"] * 20
        assert server.bodies == [wire(parcel) for parcel in parcels]
        assert server.connections <= -(-20 // cap) + 1


def test_a_server_that_only_says_that_it_pipelines_is_told_one_thing_at_a_time_from_then_on(
    courier_to: CourierTo,
) -> None:
    with piped(Mood(cuts_at_pipelines=True)) as server:
        courier = courier_to(server.port)
        parcels = [letter(number) for number in range(20)]
        assert fates(courier, parcels) == ["sent"] * 20
        assert server.bodies == [wire(parcel) for parcel in parcels]
        before = server.connections
        assert before <= 3
        assert fates(courier, parcels) == ["sent"] * 20
        assert server.connections == before


@pytest.mark.parametrize(
    "mood", [Mood(forgets_behind_the_dot=True), Mood(forgets_behind_mail=True)], ids=["dot", "MAIL"]
)
def test_a_server_that_forgets_half_of_what_it_was_told_costs_one_wait_and_no_letter(
    courier_to: CourierTo, mood: Mood
) -> None:
    with piped(mood) as server:
        courier = courier_to(server.port, timeout=1.0)
        parcels = [letter(number) for number in range(8)]
        first = fates(courier, parcels)
        assert first.count("later") == 1
        left = [parcel for parcel, fate in zip(parcels, first, strict=True) if fate == "later"]
        assert fates(courier, left) == ["sent"]
        assert sorted(server.bodies) == sorted(wire(parcel) for parcel in parcels)


def test_a_line_that_died_while_nothing_was_said_is_not_taken_for_a_server_that_stumbles(
    courier_to: CourierTo,
) -> None:
    with piped() as server, Line(server.port) as line:
        courier = courier_to(line.port, timeout=0.5)
        assert fates(courier, [letter(1)]) == ["sent"]
        line.arm(rb"^MAIL", silent=True)
        assert fates(courier, [letter(2), letter(3)]) == ["later", "sent"]
        server.groups = 0
        courier.close()
        assert fates(courier, [letter(4), letter(5)]) == ["sent", "sent"]
        assert server.groups == 3


def test_a_word_said_too_soon_is_not_taken_for_the_answer_to_the_letter(courier_to: CourierTo) -> None:
    with piped(Mood(early=b"250 so soon\r\n")) as server:
        assert set(fates(courier_to(server.port), [letter(number) for number in range(5)])) == {"later"}
        assert server.taken == []


def test_a_server_that_takes_its_time_over_each_letter_is_waited_for(courier_to: CourierTo) -> None:
    """Longer than over a command: many look into a letter before they answer for it."""
    with piped(Mood(slow=0.7)) as server:
        assert fates(courier_to(server.port, timeout=0.4), [letter(1), letter(2)]) == ["sent", "sent"]
        assert len(server.taken) == 2


@pytest.mark.parametrize("name", ["endcut", "end421"])
def test_a_letter_not_answered_for_may_come_twice_and_those_around_it_come_once(
    courier_to: CourierTo, name: str
) -> None:
    with piped() as server:
        courier = courier_to(server.port)
        parcels = [letter(0), letter(1, name), letter(2), letter(3)]
        assert fates(courier, parcels) == ["sent", "later", "sent", "sent"]
        assert server.bodies == [wire(parcels[0]), wire(parcels[2]), wire(parcels[3])]
        assert len(server.lost) == (name == "endcut")


@pytest.mark.parametrize("moment", ["command", "answer", "midway"])
@pytest.mark.parametrize(
    "cue", [rb"MAIL FROM:<\S*-3@", rb"RCPT TO:<\S*-3@", rb"DATA\r\n$", rb"Letter 3\r\n", rb"\r\n\.\r\n"]
)
def test_a_cut_anywhere_repeats_at_most_the_letter_in_hand(
    courier_to: CourierTo, cue: bytes, moment: str
) -> None:
    with piped() as server, Line(server.port) as line:
        courier = courier_to(line.port)
        parcels = [letter(number) for number in range(8)]
        line.arm(cue, moment)  # type: ignore[arg-type]
        waiting, rounds = parcels, 0
        while waiting and rounds < 4:
            deliveries = courier.send(waiting)
            waiting = [p for p, each in zip(waiting, deliveries, strict=True) if each.fate == "later"]
            rounds += 1
            assert len(waiting) <= 1
        assert line.cuts == 1
        assert waiting == []
        counted = Counter(server.bodies)
        assert set(counted) == {wire(parcel) for parcel in parcels}
        assert sum(counted.values()) <= len(parcels) + 1


def test_nothing_more_is_drawn_once_there_is_no_server(courier_to: CourierTo) -> None:
    drawn: list[int] = []

    def drawing(count: int) -> Iterator[Parcel]:
        for number in range(count):
            drawn.append(number)
            yield letter(number)

    with piped() as server:
        courier = courier_to(server.port)
        assert fates(courier, drawing(5)) == ["sent"] * 5
    drawn.clear()
    (delivery,) = courier_to(free_ports(1)[0]).send(drawing(1000))
    assert (delivery.fate, delivery.tried, drawn) == ("later", False, [0])


def test_letters_are_made_while_the_server_has_others_in_hand(courier_to: CourierTo) -> None:
    with piped() as server:
        before: list[int] = []

        def drawing() -> Iterator[Parcel]:
            for number in range(4):
                before.append(len(server.taken))
                yield letter(number)

        server.mood.slow = 0.2
        assert fates(courier_to(server.port), drawing()) == ["sent"] * 4  # type: ignore[arg-type]
        assert before == [0, 0, 0, 1]


def test_what_the_drawing_raises_goes_through_and_leaves_the_courier_of_use(courier_to: CourierTo) -> None:
    def drawing() -> Iterator[Parcel]:
        yield letter(1)
        yield letter(2)
        raise KeyboardInterrupt

    with piped() as server:
        courier = courier_to(server.port)
        with pytest.raises(KeyboardInterrupt):
            courier.send(drawing())
        assert fates(courier, [letter(3)]) == ["sent"]
        assert server.bodies[-1] == wire(letter(3))


@pytest.mark.parametrize("pipelining", [True, False])
def test_large_letters_and_a_server_with_small_hands_never_wait_for_each_other(
    courier_to: CourierTo, pipelining: bool
) -> None:
    large = letter(1, body=b"x" * 70 + b"\n.\n" * 400_000)
    with piped(Mood(pipelining=pipelining)) as server, Line(server.port) as line:
        courier = courier_to(line.port)
        assert fates(courier, [large, letter(2), large]) == ["sent"] * 3
        assert server.bodies == [wire(large), wire(letter(2)), wire(large)]


@pytest.mark.parametrize(
    ("stage", "answer"),
    [
        *product(["MAIL", "RCPT", "DATA", "end"], ["99 what", "abc", "", "199 x", "600 x"]),
        *product(["MAIL", "RCPT", "end"], ["354 go on"]),
        *product(["MAIL", "RCPT", "DATA"], ["250-never ends"]),
        ("end", "450-never\r\n250 ends"),
    ],
)
def test_nonsense_for_an_answer_costs_no_letter_and_marks_none(
    courier_to: CourierTo, stage: str, answer: str
) -> None:
    with curt() as server:
        server.answers = {"EHLO": "250-here\r\n250 PIPELINING", stage: answer}
        courier = courier_to(server.port, timeout=0.3)
        assert {each.fate for each in courier.send([letter(1), letter(2)])} == {"later"}
        server.answers = {}
        assert fates(courier_to(server.port), [letter(1), letter(2)]) == ["sent", "sent"]


def test_a_server_that_never_stops_talking_is_left(courier_to: CourierTo) -> None:
    def talk(line: socket.socket) -> None:
        with line, contextlib.suppress(OSError):
            line.sendall(b"220 here\r\n")
            line.recv(1000)
            line.sendall(b"250-here\r\n250 PIPELINING\r\n")
            line.recv(1000)
            while True:
                line.sendall(b"250-and another thing\r\n" * 1000)

    with socket.create_server(("127.0.0.1", 0)) as door:
        talks = [threading.Thread(target=lambda: talk(door.accept()[0]), daemon=True) for _ in range(2)]
        for each in talks:
            each.start()
        assert fates(courier_to(door.getsockname()[1]), [letter(1)]) == ["later"]
        for each in talks:
            each.join(20)
            assert not each.is_alive()


# --- Postfix ---------------------------------------------------------------------------------------------------------


@pytest.mark.server
def test_postfix_takes_a_batch_in_few_breaths_and_refuses_as_it_would_alone(
    courier_to: CourierTo, postfix: Postfix, dovecot: Dovecot, mail_user: str
) -> None:
    good = f"{mail_user}@example.test"
    kinds = [
        good,
        "nobody@example.test",
        good,
        "busy@example.test",
        "busy@example.test",
        good,
        "nobody@example.test",
    ]
    parcels = [
        Parcel(
            "referee@example.test",
            recipient,
            f"<{number}@x>",
            f"Message-ID: <{number}@x>\n\n{number}\n".encode(),
        )
        for number, recipient in enumerate(kinds)
    ]
    large = Parcel("referee@example.test", good, "<large@x>", b"Message-ID: <large@x>\n\n" + b"x\n" * 600_000)
    with Line(postfix.smtp) as line:
        courier = courier_to(line.port)
        expected = {good: "sent", "nobody@example.test": "never", "busy@example.test": "later"}
        deliveries = courier.send([*parcels, large, parcels[0]])
        assert line.connections == 1
    assert [each.fate for each in deliveries] == [*(expected[kind] for kind in kinds), "never", "sent"]
    assert "No such player" in deliveries[1].note
    assert "Come back later" in deliveries[3].note
    assert "552" in deliveries[-2].note
    place = ImapPlace(dovecot, mail_user)
    eventually(lambda: place.waiting() == 4, "the letters arrive")
    place.close()


@pytest.mark.server
@pytest.mark.parametrize("moment", ["command", "answer", "midway"])
@pytest.mark.parametrize("cue", [rb"MAIL FROM", rb"DATA\r\n$", rb"\r\n\.\r\n"])
def test_a_line_to_postfix_cut_in_the_midst_of_a_batch_loses_none(
    courier_to: CourierTo, postfix: Postfix, dovecot: Dovecot, mail_user: str, cue: bytes, moment: str
) -> None:
    parcels = [
        Parcel(
            "referee@example.test", f"{mail_user}@example.test", f"<{number}@x>",
            f"Message-ID: <{number}@x>\n\n{number}\n".encode(),
        )
        for number in range(10)
    ]  # fmt: skip
    with Line(postfix.smtp) as line:
        courier = courier_to(line.port)
        assert [each.fate for each in courier.send(parcels[:3])] == ["sent"] * 3
        line.arm(cue, moment)  # type: ignore[arg-type]
        waiting = parcels[3:]
        for _ in range(3):
            done = fates(courier, waiting)
            waiting = [parcel for parcel, fate in zip(waiting, done, strict=True) if fate != "sent"]
        assert (waiting, line.cuts) == ([], 1)
    place = ImapPlace(dovecot, mail_user)
    eventually(lambda: place.waiting() >= 10, "the letters arrive")
    assert place.waiting() <= 11
    place.close()


@pytest.mark.server
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_batch_goes_encrypted_as_well(
    postfix: Postfix, dovecot: Dovecot, mail_user: str, security: Security
) -> None:
    port = postfix.smtps if security == "tls" else postfix.submission
    account = SmtpAccount("127.0.0.1", port, security, "referee", PASSWORD, postfix.certificate, timeout=60)
    courier = SmtpCourier(account, BackOff(0, 0))
    good = f"{mail_user}@example.test"
    parcels = [
        Parcel(
            "referee@example.test",
            to,
            f"<{number}@x>",
            f"Message-ID: <{number}@x>\n\n{number}\n".encode() * 4000,
        )
        for number, to in enumerate([good, good, "<odd>", good])
    ]
    for _ in range(20):
        deliveries = courier.send(parcels)
        if (
            "454" not in deliveries[0].note
        ):  # each process of Postfix finds Dovecot started anew at its next login
            break
    assert [each.fate for each in deliveries] == ["sent", "sent", "never", "sent"], deliveries
    courier.close()
    place = ImapPlace(dovecot, mail_user)
    eventually(lambda: place.waiting() == 3, "the letters arrive")
    place.close()
