/* together.c: a command on several ranks. */
#include "cmd/together.h"

#include "base/file/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/option/rules.h"
#include "base/ranks/compare.h"

/* ---- what a rank is about to do -------------------------------------------------------------- */

static int is_output(const struct dgm_opt *opt)
{
    return opt->type == DGM_OPT_OUTPUT || opt->type == DGM_OPT_OUTPUTS;
}

static dgm_status hash_open(struct dgm_env *env, struct dgm_hash *hash, int fd, const char *path)
{
    enum { CHUNK = 1 << 16 };
    size_t got = 1;
    dgm_status status;
    char *chunk;

    DGM_TRY(dgm_new(env, &chunk, CHUNK, 1));
    while (got > 0) {
        DGM_TRY_OUT(dgm_file_read_some(env, &got, fd, path, chunk, CHUNK));
        dgm_hash_add(hash, chunk, got);
    }
out:
    dgm_release(env, chunk);
    return status;
}

/* "models = checksum 123": the same file may have another path on another machine. */
static dgm_status add_file(struct dgm_env *env, struct dgm_buf *text, const struct dgm_opt *opt,
                           const char *path)
{
    struct dgm_hash hash;
    dgm_status status;
    int fd;

    if (dgm_opt_is_word(opt, path))
        return dgm_buf_add_format(env, text, "%s = %s\n", opt->name, path);
    if (dgm_file_is_stream(env, path))
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                           "--%s is read by every rank, and this can be read only once; expected a "
                           "file",
                           opt->name);
    DGM_TRY(dgm_file_open(env, &fd, path, NULL, NULL));
    dgm_hash_init(&hash, 0);
    status = hash_open(env, &hash, fd, path);
    dgm_file_close(env, fd);
    DGM_TRY(status);
    return dgm_buf_add_format(env, text, "%s = checksum %llu\n", opt->name,
                              (unsigned long long)dgm_hash_value(&hash));
}

static dgm_status add_setting(struct dgm_env *env, struct dgm_buf *text,
                              const struct dgm_setting *setting)
{
    const struct dgm_opt *opt = setting->opt;
    const int is_file = opt->type == DGM_OPT_FILE || opt->type == DGM_OPT_FILES;
    size_t i;

    /* Rank 0 writes all, wherever it is to be; but each makes what is written beside the output. */
    if (is_output(opt))
        return setting->value == NULL && setting->item_count == 0
                   ? DGM_OK
                   : dgm_buf_add_format(env, text, "%s = a file\n", opt->name);
    for (i = 0; is_file && i < setting->item_count; i++)
        DGM_TRY(add_file(env, text, opt, setting->items[i]));
    if (setting->value == NULL || setting->item_count > 0)
        return DGM_OK;
    if (is_file)
        return add_file(env, text, opt, setting->value);
    return dgm_buf_add_format(env, text, "%s = %s\n", opt->name, setting->value);
}

static dgm_status describe(struct dgm_cmd *cmd, struct dgm_buf *text)
{
    size_t i;

    DGM_TRY(dgm_context_describe(cmd->context, text));
    DGM_TRY(dgm_buf_add_format(cmd->env, text, "command = %s\n", cmd->command->name));
    for (i = 0; i < cmd->settings.count; i++)
        if (!cmd->settings.items[i].opt->ranks)
            DGM_TRY(add_setting(cmd->env, text, &cmd->settings.items[i]));
    return DGM_OK;
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
