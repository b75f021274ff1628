/* cutter.c: the network that finds where tokens and sentences of running text end. */
#include "model/parser/cutter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/philox.h"
#include "graph/segment.h"

#define PREFIX "parser.cutter."

enum { STREAM_CHARACTERS = 0x70000003, NAME_SIZE = 64, TAPS = 3 };

/* ---- parameters ------------------------------------------------------------------------------ */

static dgm_status declare_table(struct dgm_env *env, struct dgm_params *params, dgm_param_id *id,
                                const char *name, int64_t rows, int64_t cols)
{
    return dgm_params_matrix(env, params, id, name, rows, cols, DGM_INIT_NORMAL,
                             1 / sqrt((double)cols));
}

static dgm_status declare_dense(struct dgm_env *env, struct dgm_params *params,
                                struct dgm_dense *dense, const char *name, int64_t rows,
                                int64_t cols)
{
    char full[NAME_SIZE];

    snprintf(full, sizeof full, PREFIX "%s.weight", name);
    DGM_TRY(dgm_params_matrix(env, params, &dense->weight, full, rows, cols, DGM_INIT_XAVIER, 1));
    snprintf(full, sizeof full, PREFIX "%s.bias", name);
    return dgm_params_vector(env, params, &dense->bias, full, rows, DGM_INIT_ZERO);
}

dgm_status dgm_cutter_declare(struct dgm_env *env, struct dgm_cutter *cutter,
                              struct dgm_params *params, int64_t width, int64_t characters)
{
    char name[NAME_SIZE / 2];

    cutter->width = width;
    DGM_TRY(declare_table(env, params, &cutter->characters, PREFIX "characters.weight", characters,
                          width));
    DGM_TRY(declare_table(env, params, &cutter->kinds, PREFIX "kinds.weight", DGM_CHARACTER_KINDS,
                          width));
    for (int l = 0; l < DGM_CUTTER_LAYERS; l++) {
        snprintf(name, sizeof name, "layers.%d", l);
        DGM_TRY(declare_dense(env, params, &cutter->layers[l], name, width, TAPS * width));
    }
    return declare_dense(env, params, &cutter->output, "output", DGM_CUT_LABELS, width);
}

/* ---- staging --------------------------------------------------------------------------------- */

/* A span with its neighbours: rows low..high-1 of the text. */
static int32_t low_of(const struct dgm_text_span *span)
{
    return span->first - span->paragraph_first > DGM_CUTTER_REACH ? span->first - DGM_CUTTER_REACH
                                                                  : span->paragraph_first;
}

static int32_t high_of(const struct dgm_text_span *span)
{
    return span->paragraph_end - span->end > DGM_CUTTER_REACH ? span->end + DGM_CUTTER_REACH
                                                              : span->paragraph_end;
}

static int is_unknown(const struct dgm_cutter_noise *noise, int32_t row)
{
    const uint32_t counter[4] = { 0, (uint32_t)row, 0, STREAM_CHARACTERS };
    uint32_t out[4];

    if (noise == NULL || noise->rate <= 0)
        return 0;
    dgm_philox(out, counter, noise->key);
    return (double)out[0] < noise->rate * 4294967296.0;
}

static dgm_status stage_rows(struct dgm_env *env, struct dgm_feed *feed,
                             struct dgm_cutter_step *step, const struct dgm_characters *text,
                             const struct dgm_text_span *spans, size_t count,
                             const struct dgm_cutter_noise *noise)
{
    int32_t *ids, *kinds;
    size_t bytes = (size_t)step->rows * sizeof *ids;

    DGM_TRY(dgm_feed_take(env, feed, &step->ids, &ids, bytes));
    DGM_TRY(dgm_feed_take(env, feed, &step->kinds, &kinds, bytes));
    ids = dgm_feed_host(feed, step->ids);
    for (size_t s = 0; s < count; s++)
        for (int32_t i = low_of(&spans[s]); i < high_of(&spans[s]); i++) {
            *ids++ = is_unknown(noise, i) ? DGM_VOCAB_UNK : text->ids[i];
            *kinds++ = text->kinds[i];
        }
    return DGM_OK;
}

/* Dropout of a row is a function of its place in the text and of the span that it is staged for,
 * whatever else is in the batch. */
static dgm_status stage_places(struct dgm_env *env, struct dgm_feed *feed,
                               struct dgm_cutter_step *step, const struct dgm_text_span *spans,
                               size_t count)
{
    int32_t *places;

    DGM_TRY(
        dgm_feed_take(env, feed, &step->places, &places, (size_t)step->rows * 2 * sizeof *places));
    for (size_t s = 0; s < count; s++)
        for (int32_t i = low_of(&spans[s]); i < high_of(&spans[s]); i++) {
            *places++ = spans[s].first;
            *places++ = i;
        }
    return DGM_OK;
}

/* For each row, that `step` rows away, or -1 beyond the window. */
static dgm_status stage_neighbours(struct dgm_env *env, struct dgm_feed *feed, dgm_slot *slot,
                                   int64_t rows, const struct dgm_text_span *spans, size_t count,
                                   int32_t away)
{
    int32_t *list, start = 0;

    DGM_TRY(dgm_feed_take(env, feed, slot, &list, (size_t)rows * sizeof *list));
    for (size_t s = 0; s < count; s++) {
        int32_t n = high_of(&spans[s]) - low_of(&spans[s]);

        for (int32_t i = 0; i < n; i++)
            *list++ = i + away >= 0 && i + away < n ? start + i + away : -1;
        start += n;
    }
    return DGM_OK;
}

static dgm_status stage_asked(struct dgm_env *env, struct dgm_feed *feed,
                              struct dgm_cutter_step *step, const struct dgm_characters *text,
                              const struct dgm_text_span *spans, size_t count,
                              const int32_t *labels)
{
    int32_t *asked, *targets, start = 0;
    size_t bytes = (size_t)step->rows * sizeof *asked;

    DGM_TRY(dgm_feed_take(env, feed, &step->asked, &asked, bytes));
    DGM_TRY(dgm_feed_take(env, feed, &step->targets, &targets, bytes));
    asked = dgm_feed_host(feed, step->asked);
    step->asked_count = 0;
    for (size_t s = 0; s < count; s++) {
        int32_t low = low_of(&spans[s]);

        for (int32_t i = spans[s].first; i < spans[s].end; i++) {
            if (labels != NULL && text->kinds[i] == DGM_CHARACTER_BLANK)
                continue;
            targets[step->asked_count] = labels != NULL ? labels[i] : 0;
            asked[step->asked_count++] = start + i - low;
        }
        start += high_of(&spans[s]) - low;
    }
    return DGM_OK;
}

dgm_status dgm_cutter_stage(struct dgm_env *env, struct dgm_feed *feed,
                            struct dgm_cutter_step *step, const struct dgm_characters *text,
                            const struct dgm_text_span *spans, size_t count, const int32_t *labels,
                            const struct dgm_cutter_noise *noise)
{
    step->rows = 0;
    for (size_t s = 0; s < count; s++)
        step->rows += high_of(&spans[s]) - low_of(&spans[s]);
    if (step->rows > INT32_MAX)
        return dgm_fail(env, DGM_DATA, "%lld characters in a batch; expected smaller batches",
                        (long long)step->rows);
    DGM_TRY(stage_rows(env, feed, step, text, spans, count, noise));
    if (noise != NULL)
        DGM_TRY(stage_places(env, feed, step, spans, count));
    for (int l = 0; l < DGM_CUTTER_LAYERS; l++) {
        /* Dilation 2^l: all layers together reach DGM_CUTTER_REACH rows. */
        DGM_TRY(stage_neighbours(env, feed, &step->left[l], step->rows, spans, count, -(1 << l)));
        DGM_TRY(stage_neighbours(env, feed, &step->right[l], step->rows, spans, count, 1 << l));
    }
    return stage_asked(env, feed, step, text, spans, count, labels);
}

/* ---- the network ----------------------------------------------------------------------------- */

struct scope {
    struct dgm_graph *g;
    const struct dgm_params *params;
    const struct dgm_feed *feed;
    const struct dgm_cutter_step *step;
    struct dgm_rows rows;
    dgm_real dropout;
};

/* Streams of dropout, apart from those of parser.c. */
static uint32_t stream(int number)
{
    return (uint32_t)3 << 28 | (uint32_t)number << 8;
}

static struct dgm_node *look_up(const struct scope *scope, dgm_param_id table, dgm_slot ids)
{
    const struct dgm_ref none = { NULL, 0 };
    struct dgm_rows rows = scope->rows;

    rows.ids = dgm_feed_ref(scope->feed, ids);
    return dgm_embed(scope->g, dgm_params_node(scope->g, scope->params, table), &rows, none, 1, 0,
                     0);
}

static struct dgm_node *neighbours(const struct scope *scope, struct dgm_node *x, dgm_slot slot)
{
    return dgm_gather(scope->g, x, dgm_feed_ref(scope->feed, slot), scope->step->rows);
}

static struct dgm_node *layer(const struct scope *scope, struct dgm_node *x, struct dgm_dense dense,
                              int l)
{
    struct dgm_node *parts[TAPS], *y;

    parts[0] = neighbours(scope, x, scope->step->left[l]);
    parts[1] = x;
    parts[2] = neighbours(scope, x, scope->step->right[l]);
    y = dgm_linear_relu(scope->g, dgm_concat(scope->g, parts, TAPS, 1),
                        dgm_params_node(scope->g, scope->params, dense.weight),
                        dgm_params_node(scope->g, scope->params, dense.bias));
    return dgm_residual(scope->g, x, y, &scope->rows, scope->dropout, stream(1 + l));
}

/* What a row is before it has seen its neighbours. */
static struct dgm_node *read_rows(const struct scope *scope, const struct dgm_cutter *cutter)
{
    struct dgm_node *x =
        dgm_residual(scope->g, look_up(scope, cutter->characters, scope->step->ids),
                     look_up(scope, cutter->kinds, scope->step->kinds), &scope->rows, 0, 0);

    return scope->dropout > 0
               ? dgm_residual(scope->g, NULL, x, &scope->rows, scope->dropout, stream(0))
               : x;
}

static struct dgm_node *scores(struct scope *scope, const struct dgm_cutter *cutter)
{
    struct dgm_graph *g = scope->g;
    struct dgm_node *x;

    scope->rows.count = scope->step->rows;
    x = read_rows(scope, cutter);
    for (int l = 0; l < DGM_CUTTER_LAYERS; l++)
        x = layer(scope, x, cutter->layers[l], l);
    x = dgm_gather(g, x, dgm_feed_ref(scope->feed, scope->step->asked), scope->step->asked_count);
    return dgm_linear(g, x, dgm_params_node(g, scope->params, cutter->output.weight),
                      dgm_params_node(g, scope->params, cutter->output.bias));
}

struct dgm_node *dgm_cutter_scores(struct dgm_graph *g, const struct dgm_cutter *cutter,
                                   const struct dgm_params *params, const struct dgm_feed *feed,
                                   const struct dgm_cutter_step *step)
{
    struct scope scope = { .g = g, .params = params, .feed = feed, .step = step };

    return scores(&scope, cutter);
}

struct dgm_node *dgm_cutter_loss(struct dgm_graph *g, const struct dgm_cutter *cutter,
                                 const struct dgm_params *params, const struct dgm_feed *feed,
                                 const struct dgm_cutter_step *step, double dropout)
{
    struct scope scope = { .g = g, .params = params, .feed = feed, .step = step };

    scope.dropout = (dgm_real)dropout;
    scope.rows.places = dgm_feed_ref(feed, step->places);
    dgm_begin_segment(g);
    return dgm_cross_entropy(g, scores(&scope, cutter), dgm_feed_ref(feed, step->targets), 0,
                             DGM_SMOOTHING_OLD, 1);
}
