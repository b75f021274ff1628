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
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/philox.h"
#include "nn/attn/attn.h"
#include "syntax/align.h"
#include "syntax/tree.h"

enum { STREAM_SPARSEN = 0x52530000 };

enum wink { WINK_ZERO, WINK_NEG_INF, WINK_FORK };

struct deps_san {
    uint64_t layers;
    double sigma;
    int norm_const, uniform, add, right_chain, eos_diag0;
    double rs_q;
    int32_t rs_fill;      /* -1: the sentence's largest distance + 1 */
    double wink_k;        /* 0: off */
    enum wink wink_mode;
    int sparsen_at_test;
};

static const struct dgm_opt options[] = {
    {"layers", 0, DGM_OPT_TEXT, "LAYERS", "1-3", 0, 0, NULL, NULL,
     "Encoder layers whose scores are scaled"},
    {"sigma", 0, DGM_OPT_REAL, "X", "1", 1e-6, 1e6, NULL, NULL,
     "Standard deviation of the Gaussian, or window of fn=uniform"},
    {"norm-const", 0, DGM_OPT_INT, "0|1", "1", 0, 1, NULL, NULL,
     "Keep the Gaussian's normalising constant"},
    {"fn", 0, DGM_OPT_CHOICE, "NAME", "normal", 0, 0, "normal|uniform", NULL,
     "Weight of a distance: Gaussian, or 1 inside a window and 0 outside"},
    {"usage", 0, DGM_OPT_CHOICE, "NAME", "mult", 0, 0, "mult|add", NULL,
     "Multiply the scores by the weight, or add it"},
    {"subword", 0, DGM_OPT_CHOICE, "MAP", "inherit", 0, 0, "inherit|right_chain", NULL,
     "How distances of words are carried to their pieces"},
    {"rs-q", 0, DGM_OPT_REAL, "P", "0", 0, 1, NULL, NULL,
     "Random sparsening in training: probability that a cell's distance is replaced"},
    {"rs-fill", 0, DGM_OPT_TEXT, "D", "max+1", 0, 0, NULL, NULL,
     "The distance that random sparsening fills in: a number or max+1"},
    {"wink-k", 0, DGM_OPT_REAL, "K", "0", 0, 1e6, NULL, NULL,
     "Wink sparsening: window of tree distance, 0 for off"},
    {"wink-mode", 0, DGM_OPT_CHOICE, "MODE", "zero", 0, 0, "zero|neg_inf|fork", NULL,
     "Beyond the window: weight 0, masked, or distance max+1"},
    {"sparsen-at-test", 0, DGM_OPT_INT, "0|1", "0", 0, 1, NULL, NULL,
     "Use Wink sparsening outside training too"},
    {"eos-diag0", 0, DGM_OPT_INT, "0|1", "0", 0, 1, NULL, NULL,
     "Distance 0 of the end of the sentence to itself"},
    DGM_OPT_END
};

static int is_choice(const struct dgm_settings *settings, const char *name, const char *choice)
{
    return strcmp(dgm_settings_text(settings, name), choice) == 0;
}

static dgm_status parse_fill(struct dgm_env *env, const char *text, int32_t *fill)
{
    int64_t value;

    if (strcmp(text, "max+1") == 0) {
        *fill = -1;
        return DGM_OK;
    }
    if (!dgm_number_int(&value, text, strlen(text)) || value < 0 || value > 1000000)
        return dgm_fail(env, DGM_USAGE, "deps-san: rs_fill=%s; expected max+1 or a distance "
                        "within 0..1000000", text);
    *fill = (int32_t)value;
    return DGM_OK;
}

static dgm_status deps_configure(struct dgm_env *env, void *state,
                                 const struct dgm_settings *settings,
                                 const struct dgm_attn_shape *shape)
{
    struct deps_san *deps = state;

    (void)shape;
    deps->sigma = dgm_settings_real(settings, "sigma");
    deps->norm_const = (int)dgm_settings_int(settings, "norm-const");
    deps->uniform = is_choice(settings, "fn", "uniform");
    deps->add = is_choice(settings, "usage", "add");
    deps->right_chain = is_choice(settings, "subword", "right_chain");
    deps->eos_diag0 = (int)dgm_settings_int(settings, "eos-diag0");
    deps->rs_q = dgm_settings_real(settings, "rs-q");
    deps->wink_k = dgm_settings_real(settings, "wink-k");
    deps->wink_mode = is_choice(settings, "wink-mode", "zero")      ? WINK_ZERO
                      : is_choice(settings, "wink-mode", "neg_inf") ? WINK_NEG_INF
                                                                    : WINK_FORK;
    deps->sparsen_at_test = (int)dgm_settings_int(settings, "sparsen-at-test");
    DGM_TRY(parse_fill(env, dgm_settings_text(settings, "rs-fill"), &deps->rs_fill));
    return dgm_layers_parse(env, dgm_settings_text(settings, "layers"), &deps->layers);
}

static int deps_serves(const void *state, int layer)
{
    return dgm_layers_has(((const struct deps_san *)state)->layers, layer);
}

static int deps_varies(const void *state, int training)
{
    return training && ((const struct deps_san *)state)->rs_q > 0;
}

/* ---- one sentence -------------------------------------------------------------------------- */

/* What the cells of one sentence are computed from. */
struct cells {
    int32_t n;          /* positions, the end of the sentence last */
    int32_t *distance;  /* (n,n) */
    int32_t largest;    /* over pairs of words */
};

static int32_t *scratch(struct dgm_env *env, struct dgm_attn_plan *plan, int32_t rows,
                        int32_t cols)
{
    return dgm_arena_alloc(env, plan->scratch, (size_t)rows * (size_t)cols, sizeof(int32_t));
}

/* Distances between the pieces of a sentence: (pieces,pieces) into `between`. */
static dgm_status piece_distances(struct dgm_env *env, const struct deps_san *deps,
                                  struct dgm_attn_plan *plan, const struct dgm_tree *tree,
                                  const struct dgm_align *align, int32_t *between)
{
    int32_t *work = scratch(env, plan, align->pieces + 1, 3), *words;
    struct dgm_tree pieces = {NULL, 0, 1};

    if (work == NULL)
        return DGM_MEMORY;
    if (deps->right_chain) {
        pieces.count = align->pieces;
        pieces.head = scratch(env, plan, pieces.count, 1);
        if (pieces.head == NULL)
            return DGM_MEMORY;
        dgm_align_right_chain(pieces.head, align, tree);
        dgm_tree_distances_in(between, work, &pieces);
        return DGM_OK;
    }
    words = scratch(env, plan, tree->count, tree->count);
    if (words == NULL)
        return DGM_MEMORY;
    dgm_tree_distances_in(words, work, tree);
    dgm_align_expand(between, align, words);
    return DGM_OK;
}

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
    uint32_t threshold = deps->rs_q >= 1 ? UINT32_MAX : (uint32_t)(deps->rs_q * 4294967296.0);
    int32_t fill = deps->rs_fill < 0 ? cells->largest + 1 : deps->rs_fill;
    uint32_t counter[4], words[4];
    int32_t i, j;

    counter[2] = (uint32_t)plan->numbers[s];
    counter[3] = STREAM_SPARSEN + (uint32_t)plan->layer;
    for (i = 0; i < cells->n; i++) {
        counter[1] = (uint32_t)i;
        for (j = 0; j < cells->n; j++) {
            counter[0] = (uint32_t)j / 4;
            if (j % 4 == 0)
                dgm_philox(words, counter, plan->key);
            if (words[j % 4] < threshold || deps->rs_q >= 1)
                cells->distance[i * cells->n + j] = fill;
        }
    }
}

/* Weight of a distance: the Gaussian, or the indicator of distance < sigma + 1. */
static double weight(const struct deps_san *deps, int32_t distance)
{
    const double pi = 3.14159265358979323846;
    double x = (double)distance / deps->sigma, g;

    if (deps->uniform)
        return (double)distance < deps->sigma + 1 ? 1 : 0;
    g = exp(-x * x / 2);
    return deps->norm_const ? g / sqrt(2 * pi * deps->sigma * deps->sigma) : g;
}

/* K4 or K5, and Wink's mask: writes one sentence's blocks of the layer's constants. */
static dgm_status write_cells(struct dgm_env *env, const struct deps_san *deps,
                              struct dgm_attn_plan *plan, int32_t s, const struct cells *cells)
{
    int wink = deps->wink_k > 0 && (plan->training || deps->sparsen_at_test);
    int32_t n = cells->n, i;
    dgm_real *out = deps->add ? dgm_attn_addend(env, plan) : dgm_attn_factor(env, plan);
    unsigned char *hidden = NULL;

    if (out == NULL)
        return DGM_MEMORY;
    out += plan->squares[s];
    for (i = 0; i < n * n; i++) {
        int32_t distance = cells->distance[i];
        int beyond = wink && (double)distance > deps->wink_k;
        double g;
        if (beyond && deps->wink_mode == WINK_FORK)
            distance = cells->largest + 1;
        g = beyond && deps->wink_mode == WINK_ZERO ? 0 : weight(deps, distance);
        out[i] = (dgm_real)(deps->add ? (double)out[i] + g : (double)out[i] * g);
    }
    if (!wink || deps->wink_mode != WINK_NEG_INF)
        return DGM_OK;
    hidden = dgm_attn_hidden(env, plan);
    if (hidden == NULL)
        return DGM_MEMORY;
    hidden += plan->squares[s];
    for (i = 0; i < n * n; i++) /* cells of the sentence's end are never masked: no empty row */
        if (i / n < n - 1 && i % n < n - 1 && (double)cells->distance[i] > deps->wink_k)
            hidden[i] = 1;
    return DGM_OK;
}

/* Tree and alignment of a sentence of a packed side; both borrow its arrays. */
static dgm_status borrow_sentence(struct dgm_env *env, struct dgm_attn_plan *plan, int32_t s,
                                  struct dgm_tree *tree, struct dgm_align *align)
{
    const struct dgm_packed *side = plan->side;
    int32_t p;

    tree->head = side->heads + side->word_offsets[s];
    tree->count = side->word_offsets[s + 1] - side->word_offsets[s];
    tree->has_parse = 1;
    align->words = tree->count;
    align->pieces = dgm_packed_length(side, s) - 1;
    align->word = side->words + side->offsets[s];
    align->first = scratch(env, plan, align->words + 1, 1);
    if (align->first == NULL)
        return DGM_MEMORY;
    align->first[align->words] = align->pieces;
    for (p = align->pieces - 1; p >= 0; p--)
        align->first[align->word[p]] = p;
    return DGM_OK;
}

static dgm_status plan_sentence(struct dgm_env *env, const struct deps_san *deps,
                                struct dgm_attn_plan *plan, int32_t s)
{
    struct dgm_align align;
    struct dgm_tree tree;
    struct cells cells;
    int32_t *between;

    dgm_arena_reset(plan->scratch);
    cells.n = dgm_packed_length(plan->side, s);
    cells.distance = scratch(env, plan, cells.n, cells.n);
    between = scratch(env, plan, cells.n, cells.n);
    if (cells.distance == NULL || between == NULL)
        return DGM_MEMORY;
    DGM_TRY(borrow_sentence(env, plan, s, &tree, &align));
    DGM_TRY(piece_distances(env, deps, plan, &tree, &align, between));
    add_sentence_end(deps, &cells, between);
    if (plan->training && deps->rs_q > 0)
        sparsen(deps, plan, s, &cells);
    return write_cells(env, deps, plan, s, &cells);
}

static int has_parse(const struct dgm_packed *side, int32_t s)
{
    return side->heads != NULL && side->word_offsets[s + 1] > side->word_offsets[s] &&
           side->heads[side->word_offsets[s]] >= 0;
}

static dgm_status deps_plan(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan)
{
    int32_t s;

    for (s = 0; s < plan->side->count; s++)
        if (has_parse(plan->side, s))
            DGM_TRY(plan_sentence(env, state, plan, s));
    return DGM_OK;
}

const struct dgm_attn_kind dgm_attn_deps_san = {
    "deps-san", "Deps-SAN: dependency-scaled self-attention",
    "scores are scaled by a Gaussian of the distance in the dependency tree",
    options, sizeof(struct deps_san), 1,
    deps_configure, NULL, deps_serves, deps_varies, deps_plan, NULL
};
