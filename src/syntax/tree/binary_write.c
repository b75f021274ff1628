/*
 * binary_write.c: writing a binary tree as one line of brackets.
 */
#include "base/mem.h"
#include "syntax/tree/binary.h"

enum { CLOSE = -1 };

/* What is still to be written, the next on top: nodes, and brackets that close. */
static dgm_status write_nodes(struct dgm_env *env, struct dgm_writer *writer,
                              const struct dgm_forms *words, const int32_t *left,
                              const int32_t *right, int32_t *stack)
{
    int32_t root = 2 * words->count - 2, height = 0;

    stack[height++] = root;
    while (height > 0) {
        int32_t node = stack[--height], inner = node - words->count;

        if (node == CLOSE) {
            DGM_TRY(dgm_writer_add(env, writer, ")", 1));
            continue;
        }
        if (node < root)
            DGM_TRY(dgm_writer_add(env, writer, " ", 1));
        if (inner < 0) {
            DGM_TRY(dgm_bracket_write_word(env, writer, words->form(words->of, node)));
            continue;
        }
        DGM_TRY(dgm_writer_add(env, writer, "(X", 2));
        stack[height++] = CLOSE;
        stack[height++] = right[inner];
        stack[height++] = left[inner];
    }
    return DGM_OK;
}

static dgm_status write_word(struct dgm_env *env, struct dgm_writer *writer, const char *word)
{
    DGM_TRY(dgm_writer_add(env, writer, "(X ", 3));
    DGM_TRY(dgm_bracket_write_word(env, writer, word));
    return dgm_writer_add(env, writer, ")", 1);
}

dgm_status dgm_binary_write(struct dgm_env *env, struct dgm_writer *writer,
                            const struct dgm_forms *words, const int32_t *left,
                            const int32_t *right)
{
    dgm_status status = DGM_OK;

    if (words->count == 1)
        status = write_word(env, writer, words->form(words->of, 0));
    if (words->count > 1) {
        int32_t *stack = dgm_alloc(env, 2 * (size_t)words->count, sizeof *stack);

        if (stack == NULL)
            return DGM_MEMORY;
        status = write_nodes(env, writer, words, left, right, stack);
        dgm_release(env, stack);
    }
    DGM_TRY(status);
    return dgm_writer_add(env, writer, "\n", 1);
}
