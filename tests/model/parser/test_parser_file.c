/*
 * test_parser_file.c: the file of a parser, damaged in all ways, and a parser without memory.
 */
#include <string.h>

#include "base/mem.h"
#include "data/tree/treebank_names.h"
#include "open_device.h"
#include "parser_lab.h"
#include "tensor/gguf/gguf_write.h"
#include "test.h"

/* ---- files ----------------------------------------------------------------------------------- */

static dgm_status save(const struct dgm_parser *parser, struct dgm_buf *bytes)
{
    struct dgm_gguf_writer writer;
    dgm_real *values = NULL;
    dgm_status status;

    memset(&writer, 0, sizeof writer);
    memset(bytes, 0, sizeof *bytes);
    status = dgm_parser_save(test_env(), parser, &writer, &values);
    if (status == DGM_OK)
        status = dgm_gguf_write_memory(test_env(), &writer, bytes);
    dgm_release(test_env(), values);
    dgm_gguf_writer_clear(test_env(), &writer);
    return status;
}

static dgm_status load(struct dgm_parser *parser, const struct dgm_buf *bytes,
                       struct dgm_device *device)
{
    struct dgm_gguf file;
    dgm_status status;

    memset(&file, 0, sizeof file);
    memset(parser, 0, sizeof *parser);
    status = dgm_gguf_parse(test_env(), &file, bytes->data, bytes->size, "memory");
    if (status == DGM_OK)
        status = dgm_parser_from_gguf(test_env(), parser, &file, device, DGM_COMPUTE_F32, 0);
    dgm_gguf_clear(test_env(), &file);
    return status;
}

TEST(parser_saved_and_loaded_parses_the_same)
{
    struct dgm_parse_options options = { .projective = 1,
                                         .prob = DGM_PROB_ROW,
                                         .morphs = DGM_MORPH_ALL };

    for (int i = 0; i < PARSER_SHAPES; i++) {
        struct dgm_parsed before, after;
        struct dgm_parser parser;
        struct dgm_buf bytes;
        struct parser_lab lab;

        CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[i], parser_lab_none, 1), DGM_OK);
        CHECK_STATUS(parser_lab_parse(&lab.parser, &lab.bank, &options, 9, &before), DGM_OK);
        CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
        CHECK_STATUS(load(&parser, &bytes, lab.device), DGM_OK);
        CHECK_STATUS(parser_lab_parse(&parser, &lab.bank, &options, 9, &after), DGM_OK);
        parser_lab_same(&before, &after, (size_t)lab.bank.rows.offsets[PARSER_SENTENCES]);
        dgm_parsed_clear(test_env(), &before);
        dgm_parsed_clear(test_env(), &after);
        dgm_parser_clear(test_env(), &parser);
        dgm_buf_clear(test_env(), &bytes);
        parser_lab_close(&lab);
    }
}

/* Every `from` in the file becomes `to`, which is as long; the message holds `text`. */
static void check_damage(const struct parser_lab *lab, const struct dgm_buf *bytes,
                         const char *from, const char *to, const char *text)
{
    struct dgm_buf damaged = { NULL, 0, 0, 0 };
    struct dgm_parser parser;
    size_t length = strlen(from), found = 0;

    CHECK_INT(strlen(to), length);
    CHECK_STATUS(dgm_buf_add(test_env(), &damaged, bytes->data, bytes->size), DGM_OK);
    for (size_t i = 0; i + length <= damaged.size; i++)
        if (memcmp(damaged.data + i, from, length) == 0) {
            memcpy(damaged.data + i, to, length);
            found++;
        }
    CHECK(found > 0);
    if (load(&parser, &damaged, lab->device) != DGM_MODEL)
        CHECK_STR(from, "a change that makes a bad model");
    if (strstr(test_env()->error.message, text) == NULL)
        CHECK_STR(test_env()->error.message, text);
    dgm_env_clear_error(test_env());
    dgm_buf_clear(test_env(), &damaged);
}

TEST(parser_file_with_something_missing_or_wrong_is_refused)
{
    struct dgm_buf bytes;
    struct parser_lab lab;

    CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[2], parser_lab_none, 1), DGM_OK);
    CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
    check_damage(&lab, &bytes, "dragoman.parser.config", "dragoman.parser.confik",
                 "dragoman.parser.config");
    check_damage(&lab, &bytes, "dragoman.parser.words", "dragoman.parser.wordz",
                 "dragoman.parser.words");
    check_damage(&lab, &bytes, "dragoman.parser.pieces", "dragoman.parser.piecez",
                 "dragoman.parser.pieces");
    check_damage(&lab, &bytes, "dragoman.parser.tags", "dragoman.parser.tagz",
                 "dragoman.parser.tags");
    check_damage(&lab, &bytes, "dragoman.parser.labels", "dragoman.parser.labelz",
                 "dragoman.parser.labels");
    check_damage(&lab, &bytes, "dragoman.parser.codes", "dragoman.parser.codez",
                 "dragoman.parser.codes");
    check_damage(&lab, &bytes, "dim-arc = 6", "dim-arc = 7", "parser.arc");
    check_damage(&lab, &bytes, "dim-emb = 8", "dim-emb = 0", "dim-emb");
    check_damage(&lab, &bytes, "enc-depth = 1", "enc-depth = 2", "parser.lstm.1");
    check_damage(&lab, &bytes, "encoder = lstm", "encoder = bird", "encoder");
    check_damage(&lab, &bytes, "parser.tag.output.bias", "parser.tag.output.bird",
                 "parser.tag.output.bias");
    check_damage(&lab, &bytes, "nsubj", "nsub\n", "nsub\\x0A");
    check_damage(&lab, &bytes, "PUNCT", "PU CT", "tags holds");
    dgm_buf_clear(test_env(), &bytes);
    parser_lab_close(&lab);
}

TEST(parser_file_whose_cutter_is_wrong_is_refused)
{
    struct dgm_buf bytes;
    struct parser_lab lab;

    CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[5], parser_lab_none, 1), DGM_OK);
    CHECK_STATUS(dgm_multiwords_parse(test_env(), &lab.parser.lexicon.cuts.multiwords,
                                      "zum\tzu\tdem\n", 11, "test"),
                 DGM_OK);
    CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
    check_damage(&lab, &bytes, "dragoman.parser.characters", "dragoman.parser.characterz",
                 "dragoman.parser.characters");
    check_damage(&lab, &bytes, "dragoman.parser.multiwords", "dragoman.parser.multiwordz",
                 "dragoman.parser.multiwords");
    check_damage(&lab, &bytes, "dragoman.parser.blanks", "dragoman.parser.blankz",
                 "dragoman.parser.blanks");
    check_damage(&lab, &bytes, "zum\tzu\tdem\n", "zum\tzu dem\n", "without two words");
    check_damage(&lab, &bytes, "dim-tokenizer = 6", "dim-tokenizer = 7", "parser.cutter");
    check_damage(&lab, &bytes, "dim-tokenizer = 6", "dim-tokenizer = 0", "dim-tokenizer");
    check_damage(&lab, &bytes, "tokenizer = true\n", "tokenizer = fals\n", "tokenizer");
    check_damage(&lab, &bytes, "parser.cutter.output.bias", "parser.cutter.output.bird",
                 "parser.cutter.output.bias");
    dgm_buf_clear(test_env(), &bytes);
    parser_lab_close(&lab);
}

TEST(parser_file_whose_vectors_are_wrong_is_refused)
{
    static const char key[] = "dragoman.parser.vectors";
    struct dgm_buf bytes;
    struct parser_lab lab;

    CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[6], parser_lab_none, 1), DGM_OK);
    CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
    check_damage(&lab, &bytes, "parser.vectors.words", "parser.vectors.wordz", key);
    check_damage(&lab, &bytes, "parser.vectors.dim", "parser.vectors.dik", key);
    check_damage(&lab, &bytes, "parser.vectors.numbers", "parser.vectors.numberz", key);
    check_damage(&lab, &bytes, "parser.vectors.weight", "parser.vectors.wait__",
                 "parser.vectors.weight");
    lab.parser.lexicon.vectors.numbers[7] = 0x7c00; /* infinity */
    dgm_buf_clear(test_env(), &bytes);
    CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
    check_damage(&lab, &bytes, "hearing", "hearinG", "finite numbers");
    dgm_buf_clear(test_env(), &bytes);
    parser_lab_close(&lab);
}

TEST(parser_file_whose_treebanks_are_wrong_is_refused)
{
    static const char key[] = "dragoman.parser.treebanks";
    struct dgm_parser parser;
    struct dgm_buf bytes;
    struct parser_lab lab;

    CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[13], parser_lab_none, 1), DGM_OK);
    CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
    CHECK_STATUS(load(&parser, &bytes, lab.device), DGM_OK);
    CHECK(dgm_vocab_same(&parser.lexicon.treebanks, &lab.parser.lexicon.treebanks));
    dgm_parser_clear(test_env(), &parser);
    check_damage(&lab, &bytes, key, "dragoman.parser.treebankz", key);
    check_damage(&lab, &bytes, "parser.treebanks.weight", "parser.treebanks.wait__",
                 "parser.treebanks.weight");
    check_damage(&lab, &bytes, "alpha", "al ha", "treebanks holds");
    dgm_buf_clear(test_env(), &bytes);
    CHECK_STATUS(dgm_treebank_names_add(test_env(), &lab.parser.lexicon.treebanks, "gamma", ""),
                 DGM_OK);
    CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
    check_damage(&lab, &bytes, "alpha", "aleph", "parser.treebanks.weight");
    check_damage(&lab, &bytes, "alpha", "gamma", "the same token");
    dgm_buf_clear(test_env(), &bytes);
    parser_lab_close(&lab);
}

TEST(parser_file_whose_columns_are_wrong_is_refused)
{
    struct dgm_parser parser;
    struct dgm_buf bytes;
    struct parser_lab lab;

    CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[9], parser_lab_none, 1), DGM_OK);
    CHECK_INT(dgm_parser_morphs(&lab.parser), 1 << DGM_MORPH_FEATS | 1 << DGM_MORPH_LEMMA);
    CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
    check_damage(&lab, &bytes, "dragoman.parser.lemma", "dragoman.parser.lemmb",
                 "dragoman.parser.lemma");
    check_damage(&lab, &bytes, "dragoman.parser.feats", "dragoman.parser.featz",
                 "dragoman.parser.feats");
    check_damage(&lab, &bytes, "hearing\t", "hearing\n", "book of lemmas");
    check_damage(&lab, &bytes, "l0||---", "l0|x---", "lemma holds \"l0|x---\"");
    check_damage(&lab, &bytes, "l0||---", "l0||--\n", "lemma holds \"l0||--\\x0A\"");
    check_damage(&lab, &bytes, "Number=Sing", "Number=Sin\t", "feats holds");
    check_damage(&lab, &bytes, "columns = lemma feats", "columns = lemma featz", "columns");
    check_damage(&lab, &bytes, "columns = lemma feats", "columns = lemma lemma", "twice");
    check_damage(&lab, &bytes, "parser.lemma.output.bias", "parser.lemma.output.bird",
                 "parser.lemma.output.bias");
    /* Of `all` columns a file has those that it names. */
    dgm_buf_clear(test_env(), &bytes);
    parser_lab_close(&lab);
    CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[8], parser_lab_none, 1), DGM_OK);
    dgm_vocab_clear(test_env(), &lab.parser.lexicon.morphs[DGM_MORPH_LEMMA]);
    CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
    CHECK_STATUS(load(&parser, &bytes, lab.device), DGM_OK);
    CHECK_INT(dgm_parser_morphs(&parser), 1 << DGM_MORPH_XPOS | 1 << DGM_MORPH_FEATS);
    dgm_parser_clear(test_env(), &parser);
    dgm_buf_clear(test_env(), &bytes);
    parser_lab_close(&lab);
}

/* A script that wins and does not fit leaves its place to the best one that does; scripts that the
 * treebank has for a form with its tag win over others. */
TEST(parser_makes_lemmas_of_scripts_that_fit)
{
    struct dgm_vocab *scripts;
    struct dgm_parsed parsed;
    struct parser_lab lab;
    dgm_real bias[16] = { 0 };
    int32_t too_long, keeps;

    CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[8], parser_lab_none, 1), DGM_OK);
    scripts = &lab.parser.lexicon.morphs[DGM_MORPH_LEMMA];
    too_long = dgm_lexicon_class(scripts, "l0||---"); /* hearing -> hear */
    keeps = dgm_lexicon_class(scripts, "l0||");
    CHECK(too_long >= 0 && keeps >= 0 && dgm_lexicon_classes(scripts) <= 16);
    bias[too_long] = 1000;
    bias[keeps] = 500;
    CHECK_STATUS(dgm_params_write(test_env(), &lab.parser.net.params,
                                  lab.parser.morphs[DGM_MORPH_LEMMA].output.bias, bias),
                 DGM_OK);
    CHECK_STATUS(parser_lab_parse(&lab.parser, &lab.bank, &parser_lab_columns, 100, &parsed),
                 DGM_OK);
    for (int32_t i = 0; i < lab.bank.rows.offsets[PARSER_SENTENCES]; i++)
        if (lab.bank.morphs[DGM_MORPH_LEMMA][i] >= 0)
            CHECK_INT(parsed.morphs[DGM_MORPH_LEMMA][i], lab.bank.morphs[DGM_MORPH_LEMMA][i]);
    dgm_parsed_clear(test_env(), &parsed);
    dgm_lemma_book_clear(test_env(), &lab.parser.lexicon.lemmas);
    CHECK_STATUS(parser_lab_parse(&lab.parser, &lab.bank, &parser_lab_columns, 100, &parsed),
                 DGM_OK);
    CHECK_INT(parsed.morphs[DGM_MORPH_LEMMA][0], -1);       /* the root */
    CHECK_INT(parsed.morphs[DGM_MORPH_LEMMA][1], keeps);    /* A */
    CHECK_INT(parsed.morphs[DGM_MORPH_LEMMA][2], too_long); /* hearing */
    CHECK_INT(parsed.morphs[DGM_MORPH_LEMMA][6], keeps);    /* . */
    dgm_parsed_clear(test_env(), &parsed);
    parser_lab_close(&lab);
}

TEST(parser_file_without_labels_is_refused)
{
    struct dgm_env *env = test_env();
    struct dgm_parser parser;
    struct dgm_map empty;
    struct dgm_buf bytes;
    struct parser_lab lab;

    memset(&empty, 0, sizeof empty);
    CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[0], parser_lab_none, 1), DGM_OK);
    dgm_vocab_clear(env, &lab.parser.lexicon.labels);
    CHECK_STATUS(dgm_vocab_build(env, &lab.parser.lexicon.labels, &empty, 0, 1), DGM_OK);
    CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
    CHECK_STATUS(load(&parser, &bytes, lab.device), DGM_MODEL);
    CHECK(strstr(env->error.message, "labels holds no names") != NULL);
    dgm_env_clear_error(env);
    dgm_buf_clear(env, &bytes);
    parser_lab_close(&lab);
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(parser_without_memory_fails_and_leaves_nothing)
{
    struct dgm_env *env = test_env();
    struct dgm_buf bytes;
    struct parser_lab lab;
    dgm_status status = DGM_MEMORY;
    long n = 0;

    FOR_THE_CPU(); /* it opens hundreds of devices: minutes, where that is a GPU */
    CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[10], parser_lab_none, 1), DGM_OK);
    CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
    while (status != DGM_OK) {
        long live = test_live_blocks();
        struct dgm_device *device; /* of its own: it keeps scratch space */
        struct dgm_parsed parsed;
        struct dgm_parser parser;

        memset(&parsed, 0, sizeof parsed);
        CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
        test_env_fail_at(test_allocations() + 1 + n++);
        status = load(&parser, &bytes, device);
        if (status == DGM_OK)
            status = parser_lab_parse(&parser, &lab.bank, &parser_lab_columns, 9, &parsed);
        test_env_fail_at(0);
        if (status != DGM_OK)
            CHECK_STATUS(status, DGM_MEMORY);
        dgm_env_clear_error(env);
        dgm_parsed_clear(env, &parsed);
        dgm_parser_clear(env, &parser);
        dgm_device_close(env, device);
        CHECK_INT(test_live_blocks(), live);
    }
    CHECK(n > 50);
    dgm_buf_clear(env, &bytes);
    parser_lab_close(&lab);
}
