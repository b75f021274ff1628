/* context.c: contexts, the version, and the checks that begin every public function. */
#include "api/context.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "api/program.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/number/number.h"
#include "base/real.h"
#include "base/system/clock.h"
#include "base/system/cpu.h"

enum { MAX_THREADS = 1024 };

int dgm_version_number(void)
{
    return DGM_VERSION_NUMBER;
}

const char *dgm_version(void)
{
    return DGM_VERSION;
}

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#elif defined(__TINYC__)
#define COMPILER "tcc"
#else
#define COMPILER "unknown"
#endif

#ifdef DGM_REAL_IS_DOUBLE
#define REAL "double"
#else
#define REAL "float"
#endif

#ifdef DGM_BIG_ENDIAN
#define ENDIAN "big endian"
#else
#define ENDIAN "little endian"
#endif

#ifdef NDEBUG
#define MODE "release"
#else
#define MODE "with assertions"
#endif

#ifdef DGM_HAVE_OPENCL
#define OPENCL "opened at run time"
#else
#define OPENCL "none"
#endif

#ifdef DGM_HAVE_ZLIB
#define GZIP "zlib"
#else
#define GZIP "none"
#endif

#ifdef DGM_HAVE_ZSTD
#define ZSTD "libzstd"
#else
#define ZSTD "none"
#endif

#ifndef DGM_MPI
#define DGM_MPI "none"
#endif

const char *dgm_build(void)
{
    return "compiler: " COMPILER "\nreal: " REAL "\nbytes: " ENDIAN "\nmode: " MODE "\ngzip: " GZIP
           "\nzstd: " ZSTD "\nopencl: " OPENCL "\nmpi: " DGM_MPI "\n";
}

/* ---- making, freeing, settings ------------------------------------------------------------ */

/* Keeps the name of an instruction set. Such names are short: 0 for a longer one. */
static int keep_isa(struct dgm_context *context, const char *isa)
{
    size_t length = isa != NULL ? strlen(isa) : 0;
    if (length >= sizeof context->isa)
        return 0;
    if (length > 0) {
        memcpy(context->isa, isa, length + 1);
        context->device.isa = context->isa;
    }
    return 1;
}

/* Checks the form of a choice of devices. Whether a device is there is not asked before it is
 * needed: looking for OpenCL takes time, and a program that only tokenises needs none. */
static dgm_status keep_devices(struct dgm_context *context, const char *devices)
{
    const size_t length = devices != NULL ? strlen(devices) : 0;

    if (devices != NULL)
        DGM_TRY(dgm_device_check_choice(&context->env, devices));
    if (length >= sizeof context->devices)
        return dgm_fail(&context->env, DGM_USAGE,
                        "devices: a name of %zu bytes; expected at most "
                        "%zu",
                        length, sizeof context->devices - 1);
    memcpy(context->devices, length > 0 ? devices : "", length + 1);
    return DGM_OK;
}

/*
 * Fills options from the caller's; 0 if their struct_size cannot be right. A program that was built
 * against an older header hands over a shorter structure: the fields that it does not know are
 * zero, which means the default. A longer structure comes from a newer header than this library:
 * its last fields would be lost without a word, so it is refused, as is one that ends within a
 * field: no header ever had a struct of options whose size is no multiple of its first field's.
 */
static int copy_options(void *options, size_t size, const void *from)
{
    size_t given;
    memset(options, 0, size);
    if (from == NULL)
        return 1;
    memcpy(&given, from, sizeof given);
    if (given < sizeof given || given > size || given % sizeof given != 0)
        return 0;
    memcpy(options, from, given);
    return 1;
}

static int is_level(dgm_level level)
{
    return (unsigned)level <= DGM_LOG_DEBUG;
}

/* Whether this process, or another rank, was asked for its status; the request is taken. */
static int takes_request(struct dgm_context *context)
{
    struct dgm_ranks *ranks = context->ranks;
    int is_asked = dgm_flag_get(&context->checkpoint);

    if (is_asked)
        dgm_flag_set(&context->checkpoint, 0);
    if (ranks != NULL && ranks->save_asked)
        is_asked = 1;
    if (ranks != NULL)
        ranks->save_asked = 0;
    return is_asked;
}

/* Long loops of lower layers ask this; they know nothing of contexts. */
static dgm_status poll_requests(struct dgm_env *env, void *user)
{
    struct dgm_context *context = user;

    if (takes_request(context))
        dgm_reading_tell(&context->env); /* env may be a quiet copy */
    return dgm_flag_get(&context->stop) ? dgm_fail(env, DGM_INTERRUPTED, "stopped") : DGM_OK;
}

dgm_status dgm_context_new(const dgm_context_options *options, dgm_context **context)
{
    dgm_context_options chosen;
    struct dgm_env env;
    struct dgm_context *made;
    if (context == NULL)
        return DGM_USAGE;
    *context = NULL;
    if (!copy_options(&chosen, sizeof chosen, options) || !is_level(chosen.log_level) ||
        chosen.threads < 0 || chosen.threads > MAX_THREADS)
        return DGM_USAGE;
    dgm_env_init(&env);
    if (chosen.allocator != NULL)
        env.memory = *chosen.allocator;
    if (env.memory.resize == NULL || env.memory.release == NULL)
        return DGM_USAGE;
    DGM_TRY(dgm_new(&env, &made, 1, sizeof *made));
    made->env = env;
    dgm_meter_begin(&made->meter, &made->env);
    made->env.log = chosen.log;
    made->env.log_user = chosen.log_user;
    made->env.log_level = chosen.log_level;
    made->env.poll = poll_requests;
    made->env.poll_user = made;
    made->env.has_left = &made->has_left;
    made->env.calling = &made->calling;
    made->env.reading = &made->reading;
    made->reading.started = dgm_clock();
    made->device.threads = chosen.threads;
    if (!keep_isa(made, chosen.isa) || keep_devices(made, chosen.devices) != DGM_OK) {
        dgm_context_free(made);
        return DGM_USAGE;
    }
    *context = made;
    return DGM_OK;
}

void dgm_context_free(dgm_context *context)
{
    struct dgm_env env;
    if (context == NULL || context->calling > 0 || context->waiting > 0)
        return;
    dgm_ranks_leave(&context->env, context->ranks, dgm_status_exit_code(context->env.error.status));
    dgm_meter_end(&context->meter, &context->env);
    env = context->env;
    dgm_release(&env, context);
}

const dgm_error *dgm_context_error(const dgm_context *context)
{
    return context != NULL ? &context->env.error : NULL;
}

void dgm_context_clear(dgm_context *context)
{
    if (context != NULL && context->calling == 0)
        dgm_env_clear_error(&context->env);
}

dgm_status dgm_context_set_log_level(dgm_context *context, dgm_level level)
{
    DGM_ENTER(context);
    if (!is_level(level))
        return dgm_fail(&context->env, DGM_USAGE, "log level %d; expected 0..%d", (int)level,
                        (int)DGM_LOG_DEBUG);
    context->env.log_level = level;
    return DGM_OK;
}

dgm_status dgm_context_set_threads(dgm_context *context, int threads)
{
    DGM_ENTER(context);
    if (threads < 0 || threads > MAX_THREADS)
        return dgm_fail(&context->env, DGM_USAGE, "%d threads; expected 0..%d", threads,
                        MAX_THREADS);
    context->device.threads = threads;
    return DGM_OK;
}

dgm_status dgm_context_set_devices(dgm_context *context, const char *devices)
{
    DGM_ENTER(context);
    return keep_devices(context, devices);
}

dgm_status dgm_context_set_gemm(dgm_context *context, const char *gemm)
{
    static const char *const names[] = { "auto", "own", "clblast" };
    int chosen;

    DGM_ENTER(context);
    DGM_TRY(dgm_options_choose(&context->env, &chosen, "gemm", gemm, names, 3));
    context->device.gemm = names[chosen];
    return DGM_OK;
}

dgm_status dgm_context_set_precision(dgm_context *context, const char *precision)
{
    static const char *const names[] = { "f32", "tf32", "bf16" };
    int chosen;

    DGM_ENTER(context);
    DGM_TRY(dgm_options_choose(&context->env, &chosen, "precision", precision, names, 3));
    context->device.precision = names[chosen];
    return DGM_OK;
}

dgm_status dgm_context_set_memory(dgm_context *context, int64_t bytes)
{
    DGM_ENTER(context);
    if (bytes < 0 || (uint64_t)bytes > SIZE_MAX)
        return dgm_fail(&context->env, DGM_USAGE,
                        "a limit of %lld bytes; expected 0 for none, or "
                        "more",
                        (long long)bytes);
    dgm_meter_limit(&context->meter, (size_t)bytes);
    return DGM_OK;
}

static const char *chosen_devices(const dgm_context *context)
{
    return context->devices[0] != '\0' ? context->devices : NULL;
}

dgm_status dgm_context_open_devices(dgm_context *context, struct dgm_devices *devices)
{
    return dgm_devices_open(&context->env, devices, chosen_devices(context), &context->device);
}

dgm_status dgm_context_open_device(dgm_context *context, struct dgm_device **device)
{
    const char *devices = chosen_devices(context);

    if (devices != NULL && dgm_device_is_list(devices))
        dgm_log(&context->env, DGM_LOG_NOTE,
                "devices: the first of \"%s\" computes; training "
                "alone uses several",
                devices);
    return dgm_device_open_chosen(&context->env, device, devices, &context->device);
}

int dgm_context_threads(const dgm_context *context)
{
    return context->device.threads > 0 ? context->device.threads : dgm_cpu_count();
}

void dgm_context_stop(dgm_context *context)
{
    if (context != NULL)
        dgm_flag_set(&context->stop, 1);
}

void dgm_context_stop_by(dgm_context *context, int number)
{
    dgm_flag_set(&context->stop_reason, number);
    dgm_context_stop(context);
}

int dgm_context_stopped_by(const dgm_context *context)
{
    const int number = dgm_flag_value(&context->stop_reason);

    return number == 0 && context->ranks != NULL ? context->ranks->stop_reason : number;
}

void dgm_context_checkpoint(dgm_context *context)
{
    if (context != NULL)
        dgm_flag_set(&context->checkpoint, 1);
}

struct dgm_env *dgm_context_env(dgm_context *context)
{
    return &context->env;
}

int dgm_context_has_left(const dgm_context *context)
{
    return context->has_left;
}

int dgm_context_is_told(const dgm_context *context)
{
    return context->ranks != NULL && context->ranks->is_told;
}

/* ---- checks ------------------------------------------------------------------------------- */

dgm_status dgm_options_take(struct dgm_env *env, void *options, size_t size, const void *from,
                            const char *name)
{
    size_t given = 0;
    if (copy_options(options, size, from))
        return DGM_OK;
    memcpy(&given, from, sizeof given);
    return dgm_fail(env, DGM_USAGE, "%s: struct_size is %zu; expected sizeof (%s), at most %zu",
                    name, given, name, size);
}

dgm_status dgm_options_choose(struct dgm_env *env, int *chosen, const char *option,
                              const char *value, const char *const *words, int count)
{
    char quoted[DGM_QUOTE_SIZE], all[160] = "", suggestion[DGM_SUGGESTION_SIZE];
    struct dgm_near near;
    int i;
    *chosen = 0;
    if (value == NULL)
        return DGM_OK;
    for (i = 0; i < count; i++) {
        size_t used = strlen(all);
        *chosen = i;
        if (strcmp(value, words[i]) == 0)
            return DGM_OK;
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    dgm_quote(quoted, sizeof quoted, value, strlen(value));
    dgm_near_begin(&near, value, strlen(value));
    for (i = 0; i < count; i++)
        dgm_near_try(&near, words[i], strlen(words[i]));
    dgm_near_suggest(&near, suggestion);
    return dgm_fail(env, DGM_USAGE, "%s: expected one of %s, got \"%s\"%s", option, all, quoted,
                    suggestion);
}

dgm_status dgm_range_int(struct dgm_env *env, const char *name, int64_t value, int64_t least,
                         int64_t most)
{
    if (value >= least && value <= most)
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE, "%s is %lld; expected %lld..%lld", name, (long long)value,
                    (long long)least, (long long)most);
}

dgm_status dgm_range_real(struct dgm_env *env, const char *name, double value, double least,
                          double most)
{
    char text[3][32];
    if (value >= least && value <= most) /* NaN is neither */
        return DGM_OK;
    dgm_number_print(text[0], value, 6);
    dgm_number_print(text[1], least, 6);
    dgm_number_print(text[2], most, 6);
    return dgm_fail(env, DGM_USAGE, "%s is %s; expected %s..%s", name, text[0], text[1], text[2]);
}

dgm_status dgm_texts_check(struct dgm_env *env, const char *const *texts, size_t count,
                           const char *name)
{
    size_t i;
    for (i = 0; i < count; i++)
        if (texts == NULL || texts[i] == NULL)
            return dgm_fail(env, DGM_USAGE, "%s: number %zu of %zu is NULL", name, i, count);
    return DGM_OK;
}

dgm_status dgm_argument_check(struct dgm_env *env, const void *argument, const char *name)
{
    if (argument != NULL)
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE, "argument %s is NULL", name);
}

dgm_status dgm_write_check(struct dgm_env *env, dgm_write_fn write)
{
    return write != NULL ? DGM_OK : dgm_argument_check(env, NULL, "write");
}

dgm_status dgm_line_check(struct dgm_env *env, const char **line, size_t bytes)
{
    const char *end;
    if (bytes > DGM_BUF_LIMIT)
        return dgm_fail(env, DGM_USAGE, "line of %zu bytes; expected at most %zu", bytes,
                        DGM_BUF_LIMIT);
    if (*line == NULL && bytes == 0)
        *line = "";
    DGM_TRY(dgm_argument_check(env, *line, "line"));
    end = memchr(*line, '\n', bytes);
    if (end != NULL)
        return dgm_fail(env, DGM_USAGE,
                        "a line with LF at byte %zu; expected one line in each "
                        "call",
                        (size_t)(end - *line));
    return DGM_OK;
}
