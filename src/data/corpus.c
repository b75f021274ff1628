/*
 * corpus.c: reading a parallel corpus, and trees beside it.
 */
#include "data/corpus.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "data/text/pairs_reader.h"
#include "data/tree/tree_file.h"

/* Everything that is open while a corpus is read. */
struct loading {
    struct dgm_pairs_reader pairs;
    struct dgm_tree_file trees[2];
    struct dgm_encoded encoded[2];
    struct dgm_hash hash;
    int32_t max_length;
    const struct dgm_corpus_watch *watch;
};

static dgm_status read_tree(struct dgm_env *env, const struct dgm_pipeline *pipeline,
                            struct loading *loading, int side)
{
    struct dgm_tree_file *trees = &loading->trees[side];
    const struct dgm_encoded *line = &loading->encoded[side];
    const char *text = loading->pairs.sides[side].path;

    if (trees->path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_tree_file_next_for(env, trees, text, loading->pairs.number));
    DGM_TRY(dgm_tree_file_take(env, trees, side == DGM_SOURCE ? &pipeline->features : NULL, line,
                               text, loading->pairs.number));
    return DGM_OK;
}

/* A pair with an ill-formed line; its trees go with it. */
static dgm_status skip_bad(struct dgm_env *env, struct dgm_corpus *corpus, struct loading *loading)
{
    int side;

    corpus->bad++;
    for (side = DGM_SOURCE; side <= DGM_TARGET; side++)
        if (loading->trees[side].path != NULL)
            DGM_TRY(dgm_tree_file_next_for(env, &loading->trees[side],
                                           loading->pairs.sides[side].path, loading->pairs.number));
    return DGM_OK;
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
        DGM_TRY(dgm_pipeline_encode(env, pipeline, side, &encoded[side], line->data, line->size));
    }
    for (side = DGM_SOURCE; side <= DGM_TARGET; side++)
        DGM_TRY(read_tree(env, pipeline, loading, side));
    if (encoded[DGM_SOURCE].n == 1 || encoded[DGM_TARGET].n == 1) {
        corpus->blank++;
        return DGM_OK;
    }
    if (encoded[DGM_SOURCE].n > loading->max_length ||
        encoded[DGM_TARGET].n > loading->max_length) {
        corpus->too_long++;
        return DGM_OK;
    }
    for (side = DGM_SOURCE; side <= DGM_TARGET; side++)
        DGM_TRY(dgm_line_tree_pack(env, side == DGM_SOURCE ? &corpus->source : &corpus->target,
                                   &encoded[side],
                                   loading->trees[side].path != NULL
                                       ? &loading->trees[side].line_tree
                                       : NULL));
    DGM_TRY(dgm_reserve(env, &corpus->line_of, &corpus->line_capacity, (size_t)corpus->source.count,
                        sizeof *corpus->line_of));
    corpus->line_of[corpus->source.count - 1] = corpus->lines - 1;
    corpus->used++;
    if (loading->watch == NULL)
        return DGM_OK;
    return loading->watch->pair(env, loading->watch->user, &encoded[DGM_SOURCE]);
}

/* No sentence of a treebank may be left when the text ends. */
static dgm_status check_end(struct dgm_env *env, const struct dgm_corpus *corpus,
                            struct loading *loading, int side)
{
    return dgm_tree_file_check_end(env, &loading->trees[side], loading->pairs.sides[side].path,
                                   corpus->lines);
}

static dgm_status read_all(struct dgm_env *env, struct dgm_corpus *corpus,
                           struct dgm_pipeline *pipeline, struct loading *loading)
{
    int more;

    for (;;) {
        DGM_TRY(dgm_pairs_reader_next(env, &loading->pairs, &more));
        if (!more)
            break;
        DGM_TRY(add_pair(env, corpus, pipeline, loading));
    }
    DGM_TRY(check_end(env, corpus, loading, DGM_SOURCE));
    DGM_TRY(check_end(env, corpus, loading, DGM_TARGET));
    if (corpus->used == 0)
        return dgm_fail_at(env, DGM_DATA, loading->pairs.sides[0].path, 0, 0,
                           "no sentence pairs; expected at least 1");
    corpus->checksum = dgm_hash_value(&loading->hash);
    return DGM_OK;
}

static void hash_numbers(struct dgm_hash *hash, const int32_t *numbers, int32_t count)
{
    if (numbers != NULL && count > 0)
        dgm_hash_add(hash, numbers, (size_t)count * sizeof *numbers);
}

static void hash_trees(struct dgm_hash *hash, const struct dgm_packed *side)
{
    const int32_t words = side->count > 0 ? side->word_offsets[side->count] : 0;

    hash_numbers(hash, side->heads, words);
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        hash_numbers(hash, side->features[kind], words);
    hash_numbers(hash, side->left, words);
    hash_numbers(hash, side->right, words);
}

uint64_t dgm_corpus_checksum(const struct dgm_corpus *corpus)
{
    struct dgm_hash hash;

    dgm_hash_init(&hash, corpus->checksum);
    hash_trees(&hash, &corpus->source);
    hash_trees(&hash, &corpus->target);
    return dgm_hash_value(&hash);
}

static void close_side(struct dgm_env *env, struct loading *loading, int side)
{
    dgm_tree_file_close(env, &loading->trees[side]);
    dgm_encoded_clear(env, &loading->encoded[side]);
}

dgm_status dgm_corpus_load(struct dgm_env *env, struct dgm_corpus *corpus,
                           struct dgm_pipeline *pipeline, const struct dgm_corpus_files *files,
                           int32_t max_length, enum dgm_bad_line on_bad,
                           const struct dgm_corpus_watch *watch)
{
    struct loading loading;
    dgm_status status;
    int side;

    memset(corpus, 0, sizeof *corpus);
    memset(&loading, 0, sizeof loading);
    loading.max_length = max_length;
    loading.watch = watch;
    dgm_hash_init(&loading.hash, 0);
    DGM_TRY_OUT(dgm_pairs_reader_open(env, &loading.pairs, files->text[DGM_SOURCE],
                                      files->text[DGM_TARGET], on_bad));
    for (side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        loading.trees[side].needs = files->needs[side];
        DGM_TRY_OUT(dgm_tree_file_open(env, &loading.trees[side], files->trees[side], 0));
    }
    DGM_TRY_OUT(read_all(env, corpus, pipeline, &loading));
    corpus->counts = loading.trees[DGM_SOURCE].line_tree.counts;
out:
    dgm_pairs_reader_close(env, &loading.pairs);
    close_side(env, &loading, DGM_SOURCE);
    close_side(env, &loading, DGM_TARGET);
    if (status != DGM_OK)
        dgm_corpus_clear(env, corpus);
    return status;
}

void dgm_corpus_forget_pairs(struct dgm_env *env, struct dgm_corpus *corpus)
{
    dgm_packed_clear(env, &corpus->source);
    dgm_packed_clear(env, &corpus->target);
    dgm_release(env, corpus->line_of);
    dgm_release(env, corpus->numbers);
    corpus->line_of = NULL;
    corpus->numbers = NULL;
    corpus->line_capacity = corpus->number_capacity = 0;
}

void dgm_corpus_clear(struct dgm_env *env, struct dgm_corpus *corpus)
{
    dgm_corpus_forget_pairs(env, corpus);
    memset(corpus, 0, sizeof *corpus);
}
