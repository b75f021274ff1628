/*
 * test_torture_power.c: the power fails after any call of a training: the last good checkpoint and
 * the last good model load, none is older than what was promised, and the run goes on to the bytes
 * of an undisturbed one (reliability.md, R10). Savers that forget an fsync are found out.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "power_cut.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "torture_case.h"
#include "train/store/checkpoint.h"
#include "train/store/state_file.h"

enum { MODEL = 1000 }; /* a promise: the final model of that many updates, less MODEL */

/* ---- the record ------------------------------------------------------------------------------ */

static struct recorded_files record;

/* What was saved before this update is safe when the update is made. */
static void note_promise(void *user, int64_t done, int64_t total, const char *text)
{
    int *updates = user;

    (void)done;
    (void)total;
    (void)text;
    record_add(&record, RECORD_PROMISE, -1)->offset = *updates / 4 * 4;
    ++*updates;
}

/* As train_run, and noting promises; `made`: updates of earlier calls. */
static dgm_status train_recorded(const char *updates, int made)
{
    static char sets[2500];
    char path[2][1200];
    const char *extra[] = { "after",      updates, "save-freq", "4u", "valid-sets", sets,
                            "valid-freq", "6u",    "keep-last", "2",  NULL };
    struct dgm_settings settings;
    struct dgm_train_hooks hooks;
    struct dgm_devices devices;
    dgm_status status;

    snprintf(sets, sizeof sets, "%s %s", in_dir(path[0], "toy.src"), in_dir(path[1], "toy.trg"));
    memset(&hooks, 0, sizeof hooks);
    hooks.progress = note_promise;
    hooks.progress_user = &made;
    devices.count = 1;
    DGM_TRY(open_device(test_env(), &devices.items[0], 1));
    status = make_settings(&settings, "run/m", extra);
    if (status == DGM_OK)
        status = dgm_trainer_run(test_env(), &devices, &settings, &hooks, &dgm_translation_learner);
    dgm_settings_clear(test_env(), &settings);
    dgm_device_close(test_env(), devices.items[0]);
    record_add(&record, RECORD_PROMISE, -1)->offset = made + MODEL;
    return status;
}

/* A run of 8 updates that is continued to 12, so that a model is replaced, too. */
static int make_record(void)
{
    char path[1200];
    dgm_status status;

    if (!write_corpus() || !begin_folder("whole") || !begin_folder("twice") ||
        !begin_folder("run") || train_run("whole/m", "12u", 0) != DGM_OK ||
        train_run("twice/m", "8u", 0) != DGM_OK || train_run("twice/m", "12u", 0) != DGM_OK)
        return 0;
    recorded_begin(&record, in_dir(path, "run"));
    test_env()->vfs = &record.vfs;
    status = train_recorded("8u", 0);
    if (status == DGM_OK)
        status = train_recorded("12u", 8);
    test_env()->vfs = &dgm_vfs_system;
    return status == DGM_OK && same_bytes("run/m", "twice/m");
}

/* ---- what a state must hold ------------------------------------------------------------------ */

enum verdict { GOOD, NOTHING_LOADS, TOO_OLD, BAD_MODEL, VERDICTS };

static const char *const verdicts[] = { "good", "no checkpoint loads", "older than promised",
                                        "the model is damaged or lost" };

static void find_promises(const struct power_cut *cut, int64_t *checkpoint, int64_t *model)
{
    size_t i;

    *checkpoint = *model = 0;
    for (i = 0; i < cut->calls; i++) {
        const struct record *r = &cut->all->records[i];
        if (r->kind == RECORD_PROMISE && r->offset > MODEL)
            *model = *checkpoint = r->offset - MODEL;
        else if (r->kind == RECORD_PROMISE && r->offset > *checkpoint)
            *checkpoint = r->offset;
    }
}

/* Updates of the newest checkpoint that is whole, 0 if there is none; -1: none is. */
static int64_t newest_checkpoint(void)
{
    struct dgm_checkpoints checkpoints;
    struct dgm_train_state state;
    struct dgm_gguf file;
    char path[1200];
    int found = 0;
    dgm_status status;

    memset(&file, 0, sizeof file);
    memset(&state, 0, sizeof state);
    status = dgm_checkpoints_open(test_env(), &checkpoints, in_dir(path, "cut/m"), 0);
    if (status == DGM_OK)
        status = dgm_checkpoints_newest(test_env(), &checkpoints, &file, &found);
    if (status == DGM_OK && found)
        status = dgm_train_state_load(test_env(), &file, &state);
    dgm_gguf_clear(test_env(), &file);
    dgm_checkpoints_close(test_env(), &checkpoints);
    dgm_env_clear_error(test_env());
    return status == DGM_OK ? state.updates : -1;
}

/* Updates of the final model; 0: there is no file, -1: it is damaged. */
static int64_t final_model(void)
{
    struct dgm_gguf file;
    char path[1200];
    int64_t updates = 0;
    dgm_status status;

    if (access(in_dir(path, "cut/m"), F_OK) != 0)
        return 0;
    memset(&file, 0, sizeof file);
    status = dgm_gguf_load(test_env(), &file, path);
    if (status == DGM_OK)
        status = dgm_gguf_verify(test_env(), &file, NULL);
    if (status == DGM_OK && !dgm_gguf_int(&file, "dragoman.training.updates", &updates))
        updates = -1;
    dgm_gguf_clear(test_env(), &file);
    dgm_env_clear_error(test_env());
    return status == DGM_OK ? updates : -1;
}

/* Bits, 1 << verdict. */
static int judge(const struct power_cut *cut)
{
    int64_t checkpoint, model, newest = newest_checkpoint();
    int found = 0;

    find_promises(cut, &checkpoint, &model);
    if (newest < 0 || (newest == 0 && checkpoint > 0))
        found |= 1 << NOTHING_LOADS;
    else if (newest < checkpoint)
        found |= 1 << TOO_OLD;
    if (final_model() < model)
        found |= 1 << BAD_MODEL;
    return found != 0 ? found : 1 << GOOD;
}

static void describe(const struct power_cut *cut, int verdict)
{
    static const char *const modes[] = { "lost", "kept", "zeros", "torn" };
    const struct record *last = &cut->all->records[cut->calls - 1];
    size_t i;

    printf("    %s: after record %zu (kind %d, %s %s), unsynced bytes %s; on the disk:\n",
           verdicts[verdict], cut->calls, (int)last->kind, last->from, last->to, modes[cut->mode]);
    for (i = 0; i < cut->name_count; i++)
        printf("      %s (file %d)\n", cut->names[i].path, cut->names[i].file);
}

/* ---- all states ------------------------------------------------------------------------------ */

struct tally {
    long verdicts[VERDICTS], resumed;
    long every; /* each so many good states are trained to the end; 0: none */
    int wanted; /* bits: the walk ends once all these verdicts were found; 0: never */
};

static void add_verdicts(const struct power_cut *cut, struct tally *tally, int found)
{
    int v;

    for (v = 0; v < VERDICTS; v++)
        if ((found >> v & 1) != 0 && tally->verdicts[v]++ == 0 && v != GOOD && tally->wanted == 0)
            describe(cut, v);
}

static int has_wanted(const struct tally *tally)
{
    int v;

    for (v = 0; v < VERDICTS; v++)
        if ((tally->wanted >> v & 1) != 0 && tally->verdicts[v] == 0)
            return 0;
    return tally->wanted != 0;
}

static void check_resumes(const struct power_cut *cut, struct tally *tally)
{
    /* The end of the first run, after update 8, has a validation of its own. */
    int first_has_ended = newest_checkpoint() >= 8;

    tally->resumed++;
    CHECK_STATUS(train_run("cut/m", "12u", 0), DGM_OK);
    if (!same_bytes("cut/m", first_has_ended ? "twice/m" : "whole/m") ||
        !same_metrics("cut/m.ckpt/metrics.jsonl", first_has_ended ? "twice/m.ckpt/metrics.jsonl"
                                                                  : "whole/m.ckpt/metrics.jsonl")) {
        describe(cut, GOOD);
        CHECK(!"the resumed run ends with other bytes");
    }
}

static int visit(struct power_cut *cut, struct tally *tally)
{
    char path[1200];
    int found;

    cut_find_names(cut);
    if (!cut_is_new(cut))
        return 1;
    if (!begin_folder("cut") || !cut_write_state(cut, in_dir(path, "cut")))
        return 0;
    found = judge(cut);
    add_verdicts(cut, tally, found);
    if (found == 1 << GOOD && tally->every > 0 && tally->verdicts[GOOD] % tally->every == 0)
        check_resumes(cut, tally);
    return !test_has_failed();
}

static int visit_all(struct power_cut *cut, struct tally *tally)
{
    int number, mode;

    for (cut->calls = 1; cut->calls <= cut->all->count; cut->calls++) {
        cut_find_pending(cut);
        for (number = 0; cut_choose(cut, number); number++)
            for (mode = 0; mode < CUT_MODES; mode++) {
                cut->mode = (enum cut_mode)mode;
                if (!visit(cut, tally) || has_wanted(tally))
                    return !test_has_failed();
            }
    }
    return 1;
}

static void count_verdicts(struct tally *tally, int no_file_sync, int no_folder_sync)
{
    struct power_cut cut;

    cut_begin(&cut, &record);
    cut.no_file_sync = no_file_sync;
    cut.no_folder_sync = no_folder_sync;
    CHECK(visit_all(&cut, tally));
    printf("%zu records, %zu states: nothing loads in %ld, too old in %ld, no good model in %ld; "
           "%ld trained to the end\n",
           record.count, cut.states, tally->verdicts[NOTHING_LOADS], tally->verdicts[TOO_OLD],
           tally->verdicts[BAD_MODEL], tally->resumed);
    cut_end(&cut);
}

TEST(torture_a_power_cut_loses_nothing_that_was_promised)
{
    struct tally tally = { { 0 }, 0, 0, 0 };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(make_record());
    tally.every = test_is_long() ? 1 : 10;
    count_verdicts(&tally, 0, 0);
    CHECK_INT(tally.verdicts[NOTHING_LOADS], 0);
    CHECK_INT(tally.verdicts[TOO_OLD], 0);
    CHECK_INT(tally.verdicts[BAD_MODEL], 0);
    CHECK(tally.resumed > 10);
    recorded_end(&record);
}

TEST(torture_a_saver_without_an_fsync_of_the_file_is_found_out)
{
    struct tally tally = { { 0 }, 0, 0, 0 };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(make_record());
    tally.wanted = 1 << NOTHING_LOADS | 1 << BAD_MODEL;
    count_verdicts(&tally, 1, 0);
    CHECK(has_wanted(&tally));
    recorded_end(&record);
}

TEST(torture_a_saver_without_an_fsync_of_the_folder_is_found_out)
{
    struct tally tally = { { 0 }, 0, 0, 0 };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(make_record());
    tally.wanted = 1 << TOO_OLD | 1 << BAD_MODEL;
    count_verdicts(&tally, 0, 1);
    CHECK(has_wanted(&tally));
    recorded_end(&record);
}
