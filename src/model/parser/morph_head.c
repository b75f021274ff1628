/* morph_head.c: what classifies words for XPOS, FEATS or LEMMA. */
#include "model/parser/morph_head.h"

#include <stdio.h>
#include <string.h>

#define PREFIX "parser."

enum { NAME_SIZE = 64 };

/* ---- parameters ------------------------------------------------------------------------------ */

static dgm_status declare_matrix(struct dgm_env *env, struct dgm_params *params, dgm_param_id *id,
                                 const char *name, int64_t rows, int64_t cols)
{
    DGM_TRY(dgm_params_matrix(env, params, id, name, rows, cols, DGM_INIT_XAVIER, 1));
    dgm_params_plain(params, *id);
    return DGM_OK;
}

static dgm_status declare_dense(struct dgm_env *env, struct dgm_params *params,
                                struct dgm_dense *dense, enum dgm_morph morph, const char *part,
                                int64_t rows, int64_t cols)
{
    char name[NAME_SIZE];

    snprintf(name, sizeof name, PREFIX "%s.%s.weight", dgm_morph_names[morph], part);
    DGM_TRY(declare_matrix(env, params, &dense->weight, name, rows, cols));
    snprintf(name, sizeof name, PREFIX "%s.%s.bias", dgm_morph_names[morph], part);
    return dgm_params_vector(env, params, &dense->bias, name, rows, DGM_INIT_ZERO);
}

dgm_status dgm_morph_head_declare(struct dgm_env *env, struct dgm_morph_head *head,
                                  struct dgm_params *params, enum dgm_morph morph, int64_t classes,
                                  const struct dgm_morph_widths *widths)
{
    memset(head, 0, sizeof *head);
    head->classes = classes;
    head->has_letters = morph == DGM_MORPH_LEMMA && widths->letters > 0;
    head->letters.bias = -1;
    if (head->has_letters)
        DGM_TRY(declare_matrix(env, params, &head->letters.weight, PREFIX "lemma.letters.weight",
                               widths->states, widths->letters));
    DGM_TRY(
        declare_dense(env, params, &head->hidden, morph, "hidden", widths->hidden, widths->states));
    return declare_dense(env, params, &head->output, morph, "output", classes, widths->hidden);
}

/* ---- scores ---------------------------------------------------------------------------------- */

static struct dgm_node *param(struct dgm_graph *g, const struct dgm_params *params, dgm_param_id id)
{
    return dgm_params_node(g, params, id);
}

static struct dgm_node *dense(struct dgm_graph *g, const struct dgm_params *params,
                              struct dgm_node *x, const struct dgm_dense *dense)
{
    return dgm_linear(g, x, param(g, params, dense->weight), param(g, params, dense->bias));
}

struct dgm_node *dgm_morph_head_hidden(struct dgm_graph *g, const struct dgm_morph_head *head,
                                       const struct dgm_morph_use *use, struct dgm_node *states,
                                       struct dgm_node *letters)
{
    struct dgm_node *x = states;

    if (head->has_letters)
        x = dgm_residual(g, states, dense(g, use->params, letters, &head->letters), use->rows, 0,
                         0);
    x = dgm_linear_relu(g, x, param(g, use->params, head->hidden.weight),
                        param(g, use->params, head->hidden.bias));
    return dgm_residual(g, NULL, x, use->still, use->dropout, use->stream);
}

struct dgm_node *dgm_morph_head_scores(struct dgm_graph *g, const struct dgm_morph_head *head,
                                       const struct dgm_params *params, struct dgm_node *hidden)
{
    return dense(g, params, hidden, &head->output);
}
