/*
 * verbs.c: the verbs of the built-in treebank.
 *
 * Columns: English base, third person, past, participle; German separable prefix, then
 * infinitive, first and third person, past singular and plural without the prefix, then
 * the whole participle; 1 if the perfect takes `sein`; frame; case and senses of the
 * object.
 */
#include "lexicon.h"

#define ANY (HUMAN | ANIMAL | THING | TOOL | PLACE | INSIDE | SURFACE | COVER)
#define BEING (HUMAN | ANIMAL)
#define A ACCUSATIVE
#define D DATIVE

/* clang-format off */
const struct verb verbs[] = {
    {"sleep", "sleeps", "slept", "slept", "", "schlafen", "schlafe", "schläft", "schlief", "schliefen", "geschlafen", 0, INTRANSITIVE, A, 0},
    {"see", "sees", "saw", "seen", "", "sehen", "sehe", "sieht", "sah", "sahen", "gesehen", 0, TRANSITIVE, A, ANY},
    {"throw", "throws", "threw", "thrown", "", "werfen", "werfe", "wirft", "warf", "warfen", "geworfen", 0, DIRECTED, A, THING},
    {"say", "says", "said", "said", "", "sagen", "sage", "sagt", "sagte", "sagten", "gesagt", 0, SPEECH, A, 0},
    {"help", "helps", "helped", "helped", "", "helfen", "helfe", "hilft", "half", "halfen", "geholfen", 0, TRANSITIVE, D, BEING},
    {"give", "gives", "gave", "given", "", "geben", "gebe", "gibt", "gab", "gaben", "gegeben", 0, DITRANSITIVE, A, THING},
    {"carry", "carries", "carried", "carried", "", "tragen", "trage", "trägt", "trug", "trugen", "getragen", 0, DIRECTED, A, THING | ANIMAL},
    {"work", "works", "worked", "worked", "", "arbeiten", "arbeite", "arbeitet", "arbeitete", "arbeiteten", "gearbeitet", 0, INTRANSITIVE, A, 0},
    {"find", "finds", "found", "found", "", "finden", "finde", "findet", "fand", "fanden", "gefunden", 0, TRANSITIVE, A, ANY},
    {"know", "knows", "knew", "known", "", "wissen", "weiß", "weiß", "wusste", "wussten", "gewusst", 0, SPEECH, A, 0},
    {"invite", "invites", "invited", "invited", "ein", "laden", "lade", "lädt", "lud", "luden", "eingeladen", 0, TRANSITIVE, A, HUMAN},
    {"sing", "sings", "sang", "sung", "", "singen", "singe", "singt", "sang", "sangen", "gesungen", 0, INTRANSITIVE, A, 0},
    {"push", "pushes", "pushed", "pushed", "", "schieben", "schiebe", "schiebt", "schob", "schoben", "geschoben", 0, DIRECTED, A, THING},
    {"seek", "seeks", "sought", "sought", "", "suchen", "suche", "sucht", "suchte", "suchten", "gesucht", 0, TRANSITIVE, A, ANY},
    {"arrive", "arrives", "arrived", "arrived", "an", "kommen", "komme", "kommt", "kam", "kamen", "angekommen", 1, MOTION, A, 0},
    {"show", "shows", "showed", "shown", "", "zeigen", "zeige", "zeigt", "zeigte", "zeigten", "gezeigt", 0, DITRANSITIVE, A, THING},
    {"bring", "brings", "brought", "brought", "", "bringen", "bringe", "bringt", "brachte", "brachten", "gebracht", 0, DIRECTED, A, THING | ANIMAL},
    {"love", "loves", "loved", "loved", "", "lieben", "liebe", "liebt", "liebte", "liebten", "geliebt", 0, TRANSITIVE, A, BEING},
    {"open", "opens", "opened", "opened", "auf", "machen", "mache", "macht", "machte", "machten", "aufgemacht", 0, TRANSITIVE, A, OPENING},
    {"believe", "believes", "believed", "believed", "", "glauben", "glaube", "glaubt", "glaubte", "glaubten", "geglaubt", 0, SPEECH, A, 0},
    {"observe", "observes", "observed", "observed", "", "beobachten", "beobachte", "beobachtet", "beobachtete", "beobachteten", "beobachtet", 0, TRANSITIVE, A, BEING},
    {"laugh", "laughs", "laughed", "laughed", "", "lachen", "lache", "lacht", "lachte", "lachten", "gelacht", 0, INTRANSITIVE, A, 0},
    {"pull", "pulls", "pulled", "pulled", "", "ziehen", "ziehe", "zieht", "zog", "zogen", "gezogen", 0, DIRECTED, A, THING | ANIMAL},
    {"paint", "paints", "painted", "painted", "", "malen", "male", "malt", "malte", "malten", "gemalt", 0, TRANSITIVE, A, ANY},
    {"follow", "follows", "followed", "followed", "", "folgen", "folge", "folgt", "folgte", "folgten", "gefolgt", 1, TRANSITIVE, D, BEING},
    {"call", "calls", "called", "called", "an", "rufen", "rufe", "ruft", "rief", "riefen", "angerufen", 0, TRANSITIVE, A, HUMAN},
    {"dance", "dances", "danced", "danced", "", "tanzen", "tanze", "tanzt", "tanzte", "tanzten", "getanzt", 0, INTRANSITIVE, A, 0},
    {"roll", "rolls", "rolled", "rolled", "", "rollen", "rolle", "rollt", "rollte", "rollten", "gerollt", 0, DIRECTED, A, THING},
    {"lead", "leads", "led", "led", "", "führen", "führe", "führt", "führte", "führten", "geführt", 0, DIRECTED, A, BEING},
    {"think", "thinks", "thought", "thought", "", "denken", "denke", "denkt", "dachte", "dachten", "gedacht", 0, SPEECH, A, 0},
    {"read", "reads", "read", "read", "", "lesen", "lese", "liest", "las", "lasen", "gelesen", 0, TRANSITIVE, A, READING},
    {"close", "closes", "closed", "closed", "zu", "machen", "mache", "macht", "machte", "machten", "zugemacht", 0, TRANSITIVE, A, OPENING},
    {"send", "sends", "sent", "sent", "", "schicken", "schicke", "schickt", "schickte", "schickten", "geschickt", 0, DITRANSITIVE, A, THING},
    {"thank", "thanks", "thanked", "thanked", "", "danken", "danke", "dankt", "dankte", "dankten", "gedankt", 0, TRANSITIVE, D, HUMAN},
    {"drag", "drags", "dragged", "dragged", "", "schleppen", "schleppe", "schleppt", "schleppte", "schleppten", "geschleppt", 0, DIRECTED, A, THING | ANIMAL},
    {"forget", "forgets", "forgot", "forgotten", "", "vergessen", "vergesse", "vergisst", "vergaß", "vergaßen", "vergessen", 0, TRANSITIVE, A, ANY},
    {"wait", "waits", "waited", "waited", "", "warten", "warte", "wartet", "wartete", "warteten", "gewartet", 0, INTRANSITIVE, A, 0},
    {"meet", "meets", "met", "met", "", "treffen", "treffe", "trifft", "traf", "trafen", "getroffen", 0, TRANSITIVE, A, HUMAN},
    {"hope", "hopes", "hoped", "hoped", "", "hoffen", "hoffe", "hofft", "hoffte", "hofften", "gehofft", 0, SPEECH, A, 0},
    {"chase", "chases", "chased", "chased", "", "jagen", "jage", "jagt", "jagte", "jagten", "gejagt", 0, DIRECTED, A, BEING},
    {"watch", "watches", "watched", "watched", "zu", "sehen", "sehe", "sieht", "sah", "sahen", "zugesehen", 0, TRANSITIVE, D, BEING},
    {"return", "returns", "returned", "returned", "zurück", "kehren", "kehre", "kehrt", "kehrte", "kehrten", "zurückgekehrt", 1, MOTION, A, 0},
    {"describe", "describes", "described", "described", "", "beschreiben", "beschreibe", "beschreibt", "beschrieb", "beschrieben", "beschrieben", 0, TRANSITIVE, A, ANY},
    {"admit", "admits", "admitted", "admitted", "zu", "geben", "gebe", "gibt", "gab", "gaben", "zugegeben", 0, SPEECH, A, 0},
    {"cry", "cries", "cried", "cried", "", "weinen", "weine", "weint", "weinte", "weinten", "geweint", 0, INTRANSITIVE, A, 0},
    {"touch", "touches", "touched", "touched", "", "berühren", "berühre", "berührt", "berührte", "berührten", "berührt", 0, TRANSITIVE, A, ANY},
    {"offer", "offers", "offered", "offered", "an", "bieten", "biete", "bietet", "bot", "boten", "angeboten", 0, DITRANSITIVE, A, THING},
    {"lift", "lifts", "lifted", "lifted", "", "heben", "hebe", "hebt", "hob", "hoben", "gehoben", 0, DIRECTED, A, THING | ANIMAL},
    {"visit", "visits", "visited", "visited", "", "besuchen", "besuche", "besucht", "besuchte", "besuchten", "besucht", 0, TRANSITIVE, A, HUMAN},
    {"sell", "sells", "sold", "sold", "", "verkaufen", "verkaufe", "verkauft", "verkaufte", "verkauften", "verkauft", 0, TRANSITIVE, A, THING | ANIMAL},
    {"claim", "claims", "claimed", "claimed", "", "behaupten", "behaupte", "behauptet", "behauptete", "behaupteten", "behauptet", 0, SPEECH, A, 0},
    {"dream", "dreams", "dreamed", "dreamed", "", "träumen", "träume", "träumt", "träumte", "träumten", "geträumt", 0, INTRANSITIVE, A, 0},
    {"lend", "lends", "lent", "lent", "", "leihen", "leihe", "leiht", "lieh", "liehen", "geliehen", 0, DITRANSITIVE, A, THING},
    {"trust", "trusts", "trusted", "trusted", "", "vertrauen", "vertraue", "vertraut", "vertraute", "vertrauten", "vertraut", 0, TRANSITIVE, D, HUMAN},
    {"notice", "notices", "noticed", "noticed", "", "bemerken", "bemerke", "bemerkt", "bemerkte", "bemerkten", "bemerkt", 0, SPEECH, A, 0},
    {"introduce", "introduces", "introduced", "introduced", "vor", "stellen", "stelle", "stellt", "stellte", "stellten", "vorgestellt", 0, TRANSITIVE, A, HUMAN},
    {"depart", "departs", "departed", "departed", "ab", "reisen", "reise", "reist", "reiste", "reisten", "abgereist", 1, MOTION, A, 0},
    {"draw", "draws", "drew", "drawn", "", "zeichnen", "zeichne", "zeichnet", "zeichnete", "zeichneten", "gezeichnet", 0, TRANSITIVE, A, ANY},
    {"wash", "washes", "washed", "washed", "", "waschen", "wasche", "wäscht", "wusch", "wuschen", "gewaschen", 0, TRANSITIVE, A, ANY},
    {"smile", "smiles", "smiled", "smiled", "", "lächeln", "lächle", "lächelt", "lächelte", "lächelten", "gelächelt", 0, INTRANSITIVE, A, 0},
    {"steal", "steals", "stole", "stolen", "", "stehlen", "stehle", "stiehlt", "stahl", "stahlen", "gestohlen", 0, TRANSITIVE, A, THING | ANIMAL},
    {"admire", "admires", "admired", "admired", "", "bewundern", "bewundere", "bewundert", "bewunderte", "bewunderten", "bewundert", 0, TRANSITIVE, A, ANY},
    {"obey", "obeys", "obeyed", "obeyed", "", "gehorchen", "gehorche", "gehorcht", "gehorchte", "gehorchten", "gehorcht", 0, TRANSITIVE, D, HUMAN},
    {"fling", "flings", "flung", "flung", "", "schleudern", "schleudere", "schleudert", "schleuderte", "schleuderten", "geschleudert", 0, DIRECTED, A, THING},
    {"need", "needs", "needed", "needed", "", "brauchen", "brauche", "braucht", "brauchte", "brauchten", "gebraucht", 0, TRANSITIVE, A, ANY},
    {"write", "writes", "wrote", "written", "", "schreiben", "schreibe", "schreibt", "schrieb", "schrieben", "geschrieben", 0, SPEECH, A, 0},
    {"disappear", "disappears", "disappeared", "disappeared", "", "verschwinden", "verschwinde", "verschwindet", "verschwand", "verschwanden", "verschwunden", 1, MOTION, A, 0},
    {"bring along", "brings along", "brought along", "brought along", "mit", "bringen", "bringe", "bringt", "brachte", "brachten", "mitgebracht", 0, TRANSITIVE, A, ANY},
    {"hate", "hates", "hated", "hated", "", "hassen", "hasse", "hasst", "hasste", "hassten", "gehasst", 0, TRANSITIVE, A, BEING},
    {"lose", "loses", "lost", "lost", "", "verlieren", "verliere", "verliert", "verlor", "verloren", "verloren", 0, TRANSITIVE, A, THING},
    {"get up", "gets up", "got up", "got up", "auf", "stehen", "stehe", "steht", "stand", "standen", "aufgestanden", 1, MOTION, A, 0},
    {"buy", "buys", "bought", "bought", "", "kaufen", "kaufe", "kauft", "kaufte", "kauften", "gekauft", 0, TRANSITIVE, A, THING | ANIMAL},
    {"protect", "protects", "protected", "protected", "", "schützen", "schütze", "schützt", "schützte", "schützten", "geschützt", 0, TRANSITIVE, A, BEING},
    {"report", "reports", "reported", "reported", "", "berichten", "berichte", "berichtet", "berichtete", "berichteten", "berichtet", 0, SPEECH, A, 0},
};
/* clang-format on */

const int verb_count = (int)(sizeof verbs / sizeof verbs[0]);
