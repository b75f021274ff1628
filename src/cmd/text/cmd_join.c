/*
 * cmd_join.c: `join`: outputs of --shard 1/N to N/N in the order of the whole input.
 *
 * Answer k of the whole, counted from 0, is the next one of shard k mod N. What an answer is, a
 * line, a block of CoNLL-U or the lines of an n-best list, the first lines of the files tell. A
 * shard that is cut, missing or out of place shows by what the others have: each has as many
 * answers as the last one, or one more, and none more behind one that has not.
 */
#include <string.h>

#include "base/file/file.h"
#include "base/lines/lines.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_OUTPUT,
    { .name = "format", .letter = 'f', .type = DGM_OPT_CHOICE, .argument = "KIND",
      .fallback = "auto", .choices = "auto|lines|n-best|conllu",
      .help = "What answers one input: a line, the lines of an n-best list, or a block of CoNLL-U; "
              "auto: as the first lines look" },
    { .name = "count", .type = DGM_OPT_INT, .argument = "N", .low = 0, .high = 9e15,
      .help = "Refuse unless the whole answers so many inputs" },
    DGM_OPT_END
};
/* clang-format on */

enum form { LINES, N_BEST, CONLLU, ANY }; /* ANY: nothing in the file tells */

/* Lines at the beginning of a file that may be looked at. */
enum { LOOK = 100 };

struct shard {
    struct dgm_lines lines;
    struct dgm_buf ahead; /* lines that were read and not taken yet, each with its LF */
    size_t at;            /* bytes of them that were taken */
    long line;            /* lines taken */
    long answers;
};

struct job {
    struct dgm_cmd *cmd;
    struct shard *shards;
    size_t count, opened;
    enum form form;
    struct dgm_writer writer;
    long answers;
};

/* ---- lines of one shard ---------------------------------------------------------------------- */

/* Reads a line behind those in `ahead`. What our commands write ends in a newline. */
static dgm_status read_ahead(struct dgm_env *env, struct shard *shard, int *more)
{
    struct dgm_lines *lines = &shard->lines;

    DGM_TRY(dgm_lines_next(env, lines, more));
    if (!*more)
        return DGM_OK;
    if (lines->cut)
        return dgm_fail_at(env, DGM_DATA, lines->path, lines->number, 0,
                           "line of more than %zu bytes; expected no more", lines->limit);
    if (lines->ended_without_lf)
        return dgm_fail_at(env, DGM_DATA, lines->path, lines->number, 0,
                           "the last line has no newline: the file is not whole; expected the "
                           "output of a run that has ended well");
    DGM_TRY(dgm_buf_add(env, &shard->ahead, lines->line.data, lines->line.size));
    return dgm_buf_add_char(env, &shard->ahead, '\n');
}

/* The next line, which stays the next one; its LF belongs to *size. */
static dgm_status peek(struct dgm_env *env, struct shard *shard, const char **text, size_t *size,
                       int *more)
{
    *more = 1;
    if (shard->at == shard->ahead.size) {
        dgm_buf_reset(&shard->ahead);
        shard->at = 0;
        DGM_TRY(read_ahead(env, shard, more));
    }
    if (!*more)
        return DGM_OK;
    *text = shard->ahead.data + shard->at;
    *size = (size_t)((const char *)memchr(*text, '\n', shard->ahead.size - shard->at) - *text) + 1;
    return DGM_OK;
}

static dgm_status take(struct job *job, struct shard *shard, const char *text, size_t size)
{
    shard->at += size;
    shard->line++;
    return dgm_writer_add(job->cmd->env, &job->writer, text, size);
}

/* ---- what an answer is ----------------------------------------------------------------------- */

/* "17 ||| ": the number of the input; -1: the line does not begin so. */
static long number_of(const char *text, size_t size)
{
    static const char mark[] = " ||| ";
    const size_t digits = strspn(text, "0123456789");
    int64_t number;

    if (digits + sizeof mark - 1 > size || memcmp(text + digits, mark, sizeof mark - 1) != 0 ||
        !dgm_number_int(&number, text, digits))
        return -1;
    return (long)number;
}

static int count_in(const char *text, size_t size, const char *what)
{
    const size_t length = strlen(what);
    int count = 0;
    size_t i;

    for (i = 0; i + length <= size; i++)
        count += memcmp(text + i, what, length) == 0;
    return count;
}

/* What one of the first lines tells; ANY: it is left to the next. */
static enum form look_at(const char *text, size_t size, int is_first)
{
    if (is_first && number_of(text, size) >= 0 && count_in(text, size, " ||| ") >= 3)
        return N_BEST;
    if (text[0] == '#' || (text[0] == '\n' && !is_first))
        return ANY;
    return text[0] >= '0' && text[0] <= '9' && count_in(text, size, "\t") == 9 ? CONLLU : LINES;
}

static dgm_status look(struct dgm_env *env, struct shard *shard, enum form *form)
{
    int more = 1, i;

    *form = ANY;
    for (i = 0; i < LOOK && *form == ANY; i++) {
        const size_t before = shard->ahead.size;

        DGM_TRY(read_ahead(env, shard, &more));
        if (!more)
            break;
        *form = look_at(shard->ahead.data + before, shard->ahead.size - before, i == 0);
    }
    return DGM_OK;
}

static dgm_status fail_unlike(struct job *job, const struct shard *shard, enum form form,
                              const struct shard *other)
{
    static const char *const names[] = { "lines", "an n-best list", "CoNLL-U" };

    return dgm_fail_at(job->cmd->env, DGM_DATA, shard->lines.path, 0, 0,
                       "looks like %s, and %s like %s; expected shards of one output, or --format",
                       names[form], other->lines.path, names[job->form]);
}

/* Empty files, and sentences without words, may be of any kind. */
static dgm_status find_form(struct job *job)
{
    const char *given = dgm_settings_text(&job->cmd->settings, "format");
    const struct shard *decided = NULL, *doubtful = NULL;
    size_t i;

    job->form = given[0] == 'l' ? LINES : given[0] == 'n' ? N_BEST : CONLLU;
    for (i = 0; i < job->count && given[0] == 'a'; i++) {
        struct shard *shard = &job->shards[i];
        enum form form;

        DGM_TRY(look(job->cmd->env, shard, &form));
        if (form == ANY && shard->ahead.size > 0)
            doubtful = shard;
        if (form != ANY && decided != NULL && form != job->form)
            return fail_unlike(job, shard, form, decided);
        if (form != ANY) {
            decided = shard;
            job->form = form;
        }
    }
    if (decided == NULL && doubtful != NULL)
        return dgm_fail_at(job->cmd->env, DGM_USAGE, doubtful->lines.path, 0, 0,
                           "text, or CoNLL-U without words; expected --format lines or conllu");
    return DGM_OK;
}

/* ---- one answer ------------------------------------------------------------------------------ */

static dgm_status copy_line(struct job *job, struct shard *shard, int *more)
{
    const char *text;
    size_t size;

    DGM_TRY(peek(job->cmd->env, shard, &text, &size, more));
    return *more ? take(job, shard, text, size) : DGM_OK;
}

/* Lines up to an empty one. */
static dgm_status copy_block(struct job *job, struct shard *shard, int *more)
{
    const char *text;
    size_t size;

    *more = 0;
    for (;;) {
        int has_line;

        DGM_TRY(peek(job->cmd->env, shard, &text, &size, &has_line));
        if (!has_line && *more)
            return dgm_fail_at(job->cmd->env, DGM_DATA, shard->lines.path, shard->line, 0,
                               "no empty line behind the last sentence: the file is not whole; "
                               "expected the output of a run that has ended well");
        if (!has_line)
            return DGM_OK;
        *more = 1;
        DGM_TRY(take(job, shard, text, size));
        if (text[0] == '\n')
            return DGM_OK;
    }
}

/* The lines that begin with the number of the answer. */
static dgm_status copy_list(struct job *job, struct shard *shard, int *more)
{
    const char *text;
    size_t size;
    int has_line;

    *more = 0;
    for (;;) {
        DGM_TRY(peek(job->cmd->env, shard, &text, &size, &has_line));
        if (!has_line || (*more && number_of(text, size) != job->answers))
            return DGM_OK;
        if (number_of(text, size) != job->answers)
            return dgm_fail_at(job->cmd->env, DGM_DATA, shard->lines.path, shard->line + 1, 0,
                               "expected \"%ld ||| \", the number of an input, at this place: the "
                               "files are not the shards 1/%zu to %zu/%zu in order, whole",
                               job->answers, job->count, job->count, job->count);
        *more = 1;
        DGM_TRY(take(job, shard, text, size));
    }
}

static dgm_status copy_answer(struct job *job, struct shard *shard, int *more)
{
    switch (job->form) {
    case N_BEST: DGM_TRY(copy_list(job, shard, more)); break;
    case CONLLU: DGM_TRY(copy_block(job, shard, more)); break;
    default: DGM_TRY(copy_line(job, shard, more));
    }
    shard->answers += *more;
    job->answers += *more;
    return DGM_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* `ended` has no answer where `shard`, behind it, has the next one. */
static dgm_status fail_uneven(struct job *job, const struct shard *shard, const struct shard *ended)
{
    return dgm_fail_at(job->cmd->env, DGM_DATA, shard->lines.path, shard->line + 1, 0,
                       "answer %ld begins here, but %s has ended after %ld; expected the shards "
                       "1/%zu to %zu/%zu in order, whole",
                       shard->answers + 1, ended->lines.path, ended->answers, job->count,
                       job->count, job->count);
}

/* Shard `ended` is the first without an answer: those behind it have none either. */
static dgm_status check_ends(struct job *job, size_t ended)
{
    const char *text;
    size_t size, i;
    int more;

    for (i = 1; i <= job->count; i++) {
        struct shard *shard = &job->shards[(ended + i) % job->count];

        DGM_TRY(peek(job->cmd->env, shard, &text, &size, &more));
        if (more)
            return fail_uneven(job, shard, &job->shards[ended]);
    }
    return DGM_OK;
}

static dgm_status join_all(struct job *job)
{
    size_t i = 0;
    int more = 1;

    for (;;) {
        DGM_TRY(copy_answer(job, &job->shards[i], &more));
        if (!more)
            return check_ends(job, i);
        i = (i + 1) % job->count;
    }
}

static dgm_status check_count(struct job *job)
{
    const struct dgm_settings *settings = &job->cmd->settings;

    if (dgm_settings_text(settings, "count") == NULL ||
        dgm_settings_int(settings, "count") == job->answers)
        return DGM_OK;
    return dgm_fail(job->cmd->env, DGM_DATA,
                    "the %zu file%s answer%s %ld input%s; expected %lld (--count)", job->count,
                    job->count == 1 ? "" : "s", job->count == 1 ? "s" : "", job->answers,
                    job->answers == 1 ? "" : "s", (long long)dgm_settings_int(settings, "count"));
}

static dgm_status check_names(struct dgm_cmd *cmd)
{
    int i, j;

    for (i = 0; i < cmd->argument_count; i++)
        for (j = 0; j < i; j++)
            if (strcmp(cmd->arguments[i], cmd->arguments[j]) == 0 ||
                dgm_file_same(cmd->env, cmd->arguments[i], cmd->arguments[j]))
                return dgm_fail_at(cmd->env, DGM_USAGE, cmd->arguments[i], 0, 0,
                                   "given twice; expected each shard once");
    return DGM_OK;
}

static dgm_status open_all(struct job *job)
{
    for (; job->opened < job->count; job->opened++) {
        struct dgm_lines *lines = &job->shards[job->opened].lines;

        DGM_TRY(dgm_lines_open(job->cmd->env, lines, job->cmd->arguments[job->opened]));
        lines->path = dgm_lines_name(lines->path);
        dgm_lines_keep_mark(lines);
    }
    return DGM_OK;
}

static void close_all(struct job *job)
{
    while (job->opened > 0) {
        struct shard *shard = &job->shards[--job->opened];

        dgm_lines_close(job->cmd->env, &shard->lines);
        dgm_buf_clear(job->cmd->env, &shard->ahead);
    }
    dgm_release(job->cmd->env, job->shards);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    struct job job = { .cmd = cmd, .count = (size_t)cmd->argument_count };
    dgm_status status;

    DGM_TRY(check_names(cmd));
    DGM_TRY(dgm_new(cmd->env, &job.shards, job.count, sizeof *job.shards));
    DGM_TRY_OUT(open_all(&job));
    DGM_TRY_OUT(find_form(&job));
    DGM_TRY_OUT(
        dgm_cmd_open_output(cmd->env, &job.writer, dgm_settings_text(&cmd->settings, "output")));
    status = join_all(&job);
    if (status == DGM_OK)
        status = check_count(&job);
    status = dgm_cmd_close_output(cmd->env, &job.writer, status);
out:
    close_all(&job);
    return status;
}

const struct dgm_command dgm_command_join = {
    .name = "join",
    .summary = "Put the outputs of --shard 1/N to N/N in the order of the whole input",
    .usage = "[OPTION]... SHARD... > WHOLE",
    .example = "dragoman join out.1 out.2 out.3 > out",
    .options = options,
    .least = 1,
    .most = -1,
    .run = run,
};
