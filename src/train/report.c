/*
 * report.c: what a training run says.
 */
#include "train/report.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/number.h"

double dgm_report_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

dgm_status dgm_report_open(struct dgm_env *env, struct dgm_report *report, const char *folder,
                           int64_t bytes)
{
    const struct dgm_vfs *vfs = env->vfs;

    report->fd = -1;
    report->shown_at = dgm_report_clock();
    snprintf(report->path, sizeof report->path, "%s/metrics.jsonl", folder);
    report->fd = vfs->open(vfs->user, report->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (report->fd < 0 || vfs->truncate(vfs->user, report->fd, bytes) != 0)
        return dgm_file_fail(env, DGM_FAILURE, report->path, "expected a folder to write to");
    return DGM_OK;
}

void dgm_report_close(struct dgm_env *env, struct dgm_report *report)
{
    if (report->fd >= 0)
        dgm_file_close(env, report->fd);
    report->fd = -1;
    dgm_buf_clear(env, &report->line);
}

/* Ends the JSON object in report->line and writes it behind what is there. */
static dgm_status write_line(struct dgm_env *env, struct dgm_report *report,
                             struct dgm_train_state *state)
{
    DGM_TRY(dgm_buf_add_text(env, &report->line, "}\n"));
    DGM_TRY(dgm_file_write_all(env, report->fd, report->path, report->line.data,
                               report->line.size, state->log_bytes));
    state->log_bytes += (int64_t)report->line.size;
    return DGM_OK;
}

static dgm_status add_field(struct dgm_env *env, struct dgm_buf *line, const char *key,
                            double value, int digits)
{
    DGM_TRY(dgm_buf_add_format(env, line, "%s\"%s\": ", line->size > 1 ? ", " : "", key));
    return dgm_buf_add_real(env, line, value, digits);
}

static dgm_status begin_line(struct dgm_env *env, struct dgm_report *report,
                             const struct dgm_train_state *state)
{
    dgm_buf_reset(&report->line);
    DGM_TRY(dgm_buf_add_char(env, &report->line, '{'));
    DGM_TRY(add_field(env, &report->line, "epoch", (double)state->epoch, 17));
    return add_field(env, &report->line, "update", (double)state->updates, 17);
}

/* 890340 as "890,340". */
static void print_thousands(char *out, int64_t value)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%lld", (long long)value), i;

    for (i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
}

/* The numbers of a log line as text. */
struct figures {
    char sentences[40], labels[40], cost[32], seconds[32], speed[32], norm[32], rate[32];
    char parse[48]; /* with its name, or empty */
};

/* " : Parse 0.9041", or nothing where no parses are learnt. */
static void print_parse(char *out, const struct dgm_report *report)
{
    out[0] = '\0';
    if (report->parse_rows > 0) {
        strcpy(out, " : Parse ");
        out += strlen(out);
        out[dgm_number_print_fixed(out, report->parse_cost / report->parse_rows, 4)] = '\0';
    }
}

dgm_status dgm_report_update(struct dgm_env *env, struct dgm_report *report,
                             struct dgm_train_state *state, double now)
{
    double cost = state->cost_labels > 0 ? state->cost / state->cost_labels : 0;
    double seconds = now - report->shown_at;
    double labels = (double)state->labels - report->shown_labels;
    double speed = seconds > 0 ? labels / seconds : 0;
    struct figures figures;
    struct dgm_buf *line = &report->line;

    print_thousands(figures.sentences, state->sentences);
    print_thousands(figures.labels, state->labels);
    figures.cost[dgm_number_print_fixed(figures.cost, cost, 6)] = '\0';
    figures.seconds[dgm_number_print_fixed(figures.seconds, seconds, 2)] = '\0';
    figures.speed[dgm_number_print_fixed(figures.speed, speed, 2)] = '\0';
    figures.norm[dgm_number_print_fixed(figures.norm, report->last_norm, 4)] = '\0';
    figures.rate[dgm_number_print(figures.rate, report->last_rate, 4)] = '\0';
    print_parse(figures.parse, report);
    dgm_log(env, DGM_LOG_NOTE,
            "Ep. %lld : Up. %lld : Sen. %s : Cost %s * %s : Time %ss : %s words/s : gNorm %s : "
            "L.r. %s%s",
            (long long)state->epoch, (long long)state->updates, figures.sentences, figures.cost,
            figures.labels, figures.seconds, figures.speed, figures.norm, figures.rate,
            figures.parse);
    DGM_TRY(begin_line(env, report, state));
    DGM_TRY(add_field(env, line, "labels", (double)state->labels, 17));
    DGM_TRY(add_field(env, line, "loss", cost, 9));
    if (report->parse_rows > 0)
        DGM_TRY(add_field(env, line, "parse_loss", report->parse_cost / report->parse_rows, 9));
    DGM_TRY(add_field(env, line, "lr", report->last_rate, 9));
    DGM_TRY(add_field(env, line, "gnorm", report->last_norm, 9));
    DGM_TRY(add_field(env, line, "wps", speed, 6));
    DGM_TRY(write_line(env, report, state));
    state->cost = state->cost_labels = 0;
    report->parse_cost = report->parse_rows = 0;
    report->shown_at = now;
    report->shown_labels = (double)state->labels;
    return DGM_OK;
}

dgm_status dgm_report_valid(struct dgm_env *env, struct dgm_report *report,
                            struct dgm_train_state *state, const char *metric, double value,
                            int decides, int is_best)
{
    char score[32], best[32], tail[96] = "";

    score[dgm_number_print_fixed(score, value, 4)] = '\0';
    best[dgm_number_print_fixed(best, state->best, 4)] = '\0';
    if (decides && is_best)
        snprintf(tail, sizeof tail, " : new best");
    else if (decides)
        snprintf(tail, sizeof tail, " : stalled %lld times (last best: %s)",
                 (long long)state->stalled, best);
    dgm_log(env, DGM_LOG_NOTE, "[valid] Ep. %lld : Up. %lld : %s : %s%s",
            (long long)state->epoch, (long long)state->updates, metric, score, tail);
    DGM_TRY(begin_line(env, report, state));
    DGM_TRY(dgm_buf_add_format(env, &report->line, ", \"metric\": \"%s\"", metric));
    DGM_TRY(add_field(env, &report->line, "value", value, 9));
    return write_line(env, report, state);
}
