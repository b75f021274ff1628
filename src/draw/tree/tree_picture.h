/*
 * tree.h: pictures of dependency trees, one sentence after the other.
 */
#ifndef DGM_DRAW_TREE_TREE_PICTURE_H
#define DGM_DRAW_TREE_TREE_PICTURE_H

#include "base/buf.h"
#include "draw/tree/arcs.h"
#include "draw/tree/captions.h"
#include "syntax/conllu/conllu.h"

/* For the reader: the time to lay out a sentence grows with the square of its words. */
#define DGM_DRAW_MAX_WORDS 10000
/* Columns of a text drawing. */
#define DGM_DRAW_MIN_WIDTH 60
#define DGM_DRAW_MAX_WIDTH 1000

struct dgm_draw_style {
    int32_t width; /* columns of a text drawing */
    int ascii;     /* plain characters for its lines */
    int tags;      /* write tags with the words */
    int headings;  /* write the text of each sentence over its tree */
};

/* What is kept from sentence to sentence: zero-initialise, draw any number, clear. */
struct dgm_draw {
    struct dgm_draw_style style;
    struct dgm_captions captions;
    struct dgm_arcs arcs;
    int32_t *widths; /* (words) of the cells asked for */
    size_t width_capacity;
    long drawn;                      /* sentences so far */
    int64_t right, bottom;           /* SVG: extent so far, tenths of a pixel */
    const char *title, *description; /* of an SVG file; NULL: those of trees */
};

void dgm_draw_clear(struct dgm_env *env, struct dgm_draw *draw);

/*
 * Appends sentence `number` (from 1) as lines of at most style.width columns: arcs over a
 * line of words where that is wide enough, else one word on each line with arcs as brackets on
 * their left, else, for trees too deep even for that, a list with the numbers of the heads.
 * Arcs that `other` (may be NULL) has not are marked with a `*`.
 */
dgm_status dgm_draw_text(struct dgm_env *env, struct dgm_draw *draw, struct dgm_buf *out,
                         const struct dgm_conllu_sentence *sentence,
                         const struct dgm_conllu_sentence *other, long number);

/* Appends the sentence below those before it; differing arcs are red and dashed. */
dgm_status dgm_draw_svg(struct dgm_env *env, struct dgm_draw *draw, struct dgm_buf *out,
                        const struct dgm_conllu_sentence *sentence,
                        const struct dgm_conllu_sentence *other, long number);
/* Writes the whole file: `body` is what dgm_draw_svg has appended. */
dgm_status dgm_draw_svg_file(struct dgm_env *env, const struct dgm_draw *draw, struct dgm_buf *out,
                             const struct dgm_buf *body);

/* ---- shared by the files behind it --------------------------------------------------------- */

/* One word on each line: tree_rows.c. */
dgm_status dgm_draw_rows(struct dgm_env *env, const struct dgm_draw *draw, struct dgm_buf *out,
                         const struct dgm_tree *tree);

/* The lines of arcs that have been placed, with their feet; nothing without arcs. */
dgm_status dgm_draw_text_arcs(struct dgm_env *env, const struct dgm_draw *draw,
                              struct dgm_buf *out);

/* Appends `count` blanks. */
dgm_status dgm_draw_blanks(struct dgm_env *env, struct dgm_buf *out, int32_t count);

/* Places words and arcs for SVG; for tests. */
dgm_status dgm_draw_svg_layout(struct dgm_env *env, struct dgm_draw *draw,
                               const struct dgm_conllu_sentence *sentence,
                               const struct dgm_conllu_sentence *other);

#endif
