/*
 * training_case.h: whole training runs on a toy corpus, in test_dir().
 */
#ifndef DGM_TRAINING_CASE_H
#define DGM_TRAINING_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/mem.h"
#include "base/option/settings.h"
#include "base/philox.h"
#include "model/file/model.h"
#include "open_device.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "test.h"
#include "train/options.h"
#include "train/trainer.h"
#include "train/translation/learner.h"

enum { PAIRS = 30 };

static inline int is_double(void)
{
    return sizeof(dgm_real) == sizeof(double);
}

static inline const char *in_dir(char path[1200], const char *name)
{
    snprintf(path, 1200, "%s/%s", test_dir(), name);
    return path;
}

/* 30 short sentences, their "translation" word by word, and trees that are chains. */
static inline int write_corpus(void)
{
    char path[3][1200];
    FILE *file[3];
    struct dgm_random random;
    int p, w, k;

    for (k = 0; k < 3; k++) {
        static const char *const names[3] = { "toy.src", "toy.trg", "toy.conllu" };
        file[k] = fopen(in_dir(path[k], names[k]), "wb");
        if (file[k] == NULL)
            return 0;
    }
    dgm_random_init(&random, 3, 0, 0, 0);
    for (p = 0; p < PAIRS; p++) {
        int words = 2 + (int)dgm_random_below(&random, 5);
        for (w = 0; w < words; w++) {
            unsigned word = dgm_random_below(&random, 9);
            fprintf(file[0], "%sw%u", w ? " " : "", word);
            fprintf(file[1], "%sv%u", w ? " " : "", (word * 4) % 9);
            fprintf(file[2], "%d\tw%u\t_\tX\t_\t_\t%d\t%s\t_\t_\n", w + 1, word, w,
                    w == 0 ? "root" : "next");
        }
        fputs("\n", file[0]);
        fputs("\n", file[1]);
        fputs("\n", file[2]);
    }
    for (k = 0; k < 3; k++)
        fclose(file[k]);
    return 1;
}

/* name=value settings of a run, ended by NULL, over those that every test shares. */
static inline dgm_status make_settings(struct dgm_settings *settings, const char *model,
                                       const char *const *extra)
{
    static const char *const shared[] = { "dim-emb",
                                          "16",
                                          "transformer-heads",
                                          "2",
                                          "transformer-dim-ffn",
                                          "24",
                                          "enc-depth",
                                          "1",
                                          "dec-depth",
                                          "1",
                                          "tokenize",
                                          "none",
                                          "bpe-merges",
                                          "0",
                                          "batch-tokens",
                                          "40",
                                          "after",
                                          "40u",
                                          "save-freq",
                                          "10u",
                                          "disp-freq",
                                          "5u",
                                          "lr",
                                          "0.01",
                                          "warmup",
                                          "10",
                                          "max-length",
                                          "20",
                                          "attention-dropout",
                                          "0.1",
                                          NULL };
    char text[2500], path[2][1200];
    int i;

    DGM_TRY(dgm_settings_init(test_env(), settings, dgm_train_tables));
    snprintf(text, sizeof text, "%s %s", in_dir(path[0], "toy.src"), in_dir(path[1], "toy.trg"));
    DGM_TRY(dgm_settings_set(test_env(), settings, "train-sets", text, "test"));
    DGM_TRY(dgm_settings_set(test_env(), settings, "model", in_dir(path[0], model), "test"));
    DGM_TRY(dgm_settings_set(test_env(), settings, "train-trees", in_dir(path[0], "toy.conllu"),
                             "test"));
    for (i = 0; shared[i] != NULL; i += 2)
        DGM_TRY(dgm_settings_set(test_env(), settings, shared[i], shared[i + 1], "test"));
    for (i = 0; extra != NULL && extra[i] != NULL; i += 2)
        DGM_TRY(dgm_settings_set(test_env(), settings, extra[i], extra[i + 1], "test"));
    return DGM_OK;
}

/* Raises the stop flag after every `every`-th update of a call. */
struct stopper {
    volatile sig_atomic_t stop;
    int every, updates;
};

static inline void count_update(void *user, int64_t done, int64_t total, const char *text)
{
    struct stopper *stopper = user;

    (void)done;
    (void)total;
    (void)text;
    stopper->updates++;
    if (stopper->every > 0 && stopper->updates % stopper->every == 0)
        stopper->stop = 1;
}

/* One call of dgm_trainer_run; *updates (may be NULL): how many it made. */
static inline dgm_status train_on_all(const struct dgm_devices *devices, const char *model,
                                      const char *const *extra, int stop_every, int *updates)
{
    struct dgm_train_hooks hooks;
    struct dgm_settings settings;
    struct stopper stopper = { 0, 0, 0 };
    dgm_status status;

    memset(&hooks, 0, sizeof hooks);
    hooks.stop = &stopper.stop;
    hooks.progress = count_update;
    hooks.progress_user = &stopper;
    stopper.every = stop_every;
    status = make_settings(&settings, model, extra);
    if (status == DGM_OK)
        status = dgm_trainer_run(test_env(), devices, &settings, &hooks, &dgm_translation_learner);
    dgm_settings_clear(test_env(), &settings);
    if (updates != NULL)
        *updates = stopper.updates;
    return status;
}

static inline dgm_status train_on(struct dgm_device *device, const char *model,
                                  const char *const *extra, int stop_every, int *updates)
{
    struct dgm_devices devices;

    devices.items[0] = device;
    devices.count = 1;
    return train_on_all(&devices, model, extra, stop_every, updates);
}

static inline dgm_status train(const char *model, const char *const *extra, int threads,
                               int stop_every, int *updates)
{
    struct dgm_device *device;
    dgm_status status;

    if (updates != NULL)
        *updates = 0;
    DGM_TRY(open_device(test_env(), &device, threads));
    status = train_on(device, model, extra, stop_every, updates);
    dgm_device_close(test_env(), device);
    return status;
}

static inline dgm_status read_model(struct dgm_buf *bytes, const char *name)
{
    char path[1200];
    return dgm_file_read(test_env(), bytes, in_dir(path, name));
}

static inline void check_same_files(const char *one, const char *other)
{
    struct dgm_buf a = { NULL, 0, 0, 0 }, b = { NULL, 0, 0, 0 };

    CHECK_STATUS(read_model(&a, one), DGM_OK);
    CHECK_STATUS(read_model(&b, other), DGM_OK);
    CHECK_INT(a.size, b.size);
    CHECK_MEM(b.data, a.data, a.size);
    dgm_buf_clear(test_env(), &a);
    dgm_buf_clear(test_env(), &b);
}

static inline int exists(const char *name)
{
    char path[1200];
    return dgm_file_exists(test_env(), in_dir(path, name));
}

static inline int64_t updates_of(const char *name)
{
    struct dgm_gguf file;
    char path[1200];
    int64_t updates = -1;

    memset(&file, 0, sizeof file);
    if (dgm_gguf_load(test_env(), &file, in_dir(path, name)) == DGM_OK &&
        !dgm_gguf_int(&file, "dragoman.training.updates", &updates))
        updates = -1;
    dgm_gguf_clear(test_env(), &file);
    return updates;
}

#endif
