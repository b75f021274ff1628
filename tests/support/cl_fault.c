/*
 * cl_fault.c: an OpenCL layer that makes chosen calls fail (reliability.md, R27). It is a shared
 * object that the loader ocl-icd puts between a program and its drivers:
 *
 *     OPENCL_LAYERS=out/tests/support/cl_fault.so CL_FAULT=CreateBuffer:3:-4 dragoman train ...
 *
 * CL_FAULT=CALL:N:CODE[:KERNEL] makes call N (from 1) of clCALL return CODE; with "N+", all calls
 * from there on; with CODE 0, the call does nothing and claims success. KERNEL counts only launches
 * of that kernel. CL_FAULT_AFTER=PATH starts counting once there is such a file. A test in the same
 * process can change the rule: cl_fault_arm.
 *
 * GetDeviceInfo:N:BYTE:WHAT fills the answers about WHAT (a number, 0x1002; none: all) with that
 * byte, as a driver with bad values does.
 *
 * GetKernelWorkGroupInfo:N:LIMIT:KERNEL is a driver that runs no groups of more than LIMIT
 * work-items of such kernels. KERNEL may be a pattern: gemm_gpu_*_128.
 *
 * Origin: as in cl_layer.h.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LAYER_TITLE "dragoman faults"
#include "cl_layer.h"

/* What tests look up. */
void cl_fault_arm(const char *text);
long cl_fault_hits(void);

enum {
    KERNEL_FUNCTION_NAME = 0x1190,
    GET_KERNEL_INFO = 39,
    NOT_NOW = 1000 /* no error number, no byte */
};

static struct {
    char call[40], kernel[64];
    long number, calls, hits;
    int from_there_on;
    cl_int code;
} rule;

/* ---- the rule ------------------------------------------------------------------------------- */

void cl_fault_arm(const char *text)
{
    char plus = '\0', code[16] = "";

    memset(&rule, 0, sizeof rule);
    if (text == NULL || sscanf(text, "%39[^:]:%ld", rule.call, &rule.number) != 2)
        return;
    sscanf(text, "%*[^:]:%*[0-9]%c", &plus);
    rule.from_there_on = plus == '+';
    sscanf(text, "%*[^:]:%*[0-9+]:%15[-0-9]:%63s", code, rule.kernel);
    rule.code = (cl_int)strtol(code, NULL, 10);
}

long cl_fault_hits(void)
{
    return rule.hits;
}

static int is_time(void)
{
    const char *path = getenv("CL_FAULT_AFTER");

    return path == NULL || access(path, F_OK) == 0;
}

/* What the call shall return instead of being made, or NOT_NOW. */
static cl_int fault(const char *call)
{
    if (strcmp(call, rule.call) != 0 || !is_time())
        return NOT_NOW;
    rule.calls++;
    if (rule.calls != rule.number && !(rule.from_there_on && rule.calls > rule.number))
        return NOT_NOW;
    rule.hits++;
    return rule.code;
}

static int is_kernel(cl_kernel kernel)
{
    cl_int (*info)(cl_kernel, cl_uint, size_t, void *, size_t *);
    char name[64] = "";

    if (rule.kernel[0] == '\0')
        return 1;
    memcpy(&info, &layer_next[GET_KERNEL_INFO], sizeof info);
    return info(kernel, KERNEL_FUNCTION_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
           fnmatch(rule.kernel, name, 0) == 0;
}

/* The most work-items that a group of this kernel may have by the rule; 0: what the driver says. */
static size_t group_limit(cl_kernel kernel)
{
    if (strcmp(rule.call, "GetKernelWorkGroupInfo") != 0 || rule.code <= 0 || !is_kernel(kernel))
        return 0;
    return (size_t)rule.code;
}

/* Puts bytes of the rule's code, if that is one, in place of the driver's answer. */
static cl_int answer(cl_uint what, size_t room, void *value, size_t *size)
{
    const int is_asked = rule.kernel[0] == '\0' || strtoul(rule.kernel, NULL, 0) == what;
    const cl_int code = is_asked ? fault("GetDeviceInfo") : NOT_NOW;

    if (code == NOT_NOW || code < 0)
        return code;
    if (value != NULL)
        memset(value, code, room);
    if (size != NULL)
        *size = room;
    return CL_SUCCESS;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* Calls that return an error number. LIST(place in the table, name, parameters, arguments) */
#define PLAIN_LIST(E)                                                                         \
    E(0, GetPlatformIDs, (cl_uint room, cl_platform_id * ids, cl_uint * count),               \
      (room, ids, count))                                                                     \
    E(2, GetDeviceIDs,                                                                        \
      (cl_platform_id platform, cl_bitfield type, cl_uint room, cl_device_id * ids,           \
       cl_uint * count),                                                                      \
      (platform, type, room, ids, count))                                                     \
    E(30, BuildProgram,                                                                       \
      (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,   \
       cl_program_fn notify, void *user),                                                     \
      (program, count, devices, options, notify, user))                                       \
    E(32, GetProgramInfo,                                                                     \
      (cl_program program, cl_uint what, size_t room, void *value, size_t *size),             \
      (program, what, room, value, size))                                                     \
    E(38, SetKernelArg, (cl_kernel kernel, cl_uint index, size_t bytes, const void *value),   \
      (kernel, index, bytes, value))                                                          \
    E(46, Flush, (cl_command_queue queue), (queue))                                           \
    E(47, Finish, (cl_command_queue queue), (queue))                                          \
    E(48, EnqueueReadBuffer,                                                                  \
      (cl_command_queue queue, cl_mem from, cl_bool is_blocking, size_t offset, size_t bytes, \
       void *to, cl_uint waits, const cl_event *wait, cl_event *event),                       \
      (queue, from, is_blocking, offset, bytes, to, waits, wait, event))                      \
    E(49, EnqueueWriteBuffer,                                                                 \
      (cl_command_queue queue, cl_mem to, cl_bool is_blocking, size_t offset, size_t bytes,   \
       const void *from, cl_uint waits, const cl_event *wait, cl_event *event),               \
      (queue, to, is_blocking, offset, bytes, from, waits, wait, event))                      \
    E(102, EnqueueFillBuffer,                                                                 \
      (cl_command_queue queue, cl_mem to, const void *pattern, size_t pattern_bytes,          \
       size_t offset, size_t bytes, cl_uint waits, const cl_event *wait, cl_event *event),    \
      (queue, to, pattern, pattern_bytes, offset, bytes, waits, wait, event))

/* Calls that return an object, and the error through their last parameter. */
#define OBJECT_LIST(E)                                                                        \
    E(4, cl_context, CreateContext,                                                           \
      (const intptr_t *properties, cl_uint count, const cl_device_id *devices,                \
       cl_context_fn notify, void *user, cl_int *error),                                      \
      (properties, count, devices, notify, user, error))                                      \
    E(9, cl_command_queue, CreateCommandQueue,                                                \
      (cl_context context, cl_device_id device, cl_bitfield properties, cl_int * error),      \
      (context, device, properties, error))                                                   \
    E(14, cl_mem, CreateBuffer,                                                               \
      (cl_context context, cl_bitfield flags, size_t bytes, void *host, cl_int *error),       \
      (context, flags, bytes, host, error))                                                   \
    E(26, cl_program, CreateProgramWithSource,                                                \
      (cl_context context, cl_uint count, const char **texts, const size_t *lengths,          \
       cl_int *error),                                                                        \
      (context, count, texts, lengths, error))                                                \
    E(27, cl_program, CreateProgramWithBinary,                                                \
      (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths, \
       const unsigned char **binaries, cl_int *status, cl_int *error),                        \
      (context, count, devices, lengths, binaries, status, error))                            \
    E(34, cl_kernel, CreateKernel, (cl_program program, const char *name, cl_int *error),     \
      (program, name, error))

#define PLAIN(place, name, parameters, arguments)       \
    static cl_int CL_CALL call_##name parameters        \
    {                                                   \
        const cl_int code = fault(#name);               \
        cl_int(CL_CALL *call) parameters;               \
                                                        \
        memcpy(&call, &layer_next[place], sizeof call); \
        return code == NOT_NOW ? call arguments : code; \
    }
PLAIN_LIST(PLAIN)

#define OBJECT(place, type, name, parameters, arguments) \
    static type CL_CALL call_##name parameters           \
    {                                                    \
        const cl_int code = fault(#name);                \
        type(CL_CALL *call) parameters;                  \
                                                         \
        memcpy(&call, &layer_next[place], sizeof call);  \
        if (code == NOT_NOW)                             \
            return call arguments;                       \
        *error = code;                                   \
        return NULL;                                     \
    }
OBJECT_LIST(OBJECT)

enum { DEVICE_INFO = 3, KERNEL_GROUP_INFO = 40, LAUNCH = 59 };

static cl_int CL_CALL call_GetDeviceInfo(cl_device_id device, cl_uint what, size_t room,
                                         void *value, size_t *size)
{
    const cl_int code = answer(what, room, value, size);
    cl_int(CL_CALL * call)(cl_device_id, cl_uint, size_t, void *, size_t *);

    memcpy(&call, &layer_next[DEVICE_INFO], sizeof call);
    return code == NOT_NOW ? call(device, what, room, value, size) : code;
}

static cl_int CL_CALL call_GetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                  cl_uint what, size_t room, void *value,
                                                  size_t *size)
{
    const size_t limit = what == CL_KERNEL_WORK_GROUP_SIZE ? group_limit(kernel) : 0;
    cl_int(CL_CALL * call)(cl_kernel, cl_device_id, cl_uint, size_t, void *, size_t *);

    memcpy(&call, &layer_next[KERNEL_GROUP_INFO], sizeof call);
    if (limit == 0 || value == NULL || room < sizeof limit)
        return call(kernel, device, what, room, value, size);
    rule.hits++;
    memcpy(value, &limit, sizeof limit);
    return CL_SUCCESS;
}

/* Whether such a launch breaks the limit of its kernel. */
static int is_too_large(cl_kernel kernel, cl_uint dimensions, const size_t *local)
{
    const size_t limit = group_limit(kernel);
    size_t items = 1;

    for (cl_uint i = 0; i < dimensions && local != NULL; i++)
        items *= local[i];
    return limit != 0 && items > limit;
}

static cl_int CL_CALL call_EnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                cl_uint dimensions, const size_t *offset,
                                                const size_t *global, const size_t *local,
                                                cl_uint waits, const cl_event *wait,
                                                cl_event *event)
{
    const cl_int code = is_kernel(kernel) ? fault("EnqueueNDRangeKernel") : NOT_NOW;
    cl_int(CL_CALL * call)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                           const size_t *, cl_uint, const cl_event *, cl_event *);

    memcpy(&call, &layer_next[LAUNCH], sizeof call);
    if (code != NOT_NOW)
        return code;
    if (is_too_large(kernel, dimensions, local))
        return CL_INVALID_WORK_GROUP_SIZE;
    return call(queue, kernel, dimensions, offset, global, local, waits, wait, event);
}

/* ---- the layer ------------------------------------------------------------------------------ */

static void layer_begins(void)
{
#define PLAIN_PUT(place, name, parameters, arguments)    \
    {                                                    \
        cl_int(CL_CALL *call) parameters = call_##name;  \
        memcpy(&layer_table[place], &call, sizeof call); \
    }
#define OBJECT_PUT(place, type, name, parameters, arguments) \
    {                                                        \
        type(CL_CALL *call) parameters = call_##name;        \
        memcpy(&layer_table[place], &call, sizeof call);     \
    }
    cl_int(CL_CALL * launch)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                             const size_t *, cl_uint, const cl_event *, cl_event *) =
        call_EnqueueNDRangeKernel;
    cl_int(CL_CALL * info)(cl_device_id, cl_uint, size_t, void *, size_t *) = call_GetDeviceInfo;
    cl_int(CL_CALL * groups)(cl_kernel, cl_device_id, cl_uint, size_t, void *, size_t *) =
        call_GetKernelWorkGroupInfo;

    PLAIN_LIST(PLAIN_PUT)
    OBJECT_LIST(OBJECT_PUT)
    memcpy(&layer_table[LAUNCH], &launch, sizeof launch);
    memcpy(&layer_table[DEVICE_INFO], &info, sizeof info);
    memcpy(&layer_table[KERNEL_GROUP_INFO], &groups, sizeof groups);
    cl_fault_arm(getenv("CL_FAULT"));
}
