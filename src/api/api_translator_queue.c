/*
 * api_translator_queue.c: lines on their way into a translator: encoded, with their trees, packed.
 */
#include <string.h>

#include "api/translator.h"
#include "base/mem.h"
#include "model/encoder.h"

/* ---- trees ----------------------------------------------------------------------------------- */

/* A model that reads dependency trees and no others, into translator->needs. */
static const char *find_needs(struct dgm_translator *translator)
{
    for (size_t i = 0; i < translator->model_count; i++) {
        const struct dgm_net *net = &translator->models[i].net;
        unsigned needs = dgm_net_needs(net);

        if (!(needs & (DGM_NEEDS_TREES | DGM_NEEDS_TAGS)) || (needs & DGM_READS_CONSTITUENTS))
            continue;
        dgm_net_needs_text(net, translator->needs, sizeof translator->needs);
        return translator->needs;
    }
    return NULL;
}

static dgm_status open_file(struct dgm_translator *translator, const char *path)
{
    struct dgm_env *env = &translator->context->env;

    translator->tree_path = dgm_copy_text(env, path, strlen(path));
    if (translator->tree_path == NULL)
        return DGM_MEMORY;
    translator->trees.needs = find_needs(translator);
    return dgm_tree_file_open(env, &translator->trees, translator->tree_path, 1);
}

/* Recurrent tree encoders have never seen the chains that they fall back to. */
static void warn_of_chains(const struct dgm_translator *translator)
{
    for (size_t i = 0; i < translator->model_count; i++) {
        const struct dgm_net *net = &translator->models[i].net;
        if (net->encoder->needs & DGM_NEEDS_TREES)
            dgm_log(&translator->context->env, DGM_LOG_WARNING, "no trees: --encoder %s reads each "
                    "line as a chain of words and translates badly; expected --trees FILE, or a "
                    "model that was trained with --parser", net->encoder->name);
    }
}

dgm_status dgm_translator_open_trees(struct dgm_translator *translator,
                                     const dgm_translator_options *chosen)
{
    struct dgm_env *env = &translator->context->env;
    int needed = 0;
    size_t i;

    if (chosen->no_trees) {
        warn_of_chains(translator);
        return DGM_OK;
    }
    if (chosen->trees != NULL)
        return open_file(translator, chosen->trees);
    for (i = 0; i < translator->model_count; i++)
        needed |= (dgm_net_needs(&translator->models[i].net) & DGM_NEEDS_TREES) != 0;
    if (needed && !translator->models[0].has_parser)
        warn_of_chains(translator);
    if (!needed || !translator->models[0].has_parser)
        return DGM_OK;
    DGM_TRY(dgm_parser_load(env, &translator->parser, chosen->models[0], translator->device));
    translator->parses = 1;
    return dgm_parse_lines_init(env, &translator->lines, &translator->parser,
                                translator->tags);
}

/* The words of the line just encoded, whole, to the parser. */
static dgm_status queue_words(struct dgm_env *env, struct dgm_translator *translator)
{
    const struct dgm_encoded *encoded = &translator->encoded;
    int64_t most = translator->parser.config.max_words;

    if (encoded->n_words > most && !translator->warned) {
        dgm_log(env, DGM_LOG_WARNING, "line %ld has %d words, the parser reads %lld; translated "
                "without its tree (said once)", translator->line, (int)encoded->n_words,
                (long long)most);
        translator->warned = 1;
    }
    return dgm_parse_lines_add(env, &translator->lines, encoded);
}

dgm_status dgm_translator_parse(struct dgm_translator *translator)
{
    struct dgm_env *env = &translator->context->env;

    if (!translator->parses || translator->source.count == 0)
        return DGM_OK;
    DGM_TRY(dgm_parse_lines_run(env, &translator->lines));
    return dgm_parse_lines_hand_over(env, &translator->lines, &translator->source);
}

/* A tree that does not fit costs its line the syntax, never the translation. */
static dgm_status drop_tree(struct dgm_env *env, struct dgm_translator *translator)
{
    if (!translator->warned)
        dgm_log(env, DGM_LOG_WARNING, "line %ld: %s; translated without its tree (said once)",
                translator->line, env->error.message);
    translator->warned = 1;
    dgm_env_clear_error(env);
    return DGM_OK;
}

/* Once, where a model could read constituents and gets dependency trees. */
static void tell_derived(struct dgm_env *env, const struct dgm_translator *translator)
{
    int reads = 0;

    for (size_t i = 0; i < translator->model_count; i++)
        reads |= (dgm_net_needs(&translator->models[i].net) & DGM_READS_CONSTITUENTS) != 0;
    if (reads && translator->trees.format == DGM_TREES_CONLLU)
        dgm_log(env, DGM_LOG_NOTE, "constituents are derived from the dependency trees of %s",
                translator->tree_path);
}

/* The tree of the line just encoded, from the next sentence of the tree file. */
static dgm_status read_tree(struct dgm_env *env, struct dgm_translator *translator)
{
    struct dgm_tree_file *trees = &translator->trees;
    int is_first = trees->format == DGM_TREES_UNKNOWN, more;
    dgm_status status;

    DGM_TRY(dgm_tree_file_next(env, trees, &more));
    if (is_first)
        tell_derived(env, translator);
    if (!more)
        return dgm_fail_at(env, DGM_DATA, translator->tree_path, 0, 0,
                           "%ld sentences; expected one for each line of the input [E_ALIGN]",
                           translator->line - 1);
    status = dgm_tree_file_take(env, trees, translator->tags, &translator->encoded, "input",
                                translator->line);
    return status == DGM_DATA ? drop_tree(env, translator) : status;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* What all models can read. */
static int32_t longest(const struct dgm_translator *translator)
{
    int64_t most = translator->models[0].net.config.max_length;

    for (size_t i = 1; i < translator->model_count; i++)
        if (translator->models[i].net.config.max_length < most)
            most = translator->models[i].net.config.max_length;
    return (int32_t)most;
}

/* The first tokens of a line that is longer than that. */
static void cut_line(struct dgm_env *env, struct dgm_translator *translator)
{
    struct dgm_encoded *encoded = &translator->encoded;
    const int32_t most = longest(translator);

    if (encoded->n <= most)
        return;
    dgm_log(env, DGM_LOG_WARNING, "line %ld has %d tokens, the model reads %d: the rest is cut",
            translator->line, (int)encoded->n, (int)most);
    dgm_encoded_cut(encoded, most);
}

static dgm_status queue_line(struct dgm_env *env, struct dgm_translator *translator,
                             int32_t sentence)
{
    const struct dgm_buf *text = &translator->encoded.text;
    struct queued *line;

    DGM_TRY(dgm_grow(env, &translator->queue, &translator->queue_capacity,
                     translator->queue_count, sizeof *translator->queue));
    line = &translator->queue[translator->queue_count];
    line->sentence = sentence;
    line->text = translator->words.size;
    line->text_bytes = translator->sight.model != NULL ? text->size : 0;
    DGM_TRY(dgm_buf_add(env, &translator->words, text->data, line->text_bytes));
    translator->queue_count++;
    return DGM_OK;
}

static dgm_status add_source(struct dgm_translator *translator, const char *line, size_t bytes,
                             int *is_blank)
{
    struct dgm_env *env = &translator->context->env;
    struct dgm_encoded *encoded = &translator->encoded;
    struct dgm_tree_file *trees = &translator->trees;

    dgm_translator_begin(translator);
    translator->line++;
    DGM_TRY(dgm_pipeline_encode(env, &translator->models[0].pipeline, DGM_SOURCE, encoded,
                                line, bytes));
    if (trees->path != NULL)
        DGM_TRY(read_tree(env, translator));
    *is_blank = encoded->n == 1;
    if (*is_blank)
        return queue_line(env, translator, -1);
    cut_line(env, translator);
    DGM_TRY(dgm_line_tree_pack(env, &translator->source, encoded,
                               trees->path != NULL ? &trees->line_tree : NULL));
    if (translator->parses)
        DGM_TRY(queue_words(env, translator));
    return queue_line(env, translator, translator->source.count - 1);
}

dgm_status dgm_translator_add(dgm_translator *translator, const char *line, size_t bytes)
{
    int is_blank;

    DGM_ENTER_HANDLE(translator);
    DGM_TRY(dgm_line_check(&translator->context->env, line, bytes));
    translator->scoring = 0;
    return add_source(translator, line, bytes, &is_blank);
}

dgm_status dgm_translator_add_pair(dgm_translator *translator, const char *source,
                                   size_t source_bytes, const char *target, size_t target_bytes)
{
    struct dgm_env *env;
    struct dgm_encoded *encoded;
    int is_blank;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    encoded = &translator->encoded;
    DGM_TRY(dgm_line_check(env, source, source_bytes));
    DGM_TRY(dgm_line_check(env, target, target_bytes));
    translator->scoring = 1;
    DGM_TRY(add_source(translator, source, source_bytes, &is_blank));
    if (is_blank)
        return DGM_OK;
    DGM_TRY(dgm_pipeline_encode(env, &translator->models[0].pipeline, DGM_TARGET, encoded, target,
                                target_bytes));
    cut_line(env, translator);
    return dgm_line_tree_pack(env, &translator->target, encoded, NULL);
}

