/*
 * state.c: where a training run stands, as metadata of a checkpoint.
 */
#include "train/state.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct field {
    const char *key;
    size_t offset;
};

#define FIELD(name) {"dragoman.state." #name, offsetof(struct dgm_train_state, name)}

static const struct field counters[] = {
    FIELD(updates), FIELD(epoch), FIELD(batch), FIELD(labels), FIELD(sentences),
    FIELD(best_update), FIELD(stalled), FIELD(log_bytes)};

static const struct field numbers[] = {FIELD(best), FIELD(cost), FIELD(cost_labels),
                                       FIELD(elapsed)};

enum {
    COUNTERS = sizeof counters / sizeof counters[0],
    NUMBERS = sizeof numbers / sizeof numbers[0]
};

dgm_status dgm_train_state_save(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                const struct dgm_train_state *state)
{
    size_t i;

    for (i = 0; i < COUNTERS; i++) {
        int64_t value;
        memcpy(&value, (const char *)state + counters[i].offset, sizeof value);
        DGM_TRY(dgm_gguf_add_i64(env, writer, counters[i].key, value));
    }
    for (i = 0; i < NUMBERS; i++) {
        double value;
        memcpy(&value, (const char *)state + numbers[i].offset, sizeof value);
        DGM_TRY(dgm_gguf_add_f64(env, writer, numbers[i].key, value));
    }
    DGM_TRY(dgm_gguf_add_u64(env, writer, "dragoman.state.train_checksum",
                             state->train_checksum));
    return dgm_gguf_add_bool(env, writer, "dragoman.state.finished", state->finished);
}

static dgm_status fail_missing(struct dgm_env *env, const struct dgm_gguf *file, const char *key)
{
    return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                       "key %s is missing; expected a checkpoint of dragoman train", key);
}

dgm_status dgm_train_state_load(struct dgm_env *env, const struct dgm_gguf *file,
                                struct dgm_train_state *state)
{
    struct dgm_train_state read;
    size_t i;

    memset(&read, 0, sizeof read);
    for (i = 0; i < COUNTERS; i++) {
        int64_t value;
        if (!dgm_gguf_int(file, counters[i].key, &value) || value < 0)
            return fail_missing(env, file, counters[i].key);
        memcpy((char *)&read + counters[i].offset, &value, sizeof value);
    }
    for (i = 0; i < NUMBERS; i++) {
        double value;
        if (!dgm_gguf_real(file, numbers[i].key, &value))
            return fail_missing(env, file, numbers[i].key);
        memcpy((char *)&read + numbers[i].offset, &value, sizeof value);
    }
    if (!dgm_gguf_uint(file, "dragoman.state.train_checksum", &read.train_checksum))
        return fail_missing(env, file, "dragoman.state.train_checksum");
    if (!dgm_gguf_flag(file, "dragoman.state.finished", &read.finished))
        return fail_missing(env, file, "dragoman.state.finished");
    *state = read;
    return DGM_OK;
}
