/*
 * match.h: which characters of two ways of writing one text belong together.
 *
 * From left to right, what is equal goes together. Where the texts differ, the shortest stretch is
 * looked for behind which they agree again, in DGM_MATCH_RUN characters or up to the ends of both;
 * its characters are shared out evenly. So no difference, however large, costs what follows it.
 * The time is that of the length of both.
 */
#ifndef DGM_TEXT_MATCH_MATCH_H
#define DGM_TEXT_MATCH_MATCH_H

#include "text/match/written.h"

enum { DGM_MATCH_RUN = 3, DGM_MATCH_REACH = 32 };

/* Zeroed is empty; reused; cleared. */
struct dgm_match {
    /* (units of the first + 1) the unit of the second where each begins, at the end its count:
     * unit i of the first is places[i]..places[i+1]-1 of the second, which may be none. */
    uint32_t *places;
    size_t capacity;
    size_t same; /* units that are equal */
};

dgm_status dgm_match_find(struct dgm_env *env, struct dgm_match *match,
                          const struct dgm_written *first, const struct dgm_written *second);
/* Whether so many units are equal that both are one text: nine of ten. */
int dgm_match_is_one_text(const struct dgm_match *match, const struct dgm_written *first,
                          const struct dgm_written *second);
void dgm_match_clear(struct dgm_env *env, struct dgm_match *match);

#endif
