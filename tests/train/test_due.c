/*
 * test_due.c: when something is due, and how much of a run is done, in each unit.
 */
#include "train/due.h"

#include <string.h>

#include "test.h"

/* A run in epoch 3 of batches of which 40 were used. */
static void begin(struct dgm_run *run, struct dgm_course *course)
{
    memset(run, 0, sizeof *run);
    memset(course, 0, sizeof *course);
    course->order.batches = 80;
    run->state.updates = 500;
    run->state.labels = 30000;
    run->state.epoch = 3;
    run->state.batch = 40;
}

static void check_end(struct dgm_run *run, const struct dgm_course *course, char unit, double value,
                      double share)
{
    run->options.after.unit = unit;
    run->options.after.value = value;
    CHECK(dgm_due_share(run, course, 1800) == share);
    CHECK_INT(dgm_due_end(run, course, 1800), share >= 1);
}

TEST(due_counts_in_every_unit)
{
    struct dgm_course course;
    struct dgm_run run;

    begin(&run, &course);
    check_end(&run, &course, 'u', 1000, 0.5);
    check_end(&run, &course, 'u', 500, 1);
    check_end(&run, &course, 't', 120000, 0.25);
    check_end(&run, &course, 'e', 5, 0.5);
    check_end(&run, &course, 'h', 1, 0.5);
    check_end(&run, &course, 'm', 30, 1);
    check_end(&run, &course, 's', 7200, 0.25);
}

/* The third epoch ends with an update, and with the next one that begins a fourth. */
TEST(due_comes_with_the_end_of_an_epoch)
{
    const struct dgm_length third = { 3, 'e' }, hundredth = { 100, 'u' };
    struct dgm_course course;
    struct dgm_run run;

    begin(&run, &course);
    CHECK(dgm_due_is(&run, &course, hundredth, 2));
    CHECK(!dgm_due_is(&run, &course, third, 2));
    run.state.batch = 80;
    CHECK(dgm_due_is(&run, &course, third, 2));
    CHECK(!dgm_due_is(&run, &course, third, 3));
    run.state.epoch = 4;
    run.state.batch = 1;
    CHECK(dgm_due_is(&run, &course, third, 2));
    run.state.updates = 501;
    CHECK(!dgm_due_is(&run, &course, hundredth, 2));
}

TEST(due_ends_early_with_patience_alone)
{
    struct dgm_course course;
    struct dgm_run run;

    begin(&run, &course);
    run.state.stalled = 9;
    CHECK(!dgm_due_early_end(&run));
    run.options.patience = 10;
    CHECK(!dgm_due_early_end(&run));
    run.state.stalled = 10;
    CHECK(dgm_due_early_end(&run));
}
