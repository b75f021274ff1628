/*
 * multitask.c: the parses of a training text, and the parse pairs of its corpus.
 */
#include "data/multitask.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "syntax/bracket/bracket_reader.h"
#include "syntax/conllu/conllu_reader.h"
#include "syntax/tree/linearise.h"

/* ---- parses ---------------------------------------------------------------------------------- */

dgm_status dgm_parses_add(struct dgm_env *env, struct dgm_parses *parses)
{
    size_t start = parses->count > 0 ? parses->ends[parses->count - 1] : 0;

    DGM_TRY(dgm_grow(env, &parses->ends, &parses->capacity, parses->count, sizeof *parses->ends));
    parses->none += parses->text.size == start;
    parses->ends[parses->count++] = parses->text.size;
    return DGM_OK;
}

const char *dgm_parses_line(const struct dgm_parses *parses, size_t line, size_t *bytes)
{
    size_t start = line > 0 && line < parses->count ? parses->ends[line - 1] : 0;

    *bytes = line < parses->count ? parses->ends[line] - start : 0;
    return *bytes > 0 ? parses->text.data + start : "";
}

void dgm_parses_clear(struct dgm_env *env, struct dgm_parses *parses)
{
    dgm_buf_clear(env, &parses->text);
    dgm_release(env, parses->ends);
    memset(parses, 0, sizeof *parses);
}

static void begin(struct dgm_parses *parses, const char *path)
{
    parses->path = path;
    parses->text.limit = SIZE_MAX / 4; /* as large as the text is: memory is the limit */
}

static dgm_status add_sentence(struct dgm_env *env, void *user,
                               const struct dgm_conllu_sentence *sentence)
{
    struct dgm_parses *parses = user;
    const struct dgm_tree *tree = &sentence->tree;
    const char **labels;
    dgm_status status;

    if (!tree->has_parse)
        return dgm_parses_add(env, parses);
    labels = dgm_alloc(env, (size_t)tree->count, sizeof *labels);
    if (labels == NULL)
        return DGM_MEMORY;
    for (int32_t w = 0; w < tree->count; w++)
        labels[w] = dgm_conllu_field(sentence, w, DGM_CONLLU_DEPREL);
    status = dgm_linearise_tree(env, &parses->text, tree, labels);
    dgm_release(env, labels);
    DGM_TRY(status);
    return dgm_parses_add(env, parses);
}

dgm_status dgm_parses_read_conllu(struct dgm_env *env, struct dgm_parses *parses, const char *path)
{
    struct dgm_conllu_options options = { .multi_root = DGM_MULTI_ROOT_KEEP, .allow_unparsed = 1 };

    begin(parses, path);
    return dgm_conllu_reader_each(env, path, &options, add_sentence, parses);
}

dgm_status dgm_parses_read_brackets(struct dgm_env *env, struct dgm_parses *parses,
                                    const char *path)
{
    struct dgm_bracket_reader reader;
    struct dgm_bracket_tree tree;
    dgm_status status;
    int more;

    memset(&reader, 0, sizeof reader);
    memset(&tree, 0, sizeof tree);
    begin(parses, path);
    DGM_TRY_OUT(dgm_bracket_reader_open(env, &reader, path, NULL));
    for (;;) {
        DGM_TRY_OUT(dgm_bracket_reader_next_or_none(env, &reader, &tree, &more));
        if (!more)
            break;
        if (tree.has_parse)
            DGM_TRY_OUT(dgm_linearise_brackets(env, &parses->text, &tree));
        DGM_TRY_OUT(dgm_parses_add(env, parses));
    }
out:
    dgm_bracket_reader_close(env, &reader);
    dgm_bracket_clear(env, &tree);
    return status;
}

/* ---- parse pairs ----------------------------------------------------------------------------- */

/* What is at work while pairs are added. */
struct adding {
    struct dgm_packed pair; /* a source, alone: a side cannot be appended to itself */
    struct dgm_encoded target;
    struct dgm_hash hash;
    int32_t mark; /* the id of <PA> */
};

/* Source s once more, between the other marks. */
static dgm_status add_source(struct dgm_env *env, struct dgm_packed *source, struct adding *adding,
                             int32_t s)
{
    struct dgm_packed *pair = &adding->pair;

    dgm_packed_reset(pair);
    DGM_TRY(dgm_packed_append(env, pair, source, s));
    pair->ids[0] = pair->ids[pair->offsets[1] - 2] = adding->mark;
    return dgm_packed_append(env, source, pair, 0);
}

static dgm_status add_pair(struct dgm_env *env, struct dgm_corpus *corpus,
                           struct dgm_pipeline *pipeline, const struct dgm_parses *parses,
                           int32_t max_length, struct adding *adding, int32_t s, long *too_long)
{
    struct dgm_encoded *target = &adding->target;
    long line = corpus->line_of[s];
    size_t bytes;
    const char *text = dgm_parses_line(parses, (size_t)line, &bytes);

    dgm_hash_add(&adding->hash, text, bytes);
    dgm_hash_add(&adding->hash, "\n", 1);
    if (bytes == 0)
        return DGM_OK;
    DGM_TRY(dgm_pipeline_encode_parse(env, pipeline, target, text, bytes));
    if (target->n > max_length) {
        ++*too_long;
        return DGM_OK;
    }
    DGM_TRY(add_source(env, &corpus->source, adding, s));
    DGM_TRY(dgm_packed_add(env, &corpus->target, target->ids, target->words, target->n, NULL,
                           target->n_words));
    DGM_TRY(dgm_reserve(env, &corpus->line_of, &corpus->line_capacity, (size_t)corpus->source.count,
                        sizeof *corpus->line_of));
    corpus->line_of[corpus->source.count - 1] = line;
    return DGM_OK;
}

dgm_status dgm_multitask_add(struct dgm_env *env, struct dgm_corpus *corpus,
                             struct dgm_pipeline *pipeline, const struct dgm_parses *parses,
                             int32_t max_length, long *too_long)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pipeline, DGM_SOURCE);
    const char *mark = dgm_task_marks[DGM_PARSING];
    int32_t count = corpus->source.count;
    struct adding adding;
    dgm_status status;

    *too_long = 0;
    if (parses->count != (size_t)corpus->lines)
        return dgm_fail_at(env, DGM_DATA, parses->path, 0, 0,
                           "%zu trees; expected %ld, one for "
                           "each line of the source [E_ALIGN]",
                           parses->count, corpus->lines);
    memset(&adding, 0, sizeof adding);
    adding.mark = (int32_t)dgm_vocab_find(vocab, mark, strlen(mark));
    dgm_hash_init(&adding.hash, corpus->checksum);
    for (int32_t s = 0; s < count; s++)
        DGM_TRY_OUT(add_pair(env, corpus, pipeline, parses, max_length, &adding, s, too_long));
    status = DGM_OK;
out:
    corpus->checksum = dgm_hash_value(&adding.hash);
    dgm_packed_clear(env, &adding.pair);
    dgm_encoded_clear(env, &adding.target);
    return status;
}
