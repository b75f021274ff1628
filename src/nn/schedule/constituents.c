/*
 * constituents.c: word-level constituents or dependency trees to binary trees over positions.
 */
#include "nn/schedule/constituents.h"

#include <string.h>

#include "base/mem.h"
#include "syntax/tree/binary.h"

void dgm_constituents_clear(struct dgm_env *env, struct dgm_constituents *constituents)
{
    dgm_release(env, constituents->offsets);
    dgm_release(env, constituents->tree_offsets);
    dgm_release(env, constituents->left);
    dgm_release(env, constituents->right);
    dgm_release(env, constituents->word_left);
    dgm_release(env, constituents->word_right);
    dgm_release(env, constituents->first);
    dgm_release(env, constituents->work);
    memset(constituents, 0, sizeof *constituents);
}

struct dgm_tree_batch dgm_constituents_batch(const struct dgm_constituents *constituents)
{
    struct dgm_tree_batch batch;

    batch.offsets = constituents->offsets;
    batch.tree_offsets = constituents->tree_offsets;
    batch.left = constituents->left;
    batch.right = constituents->right;
    batch.count = constituents->count;
    return batch;
}

static dgm_status reserve_side(struct dgm_env *env, struct dgm_constituents *at,
                               const struct dgm_packed *packed)
{
    size_t sentences = (size_t)packed->count, rows = (size_t)packed->offsets[packed->count];
    size_t offsets = at->offset_capacity, nodes = at->capacity;

    DGM_TRY(dgm_reserve(env, &at->offsets, &offsets, sentences + 1, sizeof *at->offsets));
    DGM_TRY(dgm_reserve(env, &at->tree_offsets, &at->offset_capacity, sentences + 1,
                        sizeof *at->tree_offsets));
    DGM_TRY(dgm_reserve(env, &at->left, &nodes, rows + 1, sizeof *at->left));
    return dgm_reserve(env, &at->right, &at->capacity, rows + 1, sizeof *at->right);
}

static dgm_status reserve_words(struct dgm_env *env, struct dgm_constituents *at, int32_t words)
{
    size_t count = (size_t)words + 1, left = at->word_capacity, right = left;

    DGM_TRY(dgm_reserve(env, &at->word_left, &left, count, sizeof *at->word_left));
    DGM_TRY(dgm_reserve(env, &at->word_right, &right, count, sizeof *at->word_right));
    DGM_TRY(
        dgm_reserve(env, &at->work, &at->work_capacity, DGM_BINARY_WORK * count, sizeof *at->work));
    return dgm_reserve(env, &at->first, &at->word_capacity, count, sizeof *at->first);
}

/* at->first: where the pieces of each word begin, and the end; 0 unless every position is a piece
 * of a word, and every word has one. */
static int find_pieces(struct dgm_constituents *at, const struct dgm_packed *packed, int32_t s,
                       int32_t words)
{
    const int32_t *of = packed->words + packed->offsets[s];
    int32_t pieces = dgm_packed_length(packed, s) - 1, next = 0;

    for (int32_t i = 0; i < pieces; i++) {
        if (of[i] == next && next < words)
            at->first[next++] = i;
        else if (next == 0 || of[i] != next - 1)
            return 0;
    }
    at->first[next] = pieces;
    return next == words && words > 0;
}

/* The sentence's tree over words; 0 in *found where it has none. */
static dgm_status word_tree(struct dgm_env *env, struct dgm_constituents *at,
                            const struct dgm_packed *packed, int32_t s, int *found)
{
    int32_t start = packed->word_offsets[s], words = packed->word_offsets[s + 1] - start;
    struct dgm_tree tree;

    *found = 1;
    if (packed->left != NULL && (words == 1 || packed->left[start] >= 0)) {
        size_t bytes = (size_t)(words - 1) * sizeof *packed->left;
        memcpy(at->word_left, packed->left + start, bytes);
        memcpy(at->word_right, packed->right + start, bytes);
        return dgm_binary_check(env, at->word_left, at->word_right, words, at->work);
    }
    *found = packed->heads != NULL && packed->heads[start] >= 0;
    if (!*found)
        return DGM_OK;
    tree.head = packed->heads + start;
    tree.count = words;
    tree.has_parse = 1;
    DGM_TRY(dgm_tree_validate(env, at->work, &tree));
    dgm_binary_from_tree(at->word_left, at->word_right, &tree, at->work);
    return DGM_OK;
}

/* A tree over words, with every word replaced by a tree over its pieces; right-branching where
 * there is none, or where the line was cut, so that words have lost their pieces. */
static dgm_status read_sentence(struct dgm_env *env, struct dgm_constituents *at,
                                const struct dgm_packed *packed, int32_t s, int *found)
{
    int32_t words = packed->word_offsets[s + 1] - packed->word_offsets[s];
    int32_t leaves = dgm_packed_length(packed, s) - 1;
    int32_t *left = at->left + at->tree_offsets[s], *right = at->right + at->tree_offsets[s];

    *found = 1;
    if (leaves == 0)
        return DGM_OK;
    DGM_TRY(reserve_words(env, at, words));
    *found = find_pieces(at, packed, s, words);
    if (*found)
        DGM_TRY(word_tree(env, at, packed, s, found));
    if (*found)
        dgm_binary_expand(left, right, at->word_left, at->word_right, words, at->first, at->work);
    else
        dgm_binary_right_branching(left, right, leaves);
    return DGM_OK;
}

dgm_status dgm_constituents_read(struct dgm_env *env, struct dgm_constituents *at,
                                 const struct dgm_packed *packed, const int32_t *numbers,
                                 enum dgm_no_parse no_parse)
{
    int found;

    DGM_TRY(reserve_side(env, at, packed));
    at->count = packed->count;
    at->offsets[0] = at->tree_offsets[0] = 0;
    for (int32_t s = 0; s < packed->count; s++) {
        int32_t leaves = dgm_packed_length(packed, s) - 1;
        DGM_TRY(read_sentence(env, at, packed, s, &found));
        if (!found && no_parse == DGM_NO_PARSE_REJECT)
            return dgm_fail(env, DGM_DATA,
                            "sentence %ld has no tree that can be used; expected "
                            "one, or --no-parse star",
                            dgm_packed_number(numbers, s));
        at->offsets[s + 1] = at->offsets[s] + leaves;
        at->tree_offsets[s + 1] = at->tree_offsets[s] + (leaves > 0 ? leaves - 1 : 0);
    }
    return DGM_OK;
}
