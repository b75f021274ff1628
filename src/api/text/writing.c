/* writing.c: how a text is written: in which script, with or without blanks between words. */
#include "api/context.h"
#include "api/program.h"
#include "base/lines/lines.h"
#include "text/unicode/script.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* Lines that tell enough. */
enum { LINES = 10000 };

struct letters {
    int64_t of[DGM_SCRIPTS];
    int64_t all, unspaced;
};

static void count(struct letters *letters, const struct dgm_buf *line)
{
    uint32_t code;

    for (size_t at = 0; at < line->size;) {
        at += dgm_utf8_decode(&code, line->data + at, line->size - at);
        if (code == DGM_UTF8_BAD || dgm_script_of(code) == 0)
            continue;
        letters->of[dgm_script_of(code)]++;
        letters->unspaced += dgm_unicode_is_unspaced(code);
        letters->all++;
    }
}

static dgm_status count_all(struct dgm_env *env, struct dgm_lines *lines, struct letters *letters)
{
    int more = 1;

    while (more && lines->number < LINES) {
        DGM_TRY(dgm_lines_next(env, lines, &more));
        if (more)
            count(letters, &lines->line);
    }
    return DGM_OK;
}

dgm_status dgm_text_writing(dgm_context *context, const char *path, struct dgm_writing *writing)
{
    struct letters letters = { { 0 }, 0, 0 };
    struct dgm_lines lines;
    dgm_status status;

    DGM_ENTER(context);
    DGM_TRY(dgm_lines_open(&context->env, &lines, path));
    status = count_all(&context->env, &lines, &letters);
    dgm_lines_close(&context->env, &lines);
    writing->script = 0;
    for (int script = 1; script < DGM_SCRIPTS; script++)
        if (letters.of[script] > letters.of[writing->script])
            writing->script = script;
    writing->is_unspaced = 2 * letters.unspaced > letters.all;
    return status;
}
