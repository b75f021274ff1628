/* count_words.c: from files to counted words to one result. */
#include "cmd/text/count_words.h"

#include "base/mem.h"

static size_t count_inputs(const struct dgm_cmd *cmd)
{
    return dgm_settings_count(&cmd->settings, "input") + (size_t)cmd->argument_count;
}

/* Input i: files of --input come before arguments. */
static const char *input_at(const struct dgm_cmd *cmd, size_t i)
{
    size_t given = dgm_settings_count(&cmd->settings, "input");
    if (i < given)
        return dgm_settings_item(&cmd->settings, "input", i);
    return cmd->arguments[i - given];
}

static dgm_status read_one(dgm_words *words, int counted, const char *path)
{
    return counted ? dgm_words_read_counts(words, path) : dgm_words_read(words, path);
}

static dgm_status read_all(struct dgm_cmd *cmd, dgm_words *words, int counted)
{
    size_t i, count = count_inputs(cmd);
    for (i = 0; i < count; i++)
        DGM_TRY(read_one(words, counted, input_at(cmd, i)));
    return count > 0 ? DGM_OK : read_one(words, counted, "-");
}

static dgm_status read_sample(struct dgm_cmd *cmd, dgm_words *words, int64_t lines)
{
    const size_t count = count_inputs(cmd);
    const char **paths = dgm_alloc(cmd->env, count + 1, sizeof *paths);
    dgm_status status;
    size_t i;
    if (paths == NULL)
        return DGM_MEMORY;
    paths[0] = "-";
    for (i = 0; i < count; i++)
        paths[i] = input_at(cmd, i);
    status = dgm_words_read_sample(words, paths, count > 0 ? count : 1, lines);
    dgm_release(cmd->env, paths);
    return status;
}

static dgm_status read_inputs(struct dgm_cmd *cmd, dgm_words *words, int counted)
{
    const int64_t lines = dgm_settings_int(&cmd->settings, "learn-lines");
    DGM_TRY(dgm_words_set_memory(words, dgm_settings_bytes(&cmd->settings, "count-memory")));
    return lines > 0 ? read_sample(cmd, words, lines) : read_all(cmd, words, counted);
}

/* Opens the output after all inputs are read: a run that fails before leaves an old file alone. */
static dgm_status write_result(struct dgm_cmd *cmd, dgm_words *words, dgm_cmd_words_fn *fn)
{
    struct dgm_writer writer;
    struct dgm_cmd_sink sink;
    dgm_status status;
    DGM_TRY(dgm_cmd_open_output(cmd->env, &writer, dgm_settings_text(&cmd->settings, "output")));
    sink.env = cmd->env;
    sink.writer = &writer;
    status = fn(cmd, words, dgm_cmd_write, &sink);
    return dgm_cmd_close_output(cmd->env, &writer, status);
}

dgm_status dgm_cmd_words(struct dgm_cmd *cmd, int counted, dgm_cmd_words_fn *fn)
{
    dgm_words *words;
    dgm_status status;
    DGM_TRY(dgm_words_new(cmd->context, &words));
    DGM_TRY_OUT(read_inputs(cmd, words, counted));
    status = write_result(cmd, words, fn);
out:
    dgm_words_free(words);
    return status;
}
