/*
 * graph.c: building a step node by node, and running it forwards and backwards.
 */
#include "graph/graph.h"

#include <string.h>

#include "graph/op.h"
#include "graph/plan.h"
#include "graph/segment.h"

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
    dgm_plan_release_pool(g);
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
    g->keeps_gates = 0;
    g->segment = 0;
    g->key[0] = seed;
    g->key[1] = update;
}

struct dgm_node *dgm_leaf(struct dgm_graph *g, struct dgm_ref value, struct dgm_ref grad,
                          int64_t rows, int64_t cols)
{
    struct dgm_node *node = dgm_node_new(g, NULL, rows, cols, NULL, 0, NULL, 0);
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

dgm_status dgm_graph_size(struct dgm_graph *g, uint64_t *bytes)
{
    DGM_TRY(g->status);
    DGM_TRY(dgm_plan_size(g, bytes));
    *bytes = dgm_plan_pool(g, *bytes);
    return DGM_OK;
}

dgm_status dgm_graph_measure(struct dgm_graph *g, size_t *bytes)
{
    uint64_t all;

    DGM_TRY(g->status);
    DGM_TRY(dgm_plan_make(g, &all));
    *bytes = (size_t)all; /* they are there */
    return DGM_OK;
}

/* The order of building is an order of execution: operands come before their readers. */
dgm_status dgm_graph_run(struct dgm_graph *g)
{
    uint64_t bytes;
    int64_t i;

    DGM_TRY(g->status);
    g->status = dgm_plan_make(g, &bytes);
    for (i = 0; i < g->count && g->status == DGM_OK; i++)
        if (g->nodes[i]->op != NULL)
            g->status = g->nodes[i]->op->forward(g, g->nodes[i]);
    return g->status;
}

static size_t grad_bytes(const struct dgm_node *leaf)
{
    return (size_t)(leaf->rows * leaf->cols) * sizeof(dgm_real);
}

static void tell_expected(const struct dgm_graph *g)
{
    int64_t i;

    for (i = 0; i < g->count; i++)
        if (g->nodes[i]->op == NULL && g->nodes[i]->wants_grad)
            g->watch->expect(g->watch->user, g->nodes[i]->grad, grad_bytes(g->nodes[i]));
}

/*
 * In reverse, with values made again in between: every consumer of a node comes before the node
 * itself, whose gradient is then complete. grad_ready says whether anything has been written to it:
 * the first consumer overwrites what an earlier life left in the memory, the others add. A node
 * that no loss depends on is never ready, and is skipped.
 */
dgm_status dgm_graph_backward(struct dgm_graph *g)
{
    int64_t i;

    DGM_TRY(g->status);
    for (i = 0; i < g->count; i++) {
        struct dgm_node *node = g->nodes[i];
        node->grad_ready = node->op == NULL; /* parameters accumulate over steps */
    }
    if (g->watch != NULL)
        tell_expected(g);
    for (i = 0; i < g->second_count && g->status == DGM_OK; i++) {
        struct dgm_node *node = g->second[i];
        if (g->count + i != node->backward_time)
            g->status = dgm_make_again(g, node);
        else if (node->op != NULL && node->wants_grad && (node->grad_ready || node->op->is_loss))
            g->status = node->op->backward(g, node);
        else if (node->op == NULL && node->wants_grad && g->watch != NULL)
            g->status = g->watch->is_final(g->watch->user, node->grad, grad_bytes(node));
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
