/*
 * annotation.h: a parsed sentence as one line of numbers or names for each subword piece, in the
 * forms that the published systems read (specification, section 2).
 *
 *     heads      right_chain heads from 0, a root its own head              (DBSA)
 *     depths     inherited depths, roots 0                                  (Omote)
 *     distances  d(2,1) d(3,1) d(3,2) ...: the lower triangle, row by row   (Deps-SAN)
 *     positions  mean position of the head word's pieces, from 0            (PASCAL)
 *     firsts     first piece of the head word, from 0                       (LISA)
 *     tags       the word's tag                                             (Sennrich & Haddow)
 *     labels     the word's relation                                        (the same)
 *     pieces     the pieces themselves
 *
 * A line of one piece has no distance and is empty in that form.
 */
#ifndef DGM_DATA_TREE_ANNOTATION_H
#define DGM_DATA_TREE_ANNOTATION_H

#include "base/buf.h"
#include "syntax/tree/align.h"

/* name, text */
#define DGM_ANNOTATION_LIST(A) \
    A(HEADS, "heads")          \
    A(DEPTHS, "depths")        \
    A(DISTANCES, "distances")  \
    A(POSITIONS, "positions")  \
    A(FIRSTS, "firsts")        \
    A(TAGS, "tags")            \
    A(LABELS, "labels")        \
    A(PIECES, "pieces")

enum dgm_annotation_kind {
#define DGM_ANNOTATION_ENUM(name, text) DGM_ANNOTATION_##name,
    DGM_ANNOTATION_LIST(DGM_ANNOTATION_ENUM)
#undef DGM_ANNOTATION_ENUM
        DGM_ANNOTATION_COUNT
};

struct dgm_annotated {
    struct dgm_tree tree;                    /* over the words */
    struct dgm_align align;                  /* words and pieces */
    const char *const *tags, *const *labels; /* (words) */
    const char *const *pieces;               /* (pieces) */
    int chain; /* depths and distances of the right_chain tree instead */
};

/* The kind of a name, or DGM_ANNOTATION_COUNT. */
enum dgm_annotation_kind dgm_annotation_find(const char *name);

/* Appends the line, without its newline. */
dgm_status dgm_annotation_add(struct dgm_env *env, struct dgm_buf *out,
                              enum dgm_annotation_kind kind, const struct dgm_annotated *sentence);

#endif
