/*
 * recurrent_tree.h: trees of short sentences for tests of recurrent models: siblings by definition,
 * dependency trees and binary ones.
 */
#ifndef DGM_TEST_RECURRENT_TREE_H
#define DGM_TEST_RECURRENT_TREE_H

#include "recurrent_output.h"

enum { E = RECURRENT_E, D = RECURRENT_D, K = RECURRENT_K, WORDS = 8, INIT = -1 };

/* ---- dependencies, by definition ------------------------------------------------------------- */

static inline int is_root(const int32_t *heads, int32_t i)
{
    return heads[i] == i;
}

/* The sibling of word i: the nearest word between it and its head that has the same head, or the
 * head; of a root, the root before it, or INIT. */
static inline int32_t sibling_of(const int32_t *heads, int32_t words, int32_t i)
{
    int32_t step = heads[i] > i ? 1 : -1, end = is_root(heads, i) ? INIT : heads[i];

    for (int32_t j = i + step; j != end && j >= 0 && j < words; j += step)
        if (is_root(heads, i) ? is_root(heads, j) : heads[j] == heads[i])
            return j;
    return end;
}

static inline int32_t parent_of(const int32_t *heads, int32_t i)
{
    return is_root(heads, i) ? INIT : heads[i];
}

/* Any tree of `words` words: a chain, a flat one, and others. */
static inline void draw_tree(struct dgm_random *random, int32_t *heads, int32_t words, int number)
{
    if (number == 0 || number == 1)
        for (int32_t i = 0; i < words; i++)
            heads[i] = number == 1 ? words / 2 : i > 0 ? i - 1 : 0;
    else
        tiny_heads(random, heads, words, number % 3 == 0 && words > 1 ? TINY_TWO_ROOTS : TINY_TREE);
}

/* ---- constituents ---------------------------------------------------------------------------- */

struct binary {
    int32_t words, left[WORDS], right[WORDS], nodes;
    int32_t twin[2 * WORDS]; /* of another tree's nodes */
};

static inline void draw_binary(struct dgm_random *random, struct binary *tree, int32_t words)
{
    tree->words = words;
    tree->nodes = 0;
    recurrent_branch(random, tree->left, tree->right, &tree->nodes, words, 0, words);
}

static inline dgm_status binary_sentence(struct dgm_batch *batch, const struct binary *tree)
{
    DGM_TRY(recurrent_sentence(batch, NULL, tree->words));
    return dgm_packed_add_binary(test_env(), &batch->source, tree->left, tree->right);
}

#endif
