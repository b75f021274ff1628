/*
 * test_health.c: which figures are warned of, how often, and what is said.
 */
#include "train/watch/health.h"

#include <math.h>

#include "train/session.h"
#include "training_case.h"

static char heard[4000];

static void hear(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    if (strlen(heard) + strlen(text) + 2 < sizeof heard)
        strcat(strcat(heard, text), "\n");
}

static struct dgm_health figures; /* that the learner measures next */

static dgm_status probe(struct dgm_session *session, struct dgm_health *health, int *done)
{
    (void)session;
    *health = figures;
    *done = 1;
    return DGM_OK;
}

static const struct dgm_learner learner = { .probe = probe };
static struct dgm_settings settings;
static struct dgm_params params; /* none */

static dgm_status open_session(struct dgm_session *session, const char *const *options)
{
    static const struct dgm_train_hooks no_hooks;
    int64_t bytes = 0;

    memset(session, 0, sizeof *session);
    memset(&figures, 0, sizeof figures);
    session->run.env = test_env();
    session->hooks = &no_hooks;
    session->trainee.learner = &learner;
    session->run.settings = &settings;
    session->optimizer.params = &params;
    session->run.state.updates = 1000;
    DGM_TRY(make_settings(&settings, "m", options));
    DGM_TRY(dgm_report_open(test_env(), &session->report, test_dir(), &bytes));
    test_env()->log = hear;
    test_env()->log_level = DGM_LOG_NOTE;
    return DGM_OK;
}

static void close_session(struct dgm_session *session)
{
    test_env()->log = NULL;
    dgm_report_close(test_env(), &session->report);
    dgm_settings_clear(test_env(), &settings);
}

/* Measures, and compares what is said. */
static void check_said(struct dgm_session *session, const char *want)
{
    heard[0] = '\0';
    CHECK_STATUS(dgm_train_health(session), DGM_OK);
    CHECK_STR(heard, want);
}

TEST(health_warns_of_states_once_until_they_recover)
{
    static const char *const options[] = { "encoder", "lexicalized", NULL };
    static const char *const grown =
        "update 1000: states of the encoder grow: the root mean square of the largest is 25.10, of "
        "all 3.00; expected below 25. Try --carry mean, a lower --lr, or --clip-norm 1\n";
    struct dgm_session session;

    CHECK_STATUS(open_session(&session, options), DGM_OK);
    figures.state_rms = 3;
    figures.largest_state = 24.9;
    check_said(&session, "");
    figures.largest_state = 25.1;
    session.run.state.updates = 299;
    check_said(&session, "");
    session.run.state.updates = 1000;
    check_said(&session, grown);
    check_said(&session, "");
    figures.largest_state = 2;
    check_said(&session, "update 1000: states of the encoder recovered\n");
    check_said(&session, "");
    figures.largest_state = 25.1;
    check_said(&session, grown);
    close_session(&session);
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
    struct dgm_session session;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_STATUS(open_session(&session, cases[i]), DGM_OK);
        figures.largest_state = 100;
        heard[0] = '\0';
        CHECK_STATUS(dgm_train_health(&session), DGM_OK);
        if (cases[i][6] == NULL)
            CHECK_STR(heard, "");
        else if (strstr(heard, cases[i][6]) == NULL)
            CHECK_STR(heard, cases[i][6]);
        figures.largest_state = (double)NAN;
        session.symptoms.told = 0;
        heard[0] = '\0';
        CHECK_STATUS(dgm_train_health(&session), DGM_OK);
        CHECK(strstr(heard, "states of the encoder grow") != NULL);
        close_session(&session);
    }
}

TEST(health_warns_of_attention_that_is_peaked_on_one_word)
{
    struct dgm_session session;

    CHECK_STATUS(open_session(&session, NULL), DGM_OK);
    figures.peak = 0.95;
    figures.same = 0.75;
    check_said(&session, ""); /* each on another word */
    figures.same = -1;
    check_said(&session, ""); /* short sentences alone */
    figures.peak = 0.45;
    figures.same = 1;
    check_said(&session, ""); /* early in training */
    figures.peak = 0.95;
    check_said(
        &session,
        "update 1000: attention is locked on one position of each sentence: the mean "
        "largest weight is 0.95, and a share of 1.00 of target tokens look at the same word; "
        "expected less than 0.5 or 0.8. Try a lower --lr, or another --seed\n");
    check_said(&session, "");
    close_session(&session);
}

/* What is no number, and what there is none of, has no key. */
TEST(health_writes_numbers_only)
{
    static const char *const want = "{\"epoch\": 0, \"update\": 1000, \"encoder_rms\": 0.5, "
                                    "\"encoder_gates_saturated\": 0, \"attention_peak\": 0, "
                                    "\"attention_entropy\": 0, \"attention_entropy_1\": 0.25}\n";
    struct dgm_session session;
    struct dgm_buf text = { NULL, 0, 0, 0 };

    CHECK_STATUS(open_session(&session, NULL), DGM_OK);
    figures.state_rms = 0.5;
    figures.state_max = (double)INFINITY;
    figures.largest_state = (double)NAN;
    figures.saturated[1] = figures.same = -1;
    figures.cross.layers = 1;
    figures.cross.entropy[0] = 0.25;
    CHECK_STATUS(dgm_train_health(&session), DGM_OK);
    CHECK_STATUS(read_model(&text, "metrics.jsonl"), DGM_OK);
    CHECK_STATUS(dgm_buf_add_char(test_env(), &text, '\0'), DGM_OK);
    CHECK_STR(text.data, want);
    dgm_buf_clear(test_env(), &text);
    close_session(&session);
}
