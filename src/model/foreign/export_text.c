/*
 * export_text.c: files of an export's folder: whole ones, and vocabularies as JSON.
 */
#include <stdio.h>
#include <string.h>

#include "base/option/settings.h"
#include "model/foreign/export.h"
#include "text/json_text.h"

dgm_status dgm_export_open(const struct dgm_export *job, struct dgm_writer *writer,
                           const char *name)
{
    char path[DGM_EXPORT_PATH + 64];

    snprintf(path, sizeof path, "%s/%s", job->folder, name);
    return dgm_writer_open_own(job->env, writer, path);
}

dgm_status dgm_export_write_file(const struct dgm_export *job, const char *name, const void *bytes,
                                 size_t size)
{
    struct dgm_writer writer;
    dgm_status status;

    DGM_TRY(dgm_export_open(job, &writer, name));
    DGM_TRY_OUT(dgm_writer_add(job->env, &writer, bytes, size));
    return dgm_writer_close(job->env, &writer);
out:
    dgm_writer_abandon(job->env, &writer);
    return status;
}

const char *dgm_export_option(const struct dgm_export *job, const char *name)
{
    return dgm_settings_text(&job->model.settings, name);
}

static dgm_status add_token(const struct dgm_export *job, struct dgm_buf *text,
                            const struct dgm_vocab *vocab, uint32_t number, int is_map)
{
    size_t bytes;
    const char *token = dgm_vocab_token(vocab, number, &bytes);

    DGM_TRY(dgm_buf_add_text(job->env, text, number == 0 ? "  " : ",\n  "));
    DGM_TRY(dgm_json_text_quote(job->env, text, token, bytes));
    return is_map ? dgm_buf_add_format(job->env, text, ": %lu", (unsigned long)number) : DGM_OK;
}

dgm_status dgm_export_write_vocab(const struct dgm_export *job, const char *name, int side,
                                  int is_map)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(&job->model.pipeline, side);
    struct dgm_buf text = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_buf_add_text(job->env, &text, is_map ? "{\n" : "[\n"));
    for (uint32_t i = 0; i < dgm_vocab_size(vocab); i++)
        DGM_TRY_OUT(add_token(job, &text, vocab, i, is_map));
    DGM_TRY_OUT(dgm_buf_add_text(job->env, &text, is_map ? "\n}\n" : "\n]\n"));
    DGM_TRY_OUT(dgm_export_write_file(job, name, text.data, text.size));
out:
    dgm_buf_clear(job->env, &text);
    return status;
}
