/*
 * test_opencl_self_test.c: a task that a device computes wrongly, or cannot compute, runs on the
 * CPU, and one line says so; that it agrees is known for the next time; and the cache of all this
 * is never in the way.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/file/vfs.h"
#include "fault_case.h"
#include "opencl_case.h"

/* Opens a device, computes there twice and closes it; the result is right. */
static void compute_under(const char *rule, int is_supported)
{
    struct dgm_device *device;

    fault_arm(rule);
    CHECK_STATUS(fault_open(&device), DGM_OK);
    for (int k = 0; k < 2; k++) {
        double sum = 0;

        CHECK_STATUS(fault_compute(device, &sum), DGM_OK);
        CHECK_NEAR(sum, FAULT_SUM, 0);
    }
    CHECK_INT(device->ops->supports(device, DGM_TASK_axpby, NULL), is_supported);
    dgm_device_close(test_env(), device);
}

TEST(opencl_task_that_disagrees_runs_on_the_cpu)
{
    FAULT_BEGIN();
    unsetenv("DGM_CL_TRUST");
    compute_under("EnqueueNDRangeKernel:1+:0:axpby", 0); /* a kernel that does nothing */
    CHECK(fault.hits() > 0);
    CHECK(fault_said_once("task axpby runs on the CPU: it disagrees with the CPU"));
    CHECK(fault_said_once("runs on the CPU")); /* the fallback itself adds nothing */
    compute_under(NULL, 1);                    /* nothing of it stays */
    CHECK_STR(fault.log, "");
}

TEST(opencl_task_that_cannot_be_tried_runs_on_the_cpu)
{
    static const char *const rules[] = { "EnqueueNDRangeKernel:1+:-5:axpby", "CreateKernel:1+:-5",
                                         "EnqueueNDRangeKernel:2+:-5:axpby" };

    FAULT_BEGIN();
    unsetenv("DGM_CL_TRUST");
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        compute_under(rules[i], 0);
        CHECK(fault_said_once("task axpby runs on the CPU: it cannot be tried: "));
        CHECK(strstr(fault.log, "no kernel for it") == NULL);
    }
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    compute_under("BuildProgram:1+:-11", 0);
    CHECK(fault_said_once("task axpby runs on the CPU: it cannot be tried: "));
    CHECK(fault_said_once("opencl/elements.cl does not build: BUILD_PROGRAM_FAILURE"));
}

TEST(opencl_task_that_agreed_is_not_tried_again)
{
    FAULT_BEGIN();
    unsetenv("DGM_CL_TRUST");
    compute_under("EnqueueNDRangeKernel:3:-9999:fill", 1);
    fault_arm(NULL);
    compute_under("EnqueueNDRangeKernel:3:-9999:axpby", 1); /* two runs, no trial */
    CHECK_INT(fault.hits(), 0);
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    compute_under("EnqueueNDRangeKernel:3:-9999:axpby", 0);
    CHECK_INT(fault.hits(), 1);
}

/* Whether the device says that it runs axpby, and why or why not. */
static void check_words(const char *rule, int runs, const char *want)
{
    struct dgm_device *device;
    char words[DGM_EXPLAIN_SIZE];

    fault_arm(rule);
    CHECK_STATUS(fault_open(&device), DGM_OK);
    for (int k = 0; k < 2; k++) {
        CHECK_INT(device->ops->explain(test_env(), device, DGM_TASK_axpby, words), runs);
        CHECK(strstr(words, k == 0 || runs ? want : "it failed its trial") != NULL);
    }
    CHECK(strstr(fault.log, "task axpby") == NULL); /* the words are all */
    dgm_device_close(test_env(), device);
}

TEST(opencl_explains_what_became_of_a_trial)
{
    FAULT_BEGIN();
    check_words(NULL, 1, "it has not been tried");
    unsetenv("DGM_CL_TRUST");
    check_words("EnqueueNDRangeKernel:1+:0:axpby", 0, "it disagrees with the CPU by ");
    check_words("CreateKernel:1+:-5", 0, "it cannot be tried: ");
    check_words(NULL, 1, "it agrees with the CPU");
    check_words("EnqueueNDRangeKernel:1+:0:axpby", 1, "it agrees with the CPU"); /* on disk */
}

/* A kernel that does not care gets groups that the driver allows it. */
TEST(opencl_groups_are_as_small_as_the_driver_allows)
{
    FAULT_BEGIN();
    compute_under("GetKernelWorkGroupInfo:1+:2:axpby", 1);
    CHECK(fault.hits() > 0);
    CHECK_STR(fault.log, "");
}

/* ---- forms ---------------------------------------------------------------------------------- */

/* c (2,2) += op(a) b of ones, and sums (2) of the rows of op(a) if they are wanted; c[0]. */
static dgm_status multiply(struct dgm_device *device, enum dgm_gemm_form form, dgm_real *first)
{
    const dgm_real ones[4] = { 1, 1, 1, 1 };
    struct dgm_buffer *buffer = NULL;
    struct dgm_gemm_args args;
    dgm_status status;

    memset(&args, 0, sizeof args);
    DGM_TRY_OUT(dgm_device_alloc(test_env(), device, &buffer, 256));
    args.a.buffer = args.b.buffer = args.c.buffer = args.sums.buffer = buffer;
    args.c.offset = 64;
    args.sums.offset = 128;
    if (form != DGM_TN)
        args.sums.buffer = NULL;
    args.m = args.n = args.k = args.lda = args.ldb = args.ldc = 2;
    args.batch = 1;
    args.form = form;
    args.alpha = 1;
    DGM_TRY_OUT(dgm_device_write(test_env(), device, args.a, ones, sizeof ones));
    DGM_TRY_OUT(dgm_device_run(test_env(), device, DGM_TASK_gemm, &args));
    DGM_TRY_OUT(dgm_device_read(test_env(), device, first, args.c, sizeof *first));
out:
    dgm_device_release(test_env(), device, buffer);
    return status;
}

TEST(opencl_form_is_tried_when_it_is_needed)
{
    struct dgm_device *device;
    dgm_real first = 0;

    FAULT_BEGIN();
    unsetenv("DGM_CL_TRUST");
    fault_arm("EnqueueNDRangeKernel:1+:0:column_sums");
    setenv("DGM_CL_SHAPE", "16x1", 1);
    setenv("DGM_CL_CACHE", "0", 1); /* PoCL takes long to hand out programs */
    CHECK_STATUS(fault_open(&device), DGM_OK);
    OPENCL_SKIP_MISSHAPEN(device);
    CHECK_STATUS(multiply(device, DGM_NN, &first), DGM_OK);
    CHECK_NEAR((double)first, 2, 0);
    CHECK_INT(fault.hits(), 0);
    CHECK_STR(fault.log, "");
    CHECK_STATUS(multiply(device, DGM_TN, &first), DGM_OK);
    CHECK_NEAR((double)first, 2, 0);
    CHECK(fault.hits() > 0);
    CHECK(fault_said_once("task gemm (backward) runs on the CPU: it disagrees with the CPU"));
    CHECK_INT(device->ops->supports(device, DGM_TASK_gemm, NULL), 1); /* the other form */
    dgm_device_close(test_env(), device);
}

TEST(opencl_explains_all_forms)
{
    char words[DGM_EXPLAIN_SIZE];
    struct dgm_device *device;

    FAULT_BEGIN();
    unsetenv("DGM_CL_TRUST");
    fault_arm("EnqueueNDRangeKernel:1+:0:column_sums");
    setenv("DGM_CL_SHAPE", "16x1", 1);
    setenv("DGM_CL_CACHE", "0", 1); /* PoCL takes long to hand out programs */
    CHECK_STATUS(fault_open(&device), DGM_OK);
    OPENCL_SKIP_MISSHAPEN(device);
    CHECK_INT(device->ops->explain(test_env(), device, DGM_TASK_gemm, words), 0);
    CHECK(strncmp(words, "backward: it disagrees with the CPU", 35) == 0);
    dgm_device_close(test_env(), device);
}

/* ---- the cache on disk ---------------------------------------------------------------------- */

/* Calls `change` for every file of the cache; returns how many there are. */
static int each_file(void (*change)(const char *path))
{
    char folder[1100], path[1400];
    struct dirent *entry;
    int count = 0;
    DIR *dir;

    snprintf(folder, sizeof folder, "%s/dragoman", test_dir());
    dir = opendir(folder);
    if (dir == NULL)
        return 0;
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        change(path);
        count++;
    }
    closedir(dir);
    return count;
}

static void keep(const char *path)
{
    (void)path;
}

static void cut_half(const char *path)
{
    struct stat info;

    if (stat(path, &info) == 0 && truncate(path, info.st_size / 2) != 0)
        printf("cannot truncate %s\n", path);
}

static void cut_all(const char *path)
{
    if (truncate(path, 0) != 0)
        printf("cannot truncate %s\n", path);
}

/* One bit of the last byte. */
static void flip_bit(const char *path)
{
    FILE *file = fopen(path, "r+b");
    int c;

    if (file == NULL)
        return;
    fseek(file, -1, SEEK_END);
    c = fgetc(file);
    fseek(file, -1, SEEK_END);
    fputc(c ^ 1, file);
    fclose(file);
}

static void fill_with_text(const char *path)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL)
        return;
    fputs("not a program", file);
    fclose(file);
}

static void replace_by_folder(const char *path)
{
    remove(path);
    mkdir(path, 0777);
}

static void hide(const char *path)
{
    chmod(path, 0);
}

TEST(opencl_cache_that_is_damaged_is_made_again)
{
    static void (*const changes[])(const char *) = { cut_half, cut_all, flip_bit, fill_with_text,
                                                     hide };

    FAULT_BEGIN();
    unsetenv("DGM_CL_TRUST");
    compute_under(NULL, 1);
    CHECK(each_file(keep) >= 2);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        each_file(changes[i]);
        compute_under(NULL, 1);
        CHECK_STR(fault.log, "");
        if (changes[i] == hide)
            continue;
        compute_under("EnqueueNDRangeKernel:3:-9999:axpby", 1); /* whole again: no trial */
        CHECK_INT(fault.hits(), 0);
    }
    each_file(replace_by_folder);
    compute_under(NULL, 1);
    CHECK_STR(fault.log, "");
}

TEST(opencl_cache_without_a_home_changes_nothing)
{
    static const char *const homes[] = { "/dev/null/below", "/dev/null", "relative", "" };
    char locked[1100];

    FAULT_BEGIN();
    unsetenv("DGM_CL_TRUST");
    for (size_t i = 0; i < sizeof homes / sizeof homes[0]; i++) {
        setenv("XDG_CACHE_HOME", homes[i], 1);
        setenv("HOME", homes[i], 1);
        compute_under(NULL, 1);
        CHECK_STR(fault.log, "");
    }
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    compute_under(NULL, 1);
    snprintf(locked, sizeof locked, "%s/locked", test_dir());
    CHECK(mkdir(locked, 0500) == 0);
    setenv("XDG_CACHE_HOME", locked, 1);
    compute_under(NULL, 1);
    CHECK_STR(fault.log, "");
}

static void make_old(const char *path)
{
    const struct timespec times[2] = { { 1000, 0 }, { 1000, 0 } };

    CHECK_INT(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* A file too large for the cache, of long ago; it takes no room on disk. */
static void make_large(char path[1400])
{
    int fd;

    snprintf(path, 1400, "%s/dragoman", test_dir());
    CHECK_INT(mkdir(path, 0700), 0);
    strcat(path, "/opencl-0.bin");
    fd = open(path, O_WRONLY | O_CREAT, 0666);
    CHECK(fd >= 0);
    CHECK_INT(ftruncate(fd, 200 << 20), 0);
    close(fd);
    make_old(path);
}

TEST(opencl_cache_is_bounded_by_those_who_add_to_it)
{
    char large[1400];

    FAULT_BEGIN();
    make_large(large);
    compute_under(NULL, 1);
    CHECK(access(large, F_OK) != 0);
    CHECK(each_file(keep) > 0);
}

static int young_files;

static void count_young(const char *path)
{
    struct stat info;

    young_files += stat(path, &info) == 0 && info.st_mtime != 1000;
}

TEST(opencl_cache_knows_what_was_used)
{
    FAULT_BEGIN();
    unsetenv("DGM_CL_TRUST");
    compute_under(NULL, 1);
    each_file(make_old);
    compute_under(NULL, 1);
    young_files = 0;
    each_file(count_young);
    CHECK(young_files >= 2); /* the program, and that its task agrees */
}

/* ---- a full disk ---------------------------------------------------------------------------- */

static long write_nothing(void *user, int fd, const void *data, size_t count)
{
    (void)user;
    (void)fd;
    (void)data;
    (void)count;
    errno = ENOSPC;
    return -1;
}

TEST(opencl_cache_on_a_full_disk_changes_nothing)
{
    struct dgm_vfs full = dgm_vfs_system;

    FAULT_BEGIN();
    unsetenv("DGM_CL_TRUST");
    full.write = write_nothing;
    test_env()->vfs = &full;
    compute_under(NULL, 1);
    CHECK_STR(fault.log, "");
    CHECK_INT(each_file(keep), 0);
}
