/*
 * test_gguf_fetch.c: a file read tensor by tensor gives what a loaded one gives, and finds all
 * damage.
 */
#include <string.h>

#include "base/file/vfs.h"
#include "base/mem.h"
#include "tensor/gguf/gguf_fetch.h"
#include "gguf_lab.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "test.h"

/* More than a piece of every type, and no whole number of pieces. */
enum { ROWS = 3000, COLUMNS = 64, COUNT = ROWS * COLUMNS, TYPES = 5 };

static const enum dgm_gguf_type types[TYPES] = { DGM_GGUF_F32, DGM_GGUF_F16, DGM_GGUF_BF16,
                                                 DGM_GGUF_Q8_0, DGM_GGUF_F64 };

/* A file in memory behind a table of system calls. */
static struct {
    struct dgm_buf bytes;
    struct dgm_vfs vfs;
    size_t cut; /* bytes that are left once the size was asked for; 0: all */
    int open;
} disk;

static int disk_open(void *user, const char *path, int flags, unsigned mode)
{
    (void)user;
    (void)path;
    (void)flags;
    (void)mode;
    disk.open++;
    return 99;
}

static int disk_close(void *user, int fd)
{
    (void)user;
    (void)fd;
    disk.open--;
    return 0;
}

static int disk_size(void *user, int fd, long long *bytes, int *is_regular)
{
    (void)user;
    (void)fd;
    *bytes = (long long)disk.bytes.size;
    *is_regular = 1;
    return 0;
}

static long disk_pread(void *user, int fd, void *data, size_t count, long long offset)
{
    const size_t size = disk.cut > 0 ? disk.cut : disk.bytes.size;
    const size_t left = (size_t)offset < size ? size - (size_t)offset : 0;

    (void)user;
    (void)fd;
    count = count < left ? count : left;
    memcpy(data, disk.bytes.data + offset, count);
    return (long)count;
}

static void empty_disk(void)
{
    memset(&disk, 0, sizeof disk);
    disk.vfs = dgm_vfs_system;
    disk.vfs.open = disk_open;
    disk.vfs.close = disk_close;
    disk.vfs.size = disk_size;
    disk.vfs.pread = disk_pread;
    test_env()->vfs = &disk.vfs;
}

static dgm_status add_tensors(struct dgm_gguf_writer *writer, size_t rows, const dgm_real *values)
{
    const size_t dims[2] = { rows, COLUMNS };

    for (int i = 0; i < TYPES; i++)
        DGM_TRY(dgm_gguf_add_reals(test_env(), writer, dgm_gguf_type_name(types[i]), types[i], 2,
                                   dims, values));
    return dgm_gguf_add_raw(test_env(), writer, "i8", DGM_GGUF_I8, 1, dims, values);
}

static dgm_status make_disk(size_t rows, int without_checksums)
{
    struct dgm_gguf_writer writer = { .without_checksums = without_checksums };
    dgm_real *values = dgm_alloc(test_env(), rows * COLUMNS, sizeof *values);
    dgm_status status = values != NULL ? DGM_OK : DGM_MEMORY;

    empty_disk();
    for (size_t i = 0; i < rows * COLUMNS && status == DGM_OK; i++)
        values[i] = (dgm_real)(i % 1013) / 64 - 7;
    if (status == DGM_OK)
        status = dgm_gguf_add_text(test_env(), &writer, "k", "v", 1);
    if (status == DGM_OK)
        status = add_tensors(&writer, rows, values);
    if (status == DGM_OK)
        status = dgm_gguf_write_memory(test_env(), &writer, &disk.bytes);
    dgm_gguf_writer_clear(test_env(), &writer);
    dgm_release(test_env(), values);
    return status;
}

static void clear_disk(void)
{
    dgm_buf_clear(test_env(), &disk.bytes);
    test_env()->vfs = &dgm_vfs_system;
    CHECK_INT(disk.open, 0);
}

/* Opens the file and fetches all its tensors, the floating-point ones to `out` if that is not
 * NULL. */
static dgm_status fetch_all(dgm_real *out)
{
    struct dgm_env *env = test_env();
    struct dgm_gguf file;
    dgm_status status;

    dgm_env_clear_error(env);
    DGM_TRY(dgm_gguf_open(env, &file, "m.gguf"));
    status = dgm_gguf_verify(env, &file, NULL);
    for (size_t i = 0; i < file.tensor_count && status == DGM_OK; i++)
        status = dgm_gguf_fetch(env, &file, i, i < TYPES ? out : NULL);
    dgm_gguf_clear(env, &file);
    return status;
}

/* Rows come in order, without gaps, several at a time. */
struct taken {
    dgm_real *to;
    int64_t rows, calls;
};

static void take_rows(void *user, int64_t row, int64_t count, const dgm_real *values)
{
    struct taken *taken = user;

    CHECK_INT(row, taken->rows);
    memcpy(taken->to + row * COLUMNS, values, (size_t)count * COLUMNS * sizeof *values);
    taken->rows += count;
    taken->calls++;
}

TEST(gguf_fetches_what_it_loads)
{
    struct dgm_env *env = test_env();
    struct dgm_gguf whole, open;
    dgm_real *a = dgm_alloc(env, COUNT, sizeof *a), *b = dgm_alloc(env, COUNT, sizeof *b);
    struct taken taken;

    CHECK(a != NULL && b != NULL);
    CHECK_STATUS(make_disk(ROWS, 0), DGM_OK);
    CHECK_STATUS(dgm_gguf_load(env, &whole, "m.gguf"), DGM_OK);
    CHECK_STATUS(dgm_gguf_open(env, &open, "m.gguf"), DGM_OK);
    CHECK_INT(open.tensor_count, whole.tensor_count);
    for (size_t i = 0; i < TYPES; i++) {
        memset(a, 1, COUNT * sizeof *a);
        CHECK_STATUS(dgm_gguf_read_finite(env, &whole, &whole.tensors[i], b, COUNT), DGM_OK);
        CHECK_STATUS(dgm_gguf_fetch(env, &open, i, a), DGM_OK);
        CHECK_MEM(a, b, COUNT * sizeof *a);
        taken = (struct taken){ .to = memset(a, 1, COUNT * sizeof *a) };
        CHECK_STATUS(dgm_gguf_fetch_rows(env, &open, i, take_rows, &taken), DGM_OK);
        CHECK_MEM(a, b, COUNT * sizeof *a);
        CHECK_INT(taken.rows, ROWS);
        CHECK(taken.calls < ROWS / 64); /* a piece is many rows */
    }
    CHECK_STATUS(dgm_gguf_fetch(env, &open, TYPES, NULL), DGM_OK);
    CHECK_STATUS(dgm_gguf_fetch(env, &open, TYPES, a), DGM_MODEL); /* bytes are no weights */
    dgm_env_clear_error(env);
    dgm_gguf_clear(env, &open);
    dgm_gguf_clear(env, &whole);
    clear_disk();
    dgm_release(env, a);
    dgm_release(env, b);
}

static void take_bunch(void *user, int64_t row, int64_t count, const dgm_real *values)
{
    int64_t *rows = user;

    CHECK_INT(row, *rows);
    CHECK_INT(row % 32, 0);
    CHECK(values[0] == (dgm_real)row);
    *rows += count;
}

/* Rows so long that a piece has 34 of them begin where panels of weights do, or each of these would
 * be filled number by number. */
TEST(gguf_fetches_bunches_of_long_rows)
{
    enum { LONG_ROWS = 100, LONG_COLUMNS = 2048 };
    const size_t dims[2] = { LONG_ROWS, LONG_COLUMNS };
    dgm_real *values = dgm_alloc(test_env(), LONG_ROWS * LONG_COLUMNS, sizeof *values);
    struct dgm_gguf_writer writer = { 0 };
    struct dgm_gguf file;
    int64_t rows = 0;

    CHECK(values != NULL);
    empty_disk();
    for (int i = 0; i < LONG_ROWS; i++)
        values[i * LONG_COLUMNS] = (dgm_real)i;
    CHECK_STATUS(dgm_gguf_add_reals(test_env(), &writer, "long", DGM_GGUF_F32, 2, dims, values),
                 DGM_OK);
    CHECK_STATUS(dgm_gguf_write_memory(test_env(), &writer, &disk.bytes), DGM_OK);
    dgm_gguf_writer_clear(test_env(), &writer);
    CHECK_STATUS(dgm_gguf_open(test_env(), &file, "m.gguf"), DGM_OK);
    CHECK_STATUS(dgm_gguf_fetch_rows(test_env(), &file, 0, take_bunch, &rows), DGM_OK);
    CHECK_INT(rows, LONG_ROWS);
    dgm_gguf_clear(test_env(), &file);
    clear_disk();
    dgm_release(test_env(), values);
}

TEST(gguf_fetch_finds_every_flipped_bit_that_counts)
{
    dgm_real out[2 * COLUMNS];
    struct dgm_gguf whole;

    CHECK_STATUS(make_disk(1, 0), DGM_OK);
    CHECK_STATUS(fetch_all(out), DGM_OK);
    CHECK_STATUS(dgm_gguf_parse(test_env(), &whole, disk.bytes.data, disk.bytes.size, "m.gguf"),
                 DGM_OK);
    for (size_t bit = 0; bit < 8 * disk.bytes.size; bit++) {
        disk.bytes.data[bit / 8] = (char)(disk.bytes.data[bit / 8] ^ 1 << bit % 8);
        if (fetch_all(bit % 2 ? out : NULL) != DGM_MODEL)
            CHECK(gguf_lab_is_foreign(&whole, bit / 8));
        disk.bytes.data[bit / 8] = (char)(disk.bytes.data[bit / 8] ^ 1 << bit % 8);
    }
    dgm_gguf_clear(test_env(), &whole);
    dgm_env_clear_error(test_env());
    clear_disk();
}

TEST(gguf_fetch_refuses_files_that_end_early)
{
    dgm_real out[2 * COLUMNS];
    size_t whole;

    CHECK_STATUS(make_disk(2, 1), DGM_OK);
    CHECK_STATUS(fetch_all(out), DGM_OK);
    whole = disk.bytes.size;
    for (size_t count = 0; count < whole; count++) {
        disk.bytes.size = count;
        CHECK_STATUS(fetch_all(out), DGM_MODEL);
    }
    disk.bytes.size = whole;
    for (disk.cut = 40; disk.cut < whole; disk.cut += 7) { /* after its size was asked for */
        CHECK_STATUS(fetch_all(out), DGM_MODEL);
        CHECK_STR(test_env()->error.message, "the file became shorter while it was read");
    }
    dgm_env_clear_error(test_env());
    clear_disk();
}

TEST(gguf_fetch_names_numbers_that_are_not_finite)
{
    struct dgm_env *env = test_env();
    dgm_real *out = dgm_alloc(env, COUNT, sizeof *out);
    struct dgm_gguf file;
    struct taken taken;

    CHECK(out != NULL);
    CHECK_STATUS(make_disk(ROWS, 1), DGM_OK);
    CHECK_STATUS(dgm_gguf_open(env, &file, "m.gguf"), DGM_OK);
    memcpy(disk.bytes.data + file.tensors[0].at + 4 * 100000, "\0\0\200\177", 4);
    CHECK_STATUS(dgm_gguf_fetch(env, &file, 0, out), DGM_MODEL);
    CHECK(strstr(env->error.message, "\"f32\": value 100001 of 192000 is infinite") != NULL);
    dgm_env_clear_error(env);
    taken = (struct taken){ .to = out };
    CHECK_STATUS(dgm_gguf_fetch_rows(env, &file, 0, take_rows, &taken), DGM_MODEL);
    CHECK(strstr(env->error.message, "\"f32\": value 100001 of 192000 is infinite") != NULL);
    CHECK(taken.rows <= 100000 / COLUMNS);
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_gguf_fetch(env, &file, 0, NULL), DGM_OK);
    dgm_gguf_clear(env, &file);
    clear_disk();
    dgm_release(env, out);
}
