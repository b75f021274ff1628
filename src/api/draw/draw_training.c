/* draw_training.c: curves of runs of training (draw/training/training_drawing.h). */
#include "draw/training/training_drawing.h"

#include "api/draw/drawing.h"

enum { MOST_SMOOTH = 1000000 };

static dgm_status set_options(struct dgm_training_drawing *drawing,
                              const dgm_draw_training_options *chosen)
{
    static const char *const formats[] = { "text", "svg" };
    struct dgm_env *env = drawing->picture.env;
    int axis;

    DGM_TRY(
        dgm_options_choose(env, &drawing->picture.is_svg, "format", chosen->format, formats, 2));
    DGM_TRY(dgm_options_choose(env, &axis, "x", chosen->x, dgm_training_axes, DGM_TRAINING_AXES));
    DGM_TRY(dgm_drawing_set_style(&drawing->picture, chosen->width, 0));
    DGM_TRY(dgm_range_int(env, "dgm_draw_training_options.smooth", chosen->smooth, 0, MOST_SMOOTH));
    drawing->training.axis = (enum dgm_training_axis)axis;
    drawing->metrics = chosen->metrics;
    drawing->title = chosen->title;
    drawing->smooth = chosen->smooth;
    return DGM_OK;
}

static dgm_status check_runs(struct dgm_env *env, const char *const *runs, size_t count)
{
    if (count == 0 || count > DGM_TRAINING_MOST_RUNS)
        return dgm_fail(env, DGM_USAGE, "%zu runs; expected 1..%d", count, DGM_TRAINING_MOST_RUNS);
    for (size_t i = 0; i < count; i++)
        DGM_TRY(dgm_argument_check(env, runs[i], "runs"));
    return DGM_OK;
}

dgm_status dgm_draw_training(dgm_context *context, const char *const *runs, size_t count,
                             const dgm_draw_training_options *options, dgm_write_fn write,
                             void *user)
{
    struct dgm_training_drawing drawing = { 0 };
    dgm_draw_training_options chosen;

    DGM_ENTER(context);
    DGM_TRY(dgm_drawing_begin(&drawing.picture, context, runs != NULL ? "" : NULL, write, user));
    DGM_TRY(dgm_options_take(&context->env, &chosen, sizeof chosen, options,
                             "dgm_draw_training_options"));
    DGM_TRY(set_options(&drawing, &chosen));
    DGM_TRY(check_runs(&context->env, runs, count));
    return dgm_training_drawing_run(&drawing, runs, count);
}
