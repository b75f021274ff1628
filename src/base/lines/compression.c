/* compression.c: the list of the ways to pack. */
#include "base/lines/compression.h"

#include <string.h>

#define COMPRESSION(name) &dgm_compression_##name,
const struct dgm_compression *const dgm_compressions[] = {
#include "base/lines/compression_list.h"
    NULL
};
#undef COMPRESSION

const struct dgm_compression *dgm_compression_find(const char *kind)
{
    const struct dgm_compression *const *compression = dgm_compressions;

    while (*compression != NULL && strcmp((*compression)->kind, kind) != 0)
        compression++;
    return *compression;
}

size_t dgm_compression_suffix(const char *path)
{
    const struct dgm_compression *const *compression = dgm_compressions;
    const size_t length = strlen(path);

    for (; *compression != NULL; compression++) {
        const size_t size = strlen((*compression)->suffix);

        if (length > size && strcmp(path + length - size, (*compression)->suffix) == 0)
            return size;
    }
    return 0;
}
