/*
 * test_cutter.c: what is staged of a text for the network that cuts it: windows that see as far as
 * its layers, characters that are taken for unknown ones, places of dropout, rows that are asked.
 */
#include "model/parser/cutter.h"

#include <string.h>

#include "open_device.h"
#include "test.h"

enum { ROWS = 400, FIRST = 120, END = 200, UNKNOWN_ID = 77 };

struct lab {
    struct dgm_device *device;
    struct dgm_feed feed;
    struct dgm_cutter_step step;
    struct dgm_characters text;
    int32_t ids[ROWS], kinds[ROWS], labels[ROWS];
};

/* Every tenth row is a blank. */
static dgm_status open_lab(struct lab *lab)
{
    memset(lab, 0, sizeof *lab);
    for (int32_t i = 0; i < ROWS; i++) {
        lab->ids[i] = UNKNOWN_ID + i;
        lab->kinds[i] = i % 10 == 0 ? DGM_CHARACTER_BLANK : DGM_CHARACTER_LOWER;
        lab->labels[i] = i % 3;
    }
    lab->text.ids = lab->ids;
    lab->text.kinds = lab->kinds;
    lab->text.count = ROWS;
    DGM_TRY(open_device(test_env(), &lab->device, 1));
    dgm_feed_init(&lab->feed, lab->device);
    return DGM_OK;
}

static void close_lab(struct lab *lab)
{
    dgm_feed_clear(test_env(), &lab->feed);
    dgm_device_close(test_env(), lab->device);
}

static void stage(struct lab *lab, int32_t first, int32_t end, const int32_t *labels, double rate)
{
    const struct dgm_text_span span = { first, end, 0, ROWS };
    const struct dgm_cutter_noise noise = { rate, { 5, 6 } };

    dgm_feed_reset(&lab->feed);
    CHECK_STATUS(dgm_cutter_stage(test_env(), &lab->feed, &lab->step, &lab->text, &span, 1, labels,
                                  labels != NULL ? &noise : NULL),
                 DGM_OK);
}

TEST(cutter_windows_reach_as_far_as_its_layers)
{
    struct lab lab;
    const int32_t *ids;

    CHECK_STATUS(open_lab(&lab), DGM_OK);
    stage(&lab, FIRST, END, NULL, 0);
    CHECK_INT(lab.step.rows, END - FIRST + 2 * DGM_CUTTER_REACH);
    ids = dgm_feed_host(&lab.feed, lab.step.ids);
    CHECK_INT(ids[0], UNKNOWN_ID + FIRST - DGM_CUTTER_REACH);
    CHECK_INT(ids[lab.step.rows - 1], UNKNOWN_ID + END + DGM_CUTTER_REACH - 1);
    CHECK_INT(lab.step.asked_count, END - FIRST);
    stage(&lab, 0, ROWS, NULL, 0); /* a paragraph has ends */
    CHECK_INT(lab.step.rows, ROWS);
    close_lab(&lab);
}

static int count_unknown(const struct lab *lab)
{
    const int32_t *ids = dgm_feed_host(&lab->feed, lab->step.ids);
    int count = 0;

    for (int64_t i = 0; i < lab->step.rows; i++)
        count += ids[i] == DGM_VOCAB_UNK;
    return count;
}

/* Of 400 rows, by the rate; five standard deviations are 43 at the most. */
TEST(cutter_takes_characters_for_unknown_ones_by_their_rate)
{
    struct lab lab;

    CHECK_STATUS(open_lab(&lab), DGM_OK);
    for (int percent = 0; percent <= 100; percent += 25) {
        stage(&lab, 0, ROWS, lab.labels, percent / 100.0);
        CHECK_NEAR(count_unknown(&lab), ROWS * percent / 100.0, percent % 100 > 0 ? 50 : 0);
    }
    close_lab(&lab);
}

/* A row's dropout is that of its place in the text and of its span's, whatever is beside it. */
TEST(cutter_asks_for_characters_and_tells_their_places)
{
    struct lab lab;
    const int32_t *places, *asked, *targets;

    CHECK_STATUS(open_lab(&lab), DGM_OK);
    stage(&lab, FIRST, END, lab.labels, 0.5);
    places = dgm_feed_host(&lab.feed, lab.step.places);
    for (int32_t i = 0; i < (int32_t)lab.step.rows; i++) {
        CHECK_INT(places[2 * i], FIRST);
        CHECK_INT(places[2 * i + 1], FIRST - DGM_CUTTER_REACH + i);
    }
    CHECK_INT(lab.step.asked_count, (END - FIRST) / 10 * 9);
    asked = dgm_feed_host(&lab.feed, lab.step.asked);
    targets = dgm_feed_host(&lab.feed, lab.step.targets);
    CHECK_INT(asked[0], DGM_CUTTER_REACH + 1); /* the first row is a blank */
    for (int64_t i = 0; i < lab.step.asked_count; i++)
        CHECK_INT(targets[i], (asked[i] + FIRST - DGM_CUTTER_REACH) % 3);
    close_lab(&lab);
}
