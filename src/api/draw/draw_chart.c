/* draw_chart.c: a chart of the columns of a CSV file (draw/chart/chart_drawing.h). */
#include "draw/chart/chart_drawing.h"

#include <string.h>

#include "api/draw/drawing.h"
#include "base/number/number.h"
#include "draw/chart/ticks.h"

static dgm_status set_from(struct dgm_chart_drawing *drawing, const char *from)
{
    char quoted[DGM_QUOTE_SIZE];

    if (from == NULL)
        return DGM_OK;
    drawing->chart.has_from = 1;
    if (dgm_number_real(&drawing->chart.from, from, strlen(from)) &&
        drawing->chart.from >= -DGM_TICKS_LIMIT && drawing->chart.from <= DGM_TICKS_LIMIT)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, from, strlen(from));
    return dgm_fail(drawing->picture.env, DGM_USAGE,
                    "from: expected a number within -1e100..1e100, got \"%s\"", quoted);
}

static dgm_status set_options(struct dgm_chart_drawing *drawing,
                              const dgm_draw_chart_options *chosen)
{
    static const char *const formats[] = { "text", "svg" };
    static const char *const types[] = { "bars", "lines" };
    struct dgm_env *env = drawing->picture.env;
    int type;

    DGM_TRY(
        dgm_options_choose(env, &drawing->picture.is_svg, "format", chosen->format, formats, 2));
    DGM_TRY(dgm_options_choose(env, &type, "type", chosen->type, types, 2));
    drawing->chart.type = type == 0 ? DGM_CHART_BARS : DGM_CHART_LINES;
    DGM_TRY(dgm_drawing_set_style(&drawing->picture, chosen->width, chosen->ascii));
    DGM_TRY(set_from(drawing, chosen->from));
    DGM_TRY(dgm_argument_check(env, chosen->x, "dgm_draw_chart_options.x"));
    DGM_TRY(dgm_argument_check(env, chosen->y, "dgm_draw_chart_options.y"));
    drawing->wishes = *chosen;
    return DGM_OK;
}

dgm_status dgm_draw_chart(dgm_context *context, const char *path,
                          const dgm_draw_chart_options *options, dgm_write_fn write, void *user)
{
    struct dgm_chart_drawing drawing = { 0 };
    dgm_draw_chart_options chosen;

    DGM_ENTER(context);
    DGM_TRY(dgm_drawing_begin(&drawing.picture, context, path, write, user));
    DGM_TRY(
        dgm_options_take(&context->env, &chosen, sizeof chosen, options, "dgm_draw_chart_options"));
    DGM_TRY(set_options(&drawing, &chosen));
    return dgm_chart_drawing_run(&drawing, path);
}
