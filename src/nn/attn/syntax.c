/*
 * syntax.c: reading --syntax and serving the model with all its variants at once.
 */
#include <string.h>

#include "base/mem.h"
#include "nn/attn/attn.h"

static const struct dgm_attn_kind *find_kind(const char *name, size_t length)
{
    int i;

    for (i = 0; dgm_attn_kinds[i] != NULL; i++)
        if (strlen(dgm_attn_kinds[i]->name) == length &&
            memcmp(dgm_attn_kinds[i]->name, name, length) == 0)
            return dgm_attn_kinds[i];
    return NULL;
}

static dgm_status fail_unknown(struct dgm_env *env, const char *name, size_t length)
{
    const char *names[32], *nearest;
    char quoted[64];
    size_t count = 0;

    while (dgm_attn_kinds[count] != NULL && count < 32) {
        names[count] = dgm_attn_kinds[count]->name;
        count++;
    }
    if (length >= sizeof quoted)
        length = sizeof quoted - 1;
    memcpy(quoted, name, length);
    quoted[length] = '\0';
    nearest = dgm_nearest(quoted, names, count);
    return dgm_fail(env, DGM_USAGE, "syntax: unknown variant \"%s\"; %s%s", quoted,
                    nearest != NULL ? "did you mean " : "see dragoman help train",
                    nearest != NULL ? nearest : "");
}

/* key=value,... between parentheses. */
static dgm_status read_options(struct dgm_env *env, struct dgm_attn_variant *variant,
                               const char *text, size_t length)
{
    char item[256];

    while (length > 0) {
        const char *comma = memchr(text, ',', length);
        size_t size = comma != NULL ? (size_t)(comma - text) : length;
        char *equals;

        if (size >= sizeof item)
            return dgm_fail(env, DGM_USAGE, "syntax: option of %s is longer than %zu bytes",
                            variant->kind->name, sizeof item - 1);
        memcpy(item, text, size);
        item[size] = '\0';
        equals = strchr(item, '=');
        if (equals == NULL)
            return dgm_fail(env, DGM_USAGE, "syntax: \"%s\" of %s; expected option=value", item,
                            variant->kind->name);
        *equals = '\0';
        DGM_TRY(dgm_settings_set(env, &variant->settings, item, equals + 1, "syntax"));
        text += size + (comma != NULL);
        length -= size + (comma != NULL);
    }
    return DGM_OK;
}

static dgm_status check_once(struct dgm_env *env, const struct dgm_syntax *syntax,
                             const struct dgm_attn_kind *kind)
{
    int i;

    for (i = 0; i < syntax->count; i++)
        if (syntax->variants[i].kind == kind)
            return dgm_fail(env, DGM_USAGE, "syntax: %s is named twice; expected each variant at "
                            "most once", kind->name);
    return DGM_OK;
}

/* One "name" or "name(options)" of `length` bytes. */
static dgm_status read_variant(struct dgm_env *env, struct dgm_syntax *syntax, const char *text,
                               size_t length)
{
    struct dgm_attn_variant *variant = &syntax->variants[syntax->count];
    const char *open = memchr(text, '(', length);
    size_t name_length = open != NULL ? (size_t)(open - text) : length;
    const struct dgm_opt *tables[2] = {NULL, NULL};

    if (syntax->count == DGM_SYNTAX_VARIANTS)
        return dgm_fail(env, DGM_USAGE, "syntax: more than %d variants", DGM_SYNTAX_VARIANTS);
    variant->kind = find_kind(text, name_length);
    if (variant->kind == NULL)
        return fail_unknown(env, text, name_length);
    DGM_TRY(check_once(env, syntax, variant->kind));
    if (open != NULL && text[length - 1] != ')')
        return dgm_fail(env, DGM_USAGE, "syntax: \"(\" of %s is not closed; expected "
                        "name(option=value,...)", variant->kind->name);
    tables[0] = variant->kind->options;
    syntax->count++;
    DGM_TRY(dgm_settings_init(env, &variant->settings, tables));
    if (open != NULL)
        DGM_TRY(read_options(env, variant, open + 1, length - name_length - 2));
    variant->state = dgm_alloc(env, 1, variant->kind->state_bytes);
    if (variant->state == NULL)
        return DGM_MEMORY;
    return variant->kind->configure(env, variant->state, &variant->settings, &syntax->shape);
}

/* Bytes up to the next '+' outside parentheses, or to the end. */
static size_t variant_length(const char *text)
{
    size_t length = 0;
    int depth = 0;

    while (text[length] != '\0' && (depth > 0 || text[length] != '+')) {
        depth += text[length] == '(';
        depth -= text[length] == ')';
        length++;
    }
    return length;
}

dgm_status dgm_syntax_init(struct dgm_env *env, struct dgm_syntax *syntax, const char *text,
                           const struct dgm_attn_shape *shape)
{
    memset(syntax, 0, sizeof *syntax);
    syntax->shape = *shape;
    if (text == NULL || text[0] == '\0' || strcmp(text, "none") == 0)
        return DGM_OK;
    for (;;) {
        size_t length = variant_length(text);
        dgm_status status = read_variant(env, syntax, text, length);
        if (status != DGM_OK) {
            dgm_syntax_clear(env, syntax);
            return status;
        }
        if (text[length] == '\0')
            return DGM_OK;
        text += length + 1;
    }
}

void dgm_syntax_clear(struct dgm_env *env, struct dgm_syntax *syntax)
{
    int i;

    for (i = 0; i < syntax->count; i++) {
        dgm_settings_clear(env, &syntax->variants[i].settings);
        dgm_release(env, syntax->variants[i].state);
    }
    memset(syntax, 0, sizeof *syntax);
}

int dgm_syntax_needs_trees(const struct dgm_syntax *syntax)
{
    int i, needs = 0;

    for (i = 0; i < syntax->count; i++)
        needs |= syntax->variants[i].kind->needs_trees;
    return needs;
}

dgm_status dgm_syntax_declare(struct dgm_env *env, const struct dgm_syntax *syntax,
                              struct dgm_params *params, enum dgm_side side, int layer)
{
    int i;

    for (i = 0; i < syntax->count; i++) {
        const struct dgm_attn_variant *variant = &syntax->variants[i];
        if (variant->kind->declare != NULL)
            DGM_TRY(variant->kind->declare(env, variant->state, params, side, layer,
                                           &syntax->shape));
    }
    return DGM_OK;
}

/* ---- planning ------------------------------------------------------------------------------ */

/* The variants that serve a layer, as bits; *varies: their constants are this layer's own. */
static unsigned serving(const struct dgm_syntax *syntax, int layer, int training, int *varies)
{
    unsigned set = 0;
    int i;

    *varies = 0;
    for (i = 0; i < syntax->count; i++) {
        const struct dgm_attn_variant *variant = &syntax->variants[i];
        if (variant->kind->plan == NULL || !variant->kind->serves(variant->state, layer))
            continue;
        set |= 1u << i;
        *varies |= variant->kind->varies(variant->state, training);
    }
    return set;
}

/* An earlier layer whose constants serve this one too, or 0. */
static int twin_layer(const struct dgm_syntax *syntax, int layer, int training)
{
    int varies, other_varies, other;
    unsigned set = serving(syntax, layer, training, &varies);

    for (other = 1; other < layer && !varies; other++)
        if (serving(syntax, other, training, &other_varies) == set)
            return other;
    return 0;
}

dgm_status dgm_syntax_plan(struct dgm_env *env, const struct dgm_syntax *syntax,
                           struct dgm_attn_plan *plan, struct dgm_attn_constants *constants)
{
    int layer, i, varies;

    for (layer = 1; layer <= syntax->shape.depth[DGM_ENCODER]; layer++) {
        int twin = twin_layer(syntax, layer, plan->training);
        unsigned set = serving(syntax, layer, plan->training, &varies);

        memset(&constants[layer - 1], 0, sizeof *constants);
        if (twin > 0) {
            constants[layer - 1] = constants[twin - 1];
            continue;
        }
        plan->layer = layer;
        plan->constants = &constants[layer - 1];
        for (i = 0; i < syntax->count; i++)
            if (set >> i & 1)
                DGM_TRY(syntax->variants[i].kind->plan(env, syntax->variants[i].state, plan));
    }
    return DGM_OK;
}

dgm_status dgm_syntax_terms(struct dgm_graph *g, const struct dgm_syntax *syntax,
                            const struct dgm_params *params, const struct dgm_feed *feed,
                            enum dgm_side side, int layer,
                            const struct dgm_attn_constants *constants,
                            struct dgm_attention_terms *terms)
{
    int i;

    if (constants != NULL) {
        terms->factor = dgm_feed_ref(feed, constants->factor);
        terms->addend = dgm_feed_ref(feed, constants->addend);
        terms->hidden = dgm_feed_ref(feed, constants->hidden);
        for (i = 0; i < 2; i++)
            terms->labels[i] = dgm_feed_ref(feed, constants->labels[i]);
    }
    for (i = 0; i < syntax->count; i++) {
        const struct dgm_attn_variant *variant = &syntax->variants[i];
        if (variant->kind->terms != NULL)
            DGM_TRY(variant->kind->terms(g, variant->state, params, side, layer,
                                         &syntax->shape, terms));
    }
    return DGM_OK;
}
