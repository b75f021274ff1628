/* by.c: the list of criteria, and ranges of numbers. */
#include "text/score/by/by.h"

#include <stdio.h>
#include <string.h>

static const struct dgm_by *const list[] = {
#define BY(name) &dgm_by_##name,
#include "text/score/by/by_list.h"
};

const struct dgm_by *dgm_by_find(const char *name)
{
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(list[i]->name, name) == 0)
            return list[i];
    return NULL;
}

void dgm_by_range(struct dgm_by_group *group, int32_t low, int32_t high)
{
    group->place = low;
    if (high == INT32_MAX)
        snprintf(group->name, sizeof group->name, "%ld-", (long)low);
    else if (low == high)
        snprintf(group->name, sizeof group->name, "%ld", (long)low);
    else
        snprintf(group->name, sizeof group->name, "%ld-%ld", (long)low, (long)high);
}

void dgm_by_cut(struct dgm_by_group *group, int64_t value, const int32_t *edges, size_t count)
{
    size_t i = 0;

    while (i + 1 < count && edges[i + 1] <= value)
        i++;
    dgm_by_range(group, edges[i], i + 1 < count ? edges[i + 1] - 1 : INT32_MAX);
}
