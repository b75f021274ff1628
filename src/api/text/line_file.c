/* line_file.c: a file of lines through a tool, by all threads of its context. */
#include "api/text/line_file.h"

#include <string.h>

#include "base/lines/line_blocks.h"

struct filter {
    dgm_line_fn *line;
    void *tool;
    struct dgm_lines lines;
    dgm_write_fn write;
    void *user;
};

static dgm_status next(struct dgm_env *env, void *user, int *more)
{
    struct dgm_lines *lines = &((struct filter *)user)->lines;

    DGM_TRY(dgm_lines_next(env, lines, more));
    if (*more)
        dgm_lines_warn_cut(env, lines);
    return DGM_OK;
}

static dgm_status apply(struct dgm_env *env, void *user, int worker, struct dgm_line_block *block,
                        size_t i)
{
    const struct filter *filter = user;
    size_t bytes, before = block->out.size;
    const char *line = dgm_line_block_at(block, i, 0, &bytes);
    dgm_status status =
        filter->line(env, filter->tool, worker, block->first + (long)i, line, bytes, &block->out);

    if (status != DGM_OK)
        block->out.size = before; /* no half of a line */
    return status == DGM_OK ? dgm_buf_add_char(env, &block->out, '\n') : status;
}

static dgm_status take(struct dgm_env *env, void *user, const struct dgm_line_block *block)
{
    struct filter *filter = user;

    return dgm_report_write(env, filter->write, filter->user, &block->out);
}

dgm_status dgm_line_file(struct dgm_context *context, const char *path, dgm_line_fn *line,
                         void *tool, dgm_write_fn write, void *user, long *lines)
{
    struct filter filter = { .line = line, .tool = tool, .write = write, .user = user };
    struct dgm_line_work work = { .file_count = 1, .next = next, .line = apply, .take = take };
    dgm_status status;

    DGM_TRY(dgm_lines_open(&context->env, &filter.lines, path));
    filter.lines.path = dgm_lines_name(path);
    work.files = &filter.lines;
    work.workers = dgm_context_threads(context);
    work.user = &filter;
    status = dgm_line_blocks_run(&context->env, &work);
    if (lines != NULL)
        *lines = filter.lines.number;
    dgm_lines_close(&context->env, &filter.lines);
    return status;
}
