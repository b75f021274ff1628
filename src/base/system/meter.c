/* meter.c: an allocator that counts, and keeps to a limit. */
#include "base/system/meter.h"

#include <stdint.h>
#include <string.h>

#include "base/system/usage.h"

/* Bytes before each block; 16 keep the alignment that malloc promises. */
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
    const size_t held = meter->held - less;
    const int allowed =
        more <= SIZE_MAX - held - meter->beside &&
        (meter->limit == 0 || more <= less || held + more + meter->beside <= meter->limit);

    if (allowed)
        meter->held = held + more;
    return allowed;
}

/* The allocator below is under the lock as well: it may be the caller's own, and know of no
 * threads. */
static void *metered_resize(void *user, void *block, size_t bytes)
{
    struct dgm_meter *meter = user;
    unsigned char *old = block != NULL ? (unsigned char *)block - HEADER : NULL, *made = NULL;
    const size_t before = old != NULL ? size_of(old) : 0;

    if (bytes > SIZE_MAX - HEADER)
        return NULL;
    bytes += HEADER;
    pthread_mutex_lock(&meter->lock);
    if (take(meter, before, bytes)) {
        made = meter->under.resize(meter->under.user, old, bytes);
        if (made == NULL)
            take(meter, bytes, before);
    }
    pthread_mutex_unlock(&meter->lock);
    if (made == NULL)
        return NULL;
    memcpy(made, &bytes, sizeof bytes);
    return made + HEADER;
}

static void metered_release(void *user, void *block)
{
    struct dgm_meter *meter = user;
    unsigned char *old = (unsigned char *)block - HEADER;

    if (block == NULL)
        return;
    pthread_mutex_lock(&meter->lock);
    take(meter, size_of(old), 0);
    meter->under.release(meter->under.user, old);
    pthread_mutex_unlock(&meter->lock);
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
