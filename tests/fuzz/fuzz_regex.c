/*
 * fuzz_regex.c: any bytes as an expression, up to an LF, and a text. Matches lie in the text, one
 * behind the other, and end.
 */
#include <stdlib.h>
#include <string.h>

#include "text/regex/regex.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

/* All matches, as a caller finds them. */
static void find_all(struct dgm_env *env, const struct dgm_regex *regex, const char *text,
                     size_t size)
{
    struct dgm_regex_work work = { 0 };
    size_t at = 0, start, end, count = 0;
    int found = 1, advances = 0;

    while (found) {
        require(dgm_regex_find(env, regex, &work, text, size, at, advances, &start, &end, &found) ==
                DGM_OK);
        if (!found)
            break;
        require(start >= at && end >= start && end <= size);
        require(!advances || end > at);
        require(++count <= 2 * size + 2);
        advances = start == end;
        at = end;
    }
    dgm_regex_work_clear(env, &work);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dgm_env env;
    struct dgm_regex regex;
    const char *bytes = (const char *)data;
    const char *lf = size > 0 ? memchr(bytes, '\n', size) : NULL;
    const size_t length = lf != NULL ? (size_t)(lf - bytes) : size;

    if (size - length > 200) /* time is text times program */
        return 0;
    dgm_env_init(&env);
    if (dgm_regex_compile(&env, &regex, bytes, length) == DGM_OK) {
        if (lf != NULL)
            find_all(&env, &regex, lf + 1, size - length - 1);
        dgm_regex_clear(&env, &regex);
    } else {
        require(env.error.status == DGM_USAGE && regex.steps == NULL);
    }
    dgm_env_clear_error(&env);
    return 0;
}
