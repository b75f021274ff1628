/* halves.c: gradients in bf16 on their way to other ranks. */
#include "train/step/exchange/halves.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* ---- numbers --------------------------------------------------------------------------------- */

static uint16_t round_one(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    if (isnan(x))
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

void dgm_halves_round(uint16_t *to, const dgm_real *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = round_one((float)from[i]);
}

void dgm_halves_widen(dgm_real *to, const uint16_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = (uint32_t)from[i] << 16;
        float x;
        memcpy(&x, &bits, sizeof x);
        to[i] = (dgm_real)x;
    }
}

/* ---- one process ----------------------------------------------------------------------------- */

int dgm_halves_are_on(const struct dgm_settings *settings)
{
    return strcmp(dgm_settings_text(settings, "reduce-type"), "bf16") == 0;
}

static void round_here(dgm_real *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        uint16_t half;
        dgm_halves_round(&half, &values[i], 1);
        dgm_halves_widen(&values[i], &half, 1);
    }
}

dgm_status dgm_halves_round_gradients(struct dgm_env *env, const struct dgm_params *params)
{
    const struct dgm_ref grads = { params->grads, 0 };
    const size_t bytes = (size_t)params->total * sizeof(dgm_real);
    struct dgm_device *device = params->device;
    dgm_real *copy = device->ops->place != NULL ? device->ops->place(grads) : NULL;
    dgm_status status;

    if (copy != NULL) {
        round_here(copy, params->total);
        return DGM_OK;
    }
    DGM_TRY(dgm_new(env, &copy, bytes, 1));
    DGM_TRY_OUT(dgm_device_read(env, device, copy, grads, bytes));
    round_here(copy, params->total);
    status = dgm_device_write(env, device, grads, copy, bytes);
out:
    dgm_release(env, copy);
    return status;
}
