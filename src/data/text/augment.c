/* augment.c: pieces to text, text to other text, and back to pieces. */
#include "data/text/augment.h"

#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "data/text/noise.h"

#define STREAM 0x41554730U /* "AUG0": keeps these draws from all others */

static const char *const names[DGM_AUGMENTS] = { "case", "typo", "punct" };

/* ---- what is asked for ----------------------------------------------------------------------- */

static dgm_status fail_share(struct dgm_env *env, const char *item, size_t bytes)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, item, bytes);
    return dgm_fail(env, DGM_USAGE,
                    "--augment: expected shares of the lines, 0..1, as in "
                    "case=0.05,typo=0.02,punct=0.02, each once, got \"%s\"",
                    quoted);
}

static dgm_status read_share(struct dgm_env *env, struct dgm_augment *augment, const char *item,
                             size_t bytes)
{
    for (int i = 0; i < DGM_AUGMENTS; i++) {
        const size_t length = strlen(names[i]);
        double share;

        if (bytes <= length || memcmp(item, names[i], length) != 0 || item[length] != '=')
            continue;
        if (augment->shares[i] != 0 ||
            !dgm_number_real(&share, item + length + 1, bytes - length - 1) ||
            !(share >= 0 && share <= 1))
            break;
        augment->shares[i] = share;
        return DGM_OK;
    }
    return fail_share(env, item, bytes);
}

static dgm_status read_shares(struct dgm_env *env, struct dgm_augment *augment, const char *what)
{
    for (;;) {
        const size_t bytes = strcspn(what, ",");

        DGM_TRY(read_share(env, augment, what, bytes));
        if (what[bytes] == '\0')
            return DGM_OK;
        what += bytes + 1;
    }
}

dgm_status dgm_augment_init(struct dgm_env *env, struct dgm_augment *augment,
                            const struct dgm_pipeline *pipeline, const char *what, uint64_t seed,
                            int32_t longest)
{
    memset(augment, 0, sizeof *augment);
    if (what == NULL)
        return DGM_OK;
    DGM_TRY(read_shares(env, augment, what));
    augment->is_on = 1;
    augment->seed = seed;
    augment->longest = longest;
    dgm_pipeline_beside(&augment->pipeline, pipeline);
    return DGM_OK;
}

void dgm_augment_clear(struct dgm_env *env, struct dgm_augment *augment)
{
    if (augment->is_on)
        dgm_pipeline_clear_beside(env, &augment->pipeline);
    dgm_buf_clear(env, &augment->line);
    dgm_buf_clear(env, &augment->changed);
    dgm_release(env, augment->words);
    dgm_encoded_clear(env, &augment->encoded);
    dgm_encoded_clear(env, &augment->sides[DGM_SOURCE]);
    dgm_encoded_clear(env, &augment->sides[DGM_TARGET]);
    memset(augment, 0, sizeof *augment);
}

/* ---- pieces to text -------------------------------------------------------------------------- */

/* A sentence of a batch. head: of its ids, those before its first word. */
struct pieces {
    const int32_t *ids, *words;
    int32_t n, head;
};

static struct pieces last_of(const struct dgm_packed *packed)
{
    const int32_t start = packed->offsets[packed->count - 1];
    struct pieces pieces = { packed->ids + start, packed->words + start,
                             packed->offsets[packed->count] - start, 0 };

    while (pieces.head < pieces.n && pieces.words[pieces.head] < 0)
        pieces.head++;
    return pieces;
}

static int has_unknown(const int32_t *ids, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (ids[i] == DGM_VOCAB_UNK)
            return 1;
    return 0;
}

/* Pieces with blanks between, and joined. */
static dgm_status join_codes(struct dgm_env *env, struct dgm_augment *augment,
                             const struct dgm_vocab *vocab, const struct pieces *pieces)
{
    const char *separator = augment->pipeline.bpe.separator;
    struct dgm_buf *text = &augment->changed;

    dgm_buf_reset(text);
    for (int32_t i = pieces->head; i < pieces->n && pieces->words[i] >= 0; i++) {
        size_t bytes;
        const char *token = dgm_vocab_token(vocab, (uint32_t)pieces->ids[i], &bytes);

        if (text->size > 0)
            DGM_TRY(dgm_buf_add_char(env, text, ' '));
        DGM_TRY(dgm_buf_add(env, text, token, bytes));
    }
    return augment->pipeline.has_bpe
               ? dgm_bpe_undo(env, &augment->line, separator, text->data, text->size)
               : dgm_buf_add(env, &augment->line, text->data, text->size);
}

/* The text of a side, into augment->line. */
static dgm_status join(struct dgm_env *env, struct dgm_augment *augment, int side,
                       const struct pieces *pieces)
{
    struct dgm_pipeline *pipeline = &augment->pipeline;
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pipeline, side);
    const struct dgm_spm_text *spm = dgm_pipeline_spm(pipeline, side);

    dgm_buf_reset(&augment->line);
    if (!pipeline->has_spm)
        return join_codes(env, augment, vocab, pieces);
    dgm_spm_decoder_begin(&pipeline->decoder);
    for (int32_t i = pieces->head; i < pieces->n && pieces->ids[i] != DGM_VOCAB_EOS; i++)
        DGM_TRY(dgm_spm_text_decode(env, spm, vocab, &pipeline->tags, &pipeline->decoder,
                                    pieces->ids[i]));
    return dgm_spm_text_decode_end(env, spm, &pipeline->decoder, &augment->line);
}

/* ---- text to pieces -------------------------------------------------------------------------- */

/* Cuts augment->line at its blanks: words must not be tokenised again. */
static dgm_status encode_words(struct dgm_env *env, struct dgm_augment *augment, int side)
{
    char *text = augment->line.data;
    int32_t count = 0;

    for (size_t at = 0; at < augment->line.size; at += strlen(text + at) + 1) {
        char *blank = strchr(text + at, ' ');

        if (blank != NULL)
            *blank = '\0';
        if (text[at] == '\0')
            continue;
        DGM_TRY(dgm_reserve(env, &augment->words, &augment->word_capacity, (size_t)count + 1,
                            sizeof *augment->words));
        augment->words[count++] = text + at;
    }
    return dgm_pipeline_encode_words(env, &augment->pipeline, side, &augment->encoded,
                                     augment->words, count);
}

/* The pieces of augment->line, behind what stands at the head of those before, into
 * augment->sides[side]. *fits 0: the pair stays as it is. */
static dgm_status encode(struct dgm_env *env, struct dgm_augment *augment, int side,
                         const struct pieces *pieces, int *fits)
{
    struct dgm_encoded *encoded = &augment->encoded, *whole = &augment->sides[side];

    DGM_TRY(augment->pipeline.has_spm ? dgm_pipeline_encode(env, &augment->pipeline, side, encoded,
                                                            augment->line.data, augment->line.size)
                                      : encode_words(env, augment, side));
    whole->n = 0;
    for (int32_t i = 0; i < pieces->head; i++)
        DGM_TRY(dgm_encoded_push(env, whole, pieces->ids[i], -1));
    for (int32_t i = 0; i < encoded->n; i++)
        DGM_TRY(dgm_encoded_push(env, whole, encoded->ids[i], encoded->words[i]));
    whole->n_words = encoded->n_words;
    *fits = !dgm_encoded_is_blank(encoded) && whole->n <= augment->longest &&
            !has_unknown(encoded->ids, encoded->n);
    return DGM_OK;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* What becomes of a pair. */
struct draw {
    struct dgm_random random;
    int has[DGM_AUGMENTS];
    enum dgm_noise_case how;
};

static struct draw draw_changes(const struct dgm_augment *augment, int64_t epoch, int32_t number)
{
    struct draw draw;

    dgm_random_init(&draw.random, augment->seed, STREAM, (uint32_t)epoch, (uint32_t)number);
    for (int i = 0; i < DGM_AUGMENTS; i++)
        draw.has[i] = dgm_random_unit(&draw.random) < augment->shares[i];
    draw.how = (enum dgm_noise_case)dgm_random_below(&draw.random, DGM_NOISE_CASES);
    return draw;
}

/* Changes augment->line by one of the ways. */
static dgm_status change(struct dgm_env *env, struct dgm_augment *augment, int side, int way,
                         struct draw *draw)
{
    struct dgm_pipeline *pipeline = &augment->pipeline;
    struct dgm_buf *line = &augment->line, *out = &augment->changed;

    dgm_buf_reset(out);
    if (way == DGM_AUGMENT_CASE)
        DGM_TRY(
            dgm_noise_case(env, out, line, draw->how, dgm_letters_of(pipeline->language[side])));
    else if (way == DGM_AUGMENT_TYPO)
        DGM_TRY(dgm_noise_typo(env, out, line, &draw->random));
    else
        DGM_TRY(dgm_noise_marks(env, out, line, &draw->random, pipeline->moses));
    dgm_buf_swap(line, out);
    return DGM_OK;
}

static dgm_status change_side(struct dgm_env *env, struct dgm_augment *augment, int side,
                              const struct dgm_packed *packed, struct draw *draw, int *fits)
{
    const struct pieces pieces = last_of(packed);

    *fits = pieces.head < pieces.n && !has_unknown(pieces.ids, pieces.n);
    if (!*fits)
        return DGM_OK;
    DGM_TRY(join(env, augment, side, &pieces));
    for (int way = 0; way < DGM_AUGMENTS; way++)
        if (draw->has[way] && (side == DGM_SOURCE || way == DGM_AUGMENT_CASE))
            DGM_TRY(change(env, augment, side, way, draw));
    return encode(env, augment, side, &pieces, fits);
}

static dgm_status replace(struct dgm_env *env, const struct dgm_encoded *side,
                          struct dgm_packed *packed)
{
    return dgm_packed_replace_last(env, packed, side->ids, side->words, side->n, side->n_words);
}

dgm_status dgm_augment_last(struct dgm_env *env, struct dgm_augment *augment, int64_t epoch,
                            struct dgm_batch *batch)
{
    struct draw draw = draw_changes(augment, epoch, batch->numbers[batch->source.count - 1]);
    const int both = draw.has[DGM_AUGMENT_CASE] && draw.how == DGM_NOISE_CAPITALS;
    int fits;

    if (!draw.has[DGM_AUGMENT_CASE] && !draw.has[DGM_AUGMENT_TYPO] && !draw.has[DGM_AUGMENT_PUNCT])
        return DGM_OK;
    DGM_TRY(change_side(env, augment, DGM_SOURCE, &batch->source, &draw, &fits));
    if (fits && both)
        DGM_TRY(change_side(env, augment, DGM_TARGET, &batch->target, &draw, &fits));
    if (!fits)
        return DGM_OK;
    DGM_TRY(replace(env, &augment->sides[DGM_SOURCE], &batch->source));
    return both ? replace(env, &augment->sides[DGM_TARGET], &batch->target) : DGM_OK;
}
