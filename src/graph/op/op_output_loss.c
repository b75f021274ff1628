/*
 * op_output_loss.c: the output layer and its loss in one: the label-smoothed cross-entropy
 * (specification 1.8) of the logits x W^T + b, some rows at a time.
 *
 * x (N,in), W (V,in), b (1,V), targets (N) -> (N,2): the smoothed loss and -log p(target) of each
 * row. Logits would be the largest matrix of a step by far; here only those of a chunk of rows
 * exist. In training, forward turns them into their gradient times grad_scale and this into its
 * share of dW and db, which it adds, and into dx, which waits for backward.
 *
 * Weights of rows need no kernel: rows that lie together and have one weight are a run, and each
 * run is a call with a grad_scale of its own.
 *
 * A chunk is a whole number of the blocks in which products and sums of columns add: dW and db are
 * the same sums in the same order as over all rows at a time.
 */
#include <string.h>

#include "graph/calls.h"
#include "graph/op.h"
#include "kernel/gemm.h"

enum { X, WEIGHT, BIAS };

/*
 * Logits of a chunk, about, and its least rows: weights are copied into panels once for each chunk,
 * which fewer rows would not be worth.
 */
#define CHUNK_REALS ((int64_t)10 << 20)
#define LEAST_BLOCKS 2

/* On other devices than the processor a launch costs more, and a chunk has to occupy them. */
#define CHUNK_REALS_THERE (2 * CHUNK_REALS)

struct output_loss {
    struct dgm_ref targets, best; /* best: the ids (N) of the largest logits, or absent */
    dgm_real smoothing, grad_scale;
    enum dgm_smoothing form;
    int64_t chunk_reals;            /* logits of a chunk, about */
    struct dgm_row_weights weights; /* count 0: all are 1 */
};

/* Rows begin .. begin + rows - 1, and their logits. */
struct chunk {
    int64_t begin, rows;
    struct dgm_matrix logits; /* (rows,V) */
    struct dgm_ref values;    /* (rows): the largest logits */
};

static int64_t chunk_rows(const struct dgm_node *y)
{
    const struct output_loss *loss = y->attr;
    const int64_t blocks = loss->chunk_reals / y->in[WEIGHT]->rows / DGM_GEMM_K;
    const int64_t rows = (blocks > LEAST_BLOCKS ? blocks : LEAST_BLOCKS) * DGM_GEMM_K;

    return rows < y->rows ? rows : y->rows;
}

/* dx where it is wanted, then logits and values of a chunk. */
static int64_t dx_reals(const struct dgm_node *y)
{
    return dgm_node_wants(y, X) ? y->rows * y->in[X]->cols : 0;
}

static uint64_t output_loss_extra(const struct dgm_node *y)
{
    const int64_t chunk = chunk_rows(y) * (y->in[WEIGHT]->rows + 1);

    return (uint64_t)(dx_reals(y) + chunk) * sizeof(dgm_real);
}

/* ---- a chunk --------------------------------------------------------------------------------- */

static struct dgm_matrix x_of(const struct dgm_node *y, const struct chunk *chunk)
{
    return dgm_matrix_at(dgm_matrix(y->in[X]->value, y->in[X]->cols), chunk->begin, 0);
}

static dgm_status find_logits(struct dgm_graph *g, const struct dgm_node *y,
                              const struct chunk *chunk)
{
    const struct dgm_node *w = y->in[WEIGHT];
    struct dgm_product product = dgm_product(DGM_NT, chunk->rows, w->rows, w->cols, 0);

    if (y->in[BIAS] != NULL)
        product.bias = y->in[BIAS]->value;
    return dgm_call_product(g, &product, chunk->logits, x_of(y, chunk),
                            dgm_matrix(w->value, w->cols));
}

static dgm_status find_best(struct dgm_graph *g, const struct dgm_node *y,
                            const struct chunk *chunk)
{
    const struct output_loss *loss = y->attr;
    struct dgm_top_k_args args = { 0 };

    args.x = chunk->logits.at;
    args.rows = chunk->rows;
    args.vocab = chunk->logits.ld;
    args.k = 1;
    args.values = chunk->values;
    args.ids = dgm_list_at(loss->best, chunk->begin);
    args.forbidden[0] = args.forbidden[1] = -1;
    return dgm_device_run(g->env, g->device, DGM_TASK_top_k, &args);
}

/* Rows begin .. begin + rows - 1 of a chunk's, all of one weight. */
struct run {
    int64_t begin, rows;
    dgm_real weight;
};

/* The run that begins at row run->begin of all; where rows are weighed, at sentence *s. */
static void next_run(const struct output_loss *loss, int64_t end, int32_t *s, struct run *run)
{
    const struct dgm_row_weights *w = &loss->weights;
    int64_t to = end;

    run->weight = 1;
    if (w->count > 0) {
        while (w->offsets[*s + 1] <= run->begin)
            ++*s;
        run->weight = (dgm_real)w->weights[*s];
        to = w->offsets[*s + 1];
        for (int32_t more = *s + 1;
             more < w->count && to < end && !(w->weights[more] < w->weights[*s]) &&
             !(w->weights[more] > w->weights[*s]);
             more++)
            to = w->offsets[more + 1];
    }
    run->rows = (to < end ? to : end) - run->begin;
}

/* With a gradient, the logits become it. */
static dgm_status find_run_losses(struct dgm_graph *g, const struct dgm_node *y,
                                  const struct chunk *chunk, const struct run *run)
{
    const struct output_loss *loss = y->attr;
    struct dgm_cross_entropy_args args = { 0 };
    struct dgm_axpby_args scale = { 0 };

    args.logits = dgm_matrix_at(chunk->logits, run->begin - chunk->begin, 0).at;
    args.losses = dgm_matrix_at(dgm_matrix(y->value, y->cols), run->begin, 0).at;
    args.targets = dgm_list_at(loss->targets, run->begin);
    args.rows = run->rows;
    args.vocab = chunk->logits.ld;
    args.smoothing = loss->smoothing;
    args.grad_scale = loss->grad_scale * run->weight;
    args.form = loss->form;
    args.want_gradient = y->wants_grad;
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_cross_entropy, &args));
    if (!(run->weight < 1) && !(run->weight > 1))
        return DGM_OK;
    scale.y = scale.x = args.losses;
    scale.count = run->rows * y->cols;
    scale.a = run->weight;
    return dgm_device_run(g->env, g->device, DGM_TASK_axpby, &scale);
}

static dgm_status find_losses(struct dgm_graph *g, const struct dgm_node *y,
                              const struct chunk *chunk)
{
    const int64_t end = chunk->begin + chunk->rows;
    struct run run = { .begin = chunk->begin };
    int32_t s = 0;

    for (; run.begin < end; run.begin += run.rows) {
        next_run(y->attr, end, &s, &run);
        DGM_TRY(find_run_losses(g, y, chunk, &run));
    }
    return DGM_OK;
}

/* The gradients of parameters are complete by the end of backward: a leaf's is only added to. */
static dgm_status add_gradients(struct dgm_graph *g, const struct dgm_node *y,
                                const struct chunk *chunk)
{
    const struct dgm_node *w = y->in[WEIGHT];
    struct dgm_product dw = dgm_product(DGM_TN, w->rows, w->cols, chunk->rows, 1);
    const struct dgm_product dx = dgm_product(DGM_NN, chunk->rows, w->cols, w->rows, 0);

    if (dgm_node_wants(y, BIAS))
        dw.sums = y->in[BIAS]->grad;
    if (dgm_node_wants(y, WEIGHT))
        DGM_TRY(
            dgm_call_product(g, &dw, dgm_matrix(w->grad, w->cols), chunk->logits, x_of(y, chunk)));
    else if (dgm_node_wants(y, BIAS))
        DGM_TRY(dgm_call_column_sums(g, y->in[BIAS]->grad, chunk->logits, chunk->rows, w->rows));
    if (!dgm_node_wants(y, X))
        return DGM_OK;
    return dgm_call_product(g, &dx, dgm_matrix_at(dgm_matrix(y->extra, w->cols), chunk->begin, 0),
                            chunk->logits, dgm_matrix(w->value, w->cols));
}

/* ---- the operation --------------------------------------------------------------------------- */

static dgm_status output_loss_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct output_loss *loss = y->attr;
    const int64_t most = chunk_rows(y);
    struct dgm_ref free = dgm_reals_at(y->extra, dx_reals(y));
    struct chunk chunk;

    chunk.logits = dgm_matrix_take(&free, most, y->in[WEIGHT]->rows);
    chunk.values = free;
    for (chunk.begin = 0; chunk.begin < y->rows; chunk.begin += most) {
        chunk.rows = most < y->rows - chunk.begin ? most : y->rows - chunk.begin;
        DGM_TRY(find_logits(g, y, &chunk));
        if (loss->best.buffer != NULL)
            DGM_TRY(find_best(g, y, &chunk));
        DGM_TRY(find_losses(g, y, &chunk));
        if (y->wants_grad)
            DGM_TRY(add_gradients(g, y, &chunk));
    }
    return DGM_OK;
}

static dgm_status output_loss_backward(struct dgm_graph *g, struct dgm_node *y)
{
    return dgm_node_copy_grad(g, y, X, y->extra);
}

/* Each row is a sentence. */
static void weigh_sample(struct dgm_node *y, int64_t rows)
{
    static const int32_t offsets[] = { 0, 1, 2, 3, 4, 5, 6 };
    static const float weights[] = { 0.5F, 0.5F, 3, 1, 0.25F, 2 };
    const struct dgm_row_weights all = { offsets, weights, (int32_t)rows };

    dgm_output_loss_weigh(y, &all);
}

static struct dgm_node *output_loss_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 6), vocab = dgm_sample_int(sample, 2, 12), i;
    int32_t targets[6];
    struct dgm_node *x = dgm_sample_leaf(g, sample, n, 3);
    struct dgm_node *w = dgm_sample_leaf(g, sample, vocab, 3);
    struct dgm_node *b = dgm_sample_int(sample, 0, 1) ? dgm_sample_leaf(g, sample, 1, vocab) : NULL;
    enum dgm_smoothing form = dgm_sample_int(sample, 0, 1) ? DGM_SMOOTHING_OLD : DGM_SMOOTHING_T2T;
    struct dgm_node *y;

    for (i = 0; i < n; i++)
        targets[i] = (int32_t)dgm_sample_int(sample, 0, vocab - 1);
    if (dgm_sample_int(sample, 0, 1))
        x = dgm_activate(g, x, DGM_TANH);
    y = dgm_output_loss(g, x, w, b,
                        dgm_sample_data(g, sample, targets, (size_t)n * sizeof *targets),
                        (dgm_real)0.1, form, 1);
    if (dgm_sample_int(sample, 0, 1))
        weigh_sample(y, n);
    return y;
}

const struct dgm_op dgm_op_output_loss = {
    .name = "output_loss",
    .is_loss = DGM_LOSS,
    .extra = output_loss_extra,
    .forward = output_loss_forward,
    .backward = output_loss_backward,
    .sample = output_loss_sample,
};

static int are_parameters(const struct dgm_node *w, const struct dgm_node *bias)
{
    return w->op == NULL && (bias == NULL || bias->op == NULL);
}

struct dgm_node *dgm_output_loss(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *w,
                                 struct dgm_node *bias, struct dgm_ref targets, dgm_real smoothing,
                                 enum dgm_smoothing form, dgm_real grad_scale)
{
    struct dgm_node *const in[] = { [X] = x, [WEIGHT] = w, [BIAS] = bias };
    const struct output_loss loss = { .targets = targets,
                                      .smoothing = smoothing,
                                      .grad_scale = grad_scale,
                                      .form = form,
                                      .chunk_reals = g->device->host != NULL ? CHUNK_REALS_THERE
                                                                             : CHUNK_REALS };

    if (x == NULL || w == NULL)
        return NULL;
    if (x->cols != w->cols || !are_parameters(w, bias))
        return dgm_node_fail(g, "output_loss", x, w, "x (N,in) and a parameter (V,in)");
    if (bias != NULL && (bias->cols != w->rows || bias->rows != 1))
        return dgm_node_fail(g, "output_loss", w, bias, "weight (V,in) and bias (1,V)");
    return dgm_keep(g, dgm_node_new(g, &dgm_op_output_loss, x->rows, 2, in, 3, &loss, sizeof loss));
}

void dgm_output_loss_weigh(struct dgm_node *y, const struct dgm_row_weights *weights)
{
    if (y != NULL)
        ((struct output_loss *)y->attr)->weights = *weights;
}

void dgm_output_loss_best(struct dgm_node *y, struct dgm_ref ids)
{
    if (y != NULL)
        ((struct output_loss *)y->attr)->best = ids;
}
