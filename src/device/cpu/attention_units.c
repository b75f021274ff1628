/*
 * attention_units.c: the operands of an attention task as pointers, and the kernel's block of each
 * sentence and head among them.
 */
#include "device/cpu/attention_units.h"

#include <string.h>

static void open_terms(struct dgm_attention_block *b, const struct dgm_attention *core,
                       const struct dgm_attention_inputs_job *in)
{
    int t;

    b->scale = core->scale;
    b->causal = core->causal;
    b->addend = in->addend;
    b->hidden = in->hidden;
    b->ignored = in->ignored;
    b->center = in->center;
    b->window = in->window;
    b->window_size = core->window_size;
    b->forced = in->forced;
    b->mask = dgm_mask_make(core->drop.rate, core->drop.stream, core->drop.key);
    b->places = in->places;
    for (t = 0; t < 2; t++) {
        b->factor[t] = in->factor[t];
        b->relations[t].count = core->label_count[t];
        b->relations[t].clip = core->clip[t];
        b->relations[t].labels = in->labels[t];
        b->relations[t].key = in->key_table[t];
        b->relations[t].value = in->value_table[t];
    }
}

void dgm_cpu_attention_open(struct dgm_cpu_attention *batch, const struct dgm_attention *core,
                            const struct dgm_attention_inputs_job *in)
{
    struct dgm_attention_block *b = &batch->whole;

    memset(batch, 0, sizeof *batch);
    batch->core = *core;
    batch->q_offsets = in->q_offsets;
    batch->k_starts = in->k_starts;
    batch->k_counts = in->k_counts;
    batch->key_rows = in->key_rows;
    batch->squares = in->squares;
    b->dim = core->head_dim;
    b->dim_v = core->value_dim > 0 ? core->value_dim : core->head_dim;
    b->ldq = core->ldq;
    b->ldk = core->ldk;
    b->ldv = core->ldv;
    b->ldz = core->ldz;
    b->ld_heads = core->heads;
    b->q = in->q;
    b->k = in->k;
    b->v = in->v;
    open_terms(b, core, in);
    batch->parser.dim = core->parser_dim;
    batch->parser.ldq = core->ld_parser_q;
    batch->parser.ldk = core->ld_parser_k;
    batch->parser.q = in->parser_q;
    batch->parser.k = in->parser_k;
}

static dgm_real *moved(dgm_real *p, int64_t elements)
{
    return p != NULL ? p + elements : NULL;
}

static const dgm_real *moved_input(const dgm_real *p, int64_t elements)
{
    return p != NULL ? p + elements : NULL;
}

static const unsigned char *moved_bytes(const unsigned char *p, int64_t elements)
{
    return p != NULL ? p + elements : NULL;
}

/*
 * Matrices of all pairs lie packed, (n,m) of one sentence after the other: moves to one sentence's.
 */
static void select_squares(const struct dgm_cpu_attention *batch, struct dgm_attention_block *b,
                           int64_t s, int64_t h)
{
    int64_t square = batch->squares != NULL ? batch->squares[s] : 0;
    int t;

    b->addend = moved_input(b->addend, square);
    b->hidden = moved_bytes(b->hidden, square);
    for (t = 0; t < 2; t++) {
        int64_t head = h - batch->core.factor_first[t];
        int is_on = head >= 0 && head < batch->core.factor_heads[t];
        b->factor[t] = is_on ? moved_input(b->factor[t], square) : NULL;
        b->relations[t].labels = moved_bytes(b->relations[t].labels, square);
    }
}

/* Element (query, h) of matrices (N,H). */
static void select_head(struct dgm_attention_block *b, int64_t query, int64_t h)
{
    int64_t at = query * b->ld_heads + h;

    b->lse = moved(b->lse, at);
    b->ignored = moved_bytes(b->ignored, at);
    b->center = moved_input(b->center, at);
    b->window = moved_input(b->window, at);
    b->dcenter = moved(b->dcenter, at);
    b->dwindow = moved(b->dwindow, at);
}

static void select_rows(struct dgm_attention_block *b, int64_t query, int64_t key, int64_t h)
{
    int64_t column = h * b->dim, column_v = h * b->dim_v;

    b->q += query * b->ldq + column;
    b->k += key * b->ldk + column;
    b->v += key * b->ldv + column_v;
    b->z = moved(b->z, query * b->ldz + column_v);
    b->dz = moved_input(b->dz, query * b->lddz + column_v);
    b->dq = moved(b->dq, query * b->lddq + column);
    b->dk = moved(b->dk, key * b->lddk + column);
    b->dv = moved(b->dv, key * b->lddv + column_v);
    if (b->places != NULL)
        b->places += 2 * query;
    if (b->forced != NULL)
        b->forced += query;
}

/*
 * The parser head reads neither its own columns of q and k nor centers and windows; other heads do,
 * so their gradients exist and must hold something: zeros, unless the caller accumulates.
 */
static void clear_unread(const struct dgm_attention_block *b)
{
    size_t bytes = (size_t)b->dim * sizeof(dgm_real);
    int64_t i, j;

    for (i = 0; i < b->n; i++) {
        if (b->dq != NULL && !b->accumulate_q)
            memset(b->dq + i * b->lddq, 0, bytes);
        if (b->dcenter != NULL && !b->accumulate_center)
            b->dcenter[i * b->ld_heads] = 0;
        if (b->dwindow != NULL && !b->accumulate_window)
            b->dwindow[i * b->ld_heads] = 0;
    }
    for (j = 0; j < b->m && b->dk != NULL && !b->accumulate_k; j++)
        memset(b->dk + (b->key_rows != NULL ? b->key_rows[j] : j) * b->lddk, 0, bytes);
}

/* The block of the parser head: plain attention with other queries and keys, and scale 1. */
static void become_parser(const struct dgm_cpu_attention *batch, struct dgm_attention_block *b,
                          int64_t query, int64_t key)
{
    const struct dgm_attention_block *parser = &batch->parser;
    int t;

    clear_unread(b);
    b->dim = parser->dim;
    b->ldq = parser->ldq;
    b->ldk = parser->ldk;
    b->lddq = parser->lddq;
    b->lddk = parser->lddk;
    b->q = parser->q + query * b->ldq;
    b->k = parser->k + key * b->ldk;
    b->dq = moved(parser->dq, query * b->lddq);
    b->dk = moved(parser->dk, key * b->lddk);
    b->accumulate_q = parser->accumulate_q;
    b->accumulate_k = parser->accumulate_k;
    b->scale = 1;
    b->addend = b->center = b->window = NULL;
    b->hidden = NULL;
    b->dcenter = b->dwindow = NULL;
    for (t = 0; t < 2; t++) {
        b->factor[t] = b->relations[t].key = NULL;
        b->relations[t].dkey = NULL;
    }
}

void dgm_cpu_attention_unit(const struct dgm_cpu_attention *batch, int64_t unit,
                            struct dgm_attention_block *b)
{
    int64_t s = unit / batch->core.heads, h = unit % batch->core.heads;
    /* With key_rows, keys may lie anywhere in k and v: the list says which rows. */
    int64_t query = batch->q_offsets[s], key = batch->key_rows != NULL ? 0 : batch->k_starts[s];

    b->n = dgm_cpu_attention_queries(batch, s);
    b->m = batch->k_counts[s];
    if (batch->key_rows != NULL)
        b->key_rows = batch->key_rows + batch->k_starts[s];
    select_rows(b, query, key, h);
    select_head(b, query, h);
    select_squares(batch, b, s, h);
    /* Heads drop independently: head h has a stream of its own. */
    b->mask.stream += (uint32_t)h;
    if (batch->parser.dim > 0 && h == batch->core.parser_head)
        become_parser(batch, b, query, key);
    else
        b->forced = NULL;
}
