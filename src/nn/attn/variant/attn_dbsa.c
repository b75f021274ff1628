/*
 * attn_dbsa.c: dependency-based self-attention, DBSA (Deguchi, Tamura, Ninomiya: "Dependency-Based
 * Self-Attention for Transformer NMT", RANLP 2019); specification 3.3.
 *
 *   logits[t][q] = q_t U k_q + u . k_q,  A_parse = row softmax(logits), masked as every head is;
 *   A_parse V replaces one head;  loss: -(1/N) sum over supervised t of log A_parse[t][head(t)]
 *
 * In the encoder every piece is supervised, in the decoder those whose head is no later than they
 * are; the end of the sentence and what stands for its begin never. Trees are needed in training
 * only. The paper prints the bias as q_t . u, which the softmax cancels: bias=query keeps that
 * parameter, which then has no effect and no gradient; bias=key is what biaffine parsers have.
 *
 * The paper parses in layer 4 of 6. The default is 2/3 of the depth, so that a shallow model has
 * layers above the head, too: as its last layer, the decoder's costs quality.
 */
#include "nn/attn/parser_head.h"
#include "nn/attn/sentence.h"

struct dbsa {
    int64_t layer[2]; /* of encoder and decoder; 0: none */
    double lambda[2];
    int64_t head;
    int has_bias, key_bias, over_target;
};

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "enc-layer", .type = DGM_OPT_TEXT, .argument = "L", .fallback = "2/3", .before = "4",
      .help = "Encoder layer that parses the source: a number, or a part of the depth; 0: none" },
    { .name = "dec-layer", .type = DGM_OPT_TEXT, .argument = "L", .fallback = "2/3", .before = "4",
      .help = "Decoder layer that parses the target; 0: none" },
    { .name = "lambda-enc", .type = DGM_OPT_REAL, .argument = "X", .fallback = "1", .low = 0,
      .high = 1000, .help = "Weight of the source's parse loss" },
    { .name = "lambda-dec", .type = DGM_OPT_REAL, .argument = "X", .fallback = "1", .low = 0,
      .high = 1000, .help = "Weight of the target's parse loss" },
    { .name = "bias", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "key",
      .choices = "key|query|none",
      .help = "Where the bias stands: on the candidate head, as the paper prints it, or nowhere" },
    { .name = "head", .type = DGM_OPT_INT, .argument = "H", .fallback = "0", .low = 0, .high = 255,
      .help = "Head that parses, from 0" },
    DGM_PARSER_HEAD_OPTIONS,
    DGM_OPT_END
};
/* clang-format on */

static dgm_status dbsa_configure(struct dgm_env *env, void *state,
                                 const struct dgm_settings *settings,
                                 const struct dgm_attn_shape *shape)
{
    struct dbsa *dbsa = state;

    DGM_TRY(dgm_parser_head_layer(env, settings, "enc-layer", shape, DGM_SOURCE, "dbsa",
                                  &dbsa->layer[DGM_SOURCE]));
    DGM_TRY(dgm_parser_head_layer(env, settings, "dec-layer", shape, DGM_TARGET, "dbsa",
                                  &dbsa->layer[DGM_TARGET]));
    dbsa->lambda[DGM_SOURCE] = dgm_settings_real(settings, "lambda-enc");
    dbsa->lambda[DGM_TARGET] = dgm_settings_real(settings, "lambda-dec");
    dbsa->has_bias = !dgm_attn_chose(settings, "bias", "none");
    dbsa->key_bias = dgm_attn_chose(settings, "bias", "key");
    dbsa->over_target = dgm_parser_head_over_target(settings);
    dbsa->head = dgm_settings_int(settings, "head");
    if (dbsa->head >= shape->heads)
        return dgm_fail(env, DGM_USAGE, "dbsa: head=%d of %d heads, counted from 0",
                        (int)dbsa->head, (int)shape->heads);
    return DGM_OK;
}

static int dbsa_serves(const void *state, struct dgm_attn_place place)
{
    const struct dbsa *dbsa = state;

    return place.layer > 0 && dbsa->layer[place.side] == place.layer;
}

static unsigned dbsa_takes(const void *state, struct dgm_attn_place place)
{
    return dbsa_serves(state, place) ? DGM_TAKES_PARSER : 0;
}

static unsigned dbsa_needs(const void *state)
{
    const struct dbsa *dbsa = state;
    unsigned needs = 0;

    if (dbsa->layer[DGM_SOURCE] > 0 && dbsa->lambda[DGM_SOURCE] > 0)
        needs |= DGM_NEEDS_TREES_TO_TRAIN;
    if (dbsa->layer[DGM_TARGET] > 0 && dbsa->lambda[DGM_TARGET] > 0)
        needs |= DGM_NEEDS_TARGET_TREES_TO_TRAIN;
    return needs;
}

static dgm_status dbsa_declare(struct dgm_env *env, const void *state, struct dgm_params *params,
                               struct dgm_attn_place place, const struct dgm_attn_shape *shape)
{
    const struct dbsa *dbsa = state;
    char name[128];
    dgm_param_id id;

    if (!dbsa_serves(state, place))
        return DGM_OK;
    DGM_TRY(dgm_attn_declare_linear(env, params, place, "dbsa.bilinear", shape->head_dim,
                                    shape->head_dim, 0));
    if (!dbsa->has_bias)
        return DGM_OK;
    dgm_attn_name(name, place, "dbsa.bias");
    return dgm_params_vector(env, params, &id, name, shape->head_dim, DGM_INIT_ZERO);
}

/* A decoder reads a mark first: piece p stands at row p + 1, and sees rows up to its own. */
static dgm_status plan_sentence(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan,
                                const struct dgm_attn_sentence *sentence)
{
    int32_t shift = plan->place.side == DGM_TARGET, pieces = sentence->align.pieces, p;
    int32_t *head = dgm_attn_scratch(env, plan, sentence->n, 1);
    int32_t *targets = dgm_attn_targets(env, plan);

    (void)state;
    if (head == NULL || targets == NULL)
        return DGM_MEMORY;
    dgm_align_right_chain(head, &sentence->align, &sentence->tree);
    targets += sentence->row + shift;
    for (p = 0; p < pieces; p++)
        if (!shift || head[p] <= p) {
            targets[p] = head[p] + shift;
            plan->constants->supervised++;
        }
    return DGM_OK;
}

static dgm_status dbsa_plan(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan)
{
    const struct dbsa *dbsa = state;

    plan->constants->learnt = plan->training && dbsa->lambda[plan->place.side] > 0;
    if (!plan->constants->learnt)
        return DGM_OK;
    return dgm_attn_each_sentence(env, state, plan, plan_sentence);
}

static dgm_status dbsa_terms(const void *state, struct dgm_attn_layer *layer)
{
    const struct dbsa *dbsa = state;
    int64_t column = dbsa->head * layer->shape->head_dim;
    struct dgm_parser_head parser = { 0 };
    struct dgm_columns q = layer->q;

    if (!dbsa_serves(state, layer->place))
        return DGM_OK;
    parser.head = dbsa->head;
    parser.dim = layer->shape->head_dim;
    parser.lambda = dbsa->lambda[layer->place.side];
    parser.over_target = dbsa->over_target;
    q.column += column;
    parser.q.node =
        dgm_linear_heads(layer->g, q, 1, dgm_attn_param(layer, "dbsa.bilinear.weight"),
                         dbsa->key_bias ? dgm_attn_param(layer, "dbsa.bias") : NULL, DGM_NN, 1);
    parser.k = layer->k;
    parser.k.column += column;
    return dgm_parser_head_terms(layer, &parser);
}

static int dbsa_parser(const void *state, struct dgm_attn_place place,
                       struct dgm_attn_parser *parser)
{
    parser->head = ((const struct dbsa *)state)->head;
    parser->last_piece = 1;
    return dbsa_serves(state, place);
}

static const char *const samples[] = { "enc-layer=1,dec-layer=2",
                                       "enc-layer=2,dec-layer=1,bias=query,head=1,lambda-dec=0.5",
                                       NULL };

const struct dgm_attn_kind dgm_attn_dbsa = {
    .name = "dbsa",
    .cite = "Deguchi, Tamura and Ninomiya 2019",
    .help = "one head of encoder and decoder is a biaffine parser, trained on trees",
    .options = options,
    .samples = samples,
    .state_bytes = sizeof(struct dbsa),
    .configure = dbsa_configure,
    .needs = dbsa_needs,
    .takes = dbsa_takes,
    .declare = dbsa_declare,
    .serves = dbsa_serves,
    .plan = dbsa_plan,
    .terms = dbsa_terms,
    .parser = dbsa_parser,
};
