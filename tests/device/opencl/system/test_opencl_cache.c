/*
 * test_opencl_cache.c: the cache of programs stays below its bound: what was used longest ago goes,
 * what is not of programs stays. It needs no device.
 */
#include "config.h"
#include "test.h"

#ifdef DGM_HAVE_OPENCL
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file/vfs.h"
#include "device/opencl/system/cache.h"

/* A file of the cache of 1000 bytes, last used so many seconds ago. */
static void make_file(const char *name, int seconds)
{
    struct timespec times[2];
    char path[1400];
    FILE *file;

    snprintf(path, sizeof path, "%s/dragoman/%s", test_dir(), name);
    file = fopen(path, "wb");
    CHECK(file != NULL);
    fprintf(file, "%1000d", 1);
    fclose(file);
    times[0].tv_sec = times[1].tv_sec = time(NULL) - seconds;
    times[0].tv_nsec = times[1].tv_nsec = 0;
    CHECK_INT(utimensat(AT_FDCWD, path, times, 0), 0);
}

static int has_file(const char *name)
{
    char path[1400];

    snprintf(path, sizeof path, "%s/dragoman/%s", test_dir(), name);
    return access(path, F_OK) == 0;
}

TEST(opencl_cache_drops_what_was_used_longest_ago)
{
    char folder[1400];

    setenv("XDG_CACHE_HOME", test_dir(), 1);
    snprintf(folder, sizeof folder, "%s/dragoman", test_dir());
    dgm_cl_cache_prune(test_env(), 0); /* there is no folder: nothing happens */
    CHECK_INT(mkdir(folder, 0700), 0);
    make_file("opencl-3.bin", 50);
    make_file("opencl-1.bin", 500);
    make_file("opencl-2.bin", 5000);
    make_file("opencl-4.txt", 90000); /* not programs */
    make_file("other.bin", 90000);
    make_file(".tmp-1-0", 90000); /* of a process that died; of one that lives */
    make_file(".tmp-2-0", 60);
    dgm_cl_cache_prune(test_env(), 3000);
    CHECK(has_file("opencl-1.bin") && has_file("opencl-2.bin") && has_file("opencl-3.bin"));
    CHECK(!has_file(".tmp-1-0") && has_file(".tmp-2-0"));
    dgm_cl_cache_prune(test_env(), 2999);
    CHECK(has_file("opencl-1.bin") && !has_file("opencl-2.bin") && has_file("opencl-3.bin"));
    dgm_cl_cache_prune(test_env(), 1000);
    CHECK(!has_file("opencl-1.bin") && has_file("opencl-3.bin"));
    dgm_cl_cache_prune(test_env(), 0);
    CHECK(!has_file("opencl-3.bin") && has_file("opencl-4.txt") && has_file("other.bin"));
    CHECK_STATUS(test_env()->error.status, DGM_OK);
}

/* ---- whose it is ----------------------------------------------------------------------------- */

static int is_kept(void)
{
    struct dgm_buf content = { NULL, 0, 0, 0 };
    int result;

    dgm_cl_cache_put(test_env(), 7, "program", 7);
    dgm_cl_cache_get(test_env(), 7, &content);
    result = content.size == 7;
    dgm_buf_clear(test_env(), &content);
    return result;
}

static char heard[2000];

static void hear(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    snprintf(heard, sizeof heard, "%s", text);
}

static const char *announcement(void)
{
    heard[0] = '\0';
    test_env()->log = hear;
    test_env()->log_level = DGM_LOG_DEBUG;
    dgm_cl_cache_announce(test_env());
    test_env()->log = NULL;
    return heard;
}

static int info_of_another(void *user, int fd, const char *path, int follow,
                           struct dgm_file_info *info)
{
    int result = dgm_vfs_system.info(user, fd, path, follow, info);

    info->owner++;
    return result;
}

TEST(opencl_cache_is_made_for_us_alone)
{
    struct stat info;
    char home[1400], folder[1500];

    snprintf(home, sizeof home, "%s/home", test_dir());
    snprintf(folder, sizeof folder, "%s/dragoman", home);
    setenv("XDG_CACHE_HOME", home, 1);
    CHECK_STR(announcement(), ""); /* there may be none yet */
    CHECK(is_kept());
    CHECK(stat(home, &info) == 0 && (info.st_mode & 07777) == 0700);
    CHECK(stat(folder, &info) == 0 && (info.st_mode & 07777) == 0700);
    CHECK_STR(announcement(), "");
}

TEST(opencl_cache_is_not_used_where_others_may_write)
{
    static const unsigned modes[] = { 0777, 0770, 0702, 0720, 01777 };
    struct dgm_vfs other = dgm_vfs_system;
    char folder[1400], elsewhere[1400], file[1500];
    size_t i;

    setenv("XDG_CACHE_HOME", test_dir(), 1);
    snprintf(folder, sizeof folder, "%s/dragoman", test_dir());
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", test_dir());
    snprintf(file, sizeof file, "%s/opencl-1.bin", folder);
    CHECK(is_kept());
    CHECK(chmod(folder, 0755) == 0 && is_kept());
    for (i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        CHECK(chmod(folder, modes[i]) == 0);
        CHECK(!is_kept());
        CHECK(strstr(announcement(), "others may write there") != NULL);
    }
    make_file("opencl-1.bin", 500);
    dgm_cl_cache_prune(test_env(), 0);
    CHECK(has_file("opencl-1.bin"));
    CHECK(chmod(folder, 0700) == 0 && is_kept());
    other.info = info_of_another;
    test_env()->vfs = &other;
    CHECK(!is_kept());
    CHECK(strstr(announcement(), "others may write there") != NULL);
    test_env()->vfs = &dgm_vfs_system;
    CHECK(rename(folder, elsewhere) == 0 && symlink("elsewhere", folder) == 0 && is_kept());
    CHECK(chmod(elsewhere, 0777) == 0 && !is_kept()); /* a link of ours; what it leads to counts */
    CHECK_STATUS(test_env()->error.status, DGM_OK);
}

#else
#define NEEDS_OPENCL(name)                     \
    TEST(name)                                 \
    {                                          \
        TEST_SKIP("this build has no OpenCL"); \
    }
NEEDS_OPENCL(opencl_cache_drops_what_was_used_longest_ago)
NEEDS_OPENCL(opencl_cache_is_made_for_us_alone)
NEEDS_OPENCL(opencl_cache_is_not_used_where_others_may_write)
#endif
