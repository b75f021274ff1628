/*
 * test_parser.c: the biaffine parser learns its treebank, and a parse depends on its sentence
 * alone.
 */
#include <stdio.h>
#include <string.h>

#include "mask_case.h"
#include "parser_lab.h"
#include "test.h"
#include "train/step/optimizer.h"
#include "treebank_file.h"

/* ---- learning -------------------------------------------------------------------------------- */

static dgm_status learn(struct parser_lab *lab, double *first, double *last)
{
    struct dgm_optimizer_options options = { 0.9, 0.98, 1e-8, 0, 5, DGM_ADAM, 0 };
    struct dgm_optimizer optimizer;
    struct dgm_env *env = test_env();
    dgm_status status;
    double norm;

    memset(&optimizer, 0, sizeof optimizer);
    status = dgm_optimizer_init(env, &optimizer, &lab->parser.net.params, &options, 0,
                                lab->parser.net.params.total);
    for (int t = 1; t <= 60 && status == DGM_OK; t++) {
        status = dgm_params_zero_grads(env, &lab->parser.net.params);
        if (status == DGM_OK)
            status = parser_lab_build(lab, (uint32_t)t);
        if (status == DGM_OK)
            status = parser_lab_run(lab, t == 1 ? first : last);
        if (status == DGM_OK)
            status = dgm_graph_backward(&lab->graph);
        if (status == DGM_OK)
            status = dgm_optimizer_update(env, &optimizer, t, 0.02, 1.0 / 13, &norm);
    }
    dgm_optimizer_clear(env, &optimizer);
    return status;
}

static void check_columns(const struct parser_lab *lab, const struct dgm_parsed *parsed,
                          int32_t row)
{
    for (int m = 0; m < DGM_MORPHS; m++) {
        CHECK((parsed->morphs[m] != NULL) == (lab->parser.morphs[m].classes > 0));
        if (parsed->morphs[m] != NULL && lab->bank.morphs[m][row] >= 0)
            CHECK_INT(parsed->morphs[m][row], lab->bank.morphs[m][row]);
    }
}

static void check_learning(const char *shape)
{
    struct parser_lab lab;
    struct dgm_parsed parsed;
    double first, last;

    CHECK_STATUS(parser_lab_open(&lab, shape, parser_lab_none, 1), DGM_OK);
    CHECK_INT(lab.bank.rows.count, PARSER_SENTENCES);
    CHECK_STATUS(learn(&lab, &first, &last), DGM_OK);
    CHECK(last < 0.1 * first);
    CHECK_STATUS(parser_lab_parse(&lab.parser, &lab.bank, &parser_lab_columns, 100, &parsed),
                 DGM_OK);
    for (int32_t i = 0; i < lab.bank.rows.offsets[PARSER_SENTENCES]; i++) {
        CHECK_INT(parsed.heads[i], lab.bank.heads[i]);
        CHECK_INT(parsed.labels[i], lab.bank.labels[i]);
        CHECK_INT(parsed.tags[i], lab.bank.tags[i]);
        check_columns(&lab, &parsed, i);
    }
    dgm_parsed_clear(test_env(), &parsed);
    parser_lab_close(&lab);
}

TEST(parser_learns_its_treebank_by_heart)
{
    for (int i = 0; i < PARSER_SHAPES; i++)
        check_learning(parser_lab_shapes[i]);
}

/* Every layer of every part of a parser draws its own mask. */
TEST(parser_draws_each_mask_apart)
{
    for (int i = 0; i < PARSER_SHAPES; i++) {
        struct parser_lab lab;

        CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[i], parser_lab_dropouts, 1), DGM_OK);
        CHECK_STATUS(parser_lab_build(&lab, 3), DGM_OK);
        CHECK(mask_streams_differ(&lab.graph));
        CHECK(masks.count > 3);
        parser_lab_close(&lab);
    }
}

/* How many words of the bank have the heads, labels and tags that they are given. */
static int right_words(const struct parser_lab *lab, const struct dgm_parsed *parsed)
{
    int right = 0;

    for (int32_t s = 0; s < PARSER_SENTENCES; s++)
        for (int32_t i = lab->bank.rows.offsets[s] + 1; i < lab->bank.rows.offsets[s + 1]; i++)
            right += parsed->heads[i] == lab->bank.heads[i] &&
                     parsed->labels[i] == lab->bank.labels[i] &&
                     parsed->tags[i] == lab->bank.tags[i];
    return right;
}

static void learn_contradictions(struct parser_lab *lab, const char *shape,
                                 struct dgm_parsed *parsed)
{
    double first, last;

    CHECK_STATUS(parser_lab_open_on(lab, parser_lab_contradictions, shape, parser_lab_none, 1),
                 DGM_OK);
    CHECK_STATUS(learn(lab, &first, &last), DGM_OK);
    CHECK_STATUS(parser_lab_parse(&lab->parser, &lab->bank, NULL, 100, parsed), DGM_OK);
}

/* The same words, annotated in two ways, of which none can be right in both. */
TEST(parser_of_two_treebanks_annotates_as_each_of_them)
{
    struct dgm_parsed parsed, swapped;
    struct parser_lab lab;

    learn_contradictions(&lab, parser_lab_shapes[13], &parsed);
    CHECK_INT(right_words(&lab, &parsed), 10);
    for (int32_t s = 0; s < PARSER_SENTENCES; s++)
        lab.bank.origins[s] = 1 - lab.bank.origins[s];
    CHECK_STATUS(parser_lab_parse(&lab.parser, &lab.bank, NULL, 100, &swapped), DGM_OK);
    CHECK_INT(right_words(&lab, &swapped), 0);
    CHECK_MEM(swapped.heads + 1, parsed.heads + 5, 3 * sizeof *parsed.heads);
    CHECK_MEM(swapped.heads + 5, parsed.heads + 1, 3 * sizeof *parsed.heads);
    dgm_parsed_clear(test_env(), &parsed);
    dgm_parsed_clear(test_env(), &swapped);
    parser_lab_close(&lab);
}

TEST(parser_that_tells_no_treebanks_apart_is_wrong_in_one_of_them)
{
    struct dgm_parsed parsed;
    struct parser_lab lab;

    learn_contradictions(&lab, parser_lab_shapes[0], &parsed);
    CHECK(lab.bank.origins == NULL);
    CHECK_MEM(parsed.heads + 1, parsed.heads + 5, 3 * sizeof *parsed.heads);
    CHECK(right_words(&lab, &parsed) <= 5);
    dgm_parsed_clear(test_env(), &parsed);
    parser_lab_close(&lab);
}

/* Word 4 of sentence 3, "day", becomes what the treebank does not have. */
static dgm_status parse_with_word(struct parser_lab *lab, const char *form,
                                  struct dgm_parsed *parsed)
{
    char text[1000], path[1200];
    const char *day = strstr(parser_lab_treebank, "day\tday\tNOUN");

    snprintf(text, sizeof text, "%.*s%s%s", (int)(day - parser_lab_treebank), parser_lab_treebank,
             form, day + 3);
    DGM_TRY(put_treebank(path, "other.conllu", text));
    dgm_treebank_clear(test_env(), &lab->bank);
    DGM_TRY(dgm_treebank_load(test_env(), &lab->bank, &lab->parser.lexicon, path, 6,
                              DGM_MULTI_ROOT_ERROR, NULL));
    return parser_lab_parse(&lab->parser, &lab->bank,
                            &(struct dgm_parse_options){ .prob = DGM_PROB_ROW }, 100, parsed);
}

/* Without pieces all unknown words are one, but for their vectors, which learning leaves alone. */
TEST(parser_knows_unknown_words_by_their_vectors)
{
    struct dgm_parsed night, upper, none_a, none_b;
    uint16_t before[15];
    struct parser_lab lab;
    double first, last;
    size_t rows = sizeof night.prob[0];

    CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[6], parser_lab_none, 1), DGM_OK);
    CHECK_INT(dgm_word_vectors_rows(&lab.parser.lexicon.vectors), 5);
    memcpy(before, lab.parser.lexicon.vectors.numbers, sizeof before);
    CHECK_STATUS(learn(&lab, &first, &last), DGM_OK);
    CHECK_MEM(lab.parser.lexicon.vectors.numbers, before, sizeof before);
    CHECK_STATUS(parse_with_word(&lab, "night", &night), DGM_OK);
    CHECK_STATUS(parse_with_word(&lab, "NIGHT", &upper), DGM_OK);
    CHECK_STATUS(parse_with_word(&lab, "rain", &none_a), DGM_OK);
    CHECK_STATUS(parse_with_word(&lab, "snow", &none_b), DGM_OK);
    rows *= (size_t)lab.bank.rows.offsets[PARSER_SENTENCES];
    CHECK_MEM(upper.prob, night.prob, rows);
    CHECK_MEM(none_a.prob, none_b.prob, rows);
    CHECK(memcmp(night.prob, none_a.prob, rows) != 0);
    dgm_parsed_clear(test_env(), &night);
    dgm_parsed_clear(test_env(), &upper);
    dgm_parsed_clear(test_env(), &none_a);
    dgm_parsed_clear(test_env(), &none_b);
    parser_lab_close(&lab);
}

TEST(parser_without_given_tags_reads_those_of_a_first_pass)
{
    struct parser_lab lab;
    struct dgm_parsed given, found;
    double first, last;
    int32_t rows;

    CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[2],
                                 "dropout = 0\nrecurrent-dropout = 0\n"
                                 "word-dropout = 0.4\n",
                                 1),
                 DGM_OK);
    CHECK_STATUS(learn(&lab, &first, &last), DGM_OK);
    rows = lab.bank.rows.offsets[PARSER_SENTENCES];
    CHECK_STATUS(parser_lab_parse(&lab.parser, &lab.bank, NULL, 100, &given), DGM_OK);
    for (int32_t i = 0; i < rows; i++)
        CHECK_INT(given.tags[i], lab.bank.tags[i]); /* a root has none: -1 */
    for (int32_t i = 0; i < rows; i++)
        lab.bank.tags[i] = i == 1 ? 3 : -1; /* one is given, and stands */
    CHECK_STATUS(parser_lab_parse(&lab.parser, &lab.bank, NULL, 100, &found), DGM_OK);
    CHECK_INT(found.tags[1], 3);
    CHECK_INT(found.tags[0], -1);
    for (int32_t i = 0; i < rows; i++) /* the second pass reads just these */
        lab.bank.tags[i] = found.tags[i];
    dgm_parsed_clear(test_env(), &given);
    CHECK_STATUS(parser_lab_parse(&lab.parser, &lab.bank, NULL, 100, &given), DGM_OK);
    CHECK_MEM(given.heads, found.heads, (size_t)rows * sizeof *given.heads);
    CHECK_MEM(given.labels, found.labels, (size_t)rows * sizeof *given.labels);
    CHECK_MEM(given.tags, found.tags, (size_t)rows * sizeof *given.tags);
    dgm_parsed_clear(test_env(), &given);
    dgm_parsed_clear(test_env(), &found);
    parser_lab_close(&lab);
}

/* ---- independence ---------------------------------------------------------------------------- */

static void check_independence(const char *shape, enum dgm_arc_prob prob)
{
    struct dgm_parse_options options = { .prob = DGM_PROB_NONE, .morphs = DGM_MORPH_ALL };
    struct dgm_parsed want, got;
    struct parser_lab lab;

    options.prob = prob;
    memset(&want, 0, sizeof want);
    for (int threads = 1; threads <= 3; threads++) {
        CHECK_STATUS(parser_lab_open(&lab, shape, parser_lab_none, threads), DGM_OK);
        for (int64_t words = 1; words <= 64; words *= 4) {
            CHECK_STATUS(parser_lab_parse(&lab.parser, &lab.bank, &options, words, &got), DGM_OK);
            if (want.heads == NULL)
                want = got;
            else {
                parser_lab_same(&got, &want, (size_t)lab.bank.rows.offsets[PARSER_SENTENCES]);
                dgm_parsed_clear(test_env(), &got);
            }
        }
        parser_lab_close(&lab);
    }
    dgm_parsed_clear(test_env(), &want);
}

TEST(parser_gives_the_same_bits_for_any_batch_and_any_threads)
{
    for (int i = 0; i < PARSER_SHAPES; i++)
        check_independence(parser_lab_shapes[i], i % 2 != 0 ? DGM_PROB_ROW : DGM_PROB_MARGINAL);
}
