/*
 * Tests of large pages: blocks of every size and place keep what is in them.
 */
#include "base/system/pages.h"

#include <stdlib.h>

#include "test.h"

static int is_kept(size_t bytes, size_t skip)
{
    unsigned char *block = malloc(bytes + skip);
    int kept = block != NULL;

    for (size_t i = 0; kept && i < bytes; i += 509)
        block[skip + i] = (unsigned char)(i % 251);
    if (kept)
        dgm_pages_enlarge(block + skip, bytes);
    for (size_t i = 0; kept && i < bytes; i += 509)
        kept = block[skip + i] == (unsigned char)(i % 251);
    free(block);
    return kept;
}

TEST(pages_keep_what_is_in_a_block)
{
    static const size_t sizes[] = { 0, 1, 4096, (4 << 20) - 1, 4 << 20, (9 << 20) + 4097 };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t skip = 0; skip < 3; skip++)
            CHECK(is_kept(sizes[i], skip * 1001));
}
