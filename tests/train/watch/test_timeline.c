/*
 * test_timeline.c: a timeline ends with its last update, and is written once, without a training.
 */
#include "train/watch/timeline.h"

#include "training_case.h"

struct traced {
    struct dgm_settings settings;
    struct dgm_run run;
    struct dgm_timeline line;
};

/* updates: --trace-updates; NULL: there is no --trace. */
static dgm_status open_run(struct traced *traced, const char *updates)
{
    static char path[1200];
    const char *const options[] = { "trace", in_dir(path, "trace.json"), "trace-updates", updates,
                                    NULL };

    memset(traced, 0, sizeof *traced);
    DGM_TRY(make_settings(&traced->settings, "m", updates != NULL ? options : NULL));
    traced->run.env = test_env();
    traced->run.settings = &traced->settings;
    return dgm_timeline_begin(&traced->run, &traced->line);
}

static void close_run(struct traced *traced)
{
    dgm_timeline_clear(&traced->run, &traced->line);
    dgm_settings_clear(test_env(), &traced->settings);
}

/* How often the file has an update; -1: there is no file. */
static void check_updates(int want)
{
    struct dgm_buf text = { 0 };
    const char *at;
    int count = 0;

    CHECK_INT(exists("trace.json"), want >= 0);
    if (want < 0)
        return;
    CHECK_STATUS(read_model(&text, "trace.json"), DGM_OK);
    CHECK_STATUS(dgm_buf_add_char(test_env(), &text, '\0'), DGM_OK);
    for (at = strstr(text.data, "\"update\""); at != NULL; at = strstr(at + 1, "\"update\""))
        count++;
    CHECK_INT(count, want);
    dgm_buf_clear(test_env(), &text);
}

static void make_update(void)
{
    dgm_trace_begin(test_env(), "update");
    dgm_trace_end(test_env());
}

TEST(timeline_ends_with_its_last_update)
{
    struct traced traced;

    CHECK_STATUS(open_run(&traced, "2"), DGM_OK);
    make_update();
    CHECK(!dgm_timeline_is_over(&traced.line));
    make_update();
    check_updates(-1);
    CHECK(dgm_timeline_is_over(&traced.line));
    CHECK_STATUS(dgm_timeline_end(&traced.run, &traced.line), DGM_OK);
    check_updates(2);
    make_update();
    CHECK(!dgm_timeline_is_over(&traced.line));
    CHECK_STATUS(dgm_timeline_end(&traced.run, &traced.line), DGM_OK);
    check_updates(2);
    close_run(&traced);
}

/* A run that fails has a timeline up to there. */
TEST(timeline_is_written_where_a_run_ends_before_it)
{
    struct traced traced;

    CHECK_STATUS(open_run(&traced, "5"), DGM_OK);
    make_update();
    close_run(&traced);
    check_updates(1);
}

TEST(timeline_that_is_off_does_nothing)
{
    struct traced traced;

    CHECK_STATUS(open_run(&traced, NULL), DGM_OK);
    make_update();
    CHECK(!dgm_timeline_is_over(&traced.line));
    close_run(&traced);
    check_updates(-1);
}

static void check_place(const struct traced *traced, const char *content, dgm_status want)
{
    char path[1200];
    FILE *file = fopen(in_dir(path, "trace.json"), "wb");

    CHECK(file != NULL && fputs(content, file) >= 0 && fclose(file) == 0);
    CHECK_STATUS(dgm_timeline_check(&traced->run), want);
    dgm_env_clear_error(test_env());
}

/* A run that is begun again writes its timeline again, over its own alone. */
TEST(timeline_takes_the_place_of_a_timeline_alone)
{
    struct traced traced;

    CHECK_STATUS(open_run(&traced, "1"), DGM_OK);
    CHECK_STATUS(dgm_timeline_check(&traced.run), DGM_OK);
    make_update();
    close_run(&traced);
    CHECK_STATUS(open_run(&traced, "1"), DGM_OK);
    CHECK_STATUS(dgm_timeline_check(&traced.run), DGM_OK);
    check_place(&traced, "", DGM_OK);
    check_place(&traced, "GGUF", DGM_USAGE);
    check_place(&traced, "[\n{\"name\": \"mine\"}]", DGM_USAGE);
    check_place(&traced, "a page of a thesis", DGM_USAGE);
    close_run(&traced);
}
