/*
 * arcs.c: ports, levels and label slots of the arcs of a tree, and where all stand in a picture.
 *
 * Ports and levels depend on the tree alone; `dgm_arcs_place` then measures in the picture's unit.
 */
#include "draw/tree/arcs.h"

#include <string.h>

#include "base/mem.h"

static dgm_status reserve(struct dgm_env *env, struct dgm_arcs *arcs, int32_t words)
{
    const struct dgm_parallel ports[] = { { &arcs->top, sizeof *arcs->top },
                                          { &arcs->port_x, sizeof *arcs->port_x },
                                          { NULL, 0 } };
    const struct dgm_parallel cells[] = { { &arcs->word_x, sizeof *arcs->word_x },
                                          { &arcs->cell, sizeof *arcs->cell },
                                          { NULL, 0 } };
    size_t n = (size_t)words;

    if (words > (INT32_MAX - 4) / 6)
        return dgm_fail(env, DGM_DATA, "a sentence of %ld words is too long to draw", (long)words);
    DGM_TRY(dgm_reserve(env, &arcs->arcs, &arcs->arc_capacity, n, sizeof *arcs->arcs));
    DGM_TRY(dgm_reserve_parallel(env, ports, &arcs->port_capacity, DGM_PORTS * n));
    DGM_TRY(dgm_reserve_parallel(env, cells, &arcs->word_capacity, n));
    return dgm_reserve(env, &arcs->work, &arcs->work_capacity, 6 * n + 4, sizeof *arcs->work);
}

void dgm_arcs_clear(struct dgm_env *env, struct dgm_arcs *arcs)
{
    dgm_release(env, arcs->arcs);
    dgm_release(env, arcs->top);
    dgm_release(env, arcs->port_x);
    dgm_release(env, arcs->word_x);
    dgm_release(env, arcs->cell);
    dgm_release(env, arcs->work);
    memset(arcs, 0, sizeof *arcs);
}

/* ---- ports ------------------------------------------------------------------------------- */

static struct dgm_arc make_arc(int32_t head, int32_t dependent)
{
    struct dgm_arc arc = { 0, 0, 0, 0, 0, 0, 0, 0, 0 };
    int32_t in = DGM_PORTS * dependent + DGM_PORT_IN;
    arc.head = head == dependent ? -1 : head;
    arc.dependent = dependent;
    arc.first = head < dependent ? DGM_PORTS * head + DGM_PORT_RIGHT : in;
    arc.last = head > dependent ? DGM_PORTS * head + DGM_PORT_LEFT : in;
    return arc;
}

/* All arcs, the shortest first, those of equal length from left to right, roots at the end:
 * a counting sort by length. */
static void list_arcs(struct dgm_arcs *arcs, const struct dgm_tree *tree)
{
    int32_t lengths = DGM_PORTS * tree->count, word, i;
    int32_t *start = arcs->work; /* of each length */
    memset(start, 0, (size_t)(lengths + 1) * sizeof *start);
    for (word = 0; word < tree->count; word++) {
        struct dgm_arc arc = make_arc(tree->head[word], word);
        int32_t length = arc.head < 0 ? lengths : arc.last - arc.first;
        if (length < lengths)
            start[length + 1]++;
    }
    for (i = 0; i < lengths; i++)
        start[i + 1] += start[i];
    for (word = 0; word < tree->count; word++) {
        struct dgm_arc arc = make_arc(tree->head[word], word);
        int32_t length = arc.head < 0 ? lengths : arc.last - arc.first;
        arcs->arcs[start[length]++] = arc;
    }
    arcs->count = (size_t)tree->count;
}

/* ---- levels ------------------------------------------------------------------------------ */

static int32_t highest(const int32_t *values, int32_t first, int32_t last)
{
    int32_t i, most = 0;
    for (i = first; i <= last; i++)
        if (values[i] > most)
            most = values[i];
    return most;
}

static void raise_top(struct dgm_arcs *arcs, const struct dgm_arc *arc)
{
    if (arcs->top[arc->first] < arc->level)
        arcs->top[arc->first] = arc->level;
    if (arcs->top[arc->last] < arc->level)
        arcs->top[arc->last] = arc->level;
}

/* Each arc goes one above what already stands anywhere over its span, its ends included. As the
 * shortest come first, an arc lies above all arcs inside it, and nested arcs of a projective tree
 * never cross. Roots come last: their arrows start above everything. */
static void set_levels(struct dgm_arcs *arcs)
{
    int32_t *height = arcs->work, ports = DGM_PORTS * arcs->words, port;
    size_t i;
    arcs->levels = 0;
    if (ports == 0)
        return;
    memset(height, 0, (size_t)ports * sizeof *height);
    memset(arcs->top, 0, (size_t)ports * sizeof *arcs->top);
    for (i = 0; i < arcs->count; i++) {
        struct dgm_arc *arc = &arcs->arcs[i];
        arc->level = 1 + (arc->head < 0 ? arcs->levels : highest(height, arc->first, arc->last));
        raise_top(arcs, arc);
        if (arc->head < 0)
            continue;
        if (arc->level > arcs->levels)
            arcs->levels = arc->level;
        for (port = arc->first; port <= arc->last; port++)
            height[port] = arc->level;
    }
}

/* ---- slots ------------------------------------------------------------------------------- */

/* Whether ports a..b are a wider place than those of the arc's slot: more words apart. */
static int is_wider(const struct dgm_arc *arc, int32_t a, int32_t b)
{
    int32_t words = b / DGM_PORTS - a / DGM_PORTS;
    int32_t best = arc->slot_last / DGM_PORTS - arc->slot_first / DGM_PORTS;
    return words > best || (words == best && b - a > arc->slot_last - arc->slot_first);
}

/* The widest run between lines that come down through the arc; all of it if there is none. */
static void set_slot(const struct dgm_arcs *arcs, struct dgm_arc *arc)
{
    int32_t from = arc->first, port;
    arc->slot_first = arc->slot_last = arc->first;
    for (port = arc->first + 1; port <= arc->last; port++) {
        if (port < arc->last && arcs->top[port] <= arc->level)
            continue;
        if (is_wider(arc, from, port)) {
            arc->slot_first = from;
            arc->slot_last = port;
        }
        from = port;
    }
}

dgm_status dgm_arcs_make(struct dgm_env *env, struct dgm_arcs *arcs, const struct dgm_tree *tree)
{
    size_t i;
    DGM_TRY(reserve(env, arcs, tree->count));
    arcs->words = tree->count;
    arcs->count = 0;
    if (tree->has_parse)
        list_arcs(arcs, tree);
    set_levels(arcs);
    for (i = 0; i < arcs->count; i++)
        set_slot(arcs, &arcs->arcs[i]);
    return DGM_OK;
}

/* ---- places: how far words must stand apart so that every label fits its slot ---------------- */

/*
 * The width that a label lacks is spread over the gaps below a short arc, so that words move apart
 * evenly. Then one pass from left to right gives each word the least x at which the labels of all
 * arcs that end there fit: x depends only on words further left.
 */

/* Arcs over more words than this are wide enough in nearly every tree. */
enum { SPREAD_WORDS = 16 };

/* The parts of arcs->work, (n) or (3n) each. */
struct plan {
    int32_t *offset; /* (3n) of a port from the left end of its cell */
    int32_t *gap;    /* (n) before a word */
    int32_t *queue;  /* (n + 1) first arc, + 1, whose slot ends at a word; 0: none */
    int32_t *next;   /* (n) the next of these */
};

static struct plan make_plan(const struct dgm_arcs *arcs)
{
    struct plan plan;
    plan.offset = arcs->work;
    plan.gap = plan.offset + DGM_PORTS * arcs->words;
    plan.queue = plan.gap + arcs->words;
    plan.next = plan.queue + arcs->words + 1;
    return plan;
}

/* The cell of a word: its ports in use side by side, in the middle of its upper edge. */
static void place_ports(struct dgm_arcs *arcs, struct plan *plan, int32_t word, int32_t width,
                        const struct dgm_arc_metrics *metrics)
{
    int32_t *offset = plan->offset + DGM_PORTS * word;
    const int32_t *top = arcs->top + DGM_PORTS * word;
    int32_t k, span = -metrics->pitch, at;
    for (k = 0; k < DGM_PORTS; k++)
        span += top[k] > 0 ? metrics->pitch : 0;
    span = (span < 0 ? 0 : span) + metrics->line;
    arcs->cell[word] = width > span ? width : span;
    at = (arcs->cell[word] - span) / 2;
    for (k = 0; k < DGM_PORTS; k++) {
        offset[k] = at;
        at += top[k] > 0 ? metrics->pitch : 0;
    }
}

static int32_t needed(const struct dgm_arc *arc, const struct dgm_arc_metrics *metrics)
{
    return arc->label_width + 2 * metrics->clearance + metrics->line;
}

/* Widens the gaps below an arc evenly until its label fits. */
static void spread(struct dgm_arcs *arcs, struct plan *plan, const struct dgm_arc *arc,
                   const struct dgm_arc_metrics *metrics)
{
    int32_t a = arc->slot_first / DGM_PORTS, b = arc->slot_last / DGM_PORTS, word, lack;
    if (arc->head < 0 || b - a > SPREAD_WORDS)
        return;
    lack = needed(arc, metrics) + plan->offset[arc->slot_first] - plan->offset[arc->slot_last];
    for (word = a; word < b; word++)
        lack -= arcs->cell[word] + plan->gap[word + 1];
    for (word = a; word < b && lack > 0; word++) {
        int32_t share = (lack + (b - word) - 1) / (b - word);
        plan->gap[word + 1] += share;
        lack -= share;
    }
}

static void queue_arcs(struct dgm_arcs *arcs, struct plan *plan)
{
    size_t i;
    memset(plan->queue, 0, (size_t)(arcs->words + 1) * sizeof *plan->queue);
    for (i = 0; i < arcs->count; i++) {
        int32_t word = arcs->arcs[i].slot_last / DGM_PORTS;
        plan->next[i] = plan->queue[word];
        plan->queue[word] = (int32_t)i + 1;
    }
}

/* The least x of a word, by the arcs whose slots end at it; *edge: where the last root's label
 * ends. */
static int32_t place_word(struct dgm_arcs *arcs, const struct plan *plan, int32_t word, int32_t x,
                          int32_t *edge, const struct dgm_arc_metrics *metrics)
{
    int32_t i, least;
    for (i = plan->queue[word]; i > 0; i = plan->next[i - 1]) {
        const struct dgm_arc *arc = &arcs->arcs[i - 1];
        int32_t from = arc->slot_first / DGM_PORTS;
        if (arc->head < 0)
            least = *edge + metrics->gap + (arc->label_width - metrics->line) / 2;
        else
            least = arcs->word_x[from] + plan->offset[arc->slot_first] + needed(arc, metrics);
        least -= plan->offset[arc->slot_last];
        if (x < least)
            x = least;
    }
    for (i = plan->queue[word]; i > 0; i = plan->next[i - 1]) {
        struct dgm_arc *arc = &arcs->arcs[i - 1];
        if (arc->head >= 0)
            continue;
        arc->label_x = x + plan->offset[arc->first] - (arc->label_width - metrics->line) / 2;
        *edge = arc->label_x + arc->label_width;
    }
    return x;
}

static void place_labels(struct dgm_arcs *arcs, const struct dgm_arc_metrics *metrics)
{
    size_t i;
    for (i = 0; i < arcs->count; i++) {
        struct dgm_arc *arc = &arcs->arcs[i];
        int32_t from = arcs->port_x[arc->slot_first] + metrics->line;
        if (arc->head >= 0)
            arc->label_x = from + (arcs->port_x[arc->slot_last] - from - arc->label_width) / 2;
    }
}

void dgm_arcs_place(struct dgm_arcs *arcs, const int32_t *word_width,
                    const struct dgm_arc_metrics *metrics)
{
    struct plan plan = make_plan(arcs);
    int32_t word, port, x = 0, edge = -metrics->gap;
    size_t i;
    for (word = 0; word < arcs->words; word++) {
        plan.gap[word] = word > 0 ? metrics->gap : 0;
        place_ports(arcs, &plan, word, word_width[word], metrics);
    }
    for (i = 0; i < arcs->count; i++)
        spread(arcs, &plan, &arcs->arcs[i], metrics);
    queue_arcs(arcs, &plan);
    for (word = 0; word < arcs->words; word++) {
        x = place_word(arcs, &plan, word, x + plan.gap[word], &edge, metrics);
        arcs->word_x[word] = x;
        for (port = 0; port < DGM_PORTS; port++)
            arcs->port_x[DGM_PORTS * word + port] = x + plan.offset[DGM_PORTS * word + port];
        x += arcs->cell[word];
    }
    arcs->width = x > edge ? x : edge;
    place_labels(arcs, metrics);
}
