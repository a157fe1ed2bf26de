"""The IMAP mailbox against the real Dovecot: renumbered, renamed, slow, full, encrypted, poor in abilities."""

import imaplib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from referee.base.ports import Filing, MailboxTrouble
from referee.transport.account import Account
from referee.transport.imap import ImapMailbox
from referee.transport.server import BackOff
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.ground import PATIENCE, closed_port
from tests.servers.severing import Line
from tests.transport.mailboxes import ImapPlace, at, everything, mail, nobody, read_and_file

pytestmark = pytest.mark.server


@pytest.fixture
def closed() -> Iterator[int]:
    with closed_port() as port:
        yield port


def test_trouble_tells_whose_mailbox_and_never_the_password(place: ImapPlace, closed: int) -> None:
    for port in (closed, place.server.imap):
        account = Account("127.0.0.1", port, "plain", "ann", "hush-hush")
        mailbox = ImapMailbox(account, BackOff(0, 0))
        with pytest.raises(MailboxTrouble, match=r"ann at 127\.0\.0\.1") as trouble:
            everything(mailbox)
        (fault,) = mailbox.examine()
        assert "hush-hush" not in str(trouble.value) + fault + repr(account)
        mailbox.close()


def test_a_failing_server_is_left_alone_for_a_while(closed: int) -> None:
    account = Account("127.0.0.1", closed, "plain", "ann", "x")
    mailbox = ImapMailbox(account, BackOff(10_000, 10_000))
    for _ in range(2):
        with pytest.raises(MailboxTrouble, match="can't be opened"):
            everything(mailbox)
    with pytest.raises(MailboxTrouble, match="the next try is in"):
        everything(mailbox)
    assert mailbox.wait(0.01) is False


def test_a_new_uidvalidity_gives_every_unfiled_mail_a_new_handle(
    place: ImapPlace, dovecot: Dovecot, mail_user: str, line: Line
) -> None:
    place.deliver_all([(mail(number), at(number)) for number in range(3)])
    mailbox = place.open()
    before = everything(mailbox)
    place.hang_up(line)
    dovecot.forget_index(mail_user)
    after = everything(mailbox)
    assert [arrival.raw for arrival in after] == [arrival.raw for arrival in before]
    assert not {arrival.uid for arrival in after} & {arrival.uid for arrival in before}
    mailbox.file([(arrival.uid, "held") for arrival in before])  # names nothing any more
    assert len(everything(mailbox)) == 3
    mailbox.file([(arrival.uid, "done") for arrival in after])
    assert place.filed("done") == sorted(mail(number) for number in range(3))
    assert place.filed("held") == []


def test_a_uidvalidity_that_changes_between_batches_stops_the_fetch(
    place: ImapPlace, dovecot: Dovecot, mail_user: str, line: Line
) -> None:
    place.deliver_all([(mail(number), at(0) + timedelta(seconds=number)) for number in range(120)])
    mailbox = place.open()
    batches = mailbox.fetch(nobody, 10_000)
    first = next(iter(batches))
    place.hang_up(line)
    dovecot.forget_index(mail_user)
    mailbox.file([(first[0].uid, "done")])  # on a new connection, which knows the new numbers only
    with pytest.raises(MailboxTrouble, match="renumbered"):
        list(batches)
    assert len(everything(mailbox)) == 120


def test_a_slow_server_is_waited_for(place: ImapPlace, line: Line) -> None:
    place.deliver_all([(mail(number), at(number)) for number in range(5)])
    line.drip = 0.1
    read, troubles = read_and_file(place.open())
    assert (len(read), troubles) == (5, 0)


@pytest.mark.parametrize("count", [2_000, pytest.param(10_000, marks=pytest.mark.soak)])
def test_thousands_of_waiting_mails_are_read_and_filed(dovecot: Dovecot, mail_user: str, count: int) -> None:
    place = ImapPlace(dovecot, mail_user)
    mails = [mail(number) for number in range(count)]
    place.deliver_all([(raw, at(0) + timedelta(seconds=number)) for number, raw in enumerate(mails)])
    mailbox = place.open()
    read = []
    for batch in mailbox.fetch(nobody, 10_000):
        read += [arrival.raw for arrival in batch]
        mailbox.file([(arrival.uid, "done") for arrival in batch])
    assert read == mails
    assert everything(mailbox) == []
    assert place.filed("done") == sorted(mails)
    place.close()


def test_reading_marks_nothing_as_seen(place: ImapPlace) -> None:
    place.deliver_all([(mail(1), at(1))])
    everything(place.open())
    with place.client() as client:
        client.select_folder("INBOX", readonly=True)
        assert client.search("UNSEEN") == [1]


POOR = {
    "without-move": (b" MOVE",),
    "without-move-and-uidplus": (b" MOVE", b" UIDPLUS"),
    "without-keywords": (b" MOVE", b" UIDPLUS", rb" \*"),
    "without-namespace": (b" NAMESPACE",),
    "without-idle": (b" IDLE",),
    "with-next-to-nothing": (b" MOVE", b" UIDPLUS", rb" \*", b" NAMESPACE", b" IDLE"),
}


@pytest.mark.parametrize("hidden", POOR.values(), ids=POOR.keys())
@pytest.mark.parametrize("filing", ["done", "refused", "held"])
def test_a_server_of_few_abilities_still_tells_settled_from_unsettled(
    place: ImapPlace, line: Line, hidden: tuple[bytes, ...], filing: Filing
) -> None:
    line.hidden = hidden
    place.deliver_all([(mail(1), at(1)), (mail(2), at(2)), (mail(3), at(3))])
    mailbox = place.open()
    first, second, _ = everything(mailbox)
    with place.client() as client:  # the moderator has read one, and thrown one away
        client.select_folder("INBOX")
        client.add_flags([2], [rb"\Seen"])
        client.add_flags([3], [rb"\Deleted"])
    mailbox.file([(first.uid, filing)])
    assert mailbox.wait(0.05) in (True, False)
    assert [arrival.uid for arrival in everything(mailbox)] == [second.uid]
    assert [arrival.uid for arrival in everything(place.open())] == [second.uid]
    taken_away = b" UIDPLUS" not in hidden
    assert place.filed(filing) == ([mail(1)] if taken_away else [])
    assert place.waiting() == (2 if taken_away else 3)  # what another marked as deleted was not expunged
    assert bool(mailbox.examine()) is (not taken_away)


@pytest.mark.parametrize("hidden", [(), *POOR.values()], ids=["rich", *POOR])
def test_what_was_put_away_since_a_moment_is_read_once_more(
    place: ImapPlace, line: Line, hidden: tuple[bytes, ...]
) -> None:
    line.hidden = hidden
    place.deliver_all([(mail(number), at(0) + timedelta(days=number)) for number in range(10)])
    mailbox = place.open()
    filings: list[Filing] = ["done", "refused", "held"]
    everywhere = [(arrival.uid, filings[number % 3]) for number, arrival in enumerate(everything(mailbox))]
    mailbox.file(everywhere)
    assert everything(mailbox) == []
    left = place.waiting()  # marked, on a server that takes nothing away
    place.deliver_all([(mail(10), at(0) + timedelta(days=10))])
    known = {everywhere[9][0]}
    back = mailbox.recall(lambda uids: known & set(uids), at(0) + timedelta(days=6))
    again = sorted(arrival.arrived for arrival in everything(mailbox))
    assert again == [at(0) + timedelta(days=number) for number in range(5, 11) if not (left and number == 9)]
    assert back == len(again) - 1
    mailbox.close()


def test_where_no_folder_can_be_made_mails_are_marked_instead(place: ImapPlace, dovecot: Dovecot) -> None:
    place.deliver_all([(mail(1), at(1))])
    mailbox = place.open()
    (arrival,) = everything(mailbox)
    (dovecot.folder(place.user) / ".Referee.Done").write_text("a file in the way")
    mailbox.file([(arrival.uid, "done")])
    assert everything(mailbox) == []
    assert place.waiting() == 1


def test_a_folder_deleted_by_the_moderator_is_made_again(place: ImapPlace) -> None:
    mailbox = place.open()
    for number in (1, 2):
        place.deliver_all([(mail(number), at(number))])
        mailbox.file([(arrival.uid, "done") for arrival in everything(mailbox)])
        assert place.filed("done") == [mail(number)]
        with place.client() as client:
            client.delete_folder("Referee/Done")


def test_a_mailbox_renamed_away_is_trouble_until_it_is_back(place: ImapPlace) -> None:
    with place.client() as client:
        client.create_folder("Games & Spiele/Brücke")
        client.append("Games & Spiele/Brücke", mail(1))
    account = Account("127.0.0.1", place.port, "plain", place.user, PASSWORD, "Games & Spiele/Brücke")
    mailbox = ImapMailbox(account, BackOff(0, 0))
    assert len(everything(mailbox)) == 1
    with place.client() as client:
        client.rename_folder("Games & Spiele/Brücke", "Elsewhere")
    with pytest.raises(MailboxTrouble):
        everything(mailbox)
    assert mailbox.examine()
    with place.client() as client:
        client.rename_folder("Elsewhere", "Games & Spiele/Brücke")
    assert len(everything(mailbox)) == 1
    mailbox.close()


def test_a_mail_that_vanishes_during_the_fetch_is_left_out(place: ImapPlace) -> None:
    place.deliver_all([(mail(number), at(0) + timedelta(seconds=number)) for number in range(150)])
    mailbox = place.open()
    batches = mailbox.fetch(nobody, 10_000)
    first = next(iter(batches))
    with place.client() as client:
        client.select_folder("INBOX")
        client.delete_messages([120])
        client.uid_expunge([120])
    rest = [arrival for batch in batches for arrival in batch]
    assert len(first) + len(rest) == 149


def secure(dovecot: Dovecot, user: str, security: str, ca: Path | None) -> ImapMailbox:
    port = dovecot.imaps if security == "tls" else dovecot.imap
    account = Account("127.0.0.1", port, security, user, PASSWORD, ca=ca)  # type: ignore[arg-type]
    return ImapMailbox(account, BackOff(0, 0))


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_an_encrypted_mailbox_is_read_filed_and_waited_for(
    dovecot: Dovecot, mail_user: str, security: str
) -> None:
    dovecot.deliver(mail_user, mail(1))
    mailbox = secure(dovecot, mail_user, security, dovecot.certificate)
    (arrival,) = everything(mailbox)
    mailbox.file([(arrival.uid, "done")])
    assert everything(mailbox) == []
    assert mailbox.wait(0.2) is False
    dovecot.deliver(mail_user, mail(2))
    assert mailbox.wait(PATIENCE) is True
    assert len(everything(mailbox)) == 1
    assert mailbox.examine() == ()
    mailbox.close()


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_certificate_nobody_vouches_for_is_refused(dovecot: Dovecot, mail_user: str, security: str) -> None:
    mailbox = secure(dovecot, mail_user, security, None)
    with pytest.raises(MailboxTrouble, match=r"certificate is not trusted.* the key `ca`"):
        everything(mailbox)
    mailbox.close()


def test_a_server_with_nothing_but_clear_text_is_refused_where_starttls_is_asked(
    place: ImapPlace, line: Line, dovecot: Dovecot
) -> None:
    line.hidden = (b" STARTTLS",)
    account = Account("127.0.0.1", line.port, "starttls", place.user, PASSWORD, ca=dovecot.certificate)
    with pytest.raises(MailboxTrouble, match="STARTTLS"):
        everything(ImapMailbox(account, BackOff(0, 0)))


def test_a_pass_asks_the_server_for_many_mails_at_once_and_for_nothing_twice(
    place: ImapPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    command = imaplib.IMAP4._command  # type: ignore[attr-defined]

    def noted(self: imaplib.IMAP4, name: str, *words: object) -> object:
        said.append(str(words[0]) if name == "UID" else name)
        return command(self, name, *words)

    mailbox = place.open()
    monkeypatch.setattr(imaplib.IMAP4, "_command", noted)
    for number in range(2):
        place.deliver_all([(mail(250 * number + each), at(each)) for each in range(250)])
        assert everything(mailbox) != []  # it is connected
        said.clear()
        found = everything(mailbox)
        mailbox.file([(arrival.uid, "done" if each % 2 else "refused") for each, arrival in enumerate(found)])
        reading = ["SELECT", "FETCH", "FETCH", "FETCH", "FETCH"]  # the search goes another way
        filing = ["NAMESPACE", *2 * ["MOVE", "CREATE", "MOVE"]] if number == 0 else ["MOVE", "MOVE"]
        assert said == reading + filing
    assert len(place.filed("done")) == len(place.filed("refused")) == 250


def test_a_line_that_died_while_mails_were_judged_is_replaced_when_they_are_filed(
    place: ImapPlace, dovecot: Dovecot, mail_user: str, line: Line
) -> None:
    place.deliver_all([(mail(number), at(number)) for number in range(3)])
    mailbox = place.open()
    found = everything(mailbox)
    place.hang_up(line)
    mailbox.file([(arrival.uid, "done") for arrival in found])
    assert place.filed("done") == sorted(mail(number) for number in range(3))
    assert everything(mailbox) == []


def test_mails_that_another_line_has_read_are_filed_on_one_that_has_not_seen_them_come(
    place: ImapPlace,
) -> None:
    """As several workers do: who files has selected the folder before the mails came."""
    reader, filer = place.open(), place.open()
    assert everything(filer) == []
    place.deliver_all([(mail(number), at(number)) for number in range(3)])
    filer.file([(arrival.uid, "done") for arrival in everything(reader)])
    assert place.filed("done") == sorted(mail(number) for number in range(3))
    assert everything(reader) == everything(filer) == []
