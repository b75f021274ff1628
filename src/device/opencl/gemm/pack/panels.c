/*
 * panels.c: a table of the matrices that lie in panels, by where they begin and how they are read.
 */
#include "device/opencl/gemm/pack/panels.h"

#include <string.h>

#include "base/mem.h"
#include "device/opencl/core/launch.h"

/* Places of the table, a power of two, of which a quarter stays empty. */
enum { PLACES = 1024, MOST = PLACES / 4 * 3 };

/* One matrix: op(b) of products. */
struct dgm_cl_kept {
    struct dgm_buffer *panels; /* NULL: nothing is here */
    struct dgm_buffer *buffer;
    size_t offset;
    int64_t n, k, ld;
    int is_transposed;
};

static struct dgm_cl_kept key_of(const struct dgm_gemm_args *args)
{
    const struct dgm_cl_kept key = { .buffer = args->b.buffer,
                                     .offset = args->b.offset,
                                     .n = args->n,
                                     .k = args->k,
                                     .ld = args->ldb,
                                     .is_transposed = args->form == DGM_NT };

    return key;
}

static int is_same(const struct dgm_cl_kept *a, const struct dgm_cl_kept *b)
{
    return a->buffer == b->buffer && a->offset == b->offset && a->n == b->n && a->k == b->k &&
           a->ld == b->ld && a->is_transposed == b->is_transposed;
}

/* The matrix, or the empty place where it belongs. */
static struct dgm_cl_kept *look_up(struct dgm_cl_kept *places, const struct dgm_cl_kept *key)
{
    size_t at = key->offset / 64 + (size_t)(key->n + key->is_transposed);

    for (at %= PLACES; places[at].panels != NULL && !is_same(&places[at], key);)
        at = (at + 1) % PLACES;
    return &places[at];
}

static size_t bytes_of(const struct dgm_cl_kept *key)
{
    return (size_t)(dgm_cl_divide_up(key->n, DGM_CPU_PANEL_COLS) * DGM_CPU_PANEL_COLS * key->k) *
           sizeof(dgm_real);
}

/* Memory for panels; none is no error. */
static struct dgm_buffer *room_for(struct dgm_env *env, struct dgm_opencl *opencl, size_t bytes)
{
    struct dgm_env quiet = dgm_env_quiet(env);
    struct dgm_buffer *room = NULL;

    if (opencl->kept_count >= MOST || bytes > DGM_CL_KEPT_BYTES - opencl->kept_bytes)
        return NULL;
    if (dgm_cl_memory_try(&quiet, &opencl->device, &room, bytes) != DGM_OK)
        return NULL;
    opencl->kept_count++;
    opencl->kept_bytes += bytes;
    return room;
}

void dgm_cl_panels_find(struct dgm_env *env, struct dgm_opencl *opencl,
                        const struct dgm_gemm_args *args, struct dgm_ref *panels, int *is_new)
{
    const struct dgm_cl_kept key = key_of(args);
    struct dgm_cl_kept *place;

    panels->buffer = NULL;
    panels->offset = 0;
    *is_new = 0;
    if (args->batch != 1 || args->k == 0 || !dgm_cl_memory_keeps(args->b) || opencl->kept == NULL)
        return;
    place = look_up(opencl->kept, &key);
    if (place->panels == NULL) {
        struct dgm_buffer *room = room_for(env, opencl, bytes_of(&key));

        if (room == NULL)
            return;
        *place = key;
        place->panels = room;
        *is_new = 1;
    }
    panels->buffer = place->panels;
}

/* Nothing is kept from now on, or the next product would take the memory again. */
static void give_back(struct dgm_env *env, struct dgm_opencl *opencl)
{
    dgm_cl_panels_clear(env, opencl);
    dgm_release(env, opencl->kept);
    opencl->kept = NULL;
    opencl->give_back = NULL;
}

void dgm_cl_panels_keep(struct dgm_env *env, struct dgm_device *device, struct dgm_buffer *buffer)
{
    struct dgm_opencl *opencl = (struct dgm_opencl *)device;
    struct dgm_env quiet = dgm_env_quiet(env);

    if (dgm_cl_tuning_family(&opencl->traits) != DGM_TUNE_CPU)
        return;
    if (opencl->kept == NULL)
        opencl->kept = dgm_alloc(&quiet, PLACES, sizeof *opencl->kept);
    if (opencl->kept == NULL)
        return;
    opencl->give_back = give_back;
    dgm_cl_memory_keep(buffer);
}

void dgm_cl_panels_clear(struct dgm_env *env, struct dgm_opencl *opencl)
{
    if (opencl->kept == NULL || opencl->kept_count == 0)
        return;
    for (int i = 0; i < PLACES; i++)
        dgm_cl_memory_release(env, &opencl->device, opencl->kept[i].panels);
    memset(opencl->kept, 0, PLACES * sizeof *opencl->kept);
    opencl->kept_count = 0;
    opencl->kept_bytes = 0;
}
