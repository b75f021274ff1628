/* heat_text.c: a map of weights in characters: the tree, the words, a shade and a percentage. */
#include "draw/heat/heat_text.h"

#include <string.h>

#include "draw/tree/box_lines.h"
#include "draw/tree/tree_text.h"

enum {
    CELL = 4,  /* columns that a shade and a percentage take */
    LISTED = 5 /* columns that a row names where the map is too wide */
};

static const struct dgm_arc_metrics columns = { 2, 2, 1, 1 };

static const char *shade(int percent, int ascii)
{
    static const char *const unicode[5] = { " ", "░", "▒", "▓", "█" };
    static const char *const plain[5] = { " ", ".", ":", "*", "#" };
    int level = percent < 5 ? 0 : percent < 25 ? 1 : percent < 50 ? 2 : percent < 75 ? 3 : 4;

    return ascii ? plain[level] : unicode[level];
}

static int percent_of(const struct dgm_heat_map *map, int32_t row, int32_t column)
{
    float weight = map->cells[(size_t)row * (size_t)map->columns + (size_t)column];

    return weight >= 1 ? 100 : (int)(weight * 100 + (float)0.5);
}

static int32_t widest(const struct dgm_heat_map *map)
{
    int32_t row, most = 0;

    for (row = 0; row < map->rows; row++)
        if (map->row.columns[row] > most)
            most = map->row.columns[row];
    return most;
}

static int32_t wide(const struct dgm_heat_map *map, int32_t c)
{
    return map->column.columns[c] > CELL ? map->column.columns[c] : CELL;
}

/* Where column c begins, and how wide it is: that of the end lies behind the tree. */
static int32_t place_of(const struct dgm_tree_picture *picture, const struct dgm_heat_map *map,
                        int32_t c, int32_t *width)
{
    if (c < picture->arcs.words) {
        *width = picture->arcs.cell[c];
        return picture->arcs.word_x[c];
    }
    *width = wide(map, c);
    return picture->arcs.width + columns.gap;
}

static int32_t width_of(const struct dgm_tree_picture *picture, const struct dgm_heat_map *map)
{
    int32_t width, x = place_of(picture, map, map->columns - 1, &width);

    return x + width;
}

/* ---- the map -------------------------------------------------------------------------------- */

/* The arcs, each line moved to the right; that of a root's label is empty. */
static dgm_status write_arcs(struct dgm_env *env, const struct dgm_tree_picture *picture,
                             struct dgm_buf *out, int32_t margin)
{
    struct dgm_buf lines = { .data = NULL };
    dgm_status status;
    size_t at = 0, length;

    DGM_TRY_OUT(dgm_tree_text_arcs(env, picture, &lines));
    for (; at < lines.size; at += length) {
        const char *end = memchr(lines.data + at, '\n', lines.size - at);

        length = (size_t)(end - lines.data) + 1 - at;
        if (length == 1)
            continue;
        DGM_TRY_OUT(dgm_line_blanks(env, out, margin));
        DGM_TRY_OUT(dgm_buf_add(env, out, lines.data + at, length));
    }
out:
    dgm_buf_clear(env, &lines);
    return status;
}

static dgm_status write_words(struct dgm_env *env, const struct dgm_tree_picture *picture,
                              struct dgm_buf *out, const struct dgm_heat_map *map, int32_t margin)
{
    int32_t c, at = -margin;

    for (c = 0; c < map->columns; c++) {
        int32_t width, x = place_of(picture, map, c, &width);
        x += (width - map->column.columns[c]) / 2;
        DGM_TRY(dgm_line_blanks(env, out, x - at));
        DGM_TRY(dgm_buf_add_text(env, out, dgm_heat_text_at(&map->column.texts, c)));
        at = x + map->column.columns[c];
    }
    return dgm_buf_add_char(env, out, '\n');
}

static dgm_status write_row(struct dgm_env *env, const struct dgm_tree_picture *picture,
                            struct dgm_buf *out, const struct dgm_heat_map *map, int32_t row,
                            int32_t margin)
{
    int32_t c, at = 0;

    DGM_TRY(dgm_line_blanks(env, out, margin - 1 - map->row.columns[row]));
    DGM_TRY(dgm_buf_add_text(env, out, dgm_heat_text_at(&map->row.texts, row)));
    DGM_TRY(dgm_buf_add_char(env, out, ' '));
    for (c = 0; c < map->columns; c++) {
        int percent = percent_of(map, row, c);
        int32_t width, x = place_of(picture, map, c, &width);
        x += (width - CELL) / 2;
        if (percent == 0)
            continue;
        DGM_TRY(dgm_line_blanks(env, out, x - at));
        DGM_TRY(
            dgm_buf_add_format(env, out, "%s%3d", shade(percent, picture->style.ascii), percent));
        at = x + CELL;
    }
    return dgm_buf_add_char(env, out, '\n');
}

/* ---- the list ------------------------------------------------------------------------------- */

/* The heaviest column of a row that is lighter than `limit`, or equal and further right. */
static int32_t next_best(const struct dgm_heat_map *map, int32_t row, int32_t last)
{
    const float *cells = map->cells + (size_t)row * (size_t)map->columns;
    int32_t best = -1, c;

    for (c = 0; c < map->columns; c++) {
        int after = last < 0 || cells[c] < cells[last] || (cells[c] == cells[last] && c > last);
        if (after && (best < 0 || cells[c] > cells[best]))
            best = c;
    }
    return best;
}

static dgm_status list_row(struct dgm_env *env, const struct dgm_tree_picture *picture,
                           struct dgm_buf *out, const struct dgm_heat_map *map, int32_t row,
                           int32_t margin)
{
    int32_t c = -1, at = margin, i;

    DGM_TRY(dgm_line_blanks(env, out, margin - 1 - map->row.columns[row]));
    DGM_TRY(dgm_buf_add_text(env, out, dgm_heat_text_at(&map->row.texts, row)));
    for (i = 0; i < LISTED; i++) {
        c = next_best(map, row, c);
        if (c < 0 || percent_of(map, row, c) == 0)
            break;
        at += map->column.columns[c] + 6;
        if (i > 0 && at > picture->style.width)
            break;
        DGM_TRY(dgm_buf_add_format(env, out, "  %s %d", dgm_heat_text_at(&map->column.texts, c),
                                   percent_of(map, row, c)));
    }
    return dgm_buf_add_char(env, out, '\n');
}

dgm_status dgm_heat_text(struct dgm_env *env, struct dgm_tree_picture *picture, struct dgm_buf *out,
                         const struct dgm_heat_map *map)
{
    int32_t margin = widest(map) + 1, row;
    int fits;

    if (picture->drawn++ > 0)
        DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    DGM_TRY(dgm_buf_add_format(env, out, "%s\n", map->title.data));
    if (map->rows == 0 || map->columns == 0)
        return DGM_OK;
    DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    DGM_TRY(dgm_heat_map_lay_out(env, picture, map, wide, &columns));
    fits = margin + width_of(picture, map) <= picture->style.width;
    if (fits) {
        DGM_TRY(write_arcs(env, picture, out, margin));
        DGM_TRY(write_words(env, picture, out, map, margin));
    }
    for (row = 0; row < map->rows; row++)
        DGM_TRY((fits ? write_row : list_row)(env, picture, out, map, row, margin));
    return DGM_OK;
}
