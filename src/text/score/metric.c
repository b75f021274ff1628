/* metric.c: the list of metrics, and a metric at work. */
#include "text/score/metric.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

/* clang-format off */
static const struct dgm_opt common[] = {
    { .name = "sentence-level", .type = DGM_OPT_FLAG, .aliases = "sl",
      .help = "Score every line by itself, -sl for short; BLEU then uses the orders that fit" },
    { .name = "force", .type = DGM_OPT_FLAG, .help = "Do not warn of text that looks tokenised" },
    DGM_OPT_END
};
/* clang-format on */

const struct dgm_opt *const dgm_metric_tables[] = {
    common,
#define METRIC(name) dgm_metric_##name.options,
#include "text/score/metric_list.h"
    NULL,
};

static const struct dgm_metric *const metrics[] = {
#define METRIC(name) &dgm_metric_##name,
#include "text/score/metric_list.h"
};

/* All names. */
static const struct entry {
    const char *name;
    const struct dgm_metric *metric;
    const char *option, *value;
} entries[] = {
#define METRIC(name) { #name, &dgm_metric_##name, NULL, NULL },
#define METRIC_ALSO(name, word, option, value) { word, &dgm_metric_##name, option, value },
#include "text/score/metric_list.h"
};

const struct dgm_metric *dgm_metric_entry(size_t i)
{
    return i < sizeof metrics / sizeof *metrics ? metrics[i] : NULL;
}

static const struct entry *find(const char *name)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (name == NULL || strcmp(entries[i].name, name) == 0)
            return &entries[i];
    return NULL;
}

const struct dgm_metric *dgm_metric_find(const char *name)
{
    const struct entry *entry = find(name);

    return entry != NULL ? entry->metric : NULL;
}

/* ---- at work --------------------------------------------------------------------------------- */

/* What a name says of an option that nobody has given another value. */
static dgm_status settle(struct dgm_env *env, struct dgm_settings *settings,
                         const struct entry *entry)
{
    struct dgm_setting *setting;

    if (entry->option == NULL)
        return DGM_OK;
    setting = dgm_settings_find(settings, entry->option, strlen(entry->option));
    if (strcmp(setting->value, setting->opt->fallback) != 0)
        return DGM_OK;
    return dgm_settings_store(env, setting, entry->value, entry->name);
}

dgm_status dgm_measure_open(struct dgm_env *env, struct dgm_measure *measure, const char *name,
                            struct dgm_settings *settings)
{
    const struct entry *entry = find(name);

    assert(entry != NULL && entry->metric->width <= DGM_METRIC_WIDTH);
    measure->metric = entry->metric;
    measure->state = dgm_alloc(env, 1, measure->metric->state_bytes);
    if (measure->state == NULL)
        return DGM_MEMORY;
    DGM_TRY(settle(env, settings, entry));
    if (measure->metric->configure == NULL)
        return DGM_OK;
    return measure->metric->configure(env, measure->state, settings);
}

dgm_status dgm_measure_open_valid(struct dgm_env *env, struct dgm_measure *measure,
                                  const struct dgm_metric *metric)
{
    struct dgm_settings settings;
    dgm_status status;

    DGM_TRY(dgm_settings_init(env, &settings, dgm_metric_tables));
    if (metric->valid != NULL)
        DGM_TRY_OUT(dgm_settings_set(env, &settings, metric->valid, "true", "default"));
    status = dgm_measure_open(env, measure, metric->name, &settings);
out:
    dgm_settings_clear(env, &settings);
    return status;
}

void dgm_measure_close(struct dgm_env *env, struct dgm_measure *measure)
{
    if (measure->state != NULL && measure->metric->clear != NULL)
        measure->metric->clear(env, measure->state);
    dgm_release(env, measure->state);
    measure->state = NULL;
}

dgm_status dgm_measure_count(struct dgm_env *env, struct dgm_measure *measure,
                             struct dgm_metric_count *count, struct dgm_metric_text hypothesis,
                             const struct dgm_metric_text *references, size_t reference_count)
{
    memset(count, 0, sizeof *count);
    count->looks = dgm_looks_of(hypothesis.data, hypothesis.bytes);
    for (size_t i = 0; i < reference_count; i++)
        count->looks |=
            references[i].data == NULL ? 0 : dgm_looks_of(references[i].data, references[i].bytes);
    return measure->metric->count(env, measure->state, count, hypothesis, references,
                                  reference_count);
}

void dgm_measure_add(const struct dgm_measure *measure, int64_t *sums, const int64_t *part)
{
    for (size_t i = 0; i < measure->metric->width; i++)
        sums[i] += part[i];
}

double dgm_measure_score(const struct dgm_measure *measure, const int64_t *sums)
{
    return measure->metric->score(measure->state, sums);
}

dgm_status dgm_measure_print_signature(struct dgm_env *env, struct dgm_buf *out,
                                       const struct dgm_measure *measure, int references,
                                       int is_short)
{
    const struct dgm_metric *metric = measure->metric;

    if (metric->count != NULL) { /* what others have counted says nothing of references */
        DGM_TRY(dgm_buf_add_text(env, out, is_short ? "#:" : "nrefs:"));
        DGM_TRY(references < 0 ? dgm_buf_add_text(env, out, "var")
                               : dgm_buf_add_format(env, out, "%d", references));
        DGM_TRY(dgm_buf_add_char(env, out, '|'));
    }
    if (metric->print_signature != NULL) {
        DGM_TRY(metric->print_signature(env, out, measure->state, is_short));
        DGM_TRY(dgm_buf_add_char(env, out, '|'));
    }
    DGM_TRY(dgm_buf_add_text(env, out, is_short ? "v:" : "version:"));
    return dgm_buf_add_text(env, out, DGM_METRIC_VERSION);
}
