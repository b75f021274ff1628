/*
 * test_shared.c: models that are loaded once for several translators and rescorers: what they give
 * is what those with a copy of their own give, and wrong use costs an error.
 */
#include <dragoman.h>

#include <pthread.h>

#include "training_case.h"

static dgm_status new_context(dgm_context **context, const char *isa)
{
    dgm_context_options options;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.allocator = &test_env()->memory;
    options.threads = 1;
    options.isa = isa;
    return dgm_context_new(&options, context);
}

static dgm_translator_options options_of(dgm_model *const *shared, size_t count)
{
    dgm_translator_options options;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.shared = shared;
    options.shared_count = count;
    options.beam = 2;
    return options;
}

/* Translations of five lines, one below another, as a translator gives them; then it is freed. */
static dgm_status translate(dgm_translator *translator, char out[400])
{
    static const char *const source[] = { "w1 w2 w3", "", "w4", "w5 w6 w7 w1", "w8 w0" };
    dgm_status status = DGM_OK;
    size_t lines = 0, count, i;

    out[0] = '\0';
    for (i = 0; i < 5 && status == DGM_OK; i++)
        status = dgm_translator_add(translator, source[i], strlen(source[i]));
    if (status == DGM_OK)
        status = dgm_translator_run(translator, &lines);
    for (i = 0; i < lines && status == DGM_OK; i++) {
        const char *text = "";
        double score = 0;
        const size_t used = strlen(out);

        status = dgm_translator_count(translator, i, &count);
        if (status == DGM_OK && count > 0)
            status = dgm_translator_result(translator, i, 0, &text, NULL, &score, NULL);
        snprintf(out + used, 400 - used, "%s %.6f\n", text, score);
    }
    dgm_translator_free(translator);
    return status;
}

/* By a translator that loads the file itself. */
static dgm_status translate_alone(const char *name, char out[400])
{
    dgm_context *context;
    dgm_translator *translator;
    dgm_translator_options options = options_of(NULL, 0);
    char path[1200];
    const char *models[1] = { in_dir(path, name) };
    dgm_status status;

    options.models = models;
    options.model_count = 1;
    DGM_TRY(new_context(&context, NULL));
    status = dgm_translator_new(context, &options, &translator);
    if (status == DGM_OK)
        status = translate(translator, out);
    dgm_context_free(context);
    return status;
}

static void read_bytes(struct dgm_buf *bytes, const char *name)
{
    memset(bytes, 0, sizeof *bytes);
    CHECK_STATUS(read_model(bytes, name), DGM_OK);
}

/* ---- the same as a copy of one's own --------------------------------------------------------- */

TEST(api_shared_model_translates_like_its_file)
{
    char alone[400], shared[400], path[1200];
    dgm_context *context;
    dgm_model *model;
    dgm_translator *one, *other;
    dgm_translator_options options;

    CHECK(write_corpus());
    CHECK_STATUS(train("m", NULL, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(translate_alone("m", alone), DGM_OK);
    CHECK(strlen(alone) > 40);
    CHECK_STATUS(new_context(&context, NULL), DGM_OK);
    CHECK_STATUS(dgm_model_open(context, in_dir(path, "m"), NULL, &model), DGM_OK);
    options = options_of(&model, 1);
    CHECK_STATUS(dgm_translator_new(context, &options, &one), DGM_OK);
    CHECK_STATUS(dgm_translator_new(context, &options, &other), DGM_OK);
    /* Who uses it keeps it. */
    dgm_model_free(model);
    CHECK_STATUS(translate(one, shared), DGM_OK);
    CHECK_STR(shared, alone);
    CHECK_STATUS(translate(other, shared), DGM_OK);
    CHECK_STR(shared, alone);
    dgm_context_free(context);
}

TEST(api_shared_model_rescores_like_its_file)
{
    static const char source[] = "w1 w2 w3", target[] = "v4 v8 v3";
    dgm_rescorer_options options;
    dgm_rescorer *rescorer;
    dgm_context *context;
    dgm_model *model;
    double logp[2];
    char path[1200];
    const char *models[1] = { in_dir(path, "m") };
    size_t pairs;
    int i;

    CHECK(write_corpus());
    CHECK_STATUS(train("m", NULL, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(new_context(&context, NULL), DGM_OK);
    CHECK_STATUS(dgm_model_open(context, models[0], NULL, &model), DGM_OK);
    for (i = 0; i < 2; i++) {
        memset(&options, 0, sizeof options);
        options.struct_size = sizeof options;
        options.models = i == 0 ? models : NULL;
        options.model_count = i == 0;
        options.shared = &model;
        options.shared_count = (size_t)i;
        CHECK_STATUS(dgm_rescorer_new(context, &options, &rescorer), DGM_OK);
        CHECK_STATUS(dgm_rescorer_add(rescorer, source, strlen(source), target, strlen(target)),
                     DGM_OK);
        CHECK_STATUS(dgm_rescorer_run(rescorer, &pairs), DGM_OK);
        CHECK_STATUS(dgm_rescorer_result(rescorer, 0, NULL, &logp[i]), DGM_OK);
        dgm_rescorer_free(rescorer);
    }
    CHECK_NEAR(logp[0], logp[1], 0);
    CHECK(logp[0] < 0);
    dgm_model_free(model);
    dgm_context_free(context);
}

/* A parser inside comes with it, and what a line without a tree becomes is each user's own. */
TEST(api_shared_model_parses_by_the_parser_inside)
{
    static const char *const names[] = { "model",   "train-sets", "min-freq",  "after",
                                         "dim-emb", "dim-lstm",   "dim-arc",   "dim-label",
                                         "dim-tag", "enc-depth",  "dim-piece", "dim-piece-lstm" };
    char parser[1200], bank[1200], alone[400], shared[400], path[1200];
    const char *values[] = { NULL, NULL, "1", "3u", "8", "8", "8", "8", "8", "1", "8", "8" };
    const char *extra[] = { "after", "5u", "syntax", "deps-san(layers=1)", "parser", NULL, NULL };
    dgm_train_options training;
    dgm_translator_options options;
    dgm_translator *one, *other;
    dgm_context *context;
    dgm_model *model;

    CHECK(write_corpus());
    extra[5] = values[0] = in_dir(parser, "p");
    values[1] = in_dir(bank, "toy.conllu");
    memset(&training, 0, sizeof training);
    training.struct_size = sizeof training;
    training.names = names;
    training.values = values;
    training.count = sizeof names / sizeof names[0];
    CHECK_STATUS(new_context(&context, NULL), DGM_OK);
    if (dgm_train_parser(context, &training) != DGM_OK)
        CHECK_STR(dgm_context_error(context)->message, "");
    CHECK_STATUS(train("deps", extra, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(translate_alone("deps", alone), DGM_OK);
    CHECK_STATUS(dgm_model_open(context, in_dir(path, "deps"), NULL, &model), DGM_OK);
    options = options_of(&model, 1);
    CHECK_STATUS(dgm_translator_new(context, &options, &one), DGM_OK);
    options.no_parse = "reject";
    CHECK_STATUS(dgm_translator_new(context, &options, &other), DGM_OK);
    CHECK_STATUS(translate(one, shared), DGM_OK);
    CHECK_STR(shared, alone);
    CHECK_STATUS(translate(other, shared), DGM_OK);
    CHECK_STR(shared, alone);
    dgm_model_free(model);
    dgm_context_free(context);
}

TEST(api_shared_model_comes_from_memory_at_any_address)
{
    char alone[400], shared[400];
    struct dgm_buf bytes;
    dgm_context *context;
    dgm_model *model;
    dgm_translator *translator;
    dgm_translator_options options;
    char *copy;

    CHECK(write_corpus());
    CHECK_STATUS(train("m", NULL, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(translate_alone("m", alone), DGM_OK);
    read_bytes(&bytes, "m");
    CHECK_STATUS(new_context(&context, NULL), DGM_OK);
    copy = malloc(bytes.size + 1);
    CHECK(copy != NULL);
    memcpy(copy + 1, bytes.data, bytes.size);
    CHECK_STATUS(dgm_model_from_memory(context, copy + 1, bytes.size, NULL, NULL, &model), DGM_OK);
    memset(copy, 0, bytes.size + 1);
    free(copy);
    options = options_of(&model, 1);
    CHECK_STATUS(dgm_translator_new(context, &options, &translator), DGM_OK);
    CHECK_STATUS(translate(translator, shared), DGM_OK);
    CHECK_STR(shared, alone);
    dgm_model_free(model);
    dgm_context_free(context);
    dgm_buf_clear(test_env(), &bytes);
}

/* ---- threads --------------------------------------------------------------------------------- */

struct user {
    pthread_t thread;
    dgm_model *model;
    dgm_status status;
    char out[400];
};

static void *use(void *argument)
{
    struct user *user = argument;
    const dgm_translator_options options = options_of(&user->model, 1);
    dgm_translator *translator;
    dgm_context_options own;
    dgm_context *context;

    memset(&own, 0, sizeof own);
    own.struct_size = sizeof own;
    own.threads = 1;
    user->status = dgm_context_new(&own, &context);
    if (user->status == DGM_OK)
        user->status = dgm_translator_new(context, &options, &translator);
    if (user->status == DGM_OK)
        user->status = translate(translator, user->out);
    dgm_context_free(context);
    return NULL;
}

TEST(api_shared_model_serves_threads_at_the_same_time)
{
    struct user users[4];
    char alone[400], path[1200];
    dgm_context *context;
    dgm_model *model;
    int i;

    CHECK(write_corpus());
    CHECK_STATUS(train("m", NULL, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(translate_alone("m", alone), DGM_OK);
    CHECK_STATUS(new_context(&context, NULL), DGM_OK);
    CHECK_STATUS(dgm_model_open(context, in_dir(path, "m"), NULL, &model), DGM_OK);
    for (i = 0; i < 4; i++) {
        users[i].model = model;
        CHECK_INT(pthread_create(&users[i].thread, NULL, use, &users[i]), 0);
    }
    for (i = 0; i < 4; i++)
        pthread_join(users[i].thread, NULL);
    dgm_model_free(model);
    for (i = 0; i < 4; i++) {
        CHECK_STATUS(users[i].status, DGM_OK);
        CHECK_STR(users[i].out, alone);
    }
    dgm_context_free(context);
}

/* ---- wrong use ------------------------------------------------------------------------------- */

static void check_refused(const dgm_translator_options *options, const char *isa, const char *part)
{
    dgm_context *context;
    dgm_translator *translator;

    CHECK_STATUS(new_context(&context, isa), DGM_OK);
    CHECK_STATUS(dgm_translator_new(context, options, &translator), DGM_USAGE);
    CHECK(translator == NULL);
    if (strstr(dgm_context_error(context)->message, part) == NULL)
        CHECK_STR(dgm_context_error(context)->message, part);
    dgm_context_free(context);
}

TEST(api_shared_model_refuses_wrong_calls)
{
    dgm_context *context;
    dgm_model *model, *list[2];
    dgm_translator_options options;
    char path[1200];
    const char *models[1] = { in_dir(path, "m") };

    CHECK(write_corpus());
    CHECK_STATUS(train("m", NULL, 1, 0, NULL), DGM_OK);
    dgm_model_free(NULL);
    CHECK_STATUS(dgm_model_open(NULL, path, NULL, &model), DGM_USAGE);
    CHECK_STATUS(new_context(&context, NULL), DGM_OK);
    CHECK_STATUS(dgm_model_open(context, path, NULL, NULL), DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_model_open(context, NULL, NULL, &model), DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_model_from_memory(context, NULL, 5, NULL, NULL, &model), DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_model_open(context, path, NULL, &model), DGM_OK);
    options = options_of(&model, 1);
    options.compute_type = "f32";
    check_refused(&options, NULL, "compute_type \"f32\"; expected NULL with shared models");
    options = options_of(&model, 1);
    options.models = models;
    options.model_count = 1;
    check_refused(&options, NULL, "models and shared; expected one of them");
    options = options_of(&model, 33);
    check_refused(&options, NULL, "33 models; expected 1..");
    list[0] = model;
    list[1] = NULL;
    options = options_of(list, 2);
    check_refused(&options, NULL, "shared: number 1 of 2 is NULL");
    options = options_of(NULL, 0);
    check_refused(&options, NULL, "0 models");
    dgm_model_free(model);
    dgm_context_free(context);
}

/* Whether this machine computes with more than plain C. */
static int best_is_other(void)
{
    struct dgm_device *device;
    int is_other;

    if (open_device(test_env(), &device, 1) != DGM_OK)
        return 0;
    is_other = strcmp((device->host != NULL ? device->host : device)->isa, "c") != 0;
    dgm_device_close(test_env(), device);
    return is_other;
}

/* Weights lie in the order of an instruction set. */
TEST(api_shared_model_keeps_to_its_instruction_set)
{
    dgm_context *context;
    dgm_model *model;
    dgm_translator_options options;
    dgm_translator *translator;
    char path[1200];

    CHECK(write_corpus());
    CHECK_STATUS(train("m", NULL, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(new_context(&context, "c"), DGM_OK);
    CHECK_STATUS(dgm_model_open(context, in_dir(path, "m"), NULL, &model), DGM_OK);
    options = options_of(&model, 1);
    CHECK_STATUS(dgm_translator_new(context, &options, &translator), DGM_OK);
    dgm_translator_free(translator);
    if (best_is_other())
        check_refused(&options, NULL, "m was loaded for c; expected a context");
    dgm_model_free(model);
    dgm_context_free(context);
}

TEST(api_shared_model_compares_checksums_unless_it_is_trusted)
{
    dgm_model_open_options options;
    struct dgm_buf bytes;
    dgm_context *context;
    dgm_model *model;

    CHECK(write_corpus());
    CHECK_STATUS(train("m", NULL, 1, 0, NULL), DGM_OK);
    read_bytes(&bytes, "m");
    bytes.data[bytes.size - 64] ^= 1; /* a bit of the last tensor */
    CHECK_STATUS(new_context(&context, NULL), DGM_OK);
    CHECK_STATUS(dgm_model_from_memory(context, bytes.data, bytes.size, "damaged", NULL, &model),
                 DGM_MODEL);
    CHECK(model == NULL);
    CHECK_STR(dgm_context_error(context)->file, "damaged");
    dgm_context_clear(context);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.trusted = 1;
    CHECK_STATUS(dgm_model_from_memory(context, bytes.data, bytes.size, NULL, &options, &model),
                 DGM_OK);
    dgm_model_free(model);
    /* Whatever is trusted, a file that ends early is none. */
    CHECK_STATUS(dgm_model_from_memory(context, bytes.data, bytes.size - 64, NULL, &options,
                                       &model),
                 DGM_MODEL);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_model_from_memory(context, bytes.data, 0, NULL, &options, &model), DGM_MODEL);
    dgm_context_free(context);
    dgm_buf_clear(test_env(), &bytes);
}
