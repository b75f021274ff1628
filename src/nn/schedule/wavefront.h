/*
 * wavefront.h: in which order the states of a recurrent encoder are computed, all sentences of a
 * packed batch at once: every row that can be computed at a step is computed at it.
 *
 * The states are one array H: roots first, then one row per position and chain, by (step, side).
 * A side is a set of weights. Schedules are staged into a feed; graph/ops.h says how the
 * recurrent operations read them.
 */
#ifndef DGM_NN_SCHEDULE_WAVEFRONT_H
#define DGM_NN_SCHEDULE_WAVEFRONT_H

#include "graph/ops.h"
#include "nn/feed.h"

/* The sides of a dependency wavefront. */
enum { DGM_LEFT_DEPENDENTS, DGM_RIGHT_DEPENDENTS };

struct dgm_wavefront_side {
    int64_t rows;
    dgm_slot parent, sibling; /* int32 (rows of the side): rows of H */
    dgm_slot source;          /* int32 (rows of the side): packed position of the row's input */
};

/* Zeroed: empty. Owns `blocks` and `work`, which are reused by the next staging. */
struct dgm_wavefront {
    int64_t roots, rows; /* H has roots + rows rows */
    int64_t positions;   /* N of the batch */
    int sides, block_count;
    int32_t steps; /* batched steps, the longest dependency path */
    struct dgm_wavefront_side side[DGM_GRU_SIDES];
    dgm_slot where[DGM_GRU_SIDES]; /* int32 (N): row of H of every position; [side] with chains,
                                        [0] alone with dependencies */
    struct dgm_gru_block *blocks;
    int32_t *work;
    size_t block_capacity, work_capacity;
};

void dgm_wavefront_clear(struct dgm_env *env, struct dgm_wavefront *w);

/*
 * Stages the lexicalised dependency encoder's schedule (Yang, Wong, Chao, Zhang, 2019): a state
 * follows from its head's state and from that of the nearer sibling on the same side of the head,
 * the head itself for the nearest one. Rows offsets[s] .. offsets[s+1]-1 are sentence s; heads (N)
 * count within the sentence, own index: a root. Roots are right dependents of row s of H.
 * Within a (step, side) block all parents differ; rows whose sibling is the head come first, and
 * the siblings differ within these and within the others. Bad heads and cycles are DGM_DATA.
 */
dgm_status dgm_wavefront_dependency(struct dgm_env *env, struct dgm_feed *feed,
                                    struct dgm_wavefront *w, const int32_t *offsets, int32_t count,
                                    const int32_t *heads);

/* One chain through every sentence: order (N) names positions within the sentence, each once;
 * NULL: as they stand. `backward` reverses it. */
struct dgm_chain {
    const int32_t *order;
    int backward;
};

/*
 * Stages `sides` chains that step together, every one a side of its own. Sentences go by falling
 * length, so that the parents of every block lie side by side; the roots of all sides are rows
 * 0 .. count-1, the sentences in that order.
 */
dgm_status dgm_wavefront_chains(struct dgm_env *env, struct dgm_feed *feed, struct dgm_wavefront *w,
                                const int32_t *offsets, int32_t count,
                                const struct dgm_chain *chains, int sides);

/* What was staged, after dgm_feed_send; valid until the next staging into `w`. */
struct dgm_gru_plan dgm_wavefront_sent(const struct dgm_feed *feed, const struct dgm_wavefront *w);

#endif
