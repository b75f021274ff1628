/* picture.c: the width of text drawings, and the end of SVG drawings. */
#include "api/draw/picture.h"

enum { DEFAULT_WIDTH = 100 };

dgm_status dgm_picture_set_width(struct dgm_env *env, struct dgm_draw *draw, int width)
{
    draw->style.width = width != 0 ? width : DEFAULT_WIDTH;
    if (draw->style.width < DGM_DRAW_MIN_WIDTH || draw->style.width > DGM_DRAW_MAX_WIDTH)
        return dgm_fail(env, DGM_USAGE, "width %d; expected %d..%d", width, DGM_DRAW_MIN_WIDTH,
                        DGM_DRAW_MAX_WIDTH);
    return DGM_OK;
}

dgm_status dgm_picture_write_svg(struct dgm_env *env, const struct dgm_draw *draw,
                                 const struct dgm_buf *body, dgm_write_fn write, void *user)
{
    struct dgm_buf file = { NULL, 0, 0, 0 };
    dgm_status status = dgm_draw_svg_file(env, draw, &file, body);

    if (status == DGM_OK)
        status = dgm_report_write(env, write, user, &file);
    dgm_buf_clear(env, &file);
    return status;
}
