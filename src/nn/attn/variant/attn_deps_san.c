/*
 * attn_deps_san.c: dependency-scaled self-attention, Deps-SAN, with random sparsening (RS) and
 * Wink sparsening; specification 3.6 as corrected by its readings.
 *
 *   G_ij = exp(-D_ij^2 / (2 sigma^2)) / sqrt(2 pi sigma^2),  E = (s Q K^T) .* G
 *
 * D is the distance of two words in the dependency tree; the end of the sentence stands at the
 * sentence's largest distance + 1 from everything, itself included. A sentence without a parse
 * keeps the plain scores. The variant has no parameters; its constants need one look at the tree.
 */
#include <string.h>

#include "base/number/number.h"
#include "nn/attn/gaussian.h"
#include "nn/attn/sentence.h"

enum { STREAM_SPARSEN = 1 };

enum wink { WINK_ZERO, WINK_NEG_INF, WINK_FORK };

struct deps_san {
    uint64_t layers;
    int64_t heads; /* the last ones of every sentence; as many as there are: all */
    int some_heads;
    struct dgm_attn_gaussian bell;
    int add, eos_diag0;
    enum dgm_attn_subword map;
    double rs_q;
    int32_t rs_fill; /* -1: the sentence's largest distance + 1 */
    double wink_k;   /* 0: off */
    enum wink wink_mode;
    int sparsen_at_test;
};

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "layers", .type = DGM_OPT_TEXT, .argument = "LAYERS", .fallback = "1-3",
      .help = "Encoder layers whose scores are scaled" },
    { .name = "heads", .type = DGM_OPT_INT, .argument = "N", .fallback = "0", .low = 0, .high = 256,
      .help = "Scale the scores of the last N heads only; 0: of all" },
    DGM_GAUSSIAN_OPTIONS,
    { .name = "norm-const", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "1", .low = 0,
      .high = 1, .help = "Keep the Gaussian's normalising constant" },
    { .name = "usage", .type = DGM_OPT_CHOICE, .argument = "NAME", .fallback = "mult",
      .choices = "mult|add", .help = "Multiply the scores by the weight, or add it" },
    { .name = "subword", .type = DGM_OPT_CHOICE, .argument = "MAP", .fallback = "inherit",
      .choices = "inherit|right_chain",
      .help = "How distances of words are carried to their pieces" },
    { .name = "rs-q", .type = DGM_OPT_REAL, .argument = "P", .fallback = "0", .low = 0, .high = 1,
      .help = "Random sparsening in training: probability that a cell's distance is replaced" },
    { .name = "rs-fill", .type = DGM_OPT_TEXT, .argument = "D", .fallback = "max+1",
      .help = "The distance that random sparsening fills in: a number or max+1" },
    { .name = "wink-k", .type = DGM_OPT_REAL, .argument = "K", .fallback = "0", .low = 0,
      .high = 1e6, .help = "Wink sparsening: window of tree distance, 0 for off" },
    { .name = "wink-mode", .type = DGM_OPT_CHOICE, .argument = "MODE", .fallback = "zero",
      .choices = "zero|neg_inf|fork",
      .help = "Beyond the window: weight 0, masked, or distance max+1" },
    { .name = "sparsen-at-test", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "0", .low = 0,
      .high = 1, .help = "Use Wink sparsening outside training too" },
    { .name = "eos-diag0", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "0", .low = 0,
      .high = 1, .help = "Distance 0 of the end of the sentence to itself" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status parse_fill(struct dgm_env *env, const char *text, int32_t *fill)
{
    int64_t value;

    if (strcmp(text, "max+1") == 0) {
        *fill = -1;
        return DGM_OK;
    }
    if (!dgm_number_int(&value, text, strlen(text)) || value < 0 || value > 1000000)
        return dgm_fail(env, DGM_USAGE,
                        "deps-san: rs_fill=%s; expected max+1 or a distance "
                        "within 0..1000000",
                        text);
    *fill = (int32_t)value;
    return DGM_OK;
}

static dgm_status read_heads(struct dgm_env *env, struct deps_san *deps,
                             const struct dgm_settings *settings,
                             const struct dgm_attn_shape *shape)
{
    int64_t heads = dgm_settings_int(settings, "heads");

    if (heads > shape->heads)
        return dgm_fail(env, DGM_USAGE, "deps-san: heads=%d of %d", (int)heads, (int)shape->heads);
    deps->heads = heads == 0 ? shape->heads : heads;
    deps->some_heads = deps->heads < shape->heads;
    if (deps->some_heads && (deps->add || (deps->wink_k > 0 && deps->wink_mode == WINK_NEG_INF)))
        return dgm_fail(env, DGM_USAGE,
                        "deps-san: heads=%d works on factors; expected usage=mult "
                        "and no wink_mode=neg_inf",
                        (int)heads);
    return DGM_OK;
}

static dgm_status deps_configure(struct dgm_env *env, void *state,
                                 const struct dgm_settings *settings,
                                 const struct dgm_attn_shape *shape)
{
    struct deps_san *deps = state;

    dgm_attn_gaussian_read(&deps->bell, settings);
    deps->bell.norm_const = (int)dgm_settings_int(settings, "norm-const");
    deps->add = dgm_attn_chose(settings, "usage", "add");
    deps->map = dgm_attn_subword_read(settings);
    deps->eos_diag0 = (int)dgm_settings_int(settings, "eos-diag0");
    deps->rs_q = dgm_settings_real(settings, "rs-q");
    deps->wink_k = dgm_settings_real(settings, "wink-k");
    deps->wink_mode = dgm_attn_chose(settings, "wink-mode", "zero")      ? WINK_ZERO
                      : dgm_attn_chose(settings, "wink-mode", "neg_inf") ? WINK_NEG_INF
                                                                         : WINK_FORK;
    deps->sparsen_at_test = (int)dgm_settings_int(settings, "sparsen-at-test");
    DGM_TRY(read_heads(env, deps, settings, shape));
    DGM_TRY(parse_fill(env, dgm_settings_text(settings, "rs-fill"), &deps->rs_fill));
    return dgm_attn_read_layers(env, settings, "layers", shape, shape->depth[DGM_SOURCE], "encoder",
                                "deps-san", &deps->layers);
}

static unsigned deps_needs(const void *state)
{
    return ((const struct deps_san *)state)->layers != 0 ? DGM_NEEDS_TREES : 0;
}

static int deps_serves(const void *state, struct dgm_attn_place place)
{
    return place.side == DGM_SOURCE &&
           dgm_layers_has(((const struct deps_san *)state)->layers, place.layer);
}

static unsigned deps_takes(const void *state, struct dgm_attn_place place)
{
    const struct deps_san *deps = state;

    return deps_serves(state, place) && deps->some_heads ? DGM_TAKES_HEADS : 0;
}

static int deps_varies(const void *state, int training)
{
    return training && ((const struct deps_san *)state)->rs_q > 0;
}

/* ---- one sentence -------------------------------------------------------------------------- */

/* What the cells of one sentence are computed from. */
struct cells {
    int32_t n;         /* positions, the end of the sentence last */
    int32_t *distance; /* (n,n) */
    int32_t largest;   /* over pairs of words */
};

/* Spreads (n-1, n-1) piece distances to (n,n), with the end of the sentence at largest + 1. */
static void add_sentence_end(const struct deps_san *deps, struct cells *cells,
                             const int32_t *between)
{
    int32_t n = cells->n, i, j;

    cells->largest = 0;
    for (i = 0; i < (n - 1) * (n - 1); i++)
        if (between[i] > cells->largest)
            cells->largest = between[i];
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            cells->distance[i * n + j] =
                i < n - 1 && j < n - 1 ? between[i * (n - 1) + j] : cells->largest + 1;
    if (deps->eos_diag0)
        cells->distance[n * n - 1] = 0;
}

/* RS: replaces each cell's distance with probability q; specification 3.6, 3.12. */
static void sparsen(const struct deps_san *deps, const struct dgm_attn_plan *plan, int32_t s,
                    struct cells *cells)
{
    uint32_t threshold = dgm_attn_threshold(deps->rs_q), words[4];
    int32_t fill = deps->rs_fill < 0 ? cells->largest + 1 : deps->rs_fill, i, j;

    for (i = 0; i < cells->n; i++)
        for (j = 0; j < cells->n; j++) {
            if (j % 4 == 0)
                dgm_attn_random(words, plan, s, STREAM_SPARSEN, (uint32_t)i, (uint32_t)j / 4);
            if (dgm_attn_happens(words[j % 4], threshold))
                cells->distance[i * cells->n + j] = fill;
        }
}

/* K4 or K5, and Wink's mask: writes one sentence's blocks of the layer's constants. */
static dgm_status write_cells(struct dgm_env *env, const struct deps_san *deps,
                              struct dgm_attn_plan *plan, int32_t square, const struct cells *cells)
{
    int wink = deps->wink_k > 0 && (plan->training || deps->sparsen_at_test);
    int32_t n = cells->n, i;
    /* Factor 1 is that of some heads (DGM_TAKES_HEADS), factor 0 of all. */
    dgm_real *out =
        deps->add ? dgm_attn_addend(env, plan) : dgm_attn_factor(env, plan, deps->some_heads);
    unsigned char *hidden = NULL;

    if (out == NULL)
        return DGM_MEMORY;
    out += square;
    for (i = 0; i < n * n; i++) {
        int32_t distance = cells->distance[i];
        int beyond = wink && (double)distance > deps->wink_k;
        double g;
        if (beyond && deps->wink_mode == WINK_FORK)
            distance = cells->largest + 1;
        g = beyond && deps->wink_mode == WINK_ZERO ? 0
                                                   : dgm_attn_gaussian_at(&deps->bell, distance);
        out[i] = (dgm_real)(deps->add ? (double)out[i] + g : (double)out[i] * g);
    }
    if (!wink || deps->wink_mode != WINK_NEG_INF)
        return DGM_OK;
    hidden = dgm_attn_hidden(env, plan);
    if (hidden == NULL)
        return DGM_MEMORY;
    hidden += square;
    for (i = 0; i < n * n; i++) /* cells of the sentence's end are never masked: no empty row */
        if (i / n < n - 1 && i % n < n - 1 && (double)cells->distance[i] > deps->wink_k)
            hidden[i] = 1;
    return DGM_OK;
}

static dgm_status plan_sentence(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan,
                                const struct dgm_attn_sentence *sentence)
{
    const struct deps_san *deps = state;
    struct cells cells;
    int32_t *between;

    cells.n = sentence->n;
    cells.distance = dgm_attn_scratch(env, plan, cells.n, cells.n);
    between = dgm_attn_scratch(env, plan, cells.n, cells.n);
    if (cells.distance == NULL || between == NULL)
        return DGM_MEMORY;
    DGM_TRY(dgm_attn_distances(env, plan, sentence, deps->map, between));
    add_sentence_end(deps, &cells, between);
    if (plan->training && deps->rs_q > 0)
        sparsen(deps, plan, sentence->s, &cells);
    return write_cells(env, deps, plan, sentence->square, &cells);
}

static dgm_status deps_plan(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan)
{
    return dgm_attn_each_sentence(env, state, plan, plan_sentence);
}

static dgm_status deps_terms(const void *state, struct dgm_attn_layer *layer)
{
    const struct deps_san *deps = state;
    struct dgm_attention *core = &layer->terms.core;

    if (deps->some_heads && deps_serves(state, layer->place)) {
        core->factor_first[1] = core->heads - deps->heads;
        core->factor_heads[1] = deps->heads;
    }
    return DGM_OK;
}

static const char *const samples[] = {
    "layers=1-2", "layers=1-2,rs-q=0.2,wink-k=1,wink-mode=neg_inf | layers=1-2",
    "layers=1 2,heads=1,wink-k=1,subword=right_chain | layers=1 2,heads=1,subword=right_chain",
    "layers=2,usage=add,sparsen-at-test=1,wink-k=2,wink-mode=fork", NULL
};

const struct dgm_attn_kind dgm_attn_deps_san = {
    .name = "deps-san",
    .cite = "Deps-SAN, Peng et al. 2021",
    .help = "scores are scaled by a Gaussian of the distance in the dependency tree",
    .options = options,
    .samples = samples,
    .state_bytes = sizeof(struct deps_san),
    .configure = deps_configure,
    .needs = deps_needs,
    .takes = deps_takes,
    .serves = deps_serves,
    .varies = deps_varies,
    .plan = deps_plan,
    .terms = deps_terms,
};
