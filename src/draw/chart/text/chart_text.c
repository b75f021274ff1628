/* chart_text.c: a chart in characters: title, legend, and what stands between. */
#include "draw/chart/text/chart_text.h"

#include "draw/chart/text/bars_text.h"
#include "draw/chart/text/lines_text.h"
#include "text/unicode/width.h"

enum { ROWS = 17 /* of a grid */ };

static dgm_status add_legend(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_chart *chart, int32_t width)
{
    int32_t at = 0;
    size_t s;

    for (s = 0; s < chart->names.count; s++) {
        const char *name = dgm_chart_name(chart, s);
        int32_t columns = dgm_width_of_text(name) + 5;
        if (at > 0 && at + columns > width) {
            DGM_TRY(dgm_buf_add_char(env, out, '\n'));
            at = 0;
        }
        DGM_TRY(dgm_buf_add_format(env, out, "%s%c %s", at > 0 ? "   " : "", dgm_lines_text_mark(s),
                                   name));
        at += columns;
    }
    return dgm_buf_add_char(env, out, '\n');
}

/* "BLEU by system" */
static dgm_status add_labels(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_chart *chart)
{
    if (chart->title != NULL)
        DGM_TRY(dgm_buf_add_format(env, out, "%s\n", chart->title));
    DGM_TRY(dgm_buf_add_format(env, out, "%s by %s",
                               chart->y_label != NULL ? chart->y_label : "values",
                               chart->x_label != NULL ? chart->x_label : "x"));
    if (chart->has_from) {
        DGM_TRY(dgm_buf_add_text(env, out, ", from "));
        DGM_TRY(dgm_buf_add_real(env, out, chart->from, 9));
        DGM_TRY(dgm_buf_add_text(env, out, " on"));
    }
    return dgm_buf_add_text(env, out, "\n\n");
}

dgm_status dgm_chart_text(struct dgm_env *env, struct dgm_buf *out, const struct dgm_chart *chart,
                          int32_t width, int ascii)
{
    DGM_TRY(add_labels(env, out, chart));
    if (chart->type == DGM_CHART_BARS)
        return dgm_bars_text(env, out, chart, width, ascii);
    if (chart->names.count > 1)
        DGM_TRY(add_legend(env, out, chart, width));
    return dgm_lines_text(env, out, chart, width, ROWS);
}
