/* shortlist.c: a shortlist for a model (model/search/shortlist_make.h). */
#include "model/search/shortlist_make.h"

#include <limits.h>

#include "api/context.h"
#include "base/file/output.h"
#include "base/option/inputs_apart.h"

enum { FIRST = 100, BEST = 100, PAIRS = 500000 }; /* unless the caller says otherwise */

static dgm_status check_options(struct dgm_env *env, const dgm_shortlist_options *chosen)
{
    const int has_corpus = chosen->source != NULL || chosen->target != NULL;

    DGM_TRY(dgm_argument_check(env, chosen->model, "dgm_shortlist_options.model"));
    if (has_corpus == (chosen->table != NULL))
        return dgm_fail(env, DGM_USAGE,
                        "%s; expected one of them: the files of a parallel corpus, source and "
                        "target, or a lexical table",
                        has_corpus ? "a corpus and a lexical table"
                                   : "neither a corpus nor a lexical table");
    if (has_corpus && (chosen->source == NULL || chosen->target == NULL))
        return dgm_fail(env, DGM_USAGE, "one side of a corpus; expected source and target");
    if (chosen->table != NULL && chosen->pairs > 0)
        return dgm_fail(env, DGM_USAGE,
                        "dgm_shortlist_options.pairs with a lexical table; expected a corpus, of "
                        "which so many pairs are read");
    if (chosen->table != NULL && chosen->tag != NULL)
        return dgm_fail(env, DGM_USAGE,
                        "dgm_shortlist_options.tag with a lexical table, whose sources are words; "
                        "expected a corpus");
    DGM_TRY(dgm_range_int(env, "dgm_shortlist_options.first", chosen->first, -1, INT_MAX));
    DGM_TRY(dgm_range_int(env, "dgm_shortlist_options.best", chosen->best, 0, INT_MAX));
    DGM_TRY(dgm_range_int(env, "dgm_shortlist_options.pairs", chosen->pairs, 0, INT_MAX));
    return dgm_range_real(env, "dgm_shortlist_options.threshold", chosen->threshold, 0, 1);
}

static void read_options(struct dgm_shortlist_wishes *wishes, const dgm_shortlist_options *chosen)
{
    wishes->model = chosen->model;
    wishes->source = chosen->source;
    wishes->target = chosen->target;
    wishes->table = chosen->table;
    wishes->tag = chosen->tag;
    wishes->pairs = chosen->pairs > 0 ? chosen->pairs : PAIRS;
    wishes->sizes.first = chosen->first == 0 ? FIRST : chosen->first < 0 ? 0 : chosen->first;
    wishes->sizes.best = chosen->best > 0 ? chosen->best : BEST;
    wishes->sizes.threshold = chosen->threshold;
    wishes->has_sizes = chosen->first != 0 || chosen->best != 0 || chosen->threshold > 0;
}

/* A file that is no input. */
static dgm_status find_output(struct dgm_env *env, struct dgm_output *output, const char *out,
                              const dgm_shortlist_options *chosen)
{
    const char *inputs[4];
    size_t count = 0;

    inputs[count++] = chosen->model;
    if (chosen->table != NULL)
        inputs[count++] = chosen->table;
    if (chosen->source != NULL)
        inputs[count++] = chosen->source;
    if (chosen->target != NULL)
        inputs[count++] = chosen->target;
    DGM_TRY(dgm_inputs_apart_check_one(env, out, inputs, count));
    return dgm_output_find_file(env, output, out);
}

dgm_status dgm_shortlist_make(dgm_context *context, const dgm_shortlist_options *options,
                              const char *out)
{
    struct dgm_shortlist_wishes wishes;
    dgm_shortlist_options chosen;
    struct dgm_output output;
    struct dgm_env *env;

    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_argument_check(env, out, "out"));
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_shortlist_options"));
    DGM_TRY(check_options(env, &chosen));
    DGM_TRY(find_output(env, &output, out, &chosen));
    read_options(&wishes, &chosen);
    wishes.threads = dgm_context_threads(context);
    return dgm_shortlist_make_file(env, &wishes, output.path, out);
}
