/*
 * resume.c: what a resumed run must have in common with the run that it continues: settings, state,
 * data.
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

#include "base/mem.h"
#include "base/option/settings.h"
#include "base/option/settings_file.h"
#include "model/file/model.h"
#include "tensor/gguf/gguf_get.h"
#include "train/store/resume_texts.h"
#include "train/options.h"

/* ---- settings -------------------------------------------------------------------------------- */

static int is_in(const struct dgm_opt *const *tables, const char *name)
{
    const struct dgm_opt *opt;

    for (; *tables != NULL; tables++)
        for (opt = *tables; opt->name != NULL; opt++)
            if (strcmp(opt->name, name) == 0)
                return 1;
    return 0;
}

/*
 * One `key = value` line each. Of a list of choices only the first counts: of metrics it decides
 * what is best, the others are only told. A second number counts where it is another one.
 */
static dgm_status describe(struct dgm_session *session, const struct dgm_setting *setting)
{
    struct dgm_buf *text = &session->settings_text;
    const char *value = setting->item_count > 0 ? setting->items[0] : setting->value;
    size_t i;

    if (value == NULL)
        return DGM_OK;
    DGM_TRY(dgm_buf_add_format(session->run.env, text, "%s = %s", setting->opt->name, value));
    for (i = 1; i < setting->item_count && setting->opt->type == DGM_OPT_INTS; i++)
        if (strcmp(setting->items[i], value) != 0)
            DGM_TRY(dgm_buf_add_format(session->run.env, text, " %s", setting->items[i]));
    return dgm_buf_add_char(session->run.env, text, '\n');
}

dgm_status dgm_resume_describe(struct dgm_session *session)
{
    size_t i;

    for (i = 0; i < session->run.settings->count; i++) {
        const struct dgm_setting *setting = &session->run.settings->items[i];
        if (dgm_train_option_matters(setting->opt) &&
            is_in(session->trainee.learner->run_tables, setting->opt->name))
            DGM_TRY(describe(session, setting));
    }
    return dgm_buf_add_text(session->run.env, &session->settings_text, "");
}

/* The first line of `text` that `other` lacks. The order of lines does not matter, so that options
 * may move in their tables; a line that only `other` has is of an option that is gone. */
static const char *first_difference(const char *text, const char *other, size_t *length)
{
    for (; *text != '\0'; text += *length + 1) {
        const char *found = other;
        *length = strcspn(text, "\n");
        while (found != NULL && *found != '\0' && !(strncmp(found, text, *length + 1) == 0)) {
            found = strchr(found, '\n');
            found = found != NULL ? found + 1 : NULL;
        }
        if (found == NULL || *found == '\0')
            return text;
    }
    return NULL;
}

static dgm_status compare_text(struct dgm_session *session, const char *old, const char *now)
{
    size_t length;
    const char *line = first_difference(now, old, &length);

    if (line == NULL)
        return DGM_OK;
    return dgm_fail_at(session->run.env, DGM_USAGE, session->checkpoints.folder, 0, 0,
                       "checkpoints were trained with another setting than \"%.*s\". Try "
                       "the old setting, --overwrite, or another --model",
                       (int)length, line);
}

/* The value in the line "name = value" of `text`, up to an LF; NULL: there is no such line. */
static const char *value_in(const char *text, const char *name)
{
    const size_t size = strlen(name);

    while (strncmp(text, name, size) != 0 || strncmp(text + size, " = ", 3) != 0) {
        text = strchr(text, '\n');
        if (text == NULL)
            return NULL;
        text++;
    }
    return text + size + 3;
}

/* Whether `text` has the line "name = value". */
static int has_line(const char *text, const char *name, const char *value)
{
    const char *found = value_in(text, name);
    const size_t size = strlen(value);

    return found != NULL && strncmp(found, value, size) == 0 && found[size] == '\n';
}

/* The value of an option of the model. What nobody chose is as the run was begun, by a version with
 * another default: the checkpoint's model has that value, and keeps it. */
static const char *model_value(const struct dgm_session *session, const struct dgm_opt *opt,
                               const char *saved)
{
    if (opt->before != NULL && !dgm_settings_is_set(session->run.settings, opt->name) &&
        has_line(saved, opt->name, opt->before))
        return opt->before;
    return dgm_settings_text(session->run.settings, opt->name);
}

/* The model's settings of this run as its file would hold them. saved: those of the checkpoint. */
static dgm_status describe_model(struct dgm_session *session, const char *saved,
                                 struct dgm_buf *text)
{
    struct dgm_env *env = session->run.env;
    struct dgm_settings now;
    dgm_status status;
    size_t i;

    DGM_TRY(dgm_settings_init(env, &now, session->trainee.learner->model_tables));
    for (i = 0; i < now.count; i++) {
        const struct dgm_opt *opt = now.items[i].opt;
        const struct dgm_setting *run =
            dgm_settings_find(session->run.settings, opt->name, strlen(opt->name));
        const char *value = model_value(session, opt, saved);
        if (run->item_count > 0)
            DGM_TRY_OUT(
                dgm_settings_store_items(env, &now.items[i], run->items, run->item_count, "model"));
        if (value == NULL)
            continue;
        /* The text of an older version stays what it is, and means what it meant. */
        if (has_line(saved, opt->name, value))
            DGM_TRY_OUT(dgm_settings_set(env, &now, opt->name, value, "model"));
        else
            DGM_TRY_OUT(dgm_model_set(env, &now, opt->name, value));
    }
    status = dgm_settings_file_dump(env, &now, text, 0);
out:
    dgm_settings_clear(env, &now);
    return status;
}

/* value: that of the checkpoint, up to an LF. */
static dgm_status refuse_other(struct dgm_session *session, const char *name, const char *value)
{
    const char *now = dgm_settings_is_set(session->run.settings, name)
                          ? dgm_settings_text(session->run.settings, name)
                          : NULL;

    return dgm_fail_at(session->run.env, DGM_USAGE, session->checkpoints.folder, 0, 0,
                       "checkpoints were trained with \"%s = %.*s\", which is %s "
                       "now. Try the old setting, --overwrite, or another --model",
                       name, (int)strcspn(value, "\n"), value, now != NULL ? now : "not set");
}

/* Whether the option is at a default that files do not name, where the checkpoint names another
 * value. */
static int is_back_at_default(const struct dgm_setting *setting, const char *saved)
{
    const struct dgm_opt *opt = setting->opt;

    return opt->unsaid && setting->value != NULL && strcmp(setting->value, opt->fallback) == 0 &&
           !has_line(saved, opt->name, opt->fallback);
}

/* What the model was begun with, a list or other than by default, and is not named now. */
static dgm_status check_unnamed(struct dgm_session *session, const char *saved)
{
    for (size_t i = 0; i < session->run.settings->count; i++) {
        const struct dgm_setting *setting = &session->run.settings->items[i];
        const char *name = setting->opt->name, *value = value_in(saved, name);

        const int is_dropped = (DGM_OPT_IS_LIST(setting->opt->type) && setting->item_count == 0) ||
                               is_back_at_default(setting, saved);

        if (value != NULL && is_dropped && is_in(session->trainee.learner->model_tables, name))
            return refuse_other(session, name, value);
    }
    return DGM_OK;
}

static dgm_status compare_model(struct dgm_session *session, const char *saved)
{
    struct dgm_buf config = { 0 };
    dgm_status status = describe_model(session, saved, &config);

    if (status == DGM_OK)
        status = compare_text(session, saved, config.data);
    dgm_buf_clear(session->run.env, &config);
    DGM_TRY(status);
    return check_unnamed(session, saved);
}

/* An option without a default that the run was begun with, and that is not named now: its line is
 * in the checkpoint alone. */
static dgm_status check_unset(struct dgm_session *session, const char *saved)
{
    size_t i;

    for (i = 0; i < session->run.settings->count; i++) {
        const struct dgm_setting *setting = &session->run.settings->items[i];
        const char *name = setting->opt->name, *value = value_in(saved, name);

        if (value != NULL && setting->value == NULL && setting->item_count == 0 &&
            dgm_train_option_matters(setting->opt) &&
            is_in(session->trainee.learner->run_tables, name))
            return refuse_other(session, name, value);
    }
    return DGM_OK;
}

static dgm_status compare_run(struct dgm_session *session, const char *saved)
{
    DGM_TRY(compare_text(session, saved, session->settings_text.data));
    return check_unset(session, saved);
}

/* Compares the settings in a key of the checkpoint, as text that ends, with those of the run. */
static dgm_status compare_key(struct dgm_session *session, const struct dgm_gguf *file,
                              const char *key, int is_model)
{
    size_t length;
    const char *saved = dgm_gguf_text(file, key, &length);
    char *text;
    dgm_status status;

    if (saved == NULL && is_model)
        return DGM_OK;
    if (saved == NULL)
        return dgm_fail_at(session->run.env, DGM_MODEL, file->name, 0, 0, "key %s is missing", key);
    text = dgm_copy_text(session->run.env, saved, length);
    if (text == NULL)
        return DGM_MEMORY;
    status = is_model ? compare_model(session, text) : compare_run(session, text);
    dgm_release(session->run.env, text);
    return status;
}

dgm_status dgm_resume_compare(struct dgm_session *session, const struct dgm_gguf *file)
{
    DGM_TRY(compare_key(session, file, "dragoman.state.settings", 0));
    return compare_key(session, file, session->trainee.learner->config_key, 1);
}

/* ---- state ----------------------------------------------------------------------------------- */

/* Nothing where there was one text. */
static dgm_status load_texts(struct dgm_session *session, const struct dgm_gguf *file)
{
    size_t length;
    const char *texts = dgm_gguf_text(file, DGM_CHECKPOINT_TEXTS, &length);

    dgm_buf_reset(&session->texts_before);
    return texts != NULL ? dgm_buf_add(session->run.env, &session->texts_before, texts, length)
                         : DGM_OK;
}

/* Those that --batch-tokens auto chose when the run began; the settings say that it did. */
static dgm_status take_batch_tokens(struct dgm_session *session)
{
    const int64_t tokens = session->run.state.batch_tokens;

    if (session->run.options.fits_memory ? tokens < 1 || tokens > DGM_BATCH_TOKENS_MOST
                                         : tokens != 0)
        return dgm_fail_at(session->run.env, DGM_MODEL, session->checkpoints.newest, 0, 0,
                           "key dragoman.state.batch_tokens is %lld; expected 1..%d of a run with "
                           "--batch-tokens auto, and none of others. Try --overwrite to start "
                           "again",
                           (long long)tokens, (int)DGM_BATCH_TOKENS_MOST);
    if (session->run.options.fits_memory)
        session->run.options.order.batch_tokens = tokens;
    return DGM_OK;
}

dgm_status dgm_resume_load_state(struct dgm_session *session, const struct dgm_gguf *file)
{
    const struct dgm_checkpoints *checkpoints = &session->checkpoints;
    int64_t longest =
        dgm_settings_int(session->run.settings, "max-length") + 1; /* a parser's root */
    struct dgm_train_bounds bounds;

    bounds.updates = checkpoints->newest_update;
    bounds.per_update = session->run.options.accumulate;
    DGM_TRY(dgm_train_state_load(session->run.env, file, &session->run.state));
    DGM_TRY(take_batch_tokens(session));
    bounds.per_batch = session->run.options.order.batch_tokens;
    if (bounds.per_batch < longest)
        bounds.per_batch = longest;
    if (session->run.options.order.parses_beside) /* of as many pairs, beyond the limit */
        bounds.per_batch *= longest + 1;
    DGM_TRY(load_texts(session, file));
    return dgm_train_state_check_run(session->run.env, checkpoints->newest, &session->run.state,
                                     &bounds);
}

/* ---- what computes --------------------------------------------------------------------------- */

/* "CPU, avx512; CPU, avx512": without the threads, which change nothing. */
static void name_devices(const struct dgm_session *session, char *names, size_t size)
{
    const int count = session->run.options.accumulate < session->run.devices->count
                          ? (int)session->run.options.accumulate
                          : session->run.devices->count;
    size_t length = 0;
    int i;

    names[0] = '\0';
    for (i = 0; i < count && length < size; i++) {
        const struct dgm_device *device = session->run.devices->items[i];
        length += (size_t)snprintf(names + length, size - length, "%s%s%s", i > 0 ? "; " : "",
                                   device->isa != NULL ? "CPU, " : device->title,
                                   device->isa != NULL ? device->isa : "");
    }
}

static void compare_devices(struct dgm_session *session)
{
    struct dgm_train_state *state = &session->run.state;
    char names[sizeof state->devices];

    name_devices(session, names, sizeof names);
    if (state->devices[0] != '\0' && strcmp(state->devices, names) != 0)
        dgm_log(session->run.env, DGM_LOG_WARNING,
                "resuming on %s what was trained on %s: they round "
                "differently, so that the bytes of the model may differ from those of a run that "
                "was not interrupted",
                names, state->devices);
    memcpy(state->devices, names, sizeof names);
}

/* ---- data ------------------------------------------------------------------------------------ */

/* The run goes on with an epoch whose order is that of the text as it is now. */
static void begin_epoch_again(struct dgm_session *session, int new_text)
{
    struct dgm_train_state *state = &session->run.state;
    int is_used_up = state->batches != 0 && state->batch == state->batches;

    state->epoch += is_used_up;
    state->batch = 0;
    state->batches = 0;
    state->sentences = 0;
    dgm_log(session->run.env, DGM_LOG_NOTE,
            "%s is another one than that of the "
            "checkpoints: epoch %lld begins%s, in the order of the new %s",
            new_text ? "the training text" : "--shuffle-memory", (long long)state->epoch,
            is_used_up ? "" : " again", new_text ? "text" : "windows");
}

static dgm_status fail_changed(struct dgm_session *session, const char *what)
{
    return dgm_fail_at(session->run.env, DGM_USAGE, session->checkpoints.newest, 0, 0,
                       "%s. Try --allow-data-change or --overwrite", what);
}

/* The order of an epoch depends on the memory of its windows, where there are several. */
static dgm_status refuse_windows(struct dgm_session *session, int64_t before)
{
    const char *file = session->checkpoints.newest;
    char bytes[DGM_OPT_BYTES_SIZE];

    if (before == 0)
        return dgm_fail_at(session->run.env, DGM_USAGE, file, 0, 0,
                           "this checkpoint was trained with all of its text in memory, which now "
                           "is larger than --shuffle-memory. Try --train-cache none, a larger "
                           "--shuffle-memory, --allow-data-change or --overwrite");
    dgm_opt_print_bytes(bytes, before);
    return dgm_fail_at(session->run.env, DGM_USAGE, file, 0, 0,
                       "this checkpoint was trained with --shuffle-memory %s and --train-cache, "
                       "in windows of its text. Try both as they were, --allow-data-change or "
                       "--overwrite",
                       bytes);
}

static dgm_status compare_texts(struct dgm_session *session, const struct dgm_train_state *before)
{
    char what[DGM_RESUME_WHAT];
    int may_change = dgm_settings_flag(session->run.settings, "allow-data-change");
    int new_windows = before->window_bytes != session->run.state.window_bytes;
    int new_text = dgm_resume_is_new_text(session, before, what);

    session->has_new_valid =
        before->knows_valid && before->valid_checksum != session->run.state.valid_checksum;
    if (new_windows && !may_change)
        return refuse_windows(session, before->window_bytes);
    if (new_text && !may_change)
        return fail_changed(session, what);
    if (session->has_new_valid && !may_change)
        return fail_changed(
            session, before->valid_checksum == 0
                         ? "this checkpoint comes from a run without a validation text"
                     : !session->trainee.has_valid
                         ? "this checkpoint comes from a run with a validation text; expected "
                           "--valid-sets"
                         : "the validation text is not the one that this checkpoint was "
                           "validated on");
    if (new_text || new_windows)
        begin_epoch_again(session, new_text);
    return DGM_OK;
}

/* Checkpoints of older versions do not say how many batches the epoch has: their text may have been
 * changed in the middle of it, which left the count of sentences to itself. */
static dgm_status check_epoch(struct dgm_session *session)
{
    struct dgm_train_state *state = &session->run.state;
    const char *file = session->checkpoints.newest;
    int64_t sentences;

    DGM_TRY(
        dgm_train_state_check_batch(session->run.env, file, state, session->course.order.batches));
    sentences = dgm_order_pairs(&session->course.order, state->batch);
    if (state->batches == 0)
        state->sentences = sentences;
    return dgm_train_state_check_sentences(session->run.env, file, state, sentences);
}

/* The window that the run stands in, found by the pairs that it has used. */
static dgm_status find_window(struct dgm_session *session)
{
    struct dgm_train_state *state = &session->run.state;
    int fits;

    DGM_TRY(dgm_windows_seek(session->run.env, &session->course.windows, &session->course.order,
                             session->trainee.corpus, &session->run.options.order, state->epoch,
                             state->sentences, state->batch, &fits));
    if (fits)
        return DGM_OK;
    return dgm_fail_at(session->run.env, DGM_MODEL, session->checkpoints.newest, 0, 0,
                       "key dragoman.state.sentences is %lld, of %lld batches; expected the pairs "
                       "of whole batches of epoch %lld. Try --overwrite to start again",
                       (long long)state->sentences, (long long)state->batch,
                       (long long)state->epoch);
}

/* Rank 0 first: if it puts the text into a file (translation_cache.h), the others find it there. A
 * dry run writes none. */
static dgm_status read_data(struct dgm_session *session)
{
    const int is_dry = dgm_settings_flag(session->run.settings, "dry-run");
    const int is_lead = dgm_run_rank(&session->run) == 0;

    if (!is_lead && !is_dry)
        DGM_TRY(dgm_crew_follow_lead(session));
    DGM_TRY(session->trainee.learner->data(session));
    return is_lead && !is_dry ? dgm_crew_follow_lead(session) : DGM_OK;
}

dgm_status dgm_resume_take_data(struct dgm_session *session)
{
    struct dgm_train_state before = session->run.state;
    int is_resumed = session->checkpoints.newest[0] != '\0';

    /* `data` sets these anew, so those of the checkpoint are kept in `before`. */
    session->run.state.valid_checksum = 0;
    session->run.state.window_bytes = 0;
    session->run.state.knows_valid = 1;
    DGM_TRY(read_data(session));
    if (is_resumed)
        DGM_TRY(compare_texts(session, &before));
    compare_devices(session);
    if (is_resumed && session->course.windows.cache != NULL)
        return find_window(session);
    DGM_TRY(dgm_windows_begin(session->run.env, &session->course.windows, &session->course.order,
                              session->trainee.corpus, &session->run.options.order,
                              session->run.state.epoch));
    return is_resumed ? check_epoch(session) : DGM_OK;
}
