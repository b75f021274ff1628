/*
 * text_block.c: columns of numbers, each in as few bytes as its largest one needs.
 */
#include "data/cache/text_block.h"

#include <string.h>

#include "base/le.h"
#include "base/mem.h"

enum { HEAD = 16, SIDE = 32, LINES = 64, KINDS = 65, PIECE = 1024 };

/* Pairs, positions or words of a block that is read: far more than one that was written has. */
enum { MOST = 1 << 24 };

/* Columns of a side. */
enum { LENGTHS, WORD_COUNTS, IDS, WORDS, HEADS, FEATURES, LEFT = 16, RIGHT, WEIGHTS };

/* The numbers of words that a side may lack; NULL: it has none of the kind, or there is no such
 * kind. */
static int32_t *column_of(const struct dgm_packed *side, unsigned which)
{
    if (which >= FEATURES && which < FEATURES + DGM_WORD_FEATURES)
        return side->features[which - FEATURES];
    return which == HEADS   ? side->heads
           : which == LEFT  ? side->left
           : which == RIGHT ? side->right
                            : NULL;
}

/* ---- packing --------------------------------------------------------------------------------- */

/* The numbers of a column; one of the arrays. */
struct numbers {
    const int32_t *values;
    const int32_t *ends; /* values are differences of neighbours, from this one on */
    const long *lines;
    const float *weights; /* values are their bits, which rise with them */
    size_t count;
};

static int64_t bits_of(float weight)
{
    uint32_t bits;

    memcpy(&bits, &weight, sizeof bits);
    return bits;
}

static int64_t number_at(const struct numbers *numbers, size_t i)
{
    if (numbers->lines != NULL)
        return numbers->lines[i];
    if (numbers->weights != NULL)
        return bits_of(numbers->weights[i]);
    return numbers->ends != NULL ? numbers->ends[i + 1] - numbers->ends[i] : numbers->values[i];
}

static unsigned width_for(int64_t range)
{
    return range == 0 ? 0 : range < 256 ? 1 : range < 65536 ? 2 : 4;
}

static void put(unsigned char *to, unsigned width, uint32_t value)
{
    if (width == 1)
        to[0] = (unsigned char)value;
    else if (width == 2)
        dgm_le16_put(to, (uint16_t)value);
    else if (width == 4)
        dgm_le32_put(to, value);
}

static dgm_status pack_column(struct dgm_env *env, struct dgm_buf *out, unsigned kind,
                              const struct numbers *numbers)
{
    unsigned char head[HEAD], piece[PIECE];
    int64_t least = INT64_MAX, most = INT64_MIN;
    unsigned width;
    size_t i, filled = 0;

    for (i = 0; i < numbers->count; i++) {
        const int64_t value = number_at(numbers, i);
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    if (numbers->count == 0)
        least = most = 0;
    width = width_for(most - least);
    dgm_le16_put(head, (uint16_t)kind);
    dgm_le16_put(head + 2, (uint16_t)width);
    dgm_le32_put(head + 4, (uint32_t)numbers->count);
    dgm_le64_put(head + 8, (uint64_t)least);
    DGM_TRY(dgm_buf_add(env, out, head, sizeof head));
    for (i = 0; i < numbers->count && width > 0; i++) {
        put(piece + filled, width, (uint32_t)(number_at(numbers, i) - least));
        filled += width;
        if (filled < PIECE)
            continue;
        DGM_TRY(dgm_buf_add(env, out, piece, filled));
        filled = 0;
    }
    return dgm_buf_add(env, out, piece, filled);
}

static int has_value(const int32_t *values, size_t count)
{
    size_t i;

    for (i = 0; values != NULL && i < count; i++)
        if (values[i] != -1)
            return 1;
    return 0;
}

/* A column that may be left out. */
static dgm_status pack_words(struct dgm_env *env, struct dgm_buf *out, unsigned kind,
                             const int32_t *column, int32_t start, size_t count, uint32_t *columns)
{
    struct numbers numbers = { .count = count };

    if (column == NULL || !has_value(column + start, count))
        return DGM_OK;
    numbers.values = column + start;
    ++*columns;
    return pack_column(env, out, kind, &numbers);
}

static dgm_status pack_trees(struct dgm_env *env, struct dgm_buf *out, unsigned base,
                             const struct dgm_packed *side, int32_t from, int32_t to,
                             uint32_t *columns)
{
    const int32_t start = side->word_offsets[from];
    const size_t count = (size_t)(side->word_offsets[to] - start);

    for (unsigned which = HEADS; which <= RIGHT; which++)
        DGM_TRY(pack_words(env, out, base + which, column_of(side, which), start, count, columns));
    return DGM_OK;
}

static int has_weights(const struct dgm_packed *side, int32_t from, int32_t to)
{
    for (int32_t s = from; side->weights != NULL && s < to; s++)
        if (side->weights[s] < 1 || side->weights[s] > 1)
            return 1;
    return 0;
}

static dgm_status pack_weights(struct dgm_env *env, struct dgm_buf *out, unsigned base,
                               const struct dgm_packed *side, int32_t from, int32_t to,
                               uint32_t *columns)
{
    struct numbers numbers = { .count = (size_t)(to - from) };

    if (!has_weights(side, from, to))
        return DGM_OK;
    numbers.weights = side->weights + from;
    ++*columns;
    return pack_column(env, out, base + WEIGHTS, &numbers);
}

static dgm_status pack_side(struct dgm_env *env, struct dgm_buf *out, unsigned base,
                            const struct dgm_packed *side, int32_t from, int32_t to,
                            uint32_t *columns)
{
    const int32_t start = side->offsets[from];
    const size_t sentences = (size_t)(to - from), count = (size_t)(side->offsets[to] - start);
    const struct numbers lengths = { .ends = side->offsets + from, .count = sentences };
    const struct numbers words = { .ends = side->word_offsets + from, .count = sentences };
    const struct numbers ids = { .values = side->ids + start, .count = count };
    const struct numbers places = { .values = side->words + start, .count = count };

    DGM_TRY(pack_column(env, out, base + LENGTHS, &lengths));
    DGM_TRY(pack_column(env, out, base + WORD_COUNTS, &words));
    DGM_TRY(pack_column(env, out, base + IDS, &ids));
    DGM_TRY(pack_column(env, out, base + WORDS, &places));
    *columns += 4;
    DGM_TRY(pack_weights(env, out, base, side, from, to, columns));
    return pack_trees(env, out, base, side, from, to, columns);
}

dgm_status dgm_text_block_pack(struct dgm_env *env, struct dgm_buf *out,
                               const struct dgm_corpus *corpus, int32_t from, int32_t to)
{
    const struct numbers lines = { .lines = corpus->line_of + from, .count = (size_t)(to - from) };
    unsigned char head[8] = { 0 };
    uint32_t columns = 1;

    dgm_buf_reset(out);
    DGM_TRY(dgm_buf_add(env, out, head, sizeof head));
    DGM_TRY(pack_side(env, out, 0, &corpus->source, from, to, &columns));
    DGM_TRY(pack_side(env, out, SIDE, &corpus->target, from, to, &columns));
    DGM_TRY(pack_column(env, out, LINES, &lines));
    dgm_le32_put((unsigned char *)out->data, (uint32_t)(to - from));
    dgm_le32_put((unsigned char *)out->data + 4, columns);
    return DGM_OK;
}

/* ---- unpacking ------------------------------------------------------------------------------- */

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
    struct column columns[KINDS];
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

static int is_known(unsigned kind)
{
    const unsigned which = kind % SIDE;

    return kind == LINES || (kind < LINES && (which < FEATURES + DGM_WORD_FEATURES ||
                                              (which >= LEFT && which <= WEIGHTS)));
}

/* Takes the head of a column at `bytes`; *taken: the bytes of all of it. */
static dgm_status find_column(struct reading *reading, const unsigned char *bytes, size_t count,
                              size_t *taken)
{
    struct column column = { .bytes = bytes + HEAD };
    unsigned kind;

    if (count < HEAD)
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
    if (column.width > 0 && column.count > (count - HEAD) / column.width)
        return fail(reading, "ends within a column");
    reading->columns[kind] = column;
    *taken = HEAD + (size_t)column.count * column.width;
    return DGM_OK;
}

static dgm_status find_columns(struct reading *reading, const unsigned char *bytes, size_t count)
{
    size_t at = 8, taken = 0;
    uint32_t columns, c;

    if (count < 8)
        return fail(reading, "is empty");
    columns = dgm_le32(bytes + 4);
    if (dgm_le32(bytes) == 0 || dgm_le32(bytes) > MOST || columns > KINDS)
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
    int32_t s;

    offsets[0] = 0;
    for (s = 0; s < reading->pairs; s++) {
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
    return which >= FEATURES && which < LEFT ? reading->limits->features[which - FEATURES]
                                             : INT32_MAX;
}

static dgm_status take_trees(const struct reading *reading, unsigned base, struct dgm_packed *side)
{
    const int32_t *starts = side->word_offsets, words = starts[reading->pairs];

    for (unsigned which = HEADS; which <= RIGHT; which++) {
        int32_t *to = column_of(side, which);

        if (reading->columns[base + which].bytes == NULL)
            continue;
        DGM_TRY(check_column(reading, base + which, words, -1, limit_of(reading, which) - 1));
        widen(to, &reading->columns[base + which]);
        if (which == HEADS || which >= LEFT)
            DGM_TRY(check_places(reading, to, starts, starts, which == HEADS ? 1 : 2));
    }
    return DGM_OK;
}

static unsigned columns_of(const struct reading *reading, unsigned base)
{
    unsigned columns = reading->columns[base + HEADS].bytes != NULL ? DGM_PACKED_HEADS : 0;

    for (unsigned kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if (reading->columns[base + FEATURES + kind].bytes != NULL)
            columns |= (unsigned)DGM_PACKED_FEATURE << kind;
    if (reading->columns[base + LEFT].bytes != NULL || reading->columns[base + RIGHT].bytes != NULL)
        columns |= DGM_PACKED_BINARY;
    return columns;
}

/* The columns of a corpus that is used again hold what they held: all without a value first. */
static void forget_trees(struct dgm_packed *side, size_t words)
{
    for (unsigned which = HEADS; which <= RIGHT; which++)
        if (column_of(side, which) != NULL)
            memset(column_of(side, which), 0xff, words * sizeof(int32_t)); /* -1 */
}

/* Bits of positive, finite floats. A block without weights has 1 throughout. */
enum { LEAST_BITS = 1, MOST_BITS = 0x7F7FFFFF };

static dgm_status take_weights(const struct reading *reading, unsigned base,
                               struct dgm_packed *side)
{
    const struct column *column = &reading->columns[base + WEIGHTS];

    if (column->bytes == NULL) {
        for (int32_t s = 0; side->weights != NULL && s < reading->pairs; s++)
            side->weights[s] = 1;
        return DGM_OK;
    }
    DGM_TRY(check_column(reading, base + WEIGHTS, reading->pairs, LEAST_BITS, MOST_BITS));
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
    if (reading->columns[base + WEIGHTS].bytes == NULL && side->weights == NULL)
        return DGM_OK;
    return dgm_reserve(reading->env, &side->weights, &side->weight_capacity,
                       (size_t)reading->pairs, sizeof *side->weights);
}

static dgm_status take_side(const struct reading *reading, unsigned base, struct dgm_packed *side,
                            int64_t ids)
{
    const int32_t pairs = reading->pairs;
    int32_t positions, words;

    DGM_TRY(check_column(reading, base + LENGTHS, pairs, 1, INT32_MAX));
    DGM_TRY(check_column(reading, base + WORD_COUNTS, pairs, 0, INT32_MAX / 2));
    dgm_packed_reset(side);
    DGM_TRY(dgm_packed_make_room(reading->env, side, pairs, 0, 0, 0));
    DGM_TRY(sum_up(reading, base + LENGTHS, side->offsets));
    DGM_TRY(sum_up(reading, base + WORD_COUNTS, side->word_offsets));
    positions = side->offsets[pairs];
    words = side->word_offsets[pairs];
    DGM_TRY(check_column(reading, base + IDS, positions, 0, ids - 1));
    DGM_TRY(check_column(reading, base + WORDS, positions, -1, INT32_MAX));
    DGM_TRY(dgm_packed_make_room(reading->env, side, pairs, positions, words,
                                 columns_of(reading, base) | dgm_packed_columns(side)));
    widen(side->ids, &reading->columns[base + IDS]);
    widen(side->words, &reading->columns[base + WORDS]);
    DGM_TRY(check_places(reading, side->words, side->offsets, side->word_offsets, 1));
    DGM_TRY(make_weights(reading, base, side));
    DGM_TRY(take_weights(reading, base, side));
    forget_trees(side, (size_t)words);
    return take_trees(reading, base, side);
}

static dgm_status take_lines(const struct reading *reading, struct dgm_corpus *corpus)
{
    const struct column *column = &reading->columns[LINES];

    DGM_TRY(check_column(reading, LINES, reading->pairs, 0, INT64_MAX / 2));
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
    struct reading reading;

    memset(&reading, 0, sizeof reading);
    reading.env = env;
    reading.place = place;
    reading.limits = limits;
    DGM_TRY(find_columns(&reading, bytes, count));
    DGM_TRY(take_side(&reading, 0, &corpus->source, limits->ids[DGM_SOURCE]));
    DGM_TRY(take_side(&reading, SIDE, &corpus->target, limits->ids[DGM_TARGET]));
    DGM_TRY(take_lines(&reading, corpus));
    corpus->source.count = corpus->target.count = reading.pairs;
    return DGM_OK;
}

/* ---- cutting --------------------------------------------------------------------------------- */

int64_t dgm_text_block_pair_bytes(const struct dgm_corpus *corpus, int32_t pair)
{
    const int64_t positions = (int64_t)dgm_packed_length(&corpus->source, pair) +
                              dgm_packed_length(&corpus->target, pair);

    /* An id and a word for each position, four offsets, a number and a place in the order. */
    return (2 * positions + 6) * (int64_t)sizeof(int32_t);
}

int32_t dgm_text_block_end(const struct dgm_corpus *corpus, int32_t from, int64_t bytes)
{
    for (int64_t sum = 0; from < corpus->source.count && sum < bytes; from++)
        sum += dgm_text_block_pair_bytes(corpus, from);
    return from;
}
