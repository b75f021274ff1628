/*
 * text_block.c: columns of numbers as training text again.
 */
#include "data/cache/text_block.h"

#include <string.h>

#include "base/le.h"
#include "base/mem.h"
#include "data/cache/text_block_columns.h"

/* Pairs, positions or words of a block that is read: far more than one that was written has. */
enum { MOST = 1 << 24 };

struct column {
    const unsigned char *bytes; /* NULL: there is none */
    unsigned width;
    uint32_t count;
    int64_t least;
};

/* Everything that is at hand while a block is read. */
struct reading {
    struct dgm_env *env;
    const struct dgm_text_place *place;
    const struct dgm_text_limits *limits;
    struct column columns[DGM_BLOCK_KINDS];
    int32_t pairs;
};

static dgm_status fail(const struct reading *reading, const char *what)
{
    return dgm_fail_byte(reading->env, DGM_DATA, reading->place->path, reading->place->offset,
                         "block of training text: %s", what);
}

static uint32_t stored(const struct column *column, size_t i)
{
    const unsigned char *at = column->bytes + i * column->width;

    return column->width == 0   ? 0
           : column->width == 1 ? at[0]
           : column->width == 2 ? dgm_le16(at)
                                : dgm_le32(at);
}

static int is_of_links(unsigned kind)
{
    return kind >= DGM_BLOCK_SIDE + DGM_BLOCK_LINK_COUNTS &&
           kind <= DGM_BLOCK_SIDE + DGM_BLOCK_LINK_TARGETS;
}

static int is_known(unsigned kind)
{
    const unsigned which = kind % DGM_BLOCK_SIDE;

    return kind == DGM_BLOCK_LINES ||
           (kind < DGM_BLOCK_LINES &&
            (which < DGM_BLOCK_FEATURES + DGM_WORD_FEATURES ||
             (which >= DGM_BLOCK_LEFT && which <= DGM_BLOCK_WEIGHTS) || is_of_links(kind)));
}

/* Takes the head of a column at `bytes`; *taken: the bytes of all of it. */
static dgm_status find_column(struct reading *reading, const unsigned char *bytes, size_t count,
                              size_t *taken)
{
    struct column column = { .bytes = bytes + DGM_BLOCK_HEAD };
    unsigned kind;

    if (count < DGM_BLOCK_HEAD)
        return fail(reading, "ends within the head of a column");
    kind = dgm_le16(bytes);
    column.width = dgm_le16(bytes + 2);
    column.count = dgm_le32(bytes + 4);
    column.least = (int64_t)dgm_le64(bytes + 8);
    if (!is_known(kind) || reading->columns[kind].bytes != NULL)
        return fail(reading, "a column of an unknown kind, or one that is there twice");
    if (column.count > MOST)
        return fail(reading, "more numbers than a block can have");
    if (column.width == 3 || column.width > 4)
        return fail(reading, "numbers of an unknown width");
    if (column.width > 0 && column.count > (count - DGM_BLOCK_HEAD) / column.width)
        return fail(reading, "ends within a column");
    reading->columns[kind] = column;
    *taken = DGM_BLOCK_HEAD + (size_t)column.count * column.width;
    return DGM_OK;
}

static dgm_status find_columns(struct reading *reading, const unsigned char *bytes, size_t count)
{
    size_t at = 8, taken = 0;
    uint32_t columns, c;

    if (count < 8)
        return fail(reading, "is empty");
    columns = dgm_le32(bytes + 4);
    if (dgm_le32(bytes) == 0 || dgm_le32(bytes) > MOST || columns > DGM_BLOCK_KINDS)
        return fail(reading, "an impossible number of pairs, or of columns");
    reading->pairs = (int32_t)dgm_le32(bytes);
    for (c = 0; c < columns; c++) {
        DGM_TRY(find_column(reading, bytes + at, count - at, &taken));
        at += taken;
    }
    return at == count ? DGM_OK : fail(reading, "goes on behind its last column");
}

/* The most that numbers of a column can be above the least of them. */
static int64_t span_of(const struct column *column)
{
    int64_t most = column->width == 0 ? 0 : column->width == 1 ? 255 : 65535;

    if (column->width == 4)
        most = UINT32_MAX;
    return column->count > 0 ? most : 0;
}

/* What they are above the least of them. */
static int64_t find_most(const struct column *column)
{
    uint32_t most = 0;

    for (size_t i = 0; i < column->count; i++) {
        const uint32_t value = stored(column, i);
        most = value > most ? value : most;
    }
    return most;
}

/* The column must hold `count` numbers of low..high. */
static dgm_status check_column(const struct reading *reading, unsigned kind, int64_t count,
                               int64_t low, int64_t high)
{
    const struct column *column = &reading->columns[kind];

    if (column->bytes == NULL || column->count != count)
        return fail(reading, "a column is missing, or of the wrong length");
    if (count == 0)
        return DGM_OK;
    if (column->least < low || column->least > high ||
        (span_of(column) > high - column->least && find_most(column) > high - column->least))
        return fail(reading, "a number is out of its range");
    return DGM_OK;
}

/* Widens a column. Loops of one width each: compilers make vectors of them. */
static void widen(int32_t *to, const struct column *column)
{
    const unsigned char *from = column->bytes;
    /* check_column has been here: least + most is in the range of the column. */
    const int32_t least = (int32_t)column->least;
    size_t i, count = column->count;

    if (column->width == 1)
        for (i = 0; i < count; i++)
            to[i] = least + from[i];
    else if (column->width == 2)
        for (i = 0; i < count; i++)
            to[i] = least + (int32_t)(from[2 * i] | (unsigned)from[2 * i + 1] << 8);
    else
        for (i = 0; i < count; i++)
            to[i] = (int32_t)(column->least + (int64_t)stored(column, i));
}

/* offsets[0..count] from the sizes of sentences. */
static dgm_status sum_up(const struct reading *reading, unsigned kind, int32_t *offsets)
{
    const struct column *column = &reading->columns[kind];
    int64_t sum = 0;

    offsets[0] = 0;
    for (int32_t s = 0; s < reading->pairs; s++) {
        sum += column->least + (int64_t)stored(column, (size_t)s);
        if (sum > MOST)
            return fail(reading, "more numbers than a block can have");
        offsets[s + 1] = (int32_t)sum;
    }
    return DGM_OK;
}

/* What stands in a column of places in a sentence must be in that sentence: below `factor` times
 * its words. */
static dgm_status check_places(const struct reading *reading, const int32_t *values,
                               const int32_t *offsets, const int32_t *word_offsets, int32_t factor)
{
    int32_t s, i, wrong = 0;

    for (s = 0; s < reading->pairs; s++) {
        const int32_t limit = factor * (word_offsets[s + 1] - word_offsets[s]);
        for (i = offsets[s]; i < offsets[s + 1]; i++)
            wrong |= values[i] >= limit;
    }
    return wrong ? fail(reading, "a place outside of its sentence") : DGM_OK;
}

/* What numbers of a kind are below; of places in a sentence see check_places. */
static int64_t limit_of(const struct reading *reading, unsigned which)
{
    return which >= DGM_BLOCK_FEATURES && which < DGM_BLOCK_LEFT
               ? reading->limits->features[which - DGM_BLOCK_FEATURES]
               : INT32_MAX;
}

static dgm_status take_trees(const struct reading *reading, unsigned base, struct dgm_packed *side)
{
    const int32_t *starts = side->word_offsets, words = starts[reading->pairs];

    for (unsigned which = DGM_BLOCK_HEADS; which <= DGM_BLOCK_RIGHT; which++) {
        int32_t *to = dgm_block_column(side, which);

        if (reading->columns[base + which].bytes == NULL)
            continue;
        DGM_TRY(check_column(reading, base + which, words, -1, limit_of(reading, which) - 1));
        widen(to, &reading->columns[base + which]);
        if (which == DGM_BLOCK_HEADS || which >= DGM_BLOCK_LEFT)
            /* Children of constituents: n words are 0 .. n - 1, their n - 1 constituents follow. */
            DGM_TRY(check_places(reading, to, starts, starts, which == DGM_BLOCK_HEADS ? 1 : 2));
    }
    return DGM_OK;
}

static unsigned columns_of(const struct reading *reading, unsigned base)
{
    unsigned columns =
        reading->columns[base + DGM_BLOCK_HEADS].bytes != NULL ? DGM_PACKED_HEADS : 0;

    for (unsigned kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if (reading->columns[base + DGM_BLOCK_FEATURES + kind].bytes != NULL)
            columns |= (unsigned)DGM_PACKED_FEATURE << kind;
    if (reading->columns[base + DGM_BLOCK_LEFT].bytes != NULL ||
        reading->columns[base + DGM_BLOCK_RIGHT].bytes != NULL)
        columns |= DGM_PACKED_BINARY;
    return columns;
}

/* The columns of a corpus that is used again hold what they held: all without a value first. */
static void forget_trees(struct dgm_packed *side, size_t words)
{
    for (unsigned which = DGM_BLOCK_HEADS; which <= DGM_BLOCK_RIGHT; which++)
        if (dgm_block_column(side, which) != NULL)
            memset(dgm_block_column(side, which), 0xff, words * sizeof(int32_t)); /* -1 */
}

/* Bits of positive, finite floats. A block without weights has 1 throughout. */
enum { LEAST_BITS = 1, MOST_BITS = 0x7F7FFFFF };

static dgm_status take_weights(const struct reading *reading, unsigned base,
                               struct dgm_packed *side)
{
    const struct column *column = &reading->columns[base + DGM_BLOCK_WEIGHTS];

    if (column->bytes == NULL) {
        for (int32_t s = 0; side->weights != NULL && s < reading->pairs; s++)
            side->weights[s] = 1;
        return DGM_OK;
    }
    DGM_TRY(check_column(reading, base + DGM_BLOCK_WEIGHTS, reading->pairs, LEAST_BITS, MOST_BITS));
    for (int32_t s = 0; s < reading->pairs; s++) {
        const uint32_t bits = (uint32_t)(column->least + (int64_t)stored(column, (size_t)s));

        memcpy(&side->weights[s], &bits, sizeof bits);
    }
    return DGM_OK;
}

/* Room for the weights of a block, where it has any, or the side has had some. */
static dgm_status make_weights(const struct reading *reading, unsigned base,
                               struct dgm_packed *side)
{
    if (reading->columns[base + DGM_BLOCK_WEIGHTS].bytes == NULL && side->weights == NULL)
        return DGM_OK;
    return dgm_reserve(reading->env, &side->weights, &side->weight_capacity, (size_t)reading->pairs,
                       sizeof *side->weights);
}

static dgm_status take_side(const struct reading *reading, unsigned base, struct dgm_packed *side,
                            int64_t ids)
{
    const int32_t pairs = reading->pairs;
    int32_t positions, words;

    DGM_TRY(check_column(reading, base + DGM_BLOCK_LENGTHS, pairs, 1, INT32_MAX));
    DGM_TRY(check_column(reading, base + DGM_BLOCK_WORD_COUNTS, pairs, 0, INT32_MAX / 2));
    dgm_packed_reset(side);
    DGM_TRY(dgm_packed_make_room(reading->env, side, pairs, 0, 0, 0));
    DGM_TRY(sum_up(reading, base + DGM_BLOCK_LENGTHS, side->offsets));
    DGM_TRY(sum_up(reading, base + DGM_BLOCK_WORD_COUNTS, side->word_offsets));
    positions = side->offsets[pairs];
    words = side->word_offsets[pairs];
    DGM_TRY(check_column(reading, base + DGM_BLOCK_IDS, positions, 0, ids - 1));
    DGM_TRY(check_column(reading, base + DGM_BLOCK_WORDS, positions, -1, INT32_MAX));
    DGM_TRY(dgm_packed_make_room(reading->env, side, pairs, positions, words,
                                 columns_of(reading, base) | dgm_packed_columns(side)));
    widen(side->ids, &reading->columns[base + DGM_BLOCK_IDS]);
    widen(side->words, &reading->columns[base + DGM_BLOCK_WORDS]);
    DGM_TRY(check_places(reading, side->words, side->offsets, side->word_offsets, 1));
    DGM_TRY(make_weights(reading, base, side));
    DGM_TRY(take_weights(reading, base, side));
    forget_trees(side, (size_t)words);
    return take_trees(reading, base, side);
}

/* ---- links ----------------------------------------------------------------------------------- */

static const struct column *link_column(const struct reading *reading, unsigned which)
{
    return &reading->columns[DGM_BLOCK_SIDE + which];
}

/* Each link joins a word of the source with one of the target. */
static dgm_status check_links(const struct reading *reading, const struct dgm_packed *source,
                              const struct dgm_packed *target)
{
    int wrong = 0;

    for (int32_t s = 0; s < reading->pairs; s++)
        for (int32_t l = target->link_offsets[s]; l < target->link_offsets[s + 1]; l++)
            wrong |=
                target->links[2 * l] >= source->word_offsets[s + 1] - source->word_offsets[s] ||
                target->links[2 * l + 1] >= target->word_offsets[s + 1] - target->word_offsets[s];
    return wrong ? fail(reading, "a link to a word that is not there") : DGM_OK;
}

/* A block without links has none of these columns; a target that had some before keeps their
 * arrays. */
static dgm_status take_no_links(const struct reading *reading, struct dgm_packed *target)
{
    if (link_column(reading, DGM_BLOCK_LINK_SOURCES)->bytes != NULL ||
        link_column(reading, DGM_BLOCK_LINK_TARGETS)->bytes != NULL)
        return fail(reading, "words of links without their numbers");
    if (target->links == NULL)
        return DGM_OK;
    DGM_TRY(dgm_reserve(reading->env, &target->link_offsets, &target->link_offset_capacity,
                        (size_t)reading->pairs + 1, sizeof *target->link_offsets));
    memset(target->link_offsets, 0, ((size_t)reading->pairs + 1) * sizeof *target->link_offsets);
    return DGM_OK;
}

static dgm_status take_links(const struct reading *reading, const struct dgm_packed *source,
                             struct dgm_packed *target)
{
    int32_t count;

    if (link_column(reading, DGM_BLOCK_LINK_COUNTS)->bytes == NULL)
        return take_no_links(reading, target);
    DGM_TRY(check_column(reading, DGM_BLOCK_SIDE + DGM_BLOCK_LINK_COUNTS, reading->pairs, 0,
                         INT32_MAX / 2));
    DGM_TRY(dgm_reserve(reading->env, &target->link_offsets, &target->link_offset_capacity,
                        (size_t)reading->pairs + 1, sizeof *target->link_offsets));
    DGM_TRY(sum_up(reading, DGM_BLOCK_SIDE + DGM_BLOCK_LINK_COUNTS, target->link_offsets));
    count = target->link_offsets[reading->pairs];
    DGM_TRY(dgm_reserve(reading->env, &target->links, &target->link_capacity, 2 * (size_t)count + 1,
                        sizeof *target->links));
    for (unsigned end = 0; end < 2; end++) {
        const struct column *column = link_column(reading, DGM_BLOCK_LINK_SOURCES + end);

        DGM_TRY(check_column(reading, DGM_BLOCK_SIDE + DGM_BLOCK_LINK_SOURCES + end, count, 0,
                             INT32_MAX));
        for (int32_t l = 0; l < count; l++)
            target->links[2 * l + (int32_t)end] =
                (int32_t)(column->least + (int64_t)stored(column, (size_t)l));
    }
    return check_links(reading, source, target);
}

static dgm_status take_lines(const struct reading *reading, struct dgm_corpus *corpus)
{
    const struct column *column = &reading->columns[DGM_BLOCK_LINES];

    DGM_TRY(check_column(reading, DGM_BLOCK_LINES, reading->pairs, 0, INT64_MAX / 2));
    DGM_TRY(dgm_reserve(reading->env, &corpus->line_of, &corpus->line_capacity,
                        (size_t)reading->pairs, sizeof *corpus->line_of));
    for (int32_t s = 0; s < reading->pairs; s++)
        corpus->line_of[s] = (long)(column->least + (int64_t)stored(column, (size_t)s));
    return DGM_OK;
}

dgm_status dgm_text_block_unpack(struct dgm_env *env, struct dgm_corpus *corpus,
                                 const unsigned char *bytes, size_t count,
                                 const struct dgm_text_limits *limits,
                                 const struct dgm_text_place *place)
{
    struct reading reading = { .env = env, .place = place, .limits = limits };

    DGM_TRY(find_columns(&reading, bytes, count));
    DGM_TRY(take_side(&reading, 0, &corpus->source, limits->ids[DGM_SOURCE]));
    DGM_TRY(take_side(&reading, DGM_BLOCK_SIDE, &corpus->target, limits->ids[DGM_TARGET]));
    DGM_TRY(take_links(&reading, &corpus->source, &corpus->target));
    DGM_TRY(take_lines(&reading, corpus));
    corpus->source.count = corpus->target.count = reading.pairs;
    return DGM_OK;
}
