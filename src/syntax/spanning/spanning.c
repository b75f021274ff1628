/*
 * spanning.c: the maximum spanning arborescence with one child of the root.
 *
 * Chu and Liu (1965), Edmonds (1967), in the dense O(n^2) form of Tarjan ("Finding optimum
 * branchings", Networks 7, 1977): a path is grown backwards, from a word to its best head;
 * where it meets itself, the cycle becomes one component, whose arcs from outside are worth
 * what they gain over the arc of the cycle that they replace.
 *
 * One child of the root: Stanojevic and Cohen ("A Root of the Problem: Optimizing Single-Root
 * Dependency Parsing", EMNLP 2021) make every arc from the root worse than any other arc.
 * Between words every arc exists, if only as a forbidden one, so such a root arc is taken
 * only where no word is left outside, that is by the component of all words. Hence no
 * constant is needed: the path passes over column 0 until then.
 */
#include "syntax/spanning/spanning.h"

#include <string.h>

#include "base/mem.h"
#include "syntax/spanning/arc_cell.h"

/*
 * Components have numbers: words 1..n, merged ones from n+1 in the order of their making, at
 * most 2n-1. A cell of a component's row is the best arc into it from that head; its `from`
 * is the word that the arc enters. Cells of heads inside the component are never looked at.
 */
struct contraction {
    struct dgm_spanning_cell *rows; /* (n,n+1) */
    int32_t n, newest, depth;
    int32_t *component;   /* (n+1) of a word */
    int32_t *path;        /* (n), the first `depth` in use */
    int32_t *place;       /* (2n) of a component on the path, from 1; 0: not there */
    int32_t *row;         /* (2n) of a component in `rows` */
    int32_t *above;       /* (2n) the component that it went into; 0: none */
    int32_t *head, *word; /* (2n) the best arc into a component, head -> word */
};

void dgm_spanning_work_clear(struct dgm_env *env, struct dgm_spanning_work *work)
{
    dgm_release(env, work->cells);
    dgm_release(env, work->numbers);
    memset(work, 0, sizeof *work);
}

/* The cells come first: where n^2 of them fit in memory, 12 n is no number to worry about,
 * and 2n is an int32_t. */
static dgm_status reserve(struct dgm_env *env, struct contraction *c,
                          struct dgm_spanning_work *work)
{
    size_t n = (size_t)c->n, cells;
    int32_t *rest;

    if (!dgm_size_mul(&cells, n, n + 1))
        return dgm_fail(env, DGM_MEMORY, "out of memory: a sentence of %zu words", n);
    DGM_TRY(dgm_reserve(env, &work->cells, &work->cell_room, cells, sizeof *work->cells));
    DGM_TRY(
        dgm_reserve(env, &work->numbers, &work->number_room, 12 * n + 1, sizeof *work->numbers));
    c->rows = work->cells;
    c->component = rest = work->numbers;
    c->path = rest += n + 1;
    c->place = rest += n;
    c->row = rest += 2 * n;
    c->above = rest += 2 * n;
    c->head = rest += 2 * n;
    c->word = rest + 2 * n;
    return DGM_OK;
}

static struct dgm_spanning_cell *row_of(const struct contraction *c, int32_t component)
{
    return c->rows + (size_t)c->row[component] * ((size_t)c->n + 1);
}

static void begin(struct contraction *c, const dgm_real *scores)
{
    size_t width = (size_t)c->n + 1;

    for (int32_t d = 1; d <= c->n; d++) {
        c->component[d] = d;
        c->row[d] = d - 1;
        c->above[d] = c->place[d] = 0;
        for (size_t h = 0; h < width; h++)
            row_of(c, d)[h] = dgm_arc_cell(scores[(size_t)d * width + h], d);
    }
    c->newest = c->n;
    c->depth = 0;
}

static void push(struct contraction *c, int32_t component)
{
    c->path[c->depth++] = component;
    c->place[component] = c->depth;
}

/* The best head outside the component, the smallest of equals; the root if there is no
 * other. */
static int32_t best_head(const struct contraction *c, int32_t component)
{
    const struct dgm_spanning_cell *row = row_of(c, component);
    int32_t best = 0;

    for (int32_t h = 1; h <= c->n; h++) {
        if (c->component[h] != component && (best == 0 || dgm_cell_better(&row[h], &row[best])))
            best = h;
    }
    return best;
}

/*
 * The arcs into one member of a cycle join those into the whole, whose row is that of the first
 * member: n rows serve all components.
 *
 * An arc h -> m replaces the cycle's own arc into m and keeps all its other arcs. So its weight as
 * an arc into the whole is w(h, m) less the weight given up; the sum of the cycle is the same for
 * all arcs and is left out (Edmonds 1967; Tarjan 1977).
 */
static void absorb(struct contraction *c, struct dgm_spanning_cell *into, int32_t member)
{
    const struct dgm_spanning_cell *row = row_of(c, member);
    struct dgm_spanning_cell given_up = row[c->head[member]], gain;

    for (int32_t h = 0; h <= c->n; h++) {
        gain = row[h];
        gain.score -= given_up.score;
        gain.banned -= given_up.banned;
        if (into == row || dgm_cell_better(&gain, &into[h]))
            into[h] = gain;
    }
}

/* Makes one component of the path from place `first` (from 0) to its end. */
static void merge(struct contraction *c, int32_t first)
{
    int32_t whole = ++c->newest;

    c->row[whole] = c->row[c->path[first]];
    c->above[whole] = 0;
    for (int32_t i = first; i < c->depth; i++) {
        absorb(c, row_of(c, whole), c->path[i]);
        c->above[c->path[i]] = whole;
    }
    for (int32_t i = 1; i <= c->n; i++) {
        if (c->place[c->component[i]] > first)
            c->component[i] = whole;
    }
    c->depth = first;
    push(c, whole);
}

/*
 * Grows the path backwards until the root's arc enters the component of all words. Each turn adds
 * a component to the path or merges some of it: at most 2n turns of O(n), and merging reads the row
 * of each component once.
 */
static void contract(struct contraction *c)
{
    int32_t last, next;

    push(c, 1);
    for (;;) {
        last = c->path[c->depth - 1];
        c->head[last] = best_head(c, last);
        c->word[last] = row_of(c, last)[c->head[last]].from;
        if (c->head[last] == 0)
            return;
        next = c->component[c->head[last]];
        if (c->place[next] == 0)
            push(c, next);
        else
            merge(c, c->place[next] - 1);
    }
}

/*
 * An arc into a component enters one word, and replaces the arcs into all components
 * between that word and this one; those are struck out (place -1). From the last to
 * the first, each component that still stands gives its word a head: O(n), as each is
 * struck out once.
 */
static void expand(struct contraction *c, int32_t *head)
{
    for (int32_t whole = c->newest; whole >= 1; whole--) {
        if (c->place[whole] < 0)
            continue;
        head[c->word[whole] - 1] = c->head[whole];
        for (int32_t at = c->word[whole]; at != whole; at = c->above[at])
            c->place[at] = -1;
    }
}

dgm_status dgm_spanning_tree(struct dgm_env *env, int32_t *head, const dgm_real *scores, int32_t n,
                             struct dgm_spanning_work *work)
{
    struct contraction c = { 0 };

    if (n <= 0)
        return DGM_OK;
    c.n = n;
    DGM_TRY(reserve(env, &c, work));
    begin(&c, scores);
    contract(&c);
    expand(&c, head);
    return DGM_OK;
}
