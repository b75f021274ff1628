/*
 * gates.c: reads the gates that recurrent operations have saved, and counts.
 */
#include "graph/gates.h"

#include "graph/op.h"

#define SHUT 0.05
#define OPEN 0.95

void dgm_gates_keep(struct dgm_graph *g)
{
    g->keeps_gates = 1;
}

int64_t dgm_gates_mark(const struct dgm_graph *g)
{
    return g->count;
}

static void count_row(struct dgm_gate_count *count, const dgm_real *gates, int64_t cols)
{
    for (int64_t i = 0; i < cols; i++)
        count->saturated += !((double)gates[i] >= SHUT && (double)gates[i] <= OPEN);
    count->gates += cols;
}

static dgm_status count_rows(struct dgm_graph *g, const struct dgm_gate_rows *rows,
                             struct dgm_gate_count *count)
{
    const size_t reals = (size_t)(rows->rows * rows->ld);
    dgm_real *gates = dgm_alloc(g->env, reals + 1, sizeof *gates);
    dgm_status status = DGM_MEMORY;

    if (gates == NULL)
        return status;
    status = dgm_device_read(g->env, g->device, gates, rows->at, reals * sizeof *gates);
    for (int64_t i = 0; i < rows->rows && status == DGM_OK; i++)
        count_row(count, gates + i * rows->ld, rows->cols);
    dgm_release(g->env, gates);
    return status;
}

dgm_status dgm_gates_count(struct dgm_graph *g, int64_t first, int64_t end,
                           struct dgm_gate_count *count)
{
    struct dgm_gate_rows rows[DGM_GATE_ROWS];

    count->gates = count->saturated = 0;
    for (int64_t i = first; i < end; i++) {
        const struct dgm_node *node = g->nodes[i];
        const int many =
            node->op != NULL && node->op->gates != NULL ? node->op->gates(node, rows) : 0;

        for (int k = 0; k < many; k++)
            if (rows[k].rows > 0)
                DGM_TRY(count_rows(g, &rows[k], count));
    }
    return DGM_OK;
}
