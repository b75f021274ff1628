/*
 * additive.cl: additive attention (Bahdanau et al. 2015). Formulas and layouts stand in
 * src/kernel/task/additive_list.h. A place is a query and one key of its span: place = query
 * longest + key.
 */

/* This work-item's part of v . tanh(q + key). */
INLINE real additive_score(global const real *v, global const real *q, global const real *key,
                           int dim)
{
    vreal sums = 0;

    EACH_VECTOR(c, dim) {
        const int count = dim - c;
        const vreal x = load_part(q + c, count, 0) + load_part(key + c, count, 0);

        sums += load_part(v + c, count, 0) * tanh(x);
    }
    return vector_sum(sums);
}

INLINE real additive_dot(global const real *a, global const real *b, int width)
{
    vreal sums = 0;

    EACH_VECTOR(c, width)
        sums += load_part(a + c, width - c, 0) * load_part(b + c, width - c, 0);
    return vector_sum(sums);
}

/* A group takes RUN places, one after the other. */
kernel void additive_scores(OPERAND(real, scores), OPERAND(const real, q),
                            OPERAND(const real, keys), OPERAND(const real, v),
                            OPERAND(const int, starts), OPERAND(const int, counts), const int rows,
                            const int dim, const int width, const int longest, const long ld_ctx)
{
    const int begin = (int)get_group_id(0) * RUN, end = min(rows * longest, begin + RUN);
    OPEN(real, scores);
    OPEN(const real, q);
    OPEN(const real, keys);
    OPEN(const real, v);
    OPEN(const int, starts);
    OPEN(const int, counts);
    GROUP_SCRATCH(scratch);

    for (int place = begin; place < end; place++) {
        const int row = place / longest, j = place % longest;
        real score;

        if (j >= counts[row])
            continue;
        score = additive_score(v, q + (size_t)row * dim, keys + (size_t)(starts[row] + j) * dim,
                               dim);
        score = GROUP_SUM(score, scratch);
        if (LANE == 0)
            scores[place] = score;
    }
}

/* Softmax of each query's scores, in place; a work-item takes a query. */
kernel void additive_weights(OPERAND(real, weights), OPERAND(const int, counts), const int rows,
                             const int dim, const int width, const int longest, const long ld_ctx)
{
    const int row = get_global_id(0);
    global real *x;
    real largest = -INFINITY, sum = 0;
    int count;
    OPEN(real, weights);
    OPEN(const int, counts);

    if (row >= rows)
        return;
    x = weights + (size_t)row * longest;
    count = counts[row];
    for (int j = 0; j < count; j++)
        largest = fmax(largest, x[j]);
    for (int j = 0; j < count; j++) {
        const real e = exp(x[j] - largest);

        x[j] = e;
        sum += e;
    }
    for (int j = 0; j < count; j++)
        x[j] /= sum;
    for (int j = count; j < longest; j++)
        x[j] = 0;
}

/* A work-item takes VEC columns of a query's context. */
kernel void additive_context(OPERAND(real, ctx), OPERAND(const real, weights),
                             OPERAND(const real, values), OPERAND(const int, starts),
                             OPERAND(const int, counts), const int rows, const int dim,
                             const int width, const int longest, const long ld_ctx)
{
    BEGIN_ROW(row, rows, width);
    global const real *from;
    vreal sum = 0;
    OPEN(real, ctx);
    OPEN(const real, weights);
    OPEN(const real, values);
    OPEN(const int, starts);
    OPEN(const int, counts);

    from = values + (size_t)starts[row] * width + column;
    for (int j = 0; j < counts[row]; j++)
        sum += weights[(size_t)row * longest + j] * load_part(from + (size_t)j * width, count, 0);
    store_part(sum, ctx + row * ld_ctx + column, count);
}

/* ---- gradients ----------------------------------------------------------------------------- */

/* slopes (n,longest) = dctx . value of each place; a group takes RUN of them. */
kernel void additive_products(OPERAND(real, slopes), OPERAND(const real, dctx),
                              OPERAND(const real, values), OPERAND(const int, starts),
                              OPERAND(const int, counts), const int rows, const int dim,
                              const int width, const int longest, const long ld_ctx)
{
    const int begin = (int)get_group_id(0) * RUN, end = min(rows * longest, begin + RUN);
    OPEN(real, slopes);
    OPEN(const real, dctx);
    OPEN(const real, values);
    OPEN(const int, starts);
    OPEN(const int, counts);
    GROUP_SCRATCH(scratch);

    for (int place = begin; place < end; place++) {
        const int row = place / longest, j = place % longest;
        real sum;

        if (j >= counts[row])
            continue;
        sum = additive_dot(dctx + row * ld_ctx, values + (size_t)(starts[row] + j) * width,
                           width);
        sum = GROUP_SUM(sum, scratch);
        if (LANE == 0)
            slopes[place] = sum;
    }
}

/* slopes become the gradients of the scores; a work-item takes a query. */
kernel void additive_slopes(OPERAND(real, slopes), OPERAND(const real, weights),
                            OPERAND(const int, counts), const int rows, const int dim,
                            const int width, const int longest, const long ld_ctx)
{
    const int row = get_global_id(0);
    global const real *w;
    global real *x;
    real mean = 0;
    OPEN(real, slopes);
    OPEN(const real, weights);
    OPEN(const int, counts);

    if (row >= rows)
        return;
    w = weights + (size_t)row * longest;
    x = slopes + (size_t)row * longest;
    for (int j = 0; j < counts[row]; j++)
        mean += w[j] * x[j];
    for (int j = 0; j < counts[row]; j++)
        x[j] = w[j] * (x[j] - mean);
}

/*
 * A work-item takes VEC columns of a query and of all its keys: no other query has these keys.
 * sums (n,A): each query's share of the gradient of v.
 */
kernel void additive_keys(OPERAND(real, dq), OPERAND(real, dkeys), OPERAND(real, sums),
                          OPERAND(const real, slopes), OPERAND(const real, q),
                          OPERAND(const real, keys), OPERAND(const real, v),
                          OPERAND(const int, starts), OPERAND(const int, counts), const int rows,
                          const int dim, const int width, const int longest, const long ld_ctx)
{
    BEGIN_ROW(row, rows, dim);
    vreal own, of_v, to_q = 0, to_v = 0;
    OPEN(real, dq);
    OPEN(real, dkeys);
    OPEN(real, sums);
    OPEN(const real, slopes);
    OPEN(const real, q);
    OPEN(const real, keys);
    OPEN(const real, v);
    OPEN(const int, starts);
    OPEN(const int, counts);

    own = load_part(q + (size_t)row * dim + column, count, 0);
    of_v = load_part(v + column, count, 0);
    for (int j = 0; j < counts[row]; j++) {
        const size_t at = (size_t)(starts[row] + j) * dim + column;
        const real slope = slopes[(size_t)row * longest + j];
        const vreal t = tanh(own + load_part(keys + at, count, 0));
        const vreal d = slope * of_v * (1 - t * t);

        to_q += d;
        to_v += slope * t;
        if (dkeys)
            store_part(load_part(dkeys + at, count, 0) + d, dkeys + at, count);
    }
    store_part(to_q, dq + (size_t)row * dim + column, count);
    store_part(to_v, sums + (size_t)row * dim + column, count);
}

/* The same for values. */
kernel void additive_values(OPERAND(real, dvalues), OPERAND(const real, dctx),
                            OPERAND(const real, weights), OPERAND(const int, starts),
                            OPERAND(const int, counts), const int rows, const int dim,
                            const int width, const int longest, const long ld_ctx)
{
    BEGIN_ROW(row, rows, width);
    vreal d;
    OPEN(real, dvalues);
    OPEN(const real, dctx);
    OPEN(const real, weights);
    OPEN(const int, starts);
    OPEN(const int, counts);

    d = load_part(dctx + row * ld_ctx + column, count, 0);
    for (int j = 0; j < counts[row]; j++) {
        global real *const to = dvalues + (size_t)(starts[row] + j) * width + column;

        store_part(load_part(to, count, 0) + weights[(size_t)row * longest + j] * d, to, count);
    }
}

/* dv += the shares of all queries, in order; a work-item takes VEC columns. */
kernel void additive_join(OPERAND(real, dv), OPERAND(const real, sums), const int rows,
                          const int dim, const int width, const int longest, const long ld_ctx)
{
    const int column = (int)get_global_id(0) * VEC, count = dim - column;
    vreal sum = 0;
    OPEN(real, dv);
    OPEN(const real, sums);

    if (count <= 0)
        return;
    for (int row = 0; row < rows; row++)
        sum += load_part(sums + (size_t)row * dim + column, count, 0);
    store_part(load_part(dv + column, count, 0) + sum, dv + column, count);
}
