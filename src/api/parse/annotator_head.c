/*
 * annotator_head.c: which parser a file holds; and parsing with an attention head of a
 * translation model.
 */
#include <string.h>

#include "api/parse/annotator.h"
#include "base/mem.h"

/* ---- opening ------------------------------------------------------------------------------ */

/* A translation model is what has a text pipeline. */
static int is_translation_model(const struct dgm_gguf *file)
{
    return dgm_gguf_find_key(file, "dragoman.vocab.source") != NULL;
}

/* A head that parses what other parts of its model want parsed. */
static void warn_of_needs(struct dgm_env *env, const struct dgm_net *net, const char *path)
{
    char what[sizeof net->config.syntax + 16];

    if (!(dgm_net_needs(net) & DGM_NEEDS_TREES))
        return;
    dgm_net_needs_text(net, what, sizeof what);
    dgm_log(env, DGM_LOG_WARNING,
            "%s: %s needs a tree of each line, and parses without: worse than "
            "in training; expected a model whose syntax needs trees in training only",
            path, what);
}

static dgm_status open_head(struct dgm_annotator *annotator, const struct dgm_gguf *file,
                            const struct dgm_parse_options *options)
{
    struct dgm_env *env = &annotator->context->env;
    struct dgm_attn_parser which;
    int layer;

    if (options->prob == DGM_PROB_MARGINAL)
        return dgm_fail(env, DGM_USAGE,
                        "probability \"marginal\" of an attention head; expected "
                        "none or row");
    DGM_TRY(dgm_model_from_gguf(env, &annotator->model, file, annotator->device, 0));
    if (!dgm_parse_head_find(&annotator->model.net, &layer, &which))
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "no parser inside, and no head of "
                           "the encoder that is one; expected train --parser FILE, or --syntax "
                           "lisa or dbsa");
    warn_of_needs(env, &annotator->model.net, file->name);
    annotator->has_head = 1;
    annotator->parse.options = *options;
    return dgm_parse_head_init(env, &annotator->head, &annotator->model.net, annotator->device,
                               options->projective);
}

static dgm_status open_file(struct dgm_annotator *annotator, const struct dgm_gguf *file,
                            int from_attention, const struct dgm_parse_options *options)
{
    struct dgm_env *env = &annotator->context->env;

    if (is_translation_model(file) && (from_attention || !dgm_parser_is_in(file)))
        return open_head(annotator, file, options);
    if (from_attention)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "a parser alone; expected a "
                           "translation model for trees from its attention");
    DGM_TRY(dgm_parser_from_gguf(env, &annotator->parser, file, annotator->device, 0));
    return dgm_parse_init(env, &annotator->parse, &annotator->parser, options);
}

dgm_status dgm_annotator_open(struct dgm_annotator *annotator, const char *path, int from_attention,
                              const struct dgm_parse_options *options)
{
    struct dgm_env *env = &annotator->context->env;
    struct dgm_gguf file;
    dgm_status status;

    memset(&file, 0, sizeof file);
    DGM_TRY(dgm_gguf_load(env, &file, path));
    status = dgm_gguf_verify(env, &file, NULL);
    if (status == DGM_OK)
        status = open_file(annotator, &file, from_attention, options);
    dgm_gguf_clear(env, &file);
    return status;
}

void dgm_annotator_close_head(struct dgm_annotator *annotator)
{
    struct dgm_env *env = &annotator->context->env;

    dgm_parse_head_clear(env, &annotator->head);
    dgm_model_clear(env, &annotator->model);
    dgm_encoded_clear(env, &annotator->encoded);
    dgm_packed_clear(env, &annotator->pieces);
}

/* ---- a window ----------------------------------------------------------------------------- */

dgm_status dgm_annotator_queue_pieces(struct dgm_annotator *annotator,
                                      struct dgm_annotator_item *item)
{
    struct dgm_env *env = &annotator->context->env;
    struct dgm_encoded *encoded = &annotator->encoded;
    int64_t most = annotator->model.net.config.max_length;

    if (item->count == 0)
        return DGM_OK;
    DGM_TRY(dgm_pipeline_encode_words(env, &annotator->model.pipeline, DGM_SOURCE, encoded,
                                      item->forms, item->count));
    if (encoded->n - 1 > most) {
        if (annotator->too_long++ == 0)
            dgm_log(env, DGM_LOG_WARNING,
                    "line %ld has %d pieces, the model reads %lld: left "
                    "without a tree (said once)",
                    annotator->line, (int)encoded->n - 1, (long long)most);
        return DGM_OK;
    }
    item->number = annotator->pieces.count;
    annotator->window_words += item->count;
    return dgm_packed_add(env, &annotator->pieces, encoded->ids, encoded->words, encoded->n, NULL,
                          encoded->n_words);
}

dgm_status dgm_annotator_run_head(struct dgm_annotator *annotator)
{
    struct dgm_env *env = &annotator->context->env;
    const struct dgm_packed *pieces = &annotator->pieces;
    struct dgm_parsed *parsed = &annotator->parsed;
    size_t words = pieces->count > 0 ? (size_t)pieces->word_offsets[pieces->count] : 0;
    size_t capacity = parsed->capacity;
    int32_t s;

    DGM_TRY(dgm_reserve(env, &parsed->heads, &capacity, words, sizeof *parsed->heads));
    DGM_TRY(dgm_reserve(env, &parsed->prob, &parsed->capacity, words, sizeof *parsed->prob));
    for (s = 0; s < pieces->count; s++) {
        int32_t first = pieces->word_offsets[s];
        DGM_TRY(dgm_poll(env));
        DGM_TRY(dgm_parse_head_run(env, &annotator->head, pieces, s, parsed->heads + first,
                                   parsed->prob + first));
    }
    return DGM_OK;
}
