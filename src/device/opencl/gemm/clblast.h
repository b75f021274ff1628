/*
 * clblast.h: matrix products by CLBlast, for those who ask for it; opened at run time.
 *
 * CLBlast has been tuned for many devices; our kernels were made for our shapes. The last bits of
 * its elements depend on the shape of the whole product, those of ours do not.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_CLBLAST_H
#define DGM_DEVICE_OPENCL_GEMM_CLBLAST_H

#include <clblast/clblast.h>

#include "base/env.h"

struct dgm_opencl;
struct dgm_gemm_args;

/* The entry points by their names without "CLBlast"; NULL: our own kernels do it. */
struct dgm_clblast {
#define CLBLAST_ENTRY(name, parameters) int(CL_CALL * name) parameters;
    CLBLAST_ENTRY_LIST(CLBLAST_ENTRY)
#undef CLBLAST_ENTRY
};

/*
 * Takes the choice of struct dgm_device_options: "own", "clblast", or "auto" (or NULL), which means
 * our own kernels: so far CLBlast has beaten them nowhere. DGM_USAGE: another word, or CLBlast is
 * not installed.
 */
dgm_status dgm_clblast_choose(struct dgm_env *env, struct dgm_clblast *clblast, const char *gemm);

/* Whether CLBlast is chosen and serves such a product. */
int dgm_clblast_serves(const struct dgm_clblast *clblast, const struct dgm_gemm_args *args);
dgm_status dgm_clblast_gemm(struct dgm_env *env, struct dgm_opencl *opencl,
                            const struct dgm_gemm_args *args);

#endif
