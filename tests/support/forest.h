/*
 * forest.h: all trees of a short sentence, and scores of arcs to try on them.
 */
#ifndef DGM_TEST_FOREST_H
#define DGM_TEST_FOREST_H

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "syntax/tree/tree.h"
#include "tree_check.h"

#define MOST_WORDS 6
#define MOST_CELLS ((MOST_WORDS + 1) * (MOST_WORDS + 1))

/* ---- all trees of n words --------------------------------------------------------- */

struct forest {
    int32_t *head; /* (count,n), 0 for the root */
    int *roots, *projective;
    size_t count, room, root_room, flag_room;
};

/* Words below the root if every word reaches it, or else 0. */
static inline int32_t count_roots(const int32_t *head, int32_t n)
{
    int32_t roots = 0;
    int32_t i, at, steps;

    for (i = 1; i <= n; i++) {
        for (at = i, steps = 0; at != 0 && steps <= n; steps++)
            at = head[at - 1];
        if (at != 0)
            return 0;
        roots += head[i - 1] == 0;
    }
    return roots;
}

static inline dgm_status is_projective(struct dgm_env *env, int *projective, const int32_t *head,
                                       int32_t n)
{
    struct dgm_tree tree = { NULL, 0, 0 };
    dgm_status status;
    int32_t i;

    DGM_TRY(dgm_tree_init(env, &tree, head, n));
    for (i = 0; i < n; i++)
        tree.head[i] = head[i] == 0 ? i : head[i] - 1;
    status = tree_is_projective(env, projective, &tree);
    dgm_tree_clear(env, &tree);
    return status;
}

static inline dgm_status add_tree(struct dgm_env *env, struct forest *all, const int32_t *head,
                                  int32_t n)
{
    int32_t roots = count_roots(head, n);
    size_t width = (size_t)n;

    if (roots == 0)
        return DGM_OK;
    DGM_TRY(dgm_reserve(env, &all->head, &all->room, (all->count + 1) * width, sizeof *all->head));
    DGM_TRY(dgm_grow(env, &all->roots, &all->root_room, all->count, sizeof *all->roots));
    DGM_TRY(dgm_grow(env, &all->projective, &all->flag_room, all->count, sizeof *all->projective));
    memcpy(all->head + all->count * width, head, width * sizeof *head);
    all->roots[all->count] = (int)roots;
    DGM_TRY(is_projective(env, &all->projective[all->count], head, n));
    all->count++;
    return DGM_OK;
}

/* Counts through all head assignments like an odometer. */
static inline dgm_status list_trees(struct dgm_env *env, struct forest *all, int32_t n)
{
    int32_t head[MOST_WORDS] = { 0 };
    int32_t i = 0;

    memset(all, 0, sizeof *all);
    while (i < n) {
        DGM_TRY(add_tree(env, all, head, n));
        for (i = 0; i < n && head[i] == n; i++)
            head[i] = 0;
        if (i < n)
            head[i]++;
    }
    return DGM_OK;
}

static inline void clear_trees(struct dgm_env *env, struct forest *all)
{
    dgm_release(env, all->head);
    dgm_release(env, all->roots);
    dgm_release(env, all->projective);
}

/* ---- scores ----------------------------------------------------------------------- */

enum { PLAIN, HOLES, TIES, TIES_AND_HOLES, NOTHING, KINDS };

static inline void random_scores(struct dgm_random *random, dgm_real *scores, int32_t n, int kind)
{
    size_t cells = ((size_t)n + 1) * ((size_t)n + 1), i;

    for (i = 0; i < cells; i++) {
        int ties = kind == TIES || kind == TIES_AND_HOLES;

        scores[i] =
            (dgm_real)(ties ? (double)dgm_random_below(random, 3) : 3 * dgm_random_normal(random));
        if ((kind == HOLES || kind == TIES_AND_HOLES) && dgm_random_below(random, 2) == 0)
            scores[i] = (dgm_real)(dgm_random_below(random, 4) == 0 ? (double)NAN : -HUGE_VAL);
        if (kind == NOTHING)
            scores[i] = (dgm_real)-HUGE_VAL;
    }
    for (i = 0; i <= (size_t)n; i++) { /* not to be read */
        scores[i] = 1e30f;
        scores[i * ((size_t)n + 2)] = 1e30f;
    }
}

struct total {
    int banned;
    double score;
};

static inline struct total total_of(const dgm_real *scores, const int32_t *head, int32_t n)
{
    struct total total = { 0, 0 };
    int32_t d;

    for (d = 1; d <= n; d++) {
        double s = (double)scores[d * (n + 1) + head[d - 1]];

        if (isnan(s) || s == -HUGE_VAL)
            total.banned++;
        else
            total.score += s;
    }
    return total;
}

#endif
