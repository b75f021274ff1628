/*
 * state_check.c: the counters of a checkpoint against the run that they are to continue.
 *
 * A checkpoint is untrusted: its counters index the order of an epoch, name random streams and
 * files. Some bounds hold for every run, whatever text it reads and whether that was changed on the
 * way (--allow-data-change): an epoch that was completed has used at least one batch, and no batch
 * has more tokens than the options allow or, with a single sentence, than a sentence may have.
 */
#include "base/env.h"
#include "train/checkpoint/state.h"

/* Lines of the metrics file that belong to an update are far shorter together. */
enum { LOG_BYTES_PER_UPDATE = 65536 };

static dgm_status check(struct dgm_env *env, const char *file, const char *key, int64_t value,
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
    DGM_TRY(check(env, file, "epoch", state->epoch, used + 1, "one more than batches were used"));
    DGM_TRY(check(env, file, "batch", state->batch, used - (double)(state->epoch - 1),
                  "the batches that its updates used, but one for each epoch before"));
    DGM_TRY(check(env, file, "labels", state->labels, labels, "as its batches can hold"));
    return check(env, file, "log_bytes", state->log_bytes, log_bytes,
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
    return check(env, file, "batch", state->batch, (double)batches, "the batches of the epoch");
}

dgm_status dgm_train_state_check_sentences(struct dgm_env *env, const char *file,
                                           const struct dgm_train_state *state, int64_t sentences)
{
    if (state->sentences == sentences)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, file, 0, 0,
                       "key dragoman.state.sentences is %lld; expected "
                       "%lld, those of the epoch's first %lld batches. Try --overwrite to start "
                       "again",
                       (long long)state->sentences, (long long)sentences, (long long)state->batch);
}
