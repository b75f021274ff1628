/*
 * parent_values.c: the values that a run takes from its parent: of parameters with the
 * same name and shape, of tables with a row for each token the rows of the tokens that both have.
 */
#include "train/translation/learner.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/option/settings.h"
#include "nn/attn/attn.h"
#include "nn/param_file.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"

/* ---- tables with a row for each token -------------------------------------------------------- */

/* The tables of a network: of embeddings by side, of scores, and the bias of scores. */
enum { TABLES = 4 };

static dgm_param_id table_of(const struct dgm_net *net, int which)
{
    const dgm_param_id tables[TABLES] = { net->embed[DGM_SOURCE], net->embed[DGM_TARGET],
                                          net->output, net->output_bias };

    return tables[which];
}

/* Which of them a parameter is, the first where it is several; -1: none. */
static int table_number(const struct dgm_net *net, dgm_param_id id)
{
    for (int which = 0; which < TABLES; which++)
        if (table_of(net, which) == id)
            return which;
    return -1;
}

static const struct dgm_vocab *vocab_of(const struct dgm_model *model, int which)
{
    return dgm_pipeline_vocab(&model->pipeline, which == 0 ? DGM_SOURCE : DGM_TARGET);
}

/* The number that a token of `vocab` has in another vocabulary, specials included; -1: none. */
static int64_t find_token(const struct dgm_vocab *other, const struct dgm_vocab *vocab,
                          uint32_t number)
{
    size_t bytes;
    const char *token = dgm_vocab_token(vocab, number, &bytes);
    uint32_t found;

    if (number < DGM_VOCAB_SPECIALS)
        return number;
    found = dgm_vocab_find(other, token, bytes);
    return found == DGM_VOCAB_UNK ? -1 : (int64_t)found;
}

/* Overwrites the rows (of `cols`) of tokens that the parent's vocabulary has: how many. */
static int64_t take_rows(dgm_real *rows, const dgm_real *parent_rows, int64_t cols,
                         const struct dgm_vocab *vocab, const struct dgm_vocab *parent_vocab)
{
    const size_t count = dgm_vocab_size(vocab);
    int64_t taken = 0;

    for (size_t i = 0; i < count; i++) {
        const int64_t from = find_token(parent_vocab, vocab, (uint32_t)i);

        if (from < 0)
            continue;
        memcpy(rows + (int64_t)i * cols, parent_rows + from * cols, (size_t)cols * sizeof *rows);
        taken++;
    }
    return taken;
}

/* ---- one parameter --------------------------------------------------------------------------- */

static int has_shape(const struct dgm_param *param, const struct dgm_param *other)
{
    return param->rank == other->rank && param->rows == other->rows && param->cols == other->cols;
}

static dgm_status read_parent(const struct dgm_run *run, const struct dgm_translation *self,
                              dgm_param_id from, dgm_real **values)
{
    const struct dgm_param *param = &self->parent.model.net.params.items[from];
    const struct dgm_gguf_tensor *tensor = dgm_gguf_find_tensor(&self->parent.file, param->name);

    DGM_TRY(dgm_new(run->env, values, tensor->count, sizeof **values));
    return dgm_gguf_read_finite(run->env, &self->parent.file, tensor, *values, tensor->count);
}

static dgm_status take_whole(const struct dgm_run *run, struct dgm_translation *self,
                             dgm_param_id id, dgm_param_id from)
{
    dgm_real *values = NULL;
    dgm_status status = read_parent(run, self, from, &values);

    if (status == DGM_OK)
        status = dgm_params_write(run->env, &self->model.net.params, id, values);
    dgm_release(run->env, values);
    return status;
}

/* How many entries of its vocabulary are the parent's, where it grew; else 0. */
static int64_t old_entries(const struct dgm_translation *self, int which)
{
    const int side = which == 0 || self->model.pipeline.joint ? DGM_SOURCE : DGM_TARGET;

    return which >= 0 && !self->parent.has_text ? self->parent.entries[side] : 0;
}

/* Table `which`: the rows of tokens that the parent has, too. Where the run's vocabulary is the
 * parent's and more, all of the parent's, and their mean for the new entries. */
static dgm_status take_table(const struct dgm_run *run, struct dgm_translation *self,
                             dgm_param_id id, dgm_param_id from, int which)
{
    struct dgm_env *env = run->env;
    struct dgm_params *params = &self->model.net.params;
    const struct dgm_param *param = &params->items[id];
    const struct dgm_vocab *vocab = vocab_of(&self->model, which);
    const int64_t cols = param->rank == 1 ? 1 : param->cols, old = old_entries(self, which);
    const int64_t rows = (int64_t)dgm_vocab_size(vocab);
    dgm_real *values = NULL, *parent = NULL;
    double *mean = NULL;
    int64_t taken = old;
    dgm_status status;

    DGM_TRY_OUT(dgm_new(env, &values, (size_t)(rows * cols), sizeof *values));
    DGM_TRY_OUT(dgm_new(env, &mean, (size_t)cols, sizeof *mean));
    DGM_TRY_OUT(read_parent(run, self, from, &parent));
    DGM_TRY_OUT(dgm_params_read(env, params, id, values));
    if (old > 0) {
        memcpy(values, parent, (size_t)(old * cols) * sizeof *values);
        dgm_parent_new_rows(&self->model.pipeline, vocab, values, cols, old, mean);
    } else {
        taken = take_rows(values, parent, cols, vocab, vocab_of(&self->parent.model, which));
    }
    DGM_TRY_OUT(dgm_params_write(env, params, id, values));
    if (old > 0)
        dgm_log(env, DGM_LOG_NOTE, "--init: %s: rows of %lld tokens, their mean for %lld more",
                param->name, (long long)old, (long long)(rows - old));
    else
        dgm_log(env, DGM_LOG_NOTE, "--init: %s: rows of %lld of %lld tokens", param->name,
                (long long)taken, (long long)rows);
out:
    dgm_release(env, mean);
    dgm_release(env, values);
    dgm_release(env, parent);
    return status;
}

/* Whether a parameter is a table of features, with a row for each name, whose names are others. */
static int has_other_names(const struct dgm_translation *self, const char *name)
{
    const struct dgm_pipeline *own = &self->model.pipeline, *parent = &self->parent.model.pipeline;

    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if (strcmp(name, dgm_attn_feature_tables[kind]) == 0)
            return !dgm_feature_same(&own->features.of[kind], &parent->features.of[kind]);
    return 0;
}

/* *is_taken 0: the parent has nothing that fits, so that it stays as it was drawn. */
static dgm_status take_one(const struct dgm_run *run, struct dgm_translation *self, dgm_param_id id,
                           int *is_taken)
{
    const struct dgm_net *parent = &self->parent.model.net;
    const struct dgm_param *param = &self->model.net.params.items[id];
    /* A table by its use, for tied embeddings have one name: that of the first. */
    const int which = table_number(&self->model.net, id);
    const dgm_param_id from =
        which >= 0 ? table_of(parent, which) : dgm_params_find(&parent->params, param->name);

    *is_taken = 0;
    if (from < 0)
        return DGM_OK;
    if (which >= 0 && (self->parent.has_text || old_entries(self, which) > 0)) {
        *is_taken = param->rank == 1 || parent->params.items[from].cols == param->cols;
        return *is_taken ? take_table(run, self, id, from, which) : DGM_OK;
    }
    *is_taken = has_shape(param, &parent->params.items[from]) &&
                !(self->parent.has_text && has_other_names(self, param->name));
    return *is_taken ? take_whole(run, self, id, from) : DGM_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* All matrices read states of the model's width: of another one, only what has the same shape by
 * chance would fit, a bias or a table of positions. */
static dgm_status check_width(const struct dgm_run *run, const struct dgm_translation *self,
                              const char *path)
{
    const int64_t wants = self->model.net.config.dim, has = self->parent.model.net.config.dim;

    if (has == wants)
        return DGM_OK;
    return dgm_fail_at(run->env, DGM_USAGE, path, 0, 0,
                       "the model of --init is %lld wide, not %lld: its values mean nothing to a "
                       "model of another width; expected --dim-emb %lld",
                       (long long)has, (long long)wants, (long long)has);
}

static dgm_status take_all(const struct dgm_run *run, struct dgm_translation *self)
{
    const char *path = dgm_settings_text(run->settings, "init");
    size_t taken = 0;

    DGM_TRY(check_width(run, self, path));
    for (size_t i = 0; i < self->model.net.params.count; i++) {
        int is_taken;

        DGM_TRY(take_one(run, self, (dgm_param_id)i, &is_taken));
        taken += is_taken != 0;
        if (!is_taken)
            dgm_log(run->env, DGM_LOG_NOTE, "--init: %s is drawn: the model has none like it",
                    self->model.net.params.items[i].name);
    }
    dgm_log(run->env, DGM_LOG_NOTE, "--init: values of %zu of %zu parameters are those of %s",
            taken, self->model.net.params.count, path);
    return DGM_OK;
}

/* The whole file's: any other model has another. */
static dgm_status sum_file(struct dgm_env *env, const char *path, uint64_t *sum)
{
    struct dgm_gguf file;

    DGM_TRY(dgm_gguf_load(env, &file, path));
    *sum = dgm_hash_bytes(file.bytes, file.size);
    dgm_gguf_clear(env, &file);
    return DGM_OK;
}

static dgm_status compare(const struct dgm_run *run, const char *path)
{
    const uint64_t before = run->state.init_checksum;
    uint64_t now = 0;

    if (path == NULL && before != 0)
        dgm_log(run->env, DGM_LOG_NOTE,
                "the checkpoints come from a run with --init, which goes on");
    if (path == NULL)
        return DGM_OK;
    if (before != 0)
        DGM_TRY(sum_file(run->env, path, &now));
    if (before != 0 && before == now)
        return DGM_OK;
    return dgm_fail_at(run->env, DGM_USAGE, path, 0, 0,
                       "the checkpoints did not start from this model. Try the model that they "
                       "started from, --overwrite to start again, or another --model");
}

dgm_status dgm_parent_values(struct dgm_run *run, struct dgm_trainee *trainee, int is_resumed)
{
    struct dgm_translation *self = trainee->self;
    const struct dgm_parent *parent = &self->parent;

    if (is_resumed)
        return compare(run, dgm_settings_text(run->settings, "init"));
    if (!parent->is_there)
        return DGM_OK;
    DGM_TRY(take_all(run, self));
    run->state.init_checksum = dgm_hash_bytes(parent->file.bytes, parent->file.size);
    dgm_parent_clear(run->env, &self->parent);
    return DGM_OK;
}
