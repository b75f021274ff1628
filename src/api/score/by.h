/*
 * by.h: the words of a reference in groups, as by_reference.c reads them and score_by.c compares
 * systems with them.
 */
#ifndef DGM_API_SCORE_BY_H
#define DGM_API_SCORE_BY_H

#include "api/program.h"
#include "api/score/scorer.h"
#include "text/score/bleu.h"
#include "text/score/by/by.h"

enum { DGM_BY_MOST_GROUPS = 1000 };

struct dgm_by_token {
    uint32_t word; /* key of the cutter's words */
    uint32_t group;
};

/* Sums of a system in a group. */
struct dgm_by_sum {
    double matched; /* words of the reference that it has */
    int64_t said;   /* its own words, where the criterion knows their group */
};

struct dgm_score_by {
    struct dgm_context *context;
    const struct dgm_by *by;
    struct dgm_scorer *cutter; /* of BLEU: cuts lines into words as its options say */
    struct dgm_map seen;       /* words of the training text: how often */
    struct dgm_map names;      /* of groups; values: words of the reference, or lines */
    int32_t *places;           /* (groups) */
    uint32_t *order;           /* (groups) of tables */
    size_t place_capacity, order_capacity;
    struct dgm_by_token *tokens; /* of all lines of the reference */
    size_t token_count, token_capacity;
    size_t *ends; /* (lines) tokens up to the end of each */
    size_t line_count, line_capacity;
    long cut_otherwise; /* words of trees that are none in the lines of the reference */
    size_t systems;
    struct dgm_by_sum *sums; /* (systems, DGM_BY_MOST_GROUPS) */
    int32_t *have, *want;    /* of each word, in a line of a system and of the reference */
    size_t have_capacity, want_capacity;
};

static inline struct dgm_bleu *dgm_by_cutter(const struct dgm_score_by *by)
{
    return by->cutter->measure.state;
}

/* The number of a word's group. */
dgm_status dgm_by_group_of(struct dgm_score_by *by, const struct dgm_by_word *word,
                           uint32_t *group);
/* The same of a word of a system's line, or of the reference, that is told apart by itself. */
dgm_status dgm_by_group_of_key(struct dgm_score_by *by, uint32_t key, int32_t words,
                               uint32_t *group);
/* Makes room in have and want for all words so far. */
dgm_status dgm_by_make_room(struct dgm_score_by *by);
/* Reads the training text and the reference with its trees. */
dgm_status dgm_by_read_reference(struct dgm_score_by *by, const struct dgm_score_by_asked *asked);

#endif
