/*
 * op_embed.c: rows of a table, scaled, plus positions, then dropout (specification 1.2).
 *
 * y_i = dropout(scale table[ids_i] + positions[place_i]). Backward adds to the table's gradient
 * only the rows that were looked up; positions are constants.
 */
#include <string.h>

#include "graph/op.h"

struct embed {
    struct dgm_rows rows;
    struct dgm_ref positions;
    dgm_real scale;
    struct dgm_drop drop;
};

static dgm_status embed_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct embed *embed = y->attr;
    struct dgm_embed_forward_args args = { 0 };

    args.y = y->value;
    args.table = y->in[0]->value;
    args.ids = embed->rows.ids;
    args.positions = embed->positions;
    args.places = embed->rows.places;
    args.rows = y->rows;
    args.dim = args.ldy = args.ld_table = y->cols;
    args.scale = embed->scale;
    args.drop = embed->drop;
    return dgm_device_run(g->env, g->device, DGM_TASK_embed_forward, &args);
}

static dgm_status embed_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct embed *embed = y->attr;
    struct dgm_embed_backward_args args = { 0 };

    args.dtable = y->in[0]->grad;
    args.dy = y->grad;
    args.ids = embed->rows.ids;
    args.places = embed->rows.places;
    args.rows = y->rows;
    args.dim = args.ldy = args.ld_table = y->cols;
    args.scale = embed->scale;
    args.drop = embed->drop;
    return dgm_device_run(g->env, g->device, DGM_TASK_embed_backward, &args);
}

static struct dgm_node *embed_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 12), dim = dgm_sample_int(sample, 1, 9);
    int64_t vocab = dgm_sample_int(sample, 1, 6), i;
    int32_t ids[12], places[24];
    struct dgm_rows rows;
    struct dgm_node *table = dgm_sample_leaf(g, sample, vocab, dim);
    struct dgm_node *positions = dgm_sample_leaf(g, sample, n, dim);

    if (table == NULL || positions == NULL)
        return NULL;
    positions->wants_grad = 0;
    sample->leaf_count--;
    for (i = 0; i < n; i++) {
        ids[i] = (int32_t)dgm_sample_int(sample, 0, vocab - 1);
        places[2 * i] = 7;
        places[2 * i + 1] = (int32_t)i;
    }
    rows.count = n;
    rows.ids = dgm_sample_data(g, sample, ids, (size_t)n * sizeof *ids);
    rows.places = dgm_sample_data(g, sample, places, (size_t)n * 2 * sizeof *places);
    return dgm_embed(g, table, &rows, positions->value, (dgm_real)1.5, (dgm_real)0.25, 3);
}

const struct dgm_op dgm_op_embed = {
    .name = "embed",
    .is_cheap = 1,
    .forward = embed_forward,
    .backward = embed_backward,
    .sample = embed_sample,
};

struct dgm_node *dgm_embed(struct dgm_graph *g, struct dgm_node *table, const struct dgm_rows *rows,
                           struct dgm_ref positions, dgm_real scale, dgm_real dropout,
                           uint32_t stream)
{
    const struct embed embed = { *rows, positions, scale, dgm_node_drop(g, dropout, stream) };

    if (table == NULL)
        return NULL;
    return dgm_node_new(g, &dgm_op_embed, rows->count, table->cols, &table, 1, &embed,
                        sizeof embed);
}
