/*
 * mixture.c: weights of texts, from the options to the pairs of an epoch.
 */
#include "train/translation/sets/mixture.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"

/* ---- weights --------------------------------------------------------------------------------- */

static int has_temperature(const struct dgm_run *run)
{
    return dgm_settings_text(run->settings, "train-temperature") != NULL;
}

/* Texts of a list have weights of their own; all of them, or none. */
static dgm_status check_listed(const struct dgm_run *run, const struct dgm_sets *sets,
                               int *has_weights)
{
    const struct dgm_text_list *texts = &sets->texts;
    size_t count = 0, without = 0;

    for (size_t i = 0; i < texts->count; i++) {
        count += texts->items[i].weight > 0;
        if (!(texts->items[i].weight > 0))
            without = i;
    }
    *has_weights = count > 0;
    if (count == 0 || count == texts->count)
        return DGM_OK;
    return dgm_fail_at(run->env, DGM_USAGE, texts->items[without].path[DGM_SOURCE], 0, 0,
                       "this text has no weight in --train-list, and others have; expected one for "
                       "each, or none");
}

dgm_status dgm_sets_mixture_read(const struct dgm_run *run, struct dgm_sets *sets)
{
    const struct dgm_settings *settings = run->settings;
    const size_t count = dgm_settings_count(settings, "train-weights");
    int has_weights;

    DGM_TRY(check_listed(run, sets, &has_weights));
    if (count > 0 && has_weights)
        return dgm_fail(run->env, DGM_USAGE,
                        "--train-weights and --train-list both have weights; expected one of them");
    if ((count > 0 || has_weights) && has_temperature(run))
        return dgm_fail(run->env, DGM_USAGE,
                        "weights of texts and --train-temperature; expected one of them");
    if (count > 0 && count != sets->texts.count)
        return dgm_fail(run->env, DGM_USAGE,
                        "--train-weights has %zu value%s for %zu text%s; expected one for each",
                        count, count == 1 ? "" : "s", sets->texts.count,
                        sets->texts.count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        const char *item = dgm_settings_item(settings, "train-weights", i);
        (void)dgm_number_real(&sets->texts.items[i].weight, item, strlen(item));
    }
    return DGM_OK;
}

static double weight_of(const struct dgm_run *run, const struct dgm_sets *sets, size_t i)
{
    return has_temperature(run)
               ? dgm_mixture_weight(sets->train.parts[i].pairs, sets->train.used,
                                    dgm_settings_real(run->settings, "train-temperature"))
               : sets->texts.items[i].weight;
}

static int is_mixed(const struct dgm_run *run, const struct dgm_sets *sets)
{
    return sets->texts.count > 1 && (has_temperature(run) || sets->texts.items[0].weight > 0);
}

static dgm_status make(const struct dgm_run *run, struct dgm_sets *sets)
{
    struct dgm_env *env = run->env;
    const size_t count = sets->texts.count;
    double *weights;
    char why[sizeof env->error.message];
    size_t bad;
    dgm_status status;

    DGM_TRY(dgm_new(env, &weights, count, sizeof *weights));
    for (size_t i = 0; i < count; i++)
        weights[i] = weight_of(run, sets, i);
    dgm_mixture_clear(env, &sets->mixture);
    status = dgm_mixture_init(env, &sets->mixture, sets->train.parts, weights, count,
                              run->options.seed, &bad);
    dgm_release(env, weights);
    if (status != DGM_USAGE)
        return status;
    snprintf(why, sizeof why, "%s", env->error.message);
    dgm_env_clear_error(env);
    return dgm_fail_at(env, DGM_USAGE, sets->texts.items[bad].path[DGM_SOURCE], 0, 0, "%s", why);
}

const struct dgm_mixture *dgm_sets_mixture(const struct dgm_sets *sets)
{
    return sets->mixture.count > 0 ? &sets->mixture : NULL;
}

/* ---- what is said of them -------------------------------------------------------------------- */

static int64_t wanted(const struct dgm_sets *sets, size_t i)
{
    return sets->mixture.count > 0 ? sets->mixture.texts[i].wanted : sets->train.parts[i].pairs;
}

static void report(const struct dgm_run *run, const struct dgm_sets *sets, size_t i)
{
    const struct dgm_text *text = &sets->texts.items[i];
    const int64_t pairs = sets->train.parts[i].pairs;
    char share[32], times[32];

    dgm_log(run->env, DGM_LOG_NOTE,
            "text %zu: %s: %lld pairs, %s %% of an epoch, each %s times%s%s", i + 1,
            text->path[DGM_SOURCE], (long long)pairs,
            dgm_number_fixed(share, 100.0 * (double)wanted(sets, i) / (double)sets->train.used, 1),
            dgm_number_fixed(times, (double)wanted(sets, i) / (double)pairs, 3),
            text->tag != NULL ? ", behind " : "", text->tag != NULL ? text->tag : "");
}

dgm_status dgm_sets_mixture_make(const struct dgm_run *run, struct dgm_sets *sets)
{
    if (is_mixed(run, sets))
        DGM_TRY(make(run, sets));
    for (size_t i = 0; i < sets->texts.count && sets->texts.count > 1; i++)
        report(run, sets, i);
    return DGM_OK;
}

dgm_status dgm_sets_mixture_describe(struct dgm_env *env, const struct dgm_sets *sets,
                                     struct dgm_buf *out)
{
    dgm_buf_reset(out);
    if (sets->texts.count == 1 && sets->texts.items[0].tag == NULL)
        return DGM_OK;
    for (size_t i = 0; i < sets->texts.count; i++) {
        const char *tag = sets->texts.items[i].tag;
        DGM_TRY(dgm_buf_add_format(env, out, "%llx %lld %lld %s\n",
                                   (unsigned long long)sets->train.parts[i].checksum,
                                   (long long)sets->train.parts[i].pairs,
                                   (long long)wanted(sets, i), tag != NULL ? tag : "-"));
    }
    return DGM_OK;
}
