/*
 * test_task.c: the lists of kernel/task/: each task's operands stand first, outputs before inputs,
 * as code that moves operands between devices needs it.
 */
#include "device/task.h"

#include <string.h>

#include "device/task_shape.h"
#include "test.h"

/* clang-format off */
/* Of each task a letter for each argument: o, i, or n for what is no operand. */
static const struct order {
    const char *task, *letters;
} orders[] = {
#define TASK(name) { #name, ""
#define OUT(type, name) "o"
#define OUTS(type, name, n) "o"
#define IN(type, name) "i"
#define INS(type, name, n) "i"
#define OPERANDS(group, name) "i"
#define INT(name) "n"
#define LONG(name) "n"
#define LONGS(name, n) "n"
#define HOST(name) "n"
#define IDS(name, n) "n"
#define REAL(name) "n"
#define FLAG(name) "n"
#define FLAGS(name, n) "n"
#define CHOICE(type, name) "n"
#define DROP "n"
#define CORE(group) "n"
#define END(name) },
#include "kernel/task/task_list.h"
};
/* clang-format on */

TEST(task_operands_first)
{
    CHECK_INT(sizeof orders / sizeof *orders, DGM_TASK_COUNT);
    for (int kind = 0; kind < DGM_TASK_COUNT; kind++) {
        const char *letters = orders[kind].letters;
        const size_t outputs = strspn(letters, "o"), inputs = strspn(letters + outputs, "i");

        CHECK_STR(dgm_task_shape((enum dgm_task_kind)kind)->name, orders[kind].task);
        CHECK(outputs > 0);
        CHECK(strspn(letters + outputs + inputs, "n") == strlen(letters + outputs + inputs));
    }
}

/* What the counts of a task say about the layout of its struct. */
TEST(task_counts)
{
    const struct dgm_task_shape *gemm = dgm_task_shape(DGM_TASK_gemm);
    const struct dgm_task_shape *attention = dgm_task_shape(DGM_TASK_attention_backward);

    CHECK_INT(gemm->outputs, 2);
    CHECK_INT(gemm->inputs, 4);
    CHECK_INT(attention->outputs, 11);
    CHECK_INT(attention->inputs, 27);
    CHECK_INT(offsetof(struct dgm_attention_backward_args, lddq), 38 * sizeof(struct dgm_ref));
    CHECK_INT(offsetof(struct dgm_modulate_backward_args, core), 9 * sizeof(struct dgm_ref));
}
