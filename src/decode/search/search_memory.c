/*
 * search_memory.c: how much memory a search may take.
 */
#include "decode/search/search_memory.h"

#include "base/system/room.h"
#include "decode/search/candidates.h"
#include "model/decoder.h"
#include "model/probe/attention_probe.h"

/* A batch of a search. */
struct batch {
    double rows;   /* hypotheses */
    double tokens; /* of the source */
    double steps;  /* tokens of the longest hypothesis, end symbol included */
    double past;   /* tokens of all hypotheses */
    double words;  /* columns of the output layer, at most */
    double list;   /* with a shortlist: words of a sentence, at most */
    double ids;    /* with a shortlist: words of all groups of sentences, at most */
};

/* Values of the widest moment of the encoder, and of a step up to its scores; with a shortlist
 * these are elsewhere (narrow_bytes). */
static double pool_bytes(const struct dgm_search *search, const struct dgm_net *net,
                         const struct batch *batch)
{
    double dim = (double)net->config.dim, inner = (double)net->config.ffn;
    double encoder = batch->tokens * (4 * dim + inner);
    double step = batch->rows * (dim + (search->options.shortlist == NULL ? batch->words : 0));

    return (encoder > step ? encoder : step) * sizeof(dgm_real);
}

/* Keys and values of source and past in each layer, those of one past twice where it grows
 * (key_cache.c), or states before and after a step; who has which past, on the host, there twice,
 * and on the device. */
static double cache_bytes(const struct dgm_net *net, const struct batch *batch)
{
    double row = 2 * (double)net->config.dim * sizeof(dgm_real);
    double layers = (double)dgm_attention_probe_layers(net, DGM_ATTENTION_CROSS);
    double past =
        net->decoder->keeps_past ? (layers + 0.8) * batch->past : 2 * layers * batch->rows;

    return (layers * 1.125 * batch->tokens + past) * row +
           3 * batch->rows * batch->steps * sizeof(int32_t);
}

/* With a shortlist (narrow_output.c, a quarter more of all than is needed): copied rows of the
 * output layer with their bias, scores of a group's words and of a list's, and numbers of words. */
static double narrow_bytes(const struct dgm_search *search, const struct dgm_net *net,
                           const struct batch *batch)
{
    const double room = (double)dgm_shortlist_room(search->options.shortlist);
    const double rows = 1.25 * batch->ids < room ? 1.25 * batch->ids : room;
    const double sentences = batch->rows / search->options.beam;
    const double scores = batch->rows * (batch->words + batch->list + 1);
    const double numbers = batch->ids + sentences * batch->list;

    return (rows * ((double)net->config.dim + 1) + 1.25 * scores) * sizeof(dgm_real) +
           1.25 * numbers * sizeof(int32_t);
}

/* What sentences may use, on the host (shortlist.h): ids of groups up to the one that does not fit,
 * places and bits of all types, and lists, whose room doubles. */
static double choice_bytes(const struct dgm_search *search, const struct batch *batch)
{
    const double types = (double)search->vocab, sentences = batch->rows / search->options.beam;
    const double ids = (double)dgm_shortlist_room(search->options.shortlist) + types;

    return (ids + types + 2 * sentences * batch->list) * sizeof(int32_t) +
           2 * types * sizeof(uint64_t);
}

/* choices: scores, ids and ends of 2 beam candidates a row, on both sides. hypotheses: tokens of
 * this step and of the next. */
static double batch_bytes(const struct dgm_search *search, const struct batch *batch)
{
    double choices = batch->rows * search->options.beam * 10 * sizeof(dgm_real);
    double hypotheses = 2 * batch->rows * batch->steps * sizeof(int32_t);
    double bytes = choices + hypotheses;

    if (search->options.shortlist != NULL)
        bytes += choice_bytes(search, batch);
    for (int m = 0; m < search->model_count; m++) {
        const struct dgm_net *net = search->models[m].net;

        bytes += pool_bytes(search, net, batch) + cache_bytes(net, batch);
        if (search->options.shortlist != NULL)
            bytes += narrow_bytes(search, net, batch);
    }
    return bytes;
}

/* As dgm_beam_limit has it, and the end symbol. */
static double limit_of(const struct dgm_search *search, int64_t tokens)
{
    const struct dgm_search_options *options = &search->options;
    double limit = options->length_factor * (double)tokens + (double)options->length_extra;
    const double most = (double)dgm_search_longest(search);

    return (limit < most ? limit : most) + 1;
}

/* Sentence s of the source joins a batch. No group has more words than all its sentences. */
static void add_words(const struct dgm_search *search, const struct dgm_packed *source, int32_t s,
                      struct batch *batch)
{
    const struct dgm_shortlist *shortlist = search->options.shortlist;
    const double vocab = (double)search->vocab;
    double list, room;

    if (shortlist == NULL) {
        batch->words = vocab;
        return;
    }
    list = (double)dgm_shortlist_most(shortlist, source, s);
    room = (double)dgm_shortlist_room(shortlist);
    batch->list = list > batch->list ? list : batch->list;
    batch->ids = batch->ids + list < room ? batch->ids + list : room;
    batch->words = batch->ids < vocab ? batch->ids : vocab;
}

/* Takes the sentences that translate.c puts into a batch. */
static void take_batch(const struct dgm_search *search, const struct dgm_packed *source,
                       const int32_t *order, struct dgm_search_share most, int32_t *next,
                       struct batch *batch)
{
    const double beam = search->options.beam;
    int64_t tokens = 0, rows = 0;

    batch->steps = batch->past = batch->words = batch->ids = 0;
    batch->list = dgm_candidates_asked(search);
    for (; *next < source->count; ++*next) {
        int64_t n = dgm_packed_length(source, order[*next]);
        double limit = limit_of(search, n);
        if (rows > 0 && (tokens + n > most.tokens || rows + search->options.beam > most.rows))
            break;
        tokens += n;
        rows += search->options.beam;
        batch->past += beam * limit;
        batch->steps = limit > batch->steps ? limit : batch->steps;
        add_words(search, source, order[*next], batch);
    }
    batch->tokens = (double)tokens;
    batch->rows = (double)rows;
}

/* ---- side by side ---------------------------------------------------------------------------- */

/* Rows of a step that use the multipliers of a thread well: with fewer, to read the weights costs
 * as much as to multiply with them, and threads do better that read a part of them each. */
enum { ENOUGH_ROWS = 128 };

/* Rows of a batch beyond which nothing gets faster: more of them only take more memory, whose pages
 * have to be made, and leave the caches more often. A batch of one worker with several threads has
 * as many for each. */
enum { PLENTY_ROWS = 160 };

/* Batches for each worker from which on they may be cut by rows, long sentences first: the last
 * batches are short then. Fewer are cut by tokens, so that all take the same time. */
enum { MANY_ROUNDS = 4 };

/* Tokens of a share that are not taken from anybody: many threads take more memory than few. */
enum { ENOUGH_TOKENS = 256 };

/* Bytes of a worker, the caller among them, beside its batch: its stack, scratch memory of its
 * device, of which the panels of a large product are 4 MiB, what its allocations leave unused
 * between them. */
enum { OF_A_WORKER = 5 << 20 };

static int64_t count_rows(const struct dgm_search *search, const struct dgm_packed *source)
{
    return (int64_t)source->count * search->options.beam;
}

int dgm_search_workers(const struct dgm_search *search, const struct dgm_packed *source,
                       int64_t most)
{
    const int threads = search->device != NULL ? search->device->threads : 0;

    if (threads < 2 || most < ENOUGH_TOKENS ||
        count_rows(search, source) < (int64_t)threads * ENOUGH_ROWS)
        return 1;
    return threads;
}

/* `count` in parts of at most `most`, a multiple of `workers` of them. */
static int64_t count_parts(int64_t count, int64_t most, int workers)
{
    return ((count + most - 1) / most + workers - 1) / workers * workers;
}

/* Tokens of each of `parts` batches: a little more than a part, for batches end with whole
 * sentences and nothing shall be left over for one more. */
static int64_t tokens_of_part(const struct dgm_packed *source, int64_t rows, int64_t parts)
{
    const int64_t tokens = source->offsets[source->count], size = tokens > rows ? tokens : rows;

    return size / parts + size / parts / 16 + 1;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

struct dgm_search_share dgm_search_share(const struct dgm_search *search,
                                         const struct dgm_packed *source, int64_t most, int workers)
{
    const int threads = search->device != NULL ? search->device->threads : 0;
    const int64_t rows = count_rows(search, source), beam = search->options.beam;
    struct dgm_search_share share = { most, most };
    int64_t plenty, parts;

    if (threads == 0)
        return share;
    if (workers > 1)
        share.tokens = most / workers > ENOUGH_TOKENS ? most / workers : ENOUGH_TOKENS;
    plenty = (int64_t)PLENTY_ROWS * (threads / workers);
    parts = count_parts(rows, plenty, workers);
    share.rows = (source->count + parts - 1) / parts * beam;
    if (workers > 1 && parts < (int64_t)MANY_ROUNDS * workers) {
        share.tokens = least(share.tokens, tokens_of_part(source, rows, parts));
        share.rows = 2 * plenty;
    }
    share.rows = least(share.rows, share.tokens);
    return share;
}

double dgm_search_memory(const struct dgm_search *search, const struct dgm_packed *source,
                         const int32_t *order, int64_t most, int workers)
{
    const struct dgm_search_share share = dgm_search_share(search, source, most, workers);
    double largest = 0;
    int32_t next = 0;

    while (next < source->count) {
        struct batch batch;
        double bytes;

        take_batch(search, source, order, share, &next, &batch);
        bytes = batch_bytes(search, &batch);
        largest = bytes > largest ? bytes : largest;
    }
    return DGM_WASTE * workers * largest + workers * (double)OF_A_WORKER;
}

/* ---- the limit ------------------------------------------------------------------------------- */

static dgm_status refuse(struct dgm_env *env, const struct dgm_search *search,
                         const struct dgm_packed *source, const int32_t *order, int64_t most)
{
    const double bytes = dgm_search_memory(search, source, order, most, 1);

    while (most > 1 && !dgm_room_for_next(env, dgm_search_memory(search, source, order, most, 1)))
        most -= (most + 9) / 10;
    if (!dgm_room_for_next(env, dgm_search_memory(search, source, order, most, 1)))
        return dgm_room_refuse(env, "this search", bytes,
                               "not even one sentence at a time fits. "
                               "Try a smaller --beam-size",
                               0);
    return dgm_room_refuse(env, "this search", bytes, "Try --batch-tokens", most);
}

dgm_status dgm_search_check_memory(struct dgm_env *env, const struct dgm_search *search,
                                   const struct dgm_packed *source, const int32_t *order,
                                   int64_t most, int is_warm, int *workers)
{
    const double held = is_warm ? OF_A_WORKER : 0;
    double bytes;

    if (!dgm_room_is_asked(env))
        return DGM_OK;
    bytes = dgm_search_memory(search, source, order, most, *workers) - held;
    while (*workers > 1 && !dgm_room_for(env, bytes))
        bytes = dgm_search_memory(search, source, order, most, --*workers) - held;
    dgm_room_report(env, bytes);
    return dgm_room_for(env, bytes) ? DGM_OK : refuse(env, search, source, order, most);
}
