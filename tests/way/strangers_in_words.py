"""What strangers write, by what they wish and in which language, made into mails: below a greeting, a subject that
says nothing, or none, and in the subject alone. First what was invented before anything of it was learnt; `LATER`
afterwards, to see whether the classes of words hold."""

from collections.abc import Iterator, Mapping
from typing import Final

Phrases = Mapping[str, Mapping[str, tuple[str, ...]]]
SUBJECTS: Final[Mapping[str, tuple[str, str, str]]] = {
    "en": ("Hello", "Question", ""),
    "de": ("Hallo", "Frage", ""),
    "fr": ("Bonjour", "Question", ""),
    "es": ("Hola", "Pregunta", ""),
    "it": ("Ciao", "Domanda", ""),
    "nl": ("Hallo", "Vraag", ""),
    "pl": ("Cześć", "Pytanie", ""),
    "pt": ("Olá", "Pergunta", ""),
    "sv": ("Hej", "Fråga", ""),
}
INVENTED: Final[Phrases] = {
    "play": {
        "en": (
            "I'd like to play Morris",
            "Do you have anyone who wants to play Morris with me?",
            "Is a seat at Morris free?",
        ),
        "de": (
            "Ich möchte gern Morris spielen",
            "Hat jemand Lust auf eine Runde Morris?",
            "Wer spielt mit mir Mühle, also Morris?",
        ),
        "fr": (
            "J'aimerais jouer au Morris",
            "Cherche adversaire pour une partie de Morris",
            "Quelqu'un pour Morris ?",
        ),
        "es": (
            "Me gustaría jugar al Morris",
            "¿Alguien se anima a una partida de Morris?",
            "Busco rival para Morris",
        ),
        "it": (
            "Mi piacerebbe giocare a Morris",
            "C'è qualcuno per una partita di Morris?",
            "Cerco un avversario per Morris",
        ),
        "nl": (
            "Ik zou graag Morris spelen",
            "Wie heeft zin in een potje Morris?",
            "Ik zoek een tegenstander voor Morris",
        ),
        "pl": (
            "Chcę zagrać w Morris",
            "Szukam przeciwnika do gry w Morris",
            "Czy ktoś zagra ze mną w Morris?",
        ),
        "pt": (
            "Gostaria de jogar Morris",
            "Alguém para uma partida de Morris?",
            "Procuro adversário para Morris",
        ),
        "sv": (
            "Jag skulle vilja spela Morris",
            "Är det någon som vill spela Morris?",
            "Söker motståndare till Morris",
        ),
    },
    "event": {
        "en": ("How do I join the Swiss?", "Sign me up for the tournament, please"),
        "de": ("Wie kann ich beim Turnier mitmachen?", "Ich möchte mich zum Schweizer Turnier anmelden"),
        "fr": ("Comment m'inscrire au tournoi ?", "Je veux participer au suisse"),
        "es": ("¿Cómo me inscribo en el torneo?", "Quiero participar en el suizo"),
        "it": ("Come mi iscrivo al torneo?", "Vorrei partecipare allo svizzero"),
        "nl": ("Hoe doe ik mee aan het toernooi?", "Ik wil me inschrijven voor het Zwitsers toernooi"),
        "pl": ("Jak dołączyć do turnieju?", "Chcę zapisać się na turniej szwajcarski"),
        "pt": ("Como me inscrevo no torneio?", "Quero participar do suíço"),
        "sv": ("Hur går jag med i turneringen?", "Jag vill anmäla mig till turneringen"),
    },
    "watch": {
        "en": ("could I just watch?", "I only want to follow a match"),
        "de": ("Darf ich nur zuschauen?", "Ich würde gern bei einer Partie zusehen"),
        "fr": ("Puis-je juste regarder ?", "Je voudrais suivre une partie en spectateur"),
        "es": ("¿Puedo solo mirar?", "Me gustaría observar una partida"),
        "it": ("Posso solo guardare?", "Vorrei seguire una partita come spettatore"),
        "nl": ("Mag ik alleen meekijken?", "Ik wil graag een partij volgen"),
        "pl": ("Czy mogę tylko popatrzeć?", "Chciałbym tylko obserwować partię"),
        "pt": ("Posso só assistir?", "Queria apenas acompanhar uma partida"),
        "sv": ("Får jag bara titta på?", "Jag vill bara följa ett parti"),
    },
    "quit": {
        "en": ("stop sending me mails", "Please take me off your list"),
        "de": ("Bitte schicken Sie mir keine Mails mehr", "Streichen Sie mich von der Liste"),
        "fr": ("Arrêtez de m'envoyer des mails", "Je ne veux plus recevoir vos courriels"),
        "es": ("Dejen de enviarme correos", "No quiero recibir más correos"),
        "it": ("Smettete di mandarmi email", "Non voglio più ricevere le vostre mail"),
        "nl": ("Stop met mij mails te sturen", "Ik wil geen mails meer ontvangen"),
        "pl": ("Przestańcie wysyłać mi maile", "Nie chcę więcej maili"),
        "pt": ("Parem de me enviar e-mails", "Não quero receber mais e-mails"),
        "sv": ("Sluta skicka mejl till mig", "Jag vill inte ha fler mejl"),
    },
    "go": {
        "en": ("anybody for a game of Go?",),
        "de": ("Lust auf eine Partie Go?",),
        "fr": ("Une partie de go, quelqu'un ?",),
        "es": ("¿Jugamos al go?",),
        "it": ("Giochiamo a Go?",),
        "nl": ("Iemand zin in Go?",),
        "pl": ("Kto zagra w Go?",),
        "pt": ("Vamos jogar Go?",),
        "sv": ("Någon som vill spela Go?",),
    },
}
LATER: Final[Phrases] = {
    "play": {
        "en": ("Count me in for a round of Morris", "New here and keen on Morris, any takers?"),
        "de": ("Suche Mitspieler für Morris", "Ich hätte Lust auf Morris, geht das?"),
        "fr": ("On joue au Morris ?", "Je cherche un partenaire pour jouer au Morris"),
        "es": ("¿Quién juega conmigo al Morris?", "Quiero jugar al Morris"),
        "it": ("Chi gioca con me a Morris?", "Vorrei fare una partita a Morris"),
        "nl": ("Ik wil graag een spelletje Morris doen", "Wie speelt er met mij Morris?"),
        "pl": ("Zagrajmy w Morris", "Chętnie zagram w Morris"),
        "pt": ("Quem joga Morris comigo?", "Quero jogar uma partida de Morris"),
        "sv": ("Vem vill spela Morris med mig?", "Jag söker någon att spela Morris mot"),
    },
    "event": {
        "en": ("Is the tournament still open for entries?", "I want in on the Swiss"),
        "de": ("Ist im Turnier noch Platz?",),
        "fr": ("Reste-t-il de la place dans le tournoi ?",),
        "es": ("¿Queda sitio en el torneo?",),
        "it": ("C'è ancora posto nel torneo?",),
        "nl": ("Is er nog plek in het toernooi?",),
        "pl": ("Czy są jeszcze miejsca w turnieju?",),
        "pt": ("Ainda há vaga no torneio?",),
        "sv": ("Finns det plats i turneringen?",),
    },
    "watch": {
        "en": ("May I be a spectator?", "I'd rather watch first"),
        "de": ("Ich will erst mal zuschauen",),
        "fr": ("Je préfère d'abord regarder",),
        "es": ("Prefiero mirar primero",),
        "it": ("Preferisco guardare prima",),
        "nl": ("Ik kijk liever eerst",),
        "pl": ("Wolę najpierw popatrzeć",),
        "pt": ("Prefiro assistir primeiro",),
        "sv": ("Jag tittar hellre först",),
    },
    "quit": {
        "en": (
            "No more emails please", "I don't want your mails", "Please do not send me any more messages",
            "Don't write to me again",
        ),
        "de": (
            "Ich möchte keine E-Mails von Ihnen",
            "Bitte schickt mir keine Nachrichten mehr",
            "Schreiben Sie mir nicht mehr",
        ),
        "fr": ("Ne m'envoyez plus de mails", "Merci de ne plus m'envoyer de messages"),
        "es": ("No me manden más correos", "Por favor, no me envíen más mensajes", "No me manden más cartas"),
        "it": ("Niente più mail, per favore", "Per favore non mandatemi più messaggi", "Non scrivetemi più"),
        "nl": (
            "Geen e-mails meer alstublieft",
            "Stuur me alsjeblieft geen berichten meer",
            "Schrijf me niet meer",
        ),
        "pl": (
            "Proszę nie wysyłać mi maili",
            "Proszę nie wysyłać mi więcej wiadomości",
            "Nie piszcie do mnie więcej",
        ),
        "pt": ("Não me enviem mais emails", "Por favor, não me enviem mais mensagens"),
        "sv": ("Skicka inga fler mejl", "Skicka mig inga fler meddelanden, tack"),
    },
}  # fmt: skip


def mails(phrases: Phrases) -> Iterator[tuple[str, str, str, str]]:
    """What each wishes, its language, subject and words."""
    for wish, by in phrases.items():
        for language, said in by.items():
            for number, words in enumerate(said):
                yield wish, language, SUBJECTS[language][number % 3], words
                if number == 0:
                    yield wish, language, words, ""
