/*
 * schedule.c: places are kept as levels, those that are free at the same time; there is one more of
 * them than there were lengths.
 */
#include "device/opencl/gemm/schedule.h"

#include <string.h>

enum { LEVELS = DGM_CL_MOST_LOADS + 2 };

/* Levels by time, the first free one first; no two of them of the same time. */
struct plan {
    struct level {
        int64_t time, places;
    } level[LEVELS];
    int count;
    int64_t places;
};

static void remove_first(struct plan *plan)
{
    plan->count--;
    memmove(plan->level, plan->level + 1, (size_t)plan->count * sizeof *plan->level);
}

static void add_level(struct plan *plan, int64_t time, int64_t places)
{
    int at = 0;

    while (at < plan->count && plan->level[at].time < time)
        at++;
    if (at < plan->count && plan->level[at].time == time) {
        plan->level[at].places += places;
        return;
    }
    memmove(plan->level + at + 1, plan->level + at,
            (size_t)(plan->count - at) * sizeof *plan->level);
    plan->level[at].time = time;
    plan->level[at].places = places;
    plan->count++;
}

/* Groups that each place of the first level has, one after the other, before another level is free
 * as early: at least one. */
static int64_t turns_of_first(const struct plan *plan, int64_t length)
{
    const int64_t turns =
        plan->count > 1 ? (plan->level[1].time - plan->level[0].time) / length : 0;

    return turns > 1 ? turns : 1;
}

/* Once no place is a whole group behind another, all have one after the other. */
static void give_rounds(struct plan *plan, struct dgm_cl_load *load)
{
    /* All levels move by as much: their order, and what is between them, stays. */
    const int64_t rounds = load->groups / plan->places;

    if (plan->level[plan->count - 1].time - plan->level[0].time > load->length)
        return;
    for (int i = 0; i < plan->count; i++)
        plan->level[i].time += rounds * load->length;
    load->groups -= rounds * plan->places;
}

static void give_first(struct plan *plan, struct dgm_cl_load *load)
{
    const struct level first = plan->level[0];
    const int64_t most = load->groups / first.places, turns = turns_of_first(plan, load->length);
    const int64_t each = turns < most ? turns : most;

    if (each == 0) {
        plan->level[0].places -= load->groups;
        add_level(plan, first.time + load->length, load->groups);
        load->groups = 0;
        return;
    }
    remove_first(plan);
    add_level(plan, first.time + each * load->length, first.places);
    load->groups -= each * first.places;
}

int64_t dgm_cl_schedule_end(const struct dgm_cl_load *loads, int count, int64_t places)
{
    struct plan plan = { .level = { { 0, places } }, .count = 1, .places = places };

    for (int i = 0; i < count; i++) {
        struct dgm_cl_load load = loads[i];

        while (load.groups > 0 && load.length > 0) {
            give_rounds(&plan, &load);
            if (load.groups > 0)
                give_first(&plan, &load);
        }
    }
    return plan.level[plan.count - 1].time;
}
