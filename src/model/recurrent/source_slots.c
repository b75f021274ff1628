/*
 * source_slots.c: the source as recurrent encoders read it: with or without the ends of sentences.
 */
#include <string.h>

#include "base/mem.h"
#include "model/recurrent/recurrent.h"

void dgm_source_slots_clear(struct dgm_env *env, struct dgm_source_slots *reading)
{
    dgm_release(env, reading->starts);
    memset(reading, 0, sizeof *reading);
}

dgm_status dgm_source_slots_stage(struct dgm_env *env, struct dgm_step *step,
                                  const struct dgm_batch *batch, int with_end,
                                  struct dgm_source_slots *reading)
{
    const struct dgm_packed *source = &batch->source;
    struct dgm_feed *feed = &step->feed;
    size_t sentences = (size_t)source->count;
    int32_t *ids, *places, s, i;

    DGM_TRY(dgm_reserve(env, &reading->starts, &reading->capacity, sentences + 1,
                        sizeof *reading->starts));
    for (s = 0; s <= source->count; s++)
        /* Without ends, each of the s sentences before is one shorter. */
        reading->starts[s] = source->offsets[s] - (with_end ? 0 : s);
    reading->sentences = source->count;
    reading->rows = reading->starts[source->count];
    DGM_TRY(dgm_feed_copy(env, feed, &reading->offsets, reading->starts,
                          (sentences + 1) * sizeof *reading->starts));
    DGM_TRY(dgm_feed_take(env, feed, &reading->ids, &ids, (size_t)reading->rows * sizeof *ids));
    for (s = 0; s < source->count; s++)
        memcpy(ids + reading->starts[s], source->ids + source->offsets[s],
               (size_t)(reading->starts[s + 1] - reading->starts[s]) * sizeof *ids);
    DGM_TRY(dgm_feed_take(env, feed, &reading->places, &places,
                          2 * (size_t)reading->rows * sizeof *places));
    for (s = 0; s < source->count; s++)
        for (i = reading->starts[s]; i < reading->starts[s + 1]; i++) {
            places[2 * i] = batch->numbers[s];
            places[2 * i + 1] = i - reading->starts[s];
        }
    return DGM_OK;
}

struct dgm_node *dgm_source_slots_embed(struct dgm_graph *g, const struct dgm_net *net,
                                        const struct dgm_step *step,
                                        const struct dgm_source_slots *reading)
{
    const struct dgm_ref no_positions = { NULL, 0 };
    struct dgm_rows rows =
        dgm_staged_rows(&step->feed, reading->rows, reading->ids, reading->places);

    return dgm_embed(g, dgm_params_node(g, &net->params, net->embed[DGM_SOURCE]), &rows,
                     no_positions, 1, 0, 0);
}

struct dgm_node *dgm_source_slots_mean(struct dgm_graph *g, const struct dgm_step *step,
                                       const struct dgm_source_slots *reading, struct dgm_node *x,
                                       int64_t cols)
{
    struct dgm_columns columns = { x, 0 };

    return dgm_span_mean(g, columns, cols, dgm_feed_ref(&step->feed, reading->offsets),
                         reading->sentences);
}
