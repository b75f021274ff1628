/*
 * fuzz_ctranslate2.c: any bytes as model.bin of CTranslate2. What is accepted is read in full.
 */
#include "foreign_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    foreign_read_all(data, size, "model.bin");
    return 0;
}
