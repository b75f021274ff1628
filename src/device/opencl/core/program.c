/*
 * program.c: programs and kernels of a device, built when a task first needs them.
 */
#include "device/opencl/core/program.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "device/opencl/core/opencl.h"
#include "device/opencl/core/source.h"
#include "device/opencl/core/tensor_way.h"
#include "device/opencl/core/watch.h"
#include "device/opencl/system/cache.h"
#include "device/opencl/system/environment.h"

static const struct {
    const char *name;
    const struct dgm_cl_source *source;
} programs[] = {
#define PROGRAM(name) { #name, &dgm_cl_source_##name },
#define KERNEL(program, name)
#include "device/opencl/core/kernel_list.h"
#undef PROGRAM
#undef KERNEL
};

static const struct {
    const char *name;
    enum dgm_cl_program_id program;
} kernels[] = {
#define PROGRAM(name)
#define KERNEL(program, name) { #name, DGM_PROGRAM_##program },
#include "device/opencl/core/kernel_list.h"
#undef PROGRAM
#undef KERNEL
};

/*
 * Bytes of local memory that attention_backward needs with wide tiles (opencl/tiles.clh): 12288
 * reals, and a few for each row. Some processors' drivers have only 32 KiB; narrow tiles take 21.
 */
enum { WIDE_BYTES = 50 << 10 };

/* The program by whose parameters this one is built. */
static int tuned_as(enum dgm_cl_program_id id)
{
    switch (id) {
    case DGM_PROGRAM_gemm_large_backward: return DGM_PROGRAM_gemm_large;
    case DGM_PROGRAM_gemm_small_backward: return DGM_PROGRAM_gemm_small;
    default: return (int)id;
    }
}

/* On a GPU, attention without terms of syntax takes 6 % less time with twice the work-items (an
 * H200: 4.09 ms of an update, and 3.86; doc/devices.md), which share the same tiles. */
static int lanes_of(const struct dgm_cl_traits *traits, enum dgm_cl_program_id id)
{
    const int is_plain =
        id == DGM_PROGRAM_attention_forward_plain || id == DGM_PROGRAM_attention_backward_plain;
    const int shares_rows = (traits->type & CL_DEVICE_TYPE_GPU) != 0 && traits->lanes > 1;
    const int has_room = (size_t)traits->lanes * 2 <= traits->group_limit;

    return is_plain && shares_rows && has_room ? 2 * traits->lanes : traits->lanes;
}

int dgm_cl_kernel_lanes(const struct dgm_cl_traits *traits, enum dgm_cl_kernel_id id)
{
    return lanes_of(traits, kernels[id].program);
}

void dgm_cl_program_options(const struct dgm_cl_traits *traits, const struct dgm_cl_tuning *tuning,
                            enum dgm_cl_program_id id, char options[DGM_CL_OPTIONS_SIZE])
{
    char subgroup[32] = "";
    int length;

    if (traits->subgroup > 0)
        snprintf(subgroup, sizeof subgroup, " -DSUBGROUP=%d", traits->subgroup);
    length = snprintf(options, DGM_CL_OPTIONS_SIZE,
                      "-cl-std=CL1.2 -DVEC=%d -DLANES=%d -DIS_CPU=%d -DHAS_DOUBLE=%d%s%s",
                      traits->vec, lanes_of(traits, id), traits->is_cpu, traits->has_double,
                      subgroup, traits->local_bytes < WIDE_BYTES ? " -DWIDE_TILES=0" : "");
    for (int i = 0; i < DGM_TUNE_COUNT; i++) {
        const struct dgm_cl_parameter *parameter = dgm_cl_parameter_at((enum dgm_cl_parameter_id)i);

        if (parameter->program == tuned_as(id) && length < DGM_CL_OPTIONS_SIZE)
            length += snprintf(options + length, (size_t)(DGM_CL_OPTIONS_SIZE - length), " -D%s=%d",
                               parameter->macro, tuning->value[i]);
    }
    dgm_cl_tensor_way_options(traits->tensor, id, options);
}

static void hash_text(struct dgm_hash *hash, const char *text)
{
    dgm_hash_add(hash, text, strlen(text) + 1);
}

static void hash_source(struct dgm_hash *hash, const struct dgm_cl_source *source)
{
    for (size_t i = 0; i < source->count; i++)
        dgm_hash_add(hash, source->lines[i], strlen(source->lines[i]));
}

const char *dgm_cl_program_name(enum dgm_cl_program_id id)
{
    return programs[id].name;
}

/* The key of a built program: a hash of everything that it depends on. */
static uint64_t make_key(const struct dgm_opencl *opencl, const struct dgm_cl_source *source,
                         const char *options)
{
    const struct dgm_cl_traits *traits = &opencl->traits;
    struct dgm_hash hash;

    dgm_hash_init(&hash, 1);
    hash_text(&hash, traits->platform);
    hash_text(&hash, traits->name);
    hash_text(&hash, traits->version);
    hash_text(&hash, traits->driver);
    hash_text(&hash, options);
    hash_source(&hash, &dgm_cl_source_common);
    hash_source(&hash, source);
    return dgm_hash_value(&hash);
}

uint64_t dgm_cl_programs_key(const struct dgm_opencl *opencl)
{
    uint64_t keys[DGM_PROGRAM_COUNT];
    char options[DGM_CL_OPTIONS_SIZE];

    for (int i = 0; i < DGM_PROGRAM_COUNT; i++) {
        dgm_cl_program_options(&opencl->traits, &opencl->tuning, (enum dgm_cl_program_id)i,
                               options);
        keys[i] = make_key(opencl, programs[i].source, options);
    }
    return dgm_hash_bytes(keys, sizeof keys);
}

/* The log gets the driver's whole message about a failed build, the error only its beginning. */
static dgm_status fail_build(struct dgm_env *env, struct dgm_opencl *opencl, cl_program program,
                             const char *name, cl_int error)
{
    char quoted[DGM_QUOTE_SIZE] = "no build log", room[DGM_CL_ERROR_SIZE], *log;
    size_t size = 0;

    opencl->cl.GetProgramBuildInfo(program, opencl->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    log = dgm_alloc(env, size + 1, 1);
    if (log == NULL)
        return DGM_MEMORY;
    if (size > 0 && opencl->cl.GetProgramBuildInfo(program, opencl->id, CL_PROGRAM_BUILD_LOG, size,
                                                   log, NULL) == CL_SUCCESS) {
        dgm_log(env, DGM_LOG_WARNING, "%s: opencl/%s.cl: %s", opencl->traits.name, name, log);
        dgm_quote(quoted, sizeof quoted, log, strlen(log));
    }
    dgm_release(env, log);
    return dgm_fail(env, DGM_FAILURE,
                    "%s: opencl/%s.cl does not build: %s: %s; --devices cpu "
                    "works without it",
                    opencl->traits.name, name, dgm_cl_error(error, room), quoted);
}

/* A call of clBuildProgram. */
struct build {
    cl_int(CL_CALL *fn)(cl_program program, cl_uint count, const cl_device_id *ids,
                        const char *options, cl_program_fn notify, void *user);
    cl_program program;
    cl_device_id id;
    cl_int error;
    char options[DGM_CL_OPTIONS_SIZE + 3]; /* with "-w " in front */
};

static void build(void *call)
{
    struct build *build = call;

    build->error = build->fn(build->program, 1, &build->id, build->options, NULL, NULL);
}

/* The one line of a program that took too long; whoever needs it runs on the CPU. */
static void give_up(struct dgm_env *env, struct dgm_opencl *opencl, enum dgm_cl_program_id id)
{
    dgm_log(env, DGM_LOG_WARNING,
            "%s: its driver has not compiled opencl/%s.cl in %d s: what needs it runs on the CPU; "
            "DGM_CL_COMPILE_LIMIT=SECONDS waits longer",
            opencl->traits.name, programs[id].name, dgm_cl_compile_limit());
    opencl->is_given_up[id] = opencl->has_failed_build = opencl->is_told = 1;
}

/*
 * Builds without warnings (-w): some compilers print how many there were on the terminal of the
 * caller, whose file descriptors are not ours to redirect. No code depends on it, and so no key.
 */
static dgm_status build_quietly(struct dgm_env *env, struct dgm_opencl *opencl,
                                enum dgm_cl_program_id id, cl_program program, const char *options,
                                cl_int *error)
{
    struct build call = { opencl->cl.BuildProgram, program, opencl->id, CL_SUCCESS, "" };
    char what[96];
    dgm_status status;

    snprintf(call.options, sizeof call.options, "-w %s", options);
    snprintf(what, sizeof what, "compiling opencl/%s.cl", programs[id].name);
    status = dgm_cl_watch(env, opencl, what, dgm_cl_compile_limit(), build, &call, sizeof call);
    *error = call.error;
    if (status == DGM_UNSUPPORTED)
        give_up(env, opencl, id);
    return status;
}

static dgm_status build_source(struct dgm_env *env, struct dgm_opencl *opencl,
                               enum dgm_cl_program_id id, const char *options, cl_program *out)
{
    const struct dgm_cl_source *common = &dgm_cl_source_common, *source = programs[id].source;
    const size_t count = common->count + source->count;
    const char **lines = dgm_alloc(env, count, sizeof *lines);
    cl_program program;
    cl_int error;

    if (lines == NULL)
        return DGM_MEMORY;
    memcpy(lines, common->lines, common->count * sizeof *lines);
    memcpy(lines + common->count, source->lines, source->count * sizeof *lines);
    program =
        opencl->cl.CreateProgramWithSource(opencl->context, (cl_uint)count, lines, NULL, &error);
    dgm_release(env, lines);
    if (program == NULL) {
        opencl->has_failed_build = 1;
        return dgm_cl_fail(env, opencl->traits.name, "clCreateProgramWithSource", error);
    }
    /* A program that is left is not released: the driver is still at it. */
    DGM_TRY(build_quietly(env, opencl, id, program, options, &error));
    if (error != CL_SUCCESS) {
        opencl->has_failed_build = 1;
        fail_build(env, opencl, program, programs[id].name, error);
        opencl->cl.ReleaseProgram(program);
        return env->error.status;
    }
    *out = program;
    return DGM_OK;
}

/* ---- built programs on disk ----------------------------------------------------------------- */

/* The program that the bytes make; NULL if the driver refuses them. A driver may compile what it
 * has given out in a form of its own. */
static dgm_status build_binary(struct dgm_env *env, struct dgm_opencl *opencl,
                               enum dgm_cl_program_id id, const struct dgm_buf *content,
                               cl_program *out)
{
    struct build call = { opencl->cl.BuildProgram, NULL, opencl->id, CL_SUCCESS, "" };
    char what[96];
    const unsigned char *binary = (const unsigned char *)content->data;
    const size_t size = content->size;
    cl_int status = CL_SUCCESS, error;
    cl_program program = opencl->cl.CreateProgramWithBinary(opencl->context, 1, &opencl->id, &size,
                                                            &binary, &status, &error);

    if (program == NULL)
        return DGM_OK;
    if (status == CL_SUCCESS) {
        call.program = program;
        snprintf(what, sizeof what, "loading opencl/%s.cl", programs[id].name);
        /* 0: without a limit; only an interruption leaves the program to the driver. */
        DGM_TRY(dgm_cl_watch(env, opencl, what, 0, build, &call, sizeof call));
        if (call.error == CL_SUCCESS) {
            *out = program;
            return DGM_OK;
        }
    }
    opencl->cl.ReleaseProgram(program);
    return DGM_OK;
}

static dgm_status load_binary(struct dgm_env *env, struct dgm_opencl *opencl,
                              enum dgm_cl_program_id id, uint64_t key, cl_program *program)
{
    struct dgm_buf content = { .data = NULL };
    dgm_status status = DGM_OK;

    dgm_cl_cache_get(env, key, &content);
    if (content.size > 0) {
        DGM_TRY_OUT(build_binary(env, opencl, id, &content, program));
        if (*program == NULL)
            dgm_cl_cache_drop(env, key);
    }
out:
    dgm_buf_clear(env, &content);
    return status;
}

static void store_binary(struct dgm_env *env, struct dgm_opencl *opencl, uint64_t key,
                         cl_program program)
{
    struct dgm_env quiet = dgm_env_quiet(env);
    unsigned char *binary;
    size_t size = 0;

    if (opencl->cl.GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) !=
            CL_SUCCESS ||
        size == 0 || size > DGM_CL_CACHE_LARGEST)
        return;
    binary = dgm_alloc(&quiet, size, 1);
    if (binary == NULL)
        return;
    /* The result is an array of pointers, one for each device: here there is one. */
    if (opencl->cl.GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) ==
        CL_SUCCESS)
        dgm_cl_cache_put(env, key, binary, size);
    opencl->has_stored = 1;
    dgm_release(&quiet, binary);
}

/*
 * Whether we keep built programs. PoCL has a cache of its own; when it is asked for a binary, it
 * compiles each kernel again, for groups of any size, which takes longer than all the rest.
 * DGM_CL_CACHE=0 or 1 overrides.
 */
static int is_cached(const struct dgm_opencl *opencl)
{
    const int fallback = strcmp(opencl->traits.platform, "Portable Computing Language") != 0;

    return dgm_cl_wants_cache(fallback);
}

static dgm_status get_program(struct dgm_env *env, struct dgm_opencl *opencl,
                              enum dgm_cl_program_id id)
{
    char options[DGM_CL_OPTIONS_SIZE];
    uint64_t key;

    if (opencl->programs[id] != NULL)
        return DGM_OK;
    if (opencl->is_given_up[id]) {
        opencl->has_failed_build = opencl->is_told = 1;
        return dgm_fail(env, DGM_UNSUPPORTED, "%s: opencl/%s.cl takes too long to compile",
                        opencl->traits.name, programs[id].name);
    }
    dgm_cl_program_options(&opencl->traits, &opencl->tuning, id, options);
    if (!is_cached(opencl))
        return build_source(env, opencl, id, options, &opencl->programs[id]);
    key = make_key(opencl, programs[id].source, options);
    DGM_TRY(load_binary(env, opencl, id, key, &opencl->programs[id]));
    if (opencl->programs[id] != NULL)
        return DGM_OK;
    DGM_TRY(build_source(env, opencl, id, options, &opencl->programs[id]));
    store_binary(env, opencl, key, opencl->programs[id]);
    return DGM_OK;
}

/* What the driver allows for a kernel; one that does not tell allows everything. */
static size_t read_group_limit(const struct dgm_opencl *opencl, cl_kernel kernel)
{
    size_t limit = 0;

    if (opencl->cl.GetKernelWorkGroupInfo(kernel, opencl->id, CL_KERNEL_WORK_GROUP_SIZE,
                                          sizeof limit, &limit, NULL) != CL_SUCCESS ||
        limit == 0)
        return SIZE_MAX;
    return limit;
}

dgm_status dgm_cl_kernel_get(struct dgm_env *env, struct dgm_opencl *opencl,
                             enum dgm_cl_kernel_id id, cl_kernel *kernel)
{
    cl_int error;

    if (opencl->has_hung[id]) {
        opencl->has_failed_build = 1;
        return dgm_fail(env, DGM_UNSUPPORTED, "%s: kernel %s takes too long to compile",
                        opencl->traits.name, kernels[id].name);
    }
    if (opencl->kernels[id] == NULL) {
        DGM_TRY(get_program(env, opencl, kernels[id].program));
        opencl->kernels[id] = opencl->cl.CreateKernel(opencl->programs[kernels[id].program],
                                                      kernels[id].name, &error);
        if (opencl->kernels[id] == NULL) {
            opencl->has_failed_build = 1;
            return dgm_cl_fail(env, opencl->traits.name, "clCreateKernel", error);
        }
        opencl->group_limits[id] = read_group_limit(opencl, opencl->kernels[id]);
    }
    *kernel = opencl->kernels[id];
    return DGM_OK;
}

void dgm_cl_kernel_leave(struct dgm_opencl *opencl, enum dgm_cl_kernel_id id, int is_given_up)
{
    /* Not released: the driver may still use it. */
    opencl->kernels[id] = NULL;
    opencl->group_limits[id] = 0;
    memset(&opencl->arguments[id], 0, sizeof opencl->arguments[id]);
    opencl->has_run[id] = 0;
    opencl->has_hung[id] = (char)is_given_up;
}

/* The limit of a kernel that could not be made: no group has fewer work-items. */
enum { NOT_MADE = 1 };

void dgm_cl_kernel_refusal(const struct dgm_opencl *opencl, enum dgm_cl_kernel_id id, size_t items,
                           char words[DGM_CL_REFUSAL_SIZE])
{
    if (opencl->kernels[id] == NULL)
        snprintf(words, DGM_CL_REFUSAL_SIZE, "kernel %s does not build", kernels[id].name);
    else
        snprintf(words, DGM_CL_REFUSAL_SIZE,
                 "kernel %s needs groups of %llu work-items, and the driver allows it %llu",
                 kernels[id].name, (unsigned long long)items,
                 (unsigned long long)opencl->group_limits[id]);
}

/* Makes a kernel whose failure is no error, but a reason for another one. */
static void try_kernel(struct dgm_env *env, struct dgm_opencl *opencl, enum dgm_cl_kernel_id id)
{
    const int has_failed_before = opencl->has_failed_build;
    struct dgm_env own = *env;
    cl_kernel kernel;

    dgm_env_clear_error(&own);
    opencl->has_failed_build = 0;
    if (dgm_cl_kernel_get(&own, opencl, id, &kernel) != DGM_OK && opencl->has_failed_build)
        opencl->group_limits[id] = NOT_MADE;
    opencl->has_failed_build = has_failed_before;
}

static void tell_limit(struct dgm_env *env, struct dgm_opencl *opencl, enum dgm_cl_kernel_id id,
                       size_t items)
{
    char words[DGM_CL_REFUSAL_SIZE];

    if (opencl->has_told_limit)
        return;
    opencl->has_told_limit = 1;
    dgm_cl_kernel_refusal(opencl, id, items, words);
    dgm_log(env, DGM_LOG_NOTE, "%s: matrix products take smaller tiles: %s", opencl->traits.name,
            words);
}

int dgm_cl_kernel_takes(struct dgm_env *env, struct dgm_opencl *opencl, enum dgm_cl_kernel_id id,
                        size_t items)
{
    if (opencl->group_limits[id] == 0)
        try_kernel(env, opencl, id);
    /* Still 0: it failed for another reason (memory, say), which its launch will tell. */
    if (opencl->group_limits[id] == 0 || items <= opencl->group_limits[id])
        return 1;
    tell_limit(env, opencl, id, items);
    return 0;
}

void dgm_cl_programs_clear(struct dgm_opencl *opencl)
{
    for (int i = 0; i < DGM_KERNEL_COUNT; i++)
        if (opencl->kernels[i] != NULL && !opencl->has_left)
            opencl->cl.ReleaseKernel(opencl->kernels[i]);
    memset(opencl->kernels, 0, sizeof opencl->kernels);
    memset(opencl->group_limits, 0, sizeof opencl->group_limits);
    memset(opencl->is_given_up, 0, sizeof opencl->is_given_up);
    memset(opencl->has_run, 0, sizeof opencl->has_run);
    memset(opencl->has_hung, 0, sizeof opencl->has_hung);
    memset(opencl->arguments, 0, sizeof opencl->arguments);
    for (int i = 0; i < DGM_PROGRAM_COUNT; i++)
        if (opencl->programs[i] != NULL && !opencl->has_left)
            opencl->cl.ReleaseProgram(opencl->programs[i]);
    memset(opencl->programs, 0, sizeof opencl->programs);
}
