/*
 * files.c: files of codes and vocabularies against what a checkpoint has.
 */
#include "train/translation/sets/files.h"

#include "base/file/file.h"
#include "base/option/settings.h"
#include "train/translation/sets/learn.h"

static dgm_status refuse(struct dgm_env *env, const char *path, const char *what)
{
    return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                       "the checkpoints have %s. Try the file that the run was begun with, none, "
                       "which goes on with what they have, --overwrite, or another --model",
                       what);
}

typedef dgm_status read_fn(struct dgm_env *env, struct dgm_buf *buf, const char *path);

static dgm_status compare_file(struct dgm_env *env, read_fn *read, const char *path,
                               const struct dgm_buf *own, const char *what)
{
    struct dgm_buf bytes = { 0 };
    dgm_status status = read(env, &bytes, path);

    if (status == DGM_OK && !dgm_buf_same(&bytes, own))
        status = refuse(env, path, what);
    dgm_buf_clear(env, &bytes);
    return status;
}

/* Whether a vocabulary has all entries of a file, from which it has grown. */
static int has_entries(const struct dgm_vocab *vocab, const struct dgm_vocab *file)
{
    for (uint32_t i = DGM_VOCAB_SPECIALS; i < dgm_vocab_size(file); i++) {
        size_t bytes;
        const char *token = dgm_vocab_token(file, i, &bytes);

        if (dgm_vocab_find(vocab, token, bytes) == DGM_VOCAB_UNK)
            return 0;
    }
    return 1;
}

static dgm_status compare_vocab(const struct dgm_run *run, const struct dgm_sets *sets, int side,
                                const char *path, int has_grown)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(&sets->model->pipeline, side);
    struct dgm_vocab file = { 0 };
    dgm_status status;

    status = dgm_vocab_load(run->env, &file, path);
    if (status == DGM_OK && !(has_grown ? has_entries(vocab, &file) : dgm_vocab_same(vocab, &file)))
        status = refuse(run->env, path, "another vocabulary");
    dgm_vocab_clear(run->env, &file);
    return status;
}

dgm_status dgm_sets_files_compare(const struct dgm_run *run, const struct dgm_sets *sets)
{
    const struct dgm_settings *settings = run->settings;
    const struct dgm_pipeline *pipeline = &sets->model->pipeline;
    const int is_child =
        dgm_settings_text(settings, "init") != NULL && !dgm_sets_learns_anew(settings);
    const char *codes = dgm_settings_text(settings, "codes");
    const char *spm = dgm_sets_file(settings, "spm", 0);

    if (codes != NULL && !is_child)
        DGM_TRY(
            compare_file(run->env, dgm_file_read_text, codes, &pipeline->codes, "other BPE codes"));
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        const char *own = dgm_sets_file(settings, "spm", (size_t)side);
        const char *vocab = dgm_sets_file(settings, "vocabs", (size_t)side);

        if (spm != NULL && !is_child)
            DGM_TRY(compare_file(run->env, dgm_file_read, own != NULL ? own : spm,
                                 &dgm_pipeline_spm(pipeline, side)->spm.file,
                                 "another SentencePiece model"));
        /* A child takes dictionaries that were typed alone (parent.c). */
        if (vocab != NULL && (!is_child || dgm_settings_is_typed(settings, "vocabs")))
            DGM_TRY(compare_vocab(run, sets, side, vocab, is_child));
    }
    return DGM_OK;
}
