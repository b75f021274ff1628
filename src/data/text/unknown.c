/*
 * unknown.c: words that a vocabulary has no entry for: they are counted, and told.
 */
#include "data/text/unknown.h"

struct dgm_unknown dgm_unknown_of(const struct dgm_encoded *line)
{
    struct dgm_unknown found = { line->n_words, 0 };
    int32_t last = -1; /* marks, whose word is that, are known */

    for (int32_t i = 0; i < line->n; i++)
        if (line->ids[i] == DGM_VOCAB_UNK && line->words[i] != last) {
            last = line->words[i];
            found.unknown++;
        }
    return found;
}

void dgm_unknown_add(struct dgm_unknown *sum, struct dgm_unknown more)
{
    sum->words += more.words;
    sum->unknown += more.unknown;
}

int dgm_unknown_are_many(int64_t unknown, int64_t all)
{
    return unknown > all / 10;
}

void dgm_unknown_tell(struct dgm_env *env, struct dgm_unknown sum,
                      const struct dgm_pipeline *pipeline, const char *of)
{
    if (sum.unknown > 0)
        dgm_log(env, dgm_unknown_are_many(sum.unknown, sum.words) ? DGM_LOG_WARNING : DGM_LOG_NOTE,
                "%lld of %lld %s%s are not in the vocabulary of this model, and read as <unk>",
                (long long)sum.unknown, (long long)sum.words,
                pipeline->has_spm ? "pieces" : "words", of);
}
