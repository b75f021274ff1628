/*
 * wavefront_tree_down.c: binary trees by depth on the way down: a level is the children of the one
 * before, left ones first.
 */
#include "base/mem.h"
#include "nn/schedule/wavefront_tree_part.h"

/* Whether the numbers from `first` on rise by one. */
static int is_range(const int32_t *numbers, int32_t first, int32_t end)
{
    while (first + 1 < end && numbers[first + 1] == numbers[first] + 1)
        first++;
    return first + 1 >= end;
}

/* Appends one side's rows from in_side on as a block of rows that begins at `first`. */
static dgm_status end_block(struct dgm_env *env, struct dgm_tree_wavefront *w,
                            const struct dgm_tree_work *lists, int side, int64_t in_side,
                            int64_t first)
{
    const int32_t *parent = lists->parent[side];
    const int32_t begin = (int32_t)in_side, end = (int32_t)w->side_rows[side];
    struct dgm_gru_block *block;

    if (begin == end)
        return DGM_OK;
    DGM_TRY(
        dgm_grow(env, &w->blocks, &w->block_capacity, (size_t)w->block_count, sizeof *w->blocks));
    block = &w->blocks[w->block_count++];
    block->side = side;
    block->first = (int32_t)first;
    block->count = end - begin;
    block->in_side = begin;
    block->parents = is_range(parent, begin, end) ? parent[begin] : -1;
    return DGM_OK;
}

/* Row `row` of H is the state `up`, computed by `side` from row `parent`. */
static void add_row(struct dgm_tree_wavefront *w, struct dgm_tree_work *lists, int side,
                    int64_t row, int64_t parent, int32_t up)
{
    const int64_t at = w->side_rows[side]++;

    lists->parent[side][at] = (int32_t)parent;
    lists->source[side][at] = up;
    lists->up[row] = up;
}

/* The roots of H, and what of them is computed; returns where the next rows begin. */
static int64_t add_roots(struct dgm_tree_wavefront *w, struct dgm_tree_work *lists,
                         const struct dgm_tree_batch *batch, enum dgm_tree_root kind)
{
    w->roots = w->side_rows[0] = w->side_rows[1] = 0;
    for (int32_t s = 0; s < batch->count; s++) {
        const int32_t root = 2 * dgm_tree_words(batch, s) - 2;

        if (root >= 0)
            lists->up[w->roots++] = dgm_tree_state(lists, batch, s, root);
    }
    if (kind == DGM_ROOT_COPY)
        return w->roots;
    for (int64_t r = 0; r < w->roots; r++) {
        add_row(w, lists, 0, w->roots + r, r, lists->up[r]);
        lists->up[r] = -1;
    }
    return 2 * w->roots;
}

/* The children on one side of the rows begin .. end-1, as rows from `next` on. */
static int64_t add_children(struct dgm_tree_wavefront *w, struct dgm_tree_work *lists, int side,
                            int64_t begin, int64_t end, int64_t next)
{
    const int32_t *children = side == 0 ? lists->left : lists->right;

    for (int64_t row = begin; row < end; row++)
        if (lists->up[row] >= w->leaves)
            add_row(w, lists, side, next++, row, children[lists->up[row] - w->leaves]);
    return next;
}

dgm_status dgm_tree_go_down(struct dgm_env *env, struct dgm_tree_wavefront *w,
                            struct dgm_tree_work *lists, const struct dgm_tree_batch *batch,
                            enum dgm_tree_root kind)
{
    int64_t next = add_roots(w, lists, batch, kind), begin = 0, end;

    DGM_TRY(end_block(env, w, lists, 0, 0, w->roots));
    for (end = next; begin < end; begin = end, end = next) {
        for (int side = 0; side < 2; side++) {
            const int64_t first = next, in_side = w->side_rows[side];
            next = add_children(w, lists, side, begin, end, next);
            DGM_TRY(end_block(env, w, lists, side, in_side, first));
        }
        w->down_steps += next > end;
    }
    w->down_steps += kind == DGM_ROOT_LEFT && w->roots > 0;
    for (int64_t row = 0; row < next; row++)
        if (lists->up[row] >= 0)
            lists->row[lists->up[row]] = (int32_t)row;
    return DGM_OK;
}
