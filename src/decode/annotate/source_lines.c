/* source_lines.c: the sources of translations that are parsed. */
#include "decode/annotate/source_lines.h"

#include <string.h>

dgm_status dgm_source_lines_open(struct dgm_env *env, struct dgm_source_lines *source,
                                 const char *path, const char *parsed)
{
    memset(source, 0, sizeof *source);
    if (path == NULL)
        return DGM_OK;
    source->path = path;
    source->parsed = parsed;
    if (strcmp(path, parsed) == 0)
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                           "sources and their translations are one file; expected two");
    return dgm_lines_open(env, &source->lines, path);
}

/* One file has ended and the other has not. */
static dgm_status fail_uneven(struct dgm_env *env, const struct dgm_source_lines *source,
                              const char *which)
{
    return dgm_fail_at(env, DGM_DATA, source->path, 0, 0,
                       "%s%ld lines; expected one for each sentence of %s [E_ALIGN]", which,
                       source->number, source->parsed);
}

dgm_status dgm_source_lines_next(struct dgm_env *env, struct dgm_source_lines *source)
{
    int more;

    if (source->path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_lines_next(env, &source->lines, &more));
    if (!more)
        return fail_uneven(env, source, "");
    source->number++;
    dgm_lines_warn_cut(env, &source->lines);
    return DGM_OK;
}

dgm_status dgm_source_lines_check_end(struct dgm_env *env, struct dgm_source_lines *source)
{
    int more;

    if (source->path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_lines_next(env, &source->lines, &more));
    return more ? fail_uneven(env, source, "more than ") : DGM_OK;
}

void dgm_source_lines_close(struct dgm_env *env, struct dgm_source_lines *source)
{
    if (source->path != NULL)
        dgm_lines_close(env, &source->lines);
}
