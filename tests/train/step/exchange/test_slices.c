/* test_slices.c: slices of a flat buffer: together all of it, in order, whole blocks each. */
#include "test.h"
#include "train/step/exchange/slices.h"

static void check_slices(int64_t total, int64_t block, int ranks)
{
    const int64_t most = ((total + block - 1) / block + ranks - 1) / ranks * block;
    int64_t end = 0;
    int rank;

    for (rank = 0; rank < ranks; rank++) {
        const struct dgm_slice slice = dgm_slice_of(total, block, ranks, rank);
        CHECK_INT(slice.first, end);
        CHECK(slice.first % block == 0 || slice.count == 0);
        CHECK(slice.count >= 0 && slice.count <= most);
        end += slice.count;
    }
    CHECK_INT(end, total);
}

TEST(slices_cover_a_buffer_in_whole_blocks)
{
    static const int64_t totals[] = { 1, 15, 16, 17, 160, 161, 8192 * 3 + 16, 1000003 };
    unsigned i;
    int ranks;

    for (i = 0; i < sizeof totals / sizeof totals[0]; i++)
        for (ranks = 1; ranks < 12; ranks++)
            check_slices(totals[i], 16, ranks);
}

TEST(slices_of_few_blocks_leave_ranks_without)
{
    CHECK_INT(dgm_slice_of(20, 16, 3, 0).count, 16);
    CHECK_INT(dgm_slice_of(20, 16, 3, 1).count, 4);
    CHECK_INT(dgm_slice_of(20, 16, 3, 2).count, 0);
}
