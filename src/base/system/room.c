/* room.c: whether work that knows its size fits under the limit on memory. */
#include "base/system/room.h"

#include <stdio.h>

#include "base/number/number.h"
#include "base/system/meter.h"
#include "base/system/usage.h"

/* Bytes of code and stacks that the work will touch for the first time, beside what it
 * allocates. */
enum { UNTOUCHED = 1 << 20 };

static const double unit = 1048576;

int dgm_room_is_asked(const struct dgm_env *env)
{
    return env->log_level >= DGM_LOG_DEBUG || (env->meter != NULL && env->meter->limit > 0);
}

int dgm_room_for(const struct dgm_env *env, double bytes)
{
    if (env->meter == NULL || env->meter->limit == 0)
        return 1;
    return (double)dgm_meter_used(env->meter) + bytes + UNTOUCHED <= (double)env->meter->limit;
}

int dgm_room_for_next(const struct dgm_env *env, double bytes)
{
    return dgm_room_for(env, bytes + DGM_BETWEEN_STARTS);
}

/* "memory: WHAT 43.4 MiB", at level debug. */
static void report(struct dgm_env *env, const char *what, double bytes)
{
    char text[32];

    dgm_log(env, DGM_LOG_DEBUG, "memory: %s %s MiB", what, dgm_number_fixed(text, bytes / unit, 1));
}

void dgm_room_report(struct dgm_env *env, double bytes)
{
    report(env, "the work takes", bytes);
    report(env, "all in all, at most", dgm_usage_most((double)dgm_usage_now() + bytes + UNTOUCHED));
}

dgm_status dgm_room_refuse(struct dgm_env *env, const char *who, double bytes, const char *hint,
                           int64_t number)
{
    double all = (double)dgm_meter_used(env->meter) + bytes + UNTOUCHED;
    char digits[32] = "";

    if (number > 0)
        snprintf(digits, sizeof digits, " %lld", (long long)number);
    return dgm_fail(env, DGM_MEMORY, "%s may need %lld MiB in all, --memory allows %lld: %s%s", who,
                    (long long)(all / unit) + 1, (long long)((double)env->meter->limit / unit),
                    hint, digits);
}
