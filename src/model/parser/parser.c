/*
 * parser.c: the biaffine parser: its parameters, and its computation as graph nodes (Dozat and
 * Manning 2017, section 2).
 */
#include "model/parser/parser.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "graph/segment.h"
#include "model/transformer/transformer.h"

/* ---- parameters: names, shapes and initial values -------------------------------------------- */

struct declaring {
    struct dgm_env *env;
    struct dgm_params *params;
};

enum { NAME_SIZE = 96, PART_SIZE = 64 };

static dgm_status declare_matrix(const struct declaring *to, dgm_param_id *id, const char *name,
                                 int64_t rows, int64_t cols, double gain)
{
    char full[NAME_SIZE];

    snprintf(full, sizeof full, DGM_PARSER_PREFIX "%s.weight", name);
    DGM_TRY(dgm_params_matrix(to->env, to->params, id, full, rows, cols, DGM_INIT_XAVIER, gain));
    dgm_params_plain(to->params, *id);
    return DGM_OK;
}

static dgm_status declare_table(const struct declaring *to, dgm_param_id *id, const char *name,
                                int64_t rows, int64_t cols)
{
    char full[NAME_SIZE];

    snprintf(full, sizeof full, DGM_PARSER_PREFIX "%s.weight", name);
    DGM_TRY(dgm_params_matrix(to->env, to->params, id, full, rows, cols, DGM_INIT_NORMAL,
                              1 / sqrt((double)cols)));
    dgm_params_plain(to->params, *id);
    return DGM_OK;
}

/* A matrix (rows,cols) and a bias (rows). `gain` makes up for matrices that lie in one. */
static dgm_status declare_dense(const struct declaring *to, struct dgm_dense *dense,
                                const char *name, int64_t rows, int64_t cols, double gain)
{
    char full[NAME_SIZE];

    DGM_TRY(declare_matrix(to, &dense->weight, name, rows, cols, gain));
    snprintf(full, sizeof full, DGM_PARSER_PREFIX "%s.bias", name);
    return dgm_params_vector(to->env, to->params, &dense->bias, full, rows, DGM_INIT_ZERO);
}

static dgm_status declare_bare(const struct declaring *to, struct dgm_dense *dense,
                               const char *name, int64_t rows, int64_t cols)
{
    dense->bias = -1;
    return declare_matrix(to, &dense->weight, name, rows, cols, 1);
}

/* The scale of each of `count` (rows,cols) matrices that are declared as one tall one. */
static double stacked(int64_t rows, int64_t cols, int64_t count)
{
    /* Xavier has the bound sqrt(6 / (rows + cols)), here of the tall one. */
    return sqrt((double)(count * rows + cols) / (double)(rows + cols));
}

static dgm_status declare_lstm(const struct declaring *to, struct dgm_lstm_params *out,
                               const char *name, int64_t in, int64_t states)
{
    char part[PART_SIZE];

    snprintf(part, sizeof part, "%s.input", name);
    DGM_TRY(declare_dense(to, &out->input, part, 8 * states, in, stacked(states, in, 8)));
    snprintf(part, sizeof part, "%s.recurrent", name);
    return declare_matrix(to, &out->recurrent, part, 8 * states, states,
                          stacked(states, states, 8));
}

static dgm_status declare_rows(const struct declaring *to, struct dgm_parser *parser)
{
    const struct dgm_parser_config *config = &parser->config;
    int64_t pieces = (int64_t)dgm_vocab_size(&parser->lexicon.pieces);

    parser->tag_table = parser->piece_table = parser->treebank_table = -1;
    if (config->tag_input) /* the last row is the unknown tag's, and the root's */
        DGM_TRY(declare_table(to, &parser->tag_table, "tag_input", parser->tags + 1, config->dim));
    if (parser->treebanks > 0)
        DGM_TRY(declare_table(to, &parser->treebank_table, "treebanks", parser->treebanks,
                              config->dim));
    if (parser->lexicon.vectors.dim > 0)
        DGM_TRY(declare_bare(to, &parser->vectors, "vectors", config->dim,
                             parser->lexicon.vectors.dim));
    if (config->pieces == DGM_PIECES_NONE)
        return DGM_OK;
    DGM_TRY(declare_table(to, &parser->piece_table, "pieces", pieces, config->piece));
    DGM_TRY(
        declare_lstm(to, &parser->piece_lstm, "pieces.lstm", config->piece, config->piece_lstm));
    DGM_TRY(declare_dense(to, &parser->piece_first, "pieces.first", config->dim,
                          2 * config->piece_lstm, 1));
    return declare_bare(to, &parser->piece_last, "pieces.last", config->dim,
                        2 * config->piece_lstm);
}

static dgm_status declare_layers(const struct declaring *to, struct dgm_parser *parser)
{
    const struct dgm_parser_config *config = &parser->config;
    int64_t in = config->dim;
    char name[PART_SIZE / 2];

    for (int l = 0; config->reader == DGM_READER_LSTM && l < config->depth; l++) {
        snprintf(name, sizeof name, "lstm.%d", l);
        DGM_TRY(declare_lstm(to, &parser->layers[l], name, in, config->lstm));
        in = 2 * config->lstm;
    }
    return DGM_OK;
}

static dgm_status declare_scorers(const struct declaring *to, struct dgm_parser *parser)
{
    const struct dgm_parser_config *config = &parser->config;
    int64_t x = config->reader == DGM_READER_LSTM ? 2 * config->lstm : config->dim;
    int64_t arc = config->arc, label = config->label;

    DGM_TRY(declare_dense(to, &parser->arc_dependent, "arc.dependent", arc, x, 1));
    DGM_TRY(declare_dense(to, &parser->arc_head, "arc.head", arc, x, 1));
    DGM_TRY(declare_dense(to, &parser->arc_form, "arc.form", arc, arc, 1));
    DGM_TRY(declare_dense(to, &parser->label_dependent, "label.dependent", label, x, 1));
    DGM_TRY(declare_dense(to, &parser->label_head, "label.head", label, x, 1));
    DGM_TRY(declare_bare(to, &parser->label_form, "label.form", parser->labels * label, label));
    DGM_TRY(declare_dense(to, &parser->label_of_dependent, "label.of_dependent", parser->labels,
                          label, 1));
    DGM_TRY(declare_bare(to, &parser->label_of_head, "label.of_head", parser->labels, label));
    DGM_TRY(declare_dense(to, &parser->tag_hidden, "tag.hidden", config->tag, x, 1));
    return declare_dense(to, &parser->tag_output, "tag.output", parser->tags, config->tag, 1);
}

static dgm_status declare_morphs(struct dgm_env *env, struct dgm_parser *parser)
{
    const struct dgm_parser_config *config = &parser->config;
    const struct dgm_lexicon *lexicon = &parser->lexicon;
    const struct dgm_morph_widths widths = {
        .states = config->reader == DGM_READER_LSTM ? 2 * config->lstm : config->dim,
        .letters = config->pieces != DGM_PIECES_NONE ? config->dim : 0,
        .hidden = config->tag,
    };

    for (int m = 0; m < DGM_MORPHS; m++)
        if (dgm_lexicon_has(lexicon, (enum dgm_morph)m))
            DGM_TRY(dgm_morph_head_declare(env, &parser->morphs[m], &parser->net.params,
                                           (enum dgm_morph)m,
                                           dgm_lexicon_classes(&lexicon->morphs[m]), &widths));
    return DGM_OK;
}

static dgm_status declare_all(struct dgm_env *env, struct dgm_parser *parser)
{
    int64_t words = (int64_t)dgm_vocab_size(&parser->lexicon.words);
    struct declaring to;

    DGM_TRY(dgm_net_init(env, &parser->net, &parser->config.net, words, words, DGM_VOCAB_EOS));
    to.env = env;
    to.params = &parser->net.params;
    parser->labels = dgm_lexicon_classes(&parser->lexicon.labels);
    parser->tags = dgm_lexicon_classes(&parser->lexicon.tags);
    if (dgm_vocab_size(&parser->lexicon.treebanks) > 0)
        parser->treebanks = dgm_lexicon_classes(&parser->lexicon.treebanks);
    DGM_TRY(declare_rows(&to, parser));
    DGM_TRY(declare_layers(&to, parser));
    DGM_TRY(declare_scorers(&to, parser));
    DGM_TRY(declare_morphs(env, parser));
    if (parser->config.cutter == 0)
        return DGM_OK;
    return dgm_cutter_declare(env, &parser->cutter, to.params, parser->config.cutter,
                              (int64_t)dgm_vocab_size(&parser->lexicon.cuts.characters));
}

/* ---- life ------------------------------------------------------------------------------------ */

static dgm_status copy_settings(struct dgm_env *env, struct dgm_settings *to,
                                const struct dgm_settings *from)
{
    static const struct dgm_opt *const tables[] = { dgm_parser_options, NULL };

    DGM_TRY(dgm_settings_init(env, to, tables));
    for (size_t i = 0; i < to->count; i++) {
        const char *name = to->items[i].opt->name, *value = dgm_settings_text(from, name);
        const struct dgm_setting *setting = dgm_settings_find(from, name, strlen(name));

        if (value != NULL)
            DGM_TRY(dgm_settings_set(env, to, name, value, "model"));
        else if (setting->item_count > 0)
            DGM_TRY(dgm_settings_store_items(env, &to->items[i], setting->items,
                                             setting->item_count, "model"));
    }
    return DGM_OK;
}

dgm_status dgm_parser_make(struct dgm_env *env, struct dgm_parser *parser,
                           const struct dgm_settings *settings, struct dgm_lexicon *lexicon)
{
    dgm_status status;

    memset(parser, 0, sizeof *parser);
    parser->lexicon = *lexicon;
    memset(lexicon, 0, sizeof *lexicon);
    DGM_TRY_OUT(copy_settings(env, &parser->settings, settings));
    DGM_TRY_OUT(dgm_parser_config_read(env, &parser->config, &parser->settings));
    DGM_TRY_OUT(declare_all(env, parser));
out:
    if (status != DGM_OK)
        dgm_parser_clear(env, parser);
    return status;
}

void dgm_parser_clear(struct dgm_env *env, struct dgm_parser *parser)
{
    dgm_net_clear(env, &parser->net);
    dgm_lexicon_clear(env, &parser->lexicon);
    dgm_settings_clear(env, &parser->settings);
    memset(parser, 0, sizeof *parser);
}

unsigned dgm_parser_morphs(const struct dgm_parser *parser)
{
    unsigned morphs = 0;

    for (int m = 0; m < DGM_MORPHS; m++)
        morphs |= parser->morphs[m].classes > 0 ? 1u << m : 0;
    return morphs;
}

void dgm_parser_beside(struct dgm_parser *parser, const struct dgm_parser *of,
                       struct dgm_device *device)
{
    *parser = *of;
    dgm_lexicon_beside(&parser->lexicon, &of->lexicon);
    parser->net.params.device = device;
}

void dgm_parser_clear_beside(struct dgm_env *env, struct dgm_parser *parser)
{
    dgm_lexicon_clear_beside(env, &parser->lexicon);
    memset(parser, 0, sizeof *parser);
}

/* ---- what every node needs ------------------------------------------------------------------- */

/* Where a random mask is drawn: its stream, beside a layer's number. */
enum place {
    PLACE_ROWS = 1,
    PLACE_LAYER,
    PLACE_RECURRENT,
    PLACE_ARC,
    PLACE_LABEL,
    PLACE_TAG,
    PLACE_MORPH
};

struct scope {
    struct dgm_graph *g;
    const struct dgm_parser *parser;
    const struct dgm_parser_step *step;
    struct dgm_rows rows;     /* of the batch */
    struct dgm_rows still;    /* the same with places that say the sentence only */
    struct dgm_node *letters; /* (N,D) once the rows are read; NULL: words have none */
};

static struct scope make_scope(struct dgm_graph *g, const struct dgm_parser *parser,
                               const struct dgm_parser_step *step)
{
    struct scope scope = { .g = g, .parser = parser, .step = step };

    scope.rows = dgm_step_rows(&step->base, &step->base.source);
    scope.still = scope.rows;
    scope.still.places = dgm_feed_ref(&step->base.feed, step->still);
    scope.letters = NULL;
    return scope;
}

/* Streams of a parser are apart from those of model/transformer/sublayers.c. */
static uint32_t stream(enum place place, int number)
{
    return (uint32_t)2 << 28 | (uint32_t)place << 20 | (uint32_t)number << 8;
}

static struct dgm_node *param(const struct scope *scope, dgm_param_id id)
{
    return dgm_params_node(scope->g, &scope->parser->net.params, id);
}

static struct dgm_node *dense(const struct scope *scope, struct dgm_node *x, struct dgm_dense dense)
{
    return dgm_linear(scope->g, x, param(scope, dense.weight), param(scope, dense.bias));
}

/* Dropout with one mask for all rows of a sentence. */
static struct dgm_node *drop(const struct scope *scope, struct dgm_node *x, enum place place,
                             int number)
{
    return dgm_residual(scope->g, NULL, x, &scope->still, (dgm_real)scope->parser->config.dropout,
                        stream(place, number));
}

/* A layer of its own for what follows: relu and dropout. */
static struct dgm_node *layer(const struct scope *scope, struct dgm_node *x, struct dgm_dense dense,
                              enum place place, int number)
{
    struct dgm_node *y =
        dgm_linear_relu(scope->g, x, param(scope, dense.weight), param(scope, dense.bias));
    return drop(scope, y, place, number);
}

static struct dgm_node *sum(const struct scope *scope, struct dgm_node *a, struct dgm_node *b)
{
    return a == NULL ? NULL : dgm_residual(scope->g, a, b, &scope->rows, 0, 0);
}

static struct dgm_ref at(const struct scope *scope, dgm_slot slot)
{
    return dgm_feed_ref(&scope->step->base.feed, slot);
}

/* Rows of a table by the ids of a slot, nothing else. */
static struct dgm_node *look_up(const struct scope *scope, dgm_param_id table, dgm_slot ids,
                                int64_t count)
{
    const struct dgm_ref none = { NULL, 0 };
    struct dgm_rows rows = { .count = count };

    rows.ids = at(scope, ids);
    return dgm_embed(scope->g, param(scope, table), &rows, none, 1, 0, 0);
}

/* ---- the rows -------------------------------------------------------------------------------- */

static struct dgm_node *lstm(const struct scope *scope, struct dgm_node *x,
                             const struct dgm_lstm_params *params,
                             const struct dgm_sequence_slots *slots, double dropout, int number)
{
    struct dgm_sequences sequences = dgm_sequences_sent(&scope->step->base.feed, slots);

    return dgm_lstm(scope->g, dense(scope, x, params->input), param(scope, params->recurrent),
                    &sequences, scope->still.places, (dgm_real)dropout,
                    stream(PLACE_RECURRENT, number));
}

/* What the letters of every row's word say (N,D): both ends of an LSTM over its pieces. */
static struct dgm_node *read_pieces(const struct scope *scope)
{
    const struct dgm_parser *parser = scope->parser;
    const struct dgm_parser_step *step = scope->step;
    struct dgm_node *x, *first, *last;

    x = look_up(scope, parser->piece_table, step->piece_ids, step->piece_rows);
    x = lstm(scope, x, &parser->piece_lstm, &step->forms, 0, DGM_MAX_LAYERS);
    first = dgm_gather(scope->g, x, at(scope, step->form_first), step->form_count);
    last = dgm_gather(scope->g, x, at(scope, step->form_last), step->form_count);
    x = sum(scope, dense(scope, first, parser->piece_first),
            dense(scope, last, parser->piece_last));
    return dgm_gather(scope->g, x, at(scope, step->form_of_row), scope->rows.count);
}

/* What the pretrained vector of every row's word says (N,D): constants through a matrix. */
static struct dgm_node *read_vectors(const struct scope *scope)
{
    const struct dgm_parser *parser = scope->parser;
    const struct dgm_parser_step *step = scope->step;
    struct dgm_node *x = dgm_constant(scope->g, at(scope, step->form_vectors), step->form_count,
                                      parser->lexicon.vectors.dim);

    x = dense(scope, x, parser->vectors);
    return dgm_gather(scope->g, x, at(scope, step->form_of_row), scope->rows.count);
}

static struct dgm_node *read_rows(struct scope *scope)
{
    const struct dgm_parser *parser = scope->parser;
    const struct dgm_parser_config *config = &parser->config;
    struct dgm_ref positions = dgm_transformer_positions(&parser->net, DGM_SOURCE);
    double scale = config->reader == DGM_READER_TRANSFORMER ? sqrt((double)config->dim) : 1;
    struct dgm_node *x;

    x = dgm_embed(scope->g, param(scope, parser->net.embed[DGM_SOURCE]), &scope->rows, positions,
                  (dgm_real)scale, 0, 0);
    if (config->pieces != DGM_PIECES_NONE)
        x = sum(scope, x, scope->letters = read_pieces(scope));
    if (parser->lexicon.vectors.dim > 0)
        x = sum(scope, x, read_vectors(scope));
    if (config->tag_input)
        x = sum(scope, x,
                look_up(scope, parser->tag_table, scope->step->tag_ids, scope->rows.count));
    if (parser->treebanks > 0)
        x = sum(scope, x,
                look_up(scope, parser->treebank_table, scope->step->treebank_ids,
                        scope->rows.count));
    return drop(scope, x, PLACE_ROWS, 0);
}

static struct dgm_node *read_states(struct scope *scope)
{
    const struct dgm_parser *parser = scope->parser;
    struct dgm_node *x = read_rows(scope);

    if (parser->config.reader == DGM_READER_TRANSFORMER)
        return dgm_transformer_encode_rows(scope->g, &parser->net, &scope->step->base, x, NULL);
    for (int l = 0; l < parser->config.depth; l++) {
        dgm_begin_segment(scope->g);
        x = lstm(scope, x, &parser->layers[l], &scope->step->sentences,
                 parser->config.recurrent_dropout, l);
        x = drop(scope, x, PLACE_LAYER, l);
    }
    return x;
}

struct dgm_node *dgm_parser_read(struct dgm_graph *g, const struct dgm_parser *parser,
                                 const struct dgm_parser_step *step)
{
    struct scope scope = make_scope(g, parser, step);

    return read_states(&scope);
}

/* ---- scores ---------------------------------------------------------------------------------- */

static struct dgm_spans spans_of(const struct scope *scope)
{
    struct dgm_spans spans = { .sentences = scope->step->base.source.sentences,
                               .rows = scope->rows.count,
                               .pairs = scope->step->pairs,
                               .offsets = at(scope, scope->step->base.source.offsets),
                               .squares = at(scope, scope->step->base.source.squares) };

    return spans;
}

/* E_ij of every sentence, (T,1). */
static struct dgm_node *arc_scores(const struct scope *scope, struct dgm_node *x,
                                   const struct dgm_spans *spans)
{
    const struct dgm_parser *parser = scope->parser;
    struct dgm_columns d = { NULL, 0 }, h = { NULL, 0 };

    d.node = layer(scope, x, parser->arc_dependent, PLACE_ARC, 0);
    h.node = layer(scope, x, parser->arc_head, PLACE_ARC, 1);
    d.node = dense(scope, d.node, parser->arc_form);
    return dgm_pair_scores(scope->g, d, h, parser->config.arc, spans);
}

struct dgm_node *dgm_parser_label_scores(struct dgm_graph *g, const struct dgm_parser *parser,
                                         struct dgm_node *dependents, struct dgm_node *heads)
{
    struct scope scope = { .g = g, .parser = parser };
    struct dgm_node *y;

    y = dgm_row_products(g, dense(&scope, dependents, parser->label_form), heads);
    y = sum(&scope, y, dense(&scope, dependents, parser->label_of_dependent));
    return sum(&scope, y, dense(&scope, heads, parser->label_of_head));
}

static struct dgm_node *tag_scores(const struct scope *scope, struct dgm_node *hidden)
{
    return dense(scope, hidden, scope->parser->tag_output);
}

/* What classifies rows for a column, before the classes. */
static struct dgm_node *morph_hidden(const struct scope *scope, struct dgm_node *x, int morph)
{
    const struct dgm_parser *parser = scope->parser;
    const struct dgm_morph_use use = {
        .params = &parser->net.params,
        .rows = &scope->rows,
        .still = &scope->still,
        .dropout = (dgm_real)parser->config.dropout,
        .stream = stream(PLACE_MORPH, morph),
    };

    return dgm_morph_head_hidden(scope->g, &parser->morphs[morph], &use, x, scope->letters);
}

static void score_morphs(const struct scope *scope, struct dgm_node *x, unsigned morphs,
                         struct dgm_parser_scores *scores)
{
    const struct dgm_parser *parser = scope->parser;

    for (int m = 0; m < DGM_MORPHS; m++) {
        scores->morphs[m] = NULL;
        if ((morphs & 1u << m) && parser->morphs[m].classes > 0)
            scores->morphs[m] =
                dgm_keep(scope->g,
                         dgm_morph_head_scores(scope->g, &parser->morphs[m], &parser->net.params,
                                               morph_hidden(scope, x, m)));
    }
}

void dgm_parser_score(struct dgm_graph *g, const struct dgm_parser *parser,
                      const struct dgm_parser_step *step, unsigned morphs,
                      struct dgm_parser_scores *scores)
{
    struct scope scope = make_scope(g, parser, step);
    struct dgm_spans spans = spans_of(&scope);
    struct dgm_node *x = read_states(&scope);

    scores->arcs = dgm_keep(g, arc_scores(&scope, x, &spans));
    scores->label_dependent =
        dgm_keep(g, layer(&scope, x, parser->label_dependent, PLACE_LABEL, 0));
    scores->label_head = dgm_keep(g, layer(&scope, x, parser->label_head, PLACE_LABEL, 1));
    scores->tags =
        dgm_keep(g, tag_scores(&scope, layer(&scope, x, parser->tag_hidden, PLACE_TAG, 0)));
    score_morphs(&scope, x, morphs, scores);
}

/* ---- losses ---------------------------------------------------------------------------------- */

static struct dgm_node *arc_loss(const struct scope *scope, struct dgm_node *x)
{
    struct dgm_spans spans = spans_of(scope);

    if (scope->step->arc_count == 0)
        return NULL;
    dgm_begin_segment(scope->g);
    return dgm_pair_loss(scope->g, arc_scores(scope, x, &spans), &spans,
                         at(scope, scope->step->heads), DGM_PAIRS_NOT_SELF, 1);
}

static struct dgm_node *label_loss(const struct scope *scope, struct dgm_node *x)
{
    const struct dgm_parser *parser = scope->parser;
    const struct dgm_parser_step *step = scope->step;
    struct dgm_node *d, *h;

    if (step->label_count == 0)
        return NULL;
    dgm_begin_segment(scope->g);
    d = layer(scope, x, parser->label_dependent, PLACE_LABEL, 0);
    h = layer(scope, x, parser->label_head, PLACE_LABEL, 1);
    d = dgm_gather(scope->g, d, at(scope, step->labelled), step->label_count);
    h = dgm_gather(scope->g, h, at(scope, step->labelled_heads), step->label_count);
    return dgm_cross_entropy(scope->g, dgm_parser_label_scores(scope->g, parser, d, h),
                             at(scope, step->label_targets), 0, DGM_SMOOTHING_OLD, 1);
}

static struct dgm_node *tag_loss(const struct scope *scope, struct dgm_node *x)
{
    const struct dgm_parser_step *step = scope->step;

    if (step->tag_count == 0)
        return NULL;
    dgm_begin_segment(scope->g);
    x = layer(scope, x, scope->parser->tag_hidden, PLACE_TAG, 0);
    x = dgm_gather(scope->g, x, at(scope, step->tagged), step->tag_count);
    return dgm_cross_entropy(scope->g, tag_scores(scope, x), at(scope, step->tag_targets), 0,
                             DGM_SMOOTHING_OLD, 1);
}

static struct dgm_node *morph_loss(const struct scope *scope, struct dgm_node *x, int morph)
{
    const struct dgm_parser *parser = scope->parser;
    const struct dgm_parser_step *step = scope->step;

    if (step->morph_count[morph] == 0)
        return NULL;
    dgm_begin_segment(scope->g);
    x = morph_hidden(scope, x, morph);
    x = dgm_gather(scope->g, x, at(scope, step->morphed[morph]), step->morph_count[morph]);
    x = dgm_morph_head_scores(scope->g, &parser->morphs[morph], &parser->net.params, x);
    return dgm_cross_entropy(scope->g, x, at(scope, step->morph_targets[morph]), 0,
                             DGM_SMOOTHING_OLD, (dgm_real)parser->config.morph_weight);
}

static struct dgm_node *cut_loss(const struct scope *scope)
{
    const struct dgm_parser_step *step = scope->step;

    if (step->text == NULL || step->cuts.asked_count == 0)
        return NULL;
    return dgm_cutter_loss(scope->g, &scope->parser->cutter, &scope->parser->net.params,
                           &step->base.feed, &step->cuts, scope->parser->config.cutter_dropout);
}

void dgm_parser_loss(struct dgm_graph *g, const struct dgm_parser *parser,
                     const struct dgm_parser_step *step, struct dgm_parser_losses *losses)
{
    struct scope scope = make_scope(g, parser, step);
    struct dgm_node *x = read_states(&scope);

    losses->arcs = arc_loss(&scope, x);
    losses->labels = label_loss(&scope, x);
    losses->tags = tag_loss(&scope, x);
    for (int m = 0; m < DGM_MORPHS; m++)
        losses->morphs[m] = morph_loss(&scope, x, m);
    losses->cuts = cut_loss(&scope);
}
