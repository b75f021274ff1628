/* heat_svg.c: a map of weights as SVG, lengths in tenths of a pixel. */
#include "draw/heat/heat_svg.h"

#include "base/number/number.h"
#include "draw/heat/heat_scale.h"
#include "draw/ink.h"
#include "draw/svg_parts.h"
#include "draw/text_width.h"
#include "draw/tree/arcs_svg.h"
#include "draw/tree/tree_svg.h"

enum {
    ROW = 260,  /* height */
    TOP = 100,  /* from the base line of the words to the first row */
    SIDE = 80,  /* between a row's text and its cells */
    LEAST = 240 /* width of a column */
};

static const struct dgm_arc_metrics paper = { 120, 90, 0, 0 };

static int32_t wide(const struct dgm_heat_map *map, int32_t c)
{
    int32_t width = dgm_text_width(dgm_heat_text_at(&map->column.texts, c), DGM_SVG_WORD_SIZE);

    return width > LEAST ? width : LEAST;
}

/* Left end of column c's cells, half a gap before its word; c = columns: the right end of all.
 * The column of the end of a sentence lies behind the tree. */
static int64_t left_of(const struct dgm_tree_picture *picture, const struct dgm_heat_map *map,
                       int32_t c)
{
    const struct dgm_arcs *arcs = &picture->arcs;
    int64_t x;

    if (c < arcs->words)
        return (int64_t)arcs->word_x[c] - paper.gap / 2;
    x = (int64_t)arcs->width + paper.gap / 2;
    return c > arcs->words ? x + wide(map, c - 1) + paper.gap : x;
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* "row ← column 0.123" */
static void add_title(struct dgm_svg *svg, const struct dgm_heat_map *map, int32_t row, int32_t c,
                      float weight)
{
    char number[32];

    number[dgm_number_print_fixed(number, (double)weight, 3)] = '\0';
    dgm_svg_begin(svg, "title");
    dgm_svg_text(svg, dgm_heat_text_at(&map->row.texts, row));
    dgm_svg_text(svg, " ← ");
    dgm_svg_text(svg, dgm_heat_text_at(&map->column.texts, c));
    dgm_svg_text(svg, " ");
    dgm_svg_text(svg, number);
    dgm_svg_end(svg, "title");
}

static void add_row(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                    const struct dgm_heat_map *map, int32_t row, int64_t y)
{
    int32_t c;

    for (c = 0; c < map->columns; c++) {
        float weight = map->cells[(size_t)row * (size_t)map->columns + (size_t)c];
        int64_t x = left_of(picture, map, c);
        dgm_svg_rect_begin(svg, x, y, left_of(picture, map, c + 1) - x, ROW);
        dgm_heat_fill(svg, weight);
        add_title(svg, map, row, c, weight);
        dgm_svg_end_line(svg, "rect");
    }
}

/* ---- the map -------------------------------------------------------------------------------- */

static void add_map(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                    const struct dgm_heat_map *map)
{
    struct dgm_arcs_row whole = dgm_arcs_whole_row(&picture->arcs);
    int64_t top = DGM_SVG_WORD_SIZE + 20 + TOP;
    int32_t i;

    if (picture->arcs.count > 0)
        dgm_arcs_svg(svg, picture, &whole);
    dgm_svg_texts_begin(svg, DGM_INK_TEXT, "middle", DGM_SVG_WORD_SIZE);
    for (i = 0; i < map->columns; i++)
        dgm_svg_label(svg, (left_of(picture, map, i) + left_of(picture, map, i + 1)) / 2,
                      DGM_SVG_WORD_SIZE + 20, dgm_heat_text_at(&map->column.texts, i));
    dgm_svg_group_end(svg);
    dgm_svg_texts_begin(svg, DGM_INK_TEXT, "end", DGM_SVG_WORD_SIZE);
    for (i = 0; i < map->rows; i++)
        dgm_svg_label(svg, left_of(picture, map, 0) - SIDE,
                      top + i * ROW + ROW / 2 + DGM_SVG_WORD_SIZE / 3,
                      dgm_heat_text_at(&map->row.texts, i));
    dgm_svg_group_end(svg);
    dgm_svg_begin(svg, "g");
    dgm_svg_stroke(svg, DGM_INK_GRID, 5);
    dgm_svg_newline(svg);
    for (i = 0; i < map->rows; i++)
        add_row(svg, picture, map, i, top + i * ROW);
    dgm_svg_group_end(svg);
}

dgm_status dgm_heat_svg(struct dgm_env *env, struct dgm_tree_picture *picture, struct dgm_buf *out,
                        const struct dgm_heat_map *map)
{
    int64_t label;
    struct dgm_arcs_row whole;
    struct dgm_svg svg;

    dgm_svg_start(&svg, env, out);
    picture->bottom += picture->drawn++ > 0 ? DGM_SVG_BETWEEN : 0;
    dgm_tree_svg_heading(&svg, picture, map->title.data);
    if (map->rows == 0 || map->columns == 0)
        return svg.status;
    DGM_TRY(dgm_heat_map_lay_out(env, picture, map, wide, &paper));
    whole = dgm_arcs_whole_row(&picture->arcs);
    picture->bottom += dgm_arcs_svg_rise(&picture->arcs, &whole);
    label =
        dgm_heat_texts_width(&map->row.texts, DGM_SVG_WORD_SIZE) + SIDE - left_of(picture, map, 0);
    dgm_svg_begin(&svg, "g");
    dgm_svg_move(&svg, DGM_SVG_MARGIN + label, DGM_SVG_MARGIN + picture->bottom);
    dgm_svg_newline(&svg);
    add_map(&svg, picture, map);
    dgm_svg_group_end(&svg);
    picture->bottom += DGM_SVG_WORD_SIZE + 20 + TOP + (int64_t)map->rows * ROW;
    dgm_tree_svg_widen(picture, label + left_of(picture, map, map->columns));
    return svg.status;
}
