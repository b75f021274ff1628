/*
 * projective.c: the best projective tree, by the chart of Eisner ("Three new probabilistic models
 * for dependency parsing", COLING 1996; the notation of Eisner, "Bilexical grammars and their
 * cubic-time parsing algorithms", 2000).
 *
 * Words are 0..n-1 here. With both ends of a span written in the order head, far end, one
 * square table holds the spans to the right of their head above its diagonal and those to the
 * left below:
 *
 *     open[a][b]      a's best half tree up to b, b a dependent of a, the part of b beyond
 *                     it still missing
 *     complete[a][b]  a's best half tree up to b, nothing missing
 *
 * A half tree holds a's dependents on one side only, so that both sides of a word are found apart
 * and each span has O(n) ways to be split: n^3 / 2 sums in all, where a chart of whole subtrees,
 * with a head anywhere inside, would take O(n^5).
 */
#include "syntax/spanning/projective.h"

#include "base/mem.h"
#include "syntax/spanning/arc_cell.h"

/* `from` of an open span is its last word k that hangs with the left end, k+1 with the
 * right end; of a complete span, the outermost dependent of its head. */
struct chart {
    struct dgm_spanning_cell *open, *complete; /* (n,n) */
    struct dgm_spanning_cell *turned;          /* (n,n), complete with its ends exchanged */
    const dgm_real *scores;
    size_t n;
};

/* The best of a[k] + b[k], k < count, the first of equals; its `from` is that k. */
static struct dgm_spanning_cell best_sum(const struct dgm_spanning_cell *a,
                                         const struct dgm_spanning_cell *b, size_t count)
{
    struct dgm_spanning_cell best, sum;

    best.score = a[0].score + b[0].score;
    best.banned = a[0].banned + b[0].banned;
    best.from = 0;
    for (size_t k = 1; k < count; k++) {
        sum.score = a[k].score + b[k].score;
        sum.banned = a[k].banned + b[k].banned;
        if (dgm_cell_better(&sum, &best)) {
            best = sum;
            best.from = (int32_t)k;
        }
    }
    return best;
}

static void add_arc(struct chart *chart, size_t head, size_t word,
                    const struct dgm_spanning_cell *halves)
{
    struct dgm_spanning_cell *open = &chart->open[head * chart->n + word];
    dgm_real score = chart->scores[(word + 1) * (chart->n + 1) + head + 1];

    *open = dgm_arc_cell(score, halves->from);
    open->score += halves->score;
    open->banned += halves->banned;
}

static void set_complete(struct chart *chart, size_t head, size_t far,
                         struct dgm_spanning_cell cell)
{
    chart->complete[head * chart->n + far] = cell;
    chart->turned[far * chart->n + head] = cell;
}

/*
 * All spans between words i and j, i < j, from shorter ones:
 *
 *     open[i][j], open[j][i]   i's half up to k and j's half down to k + 1 meet, i <= k < j; the
 *                              two differ in the arc that joins them
 *     complete[i][j]           open[i][k] and complete[k][j], i < k <= j: k is i's last dependent
 *     complete[j][i]           open[j][k] and complete[k][i], i <= k < j
 *
 * Each is one pass of best_sum over two rows. complete[k][j] for all k is a column; `turned` holds
 * it as a row, so that both operands are read in order.
 */
static void fill_span(struct chart *chart, size_t i, size_t j)
{
    const struct dgm_spanning_cell *of_i = chart->complete + i * chart->n;
    const struct dgm_spanning_cell *of_j = chart->complete + j * chart->n;
    struct dgm_spanning_cell best = best_sum(of_i + i, of_j + i + 1, j - i);

    best.from += (int32_t)i;
    add_arc(chart, i, j, &best);
    add_arc(chart, j, i, &best);

    best =
        best_sum(chart->open + i * chart->n + i + 1, chart->turned + j * chart->n + i + 1, j - i);
    best.from += (int32_t)i + 1;
    set_complete(chart, i, j, best);
    best = best_sum(chart->open + j * chart->n + i, chart->turned + i * chart->n + i, j - i);
    best.from += (int32_t)i;
    set_complete(chart, j, i, best);
}

static void fill(struct chart *chart)
{
    static const struct dgm_spanning_cell nothing = { 0, 0, 0 };

    /* Every part of a span i..j ends before j, or ends at j and begins after i. */
    for (size_t j = 0; j < chart->n; j++) {
        set_complete(chart, j, j, nothing);
        for (size_t i = j; i-- > 0;)
            fill_span(chart, i, j);
    }
}

/* The root has one child r: both halves of r, to the first and to the last word, and root -> r. */
static int32_t best_root(const struct chart *chart)
{
    struct dgm_spanning_cell best = { 0, 0, -1 }, sum;

    for (size_t r = 0; r < chart->n; r++) {
        const struct dgm_spanning_cell *row = chart->complete + r * chart->n;

        sum = dgm_arc_cell(chart->scores[(r + 1) * (chart->n + 1)], (int32_t)r);
        sum.score += row[0].score + row[chart->n - 1].score;
        sum.banned += row[0].banned + row[chart->n - 1].banned;
        if (best.from < 0 || dgm_cell_better(&sum, &best))
            best = sum;
    }
    return best.from;
}

/* Complete spans still to be taken apart, as pairs head, far end. They overlap at most in
 * their ends, so there are never more than n-1. */
struct spans {
    int32_t *item;
    size_t count;
};

static void push(struct spans *spans, int32_t head, int32_t far)
{
    if (head == far)
        return;
    spans->item[2 * spans->count] = head;
    spans->item[2 * spans->count + 1] = far;
    spans->count++;
}

static void read_heads(const struct chart *chart, int32_t *head, struct spans *spans)
{
    int32_t a, b, word, split;

    while (spans->count > 0) {
        spans->count--;
        a = spans->item[2 * spans->count];
        b = spans->item[2 * spans->count + 1];
        word = chart->complete[(size_t)a * chart->n + (size_t)b].from;
        split = chart->open[(size_t)a * chart->n + (size_t)word].from;
        head[word] = a + 1;
        push(spans, a, a < word ? split : split + 1);
        push(spans, word, a < word ? split + 1 : split);
        push(spans, word, b);
    }
}

dgm_status dgm_projective_tree(struct dgm_env *env, int32_t *head, const dgm_real *scores,
                               int32_t n, struct dgm_spanning_work *work)
{
    struct chart chart;
    struct spans spans;
    size_t square, cells;
    int32_t root;

    if (n <= 0)
        return DGM_OK;
    chart.n = (size_t)n;
    chart.scores = scores;
    if (!dgm_size_mul(&square, chart.n, chart.n) || !dgm_size_mul(&cells, square, 3))
        return dgm_fail(env, DGM_MEMORY, "out of memory: a sentence of %zu words", chart.n);
    DGM_TRY(dgm_reserve(env, &work->cells, &work->cell_room, cells, sizeof *work->cells));
    DGM_TRY(
        dgm_reserve(env, &work->numbers, &work->number_room, 2 * chart.n, sizeof *work->numbers));
    chart.open = work->cells;
    chart.complete = chart.open + square;
    chart.turned = chart.complete + square;
    fill(&chart);
    root = best_root(&chart);
    head[root] = 0;
    spans.item = work->numbers;
    spans.count = 0;
    push(&spans, root, 0);
    push(&spans, root, n - 1);
    read_heads(&chart, head, &spans);
    return DGM_OK;
}
