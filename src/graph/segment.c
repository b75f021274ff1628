/*
 * segment.c: which values of a step are dropped after the forward pass, and when they are made
 * again.
 *
 * A node of a segment is made again if the backward pass wants its value or its statistics, and if
 * no one outside its segment does: what crosses the border is what the segment is made again from,
 * but for embeddings, which need nothing. A cheap node outside of segments is made again if the
 * backward pass of a reader wants its value, and if its own keeps what it is made from. A loss is
 * never made again: its forward pass may have begun the backward one.
 *
 * A node then has two lives, and a place in each (plan.c): the first ends with the forward pass of
 * its readers, the second begins where it is made again.
 */
#include "graph/segment.h"

#include "graph/op.h"

void dgm_begin_segment(struct dgm_graph *g)
{
    if (g->recomputes && g->training)
        g->segment++;
}

/* ---- what is made again ---------------------------------------------------------------------- */

/* Whether the backward pass of a node reads the value that its forward pass has left. */
static int reads_output(const struct dgm_node *node)
{
    return node->op != NULL && node->wants_grad && (node->op->keep & DGM_KEEP_OUTPUT) != 0;
}

/* Whether all that it is computed from lasts until its own backward pass, or longer. */
static int keeps_operands(const struct dgm_node *node)
{
    int k;

    for (k = 0; k < node->in_count; k++)
        if (node->in[k] != NULL && node->in[k]->op != NULL && !dgm_node_reads_backward(node, k) &&
            !reads_output(node->in[k]))
            return 0;
    return 1;
}

/* Whether it is made of what the step does not compute, as an embedding is: borders do not
 * matter. */
static int is_made_of_leaves(const struct dgm_node *node)
{
    int k;

    for (k = 0; k < node->in_count; k++)
        if (node->in[k] != NULL && node->in[k]->op != NULL)
            return 0;
    return 1;
}

static int is_within(const struct dgm_node *reader, const struct dgm_node *in)
{
    return reader->segment == in->segment ||
           (in->op != NULL && in->op->is_cheap && is_made_of_leaves(in));
}

/* On a device beside the processor a launch costs more than the work of such a node, and memory is
 * there for larger batches: there values are made again for those alone who ask for less memory. */
static int makes_cheap_again(const struct dgm_graph *g)
{
    return g->device->host == NULL || g->recomputes;
}

/* Whether the node itself allows it; its readers may still forbid it. */
static int may_be_made_again(const struct dgm_graph *g, const struct dgm_node *node)
{
    if (node->op == NULL || node->op->is_loss || node->is_placed || node->is_kept ||
        (g->keeps_gates && node->op->gates != NULL))
        return 0;
    return node->segment > 0 ||
           (node->op->is_cheap && keeps_operands(node) && makes_cheap_again(g));
}

/* Whether the backward pass of a node of a segment reads what its forward pass has left. Statistics
 * of cheap nodes are small: they alone are no reason to make the value again. */
static int reads_itself(const struct dgm_node *node)
{
    return node->segment > 0 && (reads_output(node) ||
                                 (node->op != NULL && node->wants_grad && node->op->extra != NULL));
}

static void tell_inputs(const struct dgm_node *node)
{
    int k;

    for (k = 0; k < node->in_count; k++) {
        struct dgm_node *in = node->in[k];

        if (in == NULL)
            continue;
        if (!is_within(node, in) || (node->op->is_loss == DGM_LOSS_IN_PLACE && k == 0))
            in->is_made_again = 0;
        if (node->is_made_again || dgm_node_reads_backward(node, k))
            in->is_wanted_again = 1;
    }
}

/* Readers come before what they read, so that each node knows what all of them want. */
static void find_made_again(struct dgm_graph *g)
{
    int64_t i;

    for (i = 0; i < g->count; i++) {
        g->nodes[i]->is_made_again = may_be_made_again(g, g->nodes[i]);
        g->nodes[i]->is_wanted_again = reads_itself(g->nodes[i]);
    }
    for (i = g->count - 1; i >= 0; i--) {
        struct dgm_node *node = g->nodes[i];

        node->is_made_again = node->is_made_again && node->is_wanted_again;
        tell_inputs(node);
    }
}

/* ---- when ------------------------------------------------------------------------------------ */

/* What is made again, and not yet, comes now; before it, what it is made from. */
static void make_ready(struct dgm_graph *g, struct dgm_node *node)
{
    int k;

    /* again_time 0: not yet. Times of the second half begin with g->count, which is above 0. */
    if (node == NULL || !node->is_made_again || node->again_time > 0)
        return;
    for (k = 0; k < node->in_count; k++)
        make_ready(g, node->in[k]);
    node->again_time = g->count + g->second_count;
    g->second[g->second_count++] = node;
}

static int64_t first_of_segment(const struct dgm_graph *g, int64_t last)
{
    int64_t i = last;

    while (i > 0 && g->nodes[i - 1]->segment == g->nodes[last]->segment)
        i--;
    return i;
}

/* Before the backward pass enters a segment, all of it is made again. */
static void enter_segment(struct dgm_graph *g, int64_t last)
{
    int64_t i;

    if (g->nodes[last]->segment == 0 ||
        (last + 1 < g->count && g->nodes[last + 1]->segment == g->nodes[last]->segment))
        return;
    for (i = first_of_segment(g, last); i <= last; i++)
        make_ready(g, g->nodes[i]);
}

static void order_second_half(struct dgm_graph *g)
{
    int64_t i;
    int k;

    for (i = 0; i < g->count; i++)
        g->nodes[i]->again_time = 0;
    for (i = g->count - 1; i >= 0; i--) {
        struct dgm_node *node = g->nodes[i];

        enter_segment(g, i);
        for (k = 0; k < node->in_count; k++)
            if (dgm_node_reads_backward(node, k))
                make_ready(g, node->in[k]);
        node->backward_time = g->count + g->second_count;
        g->second[g->second_count++] = node;
    }
}

dgm_status dgm_segments_find(struct dgm_graph *g)
{
    g->second_count = 0;
    if (!g->training)
        return DGM_OK;
    /* Each node once for its backward pass, and at most once to be made again. */
    g->second =
        dgm_arena_alloc(g->env, &g->arena, 2 * (size_t)g->count + 1, sizeof(struct dgm_node *));
    if (g->second == NULL)
        return DGM_MEMORY;
    find_made_again(g);
    order_second_half(g);
    return DGM_OK;
}

/* ---- again ----------------------------------------------------------------------------------- */

dgm_status dgm_make_again(struct dgm_graph *g, struct dgm_node *node)
{
    node->value = node->again.value;
    node->extra = node->again.extra;
    return node->op->forward(g, node);
}
