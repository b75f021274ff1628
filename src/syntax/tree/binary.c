/*
 * binary.c: binary trees: checking, levels, depths, and words that are cut into pieces.
 */
#include "syntax/tree/binary.h"

void dgm_binary_right_branching(int32_t *left, int32_t *right, int32_t leaves)
{
    for (int32_t j = 0; j + 1 < leaves; j++) {
        left[j] = leaves - 2 - j;
        right[j] = j == 0 ? leaves - 1 : leaves + j - 1;
    }
}

/* ---- checking ------------------------------------------------------------------------------ */

/* The leaves of each node that is not yet a child: first .. end-1; end 0 once it is one. */
struct spans {
    int32_t *first, *end;
};

static int is_free(const struct spans *spans, int32_t child, int32_t node)
{
    return child >= 0 && child < node && spans->end[child] > 0;
}

/* Internal nodes of a subtree, post-order: they are the last ones before what follows it. */
static int is_post_order(const struct spans *spans, int32_t left, int32_t right, int32_t node,
                         int32_t leaves)
{
    int32_t behind = spans->end[right] - spans->first[right] - 1;

    return (right < leaves || right == node - 1) && (left < leaves || left == node - 1 - behind);
}

static dgm_status check_node(struct dgm_env *env, struct spans *spans, int32_t left, int32_t right,
                             int32_t node, int32_t leaves)
{
    const char *fault = NULL;

    if (left == right || !is_free(spans, left, node) || !is_free(spans, right, node))
        fault = "a node below it that has no parent yet";
    else if (spans->end[left] != spans->first[right])
        fault = "neighbours";
    else if (!is_post_order(spans, left, right, node, leaves))
        fault = "nodes in post-order";
    if (fault != NULL)
        return dgm_fail(env, DGM_DATA,
                        "node %ld of a binary tree over %ld words has children %ld and %ld; "
                        "expected %s [E_TREE]",
                        (long)node, (long)leaves, (long)left, (long)right, fault);
    spans->first[node] = spans->first[left];
    spans->end[node] = spans->end[right];
    spans->end[left] = spans->end[right] = 0;
    return DGM_OK;
}

/* N-1 nodes with two children each that nobody else has leave one of 2N-1: the root, the last. */
dgm_status dgm_binary_check(struct dgm_env *env, const int32_t *left, const int32_t *right,
                            int32_t leaves, int32_t *work)
{
    struct spans spans = { work, work + 2 * leaves };

    for (int32_t i = 0; i < leaves; i++) {
        spans.first[i] = i;
        spans.end[i] = i + 1;
    }
    for (int32_t j = 0; j + 1 < leaves; j++)
        DGM_TRY(check_node(env, &spans, left[j], right[j], leaves + j, leaves));
    return DGM_OK;
}

/* ---- levels and depths --------------------------------------------------------------------- */

void dgm_binary_levels(int32_t *level, const int32_t *left, const int32_t *right, int32_t leaves)
{
    for (int32_t i = 0; i < leaves; i++)
        level[i] = 1;
    for (int32_t j = 0; j + 1 < leaves; j++) {
        int32_t a = level[left[j]], b = level[right[j]];

        level[leaves + j] = 1 + (a > b ? a : b);
    }
}

void dgm_binary_depths(int32_t *depth, const int32_t *left, const int32_t *right, int32_t leaves)
{
    depth[2 * leaves - 2] = 0;
    for (int32_t j = leaves - 2; j >= 0; j--)
        depth[left[j]] = depth[right[j]] = depth[leaves + j] + 1;
}

/* ---- words in pieces ----------------------------------------------------------------------- */

/* Appends the node (a b) to a tree over `leaves` leaves that has *count internal nodes. */
static int32_t join(int32_t *left, int32_t *right, int32_t leaves, int32_t *count, int32_t a,
                    int32_t b)
{
    left[*count] = a;
    right[*count] = b;
    return leaves + (*count)++;
}

/* The constituent of the pieces first .. end-1. */
static int32_t join_pieces(int32_t *left, int32_t *right, int32_t leaves, int32_t *count,
                           int32_t first, int32_t end)
{
    int32_t node = end - 1;

    for (int32_t piece = end - 2; piece >= first; piece--)
        node = join(left, right, leaves, count, piece, node);
    return node;
}

/*
 * The pieces of all words up to a node's last one are joined before the node; below a right child
 * that is no word that has happened. work: each node's new number.
 */
void dgm_binary_expand(int32_t *left, int32_t *right, const int32_t *word_left,
                       const int32_t *word_right, int32_t words, const int32_t *first,
                       int32_t *work)
{
    int32_t pieces = first[words], count = 0, done = 0;

    for (int32_t j = 0; j < words - 1; j++) {
        for (; word_right[j] < words && done <= word_right[j]; done++)
            work[done] = join_pieces(left, right, pieces, &count, first[done], first[done + 1]);
        work[words + j] =
            join(left, right, pieces, &count, work[word_left[j]], work[word_right[j]]);
    }
    if (words == 1)
        join_pieces(left, right, pieces, &count, 0, pieces);
}
