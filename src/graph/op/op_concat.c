/*
 * op_concat.c: columns of several matrices side by side, group by group.
 *
 * Part p (N, G w_p) is cut into G groups of w_p columns: y (N, G W), W = sum of w_p, is
 * [x_1 group 0 | x_2 group 0 | .. | x_1 group 1 | x_2 group 1 | ..]. Backward: each part takes the
 * same columns out of dy.
 */
#include "graph/calls.h"
#include "graph/op.h"

struct concat {
    int64_t groups;
};

/* The copy of part i to y, or from y where not `is_forward`: groups of w_i columns, step by step
 * as far apart as the groups of the matrix they are in. */
static struct dgm_copy_columns_args copy_of(const struct dgm_node *y, int i, int is_forward)
{
    const struct concat *concat = y->attr;
    const int64_t group = y->cols / concat->groups;
    struct dgm_copy_columns_args copy = { 0 };

    copy.rows = y->rows;
    copy.groups = concat->groups;
    copy.width = y->in[i]->cols / concat->groups;
    copy.ldy = is_forward ? y->cols : y->in[i]->cols;
    copy.ldx = is_forward ? y->in[i]->cols : y->cols;
    copy.step_y = is_forward ? group : copy.width;
    copy.step_x = is_forward ? copy.width : group;
    return copy;
}

static dgm_status concat_forward(struct dgm_graph *g, struct dgm_node *y)
{
    int64_t before = 0;
    int i;

    for (i = 0; i < y->in_count; i++) {
        struct dgm_copy_columns_args copy = copy_of(y, i, 1);

        copy.y = dgm_reals_at(y->value, before);
        copy.x = y->in[i]->value;
        before += copy.width;
        DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_copy_columns, &copy));
    }
    return DGM_OK;
}

static dgm_status concat_backward(struct dgm_graph *g, struct dgm_node *y)
{
    int64_t before = 0;
    int i;

    for (i = 0; i < y->in_count; i++) {
        struct dgm_copy_columns_args copy = copy_of(y, i, 0);

        copy.y = y->in[i]->grad;
        copy.x = dgm_reals_at(y->grad, before);
        before += copy.width;
        if (!dgm_node_wants(y, i))
            continue;
        copy.accumulate = dgm_node_accumulate(y->in[i]);
        DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_copy_columns, &copy));
    }
    return DGM_OK;
}

/* The last part may be the first one again. */
static struct dgm_node *concat_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 9), groups = dgm_sample_int(sample, 1, 4), i;
    int64_t count = dgm_sample_int(sample, 1, 5);
    struct dgm_node *parts[5];

    for (i = 0; i < count; i++)
        parts[i] = dgm_sample_leaf(g, sample, n, groups * dgm_sample_int(sample, 1, 4));
    if (dgm_sample_int(sample, 0, 1))
        parts[0] = dgm_activate(g, parts[0], DGM_TANH);
    if (dgm_sample_int(sample, 0, 1))
        parts[count - 1] = parts[0];
    return dgm_concat(g, parts, (int)count, groups);
}

const struct dgm_op dgm_op_concat = {
    .name = "concat",
    .forward = concat_forward,
    .backward = concat_backward,
    .sample = concat_sample,
};

struct dgm_node *dgm_concat(struct dgm_graph *g, struct dgm_node *const *parts, int count,
                            int64_t groups)
{
    const struct concat concat = { groups };
    int64_t cols = 0;
    int i;

    for (i = 0; i < count; i++) {
        if (parts[i] == NULL)
            return NULL;
        if (parts[i]->rows != parts[0]->rows || groups < 1 || parts[i]->cols % groups != 0)
            return dgm_node_fail(g, "concat", parts[0], parts[i],
                                 "equal rows, and columns in equal groups");
        cols += parts[i]->cols;
    }
    if (count < 1)
        return dgm_node_fail(g, "concat", NULL, NULL, "one part or more");
    return dgm_node_new(g, &dgm_op_concat, parts[0]->rows, cols, parts, count, &concat,
                        sizeof concat);
}
