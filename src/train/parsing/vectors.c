/*
 * vectors.c: the pretrained vectors that train-parser is given.
 */
#include "train/parsing/vectors.h"

#include <string.h>

#include "model/parser/parser_vectors.h"

dgm_status dgm_parsing_vectors_read(const struct dgm_run *run, struct dgm_word_vectors *vectors)
{
    const struct dgm_settings *s = run->settings;
    const char *path = dgm_settings_text(s, "vectors");
    const int64_t limit = dgm_settings_text(s, "vectors-limit") != NULL
                              ? dgm_settings_int(s, "vectors-limit")
                              : DGM_PARSER_VECTORS;

    memset(vectors, 0, sizeof *vectors);
    if (path != NULL && strcmp(path, "-") == 0)
        return dgm_fail(run->env, DGM_USAGE,
                        "--vectors names standard input, which can be read only once; expected a "
                        "file, since a run that goes on reads it again");
    return path == NULL ? DGM_OK : dgm_parser_vectors_read(run->env, vectors, path, limit);
}

dgm_status dgm_parsing_vectors_compare(const struct dgm_run *run, const char *folder,
                                       const struct dgm_word_vectors *saved)
{
    struct dgm_word_vectors vectors;
    dgm_status status = dgm_parsing_vectors_read(run, &vectors);

    if (status == DGM_OK && !dgm_word_vectors_equal(&vectors, saved))
        status = dgm_fail_at(run->env, DGM_USAGE, folder, 0, 0,
                             "checkpoints were trained %s. Try the old setting, --overwrite, or "
                             "another --model",
                             saved->dim == 0    ? "without --vectors"
                             : vectors.dim == 0 ? "with --vectors, which is not set now"
                                                : "with other --vectors");
    dgm_word_vectors_clear(run->env, &vectors);
    return status;
}

void dgm_parsing_vectors_tell(const struct dgm_run *run, const struct dgm_word_vectors *vectors,
                              const struct dgm_treebank *bank)
{
    const int32_t rows = bank->rows.offsets[bank->rows.count];
    int found = 0;

    if (vectors->dim == 0)
        return;
    for (int32_t i = 0; i < rows; i++)
        found += bank->vectors[bank->forms[i]] >= 0;
    dgm_log(run->env, DGM_LOG_NOTE,
            "vectors: %lld words, %lld numbers each; %d of the %d words to train on have one",
            (long long)dgm_word_vectors_rows(vectors), (long long)vectors->dim, found,
            (int)(rows - bank->rows.count));
}
