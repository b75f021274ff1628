/*
 * test_probe.c: the sentences on which health is measured.
 */
#include "train/translation/probe.h"

#include "training_case.h"

enum { LINES = 20, MOST = 40 };

/* Sources of one word, whose translations have five. */
static int write_text(void)
{
    char path[2][1200];
    FILE *source = fopen(in_dir(path[0], "short.src"), "wb");
    FILE *target = fopen(in_dir(path[1], "long.trg"), "wb");

    for (int i = 0; i < LINES && source != NULL && target != NULL; i++) {
        fprintf(source, "w%d\n", i % 9);
        fputs("v1 v2 v3 v4 v5\n", target);
    }
    return source != NULL && target != NULL && fclose(source) == 0 && fclose(target) == 0;
}

static dgm_status load(struct dgm_translation *self, struct dgm_device *device)
{
    char path[2][1200];
    struct dgm_text text = { .path = { path[0], path[1] } };
    const struct dgm_text_list texts = { .items = &text, .count = 1 };
    const struct dgm_corpus_files files = { .texts = &texts };

    DGM_TRY(dgm_model_load(test_env(), &self->model, in_dir(path[0], "m"), device, 0, NULL));
    in_dir(path[0], "short.src");
    in_dir(path[1], "long.trg");
    return dgm_corpus_load(test_env(), &self->sets.train, &self->model.pipeline, &files, 20,
                           DGM_BAD_LINE_ERROR, NULL);
}

/* Neither side of what is measured is larger than a batch of the training: no more memory. */
TEST(probe_takes_no_more_tokens_of_a_side_than_a_batch)
{
    static const char *const extra[] = { "after", "1u", NULL };
    struct dgm_translation_replica own;
    struct dgm_replica replica;
    struct dgm_translation self;
    struct dgm_trainee trainee;
    struct dgm_run run;
    struct dgm_health health;
    struct dgm_device *device;
    int done = 0;

    if (is_double())
        TEST_SKIP("models hold floats");
    memset(&own, 0, sizeof own);
    memset(&replica, 0, sizeof replica);
    memset(&self, 0, sizeof self);
    memset(&trainee, 0, sizeof trainee);
    memset(&run, 0, sizeof run);
    CHECK(write_corpus() && write_text());
    CHECK_STATUS(train("m", extra, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    CHECK_STATUS(load(&self, device), DGM_OK);
    CHECK_STATUS(dgm_graph_init(test_env(), &replica.graph, device), DGM_OK);
    dgm_step_init(&own.step, device);
    own.net = &self.model.net;
    replica.self = &own;
    run.env = test_env();
    trainee.self = &self;
    run.options.order.batch_tokens = MOST;
    CHECK_STATUS(dgm_translation_probe(&run, &trainee, &replica, &health, &done), DGM_OK);
    CHECK_INT(done, 1);
    CHECK_INT(self.ahead.source.count, MOST / 6);
    CHECK(self.ahead.target.offsets[self.ahead.target.count] <= MOST);
    dgm_graph_clear(&replica.graph);
    dgm_step_clear(test_env(), &own.step);
    dgm_batch_clear(test_env(), &self.ahead);
    dgm_corpus_clear(test_env(), &self.sets.train);
    dgm_model_clear(test_env(), &self.model);
    dgm_device_close(test_env(), device);
}
