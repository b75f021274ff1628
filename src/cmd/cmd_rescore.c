/* cmd_rescore.c: `rescore`: the log-probability of given translations. */
#include <string.h>

#include "cmd/command.h"

static const struct dgm_opt options[] = {
    {"models", 'm', DGM_OPT_FILES, "FILE...", NULL, 0, 0, NULL, "model path",
     "Model to use; several files with the same vocabularies are an ensemble"},
    {"trees", 0, DGM_OPT_FILE, "FILE", "auto", 0, 0, NULL, "tree",
     "Trees of the source, CoNLL-U or brackets; auto: by the parser in the model; none: no trees"},
    {"penalty", 0, DGM_OPT_CHOICE, "NAME", "none", 0, 0, "fairseq|gnmt|none", NULL,
     "Length penalty of the scores"},
    {"normalize", 'n', DGM_OPT_REAL, "A", "0.6", 0, 10, NULL, "lenpen length-penalty",
     "Strength of the length penalty"},
    DGM_CMD_OUTPUT,
    DGM_OPT_END
};

enum { MODELS = 16, LINES = 500 };

struct job {
    struct dgm_cmd *cmd;
    dgm_translator *translator;
    struct dgm_lines sides[2];
    struct dgm_writer writer;
    struct dgm_buf text;
    long pairs;
};

static dgm_status flush_batch(struct job *job)
{
    struct dgm_env *env = job->cmd->env;
    size_t count, i, known;
    double score;
    DGM_TRY(dgm_translator_run(job->translator, &count));
    dgm_buf_reset(&job->text);
    for (i = 0; i < count; i++) {
        score = 0;
        DGM_TRY(dgm_translator_count(job->translator, i, &known));
        if (known > 0)
            DGM_TRY(dgm_translator_result(job->translator, i, 0, NULL, NULL, &score, NULL));
        DGM_TRY(dgm_buf_add_real(env, &job->text, score, 9));
        DGM_TRY(dgm_buf_add_char(env, &job->text, '\n'));
    }
    return dgm_writer_add(env, &job->writer, job->text.data, job->text.size);
}

static dgm_status score_pairs(struct job *job)
{
    struct dgm_env *env = job->cmd->env;
    long queued = 0;
    for (;;) {
        int has[2], i;
        for (i = 0; i < 2; i++)
            DGM_TRY(dgm_lines_next(env, &job->sides[i], &has[i]));
        if (has[0] != has[1])
            return dgm_fail_at(env, DGM_DATA, job->sides[has[0]].path, 0, 0,
                               "%ld lines, fewer than %s; expected as many [E_ALIGN]", job->pairs,
                               job->sides[has[1]].path);
        if (!has[0])
            return flush_batch(job);
        job->pairs++;
        DGM_TRY(dgm_translator_add_pair(job->translator, job->sides[0].line.data,
                                        job->sides[0].line.size, job->sides[1].line.data,
                                        job->sides[1].line.size));
        if (++queued == LINES) {
            DGM_TRY(flush_batch(job));
            queued = 0;
        }
    }
}

static dgm_status open_translator(struct job *job)
{
    struct dgm_settings *settings = &job->cmd->settings;
    const char *names[MODELS];
    dgm_translator_options chosen;
    size_t i;
    memset(&chosen, 0, sizeof chosen);
    chosen.struct_size = sizeof chosen;
    chosen.model_count = dgm_settings_count(settings, "models");
    if (chosen.model_count == 0 || chosen.model_count > MODELS)
        return dgm_fail(job->cmd->env, DGM_USAGE,
                        "%zu models; expected --models with 1..%d files", chosen.model_count,
                        (int)MODELS);
    for (i = 0; i < chosen.model_count; i++)
        names[i] = dgm_settings_item(settings, "models", i);
    chosen.models = names;
    chosen.penalty = dgm_settings_text(settings, "penalty");
    chosen.has_alpha = 1;
    chosen.alpha = dgm_settings_real(settings, "normalize");
    dgm_cmd_choose_trees(settings, &chosen);
    return dgm_translator_new(job->cmd->context, &chosen, &job->translator);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    struct job job;
    dgm_status status;
    const char *source = cmd->arguments[0], *target = cmd->arguments[1];
    const char *trees = dgm_settings_text(&cmd->settings, "trees");

    memset(&job, 0, sizeof job);
    job.cmd = cmd;
    DGM_TRY(dgm_cmd_read_once(cmd, source, target));
    DGM_TRY(dgm_cmd_read_once(cmd, source, trees));
    DGM_TRY(dgm_cmd_read_once(cmd, target, trees));
    DGM_TRY(open_translator(&job));
    status = dgm_lines_open(cmd->env, &job.sides[0], source);
    if (status == DGM_OK)
        status = dgm_lines_open(cmd->env, &job.sides[1], target);
    if (status == DGM_OK)
        status = dgm_cmd_open_output(cmd->env, &job.writer,
                                     dgm_settings_text(&cmd->settings, "output"));
    if (status == DGM_OK) {
        status = score_pairs(&job);
        status = dgm_cmd_close_output(cmd->env, &job.writer, status);
    }
    dgm_lines_close(cmd->env, &job.sides[0]);
    dgm_lines_close(cmd->env, &job.sides[1]);
    dgm_buf_clear(cmd->env, &job.text);
    dgm_translator_free(job.translator);
    return status;
}

const struct dgm_command dgm_command_rescore = {
    "rescore",
    "Write the log-probability of given translations, one number a line",
    "SOURCE TARGET --models FILE...",
    "dragoman rescore test.en test.de -m model.gguf",
    NULL, options, NULL, NULL, 2, 2, 0, run,
};
