/*
 * choice.c: opens the devices that a user asks for, and lists those that may be asked for.
 */
#include "device/choice.h"

#include <string.h>

#include "device/cpu/cpu.h"
#include "device/precision.h"
#include "kernel/narrow/matrix.h"

/* ---- the words ------------------------------------------------------------------------------ */

enum { WORD_SIZE = 128 };

/* The entries of a list, one after the other. */
struct entries {
    const char *rest; /* NULL: no more */
    const char *ends; /* what may end an entry */
    const char *text; /* the latest, without blanks around it */
    size_t length;
};

static const char blanks[] = " \t";

/* Names have blanks in them, numbers do not. */
static void begin_entries(struct entries *entries, const char *devices)
{
    memset(entries, 0, sizeof *entries);
    entries->rest = devices;
    entries->ends = devices[strspn(devices, "0123456789 \t")] == '\0' ? blanks : ",";
}

static int next_entry(struct entries *entries)
{
    const char *end;

    if (entries->rest == NULL)
        return 0;
    entries->text = entries->rest + strspn(entries->rest, blanks);
    entries->length = strcspn(entries->text, entries->ends);
    end = entries->text + entries->length;
    end += strspn(end, blanks);
    entries->rest = *end == '\0' ? NULL : end + (*end == ',');
    while (entries->length > 0 && strchr(blanks, entries->text[entries->length - 1]) != NULL)
        entries->length--;
    return 1;
}

int dgm_device_is_list(const char *devices)
{
    struct entries entries;

    begin_entries(&entries, devices);
    return next_entry(&entries) && entries.rest != NULL;
}

static int count_entries(const char *devices)
{
    struct entries entries;
    int count = 0;

    begin_entries(&entries, devices);
    while (next_entry(&entries))
        count++;
    return count;
}

void dgm_device_deal(char *devices, int part, int parts)
{
    const int count = count_entries(devices);
    struct entries entries;
    char *to = devices, ends;
    int i;

    if (count < parts || count < 2)
        return;
    begin_entries(&entries, devices);
    ends = entries.ends == blanks ? ' ' : ',';
    /* What is written is never longer than what has been read. */
    for (i = 0; next_entry(&entries); i++) {
        if (i % parts != part)
            continue;
        if (to > devices)
            *to++ = ends;
        memmove(to, entries.text, entries.length);
        to += entries.length;
    }
    *to = '\0';
}

dgm_status dgm_device_check_choice(struct dgm_env *env, const char *devices)
{
    char quoted[DGM_QUOTE_SIZE];
    struct entries entries;
    int count = 0;

    dgm_quote(quoted, sizeof quoted, devices, strlen(devices));
    begin_entries(&entries, devices);
    while (next_entry(&entries)) {
        if (entries.length == 0 || entries.length >= WORD_SIZE)
            return dgm_fail(env, DGM_USAGE,
                            "devices: expected cpu, gpu, opencl, auto, a number "
                            "or part of a name, or a list of them, got \"%s\"",
                            quoted);
        if (++count > DGM_MAX_DEVICES)
            return dgm_fail(env, DGM_USAGE, "devices: expected at most %d, got \"%s\"",
                            (int)DGM_MAX_DEVICES, quoted);
    }
    return DGM_OK;
}

/* ---- opening -------------------------------------------------------------------------------- */

static const struct dgm_device_ops *find_entry(const char *name)
{
    for (size_t i = 0; i < dgm_device_count(); i++)
        if (strcmp(dgm_device_entry(i)->name, name) == 0)
            return dgm_device_entry(i);
    return NULL;
}

static dgm_status find_opencl(struct dgm_env *env, const struct dgm_device_ops **ops)
{
    *ops = find_entry("opencl");
    if (*ops == NULL)
        return dgm_fail(env, DGM_UNSUPPORTED, "this build has no OpenCL");
    return DGM_OK;
}

static dgm_status open_opencl(struct dgm_env *env, struct dgm_device **out, const char *which,
                              const struct dgm_device_options *options)
{
    struct dgm_device_options chosen = *options;
    const struct dgm_device_ops *ops;

    DGM_TRY(find_opencl(env, &ops));
    chosen.which = which;
    return ops->open(env, out, &chosen);
}

/* Whether the CPU's products can be in this precision: by instructions for it. */
static int cpu_multiplies_in(enum dgm_precision precision, const char *isa)
{
    return precision == DGM_F32 || (precision == DGM_BF16 && dgm_matrix_choose(isa) != NULL);
}

/* In a precision that it multiplies in. */
static dgm_status open_own(struct dgm_env *env, struct dgm_device **out,
                           const struct dgm_device_options *options)
{
    DGM_TRY(dgm_device_open(env, out, "cpu", options));
    dgm_cpu_use_matrix(*out, dgm_matrix_choose(options->isa));
    return DGM_OK;
}

/* A GPU that cannot be had is no error here, whatever the reason. */
static dgm_status open_best(struct dgm_env *env, struct dgm_device **out,
                            const struct dgm_device_options *options)
{
    const dgm_status status = open_opencl(env, out, "gpu", options);
    struct dgm_device_options plain = *options;
    enum dgm_precision precision;

    if (status == DGM_OK || status == DGM_USAGE || status == DGM_INTERRUPTED)
        return status;
    dgm_log(env, DGM_LOG_NOTE, "computing on the CPU: %s", env->error.message);
    dgm_env_clear_error(env);
    DGM_TRY(dgm_precision_parse(env, &precision, options->precision));
    if (!cpu_multiplies_in(precision, options->isa)) {
        dgm_log(env, DGM_LOG_NOTE, "computing in f32, not in %s", options->precision);
        plain.precision = NULL;
    }
    return open_own(env, out, &plain);
}

static dgm_status open_cpu(struct dgm_env *env, struct dgm_device **out,
                           const struct dgm_device_options *options)
{
    enum dgm_precision precision;

    DGM_TRY(dgm_precision_parse(env, &precision, options->precision));
    if (!cpu_multiplies_in(precision, options->isa))
        return dgm_fail(env, DGM_UNSUPPORTED,
                        "precision: %s CPU computes in f32; %s needs %sa GPU "
                        "with tensor cores: --devices gpu%s",
                        precision == DGM_BF16 ? "this" : "the", options->precision,
                        precision == DGM_BF16 ? "AMX (`dragoman devices` tells), or " : "",
                        precision == DGM_BF16 ? " (--compute-type bf16 translates in it on any CPU)"
                                              : "");
    return open_own(env, out, options);
}

static dgm_status open_entry(struct dgm_env *env, struct dgm_device **out,
                             const struct entries *entry, const struct dgm_device_options *options)
{
    char word[WORD_SIZE];

    memcpy(word, entry->text, entry->length);
    word[entry->length] = '\0';
    if (strcmp(word, "cpu") == 0)
        return open_cpu(env, out, options);
    if (strcmp(word, "auto") == 0)
        return open_best(env, out, options);
    return open_opencl(env, out, strcmp(word, "opencl") == 0 ? "all" : word, options);
}

/* Opens the entry that is number `number`, from 1, of the list. An error says so, unless it is of
 * an option for all of them (DGM_USAGE). */
static dgm_status open_listed(struct dgm_env *env, struct dgm_device **out, const char *devices,
                              const struct entries *entry, int number,
                              const struct dgm_device_options *options)
{
    const dgm_status status = open_entry(env, out, entry, options);
    char quoted[DGM_QUOTE_SIZE];
    dgm_error reason;

    if (status == DGM_OK || status == DGM_USAGE || !dgm_device_is_list(devices))
        return status;
    reason = env->error;
    dgm_env_clear_error(env);
    dgm_quote(quoted, sizeof quoted, devices, strlen(devices));
    return dgm_fail(env, status, "devices: entry %d of \"%s\": %s", number, quoted, reason.message);
}

/* Whether what follows in the list could be opened; only the error tells of it. */
static dgm_status try_rest(struct dgm_env *env, const char *devices, struct entries *entries,
                           const struct dgm_device_options *options)
{
    const dgm_log_fn log = env->log;
    struct dgm_device *device;
    dgm_status status = DGM_OK;

    env->log = NULL;
    for (int number = 2; status == DGM_OK && next_entry(entries); number++) {
        status = open_listed(env, &device, devices, entries, number, options);
        if (status == DGM_OK)
            dgm_device_close(env, device);
    }
    env->log = log;
    return status;
}

dgm_status dgm_device_open_chosen(struct dgm_env *env, struct dgm_device **out, const char *devices,
                                  const struct dgm_device_options *options)
{
    struct entries entries;
    dgm_status status;

    if (devices == NULL)
        return open_cpu(env, out, options);
    DGM_TRY(dgm_device_check_choice(env, devices));
    begin_entries(&entries, devices);
    next_entry(&entries);
    DGM_TRY(open_listed(env, out, devices, &entries, 1, options));
    status = try_rest(env, devices, &entries, options);
    if (status == DGM_OK)
        return DGM_OK;
    dgm_device_close(env, *out);
    *out = NULL;
    return status;
}

void dgm_devices_close(struct dgm_env *env, struct dgm_devices *devices)
{
    while (devices->count > 0)
        dgm_device_close(env, devices->items[--devices->count]);
}

/* "gpu,gpu" is the same GPU twice, and hardly what was meant. */
static void note_repeated(struct dgm_env *env, const char *devices, const struct entries *entry)
{
    struct entries before;

    begin_entries(&before, devices);
    while (next_entry(&before) && before.text < entry->text)
        if (before.length == entry->length &&
            memcmp(before.text, entry->text, entry->length) == 0) {
            dgm_log(env, DGM_LOG_NOTE,
                    "devices: \"%.*s\" is named again: the same device, which "
                    "gets no faster by it",
                    (int)entry->length, entry->text);
            return;
        }
}

dgm_status dgm_devices_open(struct dgm_env *env, struct dgm_devices *out, const char *devices,
                            const struct dgm_device_options *options)
{
    struct entries entries;
    dgm_status status = DGM_OK;

    memset(out, 0, sizeof *out);
    if (devices == NULL)
        devices = "cpu";
    DGM_TRY(dgm_device_check_choice(env, devices));
    begin_entries(&entries, devices);
    while (next_entry(&entries)) {
        DGM_TRY_OUT(
            open_listed(env, &out->items[out->count], devices, &entries, out->count + 1, options));
        out->count++;
        note_repeated(env, devices, &entries);
    }
out:
    if (status != DGM_OK)
        dgm_devices_close(env, out);
    return status;
}

/* ---- tuning --------------------------------------------------------------------------------- */

dgm_status dgm_device_tune(struct dgm_env *env, struct dgm_buf *out, const char *devices,
                           const struct dgm_device_options *options, dgm_progress_fn progress,
                           void *user)
{
    struct dgm_device_options chosen = *options;
    const struct dgm_device_ops *ops;

    if (devices != NULL && strcmp(devices, "cpu") == 0)
        return dgm_fail(env, DGM_USAGE,
                        "devices: the kernels of the CPU need no tuning; expected "
                        "an OpenCL device, or nothing for each of them");
    if (devices != NULL)
        DGM_TRY(dgm_device_check_choice(env, devices));
    if (devices != NULL && dgm_device_is_list(devices))
        return dgm_fail(env, DGM_USAGE,
                        "devices: expected one device to tune, or nothing for each "
                        "of them, got the list \"%s\"",
                        devices);
    DGM_TRY(find_opencl(env, &ops));
    chosen.which = devices;
    if (devices != NULL && strcmp(devices, "opencl") == 0)
        chosen.which = "all";
    if (devices != NULL && strcmp(devices, "auto") == 0)
        chosen.which = "gpu";
    return ops->tune(env, out, &chosen, progress, user);
}

/* ---- listing -------------------------------------------------------------------------------- */

dgm_status dgm_device_list(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_device_ops *ops;
    dgm_status status = find_opencl(env, &ops);
    dgm_error reason;

    if (status == DGM_OK)
        status = ops->list(env, out);
    if (status != DGM_UNSUPPORTED)
        return status;
    reason = env->error;
    dgm_env_clear_error(env);
    return dgm_buf_add_format(env, out, "opencl: none: %s\n", reason.message);
}
