/*
 * fuzz_vectors.c: any bytes as a file of word vectors. What is accepted has words without blanks,
 * each once, with finite numbers, always as many, and no more words than were asked for; what is
 * not, is bad data.
 */
#include "data/vectors/vector_file.h"

#include <math.h>

#include "base/map.h"
#include "memory.h"

enum { LIMIT = 50 };

struct seen {
    struct dgm_map words;
    int64_t dim;
};

static dgm_status take(struct dgm_env *env, void *user, const char *word, size_t bytes,
                       const double *numbers, int64_t dim)
{
    struct seen *seen = user;
    struct dgm_map_entry *entry;
    int is_new;

    expect(bytes > 0 && memchr(word, ' ', bytes) == NULL && memchr(word, '\t', bytes) == NULL &&
           memchr(word, '\0', bytes) == NULL);
    expect(seen->words.count < LIMIT && dim > 0 && (seen->dim == 0 || seen->dim == dim));
    seen->dim = dim;
    for (int64_t i = 0; i < dim; i++)
        expect(fabs(numbers[i]) <= 100);
    expect(dgm_map_insert(env, &seen->words, word, bytes, &entry, &is_new) == DGM_OK && is_new);
    return DGM_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct seen seen = { .dim = 0 };
    struct memory memory;
    struct dgm_env env;

    memory_begin(&memory, &env, data, size);
    if (dgm_vector_file_read(&env, "input", LIMIT, 100, take, &seen) == DGM_OK)
        expect(seen.words.count > 0);
    else
        expect(env.error.status == DGM_DATA || env.error.status == DGM_UNSUPPORTED ||
               is_about_packing(&env));
    dgm_map_clear(&env, &seen.words);
    return 0;
}
