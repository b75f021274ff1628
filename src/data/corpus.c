/*
 * corpus.c: reading a parallel corpus, text after text, and trees beside it.
 */
#include "data/corpus.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "data/text/link_file.h"
#include "data/text/link_words.h"
#include "data/text/pairs_reader.h"
#include "data/text/pipeline_tags.h"
#include "data/text/slots.h"
#include "data/text/weight_file.h"
#include "data/tree/tree_file.h"

/* Everything that is open while a corpus is read. */
struct loading {
    const struct dgm_corpus_files *files;
    enum dgm_bad_line on_bad;
    const struct dgm_text *text; /* that is read */
    struct dgm_pairs_reader pairs;
    struct dgm_tree_file trees[2];
    struct dgm_side_file weights;
    float weight; /* of the pair that was read last */
    struct dgm_link_file links;
    struct dgm_link_words line_words[2];
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
    const char *text = dgm_text_path(loading->text, side);

    if (trees->path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_tree_file_next_for(env, trees, text, loading->pairs.number));
    DGM_TRY(dgm_tree_file_take(env, trees, side == DGM_SOURCE ? &pipeline->features : NULL, line,
                               text, loading->pairs.number));
    return DGM_OK;
}

static void count_tokens(struct dgm_token_counts *counts, const struct dgm_encoded *line)
{
    const int32_t tokens = dgm_encoded_tokens(line);

    counts->tokens += tokens;
    for (int32_t i = 0; i < tokens; i++)
        counts->unknown += line->ids[i] == DGM_VOCAB_UNK;
}

/* A pair with an ill-formed line, or a cut one; its trees go with it. */
static dgm_status skip_bad(struct dgm_env *env, struct dgm_corpus *corpus, struct loading *loading)
{
    if (loading->pairs.is_cut)
        corpus->too_long++;
    else
        corpus->bad++;
    dgm_pairs_reader_warn_cut(env, &loading->pairs);
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        if (loading->trees[side].path != NULL)
            DGM_TRY(dgm_tree_file_next_for(env, &loading->trees[side],
                                           dgm_text_path(loading->text, side),
                                           loading->pairs.number));
    return DGM_OK;
}

/* The weight of a pair is a part of its text: another one makes another text. */
static dgm_status read_weight(struct dgm_env *env, struct loading *loading)
{
    DGM_TRY(dgm_weight_file_next(env, &loading->weights, dgm_text_path(loading->text, DGM_SOURCE),
                                 loading->pairs.number, &loading->weight));
    if (loading->weights.path != NULL)
        dgm_hash_add(&loading->hash, &loading->weight, sizeof loading->weight);
    return DGM_OK;
}

/* So are its links. */
static dgm_status read_links(struct dgm_env *env, struct loading *loading)
{
    const struct dgm_buf *line = &loading->links.side.lines.line;

    DGM_TRY(dgm_side_file_next(env, &loading->links.side, dgm_text_path(loading->text, DGM_SOURCE),
                               loading->pairs.number));
    if (loading->links.side.path == NULL)
        return DGM_OK;
    dgm_hash_add(&loading->hash, line->data, line->size);
    dgm_hash_add(&loading->hash, "\n", 1);
    return DGM_OK;
}

/* The links of the pair, between encoded words. */
static dgm_status take_links(struct dgm_env *env, struct dgm_corpus *corpus,
                             const struct dgm_pipeline *pipeline, struct loading *loading)
{
    struct dgm_link_words *words = loading->line_words;
    int done;

    if (loading->links.side.path == NULL)
        return DGM_OK;
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        const struct dgm_buf *line = loading->pairs.line[side];
        DGM_TRY(dgm_link_words_find(env, &words[side], &loading->encoded[side], pipeline->has_spm,
                                    line->data, line->size));
    }
    DGM_TRY(dgm_link_file_take(env, &loading->links, loading->pairs.number, words[DGM_SOURCE].count,
                               words[DGM_TARGET].count));
    if (loading->links.count == 0)
        return DGM_OK;
    DGM_TRY(dgm_link_words_spread(env, &loading->links, words, loading->encoded, &done));
    corpus->linked += done;
    corpus->unlinked += !done;
    return DGM_OK;
}

/* Encodes the pair that was read last, with its trees and links. */
static dgm_status take_pair(struct dgm_env *env, struct dgm_corpus *corpus,
                            struct dgm_pipeline *pipeline, struct loading *loading)
{
    if (loading->files->slots != NULL)
        DGM_TRY(dgm_slots_fill(env, loading->files->slots, loading->pairs.line,
                               (uint32_t)(loading->text - loading->files->texts->items),
                               (uint32_t)loading->pairs.number));
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        const struct dgm_buf *line = loading->files->slots != NULL
                                         ? &loading->files->slots->lines[side]
                                         : loading->pairs.line[side];
        dgm_hash_add(&loading->hash, line->data, line->size);
        dgm_hash_add(&loading->hash, "\n", 1);
        dgm_looks_add(&corpus->looks, line->data, line->size);
        DGM_TRY(dgm_pipeline_encode(env, pipeline, side, &loading->encoded[side], line->data,
                                    line->size));
    }
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        DGM_TRY(read_tree(env, pipeline, loading, side));
    return take_links(env, corpus, pipeline, loading);
}

/* Packs it, with what was read beside it. */
static dgm_status keep_pair(struct dgm_env *env, struct dgm_corpus *corpus, struct loading *loading)
{
    struct dgm_packed *packed[2] = { &corpus->source, &corpus->target };

    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        struct dgm_tree_file *trees = &loading->trees[side];
        DGM_TRY(dgm_line_tree_pack(env, packed[side], &loading->encoded[side],
                                   trees->path != NULL ? &trees->line_tree : NULL));
    }
    if (loading->weights.path != NULL)
        DGM_TRY(dgm_packed_add_weight(env, &corpus->target, loading->weight));
    if (loading->links.count > 0)
        DGM_TRY(
            dgm_packed_add_links(env, &corpus->target, loading->links.links, loading->links.count));
    DGM_TRY(dgm_reserve(env, &corpus->line_of, &corpus->line_capacity, (size_t)corpus->source.count,
                        sizeof *corpus->line_of));
    corpus->line_of[corpus->source.count - 1] = corpus->lines - 1;
    return DGM_OK;
}

static dgm_status count_pair(struct dgm_env *env, struct dgm_corpus *corpus,
                             struct loading *loading)
{
    corpus->used++;
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        count_tokens(&corpus->tokens[side], &loading->encoded[side]);
    if (loading->watch == NULL)
        return DGM_OK;
    return loading->watch->pair(env, loading->watch->user, &loading->encoded[DGM_SOURCE],
                                loading->pairs.line[DGM_SOURCE]);
}

static dgm_status add_pair(struct dgm_env *env, struct dgm_corpus *corpus,
                           struct dgm_pipeline *pipeline, struct loading *loading)
{
    const struct dgm_encoded *source = &loading->encoded[DGM_SOURCE];
    const struct dgm_encoded *target = &loading->encoded[DGM_TARGET];

    corpus->lines++;
    DGM_TRY(read_weight(env, loading));
    DGM_TRY(read_links(env, loading));
    if (loading->pairs.is_bad)
        return skip_bad(env, corpus, loading);
    DGM_TRY(take_pair(env, corpus, pipeline, loading));
    if (dgm_encoded_is_blank(source) || dgm_encoded_is_blank(target)) {
        corpus->blank++;
        return DGM_OK;
    }
    if (source->n > loading->max_length || target->n > loading->max_length) {
        corpus->too_long++;
        return DGM_OK;
    }
    DGM_TRY(keep_pair(env, corpus, loading));
    return count_pair(env, corpus, loading);
}

/* ---- one text after the other ---------------------------------------------------------------- */

static dgm_status open_text(struct dgm_env *env, struct dgm_pipeline *pipeline,
                            struct loading *loading)
{
    const struct dgm_text *text = loading->text;

    DGM_TRY(dgm_pipeline_set_tag(env, pipeline, text->tag));
    DGM_TRY(dgm_pairs_reader_open(env, &loading->pairs, text, loading->on_bad));
    DGM_TRY(dgm_weight_file_open(env, &loading->weights, text->weights));
    DGM_TRY(dgm_link_file_open(env, &loading->links, text->links));
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        loading->trees[side].needs = loading->files->needs[side];
        DGM_TRY(dgm_tree_file_open(env, &loading->trees[side], text->trees[side], 0));
    }
    return DGM_OK;
}

static void add_counts(struct dgm_corpus *corpus, const struct dgm_line_tree *tree)
{
    corpus->laid.lines += tree->laid.lines;
    corpus->laid.words += tree->laid.words;
    corpus->laid.kept += tree->laid.kept;
    dgm_feature_counts_add(&corpus->counts, &tree->counts);
}

/* No line of the text before has what this one's lines are held against. */
static void close_text(struct dgm_env *env, struct dgm_corpus *corpus, struct loading *loading)
{
    dgm_pairs_reader_close(env, &loading->pairs);
    dgm_side_file_close(env, &loading->weights);
    dgm_link_file_close(env, &loading->links);
    add_counts(corpus, &loading->trees[DGM_SOURCE].line_tree);
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        dgm_tree_file_close(env, &loading->trees[side]);
        memset(&loading->trees[side], 0, sizeof loading->trees[side]);
    }
}

/* Of the text that was read, whose pairs are all left out. */
static dgm_status fail_without_pairs(struct dgm_env *env, const struct loading *loading, long lines,
                                     long too_long)
{
    const char *source = dgm_text_path(loading->text, DGM_SOURCE);

    if (too_long == 0)
        return dgm_fail_at(env, DGM_DATA, source, 0, 0, "no sentence pairs; expected at least 1");
    return dgm_fail_at(env, DGM_DATA, source, 0, 0,
                       "no sentence pairs: %ld of %ld have a side of more tokens, its end counted, "
                       "than --max-length %d; expected shorter ones, or a larger --max-length",
                       too_long, lines, (int)loading->max_length);
}

/* Notes what the text has given. No sentence of a treebank may be left when it ends. */
static dgm_status end_text(struct dgm_env *env, struct dgm_corpus *corpus, struct loading *loading,
                           const struct dgm_corpus *before)
{
    const long lines = corpus->lines - before->lines, used = corpus->used - before->used;
    const char *source = dgm_text_path(loading->text, DGM_SOURCE);

    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        DGM_TRY(dgm_tree_file_check_end(env, &loading->trees[side],
                                        dgm_text_path(loading->text, side), lines));
    DGM_TRY(dgm_side_file_check_end(env, &loading->weights, source, lines));
    DGM_TRY(dgm_side_file_check_end(env, &loading->links.side, source, lines));
    if (used == 0)
        return fail_without_pairs(env, loading, lines, corpus->too_long - before->too_long);
    DGM_TRY(dgm_grow(env, &corpus->parts, &corpus->part_capacity, corpus->part_count,
                     sizeof *corpus->parts));
    corpus->parts[corpus->part_count++] =
        (struct dgm_text_part){ lines, used, dgm_hash_value(&loading->hash) };
    return DGM_OK;
}

static dgm_status read_text(struct dgm_env *env, struct dgm_corpus *corpus,
                            struct dgm_pipeline *pipeline, struct loading *loading)
{
    const struct dgm_corpus before = *corpus;
    int more;

    DGM_TRY(open_text(env, pipeline, loading));
    for (;;) {
        DGM_TRY(dgm_pairs_reader_next(env, &loading->pairs, &more));
        if (!more)
            return end_text(env, corpus, loading, &before);
        DGM_TRY(add_pair(env, corpus, pipeline, loading));
    }
}

static dgm_status read_all(struct dgm_env *env, struct dgm_corpus *corpus,
                           struct dgm_pipeline *pipeline, struct loading *loading)
{
    const struct dgm_text_list *texts = loading->files->texts;
    dgm_status status = DGM_OK;

    for (size_t i = 0; i < texts->count && status == DGM_OK; i++) {
        loading->text = &texts->items[i];
        status = read_text(env, corpus, pipeline, loading);
        close_text(env, corpus, loading);
    }
    corpus->checksum = dgm_hash_value(&loading->hash);
    return status;
}

size_t dgm_corpus_find_line(const struct dgm_corpus *corpus, long line, long *in_text)
{
    size_t part = 0;

    for (; part + 1 < corpus->part_count && line >= corpus->parts[part].lines; part++)
        line -= (long)corpus->parts[part].lines;
    *in_text = line + 1;
    return part;
}

/* ---- checksums ------------------------------------------------------------------------------- */

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

dgm_status dgm_corpus_load(struct dgm_env *env, struct dgm_corpus *corpus,
                           struct dgm_pipeline *pipeline, const struct dgm_corpus_files *files,
                           int32_t max_length, enum dgm_bad_line on_bad,
                           const struct dgm_corpus_watch *watch)
{
    struct loading loading = {
        .files = files, .on_bad = on_bad, .max_length = max_length, .watch = watch
    };
    dgm_status status;

    memset(corpus, 0, sizeof *corpus);
    dgm_hash_init(&loading.hash, 0);
    status = read_all(env, corpus, pipeline, &loading);
    pipeline->tag = 0;
    dgm_encoded_clear(env, &loading.encoded[DGM_SOURCE]);
    dgm_encoded_clear(env, &loading.encoded[DGM_TARGET]);
    dgm_link_words_clear(env, &loading.line_words[DGM_SOURCE]);
    dgm_link_words_clear(env, &loading.line_words[DGM_TARGET]);
    if (status != DGM_OK)
        dgm_corpus_clear(env, corpus);
    return status;
}

double dgm_corpus_bytes(const struct dgm_corpus *corpus)
{
    const double of_a_pair = sizeof *corpus->line_of + sizeof *corpus->numbers;

    return dgm_packed_bytes(&corpus->source) + dgm_packed_bytes(&corpus->target) +
           of_a_pair * corpus->source.count;
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
    dgm_release(env, corpus->parts);
    memset(corpus, 0, sizeof *corpus);
}
