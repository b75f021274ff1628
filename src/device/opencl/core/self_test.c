/*
 * self_test.c: trials of tasks before their first use, and their verdicts on disk.
 *
 * Only agreement is stored, as the titles of forms, one a line. A form that failed its trial is
 * tried again by the next process: that costs milliseconds, and a full disk or a driver that was
 * repaired leaves nothing behind.
 */
#include "device/opencl/core/self_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "base/hash.h"
#include "base/number/number.h"
#include "device/opencl/gemm/gemm_gpu.h"
#include "device/opencl/gemm/gemm_pair.h"
#include "device/opencl/gemm/gemm_tensor.h"
#include "device/opencl/run/run_gemm.h"
#include "device/opencl/system/cache.h"
#include "device/opencl/system/environment.h"
#include "device/trial/trial.h"

/*
 * Instances that are tried of each form. They are random, and differ in size and options; tasks
 * with many options, or with kernels that are chosen by size, need more. Those of a form are looked
 * for among MOST_SEEDS; at least one in three has it.
 */
enum { INSTANCES = 4, MORE_INSTANCES = 8, MOST_INSTANCES = 18, MOST_SEEDS = 100 };

/* Products that are tried two in a launch: as often two launches, so that the second adds up what
 * the first left. */
enum { PAIRED = 4, PAIR_TRIALS = 2 };

static int instances_of(enum dgm_task_kind kind)
{
    switch (kind) {
    case DGM_TASK_gemm: return MOST_INSTANCES;
    case DGM_TASK_attention_forward:
    case DGM_TASK_attention_backward: return MORE_INSTANCES;
    default: return INSTANCES;
    }
}

/* ---- on disk -------------------------------------------------------------------------------- */

static uint64_t make_key(const struct dgm_opencl *opencl)
{
    const uint64_t programs = dgm_cl_programs_key(opencl);
    const unsigned char variety[] = { INSTANCES,
                                      MORE_INSTANCES,
                                      MOST_INSTANCES,
                                      PAIR_TRIALS,
                                      opencl->clblast.Sgemm != NULL,
                                      (unsigned char)opencl->precision };
    struct dgm_hash hash;

    dgm_hash_init(&hash, 3);
    dgm_hash_add(&hash, DGM_VERSION, sizeof DGM_VERSION);
    dgm_hash_add(&hash, variety, sizeof variety);
    dgm_hash_add(&hash, &programs, sizeof programs);
    /* Which kernels a trial reaches depends on parameters that no program knows, too. */
    dgm_hash_add(&hash, opencl->tuning.value, sizeof opencl->tuning.value);
    return dgm_hash_value(&hash);
}

static void trust_title(struct dgm_opencl *opencl, const char *line, size_t length)
{
    char title[DGM_FORM_TITLE_SIZE];

    for (int form = 0; form < DGM_FORM_COUNT; form++) {
        dgm_cl_form_title(form, title);
        if (strlen(title) == length && memcmp(title, line, length) == 0)
            opencl->trust[form] = DGM_CL_TRUSTED;
    }
}

void dgm_cl_self_test_load(struct dgm_env *env, struct dgm_opencl *opencl)
{
    struct dgm_buf names = { .data = NULL };

    memset(opencl->trust, DGM_CL_UNTRIED, sizeof opencl->trust);
    if (!dgm_cl_wants_trials()) {
        memset(opencl->trust, DGM_CL_TRUSTED, sizeof opencl->trust);
        return;
    }
    dgm_cl_cache_get(env, make_key(opencl), &names);
    for (size_t begin = 0, end; begin < names.size; begin = end + 1) {
        const char *line = names.data + begin, *feed = memchr(line, '\n', names.size - begin);

        end = feed != NULL ? begin + (size_t)(feed - line) : names.size;
        trust_title(opencl, line, end - begin);
    }
    dgm_buf_clear(env, &names);
}

void dgm_cl_self_test_store(struct dgm_env *env, struct dgm_opencl *opencl)
{
    struct dgm_buf names = { .data = NULL };
    struct dgm_env quiet = dgm_env_quiet(env);
    dgm_status status;

    if (!opencl->has_new_trust)
        return;
    opencl->has_new_trust = 0;
    for (int form = 0; form < DGM_FORM_COUNT; form++) {
        char title[DGM_FORM_TITLE_SIZE];

        if (opencl->trust[form] != DGM_CL_TRUSTED)
            continue;
        dgm_cl_form_title(form, title);
        DGM_TRY_OUT(dgm_buf_add_format(&quiet, &names, "%s\n", title));
    }
    if (names.size > 0)
        dgm_cl_cache_put(env, make_key(opencl), names.data, names.size);
out:
    dgm_buf_clear(&quiet, &names);
}

/* ---- trials --------------------------------------------------------------------------------- */

static void tell_difference(const struct dgm_opencl *opencl, const struct dgm_verdict *verdict,
                            char words[DGM_EXPLAIN_SIZE])
{
    const int is_number = isfinite(verdict->worst);
    char apart[32] = "";

    if (is_number)
        dgm_number_print(apart, verdict->worst, 2);
    snprintf(words, DGM_EXPLAIN_SIZE, "it disagrees with the CPU%s %.200s (driver %.200s)",
             is_number ? " by" : ":", is_number ? apart : verdict->what, opencl->traits.driver);
}

static int has_form(const struct dgm_trial_filter *filter, enum dgm_task_kind kind,
                    const void *args)
{
    return dgm_cl_form_of(kind, args) == filter->form;
}

/* A trial has no place for a request to stop, or for a failure to hear of one: the call behind it
 * is told. */
static void keep_stop(struct dgm_opencl *opencl, const dgm_error *error)
{
    opencl->is_stopped |= error->status == DGM_INTERRUPTED;
    if (opencl->is_stopped)
        opencl->late = *error;
}

/* Compares instance `seed`, if it has the form; *count: instances that agree so far. If this one
 * does not, `words` says why. Errors end here: they are the device's fault, not the user's. */
static int agrees_on(struct dgm_env *env, struct dgm_opencl *opencl, int form, uint64_t seed,
                     int *count, char words[DGM_EXPLAIN_SIZE])
{
    const struct dgm_trial_filter filter = { has_form, form };
    struct dgm_env own = *env;
    struct dgm_verdict verdict;

    dgm_env_clear_error(&own);
    if (dgm_trial_compare_some(&own, opencl->device.host, &opencl->device, dgm_cl_form_task(form),
                               seed, &filter, &verdict) != DGM_OK) {
        keep_stop(opencl, &own.error);
        snprintf(words, DGM_EXPLAIN_SIZE, "it cannot be tried: %.600s", own.error.message);
        return 0;
    }
    *count += !verdict.is_left_out;
    if (verdict.worst <= DGM_TRIAL_TOLERANCE)
        return 1;
    tell_difference(opencl, &verdict, words);
    return 0;
}

/* Two by two in a launch, as far as the device has pairs (gemm/gemm_pair.h). */
static dgm_status run_in_pairs(struct dgm_env *env, struct dgm_device *device,
                               const void *const *args, int count)
{
    struct dgm_opencl *opencl = (struct dgm_opencl *)device;

    for (int i = 0; i < count; i += 2)
        if (dgm_cl_pair_begins(env, opencl, args[i]) &&
            dgm_cl_pair_fits(opencl, args[i], args[i + 1])) {
            DGM_TRY(dgm_cl_run_products(env, opencl, args[i], args[i + 1]));
        } else {
            DGM_TRY(dgm_device_run(env, device, DGM_TASK_gemm, args[i]));
            DGM_TRY(dgm_device_run(env, device, DGM_TASK_gemm, args[i + 1]));
        }
    return DGM_OK;
}

int dgm_cl_self_test_pairs(struct dgm_env *env, struct dgm_opencl *opencl,
                           char words[DGM_EXPLAIN_SIZE])
{
    for (int i = 0; i < PAIR_TRIALS; i++) {
        const uint64_t seed = DGM_TRIAL_PAIRS + (uint64_t)(i * PAIRED);
        struct dgm_env own = *env;
        struct dgm_verdict verdict;

        dgm_env_clear_error(&own);
        if (dgm_trial_compare_at_once(&own, opencl->device.host, &opencl->device, DGM_TASK_gemm,
                                      seed, PAIRED, run_in_pairs, &verdict) != DGM_OK) {
            keep_stop(opencl, &own.error);
            snprintf(words, DGM_EXPLAIN_SIZE, "it cannot be tried in pairs: %.600s",
                     own.error.message);
            return 0;
        }
        if (verdict.worst > DGM_TRIAL_TOLERANCE) {
            tell_difference(opencl, &verdict, words);
            return 0;
        }
    }
    return 1;
}

static int agrees(struct dgm_env *env, struct dgm_opencl *opencl, int form,
                  char words[DGM_EXPLAIN_SIZE])
{
    const int wanted = instances_of(dgm_cl_form_task(form));
    int count = 0;

    for (uint64_t seed = 1; count < wanted && seed <= MOST_SEEDS; seed++)
        if (!agrees_on(env, opencl, form, seed, &count, words))
            return 0;
    if (count == 0)
        snprintf(words, DGM_EXPLAIN_SIZE, "it cannot be tried: no instance has its form");
    if (form == (int)DGM_TASK_gemm && !dgm_cl_self_test_pairs(env, opencl, words))
        return 0;
    return count > 0;
}

/* Tries a form, unless its verdict is known; if the trial fails, `words` says why. */
static void try_form(struct dgm_env *env, struct dgm_opencl *opencl, int form,
                     char words[DGM_EXPLAIN_SIZE])
{
    unsigned char *trust = &opencl->trust[form];
    char *on_trial = &opencl->on_trial[dgm_cl_form_task(form)];

    words[0] = '\0';
    if (*trust != DGM_CL_UNTRIED)
        return;
    *on_trial = 1;
    opencl->is_told = opencl->is_stopped = 0;
    *trust = agrees(env, opencl, form, words) ? DGM_CL_TRUSTED : DGM_CL_DISTRUSTED;
    *on_trial = 0;
    if (opencl->is_stopped) /* that is no verdict */
        *trust = DGM_CL_UNTRIED;
    if (*trust == DGM_CL_TRUSTED)
        opencl->has_new_trust = 1;
}

int dgm_cl_self_test_form(struct dgm_env *env, struct dgm_opencl *opencl, int form)
{
    const enum dgm_task_kind kind = dgm_cl_form_task(form);
    char words[DGM_EXPLAIN_SIZE], title[DGM_FORM_TITLE_SIZE];

    if (opencl->on_trial[kind])
        return 1;
    if (opencl->trust[form] == DGM_CL_UNTRIED) {
        try_form(env, opencl, form, words);
        if (opencl->trust[form] == DGM_CL_DISTRUSTED && !opencl->is_told) {
            dgm_cl_form_title(form, title);
            dgm_log(env, DGM_LOG_WARNING, "%s: task %s runs on the CPU: %s", opencl->traits.name,
                    title, words);
        }
        if (opencl->trust[form] == DGM_CL_DISTRUSTED)
            opencl->device.told[kind] = 1; /* by that line */
    }
    return opencl->trust[form] == DGM_CL_TRUSTED;
}

/* Appends which tiles of the matrix product are replaced by smaller ones, and why. */
static void add_limits(struct dgm_env *env, struct dgm_opencl *opencl, char words[DGM_EXPLAIN_SIZE])
{
    const size_t length = strlen(words);
    char refusal[DGM_CL_REFUSAL_SIZE];

    if (dgm_cl_tensor_serves(opencl)) {
        snprintf(words + length, DGM_EXPLAIN_SIZE - length, "; ");
        dgm_cl_tensor_explain(opencl, words + strlen(words), DGM_EXPLAIN_SIZE - strlen(words));
        return;
    }
    if (dgm_cl_tuning_family(&opencl->traits) == DGM_TUNE_CPU)
        return;
    dgm_cl_gemm_gpu_explain(env, opencl, refusal);
    if (refusal[0] != '\0')
        snprintf(words + length, DGM_EXPLAIN_SIZE - length, "; it takes smaller tiles: %s",
                 refusal);
}

/* Tries a form; if it does not agree, its words, with its name before them, are added. */
static int explain_form(struct dgm_env *env, struct dgm_opencl *opencl, int form,
                        char all[DGM_EXPLAIN_SIZE])
{
    const char *name = dgm_cl_form_name(form);
    const size_t length = strlen(all);
    char words[DGM_EXPLAIN_SIZE];

    try_form(env, opencl, form, words);
    if (opencl->trust[form] != DGM_CL_DISTRUSTED)
        return 1;
    snprintf(all + length, DGM_EXPLAIN_SIZE - length, "%s%s%s%.600s", length > 0 ? "; " : "", name,
             name[0] != '\0' ? ": " : "", words[0] != '\0' ? words : "it failed its trial");
    return 0;
}

int dgm_cl_self_test_explain(struct dgm_env *env, struct dgm_opencl *opencl,
                             enum dgm_task_kind kind, char words[DGM_EXPLAIN_SIZE])
{
    int all_run = 1;

    opencl->has_told_limit = 1; /* the words tell */
    words[0] = '\0';
    for (int form = 0; form < DGM_FORM_COUNT; form++)
        if (dgm_cl_form_task(form) == kind)
            all_run = explain_form(env, opencl, form, words) && all_run;
    if (!all_run)
        return 0;
    snprintf(words, DGM_EXPLAIN_SIZE,
             dgm_cl_wants_trials() ? "it agrees with the CPU" : "it has not been tried");
    if (kind == DGM_TASK_gemm)
        add_limits(env, opencl, words);
    return 1;
}
