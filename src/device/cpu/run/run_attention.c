/*
 * run_attention.c: the attention core on the CPU: a batch is cut into (sentence, head) units, and
 * these, sentence by sentence, into chunks of about equal work.
 *
 * No two units write the same place but for the gradients of relation tables: every chunk sums
 * those in memory of its own, and the chunks are added up in their order.
 */
#include <string.h>

#include "device/cpu/attention_units.h"

enum {
    CHUNKS = 64,       /* at most; more than any machine that this is tuned for has processors */
    CHUNK_WORK = 16384 /* at least, in multiplications of the scores: some microseconds */
};

struct job {
    const struct dgm_cpu *cpu;
    void (*kernel)(const struct dgm_attention_block *block);
    struct dgm_cpu_attention batch;
    size_t scratch_bytes;
    dgm_real *partials; /* (chunks, partial_size): gradients of the tables */
    int64_t partial_size;
    int64_t chunks, start[CHUNKS + 1]; /* first unit of each chunk */
};

static int64_t work_of(const struct dgm_cpu_attention *batch, int64_t sentence)
{
    return (dgm_cpu_attention_queries(batch, sentence) * batch->k_counts[sentence] + 1) *
           batch->core.head_dim;
}

/* Chunk c begins with the unit before which c / chunks of the work is done. */
static void cut(struct job *job)
{
    int64_t heads = job->batch.core.heads, units = job->batch.core.sentences * heads;
    int64_t total = 0, done = 0, s, u, c = 0;

    for (s = 0; s < job->batch.core.sentences; s++)
        total += work_of(&job->batch, s) * heads;
    job->chunks = dgm_cpu_min(dgm_cpu_min(dgm_cpu_chunks(total, CHUNK_WORK), CHUNKS), units);
    for (u = 0; u < units; u++) {
        /* Some unit means some work and so some chunk: work_of is never 0. */
        while (c < job->chunks && done >= total / job->chunks * c)
            job->start[c++] = u;
        done += work_of(&job->batch, u / heads);
    }
    while (c <= job->chunks)
        job->start[c++] = units;
}

static void find_scratch(struct job *job)
{
    const struct dgm_attention_block *b = &job->batch.whole;
    int64_t dim = b->dim > job->batch.parser.dim ? b->dim : job->batch.parser.dim, longest = 0, s;

    for (s = 0; s < job->batch.core.sentences; s++)
        if (job->batch.k_counts[s] > longest)
            longest = job->batch.k_counts[s];
    job->scratch_bytes =
        (size_t)dgm_attention_scratch(longest, dim, b->dim_v, b->relations[0].count,
                                      b->relations[1].count) *
        sizeof(dgm_real);
}

/* Takes the elements of one table from a chunk's partial sums. */
static dgm_real *take_partial(dgm_real **partial, const dgm_real *wanted, int64_t size)
{
    dgm_real *part = *partial;

    if (wanted == NULL || part == NULL)
        return NULL;
    *partial += size;
    return part;
}

static void aim_partials(struct dgm_attention_block *b, dgm_real *partial)
{
    int t;

    for (t = 0; t < 2; t++) {
        struct dgm_attention_relation *r = &b->relations[t];
        r->dkey = take_partial(&partial, r->dkey, r->count * b->dim);
        r->dvalue = take_partial(&partial, r->dvalue, r->count * b->dim_v);
    }
}

static void run_chunk(void *data, int64_t chunk, int worker)
{
    const struct job *job = data;
    dgm_real *scratch = dgm_cpu_scratch(job->cpu, worker, job->scratch_bytes);
    dgm_real *partial = NULL;
    int64_t unit;

    if (job->partials != NULL) {
        partial = job->partials + chunk * job->partial_size;
        memset(partial, 0, (size_t)job->partial_size * sizeof *partial);
    }
    for (unit = job->start[chunk]; unit < job->start[chunk + 1]; unit++) {
        struct dgm_attention_block b = job->batch.whole;
        b.scratch = scratch;
        aim_partials(&b, partial);
        dgm_cpu_attention_unit(&job->batch, unit, &b);
        job->kernel(&b);
    }
}

dgm_status dgm_cpu_run_attention_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_attention_forward_job task = dgm_cpu_open_attention_forward(args);
    struct job job = { 0 };

    job.cpu = cpu;
    dgm_cpu_attention_open(&job.batch, &task.core, &task.in);
    job.batch.whole.z = task.z;
    job.batch.whole.lse = task.lse;
    job.kernel = cpu->kernels->attention->forward;
    cut(&job);
    find_scratch(&job);
    DGM_TRY(dgm_cpu_reserve(env, cpu, job.scratch_bytes));
    dgm_pool_run(cpu->pool, run_chunk, &job, job.chunks);
    return DGM_OK;
}

static void open_parser_grads(struct job *job, const struct dgm_attention_backward_job *task)
{
    job->batch.parser.dq = task->dparser_q;
    job->batch.parser.dk = task->dparser_k;
    job->batch.parser.lddq = task->ld_dparser_q;
    job->batch.parser.lddk = task->ld_dparser_k;
    job->batch.parser.accumulate_q = task->accumulate_parser_q;
    job->batch.parser.accumulate_k = task->accumulate_parser_k;
}

static void open_backward(struct job *job, const struct dgm_attention_backward_job *task)
{
    struct dgm_attention_block *b = &job->batch.whole;
    int t;

    b->dz = task->dz;
    b->dq = task->dq;
    b->dk = task->dk;
    b->dv = task->dv;
    b->dcenter = task->dcenter;
    b->dwindow = task->dwindow;
    b->lddz = task->lddz;
    b->lddq = task->lddq;
    b->lddk = task->lddk;
    b->lddv = task->lddv;
    b->accumulate_q = task->accumulate_q;
    b->accumulate_k = task->accumulate_k;
    b->accumulate_v = task->accumulate_v;
    b->accumulate_center = task->accumulate_center;
    b->accumulate_window = task->accumulate_window;
    for (t = 0; t < 2; t++) {
        struct dgm_attention_relation *r = &b->relations[t];
        r->dkey = r->key != NULL ? task->dkey_table[t] : NULL;
        r->dvalue = r->value != NULL ? task->dvalue_table[t] : NULL;
        job->partial_size += r->dkey != NULL ? r->count * b->dim : 0;
        job->partial_size += r->dvalue != NULL ? r->count * b->dim_v : 0;
    }
    open_parser_grads(job, task);
}

/* table += the part of it in every chunk's partial sums, chunk after chunk. */
static void add_partials(const struct job *job, dgm_real *table, dgm_real *first, int64_t size)
{
    int64_t c;

    for (c = 0; c < job->chunks; c++)
        job->cpu->kernels->math->add(table, table, first + c * job->partial_size, size);
}

static void finish_tables(const struct job *job)
{
    struct dgm_attention_block parts = job->batch.whole;
    int t;

    aim_partials(&parts, job->partials);
    for (t = 0; t < 2; t++) {
        const struct dgm_attention_relation *whole = &job->batch.whole.relations[t];
        /* NULL where not wanted; else in the first chunk's sums. */
        const struct dgm_attention_relation *part = &parts.relations[t];
        if (part->dkey != NULL)
            add_partials(job, whole->dkey, part->dkey, whole->count * parts.dim);
        if (part->dvalue != NULL)
            add_partials(job, whole->dvalue, part->dvalue, whole->count * parts.dim_v);
    }
}

dgm_status dgm_cpu_run_attention_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                          const void *args)
{
    const struct dgm_attention_backward_args *backward = args;
    const struct dgm_attention_backward_job task = dgm_cpu_open_attention_backward(backward);
    struct job job = { 0 };
    void *partials;

    job.cpu = cpu;
    dgm_cpu_attention_open(&job.batch, &task.core, &task.in);
    open_backward(&job, &task);
    job.batch.whole.lse = dgm_cpu_at(backward->lse); /* writable for forward's sake */
    job.kernel = cpu->kernels->attention->backward;
    cut(&job);
    find_scratch(&job);
    DGM_TRY(dgm_cpu_reserve(env, cpu, job.scratch_bytes));
    if (job.partial_size > 0) {
        size_t bytes = (size_t)(job.chunks * job.partial_size) * sizeof(dgm_real);
        DGM_TRY(dgm_cpu_reserve_shared(env, cpu, &partials, bytes));
        job.partials = partials;
    }
    dgm_pool_run(cpu->pool, run_chunk, &job, job.chunks);
    if (job.partials != NULL)
        finish_tables(&job);
    return DGM_OK;
}
