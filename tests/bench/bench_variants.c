/*
 * bench_variants.c: every variant of self-attention against the plain Transformer: one update of
 * 1,536 tokens, and a search with beam 5 over 24 sentences, in the shape of recipe multi30k-tiny.
 *
 * Other programs slow a machine down by more than a variant does. So plain model and variant run in
 * turn, one thread each, and what counts is the median over such pairs of the ratio of their
 * processor times. The first row is the plain model against itself: what remains of noise.
 * VARIANT=text runs those whose name contains the text, ROUNDS=n pairs of each, TOKENS=n makes
 * batches of that size (the recipe's is 4,096, and takes longer).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"
#include "bench/bench_variants.h"

static const struct variant {
    const char *name, *syntax;
} variants[] = {
    { "plain, again", "none" },
    { "shaw, k = 16", "shaw(k=16)" },
    { "depth", "depth" },
    { "depth+shaw, k = 2", "depth+shaw(k=2,sides=enc)" },
    { "dbsa, encoder", "dbsa(dec-layer=0)" },
    { "dbsa, decoder", "dbsa(enc-layer=0)" },
    { "dbsa, both", "dbsa" },
    { "lisa", "lisa" },
    { "pascal", "pascal" },
    { "pascal, ignoring", "pascal(parent-ignoring=0.4)" },
    { "deps-san", "deps-san" },
    { "deps-san, RS", "deps-san(rs-q=0.1)" },
    { "deps-san, Wink", "deps-san(wink-k=2)" },
    { "localness, fixed", "localness(type=fixed)" },
    { "localness, layer", "localness(type=layer)" },
    { "localness, query", "localness(type=query)" },
    { "context, global", "context(type=global)" },
    { "context, deep", "context(type=deep)" },
    { "context, deep global", "context(type=deep_global)" },
    { "sgsa, one graph", "sgsa(m=0)" },
    { "sgsa, m = 2, highway", "sgsa" },
    { "sgsa, m = 2, linear", "sgsa(fusion=linear)" },
    { "sgsa, m = 2, average", "sgsa(fusion=average)" },
    { "tags", "tags(dim=10)" },
};

enum { ROUNDS = 3, MOST_ROUNDS = 1000, TOKENS = 1536, MOST_TOKENS = 100000, TRANSLATED = 24 };

/* Seconds of this process alone. */
static double processor_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

typedef void work(struct bench_model *model, const struct dgm_batch *batch);

static double measure(work *run, struct bench_model *model, const struct dgm_batch *batch)
{
    double start = processor_seconds();

    run(model, batch);
    return processor_seconds() - start;
}

/* The median time of a variant's round, and of its ratio to the plain one beside it. The order
 * alternates, so that a machine that grows slower or faster favours nobody. */
static void compare_models(struct bench_model *const models[2], work *run,
                           const struct dgm_batch *batch, int rounds, double *seconds,
                           double *ratio)
{
    static double times[MOST_ROUNDS], ratios[MOST_ROUNDS];
    int r;

    run(models[1], batch); /* sizes buffers */
    for (r = 0; r < rounds; r++) {
        double spent[2];
        spent[r & 1] = measure(run, models[r & 1], batch);
        spent[!(r & 1)] = measure(run, models[!(r & 1)], batch);
        times[r] = spent[1];
        ratios[r] = spent[1] / spent[0];
    }
    *seconds = median(times, rounds);
    *ratio = median(ratios, rounds);
}

/* What the environment wants, 1 to most, or else the usual. */
static int wanted(const char *name, int usual, int most)
{
    const char *text = getenv(name);
    int count = text != NULL ? atoi(text) : 0;

    return count < 1 ? usual : count > most ? most : count;
}

static void run_variant(const struct variant *variant, struct bench_model *plain,
                        const struct dgm_batch *train, const struct dgm_batch *translate)
{
    static struct bench_model model;
    struct bench_model *models[2];
    double seconds[2], ratio[2];
    int rounds = wanted("ROUNDS", ROUNDS, MOST_ROUNDS);

    models[0] = plain;
    models[1] = &model;
    bench_model_open(&model, variant->syntax);
    compare_models(models, bench_model_train, train, rounds, &seconds[0], &ratio[0]);
    compare_models(models, bench_model_translate, translate, rounds, &seconds[1], &ratio[1]);
    printf("%-22s %10lld %10.1f %8.3f %10.1f %8.3f\n", variant->name,
           (long long)dgm_params_count(&model.net.params), 1e3 * seconds[0], ratio[0],
           1e3 * seconds[1], ratio[1]);
    fflush(stdout);
    bench_model_close(&model);
}

BENCH(variants)
{
    const char *only = getenv("VARIANT");
    static struct bench_model plain;
    struct dgm_batch train, translate;
    size_t i;

    bench_model_open(&plain, "none");
    bench_pairs(&plain.env, &train, wanted("TOKENS", TOKENS, MOST_TOKENS), MOST_TOKENS);
    bench_pairs(&plain.env, &translate, MOST_TOKENS, TRANSLATED);
    dgm_packed_clear(&plain.env, &translate.target);
    bench_model_train(&plain, &train);
    bench_model_translate(&plain, &translate);
    printf("%-22s %10s %10s %8s %10s %8s\n", "variant", "parameters", "train ms", "ratio",
           "decode ms", "ratio");
    for (i = 0; i < sizeof variants / sizeof variants[0]; i++)
        if (only == NULL || strstr(variants[i].name, only) != NULL)
            run_variant(&variants[i], &plain, &train, &translate);
    dgm_batch_clear(&plain.env, &train);
    dgm_batch_clear(&plain.env, &translate);
    bench_model_close(&plain);
}
