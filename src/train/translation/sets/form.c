/* form.c: counts lines of training text by how they write letters with accents. */
#include "train/translation/sets/form.h"

#include <string.h>

#include "base/file/file.h"
#include "base/lines/lines.h"
#include "data/text/text_list.h"
#include "text/unicode/form_counts.h"
#include "train/translation/sets/sets.h"

/* Both sides of a line of a file of both: counts has two. */
static void count_both(struct dgm_form_counts *counts, const struct dgm_buf *line)
{
    const char *tab = memchr(line->data, '\t', line->size);
    const size_t bytes = tab != NULL ? (size_t)(tab - line->data) : line->size;

    dgm_form_counts_add(&counts[DGM_SOURCE], line->data, bytes);
    if (tab != NULL)
        dgm_form_counts_add(&counts[DGM_TARGET], tab + 1, line->size - bytes - 1);
}

static dgm_status count_file(struct dgm_env *env, struct dgm_form_counts *counts, const char *path,
                             int has_both)
{
    struct dgm_lines lines;
    dgm_status status;
    int more;

    DGM_TRY(dgm_lines_open(env, &lines, path));
    for (;;) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (!more)
            break;
        if (has_both)
            count_both(counts, &lines.line);
        else
            dgm_form_counts_add(counts, lines.line.data, lines.line.size);
    }
out:
    dgm_lines_close(env, &lines);
    return status;
}

static dgm_status count_text(struct dgm_env *env, struct dgm_form_counts counts[2],
                             const struct dgm_text *text)
{
    const int has_both = text->path[DGM_TARGET] == NULL;

    for (int side = DGM_SOURCE; side <= (has_both ? DGM_SOURCE : DGM_TARGET); side++)
        if (!dgm_file_is_stream(env, text->path[side]))
            DGM_TRY(count_file(env, &counts[side], text->path[side], has_both));
    return DGM_OK;
}

static dgm_status name_texts(struct dgm_env *env, struct dgm_text_list *texts,
                             const struct dgm_settings *settings)
{
    const int is_tsv = dgm_settings_flag(settings, "tsv");
    const char *list = dgm_settings_text(settings, "train-list");
    const size_t count = dgm_settings_count(settings, "train-sets"), files = is_tsv ? 1 : 2;

    if (list != NULL)
        return dgm_text_list_read(env, texts, list, is_tsv);
    for (size_t i = 0; i + files <= count; i += files)
        DGM_TRY(
            dgm_text_list_add(env, texts, dgm_settings_item(settings, "train-sets", i),
                              is_tsv ? NULL : dgm_settings_item(settings, "train-sets", i + 1)));
    return DGM_OK;
}

static dgm_status count_all(struct dgm_env *env, struct dgm_form_counts counts[2],
                            const struct dgm_settings *settings)
{
    struct dgm_text_list texts = { 0 };
    dgm_status status = name_texts(env, &texts, settings);

    for (size_t i = 0; i < texts.count && status == DGM_OK; i++)
        status = count_text(env, counts, &texts.items[i]);
    dgm_text_list_clear(env, &texts);
    return status;
}

/* What is wrong with a file is told by who reads it for good, with the place. */
static dgm_status forgive(struct dgm_env *env, dgm_status status)
{
    if (status == DGM_MEMORY)
        return status;
    dgm_env_clear_error(env);
    return DGM_OK;
}

dgm_status dgm_sets_form_settle(struct dgm_env *env, struct dgm_settings *own)
{
    struct dgm_form_counts counts[2] = { { 0, 0 }, { 0, 0 } };
    dgm_status status;

    if (!dgm_sets_are_named(own) || strcmp(dgm_settings_text(own, "unicode"), "auto") != 0 ||
        strcmp(dgm_settings_text(own, "tokenize"), "spm") == 0 ||
        (dgm_settings_text(own, "init") != NULL && !dgm_settings_flag(own, "init-partial")))
        return DGM_OK;
    status = count_all(env, counts, own);
    if (status != DGM_OK)
        return forgive(env, status);
    if (!dgm_form_counts_are_mixed(&counts[DGM_SOURCE]) &&
        !dgm_form_counts_are_mixed(&counts[DGM_TARGET]))
        return DGM_OK;
    dgm_log(env, DGM_LOG_NOTE,
            "training text: letters with accents are composed in %ld lines and decomposed in %ld; "
            "all are read composed (--unicode nfc)",
            counts[DGM_SOURCE].composed + counts[DGM_TARGET].composed,
            counts[DGM_SOURCE].decomposed + counts[DGM_TARGET].decomposed);
    return dgm_settings_set(env, own, "unicode", "nfc", "training text");
}
