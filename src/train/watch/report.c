/*
 * report.c: what a training run says.
 */
#include "train/watch/report.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/vfs.h"
#include "base/number/number.h"
#include "base/system/clock.h"

/* ---- the metrics file ------------------------------------------------------------------------ */

/* The folder may have been made by somebody else: does not follow a link, and does not wait for the
 * other end of a pipe. */
static dgm_status open_metrics(struct dgm_env *env, struct dgm_report *report, long long *bytes)
{
    const struct dgm_vfs *vfs = env->vfs;
    int is_regular = 0;

    report->fd =
        dgm_file_open_as(env, report->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (report->fd < 0 || vfs->size(vfs->user, report->fd, bytes, &is_regular) != 0)
        return dgm_file_fail(env, DGM_FAILURE, report->path,
                             "expected to write there, to a regular file or a new one");
    if (!is_regular)
        return dgm_fail_at(env, DGM_FAILURE, report->path, 0, 0,
                           "not a regular file; expected one, or none");
    return DGM_OK;
}

/* Takes from *count what follows the last LF: a line that was cut by a crash, or by a disk that was
 * full. Reads backwards, piece by piece. */
static dgm_status keep_whole_lines(struct dgm_env *env, const struct dgm_report *report,
                                   int64_t *count)
{
    char piece[4096];
    size_t length, got;

    while (*count > 0) {
        length = *count < (int64_t)sizeof piece ? (size_t)*count : sizeof piece;
        *count -= (int64_t)length;
        if (dgm_file_read_at(env, report->fd, piece, length, *count, &got) != 0)
            return dgm_file_fail(env, DGM_FAILURE, report->path, "cannot read it");
        while (got > 0 && piece[got - 1] != '\n')
            got--;
        *count += (int64_t)got;
        if (got > 0)
            break;
    }
    return DGM_OK;
}

dgm_status dgm_report_open(struct dgm_env *env, struct dgm_report *report, const char *folder,
                           struct dgm_train_state *state)
{
    long long size = 0;
    int64_t kept;

    report->fd = -1;
    report->shown_at = dgm_clock();
    report->shown_labels = (double)state->labels;
    snprintf(report->path, sizeof report->path, "%s/metrics.jsonl", folder);
    DGM_TRY(open_metrics(env, report, &size));
    kept = size < state->log_bytes ? (int64_t)size : state->log_bytes;
    DGM_TRY(keep_whole_lines(env, report, &kept));
    if (kept < state->log_bytes)
        dgm_log(env, DGM_LOG_WARNING,
                "%s: %lld bytes of the log are missing; going on behind the "
                "%lld that are whole lines",
                report->path, (long long)(state->log_bytes - kept), (long long)kept);
    state->log_bytes = kept;
    if (dgm_file_truncate(env, report->fd, kept) != 0)
        return dgm_file_fail(env, DGM_FAILURE, report->path, "expected a file to write to");
    return DGM_OK;
}

dgm_status dgm_report_sync(struct dgm_env *env, const struct dgm_report *report)
{
    if (report->fd >= 0 && dgm_file_sync(env, report->fd) != 0)
        return dgm_file_fail(env, DGM_FAILURE, report->path, "cannot sync this file");
    return DGM_OK;
}

void dgm_report_close(struct dgm_env *env, struct dgm_report *report)
{
    if (report->fd >= 0)
        dgm_file_close(env, report->fd);
    report->fd = -1;
    dgm_buf_clear(env, &report->line);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Ends the JSON object in report->line and writes it behind what is there. */
static dgm_status write_line(struct dgm_env *env, struct dgm_report *report,
                             struct dgm_train_state *state)
{
    /* At the offset that the state knows, not at the end of the file: log_bytes counts whole
     * lines. */
    DGM_TRY(dgm_buf_add_text(env, &report->line, "}\n"));
    DGM_TRY(dgm_file_write_all(env, report->fd, report->path, report->line.data, report->line.size,
                               state->log_bytes));
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
    char parse[48], links[48]; /* with their names, or empty */
    char waits[64];            /* the same */
};

/* " : Parse 0.9041", or nothing where no parses, or links, are learnt. */
static void print_beside(char *out, const char *name, double cost, double rows)
{
    out[0] = '\0';
    if (rows > 0) {
        strcpy(out, name);
        dgm_number_fixed(out + strlen(out), cost / rows, 4);
    }
}

/* Ranks whose shares stand in a line one by one. */
enum { MOST_WAITS = 8 };

static int percent(double share)
{
    return (int)(100 * share + 0.5);
}

/* " : Wait 2 11 %", or the least and the most of many ranks. */
static void print_waits(char out[64], const struct dgm_figures *latest)
{
    double least = 1, most = 0;

    out[0] = '\0';
    if (latest->waits == NULL)
        return;
    out += sprintf(out, " : Wait");
    for (int i = 0; i < latest->ranks; i++) {
        least = fmin(least, latest->waits[i]);
        most = fmax(most, latest->waits[i]);
        if (latest->ranks <= MOST_WAITS)
            out += sprintf(out, " %d", percent(fmin(latest->waits[i], 1)));
    }
    if (latest->ranks > MOST_WAITS)
        out += sprintf(out, " %d-%d", percent(fmin(least, 1)), percent(fmin(most, 1)));
    strcpy(out, " %");
}

/* The mean cost of a label, and labels a second, since the last log line; where nothing has been
 * added since, those of that line. */
static double cost_of(const struct dgm_report *report, const struct dgm_train_state *state)
{
    return state->cost_labels > 0 ? state->cost / state->cost_labels : report->last_cost;
}

static double speed_of(const struct dgm_report *report, const struct dgm_train_state *state,
                       double now)
{
    double labels = (double)state->labels - report->shown_labels;

    return labels > 0 && now > report->shown_at ? labels / (now - report->shown_at)
                                                : report->last_speed;
}

void dgm_report_status(struct dgm_env *env, const struct dgm_report *report,
                       const struct dgm_train_state *state, const char *checkpoint)
{
    char cost[32], speed[32];

    dgm_log(env, DGM_LOG_NOTE,
            "status: Ep. %lld : Up. %lld : Cost %s : %s words/s : checkpoint %s%s",
            (long long)state->epoch, (long long)state->updates,
            dgm_number_fixed(cost, cost_of(report, state), 6),
            dgm_number_fixed(speed, speed_of(report, state, dgm_clock()), 2), checkpoint,
            state->pending & DGM_PENDING_VALIDATION ? " : validating" : "");
}

void dgm_report_progress(char text[DGM_PROGRESS_SIZE], const struct dgm_report *report,
                         const struct dgm_train_state *state, double seconds_left)
{
    char cost[32], left[32];

    dgm_clock_print(left, seconds_left > 0 ? seconds_left : 0);
    snprintf(text, DGM_PROGRESS_SIZE, "epoch %lld, cost %s, %lld words/s, %s left",
             (long long)state->epoch, dgm_number_fixed(cost, cost_of(report, state), 3),
             (long long)speed_of(report, state, dgm_clock()), left);
}

/* "sent_gradients" and so on, of rank 0. */
static dgm_status add_sent(struct dgm_env *env, struct dgm_buf *line,
                           const struct dgm_figures *latest)
{
    char name[64];

    for (int k = 0; k < DGM_SENT_BESIDE && latest->has_sent; k++) {
        snprintf(name, sizeof name, "sent_%s", dgm_sent_name((enum dgm_sent_kind)k));
        DGM_TRY(add_field(env, line, name, latest->sent[k], 17));
    }
    return DGM_OK;
}

/* "wait": [0.02, 0.11], by rank. */
static dgm_status add_waits(struct dgm_env *env, struct dgm_buf *line,
                            const struct dgm_figures *latest)
{
    if (latest->waits == NULL)
        return DGM_OK;
    DGM_TRY(dgm_buf_add_text(env, line, ", \"wait\": ["));
    for (int i = 0; i < latest->ranks; i++) {
        DGM_TRY(dgm_buf_add_text(env, line, i > 0 ? ", " : ""));
        DGM_TRY(dgm_buf_add_real(env, line, latest->waits[i], 4));
    }
    return dgm_buf_add_char(env, line, ']');
}

dgm_status dgm_report_update(struct dgm_env *env, struct dgm_report *report,
                             struct dgm_train_state *state, struct dgm_figures *latest, double now)
{
    double cost = state->cost_labels > 0 ? state->cost / state->cost_labels : 0;
    double seconds = now - report->shown_at;
    double labels = (double)state->labels - report->shown_labels;
    double speed = seconds > 0 ? labels / seconds : 0;
    struct dgm_beside_costs *beside = &latest->beside;
    struct figures figures;
    struct dgm_buf *line = &report->line;

    print_thousands(figures.sentences, state->sentences);
    print_thousands(figures.labels, state->labels);
    print_beside(figures.parse, " : Parse ", beside->parse_cost, beside->parse_rows);
    print_beside(figures.links, " : Links ", beside->link_cost, beside->link_rows);
    print_waits(figures.waits, latest);
    dgm_log(env, DGM_LOG_NOTE,
            "Ep. %lld : Up. %lld : Sen. %s : Cost %s * %s : Time %ss : %s words/s : gNorm %s : "
            "L.r. %s%s%s%s",
            (long long)state->epoch, (long long)state->updates, figures.sentences,
            dgm_number_fixed(figures.cost, cost, 6), figures.labels,
            dgm_number_fixed(figures.seconds, seconds, 2),
            dgm_number_fixed(figures.speed, speed, 2),
            dgm_number_fixed(figures.norm, latest->norm, 4),
            dgm_number_text(figures.rate, latest->rate, 4), figures.parse, figures.links,
            figures.waits);
    DGM_TRY(begin_line(env, report, state));
    DGM_TRY(add_field(env, line, "labels", (double)state->labels, 17));
    DGM_TRY(add_field(env, line, "loss", cost, 9));
    if (beside->parse_rows > 0)
        DGM_TRY(add_field(env, line, "parse_loss", beside->parse_cost / beside->parse_rows, 9));
    if (beside->link_rows > 0)
        DGM_TRY(add_field(env, line, "link_loss", beside->link_cost / beside->link_rows, 9));
    DGM_TRY(add_field(env, line, "lr", latest->rate, 9));
    DGM_TRY(add_field(env, line, "gnorm", latest->norm, 9));
    DGM_TRY(add_field(env, line, "wps", speed, 6));
    if (state->batch_tokens > 0)
        DGM_TRY(add_field(env, line, "batch_tokens", (double)state->batch_tokens, 17));
    DGM_TRY(add_sent(env, line, latest));
    DGM_TRY(add_waits(env, line, latest));
    DGM_TRY(write_line(env, report, state));
    state->cost = state->cost_labels = 0;
    memset(beside, 0, sizeof *beside);
    report->last_cost = cost;
    report->last_speed = speed;
    report->shown_at = now;
    report->shown_labels = (double)state->labels;
    return DGM_OK;
}

/* A figure that was not measured (-1), or is none, has no field: JSON has no word for it. */
static dgm_status add_figure(struct dgm_env *env, struct dgm_buf *line, const char *key,
                             double value)
{
    return isfinite(value) && value >= 0 ? add_field(env, line, key, value, 6) : DGM_OK;
}

/* "<key>_1": of the first layer. */
static dgm_status add_layers(struct dgm_env *env, struct dgm_buf *line, const char *key,
                             const struct dgm_layer_entropies *layers)
{
    char name[64];

    for (int l = 0; l < layers->layers; l++) {
        snprintf(name, sizeof name, "%s_%d", key, l + 1);
        DGM_TRY(add_figure(env, line, name, layers->entropy[l]));
    }
    return DGM_OK;
}

static dgm_status add_norms(struct dgm_env *env, struct dgm_buf *line,
                            const struct dgm_gradient_norms *norms)
{
    char name[64];

    for (int k = 0; k < DGM_GRADIENT_GROUPS; k++) {
        snprintf(name, sizeof name, "gradient_norm_%s",
                 dgm_gradient_group_name((enum dgm_gradient_group)k));
        DGM_TRY(add_figure(env, line, name, norms->norm[k]));
    }
    return DGM_OK;
}

dgm_status dgm_report_health(struct dgm_env *env, struct dgm_report *report,
                             struct dgm_train_state *state, const struct dgm_health *health,
                             const struct dgm_gradient_norms *norms)
{
    struct dgm_buf *line = &report->line;

    DGM_TRY(begin_line(env, report, state));
    DGM_TRY(add_figure(env, line, "encoder_rms", health->state_rms));
    DGM_TRY(add_figure(env, line, "encoder_max", health->state_max));
    DGM_TRY(add_figure(env, line, "encoder_largest_state", health->largest_state));
    DGM_TRY(add_figure(env, line, "encoder_gates_saturated", health->saturated[DGM_SOURCE]));
    DGM_TRY(add_figure(env, line, "decoder_gates_saturated", health->saturated[DGM_TARGET]));
    DGM_TRY(add_figure(env, line, "attention_peak", health->peak));
    DGM_TRY(add_figure(env, line, "attention_entropy", health->entropy));
    DGM_TRY(add_figure(env, line, "attention_same", health->same));
    DGM_TRY(add_layers(env, line, "attention_entropy", &health->cross));
    DGM_TRY(add_layers(env, line, "self_attention_entropy", &health->source));
    DGM_TRY(add_norms(env, line, norms));
    return write_line(env, report, state);
}

dgm_status dgm_report_valid(struct dgm_env *env, struct dgm_report *report,
                            struct dgm_train_state *state, const struct dgm_valid_score *score)
{
    char value[32], best[32], tail[96] = "";
    const char *set = score->set != NULL ? score->set : "";

    if (score->is_best)
        snprintf(tail, sizeof tail, " : new best");
    else if (score->decides)
        snprintf(tail, sizeof tail, " : stalled %lld times (last best: %s)",
                 (long long)state->stalled, dgm_number_fixed(best, state->best, 4));
    dgm_log(env, DGM_LOG_NOTE, "[valid] Ep. %lld : Up. %lld : %s%s%s : %s%s",
            (long long)state->epoch, (long long)state->updates, set, *set != '\0' ? " " : "",
            score->metric, dgm_number_fixed(value, score->value, 4), tail);
    DGM_TRY(begin_line(env, report, state));
    if (score->set != NULL)
        DGM_TRY(dgm_buf_add_format(env, &report->line, ", \"set\": \"%s\"", set));
    DGM_TRY(dgm_buf_add_format(env, &report->line, ", \"metric\": \"%s\"", score->metric));
    DGM_TRY(add_field(env, &report->line, "value", score->value, 9));
    return write_line(env, report, state);
}
