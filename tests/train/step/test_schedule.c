/*
 * test_schedule.c: learning rates: golden figures, figures of specification 1.9, property B2.
 */
#include <math.h>

#include "json.h"
#include "train/step/schedule.h"

static struct dgm_schedule noam(double dim, double warmup)
{
    struct dgm_schedule schedule = { DGM_SCHEDULE_NOAM, 1, 0, 0, 0 };

    schedule.dim = dim;
    schedule.warmup = warmup;
    return schedule;
}

static struct dgm_schedule inverse_sqrt(double rate, double warmup, double initial)
{
    struct dgm_schedule schedule = { DGM_SCHEDULE_INVERSE_SQRT, 0, 0, 0, 1 };

    schedule.rate = rate;
    schedule.warmup = warmup;
    schedule.initial = initial;
    return schedule;
}

/* Noam is printed for update t, which follows t - 1 completed ones. */
static double noam_at(const struct dgm_schedule *schedule, int64_t t)
{
    return dgm_schedule_rate(schedule, t - 1);
}

TEST(schedule_gives_the_rates_of_the_specification)
{
    struct dgm_schedule n = noam(512, 4000), a = inverse_sqrt(7e-4, 8000, 1e-7);
    struct dgm_schedule b = inverse_sqrt(1e-3, 4000, 1e-7);

    CHECK_NEAR(noam_at(&n, 1), 1.74693e-7, 1e-12);
    CHECK_NEAR(noam_at(&n, 1000), 1.74693e-4, 1e-9);
    CHECK_NEAR(noam_at(&n, 4000), 6.98771e-4, 1e-9);
    CHECK_NEAR(noam_at(&n, 100000), 1.39754e-4, 1e-9);
    CHECK_NEAR(dgm_schedule_rate(&a, 1000), 8.7588e-5, 1e-9);
    CHECK_NEAR(dgm_schedule_rate(&a, 8000), 7e-4, 1e-15);
    CHECK_NEAR(dgm_schedule_rate(&a, 60000), 2.55604e-4, 1e-9);
    CHECK_NEAR(dgm_schedule_rate(&b, 1000), 2.50075e-4, 1e-12);
    CHECK_NEAR(dgm_schedule_rate(&b, 16000), 5e-4, 1e-15);
}

TEST(schedule_begins_at_the_initial_rate_and_may_be_constant)
{
    struct dgm_schedule s = inverse_sqrt(1e-3, 4000, 1e-7);

    CHECK_NEAR(dgm_schedule_rate(&s, 0), 1e-7, 0);
    s.kind = DGM_SCHEDULE_CONSTANT;
    CHECK_NEAR(dgm_schedule_rate(&s, 0), 1e-3, 0);
    CHECK_NEAR(dgm_schedule_rate(&s, 123456), 1e-3, 0);
}

TEST(schedule_is_continuous_at_the_end_of_the_warmup)
{
    struct dgm_schedule n = noam(512, 4000), s = inverse_sqrt(7e-4, 8000, 1e-7);

    CHECK_NEAR(noam_at(&n, 4001) / noam_at(&n, 4000), 1, 1e-3);
    CHECK_NEAR(dgm_schedule_rate(&s, 7999) / dgm_schedule_rate(&s, 8000), 1, 1e-3);
    CHECK_NEAR(dgm_schedule_rate(&s, 8001) / dgm_schedule_rate(&s, 8000), 1, 1e-3);
}

TEST(schedule_of_vaswani_is_an_inverse_square_root_without_initial_rate)
{
    struct dgm_schedule n = noam(512, 4000);
    struct dgm_schedule s = inverse_sqrt(1 / sqrt(512.0 * 4000), 4000, 0);
    int64_t t;

    for (t = 1; t < 20000; t += 7)
        CHECK_NEAR(noam_at(&n, t) / dgm_schedule_rate(&s, t), 1, 1e-12);
}

TEST(schedule_gives_the_golden_rates)
{
    const char *shared = test_shared(), *at, *rates;
    struct dgm_buf text = { NULL, 0, 0, 0 };
    double t[16], want[16];
    int cases = 0, count, i;

    if (shared == NULL)
        TEST_SKIP("no shared data");
    CHECK(json_read(&text, shared, "schedules.json"));
    for (at = text.data; (at = json_find(at, "name")) != NULL; cases++) {
        int is_noam = strncmp(at + strspn(at, " "), "\"noam\"", 6) == 0;
        struct dgm_schedule s =
            is_noam ? noam(json_number(at, "d"), json_number(at, "warmup"))
                    : inverse_sqrt(json_number(at, "lr_peak"), json_number(at, "warmup"),
                                   json_number(at, "init"));
        at = json_find(at, "t");
        rates = json_find(at, "lr");
        CHECK(at != NULL && rates != NULL);
        count = json_count(at);
        CHECK(count <= 16 && count == json_count(rates));
        CHECK(json_numbers(at, t, count) != NULL && json_numbers(rates, want, count) != NULL);
        for (i = 0; i < count; i++)
            CHECK_NEAR(dgm_schedule_rate(&s, (int64_t)t[i] - is_noam) / want[i], 1, 1e-12);
    }
    CHECK_INT(cases, 5);
    dgm_buf_clear(test_env(), &text);
}
