/*
 * fuzz_import.c: any bytes as the folder of another program's model: files one behind the other,
 * each behind a line "@@@ NAME". What is accepted is loaded, and its vocabularies fit its tables.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/vfs.h"
#include "device/device.h"
#include "model/foreign/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_FILES = 12, MOST_NAME = 40, FIRST_FD = 10 };

#define FOLDER "f"
#define MARK "@@@ "

struct file {
    char name[MOST_NAME];
    const uint8_t *bytes;
    size_t size, at;
};

static struct {
    struct file files[MOST_FILES];
    size_t count, next; /* next: of a listing */
} folder;

static void require(int holds)
{
    if (!holds)
        abort();
}

/* ---- the folder ------------------------------------------------------------------------------ */

/* Where the next mark at the start of a line stands, or the end. */
static size_t find_mark(const uint8_t *data, size_t size, size_t at)
{
    const size_t length = sizeof MARK - 1;

    for (; at + length <= size; at++)
        if (memcmp(data + at, MARK, length) == 0 && (at == 0 || data[at - 1] == '\n'))
            return at;
    return size;
}

static void split(const uint8_t *data, size_t size)
{
    size_t at = find_mark(data, size, 0);

    folder.count = 0;
    while (at < size && folder.count < MOST_FILES) {
        const size_t end = find_mark(data, size, at + 1), begin = at + sizeof MARK - 1;
        const uint8_t *line = memchr(data + begin, '\n', end - begin);
        struct file *file = &folder.files[folder.count];
        const size_t length = line != NULL ? (size_t)(line - data) - begin : 0;

        at = end;
        if (length == 0 || length >= MOST_NAME)
            continue;
        memcpy(file->name, data + begin, length);
        file->name[length] = '\0';
        file->bytes = line + 1;
        file->size = (size_t)(data + end - file->bytes);
        file->size -= end < size && file->size > 0; /* the line end in front of the next mark */
        folder.count++;
    }
}

static struct file *find(const char *path)
{
    for (size_t i = 0; i < folder.count; i++)
        if (strncmp(path, FOLDER "/", 2) == 0 && strcmp(path + 2, folder.files[i].name) == 0)
            return &folder.files[i];
    errno = ENOENT;
    return NULL;
}

static int open_file(void *user, const char *path, int flags, unsigned mode)
{
    struct file *file = find(path);

    (void)user;
    (void)flags;
    (void)mode;
    if (file == NULL)
        return -1;
    file->at = 0;
    return FIRST_FD + (int)(file - folder.files);
}

static long read_place(void *user, int fd, void *out, size_t count, long long offset)
{
    const struct file *file = &folder.files[fd - FIRST_FD];
    const size_t at = (size_t)offset < file->size ? (size_t)offset : file->size;
    const size_t taken = count < file->size - at ? count : file->size - at;

    (void)user;
    if (taken > 0)
        memcpy(out, file->bytes + at, taken);
    return (long)taken;
}

static long read_file(void *user, int fd, void *out, size_t count)
{
    struct file *file = &folder.files[fd - FIRST_FD];
    const long got = read_place(user, fd, out, count, (long long)file->at);

    file->at += (size_t)got;
    return got;
}

static int close_file(void *user, int fd)
{
    (void)user;
    (void)fd;
    return 0;
}

static int size_of(void *user, int fd, long long *bytes, int *is_regular)
{
    (void)user;
    *bytes = (long long)folder.files[fd - FIRST_FD].size;
    *is_regular = 1;
    return 0;
}

static int info_of(void *user, int fd, const char *path, int follow, struct dgm_file_info *info)
{
    (void)user;
    (void)fd;
    (void)follow;
    memset(info, 0, sizeof *info);
    info->kind = strcmp(path, FOLDER) == 0 ? DGM_FILE_FOLDER : DGM_FILE_REGULAR;
    return info->kind == DGM_FILE_FOLDER || find(path) != NULL ? 0 : -1;
}

static void *open_folder(void *user, const char *path)
{
    (void)user;
    require(strcmp(path, FOLDER) == 0);
    folder.next = 0;
    return &folder;
}

static const char *next_name(void *user, void *open)
{
    (void)user;
    (void)open;
    errno = 0;
    return folder.next < folder.count ? folder.files[folder.next++].name : NULL;
}

static int close_folder(void *user, void *open)
{
    (void)user;
    (void)open;
    return 0;
}

/* ---- the import ------------------------------------------------------------------------------ */

/* One for all inputs. */
static struct dgm_device *device(void)
{
    static const struct dgm_device_options options = { .threads = 1, .isa = "c" };
    static struct dgm_device *made;
    static struct dgm_env env;

    if (made == NULL) {
        dgm_env_init(&env);
        require(dgm_device_open(&env, &made, "cpu", &options) == DGM_OK);
    }
    return made;
}

static void check_import(const struct dgm_import *import)
{
    const struct dgm_params *params = &import->model.net.params;

    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < import->vocab[side].count; i++)
            require((size_t)import->vocab[side].entries[i] < import->vocab[side].our_count);
    for (size_t i = 0; i < params->count; i++) {
        const dgm_real *values = dgm_params_place(params, (dgm_param_id)i);
        const size_t count = (size_t)(params->items[i].rows * params->items[i].cols);

        for (size_t j = 0; values != NULL && j < count; j++)
            require(isfinite(values[j]));
    }
}

static void import_folder(struct dgm_env *env, const char *tokenize)
{
    const struct dgm_import_request request = { .path = FOLDER,
                                                .from = "auto",
                                                .tokenize = tokenize };
    struct dgm_import import;
    dgm_status status = dgm_import_open(env, &import, &request);

    if (status == DGM_OK)
        status = dgm_import_check(env, &import, NULL);
    if (status == DGM_OK)
        status = dgm_import_load(env, &import, device());
    if (status == DGM_OK)
        check_import(&import);
    else
        require((status == DGM_MODEL || status == DGM_DATA || status == DGM_USAGE) &&
                env->error.message[0] != '\0');
    dgm_import_clear(env, &import);
    dgm_env_clear_error(env);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dgm_vfs vfs = dgm_vfs_system;
    struct dgm_env env;

    vfs.open = open_file;
    vfs.read = read_file;
    vfs.pread = read_place;
    vfs.close = close_file;
    vfs.size = size_of;
    vfs.info = info_of;
    vfs.open_folder = open_folder;
    vfs.next_name = next_name;
    vfs.close_folder = close_folder;
    dgm_env_init(&env);
    env.vfs = &vfs;
    split(data, size);
    import_folder(&env, NULL);
    import_folder(&env, "none");
    return 0;
}
