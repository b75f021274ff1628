/* fuzz_conllx.c: any bytes as a CoNLL-X file. */
#include "syntax/conllu/conllx.h"

#include "tree_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tree_format format = { DGM_CONLLU_X, dgm_conllx_write };

    fuzz_tree_format(&format, data, size);
    return 0;
}
