/*
 * translation_hits.c: how many target tokens a model finds the most probable ones.
 *
 * The largest logit is found on the device: there are V logits of a row, and one id comes back.
 */
#include "train/translation/translation_hits.h"

#include <string.h>

#include "base/mem.h"
#include "device/device.h"

/* The device's results are aligned to this many bytes. */
enum { ALIGN = 64 };

/* Room for `rows` values and, from *ids_at on, as many ids. */
static dgm_status reserve(struct dgm_session *session, struct dgm_translation_hits *hits,
                          size_t rows, size_t *ids_at)
{
    size_t bytes;

    *ids_at = (rows * sizeof(dgm_real) + ALIGN - 1) / ALIGN * ALIGN;
    bytes = *ids_at + rows * sizeof *hits->ids;
    DGM_TRY(dgm_reserve(session->env, &hits->ids, &hits->id_capacity, rows, sizeof *hits->ids));
    if (bytes <= hits->top_bytes)
        return DGM_OK;
    dgm_device_release(session->env, session->device, hits->top);
    hits->top = NULL;
    hits->top_bytes = 0;
    DGM_TRY(dgm_device_alloc(session->env, session->device, &hits->top, bytes));
    hits->top_bytes = bytes;
    return DGM_OK;
}

dgm_status dgm_translation_hits_add(struct dgm_session *session, struct dgm_translation_hits *hits,
                                    const struct dgm_node *logits)
{
    const struct dgm_translation *self = session->self;
    int64_t rows = dgm_node_rows(logits), i;
    struct dgm_top_k_args args;
    size_t ids_at;

    DGM_TRY(reserve(session, hits, (size_t)rows, &ids_at));
    memset(&args, 0, sizeof args);
    args.x = dgm_node_value(logits);
    args.rows = rows;
    args.vocab = self->model.net.vocab[DGM_TARGET];
    args.k = 1;
    args.values.buffer = args.ids.buffer = hits->top;
    args.ids.offset = ids_at;
    args.forbidden[0] = args.forbidden[1] = -1;
    DGM_TRY(dgm_device_run(session->env, session->device, DGM_TASK_top_k, &args));
    DGM_TRY(dgm_device_read(session->env, session->device, hits->ids, args.ids,
                            (size_t)rows * sizeof *hits->ids));
    for (i = 0; i < rows; i++)
        hits->right += hits->ids[i] == session->batch.target.ids[i];
    hits->tokens += rows;
    return DGM_OK;
}

double dgm_translation_hits_percent(const struct dgm_translation_hits *hits)
{
    return hits->tokens > 0 ? 100.0 * (double)hits->right / (double)hits->tokens : 0;
}

void dgm_translation_hits_clear(struct dgm_session *session, struct dgm_translation_hits *hits)
{
    dgm_device_release(session->env, session->device, hits->top);
    dgm_release(session->env, hits->ids);
    memset(hits, 0, sizeof *hits);
}
