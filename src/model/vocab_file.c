/*
 * vocab_file.c: vocabularies to and from the keys of a model file.
 */
#include "model/vocab_file.h"

#include "base/mem.h"

dgm_status dgm_vocab_from_gguf(struct dgm_env *env, struct dgm_vocab *vocab,
                               const struct dgm_gguf *file, const char *key)
{
    size_t count, i;
    const struct dgm_gguf_key *strings = dgm_gguf_strings(file, key, &count);
    const char **tokens;
    size_t *lengths;
    dgm_status status;

    if (strings == NULL)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "key %s is missing", key);
    tokens = dgm_alloc(env, count, sizeof *tokens);
    lengths = dgm_alloc(env, count, sizeof *lengths);
    status = tokens != NULL && lengths != NULL ? DGM_OK : DGM_MEMORY;
    for (i = 0; i < count && status == DGM_OK; i++)
        tokens[i] = dgm_gguf_string_at(file, strings, i, &lengths[i]);
    if (status == DGM_OK)
        status = dgm_vocab_set(env, vocab, tokens, lengths, count, file->name);
    dgm_release(env, tokens);
    dgm_release(env, lengths);
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
