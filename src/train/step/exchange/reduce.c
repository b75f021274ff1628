/* reduce.c: how gradients are added up, as log, checkpoints and model have it. */
#include "train/step/exchange/reduce.h"

#include <stdio.h>
#include <string.h>

#include "train/step/exchange/halves.h"

#define ORDERED "ordered f32"

int dgm_reduce_is_wanted_fast(const struct dgm_settings *settings)
{
    return strcmp(dgm_settings_text(settings, "reduce"), "fast") == 0;
}

int dgm_reduce_is_fast(const struct dgm_run *run)
{
    return run->ranks != NULL && dgm_reduce_is_wanted_fast(run->settings);
}

/* ---- what is told ---------------------------------------------------------------------------- */

/* The last of "ordered f32; ordered bf16"; nothing stands for the first. */
static const char *latest(const char *ways)
{
    const char *last = ways[0] != '\0' ? ways : ORDERED, *next;

    while ((next = strstr(last, "; ")) != NULL)
        last = next + 2;
    return last;
}

/* Sums of MPI depend on the number of ranks: it is a part of the way. */
static void describe(const struct dgm_run *run, char *out, size_t size)
{
    if (dgm_reduce_is_fast(run))
        snprintf(out, size, "fast f32 of %d ranks", dgm_run_count(run));
    else
        snprintf(out, size, "%s", dgm_halves_are_on(run->settings) ? "ordered bf16" : ORDERED);
}

static void log_way(const struct dgm_run *run)
{
    struct dgm_env *env = run->env;

    if (dgm_halves_are_on(run->settings))
        dgm_log(env, DGM_LOG_NOTE,
                "reduce: gradients of batches are rounded to bf16 (--reduce-type)");
    if (dgm_reduce_is_fast(run))
        dgm_log(env, DGM_LOG_NOTE,
                "reduce: MPI adds up the gradients of %d ranks (--reduce fast): the bytes of the "
                "model are not those of another number of ranks",
                dgm_run_count(run));
    else if (dgm_reduce_is_wanted_fast(run->settings))
        dgm_log(env, DGM_LOG_NOTE,
                "reduce: one process has no ranks to add up; --reduce fast changes nothing");
}

/* What no longer fits is told as "..". */
static void add_way(struct dgm_train_state *state, const char *now)
{
    char *ways = state->reduce;
    const size_t used = strlen(ways), more = strlen(now);

    if (state->updates == 0)
        strcpy(ways, "");
    else if (used + sizeof ORDERED + more + 3 > sizeof state->reduce)
        strcpy(ways, "..; ");
    else
        strcat(ways, used > 0 ? "; " : ORDERED "; ");
    strcat(ways, now);
}

void dgm_reduce_note(struct dgm_run *run)
{
    struct dgm_train_state *state = &run->state;
    char now[48];

    describe(run, now, sizeof now);
    log_way(run);
    if (strcmp(latest(state->reduce), now) == 0)
        return;
    if (state->updates > 0)
        dgm_log(run->env, DGM_LOG_WARNING,
                "resuming with gradients that are added up as %s what was trained with %s: the "
                "bytes of the model are those of neither",
                now, latest(state->reduce));
    add_way(state, now);
}
