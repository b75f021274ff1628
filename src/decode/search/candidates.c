/*
 * candidates.c: the most probable next tokens of every live hypothesis, from one model or from
 * the mean of several.
 */
#include "decode/search/candidates.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "decode/search/beam.h"

/* The device's results are aligned to this many bytes. */
enum { ALIGN = 64 };

int dgm_candidates_width(const struct dgm_search *search)
{
    /* A row has one candidate that ends: of the best 2 beam of a sentence's rows at most `beam`
     * end, and as many are left to live on. */
    int k = 2 * search->options.beam;

    return k < search->vocab ? k : (int)search->vocab;
}

int dgm_candidates_asked(const struct dgm_search *search)
{
    const int k = dgm_candidates_width(search);

    return search->options.bars_unknown && k < search->vocab ? k + 1 : k;
}

/*
 * Room for `count` candidates on both sides, of one form: values and, from the next aligned place
 * on, ids, so that both come in one piece; score_ends uses it the same way for two losses and a
 * target per row.
 */
static dgm_status reserve_top(struct dgm_env *env, struct dgm_search *search, size_t count)
{
    size_t bytes = (count + 2) * (sizeof(dgm_real) + sizeof(int32_t)) + 2 * ALIGN;

    DGM_TRY(dgm_reserve(env, &search->ends, &search->end_capacity, count, sizeof *search->ends));
    DGM_TRY(dgm_reserve(env, &search->values, &search->value_capacity,
                        (bytes + sizeof(dgm_real) - 1) / sizeof(dgm_real), sizeof(dgm_real)));
    if (bytes > search->top_bytes) {
        dgm_device_release(env, search->device, search->top);
        search->top = NULL;
        search->top_bytes = 0;
        DGM_TRY(dgm_device_alloc(env, search->device, &search->top, 2 * bytes));
        search->top_bytes = 2 * bytes;
    }
    return DGM_OK;
}

/* Where ids begin behind `count` values; search->ids becomes that place on the host. */
static size_t place_ids(struct dgm_search *search, size_t count)
{
    const size_t offset = (count * sizeof(dgm_real) + ALIGN - 1) & ~(size_t)(ALIGN - 1);

    search->ids = (int32_t *)(void *)((char *)search->values + offset);
    return offset;
}

static dgm_status normalise(struct dgm_env *env, struct dgm_search *search, int64_t rows,
                            struct dgm_ref scores)
{
    struct dgm_log_softmax_args args = {
        .y = scores, .x = scores, .rows = rows, .vocab = search->width
    };

    return dgm_device_run(env, search->device, DGM_TASK_log_softmax, &args);
}

/*
 * The log of the sum of all models' probabilities, in the place of the first one's scores. The sum
 * of M models is M times their mean, and a log softmax, which `choose` and `score_ends` take in any
 * case, divides by M: what follows is the same for one model and for several.
 */
static dgm_status step_ensemble(struct dgm_env *env, struct dgm_search *search, int64_t rows,
                                struct dgm_ref *scores)
{
    struct dgm_log_add_args args = { .count = rows * search->width };

    DGM_TRY(dgm_incremental_step(env, &search->models[0], search->last, &args.y));
    DGM_TRY(normalise(env, search, rows, args.y));
    for (int m = 1; m < search->model_count; m++) {
        DGM_TRY(dgm_incremental_step(env, &search->models[m], search->last, &args.x));
        DGM_TRY(normalise(env, search, rows, args.x));
        DGM_TRY(dgm_device_run(env, search->device, DGM_TASK_log_add, &args));
    }
    *scores = args.y;
    return DGM_OK;
}

/* With a shortlist, top_k has found places in the lists of sentences: types in their stead. */
static void name_types(struct dgm_search *search, int64_t rows, int64_t k)
{
    if (search->options.shortlist == NULL)
        return;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t j = 0; j < k; j++)
            search->ids[r * k + j] = dgm_shortlist_type(&search->choice, search->rows[r].sentence,
                                                        search->ids[r * k + j]);
}

/* Leaves the k best of each row that are not the unknown mark, of `asked`; a small vocabulary may
 * have one less. */
static void bar_unknown(struct dgm_search *search, int64_t rows, int64_t asked)
{
    const int64_t k = dgm_candidates_width(search);

    if (!search->options.bars_unknown)
        return;
    for (int64_t r = 0; r < rows; r++) {
        int64_t kept = 0;

        for (int64_t j = r * asked; j < (r + 1) * asked && kept < k; j++)
            if (search->ids[j] != DGM_VOCAB_UNK) {
                search->values[r * k + kept] = search->values[j];
                search->ids[r * k + kept++] = search->ids[j];
            }
        for (; kept < k; kept++) {
            search->values[r * k + kept] = -(dgm_real)INFINITY;
            search->ids[r * k + kept] = -1;
        }
    }
}

/* The k best of every row of `scores`. The specials, which it may have to forbid, have their own
 * numbers for places in a list, too. */
static dgm_status choose(struct dgm_env *env, struct dgm_search *search, struct dgm_ref scores,
                         int64_t rows)
{
    struct dgm_top_k_args args = { .rows = rows,
                                   .vocab = search->width,
                                   .k = dgm_candidates_asked(search) };
    size_t count;

    count = (size_t)(rows * args.k);
    args.x = scores;
    args.values.buffer = args.ids.buffer = search->top;
    args.ids.offset = place_ids(search, count);
    args.forbidden[0] = search->options.forbidden;
    args.forbidden[1] = search->may_end ? -1 : search->eos;
    args.normalize = 1;
    DGM_TRY(dgm_device_run(env, search->device, DGM_TASK_top_k, &args));
    DGM_TRY(dgm_device_read(env, search->device, search->values, args.values,
                            args.ids.offset + count * sizeof *search->ids));
    name_types(search, rows, args.k);
    bar_unknown(search, rows, args.k);
    return DGM_OK;
}

/* log p(end symbol) of every row, from its cross-entropy. It uses search->values (2 per row: the
 * losses with and without smoothing) and search->ids as scratch memory: call it before `choose`. */
static dgm_status score_ends(struct dgm_env *env, struct dgm_search *search, struct dgm_ref scores,
                             int64_t rows)
{
    struct dgm_cross_entropy_args args = { .logits = scores,
                                           .losses.buffer = search->top,
                                           .targets.buffer = search->top };

    args.targets.offset = place_ids(search, 2 * (size_t)rows);
    for (int64_t r = 0; r < rows; r++)
        search->ids[r] = search->eos;
    DGM_TRY(dgm_device_write(env, search->device, args.targets, search->ids,
                             (size_t)rows * sizeof *search->ids));
    args.rows = rows;
    args.vocab = search->width;
    DGM_TRY(dgm_device_run(env, search->device, DGM_TASK_cross_entropy, &args));
    DGM_TRY(dgm_device_read(env, search->device, search->values, args.losses,
                            2 * (size_t)rows * sizeof *search->values));
    for (int64_t r = 0; r < rows; r++)
        search->ends[r] = -search->values[2 * r + 1];
    return DGM_OK;
}

dgm_status dgm_candidates_find(struct dgm_env *env, struct dgm_search *search, int64_t rows,
                               int want_ends)
{
    struct dgm_ref scores = { NULL, 0 };

    DGM_TRY(reserve_top(env, search, (size_t)rows * (2 * (size_t)search->options.beam + 1)));
    if (search->model_count == 1)
        DGM_TRY(dgm_incremental_step(env, &search->models[0], search->last, &scores));
    else
        DGM_TRY(step_ensemble(env, search, rows, &scores));
    if (want_ends)
        DGM_TRY(score_ends(env, search, scores, rows));
    return choose(env, search, scores, rows);
}
