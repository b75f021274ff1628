/*
 * test_health.c: which figures are warned of, how often, and what is said.
 */
#include "train/watch/health.h"

#include <math.h>

#include "training_case.h"

static char heard[4000];

static void hear(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    if (strlen(heard) + strlen(text) + 2 < sizeof heard)
        strcat(strcat(heard, text), "\n");
}

struct watched {
    struct dgm_settings settings;
    struct dgm_run run;
    struct dgm_report report;
    struct dgm_symptoms told;
    struct dgm_health figures;
};

static dgm_status open_run(struct watched *watched, const char *const *options)
{
    memset(watched, 0, sizeof *watched);
    watched->run.env = test_env();
    watched->run.settings = &watched->settings;
    watched->run.state.updates = 1000;
    DGM_TRY(make_settings(&watched->settings, "m", options));
    DGM_TRY(dgm_report_open(test_env(), &watched->report, test_dir(), &watched->run.state));
    test_env()->log = hear;
    test_env()->log_level = DGM_LOG_NOTE;
    return DGM_OK;
}

static void close_run(struct watched *watched)
{
    test_env()->log = NULL;
    dgm_report_close(test_env(), &watched->report);
    dgm_settings_clear(test_env(), &watched->settings);
}

static void look(struct watched *watched)
{
    static const struct dgm_gradient_norms norms = { { -1, -1, -1, -1, -1 } };

    heard[0] = '\0';
    CHECK_STATUS(dgm_train_health(&watched->run, &watched->told, &watched->report,
                                  &watched->figures, &norms),
                 DGM_OK);
}

/* Looks, and compares what is said. */
static void check_said(struct watched *watched, const char *want)
{
    look(watched);
    CHECK_STR(heard, want);
}

TEST(health_warns_of_states_once_until_they_recover)
{
    static const char *const options[] = { "encoder", "lexicalized", NULL };
    static const char *const grown =
        "update 1000: states of the encoder grow: the root mean square of the largest is 25.10, of "
        "all 3.00; expected below 25. Try --carry mean, a lower --lr, or --clip-norm 1\n";
    struct watched watched;

    CHECK_STATUS(open_run(&watched, options), DGM_OK);
    watched.figures.state_rms = 3;
    watched.figures.largest_state = 24.9;
    check_said(&watched, "");
    watched.figures.largest_state = 25.1;
    watched.run.state.updates = 299;
    check_said(&watched, "");
    watched.run.state.updates = 1000;
    check_said(&watched, grown);
    check_said(&watched, "");
    watched.figures.largest_state = 2;
    check_said(&watched, "update 1000: states of the encoder recovered\n");
    check_said(&watched, "");
    watched.figures.largest_state = 25.1;
    check_said(&watched, grown);
    close_run(&watched);
}

/* The options behind it; a Transformer's states may be large, but are numbers. */
TEST(health_names_the_remedy_of_large_states)
{
    static const char *const cases[][7] = {
        { "encoder", "lexicalized", "no-parse", "chain", NULL, NULL,
          "Try --no-parse star, --carry mean, a lower" },
        { "encoder", "lexicalized", "carry", "mean", NULL, NULL, "Try a lower --lr, or" },
        { "encoder", "constituency", "tree-cell", "tg12", NULL, NULL,
          "Try --tree-cell tg10, a lower" },
        { "encoder", "sequential", "optimizer", "adadelta", NULL, NULL,
          "Try a smaller --adadelta-eps, or" },
        { "encoder", "transformer", NULL, NULL, NULL, NULL, NULL },
    };
    struct watched watched;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_STATUS(open_run(&watched, cases[i]), DGM_OK);
        watched.figures.largest_state = 100;
        look(&watched);
        if (cases[i][6] == NULL)
            CHECK_STR(heard, "");
        else if (strstr(heard, cases[i][6]) == NULL)
            CHECK_STR(heard, cases[i][6]);
        watched.figures.largest_state = (double)NAN;
        watched.told.bits = 0;
        look(&watched);
        CHECK(strstr(heard, "states of the encoder grow") != NULL);
        close_run(&watched);
    }
}

TEST(health_warns_of_attention_that_is_peaked_on_one_word)
{
    struct watched watched;

    CHECK_STATUS(open_run(&watched, NULL), DGM_OK);
    watched.figures.peak = 0.95;
    watched.figures.same = 0.75;
    check_said(&watched, ""); /* each on another word */
    watched.figures.same = -1;
    check_said(&watched, ""); /* short sentences alone */
    watched.figures.peak = 0.45;
    watched.figures.same = 1;
    check_said(&watched, ""); /* early in training */
    watched.figures.peak = 0.95;
    check_said(
        &watched,
        "update 1000: attention is locked on one position of each sentence: the mean "
        "largest weight is 0.95, and a share of 1.00 of target tokens look at the same word; "
        "expected less than 0.5 or 0.8. Try a lower --lr, or another --seed\n");
    check_said(&watched, "");
    close_run(&watched);
}

/* What is no number, and what there is none of, has no key. */
TEST(health_writes_numbers_only)
{
    static const char *const want = "{\"epoch\": 0, \"update\": 1000, \"encoder_rms\": 0.5, "
                                    "\"encoder_gates_saturated\": 0, \"attention_peak\": 0, "
                                    "\"attention_entropy\": 0, \"attention_entropy_1\": 0.25}\n";
    struct watched watched;
    struct dgm_buf text = { NULL, 0, 0, 0 };

    CHECK_STATUS(open_run(&watched, NULL), DGM_OK);
    watched.figures.state_rms = 0.5;
    watched.figures.state_max = (double)INFINITY;
    watched.figures.largest_state = (double)NAN;
    watched.figures.saturated[1] = watched.figures.same = -1;
    watched.figures.cross.layers = 1;
    watched.figures.cross.entropy[0] = 0.25;
    look(&watched);
    CHECK_STATUS(read_model(&text, "metrics.jsonl"), DGM_OK);
    CHECK_STATUS(dgm_buf_add_char(test_env(), &text, '\0'), DGM_OK);
    CHECK_STR(text.data, want);
    dgm_buf_clear(test_env(), &text);
    close_run(&watched);
}
