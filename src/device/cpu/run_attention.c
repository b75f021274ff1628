/*
 * run_attention.c: the attention core on the CPU: a batch is cut into (sentence, head) units, and
 * these, sentence by sentence, into chunks of about equal work.
 *
 * No two units write the same place but for the gradients of relation tables: every chunk sums
 * those in memory of its own, and the chunks are added up in their order.
 */
#include <string.h>

#include "device/cpu/cpu.h"

enum {
    CHUNKS = 64,       /* at most; more than any machine that this is tuned for has processors */
    CHUNK_WORK = 16384 /* at least, in multiplications of the scores: some microseconds */
};

/* The batch as it is given: every pointer at its first sentence and head. */
struct job {
    const struct dgm_cpu *cpu;
    void (*kernel)(const struct dgm_attention_block *block);
    struct dgm_attention core;
    struct dgm_attention_block whole;
    const int32_t *q_offsets, *k_starts, *k_counts, *key_rows, *squares;
    size_t scratch_bytes;
    dgm_real *partials; /* (chunks, partial_size): gradients of the tables */
    int64_t partial_size;
    int64_t chunks, start[CHUNKS + 1]; /* first unit of each chunk */
};

/* Inputs that forward and backward pass have in common. */
static void open_job(struct job *job, const struct dgm_cpu *cpu,
                     const struct dgm_attention_forward_args *args)
{
    struct dgm_attention_block *b = &job->whole;
    int t;

    memset(job, 0, sizeof *job);
    job->cpu = cpu;
    job->core = args->core;
    job->q_offsets = dgm_cpu_at(args->q_offsets);
    job->k_starts = dgm_cpu_at(args->k_starts);
    job->k_counts = dgm_cpu_at(args->k_counts);
    job->key_rows = dgm_cpu_at(args->key_rows);
    job->squares = dgm_cpu_at(args->squares);
    b->dim = args->core.head_dim;
    b->ldq = args->core.ldq;
    b->ldk = args->core.ldk;
    b->ldv = args->core.ldv;
    b->ldz = args->core.ldz;
    b->ld_lse = args->core.heads;
    b->q = dgm_cpu_at(args->q);
    b->k = dgm_cpu_at(args->k);
    b->v = dgm_cpu_at(args->v);
    b->scale = args->core.scale;
    b->causal = args->core.causal;
    b->factor = dgm_cpu_at(args->factor);
    b->addend = dgm_cpu_at(args->addend);
    b->hidden = dgm_cpu_at(args->hidden);
    b->mask = dgm_mask_make(args->core.drop.rate, args->core.drop.stream, args->core.drop.key);
    b->places = dgm_cpu_at(args->places);
    b->lse = dgm_cpu_at(args->lse);
    b->z = dgm_cpu_at(args->z);
    for (t = 0; t < 2; t++) {
        b->relations[t].count = args->core.label_count[t];
        b->relations[t].clip = args->core.clip[t];
        b->relations[t].labels = dgm_cpu_at(args->labels[t]);
        b->relations[t].key = dgm_cpu_at(args->key_table[t]);
        b->relations[t].value = dgm_cpu_at(args->value_table[t]);
    }
}

static int64_t query_count(const struct job *job, int64_t sentence)
{
    return job->q_offsets[sentence + 1] - job->q_offsets[sentence];
}

static int64_t work_of(const struct job *job, int64_t sentence)
{
    return (query_count(job, sentence) * job->k_counts[sentence] + 1) * job->core.head_dim;
}

/* Chunk c begins with the unit before which c / chunks of the work is done. */
static void cut(struct job *job)
{
    int64_t heads = job->core.heads, units = job->core.sentences * heads, total = 0, done = 0;
    int64_t s, u, c = 0;

    for (s = 0; s < job->core.sentences; s++)
        total += work_of(job, s) * heads;
    job->chunks = dgm_cpu_min(dgm_cpu_min(dgm_cpu_chunks(total, CHUNK_WORK), CHUNKS), units);
    for (u = 0; u < units; u++) {
        while (c < job->chunks && done >= total / job->chunks * c)
            job->start[c++] = u;
        done += work_of(job, u / heads);
    }
    while (c <= job->chunks)
        job->start[c++] = units;
}

static void find_scratch(struct job *job)
{
    const struct dgm_attention_relation *r = job->whole.relations;
    int64_t longest = 0, s;

    for (s = 0; s < job->core.sentences; s++)
        if (job->k_counts[s] > longest)
            longest = job->k_counts[s];
    job->scratch_bytes = (size_t)dgm_attention_scratch(longest, job->core.head_dim, r[0].count,
                                                       r[1].count) * sizeof(dgm_real);
}

static dgm_real *moved(dgm_real *p, int64_t elements)
{
    return p != NULL ? p + elements : NULL;
}

/* The terms of the whole batch become those of one sentence. */
static void select_terms(const struct job *job, struct dgm_attention_block *b, int64_t sentence)
{
    int64_t square = job->squares != NULL ? job->squares[sentence] : 0;
    int t;

    if (b->factor != NULL)
        b->factor += square;
    if (b->addend != NULL)
        b->addend += square;
    if (b->hidden != NULL)
        b->hidden += square;
    for (t = 0; t < 2; t++)
        if (b->relations[t].labels != NULL)
            b->relations[t].labels += square;
}

static void drop_terms(struct dgm_attention_block *b)
{
    b->factor = b->addend = NULL;
    b->hidden = NULL;
    b->relations[0].count = b->relations[1].count = 0;
}

/* The block of one unit. Gradients of tables still point where those of the batch do. */
static struct dgm_attention_block select_unit(const struct job *job, int64_t unit)
{
    struct dgm_attention_block b = job->whole;
    int64_t s = unit / job->core.heads, h = unit % job->core.heads, column = h * b.dim;
    int64_t query = job->q_offsets[s], key = job->key_rows != NULL ? 0 : job->k_starts[s];

    b.n = query_count(job, s);
    b.m = job->k_counts[s];
    if (job->key_rows != NULL)
        b.key_rows = job->key_rows + job->k_starts[s];
    b.q += query * b.ldq + column;
    b.k += key * b.ldk + column;
    b.v += key * b.ldv + column;
    b.z = moved(b.z, query * b.ldz + column);
    b.lse = moved(b.lse, query * b.ld_lse + h);
    if (b.dz != NULL)
        b.dz += query * b.lddz + column;
    b.dq = moved(b.dq, query * b.lddq + column);
    b.dk = moved(b.dk, key * b.lddk + column);
    b.dv = moved(b.dv, key * b.lddv + column);
    if (b.places != NULL)
        b.places += 2 * query;
    b.mask.stream += (uint32_t)h;
    if (h >= job->core.term_head && h < job->core.term_head + job->core.term_heads)
        select_terms(job, &b, s);
    else
        drop_terms(&b);
    return b;
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
        int64_t size = r->count * b->dim;
        r->dkey = take_partial(&partial, r->dkey, size);
        r->dvalue = take_partial(&partial, r->dvalue, size);
    }
}

static void run_chunk(void *data, int64_t chunk, int worker)
{
    const struct job *job = data;
    dgm_real *scratch = dgm_cpu_scratch(job->cpu, worker, job->scratch_bytes);
    dgm_real *partial = moved(job->partials, chunk * job->partial_size);
    int64_t unit;

    if (partial != NULL)
        memset(partial, 0, (size_t)job->partial_size * sizeof *partial);
    for (unit = job->start[chunk]; unit < job->start[chunk + 1]; unit++) {
        struct dgm_attention_block b = select_unit(job, unit);
        b.scratch = scratch;
        aim_partials(&b, partial);
        job->kernel(&b);
    }
}

dgm_status dgm_cpu_run_attention_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                         const void *args)
{
    struct job job;

    open_job(&job, cpu, args);
    job.kernel = cpu->kernels->attention->forward;
    cut(&job);
    find_scratch(&job);
    DGM_TRY(dgm_cpu_reserve(env, cpu, job.scratch_bytes));
    dgm_pool_run(cpu->pool, run_chunk, &job, job.chunks);
    return DGM_OK;
}

/* The inputs of a backward pass as those of the forward pass it follows. */
static struct dgm_attention_forward_args inputs_of(const struct dgm_attention_backward_args *a)
{
    struct dgm_attention_forward_args inputs;
    int t;

    memset(&inputs, 0, sizeof inputs);
    inputs.lse = a->lse;
    inputs.q = a->q;
    inputs.k = a->k;
    inputs.v = a->v;
    inputs.q_offsets = a->q_offsets;
    inputs.k_starts = a->k_starts;
    inputs.k_counts = a->k_counts;
    inputs.key_rows = a->key_rows;
    inputs.squares = a->squares;
    inputs.places = a->places;
    inputs.factor = a->factor;
    inputs.addend = a->addend;
    inputs.hidden = a->hidden;
    for (t = 0; t < 2; t++) {
        inputs.labels[t] = a->labels[t];
        inputs.key_table[t] = a->key_table[t];
        inputs.value_table[t] = a->value_table[t];
    }
    inputs.core = a->core;
    return inputs;
}

static void open_backward(struct job *job, const struct dgm_attention_backward_args *args)
{
    struct dgm_attention_block *b = &job->whole;
    int t;

    b->dz = dgm_cpu_at(args->dz);
    b->dq = dgm_cpu_at(args->dq);
    b->dk = dgm_cpu_at(args->dk);
    b->dv = dgm_cpu_at(args->dv);
    b->lddz = args->lddz;
    b->lddq = args->lddq;
    b->lddk = args->lddk;
    b->lddv = args->lddv;
    b->accumulate_q = args->accumulate_q;
    b->accumulate_k = args->accumulate_k;
    b->accumulate_v = args->accumulate_v;
    for (t = 0; t < 2; t++) {
        struct dgm_attention_relation *r = &b->relations[t];
        r->dkey = r->key != NULL ? dgm_cpu_at(args->dkey_table[t]) : NULL;
        r->dvalue = r->value != NULL ? dgm_cpu_at(args->dvalue_table[t]) : NULL;
        job->partial_size += r->count * b->dim * ((r->dkey != NULL) + (r->dvalue != NULL));
    }
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
    struct dgm_attention_block parts = job->whole;
    int t;

    aim_partials(&parts, job->partials);
    for (t = 0; t < 2; t++) {
        const struct dgm_attention_relation *whole = &job->whole.relations[t];
        const struct dgm_attention_relation *part = &parts.relations[t];
        int64_t size = whole->count * parts.dim;
        if (part->dkey != NULL)
            add_partials(job, whole->dkey, part->dkey, size);
        if (part->dvalue != NULL)
            add_partials(job, whole->dvalue, part->dvalue, size);
    }
}

dgm_status dgm_cpu_run_attention_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                          const void *args)
{
    struct dgm_attention_forward_args inputs = inputs_of(args);
    struct job job;
    void *partials;

    open_job(&job, cpu, &inputs);
    open_backward(&job, args);
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
