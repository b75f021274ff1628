/*
 * tree_picture.h: what pictures of dependency trees share, one sentence after the other.
 */
#ifndef DGM_DRAW_TREE_TREE_PICTURE_H
#define DGM_DRAW_TREE_TREE_PICTURE_H

#include "base/buf.h"
#include "draw/tree/arcs.h"
#include "draw/tree/captions.h"
#include "syntax/conllu/conllu.h"

/* For the reader: the time to lay out a sentence grows with the square of its words. */
#define DGM_TREE_PICTURE_MAX_WORDS 10000
/* Columns of a text drawing. */
#define DGM_TREE_PICTURE_MIN_WIDTH 60
#define DGM_TREE_PICTURE_MAX_WIDTH 1000

struct dgm_tree_picture_style {
    int32_t width; /* columns of a text drawing */
    int ascii;     /* plain characters for its lines */
    int tags;      /* write tags with the words */
    int32_t page;  /* pixels of a page of SVG, which a wider sentence fills in rows; 0: 1000;
                    * negative: no end */
    int headings;  /* write the text of each sentence over its tree */
};

/* Kept from sentence to sentence: zero-initialise, draw any number, clear. */
struct dgm_tree_picture {
    struct dgm_tree_picture_style style;
    struct dgm_captions captions;
    struct dgm_arcs arcs;
    int32_t *widths; /* (words) of the cells asked for */
    size_t width_capacity;
    long drawn;                      /* sentences so far */
    int64_t right, bottom;           /* SVG: extent so far, tenths of a pixel */
    const char *title, *description; /* of an SVG file; NULL: those of trees */
};

void dgm_tree_picture_clear(struct dgm_env *env, struct dgm_tree_picture *picture);

/* The width of a caption in the unit of the picture. */
typedef int32_t dgm_caption_width_fn(const struct dgm_captions *captions, int32_t word,
                                     enum dgm_caption kind);

/* Fills the captions of a sentence and places words, labels and arcs. */
dgm_status dgm_tree_picture_lay_out(struct dgm_env *env, struct dgm_tree_picture *picture,
                                    const struct dgm_conllu_sentence *sentence,
                                    const struct dgm_caption_options *texts,
                                    dgm_caption_width_fn *width,
                                    const struct dgm_arc_metrics *metrics);

#endif
