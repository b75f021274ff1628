/*
 * fuzz_links.c: any bytes as a line of links between words of a pair, whose numbers of words are
 * the first two bytes. What is accepted is in order and about words that are there.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/text/link_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void check(const struct dgm_link_file *file, int32_t source, int32_t target)
{
    for (int32_t l = 0; l < file->count; l++) {
        const int32_t *link = file->links + 2 * l;

        require(link[0] >= 0 && link[0] < source && link[1] >= 0 && link[1] < target);
        require(l == 0 || link[-1] < link[1] || (link[-1] == link[1] && link[-2] < link[0]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dgm_link_file file;
    struct dgm_env env;

    if (size < 2)
        return 0;
    dgm_env_init(&env);
    memset(&file, 0, sizeof file);
    file.side.path = "input";
    require(dgm_buf_add(&env, &file.side.lines.line, data + 2, size - 2) == DGM_OK);
    if (dgm_link_file_take(&env, &file, 1, data[0], data[1]) == DGM_OK)
        check(&file, data[0], data[1]);
    else
        require(env.error.status == DGM_DATA);
    dgm_buf_clear(&env, &file.side.lines.line);
    dgm_release(&env, file.links);
    return 0;
}
