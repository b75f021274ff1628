/* langid_file.c: a model of languages to and from a file. Nothing of a file is believed. */
#include "model/file/langid_file.h"

#include <string.h>

#include "base/le.h"
#include "base/mem.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"

#define VERSION_KEY "dragoman.langid.version"
#define SCALE_KEY "dragoman.langid.scale"
#define KEYS "langid.keys"
#define WEIGHTS "langid.weights"

enum { VERSION = 1 };

int dgm_langid_is_in(const struct dgm_gguf *file)
{
    return dgm_gguf_find_key(file, DGM_LANGID_CODES_KEY) != NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

static dgm_status check_version(struct dgm_env *env, const struct dgm_gguf *file)
{
    int64_t version = 0;

    if (!dgm_langid_is_in(file))
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "key " DGM_LANGID_CODES_KEY
                           " is missing; expected a model of languages, which "
                           "dragoman langid train writes");
    if (!dgm_gguf_int(file, VERSION_KEY, &version) || version != VERSION)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           VERSION_KEY " is not %d: the file is damaged, or for another version",
                           VERSION);
    return DGM_OK;
}

static dgm_status find_languages(struct dgm_env *env, const struct dgm_gguf *file, size_t *count)
{
    if (dgm_gguf_strings(file, DGM_LANGID_CODES_KEY, count) == NULL || *count < 2 ||
        *count > DGM_LANGID_LANGUAGES)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           DGM_LANGID_CODES_KEY " is no list of 2 to %d texts",
                           DGM_LANGID_LANGUAGES);
    return DGM_OK;
}

/* A tensor of this type, with `columns` for each n-gram. */
static dgm_status find_tensor(struct dgm_env *env, const struct dgm_gguf *file, const char *name,
                              enum dgm_gguf_type type, size_t columns,
                              const struct dgm_gguf_tensor **tensor)
{
    const struct dgm_gguf_tensor *found = dgm_gguf_find_tensor(file, name);

    if (found == NULL || found->type != type || found->rank != (columns > 0 ? 2 : 1) ||
        (columns > 0 && found->dims[1] != columns) || found->dims[0] < 1 ||
        found->dims[0] > DGM_LANGID_GRAMS)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "tensor \"%s\" is missing or of another kind; expected %s, at most %d x "
                           "%zu",
                           name, dgm_gguf_type_name(type), DGM_LANGID_GRAMS,
                           columns > 0 ? columns : 1);
    *tensor = found;
    return DGM_OK;
}

static dgm_status read_languages(struct dgm_env *env, struct dgm_langid_model *model,
                                 const struct dgm_gguf *file)
{
    size_t count, bytes;
    const struct dgm_gguf_key *key = dgm_gguf_strings(file, DGM_LANGID_CODES_KEY, &count);

    for (size_t i = 0; i < count; i++) {
        const char *code = dgm_gguf_string_at(file, key, i, &bytes);
        char quoted[DGM_QUOTE_SIZE];

        dgm_quote(quoted, sizeof quoted, code, bytes);
        if (!dgm_langid_is_code(code, bytes))
            return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                               DGM_LANGID_CODES_KEY " holds \"%s\"; expected codes of languages",
                               quoted);
        memcpy(model->languages[i], code, bytes);
        for (size_t other = 0; other < i; other++)
            if (strcmp(model->languages[other], model->languages[i]) == 0)
                return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                                   DGM_LANGID_CODES_KEY " holds \"%s\" twice", quoted);
    }
    return DGM_OK;
}

static dgm_status read_keys(struct dgm_env *env, struct dgm_langid_model *model,
                            const struct dgm_gguf *file, const struct dgm_gguf_tensor *tensor)
{
    const unsigned char *bytes = dgm_gguf_data(file, tensor);

    for (size_t i = 0; i < model->gram_count; i++) {
        model->keys[i] = dgm_le32(bytes + 4 * i);
        if (i > 0 && model->keys[i] <= model->keys[i - 1])
            return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                               "tensor \"" KEYS "\": number %zu is not above the one before it", i);
    }
    return dgm_langid_model_index(env, model);
}

static dgm_status read_scale(struct dgm_env *env, struct dgm_langid_model *model,
                             const struct dgm_gguf *file)
{
    if (!dgm_gguf_real(file, SCALE_KEY, &model->scale) || !(model->scale > 0 && model->scale <= 1))
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           SCALE_KEY " is no number above 0, at most 1");
    return DGM_OK;
}

static dgm_status take(struct dgm_env *env, struct dgm_langid_model *model,
                       const struct dgm_gguf *file)
{
    const struct dgm_gguf_tensor *keys, *weights;
    size_t languages;

    DGM_TRY(check_version(env, file));
    DGM_TRY(find_languages(env, file, &languages));
    DGM_TRY(find_tensor(env, file, KEYS, DGM_GGUF_I32, 0, &keys));
    DGM_TRY(find_tensor(env, file, WEIGHTS, DGM_GGUF_I8, languages, &weights));
    if (keys->dims[0] != weights->dims[0])
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "tensors \"" KEYS "\" and \"" WEIGHTS "\": %zu and %zu rows",
                           keys->dims[0], weights->dims[0]);
    DGM_TRY(dgm_langid_model_init(env, model, languages, keys->dims[0]));
    DGM_TRY(read_scale(env, model, file));
    DGM_TRY(read_languages(env, model, file));
    memcpy(model->weights, dgm_gguf_data(file, weights), weights->bytes);
    return read_keys(env, model, file, keys);
}

dgm_status dgm_langid_take(struct dgm_env *env, struct dgm_langid_model *model,
                           const struct dgm_gguf *file)
{
    dgm_status status;

    memset(model, 0, sizeof *model);
    status = take(env, model, file);
    if (status != DGM_OK)
        dgm_langid_model_clear(env, model);
    return status;
}

dgm_status dgm_langid_read(struct dgm_env *env, struct dgm_langid_model *model, const char *path)
{
    struct dgm_gguf file;
    dgm_status status;

    memset(&file, 0, sizeof file);
    DGM_TRY_OUT(dgm_gguf_load(env, &file, path));
    DGM_TRY_OUT(dgm_gguf_verify(env, &file, NULL));
    status = dgm_langid_take(env, model, &file);
out:
    dgm_gguf_clear(env, &file);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static dgm_status add_keys(struct dgm_env *env, struct dgm_gguf_writer *writer,
                           const struct dgm_langid_model *model)
{
    DGM_TRY(dgm_gguf_add_text(env, writer, "general.architecture", "dragoman", 8));
    DGM_TRY(dgm_gguf_add_u32(env, writer, VERSION_KEY, VERSION));
    DGM_TRY(dgm_gguf_add_f64(env, writer, SCALE_KEY, model->scale));
    DGM_TRY(dgm_gguf_begin_strings(env, writer, DGM_LANGID_CODES_KEY, model->language_count));
    for (size_t i = 0; i < model->language_count; i++)
        DGM_TRY(dgm_gguf_add_item(env, writer, model->languages[i], strlen(model->languages[i])));
    return DGM_OK;
}

dgm_status dgm_langid_write(struct dgm_env *env, const struct dgm_langid_model *model,
                            const char *path)
{
    const size_t dims[] = { model->gram_count, model->language_count };
    struct dgm_gguf_writer writer;
    unsigned char *keys = NULL;
    dgm_status status;

    memset(&writer, 0, sizeof writer);
    DGM_TRY_OUT(add_keys(env, &writer, model));
    DGM_TRY_OUT(dgm_new(env, &keys, model->gram_count, 4));
    for (size_t i = 0; i < model->gram_count; i++)
        dgm_le32_put(keys + 4 * i, model->keys[i]);
    DGM_TRY_OUT(dgm_gguf_add_raw(env, &writer, KEYS, DGM_GGUF_I32, 1, dims, keys));
    DGM_TRY_OUT(dgm_gguf_add_raw(env, &writer, WEIGHTS, DGM_GGUF_I8, 2, dims, model->weights));
    status = dgm_gguf_write(env, &writer, path);
out:
    dgm_release(env, keys);
    dgm_gguf_writer_clear(env, &writer);
    return status;
}
