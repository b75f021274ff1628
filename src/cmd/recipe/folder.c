/* folder.c: the folder of a course, MODEL.course: made, told from others', locked. */
#include "cmd/recipe/folder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/hash.h"

enum { NAME = 1200, CHUNK = 1 << 16 };

static const char mark[] = "# dragoman train --recipe auto: the commands that are done, as a shell "
                           "can repeat them";

dgm_status dgm_recipe_folder_name(struct dgm_env *env, struct dgm_recipe_folder *folder,
                                  const char *model)
{
    folder->lock.fd = -1;
    if (strlen(model) > 1000)
        return dgm_fail(env, DGM_USAGE, "--model: a path of %zu bytes; expected at most 1000",
                        strlen(model));
    snprintf(folder->path, sizeof folder->path, "%s.course", model);
    return DGM_OK;
}

/* ---- whose it is ----------------------------------------------------------------------------- */

/* A course that ended in its first moments has left its lock, or what was to become the journal. */
static dgm_status look(struct dgm_env *env, void *path, const char *name)
{
    if (strcmp(name, "lock") == 0 || strncmp(name, ".tmp", 4) == 0)
        return DGM_OK;
    return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                       "is a folder of other files, such as %s; expected none, or that of a "
                       "course, which has a file `commands`: name another --model",
                       name);
}

static dgm_status check_mark(struct dgm_env *env, const struct dgm_recipe_folder *folder)
{
    const struct dgm_buf *old = &folder->journal.old;

    if (old->size >= sizeof mark && memcmp(old->data, mark, sizeof mark - 1) == 0)
        return DGM_OK;
    return dgm_fail_at(env, DGM_USAGE, folder->journal.path, 0, 0,
                       "no course has written this file; expected none, or one that begins with "
                       "\"# dragoman train --recipe auto\": name another --model");
}

static dgm_status read_journal(struct dgm_env *env, struct dgm_recipe_folder *folder)
{
    char path[NAME];

    snprintf(path, sizeof path, "%s/commands", folder->path);
    DGM_TRY(dgm_journal_open(env, &folder->journal, path));
    DGM_TRY(folder->journal.old.data != NULL
                ? check_mark(env, folder)
                : dgm_folder_list(env, folder->path, look, folder->path));
    return dgm_journal_pass(env, &folder->journal, mark);
}

dgm_status dgm_recipe_folder_open(struct dgm_env *env, struct dgm_recipe_folder *folder,
                                  int may_lack_lock)
{
    char path[NAME];
    int is_made;

    DGM_TRY(dgm_folder_make(env, folder->path, 0777, &is_made));
    if (!is_made) /* nothing is made among files of somebody else */
        DGM_TRY(read_journal(env, folder));
    dgm_journal_close(env, &folder->journal);
    snprintf(path, sizeof path, "%s/lock", folder->path);
    DGM_TRY(dgm_lock_take(env, &folder->lock, path, may_lack_lock));
    return read_journal(env, folder);
}

void dgm_recipe_folder_close(struct dgm_env *env, struct dgm_recipe_folder *folder)
{
    dgm_journal_close(env, &folder->journal);
    dgm_lock_drop(env, &folder->lock);
}

/* ---- texts ----------------------------------------------------------------------------------- */

static dgm_status add_file(struct dgm_env *env, struct dgm_hash *hash, int fd, const char *path)
{
    char chunk[CHUNK];
    size_t got;

    do {
        DGM_TRY(dgm_file_read_some(env, &got, fd, path, chunk, sizeof chunk));
        dgm_hash_add(hash, chunk, got);
    } while (got > 0);
    return DGM_OK;
}

dgm_status dgm_recipe_folder_text(struct dgm_env *env, struct dgm_recipe_folder *folder,
                                  const char *path)
{
    struct dgm_hash hash;
    char remark[100];
    dgm_status status;
    int fd;

    dgm_hash_init(&hash, 0);
    DGM_TRY(dgm_file_open(env, &fd, path, NULL, NULL));
    status = add_file(env, &hash, fd, path);
    dgm_file_close(env, fd);
    DGM_TRY(status);
    snprintf(remark, sizeof remark, "# text: %" PRIu64 " bytes, XXH64 %016" PRIx64, hash.total,
             dgm_hash_value(&hash));
    return dgm_journal_pass(env, &folder->journal, remark);
}
