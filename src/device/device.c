/*
 * device.c: the list of devices, and calls through a device's table of operations.
 */
#include "device/device.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "config.h"
#include "device/host_mirror.h"

#define DEVICE(name) extern const struct dgm_device_ops dgm_device_##name;
#include "device/device_list.h"
#undef DEVICE

static const struct dgm_device_ops *const entries[] = {
#define DEVICE(name) &dgm_device_##name,
#include "device/device_list.h"
#undef DEVICE
};

size_t dgm_device_count(void)
{
    return sizeof entries / sizeof entries[0];
}

const struct dgm_device_ops *dgm_device_entry(size_t i)
{
    return entries[i];
}

dgm_status dgm_device_open(struct dgm_env *env, struct dgm_device **out, const char *name,
                           const struct dgm_device_options *options)
{
    for (size_t i = 0; i < dgm_device_count(); i++)
        if (strcmp(entries[i]->name, name) == 0)
            return entries[i]->open(env, out, options);
    return dgm_fail(env, DGM_USAGE, "no device '%s' in this build; there is: %s", name,
                    entries[0]->name);
}

void dgm_device_close(struct dgm_env *env, struct dgm_device *device)
{
    if (device)
        device->ops->close(env, device);
}

dgm_status dgm_device_alloc(struct dgm_env *env, struct dgm_device *device, struct dgm_buffer **out,
                            size_t bytes)
{
    return device->ops->alloc(env, device, out, bytes);
}

void dgm_device_release(struct dgm_env *env, struct dgm_device *device, struct dgm_buffer *buffer)
{
    assert(device->mirror == NULL);
    if (buffer)
        device->ops->release(env, device, buffer);
}

dgm_status dgm_device_write(struct dgm_env *env, struct dgm_device *device, struct dgm_ref to,
                            const void *from, size_t bytes)
{
    assert(device->mirror == NULL);
    return device->ops->write(env, device, to, from, bytes);
}

dgm_status dgm_device_read(struct dgm_env *env, struct dgm_device *device, void *to,
                           struct dgm_ref from, size_t bytes)
{
    if (device->mirror != NULL)
        return dgm_host_mirror_read(env, device->mirror, to, from, bytes);
    return device->ops->read(env, device, to, from, bytes);
}

dgm_status dgm_device_look(struct dgm_env *env, struct dgm_device *device, const void **out,
                           void **copy, struct dgm_ref from, size_t bytes)
{
    *copy = NULL;
    if (device->mirror == NULL && device->ops->look != NULL) {
        *out = device->ops->look(from);
        return DGM_OK;
    }
    *copy = dgm_alloc(env, bytes, 1);
    if (*copy == NULL)
        return DGM_MEMORY;
    *out = *copy;
    return dgm_device_read(env, device, *copy, from, bytes);
}

/* A mirror goes first: while it exists, even tasks that the device supports run on the host. */
dgm_status dgm_device_run(struct dgm_env *env, struct dgm_device *device, enum dgm_task_kind kind,
                          const void *args)
{
    if (device->mirror != NULL)
        return dgm_host_mirror_run(env, device->mirror, kind, args);
    if (!device->ops->supports(device, kind, args))
        return dgm_host_mirror_fall_back(env, device, kind, args);
    return device->ops->run(env, device, kind, args);
}

dgm_status dgm_device_flush(struct dgm_env *env, struct dgm_device *device)
{
    return device->ops->flush(env, device);
}
