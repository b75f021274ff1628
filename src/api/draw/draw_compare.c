/* draw_compare.c: translations of two systems side by side (draw/compare/compare.h). */
#include <stdlib.h>
#include <string.h>

#include "api/program.h"
#include "api/score/scorer.h"
#include "base/file/report.h"
#include "base/lines/parallel_lines.h"
#include "base/mem.h"
#include "draw/compare/compare.h"
#include "draw/tree/captions.h"
#include "text/score/bleu.h"

enum { MOST_COLUMNS = 80 }; /* of a word */

/* A line of a file: of all files one behind the other. */
struct piece {
    size_t start, bytes;
};

struct gain {
    long line; /* from 0 */
    double scores[2], gain;
};

struct work {
    struct dgm_env *env;
    const struct dgm_draw_compare *asked;
    dgm_scorer *sentence[2], *whole[2], *cutter;
    struct dgm_parallel_lines lines; /* reference, one, other, source */
    struct dgm_buf text;             /* of all lines */
    struct piece *pieces;            /* (lines, files) */
    size_t piece_count, piece_capacity;
    struct gain *gains;
    size_t line_count, gain_capacity;
    int32_t *counts; /* (words, 4) of reference, one and other in a line; in a row so far */
    size_t count_capacity;
    struct dgm_compare compare;
};

/* ---- reading and scoring ------------------------------------------------------------------- */

static dgm_status open_scorers(struct work *work, dgm_context *context)
{
    dgm_scorer_options options = { .struct_size = sizeof options,
                                   .metric = work->asked->metric,
                                   .tokenize = work->asked->tokenize };
    for (int s = 0; s < 2; s++) {
        DGM_TRY(dgm_scorer_new(context, &options, &work->whole[s]));
        options.effective_order = strcmp(work->asked->metric, "bleu") == 0;
        DGM_TRY(dgm_scorer_new(context, &options, &work->sentence[s]));
        options.effective_order = 0;
    }
    options.metric = "bleu";
    return dgm_scorer_new(context, &options, &work->cutter);
}

static dgm_status score_line(struct work *work, int s, double *value)
{
    const struct dgm_lines *files = work->lines.files;
    const char *reference = files[0].line.data;
    const size_t bytes = files[0].line.size;
    const struct dgm_buf *line = &files[1 + s].line;
    DGM_TRY(dgm_scorer_reset(work->sentence[s]));
    DGM_TRY(dgm_scorer_add(work->sentence[s], line->data, line->size, &reference, &bytes, 1));
    DGM_TRY(dgm_scorer_add(work->whole[s], line->data, line->size, &reference, &bytes, 1));
    return dgm_scorer_value(work->sentence[s], value, NULL);
}

static dgm_status keep_line(struct work *work)
{
    struct dgm_env *env = work->env;
    for (size_t f = 0; f < work->lines.count; f++) {
        const struct dgm_buf *line = &work->lines.files[f].line;
        DGM_TRY(dgm_grow(env, &work->pieces, &work->piece_capacity, work->piece_count,
                         sizeof *work->pieces));
        work->pieces[work->piece_count++] = (struct piece){ work->text.size, line->size };
        DGM_TRY(dgm_buf_add(env, &work->text, line->data, line->size));
    }
    return DGM_OK;
}

static dgm_status take_line(struct work *work)
{
    const int is_error = work->sentence[0]->measure.metric->is_error;
    struct dgm_compare *compare = &work->compare;
    struct gain *gain;
    DGM_TRY(dgm_grow(work->env, &work->gains, &work->gain_capacity, work->line_count,
                     sizeof *work->gains));
    gain = &work->gains[work->line_count];
    gain->line = (long)work->line_count++;
    DGM_TRY(keep_line(work));
    for (int s = 0; s < 2; s++)
        DGM_TRY(score_line(work, s, &gain->scores[s]));
    gain->gain = is_error ? gain->scores[0] - gain->scores[1] : gain->scores[1] - gain->scores[0];
    compare->better += gain->gain > 0;
    compare->worse += gain->gain < 0;
    compare->lines++;
    return DGM_OK;
}

static dgm_status read_all(struct work *work)
{
    const struct dgm_draw_compare *asked = work->asked;
    const char *paths[] = { asked->reference, asked->systems[0], asked->systems[1], asked->source };
    int more;
    DGM_TRY(dgm_parallel_lines_open(work->env, &work->lines, paths, asked->source != NULL ? 4 : 3));
    for (;;) {
        DGM_TRY(dgm_poll(work->env));
        DGM_TRY(dgm_parallel_lines_next(work->env, &work->lines, &more));
        if (!more)
            break;
        DGM_TRY(take_line(work));
    }
    if (work->line_count == 0)
        return dgm_fail_at(work->env, DGM_DATA, dgm_lines_name(paths[0]), 0, 0,
                           "no line; expected at least 1");
    for (int s = 0; s < 2; s++)
        DGM_TRY(dgm_scorer_value(work->whole[s], &work->compare.totals[s], NULL));
    return DGM_OK;
}

/* From the largest gain to the largest loss; equal ones in the order of the text. */
static int compare_gains(const void *a, const void *b)
{
    const struct gain *x = a, *y = b;
    if (x->gain != y->gain)
        return x->gain < y->gain ? 1 : -1;
    return (x->line > y->line) - (x->line < y->line);
}

/* ---- words and their marks ------------------------------------------------------------------ */

static struct dgm_bleu *cutter_of(const struct work *work)
{
    return work->cutter->measure.state;
}

static int32_t *count_of(const struct work *work, uint32_t word, int text)
{
    return &work->counts[4 * (size_t)word + (size_t)text];
}

static int32_t clipped(const struct work *work, uint32_t word, int system)
{
    const int32_t said = *count_of(work, word, 1 + system), wanted = *count_of(work, word, 0);
    return said < wanted ? said : wanted;
}

/* Leaves the words of a line of a file in the cutter's items. */
static dgm_status cut(struct work *work, long line, size_t file, size_t *count)
{
    const struct piece *piece = &work->pieces[(size_t)line * work->lines.count + file];
    const struct dgm_metric_text text = { work->text.data + piece->start, piece->bytes };
    const size_t before = work->count_capacity;
    DGM_TRY(dgm_bleu_words(work->env, cutter_of(work), count, text));
    DGM_TRY(dgm_reserve(work->env, &work->counts, &work->count_capacity,
                        4 * cutter_of(work)->words.count + 4, sizeof *work->counts));
    if (work->count_capacity > before)
        memset(work->counts + before, 0, (work->count_capacity - before) * sizeof *work->counts);
    return DGM_OK;
}

/* times < 0 takes away what was counted. */
static dgm_status count_words(struct work *work, long line, int times)
{
    size_t count;
    for (int text = 0; text < 3; text++) {
        DGM_TRY(cut(work, line, (size_t)text, &count));
        for (size_t i = 0; i < count; i++)
            *count_of(work, cutter_of(work)->items[i], text) += times;
    }
    return DGM_OK;
}

/* The mark of the nth time, from 1, that a text of a line has a word. */
static enum dgm_compare_mark mark_of(const struct work *work, uint32_t word, int row, int32_t nth)
{
    const int32_t one = clipped(work, word, 0), other = clipped(work, word, 1);
    if (row == DGM_COMPARE_SOURCE)
        return DGM_COMPARE_PLAIN;
    if (row == DGM_COMPARE_REFERENCE)
        return nth > (one > other ? one : other) ? DGM_COMPARE_MISSED : DGM_COMPARE_PLAIN;
    if (nth > *count_of(work, word, 0))
        return DGM_COMPARE_WRONG;
    return nth > (row == DGM_COMPARE_ONE ? other : one) ? DGM_COMPARE_ALONE : DGM_COMPARE_PLAIN;
}

static dgm_status add_words(struct work *work, struct dgm_compare_row *at, int row, size_t count)
{
    struct dgm_compare *compare = &work->compare;
    const struct dgm_bleu *cutter = cutter_of(work);
    at->first = compare->word_count;
    at->count = count;
    for (size_t i = 0; i < count; i++) {
        const struct dgm_map_entry *entry = &cutter->words.entries[cutter->items[i]];
        struct dgm_compare_word *word;
        DGM_TRY(dgm_grow(work->env, &compare->words, &compare->word_capacity, compare->word_count,
                         sizeof *compare->words));
        word = &compare->words[compare->word_count++];
        word->text = compare->text.size;
        word->mark = mark_of(work, cutter->items[i], row, ++*count_of(work, cutter->items[i], 3));
        DGM_TRY(dgm_caption_add(work->env, &compare->text, dgm_map_key(&cutter->words, entry),
                                entry->length, MOST_COLUMNS, "…", NULL));
        DGM_TRY(dgm_buf_add(work->env, &compare->text, "", 1));
    }
    for (size_t i = 0; i < count; i++)
        *count_of(work, cutter->items[i], 3) = 0;
    return DGM_OK;
}

static dgm_status add_pair(struct work *work, const struct gain *gain)
{
    static const size_t files[DGM_COMPARE_ROWS] = { 3, 0, 1, 2 };
    struct dgm_compare *compare = &work->compare;
    struct dgm_compare_pair *pair = &compare->pairs[compare->pair_count++];
    size_t count;
    *pair = (struct dgm_compare_pair){ .line = gain->line + 1,
                                       .scores = { gain->scores[0], gain->scores[1] },
                                       .gain = gain->gain };
    DGM_TRY(count_words(work, gain->line, 1));
    for (int row = !compare->has_source; row < DGM_COMPARE_ROWS; row++) {
        DGM_TRY(cut(work, gain->line, files[row], &count));
        DGM_TRY(add_words(work, &pair->rows[row], row, count));
    }
    return count_words(work, gain->line, -1);
}

/* The first and the last `most` of them all; 0: all. */
static dgm_status choose(struct work *work)
{
    const size_t lines = work->line_count, most = (size_t)work->asked->most;
    const size_t ends = most == 0 || lines <= 2 * most ? lines : 2 * most;
    qsort(work->gains, lines, sizeof *work->gains, compare_gains);
    DGM_TRY(dgm_new(work->env, &work->compare.pairs, ends, sizeof *work->compare.pairs));
    for (size_t i = 0; i < ends; i++)
        DGM_TRY(add_pair(work, &work->gains[ends == lines || i < most ? i : lines - ends + i]));
    return DGM_OK;
}

/* ---- the picture --------------------------------------------------------------------------- */

static dgm_status draw(struct work *work, dgm_context *context, struct dgm_buf *out)
{
    static const char *const formats[] = { "text", "html", "svg" };
    struct dgm_compare *compare = &work->compare;
    int format;
    DGM_TRY(dgm_options_choose(work->env, &format, "format", work->asked->format, formats, 3));
    DGM_TRY(open_scorers(work, context));
    DGM_TRY(read_all(work));
    compare->names[0] = work->asked->systems[0];
    compare->names[1] = work->asked->systems[1];
    compare->has_source = work->asked->source != NULL;
    DGM_TRY(dgm_scorer_text(work->whole[0], DGM_SCORE_NAME, &compare->metric));
    DGM_TRY(choose(work));
    return format == 0   ? dgm_compare_text(compare, out)
           : format == 1 ? dgm_compare_html(compare, out)
                         : dgm_compare_svg(compare, out);
}

dgm_status dgm_draw_compare(dgm_context *context, const struct dgm_draw_compare *asked,
                            dgm_write_fn write, void *user)
{
    struct work work = { .asked = asked };
    struct dgm_buf out = { 0 };
    struct dgm_env *env;
    dgm_status status;
    DGM_ENTER(context);
    env = work.env = work.compare.env = &context->env;
    DGM_TRY(dgm_write_check(env, write));
    status = draw(&work, context, &out);
    dgm_compare_clear(&work.compare);
    for (int s = 0; s < 2; s++) {
        dgm_scorer_free(work.sentence[s]);
        dgm_scorer_free(work.whole[s]);
    }
    dgm_scorer_free(work.cutter);
    dgm_parallel_lines_close(env, &work.lines);
    dgm_buf_clear(env, &work.text);
    dgm_release(env, work.pieces);
    dgm_release(env, work.gains);
    dgm_release(env, work.counts);
    return dgm_report_made(env, write, user, &out, status);
}
