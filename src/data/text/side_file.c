/* side_file.c: reading a file beside a text, line by line with it. */
#include "data/text/side_file.h"

#include <string.h>

dgm_status dgm_side_file_open(struct dgm_env *env, struct dgm_side_file *file, const char *path,
                              const char *what)
{
    memset(file, 0, sizeof *file);
    if (path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_lines_open(env, &file->lines, path));
    file->path = path;
    file->what = what;
    return DGM_OK;
}

dgm_status dgm_side_file_next(struct dgm_env *env, struct dgm_side_file *file, const char *text,
                              long number)
{
    int more;

    if (file->path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_lines_next(env, &file->lines, &more));
    if (more)
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, file->path, 0, 0,
                       "%ld %s; expected one for each line of %s, also for line %ld [E_ALIGN]",
                       number - 1, file->what, text, number);
}

dgm_status dgm_side_file_check_end(struct dgm_env *env, struct dgm_side_file *file,
                                   const char *text, long lines)
{
    int more;

    if (file->path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_lines_next(env, &file->lines, &more));
    if (!more)
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, file->path, lines + 1, 0,
                       "more %s than the %ld lines of %s [E_ALIGN]", file->what, lines, text);
}

void dgm_side_file_close(struct dgm_env *env, struct dgm_side_file *file)
{
    if (file->path != NULL)
        dgm_lines_close(env, &file->lines);
    memset(file, 0, sizeof *file);
}
