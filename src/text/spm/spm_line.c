/*
 * spm_line.c: a text and its pieces.
 */
#include "text/spm/spm_line.h"

#include <string.h>

#include "base/mem.h"

dgm_status dgm_spm_line_add(struct dgm_env *env, struct dgm_spm_line *line, int32_t id,
                            size_t start, size_t end)
{
    DGM_TRY(dgm_grow(env, &line->pieces, &line->capacity, line->count, sizeof *line->pieces));
    line->pieces[line->count++] = (struct dgm_spm_span){ id, (uint32_t)start, (uint32_t)end };
    return DGM_OK;
}

void dgm_spm_line_sample(struct dgm_spm_line *line, const struct dgm_spm_sampling *sampling,
                         uint64_t seed, uint32_t stream, uint32_t epoch, uint32_t number)
{
    line->sampling = sampling;
    dgm_random_init(&line->random, seed, stream, epoch, number);
}

const char *dgm_spm_line_piece(const struct dgm_spm *spm, const struct dgm_spm_line *line, size_t i,
                               size_t *bytes)
{
    const struct dgm_spm_span *span = &line->pieces[i];

    if (span->id != spm->unk)
        return dgm_spm_piece(spm, span->id, bytes);
    *bytes = span->end - span->start;
    return line->text.data + span->start;
}

void dgm_spm_line_clear(struct dgm_env *env, struct dgm_spm_line *line)
{
    dgm_buf_clear(env, &line->text);
    dgm_release(env, line->pieces);
    dgm_release(env, line->steps);
    dgm_release(env, line->symbols);
    dgm_release(env, line->heap);
    dgm_release(env, line->splits);
    dgm_release(env, line->ends);
    dgm_release(env, line->aside);
    dgm_lattice_clear(env, &line->lattice);
    memset(line, 0, sizeof *line);
}
