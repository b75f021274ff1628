/* annotator.c: parsing behind the public interface: options, the window, single lines. */
#include "api/parse/annotator.h"

#include <limits.h>
#include <string.h>

#include "api/program.h"
#include "base/mem.h"
#include "syntax/conllu/conllu_packed.h"
#include "text/bpe/bpe_load.h"
#include "text/tokenize/language.h"
#include "text/unicode/utf8.h"

/* ---- making and freeing ------------------------------------------------------------------- */

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
static dgm_status check_form(struct dgm_env *env, const struct dgm_annotator *annotator,
                             const dgm_annotator_options *chosen, const char *probability)
{
    const enum dgm_tree_form form = annotator->output.form;

    if (annotator->is_lines && chosen->split != NULL && strcmp(chosen->split, "none") != 0)
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
    if (chosen->ranges)
        return dgm_fail(env, DGM_USAGE,
                        "ranges in %s, which has no place for them; expected output conllu or json",
                        dgm_tree_form_names[form]);
    return DGM_OK;
}

static dgm_status read_forms(struct dgm_env *env, struct dgm_annotator *annotator,
                             const dgm_annotator_options *chosen, struct dgm_parse_options *options)
{
    /* In the order of enum dgm_sentence_form, and lines behind it; of enum dgm_arc_prob. */
    static const char *const inputs[] = { "raw", "tokens", "conllu", "lines" };
    static const char *const probabilities[] = { "none", "row", "marginal" };
    struct dgm_sentence_writer *writer = &annotator->writer;
    const char *output = chosen->output != NULL ? chosen->output : "conllu";
    int input, probability;

    DGM_TRY(dgm_options_choose(env, &input, "input", chosen->input, inputs, 4));
    DGM_TRY(dgm_options_choose(env, &probability, "probability", chosen->probability, probabilities,
                               3));
    annotator->is_lines = input == 3;
    writer->input = annotator->is_lines ? DGM_SENTENCE_RAW : (enum dgm_sentence_form)input;
    options->prob = (enum dgm_arc_prob)probability;
    writer->wants_conllu = find_form(output, &annotator->output.form);
    writer->kind = dgm_annotation_find(output);
    if (!writer->wants_conllu && writer->kind == DGM_ANNOTATION_COUNT)
        return unknown(env, "output", output,
                       "conllu, json, brackets, svg, heads, depths, distances, positions, "
                       "firsts, tags, labels or pieces");
    return check_form(env, annotator, chosen, probabilities[probability]);
}

static dgm_status read_options(struct dgm_env *env, struct dgm_annotator *annotator,
                               const dgm_annotator_options *chosen)
{
    struct dgm_sentence_writer *writer = &annotator->writer;
    const char *language = chosen->language != NULL ? chosen->language : "en";
    const char *separator = chosen->separator != NULL ? chosen->separator : "@@";

    DGM_TRY(
        dgm_range_int(env, "dgm_annotator_options.batch_words", chosen->batch_words, 0, INT_MAX));
    DGM_TRY(dgm_language_check(env, "language", language));
    if (strlen(separator) >= sizeof writer->separator)
        return unknown(env, "separator", separator, "at most 15 bytes");
    strcpy(annotator->language, language);
    strcpy(writer->separator, separator);
    writer->chain = chosen->chain;
    writer->retag = chosen->retag;
    DGM_TRY(dgm_columns_read(env, &writer->columns, chosen->columns));
    annotator->immediate = chosen->immediate;
    annotator->batch_words = chosen->batch_words > 0 ? chosen->batch_words : 2000;
    if (chosen->codes == NULL)
        return DGM_OK;
    writer->has_codes = 1;
    return dgm_bpe_load(env, &writer->bpe, chosen->codes, -1);
}

/* Who cuts raw text; it needs the parser. */
static dgm_status open_tokenizer(struct dgm_env *env, struct dgm_annotator *annotator,
                                 const dgm_annotator_options *chosen)
{
    static const char *const tokenizers[] = { "auto", "own", "moses" };
    static const char *const splits[] = { "none", "lines", "document" }; /* dgm_text_split */
    const int is_raw = annotator->writer.input == DGM_SENTENCE_RAW;
    int tokenizer, split;

    DGM_TRY(dgm_options_choose(env, &tokenizer, "tokenizer", chosen->tokenizer, tokenizers, 3));
    DGM_TRY(dgm_options_choose(env, &split, "split", chosen->split, splits, 3));
    annotator->text.split = (enum dgm_text_split)split;
    annotator->writer.ranges = chosen->ranges;
    annotator->cuts = is_raw && tokenizer != 2 && dgm_sentence_parser_cuts(&annotator->parser);
    annotator->writer.ranges |= annotator->cuts && annotator->output.form == DGM_TREE_JSON;
    if (tokenizer != 0 && !is_raw)
        return dgm_fail(env, DGM_USAGE,
                        "tokenizer \"%s\" of text that has words; expected raw text",
                        tokenizers[tokenizer]);
    if (tokenizer == 2 && annotator->parser.has_head)
        return dgm_fail(env, DGM_MODEL,
                        "tokenizer \"moses\" of an attention head, whose model cuts text as it was "
                        "trained; expected no tokenizer");
    if (annotator->cuts || tokenizer == 1)
        return dgm_sentence_parser_open_cut(&annotator->parser);
    if (split != DGM_SPLIT_NONE || chosen->ranges)
        return dgm_fail(env, DGM_USAGE,
                        "%s without a tokenizer of the parser's own; expected raw text and a "
                        "parser of train-parser --tokenizer",
                        chosen->ranges ? "ranges" : "split");
    if (is_raw && !annotator->parser.has_head)
        dgm_language_warn(env, annotator->language);
    return DGM_OK;
}

/* Only a warning: whoever parses many texts by many parsers may well tell the language of each. */
static void warn_of_unread_language(struct dgm_env *env, const struct dgm_annotator *annotator,
                                    const dgm_annotator_options *chosen)
{
    const int has_head = annotator->parser.has_head;

    if (chosen->language == NULL || annotator->writer.input != DGM_SENTENCE_RAW ||
        annotator->writer.over.tokens == DGM_TOKENS_MOSES || !(annotator->cuts || has_head))
        return;
    dgm_log(env, DGM_LOG_WARNING, "language \"%s\" changes nothing: %s", annotator->language,
            has_head ? "a model with an attention head cuts text as it was trained"
                     : "the parser cuts text itself");
}

/* What gets values: tokens other than the parser's own need one that cuts running text. */
static dgm_status read_tokens(struct dgm_env *env, struct dgm_annotator *annotator,
                              const dgm_annotator_options *chosen)
{
    static const char *const tokens[] = { "own", "moses", "blanks" }; /* dgm_sentence_tokens */
    struct dgm_sentence_over *over = &annotator->writer.over;
    int which;

    DGM_TRY(dgm_options_choose(env, &which, "tokens", chosen->tokens, tokens, 3));
    over->tokens = (enum dgm_sentence_tokens)which;
    over->language = annotator->language;
    if (which == 0)
        return DGM_OK;
    if (annotator->writer.wants_conllu)
        return dgm_fail(env, DGM_USAGE,
                        "tokens \"%s\" of CoNLL-U, which has the words of the parser; expected "
                        "another output",
                        tokens[which]);
    if (!annotator->cuts || annotator->text.split != DGM_SPLIT_NONE)
        return dgm_fail(env, DGM_USAGE,
                        "tokens \"%s\" without a tokenizer of the parser's own; expected raw text "
                        "and a parser of train-parser --tokenizer",
                        tokens[which]);
    if (which == DGM_TOKENS_MOSES)
        dgm_language_warn(env, annotator->language);
    return DGM_OK;
}

static dgm_status copy_source(struct dgm_annotator *annotator, const char *path)
{
    annotator->source = dgm_copy_text(&annotator->context->env, path, strlen(path));
    return annotator->source != NULL ? DGM_OK : DGM_MEMORY;
}

/* What needs heads, where none are written. */
static dgm_status check_heads(struct dgm_env *env, const struct dgm_annotator *annotator,
                              const struct dgm_parse_options *options)
{
    const enum dgm_tree_form form = annotator->output.form;
    const int is_of_trees = form == DGM_TREE_BRACKETS || form == DGM_TREE_SVG;

    if (!annotator->writer.wants_conllu || (annotator->writer.columns & 1u << DGM_CONLLU_HEAD) != 0)
        return DGM_OK;
    if (options->prob != DGM_PROB_NONE)
        return dgm_fail(env, DGM_USAGE,
                        "columns without the heads that probabilities are of; expected head among "
                        "them");
    if (is_of_trees && annotator->writer.input != DGM_SENTENCE_CONLLU)
        return dgm_fail(env, DGM_USAGE,
                        "columns without the heads that %s shows; expected head among them",
                        dgm_tree_form_names[form]);
    return DGM_OK;
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

static dgm_status make(struct dgm_annotator *annotator, const dgm_annotator_options *chosen)
{
    struct dgm_env *env = &annotator->context->env;
    enum dgm_sentence_parser_choice choice = chosen->source != NULL   ? DGM_PARSER_DECODER_HEAD
                                             : chosen->from_attention ? DGM_PARSER_ENCODER_HEAD
                                                                      : DGM_PARSER_ANY;
    const int is_one = chosen->model_count == 0; /* `model`, or several in `models` */
    struct dgm_parse_options options;
    enum dgm_compute_type type;

    memset(&options, 0, sizeof options);
    options.projective = chosen->projective;
    DGM_TRY(check_models(env, chosen));
    DGM_TRY(dgm_compute_type_parse(env, &type, chosen->compute_type));
    DGM_TRY(read_forms(env, annotator, chosen, &options));
    DGM_TRY(read_options(env, annotator, chosen));
    if (annotator->writer.wants_conllu)
        options.morphs = dgm_columns_morphs(annotator->writer.columns);
    if (chosen->source != NULL)
        DGM_TRY(copy_source(annotator, chosen->source));
    DGM_TRY(dgm_context_open_device(annotator->context, &annotator->device));
    annotator->writer.parser = &annotator->parser;
    DGM_TRY(dgm_sentence_parser_open(env, &annotator->parser, annotator->device,
                                     is_one ? &chosen->model : chosen->models,
                                     is_one ? 1 : chosen->model_count, choice, type, &options));
    DGM_TRY(dgm_sentence_parser_imitate(&annotator->parser, chosen->treebank));
    DGM_TRY(open_tokenizer(env, annotator, chosen));
    DGM_TRY(read_tokens(env, annotator, chosen));
    warn_of_unread_language(env, annotator, chosen);
    if (chosen->retag && annotator->parser.has_head)
        return dgm_fail(env, DGM_USAGE,
                        "retag by an attention head, which finds no tags; expected a parser");
    DGM_TRY(dgm_columns_settle(env, &annotator->writer.columns, &annotator->parser));
    DGM_TRY(check_heads(env, annotator, &options));
    if (annotator->writer.input == DGM_SENTENCE_CONLLU && annotator->writer.wants_conllu)
        dgm_columns_tell(env, annotator->writer.columns, annotator->writer.retag);
    return DGM_OK;
}

dgm_status dgm_annotator_new(dgm_context *context, const dgm_annotator_options *options,
                             dgm_annotator **annotator)
{
    dgm_annotator_options chosen;
    struct dgm_annotator *made;
    dgm_status status;

    DGM_ENTER_NEW(context, annotator);
    DGM_TRY(dgm_argument_check(&context->env, annotator, "annotator"));
    DGM_TRY(
        dgm_options_take(&context->env, &chosen, sizeof chosen, options, "dgm_annotator_options"));
    made = dgm_alloc(&context->env, 1, sizeof *made);
    if (made == NULL)
        return DGM_MEMORY;
    made->context = context;
    made->writer.env = &context->env;
    status = make(made, &chosen);
    if (status != DGM_OK) {
        dgm_annotator_free(made);
        return status;
    }
    *annotator = made;
    return DGM_OK;
}

static void free_items(struct dgm_env *env, struct dgm_annotator *annotator)
{
    for (size_t i = 0; i < annotator->item_capacity; i++) {
        struct dgm_sentence_item *item = &annotator->items[i];
        dgm_conllu_clear(env, &item->sentence);
        dgm_buf_clear(env, &item->line);
        dgm_buf_clear(env, &item->tokens);
        dgm_release(env, item->forms);
        dgm_release(env, item->tags);
        dgm_release(env, item->cuts);
    }
    dgm_release(env, annotator->items);
}

void dgm_annotator_free(dgm_annotator *annotator)
{
    struct dgm_env *env;

    if (annotator == NULL)
        return;
    env = &annotator->context->env;
    dgm_sentence_parser_clear(&annotator->parser);
    dgm_sentence_writer_clear(env, &annotator->writer);
    dgm_annotator_text_clear(env, &annotator->text);
    dgm_tree_output_clear(env, &annotator->output);
    dgm_buf_clear(env, &annotator->shown);
    free_items(env, annotator);
    dgm_device_close(env, annotator->device);
    dgm_release(env, annotator->source);
    dgm_release(env, annotator);
}

/* ---- the window --------------------------------------------------------------------------- */

void dgm_annotator_begin(struct dgm_annotator *annotator)
{
    annotator->item_count = 0;
    dgm_buf_reset(&annotator->text.text);
    annotator->text.count = 0;
    dgm_sentence_parser_reset(&annotator->parser);
    dgm_buf_reset(&annotator->writer.out);
}

/* Room for the next item; new items are zeroed, old ones keep their memory. */
dgm_status dgm_annotator_next_item(struct dgm_annotator *annotator, struct dgm_sentence_item **item)
{
    size_t before = annotator->item_capacity;

    DGM_TRY(dgm_grow(&annotator->context->env, &annotator->items, &annotator->item_capacity,
                     annotator->item_count, sizeof *annotator->items));
    memset(annotator->items + before, 0,
           (annotator->item_capacity - before) * sizeof *annotator->items);
    *item = &annotator->items[annotator->item_count];
    (*item)->number = -1;
    (*item)->count = 0;
    (*item)->cut_count = 0;
    (*item)->is_cut = (*item)->begins_paragraph = 0;
    return DGM_OK;
}

dgm_status dgm_annotator_queue_item(struct dgm_annotator *annotator, struct dgm_sentence_item *item)
{
    const struct dgm_sentence_writer *writer = &annotator->writer;
    int has_tags = writer->input == DGM_SENTENCE_CONLLU && !writer->retag, parseable = 1;

    annotator->item_count++;
    DGM_TRY(dgm_source_lines_next(&annotator->context->env, &annotator->sources));
    if (annotator->source != NULL && item->count > 0)
        DGM_TRY(dgm_sentence_parser_source(&annotator->parser, &annotator->sources.lines.line,
                                           annotator->source, annotator->sources.number,
                                           &parseable));
    if (!parseable)
        return DGM_OK;
    return dgm_sentence_parser_add(&annotator->parser, item->forms, has_tags ? item->tags : NULL,
                                   item->count, annotator->line, &item->number);
}

/* Parses the window and leaves what is to be written in annotator->writer.out. */
dgm_status dgm_annotator_run(struct dgm_annotator *annotator)
{
    DGM_TRY(dgm_annotator_cut(annotator));
    DGM_TRY(dgm_sentence_parser_run(&annotator->parser, annotator->batch_words));
    for (size_t i = 0; i < annotator->item_count; i++)
        DGM_TRY(dgm_sentence_writer_add(&annotator->writer, &annotator->items[i]));
    return DGM_OK;
}

/* ---- text --------------------------------------------------------------------------------- */

/* Words between blanks of tokens.data, each ended by NUL in place. */
static dgm_status split_words(struct dgm_env *env, struct dgm_sentence_item *item)
{
    char *text = item->tokens.data;
    size_t at = 0, end = item->tokens.size;

    while (at < end) {
        size_t length;

        at += strspn(text + at, " \t");
        length = strcspn(text + at, " \t");
        if (length == 0)
            break;
        DGM_TRY(dgm_grow(env, &item->forms, &item->form_capacity, (size_t)item->count,
                         sizeof *item->forms));
        item->forms[item->count++] = text + at;
        text[at + length] = '\0';
        at += length + 1;
    }
    return DGM_OK;
}

dgm_status dgm_annotator_add(struct dgm_annotator *annotator, const char *line, size_t bytes)
{
    struct dgm_env *env = &annotator->context->env;
    struct dgm_sentence_item *item;

    if (annotator->cuts)
        return dgm_annotator_queue_line(annotator, line, bytes);
    DGM_TRY(dgm_annotator_next_item(annotator, &item));
    annotator->line++;
    dgm_buf_reset(&item->line);
    dgm_buf_reset(&item->tokens);
    DGM_TRY(dgm_utf8_repair(env, &item->line, line, bytes, NULL));
    DGM_TRY(dgm_buf_add(env, &item->line, "", 0));
    if (annotator->writer.input == DGM_SENTENCE_RAW)
        DGM_TRY(dgm_sentence_parser_tokenize(&annotator->parser, &item->tokens, item->line.data,
                                             item->line.size, annotator->language));
    else
        DGM_TRY(dgm_buf_add(env, &item->tokens, item->line.data, item->line.size));
    DGM_TRY(dgm_buf_add(env, &item->tokens, "", 0));
    DGM_TRY(split_words(env, item));
    return dgm_annotator_queue_item(annotator, item);
}

/* ---- CoNLL-U ------------------------------------------------------------------------------ */

dgm_status dgm_annotator_take_words(struct dgm_env *env, struct dgm_sentence_item *item)
{
    const struct dgm_conllu_sentence *sentence = &item->sentence;
    size_t n = (size_t)sentence->tree.count;

    DGM_TRY(dgm_reserve(env, &item->forms, &item->form_capacity, n, sizeof *item->forms));
    DGM_TRY(dgm_reserve(env, &item->tags, &item->tag_capacity, n, sizeof *item->tags));
    for (int32_t w = 0; w < sentence->tree.count; w++) {
        item->forms[w] = dgm_conllu_field(sentence, w, DGM_CONLLU_FORM);
        item->tags[w] = dgm_conllu_field(sentence, w, DGM_CONLLU_UPOS);
    }
    item->count = sentence->tree.count;
    item->has_feats = dgm_columns_has_feats(sentence);
    return DGM_OK;
}

dgm_status dgm_annotator_add_packed(struct dgm_annotator *annotator, const char *packed,
                                    size_t bytes)
{
    struct dgm_env *env = &annotator->context->env;
    struct dgm_sentence_item *item;

    DGM_TRY(dgm_annotator_next_item(annotator, &item));
    DGM_TRY(dgm_conllu_unpack(env, &item->sentence, packed, bytes));
    annotator->line = item->sentence.line;
    DGM_TRY(dgm_annotator_take_words(env, item));
    return dgm_annotator_queue_item(annotator, item);
}

dgm_status dgm_annotator_open_conllu(struct dgm_annotator *annotator,
                                     struct dgm_conllu_reader *reader, const char *path)
{
    const struct dgm_conllu_options options = {
        .lenient = 1,
        .allow_empty = 1,
        .allow_unparsed = 1,
        .multi_root = DGM_MULTI_ROOT_KEEP,
    };

    memset(reader, 0, sizeof *reader);
    return dgm_conllu_reader_open(&annotator->context->env, reader, path, &options);
}

/* ---- the calls ---------------------------------------------------------------------------- */

void dgm_annotator_take(dgm_annotator *annotator, long first, long step)
{
    annotator->first = first;
    annotator->step = step;
}

struct buf_sink {
    struct dgm_env *env;
    struct dgm_buf *buf;
};

static dgm_status keep(void *user, const char *text, size_t bytes)
{
    struct buf_sink *sink = user;

    return dgm_buf_add(sink->env, sink->buf, text, bytes);
}

/* What becomes of the trees of a line; *out is it. */
static dgm_status show(struct dgm_annotator *annotator, const struct dgm_buf **out)
{
    struct dgm_env *env = &annotator->context->env;
    struct buf_sink sink = { env, &annotator->shown };

    *out = &annotator->writer.out;
    if (annotator->output.form == DGM_TREE_CONLLU)
        return dgm_buf_add(env, &annotator->writer.out, "", 0);
    *out = &annotator->shown;
    dgm_buf_reset(&annotator->shown);
    dgm_tree_output_begin(&annotator->output, keep, &sink);
    DGM_TRY(dgm_tree_output_add(env, &annotator->output, &annotator->writer.out));
    DGM_TRY(dgm_tree_output_end(env, &annotator->output));
    return dgm_buf_add(env, &annotator->shown, "", 0);
}

dgm_status dgm_annotator_line(dgm_annotator *annotator, const char *line, size_t bytes,
                              const char **out, size_t *out_bytes)
{
    const struct dgm_buf *shown;
    struct dgm_env *env;

    DGM_ENTER_HANDLE(annotator);
    env = &annotator->context->env;
    DGM_TRY(dgm_line_check(env, line, bytes));
    DGM_TRY(dgm_argument_check(env, out, "out"));
    DGM_TRY(dgm_argument_check(env, out_bytes, "out_bytes"));
    if (annotator->writer.input == DGM_SENTENCE_CONLLU)
        return dgm_fail(env, DGM_USAGE, "CoNLL-U input comes in files; expected raw or tokens");
    if (annotator->source != NULL)
        return dgm_fail(env, DGM_USAGE,
                        "translations come in files, as their sources do; expected "
                        "dgm_annotator_file");
    dgm_annotator_begin(annotator);
    dgm_annotator_text_reset(&annotator->text);
    DGM_TRY(dgm_annotator_add(annotator, line, bytes));
    DGM_TRY(dgm_annotator_run(annotator));
    DGM_TRY(show(annotator, &shown));
    *out = shown->data;
    *out_bytes = shown->size;
    return DGM_OK;
}
