/*
 * corpus.c: reading a parallel corpus, and trees beside it.
 */
#include "data/corpus.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "data/pairs_reader.h"
#include "syntax/align.h"
#include "syntax/conllu.h"

/* Everything that is open while a corpus is read. */
struct loading {
    struct dgm_pairs_reader pairs;
    struct dgm_conllu_reader trees;
    struct dgm_conllu_sentence sentence;
    struct dgm_encoded encoded[2];
    struct dgm_hash hash;
    int32_t *heads;
    size_t head_capacity;
    const char *tree_path;
    int32_t max_length;
    const struct dgm_corpus_watch *watch;
};

dgm_status dgm_corpus_heads(struct dgm_env *env, int32_t *heads,
                            const struct dgm_conllu_sentence *sentence,
                            const struct dgm_encoded *line, const char *path, long number)
{
    const struct dgm_tree *tree = &sentence->tree;
    int32_t *tokens, *first, w, t, at = 0;
    dgm_status status;

    tokens = dgm_alloc(env, 2 * (size_t)tree->count + 2, sizeof *tokens);
    if (tokens == NULL)
        return DGM_MEMORY;
    first = tokens + tree->count + 1;
    status = dgm_align_match(env, tokens, sentence, line->text.data, line->text.size, path,
                             number);
    for (w = 0; status == DGM_OK && w < tree->count; w++) {
        first[w] = at;
        at += tokens[w];
    }
    for (w = 0; status == DGM_OK && w < tree->count; w++)
        for (t = 0; t < tokens[w]; t++) /* a word with blanks inside: later tokens hang on it */
            heads[first[w] + t] = !tree->has_parse ? -1
                                  : t > 0          ? first[w]
                                                   : first[tree->head[w]];
    dgm_release(env, tokens);
    return status;
}

static dgm_status read_tree(struct dgm_env *env, struct loading *loading)
{
    const struct dgm_encoded *line = &loading->encoded[DGM_SOURCE];
    int more;

    DGM_TRY(dgm_conllu_next(env, &loading->trees, &loading->sentence, &more));
    if (!more)
        return dgm_fail_at(env, DGM_DATA, loading->tree_path, 0, 0,
                           "%ld sentences; expected one for each line of %s [E_ALIGN]",
                           loading->pairs.number - 1, loading->pairs.sides[0].path);
    DGM_TRY(dgm_reserve(env, &loading->heads, &loading->head_capacity, (size_t)line->n_words,
                        sizeof *loading->heads));
    return dgm_corpus_heads(env, loading->heads, &loading->sentence, line,
                            loading->pairs.sides[0].path, loading->pairs.number);
}

static dgm_status add_side(struct dgm_env *env, struct dgm_packed *packed,
                           const struct dgm_encoded *encoded, const int32_t *heads)
{
    return dgm_packed_add(env, packed, encoded->ids, encoded->words, encoded->n, heads,
                          encoded->n_words);
}

/* A pair with an ill-formed line; its tree goes with it. */
static dgm_status skip_bad(struct dgm_env *env, struct dgm_corpus *corpus,
                           struct loading *loading)
{
    int more;

    corpus->bad++;
    if (loading->tree_path == NULL)
        return DGM_OK;
    return dgm_conllu_next(env, &loading->trees, &loading->sentence, &more);
}

static dgm_status add_pair(struct dgm_env *env, struct dgm_corpus *corpus,
                           struct dgm_pipeline *pipeline, struct loading *loading)
{
    struct dgm_encoded *encoded = loading->encoded;
    int side;

    corpus->lines++;
    if (loading->pairs.is_bad)
        return skip_bad(env, corpus, loading);
    for (side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        const struct dgm_buf *line = &loading->pairs.sides[side].line;
        dgm_hash_add(&loading->hash, line->data, line->size);
        dgm_hash_add(&loading->hash, "\n", 1);
        DGM_TRY(dgm_pipeline_encode(env, pipeline, side, &encoded[side], line->data,
                                    line->size));
    }
    if (loading->tree_path != NULL)
        DGM_TRY(read_tree(env, loading));
    if (encoded[DGM_SOURCE].n == 1 || encoded[DGM_TARGET].n == 1) {
        corpus->blank++;
        return DGM_OK;
    }
    if (encoded[DGM_SOURCE].n > loading->max_length ||
        encoded[DGM_TARGET].n > loading->max_length) {
        corpus->too_long++;
        return DGM_OK;
    }
    DGM_TRY(add_side(env, &corpus->source, &encoded[DGM_SOURCE],
                     loading->tree_path != NULL ? loading->heads : NULL));
    DGM_TRY(add_side(env, &corpus->target, &encoded[DGM_TARGET], NULL));
    if (loading->watch == NULL)
        return DGM_OK;
    return loading->watch->pair(env, loading->watch->user, &encoded[DGM_SOURCE]);
}

static dgm_status read_all(struct dgm_env *env, struct dgm_corpus *corpus,
                           struct dgm_pipeline *pipeline, struct loading *loading)
{
    int more;

    for (;;) {
        DGM_TRY(dgm_pairs_next(env, &loading->pairs, &more));
        if (!more)
            break;
        DGM_TRY(add_pair(env, corpus, pipeline, loading));
    }
    if (loading->tree_path != NULL) {
        DGM_TRY(dgm_conllu_next(env, &loading->trees, &loading->sentence, &more));
        if (more)
            return dgm_fail_at(env, DGM_DATA, loading->tree_path, loading->sentence.line, 0,
                               "more sentences than the %ld lines of %s [E_ALIGN]",
                               corpus->lines, loading->pairs.sides[0].path);
    }
    if (corpus->source.count == 0)
        return dgm_fail_at(env, DGM_DATA, loading->pairs.sides[0].path, 0, 0,
                           "no sentence pairs; expected at least 1");
    corpus->checksum = dgm_hash_value(&loading->hash);
    return DGM_OK;
}

dgm_status dgm_corpus_load(struct dgm_env *env, struct dgm_corpus *corpus,
                           struct dgm_pipeline *pipeline, const char *source, const char *target,
                           const char *trees, int32_t max_length, enum dgm_bad_line on_bad,
                           const struct dgm_corpus_watch *watch)
{
    struct dgm_conllu_options options;
    struct loading loading;
    dgm_status status;

    memset(corpus, 0, sizeof *corpus);
    memset(&loading, 0, sizeof loading);
    memset(&options, 0, sizeof options);
    options.multi_root = DGM_MULTI_ROOT_KEEP;
    options.allow_unparsed = 1;
    loading.tree_path = trees;
    loading.max_length = max_length;
    loading.watch = watch;
    dgm_hash_init(&loading.hash, 0);
    status = dgm_pairs_open(env, &loading.pairs, source, target, on_bad);
    if (status == DGM_OK && trees != NULL)
        status = dgm_conllu_open(env, &loading.trees, trees, &options);
    if (status == DGM_OK)
        status = read_all(env, corpus, pipeline, &loading);
    dgm_pairs_close(env, &loading.pairs);
    if (trees != NULL)
        dgm_conllu_close(env, &loading.trees);
    dgm_conllu_clear(env, &loading.sentence);
    dgm_encoded_clear(env, &loading.encoded[DGM_SOURCE]);
    dgm_encoded_clear(env, &loading.encoded[DGM_TARGET]);
    dgm_release(env, loading.heads);
    if (status != DGM_OK)
        dgm_corpus_clear(env, corpus);
    return status;
}

void dgm_corpus_clear(struct dgm_env *env, struct dgm_corpus *corpus)
{
    dgm_packed_clear(env, &corpus->source);
    dgm_packed_clear(env, &corpus->target);
    memset(corpus, 0, sizeof *corpus);
}
