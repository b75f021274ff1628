/*
 * test_requests.c: a training run that is stopped, or asked for a checkpoint, at any moment:
 * also in the middle of a validation.
 */
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/option/settings.h"
#include "failing_vfs.h"
#include "train/requests.h"
#include "training_case.h"

/* What the log says, and what it makes the run do: the test's hand on the flags. */
struct listener {
    volatile sig_atomic_t stop, save;
    const char *at; /* part of a line; every `every`-th such line raises a flag */
    int every, seen;
    int saves;        /* raises `save`, not `stop` */
    int statuses;     /* lines of status */
    char status[600]; /* the last of them */
    int copies;       /* "killed" becomes what a kill at the first of them would leave */
};

static int copy_file(const char *from, const char *to)
{
    struct dgm_buf bytes = { NULL, 0, 0, 0 };
    char path[1200];
    FILE *file = NULL;
    int done = 0;

    if (dgm_file_read(test_env(), &bytes, from) == DGM_OK)
        file = fopen(in_dir(path, to), "wb");
    if (file != NULL)
        done = fwrite(bytes.data, 1, bytes.size, file) == bytes.size && fclose(file) == 0;
    dgm_buf_clear(test_env(), &bytes);
    return done;
}

static void copy_run(struct listener *listener)
{
    const char *checkpoint = strstr(listener->status, "checkpoint ");
    char from[1200], path[1200];

    listener->copies = 0;
    if (checkpoint == NULL)
        return;
    snprintf(from, sizeof from, "%.*s", (int)strcspn(checkpoint + 11, " "), checkpoint + 11);
    CHECK(mkdir(in_dir(path, "killed.ckpt"), 0777) == 0);
    CHECK(copy_file(from, "killed.ckpt/update-00000006-stop.gguf"));
    CHECK(copy_file(in_dir(path, "asked.ckpt/metrics.jsonl"), "killed.ckpt/metrics.jsonl"));
}

static void listen(void *user, dgm_level level, const char *text)
{
    struct listener *listener = user;

    (void)level;
    if (strncmp(text, "status: ", 8) == 0) {
        listener->statuses++;
        snprintf(listener->status, sizeof listener->status, "%s", text);
        if (listener->copies)
            copy_run(listener);
    }
    if (strstr(text, listener->at) == NULL || ++listener->seen % listener->every != 0)
        return;
    if (listener->saves)
        listener->save = 1;
    else
        listener->stop = 1;
}

/* Settings of a run that validates by translating. */
static dgm_status train_listening(const char *model, const char *const *extra,
                                  struct listener *listener)
{
    struct dgm_train_hooks hooks;
    struct dgm_settings settings;
    struct dgm_devices devices;
    dgm_status status;

    memset(&hooks, 0, sizeof hooks);
    hooks.stop = &listener->stop;
    hooks.save = &listener->save;
    test_env()->log = listen;
    test_env()->log_user = listener;
    DGM_TRY(open_device(test_env(), &devices.items[0], 1));
    devices.count = 1;
    status = make_settings(&settings, model, extra);
    if (status == DGM_OK)
        status = dgm_trainer_run(test_env(), &devices, &settings, &hooks, &dgm_translation_learner);
    dgm_settings_clear(test_env(), &settings);
    dgm_device_close(test_env(), devices.items[0]);
    test_env()->log = NULL;
    return status;
}

/* The metrics file without words per second, which are never the same. */
static dgm_status read_metrics(struct dgm_buf *text, const char *model)
{
    char name[100], *speed;

    snprintf(name, sizeof name, "%s.ckpt/metrics.jsonl", model);
    DGM_TRY(read_model(text, name));
    DGM_TRY(dgm_buf_add_char(test_env(), text, '\0'));
    for (speed = strstr(text->data, "\"wps\": "); speed != NULL;
         speed = strstr(speed, "\"wps\": ")) {
        size_t length;
        speed += 7;
        length = strcspn(speed, "}");
        memmove(speed, speed + length, strlen(speed + length) + 1);
    }
    return DGM_OK;
}

static void check_same_metrics(const char *one, const char *other)
{
    struct dgm_buf a = { NULL, 0, 0, 0 }, b = { NULL, 0, 0, 0 };

    CHECK_STATUS(read_metrics(&a, one), DGM_OK);
    CHECK_STATUS(read_metrics(&b, other), DGM_OK);
    CHECK_STR(b.data, a.data);
    dgm_buf_clear(test_env(), &a);
    dgm_buf_clear(test_env(), &b);
}

static const char *validation[32]; /* settings, with paths that live as long as the test */

static void choose_validation(const char *decides, const char *save_freq)
{
    static char sets[2500];
    static const char *const others[] = { "disp-freq", "4u",        "early-stopping",
                                          "4",         "beam-size", "2",
                                          "seed",      "5",         NULL };
    char path[2][1200];
    int i, at = 0;

    snprintf(sets, sizeof sets, "%s %s", in_dir(path[0], "toy.src"), in_dir(path[1], "toy.trg"));
    validation[at++] = "valid-sets";
    validation[at++] = sets;
    validation[at++] = "valid-metrics";
    validation[at++] = decides;
    validation[at++] = "valid-freq";
    validation[at++] = "6u";
    validation[at++] = "save-freq";
    validation[at++] = save_freq;
    for (i = 0; others[i] != NULL; i++)
        validation[at++] = others[i];
    validation[at] = NULL;
}

static void check_stopped_at(const char *at, const char *decides, const char *save_freq)
{
    struct listener none = { 0 }, listener = { 0 };
    dgm_status status = DGM_INTERRUPTED;
    int calls;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    choose_validation(decides, save_freq);
    none.at = at;
    none.every = 1000000;
    listener.at = at;
    listener.every = 2; /* what is made again after a resume is not stopped again */
    CHECK_STATUS(train_listening("whole", validation, &none), DGM_OK);
    CHECK(none.seen > 3);
    for (calls = 0; status == DGM_INTERRUPTED && calls < 100; calls++) {
        dgm_env_clear_error(test_env());
        listener.stop = 0;
        status = train_listening("parts", validation, &listener);
    }
    CHECK_STATUS(status, DGM_OK);
    CHECK(calls > 2);
    check_same_files("whole", "parts");
    check_same_metrics("whole", "parts");
}

TEST(trainer_stopped_while_it_validates_makes_that_again)
{
    check_stopped_at("ce-mean-words", "bleu", "10u");
}

TEST(trainer_stopped_while_it_validates_at_the_end_of_epochs_saves_there_too)
{
    check_stopped_at("ce-mean-words", "bleu", "1e");
}

TEST(trainer_stopped_before_it_validates_makes_no_update_twice)
{
    check_stopped_at("Up. ", "ce-mean-words", "10u");
}

/* Stopped there, it validates no further: the search does not begin. */
TEST(trainer_stopped_while_it_validates_ends_there)
{
    struct listener listener = { 0 };

    CHECK(write_corpus());
    choose_validation("bleu", "10u");
    listener.at = "ce-mean-words";
    listener.every = 1;
    CHECK_STATUS(train_listening("m", validation, &listener), DGM_INTERRUPTED);
    CHECK_INT(listener.seen, 1);
    CHECK(strstr(test_env()->error.message, "stopped at update 6") != NULL);
    CHECK(exists("m.ckpt/update-00000006-stop.gguf"));
    CHECK(!exists("m.ckpt/best.gguf"));
    dgm_env_clear_error(test_env());
}

/* What is saved a second time under the same name is not what is out of date. */
TEST(trainer_stopped_twice_in_one_validation_keeps_its_checkpoint)
{
    struct listener listener = { 0 };
    int i;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    choose_validation("bleu", "10u");
    listener.at = "ce-mean-words";
    listener.every = 1;
    for (i = 0; i < 3; i++) {
        listener.stop = 0;
        CHECK_STATUS(train_listening("m", validation, &listener), DGM_INTERRUPTED);
        CHECK(strstr(test_env()->error.message, "stopped at update 6") != NULL);
        CHECK(exists("m.ckpt/update-00000006-stop.gguf"));
        dgm_env_clear_error(test_env());
    }
}

/* The checkpoint of a stop goes when its successor is there, and not before. */
TEST(trainer_that_cannot_save_keeps_the_checkpoint_of_a_stop)
{
    static const char *const calls[] = { "write", "sync", "rename" };
    size_t i;
    int updates;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("m", NULL, 1, 5, &updates), DGM_INTERRUPTED);
    dgm_env_clear_error(test_env());
    for (i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        CHECK(exists("m.ckpt/update-00000005-stop.gguf"));
        failing_begin(test_env(), 0, calls[i], ENOSPC);
        CHECK(train("m", NULL, 1, 0, NULL) != DGM_OK);
        failing_end(test_env());
        dgm_env_clear_error(test_env());
        CHECK(exists("m.ckpt/update-00000005-stop.gguf"));
    }
    CHECK_STATUS(train("m", NULL, 1, 0, NULL), DGM_OK);
    CHECK(!exists("m.ckpt/update-00000005-stop.gguf"));
}

static int64_t regular_mask(const char *model)
{
    int64_t mask = 0;
    int i;

    for (i = 0; i < 60; i++) {
        char name[100];
        snprintf(name, sizeof name, "%s.ckpt/update-%08d.gguf", model, i);
        mask |= (int64_t)exists(name) << i;
    }
    return mask;
}

static void check_saved_at(const char *at, int every)
{
    struct listener none = { 0 }, listener = { 0 };
    char *name, path[1200];

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    choose_validation("bleu", "10u");
    none.at = listener.at = at;
    none.every = 1000000;
    listener.every = every;
    listener.saves = 1;
    CHECK_STATUS(train_listening("whole", validation, &none), DGM_OK);
    CHECK_STATUS(train_listening("asked", validation, &listener), DGM_OK);
    CHECK_INT(listener.save, 0);
    CHECK_INT(listener.statuses, listener.seen / every);
    name = strstr(listener.status, "checkpoint ");
    CHECK(name != NULL && strstr(listener.status, "Up. ") != NULL);
    CHECK(strstr(listener.status, "Cost ") != NULL);
    CHECK(strstr(listener.status, "words/s") != NULL);
    CHECK(strstr(name, in_dir(path, "asked.ckpt/update-")) != NULL);
    check_same_files("whole", "asked");
    check_same_metrics("whole", "asked");
    CHECK_INT(regular_mask("asked"), regular_mask("whole"));
}

TEST(trainer_asked_for_a_checkpoint_between_updates_goes_on_as_if_nothing_had_happened)
{
    check_saved_at("Ep. 1 : Up. 4 ", 1);
}

TEST(trainer_asked_for_a_checkpoint_while_it_validates_goes_on_as_if_nothing_had_happened)
{
    check_saved_at("ce-mean-words", 1);
}

/* Killed after that, the run begins again with the validation. */
TEST(trainer_killed_after_a_checkpoint_that_was_asked_for_while_it_validates_makes_that_again)
{
    struct listener none = { 0 }, listener = { 0 };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    choose_validation("bleu", "10u");
    none.at = listener.at = "ce-mean-words";
    none.every = 1000000;
    listener.every = listener.saves = listener.copies = 1;
    CHECK_STATUS(train_listening("asked", validation, &listener), DGM_OK);
    CHECK_INT(listener.copies, 0);
    CHECK_STATUS(train_listening("killed", validation, &none), DGM_OK);
    CHECK_INT(none.seen, listener.seen);
    check_same_files("asked", "killed");
    check_same_metrics("asked", "killed");
}

/* A run that resumes from what was saved in a validation makes that validation, and no more. */
TEST(trainer_resumed_in_a_validation_makes_no_other_one_twice)
{
    struct listener none = { 0 }, listener = { 0 };
    int all;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    choose_validation("bleu", "10u");
    none.at = listener.at = "ce-mean-words";
    none.every = 1000000;
    listener.every = 1;
    CHECK_STATUS(train_listening("whole", validation, &none), DGM_OK);
    all = none.seen;
    CHECK_STATUS(train_listening("m", validation, &listener), DGM_INTERRUPTED);
    dgm_env_clear_error(test_env());
    none.seen = 0;
    CHECK_STATUS(train_listening("m", validation, &none), DGM_OK);
    CHECK_INT(none.seen, all);
}

/* Text that is read in windows is read within updates, too. */
TEST(requests_to_stop_wait_for_the_end_of_an_update_that_would_be_lost)
{
    volatile sig_atomic_t stop = 1;
    struct dgm_run run = { .env = test_env(), .stop = &stop };
    struct dgm_requests requests = { .run = &run };

    requests.phase = DGM_PHASE_UPDATE;
    run.state.updates = 1; /* not saved yet: it would be lost */
    CHECK_STATUS(dgm_requests_poll(test_env(), &requests), DGM_OK);
    requests.saved_updates = 1;
    CHECK_STATUS(dgm_requests_poll(test_env(), &requests), DGM_INTERRUPTED);
    dgm_env_clear_error(test_env());
    requests.phase = DGM_PHASE_READY;
    CHECK_STATUS(dgm_requests_poll(test_env(), &requests), DGM_INTERRUPTED);
    dgm_env_clear_error(test_env());
}

/* A device may ask while it hands over what a checkpoint holds. */
TEST(requests_to_stop_leave_a_checkpoint_alone)
{
    volatile sig_atomic_t stop = 1;
    struct dgm_run run = { .env = test_env(), .stop = &stop };
    struct dgm_requests requests = { .run = &run, .phase = DGM_PHASE_SAVE };

    CHECK_STATUS(dgm_requests_poll(test_env(), &requests), DGM_OK);
}

static dgm_status note_update(void *user)
{
    struct dgm_requests *requests = user;

    requests->saved_updates = requests->run->state.updates;
    return DGM_OK;
}

/* In a validation the state from before it is saved, and the validation goes on with its own. */
TEST(requests_to_save_while_it_validates_save_the_state_from_before)
{
    volatile sig_atomic_t save = 1;
    struct dgm_run run = { .env = test_env(), .state = { .updates = 3 } };
    struct dgm_requests requests = { .run = &run, .save = &save, .answer = note_update };

    requests.user = &requests;
    requests.phase = DGM_PHASE_VALIDATION;
    requests.before.updates = 2;
    CHECK_STATUS(dgm_requests_poll(test_env(), &requests), DGM_OK);
    CHECK_INT(save, 0);
    CHECK_INT(requests.saved_updates, 2);
    CHECK_INT(run.state.updates, 3);
}
