/*
 * lattice.c: edges of a text, and sums over its paths.
 *
 * A sum that grows small is multiplied by SCALE, with all that is under way beside it; how often
 * that was done is noted for each place. Powers of two change no digit.
 */
#include "text/spm/lattice.h"

#include <string.h>

#include "base/mem.h"
#include "base/number/own_math.h"
#include "text/unicode/utf8.h"

#define SCALE 2.037035976334486e90   /* 2^300 */
#define SMALL 4.909093465297727e-91  /* 2^-300 */
#define LOG_SCALE 207.94415416798358 /* its natural logarithm */
#define NO_WAY (-1.0e300)

static dgm_status reserve_places(struct dgm_env *env, struct dgm_lattice *lattice, size_t size)
{
    const struct dgm_parallel places[] = {
        { &lattice->last, sizeof *lattice->last },
        { &lattice->sums, sizeof *lattice->sums },
        { &lattice->scales, sizeof *lattice->scales },
        { &lattice->behind, sizeof *lattice->behind },
        { &lattice->best, sizeof *lattice->best },
        { &lattice->best_edge, sizeof *lattice->best_edge },
        { NULL, 0 },
    };

    return dgm_reserve_parallel(env, places, &lattice->place_capacity, size + 1);
}

static dgm_status add_edge(struct dgm_env *env, struct dgm_lattice *lattice, size_t start,
                           size_t end, int32_t piece)
{
    DGM_TRY(
        dgm_grow(env, &lattice->edges, &lattice->capacity, lattice->count, sizeof *lattice->edges));
    lattice->edges[lattice->count] =
        (struct dgm_lattice_edge){ (uint32_t)start, (uint32_t)end, piece, lattice->last[end] };
    if (end - start > lattice->longest)
        lattice->longest = end - start;
    lattice->last[end] = (uint32_t)lattice->count++;
    return DGM_OK;
}

/* Adds the pieces that begin at `start`, and end before `stop` or there. A character that is none
 * is an edge by itself. */
static dgm_status add_edges(struct dgm_env *env, struct dgm_lattice *lattice,
                            const struct dgm_trie *pieces,
                            const struct dgm_lattice_weights *weights, const char *text,
                            size_t start, size_t stop, size_t width)
{
    size_t at = start;
    uint32_t node = 0;
    int has_character = 0;

    while (at < stop && pieces->count > 0) {
        int32_t piece;

        node = dgm_trie_step(pieces, node, text[at++]);
        if (node == DGM_TRIE_NONE)
            break;
        piece = pieces->units[node].value;
        if (piece < 0 || weights->of[piece] <= 0.0)
            continue;
        DGM_TRY(add_edge(env, lattice, start, at, piece));
        has_character |= at - start == width;
    }
    if (has_character)
        return DGM_OK;
    return add_edge(env, lattice, start, start + width, DGM_LATTICE_UNKNOWN);
}

/* Where the text up to the next of the symbols ends; *symbol: how many bytes that one has, which
 * may be none at the end. */
static size_t find_symbol(const struct dgm_trie *symbols, const char *text, size_t start,
                          size_t size, size_t *symbol)
{
    uint32_t code;

    *symbol = 0;
    if (symbols == NULL || symbols->count == 0)
        return size;
    while (start < size) {
        *symbol = dgm_trie_longest(symbols, text + start, size - start);
        if (*symbol > 0)
            break;
        start += dgm_utf8_decode(&code, text + start, size - start);
    }
    return start;
}

static int32_t piece_of(const struct dgm_trie *trie, const char *text, size_t size)
{
    uint32_t node = 0;

    for (size_t i = 0; i < size; i++)
        node = dgm_trie_step(trie, node, text[i]);
    return trie->units[node].value;
}

dgm_status dgm_lattice_fill(struct dgm_env *env, struct dgm_lattice *lattice,
                            const struct dgm_trie *pieces, const struct dgm_trie *symbols,
                            const struct dgm_lattice_weights *weights, const char *text,
                            size_t size)
{
    size_t at = 0, stop, symbol;
    uint32_t code;

    lattice->count = lattice->longest = 0;
    lattice->size = size;
    DGM_TRY(reserve_places(env, lattice, size));
    for (size_t i = 0; i <= size; i++)
        lattice->last[i] = DGM_TRIE_NONE;
    while (at < size) {
        stop = find_symbol(symbols, text, at, size, &symbol);
        while (at < stop) {
            size_t width = dgm_utf8_decode(&code, text + at, size - at);

            DGM_TRY(add_edges(env, lattice, pieces, weights, text, at, stop, width));
            at += width;
        }
        if (symbol > 0)
            DGM_TRY(add_edge(env, lattice, at, at + symbol, piece_of(symbols, text + at, symbol)));
        at += symbol;
    }
    return DGM_OK;
}

/* ---- sums ----------------------------------------------------------------------------------- */

static double weight_of(const struct dgm_lattice_weights *weights,
                        const struct dgm_lattice_edge *edge)
{
    return edge->piece < 0 ? weights->unknown : weights->of[edge->piece];
}

/* Multiplies sums[first..last] where all of them are small. Returns whether it has. */
static int enlarge(double *sums, size_t first, size_t last)
{
    for (size_t i = first; i <= last; i++)
        if (sums[i] >= SMALL)
            return 0;
    for (size_t i = first; i <= last; i++)
        sums[i] *= SCALE;
    return 1;
}

void dgm_lattice_forward(struct dgm_lattice *lattice, const struct dgm_lattice_weights *weights)
{
    size_t e = 0, reach = 0, at;
    int32_t scale = 0;

    memset(lattice->sums, 0, (lattice->size + 1) * sizeof *lattice->sums);
    lattice->sums[0] = 1.0;
    for (at = 0; at <= lattice->size; at++) {
        while (lattice->sums[at] > 0.0 && enlarge(lattice->sums, at, reach > at ? reach : at))
            scale++;
        /* The sum at a place is sums[at] SMALL^scales[at]. */
        lattice->scales[at] = scale;
        for (; e < lattice->count && lattice->edges[e].start == at; e++) {
            const struct dgm_lattice_edge *edge = &lattice->edges[e];

            lattice->sums[edge->end] += lattice->sums[at] * weight_of(weights, edge);
            if (edge->end > reach)
                reach = edge->end;
        }
    }
}

double dgm_lattice_log_sum(const struct dgm_lattice *lattice)
{
    return dgm_own_log(lattice->sums[lattice->size]) - LOG_SCALE * lattice->scales[lattice->size];
}

static double power_of_scale(int32_t power)
{
    double value = 1.0;

    for (; power > 0; power--)
        value *= SCALE;
    for (; power < 0; power++)
        value *= SMALL;
    return value;
}

/* The last place that an edge from before `at` may lead to. */
static size_t last_of(const struct dgm_lattice *lattice, size_t at)
{
    return lattice->size - at < lattice->longest ? lattice->size : at + lattice->longest;
}

void dgm_lattice_expect(struct dgm_lattice *lattice, const struct dgm_lattice_weights *weights,
                        double times, double *counts)
{
    const double all = lattice->sums[lattice->size];
    const int32_t all_scale = lattice->scales[lattice->size];
    double *behind = lattice->behind;
    size_t e = lattice->count;
    int32_t scale = 0;

    memset(behind, 0, (lattice->size + 1) * sizeof *behind);
    behind[lattice->size] = 1.0;
    while (e > 0) {
        const size_t at = lattice->edges[e - 1].start;
        /* sums[at] / all with all scales, that of `behind` among them: SMALL^(those of at and
         * behind - those of all). */
        const double share = times * (lattice->sums[at] / all) *
                             power_of_scale(all_scale - lattice->scales[at] - scale);

        for (; e > 0 && lattice->edges[e - 1].start == at; e--) {
            const struct dgm_lattice_edge *edge = &lattice->edges[e - 1];
            const double rest = weight_of(weights, edge) * behind[edge->end];

            behind[at] += rest;
            if (edge->piece >= 0)
                counts[edge->piece] += share * rest;
        }
        while (behind[at] > 0.0 && enlarge(behind, at, last_of(lattice, at)))
            scale++;
    }
}

/* ---- paths ---------------------------------------------------------------------------------- */

static dgm_status push_path(struct dgm_env *env, struct dgm_lattice *lattice, uint32_t edge)
{
    DGM_TRY(dgm_grow(env, &lattice->path, &lattice->path_capacity, lattice->path_count,
                     sizeof *lattice->path));
    lattice->path[lattice->path_count++] = edge;
    return DGM_OK;
}

static void turn_path(struct dgm_lattice *lattice)
{
    for (size_t i = 0; i < lattice->path_count / 2; i++) {
        uint32_t edge = lattice->path[i];

        lattice->path[i] = lattice->path[lattice->path_count - 1 - i];
        lattice->path[lattice->path_count - 1 - i] = edge;
    }
}

static double share_of(const struct dgm_lattice *lattice, const struct dgm_lattice_weights *weights,
                       const struct dgm_lattice_edge *edge)
{
    /* In the scale of the place where the edge ends, for all edges that end there. */
    return lattice->sums[edge->start] * weight_of(weights, edge) *
           power_of_scale(lattice->scales[edge->end] - lattice->scales[edge->start]);
}

/* One of the edges that end at a place, in proportion to the sums over the ways through them. */
static uint32_t draw_edge(const struct dgm_lattice *lattice,
                          const struct dgm_lattice_weights *weights, size_t at,
                          struct dgm_random *random)
{
    uint32_t edge = lattice->last[at], chosen = edge;
    double all = 0.0, left;

    for (; edge != DGM_TRIE_NONE; edge = lattice->edges[edge].before)
        all += share_of(lattice, weights, &lattice->edges[edge]);
    left = dgm_random_unit(random) * all;
    for (edge = lattice->last[at]; edge != DGM_TRIE_NONE; edge = lattice->edges[edge].before) {
        const double share = share_of(lattice, weights, &lattice->edges[edge]);

        if (share > 0.0)
            chosen = edge;
        left -= share;
        if (left < 0.0)
            break;
    }
    return chosen;
}

dgm_status dgm_lattice_draw(struct dgm_env *env, struct dgm_lattice *lattice,
                            const struct dgm_lattice_weights *weights, struct dgm_random *random)
{
    size_t at = lattice->size;

    lattice->path_count = 0;
    while (at > 0) {
        const uint32_t edge = draw_edge(lattice, weights, at, random);

        DGM_TRY(push_path(env, lattice, edge));
        at = lattice->edges[edge].start;
    }
    turn_path(lattice);
    return DGM_OK;
}

static void offer_best(struct dgm_lattice *lattice, uint32_t number, double score)
{
    const struct dgm_lattice_edge *edge = &lattice->edges[number];
    const double sum = lattice->best[edge->start] + score;

    if (lattice->best_edge[edge->end] != DGM_TRIE_NONE && !(sum > lattice->best[edge->end]))
        return;
    lattice->best[edge->end] = sum;
    lattice->best_edge[edge->end] = number;
}

dgm_status dgm_lattice_best(struct dgm_env *env, struct dgm_lattice *lattice, const double *scores,
                            double unknown, int32_t skip, int *found)
{
    size_t at = lattice->size, i;

    lattice->path_count = 0;
    for (i = 0; i <= lattice->size; i++) {
        lattice->best[i] = NO_WAY;
        lattice->best_edge[i] = DGM_TRIE_NONE;
    }
    lattice->best[0] = 0.0;
    for (i = 0; i < lattice->count; i++) {
        const struct dgm_lattice_edge *edge = &lattice->edges[i];
        const int is_all = edge->start == 0 && edge->end == lattice->size;

        if (!(is_all && edge->piece == skip && skip != DGM_LATTICE_UNKNOWN))
            offer_best(lattice, (uint32_t)i, edge->piece < 0 ? unknown : scores[edge->piece]);
    }
    *found = at == 0 || lattice->best_edge[at] != DGM_TRIE_NONE;
    while (*found && at > 0) {
        DGM_TRY(push_path(env, lattice, lattice->best_edge[at]));
        at = lattice->edges[lattice->best_edge[at]].start;
    }
    turn_path(lattice);
    return DGM_OK;
}

void dgm_lattice_clear(struct dgm_env *env, struct dgm_lattice *lattice)
{
    dgm_release(env, lattice->edges);
    dgm_release(env, lattice->last);
    dgm_release(env, lattice->sums);
    dgm_release(env, lattice->scales);
    dgm_release(env, lattice->behind);
    dgm_release(env, lattice->best);
    dgm_release(env, lattice->best_edge);
    dgm_release(env, lattice->path);
    memset(lattice, 0, sizeof *lattice);
}
