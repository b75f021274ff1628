/*
 * feed.c: staging the data of one step and sending it in one transfer.
 */
#include "nn/feed.h"

#include <string.h>

#include "base/mem.h"

void dgm_feed_init(struct dgm_feed *feed, struct dgm_device *device)
{
    memset(feed, 0, sizeof *feed);
    feed->device = device;
}

void dgm_feed_clear(struct dgm_env *env, struct dgm_feed *feed)
{
    if (feed->device == NULL)
        return;
    dgm_release(env, feed->host);
    dgm_device_release(env, feed->device, feed->buffer);
    memset(feed, 0, sizeof *feed);
}

void dgm_feed_reset(struct dgm_feed *feed)
{
    feed->used = 0;
}

dgm_status dgm_feed_take(struct dgm_env *env, struct dgm_feed *feed, dgm_slot *slot, void *data,
                         size_t bytes)
{
    size_t start = (feed->used + 63) & ~(size_t)63;
    char *place;

    if (feed->host == NULL || start + bytes > feed->capacity) { /* an empty slot has a place, too */
        size_t capacity = 2 * (start + bytes) + 4096;
        char *host = dgm_resize(env, feed->host, capacity, 1);
        if (host == NULL)
            return DGM_MEMORY;
        feed->host = host;
        feed->capacity = capacity;
    }
    memset(feed->host + feed->used, 0, start + bytes - feed->used);
    place = feed->host + start;
    memcpy(data, &place, sizeof place);
    feed->used = start + bytes;
    *slot = start + 1;
    return DGM_OK;
}

dgm_status dgm_feed_copy(struct dgm_env *env, struct dgm_feed *feed, dgm_slot *slot,
                         const void *data, size_t bytes)
{
    char *place;

    DGM_TRY(dgm_feed_take(env, feed, slot, &place, bytes));
    if (bytes > 0)
        memcpy(place, data, bytes);
    return DGM_OK;
}

void *dgm_feed_host(const struct dgm_feed *feed, dgm_slot slot)
{
    return feed->host + (slot - 1);
}

dgm_status dgm_feed_send(struct dgm_env *env, struct dgm_feed *feed)
{
    struct dgm_ref start = { NULL, 0 };

    if (feed->used == 0)
        return DGM_OK;
    if (feed->used > feed->buffer_bytes) {
        dgm_device_release(env, feed->device, feed->buffer);
        feed->buffer = NULL;
        feed->buffer_bytes = 0;
        DGM_TRY(dgm_device_alloc(env, feed->device, &feed->buffer, feed->capacity));
        feed->buffer_bytes = feed->capacity;
    }
    start.buffer = feed->buffer;
    return dgm_device_write(env, feed->device, start, feed->host, feed->used);
}

struct dgm_ref dgm_feed_ref(const struct dgm_feed *feed, dgm_slot slot)
{
    struct dgm_ref ref = { NULL, 0 };

    if (slot != 0) {
        ref.buffer = feed->buffer;
        ref.offset = slot - 1;
    }
    return ref;
}
