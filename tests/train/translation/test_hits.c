/*
 * test_hits.c: the accuracy that a validation tells, counted again from the logits.
 */
#include "train/translation/hits.h"

#include <math.h>

#include "training_case.h"

/* Counts by hand: the whole corpus as one batch, the largest of every row of logits on the host. */
static void count_again(struct dgm_model *model, struct dgm_device *device, double *percent)
{
    struct dgm_env *env = test_env();
    struct dgm_corpus corpus;
    struct dgm_batch batch;
    struct dgm_step step;
    struct dgm_graph g;
    struct dgm_encoding encoded;
    struct dgm_node *logits;
    char path[2][1200];
    struct dgm_text text = { .path = { path[0], path[1] } };
    const struct dgm_text_list texts = { .items = &text, .count = 1 };
    const struct dgm_corpus_files files = { .texts = &texts };
    int64_t vocab = model->net.vocab[DGM_TARGET], rows, i, j, right = 0;
    dgm_real *x;
    int32_t s;

    memset(&corpus, 0, sizeof corpus);
    memset(&batch, 0, sizeof batch);
    in_dir(path[0], "toy.src");
    in_dir(path[1], "toy.trg");
    CHECK_STATUS(dgm_corpus_load(env, &corpus, &model->pipeline, &files, 20, DGM_BAD_LINE_ERROR,
                                 NULL),
                 DGM_OK);
    for (s = 0; s < corpus.source.count; s++)
        CHECK_STATUS(dgm_batch_add(env, &batch, &corpus.source, &corpus.target, s, s), DGM_OK);
    dgm_step_init(&step, device);
    CHECK_STATUS(dgm_graph_init(env, &g, device), DGM_OK);
    CHECK_STATUS(dgm_net_stage(env, &model->net, &step, &batch, 0, 1, 1), DGM_OK);
    dgm_graph_begin(&g, 0, 1, 1);
    encoded = dgm_net_encode(&g, &model->net, &step);
    logits = dgm_keep(&g, dgm_net_logits(&g, &model->net,
                                         dgm_net_decode(&g, &model->net, &step, &encoded)));
    CHECK_STATUS(dgm_graph_run(&g), DGM_OK);
    rows = dgm_node_rows(logits);
    x = dgm_alloc(env, (size_t)(rows * vocab), sizeof *x);
    CHECK_STATUS(dgm_graph_read(&g, logits, x), DGM_OK);
    for (i = 0; i < rows; i++) {
        int64_t best = 0;
        for (j = 1; j < vocab; j++)
            best = x[i * vocab + j] > x[i * vocab + best] ? j : best;
        right += best == batch.target.ids[i];
    }
    dgm_release(env, x);
    dgm_graph_clear(&g);
    dgm_step_clear(env, &step);
    dgm_batch_clear(env, &batch);
    dgm_corpus_clear(env, &corpus);
    *percent = 100.0 * (double)right / (double)rows;
}

static double told_accuracy(const char *name)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    const char *at = NULL;
    double value = -1;

    if (read_model(&text, name) == DGM_OK && dgm_buf_add_char(test_env(), &text, '\0') == DGM_OK)
        at = strstr(text.data, "\"accuracy\"");
    if (at != NULL && (at = strstr(at, "\"value\": ")) != NULL)
        value = strtod(at + 9, NULL);
    dgm_buf_clear(test_env(), &text);
    return value;
}

TEST(hits_are_the_largest_logits_of_all_batches)
{
    static char sets[2500];
    static const char *const extra[] = { "after", "30u",           "valid-sets", sets, "valid-freq",
                                         "30u",   "valid-metrics", "accuracy",   NULL };
    struct dgm_device *device;
    struct dgm_model model;
    char path[2][1200];
    double told, counted = -1;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    snprintf(sets, sizeof sets, "%s %s", in_dir(path[0], "toy.src"), in_dir(path[1], "toy.trg"));
    CHECK_STATUS(train("m", extra, 1, 0, NULL), DGM_OK);
    told = told_accuracy("m.ckpt/metrics.jsonl");
    CHECK(told > 15 && told < 99); /* a twelfth before anything is learnt */
    memset(&model, 0, sizeof model);
    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    CHECK_STATUS(dgm_model_load(test_env(), &model, in_dir(path[0], "m"), device, 0, NULL), DGM_OK);
    count_again(&model, device, &counted);
    CHECK_NEAR(counted, told, 1e-6);
    dgm_model_clear(test_env(), &model);
    dgm_device_close(test_env(), device);
}

TEST(hits_of_nothing_are_no_percent_of_it)
{
    struct dgm_hits hits = { 0 };

    CHECK_NEAR(dgm_hits_percent(&hits), 0, 0);
    hits.tokens = 8;
    hits.right = 6;
    CHECK_NEAR(dgm_hits_percent(&hits), 75, 0);
}
