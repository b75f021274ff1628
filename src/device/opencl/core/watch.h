/*
 * watch.h: calls of a driver behind which its compiler may work, which nothing can end: they run in
 * a thread of their own, while the caller tells who waits, hears whether the work is to stop, and
 * leaves a call that takes too long.
 */
#ifndef DGM_DEVICE_OPENCL_CORE_WATCH_H
#define DGM_DEVICE_OPENCL_CORE_WATCH_H

#include "device/opencl/core/opencl.h"

/*
 * Runs fn(call). The thread works on a copy of the `bytes` bytes, which come back when it is done:
 * what they point to has to stay, whatever becomes of the caller. `what` is told after a second or
 * two (struct dgm_env: wait). seconds: for how long to wait, 0: until it ends.
 *
 * DGM_UNSUPPORTED: that was not enough. What env->poll has returned: the work is to stop. In both
 * cases the call goes on alone, and opencl->has_left is set: what the driver has is not released
 * any more, since it may be in use.
 */
typedef void dgm_cl_call_fn(void *call);
dgm_status dgm_cl_watch(struct dgm_env *env, struct dgm_opencl *opencl, const char *what,
                        int seconds, dgm_cl_call_fn *fn, void *call, size_t bytes);

/* The same of a call that uses the queue, and waits for it. The limit is that of a compiler, for
 * trials alone; where the call was left, the device goes on with another queue, which does not wait
 * for the one before it. */
dgm_status dgm_cl_watch_launch(struct dgm_env *env, struct dgm_opencl *opencl, const char *what,
                               dgm_cl_call_fn *fn, void *call, size_t bytes);

#endif
