/* together.c: a context whose process works together with others, behind api/program.h. */
#include <string.h>

#include "api/context.h"
#include "api/program.h"

/* The first time. Each rank has its share of the machine's processors, and of a list of devices. */
static dgm_status join_ranks(dgm_context *context, double patience)
{
    DGM_TRY(dgm_ranks_join(&context->env, patience, &context->ranks));
    if (context->ranks == NULL)
        return DGM_OK;
    context->ranks->stop = &context->stop;
    context->ranks->reason = &context->stop_reason;
    context->ranks->save = &context->checkpoint;
    dgm_device_deal(context->devices, context->ranks->local, context->ranks->locals);
    if (context->device.threads == 0)
        context->device.threads = dgm_ranks_cpus(context->ranks);
    return DGM_OK;
}

dgm_status dgm_context_join(dgm_context *context, const char *which, int64_t patience,
                            struct dgm_ranks **ranks)
{
    *ranks = NULL;
    if (strcmp(which, "off") == 0)
        return DGM_OK;
    if (context->ranks == NULL)
        DGM_TRY(join_ranks(context, (double)patience));
    *ranks = context->ranks;
    if (*ranks == NULL)
        return DGM_OK;
    (*ranks)->patience = (double)patience;
    if ((*ranks)->has_ended)
        return dgm_fail(
            &context->env, DGM_USAGE,
            "the ranks have parted when an earlier call failed or was stopped; expected "
            "new processes");
    return DGM_OK;
}

dgm_status dgm_context_describe(dgm_context *context, struct dgm_buf *text)
{
    struct dgm_env *env = &context->env;
    struct dgm_device *device;
    dgm_status status;

    DGM_TRY(dgm_context_open_device(context, &device));
    status = dgm_buf_add_format(env, text, "version = %s\nbytes of a number = %zu\ndevice = %s%s\n",
                                dgm_version(), sizeof(dgm_real),
                                device->isa != NULL ? "CPU, " : device->title,
                                device->isa != NULL ? device->isa : "");
    dgm_device_close(env, device);
    return status;
}
