/*
 * gemm_peers.c: our matrix product beside OpenBLAS, BLIS and oneDNN, in one run.
 *
 * Built and run by scripts/peers/products.sh only. Each library is opened with dlopen; one that
 * is absent is left out. For every shape the contenders take turns for several rounds, so that a
 * busy moment of the machine hits all of them; the best round counts, and the ratio ours / best
 * peer is printed with the median of the rounds' own ratios. Cold shapes walk through weights
 * that fit into no cache, as a decoder's do.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/device.h"
#include "device/task.h"

enum { ROUNDS = 9, PEERS = 3, COLD_BYTES = 128 << 20 };

typedef void cblas_fn(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a,
                      int lda, const float *b, int ldb, float beta, float *c, int ldc);
typedef int dnnl_fn(char ta, char tb, int64_t m, int64_t n, int64_t k, float alpha, const float *a,
                    int64_t lda, const float *b, int64_t ldb, float beta, float *c, int64_t ldc);

struct shape {
    int m, n, k;
    enum dgm_gemm_form form;
    int cold;
};

struct peer {
    const char *name, *file;
    const char *threads_symbol;
    cblas_fn *cblas;
    dnnl_fn *dnnl;
};

struct contest {
    struct dgm_env env;
    struct dgm_device *device;
    int threads;
    struct peer peers[PEERS];
    struct dgm_ref a, b, c;
    float *host_a, *host_b, *host_c;
    size_t weights; /* copies of b to walk through */
    size_t turn;
};

static const struct shape shapes[] = {
    { 1024, 128, 128, DGM_NT, 0 },   { 4096, 128, 128, DGM_NT, 0 },
    { 2048, 256, 256, DGM_NT, 0 },   { 4096, 256, 256, DGM_NT, 0 },
    { 2048, 512, 256, DGM_NT, 0 },   { 2048, 256, 512, DGM_NT, 0 },
    { 4096, 512, 512, DGM_NT, 0 },   { 1000, 384, 128, DGM_NT, 0 },
    { 1024, 128, 128, DGM_NN, 0 },   { 2048, 256, 256, DGM_NN, 0 },
    { 2048, 512, 256, DGM_NN, 0 },   { 2048, 256, 512, DGM_NN, 0 },
    { 4096, 512, 512, DGM_NN, 0 },   { 128, 128, 1000, DGM_TN, 0 },
    { 256, 256, 2048, DGM_TN, 0 },   { 512, 256, 2048, DGM_TN, 0 },
    { 256, 512, 4096, DGM_TN, 0 },   { 512, 512, 4096, DGM_TN, 0 },
    { 1000, 10000, 128, DGM_NT, 0 }, { 1000, 10000, 512, DGM_NT, 0 },
    { 1000, 256, 10000, DGM_NN, 0 }, { 1000, 512, 10000, DGM_NN, 0 },
    { 10000, 256, 1000, DGM_TN, 0 }, { 512, 512, 512, DGM_NN, 0 },
    { 512, 512, 512, DGM_NT, 0 },    { 512, 512, 512, DGM_TN, 0 },
    { 2048, 2048, 2048, DGM_NN, 0 }, { 2048, 2048, 2048, DGM_NT, 0 },
    { 2048, 2048, 2048, DGM_TN, 0 }, { 1, 512, 512, DGM_NT, 1 },
    { 5, 256, 256, DGM_NT, 1 },      { 5, 512, 512, DGM_NT, 1 },
    { 5, 2048, 512, DGM_NT, 1 },     { 5, 512, 2048, DGM_NT, 1 },
    { 5, 10000, 512, DGM_NT, 1 },    { 5, 10000, 128, DGM_NT, 1 },
    { 12, 512, 512, DGM_NT, 1 },     { 20, 512, 512, DGM_NT, 1 },
    { 40, 512, 512, DGM_NT, 1 },     { 40, 10000, 256, DGM_NT, 1 },
};

/* On one thread the processor's time, which other programs disturb less. */
static double now(const struct contest *contest)
{
    struct timespec t;

    clock_gettime(contest->threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void find(void *library, const char *symbol, void *function)
{
    void *address = dlsym(library, symbol);

    memcpy(function, &address, sizeof address);
}

static void open_peers(struct contest *contest)
{
    static const struct peer known[PEERS] = {
        { "OpenBLAS", "libopenblas.so.0", "openblas_set_num_threads", NULL, NULL },
        { "BLIS", "libblis.so.4", "bli_thread_set_num_threads", NULL, NULL },
        { "oneDNN", "libdnnl.so.2", "omp_set_num_threads", NULL, NULL },
    };

    for (int p = 0; p < PEERS; p++) {
        struct peer *peer = &contest->peers[p];
        void (*set_int)(int) = NULL;
        void (*set_long)(long long) = NULL;
        void *library;

        *peer = known[p];
        library = dlopen(peer->file, RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            printf("%s: not here\n", peer->name);
            continue;
        }
        find(library, p == 2 ? "dnnl_sgemm" : "cblas_sgemm",
             p == 2 ? (void *)&peer->dnnl : (void *)&peer->cblas);
        find(library, peer->threads_symbol, p == 1 ? (void *)&set_long : (void *)&set_int);
        if (set_int)
            set_int(contest->threads);
        if (set_long)
            set_long(contest->threads);
    }
}

static struct dgm_gemm_args args_of(const struct contest *contest, const struct shape *shape)
{
    struct dgm_gemm_args args = { 0 };

    args.c = contest->c;
    args.a = contest->a;
    args.b = contest->b;
    args.form = shape->form;
    args.m = shape->m;
    args.n = shape->n;
    args.k = shape->k;
    args.lda = shape->form == DGM_TN ? shape->m : shape->k;
    args.ldb = shape->form == DGM_NT ? shape->k : shape->n;
    args.ldc = shape->n;
    args.batch = 1;
    args.alpha = 1;
    args.beta = shape->form == DGM_TN ? 1 : 0;
    return args;
}

/* One product; `who` is a peer, or PEERS for us. */
static void multiply(struct contest *contest, const struct shape *shape, int who)
{
    struct dgm_gemm_args args = args_of(contest, shape);
    size_t skip = contest->turn++ % contest->weights * (size_t)shape->n * (size_t)shape->k;
    const float *b = contest->host_b + skip;
    const struct peer *peer = &contest->peers[who < PEERS ? who : 0];
    int ta = shape->form == DGM_TN, tb = shape->form == DGM_NT;

    if (who == PEERS) {
        args.b = dgm_ref_at(args.b, skip * sizeof(float));
        if (dgm_device_run(&contest->env, contest->device, DGM_TASK_gemm, &args) != DGM_OK)
            exit(1);
    } else if (peer->dnnl) {
        peer->dnnl(ta ? 'T' : 'N', tb ? 'T' : 'N', args.m, args.n, args.k, 1, contest->host_a,
                   args.lda, b, args.ldb, args.beta, contest->host_c, args.ldc);
    } else {
        peer->cblas(101, ta ? 112 : 111, tb ? 112 : 111, (int)args.m, (int)args.n, (int)args.k, 1,
                    contest->host_a, (int)args.lda, b, (int)args.ldb, args.beta, contest->host_c,
                    (int)args.ldc);
    }
}

/* Seconds of one product, the best of a few short measurements. */
static double measure(struct contest *contest, const struct shape *shape, int who)
{
    const struct timespec quiet = { 0, 30000000 };
    const double work = 2.0 * shape->m * shape->n * shape->k;
    const int count = (int)(2e8 / work) + 1;
    double best = 1e9;

    nanosleep(&quiet, NULL); /* until the threads of the last one have stopped spinning */
    multiply(contest, shape, who);
    for (int r = 0; r < 5; r++) {
        double start = now(contest), one;

        for (int i = 0; i < count; i++)
            multiply(contest, shape, who);
        one = (now(contest) - start) / count;
        best = one < best ? one : best;
    }
    return best;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void compete(struct contest *contest, const struct shape *shape)
{
    static const char *const forms[] = { "NN", "NT", "TN" };
    const double work = 2e-9 * shape->m * shape->n * shape->k;
    double best[PEERS + 1], ratios[ROUNDS], peer_best = 0;

    contest->weights =
        shape->cold ? COLD_BYTES / sizeof(float) / ((size_t)shape->n * (size_t)shape->k) : 1;
    for (int who = 0; who <= PEERS; who++)
        best[who] = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double fastest = 1e9;

        for (int who = 0; who <= PEERS; who++) {
            double seconds;

            if (who < PEERS && !contest->peers[who].cblas && !contest->peers[who].dnnl)
                continue;
            seconds = measure(contest, shape, who);
            best[who] = seconds < best[who] ? seconds : best[who];
            if (who < PEERS)
                fastest = seconds < fastest ? seconds : fastest;
            else
                ratios[round] = fastest / seconds;
        }
    }
    qsort(ratios, ROUNDS, sizeof ratios[0], ascending);
    printf("%5d x %5d x %5d  %s %s", shape->m, shape->n, shape->k, forms[shape->form],
           shape->cold ? "cold" : "    ");
    for (int who = 0; who <= PEERS; who++) {
        printf(" %8.1f", work / best[who]);
        if (who < PEERS && work / best[who] > peer_best)
            peer_best = work / best[who];
    }
    printf("   %5.2f %5.2f\n", work / best[PEERS] / peer_best, ratios[ROUNDS / 2]);
    fflush(stdout);
}

static float *filled(struct contest *contest, struct dgm_ref *ref, size_t count)
{
    float *host = malloc(count * sizeof *host);
    uint32_t state = 1;

    ref->offset = 0;
    if (!host || dgm_device_alloc(&contest->env, contest->device, &ref->buffer,
                                  count * sizeof *host) != DGM_OK)
        exit(1);
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        host[i] = (float)(state >> 8) / 16777216.0f - 0.5f;
    }
    if (dgm_device_write(&contest->env, contest->device, *ref, host, count * sizeof *host) !=
        DGM_OK)
        exit(1);
    return host;
}

/* gemm_peers [threads [form]]: all shapes, or only those of NN, NT, TN or cold. */
int main(int argc, char **argv)
{
    static const char *const forms[] = { "NN", "NT", "TN" };
    static struct contest contest;
    struct dgm_device_options options = { .threads = 1 };

    options.threads = argc > 1 ? atoi(argv[1]) : 1;
    dgm_env_init(&contest.env);
    if (dgm_device_open(&contest.env, &contest.device, "cpu", &options) != DGM_OK)
        return 1;
    contest.threads = options.threads;
    open_peers(&contest);
    contest.host_a = filled(&contest, &contest.a, (size_t)10000 * 2048);
    contest.host_b = filled(&contest, &contest.b, COLD_BYTES / sizeof(float));
    contest.host_c = filled(&contest, &contest.c, (size_t)10000 * 2048);
    printf("%s; GFLOP/s\n    m       n       k            OpenBLAS     BLIS   oneDNN     ours"
           "   ratio (median)\n",
           contest.device->title);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (argc < 3 || (strcmp(argv[2], "cold") == 0
                             ? shapes[i].cold
                             : !shapes[i].cold && strcmp(argv[2], forms[shapes[i].form]) == 0))
            compete(&contest, &shapes[i]);
    return 0;
}
