/*
 * kernel.c: which kernels there are, and the choice between them.
 */
#include "kernel/kernel.h"

#include <string.h>

#include "base/system/cpu.h"
#include "config.h"

/* configure defines DGM_ISA_<name> as 1 where the file of the instruction set compiles, else 0. */
#define TABLE_1(name) &dgm_kernels_##name
#define TABLE_0(name) NULL
#define JOIN(a, b) a##b
#define TABLE(is_built, name) JOIN(TABLE_, is_built)(name)

static const struct {
    const char *name;
    const struct dgm_kernels *kernels; /* NULL: not in this build */
} entries[] = {
#define ISA(name) { #name, TABLE(DGM_ISA_##name, name) },
#include "kernel/isa_list.h"
#undef ISA
};

size_t dgm_kernels_count(void)
{
    return sizeof entries / sizeof entries[0];
}

const char *dgm_kernels_name(size_t i)
{
    return entries[i].name;
}

size_t dgm_kernels_rank(const char *name)
{
    size_t i = 0;

    while (i + 1 < dgm_kernels_count() && strcmp(entries[i].name, name) != 0)
        i++;
    return i;
}

const struct dgm_kernels *dgm_kernels_entry(size_t i)
{
    const struct dgm_kernels *kernels = entries[i].kernels;

    if (kernels && (kernels->needs & ~dgm_cpu_features()) != 0)
        return NULL;
    return kernels;
}

/* "c, sse2, avx2" */
static void list_available(char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < dgm_kernels_count(); i++) {
        size_t length = strlen(entries[i].name);
        if (!dgm_kernels_entry(i) || used + length + 3 > size)
            continue;
        if (used > 0) {
            memcpy(text + used, ", ", 2);
            used += 2;
        }
        memcpy(text + used, entries[i].name, length + 1);
        used += length;
    }
}

dgm_status dgm_kernels_choose(struct dgm_env *env, const struct dgm_kernels **out, const char *name)
{
    int by_name = name && name[0] != '\0';
    char available[64];

    for (size_t i = dgm_kernels_count(); i-- > 0;) {
        const struct dgm_kernels *kernels = dgm_kernels_entry(i);
        if (kernels && (!by_name || strcmp(name, kernels->name) == 0)) {
            *out = kernels;
            return DGM_OK;
        }
    }
    list_available(available, sizeof available);
    return dgm_fail(env, DGM_USAGE, "no kernels for instruction set '%s' here; available: %s", name,
                    available);
}
