/*
 * place.h: spans that were taken out of a line, and where they stand among the words of its
 * translation.
 *
 * A tag that opens and the one that closes it stand around the words that come from those between
 * them; any other span before the word that comes from the one behind it, or else behind the word
 * that comes from the one before it. One whose slot came out stands there. Tags are nested as they
 * were: what was inside stays inside, what stood beside stands beside, in the order of the
 * translation.
 */
#ifndef DGM_TEXT_SPAN_PLACE_H
#define DGM_TEXT_SPAN_PLACE_H

#include "base/buf.h"
#include "text/span/span.h"

/* A span that was taken out of a line. */
struct dgm_taken {
    struct dgm_line_span span; /* bytes of the line */
    int32_t words;             /* of the line before it */
    int32_t mate; /* the item that closes the tag which this one opens, or that opens it;
                           * -1: none */
};

/* Which tags belong together: of one name, without others between that are left open. */
dgm_status dgm_taken_pair(struct dgm_env *env, struct dgm_taken *items, size_t count,
                          const char *line);

/* The words of a translation, and the word of the line that each comes from, or -1. */
struct dgm_come_from {
    const int32_t *words; /* (count) */
    int32_t count;
    int32_t of;           /* words of the line */
    const int32_t *known; /* of each item: words of the translation before it, where a slot says
                           * so; -1: none does. NULL: of no item */
};

/* Zeroed is valid; reused; cleared. */
struct dgm_places {
    int32_t *gaps;  /* (count) words of the translation before each item */
    int32_t *order; /* (count) items as they follow each other in it: gaps do not fall */
    size_t count;
    size_t gap_capacity, order_capacity, node_capacity, end_capacity[2];
    struct dgm_place_node *nodes; /* at work */
    int32_t *ends[2];             /* at work: the first and the last word from each of the line */
};

dgm_status dgm_places_find(struct dgm_env *env, struct dgm_places *places,
                           const struct dgm_taken *items, size_t count,
                           const struct dgm_come_from *from);
void dgm_places_clear(struct dgm_env *env, struct dgm_places *places);

#endif
