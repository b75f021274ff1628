/*
 * text_block_pack.c: pairs of training text as columns of numbers, each in as few bytes as its
 * largest one needs.
 */
#include <string.h>

#include "base/le.h"
#include "data/cache/text_block.h"
#include "data/cache/text_block_columns.h"

enum { PIECE = 1024 };

/* The numbers of a column; one of the arrays. */
struct numbers {
    const int32_t *values;
    const int32_t *ends; /* values are differences of neighbours, from this one on */
    const long *lines;
    const float *weights; /* values are their bits, which rise with them */
    const int32_t *links; /* values are every second of these */
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
    if (numbers->links != NULL)
        return numbers->links[2 * i];
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
    unsigned char head[DGM_BLOCK_HEAD], piece[PIECE];
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
    for (size_t i = 0; values != NULL && i < count; i++)
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

    for (unsigned which = DGM_BLOCK_HEADS; which <= DGM_BLOCK_RIGHT; which++)
        DGM_TRY(pack_words(env, out, base + which, dgm_block_column(side, which), start, count,
                           columns));
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
    return pack_column(env, out, base + DGM_BLOCK_WEIGHTS, &numbers);
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

    DGM_TRY(pack_column(env, out, base + DGM_BLOCK_LENGTHS, &lengths));
    DGM_TRY(pack_column(env, out, base + DGM_BLOCK_WORD_COUNTS, &words));
    DGM_TRY(pack_column(env, out, base + DGM_BLOCK_IDS, &ids));
    DGM_TRY(pack_column(env, out, base + DGM_BLOCK_WORDS, &places));
    *columns += 4;
    DGM_TRY(pack_weights(env, out, base, side, from, to, columns));
    return pack_trees(env, out, base, side, from, to, columns);
}

static dgm_status pack_links(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_packed *target, int32_t from, int32_t to,
                             uint32_t *columns)
{
    struct numbers counts = { .count = (size_t)(to - from) }, words = { 0 };
    size_t start;

    if (target->links == NULL || target->link_offsets[to] == target->link_offsets[from])
        return DGM_OK;
    start = (size_t)target->link_offsets[from];
    counts.ends = target->link_offsets + from;
    words.count = (size_t)target->link_offsets[to] - start;
    DGM_TRY(pack_column(env, out, DGM_BLOCK_SIDE + DGM_BLOCK_LINK_COUNTS, &counts));
    words.links = target->links + 2 * start;
    DGM_TRY(pack_column(env, out, DGM_BLOCK_SIDE + DGM_BLOCK_LINK_SOURCES, &words));
    words.links++;
    DGM_TRY(pack_column(env, out, DGM_BLOCK_SIDE + DGM_BLOCK_LINK_TARGETS, &words));
    *columns += 3;
    return DGM_OK;
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
    DGM_TRY(pack_side(env, out, DGM_BLOCK_SIDE, &corpus->target, from, to, &columns));
    DGM_TRY(pack_links(env, out, &corpus->target, from, to, &columns));
    DGM_TRY(pack_column(env, out, DGM_BLOCK_LINES, &lines));
    dgm_le32_put((unsigned char *)out->data, (uint32_t)(to - from));
    dgm_le32_put((unsigned char *)out->data + 4, columns);
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
