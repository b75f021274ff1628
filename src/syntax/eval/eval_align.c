/*
 * eval_align.c: which word of the system's file is which word of the gold file.
 *
 * A word that is a token of its own matches the one with the same characters. Words of
 * a token of several words need not be made of its characters ("du" is "de" + "le"), so
 * a stretch of the text that such tokens cover is taken as a whole, in both files, and
 * its words are matched by a longest common subsequence of their forms in lower case.
 */
#include "syntax/eval/eval_align.h"

#include <string.h>

#include "base/mem.h"

/* Of one table: 32 MiB of bits. */
#define MAX_CELLS ((size_t)1 << 28)

/* Words gold[gold_at..gold_end) against system[system_at..system_end). */
struct stretch {
    const struct dgm_eval_word *gold, *system;
    size_t gold_at, gold_end, system_at, system_end;
    size_t place; /* in the text, where it ends */
};

/* ---- the extent of a stretch ------------------------------------------------------ */

static int is_behind(const struct dgm_eval_word *words, size_t count, size_t at, size_t place)
{
    if (at >= count)
        return 1;
    return words[at].is_part ? words[at].start >= place : words[at].end > place;
}

static void take(struct stretch *stretch, const struct dgm_eval_word *word)
{
    if (word->is_part && word->end > stretch->place)
        stretch->place = word->end;
}

/* From the words at hand, of which one is a part, to where both files have a boundary
 * that goes through no such token. */
static void find_stretch(struct stretch *stretch, const struct dgm_eval *eval, size_t gold_at,
                         size_t system_at)
{
    const struct dgm_eval_word *gold = eval->gold.words, *system = eval->system.words;
    size_t gold_count = eval->gold.word_count, system_count = eval->system.word_count;

    stretch->gold = gold;
    stretch->system = system;
    if (gold[gold_at].is_part) {
        stretch->place = gold[gold_at].end;
        if (!system[system_at].is_part && system[system_at].start < gold[gold_at].start)
            system_at++;
    } else {
        stretch->place = system[system_at].end;
        if (gold[gold_at].start < system[system_at].start)
            gold_at++;
    }
    stretch->gold_at = gold_at;
    stretch->system_at = system_at;
    while (!is_behind(gold, gold_count, gold_at, stretch->place) ||
           !is_behind(system, system_count, system_at, stretch->place)) {
        if (gold_at < gold_count &&
            (system_at >= system_count || gold[gold_at].start <= system[system_at].start))
            take(stretch, &gold[gold_at++]);
        else
            take(stretch, &system[system_at++]);
    }
    stretch->gold_end = gold_at;
    stretch->system_end = system_at;
}

/* ---- matching within it ----------------------------------------------------------- */

static int forms_agree(const struct stretch *stretch, size_t g, size_t s)
{
    return stretch->gold[g].form == stretch->system[s].form;
}

/* Words that agree at the beginning of both are always matched: most stretches end
 * here, without a table. */
static void match_prefix(struct stretch *stretch, int32_t *match)
{
    while (stretch->gold_at < stretch->gold_end && stretch->system_at < stretch->system_end &&
           forms_agree(stretch, stretch->gold_at, stretch->system_at))
        match[stretch->system_at++] = (int32_t)stretch->gold_at++;
}

/* Lengths for one row from those of the row below it; bit s of `skip`: leaving out this
 * gold word costs nothing. */
static void fill_row(unsigned char *skip, int32_t *row, const int32_t *below,
                     const struct stretch *stretch, size_t g, size_t first_bit)
{
    size_t columns = stretch->system_end - stretch->system_at;

    row[columns] = 0;
    for (size_t s = columns; s-- > 0;) {
        size_t bit = first_bit + s;
        int32_t best = below[s] > row[s + 1] ? below[s] : row[s + 1];

        if (forms_agree(stretch, g, stretch->system_at + s) && below[s + 1] + 1 > best)
            best = below[s + 1] + 1;
        row[s] = best;
        if (best == below[s])
            skip[bit / 8] |= (unsigned char)(1u << bit % 8);
    }
}

static void walk(int32_t *match, const unsigned char *skip, const struct stretch *stretch)
{
    size_t columns = stretch->system_end - stretch->system_at;
    size_t g = stretch->gold_at, s = stretch->system_at;

    while (g < stretch->gold_end && s < stretch->system_end) {
        size_t bit = (g - stretch->gold_at) * columns + (s - stretch->system_at);

        if (forms_agree(stretch, g, s))
            match[s++] = (int32_t)g++;
        else if (skip[bit / 8] >> bit % 8 & 1)
            g++;
        else
            s++;
    }
}

static dgm_status check_cells(struct dgm_env *env, const struct dgm_eval_side *side,
                              const struct stretch *stretch, size_t *cells)
{
    size_t rows = stretch->gold_end - stretch->gold_at;
    size_t columns = stretch->system_end - stretch->system_at;
    size_t place = side->words[stretch->system_at].start;

    if (dgm_size_mul(cells, rows, columns) && *cells <= MAX_CELLS)
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, side->path, dgm_eval_file_token(side, place)->line, 0,
                       "multi-word tokens of %zu words over %zu of the gold file; "
                       "expected a product of at most %zu [E_LIMIT]",
                       columns, rows, MAX_CELLS);
}

static dgm_status match_longest(struct dgm_env *env, struct dgm_eval *eval,
                                const struct stretch *stretch)
{
    size_t g, cells, columns = stretch->system_end - stretch->system_at;
    unsigned char *skip = NULL;
    int32_t *rows[2] = { NULL, NULL };
    dgm_status status;

    DGM_TRY(dgm_poll(env));
    DGM_TRY(check_cells(env, &eval->system, stretch, &cells));
    for (int i = 0; i < 2; i++)
        DGM_TRY_OUT(dgm_new(env, &rows[i], columns + 1, sizeof *rows[i]));
    DGM_TRY_OUT(dgm_new(env, &skip, cells / 8 + 1, 1));
    for (g = stretch->gold_end; g-- > stretch->gold_at;)
        fill_row(skip, rows[g % 2], rows[(g + 1) % 2], stretch, g,
                 (g - stretch->gold_at) * columns);
    walk(eval->match, skip, stretch);
out:
    dgm_release(env, rows[0]);
    dgm_release(env, rows[1]);
    dgm_release(env, skip);
    return status;
}

static dgm_status match_stretch(struct dgm_env *env, struct dgm_eval *eval, struct stretch *stretch)
{
    match_prefix(stretch, eval->match);
    if (stretch->gold_at == stretch->gold_end || stretch->system_at == stretch->system_end)
        return DGM_OK;
    return match_longest(env, eval, stretch);
}

/* ---- the whole text --------------------------------------------------------------- */

static dgm_status align(struct dgm_env *env, struct dgm_eval *eval)
{
    const struct dgm_eval_word *gold = eval->gold.words, *system = eval->system.words;
    struct stretch stretch;
    size_t g = 0, s = 0;

    while (g < eval->gold.word_count && s < eval->system.word_count) {
        if (gold[g].is_part || system[s].is_part) {
            find_stretch(&stretch, eval, g, s);
            g = stretch.gold_end;
            s = stretch.system_end;
            DGM_TRY(match_stretch(env, eval, &stretch));
        } else if (gold[g].start == system[s].start && gold[g].end == system[s].end) {
            eval->match[s++] = (int32_t)g++;
        } else if (gold[g].start <= system[s].start) {
            g++;
        } else {
            s++;
        }
    }
    return DGM_OK;
}

dgm_status dgm_eval_align(struct dgm_env *env, struct dgm_eval *eval)
{
    DGM_TRY(dgm_new(env, &eval->match, eval->system.word_count, sizeof *eval->match));
    for (size_t s = 0; s < eval->system.word_count; s++)
        eval->match[s] = -1;
    return align(env, eval);
}
