/* picture.c: what the two calls that draw share. */
#include "api/draw/picture.h"

#include "draw/tree/tree_svg.h"

enum { DEFAULT_WIDTH = 100 };

dgm_status dgm_picture_begin(struct dgm_picture *picture, dgm_context *context, const char *path,
                             dgm_write_fn write, void *user)
{
    picture->context = context;
    picture->env = &context->env;
    picture->write = write;
    picture->user = user;
    DGM_TRY(dgm_argument_check(picture->env, path, "path"));
    return write != NULL ? DGM_OK : dgm_argument_check(picture->env, NULL, "write");
}

dgm_status dgm_picture_set_style(struct dgm_picture *picture, int width, int ascii)
{
    struct dgm_tree_picture_style *style = &picture->draw.style;

    style->ascii = ascii;
    style->width = width != 0 ? width : DEFAULT_WIDTH;
    if (style->width < DGM_TREE_PICTURE_MIN_WIDTH || style->width > DGM_TREE_PICTURE_MAX_WIDTH)
        return dgm_fail(picture->env, DGM_USAGE, "width %d; expected %d..%d", width,
                        DGM_TREE_PICTURE_MIN_WIDTH, DGM_TREE_PICTURE_MAX_WIDTH);
    return DGM_OK;
}

dgm_status dgm_picture_poll(struct dgm_picture *picture)
{
    if (dgm_flag_get(&picture->context->stop))
        return dgm_fail(picture->env, DGM_INTERRUPTED, "stopped while drawing");
    return DGM_OK;
}

dgm_status dgm_picture_flush(struct dgm_picture *picture)
{
    if (picture->is_svg || picture->out.size == 0)
        return DGM_OK;
    DGM_TRY(dgm_report_write(picture->env, picture->write, picture->user, &picture->out));
    dgm_buf_reset(&picture->out);
    return DGM_OK;
}

static dgm_status write_svg(struct dgm_picture *picture)
{
    struct dgm_env *env = picture->env;
    struct dgm_buf file = { NULL, 0, 0, 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_tree_svg_file(env, &picture->draw, &file, &picture->out));
    status = dgm_report_write(env, picture->write, picture->user, &file);
out:
    dgm_buf_clear(env, &file);
    return status;
}

dgm_status dgm_picture_end(struct dgm_picture *picture, dgm_status status)
{
    if (status == DGM_OK && picture->is_svg)
        status = write_svg(picture);
    dgm_tree_picture_clear(picture->env, &picture->draw);
    dgm_buf_clear(picture->env, &picture->out);
    return status;
}
