/*
 * bench_text.c: how fast training text comes from a cache. A round is a window of an epoch of pairs
 * of 25 tokens a side. A thousand "flops" are a pair: 1 GFLOP/s is a million pairs a second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/mem.h"
#include "base/philox.h"
#include "bench/bench.h"
#include "data/cache/text_cache_writer.h"
#include "data/windows.h"

enum { PAIRS = 100000, LENGTH = 25, IDS = 32000, WINDOW = 16 << 20 };

static struct dgm_env env;
static struct dgm_text_cache cache;
static struct dgm_corpus window;
static struct dgm_windows windows;
static struct dgm_order order;

static dgm_status add_sentence(struct dgm_packed *side, struct dgm_random *random)
{
    int32_t ids[LENGTH], words[LENGTH];

    for (int i = 0; i < LENGTH; i++) {
        ids[i] = (int32_t)dgm_random_below(random, IDS);
        words[i] = i < LENGTH - 1 ? i : -1;
    }
    return dgm_packed_add(&env, side, ids, words, LENGTH, NULL, LENGTH - 1);
}

static dgm_status make_corpus(struct dgm_corpus *corpus)
{
    struct dgm_random random;

    dgm_random_init(&random, 1, 2, 3, 4);
    corpus->line_of = calloc(PAIRS, sizeof *corpus->line_of);
    if (corpus->line_of == NULL)
        return DGM_MEMORY;
    for (long p = 0; p < PAIRS; p++) {
        corpus->line_of[p] = p;
        DGM_TRY(add_sentence(&corpus->source, &random));
        DGM_TRY(add_sentence(&corpus->target, &random));
    }
    return DGM_OK;
}

static dgm_status write_cache(const char *path)
{
    struct dgm_text_cache_writer writer;
    struct dgm_corpus corpus;
    dgm_status status;

    memset(&corpus, 0, sizeof corpus);
    memset(&writer, 0, sizeof writer);
    DGM_TRY_OUT(make_corpus(&corpus));
    DGM_TRY_OUT(dgm_reserve(&env, &corpus.parts, &corpus.part_capacity, 1, sizeof *corpus.parts));
    corpus.part_count = 1;
    corpus.parts[0].lines = corpus.parts[0].pairs = corpus.lines = PAIRS;
    DGM_TRY_OUT(dgm_text_cache_writer_open(&env, &writer, path, DGM_TEXT_BLOCK_BYTES));
    DGM_TRY_OUT(dgm_text_cache_writer_add(&env, &writer, &corpus));
    status = dgm_text_cache_writer_close(&env, &writer, &corpus, "bench = 1\n");
out:
    dgm_text_cache_writer_abandon(&env, &writer);
    dgm_corpus_clear(&env, &corpus);
    return status;
}

static dgm_status open_cache(const char *path)
{
    const struct dgm_text_limits limits = { { IDS, IDS }, { 1, 1, 1, 1 } };
    char why[DGM_TEXT_CACHE_WHY];

    DGM_TRY(write_cache(path));
    DGM_TRY(dgm_text_cache_open(&env, &cache, path, "bench = 1\n", &limits, why));
    return dgm_windows_init(&env, &windows, &cache, &window, NULL, WINDOW);
}

/* The pairs of the present window, in batches, as updates take them. */
static dgm_status pack_batches(struct dgm_batch *batch)
{
    for (int64_t b = 0; b < order.batches; b++)
        DGM_TRY(dgm_order_batch(&env, &order, &window, b, batch));
    return DGM_OK;
}

static dgm_status run(const struct dgm_order_options *options, struct dgm_batch *batch)
{
    int fits;

    DGM_TRY(dgm_windows_begin(&env, &windows, &order, &window, options, 1));
    bench_flops(1e3 * (double)order.pair_count);
    bench_case("read");
    while (bench_again())
        for (size_t b = 0; b < cache.count / (size_t)windows.count; b++) {
            dgm_packed_reset(&window.source);
            dgm_packed_reset(&window.target);
            DGM_TRY(dgm_text_cache_read(&env, &cache, b, &window));
        }
    bench_case("shuffled");
    while (bench_again())
        DGM_TRY(dgm_windows_begin(&env, &windows, &order, &window, options, 1));
    bench_case("resumed");
    while (bench_again())
        DGM_TRY(dgm_windows_seek(&env, &windows, &order, &window, options, 1, PAIRS, PAIRS, &fits));
    bench_case("batches");
    while (bench_again()) {
        DGM_TRY(dgm_windows_begin(&env, &windows, &order, &window, options, 1));
        DGM_TRY(pack_batches(batch));
    }
    return DGM_OK;
}

BENCH(text_cache)
{
    const struct dgm_order_options options = { .seed = 1, .batch_tokens = 4096, .parse_ratio = 1 };
    const char *folder = getenv("TMPDIR");
    struct dgm_batch batch;
    char path[1024];

    memset(&batch, 0, sizeof batch);
    dgm_env_init(&env);
    snprintf(path, sizeof path, "%s/dragoman-bench-%ld.cache", folder != NULL ? folder : "/tmp",
             (long)getpid());
    if (open_cache(path) != DGM_OK || run(&options, &batch) != DGM_OK)
        printf("%s\n", env.error.message);
    dgm_batch_clear(&env, &batch);
    dgm_order_clear(&env, &order);
    dgm_windows_clear(&env, &windows);
    dgm_text_cache_close(&env, &cache);
    dgm_corpus_clear(&env, &window);
    remove(path);
}
