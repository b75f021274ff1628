/*
 * unigram.c: a unigram model by expectation and maximisation, and by pruning.
 *
 * Kudo (2018), section 3.2: from far too many pieces, steps of expectation and maximisation, then
 * the loss of likelihood for each piece that would go, those that cost least go, again and again.
 * Single characters never go: without them, a piece that has a rare one could not be replaced.
 * As the library has it: maximisation is the Bayesian one, exp(digamma(count) - digamma(sum)),
 * which favours frequent pieces; a quarter goes at a time; and the rest down to the wanted number
 * are those of the least probability. Unlike there, losses leave one time out (loss_of).
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/number/own_math.h"
#include "text/spm/lattice.h"
#include "text/spm_learn/substrings.h"

#define LEAST_COUNT 0.5 /* pieces that are expected less often go; characters have it */
#define SHRINKING 0.75  /* what pruning leaves */
#define SURPLUS 1.1     /* pruning stops at so many times the wanted number */
enum { EM_STEPS = 2 };

struct model {
    struct dgm_env *env;
    const struct dgm_spm_sorted *stretches;
    size_t stretch_count;
    struct dgm_spm_learned_set set; /* scores are logs */
    size_t characters;              /* how many of the set are single ones: they come first */
    double *weights;                /* their exponentials; 0: gone */
    double *scores;                 /* by piece, of the set */
    double *counts;
    double least; /* of the scores of those that are there */
    struct dgm_trie trie;
    struct dgm_lattice lattice;
};

/* The derivative of the log of the gamma function, x > 0: by its recurrence up to 7, then by its
 * asymptotic series around x - 1/2. */
static double digamma(double x)
{
    double value = 0.0, square;

    for (; x < 7.0; x += 1.0)
        value -= 1.0 / x;
    x -= 0.5;
    square = 1.0 / (x * x);
    return value + dgm_own_log(x) +
           /* What is left out is below 511 / 67584 / 6.5^10 = 6e-11. */
           square * (1.0 / 24.0 -
                     square * (7.0 / 960.0 - square * (31.0 / 8064.0 - square * 127.0 / 30720.0)));
}

static double exponential(double score)
{
    return dgm_own_exp(score < -320.0 ? -320.0 : score < 0.0 ? score : 0.0);
}

static struct dgm_lattice_weights weights_of(const struct model *model)
{
    struct dgm_lattice_weights weights = { model->weights,
                                           exponential(model->least - DGM_SPM_UNKNOWN_PENALTY) };

    return weights;
}

/* ---- pieces --------------------------------------------------------------------------------- */

static void release_arrays(struct model *model)
{
    dgm_release(model->env, model->weights);
    dgm_release(model->env, model->scores);
    dgm_release(model->env, model->counts);
    dgm_trie_clear(model->env, &model->trie);
    model->weights = model->scores = model->counts = NULL;
}

static void clear(struct model *model)
{
    release_arrays(model);
    dgm_spm_learned_clear(model->env, &model->set);
    dgm_lattice_clear(model->env, &model->lattice);
}

static const char *text_of(const struct model *model, size_t piece)
{
    return model->set.text.data + model->set.items[piece].text;
}

static void set_weights(struct model *model)
{
    model->least = 0.0;
    for (size_t i = 0; i < model->set.count; i++) {
        model->scores[i] = model->set.items[i].score;
        model->weights[i] = exponential(model->scores[i]);
        if (model->scores[i] < model->least)
            model->least = model->scores[i];
    }
}

/* Arrays and trie for the pieces of model->set. */
static dgm_status build(struct model *model)
{
    const size_t count = model->set.count;
    struct dgm_trie_key *keys;
    dgm_status status;

    release_arrays(model);
    DGM_TRY(dgm_new(model->env, &model->weights, count, sizeof(double)));
    DGM_TRY(dgm_new(model->env, &model->scores, count, sizeof(double)));
    DGM_TRY(dgm_new(model->env, &model->counts, count, sizeof(double)));
    DGM_TRY(dgm_new(model->env, &keys, count, sizeof *keys));
    for (size_t i = 0; i < count; i++)
        keys[i] = (struct dgm_trie_key){ text_of(model, i), model->set.items[i].bytes, (int32_t)i };
    status = dgm_trie_build(model->env, &model->trie, keys, count);
    dgm_release(model->env, keys);
    set_weights(model);
    return status;
}

static dgm_status begin(struct model *model, const struct dgm_spm_learn_input *input)
{
    const struct dgm_map *characters = input->characters;
    double sum = 0.0;

    model->characters = characters->count;
    for (size_t i = 0; i < characters->count; i++)
        DGM_TRY(dgm_spm_learned_add(model->env, &model->set,
                                    dgm_map_key(characters, &characters->entries[i]),
                                    characters->entries[i].length,
                                    (double)characters->entries[i].value));
    DGM_TRY(dgm_spm_substrings(model->env, model->stretches, model->stretch_count, characters,
                               input->seeds, &model->set));
    for (size_t i = 0; i < model->set.count; i++)
        sum += model->set.items[i].score;
    for (size_t i = 0; i < model->set.count; i++)
        model->set.items[i].score = dgm_own_log(model->set.items[i].score) - dgm_own_log(sum);
    return build(model);
}

/* Moves the pieces that `keeps` (by piece) names into a set of their own. */
static dgm_status keep(struct model *model, const unsigned char *keeps)
{
    struct dgm_spm_learned_set kept = { 0 };
    dgm_status status = DGM_OK;

    for (size_t i = 0; i < model->set.count; i++) {
        const struct dgm_spm_learned *item = &model->set.items[i];

        if (keeps[i])
            DGM_TRY_OUT(dgm_spm_learned_add(model->env, &kept, text_of(model, i), item->bytes,
                                            item->score));
    }
    dgm_spm_learned_clear(model->env, &model->set);
    model->set = kept;
    return build(model);
out:
    dgm_spm_learned_clear(model->env, &kept);
    return status;
}

/* ---- paths ---------------------------------------------------------------------------------- */

static dgm_status fill_lattice(struct model *model, const struct dgm_lattice_weights *weights,
                               const char *text, size_t bytes)
{
    return dgm_lattice_fill(model->env, &model->lattice, &model->trie, NULL, weights, text, bytes);
}

/* There always is a path: unknown characters have edges, too. */
static dgm_status find_best(struct model *model, int32_t skip)
{
    int found;

    return dgm_lattice_best(model->env, &model->lattice, model->scores,
                            model->least - DGM_SPM_UNKNOWN_PENALTY, skip, &found);
}

/* ---- expectation and maximisation ----------------------------------------------------------- */

static dgm_status expect(struct model *model)
{
    const struct dgm_lattice_weights weights = weights_of(model);

    memset(model->counts, 0, model->set.count * sizeof *model->counts);
    for (size_t i = 0; i < model->stretch_count; i++) {
        const struct dgm_spm_sorted *stretch = &model->stretches[i];

        if (i % 1024 == 0)
            DGM_TRY(dgm_poll(model->env));
        DGM_TRY(fill_lattice(model, &weights, stretch->text, stretch->bytes));
        dgm_lattice_forward(&model->lattice, &weights);
        dgm_lattice_expect(&model->lattice, &weights, (double)stretch->count, model->counts);
    }
    return DGM_OK;
}

/* A log of a probability, which rounding may have lifted above 0. */
static double at_most_zero(double score)
{
    return score < 0.0 ? score : 0.0;
}

/* Pieces that are expected too seldom go, but for characters. */
static dgm_status maximise(struct model *model)
{
    unsigned char *keeps;
    double sum = 0.0, log_sum;
    dgm_status status;

    DGM_TRY(dgm_new(model->env, &keeps, model->set.count, 1));
    for (size_t i = 0; i < model->set.count; i++) {
        if (i < model->characters && model->counts[i] < LEAST_COUNT)
            model->counts[i] = LEAST_COUNT;
        keeps[i] = model->counts[i] >= LEAST_COUNT;
        if (keeps[i])
            sum += model->counts[i];
    }
    log_sum = digamma(sum > LEAST_COUNT ? sum : LEAST_COUNT);
    for (size_t i = 0; i < model->set.count; i++)
        if (keeps[i])
            model->set.items[i].score = at_most_zero(digamma(model->counts[i]) - log_sum);
    status = keep(model, keeps);
    dgm_release(model->env, keeps);
    return status;
}

/* ---- pruning -------------------------------------------------------------------------------- */

struct loss {
    double loss;
    size_t piece;
};

static int compare_losses(const void *a, const void *b)
{
    const struct loss *one = a, *other = b;

    if (one->loss != other->loss)
        return one->loss > other->loss ? -1 : 1;
    return (one->piece > other->piece) - (one->piece < other->piece);
}

/* How often each piece is on the best path of a stretch. */
static dgm_status count_best(struct model *model, double *sum)
{
    const struct dgm_lattice_weights weights = weights_of(model);
    const struct dgm_lattice *lattice = &model->lattice;

    memset(model->counts, 0, model->set.count * sizeof *model->counts);
    *sum = 0.0;
    for (size_t i = 0; i < model->stretch_count; i++) {
        const struct dgm_spm_sorted *stretch = &model->stretches[i];

        DGM_TRY(fill_lattice(model, &weights, stretch->text, stretch->bytes));
        DGM_TRY(find_best(model, DGM_LATTICE_UNKNOWN));
        for (size_t p = 0; p < lattice->path_count; p++) {
            const int32_t piece = lattice->edges[lattice->path[p]].piece;

            if (piece < 0)
                continue;
            model->counts[piece] += (double)stretch->count;
            *sum += (double)stretch->count;
        }
    }
    return DGM_OK;
}

/* Whether a piece is its own best path, and so has something to lose: the path without it is then
 * in the lattice. */
static dgm_status find_replacement(struct model *model, size_t piece, int *is_best)
{
    const struct dgm_lattice_weights weights = weights_of(model);

    DGM_TRY(fill_lattice(model, &weights, text_of(model, piece), model->set.items[piece].bytes));
    DGM_TRY(find_best(model, DGM_LATTICE_UNKNOWN));
    *is_best = model->lattice.path_count == 1;
    return *is_best ? find_best(model, (int32_t)piece) : DGM_OK;
}

/* How much less likely the text is if a piece is replaced by the path in the lattice, everywhere:
 * the count goes over to the pieces of the path. One time is left out: a piece is judged by the
 * times that another one has made it known, so that what is there twice by chance counts little in
 * text that is not seen (leave-one-out: Ney, Essen and Kneser 1994). */
static double loss_of(const struct model *model, size_t piece, double sum)
{
    const struct dgm_lattice *lattice = &model->lattice;
    const double count = model->counts[piece];
    const double log_sum = dgm_own_log(sum + count * ((double)lattice->path_count - 1.0));
    double without = 0.0;

    for (size_t p = 0; p < lattice->path_count; p++)
        without +=
            dgm_own_log(model->counts[lattice->edges[lattice->path[p]].piece] + count) - log_sum;
    return (count - 1.0) * (dgm_own_log(count) - dgm_own_log(sum) - without);
}

static dgm_status find_losses(struct model *model, double sum, struct loss *losses, size_t *count)
{
    int is_best;

    *count = 0;
    for (size_t i = model->characters; i < model->set.count; i++) {
        if (i % 1024 == 0)
            DGM_TRY(dgm_poll(model->env));
        if (model->counts[i] <= 0.0)
            continue;
        DGM_TRY(find_replacement(model, i, &is_best));
        if (!is_best)
            continue;
        losses[(*count)++] = (struct loss){ loss_of(model, i, sum), i };
    }
    return DGM_OK;
}

static dgm_status prune(struct model *model, size_t least)
{
    const double shrunk = SHRINKING * (double)model->set.count;
    const size_t wanted = (size_t)shrunk > least ? (size_t)shrunk : least;
    unsigned char *keeps = NULL;
    struct loss *losses = NULL;
    size_t count, kept = model->characters;
    double sum;
    dgm_status status;

    DGM_TRY_OUT(dgm_new(model->env, &keeps, model->set.count, 1));
    DGM_TRY_OUT(dgm_new(model->env, &losses, model->set.count, sizeof *losses));
    DGM_TRY_OUT(count_best(model, &sum));
    DGM_TRY_OUT(find_losses(model, sum, losses, &count));
    qsort(losses, count, sizeof *losses, compare_losses);
    memset(keeps, 1, kept);
    for (size_t i = 0; i < count && kept < wanted; i++, kept++)
        keeps[losses[i].piece] = 1;
    status = keep(model, keeps);
out:
    dgm_release(model->env, keeps);
    dgm_release(model->env, losses);
    return status;
}

/* ---- the end -------------------------------------------------------------------------------- */

/* A piece and where its text is, for sorting. */
struct final {
    const char *text;
    size_t bytes;
    double score;
};

static int compare_finals(const void *a, const void *b)
{
    const struct final *one = a, *other = b;

    if (one->score != other->score)
        return one->score > other->score ? -1 : 1;
    return dgm_bytes_compare(one->text, one->bytes, other->text, other->bytes);
}

/* All characters, and the most probable of the others, up to `input->pieces` in all. */
static dgm_status finish(struct model *model, const struct dgm_spm_learn_input *input,
                         struct dgm_spm_learned_set *set)
{
    const size_t all = model->set.count, characters = model->characters;
    const size_t count = all < input->pieces ? all : input->pieces;
    struct final *finals;
    dgm_status status = DGM_OK;

    DGM_TRY(dgm_new(model->env, &finals, all, sizeof *finals));
    for (size_t i = 0; i < all; i++)
        finals[i] = (struct final){ text_of(model, i), model->set.items[i].bytes,
                                    model->set.items[i].score };
    qsort(finals + characters, all - characters, sizeof *finals, compare_finals);
    qsort(finals, count, sizeof *finals, compare_finals);
    for (size_t i = 0; i < count; i++)
        DGM_TRY_OUT(
            dgm_spm_learned_add(model->env, set, finals[i].text, finals[i].bytes, finals[i].score));
out:
    dgm_release(model->env, finals);
    return status;
}

/* ---- learning ------------------------------------------------------------------------------- */

static dgm_status run(struct model *model, const struct dgm_spm_learn_input *input)
{
    const size_t wanted = (size_t)(SURPLUS * (double)input->pieces);

    DGM_TRY(begin(model, input));
    for (;;) {
        size_t before = model->set.count;

        for (int step = 0; step < EM_STEPS; step++) {
            DGM_TRY(expect(model));
            DGM_TRY(maximise(model));
        }
        dgm_log(model->env, DGM_LOG_NOTE, "%zu pieces, to become %zu", model->set.count,
                input->pieces);
        if (model->set.count <= wanted)
            return DGM_OK;
        DGM_TRY(prune(model, wanted));
        if (model->set.count >= before) /* characters are all that is left */
            return DGM_OK;
    }
}

dgm_status dgm_spm_learn_unigram(struct dgm_env *env, const struct dgm_spm_learn_input *input,
                                 struct dgm_spm_learned_set *set)
{
    struct dgm_spm_sorted *sorted = NULL;
    struct model model = { .env = env, .stretch_count = input->stretches->count };
    dgm_status status;

    DGM_TRY_OUT(dgm_spm_sort(env, input->stretches, &sorted));
    model.stretches = sorted;
    DGM_TRY_OUT(run(&model, input));
    status = finish(&model, input, set);
out:
    clear(&model);
    dgm_release(env, sorted);
    return status;
}
