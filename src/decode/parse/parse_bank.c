/*
 * parse_bank.c: a whole bank of sentences: batches by length, shared out among threads.
 *
 * Each thread parses whole batches, with graphs, scratch memory and a device of its own: threads
 * that share every product would wait for each other at each step of an LSTM.
 */
#include <pthread.h>
#include <string.h>

#include "base/mem.h"
#include "base/system/room.h"
#include "decode/parse/parse_batch.h"

/* Words of a batch that use the multipliers well: with fewer, to read the weights costs as much as
 * to multiply with them. */
enum { ENOUGH_WORDS = 384 };

/* Batches for each thread, where there are words enough: the last ones to end keep others waiting
 * for so much less. */
enum { ROUNDS = 4 };

/* Bytes of a thread beside its batch: its stack, and scratch memory of its device. */
enum { OF_A_WORKER = 2 << 20 };

/* ---- batches --------------------------------------------------------------------------------- */

static dgm_status sort_by_length(struct dgm_env *env, struct dgm_parse *parse,
                                 const struct dgm_treebank *bank)
{
    int32_t *order;

    DGM_TRY(dgm_packed_order(env, &bank->rows, &order));
    dgm_release(env, parse->order);
    parse->order = order;
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

/* ---- threads --------------------------------------------------------------------------------- */

static int64_t words_of(const struct dgm_treebank *bank)
{
    return bank->rows.count > 0 ? bank->rows.offsets[bank->rows.count] : 0;
}

/* How many threads have enough to do. */
static int count_workers(const struct dgm_parse *parse, const struct dgm_treebank *bank,
                         int64_t batch_words)
{
    const int threads = parse->device->threads;

    if (threads < 2 || parse->is_alone || batch_words < ENOUGH_WORDS ||
        words_of(bank) < (int64_t)threads * ENOUGH_WORDS)
        return 1;
    return threads;
}

/* Words of a batch of one of the workers, who have `batch_words` together. */
static int64_t share_of(const struct dgm_treebank *bank, int64_t batch_words, int workers)
{
    int64_t most = batch_words / workers, wanted = words_of(bank) / (workers * ROUNDS);

    if (workers == 1)
        return batch_words;
    most = most > ENOUGH_WORDS ? most : ENOUGH_WORDS;
    wanted = wanted > ENOUGH_WORDS ? wanted : ENOUGH_WORDS;
    return wanted < most ? wanted : most;
}

static dgm_status init_other(struct dgm_env *env, void *own, const void *like,
                             struct dgm_device *device)
{
    const struct dgm_parse *parse = like;

    return dgm_parse_init_on(env, own, parse->parser, device, &parse->options);
}

static void clear_other(struct dgm_env *env, void *own)
{
    dgm_parse_clear(env, own);
}

static const struct dgm_team_kind parses = {
    .bytes = sizeof(struct dgm_parse),
    .init = init_other,
    .clear = clear_other,
};

/* ---- memory ---------------------------------------------------------------------------------- */

/* The most bytes that `workers` take at once, whose batches have at most `words` words together. */
static dgm_status largest_batches(struct dgm_env *env, struct dgm_parse *parse,
                                  const struct dgm_treebank *bank, int64_t words, int workers,
                                  double *bytes)
{
    int32_t begin, end;
    double one;

    words = share_of(bank, words, workers);
    *bytes = 0;
    for (begin = 0; begin < bank->rows.count; begin = end) {
        end = batch_end(parse, bank, begin, words);
        DGM_TRY(dgm_parse_batch_size(env, parse, bank, parse->order + begin, end - begin, &one));
        *bytes = one > *bytes ? one : *bytes;
    }
    *bytes = *bytes * workers + (workers - 1) * (double)OF_A_WORKER;
    return DGM_OK;
}

dgm_status dgm_parse_bank_size(struct dgm_env *env, struct dgm_parse *parse,
                               const struct dgm_treebank *bank, int64_t batch_words, double *bytes)
{
    DGM_TRY(sort_by_length(env, parse, bank));
    return largest_batches(env, parse, bank, batch_words, count_workers(parse, bank, batch_words),
                           bytes);
}

/* Not even the caller's thread has room: the batch size that would do. */
static dgm_status refuse(struct dgm_env *env, struct dgm_parse *parse,
                         const struct dgm_treebank *bank, int64_t words, double all)
{
    double bytes = all;
    int fits;

    while (words > 1 && !dgm_room_for_next(env, bytes)) {
        words -= (words + 9) / 10;
        DGM_TRY(largest_batches(env, parse, bank, words, 1, &bytes));
    }
    fits = dgm_room_for_next(env, bytes);
    return dgm_room_refuse(env, "parsing this text", all,
                           fits ? "Try --batch-tokens" : "not even one sentence at a time fits",
                           fits ? words : 0);
}

/* Before anything is parsed: it fits, perhaps with one thread for all, or it is refused. */
static dgm_status check_memory(struct dgm_env *env, struct dgm_parse *parse,
                               const struct dgm_treebank *bank, int64_t words, int *workers)
{
    double all;

    if (!dgm_room_is_asked(env) || parse->is_sized)
        return DGM_OK;
    parse->is_sized = 1;
    DGM_TRY(largest_batches(env, parse, bank, words, *workers, &all));
    if (*workers > 1 && !dgm_room_for(env, all)) {
        parse->is_alone = *workers = 1;
        DGM_TRY(largest_batches(env, parse, bank, words, 1, &all));
    }
    dgm_room_report(env, all);
    return dgm_room_for(env, all) ? DGM_OK : refuse(env, parse, bank, words, all);
}

/* ---- parsing --------------------------------------------------------------------------------- */

/* Rows of the latest batch to the places of its sentences in the bank. */
static void hand_over(const struct dgm_parse *parse, const struct dgm_treebank *bank,
                      const int32_t *numbers, struct dgm_parsed *parsed)
{
    const struct dgm_packed *rows = &parse->step.rows;
    const struct dgm_parsed *latest = &parse->latest;

    for (int32_t s = 0; s < rows->count; s++) {
        size_t from = (size_t)rows->offsets[s], to = (size_t)bank->rows.offsets[numbers[s]];
        size_t count = (size_t)dgm_packed_length(rows, s);

        memcpy(parsed->heads + to, latest->heads + from, count * sizeof *parsed->heads);
        memcpy(parsed->labels + to, latest->labels + from, count * sizeof *parsed->labels);
        memcpy(parsed->tags + to, latest->tags + from, count * sizeof *parsed->tags);
        memcpy(parsed->prob + to, latest->prob + from, count * sizeof *parsed->prob);
        for (int m = 0; m < DGM_MORPHS; m++)
            if (dgm_parse_morphs(parse) & 1u << m)
                memcpy(parsed->morphs[m] + to, latest->morphs[m] + from,
                       count * sizeof *parsed->morphs[m]);
    }
}

/* A bank on its way through the threads. */
struct job {
    struct dgm_parse *parse; /* the caller's */
    const struct dgm_treebank *bank;
    int64_t words; /* of a batch */
    struct dgm_parsed *parsed;
    pthread_mutex_t lock; /* of `next` */
    int32_t next;
};

/* The next batch, order[*begin] to order[*end - 1]; none where *begin is *end. */
static void take_batch(struct job *job, int32_t *begin, int32_t *end)
{
    pthread_mutex_lock(&job->lock);
    *begin = job->next;
    *end = job->next = batch_end(job->parse, job->bank, job->next, job->words);
    pthread_mutex_unlock(&job->lock);
}

/* One thread: batch after batch while there are any. */
static dgm_status parse_batches(struct dgm_env *env, void *own, void *shared)
{
    struct job *job = shared;
    struct dgm_parse *parse = own == NULL ? job->parse : own;
    const int32_t *order = job->parse->order;

    for (;;) {
        int32_t end;

        take_batch(job, &parse->begin, &end);
        if (parse->begin == end)
            return DGM_OK;
        DGM_TRY(dgm_poll(env));
        DGM_TRY(dgm_parse_batch(env, parse, job->bank, order + parse->begin, end - parse->begin));
        hand_over(parse, job->bank, order + parse->begin, job->parsed);
    }
}

/* Once, for the first sentence, in the order of batches, whose arcs are too sure for marginals. */
static void warn_of_unsure(struct dgm_env *env, struct dgm_parse *parse)
{
    const struct dgm_parse *first = parse;

    if (parse->warned)
        return;
    for (size_t i = 0; i < parse->team.count; i++) {
        const struct dgm_parse *other = parse->team.others[i]->own;

        if (other->unsure >= 0 && (first->unsure < 0 || other->unsure < first->unsure))
            first = other;
    }
    if (first->unsure < 0)
        return;
    parse->warned = 1;
    dgm_log(env, DGM_LOG_WARNING,
            "the arcs of a sentence of %d words are too sure for marginals: probabilities of "
            "each word's heads instead (said once)",
            (int)first->unsure_words);
}

dgm_status dgm_parse_bank(struct dgm_env *env, struct dgm_parse *parse,
                          const struct dgm_treebank *bank, int64_t batch_words,
                          struct dgm_parsed *parsed)
{
    struct job job = { .parse = parse, .bank = bank, .parsed = parsed };
    dgm_status status;
    int workers;

    if (bank->rows.count == 0)
        return DGM_OK;
    workers = count_workers(parse, bank, batch_words);
    DGM_TRY(dgm_parsed_reserve(env, parsed, dgm_parse_morphs(parse),
                               (size_t)bank->rows.offsets[bank->rows.count]));
    DGM_TRY(sort_by_length(env, parse, bank));
    DGM_TRY(check_memory(env, parse, bank, batch_words, &workers));
    DGM_TRY(dgm_team_reserve(env, &parse->team, &parses, parse, parse->device, &workers));
    job.words = share_of(bank, batch_words, workers);
    pthread_mutex_init(&job.lock, NULL);
    status = dgm_team_run(env, &parse->team, parse->device, workers, parse_batches, &job);
    pthread_mutex_destroy(&job.lock);
    if (status == DGM_OK)
        warn_of_unsure(env, parse);
    return status;
}
