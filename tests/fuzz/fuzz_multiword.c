/*
 * fuzz_multiword.c: any bytes as a dictionary of multiword tokens and, behind the first NUL, as a
 * token. The words of what is accepted are none, or two and more, and none is empty.
 */
#include "text/tokenize/multiword.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void expand(struct dgm_env *env, const struct dgm_multiwords *multiwords, const char *token,
                   size_t bytes)
{
    struct dgm_buf words = { NULL, 0, 0, 0 };
    int32_t count, seen = 0;

    require(dgm_multiwords_expand(env, multiwords, token, bytes, &words, &count) == DGM_OK);
    for (size_t at = 0; at < words.size; at += strlen(words.data + at) + 1, seen++)
        require(words.data[at] != '\0');
    require(seen == count && count != 1);
    dgm_buf_clear(env, &words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *end = size > 0 ? memchr(data, '\0', size) : NULL;
    size_t bytes = end != NULL ? (size_t)(end - text) : size;
    struct dgm_multiwords multiwords;
    struct dgm_env env;

    memset(&multiwords, 0, sizeof multiwords);
    dgm_env_init(&env);
    if (dgm_multiwords_parse(&env, &multiwords, text, bytes, "input") == DGM_OK) {
        if (end != NULL && memchr(end + 1, '\0', size - bytes - 1) == NULL)
            expand(&env, &multiwords, end + 1, size - bytes - 1);
        for (size_t i = 0; i < multiwords.known.count; i++)
            expand(&env, &multiwords, dgm_map_key(&multiwords.known, &multiwords.known.entries[i]),
                   multiwords.known.entries[i].length);
    } else {
        require(env.error.status == DGM_DATA);
    }
    dgm_multiwords_clear(&env, &multiwords);
    return 0;
}
