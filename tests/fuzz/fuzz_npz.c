/*
 * fuzz_npz.c: any bytes as an archive of NumPy. What is accepted is read in full.
 */
#include "foreign_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    foreign_read_all(data, size, "m.npz");
    return 0;
}
