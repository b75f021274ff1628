/*
 * splitting.c: which pairs of a corpus are for training, which for development, which for testing.
 *
 * A pair goes by the hash of its text under the seed: the lowest hashes are for development, the
 * highest for testing. So a pair's part depends neither on its place nor, where parts are shares,
 * on the other pairs, and what is equal goes the same way.
 */
#include "text/clean/splitting.h"

#include "text/clean/seen.h"

const char *const dgm_split_by_words[DGM_SPLIT_BYS] = { "source", "target", "pair" };

int dgm_splitting_leaves_nothing(const struct dgm_splitting *splitting)
{
    return splitting->dev.bound >= UINT64_MAX - splitting->test.bound;
}

/* The rank of a pair on the way to development; on that to testing it is the complement. */
static uint64_t rank_of(const struct dgm_splitting *splitting, const struct dgm_split_pair *pair)
{
    uint64_t hash[2];

    if (splitting->by == DGM_SPLIT_BY_PAIR)
        dgm_seen_hash(hash, splitting->seed, pair->source, pair->source_bytes,
                      pair->target_bytes > 0 ? pair->target : "", pair->target_bytes);
    else if (splitting->by == DGM_SPLIT_BY_TARGET)
        dgm_seen_hash(hash, splitting->seed, pair->target, pair->target_bytes, NULL, 0);
    else
        dgm_seen_hash(hash, splitting->seed, pair->source, pair->source_bytes, NULL, 0);
    return hash[0];
}

dgm_status dgm_splitting_count(struct dgm_env *env, struct dgm_splitting *splitting,
                               const struct dgm_split_pair *pair)
{
    const uint64_t rank = rank_of(splitting, pair);

    if (splitting->dev.counts)
        DGM_TRY(dgm_lowest_add(env, &splitting->dev.lowest, rank));
    if (splitting->test.counts)
        DGM_TRY(dgm_lowest_add(env, &splitting->test.lowest, ~rank));
    splitting->pairs++;
    return DGM_OK;
}

static void bound(struct dgm_env *env, struct dgm_split_share *part)
{
    if (!part->counts)
        return;
    part->bound = dgm_lowest_bound(&part->lowest);
    dgm_lowest_clear(env, &part->lowest);
}

/* Ends the first pass. */
static dgm_status set_bounds(struct dgm_env *env, struct dgm_splitting *splitting)
{
    const size_t wanted = splitting->dev.lowest.wanted + splitting->test.lowest.wanted;

    if (!splitting->is_bounded) {
        bound(env, &splitting->dev);
        bound(env, &splitting->test);
        splitting->is_bounded = 1;
        splitting->takes_all =
            splitting->pairs <= wanted || dgm_splitting_leaves_nothing(splitting);
    }
    if (!splitting->takes_all)
        return DGM_OK;
    return dgm_fail(env, DGM_DATA,
                    "%zu pairs are all that there are, and nothing would be left to train on; "
                    "expected more of them, or smaller parts for development and testing",
                    (size_t)splitting->pairs);
}

dgm_status dgm_splitting_part(struct dgm_env *env, struct dgm_splitting *splitting,
                              const struct dgm_split_pair *pair, dgm_split_part *part)
{
    const uint64_t rank = rank_of(splitting, pair);

    DGM_TRY(set_bounds(env, splitting));
    *part = rank < splitting->dev.bound     ? DGM_SPLIT_DEV
            : ~rank < splitting->test.bound ? DGM_SPLIT_TEST
                                            : DGM_SPLIT_TRAIN;
    return DGM_OK;
}

void dgm_splitting_clear(struct dgm_env *env, struct dgm_splitting *splitting)
{
    dgm_lowest_clear(env, &splitting->dev.lowest);
    dgm_lowest_clear(env, &splitting->test.lowest);
}
