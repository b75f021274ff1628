/*
 * op_lstm.c: a bidirectional LSTM over packed sequences (kernel/task/lstm_list.h has the
 * equations), with the recurrent dropout of Gal and Ghahramani, "A Theoretically Grounded
 * Application of Dropout in Recurrent Neural Networks" (NIPS 2016).
 *
 * gates (N,8H) = x W_x^T + b comes from dgm_linear, so that all rows are multiplied at once, and
 * only the recurrent products go step by step. Backward reads neither gates nor y: the device
 * saves what it needs in the order of steps, where the rows of a step lie side by side.
 */
#include <string.h>

#include "graph/op.h"

struct lstm {
    struct dgm_sequences sequences;
    struct dgm_ref places;
    struct dgm_lstm core;
};

enum { GATES, WEIGHT };

static uint64_t lstm_extra(const struct dgm_node *y)
{
    const struct lstm *lstm = y->attr;
    const struct dgm_lstm *core = &lstm->core;

    return (uint64_t)dgm_lstm_saved(core->rows, core->sequences, core->dim) * sizeof(dgm_real);
}

static dgm_status lstm_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct lstm *lstm = y->attr;
    struct dgm_lstm_forward_args args = { 0 };

    args.y = y->value;
    args.saved = y->extra;
    args.gates = y->in[GATES]->value;
    args.weight = y->in[WEIGHT]->value;
    args.offsets = lstm->sequences.offsets;
    args.order = lstm->sequences.order;
    args.places = lstm->places;
    args.forgets = !y->wants_grad;
    args.core = lstm->core;
    return dgm_device_run(g->env, g->device, DGM_TASK_lstm_forward, &args);
}

static dgm_status lstm_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct lstm *lstm = y->attr;
    struct dgm_lstm_backward_args args = { 0 };

    dgm_node_take_grad(y, GATES, &args.dgates, &args.accumulate_gates);
    dgm_node_take_grad(y, WEIGHT, &args.dweight, &args.accumulate_weight);
    args.saved = y->extra;
    args.dy = y->grad;
    args.weight = y->in[WEIGHT]->value;
    args.offsets = lstm->sequences.offsets;
    args.order = lstm->sequences.order;
    args.core = lstm->core;
    return dgm_device_run(g->env, g->device, DGM_TASK_lstm_backward, &args);
}

/* ---- sample ---------------------------------------------------------------------------------- */

enum { SAMPLE_SEQUENCES = 5, SAMPLE_LONGEST = 4 };

/* What a sample's sequences say on the host. */
struct sample_lists {
    int32_t offsets[SAMPLE_SEQUENCES + 1], order[SAMPLE_SEQUENCES];
    int32_t active[SAMPLE_LONGEST], places[2 * SAMPLE_SEQUENCES * SAMPLE_LONGEST];
};

static void sample_lengths(struct dgm_sample *sample, struct sample_lists *lists, int64_t count)
{
    int32_t next = 0;

    for (int64_t s = 0; s < count; s++) {
        int32_t length = (int32_t)dgm_sample_int(sample, s == 0, SAMPLE_LONGEST);
        lists->offsets[s + 1] = lists->offsets[s] + length;
        for (int32_t t = 0; t < length; t++) {
            lists->active[t]++;
            lists->places[2 * (lists->offsets[s] + t)] = (int32_t)(70 + s);
            lists->places[2 * (lists->offsets[s] + t) + 1] = t;
        }
    }
    for (int32_t length = SAMPLE_LONGEST; length >= 0; length--)
        for (int32_t s = 0; s < count; s++)
            if (lists->offsets[s + 1] - lists->offsets[s] == length)
                lists->order[next++] = s;
}

static struct dgm_node *lstm_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t dim = dgm_sample_int(sample, 1, 5);
    struct dgm_sequences sequences = { 0 };
    struct dgm_ref places;
    struct dgm_node *gates, *weight;
    struct sample_lists *lists = dgm_arena_alloc(g->env, &g->arena, 1, sizeof *lists);

    if (lists == NULL) {
        g->status = DGM_MEMORY;
        return NULL;
    }
    sequences.count = dgm_sample_int(sample, 1, SAMPLE_SEQUENCES);
    sample_lengths(sample, lists, sequences.count);
    sequences.rows = lists->offsets[sequences.count];
    while (sequences.steps < SAMPLE_LONGEST && lists->active[sequences.steps] > 0)
        sequences.steps++;
    sequences.offsets = dgm_sample_data(g, sample, lists->offsets, sizeof lists->offsets);
    sequences.order = dgm_sample_data(g, sample, lists->order, sizeof lists->order);
    sequences.active = lists->active;
    places = dgm_sample_data(g, sample, lists->places, sizeof lists->places);
    gates = dgm_sample_leaf(g, sample, sequences.rows, 8 * dim);
    weight = dgm_sample_leaf(g, sample, 8 * dim, dim);
    return dgm_lstm(g, gates, weight, &sequences, places,
                    (dgm_real)(dgm_sample_int(sample, 0, 2) ? 0.4 : 0), 9);
}

const struct dgm_op dgm_op_lstm = {
    .name = "lstm",
    .keep = 1u << WEIGHT,
    .extra = lstm_extra,
    .forward = lstm_forward,
    .backward = lstm_backward,
    .sample = lstm_sample,
};

struct dgm_node *dgm_lstm(struct dgm_graph *g, struct dgm_node *gates, struct dgm_node *weight,
                          const struct dgm_sequences *sequences, struct dgm_ref places,
                          dgm_real dropout, uint32_t stream)
{
    struct dgm_node *const in[] = { [GATES] = gates, [WEIGHT] = weight };
    struct lstm lstm = { *sequences,
                         places,
                         { .sequences = sequences->count,
                           .rows = sequences->rows,
                           .steps = sequences->steps,
                           .active = sequences->active,
                           .drop = dgm_node_drop(g, dropout, stream) } };

    if (gates == NULL || weight == NULL)
        return NULL;
    if (weight->rows != 8 * weight->cols || gates->cols != weight->rows ||
        gates->rows != sequences->rows)
        return dgm_node_fail(g, "lstm", gates, weight, "gates (N,8H) and weight (8H,H)");
    lstm.core.dim = weight->cols;
    return dgm_node_new(g, &dgm_op_lstm, gates->rows, 2 * weight->cols, in, 2, &lstm, sizeof lstm);
}
