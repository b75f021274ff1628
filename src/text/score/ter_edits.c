/* ter_edits.c: shifts and edit distance, in tercom's order of preference. */
#include "text/score/ter_edits.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

enum { MAX_SHIFT = 10, MAX_DISTANCE = 50, MAX_TRIED = 1000, BEAM = 25 };

#define NEVER (INT32_C(1) << 29) /* more than any distance */

/* One hypothesis against one reference. */
struct task {
    struct dgm_ter_edits *edits;
    const uint32_t *reference;
    size_t count, reference_count;
    int tried; /* shifts */
};

/* A shift, and what it is worth; worth 0 or less: none. */
struct shift {
    int32_t worth;
    size_t length, start, target;
    int is_set;
};

/* ---- edit distance --------------------------------------------------------------------------- */

/* Which cells a row has: those near the diagonal, which is as steep as the lengths say. The bounds
 * are sacreBLEU's, so rounding is that of double precision; volatile sees to it everywhere. */
static void place_row(struct dgm_ter_row *row, size_t i, const struct task *task)
{
    const size_t end = task->reference_count + 1;
    volatile double ratio = (double)task->reference_count / (double)task->count;
    volatile double place = (double)i * ratio;
    const size_t diagonal = (size_t)floor(place);
    const size_t beam = BEAM < ratio / 2 ? (size_t)ceil(ratio / 2 + BEAM) : BEAM;

    row->low = diagonal > beam ? diagonal - beam : 0;
    row->high = i == task->count || diagonal + beam > end ? end : diagonal + beam;
}

/* Room for row i: its cells, the one before and those that the next row reads. */
static size_t width_of(const struct dgm_ter_row *rows, size_t i, size_t count)
{
    size_t high = i < count && rows[i + 1].high > rows[i].high ? rows[i + 1].high : rows[i].high;

    return 1 + high - rows[i].low;
}

static dgm_status place_rows(struct dgm_env *env, const struct task *task)
{
    struct dgm_ter_edits *edits = task->edits;
    size_t used = 0, widest = 0;

    DGM_TRY(
        dgm_reserve(env, &edits->rows, &edits->row_capacity, task->count + 1, sizeof *edits->rows));
    edits->rows[0] = (struct dgm_ter_row){ 0, task->reference_count + 1, 0 };
    for (size_t i = 1; i <= task->count; i++)
        place_row(&edits->rows[i], i, task);
    for (size_t i = 0; i <= task->count; i++) {
        const size_t width = width_of(edits->rows, i, task->count);

        edits->rows[i].at = used;
        used += width;
        widest = width > widest ? width : widest;
    }
    for (int k = 0; k < 2; k++)
        DGM_TRY(dgm_reserve(env, &edits->scratch[k], &edits->scratch_capacity[k], widest,
                            sizeof *edits->scratch[k]));
    return dgm_reserve(env, &edits->cells, &edits->cell_capacity, used, sizeof *edits->cells);
}

/* Row i of a hypothesis whose word i - 1 is `word`; both rows begin with the cell before theirs. */
static void fill_row(const struct task *task, size_t i, uint32_t word, const int32_t *before,
                     int32_t *cells)
{
    const struct dgm_ter_row *row = &task->edits->rows[i];
    const size_t width = width_of(task->edits->rows, i, task->count);
    const size_t shift = row->low - row[-1].low;
    size_t n = row->high - row->low, k = 0;

    cells[0] = NEVER;
    before += shift;
    if (row->low == 0)
        cells[++k] = before[1] + 1;
    for (; k < n; k++) {
        const int32_t replaced = before[k] + (word != task->reference[row->low + k - 1]);
        const int32_t other = (before[k + 1] < cells[k] ? before[k + 1] : cells[k]) + 1;
        const int32_t least = replaced < other ? replaced : other;

        cells[k + 1] = least < NEVER ? least : NEVER;
    }
    for (k = n + 1; k < width; k++)
        cells[k] = NEVER;
}

/* The rows of edits->words; returns the distance. */
static int32_t fill_rows(const struct task *task)
{
    struct dgm_ter_edits *edits = task->edits;

    edits->cells[0] = NEVER;
    for (size_t j = 0; j <= task->reference_count; j++)
        edits->cells[1 + j] = (int32_t)j;
    for (size_t i = 1; i <= task->count; i++)
        fill_row(task, i, edits->words[i - 1], edits->cells + edits->rows[i - 1].at,
                 edits->cells + edits->rows[i].at);
    return edits->cells[edits->rows[task->count].at + 1 + task->reference_count -
                        edits->rows[task->count].low];
}

/* The distance of edits->shifted, which begins as edits->words does: `same` words. */
static int32_t distance(const struct task *task, size_t same)
{
    const struct dgm_ter_edits *edits = task->edits;
    const struct dgm_ter_row *last = &edits->rows[task->count];
    const int32_t *row = edits->cells + edits->rows[same].at;

    for (size_t i = same + 1; i <= task->count; i++) {
        fill_row(task, i, edits->shifted[i - 1], row, edits->scratch[i % 2]);
        row = edits->scratch[i % 2];
    }
    return row[1 + task->reference_count - last->low];
}

/* ---- which words are in error ---------------------------------------------------------------- */

static int32_t cell(const struct task *task, size_t i, size_t j)
{
    const struct dgm_ter_row *row = &task->edits->rows[i];

    return j < row->low || j >= row->high ? NEVER : task->edits->cells[row->at + 1 + j - row->low];
}

/* From the end back along the edits, of equal ones a word that stays or is replaced before one that
 * is deleted, and that before one that is inserted. */
static void trace(const struct task *task)
{
    struct dgm_ter_edits *edits = task->edits;
    size_t i = task->count, j = task->reference_count;

    while (i > 0 || j > 0) {
        const int32_t here = cell(task, i, j);
        const int differs = i > 0 && j > 0 && edits->words[i - 1] != task->reference[j - 1];

        if (i > 0 && j > 0 && cell(task, i - 1, j - 1) + differs == here) {
            edits->hypothesis_errors[i--] = differs;
            edits->reference_errors[j--] = differs;
            edits->align[j] = (int32_t)i;
        } else if (i > 0 && (j == 0 || cell(task, i - 1, j) + 1 == here)) {
            edits->hypothesis_errors[i--] = 1;
        } else {
            edits->reference_errors[j--] = 1;
            edits->align[j] = (int32_t)i - 1;
        }
    }
    edits->hypothesis_errors[0] = edits->reference_errors[0] = 0;
    for (i = 0; i < task->count; i++)
        edits->hypothesis_errors[i + 1] += edits->hypothesis_errors[i];
    for (j = 0; j < task->reference_count; j++)
        edits->reference_errors[j + 1] += edits->reference_errors[j];
}

/* ---- shifts ---------------------------------------------------------------------------------- */

static void copy(uint32_t **to, const uint32_t *from, size_t count)
{
    memcpy(*to, from, count * sizeof **to);
    *to += count;
}

/* Leaves in edits->shifted the words with a block moved before the word `target`; within or behind
 * itself, as many words on as it has. Returns how many words at the beginning stay. */
static size_t shift_words(const struct task *task, size_t start, size_t length, size_t target)
{
    const uint32_t *words = task->edits->words;
    uint32_t *to = task->edits->shifted;
    const size_t end = start + length;
    size_t stop = target > end ? target : length + target;

    if (target < start) {
        copy(&to, words, target);
        copy(&to, words + start, length);
        copy(&to, words + target, start - target);
        copy(&to, words + end, task->count - end);
        return target;
    }
    stop = stop < task->count ? stop : task->count;
    copy(&to, words, start);
    copy(&to, words + end, stop - end);
    copy(&to, words + start, length);
    copy(&to, words + stop, task->count - stop);
    return start;
}

/* Worth more; then longer, then from an earlier place, then to an earlier place. */
static int is_better(const struct shift *a, const struct shift *b)
{
    if (!b->is_set || a->worth != b->worth)
        return !b->is_set || a->worth > b->worth;
    if (a->length != b->length)
        return a->length > b->length;
    return a->start != b->start ? a->start < b->start : a->target < b->target;
}

static int32_t errors_in(const int32_t *errors, size_t start, size_t length)
{
    return errors[start + length] - errors[start];
}

/* Tries to move a block, which stands in the reference at `place`, there and behind each of the
 * words that its own are aligned to. */
static dgm_status try_block(struct dgm_env *env, struct task *task, int32_t before, size_t place,
                            struct shift shift, struct shift *best)
{
    const int32_t *align = task->edits->align;
    size_t previous = SIZE_MAX;

    for (size_t k = 0; k <= shift.length; k++) {
        shift.target = place + k == 0 ? 0 : (size_t)(align[place + k - 1] + 1);
        if (shift.target == previous)
            continue;
        previous = shift.target;
        DGM_TRY(dgm_poll(env));
        shift.worth =
            before - distance(task, shift_words(task, shift.start, shift.length, shift.target));
        task->tried++;
        if (is_better(&shift, best))
            *best = shift;
    }
    return DGM_OK;
}

/* Whether the block is in error both where it stands and where it should. */
static int is_wanted(const struct task *task, size_t start, size_t place, size_t length)
{
    const struct dgm_ter_edits *edits = task->edits;
    const int32_t at = edits->align[place];

    return errors_in(edits->hypothesis_errors, start, length) > 0 &&
           errors_in(edits->reference_errors, place, length) > 0 &&
           (at < (int32_t)start || at >= (int32_t)(start + length));
}

/* All blocks that begin at these words. */
static dgm_status try_blocks(struct dgm_env *env, struct task *task, int32_t before, size_t start,
                             size_t place, struct shift *best)
{
    struct shift shift = { .start = start, .is_set = 1 };
    size_t length;

    for (length = 1; length <= MAX_SHIFT && task->tried < MAX_TRIED &&
                     start + length <= task->count && place + length <= task->reference_count &&
                     task->edits->words[start + length - 1] == task->reference[place + length - 1];
         length++) {
        shift.length = length;
        if (is_wanted(task, start, place, length))
            DGM_TRY(try_block(env, task, before, place, shift, best));
    }
    return DGM_OK;
}

/* The best shift of edits->words, whose distance is `before`. */
static dgm_status find_shift(struct dgm_env *env, struct task *task, int32_t before,
                             struct shift *best)
{
    memset(best, 0, sizeof *best);
    trace(task);
    for (size_t start = 0; start < task->count; start++) {
        size_t place = start > MAX_DISTANCE ? start - MAX_DISTANCE : 0;

        for (; place < task->reference_count && place <= start + MAX_DISTANCE; place++)
            if (task->tried < MAX_TRIED)
                DGM_TRY(try_blocks(env, task, before, start, place, best));
    }
    return DGM_OK;
}

/* ---- the count ------------------------------------------------------------------------------- */

static dgm_status reserve(struct dgm_env *env, const struct task *task, const uint32_t *words)
{
    struct dgm_ter_edits *edits = task->edits;

    DGM_TRY(dgm_reserve(env, &edits->words, &edits->word_capacity, task->count + 1,
                        sizeof *edits->words));
    DGM_TRY(dgm_reserve(env, &edits->shifted, &edits->shifted_capacity, task->count + 1,
                        sizeof *edits->shifted));
    DGM_TRY(dgm_reserve(env, &edits->align, &edits->align_capacity, task->reference_count + 1,
                        sizeof *edits->align));
    DGM_TRY(dgm_reserve(env, &edits->hypothesis_errors, &edits->hypothesis_capacity,
                        task->count + 1, sizeof *edits->hypothesis_errors));
    DGM_TRY(dgm_reserve(env, &edits->reference_errors, &edits->reference_capacity,
                        task->reference_count + 1, sizeof *edits->reference_errors));
    memcpy(edits->words, words, task->count * sizeof *words);
    return place_rows(env, task);
}

/* Shifts for as long as that helps; at the last of the shifts that may be tried it is too late. */
static dgm_status shift_all(struct dgm_env *env, struct task *task, int64_t *found)
{
    struct dgm_ter_edits *edits = task->edits;
    int64_t shifts = 0;
    struct shift best;

    for (;; shifts++) {
        const int32_t before = fill_rows(task);

        *found = shifts + before;
        DGM_TRY(find_shift(env, task, before, &best));
        if (task->tried >= MAX_TRIED || best.worth <= 0)
            return DGM_OK;
        shift_words(task, best.start, best.length, best.target);
        memcpy(edits->words, edits->shifted, task->count * sizeof *edits->words);
    }
}

dgm_status dgm_ter_count(struct dgm_env *env, struct dgm_ter_edits *edits, const uint32_t *words,
                         size_t count, const uint32_t *reference, size_t reference_count,
                         int64_t *found)
{
    struct task task = { edits, reference, count, reference_count, 0 };

    *found = (int64_t)(count + reference_count);
    if (count == 0 || reference_count == 0)
        return DGM_OK;
    DGM_TRY(reserve(env, &task, words));
    return shift_all(env, &task, found);
}

void dgm_ter_edits_clear(struct dgm_env *env, struct dgm_ter_edits *edits)
{
    dgm_release(env, edits->rows);
    dgm_release(env, edits->cells);
    dgm_release(env, edits->scratch[0]);
    dgm_release(env, edits->scratch[1]);
    dgm_release(env, edits->words);
    dgm_release(env, edits->shifted);
    dgm_release(env, edits->align);
    dgm_release(env, edits->hypothesis_errors);
    dgm_release(env, edits->reference_errors);
    memset(edits, 0, sizeof *edits);
}
