/*
 * annotator.c: parsing files and lines behind the public interface.
 *
 * Sentences are read into a window, parsed in batches of similar lengths, and written in the order
 * in which they came. A window is as large as batches of similar lengths need to fill well; it ends
 * early where the input waits, so that a partner at the other end of a pipe gets its answers.
 */
#include "api/parse/annotator.h"

#include <limits.h>
#include <string.h>

#include "api/program.h"
#include "base/mem.h"
#include "syntax/conllu/conllu_packed.h"
#include "text/bpe/bpe_load.h"
#include "text/tokenize/language.h"
#include "text/unicode/utf8.h"

/* A window holds the words of this many batches, and at most this many sentences. */
enum { WINDOW_BATCHES = 16, WINDOW_ITEMS = 8192 };

/* ---- making and freeing ------------------------------------------------------------------- */

static dgm_status unknown(struct dgm_env *env, const char *option, const char *value,
                          const char *expected)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, value, strlen(value));
    return dgm_fail(env, DGM_USAGE, "%s \"%s\"; expected %s", option, quoted, expected);
}

static dgm_status read_forms(struct dgm_env *env, struct dgm_annotator *annotator,
                             const dgm_annotator_options *chosen, struct dgm_parse_options *options)
{
    /* In the order of enum dgm_sentence_form and enum dgm_arc_prob. */
    static const char *const inputs[] = { "raw", "tokens", "conllu" };
    static const char *const probabilities[] = { "none", "row", "marginal" };
    struct dgm_sentence_writer *writer = &annotator->writer;
    const char *output = chosen->output != NULL ? chosen->output : "conllu";
    int input, probability;

    DGM_TRY(dgm_options_choose(env, &input, "input", chosen->input, inputs, 3));
    DGM_TRY(dgm_options_choose(env, &probability, "probability", chosen->probability, probabilities,
                               3));
    writer->input = (enum dgm_sentence_form)input;
    options->prob = (enum dgm_arc_prob)probability;
    writer->wants_conllu = strcmp(output, "conllu") == 0;
    writer->kind = dgm_annotation_find(output);
    if (!writer->wants_conllu && writer->kind == DGM_ANNOTATION_COUNT)
        return unknown(env, "output", output,
                       "conllu, heads, depths, distances, positions, "
                       "firsts, tags, labels or pieces");
    return DGM_OK;
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
    annotator->cuts =
        is_raw && tokenizer != 2 && dgm_sentence_parser_cuts(&annotator->parser);
    if (tokenizer != 0 && !is_raw)
        return dgm_fail(env, DGM_USAGE,
                        "tokenizer \"%s\" of text that has words; expected raw text",
                        tokenizers[tokenizer]);
    if (annotator->cuts || tokenizer == 1)
        return dgm_sentence_parser_open_cut(&annotator->parser);
    if (split != DGM_SPLIT_NONE || chosen->ranges)
        return dgm_fail(env, DGM_USAGE,
                        "%s without a tokenizer of the parser's own; expected raw text and a "
                        "parser of train-parser --tokenizer",
                        chosen->ranges ? "ranges" : "split");
    if (is_raw)
        dgm_language_warn(env, annotator->language);
    return DGM_OK;
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

static dgm_status make(struct dgm_annotator *annotator, const dgm_annotator_options *chosen)
{
    struct dgm_env *env = &annotator->context->env;
    enum dgm_sentence_parser_choice choice = chosen->source != NULL   ? DGM_PARSER_DECODER_HEAD
                                             : chosen->from_attention ? DGM_PARSER_ENCODER_HEAD
                                                                      : DGM_PARSER_ANY;
    struct dgm_parse_options options;
    enum dgm_compute_type type;

    memset(&options, 0, sizeof options);
    options.projective = chosen->projective;
    DGM_TRY(dgm_argument_check(env, chosen->model, "model"));
    DGM_TRY(dgm_compute_type_parse(env, &type, chosen->compute_type));
    DGM_TRY(read_forms(env, annotator, chosen, &options));
    DGM_TRY(read_options(env, annotator, chosen));
    if (annotator->writer.wants_conllu)
        options.morphs = dgm_columns_morphs(annotator->writer.columns);
    if (chosen->source != NULL)
        DGM_TRY(copy_source(annotator, chosen->source));
    DGM_TRY(dgm_context_open_device(annotator->context, &annotator->device));
    annotator->writer.parser = &annotator->parser;
    DGM_TRY(dgm_sentence_parser_open(env, &annotator->parser, annotator->device, chosen->model,
                                     choice, type, &options));
    DGM_TRY(dgm_columns_settle(env, &annotator->writer.columns, &annotator->parser));
    if (annotator->writer.input == DGM_SENTENCE_CONLLU && annotator->writer.wants_conllu)
        dgm_columns_tell(env, annotator->writer.columns, annotator->writer.retag);
    DGM_TRY(open_tokenizer(env, annotator, chosen));
    return read_tokens(env, annotator, chosen);
}

dgm_status dgm_annotator_new(dgm_context *context, const dgm_annotator_options *options,
                             dgm_annotator **annotator)
{
    dgm_annotator_options chosen;
    struct dgm_annotator *made;
    dgm_status status;

    DGM_ENTER(context);
    DGM_TRY(dgm_argument_check(&context->env, annotator, "annotator"));
    *annotator = NULL;
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

static int is_full(const struct dgm_annotator *annotator)
{
    return annotator->item_count == WINDOW_ITEMS || annotator->immediate ||
           annotator->parser.words >= WINDOW_BATCHES * annotator->batch_words;
}

/* Room for the next item; new items are zeroed, old ones keep their memory. */
dgm_status dgm_annotator_next_item(struct dgm_annotator *annotator,
                                   struct dgm_sentence_item **item)
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

/* Whether the line or sentence that was just read is to be parsed. If not, its source goes by. */
static dgm_status is_taken(struct dgm_annotator *annotator, int *taken)
{
    const long number = annotator->seen++;

    *taken = annotator->step == 0 || number % annotator->step == annotator->first;
    return *taken ? DGM_OK : dgm_source_lines_next(&annotator->context->env, &annotator->sources);
}

dgm_status dgm_annotator_queue_item(struct dgm_annotator *annotator,
                                    struct dgm_sentence_item *item)
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

static dgm_status finish_window(struct dgm_annotator *annotator, dgm_write_fn write, void *user)
{
    DGM_TRY(dgm_annotator_run(annotator));
    if (annotator->writer.out.size > 0)
        DGM_TRY(dgm_report_write(&annotator->context->env, write, user, &annotator->writer.out));
    dgm_annotator_begin(annotator);
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

static dgm_status run_text(struct dgm_annotator *annotator, const char *path, dgm_write_fn write,
                           void *user)
{
    struct dgm_env *env = &annotator->context->env;
    struct dgm_lines lines;
    dgm_status status;
    int more = 1, taken = 0;

    memset(&lines, 0, sizeof lines);
    DGM_TRY_OUT(dgm_lines_open(env, &lines, path));
    while (more) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (more)
            DGM_TRY_OUT(is_taken(annotator, &taken));
        if (more && taken)
            DGM_TRY_OUT(dgm_annotator_add(annotator, lines.line.data, lines.line.size));
        else if (more)
            annotator->line++;
        if (!more || is_full(annotator) || !dgm_lines_ready(&lines))
            DGM_TRY_OUT(finish_window(annotator, write, user));
        if (dgm_flag_get(&annotator->context->stop))
            DGM_TRY_OUT(dgm_fail(env, DGM_INTERRUPTED, "stopped after line %ld", annotator->line));
    }
out:
    dgm_lines_close(env, &lines);
    return status;
}

/* One whose sentences may go over the ends of lines. */
static dgm_status run_document(struct dgm_annotator *annotator, const char *path,
                               dgm_write_fn write, void *user)
{
    struct dgm_env *env = &annotator->context->env;
    struct dgm_document document;
    struct dgm_lines lines;
    dgm_status status;
    int more = 1, queued = 0;

    memset(&document, 0, sizeof document);
    memset(&lines, 0, sizeof lines);
    DGM_TRY_OUT(dgm_lines_open(env, &lines, path));
    while (more) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        DGM_TRY_OUT(more ? dgm_document_add(annotator, &document, &lines, &queued)
                         : dgm_document_end(annotator, &document));
        if (!more || (queued && is_full(annotator)) || !dgm_lines_ready(&lines))
            DGM_TRY_OUT(finish_window(annotator, write, user));
        if (dgm_flag_get(&annotator->context->stop))
            DGM_TRY_OUT(dgm_fail(env, DGM_INTERRUPTED, "stopped after line %ld", document.number));
    }
out:
    dgm_lines_close(env, &lines);
    dgm_buf_clear(env, &document.paragraph);
    return status;
}

/* ---- CoNLL-U ------------------------------------------------------------------------------ */

static dgm_status take_words(struct dgm_env *env, struct dgm_sentence_item *item)
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
    DGM_TRY(take_words(env, item));
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

static dgm_status run_conllu(struct dgm_annotator *annotator, const char *path, dgm_write_fn write,
                             void *user)
{
    struct dgm_env *env = &annotator->context->env;
    struct dgm_conllu_reader reader;
    struct dgm_sentence_item *item;
    dgm_status status;
    int more = 1, taken = 0;

    DGM_TRY_OUT(dgm_annotator_open_conllu(annotator, &reader, path));
    while (more) {
        DGM_TRY_OUT(dgm_annotator_next_item(annotator, &item));
        DGM_TRY_OUT(dgm_conllu_reader_next(env, &reader, &item->sentence, &more));
        annotator->line = item->sentence.line;
        if (more)
            DGM_TRY_OUT(is_taken(annotator, &taken));
        if (more && taken) {
            DGM_TRY_OUT(take_words(env, item));
            DGM_TRY_OUT(dgm_annotator_queue_item(annotator, item));
        }
        if (!more || is_full(annotator))
            DGM_TRY_OUT(finish_window(annotator, write, user));
        if (dgm_flag_get(&annotator->context->stop))
            DGM_TRY_OUT(dgm_fail(env, DGM_INTERRUPTED, "stopped at line %ld", annotator->line));
    }
out:
    dgm_conllu_reader_close(env, &reader);
    return status;
}

/* ---- the calls ---------------------------------------------------------------------------- */

void dgm_annotator_take(dgm_annotator *annotator, long first, long step)
{
    annotator->first = first;
    annotator->step = step;
}

dgm_status dgm_annotator_file(dgm_annotator *annotator, const char *path, dgm_write_fn write,
                              void *user)
{
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER_HANDLE(annotator);
    env = &annotator->context->env;
    DGM_TRY(dgm_argument_check(env, path, "path"));
    dgm_annotator_begin(annotator);
    annotator->line = annotator->parser.too_long = annotator->seen = 0;
    dgm_annotator_text_reset(&annotator->text);
    if (annotator->text.split == DGM_SPLIT_DOCUMENT && annotator->step > 1)
        return dgm_fail(env, DGM_USAGE,
                        "split \"document\" of a shard, which is lines; expected none or lines");
    status = dgm_source_lines_open(env, &annotator->sources, annotator->source, path);
    if (status == DGM_OK)
        status = annotator->writer.input == DGM_SENTENCE_CONLLU
                     ? run_conllu(annotator, path, write, user)
                 : annotator->text.split == DGM_SPLIT_DOCUMENT
                     ? run_document(annotator, path, write, user)
                     : run_text(annotator, path, write, user);
    if (status == DGM_OK)
        status = dgm_source_lines_check_end(env, &annotator->sources);
    dgm_laid_counts_report(env, &annotator->writer.over.counts, "trees");
    memset(&annotator->writer.over.counts, 0, sizeof annotator->writer.over.counts);
    dgm_source_lines_close(env, &annotator->sources);
    return status;
}

dgm_status dgm_annotator_line(dgm_annotator *annotator, const char *line, size_t bytes,
                              const char **out, size_t *out_bytes)
{
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
    DGM_TRY(dgm_buf_add(env, &annotator->writer.out, "", 0));
    *out = annotator->writer.out.data;
    *out_bytes = annotator->writer.out.size;
    return DGM_OK;
}
