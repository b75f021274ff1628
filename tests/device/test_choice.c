/*
 * test_choice.c: the words of --devices, and the note about a task that a device leaves to the CPU.
 */
#include "device/choice.h"

#include <stdio.h>
#include <string.h>

#include "device/task.h"
#include "test.h"

static const struct dgm_device_options options = { 1, NULL, NULL, NULL, NULL };

/* What the log was told. */
struct heard {
    int lines;
    char last[512];
};

static void hear(void *user, dgm_level level, const char *text)
{
    struct heard *heard = user;

    if (level != DGM_LOG_NOTE)
        return;
    heard->lines++;
    snprintf(heard->last, sizeof heard->last, "%s", text);
}

TEST(devices_deals_a_list_to_the_processes_of_a_machine)
{
    static const struct {
        const char *list, *part[2];
    } cases[] = {
        { "cpu", { "cpu", "cpu" } },
        { "0,1", { "0", "1" } },
        { "0 1 2", { "0 2", "1" } },
        { " A card , another ,a third", { "A card,a third", "another" } },
    };
    char devices[64];
    unsigned i;
    int part;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (part = 0; part < 2; part++) {
            strcpy(devices, cases[i].list);
            dgm_device_deal(devices, part, 2);
            CHECK_STR(devices, cases[i].part[part]);
        }
}

static void listen(struct heard *heard)
{
    memset(heard, 0, sizeof *heard);
    test_env()->log = hear;
    test_env()->log_user = heard;
    test_env()->log_level = DGM_LOG_NOTE;
}

TEST(choice_is_the_cpu_unless_told_otherwise)
{
    static const char *const words[] = { NULL, "cpu" };
    struct heard heard;

    listen(&heard);
    for (int i = 0; i < 2; i++) {
        struct dgm_device *device = NULL;

        CHECK_STATUS(dgm_device_open_chosen(test_env(), &device, words[i], &options), DGM_OK);
        CHECK_STR(device->ops->name, "cpu");
        dgm_device_close(test_env(), device);
    }
    CHECK_INT(heard.lines, 0);
}

TEST(choice_auto_always_opens_and_explains_the_cpu)
{
    struct dgm_device *device = NULL;
    struct heard heard;

    listen(&heard);
    CHECK_STATUS(dgm_device_open_chosen(test_env(), &device, "auto", &options), DGM_OK);
    if (strcmp(device->ops->name, "cpu") == 0) {
        CHECK_INT(heard.lines, 1);
        CHECK(strncmp(heard.last, "computing on the CPU: ", 22) == 0);
    }
    CHECK_STATUS(test_env()->error.status, DGM_OK);
    dgm_device_close(test_env(), device);
}

TEST(choice_auto_does_not_hide_wrong_use)
{
    const struct dgm_device_options wrong = { 1, "avx9", NULL, NULL, NULL };
    struct dgm_device *device = NULL;

    CHECK_STATUS(dgm_device_open_chosen(test_env(), &device, "auto", &wrong), DGM_USAGE);
    CHECK(strstr(test_env()->error.message, "'avx9'") != NULL);
    CHECK(device == NULL);
}

static void check_texts(const char *const *texts, dgm_status want, const char *part)
{
    for (int i = 0; texts[i] != NULL; i++) {
        CHECK_STATUS(dgm_device_check_choice(test_env(), texts[i]), want);
        CHECK(strstr(test_env()->error.message, part) != NULL);
        dgm_env_clear_error(test_env());
    }
}

TEST(choice_refuses_nothing_as_a_device_and_as_an_entry)
{
    static const char *const empty[] = { "", "  \t", ",", "0,", ",0", "0,,1", "cpu, ,cpu", NULL };
    static const char *const right[] = { "Radeon RX 7900", "0,1", "0 1", " 0  1 ", "gpu, cpu",
                                         "0,Tesla V100",   "1",   " 1 ", NULL };

    check_texts(empty, DGM_USAGE, "a number or part of a name, or a list of them, got \"");
    check_texts(right, DGM_OK, "");
}

TEST(choice_refuses_too_many_devices)
{
    static const char *const most[] = { "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", NULL };
    static const char *const more[] = { "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16",
                                        "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", NULL };

    check_texts(most, DGM_OK, "");
    check_texts(more, DGM_USAGE, "at most 16");
}

TEST(choice_knows_a_list_from_a_device)
{
    CHECK(dgm_device_is_list("0,1"));
    CHECK(dgm_device_is_list("0 1"));
    CHECK(dgm_device_is_list("cpu, gpu"));
    CHECK(!dgm_device_is_list("0"));
    CHECK(!dgm_device_is_list(" 0 "));
    CHECK(!dgm_device_is_list("Radeon RX 7900"));
}

TEST(choice_opens_every_device_of_a_list)
{
    static const char *const lists[] = { NULL, "cpu", "cpu,cpu", " cpu , cpu,cpu" };
    struct dgm_devices devices;
    struct heard heard;

    for (int i = 0; i < 4; i++) {
        listen(&heard);
        CHECK_STATUS(dgm_devices_open(test_env(), &devices, lists[i], &options), DGM_OK);
        CHECK_INT(devices.count, i > 0 ? i : 1);
        for (int k = 0; k < devices.count; k++)
            CHECK_STR(devices.items[k]->ops->name, "cpu");
        CHECK_INT(heard.lines, i > 0 ? i - 1 : 0);
        dgm_devices_close(test_env(), &devices);
        CHECK_INT(devices.count, 0);
    }
    CHECK_STR(heard.last, "devices: \"cpu\" is named again: the same device, which gets no faster "
                          "by it");
}

/* The others are tried, without a word. */
TEST(choice_opens_the_first_of_a_list_where_one_will_do)
{
    struct dgm_device *device = NULL;
    struct heard heard;

    listen(&heard);
    CHECK_STATUS(dgm_device_open_chosen(test_env(), &device, "cpu, cpu,auto", &options), DGM_OK);
    CHECK_STR(device->ops->name, "cpu");
    CHECK_INT(heard.lines, 0);
    dgm_device_close(test_env(), device);
}

/* Whether all compute or only the first: what is misspelt is named, with its place. */
TEST(choice_opens_none_of_a_list_where_one_is_not_there)
{
    static const char *const lists[] = { "no such device,cpu", "cpu, no such device",
                                         "cpu,cpu,no such device,cpu" };
    const long live = test_live_blocks();

    for (int i = 0; i < 3; i++) {
        struct dgm_device *device = NULL;
        struct dgm_devices devices;
        char begin[80];

        snprintf(begin, sizeof begin, "devices: entry %d of \"%s\": ", i + 1, lists[i]);
        CHECK_STATUS(dgm_devices_open(test_env(), &devices, lists[i], &options), DGM_UNSUPPORTED);
        CHECK_INT(devices.count, 0);
        CHECK_INT(strncmp(test_env()->error.message, begin, strlen(begin)), 0);
        dgm_env_clear_error(test_env());
        CHECK_STATUS(dgm_device_open_chosen(test_env(), &device, lists[i], &options),
                     DGM_UNSUPPORTED);
        CHECK(device == NULL);
        CHECK_INT(strncmp(test_env()->error.message, begin, strlen(begin)), 0);
        dgm_env_clear_error(test_env());
        CHECK_INT(test_live_blocks(), live);
    }
}

/* A CPU by kernels in C computes in f32, wherever in the list it stands. */
TEST(choice_checks_the_precision_of_every_entry)
{
    static const char *const lists[] = { NULL, "cpu", "cpu,cpu", "auto,cpu" };
    const struct dgm_device_options bf16 = { 1, "c", NULL, NULL, "bf16" };
    struct dgm_devices devices;

    for (int i = 0; i < 4; i++) {
        CHECK_STATUS(dgm_devices_open(test_env(), &devices, lists[i], &bf16), DGM_UNSUPPORTED);
        CHECK(strstr(test_env()->error.message, "this CPU computes in f32") != NULL);
        CHECK_INT(devices.count, 0);
        dgm_env_clear_error(test_env());
    }
}

TEST(choice_names_what_is_not_there)
{
    static const char *const words[] = { "no such device", "9999", "-1" };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct dgm_device *device = NULL;

        CHECK_STATUS(dgm_device_open_chosen(test_env(), &device, words[i], &options),
                     DGM_UNSUPPORTED);
        CHECK(device == NULL);
        dgm_env_clear_error(test_env());
    }
}

TEST(choice_lists_devices_or_says_why_not)
{
    struct dgm_buf out = { NULL, 0, 0, 0 };

    CHECK_STATUS(dgm_device_list(test_env(), &out), DGM_OK);
    CHECK(strncmp(out.data, "opencl:", 7) == 0);
    CHECK(out.data[out.size - 1] == '\n');
    dgm_buf_clear(test_env(), &out);
}

/* ---- the note of the fallback --------------------------------------------------------------- */

static int supports_nothing(struct dgm_device *device, enum dgm_task_kind kind, const void *args)
{
    (void)device;
    (void)kind;
    (void)args;
    return 0;
}

static dgm_status alloc_on_host(struct dgm_env *env, struct dgm_device *device,
                                struct dgm_buffer **out, size_t bytes)
{
    return device->host->ops->alloc(env, device->host, out, bytes);
}

TEST(choice_fallback_is_told_once_for_each_kind)
{
    struct dgm_device_ops ops = *dgm_device_entry(0);
    struct dgm_fill_args args = { { NULL, 0 }, 3, 2 };
    struct dgm_device bare;
    struct heard heard;
    dgm_real got[3];

    listen(&heard);
    memset(&bare, 0, sizeof bare);
    ops.supports = supports_nothing;
    ops.alloc = alloc_on_host;
    bare.ops = &ops;
    CHECK_STATUS(dgm_device_open(test_env(), &bare.host, "cpu", &options), DGM_OK);
    CHECK_STATUS(dgm_device_alloc(test_env(), &bare, &args.y.buffer, sizeof got), DGM_OK);
    CHECK_STATUS(dgm_device_run(test_env(), &bare, DGM_TASK_fill, &args), DGM_OK);
    args.value = 5;
    CHECK_STATUS(dgm_device_run(test_env(), &bare, DGM_TASK_fill, &args), DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), &bare, got, args.y, sizeof got), DGM_OK);
    CHECK(got[0] == 5 && got[1] == 5 && got[2] == 5);
    CHECK_INT(heard.lines, 1);
    CHECK_STR(heard.last, "task fill runs on the CPU: the device has no kernel for it");
    dgm_device_release(test_env(), &bare, args.y.buffer);
    dgm_device_close(test_env(), bare.host);
}
