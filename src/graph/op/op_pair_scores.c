/*
 * op_pair_scores.c: E_ij = q_i . k_j for all pairs of rows of one sentence, packed: the arcs of a
 * biaffine parser (Dozat and Manning 2017, equation 6, with the form's matrix and bias in q).
 *
 * q, k: A columns of nodes with N rows -> (T,1), blocks as in struct dgm_spans. Backward, sentence
 * by sentence: dq = dE k, dk = dE^T q, added up where q and k share columns.
 */
#include "graph/calls.h"
#include "graph/op.h"

enum { Q, K };

struct pair_scores {
    struct dgm_spans spans;
    int64_t column[2], dim;
};

static struct dgm_ref columns_of(const struct dgm_node *y, int i, struct dgm_ref matrix)
{
    const struct pair_scores *pairs = y->attr;

    return dgm_reals_at(matrix, pairs->column[i]);
}

static dgm_status pair_scores_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct pair_scores *pairs = y->attr;
    struct dgm_pair_scores_args args = { 0 };

    args.scores = y->value;
    args.q = columns_of(y, Q, y->in[Q]->value);
    args.k = columns_of(y, K, y->in[K]->value);
    args.offsets = pairs->spans.offsets;
    args.squares = pairs->spans.squares;
    args.sentences = pairs->spans.sentences;
    args.dim = pairs->dim;
    args.ldq = y->in[Q]->cols;
    args.ldk = y->in[K]->cols;
    return dgm_device_run(g->env, g->device, DGM_TASK_pair_scores, &args);
}

/* q and k of one node: each sentence writes dq first, so that dk adds to it where they meet. */
static dgm_status open_shared(struct dgm_graph *g, struct dgm_node *y,
                              struct dgm_pair_scores_backward_args *args)
{
    const struct pair_scores *pairs = y->attr;
    const int64_t apart = pairs->column[K] - pairs->column[Q];
    const int meet = apart < pairs->dim && apart > -pairs->dim;

    /* Together they cover the node if they are all of it, both the same or side by side. */
    DGM_TRY(dgm_node_open_grad(g, y->in[Q], (meet ? 1 : 2) * pairs->dim == y->in[Q]->cols,
                               &args->accumulate_q));
    args->accumulate_k = meet || args->accumulate_q;
    return DGM_OK;
}

static dgm_status open_grads(struct dgm_graph *g, struct dgm_node *y,
                             struct dgm_pair_scores_backward_args *args)
{
    const struct pair_scores *pairs = y->attr;
    struct dgm_node *q = y->in[Q], *k = y->in[K];

    if (dgm_node_wants(y, Q))
        args->dq = columns_of(y, Q, q->grad);
    if (dgm_node_wants(y, K))
        args->dk = columns_of(y, K, k->grad);
    if (q == k)
        return open_shared(g, y, args);
    if (dgm_node_wants(y, Q))
        DGM_TRY(dgm_node_open_grad(g, q, pairs->dim == q->cols, &args->accumulate_q));
    if (dgm_node_wants(y, K))
        DGM_TRY(dgm_node_open_grad(g, k, pairs->dim == k->cols, &args->accumulate_k));
    return DGM_OK;
}

static dgm_status pair_scores_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct pair_scores *pairs = y->attr;
    struct dgm_pair_scores_backward_args args = { 0 };

    DGM_TRY(open_grads(g, y, &args));
    args.dscores = y->grad;
    args.q = columns_of(y, Q, y->in[Q]->value);
    args.k = columns_of(y, K, y->in[K]->value);
    args.offsets = pairs->spans.offsets;
    args.squares = pairs->spans.squares;
    args.sentences = pairs->spans.sentences;
    args.dim = pairs->dim;
    args.ldq = y->in[Q]->cols;
    args.ldk = y->in[K]->cols;
    return dgm_device_run(g->env, g->device, DGM_TASK_pair_scores_backward, &args);
}

/* dim columns of a leaf that has up to `spare` more. */
static struct dgm_columns sample_columns(struct dgm_graph *g, struct dgm_sample *sample,
                                         int64_t rows, int64_t dim, int64_t spare)
{
    struct dgm_columns columns;

    spare = dgm_sample_int(sample, 0, spare);
    columns.node = dgm_sample_leaf(g, sample, rows, dim + spare);
    columns.column = dgm_sample_int(sample, 0, spare);
    return columns;
}

/* Columns of two nodes, or of one, the same, apart or in part the same; computed or leaves. */
static struct dgm_node *pair_scores_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    static const struct dgm_rows no_rows;
    int32_t offsets[DGM_SAMPLE_SPANS + 1];
    struct dgm_spans spans = dgm_sample_spans(g, sample, offsets);
    int64_t dim = dgm_sample_int(sample, 1, 9), kind = dgm_sample_int(sample, 0, 5);
    struct dgm_columns q = sample_columns(g, sample, spans.rows, dim, kind < 3 ? 3 : 12), k = q;

    if (q.node == NULL)
        return NULL;
    if (kind < 3)
        k = sample_columns(g, sample, spans.rows, dim, 3);
    else if (kind < 5)
        k.column = dgm_sample_int(sample, 0, q.node->cols - dim);
    if (kind % 2) { /* gradients that begin with nothing: y of x + x */
        int same = k.node == q.node;
        q.node = dgm_residual(g, q.node, q.node, &no_rows, 0, 0);
        if (same)
            k.node = q.node;
    }
    return dgm_pair_scores(g, q, k, dim, &spans);
}

const struct dgm_op dgm_op_pair_scores = {
    .name = "pair_scores",
    .keep = 1u << Q | 1u << K,
    .forward = pair_scores_forward,
    .backward = pair_scores_backward,
    .sample = pair_scores_sample,
};

struct dgm_node *dgm_pair_scores(struct dgm_graph *g, struct dgm_columns q, struct dgm_columns k,
                                 int64_t dim, const struct dgm_spans *spans)
{
    struct dgm_node *const in[] = { [Q] = q.node, [K] = k.node };
    const struct pair_scores pairs = { *spans, { [Q] = q.column, [K] = k.column }, dim };

    if (q.node == NULL || k.node == NULL)
        return NULL;
    if (q.node->rows != spans->rows || k.node->rows != spans->rows || dim < 1 || q.column < 0 ||
        k.column < 0 || q.column > q.node->cols - dim || k.column > k.node->cols - dim)
        return dgm_node_fail(g, "pair_scores", q.node, k.node,
                             "columns q and k of matrices with the rows of the spans");
    return dgm_node_new(g, &dgm_op_pair_scores, spans->pairs, 1, in, 2, &pairs, sizeof pairs);
}
