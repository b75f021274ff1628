/* picture.c: what drawings of files share. */
#include "draw/picture.h"

#include "base/file/report.h"
#include "draw/tree/tree_svg.h"

dgm_status dgm_picture_poll(struct dgm_picture *picture)
{
    return dgm_poll_saying(picture->env, "stopped while drawing");
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
    dgm_status status = dgm_tree_svg_file(env, &picture->draw, &file, &picture->out);

    return dgm_report_made(env, picture->write, picture->user, &file, status);
}

dgm_status dgm_picture_end(struct dgm_picture *picture, dgm_status status)
{
    if (status == DGM_OK && picture->is_svg)
        status = write_svg(picture);
    dgm_tree_picture_clear(picture->env, &picture->draw);
    dgm_buf_clear(picture->env, &picture->out);
    return status;
}
