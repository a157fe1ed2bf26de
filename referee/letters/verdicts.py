"""Letters about a seat's answer: the verdict, what happened, what is owed next, with its form."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.base.settings import Settings
from referee.core.answers import AHEAD
from referee.core.seam import acts_unsaid
from referee.core.value import REFEREE, Demand, Line, Value, demands, gathered
from referee.language.interpret import beyond_courtesy
from referee.language.sentences import words_of
from referee.letters.calendars import appointments
from referee.letters.letter import (
    KNOWLEDGE,
    AnsweredMail,
    Letter,
    Meant,
    Offered,
    PendingNews,
    Recipient,
    offered_draft,
)
from referee.letters.replies import answer
from referee.letters.speaker import NOTHING_OWED, Headline, Owing, Speaker
from referee.match import commands as do
from referee.match import events as ev
from referee.match.decide import Decision
from referee.match.match import Match, RoundName, outstanding
from referee.match.meanings import Meaning, drafted
from referee.match.notices import of_ahead

_SHOWN, _SHOWN_LINES = 2000, 30  # signs and lines of a sender's words
_ALL_TOLD = PendingNews()
_UNREAD = do.Refused(None, ())  # of a mail that was not read
_TEMPLATES = {
    do.Accepted: "receipt",
    do.Withdrawn: "receipt",
    do.Refused: "refusal",
    do.Ignored: "ignored",
    do.Asked: "asked",
    do.Kept: "kept",
    do.Discarded: "discarded",
}
_REPEATED = (do.Accepted, do.Withdrawn, do.Ignored, do.Kept)  # whose letters repeat the orders
_TRIED = ("receipt", "refusal", "ignored")  # whose dry run is told in a letter of its own


class Route(Value):
    """The seat a mail is for."""

    match: Match
    seat: int


class VerdictLetters(Value):
    """Receipts, refusals, previews, and word of what is ignored."""

    speaker: Speaker
    settings: Settings

    def letter(
        self,
        heard: AnsweredMail,
        before: Match,
        at: Route,
        decision: Decision,
        heading: str,
        form: str,
        *,
        previewing: bool,
        untold: PendingNews = _ALL_TOLD,
    ) -> Letter:
        """To the mail's sender, about the decision on it; `before` is the match that it was made
        about, `at` the seat as it stands now, `heading` the kind under which the mail was judged,
        `form` its lines that were, `untold` what else they are to hear."""
        verdict, more = self._shortened(decision.verdict)
        outcome, duty, demand = _TEMPLATES[type(verdict)], untold.duty, demand_of(verdict)
        owing = self.asked(at, verdict)
        if duty and duty.round and duty.demand:
            owing = self.speaker.owing(at.match, duty.round, duty.demand, first=duty.first)
        names = _open_rounds(at.match)
        # a round that waits for it is named by the letter itself
        bound = () if demand and at.match.round_of(demand) else names
        forms = _whole_forms(verdict, owing["form"], form if previewing else "")
        gone = before.drafts.get(at.seat) if isinstance(verdict, do.Kept) and not previewing else None
        gone = gone if gone and gone.demand != demand else None  # else its seat wants to lose it
        stood = drafted(before, gone.demand) if gone else None
        saved = offered_draft(gone.demand, stood) if gone else ()
        if isinstance(verdict, do.Asked):  # its words decide, whatever stood above
            heading = verdict.demand.kind
        offers = (*(Offered(heading, whole, bound) for whole in forms), *saved)
        still = duty is not None or (not previewing and self._still_owes(at, decision, owing["demand"]))
        draft = owing["draft"] if still or isinstance(verdict, do.Refused | do.Withdrawn) else None
        judged = before.round_of(demand) if demand is not None else None
        about = RoundName(judged.label, judged.opened) if judged else None
        waits = about in names
        accepted = verdict if isinstance(verdict, do.Accepted) and not previewing else None
        topic = {do.Withdrawn: "withdrawn", do.Kept: "tried" * previewing}.get(type(verdict), "")
        topic = "sealed" if accepted and accepted.seal and waits else topic
        beside = accepted.courtesy if accepted else ()
        words = "\n".join(line.text.strip() for line in _telling(beside, heard.name, at.match))
        tell = words if len(at.match.numbers) > 1 and self.may_talk(at.match, words) else ""
        happened = (e for e in decision.entries if not e.public and isinstance(e.event, ev.Happened))
        game = self.speaker.games[at.match.game]  # what happened that nobody but the seat may know
        own = [e for e in happened if game.secret_to(e.told(game)) == at.seat]
        own += of_ahead(decision.entries).get(at.seat, ())
        context = {
            **owing,
            "revealed": not previewing and not waits,
            **vars(untold),
            "next": duty is not None,
            "verdict": verdict,
            "more": more,
            "entries": () if previewing else own,
            "still": still,
            "offered": bool(offers),
            "gone": replace(gone, text=stood.form) if gone and stood else gone,
            "saved": saved,
            "why": "",
            "outcome": outcome,
            "topic": topic,
            "friendly": tell,
            "beside": self.settings.press.beside_sealed,
            "previewing": previewing,
        }
        meant = Meant(
            orders=verdict.text if isinstance(verdict, _REPEATED) else "",
            rounds=(about,) if about else (),
            offers=offers or offered_draft(owing["demand"], draft),
            draft=draft is not None or isinstance(verdict, do.Kept | do.Discarded),
            tell=tell,
        )
        kind = "preview" if previewing and outcome in _TRIED else outcome
        headed = self._headed(at, verdict, owing["demand"], still=still)
        letter = answer(self.speaker, kind, heard, context, at.match, at.seat, headed, meant)
        # what a sealed answer changes in its writer's calendar no public letter tells
        r = at.match.round(verdict.label) if isinstance(verdict, do.Accepted | do.Withdrawn) else None
        sealed = r is not None and r.sealed and not previewing
        changed = appointments(self.speaker, before, at.match, heard.at) if sealed else {}
        letter = replace(letter, appointments=untold.appointments or changed.get(at.seat, ()))
        if untold.news:
            page = replace(letter.page, attachments=untold.files)
            letter = replace(letter.public(at.match), page=page)
        zone = at.match.entrant(at.seat).zone
        headline = Headline(self.speaker, at.match, Recipient(heard.address, "", at.seat, zone))
        shown = tuple(entry for entry in decision.entries if entry.public) if untold.news else ()
        if still and owing["demand"]:  # it goes by what it asks for
            asking = headline.due(owing["demand"], owing["round"], shown)
            letter = replace(letter, kind="due", head=replace(letter.head, subject=asking))
        elif shown and (then := headline.next()):
            letter = replace(letter, head=replace(letter.head, subject=f"{letter.head.subject}, {then}"))
        return letter

    def undecided(self, heard: AnsweredMail, at: Route, inside: Sequence[Line]) -> Letter:
        """About a mail that was not judged, for two orders stand in it, its own and one in the form
        `inside` its quote."""
        own, quoted = (
            "\n".join(x.text for x in lines[:_SHOWN_LINES])[:_SHOWN] for lines in (heard.own, inside)
        )
        return self._unjudged("which_order", heard, at, {"own": own, "inside": quoted}, Meant())

    def no_order(
        self,
        heard: AnsweredMail,
        at: Route,
        talk: Sequence[Line],
        passed: str = "",
        *,
        asking: bool = False,
        offhand: Sequence[Meaning] = (),
    ) -> Letter:
        """About words that order nothing, among them `talk` that looks like orders: what they ask is answered; TELL has
        them passed on to all, where they say something, players may talk, and none looks so. `passed`: what a person
        got of them; `asking`: they ask what is not understood: all that there is to know is offered;
        `offhand`: what they may mean."""
        words = "\n".join(line.text for line in heard.own).strip()
        said = not talk and bool(_telling(heard.own, heard.name, at.match))
        press = said and self.may_talk(at.match, words)
        shown = {
            "own": words,
            "talk": talk,
            "asks": heard.asks,
            "waits": sorted({d.seat for _, d in at.match.due if d.seat not in (at.seat, REFEREE)}),
            "offered": press,
            "beside": self.settings.press.beside_sealed,
            "passed": passed,
            "asking": asking,
            "offhand": [meaning.text for meaning in offhand],
        }
        bound = _open_rounds(at.match)
        offers = tuple(Offered(topic, at.match.name) for topic in KNOWLEDGE if asking)
        offers += tuple(Offered(meaning.demand.kind, meaning.form, bound) for meaning in offhand)
        reply = Meant(tell=words if press else "", offers=offers)
        return self._unjudged("no_order", heard, at, shown, reply)

    def may_talk(self, match: Match, words: str) -> bool:
        """Whether words of a player may go to all others now."""
        press, limits = self.settings.press, self.settings.limits
        talks = match.options.get("press", press.talk) != "off" and match.inner is not None
        fits = 0 < len(words.encode()) <= limits.largest_press
        return talks and fits and match.status != "ended"

    def asking(
        self, heard: AnsweredMail, at: Route, meanings: Sequence[Meaning], why: str, told: str
    ) -> Letter:
        """About words that leave a doubt: what each of the meanings would come to, judged and found whole. `why` is it:
        "" for the words themselves, "part" where they amend the form of a refusal that they do not answer, "earlier"
        where they answer a letter of the round `told`, "before" where they are older than what they would answer,
        "subject" where they stand in the subject alone, "seat" where that names another seat."""
        first, r = meanings[0].demand, at.match.round_of(meanings[0].demand)
        doubts = tuple(dict.fromkeys(word for meaning in meanings for word in meaning.reading.doubts))
        verdict = do.Asked(first, tuple(meaning.text for meaning in meanings), doubts=doubts)
        shown = {"why": why, "told": told, "now": r.label if r else at.match.name, "verdict": verdict}
        bound = _open_rounds(at.match)
        offers = tuple(Offered(m.demand.kind, m.form, bound) for m in meanings)
        return self._unjudged("asked", heard, at, shown, Meant(offers=offers))

    def _unjudged(
        self, kind: str, heard: AnsweredMail, at: Route, shown: Mapping[str, object], reply: Meant
    ) -> Letter:
        owing = self.asked(at)
        r, demand = owing["round"], owing["demand"]
        sent = r is not None and demand is not None and r.answer_of(demand) is not None
        context = {**owing, "sent": sent, **shown}
        return answer(self.speaker, kind, heard, context, at.match, at.seat, demand, reply)

    def which_match(self, heard: AnsweredMail, meant: Sequence[tuple[Route, Meaning]]) -> Letter:
        """About words that fit in several matches: each with its number, judged and found whole there."""
        offers, rows = [], []
        for at, m in meant:
            match, r = at.match, at.match.round_of(m.demand)
            offers.append(Offered(m.demand.kind, m.form, _open_rounds(match), match.name, at.seat))
            if r is not None:
                due, game = r.due_for(m.demand.seat), self.speaker.games[match.game]
                rows.append({"match": match, "round": r, "meaning": m, "due_at": due, "game": game})
        return answer(self.speaker, "which_match", heard, {"rows": rows}, reply=Meant(offers=tuple(offers)))

    def _headed(self, at: Route, verdict: do.Verdict, owing: Demand | None, *, still: bool) -> Demand | None:
        """Whose heading the letter's subject has: what it asks for, else what the answer was to. None for what nobody
        waits for where its heading would do something by itself: a reply has that subject too, whatever it says."""
        if not isinstance(verdict, do.Refused | do.Asked):
            in_round = isinstance(verdict, do.Accepted | do.Withdrawn | do.Ignored) and verdict.label
            return owing if still else demand_of(verdict) if in_round else None
        standing = at.match.standing
        if owing is None or standing is None or owing in demands(standing.due, at.seat):
            return owing
        return None if acts_unsaid(standing.game, standing.state, owing, at.match.party(at.seat)) else owing

    def _shortened(self, verdict: do.Verdict) -> tuple[do.Verdict, int]:
        """A refusal with as many faults as are told one by one, and how many more there are. An
        answer that has more is not mended either: its sender gets an empty form."""
        if not isinstance(verdict, do.Refused):
            return verdict, 0
        single, most = [one for c in verdict.complaints for one in c.each], self.settings.limits.complaints
        if len(single) <= most:
            return verdict, 0
        told = gathered(single[:most])
        return replace(verdict, complaints=told, mended=None, unmended=()), len(single) - most

    def _still_owes(self, at: Route, decision: Decision, demand: Demand | None) -> bool:
        """Whether the seat owes the next answer in a round that stays open: no other letter asks for it."""
        if demand is None or not isinstance(decision.verdict, do.Accepted):
            return False
        fresh = {e.event.label for e in decision.entries if isinstance(e.event, ev.RoundOpened)}
        r = at.match.round_of(demand)
        return r is not None and r.label not in fresh and demand in outstanding(at.match, r)

    def asked(self, at: Route, verdict: do.Verdict = _UNREAD) -> Owing:
        """What the seat owes now, with its form; in a refusal the form is the answer with its faults mended."""
        match, standing = at.match, at.match.standing
        if standing is None or match.status == "ended":
            return NOTHING_OWED
        mine = [(r, d) for r, d in match.due if d.seat == at.seat]
        judged = verdict if isinstance(verdict, do.Refused | do.Asked) else _UNREAD
        demand, whole = judged.demand, judged.form if isinstance(judged, do.Asked) else None
        mended = judged.mended.text if isinstance(judged, do.Refused) and judged.mended else whole
        about = [(r, d) for r, d in mine if d == demand]
        if demand and not about and (demand.kind == AHEAD or demand in standing.open_to(at.seat)):
            return self.speaker.owing(match, None, demand, form=mended)
        if not mine:
            return NOTHING_OWED
        return self.speaker.owing(match, *(about or mine)[0], form=mended if about else None)


def _open_rounds(match: Match) -> tuple[RoundName, ...]:
    """The rounds while which the form of an answer that no round waits for may still be sent."""
    return tuple(RoundName(r.label, r.opened) for r in match.rounds)


def _whole_forms(verdict: do.Verdict, form: str, previewed: str) -> tuple[str, ...]:
    """What an answer of OK, or of a number, may send: the form of a refusal in which nothing is
    left to mend, a good preview's, or each of the answers that are asked about."""
    match verdict:
        case do.Refused() if verdict.ready:
            return (form,)
        case do.Asked(choices=choices):
            return (form,) if len(choices) == 1 else choices
        case do.Accepted() if previewed:
            return (previewed,)
    return ()


def _telling(lines: Sequence[Line], name: str, match: Match) -> tuple[Line, ...]:
    """The lines that say more than a greeting, thanks, their writer's name."""
    return beyond_courtesy(lines, frozenset(words_of(name)), match.game, behind=True)


def demand_of(verdict: do.Verdict) -> Demand | None:
    """What a verdict on an answer is about."""
    return None if isinstance(verdict, do.Waiting | do.Done | do.Impossible) else verdict.demand
