/* test_link_speed.c: links as users write them. */
#include "test.h"
#include "train/plan/link_speed.h"

static void check_speed(const char *text, double rate, double latency, double message)
{
    struct dgm_link_speed speed = { 0, 0, 0 };

    CHECK(dgm_link_speed_read(text, &speed));
    CHECK_NEAR(speed.rate, rate, 1e-9 * rate);
    CHECK_NEAR(speed.latency, latency, 1e-15);
    CHECK_NEAR(speed.message, message, 1e-15);
}

TEST(link_speed_reads_units)
{
    check_speed("100Gbit,2us", 12.5e9, 2e-6, 2e-6);
    check_speed("1Gbit,1ms", 125e6, 1e-3, DGM_LINK_MESSAGE);
    check_speed("2.5Gbit,0.05ms,20us", 312.5e6, 5e-5, 2e-5);
    check_speed("400Mbit,800ns", 50e6, 8e-7, 8e-7);
    check_speed("0.1Tbit,0s", 12.5e9, 0, 0);
    check_speed("9600bit,1s", 1200, 1, DGM_LINK_MESSAGE);
    check_speed("56Kbit,100ms,0us", 7000, 0.1, 0);
}

TEST(link_speed_refuses_the_rest)
{
    static const char *const texts[] = { "",
                                         "100Gbit",
                                         "2us",
                                         "100Gbit,",
                                         ",2us",
                                         "100Gbit,2",
                                         "100,2us",
                                         "0Gbit,2us",
                                         "100Gb,2us",
                                         "100GB,2us",
                                         "100gbit,2us",
                                         "100 Gbit,2us",
                                         "100Gbit, 2us",
                                         "-1Gbit,2us",
                                         "100Gbit,-2us",
                                         "1e9bit,2us",
                                         "100Gbit,2us,",
                                         "100Gbit,2us,1us,1us",
                                         "nanGbit,1us",
                                         "100Gbit,2us ",
                                         "1.2.3Gbit,1us",
                                         "100Gbit,2min" };
    struct dgm_link_speed speed = { 7, 7, 7 };
    unsigned i;

    for (i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (dgm_link_speed_read(texts[i], &speed))
            CHECK_STR(texts[i], "refused");
    CHECK_NEAR(speed.rate, 7, 0);
}
