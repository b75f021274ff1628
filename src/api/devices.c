/*
 * devices.c: what this machine computes with, and why not with more (device/machine.h).
 *
 * A report is made as a whole before it is handed over, so an error in the middle writes nothing;
 * but for dgm_devices_explain, which may take minutes.
 */
#include "device/machine.h"

#include "api/context.h"

dgm_status dgm_devices(dgm_context *context, dgm_write_fn write, void *user)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    dgm_status status;
    DGM_ENTER(context);
    DGM_TRY(dgm_write_check(&context->env, write));
    status = dgm_machine_describe(&context->env, &text, &context->device);
    return dgm_report_made(&context->env, write, user, &text, status);
}

dgm_status dgm_devices_tune(dgm_context *context, dgm_write_fn write, void *user,
                            dgm_progress_fn progress, void *progress_user)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    dgm_error reason;
    dgm_status status, told;
    DGM_ENTER(context);
    DGM_TRY(dgm_write_check(&context->env, write));
    status =
        dgm_device_tune(&context->env, &text, context->devices[0] != '\0' ? context->devices : NULL,
                        &context->device, progress, progress_user);
    reason = context->env.error;
    dgm_env_clear_error(&context->env);
    told = text.size > 0 ? dgm_report_write(&context->env, write, user, &text) : DGM_OK;
    dgm_buf_clear(&context->env, &text);
    if (status == DGM_OK)
        return told;
    context->env.error = reason; /* the report has what was measured before it */
    return status;
}

dgm_status dgm_devices_explain(dgm_context *context, dgm_write_fn write, void *user)
{
    struct dgm_devices devices;
    dgm_status status = DGM_OK;
    DGM_ENTER(context);
    DGM_TRY(dgm_write_check(&context->env, write));
    DGM_TRY(dgm_context_open_devices(context, &devices));
    for (int i = 0; i < devices.count && status == DGM_OK; i++)
        status = dgm_machine_explain(&context->env, devices.items[i], write, user);
    dgm_devices_close(&context->env, &devices);
    return status;
}
