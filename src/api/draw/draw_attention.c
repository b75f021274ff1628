/*
 * draw_attention.c: maps of the weights that `translate --attention` has written.
 *
 * The file has a line of JSON for each line of text (doc/attention.md), and one of them is in
 * memory at a time. Maps as text are handed over line by line. SVG begins with the size of the
 * whole picture, so all of it is kept until the end.
 */
#include <string.h>

#include "api/draw/picture.h"
#include "base/lines/lines.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "draw/heat/heat_grid.h"
#include "draw/heat/heat_scale.h"
#include "draw/heat/heat_svg.h"
#include "draw/heat/heat_text.h"

struct drawing {
    struct dgm_picture picture;
    struct dgm_env *env; /* the context's */
    dgm_draw_attention_options options;
    int kind, head; /* kind -1: any */
    struct dgm_lines lines;
    struct dgm_heat_line line;
    struct dgm_heat_map map;
    size_t *wanted; /* numbers of the matrices of a line that are drawn */
    size_t wanted_count, wanted_capacity;
};

static dgm_status set_head(struct drawing *drawing)
{
    const char *head = drawing->options.head;
    char quoted[DGM_QUOTE_SIZE];
    int64_t value;

    drawing->head = DGM_HEAT_ANY;
    if (head == NULL)
        return DGM_OK;
    drawing->head = DGM_HEAT_MEAN;
    if (strcmp(head, "mean") == 0)
        return DGM_OK;
    if (dgm_number_int(&value, head, strlen(head)) && value >= 0 && value <= 100000) {
        drawing->head = (int)value;
        return DGM_OK;
    }
    dgm_quote(quoted, sizeof quoted, head, strlen(head));
    return dgm_fail(drawing->env, DGM_USAGE, "head: expected mean or a number from 0, got \"%s\"",
                    quoted);
}

static dgm_status set_options(struct drawing *drawing)
{
    static const char *const formats[] = { "text", "svg" };
    dgm_draw_attention_options *chosen = &drawing->options;
    struct dgm_env *env = drawing->env;

    DGM_TRY(
        dgm_options_choose(env, &drawing->picture.is_svg, "format", chosen->format, formats, 2));
    drawing->kind = -1;
    if (chosen->kind != NULL)
        DGM_TRY(dgm_options_choose(env, &drawing->kind, "kind", chosen->kind, dgm_heat_kinds,
                                   DGM_HEAT_KINDS));
    DGM_TRY(set_head(drawing));
    DGM_TRY(dgm_picture_set_style(&drawing->picture, chosen->width, chosen->ascii));
    if (chosen->line < 0 || chosen->layer < 0)
        return dgm_fail(env, DGM_USAGE, "line %ld, layer %d; expected 1 or more, or 0 for all",
                        chosen->line, chosen->layer);
    if (chosen->grid && !drawing->picture.is_svg)
        return dgm_fail(env, DGM_USAGE,
                        "grid: maps stand in a grid as SVG only; expected the "
                        "format svg");
    drawing->picture.draw.title = "Attention weights";
    drawing->picture.draw.description =
        "Each row is a distribution over the columns; the stronger the colour of a cell, "
        "the greater its weight.";
    return DGM_OK;
}

static int is_wanted(const struct drawing *drawing, const struct dgm_heat_matrix *matrix)
{
    return (drawing->kind < 0 || drawing->kind == (int)matrix->kind) &&
           (drawing->options.layer == 0 || drawing->options.layer == matrix->layer) &&
           (drawing->head == DGM_HEAT_ANY || drawing->head == matrix->head);
}

static dgm_status draw_matrix(struct drawing *drawing, const struct dgm_heat_matrix *matrix)
{
    struct dgm_env *env = drawing->env;
    struct dgm_picture *picture = &drawing->picture;
    const char *ellipsis = drawing->options.ascii && !picture->is_svg ? "..." : "…";

    DGM_TRY(dgm_heat_map_make(env, &drawing->map, &drawing->line, matrix, drawing->options.pieces,
                              ellipsis));
    return (picture->is_svg ? dgm_heat_svg : dgm_heat_text)(env, &picture->draw, &picture->out,
                                                            &drawing->map);
}

static dgm_status find_wanted(struct drawing *drawing)
{
    size_t i;

    drawing->wanted_count = 0;
    for (i = 0; i < drawing->line.matrix_count; i++) {
        if (!is_wanted(drawing, &drawing->line.matrices[i]))
            continue;
        DGM_TRY(dgm_grow(drawing->env, &drawing->wanted, &drawing->wanted_capacity,
                         drawing->wanted_count, sizeof *drawing->wanted));
        drawing->wanted[drawing->wanted_count++] = i;
    }
    return DGM_OK;
}

static dgm_status draw_grids(struct drawing *drawing)
{
    struct dgm_picture *picture = &drawing->picture;
    int kind;

    for (kind = 0; kind < DGM_HEAT_KINDS; kind++)
        DGM_TRY(dgm_heat_grid(drawing->env, &picture->draw, &picture->out, &drawing->map,
                              &drawing->line, (enum dgm_heat_kind)kind, drawing->wanted,
                              drawing->wanted_count, drawing->options.pieces));
    return DGM_OK;
}

static dgm_status draw_line(struct drawing *drawing)
{
    size_t i;

    DGM_TRY(find_wanted(drawing));
    if (drawing->options.grid)
        return draw_grids(drawing);
    for (i = 0; i < drawing->wanted_count; i++)
        DGM_TRY(draw_matrix(drawing, &drawing->line.matrices[drawing->wanted[i]]));
    return dgm_picture_flush(&drawing->picture);
}

static dgm_status draw_all(struct drawing *drawing)
{
    struct dgm_env *env = drawing->env;
    struct dgm_lines *lines = &drawing->lines;
    long wanted = drawing->options.line;
    int more;

    for (;;) {
        DGM_TRY(dgm_picture_poll(&drawing->picture));
        DGM_TRY(dgm_lines_next(env, lines, &more));
        if (!more)
            break;
        DGM_TRY(dgm_heat_line_read(env, &drawing->line, lines->path, lines->number,
                                   lines->line.data, lines->line.size));
        if (wanted == 0 || wanted == drawing->line.line)
            DGM_TRY(draw_line(drawing));
        if (wanted > 0 && wanted == drawing->line.line)
            break; /* the rest is not read, faulty or not */
    }
    if (drawing->picture.draw.drawn > 0 && drawing->picture.is_svg)
        return dgm_heat_scale(env, &drawing->picture.draw, &drawing->picture.out);
    if (drawing->picture.draw.drawn > 0)
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, lines->path, 0, 0,
                       "no weights of that line, kind, layer "
                       "and head; expected some of those that translate --attention wrote");
}

static void close_all(struct drawing *drawing)
{
    struct dgm_env *env = drawing->env;

    dgm_lines_close(env, &drawing->lines);
    dgm_heat_line_clear(env, &drawing->line);
    dgm_heat_map_clear(env, &drawing->map);
    dgm_release(env, drawing->wanted);
}

dgm_status dgm_draw_attention(dgm_context *context, const char *path,
                              const dgm_draw_attention_options *options, dgm_write_fn write,
                              void *user)
{
    struct drawing drawing;
    dgm_status status;

    DGM_ENTER(context);
    memset(&drawing, 0, sizeof drawing);
    drawing.env = &context->env;
    DGM_TRY(dgm_picture_begin(&drawing.picture, context, path, write, user));
    DGM_TRY(dgm_options_take(drawing.env, &drawing.options, sizeof drawing.options, options,
                             "dgm_draw_attention_options"));
    DGM_TRY(set_options(&drawing));
    DGM_TRY(dgm_lines_open(drawing.env, &drawing.lines, path));
    if (strcmp(path, "-") == 0)
        drawing.lines.path = "standard input";
    drawing.lines.limit = DGM_BUF_LIMIT;
    status = dgm_picture_end(&drawing.picture, draw_all(&drawing));
    close_all(&drawing);
    return status;
}
