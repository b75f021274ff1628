/* cmd_rescore.c: `rescore`: the log-probability of given translations. */
#include <math.h>

#include "base/file/writer.h"
#include "base/lines/reading.h"
#include "base/option/option.h"
#include "base/option/settings.h"
#include "cmd/common.h"
#include "cmd/model/found.h"
#include "cmd/model/models.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_MODEL_FILES("Model to use; several files with the same vocabularies are an ensemble"),
    DGM_CMD_TREES("source"),
    DGM_CMD_TAG,
    DGM_CMD_LINE_TAGS,
    DGM_CMD_TARGET_TAG("Each translation begins"),
    DGM_CMD_NO_PARSE("scored"),
    DGM_CMD_PENALTY("none", "Length penalty of the scores"),
    DGM_CMD_COMPUTE_TYPE,
    DGM_CMD_OUTPUT,
    DGM_OPT_END
};
/* clang-format on */

enum { LINES = 500 };

struct job {
    struct dgm_cmd *cmd;
    dgm_rescorer *rescorer;
    struct dgm_lines sides[2];
    struct dgm_writer writer;
    struct dgm_buf text;
    long pairs, done; /* read, written so far */
    size_t refused;   /* of these, without a score for want of a tree */
};

/* Scores what is queued and writes it. A run that was stopped has results too, of its first
 * pairs; they can be had once its error is cleared. */
static dgm_status flush_batch(struct job *job)
{
    struct dgm_env *env = job->cmd->env;
    size_t count, i;
    double score;
    dgm_status status = dgm_rescorer_run(job->rescorer, &count);
    if (status == DGM_INTERRUPTED)
        dgm_context_clear(job->cmd->context);
    else
        DGM_TRY(status);
    dgm_buf_reset(&job->text);
    for (i = 0; i < count; i++) {
        DGM_TRY(dgm_rescorer_result(job->rescorer, i, &score, NULL));
        if (!isnan(score)) /* refused, else: its line is empty */
            DGM_TRY(dgm_buf_add_real(env, &job->text, score, 9));
        DGM_TRY(dgm_buf_add_char(env, &job->text, '\n'));
    }
    job->done += (long)count;
    dgm_reading_done(job->cmd->env, job->done);
    DGM_TRY(dgm_writer_add(env, &job->writer, job->text.data, job->text.size));
    return status;
}

/* The files must have as many lines as each other. The error names the one that ended first. */
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
        for (i = 0; i < 2; i++)
            dgm_lines_warn_cut(env, &job->sides[i]);
        job->pairs++;
        DGM_TRY(dgm_rescorer_add(job->rescorer, job->sides[0].line.data, job->sides[0].line.size,
                                 job->sides[1].line.data, job->sides[1].line.size));
        if (++queued == LINES) {
            DGM_TRY(flush_batch(job));
            queued = 0;
        }
    }
}

static dgm_status open_rescorer(struct job *job)
{
    struct dgm_settings *settings = &job->cmd->settings;
    const char *names[DGM_CMD_MODELS];
    dgm_rescorer_options chosen = { .struct_size = sizeof chosen };
    const struct dgm_cmd_wish wish = { .kind = DGM_SHELF_TRANSLATION };
    DGM_TRY(dgm_cmd_find_models(job->cmd, &wish));
    DGM_TRY(dgm_cmd_models(job->cmd, names, &chosen.model_count));
    chosen.models = names;
    chosen.penalty = dgm_settings_text(settings, "penalty");
    chosen.has_alpha = 1;
    chosen.alpha = dgm_settings_real(settings, "normalize");
    chosen.trees = dgm_cmd_choose_trees(settings, &chosen.no_trees);
    chosen.compute_type = dgm_settings_text(settings, "compute-type");
    chosen.no_parse = dgm_cmd_no_parse(settings);
    chosen.tag = dgm_settings_text(settings, "tag");
    chosen.no_line_tags = !dgm_settings_flag(settings, "line-tags");
    chosen.target_tag = dgm_settings_text(settings, "target-tag");
    return dgm_rescorer_new(job->cmd->context, &chosen, &job->rescorer);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    struct job job = { .cmd = cmd };
    dgm_status status;
    const char *source = cmd->arguments[0], *target = cmd->arguments[1];
    const char *trees = dgm_settings_text(&cmd->settings, "trees");

    DGM_TRY(dgm_cmd_read_once(cmd, source, target));
    DGM_TRY(dgm_cmd_read_once(cmd, source, trees));
    DGM_TRY(dgm_cmd_read_once(cmd, target, trees));
    DGM_TRY(open_rescorer(&job));
    DGM_TRY_OUT(dgm_lines_open(cmd->env, &job.sides[0], source));
    DGM_TRY_OUT(dgm_lines_open(cmd->env, &job.sides[1], target));
    DGM_TRY_OUT(dgm_cmd_open_long_output(cmd->env, &job.writer,
                                         dgm_settings_text(&cmd->settings, "output")));
    status = score_pairs(&job);
    if (status == DGM_INTERRUPTED)
        status = dgm_cmd_stopped(cmd, job.done);
    if (status == DGM_OK)
        status = dgm_rescorer_finish(job.rescorer, &job.refused);
    DGM_TRY_OUT(dgm_cmd_close_output(cmd->env, &job.writer, status));
    status = dgm_cmd_refused_lines(cmd->env, job.refused);
out:
    dgm_lines_close(cmd->env, &job.sides[0]);
    dgm_lines_close(cmd->env, &job.sides[1]);
    dgm_buf_clear(cmd->env, &job.text);
    dgm_rescorer_free(job.rescorer);
    return status;
}

const struct dgm_command dgm_command_rescore = {
    .name = "rescore",
    .summary = "Write the log-probability of given translations, one number a line",
    .usage = "SOURCE TARGET [--models FILE...]",
    .example = "dragoman rescore test.en test.de -m model.gguf",
    .options = options,
    .least = 2,
    .most = 2,
    .saves = DGM_CMD_SAVES,
    .computes = 1,
    .run = run,
};
