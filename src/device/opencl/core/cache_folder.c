/*
 * cache_folder.c: where the cache lies, and whether it may be used.
 *
 * A driver runs what stands there. So the folder is made for us alone, and is used only if it is
 * ours and nobody else may write in it: in a home that several share, such as /tmp, others may have
 * made it before.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "device/opencl/core/environment.h"
#include "device/opencl/core/opencl.h"

enum { OTHERS_MAY_WRITE = 022 };

static dgm_status check(struct dgm_env *env, const char *path)
{
    const struct dgm_vfs *vfs = env->vfs;
    const unsigned us = (unsigned)geteuid();
    struct dgm_file_info name, folder;

    if (vfs->info(vfs->user, -1, path, 0, &name) != 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? DGM_OK
                   : dgm_file_fail(env, DGM_FAILURE, path, "no cache there");
    if (vfs->info(vfs->user, -1, path, 1, &folder) != 0)
        return dgm_file_fail(env, DGM_FAILURE, path, "no cache there");
    if (folder.kind == DGM_FILE_FOLDER && name.owner == us && folder.owner == us &&
        !(folder.mode & OTHERS_MAY_WRITE))
        return DGM_OK;
    return dgm_fail_at(env, DGM_FAILURE, path, 0, 0,
                       "others may write there; expected a folder of "
                       "yours that nobody else may write to (chmod 700)");
}

dgm_status dgm_cl_cache_folder(struct dgm_env *env, char path[DGM_CL_PATH_SIZE], int make)
{
    if (!dgm_cl_cache_home(path, DGM_CL_PATH_SIZE - 60))
        return dgm_fail(env, DGM_FAILURE,
                        "there is no folder for a cache: set XDG_CACHE_HOME, or "
                        "HOME, to an absolute path");
    if (make)
        DGM_TRY(dgm_folder_make(env, path, 0700, NULL));
    strcat(path, "/dragoman");
    if (make)
        DGM_TRY(dgm_folder_make(env, path, 0700, NULL));
    return check(env, path);
}

void dgm_cl_cache_announce(struct dgm_env *env)
{
    struct dgm_env quiet = *env;
    char path[DGM_CL_PATH_SIZE];

    quiet.log = NULL;
    dgm_env_clear_error(&quiet);
    if (dgm_cl_cache_folder(&quiet, path, 0) != DGM_OK && quiet.error.file[0] != '\0')
        dgm_log(env, DGM_LOG_DEBUG, "%s: no cache of OpenCL programs: %s", quiet.error.file,
                quiet.error.message);
}
