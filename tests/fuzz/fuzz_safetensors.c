/*
 * fuzz_safetensors.c: any bytes as a safetensors file. What is accepted is read in full.
 */
#include "foreign_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    foreign_read_all(data, size, "m.safetensors");
    return 0;
}
