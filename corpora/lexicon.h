/*
 * lexicon.h: the words of the built-in treebank, each entry an English word and its
 * German one.
 *
 * Frequent words come first in each table: the generator prefers the front. German noun
 * forms that follow from the others (dative plural) are not listed, nor are adjective
 * endings.
 */
#ifndef CORPORA_LEXICON_H
#define CORPORA_LEXICON_H

enum gender { MASCULINE, FEMININE, NEUTER };
enum grammatical_case { NOMINATIVE, ACCUSATIVE, DATIVE, GENITIVE };

/* What a noun means, as far as verbs and prepositions care. */
enum {
    HUMAN = 1,
    ANIMAL = 2,
    THING = 4,    /* can be thrown, carried, given */
    TOOL = 8,     /* something is done with it */
    PLACE = 16,   /* something is behind it or beside it */
    INSIDE = 32,  /* something is in it */
    SURFACE = 64, /* something is on it */
    COVER = 128,  /* something is under it */
    KIN = 256,    /* is somebody's: the mother of the child */
    PART = 512,   /* belongs to a place: the door of the church */
    READING = 1024,
    OPENING = 2048
};

struct noun {
    const char *en, *en_plural;
    const char *de, *de_genitive, *de_plural;
    const char *de_weak; /* accusative and dative singular where they differ, else NULL */
    enum gender gender;
    unsigned sense;
};

enum frame {
    INTRANSITIVE,
    MOTION, /* intransitive; takes no PP, for its case would not follow from the tree */
    TRANSITIVE,
    DIRECTED,     /* moves its object somewhere */
    DITRANSITIVE, /* recipient and thing */
    SPEECH        /* that-clause */
};

struct verb {
    const char *en, *en_third, *en_past, *en_participle;
    const char *de_prefix;                                           /* separable, else "" */
    const char *de, *de_first, *de_third, *de_past, *de_past_plural; /* without the prefix */
    const char *de_participle;                                       /* whole */
    int with_sein;
    enum frame frame;
    enum grammatical_case object_case;
    unsigned object; /* senses of its object */
};

struct adjective {
    const char *en, *de; /* German: as a predicate */
    const char *de_stem; /* before an ending */
    unsigned sense;      /* of the nouns it goes with */
};

/* Where an English adverb stands. */
enum position {
    EARLY,  /* before the verb */
    LATE,   /* at the end */
    MOVABLE /* at the end or at the beginning */
};

enum when { ANY_TIME, PAST_TIME, FUTURE_TIME };

struct adverb {
    const char *en, *de;
    enum position position;
    enum when when;
};

struct preposition {
    const char *en, *de;
    enum grammatical_case governs; /* at rest */
    int two_way;                   /* with the accusative for a direction */
    unsigned sense;                /* of its noun */
};

struct pronoun {
    const char *en_subject, *en_object;
    const char *de[3]; /* nominative, accusative, dative */
    int person, plural;
};

struct modal {
    const char *en;
    const char *de, *de_first, *de_third, *de_plural; /* infinitive, finite forms */
    enum when when;
};

struct conjunction {
    const char *en, *de;
};

/* Nouns have determiners of one of these German declensions. */
enum declension { LIKE_DER, LIKE_EIN, LIKE_NONE };

struct determiner {
    const char *en, *en_plural; /* NULL: not with this number */
    const char *de;             /* lemma, or stem of LIKE_DER and LIKE_EIN */
    const char *de_plural;      /* where LIKE_NONE: ends in -e if it is declined */
    enum declension declension;
    const char *upos_en, *deprel_en, *upos_de, *deprel_de;
    int weight;   /* how often it is chosen, in 1/100 */
    int genitive; /* may stand in a genitive */
};

extern const struct noun nouns[];
extern const struct verb verbs[];
extern const struct adjective adjectives[];
extern const struct adverb adverbs[];
extern const struct preposition prepositions[];
extern const struct pronoun pronouns[];
extern const struct modal modals[];
extern const struct conjunction conjunctions[];
extern const struct determiner determiners[];
extern const int noun_count, verb_count, adjective_count, adverb_count, preposition_count,
    pronoun_count, modal_count, conjunction_count, determiner_count;

#endif
