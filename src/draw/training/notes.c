/* notes.c: a panel in words. */
#include "draw/training/notes.h"

#include <math.h>

enum { NAMED = 4, DIGITS = 4 /* of a value */ };

/* What stands before a note, unless it is the first. */
static const char *between(const struct dgm_buf *out, size_t begun)
{
    return out->size > begun ? "; " : "";
}

static dgm_status add_place(struct dgm_env *env, struct dgm_buf *out,
                            const struct dgm_chart_point *point)
{
    DGM_TRY(dgm_buf_add_real(env, out, point->y, DIGITS));
    DGM_TRY(dgm_buf_add_text(env, out, " at "));
    if (point->x >= 100)
        return dgm_buf_add_format(env, out, "%lld", (long long)(point->x + 0.5));
    return dgm_buf_add_real(env, out, point->x, 3);
}

/* "best: plain 41.46 at 5400, relative 42.1 at 6000"; of many runs, or in short, only their places
 * are marked. */
static dgm_status add_best(struct dgm_env *env, struct dgm_buf *out,
                           const struct dgm_training *training,
                           const struct dgm_training_panel *panel, int is_short)
{
    int any = 0, named = !is_short && training->runs <= NAMED;
    size_t run;

    for (run = 0; run < training->runs && named; run++) {
        const struct dgm_chart_point *best = dgm_training_best(panel, run);
        if (best == NULL)
            continue;
        DGM_TRY(dgm_buf_add_text(env, out, any++ ? ", " : "best "));
        if (training->runs > 1)
            DGM_TRY(dgm_buf_add_format(env, out, "%s ", dgm_chart_name(&panel->raw, run)));
        DGM_TRY(add_place(env, out, best));
    }
    if (panel->kind.better != 0 && !named)
        return dgm_buf_add_text(env, out, "best: circled");
    return DGM_OK;
}

dgm_status dgm_training_notes(struct dgm_env *env, struct dgm_buf *out,
                              const struct dgm_training *training,
                              const struct dgm_training_panel *panel, long beyond, int is_short)
{
    size_t begun = out->size;

    DGM_TRY(add_best(env, out, training, panel, is_short));
    if (panel->is_smoothed)
        DGM_TRY(dgm_buf_add_format(env, out, "%smean of about %ld lines", between(out, begun),
                                   training->smooth));
    if (beyond > 0)
        DGM_TRY(dgm_buf_add_format(env, out, "%s%ld beyond the axis", between(out, begun), beyond));
    if (panel->not_finite > 0)
        DGM_TRY(dgm_buf_add_format(env, out, "%s%ld not finite", between(out, begun),
                                   panel->not_finite));
    return DGM_OK;
}

/* The first or the last finite point. */
static const struct dgm_chart_point *end_of(const struct dgm_chart_series *series, int last)
{
    size_t i;

    for (i = 0; i < series->count; i++) {
        const struct dgm_chart_point *point = &series->points[last ? series->count - 1 - i : i];
        if (isfinite(point->y))
            return point;
    }
    return NULL;
}

static dgm_status describe_run(struct dgm_env *env, struct dgm_buf *out,
                               const struct dgm_training_panel *panel, size_t run)
{
    const struct dgm_chart_point *first = end_of(&panel->shown.series[run], 0);
    const struct dgm_chart_point *best = dgm_training_best(panel, run);

    if (first == NULL)
        return DGM_OK;
    DGM_TRY(dgm_buf_add_format(env, out, " %s: first ", dgm_chart_name(&panel->raw, run)));
    DGM_TRY(add_place(env, out, first));
    DGM_TRY(dgm_buf_add_text(env, out, ", last "));
    DGM_TRY(add_place(env, out, end_of(&panel->shown.series[run], 1)));
    if (best != NULL) {
        DGM_TRY(dgm_buf_add_text(env, out, ", best "));
        DGM_TRY(add_place(env, out, best));
    }
    return dgm_buf_add_char(env, out, '.');
}

dgm_status dgm_training_describe(struct dgm_env *env, struct dgm_buf *out,
                                 const struct dgm_training *training)
{
    size_t p, run;

    DGM_TRY(
        dgm_buf_add_format(env, out, "Curves over %s.", dgm_training_axis_texts[training->axis]));
    for (p = 0; p < training->panel_count; p++) {
        const struct dgm_training_panel *panel = &training->panels[p];
        DGM_TRY(dgm_buf_add_format(env, out, " %s.", panel->kind.text));
        for (run = 0; run < training->runs; run++)
            DGM_TRY(describe_run(env, out, panel, run));
    }
    return DGM_OK;
}
