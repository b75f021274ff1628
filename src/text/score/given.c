/* given.c: the mean of scores that another program has computed. */
#include "text/score/given.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

enum { SUM, LINES, WIDTH };

struct given {
    char name[DGM_GIVEN_NAME];
};

static double score(const void *state, const int64_t *sums)
{
    (void)state;
    return sums[LINES] > 0 ? (double)sums[SUM] / (double)sums[LINES] * DGM_GIVEN_UNIT : 0;
}

static dgm_status print_name(struct dgm_env *env, struct dgm_buf *out, const void *state)
{
    return dgm_buf_add_text(env, out, ((const struct given *)state)->name);
}

static dgm_status print_signature(struct dgm_env *env, struct dgm_buf *out, const void *state,
                                  int is_short)
{
    (void)state;
    return dgm_buf_add_text(env, out, is_short ? "l:mean" : "lines:mean");
}

const struct dgm_metric dgm_metric_given = {
    .name = "given",
    .title = "Given",
    .options = { DGM_OPT_END },
    .width = WIDTH,
    .state_bytes = sizeof(struct given),
    .score = score,
    .print_name = print_name,
    .print_signature = print_signature,
};

dgm_status dgm_given_open(struct dgm_env *env, struct dgm_measure *measure, const char *name)
{
    struct given *given;

    DGM_TRY(dgm_new(env, &given, 1, sizeof *given));
    measure->metric = &dgm_metric_given;
    measure->state = given;
    snprintf(given->name, sizeof given->name, "%s", name);
    return DGM_OK;
}

void dgm_given_count(struct dgm_metric_count *count, double value)
{
    memset(count, 0, sizeof *count);
    count->sums[SUM] = llround(value / DGM_GIVEN_UNIT);
    count->sums[LINES] = 1;
}

int dgm_given_fits(double largest, long sentences)
{
    return largest / DGM_GIVEN_UNIT * (double)sentences < 9e18;
}
