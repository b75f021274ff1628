/* training_text.c: curves of training in characters. */
#include "draw/training/training_text.h"

#include "draw/chart/text/lines_text.h"
#include "draw/training/notes.h"

enum { ROWS = 10, ROWS_ALONE = 17 };

static dgm_status add_legend(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_training *training)
{
    size_t run;

    if (training->title != NULL)
        DGM_TRY(dgm_buf_add_format(env, out, "%s\n", training->title));
    for (run = 0; run < training->runs; run++)
        DGM_TRY(dgm_buf_add_format(env, out, "%c %s\n", dgm_lines_text_mark(run),
                                   dgm_chart_name(&training->panels[0].raw, run)));
    return DGM_OK;
}

static dgm_status add_panel(struct dgm_env *env, struct dgm_buf *out,
                            const struct dgm_training *training, struct dgm_training_panel *panel,
                            int32_t width)
{
    size_t begun;

    DGM_TRY(dgm_buf_add_format(env, out, "\n%s", panel->kind.text));
    begun = out->size;
    DGM_TRY(dgm_buf_add_text(env, out, "  ["));
    DGM_TRY(dgm_training_notes(env, out, training, panel, 0, 0));
    if (out->size == begun + 3)
        out->size = begun;
    else
        DGM_TRY(dgm_buf_add_char(env, out, ']'));
    DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    panel->shown.left = training->left;
    panel->shown.right = training->right;
    return dgm_lines_text(env, out, &panel->shown, width,
                          training->panel_count == 1 ? ROWS_ALONE : ROWS);
}

dgm_status dgm_training_text(struct dgm_env *env, struct dgm_buf *out,
                             struct dgm_training *training, int32_t width)
{
    size_t p;

    DGM_TRY(add_legend(env, out, training));
    for (p = 0; p < training->panel_count; p++)
        DGM_TRY(add_panel(env, out, training, &training->panels[p], width));
    return dgm_buf_add_format(env, out, "over %s\n", dgm_training_axis_texts[training->axis]);
}
