/*
 * list.c: what OpenCL offers on this machine, as lines of text: platforms, devices, and which of
 * them would be used.
 */
#include "device/opencl/core/list.h"

#include <string.h>

#include "device/opencl/gemm/tune/tuning_file.h"
#include "device/opencl/system/choose.h"
#include "device/opencl/system/drivers.h"

struct list {
    struct dgm_buf *out;
    long long count;   /* devices so far: the next one's number */
    char platform[64]; /* of the device before */
    int has_gpu;       /* one that --devices auto takes was seen */
};

static const char *kind_of(const struct dgm_cl_traits *traits)
{
    if (traits->type & CL_DEVICE_TYPE_GPU)
        return "GPU";
    return traits->type & CL_DEVICE_TYPE_CPU ? "processor" : "accelerator";
}

/* What becomes of the device. */
static dgm_status add_fate(struct dgm_env *env, struct list *list,
                           const struct dgm_cl_traits *traits, const char *reason)
{
    if (reason != NULL)
        return dgm_buf_add_format(env, list->out, "rejected: %s\n", reason);
    DGM_TRY(dgm_buf_add_format(env, list->out, "usable with --devices %lld; ", list->count));
    if (!dgm_cl_is_gpu(traits))
        return dgm_buf_add_text(env, list->out, "--devices auto passes it over: it is no GPU\n");
    if (list->has_gpu)
        return dgm_buf_add_text(env, list->out, "--devices auto takes the first usable GPU\n");
    list->has_gpu = 1;
    return dgm_buf_add_text(env, list->out, "--devices auto takes it\n");
}

static dgm_status add_tuning(struct dgm_env *env, struct list *list,
                             const struct dgm_cl_traits *traits)
{
    struct dgm_cl_tuning tuning;

    dgm_cl_tuning_load(env, traits, &tuning);
    return dgm_buf_add_text(env, list->out,
                            tuning.is_stored ? "      tuned by devices --tune\n"
                                             : "      not tuned: defaults of its vendor\n");
}

static dgm_status add_device(struct dgm_env *env, void *user, cl_device_id id,
                             const struct dgm_cl_traits *traits, const char *reason, int *more)
{
    struct list *list = user;
    dgm_status status;

    (void)id;
    (void)more;
    if (list->count == 0)
        DGM_TRY(dgm_buf_add_text(env, list->out, "opencl:\n"));
    if (list->count == 0 || strcmp(list->platform, traits->platform) != 0)
        DGM_TRY(dgm_buf_add_format(env, list->out, "  platform %s\n", traits->platform));
    strcpy(list->platform, traits->platform);
    DGM_TRY(dgm_buf_add_format(env, list->out, "  %-4lld%s\n", list->count, traits->name));
    DGM_TRY(dgm_buf_add_format(env, list->out,
                               "      %s, %u compute unit%s, %llu MiB; %.10s, driver %s\n      ",
                               kind_of(traits), traits->units, traits->units == 1 ? "" : "s",
                               (unsigned long long)(traits->memory >> 20), traits->version,
                               traits->driver));
    status = add_fate(env, list, traits, reason);
    if (status == DGM_OK && reason == NULL)
        status = add_tuning(env, list, traits);
    list->count++;
    return status;
}

dgm_status dgm_opencl_list(struct dgm_env *env, struct dgm_buf *out)
{
    struct dgm_cl cl;
    struct list list = { 0 };

    list.out = out;
    DGM_TRY(dgm_cl_load(env, &cl));
    DGM_TRY(dgm_cl_each_device(env, &cl, add_device, &list));
    if (list.count == 0)
        return dgm_cl_fail_empty(env);
    return dgm_cl_add_dead_drivers(env, out, "  driver that cannot be opened: ");
}
