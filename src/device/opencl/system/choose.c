/*
 * choose.c: the OpenCL devices of this machine, what each is like, and which of them is used.
 */
#include "device/opencl/system/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number/number.h"
#include "device/opencl/system/drivers.h"
#include "device/opencl/system/environment.h"

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 32, LIST_SIZE = 360 };

/* ---- traits -------------------------------------------------------------------------------- */

static void read_info(const struct dgm_cl *cl, cl_device_id id, cl_uint what, void *value,
                      size_t size)
{
    if (cl->GetDeviceInfo(id, what, size, value, NULL) != CL_SUCCESS)
        memset(value, 0, size);
}

/* At most size - 1 bytes of `whole`, without blanks at its ends. */
static void keep_text(char *text, size_t size, const char *whole)
{
    size_t length = 0;

    whole += strspn(whole, " \t\n\r");
    for (; whole[length] != '\0' && length + 1 < size; length++)
        text[length] = whole[length] >= ' ' && whole[length] <= '~' ? whole[length] : '?';
    while (length > 0 && text[length - 1] == ' ')
        length--;
    text[length] = '\0';
}

/* Leaves "" if the driver does not tell. */
static void read_text(const struct dgm_cl *cl, cl_device_id id, cl_uint what, char *text,
                      size_t size)
{
    char whole[4096] = "";

    if (cl->GetDeviceInfo(id, what, sizeof whole, whole, NULL) != CL_SUCCESS)
        whole[0] = '\0';
    whole[sizeof whole - 1] = '\0';
    keep_text(text, size, whole);
}

static void read_platform(const struct dgm_cl *cl, cl_platform_id id, char *text, size_t size)
{
    char whole[4096] = "";

    if (cl->GetPlatformInfo(id, CL_PLATFORM_NAME, sizeof whole, whole, NULL) != CL_SUCCESS)
        strcpy(whole, "unknown platform");
    whole[sizeof whole - 1] = '\0';
    keep_text(text, size, whole);
}

/* What llvmpipe allows to a kernel, while it claims more for the device. */
enum { VECTOR_ITEMS = 32 };

/* Mesa's llvmpipe computes neighbouring work-items of a group in one vector, as a GPU does. Of
 * kernels with vectors of our own it makes code for each of their places, for minutes. */
static int has_items_in_vectors(const struct dgm_cl_traits *traits)
{
    return traits->type == CL_DEVICE_TYPE_CPU && strcmp(traits->platform, "rusticl") == 0;
}

/*
 * How kernels are cut for a device (opencl/common.cl). A processor takes 16 reals in one work-item:
 * on PoCL that was the fastest. On a GPU, 64 work-items share a row, each takes every 64th real,
 * and so neighbours read neighbouring addresses. DGM_CL_SHAPE=1x64 (VEC x LANES) overrides it, so
 * that a processor can try a GPU's kernels.
 */
static void choose_shape(struct dgm_cl_traits *traits)
{
    int vec, lanes;

    traits->is_cpu = traits->type == CL_DEVICE_TYPE_CPU && !has_items_in_vectors(traits);
    traits->vec = traits->is_cpu ? 16 : 1;
    traits->lanes = traits->is_cpu ? 1 : has_items_in_vectors(traits) ? VECTOR_ITEMS : 64;
    if (dgm_cl_wants_shape(&vec, &lanes) && (size_t)lanes <= traits->group_limit) {
        traits->vec = vec;
        traits->lanes = lanes;
        traits->is_cpu = lanes == 1;
    }
}

/*
 * Threads of Intel's newest GPUs hold 16 or 32 work-items; 32 leave each too few registers for a
 * tile of 64 sums, and their compiler takes 32. Where 8 are possible it takes them by itself, and
 * other vendors' drivers do not know the question: 0.
 */
static int read_subgroup(const struct dgm_cl *cl, cl_device_id id, cl_bitfield type)
{
    size_t sizes[16] = { 0 };

    if (type == CL_DEVICE_TYPE_CPU)
        return 0;
    read_info(cl, id, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizes, sizeof sizes);
    return sizes[0] == 16 ? 16 : 0;
}

static void read_traits(const struct dgm_cl *cl, cl_platform_id platform, cl_device_id id,
                        struct dgm_cl_traits *traits)
{
    cl_bitfield doubles = 0;

    memset(traits, 0, sizeof *traits);
    read_text(cl, id, CL_DEVICE_NAME, traits->name, sizeof traits->name);
    read_text(cl, id, CL_DEVICE_VENDOR, traits->vendor, sizeof traits->vendor);
    read_text(cl, id, CL_DRIVER_VERSION, traits->driver, sizeof traits->driver);
    read_text(cl, id, CL_DEVICE_VERSION, traits->version, sizeof traits->version);
    read_platform(cl, platform, traits->platform, sizeof traits->platform);
    read_info(cl, id, CL_DEVICE_TYPE, &traits->type, sizeof traits->type);
    traits->type &= CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR;
    read_info(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS, &traits->units, sizeof traits->units);
    traits->units = traits->units < 1 ? 1 : traits->units > 65536 ? 65536 : traits->units;
    read_info(cl, id, CL_DEVICE_MAX_WORK_GROUP_SIZE, &traits->group_limit,
              sizeof traits->group_limit);
    read_info(cl, id, CL_DEVICE_GLOBAL_MEM_SIZE, &traits->memory, sizeof traits->memory);
    read_info(cl, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &traits->largest, sizeof traits->largest);
    read_info(cl, id, CL_DEVICE_LOCAL_MEM_SIZE, &traits->local_bytes, sizeof traits->local_bytes);
    read_info(cl, id, CL_DEVICE_VENDOR_ID, &traits->vendor_id, sizeof traits->vendor_id);
    read_info(cl, id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, &traits->native_vector,
              sizeof traits->native_vector);
    read_info(cl, id, CL_DEVICE_DOUBLE_FP_CONFIG, &doubles, sizeof doubles);
    traits->subgroup = read_subgroup(cl, id, traits->type);
    traits->has_double = doubles != 0 && dgm_cl_wants_doubles();
    choose_shape(traits);
}

/* Whether "OpenCL 1.2 ..." is 1.2 or newer. */
static int is_new_enough(const char *version)
{
    long major, minor;
    char *end;

    if (strncmp(version, "OpenCL ", 7) != 0)
        return 0;
    major = strtol(version + 7, &end, 10);
    minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    return major > 1 || (major == 1 && minor >= 2);
}

/* Why the device cannot be used; NULL if it can. */
static const char *reject(const struct dgm_cl *cl, cl_device_id id,
                          const struct dgm_cl_traits *traits)
{
    cl_bool is_little = 0, is_available = 0, has_compiler = 0;

    read_info(cl, id, CL_DEVICE_ENDIAN_LITTLE, &is_little, sizeof is_little);
    read_info(cl, id, CL_DEVICE_AVAILABLE, &is_available, sizeof is_available);
    read_info(cl, id, CL_DEVICE_COMPILER_AVAILABLE, &has_compiler, sizeof has_compiler);
    if (traits->type == 0)
        return "it does not say that it is a GPU, an accelerator or a processor";
    if (!is_available)
        return "it says that it is not available";
    if (!has_compiler)
        return "its driver has no compiler";
    if (!is_new_enough(traits->version))
        return "it is older than OpenCL 1.2";
    if (!is_little)
        return "it is big-endian";
    if (traits->group_limit < 64)
        return "its work-groups have fewer than 64 work-items";
    return NULL;
}

/* ---- the walk ------------------------------------------------------------------------------ */

dgm_status dgm_cl_each_device(struct dgm_env *env, const struct dgm_cl *cl, dgm_cl_found_fn *found,
                              void *user)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint platform_count = 0;
    int more = 1;

    if (cl->GetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count) != CL_SUCCESS)
        return DGM_OK; /* a loader without drivers calls that an error */
    for (cl_uint p = 0; p < platform_count && p < MOST_PLATFORMS; p++) {
        cl_device_id ids[MOST_DEVICES];
        cl_uint count = 0;

        if (cl->GetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, ids, &count) !=
            CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < count && d < MOST_DEVICES && more; d++) {
            struct dgm_cl_traits traits;

            read_traits(cl, platforms[p], ids[d], &traits);
            DGM_TRY(found(env, user, ids[d], &traits, reject(cl, ids[d], &traits), &more));
        }
    }
    return DGM_OK;
}

int dgm_cl_is_gpu(const struct dgm_cl_traits *traits)
{
    return traits->type != CL_DEVICE_TYPE_CPU;
}

/* The first driver that does not open is why, most likely. */
dgm_status dgm_cl_fail_empty(struct dgm_env *env)
{
    struct dgm_buf dead = { NULL, 0, 0, 0 };
    dgm_status status = dgm_cl_add_dead_drivers(env, &dead, ": a driver cannot be opened: ");

    if (status == DGM_OK)
        status = dgm_fail(env, DGM_UNSUPPORTED,
                          "OpenCL knows no device here%.*s; install the driver of the "
                          "device (for the processor, Debian: pocl-opencl-icd)",
                          dead.size > 0 ? (int)strcspn(dead.data, "\n") : 0,
                          dead.size > 0 ? dead.data : "");
    dgm_buf_clear(env, &dead);
    return status;
}

/* ---- choosing ------------------------------------------------------------------------------ */

struct choice {
    const char *which;
    int64_t number; /* of the device asked for, or -1 */
    int64_t seen;
    int rank; /* of the best so far: 0: none, 1: not a GPU, 2: a GPU */
    cl_device_id id;
    struct dgm_cl_traits traits;
    char list[LIST_SIZE]; /* "0 NAME, 1 NAME (reason)": for the message */
};

static void add_to_list(struct choice *choice, const struct dgm_cl_traits *traits,
                        const char *reason)
{
    const size_t at = strlen(choice->list);

    snprintf(choice->list + at, sizeof choice->list - at, "%s%lld %s%s%s%s", at > 0 ? ", " : "",
             (long long)choice->seen, traits->name, reason != NULL ? " (" : "",
             reason != NULL ? reason : "", reason != NULL ? ")" : "");
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether `part` is in `text`, whatever the case of ASCII letters. */
static int is_part(const char *text, const char *part)
{
    for (; *text != '\0'; text++) {
        size_t i = 0;

        while (part[i] != '\0' && lower(text[i]) == lower(part[i]))
            i++;
        if (part[i] == '\0')
            return 1;
    }
    return 0;
}

/* How well a device answers the request: 0: not at all; a GPU comes before other devices. */
static int rank_of(const struct choice *choice, const struct dgm_cl_traits *traits)
{
    const int is_gpu = dgm_cl_is_gpu(traits);

    if (choice->number >= 0)
        return choice->number == choice->seen;
    if (choice->which == NULL || strcmp(choice->which, "all") == 0)
        return 1 + is_gpu;
    if (strcmp(choice->which, "gpu") == 0)
        return 2 * is_gpu;
    return is_part(traits->name, choice->which) || is_part(traits->platform, choice->which);
}

static dgm_status consider(struct dgm_env *env, void *user, cl_device_id id,
                           const struct dgm_cl_traits *traits, const char *reason, int *more)
{
    struct choice *choice = user;
    const int rank = rank_of(choice, traits);

    (void)env;
    (void)more;
    add_to_list(choice, traits, reason);
    choice->seen++;
    if (reason == NULL && rank > choice->rank) {
        choice->rank = rank;
        choice->id = id;
        choice->traits = *traits;
    }
    return DGM_OK;
}

/* There are devices, but none fits the request: the message lists them. */
static dgm_status refuse(struct dgm_env *env, const struct choice *choice)
{
    char quoted[DGM_QUOTE_SIZE];

    if (choice->which == NULL || strcmp(choice->which, "all") == 0)
        return dgm_fail(env, DGM_UNSUPPORTED, "no OpenCL device can be used; there is: %s",
                        choice->list);
    if (strcmp(choice->which, "gpu") == 0)
        return dgm_fail(env, DGM_UNSUPPORTED, "no GPU among the OpenCL devices; there is: %s",
                        choice->list);
    dgm_quote(quoted, sizeof quoted, choice->which, strlen(choice->which));
    return dgm_fail(env, DGM_UNSUPPORTED, "no OpenCL device \"%s\" that can be used; there is: %s",
                    quoted, choice->list);
}

dgm_status dgm_cl_choose(struct dgm_env *env, const struct dgm_cl *cl, const char *which,
                         cl_device_id *id, struct dgm_cl_traits *traits)
{
    struct choice choice = { 0 };

    choice.which = which != NULL && which[0] != '\0' ? which : NULL;
    choice.number = -1;
    if (choice.which != NULL)
        dgm_number_int(&choice.number, choice.which, strlen(choice.which));
    DGM_TRY(dgm_cl_each_device(env, cl, consider, &choice));
    if (choice.seen == 0)
        return dgm_cl_fail_empty(env);
    if (choice.rank == 0)
        return refuse(env, &choice);
    *id = choice.id;
    *traits = choice.traits;
    return DGM_OK;
}
