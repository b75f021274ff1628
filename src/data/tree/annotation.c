/*
 * annotation.c: a parsed sentence as one line of values for each subword piece.
 */
#include "data/tree/annotation.h"

#include <string.h>

#include "base/mem.h"

enum dgm_annotation_kind dgm_annotation_find(const char *name)
{
    static const char *const names[] = {
#define ANNOTATION_NAME(name, text) text,
        DGM_ANNOTATION_LIST(ANNOTATION_NAME)
#undef ANNOTATION_NAME
    };
    int kind = 0;

    while (kind < DGM_ANNOTATION_COUNT && strcmp(names[kind], name) != 0)
        kind++;
    return (enum dgm_annotation_kind)kind;
}

/* ---- values of one kind; `values` has room for one number a piece ---------------------------- */

static dgm_status add_numbers(struct dgm_env *env, struct dgm_buf *out, const int32_t *values,
                              int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        DGM_TRY(dgm_buf_add_format(env, out, i > 0 ? " %d" : "%d", (int)values[i]));
    return DGM_OK;
}

static dgm_status add_positions(struct dgm_env *env, struct dgm_buf *out,
                                const struct dgm_annotated *sentence)
{
    float *values;
    dgm_status status = DGM_OK;

    DGM_TRY(dgm_new(env, &values, (size_t)sentence->align.pieces, sizeof *values));
    dgm_align_mean_pos(values, &sentence->align, &sentence->tree);
    for (int32_t i = 0; i < sentence->align.pieces; i++) {
        int32_t halves = (int32_t)(2 * values[i]);

        DGM_TRY_OUT(dgm_buf_add_format(env, out, i > 0 ? " %d%s" : "%d%s", (int)(halves / 2),
                                       halves % 2 != 0 ? ".5" : ""));
    }
out:
    dgm_release(env, values);
    return status;
}

static dgm_status add_names(struct dgm_env *env, struct dgm_buf *out,
                            const struct dgm_annotated *sentence, const char *const *names,
                            int per_word)
{
    for (int32_t i = 0; i < sentence->align.pieces; i++) {
        const char *name = names[per_word ? sentence->align.word[i] : i];
        if (i > 0)
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
        DGM_TRY(dgm_buf_add_text(env, out, name));
    }
    return DGM_OK;
}

/* The tree whose depths and distances pieces take: of words, or right_chain's own. */
static dgm_status piece_tree(struct dgm_env *env, const struct dgm_annotated *sentence,
                             int32_t *heads, struct dgm_tree *tree)
{
    dgm_align_right_chain(heads, &sentence->align, &sentence->tree);
    return dgm_tree_init(env, tree, heads, sentence->align.pieces);
}

static dgm_status add_depths(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_annotated *sentence, int32_t *values)
{
    struct dgm_tree chain = { 0 };
    int32_t *depths;

    if (sentence->chain) {
        DGM_TRY(piece_tree(env, sentence, values, &chain));
        dgm_tree_depths(values, &chain);
        dgm_tree_clear(env, &chain);
        return add_numbers(env, out, values, sentence->align.pieces);
    }
    DGM_TRY(dgm_new(env, &depths, (size_t)sentence->tree.count, sizeof *depths));
    dgm_tree_depths(depths, &sentence->tree);
    dgm_align_copy(values, &sentence->align, depths);
    dgm_release(env, depths);
    return add_numbers(env, out, values, sentence->align.pieces);
}

static dgm_status add_triangle(struct dgm_env *env, struct dgm_buf *out,
                               const struct dgm_annotated *sentence, const struct dgm_tree *tree)
{
    size_t n = (size_t)tree->count;
    int32_t *distance;
    const int32_t *word = sentence->align.word;
    dgm_status status;

    DGM_TRY(dgm_new(env, &distance, n * n, sizeof *distance));
    DGM_TRY_OUT(dgm_tree_distances(env, distance, tree));
    for (int32_t i = 1; i < sentence->align.pieces; i++)
        for (int32_t j = 0; j < i; j++) {
            size_t a = (size_t)(sentence->chain ? i : word[i]);
            size_t b = (size_t)(sentence->chain ? j : word[j]);

            DGM_TRY_OUT(dgm_buf_add_format(env, out, i > 1 || j > 0 ? " %d" : "%d",
                                           (int)distance[a * n + b]));
        }
out:
    dgm_release(env, distance);
    return status;
}

static dgm_status add_distances(struct dgm_env *env, struct dgm_buf *out,
                                const struct dgm_annotated *sentence, int32_t *values)
{
    struct dgm_tree chain = { 0 };
    dgm_status status;

    if (!sentence->chain)
        return add_triangle(env, out, sentence, &sentence->tree);
    DGM_TRY(piece_tree(env, sentence, values, &chain));
    status = add_triangle(env, out, sentence, &chain);
    dgm_tree_clear(env, &chain);
    return status;
}

/* ---- a line ---------------------------------------------------------------------------------- */

static dgm_status add_line(struct dgm_env *env, struct dgm_buf *out, enum dgm_annotation_kind kind,
                           const struct dgm_annotated *sentence, int32_t *values)
{
    switch (kind) {
    case DGM_ANNOTATION_HEADS:
        dgm_align_right_chain(values, &sentence->align, &sentence->tree);
        return add_numbers(env, out, values, sentence->align.pieces);
    case DGM_ANNOTATION_FIRSTS:
        dgm_align_first_piece(values, &sentence->align, &sentence->tree);
        return add_numbers(env, out, values, sentence->align.pieces);
    case DGM_ANNOTATION_DEPTHS: return add_depths(env, out, sentence, values);
    case DGM_ANNOTATION_DISTANCES: return add_distances(env, out, sentence, values);
    case DGM_ANNOTATION_POSITIONS: return add_positions(env, out, sentence);
    case DGM_ANNOTATION_TAGS: return add_names(env, out, sentence, sentence->tags, 1);
    case DGM_ANNOTATION_LABELS: return add_names(env, out, sentence, sentence->labels, 1);
    case DGM_ANNOTATION_PIECES: return add_names(env, out, sentence, sentence->pieces, 0);
    case DGM_ANNOTATION_COUNT: break;
    }
    return dgm_fail(env, DGM_USAGE, "annotation %d; expected 0..%d", (int)kind,
                    (int)DGM_ANNOTATION_COUNT - 1);
}

dgm_status dgm_annotation_add(struct dgm_env *env, struct dgm_buf *out,
                              enum dgm_annotation_kind kind, const struct dgm_annotated *sentence)
{
    int32_t *values;
    dgm_status status;

    DGM_TRY(dgm_new(env, &values, (size_t)sentence->align.pieces, sizeof *values));
    status = add_line(env, out, kind, sentence, values);
    dgm_release(env, values);
    return status;
}
