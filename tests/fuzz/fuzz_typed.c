/* fuzz_typed.c: any bytes as Stanford typed dependencies. */
#include "syntax/conllu/stanford.h"

#include "tree_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tree_format format = { DGM_CONLLU_TYPED, dgm_stanford_write };

    fuzz_tree_format(&format, data, size);
    return 0;
}
