/*
 * fuzz_attention.c: any bytes as a line of attention. What is accepted is drawn, as text and as
 * SVG, with words and with pieces, each map alone and all in a grid.
 */
#include "draw/heat/heat_grid.h"
#include "draw/heat/heat_svg.h"
#include "draw/heat/heat_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int holds)
{
    if (!holds)
        abort();
}

enum { MOST = 64 /* maps of a grid */ };

static void draw_grid(struct dgm_env *env, struct dgm_tree_picture *picture, struct dgm_buf *svg,
                      struct dgm_heat_map *map, const struct dgm_heat_line *line,
                      enum dgm_heat_kind kind, int with_pieces)
{
    size_t wanted[MOST], count = line->matrix_count < MOST ? line->matrix_count : MOST, i;

    for (i = 0; i < count; i++)
        wanted[i] = i;
    expect(dgm_heat_grid(env, picture, svg, map, line, kind, wanted, count, with_pieces) == DGM_OK);
}

static void draw_line(struct dgm_env *env, const struct dgm_heat_line *line, int with_pieces)
{
    struct dgm_buf text = { NULL, 0, 0, 0 }, svg = { NULL, 0, 0, 0 };
    struct dgm_heat_map map;
    struct dgm_tree_picture picture;
    size_t i;

    memset(&map, 0, sizeof map);
    memset(&picture, 0, sizeof picture);
    picture.style.width = 100;
    for (i = 0; i < line->matrix_count; i++) {
        expect(dgm_heat_map_make(env, &map, line, &line->matrices[i], with_pieces, "...") ==
               DGM_OK);
        expect(dgm_heat_text(env, &picture, &text, &map) == DGM_OK);
        expect(dgm_heat_svg(env, &picture, &svg, &map) == DGM_OK);
    }
    for (i = 0; i < DGM_HEAT_KINDS; i++)
        draw_grid(env, &picture, &svg, &map, line, (enum dgm_heat_kind)i, with_pieces);
    dgm_heat_map_clear(env, &map);
    dgm_tree_picture_clear(env, &picture);
    dgm_buf_clear(env, &text);
    dgm_buf_clear(env, &svg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dgm_heat_line line;
    struct dgm_env env;

    dgm_env_init(&env);
    memset(&line, 0, sizeof line);
    if (dgm_heat_line_read(&env, &line, "input", 1, (const char *)data, size) == DGM_OK) {
        draw_line(&env, &line, 0);
        draw_line(&env, &line, 1);
    } else {
        expect(env.error.status == DGM_DATA);
    }
    dgm_heat_line_clear(&env, &line);
    return 0;
}
