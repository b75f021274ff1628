/*
 * plan.c: where every value, statistic and gradient of a step lies, decided before it runs.
 *
 * Node i computes its value at time i and its gradients at time 2 count - 1 - i, so that the
 * backward pass is the forward pass in a mirror:
 *
 *     time    0    1    2  |  3    4    5       3 nodes
 *     runs    n0   n1   n2 | n2'  n1'  n0'      n': backward
 *
 * Values that are made again for the backward pass run once more in the second half, and what
 * follows them is later by so much: segment.c fills in node->again_time and node->backward_time.
 *
 * A block of memory lives from its birth, the time that first writes it, to its death, the time
 * that last reads it, both included. Blocks whose lives do not meet may share bytes. Most values
 * die at their last consumer's forward time; those that a backward pass reads (op->keep) live
 * until there, and these make up most of a training step.
 *
 * Three rules save memory traffic as well as memory. An output may take over a dying input's block
 * (op->in_place). An input's gradient may take over the gradient that it equals (op->hands_down).
 * A loss turns its logits, the largest matrix of most steps, into their own gradient.
 */
#include "graph/plan.h"

#include <string.h>

#include "graph/op.h"
#include "graph/packing.h"
#include "graph/segment.h"

struct dgm_plan {
    struct dgm_block *blocks;
    size_t block_count, block_capacity;
    struct dgm_packing packing;
};

void dgm_plan_free(struct dgm_graph *g)
{
    if (g->plan == NULL)
        return;
    dgm_release(g->env, g->plan->blocks);
    dgm_packing_clear(g->env, &g->plan->packing);
    dgm_release(g->env, g->plan);
    g->plan = NULL;
}

static int64_t new_block(struct dgm_graph *g, uint64_t bytes, int64_t birth, int64_t death)
{
    struct dgm_plan *plan = g->plan;
    struct dgm_block *block;

    if (bytes > DGM_BLOCK_MOST - 64) {
        g->status = dgm_fail(g->env, DGM_MEMORY, "a tensor of a step is larger than any memory");
        return -1;
    }
    if (dgm_grow(g->env, &plan->blocks, &plan->block_capacity, plan->block_count,
                 sizeof *plan->blocks) != DGM_OK) {
        g->status = DGM_MEMORY;
        return -1;
    }
    block = &plan->blocks[plan->block_count];
    /* Offsets are multiples of 64 for they are sums of such sizes. */
    block->bytes = (bytes + 63) & ~(uint64_t)63;
    block->offset = 0;
    block->birth = birth;
    block->death = death;
    return (int64_t)plan->block_count++;
}

/* Where the product wraps: more than a block may have. */
static uint64_t value_bytes(const struct dgm_node *node)
{
    const uint64_t row = (uint64_t)node->cols * sizeof(dgm_real);

    if (row > 0 && (uint64_t)node->rows > DGM_BLOCK_MOST / row)
        return DGM_BLOCK_MOST;
    return (uint64_t)node->rows * row;
}

/* A block that several nodes share lives as long as any of them needs. */
static void extend(struct dgm_plan *plan, int64_t block, int64_t time)
{
    if (block >= 0 && plan->blocks[block].death < time)
        plan->blocks[block].death = time;
}

/* A time beyond both passes. */
static int64_t end_time(const struct dgm_graph *g)
{
    return g->count + g->second_count;
}

/* The times of the last reads of each node's value, by index: in its only life, or in the first and
 * in the second of a node that is made again. */
struct last_uses {
    int64_t *first, *again;
};

/* Whether what is read at that time is what was made again. */
static int is_second_life(const struct dgm_graph *g, const struct dgm_node *in, int64_t time)
{
    return in->is_made_again && time >= g->count;
}

static int64_t last_use(const struct dgm_graph *g, const struct last_uses *last,
                        const struct dgm_node *in, int64_t time)
{
    return is_second_life(g, in, time) ? last->again[in->index] : last->first[in->index];
}

static void note_use(const struct dgm_graph *g, const struct last_uses *last,
                     const struct dgm_node *in, int64_t time)
{
    int64_t *noted = is_second_life(g, in, time) ? last->again : last->first;

    if (noted[in->index] < time)
        noted[in->index] = time;
}

/* Kept nodes are read after the run. Readers have higher indices. */
static void find_last_uses(struct dgm_graph *g, const struct last_uses *last)
{
    int64_t i;
    int k;

    for (i = 0; i < g->count; i++) {
        struct dgm_node *node = g->nodes[i];
        last->first[i] = node->is_kept ? end_time(g) : i;
        last->again[i] = node->again_time;
        if (g->training && node->op != NULL && node->wants_grad &&
            (node->op->keep & DGM_KEEP_OUTPUT))
            note_use(g, last, node, node->backward_time);
        for (k = 0; k < node->in_count; k++) {
            if (node->in[k] == NULL)
                continue;
            note_use(g, last, node->in[k], i);
            if (node->is_made_again)
                note_use(g, last, node->in[k], node->again_time);
            if (g->training && dgm_node_reads_backward(node, k))
                note_use(g, last, node->in[k], node->backward_time);
        }
    }
}

/* Whether the node, running at that time, may compute its value in the memory of input
 * op->in_place: the input is computed in this step, lies in the pool, has as many elements, and
 * nobody reads it later. */
static int can_take_over(const struct dgm_graph *g, const struct dgm_node *node,
                         const struct last_uses *last, int64_t time)
{
    int k = node->op->in_place;
    const struct dgm_node *in = k > 0 ? node->in[k - 1] : NULL;

    return in != NULL && in->op != NULL && !in->is_placed && last_use(g, last, in, time) == time &&
           in->rows * in->cols == node->rows * node->cols;
}

/*
 * A loss overwrites its input with its gradient: nobody else may want the value afterwards. (Where
 * it is kept, what is kept is the gradient.)
 */
static void check_loss(struct dgm_graph *g, const struct dgm_node *node,
                       const struct last_uses *last)
{
    const struct dgm_node *in = node->in[0];

    if (node->op->is_loss == DGM_LOSS_IN_PLACE && node->wants_grad && !in->is_kept &&
        last->first[in->index] != node->index)
        dgm_node_fail(g, node->op->name, in, NULL, "scores that no other operation needs later");
}

/* The block of the value that a node computes at that time. */
static int64_t plan_value(struct dgm_graph *g, const struct dgm_node *node,
                          const struct last_uses *last, int64_t time)
{
    int64_t death = last_use(g, last, node, time), block;

    if (node->is_placed)
        return -1;
    if (can_take_over(g, node, last, time)) {
        const struct dgm_node *in = node->in[node->op->in_place - 1];
        block = is_second_life(g, in, time) ? in->again_value_block : in->value_block;
        extend(g->plan, block, death);
        return block;
    }
    return new_block(g, value_bytes(node), time, death);
}

/* Statistics that it computes at that time; only the node itself reads them, at its backward
 * time. */
static int64_t plan_extra(struct dgm_graph *g, const struct dgm_node *node, int64_t time)
{
    const int is_final = !node->is_made_again || time == node->again_time;
    int64_t death = time;

    if (node->op->extra == NULL)
        return -1;
    if (g->training && node->wants_grad && is_final)
        death = node->backward_time;
    else if (g->keeps_gates && node->op->gates != NULL)
        death = end_time(g);
    return new_block(g, node->op->extra(node), time, death);
}

static void plan_values(struct dgm_graph *g, const struct last_uses *last)
{
    int64_t i;

    for (i = 0; i < g->count && g->status == DGM_OK; i++) {
        struct dgm_node *node = g->nodes[i];
        node->value_block = node->grad_block = node->extra_block = -1;
        node->again_value_block = node->again_extra_block = -1;
        if (node->op == NULL)
            continue;
        check_loss(g, node, last);
        node->value_block = plan_value(g, node, last, i);
        node->extra_block = plan_extra(g, node, i);
        if (!node->is_made_again)
            continue;
        node->again_value_block = plan_value(g, node, last, node->again_time);
        node->again_extra_block = plan_extra(g, node, node->again_time);
    }
}

/* Whether the gradient of input k may take over the node's own: not where another input is the
 * same node, since the shares of both are then added up while the node's gradient is read. */
static int can_hand_down(const struct dgm_node *node, int k)
{
    int i;

    for (i = 0; i < node->in_count; i++)
        if (i != k && node->in[i] == node->in[k])
            return 0;
    return node->op->hands_down == 1 + k;
}

/*
 * Gradients are born in the backward step of a node's last consumer: backward meets this one first,
 * and it writes while all others add. They die in the node's own backward step, which reads them.
 * Nodes are visited in the order of backward, so that a consumer's grad_block is known before its
 * inputs ask for it. A node without a grad_block that is no loss has no consumer that leads to a
 * loss; nothing flows through it.
 */
static void plan_grads(struct dgm_graph *g)
{
    int64_t i;
    int k;

    for (i = g->count - 1; i >= 0 && g->status == DGM_OK; i--) {
        struct dgm_node *node = g->nodes[i];
        int64_t time = node->backward_time;
        if (node->op == NULL || !node->wants_grad || (node->grad_block < 0 && !node->op->is_loss))
            continue;
        extend(g->plan, node->grad_block, time);
        for (k = 0; k < node->in_count; k++) {
            struct dgm_node *in = node->in[k];
            if (in == NULL || in->op == NULL || !in->wants_grad)
                continue;
            if (in->grad_block < 0) {
                if (node->op->is_loss == DGM_LOSS_IN_PLACE && k == 0)
                    in->grad_block = in->value_block; /* turned into its gradient in place */
                else if (can_hand_down(node, k))
                    in->grad_block = node->grad_block;
                else
                    in->grad_block = new_block(g, value_bytes(in), time, time);
            }
            extend(g->plan, in->grad_block, in->backward_time);
        }
    }
}

/* ---- the pool -------------------------------------------------------------------------------- */

/* The spare is given up where it would take another piece, or more of them than there may be. */
uint64_t dgm_plan_pool(const struct dgm_graph *g, uint64_t bytes)
{
    /* An eighth more, in multiples of 64 bytes. */
    const uint64_t more = g->has_spare ? bytes + bytes / 512 * 64 : bytes;
    const uint64_t most = g->device->largest;

    if (bytes <= most && more > most)
        return most;
    return most > 0 && (more - 1) / most >= DGM_POOL_PIECES ? bytes : more;
}

void dgm_plan_release_pool(struct dgm_graph *g)
{
    for (int i = 0; i < DGM_POOL_PIECES; i++) {
        dgm_device_release(g->env, g->device, g->pool[i]);
        g->pool[i] = NULL;
    }
    g->pool_bytes = g->pool_piece = 0;
}

/* A pool that is too small is released before the larger one is allocated, so that both never exist
 * at once; nothing in it outlives a run. */
static dgm_status grow_pool(struct dgm_graph *g, uint64_t bytes)
{
    const size_t piece = (size_t)g->plan->packing.piece; /* at most what the device gives */
    uint64_t left = dgm_plan_pool(g, bytes);
    int count = 0;

    if (bytes <= g->pool_bytes &&
        (piece == g->pool_piece || (piece == 0 && bytes <= g->pool_piece)))
        return DGM_OK;
    if (piece > 0 && (left - 1) / piece >= DGM_POOL_PIECES)
        return dgm_fail(
            g->env, DGM_MEMORY,
            "a step of %lld MiB is more than %d pieces of %lld, the most that the device "
            "gives; use a smaller batch, or --devices cpu",
            (long long)(bytes >> 20), (int)DGM_POOL_PIECES, (long long)(piece >> 20));
    if (left > SIZE_MAX / 2)
        return dgm_fail(g->env, DGM_MEMORY,
                        "a step of %lld MiB is more than a program of %d bits has addresses for; "
                        "use a smaller batch",
                        (long long)(bytes >> 20), (int)(8 * sizeof(size_t)));
    dgm_plan_release_pool(g);
    bytes = left;
    while (left > 0 || count == 0) {
        const size_t size = piece > 0 && left > piece ? piece : (size_t)left;

        DGM_TRY(dgm_device_alloc(g->env, g->device, &g->pool[count++], size));
        left -= size;
    }
    g->pool_bytes = (size_t)bytes;
    g->pool_piece = piece;
    g->allocations++;
    return DGM_OK;
}

/* A place that was not planned stays as it is. */
static void set_place(const struct dgm_graph *g, struct dgm_ref *place, int64_t block)
{
    const size_t offset = block >= 0 ? (size_t)g->plan->blocks[block].offset : 0;

    if (block < 0)
        return;
    place->buffer = g->pool[g->pool_piece > 0 ? offset / g->pool_piece : 0];
    place->offset = g->pool_piece > 0 ? offset % g->pool_piece : offset;
}

/* Tells the nodes their places. */
static void assign(struct dgm_graph *g)
{
    int64_t i;

    for (i = 0; i < g->count; i++) {
        struct dgm_node *node = g->nodes[i];
        set_place(g, &node->value, node->value_block);
        set_place(g, &node->grad, node->grad_block);
        set_place(g, &node->extra, node->extra_block);
        set_place(g, &node->again.value, node->again_value_block);
        set_place(g, &node->again.extra, node->again_extra_block);
    }
}

dgm_status dgm_plan_size(struct dgm_graph *g, uint64_t *bytes)
{
    struct last_uses last;

    last.first = dgm_arena_alloc(g->env, &g->arena, 2 * (size_t)g->count + 1, sizeof *last.first);
    if (last.first == NULL)
        return DGM_MEMORY;
    last.again = last.first + g->count;
    if (g->plan == NULL) {
        g->plan = dgm_alloc(g->env, 1, sizeof *g->plan);
        if (g->plan == NULL)
            return DGM_MEMORY;
    }
    g->plan->block_count = 0;
    DGM_TRY(dgm_segments_find(g));
    find_last_uses(g, &last);
    plan_values(g, &last);
    if (g->training)
        plan_grads(g);
    DGM_TRY(g->status);
    return dgm_packing_make(g->env, &g->plan->packing, g->plan->blocks, g->plan->block_count,
                            (size_t)end_time(g) + 1, g->training, g->device->largest, bytes);
}

dgm_status dgm_plan_make(struct dgm_graph *g, uint64_t *bytes)
{
    DGM_TRY(dgm_plan_size(g, bytes));
    DGM_TRY(grow_pool(g, *bytes));
    assign(g);
    return DGM_OK;
}
