/*
 * test_line_piece.c: lines of a file in pieces for ranks: those of a shard, so many at most, each
 * with its text and its number.
 */
#include "base/ranks/line_piece.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

enum { LINES = 3 * DGM_LINE_PIECE_LINES + 5 };

/* Line n, counted from 0, is the number n. */
static void put_lines(char path[1200])
{
    FILE *file;

    snprintf(path, 1200, "%s/lines", test_dir());
    file = fopen(path, "wb");
    CHECK(file != NULL);
    for (int i = 0; i < LINES; i++)
        CHECK(fprintf(file, "%d\n", i) > 0);
    CHECK(fclose(file) == 0);
}

/* The lines of a piece are *next, *next + step ..; whether there are `most` of them, or these are
 * the last ones. */
static void check_piece(const struct dgm_buf *piece, long step, int64_t most, long *next)
{
    struct dgm_line_piece line = { .at = 0 };
    int64_t count = 0;
    char text[24];

    for (; dgm_line_piece_next(piece, step, &line); count++, *next += step) {
        CHECK_INT(line.number, *next);
        CHECK_INT(line.bytes, snprintf(text, sizeof text, "%ld", *next));
        CHECK_MEM(line.text, text, line.bytes);
    }
    CHECK(count == most || (count > 0 && count < most && *next >= LINES));
}

static void check_pieces(const char *path, long first, long step, int64_t most, int64_t want)
{
    struct dgm_lines lines = { 0 };
    const struct dgm_line_supply supply = {
        .lines = &lines, .first = first, .step = step, .most = most
    };
    struct dgm_buf piece = { 0 };
    enum dgm_supply found;
    long next = first;

    CHECK_STATUS(dgm_lines_open(test_env(), &lines, path), DGM_OK);
    for (;;) {
        dgm_buf_reset(&piece);
        CHECK_STATUS(dgm_line_piece_read(test_env(), &supply, &piece, &found), DGM_OK);
        if (found != DGM_SUPPLY_PIECE)
            break;
        check_piece(&piece, step, want, &next);
    }
    CHECK_INT(found, DGM_SUPPLY_END);
    CHECK(next >= LINES && next < LINES + step);
    dgm_lines_close(test_env(), &lines);
    dgm_buf_clear(test_env(), &piece);
}

TEST(line_pieces_are_the_lines_of_a_shard)
{
    static const int64_t most[] = { 1, 2, DGM_LINE_PIECE_LINES, 10 * DGM_LINE_PIECE_LINES };
    char path[1200];

    put_lines(path);
    for (long step = 1; step <= 3; step++)
        for (long first = 0; first < step; first++)
            for (int i = 0; i < 4; i++)
                check_pieces(path, first, step, most[i],
                             most[i] < DGM_LINE_PIECE_LINES ? most[i] : DGM_LINE_PIECE_LINES);
}
