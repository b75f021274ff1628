/*
 * health.c: figures of a training run's health, and the limits beyond which it is sick.
 *
 * The limits are far from what is healthy, so that no run that learns is warned of. Attention: a
 * lexicalized encoder that did not learn had a mean largest weight of 0.97, on one position in 145
 * of 145 steps; one that learnt late had 0.52 with 0.99 of the steps on one position. Where models
 * learn, all steps may look at the same position early, but with weights of 0.25; and when weights
 * are above 0.5, up to 0.8, less than 0.4 of the steps do. States: those of lexicalized encoders
 * that learn were up to 10, those of chains of words 400,000.
 */
#include "train/watch/health.h"

#include <math.h>
#include <string.h>

#include "base/number/number.h"

/* Before that many updates attention looks anywhere. */
enum { FIRST_UPDATE = 300 };

/* Of the root mean square of a state. GRUs keep states below 1, but a sum of two states, or gates
 * that add up to more than 1, do not; what layer norm makes has no such limit. */
enum { MOST_STATE = 25 };
/* Of the mean largest weight, and of the share of target tokens that look at the same word. */
#define MOST_PEAK 0.5
#define MOST_SAME 0.8

struct symptom {
    const char *name; /* what a warning says when the symptom is gone */
    int (*is_there)(const struct dgm_run *run, const struct dgm_health *health);
    void (*warn)(const struct dgm_run *run, const struct dgm_health *health);
};

static long long update_of(const struct dgm_run *run)
{
    return (long long)run->state.updates;
}

/* How to take smaller steps: Adadelta has no rate. */
static const char *smaller_steps(const struct dgm_run *run)
{
    const char *optimizer = dgm_settings_text(run->settings, "optimizer");

    return strcmp(optimizer, "adadelta") == 0 ? "a smaller --adadelta-eps" : "a lower --lr";
}

/* ---- states ---------------------------------------------------------------------------------- */

static int has_large_states(const struct dgm_run *run, const struct dgm_health *health)
{
    const char *encoder = dgm_settings_text(run->settings, "encoder");

    return !isfinite(health->largest_state) ||
           (strcmp(encoder, "transformer") != 0 && health->largest_state > MOST_STATE);
}

/* Options behind growing states, where there are any. */
static const char *states_remedy(const struct dgm_run *run)
{
    const struct dgm_settings *settings = run->settings;
    const char *encoder = dgm_settings_text(settings, "encoder");

    if (strcmp(encoder, "lexicalized") == 0 &&
        strcmp(dgm_settings_text(settings, "carry"), "sum") == 0)
        return strcmp(dgm_settings_text(settings, "no-parse"), "chain") == 0
                   ? "--no-parse star, --carry mean, "
                   : "--carry mean, ";
    if (strcmp(encoder, "constituency") == 0 &&
        strcmp(dgm_settings_text(settings, "tree-cell"), "tg12") == 0)
        return "--tree-cell tg10, ";
    return "";
}

static void warn_of_states(const struct dgm_run *run, const struct dgm_health *health)
{
    char largest[32], all[32];

    dgm_log(
        run->env, DGM_LOG_WARNING,
        "update %lld: states of the encoder grow: the root mean square of the largest is %s, of "
        "all %s; expected below %d. Try %s%s, or --clip-norm 1",
        update_of(run), dgm_number_fixed(largest, health->largest_state, 2),
        dgm_number_fixed(all, health->state_rms, 2), MOST_STATE, states_remedy(run),
        smaller_steps(run));
}

/* ---- attention ------------------------------------------------------------------------------- */

static int has_locked_attention(const struct dgm_run *run, const struct dgm_health *health)
{
    (void)run;
    return health->peak > MOST_PEAK && health->same > MOST_SAME;
}

static void warn_of_attention(const struct dgm_run *run, const struct dgm_health *health)
{
    char peak[32], same[32];

    dgm_log(run->env, DGM_LOG_WARNING,
            "update %lld: attention is locked on one position of each sentence: the mean largest "
            "weight is %s, and a share of %s of target tokens look at the same word; expected less "
            "than 0.5 or 0.8. Try %s, or another --seed",
            update_of(run), dgm_number_fixed(peak, health->peak, 2),
            dgm_number_fixed(same, health->same, 2), smaller_steps(run));
}

/* ---- all ------------------------------------------------------------------------------------- */

static const struct symptom symptoms[] = {
    { "states of the encoder", has_large_states, warn_of_states },
    { "attention", has_locked_attention, warn_of_attention },
};

/* Once for each symptom, and again where it was gone meanwhile. */
static void tell_symptoms(const struct dgm_run *run, struct dgm_symptoms *told,
                          const struct dgm_health *health)
{
    for (unsigned i = 0; i < sizeof symptoms / sizeof symptoms[0]; i++) {
        const unsigned bit = 1u << i;
        const int is_there = symptoms[i].is_there(run, health);

        if (is_there && !(told->bits & bit))
            symptoms[i].warn(run, health);
        if (!is_there && (told->bits & bit))
            dgm_log(run->env, DGM_LOG_NOTE, "update %lld: %s recovered", update_of(run),
                    symptoms[i].name);
        told->bits = is_there ? told->bits | bit : told->bits & ~bit;
    }
}

dgm_status dgm_train_health(struct dgm_run *run, struct dgm_symptoms *told,
                            struct dgm_report *report, const struct dgm_health *health,
                            const struct dgm_gradient_norms *norms)
{
    DGM_TRY(dgm_report_health(run->env, report, &run->state, health, norms));
    if (run->state.updates >= FIRST_UPDATE)
        tell_symptoms(run, told, health);
    return DGM_OK;
}
