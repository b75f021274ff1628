/*
 * learn.c: codes and vocabularies from the training text: counts of words, then of pieces.
 */
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "data/corpus.h"
#include "data/pairs_reader.h"
#include "text/bpe_learn.h"
#include "text/count.h"

static dgm_status count_words(struct dgm_env *env, struct dgm_pipeline *pipeline,
                              struct dgm_map counts[2], const char *source, const char *target,
                              enum dgm_bad_line on_bad)
{
    struct dgm_pairs_reader pairs;
    struct dgm_buf words = {NULL, 0, 0, 0};
    dgm_status status = dgm_pairs_open(env, &pairs, source, target, on_bad);
    int more = 1, side;

    while (status == DGM_OK) {
        status = dgm_pairs_next(env, &pairs, &more);
        if (status != DGM_OK || !more)
            break;
        for (side = DGM_SOURCE; side <= DGM_TARGET && status == DGM_OK && !pairs.is_bad; side++) {
            const struct dgm_buf *line = &pairs.sides[side].line;
            dgm_buf_reset(&words);
            status = dgm_pipeline_words(env, pipeline, side, &words, line->data, line->size);
            if (status == DGM_OK)
                status = dgm_count_line(env, &counts[side], words.data, words.size);
        }
    }
    dgm_pairs_close(env, &pairs);
    dgm_buf_clear(env, &words);
    return status;
}

static dgm_status add_counts(struct dgm_env *env, struct dgm_map *sum, const struct dgm_map *counts)
{
    struct dgm_map_entry *entry;
    size_t i;

    for (i = 0; i < counts->count; i++) {
        const struct dgm_map_entry *from = &counts->entries[i];
        DGM_TRY(dgm_map_insert(env, sum, dgm_map_key(counts, from), from->length, &entry, NULL));
        entry->value += from->value;
    }
    return DGM_OK;
}

static dgm_status learn_codes(struct dgm_env *env, struct dgm_pipeline *pipeline,
                              const struct dgm_map counts[2],
                              const struct dgm_corpus_learn_options *options)
{
    struct dgm_bpe_learn_options learn = {0, 2, 0};
    struct dgm_map both;
    struct dgm_buf text = {NULL, 0, 0, 0};
    dgm_status status;

    memset(&both, 0, sizeof both);
    learn.symbols = options->merges;
    status = add_counts(env, &both, &counts[DGM_SOURCE]);
    if (status == DGM_OK)
        status = add_counts(env, &both, &counts[DGM_TARGET]);
    if (status == DGM_OK)
        status = dgm_bpe_learn(env, &text, &both, &learn);
    if (status == DGM_OK)
        status = dgm_pipeline_set_codes(env, pipeline, text.data, text.size, "learned codes");
    dgm_map_clear(env, &both);
    dgm_buf_clear(env, &text);
    return status;
}

static dgm_status load_codes(struct dgm_env *env, struct dgm_pipeline *pipeline, const char *path)
{
    struct dgm_buf text = {NULL, 0, 0, 0};
    dgm_status status = dgm_file_read(env, &text, path);

    if (status == DGM_OK)
        status = dgm_pipeline_set_codes(env, pipeline, text.data, text.size, path);
    dgm_buf_clear(env, &text);
    return status;
}

/* Adds the pieces of one word, as often as the word occurs. */
static dgm_status count_pieces_of(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                  struct dgm_map *pieces, const char *word, size_t bytes,
                                  int64_t times)
{
    struct dgm_buf *text = &pipeline->piece;
    struct dgm_map_entry *entry;
    const uint32_t *ends;
    size_t count, i, start = 0;

    DGM_TRY(dgm_bpe_apply_word(env, &pipeline->bpe, &ends, &count, word, bytes));
    for (i = 0; i < count; i++) {
        dgm_buf_reset(text);
        DGM_TRY(dgm_buf_add(env, text, word + start, ends[i] - start));
        if (i + 1 < count)
            DGM_TRY(dgm_buf_add_text(env, text, pipeline->bpe.separator));
        DGM_TRY(dgm_map_insert(env, pieces, text->data, text->size, &entry, NULL));
        entry->value += times;
        start = ends[i];
    }
    return DGM_OK;
}

static dgm_status count_pieces(struct dgm_env *env, struct dgm_pipeline *pipeline,
                               struct dgm_map *pieces, const struct dgm_map *words)
{
    size_t i;

    if (!pipeline->has_bpe)
        return add_counts(env, pieces, words);
    for (i = 0; i < words->count; i++) {
        const struct dgm_map_entry *word = &words->entries[i];
        DGM_TRY(count_pieces_of(env, pipeline, pieces, dgm_map_key(words, word), word->length,
                                word->value));
    }
    return DGM_OK;
}

static dgm_status make_vocab(struct dgm_env *env, struct dgm_pipeline *pipeline,
                             const struct dgm_map counts[2], int side,
                             const struct dgm_corpus_learn_options *options)
{
    struct dgm_map pieces;
    dgm_status status;

    if (options->vocab[side] != NULL)
        return dgm_vocab_load(env, &pipeline->vocab[side], options->vocab[side]);
    memset(&pieces, 0, sizeof pieces);
    status = count_pieces(env, pipeline, &pieces, &counts[side]);
    if (status == DGM_OK && pipeline->joint)
        status = count_pieces(env, pipeline, &pieces, &counts[DGM_TARGET]);
    if (status == DGM_OK)
        status = dgm_vocab_build(env, &pipeline->vocab[side], &pieces, options->vocab_size,
                                 options->min_count);
    dgm_map_clear(env, &pieces);
    return status;
}

dgm_status dgm_corpus_learn(struct dgm_env *env, struct dgm_pipeline *pipeline,
                            const char *source, const char *target,
                            const struct dgm_corpus_learn_options *options)
{
    struct dgm_map counts[2];
    dgm_status status;

    memset(counts, 0, sizeof counts);
    status = count_words(env, pipeline, counts, source, target, options->on_bad);
    if (status == DGM_OK && options->codes != NULL)
        status = load_codes(env, pipeline, options->codes);
    else if (status == DGM_OK && options->merges > 0)
        status = learn_codes(env, pipeline, counts, options);
    if (status == DGM_OK)
        status = make_vocab(env, pipeline, counts, DGM_SOURCE, options);
    if (status == DGM_OK && !pipeline->joint)
        status = make_vocab(env, pipeline, counts, DGM_TARGET, options);
    dgm_map_clear(env, &counts[DGM_SOURCE]);
    dgm_map_clear(env, &counts[DGM_TARGET]);
    return status;
}
