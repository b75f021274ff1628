/*
 * draw.h: what the drawing of a sentence needs: chances, room, words.
 */
#ifndef CORPORA_DRAW_H
#define CORPORA_DRAW_H

#include "base/philox.h"
#include "meaning.h"

/* The state of one drawing. */
struct draw {
    struct meaning *meaning;
    struct dgm_random *random;
    int full; /* the room was used up: draw again */
};

int draw_below(struct draw *draw, int n);
int draw_chance(struct draw *draw, int percent);
/* An index below n, small ones more often. */
int draw_front(struct draw *draw, int n);
/* A fair coin for a choice of attachment, registered as a site of the sentence. */
int draw_toss(struct draw *draw, int *flag);

/* Zeroed; where the room is used up, draw->full is set and some old one returned. */
struct phrase *draw_new_phrase(struct draw *draw);
struct clause *draw_new_clause(struct draw *draw);

/* A noun of one of these senses that the sentence does not hold yet. */
const struct noun *draw_noun(struct draw *draw, unsigned sense);
const struct adjective *draw_adjective(struct draw *draw, unsigned sense);
/* NULL: none. */
const struct determiner *draw_determiner(struct draw *draw, int plural, int genitive);
/* An adverb for either of two clauses: the one it stands in and the one it may belong
 * to. */
const struct adverb *draw_adverb(struct draw *draw, enum position position, const struct clause *a,
                                 const struct clause *b);
/* A verb of this frame; `object`: senses of which its object has one, 0 for any verb. */
const struct verb *draw_verb(struct draw *draw, enum frame frame, unsigned object);

#endif
