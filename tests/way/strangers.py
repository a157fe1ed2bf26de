"""Mails of people who play nowhere here, as they write them: subject, words, and what the first thing is that they may
take where everything is open: a seat of Morris, a proposal of Go, an event of Morris, a match of Buttons to watch."""

from typing import Final, NamedTuple


class Asked(NamedTuple):
    subject: str
    words: str
    first: str  # what the letter offers first; "" where it offers nothing
    begins: bool = True  # whether it wishes to play, which a moderator decides


SEAT, PROPOSAL, EVENT, WATCH = "morris-1", "proposal-1", "autumn", "buttons-1"
MORRIS, GO, FOURPLAY = "Nine Men's Morris", "Go", "Fourplay"
OWN = "a match of {}"

MAILS: Final = (
    Asked("Hello", "I'd like to play Morris", SEAT),
    Asked("morris", "Is there room for one more?", SEAT),
    Asked("Nine men's morris", "Hi all,\n\ncan I join? I used to play it with my grandfather.\n\nRose", SEAT),
    Asked("Anybody for a game of Go?", "", PROPOSAL),
    Asked("(no subject)", "anyone up for go?", PROPOSAL),
    Asked("Go", "Looking for an opponent at Go.", PROPOSAL),
    Asked("A question", "How do I join the Swiss?", EVENT),
    Asked("tournament", "May I still enter?", EVENT),
    Asked("Autumn", "I want to enter autumn", EVENT),
    Asked("your games", "could I just watch?", WATCH, begins=False),
    Asked("Hi", "I would like to observe a match before I play one.", WATCH, begins=False),
    Asked("Please", "stop sending me mails", "", begins=False),
    Asked("STOP", "", "", begins=False),
    Asked("unsubscribe", "", "", begins=False),
    Asked("Mail from you", "Please remove me from your list.", "", begins=False),
    Asked("Fourplay", "Four of us want to try Fourplay. How?", OWN.format(FOURPLAY)),
    Asked("chess?", "Do you play chess here? I'm looking for a partner.", SEAT),
    Asked("Hello", "What is this?", SEAT, begins=False),
    Asked("", "", SEAT, begins=False),
    Asked("Join", "", SEAT),
    Asked("I want to join", "Which games have a free seat?", SEAT),
    Asked("join morris", "", SEAT),
    Asked("join a game?", "thanks", SEAT),
    Asked("Beginner", "What are the rules of Morris?", SEAT, begins=False),
    Asked("propose morris", "Open: 1", SEAT),
    Asked("propose fourplay", "", OWN.format(FOURPLAY)),
    Asked("Hallo", "Ich möchte gern Morris spielen.", SEAT),
    Asked("Anfrage", "Gibt es ein Turnier, bei dem ich mitmachen kann?", EVENT),
    Asked("Frage", "Kann ich einfach nur zuschauen?", WATCH, begins=False),
    Asked("Bitte", "Keine Mails mehr, bitte!", "", begins=False),
    Asked("Bonjour", "Je voudrais jouer au go.", PROPOSAL),
    Asked("Question", "Comment participer au tournoi ?", EVENT),
    Asked("Bonjour", "Puis-je simplement regarder ?", WATCH, begins=False),
    Asked("Hola", "¿Alguien quiere una partida de Go?", PROPOSAL),
    Asked("Torneo", "¿Cómo me apunto?", EVENT),
    Asked("Ciao", "Vorrei giocare a Morris", SEAT),
    Asked("Hallo", "Ik wil graag meedoen met het toernooi", EVENT),
    Asked("Cześć", "Chciałbym zagrać w Go", PROPOSAL),
    Asked("Olá", "Posso só assistir?", WATCH, begins=False),
    Asked("Hej", "Jag vill spela Morris", SEAT),
    Asked("Turnering", "Hur anmäler jag mig?", EVENT),
    Asked("Re: your site", "My daughter (12) loves board games, is there an opponent for her?", SEAT),
    Asked("NINE MEN'S MORRIS", "ME TOO", SEAT),
    Asked("désinscription", "Merci de ne plus m'écrire.", "", begins=False),
    Asked("Afmelden", "Haal mij van de lijst af a.u.b.", "", begins=False),
    Asked("Remover", "Retirem o meu endereço da vossa lista, por favor.", "", begins=False),
    Asked("Rezygnacja", "Proszę mnie usunąć z listy mailingowej.", "", begins=False),
    Asked("Jugar", "Me gustaría echar una partida de go con alguien.", PROPOSAL),
    Asked("Olá", "Alguém quer jogar go comigo?", PROPOSAL),
)
