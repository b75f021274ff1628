/*
 * device.h: the interface to whatever holds tensors and computes on them.
 *
 * No layer above knows where the memory lies. A buffer is opaque; a reference is a buffer and a
 * byte offset; data comes and goes by write and read. Work is described by tasks (task.h): what
 * a device does not support runs on the CPU with one copy each way.
 */
#ifndef DGM_DEVICE_DEVICE_H
#define DGM_DEVICE_DEVICE_H

#include <stdint.h>

#include "base/env.h"
#include "base/real.h"
#include "device/weights.h"

struct dgm_buf;
struct dgm_buffer;
struct dgm_device;
struct dgm_host_mirror;

/* A place in device memory. A NULL buffer is an absent optional operand. */
struct dgm_ref {
    struct dgm_buffer *buffer;
    size_t offset; /* bytes; a multiple of 64 for everything the graph allocates */
};

static inline struct dgm_ref dgm_ref_at(struct dgm_ref ref, size_t bytes)
{
    ref.offset += bytes;
    return ref;
}

enum dgm_task_kind {
#define TASK(name) DGM_TASK_##name,
#include "kernel/task/task_list.h"
    DGM_TASK_COUNT
};

struct dgm_device_options {
    int threads;           /* CPU: worker threads; 0: as many as processors */
    const char *isa;       /* CPU: "avx2", ...; NULL: the best there is */
    const char *which;     /* OpenCL: "gpu", "all", a number or part of a name; NULL: the best */
    const char *gemm;      /* OpenCL: matrix products: "own", "clblast", "auto"; NULL: "auto" */
    const char *precision; /* of their operands (precision.h): "f32", "tf32", "bf16"; NULL: "f32" */
};

enum { DGM_EXPLAIN_SIZE = 640 };

/* One row of the device list (device_list.h). */
struct dgm_device_ops {
    const char *name;
    const char *help;
    dgm_status (*open)(struct dgm_env *env, struct dgm_device **out,
                       const struct dgm_device_options *options);
    void (*close)(struct dgm_env *env, struct dgm_device *device);
    /* Memory is aligned to 64 bytes and zeroed. */
    dgm_status (*alloc)(struct dgm_env *env, struct dgm_device *device, struct dgm_buffer **out,
                        size_t bytes);
    void (*release)(struct dgm_env *env, struct dgm_device *device, struct dgm_buffer *buffer);
    size_t (*bytes)(const struct dgm_buffer *buffer);
    /* The most that tasks of training take on the device beside their operands, but for some MiB,
     * where parameters have so many bytes. NULL: hardly anything. */
    size_t (*beside)(const struct dgm_device *device, size_t parameters);
    /* Tells that the buffer holds weights that will hardly be written again: copies of its matrices
     * may be kept, in an order that products read faster. NULL: none are. */
    void (*keep)(struct dgm_env *env, struct dgm_device *device, struct dgm_buffer *buffer);
    /* Where this is in the memory of the host; NULL if it is elsewhere, or in another form. The
     * operation itself is NULL where it always is elsewhere. */
    void *(*place)(struct dgm_ref ref);
    /* A buffer for a matrix of weights in a form of their own (weights.h), and `count` of its rows
     * from `row` on, finite reals. It lies in `room`, a place in a plain buffer that outlives it,
     * at a multiple of 64 bytes, where it takes the bytes of weights_bytes, also such a multiple;
     * or, where room.buffer is NULL, in memory of its own. NULL: the device has no such forms. */
    dgm_status (*weights_bytes)(struct dgm_env *env, struct dgm_device *device, size_t *bytes,
                                enum dgm_weights kind, int64_t rows, int64_t cols);
    dgm_status (*alloc_weights)(struct dgm_env *env, struct dgm_device *device,
                                struct dgm_buffer **out, struct dgm_ref room, enum dgm_weights kind,
                                int64_t rows, int64_t cols);
    void (*write_weights)(struct dgm_device *device, struct dgm_buffer *buffer, int64_t row,
                          int64_t count, const dgm_real *values);
    dgm_status (*write)(struct dgm_env *env, struct dgm_device *device, struct dgm_ref to,
                        const void *from, size_t bytes);
    dgm_status (*read)(struct dgm_env *env, struct dgm_device *device, void *to,
                       struct dgm_ref from, size_t bytes);
    /* Where these bytes lie in the memory of the process. NULL: devices whose memory is their
     * own. */
    const void *(*look)(struct dgm_ref from);
    dgm_status (*sync)(struct dgm_env *env, struct dgm_device *device);
    /* Starts queued tasks without waiting. Without it a device may delay them until the next
     * read. */
    dgm_status (*flush)(struct dgm_env *env, struct dgm_device *device);
    /* Whether the device runs this task; args NULL: whether it runs any task of this kind. */
    int (*supports)(struct dgm_device *device, enum dgm_task_kind kind, const void *args);
    /* `args` is the struct of task.h for this kind; operands belong to this device. */
    dgm_status (*run)(struct dgm_env *env, struct dgm_device *device, enum dgm_task_kind kind,
                      const void *args);
    /* Appends lines that describe each device there is; DGM_UNSUPPORTED, and why, if there is none.
     * NULL where there can only be one. */
    dgm_status (*list)(struct dgm_env *env, struct dgm_buf *out);
    /* Measures which parameters are best on the device of options->which (NULL: on each device),
     * stores them for later runs, and appends a report. NULL where there is nothing to choose. */
    dgm_status (*tune)(struct dgm_env *env, struct dgm_buf *out,
                       const struct dgm_device_options *options, dgm_progress_fn progress,
                       void *user);
    /* Whether the device runs tasks of this kind; tries the kind first if that is not known.
     * `words` (DGM_EXPLAIN_SIZE bytes) says why or why not. NULL: the device runs all kinds. */
    int (*explain)(struct dgm_env *env, struct dgm_device *device, enum dgm_task_kind kind,
                   char *words);
    /* Opens a device for one thread beside this one, which it must not outlive: buffers of either
     * are operands of both. NULL where threads cannot compute apart from each other. */
    dgm_status (*open_beside)(struct dgm_env *env, struct dgm_device *device,
                              struct dgm_device **out);
    /* Runs fn on device->threads threads at once, the calling one, which is worker 0, among them.
     * What that one asks of the device meanwhile, it computes alone. NULL as above. */
    void (*run_apart)(struct dgm_device *device, void (*fn)(void *job, int64_t chunk, int worker),
                      void *job);
};

/* What every device begins with. */
struct dgm_device {
    const struct dgm_device_ops *ops;
    struct dgm_device *host; /* runs what this device does not support; NULL for the CPU itself */
    char title[128];         /* "CPU, avx512, 2 threads" */
    const char *isa;         /* of a CPU, what results depend on: "avx512, bf16 by amx"; NULL */
    enum dgm_weights reals;  /* the form of reals that translations multiply by fastest */
    size_t memory;           /* bytes that it has; 0: not known, or those of the process */
    /* Bytes of one buffer that it promises, a multiple of 64; 0: as many as it has. */
    size_t largest;
    /* Elements whose squares it adds at a time: the sum of an array is that of its blocks, from the
     * first to the last. 0: it adds in another way. */
    int64_t sum_block;
    int threads; /* that may compute apart from each other (open_beside); 0: none may */
    struct dgm_host_mirror *mirror; /* while it is not NULL, tasks run on it (host_mirror.h) */
    char told[DGM_TASK_COUNT];      /* kinds of task for which the log says so */
};

/* Opens a device by its name in the list ("cpu"); the caller closes it. dgm_device_open_chosen
 * (choice.h) opens what a user asks for. */
dgm_status dgm_device_open(struct dgm_env *env, struct dgm_device **out, const char *name,
                           const struct dgm_device_options *options);
void dgm_device_close(struct dgm_env *env, struct dgm_device *device);

dgm_status dgm_device_alloc(struct dgm_env *env, struct dgm_device *device, struct dgm_buffer **out,
                            size_t bytes);
void dgm_device_release(struct dgm_env *env, struct dgm_device *device, struct dgm_buffer *buffer);
dgm_status dgm_device_write(struct dgm_env *env, struct dgm_device *device, struct dgm_ref to,
                            const void *from, size_t bytes);
dgm_status dgm_device_read(struct dgm_env *env, struct dgm_device *device, void *to,
                           struct dgm_ref from, size_t bytes);
/*
 * The same bytes for the process to read, until the next task: where they are, or, from a device
 * that has memory of its own, a copy, which is also in *copy. The caller releases *copy, which may
 * be NULL.
 */
dgm_status dgm_device_look(struct dgm_env *env, struct dgm_device *device, const void **out,
                           void **copy, struct dgm_ref from, size_t bytes);
dgm_status dgm_device_run(struct dgm_env *env, struct dgm_device *device, enum dgm_task_kind kind,
                          const void *args);
dgm_status dgm_device_flush(struct dgm_env *env, struct dgm_device *device);

/* The list of devices in this build: its length, and entry i. */
size_t dgm_device_count(void);
const struct dgm_device_ops *dgm_device_entry(size_t i);

#endif
