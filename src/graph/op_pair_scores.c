/*
 * op_pair_scores.c: E_ij = q_i . k_j for all pairs of rows of one sentence, packed: the arcs of a
 * biaffine parser (Dozat and Manning 2017, equation 6, with the form's matrix and bias in q).
 *
 * q, k (N,A) -> (T,1), blocks as in struct dgm_spans. Backward, sentence by sentence:
 * dq = dE k, dk = dE^T q.
 */
#include <string.h>

#include "graph/op.h"

enum { Q, K };

static dgm_status pair_scores_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct dgm_spans *spans = y->attr;
    struct dgm_pair_scores_args args;

    memset(&args, 0, sizeof args);
    args.scores = y->value;
    args.q = y->in[Q]->value;
    args.k = y->in[K]->value;
    args.offsets = spans->offsets;
    args.squares = spans->squares;
    args.sentences = spans->sentences;
    args.dim = y->in[Q]->cols;
    return dgm_device_run(g->env, g->device, DGM_TASK_pair_scores, &args);
}

static dgm_status pair_scores_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct dgm_spans *spans = y->attr;
    struct dgm_node *q = y->in[Q], *k = y->in[K];
    struct dgm_pair_scores_backward_args args;

    memset(&args, 0, sizeof args);
    if (dgm_node_wants(y, Q)) {
        args.dq = q->grad;
        args.accumulate_q = dgm_node_accumulate(q);
    }
    if (dgm_node_wants(y, K)) {
        args.dk = k->grad;
        args.accumulate_k = dgm_node_accumulate(k);
    }
    args.dscores = y->grad;
    args.q = q->value;
    args.k = k->value;
    args.offsets = spans->offsets;
    args.squares = spans->squares;
    args.sentences = spans->sentences;
    args.dim = q->cols;
    return dgm_device_run(g->env, g->device, DGM_TASK_pair_scores_backward, &args);
}

static struct dgm_node *pair_scores_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int32_t offsets[DGM_SAMPLE_SPANS + 1];
    struct dgm_spans spans = dgm_sample_spans(g, sample, offsets);
    int64_t dim = dgm_sample_int(sample, 1, 9);
    struct dgm_node *q = dgm_sample_leaf(g, sample, spans.rows, dim), *k = q;

    if (dgm_sample_int(sample, 0, 3) > 0)
        k = dgm_sample_leaf(g, sample, spans.rows, dim);
    return dgm_pair_scores(g, q, k, &spans);
}

const struct dgm_op dgm_op_pair_scores = {
    "pair_scores", 1u << Q | 1u << K, -1, -1, DGM_NO_LOSS, NULL,
    pair_scores_forward, pair_scores_backward, pair_scores_sample
};

struct dgm_node *dgm_pair_scores(struct dgm_graph *g, struct dgm_node *q, struct dgm_node *k,
                                 const struct dgm_spans *spans)
{
    struct dgm_node *in[2], *y;

    if (q == NULL || k == NULL)
        return NULL;
    if (q->cols != k->cols || q->rows != spans->rows || k->rows != spans->rows)
        return dgm_node_fail(g, "pair_scores", q, k, "q and k (N,A), N the rows of the spans");
    in[Q] = q;
    in[K] = k;
    y = dgm_node_new(g, &dgm_op_pair_scores, spans->pairs, 1, in, 2, sizeof *spans);
    if (y != NULL)
        memcpy(y->attr, spans, sizeof *spans);
    return y;
}
