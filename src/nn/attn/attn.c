/*
 * attn.c: what variants share: constants of a batch, parameter names, layer sets.
 */
#include "nn/attn/attn.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

#define ATTN(name) &dgm_attn_##name,
const struct dgm_attn_kind *const dgm_attn_kinds[] = {
#include "nn/attn/attn_list.h"
    NULL
};
#undef ATTN

const char *dgm_side_name(enum dgm_side side)
{
    return side == DGM_ENCODER ? "encoder" : "decoder";
}

void dgm_attn_name(char *name, enum dgm_side side, int layer, const char *tail)
{
    snprintf(name, 128, "%s.layers.%d.self_attn.%s", dgm_side_name(side), layer - 1, tail);
}

/* The staged array of a slot, made with every element equal to `first` where it is absent. */
static void *open_slot(struct dgm_env *env, struct dgm_attn_plan *plan, dgm_slot *slot,
                       size_t size, dgm_real first)
{
    size_t count = (size_t)plan->squares[plan->side->count], i;
    void *data;

    if (*slot != 0)
        return dgm_feed_host(plan->feed, *slot);
    if (dgm_feed_take(env, plan->feed, slot, &data, count * size) != DGM_OK)
        return NULL;
    if (first != 0)
        for (i = 0; i < count; i++)
            ((dgm_real *)data)[i] = first;
    return data;
}

dgm_real *dgm_attn_factor(struct dgm_env *env, struct dgm_attn_plan *plan)
{
    return open_slot(env, plan, &plan->constants->factor, sizeof(dgm_real), 1);
}

dgm_real *dgm_attn_addend(struct dgm_env *env, struct dgm_attn_plan *plan)
{
    return open_slot(env, plan, &plan->constants->addend, sizeof(dgm_real), 0);
}

unsigned char *dgm_attn_hidden(struct dgm_env *env, struct dgm_attn_plan *plan)
{
    return open_slot(env, plan, &plan->constants->hidden, 1, 0);
}

/* One item of a layer set: "3" or "1-3". */
static int parse_range(const char *text, size_t length, int64_t *first, int64_t *last)
{
    const char *dash = memchr(text, '-', length);

    if (dash == NULL)
        return dgm_number_int(first, text, length) && (*last = *first, 1);
    return dgm_number_int(first, text, (size_t)(dash - text)) &&
           dgm_number_int(last, dash + 1, length - (size_t)(dash + 1 - text));
}

dgm_status dgm_layers_parse(struct dgm_env *env, const char *text, uint64_t *mask)
{
    uint64_t result = 0;
    int64_t first, last;

    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        if (length > 0) {
            if (!parse_range(text, length, &first, &last) || first < 0 || last > 64 ||
                first > last)
                return dgm_fail(env, DGM_USAGE,
                                "layers \"%s\"; expected numbers or ranges such as 1-3 5, "
                                "each within 1..64, or 0 for none", text);
            for (; first <= last; first++)
                if (first > 0)
                    result |= (uint64_t)1 << (first - 1);
        }
        text += length;
        text += strspn(text, " ");
    }
    *mask = result;
    return DGM_OK;
}
