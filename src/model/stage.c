/*
 * stage.c: a packed batch on its way to the device: index arrays, decoder inputs, and what the
 * kinds of encoder and decoder add to them.
 */
#include <string.h>

#include "base/mem.h"
#include "model/decoder.h"
#include "model/guided.h"

void dgm_step_init(struct dgm_step *step, struct dgm_device *device)
{
    memset(step, 0, sizeof *step);
    dgm_feed_init(&step->feed, device);
}

static void drop_plans(struct dgm_env *env, struct dgm_step *step)
{
    if (step->encoder != NULL && step->encoder->clear != NULL)
        step->encoder->clear(env, step->plan[DGM_SOURCE]);
    if (step->decoder != NULL && step->decoder->clear != NULL)
        step->decoder->clear(env, step->plan[DGM_TARGET]);
    dgm_release(env, step->plan[DGM_SOURCE]);
    dgm_release(env, step->plan[DGM_TARGET]);
    step->plan[DGM_SOURCE] = step->plan[DGM_TARGET] = NULL;
}

void dgm_step_clear(struct dgm_env *env, struct dgm_step *step)
{
    dgm_feed_clear(env, &step->feed);
    dgm_release(env, step->squares);
    dgm_release(env, step->weights.offsets);
    dgm_release(env, step->weights.values);
    dgm_release(env, step->guide.next);
    dgm_arena_clear(env, &step->scratch);
    dgm_release(env, step->memory.starts);
    drop_plans(env, step);
    memset(step, 0, sizeof *step);
}

/* Ids within the vocabulary; tokens before the end symbol within max_length. */
static dgm_status check_ids(struct dgm_env *env, const struct dgm_packed *packed, int64_t vocab,
                            int64_t max_length)
{
    for (int32_t s = 0; s < packed->count; s++)
        if (dgm_packed_length(packed, s) - 1 > max_length)
            return dgm_fail(env, DGM_DATA,
                            "a sentence of %d tokens; expected at most "
                            "max-length = %lld",
                            (int)dgm_packed_length(packed, s) - 1, (long long)max_length);
    for (int32_t i = 0; i < packed->offsets[packed->count]; i++)
        if (packed->ids[i] < 0 || packed->ids[i] >= vocab)
            return dgm_fail(env, DGM_DATA, "token id %d; expected 0..%lld", (int)packed->ids[i],
                            (long long)vocab - 1);
    return DGM_OK;
}

/* {sentence number in the corpus, position} of every row: keys of random masks and positions. */
static dgm_status stage_places(struct dgm_env *env, struct dgm_feed *feed,
                               const struct dgm_packed *packed, const int32_t *numbers,
                               dgm_slot *slot)
{
    size_t rows = (size_t)packed->offsets[packed->count];
    int32_t *places, s, i;

    DGM_TRY(dgm_feed_take(env, feed, slot, &places, rows * 2 * sizeof *places));
    for (s = 0; s < packed->count; s++)
        for (i = packed->offsets[s]; i < packed->offsets[s + 1]; i++) {
            places[2 * i] = numbers[s];
            places[2 * i + 1] = i - packed->offsets[s];
        }
    return DGM_OK;
}

/* The sentence of every row. */
static dgm_status stage_owners(struct dgm_env *env, struct dgm_feed *feed,
                               const struct dgm_packed *packed, dgm_slot *slot)
{
    int32_t *owners, s, i;

    DGM_TRY(dgm_feed_take(env, feed, slot, &owners,
                          (size_t)packed->offsets[packed->count] * sizeof *owners));
    for (s = 0; s < packed->count; s++)
        for (i = packed->offsets[s]; i < packed->offsets[s + 1]; i++)
            owners[i] = s;
    return DGM_OK;
}

/* Where the n x n block of each sentence begins; kept on the host for the planners too. */
static dgm_status stage_squares(struct dgm_env *env, struct dgm_step *step,
                                const struct dgm_packed *packed, struct dgm_side_slots *slots)
{
    size_t count = (size_t)packed->count + 1;
    int64_t end = 0;

    DGM_TRY(
        dgm_reserve(env, &step->squares, &step->squares_capacity, count, sizeof *step->squares));
    for (int32_t s = 0; s <= packed->count; s++) {
        int64_t n = s < packed->count ? dgm_packed_length(packed, s) : 0;
        step->squares[s] = (int32_t)end;
        end += n * n;
        if (end > INT32_MAX)
            return dgm_fail(env, DGM_DATA,
                            "tree constants of a batch need more than %d cells; "
                            "expected a smaller --batch-tokens",
                            (int)INT32_MAX);
    }
    slots->pairs = (int32_t)end;
    return dgm_feed_copy(env, &step->feed, &slots->squares, step->squares,
                         count * sizeof *step->squares);
}

static dgm_status stage_side(struct dgm_env *env, struct dgm_step *step,
                             const struct dgm_packed *packed, const int32_t *numbers,
                             struct dgm_side_slots *slots)
{
    struct dgm_feed *feed = &step->feed;
    size_t sentences = (size_t)packed->count;
    int32_t *counts, s;

    slots->sentences = packed->count;
    slots->rows = packed->offsets[packed->count];
    DGM_TRY(dgm_feed_copy(env, feed, &slots->offsets, packed->offsets,
                          (sentences + 1) * sizeof *packed->offsets));
    DGM_TRY(dgm_feed_take(env, feed, &slots->counts, &counts, sentences * sizeof *counts));
    for (s = 0; s < packed->count; s++)
        counts[s] = dgm_packed_length(packed, s);
    DGM_TRY(stage_owners(env, feed, packed, &slots->owners));
    DGM_TRY(stage_places(env, feed, packed, numbers, &slots->places));
    return stage_squares(env, step, packed, slots);
}

static dgm_status stage_ids(struct dgm_env *env, struct dgm_feed *feed,
                            const struct dgm_packed *packed, dgm_slot *slot)
{
    return dgm_feed_copy(env, feed, slot, packed->ids,
                         (size_t)packed->offsets[packed->count] * sizeof *packed->ids);
}

/* The decoder reads a start symbol, y_1 .. y_m where y_1 .. y_m EOS is expected (specification
 * 1.1). */
static dgm_status stage_shifted(struct dgm_env *env, struct dgm_feed *feed,
                                const struct dgm_packed *packed, int32_t start, dgm_slot *slot)
{
    int32_t *ids, s, i;

    DGM_TRY(
        dgm_feed_take(env, feed, slot, &ids, (size_t)packed->offsets[packed->count] * sizeof *ids));
    for (s = 0; s < packed->count; s++)
        for (i = packed->offsets[s]; i < packed->offsets[s + 1]; i++)
            ids[i] = i == packed->offsets[s] ? start : packed->ids[i - 1];
    return DGM_OK;
}

dgm_status dgm_step_stage_source(struct dgm_env *env, struct dgm_step *step,
                                 const struct dgm_packed *source, const int32_t *numbers)
{
    DGM_TRY(stage_side(env, step, source, numbers, &step->source));
    return stage_ids(env, &step->feed, source, &step->source.ids);
}

/* Room for what the network's kinds stage; that of other kinds goes. */
static dgm_status take_plans(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step)
{
    if (step->encoder == net->encoder && step->decoder == net->decoder)
        return DGM_OK;
    drop_plans(env, step);
    step->encoder = NULL;
    step->decoder = NULL;
    DGM_TRY(dgm_new(env, &step->plan[DGM_SOURCE], 1, net->encoder->plan_bytes + 1));
    DGM_TRY(dgm_new(env, &step->plan[DGM_TARGET], 1, net->decoder->plan_bytes + 1));
    step->encoder = net->encoder;
    step->decoder = net->decoder;
    return DGM_OK;
}

static dgm_status stage_weights(struct dgm_env *env, struct dgm_step_weights *weights,
                                const struct dgm_packed *target)
{
    const struct dgm_parallel arrays[] = { { &weights->offsets, sizeof *weights->offsets },
                                           { &weights->values, sizeof *weights->values },
                                           { NULL, 0 } };
    const size_t count = (size_t)target->count;

    weights->count = 0;
    if (target->weights == NULL)
        return DGM_OK;
    DGM_TRY(dgm_reserve_parallel(env, arrays, &weights->capacity, count + 1));
    memcpy(weights->offsets, target->offsets, (count + 1) * sizeof *weights->offsets);
    memcpy(weights->values, target->weights, count * sizeof *weights->values);
    weights->count = target->count;
    return DGM_OK;
}

/* What the decoder reads, and what it is to predict. */
static dgm_status stage_target(struct dgm_env *env, const struct dgm_net *net,
                               struct dgm_step *step, const struct dgm_batch *batch,
                               const struct dgm_mask_key *draw)
{
    struct dgm_feed *feed = &step->feed;

    DGM_TRY(check_ids(env, &batch->target, net->vocab[DGM_TARGET], net->config.max_length));
    DGM_TRY(stage_side(env, step, &batch->target, batch->numbers, &step->target));
    DGM_TRY(stage_ids(env, feed, &batch->target, &step->expected));
    DGM_TRY(stage_weights(env, &step->weights, &batch->target));
    DGM_TRY(dgm_guided_stage(env, net, step, batch));
    DGM_TRY(stage_shifted(env, feed, &batch->target, net->start, &step->target.ids));
    return net->decoder->stage(env, net, step, batch, draw);
}

dgm_status dgm_net_stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                         const struct dgm_batch *batch, int training, uint32_t seed,
                         uint32_t update)
{
    struct dgm_mask_key draw = { .training = training, .seed = seed, .update = update };

    dgm_feed_reset(&step->feed);
    DGM_TRY(take_plans(env, net, step));
    DGM_TRY(check_ids(env, &batch->source, net->vocab[DGM_SOURCE], net->config.max_length));
    DGM_TRY(dgm_step_stage_source(env, step, &batch->source, batch->numbers));
    DGM_TRY(net->encoder->stage(env, net, step, batch, &draw));
    if (batch->target.count > 0)
        DGM_TRY(stage_target(env, net, step, batch, &draw));
    return dgm_feed_send(env, &step->feed);
}

/* ---- for encoders -------------------------------------------------------------------------- */

struct dgm_rows dgm_staged_rows(const struct dgm_feed *feed, int64_t count, dgm_slot ids,
                                dgm_slot places)
{
    const struct dgm_rows rows = { count, dgm_feed_ref(feed, ids), dgm_feed_ref(feed, places) };

    return rows;
}

struct dgm_rows dgm_step_rows(const struct dgm_step *step, const struct dgm_side_slots *side)
{
    return dgm_staged_rows(&step->feed, side->rows, side->ids, side->places);
}

static dgm_status note_memory(struct dgm_env *env, struct dgm_memory_slots *memory,
                              const int32_t *starts, int32_t sentences)
{
    size_t count = (size_t)sentences + 1;

    DGM_TRY(dgm_reserve(env, &memory->starts, &memory->capacity, count, sizeof *memory->starts));
    memcpy(memory->starts, starts, count * sizeof *starts);
    memory->sentences = sentences;
    memory->rows = starts[sentences];
    return DGM_OK;
}

dgm_status dgm_memory_is_source(struct dgm_env *env, struct dgm_step *step,
                                const struct dgm_packed *source)
{
    step->memory.offsets = step->source.offsets;
    step->memory.counts = step->source.counts;
    return note_memory(env, &step->memory, source->offsets, source->count);
}

dgm_status dgm_memory_stage(struct dgm_env *env, struct dgm_step *step, const int32_t *starts,
                            int32_t sentences)
{
    struct dgm_memory_slots *memory = &step->memory;
    int32_t *counts, s;

    DGM_TRY(note_memory(env, memory, starts, sentences));
    DGM_TRY(dgm_feed_copy(env, &step->feed, &memory->offsets, memory->starts,
                          ((size_t)sentences + 1) * sizeof *starts));
    DGM_TRY(dgm_feed_take(env, &step->feed, &memory->counts, &counts,
                          (size_t)sentences * sizeof *counts));
    for (s = 0; s < sentences; s++)
        counts[s] = memory->starts[s + 1] - memory->starts[s];
    return DGM_OK;
}
