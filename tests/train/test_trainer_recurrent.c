/*
 * test_trainer_recurrent.c: training runs of recurrent models: 50 sentence pairs learned by heart,
 * and the same bytes whatever the threads, the devices, the stops and the resumes; and how they are
 * trained by default: Adadelta, and a cost that is a mean over sentences.
 */
#include <math.h>

#include "json.h"
#include "recurrent_case.h"
#include "training_case.h"

enum { HEART_PAIRS = 50 };

/* Sentences of 2 to 6 words with trees of every kind, and translations drawn at random. */
static int write_pairs(void)
{
    static const char *const names[3] = { "toy.src", "toy.trg", "toy.conllu" };
    struct dgm_random random;
    char path[1200];
    FILE *file[3];

    for (int k = 0; k < 3; k++) {
        file[k] = fopen(in_dir(path, names[k]), "wb");
        if (file[k] == NULL)
            return 0;
    }
    dgm_random_init(&random, 21, 0, 0, 0);
    for (int p = 0; p < HEART_PAIRS; p++) {
        int32_t words = 2 + (int32_t)dgm_random_below(&random, 5), heads[6];
        tiny_heads(&random, heads, words, p % 5 == 0 ? TINY_TWO_ROOTS : TINY_TREE);
        for (int32_t w = 0; w < words; w++) {
            unsigned word = dgm_random_below(&random, 12);
            fprintf(file[0], "%sw%u", w ? " " : "", word);
            fprintf(file[2], "%d\tw%u\t_\t_\t_\t_\t%d\t_\t_\t_\n", (int)w + 1, word,
                    heads[w] == w ? 0 : (int)heads[w] + 1);
        }
        for (int w = 0; w < 2 + p % 2; w++)
            fprintf(file[1], "%sv%u", w ? " " : "", dgm_random_below(&random, 9));
        fputs("\n", file[0]);
        fputs("\n", file[1]);
        fputs("\n", file[2]);
    }
    for (int k = 0; k < 3; k++)
        fclose(file[k]);
    return 1;
}

/* The settings and whether to recompute, which a run may change at each resume. */
static void set_recompute(const char **extra, const char *value)
{
    int n = 0;

    while (extra[n] != NULL && strcmp(extra[n], "recompute") != 0)
        n++;
    extra[n] = "recompute";
    extra[n + 1] = value;
    extra[n + 2] = NULL;
}

/* name, value, ..., NULL: those of a case behind `first`. */
static void extra_of(const struct recurrent_case *one, const char *const *first, char *text,
                     const char **extra)
{
    int n = 0;

    while (first[n] != NULL) {
        extra[n] = first[n];
        n++;
    }
    strcpy(text, one->options);
    for (char *line = text; *line != '\0';) {
        char *equals = strstr(line, " = "), *end = strchr(line, '\n');
        *equals = *end = '\0';
        extra[n++] = line;
        extra[n++] = strcmp(line, "dynamic-z") == 0 ? "7" : equals + 3;
        line = end + 1;
    }
    extra[n] = NULL;
}

/* ---- by heart -------------------------------------------------------------------------------- */

/* Case `number` of the table. Where the tests are to be brief (check-valgrind: what is asked is how
 * memory is used), twelve updates, after which there is a loss. */
static void check_heart(int number)
{
    const int is_brief = getenv("TEST_BRIEF") != NULL;
    const char *const first[] = { "dim-emb",
                                  "48",
                                  "dim-rnn",
                                  "48",
                                  "tied-embeddings",
                                  "none",
                                  "label-smoothing",
                                  "0",
                                  "dropout",
                                  "0",
                                  "lr-schedule",
                                  "constant",
                                  "lr",
                                  "0.006",
                                  "clip-norm",
                                  "1",
                                  "batch-tokens",
                                  "100",
                                  "after",
                                  is_brief ? "12u" : "550u",
                                  "disp-freq",
                                  is_brief ? "12u" : "50u",
                                  "save-freq",
                                  "1000u",
                                  NULL };
    struct dgm_buf text = { NULL, 0, 0, 0 };
    const char *extra[60], *last;
    char options[300], model[40];
    double loss = HUGE_VAL;

    if (getenv("TEST_DEVICE") != NULL)
        TEST_SKIP("thousands of small tasks, on the CPU only");
    CHECK(write_pairs());
    extra_of(&recurrent_cases[number], first, options, extra);
    snprintf(model, sizeof model, "m%d", number);
    CHECK_STATUS(train(model, extra, 1, 0, NULL), DGM_OK);
    strcat(model, ".ckpt/metrics.jsonl");
    CHECK_STATUS(read_model(&text, model), DGM_OK);
    CHECK_STATUS(dgm_buf_add_char(test_env(), &text, '\0'), DGM_OK);
    last = strstr(text.data, is_brief ? "\"update\": 12," : "\"update\": 550,");
    CHECK(last != NULL);
    loss = json_number(last, "loss");
    CHECK_NEAR(loss, 0, is_brief ? 100 : 0.1);
    dgm_buf_clear(test_env(), &text);
}

TEST(trainer_of_sequential_learns_pairs_by_heart)
{
    check_heart(0);
}

TEST(trainer_of_constituency_learns_pairs_by_heart)
{
    check_heart(1);
}

TEST(trainer_of_constituency_without_birnn_learns_pairs_by_heart)
{
    check_heart(2);
}

TEST(trainer_of_dynamic_constituency_learns_pairs_by_heart)
{
    check_heart(3);
}

TEST(trainer_of_dependency_chains_learns_pairs_by_heart)
{
    check_heart(4);
}

TEST(trainer_of_dependency_chains_without_birnn_learns_pairs_by_heart)
{
    check_heart(5);
}

TEST(trainer_of_lexicalized_learns_pairs_by_heart)
{
    check_heart(6);
}

TEST(trainer_of_lexicalized_without_birnn_learns_pairs_by_heart)
{
    check_heart(7);
}

TEST(trainer_of_dynamic_lexicalized_learns_pairs_by_heart)
{
    check_heart(8);
}

/* ---- the same bytes -------------------------------------------------------------------------- */

/* 50 pairs in batches of 6 or so: neither the stops nor the updates are at the end of an epoch. */
static const char *const adadelta[] = { "dim-emb",
                                        "10",
                                        "dim-rnn",
                                        "10",
                                        "tied-embeddings",
                                        "none",
                                        "label-smoothing",
                                        "0",
                                        "optimizer",
                                        "adadelta",
                                        "cost-type",
                                        "mean",
                                        "clip-norm",
                                        "1",
                                        "dropout",
                                        "0.3",
                                        "accumulate",
                                        "2",
                                        "after",
                                        "11u",
                                        "save-freq",
                                        "3u",
                                        NULL };

/* A run's name, one for each case. */
static const char *run_name(char name[40], const char *run, const struct recurrent_case *one)
{
    snprintf(name, 40, "%s-%d", run, (int)(one - recurrent_cases));
    return name;
}

static dgm_status train_on_two(const char *model, const char *const *extra)
{
    struct dgm_devices devices;
    dgm_status status;

    devices.count = 2;
    DGM_TRY(open_device(test_env(), &devices.items[0], 1));
    DGM_TRY(open_device(test_env(), &devices.items[1], 2));
    status = train_on_all(&devices, model, extra, 0, NULL);
    dgm_device_close(test_env(), devices.items[0]);
    dgm_device_close(test_env(), devices.items[1]);
    return status;
}

static void check_bytes(const struct recurrent_case *one)
{
    char options[300], whole[40], threads[40], two[40], parts[40];
    dgm_status status = DGM_INTERRUPTED;
    const char *extra[60];
    int calls = 0;

    extra_of(one, adadelta, options, extra);
    CHECK_STATUS(train(run_name(whole, "whole", one), extra, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train(run_name(threads, "threads", one), extra, 3, 0, NULL), DGM_OK);
    check_same_files(whole, threads);
    CHECK_STATUS(train_on_two(run_name(two, "two", one), extra), DGM_OK);
    check_same_files(whole, two);
    run_name(parts, "parts", one);
    for (; status == DGM_INTERRUPTED && calls < 20; calls++) {
        dgm_env_clear_error(test_env());
        set_recompute(extra, calls / 2 % 2 ? "false" : "true");
        status = train(parts, extra, 1 + calls % 2, 2, NULL);
    }
    CHECK_STATUS(status, DGM_OK);
    CHECK(calls > 3);
    check_same_files(whole, parts);
}

static void check_all_bytes(const char *options)
{
    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_pairs());
    for (int v = 0; v < RECURRENT_TABLE; v++)
        if (strncmp(recurrent_cases[v].options, options, strlen(options)) == 0)
            check_bytes(&recurrent_cases[v]);
}

TEST(trainer_of_chains_writes_the_same_bytes)
{
    check_all_bytes("encoder = sequential");
}

TEST(trainer_of_constituents_writes_the_same_bytes)
{
    check_all_bytes("encoder = constituency");
}

TEST(trainer_of_dependencies_writes_the_same_bytes)
{
    check_all_bytes("encoder = lexicalized");
}

/* ---- Adadelta, and a mean over sentences ----------------------------------------------------- */

TEST(trainer_resumes_adadelta_as_if_nothing_had_happened)
{
    static const char *const extra[] = { "optimizer", "adadelta", "clip-norm", "1", "cost-type",
                                         "mean",      "after",    "12u",       NULL };
    static const char *const other[] = { "after", "12u", NULL };
    dgm_status status = DGM_INTERRUPTED;
    int calls = 0;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("whole", extra, 1, 0, NULL), DGM_OK);
    for (; status == DGM_INTERRUPTED && calls < 100; calls++) {
        dgm_env_clear_error(test_env());
        status = train("parts", extra, 1 + calls % 2, 5, NULL);
    }
    CHECK_STATUS(status, DGM_OK);
    CHECK(calls > 2);
    check_same_files("whole", "parts");
    CHECK_STATUS(train("parts", other, 1, 0, NULL), DGM_USAGE);
    CHECK(strstr(test_env()->error.message, "\"optimizer = adam\"") != NULL ||
          strstr(test_env()->error.message, "\"cost-type = mean-words\"") != NULL);
    dgm_env_clear_error(test_env());
}

TEST(trainer_of_adadelta_knows_no_rate)
{
    static const char *const low[] = {
        "optimizer", "adadelta", "lr", "0.0001", "after", "3u", NULL
    };
    static const char *const high[] = { "optimizer", "adadelta", "lr", "10", "after", "3u", NULL };
    static const char *const decay[] = { "optimizer", "adadelta", "weight-decay", "0.1", NULL };

    CHECK(write_corpus());
    CHECK_STATUS(train("low", low, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("high", high, 1, 0, NULL), DGM_OK);
    check_same_files("low", "high");
    CHECK_STATUS(train("decay", decay, 1, 0, NULL), DGM_USAGE);
    dgm_env_clear_error(test_env());
}

/* Gradient norm and labels of the first update, which holds the whole corpus. */
static void first_update(const char *model, const char *type, double *norm, double *labels)
{
    const char *extra[] = { "cost-type", type,        "batch-tokens", "1000", "after",
                            "1u",        "disp-freq", "1u",           NULL };
    struct dgm_buf text = { NULL, 0, 0, 0 };
    char name[100];

    snprintf(name, sizeof name, "%s.ckpt/metrics.jsonl", model);
    CHECK_STATUS(train(model, extra, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(read_model(&text, name), DGM_OK);
    CHECK_STATUS(dgm_buf_add_char(test_env(), &text, '\0'), DGM_OK);
    *norm = json_number(text.data, "gnorm");
    *labels = json_number(text.data, "labels");
    dgm_buf_clear(test_env(), &text);
}

TEST(trainer_divides_by_sentences_or_by_labels)
{
    double norm[2] = { 0, 0 }, labels[2] = { 0, 0 };

    CHECK(write_corpus());
    first_update("words", "mean-words", &norm[0], &labels[0]);
    first_update("sentences", "mean", &norm[1], &labels[1]);
    CHECK(labels[0] > 3 * PAIRS);
    CHECK_INT(labels[1], labels[0]);
    CHECK_NEAR(norm[1] / norm[0], labels[0] / PAIRS, 1e-5);
}
