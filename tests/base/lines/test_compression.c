/* test_compression.c: names of packed files. */
#include "base/lines/compression.h"

#include "test.h"

TEST(compression_suffix_is_what_names_of_packed_files_end_in)
{
    CHECK_INT(dgm_compression_suffix("train.de.gz"), 3);
    CHECK_INT(dgm_compression_suffix("train.de.zst"), 4);
    CHECK_INT(dgm_compression_suffix("train.de"), 0);
    CHECK_INT(dgm_compression_suffix(".gz"), 0);
    CHECK_INT(dgm_compression_suffix(""), 0);
}
