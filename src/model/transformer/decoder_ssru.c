/*
 * decoder_ssru.c: a Transformer's decoder with a Simpler Simple Recurrent Unit where self-attention
 * was (Kim et al., "From Research to Production and Back: Ludicrously Fast Neural Machine
 * Translation", WNGT 2019). With x the input of the sub-layer:
 *
 *   f_t = sigmoid(W_f x_t + b_f)     c_t = f_t c_{t-1} + (1 - f_t) W x_t     c_0 = 0
 *
 * and relu(c_t) is its output. A hypothesis remembers one row of cells a layer, however long it
 * is, in place of keys and values of all that it has read.
 */
#include <string.h>

#include "base/mem.h"
#include "device/reals.h"
#include "graph/segment.h"
#include "model/decoder.h"
#include "model/transformer/cross.h"
#include "model/transformer/transformer.h"

/* ---- parameters ------------------------------------------------------------------------------ */

static dgm_status declare_unit(const struct dgm_scope *scope, enum dgm_side side, int number)
{
    struct dgm_transformer *own = scope->net->own[side];
    struct dgm_ssru_params *out = &own->layers[side][number - 1].unit;
    const int64_t dim = scope->net->config.dim;

    DGM_TRY(dgm_declare_matrix(scope, &out->candidate, "ssru.candidate.weight", dim, dim, 1, 0));
    DGM_TRY(dgm_declare_matrix(scope, &out->forget_weight, "ssru.forget.weight", dim, dim, 1, 0));
    DGM_TRY(
        dgm_declare_vector(scope, &out->forget_bias, "ssru.forget.bias", dim, DGM_INIT_ZERO, 0));
    return dgm_declare_norm(scope, &out->norm_gain, &out->norm_bias, "ssru_layer_norm");
}

static dgm_status declare(struct dgm_env *env, struct dgm_net *net)
{
    return dgm_transformer_declare(env, net, DGM_TARGET, declare_unit);
}

/* ---- the sub-layer --------------------------------------------------------------------------- */

/* Packed sentences, and the cells before the first row of each; NULL: zeros. */
struct chains {
    struct dgm_node *start;
    struct dgm_ref offsets;
    int64_t sentences;
};

/* x after the unit of layer where->layer, whose cells are *cells (N,D). */
static struct dgm_node *remember(const struct dgm_layer_context *where, struct dgm_node *x,
                                 const struct chains *chains, struct dgm_node **cells)
{
    const struct dgm_ssru_params *params =
        &dgm_transformer_of(where->net, DGM_TARGET)->layers[DGM_TARGET][where->layer - 1].unit;
    struct dgm_node *h = dgm_layers_enter(where, x, params->norm_gain, params->norm_bias);

    *cells = dgm_ssru(where->g, dgm_layers_project(where, h, params->candidate, -1, 1),
                      dgm_layers_project(where, h, params->forget_weight, params->forget_bias, 1),
                      chains->start, chains->offsets, chains->sentences);
    return dgm_layers_leave(where, x, dgm_relu(where->g, *cells), DGM_PLACE_SELF, 0,
                            params->norm_gain, params->norm_bias);
}

/* ---- whole sentences ------------------------------------------------------------------------- */

/* No variant of self-attention has a place here: nothing to stage beside the batch itself. */
static dgm_status stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                        const struct dgm_batch *batch, const struct dgm_mask_key *draw)
{
    (void)env;
    (void)net;
    (void)step;
    (void)batch;
    (void)draw;
    return DGM_OK;
}

static struct dgm_node *decode(struct dgm_graph *g, const struct dgm_net *net,
                               const struct dgm_step *step, const struct dgm_encoding *encoded,
                               struct dgm_parse_losses *losses)
{
    const struct chains chains = { NULL, dgm_feed_ref(&step->feed, step->target.offsets),
                                   step->target.sentences };
    struct dgm_rows rows = dgm_step_rows(step, &step->target);
    struct dgm_layer_context where = { .g = g,
                                       .net = net,
                                       .side = DGM_TARGET,
                                       .rows = &rows,
                                       .losses = losses,
                                       .watch = step->watch };
    struct dgm_node *x = dgm_layers_embed(&where), *cells;

    for (where.layer = 1; where.layer <= net->config.dec_depth; where.layer++) {
        dgm_begin_segment(g);
        x = remember(&where, x, &chains, &cells);
        x = dgm_cross_attend(&where, step, x, encoded->rows);
        x = dgm_layers_ffn(&where, x);
    }
    return dgm_layers_finish(&where, x);
}

/* ---- one token at a time --------------------------------------------------------------------- */

/* Cells (R,D) of every layer, that one step has made. */
struct cells {
    struct dgm_buffer *layers[DGM_MAX_LAYERS];
    int64_t rows, capacity;
};

/* What state->own is. */
struct caches {
    struct dgm_cross_cache cross;
    struct cells cells[2]; /* those of step t in cells[t % 2] */
    int32_t *from;         /* (R) the row of the last step that each row continues */
    size_t from_capacity;
};

static void close_caches(struct dgm_env *env, struct dgm_incremental *state)
{
    struct caches *caches = state->own;

    for (int i = 0; i < 2; i++)
        for (int l = 0; l < state->net->config.dec_depth; l++)
            dgm_device_release(env, state->graph.device, caches->cells[i].layers[l]);
    dgm_cross_clear(env, state, &caches->cross);
    dgm_release(env, caches->from);
}

static struct dgm_ref cells_of(const struct cells *cells, int layer)
{
    const struct dgm_ref ref = { cells->layers[layer - 1], 0 };

    return ref;
}

/* Room for the cells of `rows` hypotheses. What was there is lost. */
static dgm_status reserve(struct dgm_env *env, const struct dgm_incremental *state,
                          struct cells *cells, int64_t rows)
{
    struct dgm_device *device = state->graph.device;

    cells->rows = rows;
    if (rows <= cells->capacity)
        return DGM_OK;
    cells->capacity = 0;
    for (int l = 0; l < state->net->config.dec_depth; l++) {
        dgm_device_release(env, device, cells->layers[l]);
        cells->layers[l] = NULL;
        DGM_TRY(dgm_reals_alloc(env, device, &cells->layers[l], rows, state->net->config.dim));
    }
    cells->capacity = rows;
    return DGM_OK;
}

/* Row r continues row r, unless another choice is made. */
static dgm_status go_on(struct dgm_env *env, struct caches *caches, int64_t rows)
{
    DGM_TRY(dgm_reserve(env, &caches->from, &caches->from_capacity, (size_t)rows,
                        sizeof *caches->from));
    for (int64_t r = 0; r < rows; r++)
        caches->from[r] = (int32_t)r;
    return DGM_OK;
}

static dgm_status begin(struct dgm_env *env, struct dgm_incremental *state,
                        const struct dgm_encoding *encoded)
{
    struct caches *caches = state->own;

    return dgm_cross_begin(env, state, &caches->cross, encoded->rows);
}

static dgm_status select_rows(struct dgm_env *env, struct dgm_incremental *state,
                              const int32_t *from, int64_t count)
{
    struct caches *caches = state->own;

    DGM_TRY(dgm_reserve(env, &caches->from, &caches->from_capacity, (size_t)count,
                        sizeof *caches->from));
    memcpy(caches->from, from, (size_t)count * sizeof *from);
    return DGM_OK;
}

/* Index arrays of one step. */
struct step_slots {
    struct dgm_cross_slots cross;
    dgm_slot ids, from;
};

static dgm_status stage_step(struct dgm_env *env, struct dgm_incremental *state, const int32_t *ids,
                             struct step_slots *slots)
{
    const struct caches *caches = state->own;
    struct dgm_feed *feed = &state->feed;
    const size_t bytes = (size_t)state->rows * sizeof *ids;

    dgm_feed_reset(feed);
    DGM_TRY(dgm_feed_copy(env, feed, &slots->ids, ids, bytes));
    if (state->steps > 0)
        DGM_TRY(dgm_feed_copy(env, feed, &slots->from, caches->from, bytes));
    DGM_TRY(dgm_cross_stage(env, state, &slots->cross));
    return dgm_feed_send(env, feed);
}

/* The cells that each hypothesis goes on from; NULL before the first token. */
static struct dgm_node *cells_before(struct dgm_incremental *state, const struct cells *last,
                                     const struct step_slots *slots, int layer)
{
    struct dgm_graph *g = &state->graph;

    if (state->steps == 0)
        return NULL;
    return dgm_gather(g, dgm_constant(g, cells_of(last, layer), last->rows, state->net->config.dim),
                      dgm_feed_ref(&state->feed, slots->from), state->rows);
}

static struct dgm_node *build_step(struct dgm_incremental *state, const struct step_slots *slots)
{
    const struct caches *caches = state->own;
    const struct cells *now = &caches->cells[state->steps % 2];
    const struct cells *last = &caches->cells[(state->steps + 1) % 2];
    struct dgm_rows rows =
        dgm_staged_rows(&state->feed, state->rows, slots->ids, slots->cross.places);
    struct dgm_layer_context where = {
        .g = &state->graph, .net = state->net, .side = DGM_TARGET, .rows = &rows
    };
    struct chains chains = { NULL, dgm_feed_ref(&state->feed, slots->cross.offsets), state->rows };
    struct dgm_node *x = dgm_layers_embed(&where), *cells;

    for (where.layer = 1; where.layer <= state->net->config.dec_depth; where.layer++) {
        chains.start = cells_before(state, last, slots, where.layer);
        x = remember(&where, x, &chains, &cells);
        dgm_place(where.g, cells, cells_of(now, where.layer));
        x = dgm_cross_step(&where, state, &caches->cross, &slots->cross, x);
        x = dgm_layers_ffn(&where, x);
    }
    return dgm_layers_finish(&where, x);
}

static dgm_status read_step(struct dgm_env *env, struct dgm_incremental *state, const int32_t *ids,
                            struct dgm_node **states)
{
    struct caches *caches = state->own;
    struct step_slots slots;

    DGM_TRY(reserve(env, state, &caches->cells[state->steps % 2], state->rows));
    DGM_TRY(stage_step(env, state, ids, &slots));
    *states = build_step(state, &slots);
    return go_on(env, caches, state->rows);
}

/* ---- the kind -------------------------------------------------------------------------------- */

const struct dgm_decoder_kind dgm_decoder_ssru = {
    .name = "ssru",
    .help = "a Transformer's, with simple recurrent units where self-attention was",
    .cite = "Kim et al. 2019",
    .options = "dec-depth dim-emb transformer-heads transformer-dim-ffn transformer-norm positions "
               "attention-bias norm-eps syntax dropout attention-dropout activation-dropout "
               "ffn-activation embedding-scale decoder-start output-bias",
    .family = &dgm_family_transformer,
    .plan_bytes = sizeof(struct dgm_transformer_slots),
    .declare = declare,
    .stage = stage,
    .decode = decode,
    .state_bytes = sizeof(struct caches),
    .close = close_caches,
    .begin = begin,
    .select = select_rows,
    .step = read_step,
};
