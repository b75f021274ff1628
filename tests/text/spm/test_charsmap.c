/* test_charsmap.c: replacement rules, and arrays that lead astray. */
#include <string.h>

#include "base/le.h"
#include "test.h"
#include "text/spm/charsmap.h"

enum { UNITS = 512 };

struct map {
    unsigned char bytes[4 + 4 * UNITS + 8];
    size_t size;
};

static void set_unit(struct map *map, size_t unit, uint32_t value)
{
    dgm_le32_put(map->bytes + 4 + 4 * unit, value);
}

/* One rule, "a" to "xy": the root's children are at 256, those of "a" at 0. */
static void make_map(struct map *map)
{
    memset(map, 0, sizeof *map);
    dgm_le32_put(map->bytes, 4 * UNITS);
    set_unit(map, 0, UINT32_C(256) << 10);
    set_unit(map, 256 ^ 'a', (uint32_t)(256 ^ 'a' ^ 1) << 10 | 1 << 8 | 'a');
    set_unit(map, 1, UINT32_C(0x80000000));
    memcpy(map->bytes + 4 + 4 * UNITS, "xy\0z\0", 5);
    map->size = 4 + 4 * UNITS + 5;
}

static dgm_status read_map(struct dgm_charsmap *rules, const struct map *map)
{
    return dgm_charsmap_read(test_env(), rules, (const char *)map->bytes, map->size, "m");
}

TEST(charsmap_finds_its_rule)
{
    struct dgm_charsmap rules;
    struct map map;
    const char *with;
    size_t bytes;

    make_map(&map);
    CHECK_STATUS(read_map(&rules, &map), DGM_OK);
    CHECK_INT(dgm_charsmap_find(&rules, "ab", 2, &with, &bytes), 1);
    CHECK(bytes == 2 && memcmp(with, "xy", 2) == 0);
    CHECK_INT(dgm_charsmap_find(&rules, "b", 1, &with, &bytes), 0);
    CHECK_INT(dgm_charsmap_find(&rules, "", 0, &with, &bytes), 0);
}

TEST(charsmap_never_leaves_its_arrays)
{
    struct dgm_charsmap rules;
    struct map map;
    const char *with;
    size_t bytes;

    make_map(&map);
    set_unit(&map, 1, UINT32_C(0x80000005)); /* a value behind the replacements */
    CHECK_STATUS(read_map(&rules, &map), DGM_OK);
    CHECK_INT(dgm_charsmap_find(&rules, "a", 1, &with, &bytes), 0);
    set_unit(&map, 256 ^ 'a', UINT32_C(0x1FFFFF) << 10 | 1 << 9 | 1 << 8 | 'a');
    CHECK_STATUS(read_map(&rules, &map), DGM_OK);
    CHECK_INT(dgm_charsmap_find(&rules, "a", 1, &with, &bytes), 0);
    set_unit(&map, 0, UINT32_C(0x1FFFFF) << 10);
    CHECK_STATUS(read_map(&rules, &map), DGM_OK);
    CHECK_INT(dgm_charsmap_find(&rules, "a", 1, &with, &bytes), 0);
}

static void check_refused(const struct map *map)
{
    struct dgm_charsmap rules;

    CHECK_STATUS(read_map(&rules, map), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "precompiled_charsmap") != NULL);
    dgm_env_clear_error(test_env());
}

TEST(charsmap_refuses_sizes_and_text_that_cannot_be)
{
    struct map map;

    make_map(&map);
    map.size = 4;
    check_refused(&map);
    make_map(&map);
    dgm_le32_put(map.bytes, 4 * UNITS + 1);
    check_refused(&map);
    dgm_le32_put(map.bytes, UINT32_C(0xFFFFFFFC));
    check_refused(&map);
    make_map(&map);
    map.size--; /* no NUL at the end */
    check_refused(&map);
    make_map(&map);
    map.bytes[4 + 4 * UNITS] = 0xFF;
    check_refused(&map);
}
