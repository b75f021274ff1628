/* drawing.c: the arguments that all calls that draw share. */
#include "api/draw/drawing.h"

enum { DEFAULT_WIDTH = 100 };

dgm_status dgm_drawing_begin(struct dgm_picture *picture, dgm_context *context, const char *path,
                             dgm_write_fn write, void *user)
{
    picture->env = &context->env;
    picture->write = write;
    picture->user = user;
    DGM_TRY(dgm_argument_check(picture->env, path, "path"));
    return dgm_write_check(picture->env, write);
}

dgm_status dgm_drawing_set_style(struct dgm_picture *picture, int width, int ascii)
{
    struct dgm_tree_picture_style *style = &picture->draw.style;

    style->ascii = ascii;
    style->width = width != 0 ? width : DEFAULT_WIDTH;
    if (style->width < DGM_TREE_PICTURE_MIN_WIDTH || style->width > DGM_TREE_PICTURE_MAX_WIDTH)
        return dgm_fail(picture->env, DGM_USAGE, "width %d; expected %d..%d", width,
                        DGM_TREE_PICTURE_MIN_WIDTH, DGM_TREE_PICTURE_MAX_WIDTH);
    return DGM_OK;
}
