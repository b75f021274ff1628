/* foreign_vocab.c: tokens of another program's vocabulary, by number. */
#include "model/foreign/foreign_vocab.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "text/json.h"
#include "text/spm/spm.h"
#include "text/unicode/utf8.h"
#include "text/yml.h"

#define NONE SIZE_MAX

const char *const dgm_foreign_vocab_ours[DGM_VOCAB_SPECIALS] = { "<s>", "<pad>", "</s>", "<unk>" };

static int is_spelled_like_ours(const char *token)
{
    for (size_t i = 0; i < DGM_VOCAB_SPECIALS; i++)
        if (strcmp(token, dgm_foreign_vocab_ours[i]) == 0)
            return 1;
    return 0;
}

void dgm_foreign_vocab_clear(struct dgm_env *env, struct dgm_foreign_vocab *vocab)
{
    dgm_buf_clear(env, &vocab->bytes);
    dgm_release(env, vocab->tokens);
    dgm_release(env, vocab->entries);
    memset(vocab, 0, sizeof *vocab);
}

const char *dgm_foreign_vocab_token(const struct dgm_foreign_vocab *vocab, size_t number)
{
    return number < vocab->count && vocab->tokens[number] != NONE
               ? vocab->bytes.data + vocab->tokens[number]
               : NULL;
}

int64_t dgm_foreign_vocab_find(const struct dgm_foreign_vocab *vocab, const char *token)
{
    for (size_t i = 0; i < vocab->count; i++)
        if (vocab->tokens[i] != NONE && strcmp(vocab->bytes.data + vocab->tokens[i], token) == 0)
            return (int64_t)i;
    return -1;
}

static dgm_status lengthen(struct dgm_env *env, struct dgm_foreign_vocab *vocab, size_t count)
{
    if (count <= vocab->count)
        return DGM_OK;
    DGM_TRY(dgm_reserve(env, &vocab->tokens, &vocab->capacity, count, sizeof *vocab->tokens));
    while (vocab->count < count)
        vocab->tokens[vocab->count++] = NONE;
    return DGM_OK;
}

dgm_status dgm_foreign_vocab_add(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                                 int64_t number, const char *token, size_t bytes)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, token, bytes);
    if (bytes == 0 || number < 0 || (uint64_t)number >= vocab->most)
        return dgm_fail_at(env, DGM_DATA, vocab->name, 0, 0,
                           "token \"%s\" has the number %lld; expected a token, and a number below "
                           "%zu, without gaps",
                           quoted, (long long)number, vocab->most);
    DGM_TRY(lengthen(env, vocab, (size_t)number + 1));
    if (vocab->tokens[number] != NONE)
        return dgm_fail_at(env, DGM_DATA, vocab->name, 0, 0,
                           "token \"%s\" has the number %lld, which another one has; expected "
                           "numbers that differ",
                           quoted, (long long)number);
    vocab->tokens[number] = vocab->bytes.size;
    DGM_TRY(dgm_buf_add(env, &vocab->bytes, token, bytes));
    return dgm_buf_add_char(env, &vocab->bytes, '\0');
}

/* ---- formats --------------------------------------------------------------------------------- */

/* A file has no more tokens than bytes: larger numbers are refused before they cost memory. */
static void begin(struct dgm_foreign_vocab *vocab, const char *name, size_t bytes)
{
    snprintf(vocab->name, sizeof vocab->name, "%s", name);
    vocab->most = bytes < DGM_VOCAB_LIMIT ? bytes : DGM_VOCAB_LIMIT;
}

/* ["token", ...], as CTranslate2 writes it. */
static dgm_status read_list(struct dgm_json *json, struct dgm_foreign_vocab *vocab,
                            struct dgm_buf *token)
{
    size_t count = 0;
    int more = 1;

    for (int64_t number = 0;; number++) {
        DGM_TRY(dgm_json_item(json, ']', &count, &more));
        if (!more)
            return dgm_json_end(json);
        DGM_TRY(dgm_json_string(json, token));
        DGM_TRY(dgm_foreign_vocab_add(json->env, vocab, number, token->data, token->size));
    }
}

static dgm_status read_json(struct dgm_json *json, struct dgm_foreign_vocab *vocab,
                            struct dgm_buf *token)
{
    size_t count = 0;
    int more = 1;
    int64_t number;

    if (dgm_json_try(json, '['))
        return read_list(json, vocab, token);
    DGM_TRY(dgm_json_mark(json, '{'));
    for (;;) {
        DGM_TRY(dgm_json_item(json, '}', &count, &more));
        if (!more)
            return dgm_json_end(json);
        DGM_TRY(dgm_json_name(json, token));
        DGM_TRY(dgm_json_int(json, 0, (int64_t)DGM_VOCAB_LIMIT - 1, &number));
        DGM_TRY(dgm_foreign_vocab_add(json->env, vocab, number, token->data, token->size));
    }
}

dgm_status dgm_foreign_vocab_json(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                                  const char *name, const char *text, size_t size)
{
    struct dgm_buf token = { 0 };
    struct dgm_json json;
    dgm_status status;

    begin(vocab, name, size);
    dgm_json_start(&json, env, name, 1, text, size);
    status = read_json(&json, vocab, &token);
    dgm_buf_clear(env, &token);
    return status;
}

/* Text that was counted may have held the special ones: Marian takes the first of each. The number
 * of another keeps its row, and has no token. */
static dgm_status pass_over(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                            const struct dgm_yml_item *item, int64_t number)
{
    if (number < 0 || (uint64_t)number >= vocab->most)
        return dgm_foreign_vocab_add(env, vocab, number, item->key, item->key_bytes);
    dgm_log(env, DGM_LOG_NOTE, "%s:%ld: %s is there twice; the first counts", vocab->name,
            item->line, item->key);
    return lengthen(env, vocab, (size_t)number + 1);
}

static dgm_status take_yml(struct dgm_env *env, void *user, const struct dgm_yml_item *item)
{
    struct dgm_foreign_vocab *vocab = user;
    char quoted[DGM_QUOTE_SIZE];
    int64_t number;

    dgm_quote(quoted, sizeof quoted, item->value, item->value_bytes);
    if (item->is_item || !dgm_number_int(&number, item->value, item->value_bytes))
        return dgm_fail_at(env, DGM_DATA, vocab->name, item->line, 0,
                           "\"%s\"; expected the number of a token", quoted);
    if (is_spelled_like_ours(item->key) && dgm_foreign_vocab_find(vocab, item->key) >= 0)
        return pass_over(env, vocab, item, number);
    return dgm_foreign_vocab_add(env, vocab, number, item->key, item->key_bytes);
}

dgm_status dgm_foreign_vocab_yml(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                                 const char *name, const char *text, size_t size)
{
    begin(vocab, name, size);
    return dgm_yml_read(env, name, text, size, take_yml, vocab);
}

dgm_status dgm_foreign_vocab_spm(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                                 const char *name, const struct dgm_spm *spm)
{
    begin(vocab, name, DGM_VOCAB_LIMIT);
    for (size_t id = 0; id < dgm_spm_size(spm); id++) {
        size_t bytes;
        const char *piece = dgm_spm_piece(spm, (int32_t)id, &bytes);

        DGM_TRY(dgm_foreign_vocab_add(env, vocab, (int64_t)id, piece, bytes));
    }
    return DGM_OK;
}

dgm_status dgm_foreign_vocab_lines(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                                   const char *name, const char *text, size_t size)
{
    const char *end = text + size;
    int64_t number = 0;

    begin(vocab, name, size);
    for (; text < end; number++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));

        stop = stop != NULL ? stop : end;
        DGM_TRY(dgm_utf8_check(env, name, (long)number + 1, text, (size_t)(stop - text)));
        DGM_TRY(dgm_foreign_vocab_add(env, vocab, number, text, (size_t)(stop - text)));
        text = stop + (stop < end);
    }
    return DGM_OK;
}

/* ---- our order ------------------------------------------------------------------------------- */

struct dgm_foreign_specials dgm_foreign_vocab_specials(const struct dgm_foreign_vocab *vocab,
                                                       const char *pad)
{
    struct dgm_foreign_specials specials;

    for (int i = 0; i < DGM_VOCAB_SPECIALS; i++)
        specials.numbers[i] = dgm_foreign_vocab_find(vocab, dgm_foreign_vocab_ours[i]);
    specials.numbers[DGM_VOCAB_PAD] = pad != NULL ? dgm_foreign_vocab_find(vocab, pad) : -1;
    return specials;
}

/* Our entries on their way. */
struct order {
    const char **texts;
    size_t *bytes, count;
    char (*made)[24]; /* names of numbers without a token */
};

static dgm_status fail_spelled(struct dgm_env *env, const struct dgm_foreign_vocab *vocab,
                               size_t number)
{
    return dgm_fail_at(env, DGM_DATA, vocab->name, 0, 0,
                       "token %zu is %s, but its configuration uses another one so; expected one "
                       "of the two",
                       number, vocab->bytes.data + vocab->tokens[number]);
}

static void push(struct order *order, const char *text)
{
    order->texts[order->count] = text;
    order->bytes[order->count++] = strlen(text);
}

static dgm_status push_specials(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                                const struct dgm_foreign_specials *specials, struct order *order)
{
    for (size_t i = 0; i < DGM_VOCAB_SPECIALS; i++) {
        const int64_t number = specials->numbers[i];

        push(order, dgm_foreign_vocab_ours[i]);
        if (number < 0)
            continue;
        if ((size_t)number >= vocab->count || vocab->entries[number] >= 0)
            return dgm_fail_at(env, DGM_DATA, vocab->name, 0, 0,
                               "number %lld is to be %s; expected one of the %zu numbers, and no "
                               "other special one",
                               (long long)number, dgm_foreign_vocab_ours[i], vocab->count);
        vocab->entries[number] = (int32_t)i;
    }
    return DGM_OK;
}

static dgm_status push_rest(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                            struct order *order)
{
    size_t made = 0;

    for (size_t i = 0; i < vocab->count; i++) {
        const char *token = dgm_foreign_vocab_token(vocab, i);

        if (vocab->entries[i] >= 0)
            continue;
        if (token != NULL && is_spelled_like_ours(token))
            return fail_spelled(env, vocab, i);
        if (token == NULL) {
            /* As fairseq calls entries that only fill up a table. */
            snprintf(order->made[made], sizeof order->made[made], "madeupword%04zu", made);
            token = order->made[made++];
        }
        vocab->entries[i] = (int32_t)order->count;
        push(order, token);
    }
    return DGM_OK;
}

static dgm_status make_order(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                             const struct dgm_foreign_specials *specials, struct dgm_vocab *out)
{
    const size_t most = vocab->count + DGM_VOCAB_SPECIALS;
    struct order order = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_new(env, &order.texts, most, sizeof *order.texts));
    DGM_TRY_OUT(dgm_new(env, &order.bytes, most, sizeof *order.bytes));
    DGM_TRY_OUT(dgm_new(env, &order.made, vocab->count, sizeof *order.made));
    DGM_TRY_OUT(push_specials(env, vocab, specials, &order));
    DGM_TRY_OUT(push_rest(env, vocab, &order));
    vocab->our_count = order.count;
    status = dgm_vocab_set(env, out, order.texts, order.bytes, order.count, vocab->name);
out:
    dgm_release(env, order.texts);
    dgm_release(env, order.bytes);
    dgm_release(env, order.made);
    return status;
}

dgm_status dgm_foreign_vocab_order(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                                   const struct dgm_foreign_specials *specials, size_t rows,
                                   struct dgm_vocab *out)
{
    if (vocab->count > rows || rows > DGM_VOCAB_LIMIT)
        return dgm_fail_at(env, DGM_DATA, vocab->name, 0, 0,
                           "%zu tokens for embeddings of %zu rows; expected at most as many",
                           vocab->count, rows);
    DGM_TRY(lengthen(env, vocab, rows));
    dgm_release(env, vocab->entries);
    DGM_TRY(dgm_new(env, &vocab->entries, rows, sizeof *vocab->entries));
    for (size_t i = 0; i < rows; i++)
        vocab->entries[i] = -1;
    return make_order(env, vocab, specials, out);
}
