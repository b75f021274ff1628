/*
 * german_phrase.c: German noun phrases: declension of determiners, adjectives and
 * nouns, the contractions im and ins, and what the tree says a relative pronoun agrees
 * with.
 */
#include "german.h"

#include <stdio.h>
#include <string.h>

/* Columns of the tables: masculine, feminine, neuter, plural. Rows: the four cases. */
static const char *const definite[4][4] = {
    { "der", "die", "das", "die" },
    { "den", "die", "das", "die" },
    { "dem", "der", "dem", "den" },
    { "des", "der", "des", "der" },
};
static const char *const strong_ending[4][4] = {
    { "er", "e", "es", "e" },
    { "en", "e", "es", "e" },
    { "em", "er", "em", "en" },
    { "es", "er", "es", "er" },
};
static const char *const weak_ending[4][4] = {
    { "e", "e", "e", "en" },
    { "en", "e", "e", "en" },
    { "en", "en", "en", "en" },
    { "en", "en", "en", "en" },
};
/* Where `ein` shows no ending, the adjective after it takes over the strong one. */
static const char *const mixed_ending[4][4] = {
    { "er", "e", "es", "en" },
    { "en", "e", "es", "en" },
    { "en", "en", "en", "en" },
    { "en", "en", "en", "en" },
};

static int column(enum gender gender, int plural)
{
    return plural ? 3 : (int)gender;
}

const char *german_relative_form(const struct german_noun *antecedent, enum grammatical_case role)
{
    if (role == DATIVE && antecedent->plural)
        return "denen";
    return definite[role][column(antecedent->gender, antecedent->plural)];
}

static void write_feats(char feats[64], enum grammatical_case role, enum gender gender, int plural)
{
    static const char *const cases[] = { "Nom", "Acc", "Dat", "Gen" };
    static const char *const genders[] = { "Masc", "Fem", "Neut" };

    snprintf(feats, 64, "Case=%s|Gender=%s|Number=%s", cases[role], genders[gender],
             plural ? "Plur" : "Sing");
}

/* ein, kein, mein, ... end in nothing before masculine and neuter nominatives. */
static const char *ein_ending(enum grammatical_case role, int at)
{
    int bare = (role == NOMINATIVE && (at == MASCULINE || at == NEUTER)) ||
               (role == ACCUSATIVE && at == NEUTER);

    return bare ? "" : strong_ending[role][at];
}

static void decline_determiner(char form[40], const struct phrase *phrase,
                               enum grammatical_case role)
{
    const struct determiner *determiner = phrase->determiner;
    int at = column(phrase->noun->gender, phrase->plural);

    if (determiner->declension == LIKE_NONE) {
        size_t length = strlen(determiner->de_plural);
        int declined = determiner->de_plural[length - 1] == 'e';

        snprintf(form, 40, "%s%s", determiner->de_plural, declined && role == DATIVE ? "n" : "");
    } else if (strcmp(determiner->de, "d") == 0) {
        snprintf(form, 40, "%s", definite[role][at]);
    } else {
        snprintf(form, 40, "%s%s", determiner->de,
                 determiner->declension == LIKE_DER ? strong_ending[role][at]
                                                    : ein_ending(role, at));
    }
}

static const char *adjective_ending(const struct phrase *phrase, enum grammatical_case role)
{
    int at = column(phrase->noun->gender, phrase->plural);

    if (phrase->determiner == NULL || phrase->determiner->declension == LIKE_NONE)
        return strong_ending[role][at];
    return phrase->determiner->declension == LIKE_DER ? weak_ending[role][at]
                                                      : mixed_ending[role][at];
}

static void decline_noun(char form[40], const struct phrase *phrase, enum grammatical_case role)
{
    const struct noun *noun = phrase->noun;
    size_t length = strlen(noun->de_plural);

    if (phrase->plural)
        snprintf(form, 40, "%s%s", noun->de_plural,
                 role == DATIVE && strchr("ns", noun->de_plural[length - 1]) == NULL ? "n" : "");
    else if (role == GENITIVE)
        snprintf(form, 40, "%s", noun->de_genitive);
    else
        snprintf(form, 40, "%s",
                 role != NOMINATIVE && noun->de_weak != NULL ? noun->de_weak : noun->de);
}

/* ---- saying ----------------------------------------------------------------------- */

static int say_determiner(struct line *line, const struct phrase *phrase,
                          enum grammatical_case role, const char *feats)
{
    const struct determiner *determiner = phrase->determiner;
    char form[40], lemma[40];

    decline_determiner(form, phrase, role);
    if (determiner->declension == LIKE_NONE)
        snprintf(lemma, sizeof lemma, "%s", determiner->de);
    else
        snprintf(lemma, sizeof lemma, "%s%s", determiner->de,
                 determiner->declension == LIKE_DER ? "er" : "");
    return line_put(line, form, lemma, determiner->upos_de,
                    determiner->declension == LIKE_NONE ? "" : feats);
}

static int say_noun(struct line *line, const struct phrase *phrase, enum grammatical_case role,
                    int without_determiner)
{
    int determiner = -1;
    int adjective = -1;
    int noun;
    char feats[64], form[40];

    write_feats(feats, role, phrase->noun->gender, phrase->plural);
    if (phrase->determiner != NULL && !without_determiner)
        determiner = say_determiner(line, phrase, role, feats);
    if (phrase->adjective != NULL) {
        snprintf(form, sizeof form, "%s%s", phrase->adjective->de_stem,
                 adjective_ending(phrase, role));
        adjective = line_put(line, form, phrase->adjective->de, "ADJ", feats);
    }
    decline_noun(form, phrase, role);
    noun = line_put(line, form, phrase->noun->de, "NOUN", feats);
    if (determiner >= 0)
        line_attach(line, determiner, noun, phrase->determiner->deprel_de);
    if (adjective >= 0)
        line_attach(line, adjective, noun, "amod");
    return noun;
}

static int say_inner(struct line *line, const struct phrase *phrase, enum grammatical_case role,
                     int noun)
{
    int modified = phrase->relative != NULL && phrase->relative_low;
    int inner = noun;

    if (phrase->genitive != NULL) {
        inner = german_say_phrase(line, phrase->genitive, GENITIVE);
        line_attach(line, inner, noun, "nmod");
    } else if (phrase->place != NULL) {
        inner = german_say_prepositional(line, phrase->preposition, phrase->preposition->governs,
                                         phrase->place, modified);
        line_attach(line, inner, noun, "nmod");
    } else if (phrase->second != NULL) {
        int and = line_put(line, "und", "und", "CCONJ", "");

        inner = german_say_phrase(line, phrase->second, role);
        line_attach(line, and, inner, "cc");
        line_attach(line, inner, noun, "conj");
    }
    return inner;
}

/* The noun a relative clause belongs to; two nouns joined by `und` are a plural. */
static struct german_noun find_antecedent(const struct phrase *phrase)
{
    const struct phrase *owner = phrase;
    struct german_noun found;

    if (phrase->relative_low)
        owner = phrase->genitive ? phrase->genitive
                : phrase->place  ? phrase->place
                                 : phrase->second;
    found.gender = owner->noun->gender;
    found.plural = owner->plural || owner->second != NULL;
    return found;
}

static int say_rest(struct line *line, const struct phrase *phrase, enum grammatical_case role,
                    int noun)
{
    int inner = say_inner(line, phrase, role, noun);

    if (phrase->relative != NULL) {
        struct german_noun antecedent = find_antecedent(phrase);
        int verb = german_say_relative(line, phrase->relative, &antecedent);

        line_attach(line, verb, phrase->relative_low ? inner : noun, "acl:relcl");
    }
    return noun;
}

int german_say_phrase(struct line *line, const struct phrase *phrase, enum grammatical_case role)
{
    if (phrase->pronoun != NULL)
        return line_put(line, phrase->pronoun->de[role], phrase->pronoun->de[NOMINATIVE], "PRON",
                        role == NOMINATIVE ? "Case=Nom"
                        : role == DATIVE   ? "Case=Dat"
                                           : "Case=Acc");
    return say_rest(line, phrase, role, say_noun(line, phrase, role, 0));
}

/* `im`, `ins`, or NULL. A noun with a restrictive relative clause keeps its full article:
 * `in dem Haus, das ...`. */
static const char *contraction(const struct preposition *preposition, enum grammatical_case role,
                               const struct phrase *phrase, int modified)
{
    int own = phrase->relative != NULL && !phrase->relative_low;

    if (strcmp(preposition->de, "in") != 0 || phrase->determiner != &determiners[0] ||
        phrase->plural || phrase->noun->gender == FEMININE || own || modified)
        return NULL;
    if (role == DATIVE)
        return "im";
    return phrase->noun->gender == NEUTER ? "ins" : NULL;
}

int german_say_prepositional(struct line *line, const struct preposition *preposition,
                             enum grammatical_case role, const struct phrase *phrase, int modified)
{
    const char *contracted = contraction(preposition, role, phrase, modified);
    int marker =
        line_put(line, contracted ? contracted : preposition->de, preposition->de, "ADP", "");
    int noun = say_noun(line, phrase, role, contracted != NULL);

    line_attach(line, marker, noun, "case");
    return say_rest(line, phrase, role, noun);
}
