/*
 * environment.c: reads the variables of the environment that the OpenCL device obeys.
 *
 * A library that reads the environment needs a reason: only the environment says where caches lie,
 * and the DGM_CL_ variables are for those who examine a driver; they are no options of a model.
 */
#include "device/opencl/system/environment.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds for a program. */
enum { LIMIT = 300 };

/* The value of a variable, NULL if it is empty. */
static const char *look_up(const char *name)
{
    const char *value = getenv(name);

    return value != NULL && value[0] != '\0' ? value : NULL;
}

/* Vectors that common.cl knows, and groups that can be halved; not both at once. */
static int is_shape(long vec, long lanes)
{
    return (vec == 1 || vec == 4 || vec == 8 || vec == 16) && lanes >= 1 && lanes <= 1024 &&
           (lanes & (lanes - 1)) == 0 && (vec == 1 || lanes == 1);
}

int dgm_cl_wants_shape(int *vec, int *lanes)
{
    const char *shape = look_up("DGM_CL_SHAPE");
    long first, second;
    char *end;

    if (shape == NULL)
        return 0;
    first = strtol(shape, &end, 10);
    second = *end == 'x' ? strtol(end + 1, NULL, 10) : 0;
    if (!is_shape(first, second))
        return 0;
    *vec = (int)first;
    *lanes = (int)second;
    return 1;
}

/* Whether a switch that is on by default has not been turned off. */
static int is_on(const char *name)
{
    const char *wish = look_up(name);

    return wish == NULL || strcmp(wish, "0") != 0;
}

int dgm_cl_wants_doubles(void)
{
    return is_on("DGM_CL_DOUBLE");
}

const char *dgm_cl_wants_tensor(void)
{
    return look_up("DGM_CL_TENSOR");
}

int dgm_cl_wants_trials(void)
{
    return is_on("DGM_CL_TRUST");
}

int dgm_cl_wants_cache(int fallback)
{
    const char *wish = look_up("DGM_CL_CACHE");

    return wish != NULL ? wish[0] != '0' : fallback;
}

/* What is no number of seconds does not count, as with the other variables. */
int dgm_cl_compile_limit(void)
{
    const char *wish = look_up("DGM_CL_COMPILE_LIMIT");
    char *end = NULL;
    const long seconds = wish != NULL ? strtol(wish, &end, 10) : -1;

    return end == NULL || *end != '\0' || seconds < 0 || seconds > INT_MAX ? LIMIT : (int)seconds;
}

const char *dgm_cl_vendors(void)
{
    const char *vendors = look_up("OCL_ICD_VENDORS");

    return vendors != NULL ? vendors : "/etc/OpenCL/vendors";
}

int dgm_cl_cache_home(char *path, size_t size)
{
    const char *cache = look_up("XDG_CACHE_HOME"), *home = look_up("HOME");
    int length;

    if (cache != NULL && cache[0] == '/')
        length = snprintf(path, size, "%s", cache);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, size, "%s/.cache", home);
    else
        return 0;
    return length > 0 && (size_t)length < size;
}
