/*
 * recurrent_output.h: all states and all scores of a recurrent model for a batch, and whether two
 * sentences have the same.
 */
#ifndef DGM_TEST_RECURRENT_OUTPUT_H
#define DGM_TEST_RECURRENT_OUTPUT_H

#include "recurrent_case.h"

/* Columns of a row of the encoder's output (specification, recurrent models, parameters, 1). */
static inline int64_t recurrent_columns(const struct tiny *tiny)
{
    const struct dgm_model_config *config = &tiny->model.config;
    const char *name = dgm_encoder_entry(config->encoder)->name;
    int64_t d = config->recurrent.dim;

    if (strcmp(name, "sequential") == 0)
        return 2 * d;
    if (strcmp(name, "sequential-dependency") == 0)
        return config->recurrent.birnn ? 4 * d : 2 * d;
    return d;
}

/* Rows of a sentence of n positions, its end included. */
static inline int32_t recurrent_rows(const struct tiny *tiny, int32_t n)
{
    const struct dgm_model_config *config = &tiny->model.config;
    const char *name = dgm_encoder_entry(config->encoder)->name;

    if (strcmp(name, "sequential") == 0)
        return config->recurrent.source_end == 0 ? n - 1 : n;
    if (strcmp(name, "constituency") == 0)
        return n > 1 ? 2 * (n - 1) - 1 : 0;
    return n - 1;
}

struct recurrent_output {
    dgm_real *encoded, *scores; /* (rows, columns): all states; (M, V) */
    dgm_real *attended;         /* those that the decoder sees */
    int32_t starts[TINY_LONGEST + 1];
    int64_t columns, rows, attended_rows;
};

static inline void recurrent_forget(struct recurrent_output *out)
{
    dgm_release(test_env(), out->encoded);
    dgm_release(test_env(), out->attended);
    dgm_release(test_env(), out->scores);
    memset(out, 0, sizeof *out);
}

static inline dgm_status recurrent_read_node(struct tiny *tiny, const struct dgm_node *node,
                                             int64_t cols, dgm_real **values)
{
    *values = dgm_alloc(test_env(), (size_t)(dgm_node_rows(node) * cols) + 1, sizeof **values);
    return *values == NULL ? DGM_MEMORY : dgm_graph_read(&tiny->graph, node, *values);
}

/* All states and all scores of a batch, outside training. */
static inline dgm_status recurrent_run(struct tiny *tiny, const struct dgm_batch *batch,
                                       struct recurrent_output *out)
{
    struct dgm_graph *g = &tiny->graph;
    struct dgm_encoding x;
    struct dgm_node *scores;

    memset(out, 0, sizeof *out);
    out->columns = recurrent_columns(tiny);
    for (int32_t s = 0; s < batch->source.count; s++)
        out->starts[s + 1] =
            out->starts[s] + recurrent_rows(tiny, dgm_packed_length(&batch->source, s));
    out->rows = out->starts[batch->source.count];
    DGM_TRY(tiny_stage(tiny, batch, 0, 1));
    x = dgm_net_encode(g, &tiny->model, &tiny->step);
    DGM_TRY(g->status);
    dgm_keep(g, x.rows);
    dgm_keep(g, x.all);
    scores = dgm_keep(g, dgm_net_logits(g, &tiny->model,
                                        dgm_net_decode(g, &tiny->model, &tiny->step, &x)));
    DGM_TRY(dgm_graph_run(g));
    if (dgm_node_rows(x.all) != out->rows ||
        tiny->model.encoder->width(&tiny->model.config) != out->columns)
        return dgm_fail(test_env(), DGM_FAILURE, "%d rows of %d columns; expected %d of %d",
                        (int)dgm_node_rows(x.all),
                        (int)tiny->model.encoder->width(&tiny->model.config), (int)out->rows,
                        (int)out->columns);
    out->attended_rows = dgm_node_rows(x.rows);
    DGM_TRY(recurrent_read_node(tiny, x.all, out->columns, &out->encoded));
    DGM_TRY(recurrent_read_node(tiny, x.rows, out->columns, &out->attended));
    return recurrent_read_node(tiny, scores, TINY_VOCAB, &out->scores);
}

/* Whether sentence s of one batch has the bits of sentence r of another. */
static inline int recurrent_same(const struct dgm_batch *a, const struct recurrent_output *x,
                                 int32_t s, const struct dgm_batch *b,
                                 const struct recurrent_output *y, int32_t r)
{
    size_t states = (size_t)((x->starts[s + 1] - x->starts[s]) * x->columns);
    size_t scores = (size_t)dgm_packed_length(&a->target, s) * TINY_VOCAB;

    return y->starts[r + 1] - y->starts[r] == x->starts[s + 1] - x->starts[s] &&
           memcmp(x->encoded + x->starts[s] * x->columns, y->encoded + y->starts[r] * y->columns,
                  states * sizeof *x->encoded) == 0 &&
           memcmp(x->scores + a->target.offsets[s] * TINY_VOCAB,
                  y->scores + b->target.offsets[r] * TINY_VOCAB, scores * sizeof *x->scores) == 0;
}

#endif
