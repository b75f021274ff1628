/* translate_document.c: `translate --format`: a document in, a document out. */
#include "cmd/model/translate_document.h"

#include "base/lines/lines.h"

/* The bytes of a line as they were. */
static dgm_status add_line(struct dgm_env *env, struct dgm_buf *text, const struct dgm_lines *lines)
{
    DGM_TRY(dgm_buf_add(env, text, lines->line.data, lines->line.size));
    if (lines->line_had_cr)
        DGM_TRY(dgm_buf_add_char(env, text, '\r'));
    return lines->ended_without_lf ? DGM_OK : dgm_buf_add_char(env, text, '\n');
}

/* A whole document, which may come packed or through a pipe. */
static dgm_status read_all(struct dgm_env *env, struct dgm_buf *text, const char *input)
{
    struct dgm_lines lines;
    dgm_status status;

    DGM_TRY(dgm_lines_open(env, &lines, input));
    lines.path = dgm_lines_name(input);
    lines.limit = DGM_BUF_LIMIT - 1;
    dgm_lines_keep_mark(&lines);
    for (int more;;) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (!more)
            break;
        DGM_TRY_OUT(add_line(env, text, &lines));
    }
out:
    dgm_lines_close(env, &lines);
    return status;
}

static dgm_status translate(struct dgm_cmd *cmd, dgm_translator *translator,
                            const struct dgm_buf *text)
{
    struct dgm_cmd_sink sink;
    dgm_status status;
    size_t refused = 0;

    DGM_TRY(dgm_cmd_open_sink(cmd, &sink));
    status = dgm_translator_document(translator, dgm_settings_text(&cmd->settings, "format"),
                                     text->data, text->size, dgm_cmd_write, &sink);
    if (status == DGM_OK)
        status = dgm_translator_finish(translator, &refused);
    return dgm_cmd_close_sink(&sink, status);
}

dgm_status dgm_cmd_translate_document(struct dgm_cmd *cmd, dgm_translator *translator,
                                      const struct dgm_ranks *ranks)
{
    struct dgm_buf text = { 0 };
    dgm_status status;

    if (ranks != NULL && ranks->rank != 0)
        return DGM_OK;
    status = read_all(cmd->env, &text, dgm_settings_text(&cmd->settings, "input"));
    if (status == DGM_OK)
        status = translate(cmd, translator, &text);
    dgm_buf_clear(cmd->env, &text);
    return status;
}
