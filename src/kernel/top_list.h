/*
 * top_list.h: the k best entries of a row, kept in order while the row is read from the left.
 *
 * Better means larger; NaN is worse than every number; of equals the one met first stays ahead.
 */
#ifndef DGM_KERNEL_TOP_LIST_H
#define DGM_KERNEL_TOP_LIST_H

#include <math.h>
#include <stdint.h>

#include "base/real.h"
#include "kernel/rows.h"

struct top_list {
    dgm_real *values; /* best first */
    int32_t *ids;
    int64_t count, k;
    int32_t forbidden[2];
};

static inline int top_better(dgm_real a, dgm_real b)
{
    return a > b || (b != b && a == a);
}

static inline struct top_list top_list_begin(const struct dgm_top_k_job *job, int64_t row)
{
    struct top_list list;

    list.values = job->values + row * job->k;
    list.ids = job->ids + row * job->k;
    list.count = 0;
    list.k = job->k;
    list.forbidden[0] = job->forbidden[0];
    list.forbidden[1] = job->forbidden[1];
    return list;
}

/* Whether a number enters the list just when it is greater than the last value. */
static inline int top_list_settled(const struct top_list *list)
{
    return list->count == list->k && list->values[list->k - 1] == list->values[list->k - 1];
}

static inline void top_list_offer(struct top_list *list, dgm_real value, int32_t id)
{
    int64_t at;

    if (id == list->forbidden[0] || id == list->forbidden[1])
        return;
    if (list->count < list->k)
        at = list->count++;
    else if (top_better(value, list->values[list->k - 1]))
        at = list->k - 1;
    else
        return;
    for (; at > 0 && top_better(value, list->values[at - 1]); at--) {
        list->values[at] = list->values[at - 1];
        list->ids[at] = list->ids[at - 1];
    }
    list->values[at] = value;
    list->ids[at] = id;
}

/* Normalises what was chosen, value = (x - largest) - log_sum, and fills the places left over. */
static inline void top_list_end(struct top_list *list, int normalize, dgm_real largest,
                                dgm_real log_sum)
{
    for (int64_t i = 0; i < list->count && normalize; i++)
        list->values[i] = (list->values[i] - largest) - log_sum;
    for (int64_t i = list->count; i < list->k; i++) {
        list->values[i] = -(dgm_real)INFINITY;
        list->ids[i] = -1;
    }
}

#endif
