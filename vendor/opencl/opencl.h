/*
 * opencl.h: the part of OpenCL 1.2 that Dragoman calls, declared in our own words.
 *
 * Origin: the names, numbers and parameter lists are facts of "The OpenCL Specification", version
 * 1.2, revision 19 (Khronos Group, 2012), chapters 4 and 5. No header was copied, and none is
 * needed: the functions are looked up in a library that is opened at run time (loader.h).
 */
#ifndef DGM_VENDOR_OPENCL_H
#define DGM_VENDOR_OPENCL_H

#include <stddef.h>
#include <stdint.h>

/* Calling convention of entry points and callbacks. */
#if defined(_WIN32)
#define CL_CALL __stdcall
#else
#define CL_CALL
#endif

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef cl_uint cl_bool;
typedef cl_ulong cl_bitfield;

/* Objects are opaque pointers. */
typedef struct dgm_cl_platform *cl_platform_id;
typedef struct dgm_cl_device *cl_device_id;
typedef struct dgm_cl_context *cl_context;
typedef struct dgm_cl_queue *cl_command_queue;
typedef struct dgm_cl_mem *cl_mem;
typedef struct dgm_cl_program *cl_program;
typedef struct dgm_cl_kernel *cl_kernel;
typedef struct dgm_cl_event *cl_event;

/* Names of properties and kinds, by the queries that take them. */
enum {
    CL_FALSE = 0,
    CL_TRUE = 1,

    CL_PLATFORM_VERSION = 0x0901,
    CL_PLATFORM_NAME = 0x0902,
    CL_PLATFORM_VENDOR = 0x0903,

    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_VENDOR_ID = 0x1001,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
    CL_DEVICE_LOCAL_MEM_TYPE = 0x1022,
    CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    CL_DEVICE_ENDIAN_LITTLE = 0x1026,
    CL_DEVICE_AVAILABLE = 0x1027,
    CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    CL_DEVICE_NAME = 0x102B,
    CL_DEVICE_VENDOR = 0x102C,
    CL_DRIVER_VERSION = 0x102D,
    CL_DEVICE_VERSION = 0x102F,
    CL_DEVICE_EXTENSIONS = 0x1030,
    CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT = 0x103A,
    CL_DEVICE_SUB_GROUP_SIZES_INTEL = 0x4108,

    CL_MEM_SIZE = 0x1102,
    CL_PROGRAM_BINARY_SIZES = 0x1165,
    CL_PROGRAM_BINARIES = 0x1166,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_KERNEL_WORK_GROUP_SIZE = 0x11B0
};

/* Bits of CL_DEVICE_TYPE. */
#define CL_DEVICE_TYPE_CPU ((cl_bitfield)1 << 1)
#define CL_DEVICE_TYPE_GPU ((cl_bitfield)1 << 2)
#define CL_DEVICE_TYPE_ACCELERATOR ((cl_bitfield)1 << 3)
#define CL_DEVICE_TYPE_ALL ((cl_bitfield)0xFFFFFFFF)

/* Bits of memory flags. */
#define CL_MEM_READ_WRITE ((cl_bitfield)1 << 0)

/*
 * What calls return, one line each: the number, and its name in the specification. (A list, so that
 * a message can name the error.)
 */
#define CL_ERROR_LIST(E)                       \
    E(0, SUCCESS)                              \
    E(-1, DEVICE_NOT_FOUND)                    \
    E(-2, DEVICE_NOT_AVAILABLE)                \
    E(-3, COMPILER_NOT_AVAILABLE)              \
    E(-4, MEM_OBJECT_ALLOCATION_FAILURE)       \
    E(-5, OUT_OF_RESOURCES)                    \
    E(-6, OUT_OF_HOST_MEMORY)                  \
    E(-11, BUILD_PROGRAM_FAILURE)              \
    E(-12, MAP_FAILURE)                        \
    E(-14, EXEC_STATUS_ERROR_FOR_EVENTS)       \
    E(-30, INVALID_VALUE)                      \
    E(-32, INVALID_PLATFORM)                   \
    E(-33, INVALID_DEVICE)                     \
    E(-34, INVALID_CONTEXT)                    \
    E(-36, INVALID_COMMAND_QUEUE)              \
    E(-38, INVALID_MEM_OBJECT)                 \
    E(-42, INVALID_BINARY)                     \
    E(-43, INVALID_BUILD_OPTIONS)              \
    E(-44, INVALID_PROGRAM)                    \
    E(-45, INVALID_PROGRAM_EXECUTABLE)         \
    E(-46, INVALID_KERNEL_NAME)                \
    E(-48, INVALID_KERNEL)                     \
    E(-49, INVALID_ARG_INDEX)                  \
    E(-50, INVALID_ARG_VALUE)                  \
    E(-51, INVALID_ARG_SIZE)                   \
    E(-52, INVALID_KERNEL_ARGS)                \
    E(-54, INVALID_WORK_GROUP_SIZE)            \
    E(-55, INVALID_WORK_ITEM_SIZE)             \
    E(-59, INVALID_OPERATION)                  \
    E(-61, INVALID_BUFFER_SIZE)                \
    E(-1001, PLATFORM_NOT_FOUND)

enum dgm_cl_error_number {
#define CL_ERROR(number, name) CL_##name = number,
    CL_ERROR_LIST(CL_ERROR)
#undef CL_ERROR
};

/* Callbacks, which we never pass. */
typedef void(CL_CALL *cl_context_fn)(const char *, const void *, size_t, void *);
typedef void(CL_CALL *cl_program_fn)(cl_program, void *);

/*
 * The entry points: E(result, name without "cl", parameters). Outputs that may be NULL are as the
 * specification has them.
 */
#define CL_ENTRY_LIST(E)                                                                         \
    E(cl_int, GetPlatformIDs, (cl_uint room, cl_platform_id *ids, cl_uint *count))               \
    E(cl_int, GetPlatformInfo,                                                                   \
      (cl_platform_id platform, cl_uint what, size_t room, void *value, size_t *size))           \
    E(cl_int, GetDeviceIDs,                                                                      \
      (cl_platform_id platform, cl_bitfield type, cl_uint room, cl_device_id *ids,               \
       cl_uint *count))                                                                          \
    E(cl_int, GetDeviceInfo,                                                                     \
      (cl_device_id device, cl_uint what, size_t room, void *value, size_t *size))               \
    E(cl_context, CreateContext,                                                                 \
      (const intptr_t *properties, cl_uint count, const cl_device_id *devices,                   \
       cl_context_fn notify, void *user, cl_int *error))                                         \
    E(cl_int, ReleaseContext, (cl_context context))                                              \
    E(cl_command_queue, CreateCommandQueue,                                                      \
      (cl_context context, cl_device_id device, cl_bitfield properties, cl_int *error))          \
    E(cl_int, ReleaseCommandQueue, (cl_command_queue queue))                                     \
    E(cl_mem, CreateBuffer,                                                                      \
      (cl_context context, cl_bitfield flags, size_t bytes, void *host, cl_int *error))          \
    E(cl_int, ReleaseMemObject, (cl_mem memory))                                                 \
    E(cl_program, CreateProgramWithSource,                                                       \
      (cl_context context, cl_uint count, const char **texts, const size_t *lengths,             \
       cl_int *error))                                                                           \
    E(cl_program, CreateProgramWithBinary,                                                       \
      (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,    \
       const unsigned char **binaries, cl_int *status, cl_int *error))                           \
    E(cl_int, BuildProgram,                                                                      \
      (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,      \
       cl_program_fn notify, void *user))                                                        \
    E(cl_int, GetProgramInfo,                                                                    \
      (cl_program program, cl_uint what, size_t room, void *value, size_t *size))                \
    E(cl_int, GetProgramBuildInfo,                                                               \
      (cl_program program, cl_device_id device, cl_uint what, size_t room, void *value,          \
       size_t *size))                                                                            \
    E(cl_int, ReleaseProgram, (cl_program program))                                              \
    E(cl_kernel, CreateKernel, (cl_program program, const char *name, cl_int *error))            \
    E(cl_int, GetKernelWorkGroupInfo,                                                            \
      (cl_kernel kernel, cl_device_id device, cl_uint what, size_t room, void *value,            \
       size_t *size))                                                                            \
    E(cl_int, SetKernelArg,                                                                      \
      (cl_kernel kernel, cl_uint index, size_t bytes, const void *value))                        \
    E(cl_int, ReleaseKernel, (cl_kernel kernel))                                                 \
    E(cl_int, EnqueueNDRangeKernel,                                                              \
      (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,       \
       const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait,           \
       cl_event *event))                                                                         \
    E(cl_int, EnqueueReadBuffer,                                                                 \
      (cl_command_queue queue, cl_mem from, cl_bool is_blocking, size_t offset, size_t bytes,    \
       void *to, cl_uint waits, const cl_event *wait, cl_event *event))                          \
    E(cl_int, EnqueueWriteBuffer,                                                                \
      (cl_command_queue queue, cl_mem to, cl_bool is_blocking, size_t offset, size_t bytes,      \
       const void *from, cl_uint waits, const cl_event *wait, cl_event *event))                  \
    E(cl_int, EnqueueFillBuffer,                                                                 \
      (cl_command_queue queue, cl_mem to, const void *pattern, size_t pattern_bytes,             \
       size_t offset, size_t bytes, cl_uint waits, const cl_event *wait, cl_event *event))       \
    E(cl_int, Flush, (cl_command_queue queue))                                                   \
    E(cl_int, Finish, (cl_command_queue queue))

#endif
