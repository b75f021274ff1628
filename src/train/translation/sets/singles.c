/* singles.c: counts sentences in the first lines of the source. */
#include "train/translation/sets/singles.h"

#include <string.h>

#include "base/file/file.h"
#include "base/lines/lines.h"
#include "text/sentence/sentence.h"

enum { LINES = 2000 /* of each text that are looked at */ };

/* Of lines that are not blank. */
struct counts {
    long all, several;
};

static void count_line(struct counts *counts, const char *language, const struct dgm_buf *line)
{
    const char *tab = line->size > 0 ? memchr(line->data, '\t', line->size) : NULL;
    const size_t bytes = tab != NULL ? (size_t)(tab - line->data) : line->size;
    struct dgm_sentence_walk walk;
    struct dgm_sentence_span span;
    int sentences = 0;

    dgm_sentence_walk_begin(&walk, language, line->data, bytes);
    while (sentences < 2 && dgm_sentence_walk_next(&walk, &span))
        sentences++;
    counts->all += sentences > 0;
    counts->several += sentences > 1;
}

static dgm_status count_file(struct dgm_env *env, struct counts *counts, const char *language,
                             const char *path)
{
    struct dgm_lines lines;
    dgm_status status;
    int more = 1;

    DGM_TRY(dgm_lines_open(env, &lines, path));
    for (int i = 0; i < LINES; i++) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (!more)
            break;
        count_line(counts, language, &lines.line);
    }
out:
    dgm_lines_close(env, &lines);
    return status;
}

dgm_status dgm_sets_are_singles(const struct dgm_run *run, const struct dgm_sets *sets, int *are)
{
    const char *language = sets->model->pipeline.language[DGM_SOURCE];
    struct counts counts = { 0, 0 };
    dgm_status status = DGM_OK;

    *are = 0;
    for (size_t i = 0; i < sets->texts.count && status == DGM_OK; i++) {
        const char *path = sets->texts.items[i].path[DGM_SOURCE];

        if (dgm_file_is_stream(run->env, path))
            return DGM_OK;
        status = count_file(run->env, &counts, language, path);
    }
    if (status == DGM_MEMORY || status == DGM_INTERRUPTED)
        return status;
    if (status != DGM_OK)
        dgm_env_clear_error(run->env); /* who reads it for good has told */
    *are = status == DGM_OK && counts.all > 0 && counts.several * 10 < counts.all;
    return DGM_OK;
}
