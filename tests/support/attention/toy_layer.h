/*
 * toy_layer.h: one self-attention of one head over one sentence, built as a model builds it: the
 * variant plans its constants from a tree and supplies its terms, and the worked examples of the
 * specification (section 3) are read off the graph. Their sentences lack the end of the sentence,
 * which trees are planned with: the toy cuts its row and column off, unless it is told to keep it.
 */
#ifndef DGM_TEST_TOY_LAYER_H
#define DGM_TEST_TOY_LAYER_H

#include <math.h>
#include <string.h>

#include "graph/op.h"
#include "nn/attn/syntax.h"
#include "open_device.h"
#include "test.h"

enum { TOY_MOST = 16, TOY_LAYERS = 2 };

/* The last printed digit. */
#define TOY_PRINTED 1.01e-6

/* Toy A of specification 1.4, its tree, and the gradient of its loss L = sum(R .* Z). */
static const double toy_a_q[8] = { 1, 0, 0, 1, 1, 1, .5, -.5 };
static const double toy_a_k[8] = { .5, 1, 1, 0, -1, .5, .2, .3 };
static const double toy_a_v[8] = { 1, 2, 0, 1, -1, 0, 2, -1 };
static const double toy_a_r[8] = { 1, -1, .5, .5, -.5, 1, 1, .25 };
static const int32_t toy_a_heads[4] = { 1, 2, 2, 2 };

struct toy_layer {
    /* What the test gives. */
    int32_t n;               /* rows */
    int64_t dk, dv;          /* columns of q and k; of v */
    const double *q, *k, *v; /* (n,dk), (n,dk), (n,dv); k and v NULL: they are q */
    const double *x;         /* (n,dim) what the layer reads; NULL: nobody looks at it */
    const double *below;     /* (n,dk) what layer 1 was given, for layer 2 */
    const double *r;         /* (n,dv) dL/dz, or NULL */
    double unit;             /* that parse losses are weighed by; 1 */
    /* What it finds. */
    dgm_real z[TOY_MOST * TOY_MOST], dq[TOY_MOST * TOY_MOST], dk_[TOY_MOST * TOY_MOST];
    dgm_real dv_[TOY_MOST * TOY_MOST], dbelow[TOY_MOST * TOY_MOST];
    double parse_loss;         /* mean over supervised rows */
    int32_t targets[TOY_MOST]; /* of the plan, end of the sentence included */
    unsigned char labels[TOY_MOST * TOY_MOST];
    double factor[TOY_MOST * TOY_MOST];
    /* Machinery. */
    struct dgm_device *device;
    struct dgm_attn_shape shape;
    struct dgm_attn_place place;
    struct dgm_syntax syntax;
    struct dgm_params params;
    struct dgm_feed feed;
    struct dgm_arena scratch;
    struct dgm_graph g;
    struct dgm_sample sample;
    dgm_attn_layer_constants constants[TOY_LAYERS];
    struct dgm_attn_layer layer;
    struct dgm_parse_losses losses;
    struct dgm_node *rows[4]; /* q, k, v, below */
};

/* ---- a loss whose gradient is given ---------------------------------------------------------- */

static dgm_status toy_given_forward(struct dgm_graph *g, struct dgm_node *node)
{
    (void)g, (void)node;
    return DGM_OK;
}

static dgm_status toy_given_backward(struct dgm_graph *g, struct dgm_node *node)
{
    struct dgm_node *y = node->in[0];

    y->grad_ready = 1;
    return dgm_device_write(g->env, g->device, y->grad, node->attr,
                            (size_t)(y->rows * y->cols) * sizeof(dgm_real));
}

static const struct dgm_op toy_op_given = {
    .name = "given",
    .is_loss = DGM_LOSS,
    .forward = toy_given_forward,
    .backward = toy_given_backward,
};

static inline void toy_give(struct dgm_graph *g, struct dgm_node *y, const double *dy)
{
    int64_t count = y != NULL ? y->rows * y->cols : 0, i;
    struct dgm_node *node =
        dgm_node_new(g, &toy_op_given, 1, 1, &y, 1, NULL, (size_t)count * sizeof(dgm_real));

    for (i = 0; node != NULL && i < count; i++)
        ((dgm_real *)node->attr)[i] = (dgm_real)dy[i];
}

/* ---- life ------------------------------------------------------------------------------------ */

/* A layer of a model of width dim; heads are dk wide. */
static inline dgm_status toy_open(struct toy_layer *toy, const char *text, int32_t n, int64_t dim,
                                  int64_t dk, enum dgm_side side, int layer)
{
    memset(toy, 0, sizeof *toy);
    toy->n = n;
    toy->dk = toy->dv = dk;
    toy->unit = 1;
    toy->shape.dim = dim;
    toy->shape.heads = 1;
    toy->shape.head_dim = dk;
    toy->shape.depth[DGM_SOURCE] = toy->shape.depth[DGM_TARGET] = TOY_LAYERS;
    toy->place.side = side;
    toy->place.layer = layer;
    DGM_TRY(open_device(test_env(), &toy->device, 1));
    DGM_TRY(dgm_syntax_init(test_env(), &toy->syntax, text, &toy->shape));
    DGM_TRY(dgm_syntax_declare(test_env(), &toy->syntax, &toy->params, toy->place));
    DGM_TRY(dgm_params_allocate(test_env(), &toy->params, toy->device, 1));
    dgm_feed_init(&toy->feed, toy->device);
    return dgm_graph_init(test_env(), &toy->g, toy->device);
}

static inline void toy_close(struct toy_layer *toy)
{
    dgm_sample_clear(&toy->g, &toy->sample);
    dgm_graph_clear(&toy->g);
    dgm_feed_clear(test_env(), &toy->feed);
    dgm_arena_clear(test_env(), &toy->scratch);
    dgm_params_clear(test_env(), &toy->params);
    dgm_syntax_clear(test_env(), &toy->syntax);
    dgm_device_close(test_env(), toy->device);
}

static inline dgm_param_id toy_find(const struct toy_layer *toy, const char *tail)
{
    char name[128];

    dgm_attn_name(name, toy->place, tail);
    return dgm_params_find(&toy->params, name);
}

/* Writes a parameter of the layer. */
static inline dgm_status toy_set(struct toy_layer *toy, const char *tail, const double *values)
{
    dgm_param_id id = toy_find(toy, tail);
    dgm_real copy[TOY_MOST * TOY_MOST];
    int64_t i;

    if (id < 0)
        return dgm_fail(test_env(), DGM_FAILURE, "no parameter %s", tail);
    for (i = 0; i < toy->params.items[id].rows * toy->params.items[id].cols; i++)
        copy[i] = (dgm_real)values[i];
    return dgm_params_write(test_env(), &toy->params, id, copy);
}

static inline void toy_near(const dgm_real *got, const double *want, int count)
{
    int i;

    for (i = 0; i < count; i++)
        CHECK_NEAR(got[i], want[i], TOY_PRINTED);
}

/* Checks the gradient of a parameter of the layer. */
static inline void toy_near_grad(struct toy_layer *toy, const char *tail, const double *want,
                                 int count)
{
    dgm_real got[TOY_MOST * TOY_MOST];

    CHECK_STATUS(dgm_params_read_grad(test_env(), &toy->params, toy_find(toy, tail), got), DGM_OK);
    toy_near(got, want, count);
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* Rows first .. first+n-1 of an n_all x n_all block of elements, in place of the whole. */
static inline dgm_status toy_cut(struct toy_layer *toy, dgm_slot *slot, size_t size, int32_t n_all,
                                 int32_t first)
{
    char block[TOY_MOST * TOY_MOST * sizeof(dgm_real)];
    int32_t n = toy->n, i;

    if (*slot == 0)
        return DGM_OK;
    for (i = 0; i < n; i++)
        memcpy(block + (size_t)(i * n) * size,
               (char *)dgm_feed_host(&toy->feed, *slot) +
                   (size_t)((i + first) * n_all + first) * size,
               (size_t)n * size);
    return dgm_feed_copy(test_env(), &toy->feed, slot, block, (size_t)(n * n) * size);
}

/* The same of targets, counted from the first row kept. */
static inline dgm_status toy_cut_targets(struct toy_layer *toy, dgm_slot *slot, int32_t n_all,
                                         int32_t first)
{
    int32_t kept[TOY_MOST], i;

    for (i = 0; i < n_all; i++)
        toy->targets[i] = *slot ? ((int32_t *)dgm_feed_host(&toy->feed, *slot))[i] : -1;
    if (*slot == 0)
        return DGM_OK;
    for (i = 0; i < toy->n; i++)
        kept[i] = toy->targets[i + first] < 0 ? -1 : toy->targets[i + first] - first;
    return dgm_feed_copy(test_env(), &toy->feed, slot, kept, (size_t)toy->n * sizeof *kept);
}

static inline dgm_status toy_cut_all(struct toy_layer *toy, int32_t n_all)
{
    struct dgm_attn_constants *mine = toy->constants[toy->place.layer - 1];
    int32_t first = toy->place.side == DGM_TARGET && n_all > toy->n, i;
    int which;

    for (which = 0; which < 2; which++)
        DGM_TRY(toy_cut(toy, &mine->factor[which], sizeof(dgm_real), n_all, first));
    DGM_TRY(toy_cut(toy, &mine->addend, sizeof(dgm_real), n_all, first));
    DGM_TRY(toy_cut(toy, &mine->hidden, 1, n_all, first));
    DGM_TRY(toy_cut(toy, &mine->labels, 1, n_all, first));
    DGM_TRY(toy_cut_targets(toy, &mine->targets, n_all, first));
    for (i = 0; i < toy->n * toy->n; i++) {
        toy->factor[i] = mine->factor[0]
                             ? (double)((dgm_real *)dgm_feed_host(&toy->feed, mine->factor[0]))[i]
                             : 1;
        toy->labels[i] =
            mine->labels ? ((unsigned char *)dgm_feed_host(&toy->feed, mine->labels))[i] : 0;
    }
    return DGM_OK;
}

/* Plans a sentence of `pieces` pieces, word[p] their words, with this tree over its words, in
 * training or not; n = pieces, or pieces + 1 where the toy keeps the end of the sentence. */
static inline dgm_status toy_plan_pieces(struct toy_layer *toy, const int32_t *word, int32_t pieces,
                                         const int32_t *heads, int32_t words, int training)
{
    static const int32_t number[1] = { 100 };
    int32_t ids[TOY_MOST] = { 0 }, of[TOY_MOST], squares[2] = { 0, 0 }, i;
    struct dgm_packed side;
    struct dgm_attn_plan plan;
    dgm_status status;

    memset(&side, 0, sizeof side);
    for (i = 0; i <= pieces; i++)
        of[i] = i < pieces ? word[i] : -1;
    squares[1] = (pieces + 1) * (pieces + 1);
    status = dgm_packed_add(test_env(), &side, ids, of, pieces + 1, heads, words);
    memset(&plan, 0, sizeof plan);
    plan.feed = &toy->feed;
    plan.scratch = &toy->scratch;
    plan.packed = &side;
    plan.numbers = number;
    plan.squares = squares;
    plan.training = training;
    plan.key[0] = plan.key[1] = 1;
    plan.place.side = toy->place.side;
    if (status == DGM_OK)
        status = dgm_syntax_plan(test_env(), &toy->syntax, &plan, toy->constants);
    if (status == DGM_OK)
        status = toy_cut_all(toy, pieces + 1);
    dgm_packed_clear(test_env(), &side);
    return status;
}

/* The same of whole words. */
static inline dgm_status toy_plan(struct toy_layer *toy, const int32_t *heads, int32_t words,
                                  int training)
{
    int32_t word[TOY_MOST], i;

    for (i = 0; i < words; i++)
        word[i] = i;
    return toy_plan_pieces(toy, word, words, heads, words, training);
}

/* The staged factor of a representation, before it is sent. */
static inline dgm_real *toy_factor(struct toy_layer *toy, int representation)
{
    struct dgm_attn_constants *mine = &toy->constants[toy->place.layer - 1][representation];

    return mine->factor[0] ? dgm_feed_host(&toy->feed, mine->factor[0]) : NULL;
}

/* ---- one step -------------------------------------------------------------------------------- */

static inline struct dgm_node *toy_leaf(struct toy_layer *toy, const double *x, int64_t cols)
{
    dgm_real values[TOY_MOST * TOY_MOST], zeros[TOY_MOST * TOY_MOST] = { 0 };
    size_t bytes = (size_t)(toy->n * cols) * sizeof *values;
    struct dgm_ref value, grad;
    int64_t i;

    for (i = 0; i < toy->n * cols; i++)
        values[i] = (dgm_real)x[i];
    value = dgm_sample_data(&toy->g, &toy->sample, values, bytes);
    grad = dgm_sample_data(&toy->g, &toy->sample, zeros, bytes);
    return dgm_leaf(&toy->g, value, grad, toy->n, cols);
}

/* The sentence as operands of the core and of variants. */
static inline dgm_status toy_set_spans(struct toy_layer *toy)
{
    struct dgm_attn_layer *layer = &toy->layer;
    int32_t offsets[2] = { 0, 0 }, zeros[TOY_MOST] = { 0 };
    dgm_slot slot[3];

    offsets[1] = toy->n;
    DGM_TRY(dgm_feed_copy(test_env(), &toy->feed, &slot[0], offsets, sizeof offsets));
    DGM_TRY(dgm_feed_copy(test_env(), &toy->feed, &slot[1], zeros, sizeof zeros));
    DGM_TRY(dgm_feed_copy(test_env(), &toy->feed, &slot[2], &toy->n, sizeof toy->n));
    DGM_TRY(dgm_feed_send(test_env(), &toy->feed));
    layer->spans.sentences = 1;
    layer->spans.rows = toy->n;
    layer->spans.pairs = toy->n * toy->n;
    layer->spans.offsets = layer->terms.q_offsets = dgm_feed_ref(&toy->feed, slot[0]);
    layer->owners = layer->terms.k_starts = dgm_feed_ref(&toy->feed, slot[1]);
    layer->spans.squares = layer->terms.squares = layer->owners;
    layer->counts = layer->terms.k_counts = dgm_feed_ref(&toy->feed, slot[2]);
    return DGM_OK;
}

static inline void toy_set_rows(struct toy_layer *toy, struct dgm_node **inputs)
{
    struct dgm_attn_layer *layer = &toy->layer;

    toy->rows[0] = toy_leaf(toy, toy->q, toy->dk);
    toy->rows[1] = toy->k != NULL ? toy_leaf(toy, toy->k, toy->dk) : toy->rows[0];
    toy->rows[2] = toy->v != NULL ? toy_leaf(toy, toy->v, toy->dv) : toy->rows[0];
    toy->rows[3] = toy->below != NULL ? toy_leaf(toy, toy->below, toy->dk) : NULL;
    inputs[0] = toy->place.layer == 1 ? toy->rows[0] : toy->rows[3];
    inputs[1] = toy->rows[0];
    layer->inputs = inputs;
    layer->x = toy->x != NULL ? toy_leaf(toy, toy->x, toy->shape.dim) : NULL;
    layer->q.node = toy->rows[0];
    layer->k.node = toy->rows[1];
    layer->v.node = toy->rows[2];
}

static inline dgm_status toy_build(struct toy_layer *toy, struct dgm_node **z)
{
    struct dgm_attn_layer *layer = &toy->layer;
    struct dgm_node *inputs[2], *means[2] = { NULL, NULL };

    dgm_sample_clear(&toy->g, &toy->sample);
    memset(&toy->sample, 0, sizeof toy->sample);
    dgm_graph_begin(&toy->g, 1, 1, 1);
    memset(layer, 0, sizeof *layer);
    memset(&toy->losses, 0, sizeof toy->losses);
    toy->losses.unit = toy->unit;
    layer->g = &toy->g;
    layer->params = &toy->params;
    layer->feed = &toy->feed;
    layer->shape = &toy->shape;
    layer->place = toy->place;
    layer->constants = toy->constants[toy->place.layer - 1];
    layer->losses = &toy->losses;
    DGM_TRY(toy_set_spans(toy));
    toy_set_rows(toy, inputs);
    layer->means = means;
    layer->terms.core.sentences = layer->terms.core.heads = 1;
    layer->terms.core.factor_heads[0] = layer->terms.core.factor_heads[1] = 1;
    layer->terms.core.head_dim = toy->dk;
    layer->terms.core.value_dim = toy->dv;
    layer->terms.core.scale = (dgm_real)(1 / sqrt((double)toy->dk));
    layer->terms.core.causal = toy->place.side == DGM_TARGET;
    DGM_TRY(dgm_syntax_terms(&toy->syntax, layer));
    dgm_syntax_represent(layer, 0);
    if (layer->terms.center != NULL)
        dgm_keep(&toy->g, layer->terms.center);
    if (layer->terms.window != NULL)
        dgm_keep(&toy->g, layer->terms.window);
    *z =
        dgm_keep(&toy->g, dgm_attention_node(&toy->g, layer->q, layer->k, layer->v, &layer->terms));
    if (toy->r != NULL)
        toy_give(&toy->g, *z, toy->r);
    return toy->g.status;
}

static inline dgm_status toy_read_losses(struct toy_layer *toy)
{
    dgm_real rows[TOY_MOST];
    int32_t i;

    toy->parse_loss = 0;
    if (toy->losses.count == 0)
        return DGM_OK;
    DGM_TRY(dgm_graph_read(&toy->g, toy->losses.items[0].node, rows));
    for (i = 0; i < toy->n; i++)
        toy->parse_loss += (double)rows[i] / (double)toy->losses.items[0].supervised;
    return DGM_OK;
}

/* One step forwards, and backwards from R (if there is one) and parse losses. */
static inline dgm_status toy_run(struct toy_layer *toy)
{
    dgm_real *grads[4] = { toy->dq, toy->dk_, toy->dv_, toy->dbelow };
    struct dgm_fill_args fill;
    struct dgm_node *z;
    int i;

    memset(&fill, 0, sizeof fill);
    fill.y.buffer = toy->params.grads;
    fill.count = toy->params.total;
    if (fill.count > 0)
        DGM_TRY(dgm_device_run(test_env(), toy->device, DGM_TASK_fill, &fill));
    DGM_TRY(toy_build(toy, &z));
    DGM_TRY(dgm_graph_run(&toy->g));
    DGM_TRY(dgm_graph_read(&toy->g, z, toy->z));
    DGM_TRY(toy_read_losses(toy));
    if (toy->r == NULL && toy->losses.count == 0)
        return DGM_OK;
    DGM_TRY(dgm_graph_backward(&toy->g));
    for (i = 0; i < 4; i++)
        if (toy->rows[i] != NULL)
            DGM_TRY(dgm_device_read(test_env(), toy->device, grads[i], toy->rows[i]->grad,
                                    (size_t)(toy->rows[i]->rows * toy->rows[i]->cols) *
                                        sizeof(dgm_real)));
    return DGM_OK;
}

/* What a node that was kept holds after a step. */
static inline dgm_status toy_read(struct toy_layer *toy, const struct dgm_node *node, dgm_real *out)
{
    if (toy->g.status != DGM_OK)
        return toy->g.status;
    return node != NULL ? dgm_graph_read(&toy->g, node, out) : DGM_MEMORY;
}

/* The weights A (n,n), each row of which sums to 1: what unit vectors as values become. */
static inline void toy_weights(struct toy_layer *toy, dgm_real *a)
{
    const double *v = toy->v, *r = toy->r;
    double unit[TOY_MOST * TOY_MOST] = { 0 };
    int64_t dv = toy->dv;
    int32_t n = toy->n, i, j;

    for (i = 0; i < n; i++)
        unit[i * n + i] = 1;
    toy->v = unit;
    toy->r = NULL;
    toy->dv = n;
    CHECK_STATUS(toy_run(toy), DGM_OK);
    memcpy(a, toy->z, (size_t)(n * n) * sizeof *a);
    toy->v = v;
    toy->r = r;
    toy->dv = dv;
    for (i = 0; i < n; i++) {
        double sum = 0;
        for (j = 0; j < n; j++)
            sum += (double)a[i * n + j];
        CHECK_NEAR(sum, 1, 1e-6);
    }
}

static inline void toy_near_weights(struct toy_layer *toy, const double *want, int count)
{
    dgm_real a[TOY_MOST * TOY_MOST];

    toy_weights(toy, a);
    toy_near(a, want, count);
}

/* Toy A with a variant's terms, in layer 1 of the encoder, planned with its tree. */
static inline dgm_status toy_open_a(struct toy_layer *toy, const char *text, enum dgm_side side)
{
    DGM_TRY(toy_open(toy, text, 4, 2, 2, side, 1));
    toy->q = toy_a_q;
    toy->k = toy_a_k;
    toy->v = toy_a_v;
    toy->r = toy_a_r;
    return toy_plan(toy, toy_a_heads, 4, 1);
}

#endif
