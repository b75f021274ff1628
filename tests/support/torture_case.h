/*
 * torture_case.h: a whole training, small enough to be run thousands of times, and whether what it
 * left is what an undisturbed one leaves.
 */
#ifndef DGM_TORTURE_CASE_H
#define DGM_TORTURE_CASE_H

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "training_case.h"

/* Removes a folder and all it holds. */
static inline void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *item;
    char inner[1600];

    while (folder != NULL && (item = readdir(folder)) != NULL) {
        if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%.1300s/%s", path, item->d_name);
        if (unlink(inner) != 0)
            remove_folder(inner);
    }
    if (folder != NULL)
        closedir(folder);
    rmdir(path);
}

/* An empty folder of that name. */
static inline int begin_folder(const char *name)
{
    char path[1200];

    remove_folder(in_dir(path, name));
    return mkdir(path, 0777) == 0;
}

/* A checkpoint every 4 updates, of which two are kept, a validation every 6; it ends after
 * `updates`, or is stopped after every `stop_every` (0: is not). */
static inline dgm_status train_run(const char *model, const char *updates, int stop_every)
{
    static char sets[2500];
    char path[2][1200];
    const char *extra[] = { "after",      updates, "save-freq", "4u", "valid-sets", sets,
                            "valid-freq", "6u",    "keep-last", "2",  NULL };

    snprintf(sets, sizeof sets, "%s %s", in_dir(path[0], "toy.src"), in_dir(path[1], "toy.trg"));
    return train(model, extra, 1, stop_every, NULL);
}

/* metrics.jsonl without its speeds, the only numbers that depend on the clock. */
static inline int read_metrics(struct dgm_buf *out, const char *name)
{
    char path[1300], line[4000];
    FILE *file = fopen(in_dir(path, name), "rb");

    dgm_buf_reset(out);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *speed = strstr(line, ", \"wps\"");
        if (speed != NULL)
            strcpy(speed, "}\n");
        if (dgm_buf_add_text(test_env(), out, line) != DGM_OK)
            break;
    }
    if (file != NULL)
        fclose(file);
    return file != NULL;
}

static inline int same_metrics(const char *one, const char *other)
{
    struct dgm_buf a = { NULL, 0, 0, 0 }, b = { NULL, 0, 0, 0 };
    int same = read_metrics(&a, one) && read_metrics(&b, other) && a.size == b.size &&
               memcmp(a.data, b.data, a.size) == 0;

    if (!same)
        printf("    %s:\n%s\n    %s:\n%s\n", one, a.data != NULL ? a.data : "(none)", other,
               b.data != NULL ? b.data : "(none)");
    dgm_buf_clear(test_env(), &a);
    dgm_buf_clear(test_env(), &b);
    return same;
}

static inline int same_bytes(const char *one, const char *other)
{
    struct dgm_buf a = { NULL, 0, 0, 0 }, b = { NULL, 0, 0, 0 };
    int same = read_model(&a, one) == DGM_OK && read_model(&b, other) == DGM_OK &&
               a.size == b.size && memcmp(a.data, b.data, a.size) == 0;

    dgm_buf_clear(test_env(), &a);
    dgm_buf_clear(test_env(), &b);
    return same;
}

#endif
