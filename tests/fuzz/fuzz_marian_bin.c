/*
 * fuzz_marian_bin.c: any bytes as a binary file of Marian. What is accepted is read in full.
 */
#include "foreign_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    foreign_read_all(data, size, "model.bin");
    return 0;
}
