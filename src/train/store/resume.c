/*
 * resume.c: what a resumed run must have in common with the run that it continues: state and data.
 *
 * A resumed run has the bytes of one that was never interrupted. All its random numbers follow from
 * the seed and the counters of the state, so that it is enough if the settings that matter, the
 * texts and the counters are the same.
 *
 * The order of an epoch follows from seed, epoch and text. So on another text, which only
 * --allow-data-change lets pass, there is no place in the epoch to go on from: an epoch that has
 * begun begins again, with the order that the new text has in it; one that was used up stays so,
 * and the next begins. Best scores of another validation text are forgotten with the next update.
 */
#include "train/store/resume.h"

#include <stdio.h>
#include <string.h>

#include "tensor/gguf/gguf_get.h"
#include "train/options.h"
#include "train/store/resume_texts.h"
#include "train/store/state_file.h"

/* ---- state ----------------------------------------------------------------------------------- */

/* Nothing where there was one text. */
static dgm_status load_texts(struct dgm_env *env, const struct dgm_gguf *file, struct dgm_buf *out)
{
    size_t length;
    const char *texts = dgm_gguf_text(file, DGM_CHECKPOINT_TEXTS, &length);

    dgm_buf_reset(out);
    return texts != NULL ? dgm_buf_add(env, out, texts, length) : DGM_OK;
}

/* Those that --batch-tokens auto chose when the run began; the settings say that it did. */
static dgm_status take_batch_tokens(struct dgm_run *run, const char *file)
{
    const int64_t tokens = run->state.batch_tokens;

    if (run->options.fits_memory ? tokens < 1 || tokens > DGM_BATCH_TOKENS_MOST : tokens != 0)
        return dgm_fail_at(run->env, DGM_MODEL, file, 0, 0,
                           "key dragoman.state.batch_tokens is %lld; expected 1..%d of a run with "
                           "--batch-tokens auto, and none of others. Try --overwrite to start "
                           "again",
                           (long long)tokens, (int)DGM_BATCH_TOKENS_MOST);
    if (run->options.fits_memory)
        run->options.order.batch_tokens = tokens;
    return DGM_OK;
}

dgm_status dgm_resume_load_state(struct dgm_run *run, struct dgm_resume *resume,
                                 const struct dgm_checkpoints *checkpoints,
                                 const struct dgm_gguf *file)
{
    int64_t longest = dgm_settings_int(run->settings, "max-length") + 1; /* a parser's root */
    struct dgm_train_bounds bounds;

    bounds.updates = checkpoints->newest_update;
    bounds.per_update = run->options.accumulate;
    DGM_TRY(dgm_train_state_load(run->env, file, &run->state));
    DGM_TRY(take_batch_tokens(run, checkpoints->newest));
    bounds.per_batch = run->options.order.batch_tokens;
    if (bounds.per_batch < longest)
        bounds.per_batch = longest;
    if (run->options.order.parses_beside) /* of as many pairs, beyond the limit */
        bounds.per_batch *= longest + 1;
    DGM_TRY(load_texts(run->env, file, &resume->texts));
    DGM_TRY(dgm_train_state_check_run(run->env, checkpoints->newest, &run->state, &bounds));
    resume->before = run->state;
    return DGM_OK;
}

/* ---- what computes --------------------------------------------------------------------------- */

/* "CPU, avx512; CPU, avx512": without the threads, which change nothing. */
static void name_devices(const struct dgm_run *run, char *names, size_t size)
{
    const int count = run->options.accumulate < run->devices->count ? (int)run->options.accumulate
                                                                    : run->devices->count;
    size_t length = 0;

    names[0] = '\0';
    for (int i = 0; i < count && length < size; i++) {
        const struct dgm_device *device = run->devices->items[i];
        length += (size_t)snprintf(names + length, size - length, "%s%s%s", i > 0 ? "; " : "",
                                   device->isa != NULL ? "CPU, " : device->title,
                                   device->isa != NULL ? device->isa : "");
    }
}

static void compare_devices(struct dgm_run *run)
{
    struct dgm_train_state *state = &run->state;
    char names[sizeof state->devices];

    name_devices(run, names, sizeof names);
    if (state->devices[0] != '\0' && strcmp(state->devices, names) != 0)
        dgm_log(run->env, DGM_LOG_WARNING,
                "resuming on %s what was trained on %s: they round differently, so that the bytes "
                "of the model may differ from those of a run that was not interrupted",
                names, state->devices);
    memcpy(state->devices, names, sizeof names);
}

/* ---- data ------------------------------------------------------------------------------------ */

/* The run goes on with an epoch whose order is that of the text as it is now. */
static void begin_epoch_again(struct dgm_run *run, int new_text)
{
    struct dgm_train_state *state = &run->state;
    int is_used_up = state->batches != 0 && state->batch == state->batches;

    state->epoch += is_used_up;
    state->batch = 0;
    state->batches = 0;
    state->sentences = 0;
    dgm_log(run->env, DGM_LOG_NOTE,
            "%s is another one than that of the "
            "checkpoints: epoch %lld begins%s, in the order of the new %s",
            new_text ? "the training text" : "--shuffle-memory", (long long)state->epoch,
            is_used_up ? "" : " again", new_text ? "text" : "windows");
}

static dgm_status fail_changed(struct dgm_env *env, const char *file, const char *what)
{
    return dgm_fail_at(env, DGM_USAGE, file, 0, 0, "%s. Try --allow-data-change or --overwrite",
                       what);
}

/* The order of an epoch depends on the memory of its windows, where there are several. */
static dgm_status refuse_windows(struct dgm_env *env, const char *file, int64_t before)
{
    char bytes[DGM_OPT_BYTES_SIZE];

    if (before == 0)
        return dgm_fail_at(env, DGM_USAGE, file, 0, 0,
                           "this checkpoint was trained with all of its text in memory, which now "
                           "is larger than --shuffle-memory. Try --train-cache none, a larger "
                           "--shuffle-memory, --allow-data-change or --overwrite");
    dgm_opt_print_bytes(bytes, before);
    return dgm_fail_at(env, DGM_USAGE, file, 0, 0,
                       "this checkpoint was trained with --shuffle-memory %s and --train-cache, "
                       "in windows of its text. Try both as they were, --allow-data-change or "
                       "--overwrite",
                       bytes);
}

/* Whether what decides is another text than it was. One where there was none, and more of them
 * behind the first, change nothing of what was found. */
static int is_new_valid(const struct dgm_train_state *before, const struct dgm_train_state *now,
                        const struct dgm_trainee *trainee)
{
    return before->knows_valid && before->valid_checksum != 0 &&
           before->valid_checksum != now->valid_checksum &&
           (!trainee->has_valid || before->valid_checksum != trainee->first_valid_checksum);
}

/* Of the data that this run has, and those that it was begun with. */
static dgm_status compare_texts(struct dgm_run *run, struct dgm_resume *resume,
                                const struct dgm_trainee *trainee, const char *file)
{
    const struct dgm_train_state *before = &resume->before;
    char what[DGM_RESUME_WHAT];
    int may_change = dgm_settings_flag(run->settings, "allow-data-change");
    int new_windows = before->window_bytes != run->state.window_bytes;
    int new_text =
        dgm_resume_is_new_text(before, &resume->texts, &run->state, &trainee->texts, what);

    resume->has_new_valid = is_new_valid(before, &run->state, trainee);
    if (new_windows && !may_change)
        return refuse_windows(run->env, file, before->window_bytes);
    if (new_text && !may_change)
        return fail_changed(run->env, file, what);
    if (resume->has_new_valid && !may_change)
        return fail_changed(
            run->env, file,
            !trainee->has_valid
                ? "this checkpoint comes from a run with a validation text; expected "
                  "--valid-sets"
                : "the validation text is not the one that this checkpoint was "
                  "validated on");
    if (new_text || new_windows)
        begin_epoch_again(run, new_text);
    return DGM_OK;
}

/* Checkpoints of older versions do not say how many batches the epoch has: their text may have been
 * changed in the middle of it, which left the count of sentences to itself. */
static dgm_status check_epoch(struct dgm_run *run, const struct dgm_order *order, const char *file)
{
    struct dgm_train_state *state = &run->state;
    int64_t sentences;

    DGM_TRY(dgm_train_state_check_batch(run->env, file, state, order->batches));
    sentences = dgm_order_pairs(order, state->batch);
    if (state->batches == 0)
        state->sentences = sentences;
    return dgm_train_state_check_sentences(run->env, file, state, sentences);
}

/* The window that the run stands in, found by the pairs that it has used. */
static dgm_status find_window(const struct dgm_run *run, struct dgm_course *course,
                              const struct dgm_corpus *corpus, const char *file)
{
    const struct dgm_train_state *state = &run->state;
    int fits;

    DGM_TRY(dgm_windows_seek(run->env, &course->windows, &course->order, corpus,
                             &run->options.order, state->epoch, state->sentences, state->batch,
                             &fits));
    if (fits)
        return DGM_OK;
    return dgm_fail_at(run->env, DGM_MODEL, file, 0, 0,
                       "key dragoman.state.sentences is %lld, of %lld batches; expected the pairs "
                       "of whole batches of epoch %lld. Try --overwrite to start again",
                       (long long)state->sentences, (long long)state->batch,
                       (long long)state->epoch);
}

dgm_status dgm_resume_begin_epoch(struct dgm_run *run, struct dgm_resume *resume,
                                  const struct dgm_trainee *trainee, struct dgm_course *course,
                                  const struct dgm_checkpoints *checkpoints)
{
    const char *file = checkpoints->newest;
    const int is_resumed = file[0] != '\0';

    if (is_resumed)
        DGM_TRY(compare_texts(run, resume, trainee, file));
    compare_devices(run);
    if (is_resumed && course->windows.cache != NULL)
        return find_window(run, course, trainee->corpus, file);
    DGM_TRY(dgm_windows_begin(run->env, &course->windows, &course->order, trainee->corpus,
                              &run->options.order, run->state.epoch));
    return is_resumed ? check_epoch(run, &course->order, file) : DGM_OK;
}

void dgm_resume_clear(struct dgm_env *env, struct dgm_resume *resume)
{
    dgm_buf_clear(env, &resume->settings);
    dgm_buf_clear(env, &resume->texts);
}
