/*
 * cl_null.c: an OpenCL driver that computes nothing and counts what is asked of it: how many
 * kernels an update launches, how often it waits, what it hands over. The time left is our own.
 *
 * It is a shared object under the name of OpenCL's loader, which is then not looked for:
 *
 *     LD_PRELOAD=out/tests/support/cl_null.so DGM_CL_TRUST=0 DGM_CL_CACHE=0 CL_NULL_REPORT=report \
 *         dragoman train --devices gpu ...
 *
 * It shows one GPU, CL_NULL_DEVICE (devices[] below), takes every program and every kernel, and
 * reads zeros from every buffer, which makes losses and norms of 0. CL_NULL_REPORT names the file
 * that receives all counts when the program ends. A test in the same process asks cl_null_count.
 *
 * Like a real driver it reads the bytes of a write that does not block late: when something is
 * waited for. If they are others by then, they count as `torn`.
 *
 * CL_NULL_TAKES is the only matrix instruction that its compiler knows (a macro of
 * core/tensor_way.c); without it, each.
 *
 * CL_NULL_SLOW=build:WORD makes a driver whose compiler never ends with a program that has the word
 * in its source; launch:KERNEL one whose queue never comes to the end of that kernel, and
 * enqueue:KERNEL one that never comes back from its launch. CL_NULL_STUCK names a file that it
 * makes when it has come to that.
 *
 * CL_NULL_QUEUES is how many command queues it makes: no more than that.
 *
 * A launch fails that would use a buffer that was released: some drivers would read its memory.
 *
 * cl_null_trace names a file that receives a line for each launch from then on: the kernel, its
 * work-items and those of a group, and what the caller has said of the task (trace_case.h).
 */
#include <opencl/opencl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the program looks up, and what tests do. */
#define CL_ENTRY(result, name, parameters) result CL_CALL cl##name parameters;
CL_ENTRY_LIST(CL_ENTRY)
#undef CL_ENTRY
long long cl_null_count(const char *what);
long long cl_null_launches(const char *kernel);
void cl_null_forget(void);
int cl_null_trace(const char *path);
void cl_null_note(const char *task, const double numbers[6]);

/* ---- devices -------------------------------------------------------------------------------- */

/* The numbers that drivers of such GPUs report, by the vendors' data sheets and clinfo: compute
 * units, work-items of a group, MiB of memory and of its largest buffer, KiB of local memory. */
static const struct device {
    const char *word, *name, *vendor;
    cl_uint vendor_id, units;
    size_t group, subgroup;
    cl_ulong memory, largest, local;
} devices[] = {
    { "h100", "Null H100", "NVIDIA Corporation", 0x10DE, 132, 1024, 0, 81559, 20389, 48 },
    { "mi210", "Null gfx90a", "Advanced Micro Devices, Inc.", 0x1002, 104, 256, 0, 65520, 55692,
      64 },
    { "a770", "Null Arc A770", "Intel(R) Corporation", 0x8086, 512, 1024, 8, 15473, 4096, 64 },
    { "pvc", "Null Data Center GPU Max", "Intel(R) Corporation", 0x8086, 512, 1024, 16, 65536,
      62259, 128 },
    { "narrow", "Null of groups of 64", "Nobody", 0, 8, 64, 0, 4096, 1024, 32 },
};

static const struct device *device(void)
{
    const char *wish = getenv("CL_NULL_DEVICE");

    for (size_t i = 0; wish != NULL && i < sizeof devices / sizeof *devices; i++)
        if (strcmp(devices[i].word, wish) == 0)
            return &devices[i];
    return &devices[0];
}

/* Bytes of the largest buffer; CL_NULL_LARGEST overrides it, in MiB. */
static cl_ulong largest(void)
{
    const char *wish = getenv("CL_NULL_LARGEST");

    return (wish != NULL ? strtoull(wish, NULL, 10) : device()->largest) << 20;
}

/* ---- counts --------------------------------------------------------------------------------- */

/* most_unsent: launches in a row that nothing had sent to the device. */
/* clang-format off */
#define COUNT_LIST(E)                                                                    \
    E(launches) E(arguments) E(buffers) E(buffer_bytes) E(largest_buffer) E(fills)       \
    E(reads) E(writes) E(read_bytes) E(written_bytes) E(blocking) E(flushes) E(finishes) \
    E(programs) E(torn) E(released) E(most_unsent)
/* clang-format on */

static struct {
#define COUNT(name) long long name;
    COUNT_LIST(COUNT)
#undef COUNT
} counts;

enum { QUEUES = 8, KERNELS = 256, NAME = 64, ARGUMENTS = 128, BUFFERS = 4096 };

static struct {
    char name[NAME];
    long long launches, arguments;
} kernels[KERNELS];

static long long unsent;

/* Writes that nothing has waited for, and what the bytes were. */
enum { LATE = 1024 };
static struct {
    const unsigned char *from;
    size_t bytes;
    unsigned long long sum;
} late[LATE];
static int late_count;

static unsigned long long sum_of(const unsigned char *bytes, size_t count)
{
    unsigned long long sum = 1469598103934665603u;

    for (size_t i = 0; i < count; i++)
        sum = (sum ^ bytes[i]) * 1099511628211u;
    return sum;
}

static void write_later(const void *from, size_t bytes)
{
    if (late_count == LATE)
        return;
    late[late_count].from = from;
    late[late_count].bytes = bytes;
    late[late_count++].sum = sum_of(from, bytes);
}

/* The queue is through. */
static void end_wait(void)
{
    for (int i = 0; i < late_count; i++)
        counts.torn += sum_of(late[i].from, late[i].bytes) != late[i].sum;
    late_count = 0;
    unsent = 0;
}

long long cl_null_count(const char *what)
{
#define COUNT(name)               \
    if (strcmp(what, #name) == 0) \
        return counts.name;
    COUNT_LIST(COUNT)
#undef COUNT
    return -1;
}

long long cl_null_launches(const char *kernel)
{
    for (int i = 0; i < KERNELS && kernels[i].name[0] != '\0'; i++)
        if (strcmp(kernels[i].name, kernel) == 0)
            return kernels[i].launches;
    return 0;
}

void cl_null_forget(void)
{
    memset(&counts, 0, sizeof counts);
    for (int i = 0; i < KERNELS; i++)
        kernels[i].launches = kernels[i].arguments = 0;
    unsent = 0;
}

static void report(void)
{
    const char *path = getenv("CL_NULL_REPORT");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;

    if (file == NULL)
        return;
    fprintf(file, "device %s\n", device()->name);
#define COUNT(name) fprintf(file, #name " %lld\n", counts.name);
    COUNT_LIST(COUNT)
#undef COUNT
    for (int i = 0; i < KERNELS && kernels[i].name[0] != '\0'; i++)
        if (kernels[i].launches > 0)
            fprintf(file, "kernel %s %lld launches %lld arguments\n", kernels[i].name,
                    kernels[i].launches, kernels[i].arguments);
    fclose(file);
}

/* ---- traces ---------------------------------------------------------------------------------- */

static FILE *trace;

/* Tasks that have not been launched yet: the one that runs, and one before it that waited. */
enum { NOTES = 2, NUMBERS = 6, SIDES = 3, TASK_NAME = 64 };
static struct note {
    char task[TASK_NAME];
    double numbers[NUMBERS]; /* flop, bytes read and written, and m, n, k of a matrix */
} notes[NOTES];
static int note_count;

/* Where the launches go from now on; NULL: nowhere. 0 if the file cannot be written. */
int cl_null_trace(const char *path)
{
    const int is_whole = trace == NULL || fclose(trace) == 0;

    trace = path != NULL ? fopen(path, "w") : NULL;
    note_count = 0;
    if (trace != NULL)
        fprintf(trace, "kernel,global,local,task,flop,read,written,m,n,k\n");
    return is_whole && (path == NULL || trace != NULL);
}

static void drop_note(void)
{
    if (note_count == 0)
        return;
    note_count--;
    memmove(notes, notes + 1, (size_t)note_count * sizeof *notes);
}

/* What the next launches do. A task that has launched nothing by the time of the one after the next
 * never will. */
void cl_null_note(const char *task, const double numbers[NUMBERS])
{
    if (note_count == NOTES)
        drop_note();
    snprintf(notes[note_count].task, TASK_NAME, "%s", task);
    memcpy(notes[note_count].numbers, numbers, sizeof notes[note_count].numbers);
    note_count++;
}

static void write_sizes(const size_t sizes[3])
{
    fprintf(trace, ",%zux%zux%zu", sizes[0], sizes[1], sizes[2]);
}

static int is_product(int note)
{
    return note < note_count && strcmp(notes[note].task, "gemm") == 0;
}

/* How many of the tasks that were told a kernel runs: a task of several is told with the first of
 * them, a pair has one; the sums of a norm's parameters, and of products, may come late, by the
 * kernel that left them. */
static int tasks_of(const char *kernel)
{
    if (note_count == 0 || strstr(kernel, "_pack") != NULL || /* for the product behind it */
        strcmp(kernel, "embed_sort") == 0 ||                  /* for the sums behind it */
        (strstr(kernel, "norm_backward") != NULL && strcmp(notes[0].task, "norm_backward") != 0))
        return 0;
    if (strncmp(kernel, "gemm_gpu_pair_", 14) == 0 || strncmp(kernel, "gemm_bf16_", 10) == 0 ||
        strncmp(kernel, "gemm_tf32_", 10) == 0)
        return is_product(0) + (is_product(0) && is_product(1));
    return note_count == 2 && strncmp(kernel, "residual_norm_", 14) == 0 ? 2 : 1;
}

/* The sides of two products are named apart: there are no sums of them. */
static void write_numbers(int tasks)
{
    for (int i = 0; i < NUMBERS; i++)
        if (tasks > 1 && i >= SIDES && is_product(0))
            fprintf(trace, ",%.0f+%.0f", notes[0].numbers[i], notes[1].numbers[i]);
        else
            fprintf(trace, ",%.0f",
                    (tasks > 0 ? notes[0].numbers[i] : 0) + (tasks > 1 ? notes[1].numbers[i] : 0));
}

static void write_launch(const char *kernel, const size_t global[3], const size_t local[3])
{
    const int tasks = tasks_of(kernel);

    fprintf(trace, "%s", kernel);
    write_sizes(global);
    write_sizes(local);
    fprintf(trace, ",%s%s%s", tasks > 0 ? notes[0].task : "", tasks > 1 ? "+" : "",
            tasks > 1 ? notes[1].task : "");
    write_numbers(tasks);
    fprintf(trace, "\n");
    for (int i = 0; i < tasks; i++)
        drop_note();
}

/* ---- objects -------------------------------------------------------------------------------- */

/* There is one of each of these. */
static char platform, the_device, context, program, slow_program;

/* But of queues, of which one may be stuck. */
static struct dgm_cl_queue {
    int is_stuck;
} queues[QUEUES];
static int queue_count;

#define ONE(type, name) ((type)(void *)&(name))

/* A free place is used again at once, so that a new buffer may have the handle of an old one. */
static struct dgm_cl_mem {
    size_t bytes;
    long long number; /* of the buffer that lies here; 0: none */
} memories[BUFFERS];
static long long last_number;

struct dgm_cl_kernel {
    int id, count; /* arguments that were set, from the first to the last */
    struct {
        struct dgm_cl_mem *memory; /* NULL: no buffer */
        long long number;
    } arguments[ARGUMENTS];
};

/* The buffer that an argument is; NULL: it is something else. */
static struct dgm_cl_mem *find_memory(const void *value)
{
    const uintptr_t begin = (uintptr_t)memories;
    uintptr_t place;

    memcpy(&place, value, sizeof place);
    if (place < begin || place >= begin + sizeof memories ||
        (place - begin) % sizeof *memories != 0)
        return NULL;
    return &memories[(place - begin) / sizeof *memories];
}

/* ---- answers -------------------------------------------------------------------------------- */

static cl_int give(const void *answer, size_t bytes, size_t room, void *value, size_t *size)
{
    if (value != NULL && room < bytes)
        return CL_INVALID_VALUE;
    if (value != NULL)
        memcpy(value, answer, bytes);
    if (size != NULL)
        *size = bytes;
    return CL_SUCCESS;
}

static cl_int give_text(const char *text, size_t room, void *value, size_t *size)
{
    return give(text, strlen(text) + 1, room, value, size);
}

static const char *text_about(cl_uint what)
{
    switch (what) {
    case CL_DEVICE_NAME: return device()->name;
    case CL_DEVICE_VENDOR: return device()->vendor;
    case CL_DRIVER_VERSION: return "null 1";
    case CL_DEVICE_VERSION: return "OpenCL 1.2 null";
    case CL_DEVICE_EXTENSIONS: return "";
    default: return NULL;
    }
}

/* Numbers of 32 bits; 0 for those of others. */
static cl_uint number_about(cl_uint what)
{
    switch (what) {
    case CL_DEVICE_VENDOR_ID: return device()->vendor_id;
    case CL_DEVICE_MAX_COMPUTE_UNITS: return device()->units;
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_LOCAL_MEM_TYPE:
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE: return 1;
    default: return 0;
    }
}

static cl_ulong wide_about(cl_uint what)
{
    switch (what) {
    case CL_DEVICE_TYPE: return CL_DEVICE_TYPE_GPU;
    case CL_DEVICE_GLOBAL_MEM_SIZE: return device()->memory << 20;
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return largest();
    case CL_DEVICE_LOCAL_MEM_SIZE: return device()->local << 10;
    case CL_DEVICE_DOUBLE_FP_CONFIG: return 63;
    default: return 0;
    }
}

/* ---- slow drivers ---------------------------------------------------------------------------- */

/* The word behind "KIND:" in CL_NULL_SLOW; NULL: it is another kind, or there is none. */
static const char *slow_word(const char *kind)
{
    const char *wish = getenv("CL_NULL_SLOW");
    const size_t length = strlen(kind);

    return wish != NULL && strncmp(wish, kind, length) == 0 && wish[length] == ':'
               ? wish + length + 1
               : NULL;
}

/* For whoever waits for it. */
static void say_stuck(void)
{
    const char *path = getenv("CL_NULL_STUCK");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;

    if (file != NULL)
        fclose(file);
}

static void wait_forever(void)
{
    say_stuck();
    for (;;)
        sleep(1000);
}

/* ---- platform, device, context --------------------------------------------------------------- */

cl_int CL_CALL clGetPlatformIDs(cl_uint room, cl_platform_id *ids, cl_uint *count)
{
    static int has_begun;

    if (!has_begun)
        atexit(report);
    has_begun = 1;
    if (ids != NULL && room > 0)
        ids[0] = ONE(cl_platform_id, platform);
    if (count != NULL)
        *count = 1;
    return CL_SUCCESS;
}

cl_int CL_CALL clGetPlatformInfo(cl_platform_id id, cl_uint what, size_t room, void *value,
                                 size_t *size)
{
    (void)id;
    return give_text(what == CL_PLATFORM_VERSION ? "OpenCL 1.2 null" : "Null", room, value, size);
}

cl_int CL_CALL clGetDeviceIDs(cl_platform_id id, cl_bitfield type, cl_uint room, cl_device_id *ids,
                              cl_uint *count)
{
    (void)id;
    if ((type & CL_DEVICE_TYPE_GPU) == 0)
        return CL_DEVICE_NOT_FOUND;
    if (ids != NULL && room > 0)
        ids[0] = ONE(cl_device_id, the_device);
    if (count != NULL)
        *count = 1;
    return CL_SUCCESS;
}

cl_int CL_CALL clGetDeviceInfo(cl_device_id id, cl_uint what, size_t room, void *value,
                               size_t *size)
{
    const char *text = text_about(what);
    const cl_uint number = number_about(what);
    const cl_ulong wide = wide_about(what);

    (void)id;
    if (text != NULL)
        return give_text(text, room, value, size);
    if (wide != 0)
        return give(&wide, sizeof wide, room, value, size);
    if (number != 0)
        return give(&number, sizeof number, room, value, size);
    if (what == CL_DEVICE_MAX_WORK_GROUP_SIZE)
        return give(&device()->group, sizeof device()->group, room, value, size);
    if (what == CL_DEVICE_SUB_GROUP_SIZES_INTEL && device()->subgroup > 0)
        return give(&device()->subgroup, sizeof device()->subgroup, room, value, size);
    return CL_INVALID_VALUE;
}

cl_context CL_CALL clCreateContext(const intptr_t *properties, cl_uint count,
                                   const cl_device_id *ids, cl_context_fn notify, void *user,
                                   cl_int *error)
{
    (void)properties, (void)count, (void)ids, (void)notify, (void)user;
    *error = CL_SUCCESS;
    return ONE(cl_context, context);
}

cl_int CL_CALL clReleaseContext(cl_context which)
{
    (void)which;
    return CL_SUCCESS;
}

/* ---- the queue ------------------------------------------------------------------------------- */

cl_command_queue CL_CALL clCreateCommandQueue(cl_context which, cl_device_id id,
                                              cl_bitfield properties, cl_int *error)
{
    const char *most = getenv("CL_NULL_QUEUES");
    struct dgm_cl_queue *queue = &queues[queue_count % QUEUES];

    (void)which, (void)id, (void)properties;
    *error = most != NULL && queue_count >= atoi(most) ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
    if (*error != CL_SUCCESS)
        return NULL;
    queue_count++;
    queue->is_stuck = 0;
    return (cl_command_queue)(void *)queue;
}

cl_int CL_CALL clReleaseCommandQueue(cl_command_queue which)
{
    (void)which;
    return CL_SUCCESS;
}

cl_int CL_CALL clFlush(cl_command_queue which)
{
    (void)which;
    counts.flushes++;
    unsent = 0;
    return CL_SUCCESS;
}

cl_int CL_CALL clFinish(cl_command_queue which)
{
    counts.finishes++;
    if (((struct dgm_cl_queue *)(void *)which)->is_stuck)
        wait_forever();
    end_wait();
    return CL_SUCCESS;
}

/* ---- buffers --------------------------------------------------------------------------------- */

cl_mem CL_CALL clCreateBuffer(cl_context which, cl_bitfield flags, size_t bytes, void *host,
                              cl_int *error)
{
    struct dgm_cl_mem *memory = memories;

    (void)which, (void)flags, (void)host;
    *error = CL_INVALID_BUFFER_SIZE;
    if (bytes == 0 || bytes > largest())
        return NULL;
    while (memory < memories + BUFFERS && memory->number != 0)
        memory++;
    *error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    if (memory == memories + BUFFERS)
        return NULL;
    memory->bytes = bytes;
    memory->number = ++last_number;
    counts.buffers++;
    counts.buffer_bytes += (long long)bytes;
    if (counts.largest_buffer < (long long)bytes)
        counts.largest_buffer = (long long)bytes;
    *error = CL_SUCCESS;
    return memory;
}

cl_int CL_CALL clReleaseMemObject(cl_mem memory)
{
    if (memory->number == 0)
        return CL_INVALID_MEM_OBJECT;
    memory->number = 0;
    counts.released++;
    return CL_SUCCESS;
}

/* Whether the bytes are the buffer's. */
static int holds(const struct dgm_cl_mem *memory, size_t offset, size_t bytes)
{
    return memory->number != 0 && offset <= memory->bytes && bytes <= memory->bytes - offset;
}

static void count_transfer(cl_bool is_blocking)
{
    if (!is_blocking)
        return;
    counts.blocking++;
    end_wait();
}

cl_int CL_CALL clEnqueueReadBuffer(cl_command_queue which, cl_mem from, cl_bool is_blocking,
                                   size_t offset, size_t bytes, void *to, cl_uint waits,
                                   const cl_event *wait, cl_event *event)
{
    (void)which, (void)waits, (void)wait, (void)event;
    if (!holds(from, offset, bytes))
        return CL_INVALID_VALUE;
    memset(to, 0, bytes);
    counts.reads++;
    counts.read_bytes += (long long)bytes;
    count_transfer(is_blocking);
    return CL_SUCCESS;
}

cl_int CL_CALL clEnqueueWriteBuffer(cl_command_queue which, cl_mem to, cl_bool is_blocking,
                                    size_t offset, size_t bytes, const void *from, cl_uint waits,
                                    const cl_event *wait, cl_event *event)
{
    (void)which, (void)waits, (void)wait, (void)event;
    if (!holds(to, offset, bytes))
        return CL_INVALID_VALUE;
    counts.writes++;
    counts.written_bytes += (long long)bytes;
    if (!is_blocking)
        write_later(from, bytes);
    count_transfer(is_blocking);
    return CL_SUCCESS;
}

cl_int CL_CALL clEnqueueFillBuffer(cl_command_queue which, cl_mem to, const void *pattern,
                                   size_t pattern_bytes, size_t offset, size_t bytes, cl_uint waits,
                                   const cl_event *wait, cl_event *event)
{
    (void)which, (void)pattern, (void)pattern_bytes, (void)waits, (void)wait, (void)event;
    if (!holds(to, offset, bytes))
        return CL_INVALID_VALUE;
    counts.fills++;
    return CL_SUCCESS;
}

/* ---- programs -------------------------------------------------------------------------------- */

cl_program CL_CALL clCreateProgramWithSource(cl_context which, cl_uint count, const char **texts,
                                             const size_t *lengths, cl_int *error)
{
    const char *word = slow_word("build");

    (void)which, (void)lengths;
    counts.programs++;
    *error = CL_SUCCESS;
    for (cl_uint i = 0; i < count; i++)
        if (word != NULL && strstr(texts[i], word) != NULL)
            return ONE(cl_program, slow_program);
    return ONE(cl_program, program);
}

/* It has given none. */
cl_program CL_CALL clCreateProgramWithBinary(cl_context which, cl_uint count,
                                             const cl_device_id *ids, const size_t *lengths,
                                             const unsigned char **binaries, cl_int *status,
                                             cl_int *error)
{
    (void)which, (void)count, (void)ids, (void)lengths, (void)binaries, (void)status;
    *error = CL_INVALID_BINARY;
    return NULL;
}

cl_int CL_CALL clBuildProgram(cl_program which, cl_uint count, const cl_device_id *ids,
                              const char *options, cl_program_fn notify, void *user)
{
    const char *takes = getenv("CL_NULL_TAKES");

    (void)count, (void)ids, (void)notify, (void)user;
    if (which == ONE(cl_program, slow_program))
        wait_forever();
    if (takes != NULL && strstr(options, "TENSOR_WAY=") != NULL && strstr(options, takes) == NULL)
        return CL_BUILD_PROGRAM_FAILURE;
    return CL_SUCCESS;
}

cl_int CL_CALL clGetProgramInfo(cl_program which, cl_uint what, size_t room, void *value,
                                size_t *size)
{
    (void)which, (void)what, (void)room, (void)value, (void)size;
    return CL_INVALID_VALUE;
}

cl_int CL_CALL clGetProgramBuildInfo(cl_program which, cl_device_id id, cl_uint what, size_t room,
                                     void *value, size_t *size)
{
    (void)which, (void)id, (void)what;
    return give_text("", room, value, size);
}

cl_int CL_CALL clReleaseProgram(cl_program which)
{
    (void)which;
    return CL_SUCCESS;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* The place of a kernel's counts; -1: there is no room. */
static int find_kernel(const char *name)
{
    int id = 0;

    while (id < KERNELS && kernels[id].name[0] != '\0' && strcmp(kernels[id].name, name) != 0)
        id++;
    if (id == KERNELS || strlen(name) >= NAME)
        return -1;
    strcpy(kernels[id].name, name);
    return id;
}

cl_kernel CL_CALL clCreateKernel(cl_program which, const char *name, cl_int *error)
{
    const int id = find_kernel(name);
    cl_kernel kernel = id >= 0 ? calloc(1, sizeof *kernel) : NULL;

    (void)which;
    *error = kernel != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (kernel != NULL)
        kernel->id = id;
    return kernel;
}

cl_int CL_CALL clReleaseKernel(cl_kernel kernel)
{
    free(kernel);
    return CL_SUCCESS;
}

cl_int CL_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id id, cl_uint what,
                                        size_t room, void *value, size_t *size)
{
    (void)kernel, (void)id, (void)what;
    return give(&device()->group, sizeof device()->group, room, value, size);
}

cl_int CL_CALL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    struct dgm_cl_mem *memory;

    if (index >= ARGUMENTS)
        return CL_INVALID_ARG_INDEX;
    memory = value != NULL && bytes == sizeof memory ? find_memory(value) : NULL;
    kernel->arguments[index].memory = memory;
    kernel->arguments[index].number = memory != NULL ? memory->number : 0;
    if (kernel->count <= (int)index)
        kernel->count = (int)index + 1;
    counts.arguments++;
    kernels[kernel->id].arguments++;
    return CL_SUCCESS;
}

/* Whether every buffer among the arguments is still the one that was set. */
static int is_whole(const struct dgm_cl_kernel *kernel)
{
    for (int i = 0; i < kernel->count; i++)
        if (kernel->arguments[i].memory != NULL &&
            (kernel->arguments[i].number == 0 ||
             kernel->arguments[i].number != kernel->arguments[i].memory->number))
            return 0;
    return 1;
}

cl_int CL_CALL clEnqueueNDRangeKernel(cl_command_queue which, cl_kernel kernel, cl_uint dimensions,
                                      const size_t *offset, const size_t *global,
                                      const size_t *local, cl_uint waits, const cl_event *wait,
                                      cl_event *event)
{
    const char *word = slow_word("launch"), *now = slow_word("enqueue");
    size_t items = 1;

    (void)offset, (void)waits, (void)wait, (void)event;
    for (cl_uint i = 0; i < dimensions; i++) {
        if (global[i] == 0 || local[i] == 0 || global[i] % local[i] != 0)
            return CL_INVALID_WORK_GROUP_SIZE;
        items *= local[i];
    }
    if (items > device()->group)
        return CL_INVALID_WORK_GROUP_SIZE;
    if (!is_whole(kernel))
        return CL_INVALID_KERNEL_ARGS;
    if (trace != NULL && dimensions == 3)
        write_launch(kernels[kernel->id].name, global, local);
    if (now != NULL && strcmp(now, kernels[kernel->id].name) == 0)
        wait_forever();
    if (word != NULL && strcmp(word, kernels[kernel->id].name) == 0) {
        ((struct dgm_cl_queue *)(void *)which)->is_stuck = 1;
        say_stuck();
    }
    counts.launches++;
    kernels[kernel->id].launches++;
    unsent++;
    if (unsent > counts.most_unsent)
        counts.most_unsent = unsent;
    return CL_SUCCESS;
}
