/*
 * tree_svg.h: the measures of a tree in SVG, in tenths of a pixel; for the files that draw it.
 */
#ifndef DGM_DRAW_TREE_TREE_SVG_H
#define DGM_DRAW_TREE_TREE_SVG_H

#include "draw/svg.h"
#include "draw/tree/tree_picture.h"

enum {
    WORD_SIZE = 160, /* of the fonts */
    TAG_SIZE = 105,
    LABEL_SIZE = 115,
    HEADING_SIZE = 130,
    STEP = 240,  /* from one level of arcs to the next */
    LEAD = 320,  /* from the words to the first level */
    RADIUS = 90, /* of the corners of an arc */
    PAD = 35,    /* between a label and the ends of its line */
    MARGIN = 240,
    BETWEEN = 360, /* from one tree to the next */
    HEADING = 340, /* height of a heading and what lies below it */
    HEADING_COLUMNS = 120,
    TIP = 75, /* length of an arrowhead, and half of its width */
    TIP_SIDE = 34
};

/* Of a text in a font of this size; rather too wide than too narrow. */
int32_t dgm_draw_svg_width(const char *text, int32_t size);

/* The arcs that have been placed, above the origin. */
void dgm_draw_svg_arcs(struct dgm_svg *svg, const struct dgm_draw *draw);
/* From the top of the picture's part to the tips of the arrowheads. */
int64_t dgm_draw_svg_rise(const struct dgm_arcs *arcs);

#endif
