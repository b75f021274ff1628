/* cut_text.c: from running text to tokens and sentences. */
#include "decode/parse/cut_text.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "text/unicode/utf8.h"

/* Rows of one step, beside their neighbours, and what a text may have. */
enum { STEP_ROWS = 4096, MOST_BYTES = 1 << 30, ENDING_SHIFT = 4 };

dgm_status dgm_cut_text_init(struct dgm_env *env, struct dgm_cut_text *cut,
                             const struct dgm_parser *parser, struct dgm_device *device)
{
    cut->parser = parser;
    if (parser->cutter.width == 0)
        return dgm_fail(env, DGM_MODEL,
                        "the parser has not learned to cut running text; expected one of "
                        "train-parser --tokenizer");
    dgm_feed_init(&cut->feed, device);
    return dgm_graph_init(env, &cut->graph, device);
}

void dgm_cut_text_clear(struct dgm_env *env, struct dgm_cut_text *cut)
{
    if (cut->graph.env != NULL)
        dgm_graph_clear(&cut->graph);
    dgm_feed_clear(env, &cut->feed);
    dgm_characters_clear(env, &cut->rows);
    dgm_release(env, cut->ends);
    dgm_release(env, cut->labels);
    dgm_release(env, cut->spans);
    dgm_release(env, cut->scores);
    dgm_release(env, cut->tokens);
    memset(cut, 0, sizeof *cut);
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* The best of labels from..DGM_CUT_LABELS-1, the first of equal ones; one that is no number, if
 * there is any. */
static unsigned best_label(const dgm_real *scores, unsigned from)
{
    unsigned best = from;

    for (unsigned i = from + 1; i < DGM_CUT_LABELS && scores[best] == scores[best]; i++)
        if (!(scores[i] <= scores[best]))
            best = i;
    return best;
}

static dgm_status fail_row(struct dgm_env *env, const struct dgm_cut_text *cut, int32_t i)
{
    size_t p = 0;

    while (p + 1 < cut->paragraphs && cut->ends[p] <= (uint32_t)i)
        p++;
    return dgm_lost_scores_fail(env, &cut->lines, (int32_t)p, "a token's end at character",
                                (long)i + 1 - (p > 0 ? (long)cut->ends[p - 1] : 0));
}

/* Labels of the rows of the spans, from a step's scores. */
static dgm_status take_labels(struct dgm_env *env, struct dgm_cut_text *cut, size_t spans)
{
    const dgm_real *scores = cut->scores;

    for (size_t s = 0; s < spans; s++)
        for (int32_t i = cut->spans[s].first; i < cut->spans[s].end;
             i++, scores += DGM_CUT_LABELS) {
            const unsigned best = best_label(scores, 0), ending = best_label(scores, DGM_CUT_TOKEN);

            if (!isfinite((double)scores[best]) || !isfinite((double)scores[ending]))
                return fail_row(env, cut, i);
            cut->labels[i] = (unsigned char)(best | ending << ENDING_SHIFT);
        }
    return DGM_OK;
}

static dgm_status run_step(struct dgm_env *env, struct dgm_cut_text *cut, size_t spans)
{
    struct dgm_node *scores;

    if (spans == 0)
        return DGM_OK;
    dgm_feed_reset(&cut->feed);
    DGM_TRY(
        dgm_cutter_stage(env, &cut->feed, &cut->step, &cut->rows, cut->spans, spans, NULL, NULL));
    DGM_TRY(dgm_feed_send(env, &cut->feed));
    dgm_graph_begin(&cut->graph, 0, 0, 0);
    scores =
        dgm_keep(&cut->graph, dgm_cutter_scores(&cut->graph, &cut->parser->cutter,
                                                &cut->parser->net.params, &cut->feed, &cut->step));
    DGM_TRY(dgm_graph_run(&cut->graph));
    DGM_TRY(dgm_reserve(env, &cut->scores, &cut->score_capacity,
                        (size_t)cut->step.asked_count * DGM_CUT_LABELS, sizeof *cut->scores));
    DGM_TRY(dgm_graph_read(&cut->graph, scores, cut->scores));
    return take_labels(env, cut, spans);
}

/* All rows, paragraph after paragraph, about STEP_ROWS at a time. */
static dgm_status label_rows(struct dgm_env *env, struct dgm_cut_text *cut)
{
    int32_t first = 0, end, room = STEP_ROWS;
    size_t spans = 0;

    DGM_TRY(
        dgm_reserve(env, &cut->labels, &cut->label_capacity, cut->rows.count, sizeof *cut->labels));
    for (size_t p = 0; p < cut->paragraphs; p++, first = end) {
        end = (int32_t)cut->ends[p];
        for (int32_t at = first, next; at < end; at = next) {
            next = end - at < room ? end : at + room;
            DGM_TRY(dgm_grow(env, &cut->spans, &cut->span_capacity, spans, sizeof *cut->spans));
            cut->spans[spans++] = (struct dgm_text_span){ at, next, first, end };
            room -= next - at;
            if (room > 0)
                continue;
            DGM_TRY(run_step(env, cut, spans));
            spans = 0;
            room = STEP_ROWS;
        }
    }
    return run_step(env, cut, spans);
}

/* ---- tokens ---------------------------------------------------------------------------------- */

/* Whether a token must end before row `i`, which is white space. */
static int must_end(const struct dgm_cut_text *cut, const char *text, uint32_t i)
{
    uint32_t start = cut->rows.starts[i], bytes = cut->rows.starts[i + 1] - start;

    return !cut->parser->lexicon.cuts.has_blanks || memchr(text + start, '\n', bytes) != NULL;
}

static dgm_status add_token(struct dgm_env *env, struct dgm_cut_text *cut, uint32_t start,
                            uint32_t end, unsigned label)
{
    struct dgm_cut_token *token;

    DGM_TRY(dgm_grow(env, &cut->tokens, &cut->capacity, cut->count, sizeof *cut->tokens));
    token = &cut->tokens[cut->count++];
    token->start = start;
    token->end = end;
    token->is_multiword = label == DGM_CUT_MULTIWORD || label == DGM_CUT_MULTIWORD_SENTENCE;
    token->ends_sentence = label == DGM_CUT_SENTENCE || label == DGM_CUT_MULTIWORD_SENTENCE;
    token->ends_paragraph = 0;
    return DGM_OK;
}

/* The byte behind row `i`, the last one of a paragraph that goes on, in blanks, to byte `end`. */
static uint32_t last_byte(const struct dgm_cut_text *cut, const char *text, uint32_t i, size_t end)
{
    uint32_t start = cut->rows.starts[i], code;

    return start + (uint32_t)dgm_utf8_decode(&code, text + start, end - start);
}

/* Tokens of rows first..end-1, at least one, whose last one ends at byte `last`: neither end is a
 * blank. */
static dgm_status add_paragraph(struct dgm_env *env, struct dgm_cut_text *cut, const char *text,
                                uint32_t first, uint32_t end, uint32_t last)
{
    const struct dgm_characters *rows = &cut->rows;
    uint32_t open = first;

    for (uint32_t i = first; i < end; i++) {
        unsigned label = cut->labels[i] & ((1 << ENDING_SHIFT) - 1);
        int is_blank = rows->kinds[i] == DGM_CHARACTER_BLANK;

        if (is_blank && open == i)
            open = i + 1; /* between tokens */
        if (is_blank)
            continue;
        if (i + 1 == end ||
            (rows->kinds[i + 1] == DGM_CHARACTER_BLANK && must_end(cut, text, i + 1)))
            label = cut->labels[i] >> ENDING_SHIFT;
        if (label == DGM_CUT_NOTHING)
            continue;
        DGM_TRY(add_token(env, cut, rows->starts[open], i + 1 < end ? rows->starts[i + 1] : last,
                          label));
        open = i + 1;
    }
    cut->tokens[cut->count - 1].ends_paragraph = cut->tokens[cut->count - 1].ends_sentence = 1;
    return DGM_OK;
}

/* The rows of all paragraphs, and where the last character of each ends. */
static dgm_status read_rows(struct dgm_env *env, struct dgm_cut_text *cut, const char *text,
                            const size_t *ends, size_t count)
{
    size_t from = 0;

    cut->paragraphs = count;
    cut->rows.count = cut->count = 0;
    DGM_TRY(dgm_reserve(env, &cut->ends, &cut->end_capacity, count, sizeof *cut->ends));
    for (size_t p = 0; p < count; from = ends[p++]) {
        DGM_TRY(dgm_characters_add(env, &cut->rows, &cut->parser->lexicon.cuts.characters, text,
                                   from, ends[p]));
        cut->ends[p] = (uint32_t)cut->rows.count;
    }
    return DGM_OK;
}

dgm_status dgm_cut_text_run(struct dgm_env *env, struct dgm_cut_text *cut, const char *text,
                            const size_t *ends, size_t count)
{
    uint32_t first = 0;

    if (count > 0 && ends[count - 1] >= MOST_BYTES)
        return dgm_fail(env, DGM_DATA, "%zu bytes of text at a time; expected less than %d",
                        ends[count - 1], MOST_BYTES);
    DGM_TRY(read_rows(env, cut, text, ends, count));
    DGM_TRY(label_rows(env, cut));
    for (size_t p = 0; p < count; first = cut->ends[p++]) {
        if (cut->ends[p] > first)
            DGM_TRY(add_paragraph(env, cut, text, first, cut->ends[p],
                                  last_byte(cut, text, cut->ends[p] - 1, ends[p])));
    }
    return DGM_OK;
}
