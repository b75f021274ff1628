/*
 * tree_check.h: whether heads are a tree, and whether it is projective.
 */
#ifndef DGM_TEST_TREE_CHECK_H
#define DGM_TEST_TREE_CHECK_H

#include "base/mem.h"
#include "syntax/tree/tree.h"

/* dgm_tree_validate with memory of its own. */
static inline dgm_status tree_validate(struct dgm_env *env, const struct dgm_tree *tree)
{
    int32_t *mark = dgm_alloc(env, (size_t)tree->count, sizeof *mark);
    dgm_status status;

    if (mark == NULL)
        return env->error.status;
    status = dgm_tree_validate(env, mark, tree);
    dgm_release(env, mark);
    return status;
}

/* What hangs below one word, itself included. */
struct yield {
    int32_t first, last, size;
};

/* From the leaves up, every word hands its yield to its head. */
static inline int yields_are_contiguous(struct yield *yield, const int32_t *order,
                                        const struct dgm_tree *tree)
{
    int32_t i;

    for (i = 0; i < tree->count; i++) {
        yield[i].first = yield[i].last = i;
        yield[i].size = 1;
    }
    for (i = tree->count - 1; i >= 0; i--) {
        const struct yield *own = &yield[order[i]];
        struct yield *above = &yield[tree->head[order[i]]];

        if (own->last - own->first + 1 != own->size)
            return 0;
        if (above == own)
            continue;
        above->size += own->size;
        if (own->first < above->first)
            above->first = own->first;
        if (own->last > above->last)
            above->last = own->last;
    }
    return 1;
}

/* Whether every word and all that depends on it, directly or not, stand side by side. */
static inline dgm_status tree_is_projective(struct dgm_env *env, int *projective,
                                            const struct dgm_tree *tree)
{
    size_t n = (size_t)tree->count;
    int32_t *depth = dgm_alloc(env, n, sizeof *depth);
    int32_t *order = dgm_alloc(env, n, sizeof *order);
    struct yield *yield = dgm_alloc(env, n, sizeof *yield);
    dgm_status status;

    *projective = 0;
    if (depth == NULL || order == NULL || yield == NULL) {
        status = env->error.status;
        goto out;
    }
    dgm_tree_depths(depth, tree);
    DGM_TRY_OUT(dgm_tree_order(env, order, depth, tree));
    *projective = yields_are_contiguous(yield, order, tree);
out:
    dgm_release(env, yield);
    dgm_release(env, order);
    dgm_release(env, depth);
    return status;
}

#endif
