/*
 * ud_graph.c: the enhanced graph as a whole (level 2): all sentences of a file have one or none
 * has; every node, an empty one too, can be reached from the root 0. Cycles are no fault. And where
 * empty nodes stand (level 1).
 */
#include "syntax/ud/ud_parts.h"

#include <string.h>

#include "base/mem.h"

/* ---- empty nodes -------------------------------------------------------------------------- */

/* 4, 4.1, 5-6, 5: an empty node belongs to the word before it, and so stands before a range that
 * begins behind that word. */
dgm_status dgm_ud_empty_nodes(const struct dgm_ud_check *check)
{
    const struct dgm_conllu_row *range = NULL;

    for (size_t i = 0; i < check->sentence->row_count; i++) {
        const struct dgm_conllu_row *row = &check->sentence->rows[i];

        if (row->kind == DGM_CONLLU_RANGE)
            range = row;
        if (row->kind == DGM_CONLLU_EMPTY && range != NULL && row->first < range->first)
            return dgm_ud_refuse_field(check, DGM_CONLLU_BAD_NODE, row, DGM_CONLLU_ID,
                                       "an empty node before the line of the range, not behind");
    }
    return DGM_OK;
}

/* ---- reachable nodes ---------------------------------------------------------------------- */

static dgm_status make_room(const struct dgm_ud_check *check)
{
    struct dgm_ud *ud = check->ud;
    size_t nodes = check->sentence->row_count + 1;
    const struct dgm_parallel arrays[] = { { &ud->first, sizeof *ud->first },
                                           { &ud->waiting, sizeof *ud->waiting },
                                           { &ud->reached, sizeof *ud->reached },
                                           { NULL, 0 } };

    DGM_TRY(dgm_reserve_parallel(check->env, arrays, &ud->node_capacity, nodes));
    memset(ud->first, 0, nodes * sizeof *ud->first);
    memset(ud->reached, 0, nodes);
    return DGM_OK;
}

dgm_status dgm_ud_add_arc(const struct dgm_ud_check *check, uint32_t head,
                          const struct dgm_conllu_row *row)
{
    struct dgm_ud *ud = check->ud;
    struct dgm_ud_arc *arc;

    if (ud->arc_count == 0)
        DGM_TRY(make_room(check));
    DGM_TRY(dgm_grow(check->env, &ud->arcs, &ud->arc_capacity, ud->arc_count, sizeof *ud->arcs));
    arc = &ud->arcs[ud->arc_count++];
    arc->node = (uint32_t)(row - check->sentence->rows) + 1;
    arc->next = ud->first[head];
    ud->first[head] = (uint32_t)ud->arc_count;
    return DGM_OK;
}

static void follow_arcs(struct dgm_ud *ud)
{
    size_t waiting = 1;

    ud->waiting[0] = 0;
    while (waiting > 0) {
        uint32_t at = ud->first[ud->waiting[--waiting]];

        for (; at != 0; at = ud->arcs[at - 1].next) {
            uint32_t node = ud->arcs[at - 1].node;

            if (!ud->reached[node])
                ud->waiting[waiting++] = node;
            ud->reached[node] = 1;
        }
    }
}

static dgm_status check_reached(const struct dgm_ud_check *check)
{
    if (check->ud->arc_count == 0)
        DGM_TRY(make_room(check));
    follow_arcs(check->ud);
    for (size_t i = 0; i < check->sentence->row_count; i++) {
        const struct dgm_conllu_row *row = &check->sentence->rows[i];

        if (row->kind != DGM_CONLLU_RANGE && !check->ud->reached[i + 1])
            return dgm_ud_refuse_field(check, DGM_CONLLU_BAD_DEPS, row, DGM_CONLLU_DEPS,
                                       "heads over which the root 0 is reached, as this sentence "
                                       "has an enhanced graph");
    }
    return DGM_OK;
}

/* ---- all or none -------------------------------------------------------------------------- */

/* Empty nodes are nodes of an enhanced graph, even if no DEPS names them. */
static int has_graph(const struct dgm_ud_check *check)
{
    for (size_t i = 0; i < check->sentence->row_count; i++)
        if (check->sentence->rows[i].kind == DGM_CONLLU_EMPTY)
            return 1;
    return check->ud->arc_count > 0;
}

static dgm_status check_all_or_none(const struct dgm_ud_check *check, int graph)
{
    const struct dgm_conllu_row *row = &check->sentence->rows[0];
    struct dgm_ud *ud = check->ud;
    long other = graph ? ud->without_graph : ud->with_graph;
    long *mine = graph ? &ud->with_graph : &ud->without_graph;

    if (*mine == 0)
        *mine = row->line;
    if (other == 0)
        return DGM_OK;
    return dgm_conllu_fault(check->env, check->reader, DGM_CONLLU_BAD_DEPS, row->line,
                            dgm_conllu_place(check->sentence, row, DGM_CONLLU_DEPS),
                            "a sentence with%s DEPS; expected one with%s, as that at line %ld",
                            graph ? "" : "out", graph ? "out" : "", other);
}

dgm_status dgm_ud_graph(const struct dgm_ud_check *check)
{
    int graph = has_graph(check);

    DGM_TRY(check_all_or_none(check, graph));
    return graph ? check_reached(check) : DGM_OK;
}
