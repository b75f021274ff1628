/*
 * align.c: the word -> piece maps of the published models.
 */
#include "syntax/tree/align.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

dgm_status dgm_align_init(struct dgm_env *env, struct dgm_align *align, const int32_t *counts,
                          int32_t words)
{
    struct dgm_align made = { 0, 0, NULL, NULL };

    for (int32_t w = 0; w < words; w++) {
        if (counts[w] < 1 || counts[w] > INT32_MAX - made.pieces)
            return dgm_fail(env, DGM_DATA, "word %ld has %ld pieces; expected at least 1 [E_ALIGN]",
                            (long)w + 1, (long)counts[w]);
        made.pieces += counts[w];
    }
    made.words = words;
    made.first = dgm_alloc(env, (size_t)words + 1, sizeof *made.first);
    made.word = dgm_alloc(env, (size_t)made.pieces, sizeof *made.word);
    if (made.first == NULL || made.word == NULL) {
        dgm_align_clear(env, &made);
        return env->error.status;
    }
    for (int32_t w = 0; w < words; w++) {
        made.first[w + 1] = made.first[w] + counts[w];
        for (int32_t p = made.first[w]; p < made.first[w + 1]; p++)
            made.word[p] = w;
    }
    *align = made;
    return DGM_OK;
}

void dgm_align_clear(struct dgm_env *env, struct dgm_align *align)
{
    dgm_release(env, align->word);
    dgm_release(env, align->first);
    memset(align, 0, sizeof *align);
}

static int32_t last_piece(const struct dgm_align *align, int32_t word)
{
    return align->first[word + 1] - 1;
}

/*
 * Each piece hangs on the next one of its word, the last on the last piece of the head word. So the
 * last pieces alone are the tree of words, with its depths; the pieces before hang below them, one
 * arc deeper each.
 */
void dgm_align_right_chain(int32_t *head, const struct dgm_align *align,
                           const struct dgm_tree *tree)
{
    assert(tree->count == align->words);
    for (int32_t p = 0; p < align->pieces; p++) {
        int32_t word = align->word[p];

        if (!tree->has_parse)
            head[p] = -1;
        else if (p < last_piece(align, word))
            head[p] = p + 1;
        else
            head[p] = last_piece(align, tree->head[word]);
    }
}

/* The middle between the first and the last piece of the head word, in positions of the source; a
 * half is exact in a float. */
void dgm_align_mean_pos(float *position, const struct dgm_align *align, const struct dgm_tree *tree)
{
    assert(tree->count == align->words);
    for (int32_t p = 0; p < align->pieces; p++) {
        int32_t head = tree->head[align->word[p]];

        position[p] =
            tree->has_parse ? (float)(align->first[head] + last_piece(align, head)) * 0.5f : -1.0f;
    }
}

void dgm_align_first_piece(int32_t *head, const struct dgm_align *align,
                           const struct dgm_tree *tree)
{
    assert(tree->count == align->words);
    for (int32_t p = 0; p < align->pieces; p++)
        head[p] = tree->has_parse ? align->first[tree->head[align->word[p]]] : -1;
}

/* The pieces of a word are all where the word is in the tree: 0 arcs apart, equally deep. */
void dgm_align_copy(int32_t *piece_values, const struct dgm_align *align,
                    const int32_t *word_values)
{
    for (int32_t p = 0; p < align->pieces; p++)
        piece_values[p] = word_values[align->word[p]];
}

void dgm_align_expand(int32_t *piece_matrix, const struct dgm_align *align,
                      const int32_t *word_matrix)
{
    size_t pieces = (size_t)align->pieces;
    size_t words = (size_t)align->words;

    for (size_t a = 0; a < pieces; a++) {
        const int32_t *row = word_matrix + (size_t)align->word[a] * words;

        for (size_t b = 0; b < pieces; b++)
            piece_matrix[a * pieces + b] = row[align->word[b]];
    }
}
