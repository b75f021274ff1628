/*
 * test_opencl_schedule.c: when a launch of groups of unlike lengths ends: as if each group went to
 * the first place that is free. Needs no device.
 */
#include "base/philox.h"
#include "config.h"
#include "test.h"

#ifdef DGM_HAVE_OPENCL
#include "device/opencl/gemm/schedule.h"

enum { MOST_PLACES = 40 };

/* The definition, group by group. */
static int64_t end_of(const struct dgm_cl_load *loads, int count, int places)
{
    int64_t time[MOST_PLACES] = { 0 }, last = 0;

    for (int i = 0; i < count; i++)
        for (int64_t group = 0; group < loads[i].groups; group++) {
            int first = 0;

            for (int p = 1; p < places; p++)
                if (time[p] < time[first])
                    first = p;
            time[first] += loads[i].length;
        }
    for (int p = 0; p < places; p++)
        if (time[p] > last)
            last = time[p];
    return last;
}

TEST(opencl_schedule_ends_as_groups_in_their_order_do)
{
    struct dgm_random random;

    dgm_random_init(&random, 5, 0, 0, 0);
    for (int trial = 0; trial < 20000; trial++) {
        const int places = 1 + (int)dgm_random_below(&random, MOST_PLACES);
        const int count = (int)dgm_random_below(&random, DGM_CL_MOST_LOADS + 1);
        const uint32_t longest = 1 + dgm_random_below(&random, 40);
        struct dgm_cl_load loads[DGM_CL_MOST_LOADS];

        for (int i = 0; i < count; i++) {
            loads[i].groups = dgm_random_below(&random, 60);
            loads[i].length = dgm_random_below(&random, longest);
        }
        CHECK_INT(dgm_cl_schedule_end(loads, count, places), end_of(loads, count, places));
    }
}

/* It is asked for each product of an update: no longer for a million groups. */
TEST(opencl_schedule_counts_rounds_at_once)
{
    static const struct dgm_cl_load loads[] = { { 3, 7 }, { INT64_C(1) << 40, 5 }, { 1, 2 } };

    CHECK_INT(dgm_cl_schedule_end(loads, 3, 1), 21 + (INT64_C(5) << 40) + 2);
    CHECK_INT(dgm_cl_schedule_end(loads, 2, INT64_C(1) << 39), 15); /* three have three */
    CHECK_INT(dgm_cl_schedule_end(loads, 0, 7), 0);
}
#else
#define NEEDS_OPENCL(name)                     \
    TEST(name)                                 \
    {                                          \
        TEST_SKIP("this build has no OpenCL"); \
    }
NEEDS_OPENCL(opencl_schedule_ends_as_groups_in_their_order_do)
NEEDS_OPENCL(opencl_schedule_counts_rounds_at_once)
#endif
