/*
 * checkpoint.c: a folder of checkpoints.
 */
#include "train/store/checkpoint.h"

#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/output.h"
#include "base/file/replacement.h"
#include "base/file/second_name.h"
#include "base/file/vfs.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "train/store/state_file.h"

enum { PATH_SIZE = DGM_CHECKPOINT_PATH };

#define KEY_LIST "dragoman.state.checkpoints"
#define KEY_SAVES "dragoman.state.saves"

/* Eight digits sort as text up to 99,999,999 updates; more digits are fine, order is by number. */
static void make_name(char *name, size_t size, int64_t update, int is_regular)
{
    snprintf(name, size, "update-%08lld%s.gguf", (long long)update, is_regular ? "" : "-stop");
}

void dgm_checkpoints_join(char path[DGM_CHECKPOINT_PATH], const struct dgm_checkpoints *checkpoints,
                          const char *name)
{
    snprintf(path, PATH_SIZE, "%s/%s", checkpoints->folder, name);
}

void dgm_checkpoints_path(char path[DGM_CHECKPOINT_PATH], const struct dgm_checkpoints *checkpoints,
                          int64_t update, int is_regular)
{
    char name[64];

    make_name(name, sizeof name, update, is_regular);
    dgm_checkpoints_join(path, checkpoints, name);
}

/* ---- listing ------------------------------------------------------------------------------- */

static dgm_status add_regular(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                              int64_t update)
{
    size_t i = checkpoints->regular_count;

    DGM_TRY(dgm_grow(env, &checkpoints->regular, &checkpoints->regular_capacity, i,
                     sizeof *checkpoints->regular));
    while (i > 0 && checkpoints->regular[i - 1] > update) {
        checkpoints->regular[i] = checkpoints->regular[i - 1];
        i--;
    }
    checkpoints->regular[i] = update;
    checkpoints->regular_count++;
    return DGM_OK;
}

/* Whether a file has the name of a checkpoint, exactly as make_name writes it. */
static int is_checkpoint(const char *name, int64_t *update, int is_regular)
{
    const char *digits = name + strlen("update-");
    char same[64];

    if (strncmp(name, "update-", strlen("update-")) != 0 ||
        !dgm_number_int(update, digits, strspn(digits, "0123456789")))
        return 0;
    make_name(same, sizeof same, *update, is_regular);
    return strcmp(name, same) == 0;
}

/* Whether a process that was killed while saving has left this file; older versions used the last
 * name. */
static int is_left_over(const char *name)
{
    return strncmp(name, ".tmp-", strlen(".tmp-")) == 0 ||
           strcmp(name, "best.gguf.tmp-link") == 0 || strcmp(name, "best.tmp-link") == 0;
}

static dgm_status note_file(struct dgm_env *env, void *user, const char *name)
{
    struct dgm_checkpoints *checkpoints = user;
    char path[PATH_SIZE];
    int64_t update;

    if (is_left_over(name) && checkpoints->is_reader)
        return DGM_OK;
    if (is_left_over(name)) {
        dgm_checkpoints_join(path, checkpoints, name);
        env->vfs->remove(env->vfs->user, path);
        return DGM_OK;
    }
    if (is_checkpoint(name, &update, 1))
        return add_regular(env, checkpoints, update);
    if (is_checkpoint(name, &update, 0) && update > checkpoints->stopped)
        checkpoints->stopped = update;
    return DGM_OK;
}

static dgm_status name_folder(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                              const char *model_path)
{
    *checkpoints = (struct dgm_checkpoints){ .lock.fd = -1, .stopped = -1 };
    if (strlen(model_path) + 6 > sizeof checkpoints->folder)
        return dgm_fail(env, DGM_USAGE, "the model's path is longer than %zu bytes",
                        sizeof checkpoints->folder - 6);
    snprintf(checkpoints->folder, sizeof checkpoints->folder, "%s.ckpt", model_path);
    return DGM_OK;
}

dgm_status dgm_checkpoints_look(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                const char *model_path)
{
    DGM_TRY(name_folder(env, checkpoints, model_path));
    checkpoints->is_reader = 1;
    if (!dgm_file_exists(env, checkpoints->folder))
        return DGM_OK;
    return dgm_folder_list(env, checkpoints->folder, note_file, checkpoints);
}

dgm_status dgm_checkpoints_open(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                const char *model_path, int may_lack_lock)
{
    struct dgm_output model;
    char path[PATH_SIZE];

    DGM_TRY(name_folder(env, checkpoints, model_path));
    checkpoints->may_lack_lock = may_lack_lock;
    DGM_TRY(dgm_folder_make(env, checkpoints->folder, 0777, &checkpoints->made));
    dgm_checkpoints_join(path, checkpoints, "lock");
    DGM_TRY(dgm_lock_take(env, &checkpoints->lock, path, may_lack_lock));
    DGM_TRY(dgm_output_find(env, &model, model_path));
    dgm_replacement_sweep(env, model.path, "GGUF");
    return dgm_folder_list(env, checkpoints->folder, note_file, checkpoints);
}

void dgm_checkpoints_close(struct dgm_env *env, struct dgm_checkpoints *checkpoints)
{
    char path[PATH_SIZE];

    dgm_checkpoints_join(path, checkpoints, "lock");
    if (checkpoints->has_begun)
        dgm_lock_drop(env, &checkpoints->lock);
    else if (!checkpoints->is_reader)
        dgm_lock_undo(env, &checkpoints->lock, path);
    if (checkpoints->made && !checkpoints->has_begun)
        env->vfs->remove_folder(env->vfs->user, checkpoints->folder); /* if it is empty */
    dgm_release(env, checkpoints->regular);
    *checkpoints = (struct dgm_checkpoints){ .lock.fd = -1 };
}

static void remove_stopped(struct dgm_env *env, struct dgm_checkpoints *checkpoints)
{
    char path[PATH_SIZE];

    if (checkpoints->stopped < 0)
        return;
    dgm_checkpoints_path(path, checkpoints, checkpoints->stopped, 0);
    env->vfs->remove(env->vfs->user, path);
    checkpoints->stopped = -1;
}

static void remove_oldest(struct dgm_env *env, struct dgm_checkpoints *checkpoints)
{
    char path[PATH_SIZE];

    dgm_checkpoints_path(path, checkpoints, checkpoints->regular[0], 1);
    env->vfs->remove(env->vfs->user, path);
    checkpoints->regular_count--;
    memmove(checkpoints->regular, checkpoints->regular + 1,
            checkpoints->regular_count * sizeof *checkpoints->regular);
}

/* ---- saving -------------------------------------------------------------------------------- */

/* The regular checkpoints that there will be once this one is written. */
static dgm_status add_list(struct dgm_env *env, struct dgm_gguf_writer *writer,
                           const struct dgm_checkpoints *checkpoints, size_t keep)
{
    size_t i, count = checkpoints->regular_count < keep ? checkpoints->regular_count : keep;
    size_t first = checkpoints->regular_count - count;
    uint64_t *items;
    dgm_status status;

    DGM_TRY(dgm_new(env, &items, count + 1, sizeof *items));
    for (i = 0; i < count; i++)
        items[i] = (uint64_t)checkpoints->regular[first + i];
    status = dgm_gguf_add_u64s(env, writer, KEY_LIST, items, count);
    dgm_release(env, items);
    return status == DGM_OK ? dgm_gguf_add_i64(env, writer, KEY_SAVES, checkpoints->saves) : status;
}

static dgm_status write_file(struct dgm_env *env, const char *path,
                             const struct dgm_checkpoints *checkpoints,
                             struct dgm_gguf_writer *writer,
                             const struct dgm_checkpoint_parts *parts, size_t keep)
{
    DGM_TRY(dgm_train_state_save(env, writer, parts->state));
    DGM_TRY(add_list(env, writer, checkpoints, keep));
    return dgm_checkpoint_parts_write(env, writer, parts, path);
}

dgm_status dgm_checkpoints_mark_best(struct dgm_env *env, const struct dgm_checkpoints *checkpoints,
                                     const char *path)
{
    char best[PATH_SIZE];

    dgm_checkpoints_join(best, checkpoints, "best.gguf");
    return dgm_second_name_make(env, path, best);
}

static dgm_status note_save(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                            int64_t update)
{
    if (checkpoints->regular_count > 0 &&
        checkpoints->regular[checkpoints->regular_count - 1] == update)
        return DGM_OK;
    DGM_TRY(add_regular(env, checkpoints, update));
    checkpoints->saves++;
    return DGM_OK;
}

/*
 * The order of the steps is what makes a kill between any two of them harmless. The new file is
 * written to the side and renamed into place, so that it is there whole or not at all. Only then
 * does best.gguf become its second name, and only then do older checkpoints go: at every moment the
 * newest file that is whole is one to resume from.
 */
dgm_status dgm_checkpoints_save(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                struct dgm_gguf_writer *writer,
                                const struct dgm_checkpoint_parts *parts, int is_regular,
                                int is_best, size_t keep)
{
    const int64_t update = parts->state->updates;
    char path[PATH_SIZE];

    dgm_checkpoints_path(path, checkpoints, update, is_regular);
    if (is_regular)
        DGM_TRY(note_save(env, checkpoints, update));
    DGM_TRY(write_file(env, path, checkpoints, writer, parts, keep));
    if (is_best)
        DGM_TRY(dgm_checkpoints_mark_best(env, checkpoints, path));
    /* A -stop file of this very update has just been replaced by the same name: it stays. */
    if (checkpoints->stopped != update || is_regular)
        remove_stopped(env, checkpoints);
    if (!is_regular) {
        checkpoints->stopped = update;
        return DGM_OK;
    }
    while (checkpoints->regular_count > keep)
        remove_oldest(env, checkpoints);
    return DGM_OK;
}

void dgm_checkpoints_last(const struct dgm_checkpoints *checkpoints, char path[DGM_CHECKPOINT_PATH])
{
    size_t count = checkpoints->regular_count;
    int64_t regular = count > 0 ? checkpoints->regular[count - 1] : -1;

    strcpy(path, "none");
    if (regular >= 0 || checkpoints->stopped >= 0)
        dgm_checkpoints_path(path, checkpoints,
                             regular >= checkpoints->stopped ? regular : checkpoints->stopped,
                             regular >= checkpoints->stopped);
}

/* ---- finding ------------------------------------------------------------------------------- */

/* Opens and verifies one file; a damaged one is reported and yields *whole = 0. */
static dgm_status open_whole(struct dgm_env *env, const char *path, struct dgm_gguf *file,
                             int *whole)
{
    dgm_status status = dgm_gguf_load(env, file, path);

    if (status == DGM_OK)
        status = dgm_gguf_verify(env, file, NULL);
    *whole = status == DGM_OK;
    if (status == DGM_OK || status == DGM_MEMORY)
        return status;
    dgm_log(env, DGM_LOG_WARNING, "%s: %s; trying an older checkpoint", path, env->error.message);
    dgm_env_clear_error(env);
    dgm_gguf_clear(env, file);
    memset(file, 0, sizeof *file);
    return DGM_OK;
}

dgm_status dgm_checkpoints_newest(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                  struct dgm_gguf *file, int *found)
{
    size_t i = checkpoints->regular_count;
    int64_t stopped = checkpoints->stopped;
    char path[PATH_SIZE];
    int use_stopped = 0;

    *found = 0;
    memset(file, 0, sizeof *file);
    if (i == 0 && stopped < 0)
        return DGM_OK;
    /* From the newest to the oldest, regular ones and the one of a stop merged by their updates. */
    while (!*found && (i > 0 || stopped >= 0)) {
        use_stopped = stopped >= 0 && (i == 0 || stopped > checkpoints->regular[i - 1]);
        dgm_checkpoints_path(path, checkpoints, use_stopped ? stopped : checkpoints->regular[i - 1],
                             !use_stopped);
        DGM_TRY(open_whole(env, path, file, found));
        checkpoints->newest_update = use_stopped ? stopped : checkpoints->regular[i - 1];
        if (use_stopped)
            stopped = -1;
        else
            i--;
    }
    if (!*found)
        return dgm_fail_at(env, DGM_MODEL, checkpoints->folder, 0, 0,
                           "no checkpoint is whole; nothing was changed. Try --overwrite to "
                           "start again");
    /* Newer files that are damaged are no part of this run: they are neither counted nor averaged,
     * and the run will replace them when it comes to their updates again. */
    checkpoints->regular_count = i + !use_stopped;
    memcpy(checkpoints->newest, path, sizeof path);
    return DGM_OK;
}

static int has_regular(const struct dgm_checkpoints *checkpoints, int64_t update)
{
    for (size_t i = 0; i < checkpoints->regular_count; i++)
        if (checkpoints->regular[i] == update)
            return 1;
    return 0;
}

/* Adds the listed checkpoints that are not there: the final model will say that it misses them. */
static dgm_status add_listed(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                             const struct dgm_gguf *file, const struct dgm_gguf_key *list,
                             size_t count)
{
    int64_t before = -1;

    for (size_t i = 0; i < count; i++) {
        int64_t update = dgm_gguf_int_at(file, list, i);
        if (update <= before || update > checkpoints->newest_update)
            return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                               "key " KEY_LIST " has %lld; "
                               "expected rising numbers of updates, at most that of the file. Try "
                               "--overwrite to start again",
                               (long long)update);
        if (!has_regular(checkpoints, update))
            DGM_TRY(add_regular(env, checkpoints, update));
        before = update;
    }
    return DGM_OK;
}

dgm_status dgm_checkpoints_expect(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                  const struct dgm_gguf *file)
{
    const struct dgm_gguf_key *list;
    int64_t saves;
    size_t count;

    checkpoints->saves = (int64_t)checkpoints->regular_count;
    if (dgm_gguf_find_key(file, KEY_LIST) == NULL)
        return DGM_OK;
    list = dgm_gguf_ints(file, KEY_LIST, &count);
    if (list == NULL || count > DGM_CHECKPOINTS_MOST)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "key " KEY_LIST " is no list of at "
                           "most %d whole numbers",
                           (int)DGM_CHECKPOINTS_MOST);
    DGM_TRY(add_listed(env, checkpoints, file, list, count));
    if (!dgm_gguf_int(file, KEY_SAVES, &saves) || saves < (int64_t)count ||
        saves > checkpoints->newest_update + 1)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "key " KEY_SAVES " is missing or out "
                           "of range; expected %zu..%lld. Try --overwrite to start again",
                           count, (long long)checkpoints->newest_update + 1);
    checkpoints->saves = saves;
    return DGM_OK;
}
