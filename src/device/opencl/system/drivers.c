/*
 * drivers.c: opens each driver that a file of the vendors' folder names, as a loader does.
 *
 * A file NAME.icd holds one line, the driver's library (cl_khr_icd). OCL_ICD_VENDORS names another
 * folder than the system's, or one such file.
 */
#include "device/opencl/system/drivers.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "device/opencl/system/environment.h"

enum { PATH_SIZE = 1024 };

static int is_driver(const char *name)
{
    const size_t length = strlen(name);

    return length > 4 && length < PATH_SIZE && strcmp(name + length - 4, ".icd") == 0;
}

/* The next file of the folder behind `name` ("" before the first), in the order of names: 0 if
 * there is none. */
static int next_driver(const char *folder, char name[PATH_SIZE])
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    char next[PATH_SIZE] = "";

    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (is_driver(entry->d_name) && strcmp(entry->d_name, name) > 0 &&
            (next[0] == '\0' || strcmp(entry->d_name, next) < 0))
            strcpy(next, entry->d_name);
    if (dir != NULL)
        closedir(dir);
    strcpy(name, next);
    return next[0] != '\0';
}

/* The library that the file names; 0 if it names none. */
static int read_library(const char *path, char library[PATH_SIZE])
{
    FILE *file = fopen(path, "r");
    const int has_line = file != NULL && fgets(library, PATH_SIZE, file) != NULL;

    if (file != NULL)
        fclose(file);
    if (has_line)
        library[strcspn(library, " \t\r\n")] = '\0';
    return has_line && library[0] != '\0';
}

/* A library that opens stays open, as the loader leaves it. */
static dgm_status add_if_dead(struct dgm_env *env, struct dgm_buf *out, const char *before,
                              const char *path)
{
    char library[PATH_SIZE];

    if (!read_library(path, library))
        return dgm_buf_add_format(env, out, "%s%s: names no library\n", before, path);
    if (dlopen(library, RTLD_LAZY | RTLD_LOCAL) != NULL)
        return DGM_OK;
    return dgm_buf_add_format(env, out, "%s%s: %s\n", before, path, dlerror());
}

dgm_status dgm_cl_add_dead_drivers(struct dgm_env *env, struct dgm_buf *out, const char *before)
{
    const char *folder = dgm_cl_vendors();
    char name[PATH_SIZE] = "", path[2 * PATH_SIZE];

    if (is_driver(folder))
        return add_if_dead(env, out, before, folder);
    while (next_driver(folder, name)) {
        snprintf(path, sizeof path, "%.1000s/%s", folder, name);
        DGM_TRY(add_if_dead(env, out, before, path));
    }
    return DGM_OK;
}
