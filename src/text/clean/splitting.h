/*
 * splitting.h: which pairs of a corpus are for training, which for development, which for testing.
 */
#ifndef DGM_TEXT_CLEAN_SPLITTING_H
#define DGM_TEXT_CLEAN_SPLITTING_H

#include "text/clean/lowest.h"

/* Whose text decides. */
enum dgm_split_by { DGM_SPLIT_BY_SOURCE, DGM_SPLIT_BY_TARGET, DGM_SPLIT_BY_PAIR, DGM_SPLIT_BYS };
extern const char *const dgm_split_by_words[DGM_SPLIT_BYS];

/* A part that is not for training: of all texts whose rank is below a bound. */
struct dgm_split_share {
    int counts;               /* its size is a number of pairs, so that the bound is to be found */
    struct dgm_lowest lowest; /* the ranks of a first pass */
    uint64_t bound;           /* 0: no such part */
};

/* Zero-initialise, but for what is wanted: whose text, the seed, sizes of the parts (of numbers of
 * pairs lowest.wanted), whether bounds are known. */
struct dgm_splitting {
    enum dgm_split_by by;
    uint64_t seed;
    struct dgm_split_share dev, test;
    uint64_t pairs; /* of the first pass */
    int is_bounded; /* the bounds are known: no pair is counted any more */
    int takes_all;  /* these bounds leave nothing to train on */
};

struct dgm_split_pair {
    const char *source, *target;
    size_t source_bytes, target_bytes;
};

/* Whether no text is left between the parts: both count from an end of the same range. */
int dgm_splitting_leaves_nothing(const struct dgm_splitting *splitting);
/* A pair of the first pass, which only sizes in numbers need. */
dgm_status dgm_splitting_count(struct dgm_env *env, struct dgm_splitting *splitting,
                               const struct dgm_split_pair *pair);
/* The part of a pair. The first one ends the first pass. DGM_DATA where nothing is left to train
 * on. */
dgm_status dgm_splitting_part(struct dgm_env *env, struct dgm_splitting *splitting,
                              const struct dgm_split_pair *pair, dgm_split_part *part);
void dgm_splitting_clear(struct dgm_env *env, struct dgm_splitting *splitting);

#endif
