/* together.c: a command on several ranks. */
#include "cmd/together.h"

#include "base/option/rules.h"
#include "base/ranks/compare.h"
#include "base/ranks/describe.h"

/* ---- what a rank is about to do -------------------------------------------------------------- */

static dgm_status describe(struct dgm_cmd *cmd, struct dgm_buf *text)
{
    DGM_TRY(dgm_context_describe(cmd->context, text));
    DGM_TRY(dgm_buf_add_format(cmd->env, text, "command = %s\n", cmd->command->name));
    return dgm_ranks_describe(cmd->env, &cmd->settings, text, 0);
}

static dgm_status agree(struct dgm_cmd *cmd, struct dgm_ranks *ranks)
{
    const double patience = ranks->patience;
    struct dgm_buf text = { NULL, 0, 0, 0 };
    dgm_status status;

    ranks->patience = 0; /* some are still reading */
    status = describe(cmd, &text);
    if (status == DGM_OK)
        status = dgm_ranks_compare(cmd->env, ranks, &text);
    dgm_buf_clear(cmd->env, &text);
    ranks->patience = patience;
    return status;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* All have ended well, once rank 0 has closed its output. */
static dgm_status end(struct dgm_cmd *cmd, struct dgm_ranks *ranks)
{
    char word = 0;

    return dgm_ranks_broadcast(cmd->env, ranks, &word, sizeof word, 0);
}

dgm_status dgm_cmd_together(struct dgm_cmd *cmd, dgm_cmd_rank_fn *fn)
{
    const struct dgm_settings *settings = &cmd->settings;
    const dgm_level level = cmd->env->log_level;
    struct dgm_ranks *ranks;
    dgm_status status;

    DGM_TRY(dgm_context_join(cmd->context, dgm_settings_text(settings, "ranks"),
                             dgm_settings_int(settings, "rank-timeout"), &ranks));
    if (ranks == NULL) {
        DGM_TRY(dgm_rules_check(cmd->env, settings));
        return fn(cmd, NULL);
    }
    if (ranks->rank != 0) { /* one log is enough */
        cmd->env->log_level = DGM_LOG_ERROR;
        cmd->progress = 0;
    }
    status = agree(cmd, ranks);
    if (status == DGM_OK)
        status = dgm_rules_check(cmd->env, settings);
    if (status == DGM_OK)
        status = fn(cmd, ranks);
    if (status == DGM_OK)
        status = end(cmd, ranks);
    cmd->env->log_level = level;
    dgm_ranks_settle(cmd->env, ranks, status);
    return status;
}

/* ---- rank 0 alone ---------------------------------------------------------------------------- */

/* Seconds within which all ranks join. */
enum { JOIN_SECONDS = 600 };

/* What the environment polled before. */
struct outer {
    struct dgm_cmd *cmd;
    struct dgm_ranks *ranks;
    dgm_poll_fn poll;
    void *user;
};

static dgm_status run_checked(struct dgm_cmd *cmd, dgm_status (*fn)(struct dgm_cmd *cmd))
{
    DGM_TRY(dgm_rules_check(cmd->env, &cmd->settings));
    return fn(cmd);
}

/* Another rank may have been asked to stop. */
static dgm_status poll_ranks(struct dgm_env *env, void *user)
{
    struct outer *outer = user;

    DGM_TRY(dgm_ranks_listen(env, outer->ranks));
    if (outer->ranks->stop_asked)
        dgm_context_stop(outer->cmd->context);
    return outer->poll != NULL ? outer->poll(env, outer->user) : DGM_OK;
}

static dgm_status run_rank_0(struct dgm_cmd *cmd, struct dgm_ranks *ranks,
                             dgm_status (*fn)(struct dgm_cmd *cmd))
{
    struct outer outer = { cmd, ranks, cmd->env->poll, cmd->env->poll_user };
    dgm_status status;

    cmd->env->poll = poll_ranks;
    cmd->env->poll_user = &outer;
    status = run_checked(cmd, fn);
    cmd->env->poll = outer.poll;
    cmd->env->poll_user = outer.user;
    return status;
}

dgm_status dgm_cmd_rank_0(struct dgm_cmd *cmd, dgm_status (*fn)(struct dgm_cmd *cmd))
{
    struct dgm_ranks *ranks;
    dgm_status status = DGM_OK;

    DGM_TRY(dgm_context_join(cmd->context, dgm_settings_text(&cmd->settings, "ranks"), JOIN_SECONDS,
                             &ranks));
    if (ranks == NULL)
        return run_checked(cmd, fn);
    if (ranks->rank == 0)
        status = run_rank_0(cmd, ranks, fn);
    if (status == DGM_OK)
        status = end(cmd, ranks);
    dgm_ranks_settle(cmd->env, ranks, status);
    return status;
}

void dgm_cmd_log_again(struct dgm_cmd *cmd, const struct dgm_ranks *ranks)
{
    const char *level = dgm_settings_text(&cmd->settings, "log-level");

    if (ranks->rank != 0 && level[0] != 'e' && !dgm_settings_flag(&cmd->settings, "quiet"))
        cmd->env->log_level = DGM_LOG_WARNING;
}
