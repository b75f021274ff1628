/*
 * source.h: the text of one file of opencl/, put into the library by scripts/embed.sh.
 */
#ifndef DGM_DEVICE_OPENCL_CORE_SOURCE_H
#define DGM_DEVICE_OPENCL_CORE_SOURCE_H

#include <stddef.h>

/* Lines with their line feeds; the first is a #line directive that names the file. */
struct dgm_cl_source {
    const char *const *lines;
    size_t count;
};

/* What stands before every program. */
extern const struct dgm_cl_source dgm_cl_source_common;

#define PROGRAM(name) extern const struct dgm_cl_source dgm_cl_source_##name;
#define KERNEL(program, name)
#include "device/opencl/core/kernel_list.h"
#undef PROGRAM
#undef KERNEL

#endif
