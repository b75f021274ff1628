/*
 * cl_layer.h: what makes a shared object a layer that the loader ocl-icd puts between a program and
 * its drivers (OPENCL_LAYERS). The source that includes it, once, says what the layer is called,
 * LAYER_TITLE, and in layer_begins which calls it replaces.
 *
 * Origin: the interface of layers, and the places of the calls in the table that it hands over, are
 * facts of Khronos' cl_layer.h and cl_icd.h; none of either is copied.
 */
#ifndef DGM_TESTS_SUPPORT_CL_LAYER_H
#define DGM_TESTS_SUPPORT_CL_LAYER_H

#include <opencl/opencl.h>
#include <string.h>

/* What the loader looks up. */
cl_int clGetLayerInfo(cl_uint what, size_t room, void *value, size_t *size);
cl_int clInitLayer(cl_uint count, const void *const *target, cl_uint *our_count,
                   const void *const **ours);

enum { LAYER_API_VERSION = 0x4240, LAYER_NAME = 0x4241, LAYER_VERSION = 100, LAYER_CALLS = 256 };

/* Calls by their places: the driver's, and those that the program gets. Functions stand where the
 * tables have pointers to data: memcpy takes them out and puts them in. */
static const void *const *layer_next;
static const void *layer_table[LAYER_CALLS];

static void layer_begins(void);

cl_int clGetLayerInfo(cl_uint what, size_t room, void *value, size_t *size)
{
    static const cl_uint version = LAYER_VERSION;
    static const char name[] = LAYER_TITLE;
    const void *answer = what == LAYER_API_VERSION ? (const void *)&version : name;
    const size_t bytes = what == LAYER_API_VERSION ? sizeof version : sizeof name;

    if (what != LAYER_API_VERSION && what != LAYER_NAME)
        return CL_INVALID_VALUE;
    if (value != NULL && room < bytes)
        return CL_INVALID_VALUE;
    if (value != NULL)
        memcpy(value, answer, bytes);
    if (size != NULL)
        *size = bytes;
    return CL_SUCCESS;
}

cl_int clInitLayer(cl_uint count, const void *const *target, cl_uint *our_count,
                   const void *const **ours)
{
    if (count > LAYER_CALLS)
        count = LAYER_CALLS;
    layer_next = target;
    memcpy(layer_table, target, count * sizeof *layer_table);
    layer_begins();
    *our_count = count;
    *ours = layer_table;
    return CL_SUCCESS;
}

#endif
