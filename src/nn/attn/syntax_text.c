/*
 * syntax_text.c: reading --syntax: names, options, and what cannot stand together.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "nn/attn/syntax.h"

/* Whether it is the kind's name, `_` counting as `-`. */
static int is_called(const struct dgm_attn_kind *kind, const char *name, size_t length)
{
    size_t i;

    if (strlen(kind->name) != length)
        return 0;
    for (i = 0; i < length; i++)
        if (kind->name[i] != (name[i] == '_' ? '-' : name[i]))
            return 0;
    return 1;
}

static const struct dgm_attn_kind *find_kind(const char *name, size_t length)
{
    int i;

    for (i = 0; dgm_attn_kinds[i] != NULL; i++)
        if (is_called(dgm_attn_kinds[i], name, length))
            return dgm_attn_kinds[i];
    return NULL;
}

static dgm_status fail_unknown(struct dgm_env *env, const char *name, size_t length)
{
    char quoted[DGM_QUOTE_SIZE];
    struct dgm_near near;
    int i;

    dgm_quote(quoted, sizeof quoted, name, length);
    dgm_near_begin(&near, name, length);
    for (i = 0; dgm_attn_kinds[i] != NULL; i++)
        dgm_near_try(&near, dgm_attn_kinds[i]->name, strlen(dgm_attn_kinds[i]->name));
    if (near.best == NULL)
        return dgm_fail(env, DGM_USAGE, "syntax: unknown variant \"%s\"; see dragoman help syntax",
                        quoted);
    return dgm_fail(env, DGM_USAGE, "syntax: unknown variant \"%s\"; did you mean %.*s", quoted,
                    (int)near.best_length, near.best);
}

/* key=value,... between parentheses. */
static dgm_status read_options(struct dgm_env *env, struct dgm_attn_variant *variant,
                               const char *text, size_t length)
{
    char item[256], origin[64];

    snprintf(origin, sizeof origin, "--syntax %s", variant->kind->name);
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
        DGM_TRY(dgm_settings_set(env, &variant->settings, item, equals + 1, origin));
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
            return dgm_fail(env, DGM_USAGE,
                            "syntax: %s is named twice; expected each variant at "
                            "most once",
                            kind->name);
    return DGM_OK;
}

/* What the text of a stored model does not name is as it was when dgm_syntax_text_complete did not
 * name it. */
static dgm_status take_older_defaults(struct dgm_env *env, struct dgm_attn_variant *variant)
{
    for (const struct dgm_opt *opt = variant->kind->options; opt->name != NULL; opt++)
        if (opt->before != NULL)
            DGM_TRY(dgm_settings_set(env, &variant->settings, opt->name, opt->before, "model"));
    return DGM_OK;
}

/* The settings of a variant whose kind is found; to be cleared also after a failure. */
static dgm_status read_settings(struct dgm_env *env, struct dgm_attn_variant *variant,
                                const char *text, size_t length, int stored)
{
    const struct dgm_opt *tables[2] = { variant->kind->options, NULL };
    const char *open = memchr(text, '(', length);

    if (open != NULL && text[length - 1] != ')')
        return dgm_fail(env, DGM_USAGE,
                        "syntax: \"(\" of %s is not closed; expected "
                        "name(option=value,...)",
                        variant->kind->name);
    DGM_TRY(dgm_settings_init(env, &variant->settings, tables));
    if (stored)
        DGM_TRY(take_older_defaults(env, variant));
    if (open == NULL)
        return DGM_OK;
    return read_options(env, variant, open + 1, length - (size_t)(open - text) - 2);
}

/* One "name" or "name(options)" of `length` bytes. */
static dgm_status read_variant(struct dgm_env *env, struct dgm_syntax *syntax, const char *text,
                               size_t length)
{
    const char *open = memchr(text, '(', length);
    size_t name_length = open != NULL ? (size_t)(open - text) : length;
    const struct dgm_attn_kind *kind = find_kind(text, name_length);
    struct dgm_attn_variant *variant;

    if (kind == NULL)
        return fail_unknown(env, text, name_length);
    DGM_TRY(check_once(env, syntax, kind));
    variant = &syntax->variants[syntax->count++];
    variant->kind = kind;
    DGM_TRY(read_settings(env, variant, text, length, syntax->shape.stored));
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

/* ---- what cannot stand together ------------------------------------------------------------ */

static unsigned taken(const struct dgm_attn_variant *variant, struct dgm_attn_place place)
{
    return variant->kind->takes != NULL ? variant->kind->takes(variant->state, place) : 0;
}

static const char *name_of_place(unsigned bit)
{
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {
        { DGM_TAKES_OFFSETS, "relative offsets" },
        { DGM_TAKES_LABELS, "labels of pairs" },
        { DGM_TAKES_HEADS, "factors of single heads" },
        { DGM_TAKES_WINDOW, "a predicted window" },
        { DGM_TAKES_QUERIES, "queries and keys of their own" },
        { DGM_TAKES_PARSER, "a head that parses" },
        { DGM_TAKES_FUSION, "several representations" },
        { DGM_TAKES_EMBEDDING, "columns of the embedding" },
    };
    size_t i;

    for (i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].bit & bit)
            return names[i].name;
    return "the same term";
}

/* No two variants may take the same of one layer. */
static dgm_status check_place(struct dgm_env *env, const struct dgm_syntax *syntax,
                              struct dgm_attn_place place)
{
    int i, other;

    for (i = 0; i < syntax->count; i++)
        for (other = 0; other < i; other++) {
            unsigned both =
                taken(&syntax->variants[i], place) & taken(&syntax->variants[other], place);
            if (both != 0)
                return dgm_fail(env, DGM_USAGE,
                                "syntax: %s and %s both want %s in %s layer %d; "
                                "expected one of them, or different layers",
                                syntax->variants[other].kind->name, syntax->variants[i].kind->name,
                                name_of_place(both), dgm_side_name(place.side), place.layer);
        }
    return DGM_OK;
}

static dgm_status check_places(struct dgm_env *env, const struct dgm_syntax *syntax)
{
    struct dgm_attn_place place;
    int side;

    for (side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        place.side = (enum dgm_side)side;
        for (place.layer = 0; place.layer <= syntax->shape.depth[side]; place.layer++)
            DGM_TRY(check_place(env, syntax, place));
    }
    return DGM_OK;
}

static dgm_status read_variants(struct dgm_env *env, struct dgm_syntax *syntax, const char *text)
{
    for (;;) {
        size_t length = variant_length(text);
        DGM_TRY(read_variant(env, syntax, text, length));
        if (text[length] == '\0')
            return check_places(env, syntax);
        text += length + 1;
    }
}

dgm_status dgm_syntax_init(struct dgm_env *env, struct dgm_syntax *syntax, const char *text,
                           const struct dgm_attn_shape *shape)
{
    dgm_status status;

    memset(syntax, 0, sizeof *syntax);
    syntax->shape = *shape;
    if (text == NULL || text[0] == '\0' || strcmp(text, "none") == 0)
        return DGM_OK;
    status = read_variants(env, syntax, text);
    if (status != DGM_OK)
        dgm_syntax_clear(env, syntax);
    return status;
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

/* ---- the text for a model's file ------------------------------------------------------------- */

/* Whether the options between parentheses have one of that name, `_` counting as `-`. */
static int names_option(const char *text, size_t length, const char *name)
{
    size_t at = 0, size = strlen(name), i;

    while (at < length) {
        for (i = 0; i < size && at + i < length; i++)
            if (name[i] != (text[at + i] == '_' ? '-' : text[at + i]))
                break;
        if (i == size && at + i < length && text[at + i] == '=')
            return 1;
        while (at < length && text[at++] != ',')
            ;
    }
    return 0;
}

/* "name" or "name(options)", with the options that it does not name and an older version read
 * otherwise. */
static dgm_status complete_variant(struct dgm_env *env, struct dgm_buf *out,
                                   const struct dgm_attn_kind *kind, const char *text,
                                   size_t length)
{
    size_t name = strcspn(text, "(+"), inside = name < length ? length - name - 2 : 0;
    const char *options = text + name + 1;
    int some = inside > 0;

    DGM_TRY(dgm_buf_add(env, out, text, name));
    if (some)
        DGM_TRY(dgm_buf_add_format(env, out, "(%.*s", (int)inside, options));
    for (const struct dgm_opt *opt = kind->options; opt->name != NULL; opt++) {
        if (opt->before == NULL || names_option(options, inside, opt->name))
            continue;
        DGM_TRY(
            dgm_buf_add_format(env, out, "%s%s=%s", some ? "," : "(", opt->name, opt->fallback));
        some = 1;
    }
    return some ? dgm_buf_add_char(env, out, ')') : DGM_OK;
}

/* Whether "(" is closed, if there is one: else the text is faulty, and nothing completes it. */
static int is_closed(const char *text, size_t length)
{
    return memchr(text, '(', length) == NULL || text[length - 1] == ')';
}

dgm_status dgm_syntax_text_complete(struct dgm_env *env, struct dgm_buf *out, const char *text)
{
    for (;;) {
        size_t length = variant_length(text);
        const struct dgm_attn_kind *kind = find_kind(text, strcspn(text, "(+"));

        if (kind != NULL && is_closed(text, length))
            DGM_TRY(complete_variant(env, out, kind, text, length));
        else
            DGM_TRY(dgm_buf_add(env, out, text, length));
        if (text[length] == '\0')
            return dgm_buf_add(env, out, "", 0);
        DGM_TRY(dgm_buf_add_char(env, out, '+'));
        text += length + 1;
    }
}

/* ---- what must be known before there is a shape ---------------------------------------------- */

/* Adds what one "name" or "name(options)" of `length` bytes asks for. */
static dgm_status add_features(struct dgm_env *env, const char *text, size_t length,
                               unsigned *features)
{
    struct dgm_attn_variant variant = { 0 };
    size_t name = 0;
    dgm_status status;

    while (name < length && text[name] != '(')
        name++;
    variant.kind = find_kind(text, name);
    if (variant.kind == NULL || variant.kind->features == NULL)
        return DGM_OK;
    status = read_settings(env, &variant, text, length, 0);
    if (status == DGM_OK)
        *features |= variant.kind->features(&variant.settings);
    dgm_settings_clear(env, &variant.settings);
    return status;
}

dgm_status dgm_syntax_text_features(struct dgm_env *env, const char *text, unsigned *features)
{
    *features = 0;
    for (;;) {
        size_t length = variant_length(text);

        DGM_TRY(add_features(env, text, length, features));
        if (text[length] == '\0')
            return DGM_OK;
        text += length + 1;
    }
}
