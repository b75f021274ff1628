/* in_step.c: texts and trees read side by side, and written side by side. */
#include "cmd/text/in_step.h"

#include <string.h>

#include "base/file/file.h"
#include "base/mem.h"

/* ---- opening --------------------------------------------------------------------------------- */

static size_t count_texts(const struct dgm_cmd *cmd)
{
    return (size_t)cmd->argument_count;
}

static const char *path_at(const struct dgm_cmd *cmd, size_t i)
{
    return i < count_texts(cmd) ? cmd->arguments[i]
                                : dgm_settings_item(&cmd->settings, "trees", i - count_texts(cmd));
}

static dgm_status check_streams(struct dgm_cmd *cmd, size_t count)
{
    size_t i, streams = 0;

    for (i = 0; i < count; i++)
        streams += strcmp(path_at(cmd, i), "-") == 0;
    if (streams < 2)
        return DGM_OK;
    return dgm_fail(cmd->env, DGM_USAGE,
                    "- stands %zu times for standard input, which can be read once; expected files",
                    streams);
}

dgm_status dgm_in_step_check_files(struct dgm_cmd *cmd, const char *why)
{
    const size_t count = count_texts(cmd) + dgm_settings_count(&cmd->settings, "trees");
    size_t i;

    for (i = 0; i < count; i++)
        if (dgm_file_is_stream(cmd->env, path_at(cmd, i)))
            return dgm_fail(cmd->env, DGM_USAGE, "%s can be read only once; %s",
                            dgm_lines_name(path_at(cmd, i)), why);
    return DGM_OK;
}

static dgm_status open_file(struct dgm_cmd *cmd, struct dgm_in_step *step, size_t i)
{
    struct dgm_step_file *file = &step->files[i];
    char first = '\0';

    DGM_TRY(dgm_lines_open(cmd->env, &file->lines, path_at(cmd, i)));
    step->opened++;
    file->is_tree = i >= count_texts(cmd);
    if (file->is_tree)
        DGM_TRY(dgm_lines_peek(cmd->env, &file->lines, &first));
    file->is_block = file->is_tree && first != '(';
    file->block.limit = (size_t)64 << 20; /* as the readers of trees have it */
    return DGM_OK;
}

dgm_status dgm_in_step_open(struct dgm_cmd *cmd, struct dgm_in_step *step)
{
    size_t i;

    memset(step, 0, sizeof *step);
    step->count = count_texts(cmd) + dgm_settings_count(&cmd->settings, "trees");
    DGM_TRY(check_streams(cmd, step->count));
    DGM_TRY(dgm_new(cmd->env, &step->files, step->count, sizeof *step->files));
    for (i = 0; i < step->count; i++)
        DGM_TRY(open_file(cmd, step, i));
    return DGM_OK;
}

void dgm_in_step_close(struct dgm_env *env, struct dgm_in_step *step)
{
    while (step->opened > 0) {
        struct dgm_step_file *file = &step->files[--step->opened];

        dgm_lines_close(env, &file->lines);
        dgm_buf_clear(env, &file->block);
    }
    dgm_release(env, step->files);
    memset(step, 0, sizeof *step);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int is_blank(const struct dgm_buf *line)
{
    return strspn(line->data, " \t\r") == line->size;
}

/* A line of blanks may be meant as the end of a sentence, or as part of one: whoever guesses wrong
 * puts all that follows out of step. */
static dgm_status check_blank(struct dgm_env *env, const struct dgm_lines *lines)
{
    if (lines->line.size == 0 || !is_blank(&lines->line))
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, lines->path, lines->number, 0,
                       "line of blanks among trees; expected an empty line behind each sentence");
}

static dgm_status fail_cut(struct dgm_env *env, const struct dgm_lines *lines)
{
    return dgm_fail_at(env, DGM_DATA, lines->path, lines->number, 0,
                       "line of more than %zu bytes; expected no more", lines->limit);
}

/* A line of trees. */
static dgm_status next_tree_line(struct dgm_env *env, struct dgm_lines *lines, int *more)
{
    DGM_TRY(dgm_lines_next(env, lines, more));
    if (*more && lines->cut)
        return fail_cut(env, lines);
    return DGM_OK;
}

/* A sentence of CoNLL-U; blank lines before it are skipped, as all readers of trees do. */
static dgm_status next_block(struct dgm_env *env, struct dgm_step_file *file, int *more)
{
    struct dgm_lines *lines = &file->lines;
    int has_line;

    dgm_buf_reset(&file->block);
    for (;;) {
        DGM_TRY(next_tree_line(env, lines, &has_line));
        if (has_line)
            DGM_TRY(check_blank(env, lines));
        if (!has_line || (lines->line.size == 0 && file->block.size > 0))
            break;
        if (lines->line.size == 0)
            continue;
        if (file->block.size == 0)
            file->number = lines->number;
        DGM_TRY(dgm_buf_add(env, &file->block, lines->line.data, lines->line.size));
        DGM_TRY(dgm_buf_add_char(env, &file->block, '\n'));
    }
    *more = file->block.size > 0;
    return DGM_OK;
}

static dgm_status next_item(struct dgm_env *env, struct dgm_step_file *file, int *more)
{
    if (file->is_block)
        return next_block(env, file, more);
    if (file->is_tree)
        DGM_TRY(next_tree_line(env, &file->lines, more));
    else
        DGM_TRY(dgm_lines_next(env, &file->lines, more));
    file->number = file->lines.number;
    return DGM_OK;
}

/* One of two files has ended. */
static dgm_status fail_unequal(struct dgm_env *env, const struct dgm_in_step *step,
                               const struct dgm_step_file *a, const struct dgm_step_file *b,
                               int a_has_more)
{
    const struct dgm_step_file *longer = a_has_more ? a : b, *shorter = a_has_more ? b : a;

    return dgm_fail_at(env, DGM_DATA, longer->lines.path, longer->number, 0,
                       "%s %ld begins here, but %s has %ld %s; expected as many",
                       longer->is_block ? "sentence" : "line", step->number + 1,
                       dgm_lines_name(shorter->lines.path), step->number,
                       shorter->is_block ? "sentences" : "lines");
}

dgm_status dgm_in_step_next(struct dgm_env *env, struct dgm_in_step *step, int *more)
{
    size_t i;

    step->is_cut = 0;
    for (i = 0; i < step->count; i++) {
        int has_item;

        DGM_TRY(next_item(env, &step->files[i], &has_item));
        if (i > 0 && has_item != *more)
            return fail_unequal(env, step, &step->files[i], &step->files[0], has_item);
        *more = has_item;
        step->is_cut = step->is_cut || step->files[i].lines.cut;
    }
    step->number += *more;
    return DGM_OK;
}

dgm_status dgm_in_step_check_whole(struct dgm_env *env, const struct dgm_in_step *step)
{
    size_t i;

    for (i = 0; step->is_cut && i < step->count; i++)
        if (step->files[i].lines.cut)
            return fail_cut(env, &step->files[i].lines);
    return DGM_OK;
}

const struct dgm_buf *dgm_in_step_line(const struct dgm_in_step *step, size_t text)
{
    if (text >= step->count || step->files[text].is_tree)
        return NULL;
    return &step->files[text].lines.line;
}

/* ---- writing --------------------------------------------------------------------------------- */

dgm_status dgm_in_step_write(struct dgm_env *env, const struct dgm_in_step *step,
                             struct dgm_writer *writers)
{
    size_t i;

    for (i = 0; i < step->count; i++) {
        const struct dgm_step_file *file = &step->files[i];
        const struct dgm_buf *item = file->is_block ? &file->block : &file->lines.line;

        DGM_TRY(dgm_writer_add(env, &writers[i], item->data, item->size));
        DGM_TRY(dgm_writer_add(env, &writers[i], "\n", 1));
    }
    return DGM_OK;
}

dgm_status dgm_in_step_check_outputs(struct dgm_cmd *cmd, const char *option)
{
    const size_t count = dgm_settings_count(&cmd->settings, option);
    const size_t trees = dgm_settings_count(&cmd->settings, "trees");

    if (count == 0 || count == count_texts(cmd) + trees)
        return DGM_OK;
    return dgm_fail(cmd->env, DGM_USAGE,
                    "--%s names %zu file%s; expected %zu, one for each of the "
                    "%zu text%s%s",
                    option, count, count == 1 ? "" : "s", count_texts(cmd) + trees,
                    count_texts(cmd), count_texts(cmd) == 1 ? "" : "s",
                    trees == 0 ? "" : " and then of --trees");
}
