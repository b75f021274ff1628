/*
 * guided.c: links of words on their way to the device, and the loss of the attention that learns
 * them.
 */
#include "model/guided.h"

#include <string.h>

#include "base/mem.h"
#include "model/decoder.h"

int dgm_guided_layer(const struct dgm_net *net)
{
    const int depth = net->decoder->layers > 0 ? net->decoder->layers : net->config.dec_depth;

    return net->config.guided_layer > 0 ? net->config.guided_layer : depth;
}

/* How many of the rows that stand for a sentence of n positions are its first positions. */
static int64_t count_positions(const struct dgm_net *net, int64_t n)
{
    return net->encoder->positions != NULL ? net->encoder->positions(&net->config, n) : n;
}

int dgm_guided_can(const struct dgm_net *net)
{
    const int depth = net->decoder->layers > 0 ? net->decoder->layers : net->config.dec_depth;

    return net->config.guided_layer <= depth && count_positions(net, 2) > 0;
}

dgm_status dgm_guided_check(struct dgm_env *env, const struct dgm_net *net)
{
    const int depth = net->decoder->layers > 0 ? net->decoder->layers : net->config.dec_depth;

    if (net->config.guided_layer > depth)
        return dgm_fail(env, DGM_USAGE,
                        "--guided-alignment-layer %d of a decoder with %d layer%s; expected one of "
                        "these, from 1",
                        net->config.guided_layer, depth, depth == 1 ? "" : "s");
    if (count_positions(net, 2) == 0)
        return dgm_fail(env, DGM_USAGE,
                        "--guided-alignment of a model that attends to constituents alone, not to "
                        "words; expected another --attend-level");
    return DGM_OK;
}

/* ---- staging --------------------------------------------------------------------------------- */

/* Positions of a word in its sentence: first .. end-1. */
struct range {
    int32_t first, end;
};

/* Those of the words of sentence s, in scratch memory; `most`: positions from there on do not
 * count. */
static dgm_status find_ranges(struct dgm_env *env, struct dgm_arena *scratch,
                              const struct dgm_packed *side, int32_t s, int64_t most,
                              struct range **ranges)
{
    const int32_t words = side->word_offsets[s + 1] - side->word_offsets[s];
    const int32_t *word_of = side->words + side->offsets[s];
    const int32_t n = dgm_packed_length(side, s);

    *ranges = dgm_arena_alloc(env, scratch, (size_t)words + 1, sizeof **ranges);
    if (*ranges == NULL)
        return DGM_MEMORY;
    memset(*ranges, 0, ((size_t)words + 1) * sizeof **ranges);
    for (int32_t i = 0; i < n && i < most; i++) {
        struct range *range = word_of[i] >= 0 ? &(*ranges)[word_of[i]] : NULL;

        if (range == NULL)
            continue;
        if (range->end == 0) /* no position so far */
            range->first = i;
        range->end = i + 1;
    }
    return DGM_OK;
}

/* The links of a sentence pair between words, and where those are. */
struct linked {
    const int32_t *links; /* (2 count) */
    int32_t count;
    int32_t row; /* of the target's first position */
    struct range *words[2];
};

static dgm_status open_linked(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                              const struct dgm_batch *batch, int32_t s, struct linked *linked)
{
    const struct dgm_packed *source = &batch->source, *target = &batch->target;
    const int64_t memory = step->memory.starts[s + 1] - step->memory.starts[s];
    const int64_t positions = count_positions(net, dgm_packed_length(source, s));

    dgm_arena_reset(&step->scratch);
    linked->links = target->links + 2 * (size_t)target->link_offsets[s];
    linked->count = dgm_packed_link_count(target, s);
    linked->row = target->offsets[s];
    DGM_TRY(find_ranges(env, &step->scratch, source, s, positions < memory ? positions : memory,
                        &linked->words[DGM_SOURCE]));
    return find_ranges(env, &step->scratch, target, s, INT32_MAX, &linked->words[DGM_TARGET]);
}

/* Keys of each row, into counts[row + 1]. */
static void count_keys(const struct linked *linked, int32_t *counts)
{
    for (int32_t l = 0; l < linked->count; l++) {
        const struct range from = linked->words[DGM_SOURCE][linked->links[2 * l]];
        const struct range to = linked->words[DGM_TARGET][linked->links[2 * l + 1]];

        for (int32_t i = to.first; i < to.end; i++)
            counts[linked->row + i + 1] += from.end - from.first;
    }
}

/* The keys themselves; next[row]: where its next one goes. */
static void put_keys(const struct linked *linked, int32_t *next, int32_t *keys)
{
    for (int32_t l = 0; l < linked->count; l++) {
        const struct range from = linked->words[DGM_SOURCE][linked->links[2 * l]];
        const struct range to = linked->words[DGM_TARGET][linked->links[2 * l + 1]];

        for (int32_t i = to.first; i < to.end; i++)
            for (int32_t j = from.first; j < from.end; j++)
                keys[next[linked->row + i]++] = j;
    }
}

/* starts (M+1), and the share of a link in each row (M). */
static dgm_status stage_counts(struct dgm_env *env, const struct dgm_net *net,
                               struct dgm_step *step, const struct dgm_batch *batch)
{
    const struct dgm_packed *target = &batch->target;
    struct dgm_guide_slots *guide = &step->guide;
    const size_t rows = (size_t)target->offsets[target->count];
    struct linked linked;
    int32_t *starts;
    int64_t sum = 0;

    DGM_TRY(dgm_feed_take(env, &step->feed, &guide->starts, &starts, (rows + 1) * sizeof *starts));
    for (int32_t s = 0; s < target->count; s++) {
        if (dgm_packed_link_count(target, s) == 0)
            continue;
        DGM_TRY(open_linked(env, net, step, batch, s, &linked));
        count_keys(&linked, starts);
    }
    for (size_t i = 0; i < rows; i++) {
        guide->rows += starts[i + 1] > 0;
        sum += starts[i + 1];
        if (sum > INT32_MAX)
            return dgm_fail(env, DGM_DATA,
                            "a batch with more than %d links; expected a smaller --batch-tokens",
                            (int)INT32_MAX);
        starts[i + 1] = (int32_t)sum;
    }
    guide->links = sum;
    return DGM_OK;
}

static dgm_status stage_shares(struct dgm_env *env, struct dgm_step *step,
                               const struct dgm_packed *target)
{
    struct dgm_guide_slots *guide = &step->guide;
    const int32_t *starts;
    dgm_real *shares;

    DGM_TRY(dgm_feed_take(env, &step->feed, &guide->shares, &shares,
                          (size_t)target->offsets[target->count] * sizeof *shares));
    starts = dgm_feed_host(&step->feed, guide->starts);
    for (int32_t s = 0; s < target->count; s++)
        for (int32_t i = target->offsets[s]; i < target->offsets[s + 1]; i++)
            if (starts[i + 1] > starts[i])
                shares[i] = (dgm_real)(target->weights != NULL ? target->weights[s] : 1) /
                            (dgm_real)(starts[i + 1] - starts[i]);
    return DGM_OK;
}

static dgm_status stage_keys(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                             const struct dgm_batch *batch)
{
    const struct dgm_packed *target = &batch->target;
    struct dgm_guide_slots *guide = &step->guide;
    const size_t rows = (size_t)target->offsets[target->count];
    struct linked linked;
    int32_t *keys, *next;

    DGM_TRY(dgm_feed_take(env, &step->feed, &guide->keys, &keys,
                          ((size_t)guide->links + 1) * sizeof *keys));
    DGM_TRY(dgm_reserve(env, &guide->next, &guide->capacity, rows + 1, sizeof *guide->next));
    next = guide->next;
    memcpy(next, dgm_feed_host(&step->feed, guide->starts), rows * sizeof *next);
    for (int32_t s = 0; s < target->count; s++) {
        if (dgm_packed_link_count(target, s) == 0)
            continue;
        DGM_TRY(open_linked(env, net, step, batch, s, &linked));
        put_keys(&linked, next, keys);
    }
    return DGM_OK;
}

/* A unit vector for each row of the memory. */
static dgm_status stage_units(struct dgm_env *env, struct dgm_step *step)
{
    const struct dgm_memory_slots *memory = &step->memory;
    struct dgm_guide_slots *guide = &step->guide;
    dgm_real *units;

    for (int32_t s = 0; s < memory->sentences; s++)
        if (memory->starts[s + 1] - memory->starts[s] > guide->width)
            guide->width = memory->starts[s + 1] - memory->starts[s];
    DGM_TRY(dgm_feed_take(env, &step->feed, &guide->units, &units,
                          (size_t)memory->rows * (size_t)guide->width * sizeof *units));
    for (int32_t s = 0; s < memory->sentences; s++)
        for (int64_t j = memory->starts[s]; j < memory->starts[s + 1]; j++)
            units[j * guide->width + j - memory->starts[s]] = 1;
    return DGM_OK;
}

dgm_status dgm_guided_stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                            const struct dgm_batch *batch)
{
    struct dgm_guide_slots *guide = &step->guide;

    guide->rows = guide->links = guide->width = 0;
    if (batch->target.links == NULL)
        return DGM_OK;
    DGM_TRY(stage_counts(env, net, step, batch));
    if (guide->rows == 0)
        return DGM_OK;
    DGM_TRY(stage_shares(env, step, &batch->target));
    DGM_TRY(stage_keys(env, net, step, batch));
    return stage_units(env, step);
}

/* ---- the loss -------------------------------------------------------------------------------- */

int dgm_guided_wants(const struct dgm_net *net, const struct dgm_step *step,
                     const struct dgm_parse_losses *losses, int layer)
{
    return losses != NULL && losses->guide > 0 && step->guide.rows > 0 &&
           layer == dgm_guided_layer(net);
}

struct dgm_node *dgm_guided_units(struct dgm_graph *g, const struct dgm_step *step)
{
    return dgm_constant(g, dgm_feed_ref(&step->feed, step->guide.units), step->memory.rows,
                        step->guide.width);
}

void dgm_guided_learn(struct dgm_graph *g, const struct dgm_step *step,
                      struct dgm_parse_losses *losses, struct dgm_columns weights,
                      struct dgm_ref places)
{
    const struct dgm_guide_slots *guide = &step->guide;
    const double scale = losses->guide * losses->unit / (double)losses->rows;
    struct dgm_links links = { .rows = step->target.rows,
                               .starts = dgm_feed_ref(&step->feed, guide->starts),
                               .keys = dgm_feed_ref(&step->feed, guide->keys),
                               .shares = dgm_feed_ref(&step->feed, guide->shares),
                               .places = places };

    losses->guided = dgm_link_loss(g, weights, guide->width, &links, (dgm_real)scale);
    losses->guided_rows = guide->rows;
}

void dgm_guided_attend(struct dgm_graph *g, const struct dgm_step *step,
                       struct dgm_parse_losses *losses, struct dgm_columns q, struct dgm_columns k,
                       const struct dgm_attention_terms *terms)
{
    const struct dgm_ref same_rows = { NULL, 0 };
    struct dgm_attention_terms head = *terms;
    struct dgm_columns units = { dgm_guided_units(g, step), 0 }, weights = { NULL, 0 };

    q.column += DGM_GUIDED_HEAD * terms->core.head_dim;
    k.column += DGM_GUIDED_HEAD * terms->core.head_dim;
    head.core.heads = head.core.factor_heads[0] = head.core.factor_heads[1] = 1;
    head.core.value_dim = step->guide.width;
    head.core.drop.rate = 0;
    weights.node = dgm_attention_node(g, q, k, units, &head);
    dgm_guided_learn(g, step, losses, weights, same_rows);
}
