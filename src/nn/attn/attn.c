/*
 * attn.c: what variants share: constants of a batch, random bits, parameters, layer sets.
 */
#include "nn/attn/attn.h"

#include <stdio.h>
#include <string.h>

#include "base/number/number.h"
#include "base/philox.h"

#define ATTN(name) &dgm_attn_##name,
const struct dgm_attn_kind *const dgm_attn_kinds[] = {
#include "nn/attn/attn_list.h"
    NULL
};
#undef ATTN

const char *dgm_side_name(enum dgm_side side)
{
    return side == DGM_SOURCE ? "encoder" : "decoder";
}

/* ---- constants ------------------------------------------------------------------------------ */

/* The staged array of a slot, made on first use; *is_new: it holds zeros. */
static void *open_slot(struct dgm_env *env, struct dgm_attn_plan *plan, dgm_slot *slot,
                       size_t bytes, int *is_new)
{
    void *data;

    *is_new = *slot == 0;
    if (*slot != 0)
        return dgm_feed_host(plan->feed, *slot);
    return dgm_feed_take(env, plan->feed, slot, &data, bytes) == DGM_OK ? data : NULL;
}

/* One that begins with zeros. */
static void *open_zeros(struct dgm_env *env, struct dgm_attn_plan *plan, dgm_slot *slot,
                        size_t bytes)
{
    int is_new;

    return open_slot(env, plan, slot, bytes, &is_new);
}

static size_t cell_count(const struct dgm_attn_plan *plan)
{
    return (size_t)plan->squares[plan->packed->count];
}

static size_t row_count(const struct dgm_attn_plan *plan)
{
    return (size_t)plan->packed->offsets[plan->packed->count];
}

dgm_real *dgm_attn_factor(struct dgm_env *env, struct dgm_attn_plan *plan, int which)
{
    size_t count = cell_count(plan), i;
    int is_new;
    dgm_real *factor =
        open_slot(env, plan, &plan->constants->factor[which], count * sizeof *factor, &is_new);

    if (factor != NULL && is_new)
        for (i = 0; i < count; i++)
            factor[i] = 1;
    return factor;
}

dgm_real *dgm_attn_addend(struct dgm_env *env, struct dgm_attn_plan *plan)
{
    return open_zeros(env, plan, &plan->constants->addend, cell_count(plan) * sizeof(dgm_real));
}

unsigned char *dgm_attn_hidden(struct dgm_env *env, struct dgm_attn_plan *plan)
{
    return open_zeros(env, plan, &plan->constants->hidden, cell_count(plan));
}

unsigned char *dgm_attn_labels(struct dgm_env *env, struct dgm_attn_plan *plan)
{
    return open_zeros(env, plan, &plan->constants->labels, cell_count(plan));
}

unsigned char *dgm_attn_ignored(struct dgm_env *env, struct dgm_attn_plan *plan)
{
    return open_zeros(env, plan, &plan->constants->ignored,
                      row_count(plan) * (size_t)plan->shape->heads);
}

int32_t *dgm_attn_targets(struct dgm_env *env, struct dgm_attn_plan *plan)
{
    size_t count = row_count(plan), i;
    int is_new;
    int32_t *targets =
        open_slot(env, plan, &plan->constants->targets, count * sizeof *targets, &is_new);

    if (targets != NULL && is_new)
        for (i = 0; i < count; i++)
            targets[i] = -1;
    return targets;
}

/* ---- random bits ---------------------------------------------------------------------------- */

void dgm_attn_random(uint32_t words[4], const struct dgm_attn_plan *plan, int32_t sentence,
                     uint32_t stream, uint32_t row, uint32_t quarter)
{
    /* Streams of dropout have their place in bits 10 and up; 0x52 in the highest byte is none. */
    uint32_t counter[4];

    counter[0] = quarter;
    counter[1] = row;
    counter[2] = (uint32_t)plan->numbers[sentence];
    /* Layers take bits 0 to 7, representations, of which there are at most 8, bits 8 to 10. */
    counter[3] = 0x52000000u + (stream << 12) + ((uint32_t)plan->representation << 8) +
                 (uint32_t)plan->place.layer;
    dgm_philox(words, counter, plan->key);
}

uint32_t dgm_attn_threshold(double probability)
{
    return probability >= 1 ? UINT32_MAX : (uint32_t)(probability * 4294967296.0);
}

/* ---- parameters and options ----------------------------------------------------------------- */

void dgm_attn_name(char *name, struct dgm_attn_place place, const char *tail)
{
    snprintf(name, 128, "%s.layers.%d.self_attn.%s", dgm_side_name(place.side), place.layer - 1,
             tail);
}

dgm_status dgm_attn_declare_linear(struct dgm_env *env, struct dgm_params *params,
                                   struct dgm_attn_place place, const char *tail, int64_t rows,
                                   int64_t cols, int with_bias)
{
    char name[128];

    dgm_attn_name(name, place, tail);
    return dgm_params_linear(env, params, name, rows, cols, with_bias);
}

static dgm_param_id find_param(const struct dgm_attn_layer *layer, const char *tail)
{
    char name[128];

    dgm_attn_name(name, layer->place, tail);
    return dgm_params_find(layer->params, name);
}

struct dgm_node *dgm_attn_param(const struct dgm_attn_layer *layer, const char *tail)
{
    return dgm_params_node(layer->g, layer->params, find_param(layer, tail));
}

struct dgm_node *dgm_attn_param_stack(const struct dgm_attn_layer *layer, const char *tail,
                                      int count)
{
    return dgm_params_stack(layer->g, layer->params, find_param(layer, tail), count);
}

struct dgm_node *dgm_attn_param_rows(const struct dgm_attn_layer *layer, const char *tail,
                                     int64_t first, int64_t count)
{
    return dgm_params_rows(layer->g, layer->params, find_param(layer, tail), first, count);
}

int dgm_attn_chose(const struct dgm_settings *settings, const char *name, const char *value)
{
    return strcmp(dgm_settings_text(settings, name), value) == 0;
}

dgm_status dgm_attn_fail_layer(struct dgm_env *env, const char *variant, const char *option,
                               const char *value, int depth, const char *where)
{
    char name[32]; /* as --syntax has it */
    size_t i;

    for (i = 0; option[i] != '\0' && i + 1 < sizeof name; i++)
        name[i] = option[i] == '-' ? '_' : option[i];
    name[i] = '\0';
    if (depth == 0)
        return dgm_fail(env, DGM_USAGE, "%s: %s=%s, but the %s has no self-attention", variant,
                        name, value, where);
    return dgm_fail(env, DGM_USAGE,
                    "%s: %s=%s; expected layers within 1..%d of the %s, or 0 for "
                    "none",
                    variant, name, value, depth, where);
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
            if (!parse_range(text, length, &first, &last) || first < 0 || last > 64 || first > last)
                return dgm_fail(env, DGM_USAGE,
                                "layers \"%s\"; expected numbers or ranges such as 1-3 5, "
                                "each within 1..64, or 0 for none",
                                text);
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

dgm_status dgm_attn_read_layers(struct dgm_env *env, const struct dgm_settings *settings,
                                const char *option, const struct dgm_attn_shape *shape, int depth,
                                const char *where, const char *variant, uint64_t *mask)
{
    const char *text = dgm_settings_text(settings, option);
    uint64_t there = depth >= 64 ? UINT64_MAX : ((uint64_t)1 << depth) - 1;

    DGM_TRY(dgm_layers_parse(env, text, mask));
    if ((*mask & ~there) != 0 && dgm_settings_is_set(settings, option) && !shape->stored)
        return dgm_attn_fail_layer(env, variant, option, text, depth, where);
    *mask &= there;
    return DGM_OK;
}
