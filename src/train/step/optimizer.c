/*
 * optimizer.c: Adam and Adadelta over the flat buffers of a model's parameters.
 */
#include "train/step/optimizer.h"

#include <math.h>
#include <string.h>

/* A slice may be empty; a buffer is not. */
static size_t bytes_of(int64_t count)
{
    return (size_t)(count > 0 ? count : 1) * sizeof(dgm_real);
}

dgm_status dgm_optimizer_init(struct dgm_env *env, struct dgm_optimizer *optimizer,
                              struct dgm_params *params,
                              const struct dgm_optimizer_options *options, int64_t first,
                              int64_t count)
{
    const size_t bytes = bytes_of(count);

    *optimizer = (struct dgm_optimizer){
        .options = *options, .params = params, .first = first, .count = count
    };
    DGM_TRY(dgm_device_alloc(env, params->device, &optimizer->m, bytes));
    DGM_TRY(dgm_device_alloc(env, params->device, &optimizer->v, bytes));
    return dgm_device_alloc(env, params->device, &optimizer->norm, sizeof(double));
}

void dgm_optimizer_clear(struct dgm_env *env, struct dgm_optimizer *optimizer)
{
    if (optimizer->params == NULL)
        return;
    dgm_device_release(env, optimizer->params->device, optimizer->m);
    dgm_device_release(env, optimizer->params->device, optimizer->v);
    dgm_device_release(env, optimizer->params->device, optimizer->norm);
    dgm_device_release(env, optimizer->params->device, optimizer->sum);
    memset(optimizer, 0, sizeof *optimizer);
}

dgm_status dgm_optimizer_hold_sum(struct dgm_env *env, struct dgm_optimizer *optimizer)
{
    return dgm_device_alloc(env, optimizer->params->device, &optimizer->sum,
                            bytes_of(optimizer->count));
}

dgm_status dgm_optimizer_add(struct dgm_env *env, struct dgm_optimizer *optimizer, int is_first)
{
    return dgm_optimizer_add_from(env, optimizer, (struct dgm_ref){ optimizer->params->grads, 0 },
                                  is_first);
}

dgm_status dgm_optimizer_add_from(struct dgm_env *env, struct dgm_optimizer *optimizer,
                                  struct dgm_ref from, int is_first)
{
    const struct dgm_axpby_args add = {
        .y.buffer = optimizer->sum, .x = from, .count = optimizer->count, .a = 1, .b = !is_first
    };

    if (optimizer->count == 0)
        return DGM_OK;
    return dgm_device_run(env, optimizer->params->device, DGM_TASK_axpby, &add);
}

/* The buffer that has the whole gradient of an update. */
static struct dgm_buffer *gradients(const struct dgm_optimizer *optimizer)
{
    return optimizer->sum != NULL && optimizer->count == optimizer->params->total
               ? optimizer->sum
               : optimizer->params->grads;
}

static dgm_status squares_of(struct dgm_env *env, const struct dgm_optimizer *optimizer,
                             struct dgm_buffer *buffer, int64_t offset, int64_t count, double *sum)
{
    const struct dgm_sum_squares_args args = { .y.buffer = optimizer->norm,
                                               .x = { buffer, (size_t)offset * sizeof(dgm_real) },
                                               .count = count };

    DGM_TRY(dgm_device_run(env, optimizer->params->device, DGM_TASK_sum_squares, &args));
    return dgm_device_read(env, optimizer->params->device, sum, args.y, sizeof *sum);
}

dgm_status dgm_optimizer_squares(struct dgm_env *env, const struct dgm_optimizer *optimizer,
                                 int64_t offset, int64_t count, double *sum)
{
    return squares_of(env, optimizer, gradients(optimizer), offset, count, sum);
}

dgm_status dgm_optimizer_slice_squares(struct dgm_env *env, const struct dgm_optimizer *optimizer,
                                       int64_t offset, int64_t count, double *sum)
{
    return squares_of(env, optimizer, optimizer->sum, offset, count, sum);
}

/* Looks for the first parameter whose gradient is not finite. Slow, but the run is over. */
static dgm_status fail_diverged(struct dgm_env *env, struct dgm_optimizer *optimizer, int64_t t)
{
    const struct dgm_params *params = optimizer->params;

    for (size_t i = 0; i < params->count; i++) {
        const struct dgm_param *param = &params->items[i];
        double squares;
        DGM_TRY(dgm_optimizer_squares(env, optimizer, param->offset, param->rows * param->cols,
                                      &squares));
        if (!isfinite(squares))
            return dgm_fail(env, DGM_DIVERGED,
                            "update %lld: the gradient of \"%s\" is not finite; the last "
                            "checkpoint is kept. Try a lower --lr or --clip-norm 1",
                            (long long)t, param->name);
    }
    return dgm_fail(env, DGM_DIVERGED, "update %lld: the gradient norm overflows", (long long)t);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Elements that lie together and take steps of one rate; nearly always all that there are. */
struct run {
    int64_t first, count;
    double rate;
};

/* Sets `run` to what lies in the optimizer's slice of parameter *i and of those behind it with the
 * same rate, and *i to the parameter behind them. Goes on where that is nothing; 0: there is no
 * more. The padding between parameters belongs to the one before. */
static int next_run(const struct dgm_optimizer *optimizer, size_t *i, struct run *run)
{
    const struct dgm_params *params = optimizer->params;
    const int64_t first = optimizer->first, end = first + optimizer->count;

    for (run->count = 0; *i < params->count && run->count <= 0;) {
        int64_t from = params->items[*i].offset, to;
        run->rate = params->items[*i].rate;
        do
            ++*i;
        while (*i < params->count && params->items[*i].rate == run->rate);
        to = *i < params->count ? params->items[*i].offset : params->total;
        run->first = from > first ? from : first;
        run->count = (to < end ? to : end) - run->first;
    }
    return run->count > 0;
}

/* Its place in a buffer of all elements, and in one of the slice alone. */
static struct dgm_ref run_of(const struct run *run, struct dgm_buffer *buffer)
{
    return (struct dgm_ref){ buffer, (size_t)run->first * sizeof(dgm_real) };
}

static struct dgm_ref slice_of(const struct dgm_optimizer *optimizer, const struct run *run,
                               struct dgm_buffer *buffer)
{
    return (struct dgm_ref){ buffer, (size_t)(run->first - optimizer->first) * sizeof(dgm_real) };
}

static struct dgm_ref gradient_of(const struct dgm_optimizer *optimizer, const struct run *run)
{
    return optimizer->sum != NULL ? slice_of(optimizer, run, optimizer->sum)
                                  : run_of(run, optimizer->params->grads);
}

static dgm_status clear_gradient(struct dgm_env *env, struct dgm_optimizer *optimizer,
                                 const struct run *run)
{
    const struct dgm_fill_args zeros = { .y = gradient_of(optimizer, run), .count = run->count };

    return dgm_device_run(env, optimizer->params->device, DGM_TASK_fill, &zeros);
}

dgm_status dgm_optimizer_skip_frozen(struct dgm_env *env, struct dgm_optimizer *optimizer)
{
    struct run run;
    size_t i = 0;

    while (next_run(optimizer, &i, &run))
        if (run.rate <= 0)
            DGM_TRY(clear_gradient(env, optimizer, &run));
    return DGM_OK;
}

static dgm_status blend(struct dgm_env *env, const struct dgm_optimizer *optimizer,
                        const struct run *run, struct dgm_buffer *mean, double share)
{
    const struct dgm_axpby_args args = {
        .y = slice_of(optimizer, run, mean),
        .x = run_of(run, optimizer->params->values),
        .count = run->count,
        .a = (dgm_real)share,
        .b = (dgm_real)(1 - share),
    };

    return dgm_device_run(env, optimizer->params->device, DGM_TASK_axpby, &args);
}

dgm_status dgm_optimizer_copy(struct dgm_env *env, const struct dgm_optimizer *optimizer,
                              struct dgm_buffer *mean)
{
    const struct run all = { optimizer->first, optimizer->count, 1 };

    return all.count > 0 ? blend(env, optimizer, &all, mean, 1) : DGM_OK;
}

dgm_status dgm_optimizer_blend(struct dgm_env *env, const struct dgm_optimizer *optimizer,
                               struct dgm_buffer *mean, double share)
{
    struct run run;
    size_t i = 0;

    while (next_run(optimizer, &i, &run))
        if (run.rate > 0)
            DGM_TRY(blend(env, optimizer, &run, mean, share));
    return DGM_OK;
}

/* Adam (Kingma and Ba, 2015) in the form of the paper's section 2: both corrections of the bias are
 * in one step size, rate sqrt(1 - beta2^t) / (1 - beta1^t), so that eps is added to the root of the
 * uncorrected moment. Computed in doubles: beta2^t is close to 1 in the first updates. */
static dgm_status step_adam(struct dgm_env *env, struct dgm_optimizer *optimizer,
                            const struct run *run, int64_t t, double rate, double scale)
{
    const struct dgm_optimizer_options *options = &optimizer->options;
    const double own_rate = rate * run->rate;
    const struct dgm_adam_args adam = {
        .param = run_of(run, optimizer->params->values),
        .m = slice_of(optimizer, run, optimizer->m),
        .v = slice_of(optimizer, run, optimizer->v),
        .grad = gradient_of(optimizer, run),
        .count = run->count,
        .rate = (dgm_real)own_rate,
        .step_size = (dgm_real)(own_rate * sqrt(1 - pow(options->beta2, (double)t)) /
                                (1 - pow(options->beta1, (double)t))),
        .beta1 = (dgm_real)options->beta1,
        .beta2 = (dgm_real)options->beta2,
        .eps = (dgm_real)options->eps,
        .weight_decay = (dgm_real)options->weight_decay,
        .grad_scale = (dgm_real)scale,
    };

    return dgm_device_run(env, optimizer->params->device, DGM_TASK_adam, &adam);
}

/* Adadelta (Zeiler, 2012): step = root(mean of squared steps + eps) / root(mean of squared
 * gradients + eps) times the gradient. It has no rate but a parameter's own. */
static dgm_status step_adadelta(struct dgm_env *env, struct dgm_optimizer *optimizer,
                                const struct run *run, double scale)
{
    const struct dgm_adadelta_args adadelta = {
        .param = run_of(run, optimizer->params->values),
        .squares = slice_of(optimizer, run, optimizer->m),
        .steps = slice_of(optimizer, run, optimizer->v),
        .grad = gradient_of(optimizer, run),
        .count = run->count,
        .rho = (dgm_real)optimizer->options.rho,
        .eps = (dgm_real)optimizer->options.eps,
        .grad_scale = (dgm_real)scale,
        .rate = (dgm_real)run->rate,
    };

    return dgm_device_run(env, optimizer->params->device, DGM_TASK_adadelta, &adadelta);
}

static dgm_status step(struct dgm_env *env, struct dgm_optimizer *optimizer, int64_t t, double rate,
                       double scale)
{
    const int is_adadelta = optimizer->options.kind == DGM_ADADELTA;
    struct run run;
    size_t i = 0;

    while (next_run(optimizer, &i, &run))
        if (run.rate > 0)
            DGM_TRY(is_adadelta ? step_adadelta(env, optimizer, &run, scale)
                                : step_adam(env, optimizer, &run, t, rate, scale));
    return DGM_OK;
}

dgm_status dgm_optimizer_update(struct dgm_env *env, struct dgm_optimizer *optimizer, int64_t t,
                                double rate, double grad_scale, double *norm)
{
    double squares;

    DGM_TRY(dgm_optimizer_squares(env, optimizer, 0, optimizer->params->total, &squares));
    return dgm_optimizer_step(env, optimizer, t, rate, grad_scale, squares, norm);
}

dgm_status dgm_optimizer_step(struct dgm_env *env, struct dgm_optimizer *optimizer, int64_t t,
                              double rate, double grad_scale, double squares, double *norm)
{
    const struct dgm_optimizer_options *options = &optimizer->options;
    double scale = grad_scale;

    /* Scaling and clipping are factors that the step itself applies: no pass over the gradients. */
    *norm = sqrt(squares) * grad_scale;
    if (!isfinite(*norm))
        return fail_diverged(env, optimizer, t);
    if (options->clip_norm > 0 && *norm > options->clip_norm)
        scale *= options->clip_norm / *norm;
    return step(env, optimizer, t, rate, scale);
}
