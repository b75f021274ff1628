/*
 * word_spacing.c: how far words must stand apart so that every label fits its slot.
 *
 * What a label lacks is spread over the gaps below a short arc, so that words move apart evenly;
 * one pass from left to right then makes sure of every arc.
 */
#include <string.h>

#include "draw/tree/arcs.h"

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
