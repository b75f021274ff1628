/*
 * runner.c: runs the unit tests, each in a forked process, and reports. Quiet unless
 * something fails; with -v it speaks TAP, tells each test's seconds and names the five slowest.
 *
 *     runner [-v] [-f FILE-SUBSTRING,...] [-x TEST-SUBSTRING,...] [-c COUNTS] [-s FOLDER] [-oom]
 *            [SUBSTRING,...]
 *
 * SUBSTRINGs are looked for in the names of tests and of their files, "text/bpe/test_bpe"; -x
 * leaves tests out. COUNTS receives the line "passed failed skipped". Runners that are given the
 * same FOLDER, empty at first, share the tests: each of them is run by one. TEST_TIMEOUT gives each
 * test its seconds (300). TEST_LEDGER names a file that receives a line for each test: "ran NAME"
 * or "skipped NAME REASON". With -oom each test runs again and again while its allocation 1, 2, 3
 * ... and all later ones fail: it may end early with DGM_MEMORY, but not crash, hang, or blame
 * something else.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

struct entry {
    const char *name, *file;
    void (*run)(void);
};

#define ENTRY(name, file) void test_##name(void);
#include "list.h"
#undef ENTRY

#define ENTRY(name, file) { #name, file, test_##name },
static const struct entry entries[] = {
#include "list.h"
    { NULL, NULL, NULL }
};

enum { OUTPUT_BYTES = 16384, SLOWEST = 5 };

/* What is known of one finished test. */
struct outcome {
    int code, signal, timed_out; /* exit code, or the signal that ended it */
    double seconds;
    char output[OUTPUT_BYTES + 1];
    size_t output_bytes;
    int cut;
};

struct report {
    int verbose, walk;
    double timeout;
    const char *files, *left_out, *filter, *counts, *shared, *again, *ledger;
    char folder[4096];
    int number, passed, failed, skipped;
    struct {
        const char *name;
        double seconds;
    } slowest[SLOWEST];
};

static volatile sig_atomic_t current; /* process group of the running test */

static void stop(int signal_number)
{
    if (current > 0)
        kill(-(pid_t)current, SIGKILL);
    _exit(128 + signal_number);
}

static double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *signal_name(int number)
{
    switch (number) {
    case SIGSEGV: return "SIGSEGV";
    case SIGABRT: return "SIGABRT";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    case SIGKILL: return "SIGKILL";
    case SIGTERM: return "SIGTERM";
    case SIGPIPE: return "SIGPIPE";
    case SIGALRM: return "SIGALRM";
    case SIGTRAP: return "SIGTRAP";
    default: return "a signal";
    }
}

static void remove_tree(const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return;
    if (!S_ISDIR(info.st_mode)) {
        unlink(path);
        return;
    }
    chmod(path, 0700); /* a test may have locked its own folder */
    DIR *folder = opendir(path);
    struct dirent *item;
    while (folder && (item = readdir(folder))) {
        char inner[4096];
        if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0)
            continue;
        int bytes = snprintf(inner, sizeof inner, "%s/%s", path, item->d_name);
        if (bytes > 0 && (size_t)bytes < sizeof inner)
            remove_tree(inner);
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}

/* ---- one test --------------------------------------------------------------------- */

static void child(const struct entry *entry, const char *folder, long oom, int output)
{
    int input = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0)
        _exit(TEST_FAILED);
    close(input);
    close(output);
    test_begin(folder, oom);
    entry->run();
    exit(test_finish()); /* not _exit: leaks and coverage are reported on the way out */
}

static void keep(struct outcome *outcome, const char *bytes, size_t count)
{
    size_t room = OUTPUT_BYTES - outcome->output_bytes;
    if (count > room) {
        count = room;
        outcome->cut = 1;
    }
    memcpy(outcome->output + outcome->output_bytes, bytes, count);
    outcome->output_bytes += count;
    outcome->output[outcome->output_bytes] = '\0';
}

/* Reads what the test says until it and all its children are gone, or the time is up. */
static void listen_to(int fd, double deadline, struct outcome *outcome)
{
    for (;;) {
        char bytes[4096];
        double left = deadline - clock_seconds();
        struct pollfd ready = { .fd = fd, .events = POLLIN };
        int got = left > 0 ? poll(&ready, 1, (int)(left * 1000) + 1) : 0;
        if (got == 0) {
            outcome->timed_out = 1;
            return;
        }
        ssize_t count = got > 0 ? read(fd, bytes, sizeof bytes) : -1;
        if (count > 0)
            keep(outcome, bytes, (size_t)count);
        else if (count == 0 || errno != EINTR)
            return;
    }
}

static void run_test(struct report *report, const struct entry *entry, long oom,
                     struct outcome *outcome)
{
    char folder[4096 + 32];
    int ends[2], status = 0;
    memset(outcome, 0, sizeof *outcome);
    snprintf(folder, sizeof folder, "%s/%d", report->folder, report->number);
    fflush(stdout);
    pid_t pid = pipe(ends) == 0 ? fork() : -1;
    if (pid < 0) {
        perror("runner: cannot start a test");
        exit(2);
    }
    double start = clock_seconds();
    if (pid == 0) {
        close(ends[0]);
        child(entry, folder, oom, ends[1]);
    }
    setpgid(pid, pid);
    current = pid;
    close(ends[1]);
    listen_to(ends[0], start + report->timeout, outcome);
    if (outcome->timed_out)
        kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    current = 0;
    close(ends[0]);
    outcome->seconds = clock_seconds() - start;
    outcome->code = WIFEXITED(status) ? WEXITSTATUS(status) : TEST_FAILED;
    outcome->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    remove_tree(folder);
}

static int is_bad(const struct outcome *outcome)
{
    return outcome->timed_out || outcome->signal ||
           (outcome->code != TEST_PASSED && outcome->code != TEST_SKIPPED &&
            outcome->code != TEST_UNREACHED);
}

/* Fails every allocation in turn; strides grow, so that long tests end too. Returns the
 * first allocation whose failure the test does not survive, or 0; `outcome` is that of
 * the last run. */
static long walk_allocations(struct report *report, const struct entry *entry,
                             struct outcome *outcome)
{
    double start = clock_seconds();
    for (long n = 1;; n += 1 + n / 32) {
        run_test(report, entry, n, outcome);
        if (is_bad(outcome))
            return n;
        if (outcome->code == TEST_UNREACHED || outcome->code == TEST_SKIPPED)
            break;
    }
    outcome->seconds = clock_seconds() - start;
    if (outcome->code == TEST_UNREACHED)
        outcome->code = TEST_PASSED;
    return 0;
}

/* ---- reporting -------------------------------------------------------------------- */

static void print_output(const struct outcome *outcome)
{
    const char *line = outcome->output;
    while (*line) {
        const char *end = strchr(line, '\n');
        int count = end ? (int)(end - line) : (int)strlen(line);
        printf("# %.*s\n", count, line);
        line += count + (end != NULL);
    }
    if (outcome->cut)
        printf("#   ... (more output was dropped)\n");
}

static void tell_failure(const struct report *report, const struct entry *entry,
                         const struct outcome *outcome, long allocation)
{
    printf("not ok %d - %s   (%s.c)\n", report->number, entry->name, entry->file);
    print_output(outcome);
    if (allocation > 0)
        printf("#   while allocation %ld and all later ones failed\n", allocation);
    if (outcome->timed_out)
        printf("#   stopped after %.0f seconds (TEST_TIMEOUT)\n", report->timeout);
    else if (outcome->signal)
        printf("#   ended by %s (%d)\n", signal_name(outcome->signal), outcome->signal);
    else if (outcome->code != TEST_FAILED)
        printf("#   exit code %d\n", outcome->code);
    printf("#   again: make %s T=%s\n", report->again, entry->name);
}

/* A line of the ledger, which several runners write at a time: one call, behind its end. */
static void note(const struct report *report, const char *line)
{
    int file = report->ledger ? open(report->ledger, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
    if (report->ledger && (file < 0 || write(file, line, strlen(line)) < 0)) {
        perror(report->ledger);
        exit(2);
    }
    if (file >= 0)
        close(file);
}

static void note_test(const struct report *report, const struct entry *entry,
                      const struct outcome *outcome)
{
    char line[512];
    int count = (int)strcspn(outcome->output, "\n");
    if (outcome->code == TEST_SKIPPED)
        snprintf(line, sizeof line, "skipped %s %.*s\n", entry->name, count, outcome->output);
    else
        snprintf(line, sizeof line, "ran %s\n", entry->name);
    note(report, line);
}

static void tell(struct report *report, const struct entry *entry, const struct outcome *outcome,
                 long allocation)
{
    if (is_bad(outcome)) {
        report->failed++;
        tell_failure(report, entry, outcome, allocation);
    } else if (outcome->code == TEST_SKIPPED) {
        size_t count = strcspn(outcome->output, "\n");
        report->skipped++;
        printf(report->verbose ? "ok %d - %s # SKIP %.*s\n" : "skipped %d - %s: %.*s\n",
               report->number, entry->name, (int)count, outcome->output);
    } else {
        report->passed++;
        if (report->verbose) {
            printf("ok %d - %s # %.3f s\n", report->number, entry->name, outcome->seconds);
            print_output(outcome);
        }
    }
}

static void remember_slow(struct report *report, const char *name, double seconds)
{
    int place = SLOWEST;
    while (place > 0 && report->slowest[place - 1].seconds < seconds)
        place--;
    if (place == SLOWEST)
        return;
    memmove(&report->slowest[place + 1], &report->slowest[place],
            (size_t)(SLOWEST - 1 - place) * sizeof report->slowest[0]);
    report->slowest[place].name = name;
    report->slowest[place].seconds = seconds;
}

static void close_report(const struct report *report)
{
    if (report->verbose) {
        printf("1..%d\n# slowest:\n", report->number);
        for (int i = 0; i < SLOWEST && report->slowest[i].name; i++)
            printf("# %8.3f s  %s\n", report->slowest[i].seconds, report->slowest[i].name);
    }
    if (!report->counts) {
        printf("%d passed, %d failed", report->passed, report->failed);
        if (report->skipped)
            printf(", %d skipped", report->skipped);
        printf("\n");
        return;
    }
    FILE *file = fopen(report->counts, "w");
    if (file)
        fprintf(file, "%d %d %d\n", report->passed, report->failed, report->skipped);
    if (!file || fclose(file) != 0) {
        perror(report->counts);
        exit(2);
    }
}

/* ---- choosing --------------------------------------------------------------------- */

/* Whether `name` contains one of the words in a list separated by commas. */
static int names_one(const char *list, const char *name)
{
    while (*list) {
        char word[128];
        size_t count = strcspn(list, ",");
        if (count > 0 && count < sizeof word) {
            memcpy(word, list, count);
            word[count] = '\0';
            if (strstr(name, word))
                return 1;
        }
        list += count + (list[count] == ',');
    }
    return 0;
}

static int is_chosen(const struct report *report, const struct entry *entry)
{
    if (report->files && !names_one(report->files, entry->file))
        return 0;
    if (report->left_out && names_one(report->left_out, entry->name))
        return 0;
    return !report->filter || names_one(report->filter, entry->name) ||
           names_one(report->filter, entry->file);
}

/* Takes the test, unless another runner has: only one of them can make the file of its name. */
static int takes(const struct report *report, const struct entry *entry)
{
    char path[4096];
    int file;
    if (!report->shared)
        return 1;
    snprintf(path, sizeof path, "%s/%s", report->shared, entry->name);
    file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (file >= 0)
        close(file);
    return file >= 0 || errno != EEXIST;
}

static int read_arguments(struct report *report, int argc, char **argv)
{
    const char *seconds = getenv("TEST_TIMEOUT");
    report->timeout = seconds && atoi(seconds) > 0 ? atoi(seconds) : 300;
    report->again = getenv("TEST_TARGET") ? getenv("TEST_TARGET") : "check";
    report->ledger = getenv("TEST_LEDGER");
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0)
            report->verbose = 1;
        else if (strcmp(argv[i], "-oom") == 0)
            report->walk = 1;
        else if (strcmp(argv[i], "-f") == 0 && i + 1 < argc)
            report->files = argv[++i];
        else if (strcmp(argv[i], "-x") == 0 && i + 1 < argc)
            report->left_out = argv[++i];
        else if (strcmp(argv[i], "-c") == 0 && i + 1 < argc)
            report->counts = argv[++i];
        else if (strcmp(argv[i], "-s") == 0 && i + 1 < argc)
            report->shared = argv[++i];
        else if (argv[i][0] != '-' && !report->filter)
            report->filter = argv[i];
        else
            return 0;
    }
    return 1;
}

static int make_scratch(struct report *report)
{
    const char *place = getenv("TMPDIR");
    snprintf(report->folder, sizeof report->folder, "%s/dragoman-test-XXXXXX",
             place && *place ? place : "/tmp");
    return mkdtemp(report->folder) != NULL;
}

int main(int argc, char **argv)
{
    static struct report report;
    static struct outcome outcome;
    if (!read_arguments(&report, argc, argv)) {
        fprintf(stderr, "usage: runner [-v] [-f FILES] [-x TESTS] [-c COUNTS] [-s FOLDER] [-oom] "
                        "[SUBSTRING,...]\n");
        return 2;
    }
    if (!make_scratch(&report)) {
        perror("runner: cannot make a scratch folder");
        return 2;
    }
    /* By lines: what a test says before it crashes is worth most. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    for (const struct entry *entry = entries; entry->name; entry++) {
        long allocation = 0;
        if (!is_chosen(&report, entry) || !takes(&report, entry))
            continue;
        report.number++;
        if (report.walk)
            allocation = walk_allocations(&report, entry, &outcome);
        else
            run_test(&report, entry, 0, &outcome);
        tell(&report, entry, &outcome, allocation);
        note_test(&report, entry, &outcome);
        remember_slow(&report, entry->name, outcome.seconds);
        fflush(stdout);
    }
    remove_tree(report.folder);
    close_report(&report);
    return report.failed ? 1 : 0;
}
