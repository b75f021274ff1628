/* meter.c: an allocator that counts, and keeps to a limit. */
#include "base/system/meter.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number/number.h"
#include "base/system/usage.h"

enum { HEADER = 16 };

static size_t size_of(const unsigned char *block)
{
    size_t size;

    memcpy(&size, block, sizeof size);
    return size;
}

/* Whether `more` bytes are allowed in the place of `less`; counts them if so. */
static int take(struct dgm_meter *meter, size_t less, size_t more)
{
    size_t held;
    int allowed;

    pthread_mutex_lock(&meter->lock);
    held = meter->held - less;
    allowed = more <= SIZE_MAX - held - meter->beside &&
              (meter->limit == 0 || more <= less || held + more + meter->beside <= meter->limit);
    if (allowed)
        meter->held = held + more;
    pthread_mutex_unlock(&meter->lock);
    return allowed;
}

static void *metered_resize(void *user, void *block, size_t bytes)
{
    struct dgm_meter *meter = user;
    unsigned char *old = block != NULL ? (unsigned char *)block - HEADER : NULL, *made;
    size_t before = old != NULL ? size_of(old) : 0;

    if (bytes > SIZE_MAX - HEADER || !take(meter, before, bytes + HEADER))
        return NULL;
    made = meter->under.resize(meter->under.user, old, bytes + HEADER);
    if (made == NULL) {
        take(meter, bytes + HEADER, before);
        return NULL;
    }
    bytes += HEADER;
    memcpy(made, &bytes, sizeof bytes);
    return made + HEADER;
}

static void metered_release(void *user, void *block)
{
    struct dgm_meter *meter = user;
    unsigned char *old = (unsigned char *)block - HEADER;

    if (block == NULL)
        return;
    take(meter, size_of(old), 0);
    meter->under.release(meter->under.user, old);
}

void dgm_meter_begin(struct dgm_meter *meter, struct dgm_env *env)
{
    memset(meter, 0, sizeof *meter);
    meter->under = env->memory;
    pthread_mutex_init(&meter->lock, NULL);
    env->memory.resize = metered_resize;
    env->memory.release = metered_release;
    env->memory.user = meter;
    env->meter = meter;
}

void dgm_meter_end(struct dgm_meter *meter, struct dgm_env *env)
{
    env->memory = meter->under;
    env->meter = NULL;
    pthread_mutex_destroy(&meter->lock);
}

void dgm_meter_limit(struct dgm_meter *meter, size_t limit)
{
    size_t now = dgm_usage_now();

    pthread_mutex_lock(&meter->lock);
    meter->limit = limit;
    meter->beside = limit > 0 && now > meter->held ? now - meter->held : 0;
    pthread_mutex_unlock(&meter->lock);
}

size_t dgm_meter_used(struct dgm_meter *meter)
{
    size_t used;

    pthread_mutex_lock(&meter->lock);
    used = meter->held + meter->beside;
    pthread_mutex_unlock(&meter->lock);
    return used;
}

/* ---- work that knows how much it will need --------------------------------------------------- */

/* Code and stacks that it touches, too. */
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

void dgm_room_report(struct dgm_env *env, double bytes)
{
    char text[32];

    text[dgm_number_print_fixed(text, ((double)dgm_usage_now() + bytes + UNTOUCHED) / unit, 1)] =
        '\0';
    dgm_log(env, DGM_LOG_DEBUG, "memory: all in all, at most %s MiB", text);
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
