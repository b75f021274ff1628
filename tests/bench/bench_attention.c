/*
 * bench_attention.c: the attention kernels on one thread: a training batch of 4,096 tokens in
 * sentences of 24, and a decoder's step of many hypotheses. The rate counts the two products of
 * n x m x d_k forward and the five backward; terms and exponentials come on top.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "kernel/kernel.h"

struct batch {
    int64_t sentences, n, m, heads, dim;
    dgm_real *q, *k, *v, *z, *lse, *grads, *tables, *scratch;
    int32_t *places;
    dgm_real *factor[2], *center, *window;
    unsigned char *ignored;
    int32_t *forced;
    struct dgm_attention_relation relation;
    dgm_real rate;
    int causal;
};

static void *room(int64_t count, size_t size)
{
    void *block = calloc((size_t)count + 1, size);

    if (block == NULL)
        abort();
    return block;
}

static dgm_real *noise(int64_t count, unsigned seed)
{
    dgm_real *x = room(count, sizeof *x);
    int64_t i;

    for (i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (dgm_real)((double)(seed >> 8) / 16777216.0 - 0.5);
    }
    return x;
}

static void open_batch(struct batch *b, int64_t sentences, int64_t n, int64_t m, int64_t heads,
                       int64_t dim)
{
    int64_t width = heads * dim, rows = sentences * n, keys = sentences * m, i;

    memset(b, 0, sizeof *b);
    b->sentences = sentences;
    b->n = n;
    b->m = m;
    b->heads = heads;
    b->dim = dim;
    b->q = noise(rows * width, 1);
    b->k = noise(keys * width, 2);
    b->v = noise(keys * width, 3);
    b->z = noise(rows * width, 4);
    b->lse = room(rows * heads, sizeof *b->lse);
    b->grads = room((rows + 2 * keys) * width, sizeof *b->grads);
    b->tables = noise(4 * 33 * dim, 5);
    b->scratch = room(dgm_attention_scratch(m, dim, dim, 33, 0) + 16, sizeof *b->scratch);
    b->scratch += (64 - (uintptr_t)b->scratch % 64) % 64 / sizeof *b->scratch;
    b->places = room(2 * rows, sizeof *b->places);
    for (i = 0; i < rows; i++) {
        b->places[2 * i] = (int32_t)(i / n);
        b->places[2 * i + 1] = (int32_t)(i % n);
    }
}

static void add_shaw(struct batch *b)
{
    b->relation.count = 33;
    b->relation.clip = 16;
    b->relation.key = b->tables;
    b->relation.value = b->tables + 33 * b->dim;
    b->relation.dkey = b->tables + 2 * 33 * b->dim;
    b->relation.dvalue = b->tables + 3 * 33 * b->dim;
}

/* The factors of Deps-SAN and, with two, of PASCAL, which some rows ignore. */
static void add_factors(struct batch *b, int count)
{
    int64_t i, cells = b->n * b->heads;

    b->factor[0] = noise(b->n * b->m, 6);
    if (count < 2)
        return;
    b->factor[1] = noise(b->n * b->m, 7);
    b->ignored = room(cells, 1);
    for (i = 0; i < cells; i++)
        b->ignored[i] = i % 3 == 0;
}

static void add_window(struct batch *b)
{
    int64_t i;

    b->center = noise(b->n * b->heads, 8);
    b->window = room(b->n * b->heads, sizeof *b->window);
    for (i = 0; i < b->n * b->heads; i++)
        b->window[i] = 10;
}

static void add_forced(struct batch *b)
{
    int64_t i;

    b->forced = room(b->n, sizeof *b->forced);
    for (i = 0; i < b->n; i++)
        b->forced[i] = (int32_t)(i % 2 ? i / 2 : -1);
}

static struct dgm_attention_block unit(const struct batch *b, int64_t s, int64_t h)
{
    static const uint32_t key[2] = { 1, 2 };
    struct dgm_attention_block block;
    int64_t width = b->heads * b->dim, query = s * b->n * width + h * b->dim;
    int64_t keys = s * b->m * width + h * b->dim;

    memset(&block, 0, sizeof block);
    block.n = b->n;
    block.m = b->m;
    block.dim = block.dim_v = b->dim;
    block.ldq = block.ldk = block.ldv = block.ldz = width;
    block.lddz = block.lddq = block.lddk = block.lddv = width;
    block.q = b->q + query;
    block.k = b->k + keys;
    block.v = b->v + keys;
    block.z = b->z + query;
    block.dz = b->z + query;
    block.scale = (dgm_real)0.125;
    block.causal = b->causal;
    block.relations[0] = b->relation;
    block.factor[0] = b->factor[0];
    block.factor[1] = b->factor[1];
    block.ignored = b->ignored != NULL ? b->ignored + h : NULL;
    block.center = b->center != NULL ? b->center + h : NULL;
    block.window = b->window != NULL ? b->window + h : NULL;
    block.dcenter = b->center != NULL ? b->grads + h : NULL;
    block.dwindow = b->window != NULL ? b->grads + b->n * b->heads + h : NULL;
    block.forced = b->forced;
    block.mask = dgm_mask_make(b->rate, (uint32_t)h, key);
    block.places = b->places + 2 * s * b->n;
    block.lse = b->n > 1 ? b->lse + s * b->n * b->heads + h : NULL;
    block.ld_heads = b->heads;
    block.dq = b->grads + query;
    block.dk = b->grads + b->sentences * b->n * width + keys;
    block.dv = block.dk + b->sentences * b->m * width;
    block.scratch = b->scratch;
    return block;
}

static void run_all(const struct batch *b, void (*kernel)(const struct dgm_attention_block *block))
{
    int64_t s, h;

    for (s = 0; s < b->sentences; s++)
        for (h = 0; h < b->heads; h++) {
            struct dgm_attention_block block = unit(b, s, h);
            kernel(&block);
        }
}

static double products(const struct batch *b)
{
    return 2.0 * (double)(b->sentences * b->heads * b->n * b->m * b->dim);
}

/* Every instruction set, weakest first, but for plain C (too slow to be worth the wait). */
static void forward_cases(const struct batch *b)
{
    size_t i;

    bench_flops(2 * products(b));
    for (i = 1; i < dgm_kernels_count(); i++) {
        if (dgm_kernels_entry(i) == NULL)
            continue;
        bench_case(dgm_kernels_entry(i)->name);
        while (bench_again())
            run_all(b, dgm_kernels_entry(i)->attention->forward);
    }
}

/* Forward and backward, as in training. */
static void training_cases(const struct batch *b)
{
    size_t i;

    bench_flops(7 * products(b));
    for (i = 1; i < dgm_kernels_count(); i++) {
        if (dgm_kernels_entry(i) == NULL)
            continue;
        bench_case(dgm_kernels_entry(i)->name);
        while (bench_again()) {
            run_all(b, dgm_kernels_entry(i)->attention->forward);
            run_all(b, dgm_kernels_entry(i)->attention->backward);
        }
    }
}

BENCH(attention_forward_24_dim_64)
{
    struct batch b;

    open_batch(&b, 171, 24, 24, 8, 64);
    forward_cases(&b);
}

BENCH(attention_training_24_dim_64)
{
    struct batch b;

    open_batch(&b, 171, 24, 24, 8, 64);
    training_cases(&b);
}

BENCH(attention_training_24_dim_16)
{
    struct batch b;

    open_batch(&b, 171, 24, 24, 8, 16);
    training_cases(&b);
}

BENCH(attention_training_24_dim_64_causal_dropout)
{
    struct batch b;

    open_batch(&b, 171, 24, 24, 8, 64);
    b.causal = 1;
    b.rate = (dgm_real)0.1;
    training_cases(&b);
}

BENCH(attention_training_24_dim_64_shaw)
{
    struct batch b;

    open_batch(&b, 171, 24, 24, 8, 64);
    add_shaw(&b);
    training_cases(&b);
}

BENCH(attention_training_24_dim_64_factor)
{
    struct batch b;

    open_batch(&b, 171, 24, 24, 8, 64);
    add_factors(&b, 1);
    training_cases(&b);
}

BENCH(attention_training_24_dim_64_factors)
{
    struct batch b;

    open_batch(&b, 171, 24, 24, 8, 64);
    add_factors(&b, 2);
    training_cases(&b);
}

BENCH(attention_training_24_dim_64_window)
{
    struct batch b;

    open_batch(&b, 171, 24, 24, 8, 64);
    add_window(&b);
    training_cases(&b);
}

BENCH(attention_training_24_dim_64_forced)
{
    struct batch b;

    open_batch(&b, 171, 24, 24, 8, 64);
    add_forced(&b);
    training_cases(&b);
}

BENCH(attention_forward_200_dim_64)
{
    struct batch b;

    open_batch(&b, 20, 200, 200, 8, 64);
    forward_cases(&b);
}

/* 40 hypotheses over 60 keys each, from a cache of their own. */
BENCH(attention_decode_40_by_60_dim_64)
{
    struct batch b;

    open_batch(&b, 40, 1, 60, 8, 64);
    forward_cases(&b);
}
