/*
 * test_parser.c: the biaffine parser as a whole, on a treebank of four sentences: its gradients,
 * that it learns, that a parse depends on its sentence alone, and its file.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/option/option.h"
#include "base/option/settings.h"
#include "base/option/settings_file.h"
#include "base/philox.h"
#include "data/tree/treebank_names.h"
#include "decode/parse/parse.h"
#include "model/parser/parser_vectors.h"
#include "open_device.h"
#include "tensor/gguf/gguf_write.h"
#include "test.h"
#include "train/update/optimizer.h"
#include "treebank_file.h"

enum { SEED = 5, ELEMENTS = 12, SENTENCES = 4 };

static const char treebank[] = "1\tA\ta\tDET\tDT\tDefinite=Ind\t2\tdet\t_\t_\n"
                               "2\thearing\thear\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\t_\n"
                               "3\tcame\tcome\tVERB\tVBD\tTense=Past\t0\troot\t_\t_\n"
                               "4\ttoday\ttoday\tADV\t_\t_\t3\tadvmod\t_\t_\n"
                               "5\ton\ton\tADP\tIN\t_\t2\tcase\t_\t_\n" /* crosses 4 -> 3 */
                               "6\t.\t_\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n"
                               "1\tGo\tgo\tVERB\tVB\tMood=Imp\t0\troot\t_\t_\n\n"
                               "1\tthey\tthey\tPRON\tPRP\tNumber=Plur\t2\tnsubj\t_\t_\n"
                               "2\thear\thear\tVERB\tVBP\tTense=Pres\t0\troot\t_\t_\n"
                               "3\ta\ta\tDET\tDT\tDefinite=Ind\t4\tdet\t_\t_\n"
                               "4\tday\tday\tNOUN\tNN\tNumber=Sing\t2\tobj\t_\t_\n\n"
                               "1\tToday\ttoday\tADV\tRB\t_\t2\tadvmod\t_\t_\n"
                               "2\tgo\tgo\tVERB\tVB\tMood=Imp\t0\troot\t_\t_\n\n";

static const char *const shapes[] = {
    "encoder = lstm\npieces = none\nenc-depth = 2\n",
    "encoder = lstm\npieces = chars\nenc-depth = 1\n",
    "encoder = lstm\npieces = subwords\nenc-depth = 1\ntag-input = true\n",
    "encoder = transformer\npieces = subwords\nenc-depth = 2\ntransformer-norm = pre\n",
    ("encoder = transformer\npieces = chars\nenc-depth = 1\ntransformer-norm = post\n"
     "tag-input = true\n"),
    ("encoder = lstm\npieces = none\nenc-depth = 1\ntokenizer = true\n"
     "dim-tokenizer = 6\n"),
    "encoder = lstm\npieces = none\nenc-depth = 1\n# vectors\n",
    "encoder = transformer\npieces = chars\nenc-depth = 1\n# vectors\n",
    "encoder = lstm\npieces = chars\nenc-depth = 1\ncolumns = all\ncolumns-weight = 0.5\n",
    ("encoder = transformer\npieces = none\nenc-depth = 1\ntag-input = true\n"
     "columns = lemma feats\n"),
    ("encoder = lstm\npieces = chars\nenc-depth = 1\ncolumns = all\ncolumns-weight = 0.5\n"
     "# vectors\n"),
    ("encoder = lstm\npieces = chars\nenc-depth = 1\ncolumns = all\n"
     "# vectors\n# treebanks\n"),
    "encoder = transformer\npieces = none\nenc-depth = 2\ntag-input = true\n# treebanks\n",
    "encoder = lstm\npieces = none\nenc-depth = 1\n# treebanks\n",
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Of shapes that say so: words of the treebank, and one that it lacks. */
static const char vectors[] = "5 3\nhearing 0.5 -1 2\nA 1 0 0.25\ngo 0 1 -0.5\nday -1 1 1\n"
                              "night 2 -2 1\n";

/* Heads on the left, in the second treebank on the right; a sentence is a treebank's in turn. */
static const char contradictions[] = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
                                     "2\tb\t_\tX\t_\t_\t1\tleft\t_\t_\n"
                                     "3\tc\t_\tX\t_\t_\t2\tleft\t_\t_\n\n"
                                     "1\ta\t_\tY\t_\t_\t2\tright\t_\t_\n"
                                     "2\tb\t_\tY\t_\t_\t3\tright\t_\t_\n"
                                     "3\tc\t_\tY\t_\t_\t0\troot\t_\t_\n\n"
                                     "1\tc\t_\tX\t_\t_\t0\troot\t_\t_\n"
                                     "2\ta\t_\tX\t_\t_\t1\tleft\t_\t_\n\n"
                                     "1\tc\t_\tY\t_\t_\t2\tright\t_\t_\n"
                                     "2\ta\t_\tY\t_\t_\t0\troot\t_\t_\n\n";

static const char sizes[] =
    "dim-emb = 8\ndim-lstm = 5\ndim-piece = 4\ndim-piece-lstm = 3\ndim-arc = 6\ndim-label = 4\n"
    "dim-tag = 12\ntransformer-heads = 2\ntransformer-dim-ffn = 7\nmax-length = 6\n";
static const char dropouts[] =
    "dropout = 0.2\nword-dropout = 0.3\nrecurrent-dropout = 0.2\ntokenizer-dropout = 0.2\n";
static const char none[] =
    "dropout = 0\nword-dropout = 0\nrecurrent-dropout = 0\ntokenizer-dropout = 0\n";

struct lab {
    struct dgm_device *device;
    struct dgm_parser parser;
    struct dgm_treebank bank;
    struct dgm_text_bank text;
    struct dgm_parser_step step;
    struct dgm_graph graph;
    struct dgm_parser_losses losses;
};

static const int32_t all[SENTENCES] = { 0, 1, 2, 3 };

static dgm_status read_vectors(struct dgm_word_vectors *out, const char *shape)
{
    char path[1200];

    if (strstr(shape, "# vectors") == NULL)
        return DGM_OK;
    DGM_TRY(put_treebank(path, "vectors", vectors));
    return dgm_parser_vectors_read(test_env(), out, path, 9);
}

static dgm_status name_treebanks(struct dgm_vocab *names, const char *shape)
{
    if (strstr(shape, "# treebanks") == NULL)
        return DGM_OK;
    DGM_TRY(dgm_treebank_names_add(test_env(), names, "alpha", "treebanks"));
    return dgm_treebank_names_add(test_env(), names, "beta", "treebanks");
}

/* The sentences of a bank are of both treebanks in turn. */
static void share_out(struct dgm_treebank *bank)
{
    for (int32_t s = 0; bank->origins != NULL && s < bank->rows.count; s++)
        bank->origins[s] = s % 2;
}

/* A parser of a shape, not yet on a device. */
static dgm_status make_parser(struct dgm_parser *parser, const char *shape, const char *rates,
                              const char *path)
{
    static const struct dgm_opt *const tables[] = { dgm_parser_options, NULL };
    struct dgm_env *env = test_env();
    struct dgm_settings settings;
    struct dgm_parser_config config;
    struct dgm_lexicon_options options;
    struct dgm_lexicon lexicon;
    char text[1000];
    dgm_status status;

    snprintf(text, sizeof text, "%s%s%s", shape, sizes, rates);
    memset(&options, 0, sizeof options);
    memset(&lexicon, 0, sizeof lexicon);
    memset(&settings, 0, sizeof settings);
    options.min_count = 1;
    options.merges = 6;
    status = dgm_settings_init(env, &settings, tables);
    if (status == DGM_OK)
        status = dgm_settings_file_parse(env, &settings, text, strlen(text), "test");
    if (status == DGM_OK)
        status = dgm_parser_config_read(env, &config, &settings);
    if (status == DGM_OK) {
        options.kind = config.pieces;
        options.with_text = config.cutter > 0;
        options.morphs = config.morphs;
        options.needed_morphs = config.needed_morphs;
        status = dgm_lexicon_learn(env, &lexicon, &path, 1, &options);
    }
    if (status == DGM_OK)
        status = read_vectors(&lexicon.vectors, shape);
    if (status == DGM_OK)
        status = name_treebanks(&lexicon.treebanks, shape);
    if (status == DGM_OK)
        status = dgm_parser_make(env, parser, &settings, &lexicon);
    dgm_settings_clear(env, &settings);
    return status;
}

static dgm_status open_lab_of(struct lab *lab, const char *trees, const char *shape,
                              const char *rates, int threads)
{
    struct dgm_env *env = test_env();
    char path[1200];

    memset(lab, 0, sizeof *lab);
    DGM_TRY(put_treebank(path, "bank.conllu", trees));
    DGM_TRY(open_device(test_env(), &lab->device, threads));
    DGM_TRY(make_parser(&lab->parser, shape, rates, path));
    DGM_TRY(dgm_net_allocate(env, &lab->parser.net, lab->device, 1));
    DGM_TRY(dgm_params_initialise(env, &lab->parser.net.params, SEED));
    DGM_TRY(dgm_treebank_load(env, &lab->bank, &lab->parser.lexicon, path, 6, DGM_MULTI_ROOT_ERROR,
                              NULL));
    share_out(&lab->bank);
    dgm_parser_step_init(&lab->step, lab->device);
    if (lab->parser.config.cutter > 0) {
        DGM_TRY(dgm_text_bank_load(env, &lab->text, &lab->parser.lexicon.cuts, path, 6,
                                   DGM_MULTI_ROOT_ERROR));
        lab->step.text = &lab->text;
    }
    return dgm_graph_init(env, &lab->graph, lab->device);
}

static dgm_status open_lab(struct lab *lab, const char *shape, const char *rates, int threads)
{
    return open_lab_of(lab, treebank, shape, rates, threads);
}

static void close_lab(struct lab *lab)
{
    dgm_graph_clear(&lab->graph);
    dgm_parser_step_clear(test_env(), &lab->step);
    dgm_treebank_clear(test_env(), &lab->bank);
    dgm_text_bank_clear(test_env(), &lab->text);
    dgm_parser_clear(test_env(), &lab->parser);
    dgm_device_close(test_env(), lab->device);
}

/* Stages all sentences and builds the losses. */
static dgm_status build(struct lab *lab, uint32_t update)
{
    DGM_TRY(dgm_parser_stage(test_env(), &lab->parser, &lab->step, &lab->bank, all, SENTENCES, NULL,
                             1, SEED, update));
    dgm_graph_begin(&lab->graph, 1, SEED, update);
    dgm_parser_loss(&lab->graph, &lab->parser, &lab->step, &lab->losses);
    return lab->graph.status;
}

/* Adds the first column of a loss. */
static dgm_status add_loss(struct lab *lab, const struct dgm_node *node, int64_t cols, double *sum)
{
    dgm_real values[2 * 128];

    if (node == NULL)
        return DGM_OK;
    DGM_TRY(dgm_graph_read(&lab->graph, node, values));
    for (int64_t i = 0; i < dgm_node_rows(node); i++)
        *sum += (double)values[i * cols];
    return DGM_OK;
}

static dgm_status run(struct lab *lab, double *loss)
{
    double morphs = 0;

    *loss = 0;
    DGM_TRY(dgm_graph_run(&lab->graph));
    DGM_TRY(add_loss(lab, lab->losses.arcs, 1, loss));
    DGM_TRY(add_loss(lab, lab->losses.labels, 2, loss));
    DGM_TRY(add_loss(lab, lab->losses.tags, 2, loss));
    for (int m = 0; m < DGM_MORPHS; m++)
        DGM_TRY(add_loss(lab, lab->losses.morphs[m], 2, &morphs));
    *loss += lab->parser.config.morph_weight * morphs;
    return add_loss(lab, lab->losses.cuts, 2, loss);
}

/* ---- gradients ------------------------------------------------------------------------------- */

static dgm_status loss_at(struct lab *lab, struct dgm_ref at, double x, double *loss)
{
    dgm_real value = (dgm_real)x;

    DGM_TRY(dgm_device_write(test_env(), lab->device, at, &value, sizeof value));
    return run(lab, loss);
}

/* The best of three step sizes, for one may cross the kink of a relu. */
static dgm_status slope_error(struct lab *lab, int64_t element, double slope, double *error)
{
    static const double steps[3] = { 1e-5, 1e-6, 1e-4 };
    struct dgm_ref at = { NULL, 0 };
    double up, down, numeric, now;
    dgm_real x;

    at.buffer = lab->parser.net.params.values;
    at.offset = (size_t)element * sizeof x;
    *error = 1e9;
    DGM_TRY(dgm_device_read(test_env(), lab->device, &x, at, sizeof x));
    for (int i = 0; i < 3 && *error > 1e-6; i++) {
        DGM_TRY(loss_at(lab, at, (double)x + steps[i], &up));
        DGM_TRY(loss_at(lab, at, (double)x - steps[i], &down));
        numeric = (up - down) / (2 * steps[i]);
        now = fabs(numeric - slope) / (0.01 + fabs(numeric) + fabs(slope));
        *error = now < *error ? now : *error;
    }
    return dgm_device_write(test_env(), lab->device, at, &x, sizeof x);
}

static void check_param(struct lab *lab, dgm_param_id id, struct dgm_random *random, int *nonzero)
{
    const struct dgm_param *param = &lab->parser.net.params.items[id];
    int64_t count = param->rows * param->cols;
    dgm_real grads[2048];

    CHECK(count <= 2048);
    CHECK_STATUS(dgm_params_read_grad(test_env(), &lab->parser.net.params, id, grads), DGM_OK);
    for (int64_t i = 0; i < ELEMENTS; i++) {
        int64_t e = (int64_t)dgm_random_below(random, (uint32_t)count);
        double error;

        CHECK_STATUS(slope_error(lab, param->offset + e, (double)grads[e], &error), DGM_OK);
        if (!(error < 1e-6))
            CHECK_STR(param->name, "a parameter with the right gradient");
    }
    for (int64_t i = 0; i < count; i++)
        *nonzero |= grads[i] != 0;
}

/* The last norms of a pre-norm Transformer stand in the file of a parser that has no such part. */
static int is_idle(const struct lab *lab, const char *name)
{
    return strncmp(name, "parser.decoder.", 15) == 0 ||
           (lab->parser.config.reader == DGM_READER_LSTM &&
            strncmp(name, "parser.encoder.layer_norm.", 26) == 0);
}

static void check_gradients(const char *shape)
{
    struct lab lab;
    struct dgm_fill_args fill;
    struct dgm_random random;
    double loss;

    if (sizeof(dgm_real) != sizeof(double))
        TEST_SKIP("float build");
    CHECK_STATUS(open_lab(&lab, shape, dropouts, 1), DGM_OK);
    memset(&fill, 0, sizeof fill);
    fill.y.buffer = lab.parser.net.params.grads;
    fill.count = lab.parser.net.params.total;
    CHECK_STATUS(dgm_device_run(test_env(), lab.device, DGM_TASK_fill, &fill), DGM_OK);
    CHECK_STATUS(build(&lab, 3), DGM_OK);
    CHECK_STATUS(run(&lab, &loss), DGM_OK);
    CHECK_STATUS(dgm_graph_backward(&lab.graph), DGM_OK);
    dgm_random_init(&random, 9, 73, 0, 0);
    for (size_t p = 0; p < lab.parser.net.params.count; p++) {
        int nonzero = 0;
        check_param(&lab, (dgm_param_id)p, &random, &nonzero);
        if (!nonzero && !is_idle(&lab, lab.parser.net.params.items[p].name))
            CHECK_STR(lab.parser.net.params.items[p].name, "a parameter that the loss reaches");
    }
    close_lab(&lab);
}

TEST(gradient_of_an_lstm_parser_of_words)
{
    check_gradients(shapes[0]);
}

TEST(gradient_of_an_lstm_parser_of_characters)
{
    check_gradients(shapes[1]);
}

TEST(gradient_of_an_lstm_parser_of_subwords_and_tags)
{
    check_gradients(shapes[2]);
}

TEST(gradient_of_a_pre_norm_transformer_parser_of_subwords)
{
    check_gradients(shapes[3]);
}

TEST(gradient_of_a_post_norm_transformer_parser_of_characters_and_tags)
{
    check_gradients(shapes[4]);
}

TEST(gradient_of_a_parser_that_cuts_text)
{
    check_gradients(shapes[5]);
}

TEST(gradient_of_an_lstm_parser_of_words_with_vectors)
{
    check_gradients(shapes[6]);
}

TEST(gradient_of_a_transformer_parser_of_characters_with_vectors)
{
    check_gradients(shapes[7]);
}

TEST(gradient_of_a_parser_of_characters_with_all_columns)
{
    check_gradients(shapes[8]);
}

TEST(gradient_of_a_parser_of_words_with_features_and_lemmas)
{
    check_gradients(shapes[9]);
}

TEST(gradient_of_a_parser_with_all_columns_and_vectors)
{
    check_gradients(shapes[10]);
}

TEST(gradient_of_a_parser_of_two_treebanks_with_all_columns_and_vectors)
{
    check_gradients(shapes[11]);
}

TEST(gradient_of_a_transformer_parser_of_two_treebanks_with_tags)
{
    check_gradients(shapes[12]);
}

/* ---- learning -------------------------------------------------------------------------------- */

static dgm_status learn(struct lab *lab, double *first, double *last)
{
    struct dgm_optimizer_options options = { 0.9, 0.98, 1e-8, 0, 5, DGM_ADAM, 0 };
    struct dgm_optimizer optimizer;
    struct dgm_env *env = test_env();
    dgm_status status;
    double norm;

    memset(&optimizer, 0, sizeof optimizer);
    status = dgm_optimizer_init(env, &optimizer, &lab->parser.net.params, &options);
    for (int t = 1; t <= 60 && status == DGM_OK; t++) {
        status = dgm_params_zero_grads(env, &lab->parser.net.params);
        if (status == DGM_OK)
            status = build(lab, (uint32_t)t);
        if (status == DGM_OK)
            status = run(lab, t == 1 ? first : last);
        if (status == DGM_OK)
            status = dgm_graph_backward(&lab->graph);
        if (status == DGM_OK)
            status = dgm_optimizer_update(env, &optimizer, t, 0.02, 1.0 / 13, &norm);
    }
    dgm_optimizer_clear(env, &optimizer);
    return status;
}

/* Parses the bank in batches of about `words`; the result is cleared by the caller. */
static dgm_status parse_bank(struct dgm_parser *parser, const struct dgm_treebank *bank,
                             const struct dgm_parse_options *options, int64_t words,
                             struct dgm_parsed *parsed)
{
    struct dgm_parse parse;
    dgm_status status;

    memset(parsed, 0, sizeof *parsed);
    status = dgm_parse_init(test_env(), &parse, parser, options);
    if (status == DGM_OK)
        status = dgm_parse_bank(test_env(), &parse, bank, words, parsed);
    dgm_parse_clear(test_env(), &parse);
    return status;
}

static const struct dgm_parse_options all_columns = { .morphs = DGM_MORPH_ALL };

static void check_columns(const struct lab *lab, const struct dgm_parsed *parsed, int32_t row)
{
    for (int m = 0; m < DGM_MORPHS; m++) {
        CHECK((parsed->morphs[m] != NULL) == (lab->parser.morphs[m].classes > 0));
        if (parsed->morphs[m] != NULL && lab->bank.morphs[m][row] >= 0)
            CHECK_INT(parsed->morphs[m][row], lab->bank.morphs[m][row]);
    }
}

static void check_learning(const char *shape)
{
    struct lab lab;
    struct dgm_parsed parsed;
    double first, last;

    CHECK_STATUS(open_lab(&lab, shape, none, 1), DGM_OK);
    CHECK_INT(lab.bank.rows.count, SENTENCES);
    CHECK_STATUS(learn(&lab, &first, &last), DGM_OK);
    CHECK(last < 0.1 * first);
    CHECK_STATUS(parse_bank(&lab.parser, &lab.bank, &all_columns, 100, &parsed), DGM_OK);
    for (int32_t i = 0; i < lab.bank.rows.offsets[SENTENCES]; i++) {
        CHECK_INT(parsed.heads[i], lab.bank.heads[i]);
        CHECK_INT(parsed.labels[i], lab.bank.labels[i]);
        CHECK_INT(parsed.tags[i], lab.bank.tags[i]);
        check_columns(&lab, &parsed, i);
    }
    dgm_parsed_clear(test_env(), &parsed);
    close_lab(&lab);
}

TEST(parser_learns_its_treebank_by_heart)
{
    for (int i = 0; i < SHAPES; i++)
        check_learning(shapes[i]);
}

/* How many words of the bank have the heads, labels and tags that they are given. */
static int right_words(const struct lab *lab, const struct dgm_parsed *parsed)
{
    int right = 0;

    for (int32_t s = 0; s < SENTENCES; s++)
        for (int32_t i = lab->bank.rows.offsets[s] + 1; i < lab->bank.rows.offsets[s + 1]; i++)
            right += parsed->heads[i] == lab->bank.heads[i] &&
                     parsed->labels[i] == lab->bank.labels[i] &&
                     parsed->tags[i] == lab->bank.tags[i];
    return right;
}

static void learn_contradictions(struct lab *lab, const char *shape, struct dgm_parsed *parsed)
{
    double first, last;

    CHECK_STATUS(open_lab_of(lab, contradictions, shape, none, 1), DGM_OK);
    CHECK_STATUS(learn(lab, &first, &last), DGM_OK);
    CHECK_STATUS(parse_bank(&lab->parser, &lab->bank, NULL, 100, parsed), DGM_OK);
}

/* The same words, annotated in two ways, of which none can be right in both. */
TEST(parser_of_two_treebanks_annotates_as_each_of_them)
{
    struct dgm_parsed parsed, swapped;
    struct lab lab;

    learn_contradictions(&lab, shapes[13], &parsed);
    CHECK_INT(right_words(&lab, &parsed), 10);
    for (int32_t s = 0; s < SENTENCES; s++)
        lab.bank.origins[s] = 1 - lab.bank.origins[s];
    CHECK_STATUS(parse_bank(&lab.parser, &lab.bank, NULL, 100, &swapped), DGM_OK);
    CHECK_INT(right_words(&lab, &swapped), 0);
    CHECK_MEM(swapped.heads + 1, parsed.heads + 5, 3 * sizeof *parsed.heads);
    CHECK_MEM(swapped.heads + 5, parsed.heads + 1, 3 * sizeof *parsed.heads);
    dgm_parsed_clear(test_env(), &parsed);
    dgm_parsed_clear(test_env(), &swapped);
    close_lab(&lab);
}

TEST(parser_that_tells_no_treebanks_apart_is_wrong_in_one_of_them)
{
    struct dgm_parsed parsed;
    struct lab lab;

    learn_contradictions(&lab, shapes[0], &parsed);
    CHECK(lab.bank.origins == NULL);
    CHECK_MEM(parsed.heads + 1, parsed.heads + 5, 3 * sizeof *parsed.heads);
    CHECK(right_words(&lab, &parsed) <= 5);
    dgm_parsed_clear(test_env(), &parsed);
    close_lab(&lab);
}

/* Word 4 of sentence 3, "day", becomes what the treebank does not have. */
static dgm_status parse_with_word(struct lab *lab, const char *form, struct dgm_parsed *parsed)
{
    char text[sizeof treebank + 8], path[1200];
    const char *day = strstr(treebank, "day\tday\tNOUN");

    snprintf(text, sizeof text, "%.*s%s%s", (int)(day - treebank), treebank, form, day + 3);
    DGM_TRY(put_treebank(path, "other.conllu", text));
    dgm_treebank_clear(test_env(), &lab->bank);
    DGM_TRY(dgm_treebank_load(test_env(), &lab->bank, &lab->parser.lexicon, path, 6,
                              DGM_MULTI_ROOT_ERROR, NULL));
    return parse_bank(&lab->parser, &lab->bank, &(struct dgm_parse_options){ .prob = DGM_PROB_ROW },
                      100, parsed);
}

/* Without pieces all unknown words are one, but for their vectors, which learning leaves alone. */
TEST(parser_knows_unknown_words_by_their_vectors)
{
    struct dgm_parsed night, upper, none_a, none_b;
    uint16_t before[15];
    struct lab lab;
    double first, last;
    size_t rows = sizeof night.prob[0];

    CHECK_STATUS(open_lab(&lab, shapes[6], none, 1), DGM_OK);
    CHECK_INT(dgm_word_vectors_rows(&lab.parser.lexicon.vectors), 5);
    memcpy(before, lab.parser.lexicon.vectors.numbers, sizeof before);
    CHECK_STATUS(learn(&lab, &first, &last), DGM_OK);
    CHECK_MEM(lab.parser.lexicon.vectors.numbers, before, sizeof before);
    CHECK_STATUS(parse_with_word(&lab, "night", &night), DGM_OK);
    CHECK_STATUS(parse_with_word(&lab, "NIGHT", &upper), DGM_OK);
    CHECK_STATUS(parse_with_word(&lab, "rain", &none_a), DGM_OK);
    CHECK_STATUS(parse_with_word(&lab, "snow", &none_b), DGM_OK);
    rows *= (size_t)lab.bank.rows.offsets[SENTENCES];
    CHECK_MEM(upper.prob, night.prob, rows);
    CHECK_MEM(none_a.prob, none_b.prob, rows);
    CHECK(memcmp(night.prob, none_a.prob, rows) != 0);
    dgm_parsed_clear(test_env(), &night);
    dgm_parsed_clear(test_env(), &upper);
    dgm_parsed_clear(test_env(), &none_a);
    dgm_parsed_clear(test_env(), &none_b);
    close_lab(&lab);
}

TEST(parser_without_given_tags_reads_those_of_a_first_pass)
{
    struct lab lab;
    struct dgm_parsed given, found;
    double first, last;
    int32_t rows;

    CHECK_STATUS(open_lab(&lab, shapes[2],
                          "dropout = 0\nrecurrent-dropout = 0\n"
                          "word-dropout = 0.4\n",
                          1),
                 DGM_OK);
    CHECK_STATUS(learn(&lab, &first, &last), DGM_OK);
    rows = lab.bank.rows.offsets[SENTENCES];
    CHECK_STATUS(parse_bank(&lab.parser, &lab.bank, NULL, 100, &given), DGM_OK);
    for (int32_t i = 0; i < rows; i++)
        CHECK_INT(given.tags[i], lab.bank.tags[i]); /* a root has none: -1 */
    for (int32_t i = 0; i < rows; i++)
        lab.bank.tags[i] = i == 1 ? 3 : -1; /* one is given, and stands */
    CHECK_STATUS(parse_bank(&lab.parser, &lab.bank, NULL, 100, &found), DGM_OK);
    CHECK_INT(found.tags[1], 3);
    CHECK_INT(found.tags[0], -1);
    for (int32_t i = 0; i < rows; i++) /* the second pass reads just these */
        lab.bank.tags[i] = found.tags[i];
    dgm_parsed_clear(test_env(), &given);
    CHECK_STATUS(parse_bank(&lab.parser, &lab.bank, NULL, 100, &given), DGM_OK);
    CHECK_MEM(given.heads, found.heads, (size_t)rows * sizeof *given.heads);
    CHECK_MEM(given.labels, found.labels, (size_t)rows * sizeof *given.labels);
    CHECK_MEM(given.tags, found.tags, (size_t)rows * sizeof *given.tags);
    dgm_parsed_clear(test_env(), &given);
    dgm_parsed_clear(test_env(), &found);
    close_lab(&lab);
}

/* ---- independence ---------------------------------------------------------------------------- */

static void check_same(const struct dgm_parsed *a, const struct dgm_parsed *b, size_t rows)
{
    CHECK_MEM(a->heads, b->heads, rows * sizeof *a->heads);
    CHECK_MEM(a->labels, b->labels, rows * sizeof *a->labels);
    CHECK_MEM(a->tags, b->tags, rows * sizeof *a->tags);
    CHECK_MEM(a->prob, b->prob, rows * sizeof *a->prob);
    for (int m = 0; m < DGM_MORPHS; m++) {
        CHECK((a->morphs[m] != NULL) == (b->morphs[m] != NULL));
        if (a->morphs[m] != NULL)
            CHECK_MEM(a->morphs[m], b->morphs[m], rows * sizeof *a->morphs[m]);
    }
}

static void check_independence(const char *shape, enum dgm_arc_prob prob)
{
    struct dgm_parse_options options = { .prob = DGM_PROB_NONE, .morphs = DGM_MORPH_ALL };
    struct dgm_parsed want, got;
    struct lab lab;

    options.prob = prob;
    memset(&want, 0, sizeof want);
    for (int threads = 1; threads <= 3; threads++) {
        CHECK_STATUS(open_lab(&lab, shape, none, threads), DGM_OK);
        for (int64_t words = 1; words <= 64; words *= 4) {
            CHECK_STATUS(parse_bank(&lab.parser, &lab.bank, &options, words, &got), DGM_OK);
            if (want.heads == NULL)
                want = got;
            else {
                check_same(&got, &want, (size_t)lab.bank.rows.offsets[SENTENCES]);
                dgm_parsed_clear(test_env(), &got);
            }
        }
        close_lab(&lab);
    }
    dgm_parsed_clear(test_env(), &want);
}

TEST(parser_gives_the_same_bits_for_any_batch_and_any_threads)
{
    for (int i = 0; i < SHAPES; i++)
        check_independence(shapes[i], i % 2 != 0 ? DGM_PROB_ROW : DGM_PROB_MARGINAL);
}

/* ---- threads that parse whole batches -------------------------------------------------------- */

enum { COPIES = 120 };

/* The bank becomes its sentences again and again: words enough for several threads. */
static dgm_status multiply_bank(struct lab *lab)
{
    static char text[COPIES * sizeof treebank];
    char path[1200];

    text[0] = '\0';
    for (int i = 0; i < COPIES; i++)
        memcpy(text + (size_t)i * (sizeof treebank - 1), treebank, sizeof treebank);
    dgm_treebank_clear(test_env(), &lab->bank);
    DGM_TRY(put_treebank(path, "many.conllu", text));
    DGM_TRY(dgm_treebank_load(test_env(), &lab->bank, &lab->parser.lexicon, path, 6,
                              DGM_MULTI_ROOT_ERROR, NULL));
    share_out(&lab->bank);
    return DGM_OK;
}

static void check_bank_of_threads(const char *shape, int threads, struct dgm_parsed *want)
{
    struct dgm_parse_options options = { .prob = DGM_PROB_ROW, .morphs = DGM_MORPH_ALL };
    struct dgm_parse parse;
    struct dgm_parsed got;
    struct lab lab;

    memset(&got, 0, sizeof got);
    CHECK_STATUS(open_lab(&lab, shape, none, threads), DGM_OK);
    CHECK_STATUS(multiply_bank(&lab), DGM_OK);
    CHECK_INT(lab.bank.rows.count, COPIES * SENTENCES);
    CHECK_STATUS(dgm_parse_init(test_env(), &parse, &lab.parser, &options), DGM_OK);
    CHECK_STATUS(dgm_parse_bank(test_env(), &parse, &lab.bank, 1500, &got), DGM_OK);
    CHECK_INT(parse.other_count, lab.device->threads > 1 ? threads - 1 : 0);
    dgm_parse_clear(test_env(), &parse);
    if (threads == 1) {
        *want = got;
    } else {
        check_same(&got, want, (size_t)lab.bank.rows.offsets[lab.bank.rows.count]);
        dgm_parsed_clear(test_env(), &got);
    }
    close_lab(&lab);
}

TEST(parser_gives_the_same_bits_where_threads_parse_whole_batches)
{
    struct dgm_parsed want;

    for (int i = 0; i < SHAPES; i++) {
        for (int threads = 1; threads <= 3; threads++)
            check_bank_of_threads(shapes[i], threads, &want);
        dgm_parsed_clear(test_env(), &want);
    }
}

static dgm_status stop_at_once(struct dgm_env *env, void *user)
{
    (void)user;
    return dgm_fail(env, DGM_INTERRUPTED, "stopped");
}

TEST(parser_stops_all_threads)
{
    struct dgm_env *env = test_env();
    struct dgm_parsed parsed;
    struct dgm_parse parse;
    struct lab lab;

    memset(&parsed, 0, sizeof parsed);
    CHECK_STATUS(open_lab(&lab, shapes[0], none, 2), DGM_OK);
    CHECK_STATUS(multiply_bank(&lab), DGM_OK);
    CHECK_STATUS(dgm_parse_init(env, &parse, &lab.parser, NULL), DGM_OK);
    env->poll = stop_at_once;
    CHECK_STATUS(dgm_parse_bank(env, &parse, &lab.bank, 400, &parsed), DGM_INTERRUPTED);
    CHECK(env->poll == stop_at_once);
    env->poll = NULL;
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_parse_bank(env, &parse, &lab.bank, 400, &parsed), DGM_OK);
    dgm_parse_clear(env, &parse);
    dgm_parsed_clear(env, &parsed);
    close_lab(&lab);
}

/* ---- probabilities --------------------------------------------------------------------------- */

static void count_warning(void *user, dgm_level level, const char *text)
{
    if (level == DGM_LOG_WARNING && strstr(text, "marginals") != NULL)
        ++*(int *)user;
}

/* Arc scores of thousands of nats. */
static dgm_status exaggerate(struct dgm_parser *parser)
{
    dgm_real values[36];

    DGM_TRY(dgm_params_read(test_env(), &parser->net.params, parser->arc_form.weight, values));
    for (int i = 0; i < 36; i++)
        values[i] *= (dgm_real)1e6;
    return dgm_params_write(test_env(), &parser->net.params, parser->arc_form.weight, values);
}

/* Parses the first sentence with random huge scores both ways; returns the warnings in *told. */
static void check_fall_back(struct lab *lab, uint64_t seed, int *told)
{
    struct dgm_parse_options options = { .prob = DGM_PROB_ROW };
    struct dgm_env *env = test_env();
    struct dgm_parsed rows, marginals;

    CHECK_STATUS(dgm_params_initialise(env, &lab->parser.net.params, seed), DGM_OK);
    CHECK_STATUS(exaggerate(&lab->parser), DGM_OK);
    CHECK_STATUS(parse_bank(&lab->parser, &lab->bank, &options, 1, &rows), DGM_OK);
    options.prob = DGM_PROB_MARGINAL;
    env->log = count_warning;
    env->log_user = told;
    env->log_level = DGM_LOG_WARNING;
    CHECK_STATUS(parse_bank(&lab->parser, &lab->bank, &options, 1, &marginals), DGM_OK);
    env->log = NULL;
    CHECK_STATUS(env->error.status, DGM_OK);
    CHECK_MEM(marginals.heads, rows.heads, 7 * sizeof *rows.heads);
    for (int32_t i = 1; i <= 6 && *told > 0; i++)
        CHECK_NEAR(marginals.prob[i], rows.prob[i], 0);
    dgm_parsed_clear(env, &rows);
    dgm_parsed_clear(env, &marginals);
}

TEST(parser_falls_back_to_rows_where_doubles_cannot_hold_marginals)
{
    struct lab lab;
    int told = 0;

    CHECK_STATUS(open_lab(&lab, shapes[0], none, 1), DGM_OK);
    lab.bank.rows.count = 1;
    for (uint64_t seed = 1; seed < 40 && told == 0; seed++)
        check_fall_back(&lab, seed, &told);
    CHECK_INT(told, 1);
    close_lab(&lab);
}

/* Arcs are too sure in the first batch of whichever thread: the caller's thread says so, once. */
TEST(parser_warns_once_where_threads_lack_marginals)
{
    struct dgm_parse_options options = { .prob = DGM_PROB_MARGINAL };
    struct dgm_env *env = test_env();
    struct dgm_parsed parsed;
    struct lab lab;
    int told = 0;

    for (uint64_t seed = 1; seed < 40 && told == 0; seed++) {
        CHECK_STATUS(open_lab(&lab, shapes[0], none, 2), DGM_OK);
        CHECK_STATUS(multiply_bank(&lab), DGM_OK);
        CHECK_STATUS(dgm_params_initialise(env, &lab.parser.net.params, seed), DGM_OK);
        CHECK_STATUS(exaggerate(&lab.parser), DGM_OK);
        env->log = count_warning;
        env->log_user = &told;
        env->log_level = DGM_LOG_WARNING;
        CHECK_STATUS(parse_bank(&lab.parser, &lab.bank, &options, 1500, &parsed), DGM_OK);
        env->log = NULL;
        dgm_parsed_clear(env, &parsed);
        close_lab(&lab);
    }
    CHECK_INT(told, 1);
}

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
        status = dgm_parser_from_gguf(test_env(), parser, &file, device, DGM_COMPUTE_F32);
    dgm_gguf_clear(test_env(), &file);
    return status;
}

TEST(parser_saved_and_loaded_parses_the_same)
{
    struct dgm_parse_options options = {
        .projective = 1, .prob = DGM_PROB_ROW, .morphs = DGM_MORPH_ALL
    };

    for (int i = 0; i < SHAPES; i++) {
        struct dgm_parsed before, after;
        struct dgm_parser parser;
        struct dgm_buf bytes;
        struct lab lab;

        CHECK_STATUS(open_lab(&lab, shapes[i], none, 1), DGM_OK);
        CHECK_STATUS(parse_bank(&lab.parser, &lab.bank, &options, 9, &before), DGM_OK);
        CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
        CHECK_STATUS(load(&parser, &bytes, lab.device), DGM_OK);
        CHECK_STATUS(parse_bank(&parser, &lab.bank, &options, 9, &after), DGM_OK);
        check_same(&before, &after, (size_t)lab.bank.rows.offsets[SENTENCES]);
        dgm_parsed_clear(test_env(), &before);
        dgm_parsed_clear(test_env(), &after);
        dgm_parser_clear(test_env(), &parser);
        dgm_buf_clear(test_env(), &bytes);
        close_lab(&lab);
    }
}

/* Every `from` in the file becomes `to`, which is as long; the message holds `text`. */
static void check_damage(const struct lab *lab, const struct dgm_buf *bytes, const char *from,
                         const char *to, const char *text)
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
    struct lab lab;

    CHECK_STATUS(open_lab(&lab, shapes[2], none, 1), DGM_OK);
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
    close_lab(&lab);
}

TEST(parser_file_whose_cutter_is_wrong_is_refused)
{
    struct dgm_buf bytes;
    struct lab lab;

    CHECK_STATUS(open_lab(&lab, shapes[5], none, 1), DGM_OK);
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
    close_lab(&lab);
}

TEST(parser_file_whose_vectors_are_wrong_is_refused)
{
    static const char key[] = "dragoman.parser.vectors";
    struct dgm_buf bytes;
    struct lab lab;

    CHECK_STATUS(open_lab(&lab, shapes[6], none, 1), DGM_OK);
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
    close_lab(&lab);
}

TEST(parser_file_whose_treebanks_are_wrong_is_refused)
{
    static const char key[] = "dragoman.parser.treebanks";
    struct dgm_parser parser;
    struct dgm_buf bytes;
    struct lab lab;

    CHECK_STATUS(open_lab(&lab, shapes[13], none, 1), DGM_OK);
    CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
    CHECK_STATUS(load(&parser, &bytes, lab.device), DGM_OK);
    CHECK(dgm_treebank_names_equal(&parser.lexicon.treebanks, &lab.parser.lexicon.treebanks));
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
    close_lab(&lab);
}

TEST(parser_file_whose_columns_are_wrong_is_refused)
{
    struct dgm_parser parser;
    struct dgm_buf bytes;
    struct lab lab;

    CHECK_STATUS(open_lab(&lab, shapes[9], none, 1), DGM_OK);
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
    close_lab(&lab);
    CHECK_STATUS(open_lab(&lab, shapes[8], none, 1), DGM_OK);
    dgm_vocab_clear(test_env(), &lab.parser.lexicon.morphs[DGM_MORPH_LEMMA]);
    CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
    CHECK_STATUS(load(&parser, &bytes, lab.device), DGM_OK);
    CHECK_INT(dgm_parser_morphs(&parser), 1 << DGM_MORPH_XPOS | 1 << DGM_MORPH_FEATS);
    dgm_parser_clear(test_env(), &parser);
    dgm_buf_clear(test_env(), &bytes);
    close_lab(&lab);
}

/* A script that wins and does not fit leaves its place to the best one that does; scripts that the
 * treebank has for a form with its tag win over others. */
TEST(parser_makes_lemmas_of_scripts_that_fit)
{
    struct dgm_vocab *scripts;
    struct dgm_parsed parsed;
    struct lab lab;
    dgm_real bias[16] = { 0 };
    int32_t too_long, keeps;

    CHECK_STATUS(open_lab(&lab, shapes[8], none, 1), DGM_OK);
    scripts = &lab.parser.lexicon.morphs[DGM_MORPH_LEMMA];
    too_long = dgm_lexicon_class(scripts, "l0||---"); /* hearing -> hear */
    keeps = dgm_lexicon_class(scripts, "l0||");
    CHECK(too_long >= 0 && keeps >= 0 && dgm_lexicon_classes(scripts) <= 16);
    bias[too_long] = 1000;
    bias[keeps] = 500;
    CHECK_STATUS(dgm_params_write(test_env(), &lab.parser.net.params,
                                  lab.parser.morphs[DGM_MORPH_LEMMA].output.bias, bias),
                 DGM_OK);
    CHECK_STATUS(parse_bank(&lab.parser, &lab.bank, &all_columns, 100, &parsed), DGM_OK);
    for (int32_t i = 0; i < lab.bank.rows.offsets[SENTENCES]; i++)
        if (lab.bank.morphs[DGM_MORPH_LEMMA][i] >= 0)
            CHECK_INT(parsed.morphs[DGM_MORPH_LEMMA][i], lab.bank.morphs[DGM_MORPH_LEMMA][i]);
    dgm_parsed_clear(test_env(), &parsed);
    dgm_lemma_book_clear(test_env(), &lab.parser.lexicon.lemmas);
    CHECK_STATUS(parse_bank(&lab.parser, &lab.bank, &all_columns, 100, &parsed), DGM_OK);
    CHECK_INT(parsed.morphs[DGM_MORPH_LEMMA][0], -1);       /* the root */
    CHECK_INT(parsed.morphs[DGM_MORPH_LEMMA][1], keeps);    /* A */
    CHECK_INT(parsed.morphs[DGM_MORPH_LEMMA][2], too_long); /* hearing */
    CHECK_INT(parsed.morphs[DGM_MORPH_LEMMA][6], keeps);    /* . */
    dgm_parsed_clear(test_env(), &parsed);
    close_lab(&lab);
}

TEST(parser_file_without_labels_is_refused)
{
    struct dgm_env *env = test_env();
    struct dgm_parser parser;
    struct dgm_map empty;
    struct dgm_buf bytes;
    struct lab lab;

    memset(&empty, 0, sizeof empty);
    CHECK_STATUS(open_lab(&lab, shapes[0], none, 1), DGM_OK);
    dgm_vocab_clear(env, &lab.parser.lexicon.labels);
    CHECK_STATUS(dgm_vocab_build(env, &lab.parser.lexicon.labels, &empty, 0, 1), DGM_OK);
    CHECK_STATUS(save(&lab.parser, &bytes), DGM_OK);
    CHECK_STATUS(load(&parser, &bytes, lab.device), DGM_MODEL);
    CHECK(strstr(env->error.message, "labels holds no names") != NULL);
    dgm_env_clear_error(env);
    dgm_buf_clear(env, &bytes);
    close_lab(&lab);
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(parser_without_memory_fails_and_leaves_nothing)
{
    struct dgm_env *env = test_env();
    struct dgm_buf bytes;
    struct lab lab;
    dgm_status status = DGM_MEMORY;
    long n = 0;

    CHECK_STATUS(open_lab(&lab, shapes[10], none, 1), DGM_OK);
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
            status = parse_bank(&parser, &lab.bank, &all_columns, 9, &parsed);
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
    close_lab(&lab);
}
