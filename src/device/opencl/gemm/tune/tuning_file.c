/*
 * tuning_file.c: measured parameters on disk, a text file for each device in the cache's folder:
 *
 *     dragoman tuning 1
 *     device = NAME
 *     driver = VERSION
 *     cpu_groups = 4
 *
 * Parameters that it does not name have their defaults. A file of which anything is not as it
 * should be is passed over as a whole, without a word but in the debug log.
 */
#include "device/opencl/gemm/tune/tuning_file.h"

#include <string.h>

#include "base/file/file.h"
#include "base/file/vfs.h"
#include "base/file/writer.h"
#include "base/hash.h"
#include "base/number/number.h"
#include "device/opencl/system/cache.h"
#include "device/opencl/system/choose.h"

enum { LARGEST = 4096, HEAD_SIZE = 512 };

static void add_text(struct dgm_hash *hash, const char *text)
{
    dgm_hash_add(hash, text, strlen(text) + 1);
}

/* Of the device as programs are made for it: a processor has another one where it plays a GPU. */
static uint64_t make_key(const struct dgm_cl_traits *traits)
{
    const unsigned char family = (unsigned char)dgm_cl_tuning_family(traits);
    struct dgm_hash hash;

    dgm_hash_init(&hash, 3);
    add_text(&hash, traits->platform);
    add_text(&hash, traits->name);
    add_text(&hash, traits->version);
    add_text(&hash, traits->driver);
    dgm_hash_add(&hash, &family, sizeof family);
    return dgm_hash_value(&hash);
}

static dgm_status find_path(struct dgm_env *env, const struct dgm_cl_traits *traits,
                            char path[DGM_CL_PATH_SIZE], int make)
{
    return dgm_cl_cache_path(env, make_key(traits), ".txt", path, make);
}

/* What every file of this device begins with. */
static dgm_status add_head(struct dgm_env *env, struct dgm_buf *out,
                           const struct dgm_cl_traits *traits)
{
    return dgm_buf_add_format(env, out, "dragoman tuning %d\ndevice = %s\ndriver = %s\n",
                              DGM_TUNING_VERSION, traits->name, traits->driver);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int find_parameter(const char *name, size_t length)
{
    for (int i = 0; i < DGM_TUNE_COUNT; i++) {
        const char *own = dgm_cl_parameter_at((enum dgm_cl_parameter_id)i)->name;

        if (strlen(own) == length && memcmp(own, name, length) == 0)
            return i;
    }
    return -1;
}

/* One line `name = value`; 0 if it is not one. */
static int take_line(struct dgm_cl_tuning *tuning, const char *line, size_t length)
{
    const char *equals = memchr(line, '=', length);
    const size_t name = equals != NULL ? (size_t)(equals - line) : 0;
    int64_t value;
    int id;

    if (name < 2 || name + 2 >= length || equals[-1] != ' ' || equals[1] != ' ')
        return 0;
    id = find_parameter(line, name - 1);
    if (id < 0 || !dgm_number_int(&value, equals + 2, length - name - 2) || value < 0 ||
        value > INT32_MAX)
        return 0;
    tuning->value[id] = (int)value;
    return 1;
}

static int take_lines(struct dgm_cl_tuning *tuning, const char *text, size_t size)
{
    for (size_t begin = 0; begin < size;) {
        const char *feed = memchr(text + begin, '\n', size - begin);
        const size_t end = feed != NULL ? (size_t)(feed - text) : size;

        if (feed == NULL || !take_line(tuning, text + begin, end - begin))
            return 0;
        begin = end + 1;
    }
    return 1;
}

/* Whether the file is of this device and all of it can be used. */
static int take_file(struct dgm_env *env, const struct dgm_cl_traits *traits,
                     struct dgm_cl_tuning *tuning, const struct dgm_buf *file)
{
    struct dgm_buf head = { .limit = HEAD_SIZE };
    const int is_own = add_head(env, &head, traits) == DGM_OK && file->size >= head.size &&
                       memcmp(file->data, head.data, head.size) == 0;
    const size_t skip = head.size;

    dgm_buf_clear(env, &head);
    return is_own && take_lines(tuning, file->data + skip, file->size - skip) &&
           dgm_cl_tuning_fits(traits, tuning);
}

void dgm_cl_tuning_load(struct dgm_env *env, const struct dgm_cl_traits *traits,
                        struct dgm_cl_tuning *tuning)
{
    struct dgm_buf file = { .limit = LARGEST };
    struct dgm_cl_tuning stored;
    struct dgm_env quiet = dgm_env_quiet(env);
    char path[DGM_CL_PATH_SIZE];

    dgm_cl_tuning_default(traits, tuning);
    stored = *tuning;
    if (find_path(&quiet, traits, path, 0) != DGM_OK || !dgm_file_exists(&quiet, path))
        return;
    if (dgm_file_read(&quiet, &file, path) == DGM_OK && take_file(&quiet, traits, &stored, &file)) {
        *tuning = stored;
        tuning->is_stored = 1;
    } else {
        dgm_log(env, DGM_LOG_DEBUG, "%s: passed over: it is damaged or of another device", path);
    }
    dgm_buf_clear(&quiet, &file);
}

/* ---- writing --------------------------------------------------------------------------------- */

static dgm_status add_values(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_cl_traits *traits, const struct dgm_cl_tuning *tuning)
{
    for (int i = 0; i < DGM_TUNE_COUNT; i++) {
        const struct dgm_cl_parameter *own = dgm_cl_parameter_at((enum dgm_cl_parameter_id)i);

        if (own->family == dgm_cl_tuning_family(traits))
            DGM_TRY(dgm_buf_add_format(env, out, "%s = %d\n", own->name, tuning->value[i]));
    }
    return DGM_OK;
}

static dgm_status save(struct dgm_env *env, const char *path, const struct dgm_buf *text)
{
    struct dgm_writer file;
    dgm_status status;

    DGM_TRY(dgm_writer_open_own(env, &file, path));
    DGM_TRY_OUT(dgm_writer_add(env, &file, text->data, text->size));
    return dgm_writer_close(env, &file);
out:
    dgm_writer_abandon(env, &file);
    return status;
}

dgm_status dgm_cl_tuning_check(struct dgm_env *env, const struct dgm_cl_traits *traits)
{
    struct dgm_writer file;
    char path[DGM_CL_PATH_SIZE];

    DGM_TRY(find_path(env, traits, path, 1));
    DGM_TRY(dgm_writer_open_own(env, &file, path));
    dgm_writer_abandon(env, &file);
    return DGM_OK;
}

dgm_status dgm_cl_tuning_store(struct dgm_env *env, const struct dgm_cl_traits *traits,
                               const struct dgm_cl_tuning *tuning, struct dgm_buf *where)
{
    struct dgm_buf text = { .limit = LARGEST };
    char path[DGM_CL_PATH_SIZE];
    dgm_status status;

    DGM_TRY(find_path(env, traits, path, 1));
    DGM_TRY_OUT(add_head(env, &text, traits));
    DGM_TRY_OUT(add_values(env, &text, traits, tuning));
    DGM_TRY_OUT(save(env, path, &text));
    status = dgm_buf_add_text(env, where, path);
out:
    dgm_buf_clear(env, &text);
    return status;
}

void dgm_cl_tuning_forget(struct dgm_env *env, const struct dgm_cl_traits *traits)
{
    struct dgm_env quiet = dgm_env_quiet(env);
    char path[DGM_CL_PATH_SIZE];

    if (find_path(&quiet, traits, path, 0) == DGM_OK)
        env->vfs->remove(env->vfs->user, path);
}
