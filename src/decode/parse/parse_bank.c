/*
 * parse_bank.c: a whole bank of sentences parsed in batches of like lengths, results in place.
 */
#include <string.h>

#include "base/mem.h"
#include "base/system/meter.h"
#include "decode/parse/parse.h"

/* The sentences from the longest to the shortest, equal ones in their order: counting sort. */
static dgm_status sort_by_length(struct dgm_env *env, struct dgm_parse *parse,
                                 const struct dgm_treebank *bank)
{
    const struct dgm_packed *rows = &bank->rows;
    int32_t longest = 0, *place, s;

    for (s = 0; s < rows->count; s++)
        longest = dgm_packed_length(rows, s) > longest ? dgm_packed_length(rows, s) : longest;
    DGM_TRY(dgm_reserve(env, &parse->order, &parse->order_capacity, (size_t)rows->count,
                        sizeof *parse->order));
    place = dgm_alloc(env, (size_t)longest + 2, sizeof *place);
    if (place == NULL)
        return DGM_MEMORY;
    for (s = 0; s < rows->count; s++)
        place[longest - dgm_packed_length(rows, s) + 1]++;
    for (s = 0; s <= longest; s++)
        place[s + 1] += place[s];
    for (s = 0; s < rows->count; s++)
        parse->order[place[longest - dgm_packed_length(rows, s)]++] = s;
    dgm_release(env, place);
    return DGM_OK;
}

/* Sentences order[begin..] that make up the next batch. */
static int32_t batch_end(const struct dgm_parse *parse, const struct dgm_treebank *bank,
                         int32_t begin, int64_t batch_words)
{
    int64_t words = 0;
    int32_t end = begin;

    while (end < bank->rows.count) {
        words += dgm_packed_length(&bank->rows, parse->order[end]);
        if (end > begin && words > batch_words)
            break;
        end++;
    }
    return end;
}

/* Rows of the latest batch to the places of its sentences in the bank. */
static void hand_over(const struct dgm_parse *parse, const struct dgm_treebank *bank,
                      const int32_t *numbers, struct dgm_parsed *parsed)
{
    const struct dgm_packed *rows = &parse->step.rows;

    for (int32_t s = 0; s < rows->count; s++) {
        size_t from = (size_t)rows->offsets[s], to = (size_t)bank->rows.offsets[numbers[s]];
        size_t count = (size_t)dgm_packed_length(rows, s);

        memcpy(parsed->heads + to, parse->heads + from, count * sizeof *parsed->heads);
        memcpy(parsed->labels + to, parse->labels + from, count * sizeof *parsed->labels);
        memcpy(parsed->tags + to, parse->tags + from, count * sizeof *parsed->tags);
        memcpy(parsed->prob + to, parse->prob + from, count * sizeof *parsed->prob);
    }
}

static dgm_status reserve(struct dgm_env *env, struct dgm_parsed *parsed, size_t rows)
{
    size_t heads = parsed->capacity, labels = heads, tags = heads;

    DGM_TRY(dgm_reserve(env, &parsed->heads, &heads, rows, sizeof *parsed->heads));
    DGM_TRY(dgm_reserve(env, &parsed->labels, &labels, rows, sizeof *parsed->labels));
    DGM_TRY(dgm_reserve(env, &parsed->tags, &tags, rows, sizeof *parsed->tags));
    return dgm_reserve(env, &parsed->prob, &parsed->capacity, rows, sizeof *parsed->prob);
}

/* The most bytes over all batches of at most `words` words. */
static dgm_status largest_batch(struct dgm_env *env, struct dgm_parse *parse,
                                const struct dgm_treebank *bank, int64_t words, double *bytes)
{
    int32_t begin, end;
    double one;

    *bytes = 0;
    for (begin = 0; begin < bank->rows.count; begin = end) {
        end = batch_end(parse, bank, begin, words);
        DGM_TRY(dgm_parse_size(env, parse, bank, parse->order + begin, end - begin, &one));
        *bytes = one > *bytes ? one : *bytes;
    }
    return DGM_OK;
}

dgm_status dgm_parse_bank_size(struct dgm_env *env, struct dgm_parse *parse,
                               const struct dgm_treebank *bank, int64_t batch_words, double *bytes)
{
    DGM_TRY(sort_by_length(env, parse, bank));
    return largest_batch(env, parse, bank, batch_words, bytes);
}

/* Before anything is parsed: it fits, or it is refused with the batch size that would. */
static dgm_status check_memory(struct dgm_env *env, struct dgm_parse *parse,
                               const struct dgm_treebank *bank, int64_t words)
{
    double bytes, all;

    if (!dgm_room_is_asked(env) || parse->is_sized)
        return DGM_OK;
    parse->is_sized = 1;
    DGM_TRY(largest_batch(env, parse, bank, words, &all));
    dgm_room_report(env, all);
    for (bytes = all; words > 1 && !dgm_room_for(env, bytes); words -= (words + 9) / 10)
        DGM_TRY(largest_batch(env, parse, bank, words - (words + 9) / 10, &bytes));
    if (bytes == all && dgm_room_for(env, all))
        return DGM_OK;
    return dgm_room_refuse(env, "parsing this text", all,
                           dgm_room_for(env, bytes) ? "Try --batch-tokens"
                                                    : "not even one sentence at a time fits",
                           dgm_room_for(env, bytes) ? words : 0);
}

dgm_status dgm_parse_bank(struct dgm_env *env, struct dgm_parse *parse,
                          const struct dgm_treebank *bank, int64_t batch_words,
                          struct dgm_parsed *parsed)
{
    int32_t end;

    if (bank->rows.count == 0)
        return DGM_OK;
    DGM_TRY(reserve(env, parsed, (size_t)bank->rows.offsets[bank->rows.count]));
    DGM_TRY(sort_by_length(env, parse, bank));
    DGM_TRY(check_memory(env, parse, bank, batch_words));
    for (int32_t begin = 0; begin < bank->rows.count; begin = end) {
        DGM_TRY(dgm_poll(env));
        end = batch_end(parse, bank, begin, batch_words);
        DGM_TRY(dgm_parse_batch(env, parse, bank, parse->order + begin, end - begin));
        hand_over(parse, bank, parse->order + begin, parsed);
    }
    return DGM_OK;
}

void dgm_parsed_clear(struct dgm_env *env, struct dgm_parsed *parsed)
{
    dgm_release(env, parsed->heads);
    dgm_release(env, parsed->labels);
    dgm_release(env, parsed->tags);
    dgm_release(env, parsed->prob);
    memset(parsed, 0, sizeof *parsed);
}
