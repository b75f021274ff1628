/*
 * position_trees.c: trees over words become trees over positions; the orders in which they are
 * read.
 */
#include "nn/schedule/position_trees.h"

#include <string.h>

#include "base/mem.h"

static int32_t words_of(const struct dgm_packed *packed, int32_t s)
{
    return packed->word_offsets[s + 1] - packed->word_offsets[s];
}

static int has_parse(const struct dgm_packed *packed, int32_t s)
{
    return packed->heads != NULL &&
           (words_of(packed, s) == 0 || packed->heads[packed->word_offsets[s]] >= 0);
}

static dgm_status reserve(struct dgm_env *env, struct dgm_position_trees *trees,
                          const struct dgm_packed *packed)
{
    const size_t n = packed->count ? (size_t)packed->offsets[packed->count] : 0;
    size_t capacity = trees->capacity;
    int32_t most = 0;

    for (int32_t s = 0; s < packed->count; s++)
        if (words_of(packed, s) > most)
            most = words_of(packed, s);
    DGM_TRY(dgm_reserve(env, &trees->offsets, &trees->offset_capacity, (size_t)packed->count + 1,
                        sizeof *trees->offsets));
    DGM_TRY(dgm_reserve(env, &trees->work, &trees->work_capacity, (size_t)most + 1,
                        sizeof *trees->work));
    DGM_TRY(dgm_reserve(env, &trees->rows, &capacity, n + 1, sizeof *trees->rows));
    capacity = trees->capacity;
    DGM_TRY(dgm_reserve(env, &trees->pre, &capacity, n + 1, sizeof *trees->pre));
    capacity = trees->capacity;
    DGM_TRY(dgm_reserve(env, &trees->post, &capacity, n + 1, sizeof *trees->post));
    return dgm_reserve(env, &trees->heads, &trees->capacity, n + 1, sizeof *trees->heads);
}

/* first: (words) the first piece of each word, -1 where none is left. */
static void find_first(const int32_t *words, int32_t n, int32_t *first, int32_t word_count)
{
    for (int32_t w = 0; w < word_count; w++)
        first[w] = -1;
    for (int32_t i = n - 1; i >= 0; i--)
        if (words[i] >= 0 && words[i] < word_count)
            first[words[i]] = i;
}

static dgm_status check_heads(struct dgm_env *env, const int32_t *word_heads, int32_t word_count,
                              long number)
{
    for (int32_t w = 0; w < word_count; w++)
        if (word_heads[w] < 0 || word_heads[w] >= word_count)
            return dgm_fail(env, DGM_DATA,
                            "sentence %ld: word %ld has the head %ld; expected "
                            "0..%ld counted from 0, its own index for a root [E_HEAD]",
                            number, (long)w, (long)word_heads[w], (long)word_count - 1);
    return DGM_OK;
}

/* Heads of words become heads of positions: the first piece of a word hangs on the first piece of
 * the head, the other pieces on the first. What has no place left becomes a root. word_heads NULL:
 * all words are roots. */
static void hang_pieces(int32_t *heads, const struct dgm_packed *packed, int32_t s, int32_t n,
                        const int32_t *word_heads, int32_t *first)
{
    const int32_t *words = packed->words + packed->offsets[s], word_count = words_of(packed, s);

    find_first(words, n, first, word_count);
    for (int32_t i = 0; i < n; i++) {
        const int32_t w = words[i];

        if (w < 0 || w >= word_count)
            heads[i] = i;
        else if (first[w] != i)
            heads[i] = first[w];
        else
            heads[i] = word_heads && first[word_heads[w]] >= 0 ? first[word_heads[w]] : i;
    }
}

/* The heads of the n > 0 positions of sentence s. */
static dgm_status find_heads(struct dgm_env *env, int32_t *heads, const struct dgm_packed *packed,
                             int32_t s, int32_t n, int32_t *work, long number,
                             enum dgm_no_parse no_parse)
{
    const int32_t *word_heads = NULL;

    if (has_parse(packed, s)) {
        word_heads = packed->heads + packed->word_offsets[s];
        DGM_TRY(check_heads(env, word_heads, words_of(packed, s), number));
    } else if (no_parse == DGM_NO_PARSE_REJECT) {
        return dgm_fail(env, DGM_DATA,
                        "sentence %ld has no parse; expected one, or "
                        "--no-parse star",
                        number);
    } else if (no_parse == DGM_NO_PARSE_CHAIN) {
        for (int32_t i = 0; i < n; i++)
            heads[i] = i % DGM_CHAIN_MOST > 0 ? i - 1 : 0;
        return DGM_OK;
    }
    hang_pieces(heads, packed, s, n, word_heads, work);
    return DGM_OK;
}

dgm_status dgm_position_trees_read(struct dgm_env *env, struct dgm_position_trees *trees,
                                   const struct dgm_packed *packed, const int32_t *numbers,
                                   enum dgm_no_parse no_parse)
{
    int32_t node = 0;

    DGM_TRY(reserve(env, trees, packed));
    trees->count = packed->count;
    trees->offsets[0] = 0;
    for (int32_t s = 0; s < packed->count; s++) {
        const int32_t n = dgm_packed_length(packed, s) - 1;

        for (int32_t i = 0; i < n; i++)
            trees->rows[node + i] = packed->offsets[s] + i;
        if (n > 0)
            DGM_TRY(find_heads(env, trees->heads + node, packed, s, n, trees->work,
                               dgm_packed_number(numbers, s), no_parse));
        node += n > 0 ? n : 0;
        trees->offsets[s + 1] = node;
    }
    return DGM_OK;
}

/* Dependents of every node, of the node above the roots at index n: the first, and its next
 * neighbour; -1: none. */
struct family {
    int32_t *child, *next;
};

static void find_family(const struct family *family, const int32_t *heads, int32_t n)
{
    for (int32_t i = 0; i <= n; i++)
        family->child[i] = -1;
    for (int32_t i = n - 1; i >= 0; i--) {
        const int32_t head = heads[i] == i ? n : heads[i];

        family->next[i] = family->child[head];
        family->child[head] = i;
    }
}

/* Walks the trees without a stack: down to the first child, else to the next neighbour of the
 * nearest ancestor that has one. A cycle hangs below no root and is not met: returns how many
 * nodes were. */
static int32_t walk(const struct family *family, const int32_t *heads, int32_t n, int32_t *pre,
                    int32_t *post)
{
    int32_t at = family->child[n], entered = 0, left = 0;

    while (at >= 0) {
        pre[entered++] = at;
        if (family->child[at] >= 0) {
            at = family->child[at];
            continue;
        }
        post[left++] = at;
        while (family->next[at] < 0 && heads[at] != at) {
            at = heads[at];
            post[left++] = at;
        }
        at = family->next[at];
    }
    return left;
}

dgm_status dgm_position_trees_order(struct dgm_env *env, struct dgm_position_trees *trees,
                                    const int32_t *numbers)
{
    for (int32_t s = 0; s < trees->count; s++) {
        const int32_t first = trees->offsets[s], n = trees->offsets[s + 1] - first;
        const int32_t *heads = trees->heads + first;
        struct family family;

        DGM_TRY(dgm_reserve(env, &trees->work, &trees->work_capacity, 2 * (size_t)n + 1,
                            sizeof *trees->work));
        family.child = trees->work;
        family.next = trees->work + n + 1;
        find_family(&family, heads, n);
        if (walk(&family, heads, n, trees->pre + first, trees->post + first) < n)
            return dgm_fail(env, DGM_DATA,
                            "sentence %ld: a cycle of heads; expected a tree "
                            "[E_CYCLE]",
                            dgm_packed_number(numbers, s));
    }
    return DGM_OK;
}

void dgm_position_trees_clear(struct dgm_env *env, struct dgm_position_trees *trees)
{
    dgm_release(env, trees->offsets);
    dgm_release(env, trees->rows);
    dgm_release(env, trees->heads);
    dgm_release(env, trees->pre);
    dgm_release(env, trees->post);
    dgm_release(env, trees->work);
    memset(trees, 0, sizeof *trees);
}
