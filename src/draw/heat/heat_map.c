/* heat_map.c: from weights between pieces to weights between words, with the texts of both. */
#include "draw/heat/heat_map.h"

#include <string.h>

#include "base/mem.h"
#include "draw/tree/captions.h"

/* What a decoder reads before it has written anything. */
#define BEGIN "<s>"

static void clear_axis(struct dgm_env *env, struct dgm_heat_axis *axis)
{
    dgm_heat_texts_clear(env, &axis->texts);
    dgm_release(env, axis->columns);
    dgm_release(env, axis->place);
}

void dgm_heat_map_clear(struct dgm_env *env, struct dgm_heat_map *map)
{
    dgm_release(env, map->cells);
    clear_axis(env, &map->row);
    clear_axis(env, &map->column);
    dgm_tree_clear(env, &map->tree);
    dgm_buf_clear(env, &map->title);
    dgm_release(env, map->counts);
    memset(map, 0, sizeof *map);
}

/* ---- axes ----------------------------------------------------------------------------------- */

static dgm_status add_clean(struct dgm_env *env, struct dgm_heat_axis *axis, const char *text,
                            const char *ellipsis)
{
    struct dgm_heat_texts *texts = &axis->texts;
    int32_t columns;

    DGM_TRY(
        dgm_grow(env, &texts->start, &texts->capacity, (size_t)texts->count, sizeof *texts->start));
    DGM_TRY(dgm_grow(env, &axis->columns, &axis->column_capacity, (size_t)texts->count,
                     sizeof *axis->columns));
    texts->start[texts->count] = texts->bytes.size;
    DGM_TRY(dgm_caption_add(env, &texts->bytes, text, strlen(text), DGM_CAPTION_MOST_FORM, ellipsis,
                            &columns));
    DGM_TRY(dgm_buf_add_char(env, &texts->bytes, '\0'));
    axis->columns[texts->count++] = columns;
    return DGM_OK;
}

/* Words or pieces before the end, which stand in a place each. A sentence need not have an end: a
 * translation that was cut, a source whose encoder reads none; a decoder never reads what is last.
 */
static int32_t count_before_end(const struct dgm_heat_side *side, int shifted, int with_pieces)
{
    const int32_t n = side->pieces.count;
    const int has_end = side->word_of[n - 1] < 0;
    const int32_t pieces = n - (has_end || shifted);

    if (with_pieces)
        return pieces;
    if (has_end || !shifted)
        return side->words.count;
    return pieces > 0 ? side->word_of[pieces - 1] + 1 : 0;
}

/* The texts; and where position i of the matrix lies. `shifted`: what a decoder reads, the
 * beginning first, no end. */
static dgm_status lay_axis(struct dgm_env *env, struct dgm_heat_axis *axis,
                           const struct dgm_heat_side *side, int shifted, int with_pieces,
                           const char *ellipsis)
{
    const struct dgm_heat_texts *texts = with_pieces ? &side->pieces : &side->words;
    int32_t n = side->pieces.count, i, end;

    dgm_heat_texts_reset(&axis->texts);
    if (n == 0)
        return DGM_OK;
    end = count_before_end(side, shifted, with_pieces);
    DGM_TRY(dgm_reserve(env, &axis->place, &axis->place_capacity, (size_t)n, sizeof *axis->place));
    if (shifted)
        DGM_TRY(add_clean(env, axis, BEGIN, ellipsis));
    for (i = 0; i < end; i++)
        DGM_TRY(add_clean(env, axis, dgm_heat_text_at(texts, i), ellipsis));
    if (!shifted && side->word_of[n - 1] < 0)
        DGM_TRY(add_clean(env, axis, dgm_heat_text_at(&side->pieces, n - 1), ellipsis));
    for (i = 0; i < n; i++) {
        int32_t piece = i - shifted;
        int32_t word = piece < 0 ? -1 : with_pieces ? piece : side->word_of[piece];
        axis->place[i] = shifted ? word + 1 : word < 0 ? end : word;
    }
    return DGM_OK;
}

/* ---- cells ---------------------------------------------------------------------------------- */

/* Rows are averaged over their pieces, columns summed. */
static dgm_status merge(struct dgm_env *env, struct dgm_heat_map *map,
                        const struct dgm_heat_line *line, const struct dgm_heat_matrix *matrix)
{
    size_t cells = (size_t)map->rows * (size_t)map->columns;
    int32_t i, j;

    DGM_TRY(dgm_reserve(env, &map->cells, &map->cell_capacity, cells + 1, sizeof *map->cells));
    DGM_TRY(dgm_reserve(env, &map->counts, &map->count_capacity, (size_t)map->rows + 1,
                        sizeof *map->counts));
    memset(map->cells, 0, cells * sizeof *map->cells);
    memset(map->counts, 0, (size_t)map->rows * sizeof *map->counts);
    for (i = 0; i < matrix->rows; i++) {
        const float *from = line->values + matrix->first + (size_t)i * (size_t)matrix->columns;
        float *to = map->cells + (size_t)map->row.place[i] * (size_t)map->columns;
        map->counts[map->row.place[i]]++;
        for (j = 0; j < matrix->columns; j++)
            to[map->column.place[j]] += from[j];
    }
    for (i = 0; i < map->rows; i++)
        for (j = 0; j < map->columns && map->counts[i] > 0; j++)
            map->cells[(size_t)i * (size_t)map->columns + (size_t)j] /= map->counts[i];
    return DGM_OK;
}

static dgm_status make_title(struct dgm_env *env, struct dgm_heat_map *map,
                             const struct dgm_heat_line *line, const struct dgm_heat_matrix *matrix)
{
    dgm_buf_reset(&map->title);
    DGM_TRY(dgm_buf_add_format(env, &map->title, "line %ld: %s, layer %d, ", line->line,
                               dgm_heat_kinds[matrix->kind], matrix->layer));
    if (matrix->head == DGM_HEAT_MEAN)
        return dgm_buf_add_text(env, &map->title, "mean of heads");
    return dgm_buf_add_format(env, &map->title, "head %d", matrix->head);
}

/* Over the words of the source, where they are the columns and have a tree; else over all columns,
 * without a parse. */
static dgm_status make_tree(struct dgm_env *env, struct dgm_heat_map *map,
                            const struct dgm_heat_side *side, int wanted)
{
    dgm_tree_clear(env, &map->tree);
    memset(&map->tree, 0, sizeof map->tree);
    if (wanted && side->has_heads && side->words.count > 0)
        return dgm_tree_init(env, &map->tree, side->heads, side->words.count);
    return dgm_tree_init(env, &map->tree, NULL, map->columns);
}

dgm_status dgm_heat_map_make(struct dgm_env *env, struct dgm_heat_map *map,
                             const struct dgm_heat_line *line, const struct dgm_heat_matrix *matrix,
                             int with_pieces, const char *ellipsis)
{
    /* An encoder looks from the source at the source, a decoder from the target at the target;
     * between them, the target has the rows and the source the columns. */
    const struct dgm_heat_side *rows =
        &line->side[matrix->kind == DGM_HEAT_ENCODER ? DGM_HEAT_SOURCE : DGM_HEAT_TARGET];
    const struct dgm_heat_side *columns =
        &line->side[matrix->kind == DGM_HEAT_DECODER ? DGM_HEAT_TARGET : DGM_HEAT_SOURCE];
    int shifted = matrix->kind == DGM_HEAT_DECODER;

    DGM_TRY(lay_axis(env, &map->row, rows, shifted, with_pieces, ellipsis));
    DGM_TRY(lay_axis(env, &map->column, columns, shifted, with_pieces, ellipsis));
    map->rows = map->row.texts.count;
    map->columns = map->column.texts.count;
    DGM_TRY(merge(env, map, line, matrix));
    DGM_TRY(make_tree(env, map, columns, !shifted && !with_pieces));
    return make_title(env, map, line, matrix);
}

/* ---- in a picture --------------------------------------------------------------------------- */

dgm_status dgm_heat_map_lay_out(struct dgm_env *env, struct dgm_tree_picture *picture,
                                const struct dgm_heat_map *map, dgm_heat_width_fn *width,
                                const struct dgm_arc_metrics *metrics)
{
    int32_t n = map->tree.count, c;

    DGM_TRY(dgm_captions_blank(env, &picture->captions, n));
    DGM_TRY(dgm_arcs_make(env, &picture->arcs, &map->tree));
    DGM_TRY(dgm_reserve(env, &picture->widths, &picture->width_capacity, (size_t)n + 1,
                        sizeof *picture->widths));
    for (c = 0; c < n; c++)
        picture->widths[c] = width(map, c);
    for (c = 0; c < (int32_t)picture->arcs.count; c++)
        picture->arcs.arcs[c].label_width = 0;
    dgm_arcs_place(&picture->arcs, picture->widths, metrics);
    return DGM_OK;
}
