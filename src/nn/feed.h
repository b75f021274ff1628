/*
 * feed.h: the data of one step (ids, offsets, tree constants) on their way to the device.
 *
 * Arrays are staged side by side in host memory and copied in one transfer. A slot stays valid
 * until the next dgm_feed_reset; its reference exists after dgm_feed_send.
 */
#ifndef DGM_NN_FEED_H
#define DGM_NN_FEED_H

#include "base/env.h"
#include "device/device.h"

struct dgm_feed {
    struct dgm_device *device;
    char *host;
    size_t used, capacity;
    struct dgm_buffer *buffer;
    size_t buffer_bytes;
};

/* A staged array: an offset + 1, so that a zeroed slot is "absent". */
typedef size_t dgm_slot;

void dgm_feed_init(struct dgm_feed *feed, struct dgm_device *device);
void dgm_feed_clear(struct dgm_env *env, struct dgm_feed *feed);
void dgm_feed_reset(struct dgm_feed *feed);

/* Room for `bytes` bytes, zeroed, aligned to 64. *data holds until the next call. */
dgm_status dgm_feed_take(struct dgm_env *env, struct dgm_feed *feed, dgm_slot *slot, void *data,
                         size_t bytes);
/* The same, filled with a copy. */
dgm_status dgm_feed_copy(struct dgm_env *env, struct dgm_feed *feed, dgm_slot *slot,
                         const void *data, size_t bytes);

/* The staged bytes of a slot; valid until the next _take or _copy. */
void *dgm_feed_host(const struct dgm_feed *feed, dgm_slot slot);

/* Copies everything staged to the device. */
dgm_status dgm_feed_send(struct dgm_env *env, struct dgm_feed *feed);

/* Where a slot lies on the device; an absent operand for slot 0. */
struct dgm_ref dgm_feed_ref(const struct dgm_feed *feed, dgm_slot slot);

#endif
