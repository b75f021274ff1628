/*
 * hits.c: how many target tokens a model finds the most probable ones.
 *
 * The largest logit is found on the device: there are V logits of a row, and one id comes back.
 */
#include "train/translation/hits.h"

#include <string.h>

#include "base/mem.h"
#include "device/device.h"

static dgm_status reserve(const struct dgm_run *run, struct dgm_hits *hits)
{
    const size_t rows = (size_t)hits->rows, bytes = rows * sizeof *hits->ids;

    DGM_TRY(dgm_reserve(run->env, &hits->ids, &hits->id_capacity, rows, sizeof *hits->ids));
    if (bytes <= hits->top_bytes)
        return DGM_OK;
    dgm_device_release(run->env, run->device, hits->top);
    hits->top = NULL;
    hits->top_bytes = 0;
    DGM_TRY(dgm_device_alloc(run->env, run->device, &hits->top, bytes));
    hits->top_bytes = bytes;
    return DGM_OK;
}

/* Where the device writes the ids. */
static struct dgm_ref ids_of(const struct dgm_hits *hits)
{
    return (struct dgm_ref){ hits->top, 0 };
}

dgm_status dgm_hits_expect(const struct dgm_run *run, struct dgm_hits *hits, struct dgm_node *loss)
{
    if (loss == NULL)
        return DGM_OK; /* dgm_graph_run says why */
    hits->rows = dgm_node_rows(loss);
    DGM_TRY(reserve(run, hits));
    dgm_output_loss_best(loss, ids_of(hits));
    return DGM_OK;
}

dgm_status dgm_hits_add(const struct dgm_run *run, struct dgm_hits *hits,
                        const struct dgm_packed *target)
{
    DGM_TRY(dgm_device_read(run->env, run->device, hits->ids, ids_of(hits),
                            (size_t)hits->rows * sizeof *hits->ids));
    for (int64_t i = 0; i < hits->rows; i++)
        hits->right += hits->ids[i] == target->ids[i];
    hits->tokens += hits->rows;
    return DGM_OK;
}

double dgm_hits_percent(const struct dgm_hits *hits)
{
    return hits->tokens > 0 ? 100.0 * (double)hits->right / (double)hits->tokens : 0;
}

void dgm_hits_clear(const struct dgm_run *run, struct dgm_hits *hits)
{
    dgm_device_release(run->env, run->device, hits->top);
    dgm_release(run->env, hits->ids);
    memset(hits, 0, sizeof *hits);
}
