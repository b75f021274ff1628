/*
 * sentence.c: trees of packed sentences: borrowed from the batch, carried from words to pieces.
 */
#include "nn/attn/sentence.h"

#include <string.h>

#include "base/mem.h"

int32_t *dgm_attn_scratch(struct dgm_env *env, struct dgm_attn_plan *plan, int32_t rows,
                          int32_t cols)
{
    return dgm_arena_alloc(env, plan->scratch, (size_t)rows * (size_t)cols, sizeof(int32_t));
}

/* Lines are cut at their end: every word has a piece if the last one has. */
static int is_whole(const struct dgm_packed *packed, int32_t s)
{
    int32_t words = packed->word_offsets[s + 1] - packed->word_offsets[s];

    /* The last position is the end of the sentence, the one before it the last piece. */
    return words > 0 && dgm_packed_length(packed, s) > 1 &&
           packed->words[packed->offsets[s + 1] - 2] == words - 1;
}

int dgm_attn_has_parse(const struct dgm_packed *packed, int32_t s)
{
    return packed->heads != NULL && is_whole(packed, s) &&
           packed->heads[packed->word_offsets[s]] >= 0;
}

int64_t dgm_attn_supervised(const struct dgm_packed *packed, enum dgm_side side)
{
    int64_t count = 0;
    int32_t s, w;

    for (s = 0; s < packed->count; s++) {
        const int32_t *heads;
        if (!dgm_attn_has_parse(packed, s))
            continue;
        if (side == DGM_SOURCE) {
            count += dgm_packed_length(packed, s) - 1;
            continue;
        }
        heads = packed->heads + packed->word_offsets[s];
        /* attn_dbsa.c supervises pieces whose head is no later. By right_chain that is the last
         * piece of a word, and only where the word's head is no later: so words can be counted. */
        for (w = 0; w < packed->word_offsets[s + 1] - packed->word_offsets[s]; w++)
            count += heads[w] <= w;
    }
    return count;
}

dgm_status dgm_attn_sentence_open(struct dgm_env *env, struct dgm_attn_plan *plan, int32_t s,
                                  struct dgm_attn_sentence *sentence)
{
    const struct dgm_packed *packed = plan->packed;
    struct dgm_align *align = &sentence->align;
    int32_t p;

    dgm_arena_reset(plan->scratch);
    sentence->s = s;
    sentence->n = dgm_packed_length(packed, s);
    sentence->row = packed->offsets[s];
    sentence->square = plan->squares[s];
    sentence->tree.head = packed->heads + packed->word_offsets[s];
    sentence->tree.count = packed->word_offsets[s + 1] - packed->word_offsets[s];
    sentence->tree.has_parse = 1;
    align->words = sentence->tree.count;
    align->pieces = sentence->n - 1;
    align->word = packed->words + packed->offsets[s];
    align->first = dgm_attn_scratch(env, plan, align->words + 1, 1);
    if (align->first == NULL)
        return DGM_MEMORY;
    align->first[align->words] = align->pieces;
    /* Backwards: a word's first piece writes last. */
    for (p = align->pieces - 1; p >= 0; p--)
        align->first[align->word[p]] = p;
    return DGM_OK;
}

dgm_status dgm_attn_each_sentence(struct dgm_env *env, const void *state,
                                  struct dgm_attn_plan *plan,
                                  dgm_status (*each)(struct dgm_env *env, const void *state,
                                                     struct dgm_attn_plan *plan,
                                                     const struct dgm_attn_sentence *sentence))
{
    struct dgm_attn_sentence sentence;
    int32_t s;

    for (s = 0; s < plan->packed->count; s++)
        if (dgm_attn_has_parse(plan->packed, s)) {
            DGM_TRY(dgm_attn_sentence_open(env, plan, s, &sentence));
            DGM_TRY(each(env, state, plan, &sentence));
        }
    return DGM_OK;
}

/* The tree over pieces that right_chain makes of the tree over words. */
static dgm_status chain_pieces(struct dgm_env *env, struct dgm_attn_plan *plan,
                               const struct dgm_attn_sentence *sentence, struct dgm_tree *pieces)
{
    pieces->count = sentence->align.pieces;
    pieces->has_parse = 1;
    pieces->head = dgm_attn_scratch(env, plan, pieces->count, 1);
    if (pieces->head == NULL)
        return DGM_MEMORY;
    dgm_align_right_chain(pieces->head, &sentence->align, &sentence->tree);
    return DGM_OK;
}

dgm_status dgm_attn_distances(struct dgm_env *env, struct dgm_attn_plan *plan,
                              const struct dgm_attn_sentence *sentence, enum dgm_attn_subword map,
                              int32_t *distance)
{
    int32_t *work = dgm_attn_scratch(env, plan, sentence->align.pieces + 1, 3), *words;
    struct dgm_tree pieces;

    if (work == NULL)
        return DGM_MEMORY;
    if (map == DGM_ATTN_RIGHT_CHAIN) {
        DGM_TRY(chain_pieces(env, plan, sentence, &pieces));
        dgm_tree_distances_in(distance, work, &pieces);
        return DGM_OK;
    }
    words = dgm_attn_scratch(env, plan, sentence->tree.count, sentence->tree.count);
    if (words == NULL)
        return DGM_MEMORY;
    dgm_tree_distances_in(words, work, &sentence->tree);
    dgm_align_expand(distance, &sentence->align, words);
    return DGM_OK;
}

dgm_status dgm_attn_depths(struct dgm_env *env, struct dgm_attn_plan *plan,
                           const struct dgm_attn_sentence *sentence, enum dgm_attn_subword map,
                           int32_t *depth)
{
    struct dgm_tree pieces;
    int32_t *words;

    if (map == DGM_ATTN_RIGHT_CHAIN) {
        DGM_TRY(chain_pieces(env, plan, sentence, &pieces));
        dgm_tree_depths(depth, &pieces);
        return DGM_OK;
    }
    words = dgm_attn_scratch(env, plan, sentence->tree.count, 1);
    if (words == NULL)
        return DGM_MEMORY;
    dgm_tree_depths(words, &sentence->tree);
    dgm_align_copy(depth, &sentence->align, words);
    return DGM_OK;
}

enum dgm_attn_subword dgm_attn_subword_read(const struct dgm_settings *settings)
{
    return dgm_attn_chose(settings, "subword", "right_chain") ? DGM_ATTN_RIGHT_CHAIN
                                                              : DGM_ATTN_INHERIT;
}
