/*
 * splitter.c: which pairs of a corpus are for training, which for development, which for testing.
 *
 * A pair goes by the hash of its text under the seed: the lowest hashes are for development, the
 * highest for testing. So a pair's part depends neither on its place nor, where parts are shares,
 * on the other pairs, and what is equal goes the same way.
 */
#include <math.h>
#include <string.h>

#include "api/context.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "text/clean/lowest.h"
#include "text/clean/seen.h"

enum by { SOURCE, TARGET, PAIR, BYS };
static const char *const by_words[BYS] = { "source", "target", "pair" };

/* A part that is not for training: of all texts whose rank is below a bound. */
struct part {
    int counts;               /* its size is a number of pairs, so that the bound is to be found */
    struct dgm_lowest lowest; /* the ranks of a first pass */
    uint64_t bound;           /* 0: no such part */
};

struct dgm_splitter {
    struct dgm_context *context;
    int sides;
    enum by by;
    uint64_t seed;
    struct part dev, test;
    uint64_t pairs; /* of the first pass */
    int is_bounded; /* the bounds are known: no pair is counted any more */
    int takes_all;  /* these bounds leave nothing to train on */
};

/* ---- options --------------------------------------------------------------------------------- */

static dgm_status fail_size(struct dgm_env *env, const char *name, const char *text)
{
    return dgm_fail(env, DGM_USAGE,
                    "size \"%s\" of the part for %s: expected a number of pairs such as 2000, or a "
                    "share of them such as 1%%",
                    text, name);
}

static dgm_status set_share(struct dgm_env *env, struct part *part, const char *name,
                            const char *text, size_t length)
{
    double percent;

    if (!dgm_number_real(&percent, text, length) || percent <= 0 || percent >= 100)
        return fail_size(env, name, text);
    part->bound = (uint64_t)ldexp(percent / 100, 64);
    return DGM_OK;
}

static dgm_status set_size(struct dgm_env *env, struct part *part, const char *name,
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

/* Whether no text is left between the parts: both count from an end of the same range. */
static int is_nothing_left(const struct dgm_splitter *splitter)
{
    return splitter->dev.bound >= UINT64_MAX - splitter->test.bound;
}

static dgm_status set_options(struct dgm_env *env, dgm_splitter *splitter,
                              const dgm_splitter_options *given)
{
    dgm_splitter_options options;
    int by;

    DGM_TRY(dgm_options_take(env, &options, sizeof options, given, "dgm_splitter_options"));
    DGM_TRY(dgm_range_int(env, "dgm_splitter_options.sides", options.sides, 0, 2));
    DGM_TRY(dgm_options_choose(env, &by, "by", options.by, by_words, BYS));
    splitter->sides = options.sides == 0 ? 2 : options.sides;
    splitter->by = (enum by)by;
    splitter->seed = options.seed;
    if (splitter->sides == 1 && splitter->by != SOURCE)
        return dgm_fail(env, DGM_USAGE, "by \"%s\" without a target side; expected \"source\"",
                        by_words[by]);
    DGM_TRY(set_size(env, &splitter->dev, "development", options.dev));
    DGM_TRY(set_size(env, &splitter->test, "testing", options.test));
    splitter->is_bounded = !splitter->dev.counts && !splitter->test.counts;
    if (splitter->is_bounded && is_nothing_left(splitter))
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
    DGM_TRY(dgm_argument_check(&context->env, splitter, "splitter"));
    made = dgm_alloc(&context->env, 1, sizeof *made);
    if (made == NULL)
        return DGM_MEMORY;
    made->context = context;
    status = set_options(&context->env, made, options);
    if (status != DGM_OK) {
        dgm_splitter_free(made);
        return status;
    }
    *splitter = made;
    return DGM_OK;
}

void dgm_splitter_free(dgm_splitter *splitter)
{
    struct dgm_env *env;

    if (splitter == NULL)
        return;
    env = &splitter->context->env;
    dgm_lowest_clear(env, &splitter->dev.lowest);
    dgm_lowest_clear(env, &splitter->test.lowest);
    dgm_release(env, splitter);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

struct pair {
    const char *source, *target;
    size_t source_bytes, target_bytes;
};

static dgm_status check_pair(struct dgm_env *env, const dgm_splitter *splitter,
                             const struct pair *pair)
{
    DGM_TRY(dgm_line_check(env, pair->source, pair->source_bytes));
    return splitter->sides == 1 ? DGM_OK : dgm_line_check(env, pair->target, pair->target_bytes);
}

/* The rank of a pair on the way to development; on that to testing it is the complement. */
static uint64_t rank_of(const dgm_splitter *splitter, const struct pair *pair)
{
    uint64_t hash[2];

    if (splitter->by == PAIR)
        dgm_seen_hash(hash, splitter->seed, pair->source, pair->source_bytes,
                      pair->target_bytes > 0 ? pair->target : "", pair->target_bytes);
    else if (splitter->by == TARGET)
        dgm_seen_hash(hash, splitter->seed, pair->target, pair->target_bytes, NULL, 0);
    else
        dgm_seen_hash(hash, splitter->seed, pair->source, pair->source_bytes, NULL, 0);
    return hash[0];
}

int dgm_splitter_counts(const dgm_splitter *splitter)
{
    return splitter != NULL && (splitter->dev.counts || splitter->test.counts);
}

dgm_status dgm_splitter_count(dgm_splitter *splitter, const char *source, size_t source_bytes,
                              const char *target, size_t target_bytes)
{
    const struct pair pair = { source, target, source_bytes, target_bytes };
    struct dgm_env *env;
    uint64_t rank;

    DGM_ENTER_HANDLE(splitter);
    env = &splitter->context->env;
    DGM_TRY(check_pair(env, splitter, &pair));
    if (splitter->is_bounded)
        return dgm_fail(env, DGM_USAGE,
                        "a pair is counted behind the first one that got a part, "
                        "or though sizes are shares");
    rank = rank_of(splitter, &pair);
    if (splitter->dev.counts)
        DGM_TRY(dgm_lowest_add(env, &splitter->dev.lowest, rank));
    if (splitter->test.counts)
        DGM_TRY(dgm_lowest_add(env, &splitter->test.lowest, ~rank));
    splitter->pairs++;
    return DGM_OK;
}

static void bound(struct dgm_env *env, struct part *part)
{
    if (!part->counts)
        return;
    part->bound = dgm_lowest_bound(&part->lowest);
    dgm_lowest_clear(env, &part->lowest);
}

/* Ends the first pass. */
static dgm_status set_bounds(struct dgm_env *env, dgm_splitter *splitter)
{
    const size_t wanted = splitter->dev.lowest.wanted + splitter->test.lowest.wanted;

    if (!splitter->is_bounded) {
        bound(env, &splitter->dev);
        bound(env, &splitter->test);
        splitter->is_bounded = 1;
        splitter->takes_all = splitter->pairs <= wanted || is_nothing_left(splitter);
    }
    if (!splitter->takes_all)
        return DGM_OK;
    return dgm_fail(env, DGM_DATA,
                    "%zu pairs are all that there are, and nothing would be left to train on; "
                    "expected more of them, or smaller parts for development and testing",
                    (size_t)splitter->pairs);
}

dgm_status dgm_splitter_part(dgm_splitter *splitter, const char *source, size_t source_bytes,
                             const char *target, size_t target_bytes, dgm_split_part *part)
{
    const struct pair pair = { source, target, source_bytes, target_bytes };
    struct dgm_env *env;
    uint64_t rank;

    DGM_ENTER_HANDLE(splitter);
    env = &splitter->context->env;
    DGM_TRY(dgm_argument_check(env, part, "part"));
    DGM_TRY(check_pair(env, splitter, &pair));
    DGM_TRY(set_bounds(env, splitter));
    rank = rank_of(splitter, &pair);
    *part = rank < splitter->dev.bound     ? DGM_SPLIT_DEV
            : ~rank < splitter->test.bound ? DGM_SPLIT_TEST
                                           : DGM_SPLIT_TRAIN;
    return DGM_OK;
}
