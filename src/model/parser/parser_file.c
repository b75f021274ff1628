/*
 * parser_file.c: a parser to and from a model file, alone or inside a translation model's.
 */
#include <stdio.h>
#include <string.h>

#include "base/option/option.h"
#include "base/option/settings.h"
#include "base/option/settings_file.h"
#include "model/parser/parser_vectors.h"
#include "model/file/langid_file.h"
#include "model/file/vocab_file.h"
#include "nn/param_file.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "text/lemma/lemma_script.h"

#define CONFIG "dragoman.parser.config"
#define WORDS "dragoman.parser.words"
#define PIECES "dragoman.parser.pieces"
#define TAGS "dragoman.parser.tags"
#define LABELS "dragoman.parser.labels"
#define CODES "dragoman.parser.codes"
#define MORPHS "dragoman.parser." /* and the column's name */
#define LEMMAS "dragoman.parser.lemmas"
#define CHARACTERS "dragoman.parser.characters"
#define MULTIWORDS "dragoman.parser.multiwords"
#define BLANKS "dragoman.parser.blanks"
#define TREEBANKS "dragoman.parser.treebanks"
#define TREEBANK_TABLE DGM_PARSER_PREFIX "treebanks.weight"

int dgm_parser_is_in(const struct dgm_gguf *file)
{
    return dgm_gguf_find_key(file, CONFIG) != NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

static dgm_status read_settings(struct dgm_env *env, struct dgm_settings *settings,
                                const struct dgm_gguf *file)
{
    static const struct dgm_opt *const tables[] = { dgm_parser_options, NULL };
    size_t length;
    const char *text = dgm_gguf_text(file, CONFIG, &length);

    if (text == NULL && dgm_langid_is_in(file))
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "tells languages apart (langid); expected a parser");
    if (text == NULL)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "key " CONFIG " is missing; expected a parser, which dragoman "
                           "train-parser writes");
    DGM_TRY(dgm_settings_init(env, settings, tables));
    return dgm_settings_file_parse(env, settings, text, length, file->name);
}

static dgm_status check_each(struct dgm_env *env, const struct dgm_vocab *vocab,
                             const struct dgm_gguf *file, const char *key,
                             int (*is_one)(const char *text, size_t bytes), const char *expected)
{
    for (uint32_t i = DGM_VOCAB_SPECIALS; i < dgm_vocab_size(vocab); i++) {
        char quoted[DGM_QUOTE_SIZE];
        size_t bytes;
        const char *text = dgm_vocab_token(vocab, i, &bytes);

        if (is_one(text, bytes))
            continue;
        dgm_quote(quoted, sizeof quoted, text, bytes);
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "key %s holds \"%s\"; expected %s",
                           key, quoted, expected);
    }
    return DGM_OK;
}

/* Tags and labels become columns of CoNLL-U and words of a line: no blank, nothing invisible. */
static int is_name(const char *name, size_t bytes)
{
    size_t good = 0;

    while (good < bytes && (unsigned char)name[good] > ' ' && name[good] != 0x7f)
        good++;
    return good == bytes && bytes > 0;
}

static dgm_status check_names(struct dgm_env *env, const struct dgm_vocab *vocab,
                              const struct dgm_gguf *file, const char *key)
{
    if (dgm_lexicon_classes(vocab) < 1)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "key %s holds no names; expected at least one", key);
    return check_each(env, vocab, file, key, is_name, "names without blanks");
}

static void morph_key(char key[40], int morph)
{
    snprintf(key, 40, MORPHS "%s", dgm_morph_names[morph]);
}

/* Without a book every word has the scripts of all. */
static dgm_status read_lemmas(struct dgm_env *env, struct dgm_lexicon *lexicon,
                              const struct dgm_gguf *file)
{
    size_t length;
    const char *text = dgm_gguf_text(file, LEMMAS, &length);

    if (text == NULL || !dgm_lexicon_has(lexicon, DGM_MORPH_LEMMA))
        return DGM_OK;
    return dgm_lemma_book_parse(env, &lexicon->lemmas, text, length,
                                dgm_lexicon_classes(&lexicon->tags),
                                dgm_lexicon_classes(&lexicon->morphs[DGM_MORPH_LEMMA]), file->name);
}

/* Of `all` columns a file has those that the treebank had. */
static dgm_status read_morphs(struct dgm_env *env, struct dgm_lexicon *lexicon,
                              const struct dgm_parser_config *config, const struct dgm_gguf *file)
{
    for (int m = 0; m < DGM_MORPHS; m++) {
        char key[40];

        morph_key(key, m);
        if (!(config->morphs & 1u << m) ||
            (!(config->needed_morphs & 1u << m) && dgm_gguf_find_key(file, key) == NULL))
            continue;
        DGM_TRY(dgm_vocab_from_gguf(env, &lexicon->morphs[m], file, key));
        if (m != DGM_MORPH_LEMMA || dgm_lexicon_classes(&lexicon->morphs[m]) < 1)
            DGM_TRY(check_names(env, &lexicon->morphs[m], file, key));
        else
            /* A lemma becomes a column, and is made from any word: no script may do more. */
            DGM_TRY(check_each(env, &lexicon->morphs[m], file, key, dgm_lemma_script_is_one,
                               "scripts that make lemmas"));
    }
    return read_lemmas(env, lexicon, file);
}

static dgm_status read_cuts(struct dgm_env *env, struct dgm_cut_lexicon *cuts,
                            const struct dgm_gguf *file)
{
    size_t length;
    const char *text = dgm_gguf_text(file, MULTIWORDS, &length);

    if (text == NULL || !dgm_gguf_flag(file, BLANKS, &cuts->has_blanks))
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "key %s is missing",
                           text == NULL ? MULTIWORDS : BLANKS);
    DGM_TRY(dgm_multiwords_parse(env, &cuts->multiwords, text, length, file->name));
    return dgm_vocab_from_gguf(env, &cuts->characters, file, CHARACTERS);
}

/* A parser of old has none, and one that lost their names must not parse as such. */
static dgm_status read_treebanks(struct dgm_env *env, struct dgm_lexicon *lexicon,
                                 const struct dgm_gguf *file)
{
    if (dgm_gguf_find_key(file, TREEBANKS) == NULL &&
        dgm_gguf_find_tensor(file, TREEBANK_TABLE) == NULL)
        return DGM_OK;
    DGM_TRY(dgm_vocab_from_gguf(env, &lexicon->treebanks, file, TREEBANKS));
    return check_names(env, &lexicon->treebanks, file, TREEBANKS);
}

static dgm_status read_lexicon(struct dgm_env *env, struct dgm_lexicon *lexicon,
                               const struct dgm_settings *settings, const struct dgm_gguf *file)
{
    struct dgm_parser_config config;
    size_t length;
    const char *codes = dgm_gguf_text(file, CODES, &length);

    DGM_TRY(dgm_parser_config_read(env, &config, settings));
    lexicon->kind = config.pieces;
    if (config.pieces == DGM_PIECES_SUBWORDS && codes == NULL)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "key " CODES " is missing");
    if (config.pieces == DGM_PIECES_SUBWORDS)
        DGM_TRY(dgm_lexicon_set_codes(env, lexicon, codes, length, file->name));
    DGM_TRY(dgm_vocab_from_gguf(env, &lexicon->words, file, WORDS));
    DGM_TRY(dgm_vocab_from_gguf(env, &lexicon->pieces, file, PIECES));
    DGM_TRY(dgm_vocab_from_gguf(env, &lexicon->tags, file, TAGS));
    DGM_TRY(dgm_vocab_from_gguf(env, &lexicon->labels, file, LABELS));
    if (config.cutter > 0)
        DGM_TRY(read_cuts(env, &lexicon->cuts, file));
    DGM_TRY(dgm_parser_vectors_load(env, &lexicon->vectors, file));
    DGM_TRY(read_treebanks(env, lexicon, file));
    DGM_TRY(read_morphs(env, lexicon, &config, file));
    DGM_TRY(check_names(env, &lexicon->tags, file, TAGS));
    return check_names(env, &lexicon->labels, file, LABELS);
}

static const char *const others[] = { "", NULL }; /* whoever shares the file */

static dgm_status make(struct dgm_env *env, struct dgm_parser *parser,
                       const struct dgm_settings *settings, const struct dgm_gguf *file)
{
    struct dgm_lexicon lexicon = { 0 };
    dgm_status status;

    DGM_TRY_OUT(read_lexicon(env, &lexicon, settings, file));
    DGM_TRY_OUT(dgm_parser_make(env, parser, settings, &lexicon));
    DGM_TRY_OUT(dgm_params_check(env, &parser->net.params, file, others));
out:
    dgm_lexicon_clear(env, &lexicon);
    return status;
}

dgm_status dgm_parser_declare(struct dgm_env *env, struct dgm_parser *parser,
                              const struct dgm_gguf *file)
{
    struct dgm_settings settings = { 0 };
    dgm_status status;

    memset(parser, 0, sizeof *parser);
    status = read_settings(env, &settings, file);
    if (status == DGM_OK)
        status = make(env, parser, &settings, file);
    dgm_settings_clear(env, &settings);
    if (status != DGM_OK) {
        dgm_parser_clear(env, parser);
        /* Whatever the part at fault calls it, to the caller it is a bad model. */
        if (status == DGM_USAGE || status == DGM_DATA)
            status = env->error.status = DGM_MODEL;
    }
    return status;
}

static dgm_status read_parser(struct dgm_env *env, struct dgm_parser *parser,
                              const struct dgm_gguf *file, struct dgm_device *device,
                              int with_grads, enum dgm_weights weights, int is_inside)
{
    dgm_status status;

    DGM_TRY(dgm_parser_declare(env, parser, file));
    dgm_params_hold(&parser->net.params, weights);
    status = dgm_net_allocate(env, &parser->net, device, with_grads);
    if (status == DGM_OK)
        status = (is_inside ? dgm_params_load_own : dgm_params_load)(env, &parser->net.params, file,
                                                                     others);
    if (status != DGM_OK)
        dgm_parser_clear(env, parser);
    return status;
}

dgm_status dgm_parser_from_gguf(struct dgm_env *env, struct dgm_parser *parser,
                                const struct dgm_gguf *file, struct dgm_device *device,
                                enum dgm_compute_type type, int is_inside)
{
    enum dgm_weights weights;

    memset(parser, 0, sizeof *parser);
    DGM_TRY(dgm_compute_type_choose(env, &weights, type, file, device));
    return read_parser(env, parser, file, device, 0, weights, is_inside);
}

dgm_status dgm_parser_resume(struct dgm_env *env, struct dgm_parser *parser,
                             const struct dgm_gguf *file, struct dgm_device *device)
{
    memset(parser, 0, sizeof *parser);
    DGM_TRY(dgm_compute_type_check_trainable(env, file));
    return read_parser(env, parser, file, device, 1, DGM_WEIGHTS_REAL, 0);
}

dgm_status dgm_parser_load(struct dgm_env *env, struct dgm_parser *parser, const char *path,
                           struct dgm_device *device, enum dgm_compute_type type, int is_inside)
{
    struct dgm_gguf file = { 0 };
    dgm_status status;

    memset(parser, 0, sizeof *parser);
    DGM_TRY(dgm_gguf_open(env, &file, path));
    status = dgm_gguf_verify(env, &file, NULL);
    if (status == DGM_OK)
        status = dgm_parser_from_gguf(env, parser, &file, device, type, is_inside);
    dgm_gguf_clear(env, &file);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static dgm_status write_cuts(struct dgm_env *env, const struct dgm_cut_lexicon *cuts,
                             struct dgm_gguf_writer *writer)
{
    const struct dgm_buf *text = &cuts->multiwords.text;

    DGM_TRY(
        dgm_gguf_add_text(env, writer, MULTIWORDS, text->size > 0 ? text->data : "", text->size));
    DGM_TRY(dgm_gguf_add_bool(env, writer, BLANKS, cuts->has_blanks));
    return dgm_vocab_to_gguf(env, &cuts->characters, writer, CHARACTERS);
}

static dgm_status write_lemmas(struct dgm_env *env, const struct dgm_lemma_book *lemmas,
                               struct dgm_gguf_writer *writer)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    dgm_status status = dgm_lemma_book_print(env, lemmas, &text);

    if (status == DGM_OK)
        status = dgm_gguf_add_text(env, writer, LEMMAS, text.data, text.size);
    dgm_buf_clear(env, &text);
    return status;
}

static dgm_status write_lexicon(struct dgm_env *env, const struct dgm_lexicon *lexicon,
                                struct dgm_gguf_writer *writer)
{
    if (lexicon->kind == DGM_PIECES_SUBWORDS)
        DGM_TRY(dgm_gguf_add_text(env, writer, CODES, lexicon->codes.data, lexicon->codes.size));
    DGM_TRY(dgm_vocab_to_gguf(env, &lexicon->words, writer, WORDS));
    DGM_TRY(dgm_vocab_to_gguf(env, &lexicon->pieces, writer, PIECES));
    DGM_TRY(dgm_vocab_to_gguf(env, &lexicon->tags, writer, TAGS));
    DGM_TRY(dgm_vocab_to_gguf(env, &lexicon->labels, writer, LABELS));
    if (dgm_vocab_size(&lexicon->treebanks) > 0)
        DGM_TRY(dgm_vocab_to_gguf(env, &lexicon->treebanks, writer, TREEBANKS));
    for (int m = 0; m < DGM_MORPHS; m++) {
        char key[40];

        morph_key(key, m);
        if (dgm_lexicon_has(lexicon, (enum dgm_morph)m))
            DGM_TRY(dgm_vocab_to_gguf(env, &lexicon->morphs[m], writer, key));
    }
    if (lexicon->lemmas.count > 0)
        return write_lemmas(env, &lexicon->lemmas, writer);
    return DGM_OK;
}

dgm_status dgm_parser_save(struct dgm_env *env, const struct dgm_parser *parser,
                           struct dgm_gguf_writer *writer, dgm_real **values)
{
    struct dgm_buf config = { NULL, 0, 0, 0 };
    dgm_status status = dgm_settings_file_dump(env, &parser->settings, &config, 0);

    if (status == DGM_OK)
        status = dgm_gguf_add_text(env, writer, CONFIG, config.data, config.size);
    dgm_buf_clear(env, &config);
    DGM_TRY(status);
    DGM_TRY(write_lexicon(env, &parser->lexicon, writer));
    if (parser->config.cutter > 0)
        DGM_TRY(write_cuts(env, &parser->lexicon.cuts, writer));
    DGM_TRY(dgm_parser_vectors_save(env, &parser->lexicon.vectors, writer));
    return dgm_params_save(env, &parser->net.params, writer, DGM_GGUF_F32, values);
}
