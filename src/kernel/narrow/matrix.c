/*
 * matrix.c: which kernels of matrix.h there are.
 */
#include "kernel/narrow/matrix.h"

#include "base/system/cpu.h"
#include "config.h"
#include "kernel/kernel.h"

/* configure defines DGM_MATRIX_<name> as 1 where the file of the instruction set compiles, else
 * 0. */
#define MATRIX(name) extern const struct dgm_matrix_kernels dgm_matrix_##name;
#include "kernel/narrow/matrix_list.h"
#undef MATRIX

#define TABLE_1(name) &dgm_matrix_##name
#define TABLE_0(name) NULL
#define JOIN(a, b) a##b
#define TABLE(is_built, name) JOIN(TABLE_, is_built)(name)

static const struct dgm_matrix_kernels *const entries[] = {
#define MATRIX(name) TABLE(DGM_MATRIX_##name, name),
#include "kernel/narrow/matrix_list.h"
#undef MATRIX
};

size_t dgm_matrix_count(void)
{
    return sizeof entries / sizeof entries[0];
}

const struct dgm_matrix_kernels *dgm_matrix_entry(size_t i)
{
    return entries[i] && dgm_cpu_may_use(entries[i]->needs) ? entries[i] : NULL;
}

const struct dgm_matrix_kernels *dgm_matrix_choose(const char *isa)
{
    const size_t rank = isa ? dgm_kernels_rank(isa) : dgm_kernels_count();

    for (size_t i = dgm_matrix_count() - 1; i > 0; i--)
        if (entries[i] && dgm_kernels_rank(entries[i]->base) <= rank && dgm_matrix_entry(i))
            return dgm_matrix_entry(i);
    return NULL;
}
