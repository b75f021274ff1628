/*
 * body_attention_sums.h: the two sums that attention is made of, over the vector vocabulary:
 * products of one row with many, and weighted sums of many rows. Included by body_attention.h.
 */
/* The first n of VEC_WIDTH lanes, n >= 1. */
static inline vec attention_load(const float *p, int64_t n)
{
    return n >= VEC_WIDTH ? vec_load(p) : vec_load_part(p, (int)n);
}

static inline void attention_store(float *p, vec x, int64_t n)
{
    if (n >= VEC_WIDTH)
        vec_store(p, x);
    else
        vec_store_part(p, x, (int)n);
}

static inline const float *attention_row(const float *rows, int64_t ld, const int32_t *index,
                                         int64_t i)
{
    return rows + (index != NULL ? index[i] : i) * ld;
}

/*
 * attention_dots, or, with `add`, attention_add_dots. Four rows at a time: each load of x serves
 * all of them, four chains of sums hide the latency of multiply-adds, and the four sums of lanes
 * are taken together (vec_store_sums). Rows beyond the last are the last row again, so that there
 * is no tail to branch to; what they give lies beyond `count`, where out has padding.
 */
static inline void attention_any_dots(float *out, const float *x, const float *rows, int64_t ld,
                                      const int32_t *index, int64_t count, int64_t dim,
                                      const int add)
{
    int64_t whole = dim / VEC_WIDTH * VEC_WIDTH, last = count - 1, j, c;

    for (j = 0; j < count; j += 4) {
        const float *r0 = attention_row(rows, ld, index, j);
        const float *r1 = attention_row(rows, ld, index, j + 1 < last ? j + 1 : last);
        const float *r2 = attention_row(rows, ld, index, j + 2 < last ? j + 2 : last);
        const float *r3 = attention_row(rows, ld, index, j + 3 < last ? j + 3 : last);
        vec s0 = vec_zero(), s1 = vec_zero(), s2 = vec_zero(), s3 = vec_zero();

        for (c = 0; c < whole; c += VEC_WIDTH) {
            vec y = vec_load(x + c);
            s0 = vec_fma(y, vec_load(r0 + c), s0);
            s1 = vec_fma(y, vec_load(r1 + c), s1);
            s2 = vec_fma(y, vec_load(r2 + c), s2);
            s3 = vec_fma(y, vec_load(r3 + c), s3);
        }
        if (whole < dim) {
            int rest = (int)(dim - whole);
            vec y = vec_load_part(x + whole, rest);
            s0 = vec_fma(y, vec_load_part(r0 + whole, rest), s0);
            s1 = vec_fma(y, vec_load_part(r1 + whole, rest), s1);
            s2 = vec_fma(y, vec_load_part(r2 + whole, rest), s2);
            s3 = vec_fma(y, vec_load_part(r3 + whole, rest), s3);
        }
        if (add) {
            float sums[4];
            vec_store_sums(sums, s0, s1, s2, s3);
            for (c = 0; c < 4; c++)
                out[j + c] += sums[c];
        } else {
            vec_store_sums(out + j, s0, s1, s2, s3);
        }
    }
}

/*
 * out[j] = x . row j of `rows` (ld reals apart, or row index[j]), j < count, each in an order
 * that depends on dim alone. Elements of out up to the next multiple of four are written too.
 */
static void attention_dots(float *out, const float *x, const float *rows, int64_t ld,
                           const int32_t *index, int64_t count, int64_t dim)
{
    attention_any_dots(out, x, rows, ld, index, count, dim, 0);
}

/* The same, added to out. */
static void attention_add_dots(float *out, const float *x, const float *rows, int64_t count,
                               int64_t dim)
{
    attention_any_dots(out, x, rows, dim, NULL, count, dim, 1);
}

/* Which sources an output needs, when the weights of all others are zero. */
enum attention_band {
    ATTENTION_ALL,
    ATTENTION_BELOW, /* output a: sources b < edge + a     (a query, its visible keys) */
    ATTENTION_ABOVE  /* output a: sources b > a - edge     (a key, the queries that see it) */
};

/* out row a (+)= sum over b, in order, of w[a step_a + b step_b] times source row b. */
struct attention_mix {
    float *out;
    int64_t ld_out;
    const int32_t *out_index; /* output a is row out_index[a]; NULL: row a */
    const float *w;
    int64_t step_a, step_b;
    const float *source;
    int64_t ld_source;
    const int32_t *source_index;
    int64_t outputs, sources, dim;
    int accumulate;
    enum attention_band band;
    int64_t edge;
};

/*
 * Adding +0 turns -0 into +0. A hidden key has weight 0 and adds 0 or -0 by the sign of its finite
 * value: so whether the band leaves it out or not changes no bit.
 */
static inline void attention_put(float *p, vec x, int64_t n)
{
    attention_store(p, vec_add(x, vec_zero()), n);
}

/*
 * Four outputs at columns c .. c+n-1, n <= 2 VEC_WIDTH; `two`: n > VEC_WIDTH. The sums are eight
 * registers; with four weights and one vector of the source, these are 13 of the 16 that SSE2 and
 * AVX2 have, and each load of the source serves four outputs. Arrays of vectors would be shorter
 * to write, but compilers that do not unroll leave them in memory.
 */
static inline void attention_mix_four(const struct attention_mix *mix, float *const out[4],
                                      const float *w, int64_t from, int64_t to, int64_t c,
                                      int64_t n, const int two)
{
    int64_t n1 = n - VEC_WIDTH, step_a = mix->step_a, b;
    vec x0 = vec_zero(), x1 = x0, x2 = x0, x3 = x0, y0 = x0, y1 = x0, y2 = x0, y3 = x0;

    if (mix->accumulate) {
        x0 = attention_load(out[0] + c, n);
        x1 = attention_load(out[1] + c, n);
        x2 = attention_load(out[2] + c, n);
        x3 = attention_load(out[3] + c, n);
    }
    if (mix->accumulate && two) {
        y0 = attention_load(out[0] + c + VEC_WIDTH, n1);
        y1 = attention_load(out[1] + c + VEC_WIDTH, n1);
        y2 = attention_load(out[2] + c + VEC_WIDTH, n1);
        y3 = attention_load(out[3] + c + VEC_WIDTH, n1);
    }
    for (b = from; b < to; b++) {
        const float *row = attention_row(mix->source, mix->ld_source, mix->source_index, b) + c;
        const float *u = w + b * mix->step_b;
        vec w0 = vec_set1(u[0]), w1 = vec_set1(u[step_a]);
        vec w2 = vec_set1(u[2 * step_a]), w3 = vec_set1(u[3 * step_a]);
        vec s = attention_load(row, n);

        x0 = vec_fma(w0, s, x0);
        x1 = vec_fma(w1, s, x1);
        x2 = vec_fma(w2, s, x2);
        x3 = vec_fma(w3, s, x3);
        if (two) {
            s = attention_load(row + VEC_WIDTH, n1);
            y0 = vec_fma(w0, s, y0);
            y1 = vec_fma(w1, s, y1);
            y2 = vec_fma(w2, s, y2);
            y3 = vec_fma(w3, s, y3);
        }
    }
    attention_put(out[0] + c, x0, n);
    attention_put(out[1] + c, x1, n);
    attention_put(out[2] + c, x2, n);
    attention_put(out[3] + c, x3, n);
    if (two) {
        attention_put(out[0] + c + VEC_WIDTH, y0, n1);
        attention_put(out[1] + c + VEC_WIDTH, y1, n1);
        attention_put(out[2] + c + VEC_WIDTH, y2, n1);
        attention_put(out[3] + c + VEC_WIDTH, y3, n1);
    }
}

/* One output at columns c .. c+n-1, n <= VEC_WIDTH. */
static inline void attention_mix_one(const struct attention_mix *mix, float *out, const float *w,
                                     int64_t from, int64_t to, int64_t c, int64_t n)
{
    vec x = mix->accumulate ? attention_load(out + c, n) : vec_zero();
    int64_t b;

    for (b = from; b < to; b++) {
        const float *row = attention_row(mix->source, mix->ld_source, mix->source_index, b);
        x = vec_fma(vec_set1(w[b * mix->step_b]), attention_load(row + c, n), x);
    }
    attention_put(out + c, x, n);
}

/* The same at 2 VEC_WIDTH columns. */
static inline void attention_mix_pair(const struct attention_mix *mix, float *out, const float *w,
                                      int64_t from, int64_t to, int64_t c)
{
    vec x0 = vec_zero(), x1 = x0;
    int64_t b;

    if (mix->accumulate) {
        x0 = vec_load(out + c);
        x1 = vec_load(out + c + VEC_WIDTH);
    }
    for (b = from; b < to; b++) {
        const float *row = attention_row(mix->source, mix->ld_source, mix->source_index, b) + c;
        vec u = vec_set1(w[b * mix->step_b]);

        x0 = vec_fma(u, vec_load(row), x0);
        x1 = vec_fma(u, vec_load(row + VEC_WIDTH), x1);
    }
    attention_put(out + c, x0, VEC_WIDTH);
    attention_put(out + c + VEC_WIDTH, x1, VEC_WIDTH);
}

/* The same at 4 VEC_WIDTH columns, for the one query of a decoder's step. */
static inline void attention_mix_wide(const struct attention_mix *mix, float *out, const float *w,
                                      int64_t from, int64_t to, int64_t c)
{
    vec x0 = vec_zero(), x1 = x0, x2 = x0, x3 = x0;
    int64_t b;

    if (mix->accumulate) {
        x0 = vec_load(out + c);
        x1 = vec_load(out + c + VEC_WIDTH);
        x2 = vec_load(out + c + 2 * VEC_WIDTH);
        x3 = vec_load(out + c + 3 * VEC_WIDTH);
    }
    for (b = from; b < to; b++) {
        const float *row = attention_row(mix->source, mix->ld_source, mix->source_index, b) + c;
        vec u = vec_set1(w[b * mix->step_b]);

        x0 = vec_fma(u, vec_load(row), x0);
        x1 = vec_fma(u, vec_load(row + VEC_WIDTH), x1);
        x2 = vec_fma(u, vec_load(row + 2 * VEC_WIDTH), x2);
        x3 = vec_fma(u, vec_load(row + 3 * VEC_WIDTH), x3);
    }
    attention_put(out + c, x0, VEC_WIDTH);
    attention_put(out + c + VEC_WIDTH, x1, VEC_WIDTH);
    attention_put(out + c + 2 * VEC_WIDTH, x2, VEC_WIDTH);
    attention_put(out + c + 3 * VEC_WIDTH, x3, VEC_WIDTH);
}

static float *attention_output(const struct attention_mix *mix, int64_t a)
{
    return mix->out + (mix->out_index != NULL ? mix->out_index[a] : a) * mix->ld_out;
}

static void attention_mix_block(const struct attention_mix *mix, int64_t a, int64_t from,
                                int64_t to)
{
    const float *w = mix->w + a * mix->step_a;
    float *out[4];
    int64_t c, i;

    for (i = 0; i < 4; i++)
        out[i] = attention_output(mix, a + i);
    for (c = 0; c + VEC_WIDTH < mix->dim; c += 2 * VEC_WIDTH)
        attention_mix_four(mix, out, w, from, to, c, mix->dim - c, 1);
    if (c < mix->dim)
        attention_mix_four(mix, out, w, from, to, c, mix->dim - c, 0);
}

static void attention_mix_row(const struct attention_mix *mix, int64_t a, int64_t from, int64_t to)
{
    const float *w = mix->w + a * mix->step_a;
    float *out = attention_output(mix, a);
    int64_t c;

    for (c = 0; c + 4 * VEC_WIDTH <= mix->dim; c += 4 * VEC_WIDTH)
        attention_mix_wide(mix, out, w, from, to, c);
    if (c + 2 * VEC_WIDTH <= mix->dim) {
        attention_mix_pair(mix, out, w, from, to, c);
        c += 2 * VEC_WIDTH;
    }
    for (; c < mix->dim; c += VEC_WIDTH)
        attention_mix_one(mix, out, w, from, to, c, mix->dim - c);
}

/*
 * Outputs in blocks of four, then one by one. Either way an output is the same sum in the same
 * order, so its bits do not depend on the number of outputs beside it. A band only leaves out
 * weights that are zero; a block of four takes the widest band of its rows.
 */
static void attention_mix(const struct attention_mix *mix)
{
    int64_t a, rows, from, to;

    for (a = 0; a < mix->outputs; a += rows) {
        rows = mix->outputs - a >= 4 ? 4 : 1;
        from = 0;
        to = mix->sources;
        if (mix->band == ATTENTION_BELOW)
            to = attention_clamp(mix->edge + a + rows - 1, 0, to);
        if (mix->band == ATTENTION_ABOVE)
            from = attention_clamp(a - mix->edge + 1, 0, to);
        if (rows == 4)
            attention_mix_block(mix, a, from, to);
        else
            attention_mix_row(mix, a, from, to);
    }
}
