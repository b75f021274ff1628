/*
 * bench_tree_rnn.c: every recurrent encoder of Yang, Wong, Chao, Zhang 2019 against the sequential
 * one: an update of 50 sentences of 15 to 50 words, and a search with beam 5 over 10 of them.
 *
 * States and embeddings of 500 numbers and 30,000 words on each side, as in the paper; two threads.
 * The two models run in turn, and what counts is the median over such pairs of the ratio of their
 * times: of the process's processor time (other programs disturb it least), and of the time on the
 * wall. The first row is the sequential model against itself: what remains of noise. MODEL=text
 * runs those whose name contains the text; ROUNDS, VOCAB, THREADS and SENTENCES are numbers of
 * their own; WORK=train or WORK=decode leaves the other out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/philox.h"
#include "bench/bench.h"
#include "bench/bench_variants.h"

enum { SEQUENTIAL = 1, SEQUENTIAL_DEPENDENCY, LEXICALIZED, CONSTITUENCY }; /* encoder_list.h */

static const struct kind {
    const char *name;
    int encoder, dim, birnn, dynamic;
} kinds[] = {
    { "sequential, again", SEQUENTIAL, 500, 1, 0 },
    { "sequential, 750", SEQUENTIAL, 750, 1, 0 },
    { "constituency", CONSTITUENCY, 500, 1, 0 },
    { "constituency, without", CONSTITUENCY, 500, 0, 0 },
    { "constituency, dynamic", CONSTITUENCY, 500, 1, 100 },
    { "dependency", SEQUENTIAL_DEPENDENCY, 500, 1, 0 },
    { "dependency, without", SEQUENTIAL_DEPENDENCY, 500, 0, 0 },
    { "lexicalized", LEXICALIZED, 500, 1, 0 },
    { "lexicalized, without", LEXICALIZED, 500, 0, 0 },
    { "lexicalized, dynamic", LEXICALIZED, 500, 1, 100 },
};

enum {
    ROUNDS = 3,
    MOST_ROUNDS = 100,
    VOCAB = 30000,
    SHORTEST = 15,
    LONGEST = 50,
    SENTENCES = 50,
    TRANSLATED = 10,
    TOKENS = 32
};

static void must(dgm_status status)
{
    if (status != DGM_OK)
        abort();
}

/* What the environment wants, from 1, or else the usual. */
static int wanted(const char *name, int usual, int most)
{
    const char *text = getenv(name);
    int count = text != NULL ? atoi(text) : 0;

    return count < 1 ? usual : count > most ? most : count;
}

/* ---- sentences ------------------------------------------------------------------------------- */

/* Words from .. to-1 depend on `head` or on each other, without crossing: about as deep as the
 * trees of a parser. */
static void draw_heads(struct dgm_random *random, int32_t *heads, int32_t from, int32_t to,
                       int32_t head)
{
    while (from < to) {
        const int32_t end =
            head < 0 ? to : from + 1 + (int32_t)dgm_random_below(random, (uint32_t)(to - from));
        const int32_t top = from + (int32_t)dgm_random_below(random, (uint32_t)(end - from));

        heads[top] = head < 0 ? top : head;
        draw_heads(random, heads, from, top, top);
        draw_heads(random, heads, top + 1, end, top);
        from = end;
    }
}

static void add_side(struct dgm_env *env, struct dgm_packed *side, struct dgm_random *random,
                     int vocab)
{
    int32_t ids[LONGEST + 1], word[LONGEST + 1], heads[LONGEST];
    const int32_t words = SHORTEST + (int32_t)dgm_random_below(random, LONGEST - SHORTEST + 1);

    draw_heads(random, heads, 0, words, -1);
    for (int32_t w = 0; w < words; w++) {
        ids[w] = 3 + (int32_t)dgm_random_below(random, (uint32_t)vocab - 3);
        word[w] = w;
    }
    ids[words] = BENCH_EOS;
    word[words] = -1;
    must(dgm_packed_add(env, side, ids, word, words + 1, heads, words));
}

static void draw_batch(struct dgm_env *env, struct dgm_batch *batch, int sentences, int vocab)
{
    struct dgm_packed side[2];
    struct dgm_random random;

    memset(batch, 0, sizeof *batch);
    memset(side, 0, sizeof side);
    dgm_random_init(&random, 1, 90, 0, 0);
    for (int32_t s = 0; s < sentences; s++) {
        add_side(env, &side[0], &random, vocab);
        add_side(env, &side[1], &random, vocab);
        must(dgm_batch_add(env, batch, &side[0], &side[1], s, s));
    }
    dgm_packed_clear(env, &side[0]);
    dgm_packed_clear(env, &side[1]);
}

/* ---- models ---------------------------------------------------------------------------------- */

/* corpora/recipes/dynamic-rnn.conf. */
static struct bench_shape shape_of(const struct kind *kind)
{
    const struct dgm_optimizer_options adadelta = { 0, 0, 1e-6, 0, 1, DGM_ADADELTA, 0.95 };
    struct bench_shape shape;

    memset(&shape, 0, sizeof shape);
    shape.config.encoder = kind->encoder;
    shape.config.decoder = 1;
    shape.config.heads = 1;
    shape.config.dim = shape.config.recurrent.dim = kind->dim;
    shape.config.recurrent.birnn = kind->birnn;
    shape.config.recurrent.dynamic = kind->dynamic;
    shape.config.recurrent.source_end = -1;
    shape.config.max_length = 256;
    shape.config.norm_eps = 1e-5;
    strcpy(shape.config.syntax, "none");
    shape.optimizer = adadelta;
    shape.vocab = wanted("VOCAB", VOCAB, 1000000);
    shape.threads = wanted("THREADS", 2, 64);
    shape.tokens = TOKENS;
    return shape;
}

/* ---- times ----------------------------------------------------------------------------------- */

struct times {
    double processor, wall;
};

static double seconds_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
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

static struct times measure(work *run, struct bench_model *model, const struct dgm_batch *batch)
{
    const double processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    const double wall = seconds_of(CLOCK_MONOTONIC);
    struct times spent;

    run(model, batch);
    spent.processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - processor;
    spent.wall = seconds_of(CLOCK_MONOTONIC) - wall;
    return spent;
}

/* Prints the medians of a model's processor times and times on the wall, and of both ratios; the
 * order within a round alternates. */
static void compare_models(struct bench_model *const models[2], work *run,
                           const struct dgm_batch *batch)
{
    static double times[MOST_ROUNDS], walls[MOST_ROUNDS];
    static double ratios[MOST_ROUNDS], wall_ratios[MOST_ROUNDS];
    const int rounds = wanted("ROUNDS", ROUNDS, MOST_ROUNDS);

    run(models[1], batch); /* sizes buffers */
    for (int r = 0; r < rounds; r++) {
        struct times spent[2];
        spent[r & 1] = measure(run, models[r & 1], batch);
        spent[!(r & 1)] = measure(run, models[!(r & 1)], batch);
        times[r] = spent[1].processor;
        walls[r] = spent[1].wall;
        ratios[r] = spent[1].processor / spent[0].processor;
        wall_ratios[r] = spent[1].wall / spent[0].wall;
    }
    printf(" %9.0f %7.0f %7.3f %7.3f", 1e3 * median(times, rounds), 1e3 * median(walls, rounds),
           median(ratios, rounds), median(wall_ratios, rounds));
    fflush(stdout);
}

static int is_wanted(const char *name, const char *text)
{
    const char *only = getenv(name);

    return only == NULL || strstr(text, only) != NULL;
}

static void run_kind(const struct kind *kind, struct bench_model *sequential,
                     const struct dgm_batch *train, const struct dgm_batch *translate)
{
    static struct bench_model model;
    struct bench_model *const models[2] = { sequential, &model };
    const struct bench_shape shape = shape_of(kind);

    bench_model_open_as(&model, &shape);
    printf("%-22s %10lld", kind->name, (long long)dgm_params_count(&model.net.params));
    if (is_wanted("WORK", "train"))
        compare_models(models, bench_model_train, train);
    if (is_wanted("WORK", "decode"))
        compare_models(models, bench_model_translate, translate);
    printf("\n");
    bench_model_close(&model);
}

BENCH(tree_rnn)
{
    static struct bench_model sequential;
    const struct bench_shape shape = shape_of(&kinds[0]);
    struct dgm_batch train, translate;

    bench_model_open_as(&sequential, &shape);
    draw_batch(&sequential.env, &train, wanted("SENTENCES", SENTENCES, 1000), shape.vocab);
    draw_batch(&sequential.env, &translate, TRANSLATED, shape.vocab);
    dgm_packed_clear(&sequential.env, &translate.target);
    if (is_wanted("WORK", "train"))
        bench_model_train(&sequential, &train);
    if (is_wanted("WORK", "decode"))
        bench_model_translate(&sequential, &translate);
    printf("%-22s %10s %9s %7s %7s %7s %9s %7s %7s %7s\n", "model", "parameters", "train ms",
           "wall ms", "ratio", "wall", "decode ms", "wall ms", "ratio", "wall");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (is_wanted("MODEL", kinds[i].name))
            run_kind(&kinds[i], &sequential, &train, &translate);
    dgm_batch_clear(&sequential.env, &train);
    dgm_batch_clear(&sequential.env, &translate);
    bench_model_close(&sequential);
}
