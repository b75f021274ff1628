/*
 * splitter.c: which pairs of a corpus are for what (text/clean/splitting.h).
 */
#include "text/clean/splitting.h"

#include <math.h>
#include <string.h>

#include "api/context.h"
#include "base/mem.h"
#include "base/number/number.h"

struct dgm_splitter {
    struct dgm_context *context;
    int sides;
    struct dgm_splitting splitting;
};

/* ---- options --------------------------------------------------------------------------------- */

static dgm_status fail_size(struct dgm_env *env, const char *name, const char *text)
{
    return dgm_fail(env, DGM_USAGE,
                    "size \"%s\" of the part for %s: expected a number of pairs such as 2000, or a "
                    "share of them such as 1%%",
                    text, name);
}

static dgm_status set_share(struct dgm_env *env, struct dgm_split_share *part, const char *name,
                            const char *text, size_t length)
{
    double percent;

    if (!dgm_number_real(&percent, text, length) || percent <= 0 || percent >= 100)
        return fail_size(env, name, text);
    part->bound = (uint64_t)ldexp(percent / 100, 64);
    return DGM_OK;
}

static dgm_status set_size(struct dgm_env *env, struct dgm_split_share *part, const char *name,
                           const char *text)
{
    const size_t length = text != NULL ? strlen(text) : 0;
    uint64_t count;

    if (text == NULL)
        return DGM_OK;
    if (length > 0 && text[length - 1] == '%')
        return set_share(env, part, name, text, length - 1);
    if (!dgm_number_uint(&count, text, length) || count == 0 || count > SIZE_MAX / 32)
        return fail_size(env, name, text);
    part->counts = 1;
    part->lowest.wanted = (size_t)count;
    return DGM_OK;
}

static dgm_status set_options(struct dgm_env *env, struct dgm_splitting *splitting, int *sides,
                              const dgm_splitter_options *given)
{
    dgm_splitter_options options;
    int by;

    DGM_TRY(dgm_options_take(env, &options, sizeof options, given, "dgm_splitter_options"));
    DGM_TRY(dgm_range_int(env, "dgm_splitter_options.sides", options.sides, 0, 2));
    DGM_TRY(dgm_options_choose(env, &by, "by", options.by, dgm_split_by_words, DGM_SPLIT_BYS));
    *sides = options.sides == 0 ? 2 : options.sides;
    splitting->by = (enum dgm_split_by)by;
    splitting->seed = options.seed;
    if (*sides == 1 && splitting->by != DGM_SPLIT_BY_SOURCE)
        return dgm_fail(env, DGM_USAGE, "by \"%s\" without a target side; expected \"source\"",
                        dgm_split_by_words[by]);
    DGM_TRY(set_size(env, &splitting->dev, "development", options.dev));
    DGM_TRY(set_size(env, &splitting->test, "testing", options.test));
    splitting->is_bounded = !splitting->dev.counts && !splitting->test.counts;
    if (splitting->is_bounded && dgm_splitting_leaves_nothing(splitting))
        return dgm_fail(env, DGM_USAGE,
                        "shares of %s and %s leave nothing to train on; expected less than 100%%",
                        options.dev, options.test);
    return DGM_OK;
}

dgm_status dgm_splitter_new(dgm_context *context, const dgm_splitter_options *options,
                            dgm_splitter **splitter)
{
    dgm_splitter *made;
    dgm_status status;

    DGM_ENTER_NEW(context, splitter);
    DGM_TRY(dgm_new(&context->env, &made, 1, sizeof *made));
    made->context = context;
    status = set_options(&context->env, &made->splitting, &made->sides, options);
    if (status == DGM_OK)
        *splitter = made;
    else
        dgm_splitter_free(made);
    return status;
}

void dgm_splitter_free(dgm_splitter *splitter)
{
    struct dgm_env *env;

    if (DGM_IS_HELD(splitter))
        return;
    env = &splitter->context->env;
    dgm_splitting_clear(env, &splitter->splitting);
    dgm_release(env, splitter);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static dgm_status check_pair(struct dgm_env *env, const dgm_splitter *splitter,
                             struct dgm_split_pair *pair)
{
    DGM_TRY(dgm_line_check(env, &pair->source, pair->source_bytes));
    return splitter->sides == 1 ? DGM_OK : dgm_line_check(env, &pair->target, pair->target_bytes);
}

int dgm_splitter_counts(const dgm_splitter *splitter)
{
    return splitter != NULL && (splitter->splitting.dev.counts || splitter->splitting.test.counts);
}

dgm_status dgm_splitter_count(dgm_splitter *splitter, const char *source, size_t source_bytes,
                              const char *target, size_t target_bytes)
{
    struct dgm_split_pair pair = { source, target, source_bytes, target_bytes };
    struct dgm_env *env;

    DGM_ENTER_HANDLE(splitter);
    env = &splitter->context->env;
    DGM_TRY(check_pair(env, splitter, &pair));
    if (splitter->splitting.is_bounded)
        return dgm_fail(env, DGM_USAGE,
                        "a pair is counted behind the first one that got a part, "
                        "or though sizes are shares");
    return dgm_splitting_count(env, &splitter->splitting, &pair);
}

dgm_status dgm_splitter_part(dgm_splitter *splitter, const char *source, size_t source_bytes,
                             const char *target, size_t target_bytes, dgm_split_part *part)
{
    struct dgm_split_pair pair = { source, target, source_bytes, target_bytes };
    struct dgm_env *env;

    DGM_ENTER_HANDLE(splitter);
    env = &splitter->context->env;
    DGM_TRY(dgm_argument_check(env, part, "part"));
    DGM_TRY(check_pair(env, splitter, &pair));
    return dgm_splitting_part(env, &splitter->splitting, &pair, part);
}
