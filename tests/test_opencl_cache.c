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
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "device/opencl/opencl.h"

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
    CHECK_INT(mkdir(folder, 0777), 0);
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

#else
#define NEEDS_OPENCL(name) TEST(name) { TEST_SKIP("this build has no OpenCL"); }
NEEDS_OPENCL(opencl_cache_drops_what_was_used_longest_ago)
#endif
