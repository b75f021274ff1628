/*
 * vocab_file.c: vocabularies to and from the keys of a model file.
 */
#include "model/file/vocab_file.h"

#include "base/mem.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_write.h"

/* An array of strings, borrowed from its file. */
struct strings {
    const char **texts;
    size_t *bytes, count;
};

static void clear_strings(struct dgm_env *env, struct strings *strings)
{
    dgm_release(env, strings->texts);
    dgm_release(env, strings->bytes);
}

/* To be cleared also after a failure. */
static dgm_status read_strings(struct dgm_env *env, struct strings *strings,
                               const struct dgm_gguf *file, const char *key)
{
    const struct dgm_gguf_key *array = dgm_gguf_strings(file, key, &strings->count);

    strings->texts = NULL;
    strings->bytes = NULL;
    if (array == NULL)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "key %s is missing", key);
    DGM_TRY(dgm_new(env, &strings->texts, strings->count, sizeof *strings->texts));
    DGM_TRY(dgm_new(env, &strings->bytes, strings->count, sizeof *strings->bytes));
    for (size_t i = 0; i < strings->count; i++)
        strings->texts[i] = dgm_gguf_string_at(file, array, i, &strings->bytes[i]);
    return DGM_OK;
}

dgm_status dgm_vocab_from_gguf(struct dgm_env *env, struct dgm_vocab *vocab,
                               const struct dgm_gguf *file, const char *key)
{
    struct strings strings;
    dgm_status status = read_strings(env, &strings, file, key);

    if (status == DGM_OK)
        status = dgm_vocab_set(env, vocab, strings.texts, strings.bytes, strings.count, file->name);
    clear_strings(env, &strings);
    return status;
}

dgm_status dgm_feature_from_gguf(struct dgm_env *env, struct dgm_feature *feature,
                                 const struct dgm_gguf *file, const char *key)
{
    struct strings strings;
    dgm_status status = read_strings(env, &strings, file, key);

    if (status == DGM_OK)
        status =
            dgm_feature_set(env, feature, strings.texts, strings.bytes, strings.count, file->name);
    clear_strings(env, &strings);
    return status;
}

dgm_status dgm_vocab_to_gguf(struct dgm_env *env, const struct dgm_vocab *vocab,
                             struct dgm_gguf_writer *writer, const char *key)
{
    size_t count = dgm_vocab_size(vocab), i;

    DGM_TRY(dgm_gguf_begin_strings(env, writer, key, count));
    for (i = 0; i < count; i++) {
        size_t bytes;
        const char *token = dgm_vocab_token(vocab, (uint32_t)i, &bytes);
        DGM_TRY(dgm_gguf_add_item(env, writer, token, bytes));
    }
    return DGM_OK;
}

dgm_status dgm_feature_to_gguf(struct dgm_env *env, const struct dgm_feature *feature,
                               struct dgm_gguf_writer *writer, const char *key)
{
    size_t count = dgm_feature_size(feature), i;

    DGM_TRY(dgm_gguf_begin_strings(env, writer, key, count));
    for (i = 0; i < count; i++) {
        size_t bytes;
        const char *name = dgm_feature_name(feature, i, &bytes);
        DGM_TRY(dgm_gguf_add_item(env, writer, name, bytes));
    }
    return DGM_OK;
}
