/* draw_tree.c: pictures of the trees of a CoNLL-U file (draw/tree/tree_drawing.h). */
#include "draw/tree/tree_drawing.h"

#include <string.h>

#include "api/draw/drawing.h"

enum { LEAST_PAGE = 300 };

static dgm_status set_options(struct dgm_tree_drawing *drawing, const dgm_draw_options *chosen)
{
    struct dgm_env *env = drawing->picture.env;
    char quoted[DGM_QUOTE_SIZE];
    drawing->picture.is_svg = chosen->format != NULL && strcmp(chosen->format, "svg") == 0;
    if (chosen->format != NULL && !drawing->picture.is_svg && strcmp(chosen->format, "text") != 0) {
        dgm_quote(quoted, sizeof quoted, chosen->format, strlen(chosen->format));
        return dgm_fail(env, DGM_USAGE, "format: expected one of svg, text, got \"%s\"", quoted);
    }
    DGM_TRY(dgm_drawing_set_style(&drawing->picture, chosen->width, chosen->ascii));
    if (chosen->sentence < 0)
        return dgm_fail(env, DGM_USAGE, "sentence %ld; expected 1 or more, or 0 for all",
                        chosen->sentence);
    if (chosen->page > 0 && chosen->page < LEAST_PAGE)
        return dgm_fail(env, DGM_USAGE, "page %d; expected %d pixels or more", chosen->page,
                        LEAST_PAGE);
    drawing->sentence = chosen->sentence;
    drawing->compare = chosen->compare;
    drawing->picture.draw.style.page = chosen->page;
    drawing->picture.draw.style.tags = !chosen->no_tags;
    return DGM_OK;
}

dgm_status dgm_draw_trees(dgm_context *context, const char *path, const dgm_draw_options *options,
                          dgm_write_fn write, void *user)
{
    struct dgm_tree_drawing drawing = { 0 };
    dgm_draw_options chosen;

    DGM_ENTER(context);
    DGM_TRY(dgm_drawing_begin(&drawing.picture, context, path, write, user));
    DGM_TRY(dgm_options_take(&context->env, &chosen, sizeof chosen, options, "dgm_draw_options"));
    DGM_TRY(set_options(&drawing, &chosen));
    return dgm_tree_drawing_run(&drawing, path);
}
