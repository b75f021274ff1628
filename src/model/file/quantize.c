/*
 * quantize.c: a translation model, or a parser, with its matrices in fewer bits.
 *
 * What is narrowed is what translation and parsing look up rows of or multiply by as it stands:
 * embeddings, projections, feed-forward and recurrent matrices, the output layer; those of a parser
 * in the same file too. Norms, biases and the small matrices of variants of attention stay as they
 * are. Keys are kept; the state of a training run is left out.
 */
#include "model/file/quantize.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "kernel/narrow/bf16.h"
#include "model/file/inspect.h"
#include "model/file/model.h"
#include "model/parser/parser.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "tensor/half.h"

struct quantizing {
    struct dgm_env *env;
    struct dgm_gguf file;
    struct dgm_model model;   /* declared, without values */
    struct dgm_parser parser; /* the same; of either there may be none */
    enum dgm_gguf_type type;
    dgm_real **values; /* of each narrowed tensor, until the file is written */
    size_t count;      /* of these */
    size_t odd;        /* of these, f16 because a row is no multiple of a block */
};

/* ---- types --------------------------------------------------------------------------------- */

const char *const dgm_quantize_types[DGM_QUANTIZE_TYPES] = { "q8_0", "bf16", "f16" };

/* The largest number that a type holds: of q8_0, 127 times the largest scale; of bf16, what our
 * kernels hold (kernel/narrow/bf16.h). */
static const struct {
    enum dgm_gguf_type type;
    double most;
} types[DGM_QUANTIZE_TYPES] = {
    { DGM_GGUF_Q8_0, 127 * 65504.0 },
    { DGM_GGUF_BF16, (double)DGM_BF16_MOST },
    { DGM_GGUF_F16, 65504 },
};

static dgm_status check_range(const struct quantizing *job, const struct dgm_gguf_tensor *tensor,
                              enum dgm_gguf_type type, const dgm_real *values)
{
    int t = 0;

    while (types[t].type != type)
        t++;
    for (size_t i = 0; i < tensor->count; i++)
        if (fabs((double)values[i]) > types[t].most)
            return dgm_gguf_fail_range(job->env, &job->file, tensor, i, (double)values[i],
                                       dgm_quantize_types[t], types[t].most,
                                       type == DGM_GGUF_BF16 ? "the f32 model to be used as it is"
                                                             : "--type bf16 for such a model");
    return DGM_OK;
}

/* ---- reading ------------------------------------------------------------------------------- */

static dgm_status check_source(struct quantizing *job)
{
    const char *tensor = dgm_compute_type_narrow_tensor(&job->file);

    if (tensor != NULL)
        return dgm_fail_at(
            job->env, DGM_MODEL, job->file.name, 0, 0,
            "tensor \"%s\" has type %s already; expected the f32 model that this one "
            "was made from",
            tensor, dgm_gguf_type_name(dgm_gguf_find_tensor(&job->file, tensor)->type));
    return DGM_OK;
}

static dgm_status read_source(struct quantizing *job, const char *path)
{
    DGM_TRY(dgm_gguf_load(job->env, &job->file, path));
    DGM_TRY(dgm_gguf_verify(job->env, &job->file, NULL));
    DGM_TRY(check_source(job));
    if (dgm_parser_is_in(&job->file))
        DGM_TRY(dgm_parser_declare(job->env, &job->parser, &job->file));
    if (dgm_parser_is_in(&job->file) && dgm_gguf_find_key(&job->file, DGM_MODEL_CONFIG) == NULL)
        return DGM_OK;
    return dgm_model_declare(job->env, &job->model, &job->file);
}

/* ---- writing ------------------------------------------------------------------------------- */

static int narrows(const struct quantizing *job, const struct dgm_gguf_tensor *tensor)
{
    const struct dgm_params *const owners[] = { &job->model.net.params, &job->parser.net.params };

    for (int i = 0; i < 2; i++) {
        const dgm_param_id id = dgm_params_find(owners[i], tensor->name);

        if (id >= 0 && dgm_params_narrows(&owners[i]->items[id], DGM_WEIGHTS_INT8))
            return 1;
    }
    return 0;
}

static dgm_status add_narrow(struct quantizing *job, struct dgm_gguf_writer *writer,
                             const struct dgm_gguf_tensor *tensor)
{
    enum dgm_gguf_type type = job->type;
    dgm_real *values;

    DGM_TRY(dgm_new(job->env, &values, tensor->count, sizeof *values));
    job->values[job->count++] = values;
    if (type == DGM_GGUF_Q8_0 && tensor->dims[tensor->rank - 1] % DGM_HALF_Q8_COUNT != 0) {
        type = DGM_GGUF_F16;
        job->odd++;
    }
    DGM_TRY(dgm_gguf_read_finite(job->env, &job->file, tensor, values, tensor->count));
    DGM_TRY(check_range(job, tensor, type, values));
    return dgm_gguf_add_reals(job->env, writer, tensor->name, type, tensor->rank, tensor->dims,
                              values);
}

/* The key that GGUF's specification wants beside blocks, and the version of blocks of q8_0. */
static dgm_status add_version(struct quantizing *job, struct dgm_gguf_writer *writer)
{
    if (job->type != DGM_GGUF_Q8_0)
        return DGM_OK;
    return dgm_gguf_add_u32(job->env, writer, "general.quantization_version", 2);
}

static dgm_status add_all(struct quantizing *job, struct dgm_gguf_writer *writer)
{
    const struct dgm_gguf *file = &job->file;

    DGM_TRY(add_version(job, writer));
    for (size_t i = 0; i < file->key_count; i++)
        if (!dgm_inspect_is_state_key(file->keys[i].name))
            DGM_TRY(dgm_gguf_add_key(job->env, writer, file, &file->keys[i]));
    for (size_t i = 0; i < file->tensor_count; i++) {
        const struct dgm_gguf_tensor *tensor = &file->tensors[i];

        if (dgm_inspect_is_state(tensor))
            continue;
        if (narrows(job, tensor))
            DGM_TRY(add_narrow(job, writer, tensor));
        else
            DGM_TRY(dgm_gguf_add_raw(job->env, writer, tensor->name, tensor->type, tensor->rank,
                                     tensor->dims, dgm_gguf_data(file, tensor)));
    }
    return DGM_OK;
}

/* A file that would not differ, or differ otherwise than it was asked to, is none. */
static dgm_status check_result(const struct quantizing *job)
{
    if (job->count > job->odd)
        return DGM_OK;
    if (job->count == 0)
        return dgm_fail_at(job->env, DGM_MODEL, job->file.name, 0, 0,
                           "no matrix of 16 rows and 16 columns; nothing would become smaller");
    return dgm_fail_at(job->env, DGM_MODEL, job->file.name, 0, 0,
                       "no matrix has rows of a multiple of %d numbers, as q8_0 needs; expected "
                       "--type bf16 or f16",
                       DGM_HALF_Q8_COUNT);
}

static void tell(const struct quantizing *job)
{
    if (job->odd > 0)
        dgm_log(job->env, DGM_LOG_NOTE,
                "%zu matrices became %s; %zu, whose rows are no multiple of %d, became f16",
                job->count - job->odd, dgm_gguf_type_name(job->type), job->odd, DGM_HALF_Q8_COUNT);
    else
        dgm_log(job->env, DGM_LOG_NOTE, "%zu matrices became %s", job->count,
                dgm_gguf_type_name(job->type));
}

static dgm_status write_result(struct quantizing *job, const char *out)
{
    struct dgm_gguf_writer writer = { .name_limit = DGM_GGUF_NAME };
    dgm_status status;

    DGM_TRY(dgm_new(job->env, &job->values, job->file.tensor_count, sizeof *job->values));
    DGM_TRY_OUT(add_all(job, &writer));
    DGM_TRY_OUT(check_result(job));
    DGM_TRY_OUT(dgm_gguf_write(job->env, &writer, out));
    tell(job);
out:
    dgm_gguf_writer_clear(job->env, &writer);
    return status;
}

static void clear(struct quantizing *job)
{
    for (size_t i = 0; i < job->count; i++)
        dgm_release(job->env, job->values[i]);
    dgm_release(job->env, job->values);
    dgm_model_clear(job->env, &job->model);
    dgm_parser_clear(job->env, &job->parser);
    dgm_gguf_clear(job->env, &job->file);
}

dgm_status dgm_quantize_file(struct dgm_env *env, const char *path, int type, const char *out)
{
    struct quantizing job = { .env = env, .type = types[type].type };
    dgm_status status;

    DGM_TRY_OUT(read_source(&job, path));
    DGM_TRY_OUT(write_result(&job, out));
out:
    clear(&job);
    return status;
}
