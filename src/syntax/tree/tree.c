/*
 * tree.c: head arrays: checking, depths, distances. Loops only, no
 * recursion.
 */
#include "syntax/tree/tree.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

dgm_status dgm_tree_init(struct dgm_env *env, struct dgm_tree *tree, const int32_t *head,
                         int32_t count)
{
    int32_t *copy;

    DGM_TRY(dgm_new(env, &copy, (size_t)count, sizeof *copy));
    tree->head = copy;
    tree->count = count;
    if (head == NULL) {
        dgm_tree_drop(tree);
        return DGM_OK;
    }
    memcpy(copy, head, (size_t)count * sizeof *copy);
    tree->has_parse = 1;
    return DGM_OK;
}

void dgm_tree_clear(struct dgm_env *env, struct dgm_tree *tree)
{
    dgm_release(env, tree->head);
    memset(tree, 0, sizeof *tree);
}

void dgm_tree_drop(struct dgm_tree *tree)
{
    for (int32_t i = 0; i < tree->count; i++)
        tree->head[i] = -1;
    tree->has_parse = 0;
}

/* ---- checking --------------------------------------------------------------------- */

/* Climbs from every word, marking the way with the word it began from; a climb that
 * meets its own mark has gone round a cycle, one that meets an older mark has joined a
 * good path. */
static int32_t find_cycle(int32_t *mark, const struct dgm_tree *tree)
{
    int32_t i, at;

    for (i = 0; i < tree->count; i++)
        mark[i] = 0;
    for (i = 0; i < tree->count; i++) {
        at = i;
        while (mark[at] == 0 && tree->head[at] != at) {
            mark[at] = i + 1;
            at = tree->head[at];
        }
        if (mark[at] == i + 1)
            return at;
    }
    return -1;
}

dgm_status dgm_tree_find_cycle(struct dgm_env *env, int32_t *word, const struct dgm_tree *tree)
{
    int32_t *mark;

    DGM_TRY(dgm_new(env, &mark, (size_t)tree->count, sizeof *mark));
    *word = find_cycle(mark, tree);
    dgm_release(env, mark);
    return DGM_OK;
}

void dgm_tree_describe_cycle(char *text, size_t size, const struct dgm_tree *tree, int32_t word)
{
    static const char more[] = " -> ...";
    size_t used;
    int32_t at = word;

    used = (size_t)snprintf(text, size, "%ld", (long)word + 1);
    do {
        char step[24];
        size_t length;

        at = tree->head[at];
        length = (size_t)snprintf(step, sizeof step, " -> %ld", (long)at + 1);
        if (used + length + sizeof more > size) {
            if (used + sizeof more <= size)
                memcpy(text + used, more, sizeof more);
            return;
        }
        memcpy(text + used, step, length + 1);
        used += length;
    } while (at != word);
}

dgm_status dgm_tree_validate(struct dgm_env *env, int32_t *mark, const struct dgm_tree *tree)
{
    char path[200];
    int32_t i, word;

    if (!tree->has_parse)
        return dgm_fail(env, DGM_DATA, "sentence without a parse; expected a tree [E_TREE]");
    for (i = 0; i < tree->count; i++) {
        if (tree->head[i] < 0 || tree->head[i] >= tree->count)
            return dgm_fail(env, DGM_DATA,
                            "head %ld of word %ld is outside this sentence; expected 0..%ld "
                            "counted from 0 [E_HEAD]",
                            (long)tree->head[i], (long)i, (long)tree->count - 1);
    }
    word = find_cycle(mark, tree);
    if (word < 0)
        return DGM_OK;
    dgm_tree_describe_cycle(path, sizeof path, tree, word);
    return dgm_fail(env, DGM_DATA, "cycle %s; expected a tree [E_CYCLE]", path);
}

/* ---- depths and distances --------------------------------------------------------- */

int32_t dgm_tree_root_count(const struct dgm_tree *tree)
{
    int32_t roots = 0;

    for (int32_t i = 0; i < tree->count; i++)
        roots += tree->head[i] == i;
    return roots;
}

/* Climbs to the first word whose depth is known, then numbers the way on a second
 * climb: every word is passed at most twice, so this is O(n) for any shape. */
void dgm_tree_depths(int32_t *depth, const struct dgm_tree *tree)
{
    int32_t i, at, steps;

    assert(tree->has_parse || tree->count == 0);
    for (i = 0; i < tree->count; i++)
        depth[i] = tree->head[i] == i ? 0 : -1;
    for (i = 0; i < tree->count; i++) {
        steps = 0;
        for (at = i; depth[at] < 0; at = tree->head[at])
            steps++;
        steps += depth[at];
        for (at = i; depth[at] < 0; at = tree->head[at])
            depth[at] = steps--;
    }
}

/* Counting sort by depth; words of one depth stay in sentence order. */
void dgm_tree_order_with(int32_t *order, int32_t *next, const int32_t *depth,
                         const struct dgm_tree *tree)
{
    for (int32_t i = 0; i <= tree->count; i++)
        next[i] = 0;
    for (int32_t i = 0; i < tree->count; i++)
        next[depth[i] + 1]++;
    for (int32_t i = 1; i <= tree->count; i++)
        next[i] += next[i - 1];
    for (int32_t i = 0; i < tree->count; i++)
        order[next[depth[i]]++] = i;
}

dgm_status dgm_tree_order(struct dgm_env *env, int32_t *order, const int32_t *depth,
                          const struct dgm_tree *tree)
{
    int32_t *next;

    DGM_TRY(dgm_new(env, &next, (size_t)tree->count + 1, sizeof *next));
    dgm_tree_order_with(order, next, depth, tree);
    dgm_release(env, next);
    return DGM_OK;
}

/*
 * Adds the words in order of depth. A new word is a leaf of the tree built so far, so
 * it lies one arc further from everything than its head does; a new root reaches the
 * others through the virtual root.
 */
static void fill_distances(int32_t *distance, const int32_t *order, const int32_t *depth,
                           const struct dgm_tree *tree)
{
    size_t n = (size_t)tree->count;

    for (size_t k = 0; k < n; k++) {
        size_t word = (size_t)order[k];
        size_t head = (size_t)tree->head[word];

        for (size_t earlier = 0; earlier < k; earlier++) {
            size_t other = (size_t)order[earlier];
            int32_t arcs = head == word ? depth[other] + 2 : distance[head * n + other] + 1;

            distance[word * n + other] = arcs;
            distance[other * n + word] = arcs;
        }
        distance[word * n + word] = 0;
    }
}

void dgm_tree_distances_in(int32_t *distance, int32_t *work, const struct dgm_tree *tree)
{
    int32_t *depth = work, *order = work + tree->count, *next = order + tree->count;

    dgm_tree_depths(depth, tree);
    dgm_tree_order_with(order, next, depth, tree);
    fill_distances(distance, order, depth, tree);
}

dgm_status dgm_tree_distances(struct dgm_env *env, int32_t *distance, const struct dgm_tree *tree)
{
    int32_t *work;

    DGM_TRY(dgm_new(env, &work, 3 * (size_t)tree->count + 1, sizeof *work));
    dgm_tree_distances_in(distance, work, tree);
    dgm_release(env, work);
    return DGM_OK;
}

void dgm_tree_adjacency(int32_t *adjacent, const struct dgm_tree *tree)
{
    size_t n = (size_t)tree->count;

    assert(tree->has_parse || tree->count == 0);
    for (size_t i = 0; i < n * n; i++)
        adjacent[i] = 0;
    for (size_t i = 0; i < n; i++) {
        size_t head = (size_t)tree->head[i];

        adjacent[i * n + i] = 1;
        adjacent[i * n + head] = 1;
        adjacent[head * n + i] = 1;
    }
}
