/*
 * op_ssru.c: the cells of a Simpler Simple Recurrent Unit (Kim et al. 2019) over packed sentences:
 *
 *   c_t = f_t c_{t-1} + (1 - f_t) x_t     f = sigmoid(g)
 *
 * No product goes from step to step: those of x and g are of all rows at once, and each column of a
 * sentence is a chain of its own. kernel/task/gates_list.h has the gradients. f is computed again.
 */
#include "graph/op.h"

struct ssru {
    struct dgm_ref offsets;
    int64_t sentences;
};

enum { X, G, START };

static dgm_status ssru_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct ssru *ssru = y->attr;
    struct dgm_ssru_forward_args args = { 0 };

    args.c = y->value;
    args.x = y->in[X]->value;
    args.g = y->in[G]->value;
    if (y->in[START] != NULL)
        args.start = y->in[START]->value;
    args.offsets = ssru->offsets;
    args.sentences = ssru->sentences;
    args.width = y->cols;
    return dgm_device_run(g->env, g->device, DGM_TASK_ssru_forward, &args);
}

static dgm_status ssru_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct ssru *ssru = y->attr;
    struct dgm_ssru_backward_args args = { 0 };

    dgm_node_take_grad(y, X, &args.dx, &args.accumulate_x);
    dgm_node_take_grad(y, G, &args.dg, &args.accumulate_g);
    dgm_node_take_grad(y, START, &args.dstart, &args.accumulate_start);
    args.dc = y->grad;
    args.c = y->value;
    args.x = y->in[X]->value;
    args.g = y->in[G]->value;
    if (y->in[START] != NULL)
        args.start = y->in[START]->value;
    args.offsets = ssru->offsets;
    args.sentences = ssru->sentences;
    args.width = y->cols;
    return dgm_device_run(g->env, g->device, DGM_TASK_ssru_backward, &args);
}

/* ---- sample ---------------------------------------------------------------------------------- */

enum { SAMPLE_SENTENCES = 4, SAMPLE_LONGEST = 5 };

/* Sentences, some of them empty but never all. */
static struct dgm_node *ssru_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    const int64_t width = dgm_sample_int(sample, 1, 9);
    const int64_t sentences = dgm_sample_int(sample, 1, SAMPLE_SENTENCES);
    int32_t offsets[SAMPLE_SENTENCES + 1] = { 0 };
    struct dgm_node *x, *gates, *start = NULL;

    for (int64_t s = 0; s < sentences; s++)
        offsets[s + 1] = offsets[s] + (int32_t)dgm_sample_int(sample, s == 0, SAMPLE_LONGEST);
    x = dgm_sample_leaf(g, sample, offsets[sentences], width);
    gates = dgm_sample_int(sample, 0, 2) ? dgm_sample_leaf(g, sample, offsets[sentences], width)
                                         : x; /* both gradients meet */
    if (dgm_sample_int(sample, 0, 1))
        start = dgm_sample_leaf(g, sample, sentences, width);
    return dgm_ssru(g, x, gates, start, dgm_sample_data(g, sample, offsets, sizeof offsets),
                    sentences);
}

const struct dgm_op dgm_op_ssru = {
    .name = "ssru",
    .keep = DGM_KEEP_INPUTS | DGM_KEEP_OUTPUT,
    .forward = ssru_forward,
    .backward = ssru_backward,
    .sample = ssru_sample,
};

struct dgm_node *dgm_ssru(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *gates,
                          struct dgm_node *start, struct dgm_ref offsets, int64_t sentences)
{
    struct dgm_node *const in[] = { [X] = x, [G] = gates, [START] = start };
    const struct ssru ssru = { offsets, sentences };

    if (x == NULL || gates == NULL)
        return NULL;
    if (x->rows != gates->rows || x->cols != gates->cols)
        return dgm_node_fail(g, "ssru", x, gates, "x and gates (N,W)");
    if (start != NULL && (start->rows != sentences || start->cols != x->cols))
        return dgm_node_fail(g, "ssru", x, start, "x (N,W) and start (S,W)");
    return dgm_node_new(g, &dgm_op_ssru, x->rows, x->cols, in, 3, &ssru, sizeof ssru);
}
