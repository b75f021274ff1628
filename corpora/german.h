/*
 * german.h: the German noun phrase, apart from the clauses.
 */
#ifndef CORPORA_GERMAN_H
#define CORPORA_GERMAN_H

#include "meaning.h"

/* What a relative pronoun agrees with. */
struct german_noun {
    enum gender gender;
    int plural;
};

/* der, die, das, den, dem, denen. */
const char *german_relative_form(const struct german_noun *antecedent, enum grammatical_case role);

/* Says a phrase and returns its noun. */
int german_say_phrase(struct line *line, const struct phrase *phrase, enum grammatical_case role);

/* The same behind a preposition. `modified`: an outer relative clause belongs to the
 * noun. */
int german_say_prepositional(struct line *line, const struct preposition *preposition,
                             enum grammatical_case role, const struct phrase *phrase, int modified);

/* A relative clause between commas; returns its verb. */
int german_say_relative(struct line *line, const struct clause *clause,
                        const struct german_noun *antecedent);

#endif
