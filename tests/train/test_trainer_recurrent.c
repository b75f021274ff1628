/*
 * test_trainer_recurrent.c: how recurrent models are trained by default: Adadelta, and a cost that
 * is a mean over sentences.
 */
#include "json.h"
#include "training_case.h"

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
