/* chart_text.c: a chart in characters: title, legend, and what stands between. */
#include "draw/chart/chart_text.h"

#include <string.h>

#include "text/unicode/utf8.h"
#include "text/unicode/width.h"

enum { ROWS = 17 /* of a grid */ };

int32_t dgm_chart_text_columns(const char *text)
{
    size_t left = strlen(text);
    int32_t columns = 0;

    while (left > 0) {
        uint32_t code;
        size_t used = dgm_utf8_decode(&code, text, left);
        columns += dgm_width_of(code);
        text += used;
        left -= used;
    }
    return columns;
}

char dgm_chart_text_mark(size_t series)
{
    static const char marks[] = "ox+*#@%&=~";

    return marks[series % (sizeof marks - 1)];
}

static dgm_status add_legend(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_chart *chart, int32_t width)
{
    int32_t at = 0;
    size_t s;

    for (s = 0; s < chart->names.count; s++) {
        const char *name = dgm_chart_name(chart, s);
        int32_t columns = dgm_chart_text_columns(name) + 5;
        if (at > 0 && at + columns > width) {
            DGM_TRY(dgm_buf_add_char(env, out, '\n'));
            at = 0;
        }
        DGM_TRY(dgm_buf_add_format(env, out, "%s%c %s", at > 0 ? "   " : "", dgm_chart_text_mark(s),
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
        return dgm_chart_text_bars(env, out, chart, width, ascii);
    if (chart->names.count > 1)
        DGM_TRY(add_legend(env, out, chart, width));
    return dgm_chart_text_lines(env, out, chart, width, ROWS);
}
