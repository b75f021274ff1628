/*
 * describe.c: settings as lines "name = value".
 */
#include "base/ranks/describe.h"

#include <string.h>

#include "base/file/file.h"
#include "base/hash.h"
#include "base/mem.h"

/* ---- files ----------------------------------------------------------------------------------- */

static dgm_status hash_open(struct dgm_env *env, struct dgm_hash *hash, int fd, const char *path)
{
    enum { CHUNK = 1 << 16 };
    size_t got = 1;
    dgm_status status = DGM_OK;
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

/* The checksum of a file that is read, and once; "a file" of any other. */
static dgm_status add_file(struct dgm_env *env, struct dgm_buf *text, const struct dgm_opt *opt,
                           const char *path, int may_lack)
{
    struct dgm_hash hash;
    dgm_status status;
    int fd;

    if (dgm_opt_is_word(opt, path) || strcmp(path, "none") == 0) /* a text may have no trees */
        return dgm_buf_add_format(env, text, " %s", path);
    if (opt->reread || opt->type == DGM_OPT_OUTPUT || opt->type == DGM_OPT_OUTPUTS)
        return dgm_buf_add_text(env, text, " a file");
    if (may_lack && !dgm_file_exists(env, path))
        return dgm_buf_add_text(env, text, " a file that is not there");
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
    return dgm_buf_add_format(env, text, " checksum %llu",
                              (unsigned long long)dgm_hash_value(&hash));
}

/* ---- settings -------------------------------------------------------------------------------- */

static int is_file(const struct dgm_opt *opt)
{
    return opt->type == DGM_OPT_FILE || opt->type == DGM_OPT_FILES || opt->type == DGM_OPT_OUTPUT ||
           opt->type == DGM_OPT_OUTPUTS;
}

static dgm_status add_value(struct dgm_env *env, struct dgm_buf *text, const struct dgm_opt *opt,
                            const char *value, int may_lack)
{
    return is_file(opt) ? add_file(env, text, opt, value, may_lack)
                        : dgm_buf_add_format(env, text, " %s", value);
}

/* "heads = 4", "min-freq = 2 3", "models = checksum 123", "ema is not set". */
static dgm_status add_setting(struct dgm_env *env, struct dgm_buf *text,
                              const struct dgm_setting *setting, int may_lack)
{
    const struct dgm_opt *opt = setting->opt;

    if (setting->value == NULL && setting->item_count == 0)
        return dgm_buf_add_format(env, text, "%s is not set\n", opt->name);
    DGM_TRY(dgm_buf_add_format(env, text, "%s =", opt->name));
    for (size_t i = 0; i < setting->item_count; i++)
        DGM_TRY(add_value(env, text, opt, setting->items[i], may_lack));
    if (setting->item_count == 0)
        DGM_TRY(add_value(env, text, opt, setting->value, may_lack));
    return dgm_buf_add_char(env, text, '\n');
}

dgm_status dgm_ranks_describe(struct dgm_env *env, const struct dgm_settings *settings,
                              struct dgm_buf *text, int may_lack)
{
    for (size_t i = 0; i < settings->count; i++)
        if (!settings->items[i].opt->ranks)
            DGM_TRY(add_setting(env, text, &settings->items[i], may_lack));
    return DGM_OK;
}
