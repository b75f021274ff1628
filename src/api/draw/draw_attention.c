/* draw_attention.c: maps of the weights of attention (draw/heat/heat_drawing.h). */
#include "draw/heat/heat_drawing.h"

#include <string.h>

#include "api/draw/drawing.h"
#include "base/number/number.h"

static dgm_status set_head(struct dgm_heat_drawing *drawing, const char *head)
{
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
    return dgm_fail(drawing->picture.env, DGM_USAGE,
                    "head: expected mean or a number from 0, got \"%s\"", quoted);
}

static dgm_status set_options(struct dgm_heat_drawing *drawing,
                              const dgm_draw_attention_options *chosen)
{
    static const char *const formats[] = { "text", "svg" };
    struct dgm_env *env = drawing->picture.env;

    DGM_TRY(
        dgm_options_choose(env, &drawing->picture.is_svg, "format", chosen->format, formats, 2));
    drawing->kind = -1;
    if (chosen->kind != NULL)
        DGM_TRY(dgm_options_choose(env, &drawing->kind, "kind", chosen->kind, dgm_heat_kinds,
                                   DGM_HEAT_KINDS));
    DGM_TRY(set_head(drawing, chosen->head));
    DGM_TRY(dgm_drawing_set_style(&drawing->picture, chosen->width, chosen->ascii));
    if (chosen->line < 0 || chosen->layer < 0)
        return dgm_fail(env, DGM_USAGE, "line %ld, layer %d; expected 1 or more, or 0 for all",
                        chosen->line, chosen->layer);
    if (chosen->grid && !drawing->picture.is_svg)
        return dgm_fail(env, DGM_USAGE,
                        "grid: maps stand in a grid as SVG only; expected the "
                        "format svg");
    drawing->line = chosen->line;
    drawing->layer = chosen->layer;
    drawing->pieces = chosen->pieces;
    drawing->grid = chosen->grid;
    return DGM_OK;
}

dgm_status dgm_draw_attention(dgm_context *context, const char *path,
                              const dgm_draw_attention_options *options, dgm_write_fn write,
                              void *user)
{
    struct dgm_heat_drawing drawing = { 0 };
    dgm_draw_attention_options chosen;

    DGM_ENTER(context);
    DGM_TRY(dgm_drawing_begin(&drawing.picture, context, path, write, user));
    DGM_TRY(dgm_options_take(&context->env, &chosen, sizeof chosen, options,
                             "dgm_draw_attention_options"));
    DGM_TRY(set_options(&drawing, &chosen));
    return dgm_heat_drawing_run(&drawing, path);
}
