/*
 * test_packing.c: blocks whose lives meet share no bytes, and a pool wastes little.
 */
#include "base/mem.h"
#include "base/philox.h"
#include "graph/packing.h"
#include "test.h"

enum { BLOCKS = 120, TIMES = 60, SEEDS = 40 };

static void draw(struct dgm_block *blocks, uint64_t seed)
{
    struct dgm_random random;

    dgm_random_init(&random, seed, 5, 0, 0);
    for (int b = 0; b < BLOCKS; b++) {
        blocks[b].bytes = 64 * (1 + (size_t)dgm_random_below(&random, seed % 2 ? 50 : 5));
        blocks[b].birth = (int64_t)dgm_random_below(&random, TIMES);
        blocks[b].death = blocks[b].birth +
                          (int64_t)dgm_random_below(&random, (uint32_t)(TIMES - blocks[b].birth));
    }
}

static uint64_t most_alive(const struct dgm_block *blocks)
{
    uint64_t most = 0;

    for (int64_t t = 0; t < TIMES; t++) {
        uint64_t now = 0;
        for (int b = 0; b < BLOCKS; b++)
            now += blocks[b].birth <= t && t <= blocks[b].death ? blocks[b].bytes : 0;
        most = now > most ? now : most;
    }
    return most;
}

static int share_bytes(const struct dgm_block *a, const struct dgm_block *b)
{
    return a->birth <= b->death && b->birth <= a->death && a->offset < b->offset + b->bytes &&
           b->offset < a->offset + a->bytes;
}

static void check_places(const struct dgm_block *blocks, uint64_t peak)
{
    for (int a = 0; a < BLOCKS; a++) {
        CHECK(blocks[a].offset + blocks[a].bytes <= peak && blocks[a].offset % 64 == 0);
        for (int b = 0; b < a; b++)
            CHECK(!share_bytes(&blocks[a], &blocks[b]));
    }
}

TEST(packing_keeps_blocks_that_live_together_apart_and_tightly_wastes_less)
{
    struct dgm_packing packing = { 0 };
    struct dgm_block blocks[BLOCKS];
    uint64_t loose = 0, tight = 0, peak, least = 0;

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint64_t before;

        draw(blocks, seed);
        CHECK_STATUS(dgm_packing_make(test_env(), &packing, blocks, BLOCKS, TIMES, 0, 0, &before),
                     DGM_OK);
        check_places(blocks, before);
        CHECK_STATUS(dgm_packing_make(test_env(), &packing, blocks, BLOCKS, TIMES, 1, 0, &peak),
                     DGM_OK);
        check_places(blocks, peak);
        CHECK(peak <= before && peak >= most_alive(blocks));
        loose += before;
        tight += peak;
        least += most_alive(blocks);
    }
    CHECK(tight < loose && tight < least + least / 10);
    dgm_packing_clear(test_env(), &packing);
}

/* 3200 bytes are the largest block. */
TEST(packing_in_pieces_lets_no_block_lie_across_a_border)
{
    static const size_t most[] = { 3200, 5120, 6464, 20480 };
    struct dgm_packing packing = { 0 };
    struct dgm_block blocks[BLOCKS];
    uint64_t whole, peak;
    int pieces = 0;

    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
            draw(blocks, seed);
            CHECK_STATUS(dgm_packing_make(test_env(), &packing, blocks, BLOCKS, TIMES, 1, 0,
                                          &whole),
                         DGM_OK);
            CHECK_STATUS(dgm_packing_make(test_env(), &packing, blocks, BLOCKS, TIMES, 1, most[i],
                                          &peak),
                         DGM_OK);
            check_places(blocks, peak);
            CHECK_INT(packing.piece, whole > most[i] ? most[i] : 0);
            for (int b = 0; b < BLOCKS && packing.piece > 0; b++, pieces++)
                CHECK(blocks[b].offset / most[i] ==
                      (blocks[b].offset + blocks[b].bytes - 1) / most[i]);
        }
    CHECK(pieces > BLOCKS * SEEDS);
    /* A block that fits into no piece: one piece of all. */
    blocks[7].bytes = 6400;
    CHECK_STATUS(dgm_packing_make(test_env(), &packing, blocks, BLOCKS, TIMES, 1, 3200, &peak),
                 DGM_OK);
    CHECK_INT(packing.piece, 0);
    dgm_packing_clear(test_env(), &packing);
}

/* Also where all pieces are full, and what ends at the last border is followed by nothing. */
TEST(packing_in_pieces_puts_empty_blocks_into_a_piece)
{
    struct dgm_block blocks[] = {
        { 0, 1, 0, 2 }, { 64, 0, 0, 2 }, { 64, 0, 0, 1 }, { 0, 1, 1, 2 }
    };
    struct dgm_packing packing = { 0 };
    uint64_t peak;

    CHECK_STATUS(dgm_packing_make(test_env(), &packing, blocks, 4, 3, 1, 64, &peak), DGM_OK);
    CHECK_INT(packing.piece, 64);
    CHECK_INT(peak, 128);
    for (int b = 0; b < 4; b++)
        CHECK(blocks[b].offset < peak);
    dgm_packing_clear(test_env(), &packing);
}

TEST(packing_of_nothing_takes_nothing)
{
    struct dgm_packing packing = { 0 };
    uint64_t peak = 1;

    CHECK_STATUS(dgm_packing_make(test_env(), &packing, NULL, 0, 1, 1, 0, &peak), DGM_OK);
    CHECK_INT(peak, 0);
    dgm_packing_clear(test_env(), &packing);
}

/* More than 32 bits hold: a dry run is told, whatever the machine. */
TEST(packing_counts_beyond_what_a_word_holds)
{
    const uint64_t gib = (uint64_t)1 << 30;
    struct dgm_block blocks[] = { { 3 * gib, 0, 0, 2 }, { 2 * gib, 0, 0, 1 }, { gib, 0, 1, 2 } };
    struct dgm_packing packing = { 0 };
    uint64_t peak;

    for (int tightly = 0; tightly < 2; tightly++) {
        CHECK_STATUS(dgm_packing_make(test_env(), &packing, blocks, 3, 3, tightly, 0, &peak),
                     DGM_OK);
        CHECK(peak == 6 * gib);
        CHECK(!share_bytes(&blocks[0], &blocks[1]) && !share_bytes(&blocks[1], &blocks[2]));
    }
    CHECK_STATUS(dgm_packing_make(test_env(), &packing, blocks, 3, 3, 1, 4 * gib - 64, &peak),
                 DGM_OK);
    CHECK(packing.piece == 4 * gib - 64 && peak > 6 * gib);
    dgm_packing_clear(test_env(), &packing);
}
