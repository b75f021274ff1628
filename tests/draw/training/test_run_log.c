/* test_run_log.c: logs of training as series; resumed, cut and broken ones; means over lines. */
#include "draw/training/run_log.h"

#include <math.h>
#include <string.h>

#include "awkward_vfs.h"
#include "draw/training/training.h"
#include "test.h"

static dgm_status read(struct dgm_run_log *log, const char *text)
{
    const char *path = path_of("metrics.jsonl");

    memset(log, 0, sizeof *log);
    put_file(path, text, strlen(text));
    return dgm_run_log_read(test_env(), log, path);
}

static void check_point(const struct dgm_log_series *series, size_t i, double x, double y)
{
    CHECK(series != NULL && i < series->points.count);
    CHECK_NEAR(series->points.points[i].x, x, 0);
    CHECK_NEAR(series->points.points[i].y, y, 0);
}

TEST(run_log_lines_become_series)
{
    const struct dgm_log_series *series;
    struct dgm_run_log log;

    CHECK_STATUS(read(&log, "{\"epoch\": 1, \"update\": 10, \"labels\": 100, \"loss\": 5, "
                            "\"wps\": 50}\n"
                            "{\"epoch\": 1, \"update\": 15, \"metric\": \"bleu\", \"value\": 3}\n"
                            "{\"epoch\": 1, \"update\": 15, \"encoder_rms\": 0.5}\n"
                            "{\"epoch\": 2, \"update\": 20, \"labels\": 200, \"loss\": nan, "
                            "\"wps\": 25}\n"),
                 DGM_OK);
    series = dgm_run_log_find(&log, "loss");
    check_point(series, 0, 10, 5);
    CHECK_INT(series->points.count, 2);
    CHECK(isnan(series->points.points[1].y));
    CHECK_INT(series->not_finite, 1);
    CHECK_INT(series->is_smooth, 1);
    check_point(dgm_run_log_find(&log, "bleu"), 0, 15, 3);
    CHECK_INT(dgm_run_log_find(&log, "bleu")->is_metric, 1);
    check_point(dgm_run_log_find(&log, "encoder_rms"), 0, 15, 0.5);
    CHECK(dgm_run_log_find(&log, "value") == NULL);
    CHECK_NEAR(dgm_run_log_place(&log, DGM_AXIS_WORDS, 15), 150, 1e-9);
    CHECK_NEAR(dgm_run_log_place(&log, DGM_AXIS_SECONDS, 20), 6, 1e-9);
    CHECK_NEAR(dgm_run_log_place(&log, DGM_AXIS_UPDATES, 15), 15, 0);
    CHECK_NEAR(dgm_run_log_place(&log, DGM_AXIS_EPOCHS, 15), 1, 1e-9);
    CHECK_NEAR(dgm_run_log_place(&log, DGM_AXIS_EPOCHS, 10), 2 / 3.0, 1e-9);
    dgm_run_log_clear(test_env(), &log);
}

/* The demo: 57 updates an epoch, a line for each 200 of them and each validation. */
TEST(run_log_epochs_between_lines_go_at_the_pace_so_far)
{
    struct dgm_run_log log;

    CHECK_STATUS(read(&log, "{\"epoch\": 4, \"update\": 200, \"loss\": 5}\n"
                            "{\"epoch\": 4, \"update\": 228, \"x\": 1}\n"
                            "{\"epoch\": 8, \"update\": 400, \"loss\": 4}\n"
                            "{\"epoch\": 8, \"update\": 456, \"x\": 1}\n"
                            "{\"epoch\": 11, \"update\": 600, \"loss\": 3}\n"
                            "{\"epoch\": 12, \"update\": 684, \"x\": 1}\n"),
                 DGM_OK);
    CHECK_NEAR(dgm_run_log_place(&log, DGM_AXIS_EPOCHS, 200), 200 / 57.0, 1e-9);
    CHECK_NEAR(dgm_run_log_place(&log, DGM_AXIS_EPOCHS, 456), 8, 1e-9);
    CHECK_NEAR(dgm_run_log_place(&log, DGM_AXIS_EPOCHS, 600), 600 / 57.0, 1e-9);
    CHECK_NEAR(dgm_run_log_place(&log, DGM_AXIS_EPOCHS, 684), 12, 1e-9);
    dgm_run_log_clear(test_env(), &log);
}

TEST(run_log_what_a_resumed_run_did_again_counts_once)
{
    const struct dgm_log_series *series;
    struct dgm_run_log log;

    CHECK_STATUS(read(&log, "{\"update\": 1, \"labels\": 9, \"loss\": 5}\n"
                            "{\"update\": 2, \"labels\": 18, \"loss\": 4}\n"
                            "{\"update\": 3, \"labels\": 27, \"loss\": 3}\n"
                            "{\"update\": 2, \"labels\": 18, \"loss\": 4.5}\n"
                            "{\"update\": 2, \"labels\": 18, \"loss\": 4.25}\n"),
                 DGM_OK);
    series = dgm_run_log_find(&log, "loss");
    CHECK_INT(series->points.count, 2);
    check_point(series, 1, 2, 4.25);
    CHECK_INT(log.resumed, 1);
    CHECK_NEAR(dgm_run_log_place(&log, DGM_AXIS_WORDS, 4), 36, 1e-9);
    dgm_run_log_clear(test_env(), &log);
}

TEST(run_log_only_the_last_line_may_be_cut)
{
    struct dgm_run_log log;

    CHECK_STATUS(read(&log, "{\"update\": 1, \"loss\": 5}\n{\"update\": 2, \"lo"), DGM_OK);
    CHECK_INT(dgm_run_log_find(&log, "loss")->points.count, 1);
    dgm_run_log_clear(test_env(), &log);
    CHECK_STATUS(read(&log, "{\"update\": 1, \"loss\": 5}\n{\"update\": 2, \"loss\": 4}"), DGM_OK);
    CHECK_INT(dgm_run_log_find(&log, "loss")->points.count, 2);
    dgm_run_log_clear(test_env(), &log);
    CHECK_STATUS(read(&log, ""), DGM_OK);
    CHECK_INT(log.names.count, 0);
    dgm_run_log_clear(test_env(), &log);
    CHECK_STATUS(read(&log, "{\"update\": 1, \"lo\n{\"update\": 2, \"loss\": 4}\n"), DGM_DATA);
    CHECK_INT(test_env()->error.line, 1);
    dgm_env_clear_error(test_env());
    dgm_run_log_clear(test_env(), &log);
    CHECK_STATUS(read(&log, "{\"loss\": 5}\n"), DGM_DATA);
    dgm_env_clear_error(test_env());
    dgm_run_log_clear(test_env(), &log);
}

/* With a span of 3 the weight of a value halves from one line to the next. */
TEST(training_means_have_no_bias_to_the_first_value)
{
    static const char *const names[] = { "run" };
    struct dgm_training training;
    struct dgm_run_log log;
    int added = 0;

    CHECK_STATUS(read(&log, "{\"update\": 1, \"loss\": 4}\n{\"update\": 2, \"loss\": 1}\n"
                            "{\"update\": 3, \"loss\": inf}\n{\"update\": 4, \"loss\": 2}\n"
                            "{\"update\": 4, \"metric\": \"ce-mean-words\", \"value\": 7}\n"
                            "{\"update\": 5, \"metric\": \"ce-mean-words\", \"value\": 6}\n"
                            "{\"update\": 6, \"metric\": \"ce-mean-words\", \"value\": 9}\n"),
                 DGM_OK);
    memset(&training, 0, sizeof training);
    training.smooth = 3;
    training.logs = &log;
    training.names = names;
    training.runs = 1;
    CHECK_STATUS(dgm_training_add(test_env(), &training, "loss", &added), DGM_OK);
    CHECK_INT(added, 1);
    CHECK_NEAR(training.panels[0].shown.series[0].points[0].y, 4, 1e-12);
    CHECK_NEAR(training.panels[0].shown.series[0].points[1].y, 3 / 1.5, 1e-12);
    CHECK(isnan(training.panels[0].shown.series[0].points[2].y));
    CHECK_NEAR(training.panels[0].shown.series[0].points[3].y, 3.5 / 1.75, 1e-12);
    CHECK_NEAR(training.panels[0].low, 1, 1e-12);
    CHECK_INT(training.panels[0].not_finite, 1);
    CHECK(dgm_training_best(&training.panels[0], 0) == NULL);
    CHECK_STATUS(dgm_training_add(test_env(), &training, "ce-mean-words", &added), DGM_OK);
    CHECK_NEAR(dgm_training_best(&training.panels[1], 0)->x, 5, 0);
    CHECK_STATUS(dgm_training_add(test_env(), &training, "bleu", &added), DGM_OK);
    CHECK_INT(added, 0);
    CHECK_INT(training.panel_count, 2);
    dgm_training_clear(test_env(), &training);
    dgm_run_log_clear(test_env(), &log);
}
