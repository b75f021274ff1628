/*
 * made_of.c: checksums of files, codes and vocabularies, one line each.
 */
#include "data/cache/made_of.h"

#include "base/file/file.h"
#include "base/file/vfs.h"
#include "base/hash.h"
#include "base/mem.h"
#include "text/tokenize/normalize.h"

enum { CHUNK = 1 << 20 };

/* %llx is no format of dgm_fail: digit by digit. */
static void print_hex(char out[17], uint64_t value)
{
    for (int i = 15; i >= 0; i--, value >>= 4)
        out[i] = "0123456789abcdef"[value & 15];
    out[16] = '\0';
}

dgm_status dgm_made_of_sum(struct dgm_env *env, struct dgm_buf *lines, const char *name,
                           uint64_t sum)
{
    char hex[17];

    print_hex(hex, sum);
    return dgm_buf_add_format(env, lines, "%s = %s\n", name, hex);
}

dgm_status dgm_made_of_number(struct dgm_env *env, struct dgm_buf *lines, const char *name,
                              int64_t number)
{
    return dgm_buf_add_format(env, lines, "%s = %lld\n", name, (long long)number);
}

static dgm_status hash_file(struct dgm_env *env, struct dgm_hash *hash, int fd, const char *path)
{
    char *chunk;
    dgm_status status = DGM_OK;
    size_t got = 1;

    DGM_TRY(dgm_new(env, &chunk, CHUNK, 1));
    while (got > 0) {
        DGM_TRY_OUT(dgm_poll(env));
        DGM_TRY_OUT(dgm_file_read_some(env, &got, fd, path, chunk, CHUNK));
        dgm_hash_add(hash, chunk, got);
    }
out:
    dgm_release(env, chunk);
    return status;
}

dgm_status dgm_made_of_file(struct dgm_env *env, struct dgm_buf *lines, const char *name,
                            const char *path, int *is_regular)
{
    struct dgm_file_info info;
    struct dgm_hash hash;
    dgm_status status;
    int fd;

    /* Opening a pipe may already take away what its other end has written. */
    *is_regular =
        env->vfs->info(env->vfs->user, -1, path, 1, &info) != 0 || info.kind == DGM_FILE_REGULAR;
    if (!*is_regular)
        return DGM_OK;
    DGM_TRY(dgm_file_open(env, &fd, path, NULL, NULL));
    dgm_hash_init(&hash, 0);
    status = hash_file(env, &hash, fd, path);
    dgm_file_close(env, fd);
    DGM_TRY(status);
    return dgm_made_of_sum(env, lines, name, dgm_hash_value(&hash));
}

/* ---- the pipeline ---------------------------------------------------------------------------- */

static uint64_t features_sum(const struct dgm_features *features)
{
    struct dgm_hash hash;

    dgm_hash_init(&hash, 0);
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        const struct dgm_feature *feature = &features->of[kind];

        for (size_t i = 0; i < dgm_feature_size(feature); i++) {
            size_t bytes;
            const char *name = dgm_feature_name(feature, i, &bytes);

            dgm_hash_add(&hash, name, bytes);
            dgm_hash_add(&hash, "\n", 1);
        }
        dgm_hash_add(&hash, "\n", 1);
    }
    return dgm_hash_value(&hash);
}

dgm_status dgm_made_of_pipeline(struct dgm_env *env, struct dgm_buf *lines,
                                const struct dgm_pipeline *pipeline)
{
    const struct dgm_buf *codes = &pipeline->codes;

    DGM_TRY(dgm_made_of_number(env, lines, "version of dragoman", DGM_VERSION_NUMBER));
    DGM_TRY(dgm_buf_add_format(env, lines,
                               "tokenising = %s %s, moses %d, lower %d, punctuation %d, marks %d\n",
                               pipeline->language[DGM_SOURCE], pipeline->language[DGM_TARGET],
                               pipeline->moses, pipeline->lower, pipeline->punctuation,
                               pipeline->multitask));
    if (pipeline->punctuation && !(pipeline->steps & DGM_NORMAL_MOSES))
        DGM_TRY(dgm_made_of_number(env, lines, "steps", pipeline->steps));
    if (pipeline->form != DGM_TEXT_FORM_AUTO) /* else it follows from the vocabularies */
        DGM_TRY(dgm_made_of_number(env, lines, "form", pipeline->form));
    DGM_TRY(dgm_made_of_sum(env, lines, "codes",
                            pipeline->has_bpe ? dgm_hash_bytes(codes->data, codes->size) : 0));
    for (int side = DGM_SOURCE; side <= DGM_TARGET && pipeline->has_spm; side++) {
        const struct dgm_buf *file = &dgm_pipeline_spm(pipeline, side)->spm.file;

        DGM_TRY(dgm_made_of_sum(env, lines, "pieces", dgm_hash_bytes(file->data, file->size)));
    }
    DGM_TRY(dgm_made_of_sum(env, lines, "source vocabulary",
                            dgm_vocab_signature(dgm_pipeline_vocab(pipeline, DGM_SOURCE))));
    DGM_TRY(dgm_made_of_sum(env, lines, "target vocabulary",
                            dgm_vocab_signature(dgm_pipeline_vocab(pipeline, DGM_TARGET))));
    return dgm_made_of_sum(env, lines, "names of features", features_sum(&pipeline->features));
}
