/*
 * tree_svg.h: a tree as SVG; lengths are tenths of a pixel.
 */
#ifndef DGM_DRAW_TREE_TREE_SVG_H
#define DGM_DRAW_TREE_TREE_SVG_H

#include "draw/svg.h"
#include "draw/tree/tree_picture.h"

/* Shared with other pictures that stand in the same file. */
enum {
    DGM_SVG_WORD_SIZE = 160, /* of the fonts */
    DGM_SVG_HEADING_SIZE = 130,
    DGM_SVG_MARGIN = 240,
    DGM_SVG_BETWEEN = 360, /* from one tree to the next */
    DGM_SVG_HEADING = 340  /* height of a heading and what lies below it */
};

/* Appends the sentence below those before it; differing arcs are red and dashed. */
dgm_status dgm_tree_svg(struct dgm_env *env, struct dgm_tree_picture *picture, struct dgm_buf *out,
                        const struct dgm_conllu_sentence *sentence,
                        const struct dgm_conllu_sentence *other, long number);
/* Writes the whole file: `body` is what dgm_tree_svg has appended. */
dgm_status dgm_tree_svg_file(struct dgm_env *env, const struct dgm_tree_picture *picture,
                             struct dgm_buf *out, const struct dgm_buf *body);

/* ---- parts, for other pictures ------------------------------------------------------------- */

/* Adds a heading below what has been drawn. */
void dgm_tree_svg_heading(struct dgm_svg *svg, struct dgm_tree_picture *picture, const char *text);
/* The picture is at least as wide. */
void dgm_tree_svg_widen(struct dgm_tree_picture *picture, int64_t right);

/* Places words and arcs. */
dgm_status dgm_tree_svg_layout(struct dgm_env *env, struct dgm_tree_picture *picture,
                               const struct dgm_conllu_sentence *sentence,
                               const struct dgm_conllu_sentence *other);

#endif
