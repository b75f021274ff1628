/*
 * sample_bahdanau.c: random instances of op_bahdanau.c: one to four sentences of ragged lengths,
 * memories with gaps between them, all sizes different or not.
 */
#include <string.h>

#include "graph/recurrent/bahdanau.h"

enum { SENTENCES = 4, STEPS = 4, SPAN = 4 };

/* A leaf, or what is computed from one: its gradient then starts from nothing. */
static struct dgm_node *operand(struct dgm_graph *g, struct dgm_sample *sample, int64_t rows,
                                int64_t cols)
{
    struct dgm_node *leaf = dgm_sample_leaf(g, sample, rows, cols);

    return dgm_sample_int(sample, 0, 1) ? dgm_activate(g, leaf, DGM_TANH) : leaf;
}

/* `active` of sentences by falling length; returns the rows. */
static int64_t draw_steps(struct dgm_sample *sample, int32_t *active, struct dgm_steps *steps)
{
    int64_t rows = 0, most = dgm_sample_int(sample, 1, SENTENCES);

    steps->count = dgm_sample_int(sample, 1, STEPS);
    steps->active = active;
    for (int64_t t = 0; t < steps->count; t++) {
        active[t] = (int32_t)most;
        rows += most;
        most = dgm_sample_int(sample, 1, most);
    }
    return rows;
}

/* A span for each sentence, in no order of their rows; returns the rows of all. */
static int64_t draw_memory(struct dgm_graph *g, struct dgm_sample *sample, int64_t sentences,
                           struct dgm_memory *memory)
{
    int32_t starts[SENTENCES], counts[SENTENCES], next = 0;

    memory->longest = dgm_sample_int(sample, SPAN, SPAN + 1);
    for (int64_t s = sentences; s-- > 0;) {
        starts[s] = next + (int32_t)dgm_sample_int(sample, 0, 1);
        counts[s] = (int32_t)dgm_sample_int(sample, 1, SPAN);
        next = starts[s] + counts[s];
    }
    memory->starts = dgm_sample_data(g, sample, starts, (size_t)sentences * sizeof *starts);
    memory->counts = dgm_sample_data(g, sample, counts, (size_t)sentences * sizeof *counts);
    return next;
}

struct dgm_node *dgm_bahdanau_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    const int64_t dim = dgm_sample_int(sample, 1, 3), hidden = dgm_sample_int(sample, 1, 4);
    const int64_t width = dgm_sample_int(sample, 1, 4);
    struct dgm_bahdanau_decoder decoder;
    int32_t *active = dgm_arena_alloc(g->env, &g->arena, STEPS, sizeof *active);
    int64_t rows, keys;

    if (active == NULL) {
        g->status = DGM_MEMORY;
        return NULL;
    }
    memset(&decoder, 0, sizeof decoder);
    rows = draw_steps(sample, active, &decoder.steps);
    keys = draw_memory(g, sample, active[0], &decoder.memory);
    decoder.x = operand(g, sample, rows, 3 * dim);
    decoder.start = operand(g, sample, active[0], dim);
    decoder.keys = operand(g, sample, keys, hidden);
    decoder.values = operand(g, sample, keys, width);
    decoder.state1 = operand(g, sample, 3 * dim, dim);
    decoder.query = operand(g, sample, hidden, dim);
    decoder.v = operand(g, sample, 1, hidden);
    decoder.state2 = operand(g, sample, 3 * dim, dim);
    decoder.bias2 = operand(g, sample, 1, 3 * dim);
    decoder.context = operand(g, sample, 3 * dim, width);
    return dgm_bahdanau_gru(g, &decoder);
}
