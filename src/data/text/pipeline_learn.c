/*
 * pipeline_learn.c: codes and vocabularies from training texts: counts of words, then of pieces.
 */
#include "data/text/pipeline_learn.h"

#include <string.h>

#include "base/file/file.h"
#include "data/text/pipeline_learn_spm.h"
#include "data/text/pipeline_tags.h"
#include "data/text/slots.h"
#include "text/bpe/bpe_learn.h"
#include "text/bpe/tally.h"
#include "text/bpe/word_counts.h"
#include "text/unicode/utf8.h"

/* Of each side: words of the text, and marks (of tasks, brackets), which are never cut. */
struct counts {
    struct dgm_tally words[2];
    struct dgm_map marks[2];
    struct dgm_map tags; /* of the source; codes are not learned from them */
};

/* A source is read once more with its parse. */
static dgm_status count_parse(struct dgm_env *env, struct counts *counts,
                              const struct dgm_parses *parses, long line,
                              const struct dgm_buf *source)
{
    size_t bytes = 0;
    const char *text = parses != NULL ? dgm_parses_line(parses, (size_t)line, &bytes) : "";

    for (int task = 0; task < DGM_TASKS; task++)
        DGM_TRY(dgm_map_count(env, &counts->marks[DGM_SOURCE], dgm_task_marks[task],
                              strlen(dgm_task_marks[task]),
                              task == DGM_TRANSLATING || bytes > 0 ? 2 : 0));
    if (bytes == 0)
        return DGM_OK;
    DGM_TRY(dgm_word_counts_line(env, &counts->marks[DGM_TARGET], text, bytes));
    return dgm_tally_line(env, &counts->words[DGM_SOURCE], source->data, source->size);
}

static dgm_status count_pair(struct dgm_env *env, struct dgm_pipeline *pipeline,
                             struct counts *counts, const struct dgm_pairs_reader *pairs,
                             const struct dgm_parses *parses, struct dgm_buf *words)
{
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        const struct dgm_buf *line = pairs->line[side];
        dgm_buf_reset(words);
        DGM_TRY(dgm_pipeline_words(env, pipeline, side, words, line->data, line->size));
        DGM_TRY(dgm_tally_line(env, &counts->words[side], words->data, words->size));
        if (side == DGM_SOURCE && pipeline->multitask)
            DGM_TRY(count_parse(env, counts, parses, pairs->number - 1, words));
    }
    return DGM_OK;
}

dgm_status dgm_pipeline_learn_sample(struct dgm_env *env, struct dgm_line_sample *sample,
                                     const struct dgm_text_list *texts, int64_t wanted)
{
    int64_t lines = 0;

    for (size_t i = 0; i < texts->count && wanted > 0; i++) {
        const char *source = texts->items[i].path[DGM_SOURCE];

        if (dgm_file_is_stream(env, source))
            return dgm_fail(env, DGM_USAGE,
                            "%s can be read only once, and --learn-lines needs two passes; "
                            "expected a file",
                            source);
        DGM_TRY(dgm_line_sample_count(env, source, &lines));
    }
    dgm_line_sample_init(sample, wanted, lines);
    return DGM_OK;
}

/* `sample`: NULL for all lines. */
static dgm_status count_text(struct dgm_env *env, struct dgm_pipeline *pipeline,
                             struct counts *counts, const struct dgm_text *text,
                             struct dgm_line_sample *sample,
                             const struct dgm_pipeline_learn_options *options)
{
    struct dgm_pairs_reader pairs;
    struct dgm_buf words = { .data = NULL };
    dgm_status status;
    int more;

    DGM_TRY_OUT(dgm_pairs_reader_open(env, &pairs, text, options->on_bad));
    for (;;) {
        DGM_TRY_OUT(dgm_pairs_reader_next(env, &pairs, &more));
        if (!more)
            break;
        if ((sample != NULL && !dgm_line_sample_take(sample)) || pairs.is_bad)
            continue;
        DGM_TRY_OUT(count_pair(env, pipeline, counts, &pairs, options->parses, &words));
        if (text->tag != NULL)
            DGM_TRY_OUT(dgm_map_count(env, &counts->tags, text->tag, strlen(text->tag), 1));
    }
out:
    dgm_pairs_reader_close(env, &pairs);
    dgm_buf_clear(env, &words);
    return status;
}

static dgm_status count_words(struct dgm_env *env, struct dgm_pipeline *pipeline,
                              struct counts *counts, const struct dgm_text_list *texts,
                              const struct dgm_pipeline_learn_options *options)
{
    struct dgm_line_sample sample;
    dgm_status status = DGM_OK;

    DGM_TRY(dgm_pipeline_learn_sample(env, &sample, texts, options->lines));
    counts->words[DGM_SOURCE].limit = counts->words[DGM_TARGET].limit = options->memory;
    for (size_t i = 0; i < texts->count && status == DGM_OK; i++)
        status = count_text(env, pipeline, counts, &texts->items[i],
                            options->lines > 0 ? &sample : NULL, options);
    dgm_tally_warn(env, &counts->words[DGM_SOURCE], "words of the source");
    dgm_tally_warn(env, &counts->words[DGM_TARGET], "words of the target");
    return status;
}

static dgm_status add_counts(struct dgm_env *env, struct dgm_map *sum, const struct dgm_map *counts)
{
    for (size_t i = 0; i < counts->count; i++) {
        const struct dgm_map_entry *from = &counts->entries[i];

        DGM_TRY(dgm_map_count(env, sum, dgm_map_key(counts, from), from->length, from->value));
    }
    return DGM_OK;
}

/* Marks are counted like words here, as in the published systems: their merges are never used. */
static dgm_status learn_codes(struct dgm_env *env, struct dgm_pipeline *pipeline,
                              const struct counts *counts,
                              const struct dgm_pipeline_learn_options *options)
{
    struct dgm_bpe_learn_options learn = { .symbols = options->merges, .min_frequency = 2 };
    struct dgm_map both = { 0 };
    struct dgm_buf text = { .data = NULL };
    dgm_status status;

    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        DGM_TRY_OUT(add_counts(env, &both, &counts->words[side].counts));
        DGM_TRY_OUT(add_counts(env, &both, &counts->marks[side]));
    }
    DGM_TRY_OUT(dgm_bpe_learn(env, &text, &both, &learn));
    DGM_TRY_OUT(dgm_pipeline_set_codes(env, pipeline, text.data, text.size, "learned codes"));
out:
    dgm_map_clear(env, &both);
    dgm_buf_clear(env, &text);
    return status;
}

static dgm_status load_codes(struct dgm_env *env, struct dgm_pipeline *pipeline, const char *path)
{
    struct dgm_buf text = { .data = NULL };
    dgm_status status;

    DGM_TRY_OUT(dgm_file_read_text(env, &text, path));
    DGM_TRY_OUT(dgm_pipeline_set_codes(env, pipeline, text.data, text.size, path));
out:
    dgm_buf_clear(env, &text);
    return status;
}

/* Adds the pieces of one word, as often as the word occurs. */
static dgm_status count_pieces_of(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                  struct dgm_map *pieces, const char *word, size_t bytes,
                                  int64_t times)
{
    const struct dgm_buf *text = &pipeline->piece;
    const uint32_t *ends;
    size_t count, start = 0;

    DGM_TRY(dgm_bpe_apply_word(env, &pipeline->bpe, &ends, &count, word, bytes));
    for (size_t i = 0; i < count; i++) {
        DGM_TRY(dgm_pipeline_spell(env, pipeline, word + start, ends[i] - start, i + 1 == count));
        DGM_TRY(dgm_map_count(env, pieces, text->data, text->size, times));
        start = ends[i];
    }
    return DGM_OK;
}

/* Makes a piece known that the text may not have: its count stays, and is at least 1. */
static dgm_status know_piece(struct dgm_env *env, struct dgm_pipeline *pipeline,
                             struct dgm_map *pieces, const char *piece, size_t bytes, int is_last)
{
    const struct dgm_buf *text = &pipeline->piece;
    struct dgm_map_entry *entry;

    DGM_TRY(dgm_pipeline_spell(env, pipeline, piece, bytes, is_last));
    DGM_TRY(dgm_map_insert(env, pieces, text->data, text->size, &entry, NULL));
    if (entry->value == 0)
        entry->value = 1;
    return DGM_OK;
}

/* All that dropout may cut words into: their characters, and what the rules make. */
static dgm_status know_every_piece(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                   struct dgm_map *pieces, const struct dgm_map *words)
{
    const struct dgm_map *symbols = &pipeline->bpe.symbols;
    static const char end[] = "</w>";
    uint32_t code;

    for (size_t i = 0; i < words->count; i++) {
        const char *word = dgm_map_key(words, &words->entries[i]);
        size_t at = 0, size = words->entries[i].length, bytes;

        for (; at < size; at += bytes) {
            bytes = dgm_utf8_decode(&code, word + at, size - at);
            DGM_TRY(know_piece(env, pipeline, pieces, word + at, bytes, at + bytes == size));
        }
    }
    for (size_t i = 0; i < symbols->count; i++) {
        const char *symbol = dgm_map_key(symbols, &symbols->entries[i]);
        const size_t size = symbols->entries[i].length, tail = sizeof end - 1;
        const int is_last = size >= tail && memcmp(symbol + size - tail, end, tail) == 0;

        if (!is_last || size > tail)
            DGM_TRY(
                know_piece(env, pipeline, pieces, symbol, is_last ? size - tail : size, is_last));
    }
    return DGM_OK;
}

static dgm_status count_pieces(struct dgm_env *env, struct dgm_pipeline *pipeline,
                               struct dgm_map *pieces, const struct dgm_map *words)
{
    if (!pipeline->has_bpe)
        return add_counts(env, pieces, words);
    for (size_t i = 0; i < words->count; i++) {
        const struct dgm_map_entry *word = &words->entries[i];
        DGM_TRY(count_pieces_of(env, pipeline, pieces, dgm_map_key(words, word), word->length,
                                word->value));
    }
    return DGM_OK;
}

static dgm_status make_vocab(struct dgm_env *env, struct dgm_pipeline *pipeline,
                             const struct counts *counts, int side,
                             const struct dgm_pipeline_learn_options *options)
{
    int last = pipeline->joint ? DGM_TARGET : side;
    struct dgm_map pieces = { 0 }, marks = { 0 };
    dgm_status status;

    if (options->vocab[side] != NULL)
        return dgm_vocab_load(env, &pipeline->vocab[side], options->vocab[side]);
    for (int from = side; from <= last; from++) {
        DGM_TRY_OUT(count_pieces(env, pipeline, &pieces, &counts->words[from].counts));
        if (options->every_piece && pipeline->has_bpe)
            DGM_TRY_OUT(know_every_piece(env, pipeline, &pieces, &counts->words[from].counts));
        DGM_TRY_OUT(add_counts(env, &marks, &counts->marks[from]));
    }
    if (pipeline->has_slots)
        DGM_TRY_OUT(dgm_slots_count(env, &marks));
    if (side == DGM_SOURCE) { /* those that no line of a sample has, too */
        DGM_TRY_OUT(add_counts(env, &marks, &pipeline->tags));
        DGM_TRY_OUT(add_counts(env, &marks, &counts->tags));
    }
    DGM_TRY_OUT(dgm_vocab_build_marked(env, &pipeline->vocab[side], &marks, &pieces,
                                       options->vocab_size, options->min_count[side]));
out:
    dgm_map_clear(env, &pieces);
    dgm_map_clear(env, &marks);
    return status;
}

/* A file's model, or one that is learned. */
static dgm_status load_spm(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                           const struct dgm_text_list *texts,
                           const struct dgm_pipeline_learn_options *options)
{
    const char *path = options->spm[side] != NULL ? options->spm[side] : options->spm[DGM_SOURCE];
    struct dgm_map marks = { 0 };
    struct dgm_buf bytes = { .data = NULL };
    dgm_status status;

    if (path != NULL) {
        DGM_TRY_OUT(dgm_file_read(env, &bytes, path));
    } else {
        path = side == DGM_SOURCE ? "the model learned of the source"
                                  : "the model learned of the target";
        DGM_TRY_OUT(dgm_pipeline_learn_spm(env, pipeline, side, texts, options, &bytes));
    }
    if (side == DGM_SOURCE)
        DGM_TRY_OUT(add_counts(env, &marks, &pipeline->tags));
    if (pipeline->has_slots)
        DGM_TRY_OUT(dgm_slots_count(env, &marks));
    DGM_TRY_OUT(dgm_pipeline_set_spm(env, pipeline, side, bytes.data, bytes.size, path));
    status =
        options->vocab[side] != NULL
            ? dgm_vocab_load(env, &pipeline->vocab[side], options->vocab[side])
            : dgm_spm_text_vocab(env, &pipeline->spm[side], &pipeline->vocab[side], &marks, path);
out:
    dgm_map_clear(env, &marks);
    dgm_buf_clear(env, &bytes);
    return status;
}

/* The models have their pieces: there is nothing to be counted. */
static dgm_status take_spm(struct dgm_env *env, struct dgm_pipeline *pipeline,
                           const struct dgm_text_list *texts,
                           const struct dgm_pipeline_learn_options *options)
{
    DGM_TRY(load_spm(env, pipeline, DGM_SOURCE, texts, options));
    if (!pipeline->joint)
        DGM_TRY(load_spm(env, pipeline, DGM_TARGET, texts, options));
    DGM_TRY(dgm_pipeline_check_tags(env, pipeline, options->vocab[DGM_SOURCE]));
    DGM_TRY(dgm_pipeline_check_slots(env, pipeline, options->vocab[DGM_SOURCE]));
    return dgm_pipeline_link_spm(env, pipeline);
}

dgm_status dgm_pipeline_learn(struct dgm_env *env, struct dgm_pipeline *pipeline,
                              const struct dgm_text_list *texts,
                              const struct dgm_pipeline_learn_options *options)
{
    struct counts counts = { 0 };
    dgm_status status;

    if (pipeline->has_spm)
        return take_spm(env, pipeline, texts, options);
    DGM_TRY_OUT(count_words(env, pipeline, &counts, texts, options));
    if (options->codes != NULL)
        DGM_TRY_OUT(load_codes(env, pipeline, options->codes));
    else if (options->merges > 0)
        DGM_TRY_OUT(learn_codes(env, pipeline, &counts, options));
    DGM_TRY_OUT(make_vocab(env, pipeline, &counts, DGM_SOURCE, options));
    if (!pipeline->joint)
        DGM_TRY_OUT(make_vocab(env, pipeline, &counts, DGM_TARGET, options));
    DGM_TRY_OUT(dgm_pipeline_check_marks(env, pipeline, options->vocab[DGM_SOURCE]));
    DGM_TRY_OUT(dgm_pipeline_check_tags(env, pipeline, options->vocab[DGM_SOURCE]));
    DGM_TRY_OUT(dgm_pipeline_check_slots(env, pipeline, options->vocab[DGM_SOURCE]));
out:
    dgm_map_clear(env, &counts.tags);
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        dgm_tally_clear(env, &counts.words[side]);
        dgm_map_clear(env, &counts.marks[side]);
    }
    return status;
}
