/*
 * fuzz_shortlist.c: any bytes as a shortlist, as they are and under a right checksum. What is
 * accepted comes back alike, and gives sentences lists without reading beyond them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/le.h"
#include "data/shortlist/shortlist_file.h"
#include "data/side.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SUM = 8, MOST = 64 };

static void require(int holds)
{
    if (!holds)
        abort();
}

/* Sentences of all source types, some of which do not exist. */
static void choose(struct dgm_env *env, const struct dgm_shortlist *shortlist)
{
    static int32_t ids[MOST];
    int32_t offsets[] = { 0, 1, MOST / 2, MOST / 2, MOST };
    struct dgm_packed source = { 0 };
    struct dgm_shortlist_choice choice = { 0 };

    for (int32_t i = 0; i < MOST; i++)
        ids[i] = i - 1;
    source.count = 4;
    source.ids = ids;
    source.offsets = offsets;
    for (int32_t size = 1; size <= 4; size++) {
        require(dgm_shortlist_choose(env, &choice, shortlist, &source, size, 3) == DGM_OK);
        for (int32_t s = 0; s < source.count; s++)
            for (int32_t place = 0; place < choice.width; place++)
                require(dgm_shortlist_type(&choice, s, place) < shortlist->types[DGM_TARGET]);
    }
    dgm_shortlist_choice_clear(env, &choice);
}

static void parse(const void *bytes, size_t size)
{
    struct dgm_shortlist shortlist;
    struct dgm_buf again = { 0 };
    struct dgm_env env;

    dgm_env_init(&env);
    if (dgm_shortlist_parse(&env, &shortlist, bytes, size, "input") == DGM_OK) {
        require(dgm_shortlist_print(&env, &again, &shortlist) == DGM_OK);
        require(again.size == size && memcmp(again.data, bytes, size) == 0);
        if (shortlist.types[DGM_TARGET] <= 1 << 16) /* or a batch takes too long */
            choose(&env, &shortlist);
        dgm_shortlist_clear(&env, &shortlist);
        dgm_buf_clear(&env, &again);
    } else {
        require(env.error.status == DGM_DATA);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *mended;

    parse(data, size);
    if (size < SUM)
        return 0;
    mended = malloc(size);
    require(mended != NULL);
    memcpy(mended, data, size);
    dgm_le64_put(mended + size - SUM, dgm_hash_bytes(mended, size - SUM));
    parse(mended, size);
    free(mended);
    return 0;
}
