/*
 * fuzz_spm_learn.c: bytes that choose kind, rules, size and fallback, then any lines as training
 * text. A model that is learned must be one that we read, with as many pieces as were asked for or
 * fewer, and must cut the lines, by its best pieces and by drawn ones.
 */
#include <stdlib.h>
#include <string.h>

#include "text/spm/spm_encode.h"
#include "text/spm_learn/learn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 4, MOST_TEXT = 4096 };

static void require(int holds)
{
    if (!holds)
        abort();
}

/* Rules of whole NFKC take long to make: mostly, there are none. */
static void choose(struct dgm_spm_learn_options *options, const uint8_t *head)
{
    static const char *const symbols[] = { "ab", "\xE3\x81\xAE" };

    dgm_spm_learn_defaults(options);
    options->kind = (enum dgm_spm_kind)(1 + head[0] % 4);
    options->normal = head[0] == 255 ? DGM_SPM_NMT_NFKC : DGM_SPM_IDENTITY;
    options->pieces = (size_t)head[1] + (head[3] & 1 ? 256 : 0);
    options->coverage = head[2] / 255.0;
    options->byte_fallback = head[3] & 1;
    options->symbols = symbols;
    options->symbol_count = head[3] >> 1 & 1 ? 2 : 0;
    options->seeds = head[3] >> 2 & 1 ? 10 : 1000;
    options->longest_line = 1000;
}

static void check_path(const struct dgm_spm_line *line)
{
    size_t at = 0;

    for (size_t i = 0; i < line->count; i++) {
        require(line->pieces[i].start == at && line->pieces[i].end > at);
        at = line->pieces[i].end;
    }
    require(at == line->text.size);
}

static void cut(struct dgm_env *env, const struct dgm_spm *spm, const char *text, size_t size)
{
    const double alpha = spm->kind == DGM_SPM_UNIGRAM ? 0.2 : -1.0;
    struct dgm_spm_sampling sampling;
    struct dgm_spm_line line;

    memset(&line, 0, sizeof line);
    memset(&sampling, 0, sizeof sampling);
    require(dgm_spm_encode(env, spm, &line, text, size) == DGM_OK);
    check_path(&line);
    if (spm->kind == DGM_SPM_UNIGRAM || spm->kind == DGM_SPM_BPE) {
        require(dgm_spm_sampling_init(env, &sampling, spm, alpha, alpha < 0.0 ? 0.3 : -1.0, "m") ==
                DGM_OK);
        dgm_spm_line_sample(&line, &sampling, 1, 2, 3, 4);
        require(dgm_spm_encode(env, spm, &line, text, size) == DGM_OK);
        check_path(&line);
    }
    dgm_spm_sampling_clear(env, &sampling);
    dgm_spm_line_clear(env, &line);
}

static void check_model(struct dgm_env *env, const struct dgm_buf *model,
                        const struct dgm_spm_learn_options *options, const char *text, size_t size)
{
    struct dgm_spm spm;

    memset(&spm, 0, sizeof spm);
    require(dgm_spm_parse(env, &spm, model->data, model->size, "model") == DGM_OK);
    require(dgm_spm_size(&spm) <= options->pieces && spm.kind == options->kind);
    cut(env, &spm, text, size);
    dgm_spm_clear(env, &spm);
}

static dgm_status learn(struct dgm_env *env, struct dgm_spm_learner *learner, const char *text,
                        size_t size, struct dgm_buf *model)
{
    size_t at = 0;

    while (at < size) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t bytes = (end != NULL ? (size_t)(end - text) : size) - at;

        DGM_TRY(dgm_spm_learner_line(env, learner, text + at, bytes));
        at += bytes + 1;
    }
    return dgm_spm_learner_finish(env, learner, model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data + HEAD;
    struct dgm_spm_learn_options options;
    struct dgm_spm_learner learner;
    struct dgm_buf model = { .data = NULL };
    struct dgm_env env;

    if (size < HEAD || size > HEAD + MOST_TEXT)
        return 0;
    dgm_env_init(&env);
    memset(&learner, 0, sizeof learner);
    choose(&options, data);
    require(dgm_spm_learner_init(&env, &learner, &options) == DGM_OK);
    if (learn(&env, &learner, text, size - HEAD, &model) == DGM_OK)
        check_model(&env, &model, &options, text, size - HEAD);
    dgm_buf_clear(&env, &model);
    dgm_spm_learner_clear(&env, &learner);
    return 0;
}
