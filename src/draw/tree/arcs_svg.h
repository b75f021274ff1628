/*
 * arcs_svg.h: arcs above words as SVG. Lengths are tenths of a pixel.
 */
#ifndef DGM_DRAW_TREE_ARCS_SVG_H
#define DGM_DRAW_TREE_ARCS_SVG_H

#include "draw/svg.h"
#include "draw/tree/tree_picture.h"

enum {
    DGM_ARCS_LABEL_SIZE = 115, /* of the font */
    DGM_ARCS_RADIUS = 90,      /* of the corners of an arc */
    DGM_ARCS_PAD = 35          /* between a label and the ends of its line */
};

/* A row of the words of a long sentence. An arc that goes on in another row runs beyond the end of
 * this one, and is named there. */
struct dgm_arcs_row {
    int32_t first, end;  /* words first..end - 1 */
    int64_t left, right; /* where the row begins and ends in the layout of the whole sentence */
    const int32_t
        *rank; /* (arcs->levels + 2) the level in this row of each level; NULL: the same */
};

/* The arcs that have been placed, above the origin. */
void dgm_arcs_svg(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                  const struct dgm_arcs_row *row);

/* Closes up the levels of a row: some have arcs in other rows only. `rank` holds arcs->levels + 2
 * numbers, and is kept by the row. */
void dgm_arcs_svg_close_up(struct dgm_arcs_row *row, const struct dgm_arcs *arcs, int32_t *rank);

/* From the top of the row to the tips of the arrowheads. */
int64_t dgm_arcs_svg_rise(const struct dgm_arcs *arcs, const struct dgm_arcs_row *row);

/* What the names of arcs that go on elsewhere take on each side of a row. */
int64_t dgm_arcs_svg_margin(const struct dgm_arcs *arcs);

/* The row that holds the whole sentence. */
static inline struct dgm_arcs_row dgm_arcs_whole_row(const struct dgm_arcs *arcs)
{
    struct dgm_arcs_row row = { 0, 0, INT32_MIN, (int64_t)INT32_MAX + 1, NULL };

    row.end = arcs->words;
    return row;
}

#endif
