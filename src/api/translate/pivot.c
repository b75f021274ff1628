/*
 * pivot.c: translations that are translated further.
 */
#include "api/translate/pivot.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* One of a line's translations: result `rank` of what goes on as line `number`. */
struct choice {
    double score, logp;
    size_t number, rank;
};

/* What one translation in the middle was worth. */
struct middle {
    double score, logp;
};

struct dgm_pivot {
    dgm_translator *first, *second; /* the second is owned */
    size_t most;                    /* translations of a line */
    size_t *starts;                 /* (lines + 1) line l goes on as starts[l] .. starts[l+1]-1 */
    struct middle *middle;          /* of each of those */
    size_t start_capacity, middle_capacity;
    struct choice *choices; /* of line `chosen`, the best first */
    size_t chosen, choice_count, choice_capacity;
    struct link *ours, *theirs; /* of the line at hand: of each step */
    size_t our_capacity, their_capacity;
    struct dgm_buf links; /* of the line whose alignment was asked for last */
};

/* Word `from` of one side and word `to` of the other. */
struct link {
    long from, to;
};

enum { NO_LINE = -1 };

/* ---- making and freeing ------------------------------------------------------------------- */

static dgm_status take_then(struct dgm_env *env, const dgm_translator_options *options,
                            dgm_translator_options *then)
{
    return dgm_options_take(env, then, sizeof *then, options->then, "dgm_translator_options.then");
}

dgm_status dgm_pivot_check(struct dgm_env *env, const dgm_translator_options *options)
{
    dgm_translator_options then;

    if (options->then == NULL)
        return DGM_OK;
    DGM_TRY(take_then(env, options, &then));
    if (options->attention || then.attention)
        return dgm_fail(env, DGM_USAGE,
                        "dgm_translator_options.then with attention, which is of one step; "
                        "expected one of the two");
    if (options->alignment != then.alignment || (options->alignment && options->n_best > 1))
        return dgm_fail(env, DGM_USAGE,
                        "dgm_translator_options.alignment of one step, or with n_best %d that go "
                        "on; expected it of both steps, and one",
                        options->n_best);
    if (then.trees != NULL || then.then != NULL)
        return dgm_fail(env, DGM_USAGE, "dgm_translator_options.then.%s; expected NULL",
                        then.trees != NULL ? "trees" : "then");
    return DGM_OK;
}

dgm_status dgm_pivot_new(dgm_context *context, const dgm_translator_options *options,
                         dgm_translator *first, struct dgm_pivot **pivot)
{
    struct dgm_env *env = &context->env;
    dgm_translator_options then;
    struct dgm_pivot *made;
    dgm_status status;

    DGM_TRY(take_then(env, options, &then));
    then.progress = options->progress != NULL ? dgm_translator_tell_second : NULL;
    then.progress_user = first;
    DGM_TRY(dgm_new(env, &made, 1, sizeof *made));
    made->first = first;
    made->most = then.n_best > 0 ? (size_t)then.n_best : 1;
    made->chosen = (size_t)NO_LINE;
    status = dgm_translator_new(context, &then, &made->second);
    if (status == DGM_OK && then.alignment &&
        !(dgm_translator_has_plain_words(first) && dgm_translator_has_plain_words(made->second)))
        status = dgm_fail(env, DGM_USAGE,
                          "alignment through a third language with a model whose words are tokens; "
                          "expected models with pieces of SentencePiece");
    if (status == DGM_OK)
        *pivot = made;
    else
        dgm_pivot_free(env, made);
    return status;
}

void dgm_pivot_free(struct dgm_env *env, struct dgm_pivot *pivot)
{
    if (pivot == NULL)
        return;
    dgm_translator_free(pivot->second);
    dgm_release(env, pivot->starts);
    dgm_release(env, pivot->middle);
    dgm_release(env, pivot->choices);
    dgm_release(env, pivot->ours);
    dgm_release(env, pivot->theirs);
    dgm_buf_clear(env, &pivot->links);
    dgm_release(env, pivot);
}

/* ---- a run -------------------------------------------------------------------------------- */

/* The translations of a line, as lines of the second translator behind *added others. */
static dgm_status add_line(struct dgm_env *env, struct dgm_pivot *pivot, size_t line, size_t *added)
{
    size_t count;

    DGM_TRY(dgm_translator_own_count(pivot->first, line, &count));
    for (size_t rank = 0; rank < count; rank++, ++*added) {
        struct middle *middle;
        const char *text;
        size_t bytes;

        DGM_TRY(
            dgm_grow(env, &pivot->middle, &pivot->middle_capacity, *added, sizeof *pivot->middle));
        middle = &pivot->middle[*added];
        DGM_TRY(dgm_translator_own_result(pivot->first, line, rank, &text, &bytes, &middle->score,
                                          &middle->logp));
        DGM_TRY(dgm_translator_add(pivot->second, text, bytes));
    }
    return DGM_OK;
}

dgm_status dgm_pivot_run(struct dgm_env *env, struct dgm_pivot *pivot, size_t *lines)
{
    const size_t count = *lines;
    size_t added = 0, done = 0;
    dgm_status status;

    *lines = 0;
    pivot->chosen = (size_t)NO_LINE;
    DGM_TRY(
        dgm_reserve(env, &pivot->starts, &pivot->start_capacity, count + 1, sizeof *pivot->starts));
    for (size_t line = 0; line < count; line++) {
        pivot->starts[line] = added;
        DGM_TRY(add_line(env, pivot, line, &added));
    }
    pivot->starts[count] = added;
    status = dgm_translator_run(pivot->second, &done);
    if (status != DGM_OK && status != DGM_INTERRUPTED)
        return status;
    while (*lines < count && pivot->starts[*lines + 1] <= done)
        ++*lines;
    return status;
}

dgm_status dgm_pivot_finish(struct dgm_pivot *pivot)
{
    return dgm_translator_finish(pivot->second, NULL);
}

dgm_translator *dgm_pivot_second(const struct dgm_pivot *pivot)
{
    return pivot->second;
}

/* ---- results ------------------------------------------------------------------------------ */

/* The best first; of equals, what was better in the middle, then in the end. */
static int by_score(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;

    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Adds what became of one translation in the middle. */
static dgm_status add_choices(struct dgm_env *env, struct dgm_pivot *pivot, size_t number)
{
    const struct middle *middle = &pivot->middle[number];
    size_t count;

    DGM_TRY(dgm_translator_count(pivot->second, number, &count));
    for (size_t rank = 0; rank < count; rank++) {
        struct choice choice = { .number = number, .rank = rank };

        DGM_TRY(dgm_translator_result(pivot->second, number, rank, NULL, NULL, &choice.score,
                                      &choice.logp));
        choice.score += middle->score;
        choice.logp += middle->logp;
        DGM_TRY(dgm_grow(env, &pivot->choices, &pivot->choice_capacity, pivot->choice_count,
                         sizeof *pivot->choices));
        pivot->choices[pivot->choice_count++] = choice;
    }
    return DGM_OK;
}

static dgm_status choose(struct dgm_env *env, struct dgm_pivot *pivot, size_t line)
{
    if (pivot->chosen == line)
        return DGM_OK;
    pivot->chosen = (size_t)NO_LINE;
    pivot->choice_count = 0;
    for (size_t number = pivot->starts[line]; number < pivot->starts[line + 1]; number++)
        DGM_TRY(add_choices(env, pivot, number));
    if (pivot->choice_count > 1)
        qsort(pivot->choices, pivot->choice_count, sizeof *pivot->choices, by_score);
    if (pivot->choice_count > pivot->most)
        pivot->choice_count = pivot->most;
    pivot->chosen = line;
    return DGM_OK;
}

dgm_status dgm_pivot_count(struct dgm_env *env, struct dgm_pivot *pivot, size_t line, size_t *count)
{
    DGM_TRY(choose(env, pivot, line));
    *count = pivot->choice_count;
    return DGM_OK;
}

dgm_status dgm_pivot_result(struct dgm_env *env, struct dgm_pivot *pivot, size_t line, size_t rank,
                            const char **text, size_t *bytes, double *score, double *logp)
{
    const struct choice *choice;

    DGM_TRY(choose(env, pivot, line));
    if (rank >= pivot->choice_count)
        return dgm_fail(env, DGM_USAGE, "result %zu of line %zu; there are %zu", rank, line,
                        pivot->choice_count);
    choice = &pivot->choices[rank];
    if (score != NULL)
        *score = choice->score;
    if (logp != NULL)
        *logp = choice->logp;
    return dgm_translator_result(pivot->second, choice->number, choice->rank, text, bytes, NULL,
                                 NULL);
}

/* ---- alignment ---------------------------------------------------------------------------- */

/* Reads "0-0 1-2"; the number of links. */
static dgm_status read_links(struct dgm_env *env, const char *text, struct link **links,
                             size_t *capacity, size_t *count)
{
    char *end;

    for (*count = 0; *text != '\0'; text = end + strspn(end, " ")) {
        struct link link;

        link.from = strtol(text, &end, 10);
        link.to = strtol(end + 1, &end, 10); /* behind the hyphen */
        DGM_TRY(dgm_grow(env, links, capacity, *count, sizeof **links));
        (*links)[(*count)++] = link;
    }
    return DGM_OK;
}

static int by_words(const void *a, const void *b)
{
    const struct link *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* Adds source-target for each pair of links that meet in the middle, to the end of ours. */
static dgm_status join(struct dgm_env *env, struct dgm_pivot *pivot, size_t our_count,
                       size_t their_count, size_t *end)
{
    *end = our_count;
    for (size_t i = 0; i < our_count; i++)
        for (size_t j = 0; j < their_count; j++) {
            const struct link link = { pivot->ours[i].from, pivot->theirs[j].to };

            if (pivot->ours[i].to != pivot->theirs[j].from)
                continue;
            DGM_TRY(dgm_grow(env, &pivot->ours, &pivot->our_capacity, *end, sizeof link));
            pivot->ours[(*end)++] = link;
        }
    return DGM_OK;
}

/* Each link once. */
static dgm_status print_links(struct dgm_env *env, struct dgm_buf *text, const struct link *links,
                              size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (i == 0 || by_words(&links[i - 1], &links[i]) != 0)
            DGM_TRY(dgm_buf_add_format(env, text, "%s%ld-%ld", text->size > 0 ? " " : "",
                                       links[i].from, links[i].to));
    return DGM_OK;
}

dgm_status dgm_pivot_alignment(struct dgm_env *env, struct dgm_pivot *pivot, size_t line,
                               const char **links, size_t *bytes)
{
    size_t ours = 0, theirs = 0, end = 0, count;
    const char *text;

    DGM_TRY(dgm_translator_own_count(pivot->first, line, &count));
    if (count > 0) { /* one goes on: number starts[line] */
        DGM_TRY(dgm_translator_own_alignment(pivot->first, line, &text, NULL));
        DGM_TRY(read_links(env, text, &pivot->ours, &pivot->our_capacity, &ours));
        DGM_TRY(dgm_translator_alignment(pivot->second, pivot->starts[line], &text, NULL));
        DGM_TRY(read_links(env, text, &pivot->theirs, &pivot->their_capacity, &theirs));
        DGM_TRY(join(env, pivot, ours, theirs, &end));
    }
    dgm_buf_reset(&pivot->links);
    DGM_TRY(dgm_buf_add(env, &pivot->links, "", 0));
    if (end > ours) {
        qsort(pivot->ours + ours, end - ours, sizeof *pivot->ours, by_words);
        DGM_TRY(print_links(env, &pivot->links, pivot->ours + ours, end - ours));
    }
    *links = pivot->links.data;
    if (bytes != NULL)
        *bytes = pivot->links.size;
    return DGM_OK;
}
