/* weight_file.c: what each sentence pair of a text counts. */
#include "data/text/weight_file.h"

#include "base/number/number.h"

dgm_status dgm_weight_file_open(struct dgm_env *env, struct dgm_side_file *file, const char *path)
{
    return dgm_side_file_open(env, file, path, "weights");
}

dgm_status dgm_weight_file_next(struct dgm_env *env, struct dgm_side_file *file, const char *text,
                                long number, float *weight)
{
    const struct dgm_buf *line = &file->lines.line;
    char quoted[DGM_QUOTE_SIZE];
    double value;

    *weight = 1;
    if (file->path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_side_file_next(env, file, text, number));
    if (line->size == 0 || !dgm_number_real(&value, line->data, line->size) ||
        !(value >= DGM_WEIGHT_LEAST && value <= DGM_WEIGHT_MOST)) {
        dgm_quote(quoted, sizeof quoted, line->size > 0 ? line->data : "", line->size);
        return dgm_fail_at(env, DGM_DATA, file->path, number, 0,
                           "weight \"%s\"; expected a number from 1e-6 to 1e6", quoted);
    }
    *weight = (float)value;
    return DGM_OK;
}
