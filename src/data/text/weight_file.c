/* weight_file.c: what each sentence pair of a text counts. */
#include "data/text/weight_file.h"

#include <string.h>

#include "base/number/number.h"

dgm_status dgm_weight_file_open(struct dgm_env *env, struct dgm_weight_file *file,
                                const char *path)
{
    memset(file, 0, sizeof *file);
    if (path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_lines_open(env, &file->lines, path));
    file->path = path;
    return DGM_OK;
}

dgm_status dgm_weight_file_next(struct dgm_env *env, struct dgm_weight_file *file,
                                const char *text, long number, float *weight)
{
    const struct dgm_buf *line = &file->lines.line;
    char quoted[DGM_QUOTE_SIZE];
    double value;
    int more;

    *weight = 1;
    if (file->path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_lines_next(env, &file->lines, &more));
    if (!more)
        return dgm_fail_at(env, DGM_DATA, file->path, 0, 0,
                           "%ld weights; expected one for each line of %s, also for line %ld "
                           "[E_ALIGN]",
                           number - 1, text, number);
    if (line->size == 0 || !dgm_number_real(&value, line->data, line->size) ||
        !(value >= DGM_WEIGHT_LEAST && value <= DGM_WEIGHT_MOST)) {
        dgm_quote(quoted, sizeof quoted, line->size > 0 ? line->data : "", line->size);
        return dgm_fail_at(env, DGM_DATA, file->path, number, 0,
                           "weight \"%s\"; expected a number from 1e-6 to 1e6", quoted);
    }
    *weight = (float)value;
    return DGM_OK;
}

dgm_status dgm_weight_file_check_end(struct dgm_env *env, struct dgm_weight_file *file,
                                     const char *text, long lines)
{
    int more;

    if (file->path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_lines_next(env, &file->lines, &more));
    if (!more)
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, file->path, lines + 1, 0,
                       "more weights than the %ld lines of %s [E_ALIGN]", lines, text);
}

void dgm_weight_file_close(struct dgm_env *env, struct dgm_weight_file *file)
{
    if (file->path != NULL)
        dgm_lines_close(env, &file->lines);
    memset(file, 0, sizeof *file);
}
