"""Where settled mails go on an IMAP server, and so which mails of the folder are still unfiled.

By the server's abilities, the first that works: MOVE into `Referee/Done`, `Refused` or `Held`; mark as below, COPY
(never again what is marked: it may have been copied when the line broke), then delete the original by its UID (only
with UIDPLUS, else a plain EXPUNGE would take other people's deletions along); the keywords `$RefereeDone`,
`$RefereeRefused`, `$RefereeHeld` where the folder keeps keywords; and last `\\Seen` and `\\Answered` together, since
reading alone must not settle a mail. A held mail left in the folder is `\\Flagged` too.

Unfiled is therefore: not deleted, none of the three keywords, and, where the folder keeps no keywords, not both
seen and answered.
"""

from __future__ import annotations

import imaplib
from collections.abc import Mapping, MutableMapping, Sequence
from datetime import date
from typing import Final

from imapclient import IMAPClient

from referee.offices.ports.transport import Filing
from referee.post.carrying.imap_session import Selection

FOLDERS: Final[Mapping[Filing, str]] = {"done": "Done", "refused": "Refused", "held": "Held"}
KEYWORDS: Final[Mapping[Filing, bytes]] = {
    "done": b"$RefereeDone",
    "refused": b"$RefereeRefused",
    "held": b"$RefereeHeld",
}
AT_ONCE = 500  # UIDs in one command: well below the line length every server takes


def keeps_keywords(selection: Selection) -> bool:
    """Whether the folder, as selected, keeps keywords of ours for good."""
    return b"\\*" in selection.lasting or all(word in selection.lasting for word in KEYWORDS.values())


def unfiled(selection: Selection) -> str:
    """The search that finds every mail still to be judged."""
    criteria = ["UNDELETED", *(f"UNKEYWORD {word.decode()}" for word in KEYWORDS.values())]
    if not keeps_keywords(selection):
        criteria.append("NOT (SEEN ANSWERED)")
    return " ".join(criteria)


def can_take_away(client: IMAPClient) -> bool:
    """Whether the server can put a mail into another folder without touching the rest."""
    return bool(client.has_capability("MOVE") or client.has_capability("UIDPLUS"))


def put_away(
    client: IMAPClient,
    selection: Selection,
    uids: Sequence[int],
    filing: Filing,
    folders: MutableMapping[str, str],
) -> None:
    """File these mails of the selected folder; names of folders, once asked for, are kept in `folders`. Raises what
    imapclient raises."""
    for start in range(0, len(uids), AT_ONCE):
        some = uids[start : start + AT_ONCE]
        if can_take_away(client) and not client.has_capability("MOVE"):
            said = client.get_flags(some)
            some = [uid for uid in some if not is_marked(said.get(uid, ()))]
            if some:
                mark(client, selection, some, filing)
        if some and not (can_take_away(client) and took_away(client, some, filing, folders)):
            mark(client, selection, some, filing)


def is_marked(flags: Sequence[bytes]) -> bool:
    known = {flag.lower() for flag in flags}
    return {rb"\seen", rb"\answered"} <= known or any(word.lower() in known for word in KEYWORDS.values())


def took_away(
    client: IMAPClient, uids: Sequence[int], filing: Filing, folders: MutableMapping[str, str]
) -> bool:
    """False when the server refuses: no such folder and none may be made, no room, no right."""
    if not folders:
        folders.update(folder_names(client))
    target = folders[filing]
    if moved(client, uids, target):
        return True
    try:
        client.create_folder(target)
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error:
        return False
    return moved(client, uids, target)


def moved(client: IMAPClient, uids: Sequence[int], target: str) -> bool:
    try:
        if client.has_capability("MOVE"):
            client.move(uids, target)
        else:
            client.copy(uids, target)
            client.add_flags(uids, [rb"\Deleted"], silent=True)
            client.uid_expunge(uids)
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error:
        return False
    return True


def mark(client: IMAPClient, selection: Selection, uids: Sequence[int], filing: Filing) -> None:
    flags = [KEYWORDS[filing]] if keeps_keywords(selection) else [rb"\Seen", rb"\Answered"]
    if filing == "held":
        flags.append(rb"\Flagged")
    client.add_flags(uids, flags, silent=True)


def folder_names(client: IMAPClient) -> dict[str, str]:
    """`Referee/Done` and the like, in the server's own spelling of its hierarchy."""
    prefix, separator = "", "/"
    personal = client.namespace().personal if client.has_capability("NAMESPACE") else None
    if personal:
        prefix, separator = personal[0]
    else:
        listed = client.list_folders("", "")
        if listed and listed[0][1]:
            separator = listed[0][1].decode("ascii")
    return {filing: f"{prefix}Referee{separator or '-'}{name}" for filing, name in FOLDERS.items()}


def recalled(client: IMAPClient, inbox: str, since: date) -> int:
    """Move what was put into our folders since that day back into the inbox, under new UIDs; how many."""
    count = 0
    for folder in folder_names(client).values():
        if client.folder_exists(folder):
            client.select_folder(folder)
            found = client.search(["UNDELETED", "SINCE", since])
            for start in range(0, len(found), AT_ONCE):
                some = found[start : start + AT_ONCE]
                if not client.has_capability("MOVE"):
                    client.remove_flags(some, [*KEYWORDS.values(), rb"\Answered"], silent=True)
                count += len(some) if moved(client, some, inbox) else 0
    return count


def marked(client: IMAPClient, selection: Selection, since: date) -> list[int]:
    """The settled mails that were left in the selected folder, of those that arrived since that day."""
    words = [["KEYWORD", word.decode()] for word in KEYWORDS.values()]
    marks = words if keeps_keywords(selection) else [["SEEN", "ANSWERED"]]
    found = {uid for mark in marks for uid in client.search(["UNDELETED", "SINCE", since, *mark])}
    return sorted(found)


def unmark(client: IMAPClient, selection: Selection, uids: Sequence[int]) -> None:
    """What `mark` has set, and nothing else: to name a keyword would make it one of the folder's."""
    if uids:
        flags = [*KEYWORDS.values()] if keeps_keywords(selection) else [rb"\Seen", rb"\Answered"]
        client.remove_flags(uids, flags, silent=True)
