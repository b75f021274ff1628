/*
 * parser_lab.c: a parser of a few numbers, on a treebank of four sentences.
 */
#include "parser_lab.h"

#include <stdio.h>
#include <string.h>

#include "base/option/option.h"
#include "base/option/settings.h"
#include "base/option/settings_file.h"
#include "data/tree/treebank_names.h"
#include "model/parser/parser_vectors.h"
#include "open_device.h"
#include "test.h"
#include "treebank_file.h"

enum { SEED = 5 };

const char parser_lab_treebank[] = "1\tA\ta\tDET\tDT\tDefinite=Ind\t2\tdet\t_\t_\n"
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

const char *const parser_lab_shapes[PARSER_SHAPES] = {
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

/* Of shapes that say so: words of the treebank, and one that it lacks. */
static const char parser_lab_vectors[] =
    "5 3\nhearing 0.5 -1 2\nA 1 0 0.25\ngo 0 1 -0.5\nday -1 1 1\n"
    "night 2 -2 1\n";

const char parser_lab_contradictions[] = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
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
const char parser_lab_dropouts[] =
    "dropout = 0.2\nword-dropout = 0.3\nrecurrent-dropout = 0.2\ntokenizer-dropout = 0.2\n";
const char parser_lab_none[] =
    "dropout = 0\nword-dropout = 0\nrecurrent-dropout = 0\ntokenizer-dropout = 0\n";

const struct dgm_parse_options parser_lab_columns = { .morphs = DGM_MORPH_ALL };

static const int32_t all[PARSER_SENTENCES] = { 0, 1, 2, 3 };

static dgm_status read_vectors(struct dgm_word_vectors *out, const char *shape)
{
    char path[1200];

    if (strstr(shape, "# vectors") == NULL)
        return DGM_OK;
    DGM_TRY(put_treebank(path, "vectors", parser_lab_vectors));
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

dgm_status parser_lab_open_on(struct parser_lab *lab, const char *trees, const char *shape,
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

dgm_status parser_lab_open(struct parser_lab *lab, const char *shape, const char *rates,
                           int threads)
{
    return parser_lab_open_on(lab, parser_lab_treebank, shape, rates, threads);
}

void parser_lab_close(struct parser_lab *lab)
{
    dgm_graph_clear(&lab->graph);
    dgm_parser_step_clear(test_env(), &lab->step);
    dgm_treebank_clear(test_env(), &lab->bank);
    dgm_text_bank_clear(test_env(), &lab->text);
    dgm_parser_clear(test_env(), &lab->parser);
    dgm_device_close(test_env(), lab->device);
}

dgm_status parser_lab_build(struct parser_lab *lab, uint32_t update)
{
    DGM_TRY(dgm_parser_stage(test_env(), &lab->parser, &lab->step, &lab->bank, all,
                             PARSER_SENTENCES, NULL, 1, SEED, update));
    dgm_graph_begin(&lab->graph, 1, SEED, update);
    dgm_parser_loss(&lab->graph, &lab->parser, &lab->step, &lab->losses);
    return lab->graph.status;
}

/* Adds the first column of a loss. */
static dgm_status add_loss(struct parser_lab *lab, const struct dgm_node *node, int64_t cols,
                           double *sum)
{
    dgm_real values[2 * 128];

    if (node == NULL)
        return DGM_OK;
    DGM_TRY(dgm_graph_read(&lab->graph, node, values));
    for (int64_t i = 0; i < dgm_node_rows(node); i++)
        *sum += (double)values[i * cols];
    return DGM_OK;
}

dgm_status parser_lab_run(struct parser_lab *lab, double *loss)
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

dgm_status parser_lab_parse(struct dgm_parser *parser, const struct dgm_treebank *bank,
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

void parser_lab_same(const struct dgm_parsed *a, const struct dgm_parsed *b, size_t rows)
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

dgm_status parser_lab_multiply(struct parser_lab *lab)
{
    static char text[PARSER_COPIES * sizeof parser_lab_treebank];
    char path[1200];

    text[0] = '\0';
    for (int i = 0; i < PARSER_COPIES; i++)
        memcpy(text + (size_t)i * (sizeof parser_lab_treebank - 1), parser_lab_treebank,
               sizeof parser_lab_treebank);
    dgm_treebank_clear(test_env(), &lab->bank);
    DGM_TRY(put_treebank(path, "many.conllu", text));
    DGM_TRY(dgm_treebank_load(test_env(), &lab->bank, &lab->parser.lexicon, path, 6,
                              DGM_MULTI_ROOT_ERROR, NULL));
    share_out(&lab->bank);
    return DGM_OK;
}
