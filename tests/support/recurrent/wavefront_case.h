/*
 * wavefront_case.h: batches of random dependency trees, for tests of schedules.
 */
#ifndef DGM_WAVEFRONT_CASE_H
#define DGM_WAVEFRONT_CASE_H

#include <string.h>

#include "base/philox.h"
#include "nn/schedule/wavefront.h"
#include "open_device.h"
#include "test.h"

enum { CASE_SENTENCES = 12, CASE_WORDS = 30, CASE_ROWS = CASE_SENTENCES * CASE_WORDS };

struct case_batch {
    int32_t count, offsets[CASE_SENTENCES + 1], heads[CASE_ROWS];
};

struct case_rig {
    struct dgm_device *device;
    struct dgm_feed feed;
    struct dgm_wavefront w;
};

static inline dgm_status case_open(struct case_rig *rig)
{
    memset(rig, 0, sizeof *rig);
    DGM_TRY(open_device(test_env(), &rig->device, 1));
    dgm_feed_init(&rig->feed, rig->device);
    return DGM_OK;
}

static inline void case_close(struct case_rig *rig)
{
    dgm_wavefront_clear(test_env(), &rig->w);
    dgm_feed_clear(test_env(), &rig->feed);
    dgm_device_close(test_env(), rig->device);
}

/* A chain, a star, or a random forest, which may be non-projective. */
static inline void case_tree(struct dgm_random *random, int32_t *heads, int32_t n)
{
    const uint32_t kind = dgm_random_below(random, 8);
    uint32_t order[CASE_WORDS];

    for (int32_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    dgm_random_shuffle(random, order, (size_t)n);
    for (int32_t i = 0; i < n; i++) {
        const int is_root = i == 0 || (kind > 4 && dgm_random_below(random, 5) == 0);

        if (kind == 0)
            heads[i] = i > 0 ? i - 1 : 0;
        else if (kind == 1)
            heads[i] = (int32_t)order[0];
        else
            heads[order[i]] =
                (int32_t)(is_root ? order[i] : order[dgm_random_below(random, (uint32_t)i)]);
    }
}

/* Empty sentences and single words among them. */
static inline void case_fill(struct dgm_random *random, struct case_batch *batch)
{
    batch->count = 1 + (int32_t)dgm_random_below(random, CASE_SENTENCES);
    batch->offsets[0] = 0;
    for (int32_t s = 0; s < batch->count; s++) {
        const int32_t n = (int32_t)dgm_random_below(random, CASE_WORDS + 1);

        batch->offsets[s + 1] = batch->offsets[s] + n;
        case_tree(random, batch->heads + batch->offsets[s], n);
    }
}

#endif
