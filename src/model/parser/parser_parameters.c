/*
 * parser_parameters.c: the parameters of a parser: names, shapes and initial values.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/parser/parser.h"

struct scope {
    struct dgm_env *env;
    struct dgm_params *params;
};

enum { NAME_SIZE = 96, PART_SIZE = 64 };

static dgm_status matrix(const struct scope *scope, dgm_param_id *id, const char *name,
                         int64_t rows, int64_t cols, double gain)
{
    char full[NAME_SIZE];

    snprintf(full, sizeof full, DGM_PARSER_PREFIX "%s.weight", name);
    return dgm_params_matrix(scope->env, scope->params, id, full, rows, cols, DGM_INIT_XAVIER,
                             gain);
}

static dgm_status table(const struct scope *scope, dgm_param_id *id, const char *name, int64_t rows,
                        int64_t cols)
{
    char full[NAME_SIZE];

    snprintf(full, sizeof full, DGM_PARSER_PREFIX "%s.weight", name);
    return dgm_params_matrix(scope->env, scope->params, id, full, rows, cols, DGM_INIT_NORMAL,
                             1 / sqrt((double)cols));
}

/* A matrix (rows,cols) and a bias (rows). `gain` makes up for matrices that lie in one. */
static dgm_status dense(const struct scope *scope, struct dgm_dense *dense, const char *name,
                        int64_t rows, int64_t cols, double gain)
{
    char full[NAME_SIZE];

    DGM_TRY(matrix(scope, &dense->weight, name, rows, cols, gain));
    snprintf(full, sizeof full, DGM_PARSER_PREFIX "%s.bias", name);
    return dgm_params_vector(scope->env, scope->params, &dense->bias, full, rows, DGM_INIT_ZERO);
}

static dgm_status bare(const struct scope *scope, struct dgm_dense *dense, const char *name,
                       int64_t rows, int64_t cols)
{
    dense->bias = -1;
    return matrix(scope, &dense->weight, name, rows, cols, 1);
}

/* The scale of each of `count` (rows,cols) matrices that are declared as one tall one. */
static double stacked(int64_t rows, int64_t cols, int64_t count)
{
    return sqrt((double)(count * rows + cols) / (double)(rows + cols));
}

static dgm_status lstm(const struct scope *scope, struct dgm_lstm_params *out, const char *name,
                       int64_t in, int64_t states)
{
    char part[PART_SIZE];

    snprintf(part, sizeof part, "%s.input", name);
    DGM_TRY(dense(scope, &out->input, part, 8 * states, in, stacked(states, in, 8)));
    snprintf(part, sizeof part, "%s.recurrent", name);
    return matrix(scope, &out->recurrent, part, 8 * states, states, stacked(states, states, 8));
}

static dgm_status declare_rows(const struct scope *scope, struct dgm_parser *parser)
{
    const struct dgm_parser_config *config = &parser->config;
    int64_t pieces = (int64_t)dgm_vocab_size(&parser->lexicon.pieces);

    parser->tag_table = parser->piece_table = -1;
    if (config->tag_input) /* the last row is the unknown tag's, and the root's */
        DGM_TRY(table(scope, &parser->tag_table, "tag_input", parser->tags + 1, config->dim));
    if (config->pieces == DGM_PIECES_NONE)
        return DGM_OK;
    DGM_TRY(table(scope, &parser->piece_table, "pieces", pieces, config->piece));
    DGM_TRY(lstm(scope, &parser->piece_lstm, "pieces.lstm", config->piece, config->piece_lstm));
    DGM_TRY(
        dense(scope, &parser->piece_first, "pieces.first", config->dim, 2 * config->piece_lstm, 1));
    return bare(scope, &parser->piece_last, "pieces.last", config->dim, 2 * config->piece_lstm);
}

static dgm_status declare_layers(const struct scope *scope, struct dgm_parser *parser)
{
    const struct dgm_parser_config *config = &parser->config;
    int64_t in = config->dim;
    char name[PART_SIZE / 2];

    for (int l = 0; config->reader == DGM_READER_LSTM && l < config->depth; l++) {
        snprintf(name, sizeof name, "lstm.%d", l);
        DGM_TRY(lstm(scope, &parser->layers[l], name, in, config->lstm));
        in = 2 * config->lstm;
    }
    return DGM_OK;
}

static dgm_status declare_scorers(const struct scope *scope, struct dgm_parser *parser)
{
    const struct dgm_parser_config *config = &parser->config;
    int64_t x = config->reader == DGM_READER_LSTM ? 2 * config->lstm : config->dim;
    int64_t arc = config->arc, label = config->label;

    DGM_TRY(dense(scope, &parser->arc_dependent, "arc.dependent", arc, x, 1));
    DGM_TRY(dense(scope, &parser->arc_head, "arc.head", arc, x, 1));
    DGM_TRY(dense(scope, &parser->arc_form, "arc.form", arc, arc, 1));
    DGM_TRY(dense(scope, &parser->label_dependent, "label.dependent", label, x, 1));
    DGM_TRY(dense(scope, &parser->label_head, "label.head", label, x, 1));
    DGM_TRY(bare(scope, &parser->label_form, "label.form", parser->labels * label, label));
    DGM_TRY(
        dense(scope, &parser->label_of_dependent, "label.of_dependent", parser->labels, label, 1));
    DGM_TRY(bare(scope, &parser->label_of_head, "label.of_head", parser->labels, label));
    DGM_TRY(dense(scope, &parser->tag_hidden, "tag.hidden", config->tag, x, 1));
    return dense(scope, &parser->tag_output, "tag.output", parser->tags, config->tag, 1);
}

dgm_status dgm_parser_declare(struct dgm_env *env, struct dgm_parser *parser)
{
    int64_t words = (int64_t)dgm_vocab_size(&parser->lexicon.words);
    struct scope scope;

    DGM_TRY(dgm_net_init(env, &parser->net, &parser->config.net, words, words, DGM_VOCAB_EOS));
    scope.env = env;
    scope.params = &parser->net.params;
    parser->labels = dgm_lexicon_classes(&parser->lexicon.labels);
    parser->tags = dgm_lexicon_classes(&parser->lexicon.tags);
    DGM_TRY(declare_rows(&scope, parser));
    DGM_TRY(declare_layers(&scope, parser));
    return declare_scorers(&scope, parser);
}
