/* heat_grid.c: small maps side by side, in tenths of a pixel. */
#include "draw/heat/heat_grid.h"

#include <stdio.h>

#include "draw/heat/heat_scale.h"
#include "draw/ink.h"
#include "draw/svg_parts.h"
#include "draw/text_width.h"
#include "draw/tree/tree_svg.h"

enum {
    CELL = 130, /* of a small map; of a larger one less, LEAST at least */
    LEAST = 50,
    EXTENT = 4200, /* that a map is to have at most */
    AIR = 50,      /* between words and cells */
    GAP = 220,     /* between maps */
    NAME_SIZE = 110,
    NAME = 170 /* height of a map's name */
};

struct grid {
    const struct dgm_heat_line *line;
    const size_t *wanted;
    size_t count;
    int32_t rows, columns;           /* of a map */
    int64_t cell, font;              /* widths and heights; size */
    int64_t row_words, column_words; /* the room of the words on the left and above */
    int64_t left, top;               /* of the first map */
};

/* ---- which maps ----------------------------------------------------------------------------- */

/* The least layer or head of the kind above `last`; 0: there is none. */
static int next_value(const struct grid *grid, enum dgm_heat_kind kind, int by_layer, int *value)
{
    int last = *value, found = 0;
    size_t i;

    for (i = 0; i < grid->count; i++) {
        const struct dgm_heat_matrix *matrix = &grid->line->matrices[grid->wanted[i]];
        int own = by_layer ? matrix->layer : matrix->head;
        if (matrix->kind == kind && own > last && (!found || own < *value)) {
            *value = own;
            found = 1;
        }
    }
    return found;
}

static const struct dgm_heat_matrix *find(const struct grid *grid, enum dgm_heat_kind kind,
                                          int layer, int head)
{
    size_t i;

    for (i = 0; i < grid->count; i++) {
        const struct dgm_heat_matrix *matrix = &grid->line->matrices[grid->wanted[i]];
        if (matrix->kind == kind && matrix->layer == layer && matrix->head == head)
            return matrix;
    }
    return NULL;
}

static const struct dgm_heat_matrix *find_first(const struct grid *grid, enum dgm_heat_kind kind)
{
    size_t i;

    for (i = 0; i < grid->count; i++)
        if (grid->line->matrices[grid->wanted[i]].kind == kind)
            return &grid->line->matrices[grid->wanted[i]];
    return NULL;
}

/* ---- parts ---------------------------------------------------------------------------------- */

static void measure(struct grid *grid, const struct dgm_heat_map *map)
{
    int32_t most = map->rows > map->columns ? map->rows : map->columns;

    grid->rows = map->rows;
    grid->columns = map->columns;
    grid->cell = most > 0 && EXTENT / most < CELL ? EXTENT / most : CELL;
    grid->cell = grid->cell < LEAST ? LEAST : grid->cell;
    grid->font = grid->cell * 4 / 5;
    grid->row_words = dgm_heat_texts_width(&map->row.texts, (int32_t)grid->font) + AIR;
    grid->column_words = dgm_heat_texts_width(&map->column.texts, (int32_t)grid->font) + AIR;
}

/* Words beside the first map of a row of maps, and upright above those of the first row. */
static void add_words(struct dgm_svg *svg, const struct grid *grid, const struct dgm_heat_map *map,
                      int64_t x, int64_t y, int are_columns)
{
    const struct dgm_heat_texts *texts = are_columns ? &map->column.texts : &map->row.texts;
    int32_t i;

    dgm_svg_texts_begin(svg, DGM_INK_TEXT, are_columns ? "start" : "end", grid->font);
    for (i = 0; i < texts->count; i++) {
        int64_t middle = i * grid->cell + grid->cell / 2 + grid->font / 3;
        dgm_svg_turned_label(svg, are_columns ? -90 : 0, are_columns ? x + middle : x - AIR,
                             are_columns ? y - AIR : y + middle, dgm_heat_text_at(texts, i));
    }
    dgm_svg_group_end(svg);
}

/* Weights below half a percent are the ground's colour, within what the eye can tell. */
static void add_cells(struct dgm_svg *svg, const struct grid *grid, const struct dgm_heat_map *map,
                      int64_t x, int64_t y)
{
    int32_t row, c;

    dgm_svg_begin(svg, "g");
    dgm_svg_text_attribute(svg, "fill", DGM_INK_HEAT);
    dgm_svg_newline(svg);
    for (row = 0; row < map->rows; row++)
        for (c = 0; c < map->columns; c++) {
            float weight = map->cells[(size_t)row * (size_t)map->columns + (size_t)c];
            if (weight < (float)0.005)
                continue;
            dgm_svg_rect_begin(svg, x + c * grid->cell, y + row * grid->cell, grid->cell,
                               grid->cell);
            dgm_heat_opacity(svg, weight);
            dgm_svg_end_line(svg, "rect");
        }
    dgm_svg_group_end(svg);
}

static void add_frame(struct dgm_svg *svg, const struct grid *grid, int64_t x, int64_t y,
                      const struct dgm_heat_matrix *matrix)
{
    char name[64];

    dgm_svg_rect_begin(svg, x, y, grid->columns * grid->cell, grid->rows * grid->cell);
    dgm_svg_text_attribute(svg, "fill", "none");
    dgm_svg_stroke(svg, DGM_INK_AXIS, 6);
    dgm_svg_end_line(svg, "rect");
    if (matrix->head == DGM_HEAT_MEAN)
        snprintf(name, sizeof name, "layer %d, mean", matrix->layer);
    else
        snprintf(name, sizeof name, "layer %d, head %d", matrix->layer, matrix->head);
    dgm_svg_texts_begin(svg, DGM_INK_NOTE, "start", NAME_SIZE);
    dgm_svg_label(svg, x, y + grid->rows * grid->cell + NAME - 50, name);
    dgm_svg_group_end(svg);
}

/* ---- the grid ------------------------------------------------------------------------------- */

static int64_t map_width(const struct grid *grid)
{
    int64_t name = dgm_text_width("layer 10, head 10", NAME_SIZE);

    return grid->columns * grid->cell > name ? grid->columns * grid->cell : name;
}

static dgm_status add_maps(struct dgm_svg *svg, struct grid *grid, struct dgm_heat_map *map,
                           enum dgm_heat_kind kind, int with_pieces, int64_t *right,
                           int64_t *bottom)
{
    int layer = 0, head;
    int64_t y = grid->top;

    for (; next_value(grid, kind, 1, &layer); y += grid->rows * grid->cell + NAME + GAP / 2) {
        int64_t x = grid->left;
        add_words(svg, grid, map, x, y, 0);
        for (head = DGM_HEAT_MEAN - 1; next_value(grid, kind, 0, &head);
             x += map_width(grid) + GAP) {
            const struct dgm_heat_matrix *matrix = find(grid, kind, layer, head);
            if (y == grid->top)
                add_words(svg, grid, map, x, y, 1);
            if (matrix == NULL)
                continue;
            DGM_TRY(dgm_heat_map_make(svg->env, map, grid->line, matrix, with_pieces, "…"));
            add_cells(svg, grid, map, x, y);
            add_frame(svg, grid, x, y, matrix);
            *right = x + map_width(grid) > *right ? x + map_width(grid) : *right;
        }
        *bottom = y + grid->rows * grid->cell + NAME;
    }
    return svg->status;
}

static void add_heading(struct dgm_svg *svg, const struct dgm_heat_line *line,
                        enum dgm_heat_kind kind, int64_t y)
{
    char text[64];

    snprintf(text, sizeof text, "line %ld: %s", line->line, dgm_heat_kinds[kind]);
    dgm_svg_texts_begin(svg, DGM_INK_NOTE, "start", DGM_SVG_HEADING_SIZE);
    dgm_svg_label(svg, DGM_SVG_MARGIN, y + DGM_SVG_HEADING_SIZE, text);
    dgm_svg_group_end(svg);
}

dgm_status dgm_heat_grid(struct dgm_env *env, struct dgm_tree_picture *picture, struct dgm_buf *out,
                         struct dgm_heat_map *map, const struct dgm_heat_line *line,
                         enum dgm_heat_kind kind, const size_t *wanted, size_t count,
                         int with_pieces)
{
    struct grid grid = { line, wanted, count, 0, 0, 0, 0, 0, 0, 0, 0 };
    const struct dgm_heat_matrix *first = find_first(&grid, kind);
    int64_t right = 0, bottom = 0;
    struct dgm_svg svg;

    if (first == NULL)
        return DGM_OK;
    DGM_TRY(dgm_heat_map_make(env, map, line, first, with_pieces, "…"));
    dgm_svg_start(&svg, env, out);
    picture->bottom += picture->drawn++ > 0 ? DGM_SVG_BETWEEN : 0;
    add_heading(&svg, line, kind, DGM_SVG_MARGIN + picture->bottom);
    picture->bottom += DGM_SVG_HEADING;
    if (map->rows == 0 || map->columns == 0)
        return svg.status;
    measure(&grid, map);
    grid.left = DGM_SVG_MARGIN + grid.row_words;
    grid.top = DGM_SVG_MARGIN + picture->bottom + grid.column_words;
    DGM_TRY(add_maps(&svg, &grid, map, kind, with_pieces, &right, &bottom));
    picture->bottom = bottom - DGM_SVG_MARGIN;
    dgm_tree_svg_widen(picture, right - DGM_SVG_MARGIN);
    return svg.status;
}
