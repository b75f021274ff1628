/* summary.c: what `train --recipe auto` tells at its end. */
#include "cmd/recipe/summary.h"

#include <stdio.h>
#include <string.h>

#include "base/lines/lines.h"
#include "base/number/number.h"

enum { SAMPLES = 3 };

/* ---- counts ---------------------------------------------------------------------------------- */

static void note_dropped(struct dgm_recipe_counts *counts, const char *reason, int length,
                         long pairs)
{
    const size_t used = strlen(counts->dropped);

    snprintf(counts->dropped + used, sizeof counts->dropped - used, "%s%ld %.*s",
             used > 0 ? ", " : "", pairs, length, reason);
}

/* A line "reason, pairs, percent", with tabs between. */
static void note_line(struct dgm_recipe_counts *counts, const char *line)
{
    const size_t reason = strcspn(line, "\t");
    int64_t pairs = 0;

    if (line[reason] == '\0' ||
        !dgm_number_int(&pairs, line + reason + 1, strcspn(line + reason + 1, "\t")) || pairs == 0)
        return;
    if (strncmp(line, "all\t", 4) == 0)
        counts->all = (long)pairs;
    else if (strncmp(line, "kept\t", 5) == 0)
        counts->kept = (long)pairs;
    else
        note_dropped(counts, line, (int)reason, (long)pairs);
}

dgm_status dgm_recipe_counts_read(struct dgm_env *env, struct dgm_recipe_counts *counts,
                                  const char *path)
{
    struct dgm_lines lines;
    dgm_status status;
    int more = 1;

    memset(counts, 0, sizeof *counts);
    DGM_TRY(dgm_lines_open(env, &lines, path));
    do {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (more)
            note_line(counts, lines.line.data);
    } while (more);
out:
    dgm_lines_close(env, &lines);
    return status;
}

/* ---- samples --------------------------------------------------------------------------------- */

static dgm_status add_sample(struct dgm_env *env, struct dgm_buf *out, struct dgm_lines lines[3],
                             int *more)
{
    static const char *const names[3] = { "source", "reference", "translation" };

    for (int i = 0; i < 3; i++) {
        DGM_TRY(dgm_lines_next(env, &lines[i], more));
        if (!*more)
            return DGM_OK;
        DGM_TRY(dgm_buf_add_format(env, out, "%-13s", names[i]));
        DGM_TRY(dgm_buf_add(env, out, lines[i].line.data, lines[i].line.size));
        DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    }
    return DGM_OK;
}

dgm_status dgm_recipe_samples(struct dgm_env *env, struct dgm_buf *out, const char *const paths[3])
{
    struct dgm_lines lines[3];
    dgm_status status = DGM_OK;
    int opened = 0, more = 1;

    for (; opened < 3; opened++)
        DGM_TRY_OUT(dgm_lines_open(env, &lines[opened], paths[opened]));
    for (int i = 0; i < SAMPLES && more; i++)
        DGM_TRY_OUT(add_sample(env, out, lines, &more));
out:
    while (opened > 0)
        dgm_lines_close(env, &lines[--opened]);
    return status;
}
