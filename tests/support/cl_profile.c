/*
 * cl_profile.c: an OpenCL layer that tells how long kernels took on the device. It is a shared
 * object that the loader ocl-icd puts between a program and its drivers:
 *
 *     OPENCL_LAYERS=out/tests/support/cl_profile.so CL_PROFILE=report CL_PROFILE_SKIP=10 \
 *         dragoman train --devices gpu ...
 *
 * Queues get the device's clock (CL_QUEUE_PROFILING_ENABLE), and each launch an event, which costs
 * the device some time between launches, not within one. The file that CL_PROFILE names receives a
 * line for each kernel and size of launch, the longest first:
 *
 *     milliseconds in all, launches, microseconds of one, work-items, those of a group, kernel
 *
 * behind one that says how long the device was busy, and how long it was from its first launch to
 * the end of the last. CL_PROFILE_SKIP=N leaves out what comes before the end of update N, which
 * the Nth launch of kernel adam or adadelta is.
 *
 * Origin: as in cl_layer.h.
 */
#include <stdio.h>
#include <stdlib.h>

#define LAYER_TITLE "dragoman profile"
#include "cl_layer.h"

enum {
    PROFILING = 2, /* CL_QUEUE_PROFILING_ENABLE */
    COMMAND_START = 0x1282,
    COMMAND_END = 0x1283,
    KERNEL_FUNCTION_NAME = 0x1190,
    MOST_ROWS = 4096,
    MOST_WAITING = 1 << 14
};

/* Places in the table of calls. */
enum {
    CREATE_QUEUE = 9,
    KERNEL_INFO = 39,
    WAIT_FOR_EVENTS = 41,
    RELEASE_EVENT = 44,
    EVENT_TIMES = 45,
    LAUNCH = 59
};

/* Launches of one kernel and size. */
struct row {
    char kernel[64];
    size_t global[3], local[3];
    long launches;
    double ms;
};

static struct {
    struct row rows[MOST_ROWS];
    int count;
    struct {
        cl_event event;
        int row;
    } waiting[MOST_WAITING];
    int waits;
    long updates, skip;
    cl_ulong first, last;
    double busy_ms;
    int lost; /* launches without a time or a row */
} profile;

/* ---- the table of launches ------------------------------------------------------------------ */

static int is_row(const struct row *row, const char *kernel, const size_t *global,
                  const size_t *local)
{
    return strcmp(row->kernel, kernel) == 0 &&
           memcmp(row->global, global, sizeof row->global) == 0 &&
           memcmp(row->local, local, sizeof row->local) == 0;
}

/* -1: there are too many. */
static int row_of(const char *kernel, const size_t *global, const size_t *local)
{
    struct row *row = &profile.rows[profile.count];

    for (int i = 0; i < profile.count; i++)
        if (is_row(&profile.rows[i], kernel, global, local))
            return i;
    if (profile.count == MOST_ROWS)
        return -1;
    snprintf(row->kernel, sizeof row->kernel, "%s", kernel);
    memcpy(row->global, global, sizeof row->global);
    memcpy(row->local, local, sizeof row->local);
    return profile.count++;
}

static void add_times(cl_event event, int row)
{
    cl_int (*times)(cl_event, cl_uint, size_t, void *, size_t *);
    cl_int (*release)(cl_event);
    cl_ulong start = 0, end = 0;

    memcpy(&times, &layer_next[EVENT_TIMES], sizeof times);
    memcpy(&release, &layer_next[RELEASE_EVENT], sizeof release);
    if (times(event, COMMAND_START, sizeof start, &start, NULL) != CL_SUCCESS ||
        times(event, COMMAND_END, sizeof end, &end, NULL) != CL_SUCCESS || end < start) {
        profile.lost++;
    } else {
        profile.rows[row].ms += (double)(end - start) / 1e6;
        profile.rows[row].launches++;
        profile.busy_ms += (double)(end - start) / 1e6;
        if (profile.first == 0)
            profile.first = start;
        profile.last = end;
    }
    release(event);
}

static void drain(void)
{
    cl_int (*wait)(cl_uint, const cl_event *);

    memcpy(&wait, &layer_next[WAIT_FOR_EVENTS], sizeof wait);
    for (int i = 0; i < profile.waits; i++) {
        wait(1, &profile.waiting[i].event);
        add_times(profile.waiting[i].event, profile.waiting[i].row);
    }
    profile.waits = 0;
}

static int by_time(const void *a, const void *b)
{
    const double x = ((const struct row *)a)->ms, y = ((const struct row *)b)->ms;

    return (x < y) - (x > y);
}

static void report(void)
{
    const char *path = getenv("CL_PROFILE");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;

    drain();
    if (file == NULL)
        return;
    qsort(profile.rows, (size_t)profile.count, sizeof *profile.rows, by_time);
    fprintf(file, "busy %.3f ms of %.3f ms, %ld updates, %d launches lost\n", profile.busy_ms,
            (double)(profile.last - profile.first) / 1e6, profile.updates - profile.skip,
            profile.lost);
    for (int i = 0; i < profile.count; i++) {
        const struct row *row = &profile.rows[i];

        fprintf(file, "%10.3f %7ld %9.2f  %zu,%zu,%zu %zu,%zu,%zu  %s\n", row->ms, row->launches,
                row->ms * 1e3 / (double)row->launches, row->global[0], row->global[1],
                row->global[2], row->local[0], row->local[1], row->local[2], row->kernel);
    }
    fclose(file);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static cl_command_queue CL_CALL call_CreateCommandQueue(cl_context context, cl_device_id device,
                                                        cl_bitfield properties, cl_int *error)
{
    cl_command_queue(CL_CALL * call)(cl_context, cl_device_id, cl_bitfield, cl_int *);

    memcpy(&call, &layer_next[CREATE_QUEUE], sizeof call);
    return call(context, device, properties | PROFILING, error);
}

static void keep(cl_kernel kernel, const size_t *global, const size_t *local, cl_event event)
{
    cl_int (*info)(cl_kernel, cl_uint, size_t, void *, size_t *);
    char name[64] = "";
    int row;

    memcpy(&info, &layer_next[KERNEL_INFO], sizeof info);
    info(kernel, KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    row = profile.updates >= profile.skip ? row_of(name, global, local) : -1;
    if (strcmp(name, "adam") == 0 || strcmp(name, "adadelta") == 0)
        profile.updates++;
    if (row < 0) {
        cl_int (*release)(cl_event);

        memcpy(&release, &layer_next[RELEASE_EVENT], sizeof release);
        release(event);
        return;
    }
    if (profile.waits == MOST_WAITING)
        drain();
    profile.waiting[profile.waits].event = event;
    profile.waiting[profile.waits++].row = row;
}

static cl_int CL_CALL call_EnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                cl_uint dimensions, const size_t *offset,
                                                const size_t *global, const size_t *local,
                                                cl_uint waits, const cl_event *wait,
                                                cl_event *event)
{
    cl_event own = NULL;
    cl_int error;
    cl_int(CL_CALL * call)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                           const size_t *, cl_uint, const cl_event *, cl_event *);

    memcpy(&call, &layer_next[LAUNCH], sizeof call);
    if (event != NULL || dimensions != 3 || local == NULL) /* none of ours */
        return call(queue, kernel, dimensions, offset, global, local, waits, wait, event);
    error = call(queue, kernel, dimensions, offset, global, local, waits, wait, &own);
    if (error == CL_SUCCESS)
        keep(kernel, global, local, own);
    return error;
}

/* ---- the layer ------------------------------------------------------------------------------ */

static void layer_begins(void)
{
    const char *skip = getenv("CL_PROFILE_SKIP");
    cl_command_queue(CL_CALL * queue)(cl_context, cl_device_id, cl_bitfield, cl_int *) =
        call_CreateCommandQueue;
    cl_int(CL_CALL * launch)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                             const size_t *, cl_uint, const cl_event *, cl_event *) =
        call_EnqueueNDRangeKernel;

    memcpy(&layer_table[CREATE_QUEUE], &queue, sizeof queue);
    memcpy(&layer_table[LAUNCH], &launch, sizeof launch);
    profile.skip = skip != NULL ? strtol(skip, NULL, 10) : 0;
    atexit(report);
}
