/*
 * incremental.c: decoding one token at a time (specification 1.4, 1.11; property G4).
 */
#include "model/search/incremental.h"

#include <string.h>

#include "base/mem.h"
#include "model/decoder.h"

dgm_status dgm_incremental_init(struct dgm_env *env, struct dgm_incremental *state,
                                const struct dgm_net *net, struct dgm_device *device)
{
    memset(state, 0, sizeof *state);
    state->net = net;
    dgm_step_init(&state->source, device);
    dgm_feed_init(&state->feed, device);
    DGM_TRY(dgm_graph_init(env, &state->graph, device));
    return dgm_new(env, &state->own, 1, net->decoder->state_bytes);
}

void dgm_incremental_clear(struct dgm_env *env, struct dgm_incremental *state)
{
    if (state->net == NULL)
        return;
    if (state->own != NULL)
        state->net->decoder->close(env, state);
    dgm_release(env, state->own);
    dgm_narrow_output_clear(env, &state->output);
    dgm_graph_clear(&state->graph);
    dgm_step_clear(env, &state->source);
    dgm_feed_clear(env, &state->feed);
    dgm_release(env, state->sentence);
    dgm_release(env, state->starts);
    memset(state, 0, sizeof *state);
}

static dgm_status reserve_rows(struct dgm_env *env, struct dgm_incremental *state, int64_t rows)
{
    return dgm_reserve(env, &state->sentence, &state->row_capacity, (size_t)rows,
                       sizeof *state->sentence);
}

/* One hypothesis for each sentence. */
static dgm_status note_sentences(struct dgm_env *env, struct dgm_incremental *state,
                                 int32_t sentences)
{
    DGM_TRY(reserve_rows(env, state, sentences));
    for (int32_t s = 0; s < sentences; s++)
        state->sentence[s] = s;
    state->rows = sentences;
    state->steps = 0;
    return DGM_OK;
}

dgm_status dgm_incremental_begin(struct dgm_env *env, struct dgm_incremental *state,
                                 const struct dgm_batch *batch)
{
    const struct dgm_net *net = state->net;
    struct dgm_encoding encoded;

    DGM_TRY(dgm_net_stage(env, net, &state->source, batch, 0, 0, 0));
    DGM_TRY(note_sentences(env, state, batch->source.count));
    if (state->choice != NULL)
        DGM_TRY(
            dgm_narrow_output_begin(env, &state->output, net, state->graph.device, state->choice));
    dgm_graph_begin(&state->graph, 0, 0, 0);
    encoded = dgm_net_encode(&state->graph, net, &state->source);
    DGM_TRY(net->decoder->begin(env, state, &encoded));
    return dgm_graph_run(&state->graph);
}

dgm_status dgm_incremental_select(struct dgm_env *env, struct dgm_incremental *state,
                                  const int32_t *from, int64_t count)
{
    int32_t *sentences;

    /* `from` may name a row twice, and in any order: no row is overwritten before all are read. */
    DGM_TRY(reserve_rows(env, state, state->rows + count));
    DGM_TRY(state->net->decoder->select(env, state, from, count));
    sentences = state->sentence + state->rows; /* built behind the old ones, then moved */
    for (int64_t r = 0; r < count; r++)
        sentences[r] = state->sentence[from[r]];
    memmove(state->sentence, sentences, (size_t)count * sizeof *sentences);
    state->rows = count;
    return DGM_OK;
}

dgm_status dgm_incremental_stage_memory(struct dgm_env *env, struct dgm_incremental *state,
                                        dgm_slot *starts, dgm_slot *counts)
{
    const int32_t *memory = state->source.memory.starts;
    size_t bytes = (size_t)state->rows * sizeof *memory;
    int32_t *values;

    DGM_TRY(dgm_feed_take(env, &state->feed, starts, &values, bytes));
    for (int64_t r = 0; r < state->rows; r++)
        values[r] = memory[state->sentence[r]];
    DGM_TRY(dgm_feed_take(env, &state->feed, counts, &values, bytes));
    for (int64_t r = 0; r < state->rows; r++)
        values[r] = memory[state->sentence[r] + 1] - memory[state->sentence[r]];
    return DGM_OK;
}

/* What every hypothesis begins with. */
static dgm_status note_starts(struct dgm_env *env, struct dgm_incremental *state)
{
    DGM_TRY(dgm_reserve(env, &state->starts, &state->start_capacity, (size_t)state->rows,
                        sizeof *state->starts));
    for (int64_t r = 0; r < state->rows; r++)
        state->starts[r] = state->net->start;
    return DGM_OK;
}

dgm_status dgm_incremental_step(struct dgm_env *env, struct dgm_incremental *state,
                                const int32_t *ids, struct dgm_ref *logits)
{
    const struct dgm_net *net = state->net;
    struct dgm_node *states, *scores;

    if (state->steps > net->config.max_length)
        return dgm_fail(env, DGM_FAILURE, "a translation longer than max-length = %lld tokens",
                        (long long)net->config.max_length);
    if (state->steps == 0)
        DGM_TRY(note_starts(env, state));
    dgm_graph_begin(&state->graph, 0, 0, 0);
    DGM_TRY(net->decoder->step(env, state, state->steps == 0 ? state->starts : ids, &states));
    scores = state->choice != NULL ? states : dgm_net_logits(&state->graph, net, states);
    dgm_keep(&state->graph, scores);
    DGM_TRY(dgm_graph_run(&state->graph));
    *logits = dgm_node_value(scores);
    state->steps++;
    if (state->choice == NULL)
        return DGM_OK;
    return dgm_narrow_output_score(env, &state->output, *logits, state->sentence, state->rows,
                                   logits);
}
