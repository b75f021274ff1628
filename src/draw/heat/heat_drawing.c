/*
 * heat_drawing.c: maps of the weights that `translate --attention` has written.
 *
 * The file has a line of JSON for each line of text (doc/attention.md), and one of them is in
 * memory at a time. Maps as text are handed over line by line. SVG begins with the size of the
 * whole picture, so all of it is kept until the end.
 */
#include "draw/heat/heat_drawing.h"

#include <string.h>

#include "base/mem.h"
#include "draw/heat/heat_grid.h"
#include "draw/heat/heat_scale.h"
#include "draw/heat/heat_svg.h"
#include "draw/heat/heat_text.h"

static int is_wanted(const struct dgm_heat_drawing *drawing, const struct dgm_heat_matrix *matrix)
{
    return (drawing->kind < 0 || drawing->kind == (int)matrix->kind) &&
           (drawing->layer == 0 || drawing->layer == matrix->layer) &&
           (drawing->head == DGM_HEAT_ANY || drawing->head == matrix->head);
}

static dgm_status draw_matrix(struct dgm_heat_drawing *drawing,
                              const struct dgm_heat_matrix *matrix)
{
    struct dgm_env *env = drawing->picture.env;
    struct dgm_picture *picture = &drawing->picture;
    const char *ellipsis = drawing->picture.draw.style.ascii && !picture->is_svg ? "..." : "…";

    DGM_TRY(
        dgm_heat_map_make(env, &drawing->map, &drawing->read, matrix, drawing->pieces, ellipsis));
    return (picture->is_svg ? dgm_heat_svg : dgm_heat_text)(env, &picture->draw, &picture->out,
                                                            &drawing->map);
}

static dgm_status find_wanted(struct dgm_heat_drawing *drawing)
{
    size_t i;

    drawing->wanted_count = 0;
    for (i = 0; i < drawing->read.matrix_count; i++) {
        if (!is_wanted(drawing, &drawing->read.matrices[i]))
            continue;
        DGM_TRY(dgm_grow(drawing->picture.env, &drawing->wanted, &drawing->wanted_capacity,
                         drawing->wanted_count, sizeof *drawing->wanted));
        drawing->wanted[drawing->wanted_count++] = i;
    }
    return DGM_OK;
}

static dgm_status draw_grids(struct dgm_heat_drawing *drawing)
{
    struct dgm_picture *picture = &drawing->picture;
    int kind;

    for (kind = 0; kind < DGM_HEAT_KINDS; kind++)
        DGM_TRY(dgm_heat_grid(drawing->picture.env, &picture->draw, &picture->out, &drawing->map,
                              &drawing->read, (enum dgm_heat_kind)kind, drawing->wanted,
                              drawing->wanted_count, drawing->pieces));
    return DGM_OK;
}

static dgm_status draw_line(struct dgm_heat_drawing *drawing)
{
    size_t i;

    DGM_TRY(find_wanted(drawing));
    if (drawing->grid)
        return draw_grids(drawing);
    for (i = 0; i < drawing->wanted_count; i++)
        DGM_TRY(draw_matrix(drawing, &drawing->read.matrices[drawing->wanted[i]]));
    return dgm_picture_flush(&drawing->picture);
}

static dgm_status draw_all(struct dgm_heat_drawing *drawing)
{
    struct dgm_env *env = drawing->picture.env;
    struct dgm_lines *lines = &drawing->lines;
    long wanted = drawing->line;
    int more;

    for (;;) {
        DGM_TRY(dgm_picture_poll(&drawing->picture));
        DGM_TRY(dgm_lines_next(env, lines, &more));
        if (!more)
            break;
        DGM_TRY(dgm_heat_line_read(env, &drawing->read, lines->path, lines->number,
                                   lines->line.data, lines->line.size));
        if (wanted == 0 || wanted == drawing->read.line)
            DGM_TRY(draw_line(drawing));
        if (wanted > 0 && wanted == drawing->read.line)
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

static void close_all(struct dgm_heat_drawing *drawing)
{
    struct dgm_env *env = drawing->picture.env;

    dgm_lines_close(env, &drawing->lines);
    dgm_heat_line_clear(env, &drawing->read);
    dgm_heat_map_clear(env, &drawing->map);
    dgm_release(env, drawing->wanted);
}

dgm_status dgm_heat_drawing_run(struct dgm_heat_drawing *drawing, const char *path)
{
    dgm_status status;

    drawing->picture.draw.title = "Attention weights";
    drawing->picture.draw.description =
        "Each row is a distribution over the columns; the stronger the colour of a cell, "
        "the greater its weight.";
    DGM_TRY(dgm_lines_open(drawing->picture.env, &drawing->lines, path));
    drawing->lines.path = dgm_lines_name(path);
    drawing->lines.limit = DGM_BUF_LIMIT;
    status = dgm_picture_end(&drawing->picture, draw_all(drawing));
    close_all(drawing);
    return status;
}
