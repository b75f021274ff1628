/*
 * choice.c: opens the device that a user asks for, and lists those that may be asked for.
 */
#include "device/choice.h"

#include <string.h>

#include "device/precision.h"

/* ---- the words ------------------------------------------------------------------------------ */

/* "0,1" or "0 1": a list, as other systems take it. */
static int names_several(const char *devices)
{
    if (strchr(devices, ',') != NULL)
        return 1;
    return strchr(devices, ' ') != NULL && devices[strspn(devices, "0123456789 ")] == '\0';
}

dgm_status dgm_device_check_choice(struct dgm_env *env, const char *devices)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, devices, strlen(devices));
    if (names_several(devices))
        return dgm_fail(env, DGM_USAGE, "devices: one device at a time in this version; expected "
                        "one of those in \"%s\"", quoted);
    if (devices[strspn(devices, " \t")] == '\0')
        return dgm_fail(env, DGM_USAGE, "devices: expected cpu, gpu, opencl, auto, a number or "
                        "part of a name, got \"%s\"", quoted);
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

/* A GPU that cannot be had is no error here, whatever the reason. */
static dgm_status open_best(struct dgm_env *env, struct dgm_device **out,
                            const struct dgm_device_options *options)
{
    const dgm_status status = open_opencl(env, out, "gpu", options);
    struct dgm_device_options plain = *options;
    enum dgm_precision precision;

    if (status == DGM_OK || status == DGM_USAGE)
        return status;
    dgm_log(env, DGM_LOG_NOTE, "computing on the CPU: %s", env->error.message);
    dgm_env_clear_error(env);
    DGM_TRY(dgm_precision_parse(env, &precision, options->precision));
    if (precision != DGM_F32)
        dgm_log(env, DGM_LOG_NOTE, "computing in f32, not in %s", options->precision);
    plain.precision = NULL;
    return dgm_device_open(env, out, "cpu", &plain);
}

/* The CPU rounds operands only as the host of a device that does. */
static dgm_status open_cpu(struct dgm_env *env, struct dgm_device **out,
                           const struct dgm_device_options *options)
{
    enum dgm_precision precision;

    DGM_TRY(dgm_precision_parse(env, &precision, options->precision));
    if (precision != DGM_F32)
        return dgm_fail(env, DGM_UNSUPPORTED, "precision: the CPU computes in f32; %s needs a GPU "
                        "with tensor cores: --devices gpu", options->precision);
    return dgm_device_open(env, out, "cpu", options);
}

dgm_status dgm_device_open_chosen(struct dgm_env *env, struct dgm_device **out,
                                  const char *devices, const struct dgm_device_options *options)
{
    if (devices == NULL || strcmp(devices, "cpu") == 0)
        return open_cpu(env, out, options);
    DGM_TRY(dgm_device_check_choice(env, devices));
    if (strcmp(devices, "auto") == 0)
        return open_best(env, out, options);
    return open_opencl(env, out, strcmp(devices, "opencl") == 0 ? "all" : devices, options);
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
