/* heat_drawing.h: maps of the weights that `translate --attention` has written. */
#ifndef DGM_DRAW_HEAT_HEAT_DRAWING_H
#define DGM_DRAW_HEAT_HEAT_DRAWING_H

#include "base/lines/lines.h"
#include "draw/heat/heat_map.h"
#include "draw/picture.h"

/* Zero-initialise, but for what is wanted. */
struct dgm_heat_drawing {
    struct dgm_picture picture;
    int kind, head; /* kind -1: any; head: a number, DGM_HEAT_MEAN or DGM_HEAT_ANY */
    int layer;      /* from 1; 0: any */
    long line;      /* of the text, from 1; 0: all */
    int pieces;     /* rows and columns are pieces, not words */
    int grid;       /* maps stand beside each other */
    struct dgm_lines lines;
    struct dgm_heat_line read;
    struct dgm_heat_map map;
    size_t *wanted; /* numbers of the matrices of a line that are drawn */
    size_t wanted_count, wanted_capacity;
};

/* Draws a file, and clears all. */
dgm_status dgm_heat_drawing_run(struct dgm_heat_drawing *drawing, const char *path);

#endif
