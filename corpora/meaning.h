/*
 * meaning.h: what a sentence says, before it is said in either language.
 *
 * Both languages are read off the same structure, so that translation and trees agree
 * by construction. A `low` flag is a choice of attachment that English does not show:
 * the English words are the same either way, the English tree and the German sentence
 * differ.
 */
#ifndef CORPORA_MEANING_H
#define CORPORA_MEANING_H

#include "base/philox.h"
#include "lexicon.h"
#include "line.h"

struct clause;

struct phrase {
    const struct noun *noun; /* or: */
    const struct pronoun *pronoun;
    int plural;
    const struct determiner *determiner; /* NULL: none */
    const struct adjective *adjective;   /* or NULL, as all below */
    struct phrase *genitive;             /* the door OF THE CHURCH */
    const struct preposition *preposition;
    struct phrase *place;  /* the dog BEHIND THE HOUSE */
    struct phrase *second; /* the dog AND THE CAT */
    struct clause *relative;
    int relative_low; /* the relative clause modifies the noun inside, not this one */
};

enum tense { PRESENT, PAST, PERFECT, MODAL };

/* Which part of a relative clause is the relative pronoun. */
enum gap { NO_GAP, SUBJECT_GAP, OBJECT_GAP };

struct clause {
    struct phrase *subject, *object, *recipient;
    const struct verb *verb;           /* or: */
    const struct adjective *predicate; /* is tired */
    enum tense tense;
    const struct modal *modal;
    enum gap gap;
    const struct preposition *preposition;
    struct phrase *place;
    int place_low;              /* the PP modifies the object, not the verb */
    const struct adverb *front; /* first in the sentence */
    const struct adverb *early; /* between subject and verb */
    int early_low;              /* it modifies the relative clause of the subject */
    const struct adverb *late;  /* at the end */
    int late_low;               /* it modifies the clause at the end of this one */
    struct clause *content;     /* says THAT ... */
    const struct conjunction *conjunction;
    struct clause *circumstance; /* BECAUSE ... */
    int circumstance_first;
    struct clause *second; /* ..., AND ... */
    int but;
    const struct adverb *handed; /* an outer adverb that belongs here (meaning_settle) */
};

#define MEANING_PHRASES 40
#define MEANING_CLAUSES 16
#define MEANING_SITES 12

struct meaning {
    struct phrase phrase[MEANING_PHRASES];
    struct clause clause[MEANING_CLAUSES];
    int phrases, clauses;
    int *site[MEANING_SITES]; /* the `low` flags that were drawn */
    int sites;
    struct clause *main;
};

/* Draws a sentence; 0 where it grew beyond the room above, and another must be drawn. */
int meaning_draw(struct meaning *meaning, struct dgm_random *random);

/* Hands adverbs to the clauses that the `low` flags say; to be called after a flag
 * changed. */
void meaning_settle(struct meaning *meaning);

/* Number of the verb's subject, for agreement; `antecedent` is what a relative clause
 * modifies. */
int meaning_is_plural(const struct clause *clause, int antecedent_plural);
int meaning_person(const struct clause *clause);

/* The clause at the very end of a phrase or clause, or NULL. */
struct clause *meaning_last_relative(const struct phrase *phrase);
struct clause *meaning_last_clause(const struct clause *clause);

int english_say(struct meaning *meaning, struct line *line);
int german_say(struct meaning *meaning, struct line *line);

#endif
