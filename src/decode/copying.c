/*
 * copying.c: what the source has in place of the unknown marks of a translation.
 */
#include "decode/copying.h"

#include <string.h>

#include "base/mem.h"
#include "text/bpe/word_counts.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* A pair on its way. */
struct pair {
    struct dgm_env *env;
    struct dgm_copying *copying;
    const struct dgm_word_links *links;
    const struct dgm_pipeline *pipeline;
    const int32_t *ids, *fields; /* (length of the source) the field of each position, or -1 */
    const char *text;            /* the fields of the source, blanks between */
    const int32_t *tokens;
    int32_t n;
};

/* Positions first..end-1 of a side. */
struct stretch {
    int32_t first, end;
};

int dgm_copying_is_needed(const int32_t *tokens, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (tokens[i] == DGM_VOCAB_UNK)
            return 1;
    return 0;
}

void dgm_copying_clear(struct dgm_env *env, struct dgm_copying *copying)
{
    dgm_release(env, copying->copies.items);
    dgm_buf_clear(env, &copying->copies.text);
    dgm_spelling_clear(env, &copying->spelling);
    dgm_release(env, copying->fields);
    memset(copying, 0, sizeof *copying);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static const char *source_piece(const struct pair *pair, int32_t j, size_t *bytes)
{
    const size_t *field = pair->copying->fields + 2 * (size_t)pair->fields[j];

    *bytes = field[1] - field[0];
    return pair->text + field[0];
}

static const char *target_piece(const struct pair *pair, int32_t i, size_t *bytes)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pair->pipeline, DGM_TARGET);

    return dgm_vocab_token(vocab, (uint32_t)pair->tokens[i], bytes);
}

/* The word around a position: positions of the same word stand side by side. */
static struct stretch word_at(const struct pair *pair, int side, int32_t i)
{
    const int32_t *word_of = pair->links->word_of[side], n = pair->links->length[side];
    struct stretch word = { i, i + 1 };

    while (word.first > 0 && word_of[word.first - 1] == word_of[i])
        word.first--;
    while (word.end < n && word_of[word.end] == word_of[i])
        word.end++;
    return word;
}

/* The first position of a word of the source, which attention has found there. */
static int32_t find_position(const struct pair *pair, int32_t word)
{
    int32_t j = 0;

    while (j + 1 < pair->links->length[DGM_SOURCE] && pair->links->word_of[DGM_SOURCE][j] != word)
        j++;
    return j;
}

/* ---- copies ---------------------------------------------------------------------------------- */

static struct dgm_copy *last_copy(const struct pair *pair)
{
    const struct dgm_copies *copies = &pair->copying->copies;

    return copies->count > 0 ? &copies->items[copies->count - 1] : NULL;
}

/* A field without the blanks that SentencePiece marks. */
static dgm_status add_bare(const struct pair *pair, const char *field, size_t bytes)
{
    struct dgm_buf *out = &pair->copying->copies.text;
    size_t used;

    for (size_t at = 0; at < bytes; at += used) {
        const int is_mark = pair->pipeline->has_spm && dgm_spm_is_space(field + at, bytes - at);

        used = is_mark ? DGM_SPM_SPACE_BYTES : 1;
        if (!is_mark)
            DGM_TRY(dgm_buf_add_char(pair->env, out, field[at]));
    }
    return DGM_OK;
}

/* Appends what the line has for positions of the source, or else what it was encoded as. */
static dgm_status add_text(const struct pair *pair, struct stretch from)
{
    const size_t *fields = pair->copying->fields;
    const size_t first = (size_t)pair->fields[from.first];
    const size_t last = (size_t)pair->fields[from.end - 1];
    int done;

    DGM_TRY(dgm_spelling_add(pair->env, &pair->copying->spelling, &pair->copying->copies.text,
                             fields[2 * first], fields[2 * last + 1], &done));
    for (size_t f = first; !done && f <= last; f++)
        DGM_TRY(add_bare(pair, pair->text + fields[2 * f], fields[2 * f + 1] - fields[2 * f]));
    return DGM_OK;
}

/* Positions of the source in place of tokens; not where they have no text. */
static dgm_status push(const struct pair *pair, struct stretch tokens, struct stretch from,
                       int is_glued)
{
    struct dgm_copies *copies = &pair->copying->copies;
    struct dgm_copy copy = { .first = tokens.first,
                             .end = tokens.end,
                             .word = pair->links->word_of[DGM_SOURCE][from.first],
                             .is_glued = is_glued,
                             .at = copies->text.size };

    DGM_TRY(add_text(pair, from));
    copy.bytes = copies->text.size - copy.at;
    if (copy.bytes == 0)
        return DGM_OK;
    DGM_TRY(dgm_grow(pair->env, &copies->items, &copies->capacity, copies->count,
                     sizeof *copies->items));
    copies->items[copies->count++] = copy;
    return DGM_OK;
}

/* ---- words, and pieces of BPE ---------------------------------------------------------------- */

/* Whether tokens are how a word of the source ends, and begin where one of its pieces does. */
static int is_tail(const struct pair *pair, struct stretch tokens, int32_t first)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pair->pipeline, DGM_SOURCE);
    const struct stretch word = word_at(pair, DGM_SOURCE, first);
    size_t left, rest, bytes;
    const char *text = source_piece(pair, first, &left), *piece;

    rest = left;
    for (int32_t i = tokens.end; i-- > tokens.first; left -= bytes) {
        piece = target_piece(pair, i, &bytes);
        bytes = dgm_pipeline_bare(pair->pipeline, piece, bytes);
        if (bytes > left || memcmp(text + left - bytes, piece, bytes) != 0)
            return 0;
    }
    for (int32_t j = word.end; j-- > word.first && rest > left; rest -= bytes) {
        piece = dgm_vocab_token(vocab, (uint32_t)pair->ids[j], &bytes);
        bytes = dgm_pipeline_bare(pair->pipeline, piece, bytes);
        if (pair->ids[j] == DGM_VOCAB_UNK || bytes > rest)
            return 0;
    }
    return rest == left && left > 0;
}

/* The word behind a copy goes with it where it is the end of what was copied. */
static void take_tail(const struct pair *pair, struct dgm_copy *copy)
{
    const int32_t *word_of = pair->links->word_of[DGM_TARGET], i = copy->end;
    struct stretch next;

    if (!pair->pipeline->has_bpe || i >= pair->n || word_of[i] < 0)
        return;
    next = word_at(pair, DGM_TARGET, i);
    if (!dgm_copying_is_needed(pair->tokens + i, next.end - i) &&
        dgm_word_links_find(pair->links, i, next.end, 1) == copy->word &&
        is_tail(pair, next, find_position(pair, copy->word)))
        copy->end = next.end;
}

/* A mark ends its word: no piece of a word goes on behind it. */
static dgm_status copy_word(const struct pair *pair, int32_t i, int32_t word)
{
    const struct stretch tokens = word_at(pair, DGM_TARGET, i);
    const int32_t first = find_position(pair, word);
    struct dgm_copy *last = last_copy(pair);

    if (last != NULL && last->end == tokens.first && last->word == word) {
        last->end = tokens.end;
    } else {
        const size_t count = pair->copying->copies.count;

        DGM_TRY(push(pair, tokens, (struct stretch){ first, first + 1 }, 0));
        if (pair->copying->copies.count == count)
            return DGM_OK;
    }
    take_tail(pair, last_copy(pair));
    return DGM_OK;
}

/* ---- pieces of SentencePiece ----------------------------------------------------------------- */

/* Whether all characters of a piece are punctuation marks, or marks of blanks. */
static int is_punctuation(const char *piece, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        uint32_t code;

        at += dgm_utf8_decode(&code, piece + at, bytes - at);
        if (code != 0x2581 && (code == DGM_UTF8_BAD || !dgm_unicode_is(code, DGM_UNICODE_PUNCT)))
            return 0;
    }
    return 1;
}

static int is_unspaced(const char *piece, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        uint32_t code;

        at += dgm_utf8_decode(&code, piece + at, bytes - at);
        if (code != DGM_UTF8_BAD && dgm_unicode_is_unspaced(code))
            return 1;
    }
    return 0;
}

typedef const char *piece_fn(const struct pair *pair, int32_t i, size_t *bytes);

/* A word without punctuation at its ends; of a script without blanks, position i alone. */
static struct stretch find_core(const struct pair *pair, int side, int32_t i)
{
    piece_fn *const piece_of = side == DGM_SOURCE ? source_piece : target_piece;
    struct stretch core = word_at(pair, side, i);
    const char *piece;
    size_t bytes;

    for (int32_t p = core.first; p < core.end; p++) {
        piece = piece_of(pair, p, &bytes);
        if (is_unspaced(piece, bytes))
            return (struct stretch){ i, i + 1 };
    }
    for (; core.first < i; core.first++) {
        piece = piece_of(pair, core.first, &bytes);
        if (!is_punctuation(piece, bytes))
            break;
    }
    for (; core.end > i + 1; core.end--) {
        piece = piece_of(pair, core.end - 1, &bytes);
        if (!is_punctuation(piece, bytes))
            break;
    }
    return core;
}

/* The position of a word of the source that row i gives most, of those that are unknown, or of all;
 * -1: there is none. */
static int32_t strongest(const struct pair *pair, int32_t i, int32_t word, int only_unknown)
{
    const struct dgm_word_links *links = pair->links;
    int32_t best = -1;

    for (int32_t j = 0; j < links->length[DGM_SOURCE]; j++)
        if (links->word_of[DGM_SOURCE][j] == word &&
            (!only_unknown || pair->ids[j] == DGM_VOCAB_UNK) &&
            (best < 0 ||
             dgm_word_links_weight(links, i, j) > dgm_word_links_weight(links, i, best)))
            best = j;
    return best;
}

/* Whether blanks alone stand between the last copy and token i. */
static int follows(const struct pair *pair, const struct dgm_copy *last, int32_t i)
{
    for (int32_t k = last->end; k < i; k++) {
        size_t bytes;
        const char *piece = target_piece(pair, k, &bytes);

        if (bytes != DGM_SPM_SPACE_BYTES || memcmp(piece, DGM_SPM_SPACE, bytes) != 0)
            return 0;
    }
    return 1;
}

/* Of a piece, which may be in the text a second time. */
static dgm_status copy_unknown(const struct pair *pair, int32_t i, int32_t j, int32_t *last_piece)
{
    struct dgm_copy *last = last_copy(pair);
    const int is_again = last != NULL && *last_piece == j && follows(pair, last, i);

    *last_piece = j;
    if (!is_again)
        return push(pair, (struct stretch){ i, i + 1 }, (struct stretch){ j, j + 1 }, 1);
    last->end = i + 1;
    return DGM_OK;
}

static dgm_status copy_piece(const struct pair *pair, int32_t i, int32_t word, int32_t *last_piece)
{
    const int32_t unknown = strongest(pair, i, word, 1), known = strongest(pair, i, word, 0);
    struct stretch tokens, from;
    struct dgm_copy *last = last_copy(pair);
    const char *piece;
    size_t bytes;

    if (known < 0)
        return DGM_OK;
    if (unknown >= 0)
        return copy_unknown(pair, i, unknown, last_piece);
    tokens = find_core(pair, DGM_TARGET, i);
    from = find_core(pair, DGM_SOURCE, known);
    *last_piece = -1;
    if (last != NULL && last->word == word && follows(pair, last, tokens.first)) {
        last->end = tokens.end;
        return DGM_OK;
    }
    piece = target_piece(pair, tokens.first, &bytes);
    return push(pair, tokens, from, !dgm_spm_is_space(piece, bytes));
}

/* ---- both ------------------------------------------------------------------------------------ */

static dgm_status find_fields(struct dgm_env *env, struct dgm_copying *copying, const char *text,
                              size_t bytes)
{
    const char *field;
    size_t at = 0, length;

    copying->field_count = 0;
    while (dgm_word_counts_next(text, bytes, &at, &field, &length)) {
        const size_t begin = (size_t)(field - text), i = 2 * copying->field_count++;

        DGM_TRY(dgm_reserve(env, &copying->fields, &copying->field_capacity, i + 2,
                            sizeof *copying->fields));
        copying->fields[i] = begin;
        copying->fields[i + 1] = begin + length;
    }
    return DGM_OK;
}

static dgm_status copy_all(const struct pair *pair)
{
    int32_t done = 0, last_piece = -1;

    for (int32_t i = 0; i < pair->n; i++) {
        int32_t word;

        if (i < done || pair->tokens[i] != DGM_VOCAB_UNK)
            continue;
        word = dgm_word_links_find(pair->links, i, i + 1, 1);
        if (word < 0)
            continue;
        DGM_TRY(pair->pipeline->has_spm ? copy_piece(pair, i, word, &last_piece)
                                        : copy_word(pair, i, word));
        if (last_copy(pair) != NULL)
            done = last_copy(pair)->end;
    }
    return DGM_OK;
}

dgm_status dgm_copying_find(struct dgm_env *env, struct dgm_copying *copying, size_t part,
                            const int32_t *tokens, int32_t n)
{
    const struct dgm_source_queue *queue = copying->queue;
    const struct dgm_queued *queued = &queue->lines[part];
    const struct dgm_packed *source = &queue->packed;
    const int32_t start = source->offsets[queued->sentence];
    const struct pair pair = { .env = env,
                               .copying = copying,
                               .links = copying->links,
                               .pipeline = copying->links->pipeline,
                               .ids = source->ids + start,
                               .fields = source->words + start,
                               .text = queue->words.data + queued->text,
                               .tokens = tokens,
                               .n = n };

    copying->copies.count = 0;
    dgm_buf_reset(&copying->copies.text);
    DGM_TRY(find_fields(env, copying, pair.text, queued->text_bytes));
    DGM_TRY(dgm_spelling_read(env, &copying->spelling, queue->raw.data + queued->raw,
                              queued->raw_bytes, pair.text, queued->text_bytes));
    return copy_all(&pair);
}

dgm_status dgm_copying_look(struct dgm_env *env, struct dgm_copying *copying, size_t part,
                            const int32_t *tokens, int32_t n, const struct dgm_copies **copies)
{
    *copies = NULL;
    if (copying == NULL || !dgm_copying_is_needed(tokens, n))
        return DGM_OK;
    DGM_TRY(dgm_word_links_look(env, copying->links, copying->queue, part, tokens, n));
    *copies = &copying->copies;
    return dgm_copying_find(env, copying, part, tokens, n);
}
