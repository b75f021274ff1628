/*
 * gradient_groups.c: norms of the gradient by group of parameters. Parameters of a group that lie
 * side by side are summed at once, so that a device is asked a few times, whatever the depth.
 */
#include "train/step/gradient_groups.h"

#include <math.h>
#include <string.h>

/* The first row whose text a parameter's name has says its group. */
static const struct {
    enum dgm_gradient_group group;
    const char *text;
} rules[] = {
    { DGM_GRADIENT_EMBEDDINGS, "embed" },
    { DGM_GRADIENT_ATTENTION, "encoder_attn" },
    { DGM_GRADIENT_ATTENTION, "decoder.attention" },
    { DGM_GRADIENT_OUTPUT, "output_projection" },
    { DGM_GRADIENT_DECODER, "decoder." },
    { DGM_GRADIENT_ENCODER, "" },
};

const char *dgm_gradient_group_name(enum dgm_gradient_group group)
{
    static const char *const names[] = { "embeddings", "attention", "output", "encoder",
                                         "decoder" };

    return names[group];
}

enum dgm_gradient_group dgm_gradient_group_of(const char *name)
{
    int i = 0;

    while (strstr(name, rules[i].text) == NULL)
        i++;
    return rules[i].group;
}

/* The end of the run of parameters of one group that begins with parameter i. */
static size_t end_of_run(const struct dgm_params *params, size_t i)
{
    const enum dgm_gradient_group group = dgm_gradient_group_of(params->items[i].name);

    while (i < params->count && dgm_gradient_group_of(params->items[i].name) == group)
        i++;
    return i;
}

/* All norms times norm / the length of all: an update scales gradients as it reads them. */
static void scale(struct dgm_gradient_norms *norms, double all, double norm)
{
    for (int k = 0; k < DGM_GRADIENT_GROUPS; k++)
        if (norms->norm[k] >= 0)
            norms->norm[k] = all > 0 ? sqrt(norms->norm[k] / all) * norm : 0;
}

dgm_status dgm_gradient_norms_read(struct dgm_env *env, const struct dgm_optimizer *optimizer,
                                   double norm, struct dgm_gradient_norms *norms)
{
    const struct dgm_params *params = optimizer->params;
    double all = 0;

    for (int k = 0; k < DGM_GRADIENT_GROUPS; k++)
        norms->norm[k] = -1;
    for (size_t i = 0, end; i < params->count; i = end) {
        double *sum = &norms->norm[dgm_gradient_group_of(params->items[i].name)], squares;
        int64_t stop;

        end = end_of_run(params, i);
        stop = end < params->count ? params->items[end].offset : params->total;
        DGM_TRY(dgm_optimizer_squares(env, optimizer, params->items[i].offset,
                                      stop - params->items[i].offset, &squares));
        *sum = (*sum > 0 ? *sum : 0) + squares;
        all += squares;
    }
    scale(norms, all, norm);
    return DGM_OK;
}
