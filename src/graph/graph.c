/*
 * graph.c: building a step node by node, and running it forwards and backwards.
 */
#include "graph/graph.h"

#include <string.h>

#include "graph/calls.h"
#include "graph/op.h"

#define OP(name) &dgm_op_##name,
const struct dgm_op *const dgm_ops[] = {
#include "graph/op_list.h"
    NULL
};
#undef OP

dgm_status dgm_graph_init(struct dgm_env *env, struct dgm_graph *g, struct dgm_device *device)
{
    memset(g, 0, sizeof *g);
    g->env = env;
    g->device = device;
    return DGM_OK;
}

void dgm_graph_clear(struct dgm_graph *g)
{
    if (g->env == NULL)
        return;
    dgm_plan_free(g);
    dgm_device_release(g->env, g->device, g->pool);
    dgm_release(g->env, g->nodes);
    dgm_arena_clear(g->env, &g->arena);
    memset(g, 0, sizeof *g);
}

void dgm_graph_begin(struct dgm_graph *g, int training, uint32_t seed, uint32_t update)
{
    dgm_arena_reset(&g->arena);
    g->count = 0;
    g->status = DGM_OK;
    g->training = training;
    g->key[0] = seed;
    g->key[1] = update;
}

static int push_node(struct dgm_graph *g, struct dgm_node *node)
{
    if (g->count == g->capacity) {
        int64_t capacity = g->capacity ? 2 * g->capacity : 256;
        struct dgm_node **nodes = dgm_resize(g->env, g->nodes, (size_t)capacity, sizeof *g->nodes);
        if (nodes == NULL)
            return 0;
        g->nodes = nodes;
        g->capacity = capacity;
    }
    node->index = g->count;
    g->nodes[g->count++] = node;
    return 1;
}

struct dgm_node *dgm_node_new(struct dgm_graph *g, const struct dgm_op *op, int64_t rows,
                              int64_t cols, struct dgm_node *const *in, int in_count,
                              size_t attr_bytes)
{
    struct dgm_node *node;
    int i;

    if (g->status != DGM_OK)
        return NULL;
    node =
        dgm_arena_alloc(g->env, &g->arena, 1, sizeof *node + (size_t)in_count * sizeof *node->in);
    if (node == NULL || !push_node(g, node)) {
        g->status = DGM_MEMORY;
        return NULL;
    }
    node->op = op;
    node->rows = rows;
    node->cols = cols;
    node->in = (struct dgm_node **)(node + 1);
    node->in_count = in_count;
    for (i = 0; i < in_count; i++) {
        node->in[i] = in[i];
        if (in[i] != NULL && in[i]->wants_grad)
            node->wants_grad = 1;
    }
    if (attr_bytes > 0) {
        node->attr = dgm_arena_alloc(g->env, &g->arena, 1, attr_bytes);
        if (node->attr == NULL) {
            g->status = DGM_MEMORY;
            return NULL;
        }
    }
    return node;
}

struct dgm_node *dgm_node_fail(struct dgm_graph *g, const char *op, const struct dgm_node *a,
                               const struct dgm_node *b, const char *expected)
{
    if (g->status == DGM_OK)
        g->status =
            dgm_fail(g->env, DGM_FAILURE, "%s: operands %lld x %lld and %lld x %lld; expected %s",
                     op, a ? (long long)a->rows : 0, a ? (long long)a->cols : 0,
                     b ? (long long)b->rows : 0, b ? (long long)b->cols : 0, expected);
    return NULL;
}

struct dgm_node *dgm_leaf(struct dgm_graph *g, struct dgm_ref value, struct dgm_ref grad,
                          int64_t rows, int64_t cols)
{
    struct dgm_node *node = dgm_node_new(g, NULL, rows, cols, NULL, 0, 0);
    if (node != NULL) {
        node->value = value;
        node->grad = grad;
        node->wants_grad = g->training && grad.buffer != NULL;
        node->is_placed = 1;
    }
    return node;
}

struct dgm_node *dgm_constant(struct dgm_graph *g, struct dgm_ref value, int64_t rows, int64_t cols)
{
    struct dgm_ref none = { NULL, 0 };
    return dgm_leaf(g, value, none, rows, cols);
}

struct dgm_node *dgm_place(struct dgm_graph *g, struct dgm_node *node, struct dgm_ref where)
{
    (void)g;
    if (node != NULL) {
        node->value = where;
        node->is_placed = 1;
    }
    return node;
}

struct dgm_node *dgm_keep(struct dgm_graph *g, struct dgm_node *node)
{
    (void)g;
    if (node != NULL)
        node->is_kept = 1;
    return node;
}

dgm_status dgm_graph_size(struct dgm_graph *g, size_t *bytes)
{
    DGM_TRY(g->status);
    return dgm_plan_size(g, bytes);
}

dgm_status dgm_graph_measure(struct dgm_graph *g, size_t *bytes)
{
    DGM_TRY(g->status);
    return dgm_plan_make(g, bytes);
}

dgm_status dgm_graph_run(struct dgm_graph *g)
{
    size_t bytes;
    int64_t i;

    DGM_TRY(g->status);
    g->status = dgm_plan_make(g, &bytes);
    for (i = 0; i < g->count && g->status == DGM_OK; i++)
        if (g->nodes[i]->op != NULL)
            g->status = g->nodes[i]->op->forward(g, g->nodes[i]);
    return g->status;
}

dgm_status dgm_graph_backward(struct dgm_graph *g)
{
    int64_t i;

    DGM_TRY(g->status);
    for (i = 0; i < g->count; i++) {
        struct dgm_node *node = g->nodes[i];
        node->grad_ready = node->op == NULL; /* parameters accumulate over steps */
    }
    for (i = g->count - 1; i >= 0 && g->status == DGM_OK; i--) {
        struct dgm_node *node = g->nodes[i];
        if (node->op != NULL && node->wants_grad && (node->grad_ready || node->op->is_loss))
            g->status = node->op->backward(g, node);
    }
    return g->status;
}

struct dgm_ref dgm_node_value(const struct dgm_node *node)
{
    return node->value;
}

int64_t dgm_node_rows(const struct dgm_node *node)
{
    return node->rows;
}

dgm_status dgm_graph_read(struct dgm_graph *g, const struct dgm_node *node, dgm_real *out)
{
    DGM_TRY(g->status);
    return dgm_device_read(g->env, g->device, out, node->value,
                           (size_t)(node->rows * node->cols) * sizeof *out);
}

dgm_status dgm_node_open_grad(struct dgm_graph *g, struct dgm_node *node, int covers_all,
                              int *accumulate)
{
    int ready = dgm_node_accumulate(node);

    *accumulate = ready || !covers_all;
    if (*accumulate == ready)
        return DGM_OK;
    return dgm_call_zero(g, node->grad, node->rows * node->cols);
}

dgm_status dgm_node_pass_grad(struct dgm_graph *g, struct dgm_node *to, const struct dgm_node *from)
{
    if (to->grad.buffer == from->grad.buffer && to->grad.offset == from->grad.offset) {
        to->grad_ready = 1; /* taken over: already there */
        return DGM_OK;
    }
    return dgm_call_copy(g, to->grad, from->grad, from->rows * from->cols, dgm_node_accumulate(to));
}
