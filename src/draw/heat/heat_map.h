/*
 * heat_map.h: attention weights as a map: rows of words over columns of words.
 */
#ifndef DGM_DRAW_HEAT_HEAT_MAP_H
#define DGM_DRAW_HEAT_HEAT_MAP_H

#include "draw/heat/heat_line.h"
#include "draw/tree/tree_picture.h"

/* The rows of a map, or its columns. */
struct dgm_heat_axis {
    struct dgm_heat_texts texts; /* cleaned, cut */
    int32_t *columns;            /* how many columns of a terminal each takes */
    int32_t *place;              /* row or column of the map for each of the matrix */
    size_t column_capacity, place_capacity;
};

/* What is drawn. Zero-initialise, make any number, clear. */
struct dgm_heat_map {
    int32_t rows, columns;
    float *cells; /* (rows, columns) */
    struct dgm_heat_axis row, column;
    struct dgm_tree tree; /* over the first tree.count columns */
    struct dgm_buf title; /* "line 3: cross, layer 6, mean of heads" */
    float *counts;
    size_t cell_capacity, count_capacity;
};

/* with_pieces: pieces stay as they are. */
dgm_status dgm_heat_map_make(struct dgm_env *env, struct dgm_heat_map *map,
                             const struct dgm_heat_line *line, const struct dgm_heat_matrix *matrix,
                             int with_pieces, const char *ellipsis);
/* The width of a column's text, in the unit of the picture. */
typedef int32_t dgm_heat_width_fn(const struct dgm_heat_map *map, int32_t column);
/* Places the arcs over the columns of the map's tree. */
dgm_status dgm_heat_map_lay_out(struct dgm_env *env, struct dgm_tree_picture *picture,
                                const struct dgm_heat_map *map, dgm_heat_width_fn *width,
                                const struct dgm_arc_metrics *metrics);
void dgm_heat_map_clear(struct dgm_env *env, struct dgm_heat_map *map);

#endif
