/*
 * self_test.c: trials of tasks before their first use, and their verdicts on disk.
 *
 * Only agreement is stored, as the names of tasks, one a line. A task that failed its trial is
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
#include "device/opencl/core/cache.h"
#include "device/opencl/core/environment.h"
#include "device/opencl/gemm/gemm_gpu.h"
#include "device/opencl/gemm/gemm_tensor.h"
#include "device/task_shape.h"
#include "device/trial/trial.h"

/*
 * Instances that are tried of each task. They are random, and differ in size and options; tasks
 * with many options, or with kernels that are chosen by size, need more.
 */
enum { INSTANCES = 4, MORE_INSTANCES = 12, MOST_INSTANCES = 18 };

static uint64_t instances_of(enum dgm_task_kind kind)
{
    switch (kind) {
    case DGM_TASK_gemm: return MOST_INSTANCES;
    case DGM_TASK_attention_forward:
    case DGM_TASK_attention_backward: return MORE_INSTANCES;
    default: return INSTANCES;
    }
}

static const char *name_of(int kind)
{
    return dgm_task_shape((enum dgm_task_kind)kind)->name;
}

/* ---- on disk -------------------------------------------------------------------------------- */

static uint64_t make_key(const struct dgm_opencl *opencl)
{
    const uint64_t programs = dgm_cl_programs_key(opencl);
    const unsigned char variety[3] = { INSTANCES, opencl->clblast.Sgemm != NULL,
                                       (unsigned char)opencl->precision };
    struct dgm_hash hash;

    dgm_hash_init(&hash, 2);
    dgm_hash_add(&hash, DGM_VERSION, sizeof DGM_VERSION);
    dgm_hash_add(&hash, variety, sizeof variety);
    dgm_hash_add(&hash, &programs, sizeof programs);
    return dgm_hash_value(&hash);
}

static void trust_name(struct dgm_opencl *opencl, const char *name, size_t length)
{
    for (int kind = 0; kind < DGM_TASK_COUNT; kind++)
        if (strlen(name_of(kind)) == length && memcmp(name_of(kind), name, length) == 0)
            opencl->trust[kind] = DGM_CL_TRUSTED;
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
        trust_name(opencl, line, end - begin);
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
    for (int kind = 0; kind < DGM_TASK_COUNT; kind++)
        if (opencl->trust[kind] == DGM_CL_TRUSTED) {
            DGM_TRY_OUT(dgm_buf_add_text(&quiet, &names, name_of(kind)));
            DGM_TRY_OUT(dgm_buf_add_char(&quiet, &names, '\n'));
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

/* Whether every instance agrees; if not, `words` says why. Errors end here: they are the device's
 * fault, not the user's. */
static int agrees(struct dgm_env *env, struct dgm_opencl *opencl, enum dgm_task_kind kind,
                  char words[DGM_EXPLAIN_SIZE])
{
    struct dgm_env own = *env;
    struct dgm_verdict verdict;

    dgm_env_clear_error(&own);
    for (uint64_t seed = 1; seed <= instances_of(kind); seed++) {
        if (dgm_trial_compare(&own, opencl->device.host, &opencl->device, kind, seed, &verdict) !=
            DGM_OK) {
            snprintf(words, DGM_EXPLAIN_SIZE, "it cannot be tried: %.600s", own.error.message);
            return 0;
        }
        if (!(verdict.worst <= DGM_TRIAL_TOLERANCE)) {
            tell_difference(opencl, &verdict, words);
            return 0;
        }
    }
    return 1;
}

/* Tries a task, unless its verdict is known; if the trial fails, `words` says why. */
static void try_task(struct dgm_env *env, struct dgm_opencl *opencl, enum dgm_task_kind kind,
                     char words[DGM_EXPLAIN_SIZE])
{
    unsigned char *trust = &opencl->trust[kind];

    words[0] = '\0';
    if (*trust != DGM_CL_UNTRIED)
        return;
    *trust = DGM_CL_ON_TRIAL;
    *trust = agrees(env, opencl, kind, words) ? DGM_CL_TRUSTED : DGM_CL_DISTRUSTED;
    if (*trust == DGM_CL_TRUSTED)
        opencl->has_new_trust = 1;
}

int dgm_cl_self_test_task(struct dgm_env *env, struct dgm_opencl *opencl, enum dgm_task_kind kind)
{
    char words[DGM_EXPLAIN_SIZE];

    if (opencl->trust[kind] == DGM_CL_UNTRIED) {
        try_task(env, opencl, kind, words);
        if (opencl->trust[kind] == DGM_CL_DISTRUSTED) {
            dgm_log(env, DGM_LOG_WARNING, "%s: task %s runs on the CPU: %s", opencl->traits.name,
                    name_of(kind), words);
            opencl->device.told[kind] = 1; /* by this line */
        }
    }
    return opencl->trust[kind] != DGM_CL_DISTRUSTED;
}

/* Appends which tiles of the matrix product are replaced by smaller ones, and why. */
static void add_limits(struct dgm_env *env, struct dgm_opencl *opencl, char words[DGM_EXPLAIN_SIZE])
{
    const size_t length = strlen(words);
    char refusal[DGM_CL_REFUSAL_SIZE];

    if (dgm_cl_tensor_serves(opencl) || dgm_cl_tuning_family(&opencl->traits) == DGM_TUNE_CPU)
        return;
    dgm_cl_gemm_gpu_explain(env, opencl, refusal);
    if (refusal[0] != '\0')
        snprintf(words + length, DGM_EXPLAIN_SIZE - length, "; it takes smaller tiles: %s",
                 refusal);
}

int dgm_cl_self_test_explain(struct dgm_env *env, struct dgm_opencl *opencl,
                             enum dgm_task_kind kind, char words[DGM_EXPLAIN_SIZE])
{
    opencl->has_told_limit = 1; /* the words tell */
    try_task(env, opencl, kind, words);
    if (opencl->trust[kind] == DGM_CL_DISTRUSTED && words[0] == '\0')
        snprintf(words, DGM_EXPLAIN_SIZE, "it failed its trial");
    if (opencl->trust[kind] == DGM_CL_DISTRUSTED)
        return 0;
    snprintf(words, DGM_EXPLAIN_SIZE,
             dgm_cl_wants_trials() ? "it agrees with the CPU" : "it has not been tried");
    if (kind == DGM_TASK_gemm)
        add_limits(env, opencl, words);
    return 1;
}
