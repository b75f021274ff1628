/*
 * op_embed_tagged.c: words and tags looked up side by side, plus positions, then dropout
 * (specification 3.10; Sennrich and Haddow 2016).
 *
 * y_i = dropout([scale table[ids_i] | tags.scale tags_1[tag_1i] | ..] + positions[place_i]), (N,D):
 * words of D-g columns, tags of g in all. Backward adds to all tables what op_embed.c adds to one;
 * the last g columns of a word table of width D get nothing. Dropout is a pass of its own over y
 * and dy: the tags begin at any column, and its random numbers come four columns at a time.
 */
#include <string.h>

#include "graph/op.h"

enum { WORDS, TAGS }; /* inputs: words, then one for each kind of tags */

struct embed_tagged {
    struct dgm_rows rows;
    struct dgm_ref tag_ids[DGM_EMBED_TAGS], positions;
    dgm_real scale, tag_scale;
    struct dgm_drop drop;
};

/* The columns of one of the tables. */
struct part {
    struct dgm_ref ids;
    int64_t dim;
    size_t skip; /* bytes in front of them in a row of y */
};

static struct part part_of(const struct dgm_node *y, int i)
{
    const struct embed_tagged *embed = y->attr;
    int64_t column = y->cols;
    struct part part;
    int k;

    /* Tags fill the last columns, kind after kind: those of kinds i and later are at the end. */
    for (k = y->in_count - 1; k >= TAGS && k >= i; k--)
        column -= y->in[k]->cols;
    part.ids = i == WORDS ? embed->rows.ids : embed->tag_ids[i - TAGS];
    part.dim = i == WORDS ? column : y->in[i]->cols;
    part.skip = i == WORDS ? 0 : (size_t)column * sizeof(dgm_real);
    return part;
}

static dgm_status look_up(struct dgm_graph *g, const struct dgm_node *y, int i)
{
    const struct embed_tagged *embed = y->attr;
    const struct part part = part_of(y, i);
    struct dgm_embed_forward_args args = { 0 };

    args.y = dgm_ref_at(y->value, part.skip);
    args.table = y->in[i]->value;
    args.ids = part.ids;
    if (embed->positions.buffer != NULL)
        args.positions = dgm_ref_at(embed->positions, part.skip);
    args.places = embed->rows.places;
    args.rows = y->rows;
    args.dim = part.dim;
    args.ldy = y->cols;
    args.ld_table = y->in[i]->cols;
    args.scale = i == WORDS ? embed->scale : embed->tag_scale;
    return dgm_device_run(g->env, g->device, DGM_TASK_embed_forward, &args);
}

static dgm_status embed_tagged_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct embed_tagged *embed = y->attr;
    struct dgm_residual_forward_args args = { 0 };
    int i;

    for (i = 0; i < y->in_count; i++)
        DGM_TRY(look_up(g, y, i));
    if (embed->drop.rate <= 0)
        return DGM_OK;
    args.y = args.r = y->value;
    args.places = embed->rows.places;
    args.rows = y->rows;
    args.dim = y->cols;
    args.drop = embed->drop;
    return dgm_device_run(g->env, g->device, DGM_TASK_residual_forward, &args);
}

static dgm_status add_to_table(struct dgm_graph *g, const struct dgm_node *y, int i)
{
    const struct embed_tagged *embed = y->attr;
    const struct part part = part_of(y, i);
    struct dgm_embed_backward_args args = { 0 };

    if (!dgm_node_wants(y, i))
        return DGM_OK;
    DGM_TRY(dgm_node_open_sum(g, y->in[i]));
    args.dtable = y->in[i]->grad;
    args.dy = dgm_ref_at(y->grad, part.skip);
    args.ids = part.ids;
    args.places = embed->rows.places;
    args.rows = y->rows;
    args.dim = part.dim;
    args.ldy = y->cols;
    args.ld_table = y->in[i]->cols;
    args.scale = i == WORDS ? embed->scale : embed->tag_scale;
    return dgm_device_run(g->env, g->device, DGM_TASK_embed_backward, &args);
}

/* dy is not needed afterwards: dropout is done where it lies. */
static dgm_status drop_grad(struct dgm_graph *g, const struct dgm_node *y)
{
    const struct embed_tagged *embed = y->attr;
    struct dgm_residual_backward_args args = { 0 };

    if (embed->drop.rate <= 0)
        return DGM_OK;
    args.dr = args.dy = y->grad;
    args.places = embed->rows.places;
    args.rows = y->rows;
    args.dim = y->cols;
    args.drop = embed->drop;
    return dgm_device_run(g->env, g->device, DGM_TASK_residual_backward, &args);
}

static dgm_status embed_tagged_backward(struct dgm_graph *g, struct dgm_node *y)
{
    int i;

    DGM_TRY(drop_grad(g, y));
    for (i = 0; i < y->in_count; i++)
        DGM_TRY(add_to_table(g, y, i));
    return DGM_OK;
}

/* One to three kinds of tags, four of each, of 1..6 columns. */
static void sample_tags(struct dgm_graph *g, struct dgm_sample *sample, int64_t n,
                        struct dgm_embed_tags *tags)
{
    int32_t ids[8];
    int64_t width, i;
    int k;

    tags->count = (int)dgm_sample_int(sample, 1, 3);
    tags->scale = 2;
    tags->dim = 0;
    for (k = 0; k < tags->count; k++) {
        width = dgm_sample_int(sample, 1, 6);
        for (i = 0; i < n; i++)
            ids[i] = (int32_t)dgm_sample_int(sample, 0, 3);
        tags->dim += width;
        tags->kinds[k].table = dgm_sample_leaf(g, sample, 4, width);
        tags->kinds[k].ids = dgm_sample_data(g, sample, ids, (size_t)n * sizeof *ids);
    }
}

static struct dgm_node *embed_tagged_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 8), width = dgm_sample_int(sample, 1, 6), i;
    int64_t narrow = dgm_sample_int(sample, 0, 1), positioned = dgm_sample_int(sample, 0, 1);
    int32_t ids[8], places[16];
    struct dgm_ref positions = { NULL, 0 };
    struct dgm_embed_tags tags;
    struct dgm_rows rows;
    struct dgm_node *table;
    dgm_real values[8 * 24]; /* 8 rows; words and three kinds of tags of at most 6 columns */

    sample_tags(g, sample, n, &tags);
    tags.dim += width;
    table = dgm_sample_leaf(g, sample, 3, narrow ? width : tags.dim);
    for (i = 0; i < n; i++) {
        ids[i] = (int32_t)dgm_sample_int(sample, 0, 2);
        places[2 * i] = 7;
        places[2 * i + 1] = (int32_t)i;
    }
    for (i = 0; i < n * tags.dim; i++)
        values[i] = (dgm_real)dgm_random_normal(&sample->random);
    if (positioned)
        positions = dgm_sample_data(g, sample, values, (size_t)(n * tags.dim) * sizeof *values);
    rows.count = n;
    rows.ids = dgm_sample_data(g, sample, ids, (size_t)n * sizeof *ids);
    rows.places = dgm_sample_data(g, sample, places, (size_t)n * 2 * sizeof *places);
    return dgm_embed_tagged(g, table, &tags, &rows, positions, (dgm_real)1.5, (dgm_real)0.25, 3);
}

const struct dgm_op dgm_op_embed_tagged = {
    .name = "embed_tagged",
    .is_cheap = 1,
    .forward = embed_tagged_forward,
    .backward = embed_tagged_backward,
    .sample = embed_tagged_sample,
};

struct dgm_node *dgm_embed_tagged(struct dgm_graph *g, struct dgm_node *table,
                                  const struct dgm_embed_tags *tags, const struct dgm_rows *rows,
                                  struct dgm_ref positions, dgm_real scale, dgm_real dropout,
                                  uint32_t stream)
{
    struct dgm_node *in[TAGS + DGM_EMBED_TAGS] = { [WORDS] = table };
    struct embed_tagged embed = { .rows = *rows,
                                  .positions = positions,
                                  .scale = scale,
                                  .tag_scale = tags->scale,
                                  .drop = dgm_node_drop(g, dropout, stream) };
    int64_t words = tags->dim;
    int k;

    for (k = 0; k < tags->count; k++) {
        in[TAGS + k] = tags->kinds[k].table;
        embed.tag_ids[k] = tags->kinds[k].ids;
        if (table == NULL || in[TAGS + k] == NULL)
            return NULL;
        words -= in[TAGS + k]->cols;
    }
    if (words <= 0 || (table->cols != tags->dim && table->cols != words))
        return dgm_node_fail(g, "embed_tagged", table, in[TAGS],
                             "words (V,D) or (V,D-g) and tags (T,g)");
    return dgm_node_new(g, &dgm_op_embed_tagged, rows->count, tags->dim, in, TAGS + tags->count,
                        &embed, sizeof embed);
}
