/*
 * freeze.c: parameters that training leaves as they are, by patterns of their names.
 */
#include "train/step/freeze.h"

#include <string.h>

/* Whether a name is like a pattern of `length` bytes. The latest * takes one letter more where what
 * follows it does not fit. */
static int is_like(const char *name, const char *pattern, size_t length)
{
    size_t at = 0, i = 0, star = length, start = 0; /* of the latest *; what it has to begin with */

    while (name[i] != '\0') {
        if (at < length && pattern[at] == '*') {
            star = at++;
            start = i;
        } else if (at < length && pattern[at] == name[i]) {
            at++;
            i++;
        } else if (star < length) {
            at = star + 1;
            i = ++start;
        } else {
            return 0;
        }
    }
    while (at < length && pattern[at] == '*')
        at++;
    return at == length;
}

static dgm_status freeze_like(struct dgm_env *env, struct dgm_params *params, const char *pattern,
                              size_t length)
{
    char quoted[DGM_QUOTE_SIZE];
    size_t found = 0;

    for (size_t i = 0; i < params->count; i++)
        if (is_like(params->items[i].name, pattern, length)) {
            dgm_params_rate(params, (dgm_param_id)i, 0);
            found++;
        }
    if (found > 0)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, pattern, length);
    return dgm_fail(env, DGM_USAGE,
                    "--freeze: no parameter is called like \"%s\"; expected names such as \"%s\" "
                    "(dragoman inspect lists those of a model)",
                    quoted, params->count > 0 ? params->items[0].name : "");
}

dgm_status dgm_freeze(struct dgm_env *env, struct dgm_params *params, const char *patterns)
{
    int64_t frozen = 0, all = 0;

    if (patterns == NULL)
        return DGM_OK;
    if (*patterns == '\0')
        return dgm_fail(env, DGM_USAGE,
                        "--freeze names nothing; expected names of parameters, with "
                        "* for any letters");
    for (size_t length; *patterns != '\0'; patterns += length + (patterns[length] == ',')) {
        length = strcspn(patterns, ",");
        DGM_TRY(freeze_like(env, params, patterns, length));
    }
    for (size_t i = 0; i < params->count; i++) {
        const int64_t count = params->items[i].rows * params->items[i].cols;

        all += count;
        frozen += params->items[i].rate > 0 ? 0 : count;
    }
    if (frozen == all)
        return dgm_fail(env, DGM_USAGE,
                        "--freeze: all parameters would stay as they are; "
                        "expected some that are trained");
    dgm_log(env, DGM_LOG_NOTE, "--freeze: %lld of %lld values stay as they are", (long long)frozen,
            (long long)all);
    return DGM_OK;
}
