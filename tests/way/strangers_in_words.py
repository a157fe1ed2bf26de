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


def _phrases(rows: str) -> Phrases:
    """By wish and language."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for row in rows.replace("|\n", "|").strip().splitlines():
        what, _, said = row.partition(": ")
        wish, language = what.split()
        found.setdefault(wish, {})[language] = tuple(words.strip() for words in said.split("|"))
    return found


INVENTED: Final = _phrases("""
play en: I'd like to play Morris | Do you have anyone who wants to play Morris with me? | Is a seat at Morris free?
play de: Ich möchte gern Morris spielen | Hat jemand Lust auf eine Runde Morris? |
    Wer spielt mit mir Mühle, also Morris?
play fr: J'aimerais jouer au Morris | Cherche adversaire pour une partie de Morris | Quelqu'un pour Morris ?
play es: Me gustaría jugar al Morris | ¿Alguien se anima a una partida de Morris? | Busco rival para Morris
play it: Mi piacerebbe giocare a Morris | C'è qualcuno per una partita di Morris? | Cerco un avversario per Morris
play nl: Ik zou graag Morris spelen | Wie heeft zin in een potje Morris? | Ik zoek een tegenstander voor Morris
play pl: Chcę zagrać w Morris | Szukam przeciwnika do gry w Morris | Czy ktoś zagra ze mną w Morris?
play pt: Gostaria de jogar Morris | Alguém para uma partida de Morris? | Procuro adversário para Morris
play sv: Jag skulle vilja spela Morris | Är det någon som vill spela Morris? | Söker motståndare till Morris
event en: How do I join the Swiss? | Sign me up for the tournament, please
event de: Wie kann ich beim Turnier mitmachen? | Ich möchte mich zum Schweizer Turnier anmelden
event fr: Comment m'inscrire au tournoi ? | Je veux participer au suisse
event es: ¿Cómo me inscribo en el torneo? | Quiero participar en el suizo
event it: Come mi iscrivo al torneo? | Vorrei partecipare allo svizzero
event nl: Hoe doe ik mee aan het toernooi? | Ik wil me inschrijven voor het Zwitsers toernooi
event pl: Jak dołączyć do turnieju? | Chcę zapisać się na turniej szwajcarski
event pt: Como me inscrevo no torneio? | Quero participar do suíço
event sv: Hur går jag med i turneringen? | Jag vill anmäla mig till turneringen
watch en: could I just watch? | I only want to follow a match
watch de: Darf ich nur zuschauen? | Ich würde gern bei einer Partie zusehen
watch fr: Puis-je juste regarder ? | Je voudrais suivre une partie en spectateur
watch es: ¿Puedo solo mirar? | Me gustaría observar una partida
watch it: Posso solo guardare? | Vorrei seguire una partita come spettatore
watch nl: Mag ik alleen meekijken? | Ik wil graag een partij volgen
watch pl: Czy mogę tylko popatrzeć? | Chciałbym tylko obserwować partię
watch pt: Posso só assistir? | Queria apenas acompanhar uma partida
watch sv: Får jag bara titta på? | Jag vill bara följa ett parti
quit en: stop sending me mails | Please take me off your list
quit de: Bitte schicken Sie mir keine Mails mehr | Streichen Sie mich von der Liste
quit fr: Arrêtez de m'envoyer des mails | Je ne veux plus recevoir vos courriels
quit es: Dejen de enviarme correos | No quiero recibir más correos
quit it: Smettete di mandarmi email | Non voglio più ricevere le vostre mail
quit nl: Stop met mij mails te sturen | Ik wil geen mails meer ontvangen
quit pl: Przestańcie wysyłać mi maile | Nie chcę więcej maili
quit pt: Parem de me enviar e-mails | Não quero receber mais e-mails
quit sv: Sluta skicka mejl till mig | Jag vill inte ha fler mejl
go en: anybody for a game of Go?
go de: Lust auf eine Partie Go?
go fr: Une partie de go, quelqu'un ?
go es: ¿Jugamos al go?
go it: Giochiamo a Go?
go nl: Iemand zin in Go?
go pl: Kto zagra w Go?
go pt: Vamos jogar Go?
go sv: Någon som vill spela Go?
""")
LATER: Final = _phrases("""
play en: Count me in for a round of Morris | New here and keen on Morris, any takers?
play de: Suche Mitspieler für Morris | Ich hätte Lust auf Morris, geht das?
play fr: On joue au Morris ? | Je cherche un partenaire pour jouer au Morris
play es: ¿Quién juega conmigo al Morris? | Quiero jugar al Morris
play it: Chi gioca con me a Morris? | Vorrei fare una partita a Morris
play nl: Ik wil graag een spelletje Morris doen | Wie speelt er met mij Morris?
play pl: Zagrajmy w Morris | Chętnie zagram w Morris
play pt: Quem joga Morris comigo? | Quero jogar uma partida de Morris
play sv: Vem vill spela Morris med mig? | Jag söker någon att spela Morris mot
event en: Is the tournament still open for entries? | I want in on the Swiss
event de: Ist im Turnier noch Platz?
event fr: Reste-t-il de la place dans le tournoi ?
event es: ¿Queda sitio en el torneo?
event it: C'è ancora posto nel torneo?
event nl: Is er nog plek in het toernooi?
event pl: Czy są jeszcze miejsca w turnieju?
event pt: Ainda há vaga no torneio?
event sv: Finns det plats i turneringen?
watch en: May I be a spectator? | I'd rather watch first
watch de: Ich will erst mal zuschauen
watch fr: Je préfère d'abord regarder
watch es: Prefiero mirar primero
watch it: Preferisco guardare prima
watch nl: Ik kijk liever eerst
watch pl: Wolę najpierw popatrzeć
watch pt: Prefiro assistir primeiro
watch sv: Jag tittar hellre först
quit en: No more emails please | I don't want your mails | Please do not send me any more messages |
    Don't write to me again
quit de: Ich möchte keine E-Mails von Ihnen | Bitte schickt mir keine Nachrichten mehr | Schreiben Sie mir nicht mehr
quit fr: Ne m'envoyez plus de mails | Merci de ne plus m'envoyer de messages
quit es: No me manden más correos | Por favor, no me envíen más mensajes | No me manden más cartas
quit it: Niente più mail, per favore | Per favore non mandatemi più messaggi | Non scrivetemi più
quit nl: Geen e-mails meer alstublieft | Stuur me alsjeblieft geen berichten meer | Schrijf me niet meer
quit pl: Proszę nie wysyłać mi maili | Proszę nie wysyłać mi więcej wiadomości | Nie piszcie do mnie więcej
quit pt: Não me enviem mais emails | Por favor, não me enviem mais mensagens
quit sv: Skicka inga fler mejl | Skicka mig inga fler meddelanden, tack
""")


def mails(phrases: Phrases) -> Iterator[tuple[str, str, str, str]]:
    """What each wishes, its language, subject and words."""
    for wish, by in phrases.items():
        for language, said in by.items():
            for number, words in enumerate(said):
                yield wish, language, SUBJECTS[language][number % 3], words
                if number == 0:
                    yield wish, language, words, ""
