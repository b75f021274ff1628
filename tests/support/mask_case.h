/*
 * mask_case.h: where a step draws random masks: the streams of the tasks that drop, which must be
 * different ones, since two places with one stream would drop the same elements.
 */
#ifndef DGM_TEST_MASK_CASE_H
#define DGM_TEST_MASK_CASE_H

#include <stdio.h>

#include "device/task.h"
#include "graph/graph.h"
#include "test.h"

enum { MASKS = 512 };

static struct {
    const struct dgm_device_ops *inner;
    struct dgm_device_ops ops;
    uint32_t streams[MASKS];
    int count, twice;
} masks;

static inline void mask_note(dgm_real rate, uint32_t stream)
{
    int i;

    if (!(rate > 0))
        return;
    for (i = 0; i < masks.count; i++)
        if (masks.streams[i] == stream) {
            printf("# two masks of stream 0x%08lx\n", (unsigned long)stream);
            masks.twice++;
        }
    CHECK(masks.count < MASKS);
    masks.streams[masks.count++] = stream;
}

/* Each head of an attention has a stream of its own. */
static inline void mask_note_heads(const struct dgm_attention *core)
{
    int64_t h;

    for (h = 0; h < core->heads; h++)
        mask_note(core->drop.rate, core->drop.stream + (uint32_t)h);
}

static inline void mask_note_task(enum dgm_task_kind kind, const void *args)
{
    const struct dgm_attention_forward_args *attention = args;
    const struct dgm_lstm_forward_args *lstm = args;

    if (kind == DGM_TASK_attention_forward)
        mask_note_heads(&attention->core);
    if (kind == DGM_TASK_lstm_forward)
        mask_note(lstm->core.drop.rate, lstm->core.drop.stream);
    switch (kind) {
/* clang-format off */
#define TASK(name) case DGM_TASK_##name: { const struct dgm_##name##_args *task = args; (void)task;
#define DROP mask_note(task->drop.rate, task->drop.stream);
#define END(name) break; }
#include "kernel/task/task_list.h"
    /* clang-format on */
    case DGM_TASK_COUNT: break;
    }
}

static inline dgm_status mask_run(struct dgm_env *env, struct dgm_device *device,
                                  enum dgm_task_kind kind, const void *args)
{
    mask_note_task(kind, args);
    return masks.inner->run(env, device, kind, args);
}

/* Runs a graph forwards; whether no two of its masks, masks.count of them, have one stream. */
static inline int mask_streams_differ(struct dgm_graph *g)
{
    dgm_status status;

    masks.inner = g->device->ops;
    masks.ops = *masks.inner;
    masks.ops.run = mask_run;
    masks.count = masks.twice = 0;
    g->device->ops = &masks.ops;
    status = dgm_graph_run(g);
    g->device->ops = masks.inner;
    return status == DGM_OK && masks.twice == 0;
}

#endif
