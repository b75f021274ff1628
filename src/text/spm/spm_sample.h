/*
 * spm_sample.h: how pieces are drawn instead of chosen: subword regularisation.
 *
 * Of a unigram model a segmentation x is drawn with a probability in proportion to P(x)^alpha, from
 * all there are (Kudo, "Subword Regularization", ACL 2018, section 3.3). Of a BPE model, each merge
 * that could be next is passed over with a probability (Provilkov, Emelianenko, Voita,
 * "BPE-Dropout", ACL 2020).
 */
#ifndef DGM_TEXT_SPM_SPM_SAMPLE_H
#define DGM_TEXT_SPM_SPM_SAMPLE_H

#include "text/spm/lattice.h"
#include "text/spm/spm.h"

/* Of one model; it does not change once it is made: any number of threads may use it. */
struct dgm_spm_sampling {
    double alpha, dropout;
    double *of; /* (pieces) unigram: probability ^ alpha */
    struct dgm_lattice_weights weights;
};

/* A zeroed one: alpha (0..10) for a unigram model, dropout (0..1) for BPE, the other one below 0.
 * DGM_USAGE with `name` for a model of another kind, and for one whose scores are no logs of
 * probabilities. */
dgm_status dgm_spm_sampling_init(struct dgm_env *env, struct dgm_spm_sampling *sampling,
                                 const struct dgm_spm *spm, double alpha, double dropout,
                                 const char *name);
void dgm_spm_sampling_clear(struct dgm_env *env, struct dgm_spm_sampling *sampling);

#endif
