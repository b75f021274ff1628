/*
 * model.c: one file for configuration, text pipeline and network.
 */
#include "model/file/model.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/option/option.h"
#include "base/option/settings.h"
#include "base/option/settings_file.h"
#include "data/text/pipeline_tags.h"
#include "model/decoder.h"
#include "model/file/langid_file.h"
#include "model/file/search_habits.h"
#include "model/file/vocab_file.h"
#include "model/parser/parser.h"
#include "nn/attn/syntax.h"
#include "nn/param_file.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"

/* Says, by being there, that the model has learned links of words (--guided-alignment). */
#define LINKS_KEY "dragoman.training.links"
/* Tokens of a source of its training text, in the mean. */
#define MEAN_SOURCE_KEY "dragoman.training.mean-source"
/* Says, by being there, that these are single sentences. */
#define SINGLES_KEY "dragoman.training.single-sentences"

/* Keys of the names of features; that of relations is older than its name. */
static const char *const feature_keys[DGM_WORD_FEATURES] = {
    "dragoman.vocab.tags", "dragoman.vocab.lemma", "dragoman.vocab.upos", "dragoman.vocab.xpos"
};

const struct dgm_opt *const dgm_model_tables[] = { dgm_model_options, dgm_recurrent_options,
                                                   dgm_pipeline_options, NULL };

dgm_status dgm_model_set(struct dgm_env *env, struct dgm_settings *settings, const char *name,
                         const char *value)
{
    struct dgm_buf text = { 0 };
    dgm_status status;

    if (strcmp(name, "syntax") != 0)
        return dgm_settings_set(env, settings, name, value, "model");
    status = dgm_syntax_text_complete(env, &text, value);
    if (status == DGM_OK)
        status = dgm_settings_set(env, settings, name, text.data, "model");
    dgm_buf_clear(env, &text);
    return status;
}

/* Copies the values of the model's own options out of a larger set. */
static dgm_status copy_settings(struct dgm_env *env, struct dgm_settings *to,
                                const struct dgm_settings *from)
{
    DGM_TRY(dgm_settings_init(env, to, dgm_model_tables));
    for (size_t i = 0; i < to->count; i++) {
        const char *name = to->items[i].opt->name, *value = dgm_settings_text(from, name);
        if (value != NULL)
            DGM_TRY(dgm_model_set(env, to, name, value));
    }
    return DGM_OK;
}

dgm_status dgm_model_pipeline(struct dgm_env *env, struct dgm_pipeline *pipeline,
                              const struct dgm_settings *settings)
{
    int joint = strcmp(dgm_settings_text(settings, "tied-embeddings"), "all") == 0;
    return dgm_pipeline_init(env, pipeline, settings, joint);
}

/* A parse is written beside words, which pieces of SentencePiece are not. */
static dgm_status check_spm(struct dgm_env *env, int multitask, int has_spm)
{
    if (!has_spm || !multitask)
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE,
                    "--tokenize spm with --multitask, which is about words; expected a variant "
                    "without trees, or words");
}

/* Marks of tasks and tags are no words: a tree has no place for them. */
static dgm_status check_marks(struct dgm_env *env, const struct dgm_net *net, int multitask,
                              int has_tags)
{
    char what[sizeof net->config.syntax + 16];

    if ((!multitask && !has_tags) || dgm_net_needs(net) == 0)
        return DGM_OK;
    dgm_net_needs_text(net, what, sizeof what);
    return dgm_fail(env, DGM_USAGE, "%s with %s; expected a variant without trees, or none",
                    multitask ? "--multitask" : "tags in front of sources", what);
}

/* Trees, recurrent encoders and marks of tasks are laid over words with an end behind them. */
static dgm_status check_end(struct dgm_env *env, const struct dgm_net *net,
                            const struct dgm_pipeline *pipeline)
{
    if (!pipeline->omits_end ||
        (dgm_net_needs(net) == 0 && net->config.encoder == 0 && !pipeline->multitask))
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE,
                    "source-end 0 with --multitask, a recurrent encoder, or a variant that reads "
                    "words; expected 1");
}

static dgm_status make_net(struct dgm_env *env, struct dgm_model *model, int stored)
{
    struct dgm_model_config config;

    DGM_TRY(dgm_model_config_read(env, &config, &model->settings));
    config.stored = stored;
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        config.features[kind] = (int64_t)dgm_feature_size(&model->pipeline.features.of[kind]);
    DGM_TRY(dgm_net_init(env, &model->net, &config,
                         (int64_t)dgm_vocab_size(dgm_pipeline_vocab(&model->pipeline, DGM_SOURCE)),
                         (int64_t)dgm_vocab_size(dgm_pipeline_vocab(&model->pipeline, DGM_TARGET)),
                         DGM_VOCAB_EOS));
    DGM_TRY(check_spm(env, model->pipeline.multitask, model->pipeline.has_spm));
    DGM_TRY(check_end(env, &model->net, &model->pipeline));
    return check_marks(env, &model->net, model->pipeline.multitask, model->pipeline.tags.count > 0);
}

/* ---- options that the model does not have -------------------------------------------------- */

/*
 * Each kind lists the options that shape it. An option that no kind lists is about something else;
 * an option that another kind lists would be taken, stored, and change nothing. Settings of a file
 * or of a caller may serve several encoders, so only what was typed is refused, and only where it
 * asks for something: a value that is not the default.
 */

/* Whether `name` is one of the words. */
static int lists(const char *words, const char *name)
{
    size_t length = strlen(name);

    for (; *words != '\0'; words += strspn(words, " ")) {
        size_t size = strcspn(words, " ");

        if (size == length && memcmp(words, name, size) == 0)
            return 1;
        words += size;
    }
    return 0;
}

/* Adds a kind to "--encoder a or b", as far as there is room. */
static void add_kind(char *text, size_t size, const char *side, const char *name, int is_first)
{
    size_t used = strlen(text);

    if (is_first)
        snprintf(text + used, size - used, "%s--%s %s", used > 0 ? ", or " : "", side, name);
    else
        snprintf(text + used, size - used, " or %s", name);
}

/* The kinds that have the option, into `text`: their number. */
static int name_owners(const char *option, char *text, size_t size)
{
    int encoders = 0, decoders = 0, i;

    text[0] = '\0';
    for (i = 0; i < dgm_encoder_count(); i++)
        if (lists(dgm_encoder_entry(i)->options, option))
            add_kind(text, size, "encoder", dgm_encoder_entry(i)->name, encoders++ == 0);
    for (i = 0; i < dgm_decoder_count(); i++)
        if (lists(dgm_decoder_entry(i)->options, option))
            add_kind(text, size, "decoder", dgm_decoder_entry(i)->name, decoders++ == 0);
    return encoders + decoders;
}

static dgm_status check_option(struct dgm_env *env, const struct dgm_settings *settings,
                               const struct dgm_net *net, const struct dgm_opt *opt)
{
    const char *value = dgm_settings_text(settings, opt->name);
    char owners[160];

    if (!dgm_settings_is_typed(settings, opt->name) || value == NULL ||
        strcmp(value, opt->fallback != NULL ? opt->fallback : "") == 0 ||
        lists(net->encoder->options, opt->name) || lists(net->decoder->options, opt->name) ||
        name_owners(opt->name, owners, sizeof owners) == 0)
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE,
                    "--%s %s with --encoder %s and --decoder %s, which have no such "
                    "option; expected it with %s",
                    opt->name, value, net->encoder->name, net->decoder->name, owners);
}

dgm_status dgm_model_check_typed(struct dgm_env *env, const struct dgm_settings *settings,
                                 const struct dgm_net *net)
{
    for (size_t t = 0; dgm_model_tables[t] != NULL; t++)
        for (const struct dgm_opt *opt = dgm_model_tables[t]; opt->name != NULL; opt++)
            DGM_TRY(check_option(env, settings, net, opt));
    return DGM_OK;
}

/* ---- making -------------------------------------------------------------------------------- */

/* Any number of words and tags would do. */
enum { SOME = 100 };

dgm_status dgm_model_check(struct dgm_env *env, const struct dgm_settings *settings)
{
    struct dgm_model_config config;
    struct dgm_net net;
    dgm_status status;

    DGM_TRY(dgm_model_config_read(env, &config, settings));
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        config.features[kind] = SOME;
    DGM_TRY(dgm_net_init(env, &net, &config, SOME, SOME, DGM_VOCAB_EOS));
    DGM_TRY_OUT(check_spm(env, dgm_settings_flag(settings, "multitask"),
                          strcmp(dgm_settings_text(settings, "tokenize"), "spm") == 0));
    DGM_TRY_OUT(check_marks(env, &net, dgm_settings_flag(settings, "multitask"), 0));
    DGM_TRY_OUT(dgm_model_check_typed(env, settings, &net));
out:
    dgm_net_clear(env, &net);
    return status;
}

dgm_status dgm_model_make(struct dgm_env *env, struct dgm_model *model,
                          const struct dgm_settings *settings, struct dgm_pipeline *pipeline)
{
    dgm_status status;

    memset(model, 0, sizeof *model);
    model->pipeline = *pipeline;
    memset(pipeline, 0, sizeof *pipeline);
    dgm_pipeline_settle_form(&model->pipeline);
    DGM_TRY_OUT(copy_settings(env, &model->settings, settings));
    DGM_TRY_OUT(make_net(env, model, 0));
    return DGM_OK;
out:
    dgm_model_clear(env, model);
    return status;
}

void dgm_model_clear(struct dgm_env *env, struct dgm_model *model)
{
    dgm_net_clear(env, &model->net);
    dgm_pipeline_clear(env, &model->pipeline);
    dgm_settings_clear(env, &model->settings);
    dgm_settings_clear(env, &model->habits);
    memset(model, 0, sizeof *model);
}

void dgm_model_beside(struct dgm_model *model, const struct dgm_model *of,
                      struct dgm_device *device)
{
    *model = *of;
    dgm_pipeline_beside(&model->pipeline, &of->pipeline);
    model->net.params.device = device;
}

void dgm_model_clear_beside(struct dgm_env *env, struct dgm_model *model)
{
    dgm_pipeline_clear_beside(env, &model->pipeline);
    memset(model, 0, sizeof *model);
}

/* ---- reading ------------------------------------------------------------------------------- */

/* An option that the file does not name is as it was when the file was written. */
static dgm_status take_older_defaults(struct dgm_env *env, struct dgm_settings *settings)
{
    for (size_t i = 0; i < settings->count; i++) {
        const struct dgm_opt *opt = settings->items[i].opt;

        if (opt->before != NULL)
            DGM_TRY(dgm_settings_set(env, settings, opt->name, opt->before, "model"));
    }
    return DGM_OK;
}

static dgm_status read_config(struct dgm_env *env, struct dgm_model *model,
                              const struct dgm_gguf *file)
{
    size_t length;
    const char *text = dgm_gguf_text(file, "general.architecture", &length);

    if (text == NULL || length != 8 || memcmp(text, "dragoman", 8) != 0)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "general.architecture is not \"dragoman\"; expected a model that "
                           "dragoman train wrote");
    text = dgm_gguf_text(file, DGM_MODEL_CONFIG, &length);
    if (text == NULL && dgm_langid_is_in(file))
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "tells languages apart (langid); expected a translation model");
    if (text == NULL && dgm_parser_is_in(file))
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "a parser alone; expected a translation model");
    if (text == NULL)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "key dragoman.config is missing");
    DGM_TRY(dgm_settings_init(env, &model->settings, dgm_model_tables));
    DGM_TRY(take_older_defaults(env, &model->settings));
    return dgm_settings_file_parse(env, &model->settings, text, length, file->name);
}

static dgm_status read_features(struct dgm_env *env, struct dgm_model *model,
                                const struct dgm_gguf *file)
{
    unsigned features;

    DGM_TRY(
        dgm_syntax_text_features(env, dgm_settings_text(&model->settings, "syntax"), &features));
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if (features >> kind & 1)
            DGM_TRY(dgm_feature_from_gguf(env, &model->pipeline.features.of[kind], file,
                                          feature_keys[kind]));
    return DGM_OK;
}

static const char *const spm_keys[] = { "dragoman.spm.source", "dragoman.spm.target" };

static dgm_status read_spm(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                           const struct dgm_gguf *file)
{
    size_t count;
    const struct dgm_gguf_key *key = dgm_gguf_ints(file, spm_keys[side], &count);

    if (key == NULL || key->type != DGM_GGUF_VALUE_U8)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "key %s is missing or no bytes",
                           spm_keys[side]);
    /* The items are the last bytes of the value. */
    return dgm_pipeline_set_spm(env, pipeline, side,
                                (const char *)file->bytes + key->at + key->bytes - count, count,
                                file->name);
}

static dgm_status read_spms(struct dgm_env *env, struct dgm_pipeline *pipeline,
                            const struct dgm_gguf *file)
{
    if (!pipeline->has_spm)
        return DGM_OK;
    DGM_TRY(read_spm(env, pipeline, DGM_SOURCE, file));
    if (!pipeline->joint || dgm_gguf_find_key(file, spm_keys[DGM_TARGET]) != NULL)
        DGM_TRY(read_spm(env, pipeline, DGM_TARGET, file));
    return dgm_pipeline_link_spm(env, pipeline);
}

static dgm_status read_tags(struct dgm_env *env, struct dgm_pipeline *pipeline,
                            const struct dgm_gguf *file)
{
    size_t length;
    const char *tags = dgm_gguf_text(file, DGM_MODEL_TAGS, &length);
    int64_t value = 0;

    if (tags != NULL)
        DGM_TRY(dgm_pipeline_read_tags(env, pipeline, tags, length, file->name));
    if (dgm_gguf_find_key(file, DGM_MODEL_TARGET_TAGS) != NULL) {
        if (!dgm_gguf_int(file, DGM_MODEL_TARGET_TAGS, &value) || value != 1 ||
            pipeline->tags.count == 0)
            return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                               "key " DGM_MODEL_TARGET_TAGS
                               " is not 1 beside tags; expected that, or no "
                               "such key");
        pipeline->has_target_tags = 1;
    }
    DGM_TRY(dgm_pipeline_check_slots(env, pipeline, file->name));
    return dgm_pipeline_check_tags(env, pipeline, file->name);
}

static dgm_status read_mean_source(struct dgm_env *env, struct dgm_model *model,
                                   const struct dgm_gguf *file)
{
    int64_t *mean = &model->mean_source;

    if (dgm_gguf_find_key(file, MEAN_SOURCE_KEY) == NULL)
        return DGM_OK;
    if (dgm_gguf_int(file, MEAN_SOURCE_KEY, mean) && *mean >= 1 && *mean <= INT32_MAX)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                       "key " MEAN_SOURCE_KEY " is no number of tokens; expected one from 1 on, or "
                       "no such key");
}

static dgm_status read_pipeline(struct dgm_env *env, struct dgm_model *model,
                                const struct dgm_gguf *file)
{
    struct dgm_pipeline *pipeline = &model->pipeline;
    size_t length;
    const char *codes = dgm_gguf_text(file, "dragoman.bpe.codes", &length);

    model->has_links = dgm_gguf_find_key(file, LINKS_KEY) != NULL;
    model->are_singles = dgm_gguf_find_key(file, SINGLES_KEY) != NULL;
    DGM_TRY(read_mean_source(env, model, file));
    DGM_TRY(dgm_search_habits_read(env, &model->habits, file));
    DGM_TRY(dgm_model_pipeline(env, pipeline, &model->settings));
    if (codes != NULL)
        DGM_TRY(dgm_pipeline_set_codes(env, pipeline, codes, length, file->name));
    DGM_TRY(dgm_vocab_from_gguf(env, &pipeline->vocab[DGM_SOURCE], file, "dragoman.vocab.source"));
    if (!pipeline->joint)
        DGM_TRY(
            dgm_vocab_from_gguf(env, &pipeline->vocab[DGM_TARGET], file, "dragoman.vocab.target"));
    DGM_TRY(read_spms(env, pipeline, file));
    dgm_pipeline_settle_form(pipeline);
    DGM_TRY(read_features(env, model, file));
    DGM_TRY(read_tags(env, pipeline, file));
    return dgm_pipeline_check_marks(env, pipeline, file->name);
}

/* Tensors that belong to others than the network. */
static const char *const others[] = { "state.", DGM_PARSER_PREFIX, NULL };

static dgm_status declare(struct dgm_env *env, struct dgm_model *model, const struct dgm_gguf *file)
{
    memset(model, 0, sizeof *model);
    DGM_TRY(read_config(env, model, file));
    DGM_TRY(read_pipeline(env, model, file));
    DGM_TRY(make_net(env, model, 1));
    model->has_parser = dgm_parser_is_in(file);
    return dgm_params_check(env, &model->net.params, file, others);
}

/* Whatever the part at fault calls it, to the caller it is a bad model. */
static dgm_status fail_reading(struct dgm_env *env, struct dgm_model *model,
                               const struct dgm_gguf *file, dgm_status status)
{
    dgm_model_clear(env, model);
    if (status == DGM_USAGE || status == DGM_DATA)
        status = env->error.status = DGM_MODEL;
    if (env->error.file[0] == '\0')
        snprintf(env->error.file, sizeof env->error.file, "%s", file->name);
    return status;
}

dgm_status dgm_model_declare(struct dgm_env *env, struct dgm_model *model,
                             const struct dgm_gguf *file)
{
    dgm_status status = declare(env, model, file);

    return status == DGM_OK ? status : fail_reading(env, model, file, status);
}

dgm_status dgm_model_from_gguf(struct dgm_env *env, struct dgm_model *model,
                               const struct dgm_gguf *file, struct dgm_device *device,
                               int with_grads, const enum dgm_compute_type *type)
{
    enum dgm_weights weights = DGM_WEIGHTS_REAL;
    dgm_status status;

    memset(model, 0, sizeof *model);
    if (with_grads)
        DGM_TRY(dgm_compute_type_check_trainable(env, file));
    if (type != NULL)
        DGM_TRY(dgm_compute_type_choose(env, &weights, *type, file, device));
    if (type != NULL && weights == DGM_WEIGHTS_REAL)
        weights = device->reals;
    /* Before memory is taken for what the configuration declares. */
    DGM_TRY_OUT(declare(env, model, file));
    dgm_params_hold(&model->net.params, weights);
    DGM_TRY_OUT(dgm_net_allocate(env, &model->net, device, with_grads));
    DGM_TRY_OUT(dgm_params_load(env, &model->net.params, file, others));
    return DGM_OK;
out:
    return fail_reading(env, model, file, status);
}

dgm_status dgm_model_load(struct dgm_env *env, struct dgm_model *model, const char *path,
                          struct dgm_device *device, int with_grads,
                          const enum dgm_compute_type *type)
{
    struct dgm_gguf file = { 0 };
    dgm_status status;

    DGM_TRY(dgm_gguf_open(env, &file, path));
    DGM_TRY_OUT(dgm_gguf_verify(env, &file, NULL));
    DGM_TRY_OUT(dgm_model_from_gguf(env, model, &file, device, with_grads, type));
out:
    dgm_gguf_clear(env, &file);
    return status;
}

/* ---- writing ------------------------------------------------------------------------------- */

dgm_status dgm_model_config_text(struct dgm_env *env, const struct dgm_model *model,
                                 struct dgm_buf *out)
{
    return dgm_settings_file_dump(env, &model->settings, out, 0);
}

static dgm_status write_tags(struct dgm_env *env, struct dgm_gguf_writer *writer,
                             const struct dgm_pipeline *pipeline)
{
    struct dgm_buf text = { 0 };
    dgm_status status;

    if (pipeline->tags.count == 0)
        return DGM_OK;
    if (pipeline->has_target_tags)
        DGM_TRY(dgm_gguf_add_u32(env, writer, DGM_MODEL_TARGET_TAGS, 1));
    status = dgm_pipeline_print_tags(env, pipeline, &text);
    if (status == DGM_OK)
        status = dgm_gguf_add_text(env, writer, DGM_MODEL_TAGS, text.data, text.size);
    dgm_buf_clear(env, &text);
    return status;
}

static dgm_status write_pipeline(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                 const struct dgm_pipeline *pipeline)
{
    if (pipeline->has_bpe)
        DGM_TRY(dgm_gguf_add_text(env, writer, "dragoman.bpe.codes", pipeline->codes.data,
                                  pipeline->codes.size));
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        if (pipeline->spm[side].spm.file.size > 0)
            DGM_TRY(dgm_gguf_add_bytes(env, writer, spm_keys[side],
                                       pipeline->spm[side].spm.file.data,
                                       pipeline->spm[side].spm.file.size));
    DGM_TRY(dgm_vocab_to_gguf(env, &pipeline->vocab[DGM_SOURCE], writer, "dragoman.vocab.source"));
    if (!pipeline->joint)
        DGM_TRY(
            dgm_vocab_to_gguf(env, &pipeline->vocab[DGM_TARGET], writer, "dragoman.vocab.target"));
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if (dgm_feature_size(&pipeline->features.of[kind]) > 0)
            DGM_TRY(
                dgm_feature_to_gguf(env, &pipeline->features.of[kind], writer, feature_keys[kind]));
    return write_tags(env, writer, pipeline);
}

dgm_status dgm_model_save(struct dgm_env *env, const struct dgm_model *model,
                          struct dgm_gguf_writer *writer, dgm_real **values)
{
    struct dgm_buf config = { NULL, 0, 0, 0 };
    dgm_status status;

    DGM_TRY(dgm_gguf_add_text(env, writer, "general.architecture", "dragoman", 8));
    DGM_TRY_OUT(dgm_model_config_text(env, model, &config));
    DGM_TRY_OUT(dgm_gguf_add_text(env, writer, DGM_MODEL_CONFIG, config.data, config.size));
out:
    dgm_buf_clear(env, &config);
    DGM_TRY(status);
    DGM_TRY(write_pipeline(env, writer, &model->pipeline));
    if (model->has_links)
        DGM_TRY(dgm_gguf_add_u32(env, writer, LINKS_KEY, 1));
    if (model->are_singles)
        DGM_TRY(dgm_gguf_add_u32(env, writer, SINGLES_KEY, 1));
    if (model->mean_source > 0)
        DGM_TRY(dgm_gguf_add_u32(env, writer, MEAN_SOURCE_KEY, (uint32_t)model->mean_source));
    DGM_TRY(dgm_search_habits_write(env, &model->habits, writer));
    return dgm_params_save(env, &model->net.params, writer, DGM_GGUF_F32, values);
}
