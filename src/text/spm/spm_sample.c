/*
 * spm_sample.c: pieces of a text, drawn from a unigram model.
 */
#include "text/spm/spm_sample.h"

#include <string.h>

#include "base/mem.h"
#include "base/number/own_math.h"
#include "text/spm/spm_encode.h"

#define LEAST_LOG (-320.0) /* of a weight: sums over paths have to hold more than one */

static double weight(double alpha, double score)
{
    const double power = alpha * score;

    return dgm_own_exp(power < LEAST_LOG ? LEAST_LOG : power);
}

static dgm_status check_kind(struct dgm_env *env, const struct dgm_spm *spm, double alpha,
                             double dropout, const char *name)
{
    if (alpha >= 0.0 && spm->kind != DGM_SPM_UNIGRAM)
        return dgm_fail_at(env, DGM_USAGE, name, 0, 0,
                           "sampling by alpha from a model of kind %s; expected unigram%s",
                           dgm_spm_kind_name(spm->kind),
                           spm->kind == DGM_SPM_BPE ? ", or BPE-dropout" : "");
    if (dropout >= 0.0 && spm->kind != DGM_SPM_BPE)
        return dgm_fail_at(env, DGM_USAGE, name, 0, 0,
                           "BPE-dropout with a model of kind %s; expected bpe%s",
                           dgm_spm_kind_name(spm->kind),
                           spm->kind == DGM_SPM_UNIGRAM ? ", or sampling by alpha" : "");
    return DGM_OK;
}

static dgm_status weigh(struct dgm_env *env, struct dgm_spm_sampling *sampling,
                        const struct dgm_spm *spm, const char *name)
{
    DGM_TRY(dgm_new(env, &sampling->of, dgm_spm_size(spm), sizeof *sampling->of));
    for (size_t id = 0; id < dgm_spm_size(spm); id++) {
        if (dgm_spm_type(spm, (int32_t)id) == DGM_SPM_USER_DEFINED)
            sampling->of[id] = 1.0;
        if (dgm_spm_type(spm, (int32_t)id) != DGM_SPM_NORMAL)
            continue;
        if (spm->scores[id] > 0.0F)
            return dgm_fail_at(env, DGM_USAGE, name, 0, 0,
                               "piece %zu has a score above 0, which is no log of a probability; "
                               "expected a model to draw pieces from",
                               id);
        sampling->of[id] = weight(sampling->alpha, (double)spm->scores[id]);
    }
    sampling->weights.of = sampling->of;
    sampling->weights.unknown =
        weight(sampling->alpha, spm->least <= 0.0F ? (double)spm->least - DGM_SPM_UNKNOWN_PENALTY
                                                   : -DGM_SPM_UNKNOWN_PENALTY);
    return DGM_OK;
}

dgm_status dgm_spm_sampling_init(struct dgm_env *env, struct dgm_spm_sampling *sampling,
                                 const struct dgm_spm *spm, double alpha, double dropout,
                                 const char *name)
{
    DGM_TRY(check_kind(env, spm, alpha, dropout, name));
    sampling->alpha = alpha;
    sampling->dropout = dropout;
    return alpha >= 0.0 ? weigh(env, sampling, spm, name) : DGM_OK;
}

void dgm_spm_sampling_clear(struct dgm_env *env, struct dgm_spm_sampling *sampling)
{
    dgm_release(env, sampling->of);
    memset(sampling, 0, sizeof *sampling);
}

/* Symbols of the user stay whole; their edges are certain, whatever they weigh. */
dgm_status dgm_spm_draw(struct dgm_env *env, const struct dgm_spm *spm, struct dgm_spm_line *line)
{
    const struct dgm_spm_sampling *sampling = line->sampling;
    struct dgm_lattice *lattice = &line->lattice;

    DGM_TRY(dgm_lattice_fill(env, lattice, &spm->text, &spm->defined, &sampling->weights,
                             line->text.data, line->text.size));
    dgm_lattice_forward(lattice, &sampling->weights);
    DGM_TRY(dgm_lattice_draw(env, lattice, &sampling->weights, &line->random));
    for (size_t i = 0; i < lattice->path_count; i++) {
        const struct dgm_lattice_edge *edge = &lattice->edges[lattice->path[i]];

        DGM_TRY(dgm_spm_line_add(env, line, edge->piece < 0 ? spm->unk : edge->piece, edge->start,
                                 edge->end));
    }
    return DGM_OK;
}
