/*
 * parser_stage.c: a batch of sentences on its way to a parser: rows, forms, pieces, targets.
 */
#include <string.h>

#include "base/mem.h"
#include "model/parser/parser_vectors.h"

/* Streams of the random numbers that choose what is unknown; beyond those of dropout. */
enum { STREAM_WORDS = 0x70000001, STREAM_TAGS = 0x70000002, STREAM_ALONE = 0x70000004 };

void dgm_parser_step_init(struct dgm_parser_step *step, struct dgm_device *device)
{
    memset(step, 0, sizeof *step);
    dgm_step_init(&step->base, device);
}

void dgm_parser_step_clear(struct dgm_env *env, struct dgm_parser_step *step)
{
    dgm_step_clear(env, &step->base);
    dgm_sequence_slots_clear(env, &step->sentences);
    dgm_sequence_slots_clear(env, &step->forms);
    dgm_packed_clear(env, &step->rows);
    dgm_release(env, step->form_places);
    dgm_release(env, step->form_list);
    dgm_release(env, step->starts);
    dgm_release(env, step->spans);
    memset(step, 0, sizeof *step);
}

/* ---- random unknowns ------------------------------------------------------------------------- */

struct chance {
    double rate; /* 0: nothing is dropped */
    uint32_t key[2], stream;
};

/* Whether what stands at a place is unknown in this update: a pure function. */
static int is_dropped(const struct chance *chance, int32_t sentence, int32_t position)
{
    uint32_t counter[4], out[4];

    if (chance->rate <= 0)
        return 0;
    counter[0] = 0;
    counter[1] = (uint32_t)position;
    counter[2] = (uint32_t)sentence;
    counter[3] = chance->stream;
    dgm_philox(out, counter, chance->key);
    return (double)out[0] < chance->rate * 4294967296.0;
}

/* What every part of the staging needs. */
struct scope {
    struct dgm_env *env;
    const struct dgm_parser *parser;
    struct dgm_parser_step *step;
    struct dgm_feed *feed;
    const struct dgm_treebank *bank;
    const int32_t *numbers, *tags;
    int32_t count;
    int training;
    struct chance words, taggings;
};

/* Row `i` of sentence `s` of the batch as a row of the bank. */
static int32_t bank_row(const struct scope *scope, int32_t s, int32_t i)
{
    return scope->bank->rows.offsets[scope->numbers[s]] + i;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static dgm_status pack_rows(const struct scope *scope)
{
    struct dgm_packed *rows = &scope->step->rows;

    dgm_packed_reset(rows);
    for (int32_t s = 0; s < scope->count; s++) {
        DGM_TRY(dgm_packed_append(scope->env, rows, &scope->bank->rows, scope->numbers[s]));
        for (int32_t i = rows->offsets[s] + 1; i < rows->offsets[s + 1]; i++)
            if (is_dropped(&scope->words, scope->numbers[s], i - rows->offsets[s]))
                rows->ids[i] = DGM_VOCAB_UNK;
    }
    return DGM_OK;
}

/* Places that say the sentence only: one mask for all its rows (Gal and Ghahramani 2016). */
static dgm_status stage_still(const struct scope *scope)
{
    const struct dgm_packed *rows = &scope->step->rows;
    int32_t *places;

    DGM_TRY(dgm_feed_take(scope->env, scope->feed, &scope->step->still, &places,
                          (size_t)rows->offsets[rows->count] * 2 * sizeof *places));
    for (int32_t s = 0; s < rows->count; s++)
        for (int32_t i = rows->offsets[s]; i < rows->offsets[s + 1]; i++)
            places[2 * i] = scope->numbers[s];
    return DGM_OK;
}

static dgm_status stage_tags(const struct scope *scope)
{
    const struct dgm_packed *rows = &scope->step->rows;
    const int32_t unknown = (int32_t)scope->parser->tags;
    int32_t *ids;

    DGM_TRY(dgm_feed_take(scope->env, scope->feed, &scope->step->tag_ids, &ids,
                          (size_t)rows->offsets[rows->count] * sizeof *ids));
    for (int32_t s = 0; s < rows->count; s++)
        for (int32_t i = rows->offsets[s]; i < rows->offsets[s + 1]; i++) {
            int32_t place = i - rows->offsets[s];
            int32_t tag =
                scope->tags != NULL ? scope->tags[i] : scope->bank->tags[bank_row(scope, s, place)];
            ids[i] =
                tag < 0 || is_dropped(&scope->taggings, scope->numbers[s], place) ? unknown : tag;
        }
    return DGM_OK;
}

/* Every row of a sentence, the root's too, says of which treebank it is. */
static dgm_status stage_treebanks(const struct scope *scope)
{
    const struct dgm_packed *rows = &scope->step->rows;
    int32_t *ids;

    if (scope->parser->treebanks == 0)
        return DGM_OK;
    DGM_TRY(dgm_feed_take(scope->env, scope->feed, &scope->step->treebank_ids, &ids,
                          (size_t)rows->offsets[rows->count] * sizeof *ids));
    for (int32_t s = 0; s < rows->count; s++)
        for (int32_t i = rows->offsets[s]; i < rows->offsets[s + 1]; i++)
            ids[i] = scope->bank->origins[scope->numbers[s]];
    return DGM_OK;
}

/* ---- forms and their pieces ------------------------------------------------------------------ */

/* The forms of the batch in the order of their first row; form_of_row says which a row has. */
static dgm_status list_forms(const struct scope *scope)
{
    struct dgm_parser_step *step = scope->step;
    const struct dgm_packed *rows = &step->rows;
    size_t known = scope->bank->known.count, n = (size_t)rows->offsets[rows->count];
    int32_t *form_of_row;

    DGM_TRY(dgm_reserve(scope->env, &step->form_places, &step->form_capacity, known,
                        sizeof *step->form_places));
    DGM_TRY(dgm_reserve(scope->env, &step->form_list, &step->list_capacity, n,
                        sizeof *step->form_list));
    DGM_TRY(dgm_feed_take(scope->env, scope->feed, &step->form_of_row, &form_of_row,
                          n * sizeof *form_of_row));
    memset(step->form_places, 0xff, known * sizeof *step->form_places);
    step->form_count = 0;
    for (int32_t s = 0; s < rows->count; s++)
        for (int32_t i = rows->offsets[s]; i < rows->offsets[s + 1]; i++) {
            int32_t form = scope->bank->forms[bank_row(scope, s, i - rows->offsets[s])];
            if (step->form_places[form] < 0) {
                step->form_places[form] = (int32_t)step->form_count;
                step->form_list[step->form_count++] = form;
            }
            form_of_row[i] = step->form_places[form];
        }
    return DGM_OK;
}

static dgm_status start_forms(const struct scope *scope)
{
    struct dgm_parser_step *step = scope->step;
    const int32_t *starts = scope->bank->piece_starts;
    int32_t end = 0;

    DGM_TRY(dgm_reserve(scope->env, &step->starts, &step->start_capacity,
                        (size_t)step->form_count + 1, sizeof *step->starts));
    for (int64_t f = 0; f < step->form_count; f++) {
        step->starts[f] = end;
        end += starts[step->form_list[f] + 1] - starts[step->form_list[f]];
    }
    step->starts[step->form_count] = end;
    step->piece_rows = end;
    return DGM_OK;
}

/* Ids and places of all pieces, and where each form begins and ends. */
static dgm_status fill_pieces(const struct scope *scope)
{
    struct dgm_parser_step *step = scope->step;
    size_t rows = (size_t)step->piece_rows, forms = (size_t)step->form_count;
    int32_t *ids, *ends;

    DGM_TRY(dgm_feed_take(scope->env, scope->feed, &step->piece_ids, &ids, rows * sizeof *ids));
    for (int64_t f = 0; f < step->form_count; f++)
        memcpy(ids + step->starts[f],
               scope->bank->pieces + scope->bank->piece_starts[step->form_list[f]],
               (size_t)(step->starts[f + 1] - step->starts[f]) * sizeof *ids);
    DGM_TRY(dgm_feed_copy(scope->env, scope->feed, &step->form_first, step->starts,
                          forms * sizeof *step->starts));
    DGM_TRY(dgm_feed_take(scope->env, scope->feed, &step->form_last, &ends, forms * sizeof *ends));
    for (int64_t f = 0; f < step->form_count; f++)
        ends[f] = step->starts[f + 1] - 1;
    return DGM_OK;
}

static dgm_status stage_pieces(const struct scope *scope)
{
    DGM_TRY(start_forms(scope));
    DGM_TRY(fill_pieces(scope));
    return dgm_sequences_stage(scope->env, scope->feed, &scope->step->forms, scope->step->starts,
                               (int32_t)scope->step->form_count);
}

static dgm_status stage_forms(const struct scope *scope)
{
    const struct dgm_word_vectors *vectors = &scope->parser->lexicon.vectors;
    const int has_pieces = scope->parser->config.pieces != DGM_PIECES_NONE;
    struct dgm_parser_step *step = scope->step;

    if (!has_pieces && vectors->dim == 0)
        return DGM_OK;
    DGM_TRY(list_forms(scope));
    if (has_pieces)
        DGM_TRY(stage_pieces(scope));
    if (vectors->dim == 0)
        return DGM_OK;
    return dgm_parser_vectors_stage(scope->env, scope->feed, &step->form_vectors, vectors,
                                    scope->bank, step->form_list, step->form_count);
}

/* ---- targets --------------------------------------------------------------------------------- */

static dgm_status stage_heads(const struct scope *scope)
{
    struct dgm_parser_step *step = scope->step;
    const struct dgm_packed *rows = &step->rows;
    int32_t *heads;

    step->arc_count = 0;
    DGM_TRY(dgm_feed_take(scope->env, scope->feed, &step->heads, &heads,
                          (size_t)rows->offsets[rows->count] * sizeof *heads));
    for (int32_t s = 0; s < rows->count; s++)
        for (int32_t i = rows->offsets[s]; i < rows->offsets[s + 1]; i++) {
            heads[i] = scope->bank->heads[bank_row(scope, s, i - rows->offsets[s])];
            step->arc_count += heads[i] >= 0;
        }
    return DGM_OK;
}

/* A staged list that is filled from its beginning; room for every row. */
static dgm_status take_list(const struct scope *scope, dgm_slot *slot)
{
    const struct dgm_packed *rows = &scope->step->rows;
    int32_t *list;

    return dgm_feed_take(scope->env, scope->feed, slot, &list,
                         (size_t)rows->offsets[rows->count] * sizeof *list);
}

/* Rows whose head and label are given, the rows of their heads, their labels. */
static dgm_status stage_labels(const struct scope *scope)
{
    struct dgm_parser_step *step = scope->step;
    const struct dgm_treebank *bank = scope->bank;
    const struct dgm_packed *rows = &step->rows;
    int32_t *dependents, *heads, *targets;

    DGM_TRY(take_list(scope, &step->labelled));
    DGM_TRY(take_list(scope, &step->labelled_heads));
    DGM_TRY(take_list(scope, &step->label_targets));
    dependents = dgm_feed_host(scope->feed, step->labelled);
    heads = dgm_feed_host(scope->feed, step->labelled_heads);
    targets = dgm_feed_host(scope->feed, step->label_targets);
    step->label_count = 0;
    for (int32_t s = 0; s < rows->count; s++)
        for (int32_t i = rows->offsets[s]; i < rows->offsets[s + 1]; i++) {
            int32_t row = bank_row(scope, s, i - rows->offsets[s]);
            if (bank->heads[row] < 0 || bank->labels[row] < 0)
                continue;
            dependents[step->label_count] = i;
            heads[step->label_count] = rows->offsets[s] + bank->heads[row];
            targets[step->label_count++] = bank->labels[row];
        }
    return DGM_OK;
}

/* Rows that have a class in a column of the bank, and the classes. */
static dgm_status stage_classes(const struct scope *scope, const int32_t *column, dgm_slot *slot,
                                dgm_slot *target_slot, int64_t *count)
{
    const struct dgm_packed *rows = &scope->step->rows;
    int32_t *classed, *targets;

    DGM_TRY(take_list(scope, slot));
    DGM_TRY(take_list(scope, target_slot));
    classed = dgm_feed_host(scope->feed, *slot);
    targets = dgm_feed_host(scope->feed, *target_slot);
    *count = 0;
    for (int32_t s = 0; s < rows->count; s++)
        for (int32_t i = rows->offsets[s]; i < rows->offsets[s + 1]; i++) {
            int32_t number = column[bank_row(scope, s, i - rows->offsets[s])];
            if (number < 0)
                continue;
            classed[*count] = i;
            targets[(*count)++] = number;
        }
    return DGM_OK;
}

static dgm_status stage_morphs(const struct scope *scope)
{
    struct dgm_parser_step *step = scope->step;

    memset(step->morph_count, 0, sizeof step->morph_count);
    for (int m = 0; m < DGM_MORPHS; m++)
        if (scope->training && scope->parser->morphs[m].classes > 0)
            DGM_TRY(stage_classes(scope, scope->bank->morphs[m], &step->morphed[m],
                                  &step->morph_targets[m], &step->morph_count[m]));
    return DGM_OK;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* So many characters are unknown in training, so that unknown ones are learned. */
#define UNKNOWN_CHARACTERS (1.0 / 64)
/* So many sentences are paragraphs of their own, as they are where each line is a sentence. */
#define SENTENCES_ALONE 0.25

/* The span without the white space behind it is all of its paragraph. */
static void leave_alone(struct dgm_text_span *span, const struct dgm_characters *rows)
{
    if (span->end - span->first > 1 && rows->kinds[span->end - 1] == DGM_CHARACTER_BLANK)
        span->end--;
    span->paragraph_first = span->first;
    span->paragraph_end = span->end;
}

/* The text of the batch's sentences. */
static dgm_status stage_text(const struct scope *scope)
{
    struct dgm_parser_step *step = scope->step;
    struct chance alone = scope->words;
    const struct dgm_cutter_noise noise = { UNKNOWN_CHARACTERS,
                                            { scope->words.key[0], scope->words.key[1] } };

    DGM_TRY(dgm_reserve(scope->env, &step->spans, &step->span_capacity, (size_t)scope->count,
                        sizeof *step->spans));
    alone.rate = SENTENCES_ALONE;
    alone.stream = STREAM_ALONE;
    for (int32_t s = 0; s < scope->count; s++) {
        step->spans[s] = step->text->spans[scope->numbers[s]];
        if (is_dropped(&alone, scope->numbers[s], 0))
            leave_alone(&step->spans[s], &step->text->rows);
    }
    return dgm_cutter_stage(scope->env, scope->feed, &step->cuts, &step->text->rows, step->spans,
                            (size_t)scope->count, step->text->labels, &noise);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static dgm_status stage_all(const struct scope *scope)
{
    struct dgm_parser_step *step = scope->step;
    const struct dgm_packed *rows = &step->rows;

    dgm_feed_reset(scope->feed);
    DGM_TRY(pack_rows(scope));
    DGM_TRY(dgm_step_stage_source(scope->env, &step->base, rows, scope->numbers));
    step->pairs = step->base.squares[rows->count];
    DGM_TRY(
        dgm_sequences_stage(scope->env, scope->feed, &step->sentences, rows->offsets, rows->count));
    DGM_TRY(stage_still(scope));
    if (scope->parser->config.tag_input)
        DGM_TRY(stage_tags(scope));
    DGM_TRY(stage_treebanks(scope));
    DGM_TRY(stage_forms(scope));
    DGM_TRY(stage_heads(scope));
    DGM_TRY(stage_labels(scope));
    DGM_TRY(stage_classes(scope, scope->bank->tags, &step->tagged, &step->tag_targets,
                          &step->tag_count));
    DGM_TRY(stage_morphs(scope));
    if (step->text != NULL)
        DGM_TRY(stage_text(scope));
    return dgm_feed_send(scope->env, scope->feed);
}

dgm_status dgm_parser_stage(struct dgm_env *env, const struct dgm_parser *parser,
                            struct dgm_parser_step *step, const struct dgm_treebank *bank,
                            const int32_t *numbers, int32_t count, const int32_t *tags,
                            int training, uint32_t seed, uint32_t update)
{
    struct scope scope = { .env = env,
                           .parser = parser,
                           .step = step,
                           .feed = &step->base.feed,
                           .bank = bank,
                           .numbers = numbers,
                           .count = count,
                           .tags = tags,
                           .training = training,
                           .words.rate = training ? parser->config.word_dropout : 0,
                           .words.key[0] = seed,
                           .words.key[1] = update,
                           .words.stream = STREAM_WORDS };

    scope.taggings = scope.words;
    scope.taggings.stream = STREAM_TAGS;
    return stage_all(&scope);
}
