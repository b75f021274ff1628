/*
 * translated_document.c: a document whose segments are lines of a translator.
 */
#include "api/translate/translated_document.h"

#include "base/file/report.h"
#include "text/document/document.h"

/* Segments that are translated together. */
enum { SEGMENTS = 1000 };

struct job {
    struct dgm_env *env;
    dgm_translator *translator;
    struct dgm_document_parts document;
    struct dgm_buf out;
    dgm_write_fn write;
    void *user;
};

static dgm_status write_out(struct job *job)
{
    dgm_status status = DGM_OK;

    if (job->out.size > 0)
        status = dgm_report_write(job->env, job->write, job->user, &job->out);
    dgm_buf_reset(&job->out);
    return status;
}

/* A segment without a translation is its own. */
static dgm_status put(struct job *job, size_t line)
{
    struct dgm_document_parts *document = &job->document;
    const struct dgm_segment *segment = &document->segments[document->next];
    const char *text = dgm_segment_text(document, segment);
    size_t bytes = segment->text_bytes, count;

    DGM_TRY(dgm_translator_count(job->translator, line, &count));
    if (count > 0)
        DGM_TRY(dgm_translator_result(job->translator, line, 0, &text, &bytes, NULL, NULL));
    return dgm_document_put(job->env, document, text, bytes, &job->out);
}

static dgm_status translate_some(struct job *job, size_t end)
{
    struct dgm_document_parts *document = &job->document;
    size_t lines;

    for (size_t i = document->next; i < end; i++)
        DGM_TRY(dgm_translator_add(job->translator,
                                   dgm_segment_text(document, &document->segments[i]),
                                   document->segments[i].text_bytes));
    DGM_TRY(dgm_translator_run(job->translator, &lines));
    for (size_t line = 0; line < lines; line++)
        DGM_TRY(put(job, line));
    return write_out(job);
}

static dgm_status translate_all(struct job *job)
{
    struct dgm_document_parts *document = &job->document;

    while (document->next < document->count) {
        const size_t left = document->count - document->next;

        DGM_TRY(translate_some(job, document->next + (left < SEGMENTS ? left : SEGMENTS)));
    }
    DGM_TRY(dgm_document_finish(job->env, document, &job->out));
    if (document->lost > 0)
        dgm_log(job->env, DGM_LOG_WARNING,
                "%zu of %zu segments of the document stay as they are: their translations had lost "
                "markup",
                document->lost, document->count);
    return write_out(job);
}

dgm_status dgm_translated_document(struct dgm_env *env, dgm_translator *translator,
                                   const char *format, const char *bytes, size_t size,
                                   dgm_write_fn write, void *user)
{
    struct job job = { .env = env, .translator = translator, .write = write, .user = user };
    dgm_status status = dgm_document_read(env, &job.document, format, bytes, size);

    if (status == DGM_OK)
        status = translate_all(&job);
    dgm_document_clear(env, &job.document);
    dgm_buf_clear(env, &job.out);
    return status;
}
