/* annotator_options.c: what is wanted of an annotator, and which wishes contradict one another. */
#include "api/parse/annotator.h"

#include <limits.h>
#include <string.h>

#include "base/mem.h"
#include "decode/annotate/columns.h"
#include "syntax/conllu/comment.h"
#include "text/bpe/bpe_load.h"
#include "text/tokenize/language.h"

static dgm_status unknown(struct dgm_env *env, const char *option, const char *value,
                          const char *expected)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, value, strlen(value));
    return dgm_fail(env, DGM_USAGE, "%s \"%s\"; expected %s", option, quoted, expected);
}

/* Whether trees are written, and as what. */
static int find_form(const char *output, enum dgm_tree_form *form)
{
    for (int f = 0; f < DGM_TREE_FORMS; f++)
        if (strcmp(output, dgm_tree_form_names[f]) == 0) {
            *form = (enum dgm_tree_form)f;
            return 1;
        }
    return 0;
}

/* Not every form has a place for all that can be asked for. */
static dgm_status check_form(struct dgm_env *env, const struct dgm_sentence_window *window,
                             const dgm_annotator_options *chosen, int is_lines,
                             const char *probability)
{
    const enum dgm_tree_form form = window->output.form;

    if (is_lines && chosen->split != NULL && strcmp(chosen->split, "none") != 0)
        return dgm_fail(
            env, DGM_USAGE,
            "split \"%s\" of lines, which are a sentence each; expected none, or raw text",
            chosen->split);
    if (form != DGM_TREE_BRACKETS && form != DGM_TREE_SVG)
        return DGM_OK;
    if (strcmp(probability, "none") != 0)
        return dgm_fail(
            env, DGM_USAGE,
            "probability \"%s\" in %s, which has no place for it; expected output conllu "
            "or json",
            probability, dgm_tree_form_names[form]);
    if (chosen->ranges || chosen->sent_id != NULL)
        return dgm_fail(env, DGM_USAGE,
                        "%s in %s, which has no place for them; expected output conllu or json",
                        chosen->ranges ? "ranges" : "IDs (sent_id)", dgm_tree_form_names[form]);
    return DGM_OK;
}

static dgm_status read_forms(struct dgm_env *env, struct dgm_sentence_window *window,
                             const dgm_annotator_options *chosen, struct dgm_parse_options *options)
{
    /* In the order of enum dgm_sentence_form, and lines behind it; of enum dgm_arc_prob. */
    static const char *const inputs[] = { "raw", "tokens", "conllu", "lines" };
    static const char *const probabilities[] = { "none", "row", "marginal" };
    struct dgm_sentence_writer *writer = &window->writer;
    const char *output = chosen->output != NULL ? chosen->output : "conllu";
    int input, probability, is_lines;

    DGM_TRY(dgm_options_choose(env, &input, "input", chosen->input, inputs, 4));
    DGM_TRY(dgm_options_choose(env, &probability, "probability", chosen->probability, probabilities,
                               3));
    is_lines = input == 3;
    writer->input = is_lines ? DGM_SENTENCE_RAW : (enum dgm_sentence_form)input;
    options->prob = (enum dgm_arc_prob)probability;
    writer->wants_conllu = find_form(output, &window->output.form);
    writer->kind = dgm_annotation_find(output);
    if (!writer->wants_conllu && writer->kind == DGM_ANNOTATION_COUNT)
        return unknown(env, "output", output,
                       "conllu, json, brackets, svg, heads, depths, distances, positions, "
                       "firsts, tags, labels or pieces");
    return check_form(env, window, chosen, is_lines, probabilities[probability]);
}

static dgm_status read_options(struct dgm_env *env, struct dgm_sentence_window *window,
                               const dgm_annotator_options *chosen)
{
    struct dgm_sentence_writer *writer = &window->writer;
    const char *language = chosen->language != NULL ? chosen->language : "en";
    const char *separator = chosen->separator != NULL ? chosen->separator : "@@";

    DGM_TRY(
        dgm_range_int(env, "dgm_annotator_options.batch_words", chosen->batch_words, 0, INT_MAX));
    DGM_TRY(dgm_language_check(env, "language", language));
    if (strlen(separator) >= sizeof writer->separator)
        return unknown(env, "separator", separator, "at most 15 bytes");
    strcpy(window->language, language);
    strcpy(writer->separator, separator);
    writer->chain = chosen->chain;
    writer->retag = chosen->retag;
    DGM_TRY(dgm_columns_read(env, &writer->columns, chosen->columns));
    window->immediate = chosen->immediate;
    window->batch_words = chosen->batch_words > 0 ? chosen->batch_words : 2000;
    if (chosen->codes == NULL)
        return DGM_OK;
    writer->has_codes = 1;
    return dgm_bpe_load(env, &writer->bpe, chosen->codes, -1);
}

/* Who cuts raw text; it needs the parser. */
static dgm_status open_tokenizer(struct dgm_env *env, struct dgm_sentence_window *window,
                                 const dgm_annotator_options *chosen)
{
    static const char *const tokenizers[] = { "auto", "own", "moses" };
    static const char *const splits[] = { "none", "lines", "document" }; /* dgm_text_split */
    const int is_raw = window->writer.input == DGM_SENTENCE_RAW;
    int tokenizer, split;

    DGM_TRY(dgm_options_choose(env, &tokenizer, "tokenizer", chosen->tokenizer, tokenizers, 3));
    DGM_TRY(dgm_options_choose(env, &split, "split", chosen->split, splits, 3));
    window->text.split = (enum dgm_text_split)split;
    window->writer.ranges = chosen->ranges;
    window->cuts = is_raw && tokenizer != 2 && dgm_sentence_parser_cuts(&window->parser);
    window->writer.ranges |= window->cuts && window->output.form == DGM_TREE_JSON;
    if (tokenizer != 0 && !is_raw)
        return dgm_fail(env, DGM_USAGE,
                        "tokenizer \"%s\" of text that has words; expected raw text",
                        tokenizers[tokenizer]);
    if (tokenizer == 2 && window->parser.has_head)
        return dgm_fail(env, DGM_MODEL,
                        "tokenizer \"moses\" of an attention head, whose model cuts text as it was "
                        "trained; expected no tokenizer");
    if (window->cuts || tokenizer == 1)
        return dgm_sentence_parser_open_cut(&window->parser);
    if (split != DGM_SPLIT_NONE || chosen->ranges)
        return dgm_fail(env, DGM_USAGE,
                        "%s without a tokenizer of the parser's own; expected raw text and a "
                        "parser of train-parser --tokenizer",
                        chosen->ranges ? "ranges" : "split");
    if (is_raw && !window->parser.has_head)
        dgm_language_warn(env, window->language, DGM_CUTS_OF_TREEBANK);
    return DGM_OK;
}

/* Only a warning: whoever parses many texts by many parsers may well tell the language of each. */
static void warn_of_unread_language(struct dgm_env *env, const struct dgm_sentence_window *window,
                                    const dgm_annotator_options *chosen)
{
    const int has_head = window->parser.has_head;

    if (chosen->language == NULL || window->writer.input != DGM_SENTENCE_RAW ||
        window->writer.over.tokens == DGM_TOKENS_MOSES || !(window->cuts || has_head))
        return;
    dgm_log(env, DGM_LOG_WARNING, "language \"%s\" changes nothing: %s", window->language,
            has_head ? "a model with an attention head cuts text as it was trained"
                     : "the parser cuts text itself");
}

/* What gets values: tokens other than the parser's own need one that cuts running text. */
static dgm_status read_tokens(struct dgm_env *env, struct dgm_sentence_window *window,
                              const dgm_annotator_options *chosen)
{
    static const char *const tokens[] = { "own", "moses", "blanks" }; /* dgm_sentence_tokens */
    struct dgm_sentence_over *over = &window->writer.over;
    int which;

    DGM_TRY(dgm_options_choose(env, &which, "tokens", chosen->tokens, tokens, 3));
    over->tokens = (enum dgm_sentence_tokens)which;
    over->language = window->language;
    if (which == 0)
        return DGM_OK;
    if (window->writer.wants_conllu)
        return dgm_fail(env, DGM_USAGE,
                        "tokens \"%s\" of CoNLL-U, which has the words of the parser; expected "
                        "another output",
                        tokens[which]);
    if (!window->cuts || window->text.split != DGM_SPLIT_NONE)
        return dgm_fail(env, DGM_USAGE,
                        "tokens \"%s\" without a tokenizer of the parser's own; expected raw text "
                        "and a parser of train-parser --tokenizer",
                        tokens[which]);
    if (which == DGM_TOKENS_MOSES)
        dgm_language_warn(env, window->language, DGM_CUTS_OF_UNIGRAM);
    return DGM_OK;
}

static dgm_status copy_source(struct dgm_sentence_window *window, const char *path)
{
    window->source = dgm_copy_text(window->env, path, strlen(path));
    return window->source != NULL ? DGM_OK : DGM_MEMORY;
}

/* What needs heads, where none are written. */
static dgm_status check_heads(struct dgm_env *env, const struct dgm_sentence_window *window,
                              const struct dgm_parse_options *options)
{
    const enum dgm_tree_form form = window->output.form;
    const int is_of_trees = form == DGM_TREE_BRACKETS || form == DGM_TREE_SVG;

    if (!window->writer.wants_conllu || (window->writer.columns & 1u << DGM_CONLLU_HEAD) != 0)
        return DGM_OK;
    if (options->prob != DGM_PROB_NONE)
        return dgm_fail(env, DGM_USAGE,
                        "columns without the heads that probabilities are of; expected head among "
                        "them");
    if (is_of_trees && window->writer.input != DGM_SENTENCE_CONLLU)
        return dgm_fail(env, DGM_USAGE,
                        "columns without the heads that %s shows; expected head among them",
                        dgm_tree_form_names[form]);
    return DGM_OK;
}

static dgm_status copy_id_prefix(struct dgm_env *env, struct dgm_sentence_writer *writer,
                                 const char *prefix)
{
    if (prefix == NULL)
        return DGM_OK;
    if (!writer->wants_conllu)
        return dgm_fail(env, DGM_USAGE,
                        "sent_id of values, which have no place for it; expected output conllu or "
                        "json");
    if (!dgm_conllu_is_id(prefix))
        return unknown(env, "sent_id", prefix,
                       "UTF-8 without white space and with one slash at most");
    writer->id_prefix = dgm_copy_text(env, prefix, strlen(prefix));
    return writer->id_prefix != NULL ? DGM_OK : DGM_MEMORY;
}

/* One model, or parsers. */
static dgm_status check_models(struct dgm_env *env, const dgm_annotator_options *chosen)
{
    if (chosen->model_count == 0)
        return dgm_argument_check(env, chosen->model, "model");
    if (chosen->model != NULL)
        return dgm_fail(env, DGM_USAGE,
                        "dgm_annotator_options: model and models; expected one of them");
    DGM_TRY(
        dgm_texts_check(env, chosen->models, chosen->model_count, "dgm_annotator_options.models"));
    if (chosen->model_count > 1 && (chosen->source != NULL || chosen->from_attention))
        return dgm_fail(env, DGM_USAGE,
                        "trees from the attention of %zu models; expected one model, or parsers "
                        "alone",
                        chosen->model_count);
    return DGM_OK;
}

dgm_status dgm_annotator_open(struct dgm_annotator *annotator, const dgm_annotator_options *chosen)
{
    struct dgm_sentence_window *window = &annotator->window;
    struct dgm_env *env = &annotator->context->env;
    enum dgm_sentence_parser_choice choice = chosen->source != NULL   ? DGM_PARSER_DECODER_HEAD
                                             : chosen->from_attention ? DGM_PARSER_ENCODER_HEAD
                                                                      : DGM_PARSER_ANY;
    const int is_one = chosen->model_count == 0; /* `model`, or several in `models` */
    struct dgm_parse_options options = { .projective = chosen->projective };
    enum dgm_compute_type type;

    DGM_TRY(check_models(env, chosen));
    DGM_TRY(dgm_compute_type_parse(env, &type, chosen->compute_type));
    DGM_TRY(read_forms(env, window, chosen, &options));
    DGM_TRY(read_options(env, window, chosen));
    if (window->writer.wants_conllu)
        options.morphs = dgm_columns_morphs(window->writer.columns);
    if (chosen->source != NULL)
        DGM_TRY(copy_source(window, chosen->source));
    DGM_TRY(copy_id_prefix(env, &window->writer, chosen->sent_id));
    DGM_TRY(dgm_context_open_device(annotator->context, &annotator->device));
    window->writer.parser = &window->parser;
    DGM_TRY(dgm_sentence_parser_open(env, &window->parser, annotator->device,
                                     is_one ? &chosen->model : chosen->models,
                                     is_one ? 1 : chosen->model_count, choice, type, &options));
    dgm_sentence_window_name_lines(window);
    DGM_TRY(dgm_sentence_parser_imitate(&window->parser, chosen->treebank));
    DGM_TRY(open_tokenizer(env, window, chosen));
    DGM_TRY(read_tokens(env, window, chosen));
    warn_of_unread_language(env, window, chosen);
    if (chosen->retag && window->parser.has_head)
        return dgm_fail(env, DGM_USAGE,
                        "retag by an attention head, which finds no tags; expected a parser");
    DGM_TRY(dgm_columns_settle(env, &window->writer.columns, &window->parser));
    DGM_TRY(check_heads(env, window, &options));
    if (window->writer.input == DGM_SENTENCE_CONLLU && window->writer.wants_conllu)
        dgm_columns_tell(env, window->writer.columns, window->writer.retag);
    return DGM_OK;
}
