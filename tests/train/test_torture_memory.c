/*
 * test_torture_memory.c: memory runs out, once or for ever, at any allocation of each long call of
 * the public interface: DGM_MEMORY, nothing is lost or leaked, and the same call works afterwards
 * with the same result (reliability.md, R05).
 */
#include <dragoman.h>

#include "base/hash.h"
#include "torture_case.h"

/* ---- operations ------------------------------------------------------------------------------ */

/* What a call gave: a number that other results do not give. */
static struct dgm_hash result;

static dgm_status keep(void *user, const char *text, size_t bytes)
{
    (void)user;
    dgm_hash_add(&result, text, bytes);
    return DGM_OK;
}

static dgm_status run_train(dgm_context *context)
{
    static char sets[2500], valid[2500], model[1200], trees[1200];
    static const char *const names[] = { "train-sets",  "valid-sets",        "model",
                                         "train-trees", "valid-trees",       "syntax",
                                         "dim-emb",     "transformer-heads", "transformer-dim-ffn",
                                         "enc-depth",   "dec-depth",         "tokenize",
                                         "bpe-merges",  "batch-tokens",      "after",
                                         "save-freq",   "valid-freq",        "lr",
                                         "max-length" };
    const char *values[] = { sets, valid,  model, trees, trees, "deps-san", "16", "2",    "24", "1",
                             "1",  "none", "5",   "60",  "4u",  "2u",       "2u", "0.01", "20" };
    dgm_train_options options;
    char path[2][1200];

    snprintf(sets, sizeof sets, "%s %s", in_dir(path[0], "toy.src"), in_dir(path[1], "toy.trg"));
    snprintf(valid, sizeof valid, "%s", sets);
    in_dir(model, "run/m");
    in_dir(trees, "toy.conllu");
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.names = names;
    options.values = values;
    options.count = sizeof names / sizeof names[0];
    return dgm_train(context, &options);
}

static dgm_status run_train_parser(dgm_context *context)
{
    static char trees[1200], model[1200];
    static const char *const names[] = { "train-sets", "valid-sets",        "model",
                                         "dim-emb",    "transformer-heads", "transformer-dim-ffn",
                                         "enc-depth",  "dim-piece",         "dim-piece-lstm",
                                         "dim-lstm",   "dim-arc",           "dim-label",
                                         "dim-tag",    "batch-tokens",      "after",
                                         "save-freq",  "valid-freq",        "lr" };
    const char *values[] = { trees, trees, model, "16", "2",  "24", "1",  "8",  "8",
                             "12",  "16",  "8",   "8",  "60", "4u", "2u", "2u", "0.01" };
    dgm_train_options options;

    in_dir(model, "run/p");
    in_dir(trees, "toy.conllu");
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.names = names;
    options.values = values;
    options.count = sizeof names / sizeof names[0];
    return dgm_train_parser(context, &options);
}

static dgm_status hash_lines(dgm_translator *translator, size_t lines)
{
    size_t i, bytes;
    const char *text;
    double score;

    for (i = 0; i < lines; i++) {
        DGM_TRY(dgm_translator_result(translator, i, 0, &text, &bytes, &score, NULL));
        dgm_hash_add(&result, text, bytes);
        dgm_hash_add(&result, &score, sizeof score);
    }
    return DGM_OK;
}

static dgm_status run_translate(dgm_context *context)
{
    static char path[1200];
    const char *models[1];
    dgm_translator_options options;
    dgm_translator *translator = NULL;
    size_t lines = 0;
    dgm_status status;

    models[0] = in_dir(path, "half/m");
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.models = models;
    options.model_count = 1;
    options.attention = 1;
    options.no_trees = 1;
    status = dgm_translator_new(context, &options, &translator);
    if (status == DGM_OK)
        status = dgm_translator_add(translator, "w1 w2 w3", 8);
    if (status == DGM_OK)
        status = dgm_translator_add(translator, "w4 w5 nothing w6", 16);
    if (status == DGM_OK)
        status = dgm_translator_run(translator, &lines);
    if (status == DGM_OK)
        status = hash_lines(translator, lines);
    dgm_translator_free(translator);
    return status;
}

static dgm_status run_parse(dgm_context *context)
{
    static char path[1200];
    dgm_annotator_options options;
    dgm_annotator *annotator = NULL;
    const char *out;
    size_t bytes;
    dgm_status status;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.model = in_dir(path, "half/p");
    options.input = "tokens";
    status = dgm_annotator_new(context, &options, &annotator);
    if (status == DGM_OK)
        status = dgm_annotator_line(annotator, "w1 w2 w3 w4", 11, &out, &bytes);
    if (status == DGM_OK)
        dgm_hash_add(&result, out, bytes);
    if (status == DGM_OK)
        status = dgm_annotator_file(annotator, in_dir(path, "toy.src"), keep, NULL);
    dgm_annotator_free(annotator);
    return status;
}

static dgm_status run_learn(dgm_context *context)
{
    dgm_words *words = NULL;
    char path[1200];
    dgm_status status = dgm_words_new(context, &words);

    if (status == DGM_OK)
        status = dgm_words_read(words, in_dir(path, "toy.src"));
    if (status == DGM_OK)
        status = dgm_words_learn(words, NULL, keep, NULL);
    if (status == DGM_OK)
        status = dgm_words_write_counts(words, keep, NULL);
    dgm_words_free(words);
    return status;
}

static dgm_status run_score(dgm_context *context)
{
    dgm_scorer *scorer = NULL;
    char path[2][1200];
    const char *reference = in_dir(path[0], "toy.trg");
    double value = 0;
    dgm_status status = dgm_scorer_new(context, NULL, &scorer);

    if (status == DGM_OK)
        status =
            dgm_scorer_add_files(&scorer, 1, in_dir(path[1], "toy.trg"), &reference, 1, NULL, NULL);
    if (status == DGM_OK)
        status = dgm_scorer_value(scorer, &value, NULL);
    dgm_hash_add(&result, &value, sizeof value);
    dgm_scorer_free(scorer);
    return status;
}

static dgm_status run_trees(dgm_context *context)
{
    char path[1200];

    DGM_TRY(dgm_convert_trees(context, in_dir(path, "toy.conllu"), NULL, keep, NULL));
    return dgm_draw_trees(context, path, NULL, keep, NULL);
}

static dgm_status run_inspect(dgm_context *context)
{
    char path[2][1200];
    const char *one = in_dir(path[0], "half/m");

    DGM_TRY(dgm_average(context, &one, 1, in_dir(path[1], "run/mean")));
    return dgm_inspect(context, path[1], NULL, keep, NULL);
}

typedef dgm_status operation(dgm_context *context);

/* ---- the walk -------------------------------------------------------------------------------- */

/* What the call wrote, when it was to write a model: part of its result. */
static void hash_model(const char *name)
{
    struct dgm_buf bytes = { NULL, 0, 0, 0 };

    if (exists(name) && read_model(&bytes, name) == DGM_OK)
        dgm_hash_add(&result, bytes.data, bytes.size);
    dgm_buf_clear(test_env(), &bytes);
}

static dgm_status new_context(dgm_context **context)
{
    dgm_context_options options;

    *context = NULL;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.allocator = &test_env()->memory;
    options.threads = 2;
    options.isa = "c";
    return dgm_context_new(&options, context);
}

/* The call in a context of its own, and again if the memory failed it: *value is what it gave. */
static dgm_status call(operation *run, int again, uint64_t *value)
{
    dgm_context *context;
    dgm_status status;

    dgm_hash_init(&result, 0);
    status = new_context(&context);
    if (status == DGM_OK)
        status = run(context);
    if (status == DGM_MEMORY && context != NULL && again) {
        const dgm_error *error = dgm_context_error(context);
        if (error->status != DGM_MEMORY || error->message[0] == '\0')
            status = DGM_FAILURE;
        test_env_fail_at(0);
        dgm_context_clear(context);
        dgm_hash_init(&result, 0);
        if (status == DGM_MEMORY)
            status = run(context);
    }
    if (status != DGM_OK && context != NULL)
        printf("    %s: %s\n", dgm_context_error(context)->file,
               dgm_context_error(context)->message);
    test_env_fail_at(0);
    dgm_context_free(context);
    hash_model("run/m");
    hash_model("run/p");
    *value = dgm_hash_value(&result);
    return status;
}

static void fail_at(operation *run, long n, int once, uint64_t want)
{
    uint64_t value;
    dgm_status status;

    CHECK(begin_folder("run"));
    if (once)
        test_env_fail_once(test_allocations() + n);
    else
        test_env_fail_at(test_allocations() + n);
    status = call(run, 1, &value);
    CHECK_INT(test_live_blocks(), 0);
    if (status == DGM_MEMORY) /* there was not even a context */
        return;
    CHECK_STATUS(status, DGM_OK);
    CHECK(value == want);
}

static void walk(operation *run, long few)
{
    long before, all, points, i;
    uint64_t want;
    int once;

    CHECK(begin_folder("run"));
    before = test_allocations();
    CHECK_STATUS(call(run, 0, &want), DGM_OK);
    CHECK_INT(test_live_blocks(), 0);
    all = test_allocations() - before;
    points = test_points(all, few);
    for (once = 0; once < 2; once++)
        for (i = 0; i < points && !test_has_failed(); i++) {
            long n = test_point(i, points, all);
            fail_at(run, n, once, want);
            if (test_has_failed())
                printf("    while allocation %ld of %ld%s failed\n", n, all,
                       once ? "" : " and all later ones");
        }
    printf("%ld of %ld allocations, once and for ever\n", points, all);
}

/* A model and a parser to be used. */
static int prepare(void)
{
    char from[1200], to[1200];
    uint64_t value;

    if (!write_corpus() || !begin_folder("run") || !begin_folder("half") ||
        call(run_train, 0, &value) != DGM_OK || call(run_train_parser, 0, &value) != DGM_OK)
        return 0;
    return rename(in_dir(from, "run/m"), in_dir(to, "half/m")) == 0 &&
           rename(in_dir(from, "run/p"), in_dir(to, "half/p")) == 0;
}

/* `few`: how many allocations to fail in `make check`: all of them where the call is quick. */
#define WALK(operation, few)                 \
    do {                                     \
        if (is_double())                     \
            TEST_SKIP("models hold floats"); \
        CHECK(prepare());                    \
        walk(operation, few);                \
    } while (0)

TEST(torture_memory_of_training)
{
    WALK(run_train, 30);
}

TEST(torture_memory_of_training_a_parser)
{
    WALK(run_train_parser, 30);
}

TEST(torture_memory_of_translating)
{
    WALK(run_translate, 1000);
}

TEST(torture_memory_of_parsing)
{
    WALK(run_parse, 1000);
}

TEST(torture_memory_of_learning_codes)
{
    WALK(run_learn, 1000);
}

TEST(torture_memory_of_scoring)
{
    WALK(run_score, 1000);
}

TEST(torture_memory_of_trees)
{
    WALK(run_trees, 1000);
}

TEST(torture_memory_of_averaging_and_inspecting)
{
    WALK(run_inspect, 1000);
}
