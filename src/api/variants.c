/* variants.c: the variants of self-attention, for help texts. */
#include "api/program.h"
#include "nn/attn/attn.h"

int dgm_variant_at(size_t number, struct dgm_variant *variant)
{
    size_t i = 0;

    while (dgm_attn_kinds[i] != NULL && i < number)
        i++;
    if (dgm_attn_kinds[i] == NULL)
        return 0;
    variant->name = dgm_attn_kinds[i]->name;
    variant->cite = dgm_attn_kinds[i]->cite;
    variant->help = dgm_attn_kinds[i]->help;
    variant->options = dgm_attn_kinds[i]->options;
    return 1;
}
