/* sentence_parser.c: parses sentences of words, by a parser or by an attention head that is one. */
#include "decode/annotate/sentence_parser.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "data/tree/treebank_names.h"
#include "decode/search/search.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "text/tokenize/tokenize.h"

/* ---- opening ------------------------------------------------------------------------------ */

/* A translation model is what has a text pipeline. */
static int is_translation_model(const struct dgm_gguf *file)
{
    return dgm_gguf_find_key(file, "dragoman.vocab.source") != NULL;
}

/* The head parses lines that other parts of its model would need trees of. */
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

/* What a decoder's head cannot give, because a word's candidates are those before it. */
static dgm_status check_forest(struct dgm_env *env, enum dgm_side side,
                               const struct dgm_parse_options *options)
{
    if (side == DGM_SOURCE || !options->projective)
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE,
                    "projective trees of a decoder's head, which gives each word the likeliest "
                    "head before it; expected no --projective");
}

static dgm_status refuse_headless(struct dgm_env *env, const struct dgm_net *net, const char *path,
                                  enum dgm_side side)
{
    struct dgm_attn_parser which;
    int layer, other = dgm_net_parser_head(net, 1 - side, &layer, &which);

    if (side == DGM_TARGET)
        return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                           other ? "no head of the decoder is a parser, only one of the encoder; "
                                   "expected no --source: it parses sources alone"
                                 : "no head of the decoder is a parser; expected a translation "
                                   "model of train --syntax dbsa");
    if (other)
        return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                           "no head of the encoder is a parser, only one of the decoder; expected "
                           "--source FILE, whose translations it parses");
    return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                       "no parser inside, and no head of the encoder that is one; expected train "
                       "--parser FILE, or --syntax lisa or dbsa");
}

static dgm_status open_head(struct dgm_sentence_parser *parser, const struct dgm_gguf *file,
                            struct dgm_device *device, enum dgm_side side,
                            enum dgm_compute_type type, const struct dgm_parse_options *options)
{
    struct dgm_env *env = parser->env;
    const struct dgm_net *net = &parser->model.net;
    struct dgm_attn_parser which;
    int layer;

    if (options->prob == DGM_PROB_MARGINAL)
        return dgm_fail(env, DGM_USAGE,
                        "probability \"marginal\" of an attention head; expected "
                        "none or row");
    DGM_TRY(check_forest(env, side, options));
    DGM_TRY(dgm_model_from_gguf(env, &parser->model, file, device, 0, &type));
    if (!dgm_net_parser_head(net, side, &layer, &which))
        return refuse_headless(env, net, file->name, side);
    warn_of_needs(env, net, file->name);
    if (parser->model.pipeline.has_spm)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "a head over pieces of SentencePiece, which parses no words; expected a "
                           "model of words");
    parser->has_head = 1;
    return dgm_parse_head_init(env, &parser->head, net, device, side, options->projective);
}

/* A parser inside wins over a head: it was trained for nothing but parsing, and gives tags and
 * relations as well. */
static dgm_status open_file(struct dgm_sentence_parser *parser, const struct dgm_gguf *file,
                            struct dgm_device *device, enum dgm_sentence_parser_choice choice,
                            enum dgm_compute_type type)
{
    struct dgm_env *env = parser->env;
    enum dgm_side side = choice == DGM_PARSER_DECODER_HEAD ? DGM_TARGET : DGM_SOURCE;

    if (is_translation_model(file) && (choice != DGM_PARSER_ANY || !dgm_parser_is_in(file)))
        return open_head(parser, file, device, side, type, &parser->options);
    if (choice != DGM_PARSER_ANY)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "a parser alone; expected a "
                           "translation model for trees from its attention");
    return dgm_parser_from_gguf(env, &parser->parser, file, device, type, 0);
}

/* The first of them, or the only one. */
static dgm_status open_first(struct dgm_sentence_parser *parser, struct dgm_device *device,
                             const char *path, enum dgm_sentence_parser_choice choice,
                             enum dgm_compute_type type)
{
    struct dgm_env *env = parser->env;
    struct dgm_gguf file = { 0 };
    dgm_status status;

    DGM_TRY(dgm_gguf_open(env, &file, path));
    DGM_TRY_OUT(dgm_gguf_verify(env, &file, NULL));
    status = open_file(parser, &file, device, choice, type);
out:
    dgm_gguf_clear(env, &file);
    return status;
}

/* Those behind the first. */
static dgm_status open_others(struct dgm_sentence_parser *parser, struct dgm_device *device,
                              const char *const *paths, size_t count, enum dgm_compute_type type)
{
    struct dgm_parse_options *options = &parser->options;

    if (count == 1)
        return DGM_OK;
    if (parser->has_head)
        return dgm_fail(parser->env, DGM_USAGE,
                        "%s: an attention head, and %zu more models; expected one model, or "
                        "parsers alone",
                        paths[0], count - 1);
    DGM_TRY(dgm_other_parsers_open(parser->env, &parser->others, &parser->parser, paths + 1,
                                   count - 1, device, type, options->morphs));
    options->peers = parser->others.peers;
    options->peer_count = parser->others.count;
    return DGM_OK;
}

dgm_status dgm_sentence_parser_open(struct dgm_env *env, struct dgm_sentence_parser *parser,
                                    struct dgm_device *device, const char *const *paths,
                                    size_t count, enum dgm_sentence_parser_choice choice,
                                    enum dgm_compute_type type,
                                    const struct dgm_parse_options *options)
{
    parser->env = env;
    parser->options = *options;
    if (count < 1 || count > DGM_ENSEMBLE)
        return dgm_fail(env, DGM_USAGE, "%zu models; expected 1..%d", count, (int)DGM_ENSEMBLE);
    DGM_TRY(open_first(parser, device, paths[0], choice, type));
    DGM_TRY(open_others(parser, device, paths, count, type));
    if (parser->has_head)
        return DGM_OK;
    return dgm_parse_init(env, &parser->parse, &parser->parser, &parser->options);
}

void dgm_sentence_parser_clear(struct dgm_sentence_parser *parser)
{
    struct dgm_env *env = parser->env;

    if (env == NULL)
        return;
    if (parser->parse.parser != NULL)
        dgm_parse_clear(env, &parser->parse);
    dgm_other_parsers_clear(env, &parser->others);
    dgm_parser_clear(env, &parser->parser);
    dgm_treebank_clear(env, &parser->bank);
    dgm_parse_parts_clear(env, &parser->parts);
    dgm_cut_text_clear(env, &parser->cut);
    dgm_parsed_clear(env, &parser->parsed);
    dgm_parse_head_clear(env, &parser->head);
    dgm_model_clear(env, &parser->model);
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        dgm_encoded_clear(env, &parser->encoded[side]);
        dgm_packed_clear(env, &parser->pieces[side]);
    }
}

/* The others imitate the treebank of this name, too; NULL: the first parser tells none apart. */
static dgm_status imitate_together(struct dgm_sentence_parser *parser, const char *name)
{
    for (int i = 0; i < parser->others.count; i++) {
        struct dgm_other_parser *other = &parser->others.of[i];
        char what[40];

        snprintf(what, sizeof what, "model %d: treebank", i + 2);
        if ((name != NULL) != (other->parser.treebanks > 0))
            return dgm_fail(parser->env, DGM_MODEL,
                            "model %d tells %s treebanks apart, the first one does%s; expected "
                            "both, or none, of train-parser --treebanks",
                            i + 2, name != NULL ? "no" : "its", name != NULL ? "" : " not");
        if (name != NULL)
            DGM_TRY(dgm_treebank_names_find(parser->env, &other->parser.lexicon.treebanks, name,
                                            DGM_MODEL, what, &other->bank.treebank));
    }
    return DGM_OK;
}

dgm_status dgm_sentence_parser_imitate(struct dgm_sentence_parser *parser, const char *treebank)
{
    const struct dgm_vocab *names = &parser->parser.lexicon.treebanks;
    char list[DGM_TREEBANK_NAMES_SIZE], quoted[DGM_QUOTE_SIZE];

    if (treebank != NULL && (parser->has_head || parser->parser.treebanks == 0)) {
        dgm_quote(quoted, sizeof quoted, treebank, strlen(treebank));
        return dgm_fail(parser->env, DGM_MODEL,
                        "treebank \"%s\" of %s; expected a parser of train-parser --treebanks",
                        quoted,
                        parser->has_head ? "an attention head" : "a parser that tells none apart");
    }
    DGM_TRY(imitate_together(parser, treebank != NULL ? treebank
                                     : parser->parser.treebanks > 0
                                         ? dgm_lexicon_class_name(names, 0)
                                         : NULL));
    if (treebank != NULL)
        return dgm_treebank_names_find(parser->env, names, treebank, DGM_MODEL, "treebank",
                                       &parser->bank.treebank);
    if (parser->parser.treebanks > 1)
        dgm_log(parser->env, DGM_LOG_NOTE, "treebank: annotating like the first of %s",
                dgm_treebank_names_join(list, names));
    return DGM_OK;
}

/* ---- sentences ---------------------------------------------------------------------------- */

int dgm_sentence_parser_cuts(const struct dgm_sentence_parser *parser)
{
    return !parser->has_head && parser->parser.cutter.width > 0;
}

dgm_status dgm_sentence_parser_open_cut(struct dgm_sentence_parser *parser)
{
    if (parser->has_head)
        return dgm_fail(parser->env, DGM_MODEL,
                        "tokenizer \"own\" of an attention head; expected a parser of train-parser "
                        "--tokenizer");
    return dgm_cut_text_init(parser->env, &parser->cut, &parser->parser,
                             parser->parser.net.params.device);
}

/* A translation model has its own way from text to words. */
dgm_status dgm_sentence_parser_tokenize(struct dgm_sentence_parser *parser, struct dgm_buf *words,
                                        const char *line, size_t bytes, const char *language)
{
    const struct dgm_tokenize_options options = { .language = language };

    if (parser->has_head)
        return dgm_pipeline_words(parser->env, &parser->model.pipeline, parser->head.side, words,
                                  line, bytes);
    return dgm_tokenize_line(parser->env, words, line, bytes, &options);
}

void dgm_sentence_parser_reset(struct dgm_sentence_parser *parser)
{
    parser->words = 0;
    dgm_treebank_reset(&parser->bank);
    dgm_parse_parts_reset(&parser->parts);
    dgm_other_parsers_reset(&parser->others);
    dgm_packed_reset(&parser->pieces[DGM_SOURCE]);
    dgm_packed_reset(&parser->pieces[DGM_TARGET]);
}

/* Warns once: how many words or pieces a sentence has, how many are read at most, and what becomes
 * of it. */
static void warn_of_length(struct dgm_sentence_parser *parser, long line, int64_t count,
                           const char *what, int64_t most, const char *outcome)
{
    if (parser->too_long++ == 0)
        dgm_log(parser->env, DGM_LOG_WARNING, "line %ld has %lld %s reads %lld: %s (said once)",
                line, (long long)count, what, (long long)most, outcome);
}

dgm_status dgm_sentence_parser_source(struct dgm_sentence_parser *parser,
                                      const struct dgm_buf *text, const char *path, long line,
                                      int *parseable)
{
    struct dgm_encoded *encoded = &parser->encoded[DGM_SOURCE];
    int64_t most = parser->model.net.config.max_length;

    DGM_TRY(dgm_pipeline_encode(parser->env, &parser->model.pipeline, DGM_SOURCE, encoded,
                                text->data, text->size));
    *parseable = !dgm_encoded_is_blank(encoded) && dgm_encoded_tokens(encoded) <= most;
    if (!*parseable && parser->too_long++ == 0)
        dgm_log(parser->env, DGM_LOG_WARNING,
                "%s:%ld: %d pieces; expected 1 to %lld: its translation is left without a tree "
                "(said once)",
                path, line, (int)encoded->n - 1, (long long)most);
    return DGM_OK;
}

/* The sentence of one side that was encoded last, behind those that wait. */
static dgm_status pack(struct dgm_sentence_parser *parser, enum dgm_side side)
{
    const struct dgm_encoded *encoded = &parser->encoded[side];

    return dgm_packed_add(parser->env, &parser->pieces[side], encoded->ids, encoded->words,
                          encoded->n, NULL, encoded->n_words);
}

/* ---- words of another script ----------------------------------------------------------------- */

static int knows_letters(const struct dgm_treebank *bank, int32_t form)
{
    for (int32_t i = bank->piece_starts[form]; i < bank->piece_starts[form + 1]; i++)
        if (bank->pieces[i] != DGM_VOCAB_UNK)
            return 1;
    return bank->vectors != NULL && bank->vectors[form] >= 0;
}

/* Of the sentence that was queued last. A parser that has no pieces of words is made for unknown
 * ones. */
static void count_unknown(struct dgm_sentence_parser *parser, int32_t n)
{
    const struct dgm_treebank *bank = &parser->bank;
    const int32_t end = bank->rows.offsets[bank->rows.count];
    struct dgm_unknown found = { n, 0 };

    if (parser->parser.lexicon.kind == DGM_PIECES_NONE)
        return;
    for (int32_t row = end - n; row < end; row++)
        found.unknown +=
            bank->rows.ids[row] == DGM_VOCAB_UNK && !knows_letters(bank, bank->forms[row]);
    dgm_unknown_add(&parser->seen, found);
}

void dgm_sentence_parser_tell_unknown(struct dgm_sentence_parser *parser)
{
    const struct dgm_unknown seen = parser->seen;

    if (dgm_unknown_are_many(seen.unknown, seen.words))
        dgm_log(parser->env, DGM_LOG_WARNING,
                "%lld of %lld words have no letter or piece that the parser knows: trees of other "
                "text than it has learned from",
                (long long)seen.unknown, (long long)seen.words);
    memset(&parser->seen, 0, sizeof parser->seen);
}

/* ---- sentences ------------------------------------------------------------------------------- */

static dgm_status add_pieces(struct dgm_sentence_parser *parser, const char *const *forms,
                             int32_t n, long line, int32_t *number)
{
    enum dgm_side side = parser->head.side;
    struct dgm_encoded *encoded = &parser->encoded[side];
    int64_t most = parser->model.net.config.max_length;

    DGM_TRY(
        dgm_pipeline_encode_words(parser->env, &parser->model.pipeline, side, encoded, forms, n));
    if (encoded->n - 1 > most) {
        warn_of_length(parser, line, encoded->n - 1, "pieces, the model", most,
                       "left without a tree");
        return DGM_OK;
    }
    *number = parser->pieces[side].count;
    parser->words += n;
    dgm_unknown_add(&parser->seen, dgm_unknown_of(encoded));
    if (side == DGM_TARGET)
        DGM_TRY(pack(parser, DGM_SOURCE));
    return pack(parser, side);
}

static dgm_status add_part(struct dgm_sentence_parser *parser, const char *const *forms,
                           const char *const *tags, int32_t n)
{
    const struct dgm_treebank_sentence sentence = { .count = n, .forms = forms, .tags = tags };

    DGM_TRY(dgm_other_parsers_add(parser->env, &parser->others, &sentence));
    DGM_TRY(dgm_treebank_add(parser->env, &parser->bank, &parser->parser.lexicon, &sentence));
    count_unknown(parser, n);
    return DGM_OK;
}

static dgm_status add_words(struct dgm_sentence_parser *parser, const char *const *forms,
                            const char *const *tags, int32_t n, long line, int32_t *number)
{
    const int64_t most = dgm_other_parsers_longest(&parser->others, &parser->parser);
    const int32_t first = parser->bank.rows.count;

    if (n > most)
        warn_of_length(parser, line, n, "words, the parser", most,
                       "parsed in parts, which hang on the first");
    for (int32_t w = 0, part; w < n; w += part) {
        part = dgm_parse_parts_next(forms + w, n - w, most);
        DGM_TRY(add_part(parser, forms + w, tags != NULL ? tags + w : NULL, part));
    }
    parser->words += n;
    *number = first;
    return dgm_parse_parts_note(parser->env, &parser->parts, &parser->bank, first, n);
}

dgm_status dgm_sentence_parser_add(struct dgm_sentence_parser *parser, const char *const *forms,
                                   const char *const *tags, int32_t n, long line, int32_t *number)
{
    *number = -1;
    if (n == 0)
        return DGM_OK;
    return parser->has_head ? add_pieces(parser, forms, n, line, number)
                            : add_words(parser, forms, tags, n, line, number);
}

static dgm_status run_head(struct dgm_sentence_parser *parser)
{
    struct dgm_env *env = parser->env;
    const struct dgm_packed *source = &parser->pieces[DGM_SOURCE],
                            *target = &parser->pieces[DGM_TARGET];
    const struct dgm_packed *pieces = &parser->pieces[parser->head.side];
    struct dgm_parsed *parsed = &parser->parsed;
    size_t words = pieces->count > 0 ? (size_t)pieces->word_offsets[pieces->count] : 0;
    const struct dgm_parallel arrays[] = { { &parsed->heads, sizeof *parsed->heads },
                                           { &parsed->prob, sizeof *parsed->prob },
                                           { NULL, 0 } };

    /* Neither labels nor tags: a head has none, and whoever has a head never runs a parser. */
    DGM_TRY(dgm_reserve_parallel(env, arrays, &parsed->capacity, words));
    for (int32_t s = 0; s < pieces->count; s++) {
        int32_t first = pieces->word_offsets[s];
        DGM_TRY(dgm_poll(env));
        DGM_TRY(dgm_parse_head_run(env, &parser->head, source, target, s, parsed->heads + first,
                                   parsed->prob + first));
    }
    return DGM_OK;
}

dgm_status dgm_sentence_parser_run(struct dgm_sentence_parser *parser, int64_t batch_words)
{
    if (parser->has_head)
        return run_head(parser);
    DGM_TRY(
        dgm_parse_bank(parser->env, &parser->parse, &parser->bank, batch_words, &parser->parsed));
    dgm_parse_parts_join(&parser->parts, &parser->bank, &parser->parser.lexicon, &parser->parsed);
    return DGM_OK;
}

/* ---- results ------------------------------------------------------------------------------ */

/* A parser has a row for the root before the words of each sentence. */
static size_t row_of(const struct dgm_sentence_parser *parser, int32_t number, int32_t w)
{
    if (parser->has_head)
        return (size_t)parser->pieces[parser->head.side].word_offsets[number] + (size_t)w;
    return (size_t)parser->bank.rows.offsets[number] + (size_t)w + 1;
}

int32_t dgm_sentence_parser_head(const struct dgm_sentence_parser *parser, int32_t number,
                                 int32_t w)
{
    return parser->parsed.heads[row_of(parser, number, w)];
}

double dgm_sentence_parser_prob(const struct dgm_sentence_parser *parser, int32_t number, int32_t w)
{
    return parser->parsed.prob[row_of(parser, number, w)];
}

const char *dgm_sentence_parser_label(const struct dgm_sentence_parser *parser, int32_t number,
                                      int32_t w)
{
    int32_t label;

    if (parser->has_head) /* "unspecified" in Universal Dependencies, where roots have a name */
        return dgm_sentence_parser_head(parser, number, w) == 0 ? "root" : "dep";
    label = parser->parsed.labels[row_of(parser, number, w)];
    return label >= 0 ? dgm_lexicon_class_name(&parser->parser.lexicon.labels, label) : "dep";
}

const char *dgm_sentence_parser_tag(const struct dgm_sentence_parser *parser, int32_t number,
                                    int32_t w)
{
    if (parser->has_head)
        return "_";
    return dgm_lexicon_class_name(&parser->parser.lexicon.tags,
                                  parser->parsed.tags[row_of(parser, number, w)]);
}

const char *dgm_sentence_parser_morph(const struct dgm_sentence_parser *parser,
                                      enum dgm_morph morph, int32_t number, int32_t w,
                                      const char *form, char room[DGM_LEMMA_BYTES])
{
    const struct dgm_vocab *vocab = &parser->parser.lexicon.morphs[morph];
    int32_t class_number = parser->parsed.morphs[morph][row_of(parser, number, w)];
    const char *name = class_number >= 0 ? dgm_lexicon_class_name(vocab, class_number) : NULL;

    if (morph != DGM_MORPH_LEMMA)
        return name;
    if (name == NULL || dgm_lemma_script_apply(room, name, form) == 0)
        return form;
    return room;
}
