/*
 * tree_marginals.c: sums over all trees by the matrix-tree theorem (Kirchhoff; Tutte for directed
 * graphs), after Koo, Globerson, Carreras and Collins ("Structured Prediction Models via the
 * Matrix-Tree Theorem", EMNLP 2007), Smith and Smith (EMNLP 2007), McDonald and Satta (IWPT
 * 2007).
 *
 * With w(d,h) = exp(score), Z = det L where (words d, h from 1)
 *
 *     L(d,h) = -w(d,h),   L(d,d) = w(d,0) + sum over h of w(d,h)
 *
 * and with a single word below the root, w(d,0) is left out of the diagonal and stands in
 * column 1 instead (Koo et al., section 3.2; their matrix is the transpose). Marginals are
 * w(d,h) times the derivative of log Z = w(d,h) times entries of the inverse G of L.
 */
#include "syntax/spanning/tree_marginals.h"

#include "base/mem.h"
#include "syntax/spanning/arc_cell.h"

/* Beyond this product of norms |L| |G| the marginals may be off by 1e-6: the relative error of
 * G is about that product times the rounding of a double. */
#define WORST_CONDITION (1e-6 / DBL_EPSILON)

struct kirchhoff {
    double *weight;  /* (n,n+1) w, scaled; row d-1 is word d */
    double *matrix;  /* (n,n) L, then its factors */
    double *inverse; /* (n,n) G transposed: row d is column d of G */
    size_t *pivot;   /* (n) the row exchanged with row k at step k */
    size_t n;
    int single_root;
    double log_scale; /* log Z = log det L + log_scale */
};

/* ---- weights ---------------------------------------------------------------------- */

/* The largest score of a row from column `first` on, but its diagonal; -infinity if none. */
static double row_peak(const dgm_real *row, size_t width, size_t d, size_t first)
{
    double peak = -HUGE_VAL, s;

    for (size_t h = first; h < width; h++) {
        s = h == d ? -HUGE_VAL : dgm_arc_score(row[h]);
        if (s > peak)
            peak = s;
    }
    return peak;
}

/*
 * Each tree has one arc from each row, so a row may be shifted: its largest weight becomes 1.
 * A single root makes column 0 such a set too: it is left aside in the first shift and has
 * one of its own, or else a parser that is sure of all heads but the root's would underflow.
 * Returns a word (from 1) that only the root can head, or 0.
 */
static size_t scale_rows(struct kirchhoff *k, const dgm_real *scores)
{
    size_t width = k->n + 1, only_root = 0, d, h;

    for (d = 1; d <= k->n; d++) {
        const dgm_real *row = scores + d * width;
        double *weight = k->weight + (d - 1) * width;
        double peak = row_peak(row, width, d, k->single_root ? 1 : 0);

        if (peak == -HUGE_VAL) {
            only_root = d;
            peak = 0;
        }
        k->log_scale += peak;
        for (h = 1; h < width; h++)
            weight[h] = h == d ? 0 : exp(dgm_arc_score(row[h]) - peak);
        weight[0] = dgm_arc_score(row[0]) - peak; /* a logarithm as yet */
    }
    return only_root;
}

/* A word that only the root can head takes it from all others, whatever their scores: they
 * must not set the scale. */
static void scale_root(struct kirchhoff *k, size_t only_root)
{
    size_t width = k->n + 1, d;
    double peak = -HUGE_VAL;

    for (d = 0; d < k->n; d++) {
        if (k->single_root && only_root > 0 && d + 1 != only_root)
            k->weight[d * width] = -HUGE_VAL;
        if (k->weight[d * width] > peak)
            peak = k->weight[d * width];
    }
    if (peak == -HUGE_VAL || !k->single_root)
        peak = 0;
    k->log_scale += peak;
    for (d = 0; d < k->n; d++)
        k->weight[d * width] = exp(k->weight[d * width] - peak);
}

/* The diagonal is the sum of the weights into a word. With a single root, the weights of root arcs
 * stand in the first column instead: the expansion of the determinant along it takes exactly one
 * of them into each product. */
static void fill_matrix(struct kirchhoff *k)
{
    size_t n = k->n, d, h;

    for (d = 0; d < n; d++) {
        const double *weight = k->weight + d * (n + 1);
        double *row = k->matrix + d * n;
        double sum = k->single_root ? 0 : weight[0];

        for (h = 0; h < n; h++) {
            sum += weight[h + 1];
            row[h] = -weight[h + 1];
        }
        row[d] = sum;
        if (k->single_root)
            row[0] = weight[0];
    }
}

/* ---- linear algebra --------------------------------------------------------------- */

static size_t largest_below(const struct kirchhoff *k, size_t step)
{
    size_t best = step, i;

    for (i = step + 1; i < k->n; i++) {
        if (fabs(k->matrix[i * k->n + step]) > fabs(k->matrix[best * k->n + step]))
            best = i;
    }
    return best;
}

static void exchange_rows(struct kirchhoff *k, size_t a, size_t b)
{
    double *x = k->matrix + a * k->n, *y = k->matrix + b * k->n, kept;

    for (size_t j = 0; a != b && j < k->n; j++) {
        kept = x[j];
        x[j] = y[j];
        y[j] = kept;
    }
}

/* PL = (unit lower)(upper), in place. Returns 0 where a pivot vanishes or det L < 0, which
 * only rounding can bring about; adds log det L to *log_det. */
static int factor(struct kirchhoff *k, double *log_det)
{
    size_t n = k->n, step, i, j;
    int positive = 1;

    for (step = 0; step < n; step++) {
        const double *top = k->matrix + step * n;

        k->pivot[step] = largest_below(k, step);
        exchange_rows(k, step, k->pivot[step]);
        if (top[step] == 0)
            return 0;
        positive ^= (top[step] < 0) ^ (k->pivot[step] != step);
        *log_det += log(fabs(top[step]));
        for (i = step + 1; i < n; i++) {
            double *row = k->matrix + i * n;
            double ratio = row[step] /= top[step];

            for (j = step + 1; ratio != 0 && j < n; j++)
                row[j] -= ratio * top[j];
        }
    }
    return positive;
}

/* x becomes column d of the inverse. */
static void solve_unit(const struct kirchhoff *k, double *x, size_t d)
{
    size_t n = k->n, at = d, first, i, j;

    for (i = 0; i < n; i++)
        x[i] = 0;
    for (i = 0; i < n; i++) {
        if (at == i)
            at = k->pivot[i];
        else if (at == k->pivot[i])
            at = i;
    }
    x[at] = 1;
    first = at; /* x is 0 before */
    for (i = first + 1; i < n; i++) {
        for (j = first; j < i; j++)
            x[i] -= k->matrix[i * n + j] * x[j];
    }
    for (i = n; i-- > 0;) {
        for (j = i + 1; j < n; j++)
            x[i] -= k->matrix[i * n + j] * x[j];
        x[i] /= k->matrix[i * n + i];
    }
}

/* The largest sum of sizes along `run`, of n values each; lines lie `step` apart. NaN if a value
 * is. */
static double norm(const double *matrix, size_t n, size_t step, size_t run)
{
    double largest = 0, sum;

    for (size_t i = 0; i < n; i++) {
        sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += fabs(matrix[i * step + j * run]);
        if (isnan(sum))
            return sum; /* a comparison with the next sum would forget it */
        if (sum > largest)
            largest = sum;
    }
    return largest;
}

/* ---- marginals -------------------------------------------------------------------- */

/* The derivative of log Z by w(d,h), h >= 1: the weight stands at (d,d) and, negative, at (d,h),
 * but not in column 1 of the single-root matrix. */
static double slope(const struct kirchhoff *k, size_t d, size_t h)
{
    const double *g = k->inverse + d * k->n;

    return (k->single_root && d == 0 ? 0 : g[d]) - (k->single_root && h == 1 ? 0 : g[h - 1]);
}

static void write_marginals(const struct kirchhoff *k, double *marginal)
{
    size_t width = k->n + 1, d, h;

    for (h = 0; h < width; h++)
        marginal[h] = 0;
    for (d = 0; d < k->n; d++) {
        const double *weight = k->weight + d * width;
        double *row = marginal + (d + 1) * width;

        row[0] = weight[0] * k->inverse[d * k->n + (k->single_root ? 0 : d)];
        for (h = 1; h < width; h++)
            row[h] = weight[h] * slope(k, d, h);
        for (h = 0; h < width; h++)
            row[h] = row[h] > 1 ? 1 : row[h] > 0 ? row[h] : 0;
    }
}

/*
 * |L| |G| is the condition number of L in the norm of columns; G is stored transposed, so its norm
 * goes along rows.
 */
static int invert(struct kirchhoff *k, double *log_det)
{
    double size = norm(k->matrix, k->n, 1, k->n);

    if (!factor(k, log_det))
        return 0;
    for (size_t d = 0; d < k->n; d++)
        solve_unit(k, k->inverse + d * k->n, d);
    return size * norm(k->inverse, k->n, k->n, 1) <= WORST_CONDITION;
}

/* Everything but memory; outputs are written last, when nothing can fail any more. */
static dgm_status compute(struct dgm_env *env, struct kirchhoff *k, double *marginal,
                          double *log_partition, const dgm_real *scores)
{
    double log_det = 0;

    scale_root(k, scale_rows(k, scores));
    fill_matrix(k);
    if (!invert(k, &log_det))
        return dgm_fail(env, DGM_FAILURE,
                        "the scores of %zu words allow no tree, or hardly any; expected "
                        "less extreme scores [E_TREES]",
                        k->n);
    if (marginal != NULL)
        write_marginals(k, marginal);
    if (log_partition != NULL)
        *log_partition = log_det + k->log_scale;
    return DGM_OK;
}

/* Stops at the first array that does not fit. oblong: n (n+1) */
static dgm_status reserve(struct dgm_env *env, struct kirchhoff *k, size_t oblong)
{
    size_t square = oblong - k->n;

    DGM_TRY(dgm_new(env, &k->weight, oblong, sizeof *k->weight));
    DGM_TRY(dgm_new(env, &k->matrix, square, sizeof *k->matrix));
    DGM_TRY(dgm_new(env, &k->inverse, square, sizeof *k->inverse));
    return dgm_new(env, &k->pivot, k->n, sizeof *k->pivot);
}

dgm_status dgm_tree_marginals(struct dgm_env *env, double *marginal, double *log_partition,
                              const dgm_real *scores, int32_t n, int single_root)
{
    struct kirchhoff k = { .weight = NULL };
    dgm_status status;
    size_t oblong;

    if (n < 0)
        n = 0;
    k.n = (size_t)n;
    k.single_root = single_root;
    if (!dgm_size_mul(&oblong, k.n, k.n + 1))
        return dgm_fail(env, DGM_MEMORY, "out of memory: a sentence of %zu words", k.n);
    DGM_TRY_OUT(reserve(env, &k, oblong));
    DGM_TRY_OUT(compute(env, &k, marginal, log_partition, scores));
out:
    dgm_release(env, k.pivot);
    dgm_release(env, k.inverse);
    dgm_release(env, k.matrix);
    dgm_release(env, k.weight);
    return status;
}
