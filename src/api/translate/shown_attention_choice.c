/*
 * shown_attention_choice.c: reads which kinds, layers and heads of attention are wanted.
 */
#include <string.h>

#include "api/translate/shown_attention.h"
#include "base/number/number.h"
#include "model/decoder.h"

const char *const dgm_attention_kind_names[DGM_ATTENTION_KINDS] = { "encoder", "decoder", "cross" };

#define BETWEEN " ,"

static dgm_status fail_text(struct dgm_env *env, const char *what, const char *text,
                            const char *expected)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, text, strlen(text));
    return dgm_fail(env, DGM_USAGE, "attention-%s: \"%s\"; expected %s", what, quoted, expected);
}

/* The next item of a list; 0 at its end. */
static int next_item(const char **at, const char **item, size_t *length)
{
    *item = *at + strspn(*at, BETWEEN);
    *length = strcspn(*item, BETWEEN);
    *at = *item + *length;
    return *length > 0;
}

static dgm_status choose_kinds(struct dgm_env *env, int chosen[DGM_ATTENTION_KINDS],
                               const char *kinds)
{
    const char *at = kinds, *item;
    size_t length;
    int kind, some = 0;

    while (next_item(&at, &item, &length)) {
        int all = length == 3 && memcmp(item, "all", 3) == 0, known = all;
        for (kind = 0; kind < DGM_ATTENTION_KINDS; kind++)
            if (all || (strlen(dgm_attention_kind_names[kind]) == length &&
                        memcmp(dgm_attention_kind_names[kind], item, length) == 0))
                chosen[kind] = known = 1;
        if (!known)
            return fail_text(env, "kinds", kinds, "encoder, decoder, cross or all");
        some = 1;
    }
    return some ? DGM_OK : fail_text(env, "kinds", kinds, "encoder, decoder, cross or all");
}

/* "2" or "1-3", within first..last. */
static int read_range(const char *item, size_t length, int64_t first, int64_t last, int64_t *from,
                      int64_t *to)
{
    const char *dash = memchr(item, '-', length);
    size_t head = dash != NULL ? (size_t)(dash - item) : length;

    if (!dgm_number_int(from, item, head))
        return 0;
    *to = *from;
    if (dash != NULL && !dgm_number_int(to, dash + 1, length - head - 1))
        return 0;
    return first <= *from && *from <= *to && *to <= last;
}

/* set[i - first] for every i of "1-3 5"; 0 if the text is faulty. */
static int read_places(const char *text, int64_t first, int64_t last, unsigned char *set)
{
    const char *item;
    int64_t from, to;
    size_t length;
    int some = 0;

    while (next_item(&text, &item, &length)) {
        if (!read_range(item, length, first, last, &from, &to))
            return 0;
        memset(set + from - first, 1, (size_t)(to - from + 1));
        some = 1;
    }
    return some;
}

/* Refuses what the network has not, if it has none of what was chosen. */
static dgm_status check_kinds(struct dgm_env *env, const struct dgm_net *net,
                              const int chosen[DGM_ATTENTION_KINDS], const char *kinds)
{
    const struct dgm_encoder_kind *encoder = net->encoder;
    int kind, some = 0;

    for (kind = 0; kind < DGM_ATTENTION_KINDS; kind++)
        some |= chosen[kind] && dgm_attention_probe_layers(net, (enum dgm_attention_kind)kind) > 0;
    if (!some)
        return dgm_fail(env, DGM_USAGE,
                        "attention-kinds: \"%s\" of a model with --encoder %s "
                        "--decoder %s, which has no such attention; expected cross",
                        kinds, encoder->name, net->decoder->name);
    if (chosen[DGM_ATTENTION_CROSS] && encoder->positions != NULL &&
        encoder->positions(&net->config, 2) == 0)
        return dgm_fail(env, DGM_USAGE,
                        "attention-kinds: cross of a model that attends to "
                        "constituents alone, not to words");
    return DGM_OK;
}

static dgm_status choose_layers(struct dgm_env *env, struct dgm_attention_choice *choice,
                                const int chosen[DGM_ATTENTION_KINDS], const struct dgm_net *net,
                                const char *layers)
{
    unsigned char set[DGM_MAX_LAYERS] = { 0 };
    int last = strcmp(layers, "last") == 0, all = strcmp(layers, "all") == 0, kind, depth, l;
    int deepest = 0;
    uint64_t found = 0;

    for (kind = 0; kind < DGM_ATTENTION_KINDS; kind++) {
        depth = dgm_attention_probe_layers(net, (enum dgm_attention_kind)kind);
        deepest = depth > deepest ? depth : deepest;
    }
    if (!last && !all && !read_places(layers, 1, deepest, set))
        return fail_text(env, "layers", layers, "last, all, or layers of the model: 1-3 5");
    for (kind = 0; kind < DGM_ATTENTION_KINDS; kind++) {
        depth = dgm_attention_probe_layers(net, (enum dgm_attention_kind)kind);
        for (l = 1; chosen[kind] && l <= depth; l++)
            if (all || (last && l == depth) || set[l - 1])
                choice->layers[kind] |= (uint64_t)1 << (l - 1);
        found |= choice->layers[kind];
    }
    return found != 0 ? DGM_OK : fail_text(env, "layers", layers, "layers of the chosen kinds");
}

/* The most heads of an attention that was chosen. */
static int64_t most_heads(const struct dgm_attention_choice *choice, const struct dgm_net *net)
{
    int64_t most = 0, heads;
    int kind;

    for (kind = 0; kind < DGM_ATTENTION_KINDS; kind++) {
        heads = choice->layers[kind] != 0
                    ? dgm_attention_probe_heads(net, (enum dgm_attention_kind)kind)
                    : 0;
        most = heads > most ? heads : most;
    }
    return most;
}

dgm_status dgm_attention_choose(struct dgm_env *env, struct dgm_attention_choice *choice,
                                const struct dgm_net *net, const char *kinds, const char *layers,
                                const char *heads)
{
    int chosen[DGM_ATTENTION_KINDS] = { 0 };
    int64_t most;

    memset(choice, 0, sizeof *choice);
    kinds = kinds != NULL ? kinds : "cross";
    DGM_TRY(choose_kinds(env, chosen, kinds));
    DGM_TRY(check_kinds(env, net, chosen, kinds));
    DGM_TRY(choose_layers(env, choice, chosen, net, layers != NULL ? layers : "last"));
    choice->mean = heads == NULL || strcmp(heads, "mean") == 0;
    if (choice->mean)
        return DGM_OK;
    most = most_heads(choice, net);
    if (strcmp(heads, "all") == 0)
        memset(choice->heads, 1, (size_t)most);
    else if (!read_places(heads, 0, most - 1, choice->heads))
        return fail_text(env, "heads", heads, "mean, all, or heads of the model, from 0: 0-3 5");
    return DGM_OK;
}
