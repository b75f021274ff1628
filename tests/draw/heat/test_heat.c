/* test_heat.c: a line of attention, the map of its words, and lines that are refused. */
#include <string.h>

#include "draw/heat/heat_svg.h"
#include "draw/heat/heat_text.h"
#include "test.h"

#define SOURCE                                                                        \
    "\"source\":{\"words\":[\"ab\",\"c\"],\"pieces\":[\"a@@\",\"b\",\"c\",\"</s>\"]," \
    "\"word_of\":[0,0,1,-1],\"heads\":[2,0]}"
#define TARGET                                                            \
    "\"target\":{\"words\":[\"xy\"],\"pieces\":[\"x@@\",\"y\",\"</s>\"]," \
    "\"word_of\":[0,0,-1]}"
#define CROSS                                                 \
    "{\"kind\":\"cross\",\"layer\":2,\"head\":1,\"weights\":" \
    "[[0.5,0.25,0.25,0],[0,0,1,0],[0.125,0.125,0.25,0.5]]}"
#define DECODER                                                        \
    "{\"kind\":\"decoder\",\"layer\":1,\"head\":\"mean\",\"weights\":" \
    "[[1,0,0],[0.5,0.5,0],[0.25,0.5,0.25]]}"
#define LINE(matrices) "{\"line\":3," SOURCE "," TARGET ",\"attention\":[" matrices "]}"

static dgm_status read(struct dgm_heat_line *line, const char *text)
{
    return dgm_heat_line_read(test_env(), line, "file", 5, text, strlen(text));
}

static void check_cells(const struct dgm_heat_map *map, const double *want)
{
    int32_t i;

    for (i = 0; i < map->rows * map->columns; i++)
        CHECK_NEAR(map->cells[i], want[i], 1e-6);
}

TEST(heat_rows_of_pieces_are_averaged_and_their_columns_summed)
{
    static const double cross[] = { 0.375, 0.625, 0, 0.25, 0.25, 0.5 };
    struct dgm_heat_line line;
    struct dgm_heat_map map;

    memset(&line, 0, sizeof line);
    memset(&map, 0, sizeof map);
    CHECK_STATUS(read(&line, LINE(DECODER "," CROSS)), DGM_OK);
    CHECK_INT(line.line, 3);
    CHECK_INT(line.matrix_count, 2);
    CHECK_STATUS(dgm_heat_map_make(test_env(), &map, &line, &line.matrices[1], 0, ""), DGM_OK);
    CHECK_INT(map.rows, 2);
    CHECK_INT(map.columns, 3);
    check_cells(&map, cross);
    CHECK_STR(dgm_heat_text_at(&map.row.texts, 0), "xy");
    CHECK_STR(dgm_heat_text_at(&map.row.texts, 1), "</s>");
    CHECK_STR(dgm_heat_text_at(&map.column.texts, 0), "ab");
    CHECK_STR(map.title.data, "line 3: cross, layer 2, head 1");
    CHECK_INT(map.tree.count, 2);
    CHECK_INT(map.tree.head[0], 1);
    CHECK_INT(map.tree.head[1], 1);
    dgm_heat_map_clear(test_env(), &map);
    dgm_heat_line_clear(test_env(), &line);
}

/* What a decoder reads begins with a mark and has no end: pieces are one further down. */
TEST(heat_decoders_read_one_behind_what_they_write)
{
    static const double words[] = { 1, 0, 0.375, 0.625 },
                        pieces[] = { 1, 0, 0, 0.5, 0.5, 0, 0.25, 0.5, 0.25 };
    struct dgm_heat_line line;
    struct dgm_heat_map map;

    memset(&line, 0, sizeof line);
    memset(&map, 0, sizeof map);
    CHECK_STATUS(read(&line, LINE(DECODER)), DGM_OK);
    CHECK_STATUS(dgm_heat_map_make(test_env(), &map, &line, &line.matrices[0], 0, ""), DGM_OK);
    CHECK_INT(map.rows, 2);
    CHECK_INT(map.columns, 2);
    check_cells(&map, words);
    CHECK_STR(dgm_heat_text_at(&map.column.texts, 0), "<s>");
    CHECK_STR(dgm_heat_text_at(&map.column.texts, 1), "xy");
    CHECK(!map.tree.has_parse);
    CHECK_STATUS(dgm_heat_map_make(test_env(), &map, &line, &line.matrices[0], 1, ""), DGM_OK);
    CHECK_INT(map.columns, 3);
    check_cells(&map, pieces);
    CHECK_STR(dgm_heat_text_at(&map.column.texts, 2), "y");
    dgm_heat_map_clear(test_env(), &map);
    dgm_heat_line_clear(test_env(), &line);
}

static void check_bad(const char *text, const char *expected)
{
    struct dgm_heat_line line;

    memset(&line, 0, sizeof line);
    CHECK_STATUS(read(&line, text), DGM_DATA);
    CHECK_STR(test_env()->error.file, "file");
    CHECK_INT(test_env()->error.line, 5);
    CHECK(strstr(test_env()->error.message, expected) != NULL);
    dgm_env_clear_error(test_env());
    dgm_heat_line_clear(test_env(), &line);
}

#define PAIR(words, pieces, places) \
    "{\"line\":1,\"source\":{\"words\":" words ",\"pieces\":" pieces ",\"word_of\":" places

TEST(heat_refuses_what_does_not_fit)
{
    check_bad("", "expected {");
    check_bad("[]", "expected {");
    check_bad("{\"line\":0", "1..2147483647");
    check_bad("{\"source\":", "\"line\"");
    check_bad(PAIR("[\"a\"]", "[\"a\"]", "[1]"), "-1..0");
    check_bad(PAIR("[\"a\"]", "[\"a\"]", "[0,0]"), "one number for each");
    check_bad(PAIR("[\"a\"]", "[\"a\"]", "[]"), "one number for each");
    check_bad(PAIR("[\"a\",\"b\"]", "[\"a\",\"b\"]", "[0,1],\"heads\":[2,1]}"), "not a cycle");
    check_bad(PAIR("[\"a\"]", "[\"a\"]", "[0],\"heads\":[2]}"), "0..1");
    check_bad(PAIR("[\"a\"]", "[\"a\"]", "[0],\"more\":[2]}"), "in this order");
    check_bad(PAIR("[\"a\",\"b\"]", "[\"a\"]", "[0]"), "as many pieces as words");
    check_bad("{\"line\":1,\"source\":{\"words\":[]}", "before it");
    check_bad(LINE("{\"kind\":\"self\""), "encoder, decoder or cross");
    check_bad(LINE("{\"kind\":\"cross\",\"layer\":0"), "1..100000");
    check_bad(LINE("{\"kind\":\"cross\",\"layer\":1,\"head\":\"max\""), "mean or a number");
    check_bad(LINE("{\"kind\":\"cross\",\"layer\":1,\"head\":0,\"weights\":[[1,0,0]"),
              "one weight for each");
    check_bad(LINE("{\"kind\":\"cross\",\"layer\":1,\"head\":0,\"weights\":[[1,0,0,0,0]"),
              "one weight for each");
    check_bad(LINE("{\"kind\":\"cross\",\"layer\":1,\"head\":0,\"weights\":[]"), "one row for");
    check_bad(LINE("{\"kind\":\"cross\",\"layer\":1,\"head\":0,\"weights\":[[2"), "within 0..1");
    check_bad(LINE(CROSS) "x", "the end of the line");
}

/* Every beginning of a good line is a bad one. */
TEST(heat_refuses_every_line_that_is_cut)
{
    const char *text = LINE(DECODER "," CROSS);
    size_t size = strlen(text), cut;
    struct dgm_heat_line line;

    memset(&line, 0, sizeof line);
    for (cut = 0; cut < size; cut++) {
        CHECK_STATUS(dgm_heat_line_read(test_env(), &line, "file", 5, text, cut), DGM_DATA);
        dgm_env_clear_error(test_env());
    }
    CHECK_STATUS(dgm_heat_line_read(test_env(), &line, "file", 5, text, size), DGM_OK);
    dgm_heat_line_clear(test_env(), &line);
}
