/*
 * binary_from.c: binary trees from bracket trees and from dependency trees.
 *
 * Both read the sentence from left to right with a stack of constituents: a leaf is pushed, and
 * where a constituent of m parts ends, its last two parts are made one m - 1 times.
 */
#include "base/mem.h"
#include "syntax/tree/binary.h"

struct builder {
    int32_t *left, *right;
    int32_t leaves, count; /* internal nodes so far */
    int32_t *stack;        /* (leaves) */
    int32_t height;
};

static void reduce(struct builder *builder)
{
    int32_t j = builder->count++;

    builder->right[j] = builder->stack[--builder->height];
    builder->left[j] = builder->stack[builder->height - 1];
    builder->stack[builder->height - 1] = builder->leaves + j;
}

/* ---- phrase structure ---------------------------------------------------------------------- */

/* base: (node_count) the height of the stack below each bracket. */
static void read_brackets(struct builder *builder, int32_t *base,
                          const struct dgm_bracket_tree *tree)
{
    int32_t open = 0, i;

    base[0] = 0;
    for (i = 1; i <= tree->node_count; i++) {
        int32_t parent = i < tree->node_count ? tree->nodes[i].parent : -1;

        for (; open != parent; open = tree->nodes[open].parent)
            while (builder->height > base[open] + 1)
                reduce(builder);
        if (i == tree->node_count)
            return;
        if (tree->nodes[i].is_word) {
            builder->stack[builder->height++] = tree->nodes[i].first_word;
        } else {
            base[i] = builder->height;
            open = i;
        }
    }
}

dgm_status dgm_binary_from_brackets(struct dgm_env *env, int32_t *left, int32_t *right,
                                    const struct dgm_bracket_tree *tree)
{
    struct builder builder = { left, right, tree->word_count, 0, NULL, 0 };
    size_t words = (size_t)tree->word_count;

    builder.stack = dgm_alloc(env, words + (size_t)tree->node_count, sizeof *builder.stack);
    if (builder.stack == NULL)
        return DGM_MEMORY;
    read_brackets(&builder, builder.stack + words, tree);
    dgm_release(env, builder.stack);
    return DGM_OK;
}

/* ---- dependencies -------------------------------------------------------------------------- */

/*
 * Constituents of words while heads, the deepest first, take in what stands beside them. A
 * constituent that its head does not reach goes on to look for the head of its head.
 */
struct lifting {
    const struct dgm_tree *tree;
    int32_t *above;  /* (n + 1) of a word that is done its head or n, the top; of others itself */
    int32_t *begins; /* (n + 1) the constituent that begins at a place, -1 for place n */
    int32_t *ends;   /* (n + 1) the one that ends before it, -1 for place 0 */
    int32_t *first, *end; /* (n) its words: first .. end-1 */
    int32_t *parts;       /* (n) how many constituents it has taken in */
    int32_t *taker;       /* (n) the word that took it in, -1: the top */
};

/* These seven arrays, an order of words, and what that is made with: n + 1 numbers each. */

static int32_t above(const struct lifting *lifting, int32_t word)
{
    int32_t head = lifting->tree->head[word];

    return head == word ? lifting->tree->count : head;
}

/* Whether a constituent (-1: none) looks for `word`. Links on the way are shortened. */
static int looks_for(const struct lifting *lifting, int32_t constituent, int32_t word)
{
    int32_t *links = lifting->above, at;

    if (constituent < 0)
        return 0;
    at = above(lifting, constituent);
    while (links[at] != at) {
        links[at] = links[links[at]];
        at = links[at];
    }
    return at == word;
}

static void take(struct lifting *lifting, int32_t word, int32_t constituent)
{
    lifting->taker[constituent] = word;
    lifting->parts[word]++;
    if (constituent < word)
        lifting->first[word] = lifting->first[constituent];
    else
        lifting->end[word] = lifting->end[constituent];
}

static void take_neighbours(struct lifting *lifting, int32_t word)
{
    int32_t *first = &lifting->first[word], *end = &lifting->end[word];

    while (looks_for(lifting, lifting->ends[*first], word))
        take(lifting, word, lifting->ends[*first]);
    while (looks_for(lifting, lifting->begins[*end], word))
        take(lifting, word, lifting->begins[*end]);
    lifting->begins[*first] = lifting->ends[*end] = word;
    lifting->above[word] = above(lifting, word);
}

/* order: words by depth. */
static void lift(struct lifting *lifting, const int32_t *order)
{
    int32_t n = lifting->tree->count;

    for (int32_t i = 0; i <= n; i++) {
        lifting->above[i] = i;
        lifting->begins[i] = i < n ? i : -1;
        lifting->ends[i] = i - 1;
    }
    for (int32_t i = 0; i < n; i++) {
        lifting->first[i] = i;
        lifting->end[i] = i + 1;
        lifting->parts[i] = 0;
        lifting->taker[i] = -1;
    }
    while (n-- > 0)
        take_neighbours(lifting, order[n]);
}

static void read_constituents(struct builder *builder, const struct lifting *lifting)
{
    for (int32_t i = 0; i < builder->leaves; i++) {
        builder->stack[builder->height++] = i;
        for (int32_t word = i; word >= 0 && lifting->end[word] == i + 1;
             word = lifting->taker[word])
            for (int32_t part = lifting->parts[word]; part > 0; part--)
                reduce(builder);
    }
    while (builder->height > 1)
        reduce(builder);
}

void dgm_binary_from_tree(int32_t *left, int32_t *right, const struct dgm_tree *tree, int32_t *work)
{
    struct builder builder = { left, right, tree->count, 0, NULL, 0 };
    size_t step = (size_t)tree->count + 1;
    struct lifting lifting;

    if (!tree->has_parse) {
        dgm_binary_right_branching(left, right, tree->count);
        return;
    }
    lifting.tree = tree;
    lifting.above = work;
    lifting.begins = work + step;
    lifting.ends = work + 2 * step;
    lifting.first = work + 3 * step;
    lifting.end = work + 4 * step;
    lifting.parts = work + 5 * step;
    lifting.taker = work + 6 * step;
    builder.stack = work + 7 * step; /* first the order of words */
    dgm_tree_depths(lifting.first, tree);
    dgm_tree_order_with(builder.stack, work + 8 * step, lifting.first, tree);
    lift(&lifting, builder.stack);
    read_constituents(&builder, &lifting);
}
