/*
 * tune.c: `dragoman devices --tune`: looks for better parameters of the matrix product on each
 * device, one parameter after the other, and stores what is clearly better than the defaults.
 */
#include "device/opencl/gemm/tune/tune.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "base/system/clock.h"
#include "device/opencl/core/opencl.h"
#include "device/opencl/gemm/tune/tune_measure.h"
#include "device/opencl/gemm/tune/tuning_file.h"

/*
 * A smaller gain than `clear_gain` is taken for noise. After `most_seconds` no further value is
 * tried on a device.
 */
static const double clear_gain = 1.03, most_seconds = 60;

/* The sides of a search: the defaults, the best so far, and what is tried against it. */
struct search {
    struct dgm_tuner tuner;
    struct dgm_tune_side *defaults, *best, *trial;
    dgm_progress_fn progress; /* or NULL */
    void *user;
    int done, total; /* values tried, and to try */
    int is_cut;      /* time ran out before the last */
    double start;
};

/* ---- the search ------------------------------------------------------------------------------ */

/*
 * One parameter after the other, in the order of tuning_list.h; each value is tried against the
 * best so far, and stays only if it wins twice: there are thousands of combinations. In the end the
 * winner must beat the defaults again (judge), because among many comparisons some win by luck.
 */

/* Defaults are what the search begins with: none of them is tried again. A tile that the device
 * has room for is not made larger than that. */
static int is_candidate(const struct search *search, int id, int value)
{
    const struct dgm_cl_traits *traits = &search->tuner.opencl->traits;
    const struct dgm_cl_parameter *parameter = dgm_cl_parameter_at((enum dgm_cl_parameter_id)id);
    struct dgm_cl_tuning tuning = search->best->tuning;

    if (parameter->family != dgm_cl_tuning_family(traits) ||
        value == search->defaults->tuning.value[id] || value == tuning.value[id])
        return 0;
    tuning.value[id] = value;
    return dgm_cl_tuning_fits(traits, &tuning) &&
           dgm_cl_tile_fits(traits, &tuning, DGM_LARGE_TILE) >=
               dgm_cl_tile_fits(traits, &search->best->tuning, DGM_LARGE_TILE) &&
           dgm_cl_tile_fits(traits, &tuning, DGM_THIN_TILE) >=
               dgm_cl_tile_fits(traits, &search->best->tuning, DGM_THIN_TILE);
}

/* Whether the trial, which differs from the best in one value, computes right and faster: twice. */
static dgm_status is_better(struct search *search, enum dgm_cl_tuning_shapes shapes, int *better)
{
    double gain = clear_gain + 1;

    *better = 0;
    dgm_tune_use(&search->tuner, search->trial);
    if (!dgm_tune_agrees(&search->tuner))
        return DGM_OK;
    for (int i = 0; i < 2 && gain > clear_gain; i++)
        DGM_TRY(dgm_tune_compare(&search->tuner, search->best, search->trial, shapes, 0, &gain));
    *better = gain > clear_gain;
    return DGM_OK;
}

static dgm_status try_value(struct search *search, int id, int value)
{
    const struct dgm_cl_parameter *parameter = dgm_cl_parameter_at((enum dgm_cl_parameter_id)id);
    struct dgm_tune_side *const best = search->best;
    char text[80];
    int better;

    snprintf(text, sizeof text, "%s = %d", parameter->name, value);
    if (search->progress != NULL) {
        dgm_callback_begin(search->tuner.env);
        search->progress(search->user, search->done, search->total, text);
        dgm_callback_end(search->tuner.env);
    }
    search->done++;
    dgm_tune_use(&search->tuner, best); /* else its values are where the device has them */
    search->trial->tuning = search->tuner.opencl->tuning;
    search->trial->tuning.value[id] = value;
    DGM_TRY(is_better(search, parameter->shapes, &better));
    if (better) {
        search->best = search->trial;
        search->trial = best;
    }
    dgm_tune_use(&search->tuner, search->best);
    dgm_tune_drop(&search->tuner, search->trial);
    return DGM_OK;
}

static void count_values(struct search *search)
{
    for (int id = 0; id < DGM_TUNE_COUNT; id++) {
        const struct dgm_cl_parameter *own = dgm_cl_parameter_at((enum dgm_cl_parameter_id)id);

        for (int i = 0; i < own->count; i++)
            search->total += is_candidate(search, id, own->values[i]);
    }
}

static dgm_status try_all(struct search *search)
{
    count_values(search);
    for (int id = 0; id < DGM_TUNE_COUNT; id++) {
        const struct dgm_cl_parameter *own = dgm_cl_parameter_at((enum dgm_cl_parameter_id)id);

        for (int i = 0; i < own->count; i++) {
            if (!is_candidate(search, id, own->values[i]))
                continue;
            if (dgm_clock() - search->start > most_seconds) {
                search->is_cut = 1;
                return DGM_OK;
            }
            DGM_TRY(try_value(search, id, own->values[i]));
        }
    }
    return DGM_OK;
}

/* Whether anything differs from the defaults. */
static int is_changed(const struct search *search)
{
    return memcmp(search->best->tuning.value, search->defaults->tuning.value,
                  sizeof search->best->tuning.value) != 0;
}

/* Sets parameters of such products back to their defaults. */
static void give_up(struct search *search, enum dgm_cl_tuning_shapes shapes)
{
    dgm_tune_use(&search->tuner, search->defaults);
    dgm_tune_drop(&search->tuner, search->best);
    for (int id = 0; id < DGM_TUNE_COUNT; id++)
        if (dgm_cl_parameter_at((enum dgm_cl_parameter_id)id)->shapes == shapes)
            search->best->tuning.value[id] = search->tuner.opencl->tuning.value[id];
}

/* Measures the winner against the defaults on everything; of what is not clearly better, nothing
 * stays. */
static dgm_status judge(struct search *search)
{
    dgm_tune_use(&search->tuner, search->defaults);
    if (!is_changed(search))
        return DGM_OK;
    for (int shapes = 0; shapes < DGM_TUNE_SHAPES; shapes++) {
        double gain;

        DGM_TRY(dgm_tune_compare(&search->tuner, search->defaults, search->best,
                                 (enum dgm_cl_tuning_shapes)shapes, 1, &gain));
        dgm_tune_use(&search->tuner, search->defaults);
        if (gain <= clear_gain)
            give_up(search, (enum dgm_cl_tuning_shapes)shapes);
    }
    return DGM_OK;
}

/* ---- the report ------------------------------------------------------------------------------ */

static dgm_status add_speeds(struct search *search, struct dgm_buf *out)
{
    static const char *const forms[] = { "NN", "NT", "TN" };
    struct dgm_env *env = search->tuner.env;

    DGM_TRY(dgm_buf_add_text(env, out, "  GFLOP/s               default     tuned\n"));
    for (int i = 0; i < search->tuner.count; i++) {
        const struct dgm_tune_product *product = &search->tuner.products[i];
        char shape[48], before[32] = "-", after[32] = "-";

        snprintf(shape, sizeof shape, "%s %dx%dx%d",
                 product->is_pair ? "TN+NN" : forms[product->form], product->m, product->n,
                 product->k);
        if (product->before > 0)
            dgm_number_print_fixed(before, product->before, 1);
        if (is_changed(search) && product->after > 0)
            dgm_number_print_fixed(after, product->after, 1);
        DGM_TRY(dgm_buf_add_format(env, out, "  %-19s %9s %9s\n", shape, before, after));
    }
    return DGM_OK;
}

static dgm_status add_choice(struct search *search, struct dgm_buf *out)
{
    struct dgm_env *env = search->tuner.env;

    for (int id = 0; id < DGM_TUNE_COUNT; id++) {
        const int value = search->best->tuning.value[id];

        if (value != search->defaults->tuning.value[id])
            DGM_TRY(dgm_buf_add_format(env, out, "  %s = %d instead of %d\n",
                                       dgm_cl_parameter_at((enum dgm_cl_parameter_id)id)->name,
                                       value, search->defaults->tuning.value[id]));
    }
    if (search->is_cut)
        DGM_TRY(dgm_buf_add_format(env, out, "  %d of %d values tried in the time there was\n",
                                   search->done, search->total));
    return DGM_OK;
}

static dgm_status keep(struct search *search, struct dgm_buf *out)
{
    const struct dgm_cl_traits *traits = &search->tuner.opencl->traits;
    struct dgm_env *env = search->tuner.env;

    if (!is_changed(search)) {
        dgm_cl_tuning_forget(env, traits);
        return dgm_buf_add_text(env, out, "  the defaults are as good as anything else\n");
    }
    DGM_TRY(dgm_buf_add_text(env, out, "  stored in "));
    DGM_TRY(dgm_cl_tuning_store(env, traits, &search->best->tuning, out));
    return dgm_buf_add_char(env, out, '\n');
}

/* ---- one device ------------------------------------------------------------------------------ */

static dgm_status run_search(struct search *search, struct dgm_buf *out)
{
    search->start = dgm_clock();
    DGM_TRY(try_all(search));
    DGM_TRY(judge(search));
    DGM_TRY(add_speeds(search, out));
    DGM_TRY(add_choice(search, out));
    return keep(search, out);
}

/* Starts from the defaults, whatever is stored. */
static dgm_status tune_opened(struct dgm_env *env, struct dgm_opencl *opencl, struct dgm_buf *out,
                              dgm_progress_fn progress, void *user)
{
    struct dgm_tune_side *sides = dgm_alloc(env, 3, sizeof *sides);
    struct search search = { 0 };
    dgm_status status;

    if (sides == NULL)
        return DGM_MEMORY;
    search.defaults = &sides[0];
    search.best = &sides[1];
    search.trial = &sides[2];
    search.progress = progress;
    search.user = user;
    dgm_cl_programs_clear(opencl);
    dgm_cl_tuning_default(&opencl->traits, &opencl->tuning);
    sides[0].tuning = sides[1].tuning = opencl->tuning;
    search.tuner.active = search.defaults;
    search.tuner.env = env;
    search.tuner.opencl = opencl;
    if (!dgm_tune_agrees(&search.tuner)) {
        status = dgm_buf_add_text(env, out, "  not tuned: its products disagree with the CPU's\n");
        goto out;
    }
    status = dgm_tune_begin(&search.tuner, env, opencl, search.defaults);
    if (status == DGM_OK)
        status = run_search(&search, out);
    dgm_tune_use(&search.tuner, search.defaults);
    dgm_tune_end(&search.tuner);
    dgm_tune_drop(&search.tuner, search.best);
    dgm_tune_drop(&search.tuner, search.trial);
out:
    dgm_release(env, sides);
    return status;
}

/* ---- all of them ----------------------------------------------------------------------------- */

struct walk {
    struct dgm_buf *out;
    const struct dgm_device_options *options;
    dgm_progress_fn progress;
    void *user;
    long long number; /* of the next device */
    int count;        /* tuned so far */
};

static dgm_status tune_device(struct walk *walk, struct dgm_env *env, const char *which)
{
    struct dgm_device_options options = *walk->options;
    struct dgm_device *device;
    struct dgm_opencl *opencl;
    dgm_status status;

    options.which = which;
    options.gemm = "own";
    options.precision = NULL; /* f32: the others have no parameters */
    DGM_TRY(dgm_device_open(env, &device, "opencl", &options));
    opencl = (struct dgm_opencl *)device;
    DGM_TRY_OUT(dgm_cl_tuning_check(env, &opencl->traits));
    DGM_TRY_OUT(dgm_buf_add_format(env, walk->out, "%s\n", device->title));
    status = tune_opened(env, opencl, walk->out, walk->progress, walk->user);
out:
    dgm_device_close(env, device);
    walk->count++;
    return status;
}

static dgm_status tune_found(struct dgm_env *env, void *user, cl_device_id id,
                             const struct dgm_cl_traits *traits, const char *reason, int *more)
{
    struct walk *walk = user;
    char which[24];

    (void)id;
    (void)traits;
    (void)more;
    snprintf(which, sizeof which, "%lld", walk->number++);
    return reason == NULL ? tune_device(walk, env, which) : DGM_OK;
}

dgm_status dgm_opencl_tune(struct dgm_env *env, struct dgm_buf *out,
                           const struct dgm_device_options *options, dgm_progress_fn progress,
                           void *user)
{
    struct walk walk = { .out = out, .options = options, .progress = progress, .user = user };
    struct dgm_cl cl;

    if (options->which != NULL)
        return tune_device(&walk, env, options->which);
    DGM_TRY(dgm_cl_load(env, &cl));
    DGM_TRY(dgm_cl_each_device(env, &cl, tune_found, &walk));
    return walk.count > 0 ? DGM_OK : dgm_cl_fail_empty(env);
}
