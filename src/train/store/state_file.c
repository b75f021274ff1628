/*
 * state_file.c: where a training run stands, as metadata of a checkpoint.
 *
 * A checkpoint is untrusted: its counters index the order of an epoch, and they name random streams
 * and files. So they are held against each other, against options and file name, and against the
 * text. Some bounds hold for every run, whatever text it reads and whether that was changed on the
 * way (--allow-data-change): an epoch that was completed has used at least one batch, and no batch
 * has more tokens than the options allow or, with a single sentence, than a sentence may have.
 */
#include "train/store/state_file.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_write.h"

struct field {
    const char *key;
    size_t offset;
};

#define FIELD(name)                                                     \
    {                                                                   \
        "dragoman.state." #name, offsetof(struct dgm_train_state, name) \
    }

#define PENDING "dragoman.state.pending"

static const struct field counters[] = { FIELD(updates), FIELD(epoch),     FIELD(batch),
                                         FIELD(labels),  FIELD(sentences), FIELD(best_update),
                                         FIELD(stalled), FIELD(log_bytes) };

static const struct field numbers[] = { FIELD(best), FIELD(cost), FIELD(cost_labels),
                                        FIELD(elapsed) };

enum {
    COUNTERS = sizeof counters / sizeof counters[0],
    NUMBERS = sizeof numbers / sizeof numbers[0]
};

/* Not in checkpoints of older versions. */
static const struct field batches_field = FIELD(batches);
static const struct field window_field = FIELD(window_bytes); /* where it is not 0 */
static const struct field tokens_field = FIELD(batch_tokens); /* the same */
#define KEY_VALID "dragoman.state.valid_checksum"
#define KEY_BEST "dragoman.state.best_checksum"
#define KEY_DEVICES "dragoman.state.devices"
#define KEY_REDUCE "dragoman.state.reduce"      /* where it is not empty */
#define KEY_INIT "dragoman.state.init_checksum" /* where it is not 0 */

dgm_status dgm_train_state_save(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                const struct dgm_train_state *state)
{
    for (size_t i = 0; i < COUNTERS; i++) {
        int64_t value;
        memcpy(&value, (const char *)state + counters[i].offset, sizeof value);
        DGM_TRY(dgm_gguf_add_i64(env, writer, counters[i].key, value));
    }
    for (size_t i = 0; i < NUMBERS; i++) {
        double value;
        memcpy(&value, (const char *)state + numbers[i].offset, sizeof value);
        DGM_TRY(dgm_gguf_add_f64(env, writer, numbers[i].key, value));
    }
    DGM_TRY(dgm_gguf_add_i64(env, writer, batches_field.key, state->batches));
    DGM_TRY(dgm_gguf_add_i64(env, writer, PENDING, state->pending));
    DGM_TRY(dgm_gguf_add_u64(env, writer, "dragoman.state.train_checksum", state->train_checksum));
    DGM_TRY(dgm_gguf_add_u64(env, writer, KEY_VALID, state->valid_checksum));
    DGM_TRY(dgm_gguf_add_u64(env, writer, KEY_BEST, state->best_checksum));
    DGM_TRY(dgm_gguf_add_text(env, writer, KEY_DEVICES, state->devices, strlen(state->devices)));
    if (state->init_checksum != 0)
        DGM_TRY(dgm_gguf_add_u64(env, writer, KEY_INIT, state->init_checksum));
    if (state->reduce[0] != '\0')
        DGM_TRY(dgm_gguf_add_text(env, writer, KEY_REDUCE, state->reduce, strlen(state->reduce)));
    if (state->window_bytes > 0)
        DGM_TRY(dgm_gguf_add_i64(env, writer, window_field.key, state->window_bytes));
    if (state->batch_tokens > 0)
        DGM_TRY(dgm_gguf_add_i64(env, writer, tokens_field.key, state->batch_tokens));
    return dgm_gguf_add_bool(env, writer, "dragoman.state.finished", state->finished);
}

/* ---- loading -------------------------------------------------------------------------------- */

static dgm_status fail_missing(struct dgm_env *env, const struct dgm_gguf *file, const char *key)
{
    return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                       "key %s is missing; expected a checkpoint of dragoman train", key);
}

/* Log lines and limits use doubles, which hold every whole number up to this one. */
static const int64_t most_count = (int64_t)1 << 53;

static dgm_status load_counter(struct dgm_env *env, const struct dgm_gguf *file,
                               const struct field *field, struct dgm_train_state *state)
{
    int64_t value;

    if (!dgm_gguf_int(file, field->key, &value))
        return fail_missing(env, file, field->key);
    if (value < 0 || value > most_count)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "key %s is %lld; expected 0..%lld",
                           field->key, (long long)value, (long long)most_count);
    memcpy((char *)state + field->offset, &value, sizeof value);
    return DGM_OK;
}

static dgm_status load_number(struct dgm_env *env, const struct dgm_gguf *file,
                              const struct field *field, struct dgm_train_state *state)
{
    double value;

    if (!dgm_gguf_real(file, field->key, &value))
        return fail_missing(env, file, field->key);
    if (!isfinite(value))
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "key %s is not a finite number",
                           field->key);
    memcpy((char *)state + field->offset, &value, sizeof value);
    return DGM_OK;
}

/* The text will stand in a message on a terminal: no control bytes. */
static int is_printable(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~')
            return 0;
    return 1;
}

/* A text that may be missing. The rest of `text`, which is zero, stays so. */
static void load_text(const struct dgm_gguf *file, const char *key, char *text, size_t size)
{
    size_t length;
    const char *found = dgm_gguf_text(file, key, &length);

    if (found != NULL && length < size && is_printable(found, length))
        memcpy(text, found, length);
}

/* The keys that checkpoints of older versions lack. */
static dgm_status load_newer(struct dgm_env *env, const struct dgm_gguf *file,
                             struct dgm_train_state *state)
{
    state->knows_valid = dgm_gguf_find_key(file, KEY_VALID) != NULL;
    if (state->knows_valid && !dgm_gguf_uint(file, KEY_VALID, &state->valid_checksum))
        return fail_missing(env, file, KEY_VALID);
    if (dgm_gguf_find_key(file, KEY_BEST) != NULL &&
        !dgm_gguf_uint(file, KEY_BEST, &state->best_checksum))
        return fail_missing(env, file, KEY_BEST);
    if (dgm_gguf_find_key(file, KEY_INIT) != NULL &&
        !dgm_gguf_uint(file, KEY_INIT, &state->init_checksum))
        return fail_missing(env, file, KEY_INIT);
    load_text(file, KEY_DEVICES, state->devices, sizeof state->devices);
    load_text(file, KEY_REDUCE, state->reduce, sizeof state->reduce);
    if (dgm_gguf_find_key(file, window_field.key) != NULL)
        DGM_TRY(load_counter(env, file, &window_field, state));
    if (dgm_gguf_find_key(file, tokens_field.key) != NULL)
        DGM_TRY(load_counter(env, file, &tokens_field, state));
    return dgm_gguf_find_key(file, batches_field.key) != NULL
               ? load_counter(env, file, &batches_field, state)
               : DGM_OK;
}

static dgm_status fail_value(struct dgm_env *env, const struct dgm_gguf *file, const char *key,
                             int64_t value, const char *expected)
{
    return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                       "key dragoman.state.%s is %lld; expected %s. Try --overwrite to start again",
                       key, (long long)value, expected);
}

/* Relations between the values that hold whatever the options and the text. */
static dgm_status compare(struct dgm_env *env, const struct dgm_gguf *file,
                          const struct dgm_train_state *state)
{
    if (state->epoch < 1)
        return fail_value(env, file, "epoch", state->epoch, "1 or more");
    if (state->batches != 0 && state->batch > state->batches)
        return fail_value(env, file, "batch", state->batch, "at most dragoman.state.batches");
    if (state->sentences < state->batch)
        return fail_value(env, file, "sentences", state->sentences,
                          "at least dragoman.state.batch");
    if (state->best_update > state->updates)
        return fail_value(env, file, "best_update", state->best_update,
                          "at most dragoman.state.updates");
    if (state->stalled > state->updates - state->best_update)
        return fail_value(env, file, "stalled", state->stalled,
                          "at most the updates since dragoman.state.best_update");
    if (state->cost_labels < 0 || state->cost_labels > (double)state->labels)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "key dragoman.state.cost_labels is "
                           "not within 0..dragoman.state.labels. Try --overwrite to start again");
    if (state->elapsed < 0)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "key dragoman.state.elapsed is "
                           "negative. Try --overwrite to start again");
    return DGM_OK;
}

/* Checkpoints of version 0.1 have no such key: nothing was pending. */
static dgm_status load_pending(struct dgm_env *env, const struct dgm_gguf *file, int64_t *pending)
{
    *pending = 0;
    if (dgm_gguf_find_key(file, PENDING) == NULL)
        return DGM_OK;
    if (!dgm_gguf_int(file, PENDING, pending) || (*pending & ~(int64_t)DGM_PENDING_ALL) != 0)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "key " PENDING " is wrong; expected "
                           "an integer in 0..%d",
                           (int)DGM_PENDING_ALL);
    return DGM_OK;
}

dgm_status dgm_train_state_load(struct dgm_env *env, const struct dgm_gguf *file,
                                struct dgm_train_state *state)
{
    struct dgm_train_state read = { 0 };

    for (size_t i = 0; i < COUNTERS; i++)
        DGM_TRY(load_counter(env, file, &counters[i], &read));
    for (size_t i = 0; i < NUMBERS; i++)
        DGM_TRY(load_number(env, file, &numbers[i], &read));
    if (!dgm_gguf_uint(file, "dragoman.state.train_checksum", &read.train_checksum))
        return fail_missing(env, file, "dragoman.state.train_checksum");
    if (!dgm_gguf_flag(file, "dragoman.state.finished", &read.finished))
        return fail_missing(env, file, "dragoman.state.finished");
    DGM_TRY(load_newer(env, file, &read));
    DGM_TRY(compare(env, file, &read));
    DGM_TRY(load_pending(env, file, &read.pending));
    *state = read;
    return DGM_OK;
}

/* ---- against the run that is to go on -------------------------------------------------------- */

/* Lines of the metrics file that belong to an update are far shorter together. */
enum { LOG_BYTES_PER_UPDATE = 65536 };

static dgm_status check_most(struct dgm_env *env, const char *file, const char *key, int64_t value,
                             double most, const char *because)
{
    if ((double)value <= most)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, file, 0, 0,
                       "key dragoman.state.%s is %lld; expected at "
                       "most %lld, %s. Try --overwrite to start again",
                       key, (long long)value, (long long)most,
                       because); /* below `value`, so that it fits */
}

dgm_status dgm_train_state_check_run(struct dgm_env *env, const char *file,
                                     const struct dgm_train_state *state,
                                     const struct dgm_train_bounds *bounds)
{
    double used = (double)state->updates * (double)bounds->per_update;
    double labels = used * (double)bounds->per_batch;
    double log_bytes = (double)state->updates * LOG_BYTES_PER_UPDATE;

    if (state->updates != bounds->updates)
        return dgm_fail_at(env, DGM_MODEL, file, 0, 0,
                           "key dragoman.state.updates is %lld; "
                           "expected %lld, as the name of the file says",
                           (long long)state->updates, (long long)bounds->updates);
    DGM_TRY(
        check_most(env, file, "epoch", state->epoch, used + 1, "one more than batches were used"));
    DGM_TRY(check_most(env, file, "batch", state->batch, used - (double)(state->epoch - 1),
                       "the batches that its updates used, but one for each epoch before"));
    DGM_TRY(check_most(env, file, "labels", state->labels, labels, "as its batches can hold"));
    return check_most(env, file, "log_bytes", state->log_bytes, log_bytes,
                      "as its updates can have written");
}

dgm_status dgm_train_state_check_batch(struct dgm_env *env, const char *file,
                                       const struct dgm_train_state *state, int64_t batches)
{
    if (state->batches != 0 && state->batches != batches)
        return dgm_fail_at(env, DGM_MODEL, file, 0, 0,
                           "key dragoman.state.batches is %lld; "
                           "expected %lld, those of epoch %lld. Try --overwrite to start again",
                           (long long)state->batches, (long long)batches, (long long)state->epoch);
    return check_most(env, file, "batch", state->batch, (double)batches,
                      "the batches of the epoch");
}

dgm_status dgm_train_state_check_sentences(struct dgm_env *env, const char *file,
                                           const struct dgm_train_state *state, int64_t sentences)
{
    if (state->sentences == sentences)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, file, 0, 0,
                       "key dragoman.state.sentences is %lld; expected %lld, those of the epoch's "
                       "first %lld batches. Try --overwrite to start again",
                       (long long)state->sentences, (long long)sentences, (long long)state->batch);
}
