/* test_launcher.c: how many processes a launcher has started, by what it tells each of them. */
#include "base/ranks/launcher.h"

#include <stdlib.h>

#include "test.h"

static const char *const names[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                     "MV2_COMM_WORLD_SIZE",  "PMIX_RANK",
                                     "SLURM_PROCID",         "SLURM_STEP_NUM_TASKS" };

enum { SIZES = 3, RANK = 3, TASKS = 5, COUNT = sizeof names / sizeof names[0] };

/* The test may itself be started by one. */
static void forget_all(void)
{
    for (int i = 0; i < COUNT; i++)
        unsetenv(names[i]);
}

static void check(const char *name, const char *value, int want)
{
    setenv(name, value, 1);
    CHECK_INT(dgm_launcher_ranks(), want);
}

TEST(launcher_tells_how_many_it_has_started)
{
    forget_all();
    CHECK_INT(dgm_launcher_ranks(), 1);
    for (int i = 0; i < SIZES; i++) {
        check(names[i], "4", 4);
        check(names[i], "0", 1);
        check(names[i], "-3", 1);
        check(names[i], "4x", 1);
        check(names[i], "99999999999", 1);
        unsetenv(names[i]);
    }
    check(names[TASKS], "6", 1); /* a shell of Slurm, not a step */
    for (int i = RANK; i < TASKS; i++) {
        check(names[i], "0", 6);
        unsetenv(names[i]);
    }
    forget_all();
}
