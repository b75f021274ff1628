/* count_words.c: from files to counted words to one result. */
#include "cmd/text/count_words.h"

#include "base/mem.h"

static dgm_status read_all(dgm_words *words, int counted, const char *const *paths, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++)
        DGM_TRY(counted ? dgm_words_read_counts(words, paths[i]) : dgm_words_read(words, paths[i]));
    return DGM_OK;
}

/* Files of --input come before arguments. */
static dgm_status read_inputs(struct dgm_cmd *cmd, dgm_words *words, int counted)
{
    const int64_t lines = dgm_settings_int(&cmd->settings, "learn-lines");
    const char **paths;
    dgm_status status;
    size_t count;
    DGM_TRY(dgm_words_set_memory(words, dgm_settings_bytes(&cmd->settings, "count-memory")));
    DGM_TRY(dgm_cmd_list(cmd, "input", 1, &paths, &count));
    if (count == 0)
        paths[count++] = "-";
    status = lines > 0 ? dgm_words_read_sample(words, paths, count, lines)
                       : read_all(words, counted, paths, count);
    dgm_release(cmd->env, paths);
    return status;
}

/* Opens the output after all inputs are read: a run that fails before leaves an old file alone. */
static dgm_status write_result(struct dgm_cmd *cmd, dgm_words *words, dgm_cmd_words_fn *fn)
{
    struct dgm_cmd_sink sink;
    DGM_TRY(dgm_cmd_open_sink(cmd, &sink));
    return dgm_cmd_close_sink(&sink, fn(cmd, words, dgm_cmd_write, &sink));
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
