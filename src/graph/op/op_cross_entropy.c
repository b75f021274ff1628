/*
 * op_cross_entropy.c: label-smoothed cross-entropy over the vocabulary (specification 1.8).
 *
 * logits (M,V), targets (M) -> (M,2): the smoothed loss and -log p(target) of each row. In
 * training the forward pass turns the logits, in their own memory, into their gradient times
 * grad_scale: probabilities never exist a second time. The sum over rows is the caller's.
 */
#include "graph/op.h"

struct cross_entropy {
    struct dgm_ref targets;
    dgm_real smoothing, grad_scale;
    enum dgm_smoothing form;
};

static dgm_status cross_entropy_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct cross_entropy *loss = y->attr;
    struct dgm_cross_entropy_args args = { 0 };

    args.logits = y->in[0]->value;
    args.losses = y->value;
    args.targets = loss->targets;
    args.rows = y->in[0]->rows;
    args.vocab = y->in[0]->cols;
    args.smoothing = loss->smoothing;
    args.grad_scale = loss->grad_scale;
    args.form = loss->form;
    args.want_gradient = y->wants_grad;
    return dgm_device_run(g->env, g->device, DGM_TASK_cross_entropy, &args);
}

/* The planner gave the logits' gradient the memory of the logits (DGM_LOSS_IN_PLACE). */
static dgm_status cross_entropy_backward(struct dgm_graph *g, struct dgm_node *y)
{
    (void)g;
    y->in[0]->grad_ready = 1; /* written by the forward pass */
    return DGM_OK;
}

static struct dgm_node *cross_entropy_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 6), vocab = dgm_sample_int(sample, 2, 12), i;
    int32_t targets[6];
    struct dgm_node *x = dgm_sample_leaf(g, sample, n, 3);
    struct dgm_node *w = dgm_sample_leaf(g, sample, vocab, 3);
    enum dgm_smoothing form = dgm_sample_int(sample, 0, 1) ? DGM_SMOOTHING_OLD : DGM_SMOOTHING_T2T;

    for (i = 0; i < n; i++)
        targets[i] = (int32_t)dgm_sample_int(sample, 0, vocab - 1);
    return dgm_cross_entropy(g, dgm_linear(g, x, w, NULL),
                             dgm_sample_data(g, sample, targets, (size_t)n * sizeof *targets),
                             (dgm_real)0.1, form, 1);
}

const struct dgm_op dgm_op_cross_entropy = {
    .name = "cross_entropy",
    .is_loss = DGM_LOSS_IN_PLACE,
    .forward = cross_entropy_forward,
    .backward = cross_entropy_backward,
    .sample = cross_entropy_sample,
};

struct dgm_node *dgm_cross_entropy(struct dgm_graph *g, struct dgm_node *logits,
                                   struct dgm_ref targets, dgm_real smoothing,
                                   enum dgm_smoothing form, dgm_real grad_scale)
{
    const struct cross_entropy loss = { targets, smoothing, grad_scale, form };

    if (logits == NULL)
        return NULL;
    if (logits->op == NULL || logits->is_placed)
        return dgm_node_fail(g, "cross_entropy", logits, NULL, "computed logits (M,V)");
    return dgm_keep(g, dgm_node_new(g, &dgm_op_cross_entropy, logits->rows, 2, &logits, 1, &loss,
                                    sizeof loss));
}
