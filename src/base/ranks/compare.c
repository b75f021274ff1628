/* compare.c: lines of rank 0 against those of the other ranks. */
#include "base/ranks/compare.h"

#include <string.h>

#include "base/mem.h"

/* Compares line by line: *line and *other are the first that differ, their ends cut off. */
static int finds_difference(char *text, char *other, const char **line, const char **other_line)
{
    while (*text != '\0' || *other != '\0') {
        const size_t length = strcspn(text, "\n"), other_length = strcspn(other, "\n");
        if (length != other_length || memcmp(text, other, length) != 0) {
            text[length] = other[other_length] = '\0';
            *line = text;
            *other_line = other;
            return 1;
        }
        text += length + (text[length] != '\0');
        other += length + (other[length] != '\0');
    }
    return 0;
}

static dgm_status compare(struct dgm_env *env, const struct dgm_ranks *ranks, struct dgm_buf *own,
                          char *lead)
{
    const char *line, *lead_line;

    if (!finds_difference(own->data, lead, &line, &lead_line))
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE,
                    "this rank has \"%s\", rank 0 (%s) has \"%s\"; expected the same program, "
                    "processor, options and files on all",
                    line, ranks->places[0].host, lead_line);
}

dgm_status dgm_ranks_compare(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_buf *text)
{
    uint64_t size = text->size;
    char *lead = NULL, *places = NULL;
    dgm_status status;

    DGM_TRY(dgm_ranks_broadcast(env, ranks, &size, sizeof size, 0));
    DGM_TRY_OUT(dgm_new(env, &lead, (size_t)size + 1, 1));
    DGM_TRY_OUT(dgm_new(env, &places, (size_t)ranks->count, 1));
    if (ranks->rank == 0)
        memcpy(lead, text->data, text->size);
    DGM_TRY_OUT(dgm_ranks_broadcast(env, ranks, lead, (size_t)size, 0));
    DGM_TRY_OUT(compare(env, ranks, text, lead));
    status = dgm_ranks_gather(env, ranks, places, 1);
out:
    dgm_release(env, lead);
    dgm_release(env, places);
    return status;
}
