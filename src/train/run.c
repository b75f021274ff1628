/* run.c: what the settings say about the loop, and which rank of how many this process is. */
#include "train/run.h"

#include <string.h>

#include "base/ranks/ranks.h"

int dgm_run_count(const struct dgm_run *run)
{
    return run->ranks != NULL ? run->ranks->count : 1;
}

int dgm_run_rank(const struct dgm_run *run)
{
    return run->ranks != NULL ? run->ranks->rank : 0;
}

/* ---- options --------------------------------------------------------------------------------- */

static struct dgm_length read_length(const struct dgm_settings *settings, const char *name)
{
    struct dgm_length length;

    length.value = dgm_settings_length(settings, name, &length.unit);
    return length;
}

static dgm_status read_intervals(const struct dgm_run *run, struct dgm_run_options *options)
{
    const struct dgm_settings *s = run->settings;

    options->after = read_length(s, "after");
    options->display = read_length(s, "disp-freq");
    options->save = read_length(s, "save-freq");
    options->validate = read_length(s, "valid-freq");
    if (strchr("ue", options->save.unit) == NULL || strchr("ue", options->validate.unit) == NULL ||
        options->display.unit != 'u')
        return dgm_fail(run->env, DGM_USAGE,
                        "save-freq and valid-freq count updates (u) or "
                        "epochs (e), disp-freq updates (u)");
    return DGM_OK;
}

static void read_order(const struct dgm_settings *s, struct dgm_run_options *options)
{
    options->order.seed = options->seed;
    options->fits_memory = strcmp(dgm_settings_text(s, "batch-tokens"), "auto") == 0;
    options->order.batch_tokens = dgm_settings_int(s, "batch-tokens"); /* auto: not chosen yet */
    options->order.batch_sentences = dgm_settings_int(s, "batch-size");
    options->order.window = dgm_settings_int(s, "length-buckets");
}

dgm_status dgm_run_read(struct dgm_run *run)
{
    const struct dgm_settings *s = run->settings;
    const int64_t average = dgm_settings_int(s, "average");
    struct dgm_run_options *options = &run->options;

    options->seed = (uint32_t)dgm_settings_int(s, "seed");
    options->accumulate = dgm_settings_int(s, "accumulate");
    options->patience = dgm_settings_int(s, "early-stopping");
    options->by_sentence = strcmp(dgm_settings_text(s, "cost-type"), "mean") == 0;
    options->decides = dgm_settings_item(s, "valid-metrics", 0);
    options->keep = (size_t)dgm_settings_int(s, "keep-last");
    /* The final model is a mean over the last checkpoints: they must still be there. */
    if ((int64_t)options->keep < average)
        options->keep = (size_t)average;
    read_order(s, options);
    return read_intervals(run, options);
}
