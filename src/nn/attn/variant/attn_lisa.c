/*
 * attn_lisa.c: linguistically-informed self-attention, LISA (Strubell et al.: "Linguistically-
 * Informed Self-Attention for Semantic Role Labeling", EMNLP 2018), as a baseline of translation;
 * specification 3.4.
 *
 *   [q; k] = leakyrelu(X W + b),  logits[i][j] = [q_i; 1]^T B k_j,  A = row softmax(logits)
 *
 * A replaces the weights of head 0 of one encoder layer, whose own queries and keys then serve
 * nothing. The loss is the cross-entropy of A's rows with each piece's head, the mean over pieces.
 * (The released translation code applies it to the transposed matrix after a second softmax, with
 * B from memory nobody wrote: not done here.) With teacher_forcing trees decide A in training, as
 * in the original; with gold_at_test trees decide it in translation.
 */
#include "nn/attn/parser_head.h"
#include "nn/attn/sentence.h"

struct lisa {
    int64_t layer, dim;
    double lambda;
    int teacher_forcing, gold_at_test, over_target;
};

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "layer", .type = DGM_OPT_INT, .argument = "L", .fallback = "1", .low = 1, .high = 64,
      .help = "Encoder layer that parses" },
    { .name = "dim", .type = DGM_OPT_INT, .argument = "N", .fallback = "0", .low = 0, .high = 4096,
      .help = "Width of the parser's queries and keys; 0: that of a head" },
    { .name = "lambda", .type = DGM_OPT_REAL, .argument = "X", .fallback = "1", .low = 0,
      .high = 1000, .help = "Weight of the parse loss" },
    { .name = "teacher-forcing", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "0", .low = 0,
      .high = 1, .help = "In training attend to the heads of the tree, not to those predicted" },
    { .name = "gold-at-test", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "0", .low = 0,
      .high = 1, .help = "Do so in translation, where a tree is given" },
    DGM_PARSER_HEAD_OPTIONS,
    DGM_OPT_END
};
/* clang-format on */

static dgm_status lisa_configure(struct dgm_env *env, void *state,
                                 const struct dgm_settings *settings,
                                 const struct dgm_attn_shape *shape)
{
    struct lisa *lisa = state;

    DGM_TRY(dgm_parser_head_layer(env, settings, "layer", shape, DGM_SOURCE, "lisa", &lisa->layer));
    lisa->dim = dgm_settings_int(settings, "dim");
    if (lisa->dim == 0)
        lisa->dim = shape->head_dim;
    lisa->lambda = dgm_settings_real(settings, "lambda");
    lisa->teacher_forcing = (int)dgm_settings_int(settings, "teacher-forcing");
    lisa->over_target = dgm_parser_head_over_target(settings);
    lisa->gold_at_test = (int)dgm_settings_int(settings, "gold-at-test");
    return DGM_OK;
}

static int lisa_serves(const void *state, struct dgm_attn_place place)
{
    return place.side == DGM_SOURCE && place.layer > 0 &&
           ((const struct lisa *)state)->layer == place.layer;
}

static unsigned lisa_takes(const void *state, struct dgm_attn_place place)
{
    return lisa_serves(state, place) ? DGM_TAKES_PARSER : 0;
}

static unsigned lisa_needs(const void *state)
{
    const struct lisa *lisa = state;

    if (lisa->layer == 0)
        return 0;
    if (lisa->gold_at_test)
        return DGM_NEEDS_TREES;
    return lisa->lambda > 0 || lisa->teacher_forcing ? DGM_NEEDS_TREES_TO_TRAIN : 0;
}

static dgm_status lisa_declare(struct dgm_env *env, const void *state, struct dgm_params *params,
                               struct dgm_attn_place place, const struct dgm_attn_shape *shape)
{
    const struct lisa *lisa = state;
    char name[128];
    dgm_param_id id;

    if (!lisa_serves(state, place))
        return DGM_OK;
    DGM_TRY(dgm_attn_declare_linear(env, params, place, "lisa.proj", 2 * lisa->dim, shape->dim, 1));
    dgm_attn_name(name, place, "lisa.bilinear.weight");
    return dgm_params_matrix(env, params, &id, name, lisa->dim + 1, lisa->dim, DGM_INIT_ZERO, 1);
}

static dgm_status plan_sentence(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan,
                                const struct dgm_attn_sentence *sentence)
{
    int32_t *targets = dgm_attn_targets(env, plan);

    (void)state;
    if (targets == NULL)
        return DGM_MEMORY;
    dgm_align_first_piece(targets + sentence->row, &sentence->align, &sentence->tree);
    plan->constants->supervised += sentence->align.pieces;
    return DGM_OK;
}

static dgm_status lisa_plan(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan)
{
    const struct lisa *lisa = state;

    plan->constants->learnt = plan->training && lisa->lambda > 0;
    plan->constants->forced = plan->training ? lisa->teacher_forcing : lisa->gold_at_test;
    if (!plan->constants->learnt && !plan->constants->forced)
        return DGM_OK;
    return dgm_attn_each_sentence(env, state, plan, plan_sentence);
}

static dgm_status lisa_terms(const void *state, struct dgm_attn_layer *layer)
{
    const struct lisa *lisa = state;
    struct dgm_graph *g = layer->g;
    struct dgm_parser_head parser = { 0 };
    struct dgm_node *qk;

    if (!lisa_serves(state, layer->place))
        return DGM_OK;
    qk = dgm_activate(g,
                      dgm_linear(g, layer->x, dgm_attn_param(layer, "lisa.proj.weight"),
                                 dgm_attn_param(layer, "lisa.proj.bias")),
                      DGM_LEAKY_RELU);
    parser.dim = lisa->dim;
    /* Columns of qk: q, then k. `k` names those of q for the product that follows. */
    parser.k.node = qk;
    parser.k.column = 0;
    /* q B + B_dim: the last row of B, which meets the 1 behind q, is a bias. */
    parser.q.node =
        dgm_linear_heads(g, parser.k, 1,
                         dgm_attn_param_rows(layer, "lisa.bilinear.weight", 0, lisa->dim),
                         dgm_attn_param_rows(layer, "lisa.bilinear.weight", lisa->dim, 1), DGM_NN,
                         1);
    parser.k.column = lisa->dim;
    parser.lambda = lisa->lambda;
    parser.over_target = lisa->over_target;
    return dgm_parser_head_terms(layer, &parser);
}

static int lisa_parser(const void *state, struct dgm_attn_place place,
                       struct dgm_attn_parser *parser)
{
    parser->head = 0;
    parser->last_piece = 0;
    return lisa_serves(state, place);
}

static const char *const samples[] = { "lambda=0.7",
                                       "layer=2,dim=3,teacher-forcing=1 | layer=2,dim=3",
                                       "gold-at-test=1,teacher-forcing=1,lambda=0", NULL };

const struct dgm_attn_kind dgm_attn_lisa = {
    .name = "lisa",
    .cite = "Strubell et al. 2018",
    .help = "head 0 of an encoder layer is a parser with queries and keys of its own",
    .options = options,
    .samples = samples,
    .state_bytes = sizeof(struct lisa),
    .configure = lisa_configure,
    .needs = lisa_needs,
    .takes = lisa_takes,
    .declare = lisa_declare,
    .serves = lisa_serves,
    .plan = lisa_plan,
    .terms = lisa_terms,
    .parser = lisa_parser,
};
